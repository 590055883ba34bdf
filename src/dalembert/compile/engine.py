"""Which engine runs a loop, and what is kept of compiled code.

`native` is code for a CPU made of scalar operations (`cpu`), `gpu` a kernel of them for members
of an ensemble (`gpu.ptx`), `arrays` is XLA on arrays, for what has no rule number by
number and inside of JAX's transformations.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import jax

from ..errors import Reason, UsageError
from .cache.registry import clear_all
from .cpu import llvm


def clear_compiled(*, on_disk: bool = False) -> None:
    """Forget all compiled code, ours and JAX's: memory and memory maps are given back.

    What is needed again is compiled again. Code kept on disk stays there, but for `on_disk=True`,
    which removes the native code there.
    """
    if on_disk:
        llvm.clear_disk()
    clear_all()
    jax.clear_caches()


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
