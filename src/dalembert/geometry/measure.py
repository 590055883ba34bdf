"""Invariant measures of reduced Chaplygin systems, and when the reduced motion is Hamiltonian.

The flow of the shape changes the volume det(G) dr dw at the rate -h, G the reduced metric,

    h = G^ab d(alpha_b)/dw^a = beta_e(r) w^e,    beta_e = G^cd K_ced          (5.12) [C02]

and k(r) det(G) dr dw is invariant exactly if d(ln k) = beta (Theorem 5.4.5 [C02]). A closed beta
gives k near a point; around a circle in shape space its period decides.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..dynamics import acceleration
from ..errors import UsageError
from ..linalg import inverse, solve_spd
from .reduction import Chaplygin, bracket_constants

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_PANELS = 8


def beta(chaplygin: Chaplygin, r: jax.Array) -> jax.Array:
    """The one-form beta at the shape r: minus the rate of det(G) dr dw is beta . w."""
    G, K = chaplygin.metric(r), chaplygin.metric_tensor(r)
    s = chaplygin.shape
    raised = solve_spd(G, K.reshape(s, s * s)).reshape(s, s, s)  # [d, e, c] = G^dc' K_c'ec
    return jnp.einsum("ded->e", raised)


@dataclasses.dataclass(frozen=True)
class Measure:
    """The verdict on an invariant measure of the reduced flow, with the numbers behind it."""

    verdict: str  # "yes", "locally" or "no"
    closedness: float  # largest |d beta| over the samples, relative to the derivatives of beta
    size: float  # largest |beta| over the samples
    periods: tuple[float | None, ...]  # of beta around each circle of shape space
    samples: int
    kinetic: bool  # whether L* is kinetic energy alone, up to a constant
    multiplier: Callable[[jax.Array], jax.Array] | None  # k(r) = exp of the integral of beta
    density: Callable[[jax.Array], jax.Array] | None  # k det(G), of dr dw

    def __str__(self) -> str:
        lines = [f"invariant measure of the reduced flow: {self.verdict}"]
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
        if self.verdict != "yes" and not self.kinetic:
            lines.append("  (with a potential this excludes densities of the shape alone)")
        return "\n".join(lines)


def invariant_measure(
    chaplygin: Chaplygin,
    samples: Any = None,
    *,
    origin: Any = None,
    tolerance: float = 1e-9,
) -> Measure:
    """Decide whether the reduced flow keeps a measure k(r) det(G) dr dw.

    Three steps: beta closed at the `samples` (shapes, (N, s); by default 32 around `origin`, over
    the whole of a circle); its periods around the circles declared in `chaplygin`; then k by a
    line integral from `origin` (by default the shape of `system.initial()`), where k = 1. The
    verdict rests on the samples: numbers, not a proof.
    """
    s = chaplygin.shape
    if origin is None:
        origin = chaplygin.reduced.initial()[0]
    origin = jnp.asarray(origin, dtype=float)
    samples = _samples(chaplygin, origin) if samples is None else jnp.asarray(samples, dtype=float)
    if origin.shape != (s,) or samples.ndim != 2 or samples.shape[1] != s:
        raise UsageError(
            f"origin must have shape ({s},) and samples (N, {s}); got {origin.shape} and "
            f"{samples.shape}"
        )
    size, defect, slope, natural, spread = (np.asarray(x) for x in _facts(chaplygin, samples))
    if not (np.all(np.isfinite(size)) and np.all(np.isfinite(defect))):
        bad = np.asarray(samples)[~np.isfinite(size)]
        raise UsageError(f"the reduction is singular at the shape {bad[:1].tolist()}")
    rough = float(natural.max())  # what the terms of beta sum to without their signs
    floor = 1e-4 * rough * max(rough, 1.0)  # a beta that is round-off is closed
    closedness = float(defect.max()) / max(float(slope.max()), floor, 1e-300)
    periods = tuple(None if p is None else float(p) for p in _periods(chaplygin, origin))
    largest = float(size.max())

    def multiplier(r: jax.Array) -> jax.Array:
        return jnp.exp(_line(chaplygin, origin, jnp.asarray(r, dtype=float)))

    def density(r: jax.Array) -> jax.Array:
        r = jnp.asarray(r, dtype=float)
        return multiplier(r) * jnp.linalg.det(chaplygin.metric(r))

    if not closedness < tolerance:
        verdict = "no"
    elif any(
        p is not None and abs(p) > tolerance * rough * period
        for p, period in zip(periods, chaplygin.circles)
        if period is not None
    ):
        verdict = "locally"
    else:
        verdict = "yes"
    kinetic = bool(spread.max() - spread.min() < tolerance * (1 + np.abs(spread).max()))
    known = (None, None) if verdict == "no" else (multiplier, density)
    return Measure(verdict, closedness, largest, periods, int(samples.shape[0]), kinetic, *known)


def _samples(chaplygin: Chaplygin, origin: jax.Array) -> jax.Array:
    count = 32
    near = jax.random.normal(jax.random.key(11), (count, chaplygin.shape))
    around = jax.random.uniform(jax.random.key(12), (count, chaplygin.shape))
    columns = [
        near[:, i] if period is None else period * around[:, i]
        for i, period in enumerate(chaplygin.circles)
    ]
    shift = jnp.stack(columns, axis=1) if columns else near
    return origin[None, :] + shift


@jax.jit
def _facts(chaplygin: Chaplygin, samples: jax.Array):
    def at(r):
        b = beta(chaplygin, r)
        db = jax.jacfwd(lambda x: beta(chaplygin, x))(r)  # [e, c] = d_c beta_e
        size = jnp.max(jnp.abs(b), initial=0.0)
        defect = jnp.max(jnp.abs(db - db.T), initial=0.0)
        slope = jnp.max(jnp.abs(db), initial=0.0)
        natural = jnp.max(jnp.abs(inverse(chaplygin.metric(r)))) * _natural_size(chaplygin, r)
        return size, defect, slope, natural, chaplygin.potential(r)

    return jax.vmap(at)(samples)


def _natural_size(chaplygin: Chaplygin, r: jax.Array) -> jax.Array:
    """Size of the terms whose sum is K, to tell a small K from round-off."""
    A, dA = jnp.abs(chaplygin.connection(r)), jnp.abs(jax.jacfwd(chaplygin.connection)(r))
    inertia = jnp.abs(chaplygin.inertia(r))[:, chaplygin.shape :]
    coupling = jnp.abs(chaplygin.horizontal(r)).T @ inertia
    bracket = jnp.einsum("xay,xb,yc->abc", jnp.abs(bracket_constants(chaplygin.group)), A, A)
    curvature = dA + jnp.swapaxes(dA, 1, 2) + bracket
    return jnp.max(jnp.einsum("ba,acd->bcd", coupling, curvature), initial=0.0)


def _line(chaplygin: Chaplygin, start: jax.Array, end: jax.Array) -> jax.Array:
    """Integral of beta along the straight segment, by a composite Gauss rule."""
    s = (np.arange(_PANELS)[:, None] + 0.5 * (_NODES[None, :] + 1.0)) / _PANELS
    weights = jnp.asarray(np.tile(0.5 * _WEIGHTS / _PANELS, _PANELS))
    along = end - start
    values = jax.vmap(lambda x: beta(chaplygin, start + x * along) @ along)(jnp.asarray(s.ravel()))
    return weights @ values


@jax.jit
def _periods(chaplygin: Chaplygin, origin: jax.Array) -> tuple[jax.Array | None, ...]:
    return tuple(
        None if period is None else _line(chaplygin, origin, origin.at[i].add(period))
        for i, period in enumerate(chaplygin.circles)
    )


# -- Hamiltonian after all --------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Hamiltonization:
    """Whether the reduced motion is Hamiltonian: as it is, in a new time, or not by these means."""

    verdict: str  # "hamiltonian", "conformal", "locally conformal" or "not found"
    gyroscopic: float  # largest symmetrized entry of K: zero exactly if alpha vanishes
    defect: float  # how far K is from (beta_a G_eb - beta_b G_ea)/(s - 1), relative
    measure: Measure
    multiplier: Callable[[jax.Array], jax.Array] | None  # N(r), new time d(tau) = N dt

    def __str__(self) -> str:
        means = {
            "hamiltonian": "the gyroscopic form vanishes: L* alone gives the motion",
            "conformal": "with N(r) and d(tau) = N dt it is that of L*(r, N dr/d(tau))",
            "locally conformal": "a multiplier N exists near each shape, with many values",
            "not found": "no multiplier N(r) as in (5.10)",
        }
        return (
            f"Hamiltonian reduced motion: {self.verdict}\n  {means[self.verdict]}\n"
            f"  gyroscopic form {self.gyroscopic:.1e}, defect of (5.10) {self.defect:.1e}\n"
            f"  measure: {self.measure.verdict}"
        )


def hamiltonization(
    chaplygin: Chaplygin, samples: Any = None, *, origin: Any = None, tolerance: float = 1e-9
) -> Hamiltonization:
    """Look for a multiplier N(r) that makes the reduced motion Hamiltonian, (5.10) [C02].

    dF ^ theta = Xi, N = exp F, asks K_eab = F_a G_eb - F_b G_ea with dF = beta/(s - 1): then
    k = N^(s-1) is the multiplier of the invariant measure. In two dimensions of shape the first
    equation always holds (Chaplygin's theorem) and only the measure matters.
    """
    found = invariant_measure(chaplygin, samples, origin=origin, tolerance=tolerance)
    if origin is None:
        origin = chaplygin.reduced.initial()[0]
    origin = jnp.asarray(origin, dtype=float)
    points = _samples(chaplygin, origin) if samples is None else jnp.asarray(samples, dtype=float)
    gyroscopic, defect, size = (float(x) for x in _conformal_facts(chaplygin, points))
    s = chaplygin.shape
    k, multiplier = found.multiplier, None
    if gyroscopic <= tolerance * size or s == 1:
        verdict, multiplier = "hamiltonian", (lambda r: jnp.ones(()))
    elif k is None or defect > tolerance * size:
        verdict = "not found"
    else:
        verdict = "conformal" if found.verdict == "yes" else "locally conformal"
        multiplier = lambda r: k(r) ** (1.0 / (s - 1))  # noqa: E731
    return Hamiltonization(verdict, gyroscopic, defect / (size + 1e-300), found, multiplier)


@jax.jit
def _conformal_facts(chaplygin: Chaplygin, samples: jax.Array):
    def at(r):
        G, K = chaplygin.metric(r), chaplygin.metric_tensor(r)
        b = beta(chaplygin, r) / max(chaplygin.shape - 1, 1)
        ideal = jnp.einsum("a,eb->eab", b, G)
        ideal = ideal - jnp.swapaxes(ideal, 1, 2)
        # alpha_d = K_bcd w^b w^c sees the part symmetric in b and c only
        symmetric = K + jnp.swapaxes(K, 0, 1)
        sizes = [jnp.max(jnp.abs(x), initial=0.0) for x in (symmetric, K - ideal)]
        return *sizes, _natural_size(chaplygin, r)

    gyroscopic, defect, size = jax.vmap(at)(samples)
    return jnp.max(gyroscopic), jnp.max(defect), jnp.max(size)


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


def reduced_field(chaplygin: Chaplygin) -> Callable[[jax.Array], jax.Array]:
    """The vector field of the reduced motion on z = (r, w), for `divergence`."""
    s, system = chaplygin.shape, chaplygin.reduced

    def field(z: jax.Array) -> jax.Array:
        return jnp.concatenate([z[s:], acceleration(system, z[:s], z[s:])])

    return field
