"""Turn errors caused by wrong arguments of public functions into messages that name the argument.

A function or class wrapped this way is called a door. Nothing is checked before a call. If the call
raises an error that is not of this library, the arguments are compared with their annotations, and
an `ArgumentError` is raised, with the original error as its cause. A correct call costs one `try`.
Errors inside a function that the caller has passed in are left unchanged.

    guard(globals())        at the end of a public module: wraps all of its `__all__`
    class Part(Module)      Equinox modules, including classes that users derive from them
"""

from __future__ import annotations

import collections.abc
import contextlib
import difflib
import functools
import inspect
import numbers
import re
import sys
import threading
import types
import typing
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any, TypeVar

import equinox as eqx
import jax
import numpy as np

from .errors import ArgumentError, DalembertError

F = TypeVar("F", bound=Callable[..., Any])

_RAW = (
    TypeError, AttributeError, ValueError, LookupError, ArithmeticError, AssertionError,
    MemoryError, RuntimeError,
)  # fmt: skip
_TRACED = (
    jax.errors.TracerArrayConversionError,
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerIntegerConversionError,
)
# names that other libraries use for the arguments of a run -> ours
_MEANT = {
    "dt": "h", "step": "h", "step_size": "h", "timestep": "h", "time_step": "h", "delta_t": "h",
    "tmax": "t", "t_end": "t", "t_final": "t", "tf": "t", "duration": "t", "T": "t",
    "n_steps": "steps", "nsteps": "steps", "num_steps": "steps", "n": "steps", "N": "steps",
    "x0": "q0", "y0": "q0", "rtol": "tol", "atol": "tol", "control": "u", "inputs": "u",
}  # fmt: skip


class _Here(threading.local):
    inside = False  # whether this thread is inside a door: only the outermost one explains errors


_here = _Here()


def _call(function: Any, named: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function; explain a raw error by the signature of `named`.

    Inside another door the function is called directly, so that only the outermost door explains.
    """
    if _here.inside:
        return function(*args, **kwargs)
    _here.inside = True
    try:
        return function(*args, **kwargs)
    except DalembertError:
        raise
    except _RAW as error:
        explained = _explained(named, args, kwargs, error)
        if explained is None:
            raise
        raise explained from error
    finally:
        _here.inside = False


def door(function: F) -> F:
    """Wrap a function so that wrong arguments raise `ArgumentError`; one wrapper per function."""
    known = getattr(function, "__dict__", {}).get("__door__")
    if known is not None:
        return function if known is True else known

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        return _call(function, function, args, kwargs)

    setattr(called, "__door__", True)  # noqa: B010
    setattr(function, "__door__", called)  # noqa: B010
    return called  # pyright: ignore[reportReturnType]


class _Meta(type(eqx.Module)):
    """Metaclass of `Module`: the constructor is a door."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _call(super().__call__, cls, args, kwargs)


if typing.TYPE_CHECKING:
    from equinox import Module
else:

    class Module(eqx.Module, metaclass=_Meta):
        """An Equinox module whose constructor is a door, also in classes derived from it."""


def guard(namespace: MutableMapping[str, Any]) -> None:
    """Make doors of the public functions of a module, and of the constructors of its classes."""
    here = namespace["__name__"]
    own = [k for k, x in namespace.items() if k[0] != "_" and _is_ours(x) and x.__module__ == here]
    for name in namespace.get("__all__", own):
        x = namespace.get(name)
        if isinstance(x, type):
            _guard_class(x)
        elif callable(x) and not isinstance(x, type) and _is_ours(x):
            made, home = door(x), vars(sys.modules[x.__module__])
            namespace[name] = made
            if home.get(x.__name__) is x:  # replace it where it is defined, too: one object only
                home[x.__name__] = made


def _is_ours(x: Any) -> bool:
    return hasattr(x, "__qualname__") and getattr(x, "__module__", "").startswith("dalembert")


def _guard_class(cls: type) -> None:
    if isinstance(cls, _Meta) or not _is_ours(cls) or issubclass(cls, BaseException):
        return
    if hasattr(cls, "_fields"):  # a named tuple: a return value, whose fields may be anything
        return
    for name in ("__new__", "__init__"):
        made = vars(cls).get(name)
        plain = made.__func__ if isinstance(made, staticmethod) else made
        if isinstance(plain, types.FunctionType):
            setattr(cls, name, door(plain))


# -- explanation of an error ---------------------------------------------------------------------


def _explained(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception
) -> ArgumentError | None:
    """Return the error to raise in place of `error`; None if the caller's code raised it."""
    name = getattr(function, "__name__", type(function).__name__)
    if name in ("__init__", "__new__"):
        name = function.__qualname__.rpartition(".")[0].rpartition(".")[2]
    theirs = [f for f in _frames(error) if _is_users(f[0])]
    if theirs:
        if isinstance(error, _TRACED):
            frame, line = theirs[-1]
            return ArgumentError(
                f"{frame.f_code.co_filename}:{line}: `{frame.f_code.co_name}` uses NumPy or Python "
                "on numbers that JAX traces; write jax.numpy: jnp.sin for np.sin, jnp.where for if",
                about=name,
            )
        return None
    full = _is_of_memory(error)
    of_arguments = isinstance(error, (RecursionError, NotImplementedError)) or full
    if isinstance(error, RuntimeError) and not of_arguments:
        return None  # raised by a device or backend of JAX, or by a check inside compiled code
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ArgumentError(_first_line(error), about=name)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as wrong:
        return ArgumentError(_misfit(signature, kwargs, str(wrong)), about=name)
    given = {k: x for k, x in bound.arguments.items() if k not in ("self", "cls")}
    wrong = [
        f"{k} must be {_wanted(kind)}, got {_shown(given[k])}"
        for k, kind in _kinds(function, signature).items()
        if k in given and not _fits(given[k], kind)
    ]
    if wrong:
        return ArgumentError("; ".join(wrong), about=name)
    if full:
        return ArgumentError(f"not enough memory: {_first_line(error)}", about=name)
    text = ", ".join(f"{k}: {_kind_of(x)}" for k, x in given.items())
    why = f"{type(error).__name__}, {_first_line(error)}"
    return ArgumentError(
        f"cannot work with what it was given ({text}): {why}",
        about=name,
        advice="If all of these are correct, this is a bug in dalembert: please report it",
    )


def _is_of_memory(error: Exception) -> bool:
    """Return whether memory was too small: NumPy's error, or XLA's, which has no own type."""
    xla = isinstance(error, jax.errors.JaxRuntimeError)
    return isinstance(error, MemoryError) or (xla and str(error).startswith("RESOURCE_EXHAUSTED"))


def _frames(error: BaseException) -> Iterator[tuple[types.FrameType, int]]:
    at = error.__traceback__
    at = None if at is None else at.tb_next  # the first frame is that of the door
    while at is not None:
        yield at.tb_frame, at.tb_lineno
        at = at.tb_next


def _is_users(frame: types.FrameType) -> bool:
    """Return whether code is the user's: not of this library, Python or an installed package."""
    root = frame.f_globals.get("__name__", "").partition(".")[0]
    if root == "dalembert" or (root in sys.stdlib_module_names and root != "__main__"):
        return False
    return not is_installed(frame.f_globals.get("__file__") or "")


@functools.cache
def is_installed(file: str) -> bool:
    """Return whether a file belongs to an installed package, in whatever folder that is.

    `pip install --target`, layers of cloud functions and some build tools install into folders of
    any name. There the records of the installation list what belongs to it.
    """
    parts = Path(file).parts
    if not {"site-packages", "dist-packages"}.isdisjoint(parts):
        return True
    places = [Path(*parts[:i]) for i in range(1, len(parts))]
    return any(parts[i] in _top_names(x) for i, x in enumerate(places, 1))


@functools.cache
def _top_names(folder: Path) -> frozenset[str]:
    """Return the packages and modules that were installed into a folder."""
    result: set[str] = set()
    for record in folder.glob("*.dist-info/RECORD"):
        with contextlib.suppress(OSError):
            lines = record.read_text(errors="replace").splitlines()
            result |= {re.split("[/,]", x, maxsplit=1)[0] for x in lines}
    return frozenset(result)


def _first_line(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0] or type(error).__name__
    return text if len(text) < 200 else f"{text[:197]}..."


def _misfit(signature: inspect.Signature, kwargs: dict[str, Any], wrong: str) -> str:
    """Return which argument does not fit a signature, with a suggestion."""
    known = [k for k in signature.parameters if k not in ("self", "cls")]
    unknown = [k for k in kwargs if k not in known]
    if not unknown:
        return f"{wrong}; it takes ({', '.join(known)})"
    near = _MEANT.get(unknown[0])
    near = [near] if near in known else difflib.get_close_matches(unknown[0], known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"it takes ({', '.join(known)})"
    return f"has no argument '{unknown[0]}'; {hint}"


def _kinds(function: Any, signature: inspect.Signature) -> dict[str, Any]:
    """Return the annotation of each argument, for those that can be evaluated."""
    source = function.__init__ if isinstance(function, type) else function
    try:
        hints = typing.get_type_hints(source)
    except Exception:  # names imported for type checking only, or syntax too new for this Python
        hints = {}
    result = {}
    for k, p in signature.parameters.items():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        kind = hints.get(k, p.annotation)
        if kind is not p.empty and not isinstance(kind, str):
            result[k] = kind
    return result


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value fits an annotation; True if this cannot be decided."""
    if kind is Any or isinstance(kind, (TypeVar, str)):
        return True
    if kind is None or kind is type(None):
        return value is None
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, x) for x in parts)
    if origin is typing.Literal:
        return any(value is x or value == x for x in parts if type(value) is type(x))
    if origin is collections.abc.Callable or kind is collections.abc.Callable:
        return callable(value)
    if origin is typing.Annotated:
        return _fits(value, parts[0])
    kind = origin or kind
    if not isinstance(kind, type):
        return True
    if kind is bool:
        return isinstance(value, (bool, np.bool_))
    if kind is int:
        return isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if kind is float:
        real = isinstance(value, numbers.Real) and not isinstance(value, bool)
        huge = isinstance(value, int) and value.bit_length() > 1023  # no double holds it
        return (real and not huge) or _is_number(value)
    if kind in (jax.Array, np.ndarray) or _is_of_arrays(kind):
        return _is_array(value)
    try:
        return isinstance(value, kind)
    except TypeError:
        return True


def _is_of_arrays(kind: Any) -> bool:
    return hasattr(kind, "array_type")  # of jaxtyping: Float[Array, "n"]


def _is_number(value: Any) -> bool:
    return isinstance(value, (np.ndarray, jax.Array)) and value.shape == () and _is_array(value)


def _is_array(value: Any) -> bool:
    if isinstance(value, jax.Array):
        return True
    try:
        return np.asarray(value).dtype.kind in "fiu"
    except Exception:  # the conversion of an arbitrary object may raise anything
        return False


def _wanted(kind: Any) -> str:
    """Describe an annotation in words, for messages."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(_wanted(x) for x in parts))
    if origin is typing.Literal:
        return " or ".join(map(repr, parts))
    words = {
        float: "a number", int: "an integer", str: "a text", bool: "True or False",
        type(None): "None", collections.abc.Callable: "a function", jax.Array: "numbers",
        np.ndarray: "numbers", collections.abc.Mapping: "a mapping",
        collections.abc.Sequence: "a sequence", dict: "a dict", tuple: "a tuple", list: "a list",
    }  # fmt: skip
    kind = jax.Array if _is_of_arrays(kind) else origin or kind
    return words.get(kind) or f"a {getattr(kind, '__name__', kind)}"


def _kind_of(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else type(value).__name__


def _shown(value: Any) -> str:
    if isinstance(value, int) and abs(value) >= 10**20:
        return f"an integer of {value.bit_length()} bits"
    try:
        text = repr(value)
    except Exception:
        text = ""
    short = text if 0 < len(text) < 60 else "one"
    return f"{short} ({_kind_of(value)})"


__all__ = ["Module", "door", "guard", "is_installed"]
