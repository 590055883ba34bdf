"""The polynomials that a run by Taylor's method is made of: the motion at any time, as accurate."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import numpy as np

from ..system import Point


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
        x = np.zeros((len(t), self.c.shape[2]))
        for k in range(self.c.shape[1] - 1, 0, -1):
            x = (x + self.c[which, k]) * tau[:, None]
        return which, x + self.c[which, 0]


def _flatten(p: Polynomials) -> tuple[tuple[Any, ...], None]:
    return tuple(getattr(p, f.name) for f in dataclasses.fields(p)), None


jax.tree_util.register_pytree_node(Polynomials, _flatten, lambda _, x: Polynomials(*x))
