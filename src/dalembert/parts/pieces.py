"""Bodies, joints, springs, motors: what a machine is put together from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..doors import Module
from ..errors import UsageError
from .vectors import cross_matrix, direction, number, stacked, turned, vector

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


class Motion(NamedTuple):
    """A shift along the axes of a joint and a turn from them, or the rates of both; None: none.

    Of a place: a vector and a rotation matrix. Of rates: the rate of the shift, and the angular
    velocity along the axes of the body.
    """

    shift: Any = None
    turn: Any = None


class Joint(Part):
    """How a body hangs on another one. The point `at` of the parent and `child_at` of the body
    (their origins unless given) meet; `tilt` is the rotation of the body from the parent where the
    coordinates of the joint vanish. A body has one joint; `Loop` closes loops.

    `start` and `speed` are where its coordinate starts from, `name` is what it is called.

    A joint of one's own says which `numbers` it has and where the body is, by `place`; rates follow
    by differentiation unless it writes `rates` (`examples/own_joint.py`).
    """

    # (name, unit) of each coordinate in R^n; a single one may be called after the joint: ""
    numbers: ClassVar[tuple[tuple[str, str], ...]] = ()
    turns: ClassVar[bool] = False  # whether a rotation in SO(3) is a coordinate as well
    is_root: ClassVar[bool] = False  # a body on it moves about: its coordinates need no prefix
    turns_body: ClassVar[bool] = True  # whether the body turns against its parent
    urdf: ClassVar[str] = ""  # the name of this kind of joint in URDF

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

    # -- what a joint of one's own writes -----------------------------------------------------

    def place(self, x: Sequence[Any], R: Any, xp: Any) -> Motion:
        """Where the body is: its shift along the axes of the joint, and its rotation from them.

        Args:
            x: the `numbers`, in their order.
            R: the rotation of a joint that `turns`, else None.
            xp: the module that computes, `jax.numpy` or `numpy`.
        """
        raise UsageError(f"{type(self).__name__} must say where its body is: write `place`")

    def rates(self, x: Sequence[Any], R: Any, u: Sequence[Any], w: Any, xp: Any) -> Motion:
        """The rates of `place`, linear in the rates u of the numbers and in R^T R' = hat(w)."""

        def at(s: Any) -> tuple[Any, Any]:
            turned = None if R is None else R @ (jnp.eye(3) + s * cross_matrix(w, jnp))
            shift, turn = self.place(tuple(a + s * b for a, b in zip(x, u)), turned, jnp)
            shift = jnp.zeros(3) if shift is None else jnp.asarray(shift, dtype=float)
            return shift, jnp.eye(3) if turn is None else turn

        zero, one = jnp.zeros(()), jnp.ones(())
        (_, turn), (drift, change) = jax.jvp(at, (zero,), (one,))
        hat = turn.T @ change
        spin = jnp.stack([hat[2, 1], hat[0, 2], hat[1, 0]])
        return Motion(drift, spin) if xp is jnp else Motion(np.asarray(drift), np.asarray(spin))

    def columns(self, x: Sequence[Any], R: Any, xp: Any) -> list[Motion]:
        """The rates along each entry of the velocity: the numbers, then the angular velocity."""
        n = len(self.numbers)
        units = np.eye(n + 3 * self.turns)
        return [self.rates(x, R, tuple(e[:n]), e[n:] if self.turns else None, xp) for e in units]

    # -- what others ask ----------------------------------------------------------------------

    @property
    def is_scalar(self) -> bool:
        """Whether it has one coordinate: springs, motors and gears act on these."""
        return len(self.numbers) == 1 and not self.turns

    @property
    def only_turns(self) -> bool:
        """Whether a rotation is all that it has: a motor turns it about an axis, or three."""
        return self.turns and not self.numbers

    @property
    def hinge(self) -> Any:
        """The axis that the body turns about, where there is one that never changes."""
        return None

    def keeps_level(self, axle: int | None) -> bool:
        """Whether level lines stay level, or the axis `axle` of the body does that it turns about.

        A wheel or blade on joints that all do so needs no projection onto the ground.
        """
        return False

    def released(self) -> Joint | None:
        """The same joint without what it holds, of one whose body moves in a plane."""
        return None

    @property
    def start_numbers(self) -> Any:
        """Where the numbers start."""
        return getattr(self, "start", (0.0,) * len(self.numbers))

    @property
    def start_rotation(self) -> Any:
        """The rotation that it starts with; None is that of the parent."""
        return None

    def started(self, xp: Any) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
        """Numbers, their rates, rotation and angular velocity that it starts with."""
        n = len(self.numbers)
        given: Any = self
        start = self.start_numbers
        speed: Any = getattr(given, "speed", (0.0,) * (n + 3 * self.turns))
        if self.is_scalar and np.ndim(start) == 0:
            return [start], [speed], [], []
        numbers, rates = [start[i] for i in range(n)], [speed[i] for i in range(n)]
        if not self.turns:
            return numbers, rates, [], []
        R = self.start_rotation
        R = xp.eye(3) if R is None else xp.asarray(R, dtype=float)
        return numbers, rates, [R], [speed[i] for i in range(n, n + 3)]


_X, _Y, _Z = np.eye(3)


class Revolute(Joint):
    """A hinge about an axis of the parent (after `tilt`)."""

    axis: Any = eqx.field(converter=vector, default="z")
    start: Any = numeric(0.0)
    speed: Any = numeric(0.0)

    numbers = (("", "rad"),)
    urdf = "continuous"

    def place(self, x: Sequence[Any], R: Any, xp: Any) -> Motion:
        return Motion(None, turned(self.axis, x[0], xp)[0])

    def rates(self, x: Sequence[Any], R: Any, u: Sequence[Any], w: Any, xp: Any) -> Motion:
        return Motion(None, direction(self.axis, xp) * u[0])

    def columns(self, x: Sequence[Any], R: Any, xp: Any) -> list[Motion]:
        return [Motion(None, direction(self.axis, xp))]

    @property
    def hinge(self) -> Any:
        return self.axis

    def keeps_level(self, axle: int | None) -> bool:
        about = self.axis.axis
        return about is not None and (about[0] == 2 or about[0] == axle)


class Prismatic(Joint):
    """A slider along an axis of the parent (after `tilt`)."""

    axis: Any = eqx.field(converter=vector, default="x")
    start: Any = numeric(0.0)
    speed: Any = numeric(0.0)

    numbers = (("", "m"),)
    turns_body = False
    urdf = "prismatic"

    def place(self, x: Sequence[Any], R: Any, xp: Any) -> Motion:
        return Motion(direction(self.axis, xp) * x[0])

    def rates(self, x: Sequence[Any], R: Any, u: Sequence[Any], w: Any, xp: Any) -> Motion:
        return Motion(direction(self.axis, xp) * u[0])

    def columns(self, x: Sequence[Any], R: Any, xp: Any) -> list[Motion]:
        return [Motion(direction(self.axis, xp))]

    def keeps_level(self, axle: int | None) -> bool:
        return True


class Planar(Joint):
    """Slides along x and y of the parent and turns about z: a vehicle on flat ground."""

    start: Any = state((0.0, 0.0, 0.0))
    speed: Any = state((0.0, 0.0, 0.0))

    numbers = (("x", "m"), ("y", "m"), ("theta", "rad"))
    is_root = True

    def place(self, x: Sequence[Any], R: Any, xp: Any) -> Motion:
        along_z: Any = vector("z")
        return Motion(xp.stack([x[0], x[1], xp.zeros(())]), turned(along_z, x[2], xp)[0])

    def rates(self, x: Sequence[Any], R: Any, u: Sequence[Any], w: Any, xp: Any) -> Motion:
        return Motion(xp.stack([u[0], u[1], xp.zeros(())]), _Z * u[2])

    def columns(self, x: Sequence[Any], R: Any, xp: Any) -> list[Motion]:
        return [Motion(_X), Motion(_Y), Motion(None, _Z)]

    def keeps_level(self, axle: int | None) -> bool:
        return True

    def released(self) -> Joint | None:
        return Free(self.body, self.parent, self.at, self.child_at, self.tilt, self.name)


class Spherical(Joint):
    """A ball and socket, on SO(3): no chart, no gimbal lock. `speed` is the body's angular one."""

    start: Any = None  # a rotation matrix
    speed: Any = state((0.0, 0.0, 0.0))

    turns = True

    def place(self, x: Sequence[Any], R: Any, xp: Any) -> Motion:
        return Motion(None, R)

    def rates(self, x: Sequence[Any], R: Any, u: Sequence[Any], w: Any, xp: Any) -> Motion:
        return Motion(None, w)

    def columns(self, x: Sequence[Any], R: Any, xp: Any) -> list[Motion]:
        return [Motion(None, e) for e in (_X, _Y, _Z)]

    @property
    def start_numbers(self) -> Any:
        return ()

    @property
    def start_rotation(self) -> Any:
        return self.start


class Free(Joint):
    """Not held at all: a position in R^3 and an attitude in SO(3).

    `start` is a point, or (point, rotation matrix); `speed` six numbers: the velocity of the
    body's origin in the parent and the angular velocity in the body.
    """

    start: Any = state((0.0, 0.0, 0.0))
    speed: Any = state((0.0,) * 6)

    numbers = (("x", "m"), ("y", "m"), ("z", "m"))
    turns = True
    is_root = True
    urdf = "floating"

    def place(self, x: Sequence[Any], R: Any, xp: Any) -> Motion:
        return Motion(stacked(x, xp), R)

    def rates(self, x: Sequence[Any], R: Any, u: Sequence[Any], w: Any, xp: Any) -> Motion:
        return Motion(stacked(u, xp), w)

    def columns(self, x: Sequence[Any], R: Any, xp: Any) -> list[Motion]:
        return [*(Motion(e) for e in (_X, _Y, _Z)), *(Motion(None, e) for e in (_X, _Y, _Z))]

    @property
    def _has_rotation(self) -> bool:
        return isinstance(self.start, (tuple, list)) and len(self.start) == 2

    @property
    def start_numbers(self) -> Any:
        return self.start[0] if self._has_rotation else self.start

    @property
    def start_rotation(self) -> Any:
        return self.start[1] if self._has_rotation else None


class Fixed(Joint):
    """Held fast."""

    turns_body = False
    urdf = "fixed"

    def place(self, x: Sequence[Any], R: Any, xp: Any) -> Motion:
        return Motion()

    def rates(self, x: Sequence[Any], R: Any, u: Sequence[Any], w: Any, xp: Any) -> Motion:
        return Motion()

    def keeps_level(self, axle: int | None) -> bool:
        return True


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
    """A force -c q' on the coordinate of a joint; on a `Spherical` one a torque -c w."""

    joint: str = named()
    damping: Any = numeric(required=True)


class DryFriction(Part):
    """Dry friction in a joint, made smooth: -F q'/sqrt(q'^2 + speed^2), with w of `Spherical`.

    `force` in N, or N m where the joint turns, is the largest friction. From ten times `speed` on
    (in m/s or rad/s) it is that within 0.5 %. Below it the joint does not stick but creeps: under
    a load L < F at the speed L `speed`/sqrt(F^2 - L^2). A smaller `speed` creeps less and is
    stiffer: steps up to 4 inertia `speed`/F are taken by implicit methods (Gauss; beyond it their
    iteration stops near rest), up to 2 by explicit ones (RK4; beyond it the joint trembles).
    """

    joint: str = named()
    force: Any = numeric(required=True)
    speed: Any = numeric(1e-2)


class Limit(Part):
    """Stops of a joint: its coordinate stays between `low` and `high`, one of which may be missing.

    A machine by itself is smooth: it passes its stops, and a run that does so has a warning.
    `hybrid.with_limits(machine)` has them: the joint comes to its stop with `restitution` (0: it
    stays there until it is driven away), and the stop pushes and never pulls.
    """

    joint: str = named()
    low: Any = numeric(None)
    high: Any = numeric(None)
    restitution: Any = numeric(0.0)


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
    """An input: a torque (or force) at a joint, between the body and its parent.

    On a `Spherical` joint a torque about `axis`, a direction of the body; without it three inputs,
    the torques about x, y and z of the body.
    """

    joint: str = named()
    name: str = named("")
    axis: Any = eqx.field(converter=vector, default=None)

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
