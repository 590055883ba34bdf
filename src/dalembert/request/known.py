"""What is known of a system from an earlier call, valid while its fields and its code are the same.

A call of `simulate` with a system that it has met before computes neither its parameters as arrays
nor its labels, its start or its plan again. A system is immutable, but arrays of NumPy in it are
not, and its class may change. Every call therefore compares each field by identity, arrays of NumPy
by their bytes, and the code by its key. What cannot be compared in this way is computed each time.
"""

from __future__ import annotations

import dataclasses
import operator
import weakref
from collections.abc import Callable, Hashable
from functools import partial
from types import FunctionType
from typing import Any, TypeVar

import equinox as eqx
import jax
import numpy as np
from jax.core import Tracer

from ..compile.cache.code_key import CodeKey
from ..compile.cache.registry import Cache
from ..inputs import CONTROL, driven
from ..system import System, code_of

T = TypeVar("T")

_CONSTANTS = (float, int, bool, str, bytes, complex, type(None))
_MOST_BYTES = 1 << 16  # size of the largest array that is compared by its bytes: it takes 3 us


class Known:
    """A system, what was computed from it, and the key of its code."""

    def __init__(self, system: System) -> None:
        self._nodes: list[tuple[dict[str, Any], tuple[Any, ...]]] = []
        self._mappings: list[tuple[dict[Any, Any], list[tuple[Any, Any]]]] = []
        self._arrays: list[tuple[np.ndarray, bytes]] = []
        self._seen: set[int] = set()
        self.is_fixed = self._collect(system)  # whether a change would be noticed
        self._system = weakref.ref(system, partial(_forget, _known, id(system)))
        self._code_of: tuple[object, ...] | None = None
        self._code: CodeKey[Any] | None = None
        self._facts: dict[Hashable, Any] = {}
        self.last_start: Any = None  # plan and data of the start that passed the last check

    @property
    def code(self) -> CodeKey[Any]:
        """The key of the system's code at the beginning of this call."""
        assert self._code is not None
        return self._code

    def fact(self, name: Hashable, compute: Callable[[], T]) -> T:
        """Return what `compute` returns; computed once for the same fields and the same code."""
        facts = self._facts  # another thread may put another mapping there meanwhile
        if name not in facts:
            facts[name] = compute()
        return facts[name]

    def compare_code(self, system: System) -> None:
        """Compute the key of the code again; if it has changed, forget all facts."""
        if self._code_of is None:
            self._code_of = _without_repeats(code_of(system))
        code = CodeKey(self._code_of)
        if self._code is None or not code.is_compared or code != self._code:
            self._facts, self.last_start = {}, None
        self._code = code

    def is_by(self, system: weakref.ref[System]) -> bool:
        """Whether this was made for the system of that reference."""
        return self._system is system

    def is_of(self, system: System) -> bool:
        """Whether this is the same object, with the same fields as before."""
        if self._system() is not system:
            return False
        for fields, values in self._nodes:
            if len(fields) != len(values) or not all(map(operator.is_, fields.values(), values)):
                return False
        for mapping, items in self._mappings:
            if list(mapping.items()) != items:  # `==` of tuples compares by identity first
                return False
        return all(x.tobytes() == held for x, held in self._arrays)

    def with_inputs(self, system: System, value: np.ndarray) -> tuple[System, Known]:
        """Return the driven system with other constant inputs, and what is known of it.

        Neither the start nor the plan depends on the inputs; the parameters do.
        """
        value.flags.writeable = False
        made = _holding(system, value)
        result = object.__new__(Known)
        result.__dict__.update(self.__dict__)
        result._system = weakref.ref(made)  # it is not in the table of known systems
        result.last_start = None
        result._facts = {
            k: x for k, x in self._facts.items() if not (isinstance(k, tuple) and k[0] == "meta")
        }
        if "arrays" in result._facts:
            dynamic, static = result._facts["arrays"]
            result._facts["arrays"] = _holding(dynamic, value), static
        return made, result

    def _collect(self, x: Any) -> bool:
        """Note everything below x; return whether all of it can be compared."""
        kind = type(x)
        if kind in _CONSTANTS or isinstance(x, (type, FunctionType, np.generic)):
            return True
        if isinstance(x, jax.Array):
            return not isinstance(x, Tracer)
        if kind is np.ndarray:
            self._arrays.append((x, x.tobytes()))
            return not x.dtype.hasobject and x.nbytes <= _MOST_BYTES
        if isinstance(x, (tuple, frozenset)):
            return all(map(self._collect, x))
        if kind is dict and all(type(y) in _CONSTANTS for pair in x.items() for y in pair):
            self._mappings.append((x, list(x.items())))
            return True
        if not isinstance(x, eqx.Module) and not dataclasses.is_dataclass(x):
            return False
        if id(x) in self._seen:
            return True
        self._seen.add(id(x))
        try:
            fields = object.__getattribute__(x, "__dict__")
        except AttributeError:  # an object with slots
            return False
        values = tuple(fields.values())
        self._nodes.append((fields, values))
        return all(map(self._collect, values))


_known: Cache[int, Known] = Cache(256)


def known(system: System) -> Known:
    """Return what is known of a system; nothing if the system cannot be compared."""
    result = _known.get(id(system))
    if result is None or not result.is_of(system):
        result = Known(system)
        if result.is_fixed:
            _known[id(system)] = result
    return result


def known_driven(system: System, u: Any) -> tuple[System, Known] | None:
    """Return a system driven by constant inputs, and what is known of it; otherwise None.

    Systems that are driven by other values of the same inputs differ in these numbers alone.
    """
    if type(u) not in (list, tuple, np.ndarray):
        return None
    facts = known(system)
    if not facts.is_fixed:
        return None
    try:
        value = np.array(u, dtype=float)
    except (TypeError, ValueError):
        return None
    if value.ndim != 1:
        return None
    facts.compare_code(system)
    if not facts.code.is_compared:
        return None

    def first() -> list[Any]:
        made = driven(system, value)
        found = known(made)
        found.compare_code(made)
        return [made, found, np.zeros(0)]

    # the driven system's code changes only if the system's code does, which was compared above
    last: list[Any] = facts.fact(("driven", value.shape), first)
    made, found, held = last
    if value.tobytes() != held.tobytes():
        if not found.is_fixed:
            return None
        made, found = found.with_inputs(made, value)
        last[:] = made, found, value
    return made, found


def _holding(system: Any, value: np.ndarray) -> Any:
    """Return a driven system (or its parameters) with these inputs.

    It does what `equinox.tree_at` does, which takes 100 us.
    """
    return _changed(system, CONTROL, _changed(getattr(system, CONTROL), "value", value))


def _changed(module: Any, name: str, value: Any) -> Any:
    made = object.__new__(type(module))
    made.__dict__.update(module.__dict__)
    made.__dict__[name] = value
    return made


def _forget(table: Cache[int, Known], place: int, dead: weakref.ref[System]) -> None:
    # the table is bound: when the interpreter ends this module is emptied before systems go
    result = table.get(place)
    if result is not None and result.is_by(dead):
        table.pop(place, None)


def _without_repeats(things: tuple[object, ...]) -> tuple[object, ...]:
    """Return the objects; a class that occurs again is replaced by a text that refers to it.

    A machine has many parts of one class, whose code is the same.
    """
    seen, found = dict[int, int](), list[object]()
    for x in things:
        if isinstance(x, type) and issubclass(x, eqx.Module):
            if id(x) in seen:
                found.append(f"again {seen[id(x)]}")
                continue
            seen[id(x)] = len(seen)
        found.append(x)
    return tuple(found)


__all__ = ["Known", "known", "known_driven"]
