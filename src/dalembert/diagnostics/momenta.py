"""Momentum equations along a trajectory, (4.20) and (7.25) [C02], and the multiplier of DLA."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..doors import guard as _guard
from ..dynamics import acceleration
from ..errors import UsageError
from ..geometry import Symmetry, momentum_map, momentum_rate, section_defect
from ..geometry.distribution.growth_flag import require_linear
from ..geometry.symmetry.momentum import SECTION_TOLERANCE, Section
from ..methods import DLA, Method
from ..methods.rules import Rule, discrete_lagrangian
from ..results import Trajectory
from ..system import System, compiled_call, is_traced


class MomentumBalance(NamedTuple):
    """J along a trajectory, and its change minus the integral of its rate; one value per row."""

    momentum: jax.Array
    rate: jax.Array
    residual: jax.Array


def momentum_balance(
    system: System, symmetry: Symmetry, xi: Section, trajectory: Trajectory
) -> MomentumBalance:
    """Return J_k - J_0 - (integral of Xi^c(L)) at every row of a trajectory (4.20).

    The integral is computed by the corrected trapezoidal rule, of fourth order in the distance of
    the rows: a balance larger than the error of this rule is an error of the run.
    """
    require_linear(system, "the momentum equation", affine=True)
    t, q, v = trajectory.t, trajectory.q, trajectory.v
    defect = float(compiled_call(_worst_section, system, symmetry, xi, q))
    if not defect <= SECTION_TOLERANCE:
        raise UsageError(
            f"the section is not one of g^q: its field leaves the constraint by {defect:.1e} of "
            "its length on the trajectory; use `section(system, symmetry, xi)`"
        )
    J, rate, change = compiled_call(_series, system, symmetry, xi, t, q, v)
    h = jnp.diff(t)
    pieces = 0.5 * h * (rate[1:] + rate[:-1]) + h**2 / 12 * (change[:-1] - change[1:])
    integral = jnp.concatenate([jnp.zeros(1), jnp.cumsum(pieces)])
    return MomentumBalance(J, rate, J - J[0] - integral)


def _worst_section(system, symmetry, xi, points):
    return jnp.max(jax.vmap(lambda x: section_defect(system, symmetry, xi, x))(points))


def _series(system, symmetry, xi, t, q, v):
    J, rate = momentum_map(system, symmetry, xi), momentum_rate(system, symmetry, xi)

    def at(t, q, v):
        a = acceleration(system, q, v, t)

        def moved(s):
            return rate(groupoids.move(system.groupoid, q, s * v), v + s * a, t + s)

        value, change = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))
        return J(q, v), value, change

    return jax.vmap(at)(t, q, v)


class DiscreteMomentum(NamedTuple):
    """Terms of (7.25) along a discrete trajectory."""

    momentum: jax.Array  # J_d(q_{k-1}, q_k) at xi(q_k); one value for each pair
    residual: jax.Array  # residual of (7.25), one value for each inner node
    invariance: jax.Array  # largest defect (7.26) of each pair: zero if Ld is invariant


def discrete_momentum(
    system: System, symmetry: Symmetry, xi: Section, rule: Rule, trajectory: Trajectory
) -> DiscreteMomentum:
    """Evaluate the discrete momentum equation (7.25) for the discrete Lagrangian of a rule.

        J_d(q_k, q_{k+1}) - J_d(q_{k-1}, q_k) = D2 Ld(q_k, q_{k+1}) (xi(q_{k+1}) - xi(q_k))_Q

    with J_d(q_{k-1}, q_k) = <D2 Ld(q_{k-1}, q_k), (xi(q_k))_Q>. It holds for `DLA(rule)` if Ld
    is invariant; the field `invariance` measures this. The trajectory must contain every step.
    """
    groupoid = system.groupoid
    if not isinstance(groupoid, groupoids.Pair):
        raise UsageError(
            f"the discrete momentum equation is written for pairs of points; {system.name()} "
            "is a reduced system"
        )
    if system.has_force:
        raise UsageError("the discrete momentum equation (7.25) has no external force")
    check_every_step(trajectory, "the discrete momentum equation")
    h = jnp.asarray(trajectory.meta.h)
    return compiled_call(_discrete, system, symmetry, xi, rule, h, trajectory.t, trajectory.q)


def _discrete(system, symmetry, xi, rule, h, t, q):
    groupoid = system.groupoid
    start, end = jax.tree.map(lambda x: x[:-1], q), jax.tree.map(lambda x: x[1:], q)
    zero = jnp.zeros(system.dim)

    def pair(t, a, b):
        def Ld(u, w):
            g = (groupoids.move(groupoid, a, u), groupoids.move(groupoid, b, w))
            return discrete_lagrangian(rule, system, t, h, g)

        D1, D2 = jax.grad(Ld, (0, 1))(zero, zero)
        sigma_a, sigma_b, xi_a, xi_b = symmetry(system, a), symmetry(system, b), xi(a), xi(b)
        both = D1 @ sigma_a + D2 @ sigma_b
        return D2 @ (sigma_b @ xi_b), D2 @ (sigma_b @ (xi_b - xi_a)), jnp.max(jnp.abs(both))

    J, right, defect = jax.vmap(pair)(t[:-1], start, end)
    return DiscreteMomentum(J, J[1:] - J[:-1] - right[1:], defect)


def check_every_step(trajectory: Trajectory, what: str) -> None:
    """Raise `UsageError` unless the rows of a trajectory are all steps, of one size."""
    if trajectory.meta.save_every != 1:
        raise UsageError(f"{what} needs every step: save_every=1")
    t, h = trajectory.t, trajectory.meta.h
    if not is_traced((t, h)) and np.any(np.abs(np.diff(t) - h) > 1e-6 * abs(h)):
        raise UsageError(
            f"{what} needs steps of equal size: if an event ended the run, leave out its last "
            "row, traj[:-1]"
        )


def discrete_multiplier(system: System, method: Method, trajectory: Trajectory) -> jax.Array:
    """Return the multiplier of (7.9) at every inner node of a DLA run; shape (k - 1, m).

    `trajectory.multiplier` is the multiplier of the equations of motion at (t, q, v); the two agree
    up to the order of the method. The trajectory must contain every step.
    """
    if not isinstance(method, DLA):
        raise UsageError(f"{method.name} is not DLA: it has no multiplier of its own")
    check_every_step(trajectory, "the discrete multiplier")
    h = jnp.asarray(trajectory.meta.h)
    nodes = trajectory.t, trajectory.q, trajectory.frame
    return compiled_call(_multipliers, system, method, h, *nodes)


def _multipliers(system, method, h, t, q, frame):
    groupoid = system.groupoid

    def element(a, b, f, g):
        if frame is None:
            return (a, b)
        moved = groupoid.group.mul(groupoid.group.inv(f), g)
        return moved if isinstance(groupoid, groupoids.LieGroup) else (a, b, moved)

    def ends(x):
        return jax.tree.map(lambda y: y[:-1], x), jax.tree.map(lambda y: y[1:], x)

    before, after = ends(jax.vmap(element)(*ends(q), *ends(frame)))
    return jax.vmap(lambda t, a, b: method.discrete_multiplier(system, t, h, a, b))(
        t[1:-1], before, after
    )


_guard(globals())
