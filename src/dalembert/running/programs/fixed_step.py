"""Fixed and adaptive steps of a single run: many steps in one call, saved rows in a buffer.

The only input of a chunk of steps is one vector of numbers: parameters, times, the state, and how
far to go. A sweep over any of them therefore compiles once. The loop is native code
(`step_kernel`), or XLA if the step has no native code. The shortened steps that locate events are
here too. Members of an ensemble run in `member_loop`, Taylor's method in `taylor_program`.
"""

from __future__ import annotations

import enum
import functools
import math
from collections.abc import Mapping
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...compile.cache.code_key import CodeKey
from ...compile.cache.registry import cached
from ...compile.cpu.kernels import StepKernel
from ...compile.engine import Engine, chosen_engine
from ...compile.ir.table_lookup import is_place
from ...compile.layout import Layout, Tree
from ...compile.xla import Compiled, compile_for_cpu
from ...errors import Reason
from ...inputs import CONTROL
from ...linalg import OK
from ...methods import Row
from ...request.prepare import Plan, Prepared
from ...request.sampling import Sampling
from ...request.step import State, StopRule, initial_state, one_step
from ...request.validate import Parameters
from ...results.checkpoint import FORMER
from ...rows import Nodes
from ...system import Point
from ..driver import Pace, drive
from .step_kernel import kernel_of, places, saved_row

_CHUNK_BYTES = 4 * 2**20  # size of the row buffer of a long run, at most
_FEW_ROWS = 256  # rows in the buffer of a short run
_FEW_NODES = 64  # nodes in one XLA call of `shortened_members`
# `steps_until`: an upper bound for the steps of the run (still exact as a double), steps per call
_MOST_STEPS, _COUNTED = 2**52, 2**16


_STRIDE, _STEPS, _BUDGET = -3, -2, -1  # indices into `FixedStepProgram.numbers`


class Mismatch(enum.Enum):
    """Why a program cannot continue from the checkpoint of another run."""

    SHAPES = enum.auto()
    PARAMETERS = enum.auto()


class FixedStepProgram:
    """Advances a single run in chunks of fixed or adaptive steps.

    `numbers` is the vector that goes into a chunk: parameters, (t0, h), state, stride, number of
    steps, budget. After a chunk its state part holds the new state.
    """

    def __init__(
        self,
        prepared: Prepared,
        steps: int = 1,
        *,
        stride: int = 1,  # steps between saved rows
        rows: int = 1,  # number of rows saved in the complete run
        stop_when: StopRule | None = None,
        engine: str | None = None,
    ) -> None:
        # Indices into the packed vector are computed once per plan, not per run: a warm call is
        # dominated by such work.
        layouts = _layouts(prepared.plan)
        self.row_layout, self._state_layout = layouts.row, prepared.plan.state
        self.parameters, self._state = layouts.parameters, layouts.state
        self.t0_and_h = layouts.times  # slice of `numbers`
        self._at = layouts.at
        self.numbers = np.empty(layouts.all.width)
        self.numbers[self.parameters] = prepared.plan.packed(prepared.dynamic)
        self.numbers[self.t0_and_h] = prepared.t0, prepared.h
        self.numbers[_STRIDE:] = stride, steps, 0
        self.set_state(prepared.state)
        # A power of two of rows within the memory limit, at least 256.
        largest = 1 << int(math.log2(max(_CHUNK_BYTES // (8 * layouts.row.width), 256)))
        # two sizes of buffer only, so that runs of all lengths share two compilations of arrays
        self.capacity = _FEW_ROWS if rows <= _FEW_ROWS else min(largest, 16384)
        self._stop_when, self._plan, self._steps = stop_when, prepared.plan, steps
        # a reference: native code reads the tables in it by their addresses
        self._dynamic = prepared.dynamic
        self._asked, self._sampling = engine, prepared.sampling

    @functools.cached_property
    def _found(self) -> tuple[Engine, StepKernel | None]:
        if self._stop_when is not None or not self._plan.is_compared:
            # A stop rule is a function of the user's, and a plan whose code cannot be compared
            # must not share kernels.
            return self._chosen()
        return self._plan.once(("engine", self._asked), self._chosen)

    def _chosen(self) -> tuple[Engine, StepKernel | None]:
        def native() -> StepKernel | Reason:
            parameters = self._plan.parameters
            # No numbers of its own: a single run has no members that differ.
            nobody = Layout(jax.tree.map(lambda _: None, parameters.example()))
            return kernel_of(self._plan, parameters, nobody, self._stop_when)

        return chosen_engine(self._asked, native, self._plan.form)

    @property
    def engine(self) -> Engine:
        """The engine that runs the steps, with the reason for its choice."""
        return self._found[0].noting(self._plan.reason, CodeKey(self._stop_when).reason)

    @functools.cached_property
    def compiled(self) -> Compiled:
        """The compiled chunk: takes `budget`, returns the packed saved rows, updates the state."""
        kernel = self._found[1]
        if kernel is not None:
            return functools.partial(self._advance_native, kernel)
        # Arrays are compiled per size of buffer; native code takes any size.
        arrays = _compiled(self._plan, CodeKey(self._stop_when), self.capacity)
        return functools.partial(self._advance_arrays, arrays)

    @property
    def first_step(self) -> float | None:
        """Size of the first step if it differs from h, else None."""
        return None

    @property
    def steps(self) -> int:
        """Number of steps of the complete run."""
        return self._steps

    @property
    def stride(self) -> int:
        """Steps between saved rows."""
        return int(self.numbers[_STRIDE])

    @functools.cached_property
    def state(self) -> State:
        """The state in `numbers`, unpacked; recomputed after they change."""
        # A copy: the next chunk overwrites `numbers`, and rows that were handed out must stay.
        return self._state_layout.unpack(self.numbers[self._state].copy())

    def set_state(self, state: State) -> None:
        """Continue from this state."""
        self.numbers[self._state] = self._state_layout.pack_numpy(state)
        # `state` is cached; without this it would be the state before.
        self.__dict__.pop("state", None)

    @property
    def packed_state(self) -> np.ndarray:
        """The state as a vector, a copy."""
        return self.numbers[self._state].copy()

    def set_packed_state(self, numbers: np.ndarray) -> None:
        """Continue from a packed state."""
        self.numbers[self._state] = numbers
        self.__dict__.pop("state", None)

    def restore(self, numbers: np.ndarray) -> None:
        """Continue from the vector `numbers` of an earlier run."""
        self.numbers = np.array(numbers)
        self._steps = int(numbers[_STEPS])
        self.__dict__.pop("state", None)

    def records(self) -> dict[str, np.ndarray]:
        """Return the contents of a checkpoint: state, times and parameters, by name."""
        return self._named(self.numbers)

    def _named(self, numbers: np.ndarray) -> dict[str, np.ndarray]:
        state = self._state_layout.unpack(numbers[self._state].copy())
        times = (*numbers[self.t0_and_h], numbers[_STRIDE], numbers[_STEPS])
        return named_records(state, times, numbers[self.parameters])

    def go_on_from(self, records: Mapping[str, np.ndarray]) -> Mismatch | None:
        """Continue from the checkpoint of an earlier run; return what does not fit, or None."""
        given, own = dict(records), self.records()
        if FORMER in given:  # checkpoints of earlier versions are one vector
            if given[FORMER].shape != self.numbers.shape:
                return Mismatch.SHAPES
            given = {**own, **self._named(given[FORMER])}
        if {k: np.shape(x) for k, x in given.items()} != {k: x.shape for k, x in own.items()}:
            return Mismatch.SHAPES
        # parameters that are addresses of tables differ between processes: not compared
        places = is_place(self._dynamic)
        theirs = np.where(places, own["parameters"], given["parameters"])
        if not np.array_equal(own["parameters"], theirs, equal_nan=True):
            return Mismatch.PARAMETERS
        example = jax.tree_util.tree_flatten_with_path(self.state)
        leaves = [given[f"state{jax.tree_util.keystr(path)}"] for path, _ in example[0]]
        self.set_state(jax.tree.unflatten(example[1], leaves))
        self.numbers[self.t0_and_h] = given["t0"], given["h"]
        self.numbers[_STRIDE] = given["stride"]
        self.plan_steps(int(given["steps"]))
        return None

    def plan_steps(self, steps: int) -> None:
        """Set the number of steps after which the run ends."""
        self._steps, self.numbers[_STEPS] = steps, steps

    @property
    def done(self) -> int:
        """Number of steps so far."""
        # Read from the packed state: unpacking it would cost more than a short chunk.
        return int(self.numbers[self._state.start + self._at.k])

    @property
    def is_over(self) -> bool:
        """Whether all steps are done, the run was stopped, or a step failed."""
        at, state = self._at, self.numbers[self._state]
        return bool(state[at.k] >= self._steps or state[at.stopped] or state[at.result] != OK)

    def advance(self, budget: int) -> np.ndarray:
        """Make at most `budget` steps, fewer if the buffer is full; return packed saved rows."""
        if self._sampling is None:
            rows = self.compiled(budget)
        else:
            rows = self._advance_sampled(self._sampling, budget)
        self.__dict__.pop("state", None)
        return rows

    def _advance_sampled(self, sampling: Sampling, budget: int) -> np.ndarray:
        """Advance with a sampled controller: one compiled call per interval of constant input."""
        at, state = _sampled_places(self._plan), self.numbers[self._state]  # a view
        input_at, found, count = self.parameters.start + at.u, [], 0
        end = min(int(state[at.k]) + budget, self._steps)
        while True:
            k = int(state[at.k])
            over = state[at.result] != OK or state[at.stopped]
            if k >= end or over or count >= self.capacity:
                return np.concatenate(found) if found else np.empty((0, self.row_layout.width))
            q = at.q.unpack(state[at.q_part])
            self.numbers[input_at] = sampling.before(k, state[at.t], q, state[at.v])
            found.append(self.compiled(min(sampling.until(k), end) - k))
            count += len(found[-1])

    def _advance_native(self, kernel: StepKernel, budget: int) -> np.ndarray:
        # the kernel also counts good steps, after the state; a single run does not use the count
        table = np.zeros(self._state.stop - self._state.start + 1)
        table[:-1] = self.numbers[self._state]
        stride, steps = self.stride, self._steps
        k = int(self.numbers[self._state][0])
        last = min(k + budget, steps)
        # Multiples of the stride between k and the end, the end itself, and a row at which the
        # run stops.
        capacity = min(self.capacity, (last - k) // stride + 2)
        rows = np.empty((capacity, kernel.row_width))
        # `ctypes` passes addresses: the kernel needs contiguous memory.
        given = np.ascontiguousarray(self.numbers[: self._state.start])
        count = kernel(given, table, rows, (0, 1), k, stride, steps, last)
        self.numbers[self._state] = table[:-1]
        return rows[:count, :-1]

    def _advance_arrays(self, compiled: Compiled, budget: int) -> np.ndarray:
        # XLA's buffer has a fixed size; the budget says how much of it to use.
        self.numbers[_BUDGET] = budget
        out = np.asarray(compiled(self.numbers))
        below = out[self.capacity :].ravel()  # below the rows: their count, then the state
        count = int(below[0])
        self.numbers[self._state] = below[1 : 1 + self._state_layout.width]
        return out[:count]


def named_records(
    state: State, times: tuple[float, ...], parameters: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the contents of a checkpoint by name; `times` are (t0, h, stride, steps)."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(state)
    found = {f"state{jax.tree_util.keystr(path)}": np.asarray(x) for path, x in leaves}
    names = ("t0", "h", "stride", "steps")
    found |= {name: np.asarray(float(x)) for name, x in zip(names, times)}
    return found | {"parameters": parameters.copy()}


def ending_at(prepared: Prepared, t: float) -> Prepared:
    """Return the run of an adaptive method (or all members of an ensemble) with end time t."""
    state = prepared.state
    end = np.full(np.shape(state.carry.end), float(t))
    # The end time is a part of what the method carries, so that code does not depend on it.
    return prepared._replace(state=state._replace(carry=state.carry._replace(end=end)))


def steps_until(
    prepared: Prepared, t: float, stop_when: StopRule | None, engine: str | None
) -> tuple[Prepared, int]:
    """Return the run that ends at time t, and how many adaptive steps it takes.

    A pilot run that saves no rows counts the steps. If the pilot fails, the real run fails at the
    same step.
    """
    prepared = ending_at(prepared, t)
    program = FixedStepProgram(
        prepared, _MOST_STEPS, stride=_MOST_STEPS, stop_when=stop_when, engine=engine
    )
    # Equal calls of 65,536 steps: a pilot saves nothing, so only Ctrl-C needs them to end.
    drive(program, lambda rows: None, Pace(_COUNTED))
    return prepared, max(int(program.state.k), 1)


def shortened(
    prepared: Prepared,
    stop_when: StopRule | None,
    engine: str | None,
    node: Nodes,
    sizes: np.ndarray,
) -> tuple[Row, Point]:
    """Make one step of each of `sizes` from each node, with the compiled code of the run.

    Called to locate events between rows. Returns the rows and frames, stacked.
    """
    found = []
    for i, h in enumerate(sizes):
        _, t, q, v, frame = jax.tree.map(lambda x, i=i: x[i], node)
        # Located events are evaluated with the input that acted there, not with the present one.
        short = prepared._replace(t0=t, h=h, sampling=None)
        if prepared.sampling is not None:  # the input that acts there
            u = prepared.sampling.acting(t)
            control = eqx.tree_at(lambda s: getattr(s, CONTROL).value, prepared.dynamic, u)
            short = short._replace(dynamic=control)
        state, _ = prepared.plan.start((short.dynamic, t, h, q, v))
        # The frame is carried over: a step computes a change of it, and the row needs the whole.
        short = short._replace(state=state._replace(frame=frame))
        program = FixedStepProgram(short, stop_when=stop_when, engine=engine)
        program.advance(1)
        found.append((program.state.row, program.state.frame))
    return jax.tree.map(lambda *x: np.stack(x), *found)


def shortened_members(
    plan: Plan, shared: Parameters, varying: Parameters, node: Nodes, sizes: np.ndarray
) -> tuple[Row, Point]:
    """Make one step of each of `sizes` from each node of an ensemble, all in one call.

    `varying` are the parameters in which members differ, with the members as first axis.
    """
    own = jax.tree.map(lambda x: np.asarray(x)[node.member], varying)

    def step(system, t, h, q, v, frame):
        start = initial_state(system, plan.method, t, h, q, v)
        # The residual starts at zero, because a shortened step is judged by itself.
        row = start.row._replace(residual=jnp.zeros_like(start.row.residual))
        state = one_step(system, plan.method, t, h, start._replace(row=row, frame=frame))
        return state.row, state.frame

    like = (*plan.given.example()[1:], plan.state.example().frame)
    given = (eqx.combine(own, shared), node.t, sizes, node.q, node.v, node.frame)
    # Padded to blocks of `_FEW_NODES`: any number of events shares one compilation.
    made = plan.function("shortened step", step, *like)
    return made.at_rows(len(sizes), *given, block=_FEW_NODES)


class _SampledPlaces(NamedTuple):
    """Indices of a controller's arguments in a packed state, and of u in packed parameters."""

    k: int
    t: int
    q_part: slice
    q: Layout
    v: slice
    result: int
    stopped: int
    u: np.ndarray


@cached(maxsize=256)
def _sampled_places(plan: Plan) -> _SampledPlaces:
    # The first entry of q, v, ... is known, and leaves are contiguous, so slices suffice (which
    # are views).
    at, row = places(plan.state), plan.state.example().row
    q = np.concatenate([np.ravel(x) for x in jax.tree.leaves(at.row.q)] or [np.zeros(0, int)])
    first = int(q[0]) if len(q) else 0
    v = np.ravel(at.row.v)
    return _SampledPlaces(
        int(at.k),
        int(at.row.t),
        slice(first, first + len(q)),
        Layout(row.q),
        slice(int(v[0]), int(v[-1]) + 1),
        int(at.row.result),
        int(at.stopped),
        np.ravel(getattr(places(plan.parameters), CONTROL).value),
    )


class _Layouts(NamedTuple):
    all: Layout
    row: Layout
    parameters: slice
    times: slice
    state: slice
    at: _Counters


class _Counters(NamedTuple):
    """Indices in a packed state of what says whether a run is over."""

    k: int
    stopped: int
    result: int


@cached(maxsize=256)
def _layouts(plan: Plan) -> _Layouts:
    state, whole, one = plan.state.example(), np.asarray(0), np.zeros(())
    dynamic = plan.parameters.example()
    # All counts are packed as doubles beside the state, in the order of the documentation above.
    everything = Layout((dynamic, one, one, state, whole, whole, whole))
    a = plan.parameters.width
    b = a + 2 + plan.state.width
    at = places(plan.state)
    return _Layouts(
        everything,
        Layout(saved_row(state)),
        slice(0, a),
        slice(a, a + 2),
        slice(a + 2, b),
        _Counters(int(at.k), int(at.stopped), int(at.row.result)),
    )


@cached(maxsize=256)
def _compiled(plan: Plan, rule: CodeKey[StopRule | None], capacity: int) -> Compiled:
    """Compile a chunk of steps by XLA: packed numbers -> rows, below them their count and state."""
    layout = _layouts(plan).all

    def step(dynamic, t0, h, state):
        system = eqx.combine(dynamic, plan.static)
        return one_step(system, plan.method, t0, h, state, rule.value)

    def by_arrays(numbers):
        return _loop(step, capacity, *layout.unpack(numbers))

    try:
        return compile_for_cpu(by_arrays, jax.ShapeDtypeStruct((layout.width,), float))
    finally:
        plan.settle()
        rule.settle()


def _loop(step, capacity: int, dynamic, t0, h, state: State, stride, steps, budget):
    """Make steps until the budget is spent, the buffer is full, the run is over or a step fails."""
    # Where to stop in this call; `steps` is where the run ends.
    last = jnp.minimum(state.k + budget, steps)

    def is_well(state: State):
        return (state.row.result == OK) & ~state.stopped

    def one_row(loop):
        state, buffer, i = loop
        # the residual of a row is the largest since the row before: it starts at zero
        clean = jnp.where(state.k % stride == 0, 0.0, state.row.residual)
        state = state._replace(row=state.row._replace(residual=clean))
        end = jnp.minimum((state.k // stride + 1) * stride, last)
        state = lax.while_loop(
            lambda s: is_well(s) & (s.k < end), lambda s: step(dynamic, t0, h, s), state
        )
        buffer = _write(buffer, i, saved_row(state))
        # A row that is cut off by the budget is written, and overwritten by the next call.
        complete = (state.k % stride == 0) | (state.k == steps) | ~is_well(state)
        return state, buffer, i + complete

    width = Layout(saved_row(state)).width
    # Lines below the rows: room for the count and the state, in rows of the same width.
    below = -(-(Layout(state).width + 1) // width)
    state, buffer, count = lax.while_loop(
        lambda loop: is_well(loop[0]) & (loop[0].k < last) & (loop[2] < capacity),
        one_row,
        (state, jnp.zeros((capacity + below, width)), jnp.asarray(0)),
    )
    return _write(buffer, capacity, (count, state))


def _write(buffer: jax.Array, i, tree: Tree) -> jax.Array:
    """Write the numbers of the tree into the buffer, starting at row i."""
    # Padded to whole rows, because XLA updates rectangles only.
    width, packed = buffer.shape[1], Layout(tree).pack(tree)
    rows = jnp.pad(packed, (0, -packed.size % width)).reshape(-1, width)
    return lax.dynamic_update_slice(buffer, rows, (i, 0))
