"""Watch the constraint of every member of an ensemble: a member that meets a singular point fails.

Members are searched together at their rows, coarsely; those that may lose rank are then followed
one by one, as a single run is (`constraint_watch`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import numpy as np

from ...linalg import SINGULAR
from ...request import constraint_rows
from ...request.prepare import Prepared
from ...request.rank_loss import DIP
from ...rows import Node, Rows, ShortenedSteps
from .constraint_watch import ConstraintWatch, may_lose_rank

_MEMBERS = 8  # starts from which it is tested whether the rank may change, evenly spaced
_TOLD = 8  # members that a warning names


def members_may_lose_rank(of_member: Callable[[int], Prepared], members: int, steps: int) -> bool:
    """Whether the rank may change within reach of some of the members."""
    # A few members only: each costs a compiled call, and constraints of members differ little.
    some = np.unique(np.linspace(0, members - 1, _MEMBERS).astype(int)).tolist()
    return any(may_lose_rank(of_member(i), steps) for i in some)


class MemberRanks:
    """Follows the constraint of a block of members from row to row."""

    def __init__(
        self,
        of_member: Callable[[int], Prepared],
        dynamic: Any,
        first: int,
        members: int,
        steps: int,
        any_apart: bool,
        shortened: ShortenedSteps,
    ) -> None:
        """`dynamic` are the parameters of the block, those that vary with the members first."""
        self._of, self._dynamic, self._first, self._steps = of_member, dynamic, first, steps
        self._any_apart, self._shortened = any_apart, shortened
        self._plan = of_member(first).plan
        self.lost = np.full(members, np.iinfo(int).max)  # first step behind a singular point
        self.words: dict[int, str] = {}  # by member of the ensemble
        self.at: dict[int, float] = {}  # times of singular points, by member of the ensemble
        self._sizes: np.ndarray | None = None  # (members, m): the largest entry of each row so far
        self._last: Rows | None = None  # the last two rows of all members

    def feed(self, rows: Rows) -> Rows:
        """Search the next rows; return them with those behind singular points marked as failed."""
        rows = rows.here()
        known = rows if self._last is None else _joined(self._last, rows)
        forms = self._forms(known)
        if forms.shape[2]:
            # Members that are lost already are not searched again.
            for j in np.flatnonzero(self._suspects(forms, known.good) & (self.lost > known.k[-1])):
                self._follow(int(j), known)
        self._last = known.take(slice(-2, None))
        # The code of a step knows nothing of ranks, so rows behind the point are marked here.
        behind = rows.k[:, None] >= self.lost[None]
        return rows._replace(result=np.where(behind & rows.good, SINGULAR, rows.result))

    def _forms(self, rows: Rows) -> np.ndarray:
        """Return the constraint rows at all rows, (rows, members, m, n)."""
        n, members = rows.result.shape

        def flat(x: Any) -> np.ndarray:
            x = np.asarray(x)
            return x.reshape(n * members, *x.shape[2:])

        def repeated(x: Any, like: Any) -> np.ndarray:
            x = np.asarray(x)
            # Parameters that differ between members are repeated for each row; shared ones are
            # not.
            return np.tile(x, (n, *(1,) * (x.ndim - 1))) if x.ndim > np.ndim(like) else x

        dynamic = jax.tree.map(repeated, self._dynamic, self._plan.parameters.example())
        given = (dynamic, flat(rows.times), *jax.tree.map(flat, (rows.q, rows.v)))
        found = np.asarray(self._plan.constraint_rows(given).forms)
        # Rows of failed members would otherwise look like a loss of rank.
        good = np.isfinite(found) & flat(rows.good)[:, None, None]
        return np.where(good, found, 0.0).reshape(n, members, *found.shape[1:])

    def _suspects(self, forms: np.ndarray, good: np.ndarray) -> np.ndarray:
        """Return the members whose forms may lose rank between two good rows of these."""
        # Scaled as for single runs: by the largest entry of each row so far.
        sizes = np.max(np.abs(forms), axis=(0, 3))
        if self._sizes is not None:
            sizes = np.maximum(sizes, self._sizes)
        self._sizes = sizes
        # A row that is zero so far has no scale.
        safe = np.where(sizes > 0.0, sizes, 1.0)
        scaled = forms / safe[None, :, :, None]
        least = constraint_rows.smallest(scaled)
        if len(least) < 2:
            return np.zeros(least.shape[1], bool)
        # All members at once by necessary conditions; only suspects are searched one by one.
        ends = np.maximum(least[:-1], least[1:])
        # the conditions of `lost_between` and `suspects`, necessary ones
        moved = np.linalg.norm(np.diff(scaled, axis=0), axis=(2, 3))
        pairs = good[1:] & good[:-1]
        found = np.any(~(moved < (1.0 - constraint_rows.LOST) * ends) & pairs, axis=0)
        found |= np.any((least <= 0.0) & good, axis=0)
        if len(least) > 2:
            a, b, c = least[:-2], least[1:-1], least[2:]
            dips = (b <= a) & (b <= c) & (b < DIP * np.maximum(a, c))
            found |= np.any(dips & pairs[1:] & pairs[:-1], axis=0)
        return found

    def _follow(self, j: int, rows: Rows) -> None:
        """Search the rows of a member as those of a single run."""
        member = self._first + j
        mine = rows.alone(j)
        bad = np.flatnonzero(~mine.good[:, 0])
        mine = mine.take(slice(0, int(bad[0]) if len(bad) else None))
        if len(mine.k) < 2:
            return
        watch = ConstraintWatch(
            self._of(member), self._steps, True, self._any_apart, partial(self._short, member)
        )
        # One of many members is enough to say what happens there.
        watch.names_point = not self.words  # only one is described: it takes longer than the search
        found = watch.feed(mine)
        if found is not None:
            self.lost[j] = int(mine.k[min(found.count, len(mine.k) - 1)])
            self.at[member] = float(found.at.t[0])
            self.words[member] = found.words or f"t = {float(found.at.t[0]):.6g}"

    def _short(self, member: int, node: Node, sizes: np.ndarray) -> Any:
        return self._shortened(node._replace(member=np.full(len(sizes), member)), sizes)


def told_members(words: dict[int, str], members: int) -> tuple[str, ...]:
    """Return the warning about the members that have failed at singular points."""
    if not words:
        return ()
    which = sorted(words)
    told = next((x for x in words.values() if x.startswith("the constraint")), "")
    some = ", ".join(map(str, which[:_TOLD])) + (", ..." if len(which) > _TOLD else "")
    return (f"members {some} ({len(which)} of {members}) fail at a singular point: {told}",)


def _joined(a: Rows, b: Rows) -> Rows:
    return jax.tree.map(lambda x, y: np.concatenate([x, y]), a, b)


__all__ = ["MemberRanks", "members_may_lose_rank", "told_members"]
