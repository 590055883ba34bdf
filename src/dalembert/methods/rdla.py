"""The reduced discrete Lagrange-d'Alembert method on the shape space of a Chaplygin system.

    D1 Ld*(r_k, r_{k+1}) + D2 Ld*(r_{k-1}, r_k) = F_minus(r_k, r_{k+1}) + F_plus(r_{k-1}, r_k)

(7.31) [C02], with Ld*(r0, r1) = ld(r0, r1, f(r0, r1)): f is the move of the group that the
discrete constraint gives. The discrete forces supply the terms that Ld* lacks,

    F_minus = D1 Ld* + (1, -A(r0))^T p_minus,    F_plus = D2 Ld* - (1, -A(r1))^T p_plus

with the discrete momenta p of ld on (r0, r1, f), so that (7.31) says: the horizontal parts of
p_minus(r_k, r_{k+1}) and p_plus(r_{k-1}, r_k) agree. It is solved in that form. The nodes are
those of DLA on the unreduced system in the chart r, tau^-1(g), projected; the multipliers and the
group never enter. If the shape space is a group, D1 and D2 are left-trivialised.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from ..doors import guard as _guard
from ..dynamics import momentum, multipliers, velocity
from ..errors import UsageError
from ..geometry.reduction.chaplygin_reduction import Chaplygin, ReducedSystem
from ..groupoids import Arrow, Element, Pair
from ..linalg import Real, Scalar, Vector
from ..system import Point, System
from .base import Advance, Row, code, exact_row
from .dla import RulePair, bend
from .rules import (
    Alpha,
    SymmetricAlpha,
    legendre_minus,
    legendre_plus,
    slope_at_end,
    slope_at_start,
)


class RDLAState(NamedTuple):
    """Node, and the guess for the next move, h v + h^2 bend."""

    q: Point
    v: Vector
    bend: Vector


@dataclasses.dataclass(frozen=True)
class RDLA(RulePair):
    """Reduced DLA for `chaplygin(...).reduced`, with the rules and the chart of unreduced DLA.

    `tau` is the chart of shape and group, "cay" or "exp"; on R^n it has no effect.
    """

    tau: str = "cay"

    prefix = "rdla"
    keeps = "the projection of DLA: the discrete constraint, once lifted"
    reference = "(7.31), Theorem 7.5.3 [C02]"

    def check(self, system: System) -> None:
        if not isinstance(system, ReducedSystem):
            raise UsageError(
                f"{self.name} runs only on the reduced system of a Chaplygin system, "
                f"chaplygin(...).reduced; {system.name()} is another one"
            )
        for rule in (self.rule, self._constraint_rule):
            if not isinstance(rule, (Alpha, SymmetricAlpha)):
                raise UsageError(
                    f"{self.name}: the rule '{rule.label}' does not give the move of the group "
                    "from that of the shape; use Alpha or SymmetricAlpha"
                )

    def adjoint(self) -> RDLA:
        return RDLA(*self._adjoint_rules, self.newton, self.tau)

    def element(self, chaplygin: Chaplygin, r0: Point, r1: Point) -> Element:
        """Return (r0, r1, f) with the move f of the group from the discrete constraint."""
        return self._lifted(chaplygin, (r0, r1))

    def _lifted(self, chaplygin: Chaplygin, pair: Element) -> Element:
        """Return the element over a pair of shapes, with the group's move by the constraint."""
        body, r0, still = chaplygin.body(self.tau), pair[0], _still(chaplygin, pair)
        # the rows are (mean of A) (move of the shape)/h + sigma/h: with h = 1 and sigma = 0 they
        # are minus the sigma that makes them vanish
        one = jnp.ones(())
        sigma = -self._constraint_rule.constraint(body, jnp.zeros(()), one, still)
        moved = body.groupoid.curve(r0, jnp.concatenate([jnp.zeros(chaplygin.shape), sigma]))
        return body.groupoid.mul(moved, still)

    def _pairs(self, chaplygin: Chaplygin) -> Pair:
        return Pair(chaplygin.base, self.tau)

    def reduced_lagrangian(self, chaplygin: Chaplygin, h: Real, r0: Point, r1: Point) -> Scalar:
        """Return Ld*(r0, r1), the discrete Lagrangian of the shape."""
        element = self.element(chaplygin, r0, r1)
        return self.rule.lagrangian(chaplygin.body(self.tau), jnp.asarray(h, dtype=float), element)

    def forces(self, chaplygin: Chaplygin, h: Real, r0: Point, r1: Point) -> tuple[Vector, Vector]:
        """Return (F_minus, F_plus) of (7.31); both are h alpha/2 for A linear in r, G Abelian."""
        h, t = jnp.asarray(h, dtype=float), jnp.zeros(())
        pairs, pair = self._pairs(chaplygin), (r0, r1)

        def Ld(g):
            return self.reduced_lagrangian(chaplygin, h, *g)

        minus = self._minus(chaplygin, t, h, pair) - slope_at_start(pairs, Ld, pair)
        return minus, slope_at_end(pairs, Ld, pair) - self._plus(chaplygin, t, h, pair)

    def reconstruct(self, chaplygin: Chaplygin, r: Point, g0: Element = None) -> Element:
        """Return the group elements g_k over the nodes r_k: g_{k+1} = g_k f(r_k, r_{k+1})."""
        group = chaplygin.group
        g0 = group.identity() if g0 is None else group.check(g0, "g0")
        start, end = jax.tree.map(lambda x: x[:-1], r), jax.tree.map(lambda x: x[1:], r)
        moves = jax.vmap(lambda a, b: self.element(chaplygin, a, b)[2])(start, end)

        def one(g, f):
            g = group.polish(group.mul(g, f))
            return g, g

        _, path = lax.scan(one, g0, moves)
        return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), g0, path)

    def _minus(self, chaplygin, t, h, pair):
        element = self._lifted(chaplygin, pair)
        p = legendre_minus(self.rule, chaplygin.body(self.tau), t, h, element)
        return p @ chaplygin.horizontal(pair[0])  # (7.30) [C02], its part at r0

    def _plus(self, chaplygin, t, h, pair):
        element = self._lifted(chaplygin, pair)
        p = legendre_plus(self.rule, chaplygin.body(self.tau), t, h, element)
        return p @ chaplygin.horizontal(pair[1])  # (7.30) [C02], its part at r1

    def start(self, system, t, h, q, v):
        row = exact_row(t, q, v, momentum(system, q, v), multipliers(system, q, v, t))
        return RDLAState(q, v, jnp.zeros_like(v)), row

    def start_pair(self, system, t, h, g):
        q, move = g[0], self._pairs(_declared(system)).coordinates(g)
        p = self._minus(_declared(system), t, h, g)
        v = velocity(system, q, p)
        row = exact_row(t, q, v, p, multipliers(system, q, v, t))
        return RDLAState(q, v, (move - h * v) / h**2), row

    def step(self, system, t, h, carry: RDLAState) -> Advance:
        chaplygin = _declared(system)
        pairs, p = self._pairs(chaplygin), momentum(system, carry.q, carry.v)

        def defect(move):
            return self._minus(chaplygin, t, h, pairs.curve(carry.q, move)) - p  # (7.31) [C02]

        guess = h * carry.v + h**2 * carry.bend
        size = jnp.maximum(jnp.max(jnp.abs(p)), jnp.max(jnp.abs(defect(guess))))
        solved = self.newton.solve(
            defect, guess, scale=lax.stop_gradient(size) + 1e-300, outermost=True
        )
        pair = pairs.curve(carry.q, solved.x)
        q, p = chaplygin.base.polish(pair[1]), self._plus(chaplygin, t, h, pair)
        v = velocity(system, q, p)
        lam = multipliers(system, q, v, t + h)
        row = Row(t + h, q, v, p, lam, solved.residual, code(solved.result, v, solved.x))
        return Advance(RDLAState(q, v, bend(h, solved.x, v)), row, jnp.zeros(0))


def _still(chaplygin: Chaplygin, pair: Element) -> Element:
    """Return the element over a pair of shapes with no move of the group."""
    still = (*pair, chaplygin.group.identity())
    return Arrow(still, pair.move) if isinstance(pair, Arrow) else still


def _declared(system: System) -> Chaplygin:
    assert isinstance(system, ReducedSystem)  # refused by `check` otherwise
    return system.chaplygin


_guard(globals())
