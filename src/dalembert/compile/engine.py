"""Which engine runs a loop, how arrays are compiled, and what is kept of compiled code.

`native` is code for a CPU made of scalar operations (`native`), `gpu` a kernel of them for members
of an ensemble (`ptx`), `arrays` is XLA on arrays, for what has no rule number by
number and inside of JAX's transformations.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple, ParamSpec, TypeAlias, TypeVar

import jax
import jax.numpy as jnp

from ..errors import Reason, UsageError
from . import llvm
from .fingerprint import forget_versions
from .tracing import to_be_compiled

Compiled: TypeAlias = Callable[..., Any]
Device: TypeAlias = Any  # of JAX, which does not tell checkers of types what it is
P = ParamSpec("P")
R = TypeVar("R")

# -- what is compiled once -----------------------------------------------------------------------

_caches: list[Callable[[], None]] = [forget_versions]


def cached(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`functools.lru_cache` that `clear_compiled` knows of.

    What was made for code that cannot be compared (`is_compared` of an argument is false) is of use
    for one run only, and does not push out the rest.
    """

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        kept = functools.lru_cache(maxsize=maxsize)(function)
        lately = functools.lru_cache(maxsize=min(maxsize, _LATELY))(function)
        _caches.extend((kept.cache_clear, lately.cache_clear))

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for x in args:
                if hasattr(type(x), "is_compared") and not x.is_compared:  # pyright: ignore
                    return lately(*args, **kwargs)  # pyright: ignore[reportArgumentType]
            return kept(*args, **kwargs)  # pyright: ignore[reportArgumentType]

        return call

    return wrap


_LATELY = 4  # pieces of code of one kind that a run needs at once


def clear_compiled(*, on_disk: bool = False) -> None:
    """Forget all compiled code, ours and JAX's: memory and memory maps are given back.

    What is needed again is compiled again. Code kept on disk stays there, but for `on_disk=True`,
    which removes the native code there.
    """
    if on_disk:
        llvm.clear_disk()
    for clear in _caches:
        clear()
    jax.clear_caches()


# -- for a CPU -----------------------------------------------------------------------------------


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


# -- which one -----------------------------------------------------------------------------------


class Engine(NamedTuple):
    """What runs the steps of a run, and why it is not another one."""

    name: str
    reason: str = ""

    def noting(self, *reasons: str) -> Engine:
        """The engine, with why code is not found again by the next call, if it is not."""
        for why in filter(None, reasons):
            told = (self.reason, f"traced again at every call: {why}")
            return self._replace(reason="; ".join(filter(None, told)))
        return self


ENGINES = ("native", "gpu", "arrays")
K = TypeVar("K")


def chosen_engine(asked: str | None, native: Callable[[], K | Reason]) -> tuple[Engine, K | None]:
    """The engine, with its code if it is native; `native` gives that, or the reason against it."""
    if asked not in (None, *ENGINES):
        raise UsageError(f"engine must be one of {', '.join(ENGINES)}, got {asked!r}")
    if asked == "gpu":
        raise UsageError("engine='gpu' is for ensembles: simulate_ensemble(...)")
    if asked == "arrays":
        return Engine("arrays", "asked for"), None
    found = native()
    if not isinstance(found, Reason):
        return Engine("native"), found
    if asked == "native":
        raise UsageError(f"engine='native' cannot run this: {found}; leave engine= out")
    return Engine("arrays", found.text), None


# -- on disk -------------------------------------------------------------------------------------


_named: str | None = None


def kept_folder() -> str | None:
    """Where `keep_compiled_code` was told to keep code, for other processes: "" if nowhere special,
    None if it was not called.
    """
    return _named


def keep_compiled_code(folder: str | os.PathLike[str] | Literal[False] | None = None) -> Path:
    """Keep compiled code on disk, so that a later process need not compile it again.

    Native code is kept without this call, in the user's cache folder (`XDG_CACHE_HOME`), which
    only the user may enter; `keep_compiled_code(False)` switches that off, and so does
    `DALEMBERT_KEEP_CODE=0` in the environment. The call names another folder, which is made if
    needed, and keeps what XLA compiles as well, as the command line does: in a folder `jax` inside,
    unless others can write to that. JAX's own setting (`JAX_COMPILATION_CACHE_DIR`) is respected.
    Returns the folder.
    """
    global _named
    if folder is False:
        llvm.disk.folder = _named = None
        return Path(os.devnull)
    ours = Path(folder) if folder is not None else llvm.user_folder().parent
    if llvm.disk.folder is not None or folder is not None:
        llvm.disk.folder = ours / "native"
    _named = "" if folder is None else str(Path(folder).absolute())
    given = None if folder else jax.config.jax_compilation_cache_dir  # pyright: ignore
    if given is None and llvm.close_to_others(ours / "jax"):
        given = str(ours / "jax")
    if given is not None:
        jax.config.update("jax_compilation_cache_dir", given)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.05)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
    return ours
