"""Lie brackets of the drift and of the lifted inputs on TQ, by degree (8.1.1, Fig. 8.1 [C02]).

    f = Z + k_d Delta + W^lift,    Z = v d/dq - Gamma(v, v) d/dv,    Y^lift = Y d/dv

in a chart at q, where W is the acceleration at rest. If f = Z, brackets with i inputs and j drifts
have degree j - i with respect to the Liouville field. Only right-normed brackets [g, B] are formed,
where g is f or an input, because these span all brackets. Among brackets with the same inputs and
drifts, linearly dependent ones are dropped.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..dynamics import acceleration
from ..errors import UsageError
from ..geometry.distribution.connection import Connection
from ..geometry.distribution.taylor_fields import Algebra, algebra, expansion
from ..groups import Euclidean
from ..linalg import RANK_TOLERANCE
from ..system import Point, System, compiled_call
from .closures import FieldProduct, independent
from .germs import NOISE, ControlGerm, Germ, check_connection, check_inputs
from .hypotheses import check_hypotheses


class Cell(NamedTuple):
    """All brackets with the same number of inputs and of drifts."""

    inputs: int
    drifts: int
    count: int  # number of them that are independent as fields
    rank: int  # rank of their values at rest

    @property
    def degree(self) -> int:
        """Degree with respect to the Liouville field: drifts minus inputs."""
        return self.drifts - self.inputs


class BracketTable(NamedTuple):
    """Brackets of Z and Y^lift by degree, at rest at a point: Fig. 8.1 [C02]."""

    system: str
    dim: int
    cells: tuple[Cell, ...]

    def cell(self, inputs: int, drifts: int) -> Cell:
        """Return the entry with these numbers of inputs and drifts."""
        return next(x for x in self.cells if (x.inputs, x.drifts) == (inputs, drifts))

    def __str__(self) -> str:
        width = max(x.drifts for x in self.cells) + 1
        height = max(x.inputs for x in self.cells) + 1
        known = {(x.inputs, x.drifts): x for x in self.cells}
        head = "inputs \\ Z " + "".join(f"{j:>10d}" for j in range(width))
        lines = [f"{self.system}: independent brackets (rank at rest)", head]
        for i in range(height):
            row = [known.get((i, j)) for j in range(width)]
            texts = ["" if x is None else f"{x.count} ({x.rank})" for x in row]
            lines.append(f"{i:>10d} " + "".join(f"{text:>10s}" for text in texts))
        return "\n".join(lines)


class StateGerm:
    """Taylor expansion of drift and lifted inputs near (q, 0) in TQ, to `order` in q and v."""

    def __init__(
        self,
        system: System,
        q: Point,
        order: int,
        *,
        connection: Connection | None = None,
        damping: float = 0.0,
        push: np.ndarray | None = None,
    ) -> None:
        self.order = order
        base = self.base = ControlGerm(system, q, order, connection)
        n = base.ring.n
        self.ring: Algebra = algebra(2 * n, order)
        index = {a: i for i, a in enumerate(self.ring.exponents)}
        self._lifted = np.array([index[(*a, *[0] * n)] for a in base.ring.exponents])
        speeds = np.zeros((n, self.ring.size))
        if order >= 1:
            speeds[:, [index[tuple(int(k == n + i) for k in range(2 * n))] for i in range(n)]] = (
                np.eye(n)
            )
        bent = self.ring.matmul(self.ring.matmul(self.lifted(base.connection), speeds), speeds)
        change = damping * speeds - bent
        if push is not None:
            change = change + self.lifted(push)
        self.drift = Germ(np.concatenate([speeds, change]))
        self.inputs = [
            Germ(np.concatenate([np.zeros((n, self.ring.size)), self.lifted(X.coefficients)]))
            for X in base.inputs
        ]

    def lifted(self, a: np.ndarray) -> np.ndarray:
        """Return a polynomial in q alone, on Q, as a polynomial in (q, v)."""
        out = np.zeros((*a.shape[:-1], self.ring.size))
        out[..., self._lifted] = a
        return out

    def bracket(self, X: Germ, Y: Germ) -> Germ:
        """Return [X, Y] = DY.X - DX.Y on TQ."""
        x, y, ring = X.coefficients, Y.coefficients, self.ring
        total = ring.matmul(ring.derivative(y), x) - ring.matmul(ring.derivative(x), y)
        depth = max(X.depth, Y.depth) + 1
        total = np.where(ring.known(depth), total, 0.0)
        total[np.abs(total) <= NOISE * np.max(np.abs(x)) * np.max(np.abs(y))] = 0.0
        return Germ(total, depth)

    def brackets(self, degree: int) -> list[FieldProduct]:
        """Return independent brackets up to a degree.

        The counts of a bracket say how often it contains the drift (first), then each input.
        """
        generators = [self.drift, *self.inputs]
        m = len(generators)
        units = [tuple(int(i == j) for j in range(m)) for i in range(m)]
        level = {units[i]: [X] for i, X in enumerate(generators)}
        result = [FieldProduct(c, X) for c, fields in level.items() for X in fields]
        for _ in range(2, degree + 1):
            new: dict[tuple[int, ...], list[Germ]] = {}
            for (unit, X), (counts, fields) in itertools.product(
                zip(units, generators), level.items()
            ):
                into = tuple(a + b for a, b in zip(unit, counts))
                new.setdefault(into, []).extend(self.bracket(X, Y) for Y in fields)
            level = {c: kept for c, all_ in new.items() if (kept := independent(self, all_))}
            result += [FieldProduct(c, X) for c, fields in level.items() for X in fields]
        return result

    def columns(self, fields: list[Germ]) -> np.ndarray:
        """Return values at rest in an orthonormal frame of the metric, of unit length or zero."""
        lower = np.linalg.cholesky(self.base.G[..., 0])
        frame = np.kron(np.eye(2), lower.T)
        out = np.zeros((2 * self.base.ring.n, len(fields)))
        for i, X in enumerate(fields):
            value = frame @ X.value
            size = np.linalg.norm(value)
            if size > NOISE * np.linalg.norm(frame @ X.coefficients):
                out[:, i] = value / size
        return out


def bracket_table(
    system: System, q: Point = None, *, degree: int = 4, connection: Connection | None = None
) -> BracketTable:
    """Tabulate brackets of Z and the lifted inputs at rest at q, by numbers of inputs and drifts.

    `degree` bounds the sum of inputs and drifts. Entries with two inputs more than drifts vanish,
    and those with more drifts than inputs vanish at rest (Lemma 8.1.1, Fig. 8.1). Both facts are
    computed from the brackets, not assumed. Raises a `UsageError` for systems outside the scope of
    chapter 8, or with damping, for which f is not homogeneous.
    """
    if degree < 1:
        raise UsageError(f"degree must be at least 1, got {degree}")
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    applies, damping = check_hypotheses(system, q, connection=connection)
    if applies.answer == "does not apply":
        raise UsageError(f"{system.name()}: no table of brackets: {applies}")
    if damping:
        raise UsageError(f"{system.name()}: Z is not homogeneous with damping, k_d = {damping:.4g}")
    germ = StateGerm(system, q, degree, connection=connection)
    check_inputs(system, germ.base)
    check_connection(system, germ.base)
    known: dict[tuple[int, int], list[Germ]] = {
        (i, k - i): [] for k in range(1, degree + 1) for i in range(k + 1)
    }
    for p in germ.brackets(degree):
        known[sum(p.counts[1:]), p.counts[0]].append(p.field)
    cells = []
    for (i, j), fields in known.items():
        kept = independent(germ, fields)
        cells.append(Cell(i, j, len(kept), rank(germ.columns(kept))))
    return BracketTable(system.name(), system.dim, tuple(cells))


def rank(columns: np.ndarray) -> int:
    """Return the rank of columns that have unit length or are zero."""
    if not columns.size:
        return 0
    values = np.linalg.svd(columns, compute_uv=False)
    return int(np.sum(values > RANK_TOLERANCE * max(values[0], 1e-300)))


def rest_acceleration(system: System, q: Point, order: int) -> np.ndarray:
    """Return W(q), the acceleration at rest without inputs, in the chart at q, to an order."""
    W, chart = (np.asarray(x) for x in compiled_call(_pushed, system, q, order))
    return algebra(system.dim, order).matmul(chart, W)


def _pushed(system, q, order):
    n, groupoid = system.dim, system.groupoid

    def at(w):
        x = groupoids.move(groupoid, q, w)
        chart = jnp.eye(n)
        if not isinstance(system.space, Euclidean):
            parts = [groupoid.coordinate_velocity(q, w, e) for e in jnp.eye(n)]
            chart = jnp.stack(parts, axis=1)
        return acceleration(system, x, jnp.zeros(n)), chart

    return expansion(at, n, order)


__all__ = ["BracketTable", "Cell", "StateGerm", "bracket_table", "rank", "rest_acceleration"]
