"""Rules other than quadrature: a user's own, Moser and Veselov's, momentum on the constraint."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import jax.numpy as jnp

from ... import groupoids
from ...doors import guard as _guard
from ...dynamics import velocity
from ...errors import UsageError
from ...groupoids import Element
from ...linalg import PerConstraint, Scalar, Vector
from ...system import Point, System, takes
from .quadrature import Midpoint
from .rule import Rule, discrete_lagrangian, legendre_minus, legendre_plus


@dataclasses.dataclass(frozen=True)
class CustomRule(Rule):
    """A user's own discrete Lagrangian `Ld(system, h, g)` and, optionally, discrete constraint.

    g is an element of `system.groupoid`, on R^n the pair (q0, q1). For a Lagrangian L(t, q, v) it
    is `Ld(system, t, h, g)`, with t the start of the step. `Cd(system, t, h, g)` is needed by DLA
    only. `order` and `symmetric` are claims of the user, who should test them.
    """

    Ld: Callable[..., Scalar]
    Cd: Callable[[System, Scalar, Scalar, Element], PerConstraint] | None = None
    label: str = "custom"
    order: int = 1
    symmetric: bool = False

    def __post_init__(self) -> None:
        if not takes(self.Ld, 3) and not takes(self.Ld, 4):
            raise UsageError(
                "Ld of a custom rule must be a function of (system, h, g) or (system, t, h, g)"
            )
        if self.Cd is not None and not takes(self.Cd, 4):
            raise UsageError("Cd of a custom rule must be a function of (system, t, h, g)")

    def lagrangian(self, system, h, g, t=0.0):
        if not takes(self.Ld, 3):
            return self.Ld(system, t, h, g)
        if system.has_time:
            raise UsageError(
                f"{system.name()}: its Lagrangian depends on time, and the Ld of the rule "
                f"'{self.label}' does not; write Ld(system, t, h, g)"
            )
        return self.Ld(system, h, g)

    def constraint(self, system, t, h, g):
        if self.Cd is None:
            raise UsageError("this custom rule has no discrete constraint: give Cd")
        return self.Cd(system, t, h, g)


@dataclasses.dataclass(frozen=True)
class MoserVeselov(Rule):
    """Ld(g) = (tr J - tr(g J))/h on SO(n): conserves the energy of the free rigid body exactly.

    For systems on `LieGroup(SO(n))` that define `mass_tensor`, the matrix J of the kinetic energy
    tr(xi J xi^T)/2 or its diagonal. Potentials are not supported ((6.5) [MP] with the sign of the
    pairing corrected).
    """

    label = "moser-veselov"
    order = 2
    symmetric = True

    def lagrangian(self, system, h, g, t=0.0):
        J = getattr(system, "mass_tensor", None)
        if J is None or not isinstance(system.space, groupoids.LieGroup):
            raise UsageError(
                f"the Moser-Veselov rule needs a rigid body on LieGroup(SO(n)) with a "
                f"`mass_tensor`; {system.name()} is not one"
            )
        if system.has_time:
            raise UsageError(
                f"the Moser-Veselov rule is for a free rigid body; {system.name()} has a "
                "Lagrangian that depends on time"
            )
        J = jnp.asarray(J)
        J = jnp.diag(J) if J.ndim == 1 else J
        return (jnp.trace(J) - jnp.sum(g * J)) / h

    def constraint(self, system, t, h, g):
        return Midpoint().constraint(system, t, h, g)


@dataclasses.dataclass(frozen=True)
class MomentumAtStart(Rule):
    """Discrete constraint: the momentum at the start of the step is on the constraint.

    With it DLA projects the momentum, where GNI reflects it: (4.12) [MP] for Euler B, (6.7)-(6.8)
    [MP] for Moser-Veselov. First order.
    """

    rule: Rule
    order = 1
    symmetric = False

    @property
    def label(self) -> str:
        return "at-start"

    def lagrangian(self, system, h, g, t=0.0):
        return discrete_lagrangian(self.rule, system, t, h, g)

    def constraint(self, system, t, h, g):
        p = legendre_minus(self.rule, system, t, h, g)
        return _momentum_defect(system, t, system.groupoid.source(g), p)

    def adjoint(self) -> MomentumAtEnd:
        return MomentumAtEnd(self.rule.adjoint())


@dataclasses.dataclass(frozen=True)
class MomentumAtEnd(Rule):
    """Discrete constraint: the momentum at the end of the step is on the constraint.

    The adjoint of `MomentumAtStart`: (4.17) [MP], corrected, for Euler A. First order.
    """

    rule: Rule
    order = 1
    symmetric = False

    @property
    def label(self) -> str:
        return "at-end"

    def lagrangian(self, system, h, g, t=0.0):
        return discrete_lagrangian(self.rule, system, t, h, g)

    def constraint(self, system, t, h, g):
        p = legendre_plus(self.rule, system, t, h, g)
        return _momentum_defect(system, t + h, system.groupoid.target(g), p)

    def adjoint(self) -> MomentumAtStart:
        return MomentumAtStart(self.rule.adjoint())


def _momentum_defect(system: System, t: Scalar, q: Point, p: Vector) -> PerConstraint:
    residual = system.constraint_at(t, q) @ velocity(system, q, p, t)
    return residual - system.offset(t, q) if system.has_offset else residual


__all__ = [
    "CustomRule",
    "MomentumAtEnd",
    "MomentumAtStart",
    "MoserVeselov",
]

_guard(globals())
