"""Symmetries given by generators: algebra, invariance tests, classification.

A group G acts through fields sigma(q), a (dim, k) array whose columns are the fundamental fields
(e_a)_Q of a basis of its Lie algebra. With mu the constraint one-forms and N = mu sigma, the
algebra of admissible generators at q is g^q = ker N ([C02] 4.1, 4.4). Fundamental fields of a
left action obey [xi_Q, eta_Q] = -[xi, eta]_Q.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...compile.function import compiled_rows
from ...dynamics import constraint_residual, linear_constraint
from ...errors import UsageError, unknown_name
from ...linalg import rank
from ...system import Point, System
from ..distribution.connection import lie_bracket
from ..distribution.growth_flag import (
    LATER,
    ROUGH,
    States,
    require_full_rank,
    require_linear,
    sample_states,
)

SYMMETRY_TOLERANCE = 1e-9  # largest relative residual of a symmetry
StateField = Callable[[Point, jax.Array], jax.Array]  # (q, v) -> (change of q, change of v)


@dataclasses.dataclass(frozen=True)
class Symmetry:
    """A group action: `generators(system, q)` gives the fundamental fields as columns (dim, k).

    Create one with `Symmetry.of(system, name)` from the declarations of a system, or with
    `Symmetry.from_fields(sigma)` from a function of q. `a * b` is the joint action of a and b.
    """

    generators: Callable[[System, Point], jax.Array]
    name: str = "G"

    @staticmethod
    def from_fields(sigma: Callable[[Point], jax.Array], name: str = "G") -> Symmetry:
        """Return the action with the columns of sigma(q) as generators."""
        return Symmetry(_Fields(sigma), name)

    @staticmethod
    def of(system: System, name: str) -> Symmetry:
        """Return a symmetry that the system declares in `symmetry_generators`."""
        declared = symmetry_names(system)
        if name not in declared:
            raise unknown_name(f"symmetry of {system.name()}", name, declared)
        return Symmetry(_Declared(name), name)

    def __mul__(self, other: Symmetry) -> Symmetry:
        return Symmetry(_Both(self.generators, other.generators), f"{self.name} x {other.name}")

    def __call__(self, system: System, q: Point) -> jax.Array:
        """Return sigma(q), shape (dim, k)."""
        columns = jnp.asarray(self.generators(system, q), dtype=float)
        if columns.ndim != 2 or columns.shape[0] != system.dim:
            raise UsageError(
                f"the generators of '{self.name}' must be an array of shape ({system.dim}, k), "
                f"one column for each; got {columns.shape}"
            )
        return columns

    def field(self, system: System, xi: jax.Array) -> Callable[[Point], jax.Array]:
        """Return xi_Q, the fundamental field of an algebra element."""
        return lambda q: self(system, q) @ xi


# Classes instead of closures, so that equal symmetries compare equal and share compiled code.
@dataclasses.dataclass(frozen=True)
class _Fields:
    sigma: Callable[[Point], jax.Array]

    def __call__(self, system: System, q: Point) -> jax.Array:
        return self.sigma(q)


@dataclasses.dataclass(frozen=True)
class _Declared:
    name: str

    def __call__(self, system: System, q: Point) -> jax.Array:
        return system.symmetry_generators[self.name](q)


@dataclasses.dataclass(frozen=True)
class _Both:
    first: Callable[[System, Point], jax.Array]
    second: Callable[[System, Point], jax.Array]

    def __call__(self, system: System, q: Point) -> jax.Array:
        return jnp.concatenate([self.first(system, q), self.second(system, q)], axis=1)


def symmetry_names(system: System) -> tuple[str, ...]:
    """Return the names of the symmetries that a system declares."""
    return tuple(system.symmetry_generators)


# -- the algebra ---------------------------------------------------------------------------------


def structure_constants(
    system: System, symmetry: Symmetry, q: Point | None = None, *, tol: float = 1e-8
) -> np.ndarray:
    """Return c[a, b, c] with [e_b, e_c] = c^a_bc e_a, from the brackets of the generators.

    Raises `UsageError` if the brackets are not constant combinations of the generators.
    """
    states = sample_states(system, q)
    sigma, brackets = (
        np.asarray(x) for x in compiled_rows(_brackets, system, (states.q,), symmetry)
    )
    k = sigma.shape[2]
    require_independent(symmetry, sigma)
    stacked = sigma.reshape(-1, k)  # one set of constants for all points
    right = -brackets.reshape(stacked.shape[0], k * k)
    constants = np.linalg.lstsq(stacked, right, rcond=None)[0]
    # divide the equations of each point by the size of their terms
    left = np.abs(stacked @ constants - right).reshape(len(sigma), -1)
    size = np.abs(right).reshape(len(sigma), -1).max(axis=1, initial=0.0)
    size = size + np.max(np.abs(sigma), axis=(1, 2), initial=0.0)
    defect = np.max(left, axis=1, initial=0.0) / np.maximum(size, 1e-300)
    if np.any(defect > tol):
        raise UsageError(
            f"the generators of '{symmetry.name}' do not span a Lie algebra: their brackets "
            f"leave the span by {np.max(defect):.1e} of their terms"
        )
    return np.where(np.abs(constants) < tol, 0.0, constants).reshape(k, k, k)


def require_independent(symmetry: Symmetry, sigmas: np.ndarray) -> None:
    """Raise if a constant combination of the generators (..., dim, k) vanishes at all points."""
    k = sigmas.shape[-1]
    stacked = sigmas.reshape(-1, k)
    length = np.linalg.norm(stacked, axis=0, keepdims=True)
    if rank(stacked / np.where(length > 0, length, 1.0), size=1.0) < k:
        raise UsageError(
            f"the {k} generators of '{symmetry.name}' are linearly dependent: give a basis of "
            "the algebra"
        )


def _brackets(system, q, symmetry):
    sigma = symmetry(system, q)
    basis = jnp.eye(sigma.shape[1])

    def bracket(a, b):
        X, Y = symmetry.field(system, a), symmetry.field(system, b)
        return lie_bracket(X, Y, system)(q)

    table = jax.vmap(jax.vmap(bracket, (None, 0)), (0, None))(basis, basis)  # [b, c, a]
    return sigma, jnp.moveaxis(table, 2, 0)


# -- invariance ----------------------------------------------------------------------------------


class Invariance(NamedTuple):
    """Largest relative residuals of three invariance tests; zero up to round-off for a symmetry."""

    lagrangian: float
    potential: float
    constraint: float

    @property
    def worst(self) -> float:
        """The largest of the three residuals."""
        return max(self)

    @property
    def holds(self) -> bool:
        """Whether L and the constraint are invariant, which implies that V is."""
        return self.worst <= SYMMETRY_TOLERANCE


def lifted(system: System, X: Callable[[Point], jax.Array], q: Point, v: jax.Array) -> jax.Array:
    """Return the velocity part of the complete lift of X at (q, v): D_v X + ad_v X."""
    along = groupoids.directional(system.groupoid, X, q, v)
    return along + system.groupoid.ad(q, v) @ X(q)


def vertical_lift(system: System, X: Callable[[Point], jax.Array]) -> StateField:
    """Return the vertical lift X^v = (0, X(q)) of a field X on Q to states ([C02] 2.2).

    A function of (q, v) with the components (change of q, change of v), length 2 dim. Forces are
    vertical: an input u adds u (G^-1 F)^v to the vector field of the motion.
    """

    def field(q: Point, v: jax.Array) -> jax.Array:
        x = jnp.asarray(X(q), dtype=float)
        return jnp.concatenate([jnp.zeros_like(x), x])

    return field


def complete_lift(system: System, X: Callable[[Point], jax.Array]) -> StateField:
    """Return the complete lift X^c = (X(q), D_v X + ad_v X) of a field X on Q to states.

    A function of (q, v) with the components (change of q, change of v), length 2 dim. Its flow is
    the tangent map of the flow of X. [X^c, Y^c] = [X, Y]^c, [X^c, Y^v] = [X, Y]^v, [X^v, Y^v] = 0.
    """
    return lambda q, v: jnp.concatenate([jnp.asarray(X(q), dtype=float), lifted(system, X, q, v)])


def invariance(system: System, symmetry: Symmetry, states: States | None = None) -> Invariance:
    """Test the invariance of L, V and the constraint under the generators, on sampled states.

    The conditions are xi^c(L) = 0, xi(V) = 0 with V = -L at v = 0, and xi^c(phi) = 0 on phi(t, q,
    v) = 0, which for A(q) v = 0 says mu([xi_Q, X]) = 0 for X in D. Each residual is relative to the
    size of the terms of its sum; if these terms are so small that they may be round-off, to a small
    fraction of the factors that they are made of. Affine and nonlinear constraints are tested the
    same way, at t = 0. A Lagrangian that depends on time is tested at two times.
    """
    states = sample_states(system) if states is None else states
    parts = _invariances(system, symmetry, states)
    if not np.all(np.isfinite(parts)):
        raise UsageError(
            f"{system.name()}: the tests of '{symmetry.name}' are not finite at a sampled state; "
            "give `states` away from singular points"
        )
    residual = np.max(parts, axis=0)
    return Invariance(*(float(x) for x in residual))


def _invariances(system: System, symmetry: Symmetry, states: States) -> np.ndarray:
    one = jax.tree.map(lambda x: x[0], states.q)
    k = jax.eval_shape(lambda q: symmetry(system, q), one).shape[1]
    each = jax.tree.map(lambda x: np.repeat(np.asarray(x), k, axis=0), (states.q, states.v))
    xis = np.tile(np.eye(k), (len(states.v), 1))
    return np.asarray(compiled_rows(_invariance_at, system, (*each, xis), symmetry))


def _invariance_at(system, q, v, xi, symmetry):
    times = LATER if system.has_time else LATER[:1]
    X = symmetry.field(system, xi)
    x = X(q)
    parts = groupoids.directional(system.groupoid, X, q, v), system.groupoid.ad(q, v) @ x
    lift = parts[0] + parts[1]
    # size of the terms of the lift before they cancel: its round-off is proportional to it
    long = jnp.linalg.norm(parts[0]) + jnp.linalg.norm(parts[1])

    def along(f):
        """Return the derivative of f along the lift, and the sizes of its terms and factors."""
        by_q = jax.jacfwd(lambda w: f(groupoids.move(system.groupoid, q, w), v))
        by_q, by_v = by_q(jnp.zeros(system.dim)), jax.jacfwd(lambda u: f(q, u))(v)
        slope = jnp.linalg.norm(by_v, axis=1)
        size = jnp.linalg.norm(by_q, axis=1) * jnp.linalg.norm(x) + slope * long
        # f is taken to change by about its own size over a unit of length
        whole = jnp.abs(f(q, v)) + slope * jnp.linalg.norm(v)
        return by_q @ x + by_v @ lift, size, whole * jnp.linalg.norm(x)

    def relative(value, size, whole):
        size = jnp.maximum(size, ROUGH * whole)
        return jnp.max(jnp.abs(value) / jnp.where(size > 0, size, 1.0), initial=0.0)

    def L(y, u):
        return jnp.stack([system.lagrangian_at(t, y, u) for t in times])

    moving, resting = along(L), along(lambda y, u: L(y, 0.0 * u))
    constrained = along(lambda y, u: constraint_residual(system, y, u))
    return jnp.stack([relative(*x) for x in (moving, resting, constrained)])


def require_symmetry(
    system: System, symmetry: Symmetry, states: States | None = None
) -> Invariance:
    """Raise `UsageError` if the group is not a symmetry, with the failed test and its residual."""
    result = invariance(system, symmetry, states)
    if not result.holds:
        failed = [n for n, x in zip(result._fields, result) if x > SYMMETRY_TOLERANCE]
        sizes = ", ".join(f"{n} by {getattr(result, n):.1e}" for n in failed)
        raise UsageError(
            f"'{symmetry.name}' is not a symmetry of {system.name()}: it changes the {sizes} "
            "(relative to the terms that should cancel); leave out the generators that do"
        )
    return result


# -- classes -------------------------------------------------------------------------------------


HORIZONTAL, KINEMATIC, GENERAL = "horizontal", "purely kinematic", "general"
VIOLATED, SINGULAR = "dimension assumption violated", "singular"


@dataclasses.dataclass(frozen=True)
class SymmetryClass:
    """Relation of orbits and constraints, from the ranks of sigma and N = mu sigma.

    `kind`: "horizontal" (orbits in D), "purely kinematic" (D and orbits complementary),
    "general", "dimension assumption violated" (no admissible generator, and D with the orbits
    does not span), "singular" (the dimension changes between the samples). `dim` is the dimension
    of g^q = ker N; `dims` are its values at the samples; `spans` says whether D and the orbits
    span the tangent space. `orbit` is the dimension of the orbits, which is smaller than the number
    of `generators` where the action is not free.
    """

    kind: str
    dim: int
    dims: tuple[int, ...]
    spans: bool
    orbit: int
    generators: int

    @property
    def free(self) -> bool:
        """Whether the action is free near the samples: `orbit` equals `generators`."""
        return self.orbit == self.generators

    def __str__(self) -> str:
        return f"general ({self.dim})" if self.kind == GENERAL else self.kind


def symmetry_class(
    system: System,
    symmetry: Symmetry,
    states: States | None = None,
    *,
    check: bool = True,
) -> SymmetryClass:
    """Classify a symmetry ([C02] 4.1) by ranks at several points.

    `check=False` skips the test that the group is a symmetry, which ranks alone do not show.
    """
    require_linear(system, "the class of a symmetry", affine=True)
    states = sample_states(system) if states is None else states
    if check:
        require_symmetry(system, symmetry, states)
    sigmas, Ns = (np.asarray(x) for x in compiled_rows(_meeting, system, (states.q,), symmetry))
    require_independent(symmetry, sigmas)
    values = [_ranks(sigma, N) for sigma, N in zip(sigmas, Ns)]
    dims = tuple(k - rank_N for k, _, rank_N in values)
    k, orbit, rank_N = values[0]
    spans = rank_N == Ns.shape[1]
    if any(other != values[0] for other in values):
        orbits = [each[1] for each in values]
        return SymmetryClass(SINGULAR, min(dims), dims, False, min(orbits), k)
    if rank_N == 0:
        kind = HORIZONTAL
    elif rank_N == orbit:  # no direction of the orbits is admissible
        kind = KINEMATIC if spans else VIOLATED
    else:
        kind = GENERAL
    return SymmetryClass(kind, dims[0], dims, spans, orbit, k)


def _meeting(system, q, symmetry):
    sigma = symmetry(system, q)
    mu = linear_constraint(system, q)
    size = jnp.linalg.norm(mu, axis=1, keepdims=True)
    return sigma, (mu / jnp.where(size > 0, size, 1.0)) @ sigma


def _ranks(sigma: np.ndarray, N: np.ndarray) -> tuple[int, int, int]:
    """Return (k, rank of sigma, rank of N); entries far below those of sigma count as zero."""
    scale = np.linalg.norm(sigma, axis=0, keepdims=True)
    scale = np.where(scale > 0, scale, 1.0)
    return sigma.shape[1], rank(sigma / scale, size=1.0), rank(N / scale, size=1.0)


def admissible_algebra(system: System, symmetry: Symmetry, q: Point) -> np.ndarray:
    """Return a basis of g^q = ker N(q), orthonormal columns (k, dim g^q), at one point."""
    require_linear(system, "the bundle g^q", affine=True)
    q = system.groupoid.base.check(q)
    require_full_rank(system, q)
    one = jax.tree.map(lambda x: jnp.asarray(x)[None], q)
    sigma, N = (np.asarray(x)[0] for x in compiled_rows(_meeting, system, (one,), symmetry))
    basis = np.linalg.svd(N, full_matrices=True)[2]
    return basis[rank(N, size=float(np.linalg.norm(sigma))) :].T


__all__ = [
    "Invariance",
    "Symmetry",
    "SymmetryClass",
    "admissible_algebra",
    "complete_lift",
    "invariance",
    "lifted",
    "require_independent",
    "require_symmetry",
    "structure_constants",
    "symmetry_class",
    "symmetry_names",
    "vertical_lift",
]
