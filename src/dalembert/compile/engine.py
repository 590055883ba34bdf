"""How functions are compiled: options that suit tiny operations, and what is kept of it."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

from .scalarize import is_kernel, jex

# Up to this many operations XLA's fusion saves stores; above it, it computes common parts again
# for each of their uses, and both compiling and running take twice as long without need
# (`benchmarks/agreement.py` shows it).
_FUSE_UP_TO = 1600


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


def jit(**arguments: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`jax.jit` for the CPU, which asks for the backend only when it is called, not on import."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.cache
        def compiled() -> Any:
            return jax.jit(function, compiler_options=cpu_options(), **arguments)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with on_cpu():
                return compiled()(*args, **kwargs)

        call.compiled = compiled  # type: ignore[attr-defined]
        return call

    return wrap


def compile_for_cpu(function: Callable[..., Any], *shapes: Any) -> Callable[..., Any]:
    """The function compiled now, with options chosen by what it turned out to be."""
    with on_cpu():
        traced = jax.jit(function).trace(*shapes)
        options = dict(cpu_options())
        # of scalar code only: for arrays XLA without its fusion has been seen to compute wrongly
        if size(traced.jaxpr.jaxpr) > _FUSE_UP_TO and is_kernel(traced.jaxpr):
            options["xla_disable_hlo_passes"] = "fusion"
        compiled = traced.lower().compile(options)

    def call(*args: Any) -> Any:
        with on_cpu():
            return compiled(*args)

    return call


def size(jaxpr: Any) -> int:
    """Number of operations, those inside of loops and calls included."""
    inner = (sum(map(size, jex.jaxprs_in_params(eqn.params))) for eqn in jaxpr.eqns)
    return len(jaxpr.eqns) + sum(inner)


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
