"""Quadratic groups: the matrices that preserve a bilinear form, Y^T P Y = P."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ..errors import UsageError
from ..linalg import inverse, matmul
from .group import ELEMENT_TOLERANCE
from .matrices import atanh, structure_of
from .matrix_group import MatrixGroup

Rows = tuple[tuple[float, ...], ...]

# Number of square roots that `log` takes: tanh of |log g|/64 is then below 0.2, the limit of the
# series of `atanh`, for |log g| up to 13.
_ROOTS = 5
_TURNS = 12  # iterations for each square root


@dataclass(frozen=True)
class QuadraticGroup(MatrixGroup):
    """The identity component of {Y : Y^T P Y = P}; made by `Quadratic(P)`.

    The algebra is X = P^-1 S, S antisymmetric for a symmetric P and symmetric for an
    antisymmetric P. Its coordinates are the entries of S: of e_j e_i^T - e_i e_j^T, i < j, or of
    e_i e_j^T + e_j e_i^T (e_i e_i^T on the diagonal), i <= j, in lexicographic order; for P = 1
    those of SO(n). The group need not be compact: `cay` is not defined if hat(v) has the eigenvalue
    2, `log` not if g has eigenvalues on the negative axis, `cay_inv` not for the eigenvalue -1.
    """

    form: Rows
    label: str = ""

    def __repr__(self) -> str:
        return self.label or f"Quadratic({[list(row) for row in self.form]})"

    @property
    def n(self) -> int:
        """Size of the matrices."""
        return len(self.form)

    @property
    def matrix(self) -> np.ndarray:
        """The matrix P of the form."""
        return np.asarray(self.form)

    @property
    def order(self) -> int:
        return self.n

    @property
    def dim(self) -> int:
        return self.basis().shape[0]

    def basis(self) -> np.ndarray:
        return _basis(self.form)

    def structure(self) -> np.ndarray:
        return _structure(self.form)

    def inv(self, a: jax.Array) -> jax.Array:
        return self._star(a)

    def _star(self, a: jax.Array) -> jax.Array:
        """Return the adjoint with respect to the form, P^-1 a^T P: the inverse of an element."""
        return jnp.asarray(_inverse(self.form)) @ a.T @ jnp.asarray(self.matrix)

    def vee(self, X: jax.Array) -> jax.Array:
        return jnp.reshape(X, (self.n**2,)) @ _dual(self.form)

    def log(self, g: jax.Array) -> jax.Array:
        e = jnp.eye(self.n)
        for _ in range(_ROOTS):
            g = _square_root(g)
        # tanh of half the logarithm of g, here a root of the given element
        half = matmul(g - e, inverse(g + e))
        return 2.0 ** (_ROOTS + 1) * self.vee(atanh(half))

    def cay(self, v: jax.Array) -> jax.Array:
        e = jnp.eye(self.n)
        return 2.0 * inverse(e - 0.5 * self.hat(v)) - e

    def cay_inv(self, g: jax.Array) -> jax.Array:
        e = jnp.eye(self.n)
        return 2.0 * self.vee(matmul(g - e, inverse(g + e)))

    def Ad(self, g: jax.Array) -> jax.Array:
        return self._sandwich(g, self._star(g))

    def _sandwich(self, a: jax.Array, b: jax.Array) -> jax.Array:
        """Return the matrix of y -> a y b on coordinates."""
        basis = jnp.asarray(_basis(self.form)).reshape((self.dim, self.n, self.n))
        moved = jnp.einsum("ij,kjl,lm->kim", a, basis, b).reshape((self.dim, self.n**2))
        return (moved @ _dual(self.form)).T

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return inverse(self.dexp(v))

    def dcay(self, v: jax.Array) -> jax.Array:
        e, X = jnp.eye(self.n), 0.5 * self.hat(v)
        return self._sandwich(inverse(e - X), inverse(e + X))

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        e, X = jnp.eye(self.n), 0.5 * self.hat(v)
        return self._sandwich(e - X, e + X)

    def project(self, g: jax.Array) -> jax.Array:
        return jax.lax.fori_loop(0, 12, lambda _, x: self.polish(x), g)

    def polish(self, g: jax.Array) -> jax.Array:
        # a Newton-Schulz step for the polar factor with respect to P, which squares the distance
        # from the group
        e = jnp.eye(self.n)
        return matmul(g, 1.5 * e - 0.5 * matmul(self._star(g), g))

    def is_element(self, g: jax.Array, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        return (self._gap(g) <= tol) & (jnp.linalg.det(g) > 0)

    def _gap(self, g: jax.Array) -> jax.Array:
        """Return |Y^T P Y - P| relative to |Y|^2 |P|, the scale of round-off of a large element."""
        P = jnp.asarray(self.matrix)
        size = jnp.maximum(jnp.max(jnp.abs(g)), 1.0) ** 2 * np.max(np.abs(self.matrix))
        return jnp.max(jnp.abs(g.T @ P @ g - P)) / size

    def random(self, key: jax.Array) -> jax.Array:
        """Return the exponential of normally distributed coordinates.

        A group that is not compact has no normalized Haar measure.
        """
        return self.exp(0.5 * jax.random.normal(key, (self.dim,)))

    def _defect(self, q: np.ndarray) -> str:
        P = self.matrix
        size = max(float(np.max(np.abs(q))), 1.0) ** 2 * float(np.max(np.abs(P)))
        gap = float(np.max(np.abs(q.T @ P @ q - P))) / size
        if gap > ELEMENT_TOLERANCE:
            return (
                f"|Y^T P Y - P| = {gap:.1e} of |Y|^2 |P|, allowed is {ELEMENT_TOLERANCE:.0e}; use "
                f"{self!r}.project for an element near it"
            )
        if np.linalg.det(q) < 0:
            return "det Y = -1: not in the component of the identity"
        return ""


def _square_root(g: jax.Array) -> jax.Array:
    """Return the principal square root by the Denman-Beavers product iteration; NaN if none."""
    e = jnp.eye(g.shape[0])

    def turn(_: int, pair: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        M, X = pair
        N = inverse(M)
        return 0.5 * e + 0.25 * (M + N), 0.5 * matmul(X, e + N)

    M, X = jax.lax.fori_loop(0, _TURNS, turn, (g, g))
    return jnp.where(jnp.max(jnp.abs(M - e)) < 1e-10, X, jnp.nan)


@functools.cache
def _inverse(form: Rows) -> np.ndarray:
    return np.linalg.inv(np.asarray(form))


@functools.cache
def _basis(form: Rows) -> np.ndarray:
    """Return the basis matrices of the algebra, flattened to rows."""
    P = np.asarray(form)
    n, even = len(P), np.array_equal(P, P.T)
    made = []
    for i, j in zip(*np.triu_indices(n, 1 if even else 0)):
        S = np.zeros((n, n))
        S[j, i] = 1.0
        S[i, j] = -1.0 if even else 1.0
        made.append(_inverse(form) @ S)
    return np.asarray(made).reshape(len(made), n * n)


@functools.cache
def _dual(form: Rows) -> np.ndarray:
    """Return columns that map a flattened matrix of the algebra to its coordinates."""
    return np.linalg.pinv(_basis(form))


@functools.cache
def _structure(form: Rows) -> np.ndarray:
    return structure_of(_basis(form), _dual(form))


def Quadratic(P: ArrayLike | Sequence[Sequence[float]], label: str = "") -> QuadraticGroup:
    """Return the group Y^T P Y = P ([F15] appendix), P symmetric or antisymmetric and regular.

        Quadratic(np.diag([1, 1, -1]))    the Lorentz group SO(2, 1)
        SO(2, 1), Sp(4): `Lorentz(2, 1)`, `Sp(4)`

    Cayley's map is defined for every such group; it is the map of the sources.
    """
    matrix = np.asarray(P, dtype=float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise UsageError(f"Quadratic(P) needs a square matrix P, got shape {matrix.shape}")
    if not (np.array_equal(matrix, matrix.T) or np.array_equal(matrix, -matrix.T)):
        raise UsageError(
            "Quadratic(P) needs P symmetric or antisymmetric; for a general P take the group of "
            "its symmetric and that of its antisymmetric part: the matrices are in both"
        )
    if not np.all(np.isfinite(matrix)) or np.linalg.cond(matrix) > 1e12:
        raise UsageError("Quadratic(P) needs a regular matrix P")
    return QuadraticGroup(tuple(tuple(float(x) for x in row) for row in matrix), label)


def Lorentz(p: int, q: int) -> QuadraticGroup:
    """Return SO(p, q), the matrices that preserve the form with p plus, then q minus signs."""
    if p < 1 or q < 1:
        raise UsageError(f"Lorentz(p, q) needs p, q >= 1, got {p}, {q}; for q = 0 use SO(p)")
    return Quadratic(np.diag([1.0] * p + [-1.0] * q), f"Lorentz({p}, {q})")


def Sp(n: int) -> QuadraticGroup:
    """Return Sp(n), n even: matrices that preserve J = [[0, 1], [-1, 0]], blocks of size n/2."""
    if n < 2 or n % 2:
        raise UsageError(f"Sp(n) needs an even n >= 2, got {n}")
    half = np.eye(n // 2)
    zero = np.zeros_like(half)
    return Quadratic(np.block([[zero, half], [-half, zero]]), f"Sp({n})")
