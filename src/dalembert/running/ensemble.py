"""Many runs at once: over initial data, over parameters, kept in full or reduced on the way.

Members are independent, so they are worked on in blocks of fixed size, on all cores or on all
accelerators; every block runs the same compiled code, and what is summed over members is summed
in the order of the blocks. The numbers therefore do not depend on how many devices there are. On a
CPU a block is a few vectors wide: its whole state stays in the nearest cache while it runs.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compile.engine import compile_for_cpu, jit
from ..compile.layout import Layout
from ..compile.scalarize import Unsupported, batched_kernel, scalarized
from ..errors import UsageError
from ..linalg import MESSAGES, OK
from ..methods.base import Method, Row
from ..results.trajectory import Meta, Trajectory
from ..system import Point, System
from . import prepare as checks
from .members import Batch
from .progress import Progress
from .reductions import Histogram, Observable, Reducer, Section, Statistics, combined
from .step import State, initial_state, one_step

_CPU_BLOCK = 64
_GPU_BLOCK = 1 << 17
# (steps in one kernel, such kernels in a row), the last for what the others leave: on an H200
# 8 steps in a kernel are six times as fast as one
_GPU_LOOPS = ((8, 16), (4, 1), (1, 1))
_ROWS_BYTES = {"cpu": 8 * 2**20, "gpu": 512 * 2**20}
_CALL_SECONDS = 0.3


# -- what comes out -------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Ensemble:
    """The runs of many members: arrays have members first, then kept times.

    `result` is the code of each member (0 is success) and `steps_done` the steps it took until the
    end or its failure; rows after a failure are NaN. `residual` is that of the step before each
    row. `reduced` has what was asked for by name.
    """

    t: np.ndarray
    q: Any
    v: np.ndarray
    p: np.ndarray
    multiplier: np.ndarray
    frame: Any
    residual: np.ndarray
    result: np.ndarray
    steps_done: np.ndarray
    reduced: Mapping[str, Any]
    meta: Meta

    def __len__(self) -> int:
        return len(self.result)

    @property
    def failed(self) -> dict[int, str]:
        """Which members failed, and how."""
        told = {}
        for i in np.flatnonzero(self.result != OK):
            step = int(self.steps_done[i]) + 1
            at = self.meta.t0 + step * self.meta.h
            told[int(i)] = f"{MESSAGES[int(self.result[i])]} at step {step}, t = {at:g}"
        return told

    def member(self, i: int) -> Trajectory:
        """One member as a trajectory: the kept rows until its failure, if it failed."""
        if not -len(self) <= i < len(self):
            raise IndexError(f"member {i} of an ensemble of {len(self)}")
        good = np.flatnonzero(np.all(np.isfinite(self.v[i]), axis=-1))

        def take(x: Any) -> Any:
            return jax.tree.map(lambda a: jnp.asarray(a[i][good]), x)

        return Trajectory(
            t=jnp.asarray(self.t[good]),
            q=take(self.q),
            v=take(self.v),
            p=take(self.p),
            multiplier=take(self.multiplier),
            frame=take(self.frame),
            residual=take(self.residual),
            result=jnp.zeros(len(good), jnp.int32),
            meta=dataclasses.replace(self.meta, steps=int(self.steps_done[i])),
        )


# -- the run --------------------------------------------------------------------------------------


def simulate_ensemble(
    system: System,
    method: Method,
    q0: Point = None,
    v0: Any = None,
    *,
    h: float,
    steps: int,
    t0: float = 0.0,
    save_every: int | None = None,
    keep: str | None = None,
    reduce: Mapping[str, Statistics | Histogram | Section] | None = None,
    project: bool = False,
    devices: Sequence[Any] | None = None,
    progress: bool | None = None,
) -> Ensemble:
    """Run many members at once, `steps` steps of size `h` each.

    Args:
        system: one system, or a batch: parameters with the members as first axis, such as
            `ChaplyginSleigh(a=jnp.linspace(0.1, 0.3, 1000))`.
        method: how they are integrated.
        q0, v0: initial data with the members as first axis; without it, all start alike. The
            system's own if both are left out.
        h, steps, t0: as in `simulate`, the same for all members.
        save_every: look at every k-th step; by default at the last one only.
        keep: "rows" keeps all that is looked at, "final" the last row only. By default rows are
            kept if `save_every` is given and `reduce` is not.
        reduce: names and reductions (`Statistics`, `Histogram`, `Section`) of what is looked at,
            computed on the way: memory does not grow with the number of steps (but by one number
            for each kept time in statistics over members).
        project: replace inconsistent velocities by the nearest consistent ones.
        devices: JAX devices to use; by default all cores, or all accelerators if there are any.
        progress: show a progress bar; by default only on a terminal, and only on long runs.

    A member that fails is marked (`result`, `failed`), and the others go on.
    """
    if reduce is not None and not isinstance(reduce, Mapping):
        raise UsageError('reduce takes names and reductions, such as {"energy": Statistics(f)}')
    reduce = dict(reduce or {})
    if devices is not None and (isinstance(devices, str) or not len(devices)):
        raise UsageError("devices must be JAX devices, such as jax.devices()[:1]")
    if checks.is_traced((system, q0, v0, h, t0, jnp.zeros(1))):
        raise UsageError(
            "simulate_ensemble works outside of jit, vmap and grad; inside, use jax.vmap(simulate)"
        )
    if keep is None:
        keep = "rows" if save_every is not None and not reduce else "final"
    if keep not in ("rows", "final"):
        raise UsageError(f"keep must be 'rows' or 'final', got {keep!r}")
    for name, kind in reduce.items():
        if not isinstance(kind, (Statistics, Histogram, Section)):
            raise UsageError(f"reduce[{name!r}] must be a reduction such as Statistics(f)")
        if save_every is None and not isinstance(kind, Statistics):
            raise UsageError(
                f"reduce[{name!r}] needs save_every, how often to look: 1 is every step"
            )
    every = steps if save_every is None else save_every
    begin = time.perf_counter()
    batch = Batch.of(system, q0, v0)
    checks.check_run(batch.example, method, steps, every)
    checks.check_parameters(batch.example, (batch.shared, batch.varying))
    step, origin = checks.check_times(h, t0)
    method.check(batch.example)
    started = _started(batch, method, step, origin, project)
    work = _Work(batch, method, started, step, origin, steps, every, keep, reduce, devices)
    work.prepare()
    compiled = time.perf_counter()
    blocks = work.run(progress)
    meta = Meta.of(
        batch.example,
        method.name,
        h=float(step),
        t0=float(origin),
        steps=steps,
        save_every=every,
        constraints=started.row.multiplier.shape[-1],
        wall_s=time.perf_counter() - compiled,
        compile_s=compiled - begin,
    )
    return work.gathered(blocks, meta)


@functools.lru_cache(maxsize=256)
def _compiled_start(static, method: Method) -> Callable[..., Any]:
    def one(shared, varying, t0, h, q, v):
        system = eqx.combine(varying, shared, static)
        state = initial_state(system, method, t0, h, q, v)
        facts = checks.gather(system, t0, q, v, state.row.v)
        size = checks.CONSISTENT * checks.residual_size(facts.mu, v, facts.residual)
        off = jnp.any(jnp.abs(facts.residual) > size)
        return state, checks.bad_data(system, method, facts), off

    return jit()(jax.vmap(one, in_axes=(None, 0, None, None, 0, 0)))


def _started(batch: Batch, method: Method, h, t0, project: bool) -> State:
    """The state of every member; data that `simulate` would refuse are refused, by member."""
    start = _compiled_start(batch.static, method)
    state, bad, off = start(batch.shared, batch.varying, t0, h, batch.q, batch.v)
    wrong = np.flatnonzero(np.asarray(bad) | (np.asarray(off) & (not project)))
    wrong = np.union1d(wrong, np.flatnonzero(np.asarray(state.row.result) != OK))
    if len(wrong):
        few = ", ".join(map(str, wrong[:5])) + (", ..." if len(wrong) > 5 else "")
        hint = "; project=True takes the nearest consistent velocities" if off.any() else ""
        raise UsageError(
            f"{batch.example.name()}: initial data that cannot be run, off the constraint or not "
            f"finite, of {len(wrong)} of {batch.members} members ({few}){hint}"
        )
    return state


class _Member(NamedTuple):
    """What a member carries through the loop."""

    varying: Any
    carry: Any
    row: Row
    frame: Any
    good: jax.Array  # steps done without failure


class _Light(NamedTuple):
    """What of it a step reads and changes."""

    carry: Any
    frame: Any
    result: jax.Array
    good: jax.Array


class _Work:
    """The blocks of an ensemble, and how one of them is run."""

    def __init__(self, batch, method, started, h, t0, steps, every, keep, reduce, devices) -> None:
        self.batch, self.method, self.h, self.t0 = batch, method, h, t0
        self.steps, self.every, self.reduce = steps, every, reduce
        self.keeps_rows = keep == "rows"
        found = list(devices) if devices is not None else jax.devices()
        self.on_cpu = found[0].platform == "cpu"
        if self.on_cpu and devices is None:
            found = found[:1] * _cores()
        self.devices = found
        self.block = _block_size(batch.members, self.on_cpu)
        members = _Member(
            batch.varying, started.carry, started.row, started.frame, jnp.zeros(batch.members)
        )
        one = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape[1:], x.dtype), members)
        self.shared_layout = Layout((batch.shared, t0, h))
        self.member_layout = Layout(one)
        self.shared = np.array(self.shared_layout.pack((batch.shared, t0, h)))
        # (numbers of a member, members), padded to whole blocks by copies of the last member
        flat = [np.asarray(x, float).reshape(batch.members, -1).T for x in jax.tree.leaves(members)]
        table = np.concatenate(flat)
        pad = -batch.members % self.block
        self.table = np.concatenate([table, np.repeat(table[:, -1:], pad, axis=1)], axis=1)
        self.row_layout = Layout(_kept(one))
        self.looks = self.keeps_rows or bool(reduce)
        # few sizes of buffer, so that runs of all lengths share compilations
        memory = _ROWS_BYTES["cpu" if self.on_cpu else "gpu"]
        most = memory // (8 * self.row_layout.width * self.block)
        self.rows = min(32 if every >= 16 else 256, 1 << (max(most, 1).bit_length() - 1))
        if not self.looks:
            self.rows = 1

    def prepare(self) -> None:
        def compiled(device):
            return _compiled_block(
                self.shared_layout,
                self.member_layout,
                self.batch.static,
                self.method,
                self.block,
                self.rows,
                device,
            )

        self.programs = {d: compiled(None if self.on_cpu else d) for d in set(self.devices)}
        functions = [
            (name, f) for name, kind in self.reduce.items() for f in Reducer(kind, 0).observables
        ]
        self._check_numbers(functions)
        made = tuple(f for _, f in functions)
        try:
            self.observe = _compiled_observables(made, self.row_layout)
        except TypeError:  # a method of a system with arrays has no hash
            self.observe = _compiled_observables.__wrapped__(made, self.row_layout)

    def _check_numbers(self, functions: Sequence[tuple[str, Observable]]) -> None:
        row = self.row_layout.example()[0]
        for name, f in functions:
            try:
                found = jax.eval_shape(f, row.q, row.v)
            except TypeError as error:
                raise UsageError(
                    f"reduce[{name!r}]: an observable takes (q, v): {error}"
                ) from error
            if jax.tree.structure(found) != jax.tree.structure(0.0) or found.shape:
                told = getattr(found, "shape", type(found).__name__)
                raise UsageError(f"reduce[{name!r}]: an observable is one number, got {told}")

    def run(self, progress: bool | None) -> list[Any]:
        starts = range(0, self.table.shape[1], self.block)
        done = [0] * len(starts)
        with Progress(progress, self.steps * len(starts)) as bar:
            with concurrent.futures.ThreadPoolExecutor(len(self.devices)) as pool:
                free = list(self.devices)

                def work(i: int) -> Any:
                    device = free.pop()
                    try:
                        with jax.default_device(device):
                            return self._run_block(starts[i], device, lambda k: _set(done, i, k))
                    finally:
                        free.append(device)

                futures = [pool.submit(work, i) for i in range(len(starts))]
                try:
                    while True:
                        _, waiting = concurrent.futures.wait(futures, timeout=0.2)
                        bar.update(sum(done))
                        if not waiting:
                            break
                except BaseException:
                    self.cancelled = True
                    pool.shutdown(cancel_futures=True)
                    raise
        return [f.result() for f in futures]

    cancelled = False

    @functools.cached_property
    def _kept_part(self) -> np.ndarray:
        """Which numbers of a member make its row."""
        numbered = self.member_layout.unpack(np.arange(self.member_layout.width, dtype=float))
        leaves = jax.tree.leaves(_kept(numbered))
        return np.concatenate([np.ravel(x) for x in leaves]).astype(int)

    def _run_block(self, first: int, device: Any, told: Callable[[int], None]) -> Any:
        numbers = self.table[:, first : first + self.block]
        reducers = {name: Reducer(kind, first) for name, kind in self.reduce.items()}
        kept = []
        inside = np.arange(first, first + self.block) < self.batch.members

        def look(k: np.ndarray, buffer: np.ndarray) -> None:
            rows = buffer[: len(k)]
            if self.keeps_rows:
                kept.append(rows)
            if reducers:
                good = self.row_layout.unpack(np.moveaxis(rows, 1, 2))[0].result == OK
                # of the whole buffer, whatever is in it, for its shape is compiled already
                values = [np.asarray(x)[: len(k)] for x in self.observe(buffer)]
                t = float(self.t0) + k * float(self.h)
                for reducer in reducers.values():
                    mine, values = values[: (n := len(reducer.observables))], values[n:]
                    reducer.feed(t, mine, good & inside)

        if self.looks:
            start = numbers[self._kept_part][None]
            look(np.array([0]), np.repeat(start, self.rows, axis=0))
        k, pace = 0, 1024
        while k < self.steps:
            if self.cancelled:
                raise KeyboardInterrupt
            begin = time.perf_counter()
            # whole rows, and a last one that may be shorter; a row that takes long in parts, so
            # that the run can be interrupted
            interval = min(self.every - k % self.every, self.steps - k)
            count, part = 1, pace // 1024 * 1024 + 1
            if interval > part:
                interval = part
            elif interval == self.every and self.looks:
                count = max(min(self.rows, (self.steps - k) // interval, pace // interval), 1)
            at_row = (k + interval) % self.every == 0 or k + interval == self.steps
            counts = (np.float64(x) for x in (k, interval, count))
            out = self.programs[device](self.shared, numbers, *counts)
            width = self.row_layout.width
            numbers = out[self.rows * width :]
            if self.looks and at_row:
                buffer = np.asarray(out[: self.rows * width]).reshape(-1, width, self.block)
                look(k + interval * np.arange(1, count + 1), buffer)
            else:
                jax.block_until_ready(numbers)
            k += interval * count
            told(k)
            spent = max(time.perf_counter() - begin, 1e-6)
            pace = int(min(max(interval * count * _CALL_SECONDS / spent, 1024), 1 << 40))
        if not self.keeps_rows:
            kept = [np.asarray(numbers)[self._kept_part][None]]
        return np.concatenate(kept), reducers

    def gathered(self, blocks: list[Any], meta: Meta) -> Ensemble:
        n = self.batch.members
        rows = np.concatenate([rows for rows, _ in blocks], axis=2)[:, :, :n]
        row, frame, good = self.row_layout.unpack(np.transpose(rows, (2, 0, 1)))
        k = np.array([self.steps])
        if self.keeps_rows:
            k = np.minimum(np.arange(len(rows)) * self.every, self.steps)
        failed = row.result != OK

        def keep(x: np.ndarray) -> np.ndarray:
            return np.where(failed.reshape(failed.shape + (1,) * (x.ndim - 2)), np.nan, x)

        reduced = {
            name: combined(kind, [reducers[name] for _, reducers in blocks], n)
            for name, kind in self.reduce.items()
        }
        frame = frame if self.batch.example.groupoid.group.dim else None
        return Ensemble(
            t=float(self.t0) + k * float(self.h),
            q=jax.tree.map(keep, row.q),
            v=keep(row.v),
            p=keep(row.p),
            multiplier=keep(row.multiplier),
            frame=jax.tree.map(keep, frame),
            residual=keep(row.residual),
            result=row.result[:, -1],
            steps_done=good[:, -1].astype(int),
            reduced=reduced,
            meta=meta,
        )


def _block_size(members: int, on_cpu: bool) -> int:
    """Whole vectors of the processor always, so that no member is treated apart."""
    if on_cpu:
        return min(_CPU_BLOCK, max(8, 1 << (members - 1).bit_length()))
    return min(_GPU_BLOCK, -(-members // 256) * 256)


def _set(values: list[int], i: int, value: int) -> None:
    values[i] = value


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1


@functools.lru_cache(maxsize=64)
def _compiled_observables(functions: tuple[Observable, ...], kept: Layout):
    """Rows (row, number, member) of a block -> each observable as (row, member)."""

    @jax.jit
    def observe(rows):
        row, _, _ = kept.unpack(jnp.moveaxis(rows, 1, 2))
        return [jax.vmap(jax.vmap(f))(row.q, row.v) for f in functions]

    return observe


@functools.lru_cache(maxsize=64)
def _compiled_block(shared: Layout, member: Layout, static, method, block: int, rows: int, device):
    """(shared, numbers, first step, steps of a row, number of rows) -> rows, then the state."""

    def step(given, k, varying, light: _Light) -> tuple[_Light, Row]:
        dynamic, t0, h = given
        system = eqx.combine(varying, dynamic, static)
        # of the row before, a step looks at the record of failures only
        before = Row(*(None,) * 5, jnp.zeros(()), light.result)  # pyright: ignore
        state = State(k, light.carry, before, light.frame, jnp.asarray(False))
        new = one_step(system, method, t0, h, state)
        result = new.row.result
        return _Light(new.carry, new.frame, result, light.good + (result == OK)), new.row

    def light_step(given, k, varying, light: _Light) -> _Light:
        return step(given, k, varying, light)[0]

    def loop(light_step, step, given, members: _Member, k, interval, count):
        axes = (None, None, 0, 0)
        quick, full = jax.vmap(light_step, in_axes=axes), jax.vmap(step, in_axes=axes)
        varying = members.varying

        def advance(k, light, end):
            def some(n, c):
                for _ in range(n):
                    c = c[0] + 1, quick(given, c[0], varying, c[1])
                return c

            # on an accelerator large kernels first, and few questions to the host whether to go on
            c: Any = (k, light)
            for unrolled, loops in ((1, 1),) if device is None else _GPU_LOOPS:
                several = partial(some, unrolled)
                if loops > 1:
                    several = partial(_repeated, loops, several)
                within = partial(_leaves_room, unrolled * loops, end)
                c = lax.while_loop(within, several, c)
            return c

        def one_row(c):
            k, members, buffer, i = c
            light = _Light(members.carry, members.frame, members.row.result, members.good)
            # the numbers of a row are needed at its end only
            k, light = advance(k, light, k + interval - 1)
            light, row = full(given, k, varying, light)
            members = _Member(varying, light.carry, row, light.frame, light.good)
            return k + 1, members, _write(buffer, i * width, _kept(members)), i + 1

        width = Layout(_kept(member.example())).width
        buffer = jnp.zeros((rows * width + member.width, block))
        k, members, buffer, _ = lax.while_loop(
            lambda c: c[3] < count, one_row, (k, members, buffer, jnp.zeros((), int))
        )
        return _write(buffer, rows * width, members)

    def run(given_numbers, numbers, *counts):
        counts = tuple(x.astype(int) for x in counts)
        given, one = shared.unpack(given_numbers), member.example()
        light = _Light(one.carry, one.frame, one.row.result, one.good)
        try:
            steps = (
                scalarized(f, given, counts[0], one.varying, light) for f in (light_step, step)
            )
            body = partial(loop, *steps)
            if device is None:
                return batched_kernel(body, shared, member, given_numbers, numbers, *counts)
            return body(shared.spread(given_numbers), member.spread(numbers), *counts)
        except Unsupported:
            return loop(light_step, step, given, member.unpack(numbers.T), *counts)

    sizes = [(shared.width,), (member.width, block), (), (), ()]
    shapes = [jax.ShapeDtypeStruct(size, float) for size in sizes]
    if device is None:
        return compile_for_cpu(run, *shapes)
    with jax.default_device(device):
        return jax.jit(run).lower(*shapes).compile()


def _repeated(times: int, f: Callable[[Any], Any], c: Any) -> Any:
    return lax.fori_loop(0, times, lambda _, c: f(c), c)


def _leaves_room(steps: int, end: Any, c: Any) -> Any:
    return c[0] + steps <= end


def _kept(m: _Member) -> Any:
    return m.row, m.frame, m.good


def _write(buffer: jax.Array, i, tree: Any) -> jax.Array:
    """The numbers of the members, a row of the buffer each, from row i on."""
    leaves, block = jax.tree.leaves(tree), buffer.shape[1]
    if all(jnp.ndim(x) == 1 for x in leaves):
        for j, x in enumerate(leaves):
            buffer = lax.dynamic_update_slice(buffer, x.astype(float)[None], (i + j, 0))
        return buffer
    flat = [x.astype(float).reshape(block, -1).T for x in leaves]
    return lax.dynamic_update_slice(buffer, jnp.concatenate(flat), (i, 0))
