"""Growth of the parasitic mode of GNI along a motion, and whether it spoils the run.

The momentum that GNI carries from node to node has a part normal to the constraint whose sign
alternates. It obeys eps' = K(q, v) eps (`dynamics.parasitic_matrix`) for every step size. tr K is
minus the divergence of the motion, so the mode grows where the motion contracts.
"""

from __future__ import annotations

import jax
import numpy as np

from ..dynamics import parasitic_matrix
from ..errors import UsageError
from ..methods import Method
from ..results import Trajectory
from ..rows import as_rows
from ..running.record.parasitic_mode import Mode, ModeWatch, block_of, judged, warnings
from ..system import Point, System
from .series import over_rows


def parasitic_growth(system: System, traj: Trajectory) -> np.ndarray:
    """Return the growth of the parasitic mode at every row: |X| with X' = K X, X = 1 at the start.

    `traj` is a motion of the system by any method, preferably an accurate one. Between rows K is
    interpolated by a cubic, so that rows may be as far apart as a good part of a period.
    """
    return _growth(np.asarray(traj.t), parasitic_rates(system, traj))


def parasitic_rates(system: System, traj: Trajectory) -> np.ndarray:
    """Return K at every row; shape (rows, m, m)."""
    _check(system, traj)
    return np.asarray(over_rows(_rates, system, traj))


def parasitic_warning(system: System, traj: Trajectory) -> str | None:
    """Return a warning if the parasitic mode exceeds the error of the method in the saved rows.

    None for methods without such a mode. A run itself also checks the steps between saved rows, and
    reports in `Trajectory.warnings`. This function is for runs inside JAX transformations, which
    make no such checks, and for parts of a run.
    """
    mode = parasitic_mode(system, traj)
    return next(iter(warnings(*mode)), None) if mode is not None else None


def parasitic_mode(system: System, traj: Trajectory) -> tuple[Method, Mode] | None:
    """Return the method of a run, and the size of its parasitic mode in the saved rows."""
    identity = traj.meta.identity
    if not (system.is_constrained and identity.method_is_known and len(traj)):
        return None
    method = identity.make_method()
    if method.traits.parasitic == "none":
        return None
    watch = ModeWatch(system, method, float(traj.meta.h), block=block_of(len(traj)))
    return method, judged(watch, as_rows(traj))


def _rates(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return parasitic_matrix(system, q, v, t)


def _check(system: System, traj: Trajectory) -> None:
    if np.ndim(traj.v) != 2:
        raise UsageError("the parasitic mode is measured on one trajectory: pass a member, many[i]")
    if system.is_nonlinear:
        raise UsageError(
            f"{system.name()} has a nonlinear constraint, which GNI does not run: there is no "
            "parasitic mode"
        )


def _growth(t: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Return norms of products of exp(Omega), with the Magnus series to order 4 between rows."""
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
        from scipy.linalg import expm  # imported here, because importing SciPy is slow

        logs, X, size = np.empty(rows - 1), np.eye(m), 0.0
        for k, E in enumerate(expm(Omega)):
            X = E @ X
            norm = float(np.linalg.norm(X, 2))
            # X may overflow, so it is normalized, and the logarithms of the norms are summed
            X, size = X / norm, size + np.log(norm)
            logs[k] = size
    with np.errstate(over="ignore"):
        return np.concatenate([[1.0], np.exp(logs)])


__all__ = [
    "parasitic_growth",
    "parasitic_mode",
    "parasitic_rates",
    "parasitic_warning",
]
