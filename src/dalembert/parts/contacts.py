"""Contacts without slip: wheels, balls, ellipsoids and skates, on planes and other surfaces.

A contact gives rows: "height" is holonomic (what touches stays on the surface), "along" and
"across" block the velocity of the material point that touches, relative to the surface. All three
directions are unit vectors, so their multipliers are forces in N.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import numpy as np

from ..errors import UsageError
from .pieces import Part, named, numeric, place
from .vectors import Vector, direction, unit, vector

HEIGHT, ALONG, ACROSS = "height", "along", "across"


class Frame(NamedTuple):
    """Where a body is and how it moves."""

    turn: Any  # rotation from the body to space
    place: Any  # its origin, in space
    spin: Any  # angular velocity, in the body
    speed: Any  # velocity of the origin, in space

    def point(self, at: Vector | None, xp: Any) -> Any:
        """A point of the body, in space."""
        return self.place if at is None else self.place + self.turn @ at.array(xp)

    def velocity(self, lever: Any, xp: Any) -> Any:
        """Velocity of the material point at origin + lever (in space)."""
        return self.speed + xp.cross(self.turn @ self.spin, lever)


class Touch(NamedTuple):
    """Where a body touches a surface: the point, its distance from it, and three directions."""

    point: Any
    gap: Any
    normal: Any
    along: Any
    across: Any


# -- surfaces ------------------------------------------------------------------------------------


class Surface(eqx.Module):
    """What a body rolls on: the signed distance of points from it, and how it moves."""

    def distance(self, x: Any, xp: Any) -> tuple[Any, Any]:
        """(distance of a point, unit vector that points away from the surface there)."""
        raise NotImplementedError

    def tangents(self, normal: Any, xp: Any) -> tuple[Any, Any]:
        """Two unit vectors along the surface: x and y of space, turned from z to the normal."""
        # the shortest rotation; singular only where the surface faces straight down
        a, b, c = normal[0], normal[1], normal[2]
        k = 1 / (1 + c)
        first = xp.stack([1 - k * a * a, -k * a * b, -a])
        return first, xp.stack([-k * a * b, 1 - k * b * b, -b])

    @property
    def moves(self) -> bool:
        """Whether its points have a velocity."""
        return False

    def velocity(self, t: Any, x: Any, xp: Any) -> Any:
        """Velocity of the surface at a point of it."""
        return xp.zeros(3)


class Plane(Surface):
    """A plane at a height above the origin along its normal; `rate` turns it about the normal
    through `center`, `drift` moves it along itself: numbers, or functions of time.
    """

    normal: Any = eqx.field(converter=vector, default="z")
    height: Any = numeric(None)
    rate: Any = numeric(None)
    center: Any = place()
    drift: Any = place()
    rate_of: Callable[[Any], Any] | None = eqx.field(static=True, default=None)
    drift_of: Callable[[Any], Any] | None = eqx.field(static=True, default=None)

    def distance(self, x: Any, xp: Any) -> tuple[Any, Any]:
        n = direction(self.normal, xp)
        return n @ x if self.height is None else n @ x - self.height, n

    def tangents(self, normal: Any, xp: Any) -> tuple[Any, Any]:
        if self.normal.axis in ((2, 1), (2, -1)):  # the second: z points down
            return np.eye(3)[0], np.eye(3)[1]
        return super().tangents(normal, xp)

    @property
    def moves(self) -> bool:
        return any(x is not None for x in (self.rate, self.drift, self.rate_of, self.drift_of))

    def velocity(self, t: Any, x: Any, xp: Any) -> Any:
        rate = self.rate_of(t) if self.rate_of is not None else self.rate
        total = xp.zeros(3)
        if rate is not None:
            lever = x if self.center is None else x - self.center.array(xp)
            total = total + rate * xp.cross(direction(self.normal, xp), lever)
        if self.drift is not None:
            total = total + self.drift.array(xp)
        return total if self.drift_of is None else total + xp.asarray(self.drift_of(t))


def turntable(rate: Any, height: Any = None, center: Any = None) -> Plane:
    """A level plane that turns about the vertical; `rate` in rad/s, or a function of time."""
    if callable(rate):
        return Plane(height=height, center=center, rate_of=rate)
    return Plane(height=height, center=center, rate=rate)


class Sphere(Surface):
    """A sphere at rest, rolled on from outside, or from inside."""

    radius: Any = numeric(required=True)
    center: Any = place()
    inside: bool = eqx.field(static=True, default=False)

    def distance(self, x: Any, xp: Any) -> tuple[Any, Any]:
        lever = x if self.center is None else x - self.center.array(xp)
        away = xp.sqrt(lever @ lever)
        out = lever / away
        return (self.radius - away, -out) if self.inside else (away - self.radius, out)


class Cylinder(Surface):
    """A round cylinder at rest, about an axis through `center`, rolled on from in- or outside."""

    radius: Any = numeric(required=True)
    axis: Any = eqx.field(converter=vector, default="z")
    center: Any = place()
    inside: bool = eqx.field(static=True, default=True)

    def distance(self, x: Any, xp: Any) -> tuple[Any, Any]:
        a = direction(self.axis, xp)
        lever = x if self.center is None else x - self.center.array(xp)
        lever = lever - (a @ lever) * a
        away = xp.sqrt(lever @ lever)
        out = lever / away
        return (self.radius - away, -out) if self.inside else (away - self.radius, out)

    def tangents(self, normal: Any, xp: Any) -> tuple[Any, Any]:
        a = direction(self.axis, xp)
        return xp.cross(a, normal), a + xp.zeros(3)


class Level(Surface):
    """The surface where a function of the point vanishes that is its signed distance: gradient of
    length one, positive on the side of the body. In jax.numpy.
    """

    function: Callable[[Any], Any] = eqx.field(static=True)

    def distance(self, x: Any, xp: Any) -> tuple[Any, Any]:
        import jax

        value, slope = jax.value_and_grad(self.function)(x)
        return xp.asarray(value), xp.asarray(slope)


# -- contacts ------------------------------------------------------------------------------------


class Contact(Part):
    """What touches. `rows` says which of its directions are blocked; None: all that it has, but
    a height that the joints hold already.
    """

    body: str = named()

    has: ClassVar[tuple[str, ...]] = (HEIGHT, ALONG, ACROSS)

    @property
    def label(self) -> str:
        """What its rows are called after."""
        return getattr(self, "name", "") or self.body

    def touch(self, frame: Frame, xp: Any, upright: bool = False) -> Touch:
        """Where it touches."""
        raise NotImplementedError

    @property
    def ground(self) -> Surface:
        """The surface that it touches."""
        return getattr(self, "surface", None) or Plane()


def _rows(value: object) -> tuple[str, ...] | None:
    if value is None:
        return None
    rows = (value,) if isinstance(value, str) else tuple(value)  # pyright: ignore
    for row in rows:
        if row not in (HEIGHT, ALONG, ACROSS):
            raise UsageError(f"rows of a contact are 'height', 'along', 'across'; got {row!r}")
    return rows


def chosen() -> Any:
    """The field `rows` of a contact."""
    return eqx.field(static=True, converter=_rows, default=None)


class Wheel(Contact):
    """A wheel that rolls on a plane about an axis of its body, leaning as it likes.

    `crown` is the radius of the rim's own roundness, as of a torus: the wheel is `radius` + `crown`
    high. `along` is where it rolls to (axle x normal), `across` to the left of it. `rollers`: the
    angle from the axle to the axes of rollers on its rim, along which alone the contact holds (as
    "along"): see `mecanum`, `omni`.
    """

    radius: Any = numeric(required=True)
    axis: Any = eqx.field(converter=vector, default="y")
    at: Any = place()
    crown: Any = numeric(None)
    rollers: Any = numeric(None)
    surface: Plane | None = None
    rows: tuple[str, ...] | None = chosen()
    name: str = named("")

    def touch(self, frame: Frame, xp: Any, upright: bool = False) -> Touch:
        if not isinstance(self.ground, Plane):
            raise UsageError(f"wheel '{self.label}' rolls on a Plane only, got {self.ground!r}")
        hub = frame.point(self.at, xp)
        height, n = self.ground.distance(hub, xp)
        axle = frame.turn @ direction(self.axis, xp)
        if upright:  # known to stay so: the axle is level
            up, along, across = n, xp.cross(axle, n), axle
        else:
            up = n - (n @ axle) * axle
            size = xp.sqrt(up @ up)
            along = xp.cross(axle, n) / size
            up, across = up / size, xp.cross(n, along)
        drop = self.radius * up if self.crown is None else self.radius * up + self.crown * n
        if self.rollers is not None:
            c, s = xp.cos(self.rollers), xp.sin(self.rollers)
            along, across = s * along + c * across, c * along - s * across
        return Touch(hub - drop, height - n @ drop, n, along, across)


def mecanum(body: str, radius: Any, rollers: Any = np.pi / 4, **options: Any) -> Wheel:
    """A mecanum wheel: rollers on its rim turn freely, `rollers` is the angle of their axes from
    the axle (+pi/4 and -pi/4 on the two diagonals of a platform).
    """
    options.setdefault("rows", (HEIGHT, ALONG))
    return Wheel(body, radius, rollers=rollers, **options)


def omni(body: str, radius: Any, **options: Any) -> Wheel:
    """An omni wheel: holds where it rolls to, and slides sideways on its rollers."""
    options.setdefault("rows", (HEIGHT, ALONG))
    return Wheel(body, radius, **options)


class Ball(Contact):
    """A ball that rolls on any surface; its center is the point `at` of its body.

    `along` and `across` are x and y of space on a level plane, else two directions of the surface.
    """

    radius: Any = numeric(required=True)
    at: Any = place()
    surface: Surface | None = None
    rows: tuple[str, ...] | None = chosen()
    name: str = named("")

    def touch(self, frame: Frame, xp: Any, upright: bool = False) -> Touch:
        center = frame.point(self.at, xp)
        away, n = self.ground.distance(center, xp)
        along, across = self.ground.tangents(n, xp)
        return Touch(center - self.radius * n, away - self.radius, n, along, across)


class Ellipsoid(Contact):
    """An ellipsoid with half axes along x, y, z of its body, rolling on a plane."""

    axes: Any = eqx.field(converter=vector, default=(1.0, 1.0, 1.0))
    at: Any = place()
    surface: Plane | None = None
    rows: tuple[str, ...] | None = chosen()
    name: str = named("")

    def touch(self, frame: Frame, xp: Any, upright: bool = False) -> Touch:
        if not isinstance(self.ground, Plane):
            raise UsageError(f"ellipsoid '{self.label}' rolls on a Plane only: {self.ground!r}")
        center = frame.point(self.at, xp)
        away, n = self.ground.distance(center, xp)
        squares, up = self.axes.array(xp) ** 2, frame.turn.T @ n
        width = xp.sqrt(up @ (squares * up))  # the support function
        along, across = self.ground.tangents(n, xp)
        return Touch(center - frame.turn @ (squares * up) / width, away - width, n, along, across)


class Skate(Contact):
    """A blade or knife edge at a point of a body, along a direction of it: no sideways slip."""

    at: Any = place()
    direction: Any = eqx.field(converter=vector, default="x")
    surface: Plane | None = None
    rows: tuple[str, ...] | None = chosen()
    name: str = named("")

    has: ClassVar[tuple[str, ...]] = (HEIGHT, ACROSS)

    def touch(self, frame: Frame, xp: Any, upright: bool = False) -> Touch:
        if not isinstance(self.ground, Plane):
            raise UsageError(f"skate '{self.label}' slides on a Plane only: {self.ground!r}")
        point = frame.point(self.at, xp)
        away, n = self.ground.distance(point, xp)
        along = frame.turn @ direction(self.direction, xp)
        if not upright:
            along = unit(along - (along @ n) * n, xp)
        return Touch(point, away, n, along, xp.cross(n, along))


class Glide(Ball):
    """A ball caster, a smooth foot: a sphere (or a point) that stays on a surface and slides."""

    radius: Any = numeric(0.0)

    has: ClassVar[tuple[str, ...]] = (HEIGHT,)
