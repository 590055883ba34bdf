"""The compiled loop of an ensemble: a block of members, many steps in one call.

On a CPU it is native code on vectors of members (`step_kernel`), on a GPU the same loop with
one thread per member (`ptx`). A step that neither supports runs by XLA.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...compile.cache.code_key import CodeKey
from ...compile.cache.registry import cached
from ...compile.cpu.kernels import StepKernel
from ...compile.engine import Engine, chosen_engine
from ...compile.ir.tape import Unsupported
from ...compile.layout import Layout, Tree
from ...compile.tracing import to_be_compiled
from ...compile.xla import Compiled, Device, compile_for_cpu
from ...errors import UsageError
from ...methods import Row
from ...methods.base import Carry
from ...request.prepare import Plan
from ...request.step import Numbers, State, counts, has_own_steps, one_step
from ...request.validate import Parameters
from ...system import Point
from .step_kernel import CROWDED, Member, SavedRow, kernel_of, saved_row, steps_of

if TYPE_CHECKING:
    from ...compile.gpu.ptx import StepsOnGpu

# (steps in one kernel, such kernels in a row), used in this order; the last makes the remaining
# steps. On an H200, 8 steps in a kernel are six times as fast as one.
_GPU_LOOPS = ((8, 16), (4, 1), (1, 1))

# (shared, packed members, first step, steps per row, number of rows) -> rows, packed members
Advance: TypeAlias = Callable[..., tuple[Numbers, Numbers]]
_NOTHING = Row(*(None,) * len(Row._fields))  # pyright: ignore[reportArgumentType]


class LoopSizes(NamedTuple):
    """Sizes that a compiled loop depends on."""

    block: int  # number of members
    rows: int  # number of rows in the buffer
    every: int  # steps between rows
    steps: int  # number of steps of the complete run


class BlockLoop(NamedTuple):
    """The compiled loop of a block of members, and its engine."""

    engine: Engine
    advance: Advance
    read: Sequence[int] | None = None  # indices in a packed member that it reads; None means all


def saved_member(m: Member) -> tuple[SavedRow, Tree]:
    """Return the contents of a row in the buffer: the saved row and the count of good steps."""
    return saved_row(m.state), m.good


def loop_of(
    plan: Plan,
    shared: Layout,
    own: Layout,
    sizes: LoopSizes,
    device: Device | None,
    asked: str | None,
) -> BlockLoop:
    """Return the compiled loop of a block, for a CPU (`device` None) or for an accelerator."""
    if device is not None:
        if asked == "native":
            raise UsageError("engine='native' is for a CPU: devices=jax.devices('cpu')")
        why = "asked for"
        if asked != "arrays":
            # Interpreted on a CPU only in tests: the same code path without the hardware.
            try:
                # `crowded` chooses the size of GPU thread blocks; `ptx` says from which count on.
                kernel = _on_gpu(plan, shared, own, sizes.rows, sizes.block > CROWDED, device)
                interpreted = "interpreted on a CPU" if device.platform == "cpu" else ""
                engine = Engine("gpu", interpreted).noting(plan.reason)
                return BlockLoop(engine, partial(_by_kernel, kernel, sizes), kernel.read)
            except Unsupported as error:
                why = str(error)
        if asked == "gpu":
            raise UsageError(f"engine='gpu' cannot run this: {why}; leave engine= out")
        run = _arrays(plan, shared, own, *sizes[:2], device)
        return BlockLoop(Engine("arrays", why), partial(_of_arrays, run, sizes))
    engine, kernel = chosen_engine(
        asked, lambda: kernel_of(plan, shared, own, None, many=True), plan.form
    )
    engine = engine.noting(plan.reason)
    if kernel is not None:
        return BlockLoop(engine, partial(native_rows, kernel, sizes))
    run = _arrays(plan, shared, own, *sizes[:2], None)
    return BlockLoop(engine, partial(_of_arrays, run, sizes))


def native_rows(
    kernel: StepKernel,
    sizes: LoopSizes,
    shared: Parameters,
    numbers: Numbers,
    k: int,
    interval: int,
    count: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows (count + 1, numbers, members), the last one unused, and the packed members."""
    # A copy in C order: the kernel updates the state of all members in place.
    table = np.array(numbers, order="C")
    rows = np.empty((count + 1, kernel.row_width, sizes.block))
    end = k + interval * count
    kernel(shared, table, rows, (0, sizes.block), k, sizes.every, sizes.steps, end)
    return rows, table


def _by_kernel(
    run: StepsOnGpu,
    sizes: LoopSizes,
    shared: Parameters,
    numbers: Numbers,
    k: int,
    interval: int,
    count: int,
) -> tuple[Tree, Tree]:
    return run(shared, numbers, k, sizes.every, sizes.steps, k + interval * count)


def _of_arrays(
    run: Compiled,
    sizes: LoopSizes,
    shared: Parameters,
    numbers: Numbers,
    k: int,
    interval: int,
    count: int,
) -> tuple[Tree, Tree]:
    counts = (np.float64(x) for x in (k, interval, count, k % sizes.every == 0))
    # The rows and, below them, the packed members are one array, so that XLA returns one buffer.
    out = run(shared, numbers, *counts)
    rest = numbers.shape[0]
    return out[:-rest].reshape(sizes.rows, -1, sizes.block), out[-rest:]


@cached(maxsize=64)
def _on_gpu(
    plan: Plan, shared: Layout, own: Layout, rows: int, crowded: bool, device: Device
) -> StepsOnGpu:
    from ...compile.gpu.ptx import gpu_steps

    # Without arrays in memory: a GPU thread has registers only, and large matrices run by XLA.
    steps = steps_of(plan, shared, own, CodeKey(None), memory=False)
    return gpu_steps(steps, rows, crowded, device)


# -- by XLA --------------------------------------------------------------------------------------


class _MemberState(NamedTuple):
    """The part of a member's state that a step reads and changes."""

    carry: Carry
    frame: Point
    residual: Numbers
    result: Numbers
    good: Numbers
    row: Row | None = None  # adaptive methods only: a member that is ahead waits at this row


@cached(maxsize=64)
def _arrays(
    plan: Plan, shared: Layout, own: Layout, block: int, rows: int, device: Device | None
) -> Compiled:
    return _Loop(plan, shared, own, block, rows, device).compiled()


class _Loop:
    """The loop by XLA, a function of packed arrays.

    (shared, packed members, first step, steps per row, number of rows, fresh) -> rows, packed
    members. `fresh` says whether a new row begins, whose residual starts at zero.
    """

    def __init__(
        self,
        plan: Plan,
        shared: Layout,
        own: Layout,
        block: int,
        rows: int,
        device: Device | None,
    ) -> None:
        one = jnp.zeros(())
        self.plan, self.block, self.rows, self.device = plan, block, rows, device
        self.own_steps = has_own_steps(plan.method)
        self.shared = Layout((shared.example(), one, one))
        self.member = Layout((own.example(), Member(plan.state.example(), one)))
        self.width = Layout(saved_member(self.member.example()[1])).width

    def compiled(self) -> Compiled:
        """Compile the loop."""
        sizes = [(self.shared.width,), (self.member.width, self.block), (), (), (), ()]
        shapes = [jax.ShapeDtypeStruct(size, float) for size in sizes]
        try:
            if self.device is None:
                return compile_for_cpu(self._by_arrays, *shapes)
            with jax.default_device(self.device), to_be_compiled():
                return jax.jit(self._by_arrays).lower(*shapes).compile()
        finally:
            self.plan.settle()

    def _step(self, given, k, varying, light: _MemberState) -> tuple[_MemberState, Row]:
        dynamic, t0, h = given
        system = eqx.combine(varying, dynamic, self.plan.static)
        # a step reads only the result code and the residual of the row before
        before = light.row or _NOTHING._replace(residual=light.residual, result=light.result)
        state = State(k, light.carry, before, light.frame, jnp.asarray(False))
        new = one_step(system, self.plan.method, t0, h, state)
        row = new.row
        good = light.good + counts(self.plan.method, state, new)
        return self._light(new, row.residual, good), row

    def _light(self, state: State, residual: Numbers, good: Numbers) -> _MemberState:
        # Members of adaptive methods end at different steps; those that are ahead wait at their
        # last row.
        row = state.row._replace(residual=residual) if self.own_steps else None
        return _MemberState(state.carry, state.frame, residual, state.row.result, good, row)

    def _light_step(self, given, k, varying, light: _MemberState) -> _MemberState:
        return self._step(given, k, varying, light)[0]

    def _by_arrays(self, given_numbers, numbers, *counts):
        k, interval, count, fresh = (x.astype(int) for x in counts)
        given, members = self.shared.unpack(given_numbers), self.member.unpack(numbers.T)
        axes = (None, None, 0, 0)
        quick = jax.vmap(self._light_step, in_axes=axes)
        full = jax.vmap(self._step, in_axes=axes)
        varying = members[0]

        # Parameters do not change: they are an argument of the loop, not a part of what it
        # carries.
        def advance(k, light, end):
            def some(n, c):
                # Unrolled by hand: XLA puts each iteration of a loop into a separate kernel on
                # a GPU.
                for _ in range(n):
                    c = c[0] + 1, quick(given, c[0], varying, c[1])
                return c

            # on an accelerator long kernels come first: the host decides less often whether to
            # continue
            c: Tree = (k, light)
            for unrolled, loops in ((1, 1),) if self.device is None else _GPU_LOOPS:
                several = partial(some, unrolled)
                if loops > 1:
                    several = partial(_repeated, loops, several)
                within = partial(_leaves_room, unrolled * loops, end)
                c = lax.while_loop(within, several, c)
            return c

        def one_row(c):
            k, (state, good), buffer, i, fresh = c
            # The residual of a row is the largest since the row before.
            residual = jnp.where(fresh, 0.0, state.row.residual)
            light = self._light(state, residual, good)
            # a complete row is computed in the last step only
            k, light = advance(k, light, k + interval - 1)
            light, row = full(given, k, varying, light)
            k = k + 1
            # The same count for all members, also for those that have failed: rows stay
            # rectangular.
            count_of = jnp.full(self.block, k)
            state = State(count_of, light.carry, row, light.frame, state.stopped)
            member = Member(state, light.good)
            buffer = _write(buffer, i * self.width, saved_member(member))
            return k, member, buffer, i + 1, jnp.asarray(True)

        buffer = jnp.zeros((self.rows * self.width + self.member.width, self.block))
        start = (k, members[1], buffer, jnp.zeros((), int), fresh > 0)
        k, member, buffer, *_ = lax.while_loop(lambda c: c[3] < count, one_row, start)
        return _write(buffer, self.rows * self.width, (varying, member))


def _repeated(times: int, f: Compiled, c: Tree) -> Tree:
    return lax.fori_loop(0, times, lambda _, c: f(c), c)


def _leaves_room(steps: int, end: Tree, c: Tree) -> Tree:
    return c[0] + steps <= end


def _write(buffer: jax.Array, i, tree: Tree) -> jax.Array:
    """Write the numbers of all members into the buffer, one per row, starting at row i."""
    leaves, block = jax.tree.leaves(tree), buffer.shape[1]
    flat = [x.astype(float).reshape(block, -1).T for x in leaves]
    return lax.dynamic_update_slice(buffer, jnp.concatenate(flat), (i, 0))
