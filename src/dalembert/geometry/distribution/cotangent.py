"""Nonholonomic mechanics on T*Q: the constraint D = FL(C), the bundle W, and the splitting by them.

    D = {(q, p): A(q) dH/dp = b},    W = {(0, A^T mu)} = omega^-1(pi^* C^0),
    T(T*Q) = TD + W,    X_H = X_D + X_W on D            Definition 1, Theorem 1, (2.8)-(2.12) [MP]

X_D is the motion; -X_W is the reaction. Tangent vectors are (z, w): z moves q in its fibre, w
changes the covector p, which is trivialised on Lie groups.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...doors import guard as _guard
from ...dynamics import linear_constraint, linear_offset, metric, velocity
from ...errors import UsageError
from ...linalg import Vector
from ...system import Point, System
from .growth_flag import require_linear


class CotangentSplitting(NamedTuple):
    """T(T*Q) = TD + W at a point of D; columns and vectors have 2 n entries (z, w)."""

    hamiltonian: float
    tangent: np.ndarray  # (2 n, 2 n - m): basis of TD
    normal: np.ndarray  # (2 n, m): basis of W, the columns (0, A^T)
    field: np.ndarray  # X_H
    motion: np.ndarray  # X_D, tangent to D
    reaction: np.ndarray  # (m,): multipliers, X_D = X_H + (0, A^T reaction)
    angle: float  # smallest singular value of [TD, W] with orthonormal bases: 0 if they do not span
    residual: float  # |A dH/dp - b|: the distance from D


def cotangent_splitting(system: System, q: Point, p: Vector) -> CotangentSplitting:
    """Return H, TD, W and both parts of X_H at (q, p) (Theorem 1 [MP]); for A(q) v = b(q).

    p is a momentum on the constraint, `dynamics.momentum(system, q, v)`. Raises a `UsageError` if
    the metric is not positive definite (the Lagrangian is not normal, Definition 1 [MP]), and if p
    is not on the constraint.
    """
    require_linear(system, "the splitting of T(T*Q)", affine=True)
    groupoid, n = system.groupoid, system.dim
    p = jnp.asarray(p, dtype=float)
    if p.shape != (n,):
        raise UsageError(f"p must have shape ({n},), got {p.shape}")
    if not np.linalg.eigvalsh(np.asarray(metric(system, q)))[0] > 0.0:
        raise UsageError(f"{system.name()}: its Lagrangian is not normal: d2L/dv2 is not positive")

    def energy(x, p):
        v = velocity(system, x, p)
        return p @ v - system.lagrangian_at(0.0, x, v)

    def rows(x, p):
        off = linear_constraint(system, x) @ jax.grad(energy, 1)(x, p)
        return off - linear_offset(system, 0.0, x) if system.has_offset else off

    v = jax.grad(energy, 1)(q, p)
    slope = groupoids.gradient(groupoid, lambda x: energy(x, p), q)
    field = jnp.concatenate([v, groupoid.ad(q, v).T @ p - slope])
    A = linear_constraint(system, q)
    m = A.shape[0]
    off = np.asarray(rows(q, p))
    residual = float(np.max(np.abs(off), initial=0.0))
    if not residual <= 1e-9 * (1.0 + float(jnp.max(jnp.abs(v)))):
        raise UsageError(
            f"{system.name()}: p is off D = FL(C) by {residual:.2e}; take "
            "dynamics.momentum(system, q, v) with v on the constraint"
        )

    def along(x):
        return rows(groupoids.move(groupoid, q, x[:n]), p + x[n:])

    normals = np.asarray(jax.jacfwd(along)(jnp.zeros(2 * n)))  # (m, 2 n); its kernel is TD
    tangent = np.linalg.svd(normals)[2][m:].T if m else np.eye(2 * n)
    W = np.concatenate([np.zeros((n, m)), np.asarray(A).T])
    reaction = np.linalg.solve(normals @ W, -normals @ np.asarray(field)) if m else np.zeros(0)
    joint = np.hstack([tangent, np.linalg.qr(W)[0]]) if m else tangent
    angle = float(np.linalg.svd(joint, compute_uv=False)[-1])
    return CotangentSplitting(
        float(energy(q, p)), tangent, W, np.asarray(field), np.asarray(field) + W @ reaction,
        reaction, angle, residual,
    )  # fmt: skip


__all__ = ["CotangentSplitting", "cotangent_splitting"]

_guard(globals())
