"""Lie groups as configuration spaces: R^n, SO(n), SE(2), SE(3) and products of these.

An element is an array ((n,) for R^n, a square matrix for SO and SE) or a tuple of elements for a
product; an algebra element is always one flat vector of length `dim`. With tau either `exp` or

    cay(x) = (e - x/2)^-1 (e + x/2)

the tangent dtau is right-trivialised, d/dt tau(x) = hat(dtau_x x') tau(x); the left-trivialised one
is dtau_{-x} ([F15] Definition 9.1 and Lemma 9.5). Every function takes one element; batch with
`jax.vmap`. All are smooth through v = 0 and g = e, to round-off, with their first two derivatives.

Limits: `log` returns the principal value, unique for rotation angles below pi; `cay_inv` has no
value at angle pi; `dexp_inv` has none at angle 2 pi.
"""

from __future__ import annotations

import abc
import functools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from .errors import UsageError
from .linalg import solve_spd

Element = Any  # an array, or a tuple of elements for a product

ELEMENT_TOLERANCE = 1e-9  # of `check` and `is_element`, on |R^T R - I|
_FUSE_LIMIT = 12  # rows up to which `_matmul` writes a product as a sum, measured on one core


class Group(abc.ABC):
    """A Lie group with both retractions, their trivialised tangents, and a check of its elements.

    Static and hashable: equal groups share one compilation. `Ad`, `ad` and the four tangents return
    (dim, dim) matrices that act on flat algebra vectors.
    """

    @property
    @abc.abstractmethod
    def dim(self) -> int:
        """Dimension of the group and its algebra."""

    @property
    @abc.abstractmethod
    def size(self) -> int:
        """Number of entries of an element, the length of `flatten(g)`."""

    @abc.abstractmethod
    def identity(self) -> Element:
        """The neutral element e."""

    @abc.abstractmethod
    def mul(self, a: Element, b: Element) -> Element:
        """The product a b."""

    @abc.abstractmethod
    def inv(self, a: Element) -> Element:
        """The inverse of a."""

    @abc.abstractmethod
    def hat(self, v: jax.Array) -> Element:
        """The algebra element with coordinates v: a matrix; v itself on R^n."""

    @abc.abstractmethod
    def vee(self, X: Element) -> jax.Array:
        """The coordinates of an algebra element, the inverse of `hat`."""

    @abc.abstractmethod
    def exp(self, v: jax.Array) -> Element:
        """The exponential of hat(v)."""

    @abc.abstractmethod
    def log(self, g: Element) -> jax.Array:
        """The inverse of `exp` with rotation angles up to pi."""

    @abc.abstractmethod
    def cay(self, v: jax.Array) -> Element:
        """The Cayley map (e - x/2)^-1 (e + x/2) of x = hat(v); the translation by v on R^n."""

    @abc.abstractmethod
    def cay_inv(self, g: Element) -> jax.Array:
        """The inverse of `cay`, for rotation angles below pi."""

    @abc.abstractmethod
    def Ad(self, g: Element) -> jax.Array:
        """Adjoint action: hat(Ad(g) w) = g hat(w) g^-1. Ad* of the sources is its transpose."""

    @abc.abstractmethod
    def ad(self, v: jax.Array) -> jax.Array:
        """Bracket: ad(v) w = [v, w]."""

    @abc.abstractmethod
    def dexp(self, v: jax.Array) -> jax.Array:
        """Right-trivialised tangent of `exp`, the sum of ad^j / (j+1)!."""

    @abc.abstractmethod
    def dexp_inv(self, v: jax.Array) -> jax.Array:
        """Inverse of `dexp(v)`, the sum of B_j ad^j / j! with B_1 = -1/2."""

    @abc.abstractmethod
    def dcay(self, v: jax.Array) -> jax.Array:
        """Right-trivialised tangent of `cay`: y -> (e - x/2)^-1 y (e + x/2)^-1."""

    @abc.abstractmethod
    def dcay_inv(self, v: jax.Array) -> jax.Array:
        """Inverse of `dcay(v)`: y -> (e - x/2) y (e + x/2)."""

    @abc.abstractmethod
    def project(self, g: Element) -> Element:
        """The nearest element (polar factor of the rotation part): removes round-off.

        Meant for a g not far from the group; the rotation part needs a positive determinant.
        """

    @abc.abstractmethod
    def is_element(self, g: Element, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        """Whether g is finite and in the group to within `tol`, as a boolean array."""

    @abc.abstractmethod
    def random(self, key: jax.Array) -> Element:
        """A random element: Haar measure on rotations, standard normal on translations."""

    @abc.abstractmethod
    def flatten(self, g: Element) -> jax.Array:
        """All entries of an element as one vector of length `size`."""

    @abc.abstractmethod
    def unflatten(self, x: jax.Array) -> Element:
        """The element with these entries, the inverse of `flatten`."""

    @abc.abstractmethod
    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        """A name for each entry of `flatten(g)`."""

    @abc.abstractmethod
    def check(self, q: Any, name: str = "q") -> Element:
        """The element as double arrays; raises `UsageError` if it has not the right form.

        Values under a JAX transformation cannot be looked at: then only shapes are checked.
        """


class _ArrayGroup(Group):
    """A group whose elements are single arrays of one shape."""

    @property
    @abc.abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Shape of the array that an element is."""

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def flatten(self, g: jax.Array) -> jax.Array:
        return jnp.reshape(g, (self.size,))

    def unflatten(self, x: jax.Array) -> jax.Array:
        return jnp.reshape(x, self.shape)

    def check(self, q: Any, name: str = "q") -> jax.Array:
        array = _as_array(self, q, name)
        if isinstance(array, Tracer):
            return array
        values = np.asarray(array)
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            where = tuple(int(i) for i in bad[0])
            raise UsageError(f"{name}: entries must be finite, got {values[where]} at {where}")
        problem = self._defect(values)
        if problem:
            raise UsageError(f"{name} is no element of {self!r}: {problem}")
        return array

    def _defect(self, q: np.ndarray) -> str:
        """What is wrong with a finite array of the right shape; empty if nothing is."""
        return ""


# -- R^n -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Euclidean(_ArrayGroup):
    """R^n with addition; n = 0 is the trivial group."""

    n: int

    def __post_init__(self) -> None:
        _check_order("Euclidean", self.n, 0)

    def __repr__(self) -> str:
        return f"Euclidean({self.n})"

    @property
    def dim(self) -> int:
        return self.n

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.n,)

    def identity(self) -> jax.Array:
        return jnp.zeros(self.n)

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


# -- rotations -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class SpecialOrthogonal(_ArrayGroup):
    """SO(n) as n x n matrices, by formulas for any n; made by `SO(n)`.

    The coordinate of the pair (i, j), i < j in lexicographic order, multiplies
    e_j e_i^T - e_i e_j^T: it turns e_i towards e_j. `log` is accurate to 1e-12 for rotation angles
    below pi - 0.1; the error grows as 1/(pi - angle), up to NaN from about pi - 1e-5 on.
    """

    n: int

    def __repr__(self) -> str:
        return f"SO({self.n})"

    @property
    def dim(self) -> int:
        return self.n * (self.n - 1) // 2

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.n, self.n)

    def identity(self) -> jax.Array:
        return jnp.eye(self.n)

    def mul(self, a: jax.Array, b: jax.Array) -> jax.Array:
        return _matmul(a, b)

    def inv(self, a: jax.Array) -> jax.Array:
        return a.T

    def hat(self, v: jax.Array) -> jax.Array:
        return (v @ _so_basis(self.n)).reshape(self.shape)

    def vee(self, X: jax.Array) -> jax.Array:
        i, j = _pairs(self.n)
        return 0.5 * (X[j, i] - X[i, j])

    def exp(self, v: jax.Array) -> jax.Array:
        return _exp_and_dexp(self.hat(v))[0]

    def log(self, g: jax.Array) -> jax.Array:
        # Three square roots bring every angle below pi/8. The root of a rotation is the polar
        # factor of (e + g)/2, whose singular values are the cosines of half the angles.
        e = jnp.eye(self.n)
        g = _newton_schulz(0.5 * (e + g), 36)
        # too near a half turn this has not converged: NaN rather than a wrong angle
        g = jnp.where(_gram_defect(g) < 1e-12, g, jnp.nan)
        g = _newton_schulz(0.5 * (e + g), 7)
        g = _newton_schulz(0.5 * (e + g), 5)
        return 16.0 * self.vee(_atanh(_matmul(g - e, _inverse(g + e))))

    def cay(self, v: jax.Array) -> jax.Array:
        e = jnp.eye(self.n)
        return 2.0 * _inverse(e - 0.5 * self.hat(v)) - e

    def cay_inv(self, g: jax.Array) -> jax.Array:
        return -4.0 * self.vee(_inverse(g + jnp.eye(self.n)))

    def Ad(self, g: jax.Array) -> jax.Array:
        # hat(w) -> a hat(w) a^T in coordinates: the 2 x 2 minors of a
        i, j = _pairs(self.n)
        rows_i, rows_j = g[i], g[j]
        return rows_i[:, i] * rows_j[:, j] - rows_j[:, i] * rows_i[:, j]

    def ad(self, v: jax.Array) -> jax.Array:
        return (v @ _so_structure(self.n)).reshape((self.dim, self.dim))

    def dexp(self, v: jax.Array) -> jax.Array:
        return _exp_and_dexp(self.ad(v))[1]

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return _inverse(self.dexp(v))

    def dcay(self, v: jax.Array) -> jax.Array:
        return self.Ad(_inverse(jnp.eye(self.n) - 0.5 * self.hat(v)))

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return self.Ad(jnp.eye(self.n) - 0.5 * self.hat(v))

    def project(self, g: jax.Array) -> jax.Array:
        # scaled so that no singular value can exceed sqrt(3), the limit of the iteration
        return _newton_schulz(g * jnp.sqrt(2.9 / jnp.sum(g * g)), 16)

    def is_element(self, g: jax.Array, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        return (_gram_defect(g) <= tol) & (jnp.linalg.det(g) > 0)

    def random(self, key: jax.Array) -> jax.Array:
        # QR of a Gaussian matrix, with the signs that make it Haar distributed, and det = 1
        q, r = jnp.linalg.qr(jax.random.normal(key, self.shape))
        q = q * jnp.sign(jnp.diagonal(r))[None, :]
        return q.at[:, 0].multiply(jnp.linalg.det(q))

    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        return tuple(f"{prefix}R{i}{j}" for i in range(self.n) for j in range(self.n))

    def _defect(self, q: np.ndarray) -> str:
        return _rotation_defect(q, self)


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
        return _rotation_2d(jnp.cos(v[0]), jnp.sin(v[0]))

    def log(self, g: jax.Array) -> jax.Array:
        return jnp.arctan2(g[1, 0] - g[0, 1], g[0, 0] + g[1, 1])[None]

    def cay(self, v: jax.Array) -> jax.Array:
        s = v[0] * v[0]
        return _rotation_2d((4.0 - s) / (4.0 + s), 4.0 * v[0] / (4.0 + s))

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
        return _rotation_2d(c / r, s / r)


@dataclass(frozen=True)
class _SO3(SpecialOrthogonal):
    """SO(3), hat(w) x = w cross x, in closed form; `log` holds up to and including angle pi."""

    n: int = 3

    __repr__ = SpecialOrthogonal.__repr__

    def hat(self, v: jax.Array) -> jax.Array:
        return _cross(v)

    def vee(self, X: jax.Array) -> jax.Array:
        return 0.5 * _axial(X)

    def exp(self, v: jax.Array) -> jax.Array:
        s = v @ v
        c0, c1, c2 = stumpff(s, 2)
        # e + c1 W + c2 W^2 with W^2 = w w^T - s e
        return c0 * jnp.eye(3) + c1 * _cross(v) + c2 * jnp.outer(v, v)

    def log(self, g: jax.Array) -> jax.Array:
        # the quaternion (cos(a/2), n sin(a/2)), then |y| = tan(a/4): no digits are lost near pi
        q = _quaternion(g)
        y = q[1:] / (1.0 + q[0])
        return 4.0 * _atan_ratio(y @ y) * y

    def cay(self, v: jax.Array) -> jax.Array:
        s = v @ v
        w = _cross(v)
        # [F15] appendix: e + 4/(4+s) (W + W^2/2)
        return ((4.0 - s) * jnp.eye(3) + 4.0 * w + 2.0 * jnp.outer(v, v)) / (4.0 + s)

    def cay_inv(self, g: jax.Array) -> jax.Array:
        return 2.0 * _axial(g) / (1.0 + g[0, 0] + g[1, 1] + g[2, 2])

    def Ad(self, g: jax.Array) -> jax.Array:
        return g

    def ad(self, v: jax.Array) -> jax.Array:
        return _cross(v)

    def dexp(self, v: jax.Array) -> jax.Array:
        return _dexp_cubic(_cross(v), v @ v)

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return _dexp_inv_cubic(_cross(v), v @ v)

    def dcay(self, v: jax.Array) -> jax.Array:
        return (4.0 * jnp.eye(3) + 2.0 * _cross(v)) / (4.0 + v @ v)

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return jnp.eye(3) - 0.5 * _cross(v) + 0.25 * jnp.outer(v, v)


def SO(n: int) -> SpecialOrthogonal:
    """The rotations of R^n, n >= 2; closed forms for n = 2 and n = 3.

    Coordinates: the angular velocity w with hat(w) x = w cross x for n = 3, otherwise one number
    for each pair of axes (i, j), i < j, in lexicographic order, turning e_i towards e_j.
    """
    _check_order("SO", n, 2)
    return {2: _SO2(), 3: _SO3()}.get(n) or SpecialOrthogonal(n)


# -- rigid motions -------------------------------------------------------------------------------


@dataclass(frozen=True)
class SpecialEuclidean(_ArrayGroup):
    """SE(2) and SE(3) as homogeneous matrices [[R, t], [0, 1]]; made by `SE(n)`.

    Coordinates: (v, w) with the n numbers of the translation first, hat(v, w) = [[W, v], [0, 0]].
    Both W satisfy W^3 = -|w|^2 W, so one set of closed forms serves both.
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
        return jnp.eye(self.n + 1)

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
        return self._join(self.rotation.exp(w), _dexp_cubic(self.rotation.hat(w), w @ w) @ v)

    def log(self, g: jax.Array) -> jax.Array:
        R, t = self._split(g)
        w = self.rotation.log(R)
        return jnp.concatenate([_dexp_inv_cubic(self.rotation.hat(w), w @ w) @ t, w])

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
        return self._blocks(_dexp_cubic(W, w @ w), upper, self.rotation.dexp(w))

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        v, w = v[: self.n], v[self.n :]
        W, M, a = self.rotation.hat(w), self._lever(v), self.rotation.ad(w)
        s = w @ w
        upper = -0.5 * M + _bernoulli(s) * (W @ M + M @ a)
        if self.n == 3:
            upper = upper + 2.0 * (w @ v) * _bernoulli_slope(s) * (W @ W)
        return self._blocks(_dexp_inv_cubic(W, s), upper, self.rotation.dexp_inv(w))

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
        return _rotation_defect(q[: self.n, : self.n], self)

    def _split(self, g: jax.Array) -> tuple[jax.Array, jax.Array]:
        return g[: self.n, : self.n], g[: self.n, self.n]

    def _join(self, R: jax.Array, t: jax.Array) -> jax.Array:
        last = np.eye(self.n + 1)[-1:]
        return jnp.concatenate([jnp.concatenate([R, t[:, None]], axis=1), last])

    def _lever(self, t: jax.Array) -> jax.Array:
        """The matrix of y -> -hat(y) t, the velocity that a rotation gives to the point -t."""
        return _cross(t) if self.n == 3 else jnp.stack([t[1], -t[0]])[:, None]

    def _blocks(self, a: jax.Array, b: jax.Array, c: jax.Array) -> jax.Array:
        lower = jnp.concatenate([jnp.zeros((c.shape[0], a.shape[1])), c], axis=1)
        return jnp.concatenate([jnp.concatenate([a, b], axis=1), lower])


def SE(n: int) -> SpecialEuclidean:
    """The rigid motions of the plane (n = 2) or of space (n = 3), as homogeneous matrices.

    Coordinates: (v_x, v_y, w) and (v (3), w (3)).
    """
    if n not in (2, 3):
        raise UsageError(f"SE(n) needs n = 2 or n = 3, got {n!r}")
    return SpecialEuclidean(n)


# -- products ------------------------------------------------------------------------------------


@dataclass(frozen=True, init=False)
class Product(Group):
    """The direct product G1 x G2 x ...: elements are tuples, algebra vectors are concatenated."""

    factors: tuple[Group, ...]

    def __init__(self, *factors: Group) -> None:
        for factor in factors:
            if not isinstance(factor, Group):
                raise UsageError(f"Product takes groups, e.g. Euclidean(2), SO(3); got {factor!r}")
        object.__setattr__(self, "factors", factors)

    def __repr__(self) -> str:
        return f"Product({', '.join(map(repr, self.factors))})"

    @property
    def dim(self) -> int:
        return sum(G.dim for G in self.factors)

    @property
    def size(self) -> int:
        return sum(G.size for G in self.factors)

    def identity(self) -> tuple[Element, ...]:
        return tuple(G.identity() for G in self.factors)

    def mul(self, a: Element, b: Element) -> tuple[Element, ...]:
        return self._map("mul", a, b)

    def inv(self, a: Element) -> tuple[Element, ...]:
        return self._map("inv", a)

    def hat(self, v: jax.Array) -> tuple[Element, ...]:
        return self._map("hat", self._parts(v))

    def vee(self, X: Element) -> jax.Array:
        return _concatenate(self._map("vee", X))

    def exp(self, v: jax.Array) -> tuple[Element, ...]:
        return self._map("exp", self._parts(v))

    def log(self, g: Element) -> jax.Array:
        return _concatenate(self._map("log", g))

    def cay(self, v: jax.Array) -> tuple[Element, ...]:
        return self._map("cay", self._parts(v))

    def cay_inv(self, g: Element) -> jax.Array:
        return _concatenate(self._map("cay_inv", g))

    def Ad(self, g: Element) -> jax.Array:
        return _block_diagonal(self._map("Ad", g))

    def ad(self, v: jax.Array) -> jax.Array:
        return _block_diagonal(self._map("ad", self._parts(v)))

    def dexp(self, v: jax.Array) -> jax.Array:
        return _block_diagonal(self._map("dexp", self._parts(v)))

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return _block_diagonal(self._map("dexp_inv", self._parts(v)))

    def dcay(self, v: jax.Array) -> jax.Array:
        return _block_diagonal(self._map("dcay", self._parts(v)))

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return _block_diagonal(self._map("dcay_inv", self._parts(v)))

    def project(self, g: Element) -> tuple[Element, ...]:
        return self._map("project", g)

    def is_element(self, g: Element, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        inside = [G.is_element(x, tol) for G, x in zip(self.factors, g, strict=True)]
        return functools.reduce(operator.and_, inside, jnp.array(True))

    def random(self, key: jax.Array) -> tuple[Element, ...]:
        return self._map("random", [jax.random.fold_in(key, i) for i in range(len(self.factors))])

    def flatten(self, g: Element) -> jax.Array:
        return _concatenate(self._map("flatten", g))

    def unflatten(self, x: jax.Array) -> tuple[Element, ...]:
        return self._map("unflatten", _cut(x, [G.size for G in self.factors]))

    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        """Names of the factors' entries, with the factor's number where two would be the same."""
        plain = [name for G in self.factors for name in G.element_names(prefix)]
        if len(set(plain)) == len(plain):
            return tuple(plain)
        numbered = (G.element_names(f"{prefix}{i}_") for i, G in enumerate(self.factors))
        return tuple(name for names in numbered for name in names)

    def check(self, q: Any, name: str = "q") -> tuple[Element, ...]:
        if not isinstance(q, Sequence) or isinstance(q, str) or len(q) != len(self.factors):
            raise UsageError(
                f"{name}: an element of {self!r} is a tuple of {len(self.factors)} elements, "
                f"one for each factor; got {_describe(q)}"
            )
        each = zip(self.factors, q, strict=True)
        return tuple(G.check(x, f"{name}[{i}]") for i, (G, x) in enumerate(each))

    def _map(self, method: str, *args: Sequence[Any]) -> tuple[Any, ...]:
        each = zip(self.factors, *args, strict=True)
        return tuple(getattr(G, method)(*xs) for G, *xs in each)

    def _parts(self, v: jax.Array) -> list[jax.Array]:
        return _cut(v, [G.dim for G in self.factors])


# -- functions of the squared angle --------------------------------------------------------------

_SERIES_TERMS = 12


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def stumpff(s: jax.Array, last: int = 5) -> tuple[jax.Array, ...]:
    """c_k(s), k = 0..last, with c_k = sum of (-s)^j / (2j+k)!; s is the squared angle a^2.

    c0 = cos a, c1 = sin(a)/a, c2 = (1 - cos a)/a^2, and c_k = 1/k! - s c_{k+2}.
    """
    # Below s = 4 by series, where the closed forms cancel; above by the closed forms. Each branch
    # gets an argument of its own range, so that the one not taken stays finite.
    small = s < 4.0
    x = jnp.where(small, s, 0.0)
    near = [x] * (last + 1)
    for k in (last, last - 1):
        signed = [(-1) ** j / math.factorial(2 * j + k) for j in range(_SERIES_TERMS)]
        near[k] = _horner(signed, x)
    for k in reversed(range(last - 1)):
        near[k] = 1.0 / math.factorial(k) - x * near[k + 2]
    y = jnp.where(small, 4.0, s)
    a = jnp.sqrt(y)
    far = [jnp.cos(a), jnp.sin(a) / a]
    for k in range(last - 1):
        far.append((1.0 / math.factorial(k) - far[k]) / y)
    return tuple(jnp.where(small, c, d) for c, d in zip(near, far, strict=True))


@stumpff.defjvp
def _stumpff_jvp(last: int, primals: Any, tangents: Any) -> tuple[Any, Any]:
    # The derivatives are members of the family, dc_k/ds = (k c_{k+2} - c_{k+1})/2: differentiating
    # the series term by term would make three times as much code for a second derivative.
    (s,), (ds,) = primals, tangents
    c = stumpff(s, last + 2)
    slopes = tuple(0.5 * (k * c[k + 2] - c[k + 1]) * ds for k in range(last + 1))
    return c[: last + 1], slopes


def _bernoulli(s: jax.Array) -> jax.Array:
    """(1 - (a/2) cot(a/2)) / a^2 with a^2 = s, the even part of the series of dexp_inv."""
    _, _, c2, c3, c4 = stumpff(s, 4)
    return (c3 - 2.0 * c4) / (2.0 * c2)


def _bernoulli_slope(s: jax.Array) -> jax.Array:
    return jax.jvp(_bernoulli, (s,), (jnp.ones_like(s),))[1]


def _dexp_cubic(X: jax.Array, s: jax.Array) -> jax.Array:
    """Sum of X^j / (j+1)! for a matrix with X^3 = -s X."""
    _, _, c2, c3 = stumpff(s, 3)
    return jnp.eye(X.shape[0]) + c2 * X + c3 * (X @ X)


def _dexp_inv_cubic(X: jax.Array, s: jax.Array) -> jax.Array:
    return jnp.eye(X.shape[0]) - 0.5 * X + _bernoulli(s) * (X @ X)


def _atan_ratio(u: jax.Array) -> jax.Array:
    """atan(y)/y for y^2 = u, by series for small u, as in `stumpff`."""
    small = u < 0.06
    signed = [(-1) ** j / (2 * j + 1) for j in range(_SERIES_TERMS + 1)]
    series = _horner(signed, jnp.where(small, u, 0.0))
    y = jnp.sqrt(jnp.where(small, 1.0, u))
    return jnp.where(small, series, jnp.arctan(y) / y)


def _horner(coefficients: Sequence[float], x: jax.Array) -> jax.Array:
    value = jnp.full_like(x, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        value = c + x * value
    return value


# -- matrices of any size ------------------------------------------------------------------------
# Loops of a fixed number of turns: they compile fast, and reverse mode goes through them.


def _matmul(a: jax.Array, b: jax.Array) -> jax.Array:
    """a @ b as a sum that XLA fuses; its library call on a 4 x 4 matrix costs ten times more."""
    return jnp.sum(a[:, :, None] * b[None, :, :], axis=1) if len(a) <= _FUSE_LIMIT else a @ b


def _exp_and_dexp(X: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The sums of X^j / j! and of X^j / (j+1)!, to round-off for |X| up to about 16.

    By series for A = X/16, then doubled four times: dexp(2A) = (e + exp(A)) dexp(A) / 2.
    """
    e, A = jnp.eye(X.shape[0]), X / 16.0

    def horner(i: int, P: jax.Array) -> jax.Array:
        return e + _matmul(A, P) / (18.0 - i)

    def double(_: int, pair: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        E, P = pair
        return _matmul(E, E), 0.5 * (P + _matmul(E, P))

    P = jax.lax.fori_loop(0, 17, horner, e)
    return jax.lax.fori_loop(0, 4, double, (e + _matmul(A, P), P))


def _atanh(X: jax.Array) -> jax.Array:
    """The sum of X^(2j+1) / (2j+1), to round-off for |X| up to 0.2."""
    e, X2 = jnp.eye(X.shape[0]), _matmul(X, X)

    def horner(i: int, P: jax.Array) -> jax.Array:
        return e / (25.0 - 2.0 * i) + _matmul(X2, P)

    return _matmul(X, jax.lax.fori_loop(0, 13, horner, jnp.zeros_like(X)))


def _newton_schulz(X: jax.Array, iterations: int) -> jax.Array:
    """The orthogonal polar factor; needs singular values in (0, sqrt(3))."""
    e = jnp.eye(X.shape[0])

    def body(_: int, X: jax.Array) -> jax.Array:
        return _matmul(X, 1.5 * e - 0.5 * _matmul(X.T, X))

    return jax.lax.fori_loop(0, iterations, body, X)


@jax.custom_jvp
def _inverse(A: jax.Array) -> jax.Array:
    """The inverse of a normal matrix (the algebra of SO(n) makes no others), without pivots."""
    return solve_spd(_matmul(A.T, A), A.T)


@_inverse.defjvp
def _inverse_jvp(primals: Any, tangents: Any) -> tuple[jax.Array, jax.Array]:
    # by its own rule: derivatives through the elimination would take seconds to compile
    B = _inverse(*primals)
    return B, -_matmul(_matmul(B, *tangents), B)


def _gram_defect(R: jax.Array) -> jax.Array:
    return jnp.max(jnp.abs(_matmul(R.T, R) - jnp.eye(R.shape[0])))


# -- small matrices ------------------------------------------------------------------------------


def _cross(w: jax.Array) -> jax.Array:
    return jnp.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def _axial(X: jax.Array) -> jax.Array:
    return jnp.stack([X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1]])


def _rotation_2d(c: jax.Array, s: jax.Array) -> jax.Array:
    return jnp.array([[c, -s], [s, c]])


def _quaternion(R: jax.Array) -> jax.Array:
    """The unit quaternion (w, x, y, z) with w >= 0 of a rotation matrix."""
    a, b, c = R[0, 0], R[1, 1], R[2, 2]
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    xy, xz, yz = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    # The rows of 4 q q^T: the one with the largest diagonal entry (at least 1) gives q.
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


def _block_diagonal(blocks: Sequence[jax.Array]) -> jax.Array:
    total = sum(b.shape[0] for b in blocks)
    rows, start = [], 0
    for b in blocks:
        k = b.shape[0]
        left, right = jnp.zeros((k, start)), jnp.zeros((k, total - start - k))
        rows.append(jnp.concatenate([left, b, right], axis=1))
        start += k
    return jnp.concatenate(rows) if rows else jnp.zeros((0, 0))


def _concatenate(parts: Sequence[jax.Array]) -> jax.Array:
    return jnp.concatenate(parts) if parts else jnp.zeros(0)


def _cut(x: jax.Array, sizes: Sequence[int]) -> list[jax.Array]:
    ends = np.cumsum(sizes, dtype=int)
    return [x[end - k : end] for k, end in zip(sizes, ends, strict=True)]


def _pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.triu_indices(n, 1)


@functools.cache
def _so_basis(n: int) -> np.ndarray:
    """The basis matrices of SO(n), flattened to rows."""
    i, j = _pairs(n)
    basis = np.zeros((len(i), n, n))
    k = np.arange(len(i))
    basis[k, j, i], basis[k, i, j] = 1.0, -1.0
    return basis.reshape(len(i), n * n)


@functools.cache
def _so_structure(n: int) -> np.ndarray:
    """The matrices ad(basis vector) of SO(n), flattened to rows."""
    i, j = _pairs(n)
    basis = _so_basis(n).reshape(-1, n, n)
    bracket = np.einsum("aij,bjk->abik", basis, basis)
    bracket = bracket - np.swapaxes(bracket, 0, 1)
    return np.swapaxes(bracket[:, :, j, i], 1, 2).reshape(len(i), -1)


# -- checks --------------------------------------------------------------------------------------


def _check_order(name: str, n: Any, least: int) -> None:
    if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < least:
        raise UsageError(f"{name}(n) needs a whole number n >= {least}, got {n!r}")


def _as_array(group: _ArrayGroup, q: Any, name: str) -> jax.Array:
    expected = f"{name}: an element of {group!r} is a real array of shape {group.shape}"
    try:
        traced = any(isinstance(x, jax.Array) for x in jax.tree.leaves(q))
        array = jnp.asarray(q) if traced else np.asarray(q)
    except (TypeError, ValueError):
        raise UsageError(f"{expected}; got {_describe(q)}") from None
    if array.shape != group.shape:
        raise UsageError(f"{expected}; got {_describe(q)}")
    if array.dtype.kind not in "fiu":
        raise UsageError(f"{expected}; got entries of type {array.dtype}")
    return jnp.asarray(array, dtype=jnp.result_type(float))


def _describe(q: Any) -> str:
    if hasattr(q, "shape"):
        return f"an array of shape {tuple(q.shape)}"
    if isinstance(q, (list, tuple)):
        try:
            return f"a {type(q).__name__} of shape {np.shape(q)}"
        except (TypeError, ValueError):
            return f"a {type(q).__name__} of ({', '.join(_describe(x) for x in q)})"
    return f"{q!r}"


def _rotation_defect(R: np.ndarray, group: Group) -> str:
    hint = f"use {group!r}.project for the nearest rotation"
    gram = np.max(np.abs(R.T @ R - np.eye(R.shape[0])))
    if gram > ELEMENT_TOLERANCE:
        allowed = f"allowed is {ELEMENT_TOLERANCE:.0e}"
        return f"not orthogonal: |R^T R - I| = {gram:.1e}, {allowed}; {hint}"
    if np.linalg.det(R) < 0:
        return "a reflection: det R = -1, a rotation has +1"
    return ""
