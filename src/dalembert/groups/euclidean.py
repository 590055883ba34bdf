"""R^n."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from .group import ELEMENT_TOLERANCE, ArrayGroup, check_order


@dataclass(frozen=True)
class Euclidean(ArrayGroup):
    """R^n with addition; n = 0 is the trivial group."""

    n: int

    def __post_init__(self) -> None:
        check_order("Euclidean", self.n, 0)

    def __repr__(self) -> str:
        return f"Euclidean({self.n})"

    @property
    def dim(self) -> int:
        return self.n

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.n,)

    def identity(self) -> jax.Array:
        return jnp.asarray(np.zeros(self.n))  # a NumPy constant, so that nothing is compiled

    def mul(self, a: jax.Array, b: jax.Array) -> jax.Array:
        return a + b

    def inv(self, a: jax.Array) -> jax.Array:
        return -a

    def hat(self, v: jax.Array) -> jax.Array:
        return v

    def vee(self, X: jax.Array) -> jax.Array:
        return X

    def exp(self, v: jax.Array) -> jax.Array:
        return v

    def log(self, g: jax.Array) -> jax.Array:
        return g

    def cay(self, v: jax.Array) -> jax.Array:
        return v

    def cay_inv(self, g: jax.Array) -> jax.Array:
        return g

    def Ad(self, g: jax.Array) -> jax.Array:
        return jnp.eye(self.n)

    def ad(self, v: jax.Array) -> jax.Array:
        return jnp.zeros((self.n, self.n))

    def dexp(self, v: jax.Array) -> jax.Array:
        return jnp.eye(self.n)

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return jnp.eye(self.n)

    def dcay(self, v: jax.Array) -> jax.Array:
        return jnp.eye(self.n)

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return jnp.eye(self.n)

    def project(self, g: jax.Array) -> jax.Array:
        return g

    def is_element(self, g: jax.Array, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        return jnp.all(jnp.isfinite(g))

    def random(self, key: jax.Array) -> jax.Array:
        return jax.random.normal(key, (self.n,))

    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        return tuple(f"{prefix}q{i}" for i in range(self.n))
