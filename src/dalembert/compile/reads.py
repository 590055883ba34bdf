"""What code reads and what it only writes to, told by its instructions; and whose code it is."""

from __future__ import annotations

import dis
import functools
import inspect
import re
import sys
import sysconfig
import types
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Written(NamedTuple):
    """What stands in the code of a function and of those inside of it."""

    reads: tuple[str, ...]  # names of globals
    attributes: tuple[str, ...]
    assigned: frozenset[str]  # names of globals, and of what it closes over
    records: frozenset[str]  # the same of what things are put into, and never taken from
    imports: tuple[str, ...]  # modules that are imported inside, without dots before their names

    @property
    def is_indirect(self) -> bool:
        """Whether it reads names that are not written there."""
        return not _INDIRECT.isdisjoint(self.reads)


_INDIRECT = {"getattr", "vars", "locals", "globals"}
_PUTS = {"append", "extend", "insert", "add", "update", "clear"}  # which give nothing back
_GLOBALS = ("LOAD_GLOBAL", "LOAD_NAME")
_CELLS = ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF")


@functools.cache
def written(code: types.CodeType) -> Written:
    """What stands in this code."""
    every = [list(dis.get_instructions(x)) for x in _with_inner(code)]

    def named(*operations: str) -> dict[str, None]:
        return {x.argval: None for some in every for x in some if x.opname in operations}

    put_into, taken_from = set[str](), set[str]()
    for some in every:
        for x, after in zip(some, [*some[1:], some[-1]]):
            if x.opname in (*_GLOBALS, *_CELLS):
                puts = after.opname in ("LOAD_ATTR", "LOAD_METHOD") and after.argval in _PUTS
                (put_into if puts else taken_from).add(x.argval)
    closed_over = frozenset(code.co_freevars).intersection(named("STORE_DEREF"))
    return Written(
        reads=tuple(named(*_GLOBALS)),
        attributes=tuple(named("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM")),
        assigned=closed_over.union(named("STORE_GLOBAL")),
        records=frozenset(put_into - taken_from),
        imports=tuple(named("IMPORT_NAME")),
    )


def _with_inner(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield from _with_inner(value)


def imported(names: tuple[str, ...], package: str | None) -> Iterator[types.ModuleType]:
    """Modules that are there under such names, in the package of who asks as well."""
    parts = (package or "").split(".")
    places = ["", *(".".join(parts[: i + 1]) for i in range(len(parts)))]
    for name in names:
        for place in places:
            module = sys.modules.get(".".join(x for x in (place, name) if x))
            if module is not None:
                yield module


def has_docstring(code: types.CodeType) -> bool:
    """Whether the first constant of a function's code is its docstring."""
    if code.co_name.startswith("<"):  # of a comprehension or a lambda it never is
        return False
    flag = getattr(inspect, "CO_HAS_DOCSTRING", None)  # from Python 3.14 on
    if flag is not None:
        return bool(code.co_flags & flag)
    return bool(code.co_consts) and isinstance(code.co_consts[0], str)


def is_installed_class(cls: type) -> bool:
    """Whether a class is the very object that an installed module holds under its name.

    A name alone says nothing: `type(...)` gives a class the module `abc`, and `exec` `builtins`.
    """
    module = cls.__module__
    if not isinstance(module, str) or not is_installed(module):
        return False
    found: object = sys.modules.get(module)
    for part in cls.__qualname__.split("."):
        found = getattr(found, "__dict__", {}).get(part)
    # types of Python itself that no module holds (of functions, say) are not made at run time
    return found is cls or not cls.__flags__ & _MADE_AT_RUN_TIME


_MADE_AT_RUN_TIME = 1 << 9  # Py_TPFLAGS_HEAPTYPE


def is_installed_function(f: types.FunctionType) -> bool:
    """Whether a function was written in the file of an installed module, and reads its globals."""
    name = f.__globals__.get("__name__")
    if not isinstance(name, str) or not is_installed(name):
        return False
    module = sys.modules.get(name)
    if getattr(module, "__dict__", None) is not f.__globals__:
        return False
    return f.__code__.co_filename == (getattr(module, "__file__", None) or _frozen(name))


def _frozen(name: str) -> str:
    return f"<frozen {name}>"  # a part of Python that it holds compiled


def is_installed(module: str | None) -> bool:
    """Whether a module belongs to Python, to an installed package or to this library."""
    if module is None:
        return False
    top = module.partition(".")[0]
    if top in ("dalembert", "builtins"):
        return True
    if top == "__main__":  # what is run is a user's, by whatever it is run: a profiler, say
        return False
    return _lies_installed(top, getattr(sys.modules.get(top), "__file__", None))


@functools.cache
def _lies_installed(top: str, file: str | None) -> bool:
    if file is None:  # a part of Python itself, or not there yet
        return top in sys.stdlib_module_names
    folder = Path(file).parents[Path(file).stem == "__init__"]
    places = {sysconfig.get_path(key) for key in ("purelib", "platlib", "stdlib")}
    places.add(str(Path(inspect.__file__).parent))  # by whatever links Python was found
    if any(folder.is_relative_to(place) for place in places) or top in _put_by_pip(folder):
        return True
    return not {"site-packages", "dist-packages"}.isdisjoint(folder.parts)


@functools.cache
def _put_by_pip(folder: Path) -> frozenset[str]:
    """Packages that were installed into a folder of their own, by `pip install --target`."""
    records = [x.read_text(errors="replace") for x in folder.glob("*.dist-info/RECORD")]
    return frozenset(re.split(r"[/.,]", line)[0] for x in records for line in x.splitlines())
