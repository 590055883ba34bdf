"""XLA on a CPU: options of its compiler, and functions of arrays compiled by it."""

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
Device: TypeAlias = Any  # of JAX, which does not tell checkers of types what it is


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1


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


@functools.cache
def quick_options() -> dict[str, Any]:
    """For code that runs once or a few times, where compiling is all that it costs."""
    return {"xla_backend_optimization_level": 0, **cpu_options()}


def on_cpu() -> Any:
    """Context in which JAX works on the CPU: one trajectory is a chain of tiny operations."""
    return jax.default_device(_cpu())


@functools.cache
def _cpu() -> Any:
    try:
        return jax.local_devices(backend="cpu")[0]
    except RuntimeError as error:
        raise UsageError(
            f"JAX has no CPU here, which parts of every run need ({error}): leave JAX_PLATFORMS "
            "out, or set it to cuda,cpu"
        ) from error


def compile_for_cpu(function: Compiled, *shapes: jax.ShapeDtypeStruct) -> Compiled:
    """The function compiled now, which nobody differentiates."""
    with on_cpu(), to_be_compiled():
        compiled = jax.jit(function).lower(*shapes).compile(dict(cpu_options()))

    def call(*args: object) -> Any:
        with on_cpu():
            return compiled(*args)

    return call
