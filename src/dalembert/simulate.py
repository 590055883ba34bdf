"""The one driver: a host loop over jitted chunks of steps.

Working in chunks gives progress on long work, bounded memory and an early stop in one mechanism.
Step size, parameters, lengths and `save_every` are traced: a sweep over any of them compiles
once. Inside a JAX transformation (`jit`, `vmap`, `grad`) there is no host to loop on; `simulate`
then becomes one scan, and failures are told by `Trajectory.result` instead of an exception.
"""

from __future__ import annotations

import functools
import math
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from . import checks, dynamics
from .errors import SimulationError, UsageError
from .groupoids import move
from .linalg import INCONSISTENT, MESSAGES, NO_CONVERGENCE, OK, solve_spd
from .methods.base import Method, Row
from .system import Point, System, as_arrays
from .trajectory import Meta, Trajectory

StopRule = Callable[[jax.Array, Point, jax.Array], jax.Array]

_CHUNK_BYTES = 32 * 2**20
_FEW_ROWS = 256
_CHUNK_SECONDS = 0.25


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
    run = _Recorder(system, method, started, step, origin, steps, save_every)
    if int(started.row.result) != OK:
        raise run.failure()
    # a chunk of no steps compiles without running: its time is the compile time
    chunk = functools.partial(
        _run_chunk, dynamic, static, method, stop_when=stop_when, capacity=run.capacity
    )
    settings = (origin, step, jnp.asarray(save_every), jnp.asarray(steps))
    jax.block_until_ready(chunk(started, *settings, jnp.asarray(0)))
    compiled = time.perf_counter()
    run.compile_s = compiled - begin

    state, budget = started, 1024
    with _Progress(progress, steps) as bar:
        try:
            while run.steps_done < steps and not run.stopped:
                before = time.perf_counter()
                state, rows, count = chunk(state, *settings, jnp.asarray(budget))
                run.keep(state, rows, int(count))
                spent = time.perf_counter() - before
                bar.update(run.steps_done)
                budget = int(min(max(budget * _CHUNK_SECONDS / max(spent, 1e-6), 256), 1 << 40))
        except KeyboardInterrupt as error:
            raise run.failure("interrupted") from error
    run.wall_s = time.perf_counter() - compiled
    if int(state.row.result) != OK:
        raise run.failure()
    return run.trajectory()


# -- the compiled part -------------------------------------------------------------------------


@functools.cache
def _compiler_options() -> dict[str, bool] | None:
    """The older code generator of XLA on a CPU, where there is one to choose.

    It compiles our many tiny operations in half the time, and they run as fast.
    """
    options = {"xla_cpu_use_fusion_emitters": False}
    if jax.default_backend() != "cpu":
        return None
    try:
        jax.jit(lambda: jnp.zeros(()), compiler_options=options).lower().compile()
    except jax.errors.JaxRuntimeError:  # not an option of this version
        return None
    return options


def _jit(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`jax.jit` that asks for the backend only when it is called, not on import."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.cache
        def compiled() -> Any:
            return jax.jit(function, compiler_options=_compiler_options(), **options)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            return compiled()(*args, **kwargs)

        call.compiled = compiled  # type: ignore[attr-defined]
        return call

    return wrap


class _State(NamedTuple):
    """Everything that the next step depends on."""

    k: jax.Array  # steps done
    carry: Any  # the method's own state
    row: Row
    frame: Any
    stopped: jax.Array


def _initial_state(system: System, method: Method, t0, h, q, v) -> _State:
    v = dynamics.consistent_velocity(system, q, v, t0)
    carry, row = method.start(system, t0, h, q, v)
    return _State(jnp.asarray(0), carry, row, system.groupoid.group.identity(), jnp.asarray(False))


@_jit(static_argnums=(1, 2))
def _start(dynamic, static, method, t0, h, q, v) -> tuple[_State, checks.Facts]:
    system = eqx.combine(dynamic, static)
    state = _initial_state(system, method, t0, h, q, v)
    return state, checks.gather(system, t0, q, v, state.row.v)


@_jit(static_argnums=(1, 2))
def _start_pair(dynamic, static, method, t0, h, g) -> tuple[_State, checks.Facts, checks.PairFacts]:
    system = eqx.combine(dynamic, static)
    carry, row = method.start_pair(system, t0, h, g)
    frame = system.groupoid.group.identity()
    state = _State(jnp.asarray(0), carry, row, frame, jnp.asarray(False))
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


def _one_step(system: System, method: Method, t0, h, state: _State, stop_when=None) -> _State:
    """One step; the worst residual since the last kept row goes along, and the first failure."""
    advance = method.step(system, t0 + state.k * h, h, state.carry)
    group = system.groupoid.group
    frame = group.project(group.mul(state.frame, advance.frame))
    row = advance.row._replace(
        residual=jnp.maximum(advance.row.residual, state.row.residual),
        # a scan goes on after a failed step, and the steps after it may look good again
        result=jnp.where(state.row.result == OK, advance.row.result, state.row.result),
    )
    k = state.k + 1
    stopped = jnp.asarray(False)
    if stop_when is not None:
        stopped = jnp.reshape(jnp.asarray(stop_when(t0 + k * h, row.q, row.v), dtype=bool), ())
    return _State(k, advance.carry, row, frame, stopped)


@_jit(static_argnums=(1, 2), static_argnames=("stop_when", "capacity"))
def _run_chunk(
    dynamic, static, method, state, t0, h, save_every, steps, budget, *, stop_when, capacity
):
    """Run until the budget of steps is spent, the buffer full, the run over, or a step fails."""
    system = eqx.combine(dynamic, static)
    last = jnp.minimum(state.k + budget, steps)

    def goes_on(state: _State):
        return (state.k < last) & (state.row.result == OK) & ~state.stopped

    def one_row(loop):
        state, buffer, i = loop
        # a new row starts with a clean record of residuals
        clean = jnp.where(state.k % save_every == 0, 0.0, state.row.residual)
        state = state._replace(row=state.row._replace(residual=clean))
        end = jnp.minimum((state.k // save_every + 1) * save_every, last)
        state = lax.while_loop(
            lambda s: goes_on(s) & (s.k < end),
            lambda s: _one_step(system, method, t0, h, s, stop_when),
            state,
        )
        kept = (state.k, state.row, state.frame)
        buffer = jax.tree.map(lambda b, x: b.at[i].set(x), buffer, kept)
        complete = (state.k % save_every == 0) | (state.k == steps) | ~goes_on_after(state)
        return state, buffer, i + complete

    def goes_on_after(state: _State):
        return (state.row.result == OK) & ~state.stopped

    buffer = jax.tree.map(
        lambda x: jnp.zeros((capacity, *jnp.shape(x)), jnp.result_type(x)),
        (state.k, state.row, state.frame),
    )
    state, buffer, count = lax.while_loop(
        lambda loop: goes_on(loop[0]) & (loop[2] < capacity), one_row, (state, buffer, 0)
    )
    return state, buffer, count


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
    start = _initial_state(system, method, t0, h, q, v)
    facts = checks.gather(system, t0, q, v, start.row.v)
    wrong = checks.bad_data(system, method, facts)
    if system.is_constrained and not project:
        size = checks.residual_size(facts.mu, v, facts.residual)
        wrong = wrong | jnp.any(jnp.abs(facts.residual) > checks.CONSISTENT * size)
    result = jnp.where(wrong & (start.row.result == OK), INCONSISTENT, start.row.result)
    start = start._replace(row=start.row._replace(result=result))

    def step(state, _):
        return _one_step(system, method, t0, h, state), None

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
    state, _ = _start(dynamic, static, method, t0, step, q, v)
    n = jnp.asarray(steps)

    def run(state: _State) -> _State:
        settings = (t0, step, n, n, n)
        return _run_chunk(
            dynamic, static, method, state, *settings, stop_when=None, capacity=_FEW_ROWS
        )[0]

    there = run(state)
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


class _Recorder:
    """Collects rows on the host, and knows how to tell a failure."""

    def __init__(self, system, method, started: _State, h, t0, steps, save_every) -> None:
        self.system, self.method = system, method
        self.h, self.t0 = float(h), float(t0)
        self.steps, self.save_every = steps, save_every
        self.wall_s = self.compile_s = 0.0
        self.state = started
        self.stopped = False
        first = jax.device_get((started.k, started.row, started.frame))
        total = 2 + (steps - 1) // save_every  # rows of a full run, the first included
        row_bytes = sum(np.asarray(x).nbytes for x in jax.tree.leaves(first))
        # two sizes of buffer only, so that runs of all lengths share two compilations
        largest = 1 << int(math.log2(max(min(_CHUNK_BYTES // row_bytes, 16384), 256)))
        self.capacity = _FEW_ROWS if total <= _FEW_ROWS else largest
        self.rows = jax.tree.map(lambda x: np.empty((total, *np.shape(x)), x.dtype), first)
        self.count = 0
        self._append(jax.tree.map(lambda x: np.asarray(x)[None], first), 1)

    @property
    def steps_done(self) -> int:
        return int(self.state.k)

    def keep(self, state: _State, rows: Any, count: int) -> None:
        self.state, self.stopped = state, bool(state.stopped) or int(state.row.result) != OK
        self._append(jax.device_get(rows), count)

    def _append(self, rows: Any, count: int) -> None:
        for target, new in zip(jax.tree.leaves(self.rows), jax.tree.leaves(rows), strict=True):
            target[self.count : self.count + count] = new[:count]
        self.count += count

    def trajectory(self) -> Trajectory:
        k, row, frame = jax.tree.map(lambda x: x[: self.count], self.rows)
        good = int(np.argmin(row.result == OK)) if np.any(row.result != OK) else self.count
        k, row, frame = jax.tree.map(lambda x: jnp.asarray(x[:good]), (k, row, frame))
        meta = Meta.of(
            self.system,
            self.method.name,
            h=self.h,
            t0=self.t0,
            steps=int(k[-1]) if good else 0,
            save_every=self.save_every,
            constraints=row.multiplier.shape[-1],
            wall_s=self.wall_s,
            compile_s=self.compile_s,
        )
        return _as_trajectory(self.system, self.t0 + k * self.h, row, frame, meta)

    def failure(self, why: str | None = None) -> SimulationError:
        row = jax.device_get(self.state.row)
        step, residual = self.steps_done, float(row.residual)
        at = self.t0 + step * self.h
        trajectory = self.trajectory()
        kept = f"the {len(trajectory)} rows until then are attached to this error as .trajectory"
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
        points.append((self.t0 + self.steps_done * self.h, self.state.row.q))
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


class _Progress:
    """A progress bar on a terminal, for runs that last; nothing otherwise."""

    def __init__(self, wanted: bool | None, total: int) -> None:
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        self.patience = 1.0 if wanted is None else 0.0
        self.total, self.bar, self.begin = total, None, time.perf_counter()

    def __enter__(self) -> _Progress:
        return self

    def update(self, done: int) -> None:
        if self.wanted and self.bar is None:
            if time.perf_counter() - self.begin >= self.patience:
                from rich.console import Console
                from rich.progress import Progress

                self.bar = Progress(console=Console(stderr=True), transient=True)
                self.task = self.bar.add_task("steps", total=self.total)
                self.bar.start()
        if self.bar is not None:
            self.bar.update(self.task, completed=done)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()
