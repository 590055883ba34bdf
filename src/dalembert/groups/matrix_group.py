"""Common base class of groups of square matrices."""

from __future__ import annotations

import abc

import jax
import jax.numpy as jnp
import numpy as np

from ..linalg import matmul
from .group import ArrayGroup
from .matrices import exp_and_dexp


class MatrixGroup(ArrayGroup):
    """A group of n x n matrices with a basis of its algebra; subclasses define the elements."""

    letter = "Y"  # letter in the names of the entries of an element

    @property
    @abc.abstractmethod
    def order(self) -> int:
        """Size n of the matrices."""

    @abc.abstractmethod
    def basis(self) -> np.ndarray:
        """Return the basis matrices of the algebra, flattened to rows; shape (dim, n^2)."""

    @abc.abstractmethod
    def structure(self) -> np.ndarray:
        """Return the matrices ad(basis vector), flattened to rows; shape (dim, dim^2)."""

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.order, self.order)

    def identity(self) -> jax.Array:
        return jnp.asarray(np.eye(self.order))  # a NumPy constant, so that nothing is compiled

    def mul(self, a: jax.Array, b: jax.Array) -> jax.Array:
        return matmul(a, b)

    def hat(self, v: jax.Array) -> jax.Array:
        return (v @ self.basis()).reshape(self.shape)

    def exp(self, v: jax.Array) -> jax.Array:
        return exp_and_dexp(self.hat(v))[0]

    def ad(self, v: jax.Array) -> jax.Array:
        return (v @ self.structure()).reshape((self.dim, self.dim))

    def dexp(self, v: jax.Array) -> jax.Array:
        return exp_and_dexp(self.ad(v))[1]

    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        n = self.order
        return tuple(f"{prefix}{self.letter}{i}{j}" for i in range(n) for j in range(n))
