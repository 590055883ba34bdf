"""Hybrid runs by Taylor's method: each arc is one run, which ends at a guard found in polynomials.

The guards are events of the arc: no sign change of a guard as a polynomial in time is missed,
however long the steps are (`events.detect_polynomials`). Rows lie on the grid t0 + k h and
at the jumps, as in other hybrid runs; steps are as long as the tolerance of the method allows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np

from ..errors import SimulationError, UsageError
from ..events import Event
from ..methods import Row
from ..request.prepare import Prepared
from ..request.step import has_any_times, time_at
from ..rows import Nodes
from ..running.api.simulate import simulate
from ..running.driver import Progress
from ..running.programs.taylor_program import shortened_taylor
from ..running.record.sinks import At
from ..system import System
from .arc_turn import NEAR, NOW
from .guards import TOGETHER, Guards
from .hybrid_run import Candidates, HybridRun
from .mode_program import Marched, ModeProgram, Node, Tried
from .modes import Modes, guard_value

_ON_GRID = 1  # stage of `HybridRun`: at a row of the grid
_ROWS = 64  # rows of one march; rows after the end of the mode are discarded


@dataclasses.dataclass(frozen=True)
class _OfMode:
    """A guard as a function of (t, q, v), in its mode."""

    guard: Any
    system: System

    def __call__(self, t: Any, q: Any, v: Any) -> Any:
        return guard_value(self.guard, self.system, t, q, v)


class TaylorMode(ModeProgram):
    """One mode by Taylor's method: a step of h is as many steps as the tolerance requires."""

    at: tuple[Node, int] | None = None  # where the last march has ended

    def march(self, node: Node, k: int, until: int, budget: int) -> Marched:
        """Take steps of h from the node at step k, up to one that fails or ends the mode."""
        found: list[Tried] = []
        side = np.sign(self.guards(node))
        while len(found) < min(budget, until - k, _ROWS):
            made = self.tried(node, self.time_of(k + len(found) + 1) - node.t)
            node = made.node._replace(t=self.time_of(k + len(found) + 1))
            found.append(made._replace(row=made.row._replace(t=np.asarray(node.t)), node=node))
            if not made.is_good or np.any(np.sign(made.guards) != side):
                break
        self.at = node, k + len(found)
        one = [(x.row, x.node.frame, x.guards, x.beside) for x in found]
        rows, frames, guards, beside = jax.tree.map(lambda *x: np.stack(x), *one)
        return Marched(k + 1 + np.arange(len(found)), rows, frames, guards, beside)

    def march_on(self, until: int, budget: int) -> Marched:
        """Continue where the last march has ended."""
        assert self.at is not None
        return self.march(*self.at, until, budget)

    @property
    def records(self) -> dict[str, np.ndarray]:
        """Empty, because the method continues from a node alone."""
        return {}

    def tried(self, node: Node, size: float, carry: Any = None) -> Tried:
        """Take one step of this size from a node."""
        zeros = self.plan.state.zeros()
        given = Prepared(self.system, self.method, self.plan, self.dynamic, size, node.t, zeros)
        one = jax.tree.map(lambda x: np.asarray(x)[None], (node.t, node.q, node.v, node.frame))
        row, frame = shortened_taylor(given, Nodes(np.zeros(1, int), *one), np.array([size]))
        row, frame = jax.tree.map(lambda x: x[0], (row, frame))
        there = Node(float(row.t), row.q, np.asarray(row.v), frame)
        values, beside = self._both(there)
        return Tried(row, there, values, None, beside)

    @property
    def engine(self) -> tuple[str, str]:
        """Taylor's method is native code."""
        return "native", ""


class TaylorRun(HybridRun):
    """The state of a hybrid run all of whose modes are run by Taylor's method."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._compiled = True  # no turns to compile: arcs are native code
        self._events: dict[str, list[_OfMode]] = {}
        for name, x in self.steppers.items():
            if x.system.groupoid.group.dim:
                raise UsageError(
                    f"mode '{name}' is a reduced system, and Taylor's method does not reconstruct "
                    "its motion across jumps: use Gauss(4)"
                )

    def _arc(self, bar: Progress) -> Candidates:
        guards = self.guards[self.mode]
        past = guards.begin(self.node, self.h)
        if past:
            return tuple(guards.transitions[i] for i in past)
        if guards.unseen:
            self.record.warn(
                f"the guard of {guards.names(guards.unseen)} stays at zero in mode '{self.mode}' "
                f"from t = {self.node.t:.6g} on: it was ignored in this arc"
            )
        due, end = self._next_due(), float(time_at(self.t0, self.h, self.steps))
        stop = end if due is None or due > end else due
        if stop - self.node.t <= NOW * self.h:
            if due is not None and stop == due:
                return self._due()
            self.k = self.steps
            return ()
        ended = self._run_until(guards, stop, bar)
        if ended or self.stopped:
            return ended
        return self._due() if due is not None and stop == due else ()

    def _run_until(self, guards: Guards, stop: float, bar: Progress) -> Candidates:
        """Run the mode up to a time; return the transitions whose guards vanish before it."""
        first = self._grid_before(self.node.t) + 1
        k = np.arange(first, self.steps + 1)
        times = time_at(self.t0, self.h, k)
        inside = (times > self.node.t + NEAR * self.h * (self.stage != _ON_GRID)) & (times <= stop)
        k, times = k[inside], times[inside]
        at = np.unique(np.append(times, stop))
        system, method = self.stepper.system, self.stepper.method
        try:
            run = simulate(
                system, method, self.node.q, self.node.v, t0=self.node.t, t=stop,
                events=self._watched(guards), save=At(at.tolist()), project=True, progress=False,
            )  # fmt: skip
        except SimulationError as error:
            raise self._failure(str(error)) from error
        bar.update(self.k)
        found = run.events if run.events is not None and len(run.events) else None
        until = float(found.t[-1]) if found is not None else stop
        rows, frame = _rows_of(run), self.node.frame
        on_grid = np.isin(rows.t, times) & (rows.t <= until)
        count = int(np.sum(on_grid))
        if count:
            row = jax.tree.map(lambda x: x[on_grid], rows)
            frames = jax.tree.map(lambda x: np.repeat(np.asarray(x)[None], count, axis=0), frame)
            rule = self._stop_in(row, frames, k[:count], count)
            if rule is not None:
                row, frames = jax.tree.map(lambda x: x[: rule + 1], (row, frames))
                count, self.stopped = rule + 1, True
            self.record.many(self.mode, row, frames, k[:count], last=self.stopped)
            self.k, self.stage = int(k[count - 1]), _ON_GRID
            self._stand_at(row, count - 1)
            if self.stopped:
                return ()
        if found is None:
            if self.node.t != stop:  # a scheduled time between two rows of the grid
                self._stand_at(rows, len(rows.t) - 1)
                self.record.one(self.mode, jax.tree.map(lambda x: x[-1], rows), self.node)
            return ()
        self.stage = 0
        there = _rows_of(found, result=np.zeros(len(found), int))
        self._stand_at(there, len(found) - 1)
        self.record.one(self.mode, jax.tree.map(lambda x: x[-1], there), self.node)
        return self._vanished(guards, int(found.which[-1]))

    def _stand_at(self, rows: Row, i: int) -> None:
        q, v = jax.tree.map(lambda x: x[i], (rows.q, rows.v))
        self.node = Node(float(rows.t[i]), q, np.asarray(v), self.node.frame)

    def _watched(self, guards: Guards) -> Mapping[str, Event] | None:
        """Return the guards as events that end the run when a guard leaves its present side."""
        mine = self._events.setdefault(
            self.mode, [_OfMode(x.guard, self.stepper.system) for x in guards.transitions]
        )
        found = {}
        for i, (g, x) in enumerate(zip(mine, guards.transitions, strict=True)):
            side = int(guards.side[i])
            if side and x.direction in (0, -side):
                found[f"{i}"] = Event(g, -side, terminal=True)
        self._numbers = [int(name) for name in found]
        return found or None

    def _vanished(self, guards: Guards, which: int) -> Candidates:
        """Return the transition of an event, and those whose guards vanish at the same instant."""
        i = self._numbers[which]
        beyond = self.stepper.tried(self.node, TOGETHER * self.h)
        together = {i}
        if beyond.is_good:
            signs = np.sign(beyond.guards)
            together |= {j for j in self._numbers if signs[j] == -guards.side[j]}
        return tuple(guards.transitions[j] for j in sorted(together))


def _rows_of(run: Any, **known: Any) -> Row:
    """Return rows of a trajectory or of events; `known` gives the fields that they lack."""
    fields: dict[str, Any] = {x: getattr(run, x) for x in Row._fields if x not in known} | known
    return Row(**jax.tree.map(np.asarray, fields))


def is_taylor(steppers: Mapping[str, ModeProgram]) -> bool:
    """Return whether all modes use Taylor's method; raise `UsageError` if only some do."""
    found = {name: has_any_times(x.method) for name, x in steppers.items()}
    if any(found.values()) and not all(found.values()):
        other = next(name for name, x in found.items() if not x)
        raise UsageError(
            f"Taylor's method runs all modes of a hybrid run, or none: '{other}' has "
            f"{steppers[other].method.name}"
        )
    return all(found.values())


def run_of(modes: Modes, steppers: dict[str, ModeProgram], every: int, limit: int) -> HybridRun:
    """Return the run of these modes, by Taylor's method or by steps of one size."""
    taylor = is_taylor(steppers)
    if taylor and modes.decides and not modes.one_program:
        raise UsageError("modes of across_ranks need a method with fixed steps, such as Gauss(4)")
    # one program for all modes: guards that depend on the mode cannot be events of an arc
    kind: Callable[..., HybridRun] = TaylorRun if taylor and not modes.decides else HybridRun
    return kind(modes, steppers, every, limit)
