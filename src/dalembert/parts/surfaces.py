"""Surfaces that bodies touch, and the contact point: in closed form, or by Newton's method."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..doors import Module
from ..linalg import OK, Newton, Real
from ..system import is_traced
from .pieces import numeric, place
from .vectors import Array, Number, direction, number, vector


class Surface(Module):
    """A surface to roll on, defined by the distance of points from it, and its velocity."""

    exact: ClassVar[bool] = True  # `distance` is exact also away from the surface

    def distance(self, x: jax.Array, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
        """Return (signed distance of a point, unit vector that points away from the surface there).

        If the surface is not `exact`, distance and vector are right on the surface, and near it to
        first order.
        """
        raise NotImplementedError

    def tangents(self, normal: Array, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
        """Return two unit tangent vectors: x and y of space, rotated from z to the normal."""
        # the shortest rotation; singular only if the surface faces straight down
        a, b, c = normal[0], normal[1], normal[2]
        k = 1 / (1 + c)
        first = xp.stack([1 - k * a * a, -k * a * b, -a])
        return first, xp.stack([-k * a * b, 1 - k * b * b, -b])

    @property
    def moves(self) -> bool:
        """Whether points of the surface may have a velocity."""
        return False

    def velocity(self, t: Real, x: jax.Array, xp: ModuleType) -> jax.Array:
        """Return the velocity of the material point of the surface at x."""
        return xp.zeros(3)

    def turning(self, t: Real, xp: ModuleType) -> jax.Array:
        """Return the angular velocity of the surface."""
        return xp.zeros(3)


class Plane(Surface):
    """A plane at a height above the origin along its normal; it may turn and drift.

    The plane turns at `rate` about the normal through `center`, and moves along itself with the
    velocity `drift`. These are constants; `rate_of` and `drift_of` are functions of time.
    """

    normal: Any = eqx.field(converter=vector, default="z")
    height: Any = numeric(None)
    rate: Any = numeric(None)
    center: Any = place()
    drift: Any = place()
    rate_of: Callable[[Any], Any] | None = eqx.field(static=True, default=None)
    drift_of: Callable[[Any], Any] | None = eqx.field(static=True, default=None)

    def distance(self, x: jax.Array, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
        n = direction(self.normal, xp)
        return n @ x if self.height is None else n @ x - self.height, n

    def tangents(self, normal: Array, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
        if self.normal.axis in ((2, 1), (2, -1)):  # in the second case z points down
            return np.eye(3)[0], np.eye(3)[1]
        return super().tangents(normal, xp)

    @property
    def moves(self) -> bool:
        return any(x is not None for x in (self.rate, self.drift, self.rate_of, self.drift_of))

    def velocity(self, t: Real, x: jax.Array, xp: ModuleType) -> jax.Array:
        rate = self._rate(t)
        total = xp.zeros(3)
        if rate is not None:
            lever = x if self.center is None else x - self.center.array(xp)
            total = total + rate * xp.cross(direction(self.normal, xp), lever)
        if self.drift is not None:
            total = total + self.drift.array(xp)
        return total if self.drift_of is None else total + xp.asarray(self.drift_of(t))

    def turning(self, t: Real, xp: ModuleType) -> jax.Array:
        rate = self._rate(t)
        return xp.zeros(3) if rate is None else rate * direction(self.normal, xp)

    def _rate(self, t: Real) -> jax.Array:
        return self.rate_of(t) if self.rate_of is not None else self.rate


def turntable(rate: Any, height: Any = None, center: Any = None) -> Plane:
    """Return a level plane that turns about the vertical at `rate`, in rad/s or a function."""
    if callable(rate):
        return Plane(height=height, center=center, rate_of=rate)
    return Plane(height=height, center=center, rate=rate)


class Sphere(Surface):
    """A sphere to roll on, from outside or from inside.

    `spin` is its angular velocity (three numbers in rad/s) if it turns about its center.
    """

    radius: Number = numeric(required=True)
    center: Any = place()
    inside: bool = eqx.field(static=True, default=False)
    spin: Any = place()

    def distance(self, x: jax.Array, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
        lever = x if self.center is None else x - self.center.array(xp)
        away = xp.sqrt(lever @ lever)
        out = lever / away
        return (self.radius - away, -out) if self.inside else (away - self.radius, out)

    @property
    def moves(self) -> bool:
        return self.spin is not None

    def velocity(self, t: Real, x: jax.Array, xp: ModuleType) -> jax.Array:
        if self.spin is None:
            return xp.zeros(3)
        lever = x if self.center is None else x - self.center.array(xp)
        return xp.cross(self.spin.array(xp), lever)

    def turning(self, t: Real, xp: ModuleType) -> jax.Array:
        return xp.zeros(3) if self.spin is None else self.spin.array(xp)


class Cylinder(Surface):
    """A circular cylinder about an axis through `center`, to roll on from inside or outside.

    `rate` turns it about its axis.
    """

    radius: Number = numeric(required=True)
    axis: Any = eqx.field(converter=vector, default="z")
    center: Any = place()
    inside: bool = eqx.field(static=True, default=True)
    rate: Any = numeric(None)

    def distance(self, x: jax.Array, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
        lever = self._lever(x, xp)
        away = xp.sqrt(lever @ lever)
        out = lever / away
        return (self.radius - away, -out) if self.inside else (away - self.radius, out)

    def _lever(self, x: jax.Array, xp: ModuleType) -> jax.Array:
        a = direction(self.axis, xp)
        lever = x if self.center is None else x - self.center.array(xp)
        return lever - (a @ lever) * a

    def tangents(self, normal: Array, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
        a = direction(self.axis, xp)
        return xp.cross(a, normal), a + xp.zeros(3)

    @property
    def moves(self) -> bool:
        return self.rate is not None

    def velocity(self, t: Real, x: jax.Array, xp: ModuleType) -> jax.Array:
        if self.rate is None:
            return xp.zeros(3)
        return self.rate * xp.cross(direction(self.axis, xp), self._lever(x, xp))

    def turning(self, t: Real, xp: ModuleType) -> jax.Array:
        return xp.zeros(3) if self.rate is None else self.rate * direction(self.axis, xp)


class Level(Surface):
    """The surface where a function of the point vanishes; it is positive on the side of the body.

        Level(lambda x: x[0]**2/4 + x[1]**2 + x[2]**2 - 1)       an ellipsoid, from outside
        Level(lambda x, a: x[2] - a*(x[0]**2 + x[1]**2), (0.5,))    differentiable numbers

    The function uses jax.numpy, and its gradient must not vanish on the surface. The contact point
    is found by Newton's method, from the point of the surface below the center of the body. A body
    that is less curved than a hollow surface has no such point: the point is NaN, and the run
    stops. A second contact elsewhere is not detected.
    """

    function: Callable[..., Any] = eqx.field(static=True)
    numbers: Any = eqx.field(
        converter=lambda x: tuple(number(a) for a in np.atleast_1d(x)), default=()
    )

    exact: ClassVar[bool] = False

    def level(self, x: jax.Array) -> jax.Array:
        """Return the value of the function at a point."""
        return jnp.asarray(self.function(x, *self.numbers), dtype=float)

    def distance(self, x: jax.Array, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
        value, slope = jax.value_and_grad(self.level)(x)
        size = jnp.sqrt(slope @ slope)
        return value / size, slope / size


class Height(Level):
    """Hills: the surface z = function(x, y, *numbers), in jax.numpy, rolled on from above.

    Height(lambda x, y: 0.1*jnp.cos(x)*jnp.cos(y))
    """

    def level(self, x: jax.Array) -> jax.Array:
        return x[2] - self.height_over(x[0], x[1])

    def height_over(self, x: Any, y: Any) -> jax.Array:
        """Return z above a point of the plane."""
        return jnp.asarray(self.function(x, y, *self.numbers), dtype=float)


def wrong_surface(surface: Surface) -> str | None:
    """Return what is wrong with a surface, or None."""
    if isinstance(surface, Level):
        takes = "(x, y)" if isinstance(surface, Height) else "a point"
        takes += " and its numbers" if surface.numbers else ""
        try:
            result = jax.eval_shape(surface.level, jnp.zeros(3))
        except Exception as error:
            return f"the function of its surface takes {takes}, in jax.numpy: {error}"
        if result.shape:
            return f"the function of its surface must give one number, got shape {result.shape}"
    if isinstance(surface, Plane):
        if surface.rate is not None and surface.rate_of is not None:
            return "its plane turns by rate, or by rate_of; got both"
        drift = None if surface.drift is None else surface.drift.array(np)
        if surface.drift_of is not None:
            drift = surface.drift_of(jnp.zeros(()))
        if drift is not None and not is_traced((drift, surface.normal)):
            size = float(np.max(np.abs(np.asarray(drift))))
            if abs(direction(surface.normal, np) @ np.asarray(drift)) > 1e-9 * size:
                return f"its plane drifts along itself, not out of it: {np.asarray(drift).tolist()}"
    return None


# -- where a body and a curved surface touch -----------------------------------------------------
#
# `support(n)` is the point of a body that would touch a plane with the normal n. A contact is a
# point p of the surface with support(n(p)) = p + gap n(p). `near` is a point of the body.

_NEWTON = Newton(residual_tol=1e-11)


def nearest(
    surface: Surface, support: Callable[[Any], Any], near: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Return (distance, normal) where a body is nearest to a surface, by Newton's method.

    The unknown is a point p of the surface such that support(n(p)) lies on the normal n at p. With
    e = p - support(n(p)) these are three equations, e - (e.n) n + d(p) n = 0. The result is NaN if
    there is no solution, or if the solution is not a local minimum of the distance.
    """

    def residual(p: jax.Array) -> jax.Array:
        away, n = surface.distance(p, jnp)
        e = p - support(n)
        return e + (away - e @ n) * n

    def below(x: jax.Array) -> jax.Array:
        away, n = surface.distance(x, jnp)
        return x - away * n

    first = below(near)
    body = support(surface.distance(first, jnp)[1])
    start = below(body)
    terms = (start, near - body, near - first)
    root = _NEWTON.solve(residual, start, scale=sum(jnp.max(jnp.abs(x)) for x in terms))
    J = lax.stop_gradient(jax.jacfwd(residual)(root.x))
    # in the tangent plane I - (dsupport/dn)(dn/dp) is positive; along the normal the Jacobian is 1
    minimum = (J[0] @ jnp.cross(J[1], J[2]) > 0.0) & (jnp.trace(J) > 1.0)
    p = jnp.where((root.result == OK) & minimum, root.x, jnp.nan)
    n = surface.distance(p, jnp)[1]
    return (support(n) - p) @ n, n
