"""One run: a loop on the host over compiled chunks of steps, whose rows go to sinks.

Working in chunks gives progress on long work, bounded memory, an early stop, streaming to a store
and a checkpoint to resume from in one mechanism. Inside a JAX transformation (`jit`, `vmap`,
`grad`) there is no host to loop on; `simulate` then becomes one scan, and failures are told by
`Trajectory.result` instead of an exception.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Unpack, overload

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import SimulationError, UsageError
from ..files import PathLike
from ..inputs import driven
from ..linalg import MESSAGES, OK
from ..methods import Method, Row
from ..results import Meta, Trajectory
from ..system import Point, System, as_arrays, is_traced
from . import facts, tolerance
from .events import Event, EventFunction, Watch, check_watched, named_events
from .kernel import Kept, kept
from .locate import Locator
from .prepare import (
    Prepared,
    check_count,
    check_length,
    check_objects,
    check_span,
    plan_for,
    prepare,
    resolve,
)
from .program import Program, shortened, steps_until
from .progress import Progress
from .rows import SWALLOWED, Rows, Start, as_trajectory, rows_stand_still
from .sinks import (
    Every,
    Feeding,
    Looking,
    RowSink,
    RunOptions,
    Save,
    Stream,
    Streaming,
    finished,
    named,
    watched_warnings,
)
from .step import State, StopRule, check_stop_rule, has_own_steps
from .store import Store, as_stored
from .traced import simulate_traced

_FIRST_STEPS, _CHUNK_SECONDS = 16384, 0.25  # of the first chunk, and what the others aim at


class Options(RunOptions, total=False):
    """What `simulate` takes by name."""

    tol: float | None
    store: PathLike | None
    stop_when: StopRule | None


@overload
def simulate(
    system: System,
    method: Method | None = None,
    q0: Point = None,
    v0: Any = None,
    *,
    q1: Point = None,
    **options: Unpack[Options],
) -> Trajectory: ...
@overload
def simulate(system: System, q0: Point, v0: Any, /, **options: Unpack[Options]) -> Trajectory: ...
def simulate(
    system: System,
    method: Any = None,
    q0: Any = None,
    v0: Any = None,
    *,
    q1: Point = None,
    h: float | None = None,
    steps: int | None = None,
    t: float | None = None,
    tol: float | None = None,
    t0: float = 0.0,
    events: Mapping[str, Event | EventFunction] | None = None,
    save: Save | None = None,
    save_every: int | None = None,
    store: PathLike | None = None,
    project: bool = False,
    stop_when: StopRule | None = None,
    u: Any = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> Trajectory:
    """Run `steps` steps of size `h` from (q0, v0) and return the trajectory.

        simulate(system, h=0.01, steps=1000)
        simulate(system, q0, v0, h=0.01, steps=1000)
        simulate(system, DLA(), q0, v0, h=0.01, steps=1000, save=Every(10))
        simulate(system, q0, v0, t=10.0, tol=1e-9)

    Args:
        system: what moves.
        method: how it is integrated, for example `DLA(Midpoint())`; may be left out.
        q0, v0: initial data on the constraint; the system's own if both are left out.
        q1: the second point, in place of v0: the run then starts from the pair (q0, q1) (on a
            reduced system: from the element of its groupoid given as `q1`, with q0 its source).
        h: step size, positive; of a method with steps of sizes of their own, the first one.
        steps: number of steps.
        t: the time of the end, in place of `steps`; h must divide the time until then, unless
            steps have sizes of their own: the last is then shorter (a first run counts them).
        tol: in place of h: the error of q and of v at the end, in sizes of q and of v (their
            largest entries on the way; what was reconstructed counts as well). The step is chosen
            by pilots over the whole time and stays fixed; without a method so are the stages of
            Gauss. `meta.error_estimate` tells the error that was estimated. A tolerance that
            cannot be met raises a `SimulationError` that says what was reached, with the run.
        t0: initial time.
        events: names and functions g(t, q, v), or `Event(g, direction, terminal, count)`: where one
            goes through zero is found by a shortened step, to the order of the method, and listed
            in `Trajectory.events`; it may end the run. Every step is looked at, whatever is kept.
        save: what is kept: a sink (`Every(k)`, `At(times)`, `Final()`, `Stream(path)`,
            `Statistics(f)`, ...) or names and sinks; results that are not rows lie in
            `Trajectory.saved` under these names. By default every step.
        save_every: short for `save=Every(k)`: keep every k-th step; the last one is kept always.
        store: short for `save=Stream(store, every=save_every)`: a new Zarr store to write rows to
            while they are computed; `resume(store)` goes on after a crash. Returned is the last
            row only; `load(store)` reads the others.
        project: replace an inconsistent q0 or v0 by the nearest consistent one instead of
            refusing it.
        stop_when: function (t, q, v) -> bool; the run ends at the first step where it is true: the
            simple form of an event that ends it.
        u: control of a system that has `inputs`: u(t), u(t, q, v), a `control.Table`, numbers.
        progress: show a progress bar; by default only on a terminal, and only on long runs.
        engine: "native" (code for the processor made of scalar operations) or "arrays" (XLA)
            insists on one and fails where it cannot be; by default native code where it can be.
            `meta.engine` and `meta.engine_reason` tell which one ran, and why.

    Raises:
        UsageError: for input that cannot be run, before anything is computed.
        SimulationError: when a step fails; what was computed until then is attached.
    """
    begin = time.perf_counter()
    named_method = isinstance(method, Method)
    method, q0, v0 = resolve(method, q0, v0)
    if u is not None:
        system = driven(system, u)
    accuracy: dict[str, Any] = {}
    chosen = None
    if tol is not None:
        method = tolerance.method_for(method if named_method else None, tol)
        if is_traced((system, q0, v0, jnp.zeros(()))):
            raise UsageError("tol needs a run outside of jit, vmap and grad")
        if any(x is not None for x in (h, steps, q1)):
            raise UsageError("tol chooses the step: give t and tol, and not h, steps or q1")
        if has_own_steps(method):
            raise UsageError(f"{method.name} chooses its own steps: give h, the first, and not tol")
        span = check_span(t, t0)
        way = {"t0": t0, "project": project, "engine": engine, "progress": False}
        method, chosen = tolerance.chosen_for(
            lambda method: partial(simulate, system, method, q0, v0, **way),
            method,
            span,
            tol,
            stages_too=not named_method,
        )
        accuracy = {"tol": float(tol), "error_estimate": chosen.error}
        h, steps = span / chosen.steps, chosen.steps
    else:
        h, steps = check_length(h, steps, t, t0, method)
    steps = None if steps is None else check_count("steps", steps)
    if save_every is not None:
        save_every = check_count("save_every", save_every)
    sinks = _sinks(save, save_every, store)
    if v0 is not None and q1 is not None:
        raise UsageError("give v0 or q1, not both")
    if (q0 is None) != (v0 is None and q1 is None):
        raise UsageError("give both q0 and v0, or neither to start from system.initial()")
    if q0 is None:
        check_objects(system, method)
        q0, v0 = system.initial()
    if is_traced((system, q0, v0, q1, h, t0, jnp.zeros(()))):  # the last one: any jit around
        if q1 is not None:
            raise UsageError("a start from (q0, q1) needs a run outside of jit, vmap and grad")
        if stop_when is not None:
            raise UsageError("stop_when needs a run outside of jit, vmap and grad")
        if engine not in (None, "arrays"):
            raise UsageError(f"engine={engine!r} needs a run outside of jit, vmap and grad")
        if events is not None:
            raise UsageError("events need a run outside of jit, vmap and grad")
        if steps is None:
            raise UsageError(f"{method.name} inside of jit, vmap and grad: give steps, not t")
        return simulate_traced(system, method, q0, v0, h, steps, t0, sinks, project)
    prepared = prepare(system, method, q0, v0, q1, h, t0, project)
    check_stop_rule(stop_when, system)
    if steps is None:
        assert t is not None
        prepared, steps = steps_until(prepared, float(t), stop_when, engine)

    locator = Locator(partial(shortened, prepared, stop_when, 1, engine))
    own = has_own_steps(method)
    start = Start(system, prepared.h, prepared.t0, steps, 0, 1, 0, True, locator, own)
    watched = named_events(events)
    looking = Looking(sinks, save_every, start, at_every_step=bool(watched))
    looking = looking.watched(system, method)
    watch = Watch(watched, start) if watched else None
    run = _Run(prepared, looking, steps, stop_when, engine, watch)
    run.accuracy = accuracy
    run.feed(run.row(prepared.state))
    if int(prepared.state.row.result) != OK:
        raise run.failure()
    traj = run.to_the_end(begin, progress)
    if chosen is not None and not chosen.met:
        raise tolerance.not_met(system, method, chosen, traj)
    return traj


def _sinks(save: Any, save_every: int | None, store: PathLike | None) -> dict[str, Any]:
    if store is not None:
        if save is not None:
            raise UsageError("give save or store, not both: store is short for save=Stream(store)")
        return named(Stream(store, save_every or 1))
    if save is None:
        return named(Every(save_every or 1))
    if save_every is not None and isinstance(save, RowSink):
        raise UsageError("give save or save_every, not both: save_every is short for save=Every(k)")
    return named(save)


def resume(
    store: PathLike,
    system: System | None = None,
    method: Method | None = None,
    *,
    stop_when: StopRule | None = None,
    events: Mapping[str, Event | EventFunction] | None = None,
    insist: bool = False,
    progress: bool | None = None,
) -> Trajectory:
    """Go on with a run that was streamed to `store`; returns its last row.

    The numbers are those of an uninterrupted run to the last bit (on the same machine and
    versions). Systems and methods of the library are made again as they were, with all their
    fields; your own must be given, and so must `stop_when` and `events`. What differs from what
    wrote the store (code, fields, parameters, versions) is refused by name; `insist=True` goes on
    all the same where the code or a version is another one.
    """
    begin = time.perf_counter()
    opened = Store.open(store)
    system, method = as_stored(opened, system, method, insist=insist)
    check_stop_rule(stop_when, system)
    watched = named_events(events)
    try:
        run = _Run.resumed(opened, system, method, stop_when, watched, insist)
        return run.to_the_end(begin, progress)
    finally:
        opened.release()


# -- on the host ---------------------------------------------------------------------------------


class _Run:
    """The loop: chunks of steps, their rows to the sinks, the failure if one fails."""

    def __init__(
        self,
        prepared: Prepared,
        looking: Looking,
        steps: int,
        stop_when: StopRule | None,
        engine: str | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.prepared, self.looking, self.watch = prepared, looking, watch
        self.program = Program(prepared, looking.stride, steps, looking.rows(), stop_when, engine)
        self.feeding = Feeding(looking)
        self.wall_s = self.compile_s = 0.0
        self.accuracy: Mapping[str, Any] = {}  # what was asked for, and what was estimated
        self.good: Rows | None = None  # the last row before a failure
        self.noticed: tuple[str, ...] = ()
        self.fed = self.program.numbers.copy()  # where the run stood when the sinks had all rows

    @classmethod
    def resumed(
        cls,
        store: Store,
        system: System,
        method: Method,
        stop_when: StopRule | None,
        events: Mapping[str, Event],
        insist: bool,
    ) -> _Run:
        store.take_over()
        beside = store.at.beside()
        if set(events) != set(beside.watched) or not insist:
            check_watched(f"'{store.path.name}'", beside.watched, events)
        meta, numbers = store.meta, store.numbers
        dynamic, static = as_arrays(system)
        plan = plan_for(system, method, dynamic, static)
        zeros = jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), plan.state.example())
        prepared = Prepared(system, method, plan, dynamic, meta.h, meta.t0, zeros)
        steps, engine = int(numbers[-2]), meta.engine or None
        locator = Locator(partial(shortened, prepared, stop_when, 1, engine))
        own = has_own_steps(method)
        start = Start(system, meta.h, meta.t0, steps, 0, 1, 0, True, locator, own)
        sinks = {"": _Resumed(store.path, meta.save_every)}
        looking = Looking(sinks, None, start, at_every_step=bool(events)).watched(system, method)
        watch = Watch(events, start) if events else None
        run = cls(prepared, looking, steps, stop_when, engine, watch)
        program = run.program
        if program.numbers.shape != numbers.shape:
            raise UsageError(
                f"'{store.path.name}' does not fit this {meta.system}: it was written by a run "
                "with other shapes (a different version, or another class of the same name)"
            )
        mine = program.parameters
        if not np.array_equal(program.numbers[mine], numbers[mine], equal_nan=True):
            raise UsageError(
                f"'{store.path.name}' is a run with the parameters {dict(meta.parameters)}, not "
                f"{system.parameters()}: resume it with those"
            )
        program.restore(numbers)
        state = Streaming(store.total, store)
        state.last = run.row(program.state)
        run.feeding.states[""] = state
        run.feeding.worst[""] = beside.worst
        if watch is not None and beside.events is not None:
            watch.go_on(beside.events, state.last)
        run.feeding.look_again(store.path)
        run.wall_s = meta.wall_s
        run.noticed = tuple(x for x in meta.warnings if x == SWALLOWED)
        return run

    # -- rows --------------------------------------------------------------------------------

    def row(self, state: State) -> Rows:
        """One row, of a state."""
        return self._rows(jax.tree.map(lambda x: np.asarray(x)[None], kept(state)))

    def _rows(self, tree: Kept) -> Rows:
        k, row, frame = tree.k, *jax.tree.map(lambda x: x[:, None], tree[1:])
        return Rows.of(k, row, frame if self.prepared.system.groupoid.group.dim else None)

    def feed(self, rows: Rows) -> None:
        """Rows that follow to the sinks, and where the run stands."""
        bad = np.flatnonzero(~rows.good[:, 0])
        if len(bad):
            rows = rows.take(slice(0, int(bad[0])))
        if self.watch is not None and len(rows.k):
            rows, last = self.watch.feed(rows)
            if last is not None:  # an event has ended the run: what came after it never was
                bad = bad[:0]
                self._end_at(last)
        ended = int(self.program.state.k) if self.program.is_over and not len(bad) else None
        if len(rows.k):
            if not self.noticed and rows_stand_still(self.prepared.system, self.good, rows):
                self.noticed = (SWALLOWED,)
            self.good = rows.take(slice(-1, None))
            self.feeding.feed(rows, ended)
        self.feeding.checkpoint(self.program.numbers, self.meta, self.watch)
        self.fed = self.program.numbers.copy()

    def _end_at(self, last: Rows) -> None:
        state = self.program.state
        one = jax.tree.map(lambda x: x[0, 0], last._replace(k=None, t=None))
        row = {name: getattr(one, name) for name in Row._fields} | {"t": last.t[0]}
        frame = state.frame if one.frame is None else one.frame
        over = np.asarray(True)
        self.program.set_state(
            state._replace(k=last.k[0], row=Row(**row), frame=frame, stopped=over)
        )

    def to_the_end(self, begin: float, progress: bool | None) -> Trajectory:
        """The whole run; `begin` is when its preparation began."""
        program = self.program
        _ = program.compiled
        compiled = time.perf_counter()
        self.compile_s = compiled - begin
        before, budget, most = self.wall_s, _FIRST_STEPS, 1 << 40
        if self.watch is not None and self.watch.may_end:
            budget = most = _FIRST_STEPS // 64  # not much further than to the event that ends it
        with Progress(progress, program.steps) as bar:
            try:
                while not program.is_over:
                    start = time.perf_counter()
                    rows = program.advance(budget)
                    spent = time.perf_counter() - start
                    self.wall_s = before + time.perf_counter() - compiled
                    self.feed(self._rows(program.row_layout.unpack(rows)))
                    bar.update(int(program.state.k))
                    budget = int(min(max(budget * _CHUNK_SECONDS / max(spent, 1e-6), 256), most))
                    most = min(2 * most, 1 << 40)
            except KeyboardInterrupt as error:
                program.restore(self.fed)
                raise self.failure("interrupted") from error
        self.wall_s = before + time.perf_counter() - compiled
        if int(program.state.row.result) != OK:
            raise self.failure()
        self.noticed += self._ends_off()
        return self.trajectory()

    def _ends_off(self) -> tuple[str, ...]:
        """What is to say of the end where no step was judged: of a method that claims nothing."""
        prepared, row = self.prepared, self.program.state.row
        if prepared.method.traits.on_constraint or not prepared.system.is_constrained:
            return ()
        _, found = prepared.plan.start((prepared.dynamic, row.t, prepared.h, row.q, row.v))
        return facts.told_off(facts.off_at_the_end(found)[None])

    # -- results -----------------------------------------------------------------------------

    def trajectory(self) -> Trajectory:
        """What the sinks made of it: rows, and what lies beside them by name."""
        store = self.store
        if store is not None:
            ended = self.program.is_over and int(self.program.state.row.result) == OK
            store.close(self.meta(), complete=ended)
        meta = self.meta()
        found = {
            name: as_trajectory(x, self._meta_of(name, meta)) if isinstance(x, Rows) else x
            for name, x in finished([self.feeding]).items()
        }
        rows = next((x for x in found.values() if isinstance(x, Trajectory)), None)
        if rows is None:  # nobody kept rows: the last one tells where the run ended
            assert self.good is not None
            rows = as_trajectory(self.good, meta)
        named = {k: x for k, x in found.items() if k}
        if "" in found and not isinstance(found[""], Trajectory):
            named["result"] = found[""]
        if self.watch is not None:
            rows = dataclasses.replace(rows, events=self.watch.found())
        return dataclasses.replace(rows, saved=named) if named else rows

    def _meta_of(self, name: str, meta: Meta) -> Meta:
        return dataclasses.replace(meta, save_every=self.looking.every(name))

    @property
    def store(self) -> Store | None:
        """Where the rows go, if they are streamed."""
        states = self.feeding.states.values()
        return next((s.store for s in states if isinstance(s, Streaming)), None)

    def meta(self) -> Meta:
        """What the run is, as far as it has come."""
        return Meta.of(
            self.prepared.system,
            self.prepared.method,
            identity=self.prepared.plan.identity(self.prepared.system),
            h=self.prepared.h,
            t0=self.prepared.t0,
            steps=int(self.program.state.k),
            save_every=self.looking.every(next(iter(self.looking.sinks))),
            constraints=self.prepared.plan.constraints,
            own_steps=has_own_steps(self.prepared.method),
            warnings=(*watched_warnings([self.feeding]), *self.noticed),
            **self.accuracy,
            wall_s=self.wall_s,
            compile_s=self.compile_s,
            engine=self.program.engine.name,
            engine_reason=self.program.engine.reason,
        )

    def failure(self, why: str | None = None) -> SimulationError:
        """The error that tells of the failed step, with the rows before it."""
        system, method, state = self.prepared.system, self.prepared.method, self.program.state
        row, store = state.row, self.store
        step, at, residual = int(state.k), float(row.t), float(row.residual)
        if self.good is None:
            trajectory = as_trajectory(self.row(state).take(slice(0, 0)), self.meta())
        else:
            trajectory = self.trajectory()
        told = f"the {len(trajectory)} rows until then are attached to this error as .trajectory"
        if store is not None:
            told = f"the {store.count} rows until then are in '{store.path.name}'"
        if why is None:
            last = None
            if self.good is not None:
                last = jax.tree.map(lambda x: x[0] if x.ndim < 2 else x[0, 0], self.good)
            cause = facts.diagnosis(system, self.prepared.h, last, row)
            why = f"{MESSAGES[int(row.result)]}{cause} (residual {residual:.2e})"
        return SimulationError(
            f"{method.name} on {system.name()}: {why} at step {step}, t = {at:g}; {told}.",
            trajectory=trajectory,
            step=step,
            time=at,
            residual=residual,
        )


class _Resumed(Stream):
    """The stream of a run that goes on: its store is there already."""

    def init(self, start: Start) -> Streaming:
        return Streaming(start.rows)
