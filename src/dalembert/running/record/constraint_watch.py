"""Follows the constraint along the rows of a single run: does it lose rank, does it jump?"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...groupoids import move
from ..request import constraint_rows
from ..request.initial_data import WORTH_ENERGY
from ..request.prepare import Prepared
from ..rows import Rows


class ConstraintWatch:
    """Is fed the rows of a run, chunk by chunk; each thing is said once.

    The rank is followed where rows are single steps apart, `steps_apart`; with `any_apart`, of
    Taylor's method, rows may be any distance apart, and turn by any angle in between.
    """

    def __init__(self, prepared: Prepared, steps: int, steps_apart: bool, any_apart: bool) -> None:
        self._prepared, self._any_apart = prepared, any_apart
        # what is compiled for it costs more than a few steps
        wanted = prepared.system.is_constrained and steps >= WORTH_ENERGY
        self._ranks = wanted and (steps_apart or any_apart)
        self._jumps = wanted and prepared.plan.constraint_may_jump
        self._before: constraint_rows.Series | None = None
        self._jumped = self._lost = ""  # what is said of it

    def begin(self, first: Any) -> None:
        """With the first row of the run, before the clock starts: the constraint is compiled."""
        if self._ranks or self._jumps:
            self._at(jax.tree.map(lambda x: np.asarray(x)[None], (first.t, first.q, first.v)))

    def feed(self, rows: Rows) -> None:
        """The rows that follow."""
        if not (self._ranks or self._jumps):
            return
        rows = rows.here()
        series = (rows.t, *jax.tree.map(lambda x: x[:, 0], (rows.q, rows.v)))
        if self._before is not None:
            series = jax.tree.map(lambda a, b: np.concatenate([a, b]), self._before, series)
        self._before = jax.tree.map(lambda x: np.array(x[-1:]), series)
        if len(series[0]) < 2:
            return
        if self._jumps and (jump := constraint_rows.first_jump(self._at, series)) is not None:
            # what a jump does to the rows is no loss of rank
            self._jumps = self._ranks = False
            self._jumped = constraint_rows.told_jump(jump)
        if self._ranks:
            nonlinear = self._prepared.system.is_nonlinear
            lost = constraint_rows.LOST_WITH_V if nonlinear else constraint_rows.LOST
            t = constraint_rows.lowest_rank(self._at, series, lost, self._any_apart)
            if t is not None:
                self._ranks = False
                self._lost = constraint_rows.told_rank(t)

    def told(self, nothing: bool = False) -> tuple[str, ...]:
        """What there is to say; of a run that means `nothing` only a jump, which may be why."""
        return tuple(x for x in (self._jumped, "" if nothing else self._lost) if x)

    def jump_near(self, row: Any, node: Any = None) -> bool:
        """Whether there is a jump between the last row and one that failed, or a step ahead.

        `node` is where Taylor's method stands, which may be far behind the last row.
        """
        last = self._before
        if last is None or not self._jumps:
            return False
        h, groupoid = self._prepared.h, self._prepared.system.groupoid

        def ahead(t: Any, q: Any, v: Any) -> tuple[Any, Any, Any]:
            q = jax.tree.map(jnp.asarray, q)
            return (float(t) + h, move(groupoid, q, h * jnp.asarray(v)), v)

        begun = jax.tree.map(lambda x: x[0], last)
        ends = [(row.t, row.q, row.v), ahead(*begun)]
        ends += [ahead(node.t, node.q, node.v)] if node is not None else []
        for end in ends:
            series = jax.tree.map(lambda a, b: np.stack([a, np.asarray(b)]), begun, end)
            if all(np.all(np.isfinite(x)) for x in jax.tree.leaves(series)):
                if constraint_rows.first_jump(self._at, series) is not None:
                    return True
        return False

    def _at(self, series: constraint_rows.Series) -> constraint_rows.ConstraintRows:
        return self._prepared.plan.constraint_rows((self._prepared.dynamic, *series))


__all__ = ["ConstraintWatch"]
