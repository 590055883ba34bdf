"""A single run: chunks of steps, whose rows go to event detectors and sinks; its end or failure.

Working in chunks gives progress on long work, bounded memory, an early stop, streaming to a store
and a checkpoint to resume from in one mechanism. The loop itself is `driver.drive`; the steps are
made by a program (`programs.fixed_step`, `programs.taylor_program`).
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import numpy as np

from ..compile.layout import Tree
from ..errors import ROWS_ATTACHED, SimulationError, UsageError
from ..events import Event, EventWatch, PolynomialBuffer, check_watched
from ..linalg import GAVE_UP, MESSAGES, OK
from ..methods import Method, Row
from ..request import initial_data
from ..request.prepare import Prepared, plan_for
from ..request.step import State, StopRule, has_any_times, has_own_steps
from ..results import Meta, Trajectory
from ..rows import (
    SWALLOWED,
    AnySink,
    OutputTimes,
    Rows,
    Sample,
    Start,
    as_trajectory,
    rows_stand_still,
)
from ..storage.store import Store
from ..system import System, as_arrays
from .driver import Pace, Progress, drive
from .programs.fixed_step import FixedStepProgram, Mismatch, shortened, steps_until
from .programs.step_kernel import SavedRow
from .programs.taylor_program import MAY_MISS, TaylorProgram, shortened_taylor, stands_in
from .record.constraint_watch import ConstraintWatch, Singular, may_lose_rank
from .record.energy_watch import EnergyWatch, apart
from .record.singular_point import singular_ahead
from .record.sinks import OpenStore, SinkSchedule, SinkStates, Stream, finished, watched_warnings

# The first chunk is small, so that progress and Ctrl-C work at once; later ones take a quarter of
# a second, which a person does not notice and which makes the Python around a call negligible.
_FIRST_STEPS, _CHUNK_SECONDS = 16384, 0.25  # steps of the first chunk, seconds of others

_LEAST_STEPS = 256  # fewest steps of a chunk: the overhead of a call is that of some hundred steps


_STOOD_STILL = "stood still"  # name of a record in checkpoints


class SingleRun:
    """One run in progress: feeds rows to the sinks, and ends with a trajectory or an error."""

    def __init__(
        self,
        prepared: Prepared,
        steps: int,
        times: OutputTimes | None,
        sinks: Mapping[str, AnySink],
        save_every: int | None,
        events: Mapping[str, Event],
        stop_when: StopRule | None,
        engine: str | None,
        why: str = "",
        accuracy: Mapping[str, float] | None = None,
    ) -> None:
        """Prepare the run; `why` says why Taylor's method does not run it, if it was asked for."""
        system, method = prepared.system, prepared.method
        # A shortened step of the same plan: events and singular points are located with the order
        # of the method, not by interpolation.
        short = partial(shortened, prepared, stop_when, engine)
        own = has_own_steps(method) or (times is not None and times.at_nodes)
        start = Start(system, prepared.h, prepared.t0, steps, shortened=short, own_steps=own)
        if times is not None:
            short, pieces = partial(shortened_taylor, prepared), PolynomialBuffer()
            start = start._replace(times=times.chosen, shortened=short, pieces=pieces)
        looking = SinkSchedule(sinks, save_every, start, at_every_step=bool(events))
        looking = looking.watched(system, method)
        self.energy = EnergyWatch(prepared, steps)
        if times is None and self.energy.wanted:
            looking = looking.looking_at(apart(steps))
        rank_may_change = times is not None or may_lose_rank([prepared], steps)
        if times is None and looking.stride > 1 and rank_may_change:
            # The order matters: each watch may ask for more rows than the sinks, and the program
            # below is built for the rows of the last answer.
            looking = looking.looking_at(1)  # a singular point lies between two steps
        self.prepared, self.looking = prepared, looking
        # On R^n there is no group element to carry: a frame of dimension 0 would be an empty
        # array in every row.
        self._has_frame = bool(self._asked("groupoid").group.dim)
        self.watch = EventWatch(events, start) if events else None
        how = {"stride": looking.stride, "rows": looking.rows(), "stop_when": stop_when}
        if times is None:
            self.program = FixedStepProgram(prepared, steps, engine=engine, **how)
        else:
            self.program = TaylorProgram(prepared, times, steps, engine=engine, **how)
        self.feeding = SinkStates(looking)
        self.wall_s = self.compile_s = 0.0
        self.why, self.accuracy = why, accuracy or {}
        self.good: Rows | None = None  # the last row before a failure
        # the first row, which a resumed run reads from its store
        self.first_row: Row = prepared.state.row
        self.fastest = 0.0  # the largest velocity so far
        self.stood_still = False  # whether rounding has swallowed the moves between two rows
        self.noticed: tuple[str, ...] = ()
        self.sample = Sample() if self._asked("has_run_warnings") else None
        near = (looking.stride == 1, times is not None)
        self.constraint = ConstraintWatch(
            prepared, steps, *near, start.shortened, at_all_rows=rank_may_change
        )
        self.singular = ""  # text about the singular point that has ended the run
        if isinstance(self.program, TaylorProgram) and self.program.shape.choices:
            self.noticed = (MAY_MISS,)
        self.fed = self.program.numbers.copy()  # where the run stood when the sinks had all rows

    def _asked(self, name: str) -> Any:
        """Return a property of the system that follows from its class and fields; cached."""
        system, facts = self.prepared.system, self.prepared.facts
        if facts is None:
            return getattr(system, name)
        return facts.fact(name, lambda: getattr(system, name))

    @classmethod
    def begun(cls, prepared: Prepared, *given: Tree, **options: Any) -> SingleRun:
        """Begin a new run: pass its first row to the sinks."""
        run = cls(prepared, *given, **options)
        run.feed(run.row(prepared.state))
        if int(prepared.state.row.result) != OK:
            raise run.failure()
        return run

    @classmethod
    def resumed(
        cls,
        store: Store,
        system: System,
        method: Method,
        stop_when: StopRule | None,
        events: Mapping[str, Event],
        insist: bool,
    ) -> SingleRun:
        store.take_over()
        beside = store.at.beside()
        # With insist=True a changed event function is accepted, but never other names: their
        # results would be missing in rows that are already written.
        if set(events) != set(beside.watched) or not insist:
            check_watched(f"'{store.path.name}'", beside.watched, events)
        meta, (steps, end) = store.meta, store.planned
        dynamic, static = as_arrays(system)
        plan = plan_for(system, method, dynamic, static)
        # A state of zeros only gives the shapes; the numbers come from the store below.
        zeros = jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), plan.state.example())
        prepared = Prepared(system, method, plan, dynamic, meta.h, meta.t0, zeros)
        engine = meta.engine or None
        if has_any_times(method):
            times = OutputTimes(meta.t0, meta.h, None, end if meta.own_steps else None)
        else:
            times, _ = stands_in(prepared, engine)
        sinks = {"": _Resumed(store.path, meta.save_every)}
        how = (steps, times, sinks, None, events, stop_when, engine)
        run = cls(prepared, *how)
        records = dict(store.records)
        stood_still = bool(records.pop(_STOOD_STILL, 0.0))  # not in files of earlier versions
        wrong = run.program.go_on_from(records)
        if wrong is Mismatch.SHAPES:
            raise UsageError(
                f"'{store.path.name}' does not fit this {meta.system}: it was written by a run "
                "with other shapes (a different version, or another class of the same name)"
            )
        if wrong is Mismatch.PARAMETERS or not _are_tables_of(meta, system):
            raise UsageError(
                f"'{store.path.name}' is a run with the parameters {dict(meta.parameters)}, not "
                f"{system.parameters()}: resume it with those"
            )
        # the checks depend on the state: prepare them again with the state of the store
        run = cls(prepared._replace(state=run.program.state), *how)
        program = run.program
        program.go_on_from(records)
        state = OpenStore(store.total, store)
        state.last = run.row(program.state)
        run.feeding.states[""] = state
        first = Trajectory.load(store.path, every=max(store.count, 1), skip_damaged=True)
        if len(first):
            # Warnings at the end compare with the first row of the whole run, not with the row at
            # which it resumed.
            t, q, v = jax.tree.map(lambda x: x[0], (first.t, first.q, first.v))
            run.first_row = run.first_row._replace(t=t, q=q, v=v)
        run.feeding.worst[""] = beside.worst
        if run.watch is not None and beside.events is not None:
            run.watch.go_on(beside.events, state.last)
        run.feeding.look_again(store.path)
        run.wall_s = meta.wall_s
        # This warning concerns rows before the resume; all others are computed anew at the end.
        run.stood_still = stood_still
        return run

    # -- rows --------------------------------------------------------------------------------

    def row(self, state: State) -> Rows:
        """Return the row of a state."""
        row = Row._make(map(_one_row, state.row))
        return self._rows(SavedRow(_one_row(state.k), row, _one_row(state.frame)))

    def _rows(self, tree: SavedRow) -> Rows:
        row = Row._make(_of_one_member(x) for x in tree.row)
        frame = _of_one_member(tree.frame) if self._has_frame else None
        return Rows.of(tree.k, row, frame)

    def feed(self, rows: Rows) -> None:
        """Pass the next rows to the sinks, and record the present state."""
        # Rows are in order: everything behind the first failed row is meaningless.
        bad = np.flatnonzero(~rows.good[:, 0])
        if len(bad):
            rows = rows.take(slice(0, int(bad[0])))
        if self.watch is not None and (len(rows.k) or len(bad)):
            rows, last = self.watch.feed(rows)
            if last is not None:  # an event has ended the run: steps behind it are discarded
                bad = bad[:0]
                self._end_at(last)
        self.energy.feed(rows)
        # An event may have ended the run before the singular point: the watch comes first, and
        # `rows` are what is left.
        singular = self._singular_in(rows)
        if singular is not None:
            self.singular, bad = singular.words, bad[:0]
            rows = rows.take(slice(0, singular.count))
            rows = jax.tree.map(lambda a, b: np.concatenate([a, b]), rows, singular.at)
            # The located point becomes the last row, so that the result ends exactly where the
            # constraint loses rank.
            self._end_at(singular.at)
        ended = int(self.program.state.k) if self.program.is_over and not len(bad) else None
        # Warned once: a clock that stands still (h below the round-off of t) does not recover.
        if len(rows.k):
            self.fastest = max(self.fastest, self._speed(rows))
            if not self.stood_still:
                given = self.prepared.system, self.good, rows, self.fastest
                self.stood_still = rows_stand_still(*given)
            self.good = rows.take(slice(-1, None))
            if self.sample is not None:
                self.sample.add(rows)
        if len(rows.k) or len(bad):  # detectors search behind the last good row, too
            self.feeding.feed(rows, ended)
        # The checkpoint comes after the sinks: a crash in between repeats rows, and never skips
        # any.
        self.feeding.checkpoint(self._records, self.meta, self.watch)
        self.fed = self.program.numbers.copy()

    def _records(self) -> dict[str, np.ndarray]:
        """Return the contents of a checkpoint."""
        return self.program.records() | {_STOOD_STILL: np.asarray(float(self.stood_still))}

    def _singular_in(self, rows: Rows) -> Singular | None:
        """Return the singular point of the constraint between these rows that ends the run."""
        if not len(rows.k) or not self.constraint.is_watching:
            return None
        # Rows whose energy is off by more than its terms mean nothing: the rank is followed up to
        # the first of them.
        good = int(np.searchsorted(rows.t, self.energy.lost_from)) + 1
        found = self.constraint.feed(rows.take(slice(0, good)))
        if good >= len(rows.k) and not self.energy.told():
            return found
        self.constraint.stop_following()
        if found is None and good < len(rows.k):
            self.constraint.feed(rows.take(slice(good, None)))
        return found

    def _speed(self, rows: Rows) -> float:
        """Return the largest velocity entry of these rows, or the mean speed up to them."""
        begun, t, q = self.first_row, float(rows.t[-1]), rows.take(slice(-1, None)).q
        pairs = zip(jax.tree.leaves(begun.q), jax.tree.leaves(q))
        moved = max(np.abs(b[0, 0] - a).max(initial=0.0) for a, b in pairs)
        # 1e-300 only prevents a division by zero at the first row, where nothing has moved.
        mean = moved / max(abs(t - float(begun.t)), 1e-300)
        return max(float(np.abs(rows.v).max(initial=0.0)), float(mean))

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
        """Make the whole run; `begin` is the clock time at which its preparation began."""
        program = self.program
        # Compiled here, so that `compile_s` and `wall_s` are separate even for runs of one chunk.
        _ = program.compiled
        self.energy.begin(self.first_row)
        self.constraint.begin(self.first_row)
        compiled = time.perf_counter()
        self.compile_s = compiled - begin
        before, pace = self.wall_s, Pace(_FIRST_STEPS, _CHUNK_SECONDS, _LEAST_STEPS)
        if self.watch is not None and self.watch.may_end:
            # Small chunks, because the steps behind the event that ends the run are discarded.
            pace.budget = pace.ceiling = _FIRST_STEPS // 64

        def record(rows: np.ndarray) -> None:
            if isinstance(program, TaylorProgram):
                program.add_steps(self.looking.start.pieces)
            self.wall_s = before + time.perf_counter() - compiled
            self.feed(self._rows(program.row_layout.unpack(rows)))

        with Progress(progress, program.steps) as bar:
            try:
                drive(program, record, pace, bar.update)
            except KeyboardInterrupt as error:
                # The program may have advanced beyond the rows that the sinks have: go back, so
                # that rows, state and checkpoint agree.
                program.restore(self.fed)
                raise self.failure("interrupted") from error
        self.wall_s = before + time.perf_counter() - compiled
        if self.singular:
            raise self.failure(self.singular)
        if int(program.state.row.result) != OK:
            raise self.failure()
        nothing = self._means_nothing()
        self.noticed += (*nothing, *self.constraint.told(bool(nothing)))
        self.noticed += self._noticed_by_the_system()
        return self.trajectory()

    def end(self) -> Tree:
        """The present end of the run: (q, frame, v)."""
        state = self.program.state
        return state.row.q, state.frame, state.row.v

    def _noticed_by_the_system(self) -> tuple[str, ...]:
        if self.sample is None or self.good is None:
            return ()
        return tuple(self.prepared.system.run_warnings(*self.sample.series()))

    def _means_nothing(self) -> tuple[str, ...]:
        """Return warnings if constraint or energy error at the end make the run meaningless.

        The constraint is checked for methods that do not promise it at every step.
        """
        prepared, row, begun = self.prepared, self.program.state.row, self.first_row
        unsure = not prepared.method.traits.on_constraint and self._asked("is_constrained")
        lost = self.energy.told()
        if not unsure:
            return lost
        # The checks of initial data, applied to the last row.
        _, found = prepared.plan.start((prepared.dynamic, row.t, prepared.h, row.q, row.v))
        off = initial_data.off_at_the_end(found, begun, row, float(row.t) - float(begun.t))
        return initial_data.told_off(off[None]) or lost  # one of the two warnings is enough

    # -- results -----------------------------------------------------------------------------

    def trajectory(self) -> Trajectory:
        """Return the trajectory: saved rows, and the results of named sinks."""
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
        if rows is None:  # no rows were saved: the last one shows where the run ended
            assert self.good is not None
            rows = as_trajectory(self.good, meta)
        named = {k: x for k, x in found.items() if k}
        if "" in found and not isinstance(found[""], Trajectory):
            named["result"] = found[""]
        if self.watch is not None:
            rows = dataclasses.replace(rows, events=self.watch.found())
        if isinstance(self.program, TaylorProgram):
            pieces = self.program.polynomials()
            if pieces is not None and self.good is not None:
                pieces = pieces.until(float(self.good.t[-1]))
            rows = dataclasses.replace(rows, polynomials=pieces)
        if self.prepared.sampling is not None:
            named["u"] = self.prepared.sampling.inputs()
        return dataclasses.replace(rows, saved=named) if named else rows

    def _meta_of(self, name: str, meta: Meta) -> Meta:
        every = self.looking.every(name)
        return meta if every == meta.save_every else meta.again(save_every=every)

    @property
    def store(self) -> Store | None:
        """The store that rows are streamed to, if there is one."""
        states = self.feeding.states.values()
        return next((s.store for s in states if isinstance(s, OpenStore)), None)

    def meta(self) -> Meta:
        """Return the metadata of the run so far."""
        prepared = self.prepared
        described = partial(Meta.of, prepared.system, prepared.method)
        if prepared.facts is not None:
            made = prepared.facts.fact(("meta", prepared.method), described)
            described = made.again
        return described(
            identity=prepared.plan.identity(prepared.system, prepared.method),
            h=self.program.first_step or self.prepared.h,
            t0=self.prepared.t0,
            steps=int(self.program.state.k),
            save_every=self.looking.every(next(iter(self.looking.sinks))),
            constraints=self.prepared.plan.constraints,
            own_steps=self.looking.start.own_steps,
            warnings=(
                *watched_warnings([self.feeding]),
                *((SWALLOWED,) if self.stood_still else ()),
                *self.noticed,
            ),
            tol=self.accuracy.get("tol"),
            error_estimate=self.accuracy.get("error_estimate"),
            wall_s=self.wall_s,
            compile_s=self.compile_s,
            engine=self.program.engine.name,
            engine_reason=self.why or self.program.engine.reason,
        )

    def failure(self, why: str | None = None) -> SimulationError:
        """Return the error that names the failed step, with the trajectory up to there attached."""
        system, method, state = self.prepared.system, self.prepared.method, self.program.state
        row, store = state.row, self.store
        step, at, residual = int(state.k), float(row.t), float(row.residual)
        if self.good is None:
            trajectory = as_trajectory(self.row(state).take(slice(0, 0)), self.meta())
        else:
            self.noticed += (*self.constraint.told(), *self._noticed_by_the_system())
            trajectory = self.trajectory()
        if self.prepared.sampling is not None:
            why = why or self.prepared.sampling.lost or None
        advice, stored = ROWS_ATTACHED.format(len(trajectory)), ""
        if store is not None:
            advice, stored = "", f"; the {store.count} rows until then are in '{store.path.name}'."
        if why is None:
            last = None
            if self.good is not None:
                last = jax.tree.map(lambda x: x[0] if x.ndim < 2 else x[0, 0], self.good)
            cause = initial_data.diagnosis(system, self.prepared.h, last, row)
            if cause is initial_data.Cause.STEP:
                # the last row may be far off already: diagnose the start as well
                causes = [
                    initial_data.beyond_stability(system, method, self.prepared.h, x)
                    for x in (self.first_row, last)
                ]
                cause = next(filter(None, causes), cause)
            ranked = cause is initial_data.Cause.RANK
            if isinstance(self.program, TaylorProgram) and int(row.result) == GAVE_UP:
                cause, ranked = f": {self.program.hindrance}", system.is_constrained
            if cause is not initial_data.Cause.RANK and self.constraint.jump_near(
                row, state.carry if isinstance(self.program, TaylorProgram) else None
            ):
                cause = initial_data.Cause.JUMP
            linear = system.is_constrained and not system.is_nonlinear
            if linear and last is not None and cause is not initial_data.Cause.JUMP:
                h = abs(self.prepared.h)
                ahead = singular_ahead(system, float(last.t), last.q, np.asarray(last.v), h)
                cause = f"{'' if ranked else cause}; {ahead}" if ahead else cause
            why = f"{MESSAGES[int(row.result)]}{cause} (residual {residual:.2e})"
        return SimulationError(
            f"{why} at step {step}, t = {at:g}{stored}",
            about=f"{method.name} on {system.name()}",
            advice=advice,
            trajectory=trajectory,
            step=step,
            time=at,
            residual=residual,
        )


def _one_row(tree: Tree) -> Tree:
    """Return a tree of arrays as one row."""
    if isinstance(tree, (np.ndarray, np.generic)):
        return np.asarray(tree)[None]
    return jax.tree.map(lambda x: np.asarray(x)[None], tree)


def _of_one_member(tree: Tree) -> Tree:
    """Return rows with an axis of members, of length one."""
    if isinstance(tree, np.ndarray):
        return tree[:, None]
    return jax.tree.map(lambda x: x[:, None], tree)


def counted(
    prepared: Prepared,
    steps: int | None,
    t: float | None,
    times: OutputTimes | None,
    stop_when: StopRule | None,
    engine: str | None,
) -> tuple[Prepared, int]:
    """Return the run and the number of its steps; a trial run counts adaptive steps."""
    if steps is not None:
        return prepared, steps
    if times is not None:
        return prepared, TaylorProgram(prepared, times, stop_when=stop_when, engine=engine).count()
    assert t is not None
    return steps_until(prepared, float(t), stop_when, engine)


def _are_tables_of(meta: Meta, system: System) -> bool:
    """Return whether the long arrays of a system's parameters are those of a run."""
    arrays = {k: x for k, x in system.parameters().items() if isinstance(x, (list, np.ndarray))}
    return all(np.array_equal(x, meta.parameters.get(k, ())) for k, x in arrays.items())


class _Resumed(Stream):
    """The stream sink of a resumed run, whose store exists already."""

    def init(self, start: Start) -> OpenStore:
        return OpenStore(start.rows)
