"""Gauss' principle of least constraint, as a check of any acceleration (Remark 3.3.3 [C02]).

Among all accelerations that the constraint allows at a state, the motion has the one nearest to
the free acceleration a0 in the kinetic metric:

    Z(a) = (a - a0) . G (a - a0)/2  least,    mu a + Gamma_0 = 0,    nu a + N_0 >= 0

mu a + Gamma_0 is the time derivative of the constraint along (v, a), nu a + N_0 is the second
time derivative of the gaps of one-sided constraints that are closed and have zero speed. The
minimum is computed from the Lagrange and Kuhn-Tucker conditions alone, independently of
`acceleration`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ... import groupoids
from ...dynamics import Time, constraint_matrix, constraint_residual, free_acceleration, metric
from ...errors import UsageError
from ...system import Point, System, compiled_call

_TOLERANCE = 1e-9
_MOST = 12  # all sets of active contacts are tried: at most 2^12, for 12 closed gaps


class GaussTest(NamedTuple):
    """Result of `gauss_principle`; `violation` and `distance` are relative to their terms."""

    holds: bool
    violation: float  # residual of the constraints at the acceleration a
    distance: float  # distance of a from the minimizer, in the kinetic metric
    constraint: float  # Z(a)
    least: float  # the minimum of Z, its value at `acceleration`
    acceleration: np.ndarray  # the minimizer of Z
    reactions: np.ndarray  # reactions of the closed gaps, all nonnegative


def gauss_principle(
    system: System,
    q: Point,
    v: ArrayLike,
    a: ArrayLike,
    t: Time = 0.0,
    *,
    gaps: Callable[[Point], jax.Array] | None = None,
) -> GaussTest:
    """Check an acceleration by Gauss' principle of least constraint, at a state on the constraint.

    `a` is the acceleration to check (components of the fibre), from any source: a method, a log,
    another program. The constraint may be affine, nonlinear or time-dependent. `gaps(q)` are
    one-sided constraints, gap >= 0: those that are closed with zero speed at (q, v) may only
    open. `holds` is True if `a` is allowed and minimizes Z, to 1e-9 of its terms.
    """
    v, a = jnp.asarray(v, dtype=float), jnp.asarray(a, dtype=float)
    if v.shape != (system.dim,) or a.shape != (system.dim,):
        raise UsageError(f"v and a must have the shape ({system.dim},), got {v.shape}, {a.shape}")
    q = system.groupoid.base.check(q)
    time = jnp.asarray(t, dtype=float)
    G, a0, mu, rate, off = (np.asarray(x) for x in compiled_call(_terms, system, q, v, time))
    size = np.linalg.norm(mu, axis=1) * max(float(np.linalg.norm(v)), 1e-300)
    if np.any(np.abs(off) > 1e-8 * np.maximum(size, 1.0)):
        raise UsageError(
            f"{system.name()}: (q, v) is off the constraint by {np.max(np.abs(off)):.1e}; Gauss' "
            "principle compares accelerations at a state on the constraint"
        )
    nu, bend = np.zeros((0, system.dim)), np.zeros(0)
    if gaps is not None:
        nu, bend = _closed(system, gaps, q, v)
    L = np.linalg.cholesky(G)
    best, reactions = _least(G, a0, mu, rate, nu, bend)
    given = np.asarray(a)
    apart = float(np.linalg.norm(L.T @ (given - best)))
    whole = float(np.linalg.norm(L.T @ given) + np.linalg.norm(L.T @ a0)) + 1e-300
    rows = np.concatenate([mu, nu])
    miss = np.concatenate([np.abs(mu @ given + rate), np.maximum(-(nu @ given + bend), 0.0)])
    terms = np.linalg.norm(rows, axis=1) * np.linalg.norm(given)
    terms = terms + np.abs(np.concatenate([rate, bend]))
    violation = float(np.max(miss / np.maximum(terms, 1e-300), initial=0.0))
    constraint, least = (0.5 * float(np.sum((L.T @ (x - a0)) ** 2)) for x in (given, best))
    distance = apart / whole
    holds = bool(violation <= _TOLERANCE and distance <= _TOLERANCE)
    return GaussTest(holds, violation, distance, constraint, least, best, reactions)


def _terms(system, q, v, t):
    mu = constraint_matrix(system, q, v, t)

    def moved(s):  # the constraint residual along q' = v and t' = 1, with v fixed
        return constraint_residual(system, groupoids.move(system.groupoid, q, s * v), v, t + s)

    off, rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))
    return metric(system, q, v, t), free_acceleration(system, q, v, t), mu, rate, off


def _closed(system: System, gaps, q: Point, v: jax.Array) -> tuple[np.ndarray, np.ndarray]:
    """Return nu and N_0 of the gaps that are closed with zero speed."""
    g, nu, bend = (np.asarray(x) for x in jax.jit(lambda: _gaps(system, gaps, q, v))())
    length = np.linalg.norm(nu, axis=1)
    speed, fast = nu @ np.asarray(v), length * float(np.linalg.norm(v))
    if np.any(g < -1e-9 * np.maximum(length, 1e-300)):
        raise UsageError(
            f"a gap is negative at q: {g.tolist()}; one-sided constraints are gap >= 0"
        )
    shut = g <= 1e-9 * np.maximum(length, 1e-300)
    if np.any(shut & (speed < -1e-9 * np.maximum(fast, 1e-300))):
        raise UsageError(
            "a gap closes with nonzero speed at q: this is an impact, without an acceleration"
        )
    held = shut & (speed <= 1e-9 * np.maximum(fast, 1e-300))
    if np.sum(held) > _MOST:
        raise UsageError(f"{np.sum(held)} gaps are closed at once; at most {_MOST} are compared")
    return nu[held], bend[held]


def _gaps(system, gaps, q, v):
    groupoid = system.groupoid

    def rows(x):
        return jax.jacfwd(lambda w: gaps(groupoids.move(groupoid, x, w)))(jnp.zeros(groupoid.dim))

    bend = groupoids.directional(groupoid, lambda x: rows(x) @ v, q, v)
    return gaps(q), rows(q), bend


def _least(G, a0, mu, rate, nu, bend) -> tuple[np.ndarray, np.ndarray]:
    """Return the acceleration with the least Z and the reactions of the gaps.

    Tries every set of active gaps.
    """
    k, scale = len(nu), 1e-12 * (1.0 + float(np.max(np.abs(a0), initial=0.0)))
    result = None
    for count in range(k + 1):
        for chosen in itertools.combinations(range(k), count):
            rows = np.concatenate([mu, nu[list(chosen)]])
            raised = np.linalg.solve(G, rows.T)
            wanted = np.concatenate([rate, bend[list(chosen)]]) + rows @ a0
            forces = -np.linalg.lstsq(rows @ raised, wanted, rcond=1e-12)[0]
            a, push = a0 + raised @ forces, forces[len(mu) :]
            open_by, size = nu @ a + bend, np.linalg.norm(nu, axis=1) + np.abs(bend)
            if np.all(push >= -scale) and np.all(open_by >= -1e-9 * np.maximum(size, scale)):
                reactions = np.zeros(k)
                reactions[list(chosen)] = np.maximum(push, 0.0)
                Z = (a - a0) @ G @ (a - a0)
                if result is None or Z < result[0]:
                    result = (Z, a, reactions)
    if result is None:
        raise UsageError("no acceleration is allowed: the one-sided constraints contradict others")
    return result[1], result[2]


__all__ = ["GaussTest", "gauss_principle"]
