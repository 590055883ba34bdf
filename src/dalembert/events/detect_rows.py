"""Event detectors: find which function of which member vanishes between rows, and the row there.

A detector receives the rows of a run in the order of time, and returns the `Roots` up to the last
of them. `RowDetector` detects changes of sign from row to row. A function that leaves zero at the
start does not count, one that reaches zero does; two changes of sign between two rows are not
detected. `detect_polynomials` has the other detector. `locate` finds the root between two rows.
`event` decides what follows from an event.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from ..errors import SimulationError
from ..linalg import MESSAGES, OK
from ..methods import Row
from ..rows import Nodes, Rows, Start
from .locate import Left, Locator, mixed


class Roots(NamedTuple):
    """Roots in the order of rows: which function, which member, and the row there."""

    which: np.ndarray
    member: np.ndarray  # index among the members of the rows
    rows: Rows  # (roots, 1, ...), with the result code of the shortened step that led there
    # (functions, members): first time at which the function is NaN; infinity if never
    undefined: np.ndarray

    @classmethod
    def joined(cls, parts: Sequence[Roots]) -> Roots:
        """Concatenate roots; `undefined` is that of the first part."""
        which, member = (np.concatenate([getattr(x, n) for x in parts]) for n in cls._fields[:2])
        rows = jax.tree.map(lambda *x: np.concatenate(x), *(x.rows for x in parts))
        return cls(which, member, rows, parts[0].undefined)


def crossed(before: np.ndarray, after: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """Whether values with these signs (-1, 0, 1) have crossed or reached zero, by direction.

    A value that was zero before only leaves zero, which is not a crossing. `direction` is 1 for
    increasing functions, -1 for decreasing ones, 0 for both.
    """
    return (before != 0) & (after != before) & ((direction == 0) | (direction == -before))


class EventDetector(abc.ABC):
    """Finds where functions vanish; receives rows in the order of time."""

    def __init__(self, start: Start, names: tuple[str, ...]) -> None:
        self.start, self.names = start, names

    @abc.abstractmethod
    def detect(self, rows: Rows) -> Roots:
        """Return the roots from the last row of the previous call to the last of these rows."""

    def ends_at(self, member: int, last: Rows) -> None:
        """Note that an event has ended a member at this row: later roots do not count."""

    def check(self, found: Roots, i: int) -> None:
        """Raise if root i could not be located."""
        code = int(found.rows.result[i, 0])
        if code != OK:
            raise SimulationError(
                f"event '{self.names[found.which[i]]}'{self._of(found.member[i])} after t = "
                f"{found.rows.t[i]:.15g} could not be located: {MESSAGES[code]} in a shortened step"
            )

    def check_defined(self, found: Roots, until: np.ndarray) -> None:
        """Raise if a function was NaN before the time `until` of its member."""
        wrong = np.argwhere(found.undefined < until[None])
        for which, member in wrong[:1]:
            raise SimulationError(
                f"event '{self.names[which]}'{self._of(member)} is not a number at t = "
                f"{found.undefined[which, member]:.15g}"
            )

    def _of(self, member: Any) -> str:
        return "" if self.start.single else f" of member {self.start.first + int(member)}"


class RowDetector(EventDetector):
    """Detects changes of sign between consecutive rows; remembers the last row and its values.

    `observe` evaluates the functions at rows. With `ended` it also searches from the last row of a
    member to the event that has ended it, which is between rows.
    """

    def __init__(
        self,
        start: Start,
        names: tuple[str, ...],
        directions: tuple[int, ...],
        observe: Callable[[Start], Callable[[Rows], list[np.ndarray]]],
    ) -> None:
        super().__init__(start, names)
        self.directions = np.array(directions)[:, None, None]
        self.values, self.one = observe(start), observe(start._replace(members=1))
        self.last: tuple[Rows, np.ndarray] | None = None
        # rows at which events have ended members; the detectors of a block share it
        self.ended: dict[int, Rows] | None = None
        self._done = set[int]()  # members of `ended` that this detector has searched

    def detect(self, rows: Rows) -> Roots:
        before, found = self.last, self._between_rows(rows)
        return found if self.ended is None else self._until_ends(rows, before, found)

    def _between_rows(self, rows: Rows) -> Roots:
        if not len(rows.k):
            never = np.full((len(self.names), self.start.members), np.inf)
            none = np.zeros(0, int)
            return Roots(none, none, picked(rows, none, none), never)
        g, good = np.stack(self.values(rows)), rows.good
        g, wrong, undefined = _without_nan(g, rows.times, good)
        which, row, member = np.argwhere(self._changed(g, self.last) & good[None] & ~wrong).T
        left, before = picked(rows, row - 1, member), g[which, row - 1, member]
        first = np.flatnonzero(row == 0)  # their previous row is the last one of the call before
        if self.last is not None and len(first):
            last, g_last = self.last
            left = mixed(left, picked(last, np.zeros_like(first), member[first]), first)
            before[first] = g_last[which[first], member[first]]
        count = rows.k[row] - left.k
        size = np.full(len(row), self.start.h)
        if self.start.own_steps:
            size = (rows.times[row, member] - left.t) / count
        found = self.located(which, member, left, before, count, size)
        self.last = rows.take(slice(-1, None)), g[:, -1]
        return Roots(which, member, found, undefined)

    # -- members that an event has ended -------------------------------------------------------

    def ends_at(self, member: int, last: Rows) -> None:
        if self.ended is not None:
            self.ended[member] = last
            self._done.add(member)  # this detector has already searched up to the event

    def _until_ends(
        self, rows: Rows, before: tuple[Rows, np.ndarray] | None, found: Roots
    ) -> Roots:
        """Add the roots between the last row of each newly ended member and its end."""
        assert self.ended is not None
        new = np.array(sorted(self.ended.keys() - self._done), int)
        self._done.update(new.tolist())
        counts = np.sum(rows.good[:, new], axis=0)  # good rows come before all others
        here, earlier = new[counts > 0], new[counts == 0]
        left = [picked(rows, counts[counts > 0] - 1, here)]
        if before is not None:
            left.append(picked(before[0], np.zeros_like(earlier), earlier))
            here = np.concatenate([here, earlier])
        if not len(here):
            return found
        left = jax.tree.map(lambda *x: np.concatenate(x), *left)
        right = jax.tree.map(lambda *x: np.concatenate(x), *(self.ended[m] for m in here))
        ends = self._between(here, left, right)
        found.undefined[:, here] = np.minimum(found.undefined[:, here], ends.undefined)
        return Roots.joined([found, ends])

    def _between(self, member: np.ndarray, left: Rows, right: Rows) -> Roots:
        """Return the roots between two rows (members, 1, ...) of each of these members."""
        g = np.stack([np.stack(self.one(x))[:, :, 0] for x in (left, right)], axis=1)
        times, good = np.stack([left.t, right.t]), np.stack([left.good, right.good])[:, :, 0]
        g, wrong, undefined = _without_nan(g, times, good)
        changed = self._changed(g, None) & good[None] & ~wrong
        which, _, hit = np.argwhere(changed).T
        start, count = left.take(hit), (right.k - left.k)[hit]
        # a single step ends at the event, so it may be shorter than h
        own = (count == 1) | self.start.own_steps
        size = np.where(own, (right.t[hit] - start.t) / count, self.start.h)
        found = self.located(which, member[hit], start, g[which, 0, hit], count, size)
        return Roots(which, member[hit], found, undefined)

    # -- signs and roots -----------------------------------------------------------------------

    def _changed(self, g: np.ndarray, last: tuple[Rows, np.ndarray] | None) -> np.ndarray:
        """Whether values (functions, rows, members) have crossed zero since the row before."""
        sign = np.sign(g)
        before = np.concatenate([np.zeros_like(sign[:, :1]), sign[:, :-1]], axis=1)
        if last is not None:
            before[:, 0] = np.sign(last[1])
        return crossed(before, sign, self.directions)

    def located(
        self,
        which: np.ndarray,
        member: np.ndarray,
        left: Rows,
        g: np.ndarray,
        count: np.ndarray,
        size: np.ndarray,
    ) -> Rows:
        """Return the rows where functions vanish, within `count` steps of `size` after `left`.

        g are the values of the functions at `left`.
        """
        if not len(which):
            return left
        assert self.start.shortened is not None
        frame = np.zeros((len(which), 1, 0)) if left.frame is None else left.frame
        q, v, frame = jax.tree.map(lambda x: x[:, 0], (left.q, left.v, frame))
        node = Nodes(member + self.start.first, left.t, q, v, frame)

        def value(there: Row, some: np.ndarray) -> np.ndarray:
            one = jax.tree.map(lambda x: x[:, None], there)
            values = np.stack(self.one(Rows.of(np.zeros(len(some)), one, None)))[:, :, 0]
            return values[which[some], np.arange(len(some))]

        found = Locator(self.start.shortened).find(value, Left(node, g, count, size))
        one = jax.tree.map(lambda x: x[:, None], found.row._replace(t=None))
        return Rows(
            k=left.k + found.step,
            frame=None if left.frame is None else jax.tree.map(lambda x: x[:, None], found.frame),
            **one._asdict() | {"t": np.where(found.row.result == OK, found.row.t, left.t)},
        )


class EndedMembers:
    """Rows at which events have ended members of an ensemble; they are between its rows.

    The detectors of a block share it: those of events add members, those of sinks search up to
    their ends.
    """

    def __init__(self) -> None:
        self.rows: dict[int, Rows] = {}

    def detector(self, rows: RowDetector, functions: tuple[Any, ...]) -> EventDetector:
        """Return a detector that searches between rows, and from a member's last row to its end."""
        rows.ended = self.rows
        return rows


def detector_for(
    start: Start,
    names: tuple[str, ...],
    directions: tuple[int, ...],
    functions: tuple[Callable[..., Any], ...],
    observe: Callable[[Start], Callable[[Rows], list[np.ndarray]]],
) -> EventDetector:
    """Return the detector for a run: in polynomials for Taylor's method, else between rows.

    `functions` take (t, q, v); `observe` evaluates them at rows.
    """
    rows = RowDetector(start, names, directions, observe)
    return rows if start.pieces is None else start.pieces.detector(rows, functions)


def _without_nan(
    g: np.ndarray, times: np.ndarray, good: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return values with NaN replaced by zero, a mask of the NaN, and the first time of each."""
    wrong = np.isnan(g) & good
    return np.where(wrong, 0.0, g), wrong, np.where(wrong, times, np.inf).min(axis=1)


def picked(rows: Rows, row: np.ndarray, member: np.ndarray) -> Rows:
    """Return some (row, member) pairs as rows (pairs, 1, ...), each with its own time."""
    own = jax.tree.map(lambda x: x[row, member][:, None], rows._replace(k=None, t=None))
    return own._replace(k=rows.k[row], t=rows.times[row, member])


__all__ = ["EndedMembers", "EventDetector", "Roots", "RowDetector", "crossed", "detector_for"]
