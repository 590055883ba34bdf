"""Kernels of native code for a CPU: loops over steps, and functions evaluated at many rows.

Calls go through ctypes, which releases the interpreter lock meanwhile.
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir.record import recorded, trace
from ..layout import Layout
from ..xla import cores
from .emit import mapped
from .llvm import Effort, Native, vector_calls, vector_width
from .loop_emit import Steps, stepping
from .turn_emit import TurnTape, turning

_POINTER, _WHOLE = ctypes.c_void_p, ctypes.c_int64
_SHARE = 8192  # rows that are worth a thread


# result and arguments of the function that `stepping` emits
step_signature = (_WHOLE, *[_POINTER] * 3, *[_WHOLE] * 8)


def _address(array: np.ndarray) -> int:
    # Compiled code reads doubles; any other type would be misread in silence.
    assert array.dtype == float
    return array.ctypes.data


class StepKernel:
    """Makes many steps of one member, or of vectors of members, in one call."""

    def __init__(
        self, record_steps: Callable[[], Steps], many: bool = False, name: str | None = None
    ) -> None:
        """Compile the steps; `record_steps` may raise `Unsupported`, `name` is as for `Native`."""
        # One member does not fill a vector: scalar code is shorter and compiles faster.
        self.width = vector_width() if many else 1

        def make() -> tuple[str, tuple[int, ...]]:
            steps = record_steps()
            text = stepping(steps, self.width, vector_calls() if many else {})
            # Widths of the arrays, stored with the code, because a cached kernel is not recorded
            # again.
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
        """Advance the members in `table` (numbers, members) in place; return the number of rows.

        `rows` is (rows, numbers, members). `members` is the range (first, end), a multiple of the
        vector width.
        """
        n, capacity = table.shape[-1] if table.ndim > 1 else 1, len(rows)
        first, end = members
        assert all(x.flags.c_contiguous for x in (table, rows, shared))
        assert (end - first) % self.width == 0 <= end <= n
        # compiled code reads and writes by these widths without checking the arrays
        if self._widths != (shared.size, len(table), rows.size // (n * capacity)):
            raise ValueError("the arrays do not have the sizes that the steps were compiled for")
        # Addresses, not arrays: ctypes converts integers faster than arrays.
        pointers = (_address(x) for x in (shared, table, rows))
        return self._native.call(*pointers, n, first, end, k, stride, steps, last, capacity)

    def in_place(self, shared: np.ndarray, table: np.ndarray) -> Callable[[int, int, int], int]:
        """Return advance(first, end, steps), which makes steps of members of `table` in place.

        It is for callers that make few steps per call: the arrays are checked once, here, and must
        not be moved. A row is written after the last step, into a buffer that is never read.
        """
        n = table.shape[-1] if table.ndim > 1 else 1
        rows = np.empty((2, self.row_width, n))
        if not all(x.flags.c_contiguous for x in (table, shared)):
            raise ValueError("compiled steps need arrays that are contiguous")
        if self._widths[:2] != (shared.size, len(table)):
            raise ValueError("the arrays do not have the sizes that the steps were compiled for")
        call, arrays = self._native.call, (shared, table, rows)
        pointers = tuple(_address(x) for x in arrays)

        # `_alive` keeps kernel and arrays alive as long as the function is.
        def advance(first: int, end: int, steps: int, _alive: object = (self, arrays)) -> int:
            return call(*pointers, n, first, end, 0, steps, steps, steps, 2)

        return advance


class TurnKernel:
    """Makes many turns (see `turn_emit`) of one member, or of vectors of members, in one call."""

    def __init__(
        self,
        record: Callable[[], TurnTape],
        many: bool = False,
        name: str | None = None,
        exact: bool = False,
    ) -> None:
        """Compile the turns; `record` may raise `Unsupported`, `name` is as for `Native`.

        If `exact`, one member has the same bits alone as in a vector.
        """
        self.width = vector_width() if many else 1

        def make() -> tuple[str, tuple[int, int, int]]:
            turns = record()
            calls = vector_calls() if many or exact else {}
            text = turning(turns, self.width, calls, exact=exact)
            shared, own, state = map(len, turns.recorded.inputs)
            return text, (shared, own + state, len(turns.recorded.outputs) - state)

        signature = (_WHOLE, *[_POINTER] * 4, *[_WHOLE] * 5)
        self._native = Native(
            make,
            *signature,
            name=name and f"{self.width}{' exact' if exact else ''} turns of {name}",
        )
        self._widths: tuple[int, int, int] = self._native.known

    @property
    def row_width(self) -> int:
        """The number of entries of a row."""
        return self._widths[2]

    def __call__(
        self, shared: np.ndarray, table: np.ndarray, rows: np.ndarray, turns: int
    ) -> np.ndarray:
        """Advance the members in `table` (numbers, members) in place; return the rows of each.

        `rows` is (members, rows, numbers). The number of members is a multiple of the vector width.
        """
        n, capacity = table.shape[1], rows.shape[1]
        assert all(x.flags.c_contiguous and x.dtype == float for x in (table, rows, shared))
        found = (shared.size, len(table), rows.shape[2])
        # Members never share a vector with another thread.
        if self._widths != found or len(rows) != n or n % self.width:
            raise ValueError("the arrays do not have the sizes that the turns were compiled for")
        counts = np.zeros(n, np.int64)
        pointers = [x.ctypes.data for x in (shared, table, rows, counts)]

        def part(first: int, end: int) -> Any:
            return self._native.call(*pointers, n, first, end, turns, capacity)

        # A member stops on its own, so some shares take longer than others.
        vectors = n // self.width
        workers = min(cores(), vectors)
        if workers < 2:
            part(0, n)
            return counts
        # shares of a few vectors each balance the load: members stop at different times
        share = max(1, vectors // (8 * workers)) * self.width
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            shares = [(i, min(i + share, n)) for i in range(0, n, share)]
            for done in [pool.submit(part, *x) for x in shares]:
                done.result()
        return counts


class MapKernel:
    """A function compiled to be evaluated at many rows; `effort` is as for `Native`.

    `guard` is (index of a result, failure code to put there), see `Recorded.guarded`.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        *args: Any,
        effort: Effort | Callable[[str], Effort] | None = None,
        name: str | None = None,
        guard: tuple[int, int] | None = None,
    ) -> None:
        # Traced at most once, and only if neither a name nor the disk has the code.
        traced = functools.cache(lambda: trace(lambda given: f(*given), args))

        def make() -> tuple[str, Any]:
            found = recorded(traced(), memory=True)
            found = found if guard is None else found.guarded(*guard)
            (inputs,) = found.inputs
            text = mapped(inputs, found.outputs, found.tape.levels, found.needed())
            # as NumPy zeros: JAX's shape objects should not be pickled
            return text, found.results.zeros()

        signature = (None, _POINTER, _POINTER, _WHOLE)
        what = "map" if guard is None else f"map guarded by {guard}"
        # Named by who calls it, or by a hash of its jaxpr.
        own = f"{name} on {Layout(args).describe()}" if name else traced().digest(what)
        self._native = Native(make, *signature, name=own, effort=effort)
        self.given = Layout(args)
        self.results = Layout(self._native.known) if name else traced().results

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Return the packed results, one row for each row of packed arguments.

        Many rows use all cores.
        """
        rows = np.ascontiguousarray(rows, dtype=float)
        out = np.empty((len(rows), self.results.width))

        # Threads release Python's lock during the call, so shares run at once.
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

    def in_place(self, table: np.ndarray) -> Callable[[int, int], None]:
        """Return evaluate(a, b): arguments at byte a of the array, results to byte b of it.

        It is for callers that evaluate one row after the other, each from the results of the last
        one. The caller guarantees that arguments and results lie inside the array.
        """
        assert table.flags.c_contiguous
        call, base = self._native.call, _address(table)

        def evaluate(a: int, b: int, _alive: object = (self, table)) -> None:
            call(base + a, base + b, 1)

        return evaluate
