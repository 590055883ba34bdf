"""The reduced discrete Lagrange-d'Alembert method on the shape space of a Chaplygin system.

    D1 Ld*(r_k, r_{k+1}) + D2 Ld*(r_{k-1}, r_k) = F_minus(r_k, r_{k+1}) + F_plus(r_{k-1}, r_k)

(7.31) [C02], with Ld*(r0, r1) = ld(r0, r1, f(r0, r1)): f is the move of the group that the
discrete constraint gives. The discrete forces make up for what Ld* misses,

    F_minus = D1 Ld* + (1, -A(r0))^T p_minus,    F_plus = D2 Ld* - (1, -A(r1))^T p_plus

with the discrete momenta p of ld on (r0, r1, f), so that (7.31) says: the horizontal parts of
p_minus(r_k, r_{k+1}) and p_plus(r_{k-1}, r_k) agree. In that form it is solved. The nodes are
those of DLA on the unreduced system in the chart r, tau^-1(g), projected; the multipliers and the
group never enter.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from ..discrete import Alpha, Midpoint, Rule, SymmetricAlpha, legendre_minus, legendre_plus
from ..dynamics import drift_momentum, metric, momentum
from ..errors import UsageError
from ..geometry.reduction import Chaplygin, ReducedSystem
from ..linalg import OK, newton, solve_spd
from ..system import System
from .base import Advance, Method, Row, Traits, code


class RDLAState(NamedTuple):
    """Node, the solved move that leaves it, and the last change of the move."""

    q: jax.Array
    move: jax.Array
    change: jax.Array


@dataclasses.dataclass(frozen=True)
class RDLA(Method):
    """Reduced DLA for `chaplygin(...).reduced`, with the rules and the chart of the unreduced one.

    `tau` is the chart of the group, "cay" or "exp"; for a group of translations it plays no part.
    """

    rule: Rule = dataclasses.field(default_factory=Midpoint)
    constraint_rule: Rule | None = None
    tau: str = "cay"

    @property
    def name(self) -> str:
        other = self._constraint_rule
        return f"rdla-{self.rule.label}" + ("" if other == self.rule else f"-{other.label}")

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
            keeps="the projection of DLA: the discrete constraint, once lifted",
            reference="(7.31), Theorem 7.5.3 [C02]",
        )

    def check(self, system: System) -> None:
        if not isinstance(system, ReducedSystem):
            raise UsageError(
                f"{self.name} runs the reduced system of a Chaplygin system, "
                f"chaplygin(...).reduced; {system.name()} is not one"
            )
        for rule in (self.rule, self._constraint_rule):
            if not isinstance(rule, (Alpha, SymmetricAlpha)):
                raise UsageError(
                    f"{self.name}: the rule '{rule.label}' does not give the move of the group "
                    "from that of the shape; use Alpha or SymmetricAlpha"
                )

    def adjoint(self) -> RDLA:
        return RDLA(self.rule.adjoint(), self._constraint_rule.adjoint(), self.tau)

    def element(self, chaplygin: Chaplygin, r0: jax.Array, r1: jax.Array) -> Any:
        """(r0, r1, f) with the move f of the group from the discrete constraint."""
        body = chaplygin.body(self.tau)
        still = (r0, r1, chaplygin.group.identity())
        # the rows are (mean of A) (r1 - r0)/h + sigma/h: with h = 1 and no move, minus sigma
        one = jnp.ones(())
        sigma = -self._constraint_rule.constraint(body, jnp.zeros(()), one, still)
        return body.groupoid.curve(r0, jnp.concatenate([r1 - r0, sigma]))

    def reduced_lagrangian(
        self, chaplygin: Chaplygin, h: jax.Array | float, r0: jax.Array, r1: jax.Array
    ) -> jax.Array:
        """Ld*(r0, r1)."""
        element = self.element(chaplygin, r0, r1)
        return self.rule.lagrangian(chaplygin.body(self.tau), jnp.asarray(h, dtype=float), element)

    def forces(
        self, chaplygin: Chaplygin, h: jax.Array | float, r0: jax.Array, r1: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """(F_minus, F_plus) of (7.31); for A linear in r and an Abelian G both are h alpha/2."""
        h = jnp.asarray(h, dtype=float)
        slopes = jax.grad(self.reduced_lagrangian, (2, 3))(chaplygin, h, r0, r1)
        t = jnp.zeros(())
        minus = slopes[0] + self._minus(chaplygin, t, h, r0, r1)
        return minus, slopes[1] - self._plus(chaplygin, t, h, r0, r1)

    def reconstruct(self, chaplygin: Chaplygin, r: jax.Array, g0: Any = None) -> Any:
        """The group elements g_k over the nodes r_k: g_{k+1} = g_k f(r_k, r_{k+1})."""
        group = chaplygin.group
        g0 = group.identity() if g0 is None else group.check(g0, "g0")
        moves = jax.vmap(lambda a, b: self.element(chaplygin, a, b)[2])(r[:-1], r[1:])

        def one(g, f):
            g = group.project(group.mul(g, f))
            return g, g

        _, path = lax.scan(one, g0, moves)
        return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), g0, path)

    def _minus(self, chaplygin, t, h, r0, r1):
        element = self.element(chaplygin, r0, r1)
        p = legendre_minus(self.rule, chaplygin.body(self.tau), t, h, element)
        return p @ chaplygin.horizontal(r0)

    def _plus(self, chaplygin, t, h, r0, r1):
        element = self.element(chaplygin, r0, r1)
        p = legendre_plus(self.rule, chaplygin.body(self.tau), t, h, element)
        return p @ chaplygin.horizontal(r1)

    def start(self, system, t, h, q, v):
        p = momentum(system, q, v)
        solved = self._solve(system, t, h, q, p, h * v)
        row = Row(q, v, p, jnp.zeros(0), solved.residual, code(solved.result, solved.x))
        return RDLAState(q, solved.x, jnp.zeros_like(v)), row

    def start_pair(self, system, t, h, g):
        q, move = g[0], g[1] - g[0]
        p = self._minus(_declared(system), t, h, g[0], g[1])
        v = solve_spd(metric(system, q), p - drift_momentum(system, q))
        row = Row(q, v, p, jnp.zeros(0), jnp.zeros(()), code(OK, v, move))
        return RDLAState(q, move, jnp.zeros_like(move)), row

    def reverse(self, carry: RDLAState, row: Row) -> RDLAState:
        back = carry.change - carry.move
        return RDLAState(carry.q, back, jnp.zeros_like(back))

    def step(self, system, t, h, carry: RDLAState) -> Advance:
        q = carry.q + carry.move
        p = self._plus(_declared(system), t, h, carry.q, q)
        v = solve_spd(metric(system, q), p - drift_momentum(system, q))
        solved = self._solve(system, t + h, h, q, p, carry.move + carry.change)
        move = solved.x
        row = Row(q, v, p, jnp.zeros(0), solved.residual, code(solved.result, v, move))
        return Advance(RDLAState(q, move, move - carry.move), row, jnp.zeros(0))

    def _solve(self, system, t, h, q, p, guess):
        def defect(move):
            return self._minus(_declared(system), t, h, q, q + move) - p

        size = jnp.maximum(jnp.max(jnp.abs(p)), jnp.max(jnp.abs(defect(guess))))
        return newton(defect, guess, scale=lax.stop_gradient(size) + 1e-300)


def _declared(system: System) -> Chaplygin:
    assert isinstance(system, ReducedSystem)  # refused by `check` otherwise
    return system.chaplygin
