"""The discrete Lagrange-d'Alembert principle: a multiplier, and a discrete constraint.

    p_minus(g_k) = p_plus(g_{k-1}) + h mu(q_k)^T lam_k,    constraint(g_k) = 0      (7.9) [C02]

(the book's multiplier is -h lam_k). Without a constraint it is the variational integrator of
the rule; a holonomic constraint g(q) = 0 is kept exactly at the nodes, as SHAKE does.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar, NamedTuple

import jax
import jax.numpy as jnp

from ..dynamics import linear_constraint, momentum, multipliers
from ..linalg import OK, Newton
from ..system import Point, System
from .base import (
    Advance,
    Method,
    Row,
    Traits,
    check_rule,
    code,
    refuse_nonlinear,
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
    """Node, the solved move that leaves it, its multiplier, and the last change of the move.

    The multiplier of a node belongs to the equation that also gives the next move. The state
    therefore looks one move ahead, so that the row of a node can report it.
    """

    q: Point
    move: jax.Array
    change: jax.Array
    multiplier: jax.Array


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
    def traits(self) -> Traits:
        symmetric = self.rule.symmetric and self._constraint_rule.symmetric
        return Traits(
            order=2 if symmetric else 1,
            multiplier_order=2 if symmetric else 1,
            symmetric=symmetric,
            explicit=False,
            keeps=self.keeps,
            reference=self.reference,
            carry="step",
        )


class DLA(RulePair):
    """Discrete Lagrange-d'Alembert with a rule for the Lagrangian and one for the constraint.

    `constraint_rule` defaults to `rule`. Reported is the momentum projected onto the constraint:
    p_plus itself is the momentum only up to the span of the constraint forms.
    """

    prefix = "dla"
    keeps = "the discrete constraint; the discrete momentum equation"
    reference = "(7.9), (7.12)-(7.17) [C02]; (4.11) [MP]"

    def check(self, system: System) -> None:
        refuse_nonlinear(self, system)

    def adjoint(self) -> DLA:
        return DLA(self.rule.adjoint(), self._constraint_rule.adjoint(), self.newton)

    def start(self, system, t, h, q, v):
        p = momentum(system, q, v)
        # any normal part of p_plus is absorbed by the multiplier; half of the reaction impulse
        # makes the first multiplier a physical one, too
        lam = multipliers(system, q, v, t)
        p_plus = p - 0.5 * h * linear_constraint(system, q).T @ lam
        solved = self._solve(system, t, h, q, p_plus, h * v, lam)
        state = DLAState(q, solved.x[: system.dim], jnp.zeros_like(v), solved.x[system.dim :])
        # reported is the exact multiplier: the solved one is accurate to O(h) at the start only
        row = Row(t, q, v, p, lam, solved.residual, code(solved.result, solved.x))
        return state, row

    def start_pair(self, system, t, h, g):
        q, move = system.groupoid.source(g), system.groupoid.coordinates(g)
        node = split_momentum(system, t, q, legendre_minus(self.rule, system, t, h, g))
        lam = multipliers(system, q, node.v, t)
        defect = discrete_constraint(self._constraint_rule, system, t, h, g)
        residual = jnp.max(jnp.abs(defect), initial=0.0)
        row = Row(t, q, node.v, node.p, lam, residual, code(OK, node.v, move))
        return DLAState(q, move, jnp.zeros_like(move), lam), row

    def reverse(self, carry: DLAState, row: Row) -> DLAState:
        back = carry.change - carry.move  # the move that arrived, inverted: tau(-s) = tau(s)^-1
        return DLAState(carry.q, back, jnp.zeros_like(back), carry.multiplier)

    def step(self, system, t, h, carry: DLAState) -> Advance:
        groupoid = system.groupoid
        g = groupoid.curve(carry.q, carry.move)
        q = groupoid.base.polish(groupoid.target(g))
        p_plus = legendre_plus(self.rule, system, t, h, g)
        node = split_momentum(system, t + h, q, p_plus)
        guess = carry.move + carry.change
        solved = self._solve(system, t + h, h, q, p_plus, guess, carry.multiplier)
        move, lam = solved.x[: system.dim], solved.x[system.dim :]
        result = code(solved.result, node.v, move)
        row = Row(t + h, q, node.v, node.p, lam, solved.residual, result)
        return Advance(DLAState(q, move, move - carry.move, lam), row, groupoid.frame(g))

    def _solve(self, system, t, h, q, p_plus, move, lam):
        """Move and multiplier that leave q: momentum balance and discrete constraint at once."""
        groupoid = system.groupoid
        mu = linear_constraint(system, q)
        rule = self._constraint_rule

        def defect(x):
            g = groupoid.curve(q, x[: system.dim])
            balance = legendre_minus(self.rule, system, t, h, g) - p_plus
            balance = balance - h * mu.T @ x[system.dim :]
            return jnp.concatenate([balance, discrete_constraint(rule, system, t, h, g)])

        start = jnp.concatenate([move, lam])
        return self.newton.solve(defect, start, noise=round_off(system, q))
