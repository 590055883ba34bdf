"""Methods for a constant mass matrix on R^n that work on (q, v) directly.

MPEuler and Shake solve one linear equation for the multipliers; Leapfrog and MPEulerAdjoint iterate
on the multipliers only. Each of these evaluates the force once per step. MPMidpoint is fully
implicit: it iterates on velocity and multipliers together, and evaluates the force in every
iteration. M is the mass matrix and mu^T lam the reaction force. The constraint A v = b may be
affine and depend on time; mu is evaluated at the time of its point (t + h/2 in the middle).
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from ..dynamics import linear_constraint, linear_offset, momentum, multipliers, projection
from ..errors import UsageError
from ..groups import Euclidean
from ..linalg import OK, Newton, PerConstraint, Vector, solve_spd
from ..system import MechanicalSystem, Point, System
from .base import (
    Advance,
    ConstraintCheck,
    Method,
    Row,
    Traits,
    code,
    exact_row,
    refuse_holonomic,
    refuse_nonlinear,
    refuse_switches,
)


class NodeState(NamedTuple):
    """A point on the constraint, and the last multiplier as the guess for the next."""

    q: Point
    v: Vector
    multiplier: PerConstraint


class _OnNodes(Method):
    """Base class of methods whose state is (q, v) on the constraint."""

    def check(self, system: System) -> None:
        refuse_nonlinear(self, system)
        refuse_switches(self, system)
        refuse_holonomic(self, system)
        if not isinstance(system, MechanicalSystem) or not isinstance(system.space, Euclidean):
            raise UsageError(
                f"{self.name} needs a constant mass matrix on R^n (a MechanicalSystem on "
                f"Euclidean(n)); {system.name()} is not one. Gauss (the default), DLA "
                "and GNI run it."
            )
        if system.has_force:
            raise UsageError(
                f"{self.name} takes no external force; {system.name()} has one. "
                "Gauss (the default), DLA and GNI take forces."
            )

    def start(self, system, t, h, q, v):
        lam = multipliers(system, q, v, t)
        return NodeState(q, v, lam), exact_row(t, q, v, momentum(system, q, v), lam)


def _pull(system: MechanicalSystem, q: Point) -> Vector:
    """Return M^-1 (-dV/dq), the acceleration by the potential."""
    return -solve_spd(system.mass_matrix, jax.grad(system.potential)(q))


def _raised(system: MechanicalSystem, t, q: Point) -> tuple[jax.Array, jax.Array]:
    """Return (mu, M^-1 mu^T) at (t, q)."""
    mu = linear_constraint(system, q, t)
    return mu, solve_spd(system.mass_matrix, mu.T)


def _defect(system: System, t, q: Point, v: Vector) -> PerConstraint:
    residual = linear_constraint(system, q, t) @ v
    return residual - linear_offset(system, t, q) if system.has_offset else residual


def _advance(system: System, t, q, v, lam, residual=None, result: jax.Array | int = OK) -> Advance:
    """Return the step, with its velocity projected onto the constraint."""
    v, on = projection(system, q, v, t)
    residual = jnp.zeros(()) if residual is None else residual
    row = Row(t, q, v, momentum(system, q, v), lam, residual, code(result, q, v, lam))
    frame = system.groupoid.group.identity()
    return Advance(NodeState(q, v, lam), row, frame, ConstraintCheck(on, q, v))


def _closed_by_multiplier(newton: Newton, system: System, t, move, carry: NodeState) -> Advance:
    """Find lam so that move(lam) -> (q, v) ends on the constraint at time t.

    `move` also returns the velocity without the reaction. The terms of A v are as large as both
    velocities: this sets the round-off, because v alone may be much smaller, and lam may be zero.
    """
    if not carry.multiplier.shape[0]:
        q, v, _ = move(carry.multiplier)
        return _advance(system, t, q, v, carry.multiplier)

    def terms(lam):
        q, v, free = move(lam)
        mu = jnp.abs(linear_constraint(system, q, t))
        size = mu @ jnp.abs(v) + mu @ jnp.abs(free)
        return jnp.max(size + jnp.abs(linear_offset(system, t, q)) if system.has_offset else size)

    root = newton.solve(
        lambda lam: _defect(system, t, *move(lam)[:2]),
        carry.multiplier,
        terms=terms,
        outermost=True,
    )
    q, v, _ = move(root.x)
    return _advance(system, t, q, v, root.x, root.residual, root.result)


@dataclasses.dataclass(frozen=True)
class MPEuler(_OnNodes):
    """DLA with C_d at the start of the step, in velocities (4.12) [MP]: order 1, dissipative.

    q1 = q + h v,  v1 = v + h M^-1 (-dV(q1) + mu(q1)^T lam),  mu(q1) v1 = b
    """

    name = "mp-euler"
    traits = Traits(
        1, 1, False, True, "the constraint at the nodes", "(4.12) [MP]", on_constraint=True
    )

    def adjoint(self) -> MPEulerAdjoint:
        return MPEulerAdjoint()

    def step(self, system: MechanicalSystem, t, h, carry: NodeState) -> Advance:
        q = carry.q + h * carry.v
        free = carry.v + h * _pull(system, q)  # (4.12) [MP]
        mu, raised = _raised(system, t + h, q)
        impulse = solve_spd(mu @ raised, -_defect(system, t + h, q, free))
        return _advance(system, t + h, q, free + raised @ impulse, impulse / h)


@dataclasses.dataclass(frozen=True)
class MPEulerAdjoint(_OnNodes):
    """The adjoint of (4.12): (4.17) [MP] with the force at the start of the step; order 1.

    v1 = v + h M^-1 (-dV(q) + mu(q)^T lam),  q1 = q + h v1,  mu(q1) v1 = b
    """

    newton: Newton = Newton()

    name = "mp-euler-adjoint"
    traits = Traits(
        1,
        1,
        False,
        False,
        "the constraint at the nodes",
        "(4.17) [MP], corrected",
        on_constraint=True,
    )

    def adjoint(self) -> MPEuler:
        return MPEuler()

    def step(self, system: MechanicalSystem, t, h, carry: NodeState) -> Advance:
        free = carry.v + h * _pull(system, carry.q)  # (4.17) [MP], the force at q
        _, raised = _raised(system, t, carry.q)

        def move(lam):
            v = free + h * raised @ lam
            return carry.q + h * v, v, free

        return _closed_by_multiplier(self.newton, system, t + h, move, carry)


@dataclasses.dataclass(frozen=True)
class Leapfrog(_OnNodes):
    """The semi-implicit reversible method (4.18) [MP]: order 2, one force evaluation a step.

    qm = q + h/2 v,  v1 = v + h M^-1 (-dV(qm) + mu(qm)^T lam),  q1 = qm + h/2 v1,  mu(q1) v1 = b

    Implicit in the multipliers only. The multiplier belongs to the middle of the step.
    """

    newton: Newton = Newton()

    name = "leapfrog"
    traits = Traits(
        2, 1, True, False, "the constraint at the nodes", "(4.18) [MP]", on_constraint=True
    )

    def step(self, system: MechanicalSystem, t, h, carry: NodeState) -> Advance:
        middle = carry.q + 0.5 * h * carry.v
        free = carry.v + h * _pull(system, middle)  # (4.18) [MP]
        _, raised = _raised(system, t + 0.5 * h, middle)

        def move(lam):
            v = free + h * raised @ lam
            return middle + 0.5 * h * v, v, free

        return _closed_by_multiplier(self.newton, system, t + h, move, carry)


@dataclasses.dataclass(frozen=True)
class MPMidpoint(_OnNodes):
    """The implicit reversible method (4.16) [MP] with the sign of the force corrected: order 2.

    qm = q + h/2 v,  v1 = v + h M^-1 (-(dV(q) + dV(q1))/2 + mu(qm)^T lam),
    q1 = qm + h/2 v1,  mu(q1) v1 = b
    """

    newton: Newton = Newton()

    name = "mp-midpoint"
    traits = Traits(
        2,
        1,
        True,
        False,
        "the constraint at the nodes",
        "(4.16) [MP], corrected",
        on_constraint=True,
    )

    def step(self, system: MechanicalSystem, t, h, carry: NodeState) -> Advance:
        n = system.dim
        middle = carry.q + 0.5 * h * carry.v
        _, raised = _raised(system, t + 0.5 * h, middle)
        half = carry.v + 0.5 * h * _pull(system, carry.q)

        def defect(x):
            v, lam = x[:n], x[n:]
            q = middle + 0.5 * h * v
            # (4.16) [MP], with the corrected sign of the force
            balance = v - half - 0.5 * h * _pull(system, q) - h * raised @ lam
            return jnp.concatenate([balance, _defect(system, t + h, q, v)])

        guess = jnp.concatenate([2.0 * half - carry.v, carry.multiplier])
        root = self.newton.solve(defect, guess, outermost=True)
        q = middle + 0.5 * h * root.x[:n]
        return _advance(system, t + h, q, root.x[:n], root.x[n:], root.residual, root.result)


@dataclasses.dataclass(frozen=True)
class Shake(_OnNodes):
    """Nonholonomic SHAKE: (5.3) [MP], the two-step form of GNI with the trapezoidal rule.

    w1 = w + h M^-1 (-dV(q) + mu(q)^T lam),  mu(q) (w + w1)/2 = b,  q1 = q + h w1

    w is the velocity between the nodes. The reported velocity at a node is the mean of the two w.
    """

    name = "shake"
    traits = Traits(
        order=2,
        multiplier_order=2,
        symmetric=True,
        explicit=True,
        keeps="the constraint, by the reported velocity",
        on_constraint=True,
        reference="(5.3) [MP]",
        carry="step",
        parasitic="seen",
    )

    def start(self, system, t, h, q, v):
        _, row = super().start(system, t, h, q, v)
        _, raised = _raised(system, t, q)
        leaving = v + 0.5 * h * (_pull(system, q) + raised @ row.multiplier)
        return NodeState(q, leaving, row.multiplier), row

    def reverse(self, carry: NodeState, row: Row) -> NodeState:
        return carry._replace(v=carry.v - 2.0 * row.v)

    def step(self, system: MechanicalSystem, t, h, carry: NodeState) -> Advance:
        q = carry.q + h * carry.v
        mu, raised = _raised(system, t + h, q)
        half_pull = 0.5 * h * _pull(system, q)
        # mu (w + h/2 pull + raised impulse/2) = b, the mean of both sides: (5.3) [MP]
        half_impulse = solve_spd(mu @ raised, -_defect(system, t + h, q, carry.v + half_pull))
        mean = carry.v + half_pull + raised @ half_impulse
        advance = _advance(system, t + h, q, mean, 2.0 * half_impulse / h)
        leaving = 2.0 * advance.row.v - carry.v
        return advance._replace(carry=NodeState(q, leaving, advance.row.multiplier))
