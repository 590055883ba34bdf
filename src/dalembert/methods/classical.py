"""Classical solvers of the index-reduced equations: reference solutions, and for comparison.

RK4 integrates each step in fibre coordinates y of an element curve(q_k, y): on R^n that is the
displacement; on a group factor orthogonality is preserved. Reference integrates the element itself:
without a chart, which a long step could leave.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from .. import groupoids
from ..dynamics import (
    acceleration,
    consistent_velocity,
    momentum,
    multipliers,
)
from ..errors import UsageError
from ..linalg import GAVE_UP, OK, Vector
from ..system import Point, System
from .base import Advance, Method, Row, Traits, code, exact_row
from .taylor import TaylorNode, element_field, ended, order_for, started


class PhasePoint(NamedTuple):
    """A point of the phase space, all that a classical method carries from step to step."""

    q: Point
    v: Vector


def _field(system: System, start: Point, t, state):
    """Return the right-hand side in the coordinates (y, v) around `start`."""
    y, v = state
    q = groupoids.move(system.groupoid, start, y)
    rate = system.groupoid.coordinate_velocity(start, y, v)
    return rate, acceleration(system, q, v, t)


def _row(system: System, t, q, v, result: jax.Array | int = OK) -> Row:
    p, lam = momentum(system, q, v, t), multipliers(system, q, v, t)
    return Row(t, q, v, p, lam, jnp.zeros(()), code(result, v, p, lam))


class _Classical(Method):
    needs_quadratic = False
    takes_time = True

    def start(self, system, t, h, q, v):
        row = exact_row(t, q, v, momentum(system, q, v, t), multipliers(system, q, v, t))
        return PhasePoint(q, v), row

    def _advance(self, system: System, t, h, g, v, result: jax.Array | int = OK) -> Advance:
        groupoid, q = system.groupoid, ended(system, g, t + h)
        if self.traits.on_constraint:
            v = consistent_velocity(system, q, v, t + h)
        return Advance(PhasePoint(q, v), _row(system, t + h, q, v, result), groupoid.frame(g))


@dataclasses.dataclass(frozen=True)
class RK4(_Classical):
    """The classical Runge-Kutta method of order 4, fixed step; the constraint drifts.

    Positions are projected onto holonomic constraints; velocities are not projected.
    """

    name = "rk4"
    traits = Traits(
        order=4,
        multiplier_order=4,
        symmetric=False,
        explicit=True,
        keeps="nothing",
        on_constraint=False,
        reference="classical; on group factors in the coordinates of Munthe-Kaas",
        stable=2.785,  # limit of h w for decaying modes; for oscillating modes it is 2.828
    )

    def step(self, system, t, h, carry: PhasePoint) -> Advance:
        def f(s, state):
            return _field(system, carry.q, s, state)

        def shifted(scale, k):
            return jax.tree.map(lambda x, d: x + scale * d, x0, k)

        x0 = (jnp.zeros(system.dim), carry.v)
        k1 = f(t, x0)
        k2 = f(t + 0.5 * h, shifted(0.5 * h, k1))
        k3 = f(t + 0.5 * h, shifted(0.5 * h, k2))
        k4 = f(t + h, shifted(h, k3))
        y, v = jax.tree.map(
            lambda x, a, b, c, d: x + h / 6.0 * (a + 2.0 * b + 2.0 * c + d), x0, k1, k2, k3, k4
        )
        return self._advance(system, t, h, system.groupoid.curve(carry.q, y), v)


@dataclasses.dataclass(frozen=True)
class Reference(_Classical):
    """An accurate solution for comparison; h only sets the distance of the saved rows.

    Uses Taylor's method (`Taylor`), with `rtol` as the error per step, if it supports every
    operation in the system. Otherwise, and inside JAX transformations, each step of length h is
    solved by Dormand-Prince 8 of diffrax (which must then be installed) to the relative tolerance
    `rtol` (and `atol`, in at most `max_steps` steps). `meta.engine_reason` reports which of the two
    ran, and why. The velocity is projected onto the constraint, so that it does not drift.
    """

    rtol: float = 1e-11
    atol: float = 1e-13
    max_steps: int = 4096

    name = "reference"
    traits = Traits(
        order=8,
        multiplier_order=8,
        symmetric=False,
        explicit=True,
        keeps="the constraint, by projection",
        on_constraint=True,
        reference="Taylor: Jorba, Zou 2005; else Dormand-Prince 8(7) through diffrax",
    )

    def __post_init__(self) -> None:
        if not (1e-15 <= self.rtol < 1.0 and 0.0 < self.atol):
            raise UsageError(
                f"Reference needs 1e-15 <= rtol < 1 and atol > 0; got {self.rtol}, {self.atol}"
            )

    @property
    def local_tol(self) -> float:
        """The error of a step of Taylor's method."""
        return float(self.rtol)

    @property
    def degree(self) -> int:
        """The order of Taylor's method."""
        return order_for(self.local_tol)

    def start(self, system, t, h, q, v):
        return started(system, t, q, v)

    def step(self, system, t, h, carry: TaylorNode) -> Advance:
        dfx, groupoid = _diffrax(), system.groupoid
        solution = dfx.diffeqsolve(
            dfx.ODETerm(lambda s, x, start: element_field(system, start, s, x)),
            dfx.Dopri8(),
            t,
            t + h,
            h,
            (groupoid.part(groupoid.unit(carry.q)), carry.v),
            args=carry.q,
            stepsize_controller=dfx.PIDController(rtol=self.rtol, atol=self.atol),
            saveat=dfx.SaveAt(t1=True),
            max_steps=self.max_steps,
            throw=False,
        )
        assert solution.ys is not None  # because of SaveAt(t1=True)
        part, v = jax.tree.map(lambda x: x[0], solution.ys)
        ok = solution.result == dfx.RESULTS.successful
        g = groupoid.arrow(carry.q, part)
        advance = self._advance(system, t, h, g, v, jnp.where(ok, OK, GAVE_UP))
        node = carry._replace(q=advance.carry.q, v=advance.carry.v, t=carry.t + h)
        return advance._replace(carry=node)


def _diffrax():
    try:
        import diffrax
    except ImportError as error:
        raise UsageError("Reference needs diffrax: pip install 'dalembert[reference]'") from error
    return diffrax
