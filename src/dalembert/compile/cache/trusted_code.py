"""Decide which code is trusted: this library and the packages it is built on.

Trusted code computes from its arguments alone and is identified by its name; its versions are part
of the keys on disk. All other code is inspected, wherever it is installed.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import sys
import sysconfig
import types
import weakref
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from ...doors import is_installed

_PACKAGES = frozenset(
    "dalembert jax jaxlib numpy scipy equinox jaxtyping diffrax lineax optimistix".split()
)
# `reprlib` since Python 3.13: dataclasses take the wrapper of their `__repr__` from it, and code of
# a user's dataclass would otherwise be traced again at every call.
_OF_PYTHON = frozenset(
    "builtins math cmath operator _operator functools _functools itertools collections _collections"
    " dataclasses typing types abc _abc enum numbers fractions copy contextlib warnings _warnings"
    " bisect _bisect heapq _heapq statistics re reprlib string inspect __future__".split()
)
# parts of trusted packages that read files, random numbers, computed names, or the caller
_EXCEPT_MODULES = ("numpy.random", "numpy.lib.npyio", "numpy.lib._npyio", "scipy.io")
_EXCEPT_NAMES = {
    "numpy": frozenset("load loadtxt genfromtxt fromfile fromregex memmap".split()),
    "jax": frozenset(["load"]),
    "builtins": frozenset("eval exec compile globals open input __import__ breakpoint".split()),
    "inspect": frozenset("currentframe stack trace getsource getmembers getmodule".split()),
}


def is_trusted(module: object) -> TypeGuard[str]:
    """Whether a module of this name computes from its arguments alone."""
    if not isinstance(module, str):  # functions made by `exec` may have no module
        return False
    top = module.partition(".")[0]
    if top in _PACKAGES:
        return not module.startswith(_EXCEPT_MODULES)
    return top in _OF_PYTHON and _is_of_python(getattr(sys.modules.get(top), "__file__", None))


@functools.cache
def _is_of_python(file: str | None) -> bool:
    """Whether a module is part of Python, and not a user's module of the same name."""
    if file is None:  # built in
        return True
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    # also the folder reached through symbolic links
    folders.add(str(Path(inspect.__file__).parent))
    inside = any(Path(file).is_relative_to(x) for x in folders)
    return inside and not is_installed(file)


@functools.cache
def is_in_a_package(file: str) -> bool:
    """Whether a file is part of Python or of an installed package; messages shorten its path."""
    return file.startswith("<frozen") or _is_of_python(file) or is_installed(file)


def is_held(x: object) -> bool:
    """Whether a class or function is the very object that a trusted module holds under its name.

    The name alone is no proof: a class made by `type(...)` may report the module `abc`, and one
    made inside `exec` may report `builtins`.
    """
    module = getattr(x, "__module__", None)
    if not is_trusted(module):
        return False
    name = getattr(x, "__qualname__", None) or getattr(x, "__name__", None)
    if not isinstance(name, str):
        return False
    held: dict[str, Any] = getattr(sys.modules.get(module), "__dict__", {})
    result = held.get(name)
    if result is None and "." in name:
        first, *rest = name.split(".")
        result = held.get(first)
        for part in rest:
            result = getattr(result, "__dict__", {}).get(part)
        if result is not x:  # some types of JAX have another module's name before their own
            result = held.get(rest[-1])
    return result is x and not reads_unseen(module, name)


def reads_unseen(module: str, name: str) -> bool:
    """Whether something in a trusted module reads what cannot be compared."""
    return name in _EXCEPT_NAMES.get(module.partition(".")[0], ())


def is_trusted_class(cls: type) -> bool:
    """Whether a class belongs to a trusted module."""
    if is_held(cls):
        return True
    # built-in types that no module holds, such as that of functions; class statements make heap
    # types
    return cls.__module__ == "builtins" and not cls.__flags__ & _MADE_AT_RUN_TIME


_MADE_AT_RUN_TIME = 1 << 9  # Py_TPFLAGS_HEAPTYPE


def is_trusted_function(f: types.FunctionType) -> bool:
    """Whether a function was written in the file of a trusted module, and reads its globals."""
    name = f.__globals__.get("__name__")
    if not is_trusted(name):
        return False
    module = sys.modules.get(name)
    if getattr(module, "__dict__", None) is not f.__globals__ or reads_unseen(name, f.__name__):
        return False
    # a frozen module has no file in its code
    return f.__code__.co_filename in (getattr(module, "__file__", None), f"<frozen {name}>")


class ClassLayout(NamedTuple):
    """The memory layout of objects of a class, which never changes."""

    number: int  # unique in this process
    slots: tuple[types.MemberDescriptorType, ...]
    own: int  # bytes for `__dict__`, slots and weak references
    size: int
    item: int

    def hides(self, content: type = object) -> bool:
        """Whether objects hold more than their attributes, slots and `content`.

        It is found from the instance size: a class written in C stores data beside the dict and
        slots.
        """
        more = self.size - content.__basicsize__ > self.own
        return more or self.item != content.__itemsize__


def layout_of(cls: type) -> ClassLayout:
    """Return the layout of a class, cached."""
    known = _layouts.get(id(cls))
    if known is not None and known[0]() is cls:
        return known[1]

    # the table is bound: when the interpreter ends this module is emptied before classes go
    def forget(dead: weakref.ref[type], place: int = id(cls), table: Any = _layouts) -> None:
        if table.get(place, (None,))[0] is dead:
            del table[place]

    members = [x for base in cls.__mro__ for x in vars(base).values()]
    slots = tuple(x for x in members if isinstance(x, types.MemberDescriptorType))
    of_dict = cls.__dictoffset__ > 0 or (cls.__dictoffset__ < 0 and cls.__itemsize__ > 0)
    own = _POINTER * (len(slots) + of_dict + (cls.__weakrefoffset__ != 0))
    result = ClassLayout(next(_numbers), slots, own, cls.__basicsize__, cls.__itemsize__)
    _layouts[id(cls)] = weakref.ref(cls, forget), result
    return result


# id of a class -> a weak reference and its layout; ids are reused, numbers are not
_layouts: dict[int, tuple[weakref.ref[type], ClassLayout]] = {}
_numbers = itertools.count()
_POINTER = tuple.__itemsize__
