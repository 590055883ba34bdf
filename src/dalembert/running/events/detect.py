"""Where functions of rows change their sign, while rows come in, and where exactly they vanish.

A function that has left zero at the start does not count; one that reaches zero does; one that
changes its sign twice between two rows is not seen.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from ...errors import SimulationError
from ...linalg import MESSAGES, OK
from ...methods import Row
from ..rows import Node, Rows, Start
from .locate import Left, Locator, mixed


class Roots(NamedTuple):
    """Roots in the order in which rows came: which function, of which member, and the row there."""

    which: np.ndarray
    member: np.ndarray  # among those of the rows
    rows: Rows  # (roots, 1, ...), with the result of the shortened step that led there
    undefined: np.ndarray  # (functions, members): the first time at which it is NaN, or infinity

    @classmethod
    def joined(cls, parts: Sequence[Roots]) -> Roots:
        """All of them; what is undefined is that of the first."""
        which, member = (np.concatenate([getattr(x, n) for x in parts]) for n in cls._fields[:2])
        rows = jax.tree.map(lambda *x: np.concatenate(x), *(x.rows for x in parts))
        return cls(which, member, rows, parts[0].undefined)


def detector_for(
    start: Start,
    names: tuple[str, ...],
    directions: tuple[int, ...],
    functions: tuple[Callable[..., Any], ...],
    observe: Callable[[Start], Callable[[Rows], list[np.ndarray]]],
) -> EventDetector:
    """Who looks for roots: of the polynomials, where a run is made of them, or between rows.

    `start.pieces` makes it, where there is more to look at than rows. `functions` are of (t, q, v),
    and `observe` gives their values at rows.
    """
    rows = EventDetector(start, names, directions, observe)
    return rows if start.pieces is None else start.pieces(rows, functions)


class EventDetector:
    """The last row, and what the functions were there."""

    def __init__(
        self,
        start: Start,
        names: tuple[str, ...],
        directions: tuple[int, ...],
        observe: Callable[[Start], Callable[[Rows], list[np.ndarray]]],
    ) -> None:
        self.start, self.names = start, names
        self.directions = np.array(directions)[:, None, None]
        self.values, self.one = observe(start), observe(start._replace(members=1))
        self.last: tuple[Rows, np.ndarray] | None = None

    def alone(self, member: int) -> EventDetector:
        """One like it that has seen nothing, for one of its members."""
        other = copy.copy(self)
        other.start = self.start._replace(first=self.start.first + member, members=1)
        other.values, other.last = self.one, None
        return other

    def ends_at(self, member: int, last: Rows) -> None:
        """An event has ended the run of a member, at this row: behind it nothing counts."""

    def feed(self, rows: Rows) -> Roots:
        """What has happened until these rows, and after the last one before them."""
        if not len(rows.k):
            never = np.full((len(self.names), self.start.members), np.inf)
            none = np.zeros(0, int)
            return Roots(none, none, _picked(rows, none, none), never)
        g, good = np.stack(self.values(rows)), rows.good
        g, wrong, undefined = self._defined(g, rows.times, good)
        which, row, member = np.argwhere(self._changed(g) & good[None] & ~wrong).T
        left, before = _picked(rows, row - 1, member), g[which, row - 1, member]
        first = np.flatnonzero(row == 0)  # the row before those is the last of the feed before
        if self.last is not None and len(first):
            last, g_last = self.last
            left = mixed(left, _picked(last, np.zeros_like(first), member[first]), first)
            before[first] = g_last[which[first], member[first]]
        count = rows.k[row] - left.k
        size = np.full(len(row), self.start.h)
        if self.start.own_steps:
            size = (rows.times[row, member] - left.t) / count
        found = self._located(which, member, left, before, count, size)
        self.last = rows.take(slice(-1, None)), g[:, -1]
        return Roots(which, member, found, undefined)

    def between(self, member: np.ndarray, left: Rows, right: Rows) -> Roots:
        """What happens between two rows of each of some members, (members, 1, ...)."""
        g = np.stack([np.stack(self.one(x))[:, :, 0] for x in (left, right)], axis=1)
        times, good = np.stack([left.t, right.t]), np.stack([left.good, right.good])[:, :, 0]
        g, wrong, undefined = self._defined(g, times, good)
        changed = self._changed(g, first=True) & good[None] & ~wrong
        which, _, hit = np.argwhere(changed).T
        start, count = left.take(hit), (right.k - left.k)[hit]
        # one step is as long as the rows are apart, which may be less than the others are
        own = (count == 1) | self.start.own_steps
        size = np.where(own, (right.t[hit] - start.t) / count, self.start.h)
        found = self._located(which, member[hit], start, g[which, 0, hit], count, size)
        return Roots(which, member[hit], found, undefined)

    def _defined(
        self, g: np.ndarray, times: np.ndarray, good: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values with zeros in place of NaN, where these are, and the first times of them."""
        wrong = np.isnan(g) & good
        return np.where(wrong, 0.0, g), wrong, np.where(wrong, times, np.inf).min(axis=1)

    def _changed(self, g: np.ndarray, first: bool = False) -> np.ndarray:
        """Whether signs are others than a row before, if that is wanted; `first`: there is none."""
        sign = np.sign(g)
        before = np.concatenate([np.zeros_like(sign[:, :1]), sign[:, :-1]], axis=1)
        if self.last is not None and not first:
            before[:, 0] = np.sign(self.last[1])
        wanted = (self.directions == 0) | (self.directions == -before)
        return (before != 0) & (sign != before) & wanted

    def changes(self, g: np.ndarray) -> np.ndarray:
        """How often each function changes its sign in these values, (functions, rows, members)."""
        return np.sum(self._changed(g), axis=(1, 2))

    def _located(
        self,
        which: np.ndarray,
        member: np.ndarray,
        left: Rows,
        g: np.ndarray,
        count: np.ndarray,
        size: np.ndarray,
    ) -> Rows:
        """Where functions vanish that are g at the rows `left`, in so many steps of these sizes."""
        if not len(which):
            return left
        assert self.start.shortened is not None
        frame = np.zeros((len(which), 1, 0)) if left.frame is None else left.frame
        q, v, frame = jax.tree.map(lambda x: x[:, 0], (left.q, left.v, frame))
        node = Node(member + self.start.first, left.t, q, v, frame)

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

    def check(self, found: Roots, i: int) -> None:
        """Raise if the root was not found."""
        code = int(found.rows.result[i, 0])
        if code != OK:
            raise SimulationError(
                f"event '{self.names[found.which[i]]}'{self._of(found.member[i])} after t = "
                f"{found.rows.t[i]:.15g} could not be located: {MESSAGES[code]} in a shortened step"
            )

    def check_defined(self, found: Roots, until: np.ndarray) -> None:
        """Raise if a function was NaN before these times of the members."""
        wrong = np.argwhere(found.undefined < until[None])
        for which, member in wrong[:1]:
            raise SimulationError(
                f"event '{self.names[which]}'{self._of(member)} is not a number at t = "
                f"{found.undefined[which, member]:.15g}"
            )

    def _of(self, member: Any) -> str:
        return "" if self.start.single else f" of member {self.start.first + int(member)}"


class EndedMembers:
    """Where events have ended members of an ensemble, which is between its rows.

    A watch of events tells it, and others look until there.
    """

    def __init__(self) -> None:
        self.rows: dict[int, Rows] = {}

    def __call__(self, rows: EventDetector, functions: tuple[Any, ...]) -> EventDetector:
        """Who looks between rows, and from the last one to the end."""
        return EndDetector(self.rows, rows)


class EndDetector(EventDetector):
    """Looks between rows, as `rows` does, and between the last row of a member and its end."""

    def __init__(self, ends: dict[int, Rows], rows: EventDetector) -> None:
        self.start, self.names, self._rows = rows.start, rows.names, rows
        self._ends, self._done = ends, set[int]()

    def ends_at(self, member: int, last: Rows) -> None:
        self._ends[member] = last
        self._done.add(member)

    def feed(self, rows: Rows) -> Roots:
        before = self._rows.last
        found = self._rows.feed(rows)
        new = np.array(sorted(self._ends.keys() - self._done), int)
        self._done.update(new.tolist())
        counts = np.sum(rows.good[:, new], axis=0)  # of rows, which are good from the first on
        here, earlier = new[counts > 0], new[counts == 0]
        left = [_picked(rows, counts[counts > 0] - 1, here)]
        if before is not None:
            left.append(_picked(before[0], np.zeros_like(earlier), earlier))
            here = np.concatenate([here, earlier])
        if not len(here):
            return found
        left = jax.tree.map(lambda *x: np.concatenate(x), *left)
        right = jax.tree.map(lambda *x: np.concatenate(x), *(self._ends[m] for m in here))
        ends = self._rows.between(here, left, right)
        found.undefined[:, here] = np.minimum(found.undefined[:, here], ends.undefined)
        return Roots.joined([found, ends])


def _picked(rows: Rows, row: np.ndarray, member: np.ndarray) -> Rows:
    """Some rows of some members, (those, 1, ...), with times of their own."""
    own = jax.tree.map(lambda x: x[row, member][:, None], rows._replace(k=None, t=None))
    return own._replace(k=rows.k[row], t=rows.times[row, member])


__all__ = ["EndedMembers", "Roots", "EventDetector", "detector_for"]
