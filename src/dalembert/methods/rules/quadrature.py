"""Rules that are weighted sums over points of a step, on any groupoid.

An element g from x has fibre coordinates sigma, g = curve(x, sigma). With x_a the point reached
by curve(x, a sigma), a rule is a weighted sum over such points:

    Ld(g) = sum w h L(t + a h, x_a, sigma/h)                                (7.12), (7.13) [C02]
    constraint(g) = sum w (A(t + a h, x_a) sigma/h - b(t + a h, x_a))       (7.16), (7.17) [C02]
"""

from __future__ import annotations

import abc
import dataclasses

import jax
import jax.numpy as jnp

from ...doors import guard as _guard
from ...errors import UsageError
from ...groupoids import Element, Groupoid
from ...linalg import Scalar
from ...system import MechanicalSystem, System
from .rule import Rule


class Quadrature(Rule):
    """A rule that is a weighted sum over the points x_a."""

    @abc.abstractmethod
    def nodes(self) -> tuple[tuple[float, float], ...]:
        """Return the nodes of the rule, pairs (weight, a)."""

    def _ways(self, groupoid: Groupoid, g: Element):
        """Yield (weight, a, element from the start of g to x_a) for each node of the rule.

        If curve(x, s v) is not a one-parameter family (the Cayley map on a group that does not
        commute), x_a computed from the start of g and from its end differ. Then the nearer end is
        used, and both ends for the middle. So the rule of g^-1 is the adjoint rule, and symmetric
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
        # 1/h is computed once per run, so this is no division per step
        v = groupoid.coordinates(g) * (1.0 / h)
        for weight, a, path in self._ways(groupoid, g):
            yield weight, a, groupoid.target(path), v

    def lagrangian(self, system, h, g, t=0.0):
        points = self._points(system, h, g)
        # (7.12), (7.13) [C02], with the factor h
        return sum(
            (w * h * system.lagrangian_at(t + a * h, x, v) for w, a, x, v in points), jnp.zeros(())
        )

    def potential_action(self, system: MechanicalSystem, h: Scalar, g: Element) -> Scalar:
        """Return the part of Ld that comes from the potential."""
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
        # virtual work h F(x_a).(variation of x_a), when an end of g varies by u
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
        check_fraction(self.a)

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
        check_fraction(self.a)

    @property
    def label(self) -> str:
        return "trapezoidal" if self.a in (0.0, 1.0) else f"symmetric-alpha({self.a:g})"

    def nodes(self):
        return ((0.5, self.a), (0.5, 1.0 - self.a))


def EulerA() -> Alpha:
    """Return the rule at the start of the step: Ld^A = h L(q0, (q1 - q0)/h) (10) [F15]."""
    return Alpha(0.0)


def EulerB() -> Alpha:
    """Return the rule at the end of the step: Ld^B = h L(q1, (q1 - q0)/h) (10) [F15]."""
    return Alpha(1.0)


def Midpoint() -> Alpha:
    """Return the rule at the middle of the step."""
    return Alpha(0.5)


def Trapezoidal() -> SymmetricAlpha:
    """Return the mean of the rules at both ends (16) [F15]."""
    return SymmetricAlpha(0.0)


def check_fraction(a: float) -> None:
    """Raise `UsageError` unless a, the position of a point in the step, is between 0 and 1."""
    if not 0.0 <= a <= 1.0:
        raise UsageError(f"the rule's point must lie in the step, 0 <= a <= 1; got a = {a}")


__all__ = [
    "Alpha",
    "EulerA",
    "EulerB",
    "Midpoint",
    "Quadrature",
    "SymmetricAlpha",
    "Trapezoidal",
    "check_fraction",
]

_guard(globals())
