"""Continuous nonholonomic mechanics: metric, projectors, multipliers, acceleration, energy.

Everything follows from the Lagrangian and the constraint by automatic differentiation, on any
groupoid. With p = dL/dv and phi the stacked constraints, the equations solved are

    dp/dt = ad_v^T p + dL/dq + mu^T lam + F,    phi(t, q, v) = 0,    mu = dphi/dv

where derivatives in q are taken along the fibre (on R^n: the ordinary ones, with ad = 0). The
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
    """The time that a function of the constraints was asked for; 0 where nobody gave one.

    A `constraint(t, q)` is not guessed at: what takes no time is about constraints without it.
    """
    if t is None and system.has_timed_constraint:
        raise UsageError(
            f"{system.name()}: its constraint depends on time, constraint(t, q): give t, or take "
            "the system at one instant, geometry.at_time(system, t)"
        )
    return 0.0 if t is None else t


# Compliance of redundant rows, of the mean of the diagonal of C: the split that it decides is off
# by eps/_SOFT = 2e-9 by round-off, and what it takes from the reactions falls by _SOFT/(smallest
# eigenvalue of C, of the mean) with each solve: for 1e-3, below 1e-12 after three.
_SOFT, _SOLVES = 1e-7, 3


def solve_reactions(system: System, C: Pairing, b: Columns) -> Columns:
    """x with C x = b, C = mu G^-1 mu^T of all linear constraints or of the holonomic ones.

    Of rows that are off (`System.switches`) x is b, which is 0 there. Where rows depend on each
    other (`System.is_redundant`) x is the limit of equal springs under them that become stiff: of
    all solutions the one of least stored energy.
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
    """The compliance under each row, where rows may depend on each other."""
    on = jnp.ones(C.shape[0])
    if system.switches is not None:
        on = system.switches.rows[: C.shape[0]]
    mean = jnp.sum(jnp.diagonal(C) * on) / jnp.maximum(jnp.sum(on), 1.0)
    return _SOFT * on * mean


def row_shift(system: System, C: Pairing) -> Pairing | None:
    """What makes C regular: 1 where a row is off, a compliance if redundant; None: it is so."""
    if system.switches is None and not system.is_redundant:
        return None
    shift = jnp.zeros(C.shape[0])
    if system.switches is not None:
        shift = 1.0 - system.switches.rows[: C.shape[0]]
    return jnp.diag(shift + _softness(system, C) if system.is_redundant else shift)


def momentum(system: System, q: Point, v: Vector, t: Time = 0.0) -> Vector:
    """p = dL/dv."""
    # as below: of the same kinds of arguments whoever asks
    return _momentum(system, q, v, t if system.has_time else 0.0)


@traced_once
def _momentum(system: System, q: Point, v: Vector, t: Time) -> Vector:
    if isinstance(system, MechanicalSystem):
        return system.mass_matrix @ v
    if system.closed is not None:
        return metric(system, q) @ v
    return jax.grad(lambda w: system.lagrangian_at(t, q, w))(v)


def metric(system: System, q: Point, v: Vector | None = None, t: Time = 0.0) -> Matrix:
    """G = d^2 L/dv^2 at (q, v); v matters only for a Lagrangian that is not quadratic in it."""
    if isinstance(system, MechanicalSystem):
        return system.mass_matrix
    # of the same kinds of arguments whoever asks, to be traced once for all
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
    """v with dL/dv = p, for a Lagrangian quadratic in v (linear terms are allowed)."""
    return solve_spd(metric(system, q, None, t), p - drift_momentum(system, q, t))


def drift_momentum(system: System, q: Point, t: Time = 0.0) -> Vector:
    """dL/dv at rest: zero unless the Lagrangian has a term linear in v (a magnetic one, say)."""
    return momentum(system, q, jnp.zeros(system.dim), t)


def energy(system: System, q: Point, v: Vector, t: Time = 0.0) -> Scalar:
    """E = p.v - L."""
    return momentum(system, q, v, t) @ v - system.lagrangian_at(t, q, v)


def energy_is_conserved(system: System) -> bool:
    """Whether the energy is a constant of the motion, as far as the constraint's kind tells.

    True for constraints linear in v without right-hand side and no external force: where A(t, q)
    v = 0 the reaction does no work, whatever A does in time. A nonlinear constraint keeps the
    energy only if it is homogeneous in v; the system has to say so.
    """
    if system.conserves_energy is not None:
        return system.conserves_energy
    return not (system.has_offset or system.has_force or system.is_nonlinear or system.has_time)


@traced_once
def written(system: System, name: str, *given: Any) -> jax.Array:
    """What a method of the system gives, as somebody wrote it."""
    return getattr(system, name)(*given)


def linear_constraint(system: System, q: Point, t: Time | None = None) -> Forms:
    """Rows of the constraints linear in v: the holonomic ones, Dg(q), then `constraint`."""
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
    """Dg(q) of the holonomic functions: the first rows of `linear_constraint`."""
    if system.closed is not None:
        return system.closed.rows(q)[: system.holonomic(q).shape[0]]
    g = jax.jacfwd(lambda w: system.holonomic(groupoids.move(system.groupoid, q, w)))
    return g(jnp.zeros(system.dim))


def linear_offset(system: System, t: Time, q: Point) -> PerConstraint:
    """Right-hand side of the constraints linear in v: zero for the holonomic ones."""
    b = system.offset(jnp.asarray(t, dtype=float), q)
    if not system.has_holonomic:
        return b
    return jnp.concatenate([jnp.zeros(system.holonomic(q).shape[0]), b])


@traced_once
def constraint_residual(
    system: System, q: Point, v: Vector, t: Time | None = None
) -> PerConstraint:
    """phi(t, q, v): zero on the constraint; shape (m,)."""
    t = jnp.asarray(_time(system, t), dtype=float)
    closed = system.closed
    linear = linear_constraint(system, q, t) @ v if closed is None else closed.rates(q, v)
    if system.has_offset:
        linear = linear - linear_offset(system, t, q)  # (24) [F15]
    if not system.is_nonlinear:
        return linear
    return jnp.concatenate([linear, system.velocity_constraint(t, q, v)])


class Sizes(NamedTuple):
    """A constraint's residual and what it is measured by, for each of its rows.

    `terms` is what is summed there, sum_j |mu_j v_j| + |right-hand side|. `norm` has |mu| |v| in
    place of the sum: where a blade points along x, the sum is the sideways velocity alone, which
    is round-off of the other one.
    """

    residual: PerConstraint
    terms: PerConstraint
    norm: PerConstraint


def constraint_terms(
    system: System, q: Point, v: Vector, t: Time | None = None
) -> tuple[PerConstraint, PerConstraint]:
    """(residual, terms) of `constraint_sizes`: without the norm, which few ask for."""
    t = _time(system, t)
    phi, mu = constraint_residual(system, q, v, t), constraint_matrix(system, q, v, t)
    return phi, jnp.abs(mu) @ jnp.abs(v) + _right_side(system, q, v, t)


def constraint_sizes(system: System, q: Point, v: Vector, t: Time | None = None) -> Sizes:
    """phi(t, q, v), and the sizes of what cancels in it."""
    t = _time(system, t)
    phi, terms = constraint_terms(system, q, v, t)
    mu = constraint_matrix(system, q, v, t)
    norm = jnp.sqrt(jnp.sum(mu**2, axis=1) * jnp.sum(v**2))
    return Sizes(phi, terms, norm + _right_side(system, q, v, t))


def _right_side(system: System, q: Point, v: Vector, t: Time) -> PerConstraint | float:
    """The size of mu v - phi, with what the last digit of a late time changes of it."""
    if not (system.has_offset or system.is_nonlinear or system.has_timed_constraint):
        return 0.0
    phi, mu = constraint_residual(system, q, v, t), constraint_matrix(system, q, v, t)
    now = jnp.asarray(t, dtype=float)
    change = jax.jvp(lambda s: constraint_residual(system, q, v, s), (now,), (now,))[1]
    return jnp.abs(mu @ v - phi) + jnp.abs(change)


def holonomic_terms(system: System, q: Point) -> tuple[PerConstraint, PerConstraint]:
    """(g, the size that its round-off has): |Dg| |q|, and not less than |Dg| 1e-4 at the origin."""
    g = system.holonomic(q)
    rows = holonomic_rows(system, q)
    far = [jnp.max(jnp.abs(x), initial=1e-4) for x in jax.tree.leaves(q)]
    return g, jnp.sqrt(jnp.sum(rows**2, axis=1)) * jnp.max(jnp.stack(far))


def constraint_matrix(system: System, q: Point, v: Vector, t: Time | None = None) -> Forms:
    """mu = dphi/dv; shape (m, dim)."""
    t = _time(system, t)
    if not system.is_nonlinear:
        return linear_constraint(system, q, t)
    return jax.jacfwd(lambda w: constraint_residual(system, q, w, t))(v)


def projectors(
    system: System, q: Point, v: Vector | None = None, t: Time | None = None
) -> tuple[Matrix, Matrix]:
    """(P, Q) on velocities: G-orthogonal onto ker mu and its complement.

    Q = G^-1 mu^T C^-1 mu with C = mu G^-1 mu^T; on momenta they act transposed.
    """
    t = _time(system, t)
    mu = constraint_matrix(system, q, _at_rest(system, v), t)
    raised = solve_spd(metric(system, q, v, t), mu.T)
    Q = raised @ solve_reactions(system, mu @ raised, mu)  # section 2 [F15], before (5)
    return jnp.eye(system.dim) - Q, Q


def free_acceleration(system: System, q: Point, v: Vector, t: Time = 0.0) -> Vector:
    """dv/dt without the constraints: G^-1 (ad_v^T p + dL/dq - (dp/dq) v + F)."""
    return solve_spd(metric(system, q, v, t), _free_force(system, q, v, t))


def multipliers(system: System, q: Point, v: Vector, t: Time | None = None) -> PerConstraint:
    """lam of the reaction force mu^T lam; shape (m,)."""
    return solved(system, q, v, t).multipliers


def acceleration(system: System, q: Point, v: Vector, t: Time | None = None) -> Vector:
    """dv/dt on the constraint (the fibre velocity; on R^n the ordinary acceleration)."""
    return solved(system, q, v, t).acceleration


def reaction_force(system: System, q: Point, v: Vector, t: Time | None = None) -> Vector:
    """mu^T lam, the covector that the constraint exerts."""
    return constraint_matrix(system, q, v, t).T @ multipliers(system, q, v, t)


def consistent_velocity(
    system: System, q: Point, v: Vector, t: Time | None = None, *, iterations: int = 20
) -> Vector:
    """The velocity on the constraint nearest to v in the kinetic-energy metric.

    One projection for linear and affine constraints. For nonlinear ones repeated projection leads
    to a point w of the constraint, and Newton's method from there to the nearest one,
    G (w - v) + mu(w)^T nu = 0; w itself is returned should that fail.
    """
    v = jnp.asarray(v, dtype=float)
    if not system.is_constrained:
        return v
    given = q, v, jnp.asarray(_time(system, t), dtype=float)
    if is_traced((system, given)):
        return _consistent_velocity(system, *given, iterations)
    # outside of jit a loop would be compiled anew in every call
    q = jax.tree.map(lambda x: jnp.asarray(x, dtype=float), q)
    return compiled_call(_consistent_velocity, system, q, *given[1:], iterations)


def _consistent_velocity(system: System, q: Point, v: Vector, t: Time, iterations: int) -> Vector:
    def project(v):
        return projected(system, q, v, t)

    # the second projection removes the round-off that an ill-conditioned C left in the first
    near = lax.fori_loop(0, iterations if system.is_nonlinear else 2, lambda _, w: project(w), v)
    return project(_nearest(system, q, v, t, near)) if system.is_nonlinear else near


def consistent_position(system: System, q: Point, t: Time = 0.0, *, iterations: int = 20) -> Point:
    """A point with holonomic(q) = 0 near q, by projections along G^-1 Dg^T; q itself without."""
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
    """One projection of v in the metric, onto the constraint as it is linearized at v.

    Behind an iteration that ends on the constraint it takes away the round-off of the sums that
    v was made of, which may be large beside v itself.
    """
    return projection(system, q, v, t)[0]


@traced_once
def projection(
    system: System, q: Point, v: Vector, t: Time | None = None
) -> tuple[Vector, Bool[jax.Array, ""]]:
    """`projected`, and whether v was on the constraint already, up to round-off."""
    t = _time(system, t)
    if not system.is_constrained:
        return v, jnp.asarray(True)
    residual = constraint_residual(system, q, v, t)
    mu = constraint_matrix(system, q, v, t)

    def moved():
        raised = solve_spd(metric(system, q, v, t), mu.T)
        pairing = mu @ raised
        near = v - raised @ solve_reactions(system, pairing, residual)
        # what was large beside v has left its rounding: it goes with a second one
        left = constraint_residual(system, q, near, t)
        return near - raised @ solve_reactions(system, pairing, left)

    fine = is_round_off(residual, mu, v)
    return rarely(~fine, moved, lambda: v), fine


def is_round_off(residual: PerConstraint, mu: Forms, v: Vector) -> jax.Array:
    """Whether a residual mu v - b is what rounding leaves of the terms of mu v, in every row."""
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
    """K of the law eps' = K eps of the parasitic mode of GNI; shape (m, m).

    The momentum that GNI carries is (that of the motion) + mu^T (smooth + (-1)^k eps_k), and
    eps moves as the normal part C^-1 (mu v - b) of a velocity v + G^-1 mu^T e does under the
    free motion, without the constraint: K is the derivative in e of its rate, at e = 0. Its trace
    is minus the divergence of the constrained motion. For one form, K = dmu(G^-1 mu^T, v)/C.
    """
    t = jnp.asarray(_time(system, t), dtype=float)
    mu = linear_constraint(system, q, t)
    raised = solve_spd(metric(system, q, None, t), mu.T)
    groupoid = system.groupoid

    def along(s, w):
        x = groupoids.move(groupoid, q, s * w)
        value = linear_constraint(system, x, t + s) @ w
        return value - linear_offset(system, t + s, x) if system.has_offset else value

    def turning(w):  # the part of the rate of mu w - b that is not mu a
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
    """ad_v^T p + dL/dq - (dp/dq) v - dp/dt: what acts without constraints and `force`."""
    groupoid = system.groupoid
    if system.closed is not None:
        return system.closed.inertial_force(q, v)
    force = groupoids.gradient(groupoid, lambda x: system.lagrangian_at(t, x, v), q)
    force = force + groupoid.ad(q, v).T @ momentum(system, q, v, t)
    if not isinstance(system, MechanicalSystem):
        # the part of dp/dt that comes from the motion of q
        force = force - groupoids.directional(groupoid, lambda x: momentum(system, x, v, t), q, v)
    if system.has_time:  # and that which comes with the time
        now = jnp.asarray(t, dtype=float)
        change = jax.jvp(lambda s: momentum(system, q, v, s), (now,), (jnp.ones(()),))[1]
        force = force - change
    return force


class Solved(NamedTuple):
    """The equations of motion at a point, solved, with what a projection needs besides."""

    acceleration: Vector
    multipliers: PerConstraint
    raised: Columns  # G^-1 mu^T
    C: Pairing  # mu G^-1 mu^T
    residual: PerConstraint  # phi(t, q, v)


@traced_once
def solved(system: System, q: Point, v: Vector, t: Time | None = None) -> Solved:
    """Acceleration and multipliers at once; G and C are factored once for all of it."""
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
