"""The parasitic mode of GNI along a motion: how far it grows, and whether that spoils the run.

The momentum that GNI takes from node to node has a part normal to the constraint whose sign
alternates. It follows a law of its own, eps' = K(q, v) eps (`dynamics.parasitic_matrix`), at every
size of the step; tr K is minus the divergence of the motion, so it grows where the motion settles.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from ..dynamics import acceleration, metric, parasitic_matrix
from ..errors import UsageError
from ..results import Trajectory
from ..system import Point, System
from .series import over_rows


def parasitic_growth(system: System, traj: Trajectory) -> np.ndarray:
    """Norm of X at every row, X' = K X, X = 1 at the first: the growth of the parasitic mode.

    `traj` is a motion of the system by any method; a good one is best. Between the rows K is taken
    from a cubic through its values, so rows may be a good part of a period apart.
    """
    return _growth(np.asarray(traj.t), parasitic_rates(system, traj))


def parasitic_rates(system: System, traj: Trajectory) -> np.ndarray:
    """K at every row; shape (rows, m, m)."""
    _check(system, traj)
    return np.asarray(over_rows(_rates, system, traj)[0])


def parasitic_warning(system: System, traj: Trajectory) -> str | None:
    """A sentence if the parasitic mode is larger than the method's own error at the end of a run.

    For runs of GNI and of SHAKE, its two-step form; None for others, also for GNI that restarts.
    With w the rate of the motion, the larger of |a|/|v| and |K|, the mode starts with (w h)^3 of
    the velocity and the error of the method is (w h)^2 of it: it is too large where w h (growth)
    exceeds 1.
    """
    return parasitic_words(traj, parasitic_size(system, traj))


def parasitic_words(traj: Trajectory, found: tuple[float, float] | None) -> str | None:
    """The sentence for what `parasitic_size` has found."""
    if found is None or found[1] <= 1.0:
        return None
    growth, size = found
    return (
        f"the parasitic mode of {traj.meta.method} has grown {growth:.1e} times, to about "
        f"{size:.0e} times the error of the method: take DLA() or a Gauss method, a shorter run, "
        "or GNI(rule, restart_every=k)"
    )


def parasitic_size(system: System, traj: Trajectory) -> tuple[float, float] | None:
    """(largest growth, its size in errors of the method), for a run of GNI; None for others."""
    name = traj.meta.method or ""
    if not (name.startswith("gni-") or name == "shake") or "-restart-" in name:
        return None
    if not system.is_constrained or system.is_nonlinear or len(traj) < 2:
        return None
    K, a, v = (np.asarray(x) for x in over_rows(_rates, system, traj))
    largest = float(np.max(_growth(np.asarray(traj.t), K)))
    speed = float(np.max(v))
    rate = max(float(np.max(a)) / speed if speed > 0 else 0.0, float(np.max(np.abs(K))))
    return largest, rate * abs(float(traj.meta.h)) * largest


def _rates(system: System, t: jax.Array, q: Point, v: jax.Array):
    """K, |a| and |v| at a row."""
    G, a = metric(system, q), acceleration(system, q, v, t)
    return parasitic_matrix(system, q, v, t), jnp.sqrt(a @ G @ a), jnp.sqrt(v @ G @ v)


def _check(system: System, traj: Trajectory) -> None:
    if np.ndim(traj.v) != 2:
        raise UsageError("the parasitic mode is about one trajectory: take one of the ensemble")
    if system.is_nonlinear:
        raise UsageError(
            f"{system.name()} has a nonlinear constraint: GNI does not run it, and there is no mode"
        )


def _growth(t: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Norms of the products of exp(Omega), Magnus's series to fourth order between the rows."""
    rows, m = K.shape[:2]
    if m == 0 or rows < 2:
        return np.ones(rows)
    h = np.diff(t)[:, None, None]
    Omega = 0.5 * h * (K[1:] + K[:-1])
    if rows > 2:
        slope = np.gradient(K, t, axis=0, edge_order=2)
        Omega = Omega + h**2 / 12.0 * (slope[:-1] - slope[1:])
    Omega = Omega + h**2 / 12.0 * (K[1:] @ K[:-1] - K[:-1] @ K[1:])
    if m == 1:
        logs = np.cumsum(Omega[:, 0, 0])
    else:
        from scipy.linalg import expm  # its import takes longer than most of this one's

        logs, X, size = np.empty(rows - 1), np.eye(m), 0.0
        for k, E in enumerate(expm(Omega)):
            X = E @ X
            norm = float(np.linalg.norm(X, 2))
            X, size = X / norm, size + np.log(norm)  # it may leave the range of numbers
            logs[k] = size
    with np.errstate(over="ignore"):
        return np.concatenate([[1.0], np.exp(logs)])


__all__ = [
    "parasitic_growth",
    "parasitic_rates",
    "parasitic_size",
    "parasitic_warning",
    "parasitic_words",
]
