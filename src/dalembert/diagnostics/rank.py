"""Detect whether a run has stepped over a point where its constraint loses rank."""

from __future__ import annotations

import jax
import numpy as np

from ..dynamics import constraint_matrix, metric
from ..request.constraint_rows import LOST, LOST_WITH_V, lost_between
from ..results import Trajectory
from ..system import Point, System
from .series import over_rows


def rank_losses(system: System, traj: Trajectory) -> np.ndarray:
    """Return times at which a run has stepped over a point where its constraint loses rank.

    A method for constant rank does not notice a singular point at which no step ends, and continues
    behind it. Here the constraint is assumed to vary linearly between two rows of the trajectory,
    in the metric. If its smallest singular value there falls below a fifth of its value at either
    end (two fifths for a constraint nonlinear in v), the time of the first row is returned; of
    consecutive steps, only that with the lowest value. Constraint rows of constant length are not
    detected, unless they turn by more than 150 degrees in a step. For constraints nonlinear in v
    the rows are d phi/dv at the velocities of the run: the Appell-Hamel constraint loses rank at
    rest.
    """
    if not system.is_constrained or len(traj.t) < 2:
        return np.zeros(0)
    A, G = (np.asarray(x) for x in over_rows(_forms, system, traj))
    fine = np.asarray(np.isfinite(A).all(axis=(1, 2)) & np.isfinite(G).all(axis=(1, 2)))
    count = fine.size if fine.all() else int(np.argmin(fine))  # only saved rows before a failure
    A, G = A[:count], G[:count]
    if count < 2 or np.min(np.linalg.eigvalsh(G)) <= 0.0:
        return np.zeros(0)
    white = np.linalg.solve(np.linalg.cholesky(G), A.transpose(0, 2, 1)).transpose(0, 2, 1)
    which, share = lost_between(white, LOST_WITH_V if system.is_nonlinear else LOST)
    groups = np.split(np.arange(which.size), np.flatnonzero(np.diff(which) > 1) + 1)
    lowest = [which[group[np.argmin(share[group])]] for group in groups if group.size]
    return np.asarray(traj.t)[np.asarray(lowest, dtype=int)]


def _forms(system: System, t: jax.Array, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    return constraint_matrix(system, q, v, t), metric(system, q, v, t)
