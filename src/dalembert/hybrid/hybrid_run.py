"""The loop of a hybrid run: arcs in single modes, each ended by a guard, a time or the end.

An arc begins with a shortened step that leads back to the grid t0 + k h, continues with whole
steps, and ends with a step up to the zero of its guard. So rows lie on the grid, except two at each
jump: before and after it.

If there is native code, it runs the arcs in "turns" (`arc_turn`), and hands back to Python the
cases that need a decision.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from .. import diagnostics, dynamics
from ..compile.function import Evaluator
from ..diagnostics.series import over_rows
from ..errors import ROWS_ATTACHED, SimulationError, UsageError
from ..events import Event
from ..events.event import STOPPED, watched
from ..files import PathLike
from ..linalg import MESSAGES, OK
from ..methods import Row, default
from ..request import constraint_rows, initial_data
from ..request.sampling import Sampling
from ..request.step import AsNumber, StopRule, check_stop_rule
from ..results import Events, HybridTrajectory
from ..results.checkpoint import FORMER
from ..results.hybrid_trajectory import padded
from ..results.remembered import remember
from ..rows import Rows, Start
from ..running.driver import Pace, Progress, drive
from ..system import Point, System
from .arc_program import ArcCode, ArcProgram
from .arc_ranks import ArcRanks, modes_to_watch
from .arc_turn import NEAR, NOW, Code, Given, Kind, Phase, TurnRow, TurnState
from .contact_facts import law_margins
from .contact_steps import ContactGuards, in_parts
from .coulomb import SINGULAR, ContactGuard
from .flat_wheels import Flat, flattest
from .guards import RECENT, Ended, Guards
from .hybrid_record import Record
from .mode_program import Leap, Marched, ModeProgram, Node, Tried, leap_of
from .modes import Modes, Transition

_FEW = 64  # steps of the first call after a jump; each further call makes twice as many
# Number of jumps after which the turns of a run are compiled. Compilation takes as long as some
# thousand jumps in Python, and a run with few jumps ends before that.
WORTH_JUMPS = 8
_CAREFUL = 4  # steps made in Python after native code has asked for a decision
_ARCS = 64  # number of arcs checked for a loss of rank
# Fraction of the energy that a run may gain at contacts without a warning. The error of a method is
# less, and a step that finds a wrong solution of the contact law adds a multiple of the energy.
_GAINED = 0.01
_SINGULAR = 0.05  # determinant of the loads, 1 without friction: below, a failed step names it
_AT_SINGULAR = 1e-9  # that of the region itself, whose message has it already
_ROUNDED = 1e-12  # of coefficients of friction: round-off of their functions
_LONG = 32  # arcs with fewer rows are not checked for the parasitic mode
_SECONDS = 2.0  # minimum time between two writes of a store
Candidates: TypeAlias = tuple[Transition, ...]  # empty: the run is over, or continues
_BEGUN, _ON_GRID, _MARCHING = range(3)  # progress within an arc
_ENDS = "ends at"  # in `_standing`: which occurrence of each event ends the run
_STOPPED = "stopped"  # in `_standing`: `stop_when` has ended the run
_SCALE, _MARCH = "scale ", "march "  # prefixes of the names in `_standing`


class _March:
    """The whole steps of the present mode up to step `until`, as a program for `drive`."""

    def __init__(self, run: HybridRun, until: int) -> None:
        self.run, self.until = run, until

    @property
    def done(self) -> int:
        """The number of steps of the whole run so far."""
        return self.run.k

    @property
    def is_over(self) -> bool:
        """Whether no whole step is left before the next scheduled jump or the end."""
        return self.run.k >= self.until or self.run.stopped

    def advance(self, budget: int) -> Marched:
        """Return rows of whole steps, from the present node."""
        run, stepper = self.run, self.run.stepper
        if run.stage == _MARCHING:
            return stepper.march_on(self.until, budget)
        run.guards[run.mode].reached(run.node, stepper.guards(run.node))
        return stepper.march(run.node, run.k, self.until, budget)


def steppers_of(
    modes: Modes, method: Any, times: tuple[float, float, int], engine: str | None
) -> dict[str, ModeProgram]:
    """Return a program per mode, with its method; `times` is (t0, h, steps)."""
    from .taylor_run import TaylorMode

    kinds = {"any": TaylorMode}
    if isinstance(method, Mapping):
        for name in method:
            modes.system(name)
    made = {}
    for name, system in modes.systems.items():
        chosen = method.get(name) if isinstance(method, Mapping) else method
        chosen = default() if chosen is None else chosen
        try:
            kind = kinds.get(chosen.traits.sizes, ModeProgram)
            made[name] = kind(system, chosen, modes.leaving(name), *times, engine)
        except UsageError as error:
            raise error.located(f"mode '{name}'") from None
    return made


class HybridRun:
    """The state of one hybrid run."""

    def __init__(
        self, modes: Modes, steppers: dict[str, ModeProgram], every: int = 1, limit: int = 32
    ) -> None:
        self.modes, self.steppers, self.limit = modes, steppers, limit
        first = next(iter(steppers.values()))
        self.t0, self.h, self.steps = first.t0, first.h, first.steps
        self.guards = {k: self._guards_of(k, x) for k, x in steppers.items()}
        self.record = Record(modes, steppers, every)
        self.store: PathLike | None = None
        self.leaps: dict[tuple[int, str], Evaluator[Leap]] = {}
        self.mode, self.k, self.stage = "", 0, _BEGUN
        self.node = Node(self.t0, None, np.zeros(0), None)
        end = self.t0 + self.steps * self.h
        self.schedule = sorted(
            (when, i)
            for i, x in enumerate(modes.transitions)
            for when in x.times
            if self.t0 - NOW * self.h <= when <= end + NOW * self.h
        )
        for x in modes.transitions:
            early = [when for when in x.times if when < self.t0 - NOW * self.h]
            if early:
                self.record.warn(f"'{x.title}' at t = {early[0]:g} is before the start of the run")
        self.events: Mapping[int, Event] = {}  # by index of the transition that detects each
        self.happened: list[tuple[int, Row, Node, int]] = []  # events: index, row, node, step
        self.here: Row | None = None  # the row at the present node, if a step has led there
        self.earlier: Mapping[int, int] = {}  # how often events happened before a resumed run
        self.stops: Callable[[Rows], list[np.ndarray]] | None = None  # values of `stop_when`
        self.stopped = False
        self.written = (time.monotonic(), 0.0)
        self.records: Mapping[str, np.ndarray] = {}  # `stepper.records` of the march in progress
        self.program: ArcProgram | None = None  # native turns, if available
        self._last: TurnRow | None = None  # last rows of the native turns
        self._compiled = False  # whether compilation was tried
        self._parted = False  # whether the last step was split into parts
        self.sampling: Sampling | None = None  # inputs of a controller in Python

    def _guards_of(self, mode: str, stepper: ModeProgram) -> Guards:
        found = self.modes.guards_of(stepper, mode)
        return Guards(stepper, self.modes.leaving(mode)) if found is None else found

    @property
    def stepper(self) -> ModeProgram:
        """The program of the present mode."""
        return self.steppers[self.mode]

    def begin(self, mode: str, node: Node, project: bool) -> None:
        """Start from initial data; raise `UsageError` if the mode does not fit them."""
        self.mode = mode
        try:
            self.node = self.stepper.checked(node, project)
        except UsageError as error:
            raise error.located(f"mode '{mode}'") from None
        if WORTH_JUMPS == 0 or (self.modes.one_program and self.sampling is None):
            self.compile()
        guards = self.guards[mode]
        past: list[int] = []
        if not self._enters():
            past = [i for i in guards.begin(self.node, self.h) if guards.far[i]]
        if past:
            g = self.stepper.guards(self.node)[past[0]]
            raise UsageError(
                f"the run would start in a wrong mode: the guard of {guards.names(past[:1])}, "
                f"which ends '{mode}', is past its zero already, at {g:.6g}. Start in another "
                "mode, or declare the transition with one_sided=False if it may be on both sides"
            )
        self._watch_ranks()
        self.record.start(self.mode, self.stepper.row(self.node), self.node)

    def stop_at(self, rule: StopRule | None, start: Start) -> None:
        """End the run at the first row of the grid where a rule holds."""
        check_stop_rule(rule, start.system)
        if rule is not None:
            self.stops = watched(start, {STOPPED: AsNumber(rule)})

    def to_the_end(self, begin: float, progress: bool | None) -> HybridTrajectory:
        """Run all arcs and return the result."""
        before, started = self.record.wall_s, begin
        try:
            with Progress(progress, self.steps) as bar:
                while not self.stopped:
                    jumps = len(self.record.jump_times)
                    worth = jumps >= WORTH_JUMPS or self.modes.one_program
                    if not self._compiled and worth and self.sampling is None:
                        self.compile()
                    if self.program is not None:
                        code = self._turn(self.program, bar)
                        if code is Code.OVER or self.stopped:
                            break
                        if code in (Code.LEAVE, Code.EVENT):
                            continue
                    ended = self._arc(bar)
                    if ended:
                        self._leave(ended)
                        self._write()
                    elif self.k >= self.steps:
                        break
                    elif self.program is None and self.sampling is None:
                        break
        except KeyboardInterrupt as error:
            raise self._failure("interrupted") from error
        except SimulationError as error:
            if error.trajectory is not None:
                raise
            lost = "" if self.sampling is None else self.sampling.lost
            why = lost or str(error)
            raise self._failure(f"{why}{self._near()}") from error
        # scheduled jumps that are left: warn that they did not happen
        for when, i in [] if self.stopped else list(self.schedule):
            self._missed(when, i)
        wrong = self.wrong_coefficient()
        if wrong is not None:
            raise self._failure(wrong)
        self.look_for_gained_energy()
        self.look_at_rows()
        self.record.wall_s = before + time.perf_counter() - started
        saved = self.record.finished(self.k)
        if self.sampling is not None:
            saved = {**saved, "u": self.sampling.inputs()}
        found = dataclasses.replace(self.result(), saved=saved, events=self.found_events())
        remember(found, self.modes)
        if self.store is not None:
            found.save(self.store)
        return found

    def _arc(self, bar: Progress) -> Candidates:
        """Run until a transition is to be taken (return the candidates), or to the end (empty)."""
        self._sample()
        guards, stepper = self.guards[self.mode], self.stepper
        if self.stage == _BEGUN:
            past = guards.begin(self.node, self.h)
            if past:
                return tuple(guards.transitions[i] for i in past)
            if guards.unseen:
                self.record.warn(
                    f"the guard of {guards.names(guards.unseen)} stays at zero in mode "
                    f"'{self.mode}' from t = {self.node.t:.6g} on: it was ignored in this arc"
                )
            stop, due = self._next_stop()
            size = stop - self.node.t
            if due is not None and size <= NOW * self.h:
                return self._due()
            if size <= NOW * self.h:
                self.k = self.steps
                return ()
            ended = self._step(guards, size, due is None)
            if self.stopped:
                return ()
            if ended or due is not None:
                return ended or self._due()
            self.stage = _ON_GRID
            if self._sample():
                return ()
        last, due = self._last_whole_step()
        until = last if self.program is None else min(last, self.k + _CAREFUL)
        if self.sampling is not None:
            until = min(until, self.sampling.until(self.k))
        ended = self._short_steps(guards, until)
        if ended or self.stopped:
            return ended

        def record(rows: Marched) -> Candidates:
            nonlocal ended
            ended = self._scanned(guards, rows, until)
            if self._parted:  # the step was split: the next one begins at its node
                self.stage, self._parted = self.stage if ended else _ON_GRID, False
            elif not ended:
                self.stage, self.records = _MARCHING, stepper.records
                self._write()
            return ended

        drive(_March(self, until), record, Pace(_FEW, growth=2), bar.update)
        if ended or self.stopped or self.k >= self.steps or self.k < last:
            return ended
        assert due is not None
        return self._step(guards, due - self.node.t, False) or self._due()

    def _sample(self) -> bool:
        """Call the controller if it is due; return whether another input acts from here on.

        With another input an arc begins, because guards may depend on the input (friction cones).
        """
        if self.sampling is None or self.k >= self.steps:
            return False
        before, node = self.sampling.now, self.node
        u = self.sampling.before(self.k, node.t, node.q, node.v)
        if np.array_equal(u, before):
            return False
        self._hold(u)
        self.stage = _BEGUN
        return True

    def _hold(self, u: np.ndarray) -> None:
        self.modes.hold(u)
        for name, stepper in self.steppers.items():
            stepper.adopt(self.modes.system(name))

    def _short_steps(self, guards: Guards, until: int) -> Candidates:
        """Take steps of the grid in parts while a slip turns too fast for whole steps."""
        ended: Candidates = ()
        while not ended and not self.stopped and self.k < until and guards.pace(self.node) < self.h:
            ended = self._step(guards, self.stepper.time_of(self.k + 1) - self.node.t, True)
        return ended

    def _scanned(self, guards: Guards, rows: Marched, until: int) -> Candidates:
        """Record rows of whole steps while the mode lasts; return the transitions at its end."""
        codes = np.asarray(rows.rows.result)
        failed = np.flatnonzero(codes != OK)
        good = int(failed[0]) if len(failed) else len(codes)
        stop = self._stop_in(rows.rows, rows.frames, rows.k, good)
        if stop is not None:
            good, failed = stop + 1, failed[:0]
        count, locate = guards.scan(rows, good)
        # the mode has ended before the last recorded row: remove it
        if count < 0:
            self.record.forget_last(self.k)
            self.k -= 1
            if self.sampling is not None:  # restore the input that acted at that row
                self.sampling.forget_after(self.k)
                self._hold(self.sampling.now)
        self.stopped = stop is not None and locate is None and count == good
        if count > 0:
            part = jax.tree.map(lambda x: x[:count], (rows.rows, rows.frames, rows.k))
            self.record.many(self.mode, *part, last=self.stopped)
            self.node, self.k = rows.node(count - 1), int(rows.k[count - 1])
        if locate is not None:
            self.stage = _ON_GRID
            return self._ended(guards, locate())
        if self.modes.decides and guards.turns and not self.stopped:
            self.stage, self._parted = _ON_GRID, True
            return self._short_steps(guards, until)
        if count == good and (len(failed) or not good):
            self.stage = _ON_GRID
            if self.modes.decides:  # a whole step may fail where a slip is small
                self._parted = True
                return self._step(guards, self.stepper.time_of(self.k + 1) - self.node.t, True)
            tried, ended = guards.step(self.node, self.h)
            if ended is None:
                again = tried.is_good and len(failed)  # the step succeeds when it is repeated
                raise self._failed_step(
                    jax.tree.map(lambda x: x[good], rows.rows) if again else tried.row
                )
            return self._ended(guards, ended)
        return ()

    def _stop_in(self, rows: Row, frames: Point, k: np.ndarray, good: int) -> int | None:
        """Return the first of these grid rows at which `stop_when` holds."""
        if self.stops is None or not good:
            return None
        fed = self.record.as_rows(self.mode, rows, frames, k).take(slice(0, good))
        true = np.flatnonzero(self.stops(fed)[0][:, 0])
        return int(true[0]) if len(true) else None

    def _step(self, guards: Guards, size: float, to_grid: bool) -> Candidates:
        """Take one step, to the grid or to a scheduled jump; the mode may end within the step."""
        try:
            tried, ended = guards.step(self.node, size)
        except SimulationError as error:
            tried, ended = self._in_parts(guards, None, self.node.t + size)
            if tried is None:
                raise error
        if ended is None and not tried.is_good:
            tried, ended = self._in_parts(guards, tried, self.node.t + size)
            assert tried is not None
        if ended is not None:
            return self._ended(guards, ended)
        if not tried.is_good:
            raise self._failed_step(tried.row)
        if to_grid:  # set the exact time of the grid
            self.k = self._grid_before(tried.node.t)
            self.node = tried.node._replace(t=self.stepper.time_of(self.k))
            row = tried.row._replace(t=np.asarray(self.node.t))
            one = jax.tree.map(lambda x: np.asarray(x)[None], (row, self.node.frame, self.k))
            self.stopped = self._stop_in(one[0], one[1], one[2], 1) is not None
            self.record.many(self.mode, *one, last=self.stopped)
        else:
            self.node = tried.node
            self.record.one(self.mode, tried.row, self.node)
        return ()

    def _in_parts(
        self, guards: Guards, tried: Tried | None, end: float
    ) -> tuple[Tried | None, Ended | None]:
        """Take a failed step again in parts, if contacts slide; return any other step unchanged."""
        found = in_parts(self, guards, end) if self.modes.decides else None
        return (tried, None) if found is None else found

    # records the row at the zero, and returns all transitions whose guards vanish there
    def _ended(self, guards: Guards, ended: Ended) -> Candidates:
        self.stage, self.here = _BEGUN, None
        if ended.at is not None:
            self.node, self.here = ended.at.node, ended.at.row
            self.record.one(self.mode, ended.at.row, self.node)
        elif self.record.last_time != self.node.t:  # the present row was not saved
            self.record.one(self.mode, self.stepper.row(self.node), self.node)
        return tuple(guards.transitions[i] for i in sorted((ended.guard, *ended.together)))

    # -- native turns ------------------------------------------------------------------------

    def compile(self) -> None:
        """Compile the turns to native code where possible; otherwise Python runs them."""
        self._compiled = True
        first = next(iter(self.steppers.values()))
        asked = first.engine_asked
        unknown = self.modes.decides and not self.modes.one_program  # in advance
        if asked == "arrays" or unknown or first.method.traits.sizes == "any":
            return
        with first.compiling():
            code = ArcCode(self.modes, self.steppers, tuple(self.events), asked)
        for x in self.steppers.values():
            x.arcs = code.engine
        if code.kernel is None:
            return
        ends_at = code.turns.ends_at(self.events.values())
        given = Given(self.t0, self.h, self.steps, 1, 1, self.limit, ends_at)
        self.program = ArcProgram(code, given, code.packed_own(self.steppers))

    def _enters(self) -> bool:
        """Return whether the run begins on the right side of all guards, by native turns."""
        if self.program is None:
            return False
        self.program.arc = self.as_arc(self.program)
        return self.program.enters()

    def _place(self, mode: str) -> int:
        """Return the number that native turns have for a mode."""
        return 0 if self.modes.one_program else self.modes.names.index(mode)

    def as_arc(self, program: ArcProgram) -> TurnState:
        """Return the present state of the run, for native turns."""
        turns, guards, m = program.turns, self.guards[self.mode], self._place(self.mode)
        if self.modes.one_program:
            program.adopt(self.stepper.parameters)
        phase = {_BEGUN: Phase.ENTER, _ON_GRID: Phase.FIRST, _MARCHING: Phase.MARCH}[self.stage]
        every = self.guards
        if self.modes.one_program:
            every = {self.mode: guards}
            # what `ModeProgram.beside` returns is not known at the node yet
            phase = Phase.MARCH if phase is Phase.MARCH else Phase.ENTER
        node, first = self.node, 0.0
        if isinstance(guards, ContactGuards) and guards.delicate:
            begin, stop = guards.begins.pop("slip"), self._next_stop()[0]
            first = min(0.5 * (stop - node.t), float(begin.size) or math.inf)
            if node.t < begin.t < stop:
                node = Node(float(begin.t), begin.q, begin.v, node.frame)
        if phase is Phase.FIRST:
            guards.reached(self.node, self.stepper.guards(self.node))
        g = rate = np.zeros(len(guards))
        carry = trail = None
        if phase is not Phase.ENTER and len(guards):
            g, rate = guards.trail[-1][1], guards.rate
            if len(guards.trail) > 1:
                past = guards.trail[-2]
                trail, rate = (past[0], turns.of_groups(m, past[1], 1.0)), (g - past[1]) / self.h
        if self.stage == _MARCHING:
            carry = self.stepper.state.carry
        values = {"g": g, "rate": rate, "side": guards.side}
        return program.standing_at(
            m,
            self.k,
            node,
            phase,
            {k: turns.of_groups(m, x, 1.0) for k, x in values.items()},
            np.stack([turns.of_groups(i, x.scale, 0.0) for i, x in enumerate(every.values())]),
            np.array([self.due_in(x) for x in every]),
            carry,
            trail,
            [self._count(x) for x in self.events],
            getattr(guards, "largest", None),
            first,
        )

    def due_in(self, mode: str) -> float:
        """Return the next scheduled time of a transition that ends this mode."""
        ends = (when for when, i in self.schedule if self.modes.transitions[i].ends(mode))
        return min(ends, default=math.inf)

    def stand(self, program: ArcProgram) -> TurnState:
        """Take over the state that native turns have reached."""
        arc, turns, self.here = program.arc, program.turns, None
        m, origin = int(arc.mode), int(arc.origin)
        self.k = int(arc.k)
        self.node = Node(float(arc.t), arc.q, arc.v, arc.frame)
        every = self.guards
        if self.modes.one_program:
            every = {self.mode: self.guards[self.mode]}
        else:
            self.mode = self.modes.names[m]
        for i, x in enumerate(every.values()):
            x.scale = turns.of_transitions(i, arc.scale[i])
        guards = self.guards[self.mode]
        if isinstance(guards, ContactGuards):
            guards.largest.update(enumerate(arc.parts.largest.tolist()))
        guards.side = turns.of_transitions(m, arc.side).astype(int)
        guards.trail, guards.rate = [], turns.of_transitions(m, arc.rate)
        if origin == Phase.MARCH:
            self.stage = _MARCHING
            if arc.trail.known:
                past = arc.trail
                before = Node(float(past.t), past.q, past.v, past.frame)
                guards.trail.append((before, turns.of_transitions(m, past.g)))
            guards.trail.append((self.node, turns.of_transitions(m, arc.g)))
            self.stepper.stand(self.node, self.k, program.carry(arc))
            self.records = self.stepper.records
        else:
            self.stage = _ON_GRID if origin == Phase.FIRST else _BEGUN
        return arc

    def _turn(self, program: ArcProgram, bar: Progress) -> Code:
        """Run native turns until the end of the run, or until they need a decision."""
        program.arc = self.as_arc(program)
        seen = (self.record.feeding, self.record.chosen, self.stops, self.record.ranks)
        if all(x is None for x in seen):
            program.given = program.given._replace(every=self.record.every)

        def record(rows: TurnRow) -> bool:
            self._record(program, rows)
            if not self.stopped:
                self.stand(program)
                self._write()
            return self.stopped

        drive(program, record, Pace(_FEW, growth=2), bar.update)
        return Code.OVER if self.stopped else self._judge(program)

    def careful(self, program: ArcProgram) -> bool:
        """Decide what native turns handed back, take some steps; return whether the run ended."""
        if self._judge(program) in (Code.LEAVE, Code.EVENT):
            return self.stopped
        ended = self._arc(Progress(False, self.steps))
        if ended:
            self._leave(ended)
        return self.stopped or (not ended and self.k >= self.steps)

    def _judge(self, program: ArcProgram) -> Code:
        """Return why native turns have stopped; take a jump that they handed back."""
        arc = self.stand(program)
        code = Code(int(arc.code))
        # this check needs consecutive rows, so that all rows must be saved
        recalls = int(program.given.every) == 1 and not self.modes.one_program
        if code is Code.ARC and self._last is not None and recalls:
            self._recall(self._last)
        if code is Code.LEAVE:
            self._leave(tuple(self.modes.transitions[i] for i in program.leaving(arc)))
        elif code is Code.DIP:
            self.record.forget_last(self.k)
            past = arc.trail
            self.node, self.k = Node(float(past.t), past.q, past.v, past.frame), self.k - 1
            self.stage = _ON_GRID
        return code

    def _recall(self, rows: TurnRow) -> None:
        """Store the guards at the last rows of the arc, for the message about a missed zero."""
        others = np.flatnonzero(rows.kind != Kind.GRID)
        mine = slice(int(others[-1]) + 1 if len(others) else 0, None)
        row = jax.tree.map(lambda x: x[mine], rows.row)
        if len(row.t) and len(self.guards[self.mode]):
            self.guards[self.mode].recent = self.stepper.values(row)

    def _record(self, program: ArcProgram, rows: TurnRow) -> None:
        """Record rows of native turns, up to the first row at which the run ends."""
        groups = rows
        if self.modes.one_program:
            mode = np.full(len(rows.k), self.modes.names.index(self.mode))
            rows = rows._replace(mode=mode, source=mode)
        if self.stops is not None and np.any(rows.kind == Kind.GRID):
            at = np.flatnonzero(rows.kind == Kind.GRID)
            row, frames = jax.tree.map(lambda x: x[at], (rows.row, rows.frame))
            stop = self._stop_in(row, frames, rows.k[at], len(at))
            if stop is not None:
                rows, self.stopped = jax.tree.map(lambda x: x[: at[stop] + 1], rows), True
        crowd = self.record.heaps_up(rows, self.h, self.limit)
        if crowd is not None:
            rows = jax.tree.map(lambda x: x[: crowd + 1], rows)
        self.record.turned(rows, last=self.stopped)
        if len(rows.k) >= RECENT or self._last is None:
            self._last = jax.tree.map(lambda x: x[-RECENT:], rows)
        else:
            self._last = jax.tree.map(lambda *x: np.concatenate(x)[-RECENT:], self._last, rows)
        for i in np.flatnonzero(rows.kind == Kind.BEFORE) if self.events else ():
            for number in program.events_at(groups, int(i)):
                self._at_row(rows, int(i))
                self.here = jax.tree.map(lambda x, i=i: x[i], rows.row)
                self._note(number)
        if crowd is not None:
            self._at_row(rows, crowd)
            raise self._heaps_up(self.modes.transitions[int(rows.transition[crowd])].title)
        if self.stopped and len(rows.k):
            self._at_row(rows, len(rows.k) - 1)

    def _at_row(self, rows: TurnRow, i: int) -> None:
        """Set the run to this row."""
        self.mode, self.k = self.modes.names[int(rows.mode[i])], int(rows.k[i])
        q, v, frame = jax.tree.map(lambda x: x[i], (rows.row.q, rows.row.v, rows.frame))
        self.node = Node(float(rows.row.t[i]), q, v, frame)
        self.stage = _ON_GRID if rows.kind[i] == Kind.GRID else _BEGUN

    # -- times -------------------------------------------------------------------------------

    def _grid_before(self, t: float) -> int:
        return min(math.floor((t - self.t0) / self.h + NEAR), self.steps)

    def _next_stop(self) -> tuple[float, float | None]:
        """Return where the first step of an arc ends: on the grid, or at a scheduled time."""
        k = min(self._grid_before(self.node.t) + 1, self.steps)
        on_grid = self.t0 + k * self.h
        due = self._next_due()
        if due is not None and due < on_grid + NEAR * self.h:
            return due, due
        return on_grid, None

    def _last_whole_step(self) -> tuple[int, float | None]:
        due = self._next_due()
        if due is None:
            return self.steps, None
        return min(math.floor((due - self.t0) / self.h - NEAR), self.steps), due

    def _next_due(self) -> float | None:
        """Return the next scheduled time of a transition that ends this mode."""
        for when, i in [x for x in self.schedule if x[0] < self.node.t - NOW * self.h]:
            self._missed(when, i)
        mine = [when for when, i in self.schedule if self.modes.transitions[i].ends(self.mode)]
        return mine[0] if mine else None

    def _missed(self, when: float, i: int) -> None:
        self.schedule.remove((when, i))
        title = self.modes.transitions[i].title
        self.record.warn(f"'{title}' at t = {when:g} did not happen: the run was in another mode")

    def _due(self) -> Candidates:
        first = next(x for x in self.schedule if self.modes.transitions[x[1]].ends(self.mode))
        self.schedule.remove(first)
        return (self.modes.transitions[first[1]],)

    # -- jumps -------------------------------------------------------------------------------

    def _leave(self, candidates: Candidates) -> None:
        """Take the first transition whose condition holds."""
        # project onto the constraint: the method's constraint error is not part of the jump
        if not self.stepper.method.traits.on_constraint:
            self.node = self.node._replace(v=np.asarray(self.stepper.row(self.node).v))
        happened = [x for x in candidates if self.number(x) in self.events]
        for x in happened:
            self._note(self.number(x))
        candidates = tuple(x for x in candidates if x not in happened)
        if happened and (self.stopped or not candidates):
            self.stage = _BEGUN
            return
        node = self.node
        decided = self.modes.decided(self.mode, candidates, node.t, node.q, node.v, self.h)
        if decided is not None:
            self._adopt(decided.mode, decided.system)
            self.stage = _BEGUN
            if decided.transition is not None:
                leap = Leap(decided.q, decided.v, *decided[5:], holds=True)
                self._jump(decided.transition, leap, decided.mode)
            return
        found = [(x, leap) for x in candidates if (leap := self._leap(x)).holds]
        if len(found) > 1:
            names = " and ".join(f"'{x.title}'" for x, _ in found)
            self.record.warn(
                f"the guards of {names} vanish at the same instant, in mode '{self.mode}': "
                f"'{found[0][0].title}', declared first, was taken"
            )
        if found:
            self._jump(*found[0])
        elif any(x.guard is not None and x.direction and x.one_sided for x in candidates):
            names = " and ".join(f"'{x.title}'" for x in candidates)
            raise self._failure(
                f"the mode ends at t = {self.node.t:.15g} by the guard of {names}, whose "
                "condition `when` does not hold there: declare a transition for this case, or "
                "one_sided=False to continue in the mode"
            )
        else:
            self.stage = _BEGUN

    def _adopt(self, mode: str, system: System) -> None:
        """Add or update a mode that is decided during the run."""
        if mode in self.steppers:
            self.steppers[mode].adopt(system)
            return
        now = self.stepper
        if self.modes.one_program:
            made = now.of(system)
        else:
            times, leaving = (self.t0, self.h, self.steps), self.modes.leaving(mode)
            made = ModeProgram(system, now.method, leaving, *times, now.engine_asked)
        self.steppers[mode], self.guards[mode] = made, self._guards_of(mode, made)

    def _note(self, number: int) -> None:
        """Record an event at the present node; it may end the run."""
        row = self.stepper.row(self.node) if self.here is None else self.here
        self.happened.append((number, row, self.node, self.k + 1))
        self.stopped = self.stopped or self._count(number) == self.events[number].ends_at

    def _count(self, number: int) -> int:
        return self.earlier.get(number, 0) + sum(x[0] == number for x in self.happened)

    def found_events(self) -> Events | None:
        """Return the events in order of time, as a trajectory has them."""
        if not self.events:
            return None
        now, given = self._events_now(), self.record.given
        before = None if given is None else given.events
        return now if before is None else Events.joined([before, now])

    def _events_now(self) -> Events:
        """Return the events of this record, without those of the run that is resumed."""
        most = max(x.plan.constraints for x in self.steppers.values())
        numbers, names = list(self.events), [x.title for x in self.modes.transitions]
        rows = [x[1] for x in self.happened] or [self.stepper.row(self.node)]
        rows = [
            x._replace(multiplier=padded(np.asarray(x.multiplier)[None], most)[0]) for x in rows
        ]
        frames = [x[2].frame for x in self.happened] or [self.node.frame]
        row, frame = (
            jax.tree.map(lambda *x: np.stack([np.asarray(a) for a in x]), *each)
            for each in (rows, frames)
        )
        found = Events(
            names=tuple(names[i] for i in numbers),
            which=np.array([numbers.index(x[0]) for x in self.happened] or [0]),
            member=np.zeros(len(rows), int),
            step=np.array([x[3] for x in self.happened] or [0]),
            frame=frame if self.stepper.system.groupoid.group.dim else None,
            **{k: getattr(row, k) for k in ("t", "q", "v", "p", "multiplier", "residual")},
        )
        return found if self.happened else found.taken(slice(0, 0))

    def _leap(self, transition: Transition) -> Leap:
        source, node = self.mode, self.node
        target = transition.target or source
        key = self.number(transition), source
        if key not in self.leaps:
            systems = self.modes.system(source), self.modes.system(target)
            with self.stepper.compiling():
                self.leaps[key] = leap_of(transition, *systems)
        ours, theirs = (self.steppers[x].dynamic for x in (source, target))
        return self.leaps[key].of(ours, theirs)(np.asarray(node.t), node.q, node.v)

    def number(self, transition: Transition) -> int:
        """Return the index of a transition in the order of declaration."""
        return next(i for i, x in enumerate(self.modes.transitions) if x is transition)

    # applies a jump: checks its result in the next mode, records it, and counts jumps within h
    def _jump(self, transition: Transition, leap: Leap, target: str | None = None) -> None:
        source, node = self.mode, self.node
        target = target or transition.target or source
        who = f"the jump '{transition.title}' at t = {node.t:.15g}, into mode '{target}'"
        if not all(np.all(np.isfinite(x)) for x in jax.tree.leaves(leap[:2])):
            raise self._failure(
                f"{who}, gives values that are not finite: constraints of '{target}' are linearly "
                "dependent there, or the function of the jump fails"
            )
        try:
            speed = float(np.linalg.norm(node.v))
            landed = Node(node.t, leap.q, leap.v, node.frame)
            new = self.steppers[target].checked(landed, speed=speed)
        except UsageError as error:
            raise self._failure(
                f"{who}, leads to a state from which the run cannot continue: {error.problem}"
            ) from None
        row = self.steppers[target].row(new)
        landed = new._replace(v=np.asarray(row.v))
        self.record.jump(self.number(transition), (source, target), (node, landed), leap)
        self.mode, self.node, self.stage = target, new, _BEGUN
        self.record.one(self.mode, row, new)
        # Zeno: count the jumps within the last h
        recent = self.record.jump_times[-self.limit - 1 :]
        if sum(t > node.t - self.h for t in recent) > self.limit:
            raise self._heaps_up(transition.title)

    def _heaps_up(self, title: str) -> SimulationError:
        return self._failure(
            f"more than {self.limit} jumps within h = {self.h:g} (the last by "
            f"'{title}'): jumps heap up in a finite time (Zeno), or modes send the "
            "motion to and fro. Let a transition end it (a bounce below some speed leads to a "
            "mode that holds the contact), or raise jumps_per_step"
        )

    def look_at_rows(self) -> None:
        """Add the warnings that follow from the saved rows of the run."""
        self._look_for_parasites()
        self._look_for_rank_loss()
        if self.record.ranks is not None:
            for told in self.record.ranks.words(0):
                self.record.warn(told)

    def _watch_ranks(self) -> None:
        """Follow the constraints of modes whose rank may change, as a plain run does."""
        if not self.modes.decides:
            found = modes_to_watch(self.steppers, lambda _: self.node, 1)
            if found:
                self.record.ranks = ArcRanks(self.steppers, found)

    def _look_for_parasites(self) -> None:
        """Warn if GNI's parasitic mode has spoiled an arc, as for a run of one mode."""
        if all(x.method.traits.parasitic == "none" for x in self.steppers.values()):
            return
        for arc in self.result().arcs:
            whole = arc.trajectory[2:-1]  # rows of whole steps
            if len(whole) >= _LONG:
                told = diagnostics.parasitic_warning(self.steppers[arc.mode].system, whole)
                if told is not None:
                    self.record.warn(f"in mode '{arc.mode}', from t = {whole.t[0]:.6g} on: {told}")

    def wrong_coefficient(self) -> str | None:
        """Return where a coefficient that depends on the place has a value that is no friction."""
        for arc in self.result().arcs if self.modes.one_program else ():
            system: Any = self.steppers[arc.mode].system
            plan = system.contact_plan
            if not plan.groups or not system.has_varying_law:
                continue
            margins = np.asarray(over_rows(law_margins, system, arc.trajectory))
            wrong = np.argwhere(margins < -_ROUNDED)
            if not len(wrong):
                continue
            k, what, g = wrong[0]
            said = "mu must be 0 or more, got" if what == 0 else "mu_static - mu must not be"
            return (
                f"'{plan.groups[g].name}': {said} {margins[k, what, g]:.3g} at "
                f"t = {float(arc.trajectory.t[k]):.6g}, where its coefficients depend on the place "
                "or the time: the run is wrong from there on"
            )
        return None

    def look_for_gained_energy(self) -> None:
        """Warn if the energy has grown although only friction at contacts does work."""
        if self.steps < initial_data.WORTH_ENERGY:
            return
        least, size = np.inf, 0.0
        for arc in self.result().arcs:
            system = self.steppers[arc.mode].system
            if not hasattr(system, "other_force") or system.has_offset or system.has_time:
                return  # no contacts with friction, or the ground moves
            energy, power = map(np.asarray, over_rows(_energy_and_power, system, arc.trajectory))
            if np.any(power != 0.0):
                return
            momentum = np.sum(np.asarray(arc.trajectory.p) * np.asarray(arc.trajectory.v), axis=1)
            size = max(size, float(np.max(np.abs(energy))), 0.5 * float(np.max(np.abs(momentum))))
            for t, now in zip(np.asarray(arc.trajectory.t), energy):
                least = min(least, float(now))
                if now - least > _GAINED * size:
                    flat = self._flattest(float(t))
                    self.record.warn(
                        f"the energy has grown by {now - least:.3g} J until t = {t:.6g}, although "
                        "friction and impacts can only dissipate energy: the run is unreliable "
                        f"from there on, use a smaller h{f' ({flat})' if flat else ''}"
                    )
                    return

    def _flattest(self, until: float, since: float = -math.inf) -> Flat | None:
        """Return the wheel with friction that comes nearest to lying flat between two times."""
        rows = [(self.steppers[x.mode].system, x.trajectory) for x in self.result().arcs]
        near = [(s, r[(np.asarray(r.t) >= since) & (np.asarray(r.t) <= until)]) for s, r in rows]
        return flattest(near)

    def _look_for_rank_loss(self) -> None:
        """Warn if a mode whose constraint is not linear in v has lost rank, as in plain runs."""
        every_step = self.record.every == 1 and self.record.chosen is None
        if self.modes.decides or not every_step or self.steps < initial_data.WORTH_ENERGY:
            return
        told = set()
        for arc in self.result().arcs[:_ARCS]:
            x = self.steppers[arc.mode]
            if arc.mode in told or not x.system.is_nonlinear or len(arc.trajectory) < 3:
                continue

            def at(series: Any, x: ModeProgram = x) -> Any:
                return x.plan.constraint_rows((x.dynamic, *series))

            rows = arc.trajectory
            series = tuple(jax.tree.map(np.asarray, (rows.t, rows.q, rows.v)))
            apart = x.method.traits.sizes == "any"
            t = constraint_rows.lowest_rank(at, series, constraint_rows.LOST_WITH_V, apart)
            if t is not None:
                told.add(arc.mode)
                said = constraint_rows.told_rank(f"near t = {t:.6g}")
                self.record.warn(f"in mode '{arc.mode}', {said}")

    # the error of a failed step, with a probable cause and, if a guard was missed, a hint
    def _failed_step(self, row: Row) -> SimulationError:
        last = Row(*(getattr(row, x) for x in Row._fields))._replace(
            t=self.node.t, q=self.node.q, v=self.node.v
        )
        cause = initial_data.diagnosis(self.stepper.system, self.h, last, row)
        hint = ""
        if cause is initial_data.Cause.STEP and (
            hint := self.guards[self.mode].missed(self.node.t)
        ):
            cause = ""
        if cause is initial_data.Cause.RANK:
            hint = (
                "; a mode has constraints of one rank: where it changes, end the mode by a guard "
                "that changes its sign there, and go on in one that has the rows that are left"
            )
        why = f"{MESSAGES[int(row.result)]}{cause} (residual {float(row.residual):.2e}){hint}"
        why = f"{self.stepper.method.name} on {self.stepper.system.name()}: {why}"
        return self._failure(f"{why}{self._near()}")

    def _near(self) -> str:
        """Return what the message of a failed step adds: a flat wheel, or loads without bound."""
        flat = self._flattest(math.inf, self.node.t - 2.0 * self.h)
        if flat is not None:
            return f" ({flat})"
        for i, x in enumerate(self.guards[self.mode].transitions):
            if isinstance(x.guard, ContactGuard) and x.guard.kind == SINGULAR:
                minor = float(self.stepper.guards(self.node)[i])
                if _AT_SINGULAR < minor < _SINGULAR:
                    return (
                        f" (the determinant of the loads is {minor:.2g}: where it vanishes, "
                        "Coulomb's law has no unique solution (Painleve), and near there loads "
                        "grow without bound)"
                    )
        return ""

    # the error of a run that stops here, with the rows so far attached (and stored)
    def _failure(self, why: str) -> SimulationError:
        self.look_for_gained_energy()
        saved = self.record.finished(self.k)
        found = dataclasses.replace(self.result(), saved=saved, events=self.found_events())
        remember(found, self.modes)
        if self.store is not None:
            found.save(self.store)
        return SimulationError(
            why,
            about=f"mode '{self.mode}', after t = {self.node.t:g}",
            advice=ROWS_ATTACHED.format(len(found)),
            trajectory=found,
            step=self.k,
            time=float(self.node.t),
        )

    def _write(self) -> None:
        last, took = self.written
        now = time.monotonic()
        # writing takes at most about a tenth of the time
        if self.store is not None and now - last > max(_SECONDS, 10.0 * took):
            dataclasses.replace(self.result(), events=self.found_events()).save(self.store)
            self.written = (time.monotonic(), time.monotonic() - now)

    def result(self) -> HybridTrajectory:
        """Return the run so far."""
        self.note_touches()
        return self.record.result(self.k, self.node, self._standing())

    def note_touches(self) -> None:
        """Warn of guards that have come to zero and turned back."""
        for mode, guards in self.guards.items():
            for i, when in guards.touched.items():
                self.record.warn(
                    f"the guard of {guards.names([i])} comes to zero, or within a thousandth of "
                    f"its size, near t = {when:.6g} in mode '{mode}' and turns back, which does "
                    "not end the mode: if it should, use a guard that changes its sign"
                )

    # -- resuming ------------------------------------------------------------------------------

    def _standing(self) -> dict[str, np.ndarray]:
        """Return the state from which `take_up` resumes: mode, step, guards, state of the march."""
        counts = {"mode": self.modes.names.index(self.mode), "step": self.k, "stage": self.stage}
        found = {name: np.asarray(float(x)) for name, x in counts.items()}
        found["side"] = np.asarray(self.guards[self.mode].side, float)
        found |= {f"{_SCALE}{name}": x.scale.copy() for name, x in self.guards.items()}
        found |= self.modes.standing()
        if self.events:
            found[_ENDS] = np.array([float(x.ends_at or 0) for x in self.events.values()])
        if self.stopped and self.stops is not None:
            found[_STOPPED] = np.ones(())
        if self.stage == _MARCHING:
            found |= {f"{_MARCH}{name}": x for name, x in self.records.items()}
        return found

    def _former(self, numbers: np.ndarray) -> dict[str, np.ndarray]:
        """Return what `_standing` returns, from the single vector in files of earlier versions."""
        found: dict[str, Any] = dict(zip(("mode", "step", "stage"), numbers))
        guards, at = self.guards[self.modes.names[int(found["mode"])]], 3
        found["side"], at = numbers[at : at + len(guards)], at + len(guards)
        for name, x in self.guards.items():
            found[f"{_SCALE}{name}"], at = numbers[at : at + len(x)].copy(), at + len(x)
        return found | {f"{_MARCH}{FORMER}": numbers[at:]}

    def take_up(self, given: HybridTrajectory) -> None:
        """Continue where another run has ended."""
        found = dict(given.standing)
        if FORMER in found:
            found = self._former(found[FORMER])
        self.mode = self.modes.names[int(found["mode"])]
        self.k, self.stage = int(found["step"]), int(found["stage"])
        guards = self.guards[self.mode]
        guards.side = found["side"].astype(int)
        for name, x in self.guards.items():
            x.scale = found[f"{_SCALE}{name}"].copy()
        march = {k.removeprefix(_MARCH): x for k, x in found.items() if k.startswith(_MARCH)}
        if self.stage == _MARCHING and not march:  # a method that continues from a node alone
            self.stage = _ON_GRID
        if self.stage == _MARCHING:
            self.node = self.stepper.go_on_from(march)
            self.records = self.stepper.records
            guards.reached(self.node, self.stepper.guards(self.node))
        else:
            q, frame = jax.tree.map(lambda x: x[-1], (given.q, given.frame))
            frame = self.stepper.system.groupoid.group.identity() if frame is None else frame
            self.node = Node(float(given.t[-1]), q, given.v[-1], frame)
        ends = np.array([float(x.ends_at or 0) for x in self.events.values()])
        if given.events is not None:
            if not np.array_equal(found.get(_ENDS, 0.0 * ends), ends):
                raise UsageError(
                    "the events given would have ended the run earlier or later: give the "
                    "Event(terminal=, count=) of the original run"
                )
            counts = np.bincount(given.events.which, minlength=len(ends))
            self.earlier = dict(zip(self.events, counts.tolist()))
            self.stopped = bool(np.any((counts == ends) & (ends > 0)))
        self.stopped |= _STOPPED in found
        self.record.given, self.record.warnings = given, list(given.warnings)
        self.record.wall_s = given.meta.wall_s
        self._watch_ranks()
        past = float(self.node.t) - NOW * self.h
        done = [(float(j.t), int(i)) for j, i in zip(given.jumps, given.jumps.transition)]
        self.schedule = [
            (when, i)
            for when, i in self.schedule
            if when > past and not any(i == j and abs(when - t) <= NOW * self.h for t, j in done)
        ]


def _energy_and_power(system: Any, t: Any, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the energy, and the power of all forces but the friction of contacts."""
    return dynamics.energy(system, q, v, t), jnp.sum(system.other_force(t, q, v) * v)
