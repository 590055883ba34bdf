"""Frequencies and rotation number of an integrable flow on tori (Theorem 5.4.1 [C02]).

A flow in N dimensions with an invariant measure and N - 2 integrals moves on tori, and in angles
phi_i' = omega_i/Phi(phi). The measure gives an area on the torus,

    sigma(a, b) = rho vol(a, b, n_1, ..., n_(N-2)),    dF_i(n_j) = delta_ij,

which the flow conserves, so i_X sigma is closed. Along a closed curve C across the flow, the
normalized flux theta of i_X sigma is an angle in which the return map is a rotation: theta -> theta
+ alpha. alpha is the rotation number and follows from one return; it must be the same at every
point of C, which tests the hypotheses. With T the mean return time with respect to theta,

    omega_1 = 2 pi/T,    omega_2 = 2 pi alpha/T

are the frequencies of the motion. They are determined up to a change of the angles: integer
combinations m omega_1 + n omega_2 are the lines of its spectrum.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...compile.function import compiled_rows
from ...dynamics import metric
from ...errors import Reason, UsageError
from ...groupoids import Pair
from ...system import Point, System
from .chaplygin_reduction import Chaplygin, reduced_state
from .reduced_measure import invariant_measure
from .torus_flow import (
    State,
    StateFunction,
    TorusFlow,
    TorusSection,
    advanced,
    single,
    tangent_rows,
)

_SPREAD = 1e-7  # largest variation of the rotation number over the curve


@dataclasses.dataclass(frozen=True)
class TorusFrequencies:
    """Frequencies of the motion on a torus, with the numbers behind them.

    `frequencies` are (2 pi/T, 2 pi alpha/T) in rad/s, `rotation` is alpha between 0 and 1/2,
    `period` the mean return time T to the section. `error` is the relative difference of the two
    finest computations, `spread` the variation of alpha over the curve.
    """

    verdict: str  # "yes", "inconclusive" or "does not apply"
    reason: str = ""
    frequencies: tuple[float, float] = (float("nan"), float("nan"))
    rotation: float = float("nan")
    period: float = float("nan")
    error: float = float("nan")
    spread: float = float("nan")
    divergence: float = float("nan")  # divergence of the measure, relative
    rates: float = float("nan")  # rates of change of the integrals, relative
    independence: float = float("nan")  # least singular value of dF, rows of unit length
    section: int | None = None  # index of the velocity that defines the default section
    curve: State | None = None  # states along the closed curve across the flow

    def __str__(self) -> str:
        said = f"{self.verdict}: {self.reason}" if self.reason else self.verdict
        if self.verdict != "yes":
            return f"frequencies on a torus: {said}"
        one, two = self.frequencies
        return (
            f"frequencies on a torus: {one:.12g} and {two:.12g} rad/s\n"
            f"  rotation number {self.rotation:.12g}, the same over the section to "
            f"{self.spread:.1e}; error {self.error:.1e}"
        )


def torus_frequencies(
    system: System | Chaplygin,
    integrals: Sequence[StateFunction] = (),
    *,
    density: StateFunction | None = None,
    at: State | None = None,
    section: StateFunction | None = None,
    points: int = 64,
    tolerance: float = 1e-9,
) -> TorusFrequencies:
    """Compute frequencies and rotation number on the torus through a state (Theorem 5.4.1 [C02]).

    `system` must be unconstrained: a reduced system, or a Chaplygin reduction. For the latter the
    measure is that of `invariant_measure`, and `integrals` are functions of the unreduced (q, v).
    The energy is always included; N - 2 integrals are needed in all, with N twice the dimension,
    and a function may have several values. `density(q, v)` is the density of the invariant measure
    with respect to dq dv in the frame of the system: by default det G, the Liouville measure. `at`
    is a state, by default the initial one. `section(q, v)` is a function that vanishes on a closed
    curve across the flow; by default each velocity minus its mean is tried in turn.

    Each hypothesis is tested and a failure reported: the measure, the integrals, their number and
    independence, a curve that closes and is crossed in one direction, a return map that is a
    rotation. `points` on the curve are doubled, and steps halved, until two results agree to
    `tolerance`.
    For a Chaplygin system pass the result of `geometry.chaplygin` and the integrals beside the
    energy as functions of the full system's (q, v).
    """
    whole, functions = system, tuple(integrals)
    if isinstance(whole, Chaplygin):
        q, v = whole.system.initial() if at is None else at
        start = reduced_state(whole, q, jnp.asarray(v, dtype=float))
        if density is None:
            result = invariant_measure(whole, origin=start[0])
            if result.verdict != "yes" or result.density is None:
                return TorusFrequencies("does not apply", f"invariant measure: {result.verdict}")
            density = _OfShape(result.density)
        system = whole.reduced
    else:
        start = whole.initial() if at is None else at
        system = whole
    _require_plain(system)
    q0 = system.groupoid.base.check(start[0])
    state = q0, jnp.asarray(start[1], dtype=float)
    flow = TorusFlow(whole, functions)
    facts = _facts(flow, state, density)
    numbers: dict[str, Any] = {k: facts[k] for k in ("divergence", "rates", "independence")}

    def said(verdict: str, reason: str) -> TorusFrequencies:
        return TorusFrequencies(verdict, reason, **numbers)

    wanted = 2 * system.dim - 2
    if facts["divergence"] > 1e-8:
        return said("does not apply", "the measure is not invariant: its divergence is not zero")
    if facts["rates"] > 1e-8:
        return said("does not apply", "one of the integrals changes along the motion")
    if facts["count"] != wanted:
        why = f"{2 * system.dim} dimensions need {wanted} integrals with the energy, "
        return said("does not apply", why + f"{facts['count']} are given")
    if not facts["independence"] > 1e-7:
        return said("inconclusive", "the integrals are dependent at this state: take another one")
    candidates = [(None, section)] if section is not None else _candidates(flow, state)
    last = "no velocity crosses its mean: give `section`"
    for index, across in candidates:
        result = _on_section(flow, state, across, density, points, tolerance)
        if isinstance(result, Reason):
            last = result.text
            continue
        return TorusFrequencies("yes", "", section=index, **result, **numbers)
    return said("inconclusive", last)


def _require_plain(system: System) -> None:
    if not isinstance(system.groupoid, Pair) or system.is_constrained or system.has_time:
        raise UsageError(
            f"{system.name()}: Theorem 5.4.1 is about tori of unconstrained motion; give a "
            "Chaplygin reduction, or its `reduced`"
        )


@dataclasses.dataclass(frozen=True)
class _OfShape:
    of: Callable[[Point], jax.Array]

    def __call__(self, q: Point, v: jax.Array) -> jax.Array:
        return self.of(q)


def _facts(flow: TorusFlow, state: State, density: StateFunction | None) -> dict[str, float]:
    n = flow.system.dim

    def at(x):
        def log_density(z):
            there = flow.moved(x, z)
            if density is None:
                return jnp.log(jnp.linalg.det(metric(flow.system, there[0])))
            return jnp.log(density(*there))

        zero = jnp.zeros(2 * n)
        X, slope = flow.field(x, zero), jax.jacfwd(lambda z: flow.field(x, z))(zero)
        along = jax.jacfwd(log_density)(zero) * X
        trace = jnp.trace(slope) + jnp.sum(along)
        size = jnp.sum(jnp.abs(jnp.diagonal(slope))) + jnp.sum(jnp.abs(along))
        dF = flow.slopes(x)
        terms = jnp.linalg.norm(dF, axis=1) * jnp.linalg.norm(X) + 1e-300
        return trace, size + 1e-4 * jnp.linalg.norm(slope), jnp.max(jnp.abs(dF @ X) / terms), dF

    shifts = 0.05 * np.random.default_rng(31).normal(size=(4, 2 * n))
    shifts[0] = 0.0
    trace, size, rates, dF = (
        np.asarray(x) for x in jax.jit(jax.vmap(lambda z: at(flow.moved(state, z))))(shifts)
    )
    unit = dF[0] / np.maximum(np.linalg.norm(dF[0], axis=1, keepdims=True), 1e-300)
    return {
        "divergence": float(np.max(np.abs(trace) / np.maximum(size, 1e-300))),
        "rates": float(np.max(rates)),
        "independence": float(np.linalg.svd(unit, compute_uv=False)[-1]),
        "count": len(unit),
    }


def _candidates(flow: TorusFlow, state: State) -> list[tuple[int, StateFunction]]:
    """Return velocities minus the middle of their range along the motion, widest range first."""
    h, states, seen = np.array([_pace(flow, state)]), single(state), []
    for _ in range(600):
        states = jax.tree.map(np.asarray, compiled_rows(advanced, flow.whole, (*states, h)))
        seen.append(states[1][0])
    v = np.asarray(seen)
    low, high = v.min(axis=0), v.max(axis=0)
    wide = (high - low) / np.maximum(np.max(np.abs(v), axis=0), 1e-300)
    order = [int(i) for i in np.argsort(-wide) if wide[i] > 1e-6]
    return [(i, _Above(i, float(0.5 * (low[i] + high[i])))) for i in order]


@dataclasses.dataclass(frozen=True)
class _Above:
    index: int
    middle: float

    def __call__(self, q: Point, v: jax.Array) -> jax.Array:
        return v[self.index] - self.middle


def _pace(flow: TorusFlow, state: State) -> float:
    """Return a time over which the motion changes by a small fraction, from its linearization."""
    zero = jnp.zeros(2 * flow.system.dim)
    slope = jax.jit(lambda: jax.jacfwd(lambda z: flow.field(state, z))(zero))()
    fast = float(np.max(np.abs(np.linalg.eigvals(np.asarray(slope)))))
    # 0.2: then collocation of order 12 reaches round-off and its iteration converges in 14 steps
    return 0.2 / max(fast, float(np.max(np.abs(np.asarray(state[1])))), 1e-300)


# -- the curve, its returns and the rotation -----------------------------------------------------


def _on_section(
    flow: TorusFlow,
    state: State,
    across: StateFunction,
    density: StateFunction | None,
    points: int,
    tolerance: float,
) -> dict[str, Any] | Reason:
    """Compute all results from one section, or return the reason why it is unsuitable."""
    made, h = TorusSection(flow, across, state), _pace(flow, state)
    met = made.returns(single(state), h, 1)
    if met is None:
        return Reason("the motion does not cross the section")
    start = met[0]
    loop = _closed_curve(made, start)
    if isinstance(loop, Reason):
        return loop
    length, guide = loop
    found, error = None, float("inf")
    for halvings in range(4):
        now = _rotation(made, density, start, guide, length, points << halvings, h / 2**halvings)
        if isinstance(now, Reason):
            return now
        if found is not None:
            apart = abs(now["rotation"] - found["rotation"])
            error = max(abs(now["period"] / found["period"] - 1.0), min(apart, 1.0 - apart))
        found = now
        if error <= tolerance:
            break
    assert found is not None
    if found["spread"] > _SPREAD:
        return Reason(
            f"the return map is no rotation: its angle changes by {found['spread']:.1e} over the "
            "section; the level is no torus of the motion"
        )
    if not error <= tolerance:
        return Reason(f"two computations are {error:.1e} apart: raise `points` or `tolerance`")
    # traversing the curve in the other direction gives 1 - alpha for the same torus
    found["rotation"] = min(found["rotation"], 1.0 - found["rotation"])
    one = 2.0 * np.pi / found["period"]
    return {**found, "error": error, "frequencies": (one, one * found["rotation"])}


def _closed_curve(made: TorusSection, start: State) -> tuple[float, np.ndarray] | Reason:
    """Return length and initial direction of the closed curve across the flow through a state."""
    guess = np.random.default_rng(17).normal(size=(1, 2 * made.flow.system.dim))
    guide = made.at_rows(tangent_rows, (start, guess), functions=True, across=True)[0]
    piece = np.array([0.03 * max(float(np.max(np.abs(start[1]))), 1e-3)])
    state, direction, total, far = start, guide, 0.0, 0.0
    for _ in range(4000):
        state, direction = made.walk(state, direction, piece)
        total += float(piece[0])
        if not np.all(np.isfinite(direction)):
            return Reason("the curve across the flow ends in a singular point")
        if not made.rate(state)[1][0] > 0.0:
            return Reason("the flow is along the section somewhere: give another `section`")
        gap = float(np.linalg.norm(made.apart(state, start)))
        far = max(far, gap)
        if far > 3 * piece[0] and gap < 0.75 * piece[0]:
            break
    else:
        return Reason(
            "the curve across the flow does not close: the level is not compact, or too long"
        )
    for _ in range(6):  # refine the length to the point nearest to the start
        rest = np.sum(made.apart(state, start) * direction, axis=1)
        state, direction = made.walk(state, direction, rest)
        total += float(rest[0])
    if float(np.linalg.norm(made.apart(state, start))) > 1e-8 * (1.0 + far):
        return Reason("the curve across the flow misses its start: it winds around the torus")
    return total, guide


def _rotation(
    made: TorusSection,
    density: StateFunction | None,
    start: State,
    guide: np.ndarray,
    length: float,
    count: int,
    h: float,
) -> dict[str, Any] | Reason:
    """Compute rotation number, mean return time and spread from `count` points on the curve."""
    piece, state, t, seen = np.array([length / count]), start, guide, []
    for _ in range(count):
        seen.append((state, t))
        state, t = made.walk(state, t, piece)
    if float(np.linalg.norm(made.apart(state, start))) > 1e-8:
        return Reason("the curve across the flow does not close to 1e-8: raise `points`")
    nodes, tangents = jax.tree.map(lambda *x: np.concatenate(x), *seen)
    flux = made.at_rows(tangent_rows, (nodes, tangents), functions=True, across=True)[1]
    flux = flux * np.asarray(_densities(made.flow.system, density)(*nodes))
    if np.min(flux) * np.max(flux) <= 0.0:
        return Reason("the flux through the curve changes its sign: the flow is along it somewhere")
    angle = _angle(flux)
    for crossings in range(1, 5):  # the torus may meet the section in several curves
        met = made.returns(nodes, h, crossings)
        if met is None:
            return Reason("the motion does not come back to the section")
        landed, times = met
        near, further, off = _located(made, nodes, tangents, landed)
        if float(np.max(off)) < 1e-6 * length:
            break
    else:
        return Reason("the motion does not come back to the same curve of the section")
    turns = angle(near / count + further / length) - angle(np.arange(count) / count)
    turns = np.mod(turns, 1.0)
    rotation = float(np.mod(np.angle(np.mean(np.exp(2j * np.pi * turns))) / (2 * np.pi), 1.0))
    apart = np.abs(turns - rotation)
    period = float(np.sum(flux * times) / np.sum(flux))
    spread = float(np.max(np.minimum(apart, 1.0 - apart)))
    return {"rotation": rotation, "period": period, "spread": spread, "curve": nodes}


def _densities(system: System, density: StateFunction | None) -> Callable[..., jax.Array]:
    if density is None:
        return lambda q, v: compiled_rows(_liouville, system, (q,))
    return jax.jit(jax.vmap(density))


def _liouville(system, q):
    return jnp.linalg.det(metric(system, q))


def _angle(flux: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return the fraction of flux up to the fraction x of the curve, from equidistant values."""
    count = len(flux)
    c = np.fft.fft(flux / np.mean(flux)) / count
    m = np.fft.fftfreq(count, 1.0 / count)
    m[count // 2] = 0.0  # the Nyquist frequency has no sign
    used = m != 0.0
    weights = c[used] / (2j * np.pi * m[used])

    def value(x: np.ndarray) -> np.ndarray:
        waves = np.exp(2j * np.pi * np.outer(x, m[used])) - 1.0
        return x + (waves @ weights).real

    return value


def _located(made: TorusSection, nodes: State, tangents: np.ndarray, landed: State):
    """Return the nearest curve nodes of states, and their distances along and off the curve."""
    count, total = len(landed[1]), len(nodes[1])

    def pairs(i, j):
        first = jax.tree.map(lambda x: np.repeat(x, j, axis=0), landed)
        second = jax.tree.map(lambda x: np.concatenate([x] * i), nodes)
        return made.apart(second, first)

    far = np.linalg.norm(pairs(count, total), axis=1).reshape(count, total)
    near = np.argmin(np.nan_to_num(far, nan=np.inf), axis=1)
    begin, t = jax.tree.map(lambda x: x[near], (nodes, tangents))
    d = np.zeros(count)
    for _ in range(5):
        here, direction = made.walk(begin, t, d)
        d = d + np.sum(made.apart(here, landed) * direction, axis=1)
    off = np.linalg.norm(made.apart(made.walk(begin, t, d)[0], landed), axis=1)
    return near, d, off


__all__ = ["TorusFrequencies", "torus_frequencies"]
