"""The Geometric Nonholonomic Integrator: reflect the momentum in the constraint at every node.

    p_minus(next) = p_plus - 2 mu^T C^-1 (mu G^-1 p_plus - b)    (6) [F08]; (8), (26), (49) [F15]

This is the reflection of p_plus - Pi in the constraint. The mean of p_plus and p_minus is on the
constraint to round-off, and is reported. Each of the two alone is accurate to O(h) only.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp

from .. import groupoids
from ..dynamics import holonomic_rows, linear_constraint, momentum, multipliers, velocity
from ..errors import UsageError
from ..groupoids import Element, Pair
from ..groups import Euclidean
from ..linalg import OK, Code, Count, Matrix, Newton, Scalar, Vector, solve_spd
from ..system import MechanicalSystem, Point, System
from .base import (
    Advance,
    ConstraintCheck,
    Method,
    Row,
    Splitting,
    Traits,
    check_rule,
    code,
    exact_row,
    refuse_nonlinear,
    refuse_switches,
    round_off,
    split_momentum,
)
from .rules import (
    Alpha,
    Midpoint,
    Quadrature,
    Rule,
    SymmetricAlpha,
    discrete_lagrangian,
    legendre_minus,
    legendre_plus,
    slope_at_end,
    slope_at_start,
)


class GNIState(NamedTuple):
    """Node, momentum that leaves it, the last two moves (for the next guess), steps since start.

    `count` is used only by `restart_every`.
    """

    q: Point
    p_minus: Vector
    move: Vector
    change: Vector
    count: Count | None = None


@dataclasses.dataclass(frozen=True)
class GNI(Method):
    """Geometric Nonholonomic Integrator with the discrete Lagrangian of `rule`.

    For linear, affine and time-dependent constraints, metrics that depend on the configuration and
    on time, external forces, on any groupoid. For a constant mass matrix a form with less
    differentiation is used automatically; on R^n, with a rule that evaluates only the ends of the
    step (Euler A and B, trapezoidal), it needs no iteration at all. `general=True` selects the
    general form, for comparison.

    p_minus has a part normal to the constraint that alternates from node to node and may grow. Its
    growth law is `dynamics.parasitic_matrix`; `diagnostics.parasitic_growth` gives its growth along
    a motion. `restart_every=k` restarts from (q, v) every k steps: the method still has order 2,
    but is no longer exactly reversible. DLA and Gauss have no such mode.

    `projector_metric(q)`, a matrix (n, n), replaces the kinetic-energy metric in the projectors: P
    is then orthogonal in it (4.1 [F08]). The discrete momentum equation still holds, but the mean
    velocity is off the constraint, however small the step, unless both metrics have the same
    complement of D. The method then does not converge to the motion, and claims no order.
    """

    rule: Rule = dataclasses.field(default_factory=Midpoint)
    general: bool = False
    newton: Newton = Newton()
    restart_every: int | None = None
    projector_metric: Callable[[Point], Matrix] | None = dataclasses.field(
        default=None, metadata={"later": True}
    )

    takes_time = True

    def __post_init__(self) -> None:
        check_rule(self.rule)
        k = self.restart_every
        if k is not None and not (isinstance(k, int) and k >= 1):
            raise UsageError(f"restart_every must be a number of steps, at least 1; got {k!r}")
        if self.projector_metric is not None and not callable(self.projector_metric):
            raise UsageError(
                f"projector_metric must be a function q -> matrix; got {self.projector_metric!r}"
            )

    @property
    def name(self) -> str:
        k = self.restart_every
        other = "" if self.projector_metric is None else "-projected"
        return f"gni-{self.rule.label}{other}" + ("" if k is None else f"-restart-{k}")

    @property
    def traits(self) -> Traits:
        kinetic = self.projector_metric is None
        keeps = "the constraint, by the reported velocity; " if kinetic else ""
        return Traits(
            order=self.rule.order if kinetic else 0,
            multiplier_order=self.rule.order if kinetic else 0,
            symmetric=self.rule.symmetric and self.restart_every is None,
            explicit=not self.general and _end_weights(self.rule) is not None,
            keeps=keeps + "the discrete momentum equation",
            on_constraint=kinetic,
            reference="(6) [F08]; (8), (26), (48)-(49) [F15]",
            carry="step",
            parasitic="seen",
        )

    def check(self, system: System) -> None:
        refuse_nonlinear(self, system)
        refuse_switches(self, system)
        if self.projector_metric is not None and (system.has_offset or system.has_holonomic):
            raise UsageError(
                f"{self.name}: projector_metric= is for constraints A(q) v = 0, and "
                f"{system.name()} has others; leave it out"
            )
        if isinstance(self.rule, Quadrature):
            return  # a quadrature rule fits every system
        # for any other rule, evaluating shapes is enough to see whether it fits the system
        element = jax.eval_shape(lambda: system.groupoid.unit(system.groupoid.base.identity()))
        h, t = jnp.ones(()), jnp.zeros(())
        jax.eval_shape(lambda g: discrete_lagrangian(self.rule, system, t, h, g), element)

    def adjoint(self) -> GNI:
        if self.restart_every is not None:
            raise UsageError(
                f"{self.name} has no adjoint: a restart drops the momentum that it carried"
            )
        return dataclasses.replace(self, rule=self.rule.adjoint())

    def start(self, system, t, h, q, v):
        # start with half of the first step's reaction impulse: the parasitic mode is then O(h^3)
        p = momentum(system, q, v, t)
        lam = multipliers(system, q, v, t)
        p_minus = p + 0.5 * h * linear_constraint(system, q, t).T @ lam
        state = GNIState(q, p_minus, h * v, jnp.zeros_like(v), self._count())
        return state, exact_row(t, q, v, p, lam)

    def _count(self) -> Count | None:
        return None if self.restart_every is None else jnp.zeros((), dtype=int)

    def start_pair(self, system, t, h, g):
        p_minus = legendre_minus(self.rule, system, t, h, g)
        q, sigma = system.groupoid.source(g), system.groupoid.coordinates(g)
        node = split_momentum(system, t, q, p_minus)
        row = exact_row(t, q, node.v, node.p, 2.0 * node.defect / h)
        return GNIState(q, p_minus, sigma, jnp.zeros_like(sigma), self._count()), row

    def reverse(self, carry: GNIState, row: Row) -> GNIState:
        # backwards in time, the momentum p_plus = 2 p - p_minus that arrived at the node leaves it
        back = carry.move * -1.0
        leaving = carry.p_minus - 2.0 * row.p
        return GNIState(carry.q, leaving, back, jnp.zeros_like(back), self._count())

    def step(self, system, t, h, carry: GNIState) -> Advance:
        rule = self.rule
        if (
            isinstance(system, MechanicalSystem)
            and isinstance(rule, Quadrature)
            and not (system.has_force or system.has_holonomic or self.general)
        ):
            moved = _constant_mass_move(rule, self.newton, system, h, carry)
        else:
            moved = _general_move(rule, self.newton, system, t, h, carry)
        groupoid = system.groupoid
        q = groupoid.base.polish(groupoid.target(moved.element))
        node = self._split(system, t + h, q, moved.p_plus)
        impulse = -2.0 * node.defect  # (9b), (27b) [F15]
        p_minus = moved.p_plus + node.mu.T @ impulse  # (9a), (27a), (49) [F15]
        result = code(moved.result, node.v, p_minus)
        lam = impulse * (1.0 / h)
        if system.has_holonomic:  # the holonomic impulse is known only after the next step
            lam = multipliers(system, q, node.v, t + h)
        row = Row(t + h, q, node.v, node.p, lam, moved.residual, result)
        state = GNIState(q, p_minus, moved.sigma, moved.sigma - carry.move)
        if self.restart_every is not None:
            state = self._restarted(system, t + h, h, state, node.v, carry.count)
        settled = ConstraintCheck(node.settled, q, node.v)
        if self.projector_metric is not None:
            settled = None  # GNI makes no claim about the constraint here
        return Advance(state, row, groupoid.frame(moved.element), settled)

    def _split(self, system, t, q, p) -> Splitting:
        """Split the momentum by the projectors into the mean of both sides, and the rest."""
        if self.projector_metric is None:
            return split_momentum(system, t, q, p)
        mu = linear_constraint(system, q, t)
        raised = solve_spd(jnp.asarray(self.projector_metric(q), dtype=float), mu.T)
        defect = solve_spd(mu @ raised, raised.T @ p)  # (P - Q)* of 4.1 [F08]
        mean = p - mu.T @ defect
        return Splitting(mean, velocity(system, q, mean, t), mu, defect, jnp.asarray(False))

    def _restarted(self, system, t, h, state: GNIState, v, count) -> GNIState:
        """Return the state, restarted from (q, v) if `restart_every` steps are done."""
        fresh, _ = self.start(system, t, h, state.q, v)
        due = count + 1 >= self.restart_every
        p_minus = jnp.where(due, fresh.p_minus, state.p_minus)
        return state._replace(p_minus=p_minus, count=jnp.where(due, 0, count + 1))


class _Move(NamedTuple):
    element: Element
    sigma: Vector
    p_plus: Vector
    residual: Scalar
    result: Code


def _general_move(rule: Rule, newton: Newton, system: System, t, h, carry: GNIState) -> _Move:
    """Solve p_minus(curve(q, sigma)) = p_minus for sigma.

    With holonomic constraints the right-hand side is p_minus + h Dg^T kappa, and g = 0 at the end,
    as in RATTLE: so the part of p_minus along Dg has no effect, and the step is symmetric.
    """
    groupoid, n = system.groupoid, system.dim
    rows = jnp.zeros((0, n))
    if system.has_holonomic:
        rows = holonomic_rows(system, carry.q)

    def defect(x):
        g = groupoid.curve(carry.q, x[:n])
        balance = legendre_minus(rule, system, t, h, g) - carry.p_minus
        if not system.has_holonomic:
            return balance
        closing = system.holonomic(groupoid.target(g)) / h
        return jnp.concatenate([balance - h * rows.T @ x[n:], closing])

    guess = jnp.concatenate([carry.move + carry.change, jnp.zeros(len(rows))])
    root = newton.solve(defect, guess, noise=round_off(system, carry.q), outermost=True)
    sigma = root.x[:n]
    g = groupoid.curve(carry.q, sigma)
    p_plus = legendre_plus(rule, system, t, h, g)
    return _Move(g, sigma, p_plus, root.residual, root.result)


def _constant_mass_move(
    rule: Quadrature, newton: Newton, system: MechanicalSystem, h, carry: GNIState
) -> _Move:
    """Solve the step for a constant mass: kinetic part in closed form, only V is differentiated.

    p_minus = (dtau^-1_s)^T M s/h + (potential at the start), p_plus likewise with dtau^-1_{-s}.
    On R^n dtau is the identity, and with the potential at the ends nothing is implicit: (13),
    (14), (15) [F15]. On M x M x G the trapezoidal rule is the reduced RATTLE (37) [F15], corrected.
    """
    groupoid, mass = system.groupoid, system.mass_matrix
    ends = _end_weights(rule) if system.has_potential else (0.0, 0.0)

    def slope(q):
        return groupoids.gradient(groupoid, system.potential, q)

    def action(g):
        return rule.potential_action(system, h, g)

    def kinetic(sigma, end):
        # (dtau^-1)^T: `coordinate_velocity` is dtau^-1_{-y}, so at the start y = -sigma
        rate = functools.partial(groupoid.coordinate_velocity, carry.q, end * sigma)
        return jax.vjp(rate, sigma)[1](mass @ sigma * (1.0 / h))[0]

    p = carry.p_minus
    if ends is not None and ends[0]:
        p = p - ends[0] * h * slope(carry.q)
    if ends is not None and isinstance(groupoid, Pair) and isinstance(groupoid.space, Euclidean):
        sigma = h * solve_spd(mass, p)  # (13b), (14b), (15b) [F15]
        residual, result, p_plus = jnp.zeros(()), jnp.asarray(OK), p
    else:

        def defect(sigma):
            value = kinetic(sigma, -1.0) - p
            if ends is None:
                g = groupoid.curve(carry.q, sigma)
                value = value + slope_at_start(groupoid, action, g)
            return value

        noise = round_off(system, carry.q) if ends is None else 0.0
        root = newton.solve(defect, carry.move + carry.change, noise=noise, outermost=True)
        sigma, residual, result = root.x, root.residual, root.result
        p_plus = kinetic(sigma, 1.0)
    g = groupoid.curve(carry.q, sigma)
    if ends is None:
        p_plus = p_plus + slope_at_end(groupoid, action, g)
    elif ends[1]:
        p_plus = p_plus - ends[1] * h * slope(groupoid.target(g))
    return _Move(g, sigma, p_plus, residual, result)


def _end_weights(rule: Rule) -> tuple[float, float] | None:
    """Return the weights of the potential at start and end, or None if other points enter."""
    if isinstance(rule, Alpha) and rule.a in (0.0, 1.0):
        return 1.0 - rule.a, rule.a
    if isinstance(rule, SymmetricAlpha) and rule.a in (0.0, 1.0):
        return 0.5, 0.5
    return None
