"""Helpers for several systems: start data, concrete parameter values, quadrature."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jax.typing import ArrayLike

from .. import dynamics
from .. import scene as sc
from ..errors import UsageError
from ..linalg import Real, gauss_rule
from ..system import Point, System

_RULE = (16, 32)  # `integral`: Gauss nodes per panel, number of panels


def dots(*names: str) -> tuple[str, ...]:
    """Return the names of the velocities of coordinates: the coordinate names with _dot."""
    return tuple(f"{name}_dot" for name in names)


def whole(name: str) -> Callable[[object], int]:
    """Return a converter for a static integer field; it refuses 3.5 instead of rounding it."""

    def convert(value: object) -> int:
        number = concrete(value)
        if number is None or number.ndim > 0 or number != np.round(number):
            raise UsageError(f"{name} must be an integer, got {value!r}")
        return int(number)

    return convert


def concrete(value: object) -> np.ndarray | None:
    """Return the value as a double-precision array, or None if it is traced or not numeric.

    The checks of a class run before the type checks of its fields. A value that is not numeric must
    therefore pass here; the later check reports it with the name of the field.
    """
    if isinstance(value, Tracer):
        return None
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None
    return array if np.all(np.isfinite(array)) else None


def may_be_zero(value: object) -> bool:
    """Return whether a parameter is zero, or traced and therefore not known.

    So an invariant that holds only for zero is also listed under a trace. Callers with concrete
    values (`diagnostics`) leave it out if it does not hold.
    """
    array = concrete(value)
    return array is None or not np.any(array)


def require_zero(system: System, name: str) -> None:
    """Raise `UsageError` unless a parameter is zero, as a closed form requires."""
    array = concrete(getattr(system, name))
    if array is not None and np.any(array):
        raise UsageError(
            f"{type(system).__name__}: the closed form holds only for {name} = 0, got {array}"
        )


def check_inertia(owner: str, name: str, value: object) -> None:
    """Check principal moments of a rigid body: positive, none above the sum of the others."""
    moments = concrete(value)
    if moments is None or moments.shape[-1:] != (3,):
        return
    if np.any(moments <= 0):
        raise UsageError(f"{owner}: parameter '{name}' must have positive moments, got {moments}")
    excess = 2 * moments.max(-1) - moments.sum(-1)
    if np.any(excess > 1e-12 * moments.sum(-1)):
        raise UsageError(
            f"{owner}: parameter '{name}' violates the triangle inequality of the moments of "
            f"inertia of a rigid body: {moments}"
        )


def start(system: System, q0: Point, v0: ArrayLike | None) -> tuple[Point, jax.Array]:
    """Return the start of a closed form: the caller's q0 and v0, or by default the initial data."""
    if q0 is None and v0 is None:
        return system.initial()
    if q0 is None or v0 is None:
        raise UsageError(f"{type(system).__name__}.closed_form: give both q0 and v0, or neither")
    return jax.tree.map(jnp.asarray, q0), jnp.asarray(v0)


def energy(system: System) -> Callable[[Point, jax.Array], jax.Array]:
    """Return the energy of a system as a function of (q, v)."""
    return partial(dynamics.energy, system)


def contact_scene(system: System, upwards: int, spring: bool = False) -> sc.Scene:
    """Return a scene: a particle on a tile, the plane of velocities that the constraint allows.

    Entry number `upwards` of the row must be positive everywhere: it orients the tile's normal.
    """

    def place(row: sc.Row) -> jax.Array:
        return row.q

    def tilt(row: sc.Row) -> jax.Array:
        return sc.turn_to(system.constraint(row.q)[0], upwards)

    return sc.Scene(
        [
            sc.Body("particle", sc.sphere(0.025).scaled_with_motion(), place),
            sc.Body("plane", sc.tile(0.12).scaled_with_motion(), place, tilt),
        ],
        [sc.Link("spring", sc.origin, place)] if spring else (),
        traces=[sc.Trace("path", place)],
        arrows=[sc.Arrow("reaction", place, lambda row: row.force)],
        contacts=[sc.Contact("particle", place, lambda row: tilt(row)[:, 2][None, :])],
        note="The tile is the plane of allowed velocities.",
    )


def shifts(dim: int, *indices: int) -> Callable[[Point], jax.Array]:
    """Return generators of the translations of some coordinates, as columns."""
    return lambda q: jnp.eye(dim)[:, np.array(indices)]


def planar_motions(dim: int, heading: int, *others: int) -> Callable[[Point], jax.Array]:
    """Return generators of SE(2) on (q[0], q[1]) with the angle q[heading], then of `others`.

    Columns: along x, along y, about the origin; then the translations of other coordinates.
    """

    def sigma(q: Point) -> jax.Array:
        turn = jnp.eye(dim)[heading].at[0].set(-q[1]).at[1].set(q[0])
        plane = jnp.concatenate([jnp.eye(dim)[:, :2], turn[:, None]], axis=1)
        return jnp.concatenate([plane, shifts(dim, *others)(q)], axis=1) if others else plane

    return sigma


def integral(f: Callable[[jax.Array], jax.Array], t: jax.Array) -> jax.Array:
    """Return the integral of f over [0, t], by a composite Gauss rule of fixed size.

    The fixed size makes jit and grad work. Accurate to round-off if f varies slowly over t / 32.
    """
    nodes, weights = map(jnp.asarray, gauss_rule(*_RULE))
    values = jax.vmap(lambda s: f(s * t))(nodes)
    return t * jnp.tensordot(weights, values, axes=1)


def arc(t: jax.Array, angle: jax.Array, rate: Real) -> tuple[jax.Array, jax.Array]:
    """Return the integrals over [0, t] of cos and sin of angle + rate s, regular at rate = 0."""
    chord = t * jnp.sinc(rate * t / (2 * jnp.pi))  # sin(rate t / 2) / (rate / 2)
    middle = angle + 0.5 * rate * t
    return chord * jnp.cos(middle), chord * jnp.sin(middle)
