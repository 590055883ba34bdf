"""Walk over everything that code reads, and write it down as words, for a cache key.

Functions count by their instructions, constants, defaults, and the values that they read:
closed-over variables, globals, attributes. Of a class only reachable attributes count: those that
the library calls, and those that a counted function names. So a method that draws a picture does
not change the key of the mechanics. Trusted packages (`trusted_code`) are identified by their
names. What cannot be looked into (state written in C, attributes read by a computed name, files,
clocks) is never the same: it has no key.

One walk serves for all questions. `Walk.key` tells versions of code apart in this process.
`Walk.is_lasting` says that the key is valid in other processes, because only code of this library
and plain values were visited. `Walk.pieces` names what was visited, for messages.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import hashlib
import importlib.util
import operator
import pickle
import re
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.core import Tracer

from .code_inspection import Path, Written, digest_of, written
from .registry import Cache, registered
from .trusted_code import (
    is_held,
    is_in_a_package,
    is_trusted,
    is_trusted_class,
    is_trusted_function,
    layout_of,
    reads_unseen,
)

# attributes of a class that do not affect what it computes
BOOKKEEPING = frozenset(
    "__doc__ __module__ __dict__ __weakref__ __qualname__ __abstractmethods__ _abc_impl "
    "__dataclass_fields__ __dataclass_params__ __match_args__ __firstlineno__ "
    "__static_attributes__ __annotate__ __annotate_func__ __annotations_cache__ __hash__ __eq__ "
    "__repr__ __init__ __setattr__ __delattr__ __parameters__ __replace__ __annotations__ "
    "__abstractclassvars__ __abstractvars__ __slots__ __orig_bases__ __classcell__".split()
)


def walked(things: Iterable[object], exact: bool, without: Iterable[str] = ()) -> Walk:
    """Return the walk over some things; `exact` if it is for a cache key, not for a file."""
    found = Walk(exact, BOOKKEEPING.union(without))
    try:
        # One walk for all: an object that two of them share is visited once.
        for thing in things:
            found.begin(thing)
    except _Hidden:
        pass
    except Exception as error:  # raised by a user's class, or by too deep nesting
        # Not an error: code that cannot be compared is traced at every call instead.
        found.why = found.told(type(error).__name__)
        found.is_plain = found.is_lasting = False
        found.say("hidden", type(error).__name__)
    return found


class _Hidden(Exception):
    """Raised if an object cannot be compared: then there is no key."""


_CONSTANTS = (type(None), bool, float, complex, str, bytes, type(...), range, np.dtype, re.Pattern)
_CONTENTS = (int, float, complex, str, bytes, tuple, list, set, frozenset, dict)
_DESCRIPTORS = (
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
)
_FUNCTIONS = (types.FunctionType, property, classmethod, staticmethod)
_CONSTRUCTORS = frozenset("__init__ __new__ __post_init__ __check_init__ __init_subclass__".split())
# attributes that JAX, NumPy and this library use if they exist
_CALLED = frozenset("tree_flatten tree_unflatten shape dtype ndim size mass_tensor".split())
# methods of a system that are called directly, not traced
_UNTRACED = frozenset(("initial", "scene"))
# functions that read attributes by computed names
_BY_TEXT = (getattr, vars, dir, locals, operator.attrgetter, operator.methodcaller)
# functions of JAX that trace a given function once and cache the result
_TRACED_ONCE = frozenset(
    "jit scan fori_loop while_loop cond switch map associative_scan checkpoint remat".split()
)
# Most objects compared for one key: comparing more takes longer (20 ms) than tracing a system.
_MOST = 10_000
_SHOWN = 150  # Python shows at most the first 200 characters of a regular expression


class Walk:
    """Everything that code reads, as a list of words; `why` it cannot be compared, if so."""

    def __init__(self, exact: bool, without: frozenset[str]) -> None:
        self.exact, self.without = exact, without
        # Two walks over the same things give the same words, in the same order.
        self.words: list[str] = []
        self.seen: dict[int, int] = {}  # id of a visited object -> the order of its first visit
        self.made: set[int] = set()  # classes that may be instantiated
        self.whole: set[int] = set()  # classes all of whose attributes count
        # keeps visited objects alive, so that their ids are not reused during the walk
        self.alive: list[object] = []
        self.named: list[object] = []  # objects that the words identify by id
        self.functions: list[types.FunctionType] = []
        self.names: set[str] = set()  # attribute names that functions read, of any object
        # attributes that no function has named yet
        self.waiting: dict[str, list[tuple[str, object, list[Any]]]] = {}
        # functions being visited: [name, what is read, whether it is in an installed package]
        self.within: list[list[Any]] = []
        self.why = ""
        self.reads_tracers = self.is_kept_by_jax = self.names_all = False
        # whether only code of this library and plain values were visited
        self.is_lasting = exact
        # Whether, in addition, nothing was visited that can be changed except attributes of classes
        # and fields of objects; these are then in `read`.
        self.is_plain, self.read = exact, list[Any]()
        self.pieces: dict[str, object] = {}  # what is a user's, by name; not if `exact`
        self._key = ""
        self._trust: dict[int, bool] = {}

    def trusts(self, cls: type) -> bool:
        """Return `is_trusted_class(cls)`, cached during a walk."""
        found = self._trust.get(id(cls))
        if found is None:
            found = self._trust[id(cls)] = is_trusted_class(cls)
        return found

    def key(self) -> str:
        """Return a hash of all words."""
        if not self._key:
            # Names may be any text, so the separator is a character that no name has.
            self._key = hashlib.sha256("\0".join(self.words).encode(errors="replace")).hexdigest()
        return self._key

    def say(self, *words: object) -> None:
        self.words += map(str, words)

    def told(self, what: str) -> str:
        """Describe what is read, and by which function of the user's: the innermost one."""
        # There a person can change something.
        own = [x[:2] for x in self.within if not x[2]] or [("it", what)]
        function, label = own[-1]
        return f"{function} reads {label}, which cannot be compared"

    def hide(self, what: str, x: object) -> None:
        """Handle something that cannot be compared: give up if `exact`, else use its pickle."""
        self.is_plain = self.is_lasting = False
        if self.exact:
            self.why = self.told(what)
            raise _Hidden
        self.words.append("hidden")
        # Without `exact` no code is cached under the key; it is written to a file and compared.
        with contextlib.suppress(Exception):  # if it cannot be pickled, only its class counts
            self.say(hashlib.sha256(pickle.dumps(x)).hexdigest())

    def is_of_library(self, cls: type) -> bool:
        return str(cls.__module__).startswith("dalembert.") and self.trusts(cls)

    def _has_others(self, cls: type) -> bool:
        """Whether a base of a class is a user's."""
        return not all(map(self.trusts, cls.__mro__))

    def is_derived(self, cls: type) -> bool:
        """Whether a class derives from one of this library."""
        return any(map(self.is_of_library, cls.__mro__))

    def entries(self, cls: type) -> frozenset[str]:
        """Return the methods that trusted code may call on a subclass of a trusted class."""
        found = [_names_of(x) for x in cls.__mro__ if x is not object and self.trusts(x)]
        return frozenset[str]().union(*found)

    def begin(self, x: object) -> None:
        """Visit one of the things that a key is made for.

        A class inside a tuple stands for an existing object of that class: nothing instantiates it.
        """
        if type(x) is tuple:
            self.say("tuple", len(x))
            for item in x:
                self._class(item) if isinstance(item, type) else self.visit(item)
        elif isinstance(x, type):
            # A class may be called: then all of its attributes may matter.
            if not self.is_derived(x):
                self.whole.add(id(x))
            self._class(x)
        else:
            self.note(type(x).__qualname__, x)
            self.visit_whole(x)

    def visit_whole(self, x: object) -> None:
        """Visit an object of which any method may be called: all attributes of its class count.

        Classes that derive from this library's are the exception: the library calls only what they
        have in common.
        """
        cls = type(x)
        if not self.trusts(cls) and not self.is_derived(cls):
            # Seen before with fewer attributes: visit everything from here on.
            if id(cls) in self.seen and id(cls) not in self.whole:
                self._name_all()
            self.whole.add(id(cls))
        self.visit(x)

    def attribute(self, label: str, x: object) -> None:
        """Visit an attribute of a class."""
        self.note(label, x)
        self.words.append(label)
        self.visit(x)

    def note(self, name: str, x: object) -> None:
        """Note a user's value under a name; functions are noted where they are visited."""
        if self.exact or isinstance(x, (type, types.ModuleType, *_FUNCTIONS)):
            return
        if not (self.trusts(type(x)) and is_held(x)):
            self.pieces.setdefault(name, x)

    # Add the words of any value: constants by their text, all else by a method for its type.
    def visit(self, x: object) -> None:
        kind = type(x)
        # The usual types first: most things that code reads are numbers and names.
        if kind is int:
            self.words.append(f"int {x:x}")
            return
        if kind in _CONSTANTS:
            self.words.append(f"{kind.__name__} {x!r}")
            if isinstance(x, re.Pattern) and len(x.pattern) > _SHOWN:
                self.words.append(str(x.pattern))
            return
        if isinstance(x, type):
            self._class_as_value(x)
            return
        if not self._is_new(x):
            return
        look = _LOOKS.get(kind)
        # A plain value is compared by its fields at the next call, without another walk.
        self.is_plain = self.is_plain and (look is None or kind is tuple)
        self.is_lasting = self.is_lasting and (look is None or kind in _PLAIN)
        if look is not None:
            look(self, x)
        elif isinstance(x, Tracer):
            self.reads_tracers, self.is_lasting = True, False
        elif isinstance(x, (np.generic, jax.Array)):
            self._array(x)
        elif isinstance(x, _CONTENTS):
            self.is_plain = self.is_lasting = False
            self._container_of_its_own(x)
        else:
            self._object(x)

    def _is_new(self, x: object) -> bool:
        """Whether to visit an object: only once, and up to the limit of objects."""
        number = self.seen.get(id(x))
        if number is not None:
            # the order of first visits identifies the object, also in cycles
            self.words.append(f"seen {number}")
            return False
        self.seen[id(x)] = len(self.seen)
        self.alive.append(x)
        # Exactly once, at the first object beyond the limit.
        if len(self.seen) == _MOST + 1:
            self.hide(f"more than {_MOST} things", None)
        return len(self.seen) <= _MOST

    # -- values --------------------------------------------------------------------------------

    def _items(self, x: Any) -> None:
        # Sets have no order; text gives them one that is equal in every process.
        items = sorted(x, key=repr) if isinstance(x, (set, frozenset)) else x
        self.say(type(x).__name__, len(items))
        for item in items:
            self.visit(item)

    def _mapping(self, x: Any) -> None:
        # `sys.modules` changes with every import.
        if x is sys.modules:
            self.hide("sys.modules", None)
            return
        self.say("mapping", len(x))
        for key in x:  # in order, which matters to code that iterates
            self.visit(key)
            self.visit(x[key])

    def _array(self, x: Any) -> None:
        # Random keys are arrays behind a type of their own.
        if isinstance(x, jax.Array) and jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key):
            x = jax.random.key_data(x)
        array = np.asarray(x)
        # Objects in an array could be anything.
        if array.dtype.hasobject:
            self.hide("an array of objects", x)
            return
        data = array.tobytes()
        # short arrays as they are, longer ones by a hash
        content = data.hex() if len(data) <= 32 else hashlib.sha256(data).hexdigest()
        self.say("array", array.dtype, array.shape, content)

    def _container_of_its_own(self, x: Any) -> None:
        """Visit a user's subclass of a number, list or mapping: its class, items and attributes."""
        content: Any = next(c for c in _CONTENTS if issubclass(type(x), c))
        self._class(type(x))
        if issubclass(type(x), collections.defaultdict):
            self.visit(x.default_factory)
        elif layout_of(type(x)).hides(content) and type(x) is not collections.OrderedDict:
            # Attributes in C that cannot be read: its content may not be all of it.
            self.hide(_described(x), x)
            return
        if content is dict:
            self._mapping(dict(x))
        elif content in (tuple, list, set, frozenset):
            self._items(content(x))
        else:
            self.visit(content(x))
        self._state(x)

    def _object(self, x: object) -> None:
        cls = type(x)
        trusted = self.trusts(cls)
        self.is_lasting = self.is_lasting and self.is_of_library(cls)
        fields = getattr(x, "__dict__", None) if trusted else None
        if type(fields) is not dict or layout_of(cls).slots or layout_of(cls).hides():
            self.is_plain = False
        else:
            self.read.append(fields)
        # Objects of packages count by their name where they never change.
        if trusted and is_held(x):
            self.say("held", *_full_name(x))
        elif trusted and hasattr(x, "__wrapped__") and _hides_a_function(cls):
            # A function that JAX has wrapped counts by what it wraps.
            self.is_kept_by_jax = True
            self.visit(x.__wrapped__)  # pyright: ignore[reportAttributeAccessIssue]
        elif layout_of(cls).hides():
            self._class(cls)
            self.hide(_described(x), x)
        else:
            self._class(cls)
            self._state(x)

    def _state(self, x: object) -> None:
        """Visit attributes and slots of an object, without running its `__getattribute__`."""
        cls = type(x)
        # the library may call any method of what its own objects hold
        visit = self.visit_whole if self.trusts(cls) or self.is_derived(cls) else self.visit
        with contextlib.suppress(AttributeError):
            # `object.__getattribute__`: the user's own could compute, or fail.
            for name, value in object.__getattribute__(x, "__dict__").items():
                if not self._is_computed(cls, name):
                    self.words.append(name)
                    visit(value)
        for slot in layout_of(cls).slots:
            with contextlib.suppress(AttributeError):
                value = slot.__get__(x)
                self.words.append(slot.__name__)
                visit(value)

    def _is_computed(self, cls: type, name: str) -> bool:
        """Whether an attribute of an object is the stored value of a trusted `cached_property`."""
        # The value of a cached property follows from what is visited already.
        for base in cls.__mro__:
            if name in vars(base):
                return type(vars(base)[name]) is functools.cached_property and self.trusts(base)
        return False

    def _module(self, x: types.ModuleType) -> None:
        self.say("module", x.__name__)
        # Installed packages count by their version.
        if _is_trusted_module(x):
            return
        if self.exact:
            # A module of the user's counts by the names that are read of it, unless it is used as
            # a whole.
            self.hide(f"the module {x.__name__} as a whole", x)
        for name, value in sorted(vars(x).items()):
            if not name.startswith("__") and not isinstance(value, types.ModuleType):
                self.say(name)
                self.visit(value)

    # -- functions -----------------------------------------------------------------------------

    # A function counts by its bytecode, defaults, attributes, and everything that it reads. Of a
    # trusted function, globals are not followed.
    def _function(self, f: types.FunctionType) -> None:
        trusted, ours = is_trusted_function(f), str(f.__module__).startswith("dalembert.")
        versioned = trusted and _is_versioned(f.__globals__.get("__name__"))
        self.is_lasting = self.is_lasting and versioned
        self.say("function", f.__name__)
        # What a user has put into a module of the library is looked into as a user's.
        if is_held(f) and (trusted or not ours):
            self.say(*_full_name(f))
            if self.exact and ours:  # someone may have changed it
                self.words.append(digest_of(f.__code__))
                self.visit((f.__defaults__, f.__kwdefaults__))
            # `dataclasses.replace` calls `__init__` of what it is given.
            if f is dataclasses.replace:
                self._name_some({"__init__"})
            return
        # Bytecode and constants, without line numbers: moving a function changes nothing.
        self.words.append(digest_of(f.__code__))
        name = f.__qualname__.rpartition("<locals>.")[2]
        if not trusted and not self.exact:
            self.pieces.setdefault(name, (f.__code__, f.__defaults__, f.__kwdefaults__))
        self.within.append([name, "its defaults", is_in_a_package(f.__code__.co_filename)])
        for part in (f.__defaults__, f.__kwdefaults__):
            if part:
                self.visit(part)
        for name, value in f.__dict__.items():
            # A wrapper has what it wraps in its closure.
            if name != "__wrapped__":
                self.words.append(name)
                self.visit(value)
        # Functions of packages are not followed: they read what the package has.
        self._closure(f, trusted)
        if not trusted:
            found = written(f.__code__)
            self.functions.append(f)
            self.is_kept_by_jax |= not _TRACED_ONCE.isdisjoint(found.names)
            self._globals(f, found)
            self._imports(f, found)
            self._name(found)
        self.within.pop()

    def _closure(self, f: types.FunctionType, trusted: bool) -> None:
        for name, cell in zip(f.__code__.co_freevars, f.__closure__ or ()):
            try:
                value = cell.cell_contents
            except ValueError:  # a name that is not bound yet
                self.words.append("unbound")
                continue
            # `super()` and `__class__` close over the class.
            if name == "__class__" and trusted:
                # The class is being visited: it is where the function was found.
                self.say("class", value.__module__, value.__qualname__)
            elif name == "__class__":
                self._class(value)
            elif not is_written_to(name, value, found := written(f.__code__), self.exact):
                # What a function only writes to (a counter, a list of calls) does not change what
                # it computes.
                self.words.append(name)
                for path in found.cells.get(name, [()]):
                    self._read(name, value, path)

    def _globals(self, f: types.FunctionType, found: Written) -> None:
        names, builtins = f.__globals__, f.__builtins__  # pyright: ignore[reportAttributeAccessIssue]
        for path in found.globals:
            name = path[0]
            if name in names:
                value = names[name]
            elif name in builtins:
                value = builtins[name]
            else:
                # A name that does not exist yet may exist at the next call.
                self.words.append(f"no {name}")
                continue
            if not is_written_to(name, value, found, self.exact):
                self.words.append(name)
                self._read(name, value, path[1:])

    def _imports(self, f: types.FunctionType, found: Written) -> None:
        for level, name, paths in found.imports:
            full = name
            if level:
                package = f.__globals__.get("__package__") or f.__globals__.get("__name__", "")
                # A relative import that cannot be resolved counts as one of an absent module.
                with contextlib.suppress(ImportError):
                    full = importlib.util.resolve_name("." * level + name, package)
            module = sys.modules.get(full)
            self.words.append(full if module else f"no {full}")
            for path in paths if module else ():
                self._read(full, module, path)

    def _read(self, name: str, value: object, path: Path) -> None:
        """Visit a dotted name, `a.b.c`: through modules, attribute by attribute."""
        function, shown = self.within[-1][0], name
        self.within[-1][1] = ".".join((name, *path))
        # `np.linalg.norm`: three steps through modules, then a function.
        while path and isinstance(value, types.ModuleType):
            holder, (name, *rest) = value, path
            shown = f"{shown}.{name}"
            self.say(holder.__name__, name)
            held, path = vars(holder), tuple(rest)
            trusted = _is_trusted_module(holder)
            if name in held:
                value = held[name]
            elif f"{holder.__name__}.{name}" in sys.modules:
                value = sys.modules[f"{holder.__name__}.{name}"]
            elif "__getattr__" in held and not trusted:
                # A module with `__getattr__` may return anything.
                self.hide(f"{holder.__name__}.{name}, which the module computes", None)
                return
            else:
                self.words.append("no")
                return
            if trusted and _is_nameless(value):
                if self.exact:
                    self.words.append(str(id(value)))
                    self.named.append(value)
                return
        self.note(f"{shown} (read by {function})", value)
        self.visit(value)

    def _name(self, found: Written) -> None:
        """Note the names in a function: each may be an attribute of any object."""
        if "__dict__" in found.names:
            # Reading `__dict__` may read every attribute.
            self._name_all()
        self._name_some(found.names)
        if "__class__" in found.names:
            self._name_some({"__init__"})

    def _name_some(self, names: Iterable[str]) -> None:
        new = self.names.symmetric_difference(self.names.union(names))
        self.names |= new
        if self.waiting:
            for name in sorted(new.intersection(self.waiting)):
                self._release(name)

    def _release(self, name: str) -> None:
        """Visit attributes that waited for a function to name them."""
        within = self.within
        # The function that found an attribute is the one to name in a message.
        for label, value, found_by in self.waiting.pop(name, ()):
            self.within = found_by
            self.attribute(label, value)
        self.within = within

    def _name_all(self) -> None:
        self.names_all = True
        while self.waiting:
            self._release(min(self.waiting))

    def _method(self, x: types.MethodType) -> None:
        self.visit(x.__func__)
        self.visit(x.__self__)

    def _partial(self, x: functools.partial[Any]) -> None:
        for part in (x.func, x.args, x.keywords, vars(x)):
            self.visit(part)

    def _property(self, x: property) -> None:
        for part in (x.fget, x.fset):
            self.visit(part)

    def _wrapper(self, x: Any) -> None:
        self.visit(x.__func__)

    def _cached_property(self, x: functools.cached_property[Any]) -> None:
        self.visit(x.func)

    def _of_c(self, x: types.BuiltinFunctionType) -> None:
        """Visit a function written in C, or a method of an object."""
        # `getattr` and the like may read any attribute.
        if any(x is y for y in _BY_TEXT):
            self._name_all()
        owner = x.__self__
        if owner is None or isinstance(owner, types.ModuleType):
            module = x.__module__ or getattr(owner, "__name__", "")
            self.say(module, x.__name__)
            # Functions in C have no code to compare: those of trusted packages count by name.
            if not is_trusted(module) or reads_unseen(module, x.__name__):
                self.hide(f"{module}.{x.__name__}" if module != "builtins" else x.__name__, x)
        else:
            self.say(x.__name__)
            self.visit(owner)

    def _descriptor(self, x: Any) -> None:
        self.say(x.__objclass__.__qualname__, x.__name__)

    def _method_of_c(self, x: types.MethodWrapperType) -> None:
        self.say(x.__name__)
        self.visit(x.__self__)

    def _code(self, x: types.CodeType) -> None:
        self.words.append(digest_of(x))

    # -- classes -------------------------------------------------------------------------------

    def _class_as_value(self, cls: type) -> None:
        """Visit a class that code reads, and may therefore instantiate."""
        self._class(cls)
        if id(cls) in self.made or self.trusts(cls):
            return
        self.made.add(id(cls))
        for base in cls.__mro__:
            if not self.trusts(base):
                for name in sorted(_CONSTRUCTORS.intersection(vars(base))):
                    self.words.append(name)
                    self.visit(vars(base)[name])
        if _is_of_c(cls):
            self.hide(f"{cls.__module__}.{cls.__qualname__}", cls)

    def _class(self, cls: type) -> None:
        """Visit the class of an object."""
        # A class of the library to which a user has added a base counts as a user's class.
        if self.trusts(cls) and not (self.is_of_library(cls) and self._has_others(cls)):
            if self.is_lasting:
                versioned = all(_is_versioned(base.__module__) for base in cls.__mro__)
                self.is_lasting = versioned and not self._has_others(cls)
            self.say("class", cls.__module__, cls.__qualname__)
            self._of_library(cls)
            if any(cls is y for y in _BY_TEXT):
                self._name_all()
            if cls is type:
                self._name_some({"__init__"})
            return
        self.is_plain = self.is_lasting = False
        if not self._is_new(cls):
            return
        self.say("class", layout_of(cls).number if self.exact else "", cls.__qualname__)
        if not self.trusts(type(cls)):
            if id(cls) in self.whole:
                self.whole.add(id(type(cls)))
            self._class(type(cls))
        entries = self.entries(cls)
        for base in cls.__mro__:
            if self.trusts(base):
                self.say("base", base.__module__, base.__qualname__)
            else:
                self.say("base", layout_of(base).number if self.exact else base.__qualname__)
                self._attributes(cls, base, entries)
        self._of_library(cls)

    # Visit the attributes of a class that can be reached; the others wait until a function names
    # them.
    def _attributes(self, cls: type, base: type, entries: frozenset[str]) -> None:
        everything = self.names_all or id(cls) in self.whole
        # attributes that are not named yet wait, with the place where they were found, for messages
        within = [list(x) for x in self.within]
        for name, value in sorted(vars(base).items()):
            label = f"{base.__qualname__}.{name}"
            if name in _CONSTRUCTORS:
                if "__init__" in self.names or everything:
                    self.attribute(label, value)
                else:
                    self.waiting.setdefault("__init__", []).append((label, value, within))
            elif name in self.without:
                if name in _WRITTEN and isinstance(value, types.FunctionType):
                    self.attribute(label, value)
            elif (
                everything
                or name in entries
                or name in self.names
                or name in _CALLED
                or (name.startswith("__") and name.endswith("__"))
            ):
                self.attribute(label, value)
            else:
                self.waiting.setdefault(name, []).append((label, value, within))

    def _of_library(self, cls: type) -> None:
        """Add the content of this library's classes, including what was patched into them."""
        if not self.exact:
            return
        for base in cls.__mro__:
            if self.is_of_library(base):
                self.read.append(vars(base))
                found = _attributes_of(base)
                self.words.append(found.digest)
                for name in found.others:
                    if name in _UNTRACED:
                        self.is_lasting = False
                    elif name not in self.without:
                        self.words.append(name)
                        self.visit(vars(base)[name])


class _Attributes(NamedTuple):
    """The attributes of a class of this library; they are compared by `is`, which is cheap."""

    names: list[str]
    values: list[object]
    digest: str  # hash of the library's own functions and of immutable values
    others: tuple[str, ...]  # attributes that may change, and those that were added


_library = Cache[type, _Attributes](2048)  # this library has about 700 classes


def _attributes_of(cls: type) -> _Attributes:
    """Return a class's own attributes that cannot change as one hash, and the names of the others.

    The result is cached until an attribute of the class is added, removed or replaced.
    """
    names, values = list(vars(cls)), list(vars(cls).values())
    known = _library.get(cls)
    if known is None or names != known.names or not all(map(operator.is_, values, known.values)):
        words, others = list[str](), list[str]()
        for name, value in sorted(zip(names, values), key=operator.itemgetter(0)):
            if name in BOOKKEEPING:
                continue
            found = walked((value,), exact=True)
            if found.is_lasting and _never_changes(value):
                words += name, found.key()
            else:
                others.append(name)
        digest = hashlib.sha256("\0".join(words).encode()).hexdigest()
        known = _library[cls] = _Attributes(names, values, digest, tuple(others))
    return known


def _never_changes(x: object) -> bool:
    """Whether an object, which refers to no code of a user's, cannot change."""
    if type(x) is tuple:
        return all(map(_never_changes, x))
    if isinstance(x, types.FunctionType):
        cells = dict(zip(x.__code__.co_freevars, x.__closure__ or ()))
        return all(
            name == "__class__" or _never_changes(c.cell_contents) for name, c in cells.items()
        )
    if isinstance(x, property):
        return all(map(_never_changes, (x.fget, x.fset, x.fdel)))
    if isinstance(x, (classmethod, staticmethod)):
        return _never_changes(x.__func__)
    if x is None or type(x) in (bool, int, float, complex, str, bytes):
        return True
    # frozen dataclasses, such as spaces and traits
    params = getattr(type(x), "__dataclass_params__", None)
    if params is None or not params.frozen or not type(x).__module__.startswith("dalembert."):
        return False
    fields: dict[str, object] = type(x).__dataclass_fields__  # pyright: ignore
    return all(_never_changes(getattr(x, name, None)) for name in fields)


# packages of bases and functions that keys on disk cover: their versions are part of the keys
_VERSIONED = frozenset("dalembert builtins equinox abc collections typing functools".split())


def _is_versioned(module: object) -> bool:
    return str(module).partition(".")[0] in _VERSIONED


# types whose objects are valid in the keys of other processes if what they contain is
_PLAIN = (tuple, list, dict, frozenset, np.ndarray, *_FUNCTIONS)

_WRITTEN = frozenset("__eq__ __hash__ __repr__ __setattr__ __delattr__".split())

_LOOKS: dict[type, Callable[[Walk, Any], None]] = {
    tuple: Walk._items,
    list: Walk._items,
    set: Walk._items,
    frozenset: Walk._items,
    collections.deque: Walk._items,
    dict: Walk._mapping,
    types.MappingProxyType: Walk._mapping,
    np.ndarray: Walk._array,
    types.ModuleType: Walk._module,
    types.FunctionType: Walk._function,
    types.MethodType: Walk._method,
    types.BuiltinFunctionType: Walk._of_c,
    types.MethodWrapperType: Walk._method_of_c,
    types.CodeType: Walk._code,
    functools.partial: Walk._partial,
    functools.cached_property: Walk._cached_property,
    property: Walk._property,
    staticmethod: Walk._wrapper,
    classmethod: Walk._wrapper,
    **dict.fromkeys(_DESCRIPTORS, Walk._descriptor),
    type(Written.names): lambda walk, x: None,  # the descriptor of fields of named tuples
}


def is_written_to(name: str, value: object, found: Written, exact: bool) -> bool:
    """Whether a function only writes to this value.

    A value that the function assigns itself is a counter, or cached for the next call. It may
    differ in another process, so it counts only if `exact`.
    """
    if isinstance(value, (list, dict, set)) and name in found.records:
        return True
    return not exact and name in found.assigned


def _is_trusted_module(x: types.ModuleType) -> bool:
    return is_trusted(x.__name__) and sys.modules.get(x.__name__) is x


def _is_nameless(x: object) -> bool:
    """Whether an object of a trusted module does not know its own name, such as `jax.config`."""
    if type(x) in _LOOKS or type(x) in (int, *_CONSTANTS) or isinstance(x, (type, *_NUMBERS)):
        return False
    return is_trusted_class(type(x)) and not is_held(x) and not hasattr(x, "__wrapped__")


_NUMBERS = (*_CONTENTS, np.ndarray, np.generic, jax.Array)


def _hides_a_function(cls: type) -> bool:
    """Whether objects of a trusted class wrap a function, as those of `jit` and `lru_cache` do."""
    return layout_of(cls).hides() or cls.__module__ == "equinox._jit"


def _is_of_c(cls: type) -> bool:
    """Whether a class is written in C, so that what its methods read is not visible."""
    functions = any(isinstance(x, types.FunctionType) for x in vars(cls).values())
    return not functions and cls.__base__ is object and layout_of(cls).hides()


@functools.lru_cache(maxsize=4096)
def _names_of(base: type) -> frozenset[str]:
    declared = vars(base).get("__annotations__")  # for `type` itself it is not a dict
    names = [*vars(base), *(declared if isinstance(declared, dict) else ())]
    return frozenset(x for x in names if not x.startswith("__")) - _UNTRACED


registered(_names_of.cache_clear)


def _full_name(x: Any) -> tuple[str, str]:
    return x.__module__, getattr(x, "__qualname__", None) or x.__name__


def _described(x: object) -> str:
    return f"an object of {type(x).__module__}.{type(x).__qualname__}"
