"""Taylor's method: the motion between two nodes as the polynomial that its own equation gives.

Around a node, g(t) is the element from there to q(t), and x = (g, v) solves

    g' = g v,   v' = acceleration(t, q g, v),   g(0) = unit,

whose coefficients of all orders follow from one tape of the right-hand side (`compile.jets`). On a
group that is the element itself, not a chart of it: there are no singularities but the motion's
own, and turning is a product. What rounding takes from q and v is carried to the next node.
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

_LEAST, _MOST = 1e-16, 1e-2  # tolerances
_ORDERS = (3, 60)


class TaylorNode(NamedTuple):
    """A node: all that the motion goes on from. Times and x lie where `taylor_kernel` looks."""

    q: Point
    t: Scalar
    lost: Scalar  # of t by rounding
    h: Scalar  # the size of the step before, 0 at the start
    part: (
        Any  # of the element that leads from q to the motion: the unit, but for what rounding took
    )
    v: Vector
    v_lost: Vector
    frame: Point  # what was reconstructed


@dataclasses.dataclass(frozen=True)
class Taylor(Method):
    """Taylor's method with steps of its own sizes, accurate to `tol` in each of them.

        simulate(system, Taylor(), q0, v0, t=100.0)                      # rows where steps end
        simulate(system, Taylor(1e-12), q0, v0, t=100.0, save=At(times))  # rows at these times
        simulate(system, Taylor(), q0, v0, h=0.01, steps=1000)           # rows every 0.01

    x(t + h) = sum over k up to the order of x_k h^k, from the recursion of the equations of motion
    with the multiplier eliminated. The order follows from `tol` (19 for 1e-15) unless it is given,
    the step from the last coefficients: Jorba and Zou 2005. At the nodes v is projected onto the
    constraint, q onto the holonomic functions. h only tells where rows are; between them
    `Trajectory.at` evaluates the polynomials themselves. Nothing is kept but by accuracy.

    It runs as native code only, and needs a rule for every function in the system: indices into
    long arrays, lgamma and loops that depend on the state have none, and are refused with the
    reason. Steps end at the entries of a `control.Table`. Where a choice (`abs`, `where`) changes
    on the way the steps become small around it.

    A force that acts for a short time only is not felt by coefficients far from it: a run is looked
    at in each of `looks` parts of it (and twice between rows at multiples of h), whether the
    equation is solved there; not in steps in which no denominator or exponent changes enough for
    anything to hide. What acts for less may be stepped over: give a smaller h, or more looks. 0
    looks at ends of steps only.
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
                f"Taylor: tol is the error of a step in sizes of q and v, from {_LEAST:g} to "
                f"{_MOST:g}; got {self.tol!r}"
            )
        if isinstance(self.looks, bool) or not (isinstance(self.looks, int) and self.looks >= 0):
            raise UsageError(f"Taylor: looks must be a whole number, 0 or more; got {self.looks!r}")
        low, high = _ORDERS
        if self.order is not None and not (
            isinstance(self.order, int) and low <= self.order <= high
        ):
            raise UsageError(
                f"Taylor: order must be a whole number from {low} to {high}; got {self.order!r}"
            )

    @property
    def degree(self) -> int:
        """The order of the polynomials."""
        return self.order or order_for(float(self.tol))

    @property
    def local_tol(self) -> float:
        """The error of a step."""
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
            "taylor makes its steps in native code of its own: da.simulate runs it outside of jit, "
            "vmap and grad, and no method or hybrid run is made of it; Gauss(4) takes all of these"
        )


def started(system: System, t: Scalar, q: Point, v: Vector) -> tuple[TaylorNode, Row]:
    """The first node, and its row."""
    row = exact_row(t, q, v, momentum(system, q, v, t), multipliers(system, q, v, t))
    zero, frame = jnp.zeros(()), system.groupoid.group.identity()
    unit, t = _unit_part(system.groupoid, q), jnp.asarray(t, dtype=float)
    return TaylorNode(q, t, zero, zero, unit, v, jnp.zeros_like(v), frame), row


# -- what is recorded ----------------------------------------------------------------------------


def element_field(system: System, start: Point, t, state):
    """Right-hand side for the element from `start` to q, g' = g v, and v."""
    part, v = state
    groupoid = system.groupoid
    g = groupoid.arrow(start, part)
    q = groupoid.target(g)

    def moved(s):
        return groupoid.part(groupoid.mul(g, groupoid.curve(q, s * v)))

    rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]
    return rate, acceleration(system, q, v, t)


def ended(system: System, g: Element, t: Scalar) -> Point:
    """Where g ends at time t, on the group and on the holonomic functions."""
    q = system.groupoid.base.polish(system.groupoid.target(g))
    return consistent_position(system, q, t, iterations=3)


def landed(system: System, node: TaylorNode, t: Scalar, change: tuple[Any, Vector]) -> TaylorNode:
    """The node at time t, to which x has changed by that much; its times are the caller's."""
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
    # v + (what was lost + dv), and what rounding loses of it
    add = node.v_lost + dv
    v = node.v + add
    rounded = v - node.v
    lost = (node.v - (v - rounded)) + (add - rounded)
    if system.is_constrained:
        for _ in range(2 if system.is_nonlinear else 1):
            found = solved(system, q, v, t)
            back = found.raised @ solve_reactions(system, found.C, found.residual)
            on = v - back
            v, lost = on, lost + ((v - on) - back)
    return node._replace(q=q, part=kept, v=v, v_lost=lost, frame=frame)


def row_between(
    system: System, t: Scalar, start: Point, frame: Point, x: tuple[Any, Vector]
) -> tuple[Row, Point]:
    """The row, and the frame, at x around the node `start`."""
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
    """The unit, with what q = old + part has lost by rounding where points are added."""
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
    """Of each array that a point consists of, whether the group adds it."""
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
