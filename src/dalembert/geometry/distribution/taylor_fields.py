"""Taylor expansions of fields: truncated polynomials in several variables, and their products.

Growth vectors (`growth_flag`) and all of `control` compute in this algebra. A function of n
variables is the vector of its Taylor coefficients at 0, the last axis of an array. Products,
inverses and derivatives are then sums over precomputed tables, without nested automatic
differentiation. The derivative of a function known to degree d is known to degree d - 1.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


class Algebra:
    """Polynomials in `n` variables of degree up to `order`; coefficients in order of degree."""

    def __init__(self, n: int, order: int) -> None:
        self.n, self.order = n, order
        self.exponents = [a for degree in range(order + 1) for a in _exponents(n, degree)]
        index = {a: i for i, a in enumerate(self.exponents)}
        self.size = len(self.exponents)
        self.degrees = np.array([sum(a) for a in self.exponents])
        upto = np.searchsorted(self.degrees, np.arange(order + 1), side="right")
        pairs = [
            (index[tuple(map(sum, zip(a, b)))], i, j)
            for i, a in enumerate(self.exponents)
            for j, b in enumerate(self.exponents[: upto[order - self.degrees[i]]])
        ]
        pairs.sort()
        into, self._left, self._right = (np.array(x) for x in zip(*pairs))
        self._starts = np.searchsorted(into, np.arange(self.size))
        # d/dx_b: the coefficient of x^a comes from that of x^(a + e_b), times a_b + 1
        self._raised = np.zeros((n, self.size), dtype=int)
        self._factors = np.zeros((n, self.size))
        for b, (i, a) in itertools.product(range(n), enumerate(self.exponents)):
            up = (*a[:b], a[b] + 1, *a[b + 1 :])
            if up in index:
                self._raised[b, i], self._factors[b, i] = index[up], up[b]

    def constant(self, value: np.ndarray) -> np.ndarray:
        """Return the constant polynomial with this value."""
        out = np.zeros((*np.shape(value), self.size))
        out[..., 0] = value
        return out

    def multiply(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the entrywise product; axes before the last are broadcast."""
        return self.gathered(a[..., self._left] * b[..., self._right])

    def matmul(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return a[..., i, j] b[j] or a[..., i, j] b[j, k], a product of polynomial matrices."""
        left, right = self.pairs(a, b)
        letters = "...ijp,jp->...ip" if b.ndim == 2 else "...ijp,jkp->...ikp"
        return self.gathered(np.einsum(letters, left, right))

    def inverse(self, a: np.ndarray) -> np.ndarray:
        """Return the inverse of a square matrix of polynomials, by Newton's iteration."""
        x = self.constant(np.linalg.inv(a[..., 0]))
        two = self.constant(2.0 * np.eye(a.shape[0]))
        for _ in range(math.ceil(math.log2(self.order + 1))):
            x = self.matmul(x, two - self.matmul(a, x))
        return x

    def derivative(self, a: np.ndarray) -> np.ndarray:
        """Return all partial derivatives, as a new axis before the last."""
        return a[..., self._raised] * self._factors

    def along(self, Y: np.ndarray, X: np.ndarray) -> np.ndarray:
        """Return DY.X of two vector fields [component, monomial], up to degree `order` - 1.

        The result has fewer coefficients: those of `algebra(n, order - 1)`.
        """
        less = algebra(self.n, self.order - 1)
        return less.matmul(self.derivative(Y)[..., : less.size], X[..., : less.size])

    def from_derivatives(self, tensors: Sequence[np.ndarray]) -> np.ndarray:
        """Return the coefficients of a function from its derivatives at 0, one array per order.

        The array of order k has the axes of the function, then k axes of length n. In contrast to
        `expansion`, coefficients that vanish are exactly zero; but the arrays grow like n^k.
        """
        out = []
        for a in self.exponents:
            index = [b for b, count in enumerate(a) for _ in range(count)]
            out.append(tensors[sum(a)][(..., *index)] / math.prod(map(math.factorial, a)))
        return np.stack(out, axis=-1)

    def known(self, depth: int) -> np.ndarray:
        """Return a mask of the coefficients that are exact after differentiating `depth` times."""
        return self.degrees <= self.order - depth

    def pairs(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the coefficients of a and b in pairs; `gathered` sums their products to a b."""
        return a[..., self._left], b[..., self._right]

    def gathered(self, terms: np.ndarray) -> np.ndarray:
        """Return the coefficients of a b from the product of the arrays that `pairs` returns."""
        return np.add.reduceat(terms, self._starts, axis=-1)


@functools.lru_cache(maxsize=16)
def algebra(n: int, order: int) -> Algebra:
    """Return the cached algebra."""
    return Algebra(n, order)


def expansion(f: Callable[[jax.Array], Any], n: int, order: int) -> Any:
    """Return the Taylor coefficients at 0 of every array that f returns; call it under jit.

    They are fitted to one-variable expansions along straight lines. The directions are random,
    twice as many as there are coefficients of the highest degree.
    """
    ring = algebra(n, order)
    top = int(np.sum(ring.degrees == order))
    count = 1 if n == 1 else 2 * top + 2
    directions = np.random.default_rng(0).normal(size=(count, n))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)

    def along(direction: jax.Array) -> list[Any]:
        # each pass appends the derivative of the last entry
        lists: Callable[[jax.Array], list[Any]] = lambda s: [f(s * direction)]  # noqa: E731
        for _ in range(order):
            lists = _extended(lists)
        return lists(jnp.zeros(()))

    values = jax.vmap(along)(jnp.asarray(directions))  # order k -> tree of (directions, ...)
    powers = np.array([[np.prod(d ** np.array(a)) for a in ring.exponents] for d in directions])
    parts = []
    for k, tree in enumerate(values):
        solver = jnp.asarray(np.linalg.pinv(powers[:, ring.degrees == k]) / math.factorial(k))
        parts.append(jax.tree.map(lambda x, s=solver: jnp.tensordot(x, s, axes=(0, 1)), tree))
    return jax.tree.map(lambda *x: jnp.concatenate(x, axis=-1), *parts)


def _extended(lists: Callable[[jax.Array], list[Any]]) -> Callable[[jax.Array], list[Any]]:
    def more(s: jax.Array) -> list[Any]:
        now, rate = jax.jvp(lists, (s,), (jnp.ones(()),))
        return [*now, rate[-1]]

    return more


def _exponents(n: int, degree: int) -> list[tuple[int, ...]]:
    if n == 1:
        return [(degree,)]
    return [(k, *rest) for k in range(degree, -1, -1) for rest in _exponents(n - 1, degree - k)]


__all__ = ["Algebra", "algebra", "expansion"]
