"""Taylor polynomials of a run: the motion at any time, as accurate as the run itself.

`horner` evaluates every polynomial of the library that is not evaluated by native code. Roots of
polynomials are in `events`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import jax
import numpy as np

from ..system import Point


def horner(coefficients: Iterable[Any], x: Any) -> Any:
    """Return the polynomial with these coefficients, the highest order first, at x.

    Coefficients and x are numbers, or arrays that broadcast. With a generator of coefficients only
    one order is in memory at a time.
    """
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def evaluated(c: np.ndarray, which: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Return sum_k c[which, k] tau^k, (times, size), for c of shape (steps, order + 1, size)."""
    return horner((c[which, k] for k in range(c.shape[1] - 1, -1, -1)), tau[:, None])


@dataclasses.dataclass(frozen=True, eq=False)
class Polynomials:
    """Polynomials of x = (part of the element from a node, v) around each node, one per step."""

    t: np.ndarray  # start time of each step
    lost: np.ndarray  # what rounding removed from t
    h: np.ndarray  # length of each step
    q: Point  # configuration at the node
    frame: Point
    c: np.ndarray  # (steps, order + 1, size of x)

    def __len__(self) -> int:
        return len(self.t)

    @property
    def end(self) -> float:
        """End time of the last polynomial."""
        return float(self.t[-1] + (self.lost[-1] + self.h[-1]))

    def until(self, t: float) -> Polynomials:
        """Return the polynomials before t."""
        count = max(int(np.searchsorted(self.t, t)), 1)
        parts: Any = jax.tree.map(lambda x: x[:count], self)
        h = np.array(parts.h)
        h[-1] = min(h[-1], (t - parts.t[-1]) - parts.lost[-1])
        return dataclasses.replace(parts, h=h)

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (index of the step, x) at these times."""
        which = np.clip(np.searchsorted(self.t, t, side="left") - 1, 0, len(self.t) - 1)
        tau = (t - self.t[which]) - self.lost[which]
        return which, evaluated(self.c, which, tau)


def _flatten(p: Polynomials) -> tuple[tuple[Any, ...], None]:
    return tuple(getattr(p, f.name) for f in dataclasses.fields(p)), None


jax.tree_util.register_pytree_node(Polynomials, _flatten, lambda _, x: Polynomials(*x))
