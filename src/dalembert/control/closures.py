"""Spans at a point of symmetric products of the inputs, and of Lie brackets of fields."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ..geometry.distribution.taylor_fields import Algebra
from ..linalg import RANK_TOLERANCE
from .germs import ControlGerm, Germ

# a field is dependent if less than this fraction of it lies outside the span of the others
DEPENDENT = 1e-9


class HasRing(Protocol):
    """Expansion of fields near a point of Q or of TQ, with its polynomial algebra."""

    ring: Algebra


class Closure(NamedTuple):
    """Span of fields at the point: its rank and the singular values that decided it."""

    rank: int
    values: tuple[float, ...]

    def __str__(self) -> str:
        return f"rank {self.rank}, singular values {', '.join(f'{x:.3g}' for x in self.values)}"


class FieldProduct(NamedTuple):
    """A symmetric product, with the number of occurrences of each input."""

    counts: tuple[int, ...]
    field: Germ

    @property
    def degree(self) -> int:
        """The number of inputs in the product, counted as often as they occur."""
        return sum(self.counts)

    @property
    def bad(self) -> bool:
        """Whether every input occurs an even number of times in the product (8.2.1 [C02])."""
        return all(c % 2 == 0 for c in self.counts)


def symmetric_products(
    germ: ControlGerm, inputs: Sequence[Germ], degree: int
) -> list[FieldProduct]:
    """Return all symmetric products up to a degree, without repetitions and linear dependences.

    Dependent products are dropped only among products with the same inputs, because the inputs
    decide whether a product is good or bad.
    """
    m = len(inputs)
    levels: list[dict[tuple[int, ...], list[Germ]]] = [
        {tuple(int(i == j) for j in range(m)): [X] for i, X in enumerate(inputs)}
    ]
    for k in range(2, degree + 1):
        level: dict[tuple[int, ...], list[Germ]] = {}
        for i in range(1, k // 2 + 1):
            for (a, Xs), (b, Ys) in itertools.product(
                levels[i - 1].items(), levels[k - i - 1].items()
            ):
                if 2 * i == k and a > b:
                    continue
                counts = tuple(x + y for x, y in zip(a, b))
                same = a == b and 2 * i == k
                pairs = (
                    itertools.combinations_with_replacement(Xs, 2)
                    if same
                    else itertools.product(Xs, Ys)
                )
                level.setdefault(counts, []).extend(germ.symmetric(X, Y) for X, Y in pairs)
        levels.append({c: kept for c, found in level.items() if (kept := independent(germ, found))})
    return [FieldProduct(c, X) for level in levels for c, found in level.items() for X in found]


def independent(germ: HasRing, fields: Sequence[Germ]) -> list[Germ]:
    """Return the fields that are not constant combinations of earlier fields in the list."""
    kept: list[Germ] = []
    basis = np.zeros((germ.ring.n * germ.ring.size, 0))
    for X in fields:
        known = germ.ring.known(X.depth)
        x = np.where(known, X.coefficients, 0.0).ravel()
        size = np.linalg.norm(x)
        if size == 0.0:
            continue
        rest = x - basis @ (basis.T @ x)
        rest = rest - basis @ (basis.T @ rest)
        if np.linalg.norm(rest) > DEPENDENT * size:
            kept.append(X)
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return kept


def involutive_closure(germ: ControlGerm, fields: Sequence[Germ]) -> list[Germ]:
    """Return the fields and their brackets, to the depth that the expansion allows."""
    result = independent(germ, fields)
    new = result
    while new:
        pairs = [
            (X, Y)
            for X, Y in itertools.product(result, new)
            if X is not Y and max(X.depth, Y.depth) < germ.order
        ]
        brackets = [germ.bracket(X, Y) for X, Y in pairs]
        before = len(result)
        result = independent(germ, [*result, *brackets])
        new = result[before:]
        if span(germ, result).rank == germ.ring.n:
            break
    return result


def span(germ: ControlGerm, fields: Sequence[Germ]) -> Closure:
    """Return the rank of the values at the point, with the singular values that decide it."""
    if not fields:
        return Closure(0, ())
    values = np.linalg.svd(germ.columns(list(fields)), compute_uv=False)
    dimension = int(np.sum(values > RANK_TOLERANCE * max(values[0], 1e-300)))
    return Closure(dimension, tuple(float(x) for x in values[: germ.ring.n]))


__all__ = [
    "DEPENDENT",
    "Closure",
    "FieldProduct",
    "independent",
    "involutive_closure",
    "span",
    "symmetric_products",
]
