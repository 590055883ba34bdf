"""Functions of rows, evaluated by compiled code over blocks of one size.

Whatever the lengths of what comes in, nothing is compiled anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ...compile.engine import Compiled, cached
from ...compile.fingerprint import CodeKey
from ...errors import UsageError
from ..rows import Rows, Start

Observable = Callable[..., jax.Array]

_NUMBERS = (256, 16384)  # evaluated in one call, of few rows and of many


def check_observables(where: str, *functions: Any) -> None:
    """They are functions."""
    for f in functions:
        if not callable(f) and not isinstance(f, str):
            raise UsageError(
                f"{where}: an observable is a function (q, v) -> number, or the name of a "
                f"coordinate or velocity; got {f!r}"
            )


def observing(
    sink: object, start: Start, *given: Observable | str
) -> Callable[[Rows], list[np.ndarray]]:
    """Rows -> the values of each function of (q, v), (rows, members), or of what has this name."""
    where = type(sink).__name__
    functions = tuple(start.system.observable(f) if isinstance(f, str) else f for f in given)
    check_values(
        where, "an observable takes (q, v)", "an observable is one number", start, functions
    )
    compiled = _compiled(CodeKey(functions))
    return in_blocks(start.members, lambda rows: compiled(rows.q, rows.v))


def watched(start: Start, functions: dict[str, Observable]) -> Callable[[Rows], list[np.ndarray]]:
    """Rows -> the values of each function of (t, q, v), (rows, members)."""
    for name, f in functions.items():
        told = f"event '{name}'"
        check_values(told, "g takes (t, q, v)", "g is one number", start, (f,), np.zeros(()))
    compiled = _compiled(CodeKey(tuple(functions.values())), timed=True)
    return in_blocks(start.members, lambda rows: compiled(rows.q, rows.v, rows.times))


def check_values(
    where: str, takes: str, gives: str, start: Start, functions: tuple[Observable, ...], *time: Any
) -> None:
    """Each function gives one number."""
    q, v = start.system.groupoid.base.identity(), np.zeros(start.system.dim)
    for f in functions:
        try:
            found = jax.eval_shape(f, *time, q, v)
        except TypeError as error:
            raise UsageError(f"{where}: {takes}: {error}") from error
        if jax.tree.structure(found) != jax.tree.structure(0.0) or found.shape:
            told = getattr(found, "shape", type(found).__name__)
            raise UsageError(f"{where}: {gives}, got {told}")


def in_blocks(members: int, f: Callable[[Rows], Any]) -> Callable[[Rows], list[np.ndarray]]:
    """f over blocks of rows, the last one filled up: no length compiles anything."""
    few, many = (max(n // max(members, 1), 1) for n in _NUMBERS)

    def values(rows: Rows) -> list[np.ndarray]:
        if rows.on_device:  # in few lengths
            return [np.asarray(y) for y in f(rows)]
        n, parts = len(rows.k), []
        block = few if n <= few else many
        for a in range(0, n, block):
            part = rows.take(np.minimum(np.arange(a, a + block), n - 1))
            parts.append([np.asarray(y)[: n - a] for y in f(part)])
        return [np.concatenate(column) for column in zip(*parts)]

    return values


@cached(maxsize=64)
def _compiled(functions: CodeKey[tuple[Observable, ...]], timed: bool = False) -> Compiled:
    def values(q, v, *t):
        rows = [(lambda q, v, *t, f=f: f(*t, q, v)) for f in functions.value]
        found = [jax.vmap(jax.vmap(f))(q, v, *t) for f in rows]
        functions.settle()
        return found

    return jax.jit(values)
