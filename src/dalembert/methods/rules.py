"""Rules that make discrete Lagrangians, forces and constraints from a system, on any groupoid.

An element g from x has fibre coordinates sigma, g = curve(x, sigma). With x_a the point reached
by curve(x, a sigma), a rule is a weighted sum over such points:

    Ld(g) = sum w h L(t + a h, x_a, sigma/h)                                (7.12), (7.13) [C02]
    constraint(g) = sum w (A(t + a h, x_a) sigma/h - b(t + a h, x_a))       (7.16), (7.17) [C02]

and the discrete Legendre transforms are two gradients,

    p_plus(g) = d/dv Ld(g curve(target, v)),   p_minus(g) = -d/dv Ld(curve(source, v)^-1 g)

at v = 0 ((48) [F15]). Ld always carries the factor h, so momenta are momenta.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp

from .. import groupoids
from ..doors import guard as _guard
from ..dynamics import velocity
from ..errors import UsageError
from ..groupoids import Element, Groupoid
from ..linalg import PerConstraint, Real, Scalar, Vector
from ..system import MechanicalSystem, Point, System, takes

Action = Callable[[Element], Scalar]  # a function on the groupoid


class Rule(abc.ABC):
    """How a discrete Lagrangian and a discrete constraint are made from a system.

    Claims that the methods build on: `order` of the action it gives, and whether it is
    `symmetric` (Ld of the inverse element with step -h is minus Ld).
    """

    # class attributes, properties or fields of a dataclass: a subclass may choose
    label: str
    order: int
    symmetric: bool

    @abc.abstractmethod
    def lagrangian(self, system: System, h: Scalar, g: Element, t: Real = 0.0) -> Scalar:
        """Ld(g), an approximation of the action over a step of length h from time t.

        A rule without the argument t is a rule for Lagrangians L(q, v) only.
        """

    @abc.abstractmethod
    def constraint(self, system: System, t: Scalar, h: Scalar, g: Element) -> PerConstraint:
        """Discrete constraint, zero on admissible elements; in units of velocity."""

    def adjoint(self) -> Rule:
        """The rule with Ld*(g, h) = -Ld(g^-1, -h); itself if the rule is symmetric."""
        if self.symmetric:
            return self
        raise UsageError(f"the adjoint of the rule '{self.label}' is not known")

    def force_momenta(
        self, system: System, t: Scalar, h: Scalar, g: Element
    ) -> tuple[Vector, Vector]:
        """(f_minus, f_plus): impulses of the external force at both ends of the step."""
        raise UsageError(f"the rule '{self.label}' has no discrete force; {system.name()} has one")


class Quadrature(Rule):
    """A rule that is a weighted sum over the points x_a."""

    @abc.abstractmethod
    def nodes(self) -> tuple[tuple[float, float], ...]:
        """Pairs (weight, a)."""

    def _ways(self, groupoid: Groupoid, g: Element):
        """(weight, a, element from the start of g to x_a), for each node of the rule.

        Where curve(x, s v) is not a one-parameter family (Cayley on a group that does not
        commute), x_a seen from the start and from the end of g differ. Then the nearer end
        counts, and both for the middle: so the rule of g^-1 is the adjoint one, and symmetric
        rules are symmetric.
        """
        sigma = groupoid.coordinates(g)
        for weight, a in self.nodes():
            if a == 0.0:
                yield weight, a, groupoid.unit(groupoid.source(g))
            elif a == 1.0:
                yield weight, a, g
            elif groupoid.straight or a < 0.5:
                yield weight, a, groupoid.curve(groupoid.source(g), a * sigma)
            else:
                back = groupoid.curve(groupoid.target(g), (a - 1.0) * sigma)
                if a == 0.5:
                    weight = 0.5 * weight
                    yield weight, a, groupoid.curve(groupoid.source(g), a * sigma)
                yield weight, a, groupoid.mul(g, back)

    def _points(self, system: System, h: Scalar, g: Element):
        groupoid = system.groupoid
        v = groupoid.coordinates(g) * (1.0 / h)  # one division in a run, not in every step
        for weight, a, way in self._ways(groupoid, g):
            yield weight, a, groupoid.target(way), v

    def lagrangian(self, system, h, g, t=0.0):
        points = self._points(system, h, g)
        # (7.12), (7.13) [C02], with the factor h
        return sum(
            (w * h * system.lagrangian_at(t + a * h, x, v) for w, a, x, v in points), jnp.zeros(())
        )

    def potential_action(self, system: MechanicalSystem, h: Scalar, g: Element) -> Scalar:
        """The part of Ld that comes from the potential."""
        points = self._points(system, h, g)
        return -sum((w * h * system.potential(x) for w, _, x, _ in points), jnp.zeros(()))

    def constraint(self, system, t, h, g):
        total = 0.0
        for w, a, x, v in self._points(system, h, g):
            row = system.constraint_at(t + a * h, x) @ v  # (7.16), (7.17) [C02]
            if system.has_offset:
                row = row - system.offset(t + a * h, x)
            total = total + w * row
        return total

    def force_momenta(self, system, t, h, g):
        # virtual work h F(x_a).(variation of x_a) when an end of g is moved by u
        groupoid = system.groupoid
        zero = jnp.zeros(system.dim)
        minus, plus = zero, zero
        start, end, v = groupoid.source(g), groupoid.target(g), groupoid.coordinates(g) * (1.0 / h)
        for i, (w, a, way) in enumerate(self._ways(groupoid, g)):
            impulse = w * h * system.force(t + a * h, groupoid.target(way), v)

            def way_of(moved, i=i):
                return list(self._ways(groupoid, moved))[i][2]

            def moved_end(u, way=way, way_of=way_of):
                moved = way_of(groupoid.mul(g, groupoid.curve(end, u)))
                return groupoid.coordinates(groupoid.mul(groupoid.inv(way), moved))

            def moved_start(u, way=way, way_of=way_of):
                shift = groupoid.curve(start, u)
                moved = way_of(groupoid.mul(groupoid.inv(shift), g))
                path = groupoid.mul(groupoid.mul(groupoid.inv(way), shift), moved)
                return groupoid.coordinates(path)

            plus = plus + jax.vjp(moved_end, zero)[1](impulse)[0]
            minus = minus + jax.vjp(moved_start, zero)[1](impulse)[0]
        return minus, plus


@dataclasses.dataclass(frozen=True)
class Alpha(Quadrature):
    """Ld = h L(x_a, sigma/h); order 2 for a = 1/2, else 1 (7.12), (7.16) [C02]."""

    a: float

    def __post_init__(self) -> None:
        _check_fraction(self.a)

    @property
    def label(self) -> str:
        named = {0.0: "euler-a", 1.0: "euler-b", 0.5: "midpoint"}
        return named.get(self.a, f"alpha({self.a:g})")

    @property
    def order(self) -> int:
        return 2 if self.symmetric else 1

    @property
    def symmetric(self) -> bool:
        return self.a == 0.5

    def nodes(self):
        return ((1.0, self.a),)

    def adjoint(self) -> Alpha:
        return Alpha(1.0 - self.a)


@dataclasses.dataclass(frozen=True)
class SymmetricAlpha(Quadrature):
    """Ld = h/2 (L(x_a, sigma/h) + L(x_{1-a}, sigma/h)); order 2 (7.13), (7.17) [C02]."""

    a: float
    order = 2
    symmetric = True

    def __post_init__(self) -> None:
        _check_fraction(self.a)

    @property
    def label(self) -> str:
        return "trapezoidal" if self.a in (0.0, 1.0) else f"symmetric-alpha({self.a:g})"

    def nodes(self):
        return ((0.5, self.a), (0.5, 1.0 - self.a))


def EulerA() -> Alpha:
    """The rule that takes the start of the step: Ld^A = h L(q0, (q1 - q0)/h) (10) [F15]."""
    return Alpha(0.0)


def EulerB() -> Alpha:
    """The rule that takes the end of the step: Ld^B = h L(q1, (q1 - q0)/h) (10) [F15]."""
    return Alpha(1.0)


def Midpoint() -> Alpha:
    """The rule that takes the middle of the step."""
    return Alpha(0.5)


def Trapezoidal() -> SymmetricAlpha:
    """The mean of the rules at both ends (16) [F15]."""
    return SymmetricAlpha(0.0)


@dataclasses.dataclass(frozen=True)
class CustomRule(Rule):
    """A user's own discrete Lagrangian `Ld(system, h, g)` and, optionally, discrete constraint.

    g is an element of `system.groupoid`, on R^n the pair (q0, q1). For a Lagrangian L(t, q, v) it
    is `Ld(system, t, h, g)`, t the start of the step. `Cd(system, t, h, g)` is needed by DLA only.
    `order` and `symmetric` are claims that the tests of the user should check.
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
    """Ld(g) = (tr J - tr(g J))/h on SO(n): keeps the energy of the free rigid body exactly.

    For systems on `LieGroup(SO(n))` that give `mass_tensor`, the matrix J of the kinetic energy
    tr(xi J xi^T)/2 or its diagonal; a potential has no place in it ((6.5) [MP] with the sign of
    the pairing put right).
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
                f"the Moser-Veselov rule is that of a free rigid body; {system.name()} has a "
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

    With it DLA projects where GNI reflects: (4.12) [MP] for Euler B, (6.7)-(6.8) [MP] for
    Moser-Veselov. First order.
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


def discrete_lagrangian(rule: Rule, system: System, t: Real, h: Scalar, g: Element) -> Scalar:
    """Ld(g) of a step from time t; the time is given only where the Lagrangian depends on it."""
    if not system.has_time:
        return rule.lagrangian(system, h, g)
    if not takes(rule.lagrangian, 4):
        raise UsageError(
            f"{system.name()}: its Lagrangian depends on time, and the rule '{rule.label}' does "
            "not; write lagrangian(self, system, h, g, t=0.0)"
        )
    return rule.lagrangian(system, h, g, t)


def slope_at_end(groupoid: Groupoid, f: Action, g: Element) -> Vector:
    """d/dv f(g curve(target, v)) at v = 0: the covector at the end of g."""
    end = groupoid.target(g)
    # FL_d^+ of (48) [F15]
    return jax.grad(lambda v: f(groupoid.mul(g, groupoid.curve(end, v))))(jnp.zeros(groupoid.dim))


def slope_at_start(groupoid: Groupoid, f: Action, g: Element) -> Vector:
    """-d/dv f(curve(source, v)^-1 g) at v = 0: the covector at the start of g."""
    start = groupoid.source(g)
    # FL_d^- of (48) [F15]
    return -jax.grad(lambda v: f(groupoid.mul(groupoid.inv(groupoid.curve(start, v)), g)))(
        jnp.zeros(groupoid.dim)
    )


def legendre_plus(rule: Rule, system: System, t: Scalar, h: Scalar, g: Element) -> Vector:
    """Momentum at the end of g, with the impulse of the external force."""
    p = slope_at_end(system.groupoid, lambda k: discrete_lagrangian(rule, system, t, h, k), g)
    return p + rule.force_momenta(system, t, h, g)[1] if system.has_force else p


def legendre_minus(rule: Rule, system: System, t: Scalar, h: Scalar, g: Element) -> Vector:
    """Momentum at the start of g, with the impulse of the external force."""
    p = slope_at_start(system.groupoid, lambda k: discrete_lagrangian(rule, system, t, h, k), g)
    return p - rule.force_momenta(system, t, h, g)[0] if system.has_force else p


def discrete_constraint(
    rule: Rule, system: System, t: Scalar, h: Scalar, g: Element
) -> PerConstraint:
    """All discrete constraints: g(q1) = 0 for the holonomic ones, then the rule's."""
    rows = rule.constraint(system, t, h, g)
    if not system.has_holonomic:
        return rows
    return jnp.concatenate([system.holonomic(system.groupoid.target(g)) / h, rows])


def _check_fraction(a: float) -> None:
    if not 0.0 <= a <= 1.0:
        raise UsageError(f"the rule's point must lie in the step, 0 <= a <= 1; got a = {a}")


__all__ = [
    "Alpha",
    "CustomRule",
    "EulerA",
    "EulerB",
    "Midpoint",
    "MomentumAtEnd",
    "MomentumAtStart",
    "MoserVeselov",
    "Quadrature",
    "Rule",
    "SymmetricAlpha",
    "Trapezoidal",
    "discrete_constraint",
    "discrete_lagrangian",
    "legendre_minus",
    "legendre_plus",
    "slope_at_end",
    "slope_at_start",
]

_guard(globals())
