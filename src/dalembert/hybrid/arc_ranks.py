"""Check whether a hybrid run steps over a singular point, where constraints lose rank.

The saved rows in one mode between two jumps form an arc. The arcs of all members in one mode are
searched together, like the members of an ensemble (`running.record.member_ranks`). A run with
declared modes continues with a warning, because its transitions do not include the jump that would
be needed at a singular point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import numpy as np

from ..linalg import OK, SINGULAR
from ..request import constraint_rows
from ..request.prepare import Prepared
from ..request.step import has_any_times
from ..rows import Nodes, Rows
from ..running.programs.fixed_step import shortened_members
from ..running.record.member_ranks import MemberRanks, members_may_lose_rank
from ..system import Point
from .mode_program import ModeProgram, Node

_TAIL = 2  # last rows that are searched again with the next ones, because a minimum takes three


class ArcRows(NamedTuple):
    """Rows of many members, ordered by member and time."""

    member: np.ndarray
    mode: np.ndarray
    begins: np.ndarray  # whether an arc begins with this row
    t: np.ndarray
    q: Point
    v: np.ndarray
    frame: Point


class ArcRanks:
    """Follows the constraints of all members of a hybrid run from row to row."""

    def __init__(
        self,
        steppers: Mapping[str, ModeProgram],
        modes: list[int],
        own: Callable[[int, np.ndarray], Any] | None = None,
    ) -> None:
        """`modes` are those whose rank may change; `own` gives the parameters of some members."""
        self._steppers, self._modes, self._own = list(steppers.values()), modes, own
        self._names = list(steppers)
        self._tail: ArcRows | None = None
        # (member, mode) -> time of its first loss of rank
        self.found: dict[tuple[int, int], float] = {}

    def feed(self, rows: ArcRows) -> None:
        """Search the next rows of all members."""
        if not len(rows.t):
            return
        if self._tail is not None:
            rows = jax.tree.map(lambda *x: np.concatenate(x), self._tail, rows)
            order = np.argsort(rows.member, kind="stable")
            rows = jax.tree.map(lambda x: x[order], rows)
        new = np.r_[True, rows.member[1:] != rows.member[:-1]] | rows.begins
        arc = np.cumsum(new) - 1
        for mode in self._modes:
            mine = np.flatnonzero(rows.mode == mode)
            if len(mine):
                self._search(mode, jax.tree.map(lambda x, i=mine: x[i], rows), arc[mine])
        # the last rows of the last arc of each member
        n = len(arc)
        ends = np.flatnonzero(np.r_[rows.member[1:] != rows.member[:-1], True])
        last = [np.arange(max(e - _TAIL + 1, np.searchsorted(arc, arc[e])), e + 1) for e in ends]
        kept = np.concatenate(last) if n else np.zeros(0, int)
        self._tail = jax.tree.map(lambda x: x[kept], rows)

    def _search(self, mode: int, rows: ArcRows, arc: np.ndarray) -> None:
        """Search arcs in one mode: as members of an ensemble, padded to the same length."""
        numbers, first, which, counts = np.unique(
            arc, return_index=True, return_inverse=True, return_counts=True
        )
        at = np.arange(len(arc)) - first[which]  # place in the arc
        members = rows.member[first]
        shape = (int(np.max(counts)), len(numbers))

        def dense(x: np.ndarray) -> np.ndarray:
            out = np.zeros((*shape, *x.shape[1:]), x.dtype)
            out[at, which] = x
            return out

        result = np.full(shape, SINGULAR)
        result[at, which] = OK
        q, v, frame = jax.tree.map(dense, (rows.q, rows.v, rows.frame))
        none: Any = None
        given = Rows(
            np.arange(shape[0]), dense(rows.t), q, v, none, none, frame, result * 0.0, result
        )
        stepper = self._steppers[mode]
        dynamic = stepper.dynamic if self._own is None else self._own(mode, members)

        def of_member(j: int) -> Prepared:
            mine = stepper.dynamic
            if self._own is not None:
                mine = jax.tree.map(lambda x: x[j], dynamic)
            return prepared_mode(stepper, mine, None)

        def shortened(node: Nodes, sizes: np.ndarray) -> Any:
            mine = of_member(int(node.member[0]) if len(node.member) else 0).dynamic
            empty = jax.tree.map(lambda _: None, mine)
            return shortened_members(stepper.plan, mine, empty, node, sizes)

        watch = MemberRanks(of_member, dynamic, 0, len(numbers), stepper.steps, True, shortened)
        watch.feed(given)
        for j, t in watch.at.items():
            self.found.setdefault((int(members[j]), mode), t)

    def words(self, member: int) -> list[str]:
        """Return the warnings of a member."""
        return [
            f"in mode '{self._names[mode]}', {constraint_rows.told_rank(f'near t = {t:.6g}')}"
            for (i, mode), t in self.found.items()
            if i == member
        ]


def prepared_mode(stepper: ModeProgram, dynamic: Any, state: Any) -> Prepared:
    """Return a mode as a prepared run, from which its constraint is evaluated."""
    return Prepared(
        stepper.system, stepper.method, stepper.plan, dynamic, stepper.h, stepper.t0, state
    )


def modes_to_watch(
    steppers: Mapping[str, ModeProgram], start: Callable[[int], Node], members: int
) -> list[int]:
    """Return the modes whose constraint may change its rank within reach of the starts."""
    found = []
    for mode, x in enumerate(steppers.values()):
        if not x.plan.constraints or has_any_times(x.method):
            continue

        def of_member(i: int, x: ModeProgram = x) -> Prepared:
            node, state = start(i), x.plan.state.zeros()
            row = state.row._replace(t=np.asarray(node.t), q=node.q, v=np.asarray(node.v))
            return prepared_mode(x, x.dynamic, state._replace(row=row))

        if members_may_lose_rank(of_member, members, x.steps):
            found.append(mode)
    return found


__all__ = ["ArcRanks", "ArcRows", "modes_to_watch", "prepared_mode"]
