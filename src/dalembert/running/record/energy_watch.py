"""Watch the energy along the rows of a single run: is its error larger than its terms?"""

from __future__ import annotations

import math

import jax
import numpy as np

from ...compile.layout import Tree
from ...dynamics import energy_is_conserved
from ...request import initial_data
from ...request.initial_data import EnergyFacts
from ...request.prepare import Prepared
from ...rows import Rows

# In each chunk about `_ROWS` evenly spaced rows are compared, or one every `APART` steps if that is
# more.
_ROWS = 256
APART = 64
# Most rows that a run makes for this watch alone. With one row every 64 steps, a leapfrog run of
# 400,000 steps took 1.4 times as long.
_MOST = 1024


def apart(steps: int) -> int:
    """Return the number of steps between the rows that are checked in a run of `steps` steps."""
    return max(APART, -(-steps // _MOST))


class EnergyWatch:
    """Checks the energy at the rows of a run; remembers the row with the largest error.

    Active only if the motion conserves energy and the run is long enough to be worth the
    compilation.
    """

    def __init__(self, prepared: Prepared, steps: int) -> None:
        self._prepared = prepared
        worth = steps >= initial_data.WORTH_ENERGY and energy_is_conserved(prepared.system)
        self.wanted = worth
        self._start: EnergyFacts | None = None
        self._worst = initial_data.WorstMember(0, 0.0, 0.0, 0, 1)
        self.lost_from = math.inf  # time of the first row whose energy error exceeds its terms

    def begin(self, first: Tree) -> None:
        """Compile the energy and evaluate it at the first row, before the run is timed."""
        if self.wanted:
            row = jax.tree.map(lambda x: np.asarray(x)[None], (first.t, first.q, first.v))
            energy = self._prepared.plan.energies((self._prepared.dynamic, *row))
            self._start = jax.tree.map(lambda x: x[0], energy)

    def feed(self, rows: Rows) -> None:
        """Check the next rows."""
        if self._start is None or not len(rows.k):
            return
        rows = rows.here()
        steps = int(rows.k[-1]) - int(rows.k[0])
        stride = max(min(APART, steps // _ROWS), 1)
        some = np.flatnonzero(np.diff(rows.k // stride, prepend=-1))
        if some[-1] != len(rows.k) - 1:
            some = np.append(some, len(rows.k) - 1)
        t, q, v = rows.t[some], *jax.tree.map(lambda x: x[some, 0], (rows.q, rows.v))
        energy = self._prepared.plan.energies((self._prepared.dynamic, t, q, v))
        shares = initial_data.energy_shares(self._start, energy)
        worst = initial_data.WorstMember.of(shares, ~(shares <= 1.0), t)
        if worst.over:
            self.lost_from = min(self.lost_from, float(t[np.argmax(~(shares <= 1.0))]))
        if worst.over and not worst.size <= self._worst.size:
            self._worst = worst._replace(over=1, members=1)

    def told(self) -> tuple[str, ...]:
        """Return the warning, if the error of the energy is too large."""
        return initial_data.told_energy(self._worst)


__all__ = ["EnergyWatch", "apart"]
