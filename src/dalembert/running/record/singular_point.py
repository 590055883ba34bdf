"""Messages about a singular point of the constraint: what happens there, and how to continue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from ...compile.layout import Tree
from ...errors import UsageError
from ...request.constraint_rows import smallest
from ...request.rank_loss import rank_left, row_sizes, scaled, zero_in
from ...system import Point, System

if TYPE_CHECKING:
    from ...geometry.distribution.rank_change import Crossing

_REACHES = (16.0, 128.0, 1024.0)  # distances in steps for the one-sided limits, tried in turn
_AHEAD = 32.0  # after a failed step, search this many steps ahead of the last row
_OFF = 1e-4  # sine of the angle between D+ and D- up to which it may be an error of the method
_WAY_ON = (
    "A method of constant rank does not lead through it. da.hybrid.across_ranks(system) makes "
    "modes that go on where the exit is unique: da.simulate(da.hybrid.across_ranks(system), q0, "
    "v0, ...)"
)


def told_singular(
    system: System, t: float, q: Point, v: np.ndarray, h: float, sizes: np.ndarray | None = None
) -> str:
    """Return the message for a run that reaches a singular point (t, q) with velocity v."""
    flat = np.concatenate([np.ravel(np.asarray(x)) for x in jax.tree.leaves(q)])
    where = f"t = {t:.10g}, q = ({', '.join(f'{x:.6g}' for x in flat)})"
    crossing = _crossing(system, t, q, v, h, sizes)
    case = "" if crossing is None else f": {crossing.told(_OFF)}"
    return f"the constraint loses rank at the singular point {where}{case}. {_WAY_ON}"


def singular_ahead(system: System, t: float, q: Point, v: np.ndarray, h: float) -> str | None:
    """Return the message for a singular point near (t, q) on the line along v, or None."""
    from ...geometry.distribution.rank_change import Codistribution  # most runs need no geometry

    try:
        D = Codistribution(system, t)
    except UsageError:
        return None
    line = D.straight(jax.tree.map(jnp.asarray, q), v)
    try:
        here = D.at(line(0.0))
    except UsageError:
        return None
    sizes = row_sizes(D.values(_one(line(0.0)))[0])

    def least(s: float, unsure: float = 1e-300) -> float:
        there = line(s)
        try:
            zero = D.at(there)
        except UsageError:
            return 1.0  # not finite, which is no loss of rank
        if zero.undecided:
            return unsure
        if zero.rank != here.rank:
            return 0.0
        rows = scaled(D.values(_one(there))[0], sizes)
        return float(smallest(rows)[0]) if here.rank == len(sizes) else 1.0

    zero = zero_in(least, _AHEAD * h, first=1.0)
    # A constraint row that is only round-off from some point on, such as max(x, 0), now counts as
    # zero there.
    if zero is None:
        zero = zero_in(lambda s: least(s, 0.0), _AHEAD * h, first=1.0)
    if zero is None:
        return None
    return told_singular(system, t + zero.size, line(zero.size), v, h, sizes)


def _crossing(
    system: System, t: float, q: Point, v: np.ndarray, h: float, sizes: np.ndarray | None
) -> Crossing | None:
    """Return how the constraint changes along the straight line through (q, v); None if unknown."""
    from ...geometry.distribution.rank_change import Codistribution  # most runs need no geometry

    try:
        D = Codistribution(system, t)
    except UsageError:
        return None
    line = D.straight(jax.tree.map(jnp.asarray, q), v)
    for reach in _REACHES:
        try:
            result = D.crossing(line, reach=reach * h)
        except UsageError:
            continue
        rank = rank_left(D.values(_one(q))[0][0], sizes)
        at = result.at
        return result if at.rank <= rank else result._replace(at=at._replace(rank=rank))
    return None


def _one(q: Point) -> Tree:
    return jax.tree.map(lambda x: np.asarray(x)[None], q)


__all__ = ["singular_ahead", "told_singular"]
