"""The parts of a machine: bodies, springs, motors, and the base class of joints (`joints`)."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..doors import Module
from ..errors import UsageError
from .vectors import Number, Numbers, Rotation, Spin, cross_matrix, number, vector

GROUND = "ground"  # the parent of bodies that are attached to nothing


def _name(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"the name of a part must be a string, got {value!r}")
    return value


def named(default: Any = None) -> Any:
    """Return a dataclass field for the name of a part."""
    options: dict[str, Any] = {} if default is None else {"default": default}
    return eqx.field(static=True, converter=str if default == "" else _name, **options)


def numeric(default: Any = None, *, required: bool = False) -> Any:
    """Return a dataclass field for a number that is a parameter."""
    options: dict[str, Any] = {} if required else {"default": default}
    return eqx.field(converter=number, **options)


def place(default: Any = None) -> Any:
    """Return a dataclass field for a point or direction; None is the origin."""
    return eqx.field(converter=vector, default=default)


def _moments(value: Any) -> Any:
    if value is None or isinstance(value, (jax.Array, np.ndarray)):
        return value
    if isinstance(value, (tuple, list)):
        nested = any(isinstance(x, (tuple, list)) for x in value)
        return tuple(tuple(number(y) for y in x) if nested else number(x) for x in value)
    return number(value)


def _state(value: Any) -> Any:
    """Convert an initial state: numbers, nested in any way."""
    if isinstance(value, (tuple, list)):
        return tuple(_state(x) for x in value)
    return number(value)


def state(default: Any) -> Any:
    """Return a dataclass field for an initial state."""
    return eqx.field(converter=_state, default=default)


def unchanging() -> Any:
    """Return a static field, for a function."""
    return eqx.field(static=True)


class Part(Module):
    """Base class of everything that `build` takes."""


class Body(Part):
    """A rigid body, in its own frame, whose origin is at its joint.

    `inertia` is taken about the center of mass, along the axes of the body: one number, three
    moments, six entries (xx, yy, zz, xy, xz, yz) of the matrix, or the matrix. If it is not given,
    the body has the inertia of its first shape, solid and uniform; without a shape it is a point
    mass. `center` is the center of mass.
    """

    name: str = named()
    mass: Number = numeric(required=True)
    inertia: Any = eqx.field(converter=_moments, default=None)
    center: Any = place()
    shape: Any = ()

    @property
    def shapes(self) -> tuple[Any, ...]:
        """The shapes of the body, as a tuple."""
        return tuple(self.shape) if isinstance(self.shape, (tuple, list)) else (self.shape,)


# -- joints --------------------------------------------------------------------------------------


class Motion(NamedTuple):
    """The place of a body relative to the axes of its joint, or the rates of this place.

    A place is a shift (a vector) and a rotation matrix. Rates are the rate of the shift, and the
    angular velocity along the axes of the body. None means no shift, or no rotation.
    """

    shift: Any = None
    turn: Any = None


# initial numbers, their rates, the rotation (if any), the angular velocity
Started = tuple[list[Any], list[Any], list[Any], list[Any]]


class Joint(Part):
    """A joint between a body and its parent.

    The point `at` of the parent and `child_at` of the body (by default their origins) coincide.
    `tilt` is the rotation of the body from the parent where the coordinates of the joint vanish. A
    body has one joint; `Loop` closes loops.

    `start` and `speed` are the initial coordinates and their rates; `name` names the joint.

    A user's own joint defines its `numbers` and the place of the body, by `place`. Its rates follow
    by differentiation unless it also defines `rates` (`examples/own_joint.py`).
    """

    # (name, unit) of each coordinate in R^n; "" names a single coordinate after the joint
    numbers: ClassVar[tuple[tuple[str, str], ...]] = ()
    turns: ClassVar[bool] = False  # whether a rotation in SO(3) is a coordinate of the joint, too
    is_root: ClassVar[bool] = False  # for `Planar` and `Free`: names of coordinates need no prefix
    turns_body: ClassVar[bool] = True  # whether the body rotates relative to its parent
    urdf: ClassVar[str] = ""  # the name of this kind of joint in URDF

    body: str = named()
    parent: str = named(GROUND)
    at: Any = place()
    child_at: Any = place()
    tilt: Any = None
    name: str = named("")

    @property
    def label(self) -> str:
        """The name of the joint, or else that of its body."""
        return self.name or self.body

    # -- what a user's own joint defines ------------------------------------------------------

    def place(self, x: Numbers, R: Rotation, xp: ModuleType) -> Motion:
        """Return the shift of the body along the axes of the joint, and its rotation from them.

        Args:
            x: the `numbers`, in their order.
            R: the rotation of a joint that `turns`, else None.
            xp: the array module, `jax.numpy` or `numpy`.
        """
        raise UsageError(f"{type(self).__name__} must define `place`, the position of its body")

    def rates(self, x: Numbers, R: Rotation, u: Numbers, w: Spin, xp: ModuleType) -> Motion:
        """Return the rates of `place`, linear in the rates u of `numbers` and R^T R' = hat(w)."""

        def at(s: jax.Array) -> tuple[jax.Array, jax.Array]:
            turned = None if R is None else R @ (jnp.eye(3) + s * cross_matrix(w, jnp))
            shift, turn = self.place(tuple(a + s * b for a, b in zip(x, u)), turned, jnp)
            shift = jnp.zeros(3) if shift is None else jnp.asarray(shift, dtype=float)
            return shift, jnp.eye(3) if turn is None else turn

        zero, one = jnp.zeros(()), jnp.ones(())
        (_, turn), (drift, change) = jax.jvp(at, (zero,), (one,))
        hat = turn.T @ change
        spin = jnp.stack([hat[2, 1], hat[0, 2], hat[1, 0]])
        return Motion(drift, spin) if xp is jnp else Motion(np.asarray(drift), np.asarray(spin))

    def columns(self, x: Numbers, R: Rotation, xp: ModuleType) -> list[Motion]:
        """Return what `rates` gives for each unit velocity: first of `numbers`, then of w."""
        n = len(self.numbers)
        units = np.eye(n + 3 * self.turns)
        return [self.rates(x, R, tuple(e[:n]), e[n:] if self.turns else None, xp) for e in units]

    # -- what other modules query -------------------------------------------------------------

    @property
    def is_scalar(self) -> bool:
        """Whether the joint has one coordinate; springs, motors and gears act on such joints."""
        return len(self.numbers) == 1 and not self.turns

    @property
    def only_turns(self) -> bool:
        """Whether a rotation is the joint's only coordinate, so that motors act about axes."""
        return self.turns and not self.numbers

    @property
    def hinge(self) -> Any:
        """The constant axis that the body turns about; None if there is none."""
        return None

    def keeps_level(self, axle: int | None) -> bool:
        """Return whether level lines of the body remain level in every motion of the joint.

        With `axle`, the index of an axis of the body, only this axis must remain level. A wheel or
        blade on joints that all keep it level needs no projection onto the ground.
        """
        return False

    def released(self) -> Joint | None:
        """Return the free joint in place of a planar one; None for other joints."""
        return None

    @property
    def start_numbers(self) -> Any:
        """The initial values of `numbers`."""
        return getattr(self, "start", (0.0,) * len(self.numbers))

    @property
    def start_rotation(self) -> Any:
        """The initial rotation; None stands for the axes of the parent."""
        return None

    def started(self, xp: ModuleType) -> Started:
        """Return four lists: initial `numbers`, their rates, the rotation, the angular velocity.

        The last two are empty if the joint has no rotation as coordinate.
        """
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


# -- forces and motors ---------------------------------------------------------------------------


class Gravity(Part):
    """Gravity with acceleration `g` in the direction `down`."""

    g: Any = numeric(9.81)
    down: Any = eqx.field(converter=vector, default="-z")


class Spring(Part):
    """A spring on the coordinate of a joint, with the energy k (q - rest)^2/2."""

    joint: str = named()
    stiffness: Number = numeric(required=True)
    rest: Any = numeric(0.0)


class Damper(Part):
    """A damping force -c q' on the coordinate of a joint; on a `Spherical` joint a torque -c w."""

    joint: str = named()
    damping: Number = numeric(required=True)


class DryFriction(Part):
    """Smoothed dry friction in a joint: -F q'/sqrt(q'^2 + speed^2), with w for q' if `Spherical`.

    `force` F, in N, or in N m for a rotation, is the largest friction. For speeds above ten times
    `speed` (in m/s or rad/s) the friction is F within 0.5 %. Below that the joint does not stick
    but creeps: under a load L < F at the speed L `speed`/sqrt(F^2 - L^2). A smaller `speed` creeps
    less and is stiffer: implicit methods (Gauss) take steps up to 4 inertia `speed`/F, beyond which
    their iteration stops near rest; explicit ones (RK4) up to 2, beyond which the joint trembles.
    """

    joint: str = named()
    force: Number = numeric(required=True)
    speed: Number = numeric(1e-2)


class Limit(Part):
    """Stops of a joint: its coordinate lies between `low` and `high`, one of which may be None.

    A machine by itself is smooth: it passes its stops, and such a run has a warning.
    `hybrid.with_limits(machine)` enforces them: the joint hits its stop with `restitution` (0: it
    stays there until it is driven away), and the stop pushes and never pulls.
    """

    joint: str = named()
    low: Any = numeric(None)
    high: Any = numeric(None)
    restitution: Any = numeric(0.0)


class Strut(Part):
    """A spring, and optionally a damper, between points of two bodies.

    Its energy is k (length - rest)^2/2. Without `rest` the energy is k length^2/2, which is smooth
    even where the two points meet.
    """

    body: str = named()
    other: str = named(GROUND)
    at: Any = place()
    other_at: Any = place()
    stiffness: Number = numeric(0.0)
    rest: Any = numeric(None)
    damping: Any = numeric(None)


class Motor(Part):
    """An input: a torque (or force) at a joint, between the body and its parent.

    On a `Spherical` joint the input is a torque about `axis`, a direction of the body. Without
    `axis` there are three inputs, the torques about x, y and z of the body. An input beyond `limit`
    acts as +-limit. `DCMotor` is a motor with a circuit.
    """

    joint: str = named()
    name: str = named("")
    axis: Any = eqx.field(converter=vector, default=None)
    limit: Any = numeric(None)

    @property
    def label(self) -> str:
        """The name of the input."""
        return self.name or f"{self.joint} motor"


class Push(Part):
    """An input: a force on a body at a point, along a direction of the body."""

    body: str = named()
    along: Any = eqx.field(converter=vector, default="x")
    at: Any = place()
    name: str = named("")

    @property
    def label(self) -> str:
        """The name of the input."""
        return self.name or f"push on {self.body}"


class Prescribed(Part):
    """A coordinate that follows a given function of time, q = motion(t).

    The constraint is on the rate, q' = motion'(t), so that q - motion(t) remains constant. It is
    zero if the run starts at t = 0 from `initial` or `settle`. The multiplier of the constraint is
    the force of the drive.
    """

    joint: str = named()
    motion: Callable[[Any], Any] = unchanging()
    name: str = named("")


class Loop(Part):
    """A loop closure: a point of one body and a point of another coincide.

    With `axis` the bodies can only turn about this direction, which has the same components in both
    bodies. Constraint rows that a planar mechanism satisfies by itself are left out.
    """

    body: str = named()
    other: str = named(GROUND)
    at: Any = place()
    other_at: Any = place()
    axis: Any = eqx.field(converter=vector, default=None)
    name: str = named("")

    @property
    def label(self) -> str:
        """The prefix of the names of its rows."""
        return self.name or f"{self.body} to {self.other}"


class Gear(Part):
    """A coupling of two joints: coordinate of `other` = ratio x coordinate of `joint` + shift.

    Examples: wheels on one steering rod, gear wheels, a chain.
    """

    joint: str = named()
    other: str = named()
    ratio: Number = numeric(1.0)
    shift: Any = numeric(0.0)

    @property
    def label(self) -> str:
        """The prefix of the name of its row."""
        return f"{self.joint} with {self.other}"
