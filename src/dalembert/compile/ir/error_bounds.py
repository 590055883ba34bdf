"""Run a tape in NumPy with a bound of the round-off of every number: running error analysis.

A difference of nearly equal terms is known to the round-off of these terms and no better, however
many digits it shows. A product of small factors is known to all its digits. A zero with the bound
zero is exact; a zero caused by underflow is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .interpret import OPERATIONS, Interpreter
from .record import Recorded
from .tape import Unsupported, Value

UNIT = 2.0**-53  # relative error of one rounding
_TINY = float(np.finfo(float).tiny)
_EXACT = frozenset("neg abs convert sign floor ceil round_even round_away".split())
_WHOLE = frozenset("eq ne lt le gt ge is_finite and or xor not nextafter".split())
_SHRINKS = frozenset("exp exp2 pow sinh tanh erfc".split())  # may underflow without small operands
_WIDER = 2.0**20  # an error is scaled up by this before its effect is measured by a difference

Pair = tuple[Any, Any]  # values and bounds, one per sample


def with_roundoff(recorded: Recorded, numbers: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return (values, bounds) of the flat outputs, of shape (outputs, samples).

    `numbers` has one row for each input, with one column per sample. The inputs are taken to be
    rounded, too.
    """
    numbers = np.asarray(numbers)
    count = numbers.shape[1]
    if any(not isinstance(x, Value) for block in recorded.tape.levels for x in block.items):
        if count > 1:  # each sample takes its own path through loops and branches
            each = [with_roundoff(recorded, numbers[:, i : i + 1]) for i in range(count)]
            return tuple(np.concatenate(x, axis=1) for x in zip(*each))  # pyright: ignore
    outs = _WithBounds(recorded, numbers).outputs()
    values, bounds = (
        np.array([np.broadcast_to(x[i], (count,)) for x in outs], dtype=float) for i in (0, 1)
    )
    return values.reshape(-1, count), bounds.reshape(-1, count)


class _WithBounds(Interpreter):
    """Computes with pairs (values, bounds), one of each per sample."""

    def given(self, value: Value, x: Any) -> Pair:
        if isinstance(x, tuple):
            return x
        numbers = x.astype(value.dtype)
        is_real = value.dtype.kind == "f"
        return numbers, UNIT * np.abs(numbers) if is_real else np.zeros(x.shape)

    def constant(self, x: Any) -> Pair:
        return x, np.float64(0.0)

    def applied(self, item: Value, operands: list[Pair]) -> Pair:
        return _applied(item, operands)

    def is_true(self, x: Pair) -> bool:
        return bool(np.all(x[0]))


# Apply one operation to values and bounds: the propagated errors of the operands, plus one
# rounding of the result.
def _applied(item: Value, given: list[Pair]) -> Pair:
    op, x, e = item.op, [v for v, _ in given], [b for _, b in given]
    if op == "select":
        return tuple(np.where(x[0], yes, no) for no, yes in zip(*given[1:]))  # pyright: ignore
    function = OPERATIONS.get(op)
    if function is None:
        raise Unsupported(f"round-off of '{op}'")
    if item.dtype.kind != "f" or op in _WHOLE:
        out = _each(function, x)
        return out.astype(item.dtype), np.zeros(np.shape(out))
    out = np.asarray(_each(function, x), dtype=item.dtype)
    if op in ("add", "sub"):
        bound = e[0] + e[1]
    elif op == "mul":
        bound = np.abs(x[0]) * e[1] + np.abs(x[1]) * e[0] + e[0] * e[1]
    elif op == "div":
        bound = (e[0] + np.abs(out) * e[1]) / np.abs(x[1])
    elif op in ("max", "min"):
        # The bound is that of the operand taken if round-off cannot change which one is taken
        # (max(x, 0) is exactly 0 for x well below 0), otherwise the larger one of the two.
        first, second = np.broadcast_arrays(*e)
        taken = np.where(out == x[0], first, second)
        sure = np.abs(x[0] - x[1]) > first + second
        return out, np.where(sure, taken, np.maximum(first, second))
    elif op in _EXACT:
        return out, np.asarray(e[0] if op in ("neg", "abs", "convert") else np.zeros(out.shape))
    else:
        bound = sum(_effect(function, x, e, i, out) for i in range(len(x)))
    bound = bound + UNIT * np.abs(out)
    # underflow loses all digits: the bound grows by the smallest normal number
    small = np.abs(out) < _TINY
    if op in _SHRINKS:
        bound = np.where(small, bound + _TINY, bound)
    elif op in ("mul", "div"):
        apart = (x[0] != 0.0) if op == "div" else (x[0] != 0.0) & (x[1] != 0.0)
        bound = np.where(small & apart, bound + _TINY, bound)
    return out, np.asarray(bound)


def _each(function: Callable[..., Any], x: list[Any]) -> np.ndarray:
    """Apply an operation to arrays, entry by entry if it is not a NumPy ufunc."""
    if isinstance(function, np.ufunc):
        return np.asarray(function(*x))
    columns = np.broadcast_arrays(*(np.atleast_1d(a) for a in x))
    return np.asarray([function(*numbers) for numbers in zip(*columns)])


def _effect(
    function: Callable[..., Any], x: list[Any], e: list[Any], i: int, out: np.ndarray
) -> np.ndarray:
    """Return how much an operand's error changes the result, to first order."""
    if not np.any(e[i]):
        return np.zeros(out.shape)
    effect = np.zeros(out.shape)
    for sign in (1.0, -1.0):
        moved = [v if k != i else v + sign * _WIDER * e[i] for k, v in enumerate(x)]
        effect = np.fmax(effect, np.abs(_each(function, moved) - out) / _WIDER)
    return effect
