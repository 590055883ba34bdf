"""Compile functions of arrays with XLA on a CPU, and choose XLA's compiler options."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp

from ..errors import UsageError
from .tracing import to_be_compiled

Compiled: TypeAlias = Callable[..., Any]
Device: TypeAlias = Any  # JAX exports no type for devices


def cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS has no sched_getaffinity
        return os.cpu_count() or 1


# Whether this version of XLA accepts the compiler option.
@functools.cache
def _known(option: str, value: bool) -> bool:
    try:
        jax.jit(lambda: jnp.zeros(()), compiler_options={option: value}).lower().compile()
    except jax.errors.JaxRuntimeError:
        return False
    return True


@functools.cache
def cpu_options() -> dict[str, Any]:
    """Return options for XLA's older CPU code generator and fewer LLVM passes, if XLA accepts them.

    With them our many tiny operations compile in half the time and run as fast.
    """
    wanted = {"xla_cpu_use_fusion_emitters": False, "xla_llvm_disable_expensive_passes": True}
    with on_cpu():
        return {k: v for k, v in wanted.items() if _known(k, v)}


@functools.cache
def quick_options() -> dict[str, Any]:
    """Return options for code that runs a few times, where compilation dominates the cost."""
    return {"xla_backend_optimization_level": 0, **cpu_options()}


def on_cpu() -> Any:
    """Return a context in which JAX uses the CPU: one trajectory is a chain of tiny operations."""
    return jax.default_device(_cpu())


@functools.cache
def _cpu() -> Any:
    try:
        return jax.local_devices(backend="cpu")[0]
    except RuntimeError as error:
        raise UsageError(
            f"JAX has no CPU backend here ({error}), which every run needs: unset JAX_PLATFORMS, "
            "or set it to cuda,cpu"
        ) from error


def compile_for_cpu(function: Compiled, *shapes: jax.ShapeDtypeStruct) -> Compiled:
    """Compile a function that will not be differentiated for these shapes, now."""
    with on_cpu(), to_be_compiled():
        compiled = jax.jit(function).lower(*shapes).compile(dict(cpu_options()))

    def call(*args: object) -> Any:
        with on_cpu():
            return compiled(*args)

    return call
