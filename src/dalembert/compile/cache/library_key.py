"""Cache keys by which another process finds compiled code of this library without tracing.

They exist only for unmodified objects of the library: classes and functions that its modules hold.
Code of a user is found on disk by a hash of what it was traced to (`jaxpr_hash`).
"""

from __future__ import annotations

import dataclasses
import hashlib
import operator
import types
from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax
import numpy as np
from jax.core import Tracer

from .registry import Cache
from .trusted_code import is_trusted_class, is_trusted_function

# attributes of a class that do not affect what it computes
BOOKKEEPING = frozenset(
    "__doc__ __module__ __dict__ __weakref__ __qualname__ __abstractmethods__ _abc_impl "
    "__dataclass_fields__ __dataclass_params__ __match_args__ __firstlineno__ "
    "__static_attributes__ __annotate__ __annotate_func__ __annotations_cache__ __hash__ __eq__ "
    "__repr__ __init__ __setattr__ __delattr__ __parameters__ __replace__ __annotations__ "
    "__abstractclassvars__ __abstractvars__ __slots__ __orig_bases__ __classcell__".split()
)


def lasting_key(*things: object) -> str | None:
    """Return a cache key that is valid in other processes; None if that is unsafe.

    Safe are numbers, texts, arrays, functions of this library and objects of its own classes, whose
    files are part of the keys of `llvm`.
    """
    digest = hashlib.sha256()
    return digest.hexdigest() if all(_encode(x, digest) for x in things) else None


def _encode(x: object, digest: hashlib._Hash) -> bool:
    """Add the content of x to the digest; return whether x is fully known."""

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


# packages from which bases and wrapped functions of this library's classes may come
_PLAIN = ("builtins", "equinox", "abc", "collections", "typing", "functools")


def _encode_class(cls: type, say: Callable[..., bool], digest: hashlib._Hash) -> bool:
    """Add a class of this library, with its present attributes, to the digest."""
    for base in cls.__mro__:
        top = base.__module__.partition(".")[0]
        if not is_trusted_class(base) or top not in ("dalembert", *_PLAIN):
            return False
        say("class", base.__module__, base.__qualname__)
        if top == "dalembert":
            own, others = of_library(base)
            digest.update(own)
            attributes = vars(base)
            if not all(say(name) and _encode_member(attributes[name], digest) for name in others):
                return False
    return True


class _Attributes(NamedTuple):
    """The attributes of a class of this library; they are compared by `is`, which is cheap."""

    names: list[str]
    values: list[object]
    digest: bytes  # hash of the library's own functions and of immutable values
    others: tuple[str, ...]  # attributes that may change, and those that were added


_library = Cache[type, _Attributes](2048)  # this library has about 700 classes


def of_library(cls: type) -> tuple[bytes, tuple[str, ...]]:
    """Return a hash of what a class of this library came with, and the names of all else."""
    names, values = list(vars(cls)), list(vars(cls).values())
    known = _library.get(cls)
    if known is None or names != known.names or not all(map(operator.is_, values, known.values)):
        digest, others = hashlib.sha256(), list[str]()
        for name, value in sorted(zip(names, values), key=operator.itemgetter(0)):
            if name in BOOKKEEPING:
                continue
            copy = digest.copy()
            copy.update(name.encode())
            if _never_changes(value) and _encode_member(value, copy):
                digest = copy
            else:
                others.append(name)
        known = _library[cls] = _Attributes(names, values, digest.digest(), tuple(others))
    return known.digest, known.others


def _never_changes(x: object) -> bool:
    if type(x) is tuple:
        return all(map(_never_changes, x))
    functions = (types.FunctionType, property, classmethod, staticmethod)
    if x is None or type(x) in (bool, int, float, complex, str, bytes, *functions):
        return True
    # frozen dataclasses, such as spaces and traits
    params = getattr(type(x), "__dataclass_params__", None)
    if params is None or not params.frozen or not type(x).__module__.startswith("dalembert."):
        return False
    fields: dict[str, object] = type(x).__dataclass_fields__  # pyright: ignore
    return all(_never_changes(getattr(x, name, None)) for name in fields)


def _encode_member(x: object, digest: hashlib._Hash, depth: int = 0) -> bool:
    """Add an attribute of a class of this library: a value, or one of the library's functions."""
    if isinstance(x, property):
        return all(_encode_member(f, digest) for f in (x.fget, x.fset, x.fdel))
    if isinstance(x, (classmethod, staticmethod)):
        return _encode_member(x.__func__, digest)
    if not isinstance(x, types.FunctionType):
        return _encode(x, digest)
    name = str(x.__globals__.get("__name__"))
    if not is_trusted_function(x) or name.partition(".")[0] not in ("dalembert", *_PLAIN):
        return False
    digest.update(f"{name} {x.__qualname__}\0".encode() + x.__code__.co_code)
    for variable, cell in zip(x.__code__.co_freevars, x.__closure__ or ()):
        if variable == "__class__":
            continue
        # a decorator closes over a function; any other closure may hold a user's values
        inner = cell.cell_contents
        if depth == _DECORATORS or not isinstance(inner, types.FunctionType):
            return False
        if not _encode_member(inner, digest, depth + 1):
            return False
    return _encode((x.__defaults__, x.__kwdefaults__), digest)


_DECORATORS = 3  # most decorators around a function of this library: at present two
