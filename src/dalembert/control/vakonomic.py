"""Vakonomic motions: curves that make the action stationary among curves on the constraint.

    L^ = L(t, q, v) + lam . (A v - b),    d/dt dL^/dv - dL^/dq = 0,    A(t, q) v = b(t, q)

The multipliers are unknown functions of time, and their initial values are free: through every
state (q, v) there is a family of motions with as many parameters as there are constraints (Remark
3.3.4 [C02]; A. D. Lewis, R. M. Murray 1995 compare both with experiments). In p = dL/dv + A^T lam
they are Hamilton's equations of

    H(t, q, p) = max over A v = b of p . v - L,    v = G^-1 (p - alpha - A^T lam),
    lam = (A G^-1 A^T)^-1 (A G^-1 (p - alpha) - b),

q' = v, p' = dL/dq + lam . d(A v - b)/dq + ad_v^T p, with alpha = dL/dv at v = 0. For L = v.G v/2
these are the normal sub-Riemannian geodesics (`kinematic_optimum` finds those between two points).

The nonholonomic motion has the reaction A^T mu. The vakonomic motion has mu = -lam' and in addition
the force lam . dA(v, .): both motions agree as long as this force lies in the span of the rows
of A.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..dynamics import drift_momentum, linear_constraint, linear_offset, metric, momentum
from ..errors import UsageError
from ..linalg import Real, solve_spd
from ..request.validate import check_count
from ..system import Point, System, compiled_call
from .extremals import hamiltonian_step


@dataclasses.dataclass(frozen=True)
class VakonomicMotion:
    """A vakonomic motion, at equidistant times."""

    system: System
    t: np.ndarray
    q: Point  # (times, ...)
    v: np.ndarray  # (times, n)
    multiplier: np.ndarray  # (times, m): lam
    p: np.ndarray  # (times, n): dL/dv + A^T lam
    hamiltonian: np.ndarray  # (times,): constant if neither L nor the constraint depends on time
    curl: np.ndarray  # (times,): size of the force lam . dA(v, .) along the constraint
    error: float  # estimated error: (difference from half as many steps)/63


def vakonomic_motion(
    system: System,
    q0: Point = None,
    v0: Any = None,
    multiplier: Any = None,
    *,
    t: Real,
    steps: int = 256,
) -> VakonomicMotion:
    """Return the vakonomic motion from (q0, v0) with the initial multipliers `multiplier` (or 0).

    `t` is the duration, `steps` the number of steps of a rule of order 6; `error` estimates the
    error of the result. The velocity must be on the constraint. `curl` is zero as long as the
    motion is also a nonholonomic motion.

        particle = da.systems.NonholonomicParticle()
        free = da.control.vakonomic_motion(particle, multiplier=[0.8], t=2.0)

    Raises a `UsageError` for nonlinear and holonomic constraints, external forces, and reduced
    systems.
    """
    if not isinstance(system, System) or not system.is_constrained:
        raise UsageError("vakonomic_motion needs a system with constraints A(t, q) v = b(t, q)")
    if (
        system.is_nonlinear
        or system.has_holonomic
        or system.has_force
        or system.switches is not None
        or not isinstance(system.groupoid, groupoids.Pair)
    ):
        raise UsageError(
            f"{system.name()}: vakonomic motions are for constraints A v = b on velocities, "
            "without holonomic functions and external forces, on R^n and Lie groups that are not "
            "reduced"
        )
    if not (math.isfinite(float(t)) and float(t) > 0):
        raise UsageError(f"t, the duration, must be positive and finite, got {t}")
    check_count("steps", steps)
    first = system.initial()
    q = first[0] if q0 is None else system.groupoid.base.check(q0, "q0")
    v = jnp.asarray(first[1] if v0 is None else v0, dtype=float)
    rows = np.asarray(linear_constraint(system, q, 0.0))
    m, n = rows.shape
    lam = jnp.zeros(m) if multiplier is None else jnp.asarray(multiplier, dtype=float)
    if v.shape != (n,) or lam.shape != (m,):
        raise UsageError(
            f"{system.name()}: v0 must have shape ({n},) and multiplier ({m},), one for each row "
            f"of the constraint; got {v.shape} and {lam.shape}"
        )
    off = np.max(np.abs(rows @ np.asarray(v) - np.asarray(_offset(system, 0.0, q, m))))
    if not off <= 1e-9 * (1.0 + float(jnp.max(jnp.abs(v)))):
        raise UsageError(
            f"{system.name()}: v0 is off the constraint by {off:.2e}; take "
            "dynamics.consistent_velocity(system, q0, v0)"
        )
    p = momentum(system, q, v, 0.0) + jnp.asarray(rows).T @ lam
    coarse = max(1, steps // 2)
    size = float(t) / steps
    path = compiled_call(_path, system, q, p, jnp.asarray(size), steps)
    half = compiled_call(_path, system, q, p, jnp.asarray(float(t) / coarse), coarse)
    points, v, p, lam, H, curl = jax.tree.map(np.asarray, path)
    pairs = zip(jax.tree.leaves((points, p)), jax.tree.leaves((half[0], half[2])), strict=True)
    error = max(float(np.max(np.abs(a[-1] - np.asarray(b)[-1]))) for a, b in pairs)
    if not math.isfinite(error):
        raise UsageError(
            f"{system.name()}: the vakonomic motion is not finite within {float(t):g} s by {steps} "
            "steps; take more steps or a shorter time"
        )
    times = size * np.arange(steps + 1)
    # from half as many steps the error of order 6 is 64 times as large, so 1/63 of the difference
    return VakonomicMotion(system, times, points, v, lam, p, H, curl, error / 63.0)


def _offset(system: System, t, q, m: int):
    return linear_offset(system, t, q) if system.has_offset else jnp.zeros(m)


def _state(system: System, t, q, p):
    """Return v and lam at (t, q, p)."""
    G, A = metric(system, q, None, t), linear_constraint(system, q, t)
    m = A.shape[0]
    free = p - drift_momentum(system, q, t)
    raised = solve_spd(G, jnp.concatenate([A.T, free[:, None]], axis=1))
    lam = solve_spd(A @ raised[:, :m], A @ raised[:, m] - _offset(system, t, q, m))
    return raised[:, m] - raised[:, :m] @ lam, lam


def _rates(system: System, t, q, p):
    v, lam = _state(system, t, q, p)

    def augmented(x):
        rows = linear_constraint(system, x, t) @ v - _offset(system, t, x, lam.shape[0])
        return system.lagrangian_at(t, x, v) + lam @ rows

    force = groupoids.gradient(system.groupoid, augmented, q)
    return v, force + system.groupoid.ad(q, v).T @ p


def _row(system: System, t, q, p):
    v, lam = _state(system, t, q, p)
    H = p @ v - system.lagrangian_at(t, q, v)
    # lam . dA(v, .): what lam A contributes to p' - d/dt (A^T lam) with lam held fixed
    groupoid = system.groupoid

    def form(x):
        return linear_constraint(system, x, t).T @ lam

    def work(x):
        return form(x) @ v - lam @ _offset(system, t, x, lam.shape[0])

    turned = groupoids.directional(groupoid, form, q, v)
    curl = groupoids.gradient(groupoid, work, q) - turned + groupoid.ad(q, v).T @ form(q)
    if system.has_timed_constraint:
        curl = curl - jax.jvp(lambda s: linear_constraint(system, q, s).T @ lam, (t,), (1.0,))[1]
    # the part of this force along the constraint, measured in the metric
    G, A = metric(system, q, None, t), linear_constraint(system, q, t)
    raised = solve_spd(G, jnp.concatenate([A.T, curl[:, None]], axis=1))
    m = A.shape[0]
    along = raised[:, m] - raised[:, :m] @ solve_spd(A @ raised[:, :m], A @ raised[:, m])
    return q, v, p, lam, H, jnp.sqrt(jnp.maximum(along @ G @ along, 0.0))


def _path(system: System, q0, p0, size, steps):
    def rates(t, q, p):
        return _rates(system, t, q, p)

    def step(x, i):
        q, p = hamiltonian_step(system.groupoid, rates, i * size, x[0], x[1], size)
        return (q, p), _row(system, (i + 1.0) * size, q, p)

    rows: Any = jax.lax.scan(step, (q0, p0), jnp.arange(steps, dtype=float))[1]
    first = _row(system, jnp.zeros(()), q0, p0)
    return jax.tree.map(lambda a, b: jnp.concatenate([jnp.asarray(a)[None], b]), first, rows)


__all__ = ["VakonomicMotion", "vakonomic_motion"]
