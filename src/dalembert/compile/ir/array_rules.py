"""Rules for primitives on arrays: scalars are moved, summed or selected."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import index_rules, matrix_rules, memory_rules, table_lookup
from .constant_folding import FLOAT, operation
from .scalars import entries, filled, scalars_of
from .tape import known


def _broadcast(tape, eqn, x, *_):
    shape, dims = eqn.params["shape"], eqn.params["broadcast_dimensions"]
    ones = [1] * len(shape)
    for d, n in zip(dims, x.shape):
        ones[d] = n
    return [np.broadcast_to(x.reshape(ones), shape)]


def _reshape(tape, eqn, x, *_):
    return [x.reshape(eqn.outvars[0].aval.shape)]


def _slice(tape, eqn, x):
    p = eqn.params
    strides = p["strides"] or (1,) * x.ndim
    limits = zip(p["start_indices"], p["limit_indices"], strides)
    return [x[tuple(slice(*limit) for limit in limits)]]


def _pad(tape, eqn, x, value):
    shape, inside, remaining = [], [], []
    for (low, high, inner), n in zip(eqn.params["padding_config"], x.shape):
        before, spread = max(low, 0), max((n - 1) * (inner + 1) + 1, 0)
        shape.append(before + spread + max(high, 0))
        inside.append(slice(before, before + spread, inner + 1))
        # a negative width removes entries
        remaining.append(slice(max(-low, 0), shape[-1] - max(-high, 0)))
    out = filled(shape, iter(lambda: value[()], object()))
    out[tuple(inside)] = x
    return [out[tuple(remaining)]]


def _iota(tape, eqn):
    dtype, shape, d = (eqn.params[k] for k in ("dtype", "shape", "dimension"))
    column = np.arange(shape[d], dtype=dtype).reshape(
        [-1 if i == d else 1 for i in range(len(shape))]
    )
    return [scalars_of(np.broadcast_to(column, shape))]


def _empty(tape, eqn):
    """Return zeros for an array that is written before it is read."""
    aval = eqn.outvars[0].aval
    return [scalars_of(np.zeros(aval.shape, aval.dtype))]


# `dot_general`: both operands become (batch, free, contracted); large products go to memory.
def _dot(tape, eqn, a, b):
    (ca, cb), (ba, bb) = eqn.params["dimension_numbers"]
    dtype = eqn.outvars[0].aval.dtype
    add, mul = (operation(tape, name, dtype) for name in ("add", "mul"))

    def arranged(x, batch, contracted):
        free = [i for i in range(x.ndim) if i not in (*batch, *contracted)]
        groups = (batch, free, contracted)
        sizes = [math.prod(x.shape[i] for i in g) for g in groups]
        return x.transpose([i for g in groups for i in g]).reshape(sizes)

    a, b = arranged(a, ba, ca), arranged(b, bb, cb)
    if tape.takes_memory and len(a) == 1 and dtype == FLOAT:
        result = memory_rules.product(tape, a[0], b[0])
        if result is not None:
            return [result.reshape(eqn.outvars[0].aval.shape)]
    if tape.takes_memory and dtype == FLOAT:
        result = memory_rules.products(tape, a, b)
        if result is not None:
            return [result.reshape(eqn.outvars[0].aval.shape)]
    zero = np.zeros((), dtype)[()]
    values = []
    for rows, columns in zip(a.tolist(), b.tolist()):
        # Most factors are known zeros of matrices, which are left out before any product is made.
        left, right = _terms(rows), _terms(columns)
        tape.dropped += _beside_zeros(left, columns) + _beside_zeros(right, rows)
        for row in left:
            for column in right:
                products = [mul(x, column[j]) for j, x in row.items() if j in column]
                values.append(functools.reduce(add, products) if products else zero)
    return [filled((a.shape[0], a.shape[1], b.shape[1]), values).reshape(eqn.outvars[0].aval.shape)]


def _terms(rows: list[list[Any]]) -> list[dict[int, Any]]:
    """Return the scalars of each row that are not known to be zero, by position."""
    return [{j: x for j, x in enumerate(row) if not known(x) or x != 0} for row in rows]


def _beside_zeros(terms: list[dict[int, Any]], others: list[list[Any]]) -> list[Any]:
    """Return the values of `others` that a known zero, left out of the terms, multiplies."""
    whole = sum(map(len, terms)) == len(terms) * len(others[0]) if others else True
    if whole:
        return []
    places = [j for j in range(len(others[0])) if any(j not in row for row in terms)]
    return [x for other in others for j in places if not known(x := other[j])]


# Return the rule of a reduction; `empty` is its value for no entries.
def _reduction(name: str, empty: Any):
    def rule(tape, eqn, x):
        aval, axes = eqn.outvars[0].aval, eqn.params["axes"]
        remaining = [i for i in range(x.ndim) if i not in axes]
        size = math.prod(x.shape[i] for i in axes)
        rows = x.transpose((*remaining, *axes)).reshape((math.prod(aval.shape), size))
        if tape.takes_memory and aval.dtype == FLOAT:
            result = memory_rules.reduced(tape, name, rows)
            if result is not None and len(rows) > 1:
                return [result.reshape(aval.shape)]
            rows = rows if result is None else result[None]
        apply = operation(tape, name, aval.dtype)
        first = [np.asarray(empty, aval.dtype)[()]] if not rows.shape[1] else []
        return [filled(aval.shape, (functools.reduce(apply, [*first, *row]) for row in rows))]

    return rule


ARRAYS: dict[str, Callable[..., Any]] = {
    **index_rules.RULES,
    **matrix_rules.RULES,
    **table_lookup.RULES,
    "broadcast_in_dim": _broadcast,
    "reshape": _reshape,
    "squeeze": _reshape,
    "expand_dims": _reshape,
    "slice": _slice,
    "pad": _pad,
    "iota": _iota,
    "empty": _empty,
    "empty2": _empty,
    "tile": lambda tape, eqn, x: [np.tile(x, eqn.params["reps"])],
    "dot_general": _dot,
    "transpose": lambda tape, eqn, x: [x.transpose(eqn.params["permutation"])],
    "rev": lambda tape, eqn, x: [np.flip(x, eqn.params["dimensions"])],
    "concatenate": lambda tape, eqn, *xs: [np.concatenate(xs, eqn.params["dimension"])],
    "stack": lambda tape, eqn, *xs: [np.stack(xs, eqn.params["axis"])],
    "unstack": lambda tape, eqn, x: entries(np.moveaxis(x, eqn.params["axis"], 0)),
    "split": lambda tape, eqn, x: np.split(
        x, np.cumsum(eqn.params["sizes"])[:-1], eqn.params["axis"]
    ),
    "reduce_sum": _reduction("add", 0),
    "reduce_prod": _reduction("mul", 1),
    "reduce_max": _reduction("max", -np.inf),
    "reduce_min": _reduction("min", np.inf),
    "reduce_and": _reduction("and", True),
    "reduce_or": _reduction("or", False),
}
