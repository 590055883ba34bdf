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

from ..errors import SimulationError
from ..linalg import MESSAGES, OK
from ..methods import Row
from .locate import Left, Node
from .rows import Rows, Start


class Found(NamedTuple):
    """Roots in the order in which rows came: which function, of which member, and the row there."""

    which: np.ndarray
    member: np.ndarray  # among those of the rows
    rows: Rows  # (roots, 1, ...), with the result of the shortened step that led there
    undefined: np.ndarray  # (functions, members): the first time at which it is NaN, or infinity

    @classmethod
    def joined(cls, parts: Sequence[Found]) -> Found:
        """All of them; what is undefined is that of the first."""
        which, member = (np.concatenate([getattr(x, n) for x in parts]) for n in cls._fields[:2])
        rows = jax.tree.map(lambda *x: np.concatenate(x), *(x.rows for x in parts))
        return cls(which, member, rows, parts[0].undefined)


def seeker_for(
    start: Start,
    names: tuple[str, ...],
    directions: tuple[int, ...],
    functions: tuple[Callable[..., Any], ...],
    observe: Callable[[Start], Callable[[Rows], list[np.ndarray]]],
) -> Seeker:
    """Who looks for roots: of the polynomials, where a run is made of them, or between rows.

    `start.pieces` makes it, where there is more to look at than rows. `functions` are of (t, q, v),
    and `observe` gives their values at rows.
    """
    rows = Seeker(start, names, directions, observe)
    return rows if start.pieces is None else start.pieces(rows, functions)


class Seeker:
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

    def alone(self, member: int) -> Seeker:
        """One like it that has seen nothing, for one of its members."""
        other = copy.copy(self)
        other.start = self.start._replace(first=self.start.first + member, members=1)
        other.values, other.last = self.one, None
        return other

    def ends_at(self, member: int, last: Rows) -> None:
        """An event has ended the run of a member, at this row: behind it nothing counts."""

    def feed(self, rows: Rows) -> Found:
        """What has happened until these rows, and after the last one before them."""
        if not len(rows.k):
            never = np.full((len(self.names), self.start.members), np.inf)
            return self._located(rows, never, np.zeros((3, 0), int), never)
        g, good = np.stack(self.values(rows)), rows.good
        wrong = np.isnan(g) & good
        undefined = np.where(wrong, rows.times, np.inf).min(axis=1)
        g = np.where(wrong, 0.0, g)
        hits = np.argwhere(self._changed(g) & good[None] & ~wrong)
        found = self._located(rows, g, hits.T, undefined)
        self.last = rows.take(slice(-1, None)), g[:, -1]
        return found

    def _changed(self, g: np.ndarray) -> np.ndarray:
        sign = np.sign(g)
        before = np.concatenate([np.zeros_like(sign[:, :1]), sign[:, :-1]], axis=1)
        if self.last is not None:
            before[:, 0] = np.sign(self.last[1])
        wanted = (self.directions == 0) | (self.directions == -before)
        return (before != 0) & (sign != before) & wanted

    def changes(self, g: np.ndarray) -> np.ndarray:
        """How often each function changes its sign in these values, (functions, rows, members)."""
        return np.sum(self._changed(g), axis=(1, 2))

    def _located(self, rows: Rows, g: np.ndarray, hits: np.ndarray, undefined: np.ndarray) -> Found:
        which, row, member = hits
        n = len(row)
        if not n:
            none = rows._replace(
                **jax.tree.map(lambda x: x[:0, :1], rows._replace(k=None, t=None))._asdict()
                | {"k": rows.k[:0], "t": rows.times[:0, 0]}
            )
            return Found(which, member, none, undefined)
        assert self.start.locator is not None

        def before(x: np.ndarray, own: np.ndarray | None = None) -> np.ndarray:
            """The entries of the row before each hit; of the first row, that of the last feed."""
            found = x[row - 1, member]  # -1 is replaced
            if own is not None and np.any(first := row == 0):
                found = np.array(found)
                found[first] = own[0, member[first]]
            return found

        last = rows if self.last is None else self.last[0]
        frame = np.zeros((n, 0)) if rows.frame is None else None
        k, k_last = (np.broadcast_to(x.k[:, None], x.result.shape) for x in (rows, last))
        t, t_last = rows.times, last.times
        step = before(k, k_last)
        node = Node(
            member + self.start.first,
            before(t, t_last),
            jax.tree.map(before, rows.q, last.q),
            before(rows.v, last.v),
            jax.tree.map(before, rows.frame, last.frame) if frame is None else frame,
        )

        def value(there: Row, some: np.ndarray) -> np.ndarray:
            one = jax.tree.map(lambda x: x[:, None], there)
            values = np.stack(self.one(Rows.of(np.zeros(len(some)), one, None)))[:, :, 0]
            return values[which[some], np.arange(len(some))]

        beginning = np.array([g[e, r - 1, m] for e, r, m in hits.T])
        first = row == 0
        if self.last is not None:
            beginning[first] = self.last[1][which[first], member[first]]
        count, size = k[row, member] - step, np.full(n, self.start.h)
        if self.start.own_steps:
            size = (t[row, member] - node.t) / count
        found = self.start.locator.find(value, Left(node, beginning, count, size))
        one = jax.tree.map(lambda x: x[:, None], found.row._replace(t=None))
        there = Rows(
            k=step + found.step,
            frame=jax.tree.map(lambda x: x[:, None], found.frame) if frame is None else None,
            **one._asdict() | {"t": np.where(found.row.result == OK, found.row.t, node.t)},
        )
        return Found(which, member, there, undefined)

    def check(self, found: Found, i: int) -> None:
        """Raise if the root was not found."""
        code = int(found.rows.result[i, 0])
        if code != OK:
            raise SimulationError(
                f"event '{self.names[found.which[i]]}'{self._of(found.member[i])} after t = "
                f"{found.rows.t[i]:.15g} could not be located: {MESSAGES[code]} in a shortened step"
            )

    def check_defined(self, found: Found, until: np.ndarray) -> None:
        """Raise if a function was NaN before these times of the members."""
        wrong = np.argwhere(found.undefined < until[None])
        for which, member in wrong[:1]:
            raise SimulationError(
                f"event '{self.names[which]}'{self._of(member)} is not a number at t = "
                f"{found.undefined[which, member]:.15g}"
            )

    def _of(self, member: Any) -> str:
        return "" if self.start.single else f" of member {self.start.first + int(member)}"


class Ends:
    """Where events have ended members of an ensemble, which is between its rows.

    A watch of events tells it, and others look until there.
    """

    def __init__(self) -> None:
        self.rows: dict[int, Rows] = {}

    def __call__(self, rows: Seeker, functions: tuple[Any, ...]) -> Seeker:
        """Who looks between rows, and from the last one to the end."""
        return EndSeeker(self.rows, rows)


class EndSeeker(Seeker):
    """Looks between rows, as `rows` does, and between the last row of a member and its end."""

    def __init__(self, ends: dict[int, Rows], rows: Seeker) -> None:
        self.start, self.names, self._rows = rows.start, rows.names, rows
        self._ends, self._done = ends, set[int]()

    def ends_at(self, member: int, last: Rows) -> None:
        self._ends[member] = last
        self._done.add(member)

    def feed(self, rows: Rows) -> Found:
        before = self._rows.last
        parts = [self._rows.feed(rows)]
        for member in sorted(self._ends.keys() - self._done):
            self._done.add(member)
            end, good = self._ends[member], np.flatnonzero(rows.good[:, member])
            if len(good):
                left = rows.take(good[-1:])
            elif before is not None:
                left = before[0]
            else:
                continue
            alone = self._rows.alone(member)
            if end.k[0] - left.k[0] == 1:  # a step that is shorter than the others
                alone.start = alone.start._replace(own_steps=True)
            alone.feed(left.alone(member))
            found = alone.feed(end)
            parts.append(found._replace(member=np.full(len(found.which), member)))
            undefined = parts[0].undefined
            undefined[:, member] = np.minimum(undefined[:, member], found.undefined[:, 0])
        return Found.joined(parts) if len(parts) > 1 else parts[0]


__all__ = ["Ends", "Found", "Seeker", "seeker_for"]
