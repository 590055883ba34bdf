"""Compute cache keys that change whenever code, or a value that it reads, changes.

Within a process a class is identified by itself. Functions are equal if they have the same
instructions and constants and read equal values (`code_walk`). What cannot be compared never equals
anything.
"""

from __future__ import annotations

import itertools
import operator
import os
import threading
import types
import weakref
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import jax
import numpy as np
from jax.core import Tracer

from ...errors import UsageError
from .code_walk import Walk, walked
from .registry import Cache, registered

T = TypeVar("T")

# -- between processes: provenance of a run, and code on disk -------------------------------------


def fingerprint(*things: object, without: Iterable[str] = ()) -> str:
    """Return a short hash of functions, classes and values that is the same in every process.

    `without` names attributes of classes that do not count. What cannot be compared counts by its
    class and its pickle.
    """
    return walked(things, exact=False, without=without).key()[:20]


def code_parts(*things: object, without: Iterable[str] = ()) -> dict[str, str]:
    """Return the user's code and values that `fingerprint` reads: {name: hash}.

    A hash changes if its code or value does. For plain numbers the value stands in place of a hash.
    """
    walk = walked(things, exact=False, without=without).pieces
    return {
        name: repr(x)
        if type(x) in (bool, int, float)
        else "#" + fingerprint(x, without=without)[:8]
        for name, x in walk.items()
    }


def lasting_key(*things: object) -> str | None:
    """Return a cache key that is valid in other processes; None if that is unsafe.

    Safe are numbers, texts, arrays, functions of this library and objects of its classes, whose
    files are part of the keys of `llvm`. Code of a user is found on disk by a hash of what it was
    traced to (`jaxpr_hash`).
    """
    walk = walked(things, exact=True)
    return walk.key() if walk.is_lasting else None


# -- within a process ------------------------------------------------------------------------------


class ReadsTracers(UsageError):
    """A function reads a value of a JAX transformation, so its code must not be cached."""

    def __init__(self) -> None:
        super().__init__(
            "a function of the system or the method reads a number of jit, vmap or grad from "
            "outside: only simulate can be inside of those"
        )


def code_version(thing: object) -> int:
    """Return an integer that is equal for equal code that reads equal values."""
    return CodeKey(thing).version


class CodeKey(Generic[T]):
    """A cache key: equals another one if the code of `value`, and what it reads, is the same."""

    def __init__(self, value: T) -> None:
        self.value, self.version, self.reads_tracers = value, -1, False
        self.reason = ""  # why it cannot be compared, if so
        self._key = ""
        if value is None:
            return
        seen = _plain.get(_place_of(value))
        if seen is not None and seen.is_of(value):
            self._key, self.version = seen.key, seen.version
            return
        walk = walked((value,), exact=True)
        self._key, self.reads_tracers, self.reason = walk.key(), walk.reads_tracers, walk.why
        self.version = _version(walk)
        if walk.is_plain and self.is_compared:
            _plain[_place_of(value)] = _Plain(value, walk, self.version)

    @property
    def is_compared(self) -> bool:
        """Whether the key can equal another one."""
        return not (self.reason or self.reads_tracers)

    def settle(self) -> None:
        """Hash again after tracing; if something has changed meanwhile, forget the key.

        Code that changes what it reads while it is traced (a counter, say, or another thread) would
        otherwise be found under a state that it was not traced in.
        """
        if self.value is None or not self.is_compared:
            return
        if walked((self.value,), exact=True).key() != self._key:
            self.reason = "what it reads has changed while it was traced"
            with _lock:
                _versions.pop(self._key, None)
            _plain.pop(_place_of(self.value), None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CodeKey) and self.version == other.version

    def __hash__(self) -> int:
        return hash(self.version)


@registered
def forget_versions() -> None:
    """Forget all versions, and release the objects that they keep alive."""
    with _lock:
        _versions.clear()
    _plain.clear()


class _Plain:
    """A value whose code is this library's alone, and what was compared for its key.

    A second walk over it would read the attributes of classes and the fields of objects, and
    nothing else. They are compared by identity instead, which takes a tenth of the time.
    """

    def __init__(self, value: object, found: Walk, version: int) -> None:
        self.value, self.key, self.version = value, found.key(), version
        self._read = [(x, tuple(x), tuple(x.values())) for x in found.read]

    def is_of(self, value: object) -> bool:
        """Whether the key of this value is known: the same objects, and nothing was changed."""
        current = self.value
        if current is not value and not (
            type(value) is tuple is type(current)
            and len(value) == len(current)  # pyright: ignore[reportArgumentType]
            and all(map(operator.is_, value, current))  # pyright: ignore[reportArgumentType]
        ):
            return False
        for mapping, names, values in self._read:
            if len(mapping) != len(names) or not all(map(operator.is_, mapping.values(), values)):
                return False
            if not all(map(operator.eq, mapping, names)):
                return False
        return True


_plain: Cache[Any, _Plain] = Cache(512)  # entries hold the values of one system or method each


def _place_of(value: object) -> Any:
    """Return the key of a value in `_plain`; the caller compares the entry found with the value."""
    # Ids, because comparing values would run the user's `__eq__`.
    return tuple(map(id, value)) if type(value) is tuple else id(value)


# digest -> its version, and objects that are kept alive so that their ids in the digest stay valid
_versions: dict[str, tuple[int, list[object]]] = {}
_numbers = itertools.count()
_MOST_VERSIONS = 2048  # entries of some 100 bytes each, and what they keep alive
_lock = threading.Lock()
# functions whose traces JAX may have cached under the function object
_met: weakref.WeakSet[types.FunctionType] = weakref.WeakSet()


def _renew_lock() -> None:
    global _lock
    _lock = threading.Lock()  # another thread may have held the lock when this process was forked


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


def _version(found: Walk) -> int:
    """Return the version number of what a walk has found; a new number if it is not known."""
    # What cannot be compared gets a new version every time: the code is traced again.
    compared = not (found.why or found.reads_tracers)
    if compared:
        key = found.key()
        with _lock:
            # Taken out and put in again: the dictionary's order is the order of use.
            known = _versions.pop(key, None)
            if known is not None:
                _versions[key] = known  # now the most recently used
                return known[0]
    version = next(_numbers)
    # JAX would reuse its trace of the old code for a function object that it has met before
    if (found.why or found.is_kept_by_jax) and any(f in _met for f in found.functions):
        _clear_jax()
    _met.update(found.functions)
    if compared:
        with _lock:
            _versions[found.key()] = version, found.named
            if len(_versions) > _MOST_VERSIONS:
                del _versions[next(iter(_versions))]  # the least recently used
    return version


def _clear_jax() -> None:
    """Make JAX trace again what it caches by function object: loops, and functions under `jit`."""
    if not isinstance(jax.device_put(np.zeros(())), Tracer):  # not while something is being traced
        jax.clear_caches()
