"""What is made of rows while a run goes on, so that they need not be stored.

Observables are functions (q, v) -> number. They are evaluated by compiled code over blocks of
rows of one size, whatever the lengths of what comes in.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from ..compile.engine import Compiled, cached
from ..compile.fingerprint import Versioned
from ..errors import UsageError
from ..results import Counts, Crossings, Moments
from .rows import AnySink, Rows, Sink, Start

Observable = Callable[..., jax.Array]

_NUMBERS = (256, 16384)  # evaluated in one call, of few rows and of many


@dataclasses.dataclass(frozen=True)
class Statistics(Sink[Any, Moments]):
    """Mean, variance, least and greatest of an observable, over members or over time.

    `over="members"` gives one value for each time looked at, `over="time"` one for each member (a
    number in a single run); by default over members in an ensemble and over time in a single run.
    The observable is a function (q, v) -> number. Failed members do not count from their failure
    on.
    """

    observable: Observable
    over: str | None = None
    every: int | None = None

    at_the_end = True

    def __post_init__(self) -> None:
        _check_observables("Statistics", self.observable)
        if self.over not in (None, "members", "time"):
            raise UsageError(f"Statistics: over must be 'members' or 'time', got {self.over!r}")

    def init(self, start: Start) -> _Moving:
        over = self.over or ("time" if start.single else "members")
        return _Moving(_observed(self, start, self.observable), over, start.single)

    def feed(self, state: _Moving, rows: Rows) -> _Moving:
        if not len(rows.k):
            return state
        (values,) = state.observed(rows)
        state.times.append(rows.t)
        if state.over == "members":
            state.parts.append(_Sums.of(values, rows.good, axis=1))
        else:
            new = _Sums.of(values, rows.good, axis=0)
            state.parts = [state.parts[0].plus(new) if state.parts else new]
        return state

    def combine(self, states: Sequence[_Moving]) -> _Moving:
        first = states[0]
        if first.over == "time":
            each = [np.concatenate(x) for x in zip(*(s.parts[0] for s in states))]
            return first.replaced(_Sums(*each))
        whole = [_Sums(*map(np.concatenate, zip(*s.parts))) for s in states]
        return first.replaced(functools.reduce(_Sums.plus, whole))

    def finish(self, state: _Moving) -> Moments:
        t = np.concatenate(state.times)
        sums = state.parts[0]
        if state.over == "time":
            t = t[-1:]
            if state.single:
                sums, t = _Sums(*(x[0] for x in sums)), t[0]
        return sums.moments(t)


@dataclasses.dataclass(frozen=True)
class Histogram(Sink[Any, Counts]):
    """How often an observable (q, v) -> number fell between `edges`, over members and time."""

    observable: Observable
    edges: Sequence[float]
    every: int | None = None

    def __post_init__(self) -> None:
        _check_observables("Histogram", self.observable)
        try:
            edges = np.asarray(self.edges, float)
        except (TypeError, ValueError):
            edges = np.zeros(0)
        if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0):
            raise UsageError("Histogram: edges must be at least two increasing numbers")

    def init(self, start: Start) -> tuple[Any, np.ndarray]:
        observed = _observed(self, start, self.observable)
        return observed, np.zeros(len(self.edges) + 1, int)

    def feed(self, state: tuple[Any, np.ndarray], rows: Rows) -> tuple[Any, np.ndarray]:
        observed, counts = state
        if not len(rows.k):
            return state
        edges = np.asarray(self.edges, float)
        x = observed(rows)[0][rows.good]
        inside = np.histogram(x, edges)[0]
        return observed, counts + [np.sum(x < edges[0]), *inside, np.sum(x > edges[-1])]

    def combine(self, states: Sequence[tuple[Any, np.ndarray]]) -> tuple[Any, np.ndarray]:
        return None, np.sum([counts for _, counts in states], axis=0)

    def finish(self, state: tuple[Any, np.ndarray]) -> Counts:
        below, *inside, above = state[1]
        return Counts(np.asarray(self.edges, float), np.array(inside), int(below), int(above))


@dataclasses.dataclass(frozen=True)
class Section(Sink[Any, Crossings]):
    """A Poincare section: `observables` where `crossing` goes from negative to positive.

    Both are functions of (q, v), interpolated between the two rows around the crossing: look at
    every step for it. `direction=-1` takes crossings from positive to negative, 0 both.
    """

    crossing: Observable
    observables: Sequence[Observable]
    direction: int = 1
    every: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.observables, (list, tuple)):
            raise UsageError("Section: observables must be a list of functions of (q, v)")
        _check_observables("Section", self.crossing, *self.observables)
        if self.direction not in (-1, 0, 1):
            raise UsageError(f"Section: direction must be 1, -1 or 0, got {self.direction!r}")

    def init(self, start: Start) -> _Crossing:
        observed = _observed(self, start, self.crossing, *self.observables)
        return _Crossing(observed, start.first)

    def feed(self, state: _Crossing, rows: Rows) -> _Crossing:
        if not len(rows.k):
            return state
        t, table, good = rows.t, np.stack(state.observed(rows)), rows.good
        if state.last is not None:
            t = np.concatenate([state.last[0], t])
            table = np.concatenate([state.last[1], table], axis=1)
            good = np.concatenate([state.last[2], good])
        state.last = t[-1:], table[:, -1:], good[-1:]
        g = table[0]
        up, down = (g[:-1] < 0) & (g[1:] >= 0), (g[:-1] >= 0) & (g[1:] < 0)
        hit = {1: up, -1: down, 0: up | down}[self.direction]
        row, member = np.nonzero(hit & good[1:])
        share = g[row, member] / (g[row, member] - g[row + 1, member])
        values = table[1:, row, member] * (1 - share) + table[1:, row + 1, member] * share
        when = t[row] + share * (t[row + 1] - t[row])
        state.parts.append(Crossings(member + state.first, when, values.T))
        return state

    def combine(self, states: Sequence[_Crossing]) -> _Crossing:
        whole = _Crossing(None, 0)
        whole.parts = [part for state in states for part in state.parts]
        return whole

    def finish(self, state: _Crossing) -> Crossings:
        member, t, values = map(np.concatenate, zip(*state.parts))
        order = np.lexsort((t, member))
        return Crossings(member[order], t[order], values[order])


# -- what they have so far -----------------------------------------------------------------------


class _Sums(NamedTuple):
    """Count, mean, sum of squares about the mean, extremes; they combine without cancellation."""

    n: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, good: np.ndarray, axis: int) -> _Sums:
        n = good.sum(axis=axis).astype(float)
        kept = np.where(good, x, 0.0)
        mean = kept.sum(axis=axis) / np.maximum(n, 1.0)
        centered = np.where(good, x - np.expand_dims(mean, axis), 0.0)
        low = np.where(good, x, np.inf).min(axis=axis)
        high = np.where(good, x, -np.inf).max(axis=axis)
        return cls(n, mean, (centered**2).sum(axis=axis), low, high)

    def plus(self, other: _Sums) -> _Sums:
        n = self.n + other.n
        step, share = other.mean - self.mean, other.n / np.maximum(n, 1.0)
        square = self.square + other.square + step**2 * self.n * share
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return _Sums(n, self.mean + step * share, square, low, high)

    def moments(self, t: np.ndarray) -> Moments:
        with np.errstate(invalid="ignore", divide="ignore"):
            some = np.where(self.n > 0, 1.0, np.nan)
            variance = self.square / np.maximum(self.n, 1.0)
        mean, low, high = (x * some for x in (self.mean, self.low, self.high))
        return Moments(np.asarray(self.n).astype(int), mean, variance * some, low, high, t)


class _Moving:
    def __init__(self, observed: Any, over: str, single: bool) -> None:
        self.observed, self.over, self.single = observed, over, single
        self.parts: list[_Sums] = []
        self.times: list[np.ndarray] = []

    def replaced(self, sums: _Sums) -> _Moving:
        new = _Moving(None, self.over, self.single)
        new.parts, new.times = [sums], self.times
        return new


class _Crossing:
    def __init__(self, observed: Any, first: int) -> None:
        self.observed, self.first = observed, first
        self.last: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self.parts: list[Crossings] = []


# -- observables ---------------------------------------------------------------------------------


def _check_observables(where: str, *functions: Any) -> None:
    for f in functions:
        if not callable(f):
            raise UsageError(f"{where}: an observable is a function (q, v) -> number, got {f!r}")


def _observed(
    sink: AnySink, start: Start, *functions: Observable
) -> Callable[[Rows], list[np.ndarray]]:
    """Rows -> the values of each function, (rows, members)."""
    q, v = start.system.groupoid.base.identity(), np.zeros(start.system.dim)
    where = type(sink).__name__
    for f in functions:
        try:
            found = jax.eval_shape(f, q, v)
        except TypeError as error:
            raise UsageError(f"{where}: an observable takes (q, v): {error}") from error
        if jax.tree.structure(found) != jax.tree.structure(0.0) or found.shape:
            told = getattr(found, "shape", type(found).__name__)
            raise UsageError(f"{where}: an observable is one number, got {told}")
    compiled = _compiled(Versioned(functions))
    few, many = (max(n // max(start.members, 1), 1) for n in _NUMBERS)

    def values(rows: Rows) -> list[np.ndarray]:
        n, parts = len(rows.k), []
        block = few if n <= few else many
        for a in range(0, n, block):
            # blocks of one size, the last one filled up: no length compiles anything
            which = np.minimum(np.arange(a, a + block), n - 1)
            part = rows.take(which)
            parts.append([np.asarray(y)[: n - a] for y in compiled(part.q, part.v)])
        return [np.concatenate(column) for column in zip(*parts)]

    return values


@cached(maxsize=64)
def _compiled(functions: Versioned[tuple[Observable, ...]]) -> Compiled:
    def values(q, v):
        found = [jax.vmap(jax.vmap(f))(q, v) for f in functions.value]
        functions.settle()
        return found

    return jax.jit(values)
