"""Evaluate a function at several rows: all at once on arrays, in a loop in scalar code.

A compiler of arrays (XLA) is fastest if all rows are evaluated at once. Scalar code, in which every
entry of an array is a separate number, loops around a single copy of the function instead,
because that copy is most of the code to compile. Methods and `linalg` call these functions and need
not know which compiler is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import lax

from . import tracing

C = TypeVar("C")
F = TypeVar("F")
R = TypeVar("R")
T = TypeVar("T")


class SizeLimit(NamedTuple):
    """The number of unknowns from which, or up to which, an algorithm is used.

    There is one limit for code on arrays and one for scalar code. A limit of `math.inf` means that
    the algorithm is used always (as an upper limit) or never (as a lower limit).
    """

    arrays: float
    scalars: float

    def here(self) -> float:
        """Return the limit for the code that is being traced."""
        return self.scalars if tracing.active() else self.arrays


NEVER, ALWAYS = math.inf, math.inf  # as a lower limit, and as an upper limit


def select(which: jax.Array, new: T, old: T) -> T:
    """Return the tree `new` if `which` is true, otherwise `old`."""
    return jax.tree.map(lambda a, b: jnp.where(which, a, b), new, old)


def first_of(rows: T) -> T:
    """Return the first row of every array of a tree."""
    return jax.tree.map(lambda a: a[0], rows)


def _moved_up(rows: T) -> T:
    return jax.tree.map(lambda a: jnp.roll(a, -1, axis=0), rows)


def first_then_others(
    f: Callable[[R, C], F],
    rows: R,
    start: C,
    after_first: Callable[[F], C],
    kept: Callable[[F], jax.Array],
    width: int,
) -> tuple[C, jax.Array]:
    """Evaluate f at the first row, then at the others, which depend on the result of the first.

        c = after_first(f(rows[0], start)),    out[i] = kept(f(rows[i + 1], c))

    Returns (c, out). `rows` is a tree of arrays, `width` the number of entries of `kept`.
    """
    if not tracing.loops():
        c = after_first(f(first_of(rows), start))
        others = jax.tree.map(lambda a: a[1:], rows)
        return c, jax.vmap(lambda row: kept(f(row, c)))(others)
    count = len(jax.tree.leaves(rows)[0])

    def one_row(carry):
        i, rows, c, out = carry
        result = f(first_of(rows), c)
        c = select(i == 0, after_first(result), c)
        # The rows shift up, so that no index depends on i; the result for the first row is shifted
        # out of `out`.
        return i + 1, _moved_up(rows), c, jnp.concatenate([out[1:], kept(result)[None]])

    begin = (jnp.asarray(0), rows, start, jnp.zeros((count - 1, width)))
    _, _, c, out = lax.while_loop(lambda carry: carry[0] <= count - 1, one_row, begin)
    return c, out


def with_neighbors(
    f: Callable[[R, jax.Array], F],
    rows: R,
    steps: jax.Array,
    probe: jax.Array,
    probing: jax.Array,
    kept: Callable[[F], jax.Array],
    empty: F,
) -> tuple[F, jax.Array]:
    """Evaluate f(row, d) at every row for d = 0 and for a step in each direction.

    Direction j has the step `steps[j]`. If `probing`, every row has only one neighbor, the last,
    with d = `probe`. Returns (f(rows[0], 0), values), with values[i, j] = kept(f(rows[i], d_j)) and
    d_0 = 0. `empty` is a tree of zeros like a result of f; `kept` picks one of its vectors.
    """
    n = len(steps)
    if not tracing.loops():
        every = jnp.concatenate([jnp.zeros((1, n)), jnp.diag(steps)])
        every = every.at[-1].set(jnp.where(probing, probe, every[-1]))
        result = jax.vmap(lambda row: jax.vmap(lambda d: f(row, d))(every))(rows)
        return jax.tree.map(lambda a: a[0, 0], result), kept(result)
    count, width = len(jax.tree.leaves(rows)[0]), kept(empty).shape[0]

    def one_row(carry):
        i, rows, first, values = carry

        def one_direction(inner):
            j, mask, first, here, around = inner
            away = jnp.where(probing & (j == 1), probe, mask[1:] * steps)
            result = f(first_of(rows), away)
            first = select((i == 0) & (j == 0), result, first)
            here = jnp.where(j == 0, kept(result), here)
            around = jnp.concatenate([around[1:], kept(result)[None]])
            return j + 1, jnp.roll(mask, 1), first, here, around

        mask = jnp.zeros(n + 1).at[0].set(1.0)
        begin = (jnp.asarray(0), mask, first, jnp.zeros(width), values[0, 1:])
        last = jnp.where(probing, 1, n)
        _, _, first, here, around = lax.while_loop(lambda c: c[0] <= last, one_direction, begin)
        around = jnp.concatenate([here[None], around])
        values = jnp.concatenate([values[1:], around[None]])
        return i + 1, _moved_up(rows), first, values

    begin = (jnp.asarray(0), rows, empty, jnp.zeros((count, n + 1, width)))
    _, _, first, values = lax.while_loop(lambda carry: carry[0] <= count - 1, one_row, begin)
    return first, values
