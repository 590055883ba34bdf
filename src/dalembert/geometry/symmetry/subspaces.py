"""Subspaces of a symplectic space, and the characteristic distribution of a bracket.

With D^perp = {x : omega(x, y) = 0 for y in D} ([C02] 2.7; the book has the first two the wrong
way round),

    isotropic    D inside D^perp        coisotropic  D^perp inside D
    Lagrangian   D = D^perp             symplectic   D and D^perp meet in zero

An almost-Poisson bracket with the matrix M has the characteristic distribution image(M), spanned by
the Hamiltonian fields ([C02] 2.8). For the nonholonomic bracket it is the intersection of F and TM,
of even rank 2 (n - m), and it has leaves exactly if the constraint is integrable. The coadjoint
cocycle of a momentum mapping measures its deviation from equivariance ([C02] 2.9).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ...errors import UsageError
from ...groupoids import Element
from ...groups import Group
from ...linalg import rank
from ...system import Point, System, compiled_call
from ..distribution.connection import bracket_matrix
from ..distribution.growth_flag import INTEGRABLE
from .state_forms import state_at

_TOLERANCE = 1e-9


class SubspaceKind(NamedTuple):
    """Relation of a subspace to its complement with respect to a two-form."""

    dim: int
    rank: int  # rank of the form on the subspace: dim - dim(D and D^perp)
    isotropic: bool
    coisotropic: bool

    @property
    def lagrangian(self) -> bool:
        """Whether it is isotropic and coisotropic, with half the dimension of the space."""
        return self.isotropic and self.coisotropic

    @property
    def symplectic(self) -> bool:
        """Whether the form is nondegenerate on the subspace and the subspace is not zero."""
        return self.rank == self.dim and self.dim > 0


def subspace_kind(form: ArrayLike, columns: ArrayLike, *, tol: float = _TOLERANCE) -> SubspaceKind:
    """Decide whether a subspace is isotropic, coisotropic, Lagrangian or symplectic.

    `form` is the matrix of a nondegenerate two-form, such as `lagrangian_form`; the columns of
    `columns` span the subspace. Ranks are relative: columns and form are scaled first, so units do
    not matter.
    """
    omega, X = np.asarray(form, dtype=float), np.asarray(columns, dtype=float)
    n = len(omega)
    if omega.shape != (n, n) or X.ndim != 2 or len(X) != n:
        raise UsageError(f"form (n, n) and columns (n, k) do not fit: {omega.shape}, {X.shape}")
    size = float(np.max(np.abs(omega), initial=0.0))
    if not np.max(np.abs(omega + omega.T), initial=0.0) <= tol * size:
        raise UsageError("a two-form has a skew matrix; this one is not")
    scale = 1.0 / np.sqrt(np.maximum(np.linalg.norm(omega, axis=1), 1e-300))
    omega = omega * scale[:, None] * scale  # in scaled coordinates, x = scale * y
    if rank(omega, tol) < n:
        raise UsageError("the two-form is degenerate: kinds of subspaces are not defined")
    Y = X / scale[:, None]
    length = np.linalg.norm(Y, axis=0)
    Y = Y / np.where(length > 0, length, 1.0)
    left, values, _ = np.linalg.svd(Y, full_matrices=False)
    basis = left[:, values > tol * max(float(np.max(values, initial=0.0)), 1e-300)]
    k = basis.shape[1]
    inner = basis.T @ omega @ basis
    dimension = rank(inner, tol, size=float(np.linalg.norm(omega, 2))) if k else 0
    return SubspaceKind(k, dimension, dimension == 0, dimension == 2 * k - n)


class Characteristic(NamedTuple):
    """The characteristic distribution of an almost-Poisson bracket at a state.

    `basis` has orthonormal columns. The rows of `casimirs` are covectors whose Hamiltonian field
    vanishes there. `rank` is the rank of the bracket. `involutive` says whether brackets of
    Hamiltonian fields lie in the distribution, to first order at this state; the deciding number is
    `defect`. Leaves exist near the state only if it is True.
    """

    basis: np.ndarray
    casimirs: np.ndarray
    rank: int
    involutive: bool
    defect: float


def characteristic_distribution(system: System, q: Point, v: ArrayLike) -> Characteristic:
    """Return rank, characteristic distribution and involutivity of the nonholonomic bracket.

    At a state (q, v) of A(q) v = 0, in components (change of q, change of v). Its leaves, where it
    has any, are the tangent bundles of the leaves of the constraint.
    """
    q = system.groupoid.base.check(q)
    M, brackets = (
        np.asarray(x) for x in compiled_call(_hamiltonian, system, q, jnp.asarray(v, dtype=float))
    )
    n = system.dim
    scale = np.sqrt(np.maximum(np.linalg.norm(M, axis=1), 1e-300))
    scale = np.where(scale > 1e-12 * np.max(scale), scale, 1.0)  # q and v differ in units
    left, values, right = np.linalg.svd(M / scale[:, None] / scale)
    dimension = int(np.sum(values > _TOLERANCE * max(float(values[0]), 1e-300)))
    inside = left[:, :dimension]
    basis = np.linalg.qr(scale[:, None] * inside)[0]
    casimirs = right[dimension:] / scale
    moved = brackets / scale[:, None, None] / scale[None, :, None] / scale
    outside = moved - np.einsum("ab,cb,cde->ade", inside, inside, moved)
    # the terms of a bracket are about as large as the derivatives of M
    size = max(float(np.max(np.abs(moved), initial=0.0)), float(values[0]) * _TOLERANCE)
    defect = float(np.max(np.abs(outside), initial=0.0)) / max(size, 1e-300)
    return Characteristic(
        basis, casimirs[: 2 * n - dimension], dimension, defect <= INTEGRABLE, defect
    )


def _hamiltonian(system, q, v):
    """Return M, and [X_i, X_j]^a of the Hamiltonian fields of the coordinates, as [a, i, j]."""
    n = system.dim
    z = jnp.concatenate([jnp.zeros(n), v])

    def fields(y):  # in the chart at q, where the fields of the coordinates commute
        x, u = state_at(system, q, y)
        rate = jax.vmap(lambda e: system.groupoid.coordinate_velocity(q, y[:n], e), 1, 1)
        chart = jax.scipy.linalg.block_diag(rate(jnp.eye(n)), jnp.eye(n))
        return chart @ bracket_matrix(system, x, u)

    M, slope = fields(z), jax.jacfwd(fields)(z)  # [a, j, b]
    along = jnp.einsum("ajb,bi->aij", slope, M)
    return M, along - jnp.swapaxes(along, 1, 2)


Momentum = Callable[[Point, jax.Array], jax.Array]  # (q, v) -> J, shape (dim G,)
GroupAction = Callable[[Element, Point, jax.Array], tuple[Point, jax.Array]]


class Cocycle(NamedTuple):
    """sigma(g) of a momentum mapping, and by how much it varies over the states."""

    value: np.ndarray
    spread: float  # relative; zero for a momentum mapping

    @property
    def equivariant(self) -> bool:
        """Whether sigma(g) vanishes: J(g x) = CoAd_g J(x)."""
        return bool(np.max(np.abs(self.value), initial=0.0) <= _TOLERANCE)


def coadjoint_cocycle(
    group: Group, action: GroupAction, momentum: Momentum, g: Element, q: Point, v: ArrayLike
) -> Cocycle:
    """Return the coadjoint cocycle sigma(g) = J(g x) - CoAd_g J(x) of a momentum mapping.

    See [C02] 2.9.

    `action(g, q, v)` is the action on states, `momentum(q, v)` the momenta along the basis of
    the algebra, (q, v) states stacked along the first axis. CoAd_g = Ad(g^-1)^T, so that
    sigma(g h) = sigma(g) + CoAd_g sigma(h). Raises a `UsageError` if the difference depends on
    the state, because J is then not a momentum mapping of this action.
    """
    g = group.check(g, "g")
    v = jnp.asarray(v, dtype=float)

    @jax.jit
    def both(q, v):
        def one(x, u):
            return momentum(*action(g, x, u)), group.Ad(group.inv(g)).T @ momentum(x, u)

        return jax.vmap(one)(q, v)

    after, before = (np.asarray(x) for x in both(q, v))
    result = after - before
    size = max(float(np.max(np.abs(after))), float(np.max(np.abs(before))), 1e-300)
    spread = float(np.max(np.abs(result - result[0]))) / size
    if spread > 1e-9:
        raise UsageError(
            f"J(g x) - CoAd_g J(x) changes from state to state by {spread:.1e} of J: J is no "
            "momentum mapping of this action"
        )
    value = np.mean(result, axis=0)
    return Cocycle(np.where(np.abs(value) <= 1e-12 * size, 0.0, value), spread)


__all__ = [
    "Characteristic",
    "Cocycle",
    "SubspaceKind",
    "characteristic_distribution",
    "coadjoint_cocycle",
    "subspace_kind",
]
