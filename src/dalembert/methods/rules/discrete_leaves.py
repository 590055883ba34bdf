"""Leaves of a finite-difference map: Definition 7 and Propositions 5 to 7 [MP].

A finite-difference map phi takes pairs near the diagonal to velocities at a point between them. The
pairs with the same point q^ are a leaf L: an n-dimensional submanifold of Q x Q that meets the
diagonal in (q^, q^) only, transversally. The discrete constraint is C_d = F^-1(0) with F = A o phi;
F is a submersion because it is linear on every leaf, with the matrix A(q^).
"""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...doors import guard as _guard
from ...dynamics import linear_constraint
from ...errors import UsageError
from ...groupoids import Element
from ...linalg import Newton, Real, Vector
from ...system import Point, System
from .geodesic import FiniteDifference
from .quadrature import Alpha
from .rule import Rule, element_between


@dataclasses.dataclass(frozen=True)
class Leaf:
    """The leaf through a pair, with the quantities in Propositions 5 to 7 [MP].

    Tangent vectors of Q x Q are given by the moves (a, b) of both points of the pair, 2 n entries.
    """

    rule: Rule
    system: System
    h: float
    element: Element  # the pair that was given
    point: Point  # q^ = tau phi(q0, q1): the leaf meets the diagonal in (q^, q^)
    velocity: np.ndarray  # phi(q0, q1), a velocity at q^
    tangent: (
        np.ndarray
    )  # (2 n, n): tangent vectors of the leaf at the pair, one column per unit velocity at q^
    regular: float  # smallest singular value of T phi over the largest: phi is a diffeomorphism
    transverse: float  # sine of the angle of leaf and diagonal at (q^, q^): not zero (Prop. 5 ii)
    slope: np.ndarray  # (m, n): derivative of F along the leaf, which is A(q^) (Prop. 6)
    gap: float  # sine of the angle between D and {w: (0, w) tangent to C_d at (q^, q^)}, (4.5)

    def at(self, v: Any) -> Element:
        """Return the pair of the leaf with phi = v, a velocity at `point`; by Newton's method."""
        v = jnp.asarray(v, dtype=float)
        groupoid, n, unit = self.system.groupoid, self.system.dim, self.system.groupoid.unit
        center = unit(self.point)

        def missed(x: Vector) -> Vector:
            base, w = _around(self, center, x)
            return jnp.concatenate([base, self.h * (w - v)])

        guess = jnp.concatenate([-0.5 * self.h * v, 0.5 * self.h * v])
        root = Newton().solve(missed, guess)
        if int(root.result) != 0:
            raise UsageError(
                f"the rule '{self.rule.label}' has no pair with this velocity near {self.point}: "
                "it is outside of the neighborhood in which phi is a diffeomorphism"
            )
        start = groupoid.inv(groupoid.curve(self.point, root.x[:n]))
        return groupoid.mul(start, groupoid.curve(self.point, root.x[n:]))


def leaf(rule: Rule, system: System, h: Real, q0: Any, q1: Any = None) -> Leaf:
    """Return the leaf of a finite-difference map through a pair (Definition 7, (4.1) [MP]).

    The rule is a `FiniteDifference` such as `Geodesic`, or `Alpha` (`Midpoint`, `EulerA`, ...). The
    pair is (q0, q1), or an element of `system.groupoid` in place of q0.

        found = da.methods.rules.leaf(da.Midpoint(), sleigh, 0.1, q0, q0 + 0.1 * v0)
        found.point, found.transverse, found.at([0.3, 0.0, 0.2])

    Raises a `UsageError` for rules that are no finite-difference maps.
    """
    if not isinstance(rule, (FiniteDifference, Alpha)):
        raise UsageError(
            "leaves need a finite-difference map: a rule such as Midpoint(), EulerA() or "
            f"Geodesic(); got {rule!r}"
        )
    n, g = system.dim, element_between(system, q0, q1)
    step = float(h)
    way, v = _map(rule, system, step, g)
    point = system.groupoid.target(way)
    empty = np.zeros((0, 0))
    found = Leaf(rule, system, step, g, point, np.asarray(v), empty, 0.0, 0.0, empty, 0.0)
    zero = jnp.zeros(2 * n)
    J = np.asarray(jax.jacfwd(lambda x: jnp.concatenate(_around(found, g, x)))(zero))
    values = np.linalg.svd(J, compute_uv=False)
    if not values[-1] > 1e-12 * values[0]:
        raise UsageError(f"the map of the rule '{rule.label}' is not a diffeomorphism at this pair")
    tangent = np.linalg.solve(J, np.eye(2 * n)[:, n:])

    def constraint(x):
        return linear_constraint(system, point) @ _around(found, g, x)[1]

    # F = A(q^) v on the leaf, where q^ is the same for all pairs
    slope = np.asarray(jax.jacfwd(constraint)(zero)) @ tangent
    unit = system.groupoid.unit(point)
    D = np.asarray(jax.jacfwd(lambda x: jnp.concatenate(_around(found, unit, x)))(zero))
    there = np.linalg.qr(np.linalg.solve(D, np.eye(2 * n)[:, n:]))[0]
    diagonal = np.concatenate([np.eye(n), np.eye(n)]) / np.sqrt(2.0)
    cosines = np.linalg.svd(there.T @ diagonal, compute_uv=False)
    transverse = float(np.sqrt(max(0.0, 1.0 - min(1.0, cosines[0]) ** 2)))
    A = np.asarray(linear_constraint(system, point))
    gap = 0.0
    if A.size:
        rows = A @ D[n:, n:]  # A(q^) df(q^) of (4.5)
        free = np.linalg.svd(A)[2][A.shape[0] :].T
        normal = np.linalg.qr(rows.T)[0]
        gap = float(np.linalg.norm(normal.T @ free, 2)) if free.size else 0.0
    return dataclasses.replace(
        found, tangent=tangent, regular=float(values[-1] / values[0]), transverse=transverse,
        slope=slope, gap=gap,
    )  # fmt: skip


def _map(rule: Rule, system: System, h: float, g: Element) -> tuple[Element, Vector]:
    """Return (path, v): phi(g) is the velocity v at the end of `path` from the start of g."""
    step = jnp.asarray(h, dtype=float)
    if isinstance(rule, FiniteDifference):
        return rule.difference(system, step, g)
    assert isinstance(rule, Alpha)  # checked by `leaf`
    groupoid = system.groupoid
    sigma = groupoid.coordinates(g)
    return groupoid.curve(groupoid.source(g), rule.a * sigma), sigma / step


def _around(of: Leaf, g: Element, x: Vector) -> tuple[Vector, Vector]:
    """Return phi of the pair g with its points moved by x = (a, b): base point, and velocity.

    The base point is given in coordinates, measured from `of.point`.
    """
    groupoid, n = of.system.groupoid, of.system.dim
    start = groupoid.curve(groupoid.source(g), x[:n])
    end = groupoid.curve(groupoid.target(g), x[n:])
    moved = groupoid.mul(groupoid.mul(groupoid.inv(start), g), end)
    to_point = _map(of.rule, of.system, of.h, g)[0]
    way, v = _map(of.rule, of.system, of.h, moved)
    path = groupoid.mul(groupoid.mul(groupoid.inv(to_point), start), way)
    return groupoid.coordinates(path), v


__all__ = ["Leaf", "leaf"]

_guard(globals())
