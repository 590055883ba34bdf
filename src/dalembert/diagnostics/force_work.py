"""The work that forces and inputs do along a run, to compare with the change of the energy."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import UsageError
from ..inputs import Table, driven
from ..results import Trajectory
from ..results.remembered import remembered_control
from ..results.summaries import HeldInputs
from ..system import Point, System
from .series import is_driven, over_rows

# Gauss's three points on (0, 1), exact for polynomials of degree 5. Between rows the motion is
# interpolated to order 6 at best, so more Gauss points would not be more accurate.
_NODES = 0.5 + 0.5 * np.array([-np.sqrt(0.6), 0.0, np.sqrt(0.6)])
_WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18.0


def work(system: System, traj: Trajectory, u: Any = None) -> np.ndarray:
    """Return the integral of <F, v> dt at every row: the work of `force` and of the inputs.

    For the exact motion with a Lagrangian and constraints that do not depend on time, and with
    constraints linear in v, this work equals E(t) - E(0). The difference is an error of the run, or
    of the quadrature between rows, which has order 6 in their distance in time if F is smooth.

    Args:
        system: the system, or the driven system (`control.driven(system, u)`).
        traj: one run of it.
        u: the control of the run, as it was given to `simulate`. It is needed for a run that was
            read from a file or is a member of an ensemble; other runs remember it. A run with a
            `Sampled` controller has its inputs in `traj.saved["u"]`.
    """
    if traj.v.ndim != 2:
        raise UsageError("work takes one trajectory, not an ensemble: pass a member, many[i]")
    acting = acting_system(system, traj, u)
    if acting is system and is_driven(system, traj):
        raise UsageError(
            f"{system.name()} was driven by a control that the trajectory does not hold: "
            "work(system, traj, u=u), with the u of the run"
        )
    t = np.asarray(traj.t, dtype=float)
    if not acting.has_force or len(t) < 2:
        return np.zeros(len(t))
    spans = np.diff(t)
    between = traj.at((t[:-1, None] + spans[:, None] * _NODES).ravel(), system)
    rows: Any = _At(between.t, between.q, between.v)
    power = np.asarray(over_rows(_power, acting, rows))
    parts = spans * (power.reshape(len(spans), 3) @ _WEIGHTS)
    return np.concatenate([[0.0], np.cumsum(parts)])


def known_work(system: System, traj: Trajectory) -> np.ndarray | None:
    """Return `work` if energy minus work is constant and all forces are known, else None."""
    acting = acting_system(system, traj)
    known = acting.has_force and (acting is not system or not is_driven(system, traj))
    holds = not (system.is_nonlinear or system.has_offset or system.has_time)
    if not (known and holds and len(traj) >= 4):
        return None
    try:
        return work(system, traj)
    except UsageError:  # the rows cannot be interpolated
        return None


def acting_system(system: System, traj: Trajectory, u: Any = None) -> System:
    """Return the system with all forces that acted in the run, as far as they are known."""
    held = traj.saved.get("u")
    if u is None and is_driven(system, traj):
        if isinstance(held, HeldInputs) and held.u.ndim == 2:
            u = Table(held.t, held.u, hold=True)
        else:
            u = remembered_control(traj)
    return system if u is None else driven(system, u)


class _At:
    """The motion at times between the rows of a trajectory, for `over_rows`."""

    def __init__(self, t: np.ndarray, q: Point, v: np.ndarray) -> None:
        self.t, self.q, self.v = t, q, v


def _power(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return jnp.sum(system.force(t, q, v) * v)
