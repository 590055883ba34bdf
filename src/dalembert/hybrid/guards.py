"""Locate the end of a mode: the first zero of its guards, by shortened steps from the row before.

The root of g as a function of the step size is found to the order of the method. If the motion has
just left the zero of a guard (after a jump its value is round-off), the sign is taken from where
the guard goes next. A guard that heads for zero and is on its side again at the next row (|slip|),
or whose step fails, is followed in shorter and shorter steps. The root finders are those of
`events`; `hybrid_run` decides what happens at the end of a mode.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from ..errors import SimulationError
from ..events import Descent, arrival, bracketed_root, crossed
from .mode_program import Marched, ModeProgram, Node, Tried
from .modes import Transition

_EPS = float(np.finfo(float).eps)
AT_ZERO = 1e-11  # relative to the largest value seen: below this a guard may be at its zero
# fractions of a step after which the direction of a guard is probed
LADDER = tuple(2.0**-x for x in (12, 9, 6, 3, 0))
_RATE = 2.0**-6  # fraction of a step for the difference quotient of a guard
TOGETHER = 1e-9  # fraction of a step: zeros nearer than this are simultaneous
DEEP = 0.5  # below this fraction of its neighbors, a minimum between rows is searched for a zero
AIM = 1.25  # steps: a guard whose tangent reaches zero within so many is followed inside the step
_LATE = 0.8  # a change of a guard below this fraction of the predicted one shows an earlier zero
_NEARER = 0.75  # the next, shorter step begins after this fraction of the followed length
_SHORT = 0.1  # a guard blocked by failing steps this near to its zero (in steps) counts as at zero
_APPROACH = 400  # steps towards a zero, halved where needed: enough to reach round-off
RECENT = 16  # last rows whose guards are stored, to explain a step that fails
_TOUCH = 1e-3  # relative to the largest value seen: below this a minimum counts as touching zero


class _ShortenedFails(SimulationError):
    """A shortened step towards a zero fails, although the whole step does not."""


class Ended(NamedTuple):
    """The end of a mode: the guard, the place, and the other guards that vanish there."""

    guard: int
    at: Tried | None  # the trial step that ends at the zero; None if the node itself is at the zero
    together: tuple[int, ...] = ()


Locate: TypeAlias = Callable[[], Ended]


class Guards:
    """The guards of one mode during one run: the side of each, and its largest value so far."""

    def __init__(self, stepper: ModeProgram, transitions: Sequence[Transition]) -> None:
        self.stepper, self.transitions = stepper, tuple(transitions)
        self.direction = np.array([x.direction for x in transitions], int)
        sided = np.array([x.direction != 0 and x.one_sided for x in transitions], bool)
        self.required = np.where(sided, -self.direction, 0)
        self.scale = np.zeros(len(transitions))  # largest absolute values so far
        self.side = np.zeros(len(transitions), int)
        self.far = np.zeros(len(transitions), bool)  # on the wrong side, and not near zero
        self.trail: list[tuple[Node, np.ndarray]] = []  # the last two rows of unshortened steps
        self.rate = np.full(len(transitions), np.nan)  # per time, at the first row of the trail
        self.recent = np.zeros((0, len(transitions)))  # values at the last rows of the arc
        self.touched: dict[int, float] = {}  # guard -> time at which it touched zero
        self.turns = False  # whether the last scan met a row from which h is too long, see `pace`

    def __len__(self) -> int:
        return len(self.transitions)

    def names(self, which: Sequence[int] | np.ndarray) -> str:
        """Return the titles of some guards, for messages."""
        return " and ".join(f"'{self.transitions[i].title}'" for i in which)

    def saw(self, values: np.ndarray) -> None:
        """Update `scale`, the largest values so far, with values that were reached."""
        if values.size:
            largest = np.max(np.abs(np.where(np.isfinite(values), values, 0.0)), axis=0)
            self.scale = np.maximum(self.scale, largest)

    # -- at the beginning of an arc ----------------------------------------------------------

    def begin(self, node: Node, size: float) -> tuple[int, ...]:
        """Set the sides at the start of an arc; return the guards already past their zeros."""
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
        """Return the signs just after the node; guards at zero take the first clear sign."""
        sign = np.sign(g0).astype(int)
        # no other value of this guard is known yet: take its scale from a whole trial step
        if not np.all(self.scale > np.abs(g0)):
            whole = self.stepper.tried(node, size)
            if whole.is_good:
                self.saw(whole.guards[None])
        near = np.abs(g0) <= AT_ZERO * self.scale
        # A value counts once it is well above the round-off that the guard had at the node.
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
        """The guards that have been zero since the start of the arc, so that they have no side."""
        return tuple(int(i) for i in np.flatnonzero(self.side == 0))

    # -- between two rows --------------------------------------------------------------------

    def wanted(self, before: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return which guards have gone through zero in a direction that counts."""
        return crossed(before, np.sign(values), self.direction)

    def step(self, node: Node, size: float) -> tuple[Tried, Ended | None]:
        """Take a step of this size; return (the step, where in it the mode ends, or None).

        If the step fails beyond the end of the mode, the end is still located.
        """
        tried = self.stepper.tried(node, size)
        if not tried.is_good:
            last = self._last_good(node, size)
            if last is None or not np.any(self.wanted(self.side, last.guards)):
                if last is not None:  # this step ends at a zero, although no step leads across it
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
        """Return the longest step that succeeds, or a shorter one that leads across a zero."""
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
        """Begin the trail at a row from which unshortened steps continue."""
        self.trail, self.rate = [(node, values)], self._rate_at(node, values, self.stepper.h)

    def _rate_at(self, node: Node, values: np.ndarray, size: float) -> np.ndarray:
        """Return the rates of the guards at a node, by a step much shorter than `size`."""
        if not len(self):
            return values
        tried = self.stepper.tried(node, size * _RATE)
        return (tried.guards - values) / (size * _RATE) if tried.is_good else np.nan * values

    def _counts(self, sign: np.ndarray) -> np.ndarray:
        """Return whether guards on these sides end the mode when they come to zero."""
        return (sign != 0) & (self.side != 0) & (self.direction * sign <= 0)

    def scan(self, rows: Marched, good: int) -> tuple[int, Locate | None]:
        """Return how many good rows the mode lasts for, and a function that locates its end.

        The number is -1 if the mode has ended before the last row of the previous scan. The
        function is None if the mode does not end. The function may raise: save the rows first.
        """
        if not len(self) or not good:
            return good, None
        g = rows.guards[:good]
        before = np.concatenate([self.side[None], np.sign(g[:-1])])
        # a guard without a side has none until the arc ends
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
        done = len(self.trail) - 1  # earlier steps were searched together with the rows before
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
        """Locate the end within a step from a node, which may have to be slightly longer.

        A repeated step differs from the first one by round-off, and for GNI, whose state is more
        than a node, by the error of the method. Therefore longer steps are tried as well.
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

    def pace(self, node: Node) -> float:
        """Return the longest step allowed from a node; infinite here, where steps of h will do."""
        return math.inf

    def _passed(self, values: np.ndarray) -> None:
        """Update scale, recent rows and sides with rows within the mode."""
        if values.size:
            self.saw(values)
            self.recent = np.concatenate([self.recent, values])[-RECENT:]
            last = np.sign(values[-1]).astype(int)
            self.side = np.where((self.side == 0) | (last == 0), self.side, last)

    def missed(self, t: float) -> str:
        """Explain a step that fails after t: name a guard that turned back near zero before.

        Such a guard came nearer to zero than it changes in two steps. If the step is too long for
        the method, the computed motion misses the zero, and goes on in a mode that should have
        ended.
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
        """Return the first zero in a step, among guards that have changed their sign at its end."""
        found = [self._zero(node, size, end, int(i)) for i in hits]
        times = np.array([node.t if x is None else x.node.t for x in found])
        same = times - times.min() <= TOGETHER * self.stepper.h
        first = int(np.flatnonzero(same)[0])  # the one declared first
        others = tuple(int(hits[i]) for i in np.flatnonzero(same) if i != first)
        return Ended(int(hits[first]), found[first], others)

    # the zero of guard i in a step, or None if the guard never was on its side
    def _zero(self, node: Node, size: float, end: Tried, i: int) -> Tried | None:
        try:
            return self._bracketed(node, size, end, i)
        except _ShortenedFails:
            found = self._approached(node, size, i)
            if found is None:
                raise
            return found

    def _approached(self, node: Node, size: float, i: int) -> Tried | None:
        """Reach a zero by steps that are halved if they fail or lead past it; None: not reached.

        Where a slip of two rows vanishes, its direction turns faster and faster. Steps that are
        long compared with the remaining time fail; shorter ones succeed.
        """
        side, zero, left = int(self.side[i]), AT_ZERO * self.scale[i], size
        at, length, best = None, 0.5 * size, math.inf
        for _ in range(_APPROACH):
            tried = self.stepper.tried(node, min(length, left))
            value = side * float(tried.guards[i]) if tried.is_good else -1.0
            if tried.is_good and abs(value) <= zero:
                return tried
            # past the zero, or the guard has turned back: take a shorter step
            if value < 0.0 or (at is not None and value > best):
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
            # the motion has just left this zero; look for a later one, after the guard was on its
            # side
            low = 0.5 * size
            while np.sign(g(low)) != side:
                low, high = 0.5 * low, low
                if low < size * LADDER[0]:
                    return None
            g_low = g(low)
        if g(high) == 0.0 and np.sign(g(high + size / 16)) != -side:
            raise SimulationError(
                f"the guard of {self.names([i])} reaches zero at t = {tries[high].node.t:.15g} "
                "and does not change its sign there (it is flat, or only touches zero), so that "
                "the zero cannot end the mode: declare a guard that changes its sign, such as "
                "the coordinate itself"
            )
        return tries[bracketed_root(g, (low, g_low), (high, g(high)), size)]

    # -- zeros that come in pairs ------------------------------------------------------------

    def _dips(self, g: np.ndarray) -> np.ndarray:
        """Return (row, guard) of local minima of |g| that may be zero between two rows there."""
        y = np.abs(np.array([*(x for _, x in self.trail), *g]))
        if len(y) < 3:
            return np.zeros((0, 2), int)
        a, b, c = y[:-2], y[1:-1], y[2:]
        with np.errstate(all="ignore"):
            bend = a - 2.0 * b + c
            least = b - (c - a) ** 2 / (8.0 * bend)  # minimum of the parabola through three rows
        deep = (b <= a) & (b <= c) & (bend > 0) & (least < DEEP * np.minimum(a, c))
        counts = self._counts(self.side)
        found = np.argwhere(deep & counts[None] & (np.minimum(a, c) > AT_ZERO * self.scale))
        return found + np.array([[1 - len(self.trail), 0]])

    def _within(self, node: Node, i: int) -> Locate | None:
        """Return a function that locates two zeros of a guard in a step; None if it has none."""
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

    # -- zeros that are reached but need not be crossed ----------------------------------------

    def _aims(self, g: np.ndarray, first: np.ndarray) -> np.ndarray:
        """Return (row, guard) where a guard heads for zero but is on its side at the next row.

        Cases are included in which the guard is past zero at the next row, but by much less than
        its rate predicts: then the step has led past an earlier zero. The rate is the change from
        the row before, or `first` at the first row. This detects zeros of |slip|, at which the
        guard does not change its sign.
        """
        sign, y = np.sign(g), np.abs(g)
        change = sign * np.diff(g, axis=0, prepend=np.nan)
        change[:1] = sign[:1] * first
        here, after = slice(0, -1), slice(1, None)
        with np.errstate(invalid="ignore"):
            late = y[here] + y[after] < _LATE * -change[here]
            aims = (y + AIM * change <= 0.0)[here] & ((sign[here] == sign[after]) | late)
        return np.argwhere(aims & self._counts(sign[here]) & (y[here] > AT_ZERO * self.scale))

    def _followed(self, node: Node, size: float, i: int, fails: bool = False) -> Locate | None:
        """Return a function that locates the zero that a guard reaches in a step; None if none.

        `fails` says that the step itself fails. The guard is followed in shorter and shorter steps
        towards its zero, so that all stages of the method lie before the zero. If a force changes
        its direction there, as friction does, a step with stages beyond the zero is wrong.
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
            if found.outcome is Descent.CROSSES and at is not None:
                hits = self.wanted(self.side, at.guards)
                hits[i] = True
                return functools.partial(self._first, node, found.x, at, np.flatnonzero(hits))
            if found.outcome is Descent.ARRIVES:
                return lambda: Ended(i, at)
            last, nearer = (found, node.t + found.x), _NEARER * found.x
            # continue nearer to the zero only while the guard decreases substantially
            if not (zero < found.value < 0.5 * start and g(nearer) < 0.75 * start):
                break
            start, node = g(nearer), tries[nearer].node
            length = min(length - nearer, 4.0 * (found.x + found.ahead - nearer))
            tries.clear()
        if last is None:
            return None
        found, t = last
        if found.outcome is Descent.BLOCKED and found.ahead <= (1.0 if fails else _SHORT) * size:
            return functools.partial(self._blocked, i, t, found.value)
        if found.value <= _TOUCH * self.scale[i]:
            self.touched.setdefault(i, t)
        return None

    # raises when the end is located, so that the rows before it are recorded first
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
    """Return the first of several ends."""
    return min((x() for x in ends), key=lambda x: -math.inf if x.at is None else x.at.node.t)
