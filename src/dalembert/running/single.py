"""The one driver: a host loop over jitted chunks of steps.

Working in chunks gives progress on long work, bounded memory, an early stop, streaming to a store
and a checkpoint to resume from in one mechanism. All that a chunk needs is one vector of numbers:
parameters, step size, lengths and the state. So a sweep over any of them compiles once, and a
checkpoint is that vector. The steps are evaluated number by number where that is faster
(`scalarize`).

Inside a JAX transformation (`jit`, `vmap`, `grad`) there is no host to loop on; `simulate` then
becomes one scan, and failures are told by `Trajectory.result` instead of an exception.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .. import dynamics
from ..compile.engine import compile_for_cpu, jit
from ..compile.layout import Layout
from ..compile.scalarize import Unsupported, kernel, scalarized
from ..errors import SimulationError, UsageError
from ..groupoids import move
from ..linalg import INCONSISTENT, MESSAGES, NO_CONVERGENCE, OK, solve_spd
from ..methods.base import Method, Row
from ..results.trajectory import Meta, Trajectory
from ..system import Point, System, as_arrays
from . import prepare as checks
from .progress import Progress
from .step import State, initial_state, one_step
from .store import Store

StopRule = Callable[[jax.Array, Point, jax.Array], jax.Array]

_CHUNK_BYTES = 4 * 2**20
_FEW_ROWS = 256
_FIRST_STEPS, _CHUNK_SECONDS = 16384, 0.25  # of the first chunk, and what the others aim at


def simulate(
    system: System,
    method: Method,
    q0: Point = None,
    v0: Any = None,
    *,
    q1: Point = None,
    h: float,
    steps: int,
    t0: float = 0.0,
    save_every: int = 1,
    project: bool = False,
    stop_when: StopRule | None = None,
    store: str | Path | None = None,
    progress: bool | None = None,
) -> Trajectory:
    """Run `steps` steps of size `h` from (q0, v0) and return the trajectory.

    Args:
        system: what moves.
        method: how it is integrated, for example `GNI(Midpoint())`.
        q0, v0: initial data on the constraint; the system's own if both are left out.
        q1: the second point, in place of v0: the run then starts from the pair (q0, q1) (on a
            reduced system: from the element of its groupoid given as `q1`, with q0 its source).
        h: step size, positive.
        steps: number of steps.
        t0: initial time.
        save_every: keep every k-th step; the last one is kept always. `save_every=steps` keeps
            the final state only, in memory that does not grow with `steps`.
        project: replace an inconsistent v0 by the nearest consistent one instead of refusing it.
        stop_when: function (t, q, v) -> bool; the run ends at the first step where it is true.
        store: a new Zarr store to write rows to while they are computed, with a checkpoint beside
            them: memory stays small, and `resume(store)` goes on after a crash. Returned is the
            last row only; `load(store)` reads the others.
        progress: show a progress bar; by default only on a terminal, and only on long runs.

    Raises:
        UsageError: for input that cannot be run, before anything is computed.
        SimulationError: when a step fails; what was computed until then is attached.
    """
    checks.check_run(system, method, steps, save_every)
    if v0 is not None and q1 is not None:
        raise UsageError("give v0 or q1, not both")
    if (q0 is None) != (v0 is None and q1 is None):
        raise UsageError("give both q0 and v0, or neither to start from system.initial()")
    if q0 is None:
        q0, v0 = system.initial()
    dynamic, static = as_arrays(system)
    if checks.is_traced((dynamic, q0, v0, q1, h, t0, jnp.zeros(1))):  # the last one: any jit around
        if q1 is not None:
            raise UsageError("a start from (q0, q1) needs a run outside of jit, vmap and grad")
        if store is not None:
            raise UsageError("a store needs a run outside of jit, vmap and grad")
        return _simulate_traced(
            system, method, q0, v0, h, steps, t0, save_every, project, stop_when
        )

    step, origin = checks.check_times(h, t0)
    q = system.groupoid.base.check(q0, "q0")
    begin = time.perf_counter()
    checks.check_shapes(system, q, jnp.zeros(system.dim))
    method.check(system)
    if q1 is None:
        v = checks.check_velocity(system, v0)
        started, facts = _start(dynamic, static, method, origin, step, q, v)
        checks.check_facts(system, method, jax.device_get(facts), project)
    else:
        g = checks.check_element(system, q, q1)
        started, facts, pair = _start_pair(dynamic, static, method, origin, step, g)
        checks.check_facts(system, method, jax.device_get(facts), project)
        checks.check_pair(system, method, jax.device_get(pair), float(step))
    run = _Run(system, method, started, step, origin, steps, save_every, stop_when)
    if int(started.row.result) != OK:
        raise run.failure()
    if store is not None:
        run.stream_to(store)
    return run.to_the_end(begin, progress)


def resume(
    store: str | Path,
    system: System | None = None,
    method: Method | None = None,
    *,
    stop_when: StopRule | None = None,
    progress: bool | None = None,
) -> Trajectory:
    """Go on with a run that was streamed to `store`; returns its last row.

    The numbers are those of an uninterrupted run to the last bit (on the same machine and
    versions). Systems and methods of the library are found by their names; your own must be given
    as they were, and so must `stop_when`.
    """
    begin = time.perf_counter()
    if system is not None and not isinstance(system, System):
        raise UsageError(f"resume needs a system such as the run had, got {system!r}")
    opened = Store.open(store)
    system, method = as_stored(opened, system, method)
    return _Run.resumed(opened, system, method, stop_when).to_the_end(begin, progress)


def as_stored(opened: Store, system: System | None, method: Method | None) -> tuple[System, Method]:
    """System and method of a store, found by name where they are not given."""
    from ..methods import registry as methods
    from ..systems import registry as systems

    meta = opened.meta
    if system is None:
        if meta.system not in systems:
            raise UsageError(
                f"'{opened.path}' is a run of {meta.system}, which is not a system of the library: "
                "resume(store, system) needs it"
            )
        system = systems[meta.system](**meta.parameters)
    if method is None:
        if meta.method not in methods:
            raise UsageError(
                f"'{opened.path}' is a run of the method {meta.method}, which is not a method of "
                "the library: resume(store, system, method) needs it"
            )
        method = methods[meta.method]()
    for what, given, kept in (
        ("system", system.name(), meta.system),
        ("method", method.name, meta.method),
    ):
        if given != kept:
            raise UsageError(f"'{opened.path}' is a run with the {what} {kept}, not {given}")
    return system, method


# -- the compiled part -------------------------------------------------------------------------


@jit(static_argnums=(1, 2))
def _start(dynamic, static, method, t0, h, q, v) -> tuple[State, checks.Facts]:
    system = eqx.combine(dynamic, static)
    state = initial_state(system, method, t0, h, q, v)
    return state, checks.gather(system, t0, q, v, state.row.v)


@jit(static_argnums=(1, 2))
def _start_pair(dynamic, static, method, t0, h, g) -> tuple[State, checks.Facts, checks.PairFacts]:
    system = eqx.combine(dynamic, static)
    carry, row = method.start_pair(system, t0, h, g)
    frame = system.groupoid.group.identity()
    state = State(jnp.asarray(0), carry, row, frame, jnp.asarray(False))
    G = dynamics.metric(system, row.q)
    # what the method carries into the first step, beside what it reports of it
    normal = h * dynamics.constraint_matrix(system, row.q, row.v, t0).T @ row.multiplier
    raised = solve_spd(G, 0.5 * normal)
    free = dynamics.free_acceleration(system, row.q, row.v, t0)
    bound = dynamics.acceleration(system, row.q, row.v, t0)
    facts = checks.PairFacts(
        jnp.sqrt(0.5 * normal @ raised),
        jnp.sqrt(free @ G @ free) + jnp.sqrt(bound @ G @ bound),
        row.residual,
    )
    return state, checks.gather(system, t0, row.q, row.v, row.v), facts


@functools.lru_cache(maxsize=256)
def _compiled(layout: Layout, static, method, stop_when, capacity: int):
    """A chunk of steps, as a function of packed numbers: rows, and below them count and state."""

    def step(dynamic, t0, h, state):
        return one_step(eqx.combine(dynamic, static), method, t0, h, state, stop_when)

    def chunk(numbers):
        given = layout.unpack(numbers)
        try:
            scalar_step = scalarized(step, *given[:4])
            return kernel(partial(_loop, scalar_step, capacity), layout, numbers)
        except Unsupported:
            return _loop(step, capacity, *given)

    return compile_for_cpu(chunk, jax.ShapeDtypeStruct((layout.width,), float))


def _loop(step, capacity: int, dynamic, t0, h, state: State, save_every, steps, budget):
    """Steps until the budget of them is spent, the buffer full, the run over, or one fails.

    Arrays may be arrays or flat tuples of numbers; loops and buffer are the same.
    """
    last = jnp.minimum(state.k + budget, steps)

    def is_well(state: State):
        return (state.row.result == OK) & ~state.stopped

    def one_row(loop):
        state, buffer, i = loop
        # a new row starts with a clean record of residuals
        clean = jnp.where(state.k % save_every == 0, 0.0, state.row.residual)
        state = state._replace(row=state.row._replace(residual=clean))
        end = jnp.minimum((state.k // save_every + 1) * save_every, last)
        state = lax.while_loop(
            lambda s: is_well(s) & (s.k < end), lambda s: step(dynamic, t0, h, s), state
        )
        buffer = _write(buffer, i, _kept(state))
        complete = (state.k % save_every == 0) | (state.k == steps) | ~is_well(state)
        return state, buffer, i + complete

    width = Layout(_kept(state)).width
    below = -(-(Layout(state).width + 1) // width)
    state, buffer, count = lax.while_loop(
        lambda loop: is_well(loop[0]) & (loop[0].k < last) & (loop[2] < capacity),
        one_row,
        (state, jnp.zeros((capacity + below, width)), jnp.asarray(0)),
    )
    return _write(buffer, capacity, (count, state))


def _write(buffer: jax.Array, i, tree: Any) -> jax.Array:
    """The numbers of the tree into the buffer from row i on."""
    leaves, width = jax.tree.leaves(tree), buffer.shape[1]
    if any(jnp.ndim(x) for x in leaves):
        packed = Layout(tree).pack(tree)
        rows = jnp.pad(packed, (0, -packed.size % width)).reshape(-1, width)
        return lax.dynamic_update_slice(buffer, rows, (i, 0))
    for j, x in enumerate(leaves):
        at = (i + j // width, j % width)
        buffer = lax.dynamic_update_slice(buffer, x.astype(float)[None, None], at)
    return buffer


def _kept(state: State) -> Any:
    return state.k, state.row, state.frame


def _simulate_traced(
    system, method, q0, v0, h, steps, t0, save_every, project, stop_when
) -> Trajectory:
    if stop_when is not None:
        raise UsageError("stop_when needs a run outside of jit, vmap and grad")
    if steps % save_every:
        raise UsageError(
            f"inside jit, vmap and grad save_every must divide steps: {steps} / {save_every}"
        )
    h, t0 = checks.check_times(h, t0)
    q = system.groupoid.base.check(q0, "q0")
    v = checks.check_velocity(system, v0)
    checks.check_shapes(system, q, v)
    method.check(system)
    dynamic, static = as_arrays(system)
    system = eqx.combine(dynamic, static)
    start = initial_state(system, method, t0, h, q, v)
    facts = checks.gather(system, t0, q, v, start.row.v)
    wrong = checks.bad_data(system, method, facts)
    if system.is_constrained and not project:
        size = checks.residual_size(facts.mu, v, facts.residual)
        wrong = wrong | jnp.any(jnp.abs(facts.residual) > checks.CONSISTENT * size)
    result = jnp.where(wrong & (start.row.result == OK), INCONSISTENT, start.row.result)
    start = start._replace(row=start.row._replace(result=result))

    def step(state, _):
        return one_step(system, method, t0, h, state), None

    def row(state, _):
        state = state._replace(row=state.row._replace(residual=jnp.zeros(())))
        if save_every == 1:
            state, _ = step(state, None)
        else:  # the steps between rows are recomputed in reverse mode rather than stored
            state, _ = jax.checkpoint(lambda s: lax.scan(step, s, length=save_every))(state)
        return state, (state.k, state.row, state.frame)

    _, rows = lax.scan(row, start, length=steps // save_every)
    first = (start.k, start.row, start.frame)
    k, row_, frame = jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), first, rows)
    meta = Meta(  # h and the parameters are traced here: no numbers to write down
        system=system.name(),
        method=method.name,
        steps=steps,
        save_every=save_every,
        coordinate_names=system.coordinate_labels,
        velocity_names=system.velocity_labels,
        units=tuple(system.units),
        constraints=row_.multiplier.shape[-1],
        space=repr(system.space),
    )
    return _as_trajectory(system, t0 + k * h, row_, frame, meta)


def there_and_back(
    system: System, method: Method, q0: Point, v0: Any, *, h: float, steps: int
) -> tuple[Point, jax.Array]:
    """Run forward, reverse the method's own state, run as long again: (q, -v) at the end.

    A reversible method comes back to (q0, v0). A new start from the reversed velocity would not
    show that: it would also change what the method carries beside q and v.
    """
    checks.check_run(system, method, steps, 1)
    method.check(system)
    dynamic, static = as_arrays(system)
    step, t0 = checks.check_times(h, 0.0)
    q = system.groupoid.base.check(q0, "q0")
    v = checks.check_velocity(system, v0)
    started, _ = _start(dynamic, static, method, t0, step, q, v)

    def run(state: State) -> State:
        return _Run(system, method, state, step, t0, steps, steps).advance(steps)

    there = run(started)
    back = run(there._replace(k=jnp.asarray(0), carry=method.reverse(there.carry, there.row)))
    for way, state in (("there", there), ("back", back)):
        if (code := int(state.row.result)) != OK:
            raise SimulationError(
                f"{method.name} on {system.name()}: {MESSAGES[code]} on the way {way}, at step "
                f"{int(state.k)}",
                step=int(state.k),
            )
    return back.row.q, -back.row.v


def _as_trajectory(system: System, t, row: Row, frame, meta: Meta) -> Trajectory:
    reduced = system.groupoid.group.dim > 0
    return Trajectory(
        t=t,
        q=row.q,
        v=row.v,
        p=row.p,
        multiplier=row.multiplier,
        frame=frame if reduced else None,
        residual=row.residual,
        result=row.result,
        meta=meta,
    )


# -- the host's part ---------------------------------------------------------------------------


class _Run:
    """A run on the host: the numbers that go into a chunk, and the rows that come out."""

    def __init__(
        self, system, method, started: State, h, t0, steps, save_every, stop_when=None
    ) -> None:
        self.system, self.method = system, method
        self.h, self.t0 = float(h), float(t0)
        self.steps, self.save_every = steps, save_every
        self.wall_s = self.compile_s = 0.0
        dynamic, self.static = as_arrays(system)
        checks.check_parameters(system, dynamic)
        whole = jnp.asarray(0)
        given = (dynamic, t0, h, started, whole, whole, whole)
        self.layout, self.state_layout = Layout(given), Layout(started)
        self.row_layout, self.stop_when = Layout(_kept(started)), stop_when
        # the packed arguments of a chunk; its state and settings are replaced between chunks
        self.numbers = np.array(self.layout.pack(given))
        self.numbers[-3:-1] = save_every, steps
        ends = np.cumsum([0, *(Layout(x).width for x in given)])
        self._parameters_at, self._state_at = slice(0, ends[1]), slice(ends[3], ends[4])
        self.total = 2 + (steps - 1) // save_every  # rows of a full run, the first included
        # two sizes of buffer only, so that runs of all lengths share two compilations
        largest = 1 << int(math.log2(max(_CHUNK_BYTES // (8 * self.row_layout.width), 256)))
        self.capacity = _FEW_ROWS if self.total <= _FEW_ROWS else min(largest, 16384)
        self.columns: list[np.ndarray] = []  # of the rows in memory, one for each array
        self.store: Store | None = None
        self.recent = np.array(self.row_layout.pack(_kept(started)))[None]
        self.count = 1

    @classmethod
    def resumed(cls, store: Store, system, method, stop_when) -> _Run:
        meta, numbers = store.meta, store.numbers
        save_every, steps = map(int, numbers[-3:-1])
        h, t0 = jnp.asarray(meta.h), jnp.asarray(meta.t0)
        shapes = jax.eval_shape(
            lambda: initial_state(
                system, method, t0, h, system.groupoid.base.identity(), jnp.zeros(system.dim)
            ),
        )
        zeros = jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), shapes)
        run = cls(system, method, zeros, h, t0, steps, save_every, stop_when)
        if run.numbers.shape != numbers.shape:
            raise UsageError(
                f"'{store.path}' does not fit this {meta.system}: it was written by a run with "
                "other shapes (a different version, or another class of the same name)"
            )
        mine = run._parameters_at
        if not np.array_equal(run.numbers[mine], numbers[mine], equal_nan=True):
            raise UsageError(
                f"'{store.path}' is a run with the parameters {dict(meta.parameters)}, not "
                f"{system.parameters()}: resume it with those"
            )
        run.numbers, run.store, run.count = numbers, store, store.count
        run.__dict__.pop("state", None)
        run.recent = np.array(run.row_layout.pack(_kept(run.state)))[None]
        run.wall_s = meta.wall_s
        return run

    def stream_to(self, path: str | Path) -> None:
        """Send rows to a new store from now on."""
        self.store = Store.create(path, self._trajectory(self.recent), self.total, self.numbers)

    @functools.cached_property
    def state(self) -> State:
        """What `numbers` say; forgotten when they change."""
        return self.state_layout.unpack(self.numbers[self._state_at].copy())

    @property
    def steps_done(self) -> int:
        return int(self.state.k)

    @property
    def is_over(self) -> bool:
        state = self.state
        return int(state.k) >= self.steps or bool(state.stopped) or int(state.row.result) != OK

    @functools.cached_property
    def program(self) -> Callable[[Any], Any]:
        """The compiled chunk."""
        return _compiled(self.layout, self.static, self.method, self.stop_when, self.capacity)

    def advance(self, budget: int) -> State:
        """At most `budget` steps, and no more than fill the buffer."""
        self.numbers[-1] = budget
        out = np.asarray(self.program(self.numbers))
        below = out[self.capacity :].ravel()
        count = int(below[0])
        self.numbers[self._state_at] = below[1 : 1 + self.state_layout.width]
        self.__dict__.pop("state", None)
        self._keep(out[:count])
        return self.state

    def _keep(self, rows: np.ndarray) -> None:
        if self.store is None and not self.columns:  # memory is taken as it is filled
            for x in jax.tree.leaves(self.row_layout.unpack(self.recent)):
                self.columns.append(np.empty((self.total, *x.shape[1:]), x.dtype))
                self.columns[-1][:1] = x
        self.count += len(rows)
        if len(rows):
            self.recent = rows[-2:]
        if self.store is not None:
            self.store.add(self._trajectory(rows), self.numbers, self.meta())
            return
        at = slice(self.count - len(rows), self.count)
        for column, new in zip(self.columns, jax.tree.leaves(self.row_layout.unpack(rows))):
            column[at] = new

    def to_the_end(self, begin: float, progress: bool | None) -> Trajectory:
        """The whole run; `begin` is when its preparation began."""
        _ = self.program
        compiled = time.perf_counter()
        self.compile_s = compiled - begin
        before, budget = self.wall_s, _FIRST_STEPS
        with Progress(progress, self.steps) as bar:
            try:
                while not self.is_over:
                    start = time.perf_counter()
                    self.advance(budget)
                    spent = time.perf_counter() - start
                    self.wall_s = before + time.perf_counter() - compiled
                    bar.update(self.steps_done)
                    budget = int(min(max(budget * _CHUNK_SECONDS / max(spent, 1e-6), 256), 1 << 40))
            except KeyboardInterrupt as error:
                raise self.failure("interrupted") from error
        self.wall_s = before + time.perf_counter() - compiled
        if int(self.state.row.result) != OK:
            raise self.failure()
        return self.trajectory()

    def trajectory(self) -> Trajectory:
        if self.store is None and self.columns:
            # each array is let go as soon as JAX has it, so that not all are there twice
            leaves = []
            self.columns.reverse()
            while self.columns:
                leaves.append(jnp.asarray(self.columns.pop()[: self.count]))
            return self._from_rows(jax.tree.unflatten(self.row_layout.tree, leaves))
        if self.store is None:
            return self._trajectory(self.recent)
        self.store.close(self.meta(), self.numbers)
        return self._trajectory(self.recent)[-1:]

    def _trajectory(self, rows: np.ndarray) -> Trajectory:
        return self._from_rows(self.row_layout.unpack(rows))

    def _from_rows(self, tree: Any) -> Trajectory:
        k, row, frame = tree
        failed = np.flatnonzero(np.asarray(row.result) != OK)
        good = int(failed[0]) if len(failed) else len(k)
        if good < len(k) or isinstance(k, np.ndarray):
            k, row, frame = jax.tree.map(lambda x: jnp.asarray(x[:good]), (k, row, frame))
        meta = self.meta(steps=int(k[-1]) if good else 0)
        return _as_trajectory(self.system, self.t0 + k * self.h, row, frame, meta)

    def meta(self, **changed: Any) -> Meta:
        run = {"h": self.h, "t0": self.t0, "steps": self.steps_done, "save_every": self.save_every}
        run |= {"wall_s": self.wall_s, "compile_s": self.compile_s}
        constraints = self.state.row.multiplier.shape[-1]
        return Meta.of(self.system, self.method.name, constraints=constraints, **(run | changed))

    def failure(self, why: str | None = None) -> SimulationError:
        row = self.state.row
        step, residual = self.steps_done, float(row.residual)
        at = self.t0 + step * self.h
        trajectory = self.trajectory()
        kept = f"the {len(trajectory)} rows until then are attached to this error as .trajectory"
        if self.store is not None:
            kept = f"the {self.store.count} rows until then are in '{self.store.path.name}'"
        if why is None:
            why = MESSAGES[int(row.result)] + self._diagnosis(trajectory)
            why = f"{why} (residual {residual:.2e})"
        message = f"{self.method.name} on {self.system.name()}: {why} at step {step}, t = {at:g}"
        return SimulationError(
            f"{message}; {kept}.",
            trajectory=trajectory,
            step=step,
            time=at,
            residual=residual,
        )

    def _diagnosis(self, trajectory: Trajectory) -> str:
        """A guess at the cause, from the last good state and from where it was going."""
        if not len(trajectory):
            return "; try a smaller h"
        last = trajectory.final
        at, v = float(last.t), last.v
        # the point where the step failed tells more, if it was reached
        points = [(at, last.q), (at + self.h, move(self.system.groupoid, last.q, self.h * v))]
        failed_at = jax.tree.map(jnp.asarray, self.state.row.q)
        points.append((self.t0 + self.steps_done * self.h, failed_at))
        found = [checks.condition(self.system, q, v, t) for t, q in points if checks.is_finite(q)]
        vanishing = any(np.any(x["rows"] * checks.DEPENDENT < found[0]["rows"]) for x in found)
        if vanishing or any(x["constraint"] > checks.DEPENDENT for x in found):
            return "; the constraint is losing rank near here (its rows become dependent)"
        if any(x["metric"] > 1e10 for x in found):
            return "; the metric is nearly singular near here"
        row = self.state.row
        if int(row.result) == NO_CONVERGENCE and float(row.residual) < 1e-6:
            return "; round-off is large beside the moves: h is very small, or q very large"
        return "; a smaller h may help"
