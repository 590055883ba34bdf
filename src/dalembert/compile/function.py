"""Evaluate functions of arrays and of systems, at one row or at many, as compiled code.

`Function` is compiled for given shapes. `evaluator` returns a compiled function of systems and
caches it: the cache key is the function, the static part and the code of the systems, and the
shapes. `compiled_rows` and `compiled_call` compile (if needed) and evaluate in one call.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from ..errors import UsageError
from .cache.code_key import CodeKey, lasting_key
from .cache.registry import cached
from .cache.trusted_code import is_trusted_class
from .cpu.kernels import MapKernel
from .cpu.llvm import Effort
from .ir.table_lookup import Place, held
from .ir.tape import Unsupported
from .layout import Layout
from .tracing import tracing_once
from .xla import cpu_options, on_cpu, quick_options

M = TypeVar("M", bound=eqx.Module)
T = TypeVar("T")

# XLA compiles for a fixed number of rows, so rows are evaluated in blocks of these sizes, and the
# last block is padded. Native code takes any number of rows.
_BLOCKS = (1, 256, 8192)
_LEAST = Effort(0, 0)  # most of these functions are called too seldom to repay optimization


class Function:
    """A compiled function of trees of arrays: native code if possible, XLA otherwise."""

    def __init__(
        self, f: Callable[..., Any], *args: Any, name: str | None = None, effort: Effort = _LEAST
    ) -> None:
        self._given = Layout(args)
        try:
            self._kernel = MapKernel(f, *args, effort=effort, name=name)
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
        """Return f(*args), as NumPy arrays."""
        return self.results.unpack(self.packed(self._given.pack_numpy(args)))

    def packed(self, numbers: np.ndarray) -> np.ndarray:
        """Return the packed results (one vector) of packed arguments (one vector)."""
        if self._kernel is not None:
            return self._kernel(numbers[None])[0]
        # On the CPU even if JAX has a GPU: results are NumPy arrays.
        with on_cpu():
            return np.array(self._single(numbers))

    def rows(self, numbers: np.ndarray, block: int | None = None) -> np.ndarray:
        """Return the packed results at each row of packed arguments, stacked.

        `block` fixes the number of rows that XLA is compiled for; by default it is one of
        `_BLOCKS`.
        """
        if self._kernel is not None:
            return self._kernel(numbers)
        count = len(numbers)
        # The smallest block that holds all rows, so that at most three programs are compiled.
        size = block or next((n for n in _BLOCKS if count <= n), _BLOCKS[-1])
        result = [np.zeros((0, self.results.width))]
        with on_cpu():
            for start in range(0, count, size):
                # the last block is padded with copies of the last row
                which = np.minimum(np.arange(start, start + size), count - 1)
                result.append(np.asarray(self._many(numbers[which])))
        return np.concatenate(result)[:count]

    def at_rows(self, count: int, *args: Any, block: int | None = None) -> Any:
        """Return f at `count` rows, with results stacked along a leading axis.

        Each array in `args` either has a leading axis of length `count` or is shared by all rows.
        """
        return self.results.unpack(self.rows(self._given.pack_rows(args, count), block))


# -- functions of systems ------------------------------------------------------------------------


class Evaluator(Generic[T]):
    """A function of rows: compiled code of function(*systems, *row, *same) for given systems.

    The parameters of the systems are bound, `same` is part of the code, and `row` varies.
    """

    def __init__(
        self, function: Function, parameters: tuple[Any, ...], layout: Layout | None = None
    ) -> None:
        self.function, self._parameters = function, parameters
        self._layout = Layout(parameters) if layout is None else layout
        # Packed once: an evaluator is called for many rows.
        self._packed = self._layout.pack_numpy(parameters)

    def of(self, *parameters: Any) -> Evaluator[T]:
        """Return an evaluator with this code and other parameters (as `as_arrays` returns them)."""
        return Evaluator(self.function, parameters, self._layout)

    def __call__(self, *row: Any) -> T:
        """Return the value at one row."""
        return self.function(self._parameters, row)

    def packed(self, row: np.ndarray) -> np.ndarray:
        """Return the packed value at one packed row."""
        return self.function.packed(np.concatenate([self._packed, row]))

    def at_rows(self, count: int, *rows: Any, block: int | None = None) -> T:
        """Return the values at `count` rows, stacked; arrays without a row axis are shared."""
        return self.function.at_rows(count, self._parameters, rows, block=block)


def evaluator(
    function: Callable[..., T],
    systems: tuple[eqx.Module, ...],
    row: Any,
    *same: Any,
    effort: Effort = _LEAST,
) -> Evaluator[T]:
    """Return function(*systems, *row, *same) as compiled code, compiled once and then cached.

    Args:
        function: part of the cache key by identity, so pass a module-level function, not a closure.
        systems: their parameters are arguments of the code; everything else is in the cache key.
        row: a tuple of trees with the shapes of one row.
        same: further arguments, hashable and comparable; wrap a user's function as
            `CodeKey(function)`.
        effort: how much to optimize native code.
    """
    check_precision()
    # Parameters are arguments, so that changing them does not compile again.
    parameters, statics = zip(*map(as_arrays, systems)) if systems else ((), ())
    codes = [CodeKey(code_of(x)) for x in systems]
    codes += [x for x in same if isinstance(x, CodeKey)]
    made = _function(function, statics, Layout(parameters), Layout(row), same, effort, *codes)
    return Evaluator(made, parameters)


# Cached by its arguments: everything that the compiled code depends on is among them.
@cached(maxsize=512)
def _function(
    function: Callable[..., Any],
    statics: tuple[Any, ...],
    parameters: Layout,
    row: Layout,
    same: tuple[Any, ...],
    effort: Effort,
    *codes: CodeKey[Any],
) -> Function:
    def value(given: tuple[Any, ...], row: Any) -> Any:
        return function(*map(eqx.combine, given, statics), *row, *same)

    # The name on disk is made of values; keys that only this process knows cannot be part of it.
    plain = [x.value if isinstance(x, CodeKey) else x for x in same]
    key = lasting_key(function, statics, [x.value for x in codes], plain)
    try:
        name = key and f"rows: {key}" + ("" if effort == _LEAST else str(effort))
        return Function(value, parameters.example(), row.example(), name=name, effort=effort)
    finally:
        # tracing may have changed what the code reads: compare the cache key once more
        for code in codes:
            code.settle()


def compiled_rows(
    function: Callable[..., Any], system: eqx.Module, rows: tuple[Any, ...], *same: Any
) -> Any:
    """Return function(system, *row, *same) at every row of the trees `rows`, results stacked.

    `same` has no arrays. A function that cannot be native code falls back to XLA, which is compiled
    for this number of rows.
    """
    # Inside of JAX the function is traced as a part of the caller's code.
    if not is_traced((system, rows)):
        row = jax.tree.map(lambda x: np.zeros(np.shape(x)[1:]), rows)
        try:
            evaluate = evaluator(function, (system,), row, *same)
        except TypeError:  # an argument is not hashable, so there is no cache key
            evaluate = None
        if evaluate is not None and evaluate.function.is_native:
            count = len(jax.tree.leaves(rows)[0])
            return jax.tree.map(jnp.asarray, evaluate.at_rows(count, *rows))
    return compiled_call(_by_rows, system, function, rows, *same)


def _by_rows(system, function, rows, *same):
    return jax.vmap(lambda *row: function(system, *row, *same))(*rows)


def compiled_call(function: Callable[..., T], system: eqx.Module, *args: object) -> T:
    """Return function(system, *args) under jit, compiled once for all parameters of the system.

    Parameters and arrays among the arguments are traced. The function, the rest of the system and
    the rest of the arguments are the cache key. They are compared by `==`, so pass named functions
    or frozen dataclasses, not closures that are created in every call. Use it for what runs only a
    few times: it compiles in a third of the time, to slower code.
    """
    check_precision()
    if is_traced((system, args)):  # inside a transformation JAX takes no compiler options
        return function(system, *args)
    # the code of the class is part of the key: an edited class is another function
    code = CodeKey(code_of(system))
    result = _compiled()(function, code, *as_arrays(system, tables=False), *args)
    code.settle()
    return result


def _combined(function, code, parameters, static, *args):
    with tracing_once():
        return function(eqx.combine(parameters, static), *args)


@functools.cache
def _compiled() -> Callable[..., Any]:
    options: dict[str, Any] = {"compiler_options": quick_options()}
    return eqx.filter_jit(_combined, **options)


# -- parameters, static part and code of a system ------------------------------------------------


def as_arrays(system: M, *, tables: bool = True) -> tuple[M, M]:
    """Split a system into its parameters, as double arrays that JAX traces, and the static rest.

    `equinox.combine` joins the two again. An integer given for a field annotated `float` counts as
    a parameter, so that `m=1` and `m=1.0` share one compilation.

    Tables of known numbers are placed in memory for native code (`ir.table_lookup`). Pass
    `tables=False` where XLA computes or JAX differentiates.
    """
    system = held(system) if tables else system
    annotated_float = {f.name for f in dataclasses.fields(system) if f.type in (float, "float")}

    def convert(path: tuple[object, ...], leaf: object) -> object:
        name = getattr(path[0], "name", None)
        whole = isinstance(leaf, int) and not isinstance(leaf, bool) and name in annotated_float
        if isinstance(leaf, Place):
            return leaf
        if isinstance(leaf, jax.Array):
            return leaf if leaf.dtype == float or not _is_floating(leaf) else leaf.astype(float)
        real = isinstance(leaf, (float, np.floating)) or (
            isinstance(leaf, np.ndarray) and _is_floating(leaf)
        )
        return np.asarray(leaf, dtype=float) if whole or real else leaf

    system = jax.tree_util.tree_map_with_path(convert, system)
    dynamic, static = eqx.partition(system, is_array)
    try:
        hash(static)
    except TypeError:
        raise _unhashable(static) from None
    return dynamic, static


def _unhashable(static: eqx.Module) -> UsageError:
    """Return the error that names the field which cannot be part of a cache key."""
    for f in dataclasses.fields(static):
        value = getattr(static, f.name, None)
        try:
            hash(value)
        except TypeError:
            return UsageError(
                f"{type(static).__name__}.{f.name} is a {type(value).__name__}, which may change "
                "without notice: store numbers as one array or as separate fields, and anything "
                "else as a tuple"
            )
    return UsageError(f"{type(static).__name__} has a field that cannot be hashed")


def _is_floating(x: Any) -> bool:
    return jnp.issubdtype(x.dtype, jnp.floating)


def is_array(x: Any) -> bool:
    """Whether x is an array of JAX or NumPy."""
    return isinstance(x, (jax.Array, np.ndarray))


def check_precision() -> None:
    """Raise a `UsageError` if double precision is switched off in JAX."""
    if not jax.config.jax_enable_x64:  # pyright: ignore[reportAttributeAccessIssue]
        raise UsageError(
            "double precision is switched off in JAX, but dalembert needs it: "
            'jax.config.update("jax_enable_x64", True)'
        )


def code_of(system: eqx.Module) -> tuple[object, ...]:
    """Return what defines a system's code: its class, and functions and foreign objects in it.

    Functions, modules and objects of untrusted classes are collected from its fields, recursively.
    """
    result: list[object] = [type(system)]
    # a user's `==` may call systems equal whose fields differ
    own_equality = type(system).__eq__ is not eqx.Module.__eq__

    def look(item: object) -> None:
        if isinstance(item, eqx.Module):
            result.extend(code_of(item))
        elif isinstance(item, (tuple, list)):
            for x in item:
                look(x)
        elif callable(item) or not is_trusted_class(type(item)):
            result.append(item)
        elif isinstance(item, bool):  # True == 1, so the type has to be in the key
            result.append(bool)
        elif own_equality and not isinstance(item, (float, np.generic)) and not is_array(item):
            result.append(item)

    for f in dataclasses.fields(system):
        value = getattr(system, f.name, None)
        look(value)
        if f.metadata.get("static") and isinstance(value, float):
            result.append(value if own_equality else float)
    return tuple(result)


def is_traced(tree: object) -> bool:
    """Whether any leaf is a tracer of a JAX transformation."""
    return any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(tree))


def a_number() -> jax.Array:
    """Return a zero that is a tracer inside `jit`; outside of it nothing is compiled."""
    return _zero().bind()


@functools.cache
def _zero() -> Any:
    """Return a JAX primitive without operands: a tenth of the time of `jax.device_put`."""
    from jax.extend.core import Primitive
    from jax.interpreters import mlir

    made, zero = Primitive("dalembert_zero"), np.zeros(())
    made.def_impl(lambda: zero)
    made.def_abstract_eval(lambda: jax.core.ShapedArray((), zero.dtype))
    mlir.register_lowering(made, mlir.lower_fun(lambda: jnp.zeros(()), multiple_results=False))
    return made
