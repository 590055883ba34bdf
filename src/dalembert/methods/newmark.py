"""Newmark's methods with nonholonomic constraints.

    q1 = q0 tau(h v0 + h^2/2 ((1 - 2 beta) a0 + 2 beta a1)),
    v1 = v0 + h ((1 - gamma) a0 + gamma a1),    A(q1) v1 = b(t1, q1)

with a = (free acceleration) + G^-1 A^T lam. At one end of the step lam is the multiplier of (q, v);
at the other end it follows from the constraint on v1. The step h with (beta, gamma), the reaction
at the end, is undone by the step -h with (beta + 1/2 - gamma, 1 - gamma), the reaction at the
start: the composition of both, over half a step each, is symmetric. After A. Anahory Simoes,
S. Ferraro, J. C. Marrero, D. Martin de Diego 2022, who impose the same condition on Newmark's
family. They observe that a composition of two of its methods conserves the energy better if the
system is not reversible.
"""

from __future__ import annotations

import dataclasses
from typing import Literal, NamedTuple

import jax.numpy as jnp

from ..dynamics import (
    acceleration,
    free_acceleration,
    linear_constraint,
    linear_offset,
    metric,
    multipliers,
)
from ..errors import UsageError
from ..linalg import Newton, PerConstraint, Vector, solve_spd
from ..system import Point, System
from .base import (
    Advance,
    Method,
    Row,
    Traits,
    refuse_all_but_rows,
    round_off,
    solved_row,
    start_row,
)
from .composition import Composition


class NewmarkState(NamedTuple):
    """A node, and guesses for the next step."""

    q: Point
    v: Vector
    acceleration: Vector
    multiplier: PerConstraint


@dataclasses.dataclass(frozen=True)
class Newmark(Method):
    """Nonholonomic Newmark method with the parameters beta and gamma; order 2 for gamma = 1/2.

    `reaction` is the end of the step at which the constraint determines the reaction: "end", or
    "start" for the adjoint method, which `adjoint()` returns. `Newmark(...).composed()` applies the
    method and its adjoint over half a step each: symmetric, of order 2 for every gamma.
    """

    beta: float = 0.25
    gamma: float = 0.5
    reaction: Literal["start", "end"] = "end"
    newton: Newton = Newton()

    takes_time = True

    def __post_init__(self) -> None:
        if self.reaction not in ("start", "end"):
            raise UsageError(f"reaction must be 'start' or 'end', got {self.reaction!r}")
        share = self.gamma if self.reaction == "end" else 1.0 - self.gamma
        if not (0.0 < share <= 1.0 and abs(self.beta) < 10.0):
            raise UsageError(
                f"Newmark with the reaction at the {self.reaction} needs gamma in "
                f"{'(0, 1]' if self.reaction == 'end' else '[0, 1)'} and a finite beta; got "
                f"beta = {self.beta}, gamma = {self.gamma}"
            )

    @property
    def name(self) -> str:
        numbers = "" if (self.beta, self.gamma) == (0.25, 0.5) else f"-{self.beta:g}-{self.gamma:g}"
        return "newmark" + numbers + ("-start" if self.reaction == "start" else "")

    @property
    def traits(self) -> Traits:
        order = 2 if self.gamma == 0.5 else 1
        return Traits(
            order=order,
            multiplier_order=order,
            symmetric=False,
            explicit=False,
            keeps="the constraint at the nodes",
            on_constraint=True,
            reference="N. M. Newmark 1959; Anahory Simoes et al. 2022",
        )

    def adjoint(self) -> Newmark:
        other = "start" if self.reaction == "end" else "end"
        # rounded, so that the adjoint of the adjoint equals the method exactly
        beta, gamma = round(self.beta + 0.5 - self.gamma, 14), round(1.0 - self.gamma, 14)
        return Newmark(beta, gamma, other, self.newton)

    def composed(self) -> Composition:
        """Return the composition of the method and its adjoint, over half a step each."""
        return Composition((self, self.adjoint()))

    def check(self, system: System) -> None:
        refuse_all_but_rows(self, system)

    def start(self, system, t, h, q, v):
        lam, a = multipliers(system, q, v, t), acceleration(system, q, v, t)
        return NewmarkState(q, v, a, lam), start_row(system, t, q, v)

    def reverse(self, carry: NewmarkState, row: Row) -> NewmarkState:
        return carry._replace(v=-carry.v)

    def step(self, system, t, h, carry: NewmarkState) -> Advance:
        groupoid, n, end = system.groupoid, system.dim, t + h
        known = acceleration(system, carry.q, carry.v, t)
        free = free_acceleration(system, carry.q, carry.v, t)

        def pushed(q, lam, time):
            mu = linear_constraint(system, q, time)
            if not mu.shape[0]:
                return jnp.zeros(n)
            return solve_spd(metric(system, q, None, time), mu.T @ lam)

        def moved(x):
            """Return (element, v1) for the acceleration at the end and the unknown multiplier."""
            a1, lam = x[:n], x[n:]
            a0 = known if self.reaction == "end" else free + pushed(carry.q, lam, t)
            sigma = h * carry.v + 0.5 * h**2 * ((1.0 - 2.0 * self.beta) * a0 + 2 * self.beta * a1)
            v1 = carry.v + h * ((1.0 - self.gamma) * a0 + self.gamma * a1)
            return groupoid.curve(carry.q, sigma), v1

        def defect(x):
            g, v = moved(x)
            q = groupoid.target(g)
            mu = linear_constraint(system, q, end)
            off = mu @ v
            if system.has_offset:
                off = off - linear_offset(system, end, q)
            if self.reaction == "end":
                a = free_acceleration(system, q, v, end) + pushed(q, x[n:], end)
            else:
                a = acceleration(system, q, v, end)
            return jnp.concatenate([x[:n] - a, off * (1.0 / h)])

        guess = jnp.concatenate([carry.acceleration, carry.multiplier])
        noise = round_off(system, carry.q) / h**2
        root = self.newton.solve(defect, guess, noise=noise, outermost=True)
        g, v = moved(root.x)
        q = groupoid.base.polish(groupoid.target(g))
        row = solved_row(system, end, q, v, root)
        state = NewmarkState(q, row.v, root.x[:n], root.x[n:])
        return Advance(state, row, groupoid.frame(g))


__all__ = ["Newmark", "NewmarkState"]
