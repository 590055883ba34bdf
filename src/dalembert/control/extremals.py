"""Steps of Hamilton's equations on R^n and, trivialised, on Lie groups: q' = v, p' = force + ad."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from .. import groupoids
from ..groupoids import Groupoid
from ..linalg import Scalar, Vector
from ..system import Point
from .planning import BUTCHER, WEIGHTS

Rates = Callable[[Scalar, Point, Vector], tuple[Vector, Vector]]  # (t, q, p) -> (v, p')

_TIMES = BUTCHER.sum(axis=1)  # times of the stages


def hamiltonian_step(
    groupoid: Groupoid, rates: Rates, t: Scalar, q: Point, p: Vector, size: Scalar
) -> tuple[Point, Vector]:
    """Advance (q, p) by one step of Butcher's rule of order 6, in the chart at q."""
    n = groupoid.dim

    def stage(slopes, row):
        i, weights, c = row
        w, kick = jnp.split(weights @ slopes, [n])
        v, change = rates(t + c * size, groupoids.move(groupoid, q, w), p + kick)
        rate = groupoid.coordinate_velocity(q, w, v)
        return slopes.at[i].set(size * jnp.concatenate([rate, change])), None

    rows = jnp.arange(len(BUTCHER)), jnp.asarray(BUTCHER), jnp.asarray(_TIMES)
    slopes, _ = jax.lax.scan(stage, jnp.zeros((len(BUTCHER), 2 * n)), rows)
    w, kick = jnp.split(jnp.asarray(WEIGHTS) @ slopes, [n])
    return groupoids.move(groupoid, q, w), p + kick


__all__ = ["Rates", "hamiltonian_step"]
