"""Classical solvers of the index-reduced equations: for reference, and for comparison.

RK4 integrates, over each step, in fibre coordinates y of an element curve(q_k, y): on R^n that is
the displacement, on a group factor orthogonality is kept. Reference integrates the element itself,
so that there is no chart which a long step could leave.
"""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp

from .. import groupoids
from ..dynamics import (
    acceleration,
    consistent_position,
    consistent_velocity,
    momentum,
    multipliers,
)
from ..errors import UsageError
from ..groupoids import Element
from ..linalg import GAVE_UP, OK, Vector
from ..system import Point, System
from .base import Advance, Method, Row, Traits, code, exact_row


class PhasePoint(NamedTuple):
    """A point of the phase space; all that a classical method carries."""

    q: Point
    v: Vector


def _field(system: System, start: Point, t, state):
    """Right-hand side in the coordinates (y, v) around `start`."""
    y, v = state
    q = groupoids.move(system.groupoid, start, y)
    rate = system.groupoid.coordinate_velocity(start, y, v)
    return rate, acceleration(system, q, v, t)


def _element_field(system: System, start: Point, t, state):
    """Right-hand side for the element from `start` to q, g' = g v, and v."""
    part, v = state
    groupoid = system.groupoid
    g = groupoid.arrow(start, part)
    q = groupoid.target(g)

    def moved(s):
        return groupoid.part(groupoid.mul(g, groupoid.curve(q, s * v)))

    rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]
    return rate, acceleration(system, q, v, t)


def _row(system: System, t, q, v, result: jax.Array | int = OK) -> Row:
    p, lam = momentum(system, q, v, t), multipliers(system, q, v, t)
    return Row(t, q, v, p, lam, jnp.zeros(()), code(result, v, p, lam))


def _end(system: System, g: Element) -> Point:
    """Where g ends, on the group and on the holonomic functions."""
    q = system.groupoid.base.polish(system.groupoid.target(g))
    return consistent_position(system, q, iterations=3)


class _Classical(Method):
    needs_quadratic = False
    takes_time = True

    def start(self, system, t, h, q, v):
        row = exact_row(t, q, v, momentum(system, q, v, t), multipliers(system, q, v, t))
        return PhasePoint(q, v), row

    def _advance(self, system: System, t, h, g, v, result: jax.Array | int = OK) -> Advance:
        groupoid, q = system.groupoid, _end(system, g)
        if self.traits.on_constraint:
            v = consistent_velocity(system, q, v, t + h)
        return Advance(PhasePoint(q, v), _row(system, t + h, q, v, result), groupoid.frame(g))


@dataclasses.dataclass(frozen=True)
class RK4(_Classical):
    """The classical Runge-Kutta method of order 4, fixed step; the constraint drifts.

    Positions are projected where there are holonomic functions, velocities are not.
    """

    name = "rk4"
    traits = Traits(
        order=4,
        multiplier_order=4,
        symmetric=False,
        explicit=True,
        keeps="nothing",
        reference="classical; on group factors in the coordinates of Munthe-Kaas",
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
    """Adaptive solution of high order (Dormand-Prince 8) for comparison; needs diffrax.

    Each step of length h is solved to the relative tolerance `rtol` (and `atol`), then the
    velocity is projected onto the constraint, so that nothing drifts. h only sets where the
    solution is reported.
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
        reference="Dormand-Prince 8(7) through diffrax",
    )

    def __post_init__(self) -> None:
        if not (1e-15 <= self.rtol < 1.0 and 0.0 < self.atol):
            raise UsageError(
                f"Reference needs 1e-15 <= rtol < 1 and atol > 0; got {self.rtol}, {self.atol}"
            )

    def check(self, system: System) -> None:
        _diffrax()

    def step(self, system, t, h, carry: PhasePoint) -> Advance:
        dfx, groupoid = _diffrax(), system.groupoid
        solution = dfx.diffeqsolve(
            dfx.ODETerm(lambda s, x, start: _element_field(system, start, s, x)),
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
        assert solution.ys is not None  # SaveAt(t1=True) gives the last state
        part, v = jax.tree.map(lambda x: x[0], solution.ys)
        ok = solution.result == dfx.RESULTS.successful
        g = groupoid.arrow(carry.q, part)
        return self._advance(system, t, h, g, v, jnp.where(ok, OK, GAVE_UP))


def _diffrax():
    try:
        import diffrax
    except ImportError as error:
        raise UsageError("Reference needs diffrax: pip install 'dalembert[reference]'") from error
    return diffrax
