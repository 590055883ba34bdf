"""Hybrid systems to begin with: each a function of its parameters, with a start."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from ..groups import Euclidean
from ..system import Invariants, MechanicalSystem, parameter
from ..systems.sleighs import ChaplyginSleigh
from .modes import Modes, Transition, bounce, contact


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


class WeightOnFloor(Weight):
    """The point on the floor, y = 0."""

    def holonomic(self, q: jax.Array) -> jax.Array:
        return q[1:]


class WeightOnHill(Weight):
    """The point on a round hill, x^2 + y^2 = r^2."""

    r: float = parameter(1.0, "m", "radius of the hill", positive=True)

    def holonomic(self, q: jax.Array) -> jax.Array:
        return jnp.stack([jnp.sqrt(q @ q) - self.r])


class SleighOffIce(ChaplyginSleigh):
    """The body of the sleigh without its edge on the ice: it slides and turns freely."""

    @property
    def invariants(self) -> Invariants:
        return {}

    def constraint(self, q: jax.Array) -> jax.Array:
        return jnp.zeros((0, 3))


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
    """A sleigh slides sideways, is put on its edge, and is taken off it again."""
    return Modes(
        {"off": SleighOffIce(a=a), "ice": ChaplyginSleigh(a=a)},
        [
            Transition("off", "ice", at=on, name="put on"),
            Transition("ice", "off", at=off, name="taken off"),
        ],
        start=("off", jnp.zeros(3), jnp.array([1.0, 0.5, 1.0])),
        name="sleigh-on-ice",
    )


registry: dict[str, Callable[..., Modes]] = {
    "bouncing-ball": bouncing_ball,
    "hill": hill,
    "sleigh-on-ice": sleigh_on_ice,
}
