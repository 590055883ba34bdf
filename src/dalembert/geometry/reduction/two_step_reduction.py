"""Two-step reduction, the momentum of a second symmetry, and actions that are not free.

* Purely kinematic, any action: alpha_X = i_X (h* d theta' - d h* theta')  (4.6) [C02], by
  automatic differentiation on the constraint; and the momentum of a second symmetry of the
  reduced system, J' = -alpha(eta) (4.15) [C02] (with the sign of E11).
* Two steps (4.5 [C02]): if g^q is constant, or contains a constant part, that part is reduced
  first, by its momentum, and the remaining symmetry is purely kinematic (Prop. 4.5.4).
* Actions that are not free: generators that vanish at a point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ...dynamics import acceleration, linear_constraint, momentum, projectors
from ...errors import UsageError
from ...linalg import rank
from ...system import Point, System, compiled_call
from ..distribution.growth_flag import States, require_full_rank, require_linear, sample_states
from ..symmetry.generators import (
    KINEMATIC,
    SYMMETRY_TOLERANCE,
    Symmetry,
    invariance,
    require_symmetry,
    structure_constants,
    symmetry_class,
)
from ..symmetry.momentum import momentum_map
from ..symmetry.state_forms import exterior, lifted_generators, pulled_back, state_at
from .chaplygin_reduction import Chaplygin

# -- purely kinematic ---------------------------------------------------------------------------


def kinematic_form(system: System, symmetry: Symmetry, q: Point, v: jax.Array) -> jax.Array:
    """Return alpha_X of (4.6) at a state of the constraint, on (change of q, change of v).

    Its shape is (2 dim,). Works for any purely kinematic symmetry. The form vanishes on the orbits
    and on the motion. It projects to the gyroscopic one-form, `Chaplygin.gyroscopic`.
    """
    require_linear(system, "the one-form alpha of a kinematic symmetry")
    classes = symmetry_class(system, symmetry, sample_states(system, q))
    if classes.kind != KINEMATIC:
        raise UsageError(
            f"'{symmetry.name}' is {classes} on {system.name()}: the one-form (4.6) is defined for "
            "purely kinematic symmetries only"
        )
    return compiled_call(_kinematic_form, system, symmetry, q, jnp.asarray(v, dtype=float))


def _kinematic_form(system, symmetry, q, v):
    n = system.dim
    z = jnp.concatenate([jnp.zeros(n), v])

    def retract(y):  # onto the constraint, along the metric
        x, u = state_at(system, q, y)
        return jnp.concatenate([y[:n], projectors(system, x)[0] @ u])

    def horizontal(y):
        """Return the projector on changes of q, along the orbits onto D."""
        x, _ = state_at(system, q, y)
        A, sigma = linear_constraint(system, x), symmetry(system, x)
        return jnp.eye(n) - sigma @ jnp.linalg.solve(A @ sigma, A)

    def theta(y):
        x, u = state_at(system, q, y)
        return pulled_back(system, q, y, momentum(system, x, u))

    def lifted_theta(y):  # h* theta', theta' being semi-basic
        x, u = state_at(system, q, y)
        return pulled_back(system, q, y, momentum(system, x, u) @ horizontal(y))

    def pulled(form):  # extended off the constraint by the retraction
        return lambda y: form(retract(y)) @ jax.jacfwd(retract)(y)

    lifts = lifted_generators(system, symmetry, q, v)
    # projector on changes of the state, along lifted generators onto F intersected with TM
    rows = linear_constraint(system, q)
    A = jnp.concatenate([rows, jnp.zeros_like(rows)], axis=1)
    h = jnp.eye(2 * n) - lifts @ jnp.linalg.solve(A @ lifts, A)
    X = jnp.concatenate([v, acceleration(system, q, v)])
    first = h.T @ (exterior(pulled(theta), z).T @ (h @ X))
    second = exterior(pulled(lifted_theta), z).T @ X
    return first - second


class SecondMomentum(NamedTuple):
    """J and its rate -alpha(eta), functions of (r, w), for a symmetry of the reduced motion."""

    momentum: Callable[..., jax.Array]
    rate: Callable[..., jax.Array]
    invariance: float  # relative change of L* along the group; zero for a symmetry


def second_momentum(chaplygin: Chaplygin, symmetry: Symmetry, xi: jax.Array) -> SecondMomentum:
    """Return the momentum of a second symmetry after a Chaplygin reduction: (4.15) [C02].

    J = <dL*/dw, eta>, J' = -alpha(eta), eta = the field of xi on shape space. Only L* must be
    invariant; J is conserved if alpha(eta) vanishes. Raises a `UsageError` if L* changes along the
    group.
    """
    reduced = chaplygin.reduced
    states = sample_states(reduced)
    tests = invariance(reduced, symmetry, states)
    if not tests.lagrangian <= SYMMETRY_TOLERANCE:
        raise UsageError(
            f"'{symmetry.name}' changes the reduced Lagrangian by {tests.lagrangian:.1e} of its "
            "terms: (4.15) needs a symmetry of it"
        )
    fixed = jnp.asarray(xi, dtype=float)
    J = momentum_map(reduced, symmetry, lambda r: fixed)

    def rate(r: Point, w: jax.Array) -> jax.Array:
        return -chaplygin.gyroscopic(r, w) @ symmetry.field(reduced, fixed)(r)

    return SecondMomentum(J, rate, tests.lagrangian)


# -- two steps ---------------------------------------------------------------------------------


class TwoSteps(NamedTuple):
    """Conditions of 4.5 [C02] for a horizontal reduction followed by a purely kinematic one.

    The columns of `constant` span the algebra g' of generators admissible everywhere, the
    constant sections of g^q. `trivial` says whether they are all of g^q: then g' = g_0 is an
    ideal, `ideal` tests it, and Prop. 4.5.4 applies. `isotropy` spans the algebra of G_mu for the
    momentum of g' at the first state; `second` is the class of the remaining symmetry,
    "purely kinematic" if the second step is possible.
    """

    verdict: str
    reason: str
    constant: np.ndarray
    trivial: bool
    ideal: bool
    isotropy: np.ndarray
    second: str


def two_steps(system: System, symmetry: Symmetry, states: States | None = None) -> TwoSteps:
    """Decide whether a system can be reduced by a symmetry in two steps; any group."""
    require_linear(system, "reduction in two steps")
    states = sample_states(system, count=8) if states is None else states
    require_symmetry(system, symmetry, states)
    kind = symmetry_class(system, symmetry, states, check=False)
    sigmas, Ns, J = (np.asarray(x) for x in compiled_call(_two_parts, system, symmetry, states))
    k = sigmas.shape[2]
    # scale each state by the size of its generators; constraint rows have unit length
    Ns = Ns / np.maximum(np.linalg.norm(sigmas, axis=(1, 2)), 1e-300)[:, None, None]
    constant = _kernel(Ns.reshape(-1, k), 1.0)
    trivial = constant.shape[1] == kind.dim and kind.kind != "singular"
    c = structure_constants(system, symmetry, jax.tree.map(lambda x: x[0], states.q))
    brackets = np.einsum("abc,cd->abd", c, constant).reshape(k, -1)  # [e_b, constant_d]
    outside = brackets - constant @ (constant.T @ brackets)
    ideal = float(np.max(np.abs(outside), initial=0.0)) <= 1e-8 * max(float(np.max(np.abs(c))), 1.0)
    # zeta with <mu, [zeta, eta]> = 0 for eta in g'
    moved = np.einsum("a,abc,cd->db", J[0], c, constant)
    isotropy = _kernel(moved, max(float(np.linalg.norm(J[0])), 1e-300)) if moved.size else np.eye(k)
    m = Ns.shape[1]
    ranks = {rank(N @ isotropy, size=1.0) for N in Ns}
    second = KINEMATIC if ranks == {m} else "dimension assumption violated"
    if constant.shape[1] == 0:
        verdict, reason = "does not apply", "no generator is admissible everywhere: g' = 0"
    elif not trivial:
        verdict = "inconclusive"
        reason = (
            f"g' has dimension {constant.shape[1]}, g^q {kind.dim}: the first step is possible, "
            "and Prop. 4.5.4 is about the case where they agree"
        )
    elif kind.dim == k:
        verdict, reason = "one step", "the symmetry is horizontal: nothing is left for a second"
    elif second != KINEMATIC:
        verdict = "no"
        reason = f"G_mu of the first step leaves {second} (ranks {sorted(ranks)} of {m})"
    else:
        verdict, reason = "yes", ""
    return TwoSteps(verdict, reason, constant, trivial, ideal, isotropy, second)


def _two_parts(system, symmetry, states):
    def at(q, v):
        sigma, A = symmetry(system, q), linear_constraint(system, q)
        length = jnp.linalg.norm(A, axis=1, keepdims=True)
        rows = A / jnp.where(length > 0, length, 1.0)
        return sigma, rows @ sigma, momentum(system, q, v) @ sigma

    return jax.vmap(at)(states.q, states.v)


def _kernel(A: np.ndarray, size: float) -> np.ndarray:
    basis = np.linalg.svd(A, full_matrices=True)[2]
    return basis[rank(A, 1e-9, size=max(size, 1e-300)) :].T


# -- stabilizers -----------------------------------------------------------------------------------


class Stabilizer(NamedTuple):
    """Generators that vanish at a point: `basis` (k, d). `near` is their number at nearby points.

    `singular`: more vanish here than nearby, so that the orbit space is not a manifold at this
    orbit and theorems about free actions do not apply. `free`: none vanishes here or nearby.
    """

    basis: np.ndarray
    near: int
    singular: bool
    free: bool


def stabilizer(system: System, symmetry: Symmetry, q: Point) -> Stabilizer:
    """Find the generators that vanish at q; more than at random points nearby is singular."""
    q = system.groupoid.base.check(q)
    require_full_rank(system, q)
    points = sample_states(system, q, count=5).q
    sigmas = np.asarray(compiled_call(_sigmas, system, symmetry, points))
    # scale each point by its own generators; q, where all may vanish, by those nearby
    sizes = np.maximum(np.linalg.norm(sigmas, axis=(1, 2)), 1e-300)
    sizes[0] = max(sizes[0], float(np.min(sizes[1:])))
    dims = [x.shape[1] - rank(x, 1e-9, size=float(s)) for x, s in zip(sigmas, sizes)]
    near = min(dims[1:])
    basis = _kernel(sigmas[0], float(sizes[0]))
    return Stabilizer(basis, near, dims[0] > near, max(dims) == 0)


def _sigmas(system, symmetry, points):
    return jax.vmap(lambda x: symmetry(system, x))(points)


__all__ = [
    "SecondMomentum",
    "Stabilizer",
    "TwoSteps",
    "kinematic_form",
    "second_momentum",
    "stabilizer",
    "two_steps",
]
