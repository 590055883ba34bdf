"""Hamel's equations in quasi-velocities, discretized at the middle of each step.

With a frame S(q) of the constraint, v = S xi, and pi = S^T p, Hamel's equations are

    pi' = (dS/dt)^T p + S^T (dL/dq + ad_v^T p + F),    q' = S xi

(the first term contains the brackets with Hamel's symbols; no reaction appears). A step has the
quasi-velocity xi at its midpoint,

    pi_c - (h/2) f_c = pi_0,    pi_c + (h/2) f_c = pi_1,    q_0, q_1 = q_c tau(-+ h S_c xi/2)

(K. R. Ball, D. V. Zenkov 2015). For constant frames on a group it solves the same equations as the
reduced d'Alembert-Pontryagin principle of Kobilarov, Marsden and Sukhatme (2010); their
discretization is `DLA` on `LieGroup` and `Reduced` groupoids.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp

from .. import groupoids
from ..dynamics import (
    drift_momentum,
    linear_constraint,
    metric,
    momentum,
)
from ..errors import UsageError
from ..linalg import Columns, Newton, Vector, solve_spd
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
from .chart import Chart
from .energy import kernel


class HamelState(NamedTuple):
    """A node, and about half the acceleration, as a guess for the next step."""

    q: Point
    v: Vector
    bend: Vector


@dataclasses.dataclass(frozen=True)
class Hamel(Method):
    """Discrete Hamel equations by the midpoint rule, for the momentum along a constraint frame.

    `frame(q)` defines the quasi-velocities: columns that span the velocities with A(q) v = 0, shape
    (n, n - m). Without it the frame of a step is P(q) N, with N a basis at its midpoint and P the
    projector of the metric; the result does not depend on N. If the frame is invariant under a
    symmetry (constant on a group, or P(q) N), every relative equilibrium of the motion is one of
    the method. Its linearization there is the Cayley map of the linearization of the motion: modes
    that decay, oscillate or grow in the motion do the same in the method, for every step size.

    For constraints A(q) v = 0; the Lagrangian may depend on time, and external forces may act.
    """

    frame: Callable[[Point], Columns] | None = None
    newton: Newton = Newton()

    takes_time = True
    name = "hamel"

    def __post_init__(self) -> None:
        if self.frame is not None and not callable(self.frame):
            raise UsageError(f"frame must be a function q -> columns of D; got {self.frame!r}")

    @property
    def traits(self) -> Traits:
        return Traits(
            order=2,
            multiplier_order=2,
            symmetric=True,
            explicit=False,
            keeps="the constraint at the nodes and in the middle of steps",
            on_constraint=True,
            reference="Ball, Zenkov 2015; quasi-velocities: 3.2.2 [C02]",
        )

    def check(self, system: System) -> None:
        refuse_all_but_rows(self, system)
        if system.has_offset or system.has_timed_constraint:
            raise UsageError(
                f"{self.name} needs constraints A(q) v = 0, because its frame does not depend on "
                f"time; {system.name()} has others: use Gauss, DLA or GNI"
            )
        if self.frame is None:
            return
        q = jax.eval_shape(system.groupoid.base.identity)
        rows = jax.eval_shape(lambda q: linear_constraint(system, q), q).shape[0]
        found, wanted = jax.eval_shape(self.frame, q).shape, (system.dim, system.dim - rows)
        if found != wanted:
            raise UsageError(
                f"{self.name}: frame(q) must have the shape {wanted}, a column for each direction "
                f"that {system.name()} may move in; got {found}"
            )

    def start(self, system, t, h, q, v):
        return HamelState(q, v, jnp.zeros_like(v)), start_row(system, t, q, v)

    def reverse(self, carry: HamelState, row: Row) -> HamelState:
        return carry._replace(v=-carry.v)

    def step(self, system, t, h, carry: HamelState) -> Advance:
        groupoid, middle = system.groupoid, t + 0.5 * h
        p_start = momentum(system, carry.q, carry.v, t)

        def balance(v):
            """Return the chart of a step with velocity v, its frame, pi_c and f_c."""
            chart = Chart(groupoid, carry.q, 0.5 * h * v)
            center = chart.center
            S = self._frame(system, center)
            p = momentum(system, center, v, middle)
            force = groupoids.gradient(
                groupoid, lambda x: system.lagrangian_at(middle, x, v), center
            )
            force = force + groupoid.ad(center, v).T @ p
            if system.has_force:
                force = force + system.force(middle, center, v)
            turning = groupoids.directional(groupoid, S, center, v)
            return chart, S, S(center).T @ p, turning.T @ p + S(center).T @ force

        def defect(v):
            chart, S, pi, force = balance(v)
            kept = pi - 0.5 * h * force - S(carry.q).T @ p_start
            return jnp.concatenate([kept, linear_constraint(system, chart.center) @ v])

        guess = carry.v + h * carry.bend
        noise = round_off(system, carry.q) / jnp.abs(h)
        root = self.newton.solve(defect, guess, noise=noise, outermost=True)
        chart, S, pi, force = balance(root.x)
        element = chart.element()
        q = groupoid.base.polish(groupoid.target(element))
        span, end = S(q), t + h
        free = pi + 0.5 * h * force - span.T @ drift_momentum(system, q, end)
        v = span @ solve_spd(span.T @ metric(system, q, None, end) @ span, free)
        row = solved_row(system, end, q, v, root)
        state = HamelState(q, row.v, (row.v - root.x) * (1.0 / h))
        return Advance(state, row, groupoid.frame(element))

    def _frame(self, system: System, center: Point) -> Callable[[Point], Columns]:
        if self.frame is not None:
            frame = self.frame
            return lambda q: jnp.asarray(frame(q), dtype=float)
        N = kernel(linear_constraint(system, center))

        def spanned(q: Point) -> Columns:
            mu = linear_constraint(system, q)
            if not mu.shape[0]:
                return N
            raised = solve_spd(metric(system, q), mu.T)
            return N - raised @ solve_spd(mu @ raised, mu @ N)

        return spanned


__all__ = ["Hamel", "HamelState"]
