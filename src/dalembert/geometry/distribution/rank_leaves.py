"""Test whether a leaf of a codistribution of varying rank passes through a point, 2.2 [C02].

A leaf through q is a submanifold L with T_x L = D_x^o, the annihilator, at all of its points x. So
the rank is constant on it: at a singular point L lies in the set of points with that rank. The
test follows paths along the annihilator from q. No point on them may have another rank, and two
paths composed in either order must end on the same leaf (Frobenius).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...groupoids import move
from ...system import Point, System, compiled_call

_STEPS = 8  # number of Runge-Kutta steps (order 4) on a path
_LEVELS = 7  # number of path lengths, each a fourth of the previous one
_HIGHER = 1e-11  # further singular values above this fraction of the largest mean a higher rank
_BRACKET = (0.04, 0.01)  # sides of the loops that measure the bracket, as fractions of the reach
_CLOSED = 1e-5  # a loop whose gap divided by its area is below this counts as closed


@dataclasses.dataclass(frozen=True)
class Integrability:
    """Whether a leaf of a codistribution passes through a point; its dimension, or why not.

    `bool()` of it is True if a leaf exists. `rank` is the rank at the point. A codistribution is
    partially integrable if a leaf passes through each regular point, and completely integrable if
    one passes through each point.
    """

    integrable: bool
    rank: int
    leaf: int | None  # dimension of the leaf; None if there is none
    reason: str

    def __bool__(self) -> bool:
        return self.integrable


Rows = Callable[[Point], tuple[np.ndarray, np.ndarray]]  # rows, and bounds on their round-off


def leaf_through(system: System, rows: Rows, q: Point, rank: int, reach: float) -> Integrability:
    """Test whether a leaf passes through q, where the rows have rank `rank`.

    `reach` is the length of the paths.
    """
    n = system.dim
    walk = _Walk(system, rows, rank)
    start = walk.kernel(q)
    for x, side in itertools.product(start, (1.0, -1.0)):
        if walk.rises(q, side * x, reach):
            text = ", ".join(f"{a:.3g}" for a in side * x)
            return Integrability(
                False, rank, None,
                f"the annihilator has dimension {n - rank} here, and along ({text}) in it points "
                f"have a rank above {rank}: no leaf passes this point",
            )  # fmt: skip
    for x, y in itertools.combinations(start, 2):
        gaps = [walk.gap(q, x, y, s * reach) for s in _BRACKET]
        if gaps[1] > _CLOSED and gaps[1] > 0.5 * gaps[0]:
            return Integrability(
                False, rank, None,
                f"a bracket of two fields of the annihilator leaves it, by {gaps[1]:.2g} "
                "(Frobenius)",
            )  # fmt: skip
    return Integrability(True, rank, n - rank, f"a leaf of dimension {n - rank} passes this point")


class _Walk:
    def __init__(self, system: System, rows: Rows, rank: int) -> None:
        self.system, self.rows, self.rank = system, rows, rank

    def _taken_apart(self, q: Point) -> tuple[np.ndarray, np.ndarray]:
        A = self.rows(q)[0]
        top = np.max(np.abs(A), initial=0.0)
        if not A.size or top == 0.0:
            return np.zeros(0), np.eye(self.system.dim)
        _, values, V = np.linalg.svd(A / top)
        return top * values, V

    def rises(self, q: Point, x: np.ndarray, reach: float) -> bool:
        """Return whether points near q on the path along x have a higher rank.

        The points are checked from the nearest outwards. Once the rank certainly equals that at q,
        points farther away do not count. A value that is round-off or underflows is ignored.
        """
        for k in reversed(range(_LEVELS)):
            there = self.along(q, x, reach * 0.25**k)[-1]
            A, bound = self.rows(there)
            values = self._taken_apart(there)[0]
            beyond = self._beyond(there)
            scale = float(np.max(values, initial=0.0)) if self.rank else 1.0
            if beyond > _HIGHER * scale:
                # fourth order: doubling the steps divides the error of the path by 16
                finer = self.along(q, x, reach * 0.25**k, 2 * _STEPS)[-1]
                if self._beyond(finer) > 0.5 * beyond:
                    return True
            if beyond == 0.0 and not np.any(bound[np.max(np.abs(A), axis=1) == 0.0]):
                return False
        return False

    def _beyond(self, q: Point) -> float:
        """Return the largest singular value of the rows after the first `rank` ones."""
        values = self._taken_apart(q)[0]
        return float(values[self.rank]) if len(values) > self.rank else 0.0

    def kernel(self, q: Point) -> np.ndarray:
        """Return a basis of the annihilator, as rows."""
        return self._taken_apart(q)[1][self.rank :]

    def _field(self, q: Point, x: np.ndarray) -> np.ndarray:
        K = self.kernel(q)
        return K.T @ (K @ x)

    def _moved(self, q: Point, w: np.ndarray) -> Point:
        values = compiled_call(_move, self.system, q, jnp.asarray(w))
        return jax.tree.map(np.asarray, values)

    def along(self, q: Point, x: np.ndarray, length: float, steps: int = _STEPS) -> list[Point]:
        """Return points of the path along the projection of x on the annihilator."""
        h, path = length / steps, []
        for _ in range(steps):
            a = self._field(q, x)
            b = self._field(self._moved(q, 0.5 * h * a), x)
            c = self._field(self._moved(q, 0.5 * h * b), x)
            d = self._field(self._moved(q, h * c), x)
            q = self._moved(q, h * (a + 2.0 * b + 2.0 * c + d) / 6.0)
            path.append(q)
        return path

    def gap(self, q: Point, x: np.ndarray, y: np.ndarray, s: float) -> float:
        """Return the distance across the leaf of the ends of the paths x, y and y, x, over s^2."""
        ends = [self.along(self.along(q, a, s)[-1], b, s)[-1] for a, b in ((x, y), (y, x))]
        apart = np.asarray(compiled_call(_between, self.system, *ends))
        across = self._taken_apart(ends[0])[1][: self.rank]
        return float(np.linalg.norm(across @ apart)) / s**2


def _move(system: System, q: Point, w: Any) -> Point:
    return move(system.groupoid, jax.tree.map(jnp.asarray, q), w)


def _between(system: System, a: Point, b: Point) -> Any:
    return system.groupoid.coordinates((a, b))


__all__ = ["Integrability", "leaf_through"]
