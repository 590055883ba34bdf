"""Invariant measures whose density depends on the velocity: (5.13) [C02] with k that is not basic.

k(r, w) det(G) dr dw is invariant under the reduced motion X exactly if

    X(ln k) = h = beta . w                                                   (5.13) [C02]

For a purely kinetic L a solution exists only if one of r alone does (Theorem 5.4.5). With a
potential it need not: if beta is not closed, ln k = f(r) + M(w, w)/2 still solves (5.13) if M is a
quadratic integral of the motion without potential and df = beta + M G^-1 dV. Two tests are made in
power series at a point, where (5.13) is a linear equation for the coefficients of F = ln k:

* F polynomial in w, with coefficients that are power series in r. If they exist, so does a density.
* F a power series in r and w at an equilibrium (dV = 0, w = 0). A smooth density has such a series
  at every equilibrium. Near one where no series solves (5.13), no smooth invariant measure exists.

Only F even in w is sought: the motion is reversible, so the even part of a solution is a solution.
At an equilibrium without resonances a series always exists, because the obstruction has to be a
function, odd in w, that the linear motion conserves. Two equal frequencies allow such a function,
the angular momentum, and d beta != 0 is then an obstruction.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ...dynamics import linear_constraint
from ...errors import UsageError
from ...groupoids import Pair
from ...system import Point, compiled_call
from ..distribution.connection import structure
from ..distribution.taylor_fields import algebra, expansion
from .chaplygin_reduction import Chaplygin, bracket_constants
from .reduced_measure import (
    FORCED,
    LINEAR_TERMS,
    NOT_QUADRATIC,
    beta,
    degrees,
    divergence,
    reduced_field,
    told,
)

_SOLVED, _UNSOLVED = 1e-9, 1e-6  # relative residuals; a value between the two decides nothing
_INSIDE = (
    1.0 / 16
)  # states of the check, in units of the radius: the series ends at 16^-order there
# relative residual of (5.13): 1 with a wrong sign, 6e-8 for a right series of order 6
_CHECKED = 1e-4
_AT_REST = 1e-11  # |dV| of an equilibrium, relative to the second derivatives of V


@dataclasses.dataclass(frozen=True)
class VelocityMeasure:
    """Verdict on an invariant measure k(r, w) det(G) dr dw near a shape.

    `mismatch` is the relative residual of the linear equations of the power series. `residual` is
    that of (5.13) at states near `at`, by differentiation of the motion. `obstruction` is the
    mismatch at an equilibrium; if it is large no smooth density exists.
    """

    verdict: str  # "yes", "no", "inconclusive" or "does not apply"
    reason: str
    degree: int | None = None  # degree of ln k in w
    order: int = 0  # order of the power series in r
    mismatch: float = float("nan")
    residual: float = float("nan")
    equilibrium: Point = None  # the equilibrium at which the second test was made
    obstruction: float = float("nan")
    multiplier: Callable[[Point, jax.Array], jax.Array] | None = None  # k(r, w), 1 at (at, 0)
    density: Callable[[Point, jax.Array], jax.Array] | None = None  # k det(G)
    at: Point = None
    # estimated radius of the power series; k is accurate well inside it
    radius: float = float("nan")

    def __str__(self) -> str:
        lines = [f"invariant measure k(r, w) det(G) dr dw: {told(self.verdict, self.reason)}"]
        if self.verdict == "does not apply":
            return lines[0]
        lines.append(
            f"  ln k polynomial in w, power series of order {self.order} in r: mismatch "
            f"{self.mismatch:.1e}; (5.13) at states nearby {self.residual:.1e} (relative)"
        )
        if self.equilibrium is not None:
            lines.append(f"  power series at an equilibrium: mismatch {self.obstruction:.1e}")
        return "\n".join(lines)


def velocity_measure(
    chaplygin: Chaplygin, at: Point = None, *, degree: int = 2, order: int | None = None
) -> VelocityMeasure:
    """Search for an invariant measure whose density depends on shape and velocity.

    ln k is a polynomial in w of at most this (even) degree, whose coefficients are power series in
    r of this order at `at` (default: the shape of `system.initial()`). By default the order is 6 on
    a shape space of dimension two, 5 of three, 4 beyond: the equations then outnumber the unknowns
    of degree 2. "yes": such a k exists near
    `at`; `multiplier(r, w)` and `density(r, w)` evaluate its truncated series. "no": at an
    equilibrium near `at` no power series solves (5.13), and hence there is no smooth density.
    "inconclusive": neither was found; densities that are not polynomial in w, or that exist only
    away from equilibria, were not sought.
    """
    if degree < 0 or degree % 2:
        raise UsageError(f"degree must be even and not negative, got {degree}")
    if order is None:
        order = max(4, 8 - max(chaplygin.shape, 2))
    if order < 3:
        raise UsageError(f"order must be at least 3, got {order}")
    at = chaplygin.reduced.initial()[0] if at is None else at
    at = chaplygin.base.check(at, "at")
    linear, other = (float(x) for x in compiled_call(degrees, chaplygin, at))
    for bad, why in (
        (chaplygin.system.has_force, FORCED),
        (other > 1e-9, NOT_QUADRATIC),
        (linear > 1e-9, LINEAR_TERMS),
    ):
        if bad:
            return VelocityMeasure("does not apply", why)
    motion = _motion(chaplygin, at, order)
    base = VelocityMeasure("inconclusive", "", order=order, at=at, radius=motion.scale)
    for used in range(0, degree + 1, 2):
        result = _solve(motion, _by_shape(motion, used, order))
        base = dataclasses.replace(base, degree=used, mismatch=result.mismatch)
        if result.mismatch <= _SOLVED:
            return _checked(base, chaplygin, motion, result)
    rest = _equilibrium(chaplygin, at)
    if rest is None:
        why = f"no ln k of degree {degree} in w, and no equilibrium near the shape"
        return dataclasses.replace(base, reason=why)
    there = _motion(chaplygin, rest, order, at_rest=True)
    obstruction = _solve(there, _by_total(there, order - 1)).mismatch
    base = dataclasses.replace(base, equilibrium=rest, obstruction=obstruction)
    if obstruction > _UNSOLVED:
        why = "at an equilibrium no power series solves (5.13)"
        return dataclasses.replace(base, verdict="no", reason=why)
    series = "a power series exists" if obstruction <= _SOLVED else "round-off hides the answer"
    why = f"no ln k of degree {degree} in w; at an equilibrium {series} up to degree {order - 1}"
    return dataclasses.replace(base, reason=why)


# -- the motion as polynomials --------------------------------------------------------------------


class _Motion(NamedTuple):
    """u' = D(u) w, w' = a(u) + Q(u)(w, w) and beta(u), as power series in units of `scale`.

    r = at exp(scale u), w in units of `speed`, time in units of scale/speed.
    """

    order: int
    scale: float
    speed: float
    D: np.ndarray  # [k, b, monomial]
    a: np.ndarray  # [d, monomial]
    Q: np.ndarray  # [d, b, c, monomial]
    beta: np.ndarray  # [e, monomial]


def _basic(chaplygin: Chaplygin, at: Point, order: int):
    """Return Taylor coefficients of the constraint rows, the inertia, the potential, and D."""
    base = chaplygin.base

    def data(u):
        r = base.mul(at, base.exp(u))
        q, T = chaplygin.origin(r)
        rows = linear_constraint(chaplygin.system, q) @ T
        return rows, chaplygin.inertia(r), chaplygin.potential(r), base.dexp_inv(-u)

    return expansion(data, chaplygin.shape, order)


def _motion(chaplygin: Chaplygin, at: Point, order: int, *, at_rest: bool = False) -> _Motion:
    """Return the reduced motion at a shape, in the algebra of power series."""
    s, ring = chaplygin.shape, algebra(chaplygin.shape, order)
    values = compiled_call(_basic, chaplygin, at, order)
    rows, inertia, V, D = (np.asarray(x) for x in values)
    if not all(np.all(np.isfinite(x)) for x in (rows, inertia, V, D)):
        raise UsageError("the reduction is not smooth at this shape: give another `at`")

    def times(letters: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the products summed as in einsum; the axis of monomials is not written."""
        left, result = letters.split("->")
        first, second = left.split(",")
        pair = ring.pairs(x, y)
        return ring.gathered(np.einsum(f"{first}p,{second}p->{result}p", *pair))

    def along(x: np.ndarray) -> np.ndarray:
        """Return the derivatives along the frame of shape space, the last index."""
        written = "ijk"[: x.ndim - 1]
        return times(f"{written}x,xb->{written}b", ring.derivative(x), D)

    A = ring.matmul(ring.inverse(rows[:, s:]), rows[:, :s])
    turns = np.asarray(structure(Pair(chaplygin.base), at))  # [d, b, c]
    slope = along(A)  # [a, c, b]
    bent = np.swapaxes(slope, 1, 2) - slope - np.einsum("adp,dbc->abcp", A, turns)
    inner = np.einsum("xay,xbp->aybp", np.asarray(bracket_constants(chaplygin.group)), A)
    bent = bent - times("ayb,yc->abc", inner, A)  # curvature (4.14) [C02]
    h = np.concatenate([ring.constant(np.eye(s)), -A])
    lifted = times("ab,ac->bc", h, inertia)
    G, coupling = times("ba,ac->bc", lifted, h), lifted[:, s:]
    K = times("ba,acd->bcd", coupling, bent)
    up = ring.inverse(G)
    dG = along(G)  # [e, c, b]
    # d(G w)/dt = dL + ad_w^T G w - alpha: Hamel's equations of the shape, with (4.13) [C02]
    Q = 0.5 * np.moveaxis(dG, 2, 0) - np.swapaxes(dG, 1, 2) - np.moveaxis(K, 2, 0)
    Q = Q + np.einsum("dbe,dcp->ebcp", turns, G)
    Q, a = times("de,ebc->dbc", up, Q), -times("de,e->d", up, along(V))
    if at_rest:
        a[:, 0] = 0.0
    scale = _radius(ring.degrees, (rows, inertia, D, V[None]))
    fine = ring.degrees < order  # derivatives lose one degree
    powers = np.where(fine, scale**ring.degrees, 0.0)
    forced, bends = np.max(np.abs(a * powers)), np.max(np.abs(Q * powers))
    speed = float(np.sqrt(forced / max(bends, 1.0 / scale))) if forced > 0 else 1.0
    return _Motion(
        order, scale, speed,
        D * scale**ring.degrees, a * powers * scale / speed**2, Q * powers * scale,
        times("dc,ced->e", up, K) * powers * scale,  # beta of (5.12) [C02]
    )  # fmt: skip


def _radius(degrees: np.ndarray, data: tuple[np.ndarray, ...]) -> float:
    """Return the length (at most 1) in which no Taylor term exceeds those of degrees 0 and 1."""
    least = 1.0
    for x in data:
        sizes = [np.max(np.abs(x[..., degrees == k])) for k in range(degrees[-1] + 1)]
        largest = max(sizes[:2])
        for k in range(2, len(sizes)):
            if sizes[k] > 0 and largest > 0:
                least = min(least, float((largest / sizes[k]) ** (1.0 / k)))
    return max(least, 1e-3)


# -- the linear equations -------------------------------------------------------------------------


class _Series(NamedTuple):
    """F and its equations: monomials of F, and of X(F) = h, as exponents of (u, w)."""

    unknowns: np.ndarray  # (number, 2 s)
    equations: np.ndarray


class _Solution(NamedTuple):
    mismatch: float
    exponents: np.ndarray
    coefficients: np.ndarray


def _even(s: int, total: int) -> list[tuple[int, ...]]:
    return [a for a in algebra(s, total).exponents if sum(a) % 2 == 0]


def _by_shape(motion: _Motion, degree: int, order: int) -> _Series:
    """Return F of at most this degree in w and this order in u."""
    s = motion.D.shape[0]
    inside, less = algebra(s, order).exponents, algebra(s, order - 1).exponents
    odd = [a for a in algebra(s, degree + 1).exponents if sum(a) % 2]
    unknowns = [(*a, *b) for b in _even(s, degree) for a in inside if sum(a) + sum(b)]
    return _Series(np.array(unknowns), np.array([(*a, *b) for b in odd for a in less]))


def _by_total(motion: _Motion, total: int) -> _Series:
    """Return F of at most this total degree in u and w."""
    s = motion.D.shape[0]
    every = algebra(2 * s, total).exponents[1:]
    even = [sum(a[s:]) % 2 == 0 for a in every]
    unknowns = [a for a, yes in zip(every, even) if yes]
    return _Series(np.array(unknowns), np.array([a for a, yes in zip(every, even) if not yes]))


def _field(motion: _Motion) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the components of X on (u, w), each as exponents and coefficients."""
    s = motion.D.shape[0]
    shape = np.array(algebra(s, motion.order).exponents)
    unit = np.eye(s, dtype=int)

    def joined(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
        exponents, values = (np.concatenate(x) for x in zip(*parts))
        used = values != 0.0
        return exponents[used], values[used]

    def part(speeds: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.concatenate([shape, np.broadcast_to(speeds, shape.shape)], axis=1), values

    pairs = [(b, c) for b in range(s) for c in range(s)]
    return [
        *(joined([part(unit[b], motion.D[k, b]) for b in range(s)]) for k in range(s)),
        *(
            joined(
                [part(0 * unit[0], motion.a[d])]
                + [part(unit[b] + unit[c], motion.Q[d, b, c]) for b, c in pairs]
            )
            for d in range(s)
        ),
    ]


def _solve(motion: _Motion, series: _Series) -> _Solution:
    """Solve X(F) = h for the coefficients of F, by least squares."""
    s = motion.D.shape[0]
    base = int(max(np.max(series.unknowns), np.max(series.equations))) + motion.order + 4
    code = base ** np.arange(2 * s, dtype=np.int64)
    keys = series.equations @ code
    order = np.argsort(keys)
    matrix = np.zeros((len(series.equations), len(series.unknowns)))

    def place(exponents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        wanted = exponents @ code
        at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
        return order[at], keys[order[at]] == wanted

    for i, (exponents, values) in enumerate(_field(motion)):
        lower = np.eye(2 * s, dtype=int)[i]
        for column, unknown in enumerate(series.unknowns):
            if unknown[i]:
                row, known = place(exponents + (unknown - lower))
                np.add.at(matrix[:, column], row[known], unknown[i] * values[known])
    right = np.zeros(len(keys))
    shape = np.array(algebra(s, motion.order).exponents)
    for e, unit in enumerate(np.eye(s, dtype=int)):
        exponents = np.concatenate([shape, np.broadcast_to(unit, shape.shape)], axis=1)
        row, known = place(exponents)
        np.add.at(right, row[known], motion.beta[e][known])
    size = float(np.linalg.norm(right))
    if size == 0.0:
        return _Solution(0.0, series.unknowns, np.zeros(len(series.unknowns)))
    length = np.linalg.norm(matrix, axis=0)
    length = np.where(length > 0, length, 1.0)
    solution = np.linalg.lstsq(matrix / length, right, rcond=1e-13)[0]
    mismatch = float(np.linalg.norm(matrix / length @ solution - right)) / size
    return _Solution(mismatch, series.unknowns, solution / length)


# -- density, check, equilibrium ------------------------------------------------------------------


def _checked(
    found: VelocityMeasure, chaplygin: Chaplygin, motion: _Motion, solution: _Solution
) -> VelocityMeasure:
    """Add the density, and check (5.13) at states nearby by differentiation of the motion."""
    s, base, origin = chaplygin.shape, chaplygin.base, found.at
    exponents, values = jnp.asarray(solution.exponents), jnp.asarray(solution.coefficients)

    def logarithm(z: jax.Array) -> jax.Array:
        scaled = jnp.concatenate([z[:s] / motion.scale, z[s:] / motion.speed])
        # x^0 is 1 with derivative 0, at x = 0, too
        powers = jnp.where(exponents > 0, scaled[None, :] ** jnp.maximum(exponents, 1), 1.0)
        return values @ jnp.prod(powers, axis=1)

    field = reduced_field(chaplygin, origin)

    def both(z: jax.Array) -> tuple[jax.Array, jax.Array]:
        r = base.mul(origin, base.exp(z[:s]))

        def haar(y):  # the volume det(G) dr dw in the coordinates u
            x = base.mul(origin, base.exp(y[:s]))
            return jnp.linalg.det(chaplygin.metric(x)) / jnp.linalg.det(base.dexp_inv(-y[:s]))

        rate = divergence(field, z, lambda y: jnp.exp(logarithm(y)) * haar(y))
        return rate, jnp.abs(beta(chaplygin, r)) @ jnp.abs(z[s:])

    rng = np.random.default_rng(5)
    states = rng.normal(size=(6, 2 * s))
    states[:, :s] *= _INSIDE * motion.scale / np.linalg.norm(states[:, :s], axis=1, keepdims=True)
    states[:, s:] *= motion.speed
    rates, sizes = (np.asarray(x) for x in jax.jit(jax.vmap(both))(jnp.asarray(states)))
    # divide by beta of each state, but at least by the typical one: no steep state hides the others
    own = np.maximum(sizes, np.median(sizes))
    own = np.where(own > 0, own, motion.speed / motion.scale)
    residual = float(np.max(np.abs(rates) / own))

    @jax.jit
    def weights(r: Point, w: jax.Array) -> tuple[jax.Array, jax.Array]:
        u = base.log(base.mul(base.inv(origin), r))
        k = jnp.exp(logarithm(jnp.concatenate([u, w])))
        return k, k * jnp.linalg.det(chaplygin.metric(r))

    def value(which: int) -> Callable[[Point, jax.Array], jax.Array]:
        return lambda r, w: weights(base.check(r, "r"), jnp.asarray(w, dtype=float))[which]

    found = dataclasses.replace(found, residual=residual)
    if not residual <= _CHECKED:
        why = f"the series and the motion disagree: (5.13) has the residual {residual:.1e}"
        return dataclasses.replace(found, reason=why)
    what = f"ln k of degree {found.degree} in w" if found.degree else "k depends on r alone"
    return dataclasses.replace(
        found, verdict="yes", reason=what, multiplier=value(0), density=value(1)
    )


def _slopes(chaplygin: Chaplygin, r: Point):
    """Return the gradient of the potential and its second derivatives, in exp coordinates."""
    base = chaplygin.base

    def V(u):
        return chaplygin.potential(base.mul(r, base.exp(u)))

    zero = jnp.zeros(chaplygin.shape)
    return jax.grad(V)(zero), jax.hessian(V)(zero)


def _equilibrium(chaplygin: Chaplygin, at: Point) -> Point | None:
    """Return a shape near `at` with dV = 0, by Levenberg's method, or None.

    A body that may turn about the vertical has continuous families of equilibria. With a damping
    proportional to |dV| the method converges quadratically there, too.
    """
    base, r = chaplygin.base, at
    for _ in range(60):  # if it does not converge by then, no equilibrium is near
        slope, second = (np.asarray(x) for x in compiled_call(_slopes, chaplygin, r))
        size = float(np.max(np.abs(second)))
        if not (np.all(np.isfinite(slope)) and np.isfinite(size)):
            return None
        if not np.any(slope) or float(np.max(np.abs(slope))) <= _AT_REST * size:
            return r
        damping = size * float(np.linalg.norm(slope)) * np.eye(len(slope))
        step = -np.linalg.solve(second.T @ second + damping, second.T @ slope)
        step *= min(1.0, 0.5 / max(float(np.linalg.norm(step)), 1e-300))
        r = base.mul(r, base.exp(jnp.asarray(step)))
    return None


__all__ = ["VelocityMeasure", "velocity_measure"]
