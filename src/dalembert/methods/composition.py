"""Compositions: a symmetric method raised to order 4, 6 or 8, or several methods in sequence.

    Psi_h = Phi_{gamma_r h} ... Phi_{gamma_1 h},    gamma symmetric, sum gamma = 1

For a symmetric base of order 2, conditions on the sums of gamma^3 (order 4), gamma^5 (order 6) and
further ones give the order. The coefficients are Suzuki's at order 4, Kahan and Li's at 6 and 8.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from ..compile import tracing
from ..dynamics import multipliers
from ..errors import UsageError
from ..linalg import OK, Code, Scalar, Vector
from ..system import Point, System
from .base import Advance, Carry, Method, Row, Traits
from .gni import GNI, GNIState
from .rules import EulerA, EulerB

_SUZUKI = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
# the first half of each symmetric list; the middle coefficient makes the sum equal to one
_HALVES: dict[int, tuple[float, ...]] = {
    4: (_SUZUKI, _SUZUKI),
    6: (
        0.39216144400731413928,
        0.33259913678935943860,
        -0.70624617255763935981,
        0.08221359629355080023,
    ),
    8: (
        0.13020248308889008088,
        0.56116298177510838456,
        -0.38947496264484728641,
        0.15884190655515560090,
        -0.39590389413323757734,
        0.18453964097831570709,
        0.25837438768632204729,
        0.29501172360931029887,
    ),
}


@functools.cache
def coefficients(order: int) -> np.ndarray:
    """Return gamma_1 .. gamma_r: Suzuki's 5 for order 4, Kahan and Li's 9 for 6, 17 for 8."""
    if order not in _HALVES:
        raise UsageError(f"compositions are known at orders 4, 6 and 8; got {order}")
    half = _HALVES[order]
    gamma = np.array([*half, 1.0 - 2.0 * sum(half), *reversed(half)])
    gamma.flags.writeable = False  # the array is cached, so every caller gets the same one
    return gamma


@dataclasses.dataclass(frozen=True)
class Composition(Method):
    """A symmetric method composed to order 4, 6 or 8, or a tuple of methods in equal parts.

        Composition(Leapfrog(), order=8)      5, 9 or 17 parts, some of them backwards
        Composition(DLA(Trapezoidal()), order=4)
        Composition((GNI(EulerA()), GNI(EulerB())))

    A base that is raised to an order must be a symmetric one-step map of (q, v)
    (`traits.carry == "node"`); it may be a user's own method. The composition conserves what the
    base conserves, and reports the multiplier of (q, v).

    GNI carries the normal part of its momentum, +-(h/2) mu^T lam, from step to step. At order 4
    this part is rescaled wherever the size of the substep changes; without rescaling the
    composition would have order 2. No rescaling gives order 6.

    A tuple applies each method over an equal part of the step. GNI reflects at every node, also at
    those inside the step. Euler A and its adjoint Euler B over half a step each give order 2. The
    literal composition of (13) and (14) [F15], which Remark 5.5 there suggests, does not converge:
    both methods live on different sets. The multiplier of a tuple of GNI is the mean over the step.
    """

    parts: Method | tuple[Method, ...] = (GNI(EulerA()), GNI(EulerB()))
    order: int | None = None

    def __post_init__(self) -> None:
        if self.order is None:
            _check_tuple(self.parts)
        else:
            _check_base(self.parts, self.order)

    @property
    def base(self) -> Method | None:
        """The method that is raised to a higher order; None for a tuple."""
        return self.parts if isinstance(self.parts, Method) else None

    @property
    def _all(self) -> tuple[Method, ...]:
        return (self.parts,) if isinstance(self.parts, Method) else self.parts

    @property
    def needs_quadratic(self) -> bool:  # pyright: ignore
        return any(part.needs_quadratic for part in self._all)

    @property
    def takes_time(self) -> bool:  # pyright: ignore
        return all(part.takes_time for part in self._all)

    @property
    def name(self) -> str:
        if self.base is not None:
            return f"{self.base.name}-{self.order}"
        first, *others = (part.name for part in self._all)
        prefix = first.split("-")[0] + "-"
        return "-then-".join([first, *(name.removeprefix(prefix) for name in others)])

    @property
    def traits(self) -> Traits:
        first = self._all[0].traits
        carry = first.carry
        parasitic = "none" if first.parasitic == "none" else "hidden"
        explicit = all(part.traits.explicit for part in self._all)
        on_constraint = all(part.traits.on_constraint for part in self._all)
        if self.order is not None:
            keeps = "the constraint at the nodes" if on_constraint else first.keeps
            source = "M. Suzuki 1990" if self.order == 4 else "W. Kahan, R.-C. Li 1997"
            text = f"symmetric composition, coefficients of {source}; {first.reference}"
            return Traits(
                order=self.order,
                multiplier_order=self.order,
                symmetric=True,
                explicit=explicit,
                keeps=keeps,
                on_constraint=on_constraint,
                reference=text,
                carry=carry,
                parasitic=parasitic,
            )
        symmetric = self.adjoint() == self
        return Traits(
            order=2 if symmetric else min(part.traits.order for part in self._all),
            multiplier_order=1 if carry == "step" else 2 if symmetric else 1,
            symmetric=symmetric,
            explicit=explicit,
            keeps=first.keeps,
            on_constraint=on_constraint,
            reference="Remark 5.5 [F15], corrected: reflected at every node",
            carry=carry,
            parasitic=parasitic,
        )

    def adjoint(self) -> Composition:
        if self.base is not None:
            return self
        return Composition(tuple(part.adjoint() for part in reversed(self._all)))

    def check(self, system: System) -> None:
        for part in self._all:
            part.check(system)

    def start(self, system, t, h, q, v):
        share = 1.0 / len(self._all) if self.order is None else coefficients(self.order)[0]
        return self._all[0].start(system, t, share * h, q, v)

    def reverse(self, carry, row):
        return self._all[0].reverse(carry, row)

    def step(self, system, t, h, carry) -> Advance:
        if self.base is not None:
            return _composed(self.base, coefficients(self.order or 0), system, t, h, carry)
        return _one_by_one(self._all, system, t, h, carry)


def _check_tuple(parts: object) -> None:
    if isinstance(parts, Method):
        raise UsageError(f"the order is missing: Composition({parts.name}, order=4), or 6, or 8")
    kinds = {type(part) for part in parts} if isinstance(parts, tuple) else set()
    if not isinstance(parts, tuple) or len(parts) < 2 or len(kinds) != 1:
        raise UsageError(
            "a composition needs a method and an order, or at least two methods of one class, "
            "such as (GNI(EulerA()), GNI(EulerB()))"
        )
    for part in parts:
        if not isinstance(part, GNI) and not _is_node_method(part):
            raise UsageError(f"{_named(part)} cannot be part of a composition: {_STEP}")
        _check_restart(part)


def _check_base(base: object, order: int) -> None:
    coefficients(order)  # raises UsageError for an unknown order
    if not isinstance(base, Method):
        raise UsageError(
            "an order belongs to one symmetric method, Composition(Leapfrog(), order=8); "
            "a tuple is taken in equal parts, without an order"
        )
    if isinstance(base, GNI):
        _check_restart(base)
        if order > 4:
            raise UsageError(
                f"{base.name} cannot be composed beyond order 4: the momentum that it carries from "
                "step to step follows a different slow motion for each size of step, apart by "
                f"O(h^2) in the multiplier. Take Composition(DLA({base.rule.label}), "
                f"order={order}), or Leapfrog() as the base"
            )
    elif not _is_node_method(base):
        raise UsageError(f"{_named(base)} cannot be composed to an order: {_STEP}")
    if not base.traits.symmetric:
        raise UsageError(
            f"{base.name} cannot be composed to an order: it is not symmetric (a step h, then -h, "
            "does not lead back); take DLA or Leapfrog with a symmetric rule"
        )


_STEP = (
    "what it carries depends on the size of the last step, and parts change size; "
    "take DLA or Leapfrog"
)


def _named(method: object) -> str:
    return method.name if isinstance(method, Method) else repr(method)


def _is_node_method(method: object) -> bool:
    return isinstance(method, Method) and method.traits.carry == "node"


def _check_restart(part: Method) -> None:
    if isinstance(part, GNI) and part.restart_every is not None:
        raise UsageError(f"{part.name} cannot be part of a composition: leave out restart_every")


class _Node(NamedTuple):
    """The state that is passed from substep to substep."""

    carry: Carry
    q: Point
    v: Vector
    p: Vector
    frame: Any
    residual: Scalar  # largest residual of the substeps
    result: Code  # worst result of the substeps


def _composed(base: Method, gamma: np.ndarray, system: System, t, h, carry: Carry) -> Advance:
    def part(node: _Node, column) -> _Node:
        share, begun, ratio = column
        advance = base.step(system, t + begun * h, share * h, node.carry)
        row, after = advance.row, advance.carry
        if isinstance(base, GNI):
            after = rescaled(after, row, share * h, ratio)
        return _Node(
            after,
            row.q,
            row.v,
            row.p,
            group.mul(node.frame, advance.frame),
            jnp.maximum(node.residual, row.residual),
            jnp.maximum(node.result, row.result),
        )

    group, zero = system.groupoid.group, jnp.zeros(system.dim)
    start = _Node(
        carry,
        system.groupoid.base.identity(),
        zero,
        zero,
        group.identity(),
        jnp.zeros(()),
        jnp.asarray(OK, dtype=jnp.int32),
    )
    begun = np.concatenate([[0.0], np.cumsum(gamma)[:-1]])
    end = tracing.folded(part, start, (gamma, begun, np.roll(gamma, -1) / gamma))
    lam = multipliers(system, end.q, end.v, t + h)
    row = Row(t + h, end.q, end.v, end.p, lam, end.residual, end.result)
    return Advance(end.carry, row, end.frame)


def rescaled(carry: GNIState, row: Row, h, ratio) -> GNIState:
    """Return the state of GNI at a node, adapted to a next step `ratio` times as long as the last.

    The last step has size h. The normal part of the momentum that leaves the node, (h/2) mu^T lam,
    is proportional to the step size, so it is rescaled.
    """
    p_minus = row.p + ratio * (carry.p_minus - row.p)
    move = ratio * (h * row.v) + ratio**2 * (h * row.v - carry.move)
    return carry._replace(p_minus=p_minus, move=move, change=jnp.zeros_like(move))


def _one_by_one(parts: tuple[Method, ...], system: System, t, h, carry: Carry) -> Advance:
    group = system.groupoid.group
    frame, impulse, residual = group.identity(), 0.0, jnp.zeros(())
    share = h / len(parts)
    advance, result = None, jnp.asarray(0)
    for i, part in enumerate(parts):
        advance = part.step(system, t + i * share, share, carry)
        carry = advance.carry
        frame = group.mul(frame, advance.frame)
        impulse = impulse + share * advance.row.multiplier
        residual = jnp.maximum(residual, advance.row.residual)
        result = jnp.maximum(result, advance.row.result)
    assert advance is not None
    row = advance.row._replace(residual=residual, result=result)
    if isinstance(parts[0], GNI):  # the multiplier of GNI alternates within the step
        row = row._replace(multiplier=impulse / h)
    return Advance(carry, row, frame)
