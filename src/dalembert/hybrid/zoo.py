"""Examples of hybrid systems, each a function of its parameters; the result has a start."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from .. import scene as sc
from ..groups import Euclidean
from ..system import MechanicalSystem, parameter
from ..systems.disks import VerticalRollingDisk, rolling_velocity
from ..systems.sleighs import ChaplyginSleigh
from ..systems.switching import (
    JoinedDisks,
    LandedBall,
    ParticleWithFadingConstraint,
    RollingSphere,
)
from .contact_modes import released
from .jumps import impulse_at, jump_velocity
from .modes import Modes, Transition, bounce, contact, kick
from .rough_zoo import registry as rough_registry


class Weight(MechanicalSystem):
    """A point in a vertical plane.

        L = m (x'^2 + y'^2)/2 - m g y

    q = (x, y) in m.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    g: float = parameter(9.81, "m/s^2", "acceleration of gravity")

    space = Euclidean(2)
    coordinate_names = ("x", "y")
    units = ("m", "m")

    @property
    def mass(self) -> jax.Array:
        return self.m * jnp.eye(2)

    def potential(self, q: jax.Array) -> jax.Array:
        return self.m * self.g * q[1]

    def scene(self) -> sc.Scene:
        def place(row: sc.Row) -> jax.Array:
            return jnp.stack([row.q[0], jnp.zeros(()), row.q[1]])

        ball = sc.Body("ball", sc.sphere(0.03).scaled_with_motion(), place)
        return sc.Scene([ball], traces=[sc.Trace("path", place)])


class WeightOnFloor(Weight):
    """The point on the floor, y = 0."""

    def holonomic(self, q: jax.Array) -> jax.Array:
        return q[1:]


class WeightOnHill(Weight):
    """The point on a round hill, x^2 + y^2 = r^2."""

    r: float = parameter(1.0, "m", "radius of the hill", positive=True)

    def holonomic(self, q: jax.Array) -> jax.Array:
        return jnp.stack([jnp.sqrt(q @ q) - self.r])


def bouncing_ball(
    height: float = 1.0, speed: float = 1.0, restitution: float = 0.8, slower_than: float = 0.1
) -> Modes:
    """A ball that bounces, loses a part of its speed each time, and in the end slides on."""
    floor = bounce("air", lambda q: q[1], restitution, rest="floor", slower_than=slower_than)
    start = "air", jnp.array([0.0, height]), jnp.array([speed, 0.0])
    return Modes(
        {"air": Weight(), "floor": WeightOnFloor()}, floor, start=start, name="bouncing-ball"
    )


def hill(radius: float = 1.0, speed: float = 0.4, ground: float = -0.5) -> Modes:
    """A point slides down a round hill, takes off where the hill would have to pull, and lands."""
    above = contact("air", "hill", lambda q: jnp.sqrt(q @ q) - radius)
    below = bounce("air", lambda q: q[1] - ground, 0.6, name="ground")
    start = "hill", jnp.array([0.0, radius]), jnp.array([speed, 0.0])
    systems = {"hill": WeightOnHill(r=radius), "air": Weight()}
    return Modes(systems, [above, below], start=start, name="hill")


def sleigh_on_ice(on: float = 1.0, off: float = 4.0, a: float = 0.2) -> Modes:
    """A sleigh that slides sideways, is put on its edge, and is taken off it again."""
    sleigh = ChaplyginSleigh(a=a)
    return Modes(
        {"off": released(sleigh), "ice": sleigh},
        [
            Transition("off", "ice", at=on, name="put on"),
            Transition("ice", "off", at=off, name="taken off"),
        ],
        start=("off", jnp.zeros(3), jnp.array([1.0, 0.5, 1.0])),
        name="sleigh-on-ice",
    )


def sphere_on_rough_floor(
    speed: float = 1.2, sideways: float = 0.5, spin: float = 1.0, m: float = 1.0
) -> Modes:
    """A sphere that slides on ice, x < 0, then rolls on a rough floor: 6.4.1, Fig. 6.2 [C02]."""
    rough = RollingSphere(m=m)
    q = jnp.array([-1.0, 0.2]), jnp.eye(3)
    edge = _first_of_place
    return Modes(
        {"ice": released(rough), "floor": rough},
        [
            Transition("ice", "floor", edge, 1, name="onto the floor"),
            Transition("floor", "ice", edge, -1, name="back on ice"),
        ],
        start=("ice", q, rough.body_velocity(q, (speed, sideways), (2.5, spin, 1.5))),
        name="sphere-on-rough-floor",
    )


class ParticleOnLines(ParticleWithFadingConstraint):
    """The particle for x > 0, on lines of slope 1; its row is scaled to have a limit at x = 0."""

    def constraint(self, q: jax.Array) -> jax.Array:
        return jnp.array([[1.0, -1.0]])


def fading_constraint(speed: float = 1.0, sideways: float = 0.0) -> Modes:
    """A particle that is free and then comes to lines of slope 1: Fig. 6.1 [C02].

    The constraint is flat at x = 0 and does not change its sign there, so the guard is declared.
    """
    lines = ParticleOnLines()
    edge = _first_coordinate
    return Modes(
        {"free": released(lines), "lines": lines},
        [
            Transition("free", "lines", edge, 1, name="onto a line"),
            Transition("lines", "free", edge, -1, name="off it"),
        ],
        start=("free", jnp.array([-1.0, 1.0]), jnp.array([speed, sideways])),
        name="fading-constraint",
    )


def disk_at_wall(wall: float = 2.5, restitution: float = 0.8, turn: float = 0.2) -> Modes:
    """An upright disk that rolls against a wall and rebounds, rolling through the impact."""
    disk = VerticalRollingDisk()

    def room(q: jax.Array) -> jax.Array:  # distance between the rim and the wall
        return wall - q[0] - disk.R * jnp.abs(jnp.cos(q[2]))

    return Modes(
        {"rolling": disk},
        bounce("rolling", room, restitution, name="wall"),
        start=(
            "rolling",
            jnp.zeros(4),
            rolling_velocity(jnp.zeros(()), disk.R, jnp.asarray(turn), jnp.asarray(1.0)),
        ),
        name="disk-at-wall",
    )


def dropped_ball(
    height: float = 0.8, restitution: float = 0.6, Theta: float = 2.0, slower_than: float = 0.3
) -> Modes:
    """A ball dropped on a turning table that grips it; it bounces, and in the end rolls.

    In each bounce the point of contact takes on the velocity of the table, and the normal velocity
    is reversed and multiplied by `restitution`.
    """
    table = LandedBall(Theta=Theta)
    air = released(table)

    def grip(t: Any, q: Any, v: Any) -> jax.Array:
        e = jnp.array([0.0, 0.0, restitution])
        return jump_velocity(air, q, v, table.constraint(q), e, t=t, offset=table.offset(t, q))

    hit, *others = bounce(
        "air", table.height, restitution, rest="table", slower_than=slower_than, row=2
    )
    q = jnp.array([0.5, 0.0, table.r + height]), jnp.eye(3)
    return Modes(
        {"air": air, "table": table},
        [dataclasses.replace(hit, jump=grip), *others],
        start=("air", q, jnp.zeros(6)),
        name="dropped-ball",
    )


def ball_between_plates(
    room: float = 0.5, speed: float = 3.0, Theta: float = 2.0, g: float = 9.81
) -> Modes:
    """A rough ball between a turning table and a ceiling at rest, e = 1.

    At the table the point of contact takes on the table's velocity, at the ceiling it comes to
    rest; the normal velocity is reversed.
    """
    table = LandedBall(Theta=Theta, g=g)
    air = released(table)
    r = table.r

    def slip(q: Any, side: float) -> jax.Array:
        """Return rows of the velocity of the ball's lowest point (side 1), or of its highest."""
        rows = table.constraint(q)
        still = jnp.zeros_like(rows).at[:, :3].set(rows[:, :3])
        return still + side * (rows - still)

    def floor(t: Any, q: Any, v: Any) -> jax.Array:
        e = jnp.array([0.0, 0.0, 1.0])
        return jump_velocity(air, q, v, slip(q, 1.0), e, t=t, offset=table.offset(t, q))

    def ceiling(t: Any, q: Any, v: Any) -> jax.Array:
        return jump_velocity(air, q, v, slip(q, -1.0), jnp.array([0.0, 0.0, 1.0]), t=t)

    q = jnp.array([0.5, 0.0, r + 0.5 * room]), jnp.eye(3)
    return Modes(
        {"air": air},
        [
            Transition("air", None, lambda t, q, v: q[0][2] - r, -1, jump=floor, name="table"),
            Transition(
                "air", None, lambda t, q, v: room + r - q[0][2], -1, jump=ceiling, name="ceiling"
            ),
        ],
        start=("air", q, jnp.array([0.1, 0.0, speed, 0.0, 0.0, 0.0])),
        name="ball-between-plates",
    )


def billiard(impulse: float = 1.5, above: float = 0.1, restitution: float = 0.8) -> Modes:
    """A ball on rough cloth, struck by a cue `above` its center, that meets a cushion.

    By (6.4) and (6.16) [C02] the cloth takes its part of the stroke, so that the ball rolls.
    """
    ball = RollingSphere(r=0.5, k=0.5 * math.sqrt(0.4))
    q = jnp.zeros(2), jnp.eye(3)
    where = jnp.array([-0.4, 0.05, above])

    def stroke(t: Any, q: Any, v: Any) -> jax.Array:
        on_ball = q[1].T @ where  # the material point at this place

        def place(x: Any) -> jax.Array:
            return jnp.append(x[0], ball.r) + x[1] @ on_ball

        return impulse_at(ball, q, place, jnp.array([impulse, 0.3 * impulse, 0.0]))

    return Modes(
        {"cloth": ball},
        [
            kick("cloth", stroke, at=0.5, name="stroke"),
            bounce("cloth", lambda q: 2.0 - ball.r - q[0][0], restitution, name="cushion"),
        ],
        start=("cloth", q, jnp.zeros(5)),
        name="billiard",
    )


def disks_that_join(turn: float = 0.5) -> Modes:
    """Two disks that must roll in parallel; one stands until their headings agree: Fig. 3.6.

    At that instant the constraint (3.8) [C02] leaves open whether that disk remains at rest; in
    this system it starts to roll.
    """
    one = JoinedDisks(standing=1)
    q = jnp.array([0.0, 0.0, 1.0, 0.0, 3.0, 0.0, 0.2, 0.0])
    return Modes(
        {"one stands": one, "parallel": JoinedDisks(standing=0)},
        [Transition("one stands", "parallel", _between_headings, 1, name="joined")],
        start=("one stands", q, one.velocity(q, (0.1, 0.1 + turn), (0.0, 1.0))),
        name="disks-that-join",
    )


def _first_coordinate(t: Any, q: Any, v: Any) -> jax.Array:
    return q[0]


def _first_of_place(t: Any, q: Any, v: Any) -> jax.Array:
    return q[0][0]


def _between_headings(t: Any, q: Any, v: Any) -> jax.Array:
    return q[6] - q[2]


registry: dict[str, Callable[..., Modes]] = {
    "bouncing-ball": bouncing_ball,
    "hill": hill,
    "sleigh-on-ice": sleigh_on_ice,
    "sphere-on-rough-floor": sphere_on_rough_floor,
    "fading-constraint": fading_constraint,
    "disk-at-wall": disk_at_wall,
    "dropped-ball": dropped_ball,
    "ball-between-plates": ball_between_plates,
    "billiard": billiard,
    "disks-that-join": disks_that_join,
    **rough_registry,
}
