"""Taylor's method: the motion between two nodes is its Taylor polynomial at the first of them.

Around a node, g(t) is the groupoid element from the node to q(t), and x = (g, v) solves

    g' = g v,   v' = acceleration(t, q g, v),   g(0) = unit,

whose coefficients of all orders follow from one tape of the right-hand side (`compile.taylor`). On
a group, g is the group element itself, not a chart: there are no singularities except those of the
motion, and rotations multiply. The round-off of q and v is carried to the next node.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from ..compile.taylor.taylor_kernel import order_for
from ..dynamics import (
    acceleration,
    consistent_position,
    momentum,
    multipliers,
    projected,
    solve_reactions,
    solved,
)
from ..errors import UsageError
from ..groupoids import Element, Groupoid, Pair, Reduced
from ..groups import Euclidean, Group, Product
from ..linalg import Scalar, Vector
from ..system import Point, System
from .base import Advance, Method, Row, Traits, exact_row

_LEAST, _MOST = 1e-16, 1e-2  # smallest and largest tolerance allowed
_ORDERS = (3, 60)


class TaylorNode(NamedTuple):
    """A node: the state from which the motion continues.

    Do not reorder the fields: `taylor_kernel` reads times and x at their positions.
    """

    q: Point
    t: Scalar
    lost: Scalar  # round-off of t
    h: Scalar  # size of the last step, 0 at the start
    part: Any  # element from the stored q to the exact q: the unit up to round-off
    v: Vector
    v_lost: Vector
    frame: Point  # the reconstructed group element


@dataclasses.dataclass(frozen=True)
class Taylor(Method):
    """Taylor's method with adaptive steps, each accurate to `tol`.

        simulate(system, Taylor(), q0, v0, t=100.0)                      # rows where steps end
        simulate(system, Taylor(1e-12), q0, v0, t=100.0, save=At(times))  # rows at these times
        simulate(system, Taylor(), q0, v0, h=0.01, steps=1000)           # rows every 0.01

    x(t + h) = sum over k up to the order of x_k h^k, from the recursion of the equations of motion
    with the multiplier eliminated. The order follows from `tol` (19 for 1e-15) unless it is given,
    the step size from the last coefficients (Jorba and Zou 2005). At the nodes v is projected onto
    the constraint, q onto the holonomic constraints. h only sets where rows are saved; between them
    `Trajectory.at` evaluates the polynomials themselves. Nothing is conserved except by accuracy.

    It runs as native code only, and needs a rule for every operation in the system. Indices into
    long arrays, lgamma and loops that depend on the state have no rule, and are refused with the
    reason. Steps end at the entries of a `control.Table`. Where a function switches its branch
    (`abs`, `where`) during a step, the steps become small around that time.

    Taylor coefficients do not show a force that acts only for a short time far from the node. The
    run is therefore divided into `looks` parts, and in each (and twice between rows at multiples of
    h) the method checks that the polynomial solves the equation. Steps in which no denominator or
    exponent changes enough to hide such a force are not checked. A force that acts for less time
    may be missed: use a smaller h, or more `looks`. With `looks=0` only ends of steps are checked.
    """

    tol: float = 1e-15
    order: int | None = None
    looks: int = 512

    name = "taylor"
    needs_quadratic = False
    takes_time = True

    def __post_init__(self) -> None:
        try:
            good = _LEAST <= float(self.tol) <= _MOST
        except (TypeError, ValueError):
            good = False
        if not good:
            raise UsageError(
                "Taylor: tol is the error of a step relative to the sizes of q and v, from "
                f"{_LEAST:g} to {_MOST:g}; got {self.tol!r}"
            )
        if isinstance(self.looks, bool) or not (isinstance(self.looks, int) and self.looks >= 0):
            raise UsageError(f"Taylor: looks must be an integer, 0 or more; got {self.looks!r}")
        low, high = _ORDERS
        if self.order is not None and not (
            isinstance(self.order, int) and low <= self.order <= high
        ):
            raise UsageError(
                f"Taylor: order must be an integer from {low} to {high}; got {self.order!r}"
            )

    @property
    def degree(self) -> int:
        """The order of the polynomials."""
        return self.order or order_for(float(self.tol))

    @property
    def of_code(self) -> Taylor:
        # tolerance and checks (`looks`) are arguments of the compiled loop
        return Taylor(order=self.degree)

    @property
    def local_tol(self) -> float:
        """The error allowed per step."""
        return float(self.tol)

    @property
    def traits(self) -> Traits:
        return Traits(
            order=self.degree,
            multiplier_order=self.degree,
            symmetric=False,
            explicit=True,
            keeps="the constraint, by projection",
            on_constraint=True,
            reference="Jorba, Zou 2005; coefficients by recursion",
            sizes="any",
        )

    def start(self, system, t, h, q, v):
        return started(system, t, q, v)

    def reverse(self, carry: TaylorNode, row):
        return carry._replace(v=-carry.v, v_lost=-carry.v_lost)

    def step(self, system: System, t: Scalar, h: Scalar, carry: TaylorNode) -> Advance:
        raise UsageError(
            "taylor has its own native code in da.simulate, outside of jit, vmap and grad, and "
            "cannot be part of another method: use Gauss(4) there"
        )


def started(system: System, t: Scalar, q: Point, v: Vector) -> tuple[TaylorNode, Row]:
    """Return the first node and its row."""
    row = exact_row(t, q, v, momentum(system, q, v, t), multipliers(system, q, v, t))
    zero, frame = jnp.zeros(()), system.groupoid.group.identity()
    unit, t = _unit_part(system.groupoid, q), jnp.asarray(t, dtype=float)
    return TaylorNode(q, t, zero, zero, unit, v, jnp.zeros_like(v), frame), row


# -- functions that are recorded on the tape -----------------------------------------------------


def element_field(system: System, start: Point, t, state):
    """Return the right-hand side for (g, v): g' = g v for the element from `start` to q, and v'."""
    part, v = state
    groupoid = system.groupoid
    g = groupoid.arrow(start, part)
    q = groupoid.target(g)

    def moved(s):
        return groupoid.part(groupoid.mul(g, groupoid.curve(q, s * v)))

    rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]
    return rate, acceleration(system, q, v, t)


def ended(system: System, g: Element, t: Scalar) -> Point:
    """Return the end of g at time t, projected onto the group and the holonomic constraints."""
    q = system.groupoid.base.polish(system.groupoid.target(g))
    return consistent_position(system, q, t, iterations=3)


def landed(system: System, node: TaylorNode, t: Scalar, change: tuple[Any, Vector]) -> TaylorNode:
    """Return the node at time t after x has changed by `change`; the caller sets its times."""
    groupoid = system.groupoid
    dpart, dv = change
    part = jax.tree.map(jnp.add, node.part, dpart)
    g = groupoid.arrow(node.q, part)
    q = ended(system, g, t)
    kept = _unit_part(groupoid, q)
    if not system.has_holonomic:
        kept = _without_rounding(groupoid, node.q, q, part, kept)
    group = groupoid.group
    frame = group.polish(group.mul(node.frame, groupoid.frame(g)))
    # compensated summation: v + (earlier round-off + dv), and the new round-off
    add = node.v_lost + dv
    v = node.v + add
    rounded = v - node.v
    lost = (node.v - (v - rounded)) + (add - rounded)
    if system.is_constrained:
        for _ in range(2 if system.is_nonlinear else 1):
            result = solved(system, q, v, t)
            back = result.raised @ solve_reactions(system, result.C, result.residual)
            on = v - back
            v, lost = on, lost + ((v - on) - back)
    return node._replace(q=q, part=kept, v=v, v_lost=lost, frame=frame)


def row_between(
    system: System, t: Scalar, start: Point, frame: Point, x: tuple[Any, Vector]
) -> tuple[Row, Point]:
    """Return the row and the frame at x, an offset from the node `start`."""
    groupoid, (part, v) = system.groupoid, x
    g = groupoid.arrow(start, part)
    q = ended(system, g, t)
    for _ in range(2 if system.is_nonlinear else 1):
        v = projected(system, q, v, t)
    group = groupoid.group
    frame = group.polish(group.mul(frame, groupoid.frame(g)))
    row = exact_row(t, q, v, momentum(system, q, v, t), multipliers(system, q, v, t))
    return row, frame


def _unit_part(groupoid: Groupoid, q: Point) -> Any:
    part = groupoid.part(groupoid.unit(q))
    return jax.tree.map(lambda x: jnp.asarray(x, dtype=float), part)


def _without_rounding(groupoid: Groupoid, old: Point, new: Point, part: Any, unit: Any) -> Any:
    """Return the unit, plus the round-off of new = old + part in factors where points add."""
    if isinstance(groupoid, Pair):
        added = _are_added(groupoid.space)
    elif isinstance(groupoid, Reduced):
        added = _are_added(groupoid.base)
    else:
        return unit
    leaves, tree = jax.tree.flatten(unit)
    before, after, parts = (jax.tree.leaves(x) for x in (old, new, part))
    for i, is_sum in enumerate(added):
        if is_sum:
            leaves[i] = parts[i] - (after[i] - before[i])
    return jax.tree.unflatten(tree, leaves)


def _are_added(space: Group) -> list[bool]:
    """Return, for each array of a point, whether the group operation on it is addition."""
    if isinstance(space, Product):
        return [x for factor in space.factors for x in _are_added(factor)]
    return [isinstance(space, Euclidean)] * len(jax.tree.leaves(space.identity()))


__all__ = [
    "Taylor",
    "TaylorNode",
    "element_field",
    "ended",
    "landed",
    "order_for",
    "row_between",
    "started",
]
