"""Follows the energy along the rows of a single run: is it off by more than its size?"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ...dynamics import energy_is_conserved
from ..request import initial_data
from ..request.initial_data import EnergyFacts
from ..request.prepare import Prepared
from ..rows import Rows

# Rows of a chunk that are compared: so many, evenly spread, and those `APART` steps apart.
_ROWS = 256
APART = 64
# Rows that a run makes for this alone, at most: with one at every 64th step a leapfrog of 400,000
# steps took 1.4 times as long.
_MOST = 1024


def apart(steps: int) -> int:
    """The steps between rows that are looked at in a run of so many steps."""
    return max(APART, -(-steps // _MOST))


class EnergyWatch:
    """Is fed the rows of a run, and remembers the one whose energy is farthest off.

    Of motions that keep the energy, and of runs that are worth the compilation of it.
    """

    def __init__(self, prepared: Prepared, steps: int) -> None:
        self._prepared = prepared
        kept = steps >= initial_data.WORTH_ENERGY and energy_is_conserved(prepared.system)
        self.wanted = kept
        self._start: EnergyFacts | None = None
        self._worst = initial_data.WorstMember(0, 0.0, 0.0, 0, 1)

    def begin(self, first: Any) -> None:
        """With the first row of the run, before the clock starts: the energy is compiled here."""
        if self.wanted:
            row = jax.tree.map(lambda x: np.asarray(x)[None], (first.t, first.q, first.v))
            found = self._prepared.plan.energies((self._prepared.dynamic, *row))
            self._start = jax.tree.map(lambda x: x[0], found)

    def feed(self, rows: Rows) -> None:
        """The rows that follow."""
        if self._start is None or not len(rows.k):
            return
        rows = rows.here()
        steps = int(rows.k[-1]) - int(rows.k[0])
        stride = max(min(APART, steps // _ROWS), 1)
        some = np.flatnonzero(np.diff(rows.k // stride, prepend=-1))
        some = np.unique(np.append(some, len(rows.k) - 1))
        t, q, v = rows.t[some], *jax.tree.map(lambda x: x[some, 0], (rows.q, rows.v))
        found = self._prepared.plan.energies((self._prepared.dynamic, t, q, v))
        shares = initial_data.energy_shares(self._start, found)
        worst = initial_data.WorstMember.of(shares, ~(shares <= 1.0), t)
        if worst.over and not worst.size <= self._worst.size:
            self._worst = worst._replace(over=1, members=1)

    def told(self) -> tuple[str, ...]:
        """The sentence about it, if the energy is lost."""
        return initial_data.told_energy(self._worst)


__all__ = ["EnergyWatch", "apart"]
