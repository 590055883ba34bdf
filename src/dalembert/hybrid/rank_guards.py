"""Locate the end of a mode of `across_ranks`: a singular point, found by shortened steps."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..request.constraint_rows import smallest
from ..request.rank_loss import THROUGH, row_sizes, scaled, suspects, zero_in
from .guards import Ended, Guards, Locate, earliest
from .mode_program import Marched, ModeProgram, Node, Tried
from .modes import Transition

_NOISE = 8.0  # a number below this multiple of its round-off bound may be zero
_EPS = float(np.finfo(float).eps)
_APART = 1e-6  # fraction of a step: distance before a singular point at which velocities are taken
_BEHIND = 1e-9  # fraction of a step: distance after a singular point
_SAMPLES = 16  # samples of a step that leaves a singular point


class RankGuards(Guards):
    """The guards of events, and the singular points of a constraint."""

    def __init__(
        self,
        stepper: ModeProgram,
        events: Sequence[Transition],
        passing: Transition,
        modes: Any,  # of `across_ranks`
        rows: tuple[int, ...],
    ) -> None:
        super().__init__(stepper, events)
        self._count = len(events)
        self.transitions = (*self.transitions, passing)
        self.modes, self.rows = modes, rows
        self.leaves = False  # whether the run leaves a singular point, and rows are not yet known
        self._before: list[tuple[Node, np.ndarray]] = []  # the last two rows, with their forms

    def __len__(self) -> int:
        return self._count

    # -- rows of the constraint --------------------------------------------------------------

    def _one(self, node: Node) -> Any:
        """Return a node as an array of points with one entry."""
        return jax.tree.map(lambda x: np.asarray(x)[None], self.modes.D.point(*node[:3]))

    def _forms(self, points: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return (scaled rows of this mode, whether the constraint has their rank) at points."""
        values, bounds = self.modes.D.values(points)
        if self.modes.sizes is None or np.shape(self.modes.sizes) != values.shape[1:2]:
            self.modes.sizes = row_sizes(values)
        mine = list(self.rows)
        with np.errstate(all="ignore"):
            told = _is_told(values, bounds, mine)
        return scaled(values[:, mine], self.modes.sizes[mine]), told

    def _saw(self, points: Any) -> None:
        self.modes.sizes = row_sizes(self.modes.D.values(points)[0], self.modes.sizes)

    def _least(self, node: Node, size: float) -> tuple[float, Tried]:
        """Return the distance from rank loss after a step; 0.0 if it fails or the rank differs."""
        tried = self.stepper.tried(node, size)
        if not tried.is_good or not _is_finite(tried.node):
            return 0.0, tried
        forms, told = self._forms(self._one(tried.node))
        return (float(smallest(forms)[0]) if told[0] else 0.0), tried

    # -- interface of `Guards` -----------------------------------------------------------------

    def begin(self, node: Node, size: float) -> tuple[int, ...]:
        """Set the sides of guards; note whether the run begins at a singular point."""
        self._before = []
        forms, told = self._forms(self._one(node))
        self.leaves = not told[0] or (len(forms[0]) and smallest(forms)[0] < THROUGH)
        return super().begin(node, size)

    def reached(self, node: Node, values: np.ndarray) -> None:
        """Begin the trail at a row from which whole steps continue."""
        super().reached(node, values)
        forms, told = self._forms(self._one(node))
        self.leaves = self.leaves and not told[0]
        self._before = [(node, forms[0])]

    def step(self, node: Node, size: float) -> tuple[Tried, Ended | None]:
        """Take a step of this size; return it and where in it the mode ends, if it does."""
        tried, ended = super().step(node, size)
        until = size if ended is None or ended.at is None else ended.at.node.t - node.t
        passed = self._searched(node, until) if until > 0.0 else None
        if passed is not None:
            return tried, passed()
        if ended is None and tried.is_good:
            self._saw(self._one(tried.node))
            self.leaves = self.leaves and not self._forms(self._one(tried.node))[1][0]
        return tried, ended

    def scan(self, rows: Marched, good: int) -> tuple[int, Locate | None]:
        """Return how many good rows the mode lasts for, and a function that locates its end."""
        count, locate = super().scan(rows, good)
        if not good:
            return count, locate
        last = max(count, 0) + (locate is not None)
        last = min(last, good)
        if not last:
            return count, locate
        points = jax.tree.map(
            lambda x: x[:last], self.modes.D.point(rows.rows.t, rows.rows.q, rows.rows.v)
        )
        forms, told = self._forms(points)
        known = np.concatenate([*(x[None] for _, x in self._before), forms])
        start = len(self._before)
        lost = np.flatnonzero(~told)
        if self.leaves:  # wait until the rank returns or has certainly changed
            here = int(np.flatnonzero(told)[0]) if np.any(told) else last
            lower = (i for i in range(here) if self._is_another(rows.node(i)))
            behind = np.flatnonzero(~told & (np.arange(last) > here))
            lost = np.array([*itertools.islice(lower, 1), *behind], int)
        where = [*suspects(known), *(lost[:1] + start - 1)]
        for i in sorted({int(x) for x in where if x >= start - 1 and x >= 0}):
            node = rows.node(i - start) if i >= start else self._before[i][0]
            passed = self._searched(node, self.stepper.h)
            if passed is not None:
                here = i - start + 1
                if locate is not None and here == count:
                    return count, functools.partial(earliest, [locate, passed])
                return here, passed
        if locate is None:
            self._saw(points)
            tail = [(rows.node(i), forms[i]) for i in range(max(last - 2, 0), last)]
            self._before = [*self._before, *tail][-2:]
            self.leaves = self.leaves and not np.any(told)
        return count, locate

    # -- inside ------------------------------------------------------------------------------

    def _searched(self, node: Node, size: float) -> Locate | None:
        """Return a function that locates a singular point in a step from this node, or None."""
        tries: dict[float, tuple[float, Tried]] = {}

        def least(s: float) -> float:
            if s not in tries:
                tries[s] = self._least(node, s)
            return tries[s][0]

        start, first = 0.0, self._least_at(node)
        if self.leaves:
            # After a singular point the rank returns; only a loss after that counts.
            at = size * np.arange(1, _SAMPLES + 1) / _SAMPLES
            values = [least(float(s)) for s in at]
            k = next((i for i, x in enumerate(values) if x > 0.0), None)
            if k is None:
                return self._at_another(node, size)
            while k + 1 < len(values) and values[k + 1] > values[k]:
                k += 1
            if k + 1 == len(values):
                return None
            start, first = float(at[k]), values[k]
        zero = zero_in(least, size, start, first)
        if zero is None:
            return None
        least(zero.size)
        at = tries[zero.size][1]
        if not at.is_good and zero.before > 0.0:
            least(zero.before)
            at = tries[zero.before][1]
        at = self._arriving(node, zero.size, size, at)
        # slightly after the point, if rows are known there: unlike limits they have derivatives
        behind = self.stepper.tried(node, zero.size + _BEHIND * size)
        if behind.is_good and _is_finite(behind.node):
            values, bounds = self.modes.D.values(self._one(behind.node))
            sharp = np.max(np.abs(values), axis=2) > 1e4 * np.max(bounds, axis=2)
            if np.all(sharp):
                moved = behind.node._replace(v=at.node.v)
                at = behind._replace(row=behind.row._replace(v=at.node.v), node=moved)
        return self._edge(at)

    def _arriving(self, node: Node, s: float, size: float, at: Tried) -> Tried:
        """Return the end of a step at a singular point, with the velocity of arrival.

        Rows that vanish there do not determine the velocity, so it is extrapolated from before.
        """
        apart = _APART * size
        if s <= 4.0 * apart or not at.is_good:
            return at
        one, two = (self.stepper.tried(node, s - k * apart) for k in (1.0, 2.0))
        if not one.is_good or not two.is_good:
            return at
        v = 2.0 * np.asarray(one.node.v) - np.asarray(two.node.v)
        return at._replace(row=at.row._replace(v=v), node=at.node._replace(v=v))

    def _edge(self, at: Tried) -> Locate:
        return lambda: Ended(self._count, at)

    def _least_at(self, node: Node) -> float:
        forms, told = self._forms(self._one(node))
        return float(smallest(forms)[0]) if told[0] else 0.0

    def _at_another(self, node: Node, size: float) -> Locate | None:
        """Return a function that locates where the rank certainly differs, or None."""
        at = self.stepper.tried(node, size)
        if not at.is_good or not self._is_another(at.node):
            return None
        low, high = 0.0, size
        while (middle := 0.5 * (low + high)) not in (low, high):
            tried = self.stepper.tried(node, middle)
            if tried.is_good and self._is_another(tried.node):
                high, at = middle, tried
            else:
                low = middle
        return self._edge(at)

    def _is_another(self, node: Node) -> bool:
        """Return whether the rank certainly differs from that of the mode, beyond round-off."""
        values = self.modes.D.at(jax.tree.map(np.asarray, self.modes.D.point(*node[:3])))
        return not values.undecided and values.rank != len(self.rows)


def _is_told(values: np.ndarray, bounds: np.ndarray, mine: list[int]) -> np.ndarray:
    """Return whether the rows of a mode are independent and span the others, at many points.

    The result is False at points where any row of the constraint is smaller than its round-off.
    """
    points, m, n = values.shape
    good = np.all(np.isfinite(values), axis=(1, 2))
    basis: list[np.ndarray] = []
    off = np.zeros(points)  # error of the basis by round-off of its rows
    others = [k for k in range(m) if k not in mine]
    for k in (*mine, *others):
        a, blur = values[:, k], np.max(bounds[:, k], axis=1)
        size = np.max(np.abs(a), axis=1)
        safe = np.where(size > 0.0, size, 1.0)
        rest = a / safe[:, None]
        for _ in range(2 if basis else 0):
            for e in basis:
                rest = rest - np.sum(rest * e, axis=1)[:, None] * e
        left = np.max(np.abs(rest), axis=1)
        noise = _NOISE * blur / safe + (8.0 * n * _EPS + _NOISE * off if basis else 0.0)
        if k in mine:
            good &= (size > 0.0) & (left > noise)
            length = np.linalg.norm(rest, axis=1)
            basis.append(rest / np.where(length > 0.0, length, 1.0)[:, None])
            off = off + np.where(left > 0.0, noise / np.where(left > 0.0, left, 1.0), 1.0)
        else:
            unsure = (size <= _NOISE * blur) & (blur > 0.0)
            good &= ~unsure & ((size == 0.0) | (left <= 8.0 * noise))
    return good


def _is_finite(node: Node) -> bool:
    return all(bool(np.all(np.isfinite(x))) for x in jax.tree.leaves((node.q, node.v)))
