"""Where a mode ends: the first zero of its guards, by steps of other sizes from the row before it.

The root of g in the size of the step is found to the order of the method. A guard whose zero the
motion has just left (after a jump it is round-off) is judged by where it goes next.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from ..errors import SimulationError
from ..running.events import bracketed_root, crossed
from .modes import Transition
from .stepping import Marched, Node, Stepper, Tried

_EPS = float(np.finfo(float).eps)
_AT_ZERO = 1e-11  # of the largest value seen: nearer than this a guard may be at its zero
_LADDER = tuple(2.0**-x for x in (12, 9, 6, 3, 0))  # of a step: where to look which way it goes
_TOGETHER = 1e-9  # of a step: zeros nearer than this are at the same instant
_DEEP = 0.5  # of its neighbors: below this the least value between rows is looked for
_TOUCH = 1e-3  # of the largest value seen: so near to zero it has touched it, as far as is known


class Ended(NamedTuple):
    """A mode has ended: by which guard, where, and which others vanish there as well."""

    guard: int
    at: Tried | None  # None: at the node itself
    together: tuple[int, ...] = ()


Locate: TypeAlias = Callable[[], Ended]


class Guards:
    """The guards of one mode during one run: which side each is on, how large each has been."""

    def __init__(self, stepper: Stepper, transitions: Sequence[Transition]) -> None:
        self.stepper, self.transitions = stepper, tuple(transitions)
        self.direction = np.array([x.direction for x in transitions], int)
        sided = np.array([x.direction != 0 and x.one_sided for x in transitions], bool)
        self.required = np.where(sided, -self.direction, 0)
        self.scale = np.zeros(len(transitions))  # the largest values seen
        self.side = np.zeros(len(transitions), int)
        self.far = np.zeros(len(transitions), bool)  # past their zeros, and not near them
        self.trail: list[tuple[Node, np.ndarray]] = []  # the last two rows of whole steps
        self.touched: dict[int, float] = {}  # guards that came to zero and turned round: when

    def __len__(self) -> int:
        return len(self.transitions)

    def names(self, which: Sequence[int] | np.ndarray) -> str:
        """The titles of some, for messages."""
        return " and ".join(f"'{self.transitions[i].title}'" for i in which)

    def saw(self, values: np.ndarray) -> None:
        """Values that were reached."""
        if values.size:
            largest = np.max(np.abs(np.where(np.isfinite(values), values, 0.0)), axis=0)
            self.scale = np.maximum(self.scale, largest)

    # -- at the beginning of an arc ----------------------------------------------------------

    def begin(self, node: Node, size: float) -> tuple[int, ...]:
        """Take sides; the guards that have ended the mode before it began."""
        self.trail = []
        if not len(self):
            return ()
        g0 = self.stepper.guards(node)
        self._check_numbers(g0, node.t)
        self.saw(g0)
        if np.all(np.abs(g0) > _AT_ZERO * self.scale) and np.all(self.scale > np.abs(g0)):
            self.side = np.sign(g0).astype(int)
        else:
            self.side = self._leading_to(node, g0, size)
        past = (self.required != 0) & (self.side == -self.required)
        self.far = past & (np.abs(g0) > _AT_ZERO * self.scale)
        return tuple(int(i) for i in np.flatnonzero(past))

    def _leading_to(self, node: Node, g0: np.ndarray, size: float) -> np.ndarray:
        """The signs behind the node: of those that are at zero by the first values that count."""
        sign = np.sign(g0).astype(int)
        if not np.all(self.scale > np.abs(g0)):  # nothing else is known yet
            whole = self.stepper.tried(node, size)
            if whole.is_good:
                self.saw(whole.guards[None])
        near = np.abs(g0) <= _AT_ZERO * self.scale
        least = 64.0 * np.maximum(np.abs(g0), _EPS * self.scale)
        sign[near] = 0
        for share in _LADDER:
            if not np.any(near):
                break
            tried = self.stepper.tried(node, share * size)
            if tried.is_good:
                clear = near & (np.abs(tried.guards) > least)
                sign = np.where(clear, np.sign(tried.guards), sign).astype(int)
                near &= ~clear
        return sign

    @property
    def unseen(self) -> tuple[int, ...]:
        """The guards that stay at zero from the beginning of the arc on: they have no side."""
        return tuple(int(i) for i in np.flatnonzero(self.side == 0))

    # -- between two rows --------------------------------------------------------------------

    def wanted(self, before: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Which have gone through zero in a direction that counts."""
        return crossed(before, np.sign(values), self.direction)

    def step(self, node: Node, size: float) -> tuple[Tried, Ended | None]:
        """A step of this size, or where in it the mode ends; a step may fail behind the end."""
        tried = self.stepper.tried(node, size)
        if not tried.is_good:
            last = self._last_good(node, size)
            if last is None:
                return tried, None
            hits = np.flatnonzero(self.wanted(self.side, last.guards))
            if not len(hits):  # no step leads over the zero, but one leads to it
                at = np.abs(last.guards) <= _AT_ZERO * self.scale
                counts = (self.side != 0) & (self.direction * self.side <= 0)
                found = np.flatnonzero(at & counts)
                return tried, Ended(int(found[0]), last) if len(found) else None
            tried, size = last, last.node.t - node.t
        self._check_numbers(tried.guards, tried.node.t)
        hits = np.flatnonzero(self.wanted(self.side, tried.guards))
        if len(hits):
            return tried, self._first(node, size, tried, hits)
        self._passed(tried.guards[None])
        return tried, None

    def _last_good(self, node: Node, size: float) -> Tried | None:
        """The longest step that can be made, or a shorter one that leads over a zero."""
        good, low, high = None, 0.0, size
        while len(self) and high - low > 2.0 * _EPS * size:
            middle = 0.5 * (low + high)
            tried = self.stepper.tried(node, middle)
            if not tried.is_good:
                high = middle
                if high < size * _LADDER[0]:
                    return good
                continue
            good, low = tried, middle
            if np.any(self.wanted(self.side, tried.guards)):
                return good
        return good

    def reached(self, node: Node, values: np.ndarray) -> None:
        """A row from which whole steps go on."""
        self.trail = [(node, values)]

    def scan(self, rows: Marched, good: int) -> tuple[int, Locate | None]:
        """How many of the good rows the mode lasts for, and what finds its end, if it ends.

        -1 of them: it has ended before the last row of those that were scanned before. (To find
        the end may fail, and the rows are to be kept before.)
        """
        if not len(self) or not good:
            return good, None
        g = rows.guards[:good]
        before = np.concatenate([self.side[None], np.sign(g[:-1])])
        # a guard without a side stays without one until the arc ends
        before = np.where(self.side[None] == 0, 0, before)
        hits, wrong = self.wanted(before, g), np.any(np.isnan(g), axis=1)
        first = np.flatnonzero(np.any(hits, axis=1) | wrong)
        end = int(first[0]) if len(first) else good

        def node(i: int) -> Node:
            return rows.node(i) if i >= 0 else self.trail[i][0]

        for i, e in self._dips(g[:end]):
            for left in (i - 1, i):
                self._passed(g[: max(left + 1, 0)])
                found = self._within(node(left), int(e))
                if found is not None:
                    return left + 1, found
        self._passed(g[:end])
        if end == good:
            last = [(rows.node(i), g[i]) for i in range(max(good - 2, 0), good)]
            self.trail = [*self.trail, *last][-2:]
            return good, None

        def locate() -> Ended:
            self._check_numbers(g[end], float(rows.rows.t[end]))
            return self._again(node(end - 1), np.flatnonzero(hits[end]))

        return end, locate

    def _again(self, node: Node, hits: np.ndarray) -> Ended:
        """The end within a step from a node; made anew, the step may have to be a little longer.

        (By round-off, and of GNI, which carries more than a node, by its error.)
        """
        for stretched in (1.0, 1.0 + 1e-9, 1.125, 1.5, 2.0):
            size = stretched * self.stepper.h
            tried = self.stepper.tried(node, size)
            found = np.flatnonzero(self.wanted(self.side, tried.guards))
            if len(found) and tried.is_good:
                return self._first(node, size, tried, found)
        raise SimulationError(
            f"the zero of the guard of {self.names(hits)} after t = {node.t:.15g} could not be "
            "located: a step from the row before does not lead to it; a smaller h may help"
        )

    def _passed(self, values: np.ndarray) -> None:
        """Rows that the mode has lasted for."""
        if values.size:
            self.saw(values)
            last = np.sign(values[-1]).astype(int)
            self.side = np.where((self.side == 0) | (last == 0), self.side, last)

    # -- zeros -------------------------------------------------------------------------------

    def _first(self, node: Node, size: float, end: Tried, hits: np.ndarray) -> Ended:
        """The first of the zeros in a step, of guards that have changed their sign at its end."""
        found = [self._zero(node, size, end, int(i)) for i in hits]
        times = np.array([node.t if x is None else x.node.t for x in found])
        same = times - times.min() <= _TOGETHER * self.stepper.h
        first = int(np.flatnonzero(same)[0])  # declared first
        others = tuple(int(hits[i]) for i in np.flatnonzero(same) if i != first)
        return Ended(int(hits[first]), found[first], others)

    def _zero(self, node: Node, size: float, end: Tried, i: int) -> Tried | None:
        side, tries = self.side[i], {size: end}

        def g(x: float) -> float:
            if x not in tries:
                tries[x] = self.stepper.tried(node, x)
            if not tries[x].is_good:
                raise SimulationError(
                    f"the zero of the guard of {self.names([i])} after t = {node.t:.15g} could not "
                    "be located: a shortened step fails"
                )
            return float(tries[x].guards[i])

        low, high = 0.0, size
        g_low = float(self.stepper.guards(node)[i])
        if np.sign(g_low) != side or abs(g_low) <= _AT_ZERO * self.scale[i]:
            # the motion has left this zero: there is a later one, after it was on its side
            low = 0.5 * size
            while np.sign(g(low)) != side:
                low, high = 0.5 * low, low
                if low < size * _LADDER[0]:
                    return None
            g_low = g(low)
        if g(high) == 0.0 and np.sign(g(high + size / 16)) != -side:
            raise SimulationError(
                f"the guard of {self.names([i])} reaches zero at t = {tries[high].node.t:.15g} and "
                "does not change its sign there (it is flat, or only touches zero), so that its "
                "zero says nothing: declare a guard that changes its sign, such as the coordinate "
                "itself"
            )
        return tries[bracketed_root(g, (low, g_low), (high, g(high)), size)]

    # -- zeros that come in pairs ------------------------------------------------------------

    def _dips(self, g: np.ndarray) -> np.ndarray:
        """(row, guard) where a guard is least among neighbors, and may reach zero between them."""
        y = np.abs(np.array([*(x for _, x in self.trail), *g]))
        if len(y) < 3:
            return np.zeros((0, 2), int)
        a, b, c = y[:-2], y[1:-1], y[2:]
        with np.errstate(all="ignore"):
            bend = a - 2.0 * b + c
            least = b - (c - a) ** 2 / (8.0 * bend)  # of the parabola through three rows
        deep = (b <= a) & (b <= c) & (bend > 0) & (least < _DEEP * np.minimum(a, c))
        counts = (self.side != 0) & (self.direction * self.side <= 0)
        found = np.argwhere(deep & counts[None] & (np.minimum(a, c) > _AT_ZERO * self.scale))
        return found + np.array([[1 - len(self.trail), 0]])

    def _within(self, node: Node, i: int) -> Locate | None:
        """What finds the end, if a guard of one sign at both ends of a step has another inside."""
        h, side = self.stepper.h, int(np.sign(self.stepper.guards(node)[i]))
        sizes = [j * h / 8 for j in range(1, 9)]
        least, best = math.inf, 0.0
        for x in sizes:
            tried = self.stepper.tried(node, x)
            if tried.is_good and tried.guards[i] * side < 0:
                hits = self.wanted(self.side, tried.guards)
                hits[i] = True
                return functools.partial(self._first, node, x, tried, np.flatnonzero(hits))
            if tried.is_good and tried.guards[i] * side < least:
                least, best = float(tried.guards[i] * side), x
        if least <= _TOUCH * self.scale[i]:
            self.touched.setdefault(i, node.t + best)
        return None

    def _check_numbers(self, values: np.ndarray, t: float) -> None:
        bad = np.flatnonzero(np.isnan(values))
        if len(bad):
            raise SimulationError(f"the guard of {self.names(bad)} is not a number at t = {t:.15g}")
