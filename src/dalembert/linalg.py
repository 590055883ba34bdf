"""Linear solves for tiny dense matrices, and Newton's method with a convergence certificate.

The matrices of mechanics are tiny: a handful of coordinates, one or two constraints. A call into
LAPACK on a 2 x 2 matrix costs more than the rest of a step. Up to `UNROLL` unknowns the
elimination is therefore written out as plain arithmetic that XLA fuses (`benchmarks/linalg.py`
measures from which size on LAPACK is faster).

A matrix that is singular to working precision gives NaN instead of a huge finite number. The caller
can then test for failure, and need not guess it from the size of the result.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.flatten_util import ravel_pytree
from jaxtyping import Float, Int

from .compile import tracing
from .compile.rolled import ALWAYS, NEVER, SizeLimit
from .errors import UsageError

T = TypeVar("T")
U = TypeVar("U")

# Array shapes for type annotations: n is the dimension of the fibre, m the number of constraints.
# They are not checked at run time; `tests/test_shapes.py` checks that the functions obey them.
Scalar = Float[Array, ""]
Real = Scalar | float
Vector = Float[Array, "n"]  # a velocity, a momentum, a force
Matrix = Float[Array, "n n"]  # a metric, a projector
PerConstraint = Float[Array, "m"]  # a multiplier, a residual, a right-hand side
Pairing = Float[Array, "m m"]  # of constraints with each other
Forms = Float[Array, "m n"]  # one row for each constraint one-form
Columns = Float[Array, "n *k"]  # one vector, or k vectors as the columns of a matrix
Count = Int[Array, ""]
Code = Count  # a key of `MESSAGES`

# Limits on the number of unknowns, for arrays and for the scalar code of `dalembert.compile`, in
# which each entry of an array is a separate scalar, so that zero entries cost nothing.
UNROLL = SizeLimit(arrays=4, scalars=16)  # up to which `solve` is written out
UNROLL_SPD = SizeLimit(arrays=6, scalars=16)  # the same for `solve_spd`, which needs no pivoting
DOMINANT = SizeLimit(arrays=0, scalars=6)  # up to which there is a branch without pivoting, too
UNLOOPED = SizeLimit(arrays=ALWAYS, scalars=4)  # up to which `solve_in_loop` needs no loop
APART = SizeLimit(arrays=NEVER, scalars=12)  # from which on a loop over memory solves

_FUSE_LIMIT = 12  # rows up to which `matmul` writes a product as a sum; measured on one core
RANK_TOLERANCE = 1e-8  # for singular values of matrices whose rows or columns have unit length

# Result codes of a step; 0 is success. `MESSAGES` explains each to the user.
OK, NO_CONVERGENCE, NOT_FINITE, INCONSISTENT, GAVE_UP, OFF_CONSTRAINT, STALLED, SINGULAR = range(8)
MESSAGES = {
    OK: "ok",
    NO_CONVERGENCE: "the Newton iteration did not converge",
    NOT_FINITE: "a value became infinite or not a number",
    INCONSISTENT: "the initial velocity was not on the constraint",
    GAVE_UP: "the adaptive solver could not reach its tolerance",
    OFF_CONSTRAINT: "the step ended off the constraint, by more than round-off",
    STALLED: "the next step has no valid size: the monitor of the step sizes became infinite, zero "
    "or not a number, the motion infinitely fast, or (EnergyDLA) no size conserves the discrete "
    "energy",
    SINGULAR: "the constraint loses rank at a singular point",
}


def solve_spd(A: Matrix, b: Columns) -> Columns:
    """Solve A x = b for symmetric positive definite A; b is (n,) or (n, k).

    NaN where A is not positive definite to working precision.
    """
    n = A.shape[0]
    if n == 0:
        return b
    if tracing.reversing():
        return _transposable(A, b, solve_spd, symmetric=True)
    if n >= APART.here():
        rhs = b[:, None] if b.ndim == 1 else b
        x = tracing.solve_apart("spd", A, rhs, _solve_spd)
        return x[:, 0] if b.ndim == 1 else x
    return _solve_spd(A, b)


def _solve_spd(A: jax.Array, b: jax.Array) -> jax.Array:
    n = A.shape[0]
    if n > UNROLL_SPD.here():
        return _solve_spd_lapack(A, b)
    # L D L^T: no square roots, and the pivots D show the rank
    floor = tracing.pivot_floor()
    lower = [[A[i, j] for j in range(i + 1)] for i in range(n)]
    pivots = []
    for j in range(n):
        d = lower[j][j]
        # each pivot is compared with its own diagonal entry, so that a badly scaled but regular
        # matrix (masses of grams beside tonnes) is not taken for a singular one
        d = jnp.where(d > floor * A[j, j], d, jnp.nan)
        pivots.append(1.0 / d)
        for i in range(j + 1, n):
            before = lower[i][j]
            lower[i][j] = before * pivots[j]
            for k in range(j + 1, i + 1):
                lower[i][k] = lower[i][k] - before * lower[k][j]
    x = [b[i] for i in range(n)]
    for i in range(n):
        for j in range(i):
            x[i] = x[i] - lower[i][j] * x[j]
    for i in reversed(range(n)):
        x[i] = x[i] * pivots[i]
        for j in range(i + 1, n):
            x[i] = x[i] - lower[j][i] * x[j]
    return jnp.stack(x)


def solve(A: Matrix, b: Columns) -> Columns:
    """Solve A x = b for a general square A by elimination with partial pivoting; b (n,) or (n, k).

    NaN where A is singular to working precision.
    """
    n = A.shape[0]
    if n == 0:
        return b
    if tracing.reversing():
        return _transposable(A, b, solve)
    vector = b.ndim == 1
    rhs = b[:, None] if vector else b
    if n == 1:
        x = rhs / jnp.where(A[0, 0] == 0.0, jnp.nan, A[0, 0])
    elif 2 < n <= DOMINANT.here():
        # the Jacobians of small steps are often diagonally dominant: then no pivoting is needed
        x = tracing.rarely(
            ~_is_dominant(A),
            lambda: _solve_general(A, rhs),
            lambda: _solve_dominant(A, rhs),
        )
    elif n >= APART.here():
        x = tracing.solve_apart("general", A, rhs, _solve_general)
    else:
        x = _solve_general(A, rhs)
    return x[:, 0] if vector else x


def _solve_general(A: jax.Array, b: jax.Array) -> jax.Array:
    n = A.shape[0]
    # Rows are scaled to unit size, so that the choice of units does not mislead the pivoting. Each
    # pivot is compared with the size of its column, so that units do not make a regular matrix
    # look singular. Reciprocals, because divisions dominate the time of the elimination.
    rows = 1.0 / _size(A, axis=1)
    scaled, b = A * rows, b * rows
    if n > UNROLL.here():
        columns = 1.0 / _size(scaled, axis=0)
        return _solve_lapack(scaled * columns, b) * columns.T
    return _solve_2x2(scaled, b) if n == 2 else _eliminate(scaled, b)


def _transposable(
    A: jax.Array, b: jax.Array, solve: Callable[..., jax.Array], symmetric: bool = False
) -> jax.Array:
    """Solve A x = b so that the derivatives are solves as well, in reverse mode with A^T.

    Reverse mode through the elimination itself would be ten times as much code.
    """

    def solved(matrix: jax.Array, rhs: jax.Array) -> jax.Array:
        with tracing.to_be_reversed(False):
            return solve(matrix, rhs)

    at = lax.stop_gradient(A)
    return lax.custom_linear_solve(
        lambda x: A @ x,
        b,
        lambda _, rhs: solved(at, rhs),
        None if symmetric else lambda _, rhs: solved(at.T, rhs),
        symmetric=symmetric,
    )


def _is_dominant(A: jax.Array) -> jax.Array:
    """Return whether each diagonal entry is more than twice the sum of the others in its row.

    Then no pivoting is needed: elimination preserves the property, entries do not grow and no pivot
    comes near zero, whatever the scale of a row. False if an entry is NaN.
    """
    size = jnp.abs(A)
    own = jnp.diagonal(size)
    return jnp.all(own > 2.0 * (jnp.sum(size * (1.0 - np.eye(len(A))), axis=1)))


def matmul(a: jax.Array, b: jax.Array) -> jax.Array:
    """Return a @ b, for small a as a sum that XLA fuses.

    The library call that XLA makes for a 4 x 4 matrix costs ten times more.
    """
    return jnp.sum(a[:, :, None] * b[None, :, :], axis=1) if len(a) <= _FUSE_LIMIT else a @ b


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def inverse(A: jax.Array, normal: bool = False) -> jax.Array:
    """Return the inverse of a square matrix, by elimination with pivoting.

    `normal=True` promises A^T A = A A^T, as for the matrices that the algebra of SO(n) gives. The
    inverse is then (A^T A)^-1 A^T, without pivoting. NaN if A is singular to working precision.
    """
    if normal:
        return solve_spd(matmul(A.T, A), A.T)
    return solve(A, jnp.eye(A.shape[0], dtype=A.dtype))


@inverse.defjvp
def _inverse_jvp(
    normal: bool, primals: tuple[jax.Array], tangents: tuple[jax.Array]
) -> tuple[jax.Array, jax.Array]:
    # products only: derivatives through the elimination would take seconds to compile
    X = inverse(*primals, normal)
    return X, -matmul(matmul(X, *tangents), X)


# -- on the host ---------------------------------------------------------------------------------


def rank(A: np.ndarray, tol: float = RANK_TOLERANCE, *, size: float | None = None) -> int:
    """Return the number of singular values above tol times `size`, by default the largest one."""
    if not A.size:
        return 0
    values = np.linalg.svd(A, compute_uv=False)
    return int(np.sum(values > tol * max(values[0] if size is None else size, 1e-300)))


class Rank(NamedTuple):
    """Rank of the rows of a constraint at a point."""

    rank: int
    rows: int
    condition: float  # of the rows, scaled to unit length; infinite if they are dependent


def row_rank(
    rows: np.ndarray, metric: np.ndarray | None = None, tol: float = RANK_TOLERANCE
) -> Rank:
    """Return rank and condition of one-forms (m, n), measured by a metric (n, n) on the vectors.

    Rows are first scaled to unit length, so that units do not matter. A row of zeros counts as
    dependent, and so do more rows than directions. The condition is NaN if an entry is not finite
    or the metric is not positive definite.
    """
    rows = np.asarray(rows, dtype=float)
    m = rows.shape[0]
    if m == 0:
        return Rank(0, 0, 1.0)
    metric = np.eye(rows.shape[1]) if metric is None else metric
    if not (np.all(np.isfinite(rows)) and np.all(np.isfinite(metric))):
        return Rank(0, m, math.nan)
    try:
        rows = np.linalg.solve(np.linalg.cholesky(metric), rows.T).T
    except np.linalg.LinAlgError:
        return Rank(0, m, math.nan)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    values = np.linalg.svd(rows / np.where(length > 0, length, 1.0), compute_uv=False)
    values = np.pad(values, (0, m - len(values)))  # more rows than directions
    dimension = int(np.sum(values > tol * max(1.0, values[0])))
    return Rank(dimension, m, float(values[0] / values[-1]) if dimension == m else math.inf)


@functools.cache
def gauss_rule(points: int, panels: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of Gauss quadrature on [0, 1], composed over equal panels."""
    nodes, weights = np.polynomial.legendre.leggauss(points)
    nodes = (np.arange(panels)[:, None] + 0.5 * (nodes[None, :] + 1.0)).ravel() / panels
    weights = np.tile(0.5 * weights / panels, panels)
    for array in (nodes, weights):
        array.flags.writeable = False  # cached: every caller gets the same arrays
    return nodes, weights


def fixed_point(
    sweep: Callable[[T], T], guess: T, iterate: Callable[[T], tuple[T, U]]
) -> tuple[T, U]:
    """Return (x, report) with x = sweep(x), found by `iterate` from the guess.

    Differentiable by the implicit function theorem with respect to everything that `sweep` closes
    over; the linear equation for the derivative is solved densely. The report must consist of
    floating-point numbers.
    """

    def dense(linear: Callable[[T], T], y: T) -> T:
        flat, group = ravel_pytree(y)
        return group(solve(jax.jacfwd(lambda x: ravel_pytree(linear(group(x)))[0])(flat), flat))

    guess = lax.stop_gradient(guess)
    if not tracing.differentiable():  # takes a quarter of the time to trace
        return iterate(guess)

    if tracing.reversing():
        return _reversible(sweep, guess, iterate, _pulled_sweep)
    return lax.custom_root(
        lambda x: jax.tree.map(jnp.subtract, x, sweep(x)),
        guess,
        lambda _, x: iterate(x),
        dense,
        has_aux=True,
    )


def _reversible(
    f: Callable[[T], T],
    guess: T,
    iterate: Callable[..., tuple[T, U]],
    pulled: Callable[[Callable[..., T], T, list[Array], T], Any],
) -> tuple[T, U]:
    """Return what `iterate` finds, for scalar code that is differentiated in reverse mode.

    `pulled(f, x, c, g)` takes a cotangent g of x to one of c, all that f(x, *c) closes over.
    `lax.custom_root` needs the tangents as well, which is twice as much to trace.
    """
    pure, consts = jax.closure_convert(f, guess)
    with tracing.to_be_reversed(False):
        find, given = jax.closure_convert(iterate, guess)

    @jax.custom_vjp
    def root(consts: list[Array], given: list[Array], guess: T) -> tuple[T, U]:
        return find(guess, *given)

    def forward(consts: list[Array], given: list[Array], guess: T) -> tuple[Any, Any]:
        x, report = find(guess, *given)
        return (x, report), (x, consts, given, guess)

    def backward(saved: Any, cotangent: Any) -> Any:
        x, consts, *rest = saved
        return pulled(pure, x, consts, cotangent[0]), *jax.tree.map(jnp.zeros_like, rest)

    root.defvjp(forward, backward)
    return root(consts, lax.stop_gradient(given), guess)


def _pulled_sweep(sweep: Callable[..., T], x: T, consts: list[Array], g: T) -> Any:
    """Return (d sweep/dc)^T y, where y solves y = g + S^T y with S = d sweep/dx."""
    flat, group = ravel_pytree(x)
    _, pull = jax.vjp(lambda x, c: ravel_pytree(sweep(group(x), *c))[0], flat, consts)
    return pull(_adjoint(lambda y: pull(y)[0], ravel_pytree(g)[0]))[1]


def _pulled_root(f: Callable[..., Vector], x: Vector, consts: list[Array], g: Vector) -> Any:
    """Return f_c^T y, where y solves f_x^T y = -g."""
    _, pull = jax.vjp(lambda x, c: f(x, *c), x, consts)
    with tracing.to_be_reversed(False):
        # rows are f_x^T e_i: the matrix of f_x^T, transposed
        rows = tracing.transposed_jacobian(lambda y: pull(y)[0], jnp.zeros_like(x), x.size)
        y = solve(rows.T, -g)
    return pull(y)[1]


def _adjoint(transposed: Callable[[Vector], Vector], g: Vector) -> Vector:
    """Solve y = g + S^T y by sweeps, which contract as the sweeps of the step with S do.

    They continue until round-off stops them. If they do not contract, a second round computes S^T
    column by column and the matrix is factored. Both rounds loop around one copy of S^T.
    """
    n = g.size

    def goes_on(c):
        i, columns, y, _, oldest, last, _ = c
        moving = last > tracing.round_off() * jnp.max(jnp.abs(y))
        # two turns together must contract: end and stages may converge in alternation
        return jnp.where(columns, i < n, (i < 3) | ((i < 40) & moving & (last < 0.5 * oldest)))

    def turn(c):
        i, columns, y, rows, _, last, before = c
        unit = (jnp.arange(n) == i) * 1.0
        result = transposed(jnp.where(columns, unit, y))
        new = jnp.where(columns, y, g + result)
        rows = jnp.where(columns, jnp.concatenate([rows[1:], result[None]]), rows)
        return i + 1, columns, new, rows, before, jnp.max(jnp.abs(new - y)), last

    def is_good(y, last):
        # 4096: the round-off of sums over a few dozen terms; a larger change did not converge
        return last <= 4096 * tracing.round_off() * jnp.max(jnp.abs(y))

    def one_round(c):
        count, y, rows, last = c
        far = jnp.full((), jnp.inf)
        start = (jnp.asarray(0), count == 1, g, rows, far, far, far)
        _, _, y, rows, _, last, _ = lax.while_loop(goes_on, turn, start)
        return count + 1, y, rows, last

    with tracing.to_be_reversed(False):
        first = (jnp.asarray(0), g, jnp.zeros((n, n)), jnp.full((), jnp.inf))
        count, y, rows, _ = lax.while_loop(
            lambda c: (c[0] == 0) | ((c[0] == 1) & ~is_good(c[1], c[3])), one_round, first
        )
        # rows of `rows` are S^T e_i, the columns of S^T
        return tracing.rarely(count == 2, lambda: solve_in_loop(jnp.eye(n) - rows.T, g), lambda: y)


# -- parts of the solves -------------------------------------------------------------------------


def _size(A: jax.Array, axis: int) -> jax.Array:
    size = lax.stop_gradient(jnp.max(jnp.abs(A), axis=axis, keepdims=True))
    return jnp.where(size > 0, size, jnp.nan)


def _nan_if_tiny(pivot: jax.Array, scale: jax.Array) -> jax.Array:
    floor = tracing.pivot_floor()
    return jnp.where(jnp.abs(pivot) > floor * scale, pivot, jnp.nan)


def _solve_2x2(A: jax.Array, b: jax.Array) -> jax.Array:
    (p, q), (r, s) = (A[0, 0], A[0, 1]), (A[1, 0], A[1, 1])
    swap = jnp.abs(r) > jnp.abs(p)
    p, q, r, s = (jnp.where(swap, x, y) for x, y in ((r, p), (s, q), (p, r), (q, s)))
    b0, b1 = jnp.where(swap, b[1], b[0]), jnp.where(swap, b[0], b[1])
    over = 1.0 / p
    factor = r * over
    x1 = (b1 - factor * b0) / _nan_if_tiny(s - factor * q, jnp.maximum(jnp.abs(q), jnp.abs(s)))
    return jnp.stack([(b0 - q * x1) * over, x1])


def _solve_dominant(A: jax.Array, b: jax.Array) -> jax.Array:
    """Solve A x = b for an A that `_is_dominant`: no pivoting, and the last three rows at once.

    Every eliminated column has to wait for a division. The last three rows, scaled to ones on the
    diagonal, are solved by Cramer's rule with a single division: their determinant cannot be small.
    """
    n = A.shape[0]
    rows, x = [A[i] for i in range(n)], [b[i] for i in range(n)]
    for j in range(n - 3):
        _clear(rows, x, j, rows[j][j])
    i, j, k = range(n - 3, n)
    for m in (i, j, k):
        over = 1.0 / rows[m][m]
        rows[m], x[m] = rows[m] * over, x[m] * over
    (p, q), (r, s), (t, u) = (
        (rows[i][j], rows[i][k]),
        (rows[j][i], rows[j][k]),
        (rows[k][i], rows[k][j]),
    )
    minors = [
        [1.0 - s * u, q * u - p, p * s - q],
        [s * t - r, 1.0 - q * t, q * r - s],
        [r * u - t, p * t - u, 1.0 - p * r],
    ]
    over = 1.0 / (minors[0][0] + p * minors[1][0] + q * minors[2][0])
    x[i:] = [over * sum(m * y for m, y in zip(row, x[i:])) for row in minors]
    return _substituted(rows, x, n - 3)


def _clear(rows: list[jax.Array], x: list[jax.Array], j: int, pivot: jax.Array) -> None:
    """Divide row j by its pivot and subtract it from the rows below, to clear their column j."""
    over = 1.0 / pivot
    rows[j], x[j] = rows[j] * over, x[j] * over
    for i in range(j + 1, len(rows)):
        x[i] = x[i] - rows[i][j] * x[j]
        rows[i] = rows[i] - rows[i][j] * rows[j]


def _substituted(rows: list[jax.Array], x: list[jax.Array], first: int) -> jax.Array:
    """Return the solution by back substitution; entries of x from index `first` on are known."""
    for i in reversed(range(first)):
        for j in range(i + 1, len(rows)):
            x[i] = x[i] - rows[i][j] * x[j]
    return jnp.stack(x)


def _eliminate(A: jax.Array, b: jax.Array) -> jax.Array:
    n = A.shape[0]
    # matrix and right-hand side are separate arrays, so that JAX sees that x is linear in b
    rows, x = [A[i] for i in range(n)], [b[i] for i in range(n)]
    sizes = lax.stop_gradient(jnp.max(jnp.abs(A), axis=0))
    for j in range(n):
        # bring the largest entry of column j to row j by compare-and-swap: no gather, no argmax
        for i in range(j + 1, n):
            swap = jnp.abs(rows[i][j]) > jnp.abs(rows[j][j])
            for part in (rows, x):
                part[i], part[j] = (
                    jnp.where(swap, part[j], part[i]),
                    jnp.where(swap, part[i], part[j]),
                )
        _clear(rows, x, j, _nan_if_tiny(rows[j][j], sizes[j]))
    return _substituted(rows, x, n)


def _solve_lapack(A: jax.Array, b: jax.Array) -> jax.Array:
    factors, order = jax.scipy.linalg.lu_factor(A)
    smallest = jnp.min(jnp.abs(jnp.diagonal(factors)))
    return _one_if_regular(smallest) * jax.scipy.linalg.lu_solve((factors, order), b)


def _solve_spd_lapack(A: jax.Array, b: jax.Array) -> jax.Array:
    # scaled to unit diagonal, so that the squares of the factor's diagonal are relative pivots
    size = lax.stop_gradient(jnp.sqrt(jnp.diagonal(A)))[:, None]
    lower = jnp.linalg.cholesky(A / size / size.T, symmetrize_input=False)
    smallest = jnp.min(jnp.diagonal(lower)) ** 2
    rhs = b[:, None] if b.ndim == 1 else b
    x = jax.scipy.linalg.cho_solve((lower, True), rhs / size) / size
    x = _one_if_regular(smallest) * x
    return x[:, 0] if b.ndim == 1 else x


def _one_if_regular(pivot: jax.Array) -> jax.Array:
    floor = tracing.pivot_floor()
    return jnp.where(lax.stop_gradient(pivot) > floor, 1.0, jnp.nan)


class Near(NamedTuple):
    """A matrix near the Jacobian of an equation, and the solution of linear systems with it."""

    matrix: Matrix
    solve: Callable[[Vector], Vector]
    known: int  # entries of x, from the first on, that have one unit and decide the convergence


class Root(NamedTuple):
    """Result of Newton's method: the point, and the certificate of convergence."""

    x: Vector
    residual: Scalar  # largest entry of |f(x)|, in the units of `scale`
    iterations: Count
    result: Code  # OK, NO_CONVERGENCE or NOT_FINITE


@dataclasses.dataclass(frozen=True)
class Newton:
    """Newton's method for small dense equations; a field of every method that iterates.

    A root counts as found when the residual, divided by its scale, is below `residual_tol`. The
    iteration stops after a step of relative size below `step_tol`, or after a step from a point
    that was already a root in that sense. (The second is the only sign of convergence to x = 0. If
    it holds only because of the floor of the scale, the iteration continues a few times while the
    residual falls, so that small units lose no digits.) Because convergence is quadratic, the last
    step leaves an error of about the square of what it removed: round-off. Iterating until the
    residual itself is at round-off might never end.
    """

    step_tol: float = 1e-8
    residual_tol: float = 1e-10
    max_iterations: int = 20

    def __post_init__(self) -> None:
        fine = 0.0 < self.step_tol < 1.0 and 0.0 < self.residual_tol < 1.0
        if not fine or self.max_iterations < 1:
            raise UsageError(
                f"Newton needs tolerances between 0 and 1 and at least one iteration; got {self}"
            )

    def solve(
        self,
        f: Callable[[Vector], Vector],
        x0: Vector,
        *,
        scale: Real | None = None,
        terms: Callable[[Vector], Scalar] | None = None,
        noise: Real = 0.0,
        outermost: bool = False,
        near: Callable[[], Near] | None = None,
    ) -> Root:
        """Solve f(x) = 0 from `x0`.

        The scale of the residual is the size of the terms that cancel in f at the solution. It is
        `scale` or `terms(x)` if given, otherwise estimated from the linearization J x + c, with a
        floor for a root at x = 0. `noise` is the error in x that evaluating f makes in any case, by
        cancellation inside f: a residual of that size counts as zero.

        Differentiable by the implicit function theorem in forward and reverse mode, with respect
        to everything that `f` closes over; the iteration itself is not differentiated. Pass
        `outermost=True` for the equation of a step: it is differentiated only if a whole run is,
        and otherwise half of it need not be traced.

        `near()` gives a matrix near the Jacobian at the root. Large equations in scalar code are
        first iterated with it, and the Jacobian is computed only if that does not contract.
        """
        near = near if tracing.loops() and x0.size >= tracing.COLUMNS else None
        fixed = None if scale is None else lax.stop_gradient(jnp.asarray(scale, dtype=x0.dtype))
        start = lax.stop_gradient(x0)
        if outermost and not tracing.differentiable():
            # jit makes f a call: it is evaluated at two places in the code, but traced once
            x, report = self._iterate(jax.jit(f), start, fixed, terms, noise, near)
        else:

            def dense(g, y):
                return solve(jax.jacfwd(g)(y), y)

            def found(g, start):
                if outermost and tracing.is_solved():
                    return start, (jnp.zeros(()), jnp.zeros(()), jnp.full((), float(OK)))
                return self._iterate(g, start, fixed, terms, noise)

            if tracing.reversing():
                x, report = _reversible(f, start, functools.partial(found, f), _pulled_root)
            else:
                x, report = lax.custom_root(f, start, found, dense, has_aux=True)
        residual, iterations, result = report
        # custom_root gives the auxiliary outputs tangents, which integers cannot have: cast here
        return Root(x, residual, iterations.astype(jnp.int32), result.astype(jnp.int32))

    def _iterate(self, f, x0, fixed_scale, given_terms, noise, near=None):
        tol = tracing.within_reach(self.residual_tol)
        step_tol = self.step_tol * tracing.coarseness() ** 0.5

        def size_of_terms(jacobian, x):
            if fixed_scale is not None:
                return fixed_scale, fixed_scale, fixed_scale
            if given_terms is not None:
                terms = lax.stop_gradient(given_terms(x))
                return terms, terms, terms
            # after a step c = -J x, so the size of J x alone gives the scale
            rows = jnp.abs(jacobian) @ jnp.abs(x)
            largest = jnp.max(jnp.max(jnp.abs(jacobian), axis=1))  # by rows, as `solve` does
            least = jnp.maximum(1e-4, noise * (1.0 / tol)) * largest
            return rows, jnp.max(rows), jnp.maximum(jnp.max(rows), least)

        def step(carry):
            x, _, _, before, _, i = carry
            value, jacobian = tracing.value_and_jacobian(f, x)
            dx = solve(jacobian, value)
            x = x - dx
            # The scale is taken where the step ends: far from a root the terms are large, and any
            # residual would look small beside them.
            rows, terms, scale = size_of_terms(jacobian, x)
            left = jnp.abs(f(x))
            # if every row is at the round-off of its terms, another step cannot improve it
            unsettled = jnp.any(~(left <= 2.0 * tracing.round_off() * rows))
            far = jnp.max(jnp.abs(dx)) > step_tol * jnp.max(jnp.abs(x))
            error = jnp.max(jnp.abs(value))
            # a few times only, because round-off noise may fall by chance as well
            falling = (error > tol * terms) & (error < 0.5 * before) & (i < 6)
            goes_on = unsettled & far & ((error > tol * scale) | falling)
            return x, goes_on, jnp.max(left), error, scale, i + 1

        def unfinished(carry):
            _, goes_on, *_, i = carry  # a NaN compares false and ends the loop
            return goes_on & (i < self.max_iterations)

        one = jnp.ones((), x0.dtype)
        start = (x0, True, jnp.inf * one, jnp.inf * one, one, jnp.asarray(0))
        if near is not None:
            start = self._simplified(f, x0, size_of_terms, noise, near())
        x, goes_on, left, _, scale, i = lax.while_loop(unfinished, step, start)
        residual = left / jnp.where(scale > 0.0, scale, 1.0)
        # the scale cannot be trusted if the iteration reached its limit while still moving
        wandering = goes_on & (i > 1) & (i >= self.max_iterations)
        fine = (residual <= tol) & ~wandering
        result = jnp.where(fine, float(OK), float(NO_CONVERGENCE))
        result = jnp.where(jnp.isfinite(residual), result, float(NOT_FINITE))
        return x, (residual, i.astype(result.dtype), result)

    def _simplified(self, f, x0, size_of_terms, noise, near):
        """Iterate x - M^-1 f(x) with the matrix M of `near`; return the start of Newton's loop.

        If this has converged, Newton's loop does nothing; otherwise it starts from the better one
        of the last x and x0. Convergence is linear: the error left by an iteration (a turn) is
        estimated from the last two changes. If a turn does not halve the change, the iteration is
        at round-off, or it fails.
        """
        c = tracing.coarseness()

        def turn(carry):
            x, value, last, *_, i = carry
            dx = near.solve(value)
            x = x - dx
            change, size = (jnp.max(jnp.abs(y[: near.known])) for y in (dx, x))
            value = f(x)
            rows, _, scale = size_of_terms(near.matrix, x)
            at_root = jnp.all(jnp.abs(value) <= 2.0 * tracing.round_off() * rows)
            # 1e-16: the estimated error that is left is below the last digit of x. 1e-13: a change
            # that is no longer halved is noise of f.
            settled = at_root | ((i > 0) & (change * change <= 1e-16 * c * size * last))
            halved = change < 0.5 * last
            done = settled | (~halved & (change <= 1e-13 * c * size + noise))
            return x, value, change, scale, done, ~done & halved, i + 1

        one = jnp.ones((), x0.dtype)
        first = f(x0)
        start = (x0, first, jnp.inf * one, one, False, True, jnp.asarray(0))
        x, value, _, scale, done, _, i = lax.while_loop(
            lambda x: x[-2] & (x[-1] < 2 * self.max_iterations), turn, start
        )
        left = jnp.max(jnp.abs(value))
        # Newton's method starts from the better one of x and x0: a turn that failed may go far
        x = jnp.where(done | (left < jnp.max(jnp.abs(first))), x, x0)
        # turns that did not converge are not counted as iterations of Newton's method
        return x, ~done, jnp.where(done, left, jnp.inf), jnp.inf * one, scale, jnp.where(done, i, 0)


def solve_in_loop(A: jax.Array, b: jax.Array) -> jax.Array:
    """Solve A x = b for one right-hand side; in scalar code by a loop over the columns.

    Elimination of n unknowns, written out, is n^3 operations to compile; a loop over columns is
    n^2. The algorithm is Gauss-Jordan with partial pivoting. After each column the row of the pivot
    moves to the end and the column is dropped, so that the code is the same for every column.
    """
    n = A.shape[0]
    if n <= UNLOOPED.here():
        return solve(A, b)
    if n >= APART.here():
        return tracing.solve_apart("looped", A, b[:, None], _solve_in_loop)[:, 0]
    return _solve_in_loop(A, b[:, None])[:, 0]


def _solve_in_loop(A: jax.Array, b: jax.Array) -> jax.Array:
    n = A.shape[0]
    start = jnp.concatenate([A, b], axis=1) * (1.0 / _size(A, axis=1))

    def column(carry):
        k, rows = carry
        first, others = rows[0], []
        for i in range(1, n):
            swap = (jnp.abs(rows[i, 0]) > jnp.abs(first[0])) & (i < n - k)
            others.append(jnp.where(swap, first, rows[i]))
            first = jnp.where(swap, rows[i], first)
        first = first * (1.0 / _nan_if_tiny(first[0], jnp.ones((), A.dtype)))
        others = jnp.stack(others)
        others = others - others[:, :1] * first[None, :]
        rows = jnp.concatenate([others, first[None, :]])[:, 1:]
        return k + 1, jnp.concatenate([rows, jnp.zeros((n, 1), A.dtype)], axis=1)

    return lax.while_loop(lambda x: x[0] < n, column, (jnp.asarray(0), start))[1][:, :1]
