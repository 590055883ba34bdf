"""Levels of the nonholonomic momentum: test whether the motion stays on the level of a section mu.

The momentum of a general symmetry is not constant, so the level is given by a section mu of the
dual of g^q instead of a constant value ([C02] 4.4.1). With sections xi_i of g^q and f_i = <mu,
xi_i> - J_i the level is f = 0, and

    X(<mu, xi_i>) = Xi_i^c(L)   on the level: the motion stays on it             (4.21) [C02]
    {f_i, chi} = 0  for all chi invariant under G_mu: the bracket reduces        (4.24) [C02]
    {f_i, sigma} = 0  for all sigma invariant under G: the level is an almost-Poisson subset of
                      the states modulo G                                (4.26), (4.27) [C02]

The last two conditions are tested without choosing invariant functions: the vectors M df_i, with M
the matrix of the bracket, must lie in the span of the lifted generators of G_mu, or of G.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ...dynamics import acceleration, energy, linear_constraint, metric, momentum
from ...errors import UsageError
from ...groups import Euclidean
from ...linalg import rank, solve_spd
from ...system import Point, System, compiled_call
from ..distribution.connection import bracket_matrix, differential
from ..distribution.growth_flag import States, require_linear, sample_states
from ..symmetry.generators import SYMMETRY_TOLERANCE, Symmetry, require_symmetry
from ..symmetry.state_forms import bundle_parts, column_rank, lifted_generators, null_space
from .momentum_reduction import Reduction

Sections = Callable[[Point], jax.Array]  # q -> columns that span g^q, shape (k, dim g^q)
Values = Callable[[Point], jax.Array]  # q -> <mu, xi_i>, shape (dim g^q,)


@dataclasses.dataclass(frozen=True)
class LevelTests:
    """Results of `level_tests` for a section mu of the momentum bundle, on states of its level.

    All residuals are relative. The columns of `isotropy` span the algebra of G_mu.
    """

    sections: float  # largest violation of the constraint by the sections
    regular: bool  # the level is a submanifold (Prop. 4.4.6)
    tangency: float  # residual of (4.21): the motion stays on the level
    isotropy: np.ndarray  # (k, dim of G_mu)
    reducible: float  # residual of (4.24)
    mapping: float  # residual of (4.27)
    tolerance: float = SYMMETRY_TOLERANCE

    @property
    def kept(self) -> bool:
        """Whether the motion stays on the level: it is regular and (4.21) holds."""
        return self.regular and self.tangency <= self.tolerance

    @property
    def bracket(self) -> str:
        """How the bracket reduces: by (4.24), by (4.27), or not at all."""
        if not self.kept:
            return "does not apply: the motion leaves the level"
        if self.reducible <= self.tolerance:
            return "reduced: (4.24) holds"
        if self.mapping <= self.tolerance:
            return "of a map to the states modulo G: (4.27) holds, (4.24) does not"
        return "not determined: neither (4.24) nor (4.27) holds"

    def __str__(self) -> str:
        k, dim = self.isotropy.shape
        return (
            f"level of the nonholonomic momentum: {'kept' if self.kept else 'not kept'}\n"
            f"  (4.21) {self.tangency:.1e}, regular: {'yes' if self.regular else 'no'}\n"
            f"  G_mu has dimension {dim} of {k}\n"
            f"  bracket {self.bracket} ((4.24) {self.reducible:.1e}, (4.27) {self.mapping:.1e})"
        )


def level_tests(
    system: System,
    symmetry: Symmetry,
    sections: Sections,
    mu: Values,
    states: States | None = None,
) -> LevelTests:
    """Test (4.21), (4.24), (4.27) on states of the level <J, xi_i> = mu_i(q).

    `sections(q)` returns columns that span g^q, `mu(q)` the values on them. The points of `states`
    are used; their velocities are projected onto the level. Needs A(q) v = 0 and L quadratic
    in v.
    """
    require_linear(system, "a level of the nonholonomic momentum")
    require_symmetry(system, symmetry)
    states = sample_states(system, count=8) if states is None else states
    parts = compiled_call(_level, system, symmetry, sections, mu, states)
    off, slopes, rates, sizes, moved, hamiltonian, lifts, whole = (np.asarray(x) for x in parts)
    if not all(np.all(np.isfinite(x)) for x in (slopes, rates, hamiltonian, lifts)):
        raise UsageError(
            f"{system.name()}: the momentum level is not finite at a sampled state; pass `states` "
            "at which the sections span g^q, away from singular points"
        )
    dim = slopes.shape[1]
    regular = all(rank(x) == dim for x in slopes)
    # constant xi along which every f_i is invariant at every state
    # The terms at each state are divided by the largest term at that state.
    own = np.maximum(np.max(np.abs(moved), axis=2), sizes)
    stacked = (moved / np.maximum(own, 1e-300)[..., None]).reshape(-1, moved.shape[-1])
    basis = np.linalg.svd(stacked, full_matrices=True)[2]
    isotropy = basis[rank(stacked, SYMMETRY_TOLERANCE, size=1.0) :].T
    return LevelTests(
        float(np.max(off)),
        regular,
        float(np.max(np.abs(rates) / np.maximum(sizes, 1e-300))),
        isotropy,
        _outside(hamiltonian, lifts @ isotropy, whole),
        _outside(hamiltonian, lifts, whole),
    )


def _outside(vectors: np.ndarray, spans: np.ndarray, sizes: np.ndarray) -> float:
    """Return the largest part of vectors (states, 2 n, r) outside the spans of (states, 2 n, k)."""
    worst = 0.0
    for x, span, size in zip(vectors, spans, sizes):
        if span.shape[1]:
            x = x - span @ np.linalg.lstsq(span, x, rcond=1e-12)[0]
        worst = max(worst, float(np.max(np.abs(x), initial=0.0) / max(float(size), 1e-300)))
    return worst


def _level(system, symmetry, sections, mu, states):
    def at(q, v):
        def f(x, u):
            Xi = symmetry(system, x) @ sections(x)
            return mu(x) - momentum(system, x, u) @ Xi

        v = level_velocity(system, symmetry, sections, mu, q, v)
        A, Xi = linear_constraint(system, q), symmetry(system, q) @ sections(q)
        size = jnp.linalg.norm(A) * jnp.linalg.norm(Xi)
        off = jnp.max(jnp.abs(A @ Xi), initial=0.0) / jnp.where(size > 0, size, 1.0)
        d, M = differential(system, f, q, v), bracket_matrix(system, q, v)
        lifts = lifted_generators(system, symmetry, q, v)
        motion = jnp.concatenate([v, acceleration(system, q, v)])
        long = jnp.linalg.norm(d, axis=1) * jnp.linalg.norm(motion)
        P = jnp.eye(system.dim) - jnp.linalg.pinv(A) @ A
        slopes = d[:, system.dim :] @ P  # derivatives along admissible velocities
        whole = jnp.linalg.norm(M) * jnp.linalg.norm(d)
        return off, slopes, d @ motion, long, d @ lifts, M @ d.T, lifts, whole

    return jax.vmap(at)(states.q, states.v)


def level_velocity(
    system: System, symmetry: Symmetry, sections: Sections, mu: Values, q: Point, v: jax.Array
) -> jax.Array:
    """Return the admissible velocity with momentum mu(q) that is nearest to v in the metric."""
    G, A = metric(system, q), linear_constraint(system, q)
    Xi = symmetry(system, q) @ sections(q)
    rest = momentum(system, q, jnp.zeros(system.dim)) @ Xi
    rows = jnp.concatenate([A, Xi.T @ G])
    wanted = jnp.concatenate([jnp.zeros(A.shape[0]), mu(q) - rest])
    raised = solve_spd(G, rows.T)
    return v - raised @ jnp.linalg.solve(rows @ raised, rows @ v - wanted)


# -- the bundle U_mu -----------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class LevelBundle:
    """U_mu of (4.22) [C02] and omega_mu at a state of a level, with the tests of Prop. 4.4.10.

    The orthonormal columns of `basis` span U_mu, `form` is omega_L on them. `dim` and `reduced`
    are the dimensions of U_mu and of its projection to the level modulo G_mu, `rank` is that of the
    reduced form. `membership` is the distance of X from U_mu, `equation` the residual of
    i_X omega = dE on it, (4.23). Both are relative, and zero if the motion stays on the level.
    """

    basis: np.ndarray  # (2 dim, dim U_mu)
    form: np.ndarray
    dim: int
    reduced: int
    rank: int
    isotropy: np.ndarray  # columns that span the algebra of G_mu
    membership: float
    equation: float

    @property
    def nondegenerate(self) -> bool:
        """Whether (4.23) determines the reduced motion; it need not (Remark 4.4.11)."""
        return self.rank == self.reduced


def level_bundle(
    system: System,
    symmetry: Symmetry,
    sections: Sections,
    mu: Values,
    q: Point,
    v: jax.Array,
    *,
    isotropy: np.ndarray | None = None,
) -> LevelBundle:
    """Return U_mu and omega_L on it: (4.22), (4.23) [C02].

    U_mu is the intersection of F, T(level) and the omega_L-complement of (V_mu intersected with F).
    The level is <J, xi_i> = mu_i(q) as in `level_tests`, and (q, v) must be a state on it and on
    the constraint, else a `UsageError` is raised. The columns of `isotropy` span the algebra of
    G_mu, by default as found by `level_tests`. Prop. 4.4.10 holds where the motion stays on the
    level, (4.21): `membership` and `equation` are then round-off.
    """
    require_linear(system, "the bundle U_mu")
    q, v = system.groupoid.base.check(q), jnp.asarray(v, dtype=float)
    if isotropy is None:
        isotropy = level_tests(system, symmetry, sections, mu).isotropy
    else:
        require_symmetry(system, symmetry)
    columns = np.asarray(isotropy, dtype=float)
    parts = compiled_call(_level_parts, system, symmetry, sections, mu, q, v)
    omega, tangent, chetaev, lifts, X, dE, df, miss, size = (np.asarray(x) for x in parts)
    if np.any(np.abs(miss) > 1e-8 * np.maximum(size, 1e-300)):
        near = np.asarray(level_velocity(system, symmetry, sections, mu, q, v))
        raise UsageError(
            f"{system.name()}: (q, v) is off the level or the constraint by "
            f"{np.max(np.abs(miss)):.1e}; take v = {near.tolist()}"
        )
    inside = null_space(np.concatenate([chetaev, tangent, df]))
    lifts = lifts @ columns
    vertical = np.zeros((len(omega), 0))
    if columns.shape[1]:
        length = float(np.linalg.norm(chetaev) * np.linalg.norm(lifts))
        vertical = lifts @ null_space(chetaev @ lifts, length)
    whole = float(np.linalg.norm(omega))
    U = inside
    if vertical.size:
        U = inside @ null_space(
            vertical.T @ omega @ inside, whole * float(np.linalg.norm(vertical))
        )
    form, outside = U.T @ omega @ U, X - U @ (U.T @ X)
    both = np.concatenate([lifts, U], axis=1)
    shared = column_rank(lifts) + U.shape[1] - column_rank(both)
    right = max(float(np.linalg.norm(omega.T @ X)), float(np.linalg.norm(dE)), 1e-300)
    return LevelBundle(
        U,
        form,
        U.shape[1],
        U.shape[1] - shared,
        column_rank(form, whole),
        columns,
        float(np.linalg.norm(outside) / max(np.linalg.norm(X), 1e-300)),
        float(np.linalg.norm(U.T @ (omega.T @ X - dE)) / right),
    )


def _level_parts(system, symmetry, sections, mu, q, v):
    def f(x, u):
        return mu(x) - momentum(system, x, u) @ (symmetry(system, x) @ sections(x))

    df, p = differential(system, f, q, v), momentum(system, q, v)
    Xi, A = symmetry(system, q) @ sections(q), linear_constraint(system, q)
    terms = [jnp.linalg.norm(A, axis=1), jnp.linalg.norm(p) * jnp.linalg.norm(Xi, axis=0)]
    sizes = jnp.concatenate([terms[0] * jnp.linalg.norm(v), terms[1] + jnp.abs(mu(q))])
    miss = jnp.concatenate([A @ v, f(q, v)])
    return *bundle_parts(system, symmetry, q, v), df, miss, sizes


# -- the reduced bracket -----------------------------------------------------------------------


def reduced_bracket(
    reduction: Reduction, mu: Callable[[Point], jax.Array]
) -> Callable[[Point, jax.Array], jax.Array]:
    """Return the matrix of {,}_mu on the level p = mu(r) modulo G, as a function of (r, w).

    Its shape is (2 s, 2 s), with entries in the frame of shape space. Well defined where (4.27)
    holds and G_mu = G; then z' = {z, E_mu} with E_mu of `level_energy`.
    """
    system, s = reduction.system, reduction.shape

    def at(r: Point, w: jax.Array) -> jax.Array:
        q, v = reduction.lift(r, reduction.group.identity(), reduction.velocity(r, w, mu(r)))
        T = reduction.chart.frame(r, reduction.group.identity())

        def shape_velocity(x: Point, y: jax.Array) -> jax.Array:
            a, g = reduction.chart.split(x)
            return jnp.linalg.solve(reduction.chart.frame(a, g), y)[:s]

        above = jnp.concatenate([jnp.linalg.inv(T)[:s], jnp.zeros((s, system.dim))], axis=1)
        rows = jnp.concatenate([above, differential(system, shape_velocity, q, v)])
        return rows @ bracket_matrix(system, q, v) @ rows.T

    return at


def level_energy(
    reduction: Reduction, mu: Callable[[Point], jax.Array]
) -> Callable[[Point, jax.Array], jax.Array]:
    """Return E_mu(r, w), the energy on the level p = mu(r)."""

    def value(r: Point, w: jax.Array) -> jax.Array:
        u = reduction.velocity(r, w, mu(r))
        return energy(reduction.system, *reduction.lift(r, reduction.group.identity(), u))

    return value


def bracket_jacobiator(
    reduction: Reduction, mu: Callable[[Point], jax.Array], r: Point, w: jax.Array
) -> jax.Array:
    """Return the Jacobiator of {,}_mu for the coordinates (r, w): zero for a Poisson bracket."""
    if not isinstance(reduction.base, Euclidean):
        raise UsageError("the Jacobi identity of {,}_mu is tested for shapes in R^s only")
    bracket, s = reduced_bracket(reduction, mu), reduction.shape
    z = jnp.concatenate([r, w])
    B = bracket(r, w)
    dB = jax.jacfwd(lambda y: bracket(y[:s], y[s:]))(z)  # [a, b, c] = d_c B_ab
    cyclic = jnp.einsum("abd,dc->abc", dB, B)
    return cyclic + jnp.transpose(cyclic, (1, 2, 0)) + jnp.transpose(cyclic, (2, 0, 1))


__all__ = [
    "LevelTests",
    "bracket_jacobiator",
    "level_energy",
    "level_tests",
    "level_velocity",
    "reduced_bracket",
]
