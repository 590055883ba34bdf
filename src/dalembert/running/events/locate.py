"""Where a function vanishes: between two rows by a shortened step, and roots of one number.

All methods are one-step maps of (q, v) once they are started anew from a row, so a step of any
size leads to the point at its end as well as the method can: the root of g in the size of the step
(`Locator`) is found to the order of the method, which no line between rows reaches. (GNI carries
more than (q, v); a step of it from a new start is of its own order too.)

`BracketedRoots` is Chandrupatla's method (T. R. Chandrupatla, Adv. Eng. Software 28, 1997): inverse
quadratic interpolation where three points allow it, bisection elsewhere. The caller evaluates, so
that a value may be a step of a run; many roots are sought at once. `arrival` follows a function
that may come to zero and not change its sign.

`roots` finds all roots of a polynomial by its Bernstein coefficients. A polynomial whose
coefficients on an interval have one sign has no root there, and one whose signs change once has
exactly one (Descartes). Intervals are split until one of the two holds, so that no root is missed
however many there are; what is left at the smallest interval is a double root, where the sign does
not change.
"""

from __future__ import annotations

import enum
import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np

from ...linalg import OK
from ...methods import Row
from ...results.polynomials import horner
from ...system import Point
from ..rows import Node, ShortenedSteps

_TRIALS = 200  # of a bracket: half of them are enough for a root near its end, with a kink there
_EPS = float(np.finfo(float).eps)
_PROBE = 1.0 / 64.0  # of a step of `arrival`: the distance of two values for a derivative
_SHORT_OF = 31.0 / 32.0  # of the way to the zero of a tangent: two probes remain before it
_CLOSE = 1e-12  # of the size: values nearer than this differ by round-off
_FULL_RATE = 0.1  # of the mean rate: slower than this at its zero, a function has slowed down
_DEPTH = 60  # splits of an interval: 2^-60 is below the spacing of numbers near 1
_SHARES = (0.4871, 0.5319, 0.4423)  # where an interval is split if not in the middle
_NOISE = 64 * _EPS  # of the sum of all terms: below it nobody knows a sign


class BracketedRoots:
    """Roots of many functions at once, each between two places where its signs differ.

    The root lies between a and b, c is the point before; x is tried next: evaluate the functions
    `open` there, and `add` the values. It is over when a and b are 2 eps `size` apart. Where a
    function jumps, or has a pole, it need not be small at the end.
    """

    def __init__(
        self,
        low: np.ndarray,
        f_low: np.ndarray,
        high: np.ndarray,
        f_high: np.ndarray,
        size: np.ndarray,
    ) -> None:
        self.size, self.sign, self.trials = size, np.sign(f_low), 0
        self.a, self.b, self.c = high.copy(), low.copy(), low.copy()
        self.fa, self.fb, self.fc = f_high.copy(), f_low.copy(), f_low.copy()
        # where no sign has changed (by round-off) the root is the end itself
        self.is_open = (np.sign(f_low) != np.sign(f_high)) & (f_high != 0) & np.isfinite(f_high)
        with np.errstate(all="ignore"):
            self.x = low + (high - low) * f_low / (f_low - f_high)

    @property
    def open(self) -> np.ndarray:
        """Which go on."""
        return np.flatnonzero(self.is_open)

    def add(self, which: np.ndarray, f: np.ndarray) -> np.ndarray:
        """Take the values at x of some; returns which of them lie behind the root.

        Each of these is nearer to the root than those before: at the last one the sign has changed.
        """
        self.trials += 1
        a, b, c, fa, fb, fc = (
            y[which] for y in (self.a, self.b, self.c, self.fa, self.fb, self.fc)
        )
        x = self.x[which]
        same = np.sign(f) == np.sign(fa)
        b, c, fb, fc = (np.where(same, *y) for y in ((b, a), (a, b), (fb, fa), (fa, fb)))
        a, fa = x, f
        with np.errstate(all="ignore"):
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            smooth = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            share = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (
                fc - fb
            )
            share = np.where(smooth & np.isfinite(share), share, 0.5)
            least = 2 * _EPS * self.size[which] / np.abs(b - a)
        self.x[which] = a + np.clip(share, np.minimum(least, 0.5), np.maximum(1 - least, 0.5)) * (
            b - a
        )
        for name, y in zip(("a", "b", "c", "fa", "fb", "fc"), (a, b, c, fa, fb, fc)):
            getattr(self, name)[which] = y
        over = (least > 0.5) | (f == 0) | ~np.isfinite(f) | (self.trials > _TRIALS)
        self.is_open[which] = ~over
        behind = np.sign(f) != self.sign[which]
        return np.flatnonzero((behind & ~np.isnan(f)) | np.isinf(f))  # a pole ends the search


def bracketed_root(
    f: Callable[[float], float],
    low: tuple[float, float],
    high: tuple[float, float],
    size: float,
) -> float:
    """A root of f between two places (x, f(x)) where its signs differ, up to round-off of `size`.

    Returns, of `high` and the places tried, the one where |f| is least: before the root or behind.
    """
    tried = dict([high])
    search = BracketedRoots(*(np.array([y]) for y in (*low, *high, size)))
    while len(which := search.open):
        x = float(search.x[0])
        tried[x] = f(x)
        search.add(which, np.array([tried[x]]))
    return min(tried, key=lambda x: abs(tried[x]))


class Outcome(enum.Enum):
    """What becomes of a function that falls towards zero."""

    CROSSES = enum.auto()  # it is negative at x
    ARRIVES = enum.auto()  # it is zero at x up to round-off, and comes there at full rate, as |s|
    TURNS = enum.auto()  # it slows down, and turns round at x, above zero or at it, as s^2
    BLOCKED = enum.auto()  # behind x it jumps up, or is not defined


class Arrival(NamedTuple):
    """How far a function that falls towards zero was followed."""

    outcome: Outcome
    x: float
    value: float
    ahead: float  # how far behind x its tangent there is zero


def arrival(f: Callable[[float], float], start: float, size: float, zero: float) -> Arrival | None:
    """Follow a function down from `start` > 0 at x = 0: does it come to zero in 0 < x <= size?

    For functions that need not change their sign: |s|, which turns round at zero, or the end of a
    step whose stages lie behind a jump of the force, which is anywhere. Newton's method that stops
    short of the zero: a step counts if the function has fallen along its tangent and goes on to
    fall, else it is shortened, so that the first zero is found and none behind a jump. f may be
    NaN; values up to `zero` are round-off. None: it does not fall, or is above zero at `size`.
    """
    x, y, high, above, is_end = 0.0, start, size, math.nan, True
    rate, shorten = math.nan, False
    for probe in (size * _PROBE**k for k in range(1, 7)):  # the zero may be as near as that
        fall, half = y - f(probe), y - f(0.5 * probe)
        rate = 2.0 * half / probe
        if 0.0 < fall <= 0.5 * y and abs(fall - 2.0 * half) <= 0.5 * fall:
            break
    for _ in range(_TRIALS):
        if not rate > 0.0:
            return None
        ahead = y / rate
        is_full = rate * x >= _FULL_RATE * start
        if y <= zero:
            for stretch in (2.0, 8.0, 64.0):  # a function that crosses is negative a little later
                if f(x + stretch * ahead) < -zero:
                    return Arrival(Outcome.CROSSES, x + stretch * ahead, -zero, 0.0)
            return Arrival(Outcome.ARRIVES if is_full else Outcome.TURNS, x, y, ahead)
        left, close = high - x, max(_CLOSE * size, zero / rate)
        is_jump = not above - y <= rate * left
        if not is_end and (left <= close or (ahead > 2.0 * left and not is_jump)):
            if ahead <= 2.0 * close and is_full:
                return Arrival(Outcome.ARRIVES, x, y, ahead)
            return Arrival(Outcome.BLOCKED if is_jump else Outcome.TURNS, x, y, ahead)
        length = _SHORT_OF * ahead
        if is_end and x + ahead > high:
            length = left
        elif not is_end and (shorten or length > 0.98 * left):
            length = 0.5 * left
        new = x + length
        value = f(new)
        if value < 0.0:
            return Arrival(Outcome.CROSSES, new, value, 0.0)
        follows = y - value >= 0.5 * rate * length
        if follows and is_end and new >= high:
            if value > zero:
                return None
            x, y = new, value
            continue
        probe = _PROBE * length if follows else 0.0
        beyond = f(new + probe) if follows else value
        shorten = not (follows and beyond < value)
        if shorten:
            high, above, is_end = new + probe, beyond, False
        else:
            x, y, rate = new, value, (value - beyond) / probe
    return None


@functools.cache
def _to_bernstein(degree: int) -> np.ndarray:
    """(i, k): C(i, k)/C(n, k), from coefficients of s^k to those of Bernstein on 0 <= s <= 1."""
    comb = math.comb
    rows = [[comb(i, k) / comb(degree, k) for k in range(degree + 1)] for i in range(degree + 1)]
    return np.array(rows)


def has_no_root(b: np.ndarray) -> np.ndarray:
    """Whether polynomials (n, order + 1) in s have one sign on 0 <= s <= 1, for certain."""
    beta = b @ _to_bernstein(b.shape[1] - 1).T
    noise = _NOISE * np.sum(np.abs(b), axis=1)
    return (np.min(beta, axis=1) > noise) | (np.max(beta, axis=1) < -noise)


def roots(b: np.ndarray) -> list[float]:
    """The places in 0 < s < 1 where the polynomial of these coefficients changes its sign."""
    beta = _to_bernstein(len(b) - 1) @ b
    noise = _NOISE * float(np.sum(np.abs(b)))
    found: list[float] = []
    sign, edge = 0.0, 0.0  # the last that is known, and where: intervals come in their order
    waiting = [(0.0, 1.0, beta, 0)]
    while waiting:
        low, high, beta, depth = waiting.pop()
        signs = np.sign(beta[np.abs(beta) > 1e-3 * noise])
        if not len(signs):
            continue
        changes = int(np.sum(signs[1:] != signs[:-1]))
        is_one = changes == 1 and np.sign(beta[0]) * np.sign(beta[-1]) < 0
        if changes == 0 or is_one or depth == _DEPTH:
            if signs[0] * sign < 0.0:  # it has changed where there is nothing but noise
                found.append(0.5 * (edge + low))
            if is_one:
                found.append(_refined(b, low, high))
            elif signs[0] * signs[-1] < 0.0:
                found.append(0.5 * (low + high))
            sign, edge = signs[-1], high
            continue
        share = 0.5
        left, right = _split(beta, share)
        for other in _SHARES:  # not at a root, which neither part would see
            if abs(right[0]) > 1e-3 * noise:
                break
            share = other
            left, right = _split(beta, share)
        middle = low + share * (high - low)
        waiting += [(middle, high, right, depth + 1), (low, middle, left, depth + 1)]
    return found


def _split(beta: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """The Bernstein coefficients on both parts: de Casteljau."""
    left, right = np.empty_like(beta), np.empty_like(beta)
    n = len(beta)
    for i in range(n):
        left[i], right[n - 1 - i] = beta[0], beta[-1]
        beta = (1.0 - share) * beta[:-1] + share * beta[1:]
    return left, right


def _refined(b: np.ndarray, low: float, high: float) -> float:
    """The one root between: Newton's method, inside of an interval that shrinks."""
    downwards = b[::-1].tolist()  # Python's own numbers are the fastest for one point at a time
    slopes = (b[1:] * np.arange(1, len(b)))[::-1].tolist()
    first = horner(downwards, low)
    if first == 0.0:
        return low
    s = 0.5 * (low + high)
    for _ in range(80):
        f = horner(downwards, s)
        if f == 0.0:
            return s
        low, high = (s, high) if (f > 0.0) == (first > 0.0) else (low, s)
        slope = horner(slopes, s)
        new = s - f / slope if slope != 0.0 else math.nan
        new = new if low < new < high else 0.5 * (low + high)
        if abs(new - s) <= 2e-16 * max(abs(s), 1e-3) or new in (low, high):
            return new
        s = new
    return s


def noise_of(b: np.ndarray) -> float:
    """What rounding makes of the polynomial."""
    return _NOISE * float(np.sum(np.abs(b)))


class Left(NamedTuple):
    """Rows after which something happens: arrays with one entry for each."""

    node: Node
    g: np.ndarray  # what vanishes after it
    steps: np.ndarray  # until the row before which it has happened
    h: np.ndarray  # their size


class Located(NamedTuple):
    """Where it happens."""

    step: np.ndarray  # in which it happens, counted from the row
    row: Row
    frame: Point


class Locator:
    """Finds roots in the steps of a run, which `shortened` makes in other sizes."""

    def __init__(self, shortened: ShortenedSteps) -> None:
        self._shortened = shortened

    def find(self, g: Callable[[Row, np.ndarray], np.ndarray], left: Left) -> Located:
        """The first root after each row; g(rows, which) are the values at rows of some of them."""
        n, h = len(left.g), left.h
        step, node, start = np.ones(n, int), left.node, left.g

        def tried(which: np.ndarray, x: np.ndarray) -> tuple[Row, Point, np.ndarray]:
            row, frame = self._shortened(_taken(node, which), x)
            return row, frame, g(row, which)

        # whole steps, while they lead to no change of sign
        row, frame, end = tried(np.arange(n), h)
        while True:
            more = (np.sign(end) == np.sign(left.g)) & (step < left.steps) & (row.result == OK)
            if not np.any(more):
                break
            which = np.flatnonzero(more)
            moved: Any = row.t, row.q, row.v, frame
            there = Node(node.member, *moved)
            node, start = mixed((node, start), _taken((there, end), which), which)
            step[which] += 1
            new = tried(which, h[which])
            row, frame, end = mixed((row, frame, end), new, which)
        search = BracketedRoots(np.zeros(n), start, h, end, h)
        best = row, frame
        while len(which := search.open):
            *new, value = tried(which, search.x[which])
            behind = search.add(which, value)
            best = mixed(best, _taken(tuple(new), behind), which[behind])
        return Located(step, *best)


def _taken(tree: Any, which: np.ndarray) -> Any:
    return jax.tree.map(lambda x: x[which], tree)


def mixed(old: Any, new: Any, which: np.ndarray) -> Any:
    """The old entries, with new ones at some places."""

    def one(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        a = np.array(a)
        a[which] = b
        return a

    return jax.tree.map(one, old, new)
