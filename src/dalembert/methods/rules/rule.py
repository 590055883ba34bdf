"""Base class of rules: a discrete Lagrangian, a discrete constraint, Legendre transforms.

The discrete Legendre transforms of a discrete Lagrangian Ld are two gradients,

    p_plus(g) = d/dv Ld(g curve(target, v)),   p_minus(g) = -d/dv Ld(curve(source, v)^-1 g)

at v = 0 ((48) [F15]; F+ and F- of section 3 [MP]). Ld always includes the factor h, so that the
gradients have the units of momenta.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from ...doors import guard as _guard
from ...errors import UsageError
from ...groupoids import Element, Groupoid, Pair
from ...linalg import PerConstraint, Real, Scalar, Vector
from ...system import System, takes

Action = Callable[[Element], Scalar]  # a function on the groupoid


class Rule(abc.ABC):
    """Makes a discrete Lagrangian and a discrete constraint from a system.

    Methods rely on two claims of a rule: the `order` of its action, and whether it is `symmetric`
    (Ld of the inverse element with step -h is minus Ld).
    """

    # a subclass may define these as class attributes, properties or dataclass fields
    label: str
    order: int
    symmetric: bool

    @abc.abstractmethod
    def lagrangian(self, system: System, h: Scalar, g: Element, t: Real = 0.0) -> Scalar:
        """Return Ld(g), an approximation of the action over a step of length h from time t.

        A rule without the argument t works only for Lagrangians L(q, v).
        """

    @abc.abstractmethod
    def constraint(self, system: System, t: Scalar, h: Scalar, g: Element) -> PerConstraint:
        """Return the discrete constraint, a velocity that vanishes on admissible elements."""

    def adjoint(self) -> Rule:
        """Return the rule with Ld*(g, h) = -Ld(g^-1, -h); itself if the rule is symmetric."""
        if self.symmetric:
            return self
        raise UsageError(f"the adjoint of the rule '{self.label}' is not known")

    def slope_at_start(self, system: System, t: Scalar, h: Scalar, g: Element) -> Vector:
        """Return -D1 Ld, the covector at the start of g; by default by differentiation."""
        return slope_at_start(
            system.groupoid, lambda k: discrete_lagrangian(self, system, t, h, k), g
        )

    def slope_at_end(self, system: System, t: Scalar, h: Scalar, g: Element) -> Vector:
        """Return D2 Ld, the covector at the end of g."""
        return slope_at_end(
            system.groupoid, lambda k: discrete_lagrangian(self, system, t, h, k), g
        )

    def force_momenta(
        self, system: System, t: Scalar, h: Scalar, g: Element
    ) -> tuple[Vector, Vector]:
        """Return (f_minus, f_plus), impulses of the external force at both ends of the step."""
        raise UsageError(f"the rule '{self.label}' has no discrete force; {system.name()} has one")


def discrete_lagrangian(rule: Rule, system: System, t: Real, h: Scalar, g: Element) -> Scalar:
    """Return Ld(g) of a step from time t; t is passed to the rule only if L depends on time."""
    if not system.has_time:
        return rule.lagrangian(system, h, g)
    if not takes(rule.lagrangian, 4):
        raise UsageError(
            f"{system.name()}: its Lagrangian depends on time, and the rule '{rule.label}' does "
            "not; write lagrangian(self, system, h, g, t=0.0)"
        )
    return rule.lagrangian(system, h, g, t)


def slope_at_end(groupoid: Groupoid, f: Action, g: Element) -> Vector:
    """Return d/dv f(g curve(target, v)) at v = 0: the covector at the end of g."""
    end = groupoid.target(g)
    # FL_d^+ of (48) [F15]
    return jax.grad(lambda v: f(groupoid.mul(g, groupoid.curve(end, v))))(jnp.zeros(groupoid.dim))


def slope_at_start(groupoid: Groupoid, f: Action, g: Element) -> Vector:
    """Return -d/dv f(curve(source, v)^-1 g) at v = 0: the covector at the start of g."""
    start = groupoid.source(g)
    # FL_d^- of (48) [F15]
    return -jax.grad(lambda v: f(groupoid.mul(groupoid.inv(groupoid.curve(start, v)), g)))(
        jnp.zeros(groupoid.dim)
    )


def legendre_plus(rule: Rule, system: System, t: Scalar, h: Scalar, g: Element) -> Vector:
    """Return the momentum at the end of g, with the impulse of the external force."""
    p = rule.slope_at_end(system, t, h, g)
    return p + rule.force_momenta(system, t, h, g)[1] if system.has_force else p


def legendre_minus(rule: Rule, system: System, t: Scalar, h: Scalar, g: Element) -> Vector:
    """Return the momentum at the start of g, with the impulse of the external force."""
    p = rule.slope_at_start(system, t, h, g)
    return p - rule.force_momenta(system, t, h, g)[0] if system.has_force else p


def discrete_constraint(
    rule: Rule, system: System, t: Scalar, h: Scalar, g: Element
) -> PerConstraint:
    """Return all discrete constraints: g(q1) of holonomic constraints, then those of the rule."""
    rows = rule.constraint(system, t, h, g)
    if not system.has_holonomic:
        return rows
    return jnp.concatenate([system.holonomic(system.groupoid.target(g)) / h, rows])


class DiscreteMomenta(NamedTuple):
    """The momenta of a step: `minus` leaves its start, `plus` arrives at its end."""

    minus: Vector
    plus: Vector


def discrete_legendre(
    rule: Rule, system: System, h: Real, q0: Any, q1: Any = None, *, t: Real = 0.0
) -> DiscreteMomenta:
    """Return the discrete Legendre transforms F-, F+ of a step: (p0, p1) = (-D1 Ld, D2 Ld).

    The step is (q0, q1), or an element of `system.groupoid` in place of q0. It has the length h and
    starts at time t. The momenta include the impulses of an external force. They are covectors of
    the fibre: on R^n the ordinary momenta, on a group those of the body ((48) [F15]).
    Without a constraint, consecutive steps of the variational integrator match: p1 of one is p0
    of the next ((3.1)-(3.6) [MP]).

        sleigh = da.systems.ChaplyginSleigh()
        q0, q1 = jnp.zeros(3), jnp.array([0.1, 0.0, 0.05])
        p0, p1 = da.discrete_legendre(da.Midpoint(), sleigh, 0.1, q0, q1)

    Raises a `UsageError` for two points on a groupoid whose elements are not pairs.
    """
    if not isinstance(rule, Rule):
        raise UsageError(f"a rule such as Midpoint() is needed, got {rule!r}")
    g = element_between(system, q0, q1)
    time, step = jnp.asarray(t, dtype=float), jnp.asarray(h, dtype=float)
    return DiscreteMomenta(
        legendre_minus(rule, system, time, step, g), legendre_plus(rule, system, time, step, g)
    )


def element_between(system: System, q0: Any, q1: Any = None) -> Element:
    """Return the element (q0, q1) of a pair groupoid; q0 itself, an element, if q1 is None."""
    if q1 is None:
        return q0
    groupoid = system.groupoid
    if not isinstance(groupoid, Pair):
        raise UsageError(
            f"{system.name()} is on {type(groupoid).__name__}, where two points do not determine "
            "a step: give an element, such as system.groupoid.curve(q0, h * v0)"
        )
    start, end = groupoid.space.check(q0, "q0"), groupoid.space.check(q1, "q1")
    return (start, end)


__all__ = [
    "DiscreteMomenta",
    "Rule",
    "discrete_constraint",
    "discrete_lagrangian",
    "discrete_legendre",
    "element_between",
    "legendre_minus",
    "legendre_plus",
    "slope_at_end",
    "slope_at_start",
]

_guard(globals())
