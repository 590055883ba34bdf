"""Variational integrator for Chaplygin systems in a new time that makes the shape Hamiltonian.

If a multiplier N(r) of (5.10) [C02] exists, d(tau) = N dt turns the motion of the shape, with
its gyroscopic force, into that of a Lagrangian without any force,

    L^(r, dr/dtau) = L*(r, N dr/dtau)                    Theorem 5.4.3 [C02]; Chaplygin 1911

Its variational integrator, in steps of tau, conserves the canonical form of L^ on (r, p^). The time
follows by the trapezoidal rule, t1 = t0 + (dtau/2) (1/N(r0) + 1/N(r1)); the group is reconstructed
from the shape (`geometry.reconstruct`). [F15] names this method in its introduction as a competitor
of GNI.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compile import tracing
from ..compile.function import is_traced
from ..doors import guard as _guard
from ..dynamics import momentum, multipliers
from ..errors import UsageError
from ..geometry.reduction import reduced_measure as measure
from ..geometry.reduction.chaplygin_reduction import Chaplygin, ReducedSystem
from ..groups import Group
from ..linalg import OK, STALLED, Newton, Scalar, Vector, gauss_rule
from ..system import Point, System, compiled_call
from .base import Advance, Method, Row, Traits, check_rule, code, exact_row
from .composition import coefficients
from .dla import DLA, DLAState
from .rules import Midpoint, Rule

_ATTEMPTS = 12  # iterations for the length of the last step, which must end at a given time
_SLIVER = 1e-9  # a last step shorter than this part of a step is merged into the previous step

Multiplier = Callable[[Point], Any]


class RescaledSystem(System):
    """L*(r, N dr/dtau): the shape of a Chaplygin system in the new time."""

    chaplygin: Chaplygin
    origin: Point  # point where N = 1, if N is computed by an integral
    multiplier: Multiplier | None = eqx.field(static=True)
    nodes: int = eqx.field(static=True)

    @property
    def space(self) -> Group:  # pyright: ignore
        return self.chaplygin.base

    def rate(self, r: Point) -> Scalar:
        """Return N(r) = dtau/dt."""
        if self.chaplygin.shape == 1:
            return jnp.ones(())
        if self.multiplier is not None:
            return jnp.asarray(self.multiplier(r), dtype=float)
        base, start = self.chaplygin.base, self.origin
        u = base.log(base.mul(base.inv(start), r))
        s, weights = map(jnp.asarray, gauss_rule(self.nodes))

        def slope(x):
            return measure.beta(self.chaplygin, base.mul(start, base.exp(x * u))) @ u

        # d(ln N) = beta/(s - 1), of (5.10) [C02]
        return jnp.exp(weights @ jax.vmap(slope)(s) / (self.chaplygin.shape - 1))

    def lagrangian(self, q, v):
        return self.chaplygin.lagrangian(q, self.rate(q) * v)


class HamiltonizedState(NamedTuple):
    """A node, the step of tau, the time, and the end of the run."""

    q: Point
    v: Vector  # dr/dt
    bend: Vector
    origin: Point
    h: Scalar  # step of tau
    t: Scalar
    lost: Scalar  # round-off of t (compensated summation)
    end: Scalar


@dataclasses.dataclass(frozen=True)
class Hamiltonized(Method):
    """A variational integrator in the new time, for Chaplygin systems that have a multiplier N.

    Run it on `geometry.chaplygin(...).reduced`; docs/discrete.md has an example.

    It runs the reduced system if `geometry.hamiltonization` finds a multiplier N(r) for it.
    Otherwise it raises an error with the reason. Steps are equal in the new time; h is the size of
    the first step in seconds. So the rows are not equidistant in time. `order` is 2, or 4, 6, 8 by
    composition.

    N(r) is the exponential of a line integral from the start of the run, with `nodes` Gauss points
    in every evaluation. Giving its formula as `multiplier(r)` is faster; it is checked against the
    system.
    """

    order: int = 2
    multiplier: Multiplier | None = None
    rule: Rule = dataclasses.field(default_factory=Midpoint)
    nodes: int = 16
    newton: Newton = Newton()

    def __post_init__(self) -> None:
        check_rule(self.rule)
        if self.order != 2:
            coefficients(self.order)  # raises UsageError for an unknown order
        if not self.rule.symmetric:
            raise UsageError(f"Hamiltonized needs a symmetric rule; '{self.rule.label}' is not one")
        if self.multiplier is not None and not callable(self.multiplier):
            raise UsageError(f"multiplier must be a function r -> N; got {self.multiplier!r}")

    @property
    def name(self) -> str:
        return f"hamiltonized-{self.rule.label}-{self.order}"

    @property
    def traits(self) -> Traits:
        return Traits(
            order=self.order,
            multiplier_order=self.order,
            symmetric=True,
            explicit=False,
            keeps="the canonical form of the shape in the new time",
            on_constraint=True,
            reference="Theorem 5.4.3 [C02]; Fedorov, Jovanovic 2004",
            sizes="own",
        )

    def check(self, system: System) -> None:
        if not isinstance(system, ReducedSystem):
            raise UsageError(
                f"{self.name} runs only on the reduced system of a Chaplygin system, "
                f"geometry.chaplygin(...).reduced; {system.name()} is another one"
            )
        if is_traced(system):
            return  # the multiplier has been checked outside the traced code
        chaplygin = system.chaplygin
        multiplier = measure.hamiltonization(chaplygin)
        if multiplier.verdict not in ("hamiltonian", "conformal"):
            reason = f": {multiplier.reason}" if multiplier.reason else ""
            raise UsageError(
                f"{self.name}: {chaplygin.system.name()} has no rescaled time in which its shape "
                f"moves as a Hamiltonian system ({multiplier.verdict}{reason}; defect of (5.10) "
                f"{multiplier.defect:.1e}, invariant measure: {multiplier.measure.verdict}). "
                "Use RDLA, Gauss or EnergyGauss"
            )
        if self.multiplier is not None and chaplygin.shape > 1:
            self._check_multiplier(chaplygin)

    def _check_multiplier(self, chaplygin: Chaplygin) -> None:
        r = chaplygin.chart.split(chaplygin.system.initial()[0])[0]
        rng = np.random.default_rng(5)
        for u in 0.2 * rng.normal(size=(4, chaplygin.shape)):
            off, size = map(
                float, compiled_call(_multiplier_defect, chaplygin, self.multiplier, r, u)
            )
            if not off <= 1e-8 * size:
                raise UsageError(
                    f"{self.name}: the multiplier given is not one of {chaplygin.system.name()}: "
                    f"d(ln N) is off beta/(s - 1) by {off:.2e}, of {size:.2e}; leave it out to "
                    "have it found"
                )

    def start(self, system, t, h, q, v):
        rescaled = self._rescaled(system, q)
        t, h = jnp.asarray(t, dtype=float), jnp.asarray(h, dtype=float)
        zero, never = jnp.zeros(()), jnp.full((), jnp.inf)
        state = HamiltonizedState(q, v, jnp.zeros_like(v), q, h * rescaled.rate(q), t, zero, never)
        return state, exact_row(t, q, v, momentum(system, q, v), multipliers(system, q, v, t))

    def reverse(self, carry: HamiltonizedState, row: Row) -> HamiltonizedState:
        return carry._replace(v=-carry.v)

    def step(self, system, t, h, carry: HamiltonizedState) -> Advance:
        """Take the next step, of the size that the carry has; h is ignored."""
        rescaled, rest = self._rescaled(system, carry.origin), carry.end - carry.t
        first = self._moved(rescaled, carry, carry.h)

        def goes_on(found):
            i, _, moved = found
            missed = jnp.abs(moved.elapsed - rest) > _SLIVER * jnp.abs(rest)
            return is_last & missed & (i < _ATTEMPTS) & (moved.result == OK)

        def again(found):
            i, size, moved = found
            size = size * rest / moved.elapsed
            return i + 1, size, self._moved(rescaled, carry, size)

        is_last = first.elapsed >= (1.0 - _SLIVER) * rest
        _, _, moved = lax.while_loop(goes_on, again, (jnp.asarray(0), carry.h, first))
        added = moved.elapsed + carry.lost
        now = jnp.where(is_last, carry.end, carry.t + added)
        v = rescaled.rate(moved.q) * moved.rate
        p, lam = momentum(system, moved.q, v), multipliers(system, moved.q, v, now)
        result = code(moved.result, v, p, now)
        result = jnp.where((result == OK) & ~(now > carry.t), STALLED, result).astype(jnp.int32)
        row = Row(now, moved.q, v, p, lam, moved.residual, result)
        state = carry._replace(q=moved.q, v=v, bend=moved.bend, t=now, lost=added - (now - carry.t))
        return Advance(state, row, jnp.zeros(0))

    def _rescaled(self, system: System, origin: Point) -> RescaledSystem:
        assert isinstance(system, ReducedSystem)  # refused by `check` otherwise
        return RescaledSystem(system.chaplygin, origin, self.multiplier, self.nodes)

    def _moved(self, rescaled: RescaledSystem, carry: HamiltonizedState, size) -> _Moved:
        """Advance by `size` in tau, in the substeps of the composition."""
        base, zero = DLA(self.rule, newton=self.newton), jnp.zeros(())
        start = _Moved(
            carry.q, carry.v / rescaled.rate(carry.q), carry.bend, zero, zero,
            jnp.asarray(OK, dtype=jnp.int32),
        )  # fmt: skip

        def part(node: _Moved, column) -> _Moved:
            step = column[0] * size
            guess = DLAState(node.q, node.rate, node.bend, jnp.zeros(0))
            advance = base.step(rescaled, zero, step, guess)
            row = advance.row
            each = 1.0 / rescaled.rate(node.q) + 1.0 / rescaled.rate(row.q)
            return _Moved(
                row.q,
                row.v,
                advance.carry.bend,
                node.elapsed + 0.5 * step * each,
                jnp.maximum(node.residual, row.residual),
                jnp.maximum(node.result, row.result),
            )

        if self.order == 2:
            return part(start, (1.0,))
        return tracing.folded(part, start, (coefficients(self.order),))


class _Moved(NamedTuple):
    """Result of a step in tau."""

    q: Point
    rate: Vector  # dr/dtau
    bend: Vector
    elapsed: Scalar  # time that the step takes
    residual: Scalar
    result: jax.Array


def _multiplier_defect(chaplygin: Chaplygin, multiplier, r: Point, u) -> tuple[Scalar, Scalar]:
    base = chaplygin.base
    x = base.mul(r, base.exp(u))
    values = chaplygin.slopes(lambda r: jnp.log(jnp.asarray(multiplier(r), dtype=float)), x)
    wanted = measure.beta(chaplygin, x) / (chaplygin.shape - 1)
    off = jnp.max(jnp.abs(values - wanted), initial=0.0)
    return off, jnp.max(jnp.abs(wanted), initial=0.0) + 1e-3


__all__ = ["Hamiltonized", "HamiltonizedState", "RescaledSystem"]

_guard(globals())
