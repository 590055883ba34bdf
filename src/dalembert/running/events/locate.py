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

_TRIALS = 200  # half of which are enough for a root near the end, with a kink there


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
        search = _Search(h, start, end)
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


class _Search:
    """Roots between 0 and h of many functions at once, by Chandrupatla's method.

    The root lies between a and b, c is the point before; x is tried next. Of a and b, which end up
    side by side, the one behind the root is taken: who looks at the row there sees that the sign
    has changed. Where a function jumps, or has a pole, it need not be small there.
    """

    def __init__(self, h: np.ndarray, start: np.ndarray, end: np.ndarray) -> None:
        n = len(end)
        self.h, self.sign, self.trials = h, np.sign(start), 0
        self.a, self.b, self.c = h.copy(), np.zeros(n), np.zeros(n)
        self.fa, self.fb, self.fc = end.copy(), start.copy(), start.copy()
        # where no sign has changed (by round-off) the root is the end itself
        self.is_open = (np.sign(start) != np.sign(end)) & (end != 0) & np.isfinite(end)
        with np.errstate(all="ignore"):
            self.x = h * start / (start - end)

    @property
    def open(self) -> np.ndarray:
        """Which go on."""
        return np.flatnonzero(self.is_open)

    def add(self, which: np.ndarray, f: np.ndarray) -> np.ndarray:
        """The values at x; tells which of them lie behind the root, nearer than those before."""
        self.trials += 1
        a, b, c, fa, fb, fc = (
            y[which] for y in (self.a, self.b, self.c, self.fa, self.fb, self.fc)
        )
        x = self.x[which]
        same = np.sign(f) == np.sign(fa)
        b, c, fb, fc = (np.where(same, *y) for y in ((b, a), (a, b), (fb, fa), (fa, fb)))
        a, fa = x, f
        with np.errstate(all="ignore"):
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            smooth = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            share = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (
                fc - fb
            )
            share = np.where(smooth & np.isfinite(share), share, 0.5)
            least = 2 * np.finfo(float).eps * self.h[which] / np.abs(b - a)
        self.x[which] = a + np.clip(share, np.minimum(least, 0.5), np.maximum(1 - least, 0.5)) * (
            b - a
        )
        for name, y in zip(("a", "b", "c", "fa", "fb", "fc"), (a, b, c, fa, fb, fc)):
            getattr(self, name)[which] = y
        over = (least > 0.5) | (f == 0) | ~np.isfinite(f) | (self.trials > _TRIALS)
        self.is_open[which] = ~over
        behind = np.sign(f) != self.sign[which]
        return np.flatnonzero((behind & ~np.isnan(f)) | np.isinf(f))  # a pole ends the search
