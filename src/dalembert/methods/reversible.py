"""Adaptive step sizes, chosen so that the motion can be run backwards.

A step size that follows the state in the usual way (h = pace / Q at the left end) destroys the
symmetry of a method: the motion backwards takes different steps. Here a node determines the product
of the step sizes on both of its sides,

    h_(n - 1/2) h_(n + 1/2) = (pace / Q_n)^2,    Q_n = Q(q_n, v_n) > 0, even in v,

which is the same in both directions. In ln h it is the recursion of Huang and Leimkuhler (1997).
Unlike the density of Hairer and Soderlind (2005) it needs no derivative of Q, does not drift away
from Q, and never gives a negative step. Besides the node, it carries only the size of the last
step: the differences of the step sizes from pace / Q alternate in sign, and neither grow nor decay.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import jax.numpy as jnp

from ..compile import tracing
from ..dynamics import acceleration, metric
from ..errors import UsageError
from ..linalg import OK, STALLED, Scalar, Vector, solve_spd
from ..system import Point, System
from .base import Advance, Carry, Method, Row, Traits

Monitor = Callable[[Point, Vector], Scalar]

_SLOWEST = 1000.0  # longest time scale of the default monitor, in units of the first step
_SLIVER = 1e-9  # a last step shorter than this part of a step is merged into the previous step


class ReversibleState(NamedTuple):
    """The carry of the inner method, the time, and the step sizes before and after it."""

    base: Carry
    t: Scalar
    lost: Scalar  # round-off of t (compensated summation), so that the sum of all steps is exact
    h: Scalar  # size of the next step
    last: Scalar  # size of the last step: a reversed motion begins with it
    pace: Scalar  # h Q at the start
    floor: Scalar  # least value of the default monitor
    end: Scalar  # time at which the run ends, with a shorter step


@dataclasses.dataclass(frozen=True)
class Reversible(Method):
    """A symmetric method whose steps become small where the motion is fast, reversibly.

        Reversible(Gauss(3))
        Reversible(Leapfrog(), monitor=lambda q, v: (q @ q) ** -0.75)

    The first step has the size h of the run, later steps about h Q(q0, v0) / Q(q, v).
    `monitor` is Q, a positive function (q, v) -> number of jax.numpy that does not change with
    v -> -v; only its changes matter. By default Q is the rate of the linearized motion,

        Q^4 = |da/dq|^2 + |da/dv|^4 + (1/(1000 h))^4,    norms in the metric,

    which is finite and positive at turning points, at rest and on straight lines, unlike |a|/|v|.
    Runs end after a number of steps, or at a time (the last step is then shorter). The times of the
    rows are not equidistant; `Trajectory.at` interpolates between them.
    """

    method: Method
    monitor: Monitor | None = None

    def __post_init__(self) -> None:
        base = self.method
        if not isinstance(base, Method):
            hint = f"; make one: {base.__name__}()" if isinstance(base, type) else ""
            raise UsageError(f"Reversible needs a method such as Gauss(3), got {base!r}{hint}")
        if base.traits.carry != "node":
            raise UsageError(
                f"{base.name} cannot take adaptive steps: what it carries depends on "
                "the size of the last step; take Gauss, DLA or Leapfrog"
            )
        if not base.traits.symmetric:
            raise UsageError(
                f"{base.name} is not symmetric, so no choice of step sizes makes it reversible; "
                "use Gauss, Lobatto, DLA or Leapfrog"
            )
        if self.monitor is not None and not callable(self.monitor):
            raise UsageError(
                f"the monitor must be a function (q, v) -> positive number, got {self.monitor!r}"
            )

    @property
    def name(self) -> str:
        return f"reversible-{self.method.name}"

    @property
    def traits(self) -> Traits:
        source = "step sizes after Huang, Leimkuhler 1997, in logarithms"
        base = self.method.traits
        return dataclasses.replace(
            base, reference=f"{base.reference}; {source}", carry="step", sizes="own"
        )

    @property
    def needs_quadratic(self) -> bool:  # pyright: ignore
        return self.method.needs_quadratic

    @property
    def takes_time(self) -> bool:  # pyright: ignore
        return self.method.takes_time

    def check(self, system: System) -> None:
        self.method.check(system)

    def start(self, system, t, h, q, v):
        base, row = self.method.start(system, t, h, q, v)
        t, h = jnp.asarray(t, dtype=float), jnp.asarray(h, dtype=float)
        floor = 1.0 / (_SLOWEST * h)
        pace = h * self._rate(system, t, q, v, floor)
        zero, never = jnp.zeros(()), jnp.full((), jnp.inf)
        return ReversibleState(base, t, zero, h, h, pace, floor, never), row

    def reverse(self, carry: ReversibleState, row: Row) -> ReversibleState:
        base = self.method.reverse(carry.base, row)
        return carry._replace(base=base, h=carry.last, last=carry.h)

    def step(self, system, t, h, carry: ReversibleState) -> Advance:
        """Take the next step, of the size that the carry has; h is ignored."""
        t, end = carry.t, carry.end
        rest = end - t
        is_last = rest < (1.0 + _SLIVER) * carry.h
        h = jnp.where(is_last, rest, carry.h)
        base, row, frame, settled = self.method.step(system, t, h, carry.base)
        added = h + carry.lost
        now = jnp.where(is_last, end, t + added)
        rate = self._rate(system, now, row.q, row.v, carry.floor)
        after = self._next(h, carry.pace / rate)
        moves = (now > t) & (rate > 0.0) & jnp.isfinite(after) & (after > 0.0)
        result = jnp.where((row.result == OK) & ~moves, STALLED, row.result)
        state = carry._replace(base=base, t=now, lost=added - (now - t), h=after, last=h)
        return Advance(state, row._replace(t=now, result=result.astype(jnp.int32)), frame, settled)

    def _next(self, last: Scalar, wanted: Scalar) -> Scalar:
        return wanted * (wanted / last)

    def _rate(self, system: System, t: Scalar, q: Point, v: Vector, floor: Scalar) -> Scalar:
        if self.monitor is not None:
            return jnp.asarray(self.monitor(q, v), dtype=float)
        return rate_of_motion(system, t, q, v, floor)


def rate_of_motion(system: System, t: Scalar, q: Point, v: Vector, floor: Scalar) -> Scalar:
    """Return the rate of the linearized motion at (t, q, v), in 1/s, at least `floor`.

    Q^4 = |da/dq|^2 + |da/dv|^4 + floor^4, with |J|^2 = tr(G^-1 J^T G J).
    """
    n, groupoid = system.dim, system.groupoid

    def pull(x):
        return acceleration(system, groupoid.target(groupoid.curve(q, x[:n])), x[n:], t)

    slopes = tracing.transposed_jacobian(pull, jnp.concatenate([jnp.zeros(n), v]), n)
    G = metric(system, q, v, t)

    def square(J):
        return jnp.sum((J @ G) * solve_spd(G, J))

    return (square(slopes[:n]) + square(slopes[n:]) ** 2 + floor**4) ** 0.25
