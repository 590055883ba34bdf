"""Functions of the squared angle, accurate through zero with their derivatives."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import jax
import jax.numpy as jnp

_SERIES_TERMS = 12


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def stumpff(s: jax.Array, last: int = 5) -> tuple[jax.Array, ...]:
    """Return c_k(s), k = 0..last, with c_k = sum of (-s)^j / (2j+k)!; s is the squared angle a^2.

    c0 = cos a, c1 = sin(a)/a, c2 = (1 - cos a)/a^2, and c_k = 1/k! - s c_{k+2}.
    """
    # Series below s = 4, where the closed forms cancel; closed forms above. Each branch gets an
    # argument inside its own range, so that its result and derivatives are finite if it is not
    # taken.
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
def _stumpff_jvp(
    last: int, primals: tuple[jax.Array], tangents: tuple[jax.Array]
) -> tuple[tuple[jax.Array, ...], tuple[jax.Array, ...]]:
    # The derivatives are members of the family, dc_k/ds = (k c_{k+2} - c_{k+1})/2: differentiating
    # the series term by term would make three times as much code for a second derivative.
    (s,), (ds,) = primals, tangents
    c = stumpff(s, last + 2)
    slopes = tuple(0.5 * (k * c[k + 2] - c[k + 1]) * ds for k in range(last + 1))
    return c[: last + 1], slopes


def bernoulli(s: jax.Array) -> jax.Array:
    """Return (1 - (a/2) cot(a/2)) / a^2 with a^2 = s, the even part of the series of dexp_inv."""
    _, _, c2, c3, c4 = stumpff(s, 4)
    return (c3 - 2.0 * c4) / (2.0 * c2)


def bernoulli_slope(s: jax.Array) -> jax.Array:
    """Return the derivative of `bernoulli`."""
    return jax.jvp(bernoulli, (s,), (jnp.ones_like(s),))[1]


def dexp_cubic(X: jax.Array, s: jax.Array) -> jax.Array:
    """Return the sum of X^j / (j+1)! for a matrix with X^3 = -s X."""
    _, _, c2, c3 = stumpff(s, 3)
    return jnp.eye(X.shape[0]) + c2 * X + c3 * (X @ X)


def dexp_inv_cubic(X: jax.Array, s: jax.Array) -> jax.Array:
    """Return the inverse of `dexp_cubic(X, s)`."""
    return jnp.eye(X.shape[0]) - 0.5 * X + bernoulli(s) * (X @ X)


def atan_ratio(u: jax.Array) -> jax.Array:
    """Return atan(y)/y for y^2 = u, by series for small u, as in `stumpff`."""
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
