"""What is made of the rows of an ensemble while it runs, so that they need not be stored.

A reduction says what to look at; a `Reducer` holds what one block of members gave so far, and
`combined` puts the blocks together in their order, so that sums do not depend on who computed them.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from ..errors import UsageError

Observable = Callable[..., jax.Array]


@dataclasses.dataclass(frozen=True)
class Statistics:
    """Mean, variance, least and greatest of an observable, over members or over time.

    `over="members"` gives one value for each kept time, `over="time"` one for each member. The
    observable is a function (q, v) -> number. Failed members do not count from their failure on.
    """

    observable: Observable
    over: str = "members"

    def __post_init__(self) -> None:
        _check_observables("Statistics", self.observable)
        if self.over not in ("members", "time"):
            raise UsageError(f"Statistics: over must be 'members' or 'time', got {self.over!r}")


@dataclasses.dataclass(frozen=True)
class Histogram:
    """How often an observable (q, v) -> number fell between `edges`, over members and time."""

    observable: Observable
    edges: Sequence[float]

    def __post_init__(self) -> None:
        _check_observables("Histogram", self.observable)
        try:
            edges = np.asarray(self.edges, float)
        except (TypeError, ValueError):
            edges = np.zeros(0)
        if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0):
            raise UsageError("Histogram: edges must be at least two increasing numbers")


@dataclasses.dataclass(frozen=True)
class Section:
    """A Poincare section: `observables` where `crossing` goes from negative to positive.

    Both are functions of (q, v), interpolated between the two kept times around the crossing: keep
    every step for it. `direction=-1` takes crossings from positive to negative, 0 both.
    """

    crossing: Observable
    observables: Sequence[Observable]
    direction: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.observables, (list, tuple)):
            raise UsageError("Section: observables must be a list of functions of (q, v)")
        _check_observables("Section", self.crossing, *self.observables)
        if self.direction not in (-1, 0, 1):
            raise UsageError(f"Section: direction must be 1, -1 or 0, got {self.direction!r}")


def _check_observables(where: str, *functions: Any) -> None:
    for f in functions:
        if not callable(f):
            raise UsageError(f"{where}: an observable is a function (q, v) -> number, got {f!r}")


class Moments(NamedTuple):
    """What `Statistics` finds."""

    count: np.ndarray
    mean: np.ndarray
    variance: np.ndarray  # of the population: divided by the count
    least: np.ndarray
    greatest: np.ndarray
    t: np.ndarray  # the times of statistics over members; the last one only of those over time


class Counts(NamedTuple):
    """What `Histogram` finds."""

    edges: np.ndarray
    counts: np.ndarray
    below: int
    above: int


class Crossings(NamedTuple):
    """What `Section` finds: one row for each crossing, ordered by member, then by time."""

    member: np.ndarray
    t: np.ndarray
    values: np.ndarray  # (crossings, observables)


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
        return Moments(self.n.astype(int), mean, variance * some, low, high, t)


class Reducer:
    """One reduction of one block of members; fed with rows in the order of time."""

    def __init__(self, kind: Any, first: int) -> None:
        self.kind, self.first, self.last = kind, first, None
        self.parts: list[Any] = []
        self.times: list[np.ndarray] = []

    @property
    def observables(self) -> list[Observable]:
        """Functions (q, v) -> number that `feed` wants the values of."""
        if isinstance(self.kind, Section):
            return [self.kind.crossing, *self.kind.observables]
        return [self.kind.observable]

    def feed(self, t: np.ndarray, values: list[np.ndarray], good: np.ndarray) -> None:
        """`values` and `good` are (rows, members)."""
        kind = self.kind
        self.times.append(t)
        if isinstance(kind, Statistics):
            if kind.over == "members":
                self.parts.append(_Sums.of(values[0], good, axis=1))
            else:
                new = _Sums.of(values[0], good, axis=0)
                self.parts = [self.parts[0].plus(new) if self.parts else new]
        elif isinstance(kind, Histogram):
            edges = np.asarray(kind.edges, float)
            x = values[0][good]
            counts = np.histogram(x, edges)[0]
            new = np.array([np.sum(x < edges[0]), *counts, np.sum(x > edges[-1])])
            self.parts = [self.parts[0] + new if self.parts else new]
        else:
            self._cross(t, values, good)

    def _cross(self, t: np.ndarray, values: list[np.ndarray], good: np.ndarray) -> None:
        table = np.stack(values)
        if self.last is not None:
            t = np.concatenate([self.last[0], t])
            table = np.concatenate([self.last[1], table], axis=1)
            good = np.concatenate([self.last[2], good])
        self.last = t[-1:], table[:, -1:], good[-1:]
        g = table[0]
        up, down = (g[:-1] < 0) & (g[1:] >= 0), (g[:-1] >= 0) & (g[1:] < 0)
        hit = {1: up, -1: down, 0: up | down}[int(np.sign(self.kind.direction))]
        row, member = np.nonzero(hit & good[1:])
        share = g[row, member] / (g[row, member] - g[row + 1, member])
        values_at = table[1:, row, member] * (1 - share) + table[1:, row + 1, member] * share
        self.parts.append((member + self.first, t[row] + share * (t[row + 1] - t[row]), values_at))


def combined(kind: Any, blocks: list[Reducer], members: int) -> Any:
    """What a reduction found over all blocks; the last of them may be filled up."""
    if isinstance(kind, Statistics):
        if kind.over == "time":
            each = (np.concatenate(x)[:members] for x in zip(*(b.parts[0] for b in blocks)))
            return _Sums(*each).moments(blocks[0].times[-1][-1:])
        whole = [_Sums(*map(np.concatenate, zip(*b.parts))) for b in blocks]
        return functools.reduce(_Sums.plus, whole).moments(np.concatenate(blocks[0].times))
    if isinstance(kind, Histogram):
        total = np.sum([b.parts[0] for b in blocks], axis=0)
        return Counts(
            np.asarray(kind.edges, float), total[1:-1], below=int(total[0]), above=int(total[-1])
        )
    member, t, values = (
        np.concatenate([p[i] for b in blocks for p in b.parts], axis=-1) for i in range(3)
    )
    order = np.lexsort((t, member))
    return Crossings(member[order], t[order], values.T[order])
