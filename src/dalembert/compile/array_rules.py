"""Rules for primitives on arrays: lanes move, are summed, are chosen."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .folding import operation
from .lanes import entries, filled, lanes_of
from .tape import Unsupported, known


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


def _dynamic_slice(tape, eqn, x, *index):
    sizes = eqn.params["slice_sizes"]
    first = _known_index(index, x.shape, sizes)
    return [x[tuple(slice(i, i + n) for i, n in zip(first, sizes))]]


def _dynamic_update_slice(tape, eqn, x, new, *index):
    first = _known_index(index, x.shape, new.shape)
    out = x.copy()
    out[tuple(slice(i, i + n) for i, n in zip(first, new.shape))] = new
    return [out]


def _known_index(index, shape, sizes) -> list[int]:
    if not all(known(i[()]) for i in index):
        raise Unsupported("an index that is computed")
    return [min(max(int(i[()]), 0), n - m) for i, n, m in zip(index, shape, sizes)]


def _moved(eqn, index, *data: np.ndarray) -> np.ndarray:
    """Where a primitive that only moves entries takes them: it is applied to their numbers."""
    if not all(map(known, index.flat)):
        raise Unsupported("an index that is computed")
    starts = np.cumsum([0, *(x.size for x in data)])
    numbers = [a + np.arange(x.size).reshape(x.shape) for a, x in zip(starts, data)]
    where = np.array(index.tolist(), eqn.invars[1].aval.dtype).reshape(index.shape)
    params = {**eqn.params, **({"fill_value": -1} if "fill_value" in eqn.params else {})}
    with jax.ensure_compile_time_eval():
        arrays = map(jnp.asarray, (numbers[0], where, *numbers[1:]))
        moved = np.asarray(eqn.primitive.bind(*arrays, **params))
    if np.any((moved < 0) | (moved >= starts[-1])):
        raise Unsupported("an index out of bounds")
    return moved


def _gather(tape, eqn, x, index):
    return [x.ravel()[_moved(eqn, index, x)]]


def _scatter(tape, eqn, x, index, new):
    return [np.concatenate([x.ravel(), new.ravel()])[_moved(eqn, index, x, new)]]


def _scatter_add(tape, eqn, x, index, new):
    # by linearity: each entry of `new` is added where the primitive puts a lone one
    if not all(map(known, index.flat)):
        raise Unsupported("an index that is computed")
    numbers = np.array(index.tolist(), eqn.invars[1].aval.dtype).reshape(index.shape)
    with jax.ensure_compile_time_eval():
        where = jnp.asarray(numbers)
        units = jnp.eye(new.size).reshape((new.size, *new.shape))
        add = functools.partial(eqn.primitive.bind, **eqn.params)
        hits = [np.asarray(add(jnp.zeros(x.shape), where, unit)) for unit in units]
    apply = operation(tape, "add", eqn.outvars[0].aval.dtype)
    out = x.copy()
    for value, hit in zip(new.flat, hits):
        for i in zip(*np.nonzero(hit)):
            out[i] = apply(out[i], value)
    return [out]


def _pad(tape, eqn, x, value):
    if any(low < 0 or high < 0 for low, high, _ in eqn.params["padding_config"]):
        raise Unsupported("negative padding")
    out = filled(eqn.outvars[0].aval.shape, iter(lambda: value[()], object()))
    index = tuple(
        slice(low, low + max((n - 1) * (inner + 1) + 1, 0), inner + 1)
        for (low, _, inner), n in zip(eqn.params["padding_config"], x.shape)
    )
    out[index] = x
    return [out]


def _iota(tape, eqn):
    dtype, shape, d = (eqn.params[k] for k in ("dtype", "shape", "dimension"))
    column = np.arange(shape[d], dtype=dtype).reshape(
        [-1 if i == d else 1 for i in range(len(shape))]
    )
    return [lanes_of(np.broadcast_to(column, shape))]


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
    zero = np.zeros((), dtype)[()]
    return [
        filled(
            (a.shape[0], a.shape[1], b.shape[1]),
            (
                functools.reduce(add, map(mul, row, column), zero)
                for rows, columns in zip(a, b)
                for row in rows
                for column in columns
            ),
        ).reshape(eqn.outvars[0].aval.shape)
    ]


def _reduction(name: str, empty: Any):
    def rule(tape, eqn, x):
        aval, axes = eqn.outvars[0].aval, eqn.params["axes"]
        kept = [i for i in range(x.ndim) if i not in axes]
        size = math.prod(x.shape[i] for i in axes)
        rows = x.transpose((*kept, *axes)).reshape((math.prod(aval.shape), size))
        apply = operation(tape, name, aval.dtype)
        first = [np.asarray(empty, aval.dtype)[()]] if not rows.shape[1] else []
        return [filled(aval.shape, (functools.reduce(apply, [*first, *row]) for row in rows))]

    return rule


ARRAYS: dict[str, Callable[..., Any]] = {
    "broadcast_in_dim": _broadcast,
    "reshape": _reshape,
    "squeeze": _reshape,
    "expand_dims": _reshape,
    "slice": _slice,
    "pad": _pad,
    "iota": _iota,
    "dot_general": _dot,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    "scatter": _scatter,
    "scatter-add": _scatter_add,
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
