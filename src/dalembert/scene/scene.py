"""Scenes: bodies with their poses, links, traces, arrows and contacts, as functions of a row."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..groupoids import Point
from ..groups import SO
from ..linalg import Real
from .shapes import Length, Shape

_SO3 = SO(3)


@dataclasses.dataclass(frozen=True)
class Row:
    """One row of a run: the variables that a pose may depend on."""

    t: jax.Array
    q: Point
    v: jax.Array
    force: jax.Array  # A(q)^T lam, the constraint force, a covector paired with v
    frame: Any = None  # the reconstructed group element of a reduced system
    multiplier: Any = None  # lam, one for each constraint


Of = Callable[[Row], Any]  # a vector or matrix, from a row


def origin(row: Row) -> jax.Array:
    """Return the origin: the position of a body that does not move."""
    return jnp.zeros(3)


@dataclasses.dataclass(frozen=True)
class Body:
    """Shapes that move together, at `position(row)` with the rotation matrix `attitude(row)`.

    A reduced system has no attitude in q. Give `spin(row)`, the angular velocity in space, instead.
    The spin is integrated along the rows, from the attitude at the first row (or the identity).
    """

    name: str
    shapes: Shape | Sequence[Shape]
    position: Of = origin
    attitude: Of | None = None
    spin: Of | None = None
    stage: bool = False  # part of the stage (a table), drawn once for all runs


@dataclasses.dataclass(frozen=True)
class Link:
    """A spring or a rod between two moving points."""

    name: str
    start: Of
    end: Of
    look: str = "spring"  # or "rod"


@dataclasses.dataclass(frozen=True)
class Trace:
    """The path of a point."""

    name: str
    point: Of


@dataclasses.dataclass(frozen=True)
class Arrow:
    """A vector at a point; all vectors of one unit are drawn to one scale."""

    name: str
    at: Of
    vector: Of
    unit: str = "N"


@dataclasses.dataclass(frozen=True)
class Contact:
    """A point where a body touches what it rolls or slides on.

    The material point of the body at `point(row)` moves with the velocity `surface(row)` (at rest
    unless given), in all directions, or in those that `blocked(row)` lists as rows of a matrix.
    `scene.slip` uses contacts to check that the picture moves as the constraint says. A contact is
    drawn only in a run with friction that has a contact of the same `name`: colored while that one
    slides or is open.
    """

    body: str
    point: Of
    blocked: Of | None = None
    surface: Of | None = None
    name: str = ""


@dataclasses.dataclass(frozen=True)
class Ground:
    """A plane with a grid through the origin, normal to the third column of `turn`."""

    turn: Any = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclasses.dataclass(frozen=True)
class Scene:
    """The appearance of a system. `ground=None` leaves out the plane below.

    `up` is the direction that the picture shows as up, such as (0, 0, -1) if the z axis points
    down. By default it is the third axis or its opposite, on the side of the ground's normal.
    """

    bodies: Sequence[Body] = ()
    links: Sequence[Link] = ()
    traces: Sequence[Trace] = ()
    arrows: Sequence[Arrow] = ()
    contacts: Sequence[Contact] = ()
    ground: Ground | None = Ground()
    note: str = ""
    focus: str = ""  # the body that the camera follows; the first one if not given
    up: tuple[float, float, float] | None = None


# -- for people who write scenes -----------------------------------------------------------------


def turn_x(angle: Real) -> jax.Array:
    """Return the rotation about the first axis."""
    return _turn(0, angle)


def turn_y(angle: Real) -> jax.Array:
    """Return the rotation about the second axis."""
    return _turn(1, angle)


def turn_z(angle: Real) -> jax.Array:
    """Return the rotation about the third axis."""
    return _turn(2, angle)


def _turn(axis: int, angle: Real) -> jax.Array:
    c, s = jnp.cos(angle), jnp.sin(angle)
    o, one = jnp.zeros_like(c), jnp.ones_like(c)
    rows = (
        ((one, o, o), (o, c, -s), (o, s, c)),
        ((c, o, s), (o, one, o), (-s, o, c)),
        ((c, -s, o), (s, c, o), (o, o, one)),
    )[axis]
    return jnp.stack([jnp.stack(row) for row in rows])


def above(xy: jax.Array | Sequence[Real], z: Length = 0.0) -> jax.Array:
    """Return the point (x, y, z) from the first two entries of a vector and a height."""
    return jnp.stack([xy[0], xy[1], jnp.asarray(z, dtype=float)])


def turn_to(normal: jax.Array, start: int = 2) -> jax.Array:
    """Return a rotation that takes the third axis to a direction.

    The rotation is a smooth function of the direction where this is not opposite to the axis
    `start` of space.
    """
    n = normal / jnp.linalg.norm(normal)
    e = np.eye(3)[start]
    hat = _SO3.hat(jnp.cross(e, n))
    # The shortest rotation from the axis e to n.
    shortest = jnp.eye(3) + hat + hat @ hat / (1 + n[start])
    return shortest @ np.roll(np.eye(3), start - 2, axis=0)
