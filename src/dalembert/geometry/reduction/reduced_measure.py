"""Invariant measures of reduced Chaplygin systems, and when the reduced motion is Hamiltonian.

The flow of the shape changes the volume det(G) dr dw at the rate -h, G the reduced metric,

    h = G^ab d(alpha_b)/dw^a = beta_e(r) w^e,    beta_e = G^cd K_ced          (5.12) [C02]

and k(r) det(G) dr dw is invariant exactly if d(ln k) = beta (Theorem 5.4.5 [C02]). A closed beta
gives k near a point; around a circle in shape space its period decides. Where shape space is a
Lie group, w is left-trivialised and dr is Haar's left-invariant measure: dr dp is Liouville's.

Each sample is judged by its own scale: d beta is compared with the terms that cancel in it at that
shape, and with their round-off. The round-off of a sum is taken to be at most `ROUND_OFF` times the
sum of absolute values (`_unsigned`). Measured where beta is closed: at most 1.2 units in the last
place of that sum, on the example systems and on rolling bodies in nearly singular angles.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ...compile.function import compiled_rows
from ...dynamics import acceleration, linear_constraint, momentum
from ...errors import UsageError
from ...groupoids import Pair
from ...groups import Group, Product
from ...linalg import gauss_rule, inverse, solve_spd
from ...system import Point
from ..distribution.connection import structure
from ..distribution.growth_flag import ROUGH, ROUND_OFF
from .chaplygin_reduction import Chaplygin, bracket_constants
from .steady_motion import TRACELESS, SteadyMotion, steady_shapes

_RULE = (16, 8)  # Gauss nodes per panel and panels of the line integrals
_FIRM = 1e2  # values above round-off by less than this factor are undecided


def beta(chaplygin: Chaplygin, r: Point) -> jax.Array:
    """Return the one-form beta at r: the volume det(G) dr dw changes at the rate -beta . w."""
    return _trace(chaplygin.metric(r), chaplygin.metric_tensor(r))


def _trace(G: jax.Array, K: jax.Array) -> jax.Array:
    s = G.shape[0]
    raised = solve_spd(G, K.reshape(s, s * s)).reshape(s, s, s)  # [d, e, c] = G^dc' K_c'ec
    return jnp.einsum("ded->e", raised)  # from h of (5.12) [C02]


@dataclasses.dataclass(frozen=True)
class Measure:
    """Verdict on an invariant measure of the reduced flow, with the deciding numbers."""

    verdict: str  # "yes", "locally", "no", "inconclusive" or "does not apply"
    closedness: float  # |d beta| at the worst sample, relative to its terms before cancellation
    size: float  # largest |beta| over the samples
    periods: tuple[float | None, ...]  # periods of beta around the circles, one per shape direction
    samples: int
    kinetic: bool  # whether L* is purely kinetic, up to a constant
    multiplier: Callable[[Point], jax.Array] | None  # k(r) = exp of the integral of beta
    density: Callable[[Point], jax.Array] | None  # k det(G), with respect to dr dw
    reason: str = ""  # why it is inconclusive, or does not apply
    undecided: int = 0  # samples whose round-off is too large to judge d beta
    steady: SteadyMotion | None = None  # the steady motion with the largest trace, if any was found

    def __str__(self) -> str:
        lines = [f"invariant measure of the reduced flow: {told(self.verdict, self.reason)}"]
        lines.append(
            f"  beta: largest entry {self.size:.2e}, |d beta| {self.closedness:.1e} (relative) "
            f"at the worst of {self.samples} shapes"
        )
        for i, period in enumerate(self.periods):
            if period is not None:
                lines.append(f"  period of beta around circle {i}: {period:.6g}")
        if self.steady is not None:
            lines.append(f"  trace at a steady motion: {self.steady.text()}")
        if self.verdict == "yes":
            lines.append("  density k(r) det G(r) of dr dw, k(r) of dr dp")
        elif self.verdict == "locally":
            lines.append("  beta is closed but a period does not vanish: k has many values")
        return "\n".join(lines)


def told(verdict: str, reason: str) -> str:
    """Return the text of a verdict, with the reason appended if one is given."""
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
    """Decide whether the reduced flow conserves a measure k(r) det(G) dr dw.

    The test has three steps. First, beta must be closed at each of the `samples` (stacked shapes;
    by default 32 around `origin`, distributed over whole circles). Then its periods around the
    circles declared in `chaplygin` are computed. Finally k follows by a line integral from
    `origin` (by default the shape of `system.initial()`), where k = 1. The verdict is numerical
    evidence from the samples, not a proof. The worst sample decides. If round-off hides d beta at
    a sample and no other sample gives "no", the verdict is "inconclusive".

    A closed beta is sufficient also with potentials and with terms of L linear in v. It is known
    to be necessary only for a purely kinetic L; otherwise "no" becomes "inconclusive".
    With an external force, or an L that is not quadratic in v, the theorem does not apply.

    A second test is independent of beta: the trace of the linearized flow at steady motions that
    stay bounded (`steady_shapes`). A nonzero trace excludes every smooth positive density,
    also one that depends on the velocity, and the verdict is "no". If beta is nevertheless closed
    at all samples, the verdict is "inconclusive" and reports both numbers.
    """
    origin, samples = _around(chaplygin, origin, samples)
    result = _facts(chaplygin, samples, origin)
    finite = np.isfinite(result.size) & np.all(np.isfinite(result.curl), axis=(1, 2))
    if not np.all(finite):
        bad = int(np.flatnonzero(~finite)[0])
        shape = jax.tree.map(lambda x: np.asarray(x[bad]).tolist(), samples)
        raise UsageError(
            f"the reduction is singular at the shape {shape}: the constraint does not determine "
            "the velocity of the group there; give `samples` and `origin` away from such shapes"
        )
    closed = _closed(result, tolerance)
    values = iter(np.asarray(result.periods).tolist())
    periods = tuple(None if period is None else next(values) for period in chaplygin.circles)

    @jax.jit
    def weights(r: Point) -> tuple[jax.Array, jax.Array]:
        u = _difference(chaplygin.base, origin, r)
        k = jnp.exp(_line(chaplygin, origin, u))  # (5.13) [C02] with d(ln k) = beta
        return k, k * jnp.linalg.det(chaplygin.metric(r))

    def multiplier(r: Point) -> jax.Array:
        return weights(chaplygin.base.check(r, "r"))[0]

    def density(r: Point) -> jax.Array:
        return weights(chaplygin.base.check(r, "r"))[1]

    kinetic = _is_constant(result, tolerance)
    linear = float(np.max(result.linear)) > tolerance
    steady, reason = None, ""
    if chaplygin.system.has_force or float(np.max(result.quadratic)) > tolerance:
        verdict = "does not apply"
        reason = FORCED if chaplygin.system.has_force else NOT_QUADRATIC
    else:
        verdict, reason = _by_beta(closed, result, tolerance, kinetic, linear)
        steady = _steepest(steady_shapes(chaplygin, origin))
        verdict, reason = _with_trace(verdict, reason, closed.worst, steady)
    known = (multiplier, density) if verdict in ("yes", "locally") else (None, None)
    count, largest = int(np.size(result.size)), float(np.max(result.size))
    return Measure(
        verdict, closed.worst, largest, periods, count, kinetic, *known, reason, closed.undecided,
        steady,
    )  # fmt: skip


class _Closed(NamedTuple):
    """Summary of d beta over the samples."""

    worst: float  # largest |d beta| relative to its terms; below the tolerance if closed
    open: bool  # d beta exceeds round-off and tolerance at one sample or more
    undecided: int  # samples that decide neither


def _closed(found: _Facts, tolerance: float) -> _Closed:
    """Judge each entry of d beta at each sample by the terms that cancel in it there."""
    curl, terms, noise, plain = (
        np.asarray(x) for x in (np.abs(found.curl), found.terms, found.noise, found.plain)
    )
    if curl.shape[1] < 2:  # every one-form on a line is closed
        return _Closed(0.0, False, 0)
    noise = np.nan_to_num(noise, nan=np.inf)  # where the sizes overflow, the round-off is unknown
    share = curl / np.maximum(np.maximum(terms, noise / tolerance), 1e-300)
    is_open = (curl > tolerance * terms) & (curl > _FIRM * noise)
    # Below round-off, d beta must also be small compared with the terms at other samples:
    # at a steep or badly conditioned sample the round-off may be as large as any d beta.
    small = curl <= tolerance * np.median(plain, axis=0)
    is_closed = (curl <= tolerance * terms) | ((curl <= noise) & small)
    unclear = np.any(~(is_open | is_closed), axis=(1, 2))
    return _Closed(float(np.max(share)), bool(np.any(is_open)), int(np.sum(unclear)))


def _by_beta(
    closed: _Closed, found: _Facts, tolerance: float, kinetic: bool, linear: bool
) -> tuple[str, str]:
    """Return the verdict of Theorem 5.4.5 [C02], and the reason if it is undecided."""
    if closed.open and (linear or not kinetic):
        what = "a potential" if not kinetic else "terms of L linear in v"
        return "inconclusive", f"with {what} this excludes only densities of the shape alone"
    if closed.open:
        return "no", ""
    if closed.undecided:
        many = f"{closed.undecided} of {np.size(found.size)} samples"
        return "inconclusive", f"round-off hides d beta at {many}; give others"
    if np.any(np.abs(found.periods) > tolerance * np.asarray(found.lengths)):
        return "locally", ""
    return "yes", ""


def _steepest(motions: tuple[SteadyMotion, ...]) -> SteadyMotion | None:
    return max(motions, key=lambda x: abs(x.share), default=None)


def _with_trace(
    verdict: str, reason: str, closedness: float, steady: SteadyMotion | None
) -> tuple[str, str]:
    """Combine the verdict of beta with the trace test, whose zero trace proves nothing."""
    if steady is None or abs(steady.share) <= TRACELESS or verdict == "locally":
        return verdict, reason
    if verdict == "yes":
        why = f"the two tests disagree: |d beta| {closedness:.1e} (relative), but at a steady "
        return "inconclusive", why + f"motion the trace is {steady.text()}"
    return "no", ""


def _is_constant(found: _Facts, tolerance: float) -> bool:
    """Return whether the potential is constant on the samples: each is compared with the first.

    Differences are compared with the values, with the inertia at the two samples, and with the
    change of the potential over a few units in the last place of r, which reveals cancellation.
    """
    V, inertia, noise = (np.asarray(x) for x in (found.potential, found.inertia, found.jitter))
    change = np.abs(V - V[0])
    own = tolerance * np.maximum(np.abs(V), np.abs(V[0]))
    moving = ROUND_OFF * np.minimum(inertia, inertia[0])
    # the median, because the round-off at one steep sample says nothing about the others
    return bool(np.all(change <= own + moving + 1e2 * np.median(noise)))


def _around(chaplygin: Chaplygin, origin: Point, samples: Point) -> tuple[Point, Point]:
    """Return origin and samples, checked if given, else the default ones."""
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
            raise UsageError("samples must be an array of shapes, one per row")
    return origin, jax.vmap(lambda x: base.check(x, "each of samples"))(samples)


@functools.partial(jax.jit, static_argnums=0)
def shapes_around(base: Group, origin: Point, shifts: jax.Array) -> Point:
    """Return the shapes origin exp(u), stacked."""
    return jax.vmap(lambda u: base.mul(origin, base.exp(u)))(shifts)


class _Facts(NamedTuple):
    """Values at each sample, and the periods of beta."""

    size: jax.Array  # largest |beta|
    curl: jax.Array  # d beta, (s, s)
    terms: jax.Array  # sum of absolute values of the terms of each entry of d beta
    noise: jax.Array  # threshold below which an entry of d beta is round-off
    plain: jax.Array  # sum of absolute values of the factors of these terms
    natural: jax.Array  # largest entry of the same sum for K
    gyroscopic: jax.Array  # size of the part of K that enters alpha
    conformal: jax.Array  # residual of (5.10)
    potential: jax.Array
    jitter: jax.Array  # change of the potential over a few units in the last place of r
    inertia: jax.Array  # largest entry of the metric
    linear: jax.Array  # terms of L linear in v, relative
    quadratic: jax.Array  # terms of L of degree higher than 2, relative
    periods: jax.Array  # periods of beta around the circles
    lengths: jax.Array  # the same integrals of the absolute values of the terms of beta


def _facts(chaplygin: Chaplygin, samples: Point, origin: Point) -> _Facts:
    """Compute all values that the verdicts need, at each sample and around each circle."""
    periods, lengths = [], []
    s, weights = gauss_rule(*_RULE)
    for i, period in enumerate(chaplygin.circles):
        if period is not None:
            turned = period * s[:, None] * np.eye(chaplygin.shape)[i]
            loop = shapes_around(chaplygin.base, origin, jnp.asarray(turned))
            around = compiled_rows(_both_sums, chaplygin, (loop,))
            values, sizes = (period * weights @ np.asarray(x)[:, i] for x in around)
            periods.append(float(values))
            lengths.append(float(sizes))
    numbers = compiled_rows(_facts_at, chaplygin, (samples,))
    return _Facts._make((*numbers, jnp.asarray(periods), jnp.asarray(lengths)))


def _both_sums(chaplygin: Chaplygin, r: Point) -> tuple[jax.Array, jax.Array]:
    """Return beta, and the sum of absolute values that bounds its round-off up to a factor."""
    return beta(chaplygin, r), _unsigned(*_parts(chaplygin, r)).rough


def _facts_at(chaplygin: Chaplygin, r: Point) -> tuple[jax.Array, ...]:
    def largest(x):
        return jnp.max(jnp.abs(x), initial=0.0)

    base = chaplygin.base

    def moved(w):
        x = base.mul(r, base.cay(w))
        G, K = chaplygin.metric(x), chaplygin.metric_tensor(x)
        b = _trace(G, K)
        return b, (b, G, K)  # auxiliary output avoids tracing G and K again

    slope, (b, G, K) = jax.jacfwd(moved, has_aux=True)(jnp.zeros(chaplygin.shape))
    # slope[e, c] = E_c beta_e
    turns = structure(Pair(base), r)
    turned = jnp.einsum("d,dbc->bc", b, turns)
    curl = slope.T - slope - turned
    terms = jnp.abs(slope.T) + jnp.abs(slope) + jnp.abs(turned)
    plain, noise = _sizes(chaplygin, r, jnp.abs(turns))
    natural = natural_size(chaplygin, r)
    # alpha_d = K_bcd w^b w^c depends only on the part symmetric in b and c
    symmetric = K + jnp.swapaxes(K, 0, 1)
    ideal = jnp.einsum("a,eb->eab", b / max(chaplygin.shape - 1, 1), G)
    ideal = ideal - jnp.swapaxes(ideal, 1, 2)  # the K that (5.10) [C02] requires
    of_K = natural, largest(symmetric), largest(K - ideal)
    V = chaplygin.potential(r)
    step = _NEAR * (1.0 + jnp.max(jnp.stack([largest(x) for x in jax.tree.leaves(r)])))

    def near(k):
        return chaplygin.potential(base.mul(r, base.cay(k * step * jnp.ones(chaplygin.shape))))

    # several shifts, because the change for one of them may vanish by chance
    jitter = largest(jnp.stack([near(k) - V for k in (1.0, 2.0, 3.0, 5.0, 7.0, 11.0)]))
    of_L = V, jitter, largest(G), *degrees(chaplygin, r)
    return largest(b), curl, terms, noise, plain, *of_K, *of_L


# relative shift of r: only round-off and steep terms change
_NEAR = 32 * float(np.finfo(float).eps)


class _Sums(NamedTuple):
    """Sums of the |terms| of beta: plain, and (`rough`) amplified by the errors of both solves."""

    plain: jax.Array
    rough: jax.Array


def _unsigned(
    A: jax.Array,
    dA: jax.Array,
    inertia: jax.Array,
    inverse_metric: jax.Array,
    brackets: jax.Array,
    turns: jax.Array,
    condition: jax.Array,
) -> _Sums:
    """Return the sum that defines beta with every term positive: a polynomial in absolute values.

    A solve with G has the error |G^-1| |G| |G^-1| on each entry. The solve for the connection has
    an error proportional to the condition number of its matrix.
    """
    s = A.shape[1]
    h = jnp.concatenate([jnp.eye(s), A])
    curvature = dA + jnp.swapaxes(dA, 1, 2) + jnp.einsum("ad,dbc->abc", A, turns)
    curvature = curvature + jnp.einsum("xay,xb,yc->abc", brackets, A, A)
    K = jnp.einsum("ba,acd->bcd", (h.T @ inertia)[:, s:], curvature)
    solved = inverse_metric @ (h.T @ inertia @ h) @ inverse_metric
    plain, rough = (jnp.einsum("dc,ced->e", x, K) for x in (inverse_metric, solved))
    return _Sums(plain, condition * rough)


def _parts(chaplygin: Chaplygin, r: Point) -> tuple[jax.Array, ...]:
    """Return absolute values of what beta is made of: the arguments of `_unsigned`."""
    q, T = chaplygin.origin(r)
    N = (linear_constraint(chaplygin.system, q) @ T)[:, chaplygin.shape :]
    spread = jnp.abs(inverse(N)) @ jnp.abs(N)
    result = (
        chaplygin.connection(r),
        chaplygin.slopes(chaplygin.connection, r),
        chaplygin.inertia(r),
        inverse(chaplygin.metric(r)),
        bracket_constants(chaplygin.group),
        structure(Pair(chaplygin.base), r),
        jnp.max(jnp.sum(spread, axis=1), initial=1.0),
    )
    return tuple(jnp.abs(x) for x in result)


def _sizes(chaplygin: Chaplygin, r: Point, turns: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the sizes of the terms of d beta, and the thresholds of its round-off.

    `_unsigned` is a polynomial with positive terms, so its directional derivative along |dx|, with
    x its arguments, bounds the sum of the terms of d beta.
    """
    parts = _parts(chaplygin, r)
    A, dA, inertia, raised = parts[:4]

    second = jnp.abs(chaplygin.slopes(lambda x: chaplygin.slopes(chaplygin.connection, x), r))
    moved = jnp.abs(chaplygin.slopes(chaplygin.inertia, r))

    def along(c):
        first = dA[..., c], moved[..., c]

        def metric(a, m):
            h = jnp.concatenate([jnp.eye(chaplygin.shape), a])
            return h.T @ m @ h

        turned = jax.jvp(metric, (A, inertia), first)[1]
        tangents = first[0], second[..., c], first[1], raised @ turned @ raised
        return jax.jvp(lambda *x: _unsigned(*x, *parts[4:]), parts[:4], tangents)

    sums, slopes = zip(*[along(c) for c in range(chaplygin.shape)])
    out = []
    for which in range(2):
        slope = jnp.stack([x[which] for x in slopes], axis=1)  # slope[e, c], as for beta
        out.append(slope.T + slope + jnp.einsum("d,dbc->bc", sums[0][which], turns))
    return out[0], ROUND_OFF * out[1]


def degrees(chaplygin: Chaplygin, r: Point) -> tuple[jax.Array, jax.Array]:
    """Return relative sizes of the terms of L of degree 1 in v, and of degrees beyond 0, 1, 2."""
    q, T = chaplygin.origin(r)
    v = T @ jnp.cos(1.0 + jnp.arange(chaplygin.system.dim))  # a generic direction

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
    """Return the size of the terms whose sum is K, to distinguish a small K from round-off."""
    A = jnp.abs(chaplygin.connection(r))
    dA = jnp.abs(chaplygin.slopes(chaplygin.connection, r))
    inertia = jnp.abs(chaplygin.inertia(r))[:, chaplygin.shape :]
    coupling = jnp.abs(chaplygin.horizontal(r)).T @ inertia
    bracket = jnp.einsum("xay,xb,yc->abc", jnp.abs(bracket_constants(chaplygin.group)), A, A)
    turned = jnp.einsum("ad,dbc->abc", A, jnp.abs(structure(Pair(chaplygin.base), r)))
    curvature = dA + jnp.swapaxes(dA, 1, 2) + bracket + turned
    return jnp.max(jnp.einsum("ba,acd->bcd", coupling, curvature), initial=0.0)


def _difference(base: Group, start: Point, end: Point) -> jax.Array:
    """Return u with end = start exp(u)."""
    return base.log(base.mul(base.inv(start), end))


def _line(chaplygin: Chaplygin, start: Point, u: jax.Array) -> jax.Array:
    """Integrate beta along start exp(s u), 0 <= s <= 1, by a composite Gauss rule."""
    s, weights = map(jnp.asarray, gauss_rule(*_RULE))
    base = chaplygin.base

    def rate(x):
        return beta(chaplygin, base.mul(start, base.exp(x * u))) @ u

    return weights @ jax.vmap(rate)(s)


# -- Hamiltonization --------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Hamiltonization:
    """Verdict on whether the reduced motion is Hamiltonian, in the original or in a new time."""

    verdict: str  # "hamiltonian", "conformal", "locally conformal", "not found", "does not apply"
    gyroscopic: float  # largest symmetrized entry of K: zero exactly if alpha vanishes
    defect: float  # how far K is from (beta_a G_eb - beta_b G_ea)/(s - 1) at the worst sample
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
    """Find a multiplier N(r) that makes the reduced motion Hamiltonian, (5.10) [C02].

    dF ^ theta = Xi with N = exp F requires K_eab = F_a G_eb - F_b G_ea with dF = beta/(s - 1).
    Then k = N^(s-1) is the multiplier of the invariant measure. For shape spaces of dimension two
    the first equation always holds (Chaplygin's theorem) and only the measure matters. The theorem
    does not apply with an external force or with terms of L of degree other than 0 or 2 in v.
    """
    measure = invariant_measure(chaplygin, samples, origin=origin, tolerance=tolerance)
    origin, points = _around(chaplygin, origin, samples)
    facts = _facts(chaplygin, points, origin)
    # divide by the size of the terms of K at each sample: a steep sample must not hide the others
    own = np.maximum(np.asarray(facts.natural), 1e-300)
    gyroscopic = float(np.max(facts.gyroscopic))
    turning, defect = (float(np.max(x / own)) for x in (facts.gyroscopic, facts.conformal))
    s = chaplygin.shape
    k, multiplier, reason = measure.multiplier, None, ""
    if measure.verdict == "does not apply":
        verdict, reason = measure.verdict, measure.reason
    elif float(np.max(facts.linear)) > tolerance:
        verdict, reason = "does not apply", LINEAR_TERMS
    elif turning <= tolerance or s == 1:
        verdict, multiplier = "hamiltonian", (lambda r: jnp.ones(()))
    elif k is None or defect > tolerance:
        verdict = "not found"
    else:
        verdict = "conformal" if measure.verdict == "yes" else "locally conformal"
        multiplier = lambda r: k(r) ** (1.0 / (s - 1))  # noqa: E731
    return Hamiltonization(verdict, gyroscopic, defect, measure, multiplier, reason)


# -- general flows --------------------------------------------------------------------------------


def divergence(
    field: Callable[[jax.Array], jax.Array],
    z: jax.Array,
    density: Callable[[jax.Array], jax.Array] | None = None,
) -> jax.Array:
    """Return div(density field) / density at z; zero for the density of an invariant measure."""
    slope, X = jax.jacfwd(field)(z), field(z)
    if density is None:
        return jnp.trace(slope)
    rho, along = jax.jvp(density, (z,), (X,))
    return jnp.trace(slope) + along / rho


def reduced_field(chaplygin: Chaplygin, center: Point = None) -> Callable[[jax.Array], jax.Array]:
    """Return the vector field of the reduced motion on z = (u, w), r = center exp(u).

    It can be passed to `divergence`.

    On R^s the center is 0 by default, so that u is r. On a group the Haar measure has the density
    |det dexp(-u)| with respect to du. It is one at u = 0, with a derivative that vanishes if the
    group is unimodular.
    """
    s, system, base = chaplygin.shape, chaplygin.reduced, chaplygin.base
    center = base.identity() if center is None else base.check(center, "center")

    def field(z: jax.Array) -> jax.Array:
        u, w = z[:s], z[s:]
        r = base.mul(center, base.exp(u))
        return jnp.concatenate([base.dexp_inv(-u) @ w, acceleration(system, r, w)])

    return field
