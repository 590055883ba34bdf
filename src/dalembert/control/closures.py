"""Spans at a point: symmetric products of the inputs, and the brackets of fields."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ..linalg import RANK_TOLERANCE
from .germs import ControlGerm, Germ
from .jets import Algebra

DEPENDENT = 1e-9  # a field whose part outside of the others is below this is one of them


class HasRing(Protocol):
    """What fields are expanded in: near a point of Q, or of TQ."""

    ring: Algebra


class Closure(NamedTuple):
    """A span at the point: its rank and the singular values that decided it."""

    rank: int
    values: tuple[float, ...]

    def __str__(self) -> str:
        return f"rank {self.rank}, singular values {', '.join(f'{x:.3g}' for x in self.values)}"


class Product(NamedTuple):
    """A symmetric product, by how often each input occurs in it."""

    counts: tuple[int, ...]
    field: Germ

    @property
    def degree(self) -> int:
        """The number of inputs in it."""
        return sum(self.counts)

    @property
    def bad(self) -> bool:
        """Every input occurs an even number of times (8.2.1)."""
        return all(c % 2 == 0 for c in self.counts)


def symmetric_products(germ: ControlGerm, inputs: Sequence[Germ], degree: int) -> list[Product]:
    """All symmetric products up to a degree, without repetitions and linear dependences.

    Dependent ones are left out among products with the same inputs only: whether a product is
    good or bad is a matter of these.
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
    return [Product(c, X) for level in levels for c, found in level.items() for X in found]


def independent(germ: HasRing, fields: Sequence[Germ]) -> list[Germ]:
    """Fields that are no combinations, with constant coefficients, of those before them."""
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
    """The fields and their brackets, as deep as the expansion goes."""
    found = independent(germ, fields)
    new = found
    while new:
        pairs = [
            (X, Y)
            for X, Y in itertools.product(found, new)
            if X is not Y and max(X.depth, Y.depth) < germ.order
        ]
        brackets = [germ.bracket(X, Y) for X, Y in pairs]
        before = len(found)
        found = independent(germ, [*found, *brackets])
        new = found[before:]
        if span(germ, found).rank == germ.ring.n:
            break
    return found


def span(germ: ControlGerm, fields: Sequence[Germ]) -> Closure:
    """Rank of the values at the point, with the singular values that decide it."""
    if not fields:
        return Closure(0, ())
    values = np.linalg.svd(germ.columns(list(fields)), compute_uv=False)
    found = int(np.sum(values > RANK_TOLERANCE * max(values[0], 1e-300)))
    return Closure(found, tuple(float(x) for x in values[: germ.ring.n]))


__all__ = [
    "DEPENDENT",
    "Closure",
    "Product",
    "independent",
    "involutive_closure",
    "span",
    "symmetric_products",
]
