"""Rules for LAPACK's factorizations of small matrices: elimination, unrolled to scalars."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .constant_folding import FLAG, apply, number, operation
from .scalars import filled
from .tape import Scalar, Tape, Unsupported, known

_LARGEST = 8  # most rows of a matrix that is unrolled
# most rows of a sparse matrix: one with at most 3 entries per row, on average, not known to be zero
_SPARSE, _IN_A_ROW = 48, 3
_REAL = np.dtype(float)


class _Reals:
    """Arithmetic of doubles on scalars."""

    def __init__(self, tape: Tape) -> None:
        self.add, self.sub, self.mul, self.div, self.sqrt, self.abs, self.select = (
            operation(tape, name, _REAL)
            for name in ("add", "sub", "mul", "div", "sqrt", "abs", "select_n")
        )
        self.tape = tape

    def less(self, a: Scalar, b: Scalar) -> Scalar:
        return apply(self.tape, "lt", FLAG, a, b)


def _square(name: str, x: np.ndarray, largest: int = _LARGEST) -> int:
    n = x.shape[-1]
    if x.shape[-2] != n or n > largest:
        raise Unsupported(f"'{name}' of a matrix {x.shape[-2]} x {n}")
    return n


def _largest(x: np.ndarray) -> int:
    """Return how many rows a matrix may have, as sparse as x, to be factorized without pivoting."""
    entries = sum(not (known(y) and y == 0) for y in x.flat)
    return _SPARSE if entries * x.shape[-1] <= _IN_A_ROW * x.size else _LARGEST


def _each(x: np.ndarray) -> list[np.ndarray]:
    """Return x[..., :, :] as a flat list of matrices, all leading axes merged."""
    return list(x.reshape(math.prod(x.shape[:-2]), *x.shape[-2:]))


def cholesky(tape: Tape, eqn: Any, x: np.ndarray) -> list[np.ndarray]:
    """Return L with L L^T = x, by columns; NaN if x is not positive definite."""
    n, r = _square("cholesky", x, _largest(x)), _Reals(tape)
    zero = number(0, _REAL)
    result = []
    for a in _each(x):
        lower = filled((n, n), [zero] * (n * n))
        for j in range(n):
            d = a[j, j]
            for k in range(j):
                d = r.sub(d, r.mul(lower[j, k], lower[j, k]))
            lower[j, j] = r.sqrt(d)
            for i in range(j + 1, n):
                s = a[i, j]
                for k in range(j):
                    s = r.sub(s, r.mul(lower[i, k], lower[j, k]))
                lower[i, j] = r.div(s, lower[j, j])
        result.append(lower)
    return [filled(x.shape, (y for m in result for y in m.flat))]


def triangular_solve(tape: Tape, eqn: Any, a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """Return x with a x = b or x a = b, a triangular."""
    p, n, r = eqn.params, _square("triangular_solve", a, _largest(a)), _Reals(tape)
    if p.get("conjugate_a"):
        raise Unsupported("'triangular_solve' with a conjugate")
    result = []
    for m, rhs in zip(_each(a), _each(b)):
        lower = p["lower"]
        # x a = b is a^T x^T = b^T
        if p["left_side"] == bool(p["transpose_a"]):
            m, lower = m.T, not lower
        x = (rhs if p["left_side"] else rhs.T).copy()
        order = range(n) if lower else range(n - 1, -1, -1)
        for i in order:
            for c in range(x.shape[1]):
                s = x[i, c]
                for j in range(i) if lower else range(i + 1, n):
                    s = r.sub(s, r.mul(m[i, j], x[j, c]))
                x[i, c] = s if p["unit_diagonal"] else r.div(s, m[i, i])
        result.append(x if p["left_side"] else x.T)
    return [filled(b.shape, (y for m in result for y in m.flat))]


def lu(tape: Tape, eqn: Any, x: np.ndarray) -> list[np.ndarray]:
    """Return the factors in one matrix, the pivot rows, and the resulting permutation."""
    n, r = _square("lu", x), _Reals(tape)
    whole = eqn.outvars[1].aval.dtype
    choose = operation(tape, "select_n", whole)
    factors, pivots, orders = [], [], []
    for a in _each(x):
        rows = [list(row) for row in a]
        order: list[Scalar] = [number(i, whole) for i in range(n)]
        for j in range(n):
            # pivot: the row of the largest entry, the first of equal ones
            best, at = r.abs(rows[j][j]), number(j, whole)
            for i in range(j + 1, n):
                size = r.abs(rows[i][j])
                larger = r.less(best, size)
                best, at = r.select(larger, best, size), choose(larger, at, number(i, whole))
            pivots.append(at)
            for i in range(j + 1, n):
                here = apply(tape, "eq", FLAG, at, number(i, whole))
                for k in range(n):
                    p, q = rows[j][k], rows[i][k]
                    rows[j][k], rows[i][k] = r.select(here, p, q), r.select(here, q, p)
                p, q = order[j], order[i]
                order[j], order[i] = choose(here, p, q), choose(here, q, p)
            for i in range(j + 1, n):
                factor = r.div(rows[i][j], rows[j][j])
                rows[i][j] = factor
                for k in range(j + 1, n):
                    rows[i][k] = r.sub(rows[i][k], r.mul(factor, rows[j][k]))
        factors += [y for row in rows for y in row]
        orders += order
    shapes = [v.aval.shape for v in eqn.outvars]
    return [filled(s, iter(y)) for s, y in zip(shapes, (factors, pivots, orders))]


def permutation(tape: Tape, eqn: Any, pivots: np.ndarray) -> list[np.ndarray]:
    """Return the order of rows after the swaps."""
    aval = eqn.outvars[0].aval
    n, choose = aval.shape[-1], operation(tape, "select_n", aval.dtype)
    result: list[Scalar] = []
    for swaps in pivots.reshape(-1, pivots.shape[-1]):
        order: list[Scalar] = [number(i, aval.dtype) for i in range(n)]
        for j, at in enumerate(swaps):
            for i in range(j + 1, n):
                here = apply(tape, "eq", FLAG, at, number(i, at.dtype))
                p, q = order[j], order[i]
                order[j], order[i] = choose(here, p, q), choose(here, q, p)
        result += order
    return [filled(aval.shape, iter(result))]


RULES: dict[str, Callable[..., Any]] = {
    "cholesky": cholesky,
    "triangular_solve": triangular_solve,
    "lu": lu,
    "lu_pivots_to_permutation": permutation,
}
