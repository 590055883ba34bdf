"""Sinks that reduce rows during a run, so that rows need not be stored: statistics, sections.

Observables are functions (q, v) -> number. Compiled code evaluates them over blocks of rows of one
size, independent of how many rows come in at once.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...compile.layout import Tree
from ...errors import UsageError
from ...events import detector_for
from ...events.event import Observable, check_observables, observing
from ...groupoids import Point
from ...request.step import Numbers
from ...results import Counts, Crossings, Moments
from ...rows import Rows, Sink, Start


@dataclasses.dataclass(frozen=True)
class Statistics(Sink[Tree, Moments]):
    """Mean, variance, minimum and maximum of an observable, over members or over time.

    `over="members"` gives one value for each time that is read, `over="time"` one for each member
    (a number in a single run). The default is members in an ensemble and time in a single run. The
    observable is a function (q, v) -> number. A member does not count from its failure on.
    """

    observable: Observable
    over: str | None = None
    every: int | None = None

    at_the_end = True
    on_device = True

    def __post_init__(self) -> None:
        check_observables("Statistics", self.observable)
        if self.over not in (None, "members", "time"):
            raise UsageError(f"Statistics: over must be 'members' or 'time', got {self.over!r}")

    def init(self, start: Start) -> _Moving:
        over = self.over or ("time" if start.single else "members")
        if over == "members" and start.own_steps:
            raise UsageError(
                "Statistics over members needs rows at common times, and here each member chooses "
                'its own steps: over="time", or save rows and use many[i].at(times)'
            )
        # Observables are compiled once per run, for blocks of rows.
        return _Moving(observing(self, start, self.observable), over, start.single)

    def feed(self, state: _Moving, rows: Rows) -> _Moving:
        if not len(rows.k):
            return state
        (values,) = state.observed(rows)
        state.times.append(rows.t)
        if state.over == "members":
            state.parts.append(_Sums.of(values, rows.good, axis=1))
        else:  # one running sum for each member, however long the run is
            new = _Sums.of(values, rows.good, axis=0)
            state.parts = [state.parts[0].plus(new) if state.parts else new]
        return state

    def combine(self, states: Sequence[_Moving]) -> _Moving:
        # Over time each member has one sum; over members the sums of blocks are added.
        first = states[0]
        if first.over == "time":
            each = [np.concatenate(x) for x in zip(*(s.parts[0] for s in states))]
            whole = first.replaced(_Sums(*each))
            if first.times[-1].ndim == 2:  # adaptive steps: each member has its own times
                last = [s.times[-1][-1:] for s in states]
                whole.times = [np.concatenate(last, axis=1)]
            return whole
        whole = [_Sums(*map(np.concatenate, zip(*s.parts))) for s in states]
        return first.replaced(functools.reduce(_Sums.plus, whole))

    def pack(self, state: _Moving) -> list[np.ndarray]:
        return [*map(np.concatenate, zip(*state.parts)), np.concatenate(state.times)]

    def unpack(self, arrays: list[np.ndarray], first: int) -> _Moving:
        *sums, times = arrays
        state = _Moving(None, self.over or "members", single=False)
        state.parts, state.times = [_Sums(*sums)], [times]
        return state

    def finish(self, state: _Moving) -> Moments:
        # `parts` was combined before: one sum.
        t = np.concatenate(state.times)
        sums = state.parts[0]
        if state.over == "time":
            t = t[-1:]
            if state.single:
                sums, t = _Sums(*(x[0] for x in sums)), t[0]
        return sums.moments(t)


@dataclasses.dataclass(frozen=True)
class Histogram(Sink[Tree, Counts]):
    """Counts of an observable (q, v) -> number between `edges`, over members and time."""

    observable: Observable
    edges: Sequence[float]
    every: int | None = None

    on_device = True

    def __post_init__(self) -> None:
        check_observables("Histogram", self.observable)
        try:
            edges = np.asarray(self.edges, float)
        except (TypeError, ValueError):
            edges = np.zeros(0)
        if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0):
            raise UsageError("Histogram: edges must be at least two increasing numbers")

    def init(self, start: Start) -> tuple[Tree, np.ndarray]:
        observed = observing(self, start, self.observable)
        return observed, np.zeros(len(self.edges) + 1, int)

    def feed(self, state: tuple[Tree, np.ndarray], rows: Rows) -> tuple[Tree, np.ndarray]:
        observed, counts = state
        if not len(rows.k):
            return state
        edges = np.asarray(self.edges, float)
        # Rows of failed members do not count.
        x = observed(rows)[0][rows.good]
        inside = np.histogram(x, edges)[0]
        # The last bin of `np.histogram` is closed: a value at the last edge counts as inside.
        return observed, counts + [np.sum(x < edges[0]), *inside, np.sum(x > edges[-1])]

    def combine(self, states: Sequence[tuple[Tree, np.ndarray]]) -> tuple[Tree, np.ndarray]:
        return None, np.sum([counts for _, counts in states], axis=0)

    def pack(self, state: tuple[Tree, np.ndarray]) -> list[np.ndarray]:
        return [state[1]]

    def unpack(self, arrays: list[np.ndarray], first: int) -> tuple[Tree, np.ndarray]:
        return None, arrays[0]

    def finish(self, state: tuple[Tree, np.ndarray]) -> Counts:
        below, *inside, above = state[1]
        return Counts(np.asarray(self.edges, float), np.array(inside), int(below), int(above))


@dataclasses.dataclass(frozen=True)
class Section(Sink[Tree, Crossings]):
    """A Poincare section: `observables` where `crossing` goes from negative to positive.

    Both are functions of (q, v). If `crossing` changes sign between two rows that this sink reads,
    a shortened step locates its root, to the order of the method. `direction=-1` takes crossings
    from positive to negative, 0 both.
    """

    crossing: Observable
    observables: Sequence[Observable]
    direction: int = 1
    every: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.observables, (list, tuple)) or not self.observables:
            raise UsageError(
                "Section: observables must be a list of functions of (q, v), one at least: the "
                "values to record at each crossing, such as [lambda q, v: q[0]]"
            )
        check_observables("Section", self.crossing, *self.observables)
        if self.direction not in (-1, 0, 1):
            raise UsageError(f"Section: direction must be 1, -1 or 0, got {self.direction!r}")

    def init(self, start: Start) -> _Crossing:
        crossing = partial(observing, self)
        detector = detector_for(
            # The detector of `events=`: sections are located by the same code.
            start,
            ("crossing",),
            (self.direction,),
            (_Timed(self.crossing),),
            lambda s: crossing(s, self.crossing),
        )
        values = crossing(start._replace(members=1), *self.observables)
        return _Crossing(detector, values, start.first)

    def feed(self, state: _Crossing, rows: Rows) -> _Crossing:
        roots = state.detector.detect(rows)
        state.detector.check_defined(roots, np.full(rows.result.shape[1], np.inf))
        for i in np.flatnonzero(roots.rows.result[:, 0])[:1]:
            state.detector.check(roots, int(i))
        # A crossing that could not be located is an error, not a missing point.
        values = np.zeros((0, len(self.observables)))
        if len(roots.which):
            values = np.stack(state.values(roots.rows), axis=1)[:, :, 0]
        state.parts.append(Crossings(roots.member + state.first, roots.rows.t, values))
        return state

    def combine(self, states: Sequence[_Crossing]) -> _Crossing:
        whole = _Crossing(None, None, 0)
        whole.parts = [part for state in states for part in state.parts]
        return whole

    def pack(self, state: _Crossing) -> list[np.ndarray]:
        return list(map(np.concatenate, zip(*state.parts)))

    def unpack(self, arrays: list[np.ndarray], first: int) -> _Crossing:
        member, t, values = arrays
        state = _Crossing(None, None, 0)
        state.parts = [Crossings(member + first, t, values)]
        return state

    def finish(self, state: _Crossing) -> Crossings:
        member, t, values = map(np.concatenate, zip(*state.parts))
        # Sorted by member, then time: blocks come in any order.
        order = np.lexsort((t, member))
        return Crossings(member[order], t[order], values[order])


# -- states of the sinks -------------------------------------------------------------------------


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
        values = np.where(good, x, 0.0)
        # At least 1, so that members without good rows give zero instead of NaN here, and NaN in
        # the result.
        mean = values.sum(axis=axis) / np.maximum(n, 1.0)
        centered = np.where(good, x - np.expand_dims(mean, axis), 0.0)
        low = np.where(good, x, np.inf).min(axis=axis)
        high = np.where(good, x, -np.inf).max(axis=axis)
        return cls(n, mean, (centered**2).sum(axis=axis), low, high)

    def plus(self, other: _Sums) -> _Sums:
        n = self.n + other.n
        # Chan's formula for combining means and variances: no difference of large numbers.
        step, share = other.mean - self.mean, other.n / np.maximum(n, 1.0)
        square = self.square + other.square + step**2 * self.n * share
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return _Sums(n, self.mean + step * share, square, low, high)

    def moments(self, t: np.ndarray) -> Moments:
        with np.errstate(invalid="ignore", divide="ignore"):
            some = np.where(self.n > 0, 1.0, np.nan)
            variance = self.square / np.maximum(self.n, 1.0)
        # NaN where nothing was counted: a zero would be taken for a mean.
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


@dataclasses.dataclass(frozen=True)
class _Timed:
    """A function of (q, v) as one of (t, q, v)."""

    f: Observable

    def __call__(self, t: Numbers, q: Point, v: Numbers) -> Any:
        return self.f(q, v)


class _Crossing:
    def __init__(self, detector: Any, values: Any, first: int) -> None:
        self.detector, self.values, self.first = detector, values, first
        self.parts: list[Crossings] = []
