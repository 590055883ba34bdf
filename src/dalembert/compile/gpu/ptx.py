"""The loop over steps for an NVIDIA GPU: the native loop, with one member per thread.

LLVM writes it as PTX, which the GPU driver compiles for the present GPU. Threads diverge at
branches and reconverge by themselves, so the scalar text is used, not the one for vectors.
Functions such as sin come from NVIDIA's libdevice, which is installed with JAX for GPUs. Kernels
are launched through the driver's library; their arrays are JAX's.
"""

from __future__ import annotations

import ctypes
import functools
import math
import os
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..cpu.kernels import TurnKernel, step_signature
from ..cpu.llvm import Native, kept_text
from ..cpu.loop_emit import SPECIAL, THREAD, Steps, stepping
from ..cpu.turn_emit import TurnTape, turning
from ..ir.tape import Unsupported
from .speculative_emit import speculation

# Supported by every GPU since 2018; a newer target gains nothing in double precision.
_TRIPLE, _TARGET, _VERSION = "nvptx64-nvidia-cuda", "sm_70", "+ptx70"
_CALLS = "__nv_"  # prefix of libdevice functions
# Threads per block, below and from `_CROWD` members on: small blocks reach all processors, large
# ones start faster.
_FEW, _MANY, _CROWD = 32, 128, 200_000
# Steps with more operations take longer to compile than they save.
LARGEST = 50_000


class GpuSteps:
    """Makes many steps of many members: (shared, table, k, stride, steps, last) -> rows, table.

    `table` (numbers, members) is the state of the members. A row is (numbers of a row, members);
    there is one more than `rows` of them, for members that are between two rows. Of a NumPy table
    only the numbers in `read` are copied; a JAX table is overwritten.
    """

    def __init__(self, steps: Steps, rows: int, crowded: bool, device: Any) -> None:
        self.rows, self.width, self.device = rows, len(steps.kept), device
        self.read = steps.read()
        self._driver = _driver(device.local_hardware_id)
        text = stepping(steps, 1, {}, on_gpu=True, speculate=speculation, crowded=crowded)
        module, self._function = self._driver.loaded(ptx(text))
        weakref.finalize(self, self._driver.forget, module).atexit = False

    def __call__(
        self, shared: Any, table: Any, k: int, stride: int, steps: int, last: int
    ) -> tuple[jax.Array, jax.Array]:
        with jax.default_device(self.device):
            shared = jnp.asarray(shared if len(shared) else np.zeros(1))
            n = table.shape[1]
            rows = jnp.empty((self.rows + 1, self.width, n))
            is_new = not isinstance(table, jax.Array)
            here = jnp.empty(table.shape) if is_new else table
        arrays = jax.block_until_ready((shared, here, rows))
        if is_new:
            self._driver.fill(here, np.ascontiguousarray(table, dtype=float), self.read)
        counts = (n, k, stride, steps, last, self.rows)
        size = _FEW if n < _CROWD else _MANY
        self._driver.run(self._function, -(-n // size), size, arrays, counts)
        return rows, here

    def in_jax(self, steps: int, context: Any, found: Any, shared: Any, table: Any) -> None:
        """Make steps inside compiled JAX code, a callback of `buffer_callback`.

        `found` are the buffers of the table afterwards and of one row. The kernel is put into XLA's
        stream, behind what computes the table; nothing waits for it here.
        """
        here, rows = found
        n = table.shape[1]
        pointers = [x.__cuda_array_interface__["data"][0] for x in (shared, here, rows)]
        given = table.__cuda_array_interface__["data"][0]
        stream = ctypes.c_void_p(context.stream)
        if given != pointers[1]:
            self._driver.copy(pointers[1], given, 8 * math.prod(table.shape), stream)
        size = _FEW if n < _CROWD else _MANY
        counts = (n, 0, steps, steps, steps, 1)
        self._driver.launch(self._function, -(-n // size), size, pointers, counts, stream)


class InterpretedSteps:
    """The same as `GpuSteps` on a CPU, member by member, for tests without a GPU."""

    def __init__(self, steps: Steps, rows: int) -> None:
        self.rows, self.width, self.read = rows, len(steps.kept), steps.read()

        def make() -> tuple[str, None]:
            return stepping(steps, 1, {}, many=True, speculate=speculation), None

        self._native = Native(make, *step_signature)

    def __call__(
        self, shared: Any, table: Any, k: int, stride: int, steps: int, last: int
    ) -> tuple[jax.Array, jax.Array]:
        shared, given = np.array(shared, dtype=float), np.asarray(table)
        table, n = np.full(given.shape, np.nan), given.shape[1]
        table[self.read] = given[self.read]  # NaN elsewhere: only these are copied to a GPU
        rows = np.empty((self.rows + 1, self.width, n))
        pointers = [x.ctypes.data for x in (shared, table, rows)]
        self._native.call(*pointers, n, 0, n, k, stride, steps, last, self.rows)
        return jnp.asarray(rows), jnp.asarray(table)

    def in_jax(self, steps: int, context: Any, found: Any, shared: Any, table: Any) -> None:
        """Make steps inside compiled JAX code, a callback of `buffer_callback`."""
        given, here, rows = (np.asarray(x) for x in (shared, *found))
        here[:] = np.asarray(table)
        pointers, n = [x.ctypes.data for x in (given, here, rows)], table.shape[1]
        self._native.call(*pointers, n, 0, n, 0, steps, steps, steps, 1)


class GpuTurns:
    """Makes many turns of many members, as `cpu.kernels.TurnKernel`, with one member per thread."""

    width = 1

    def __init__(self, turns: TurnTape, device: Any) -> None:
        shared, own, state = map(len, turns.recorded.inputs)
        self._widths = (shared, own + state)
        self.row_width, self.device = len(turns.recorded.outputs) - state, device
        self._driver = _driver(device.local_hardware_id)
        module, self._function = self._driver.loaded(ptx(turning(turns, 1, {}, THREAD) + SPECIAL))
        weakref.finalize(self, self._driver.forget, module).atexit = False

    def __call__(
        self, shared: np.ndarray, table: np.ndarray, rows: np.ndarray, turns: int
    ) -> np.ndarray:
        n, capacity = table.shape[1], rows.shape[1]
        if self._widths != (shared.size, len(table)) or rows.shape != (n, capacity, self.row_width):
            raise ValueError("the arrays do not have the sizes that the turns were compiled for")
        with jax.default_device(self.device):
            given, here = jnp.asarray(shared), jnp.empty(table.shape)
            out, counts = jnp.empty(rows.shape), jnp.zeros(n, jnp.int64)
        arrays = jax.block_until_ready((given, here, out, counts))
        self._driver.fill(here, np.ascontiguousarray(table), range(len(table)))
        size = _FEW if n < _CROWD else _MANY
        self._driver.run(self._function, -(-n // size), size, arrays, (n, turns, capacity))
        result = np.array(counts)
        table[:] = np.asarray(here)
        if np.any(result):
            rows[:] = np.asarray(out)
        return result


def gpu_turns(turns: TurnTape, device: Any) -> GpuTurns | TurnKernel:
    """Compile turns for a device; on a CPU, member by member, for tests.

    Raises `Unsupported` if that is not possible.
    """
    size = len(turns.recorded.tape.operations(turns.recorded.needed()))
    if size > LARGEST:
        raise Unsupported(f"a turn of {size} operations, too many for a GPU")
    if device.platform == "cpu":
        return TurnKernel(lambda: turns)
    if "cuda" not in device.client.platform_version.lower():
        raise Unsupported(f"no kernels for {device.device_kind}, which is not NVIDIA's")
    return GpuTurns(turns, device)


# -- from text to PTX -----------------------------------------------------------------------------


def ptx(text: str) -> str:
    """Compile LLVM text to PTX, cached on disk."""
    needs = _CALLS in text
    return kept_text(f"ptx {_TARGET} {_VERSION} {needs}\n{text}", lambda: _compiled(text, needs))


# Compile LLVM text to PTX, with libdevice linked in if it is needed.
def _compiled(text: str, needs_functions: bool) -> str:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(_TRIPLE)
    machine = target.create_target_machine(cpu=_TARGET, features=_VERSION, opt=3)
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{_TRIPLE}"\n'
    module = llvm.parse_assembly(head + text)
    if needs_functions:
        module.link_in(llvm.parse_bitcode(_libdevice().read_bytes()))
        # internal: what is not called is removed, the rest can be inlined
        for function in module.functions:
            if function.name != "run" and not function.is_declaration:
                function.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return machine.emit_assembly(module)


@functools.cache
def _libdevice() -> Path:
    for folder in _folders():
        result = folder / "nvvm" / "libdevice" / "libdevice.10.bc"
        if result.is_file():
            return result
    raise Unsupported("libdevice.10.bc (NVIDIA's math functions) was not found: set CUDA_HOME")


def _folders() -> Iterator[Path]:
    for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"):
        if name in os.environ:
            yield Path(os.environ[name])
    for entry in sys.path:  # NVIDIA's wheels, on which JAX for GPUs depends
        yield from Path(entry).glob("nvidia/*")
    yield Path("/usr/local/cuda")


# -- the driver -----------------------------------------------------------------------------------


class _Driver:
    """NVIDIA's driver, in the context that JAX uses on a GPU."""

    def __init__(self, ordinal: int) -> None:
        try:
            self._cuda = ctypes.CDLL("nvcuda.dll" if os.name == "nt" else "libcuda.so.1")
        except OSError as error:
            raise Unsupported(f"NVIDIA's driver was not found ({error})") from error
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._ask("cuInit", 0)
        self._ask("cuDeviceGet", ctypes.byref(device), ordinal)
        self._ask("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._context, self._own = context, threading.local()

    def _ask(self, name: str, *args: Any) -> None:
        code = getattr(self._cuda, name)(*args)
        if code:
            text = ctypes.c_char_p()
            self._cuda.cuGetErrorString(code, ctypes.byref(text))
            said = (text.value or b"an error").decode()
            raise Unsupported(f"NVIDIA's driver reports '{said}' ({name}, {code})")

    def loaded(self, source: str) -> tuple[ctypes.c_void_p, ctypes.c_void_p]:
        """Load PTX and return its module and its function `run`."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self._ask("cuCtxSetCurrent", self._context)
        self._ask("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(source.encode()))
        self._ask("cuModuleGetFunction", ctypes.byref(function), module, b"run")
        return module, function

    def forget(self, module: ctypes.c_void_p) -> None:
        """Unload a module that is no longer used."""
        self._ask("cuCtxSetCurrent", self._context)
        self._ask("cuModuleUnload", module)

    def _stream(self) -> ctypes.c_void_p:
        """Return the CUDA stream of this thread; streams of different threads run concurrently."""
        if not hasattr(self._own, "stream"):
            self._ask("cuCtxSetCurrent", self._context)
            self._own.stream = ctypes.c_void_p()
            waits_for_nobody = 1
            self._ask("cuStreamCreate", ctypes.byref(self._own.stream), waits_for_nobody)
        return self._own.stream

    def fill(self, array: jax.Array, given: np.ndarray, lines: Sequence[int]) -> None:
        """Copy some rows of a matrix to a device array of that shape, before the next launch."""
        stream = self._stream()
        self._ask("cuCtxSetCurrent", self._context)
        start, length = array.unsafe_buffer_pointer(), given.strides[0]
        for i in lines:
            there = ctypes.c_uint64(start + i * length)
            here = ctypes.c_void_p(given.ctypes.data + i * length)
            self._ask("cuMemcpyHtoDAsync_v2", there, here, ctypes.c_size_t(length), stream)
        self._ask("cuStreamSynchronize", stream)  # `given` must live until the copy is done

    def run(
        self,
        function: ctypes.c_void_p,
        blocks: int,
        size: int,
        arrays: tuple[jax.Array, ...],
        counts: tuple[int, ...],
    ) -> None:
        """Launch a kernel and wait for it."""
        stream = self._stream()
        pointers = [x.unsafe_buffer_pointer() for x in arrays]
        self.launch(function, blocks, size, pointers, counts, stream)
        self._ask("cuStreamSynchronize", stream)

    def launch(
        self,
        function: ctypes.c_void_p,
        blocks: int,
        size: int,
        pointers: Sequence[int],
        counts: tuple[int, ...],
        stream: ctypes.c_void_p,
    ) -> None:
        """Launch a kernel on a stream, without waiting for it."""
        values = [*map(ctypes.c_void_p, pointers), *map(ctypes.c_int64, counts)]
        given = (ctypes.c_void_p * len(values))(*(ctypes.addressof(x) for x in values))
        self._ask("cuCtxSetCurrent", self._context)
        grid = (blocks, 1, 1, size, 1, 1)
        self._ask("cuLaunchKernel", function, *grid, 0, stream, given, None)

    def copy(self, there: int, here: int, size: int, stream: ctypes.c_void_p) -> None:
        """Copy bytes on the device, in the order of a stream."""
        self._ask("cuCtxSetCurrent", self._context)
        pointers = (ctypes.c_uint64(there), ctypes.c_uint64(here))
        self._ask("cuMemcpyDtoDAsync_v2", *pointers, ctypes.c_size_t(size), stream)


@functools.cache
def _driver(ordinal: int) -> _Driver:
    return _Driver(ordinal)


StepsOnGpu = GpuSteps | InterpretedSteps


def gpu_steps(steps: Steps, rows: int, crowded: bool, device: Any) -> StepsOnGpu:
    """Compile steps for a device, `crowded` or not; on a CPU, member by member, for tests.

    Raises `Unsupported` if that is not possible.
    """
    size = len(steps.recorded.tape.operations(steps.recorded.needed()))
    if size > LARGEST:
        raise Unsupported(f"a step of {size} operations, too many for a GPU")
    if device.platform == "cpu":
        return InterpretedSteps(steps, rows)
    if "cuda" not in device.client.platform_version.lower():
        raise Unsupported(f"no kernels for {device.device_kind}, which is not NVIDIA's")
    return GpuSteps(steps, rows, crowded, device)
