"""Native code for a CPU: loops over steps, and functions of many rows of numbers.

Calls go through ctypes, which lets other threads of Python run meanwhile.
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from .emit import mapped
from .engine import cores, cpu_options, on_cpu
from .layout import Layout
from .llvm import Effort, Native, vector_calls, vector_width
from .scalarize import recorded, trace
from .stepping import Steps, stepping
from .tape import Unsupported

_POINTER, _WHOLE = ctypes.c_void_p, ctypes.c_int64
_SHARE = 8192  # rows that are worth a thread


step_signature = (_WHOLE, *[_POINTER] * 3, *[_WHOLE] * 8)  # of what `stepping` writes


def _address(array: np.ndarray) -> int:
    assert array.dtype == float
    return array.ctypes.data


class StepKernel:
    """Many steps of one member, or of members in vectors, in one call."""

    def __init__(
        self, record_steps: Callable[[], Steps], many: bool = False, name: str | None = None
    ) -> None:
        """`record_steps` may raise `Unsupported`; `name` as for `Native`."""
        self.width = vector_width() if many else 1

        def make() -> tuple[str, tuple[int, ...]]:
            steps = record_steps()
            text = stepping(steps, self.width, vector_calls() if many else {})
            shared, own, state = map(len, steps.recorded.inputs)
            return text, (shared, own + state, len(steps.kept))

        name = name and f"{self.width} steps of {name}"
        self._native = Native(make, *step_signature, name=name)
        self._widths: tuple[int, ...] = self._native.known
        self.row_width = self._widths[-1]

    def __call__(
        self,
        shared: np.ndarray,
        table: np.ndarray,
        rows: np.ndarray,
        members: tuple[int, int],
        k: int,
        stride: int,
        steps: int,
        last: int,
    ) -> int:
        """The number of rows written; `table` (numbers, members) is where the members stand.

        `rows` is (rows, numbers, members). `members` are those from the first to before the last,
        whole vectors of them.
        """
        n, capacity = table.shape[-1] if table.ndim > 1 else 1, len(rows)
        first, end = members
        assert all(x.flags.c_contiguous for x in (table, rows, shared))
        assert (end - first) % self.width == 0 <= end <= n
        # code reads and writes by these widths, whatever arrays it is given
        if self._widths != (shared.size, len(table), rows.size // (n * capacity)):
            raise ValueError("compiled steps do not fit the numbers that they are called with")
        pointers = (_address(x) for x in (shared, table, rows))
        return self._native.call(*pointers, n, first, end, k, stride, steps, last, capacity)

    def in_place(self, shared: np.ndarray, table: np.ndarray) -> Callable[[int, int, int], int]:
        """(first member, the one behind the last, steps) -> so many steps of `table`, in place.

        For who makes few steps a call: the arrays are checked once, here, and must stay where they
        are. A row is written behind the last step, into a buffer that nobody reads.
        """
        n = table.shape[-1] if table.ndim > 1 else 1
        rows = np.empty((2, self.row_width, n))
        if not all(x.flags.c_contiguous for x in (table, shared)):
            raise ValueError("compiled steps need arrays that are contiguous")
        if self._widths[:2] != (shared.size, len(table)):
            raise ValueError("compiled steps do not fit the numbers that they are called with")
        call, arrays = self._native.call, (shared, table, rows)
        pointers = tuple(_address(x) for x in arrays)

        def advance(first: int, end: int, steps: int, _alive: object = (self, arrays)) -> int:
            return call(*pointers, n, first, end, 0, steps, steps, steps, 2)

        return advance


class MapKernel:
    """A function of numbers, on many rows of them; `effort` as for `Native`."""

    def __init__(
        self,
        f: Callable[..., Any],
        *args: Any,
        effort: Effort | Callable[[str], Effort] | None = None,
        name: str | None = None,
    ) -> None:
        traced = functools.cache(lambda: trace(lambda given: f(*given), args))

        def make() -> tuple[str, Any]:
            found = recorded(traced())
            (inputs,) = found.inputs
            text = mapped(inputs, found.outputs, found.tape.levels, found.needed())
            # as numbers: shapes of JAX are not for keeping
            return text, found.results.zeros()

        signature = (None, _POINTER, _POINTER, _WHOLE)
        own = f"{name} on {Layout(args).describe()}" if name else traced().digest("map")
        self._native = Native(make, *signature, name=own, effort=effort)
        self.given = Layout(args)
        self.results = Layout(self._native.known) if name else traced().results

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Results (rows, numbers) from arguments (rows, numbers), many by all cores."""
        rows = np.ascontiguousarray(rows, dtype=float)
        out = np.empty((len(rows), self.results.width))

        def part(begin: int, end: int) -> None:
            self._native.call(_address(rows[begin:]), _address(out[begin:]), end - begin)

        if len(rows) < 2 * _SHARE:
            part(0, len(rows))
            return out
        with concurrent.futures.ThreadPoolExecutor(cores()) as pool:
            shares = [(i, min(i + _SHARE, len(rows))) for i in range(0, len(rows), _SHARE)]
            for done in [pool.submit(part, *share) for share in shares]:
                done.result()
        return out


class Function:
    """A function of trees of arrays: by native code, or by XLA where it cannot be that."""

    def __init__(self, f: Callable[..., Any], *args: Any, name: str | None = None) -> None:
        self._given = Layout(args)
        try:
            self._kernel = MapKernel(f, *args, effort=Effort(0, 0), name=name)  # seldom called
            self.results = self._kernel.results
        except Unsupported:
            self._kernel = None
            self.results = Layout(jax.eval_shape(f, *args))

            def packed(numbers: jax.Array) -> jax.Array:
                return self.results.pack(f(*self._given.unpack(numbers)))

            self._single = jax.jit(packed, compiler_options=cpu_options())
            self._many = jax.jit(jax.vmap(packed), compiler_options=cpu_options())

    @property
    def is_native(self) -> bool:
        return self._kernel is not None

    def __call__(self, *args: Any) -> Any:
        """f(*args), as arrays of NumPy."""
        return self.results.unpack(self.packed(self._given.pack_numpy(args)))

    def packed(self, numbers: np.ndarray) -> np.ndarray:
        """The packed results of packed arguments."""
        if self._kernel is not None:
            return self._kernel(numbers[None])[0]
        with on_cpu():
            return np.array(self._single(numbers))

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Packed results (rows, numbers) from packed arguments (rows, numbers)."""
        if self._kernel is not None:
            return self._kernel(numbers)
        with on_cpu():
            return np.asarray(self._many(numbers))
