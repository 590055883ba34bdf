"""Curvature of a connection, and metric connections from their torsion ([C02] 2.5).

    R(X, Y) Z = nabla_X nabla_Y Z - nabla_Y nabla_X Z - nabla_[X,Y] Z
    T(X, Y)   = nabla_X Y - nabla_Y X - [X, Y]
    S(X, Y)   = nabla_X Y - nabla^G_X Y                                    contorsion

A metric connection is determined by its torsion (Prop. 2.5.2), with signs corrected (E1):

    S^a_bc = g^ak (T_k,bc - T_b,ck - T_c,bk)/2,    T_k,bc = g_km T^m_bc

Components are those of the frame of `connection`: coordinates on R^n, left-invariant on a group.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ...compile.function import is_traced
from ...dynamics import metric
from ...errors import UsageError
from ...linalg import solve_spd
from ...system import Point, System
from .connection import Connection, christoffel, derivatives, structure

Torsion = Callable[[System, Point], jax.Array]  # (system, q) -> T[a, b, c]


def curvature_tensor(system: System, q: Point, connection: Connection = christoffel) -> jax.Array:
    """Return the curvature of a connection at q: R[a, b, c, d] with R(E_c, E_d) E_b = R^a_bcd E_a.

        R^a_bcd = E_c Gamma^a_db - E_d Gamma^a_cb + Gamma^a_ce Gamma^e_db - Gamma^a_de Gamma^e_cb
                  - c^e_cd Gamma^a_eb

    `connection` is `christoffel` (Levi-Civita of the kinetic metric, the default),
    `nonholonomic_christoffel`, a `metric_connection` or any function (system, q) -> Gamma[a, b, c].
    On the unit sphere g(R(X, Y) Y, X) = 1 for X, Y orthonormal.
    """
    gamma = connection(system, q)
    slope = derivatives(system.groupoid, lambda x: connection(system, x), q)  # [a, d, b, c]
    turns = structure(system.groupoid, q)
    half = jnp.einsum("adbc->abcd", slope) + jnp.einsum("ace,edb->abcd", gamma, gamma)
    return half - jnp.swapaxes(half, 2, 3) - jnp.einsum("ecd,aeb->abcd", turns, gamma)


def sectional_curvature(system: System, q: Point, x: ArrayLike, y: ArrayLike) -> jax.Array:
    """Return the sectional curvature of the kinetic metric on the plane of x and y at q.

    K = g(R(x, y) y, x) / (g(x, x) g(y, y) - g(x, y)^2): 1 on the unit sphere.
    """
    x, y, G = jnp.asarray(x, dtype=float), jnp.asarray(y, dtype=float), metric(system, q)
    turned = jnp.einsum("abcd,b,c,d->a", curvature_tensor(system, q), y, x, y)
    area = (x @ G @ x) * (y @ G @ y) - (x @ G @ y) ** 2
    return turned @ G @ x / area


def metric_connection(torsion: Torsion | ArrayLike) -> Connection:
    """Return the metric connection with a given torsion (Prop. 2.5.2 [C02], E1 corrected).

    See also Cor. 2.5.4 [C02].

    `torsion` is a function (system, q) -> T[a, b, c] such as `geometry.torsion`, or an array if T
    is constant in the frame. T must be skew in b, c. The result is a function (system, q) ->
    Gamma[a, b, c], accepted by `covariant_derivative`, `curvature_tensor` and all other functions
    with a `connection` argument. With T = 0 it is `christoffel`. Its geodesics are those of the
    metric exactly if T_a,bc is skew in all three indices.

        particle = da.systems.NonholonomicParticle()
        torsion = jnp.zeros((3, 3, 3)).at[0, 1, 2].set(1.0).at[0, 2, 1].set(-1.0)
        twisted = da.geometry.metric_connection(torsion)
        da.geometry.curvature_tensor(particle, jnp.zeros(3), twisted)
    """
    given = torsion if callable(torsion) else _Constant(jnp.asarray(torsion, dtype=float))

    def connection(system: System, q: Point) -> jax.Array:
        n, T = system.dim, jnp.asarray(given(system, q), dtype=float)
        if T.shape != (n, n, n):
            raise UsageError(f"the torsion must have the shape ({n}, {n}, {n}), got {T.shape}")
        _require_skew(T)
        lower = jnp.einsum("km,mbc->kbc", metric(system, q), T)
        half = 0.5 * (lower - jnp.einsum("bck->kbc", lower) - jnp.einsum("cbk->kbc", lower))
        raised = solve_spd(metric(system, q), half.reshape(n, n * n)).reshape(n, n, n)
        return christoffel(system, q) + raised

    return connection


class _Constant:
    """Torsion with constant components in the frame of the system."""

    def __init__(self, value: jax.Array):
        self.value = value

    def __call__(self, system: System, q: Point) -> jax.Array:
        return self.value


def _require_skew(T: jax.Array) -> None:
    if is_traced(T):
        return
    values = np.asarray(T)  # inside jit an operation of JAX on a constant would be traced
    even = float(np.max(np.abs(values + np.swapaxes(values, 1, 2)), initial=0.0))
    if even > 1e-9 * max(float(np.max(np.abs(values), initial=0.0)), 1e-300):
        raise UsageError(
            f"a torsion T[a, b, c] is skew in its last two indices; T[a, b, c] + T[a, c, b] is "
            f"{even:.1e} here"
        )


def contorsion(system: System, q: Point, connection: Connection) -> jax.Array:
    """Return S[a, b, c] with nabla_X Y = nabla^G_X Y + S(X, Y), where G is the kinetic metric.

    The connection is metric exactly if g(S(Z, X), X) = 0 for all X and Z ((2.4) [C02]);
    `metric_defect` measures that.
    """
    return connection(system, q) - christoffel(system, q)


__all__ = ["contorsion", "curvature_tensor", "metric_connection", "sectional_curvature"]
