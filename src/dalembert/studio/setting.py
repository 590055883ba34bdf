"""A request of the studio: numbers and names from the browser, checked one by one."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics, names
from ..errors import UsageError, unknown_name
from ..hybrid import Modes
from ..methods import Method
from ..methods import registry as known_methods
from ..names import named_places, state_shapes, symbol, velocity_units
from ..parts import Built
from ..running.accuracy import method_for
from ..system import PARAMETER, Point, System, compiled_call
from .controllers import controllers
from .presets import presets

# What the studio can make: a class of systems, a machine from parts, or a function of numbers that
# returns a hybrid system.
Makers = Mapping[str, type[System] | System | Callable[..., Modes]]

MOST_STEPS = 200_000
MOST_METHODS = 4
MOST_NUMBERS = 100  # in one parameter
_SENT = ("system", "parameters", "places", "speeds", "methods", "h", "tol", "t", "control")
# The speed of a column is solved for only if at least this fraction of the column is independent of
# the columns before.
_INDEPENDENT = 0.3


@dataclasses.dataclass(frozen=True)
class Setting:
    """A requested run, with a step h or a tolerance; `plain` is the request as it was sent.

    A hybrid system starts from its own data, without q0 and v0.
    """

    system: System | Modes
    q0: Point
    v0: np.ndarray | None
    methods: dict[str, Method]
    end: float  # the final time
    h: float | None
    tol: float | None
    plain: dict[str, Any]
    control: str = ""  # the name of a controller

    @property
    def name(self) -> str:
        """The name of the system."""
        return name_of(self.system)

    @property
    def steps(self) -> int:
        """The number of steps of size h."""
        assert self.h is not None, "with a tolerance they are chosen"
        return max(1, round(self.end / self.h))


@dataclasses.dataclass(frozen=True)
class Speeds:
    """Which entries of v are free; the others follow from the constraint."""

    names: tuple[str, ...]
    free: tuple[int, ...]
    bound: tuple[int, ...]
    A: np.ndarray
    b: np.ndarray

    @classmethod
    def of(cls, system: System, q0: Point) -> Speeds:
        """Choose the dependent entries of v from the front: later ones (rolling) are free."""
        names = system.velocity_labels
        every = tuple(range(system.dim))
        if system.is_nonlinear:
            return cls(names, every, (), np.zeros((0, system.dim)), np.zeros(0))
        A, b = (np.asarray(x) for x in compiled_call(_constraint, system, q0))
        bound: list[int] = []
        rest = A.copy()
        scale = max(float(np.max(np.linalg.norm(A, axis=0), initial=0.0)), 1e-300)
        # Prefer well-conditioned columns, then take any.
        limits = [_INDEPENDENT * scale, 1e-9 * scale]
        for limit in limits:
            for i in every:
                column = rest[:, i]
                if len(bound) < len(A) and i not in bound and np.linalg.norm(column) > limit:
                    unit = column / np.linalg.norm(column)
                    rest = rest - np.outer(unit, unit @ rest)
                    bound.append(i)
        free = tuple(i for i in every if i not in bound)
        return cls(names, free, tuple(sorted(bound)), A, b)

    def velocity(self, system: System, q0: Point, v0: np.ndarray, given: Mapping[str, float]):
        """Return v on the constraint, with the given speeds, and those of v0 for the rest."""
        v = np.array(v0, dtype=float)
        for i in self.free:
            v[i] = given.get(self.names[i], v[i])
        if system.is_nonlinear:
            return np.asarray(dynamics.consistent_velocity(system, q0, jnp.asarray(v)))
        if self.bound:
            free, bound = list(self.free), list(self.bound)
            v[bound] = np.linalg.lstsq(
                self.A[:, bound], self.b - self.A[:, free] @ v[free], rcond=None
            )[0]
        return v


def _constraint(system: System, q: Point) -> tuple[jax.Array, jax.Array]:
    t = jnp.zeros(())
    return dynamics.linear_constraint(system, q, t), dynamics.linear_offset(system, t, q)


def name_of(system: System | Modes) -> str:
    """Return the name of a system or of a hybrid system."""
    return system.name if isinstance(system, Modes) else system.name()


def made_system(makers: Makers, ask: Mapping[str, Any]) -> System | Modes:
    """Return the system with the parameters from the browser; only numbers are accepted."""
    name = ask.get("system")
    if not isinstance(name, str) or name not in makers:
        raise unknown_name("system", str(name)[:80], makers)
    maker = makers[name]
    given = ask.get("parameters", {})
    if not isinstance(given, dict):
        raise UsageError("parameters must be a table of names and numbers")
    if isinstance(maker, System):  # a machine from parts
        known = dict.fromkeys(maker.parameters(), False)
    elif isinstance(maker, type):
        known = {f.name: _is_whole(f) for f in dataclasses.fields(maker) if _is_shown(f)}
    else:
        known = dict.fromkeys(_defaults(maker), False)
    values = {}
    for key, value in given.items():
        if key not in known:
            raise unknown_name(f"parameter of {name}", str(key)[:80], known)
        values[key] = int(number(key, value, 1, 8)) if known[key] else _array(key, value)
    if isinstance(maker, System):
        return maker.with_parameters(**{k: jnp.asarray(v, float) for k, v in values.items()})
    return maker(**values)


def _defaults(maker: Callable[..., Modes]) -> dict[str, float]:
    """Return the parameters, with defaults, of a function that makes a hybrid system."""
    result = inspect.signature(maker).parameters.values()
    return {p.name: float(p.default) for p in result if isinstance(p.default, (int, float))}


def setting(makers: Makers, ask: Mapping[str, Any]) -> Setting:
    """Return everything that a run needs; raise `UsageError` if something is wrong."""
    system = made_system(makers, ask)
    q0, v = (None, None) if isinstance(system, Modes) else _initial(system, ask)
    names = ask.get("methods")
    if not isinstance(names, list) or not 1 <= len(names) <= MOST_METHODS:
        raise UsageError(f"choose one to {MOST_METHODS} methods")
    for name in names:
        if not isinstance(name, str) or name not in known_methods:
            raise unknown_name("method", str(name)[:80], known_methods)
    methods = {name: known_methods[name]() for name in dict.fromkeys(names)}
    for method in methods.values():
        for each in system.systems.values() if isinstance(system, Modes) else (system,):
            method.check(each)
    control = ask.get("control", "")
    if not isinstance(control, str) or (control and control not in controllers(name_of(system))):
        raise unknown_name("controller", str(control)[:80], controllers(name_of(system)))
    end = number("t", ask.get("t"), 0.0)
    if ("h" in ask) == ("tol" in ask):
        raise UsageError("give the step size h or the tolerance tol, one of them")
    h = tol = None
    if "h" in ask:
        h = number("h", ask["h"], 0.0)
        check_steps(end / h, "raise h")
    else:
        tol = number("tol", ask["tol"], 0.0, 0.1)
        for method in methods.values():
            method_for(method, tol)
    plain = {k: ask[k] for k in _SENT if k in ask}
    return Setting(system, q0, v, methods, end, h, tol, plain, control)


def _initial(system: System, ask: Mapping[str, Any]) -> tuple[Point, np.ndarray]:
    """Return the requested initial state, on the constraint."""
    q0, v0 = _start(system, _places(system, ask))
    speeds = Speeds.of(system, q0)
    given = ask.get("speeds", {})
    if not isinstance(given, dict) or not set(given) <= set(speeds.names):
        raise UsageError(f"speeds must be among {', '.join(speeds.names)}")
    given = {k: number(k, v) for k, v in given.items()}
    return q0, speeds.velocity(system, q0, np.asarray(v0), given)


def check_steps(count: float, what_to_do: str) -> None:
    """Raise `UsageError` if a run has more steps than an interactive user would wait for."""
    if count > MOST_STEPS:
        raise UsageError(
            f"{count:.3g} steps are too many here (at most {MOST_STEPS}): {what_to_do}, or use "
            "`dalembert run`"
        )


def _places(system: System, ask: Mapping[str, Any]) -> dict[str, float]:
    """Return the initial coordinates that were changed; the constraint determines the rest."""
    given = ask.get("places", {})
    free = _free_places(system)
    if not isinstance(given, dict) or not set(given) <= set(free):
        raise UsageError(f"places must be among {', '.join(free) or 'none'}")
    return {name: number(name, value) for name, value in given.items()}


def _free_places(system: System) -> tuple[str, ...]:
    """Return the coordinates that may be chosen: entries of vectors, not of rotation matrices."""
    if system.is_constrained and system.is_nonlinear:
        return ()
    shapes = state_shapes(system)
    known = named_places(shapes, system.coordinate_labels)
    return tuple(name for name, (leaf, _) in known.items() if len(shapes[leaf]) == 1)


def _start(system: System, places: Mapping[str, float] | None = None) -> tuple[Point, Any]:
    try:
        return system.initial(**places) if places else system.initial()
    except UsageError:
        if places:
            raise
        name = type(system).__name__
        raise UsageError(
            f"the studio needs default initial data: write `initial(self)` in {name}"
        ) from None


def number(name: str, value: Any, above: float = -math.inf, most: float = math.inf) -> float:
    """Return a finite number above `above`; raise for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        what = "is empty" if value is None else f"is {str(value)[:80]!r}"
        raise UsageError(f"{name} must be a finite number, and {what}")
    if not above < value <= most:
        bound = f"larger than {above:g}" + (f", at most {most:g}" if math.isfinite(most) else "")
        raise UsageError(f"{name} must be {bound}, got {value:g}")
    return float(value)


def _array(name: str, value: Any) -> Any:
    if isinstance(value, list):
        if len(value) > MOST_NUMBERS:
            raise UsageError(f"{name} has too many numbers")
        return [_array(name, x) for x in value]
    return number(name, value)


def _is_shown(field: dataclasses.Field[Any]) -> bool:
    return field.init and _is_numeric(field)


def _is_numeric(field: dataclasses.Field[Any]) -> bool:
    return PARAMETER in field.metadata or field.type in ("float", float) or _is_whole(field)


def _is_whole(field: dataclasses.Field[Any]) -> bool:
    return field.type in ("int", int)


# -- what the sliders show -----------------------------------------------------------------------


def described(makers: Makers, ask: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters, free speeds and the initial state, for the form."""
    system = made_system(makers, ask)
    if isinstance(system, Modes):
        maker: Any = makers[ask["system"]]
        values = [_knob(name, value) for name, value in _defaults(maker).items()]
        about = (inspect.getdoc(maker) or "").partition("\n")[0]
        return _form(ask["system"], about, values)
    q0, v0 = _start(system)
    speeds = Speeds.of(system, q0)
    v = speeds.velocity(system, q0, np.asarray(v0), {})
    parameters = _parameters(system)
    units = velocity_units(system)
    row = names.NamedState(system, q0, v)
    lengths = dict(zip(system.coordinate_labels, system.units))
    places = [
        {"name": x, "label": symbol(x), "value": float(row[x]), "unit": lengths.get(x, "")}
        for x in _free_places(system)
    ]
    free = [
        {
            "name": speeds.names[i],
            "label": symbol(speeds.names[i]),
            "value": float(v[i]),
            "unit": units[i],
        }
        for i in speeds.free
    ]
    starts = [{x["name"]: x["value"] for x in found} for found in (places, free)]
    about = (type(system).__doc__ or "").strip().partition("\n")[0]
    bound = [{"name": speeds.names[i], "label": symbol(speeds.names[i])} for i in speeds.bound]
    return _form(
        system.name(), about, parameters, places, free, presets(system.name(), *starts), bound
    )  # fmt: skip


def _form(
    name: str,
    about: str,
    parameters: list[dict[str, Any]],
    places: Sequence[dict[str, Any]] = (),
    speeds: Sequence[dict[str, Any]] = (),
    starts: Sequence[dict[str, Any]] = (),
    bound: Sequence[dict[str, str]] = (),
) -> dict[str, Any]:
    """Return the description of a form, as the page expects it."""
    return {
        "system": name, "about": about, "parameters": parameters, "places": places,
        "speeds": speeds, "presets": starts, "bound": bound, "controllers": controllers(name),
    }  # fmt: skip


def _knob(
    name: str, value: Any, unit: str = "", about: str = "", sign: str = "any", whole: bool = False
) -> dict[str, Any]:
    """Return the description of a slider."""
    return {
        "name": name, "label": symbol(name), "value": np.asarray(value).tolist(),
        "unit": "" if unit == "1" else unit, "about": about, "sign": sign, "whole": whole,
    }  # fmt: skip


def _parameters(system: System) -> list[dict[str, Any]]:
    """Return the sliders of the parameters."""
    table = {name: (unit, about) for name, _, unit, about in system.parameter_table()}
    if isinstance(system, Built):
        return [_knob(name, value) for name, value in system.parameters().items()]
    result = []
    for field in dataclasses.fields(system):
        if _is_shown(field):  # other fields are not numbers, but for example functions
            spec = field.metadata.get(PARAMETER)
            sign = "any" if spec is None or not spec.positive else "positive"
            value = getattr(system, field.name)
            result.append(_knob(field.name, value, *table[field.name], sign, _is_whole(field)))
    return result
