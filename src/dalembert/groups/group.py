"""Base classes of Lie groups, with the check of their elements."""

from __future__ import annotations

import abc
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from ..errors import UsageError

Element = Any  # an array, or a tuple of elements for a product

ELEMENT_TOLERANCE = 1e-9  # largest |R^T R - I| that `check` and `is_element` accept


class Group(abc.ABC):
    """A Lie group with both retractions, their trivialized tangents, and a check of its elements.

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
        """Return the neutral element e."""

    @abc.abstractmethod
    def mul(self, a: Element, b: Element) -> Element:
        """Return the product a b."""

    @abc.abstractmethod
    def inv(self, a: Element) -> Element:
        """Return the inverse of a."""

    @abc.abstractmethod
    def hat(self, v: jax.Array) -> Element:
        """Return the algebra element with coordinates v: a matrix; v itself on R^n."""

    @abc.abstractmethod
    def vee(self, X: Element) -> jax.Array:
        """Return the coordinates of an algebra element, the inverse of `hat`."""

    @abc.abstractmethod
    def exp(self, v: jax.Array) -> Element:
        """Return the exponential of hat(v)."""

    @abc.abstractmethod
    def log(self, g: Element) -> jax.Array:
        """Return v with `exp(v)` = g, for rotation angles up to pi."""

    @abc.abstractmethod
    def cay(self, v: jax.Array) -> Element:
        """Return (e - x/2)^-1 (e + x/2), the Cayley map of x = hat(v); on R^n, v itself."""

    @abc.abstractmethod
    def cay_inv(self, g: Element) -> jax.Array:
        """Return v with `cay(v)` = g, for rotation angles below pi."""

    @abc.abstractmethod
    def Ad(self, g: Element) -> jax.Array:
        """Return the adjoint action: hat(Ad(g) w) = g hat(w) g^-1.

        Ad* of the sources is its transpose.
        """

    @abc.abstractmethod
    def ad(self, v: jax.Array) -> jax.Array:
        """Return the matrix of the bracket: ad(v) w = [v, w]."""

    @abc.abstractmethod
    def dexp(self, v: jax.Array) -> jax.Array:
        """Return the right-trivialized tangent of `exp`, the sum of ad^j / (j+1)!."""

    @abc.abstractmethod
    def dexp_inv(self, v: jax.Array) -> jax.Array:
        """Return the inverse of `dexp(v)`, the sum of B_j ad^j / j! with B_1 = -1/2."""

    @abc.abstractmethod
    def dcay(self, v: jax.Array) -> jax.Array:
        """Return the right-trivialized tangent of `cay`: y -> (e - x/2)^-1 y (e + x/2)^-1."""

    @abc.abstractmethod
    def dcay_inv(self, v: jax.Array) -> jax.Array:
        """Return the inverse of `dcay(v)`: y -> (e - x/2) y (e + x/2)."""

    @abc.abstractmethod
    def project(self, g: Element) -> Element:
        """Return the nearest element (polar factor of the rotation part): removes round-off.

        For a g not far from the group; the rotation part needs a positive determinant.
        """

    def polish(self, g: Element) -> Element:
        """Project a g that left the group by round-off only; cheaper than `project`, for steps."""
        return self.project(g)

    @abc.abstractmethod
    def is_element(self, g: Element, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        """Return whether g is finite and in the group to within `tol`, as a boolean array."""

    @abc.abstractmethod
    def random(self, key: jax.Array) -> Element:
        """Return a random element: Haar measure on rotations, standard normal on translations."""

    @abc.abstractmethod
    def flatten(self, g: Element) -> jax.Array:
        """Return all entries of an element as one vector of length `size`."""

    @abc.abstractmethod
    def unflatten(self, x: jax.Array) -> Element:
        """Return the element with these entries, the inverse of `flatten`."""

    @abc.abstractmethod
    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        """Return a name for each entry of `flatten(g)`."""

    @abc.abstractmethod
    def check(self, q: Element, name: str = "q") -> Element:
        """Return the element as double-precision arrays; raise `UsageError` if it is not valid.

        Values under a JAX transformation are not known: then only shapes are checked.
        """


class ArrayGroup(Group):
    """A group whose elements are single arrays of one shape.

    Your own group defines `dim`, `shape`, `mul`, `inv`, `exp` and `log` (`examples/own_group.py`);
    `log` must be differentiable at the neutral element. Everything else follows by differentiation.
    The Cayley map is then `exp`, and every finite array counts as an element.
    """

    @property
    @abc.abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of an element."""

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def flatten(self, g: jax.Array) -> jax.Array:
        return jnp.reshape(g, (self.size,))

    def unflatten(self, x: jax.Array) -> jax.Array:
        return jnp.reshape(x, self.shape)

    # -- defaults by differentiation, for groups that define no closed forms ----------------------

    def identity(self) -> jax.Array:
        return self.exp(jnp.zeros(self.dim))

    def hat(self, v: jax.Array) -> jax.Array:
        zero = jnp.zeros(self.dim)
        return jax.jvp(self.exp, (zero,), (jnp.asarray(v, dtype=float),))[1]

    def vee(self, X: jax.Array) -> jax.Array:
        return jax.jvp(self.log, (self.identity(),), (jnp.asarray(X, dtype=float),))[1]

    def cay(self, v: jax.Array) -> jax.Array:
        return self.exp(v)

    def cay_inv(self, g: jax.Array) -> jax.Array:
        return self.log(g)

    def Ad(self, g: jax.Array) -> jax.Array:
        other = self.inv(g)

        def conjugate(w: jax.Array) -> jax.Array:
            return self.log(self.mul(self.mul(g, self.exp(w)), other))

        return jax.jacfwd(conjugate)(jnp.zeros(self.dim))

    def ad(self, v: jax.Array) -> jax.Array:
        zero, along = jnp.zeros(self.dim), jnp.asarray(v, dtype=float)
        return jax.jvp(lambda w: self.Ad(self.exp(w)), (zero,), (along,))[1]

    def dexp(self, v: jax.Array) -> jax.Array:
        back = self.exp(-v)
        return jax.jacfwd(lambda w: self.log(self.mul(self.exp(w), back)))(v)

    def dexp_inv(self, v: jax.Array) -> jax.Array:
        return jnp.linalg.inv(self.dexp(v))

    def dcay(self, v: jax.Array) -> jax.Array:
        return self.dexp(v)

    def dcay_inv(self, v: jax.Array) -> jax.Array:
        return self.dexp_inv(v)

    def project(self, g: jax.Array) -> jax.Array:
        return g

    def is_element(self, g: jax.Array, tol: float = ELEMENT_TOLERANCE) -> jax.Array:
        return jnp.all(jnp.isfinite(g))

    def random(self, key: jax.Array) -> jax.Array:
        return self.exp(jax.random.normal(key, (self.dim,)))

    def element_names(self, prefix: str = "") -> tuple[str, ...]:
        return tuple(f"{prefix}g{i}" for i in range(self.size))

    def check(self, q: Element, name: str = "q") -> jax.Array:
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
            raise UsageError(f"{name} is not an element of {self!r}: {problem}")
        return array

    def _defect(self, q: np.ndarray) -> str:
        """Return why a finite array of the right shape is not an element; empty if it is one."""
        return ""


def check_order(name: str, n: object, least: int) -> None:
    """Raise `UsageError` unless n is an integer and at least `least`."""
    if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < least:
        raise UsageError(f"{name}(n) needs an integer n >= {least}, got {n!r}")


def _as_array(group: ArrayGroup, q: Element, name: str) -> jax.Array:
    expected = f"{name}: an element of {group!r} is a real array of shape {group.shape}"
    try:
        of_jax = any(isinstance(x, jax.Array) for x in jax.tree.leaves(q))
        array = jnp.asarray(q) if of_jax else np.asarray(q)
    except (TypeError, ValueError):
        raise UsageError(f"{expected}; got {describe(q)}") from None
    if array.shape != group.shape:
        raise UsageError(f"{expected}; got {describe(q)}")
    if array.dtype.kind not in "fiu":
        raise UsageError(f"{expected}; got entries of type {array.dtype}")
    if array.dtype == np.float64:
        return array  # pyright: ignore[reportReturnType]
    return jnp.asarray(array, dtype=jnp.result_type(float))


def describe(q: object) -> str:
    """Describe a wrong value, for messages."""
    shape = getattr(q, "shape", None)
    if shape is not None:
        return f"an array of shape {tuple(shape)}"
    if isinstance(q, (list, tuple)):
        try:
            return f"a {type(q).__name__} of shape {np.shape(q)}"
        except (TypeError, ValueError):
            return f"a {type(q).__name__} of ({', '.join(describe(x) for x in q)})"
    return f"{q!r}"


def rotation_defect(R: np.ndarray, group: Group) -> str:
    """Return why a finite square matrix is not a rotation; empty if it is one."""
    hint = f"use {group!r}.project for the nearest rotation"
    gram = np.max(np.abs(R.T @ R - np.eye(R.shape[0])))
    if gram > ELEMENT_TOLERANCE:
        allowed = f"allowed is {ELEMENT_TOLERANCE:.0e}"
        return f"not orthogonal: |R^T R - I| = {gram:.1e}, {allowed}; {hint}"
    if np.linalg.det(R) < 0:
        return "a reflection: det R = -1, a rotation has +1"
    return ""
