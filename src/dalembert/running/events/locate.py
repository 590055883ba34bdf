"""Where a function of (t, q, v) vanishes between two rows: by a shortened step from the first.

All methods are one-step maps of (q, v) once they are started anew from a row, so a step of any
size leads to the point at its end as well as the method can: the root of g in the size of the step
is found to the order of the method, which no line between rows reaches. (GNI carries more than
(q, v); a step of it from a new start is of its own order too.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np

from ...linalg import OK
from ...methods import Row
from ...system import Point
from ..rows import Node, ShortenedSteps
from .roots import BracketedRoots


class Left(NamedTuple):
    """Rows after which something happens: arrays with one entry for each."""

    node: Node
    g: np.ndarray  # what vanishes after it
    steps: np.ndarray  # until the row before which it has happened
    h: np.ndarray  # their size


class Located(NamedTuple):
    """Where it happens."""

    step: np.ndarray  # in which it happens, counted from the row
    row: Row
    frame: Point


class Locator:
    """Finds roots in the steps of a run, which `shortened` makes in other sizes."""

    def __init__(self, shortened: ShortenedSteps) -> None:
        self._shortened = shortened

    def find(self, g: Callable[[Row, np.ndarray], np.ndarray], left: Left) -> Located:
        """The first root after each row; g(rows, which) are the values at rows of some of them."""
        n, h = len(left.g), left.h
        step, node, start = np.ones(n, int), left.node, left.g

        def tried(which: np.ndarray, x: np.ndarray) -> tuple[Row, Point, np.ndarray]:
            row, frame = self._shortened(_taken(node, which), x)
            return row, frame, g(row, which)

        # whole steps, while they lead to no change of sign
        row, frame, end = tried(np.arange(n), h)
        while True:
            more = (np.sign(end) == np.sign(left.g)) & (step < left.steps) & (row.result == OK)
            if not np.any(more):
                break
            which = np.flatnonzero(more)
            moved: Any = row.t, row.q, row.v, frame
            there = Node(node.member, *moved)
            node, start = mixed((node, start), _taken((there, end), which), which)
            step[which] += 1
            new = tried(which, h[which])
            row, frame, end = mixed((row, frame, end), new, which)
        search = BracketedRoots(np.zeros(n), start, h, end, h)
        best = row, frame
        while len(which := search.open):
            *new, value = tried(which, search.x[which])
            behind = search.add(which, value)
            best = mixed(best, _taken(tuple(new), behind), which[behind])
        return Located(step, *best)


def _taken(tree: Any, which: np.ndarray) -> Any:
    return jax.tree.map(lambda x: x[which], tree)


def mixed(old: Any, new: Any, which: np.ndarray) -> Any:
    """The old entries, with new ones at some places."""

    def one(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        a = np.array(a)
        a[which] = b
        return a

    return jax.tree.map(one, old, new)


__all__ = ["Left", "Located", "Locator", "mixed"]
