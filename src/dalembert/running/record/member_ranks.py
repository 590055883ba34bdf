"""Watch the constraint of every member of an ensemble: a member that meets a singular point fails.

Members are searched together at their rows, coarsely; those that may lose rank are then followed
one by one, as a single run is (`constraint_watch`). After the run, the saved rows of some members
are checked for what is not followed: a constraint that jumps, and the warnings of the system.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import partial

import equinox as eqx
import jax
import numpy as np

from ...compile.layout import Tree
from ...linalg import SINGULAR
from ...request import constraint_rows
from ...request.batch import Batch
from ...request.prepare import Prepared
from ...request.rank_loss import DIP
from ...request.step import has_any_times
from ...request.validate import Parameters
from ...results import Ensemble, Trajectory
from ...rows import Nodes, Rows, ShortenedSteps
from .constraint_watch import ConstraintWatch, may_lose_rank

_MEMBERS = 8  # starts from which it is tested whether the rank may change, evenly spaced
_TOLD = 8  # members that a warning names


def members_may_lose_rank(of_member: Callable[[int], Prepared], members: int, steps: int) -> bool:
    """Return whether the rank may change within reach of some of the members."""
    # A few members only: constraints of members differ little.
    some = np.unique(np.linspace(0, members - 1, _MEMBERS).astype(int)).tolist()
    return may_lose_rank([of_member(i) for i in some], steps)


class MemberRanks:
    """Follows the constraint of a block of members from row to row."""

    def __init__(
        self,
        of_member: Callable[[int], Prepared],
        dynamic: Parameters,
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
        self.words: dict[int, str] = {}  # messages, by index of the member in the ensemble
        self.at: dict[int, float] = {}  # times of singular points, by the same index
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

        def flat(x: Tree) -> np.ndarray:
            x = np.asarray(x)
            return x.reshape(n * members, *x.shape[2:])

        def repeated(x: Tree, like: Tree) -> np.ndarray:
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
        alone = rows.alone(j)
        bad = np.flatnonzero(~alone.good[:, 0])
        alone = alone.take(slice(0, int(bad[0]) if len(bad) else None))
        if len(alone.k) < 2:
            return
        watch = ConstraintWatch(
            self._of(member), self._steps, True, self._any_apart, partial(self._short, member)
        )
        # One of many members is enough to say what happens there.
        watch.names_point = not self.words  # only one is described: it takes longer than the search
        found = watch.feed(alone)
        if found is not None:
            self.lost[j] = int(alone.k[min(found.count, len(alone.k) - 1)])
            self.at[member] = float(found.at.t[0])
            self.words[member] = found.words or f"t = {float(found.at.t[0]):.6g}"

    def _short(self, member: int, node: Nodes, sizes: np.ndarray) -> Tree:
        return self._shortened(node._replace(member=np.full(len(sizes), member)), sizes)


def told_members(words: dict[int, str], members: int) -> tuple[str, ...]:
    """Return the warning about the members that have failed at singular points."""
    if not words:
        return ()
    which = sorted(words)
    description = next((x for x in words.values() if x.startswith("the constraint")), "")
    some = ", ".join(map(str, which[:_TOLD])) + (", ..." if len(which) > _TOLD else "")
    return (f"members {some} ({len(which)} of {members}) fail at a singular point: {description}",)


def _joined(a: Rows, b: Rows) -> Rows:
    return jax.tree.map(lambda x, y: np.concatenate([x, y]), a, b)


# -- after the run --------------------------------------------------------------------------------

# Members whose rows are checked, evenly spaced: it takes 1 ms for each. 64 suffice to show a defect
# that most members have; losses of rank are watched in all members (`MemberRanks`).
_LOOKED = 64


def with_row_warnings(many: Ensemble, batch: Batch, prepared: Prepared, followed: bool) -> Ensemble:
    """Return the ensemble with the warnings that the saved rows of its members show.

    These are the warnings of the system, and those about a constraint that jumps or loses rank. The
    rank is not checked again if `MemberRanks` has `followed` it.
    """
    if not many.v.shape[1]:
        return many
    own_warnings = batch.example.has_run_warnings
    if not own_warnings and not _constraint_is_checked(many, prepared, followed):
        return many
    looked = np.unique(np.linspace(0, len(many) - 1, _LOOKED).astype(int)).tolist()
    found: dict[str, list[tuple[int, str]]] = {}
    row = prepared.state.row
    begun = (np.broadcast_to(np.asarray(row.t), len(many)), row.q, row.v)
    for i in looked:
        one = many[i]
        if not len(one):
            continue
        own = jax.tree.map(lambda x, i=i: x[i], batch.varying)
        start = (begun[0][i], *jax.tree.map(lambda x, i=i: np.asarray(x)[i], begun[1:]))
        member = prepared._replace(dynamic=eqx.combine(own, batch.shared))
        said = _constraint_warnings(member, start, one, followed)
        if own_warnings:
            system = eqx.combine(own, batch.shared, batch.static)
            said += tuple(system.run_warnings(one.t, one.q, one.v, one.multiplier))
        for warnings in said:
            # warnings that differ in numbers only are one warning
            found.setdefault(re.sub(r"[-+.\de]*\d", "#", warnings), []).append((i, warnings))
    some = f" of {len(looked)} checked" if len(looked) < len(many) else ""
    warnings = tuple(
        f"members {', '.join(str(i) for i, _ in each[:8])}{', ...' if len(each) > 8 else ''} "
        f"({len(each)}{some}): {each[0][1]}"
        for each in found.values()
    )
    if not warnings:
        return many
    meta = dataclasses.replace(many.meta, warnings=(*many.meta.warnings, *warnings))
    return dataclasses.replace(many, meta=meta)


def _constraint_is_checked(many: Ensemble, prepared: Prepared, followed: bool) -> bool:
    """Return whether saved rows can show a jump of the constraint or a loss of its rank."""
    if not prepared.system.is_constrained:
        return False
    if prepared.plan.constraint_may_jump:
        return True
    if followed:
        return False
    if has_any_times(prepared.method) or many.t.ndim == 2:
        return True
    steps = abs(float(many.t[-1]) - float(np.ravel(prepared.state.row.t)[0])) / prepared.h
    # Within a thousandth: the last step may be shorter than h.
    return steps <= 1.001 * len(many.t)


def _constraint_warnings(
    prepared: Prepared, start: tuple[Tree, Tree, Tree], one: Trajectory, followed: bool
) -> tuple[str, ...]:
    """Return warnings about a constraint that jumps or loses rank between rows, as for one run."""
    series = jax.tree.map(
        lambda a, b: np.concatenate([np.asarray(a)[None], np.asarray(b)]),
        start,
        (one.t, one.q, one.v),
    )
    series = jax.tree.map(lambda x: x[1:], series) if one.t[0] == start[0] else series
    steps = abs((series[0][-1] - series[0][0]) / prepared.h)
    apart = steps <= 1.001 * (len(series[0]) - 1)  # each step is saved, as in most single runs
    anywhere = has_any_times(prepared.method)
    ranks = (apart and not followed, anywhere and not followed)
    watch = ConstraintWatch(prepared, round(steps), *ranks)
    watch.look(series)
    return watch.told()


__all__ = [
    "MemberRanks",
    "members_may_lose_rank",
    "told_members",
    "with_row_warnings",
]
