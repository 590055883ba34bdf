"""Discrete Lagrange-d'Alembert with step sizes that conserve the discrete energy.

    p_minus(g_k) = p_plus(g_{k-1}) + h_k mu(q_k)^T lam_k,    constraint(g_k) = 0,
    -dLd/dh (g_k; h_k) = -dLd/dh (g_{k-1}; h_{k-1})

The first two lines are DLA, (7.9) [C02]. The third determines the size h_k of the next step: it
is the variation of the times of the nodes (C. Kane, J. E. Marsden, M. Ortiz 1999, cited in 7.1
[C02] and in the introduction of [F08]). -dLd/dh is the discrete energy; it differs from the energy
at the nodes by c h^2, where c is a function of the state. The third line therefore has a solution
only where c is not zero, or where every step size conserves the energy (c = 0 everywhere, as for
the sleigh by the midpoint rule): then the step size does not change. Where c changes its sign along
a motion, no step size conserves the energy, and the run ends there.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from ..dynamics import linear_constraint, momentum, multipliers
from ..errors import UsageError
from ..groupoids import Element
from ..linalg import OK, STALLED, PerConstraint, Scalar, Vector
from ..system import Point, System
from .base import (
    Advance,
    ConstraintCheck,
    Row,
    Traits,
    code,
    refuse_all_but_rows,
    round_off,
    split_momentum,
    start_row,
)
from .dla import RulePair, bend
from .rules import discrete_constraint, discrete_lagrangian, legendre_minus, legendre_plus

_SLIVER = 1e-9  # a last step shorter than this part of a step is merged into the previous step
# Largest ratio of consecutive step sizes. They change by O(h) from step to step; a root beyond this
# factor is another branch of the equation, which the motion does not follow.
_JUMP = 2.0
# Relative error of the discrete energy below which a step of the same size conserves it: a random
# walk of 10^6 round-offs of 1e-16 stays below it.
_HELD = 1e-12


class EnergyDLAState(NamedTuple):
    """A node, guesses for the next step, the last step size, and the energy to conserve."""

    q: Point
    v: Vector
    bend: Vector
    multiplier: PerConstraint
    energy: Scalar  # -dLd/dh of the first step
    h: Scalar
    t: Scalar
    lost: Scalar  # round-off of t (compensated summation)
    end: Scalar


@dataclasses.dataclass(frozen=True)
class EnergyDLA(RulePair):
    """DLA with variable steps that conserve the discrete energy -dLd/dh to round-off.

    The first step has the size h of the run. Every later step size is an unknown of its step, so
    the rows are not equidistant in time, and the end time of a given number of steps varies. If the
    run ends at a given time, the last step is shorter and is a step of `DLA`.

    The energy of the saved rows, E(q, v), differs from the discrete energy by c h^2, so that it is
    as constant as the step size. On reversible motions the step sizes oscillate; on irreversible
    motions they drift, and with them the energy of the rows, because step sizes follow from the
    energy, not from the accuracy. Where c changes its sign no step size conserves the energy: the
    run raises a `SimulationError` with the trajectory so far. Then use `EnergyGauss` (fixed steps,
    the energy of the rows to round-off) or `DLA`.

    For L(q, v) and constraints A(q) v = 0, without external forces: otherwise there is no energy to
    conserve.
    """

    prefix = "energy-dla"
    keeps = "the discrete constraint; the discrete energy -dLd/dh"
    reference = "(7.9), 7.1 [C02]; Kane, Marsden, Ortiz 1999"

    def __post_init__(self) -> None:
        super().__post_init__()
        for rule in (self.rule, self._constraint_rule):
            if not rule.symmetric:
                raise UsageError(
                    f"EnergyDLA needs symmetric rules: the discrete energy of '{rule.label}' is "
                    "off by O(h), which changes its sign where the motion turns, and no step size "
                    "conserves it there; take Midpoint() or Trapezoidal()"
                )

    @property
    def traits(self) -> Traits:
        return dataclasses.replace(super().traits, carry="step", sizes="own")

    def check(self, system: System) -> None:
        refuse_all_but_rows(self, system)
        if system.has_offset or system.has_timed_constraint or system.has_force or system.has_time:
            raise UsageError(
                f"{self.name} is for L(q, v) and A(q) v = 0 without external forces; the energy of "
                f"{system.name()} is not conserved by its motion: use DLA, Gauss or GNI"
            )

    def discrete_energy(self, system: System, h: Scalar, g: Element) -> Scalar:
        """Return -dLd/dh of a step g of length h."""
        zero = jnp.zeros(())
        slope = jax.grad(lambda x: discrete_lagrangian(self.rule, system, zero, x, g))
        return -slope(jnp.asarray(h, dtype=float))

    def start(self, system, t, h, q, v):
        t, h = jnp.asarray(t, dtype=float), jnp.asarray(h, dtype=float)
        zero, never = jnp.zeros(()), jnp.full((), jnp.inf)
        lam = multipliers(system, q, v, t)
        row = start_row(system, t, q, v)
        first = EnergyDLAState(q, v, jnp.zeros_like(v), 0.5 * lam, zero, h, t, zero, never)
        g = system.groupoid.curve(q, self._solved(system, first, h, False)[0])
        return first._replace(energy=self.discrete_energy(system, h, g)), row

    def reverse(self, carry: EnergyDLAState, row: Row) -> EnergyDLAState:
        return carry._replace(v=-carry.v)

    def step(self, system, t, h, carry: EnergyDLAState) -> Advance:
        """Take the next step; its size is an unknown, and h is ignored."""
        groupoid, rest = system.groupoid, carry.end - carry.t
        plain = self._solved(system, carry, carry.h, False)
        energy = self.discrete_energy(system, carry.h, groupoid.curve(carry.q, plain[0]))
        size = jnp.abs(carry.energy) + jnp.abs(momentum(system, carry.q, carry.v) @ carry.v)
        # where every step size conserves the energy (c = 0 everywhere), keep the size
        held = jnp.abs(energy - carry.energy) <= _HELD * size
        free = self._solved(system, carry, carry.h, True)
        fine = (free[4] == OK) & (free[2] > carry.h / _JUMP) & (free[2] < _JUMP * carry.h)
        # STALLED if DLA has a step of this size (no size conserves the energy), else its failure
        failed = jnp.where(plain[4] == OK, STALLED, plain[4]).astype(free[4].dtype)
        free = (*free[:4], jnp.where(fine, OK, failed))
        values = [
            jnp.where(held & (plain[4] == OK), a, b) for a, b in zip(plain, free, strict=True)
        ]
        # a step that would pass the end of the run has the remaining size, and is a step of DLA
        is_last = values[2] >= (1.0 - _SLIVER) * rest
        short = self._solved(system, carry, jnp.where(is_last, rest, carry.h), False)
        move, lam, size, residual, result = (
            jnp.where(is_last, a, b) for a, b in zip(short, values, strict=True)
        )
        g = groupoid.curve(carry.q, move)
        q = groupoid.base.polish(groupoid.target(g))
        added = size + carry.lost
        now = jnp.where(is_last, carry.end, carry.t + added)
        node = split_momentum(system, now, q, legendre_plus(self.rule, system, carry.t, size, g))
        state = carry._replace(
            q=q, v=node.v, bend=bend(size, move, node.v), multiplier=lam, h=size, t=now,
            lost=added - (now - carry.t),
        )  # fmt: skip
        result = code(result, node.v, move, now)
        result = jnp.where((result == OK) & ~(now > carry.t), STALLED, result).astype(jnp.int32)
        reaction = multipliers(system, q, node.v, now)
        row = Row(now, q, node.v, node.p, reaction, residual, result)
        return Advance(state, row, groupoid.frame(g), ConstraintCheck(node.settled, q, node.v))

    def _solved(self, system: System, carry: EnergyDLAState, size: Scalar, own: bool):
        """Return move, multiplier, step size, residual and result; the size is unknown if `own`."""
        groupoid, n, t = system.groupoid, system.dim, carry.t
        p = momentum(system, carry.q, carry.v, t)
        mu = linear_constraint(system, carry.q, t)
        m = mu.shape[0]

        def defect(x):
            h = size * x[-1] if own else size
            g = groupoid.curve(carry.q, x[:n])
            balance = legendre_minus(self.rule, system, t, h, g) - p - h * mu.T @ x[n : n + m]
            closing = discrete_constraint(self._constraint_rule, system, t, h, g)
            rows = [balance, closing]
            if own:
                rows.append((self.discrete_energy(system, h, g) - carry.energy)[None])
            return jnp.concatenate(rows)

        guess = [size * carry.v + size**2 * carry.bend, carry.multiplier]
        if own:
            guess.append(jnp.ones(1))
        noise = round_off(system, carry.q)
        root = self.newton.solve(defect, jnp.concatenate(guess), noise=noise, outermost=True)
        result = size * root.x[-1] if own else size
        return root.x[:n], root.x[n : n + m], result, root.residual, root.result


__all__ = ["EnergyDLA", "EnergyDLAState"]
