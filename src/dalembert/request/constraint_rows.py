"""The constraint along the rows of a run: does it lose rank, does it jump?

A method of constant rank may step over a point where the constraint rows become dependent, and
continue as if nothing had happened. After a jump of the constraint every method computes another,
arbitrary velocity. A single row shows neither. Both are therefore searched between rows, first
coarsely and then where values are suspect, so that the cost does not grow with the run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .. import dynamics
from ..system import Point, System

# A step passes a loss of rank if the smallest singular value falls below this part of the larger
# one of its values at both ends.
LOST = 0.2
# The same for d phi/dv of a nonlinear constraint, which is as inaccurate as v near the loss: RK4 at
# h = 0.01 leaves 0.21 on the Appell-Hamel machine, and continues along another motion.
LOST_WITH_V = 0.4
_BETWEEN = np.linspace(0.0, 1.0, 33)[:, None, None, None]

_COARSE = 65  # rows of a chunk at which the rank is evaluated first
_FEW = 33  # rows in each refinement between two of them, down to neighbors
_FALLS = 0.7  # a minimum above this part of the largest value is not followed
_MINIMA = 3  # most minima of a chunk that are followed
_PAIRS = 2049  # rows of a chunk between which a jump is searched
# Differences of this order are below `_JUMPS` where the constraint is smooth and rows are evenly
# spaced: a constraint of unit rate and h = 0.05 leaves 4e-11, and a jump is multiplied by up to 35.
_ORDER = 8
_PARTS = np.arange(1, 16) / 16.0  # points at which the line between two rows is divided
_ROUNDS = 11  # divisions: a smooth change is then reduced to 6e-14 of itself
_JUMPS = 1e-8  # a change that remains, relative to the largest entry, is a jump above this
# Operations whose results jump, or which choose between values.
_BRANCHING = {
    "sign", "floor", "ceil", "round", "rem", "select_n", "cond", "while", "is_finite", "argmax",
    "argmin", "lt", "le", "gt", "ge", "eq", "ne", "nextafter",
}  # fmt: skip


class ConstraintRows(NamedTuple):
    """The constraint at a row."""

    forms: Float[Array, "m n"]  # d phi/dv
    values: Float[Array, " k"]  # what must be continuous along a motion (`continuous`)
    # magnitude of the terms of each value: phi itself vanishes along a motion, up to round-off
    sizes: Float[Array, " k"]


def gather_rows(system: System, t, q: Point, v: jax.Array) -> ConstraintRows:
    """Return the constraint at (t, q, v)."""
    forms, values = dynamics.constraint_matrix(system, q, v, t), continuous(system, t, q, v)
    sizes = jnp.abs(values)
    if system.is_nonlinear:
        own = system.velocity_constraint(jnp.asarray(t, dtype=float), q, v).shape[0]
        sizes = sizes.at[len(values) - own :].add((jnp.abs(forms) @ jnp.abs(v))[-own:])
    return ConstraintRows(forms, values, sizes)


def continuous(system: System, t, q: Point, v: jax.Array) -> Float[Array, " k"]:
    """Return what must be continuous along a motion: linear rows, right sides, phi."""
    values = [jnp.ravel(dynamics.linear_constraint(system, q, t))]
    if system.has_offset:
        values.append(dynamics.linear_offset(system, t, q))
    if system.is_nonlinear:
        values.append(system.velocity_constraint(jnp.asarray(t, dtype=float), q, v))
    return jnp.concatenate(values).astype(float)


def may_jump(values: Callable[..., jax.Array], *given: Any) -> bool:
    """Whether an operation of a function can jump: a sign, a `where`, a comparison."""
    return _branches(jax.make_jaxpr(values)(*given).jaxpr)


def _branches(jaxpr: Any) -> bool:
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name in _BRANCHING:
            return True
        if name == "convert_element_type":  # a float cut off to an integer
            (x,), (y,) = equation.invars, equation.outvars
            if x.aval.dtype.kind == "f" and y.aval.dtype.kind in "iu":
                return True
        inner = [getattr(x, "jaxpr", x) for x in jax.tree.leaves(
            list(equation.params.values()), is_leaf=lambda x: hasattr(x, "jaxpr")
        )]  # fmt: skip
        if any(_branches(x) for x in inner if hasattr(x, "eqns")):
            return True
    return False


# -- on NumPy arrays -----------------------------------------------------------------------------


def lost_between(forms: np.ndarray, lost: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of neighboring rows between which rank is lost, and the remaining ratio.

    The forms (rows, m, n) are assumed linear between two rows. The ratio is the least value of the
    smallest singular value between the rows, divided by the larger one of its values at both rows.
    """
    least = smallest(forms)
    ends = np.maximum(least[:-1], least[1:])
    # if the forms change little, no rank can be lost between two rows: true almost everywhere
    moved = np.linalg.norm(np.diff(forms, axis=0), axis=(1, 2))
    at = np.flatnonzero(~(moved < (1.0 - lost) * ends))
    if not at.size:
        return at, np.zeros(0)
    between = (1.0 - _BETWEEN) * forms[None, at] + _BETWEEN * forms[None, at + 1]
    result = np.min(smallest(between), axis=0)
    share = result / np.maximum(ends[at], 1e-300)
    return at[share < lost], share[share < lost]


def smallest(forms: np.ndarray) -> np.ndarray:
    """Return the smallest singular value of each of many matrices (..., m, n); 1 if m = 0."""
    if forms.shape[-2] == 0:
        return np.ones(forms.shape[:-2])
    if forms.shape[-2] == 1:
        row = forms[..., 0, :]
        size = np.max(np.abs(row), axis=-1)  # squares underflow long before a row does
        safe = np.where(size > 0.0, size, 1.0)
        return safe * np.linalg.norm(row / safe[..., None], axis=-1)
    return np.linalg.svd(forms, compute_uv=False)[..., -1]


Series = tuple[np.ndarray, Any, np.ndarray]  # (t, q, v), rows first
At = Callable[[Series], ConstraintRows]


def lowest_rank(at: At, series: Series, lost: float, falls_only: bool) -> float | None:
    """Return the time of a step that passes a loss of rank; None if there is none.

    With `falls_only`, forms that only rotate between rows do not count: if rows are not single
    steps apart (Taylor's method), they may rotate by any angle.
    """
    count = len(series[0])

    def forms(which: np.ndarray) -> np.ndarray:
        values = np.asarray(at(_take(series, which)).forms)
        return np.where(np.isfinite(values), values, 0.0)

    some = np.unique(np.linspace(0, count - 1, min(_COARSE, count)).astype(int))
    coarse = forms(some)
    # scale each row by its length: a row in other units (millimeters) is not a vanishing one
    sizes = np.linalg.norm(coarse, axis=2).max(axis=0)[:, None]
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    least = smallest(coarse / sizes)
    top = float(np.max(least))
    if not np.min(least) < _FALLS * top:
        return None
    inner = np.r_[True, least[1:] <= least[:-1]] & np.r_[least[:-1] <= least[1:], True]
    minima = np.flatnonzero(inner & (least < _FALLS * top))
    for i in minima[np.argsort(least[minima])][:_MINIMA]:
        low, high = int(some[max(i - 1, 0)]), int(some[min(i + 1, len(some) - 1)])
        while high - low >= _FEW:
            finer = np.unique(np.linspace(low, high, _FEW).astype(int))
            j = int(np.argmin(smallest(forms(finer) / sizes)))
            low, high = int(finer[max(j - 1, 0)]), int(finer[min(j + 1, len(finer) - 1)])
        near = np.arange(low, high + 1)
        there = forms(near) / sizes
        pairs, share = lost_between(there, lost)
        if falls_only:
            falls = smallest(there)[pairs] < _FALLS * top
            pairs, share = pairs[falls], share[falls]
        if len(pairs):
            return float(series[0][near[pairs[np.argmin(share)]]])
    return None


class JumpOfConstraint(NamedTuple):
    """Time of a jump of the constraint, and its size relative to the constraint."""

    t: float
    size: float


def first_jump(at: At, series: Series) -> JumpOfConstraint | None:
    """Return the first jump of the constraint between rows; None if there is none.

    High differences of the values exclude most rows. Between the others the search follows the part
    with the largest change, down to neighboring rows, and between these along the straight line. A
    smooth change becomes as small as the interval, a jump does not.
    """
    count = len(series[0])

    def values(which: np.ndarray, then: np.ndarray | None = None, share: Any = 0.0) -> np.ndarray:
        rows = _take(series, which)
        if then is not None:
            rows = jax.tree.map(lambda a, b: mixed(a, b, share), rows, _take(series, then))
        found = np.asarray(at(rows).values)
        return np.where(np.isfinite(found), found, 0.0)

    some = np.arange(0, count - 1, -(-count // _PAIRS))  # evenly spaced, but for the last one
    some = np.append(some, count - 1)
    rows = at(_take(series, some))
    found, sizes = (
        np.where(np.isfinite(x), x, 0.0) for x in (np.asarray(rows.values), np.asarray(rows.sizes))
    )
    size = float(np.max(sizes, initial=0.0))
    pairs = _not_smooth(found, _JUMPS * size)
    low, high, below, above = some[pairs], some[pairs + 1], found[pairs], found[pairs + 1]
    while np.any(high - low > 1):
        middle = (low + high) // 2
        low, high, below, above = _halved(middle, values(middle), low, high, below, above)
    changed = np.max(np.abs(above - below), axis=1, initial=0.0)
    worth = np.flatnonzero(changed > _JUMPS * size)
    low, high, below, above = (x[worth] for x in (low, high, below, above))
    begin, end, left = np.zeros(len(worth)), np.ones(len(worth)), changed[worth]
    for _ in range(_ROUNDS):
        if not len(worth):
            return None
        inner = begin[:, None] + _PARTS * (end - begin)[:, None]
        each = len(_PARTS)
        there = values(np.repeat(low, each), np.repeat(high, each), inner.reshape(-1))
        there = there.reshape(len(worth), each, -1)
        there = np.concatenate([below[:, None], there, above[:, None]], axis=1)
        edges = np.concatenate([begin[:, None], inner, end[:, None]], axis=1)
        rough = np.max(np.abs(np.diff(there, _ORDER, axis=1)), axis=(1, 2), initial=0.0)
        change = np.max(np.abs(np.diff(there, axis=1)), axis=2, initial=0.0)
        j = np.argmax(change, axis=1)
        i = np.arange(len(worth))
        begin, end, below, above = edges[i, j], edges[i, j + 1], there[i, j], there[i, j + 1]
        left = change[i, j]
        # A smooth change has small differences of order `_ORDER`, or has become small by now.
        go_on = (left > _JUMPS * size) & ~(rough <= _JUMPS * size)
        worth, low, high, begin, end, below, above, left = (
            x[go_on] for x in (worth, low, high, begin, end, below, above, left)
        )
    # a straight line may cross a region that the motion avoids: the jump inside is then larger
    # than the change between the two rows
    jumps = np.flatnonzero(left < 2.0 * changed[worth])
    if not len(jumps):
        return None
    first = int(jumps[0])
    t = series[0]
    when = mixed(t[low[first]], t[high[first]], begin[first])
    return JumpOfConstraint(float(when), float(left[first] / size))


def _not_smooth(values: np.ndarray, least: float) -> np.ndarray:
    """Return the i for which values may jump by more than `least` between rows i and i + 1."""
    count = len(values)
    if count <= _ORDER:
        return np.arange(count - 1)
    high = np.max(np.abs(np.diff(values, _ORDER, axis=0)), axis=1, initial=0.0)
    # each difference extends over `_ORDER` pairs of neighboring rows
    return np.flatnonzero(np.convolve(~(high <= least), np.ones(_ORDER)) > 0.5)


def _halved(middle: Any, there: np.ndarray, low: Any, high: Any, below: Any, above: Any) -> Any:
    """Return, of each interval divided at `middle`, the half with the larger change."""
    first = np.max(np.abs(there - below), axis=1) >= np.max(np.abs(above - there), axis=1)
    rows = first[:, None]
    return (
        np.where(first, low, middle),
        np.where(first, middle, high),
        np.where(rows, below, there),
        np.where(rows, there, above),
    )


def _take(series: Series, which: np.ndarray) -> Series:
    return jax.tree.map(lambda x: x[which], series)


def mixed(a: Any, b: Any, share: Any) -> Any:
    """Return points between a and b, at these shares of the way."""
    share = np.reshape(share, (*np.shape(share), *[1] * (np.ndim(a) - np.ndim(share))))
    return a + share * (b - a)


# -- warnings ------------------------------------------------------------------------------------


def told_jump(jump: JumpOfConstraint) -> str:
    """Return the warning about a constraint that jumps."""
    return (
        f"the constraint jumps near t = {jump.t:.6g}, by {jump.size:.1e} of its size: the velocity "
        "after the jump depends on the method, and no method knows the right one. End the run "
        "there by an event, or write the two sides as modes of da.hybrid.Modes, whose transition "
        "gives the velocity after the jump"
    )


def told_rank(when: str) -> str:
    """Return the warning about a run that has stepped over a loss of rank."""
    return (
        f"{when} the run steps over a point where its constraint loses rank: the motion "
        "may continue in several ways there, and nothing shows that this one is right. "
        "da.diagnostics.rank_losses lists all such times, da.hybrid.jump_across the possible ways"
    )


__all__ = [
    "LOST",
    "LOST_WITH_V",
    "ConstraintRows",
    "JumpOfConstraint",
    "continuous",
    "first_jump",
    "gather_rows",
    "lost_between",
    "lowest_rank",
    "may_jump",
    "mixed",
    "smallest",
    "told_jump",
    "told_rank",
]
