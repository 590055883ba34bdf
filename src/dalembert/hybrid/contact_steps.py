"""Guards of contacts, and the short steps with which slips of two rows begin and end.

A slip s of two rows that begins from zero turns to its direction at the rate mu load/|s|, which is
large. A step that is long compared with the time since the slip began fails, or finds another
solution of its equations. Steps therefore begin short, each guessed from the one before, and grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..errors import SimulationError
from ..linalg import NO_CONVERGENCE
from .contact_decision import First
from .contact_pace import AGAIN, GROWTH, LEAST, gone, longest_step, spent
from .coulomb import SINGULAR, STICKS, ContactGuard
from .guards import Ended, Guards, Locate
from .mode_program import Marched, ModeProgram, Node, Tried
from .modes import Transition

_PARTS = 1 << 16  # steps of one interval at most; ends of slips take thousands for small h
# m/s: if no part of a step succeeds, a slip below this speed has vanished. In runs that end so,
# speeds of 1e-10 to 1e-12 were seen.
_VANISHED = 1e-9


class _Touched(dict[int, float]):
    """Guards that came to zero and turned back, without those of slips and of Painleve's region.

    These two kinds are no reason for a warning: by Coulomb's law a slip may nearly vanish and turn
    back, and the determinant of Painleve's region is small when some slips begin, and then grows.
    """

    def __init__(self, left_out: set[int]) -> None:
        super().__init__()
        self.left_out = left_out

    def setdefault(self, key: int, default: float = 0.0) -> float:
        return default if key in self.left_out else super().setdefault(key, default)


class ContactGuards(Guards):
    """Guards of contacts: after a decision all of them are on their side, however near to zero."""

    # These two belong to the run. "slip": the first move, if a slip of two rows begins.
    begins: dict[str, First] = {}
    largest: dict[int, float] = {}  # for each slip of two rows, its largest speed so far

    def __init__(self, stepper: ModeProgram, transitions: Sequence[Transition]) -> None:
        super().__init__(stepper, transitions)
        self.touched = _Touched(set(_of_kind(transitions, STICKS, SINGULAR)))
        groups = stepper.system.contact_plan.groups  # pyright: ignore
        two = [i for i, x in enumerate(groups) if len(x.rows) == 2]
        sticks = {transitions[i].guard.index: i for i in _of_kind(transitions, STICKS)}  # pyright: ignore
        self._order = stepper.method.traits.order
        self._two_rows = {k: sticks[g] for k, g in enumerate(two)}  # by order in `beside`

    @property
    def delicate(self) -> bool:
        """Whether a slip of two rows has just begun."""
        return "slip" in self.begins

    def _leading_to(self, node: Node, g0: np.ndarray, size: float) -> np.ndarray:
        if self.delicate:
            return np.where(g0 == 0.0, self.required, np.sign(g0)).astype(int)
        sign = super()._leading_to(node, g0, size)
        return np.where(sign == 0, self.required, sign)

    def paces(self, beside: np.ndarray) -> np.ndarray:
        """Return the longest step from each of these rows, where slips of two rows turn."""
        most = np.maximum.accumulate(np.maximum(beside[:, 0::3], self._largest()), axis=0)
        return longest_step(beside, most, self.stepper.h, self._order, np)

    def pace(self, node: Node) -> float:
        """Return the longest step from a node; infinite if steps of h will do."""
        return self.pace_of(self.stepper.beside(node))

    def pace_of(self, beside: np.ndarray) -> float:
        """Return the longest step from a row, as `paces` does for many."""
        return float(longest_step(beside, self._largest(), self.stepper.h, self._order, np))

    def _largest(self) -> np.ndarray:
        return np.array([self.largest.get(g, 0.0) for g in range(len(self._two_rows))])

    def noted(self, beside: np.ndarray) -> None:
        """Record the largest slip speeds at rows; that of a slip that has stopped becomes zero."""
        for g in range(beside.shape[-1] // 3):
            sizes = beside.reshape(-1, beside.shape[-1])[:, 3 * g]
            if len(sizes):
                most = float(np.max(sizes, initial=self.largest.get(g, 0.0)))
                self.largest[g] = most if sizes[-1] > 0.0 else 0.0

    def gone(self, beside: np.ndarray) -> tuple[int, float] | None:
        """Return the guard of a slip that has turned and is about to vanish, and the time left."""
        found, which, time = gone(beside, self._largest(), np)
        return (self._two_rows[int(which)], float(time)) if found else None

    def spent(self, beside: np.ndarray) -> int | None:
        """Return the guard of a slip that has vanished if no step from here succeeds."""
        found, which = spent(beside, self._largest(), np)
        return self._two_rows[int(which)] if found else None

    def turned(self, hits: Iterable[int]) -> bool:
        """Return whether one of these guards is that of a slip of two rows."""
        return any(int(i) in self._two_rows.values() for i in hits)

    def begin(self, node: Node, size: float) -> tuple[int, ...]:
        self.noted(self.stepper.beside(node))
        return super().begin(node, size)

    def scan(self, rows: Marched, good: int) -> tuple[int, Locate | None]:
        paces = self.paces(rows.beside[:good])
        short = np.flatnonzero(np.isfinite(paces))
        end = int(short[0]) + 1 if len(short) else good
        count, locate = super().scan(rows, end)
        self.noted(rows.beside[: max(count, 0)])
        self.turns = locate is None and bool(len(short))
        return count, locate

    def step(self, node: Node, size: float) -> tuple[Tried, Ended | None]:
        if not self.delicate and self.pace(node) >= size:
            return super().step(node, size)
        tried = self.stepper.tried(node, LEAST * self.stepper.h)
        failed = tried.row._replace(result=np.asarray(NO_CONVERGENCE))
        return tried._replace(row=failed), None  # `in_parts` follows


def in_parts(run: Any, guards: Guards, end: float) -> tuple[Tried, Ended | None] | None:
    """Take steps from the node of a run to the time `end`; return the last one, or None.

    A step that fails is halved, steps that succeed grow, and steps are short while a slip turns.
    These steps are not recorded as rows. An end of the mode counts once shorter steps lead to it,
    too.
    """
    h, stepper, carry, beside = run.h, run.stepper, None, None
    size = end - run.node.t
    if isinstance(guards, ContactGuards) and guards.delicate:
        first = guards.begins.pop("slip")
        there = Node(first.t, first.q, first.v, run.node.frame)
        size = min(0.5 * size, float(first.size) or size)
        if run.node.t < first.t < end:
            run.node = there
            guards._passed(stepper.guards(there)[None])
    for _ in range(_PARTS):
        left = end - run.node.t
        pace = np.inf
        if isinstance(guards, ContactGuards):
            beside = stepper.beside(run.node) if beside is None else beside
            guards.noted(beside)
            ends = guards.gone(beside)
            if ends is not None:  # the slip is about to vanish: step to its end at once
                last = stepper.tried(run.node, ends[1], carry)
                return last, Ended(ends[0], last if last.is_good else None)
            pace = guards.pace_of(beside)
        size = min(size, pace)
        size = left if size > 0.6 * left and pace >= left else min(size, left)
        part = stepper.tried(run.node, size, carry)
        hits = np.flatnonzero(guards.wanted(guards.side, part.guards)) if part.is_good else ()
        crosses = len(hits) > 0
        # A slip that begins turns much faster than its speed changes. A part of the size `pace` may
        # then lead across the slip's guard although shorter parts do not.
        known = size == pace and isinstance(guards, ContactGuards) and not guards.turned(hits)
        if crosses and (size <= AGAIN * h or known):
            ended = _vanished(guards, stepper.guards(run.node))
            return _searched(guards, run.node, size) or (ended and (part, ended))
        if not part.is_good and isinstance(guards, ContactGuards):
            over = guards.spent(beside)  # pyright: ignore[reportArgumentType]
            if over is not None:
                return part, Ended(over, None)
        if crosses or not part.is_good:
            size *= 0.5
            if size < LEAST * h:  # a slip vanishes here, or no step succeeds
                ended = _vanished(guards, stepper.guards(run.node))
                return _searched(guards, run.node, left) or (ended and (part, ended))
            continue
        if size == left:
            guards._passed(part.guards[None])
            return part, None
        run.node, carry, beside = part.node, part.carry, part.beside
        guards._passed(part.guards[None])
        size *= GROWTH
    return None


def _of_kind(transitions: Sequence[Transition], *kinds: str) -> list[int]:
    """Return which transitions have guards of contacts of these kinds."""
    guards = enumerate(x.guard for x in transitions)
    return [i for i, g in guards if isinstance(g, ContactGuard) and g.kind in kinds]


def _vanished(guards: Guards, values: np.ndarray) -> Ended | None:
    """Return the end at the present node, if parts have led to where a slip of two rows vanishes.

    Near its end the slip's direction turns too fast for any step, and the time that is left is
    shorter than the shortest part.
    """
    slips = _of_kind(guards.transitions, STICKS)
    least = min(((abs(float(values[i])), i) for i in slips), default=(np.inf, 0))
    return Ended(least[1], None) if least[0] <= _VANISHED else None


def _searched(guards: Guards, node: Node, size: float) -> tuple[Tried, Ended | None] | None:
    """Search a step for the end of the mode; None if none is located."""
    try:
        tried, ended = Guards.step(guards, node, size)
    except SimulationError:
        return None
    return (tried, ended) if ended is not None else None
