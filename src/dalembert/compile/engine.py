"""Choose the engine that runs a loop, and control where compiled code is cached.

`native` is scalar code for a CPU (`cpu`). `gpu` is a kernel of scalar code for the members of an
ensemble (`gpu.ptx`). `arrays` is XLA on arrays: for functions with an operation that has no scalar
rule, and inside JAX's transformations.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import jax

from ..errors import Reason, UsageError
from .cache.registry import clear_all
from .cpu import llvm


def clear_compiled(*, on_disk: bool = False) -> None:
    """Drop all compiled code, ours and JAX's, and release its memory and memory maps.

    Code that is needed again is compiled again. Code cached on disk remains, unless `on_disk=True`,
    which removes the native code there.
    """
    if on_disk:
        llvm.clear_disk()
    clear_all()
    jax.clear_caches()
    gc.collect()  # traces refer to each other in cycles
    _trim()


def _trim() -> None:
    """Return freed memory to the system; only glibc keeps it otherwise.

    Compilers allocate many small blocks. After tracing a machine of 40 bodies, 0.9 of 1.4 GB of a
    process were free but not returned (`malloc_trim` in the thorough tests).
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


# -- choice of the engine ------------------------------------------------------------------------


class Engine(NamedTuple):
    """The engine that runs the steps of a run, and the reason why it is not another one."""

    name: str
    reason: str = ""

    def noting(self, *reasons: str) -> Engine:
        """Return the engine with the first nonempty reason why its code is traced at every call."""
        for why in filter(None, reasons):
            return self._replace(reason=_joined(self.reason, f"traced again at every call: {why}"))
        return self


ENGINES = ("native", "gpu", "arrays")
K = TypeVar("K")


def chosen_engine(
    asked: str | None,
    native: Callable[[], K | Reason],
    form: Callable[[bool], str] = lambda _: "",
) -> tuple[Engine, K | None]:
    """Return the engine, and its code if it is native.

    `native` returns the native code, or the `Reason` why there is none. `form(scalars)` says how
    the mechanics is computed in scalar code, or on arrays, if there is a choice.
    """
    if asked not in (None, *ENGINES):
        raise UsageError(f"engine must be one of {', '.join(ENGINES)}, got {asked!r}")
    if asked == "gpu":
        raise UsageError("engine='gpu' is for ensembles: simulate_ensemble(...)")
    if asked == "arrays":
        return Engine("arrays", _joined("asked for", form(False))), None
    found = native()
    if not isinstance(found, Reason):
        return Engine("native", form(True)), found
    if asked == "native":
        raise UsageError(f"engine='native' cannot run this: {found}; leave engine= out")
    return Engine("arrays", _joined(found.text, form(False))), None


def _joined(*reasons: str) -> str:
    return "; ".join(filter(None, reasons))


# -- cache on disk -------------------------------------------------------------------------------


_named: str | None = None


def kept_folder() -> str | None:
    """Return the folder given to `keep_compiled_code`, for use by other processes.

    It is "" for the default folder, and None if `keep_compiled_code` was not called.
    """
    return _named


def keep_compiled_code(folder: str | os.PathLike[str] | Literal[False] | None = None) -> Path:
    """Cache compiled code on disk, so that a later process need not compile it again.

    Native code is cached without this call, in the user's cache folder (`XDG_CACHE_HOME`), which
    only the user may enter. `keep_compiled_code(False)` switches that off, and so does
    `DALEMBERT_KEEP_CODE=0` in the environment. The call names another folder, which is created if
    needed, and also caches what XLA compiles, as the command line does: in a subfolder `jax`,
    unless others can write to it. JAX's own setting (`JAX_COMPILATION_CACHE_DIR`) is respected.
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
