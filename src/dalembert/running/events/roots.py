"""Where polynomials vanish: all of their roots, by Bernstein coefficients, none left out.

A polynomial whose Bernstein coefficients on an interval have one sign has no root there, and one
whose signs change once has exactly one (Descartes). Intervals are split until one of the two
holds, so that no root is missed between nodes however many there are; what is left at the smallest
interval is a double root, which is no change of sign.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from ...results.polynomials import horner

_DEPTH = 60
_SHARES = (0.4871, 0.5319, 0.4423)  # where an interval is split if not in the middle
_NOISE = 64 * np.finfo(float).eps  # of the sum of all terms: below it nobody knows a sign


@functools.cache
def _to_bernstein(degree: int) -> np.ndarray:
    """(i, k): C(i, k)/C(n, k), from coefficients of s^k to those of Bernstein on 0 <= s <= 1."""
    comb = math.comb
    rows = [[comb(i, k) / comb(degree, k) for k in range(degree + 1)] for i in range(degree + 1)]
    return np.array(rows)


def has_no_root(b: np.ndarray) -> np.ndarray:
    """Whether polynomials (n, order + 1) in s have one sign on 0 <= s <= 1, for certain."""
    beta = b @ _to_bernstein(b.shape[1] - 1).T
    noise = _NOISE * np.sum(np.abs(b), axis=1)
    return (np.min(beta, axis=1) > noise) | (np.max(beta, axis=1) < -noise)


def roots(b: np.ndarray) -> list[float]:
    """The places in 0 < s < 1 where the polynomial of these coefficients changes its sign."""
    beta = _to_bernstein(len(b) - 1) @ b
    noise = _NOISE * float(np.sum(np.abs(b)))
    found: list[float] = []
    sign, edge = 0.0, 0.0  # the last that is known, and where: intervals come in their order
    waiting = [(0.0, 1.0, beta, 0)]
    while waiting:
        low, high, beta, depth = waiting.pop()
        signs = np.sign(beta[np.abs(beta) > 1e-3 * noise])
        if not len(signs):
            continue
        changes = int(np.sum(signs[1:] != signs[:-1]))
        is_one = changes == 1 and np.sign(beta[0]) * np.sign(beta[-1]) < 0
        if changes == 0 or is_one or depth == _DEPTH:
            if signs[0] * sign < 0.0:  # it has changed where there is nothing but noise
                found.append(0.5 * (edge + low))
            if is_one:
                found.append(_refined(b, low, high))
            elif signs[0] * signs[-1] < 0.0:
                found.append(0.5 * (low + high))
            sign, edge = signs[-1], high
            continue
        share = 0.5
        left, right = _split(beta, share)
        for other in _SHARES:  # not at a root, which neither part would see
            if abs(right[0]) > 1e-3 * noise:
                break
            share = other
            left, right = _split(beta, share)
        middle = low + share * (high - low)
        waiting += [(middle, high, right, depth + 1), (low, middle, left, depth + 1)]
    return found


def _split(beta: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """The Bernstein coefficients on both parts: de Casteljau."""
    left, right = np.empty_like(beta), np.empty_like(beta)
    n = len(beta)
    for i in range(n):
        left[i], right[n - 1 - i] = beta[0], beta[-1]
        beta = (1.0 - share) * beta[:-1] + share * beta[1:]
    return left, right


def _refined(b: np.ndarray, low: float, high: float) -> float:
    """The one root between: Newton's method, inside of an interval that shrinks."""
    downwards = b[::-1].tolist()  # Python's own numbers are the fastest for one point at a time
    slopes = (b[1:] * np.arange(1, len(b)))[::-1].tolist()
    first = horner(downwards, low)
    if first == 0.0:
        return low
    s = 0.5 * (low + high)
    for _ in range(80):
        f = horner(downwards, s)
        if f == 0.0:
            return s
        low, high = (s, high) if (f > 0.0) == (first > 0.0) else (low, s)
        slope = horner(slopes, s)
        new = s - f / slope if slope != 0.0 else math.nan
        new = new if low < new < high else 0.5 * (low + high)
        if abs(new - s) <= 2e-16 * max(abs(s), 1e-3) or new in (low, high):
            return new
        s = new
    return s


def noise_of(b: np.ndarray) -> float:
    """What rounding makes of the polynomial."""
    return _NOISE * float(np.sum(np.abs(b)))


__all__ = ["has_no_root", "noise_of", "roots"]
