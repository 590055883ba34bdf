"""The last integral of motion, by a quadrature from an invariant measure.

A motion z' = X(z) in n dimensions that conserves a measure rho dz and n - 2 integrals F conserves
an area on each common level of F, which is a surface. On it, i_X of the area form is closed
(Theorem 5.4.1 [C02]),

    d phi(u) = rho det(X, u, N_1, ..., N_{n-2}),    dF_i(N_j) = delta_ij,    u along the level

and phi is one more integral: Euler's integrating factor. It is determined up to a function of F,
which is chosen so that phi = 0 where two of the coordinates equal those of a reference point. For
the reduced free particle it is x' sqrt(1 + y^2) (Remark 5.4.6 [C02]).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from ...compile.tracing import tracing_once
from ...compile.xla import quick_options
from ...dynamics import acceleration, energy
from ...errors import UsageError
from ...groups import Euclidean
from ...linalg import gauss_rule
from ...system import Point, compiled_call
from ..distribution.growth_flag import ROUGH
from .chaplygin_reduction import Chaplygin, reduced_state
from .reduced_measure import beta, invariant_measure, told

Scalar = Callable[[jax.Array], jax.Array]  # a function of z
_TOLERANCE = 1e-9
_RULE = (8, 6)  # Gauss nodes per panel, number of panels
_ITERATIONS = 6  # Newton iterations between neighboring quadrature nodes


@dataclasses.dataclass(frozen=True)
class LastIntegral:
    """Result of `last_integral`: phi, or the reason why there is none.

    `integral` is a function of z, or of (q, v) for `measure_integral`. Relative values on sampled
    points: `divergence` of the measure, `rates` of change of the given integrals, `rate` of change
    of phi. `independence` is the smallest singular value of dF and d phi.
    """

    verdict: str  # "yes", "locally", "no", "inconclusive" or "does not apply"
    reason: str = ""
    divergence: float = float("nan")
    rates: tuple[float, ...] = ()
    rate: float = float("nan")
    independence: float = float("nan")
    integral: Callable[..., jax.Array] | None = None

    def __str__(self) -> str:
        return (
            f"integral from an invariant measure: {told(self.verdict, self.reason)}\n"
            f"  div(rho X) {self.divergence:.1e}, rate of phi {self.rate:.1e}, "
            f"independent of the others: {self.independence:.1e}"
        )


def last_integral(
    field: Callable[[jax.Array], jax.Array],
    density: Scalar,
    integrals: Sequence[Scalar],
    at: jax.Array,
    *,
    spread: float = 0.1,
    samples: int = 8,
) -> LastIntegral:
    """Compute the last integral of z' = field(z) from its invariant measure, density dz, near `at`.

    Needs n - 2 integrals, functions of z in R^n that are independent near `at`, and a field that
    not vanish there. Each hypothesis is tested on `samples` points within about `spread` of `at`.
    """
    at = jnp.asarray(at, dtype=float)
    n = at.size
    if len(integrals) != n - 2:
        raise UsageError(f"in {n} dimensions {n - 2} integrals are needed; got {len(integrals)}")

    def F(z: jax.Array) -> jax.Array:
        return jnp.stack([jnp.asarray(f(z)) for f in integrals]) if integrals else jnp.zeros(0)

    slope = np.asarray(jax.jit(jax.jacfwd(F))(at)).reshape(n - 2, n)
    length = np.linalg.norm(slope, axis=1, keepdims=True)
    slope = slope / np.where(length > 0, length, 1.0)

    def volume(pair: tuple[int, int]) -> float:
        return abs(float(np.linalg.det(np.delete(slope, pair, axis=1))))

    pair = max(itertools.combinations(range(n), 2), key=volume)  # coordinates on the levels of F
    if volume(pair) < 1e-6:
        return LastIntegral("does not apply", "the integrals are not independent at this point")
    phi = _quadrature(field, density, F, at, pair)
    shifts = spread * np.random.default_rng(23).normal(size=(samples, n))

    @jax.vmap
    def look(z):
        (X, dF, rho, value), (dX, d2F, d_rho, along) = _with_slopes(
            lambda y: (field(y), jax.jacfwd(F)(y), density(y), phi(y)), z
        )
        long = jnp.linalg.norm(dF, axis=1)
        unit = dF / jnp.where(long > 0, long, 1.0)[:, None]
        speed, steep = jnp.linalg.norm(X), jnp.linalg.norm(along)
        rows = jnp.concatenate([unit, (along / jnp.where(steep > 0, steep, 1.0))[None]])
        slopes = jnp.linalg.norm(dX) + jnp.linalg.norm(d_rho) * speed / jnp.abs(rho)
        return (
            jnp.abs(jnp.trace(dX) + d_rho @ X / rho) / (slopes + 1e-300),
            jnp.abs(unit @ X) / (speed + 1e-300),
            jnp.abs(along @ X) / (steep * speed + 1e-300),
            jnp.linalg.svd(rows, compute_uv=False)[-1],
            jnp.isfinite(value) & (steep > 0) & (speed > 0) & (rho > 0),
        )

    look = jax.jit(tracing_once()(look), compiler_options=quick_options())
    div, rates, rate, apart, good = (np.asarray(x) for x in look(at[None] + jnp.asarray(shifts)))
    numbers = {
        "divergence": float(np.max(div)),
        "rates": tuple(float(x) for x in np.max(rates, axis=0)),
        "rate": float(np.max(rate)),
        "independence": float(np.min(apart)),
    }

    def said(verdict: str, why: str) -> LastIntegral:
        return LastIntegral(verdict, why, **numbers)

    if not all(np.all(np.isfinite(x)) for x in (div, rates, rate, apart)) or not np.all(good):
        return said("inconclusive", "the levels do not reach the point of reference, or X = 0")
    if numbers["divergence"] > _TOLERANCE:
        return said("does not apply", "the measure is not invariant")
    if max(numbers["rates"], default=0.0) > _TOLERANCE:
        return said("does not apply", "one of the integrals is not kept")
    if numbers["rate"] > 1e-7 or numbers["independence"] < 1e-6:
        return said("inconclusive", "the quadrature is not accurate here: take a smaller spread")
    return LastIntegral("yes", **numbers, integral=phi)


def _with_slopes(f, z: jax.Array):
    """Return f and its derivatives from a single trace."""
    slopes, values = jax.jacfwd(lambda y: (f(y),) * 2, has_aux=True)(z)
    return values, slopes


def _quadrature(field, density, F, at: jax.Array, pair: tuple[int, int]) -> Scalar:
    """Return phi(z), integrated along a path in the level of F through z, straight in `pair`."""
    n = at.size
    nodes, weights = map(jnp.asarray, gauss_rule(*_RULE))
    i, j = pair
    others = jnp.asarray([a for a in range(n) if a not in pair], dtype=int)

    def phi(z: jax.Array) -> jax.Array:
        level = F(z)
        ends = jnp.stack([z[i], z[j]]), jnp.stack([at[i], at[j]])
        d = ends[0] - ends[1]

        def place(y, x):
            return jnp.zeros(n).at[others].set(y).at[jnp.asarray(pair)].set(x)

        def one(y, node):  # the path leads from z back to the reference point
            x = ends[1] + node * d

            def newton(_, o):
                miss, slope = _with_slopes(lambda o: F(place(o, x)), o)
                return o - jnp.linalg.solve(slope, miss - level)

            area = jnp.ones(())
            if n > 2:
                y = jax.lax.fori_loop(0, _ITERATIONS, newton, y)
                area = 1.0 / jnp.linalg.det(jax.jacfwd(lambda o: F(place(o, x)))(y))
            here = place(y, x)
            X = field(here)
            return y, density(here) * area * (X[i] * d[1] - X[j] * d[0])

        _, values = jax.lax.scan(one, z[others], nodes[::-1])
        return weights[::-1] @ values

    return phi


# -- for Chaplygin systems ------------------------------------------------------------------------


def measure_integral(
    chaplygin: Chaplygin,
    integrals: Sequence[Callable[[Point, jax.Array], jax.Array]] = (),
    *,
    at: tuple[Point, jax.Array] | None = None,
) -> LastIntegral:
    """Compute an integral of a Chaplygin system from invariant measure and energy, near a state.

    Shape coordinates on which neither measure nor motion depends are detected and removed. If n
    components (r, w) remain, n - 2 integrals are needed: the energy, and the functions `integrals`
    of (q, v). `at` is a state (q, v), by default the initial one. The result is a function of
    (q, v).
    """
    if not isinstance(chaplygin.base, Euclidean):
        return LastIntegral("does not apply", "shape space is not R^s")
    q, v = chaplygin.system.initial() if at is None else at
    r, w = reduced_state(chaplygin, q, jnp.asarray(v, dtype=float))
    measure = invariant_measure(chaplygin, origin=r)
    if measure.density is None:
        return LastIntegral("does not apply", f"invariant measure: {measure.verdict}")
    density, s = measure.density, chaplygin.shape
    field, known = _motion(chaplygin, tuple(integrals))
    z0 = jnp.concatenate([r, w])
    points = z0[None] + 0.3 * np.random.default_rng(29).normal(size=(6, z0.size))
    slopes = np.asarray(compiled_call(_dependence, chaplygin, tuple(integrals), points))
    still = [i for i in range(s) if np.max(slopes[:, i]) <= _TOLERANCE]
    kept = jnp.asarray([i for i in range(2 * s) if i not in still], dtype=int)
    n = int(kept.size)
    if n - 2 < len(known):
        why = f"in {n} dimensions {len(known)} integrals are known, and no other can be independent"
        return LastIntegral("does not apply", why)
    if n - 2 > len(known):
        why = f"{n} dimensions need {n - 2} integrals; {len(known)} known: give `integrals`"
        return LastIntegral("inconclusive", why)

    def whole(y):
        return z0.at[kept].set(y)

    result = last_integral(
        lambda y: field(whole(y))[kept],
        lambda y: density(whole(y)[:s]),
        [lambda y, f=f: f(whole(y)) for f in known],
        z0[kept],
    )
    if result.integral is None:
        return result
    phi = result.integral

    def integral(q: Point, v: jax.Array) -> jax.Array:
        return phi(jnp.concatenate(reduced_state(chaplygin, q, v))[kept])

    verdict = "yes" if measure.verdict == "yes" else "locally"
    return dataclasses.replace(result, verdict=verdict, integral=integral)


def _motion(chaplygin: Chaplygin, integrals) -> tuple[Callable[..., jax.Array], list[Scalar]]:
    """Return the vector field of the motion on z = (r, w), and the known integrals."""
    reduced, s = chaplygin.reduced, chaplygin.shape

    def field(z):
        return jnp.concatenate([z[s:], acceleration(reduced, z[:s], z[s:])])

    def of_state(f):
        return lambda z: f(*chaplygin.lift(z[:s], chaplygin.group.identity(), z[s:]))

    return field, [lambda z: energy(reduced, z[:s], z[s:]), *map(of_state, integrals)]


def _dependence(chaplygin, integrals, points):
    """Return how much measure and motion depend on each coordinate, relative to the largest."""
    field, known = _motion(chaplygin, integrals)

    def parts(z):
        r = z[: chaplygin.shape]
        result = field(z), beta(chaplygin, r), chaplygin.metric(r), *(f(z) for f in known)
        return jnp.concatenate([jnp.ravel(x) for x in result])

    def at(z):
        value, slope = _with_slopes(parts, z)
        size = jnp.max(jnp.abs(slope), axis=1, keepdims=True)
        size = jnp.maximum(size, ROUGH * jnp.abs(value)[:, None])
        return jnp.max(jnp.abs(slope) / jnp.where(size > 0, size, 1.0), axis=0)

    return jax.vmap(at)(points)


__all__ = ["LastIntegral", "last_integral", "measure_integral"]
