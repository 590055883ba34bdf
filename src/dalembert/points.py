"""Functions of a system at many points: by native code, or by XLA where there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .compile.engine import cached
from .compile.fingerprint import CodeKey
from .compile.layout import Layout
from .compile.llvm import EFFORTS
from .compile.native import MapKernel
from .compile.tape import Unsupported
from .system import as_arrays, check_precision, code_of, compiled_call, is_traced


def compiled_rows(
    function: Callable[..., Any], system: eqx.Module, rows: tuple[Any, ...], *same: Any
) -> Any:
    """function(system, *row, *same) at every row of the trees `rows`, results stacked.

    Compiled once and kept under the same things as by `system.compiled_call`; `same` has no
    arrays. Native code is made for one row, in a fraction of the time that XLA takes for all of
    them; what it is not written for is left to XLA.
    """
    check_precision()
    if not is_traced((system, rows)):
        # with the code of the class in the key: an edited one is another function
        code, (parameters, static) = CodeKey(code_of(system)), as_arrays(system)
        given, row = Layout(parameters), Layout(jax.tree.map(lambda x: np.asarray(x)[0], rows))
        try:
            kernel = _row_kernel(function, code, static, same, given, row)
        except TypeError:  # nothing that can be compared
            kernel = None
        code.settle()
        if kernel is not None:
            leaves = [np.asarray(x, dtype=float) for x in jax.tree.leaves(rows)]
            ours = np.broadcast_to(given.pack_numpy(parameters), (len(leaves[0]), given.width))
            numbers = kernel(np.hstack([ours, *(x.reshape(len(ours), -1) for x in leaves)]))
            return jax.tree.map(jnp.asarray, kernel.results.unpack(numbers))
    return compiled_call(_by_rows, system, function, rows, *same)


def _by_rows(system, function, rows, *same):
    return jax.vmap(lambda *row: function(system, *row, *same))(*rows)


@cached(maxsize=256)
def _row_kernel(function, code, static, same, parameters: Layout, row: Layout) -> MapKernel | None:
    def one(given, row):
        return function(eqx.combine(given, static), *row, *same)

    try:
        return MapKernel(one, parameters.example(), row.example(), effort=EFFORTS[0])
    except Unsupported:
        return None


__all__ = ["compiled_rows"]
