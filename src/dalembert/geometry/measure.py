"""Invariant measures of reduced Chaplygin systems, and when the reduced motion is Hamiltonian.

The flow of the shape changes the volume det(G) dr dw at the rate -h, G the reduced metric,

    h = G^ab d(alpha_b)/dw^a = beta_e(r) w^e,    beta_e = G^cd K_ced          (5.12) [C02]

and k(r) det(G) dr dw is invariant exactly if d(ln k) = beta (Theorem 5.4.5 [C02]). A closed beta
gives k near a point; around a circle in shape space its period decides. Where shape space is a
Lie group, w is left-trivialised and dr is Haar's left-invariant measure: dr dp is Liouville's.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..dynamics import acceleration, momentum
from ..errors import UsageError
from ..groupoids import Pair
from ..groups import Group, Product
from ..linalg import gauss_rule, inverse, solve_spd
from ..points import compiled_rows
from ..system import Point, compiled_call
from .connection import structure
from .distribution import ROUGH
from .reduction import Chaplygin, bracket_constants

_RULE = (16, 8)  # nodes, panels of the line integrals


def beta(chaplygin: Chaplygin, r: Point) -> jax.Array:
    """The one-form beta at the shape r: minus the rate of det(G) dr dw is beta . w."""
    return _trace(chaplygin.metric(r), chaplygin.metric_tensor(r))


def _trace(G: jax.Array, K: jax.Array) -> jax.Array:
    s = G.shape[0]
    raised = solve_spd(G, K.reshape(s, s * s)).reshape(s, s, s)  # [d, e, c] = G^dc' K_c'ec
    return jnp.einsum("ded->e", raised)  # from h of (5.12) [C02]


@dataclasses.dataclass(frozen=True)
class Measure:
    """The verdict on an invariant measure of the reduced flow, with the numbers behind it."""

    verdict: str  # "yes", "locally", "no", "inconclusive" or "does not apply"
    closedness: float  # largest |d beta| over the samples, relative to the derivatives of beta
    size: float  # largest |beta| over the samples
    periods: tuple[float | None, ...]  # of beta around each circle of shape space, by direction
    samples: int
    kinetic: bool  # whether L* is kinetic energy alone, up to a constant
    multiplier: Callable[[Point], jax.Array] | None  # k(r) = exp of the integral of beta
    density: Callable[[Point], jax.Array] | None  # k det(G), of dr dw
    reason: str = ""  # why it is inconclusive, or does not apply

    def __str__(self) -> str:
        lines = [f"invariant measure of the reduced flow: {told(self.verdict, self.reason)}"]
        lines.append(
            f"  beta: largest entry {self.size:.2e}, |d beta| {self.closedness:.1e} (relative) "
            f"at {self.samples} shapes"
        )
        for i, period in enumerate(self.periods):
            if period is not None:
                lines.append(f"  period of beta around circle {i}: {period:.6g}")
        if self.verdict == "yes":
            lines.append("  density k(r) det G(r) of dr dw, k(r) of dr dp")
        elif self.verdict == "locally":
            lines.append("  beta is closed but a period does not vanish: k has many values")
        return "\n".join(lines)


def told(verdict: str, reason: str) -> str:
    """A verdict with the reason why it is none, if there is one."""
    return f"{verdict}: {reason}" if reason else verdict


FORCED = "an external force acts, and the theorem is about motion without one"
NOT_QUADRATIC = "L is not quadratic in v"
LINEAR_TERMS = "L has terms linear in v"


def invariant_measure(
    chaplygin: Chaplygin,
    samples: Point = None,
    *,
    origin: Point = None,
    tolerance: float = 1e-9,
) -> Measure:
    """Decide whether the reduced flow keeps a measure k(r) det(G) dr dw.

    Three steps: beta closed at the `samples` (shapes, stacked; by default 32 around `origin`,
    over the whole of a circle); its periods around the circles declared in `chaplygin`; then k by
    a line integral from `origin` (by default the shape of `system.initial()`), where k = 1. The
    verdict rests on the samples: numbers, not a proof.

    A closed beta is sufficient with potentials and with terms of L linear in v, too; that it is
    necessary is known for kinetic energy alone, and "no" becomes "inconclusive" for the others.
    With an external force, or an L that is not quadratic in v, the theorem does not apply.
    """
    origin, samples = _around(chaplygin, origin, samples)
    found = _facts(chaplygin, samples, origin)
    if not (np.all(np.isfinite(found.size)) and np.all(np.isfinite(found.defect))):
        bad = int(np.flatnonzero(~(np.isfinite(found.size) & np.isfinite(found.defect)))[0])
        shape = jax.tree.map(lambda x: np.asarray(x[bad]).tolist(), samples)
        raise UsageError(
            f"the reduction is singular at the shape {shape}: the constraint does not determine "
            "the velocity of the group there; give `samples` and `origin` away from such shapes"
        )
    rough = float(np.max(found.natural_beta))  # what the terms of beta sum to without their signs
    floor = ROUGH * rough * max(rough, 1.0)  # a beta that is round-off is closed
    closedness = float(np.max(found.defect)) / max(float(np.max(found.slope)), floor, 1e-300)
    values = iter(np.asarray(found.periods).tolist())
    periods = tuple(None if period is None else next(values) for period in chaplygin.circles)
    largest, spread = float(np.max(found.size)), np.asarray(found.potential)

    @jax.jit
    def weights(r: Point) -> tuple[jax.Array, jax.Array]:
        u = _difference(chaplygin.base, origin, r)
        k = jnp.exp(_line(chaplygin, origin, u))  # (5.13) [C02] with d(ln k) = beta
        return k, k * jnp.linalg.det(chaplygin.metric(r))

    def multiplier(r: Point) -> jax.Array:
        return weights(chaplygin.base.check(r, "r"))[0]

    def density(r: Point) -> jax.Array:
        return weights(chaplygin.base.check(r, "r"))[1]

    # a potential is told from round-off by its own size, or by that of the kinetic energy
    change, sizes = float(np.max(spread) - np.min(spread)), float(np.max(found.inertia))
    kinetic = change <= max(tolerance * float(np.max(np.abs(spread))), 1e-14 * sizes)
    linear = float(np.max(found.linear)) > tolerance
    reason = ""
    if chaplygin.system.has_force or float(np.max(found.quadratic)) > tolerance:
        verdict = "does not apply"
        reason = FORCED if chaplygin.system.has_force else NOT_QUADRATIC
    elif not closedness < tolerance and (linear or not kinetic):
        verdict = "inconclusive"
        what = "a potential" if not kinetic else "terms of L linear in v"
        reason = f"with {what} this excludes only densities of the shape alone"
    elif not closedness < tolerance:
        verdict = "no"
    elif any(
        p is not None and abs(p) > tolerance * rough * period
        for p, period in zip(periods, chaplygin.circles)
        if period is not None
    ):
        verdict = "locally"
    else:
        verdict = "yes"
    known = (multiplier, density) if verdict in ("yes", "locally") else (None, None)
    count = int(np.size(found.size))
    return Measure(verdict, closedness, largest, periods, count, kinetic, *known, reason)


def _around(chaplygin: Chaplygin, origin: Point, samples: Point) -> tuple[Point, Point]:
    """Origin and samples, checked, or the default ones."""
    base, s = chaplygin.base, chaplygin.shape
    if origin is None:
        origin = chaplygin.reduced.initial()[0]
    origin = base.check(origin, "origin")
    if samples is None:
        rng = np.random.default_rng(11)
        shifts = rng.normal(size=(32, s))
        for i, period in enumerate(chaplygin.circles):
            if period is not None:
                shifts[:, i] = period * rng.uniform(size=32)
        return origin, shapes_around(base, origin, jnp.asarray(shifts))
    if not isinstance(base, Product):
        samples = jnp.asarray(samples, dtype=float)
        if samples.ndim < 1:
            raise UsageError("samples must be shapes, stacked along the first axis")
    return origin, jax.vmap(lambda x: base.check(x, "each of samples"))(samples)


@functools.partial(jax.jit, static_argnums=0)
def shapes_around(base: Group, origin: Point, shifts: jax.Array) -> Point:
    """The shapes origin exp(u), stacked."""
    return jax.vmap(lambda u: base.mul(origin, base.exp(u)))(shifts)


class _Facts(NamedTuple):
    """Numbers at each sample, and the periods."""

    size: jax.Array  # of beta
    defect: jax.Array  # of d beta
    slope: jax.Array  # of the derivatives of beta
    natural_beta: jax.Array  # of the terms of beta, without their signs
    natural: jax.Array  # the same of K
    gyroscopic: jax.Array  # of the part of K that alpha sees
    conformal: jax.Array  # of the defect of (5.10)
    potential: jax.Array
    inertia: jax.Array  # of the metric
    linear: jax.Array  # of the terms of L linear in v, relative
    quadratic: jax.Array  # of the terms of higher degree
    periods: jax.Array  # of beta, around those directions that are circles


def _facts(chaplygin: Chaplygin, samples: Point, origin: Point) -> _Facts:
    """All that the verdicts need."""
    loops = [
        period * np.eye(chaplygin.shape)[i]
        for i, period in enumerate(chaplygin.circles)
        if period is not None
    ]
    periods = jnp.zeros(0)
    if loops:
        periods = compiled_call(_lines, chaplygin, origin, jnp.asarray(loops))
    return _Facts._make((*compiled_rows(_facts_at, chaplygin, (samples,)), periods))


def _lines(chaplygin: Chaplygin, origin: Point, loops: jax.Array) -> jax.Array:
    return jax.vmap(lambda u: _line(chaplygin, origin, u))(loops)


def _facts_at(chaplygin: Chaplygin, r: Point) -> tuple[jax.Array, ...]:
    def largest(x):
        return jnp.max(jnp.abs(x), initial=0.0)

    base = chaplygin.base

    def moved(w):
        x = base.mul(r, base.cay(w))
        G, K = chaplygin.metric(x), chaplygin.metric_tensor(x)
        b = _trace(G, K)
        return b, (b, G, K)  # what is computed on the way is not traced again

    slope, (b, G, K) = jax.jacfwd(moved, has_aux=True)(jnp.zeros(chaplygin.shape))
    # slope[e, c] = E_c beta_e
    curl = slope.T - slope - jnp.einsum("d,dbc->bc", b, structure(Pair(base), r))
    natural = natural_size(chaplygin, r)
    # alpha_d = K_bcd w^b w^c sees the part symmetric in b and c only
    symmetric = K + jnp.swapaxes(K, 0, 1)
    ideal = jnp.einsum("a,eb->eab", b / max(chaplygin.shape - 1, 1), G)
    ideal = ideal - jnp.swapaxes(ideal, 1, 2)  # what (5.10) [C02] asks of K
    of_beta = (*map(largest, (b, curl, slope)), largest(inverse(G)) * natural)
    of_K = natural, largest(symmetric), largest(K - ideal)
    return *of_beta, *of_K, chaplygin.potential(r), largest(G), *degrees(chaplygin, r)


def degrees(chaplygin: Chaplygin, r: Point) -> tuple[jax.Array, jax.Array]:
    """Sizes of what L has beside terms of degree 0 and 2 in v, relative: degree 1, and others."""
    q, T = chaplygin.origin(r)
    v = T @ jnp.cos(1.0 + jnp.arange(chaplygin.system.dim))  # no direction in particular

    def even(s):
        sides = [chaplygin.system.lagrangian(q, s * v), chaplygin.system.lagrangian(q, -s * v)]
        return sides[0] + sides[1] - 2.0 * chaplygin.system.lagrangian(q, 0.0 * v)

    moving = momentum(chaplygin.system, q, v)
    rest = momentum(chaplygin.system, q, 0.0 * v)
    size = jnp.max(jnp.abs(moving)) + jnp.max(jnp.abs(rest)) + 1e-300
    energy = jnp.abs(even(1.0)) + jnp.abs(even(2.0))
    energy = energy + ROUGH * jnp.abs(chaplygin.system.lagrangian(q, 0.0 * v)) + 1e-300
    return jnp.max(jnp.abs(rest)) / size, jnp.abs(even(2.0) - 4.0 * even(1.0)) / energy


def natural_size(chaplygin: Chaplygin, r: Point) -> jax.Array:
    """Size of the terms whose sum is K, to tell a small K from round-off."""
    A = jnp.abs(chaplygin.connection(r))
    dA = jnp.abs(chaplygin.slopes(chaplygin.connection, r))
    inertia = jnp.abs(chaplygin.inertia(r))[:, chaplygin.shape :]
    coupling = jnp.abs(chaplygin.horizontal(r)).T @ inertia
    bracket = jnp.einsum("xay,xb,yc->abc", jnp.abs(bracket_constants(chaplygin.group)), A, A)
    turned = jnp.einsum("ad,dbc->abc", A, jnp.abs(structure(Pair(chaplygin.base), r)))
    curvature = dA + jnp.swapaxes(dA, 1, 2) + bracket + turned
    return jnp.max(jnp.einsum("ba,acd->bcd", coupling, curvature), initial=0.0)


def _difference(base: Group, start: Point, end: Point) -> jax.Array:
    """u with end = start exp(u)."""
    return base.log(base.mul(base.inv(start), end))


def _line(chaplygin: Chaplygin, start: Point, u: jax.Array) -> jax.Array:
    """Integral of beta along start exp(s u), 0 <= s <= 1, by a composite Gauss rule."""
    s, weights = map(jnp.asarray, gauss_rule(*_RULE))
    base = chaplygin.base

    def rate(x):
        return beta(chaplygin, base.mul(start, base.exp(x * u))) @ u

    return weights @ jax.vmap(rate)(s)


# -- Hamiltonian after all --------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Hamiltonization:
    """Whether the reduced motion is Hamiltonian: as it is, in a new time, or not by these means."""

    verdict: str  # "hamiltonian", "conformal", "locally conformal", "not found", "does not apply"
    gyroscopic: float  # largest symmetrized entry of K: zero exactly if alpha vanishes
    defect: float  # how far K is from (beta_a G_eb - beta_b G_ea)/(s - 1), relative
    measure: Measure
    multiplier: Callable[[Point], jax.Array] | None  # N(r), new time d(tau) = N dt
    reason: str = ""  # why it does not apply

    def __str__(self) -> str:
        means = {
            "hamiltonian": "the gyroscopic form vanishes: L* alone gives the motion",
            "conformal": "with N(r) and d(tau) = N dt it is that of L*(r, N dr/d(tau))",
            "locally conformal": "a multiplier N exists near each shape, with many values",
            "not found": "no multiplier N(r) as in (5.10)",
            "does not apply": "(5.10) is about L quadratic in v and no external force",
        }
        verdict = told(self.verdict, self.reason)
        return (
            f"Hamiltonian reduced motion: {verdict}\n  {means[self.verdict]}\n"
            f"  gyroscopic form {self.gyroscopic:.1e}, defect of (5.10) {self.defect:.1e}\n"
            f"  measure: {self.measure.verdict}"
        )


def hamiltonization(
    chaplygin: Chaplygin, samples: Point = None, *, origin: Point = None, tolerance: float = 1e-9
) -> Hamiltonization:
    """Look for a multiplier N(r) that makes the reduced motion Hamiltonian, (5.10) [C02].

    dF ^ theta = Xi, N = exp F, asks K_eab = F_a G_eb - F_b G_ea with dF = beta/(s - 1): then
    k = N^(s-1) is the multiplier of the invariant measure. In two dimensions of shape the first
    equation always holds (Chaplygin's theorem) and only the measure matters. With an external
    force, and with terms of L that are not of degree 0 or 2 in v, it does not apply.
    """
    found = invariant_measure(chaplygin, samples, origin=origin, tolerance=tolerance)
    origin, points = _around(chaplygin, origin, samples)
    facts = _facts(chaplygin, points, origin)
    sizes = (facts.gyroscopic, facts.conformal, facts.natural)
    gyroscopic, defect, size = (float(np.max(x)) for x in sizes)
    s = chaplygin.shape
    k, multiplier, reason = found.multiplier, None, ""
    if found.verdict == "does not apply":
        verdict, reason = found.verdict, found.reason
    elif float(np.max(facts.linear)) > tolerance:
        verdict, reason = "does not apply", LINEAR_TERMS
    elif gyroscopic <= tolerance * size or s == 1:
        verdict, multiplier = "hamiltonian", (lambda r: jnp.ones(()))
    elif k is None or defect > tolerance * size:
        verdict = "not found"
    else:
        verdict = "conformal" if found.verdict == "yes" else "locally conformal"
        multiplier = lambda r: k(r) ** (1.0 / (s - 1))  # noqa: E731
    relative = defect / (size + 1e-300)
    return Hamiltonization(verdict, gyroscopic, relative, found, multiplier, reason)


# -- any flow -------------------------------------------------------------------------------------


def divergence(
    field: Callable[[jax.Array], jax.Array],
    z: jax.Array,
    density: Callable[[jax.Array], jax.Array] | None = None,
) -> jax.Array:
    """div(density field) / density at z: zero where the density is that of an invariant measure."""
    slope, X = jax.jacfwd(field)(z), field(z)
    if density is None:
        return jnp.trace(slope)
    rho, along = jax.jvp(density, (z,), (X,))
    return jnp.trace(slope) + along / rho


def reduced_field(chaplygin: Chaplygin, center: Point = None) -> Callable[[jax.Array], jax.Array]:
    """The vector field of the reduced motion on z = (u, w), r = center exp(u), for `divergence`.

    On R^s the center is 0 by default, so that u is r. On a group Haar's measure has the density
    |det dexp(-u)| of du: one at u = 0, with a slope that vanishes if the group is unimodular.
    """
    s, system, base = chaplygin.shape, chaplygin.reduced, chaplygin.base
    center = base.identity() if center is None else base.check(center, "center")

    def field(z: jax.Array) -> jax.Array:
        u, w = z[:s], z[s:]
        r = base.mul(center, base.exp(u))
        return jnp.concatenate([base.dexp_inv(-u) @ w, acceleration(system, r, w)])

    return field
