"""Rigid motions: SE(2) and SE(3)."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import UsageError
from .functions import bernoulli, bernoulli_slope, dexp_cubic, dexp_inv_cubic, stumpff
from .group import ELEMENT_TOLERANCE, ArrayGroup, rotation_defect
from .matrices import cross
from .rotations import SO, SpecialOrthogonal


@dataclass(frozen=True)
class SpecialEuclidean(ArrayGroup):
    """SE(2) and SE(3) as homogeneous matrices [[R, t], [0, 1]]; made by `SE(n)`.

    Coordinates: (v, w) with the n translations v first, hat(v, w) = [[W, v], [0, 0]]. In both
    groups W^3 = -|w|^2 W, so one set of closed forms serves both.
    """

    n: int

    def __repr__(self) -> str:
        return f"SE({self.n})"

    @property
    def rotation(self) -> SpecialOrthogonal:
        """The group of the rotation part."""
        return SO(self.n)

    @property
    def dim(self) -> int:
        return self.n + self.rotation.dim

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.n + 1, self.n + 1)

    def identity(self) -> jax.Array:
        return jnp.asarray(np.eye(self.n + 1))  # a NumPy constant, so that nothing is compiled

    def mul(self, a: jax.Array, b: jax.Array) -> jax.Array:
        (R, t), (S, u) = self._split(a), self._split(b)
        return self._join(R @ S, R @ u + t)

    def inv(self, a: jax.Array) -> jax.Array:
        R, t = self._split(a)
        return self._join(R.T, -R.T @ t)

    def hat(self, v: jax.Array) -> jax.Array:
        W = self.rotation.hat(v[self.n :])
        upper = jnp.concatenate([W, v[: self.n, None]], axis=1)
        return jnp.concatenate([upper, jnp.zeros((1, self.n + 1))])

    def vee(self, X: jax.Array) -> jax.Array:
        W, v = self._split(X)
        return jnp.concatenate([v, self.rotation.vee(W)])

    def exp(self, v: jax.Array) -> jax.Array:
        v, w = v[: self.n], v[self.n :]
        return self._join(self.rotation.exp(w), dexp_cubic(self.rotation.hat(w), w @ w) @ v)

    def log(self, g: jax.Array) -> jax.Array:
        R, t = self._split(g)
        w = self.rotation.log(R)
        return jnp.concatenate([dexp_inv_cubic(self.rotation.hat(w), w @ w) @ t, w])

    def cay(self, v: jax.Array) -> jax.Array:
        v, w = v[: self.n], v[self.n :]
        R = self.rotation.cay(w)
        return self._join(R, 0.5 * (v + R @ v))  # (e - W/2)^-1 = (e + R)/2

    def cay_inv(self, g: jax.Array) -> jax.Array:
        R, t = self._split(g)
        w = self.rotation.cay_inv(R)
        return jnp.concatenate([t - 0.5 * self.rotation.hat(w) @ t, w])

    def Ad(self, g: jax.Array) -> jax.Array:
        R, t = self._split(g)
        A = self.rotation.Ad(R)
        return self._blocks(R, self._lever(t) @ A, A)

    def ad(self, v: jax.Array) -> jax.Array:
        v, w = v[: self.n], v[self.n :]
        return self._blocks(self.rotation.hat(w), self._lever(v), self.rotation.ad(w))

    def dexp(self, v: jax.Array) -> jax.Array:
        v, w = v[: self.n], v[self.n :]
        W, M, a = self.rotation.hat(w), self._lever(v), self.rotation.ad(w)
        _, _, c2, c3, c4, c5 = stumpff(w @ w)
        upper = c2 * M + c3 * (W @ M + M @ a)
        if self.n == 3:
            # SE(3) is SO(3) over the dual numbers w + eps v: the derivatives of c2 and c3 enter
            slope = (w @ v) * ((2.0 * c4 - c3) * W + (3.0 * c5 - c4) * (W @ W))
            upper = upper + slope
        return self._blocks(dexp_cubic(W, w @ w), upper, self.rotation.dexp(w))

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        v, w = v[: self.n], v[self.n :]
        W, M, a = self.rotation.hat(w), self._lever(v), self.rotation.ad(w)
        s = w @ w
        upper = -0.5 * M + bernoulli(s) * (W @ M + M @ a)
        if self.n == 3:
            upper = upper + 2.0 * (w @ v) * bernoulli_slope(s) * (W @ W)
        return self._blocks(dexp_inv_cubic(W, s), upper, self.rotation.dexp_inv(w))

    def dcay(self, v: jax.Array) -> jax.Array:
        v, w = v[: self.n], v[self.n :]
        A = 0.5 * (jnp.eye(self.n) + self.rotation.cay(w))
        return self._blocks(A, 0.5 * A @ self._lever(A.T @ v), self.rotation.dcay(w))

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        v, w = v[: self.n], v[self.n :]
        A = jnp.eye(self.n) - 0.5 * self.rotation.hat(w)
        return self._blocks(A, -0.5 * A @ self._lever(v), self.rotation.dcay_inv(w))

    def project(self, g: jax.Array) -> jax.Array:
        R, t = self._split(g)
        return self._join(self.rotation.project(R), t)

    def polish(self, g: jax.Array) -> jax.Array:
        R, t = self._split(g)
        return self._join(self.rotation.polish(R), t)

    def is_element(self, g: jax.Array, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        last = jnp.abs(g[-1] - self.identity()[-1])
        finite = jnp.all(jnp.isfinite(g))
        return self.rotation.is_element(self._split(g)[0], tol) & jnp.all(last <= tol) & finite

    def random(self, key: jax.Array) -> jax.Array:
        turn, shift = jax.random.split(key)
        return self._join(self.rotation.random(turn), jax.random.normal(shift, (self.n,)))

    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        m = self.n + 1
        return tuple(f"{prefix}g{i}{j}" for i in range(m) for j in range(m))

    def _defect(self, q: np.ndarray) -> str:
        last = np.eye(self.n + 1)[-1]
        if np.max(np.abs(q[-1] - last)) > ELEMENT_TOLERANCE:
            return f"the last row must be {last.tolist()}, got {q[-1].tolist()}"
        return rotation_defect(q[: self.n, : self.n], self)

    def _split(self, g: jax.Array) -> tuple[jax.Array, jax.Array]:
        return g[: self.n, : self.n], g[: self.n, self.n]

    def _join(self, R: jax.Array, t: jax.Array) -> jax.Array:
        last = np.eye(self.n + 1)[-1:]
        return jnp.concatenate([jnp.concatenate([R, t[:, None]], axis=1), last])

    def _lever(self, t: jax.Array) -> jax.Array:
        """Return the matrix of y -> -hat(y) t, the velocity of the point -t by a rotation y."""
        return cross(t) if self.n == 3 else jnp.stack([t[1], -t[0]])[:, None]

    def _blocks(self, a: jax.Array, b: jax.Array, c: jax.Array) -> jax.Array:
        lower = jnp.concatenate([jnp.zeros((c.shape[0], a.shape[1])), c], axis=1)
        return jnp.concatenate([jnp.concatenate([a, b], axis=1), lower])


def SE(n: int) -> SpecialEuclidean:
    """Return the group of rigid motions of the plane (n = 2) or of space (n = 3).

    Elements are homogeneous matrices.

    Coordinates: (v_x, v_y, w) and (v (3), w (3)).
    """
    if n not in (2, 3):
        raise UsageError(f"SE(n) needs n = 2 or n = 3, got {n!r}")
    return SpecialEuclidean(n)
