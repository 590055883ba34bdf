"""Where a mode ends: the first zero of its guards, by steps of other sizes from the row before it.

The root of g in the size of the step is found to the order of the method. A guard whose zero the
motion has just left (after a jump it is round-off) is judged by where it goes next. One that aims
at zero and is on its side again at the next row (|slip|), or whose step fails, is followed down.
The root finders are those of `running.events`; `hybrid_run` says what happens at the end of a mode.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from ..errors import SimulationError
from ..running.events import Outcome, arrival, bracketed_root, crossed
from .mode_program import Marched, ModeProgram, Node, Tried
from .modes import Transition

_EPS = float(np.finfo(float).eps)
AT_ZERO = 1e-11  # of the largest value seen: nearer than this a guard may be at its zero
LADDER = tuple(2.0**-x for x in (12, 9, 6, 3, 0))  # of a step: where to look which way it goes
_RATE = 2.0**-6  # of a step: how far to go for the rate of a guard
TOGETHER = 1e-9  # of a step: zeros nearer than this are at the same instant
DEEP = 0.5  # of its neighbors: below this the least value between rows is looked for
AIM = 1.25  # steps: a guard whose tangent reaches zero in so many is followed within the step
_NEARER = 0.75  # of the way that a guard was followed: where a shorter step begins
_SHORT = 0.1  # of a step: a guard that is stopped so near to its zero would have reached it
_APPROACH = 400  # steps towards a zero that are halved on the way: to round-off and back
RECENT = 16  # rows that are remembered, to say of a failed step what a guard did before
_TOUCH = 1e-3  # of the largest value seen: so near to zero it has touched it, as far as is known


class _ShortenedFails(SimulationError):
    """A step towards a zero fails, and the whole one does not."""


class Ended(NamedTuple):
    """A mode has ended: by which guard, where, and which others vanish there as well."""

    guard: int
    at: Tried | None  # None: at the node itself
    together: tuple[int, ...] = ()


Locate: TypeAlias = Callable[[], Ended]


class Guards:
    """The guards of one mode during one run: which side each is on, how large each has been."""

    def __init__(self, stepper: ModeProgram, transitions: Sequence[Transition]) -> None:
        self.stepper, self.transitions = stepper, tuple(transitions)
        self.direction = np.array([x.direction for x in transitions], int)
        sided = np.array([x.direction != 0 and x.one_sided for x in transitions], bool)
        self.required = np.where(sided, -self.direction, 0)
        self.scale = np.zeros(len(transitions))  # the largest values seen
        self.side = np.zeros(len(transitions), int)
        self.far = np.zeros(len(transitions), bool)  # past their zeros, and not near them
        self.trail: list[tuple[Node, np.ndarray]] = []  # the last two rows of whole steps
        self.rate = np.full(len(transitions), np.nan)  # per time, at the first row of the trail
        self.recent = np.zeros((0, len(transitions)))  # values at the last rows of the arc
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
        self.trail, self.recent = [], self.recent[:0]
        if not len(self):
            return ()
        g0 = self.stepper.guards(node)
        self._check_numbers(g0, node.t)
        self.saw(g0)
        if np.all(np.abs(g0) > AT_ZERO * self.scale) and np.all(self.scale > np.abs(g0)):
            self.side = np.sign(g0).astype(int)
        else:
            self.side = self._leading_to(node, g0, size)
        past = (self.required != 0) & (self.side == -self.required)
        self.far = past & (np.abs(g0) > AT_ZERO * self.scale)
        return tuple(int(i) for i in np.flatnonzero(past))

    def _leading_to(self, node: Node, g0: np.ndarray, size: float) -> np.ndarray:
        """The signs behind the node: of those that are at zero by the first values that count."""
        sign = np.sign(g0).astype(int)
        if not np.all(self.scale > np.abs(g0)):  # nothing else is known yet
            whole = self.stepper.tried(node, size)
            if whole.is_good:
                self.saw(whole.guards[None])
        near = np.abs(g0) <= AT_ZERO * self.scale
        least = 64.0 * np.maximum(np.abs(g0), _EPS * self.scale)
        sign[near] = 0
        for share in LADDER:
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
            if last is None or not np.any(self.wanted(self.side, last.guards)):
                if last is not None:  # no step leads over the zero, but one leads to it
                    at = np.abs(last.guards) <= AT_ZERO * self.scale
                    for i in np.flatnonzero(at & self._counts(self.side)):
                        return tried, Ended(int(i), last)
                ends = [self._followed(node, size, i, fails=True) for i in range(len(self))]
                ends = [x for x in ends if x is not None]
                return tried, earliest(ends) if ends else None
            tried, size = last, last.node.t - node.t
        self._check_numbers(tried.guards, tried.node.t)
        hits = np.flatnonzero(self.wanted(self.side, tried.guards))
        crossing = functools.partial(self._first, node, size, tried, hits) if len(hits) else None
        g0 = self.stepper.guards(node) if len(self) else tried.guards
        rows = np.array([g0, tried.guards])
        aims = self._aims(rows, self._rate_at(node, g0, size) * size)
        ends = [crossing, *(self._followed(node, size, int(i)) for _, i in aims)]
        ends = [x for x in ends if x is not None]
        if not ends:
            self._passed(tried.guards[None])
        return tried, earliest(ends) if ends else None

    def _last_good(self, node: Node, size: float) -> Tried | None:
        """The longest step that can be made, or a shorter one that leads over a zero."""
        good, low, high = None, 0.0, size
        while len(self) and high - low > 2.0 * _EPS * size:
            middle = 0.5 * (low + high)
            tried = self.stepper.tried(node, middle)
            if not tried.is_good:
                high = middle
                if high < size * LADDER[0]:
                    return good
                continue
            good, low = tried, middle
            if np.any(self.wanted(self.side, tried.guards)):
                return good
        return good

    def reached(self, node: Node, values: np.ndarray) -> None:
        """A row from which whole steps go on."""
        self.trail, self.rate = [(node, values)], self._rate_at(node, values, self.stepper.h)

    def _rate_at(self, node: Node, values: np.ndarray, size: float) -> np.ndarray:
        """The rates of the guards at a node, by a step that is short beside `size`."""
        if not len(self):
            return values
        tried = self.stepper.tried(node, size * _RATE)
        return (tried.guards - values) / (size * _RATE) if tried.is_good else np.nan * values

    def _counts(self, sign: np.ndarray) -> np.ndarray:
        """Of guards on these sides, whether they end the mode when they come to zero."""
        return (sign != 0) & (self.side != 0) & (self.direction * sign <= 0)

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

        def locate() -> Ended:
            self._check_numbers(g[end], float(rows.rows.t[end]))
            return self._again(node(end - 1), np.flatnonzero(hits[end]))

        dips = [(int(i) + j, int(e), True) for i, e in self._dips(g[:end]) for j in (-1, 0)]
        known = np.array([*(x for _, x in self.trail), *g[: end + 1]])
        aims = self._aims(known, self.rate * self.stepper.h)
        done = len(self.trail) - 1  # steps before were searched with the rows before
        followed = [(int(i) - len(self.trail), int(e), False) for i, e in aims if i >= done]
        for left, group in itertools.groupby(sorted(dips + followed), lambda x: x[0]):
            self._passed(g[: max(left + 1, 0)])
            at, h = node(left), self.stepper.h
            ends = [self._within(at, e) if dip else self._followed(at, h, e) for _, e, dip in group]
            ends = [x for x in ends if x is not None]
            if ends:
                ends += [locate] if left == end - 1 and end < good else []
                return left + 1, functools.partial(earliest, ends)
        self._passed(g[:end])
        if end == good:
            last = [(rows.node(i), g[i]) for i in range(max(good - 2, 0), good)]
            self.trail = [*self.trail, *last][-2:]
            return good, None
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
            self.recent = np.concatenate([self.recent, values])[-RECENT:]
            last = np.sign(values[-1]).astype(int)
            self.side = np.where((self.side == 0) | (last == 0), self.side, last)

    def missed(self, t: float) -> str:
        """Of a step that fails behind t: the guard that turned round shortly before, in words.

        It came nearer to its zero than its change in two steps: where the step is too long for the
        method, the motion misses the zero, and goes on in a mode that should have ended.
        """
        y, h = np.abs(self.recent), self.stepper.h
        for i in np.flatnonzero(self._counts(self.side)) if len(y) > 2 else ():
            k = int(np.argmin(y[:, i]))
            change = float(np.max(np.abs(np.diff(y[:, i])), initial=0.0))
            if 0 < k < len(y) - 1 and y[k, i] < 2.0 * change:
                return (
                    f"; the guard of {self.names([int(i)])} came down to {y[k, i]:.3g} at t = "
                    f"{t - (len(y) - 1 - k) * h:.6g} and rose again, by up to {change:.3g} a step: "
                    f"with steps of {h:g} {self.stepper.method.name} misses its zero, where the "
                    "mode should have ended. Take a smaller h, or a method of higher order in "
                    "this mode (Gauss)"
                )
        return ""

    # -- zeros -------------------------------------------------------------------------------

    def _first(self, node: Node, size: float, end: Tried, hits: np.ndarray) -> Ended:
        """The first of the zeros in a step, of guards that have changed their sign at its end."""
        found = [self._zero(node, size, end, int(i)) for i in hits]
        times = np.array([node.t if x is None else x.node.t for x in found])
        same = times - times.min() <= TOGETHER * self.stepper.h
        first = int(np.flatnonzero(same)[0])  # declared first
        others = tuple(int(hits[i]) for i in np.flatnonzero(same) if i != first)
        return Ended(int(hits[first]), found[first], others)

    def _zero(self, node: Node, size: float, end: Tried, i: int) -> Tried | None:
        try:
            return self._bracketed(node, size, end, i)
        except _ShortenedFails:
            found = self._approached(node, size, i)
            if found is None:
                raise
            return found

    def _approached(self, node: Node, size: float, i: int) -> Tried | None:
        """The zero by steps that are halved where they fail, or lead past it; None: not reached.

        Where a slip of two rows vanishes its direction turns faster and faster: steps that are
        long beside the time that is left fail, and shorter ones lead on.
        """
        side, zero, left = int(self.side[i]), AT_ZERO * self.scale[i], size
        at, length, best = None, 0.5 * size, math.inf
        for _ in range(_APPROACH):
            tried = self.stepper.tried(node, min(length, left))
            value = side * float(tried.guards[i]) if tried.is_good else -1.0
            if tried.is_good and abs(value) <= zero:
                return tried
            if value < 0.0 or (at is not None and value > best):  # past it: it has turned round
                length *= 0.5
                if length <= 4.0 * _EPS * max(abs(node.t), size):
                    return None if at is None or best > 1e3 * zero else at
                continue
            left, node, at, best = left - (tried.node.t - node.t), tried.node, tried, value
        return None

    def _bracketed(self, node: Node, size: float, end: Tried, i: int) -> Tried | None:
        side, tries = self.side[i], {size: end}

        def g(x: float) -> float:
            if x not in tries:
                tries[x] = self.stepper.tried(node, x)
            if not tries[x].is_good:
                raise _ShortenedFails(
                    f"the zero of the guard of {self.names([i])} after t = {node.t:.15g} could not "
                    "be located: a shortened step fails"
                )
            return float(tries[x].guards[i])

        low, high = 0.0, size
        g_low = float(self.stepper.guards(node)[i])
        if np.sign(g_low) != side or abs(g_low) <= AT_ZERO * self.scale[i]:
            # the motion has left this zero: there is a later one, after it was on its side
            low = 0.5 * size
            while np.sign(g(low)) != side:
                low, high = 0.5 * low, low
                if low < size * LADDER[0]:
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
        deep = (b <= a) & (b <= c) & (bend > 0) & (least < DEEP * np.minimum(a, c))
        counts = self._counts(self.side)
        found = np.argwhere(deep & counts[None] & (np.minimum(a, c) > AT_ZERO * self.scale))
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

    # -- zeros that are reached, and need not be crossed -------------------------------------

    def _aims(self, g: np.ndarray, first: np.ndarray) -> np.ndarray:
        """(row, guard) where a guard goes on to the next row on its side, and aims at its zero.

        By the change from the row before, and `first` at the first row: so |slip| shows its zero,
        which a whole step of a method leads past.
        """
        sign, y = np.sign(g), np.abs(g)
        change = sign * np.diff(g, axis=0, prepend=np.nan)
        change[:1] = sign[:1] * first
        here, after = slice(0, -1), slice(1, None)
        with np.errstate(invalid="ignore"):
            aims = (y + AIM * change <= 0.0)[here] & (sign[here] == sign[after])
        return np.argwhere(aims & self._counts(sign[here]) & (y[here] > AT_ZERO * self.scale))

    def _followed(self, node: Node, size: float, i: int, fails: bool = False) -> Locate | None:
        """What finds the end, if a guard reaches its zero in a step; `fails`: the step does.

        In shorter and shorter steps towards the zero, so that all stages lie before it: a force
        that changes its direction there, as friction does, spoils a step with stages behind it.
        """
        if not self._counts(self.side)[i]:
            return None
        side, zero, tries = int(self.side[i]), AT_ZERO * self.scale[i], dict[float, Tried]()

        def g(x: float) -> float:
            if x not in tries:
                tries[x] = self.stepper.tried(node, x)
            return side * float(tries[x].guards[i]) if tries[x].is_good else math.nan

        start, length = side * float(self.stepper.guards(node)[i]), size
        last = None
        while start > zero and (found := arrival(g, start, length, zero)) is not None:
            at = tries[found.x] if found.x else None
            if found.outcome is Outcome.CROSSES and at is not None:
                hits = self.wanted(self.side, at.guards)
                hits[i] = True
                return functools.partial(self._first, node, found.x, at, np.flatnonzero(hits))
            if found.outcome is Outcome.ARRIVES:
                return lambda: Ended(i, at)
            last, nearer = (found, node.t + found.x), _NEARER * found.x
            if not (zero < found.value < 0.5 * start and g(nearer) < 0.75 * start):
                break
            start, node = g(nearer), tries[nearer].node
            length = min(length - nearer, 4.0 * (found.x + found.ahead - nearer))
            tries.clear()
        if last is None:
            return None
        found, t = last
        if found.outcome is Outcome.BLOCKED and found.ahead <= (1.0 if fails else _SHORT) * size:
            return functools.partial(self._blocked, i, t, found.value)
        if found.value <= _TOUCH * self.scale[i]:
            self.touched.setdefault(i, t)
        return None

    def _blocked(self, i: int, t: float, value: float) -> Ended:
        earlier = 10.0 ** math.ceil(math.log10(2.0 * value))
        raise SimulationError(
            f"the guard of {self.names([i])} falls to {value:.3g} at t = {t:.15g}, and no step "
            "leads on to its zero: steps beyond that time fail, or jump, as where a force changes "
            "its direction at once (friction when the slip vanishes)",
            advice="Let the guard end the mode a little earlier, such as |slip| - "
            f"{earlier:.0e}, or take a smaller h",
        )

    def _check_numbers(self, values: np.ndarray, t: float) -> None:
        bad = np.flatnonzero(np.isnan(values))
        if len(bad):
            raise SimulationError(f"the guard of {self.names(bad)} is not a number at t = {t:.15g}")


def earliest(ends: Sequence[Locate]) -> Ended:
    """The first of several ends."""
    return min((x() for x in ends), key=lambda x: -math.inf if x.at is None else x.at.node.t)
