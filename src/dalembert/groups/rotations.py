"""Rotations: SO(n)."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.tracing import within_reach
from ..linalg import inverse, matmul
from .functions import atan_ratio, dexp_cubic, dexp_inv_cubic, stumpff
from .group import ELEMENT_TOLERANCE, check_order, rotation_defect
from .matrices import (
    atanh,
    axial,
    cross,
    gram_defect,
    newton_schulz,
    pairs,
    quaternion,
    rotation_2d,
    so_basis,
    so_structure,
)
from .matrix_group import MatrixGroup


@dataclass(frozen=True)
class SpecialOrthogonal(MatrixGroup):
    """SO(n) as n x n matrices, by formulas for any n; made by `SO(n)`.

    The coordinate of the pair (i, j), i < j in lexicographic order, multiplies
    e_j e_i^T - e_i e_j^T: it turns e_i towards e_j. `log` is accurate to 1e-12 for rotation angles
    below pi - 0.1; the error grows as 1/(pi - angle), up to NaN from about pi - 1e-5 on.
    """

    n: int
    letter = "R"

    def __repr__(self) -> str:
        return f"SO({self.n})"

    @property
    def order(self) -> int:
        return self.n

    @property
    def dim(self) -> int:
        return self.n * (self.n - 1) // 2

    def basis(self) -> np.ndarray:
        return so_basis(self.n)

    def structure(self) -> np.ndarray:
        return so_structure(self.n)

    def inv(self, a: jax.Array) -> jax.Array:
        return a.T

    def vee(self, X: jax.Array) -> jax.Array:
        i, j = pairs(self.n)
        return 0.5 * (X[j, i] - X[i, j])

    def log(self, g: jax.Array) -> jax.Array:
        # Three square roots bring every angle below pi/8. The root of a rotation is the polar
        # factor of (e + g)/2, whose singular values are the cosines of half the angles.
        e = jnp.eye(self.n)
        g = newton_schulz(0.5 * (e + g), 36)
        # close to a half turn the iteration has not converged: return NaN, not a wrong logarithm
        g = jnp.where(gram_defect(g) < within_reach(1e-12), g, jnp.nan)
        g = newton_schulz(0.5 * (e + g), 7)
        g = newton_schulz(0.5 * (e + g), 5)
        return 16.0 * self.vee(atanh(matmul(g - e, inverse(g + e, normal=True))))

    def cay(self, v: jax.Array) -> jax.Array:
        e = jnp.eye(self.n)
        return 2.0 * inverse(e - 0.5 * self.hat(v), normal=True) - e

    def cay_inv(self, g: jax.Array) -> jax.Array:
        return -4.0 * self.vee(inverse(g + jnp.eye(self.n), normal=True))

    def Ad(self, g: jax.Array) -> jax.Array:
        # hat(w) -> a hat(w) a^T in coordinates: the 2 x 2 minors of a
        i, j = pairs(self.n)
        rows_i, rows_j = g[i], g[j]
        return rows_i[:, i] * rows_j[:, j] - rows_j[:, i] * rows_i[:, j]

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return inverse(self.dexp(v), normal=True)

    def dcay(self, v: jax.Array) -> jax.Array:
        return self.Ad(inverse(jnp.eye(self.n) - 0.5 * self.hat(v), normal=True))

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return self.Ad(jnp.eye(self.n) - 0.5 * self.hat(v))

    def project(self, g: jax.Array) -> jax.Array:
        # scaled so that no singular value can exceed sqrt(3), the limit of the iteration
        return newton_schulz(g * jnp.sqrt(2.9 / jnp.sum(g * g)), 16)

    def polish(self, g: jax.Array) -> jax.Array:
        return newton_schulz(g, 1)  # squares the distance from the group

    def is_element(self, g: jax.Array, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        return (gram_defect(g) <= tol) & (jnp.linalg.det(g) > 0)

    def random(self, key: jax.Array) -> jax.Array:
        # QR of a Gaussian matrix, with signs that make it Haar distributed; then det is made 1
        q, r = jnp.linalg.qr(jax.random.normal(key, self.shape))
        q = q * jnp.sign(jnp.diagonal(r))[None, :]
        return q.at[:, 0].multiply(jnp.linalg.det(q))

    def _defect(self, q: np.ndarray) -> str:
        return rotation_defect(q, self)


@dataclass(frozen=True)
class _SO2(SpecialOrthogonal):
    """SO(2), hat(w) = [[0, -w], [w, 0]], in closed form."""

    n: int = 2

    __repr__ = SpecialOrthogonal.__repr__

    def hat(self, v: jax.Array) -> jax.Array:
        return jnp.array([[0.0, -v[0]], [v[0], 0.0]])

    def vee(self, X: jax.Array) -> jax.Array:
        return 0.5 * (X[1, 0] - X[0, 1])[None]

    def exp(self, v: jax.Array) -> jax.Array:
        return rotation_2d(jnp.cos(v[0]), jnp.sin(v[0]))

    def log(self, g: jax.Array) -> jax.Array:
        return jnp.arctan2(g[1, 0] - g[0, 1], g[0, 0] + g[1, 1])[None]

    def cay(self, v: jax.Array) -> jax.Array:
        s = v[0] * v[0]
        return rotation_2d((4.0 - s) / (4.0 + s), 4.0 * v[0] / (4.0 + s))

    def cay_inv(self, g: jax.Array) -> jax.Array:
        return (2.0 * (g[1, 0] - g[0, 1]) / (2.0 + g[0, 0] + g[1, 1]))[None]

    def Ad(self, g: jax.Array) -> jax.Array:
        return jnp.ones((1, 1))

    def ad(self, v: jax.Array) -> jax.Array:
        return jnp.zeros((1, 1))

    def dexp(self, v: jax.Array) -> jax.Array:
        return jnp.ones((1, 1))

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return jnp.ones((1, 1))

    def dcay(self, v: jax.Array) -> jax.Array:
        return (4.0 / (4.0 + v * v))[:, None]

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return (1.0 + 0.25 * v * v)[:, None]

    def project(self, g: jax.Array) -> jax.Array:
        c, s = g[0, 0] + g[1, 1], g[1, 0] - g[0, 1]
        r = jnp.sqrt(c * c + s * s)
        return rotation_2d(c / r, s / r)


@dataclass(frozen=True)
class _SO3(SpecialOrthogonal):
    """SO(3), hat(w) x = w cross x, in closed form; `log` holds up to and including angle pi."""

    n: int = 3

    __repr__ = SpecialOrthogonal.__repr__

    def hat(self, v: jax.Array) -> jax.Array:
        return cross(v)

    def vee(self, X: jax.Array) -> jax.Array:
        return 0.5 * axial(X)

    def exp(self, v: jax.Array) -> jax.Array:
        s = v @ v
        c0, c1, c2 = stumpff(s, 2)
        # e + c1 W + c2 W^2 with W^2 = w w^T - s e
        return c0 * jnp.eye(3) + c1 * cross(v) + c2 * jnp.outer(v, v)

    def log(self, g: jax.Array) -> jax.Array:
        # from the quaternion (cos(a/2), n sin(a/2)), |y| = tan(a/4): accurate also near pi
        q = quaternion(g)
        y = q[1:] / (1.0 + q[0])
        return 4.0 * atan_ratio(y @ y) * y

    def cay(self, v: jax.Array) -> jax.Array:
        s = v @ v
        w = cross(v)
        # [F15] appendix: e + 4/(4+s) (W + W^2/2)
        return ((4.0 - s) * jnp.eye(3) + 4.0 * w + 2.0 * jnp.outer(v, v)) * (1.0 / (4.0 + s))

    def cay_inv(self, g: jax.Array) -> jax.Array:
        return 2.0 * axial(g) / (1.0 + g[0, 0] + g[1, 1] + g[2, 2])

    def Ad(self, g: jax.Array) -> jax.Array:
        return g

    def ad(self, v: jax.Array) -> jax.Array:
        return cross(v)

    def dexp(self, v: jax.Array) -> jax.Array:
        return dexp_cubic(cross(v), v @ v)

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return dexp_inv_cubic(cross(v), v @ v)

    def dcay(self, v: jax.Array) -> jax.Array:
        return (4.0 * jnp.eye(3) + 2.0 * cross(v)) * (1.0 / (4.0 + v @ v))

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return jnp.eye(3) - 0.5 * cross(v) + 0.25 * jnp.outer(v, v)


def SO(n: int) -> SpecialOrthogonal:
    """Return the group of rotations of R^n, n >= 2; closed forms for n = 2 and n = 3.

    Coordinates: the angular velocity w with hat(w) x = w cross x for n = 3, otherwise one rate for
    each pair of axes (i, j), i < j, in lexicographic order, turning e_i towards e_j.
    """
    check_order("SO", n, 2)
    return {2: _SO2(), 3: _SO3()}.get(n) or SpecialOrthogonal(n)
