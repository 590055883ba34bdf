"""Bodies, joints, springs, motors: what a machine is put together from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import numpy as np

from ..doors import Module
from ..errors import UsageError
from .vectors import number, vector

GROUND = "ground"  # the parent of what is attached to nothing


def _name(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"a part is named by a text, got {value!r}")
    return value


def named(default: Any = None) -> Any:
    """A field that names a part."""
    options: dict[str, Any] = {} if default is None else {"default": default}
    return eqx.field(static=True, converter=str if default == "" else _name, **options)


def numeric(default: Any = None, *, required: bool = False) -> Any:
    """A field with a number that is a parameter."""
    options: dict[str, Any] = {} if required else {"default": default}
    return eqx.field(converter=number, **options)


def place(default: Any = None) -> Any:
    """A field with a point or direction; None is the origin."""
    return eqx.field(converter=vector, default=default)


def _moments(value: Any) -> Any:
    if value is None or isinstance(value, (jax.Array, np.ndarray)):
        return value
    if isinstance(value, (tuple, list)):
        nested = any(isinstance(x, (tuple, list)) for x in value)
        return tuple(tuple(number(y) for y in x) if nested else number(x) for x in value)
    return number(value)


def _state(value: Any) -> Any:
    """Where something starts: numbers, however they are nested."""
    if isinstance(value, (tuple, list)):
        return tuple(_state(x) for x in value)
    return number(value)


def state(default: Any) -> Any:
    """A field with numbers to start from."""
    return eqx.field(converter=_state, default=default)


def unchanging() -> Any:
    """A field that is no number: a function."""
    return eqx.field(static=True)


class Part(Module):
    """Anything that `build` takes."""


class Body(Part):
    """A rigid body, in a frame of its own whose origin is where its joint holds it.

    `inertia` is taken about the center of mass, along the axes of the body: one number, three
    moments, six entries (xx, yy, zz, xy, xz, yz) of the matrix, or the matrix. Without it a body
    has that of its first shape, solid and uniform, or none: a point. `center`: of mass.
    """

    name: str = named()
    mass: Any = numeric(required=True)
    inertia: Any = eqx.field(converter=_moments, default=None)
    center: Any = place()
    shape: Any = ()

    @property
    def shapes(self) -> tuple[Any, ...]:
        """Its shapes, one or many."""
        return tuple(self.shape) if isinstance(self.shape, (tuple, list)) else (self.shape,)


# -- joints --------------------------------------------------------------------------------------


class Joint(Part):
    """How a body hangs on another one. The point `at` of the parent and `child_at` of the body
    (their origins unless given) meet; `tilt` is the rotation of the body from the parent where the
    coordinates of the joint vanish. A body has one joint; `Loop` closes loops.

    `start` and `speed` are where its coordinate starts from, `name` is what it is called.
    """

    body: str = named()
    parent: str = named(GROUND)
    at: Any = place()
    child_at: Any = place()
    tilt: Any = None
    name: str = named("")

    @property
    def label(self) -> str:
        """The name of the joint: that of its body unless it has its own."""
        return self.name or self.body


class Revolute(Joint):
    """A hinge about an axis of the parent (after `tilt`)."""

    axis: Any = eqx.field(converter=vector, default="z")
    start: Any = numeric(0.0)
    speed: Any = numeric(0.0)


class Prismatic(Joint):
    """A slider along an axis of the parent (after `tilt`)."""

    axis: Any = eqx.field(converter=vector, default="x")
    start: Any = numeric(0.0)
    speed: Any = numeric(0.0)


class Planar(Joint):
    """Slides along x and y of the parent and turns about z: a vehicle on flat ground."""

    start: Any = state((0.0, 0.0, 0.0))
    speed: Any = state((0.0, 0.0, 0.0))


class Spherical(Joint):
    """A ball and socket, on SO(3): no chart, no gimbal lock. `speed` is the body's angular one."""

    start: Any = None  # a rotation matrix
    speed: Any = state((0.0, 0.0, 0.0))


class Free(Joint):
    """Not held at all: a position in R^3 and an attitude in SO(3).

    `start` is a point, or (point, rotation matrix); `speed` six numbers: the velocity of the
    body's origin in the parent and the angular velocity in the body.
    """

    start: Any = state((0.0, 0.0, 0.0))
    speed: Any = state((0.0,) * 6)


class Fixed(Joint):
    """Held fast."""


# -- forces and motors ---------------------------------------------------------------------------


class Gravity(Part):
    """Weight."""

    g: Any = numeric(9.81)
    down: Any = eqx.field(converter=vector, default="-z")


class Spring(Part):
    """A spring on the coordinate of a joint, with the energy k (q - rest)^2/2."""

    joint: str = named()
    stiffness: Any = numeric(required=True)
    rest: Any = numeric(0.0)


class Damper(Part):
    """A force -c q' on the coordinate of a joint."""

    joint: str = named()
    damping: Any = numeric(required=True)


class Strut(Part):
    """A spring, and a damper if given, between a point of a body and one of another.

    With the energy k (length - rest)^2/2; without `rest` k length^2/2, also where the points meet.
    """

    body: str = named()
    other: str = named(GROUND)
    at: Any = place()
    other_at: Any = place()
    stiffness: Any = numeric(0.0)
    rest: Any = numeric(None)
    damping: Any = numeric(None)


class Motor(Part):
    """An input: a torque (or force) at a joint, between the body and its parent."""

    joint: str = named()
    name: str = named("")

    @property
    def label(self) -> str:
        """What the input is called."""
        return self.name or f"{self.joint} motor"


class Push(Part):
    """An input: a force on a body at a point, along a direction of the body."""

    body: str = named()
    along: Any = eqx.field(converter=vector, default="x")
    at: Any = place()
    name: str = named("")

    @property
    def label(self) -> str:
        """What the input is called."""
        return self.name or f"push on {self.body}"


class Prescribed(Part):
    """A coordinate that follows a given function of time, q = motion(t).

    It is held by its rate, q' = motion'(t), so that it keeps the distance from motion(t) that it
    starts with: none at t = 0 from `initial` and `settle`. Its multiplier is the drive's force.
    """

    joint: str = named()
    motion: Callable[[Any], Any] = unchanging()
    name: str = named("")


class Loop(Part):
    """Closes a loop: a point of a body and one of another stay together.

    With `axis` they turn about it only, which is a direction of both bodies where the machine
    starts. What a mechanism in the plane holds by itself is left out.
    """

    body: str = named()
    other: str = named(GROUND)
    at: Any = place()
    other_at: Any = place()
    axis: Any = eqx.field(converter=vector, default=None)
    name: str = named("")

    @property
    def label(self) -> str:
        """What its rows are called after."""
        return self.name or f"{self.body} to {self.other}"


class Gear(Part):
    """Two joints that move together: coordinate of `other` = ratio x coordinate of `joint` + shift.

    Wheels on one steering rod, gear wheels, a chain.
    """

    joint: str = named()
    other: str = named()
    ratio: Any = numeric(1.0)
    shift: Any = numeric(0.0)

    @property
    def label(self) -> str:
        """What its row is called after."""
        return f"{self.joint} with {self.other}"
