"""Continuous nonholonomic mechanics: metric, projectors, multipliers, acceleration, energy.

Everything follows from the Lagrangian and the constraint by automatic differentiation, on any
groupoid. With p = dL/dv and phi the stacked constraints, the equations solved are

    dp/dt = ad_v^T p + dL/dq + mu^T lam + F,    phi(t, q, v) = 0,    mu = dphi/dv

where derivatives in q are taken along the fibre (on R^n: ordinary derivatives, ad = 0). The
reaction force is +mu^T lam (docs/notation.md).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Bool

from . import groupoids
from .compile.tracing import rarely, round_off, traced_once
from .doors import guard as _guard
from .errors import UsageError
from .linalg import (
    OK,
    Columns,
    Forms,
    Matrix,
    Newton,
    Pairing,
    PerConstraint,
    Real,
    Scalar,
    Vector,
    solve_spd,
)
from .system import MechanicalSystem, Point, System, compiled_call, is_traced

Time = Real


def _time(system: System, t: Time | None) -> Time:
    """Return t, or 0 if it is None and the constraint does not depend on time.

    Raises `UsageError` if t is None and the system has a `constraint(t, q)`: a time is never
    assumed.
    """
    if t is None and system.has_timed_constraint:
        raise UsageError(
            f"{system.name()}: its constraint depends on time, constraint(t, q): give t, or take "
            "the system at one instant, geometry.at_time(system, t)"
        )
    return 0.0 if t is None else t


# _SOFT is the compliance of rows that may be linearly dependent, relative to the mean of the
# diagonal of C. The split of the reaction among them has a round-off of eps/_SOFT = 2e-9. It also
# makes the reactions too small; each of the _SOLVES solves reduces this error by the factor
# _SOFT/(smallest eigenvalue of C, relative to that mean): for an eigenvalue of 1e-3 it is below
# 1e-12 after three solves.
_SOFT, _SOLVES = 1e-7, 3


def solve_reactions(system: System, C: Pairing, b: Columns) -> Columns:
    """Solve C x = b with C = mu G^-1 mu^T of all linear or all holonomic constraints.

    For rows that are off (`System.switches`), x equals b, which is 0 there. If rows may be linearly
    dependent (`System.is_redundant`), x is the limit of reactions of springs under the rows as the
    springs become stiff: the solution of least stored energy. `Switches.soft` may give the springs
    different compliances; by default they are equal.
    """
    if system.switches is not None:
        C = C + jnp.diag(1.0 - system.switches.rows[: C.shape[0]])
    if not system.is_redundant:
        return solve_spd(C, b)
    soft = C + jnp.diag(_softness(system, C))
    x = solve_spd(soft, b)
    for _ in range(_SOLVES - 1):
        x = x + solve_spd(soft, b - C @ x)
    return x


def _softness(system: System, C: Pairing) -> PerConstraint:
    """Return the compliance of each constraint row; only if rows may be linearly dependent."""
    on, soft = jnp.ones(C.shape[0]), 1.0
    if system.switches is not None:
        on = system.switches.rows[: C.shape[0]]
        if system.switches.soft is not None:
            soft = system.switches.soft[: C.shape[0]]
    mean = jnp.sum(jnp.diagonal(C) * on) / jnp.maximum(jnp.sum(on), 1.0)
    return _SOFT * on * mean * soft


def row_shift(system: System, C: Pairing) -> Pairing | None:
    """Return the diagonal matrix to add to C to make it regular; None if C is regular already.

    Its entry for a row is 1 if the row is off, plus the compliance if rows may be dependent.
    """
    if system.switches is None and not system.is_redundant:
        return None
    shift = jnp.zeros(C.shape[0])
    if system.switches is not None:
        shift = 1.0 - system.switches.rows[: C.shape[0]]
    return jnp.diag(shift + _softness(system, C) if system.is_redundant else shift)


def momentum(system: System, q: Point, v: Vector, t: Time = 0.0) -> Vector:
    """Return the momentum p = dL/dv."""
    # every caller passes arguments of the same types, so that `_momentum` is traced only once
    return _momentum(system, q, v, t if system.has_time else 0.0)


@traced_once
def _momentum(system: System, q: Point, v: Vector, t: Time) -> Vector:
    if isinstance(system, MechanicalSystem):
        return system.mass_matrix @ v
    if system.closed is not None:
        return metric(system, q) @ v
    return jax.grad(lambda w: system.lagrangian_at(t, q, w))(v)


def metric(system: System, q: Point, v: Vector | None = None, t: Time = 0.0) -> Matrix:
    """Return G = d^2 L/dv^2 at (q, v); v matters only if L is not quadratic in v."""
    if isinstance(system, MechanicalSystem):
        return system.mass_matrix
    # every caller passes arguments of the same types, so that these are traced only once
    if system.closed is not None:
        return _closed_metric(system, q)
    return _metric(system, q, _at_rest(system, v), t if system.has_time else 0.0)


@traced_once
def _closed_metric(system: System, q: Point) -> Matrix:
    assert system.closed is not None
    return system.closed.mass_matrix(q)


@traced_once
def _metric(system: System, q: Point, v: Vector, t: Time) -> Matrix:
    return jax.jacfwd(lambda w: momentum(system, q, w, t))(v)


def velocity(system: System, q: Point, p: Vector, t: Time = 0.0) -> Vector:
    """Return v with dL/dv = p, for a Lagrangian quadratic in v (linear terms are allowed)."""
    return solve_spd(metric(system, q, None, t), p - drift_momentum(system, q, t))


def drift_momentum(system: System, q: Point, t: Time = 0.0) -> Vector:
    """Return dL/dv at v = 0: zero unless L has a term linear in v (a magnetic one, say)."""
    return momentum(system, q, jnp.zeros(system.dim), t)


def energy(system: System, q: Point, v: Vector, t: Time = 0.0) -> Scalar:
    """Return the energy E = p.v - L."""
    return momentum(system, q, v, t) @ v - system.lagrangian_at(t, q, v)


def energy_is_conserved(system: System) -> bool:
    """Return whether the energy is known to be conserved, from the kind of constraint.

    True if the constraints are linear in v without right-hand side, no external force acts and L
    does not depend on time. The reaction of A(t, q) v = 0 does no work, however A depends on time.
    A nonlinear constraint conserves the energy only if it is homogeneous in v; the system
    states this by `conserves_energy`.
    """
    if system.conserves_energy is not None:
        return system.conserves_energy
    return not (system.has_offset or system.has_force or system.is_nonlinear or system.has_time)


@traced_once
def written(system: System, name: str, *given: Any) -> jax.Array:
    """Call the method `name` of the system with the arguments `given`; traced once."""
    return getattr(system, name)(*given)


def linear_constraint(system: System, q: Point, t: Time | None = None) -> Forms:
    """Return the rows of the constraints linear in v: the holonomic Dg(q), then `constraint`."""
    t = _time(system, t)
    return _linear_constraint(system, q, t if system.has_timed_constraint else 0.0)


@traced_once
def _linear_constraint(system: System, q: Point, t: Time) -> Forms:
    if system.closed is not None:
        return system.closed.rows(q)
    rows = system.constraint_at(t, q)
    return jnp.concatenate([holonomic_rows(system, q), rows]) if system.has_holonomic else rows


@traced_once
def holonomic_rows(system: System, q: Point) -> Forms:
    """Return Dg(q) of the holonomic functions: the first rows of `linear_constraint`."""
    if system.closed is not None:
        return system.closed.rows(q)[: system.holonomic(q).shape[0]]
    g = jax.jacfwd(lambda w: system.holonomic(groupoids.move(system.groupoid, q, w)))
    return g(jnp.zeros(system.dim))


def linear_offset(system: System, t: Time, q: Point) -> PerConstraint:
    """Return the right-hand side of the constraints linear in v: zero for the holonomic ones."""
    b = system.offset(jnp.asarray(t, dtype=float), q)
    if not system.has_holonomic:
        return b
    return jnp.concatenate([jnp.zeros(system.holonomic(q).shape[0]), b])


@traced_once
def constraint_residual(
    system: System, q: Point, v: Vector, t: Time | None = None
) -> PerConstraint:
    """Return phi(t, q, v), which is zero on the constraint; shape (m,)."""
    t = jnp.asarray(_time(system, t), dtype=float)
    closed = system.closed
    linear = linear_constraint(system, q, t) @ v if closed is None else closed.rates(q, v)
    if system.has_offset:
        linear = linear - linear_offset(system, t, q)  # (24) [F15]
    if not system.is_nonlinear:
        return linear
    return jnp.concatenate([linear, system.velocity_constraint(t, q, v)])


class Sizes(NamedTuple):
    """The residual of each constraint row, with two scales to compare it with.

    `terms` is the sum of the sizes of the terms, sum_j |mu_j v_j| + |right-hand side|. `norm` has
    |mu| |v| in place of this sum. For a blade that points along x the sum is the sideways velocity
    alone, which is itself round-off of the forward velocity: then `norm` is the right scale.
    """

    residual: PerConstraint
    terms: PerConstraint
    norm: PerConstraint


def constraint_terms(
    system: System, q: Point, v: Vector, t: Time | None = None
) -> tuple[PerConstraint, PerConstraint]:
    """Return (residual, terms) of `constraint_sizes`, without the norm, which few callers need."""
    t = _time(system, t)
    phi, mu = constraint_residual(system, q, v, t), constraint_matrix(system, q, v, t)
    return phi, jnp.abs(mu) @ jnp.abs(v) + _right_side(system, q, v, t)


def constraint_sizes(system: System, q: Point, v: Vector, t: Time | None = None) -> Sizes:
    """Return phi(t, q, v) with the sizes of the terms that cancel in it."""
    t = _time(system, t)
    phi, terms = constraint_terms(system, q, v, t)
    mu = constraint_matrix(system, q, v, t)
    norm = jnp.sqrt(jnp.sum(mu**2, axis=1) * jnp.sum(v**2))
    return Sizes(phi, terms, norm + _right_side(system, q, v, t))


def _right_side(system: System, q: Point, v: Vector, t: Time) -> PerConstraint | float:
    """Return |mu v - phi| plus |t dphi/dt|, because the round-off of a large t counts."""
    if not (system.has_offset or system.is_nonlinear or system.has_timed_constraint):
        return 0.0
    phi, mu = constraint_residual(system, q, v, t), constraint_matrix(system, q, v, t)
    now = jnp.asarray(t, dtype=float)
    change = jax.jvp(lambda s: constraint_residual(system, q, v, s), (now,), (now,))[1]
    return jnp.abs(mu @ v - phi) + jnp.abs(change)


def holonomic_terms(system: System, q: Point) -> tuple[PerConstraint, PerConstraint]:
    """Return (g, scale): the holonomic functions and |Dg| |q|, the scale of their round-off.

    |q| is taken as at least 1e-4, so that the scale does not vanish at the origin.
    """
    g = system.holonomic(q)
    rows = holonomic_rows(system, q)
    far = [jnp.max(jnp.abs(x), initial=1e-4) for x in jax.tree.leaves(q)]
    return g, jnp.sqrt(jnp.sum(rows**2, axis=1)) * jnp.max(jnp.stack(far))


def constraint_matrix(system: System, q: Point, v: Vector, t: Time | None = None) -> Forms:
    """Return mu = dphi/dv; shape (m, dim)."""
    t = _time(system, t)
    if not system.is_nonlinear:
        return linear_constraint(system, q, t)
    return jax.jacfwd(lambda w: constraint_residual(system, q, w, t))(v)


def projectors(
    system: System, q: Point, v: Vector | None = None, t: Time | None = None
) -> tuple[Matrix, Matrix]:
    """Return (P, Q), the G-orthogonal projectors of velocities onto ker mu and its complement.

    Q = G^-1 mu^T C^-1 mu with C = mu G^-1 mu^T; on momenta their transposes act.
    """
    t = _time(system, t)
    mu = constraint_matrix(system, q, _at_rest(system, v), t)
    raised = solve_spd(metric(system, q, v, t), mu.T)
    Q = raised @ solve_reactions(system, mu @ raised, mu)  # section 2 [F15], before (5)
    return jnp.eye(system.dim) - Q, Q


def free_acceleration(system: System, q: Point, v: Vector, t: Time = 0.0) -> Vector:
    """Return dv/dt without the constraints: G^-1 (ad_v^T p + dL/dq - (dp/dq) v + F)."""
    return solve_spd(metric(system, q, v, t), _free_force(system, q, v, t))


def multipliers(system: System, q: Point, v: Vector, t: Time | None = None) -> PerConstraint:
    """Return lam of the reaction force mu^T lam; shape (m,)."""
    return solved(system, q, v, t).multipliers


def acceleration(system: System, q: Point, v: Vector, t: Time | None = None) -> Vector:
    """Return dv/dt on the constraint (of the fibre velocity; on R^n the ordinary acceleration)."""
    return solved(system, q, v, t).acceleration


def reaction_force(system: System, q: Point, v: Vector, t: Time | None = None) -> Vector:
    """Return mu^T lam, the covector of the reaction force."""
    return constraint_matrix(system, q, v, t).T @ multipliers(system, q, v, t)


def consistent_velocity(
    system: System, q: Point, v: Vector, t: Time | None = None, *, iterations: int = 20
) -> Vector:
    """Return the velocity on the constraint nearest to v in the kinetic-energy metric.

    Linear and affine constraints take one projection, repeated once against round-off. For
    nonlinear constraints, `iterations` projections lead to a velocity w on the constraint; from w
    Newton's method goes to the nearest one, G (w - v) + mu(w)^T nu = 0. If this fails, the
    velocity w is returned.
    """
    v = jnp.asarray(v, dtype=float)
    if not system.is_constrained:
        return v
    given = q, v, jnp.asarray(_time(system, t), dtype=float)
    if is_traced((system, given)):
        return _consistent_velocity(system, *given, iterations)
    # outside of jit, JAX would compile the loop again in every call
    q = jax.tree.map(lambda x: jnp.asarray(x, dtype=float), q)
    return compiled_call(_consistent_velocity, system, q, *given[1:], iterations)


def _consistent_velocity(system: System, q: Point, v: Vector, t: Time, iterations: int) -> Vector:
    def project(v):
        return projected(system, q, v, t)

    # the second projection removes the round-off that an ill-conditioned C left in the first
    near = lax.fori_loop(0, iterations if system.is_nonlinear else 2, lambda _, w: project(w), v)
    return project(_nearest(system, q, v, t, near)) if system.is_nonlinear else near


def consistent_position(system: System, q: Point, t: Time = 0.0, *, iterations: int = 20) -> Point:
    """Return a point near q with holonomic(q) = 0, by projections along G^-1 Dg^T.

    Without holonomic constraints q itself is returned.
    """
    if not system.has_holonomic:
        return q

    def project(_, x):
        g = system.holonomic(x)
        rows = holonomic_rows(system, x)
        raised = solve_spd(metric(system, x, None, t), rows.T)
        pull = solve_reactions(system, rows @ raised, g)
        return groupoids.move(system.groupoid, x, -raised @ pull)

    return lax.fori_loop(0, iterations, project, q)


def projected(system: System, q: Point, v: Vector, t: Time | None = None) -> Vector:
    """Project v once, in the metric, onto the constraint linearized at v.

    After an iteration that ends on the constraint, this removes the round-off of v, which may be
    large compared with v because v is a sum of large terms that cancel.
    """
    return projection(system, q, v, t)[0]


@traced_once
def projection(
    system: System, q: Point, v: Vector, t: Time | None = None
) -> tuple[Vector, Bool[jax.Array, ""]]:
    """Return (`projected` v, whether v was on the constraint already up to round-off)."""
    t = _time(system, t)
    if not system.is_constrained:
        return v, jnp.asarray(True)
    residual = constraint_residual(system, q, v, t)
    mu = constraint_matrix(system, q, v, t)

    def moved():
        raised = solve_spd(metric(system, q, v, t), mu.T)
        pairing = mu @ raised
        near = v - raised @ solve_reactions(system, pairing, residual)
        # a removed part that was large compared with v leaves its round-off: project again
        left = constraint_residual(system, q, near, t)
        return near - raised @ solve_reactions(system, pairing, left)

    fine = is_round_off(residual, mu, v)
    return rarely(~fine, moved, lambda: v), fine


def is_round_off(residual: PerConstraint, mu: Forms, v: Vector) -> jax.Array:
    """Return whether the residual mu v - b is round-off of the terms of mu v, in every row."""
    return jnp.all(jnp.abs(residual) <= 4 * round_off() * (jnp.abs(mu) @ jnp.abs(v)))


def _nearest(system: System, q: Point, v: Vector, t: Time, near: Vector) -> Vector:
    G, n = metric(system, q, v, t), system.dim

    def conditions(x):
        mu = constraint_matrix(system, q, x[:n], t)
        pull = G @ (x[:n] - v) + mu.T @ x[n:]
        return jnp.concatenate([pull, constraint_residual(system, q, x[:n], t)])

    mu = constraint_matrix(system, q, near, t)
    nu = solve_spd(mu @ solve_spd(G, mu.T), mu @ (v - near))
    scale = jnp.max(jnp.abs(G)) * (jnp.max(jnp.abs(v)) + jnp.max(jnp.abs(near)))
    root = Newton().solve(conditions, jnp.concatenate([near, nu]), scale=scale + 1e-300)
    return jnp.where(root.result == OK, root.x[:n], near)


def parasitic_matrix(system: System, q: Point, v: Vector, t: Time | None = None) -> Pairing:
    """Return K in eps' = K eps, the growth law of the parasitic mode of GNI; shape (m, m).

    At node k GNI carries (the momentum of the motion) + mu^T (smooth + (-1)^k eps_k).
    eps evolves as the normal part C^-1 (mu v - b) of a velocity v + G^-1 mu^T e does in the free
    motion, without the constraint: K is the derivative of its rate with respect to e, at e = 0. The
    trace of K is minus the divergence of the constrained motion. For one form,
    K = dmu(G^-1 mu^T, v)/C.
    """
    t = jnp.asarray(_time(system, t), dtype=float)
    mu = linear_constraint(system, q, t)
    raised = solve_spd(metric(system, q, None, t), mu.T)
    groupoid = system.groupoid

    def along(s, w):
        x = groupoids.move(groupoid, q, s * w)
        value = linear_constraint(system, x, t + s) @ w
        return value - linear_offset(system, t + s, x) if system.has_offset else value

    def turning(w):  # the rate of mu w - b without the term mu a
        return jax.jvp(lambda s: along(s, w), (jnp.zeros(()),), (jnp.ones(()),))[1]

    # with d = mu v - b = C e:  rate of C^-1 d = C^-1 (rate of d) - C^-1 (rate of C) e
    turn = jax.linearize(turning, v)[1]
    push = jax.linearize(lambda w: _free_force(system, q, w, t), v)[1]
    rate = jax.vmap(lambda w: turn(w) + raised.T @ push(w), in_axes=1, out_axes=1)(raised)

    def moved(s):
        x = groupoids.move(groupoid, q, s * v)
        return linear_constraint(system, x, t + s), metric(system, x, None, t + s)

    _, (forms, masses) = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))
    mixed = forms @ raised
    rate = rate - (mixed + mixed.T - raised.T @ masses @ raised)
    return solve_reactions(system, mu @ raised, rate)


def _at_rest(system: System, v: Vector | None) -> Vector:
    return jnp.zeros(system.dim) if v is None else v


def _free_force(system: System, q: Point, v: Vector, t: Time) -> Vector:
    force = inertial_force(system, q, v, t)
    if system.has_force:
        force = force + system.force(jnp.asarray(t, dtype=float), q, v)
    return force


@traced_once
def inertial_force(system: System, q: Point, v: Vector, t: Time) -> Vector:
    """Return ad_v^T p + dL/dq - (dp/dq) v - dp/dt: the force without reactions and `force`."""
    groupoid = system.groupoid
    if system.closed is not None:
        return system.closed.inertial_force(q, v)
    force = groupoids.gradient(groupoid, lambda x: system.lagrangian_at(t, x, v), q)
    force = force + groupoid.ad(q, v).T @ momentum(system, q, v, t)
    if not isinstance(system, MechanicalSystem):
        # the part of dp/dt that comes from q' = v
        force = force - groupoids.directional(groupoid, lambda x: momentum(system, x, v, t), q, v)
    if system.has_time:  # the part of dp/dt that comes from the t in L
        now = jnp.asarray(t, dtype=float)
        change = jax.jvp(lambda s: momentum(system, q, v, s), (now,), (jnp.ones(()),))[1]
        force = force - change
    return force


class Solved(NamedTuple):
    """Solution of the equations of motion at a point, with the matrices that a projection needs."""

    acceleration: Vector
    multipliers: PerConstraint
    raised: Columns  # G^-1 mu^T
    C: Pairing  # mu G^-1 mu^T
    residual: PerConstraint  # phi(t, q, v)


@traced_once
def solved(system: System, q: Point, v: Vector, t: Time | None = None) -> Solved:
    """Return acceleration and multipliers together, with one factorization each of G and C."""
    t = _time(system, t)
    G = metric(system, q, v, t)
    force = _free_force(system, q, v, t)
    if not system.is_constrained:
        none = jnp.zeros(0)
        return Solved(
            solve_spd(G, force), none, jnp.zeros((system.dim, 0)), jnp.zeros((0, 0)), none
        )
    t = jnp.asarray(t, dtype=float)
    mu = constraint_matrix(system, q, v, t)
    both = solve_spd(G, jnp.concatenate([mu.T, force[:, None]], axis=1))
    raised, free = both[:, :-1], both[:, -1]

    def phi_along(s):
        x = groupoids.move(system.groupoid, q, s * v)
        return constraint_residual(system, x, v, t + s)

    phi, drift = jax.jvp(phi_along, (jnp.zeros(()),), (jnp.ones(()),))
    C = mu @ raised
    # Gamma(phi) = phi_q v + phi_t + mu a0;  lam = -(mu G^-1 mu^T)^-1 Gamma(phi): 3.4.1 [C02]
    lam = -solve_reactions(system, C, drift + mu @ free)
    a = free + raised @ lam  # (3.10), (3.11) [C02]
    if system.switches is not None:
        a = system.switches.awake * a
    return Solved(a, lam, raised, C, phi)


__all__ = [
    "Sizes",
    "Solved",
    "acceleration",
    "consistent_position",
    "consistent_velocity",
    "constraint_matrix",
    "constraint_residual",
    "constraint_sizes",
    "drift_momentum",
    "energy",
    "energy_is_conserved",
    "free_acceleration",
    "holonomic_rows",
    "holonomic_terms",
    "inertial_force",
    "linear_constraint",
    "linear_offset",
    "metric",
    "momentum",
    "multipliers",
    "parasitic_matrix",
    "projected",
    "projectors",
    "reaction_force",
    "row_shift",
    "solve_reactions",
    "solved",
    "velocity",
]

_guard(globals())
