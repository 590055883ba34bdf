"""What code is and what it reads, as a short text that changes when either does.

Two functions have the same fingerprint if they have the same instructions and constants and read
equal values: defaults, closed-over variables, globals, attributes of their class. A comment or a
docstring makes no difference. Packages that are installed (JAX, NumPy, this one) count by their
name: their versions are compared apart.
"""

from __future__ import annotations

import array
import collections
import contextlib
import contextvars
import dataclasses
import functools
import hashlib
import inspect
import itertools
import operator
import os
import pickle
import types
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import jax
import numpy as np
from jax.core import Tracer

from ..errors import UsageError
from .reads import (
    Written,
    has_docstring,
    imported,
    is_installed,
    is_installed_class,
    is_installed_function,
    written,
)

T = TypeVar("T")


def fingerprint(*things: object, without: Iterable[str] = ()) -> str:
    """The fingerprint of functions, classes and values; the same in every process.

    `without` names attributes of classes that do not count.
    """
    return _walked(things, exact=False, without=without).digest.hexdigest()[:20]


def code_parts(*things: object, without: Iterable[str] = ()) -> dict[str, str]:
    """What `fingerprint` looks at, piece by piece: names of code, and of what it reads, with texts
    that change where these do. Numbers are told as they are.
    """
    found: dict[str, str] = {}
    seen: list[object] = []

    def tell(name: str, value: object) -> None:
        plain = type(value) in (bool, int, float)
        found[name] = repr(value) if plain else "#" + fingerprint(value, without=without)[:8]

    def look(name: str, value: object) -> None:
        if any(value is x for x in seen):
            return
        f = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if isinstance(value, type) and not is_installed_class(value):
            seen.append(value)
            for base, inner, x in _own_attributes(value, _BOOKKEEPING.union(without)):
                look(f"{base.__qualname__}.{inner}", x)
        elif isinstance(f, types.FunctionType) and not is_installed_function(f):
            seen.append(value)
            name = f.__qualname__.rpartition("<locals>.")[2]
            tell(name, (f.__code__, f.__defaults__, f.__kwdefaults__))
            for read, x in _values_read(f, exact=False):
                look(f"{read} (read by {name})", x)
        elif not isinstance(value, type) and not is_installed(getattr(value, "__name__", None)):
            tell(name, value)

    for thing in things:
        look(type(thing).__qualname__, thing)
    return found


def lasting_key(*things: object) -> str | None:
    """A key under which another process finds what was compiled of these; None if that is unsafe.

    Safe are numbers, texts, arrays, functions of this library and objects of its own classes, whose
    files `llvm` has in its keys. Code of anybody else may read what no fingerprint sees (a file, a
    clock, a module): what is compiled of it is found by the text that it becomes, after tracing.
    """
    digest = hashlib.sha256()
    return digest.hexdigest() if all(_encode(x, digest) for x in things) else None


def _encode(x: object, digest: hashlib._Hash) -> bool:
    """Whether x is fully known, and then its content into the digest."""

    def say(*words: object) -> bool:
        digest.update("\0".join(map(str, words)).encode() + b"\1")
        return True

    kind = type(x)
    if x is None or kind in (bool, int, float, complex, str, bytes):
        return say(kind.__name__, repr(x))
    if kind in (tuple, list):
        items: Sequence[object] = x  # pyright: ignore[reportAssignmentType]
        return say(kind.__name__, len(items)) and all(_encode(y, digest) for y in items)
    if kind is frozenset:
        return _encode(sorted(map(repr, x)), digest)  # pyright: ignore[reportArgumentType]
    if kind is dict:
        pairs = list(x.items())  # pyright: ignore[reportAttributeAccessIssue]
        return say("dict", len(pairs)) and all(_encode(y, digest) for y in pairs)
    is_array = kind is np.ndarray or isinstance(x, (np.generic, jax.Array))
    if is_array and not isinstance(x, Tracer):
        array = np.asarray(x)
        digest.update(array.tobytes())
        return array.dtype.kind in "fiub" and say(array.dtype, array.shape)
    if isinstance(x, type):
        return _encode_class(x, say, digest)
    if isinstance(x, types.FunctionType):
        return _encode_member(x, digest)
    if dataclasses.is_dataclass(x):
        fields = [f.name for f in dataclasses.fields(x)]
        more = set(getattr(x, "__dict__", ())) - set(fields)
        known = _encode_class(kind, say, digest) and not more
        return known and all(_encode((f, getattr(x, f, None)), digest) for f in fields)
    return False


# packages that bases and wrapped functions of this library's classes come from
_PLAIN = ("builtins", "equinox", "abc", "collections", "typing", "functools")


def _encode_class(cls: type, say: Callable[..., bool], digest: hashlib._Hash) -> bool:
    """A class of this library, with its attributes as they are now."""
    for base in cls.__mro__:
        top = base.__module__.partition(".")[0]
        if not is_installed_class(base) or top not in ("dalembert", *_PLAIN):
            return False
        say("class", base.__module__, base.__qualname__)
        if top == "dalembert":
            own, others = _of_library(base)
            digest.update(own)
            attributes = vars(base)
            if not all(say(name) and _encode_member(attributes[name], digest) for name in others):
                return False
    return True


class _Attributes(NamedTuple):
    """What a class of this library has: compared by `is`, which costs next to nothing."""

    names: list[str]
    values: list[object]
    digest: bytes  # of the library's own functions, and of values that never change
    others: tuple[str, ...]  # attributes that may change, and what somebody has put there


_library: dict[type, _Attributes] = {}


def _of_library(cls: type) -> tuple[bytes, tuple[str, ...]]:
    """Of a class of this library: a digest of what it came with, and the names of all else."""
    names, values = list(vars(cls)), list(vars(cls).values())
    known = _library.get(cls)
    if known is None or names != known.names or not all(map(operator.is_, values, known.values)):
        digest, others = hashlib.sha256(), list[str]()
        for name, value in sorted(zip(names, values), key=operator.itemgetter(0)):
            if name in _BOOKKEEPING:
                continue
            mine = digest.copy()
            mine.update(name.encode())
            if _never_changes(value) and _encode_member(value, mine):
                digest = mine
            else:
                others.append(name)
        known = _library[cls] = _Attributes(names, values, digest.digest(), tuple(others))
    return known.digest, known.others


def _never_changes(x: object) -> bool:
    if type(x) is tuple:
        return all(map(_never_changes, x))
    functions = (types.FunctionType, property, classmethod, staticmethod)
    return x is None or type(x) in (bool, int, float, complex, str, bytes, *functions)


def _encode_member(x: object, digest: hashlib._Hash, depth: int = 0) -> bool:
    """An attribute of a class of this library: a value, or a function that is the library's own."""
    if isinstance(x, property):
        return all(_encode_member(f, digest) for f in (x.fget, x.fset, x.fdel))
    if isinstance(x, (classmethod, staticmethod)):
        return _encode_member(x.__func__, digest)
    if not isinstance(x, types.FunctionType):
        return _encode(x, digest)
    name = str(x.__globals__.get("__name__"))
    if not is_installed_function(x) or name.partition(".")[0] not in ("dalembert", *_PLAIN):
        return False
    digest.update(f"{name} {x.__qualname__}\0".encode() + x.__code__.co_code)
    for variable, cell in zip(x.__code__.co_freevars, x.__closure__ or ()):
        # a decorator closes over a function; all else was made of what somebody gave
        inner = None if variable == "__class__" else cell.cell_contents
        if inner is not None and (depth == _DECORATORS or not _is_function(inner)):
            return False
        if inner is not None and not _encode_member(inner, digest, depth + 1):
            return False
    return _encode((x.__defaults__, x.__kwdefaults__), digest)


_DECORATORS = 3  # the most around a function of this library: one has two


def _is_function(x: object) -> bool:
    return isinstance(x, types.FunctionType)


def code_version(thing: object) -> int:
    """A number to keep compiled code of this under; another one when the code would differ.

    What cannot be looked into counts by its identity, and is kept alive with the number.
    """
    return _version(_walked((thing,), exact=True))


def _version(found: _Walk) -> int:
    key = found.digest.digest()
    version, _ = _versions.pop(key, (None, ()))
    version = next(_numbers) if version is None else version
    if not found.reads_tracers:  # which must not live on
        _remember(key, version, found.named)
    return version


class ReadsTracers(UsageError):
    """A function reads a number of a JAX transformation: its code is not to be kept."""

    def __init__(self) -> None:
        super().__init__(
            "a function of the system or the method reads a number of jit, vmap or grad from "
            "outside: only simulate can be inside of those"
        )


class Versioned(Generic[T]):
    """A value that equals another one of the same code, to keep compiled code under."""

    def __init__(self, value: T) -> None:
        self.value, self.version, self.reads_tracers = value, -1, False
        if value is not None:
            found = _walked((value,), exact=True)
            self.version, self.reads_tracers = _version(found), found.reads_tracers

    def settle(self) -> None:
        """To be called after it was traced."""
        if self.value is not None and not self.reads_tracers:
            settle_code(self.version, self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Versioned) and self.version == other.version

    def __hash__(self) -> int:
        return hash(self.version)


def forget_versions() -> None:
    """Let go of what was kept alive."""
    _versions.clear()


def settle_code(version: int, thing: object) -> None:
    """What it has changed while it was traced (a counter, say) makes it no new version."""
    found = _walked((thing,), exact=True)
    _remember(found.digest.digest(), version, found.named)


# digest -> its version, and what lives on so that identities in the digest stay true
_versions: dict[bytes, tuple[int, Sequence[object]]] = {}
_numbers = itertools.count()
_MOST_VERSIONS = 2048


def _remember(key: bytes, version: int, alive: Sequence[object]) -> None:
    _versions[key] = version, alive
    if len(_versions) > _MOST_VERSIONS:
        del _versions[next(iter(_versions))]  # what was asked for longest ago


def _walked(things: Iterable[object], exact: bool, without: Iterable[str] = ()) -> _Walk:
    found = _Walk(exact, _BOOKKEEPING.union(without))
    for thing in things:
        found.visit(thing)
    return found


class _Walk:
    def __init__(self, exact: bool, without: frozenset[str]) -> None:
        self.exact, self.without = exact, without
        self.digest = hashlib.sha256()
        self.seen: dict[int, int] = {}
        self.alive: list[object] = []  # ids of what was seen stay theirs during the walk
        self.named: list[object] = []  # what the digest knows by its id
        self.reads_tracers = False

    def say(self, *words: object) -> None:
        for word in words:
            self.digest.update(str(word).encode())
            self.digest.update(b"\0")

    def visit(self, x: object) -> None:
        if x is None or type(x) in (bool, int, float, complex, str, bytes):
            self.say(type(x).__name__, repr(x))
            return
        if id(x) in self.seen:  # a class whose methods name it
            self.say("seen", self.seen[id(x)])
            return
        self.seen[id(x)] = len(self.seen)
        self.alive.append(x)
        if not isinstance(x, type) and not is_installed_class(type(x)):
            # a user's own kind of number, list or mapping has a class and state beside its items
            self.visit(type(x))
            if isinstance(x, (int, float, complex, str, bytes, list, tuple, set, Mapping)):
                self.visit(getattr(x, "__dict__", None))
        if isinstance(x, (int, float, complex, str, bytes)):
            self.say(repr(x))
        elif isinstance(x, types.CodeType):
            self._code(x)
        elif isinstance(x, (types.FunctionType, types.MethodType, property, functools.partial)):
            self._function(x)
        elif isinstance(x, (staticmethod, classmethod)):
            self.visit(x.__func__)
        elif isinstance(x, type):
            self._class(x)
        elif isinstance(x, types.ModuleType):
            self.say("module", x.__name__)
            if not is_installed(x.__name__):  # handed on as it is: all that it holds may be read
                for name, value in sorted(vars(x).items()):
                    if not name.startswith("__") and not isinstance(value, type):
                        self.say(name)
                        self.visit(value)
        elif isinstance(x, (np.ndarray, np.generic, jax.Array)) and not isinstance(x, Tracer):
            array = np.asarray(x)
            self.say("array", array.dtype, array.shape)
            self.digest.update(array.tobytes())
        elif isinstance(x, Mapping):
            self.say("mapping", len(x))
            for key in x:  # in its order, on which the values of a list of them depend
                self.visit(key)
                self.visit(x[key])
        elif isinstance(x, (list, tuple, set, frozenset, collections.deque)):
            items = sorted(x, key=repr) if isinstance(x, (set, frozenset)) else x
            self.say(type(x).__name__, len(items))
            for item in items:
                self.visit(item)
        else:
            self._object(x)

    def _code(self, code: types.CodeType) -> None:
        self.digest.update(code.co_code)
        self.say(*code.co_names, *code.co_varnames)
        for value in code.co_consts[has_docstring(code) :]:
            self.visit(value)

    def _function(self, f: object) -> None:
        if isinstance(f, property):
            for part in (f.fget, f.fset):
                self.visit(part)
            return
        if isinstance(f, functools.partial):
            for part in (f.func, f.args, f.keywords):
                self.visit(part)
            return
        if isinstance(f, types.MethodType):
            self.visit(f.__func__)
            self.visit(f.__self__)
            return
        assert isinstance(f, types.FunctionType)
        self.say("function", f.__name__)
        if is_installed_function(f):
            self.say(f.__globals__["__name__"], f.__qualname__)
            # what `vmap` and its like make belongs to JAX, and closes over what is the user's
            for cell in f.__closure__ or ():
                with contextlib.suppress(ValueError):  # a name that is not bound yet
                    self._users_part(cell.cell_contents)
            for given in (f.__defaults__, f.__kwdefaults__, vars(f)):
                self._users_part(given)
            return
        self.visit(f.__code__)
        self.visit(f.__defaults__)
        self.visit(f.__kwdefaults__)
        self.visit({k: v for k, v in vars(f).items() if k != "__wrapped__"})
        found = written(f.__code__)
        for module in imported(found.imports, f.__globals__.get("__package__")):
            self._attributes(module, found)
        if self.exact and not _ENVIRONMENT.isdisjoint((*found.reads, *found.attributes)):
            self.visit(dict(os.environ))
        for name, value in _values_read(f, self.exact):
            if isinstance(value, types.ModuleType):
                if is_installed(value.__name__) or (name in found.reads and not found.is_indirect):
                    self._attributes(value, found)
                    continue
            self.say(name)
            self.visit(value)

    def _attributes(self, module: types.ModuleType, found: Written) -> None:
        """What a function reads of a module; of an installed one, data that somebody may set."""
        self.say(module.__name__)
        installed = is_installed(module.__name__)
        for attribute in found.attributes:
            value = vars(module).get(attribute)
            if not installed:
                self.visit(value)
            elif isinstance(value, types.ModuleType) and id(value) not in self.seen:
                self.seen[id(value)] = len(self.seen)
                self._attributes(value, found)
            elif isinstance(value, _NUMBERS):
                self.visit(value)

    def _users_part(self, x: object) -> None:
        """Of what something installed holds, what may have come from outside."""
        if not isinstance(x, (list, tuple, dict)):
            if _may_be_a_users(x):
                self.visit(x)
        elif id(x) not in self.seen:
            self.seen[id(x)] = len(self.seen)
            self.alive.append(x)
            for item in x.items() if isinstance(x, dict) else x:
                self._users_part(item)

    def _class(self, cls: type) -> None:
        # one's own class is the same in a script and in a module
        self.say("class", *_place(cls))
        if not is_installed_class(type(cls)):
            self.visit(type(cls))
        for base in cls.__mro__:
            if is_installed_class(base):
                self.say("base", base.__module__, base.__qualname__)
            elif self.exact:  # in a process code belongs to the class object
                self.say("base", _serial_number(base))
        for _, name, value in _own_attributes(cls, self.without):
            self.say(name)
            self.visit(value)
        if self.exact:
            self._put_there(cls)

    def _put_there(self, cls: type) -> None:
        """What classes of this library hold now, with what somebody has put into them."""
        for base in cls.__mro__:
            if base.__module__.startswith("dalembert.") and is_installed_class(base):
                digest, others = _of_library(base)
                self.digest.update(digest)
                for name in others:
                    if name not in self.without:
                        self.say(name)
                        self.visit(vars(base)[name])

    def _object(self, x: object) -> None:
        cls = type(x)
        self.say("object", *_place(cls))
        if isinstance(x, Tracer):
            self.reads_tracers = True
            return
        if dataclasses.is_dataclass(x):
            for field in dataclasses.fields(x):
                self.say(field.name)
                self.visit(getattr(x, field.name, None))
            names = {field.name for field in dataclasses.fields(x)}
            more = {k: v for k, v in getattr(x, "__dict__", {}).items() if k not in names}
            self.visit(more)  # what `__post_init__` has made
            self.visit(cls)
        elif hasattr(x, "__wrapped__"):  # what jit and its like make of a function
            self.visit(inspect.unwrap(x))  # pyright: ignore[reportArgumentType]
            for rule in ("jvp", "fwd", "bwd"):  # of a function with derivatives of its own
                self.visit(getattr(x, rule, None))
            if not is_installed_class(cls):
                self.visit({k: v for k, v in vars(x).items() if k != "__wrapped__"})
        elif not is_installed_class(cls):
            self.visit(cls)
            self.visit(getattr(x, "__dict__", None))
            for slot in _slots(cls):
                self.visit(getattr(x, slot, None))
        elif isinstance(x, types.SimpleNamespace):
            self.visit(vars(x))
        elif self.exact:
            self.say(id(x))
            self.named.append(x)
            self._users_part(getattr(x, "__dict__", None))  # it may be set to something else
            self._users_part(_told_by(x))
        else:
            with contextlib.suppress(Exception):  # what cannot be pickled counts by its type
                self.digest.update(pickle.dumps(x))


def _place(cls: type) -> tuple[str, str]:
    # one's own class is the same in a script and in a module
    return cls.__module__ if is_installed_class(cls) else "", cls.__qualname__


# id of a class -> the class, weakly, and its number: an id is used again, a number is not
_serial_numbers: dict[int, tuple[weakref.ref[type], int]] = {}


def _serial_number(cls: type) -> int:
    """A number that no other class of this process ever has."""
    known = _serial_numbers.get(id(cls))
    if known is None or known[0]() is not cls:
        known = _serial_numbers[id(cls)] = weakref.ref(cls), next(_numbers)
    return known[1]


def _slots(cls: type) -> Iterator[str]:
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            private = slot.startswith("__") and not slot.endswith("__")
            yield f"_{base.__name__.lstrip('_')}{slot}" if private else slot


def _told_by(x: object) -> object:
    """What things of Python itself hold where it cannot be seen."""
    if isinstance(x, types.BuiltinMethodType):
        return None if isinstance(x.__self__, types.ModuleType) else [x.__self__]
    if isinstance(x, weakref.ref):
        return [x()]
    if isinstance(x, contextvars.ContextVar):
        return [x.get(None)]
    if isinstance(x, (array.array, bytearray)):
        return [bytes(x)]
    return None


def _own_attributes(cls: type, without: frozenset[str]) -> Iterator[tuple[type, str, object]]:
    """Attributes of a class and of its bases that are nobody else's: where, name, value."""
    for base in cls.__mro__:
        if is_installed_class(base):
            continue
        for name, value in sorted(vars(base).items()):
            if name not in without or (name == "__init__" and _is_written(value)):
                yield base, name, value


def _values_read(f: types.FunctionType, exact: bool) -> Iterator[tuple[str, object]]:
    """What a function closes over, and the globals that it reads, as they are now.

    Not what it only puts things into. What it assigns itself is a counter, or kept for the next
    time: another process may find it elsewhere, and it is told where it is `exact`.
    """
    found = written(f.__code__)
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or ()):
        with contextlib.suppress(ValueError):  # a name that is not bound yet
            if _counts(name, cell.cell_contents, found, exact):
                yield name, cell.cell_contents
    for name in found.reads:
        if name in f.__globals__ and _counts(name, f.__globals__[name], found, exact):
            yield name, f.__globals__[name]


def _counts(name: str, value: object, found: Written, exact: bool) -> bool:
    if isinstance(value, (list, dict, set)) and name in found.records:
        return False
    return exact or name not in found.assigned


# names of a class that say nothing about what it computes
_BOOKKEEPING = frozenset(
    "__doc__ __module__ __dict__ __weakref__ __qualname__ __abstractmethods__ _abc_impl "
    "__dataclass_fields__ __dataclass_params__ __match_args__ __firstlineno__ "
    "__static_attributes__ __annotate__ __annotate_func__ __annotations_cache__ __hash__ __eq__ "
    "__repr__ __init__ __setattr__ __delattr__ __parameters__ __replace__ __annotations__ "
    "__abstractclassvars__ __abstractvars__".split()
)


_NUMBERS = (int, float, complex, str, bytes, np.ndarray, np.generic, jax.Array)
_ENVIRONMENT = {"environ", "getenv"}


def _may_be_a_users(x: object) -> bool:
    """Whether something that is held by what is installed may have come from outside."""
    plain = (types.FunctionType, types.MethodType, functools.partial, *_NUMBERS)
    if isinstance(x, plain) or hasattr(x, "__wrapped__"):
        return True
    return not is_installed_class(type(x))


def _is_written(f: object) -> bool:
    """Whether a function was written by somebody, and not made by `dataclasses`."""
    return isinstance(f, types.FunctionType) and not f.__code__.co_filename.startswith("<")
