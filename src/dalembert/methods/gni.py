"""The Geometric Nonholonomic Integrator: reflect the momentum in the constraint at every node.

    p_minus(next) = p_plus - 2 mu^T C^-1 (mu G^-1 p_plus - b)        (9b), (26b), (48) [F15]

The reflection of p_plus - Pi in the constraint; the mean of both sides meets the constraint to
round-off and is what is reported. p_plus and p_minus alone are accurate to O(h) only.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from .. import groupoids
from ..discrete import Alpha, Midpoint, Rule, SymmetricAlpha, legendre_minus, legendre_plus
from ..dynamics import linear_constraint, momentum, multipliers
from ..groupoids import Pair
from ..groups import Euclidean
from ..linalg import OK, newton, solve_spd
from ..system import MechanicalSystem, Point, System
from .base import (
    Advance,
    Method,
    Row,
    Traits,
    code,
    exact_row,
    refuse_nonlinear,
    split_momentum,
)


class GNIState(NamedTuple):
    """Node, the momentum that leaves it, and the last two moves for the next guess."""

    q: Point
    p_minus: jax.Array
    move: jax.Array
    change: jax.Array


@dataclasses.dataclass(frozen=True)
class GNI(Method):
    """Geometric Nonholonomic Integrator with the discrete Lagrangian of `rule`.

    For linear, affine and time-dependent constraints, constant and configuration-dependent
    metrics, external forces, on any groupoid. For a constant mass matrix and a rule that looks at
    the ends of the step (Euler A and B, trapezoidal) a form without nested differentiation is
    taken by itself: on R^n it needs no iteration at all. `general=True` asks for the general
    form, to compare.
    """

    rule: Rule = dataclasses.field(default_factory=Midpoint)
    general: bool = False

    @property
    def name(self) -> str:
        return f"gni-{self.rule.label}"

    @property
    def traits(self) -> Traits:
        return Traits(
            order=self.rule.order,
            multiplier_order=self.rule.order,
            symmetric=self.rule.symmetric,
            explicit=not self.general and _end_weights(self.rule) is not None,
            keeps="the constraint, by the reported velocity; the discrete momentum equation",
            reference="(9) [F08]; (9), (26), (48)-(49) [F15]",
        )

    def check(self, system: System) -> None:
        refuse_nonlinear(self, system)
        # shapes are enough to see whether the rule fits the system
        element = jax.eval_shape(lambda: system.groupoid.unit(system.groupoid.base.identity()))
        jax.eval_shape(lambda g: self.rule.lagrangian(system, jnp.ones(()), g), element)

    def adjoint(self) -> GNI:
        return GNI(self.rule.adjoint(), self.general)

    def start(self, system, t, h, q, v):
        # half of the first step's reaction impulse: then the parasitic normal mode is O(h^3)
        p = momentum(system, q, v)
        lam = multipliers(system, q, v, t)
        p_minus = p + 0.5 * h * linear_constraint(system, q).T @ lam
        return GNIState(q, p_minus, h * v, jnp.zeros_like(v)), exact_row(q, v, p, lam)

    def start_pair(self, system, t, h, g):
        p_minus = legendre_minus(self.rule, system, t, h, g)
        q, sigma = system.groupoid.source(g), system.groupoid.coordinates(g)
        node = split_momentum(system, t, q, p_minus)
        row = exact_row(q, node.v, node.p, 2.0 * node.defect / h)
        return GNIState(q, p_minus, sigma, jnp.zeros_like(sigma)), row

    def reverse(self, carry: GNIState, row: Row) -> GNIState:
        # what arrived at the node, p_plus = 2 p - p_minus, leaves it again
        back = carry.move * -1.0
        return GNIState(carry.q, carry.p_minus - 2.0 * row.p, back, jnp.zeros_like(back))

    def step(self, system, t, h, carry: GNIState) -> Advance:
        simple = isinstance(system, MechanicalSystem) and not system.has_force
        if self.general or not simple or _end_weights(self.rule) is None:
            moved = _general_move(self.rule, system, t, h, carry)
        else:
            moved = _constant_mass_move(self.rule, system, h, carry)
        groupoid = system.groupoid
        q = groupoid.base.project(groupoid.target(moved.element))
        node = split_momentum(system, t + h, q, moved.p_plus)
        impulse = -2.0 * node.defect
        p_minus = moved.p_plus + node.mu.T @ impulse
        result = code(moved.result, node.v, p_minus)
        row = Row(q, node.v, node.p, impulse / h, moved.residual, result)
        state = GNIState(q, p_minus, moved.sigma, moved.sigma - carry.move)
        return Advance(state, row, groupoid.frame(moved.element))


class _Move(NamedTuple):
    element: Any
    sigma: jax.Array
    p_plus: jax.Array
    residual: jax.Array
    result: jax.Array


def _general_move(rule: Rule, system: System, t, h, carry: GNIState) -> _Move:
    """Solve p_minus(curve(q, sigma)) = p_minus for sigma."""
    groupoid = system.groupoid

    def defect(sigma):
        g = groupoid.curve(carry.q, sigma)
        return legendre_minus(rule, system, t, h, g) - carry.p_minus

    root = newton(defect, carry.move + carry.change, scale=_scale(carry.p_minus, defect, carry))
    g = groupoid.curve(carry.q, root.x)
    p_plus = legendre_plus(rule, system, t, h, g)
    return _Move(g, root.x, p_plus, root.residual, root.result)


def _constant_mass_move(rule: Rule, system: MechanicalSystem, h, carry: GNIState) -> _Move:
    """Constant mass on the fibre, potential at the ends only.

    On R^n these are (13), (14), (15) [F15], explicit. On a group p = (dtau^-1)^T M sigma/h
    couples the components of sigma, and one small Newton iteration is left: on M x M x G it is
    the reduced RATTLE (37) [F15], corrected.
    """
    at_start, at_end = _end_weights(rule) or (0.5, 0.5)
    groupoid, mass = system.groupoid, jnp.asarray(system.mass)

    def slope(q):
        return groupoids.gradient(groupoid, system.potential, q)

    p = carry.p_minus
    if at_start:
        p = p - at_start * h * slope(carry.q)
    residual, result = jnp.zeros(()), jnp.asarray(OK)
    if isinstance(groupoid, Pair) and isinstance(groupoid.space, Euclidean):
        sigma = h * solve_spd(mass, p)
    else:

        def transported(sigma, end):
            # (dtau^-1)^T: coordinate_velocity is dtau^-1_{-y}, so the start takes y = -sigma
            rate = functools.partial(groupoid.coordinate_velocity, carry.q, end * sigma)
            return jax.vjp(rate, sigma)[1](mass @ sigma / h)[0]

        def defect(sigma):
            return transported(sigma, -1.0) - p

        guess = carry.move + carry.change
        root = newton(defect, guess, scale=_scale(p, defect, carry))
        sigma, residual, result = root.x, root.residual, root.result
        p = transported(sigma, 1.0)
    g = groupoid.curve(carry.q, sigma)
    if at_end:
        p = p - at_end * h * slope(groupoid.target(g))
    return _Move(g, sigma, p, residual, result)


def _scale(p: jax.Array, defect, carry: GNIState) -> jax.Array:
    """Size of the terms in the momentum balance, by which its residual is judged.

    Near rest the momentum is small beside the impulse of the forces, which then sets the scale.
    """
    size = jnp.maximum(jnp.max(jnp.abs(p)), jnp.max(jnp.abs(defect(carry.move))))
    return jax.lax.stop_gradient(size) + 1e-300


def _end_weights(rule: Rule) -> tuple[float, float] | None:
    """Weights of the potential at start and end, if the rule looks nowhere else."""
    if isinstance(rule, Alpha) and rule.a in (0.0, 1.0):
        return 1.0 - rule.a, rule.a
    if isinstance(rule, SymmetricAlpha) and rule.a in (0.0, 1.0):
        return 0.5, 0.5
    return None
