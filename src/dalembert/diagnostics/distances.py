"""Distances between two results, and of points from a circle."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from jax.flatten_util import ravel_pytree
from jax.typing import ArrayLike

from ..errors import UsageError
from ..system import Point


@dataclasses.dataclass(frozen=True)
class Circle:
    """The circle nearest to some points, and the largest distance of one of them from it."""

    center: tuple[float, float]
    radius: float
    deviation: float


def fit_circle(xy: ArrayLike) -> Circle:
    """Fit |z|^2 = 2 c.z + const to the points (rows, 2) by least squares."""
    points = np.asarray(xy, dtype=float)
    columns = np.column_stack([2 * points, np.ones(len(points))])
    a, b, c = np.linalg.lstsq(columns, np.sum(points**2, axis=1), rcond=None)[0]
    radius = math.sqrt(c + a * a + b * b)
    apart = np.hypot(points[:, 0] - a, points[:, 1] - b) - radius
    return Circle((float(a), float(b)), radius, float(np.max(np.abs(apart))))


def distance(a: Point, b: Point) -> float:
    """Return the largest difference between entries of two points, velocities or trees of them.

    On a matrix group this is the largest difference of matrix entries.
    """
    flat_a, flat_b = (np.asarray(ravel_pytree(x)[0], dtype=float) for x in (a, b))
    if flat_a.shape != flat_b.shape:
        raise UsageError(f"cannot compare {flat_a.size} numbers with {flat_b.size}")
    return float(np.max(np.abs(flat_a - flat_b), initial=0.0))
