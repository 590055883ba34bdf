"""Rules for large arrays: they lie in memory, and one operation computes a whole array.

Scalar code for a matrix of 50 rows would be a hundred thousand operations to compile. Here a
product of matrices, a solve or a sum over rows is one operation on the tape, whatever its size.
What only moves numbers (slices, transposed and joined matrices) moves scalars, as for small arrays;
the next operation on arrays copies them together (`packed`). Entries known to be zero are left out
as long as few scalars are left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .constant_folding import FLAG, FLOAT, apply, number, operation
from .scalars import filled
from .tape import Memory, Scalar, Tape, Value, known

_FEW = 128  # arrays with fewer entries are computed as scalars
_FEW_MATRICES = 16  # fewer small matrices are multiplied as scalars
_FEW_PRODUCTS = 600  # a product of matrices with fewer multiplications is computed as scalars
CARRIED = 64  # an array carried by a loop lies in memory if it has at least so many entries

# elementwise operations on whole arrays; all others are computed scalar by scalar
_MAPPED = {
    *("add", "sub", "mul", "div", "neg", "abs", "sqrt", "max", "min", "select_n", "square"),
    *("add_any", "integer_pow"),
}
_MEANT = {"add_any": "add", "select_n": "select"}
_TRIVIAL: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    # known operands, left and right, that leave nothing to compute
    "mul": ((0.0, 1.0), (0.0, 1.0)),
    "add": ((0.0,), (0.0,)),
    "add_any": ((0.0,), (0.0,)),
    "sub": ((), (0.0,)),
    "div": ((0.0,), (1.0,)),
}


def _is_entry(x: Scalar) -> bool:
    return x.__class__ is Value and x.op == "entry"


def whole(scalars: np.ndarray) -> Memory | None:
    """Return the array in memory whose entries these are, in order, or None."""
    first = scalars.flat[0]
    if not _is_entry(first):
        return None
    array: Memory = first.operands[0]
    if array.size != scalars.size or array.shape[1] != scalars.shape[-1]:
        return None
    return array if all(x is y for x, y in zip(scalars.flat, array.entries)) else None


def packed(tape: Tape, scalars: np.ndarray) -> Memory:
    """Return scalars as a matrix in memory; all axes but the last are its rows."""
    # Entries of one array, in order: it lies in memory already.
    found = whole(scalars)
    if found is not None:
        return found
    shape = (scalars.size // scalars.shape[-1], scalars.shape[-1])
    sources: dict[int, tuple[Memory, list[int], list[int]]] = {}
    stored: dict[int, tuple[Value, list[int]]] = {}
    fixed: list[tuple[int, float]] = []
    for i, x in enumerate(scalars.flat):
        if known(x):
            # Zeros are not written: the array is cleared first.
            if x != 0.0:
                fixed.append((i, float(x)))
        elif x.op == "entry":
            array, j = x.operands
            _, to, at = sources.setdefault(array.number, (array, [], []))
            to.append(i)
            at.append(int(j))
        else:
            stored.setdefault(x.number, (x, []))[1].append(i)
    # A scalar that fills many entries is stored once.
    stores = sum(len(at) for _, at in stored.values())
    # scalars used often: store each once, and copy from there by a table
    if stores > 2 * len(stored) + _FEW:
        column = packed(tape, filled((1, len(stored)), (x for x, _ in stored.values())))
        pairs = [(i, j) for j, (_, at) in enumerate(stored.values()) for i in at]
        to, at = zip(*sorted(pairs))
        sources[column.number] = (column, list(to), list(at))
        stored = {}
    copies = tuple((tuple(to), tuple(at)) for _, to, at in sources.values())
    places = tuple(tuple(at) for _, at in stored.values())
    operands = (*(a for a, _, _ in sources.values()), *(x for x, _ in stored.values()))
    return tape.array("pack", shape, operands, (copies, places, tuple(fixed)))


def scalars_in(array: Memory, shape: Sequence[int]) -> np.ndarray:
    """Return the entries of an array in memory as an array of scalars."""
    return filled(shape, array.entries)


def columnwise(tape: Tape, kind: str, *xs: np.ndarray) -> np.ndarray | None:
    """Return the result of an operation of `tracing.products`; None if scalars are better."""
    # number of axes before the last one, which counts the vectors or matrices
    least = 2 if kind == "products" else 1
    size = max(x.size for x in xs)
    if size < CARRIED or any(all(map(known, x.flat)) for x in xs):
        return None
    if any(x.ndim != least + 1 for x in xs) and kind != "put":
        return None
    given = tuple(packed(tape, x) for x in xs)
    if kind == "put":
        return scalars_in(given[0], xs[0].shape)
    count = xs[0].shape[-1]
    if kind == "cross":
        return scalars_in(tape.array("cross", (3, count), given, ()), (3, count))
    (m, k, _), p = xs[0].shape, xs[1].shape[1]
    found = tape.array("products", (m * p, count), given, (m, k, p))
    return scalars_in(found, (m, p, count))


# -- elementwise ----------------------------------------------------------------------------------


def mapped(
    tape: Tape, name: str, params: Any, shape: Sequence[int], xs: Sequence[np.ndarray]
) -> np.ndarray | None:
    """Record an elementwise operation on doubles in memory; None if scalars are better."""
    # Short arrays are faster as scalars, which LLVM keeps in registers.
    size, chosen = math.prod(shape), None
    if size < _FEW or name not in _MAPPED or (name == "integer_pow" and params["y"] != 2):
        return None
    if name == "select_n":
        which, *xs = xs
        if len(xs) != 2 or (chosen := _same(which)) is None or known(chosen):
            return None
        if chosen.dtype != bool:
            return None
    columns = [list(np.broadcast_to(x, shape).flat) for x in xs]
    # Only if some operand lies in memory, which a sample of about 64 of its entries shows.
    if not any(_is_entry(x) for column in columns for x in column[:: max(1, size // 64)]):
        return None
    trivial = _TRIVIAL.get(name)
    # count the entries that need an operation
    busy = 0
    for of_one in zip(*columns):
        if not any(map(_is_entry, of_one)):
            continue
        if any(known(x) and float(x) in t for x, t in zip(of_one, trivial or ())):
            continue
        busy += 1
    # Few entries need an operation: scalar code computes these alone.
    if busy < _FEW:
        return None
    how: list[Any] = []
    operands: list[Value] = []

    def give(x: Any) -> None:
        how.append(float(x) if known(x) else None)
        if not known(x):
            operands.append(x)

    if name == "select_n":
        give(chosen)
    for x in xs:
        one = _same(x)
        give(packed(tape, np.broadcast_to(x, shape)) if one is None else one)
    if name in ("square", "integer_pow"):
        name, how, operands = "mul", how * 2, operands * 2
    matrix = (size // shape[-1], shape[-1])
    found = tape.array("map", matrix, tuple(operands), (_MEANT.get(name, name), *how))
    return scalars_in(found, shape)


def _same(x: np.ndarray) -> Scalar:
    """Return the scalar that fills all entries; None if entries differ."""
    first = x.flat[0]
    if x.size == 1 or all(s == 0 or n == 1 for s, n in zip(x.strides, x.shape)):
        return first
    return first if all(y is first for y in x.flat) else None


# -- sums, products, solves -----------------------------------------------------------------------


def product(tape: Tape, a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """Return a b^T of matrices of scalars, computed in memory; None if scalars are better."""
    (m, k), n = a.shape, b.shape[0]
    # Small products stay in registers.
    if m * n * k < _FEW_PRODUCTS:
        return None
    # count only products without a known zero
    left, right = (np.array([[not known(x) or x != 0 for x in y] for y in z]) for z in (a, b))
    if int(left.sum(axis=0) @ right.sum(axis=0)) < _FEW_PRODUCTS:
        return None
    # A matrix times a vector reads each entry once.
    if n == 1 or m == 1:
        matrix, vector = (a, b) if n == 1 else (b, a)
        turned = whole(matrix.T)
        if turned is not None:  # use the rows of the transpose, which are contiguous
            found = tape.array(
                "matmul", (1, turned.shape[1]), (packed(tape, vector), turned), (False,)
            )
        else:
            given = (packed(tape, matrix), packed(tape, vector))
            found = tape.array("matvec", (1, len(matrix)), given, ())
        return scalars_in(found, (m, n))
    other = packed(tape, b.T)
    # The transpose of a matrix in memory is read with other strides, without a copy.
    turned = whole(a.T) if whole(a) is None else None
    first = packed(tape, a) if turned is None else turned
    found = tape.array("matmul", (m, n), (first, other), (turned is not None,))
    return scalars_in(found, (m, n))


_SHORT = 4  # the longest sums of products that are written out, for many small matrices


def products(tape: Tape, a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """Return a b^T of many small matrices, by operations on whole arrays.

    Returns None if scalars are better. The first axis of a and of b counts the matrices. In the
    operations on arrays it is the last axis, along which loops run.
    """
    (count, m, k), n = a.shape, b.shape[1]
    shape = (m, n, count)
    if not 0 < k <= _SHORT or count < _FEW_MATRICES:
        return None
    terms = []
    for j in range(k):
        left, right = np.moveaxis(a[:, :, j], 0, -1), np.moveaxis(b[:, :, j], 0, -1)
        both = np.broadcast_to(left[:, None], shape), np.broadcast_to(right[None], shape)
        found = mapped(tape, "mul", {}, shape, both)
        if found is None:
            return None
        terms.append(found)
    total = terms[0]
    for term in terms[1:]:
        more = mapped(tape, "add", {}, shape, (total, term))
        if more is None:
            return None
        total = more
    return np.moveaxis(total, -1, 0)


def reduced(tape: Tape, name: str, rows: np.ndarray) -> np.ndarray | None:
    """Return the sum or extremum of each row, computed in memory; None if scalars are better."""
    count, size = rows.shape
    if rows.size < _FEW or name not in ("add", "max", "min"):
        return None
    busy = sum(map(_is_entry, rows.flat))
    # At least half of the entries in memory: packing the others costs a store each.
    if busy < _FEW or 2 * busy < rows.size:
        return None
    if count == 1:  # one row: reduce the columns of a matrix in memory, and the rest as scalars
        array = rows[0, 0].operands[0] if _is_entry(rows[0, 0]) else None
        width = array.shape[1] if array is not None and size % array.shape[1] == 0 else 8
        if size % width or size == width:
            return None
        table = rows.reshape(size // width, width)
    else:
        table = rows.T
    found = tape.array("reduce", (1, table.shape[1]), (packed(tape, table),), (name,))
    return scalars_in(found, (table.shape[1],))


def solved(tape: Tape, name: str, floor: float, A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return x with A x = b; for name "spd", A is symmetric and positive definite."""
    given = packed(tape, A)
    if name == "spd":
        given = tape.array("factor", A.shape, (given,), (floor,))
        found = tape.array("solve_spd", b.shape, (given, packed(tape, b)), ())
    else:
        found = tape.array("solve", b.shape, (given, packed(tape, b)), (floor,))
    return scalars_in(found, b.shape)


_FEW_UPDATES = 8  # most updates per row, of a matrix that is eliminated as scalars


def solved_sparse(tape: Tape, floor: float, A: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """Solve A x = b for a sparse symmetric positive definite A; None if it has many entries.

    It is the elimination of `linalg.solve_spd`, as scalars: n quotients for a diagonal matrix.
    """
    n = len(A)
    # Entries that are known to be zero never take part.
    full = np.array([not known(x) or x != 0 for x in A.flat]).reshape(A.shape)
    if np.count_nonzero(full) > _FEW_UPDATES * n:
        return None
    below: list[list[int]] = []  # for each column, the rows that it eliminates
    for j in range(n):
        # Eliminating a column connects its rows with each other.
        rows = [j + 1 + int(i) for i in np.flatnonzero(full[j + 1 :, j])]
        # fill-in
        full[np.ix_(rows, rows)] = True
        below.append(rows)
    if sum(len(rows) ** 2 for rows in below) > _FEW_UPDATES * n:
        return None
    sub, mul, div, choose = (
        operation(tape, name, FLOAT) for name in ("sub", "mul", "div", "select_n")
    )
    lower, x = A.copy(), b.copy()
    over: list[Scalar] = []
    for j, rows in enumerate(below):
        # a pivot below `floor` of its diagonal entry is round-off: NaN
        least = mul(number(floor, float), A[j, j])
        fine = apply(tape, "gt", FLAG, lower[j, j], least)
        over.append(div(number(1, float), choose(fine, number(np.nan, float), lower[j, j])))
        for i in rows:
            before, lower[i, j] = lower[i, j], mul(lower[i, j], over[j])
            for k in rows:
                if k <= i:
                    lower[i, k] = sub(lower[i, k], mul(before, lower[k, j]))
    columns = range(b.shape[1])
    for j, rows in enumerate(below):
        for i in rows:
            for c in columns:
                x[i, c] = sub(x[i, c], mul(lower[i, j], x[j, c]))
    for j in reversed(range(n)):
        for c in columns:
            x[j, c] = mul(x[j, c], over[j])
            for i in below[j]:
                x[j, c] = sub(x[j, c], mul(lower[i, j], x[i, c]))
    return x
