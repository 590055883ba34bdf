"""SPARK methods on Lobatto nodes (Jay 2003, 2009): discrete d'Alembert at order 2s - 2.

In the chart of the step (y = q on R^n), with IIIA (A, b, c), its partner IIIB (B) and
L~(y, y') = L(q, v), the unknowns are rates F_i and multipliers lam_i at s nodes:

    y_i = -z + h sum A_ij F_j,    z = h/2 sum b_j F_j
    dL~/dy'(y_i, F_i) = p0 + h sum B_ij f_j,    f_j = dL~/dy + force + mu^T lam_j  at node j
    sum b_j c_j^k (mu_j v_j - b(t_j)) = 0,  k = 0..s-2,    p1 = p0 + h sum b_j f_j,
    mu(q1) v1 = b(t + h, q1)

With s = 2 it is DLA with the trapezoidal rule, its velocity projected.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..dynamics import (
    linear_constraint,
    linear_offset,
    momentum,
    multipliers,
    projected,
    velocity,
)
from ..errors import UsageError
from ..linalg import Newton, solve
from ..system import Point, System
from .base import (
    Advance,
    Method,
    Row,
    Traits,
    code,
    exact_row,
    refuse_holonomic,
    refuse_nonlinear,
    refuse_switches,
    round_off,
)
from .chart import Chart, is_flat
from .tableaux import lagrange, lobatto


class LobattoState(NamedTuple):
    """A node, and guesses for the next step."""

    q: Point
    v: jax.Array
    rates: jax.Array  # (stages, n)
    multipliers: jax.Array  # (stages, m)


@dataclasses.dataclass(frozen=True)
class Lobatto(Method):
    """Lobatto IIIA-IIIB with multipliers at its nodes; order 2 `stages` - 2, symmetric."""

    stages: int = 3
    newton: Newton = Newton()

    takes_time = True

    def __post_init__(self) -> None:
        if self.stages not in (2, 3, 4):
            raise UsageError(f"Lobatto has 2, 3 or 4 stages, got {self.stages!r}")

    @property
    def name(self) -> str:
        return f"lobatto-{self.stages}"

    @property
    def traits(self) -> Traits:
        order = 2 * self.stages - 2
        return Traits(
            order=order,
            multiplier_order=order,
            symmetric=True,
            explicit=False,
            keeps="the constraint at the nodes",
            on_constraint=True,
            reference="Jay 2003, 2009",
            # Stability on an oscillator ends where the trace of the step matrix reaches 2. With 4
            # stages there is a second stable interval, from 3.162 to 5.477.
            stable={2: 2.0, 3: 8.0**0.5, 4: 3.1126}[self.stages],
        )

    def check(self, system: System) -> None:
        refuse_nonlinear(self, system)
        refuse_switches(self, system)
        refuse_holonomic(self, system)

    def start(self, system, t, h, q, v):
        lam = multipliers(system, q, v, t)
        row = exact_row(t, q, v, momentum(system, q, v, t), lam)
        return self._resting(q, v, lam), row

    def reverse(self, carry: LobattoState, row: Row) -> LobattoState:
        return self._resting(carry.q, -carry.v, row.multiplier)

    def _resting(self, q, v, lam) -> LobattoState:
        return LobattoState(q, v, jnp.tile(v, (self.stages, 1)), jnp.tile(lam, (self.stages, 1)))

    def step(self, system, t, h, carry: LobattoState) -> Advance:
        (A, b, c), B = lobatto(self.stages)
        s, n, m = self.stages, system.dim, carry.multipliers.shape[1]
        moments = b * c ** np.arange(s - 1)[:, None]
        p_start = momentum(system, carry.q, carry.v, t)

        def pulled(chart: Chart, y, p):
            """Return the covector p at q(y) in coordinates of the chart."""
            if is_flat(system.groupoid):
                return p
            return jax.vjp(lambda rate: chart.velocity(y, rate), jnp.zeros(n))[1](p)[0]

        def defect(time, q, v):
            residual = linear_constraint(system, q, time) @ v
            return residual - linear_offset(system, time, q) if system.has_offset else residual

        def path(x):
            F, lam = x[: s * n].reshape(s, n), x[s * n :].reshape(s, m)
            chart = Chart(system.groupoid, carry.q, 0.5 * h * b @ F)

            def at(y, rate, lam, time):
                def lagrangian(y, rate):
                    return system.lagrangian_at(time, chart.point(y), chart.velocity(y, rate))

                pull, p = jax.grad(lagrangian, (0, 1))(y, rate)
                q, v = chart.point(y), chart.velocity(y, rate)
                outer = linear_constraint(system, q, time).T @ lam
                if system.has_force:
                    outer = outer + system.force(time, q, v)
                return p, pull + pulled(chart, y, outer), defect(time, q, v)

            y = h * A @ F - chart.z[None]
            p, f, off = jax.vmap(at)(y, F, lam, t + h * c)
            p0 = pulled(chart, -chart.z, p_start)
            return chart, p - p0[None] - h * B @ f, p0 + h * b @ f, off

        def end(chart: Chart, p):
            q = system.groupoid.target(chart.element())
            if not is_flat(system.groupoid):
                rows = jax.jacfwd(lambda rate: chart.velocity(chart.z, rate))(jnp.zeros(n))
                p = solve(rows.T, p)
            return q, velocity(system, q, p, t + h)

        def equations(x):
            chart, balance, p, off = path(x)
            q, v = end(chart, p)
            return jnp.concatenate([balance.ravel(), (moments @ off).ravel(), defect(t + h, q, v)])

        guess = jnp.concatenate([carry.rates.ravel(), carry.multipliers.ravel()])
        # round-off of q, as an error of the rates F
        noise = round_off(system, carry.q) / jnp.abs(h)
        root = self.newton.solve(equations, guess, noise=noise, outermost=True)
        chart, _, p, _ = path(root.x)
        q, v = end(chart, p)
        q = system.groupoid.base.polish(q)
        v = projected(system, q, v, t + h)
        p, lam = momentum(system, q, v, t + h), multipliers(system, q, v, t + h)
        row = Row(t + h, q, v, p, lam, root.residual, code(root.result, v, p, lam))
        ahead = jnp.asarray(lagrange(c, 1.0 + c))
        rates = ahead @ root.x[: s * n].reshape(s, n)
        state = LobattoState(q, v, rates, ahead @ root.x[s * n :].reshape(s, m))
        return Advance(state, row, system.groupoid.frame(chart.element()))
