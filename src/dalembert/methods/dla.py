"""The discrete Lagrange-d'Alembert principle: a multiplier, and a discrete constraint.

    p_minus(g_k) = p_plus(g_{k-1}) + h mu(q_k)^T lam_k,    constraint(g_k) = 0      (7.9) [C02]

(the book's multiplier is -h lam_k). Without a constraint it is the variational integrator of
the rule; a holonomic constraint g(q) = 0 is kept exactly at the nodes, as SHAKE does.

The part of p_plus along the constraint forms is taken up by the multiplier, whatever it is. So
the method is a one-step map: p_plus projected onto the constraint, that is (q, v), leads to the
same nodes. What of lam_k is left to the next step depends on the splitting; the whole of it comes
from two steps, `DLA.discrete_multiplier`.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar, NamedTuple

import jax.numpy as jnp

from ..dynamics import linear_constraint, metric, momentum, multipliers
from ..groupoids import Element
from ..linalg import OK, Newton, PerConstraint, Real, Vector, solve_spd
from ..system import Point, System
from .base import (
    Advance,
    ConstraintCheck,
    Method,
    Row,
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
    Midpoint,
    Rule,
    discrete_constraint,
    legendre_minus,
    legendre_plus,
)


class DLAState(NamedTuple):
    """Node, and two guesses for the next step, of any size.

    `bend` is about half the acceleration: the move is guessed as h v + h^2 bend. `multiplier` is
    the part of the discrete multiplier that belongs to the step, about one half of it.
    """

    q: Point
    v: Vector
    bend: Vector
    multiplier: PerConstraint


@dataclasses.dataclass(frozen=True)
class RulePair(Method):
    """A method with a rule for the Lagrangian and one for the constraint, by default the same."""

    rule: Rule = dataclasses.field(default_factory=Midpoint)
    constraint_rule: Rule | None = None
    newton: Newton = Newton()

    prefix: ClassVar[str]  # of the name
    keeps: ClassVar[str]
    reference: ClassVar[str]

    def __post_init__(self) -> None:
        check_rule(self.rule)
        if self.constraint_rule is not None:
            check_rule(self.constraint_rule)

    @property
    def name(self) -> str:
        other = self._constraint_rule
        return f"{self.prefix}-{self.rule.label}" + (
            "" if other == self.rule else f"-{other.label}"
        )

    @property
    def _constraint_rule(self) -> Rule:
        return self.rule if self.constraint_rule is None else self.constraint_rule

    @property
    def _adjoint_rules(self) -> tuple[Rule, Rule | None]:
        other = self.constraint_rule
        return self.rule.adjoint(), None if other is None else other.adjoint()

    @property
    def traits(self) -> Traits:
        symmetric = self.rule.symmetric and self._constraint_rule.symmetric
        return Traits(
            order=2 if symmetric else 1,
            multiplier_order=2 if symmetric else 1,
            symmetric=symmetric,
            explicit=False,
            keeps=self.keeps,
            on_constraint=True,
            reference=self.reference,
        )


class DLA(RulePair):
    """Discrete Lagrange-d'Alembert with a rule for the Lagrangian and one for the constraint.

    `constraint_rule` defaults to `rule`. Reported is the momentum projected onto the constraint:
    p_plus itself is the momentum only up to the span of the constraint forms.
    """

    prefix = "dla"
    keeps = "the discrete constraint; the discrete momentum equation"
    reference = "(7.9), (7.12)-(7.17) [C02]; (4.11) [MP]"

    takes_time = True

    def check(self, system: System) -> None:
        refuse_nonlinear(self, system)
        if system.is_redundant:
            refuse_switches(self, system)

    def adjoint(self) -> DLA:
        return DLA(*self._adjoint_rules, self.newton)

    def start(self, system, t, h, q, v):
        lam = multipliers(system, q, v, t)
        state = DLAState(q, v, jnp.zeros_like(v), 0.5 * lam)
        return state, exact_row(t, q, v, momentum(system, q, v, t), lam)

    def start_pair(self, system, t, h, g):
        q, move = system.groupoid.source(g), system.groupoid.coordinates(g)
        node = split_momentum(system, t, q, legendre_minus(self.rule, system, t, h, g))
        lam = multipliers(system, q, node.v, t)
        defect = discrete_constraint(self._constraint_rule, system, t, h, g)
        residual = jnp.max(jnp.abs(defect), initial=0.0)
        row = Row(t, q, node.v, node.p, lam, residual, code(OK, node.v, move))
        return DLAState(q, node.v, (move - h * node.v) / h**2, 0.5 * lam), row

    def step(self, system, t, h, carry: DLAState) -> Advance:
        groupoid, n = system.groupoid, system.dim
        p, mu = momentum(system, carry.q, carry.v, t), linear_constraint(system, carry.q, t)

        def defect(x):
            """Momentum balance and discrete constraint at once, for move and multiplier."""
            g = groupoid.curve(carry.q, x[:n])
            balance = legendre_minus(self.rule, system, t, h, g) - p - h * mu.T @ x[n:]
            closing = discrete_constraint(self._constraint_rule, system, t, h, g)
            if system.switches is not None:  # a row that is off has no reaction
                closing = closing + (1.0 - system.switches.rows) * x[n:]
            return jnp.concatenate([balance, closing])

        guess = jnp.concatenate([h * carry.v + h**2 * carry.bend, carry.multiplier])
        solved = self.newton.solve(defect, guess, noise=round_off(system, carry.q), outermost=True)
        move, lam = solved.x[:n], solved.x[n:]
        g = groupoid.curve(carry.q, move)
        q = groupoid.base.polish(groupoid.target(g))
        node = split_momentum(system, t + h, q, legendre_plus(self.rule, system, t, h, g))
        state = DLAState(q, node.v, bend(h, move, node.v), lam)
        reaction = multipliers(system, q, node.v, t + h)
        result = code(solved.result, node.v, move)
        row = Row(t + h, q, node.v, node.p, reaction, solved.residual, result)
        return Advance(state, row, groupoid.frame(g), ConstraintCheck(node.settled, q, node.v))

    def discrete_multiplier(
        self, system: System, t: Real, h: Real, before: Element, after: Element
    ) -> PerConstraint:
        """lam_k of (7.9) at the node between two steps, `after` leaving it at time t.

        It is the impulse that the principle itself assigns to the node, over h; of the order of
        the method. Rows report lam(t, q, v) instead.
        """
        t, h = jnp.asarray(t, dtype=float), jnp.asarray(h, dtype=float)
        q = system.groupoid.source(after)
        mu = linear_constraint(system, q, t)
        impulse = legendre_minus(self.rule, system, t, h, after)
        impulse = impulse - legendre_plus(self.rule, system, t - h, h, before)
        raised = solve_spd(metric(system, q, None, t), mu.T)
        return solve_spd(mu @ raised, raised.T @ impulse) / h  # (7.9) [C02]


def bend(h, move: Vector, v: Vector) -> Vector:
    """(v - move/h)/h at the end of a step: half the acceleration, the guess for the next move."""
    return (h * v - move) / h**2
