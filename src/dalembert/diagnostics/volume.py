"""Volume on the constraint under the map of a method: an open question of [MP], measured.

A motion with an invariant measure conserves rho(q) times the volume of the kinetic metric on D
(`geometry.phase_measure`). The map Phi of a method changes it in one step by

    ln |det dPhi| + ln rho(Phi(q, v)) - ln rho(q, v),

the determinant taken in that volume. For DLA a step (q, v) is a pair (q, q1) of the discrete
constraint C_d. The change is then that of the volume on C_d to which the discrete Legendre
transform carries the volume on D. Section 8 [MP] asks whether DLA conserves such a volume.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..doors import guard as _guard
from ..dynamics import linear_constraint, metric
from ..errors import UsageError
from ..linalg import solve_spd
from ..methods import Method
from ..methods.energy import kernel
from ..running import simulate
from ..system import Point, System, compiled_call

Density = Callable[[Point], Any]


class VolumeChange(NamedTuple):
    """Change of the logarithm of a volume along a run, one entry for each step."""

    t: np.ndarray  # times at the ends of the steps
    each: np.ndarray  # change in each step
    total: np.ndarray  # change since the start

    @property
    def rate(self) -> float:
        """Slope of the total over time, by least squares: zero for a volume that only wobbles."""
        return float(np.polyfit(self.t, self.total, 1)[0]) if len(self.t) > 1 else 0.0


def volume_change(
    system: System,
    method: Method,
    q0: Point = None,
    v0: Any = None,
    *,
    h: float,
    steps: int,
    density: Density | None = None,
) -> VolumeChange:
    """Return the change of ln(rho volume) on the constraint, in each of `steps` steps of a run.

    `density(q)` is rho with respect to the volume of the kinetic metric on D: give the `density` of
    `geometry.phase_measure`, or a formula; None is 1. A method that conserves the volume has zeros.
    For one-step maps of (q, v) on constraints A(q) v = 0 (DLA, Gauss, Hamel, Newmark, ...).

    Raises a `UsageError` for other methods and constraints.
    """
    if method.traits.carry != "node" or method.traits.sizes != "fixed":
        raise UsageError(
            f"{method.name} is not a map of (q, v) alone; use DLA, Gauss, Hamel or Newmark"
        )
    pairs = isinstance(system.groupoid, groupoids.Pair)
    if not pairs or system.is_nonlinear or system.has_holonomic or system.has_offset:
        raise UsageError(
            f"{system.name()}: the volume on D is for constraints A(q) v = 0 on R^n and Lie groups "
            "that are not reduced"
        )
    run = simulate(system, method, q0, v0, h=h, steps=steps)
    points, step = jax.tree.map(jnp.asarray, run.q), jnp.asarray(h, dtype=float)
    starts = jax.tree.map(lambda x: x[:-1], points)
    each = np.asarray(
        compiled_call(_changes, system, step, starts, jnp.asarray(run.v[:-1]), method)
    )
    if density is not None:
        each = each + np.diff(np.log(np.asarray(jax.lax.map(density, points), dtype=float)))
    if not np.all(np.isfinite(each)):
        raise UsageError(f"{system.name()}: the density or the map is not finite along the run")
    return VolumeChange(np.asarray(run.t[1:]), each, np.cumsum(each))


def _changes(system, h, q, v, method):
    return jax.lax.map(lambda x: _change(system, h, x[0], x[1], method), (q, v))


def _change(system, h, q, v, method):
    groupoid, n = system.groupoid, system.dim
    zero = jnp.zeros(())

    def row(x, w):
        return method.step(system, zero, h, method.start(system, zero, h, x, w)[0]).row

    end = jax.lax.stop_gradient(row(q, v).q)
    here, there = (kernel(linear_constraint(system, x)) for x in (q, end))

    def frame(x, basis):
        """Return columns that span D and vary smoothly near the point where `basis` spans it."""
        mu = linear_constraint(system, x)
        if not mu.shape[0]:
            return basis
        raised = solve_spd(metric(system, x), mu.T)
        return basis - raised @ solve_spd(mu @ raised, mu @ basis)

    def components(x, w, basis):
        X, G = frame(x, basis), metric(system, x)
        return solve_spd(X.T @ G @ X, X.T @ G @ w)

    def moved(z):
        x = groupoids.move(groupoid, q, z[:n])
        last = row(x, frame(x, here) @ z[n:])
        away = groupoid.coordinates((end, last.q))
        return jnp.concatenate([away, components(last.q, last.v, there)])

    def volume(x, basis):
        G = metric(system, x)
        return 0.5 * (jnp.linalg.slogdet(G)[1] + jnp.linalg.slogdet(basis.T @ G @ basis)[1])

    z = jnp.concatenate([jnp.zeros(n), components(q, v, here)])
    change = jnp.linalg.slogdet(jax.jacfwd(moved)(z))[1]
    return change + volume(end, there) - volume(q, here)


__all__ = ["VolumeChange", "volume_change"]

_guard(globals())
