"""Finite-difference maps: a step (q0, q1) defines a velocity phi(q0, q1) at a point near it.

    Ld = h L(phi(q0, q1)),    C_d: A(phi(q0, q1)) = 0            Definition 6, Proposition 6 [MP]

The geodesics of a metric give such maps on every configuration space, without coordinates ((4.6),
(4.7) [MP]): the velocity at the point that divides the geodesic from q0 to q1 in the ratio a.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp

from ... import dynamics, groupoids
from ...doors import guard as _guard
from ...errors import UsageError
from ...groupoids import Element
from ...linalg import Matrix, Newton, Scalar, Vector, solve, solve_spd
from ...system import Point, System
from .quadrature import check_fraction
from .rule import Rule

Metric = Callable[[Point], Matrix]


class FiniteDifference(Rule):
    """A rule made of a finite-difference map; subclass it and define `difference`.

    `at` is the position of the point in the step, between 0 (the start) and 1: Lagrangians and
    constraints that depend on time are evaluated there.
    """

    at: float = 0.5

    @abc.abstractmethod
    def difference(self, system: System, h: Scalar, g: Element) -> tuple[Element, Vector]:
        """Return (path, v): phi(g) is the velocity v at the end of `path`.

        `path` is an element that starts where g starts. If g is a unit, `path` is that unit and
        v = 0; v is the velocity of g up to O(h).
        """

    def lagrangian(self, system, h, g, t=0.0):
        path, v = self.difference(system, h, g)
        return h * system.lagrangian_at(t + self.at * h, system.groupoid.target(path), v)

    def constraint(self, system, t, h, g):
        path, v = self.difference(system, h, g)
        x, time = system.groupoid.target(path), t + self.at * h
        rows = system.constraint_at(time, x) @ v  # (4.2) [MP]
        return rows - system.offset(time, x) if system.has_offset else rows

    def force_momenta(self, system, t, h, g):
        # virtual work h F.(variation of the point), when an end of g varies by u
        groupoid, zero = system.groupoid, jnp.zeros(system.dim)
        path, v = self.difference(system, h, g)
        impulse = h * system.force(t + self.at * h, groupoid.target(path), v)
        back = groupoid.inv(path)

        def moved_end(u):
            longer = groupoid.mul(g, groupoid.curve(groupoid.target(g), u))
            moved = self.difference(system, h, longer)[0]
            return groupoid.coordinates(groupoid.mul(back, moved))

        def moved_start(u):
            shift = groupoid.curve(groupoid.source(g), u)
            moved = self.difference(system, h, groupoid.mul(groupoid.inv(shift), g))[0]
            return groupoid.coordinates(groupoid.mul(groupoid.mul(back, shift), moved))

        plus = jax.vjp(moved_end, zero)[1](impulse)[0]
        return jax.vjp(moved_start, zero)[1](impulse)[0], plus


@dataclasses.dataclass(frozen=True)
class Geodesic(FiniteDifference):
    """The velocity of the geodesic from q0 to q1, at its start (a = 0), middle (1/2) or end (1).

    `metric(q)` is a positive definite matrix on velocities, (n, n); None is the kinetic energy's.
    a = 0 is (4.6) [MP], of order 1; a = 1/2 is (4.7), symmetric and of order 2. Where the metric
    is constant on R^n the rule is `Alpha(a)`. On a curved space the steps do not depend on the
    coordinates, except for the error without `exp` that is described below. If the leaves of an
    integrable constraint are totally geodesic, a = 0 stays on them (Proposition 8 [MP]).

    `exp(x, w)` is the point that the geodesic from x with velocity w reaches after one unit of
    time; give it if a formula is known. Without `exp` the geodesic is its Taylor polynomial of
    degree 3 in the step, from the point that divides it: an error of O(h^4) in the position of its
    ends.
    In both cases the rule of the reversed step is exactly the adjoint rule.
    """

    metric: Metric | None = None
    a: float = 0.5
    exp: Callable[[Point, Vector], Point] | None = None
    newton: Newton = Newton()

    def __post_init__(self) -> None:
        for name, given, form in (
            ("metric", self.metric, "q -> matrix, or None for the kinetic energy's"),
            ("exp", self.exp, "(x, w) -> point, or None"),
        ):
            if given is not None and not callable(given):
                raise UsageError(
                    f"`{name}` of a geodesic rule must be a function {form}; got {given!r}"
                )
        check_fraction(self.a)

    @property
    def at(self) -> float:  # pyright: ignore
        return self.a

    @property
    def label(self) -> str:
        return "geodesic" if self.a == 0.5 else f"geodesic({self.a:g})"

    @property
    def order(self) -> int:
        return 2 if self.symmetric else 1

    @property
    def symmetric(self) -> bool:
        return self.a == 0.5

    def adjoint(self) -> Geodesic:
        return dataclasses.replace(self, a=1.0 - self.a)

    def difference(self, system, h, g):
        n = system.dim
        x = self._found(system, g)
        return system.groupoid.curve(system.groupoid.source(g), x[:n]), x[n:] * (1.0 / h)

    def slope_at_start(self, system, t, h, g):
        return -self._slopes(system, t, h, g)[: system.dim]

    def slope_at_end(self, system, t, h, g):
        return self._slopes(system, t, h, g)[system.dim :]

    def _ends(self, system: System, g: Element, x: Vector) -> Vector:
        """Return the ends of the geodesic through the end of curve(source, u) with velocity w.

        x = (u, w) are the unknowns. The result is in coordinates around the ends of g: zero for the
        geodesic of g. The dividing point is an unknown, and both halves start there. The inverse
        step therefore has the same geodesic to the last digit, however the halves are approximated.
        """
        groupoid, n = system.groupoid, system.dim
        path = groupoid.curve(groupoid.source(g), x[:n])
        back, on = self._arms(system, groupoid.target(path), x[n:])
        start = groupoid.mul(path, groupoid.curve(groupoid.target(path), back))
        end = groupoid.mul(path, groupoid.curve(groupoid.target(path), on))
        end = groupoid.mul(groupoid.inv(g), end)
        return jnp.concatenate([groupoid.coordinates(start), groupoid.coordinates(end)])

    def _found(self, system: System, g: Element) -> Vector:
        sigma = system.groupoid.coordinates(g)
        guess = jnp.concatenate([self.a * sigma, sigma])
        return self.newton.solve(lambda x: self._ends(system, g, x), guess).x

    def _slopes(self, system: System, t: Scalar, h: Scalar, g: Element) -> Vector:
        """Return (D1 Ld, D2 Ld) = J^-T dL: ends that move by J dx change Ld = h L by dL.dx."""
        groupoid, n = system.groupoid, system.dim
        x, start = self._found(system, g), groupoid.source(g)

        def action(x):
            q = groupoids.move(groupoid, start, x[:n])
            return h * system.lagrangian_at(t + self.a * h, q, x[n:] * (1.0 / h))

        J = jax.jacfwd(lambda x: self._ends(system, g, x))(x)
        return solve(J.T, jax.grad(action)(x))

    def _arms(self, system: System, x: Point, w: Vector) -> tuple[Vector, Vector]:
        """Return coordinates of both ends of the geodesic with velocity w at x, from x."""
        groupoid, (back, on) = system.groupoid, (-self.a, 1.0 - self.a)
        if self.exp is not None:
            exp = self.exp

            def seen(s):
                if s == 0.0:  # a user's formula may have no derivative at w = 0
                    return jnp.zeros_like(w)
                return groupoid.coordinates((x, exp(x, s * w)))

            return seen(back), seen(on)

        def rate(y, v):
            q = groupoids.move(groupoid, x, y)
            dG = jax.jacfwd(lambda u: self._metric(system, groupoids.move(groupoid, q, u)))(
                jnp.zeros(system.dim)
            )  # [i, j, along]
            G, along = self._metric(system, q), jnp.einsum("ijk,j->ik", dG, v)
            force = 0.5 * v @ along - along @ v + groupoid.ad(q, v).T @ (G @ v)
            return groupoid.coordinate_velocity(x, y, v), solve_spd(G, force)

        def second(y, v):
            return jax.jvp(rate, (y, v), rate(y, v))

        # y = w s + a s^2/2 + j s^3/6 in the coordinates around x
        at_x = (jnp.zeros_like(w), w)
        _, ((bend, _), (jerk, _)) = jax.jvp(second, at_x, rate(*at_x))

        def place(s):
            return s * w + 0.5 * s**2 * bend + s**3 / 6.0 * jerk

        return place(back), place(on)

    def _metric(self, system: System, q: Point) -> Matrix:
        if self.metric is None:
            return dynamics.metric(system, q)
        return jnp.asarray(self.metric(q), dtype=float)


__all__ = ["FiniteDifference", "Geodesic"]

_guard(globals())
