"""Lookup tables that compiled code reads from memory, by address.

A table that is an array of parameters costs one scalar of code for each entry. Here a table is two
numbers, its address and its length, so compiled code does not depend on the length. `held` replaces
the tables of a tree by such references; tables whose numbers are traced stay as they are. An
address is valid as long as its array lives: `Place` keeps the array alive, and a pickle of it holds
the array.

Two operations are recorded on the tape: `locate`, the index of the last entry of an increasing
array that is not above a number, and `load`, an entry. XLA reads the table by a callback.
"""

from __future__ import annotations

import collections
import ctypes
import functools
from typing import Any

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from ...doors import Module
from .constant_folding import FLAG, apply, number, operation
from .scalars import filled
from .tape import Scalar, Tape

WHOLE = np.dtype(np.int64)


class Tabulated(Module):
    """A function of one number, given by its values at increasing times.

    It is linear between the times, or with `hold` piecewise constant (the value of the last time).
    Outside it is constant.
    """

    times: eqx.AbstractVar[Any]
    values: eqx.AbstractVar[Any]
    hold: eqx.AbstractVar[bool]


class TableInMemory(eqx.Module):
    """A table in memory: (address, length) of its times and of its rows of values."""

    times: Any
    values: Any
    columns: int = eqx.field(static=True)
    hold: bool = eqx.field(static=True)

    def __call__(self, t: Any) -> jax.Array:
        given = jnp.concatenate([self.times, self.values])
        return _lookup().bind(given, jnp.asarray(t, float), **self._static, slope=False)

    @property
    def _static(self) -> dict[str, Any]:
        return {"columns": self.columns, "hold": self.hold}


class Place(np.ndarray):
    """The numbers (address, length) of an array, together with the array itself."""

    held: Any = None

    def __reduce__(self) -> Any:
        return _place, (self.held, self.ndim > 1)

    def __array_finalize__(self, of: Any) -> None:
        self.held = getattr(of, "held", None)


def _place(array: np.ndarray, many: bool = False) -> Place:
    """Return (address, entries) of an array, or of each array along its first axis.

    Addresses are exact as doubles: they are below 2^53.
    """
    parts = array if many else array[None]
    numbers = [[x.ctypes.data, len(x)] for x in parts]
    result = np.asarray(numbers if many else numbers[0], dtype=float).view(Place)
    # The array has to outlive its address.
    result.held = array
    _recent.append(array)
    return result


# A run holds its `Place`s, and so its tables, until it ends. XLA may call back after that, because
# it computes in the background: the last 16 tables stay alive (a chosen number; one run has one or
# two).
_recent: collections.deque[np.ndarray] = collections.deque(maxlen=16)


def held(tree: Any) -> Any:
    """Return the tree with its tables of known numbers in memory, and all else as it is."""

    def one(x: Any) -> Any:
        # Traced tables stay arrays: their numbers are not known.
        if not _is_table(x):
            return x
        # Contiguous doubles: compiled code reads them by address.
        times = np.ascontiguousarray(x.times, dtype=float)
        values = np.ascontiguousarray(x.values, dtype=float).reshape(*times.shape, -1)
        many = times.ndim > 1  # a table for each member of an ensemble
        return TableInMemory(_place(times, many), _place(values, many), values.shape[-1], x.hold)

    return jax.tree.map(one, tree, is_leaf=_is_table)


def is_place(tree: Any) -> np.ndarray:
    """Return a mask of the packed tree: which numbers are the address or length of a table.

    An address means nothing in another process, so resume compares the tables themselves.
    """
    leaves = jax.tree.leaves(tree)
    flags = [np.full(np.size(x), isinstance(x, Place)) for x in leaves]
    return np.concatenate(flags) if flags else np.zeros(0, bool)


def _is_table(x: object) -> bool:
    if not isinstance(x, Tabulated):
        return False
    arrays = (x.times, x.values)
    if not all(isinstance(a, (jax.Array, np.ndarray)) for a in arrays):
        return False  # shapes in place of arrays
    return not any(isinstance(a, jax.core.Tracer) for a in arrays)


# -- the lookup ----------------------------------------------------------------------------------


def _read(at: np.ndarray, t: np.ndarray, columns: int, hold: bool, slope: bool) -> np.ndarray:
    """Look up one table at many t, in NumPy."""
    count = int(at[1])
    times = numbers_at(at[0], count)
    values = numbers_at(at[2], count * columns).reshape(count, columns)
    # right: at an entry itself the interval that begins there counts.
    last = np.searchsorted(times, t, side="right") - 1
    i, j = np.maximum(last, 0), np.minimum(last + 1, count - 1)
    if hold:
        return np.zeros((*t.shape, columns)) if slope else values[i]
    inside = i < j
    width = np.where(inside, times[j] - times[i], 1.0)[..., None]
    rise = values[j] - values[i]
    # The derivative is zero outside, where the function is constant.
    if slope:
        return np.where(inside[..., None], rise / width, 0.0)
    return values[i] + np.where(inside, t - times[i], 0.0)[..., None] / width * rise


def _read_all(at: Any, t: Any, **how: Any) -> np.ndarray:
    """Look up one table or many, with leading axes that broadcast."""
    at, t = np.asarray(at), np.asarray(t)
    shape = np.broadcast_shapes(at.shape[:-1], t.shape)
    places = np.broadcast_to(at, (*shape, at.shape[-1])).reshape(-1, at.shape[-1])
    points, out = np.broadcast_to(t, shape).ravel(), np.empty((len(places), how["columns"]))
    # Members mostly share a table: one search for all of them.
    for place in np.unique(places, axis=0):
        here = np.all(places == place, axis=1)
        out[here] = _read(place, points[here], **how)
    return out.reshape(*shape, how["columns"])


def numbers_at(address: int, count: int) -> np.ndarray:
    """Return the doubles at an address."""
    return np.ctypeslib.as_array((ctypes.c_double * count).from_address(int(address)))


def _by_callback(at: Any, t: Any, **how: Any) -> jax.Array:
    like = jax.ShapeDtypeStruct((how["columns"],), np.dtype(float))
    return jax.pure_callback(
        lambda a, b: _read_all(a, b, **how), like, at, t, vmap_method="expand_dims"
    )


@functools.cache
def _lookup() -> Any:
    """Return the JAX primitive, made at first use: its import is a tenth of `import dalembert`."""
    from jax.extend.core import Primitive
    from jax.interpreters import ad, batching, mlir

    made = Primitive(_NAME)
    made.def_impl(lambda at, t, **how: jnp.asarray(_read_all(at, t, **how)))
    made.def_abstract_eval(
        lambda at, t, *, columns, hold, slope: jax.core.ShapedArray((columns,), np.dtype(float))
    )
    mlir.register_lowering(made, mlir.lower_fun(_by_callback, multiple_results=False))
    batching.primitive_batchers[made] = _batched
    ad.primitive_jvps[made] = _tangent
    return made


_NAME = "table_lookup"


def _batched(args: Any, axes: Any, **how: Any) -> tuple[Any, int]:
    """Batch the lookup: up to `_WRITTEN` one by one, which can be recorded; more in a callback."""
    size = next(x.shape[a] for x, a in zip(args, axes) if a is not None)

    # Scalar code needs one lookup for each direction; a callback takes them all.
    def entry(x: Any, a: Any, i: int) -> Any:
        return x if a is None else jax.lax.index_in_dim(x, i, a, keepdims=False)

    if size > _WRITTEN:
        moved = tuple(None if a is None else 0 for a in axes)
        given = [x if a is None else jnp.moveaxis(x, a, 0) for x, a in zip(args, axes)]
        return jax.vmap(lambda at, t: _by_callback(at, t, **how), moved)(*given), 0
    result = [_lookup().bind(*map(entry, args, axes, [i] * 2), **how) for i in range(size)]
    return jnp.stack(result), 0


_WRITTEN = 16  # lookups that are written one after the other: stages and directions of a step


def _tangent(values: Any, tangents: Any, **how: Any) -> tuple[Any, Any]:
    """Return the derivative times that of t; addresses have no derivative."""
    from jax.interpreters import ad

    (at, t), dt = values, tangents[1]
    out = _lookup().bind(at, t, **how)
    # Constant pieces have the derivative zero, and second derivatives vanish.
    if isinstance(dt, ad.Zero) or how["hold"] or how["slope"]:
        return out, ad.Zero(jax.core.ShapedArray(out.shape, out.dtype))
    return out, _lookup().bind(at, t, **{**how, "slope": True}) * dt


# -- the rule of the recorder --------------------------------------------------------------------


def rule(tape: Tape, eqn: Any, at: np.ndarray, t: np.ndarray) -> list[np.ndarray]:
    """Record the scalar operations of a lookup."""
    columns, hold, slope = (eqn.params[x] for x in ("columns", "hold", "slope"))
    # Addresses and lengths are exact as doubles, and integers in code.
    start, count, data, _ = (apply(tape, "convert_element_type", WHOLE, x) for x in at)
    x = t[()]
    # `locate` searches by bisection; everything else is arithmetic.
    last = tape.make("locate", WHOLE, start, count, x)
    one = number(1, WHOLE)

    def whole(op: str, *xs: Scalar) -> Scalar:
        return apply(tape, op, WHOLE, *xs)

    def entry(row: Scalar, column: int) -> Scalar:
        place = whole("add", whole("mul", row, number(columns, WHOLE)), number(column, WHOLE))
        return tape.make("load", float, data, place)

    i = whole("max", last, number(0, WHOLE))
    # Piecewise constant: the value of the last time, and derivative 0.
    if hold:
        rows = [number(0.0, float) if slope else entry(i, c) for c in range(columns)]
        return [filled((columns,), rows)]

    def real(op: str, *xs: Scalar) -> Scalar:
        return apply(tape, op, float, *xs)

    choose = operation(tape, "select_n", float)
    j = whole("min", whole("add", last, one), whole("sub", count, one))
    a, b = tape.make("load", float, start, i), tape.make("load", float, start, j)
    inside = apply(tape, "lt", FLAG, i, j)  # neither before the first entry nor after the last
    # A width of 1 outside, where nothing is divided by it in the end.
    width = choose(inside, number(1.0, float), real("sub", b, a))
    part = choose(inside, number(0.0, float), real("div", real("sub", x, a), width))
    out = []
    for c in range(columns):
        low = entry(i, c)
        rise = real("sub", entry(j, c), low)
        if slope:
            out.append(choose(inside, number(0.0, float), real("div", rise, width)))
        else:
            out.append(real("add", low, real("mul", part, rise)))
    return [filled((columns,), out)]


RULES = {_NAME: rule}

__all__ = ["RULES", "TableInMemory", "Place", "Tabulated", "held", "is_place", "numbers_at"]
