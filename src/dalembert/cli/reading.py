"""Parse command-line arguments into systems, methods and numbers; mistakes raise `UsageError`."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import importlib.util
import inspect
import math
import operator
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import jax.numpy as jnp
from numpy.typing import ArrayLike

from ..errors import DalembertError, UsageError, unknown_name
from ..methods import Method
from ..methods import registry as known_methods
from ..request.validate import own_start
from ..system import Point, System
from ..systems import registry as known_systems

Value = bool | str | int | float | list[float] | list[list[float]]  # type of a parameter's value

K = TypeVar("K", System, Method)

# -- numbers -------------------------------------------------------------------------------------

_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_UNARY: dict[type, Callable[[float], float]] = {ast.USub: operator.neg, ast.UAdd: operator.pos}


def number(text: str) -> float:
    """Parse a number, or a small expression such as 2/3 or -pi/2."""
    with contextlib.suppress(ValueError):
        return float(text)

    def value(node: ast.AST) -> float:
        match node:
            case ast.Constant(value=int() | float() as x):
                return float(x)
            case ast.Name(id="pi"):
                return math.pi
            case ast.BinOp(left=a, op=op, right=b) if type(op) in _BINARY:
                return _BINARY[type(op)](value(a), value(b))
            case ast.UnaryOp(operand=a, op=op) if type(op) in _UNARY:
                return _UNARY[type(op)](value(a))
        raise ValueError

    try:
        return value(ast.parse(text.strip(), mode="eval").body)
    except (ValueError, SyntaxError, ArithmeticError, RecursionError, MemoryError):
        raise UsageError(f"'{text}' is not a number") from None


def numbers(option: str, text: str) -> list[float]:
    """Parse numbers separated by commas."""
    try:
        return [number(x) for x in text.split(",")] if text.strip() else []
    except UsageError as error:
        reason = f"{error}; numbers are separated by commas"
        raise UsageError(reason, about=f"{option} {text}") from None


def count_steps(h: float, steps: int | None, t: float | None, t0: float, default: int) -> int:
    """Return the number of steps, from --steps or from the end time --t."""
    if steps is not None and t is not None:
        raise UsageError("give --steps or --t, not both")
    if t is None:
        return default if steps is None else steps
    if not (math.isfinite(h) and h > 0):
        raise UsageError(f"--h must be positive and finite, got {h:g}")
    if not (math.isfinite(t) and t > t0):
        raise UsageError(f"--t {t:g} is not after the initial time {t0:g}")
    if not math.isfinite((t - t0) / h) or (t - t0) / h >= 2**62:
        raise UsageError(f"--t {t:g} with --h {h:g} would be too many steps")
    count = max(round((t - t0) / h), 1)
    if not math.isclose(count * h, t - t0, rel_tol=1e-9):
        raise UsageError(
            f"--h {h:g} does not divide the time from {t0:g} to {t:g}; "
            f"{count} steps need --h {(t - t0) / count!r}"
        )
    return count


# -- methods and systems -------------------------------------------------------------------------


def find_method(spec: str) -> Method:
    """Return the method of a name, or of path/to/file.py:ClassName."""
    path, name = _file_and_class(spec)
    if path is not None:
        cls = _class_in_file(path, name, Method, "start(self, ...)` and `step(self, ...)")
        try:
            return cls()
        except DalembertError:
            raise
        except Exception as error:
            raise _blame(path, error) from error
    if spec not in known_methods:
        if "/" in spec or ":" in spec:
            raise UsageError(
                f"unknown method '{spec}'; a file is written path/to/file.py:ClassName"
            )
        raise unknown_name("method", spec, known_methods, "list them with: dalembert methods")
    return known_methods[spec]()


def make_system(spec: str, settings: Sequence[str] = ()) -> System:
    """Return the system of a name, or of path/to/file.py:NAME, with its parameters set.

    NAME is a class, a system, or a function that returns one, such as `robot` of parts.
    """
    cls = _find(spec)
    if not isinstance(cls, type):
        return _made(spec, cls, settings)
    fields = {f.name: f for f in dataclasses.fields(cls) if f.init}
    values = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set {text}: write NAME=VALUE")
        if not fields:
            raise UsageError(f"--set {text}: {cls.name()} has no parameters")
        if name not in fields:
            raise unknown_name(f"parameter of {cls.name()}", name, fields)
        values[name] = _parameter_value(text, value, fields[name])
    for name, given in inspect.signature(cls).parameters.items():
        if given.default is given.empty and name in fields and name not in values:
            raise UsageError(f"{cls.name()}: parameter '{name}' has no default: --set {name}=VALUE")
    from ..request.validate import check_single

    with blaming(cls):
        made = cls(**values)
    check_single(made)  # commands take one system, not a batch of parameter values
    return made


def system_with(spec: str, parameters: Mapping[str, object]) -> System:
    """Return the system of a name or file with the parameters of a saved run."""
    cls = _find(spec)
    if not isinstance(cls, type):
        made = _made(spec, cls, ())
        return made.with_parameters(
            **{k: v for k, v in parameters.items() if k in made.parameters()}
        )
    known = {f.name for f in dataclasses.fields(cls) if f.init}
    with blaming(cls):
        return cls(**{k: v for k, v in parameters.items() if k in known})


def _made(spec: str, found: object, settings: Sequence[str]) -> System:
    """Return a system in a file, or the result of a function there, with --set applied."""
    path, name = _file_and_class(spec)
    assert path is not None
    arguments: Mapping[str, inspect.Parameter] = {}
    if not isinstance(found, System):
        arguments = inspect.signature(found).parameters  # pyright: ignore[reportArgumentType]
    given, changes = {}, {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set {text}: write NAME=VALUE")
        like = arguments.get(key)
        kind = "" if like is None else str(like.annotation)
        default = 0.0 if like is None or like.default is like.empty else like.default
        field: Any = types.SimpleNamespace(name=key, type=kind, default=default)
        (changes if like is None else given)[key] = _parameter_value(text, value, field)
    needed = [
        k
        for k, x in arguments.items()
        if x.default is x.empty and x.kind not in (x.VAR_POSITIONAL, x.VAR_KEYWORD)
    ]
    for key in needed:
        if key not in given:
            raise UsageError(f"{path}: {name} needs '{key}': --set {key}=VALUE")
    try:
        made = found if isinstance(found, System) else found(**given)  # pyright: ignore
    except DalembertError:
        raise
    except Exception as error:
        raise _blame(path, error) from error
    if not isinstance(made, System):
        raise UsageError(f"{path}: {name}() makes a {type(made).__name__}, not a system")
    return made.with_parameters(**changes) if changes else made


def _parameter_value(text: str, value: str, field: dataclasses.Field[object]) -> Value:
    kind = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", "")
    default = field.default
    if kind == "bool" or isinstance(default, bool):
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if value.lower() not in words:
            raise UsageError(f"--set {text}: '{value}' is neither true nor false")
        return words[value.lower()]
    if kind == "str" or isinstance(default, str):
        return value
    if "Callable" in kind:
        raise UsageError(f"--set {text}: '{field.name}' is a function; set it in Python")
    # A matrix is written 1,0;0,1 or, with one row, 1,0;
    try:
        rows = [numbers("", part) for part in value.removesuffix(";").split(";")]
    except UsageError as error:
        raise UsageError(f"--set {text}: {error.reason}") from None
    if not all(rows):
        raise UsageError(f"--set {text}: a number is missing")
    if ";" in value:
        if len({len(row) for row in rows}) > 1:
            raise UsageError(f"--set {text}: the rows of a matrix have the same length")
        return rows
    if len(rows[0]) > 1:
        return rows[0]
    x = rows[0][0]
    if kind == "int" or isinstance(default, int):
        if not x.is_integer():
            raise UsageError(f"--set {text}: '{field.name}' must be an integer")
        return int(x)
    return x


def initial_data(system: System, q0: str | None, v0: str | None) -> tuple[Point, ArrayLike]:
    """Return (q0, v0) from their texts; by default those of `system.initial()`."""
    base = system.groupoid.base
    if q0 is None and base.size == 0:
        q0 = ""  # a system on a group alone has no coordinates
    own = own_start(system) if q0 is None or v0 is None else (None, ())
    q = own[0] if q0 is None else point(system, q0)
    if v0 is None:
        return q, own[1]
    v = numbers("--v0", v0)
    if len(v) != system.dim:
        raise UsageError(_wrong_count("--v0", velocity_names(system), system.dim, len(v)))
    return q, v


def point(system: System, q0: str) -> Point:
    """Return the point that --q0 gives."""
    base, given = system.groupoid.base, numbers("--q0", q0)
    if len(given) != base.size:
        raise UsageError(_wrong_count("--q0", position_names(system), base.size, len(given)))
    return base.unflatten(jnp.asarray(given, dtype=float))


def _wrong_count(option: str, names: Sequence[str], wanted: int, got: int) -> str:
    return f"{option} needs {wanted} numbers ({', '.join(names)}), got {got}"


def position_names(system: System) -> tuple[str, ...]:
    """Return a name for each entry of q, flattened."""
    base, names = system.groupoid.base, system.coordinate_labels
    return names if len(names) == base.size else base.element_names()


def velocity_names(system: System) -> tuple[str, ...]:
    """Return a name for each entry of v."""
    return system.velocity_labels


# -- systems from a user's file ------------------------------------------------------------------


def _file_and_class(spec: str) -> tuple[Path | None, str]:
    """Split path/to/file.py:ClassName into (file, class); the file is None for a plain name."""
    path, colon, name = spec.rpartition(":")
    if not colon:
        path, name = spec, ""
    return (Path(path), name) if path.endswith(".py") else (None, "")


def _find(spec: str) -> object:
    """Return a system class, or from a file a system or a function that returns one."""
    path, name = _file_and_class(spec)
    if path is not None:
        return _class_in_file(path, name, System, "lagrangian(self, q, v)", makers=True)
    if spec in known_systems:
        return known_systems[spec]
    if ":" in spec or "/" in spec:
        raise UsageError(f"unknown system '{spec}'; a file is written path/to/file.py:ClassName")
    from ..hybrid.zoo import registry as hybrids

    if spec in hybrids:
        raise UsageError(f"'{spec}' has several modes: dalembert hybrid {spec}")
    raise unknown_name("system", spec, known_systems, "list them with: dalembert systems")


def _class_in_file(
    path: Path, name: str, kind: type[K], abstract: str, *, makers: bool = False
) -> Any:
    module = load_file(path)
    named = getattr(module, name, None) if name and makers else None
    if isinstance(named, kind) or inspect.isfunction(named):
        return named
    base = f"dalembert.{kind.__name__}" if kind is System else "dalembert.methods.Method"
    result = {
        key: x
        for key, x in vars(module).items()
        if isinstance(x, type)
        and issubclass(x, kind)
        and x.__module__ == module.__name__
        and not inspect.isabstract(x)
    }
    if name:
        if name in result:
            return result[name]
        if inspect.isabstract(getattr(module, name, None)):
            raise UsageError(f"{path}: class {name} has no method `{abstract}`")
        if hasattr(module, name):
            made = ", nor a function that makes a system" if makers else ""
            raise UsageError(f"{path}: {name} is not a class derived from {base}{made}")
        if result:
            raise unknown_name(f"class of {path}", name, result)
    if not result:
        raise UsageError(f"{path} has no class derived from {base}")
    if len(result) > 1:
        what = f"{kind.__name__.lower()}s"
        raise UsageError(f"{path} has several {what}: {path}:{f' or {path}:'.join(sorted(result))}")
    return next(iter(result.values()))


def load_file(path: Path) -> types.ModuleType:
    """Import a user's file as a module."""
    if not path.is_file():
        raise UsageError(f"cannot read '{path}': there is no such file")
    name = f"_dalembert_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"cannot read '{path}' as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses resolve annotations there
    sys.path.insert(0, str(path.resolve().parent))  # for imports of files beside it
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        file = path if _same_file(error.filename, path) else error.filename
        raise UsageError(f"{file}:{error.lineno}: {error.msg}") from error
    except (Exception, SystemExit) as error:
        raise _blame(path, error) from error
    finally:
        sys.path.pop(0)
    return module


@contextlib.contextmanager
def blaming(system: System | type[System]) -> Iterator[None]:
    """Turn an exception raised inside a user's file into a `UsageError` with file and line."""
    cls = system if isinstance(system, type) else type(system)
    try:
        yield
    except DalembertError:
        raise
    except Exception as error:
        file = inspect.getsourcefile(cls)
        if file is None or not cls.__module__.startswith("_dalembert_user_"):
            raise
        if isinstance(error, (OSError, MemoryError)) and _line_in(Path(file), error) is None:
            raise  # not caused by the user's code
        raise _blame(Path(file), error) from error


def _blame(path: Path, error: BaseException) -> UsageError:
    shown = Path(path)
    with contextlib.suppress(ValueError):
        shown = shown.resolve().relative_to(Path.cwd())
    line = _line_in(path, error)
    text = str(error).strip().partition("\n")[0]
    where = f"{shown}:{line}" if line else f"{shown}"
    return UsageError(f"{where}: {type(error).__name__}{f': {text}' if text else ''}")


def _line_in(path: Path, error: BaseException) -> int | None:
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if _same_file(frame.filename, path)]
    return lines[-1] if lines else None


def _same_file(name: str | None, path: Path) -> bool:
    return name is not None and Path(name).resolve() == path.resolve()
