"""Whether a run has stepped over a point where its constraint loses rank."""

from __future__ import annotations

import jax
import numpy as np

from ..dynamics import constraint_matrix, metric
from ..results import Trajectory
from ..system import Point, System
from .series import over_rows

_LOST = 0.2  # share of a singular value that is left where a step passes a loss of rank
# The same of d phi/dv, which is as inaccurate as v near the loss: RK4 at h = 0.01 leaves 0.21 of it
# on the Appell-Hamel machine, and goes on along another motion.
_LOST_WITH_V = 0.4
_BETWEEN = np.linspace(0.0, 1.0, 33)[:, None, None, None]


def rank_losses(system: System, traj: Trajectory) -> np.ndarray:
    """Times between whose rows a run has stepped over a point where its constraint loses rank.

    A method of constant rank does not see a singular point that no step ends at, and goes on behind
    it as if nothing had happened. Between two rows the constraint is taken to vary linearly, in
    the metric; where its smallest singular value falls below a fifth of that at either end (two
    fifths, of a constraint nonlinear in v), the time of the first row is given; of steps that
    follow each other, that of the lowest. Rows of constant length are not found, unless they turn
    by more than 150 degrees in a step. Of constraints nonlinear in v the rows are d phi/dv at the
    velocities of the run: the Appell-Hamel constraint loses its rank at rest.
    """
    if not system.is_constrained or len(traj.t) < 2:
        return np.zeros(0)
    A, G = (np.asarray(x) for x in over_rows(_forms, system, traj))
    fine = np.asarray(np.isfinite(A).all(axis=(1, 2)) & np.isfinite(G).all(axis=(1, 2)))
    count = fine.size if fine.all() else int(np.argmin(fine))  # up to where a run has failed
    A, G = A[:count], G[:count]
    if count < 2 or np.min(np.linalg.eigvalsh(G)) <= 0.0:
        return np.zeros(0)
    white = np.linalg.solve(np.linalg.cholesky(G), A.transpose(0, 2, 1)).transpose(0, 2, 1)
    least = np.linalg.svd(white, compute_uv=False)[..., -1]
    ends = np.maximum(least[:-1], least[1:])
    lost = _LOST_WITH_V if system.is_nonlinear else _LOST
    # where the forms move little nothing can be lost between: almost everywhere
    moved = np.linalg.norm(np.diff(white, axis=0), axis=(1, 2))
    at = np.flatnonzero(~(moved < (1.0 - lost) * ends))
    if not at.size:
        return np.zeros(0)
    between = (1.0 - _BETWEEN) * white[None, at] + _BETWEEN * white[None, at + 1]
    found = np.min(np.linalg.svd(between, compute_uv=False)[..., -1], axis=0)
    share = found / np.maximum(ends[at], 1e-300)
    which = np.flatnonzero(share < lost)
    groups = np.split(which, np.flatnonzero(np.diff(at[which]) > 1) + 1)
    lowest = [at[group[np.argmin(share[group])]] for group in groups if group.size]
    return np.asarray(traj.t)[np.asarray(lowest, dtype=int)]


def _forms(system: System, t: jax.Array, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    return constraint_matrix(system, q, v, t), metric(system, q, v, t)
