"""Constraints of varying rank: the rank at a point, and the limits from either side.

The rows of `constraint(q)` span a codistribution D. A point is singular if nearby points have
another rank. The limits D- and D+ along a motion through it decide what happens there: 6.1 and 6.3
[C02].

A row may be small for two reasons. A product of small factors, such as exp(-1/x^2)(dx - dy), is a
valid row as long as it does not underflow. A difference of nearly equal terms is round-off. To
distinguish them, every number is computed with a bound on its round-off
(`compile.ir.error_bounds`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ...compile.ir.error_bounds import UNIT, with_roundoff
from ...compile.ir.record import record
from ...compile.ir.tape import Unsupported
from ...dynamics import (
    constraint_matrix,
    constraint_residual,
    linear_constraint,
    linear_offset,
    metric,
)
from ...errors import UsageError
from ...groupoids import move
from ...system import Point, System, compiled_call
from .rank_leaves import Integrability, leaf_through

Curve = Callable[[float], Point]

_NOISE = 8.0  # numbers below this multiple of their round-off bound are treated as zero
_LEVELS = 24  # number of samples, each at half the distance of the previous one
_COLUMNS = 10  # number of columns of Richardson's extrapolation table
_UNDERFLOWS = 1e-290  # round-off bounds below this indicate underflow
_CONTAINED = 1e-8  # largest sine of the angle at which D+ counts as contained in D-


class Rank(NamedTuple):
    """Rank of a codistribution at a point.

    The rows of `rows` are a basis, orthonormal in the inverse of the kinetic metric. `picked` are
    indices of constraint rows that span the codistribution, the best determined first.
    """

    rank: int
    rows: np.ndarray
    undecided: bool  # a row or combination of rows is only round-off or underflow
    picked: tuple[int, ...] = ()


class Limit(NamedTuple):
    """The limit of a codistribution along a curve, from one side.

    `rows` is a basis, orthonormal in the inverse of the kinetic metric; admissible velocities
    satisfy rows v = offset. `rank` is the rank at points on this side. `error` estimates the error
    of the projector onto the limit. `nearest` is the distance in time of the nearest sample used.
    """

    rows: np.ndarray
    offset: np.ndarray
    rank: int
    error: float
    nearest: float


class Crossing(NamedTuple):
    """Limits before and after a motion passes through a point, and the rank at the point."""

    before: Limit
    at: Rank
    after: Limit
    outside: float  # largest sine of an angle between D+ and D-: zero if D+ is inside D-

    @property
    def case(self) -> int:
        """Case 1, 2 or 3 of table 6.1 [C02]; 0 if the rank is the same before, at and after."""
        r, r0, s = self.before.rank, self.at.rank, self.after.rank
        if r == r0 == s:
            return 0
        if r0 == r:
            return 1
        return 2 if s == r0 else 3

    @property
    def may_jump(self) -> bool:
        """Whether the momentum may jump: D+ is not contained in D-, table 6.2 [C02]."""
        return self.outside > _CONTAINED + self.before.error + self.after.error

    def told(self, off: float = 0.0) -> str:
        """Say in words which case of tables 6.1 and 6.2 [C02] holds.

        D+ counts as inside D- if it is outside by at most `off`, the error of the computed motion.
        """
        r, r0, s = self.before.rank, self.at.rank, self.after.rank
        ranks = f"rank {r} before it, {r0} there, {s} behind it"
        if not self.case:
            return f"{ranks}: no case of table 6.1 [C02]"
        inside = "D+ is not inside of D-, and the momentum may jump"
        if not self.may_jump or self.outside <= off:
            inside = "D+ is inside of D-, and the momentum does not jump"
        return f"{ranks}: case {self.case} of table 6.1 [C02], and {inside} (table 6.2)"


class Codistribution:
    """The span of a system's constraint rows at each point; its rank may vary."""

    def __init__(self, system: System, t: float = 0.0) -> None:
        self.system, self.t = system, float(t)
        self._check()
        self._seen: tuple[Any, Any] = (None, None)
        example = self.point(0.0, system.groupoid.base.identity(), np.zeros(system.dim))
        try:
            self._tape = record(self._forms, example)
        except Unsupported as reason:
            raise UsageError(
                f"the round-off of the constraint of {system.name()} cannot be bounded: {reason}"
            ) from None
        self._rows = jax.eval_shape(self._forms, example)[0].shape[0]

    def _check(self) -> None:
        if self.system.is_nonlinear:
            raise UsageError(
                f"{self.system.name()} has a constraint that is nonlinear in v, which has no rows "
                "A(q)"
            )

    def _forms(self, q: Point) -> tuple[jax.Array, jax.Array]:
        rows = linear_constraint(self.system, q, self.t)
        return rows, linear_offset(self.system, self.t, q)

    def point(self, t: Any, q: Point, v: Any) -> Any:
        """Return what the rows depend on, given one state or many states (stacked): q here."""
        return q

    def place(self, point: Any) -> Point:
        """Return q of a `point`."""
        return point

    def at(self, q: Point) -> Rank:
        """Return the rank at a `point` (here q)."""
        lower = self._lower(self.place(q))
        (level,) = self._levels(lower, [q])
        return Rank(len(level.basis), level.basis @ lower.T, level.undecided, level.picked)

    def values(self, points: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows at many points, and bounds on their round-off.

        `points` is a tree whose first axis is the points. Both results have the shape (points,
        rows, n).
        """
        leaves = [np.asarray(x) for x in jax.tree.leaves(points)]
        flat = np.concatenate([x.reshape(len(x), -1) for x in leaves], axis=1)
        values, bounds = with_roundoff(self._tape, flat.T)
        m, n = self._rows, self.system.dim
        return tuple(x[: m * n].T.reshape(-1, m, n) for x in (values, bounds))  # pyright: ignore

    def is_singular(self, q: Point, *, reach: float = 1.0, seed: int = 0) -> bool:
        """Return whether points near q have another rank, 2.2 [C02], by samples along 4 n lines."""
        n, here = self.system.dim, self.at(q).rank
        rng = np.random.default_rng(seed)
        directions = np.concatenate([np.eye(n), rng.normal(size=(n, n))])
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        return any(
            self.limit(self.straight(q, side * u), reach=reach).rank != here
            for u in directions
            for side in (1.0, -1.0)
        )

    def is_integrable(self, q: Point, *, reach: float = 1.0) -> Integrability:
        """Test whether a leaf passes through q, 2.2 [C02].

        A leaf is a submanifold whose tangent space is the annihilator.

            D = hybrid.Codistribution(da.systems.ParticleWithFadingConstraint())
            D.is_integrable([1.0, 0.0])  # yes: a line of slope 1
            D.is_integrable([0.0, 0.0])  # no: the annihilator is the plane, and x > 0 has rank 1

        The test uses paths of length `reach` along the annihilator. At regular points it is the
        Frobenius condition; at singular points the rank must also be constant along all paths.
        `geometry.is_integrable` decides it for constraints of constant rank, to round-off.
        """
        q = self.system.groupoid.base.check(q, "q")
        here = self.at(q)

        def rows(x: Point) -> tuple[np.ndarray, np.ndarray]:
            values, bounds = self.values(jax.tree.map(lambda a: np.asarray(a)[None], x))
            return values[0], bounds[0]

        if here.undecided and np.max(rows(q)[1]) < _UNDERFLOWS:
            raise UsageError("a row of the constraint underflows here: its rank is not known")

        return leaf_through(self.system, rows, q, here.rank, reach)

    def straight(self, q: Point, v: Any, v_before: Any = None) -> Curve:
        """Return the curve that leaves q with velocity v, and arrives with `v_before` if given."""
        after = jnp.asarray(v, dtype=float)
        before = after if v_before is None else jnp.asarray(v_before, dtype=float)
        return _Straight(self, q, after, before)

    def limit(
        self,
        curve: Curve,
        *,
        side: int = 1,
        t0: float = 0.0,
        reach: float = 1.0,
        levels: int = _LEVELS,
    ) -> Limit:
        """Return D+ (`side=1`) or D- (`side=-1`) at curve(t0), the limit along the curve.

        Bases of the codistribution at the times t0 + side reach/2^j are compared. Samples that
        cannot be distinguished from round-off are not used, nor those beyond a change of rank.
        The projectors are extrapolated to t0 by Richardson's method; the limit is the entry of
        its table with the least change.
        """
        lower = self._lower(curve.q if isinstance(curve, _Straight) else self.place(curve(t0)))
        distances = reach * 0.5 ** np.arange(levels)
        times = t0 + side * distances
        points = curve.many(times) if isinstance(curve, _Straight) else [curve(t) for t in times]
        samples = self._levels(lower, points)
        first, last = _useful(samples)
        if first is None or first == last:
            text = "at every sample" if first is None else "at all but one sample"
            raise UsageError(
                f"the constraint of {self.system.name()} is round-off, underflows or changes its "
                f"rank {text} within {reach:g} of t0: give another `reach`"
            )
        used = [x.stacked() for x in samples[first : last + 1]]
        found, error = _extrapolated(used)
        n, rank = self.system.dim, len(samples[first].basis)
        values, vectors = np.linalg.eigh(0.5 * (found[:, :n] + found[:, :n].T))
        basis = vectors[:, n - rank :].T
        error = max(error, float(np.max(np.abs(values - np.round(values)), initial=0.0)))
        return Limit(
            rows=basis @ lower.T,
            offset=basis @ found[:, n],
            rank=rank,
            error=max(error, 4 * UNIT),
            nearest=float(distances[last]),
        )

    def crossing(self, curve: Curve, *, t0: float = 0.0, reach: float = 1.0) -> Crossing:
        """Return the limits and ranks of the constraint where a curve passes curve(t0)."""
        q = curve(t0)
        lower = self._lower(self.place(q))
        before, after = (self.limit(curve, side=s, t0=t0, reach=reach) for s in (-1, 1))
        inner, outer = (np.linalg.solve(lower, x.rows.T) for x in (after, before))
        rest = inner - outer @ (outer.T @ inner)
        outside = float(np.linalg.norm(rest, 2)) if rest.size else 0.0
        return Crossing(before, self.at(q), after, outside)

    # -- internals --------------------------------------------------------------------------------

    def _lower(self, q: Point) -> np.ndarray:
        if q is self._seen[0]:  # cached, because a search computes many limits at one point
            return self._seen[1]
        G = np.asarray(compiled_call(metric, self.system, q))
        try:
            self._seen = q, np.linalg.cholesky(G)
            return self._seen[1]
        except np.linalg.LinAlgError:
            raise UsageError(
                f"the metric of {self.system.name()} is not positive definite here"
            ) from None

    def _levels(self, lower: np.ndarray, points: list[Point]) -> list[_Level]:
        flat = np.array([np.concatenate([np.ravel(x) for x in jax.tree.leaves(q)]) for q in points])
        values, bounds = with_roundoff(self._tape, flat.T)
        n, m = self.system.dim, self._rows
        white = np.linalg.inv(lower).T
        result = []
        for value, bound in zip(values.T, bounds.T):
            rows = value[: m * n].reshape(m, n) @ white
            with np.errstate(invalid="ignore"):  # a bound may be infinite, and inf * 0 is NaN
                noise = bound[: m * n].reshape(m, n) @ np.abs(white)
            noise = np.where(np.isnan(noise), np.inf, noise)
            result.append(_level(rows, noise, value[m * n :]))
        return result


class MovingRows(Codistribution):
    """The span of dphi/dv along a motion: rows that depend on t, or on v (of a nonlinear phi).

    Points are (t, q, v). For a nonlinear phi the right-hand side is that of its linear part at v,
    (dphi/dv) v - phi, so that a motion with this v obeys it where phi vanishes.
    """

    def _check(self) -> None:
        pass

    def _forms(self, point: Any) -> tuple[jax.Array, jax.Array]:
        t, q, v = point
        rows = constraint_matrix(self.system, q, v, t)
        if not self.system.is_nonlinear:
            return rows, linear_offset(self.system, t, q)
        return rows, rows @ v - constraint_residual(self.system, q, v, t)

    def point(self, t: Any, q: Point, v: Any) -> Any:
        """Return (t, q, v)."""
        return np.asarray(t, dtype=float), q, v

    def place(self, point: Any) -> Point:
        """Return q of a point (t, q, v)."""
        return point[1]


class _Level(NamedTuple):
    """One sample: basis of the rows, shortest admissible velocity, and how the rank was decided."""

    basis: np.ndarray
    shift: np.ndarray
    undecided: bool
    picked: tuple[int, ...]

    def stacked(self) -> np.ndarray:
        return np.column_stack([self.basis.T @ self.basis, self.shift])


class _Straight(NamedTuple):
    """A curve through q at time zero, with constant velocities before and after."""

    D: Codistribution
    q: Point
    after: jax.Array
    before: jax.Array

    def __call__(self, t: float) -> Point:
        return self.many(np.array([t]))[0]

    def many(self, times: np.ndarray) -> list[Point]:
        """Return the points at all `times`, in one call."""
        v = np.where(times[:, None] >= 0.0, self.after, self.before)
        q = compiled_call(_moves, self.D.system, self.q, jnp.asarray(v * times[:, None]))
        result = self.D.point(self.D.t + times, q, v)
        leaves, tree = jax.tree.flatten(jax.tree.map(np.asarray, result))
        return [jax.tree.unflatten(tree, [x[i] for x in leaves]) for i in range(len(times))]


def _moves(system: System, q: Point, moves: jax.Array) -> Point:
    return jax.vmap(lambda w: move(system.groupoid, q, w))(moves)


def _level(rows: np.ndarray, noise: np.ndarray, offset: np.ndarray) -> _Level:
    if not np.all(np.isfinite(rows)):
        raise UsageError(f"the constraint has entries that are not finite: {rows}")
    n = rows.shape[1]
    size, blur = (np.max(np.abs(x), axis=1, initial=0.0) for x in (rows, noise))
    sharp = size > _NOISE * blur
    undecided = bool(np.any(~sharp & (blur > 0.0)))
    # divide by the largest entry first: squares of exp(-1/x^2) underflow long before it does
    scale = np.where(sharp, size, 1.0)
    B = np.where(sharp[:, None], rows / scale[:, None], 0.0)
    length = np.linalg.norm(B, axis=1)
    length = np.where(length > 0.0, length, 1.0)
    B = B / length[:, None]
    floor = _NOISE * max(n * UNIT, float(np.max(blur[sharp] / size[sharp], initial=0.0)))
    basis: list[np.ndarray] = []
    picked: list[int] = []
    rest = B.copy()
    while len(basis) < n:
        # Gram-Schmidt with pivoting by the largest remainder: differences of exact rows remain
        # exact, whereas a Gram matrix would lose them by squaring
        sizes = np.linalg.norm(rest, axis=1)
        k = int(np.argmax(sizes)) if len(sizes) else -1
        if k < 0 or sizes[k] <= floor:
            undecided |= bool(np.any(sizes > 0.0)) and len(basis) < int(np.sum(sharp))
            break
        e = rest[k] / sizes[k]
        for _ in range(2):
            for old in basis:
                e = e - (old @ e) * old
            e = e / np.linalg.norm(e)
        basis.append(e)
        picked.append(k)
        rest = rest - np.outer(rest @ e, e)
        rest[k] = 0.0
    E = np.array(basis).reshape(-1, n)
    shift = np.zeros(n)
    if len(basis) and np.any(offset):
        target = np.where(sharp, offset / scale / length, 0.0)
        shift = E.T @ np.linalg.lstsq(B @ E.T, target, rcond=None)[0]
    return _Level(E, shift, undecided, tuple(picked))


def _useful(levels: list[_Level]) -> tuple[int | None, int]:
    """Return the first (farthest) and last of the levels that show the rank of the limit.

    Going outwards from the nearest level, a rank higher than that of the nearer levels is accepted
    only if those were undecided. A decided level of lower rank ends the search: the rank changes
    between it and the point.
    """
    best, first, last, passed = -1, None, 0, True
    for j in reversed(range(len(levels))):
        rank = len(levels[j].basis)
        if rank > best and (best < 0 or passed):
            if rank == 0 and levels[j].undecided:
                continue
            best, first, last, passed = rank, j, j, levels[j].undecided
        elif rank == best and first == j + 1:
            first = j
            passed = passed and levels[j].undecided
        else:
            break
    return first, last


def _extrapolated(values: list[np.ndarray]) -> tuple[np.ndarray, float]:
    """Return the limit of values at distances 1, 1/2, 1/4, ..., and an estimate of its error."""
    column = np.array(values)
    best, error = column[-1], np.inf
    for k in range(1, min(len(values), _COLUMNS)):
        new = column[1:] + (column[1:] - column[:-1]) / (2.0**k - 1.0)
        change = np.maximum(np.abs(new - column[1:]), np.abs(new - column[:-1])).max(axis=(1, 2))
        i = int(np.argmin(change))
        if change[i] < error:
            best, error = new[i], float(change[i])
        column = new
    return best, error
