"""Bounds on the truncation error of the series: (8.4), (8.5) [C02] with proven constants.

The book's (8.4) contains an undefined function eta (E32). The bound here is derived by majorants.
In a chart at q0 let every component of Z(., t) have Taylor coefficients with

    |Z_alpha| <= M |alpha|!/alpha! sigma^-|alpha|,

and those of the connection the same with g in place of M. Then V_k is majorized by
a_k M^k t^(2k - 1) r^(2k - 1) with r = 1/(1 - (w_1 + ... + w_n)/sigma), where

    a_1 = 1,    (2k - 1) a_k = (n (k - 1)/sigma + n^2 g) (a_1 a_{k-1} + ... + a_{k-1} a_1),

because V_t = Z - (V . d)V - Gamma(V, V) has the majorant f_t = M r + n f f_s + n^2 g r f^2. With
b = n/(2 sigma) + n^2 g/3 this gives a_k <= b^(k-1) Catalan(k-1), so that (8.5) holds with
1/L = 4 b r^2, and the series converges while M t^2 < L. Integrals of the same sums bound the
distance of the motion from q0, so that it remains in the chart, and, with Gronwall's inequality,
the error of the position. The proof is on the page "Controllability, series and planning".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import UsageError
from ..geometry.distribution.taylor_fields import Algebra
from ..system import Point, System
from .germs import ControlGerm, check_inputs
from .hypotheses import check_hypotheses

_KNOWN = 40  # terms of the majorant that are summed individually
_SETTLED = 0.5  # series coefficients have settled if the last is below this fraction of the largest


class SeriesBound(NamedTuple):
    """Bound on the truncation error of the series, for times up to t."""

    t: float
    terms: int
    sigma: float  # radius of the chart in which coefficients are bounded
    reach: float  # the motion stays within |w_i| <= reach
    Z: float  # M, the bound of the inputs
    gamma: float  # g, the bound of the connection
    r: float  # 1/(1 - n reach/sigma)
    L: float  # L of (8.4): the series converges while Z t^2 < L
    velocity: float  # bound of |V_{K+1} + V_{K+2} + ...| at time t, by component
    position: float  # bound of the error of `series_motion(...).move`, by component
    measured: int | None  # order to which coefficients were measured; None: given by `norms`

    @property
    def converges(self) -> bool:
        """Whether the bound proves convergence up to t; if not, the bounds are infinite."""
        return math.isfinite(self.position)

    def term(self, k: int) -> float:
        """Return the bound (8.5) of |V_k(q, t)| for q within reach, r L^(1-k) Z^k t^(2k-1)."""
        return self.r * self.L ** (1 - k) * self.Z**k * self.t ** (2 * k - 1)


def series_bound(
    system: System,
    u: Callable[[float], Any],
    t: float,
    q: Point = None,
    *,
    terms: int = 3,
    sigma: float | None = None,
    norms: tuple[float, float] | None = None,
    order: int = 7,
) -> SeriesBound:
    """Bound the truncation error of `series_motion` with `terms` terms, up to time t.

    `norms` are M and g of the module's inequalities in the chart of radius `sigma` at q: with them
    the bound is proven. Without them M and g are estimated from the Taylor coefficients up to
    `order` (recorded in `measured`): the bound then assumes that higher coefficients obey the same
    inequalities. If `sigma` is not given, it is chosen for the smallest bound among those whose
    highest-order coefficients are small. The largest values of u at 1001 times are used. If
    convergence is not proven, `position` is infinite: take a shorter time or smaller controls.
    """
    if not 1 <= terms < _KNOWN:
        raise UsageError(f"terms must be 1 to {_KNOWN - 1}, got {terms}")
    if not (math.isfinite(t) and t > 0):
        raise UsageError(f"t must be positive and finite, got {t}")
    if norms is not None and sigma is None:
        raise UsageError("norms are for a chart of a given radius: give sigma as well")
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    applies, damping = check_hypotheses(system, q)
    if applies.answer == "does not apply":
        raise UsageError(f"{system.name()}: no bound of the series: {applies}")
    # c' = k_d c + ...: each order grows by at most this factor
    faster = math.exp(max(damping, 0.0) * t)
    n = system.dim
    if norms is not None:
        M, g = (float(x) for x in norms)
        assert sigma is not None
        return _best(n, t, terms, [(float(sigma), faster * M, g)], None)
    germ = ControlGerm(system, q, order)
    check_inputs(system, germ)
    values = np.stack([np.asarray(u(s), dtype=float).ravel() for s in np.linspace(0.0, t, 1001)])
    if values.shape[1] != len(germ.inputs) or not np.all(np.isfinite(values)):
        raise UsageError(f"u(t) must be {len(germ.inputs)} finite numbers")
    fields = np.stack([X.coefficients for X in germ.inputs])
    ring = germ.ring
    choices = [float(sigma)] if sigma is not None else list(2.0 ** np.arange(-8.0, 6.0, 0.25))
    candidates = []
    for radius in choices:
        sizes = [_norm(ring, X, radius, ring.order) for X in fields]
        turn = _norm(ring, germ.connection, radius, ring.order - 1)
        if sigma is None and not all(ok for _, ok in (*sizes, turn)):
            continue
        M = float(np.max(np.abs(values) @ np.array([x for x, _ in sizes])))
        candidates.append((radius, faster * M, turn[0]))
    if not candidates:
        raise UsageError(
            f"{system.name()}: coefficients grow to order {order} in every chart tried: give sigma"
        )
    return _best(n, t, terms, candidates, order)


def _norm(ring: Algebra, a: np.ndarray, sigma: float, order: int) -> tuple[float, bool]:
    """Return the least M with |a_alpha| <= M |alpha|!/alpha! sigma^-|alpha|, and if it settled."""
    known = ring.degrees <= order
    counts = np.array(
        [math.prod(map(math.factorial, x)) / math.factorial(sum(x)) for x in ring.exponents]
    )
    scaled = np.max(np.abs(a).reshape(-1, ring.size), axis=0) * counts * sigma**ring.degrees
    largest = float(np.max(scaled[known], initial=0.0))
    top = float(np.max(scaled[known & (ring.degrees >= order - 1)], initial=0.0))
    return largest, top <= _SETTLED * largest


def _best(
    n: int, t: float, terms: int, candidates: list[tuple[float, float, float]], order: int | None
) -> SeriesBound:
    values = [_bounded(n, t, terms, *x, order) for x in candidates]
    return min(values, key=lambda x: (x.position, -x.L / max(x.Z, 1e-300)))


def _bounded(
    n: int, t: float, terms: int, sigma: float, M: float, g: float, order: int | None
) -> SeriesBound:
    """Return the smallest bound over all values of `reach`."""
    b = n / (2.0 * sigma) + n * n * g / 3.0
    a = np.zeros(_KNOWN + 1)
    a[1] = 1.0
    for k in range(2, _KNOWN + 1):
        a[k] = (n * (k - 1) / sigma + n * n * g) / (2 * k - 1) * float(a[1:k] @ a[k - 1 : 0 : -1])
    k = np.arange(1, _KNOWN + 1)
    a = a[1:]
    best: SeriesBound | None = None
    for part in np.linspace(0.02, 0.9, 45):
        reach = part * sigma / n
        r = 1.0 / (1.0 - part)
        ratio = 4.0 * b * r * r * M * t * t
        if ratio >= 1.0:
            break
        speeds = a * M**k * t ** (2 * k - 1) * r ** (2 * k - 1)  # bounds of |V_k| at time t
        # further terms by a_k <= (4 b)^(k-1)
        rest = r * M * t * ratio**_KNOWN / (1.0 - ratio)
        gone = float(np.sum(speeds * t / (2 * k))) + rest * t
        if gone > reach:
            continue
        tail = float(np.sum(speeds[terms:])) + rest
        moved = float(np.sum((speeds * t / (2 * k))[terms:])) + rest * t
        # derivative of the truncated sum by |w|, integrated over time
        stretch = float(np.sum((speeds * n * (2 * k - 1) * r / sigma * t / (2 * k))[:terms]))
        position = moved * math.exp(stretch)
        if best is None or position < best.position:
            L = 1.0 / (4.0 * b * r * r)
            best = SeriesBound(t, terms, sigma, reach, M, g, r, L, tail, position, order)
    if best is not None:
        return best
    nothing = math.inf, math.inf
    return SeriesBound(t, terms, sigma, 0.0, M, g, 1.0, 1.0 / (4.0 * b), *nothing, order)


__all__ = ["SeriesBound", "series_bound"]
