"""Find what code reads, and what it only writes to, from its bytecode."""

from __future__ import annotations

import dis
import functools
import hashlib
import inspect
import re
import types
from collections.abc import Iterator
from typing import NamedTuple

from .registry import registered

Path = tuple[str, ...]  # ("np", "linalg", "norm") for `np.linalg.norm`


class Import(NamedTuple):
    """A module imported inside a function, and what is read of it there."""

    level: int  # number of leading dots
    module: str
    paths: tuple[Path, ...]  # () stands for the module as a whole


class Written(NamedTuple):
    """What the code of a function, and of functions inside it, reads and writes."""

    globals: tuple[Path, ...]
    cells: dict[str, list[Path]]  # closed-over variables, with the attributes read of them
    imports: tuple[Import, ...]
    names: frozenset[str]  # names of attributes, and words in strings, which may be names
    assigned: frozenset[str]  # globals and closed-over variables that it assigns
    records: frozenset[str]  # those into which it only puts items, and which it never reads


_PUTS = {"append", "extend", "insert", "add", "update", "clear"}  # methods that return nothing
_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
_CELLS = ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")


@functools.lru_cache(maxsize=4096)
def written(code: types.CodeType) -> Written:
    """Analyze a code object."""
    every = [_instructions(x) for x in _with_inner(code)]
    globals_, cells, imports = dict[Path, None](), dict[str, list[Path]](), list[Import]()
    names, puts, takes = set[str](), set[str](), set[str]()
    local = {x: found for some in every for found, x in _local_imports(some)}
    read: dict[str, list[Path]] = {x: [] for x in local}
    for some in every:
        for i, x in enumerate(some):
            path = _attributes_behind(some, i)
            if x.opname in _GLOBALS:
                globals_[x.argval, *path] = None
            elif x.opname in _CELLS:
                cells.setdefault(x.argval, []).append(path)
            if x.opname in (*_GLOBALS, *_CELLS):
                (puts if len(path) == 1 and path[0] in _PUTS else takes).add(x.argval)
            for name in _loaded(x):
                if name in read:
                    read[name].append(path if name == _loaded(x)[-1] else ())
            if "ATTR" in x.opname or x.opname in ("LOAD_METHOD", "IMPORT_FROM"):
                names.add(x.argval)
        imports += _from_imports(some)
    imports += [Import(*local[x], tuple(paths)) for x, paths in read.items()]
    for one in _with_inner(code):
        for value in one.co_consts[has_docstring(one) :]:
            names.update(_words(value))
    stored = {x.argval for some in every for x in some if x.opname == "STORE_GLOBAL"}
    closed = {x.argval for some in every for x in some if x.opname == "STORE_DEREF"}
    return Written(
        globals=tuple(globals_),
        cells=cells,
        imports=tuple(imports),
        names=frozenset(names),
        assigned=frozenset(stored | closed.intersection(code.co_freevars)),
        records=frozenset(puts - takes),
    )


registered(written.cache_clear)


def _instructions(code: types.CodeType) -> list[dis.Instruction]:
    return [x for x in dis.get_instructions(code) if x.opname not in ("EXTENDED_ARG", "CACHE")]


def _with_inner(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield from _with_inner(value)


def _attributes_behind(some: list[dis.Instruction], i: int) -> Path:
    """Return the attributes that are read of what instruction i loads."""
    end = i + 1
    while end < len(some) and some[end].opname in _ATTRIBUTES:
        end += 1
    return tuple(x.argval for x in some[i + 1 : end])


def _loaded(x: dis.Instruction) -> tuple[str, ...]:
    """Return the local variables that an instruction loads: since Python 3.13 possibly two."""
    if not x.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "STORE_FAST_LOAD")):
        return ()
    return x.argval if isinstance(x.argval, tuple) else (x.argval,)


def _local_imports(some: list[dis.Instruction]) -> Iterator[tuple[tuple[int, str], str]]:
    """Yield ((level, module), variable) for `import a.b` and `import a.b as c` in a function."""
    for i, x in enumerate(some):
        if x.opname != "IMPORT_NAME" or some[i - 1].argval is not None:
            continue
        # with `as`, the variable is the last part, reached step by step; otherwise it is the first
        # part
        end = next(j for j in range(i + 1, len(some)) if some[j].opname.startswith("STORE_"))
        whole = any(y.opname == "IMPORT_FROM" for y in some[i:end])
        name = x.argval if whole else x.argval.partition(".")[0]
        stored = some[end].argval
        yield (int(some[i - 2].argval), name), stored if isinstance(stored, str) else stored[0]


def _from_imports(some: list[dis.Instruction]) -> Iterator[Import]:
    """Yield `from a import b` inside a function."""
    for i, x in enumerate(some):
        if x.opname == "IMPORT_NAME" and some[i - 1].argval is not None:
            paths = tuple((name,) for name in some[i - 1].argval)
            yield Import(int(some[i - 2].argval), x.argval, paths)


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from re.findall(r"[^\W\d]\w*", value)
    elif isinstance(value, (tuple, frozenset)):
        for x in value:
            yield from _words(x)


@functools.lru_cache(maxsize=4096)
def digest_of(code: types.CodeType) -> str:
    """Return the hash of instructions and constants, without docstrings and line numbers."""
    parts = [
        code.co_code.hex(),
        repr(code.co_names),
        repr(code.co_varnames),
        repr(code.co_freevars),
    ]
    parts += [_constant(x) for x in code.co_consts[has_docstring(code) :]]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


registered(digest_of.cache_clear)


def _constant(x: object) -> str:
    if isinstance(x, types.CodeType):
        return digest_of(x)
    if isinstance(x, (tuple, frozenset)):  # the order of a set differs between processes
        inside = [_constant(y) for y in x]
        return f"{type(x).__name__}{sorted(inside) if isinstance(x, frozenset) else inside}"
    return repr(x)


def has_docstring(code: types.CodeType) -> bool:
    """Whether the first constant of a function's code is its docstring."""
    if code.co_name.startswith("<"):  # comprehensions and lambdas have none
        return False
    flag = getattr(inspect, "CO_HAS_DOCSTRING", None)  # since Python 3.14
    if flag is not None:
        return bool(code.co_flags & flag)
    return bool(code.co_consts) and isinstance(code.co_consts[0], str)
