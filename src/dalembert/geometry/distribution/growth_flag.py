"""The constraint distribution: rank, integrability, growth vector.

A vector field is a function of the point q that returns components in the fibre of the system:
coordinate components on R^n, left-trivialised components on a group. The source fibre of the
groupoid at q has the chart w -> curve(q, w), in which every field is an ordinary field on R^dim.
Brackets of any degree are computed in this chart from one Taylor expansion, so that brackets are
never differentiated automatically.

Affine and time-dependent constraints A(q) v = b(t, q) are treated as linear constraints on
R x Q, A(q) v - b(t, q) t' = 0, with time as the last direction.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ... import groupoids
from ...compile.function import compiled_rows
from ...dynamics import Time, consistent_velocity, linear_constraint, linear_offset, metric
from ...errors import UsageError
from ...groups import Euclidean
from ...linalg import Rank, rank, row_rank
from ...system import Point, System, compiled_call
from .taylor_fields import Algebra, algebra

Field = Callable[[Point], jax.Array]

# Round-off of a sum, relative to its terms: 1e3 units in the last place. This is at least 100
# times what was measured on one machine, so that other machines reach the same verdicts.
ROUND_OFF = 1e3 * float(np.finfo(float).eps)
ROUGH = 1e-4  # residuals are divided by at least this fraction of the factors of their terms
LATER = (0.0, 0.618)  # times at which quantities that may depend on time are evaluated

INTEGRABLE = 1e-10  # Frobenius residuals below this: the brackets lie in the distribution
_CANCELLED = 1e-10  # a bracket below this fraction of the sum of its |terms| is zero
_VANISHED = 10 * ROUND_OFF  # a row below this fraction of its length at nearby points is zero


# -- shared by the other modules of this package -------------------------------------------------


def require_linear(system: System, what: str, *, affine: bool = False) -> None:
    """Raise `UsageError` if `what` is not defined for the kind of constraint of this system."""
    if system.is_nonlinear:
        raise UsageError(
            f"{what} needs constraints linear in the velocities; {system.name()} has "
            "`velocity_constraint`"
        )
    if system.has_offset and not affine:
        raise UsageError(
            f"{what} needs constraints A(q) v = 0; {system.name()} has `offset`, which makes "
            "them affine"
        )


class States(NamedTuple):
    """Points and consistent velocities, stacked along the first axis."""

    q: Point
    v: jax.Array


def sample_states(
    system: System,
    q: Point | None = None,
    *,
    count: int = 6,
    spread: float = 0.4,
    seed: int = 0,
    t: Time = 0.0,
) -> States:
    """Return random states on the constraint around q (by default around the initial data).

    The first point is q itself. The others lie at a distance of about `spread`, in the units of
    the fibre.
    """
    points = _points(system, q, count, spread, seed)
    v = np.random.default_rng(seed + 1).normal(size=(count, system.dim))
    times = jnp.broadcast_to(jnp.asarray(t, dtype=float), count)
    return States(points, compiled_rows(consistent_velocity, system, (points, v, times)))


def _points(
    system: System, q: Point | None, count: int, spread: float = 0.4, seed: int = 0
) -> Point:
    center = system.initial()[0] if q is None else system.groupoid.base.check(q)
    shift = spread * np.random.default_rng(seed).normal(size=(count, system.dim))
    shift[0] = 0.0
    return jax.vmap(lambda w: groupoids.move(system.groupoid, center, w))(jnp.asarray(shift))


# -- rank ----------------------------------------------------------------------------------------


def constraint_rank(system: System, q: Point, t: Time = 0.0) -> Rank:
    """Return rank and condition number of the constraint rows in the kinetic metric.

    Rows are scaled to unit length first, so that units do not matter. A row counts as zero if it is
    below `_VANISHED` times its length at neighboring points.
    """
    require_linear(system, "the rank of the constraint", affine=True)
    q = system.groupoid.base.check(q)
    around, G = map(np.asarray, compiled_rows(_rows_and_metric, system, (_points(system, q, 4),)))
    rows, length = around[0], np.linalg.norm(around, axis=2)
    near = np.max(length[1:], axis=0, where=np.isfinite(length[1:]), initial=0.0)
    result = row_rank(np.where((length[0] <= _VANISHED * near)[:, None], 0.0, rows), G[0])
    if math.isnan(result.condition):
        raise UsageError(
            f"{system.name()}: the constraint or the metric is not finite, or the metric is not "
            f"positive definite, at q = {_text(q)}; take another point"
        )
    return result


def _rows_and_metric(system: System, q: Point) -> tuple[jax.Array, jax.Array]:
    return linear_constraint(system, q), metric(system, q)


def _text(q: Point) -> str:
    return str(jax.tree.map(lambda x: np.round(np.asarray(x), 6).tolist(), q))


def require_full_rank(system: System, q: Point, t: Time = 0.0) -> None:
    """Raise `UsageError` at a point where the constraint rows are linearly dependent."""
    rank_here = constraint_rank(system, q, t)
    if rank_here.rank < rank_here.rows:
        raise UsageError(
            f"{system.name()}: singular point, the {rank_here.rows} constraints have rank "
            f"{rank_here.rank} at q = {_text(q)}; write the constraint so that its rows stay "
            "independent, or take another point"
        )


def _rows(system: System, q: Point) -> int:
    return jax.eval_shape(lambda: linear_constraint(system, q)).shape[0]


def _metric_rows(system: System, q: Point) -> tuple[jax.Array, jax.Array]:
    """Return constraint rows of unit length, acting on vectors L^T v, and L with G = L L^T."""
    lower = jnp.linalg.cholesky(metric(system, q))
    rows = linear_constraint(system, q)
    rows = jax.scipy.linalg.solve_triangular(lower, rows.T, lower=True).T
    size = jnp.linalg.norm(rows, axis=1, keepdims=True)
    return rows / jnp.where(size > 0, size, 1.0), lower


# -- a smooth basis ------------------------------------------------------------------------------


def adapted_basis(system: System, q: Point) -> tuple[jax.Array, jax.Array]:
    """Return (D0, N0), columns orthonormal in the kinetic metric; D0 spans the distribution at q.

    The basis is not smooth in q: its columns may jump between points. `local_frame` is a smooth
    extension.
    """
    fixed = jax.tree.map(lambda x: lax.stop_gradient(x) if eqx.is_array(x) else x, (system, q))
    rows, lower = _metric_rows(*fixed)
    m = rows.shape[0]
    if m == 0:
        basis = jnp.eye(system.dim)
    else:
        basis = jnp.linalg.svd(rows, full_matrices=True)[2].T
    basis = jax.scipy.linalg.solve_triangular(lower.T, basis, lower=False)
    return basis[:, m:], basis[:, :m]


def local_frame(system: System, q: Point) -> Field:
    """Return columns X(x), smooth in x near q, that span the distribution; orthonormal at q.

        X(x) = D0 - N0 (A(x) N0)^-1 A(x) D0

    with D0, N0 of `adapted_basis` at q. For affine constraints this is the frame of
    their linear part.
    """
    require_linear(system, "a frame of the distribution", affine=True)
    inside, outside = adapted_basis(system, q)

    def frame(x: Point) -> jax.Array:
        rows = linear_constraint(system, x)
        if rows.shape[0] == 0:
            return inside
        return inside - outside @ jnp.linalg.solve(rows @ outside, rows @ inside)

    return frame


# -- Taylor expansion of the frame in the chart of the source fibre --------------------------------


class _Field(NamedTuple):
    """Taylor expansion of a vector field in w, with bounds on the terms of each coefficient."""

    ring: Algebra
    coefficients: np.ndarray  # [component, monomial]
    bounds: np.ndarray

    @property
    def value(self) -> np.ndarray:
        """The field at w = 0."""
        return self.coefficients[:, 0]

    @property
    def bound(self) -> float:
        """The sum of the absolute values of the terms of which `value` is the sum."""
        return float(np.linalg.norm(self.bounds[:, 0]))


def _frame_fields(system: System, q: Point, t: Time, order: int) -> list[_Field]:
    """Return Taylor expansions up to `order`, at w = 0, of the frame's fields in the chart at q.

    Only the constraint is differentiated; the frame follows by algebra on its expansion. The bounds
    come from the same algebra with absolute values: a coefficient far below its bound is round-off.
    """
    t = jnp.asarray(t, dtype=float)
    values = compiled_call(_expansions, system, q, t, order)
    inside, outside, weights, rows, chart = jax.tree.map(np.asarray, values)
    ring = algebra(system.dim + system.has_offset, order)
    rows = ring.from_derivatives(rows)
    chart = ring.from_derivatives(chart) if chart else np.zeros(0)
    parts = inside, outside, weights, rows, chart
    signed = _frame_series(ring, parts, -1.0)
    sizes = _frame_series(ring, tuple(map(np.abs, parts)), 1.0)
    return [_Field(ring, signed[:, i], sizes[:, i]) for i in range(signed.shape[1])]


def _frame_series(ring: Algebra, parts: tuple[np.ndarray, ...], sign: float) -> np.ndarray:
    inside, outside, weights, rows, chart = parts
    rows = np.tensordot(weights, rows, axes=(1, 0))
    # Neumann series for the inverse of rows @ outside = 1 + excess, up to degree `order`
    excess = np.einsum("abp,bc->acp", rows, outside)
    excess[..., 0] = 0.0
    term = total = np.einsum("abp,bc->acp", rows, inside)
    for _ in range(ring.order):
        term = sign * ring.matmul(excess, term)
        total = total + term
    X = sign * np.tensordot(outside, total, axes=(1, 0))
    X[..., 0] += inside
    return ring.matmul(chart, X) if chart.size else X


def _expansions(system, q, t, order):
    """Return D0, N0 at q, and derivatives at w = 0 of the constraint and the frame of the chart."""
    n, groupoid = system.dim, system.groupoid
    inside, outside = adapted_basis(system, q)
    m, timed = outside.shape[1], system.has_offset
    weights = jnp.linalg.inv(linear_constraint(system, q) @ outside)
    if timed:  # time is one more direction: t' = 1, with the v that satisfies A v = b
        drift = outside @ (weights @ linear_offset(system, t, q))
        inside = jax.scipy.linalg.block_diag(inside, jnp.ones((1, 1)))
        inside = inside.at[:n, -1].set(drift)
        outside = jnp.concatenate([outside, jnp.zeros((1, m))])

    def rows(w: jax.Array) -> jax.Array:
        x = groupoids.move(groupoid, q, w[:n])
        A = linear_constraint(system, x)
        if timed:
            A = jnp.concatenate([A, -linear_offset(system, t + w[n], x)[:, None]], axis=1)
        return A

    def chart(w: jax.Array) -> jax.Array:
        moved = jax.vmap(lambda u: groupoid.coordinate_velocity(q, w[:n], u), 1, 1)(jnp.eye(n))
        return jax.scipy.linalg.block_diag(moved, jnp.ones((1, 1))) if timed else moved

    def jet(f: Callable[[jax.Array], jax.Array]) -> list[jax.Array]:
        out = []
        for _ in range(order + 1):
            out.append(f(jnp.zeros(n + timed)))
            f = jax.jacfwd(f)
        return out

    flat = isinstance(system.space, Euclidean)  # then the frame of the chart is the identity
    return inside, outside, weights, jet(rows), [] if flat else jet(chart)


def _bracket(X: _Field, Y: _Field) -> _Field:
    """Return [X, Y] = DY.X - DX.Y, known to one degree less than X and Y."""
    size = min(X.ring.size, Y.ring.size)
    ring = X.ring if X.ring.size == size else Y.ring
    x, y, X_size, Y_size = (
        a[..., :size] for a in (X.coefficients, Y.coefficients, X.bounds, Y.bounds)
    )
    bounds = ring.along(Y_size, X_size) + ring.along(X_size, Y_size)
    less = algebra(ring.n, ring.order - 1)
    return _Field(less, ring.along(y, x) - ring.along(x, y), bounds)


def _direction(X: _Field) -> np.ndarray:
    """Return the field at w = 0, scaled to unit length; zero if it is round-off of its terms."""
    size = np.linalg.norm(X.value)
    if size <= _CANCELLED * X.bound:
        return np.zeros_like(X.value)
    return X.value / size


# -- integrability -------------------------------------------------------------------------------


def frobenius_residual(system: System, q: Point, t: Time = 0.0) -> float:
    """Return the largest component of [X_i, X_j] outside the distribution, relative to its terms.

    If it is zero (up to round-off) at every point, the constraints are equivalent to holonomic
    ones.
    """
    require_linear(system, "the Frobenius test", affine=True)
    q = system.groupoid.base.check(q)
    require_full_rank(system, q, t)
    fields = _frame_fields(system, q, t, 1)
    if len(fields) < 2:
        return 0.0
    basis, worst = np.linalg.qr(np.stack([X.value for X in fields], axis=1))[0], 0.0
    for X, Y in itertools.combinations(fields, 2):
        Z = _bracket(X, Y)
        rest = Z.value - basis @ (basis.T @ Z.value)
        worst = max(worst, float(np.linalg.norm(rest) / Z.bound) if Z.bound > 0 else 0.0)
    return worst


def is_integrable(
    system: System, q: Point | None = None, t: Time = 0.0, *, samples: int = 4
) -> bool:
    """Return whether the constraints are integrable, that is holonomic, near q (Frobenius).

    Tested at q and at random points near it, because a bracket may leave the distribution
    everywhere except at one point. An affine constraint A v = b is integrable if some functions
    g(t, q) with A v - b = M dg/dt exist.
    """
    return largest_frobenius_residual(system, q, t, samples=samples) <= INTEGRABLE


def largest_frobenius_residual(
    system: System, q: Point | None = None, t: Time = 0.0, *, samples: int = 4
) -> float:
    """Return the largest `frobenius_residual` at q and at random points near it."""
    points = _points(system, q, samples)
    each = (jax.tree.map(lambda x, i=i: x[i], points) for i in range(samples))
    return max(frobenius_residual(system, x, t) for x in each)


# -- growth --------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Growth:
    """The flag D = D_1, D_2 = D + [D, D], D_3 = D_2 + [D, D_2], ... at a point.

    `vector` holds the dimensions up to the last increase. `degree` is the degree of nonholonomy:
    the first k for which D_k is the whole tangent space, or None if none was found. `settled` is
    False if the search stopped at degree `searched` while the flag could still grow: a larger
    degree may reach more directions.
    """

    vector: tuple[int, ...]
    dim: int
    degree: int | None
    settled: bool
    searched: int

    @property
    def bracket_generating(self) -> bool:
        """Whether brackets span every direction (a completely nonholonomic constraint)."""
        return self.degree is not None


def growth(system: System, q: Point | None = None, t: Time = 0.0, *, max_degree: int = 5) -> Growth:
    """Return growth vector and degree of nonholonomy at q (by default at the initial point).

    With affine constraints the distribution is the one on R x Q, and the dimensions count time.
    If the flag does not grow at one degree, the search continues unless the flag does not grow at
    neighboring points either; then it is involutive and has ended.
    """
    if max_degree < 1:
        raise UsageError(f"the degree to search to must be at least 1, got {max_degree}")
    require_linear(system, "the growth vector", affine=True)
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    require_full_rank(system, q, t)
    vector, settled = _flag(system, q, t, max_degree)
    searched, dim = len(vector), system.dim + system.has_offset
    reached = vector[-1] == dim
    while len(vector) > 1 and vector[-1] == vector[-2]:
        vector = vector[:-1]
    return Growth(vector, dim, len(vector) if reached else None, settled, searched)


def growth_vector(system: System, q: Point | None = None, t: Time = 0.0) -> tuple[int, ...]:
    """Return the dimensions of D, D + [D, D], ... at q; see `growth`."""
    return growth(system, q, t).vector


def degree_of_nonholonomy(system: System, q: Point | None = None, t: Time = 0.0) -> int | None:
    """Return the degree of nonholonomy at q, or None if brackets do not span every direction."""
    return growth(system, q, t).degree


def _flag(system: System, q: Point, t: Time, max_degree: int) -> tuple[tuple[int, ...], bool]:
    """Return the dimensions of the flag, and whether it ended.

    The search stops at full rank, at a degree without growth at this and at neighboring points, or
    at `max_degree`.
    """
    dim = system.dim + system.has_offset
    neighbors: list[Point] | None = None
    ranks = (system.dim - _rows(system, q) + system.has_offset,)
    for degree in range(2, max_degree + 1):
        if ranks[-1] in (dim, 0):
            break
        ranks = _ranks(system, q, t, degree)
        if ranks[-1] == ranks[-2] and ranks[-1] < dim:
            if neighbors is None:
                around = _points(system, q, 3, 0.1, 1)
                neighbors = [jax.tree.map(lambda x, i=i: x[i], around) for i in (1, 2)]
            if all(_ranks(system, x, t, degree)[-2:] == ranks[-2:] for x in neighbors):
                return ranks, True
    return ranks, ranks[-1] in (dim, 0)


def _ranks(system: System, q: Point, t: Time, degree: int) -> tuple[int, ...]:
    first = _frame_fields(system, q, t, degree - 1)
    level, columns = first, [_direction(X) for X in first]
    ranks = [rank(np.stack(columns, axis=1))]
    for k in range(2, degree + 1):
        pairs = itertools.combinations(first, 2) if k == 2 else itertools.product(first, level)
        level = [_bracket(X, Y) for X, Y in pairs]
        columns += [_direction(X) for X in level]
        ranks.append(rank(np.stack(columns, axis=1)))
    return tuple(ranks)


__all__ = [
    "Field",
    "Growth",
    "Rank",
    "States",
    "adapted_basis",
    "constraint_rank",
    "degree_of_nonholonomy",
    "frobenius_residual",
    "growth",
    "growth_vector",
    "is_integrable",
    "largest_frobenius_residual",
    "local_frame",
    "sample_states",
]
