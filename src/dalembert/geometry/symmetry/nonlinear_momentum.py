"""Symmetry and momentum for constraints nonlinear in v: the bundle g^F over states (4.4 [C02]).

    g^x = {xi : d phi/dv xi_Q = 0},    J^(c)(x) = <dL/dv, xi_Q> on g^x,    x = (q, v)

For constraints linear or affine in v, g^x is g^q. For nonlinear ones g^x depends on v, and the
algebra admissible at every v is smaller. Along a section xi(q, v) of g^F (Theorem 4.4.2)

    d/dt J^(c) = xi^c(L) + <dL/dv, (xi')_Q>

where xi^c(L) uses the value of xi at the state and is zero for a symmetry of L, and xi' is the
derivative along the motion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...dynamics import acceleration, constraint_matrix, momentum
from ...errors import UsageError
from ...linalg import RANK_TOLERANCE, rank
from ...system import Point, System, compiled_call
from ..distribution.growth_flag import States, sample_states
from .generators import Symmetry, lifted

StateSection = Callable[[Point, jax.Array], jax.Array]  # (q, v) -> xi, shape (k,)


class StateAlgebra(NamedTuple):
    """Dimensions of g^x at sampled states, and of the algebra admissible at all velocities.

    `dims` are the dimensions of g^x. `everywhere` is the dimension of g^q, the intersection of g^x
    over all velocities at one point. They agree for constraints linear or affine in v.
    """

    dims: tuple[int, ...]
    everywhere: int
    constant: bool


def state_algebra(
    system: System, symmetry: Symmetry, states: States | None = None, *, velocities: int = 8
) -> StateAlgebra:
    """Compute g^F of a symmetry ([C02] 4.4) on sampled states, for any constraint."""
    states = sample_states(system) if states is None else states
    Ns, sizes = (np.asarray(x) for x in compiled_call(_meeting, system, symmetry, states))
    k = Ns.shape[2]
    dims = tuple(k - rank(N, size=float(s)) for N, s in zip(Ns, sizes))
    point = jax.tree.map(lambda x: x[0], states.q)
    at_one = sample_states(system, point, count=velocities, spread=0.0)
    Ns, sizes = (np.asarray(x) for x in compiled_call(_meeting, system, symmetry, at_one))
    everywhere = k - rank(Ns.reshape(-1, k), size=float(np.max(sizes)))
    return StateAlgebra(dims, everywhere, len(set(dims)) == 1)


def _meeting(system, symmetry, states):
    def at(q, v):
        mu, sigma = constraint_matrix(system, q, v), symmetry(system, q)
        length = jnp.linalg.norm(mu, axis=1, keepdims=True)
        return (mu / jnp.where(length > 0, length, 1.0)) @ sigma, jnp.linalg.norm(sigma)

    return jax.vmap(at)(states.q, states.v)


def state_section(system: System, symmetry: Symmetry, xi: jax.Array) -> StateSection:
    """Return the section (q, v) -> projection of xi on g^x, smooth where its rank is constant."""
    fixed = jnp.asarray(xi, dtype=float)
    k = jax.eval_shape(lambda q: symmetry(system, q), system.initial()[0]).shape[1]
    if fixed.shape != (k,):
        raise UsageError(f"xi must have {k} components, one for each generator; got {fixed.shape}")

    def section(q: Point, v: jax.Array) -> jax.Array:
        N = constraint_matrix(system, q, v) @ symmetry(system, q)
        return fixed - jnp.linalg.pinv(N, rtol=RANK_TOLERANCE) @ (N @ fixed)

    return section


class ConstrainedMomentum(NamedTuple):
    """J^(c) of a section, its rate along the motion, and the rate by Theorem 4.4.2 [C02]."""

    value: jax.Array
    rate: jax.Array
    theorem: jax.Array


def constrained_momentum(
    system: System, symmetry: Symmetry, xi: StateSection, q: Point, v: jax.Array
) -> ConstrainedMomentum:
    """Return J^(c) at a state of the constraint, and both sides of (4.19) [C02], without forces."""
    a, p, groupoid = acceleration(system, q, v), momentum(system, q, v), system.groupoid

    def along(s: jax.Array) -> tuple[jax.Array, jax.Array]:
        x, u = groupoids.move(groupoid, q, s * v), v + s * a
        eta = xi(x, u)
        return momentum(system, x, u) @ (symmetry(system, x) @ eta), eta

    (value, eta), (rate, turn) = jax.jvp(along, (jnp.zeros(()),), (jnp.ones(()),))
    field = symmetry.field(system, eta)  # with the value of xi at the state held fixed
    slope = groupoids.gradient(groupoid, lambda y: system.lagrangian(y, v), q) @ field(q)
    slope = slope + p @ lifted(system, field, q, v)
    return ConstrainedMomentum(value, rate, slope + p @ (symmetry(system, q) @ turn))


__all__ = [
    "ConstrainedMomentum",
    "StateAlgebra",
    "constrained_momentum",
    "state_algebra",
    "state_section",
]
