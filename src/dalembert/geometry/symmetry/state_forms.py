"""Differential forms on states: omega_L, projectors of the constraint on TTQ, the bundle U.

A state near (q, v) has the coordinates z = (w, u): the point reached from q along the chart w of
the source fibre, and the fibre velocity u there. At z = (0, v) a tangent vector is a pair of fibre
components (change of q, change of v). The one-form theta_L = p dq and

    omega_L = -d theta_L,    i_X omega_L = dE + beta,    beta = -lam mu       (3.12), (3.13) [C02]

are functions of z whose exterior derivatives are computed by automatic differentiation. This works
the same on R^n, on groups and for reduced systems. Signs: section 1 of the conventions (E2, E8).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...dynamics import (
    acceleration,
    constraint_matrix,
    constraint_residual,
    energy,
    momentum,
    reaction_force,
)
from ...linalg import rank
from ...system import Point, System, compiled_call
from ..distribution.connection import Function, differential
from ..distribution.time_dependent import require_autonomous
from .generators import Symmetry, lifted

Covector = Callable[[jax.Array], jax.Array]  # function of z, of shape (2 dim,)


# -- forms near a state --------------------------------------------------------------------------


def state_at(system: System, q: Point, z: jax.Array) -> tuple[Point, jax.Array]:
    return groupoids.move(system.groupoid, q, z[: system.dim]), z[system.dim :]


def pulled_back(system: System, q: Point, z: jax.Array, covector: jax.Array) -> jax.Array:
    """Return the pull-back to changes of z of a covector on the fibre at the point of z."""
    n, groupoid = system.dim, system.groupoid
    rate = jax.vmap(lambda e: groupoid.coordinate_velocity(q, z[:n], e), 1, 1)(jnp.eye(n))
    return jnp.concatenate([jnp.linalg.solve(rate.T, covector), jnp.zeros(n)])


def _theta(system: System, q: Point) -> Covector:
    return lambda z: pulled_back(system, q, z, momentum(system, *state_at(system, q, z)))


def _beta(system: System, q: Point) -> Covector:
    """Return -lam mu; lam is the multiplier of the equations of motion, also off the constraint."""
    return lambda z: pulled_back(system, q, z, -reaction_force(system, *state_at(system, q, z)))


def _motion(system: System, q: Point) -> Covector:
    """Return the vector field of the motion in the coordinates z."""

    def field(z: jax.Array) -> jax.Array:
        x, u = state_at(system, q, z)
        moved = system.groupoid.coordinate_velocity(q, z[: system.dim], u)
        return jnp.concatenate([moved, acceleration(system, x, u)])

    return field


def exterior(form: Covector, z: jax.Array) -> jax.Array:
    """Return the exterior derivative d(form)[a, b] = d_a form_b - d_b form_a."""
    slope = jax.jacfwd(form)(z)  # [b, a]
    return slope.T - slope


def lagrangian_form(system: System, q: Point, v: jax.Array) -> jax.Array:
    """Return omega_L = -d theta_L at (q, v) as a matrix on (change of q, change of v).

    Its shape is (2 dim, 2 dim).

    On R^n with L = v.G v/2 - V and constant G: [[0, G], [-G, 0]].
    """
    z = jnp.concatenate([jnp.zeros(system.dim), v])
    return -exterior(_theta(system, q), z)


class FormEvolution(NamedTuple):
    """Both sides of L_X omega_L = d beta, (3.14) [C02]; matrices (2 dim, 2 dim)."""

    lie: jax.Array
    exact: jax.Array


def form_evolution(system: System, q: Point, v: jax.Array) -> FormEvolution:
    """Return both sides of L_X omega_L = d beta at a state, differentiated independently.

    The motion conserves omega_L only if beta is closed: without constraints, or where no reaction
    acts. With lam(q, v) of the equations of motion both sides are forms on all states,
    also off the constraint, and the equation holds there too.
    """
    require_autonomous(system, "the evolution of omega_L")
    z = jnp.concatenate([jnp.zeros(system.dim), v])
    theta, X = _theta(system, q), _motion(system, q)

    def omega(y: jax.Array) -> jax.Array:
        return -exterior(theta, y)

    form, moved = jax.jvp(omega, (z,), (X(z),))
    slope = jax.jacfwd(X)(z)  # [c, a] = d_a X^c
    return FormEvolution(moved + slope.T @ form + form @ slope, exterior(_beta(system, q), z))


# -- projectors on states ------------------------------------------------------------------------


class StateProjectors(NamedTuple):
    """Projectors on changes of the state, (2 dim, 2 dim) each (3.4.1 [C02]).

    `onto` projects onto TM along F^perp. It maps the vector field of the unconstrained motion to
    the field of the constrained motion. `within` projects onto the intersection of F and TM, along
    its complement with respect to omega_L. `within` defines the bracket.
    """

    onto: jax.Array
    within: jax.Array


def state_projectors(system: System, q: Point, v: jax.Array) -> StateProjectors:
    """Return the projectors of TTQ at a state on the constraint, which may be nonlinear.

    TM = ker d phi, F = ker (mu, 0), F^perp spanned by (0, G^-1 mu). With C = mu G^-1 mu^T regular
    (compatibility) both exist.
    """
    omega = lagrangian_form(system, q, v)
    forms = _forms(system, q, v)
    tangent, chetaev = forms.tangent, forms.chetaev
    Z = jnp.linalg.solve(omega.T, chetaev.T)  # F^perp: i_Z omega = (mu, 0)
    eye = jnp.eye(2 * system.dim)
    onto = eye - Z @ jnp.linalg.solve(tangent @ Z, tangent)
    both = jnp.concatenate([chetaev, tangent])
    W = jnp.linalg.solve(omega.T, both.T)  # omega_L-complement of F intersected with TM
    within = eye - W @ jnp.linalg.solve(both @ W, both)
    return StateProjectors(onto, within)


class _Forms(NamedTuple):
    tangent: jax.Array  # d phi on (change of q, change of v)
    chetaev: jax.Array  # (mu, 0): the annihilator of F


def _forms(system: System, q: Point, v: jax.Array) -> _Forms:
    tangent = differential(system, lambda x, u: constraint_residual(system, x, u), q, v)
    mu = constraint_matrix(system, q, v)
    return _Forms(tangent, jnp.concatenate([mu, jnp.zeros_like(mu)], axis=1))


class Admissibility(NamedTuple):
    """Whether a constraint at a state is admissible, compatible with L, homogeneous (3.4.1)."""

    admissible: bool  # mu = d phi/dv has full rank
    compatible: bool  # C = mu G^-1 mu^T is regular: F^perp and TM meet in zero
    homogeneous: bool  # v . d phi/dv = 0 on phi = 0: energy is conserved and X lies in F
    condition: float  # condition number of C with scaled rows; infinite if C is singular
    defect: float  # |mu v|, relative: zero for homogeneous constraints


_SINGULAR = 1e-10  # relative tolerance of ranks


def admissibility(system: System, q: Point, v: jax.Array) -> Admissibility:
    """Test admissibility, compatibility and homogeneity of the constraint at a state on it.

    For constraints nonlinear in v all three depend on v. A phi homogeneous in v is singular at
    v = 0.
    """
    mu, C, along, size = (
        np.asarray(x) for x in compiled_call(_admissible, system, q, jnp.asarray(v, dtype=float))
    )
    m = mu.shape[0]
    if m == 0:
        return Admissibility(True, True, True, 1.0, 0.0)
    length = np.linalg.norm(mu, axis=1, keepdims=True)
    full = rank(mu / np.where(length > 0, length, 1.0), size=1.0) == m
    scale = np.sqrt(np.abs(np.diag(C)))
    scaled = C / np.where(scale > 0, scale, 1.0)[:, None] / np.where(scale > 0, scale, 1.0)
    values = np.linalg.svd(scaled, compute_uv=False)
    condition = float(values[0] / values[-1]) if values[-1] > 0 else float("inf")
    regular = bool(full and values[-1] > _SINGULAR * max(values[0], 1.0))
    defect = float(np.max(np.abs(along) / np.where(size > 0, size, 1.0)))
    return Admissibility(full, regular, defect < 1e-9, condition, defect)


def _admissible(system, q, v):
    mu = constraint_matrix(system, q, v)
    from_metric = jax.jacfwd(lambda u: momentum(system, q, u))(v)
    C = mu @ jnp.linalg.solve(from_metric, mu.T)
    return mu, C, mu @ v, jnp.linalg.norm(mu, axis=1) * jnp.linalg.norm(v)


def state_bracket(system: System, f: Function, g: Function) -> Function:
    """Return {f, g}_M = omega_L(P X_f, P X_g) as a function of (q, v), for any constraint.

    P is `state_projectors(...).within`. For constraints linear in v the bracket is the same as
    `nonholonomic_bracket`; for nonlinear constraints f' = {f, E} holds exactly where they are
    homogeneous in v.
    """

    def bracket(q: Point, v: jax.Array) -> jax.Array:
        omega = lagrangian_form(system, q, v)
        P = state_projectors(system, q, v).within
        # i_X omega = df reads omega^T X = df
        X, Y = (jnp.linalg.solve(omega.T, differential(system, a, q, v)) for a in (f, g))
        return (P @ X) @ omega @ (P @ Y)

    return bracket


# -- the bundle U --------------------------------------------------------------------------------


class SymplecticBundle(NamedTuple):
    """The bundle U of (4.3) [C02] at a state, with the numbers that test Prop. 4.1.4.

    `dim` and `reduced` are the dimensions of U and of its projection to the states modulo G.
    `form` is omega_L on a basis of U; its `rank` is `reduced` where the reduced form is
    nondegenerate, as compatibility implies. `membership` is the distance of X from U, and
    `equation` the residual of i_X omega = dE on U. Both are relative and should be zero.
    """

    basis: np.ndarray  # (2 dim, dim U), orthonormal columns
    form: np.ndarray
    dim: int
    reduced: int
    rank: int
    membership: float
    equation: float

    @property
    def nondegenerate(self) -> bool:
        """Whether the reduced form is nondegenerate, so that it determines the reduced motion."""
        return self.rank == self.reduced


def symplectic_bundle(
    system: System, symmetry: Symmetry, q: Point, v: jax.Array
) -> SymplecticBundle:
    """Return U and omega_L on it: (4.3), Prop. 4.1.4 [C02].

    U is the intersection of F, TM and the omega_L-complement of (V intersected with F).

    V is spanned by the lifted generators of `symmetry`. (q, v) must lie on the constraint.
    """
    require_autonomous(system, "the bundle U")
    parts = compiled_call(bundle_parts, system, symmetry, q, jnp.asarray(v, dtype=float))
    omega, tangent, chetaev, lifts, X, dE = (np.asarray(x) for x in parts)
    inside = null_space(np.concatenate([chetaev, tangent]))
    length = float(np.linalg.norm(chetaev) * np.linalg.norm(lifts))
    admissible = lifts @ null_space(chetaev @ lifts, length)  # V intersected with F
    # entries of the form far below those of omega are round-off: the basis of U is orthonormal
    size = float(np.linalg.norm(omega))
    U = inside
    if admissible.size:
        length = float(np.linalg.norm(admissible))
        U = inside @ null_space(admissible.T @ omega @ inside, size * length)
    form = U.T @ omega @ U
    vertical = column_rank(lifts) + U.shape[1] - column_rank(np.concatenate([lifts, U], axis=1))
    outside = X - U @ (U.T @ X)
    defect = U.T @ (omega.T @ X - dE)
    whole = max(float(np.linalg.norm(omega.T @ X)), float(np.linalg.norm(dE)), 1e-300)
    return SymplecticBundle(
        U,
        form,
        U.shape[1],
        U.shape[1] - vertical,
        column_rank(form, size),
        float(np.linalg.norm(outside) / max(np.linalg.norm(X), 1e-300)),
        float(np.linalg.norm(defect) / whole),
    )


def bundle_parts(system, symmetry, q, v):
    """Return omega_L, rows of TM and F, lifted generators, the motion X and dE at a state."""
    forms = _forms(system, q, v)
    X = jnp.concatenate([v, acceleration(system, q, v)])
    dE = differential(system, lambda x, u: energy(system, x, u), q, v)
    lifts = lifted_generators(system, symmetry, q, v)
    return lagrangian_form(system, q, v), forms.tangent, forms.chetaev, lifts, X, dE


def lifted_generators(system: System, symmetry: Symmetry, q: Point, v: jax.Array) -> jax.Array:
    """Return the generators on states as columns (xi_Q, complete lift); shape (2 dim, k)."""
    sigma = symmetry(system, q)

    def turned(xi: jax.Array) -> jax.Array:
        return lifted(system, symmetry.field(system, xi), q, v)

    lifts = jax.vmap(turned, out_axes=1)(jnp.eye(sigma.shape[1]))
    return jnp.concatenate([sigma, lifts])


def null_space(A: np.ndarray, size: float = 0.0) -> np.ndarray:
    """Return orthonormal columns that span the kernel; rows far shorter than `size` are zero."""
    if A.shape[0] == 0:
        return np.eye(A.shape[1])
    rows = _scaled(A, size)
    return np.linalg.svd(rows, full_matrices=True)[2][rank(rows, 1e-9, size=1.0) :].T


def _scaled(A: np.ndarray, size: float = 0.0) -> np.ndarray:
    length = np.linalg.norm(A, axis=1, keepdims=True)
    small = length <= 1e-13 * max(float(np.max(length, initial=0.0)), size)
    return np.where(small, 0.0, A) / np.where(small, 1.0, length)


def column_rank(A: np.ndarray, size: float = 0.0) -> int:
    """Return the rank of the columns at unit length; those far shorter than `size` are zero."""
    return rank(_scaled(A.T, size), 1e-9, size=1.0) if A.size else 0


__all__ = [
    "Admissibility",
    "FormEvolution",
    "StateProjectors",
    "SymplecticBundle",
    "admissibility",
    "form_evolution",
    "lagrangian_form",
    "lifted_generators",
    "state_bracket",
    "state_projectors",
    "symplectic_bundle",
]
