"""Root finders: events between two rows by shortened steps, and roots of functions of one variable.

Every method, started again from a row, is a one-step map of (q, v), so a step of any size is as
accurate as the method. `Locator` finds the root of g as a function of the step size. The event is
therefore located to the order of the method, which interpolation between rows would not reach. (GNI
carries more than (q, v); a step of it from a new start also has its full order.)

`BracketedRoots` is Chandrupatla's method (T. R. Chandrupatla, Adv. Eng. Software 28, 1997): inverse
quadratic interpolation if three points allow it, otherwise bisection. The caller evaluates the
functions, so a value may be a step of a run. Many roots are found at once. `arrival` follows a
function that may reach zero without changing its sign.

`roots` finds all roots of a polynomial from its Bernstein coefficients. A polynomial whose
coefficients on an interval have one sign has no root there; one whose signs change once has
exactly one (Descartes). Intervals are split until one of the two holds, so no root is missed,
however many there are. What remains at the smallest interval is a double root, where the sign does
not change.
"""

from __future__ import annotations

import enum
import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..linalg import OK
from ..methods import Row
from ..results.polynomials import horner
from ..rows import Nodes, ShortenedSteps
from ..system import Point

# most evaluations for a bracket: half of them suffice for a root near its end with a kink there
_TRIALS = 200
_EPS = float(np.finfo(float).eps)
_PROBE = 1.0 / 64.0  # `arrival`: distance for a finite difference, relative to its step
_SHORT_OF = 31.0 / 32.0  # part of the distance to the tangent's zero: two probes fit before it
_CLOSE = 1e-12  # relative to the size: values at closer points differ by round-off only
_FULL_RATE = 0.1  # relative to the mean rate: a slower function at its zero has slowed down
_DEPTH = 60  # most splits of an interval: 2^-60 is below the spacing of doubles near 1
_SHARES = (0.4871, 0.5319, 0.4423)  # where to split an interval if its middle is a root
_NOISE = 64 * _EPS  # relative to the sum of all |terms|: below it a sign is round-off
# Sine of the angle between motion and surface below which the motion grazes it. If it meets the
# surface at the angle a and turns around behind it, g falls below zero by about a^2/2 of its terms.
# That depth is known up to _NOISE, so the rate of g at its zero, and with it every derivative of
# the event, has a relative error of up to _NOISE / a^2: at this angle 1e-4.
GRAZES = 1.2e-5


class Bracket(NamedTuple):
    """Three points of Chandrupatla's method: the root is between a and b, c is the point before."""

    a: jax.Array
    b: jax.Array
    c: jax.Array
    fa: jax.Array
    fb: jax.Array
    fc: jax.Array

    def narrowed(self, x: jax.Array, f: jax.Array) -> Bracket:
        """Return the bracket after f was evaluated at x, for code that JAX traces."""
        same = jnp.sign(f) == jnp.sign(self.fa)
        b, c = jnp.where(same, self.b, self.a), jnp.where(same, self.a, self.b)
        fb, fc = jnp.where(same, self.fb, self.fa), jnp.where(same, self.fa, self.fb)
        return Bracket(x, b, c, f, fb, fc)

    def trial(self, size: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Return the next trial, and the least distance that it must keep from a and from b.

        Both are shares of the way from a to b. The search is over if the distance is more than a
        half, or NaN.
        """
        a, b, c, fa, fb, fc = self
        xi, phi = ratio(a - b, c - b), ratio(fa - fb, fc - fb)
        smooth = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi)
        share = ratio(fa, fb - fa) * ratio(fc, fb - fc)
        share = share + ratio(c - a, b - a) * ratio(fa, fc - fa) * ratio(fb, fc - fb)
        share = jnp.where(smooth & jnp.isfinite(share), share, 0.5)
        least = ratio(2.0 * _EPS * size, jnp.abs(b - a))
        return jnp.clip(share, jnp.minimum(least, 0.5), jnp.maximum(1.0 - least, 0.5)), least


def ratio(a: jax.Array, b: jax.Array) -> jax.Array:
    """Return a / b; NaN if b is zero, in which case the result is not used."""
    return jnp.where(b == 0.0, jnp.nan, a / jnp.where(b == 0.0, 1.0, b))


class BracketedRoots:
    """Roots of many functions at once, each between two points where its signs differ.

    The root is between a and b; c is the previous point. x is the next trial: evaluate the
    functions `open` there, and `add` the values. The search ends when a and b are 2 eps `size`
    apart. A function that jumps, or has a pole, need not be small there.
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
        # if the sign has not changed (by round-off) the root is `high` itself
        self.is_open = (np.sign(f_low) != np.sign(f_high)) & (f_high != 0) & np.isfinite(f_high)
        with np.errstate(all="ignore"):
            self.x = low + (high - low) * f_low / (f_low - f_high)

    @property
    def open(self) -> np.ndarray:
        """Indices of the searches that are not finished."""
        return np.flatnonzero(self.is_open)

    def add(self, which: np.ndarray, f: np.ndarray) -> np.ndarray:
        """Add the values f at x of the searches `which`; return those whose x is past the root.

        They are returned as positions in `which`. Each such x is closer to the root than the ones
        before it. The last one is the result of the search: the sign has changed there.
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
    """Return a root of f between two points (x, f(x)) of different sign, up to round-off of `size`.

    It is the point with the smallest |f| among `high` and all trials, on either side of the root.
    """
    tried = dict([high])
    search = BracketedRoots(*(np.array([y]) for y in (*low, *high, size)))
    while len(which := search.open):
        x = float(search.x[0])
        tried[x] = f(x)
        search.add(which, np.array([tried[x]]))
    return min(tried, key=lambda x: abs(tried[x]))


class Descent(enum.Enum):
    """What happens to a function that decreases towards zero."""

    CROSSES = enum.auto()  # the function is negative at x
    ARRIVES = enum.auto()  # it is zero at x up to round-off, and reaches x at full rate, like |s|
    TURNS = enum.auto()  # it slows down and turns around at x, at zero or above, like s^2
    BLOCKED = enum.auto()  # after x the function jumps up, or is not defined


class Arrival(NamedTuple):
    """How far a function that decreases towards zero was followed."""

    outcome: Descent
    x: float
    value: float
    ahead: float  # distance from x to the zero of the tangent there


def arrival(f: Callable[[float], float], start: float, size: float, zero: float) -> Arrival | None:
    """Follow a function down from `start` > 0 at x = 0: does it reach zero in 0 < x <= size?

    For functions that need not change sign: |s|, which turns around at zero, or the end of a step
    whose stages are past a jump of the force, which may have any value. This is Newton's method,
    stopped short of the zero. A step is accepted if the function has decreased along its tangent
    and still decreases; otherwise it is shortened. So the first zero is found, and none after a
    jump. f may be NaN; values up to `zero` are round-off. Returns None if the function does not
    decrease, or is above zero at `size`.
    """
    x, y, high, above, is_end = 0.0, start, size, math.nan, True
    rate, shorten = math.nan, False
    for probe in (size * _PROBE**k for k in range(1, 7)):  # the zero may be very close to 0
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
            for stretch in (2.0, 8.0, 64.0):  # a function that crosses is negative soon after
                if f(x + stretch * ahead) < -zero:
                    return Arrival(Descent.CROSSES, x + stretch * ahead, -zero, 0.0)
            return Arrival(Descent.ARRIVES if is_full else Descent.TURNS, x, y, ahead)
        left, close = high - x, max(_CLOSE * size, zero / rate)
        is_jump = not above - y <= rate * left
        if not is_end and (left <= close or (ahead > 2.0 * left and not is_jump)):
            if ahead <= 2.0 * close and is_full:
                return Arrival(Descent.ARRIVES, x, y, ahead)
            return Arrival(Descent.BLOCKED if is_jump else Descent.TURNS, x, y, ahead)
        length = _SHORT_OF * ahead
        if is_end and x + ahead > high:
            length = left
        elif not is_end and (shorten or length > 0.98 * left):
            length = 0.5 * left
        new = x + length
        value = f(new)
        if value < 0.0:
            return Arrival(Descent.CROSSES, new, value, 0.0)
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
    """Return the matrix C(i, k)/C(n, k) from coefficients of s^k to Bernstein ones on [0, 1]."""
    comb = math.comb
    rows = [[comb(i, k) / comb(degree, k) for k in range(degree + 1)] for i in range(degree + 1)]
    return np.array(rows)


def has_no_root(b: np.ndarray) -> np.ndarray:
    """Whether polynomials (n, order + 1) in s provably have one sign on 0 <= s <= 1."""
    beta = b @ _to_bernstein(b.shape[1] - 1).T
    noise = _NOISE * np.sum(np.abs(b), axis=1)
    return (np.min(beta, axis=1) > noise) | (np.max(beta, axis=1) < -noise)


def roots(b: np.ndarray) -> list[float]:
    """Return the points in 0 < s < 1 where the polynomial with coefficients b changes sign."""
    beta = _to_bernstein(len(b) - 1) @ b
    noise = _NOISE * float(np.sum(np.abs(b)))
    found: list[float] = []
    # last known sign, and the end of its interval; intervals are visited from left to right
    sign, edge = 0.0, 0.0
    waiting = [(0.0, 1.0, beta, 0)]
    while waiting:
        low, high, beta, depth = waiting.pop()
        signs = np.sign(beta[np.abs(beta) > 1e-3 * noise])
        if not len(signs):
            continue
        changes = int(np.sum(signs[1:] != signs[:-1]))
        is_one = changes == 1 and np.sign(beta[0]) * np.sign(beta[-1]) < 0
        if changes == 0 or is_one or depth == _DEPTH:
            if signs[0] * sign < 0.0:  # changed in an interval that was all round-off
                found.append(0.5 * (edge + low))
            if is_one:
                found.append(_refined(b, low, high))
            elif signs[0] * signs[-1] < 0.0:
                found.append(0.5 * (low + high))
            sign, edge = signs[-1], high
            continue
        share = 0.5
        left, right = _split(beta, share)
        for other in _SHARES:  # do not split at a root: neither part would contain it
            if abs(right[0]) > 1e-3 * noise:
                break
            share = other
            left, right = _split(beta, share)
        middle = low + share * (high - low)
        waiting += [(middle, high, right, depth + 1), (low, middle, left, depth + 1)]
    return found


def _split(beta: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the Bernstein coefficients on both parts, by de Casteljau's algorithm."""
    left, right = np.empty_like(beta), np.empty_like(beta)
    n = len(beta)
    for i in range(n):
        left[i], right[n - 1 - i] = beta[0], beta[-1]
        beta = (1.0 - share) * beta[:-1] + share * beta[1:]
    return left, right


def _refined(b: np.ndarray, low: float, high: float) -> float:
    """Return the one root between `low` and `high`: Newton's method inside a shrinking bracket."""
    downwards = b[::-1].tolist()  # Python floats are faster than arrays for one point at a time
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
    """Return a bound for the round-off of the polynomial on 0 <= s <= 1."""
    return _NOISE * float(np.sum(np.abs(b)))


class Left(NamedTuple):
    """Rows before an event; arrays with one entry for each event."""

    node: Nodes
    g: np.ndarray  # value of the event function at the row
    steps: np.ndarray  # number of steps to the next row, before which the event happens
    h: np.ndarray  # size of these steps


class Located(NamedTuple):
    """The located events."""

    step: np.ndarray  # number of the step that contains the event, counted from the row
    row: Row
    frame: Point


class Locator:
    """Locates events within the steps of a run; `shortened` makes steps of any size."""

    def __init__(self, shortened: ShortenedSteps) -> None:
        self._shortened = shortened

    def find(self, g: Callable[[Row, np.ndarray], np.ndarray], left: Left) -> Located:
        """Return the first root after each row; g(rows, which) evaluates the functions `which`."""
        n, h = len(left.g), left.h
        step, node, start = np.ones(n, int), left.node, left.g

        def tried(which: np.ndarray, x: np.ndarray) -> tuple[Row, Point, np.ndarray]:
            row, frame = self._shortened(_taken(node, which), x)
            return row, frame, g(row, which)

        # full steps until the sign changes
        row, frame, end = tried(np.arange(n), h)
        while True:
            more = (np.sign(end) == np.sign(left.g)) & (step < left.steps) & (row.result == OK)
            if not np.any(more):
                break
            which = np.flatnonzero(more)
            moved: Any = row.t, row.q, row.v, frame
            there = Nodes(node.member, *moved)
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
    """Return the old entries, with those at the indices `which` replaced by new ones."""

    def one(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        a = np.array(a)
        a[which] = b
        return a

    return jax.tree.map(one, old, new)
