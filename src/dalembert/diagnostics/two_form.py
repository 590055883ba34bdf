"""Change of the discrete two-form along a discrete motion, (7.24) [C02]; solvability of DLA.

    Omega(q0, q1) = -d(D2 Ld dq1),    Phi* Omega = Omega + d beta,    beta = lam mu(q1) dq1

Phi maps (q0, q1) to (q1, q2). For any such map the equation is an identity if beta is defined with
D1 Ld(q1, q2) + D2 Ld(q0, q1) in place of lam mu(q1). The equation therefore states that this
covector lies in the span of the constraint forms. This is so for DLA by (7.9), and for GNI by the
first half of its equations, but not for other maps.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..doors import guard as _guard
from ..dynamics import linear_constraint, metric
from ..errors import UsageError
from ..groupoids import Pair
from ..linalg import Newton, solve_spd
from ..methods import DLA, GNI, Method
from ..methods.base import split_momentum
from ..methods.dla import DLAState
from ..methods.rules import Rule, discrete_constraint, legendre_plus
from ..results import Trajectory
from ..system import System, compiled_call
from .momenta import check_every_step


class DiscreteForm(NamedTuple):
    """The terms of (7.24) at the inner nodes of a discrete motion, one value per node.

    `defect` is the largest entry of Phi* Omega - Omega - d beta, relative to Omega; `outside` the
    part of D1 Ld + D2 Ld outside the span of the constraint forms, relative to the momentum;
    `change` the largest entry of Phi* Omega - Omega, relative, which d beta must equal.
    """

    defect: jax.Array
    outside: jax.Array
    change: jax.Array


def discrete_form(
    system: System, method: Method, trajectory: Trajectory, rule: Rule | None = None
) -> DiscreteForm:
    """Evaluate (7.24) along a run, for the discrete Lagrangian of a rule (default: the method's).

    `method` is the method of the run: DLA, GNI, or a method whose steps start from (q, v). The last
    becomes a map of pairs by solving q1(q0, v0) = q1 for v0. The trajectory must contain every
    step, and no external force may act.
    """
    if not isinstance(system.groupoid, Pair):
        raise UsageError(
            f"the discrete two-form is written for pairs of points; {system.name()} is a reduced "
            "system"
        )
    timed = system.has_time or system.has_timed_constraint
    if system.has_force or timed or system.has_offset or system.has_holonomic:
        raise UsageError("(7.24) is about L(q, v) with A(q) v = 0 and no external force")
    if rule is None:
        rule = getattr(method, "rule", None)
        if rule is None:
            raise UsageError(f"{method.name} has no discrete Lagrangian: give `rule`")
    check_every_step(trajectory, "(7.24)")
    if len(trajectory.t) < 3:
        raise UsageError("(7.24) needs at least two steps")
    h = jnp.asarray(trajectory.meta.h)
    nodes = trajectory.t, trajectory.q
    return compiled_call(_discrete_forms, system, method, rule, h, *nodes)


def _next(system: System, method: Method, t, h, q0, q1):
    """Return q2 = Phi(q0, q1) for any pair, which need not satisfy the discrete constraint."""
    groupoid = system.groupoid
    g = groupoid.mul(groupoid.inv(groupoid.unit(q0)), (q0, q1))
    if isinstance(method, GNI):
        state, _ = method.start_pair(system, t, h, g)
        state = method.step(system, t, h, state).carry
        return method.step(system, t + h, h, state).row.q
    if isinstance(method, DLA):
        v = split_momentum(system, t + h, q1, legendre_plus(method.rule, system, t, h, g)).v
        m = linear_constraint(system, q1).shape[0]
        state = DLAState(q1, v, jnp.zeros_like(v), jnp.zeros(m))
        return method.step(system, t + h, h, state).row.q

    def miss(v):
        state, _ = method.start(system, t, h, q0, v)
        reached = method.step(system, t, h, state).row.q
        return groupoid.coordinates((q1, reached)) / h

    v = Newton().solve(miss, groupoid.coordinates(g) / h).x
    state, _ = method.start(system, t, h, q0, v)
    state = method.step(system, t, h, state).carry
    return method.step(system, t + h, h, state).row.q


def _discrete_forms(system, method, rule, h, t, q):
    groupoid, n = system.groupoid, system.dim

    def ends(k):
        stop = len(t) - 2 + k
        return jax.tree.map(lambda x: x[k:stop], q)

    def at(t, a, b, c):
        zero = jnp.zeros(n)

        def points(z):  # in the charts of the fibres at both points
            return groupoids.move(groupoid, a, z[:n]), groupoids.move(groupoid, b, z[n:])

        def Ld(x, y):
            return rule.lagrangian(system, h, (x, y))

        def omega(x, y):  # mixed part of -d(D2 Ld dq1), in the charts at x and y
            def mixed(u, w):
                return Ld(groupoids.move(groupoid, x, u), groupoids.move(groupoid, y, w))

            M = jax.jacfwd(jax.grad(mixed, 1), 0)(zero, zero)  # [y, x]
            return jnp.block([[jnp.zeros((n, n)), -M.T], [M, jnp.zeros((n, n))]])

        def moved(z):
            """Return q2 of the pair in the chart at c, and two covectors in the chart at b.

            They are D1 Ld(q1, q2) + D2 Ld(q0, q1), and its part along the constraint forms.
            """
            x, y = points(z)
            ahead = groupoid.coordinates((c, _next(system, method, t, h, x, y)))
            after = groupoids.move(groupoid, c, ahead)

            def both(w):
                middle = groupoids.move(groupoid, b, w)
                return Ld(x, middle) + Ld(middle, after)

            e = jax.grad(both)(z[n:])
            rate = jax.vmap(lambda u: groupoid.coordinate_velocity(b, z[n:], u), 1, 1)(jnp.eye(n))
            mu = linear_constraint(system, y) @ jnp.linalg.inv(rate)
            G = metric(system, y)
            G = jnp.linalg.solve(rate.T, G) @ jnp.linalg.inv(rate)
            raised = solve_spd(G, mu.T)
            along = mu.T @ solve_spd(mu @ raised, raised.T @ e)
            return (ahead, along), (e, along)

        # one trace of the step gives the values and all derivatives
        (J, slope), (e, along) = jax.jacfwd(moved, has_aux=True)(jnp.zeros(2 * n))
        J = jnp.block([[jnp.zeros((n, n)), jnp.eye(n)], [J]])
        both = jax.tree.map(lambda *x: jnp.stack(x), (a, b), (b, c))
        before, after = jax.vmap(omega)(*both)
        change = J.T @ after @ J - before
        slope = jnp.concatenate([jnp.zeros((n, 2 * n)), slope])
        exact = slope.T - slope  # d beta
        p = jax.grad(lambda w: Ld(a, groupoids.move(groupoid, b, w)))(zero)
        size = jnp.max(jnp.abs(before))
        return (
            jnp.max(jnp.abs(change - exact)) / size,
            jnp.max(jnp.abs(e - along)) / jnp.max(jnp.abs(p)),
            jnp.max(jnp.abs(change)) / size,
        )

    return DiscreteForm(*jax.vmap(at)(t[:-2], ends(0), ends(1), ends(2)))


class Regularity(NamedTuple):
    """Whether the matrix (7.10) [C02] of DLA is regular, and its scaled condition number."""

    regular: bool
    condition: float
    near: float  # condition number on the diagonal, h -> 0: of [[G, mu^T], [mu, 0]]


def dla_regularity(system: System, method: DLA, h: float, q0: object, q1: object) -> Regularity:
    """Check the matrix of (7.10) at a pair of points: DLA is solvable near it if it is regular.

    The matrix is scaled by h, so that it does not degenerate for h -> 0. On the diagonal it is
    regular if the metric is regular and the constraints are independent (Remark 7.3.2).
    """
    if not isinstance(system.groupoid, Pair):
        raise UsageError("(7.10) is written for pairs of points")
    q0, q1 = (system.groupoid.base.check(x, name) for x, name in ((q0, "q0"), (q1, "q1")))
    parts = [
        np.asarray(x) for x in compiled_call(_regularity, system, method, jnp.asarray(h), q0, q1)
    ]
    conditions = []
    for M in parts:
        rows = M / np.max(np.abs(M), axis=1, keepdims=True) if np.all(np.isfinite(M)) else M
        values = np.linalg.svd(rows, compute_uv=False) if np.all(np.isfinite(M)) else [np.nan, 0.0]
        conditions.append(float(values[0] / values[-1]) if values[-1] > 0 else float("inf"))
    return Regularity(conditions[0] < 1e12, *conditions)


def _regularity(system, method, h, q0, q1):
    groupoid, n = system.groupoid, system.dim
    zero = jnp.zeros(n)
    rule, other = method.rule, method.constraint_rule or method.rule

    def at(x, y):
        def mixed(u, w):
            return rule.lagrangian(
                system, h, (groupoids.move(groupoid, x, u), groupoids.move(groupoid, y, w))
            )

        def rows(w):
            g = (x, groupoids.move(groupoid, y, w))
            return discrete_constraint(other, system, jnp.zeros(()), h, g)

        M = jax.jacfwd(jax.grad(mixed, 0), 1)(zero, zero)
        mu = linear_constraint(system, x)
        block = jnp.zeros((mu.shape[0], mu.shape[0]))
        return jnp.block([[h * M, mu.T], [h * jax.jacfwd(rows)(zero), block]])

    return at(q0, q1), at(q0, q0)


__all__ = ["DiscreteForm", "Regularity", "discrete_form", "dla_regularity"]


_guard(globals())
