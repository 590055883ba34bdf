"""Find where a motion passes a singular point of its constraint: which step, and where in it.

The smallest singular value of the constraint rows is followed along a motion. It vanishes where
rank is lost: like |x| if a factor changes sign, like x^2 if it touches zero, or from some point on.
A full step may jump over the first two. A step is therefore suspect if the values at its ends allow
a zero between them; shortened steps then search inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .constraint_rows import LOST, lost_between, smallest

# a minimum below this part of the values on both sides of it counts as a zero
THROUGH = 1e-4
# a value below this part of its largest neighbor is suspect; x^2 at x = (-1/2, 1/2, 3/2) steps has
# 0.11
DIP = 0.35
_SAMPLES = 16  # samples of a step that is searched
_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)
_HALVES = 60
# Around a zero the value falls by the factor _FALL at least, within the fraction _NEAR of a step. A
# row (y, 0, 1) with a large y also has a minimum at y = 0, but it is flat and not zero.
_FALL, _NEAR = 0.03, 1e-6
_ROUND_OFF = 8.0 * float(np.finfo(float).eps)


class Lowest(NamedTuple):
    """Minimum of a function in a step: its position `size` and its `value`.

    `is_edge` says that the function is zero from there on. `before` is the closest smaller size at
    which the function is not yet zero.
    """

    size: float
    value: float
    is_edge: bool
    before: float


def row_sizes(forms: np.ndarray, before: np.ndarray | None = None) -> np.ndarray:
    """Return the largest |entry| of each constraint row so far, (m,), to scale different units."""
    result = np.max(np.abs(forms), axis=(0, 2), initial=0.0)
    return result if before is None else np.maximum(result, before)


def scaled(forms: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the rows divided by their sizes; entries that are not finite become zero."""
    safe = np.where(sizes > 0.0, sizes, 1.0)[:, None]
    return np.where(np.isfinite(forms), forms, 0.0) / safe


def suspects(forms: np.ndarray, lost: float = LOST) -> np.ndarray:
    """Return the steps i, from row i to i + 1, in which the forms (rows, m, n) may lose rank."""
    if len(forms) < 2 or not forms.shape[1]:
        return np.zeros(0, int)
    least = smallest(forms)
    values = [lost_between(forms, lost)[0], np.flatnonzero(least[1:] <= 0.0)]
    if len(least) > 2:
        a, b, c = least[:-2], least[1:-1], least[2:]
        dips = np.flatnonzero((b <= a) & (b <= c) & (b < DIP * np.maximum(a, c)))
        values += [dips, dips + 1]
    return np.unique(np.concatenate(values))


def zero_in(
    least: Callable[[float], float], size: float, start: float = 0.0, first: float = 0.0
) -> Lowest | None:
    """Return the first zero in a step of this size, after `start`; None if there is none.

    `least(s)` is the smallest singular value after a step of size s, 0.0 if the step cannot be made
    or rank is lost. It decreases and increases again around a zero that is passed; if it only
    decreases up to the end of the step, that is not a zero yet. `first` is its value at the start.
    """
    seen = {0.0: first}

    def value(s: float) -> float:
        if s not in seen:
            seen[s] = least(s)
        return seen[s]

    result = lowest(value, size, start)
    if result.is_edge:
        return result
    beside = (value(result.size - _NEAR * size), value(result.size + _NEAR * size))
    # below the round-off of the largest value nothing can be resolved: x^3 of two rows looks flat
    if result.value > max(_FALL * min(beside), _ROUND_OFF * max(seen.values())):
        return None
    left = max((x for s, x in seen.items() if s < result.size), default=0.0)
    right = max((x for s, x in seen.items() if s > result.size), default=0.0)
    return result if result.value < THROUGH * min(left, right) else None


def have_zeros(
    least: Callable[[np.ndarray, np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """Whether functions fall to zero, each between its two points low and high, and rise again.

    `least(points, which)` takes points (functions, k) of the functions `which`. In each of six
    rounds the search goes on around the least of 65 values, at the end in 1e-9 of the interval. If
    the least value of a round is more than half of both end values, the function is flat there and
    has no zero.
    """
    result = np.zeros(len(low), bool)
    which, beside = np.arange(len(low)), np.zeros((len(low), 2))
    for i in range(6):
        at = np.linspace(low, high, 65, axis=1)
        values = least(at, which)
        if i == 3:  # 3e-5 of the interval
            beside = values[:, [0, -1]]
        j = np.clip(np.argmin(values, axis=1), 1, 63)[:, None]
        lowest_value = np.take_along_axis(values, j, 1)[:, 0]
        low, high = (np.take_along_axis(at, j + i, 1)[:, 0] for i in (-1, 1))
        falls = lowest_value <= 0.5 * np.min(values[:, [0, -1]], axis=1)
        if i == 5:
            result[which] = lowest_value <= _FALL * np.min(beside, axis=1)
        elif not np.any(falls):
            break
        else:
            which, beside = which[falls], beside[falls]
            low, high = low[falls], high[falls]
    return result


def lowest(least: Callable[[float], float], size: float, start: float = 0.0) -> Lowest:
    """Return the minimum in a step of this size; a lasting zero begins at `size` of the result."""
    at = start + (size - start) * np.arange(1, _SAMPLES + 1) / _SAMPLES
    values = np.array([least(float(s)) for s in at])
    zero = np.flatnonzero(values <= 0.0)
    j = int(zero[0]) if len(zero) else int(np.argmin(values))
    if len(zero) and not _is_passed(values, j):
        low, high = (float(at[j - 1]) if j else start), float(at[j])
        for _ in range(_HALVES):
            middle = 0.5 * (low + high)
            if middle in (low, high):
                break
            low, high = (middle, high) if least(middle) > 0.0 else (low, middle)
        return Lowest(high, 0.0, True, low)
    low, high = (float(at[j - 1]) if j else start), float(at[min(j + 1, _SAMPLES - 1)])
    return _golden(least, low, high, (float(at[j]), float(values[j])))


def _is_passed(values: np.ndarray, j: int) -> bool:
    """Whether the zero at sample j is a single point: the next sample is positive."""
    return j + 1 < len(values) and values[j + 1] > 0.0


def _golden(
    least: Callable[[float], float], low: float, high: float, best: tuple[float, float]
) -> Lowest:
    """Return the minimum between `low` and `high` by golden-section search."""
    x, y = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    f, g = least(x), least(y)
    for _ in range(2 * _HALVES):
        best = min(best, (x, f), (y, g), key=lambda p: p[1])
        if best[1] == 0.0 or high - low <= 2e-16 * (abs(low) + abs(high)):
            break
        if f <= g:
            high, y, g = y, x, f
            x = high - _GOLDEN * (high - low)
            f = least(x)
        else:
            low, x, f = x, y, g
            y = low + _GOLDEN * (high - low)
            g = least(y)
    return Lowest(best[0], best[1], False, low)


def rank_left(rows: np.ndarray, sizes: np.ndarray | None) -> int:
    """Return the rank of rows (m, n) at a point that was located up to round-off."""
    result = scaled(rows[None], np.ones(len(rows)) if sizes is None else sizes)[0]
    return int(np.sum(np.linalg.svd(result, compute_uv=False) > THROUGH)) if result.size else 0


__all__ = [
    "DIP",
    "THROUGH",
    "Lowest",
    "have_zeros",
    "rank_left",
    "row_sizes",
    "scaled",
    "suspects",
    "zero_in",
]
