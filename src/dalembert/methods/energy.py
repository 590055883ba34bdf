"""Energy-preserving collocation (Cohen, Hairer 2011) of the motion on the constraint.

With a frame S of ker mu, pi = S^T p and u = (S^T G S)^-1 (pi - S^T alpha), alpha = dL/dv at rest,
the motion on D is almost Poisson, x = (y, pi), in the chart of the step (y = q on R^n):

    H = u.(S^T G S) u/2 + V,    x' = B(x) dH,    B = [[0, S], [-S^T, J]],
    J_ab = p.(DS_a[S_b] - DS_b[S_a])

B is skew, so H is conserved; no Jacobi identity is needed. The method also conserves H:

    K_i = B(X_i) 1/b_i int_0^1 l_i(s) dH(x(s)) ds,    x(s) = x0 + h sum_j (int_0^s l_j) K_j

The integral is computed by a Gauss rule with stages + 2 points; its error is the error of the
energy. S(q) = P(q) N, with N a basis of ker mu at the center of the step. The result does not
depend on the choice of N.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from ..compile.tracing import coarseness, within_reach
from ..dynamics import drift_momentum, linear_constraint, metric, momentum, multipliers
from ..errors import UsageError
from ..linalg import Newton, fixed_point, solve_in_loop, solve_spd
from ..system import Point, System
from .base import Advance, Method, Row, Traits, code, exact_row
from .chart import Chart
from .iteration import Judge, converge, last_digits
from .tableaux import gauss, integrals, lagrange


class EnergyState(NamedTuple):
    """A node, and a guess for the next step."""

    q: Point
    v: jax.Array
    acceleration: jax.Array


@dataclasses.dataclass(frozen=True)
class EnergyGauss(Method):
    """Energy-preserving collocation on the constraint, order 2 `stages`; for constraints mu v = 0.

    A step is solved by fixed-point iteration, and by Newton's method if that contracts badly.
    `points` is the number of quadrature points; None means stages + 2.
    """

    stages: int = 2
    points: int | None = None
    newton: Newton = Newton()  # used only for `residual_tol`, the tolerance for convergence

    def __post_init__(self) -> None:
        if self.stages not in (1, 2, 3):
            raise UsageError(f"EnergyGauss has 1, 2 or 3 stages, got {self.stages!r}")
        if self.points is not None and self.points < self.stages:
            raise UsageError(f"EnergyGauss needs points >= stages, got {self.points}")

    @property
    def name(self) -> str:
        return f"energy-gauss-{self.stages}"

    @property
    def traits(self) -> Traits:
        return Traits(
            order=2 * self.stages,
            multiplier_order=2 * self.stages,
            symmetric=True,
            explicit=False,
            keeps="the constraint at the nodes; the energy, to the error of its quadrature",
            on_constraint=True,
            reference="Cohen, Hairer 2011, in quasi-velocities",
        )

    def check(self, system: System) -> None:
        name = f"{self.name} keeps the energy, and {system.name()}"
        if system.has_offset:
            raise UsageError(
                f"{name} has an affine constraint, with which the energy is not kept. A moving "
                "energy would take the system in the moving frame, where the constraint is linear; "
                "write it there, or use Gauss"
            )
        if system.has_timed_constraint:
            raise UsageError(
                f"{name} has a constraint that depends on time: this method needs one that is the "
                "same at all times; use Gauss, DLA or GNI"
            )
        if system.has_force:
            raise UsageError(f"{name} has an external force, which does work; use Gauss")
        if system.is_nonlinear:
            raise UsageError(
                f"{name} has a nonlinear constraint, whose reaction may do work; use Gauss"
            )
        if system.has_holonomic:
            raise UsageError(
                f"{name} has a holonomic constraint, which this method would not keep at zero; use "
                "Gauss"
            )

    def start(self, system, t, h, q, v):
        row = exact_row(t, q, v, momentum(system, q, v), multipliers(system, q, v, t))
        return EnergyState(q, v, jnp.zeros_like(v)), row

    def reverse(self, carry: EnergyState, row: Row) -> EnergyState:
        return EnergyState(carry.q, -carry.v, carry.acceleration)

    def step(self, system, t, h, carry: EnergyState) -> Advance:
        step = _Step(self, system, h, carry)
        K, (residual, result) = fixed_point(step.sweep, step.guess(), step.iterate)
        element, v = step.end(K)
        q = system.groupoid.base.polish(system.groupoid.target(element))
        p, lam = momentum(system, q, v), multipliers(system, q, v, t + h)
        result = code(result.astype(jnp.int32), v, p, lam)
        state = EnergyState(q, v, lax.stop_gradient((v - carry.v) / h))
        row = Row(t + h, q, v, p, lam, residual, result)
        return Advance(state, row, system.groupoid.frame(element))


class _Step:
    """The equations of one step."""

    def __init__(self, method: EnergyGauss, system: System, h, carry: EnergyState):
        self.method, self.system, self.h, self.carry = method, system, h, carry
        s = method.stages
        self.A, self.b, self.c = gauss(s)
        _, weights, at = gauss(method.points or s + 2)
        self.inner = integrals(self.c, at)
        self.weights = (lagrange(self.c, at) * weights[:, None]).T / self.b[:, None]

    def guess(self) -> jax.Array:
        carry, s = self.carry, self.method.stages
        z = 0.5 * self.h * (carry.v + 0.5 * self.h * carry.acceleration)
        chart, N, x0 = self._frame(z)
        self.pi = lax.stop_gradient(x0[self.system.dim :])
        slope = self._rate(chart, N, x0, jax.grad(lambda x: self._energy(chart, N, x))(x0))
        return jnp.broadcast_to(slope, (s, *slope.shape))

    def _frame(self, z: jax.Array):
        """Return the chart, the basis N at its center, and the start x0 of the step in them."""
        system, carry = self.system, self.carry
        chart = Chart(system.groupoid, carry.q, z)
        N = kernel(linear_constraint(system, chart.center))
        S, _ = self._span(carry.q, N)
        return chart, N, jnp.concatenate([-z, S.T @ momentum(system, carry.q, carry.v)])

    def _span(self, q: Point, N: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Return (S, S^T G S) with S = P(q) N."""
        G, mu = metric(self.system, q), linear_constraint(self.system, q)
        raised = solve_spd(G, mu.T)
        S = N - raised @ solve_spd(mu @ raised, mu @ N)
        return S, S.T @ G @ S

    def _velocity(self, q: Point, N: jax.Array, pi: jax.Array) -> jax.Array:
        S, mass = self._span(q, N)
        return S @ solve_spd(mass, pi - S.T @ drift_momentum(self.system, q))

    def _energy(self, chart: Chart, N: jax.Array, x: jax.Array) -> jax.Array:
        n, system = self.system.dim, self.system
        q = chart.point(x[:n])
        S, mass = self._span(q, N)
        free = x[n:] - S.T @ drift_momentum(system, q)
        return 0.5 * free @ solve_spd(mass, free) - system.lagrangian(q, jnp.zeros(n))

    def _rate(self, chart: Chart, N: jax.Array, x: jax.Array, slope: jax.Array) -> jax.Array:
        """Return B(x) slope, where `slope` is the averaged gradient dH."""
        n, system = self.system.dim, self.system
        y = x[:n]

        def rates(y):
            return chart.rates(y, self._span(chart.point(y), N)[0])

        q = chart.point(y)
        p = momentum(system, q, self._velocity(q, N, x[n:]))
        p = jax.vjp(lambda rate: chart.velocity(y, rate), jnp.zeros(n))[1](p)[0]
        S = rates(y)
        D = jnp.einsum("i,iaj,jb->ab", p, jax.jacfwd(rates)(y), S)  # p.DS_a[S_b]
        return jnp.concatenate([S @ slope[n:], (D - D.T) @ slope[n:] - S.T @ slope[:n]])

    def sweep(self, K: jax.Array, off: jax.Array | None = None) -> jax.Array:
        """Apply the map whose fixed point is the step; `off` (2n,) shifts q and v, to probe."""
        chart, N, x0 = self._frame(self._half(K))
        if off is not None:
            n = self.system.dim
            S, mass = self._span(self.carry.q, N)
            x0 = x0 + jnp.concatenate([off[:n], mass @ (S.T @ off[n:])])
        dH = jax.grad(lambda x: self._energy(chart, N, x))
        slopes = self.weights @ jax.vmap(dH)(x0[None] + self.h * self.inner @ K)
        return jax.vmap(lambda x, d: self._rate(chart, N, x, d))(
            x0[None] + self.h * self.A @ K, slopes
        )

    def _half(self, K: jax.Array) -> jax.Array:
        """Return half of the move, in the chart."""
        return 0.5 * self.h * self.b @ K[:, : self.system.dim]

    def _sizes(self, K: jax.Array) -> jax.Array:
        """Return scales for the entries of K: speeds for y', and pi divided by the step for pi'."""
        n, h = self.system.dim, jnp.abs(self.h)
        speed = jnp.max(jnp.abs(K[:, :n]))
        own = jnp.max(jnp.abs(self.pi)) / h + jnp.max(jnp.abs(K[:, n:]))
        sizes = jnp.concatenate([jnp.full(n, speed), jnp.full(K.shape[1] - n, own)]) + 1e-300
        return jnp.broadcast_to(sizes[None], K.shape)

    def iterate(self, K: jax.Array):
        """Return (K, certificate), by sweeps, or by Newton's method if they contract badly."""
        tol, c = within_reach(0.01 * self.method.newton.residual_tol), coarseness()
        judge = Judge(tol, product=1e-18 * c, settled=0.1 * tol, turns=3, zero=1e-16 * c)
        digits = jnp.concatenate(last_digits(self.system.groupoid, self.carry.q, self.carry.v))

        def improve(K, attempt, side):
            return self._improved(K, (attempt == 1) & (side == 0.0), side * digits)

        def change(new, old, at):
            return jnp.max(jnp.abs(new - old) / self._sizes(at))

        last = converge(judge, K, improve, change, lambda _: jnp.ones(()))
        return last.x, judge.certificate(last)

    def _improved(self, K: jax.Array, by_newton: jax.Array, off: jax.Array) -> jax.Array:
        """Return sweep(K, off); with `by_newton`, Newton's step for K = sweep(K), by differences.

        Sweep and Newton's step share a loop with one copy of the sweep, which is most of the code.
        """
        count = K.size
        away = 1e-7 * coarseness() ** 0.5 * self._sizes(K).ravel()

        def one_direction(carry):
            i, mask, here, columns = carry
            d = mask[1:] * away
            there = self.sweep(K + d.reshape(K.shape), off).ravel()
            here = jnp.where(i == 0, there, here)
            column = (there - here) / jnp.where(i == 0, 1.0, jnp.sum(d))
            return i + 1, jnp.roll(mask, 1), here, jnp.concatenate([columns[1:], column[None]])

        mask = jnp.zeros(count + 1).at[0].set(1.0)
        start = (jnp.asarray(0), mask, jnp.zeros(count), jnp.zeros((count, count)))
        last = jnp.where(by_newton, count, 0)
        _, _, here, columns = lax.while_loop(lambda c: c[0] <= last, one_direction, start)
        matrix = jnp.eye(count) - jnp.where(by_newton, columns.T, 0.0)
        return K + solve_in_loop(matrix, here - K.ravel()).reshape(K.shape)

    def end(self, K: jax.Array):
        chart, N, x0 = self._frame(self._half(K))
        pi = (x0 + self.h * self.b @ K)[self.system.dim :]
        element = chart.element()
        return element, self._velocity(self.system.groupoid.target(element), N, pi)


def kernel(rows: jax.Array) -> jax.Array:
    """Return a basis of the kernel of (m, n) independent rows, by Householder reflections."""
    m, n = rows.shape
    basis, columns = jnp.eye(n), rows.T
    for i in range(m):
        a = columns[i:, i]
        size = jnp.sqrt(a @ a)
        u = a.at[0].add(jnp.where(a[0] < 0, -size, size))
        u = jnp.concatenate([jnp.zeros(i), u])
        scale = 2.0 / (u @ u)
        columns = columns - scale * u[:, None] * (u @ columns)[None, :]
        basis = basis - scale * (basis @ u)[:, None] * u[None, :]
    return basis[:, m:]
