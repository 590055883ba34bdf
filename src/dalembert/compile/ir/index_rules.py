"""Rules for reading and writing entries by index, known or computed.

A known index moves scalars. A computed index selects among all positions that are possible, which
is worthwhile for the small tables and matrices of mechanics.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .constant_folding import FLAG, apply, number, operation
from .scalars import filled
from .tape import Scalar, Tape, Unsupported, known

_MOST_PLACES = 64  # positions among which a computed index may select


def _places(shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """Return the largest start of a window of these sizes along each axis."""
    return [n - m for n, m in zip(shape, sizes)]


def _candidates(
    tape: Tape, start: Sequence[Scalar], most: Sequence[int], fills: bool
) -> Iterator[tuple[tuple[int, ...], Scalar]]:
    """Yield all possible starts of a window, each with the flag that it is the actual one.

    If the actual start is known, it is the only one, with the flag True. An index beyond the last
    possible start is clamped to it; with `fills`, it reads or writes nothing.
    """
    axes = []
    # The candidates along each axis; the possible starts are all combinations of them.
    for i, n in zip(start, most):
        if known(i):
            inside = 0 <= int(i) <= n
            # An index outside writes or reads nothing.
            if fills and not inside:
                return
            axes.append([(min(max(int(i), 0), n), number(True, bool))])
            continue
        whole = i.dtype
        choices = []
        for place in range(n + 1):
            # an index beyond either end is clamped to it, so the ends compare by le and ge
            op = "eq" if fills or 0 < place < n else "le" if place == 0 else "ge"
            # One position only, whatever the index.
            if n == 0 and not fills:
                choices.append((0, number(True, bool)))
            else:
                choices.append((place, apply(tape, op, FLAG, i, number(place, whole))))
        axes.append(choices)
    # Each position is a comparison and a select: large tables are better on arrays.
    if (size := math.prod(map(len, axes))) > _MOST_PLACES:
        raise Unsupported(
            f"a computed index into a table with {size} entries (at most {_MOST_PLACES})"
        )
    # `and` of flags that are known is folded away.
    for chosen in itertools.product(*axes):
        here = number(True, bool)
        for _, flag in chosen:
            here = apply(tape, "and", FLAG, here, flag)
        yield tuple(i for i, _ in chosen), here


def _fills(params: Any) -> bool:
    return "FILL" in str(params["mode"])


def _starts(index: np.ndarray, at: tuple[int, ...]) -> list[Scalar]:
    return list(index[at])


def gather(tape: Tape, eqn: Any, x: np.ndarray, index: np.ndarray) -> list[np.ndarray]:
    """Return windows of x that start at the indices."""
    # Names of dimension numbers are those of `jax.lax.gather`.
    d, sizes = eqn.params["dimension_numbers"], eqn.params["slice_sizes"]
    aval, fills = eqn.outvars[0].aval, _fills(eqn.params)
    batch = [i for i in range(len(aval.shape)) if i not in d.offset_dims]
    gone = (*d.collapsed_slice_dims, *d.operand_batching_dims)
    window = [i for i in range(x.ndim) if i not in gone]
    mapped = d.start_index_map
    most = _places([x.shape[i] for i in mapped], [sizes[i] for i in mapped])
    outside = eqn.params.get("fill_value")
    # What JAX fills in where an index is outside.
    if outside is None:
        outside = np.nan if aval.dtype.kind == "f" else 0
    choose = operation(tape, "select_n", aval.dtype)
    result: dict[tuple[int, ...], list[Any]] = {}

    def entry(position: tuple[int, ...]) -> Scalar:
        # The candidates of an index serve all entries of its window.
        at = tuple(position[i] for i in batch)
        if at not in result:
            result[at] = list(_candidates(tape, _starts(index, at), most, fills))
        base = [0] * x.ndim
        for i, j in zip(d.operand_batching_dims, d.start_indices_batching_dims):
            base[i] = at[j]
        for i, j in zip(window, d.offset_dims):
            base[i] += position[j]
        # start from the fill value, or from the first candidate, and select the others over it
        out: Scalar = None if result[at] and not fills else number(outside, aval.dtype)
        for start, here in result[at]:
            full = list(base)
            for i, s in zip(mapped, start):
                full[i] += s
            value = x[tuple(full)]
            # A candidate known to be the one needs no select.
            out = value if out is None or (known(here) and here) else choose(here, out, value)
        return out

    return [filled(aval.shape, map(entry, np.ndindex(*aval.shape)))]


def scatter(name: str | None) -> Callable[..., list[np.ndarray]]:
    """Return a rule that writes entries of `new` at indices, combined by the operation `name`."""

    def rule(tape: Tape, eqn: Any, x: np.ndarray, index: np.ndarray, new: np.ndarray):
        d, dtype = eqn.params["dimension_numbers"], eqn.outvars[0].aval.dtype
        batch = [i for i in range(new.ndim) if i not in d.update_window_dims]
        gone = (*d.inserted_window_dims, *d.operand_batching_dims)
        window = [i for i in range(x.ndim) if i not in gone]
        mapped = d.scatter_dims_to_operand_dims
        # Windows have size 1 along axes that are inserted.
        sizes = dict.fromkeys(range(x.ndim), 1)
        sizes |= {i: new.shape[j] for i, j in zip(window, d.update_window_dims)}
        most = _places([x.shape[i] for i in mapped], [sizes[i] for i in mapped])
        # JAX's writes drop indices outside, unless they are clipped.
        fills = "CLIP" not in str(eqn.params["mode"])
        put = None if name is None else operation(tape, name, dtype)
        choose = operation(tape, "select_n", dtype)
        out = x.copy()
        for position in np.ndindex(*new.shape):
            at = tuple(position[i] for i in batch)
            base = [0] * x.ndim
            for i, j in zip(d.operand_batching_dims, d.scatter_indices_batching_dims):
                base[i] = at[j]
            for i, j in zip(window, d.update_window_dims):
                base[i] += position[j]
            for start, here in _candidates(tape, _starts(index, at), most, fills):
                full = list(base)
                for i, s in zip(mapped, start):
                    full[i] += s
                # Read at once: several updates may hit one entry, and act one after the other.
                old = out[tuple(full)]
                value = new[position] if put is None else put(old, new[position])
                out[tuple(full)] = choose(here, old, value)
        return [out]

    return rule


def dynamic_slice(tape: Tape, eqn: Any, x: np.ndarray, *index: np.ndarray) -> list[np.ndarray]:
    """Return a window of x."""
    sizes = eqn.params["slice_sizes"]
    choose = operation(tape, "select_n", eqn.outvars[0].aval.dtype)
    most = _places(x.shape, sizes)
    out: np.ndarray | None = None
    for start, here in _candidates(tape, [i[()] for i in index], most, False):
        part = x[tuple(slice(i, i + n) for i, n in zip(start, sizes))]
        # The first candidate stands for "none of the others".
        if out is None:
            out = part
        else:
            out = filled(sizes, (choose(here, a, b) for a, b in zip(out.flat, part.flat)))
    assert out is not None
    return [out]


def dynamic_update_slice(
    tape: Tape, eqn: Any, x: np.ndarray, new: np.ndarray, *index: np.ndarray
) -> list[np.ndarray]:
    """Return x with a window replaced."""
    choose = operation(tape, "select_n", eqn.outvars[0].aval.dtype)
    out = x.copy()
    for start, here in _candidates(
        tape, [i[()] for i in index], _places(x.shape, new.shape), False
    ):
        part = tuple(slice(i, i + n) for i, n in zip(start, new.shape))
        old = out[part]
        out[part] = filled(new.shape, (choose(here, a, b) for a, b in zip(old.flat, new.flat)))
    return [out]


# -- sorting and extrema --------------------------------------------------------------------------


def _rows(x: np.ndarray, axis: int) -> tuple[list[list[Scalar]], Callable[[Any], np.ndarray]]:
    moved = np.moveaxis(x, axis, -1)
    rows = [list(row) for row in moved.reshape(-1, moved.shape[-1])]

    def back(new: list[list[Scalar]]) -> np.ndarray:
        return np.moveaxis(filled(moved.shape, itertools.chain(*new)), -1, axis)

    return rows, back


def sort(tape: Tape, eqn: Any, *xs: np.ndarray) -> list[np.ndarray]:
    """Sort a few entries, stably, by bubble sort."""
    # NumPy and JAX sort the other operands along with the key.
    axis, keys = eqn.params["dimension"], eqn.params["num_keys"]
    if keys != 1:
        raise Unsupported("a sort by several keys")
    n = xs[0].shape[axis]
    # Bubble sort takes n^2 / 2 comparisons: 16 entries are 120.
    if n > 16:
        raise Unsupported(f"a sort of {n} entries")
    parts = [_rows(x, axis) for x in xs]
    chosen = [operation(tape, "select_n", v.aval.dtype) for v in eqn.outvars]
    for r in range(len(parts[0][0])):
        rows = [rows[r] for rows, _ in parts]
        for end in range(n - 1, 0, -1):
            for i in range(end):
                # "lt_to": JAX's total order, in which NaN is last.
                swap = apply(tape, "lt_to", FLAG, rows[0][i + 1], rows[0][i])
                for row, choose in zip(rows, chosen):
                    a, b = row[i], row[i + 1]
                    row[i], row[i + 1] = choose(swap, a, b), choose(swap, b, a)
    return [back(rows) for rows, back in parts]


def extreme(op: str) -> Callable[..., list[np.ndarray]]:
    """Return a rule for the index of the largest ("gt") or smallest ("lt") entry.

    The first of equal entries wins, and NaN wins over all.
    """

    def rule(tape: Tape, eqn: Any, x: np.ndarray) -> list[np.ndarray]:
        (axis,) = eqn.params["axes"]
        aval = eqn.outvars[0].aval
        rows, _ = _rows(x, axis)

        def place(row: list[Scalar]) -> Scalar:
            best, at = row[0], number(0, aval.dtype)
            for i, y in enumerate(row[1:], 1):
                better = apply(tape, op, FLAG, y, best)
                # NaN wins over all numbers. Of several NaN the first wins: once `best` is NaN,
                # `fine` is false and nothing replaces it.
                if y.dtype.kind == "f":
                    nan = apply(tape, "ne", FLAG, y, y)
                    fine = apply(tape, "eq", FLAG, best, best)
                    better = apply(tape, "and", FLAG, apply(tape, "or", FLAG, better, nan), fine)
                best = operation(tape, "select_n", y.dtype)(better, best, y)
                at = operation(tape, "select_n", aval.dtype)(better, at, number(i, aval.dtype))
            return at

        return [filled(aval.shape, map(place, rows))]

    return rule


def cumulative(name: str) -> Callable[..., list[np.ndarray]]:
    """Return a rule for cumulative sums and the like."""

    def rule(tape: Tape, eqn: Any, x: np.ndarray) -> list[np.ndarray]:
        put = operation(tape, name, eqn.outvars[0].aval.dtype)
        rows, back = _rows(x, eqn.params["axis"])
        turned = eqn.params["reverse"]
        # In order: floating-point sums depend on it.
        result = [list(itertools.accumulate(row[::-1] if turned else row, put)) for row in rows]
        return [back([row[::-1] if turned else row for row in result])]

    return rule


RULES: dict[str, Callable[..., Any]] = {
    "gather": gather,
    "scatter": scatter(None),
    "scatter-add": scatter("add"),
    "scatter_add": scatter("add"),
    "scatter-mul": scatter("mul"),
    "scatter_mul": scatter("mul"),
    "scatter_min": scatter("min"),
    "scatter_max": scatter("max"),
    "dynamic_slice": dynamic_slice,
    "dynamic_update_slice": dynamic_update_slice,
    "sort": sort,
    "argmax": extreme("gt"),
    "argmin": extreme("lt"),
    "cumsum": cumulative("add"),
    "cumprod": cumulative("mul"),
    "cummax": cumulative("max"),
    "cummin": cumulative("min"),
}
