"""Compile LLVM text to callable functions, and cache the code on disk.

Code on disk lies in a folder that only its owner may enter. The file name is the hash of everything
that the code depends on, and the file has a checksum. Files that do not match are compiled again.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import dataclasses
import functools
import hashlib
import importlib.metadata
import os
import pickle
import re
import stat
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

_lock = threading.Lock()  # LLVM's passes must not run in two threads at once


def _renew_lock() -> None:
    global _lock
    _lock = threading.Lock()  # another thread may have held the lock when this process was forked


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)

# Largest texts, in lines, that are compiled with full and with reduced effort. Above, compiling
# takes longer than the gain is worth (`benchmarks/first_call.py` measures).
_ALL_EFFORT, _SOME_EFFORT = 1_500, 20_000
# Above, the function itself is compiled without optimization, and its routines on matrices in
# memory apart from it with optimization. A wheeled snake of 100 links has 95,000 lines, which took
# 14 s and take 0.8 s; it spends its time in the factorizations.
_LARGE = 50_000
# Above, blocks are cut into pieces of so many lines: without optimization LLVM takes a time that
# grows like the square of the length of a block (138,000 lines: 3.8 s in one piece, 0.5 s in many).
_LONG, _PIECE = 20_000, 1_000


@functools.cache
def _llvm() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # libm and libmvec must be loaded before code that calls them is linked.
    for name in ("m", "mvec"):
        found = ctypes.util.find_library(name)
        if found is not None:
            llvm.load_library_permanently(found)
    return llvm


@functools.cache
def _host() -> tuple[str, str, str]:
    llvm = _llvm()
    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features


@functools.cache
def vector_width() -> int:
    """Return how many members are computed at once: two processor vectors, to keep it busy."""
    # 16 doubles are two AVX-512 registers, 8 are two of AVX2.
    return 16 if "+avx512f" in _host()[2].split(",") else 8


# Vector functions of glibc on x86-64, with their number of operands. Their errors are at most 4
# units in the last place by the manual; `tests/test_native.py` measures them.
_VECTOR_FUNCTIONS = {"sin": 1, "cos": 1, "exp": 1, "log": 1, "pow": 2}


@functools.cache
def vector_calls() -> dict[str, tuple[str, int]]:
    """Return vector functions: operation -> (name, numbers at once); empty if there are none."""
    llvm = _llvm()
    triple, _, features = _host()
    if not triple.startswith("x86_64"):
        return {}
    features = features.split(",")
    # Names of the vector ABI: _ZGV, instruction set, number of lanes, kinds of arguments.
    letter, size = ("e", 8) if "+avx512f" in features else ("d", 4)
    if size == 4 and "+avx2" not in features:
        return {}
    found = {}
    for name, operands in _VECTOR_FUNCTIONS.items():
        symbol = f"_ZGV{letter}N{size}{'v' * operands}_{name}"
        if llvm.address_of_symbol(symbol) is not None:
            found[name] = (symbol, size)
    return found


class Effort(NamedTuple):
    """How much compile time to spend, each from 0 to 3."""

    passes: int  # optimization passes over the text
    code: int  # code generation


EFFORTS = [Effort(n, n) for n in range(4)]


# The engine has to live as long as the function: it owns the machine code.
class Native:
    """A compiled function `run`, with the engine that owns its code and data known about it.

    `make` returns the text and those data (`known`). It is not called if the code is on disk under
    `name`, which must change with everything that the text depends on. Without a name, the text
    itself is the key.
    """

    def __init__(
        self,
        make: Callable[[], tuple[str, T]],
        result: Any,
        *arguments: Any,
        name: str | None = None,
        effort: Effort | Callable[[str], Effort] | None = None,
    ) -> None:
        found = None if name is None else _remembered(name)
        if found is None:
            text, known = make()
            spent = _effort if effort is None else effort
            found = known, _object_code(text, spent(text) if callable(spent) else spent)
            if name is not None:
                _remember(name, *found)
        self.known: Any
        self.known, code = found
        self._engine = _loaded(code)
        address = self._engine.get_function_address("run")
        self.call = ctypes.CFUNCTYPE(result, *arguments)(address)


def _effort(text: str) -> Effort:
    lines = text.count("\n")
    return EFFORTS[3 if lines <= _ALL_EFFORT else 2 if lines <= _SOME_EFFORT else 1]


def _machine(effort: int) -> Any:
    llvm = _llvm()
    triple, cpu, features = _host()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(
        cpu=cpu, features=features, opt=effort, codemodel="jitdefault", jit=True
    )


def _compiled(text: str, effort: Effort) -> bytes:
    llvm = _llvm()
    lines = text.count("\n")
    # Only at the default effort: callers that ask for little know their code.
    if lines > _LARGE and effort == _effort(text):
        main, routines = _apart(text)
        if routines:
            # The routines run most of the time, and are few: they are optimized, and the rest is
            # not.
            both = _compiled(main, EFFORTS[0]), _compiled(routines, EFFORTS[2])
            return _PAIR + pickle.dumps(both)
    # Without optimization no pass needs the long blocks.
    if lines > _LONG and effort.code == 0:
        text = _in_pieces(text)
    module = llvm.parse_assembly(text)
    machine = _machine(effort.code)
    options = llvm.create_pipeline_tuning_options(speed_level=effort.passes)
    # small code runs a tenth faster for a tenth more of compile time; for large code neither holds
    options.slp_vectorization = effort.passes > 2
    # Members are vectors already; loops over rows and steps would only grow.
    options.loop_vectorization = False
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


_PAIR = b"two object files\n"  # header of a pickled pair: the function, its routines
_ROUTINE = re.compile(
    r"^define internal void @(memory\.[\w.]+)\(([^)]*)\) [^{\n]*\{\n.*?^\}\n", re.M | re.S
)


def _apart(text: str) -> tuple[str, str]:
    """Return a text without its routines, which it declares, and one that has them alone."""
    # By a regular expression: parsing the text with LLVM would take as long as is saved here.
    found = [x.group(0) for x in _ROUTINE.finditer(text)]
    declared = [x for x in text.split("\n") if x.startswith("declare ")]

    def head(match: re.Match[str]) -> str:
        kinds = [x.rpartition(" ")[0] for x in match[2].split(", ")]
        # Types only: a declaration has no names of arguments.
        return f"declare void @{match[1]}({', '.join(kinds)}) nounwind\n"

    routines = "\n".join([*declared, *(x.replace("define internal", "define", 1) for x in found)])
    return _ROUTINE.sub(head, text), routines if found else ""


def _in_pieces(text: str) -> str:
    """Cut the blocks of the function `run` into pieces, joined by branches."""
    out: list[str] = []
    inside, label, length = False, "", 0
    ends: dict[str, str] = {}  # label of a block that was cut -> label of its last piece
    for line in text.split("\n"):
        if line.startswith("define "):
            inside, length = " @run(" in line, 0
        elif inside and line.endswith(":") and line[0] != " ":
            label, length = line[:-1], 0
        length += 1
        # Not between phis, which must begin a block.
        if inside and length > _PIECE and line.startswith("  %") and " phi " not in line:
            piece = ends[label] = f"piece.{len(out)}"
            out += [f"  br label %{piece}", f"{piece}:"]
            length = 0
        out.append(line)

    def last(match: re.Match[str]) -> str:
        # A phi names the block from which it is reached: the last piece of one that was cut.
        return f"%{ends.get(match[1], match[1])} ]"

    return "\n".join(_FROM.sub(last, x) if " = phi " in x else x for x in out)


_FROM = re.compile(r"%([\w.$-]+) \]")  # where a value of a `phi` comes from


def _loaded(code: bytes) -> Any:
    llvm = _llvm()
    # A pair of object files if function and routines were compiled apart.
    files = pickle.loads(code[len(_PAIR) :]) if code.startswith(_PAIR) else [code]
    with _lock:
        # An empty module: all code comes from object files.
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(2))
        for x in files:
            engine.add_object_file(llvm.ObjectFileRef.from_data(x))
        engine.finalize_object()
    return engine


# -- cache on disk --------------------------------------------------------------------------------


@dataclasses.dataclass
class Disk:
    """Where code is cached, with counts of hits and misses; nowhere if `folder` is None."""

    folder: Path | None = None
    hits: int = 0
    misses: int = 0


def user_folder() -> Path:
    """Return the default folder for cached code."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "dalembert" / "native"


def _at_first() -> Path | None:
    if os.environ.get("DALEMBERT_KEEP_CODE", "1") == "0":
        return None
    try:
        return user_folder()
    except RuntimeError:  # a user without a home
        return None


disk = Disk(_at_first())
# most cached files on disk; the oldest ones beyond this number are removed
_MOST_FILES = 2000


def clear_disk() -> None:
    """Remove all cached code."""
    _remove(0)


def _remove(left: int) -> None:
    """Remove all but the newest `left` files."""
    folder = disk.folder
    if folder is None or not is_private(folder):
        # Not our folder, or open to others: leave it alone.
        return
    files = sorted(folder.glob("*.o"), key=_age)
    for path in files[: len(files) - left]:
        # Another process may have removed it.
        with contextlib.suppress(OSError):
            path.unlink()


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _object_code(text: str, effort: Effort) -> bytes:
    path = None
    if disk.folder is not None:
        # The key has the text and the effort, processor and version of LLVM.
        path = disk.folder / f"{_key(str(effort), text)}.o"
        code = _read(path)
        if code is not None:
            disk.hits += 1
            return code
    # Outside of the lock only if the code is on disk: LLVM compiles one text at a time.
    with _lock:
        disk.misses += 1
        code = _compiled(text, effort)
    if path is not None:
        _write(path, code)
    return code


def kept_text(key: str, make: Callable[[], str]) -> str:
    """Return `make()`, cached on disk under `key`."""
    path = None if disk.folder is None else disk.folder / f"{_key(key)}.o"
    found = None if path is None else _read(path)
    if found is None:
        with _lock:
            found = make().encode()
        if path is not None:
            _write(path, found)
    return found.decode()


def _key(*parts: str) -> str:
    import llvmlite

    parts = (*_host(), llvmlite.__version__, *parts)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _named(name: str) -> Path | None:
    return None if disk.folder is None else disk.folder / f"{_key(name, _versions())}.o"


@functools.cache
def _versions() -> str:
    """Return what else decides which code is made: versions of Python and JAX, and our files."""
    modules = ("jax", "jaxlib", "numpy", "equinox")
    versions = [sys.version, *map(importlib.metadata.version, modules)]
    here = Path(__file__).parents[2]
    for path in sorted(here.rglob("*.py")):
        found = path.stat()
        # Names, sizes and times of our own files: an edited library makes new code.
        versions.append(f"{path.relative_to(here)} {found.st_size} {found.st_mtime_ns}")
    return "\n".join(versions)


def _remembered(name: str) -> tuple[Any, bytes] | None:
    """Return (data, code) cached under this name, or None."""
    path = _named(name)
    data = None if path is None else _read(path)
    if data is None:
        return None
    size = int.from_bytes(data[:8], "little")
    try:
        # pickle is as safe here as the machine code beside it: a private folder, and a checksum
        known = pickle.loads(data[8 : 8 + size])
    except Exception:  # for example, a class that no longer exists
        return None
    disk.hits += 1
    return known, data[8 + size :]


def _remember(name: str, known: Any, code: bytes) -> None:
    path = _named(name)
    if path is None:
        return
    try:
        told = pickle.dumps(known)
    except Exception:  # for example, a class defined in a function: then only the text is a key
        return
    _write(path, len(told).to_bytes(8, "little") + told + code)


def is_private(folder: Path) -> bool:
    """Whether a folder is ours and no other user may read or write it."""
    try:
        found = folder.stat(follow_symlinks=False)
    except OSError:
        return False
    # A link could lead to a folder of somebody else.
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # a platform without owners and modes
        return True
    return found.st_uid == os.getuid() and not found.st_mode & 0o077


def make_private(folder: Path) -> None:
    """Create a folder, and missing parents, with access for the owner only, whatever the umask is.

    If the default cache folder above it was open to others, it is closed to them. May raise
    `OSError`.
    """
    # From the outermost folder inwards, each closed before the next is made.
    missing = [x for x in (folder, *folder.parents) if not x.exists()]
    for x in reversed(missing):
        x.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(RuntimeError):  # a user without a home
        ours = user_folder().parent
        if ours in folder.parents and not is_private(ours):
            os.chmod(ours, 0o700)  # raises OSError if it belongs to another user


def close_to_others(folder: Path) -> bool:
    """Make a folder private if others could only read it; return whether it is private now."""
    try:
        make_private(folder)
        found = folder.stat(follow_symlinks=False)
        could_write = found.st_mode & 0o022 if hasattr(os, "getuid") else 0
        if stat.S_ISDIR(found.st_mode) and not could_write and not is_private(folder):
            os.chmod(folder, 0o700)
    except OSError:
        return False
    return is_private(folder)


def _read(path: Path) -> bytes | None:
    folder = path.parent
    if not is_private(folder):
        return None
    try:
        data = path.read_bytes()
    except OSError:
        # A missing file is a cache miss; so is one that another process removes now.
        return None
    code = data[32:]
    # The name is part of the checksum: a file under another name is not taken.
    return code if hashlib.sha256(path.name.encode() + code).digest() == data[:32] else None


def _write(path: Path, code: bytes) -> None:
    """Write a file completely or not at all; do nothing if the folder is not private, or full."""
    try:
        make_private(path.parent)
        if not is_private(path.parent):
            return
        data = hashlib.sha256(path.name.encode() + code).digest() + code
        # Written beside its place and then renamed: readers see a whole file or none.
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
            if hash(path.name) % 64 == 0:  # one in 64 writes trims the folder
                _remove(_MOST_FILES)
        except BaseException:
            os.unlink(name)
            raise
    except OSError:
        # A full disk or a folder that cannot be written: work without a cache.
        return
