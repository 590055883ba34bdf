"""Discrete Lagrange-d'Alembert (DLA): a discrete constraint, enforced by a multiplier.

    p_minus(g_k) = p_plus(g_{k-1}) + h mu(q_k)^T lam_k,    constraint(g_k) = 0      (7.9) [C02]

(the book's multiplier is -h lam_k). Without a constraint it is the variational integrator of
the rule; a holonomic constraint g(q) = 0 holds exactly at the nodes, as in SHAKE.

The multiplier absorbs any part of p_plus along the constraint forms. The method is therefore a
one-step map: p_plus projected onto the constraint, that is (q, v), leads to the same nodes. The
part of lam_k that a single step determines depends on how the impulse is split between both steps;
the whole lam_k follows from two consecutive steps, `DLA.discrete_multiplier`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import jax.numpy as jnp

from ..dynamics import (
    linear_constraint,
    linear_offset,
    metric,
    momentum,
    multipliers,
    solve_reactions,
    velocity,
)
from ..errors import UsageError
from ..groupoids import Element
from ..linalg import OK, Near, Newton, PerConstraint, Real, Vector, solve, solve_spd
from ..system import Point, System, takes
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
    Midpoint,
    Rule,
    discrete_constraint,
    legendre_minus,
    legendre_plus,
)


class DLAState(NamedTuple):
    """A node, and two guesses for the next step, valid for any step size.

    `bend` is about half the acceleration: the guess for the move is h v + h^2 bend. `multiplier` is
    the part of the discrete multiplier that belongs to the next step, about one half of it.
    """

    q: Point
    v: Vector
    bend: Vector
    multiplier: PerConstraint
    arrival: LastStep | None = None  # only if the forms depend on three points


class LastStep(NamedTuple):
    """The step that ended at a node, and its momentum at the end, not projected."""

    element: Element
    p_plus: Vector


Forms = Callable[..., Any]  # (system, t, h, q), or (system, t, h, before, after)


@dataclasses.dataclass(frozen=True)
class RulePair(Method):
    """A method with rules for the Lagrangian and for the constraint, by default the same rule."""

    rule: Rule = dataclasses.field(default_factory=Midpoint)
    constraint_rule: Rule | None = None
    newton: Newton = Newton()

    prefix: ClassVar[str]  # first part of the name
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


@dataclasses.dataclass(frozen=True)
class DLA(RulePair):
    """Discrete Lagrange-d'Alembert with rules for the Lagrangian and for the constraint.

    `constraint_rule` defaults to `rule`. The reported momentum is p_plus projected onto the
    constraint: p_plus itself is the momentum only up to the span of the constraint forms.

    `forms` is your own A_d ((Q, Ld, C_d, A_d) of Definition 2 [MP]), rows of shape (m, n) whose
    multiples are the impulses at a node: `forms(system, t, h, q)`, or at three points
    `forms(system, t, h, before, after)`, with the steps that lead to the node and away from it
    (elements of the groupoid; on R^n pairs of points). For h -> 0 they must span the rows of the
    constraint. With forms no order beyond 1 is claimed.
    """

    forms: Forms | None = dataclasses.field(default=None, metadata={"later": True})

    prefix = "dla"
    keeps = "the discrete constraint; the discrete momentum equation"
    reference = "(7.9), (7.12)-(7.17) [C02]; (4.11) [MP]"

    takes_time = True

    def __post_init__(self) -> None:
        super().__post_init__()
        known = self.forms is None or takes(self.forms, 4) or takes(self.forms, 5)
        if not known:
            raise UsageError(
                "forms must be a function (system, t, h, q) of a node, or (system, t, h, before, "
                f"after) of the steps on both sides of it; got {self.forms!r}"
            )

    @property
    def _three_points(self) -> bool:
        return self.forms is not None and takes(self.forms, 5)

    @property
    def name(self) -> str:
        return super().name + ("" if self.forms is None else "-forms")

    @property
    def traits(self) -> Traits:
        known = super().traits
        if self.forms is None:
            return known
        carry = "step" if self._three_points else "node"
        return dataclasses.replace(
            known, order=1, multiplier_order=1, symmetric=False, carry=carry
        )  # with a user's own forms, the user must measure the order

    def check(self, system: System) -> None:
        refuse_nonlinear(self, system)
        if system.is_redundant:
            refuse_switches(self, system)
        if self.forms is not None and (system.has_holonomic or system.switches is not None):
            raise UsageError(
                f"{self.name}: forms= is for constraints on velocities that are never switched "
                f"off, and {system.name()} has others; leave out forms"
            )

    def adjoint(self) -> DLA:
        if self.forms is not None:
            raise UsageError(f"{self.name} has no adjoint here: the adjoint of forms is not known")
        return DLA(*self._adjoint_rules, self.newton)

    def start(self, system, t, h, q, v):
        lam, p = multipliers(system, q, v, t), momentum(system, q, v, t)
        arrival = None
        if self._three_points:
            before = system.groupoid.inv(system.groupoid.curve(q, -h * v))
            arrival = LastStep(before, p)
        state = DLAState(q, v, jnp.zeros_like(v), 0.5 * lam, arrival)
        return state, exact_row(t, q, v, p, lam)

    def start_pair(self, system, t, h, g):
        q, move = system.groupoid.source(g), system.groupoid.coordinates(g)
        node = split_momentum(system, t, q, legendre_minus(self.rule, system, t, h, g))
        lam = multipliers(system, q, node.v, t)
        defect = discrete_constraint(self._constraint_rule, system, t, h, g)
        residual = jnp.max(jnp.abs(defect), initial=0.0)
        row = Row(t, q, node.v, node.p, lam, residual, code(OK, node.v, move))
        first = self.start(system, t, h, q, node.v)[0]
        return first._replace(bend=(move - h * node.v) / h**2), row

    def reverse(self, carry: DLAState, row: Row) -> DLAState:
        if self._three_points:
            raise UsageError(f"{self.name} carries the last step, and cannot be run backwards")
        return carry._replace(v=-carry.v)

    def step(self, system, t, h, carry: DLAState) -> Advance:
        groupoid, n, arrival = system.groupoid, system.dim, carry.arrival
        p = momentum(system, carry.q, carry.v, t) if arrival is None else arrival.p_plus
        at_node = self._rows(system, t, h, carry.q) if arrival is None else None

        def defect(x):
            """Return momentum balance and discrete constraint for x = (move, multiplier)."""
            g = groupoid.curve(carry.q, x[:n])
            rows: Any = at_node
            if self.forms is not None and arrival is not None:
                rows = self.forms(system, t, h, arrival.element, g)
            balance = legendre_minus(self.rule, system, t, h, g) - p - h * rows.T @ x[n:]
            closing = discrete_constraint(self._constraint_rule, system, t, h, g)
            if system.switches is not None:  # a row that is off has no reaction
                closing = closing + (1.0 - system.switches.rows) * x[n:]
            return jnp.concatenate([balance, closing])

        guess = jnp.concatenate([h * carry.v + h**2 * carry.bend, carry.multiplier])

        def near() -> Near:
            return _near(system, t, h, carry.q, carry.v)

        solved = self.newton.solve(
            defect,
            guess,
            noise=round_off(system, carry.q),
            outermost=True,
            near=near if self.forms is None and not system.is_redundant else None,
        )
        move, lam = solved.x[:n], solved.x[n:]
        g = groupoid.curve(carry.q, move)
        q = groupoid.base.polish(groupoid.target(g))
        p_plus = legendre_plus(self.rule, system, t, h, g)
        node = self._split(system, t + h, h, q, p_plus)
        arrival = LastStep(g, p_plus) if self._three_points else None
        state = DLAState(q, node.v, bend(h, move, node.v), lam, arrival)
        reaction = multipliers(system, q, node.v, t + h)
        result = code(solved.result, node.v, move)
        row = Row(t + h, q, node.v, node.p, reaction, solved.residual, result)
        return Advance(state, row, groupoid.frame(g), ConstraintCheck(node.settled, q, node.v))

    def hindsight(self, h, carry: DLAState, after: DLAState) -> DLAState:
        move = h * after.v - h**2 * after.bend
        return carry._replace(bend=(move - h * carry.v) / h**2, multiplier=after.multiplier)

    def _rows(self, system: System, t, h, q: Point):
        """Return A_d at a node: the forms whose multiples are the impulses there."""
        if self.forms is None:
            return linear_constraint(system, q, t)
        return self.forms(system, t, h, q)

    def _split(self, system: System, t, h, q: Point, p: Vector) -> Splitting:
        """Move the arriving momentum onto the constraint by an impulse at the node."""
        if self.forms is None or self._three_points:
            return split_momentum(system, t, q, p)
        mu, rows = linear_constraint(system, q, t), self._rows(system, t, h, q)
        residual = mu @ velocity(system, q, p, t)
        if system.has_offset:
            residual = residual - linear_offset(system, t, q)
        pairing = mu @ solve_spd(metric(system, q, None, t), rows.T)
        return split_momentum(system, t, q, p - rows.T @ solve(pairing, residual))

    def discrete_multiplier(
        self, system: System, t: Real, h: Real, before: Element, after: Element
    ) -> PerConstraint:
        """Return lam_k of (7.9) at the node between two steps; `after` leaves the node at time t.

        This is the impulse that the discrete principle assigns to the node, divided by h. It has
        the order of the method. Rows report lam(t, q, v) instead.
        """
        t, h = jnp.asarray(t, dtype=float), jnp.asarray(h, dtype=float)
        q = system.groupoid.source(after)
        mu = linear_constraint(system, q, t)
        impulse = legendre_minus(self.rule, system, t, h, after)
        impulse = impulse - legendre_plus(self.rule, system, t - h, h, before)
        raised = solve_spd(metric(system, q, None, t), mu.T)
        return solve_spd(mu @ raised, raised.T @ impulse) / h  # (7.9) [C02]


def _near(system: System, t, h, q: Point, v: Vector) -> Near:
    """Return the Jacobian of a step for h -> 0, from the metric and constraint rows at its node.

    (G/h) move - h mu^T lam is the momentum; (mu/h) move is the velocity along the rows.
    """
    G, mu, n = metric(system, q, v, t), linear_constraint(system, q, t), system.dim
    raised = solve_spd(G, mu.T)
    C = mu @ raised

    def solve(r: Vector) -> Vector:
        free = solve_spd(G, r[:n])
        push = solve_reactions(system, C, r[n:] - mu @ free)
        return jnp.concatenate([h * (free + raised @ push), push / h])

    zero = jnp.zeros((len(mu), len(mu)))
    return Near(jnp.block([[G / h, -h * mu.T], [mu / h, zero]]), solve, n)


def bend(h, move: Vector, v: Vector) -> Vector:
    """Return (v - move/h)/h at the end of a step: half the acceleration, for the next guess."""
    return (h * v - move) / h**2
