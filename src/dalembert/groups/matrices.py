"""Small matrices as arithmetic that XLA fuses: products, power series, polar factors."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from ..linalg import matmul

# Loops have a fixed number of iterations: so they compile fast and can be differentiated backwards.


def exp_and_dexp(X: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the sums of X^j / j! and of X^j / (j+1)!, to round-off for |X| up to about 16.

    Uses the series for A = X/16, then doubles four times: dexp(2A) = (e + exp(A)) dexp(A) / 2.
    """
    e, A = jnp.eye(X.shape[0]), X / 16.0

    def horner(i: int, P: jax.Array) -> jax.Array:
        return e + matmul(A, P) / (18.0 - i)

    def double(_: int, pair: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        E, P = pair
        return matmul(E, E), 0.5 * (P + matmul(E, P))

    P = jax.lax.fori_loop(0, 17, horner, e)
    return jax.lax.fori_loop(0, 4, double, (e + matmul(A, P), P))


def atanh(X: jax.Array) -> jax.Array:
    """Return the sum of X^(2j+1) / (2j+1), to round-off for |X| up to 0.2."""
    e, X2 = jnp.eye(X.shape[0]), matmul(X, X)

    def horner(i: int, P: jax.Array) -> jax.Array:
        return e / (25.0 - 2.0 * i) + matmul(X2, P)

    return matmul(X, jax.lax.fori_loop(0, 13, horner, jnp.zeros_like(X)))


def newton_schulz(X: jax.Array, iterations: int) -> jax.Array:
    """Return the orthogonal polar factor; needs singular values in (0, sqrt(3))."""
    e = jnp.eye(X.shape[0])

    def body(_: int, X: jax.Array) -> jax.Array:
        return matmul(X, 1.5 * e - 0.5 * matmul(X.T, X))

    return body(0, X) if iterations == 1 else jax.lax.fori_loop(0, iterations, body, X)


def gram_defect(R: jax.Array) -> jax.Array:
    """Return |R^T R - e|, the largest entry."""
    return jnp.max(jnp.abs(matmul(R.T, R) - jnp.eye(R.shape[0])))


def cross(w: jax.Array) -> jax.Array:
    """Return the matrix of x -> w cross x."""
    return jnp.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def axial(X: jax.Array) -> jax.Array:
    """Return twice the vector of the antisymmetric part of X: of cross(w) it is 2 w."""
    return jnp.stack([X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1]])


def rotation_2d(c: jax.Array, s: jax.Array) -> jax.Array:
    """Return the rotation with cosine c and sine s."""
    return jnp.array([[c, -s], [s, c]])


def quaternion(R: jax.Array) -> jax.Array:
    """Return the unit quaternion (w, x, y, z) with w >= 0 of a rotation matrix."""
    a, b, c = R[0, 0], R[1, 1], R[2, 2]
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    # a row of 4 q q^T is a multiple of q: take the row with the largest diagonal entry (at least 1)
    rows = [
        [1.0 + a + b + c, x, y, z],
        [x, 1.0 + a - b - c, xy, xz],
        [y, xy, 1.0 - a + b - c, yz],
        [z, xz, yz, 1.0 - a - b + c],
    ]
    best, row = rows[0][0], rows[0]
    for i in (1, 2, 3):
        better = rows[i][i] > best
        best = jnp.where(better, rows[i][i], best)
        row = [jnp.where(better, new, old) for new, old in zip(rows[i], row, strict=True)]
    return jnp.stack(row) * (jnp.where(row[0] < 0.0, -0.5, 0.5) / jnp.sqrt(best))


def block_diagonal(blocks: Sequence[jax.Array]) -> jax.Array:
    """Return the matrix with these square blocks on its diagonal."""
    total = sum(b.shape[0] for b in blocks)
    rows, start = [], 0
    for b in blocks:
        k = b.shape[0]
        left, right = jnp.zeros((k, start)), jnp.zeros((k, total - start - k))
        rows.append(jnp.concatenate([left, b, right], axis=1))
        start += k
    return jnp.concatenate(rows) if rows else jnp.zeros((0, 0))


def concatenate(parts: Sequence[jax.Array]) -> jax.Array:
    """Concatenate vectors; unlike jnp.concatenate also an empty sequence, to an empty vector."""
    return jnp.concatenate(parts) if parts else jnp.zeros(0)


def cut(x: jax.Array, sizes: Sequence[int]) -> list[jax.Array]:
    """Cut x into consecutive pieces of these lengths."""
    ends = np.cumsum(sizes, dtype=int)
    return [x[end - k : end] for k, end in zip(sizes, ends, strict=True)]


def pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs i < j in lexicographic order, as two index arrays."""
    return np.triu_indices(n, 1)


@functools.cache
def so_basis(n: int) -> np.ndarray:
    """Return the basis matrices of SO(n), flattened to rows."""
    i, j = pairs(n)
    basis = np.zeros((len(i), n, n))
    k = np.arange(len(i))
    basis[k, j, i], basis[k, i, j] = 1.0, -1.0
    return basis.reshape(len(i), n * n)


@functools.cache
def so_structure(n: int) -> np.ndarray:
    """Return the matrices ad(basis vector) of SO(n), flattened to rows."""
    return structure_of(so_basis(n), 0.5 * so_basis(n).T)


def structure_of(basis: np.ndarray, dual: np.ndarray) -> np.ndarray:
    """Return the matrices ad(basis vector) from a basis given as rows.

    `dual` maps a matrix to its coordinates. Entries at the round-off of the largest are set to 0.
    """
    k, size = basis.shape
    n = round(size**0.5)
    matrices = basis.reshape(k, n, n)
    bracket = np.einsum("aij,bjk->abik", matrices, matrices)
    bracket = (bracket - np.swapaxes(bracket, 0, 1)).reshape(k, k, size)
    result = np.swapaxes(bracket @ dual, 1, 2).reshape(k, -1)
    small = 1e-14 * max(float(np.max(np.abs(result), initial=0.0)), 1.0)
    return np.where(np.abs(result) < small, 0.0, result)
