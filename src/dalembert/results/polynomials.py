"""The polynomials that a run by Taylor's method is made of: the motion at any time, as accurate.

`horner` evaluates every polynomial of the library that is not evaluated by native code. Roots of
polynomials are in `running.events`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

import jax
import numpy as np

from ..system import Point


def horner(coefficients: Iterable[Any], x: Any) -> Any:
    """The polynomial with these coefficients, the highest order first, at x.

    Coefficients and x are numbers, or arrays that broadcast. A generator of coefficients needs
    the memory of one order at a time.
    """
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


def evaluated(c: np.ndarray, which: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """sum over k of c[which, k] tau^k: (times, size), from c of shape (steps, order + 1, size)."""
    return horner((c[which, k] for k in range(c.shape[1] - 1, -1, -1)), tau[:, None])


@dataclasses.dataclass(frozen=True, eq=False)
class Polynomials:
    """x = (part of the element from a node, v), around each node: arrays over the steps."""

    t: np.ndarray  # where each begins
    lost: np.ndarray  # of that by rounding
    h: np.ndarray  # how long it holds
    q: Point  # the node
    frame: Point
    c: np.ndarray  # (steps, order + 1, numbers of x)

    def __len__(self) -> int:
        return len(self.t)

    @property
    def end(self) -> float:
        """Until when they hold."""
        return float(self.t[-1] + (self.lost[-1] + self.h[-1]))

    def until(self, t: float) -> Polynomials:
        """Those before t."""
        count = max(int(np.searchsorted(self.t, t)), 1)
        parts: Any = jax.tree.map(lambda x: x[:count], self)
        h = np.array(parts.h)
        h[-1] = min(h[-1], (t - parts.t[-1]) - parts.lost[-1])
        return dataclasses.replace(parts, h=h)

    def at(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(which step, x) at these times."""
        which = np.clip(np.searchsorted(self.t, t, side="left") - 1, 0, len(self.t) - 1)
        tau = (t - self.t[which]) - self.lost[which]
        return which, evaluated(self.c, which, tau)


def _flatten(p: Polynomials) -> tuple[tuple[Any, ...], None]:
    return tuple(getattr(p, f.name) for f in dataclasses.fields(p)), None


jax.tree_util.register_pytree_node(Polynomials, _flatten, lambda _, x: Polynomials(*x))
