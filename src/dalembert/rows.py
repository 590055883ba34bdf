"""Rows as they come out of a loop, and the base class of the sinks that they are fed to.

Arrays of rows have the axes (rows, members, ...). A single run has one member.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

import jax
import numpy as np

from .errors import UsageError
from .linalg import OK
from .methods import Row
from .request.step import time_at
from .results import Meta, Trajectory
from .system import Point, System

S = TypeVar("S")  # state of a sink during the run
R = TypeVar("R")  # result of a sink at the end


class Nodes(NamedTuple):
    """States from which steps of any size can be made: arrays with one entry for each state."""

    member: np.ndarray
    t: np.ndarray
    q: Point
    v: np.ndarray
    frame: Point  # group element reconstructed up to there


# steps of the given sizes from nodes: rows, and frames
ShortenedSteps: TypeAlias = Callable[[Nodes, np.ndarray], tuple[Row, Point]]


class Start(NamedTuple):
    """The data that a sink receives before the first row."""

    system: System  # the first member of an ensemble
    h: float
    t0: float
    steps: int
    first: int = 0  # the number of the first member that this sink will see
    members: int = 1  # how many members this sink will see
    rows: int = 0  # how many rows this sink will receive at most
    single: bool = True  # whether the run is a single one
    shortened: ShortenedSteps | None = None  # makes steps of any size, which locate events
    own_steps: bool = False  # whether the method is adaptive: rows of members have different times
    times: np.ndarray | None = None  # times of the rows, if they were chosen one by one
    # makes the detector of events if rows alone are not enough, see `events.detector_for`
    pieces: Any = None

    def time_of(self, k: Any) -> Any:
        """Return the time of step k; not valid for adaptive methods."""
        return time_at(self.t0, self.h, k) if self.times is None else self.times[k]


class OutputTimes(NamedTuple):
    """Times of the rows of Taylor's method: t0 + k h, chosen times, or the ends of steps."""

    t0: float
    h: float
    chosen: np.ndarray | None = None  # chosen times of the rows 0, 1, ...
    end: float | None = None  # end time of a run with rows at its nodes

    @property
    def at_nodes(self) -> bool:
        """Whether rows are at the nodes, where steps end."""
        return self.end is not None

    def __call__(self, k: Any) -> Any:
        """The time of row k."""
        if self.chosen is not None:
            return self.chosen[k]
        return time_at(self.t0, self.h, k)

    def last_before(self, t: float, k: int) -> int:
        """Return the last row at or before t, at least k; k itself if rows are at nodes."""
        if self.at_nodes:
            return k
        if self.chosen is not None:
            return max(int(np.searchsorted(self.chosen, t, side="right")) - 1, k)
        last = int((t - self.t0) / self.h)  # off by one at most, by rounding
        while (t - self(last + 1)) * self.h >= 0.0:
            last += 1
        while last > k and (t - self(last)) * self.h < 0.0:
            last -= 1
        return max(last, k)


class Rows(NamedTuple):
    """Rows of some members: arrays (rows, members, ...), in the order of time.

    `k` (rows,) are the steps done. `t` are the times, (rows,), or (rows, members) where members of
    an ensemble take adaptive steps. A member that has failed is not `good` from there on, and its
    numbers are meaningless.
    """

    k: np.ndarray
    t: np.ndarray
    q: Point
    v: np.ndarray
    p: np.ndarray
    multiplier: np.ndarray
    frame: Point | None
    residual: np.ndarray
    result: np.ndarray

    @classmethod
    def of(cls, k: np.ndarray, row: Row, frame: Point | None, own_times: bool = False) -> Rows:
        """Make `Rows` from saved rows with the axes (rows, members)."""
        t = np.asarray(row.t)
        # a copy: a view would keep all rows alive
        t = t if own_times else np.array(t[:, 0])
        return cls(k=k, frame=frame, **row._replace(t=t)._asdict())

    @property
    def times(self) -> np.ndarray:
        """The time of each row of each member, (rows, members)."""
        t = self.t if self.t.ndim == 2 else self.t[:, None]
        return np.broadcast_to(t, self.result.shape)

    @property
    def good(self) -> np.ndarray:
        """Whether each row is before the failure of its member, (rows, members)."""
        return self.result == OK

    @property
    def on_device(self) -> bool:
        """Whether the large arrays are in the memory of an accelerator."""
        return isinstance(self.v, jax.Array)

    def here(self) -> Rows:
        """Return the same rows as NumPy arrays."""
        return jax.device_get(self) if self.on_device else self  # all at once

    def take(self, which: Any) -> Rows:
        """Return the rows that indices, a mask or a slice select."""
        return Rows._make(
            x[which] if type(x) is np.ndarray else jax.tree.map(lambda y: y[which], x) for x in self
        )

    def alone(self, member: int) -> Rows:
        """Return the rows of one member, with its times."""
        own = jax.tree.map(lambda x: x[:, member : member + 1], self._replace(k=None, t=None))
        return own._replace(k=self.k, t=self.times[:, member])


class Sample:
    """Evenly spaced rows of one run, from first to last; their number is limit/2 to limit."""

    def __init__(self, limit: int = 2000) -> None:
        self.limit = limit
        self._kept: list[tuple[Any, ...]] = []
        self._seen, self._count, self._stride = 0, 0, 1
        self._last: tuple[Any, ...] = ()

    def add(self, rows: Rows) -> None:
        """Add the rows that follow."""
        rows = rows.here()
        series = (rows.t, *jax.tree.map(lambda x: x[:, 0], (rows.q, rows.v, rows.multiplier)))
        first = -self._seen % self._stride
        # copies: a view would hold all rows of the chunk
        some = jax.tree.map(lambda x: np.array(x[first :: self._stride]), series)
        self._last = jax.tree.map(lambda x: np.array(x[-1:]), series)
        self._seen += len(rows.k)
        self._kept.append(some)
        self._count += len(some[0])
        while self._count > self.limit:
            self._kept = [jax.tree.map(lambda x: x[::2], _joined(self._kept))]
            self._count = len(self._kept[0][0])
            self._stride *= 2

    def __len__(self) -> int:
        return self._count

    def series(self) -> tuple[Any, ...]:
        """(t, q, v, multiplier), rows first."""
        result = _joined(self._kept)
        return result if result[0][-1] == self._last[0][0] else _joined([result, self._last])


def _joined(pieces: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    return jax.tree.map(lambda *x: np.concatenate(x), *pieces)


class Sink(abc.ABC, Generic[S, R]):
    """A result that is computed from the rows of a run while it runs.

    `every` selects the steps: the first row, every k-th step and the last one; None takes the
    run's `save_every`. `init` makes a state, `feed` updates it, also in place. Keep nothing on the
    sink itself: one sink may serve many blocks of members at once.
    """

    every: int | None = None
    at_the_end: ClassVar[bool] = False  # whether without `every` the last step is enough
    on_device: ClassVar[bool] = False  # whether q, v, ... may be JAX's, on a device; else NumPy's

    def chosen_steps(self, start: Start) -> np.ndarray | None:
        """Return which steps the sink reads; None if it reads every `every`-th step."""
        return None

    @abc.abstractmethod
    def init(self, start: Start) -> S:
        """Return the state before the first row."""

    @abc.abstractmethod
    def feed(self, state: S, rows: Rows) -> S:
        """Return the state after these rows, which follow the earlier ones."""

    def combine(self, states: Sequence[S]) -> S:
        """Combine the states of all blocks of members, in their order, into one."""
        if len(states) > 1:
            raise UsageError(
                f"{type(self).__name__} has no `combine`, which an ensemble of several blocks needs"
            )
        return states[0]

    @abc.abstractmethod
    def finish(self, state: S) -> R:
        """Return the result, from the last state."""

    def pack(self, state: S) -> list[np.ndarray]:
        """The state of a block of members as arrays, for a store that an ensemble is written to."""
        if isinstance(state, np.ndarray):
            return [state]
        raise UsageError(
            f"{type(self).__name__} cannot be streamed: its state is a {type(state).__name__}, and "
            "it has no `pack` and `unpack`, which turn it into arrays and back"
        )

    def unpack(self, arrays: list[np.ndarray], first: int) -> S:
        """The state from arrays of `pack`, for `combine`; `first` is the first member's index."""
        return arrays[0]  # pyright: ignore[reportReturnType]

    def checkpoint(self, state: S, records: Mapping[str, np.ndarray], meta: Meta) -> None:
        """Called after rows of a single run were fed; it could be resumed from these records."""


def as_trajectory(rows: Rows, meta: Meta) -> Trajectory:
    """Return the rows of a single run as a trajectory, up to its failure if it failed."""
    failed = np.flatnonzero(~rows.good[:, 0])
    end = int(failed[0]) if len(failed) else len(rows.k)

    arrays: dict[str, Any] = {}
    for name in Trajectory.ROWS:
        x = getattr(rows, name)
        one = _locked(x[:end, 0]) if type(x) is np.ndarray else None
        arrays[name] = jax.tree.map(lambda a: _locked(a[:end, 0]), x) if one is None else one
    meta = meta.again(steps=int(rows.k[end - 1])) if end else meta
    return Trajectory.of_rows(t=_locked(rows.t[:end]), **arrays, meta=meta)


def as_rows(traj: Trajectory, every: int = 1) -> Rows:
    """Return rows of a trajectory, `every` steps apart, in the form that sinks receive."""
    names = ("q", "v", "p", "multiplier", "frame", "residual", "result")
    one = jax.tree.map(lambda x: np.asarray(x)[:, None], {k: getattr(traj, k) for k in names})
    return Rows(k=every * np.arange(len(traj)), t=np.asarray(traj.t), **one)


SWALLOWED = (
    "round-off hides the motion: the velocity is not zero, but no coordinate changes from row to "
    "row; h is too small relative to q, choose an origin nearer to the motion"
)


# Relative to the largest velocity of a run. A smaller velocity is taken for the round-off of a body
# at rest. The value is the default of `Newton.residual_tol`, the accuracy of the iterations.
_AT_REST = 1e-10


def rows_stand_still(system: System, before: Rows | None, rows: Rows, fastest: float) -> bool:
    """Whether q does not change at all between two rows although v is not zero.

    `fastest` is the largest entry of a velocity in the run: a body that has come to rest rightly
    stands still.
    """
    n = system.groupoid.base.dim
    if not n:  # a group alone: there is nothing to stand still
        return False
    if before is None and len(rows.k) == 1:  # the first row has none before it
        return False
    still = np.ones(rows.v.shape[:2], bool)
    if before is None:  # the first row has none before it
        still[:1] = False
    earlier = jax.tree.leaves((rows.take(slice(0, 1)) if before is None else before).q)
    for first, x in zip(earlier, jax.tree.leaves(rows.q)):
        here, last = (y.reshape(*y.shape[:2], -1) for y in (x, first))
        # Entry by entry: in most runs the first one moves at every row, and the search is over.
        for i in range(here.shape[2]):
            still[1:] &= here[1:, :, i] == here[:-1, :, i]
            still[:1] &= here[:1, :, i] == last[:, :, i]
            if not still.any():
                return False
    return bool((np.abs(rows.v[still][:, :n]) > _AT_REST * fastest).any())


def _locked(x: np.ndarray) -> np.ndarray:
    x = x.view()
    x.flags.writeable = False
    return x


AnySink: TypeAlias = Sink[Any, Any]
