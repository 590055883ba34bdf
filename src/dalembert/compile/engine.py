"""How functions are compiled: options that suit tiny operations, and what is kept of it."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import jax
import jax.numpy as jnp

from .fingerprint import forget_versions
from .layout import Layout
from .scalarize import jex

Compiled: TypeAlias = Callable[..., Any]
Device: TypeAlias = Any  # of JAX, which does not tell checkers of types what it is
P = ParamSpec("P")
R = TypeVar("R")

# Up to this many operations XLA's fusion saves stores; above it, it computes common parts again
# for each of their uses, and both compiling and running take twice as long without need
# (`benchmarks/agreement.py` shows it).
_FUSE_UP_TO = 1600

# -- what is compiled once -----------------------------------------------------------------------

_caches: list[Callable[[], None]] = [forget_versions]


def cached(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`functools.lru_cache` that `clear_compiled` knows of."""

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        kept = functools.lru_cache(maxsize=maxsize)(function)
        _caches.append(kept.cache_clear)
        return kept  # pyright: ignore[reportReturnType]

    return wrap


def clear_compiled() -> None:
    """Forget all compiled code, ours and JAX's: memory and memory maps are given back.

    What is needed again is compiled again. Code kept on disk stays there.
    """
    for clear in _caches:
        clear()
    jax.clear_caches()


# -- for a CPU -----------------------------------------------------------------------------------


@functools.cache
def _known(option: str, value: Any) -> bool:
    try:
        jax.jit(lambda: jnp.zeros(()), compiler_options={option: value}).lower().compile()
    except jax.errors.JaxRuntimeError:
        return False
    return True


@functools.cache
def cpu_options() -> dict[str, Any]:
    """The older code generator of XLA on a CPU and fewer passes of LLVM, where they can be chosen.

    They compile our many tiny operations in half the time, and these run as fast.
    """
    wanted = {"xla_cpu_use_fusion_emitters": False, "xla_llvm_disable_expensive_passes": True}
    with on_cpu():
        return {k: v for k, v in wanted.items() if _known(k, v)}


def on_cpu() -> Any:
    """Context in which JAX works on the CPU: one trajectory is a chain of tiny operations."""
    return jax.default_device(_cpu())


@functools.cache
def _cpu() -> Any:
    return jax.local_devices(backend="cpu")[0]


def compile_for_cpu(
    function: Compiled, *shapes: jax.ShapeDtypeStruct, scalar: bool = False
) -> Compiled:
    """The function compiled now; `scalar` says that it is a `kernel` of lanes, nothing else."""
    with on_cpu():
        traced = jax.jit(function).trace(*shapes)
        options = dict(cpu_options())
        # of scalar code only: for arrays XLA without its fusion has been seen to compute wrongly
        if scalar and size(traced.jaxpr.jaxpr) > _FUSE_UP_TO:
            options["xla_disable_hlo_passes"] = "fusion"
        compiled = traced.lower().compile(options)

    def call(*args: object) -> Any:
        with on_cpu():
            return compiled(*args)

    return call


def size(jaxpr: Any) -> int:
    """Number of operations, those inside of loops and calls included."""
    inner = (sum(map(size, jex.jaxprs_in_params(eqn.params))) for eqn in jaxpr.eqns)
    return len(jaxpr.eqns) + sum(inner)


# -- one kernel ----------------------------------------------------------------------------------


def kernel(f: Callable[..., jax.Array], layout: Layout, packed: jax.Array) -> jax.Array:
    """f(*numbers) of packed numbers -> one array, compiled by XLA for a CPU into one function.

    XLA does that with small loops by itself; these attributes, which its own pass sets, ask for it
    whatever the size. One array goes in and one comes out: an operand that the compiled code does
    not read makes XLA abort.
    """
    return _in_one_function(lambda numbers: f(*layout.spread(numbers)), packed)


def batched_kernel(
    f: Callable[..., jax.Array],
    shared: Layout,
    member: Layout,
    given: jax.Array,
    table: jax.Array,
    *counts: jax.Array,
) -> jax.Array:
    """`kernel` for many at once: each number of `member` is a row of `table`, over the members."""

    def all_members(flat: jax.Array) -> jax.Array:
        rest = flat[shared.width :]
        whole: Sequence[jax.Array] = [x.astype(int) for x in rest[: len(counts)]]
        numbers = member.spread(rest[len(counts) :].reshape(table.shape))
        return f(shared.spread(flat[: shared.width]), numbers, *whole)

    packed = jnp.concatenate([given, jnp.stack(counts).astype(float), table.ravel()])
    return _in_one_function(all_members, packed)


def _in_one_function(f: Callable[[jax.Array], jax.Array], packed: jax.Array) -> jax.Array:
    from jax.experimental.xla_metadata import set_xla_metadata

    with set_xla_metadata(xla_cpu_small_call="true", inlineable="false"):
        return jax.jit(f)(packed)


# -- on disk -------------------------------------------------------------------------------------


def keep_compiled_code(folder: str | os.PathLike[str] | None = None) -> Path:
    """Keep compiled code on disk, so that a later process need not compile it again.

    The command line does this by itself. `folder` is made if needed; by default it is the user's
    cache folder. JAX's own setting (`JAX_COMPILATION_CACHE_DIR`) is respected.
    """
    given = folder or jax.config.jax_compilation_cache_dir  # pyright: ignore
    if given is None:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        given = Path(base) / "dalembert" / "jax"
    jax.config.update("jax_compilation_cache_dir", str(given))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.05)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
    return Path(given)
