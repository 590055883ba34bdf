"""Coordinates centered in the middle of a step: methods of R^n run in them on every groupoid.

q = q_c tau(y), with q_c = q0 tau(z), so that the step leads from y = -z to y = z.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from .. import groupoids
from ..groupoids import Groupoid, Pair
from ..groups import Euclidean
from ..linalg import solve
from ..system import Point


def is_flat(groupoid: Groupoid) -> bool:
    """Return whether y = q in the chart, and velocities are the derivatives of q."""
    return isinstance(groupoid, Pair) and isinstance(groupoid.space, Euclidean)


@dataclasses.dataclass(frozen=True)
class Chart:
    """The chart around q_c, the point reached from `start` along z."""

    groupoid: Groupoid
    start: Point
    z: jax.Array

    @property
    def center(self) -> Point:
        """q_c."""
        return groupoids.move(self.groupoid, self.start, self.z)

    def point(self, y: jax.Array) -> Point:
        """Return q_c tau(y)."""
        return groupoids.move(self.groupoid, self.center, y)

    def velocity(self, y: jax.Array, rate: jax.Array) -> jax.Array:
        """Return the velocity v of a motion with dy/dt = rate."""
        if is_flat(self.groupoid):
            return rate
        return solve(self.rates(y, jnp.eye(self.groupoid.dim)), rate)

    def rates(self, y: jax.Array, v: jax.Array) -> jax.Array:
        """Return dy/dt for each column of v, (n, k): the inverse of `velocity`."""
        if is_flat(self.groupoid):
            return v
        center = self.center
        return jax.vmap(
            lambda w: self.groupoid.coordinate_velocity(center, y, w), in_axes=1, out_axes=1
        )(v)

    def element(self) -> Any:
        """Return the element of the whole step."""
        half = self.groupoid.curve(self.start, self.z)
        return self.groupoid.mul(half, self.groupoid.curve(self.groupoid.target(half), self.z))
