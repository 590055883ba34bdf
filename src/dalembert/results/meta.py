"""`Meta`, the description of a run: system, method, step, parameters; enough to repeat it.

Names are static to JAX and compared by value. Numbers (h, t0, parameters) are leaves, so a jitted
function that returns a trajectory reports those of the call, not of the compilation. The cost of a
run is not part of the description: a JAX transformation drops it.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import numbers
import platform
import sys
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from ..methods import Method
from ..pages import card
from ..system import System
from .kinds import Document, Facts
from .provenance import Identity
from .spaces import json_of_older_files, space_to_json

_ACCURACY = ("tol", "error_estimate")
_NAMES = ("coordinate_names", "velocity_names", "units", "constraint_names", "warnings")


@functools.cache
def versions() -> Mapping[str, str]:
    """Return the versions of the software that computes runs: dalembert, jax, numpy, python."""
    # The version of dalembert is in the package itself: a source tree has no installed version.
    ours = getattr(sys.modules["dalembert"], "__version__", "unknown")
    return {
        "dalembert": ours,
        "jax": jax.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


@dataclasses.dataclass(frozen=True, eq=False)
class Meta:
    """Description of a run; two are equal if all fields except the cost are equal."""

    system: str = ""
    method: str = ""
    parameters: Facts = dataclasses.field(default_factory=dict)
    h: float = float("nan")
    own_steps: bool = False  # whether steps are adaptive; h is then the first step size
    steps: int = 0
    save_every: int = 1
    t0: float = 0.0
    coordinate_names: tuple[str, ...] = ()
    velocity_names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    constraint_names: tuple[str, ...] = ()  # names of the multipliers
    constraints: int = 0
    on_constraint: bool = False  # whether the method puts every row on the constraint
    space: str = ""  # configuration space, to be read by people
    space_json: str = ""  # its JSON description (`spaces`); empty for a class of a user
    controlled: str = ""  # name of the system that a control acted on; empty without a control
    identity: Identity = Identity()
    versions: Mapping[str, str] = dataclasses.field(default_factory=versions)
    tol: float | None = None  # tolerance that the caller gave
    error_estimate: float | None = None  # of q and v at the end, relative to their largest entries
    warnings: tuple[str, ...] = ()  # warnings of the run about its numerical results
    wall_s: float = 0.0
    compile_s: float = 0.0
    engine: str = ""  # engine of the steps: "native", "gpu" or "arrays"
    engine_reason: str = ""  # why it was not native code, if it was not

    @classmethod
    def of(
        cls,
        system: System,
        method: Method | str,
        parameters: Facts | None = None,
        identity: Identity | None = None,
        **run: Any,
    ) -> Meta:
        """Return the meta of a run of `system`; `run` has the fields that are not of the system."""
        return cls(
            system=system.name(),
            controlled=system.controlled_name,
            method=method if isinstance(method, str) else method.name,
            on_constraint=not isinstance(method, str) and method.traits.on_constraint,
            coordinate_names=system.coordinate_labels,
            velocity_names=system.velocity_labels,
            units=tuple(system.units),
            constraint_names=system.constraint_labels,
            space=repr(system.space),
            space_json=space_to_json(system.space),
            identity=identity or _identity(system, method),
            parameters=system.parameters() if parameters is None else parameters,
            **run,
        )

    def again(self, **run: Any) -> Meta:
        """Return the meta of another run of the same system and method, with these fields."""
        made = object.__new__(Meta)
        made.__dict__.update(self.__dict__)
        made.__dict__.update(parameters=_copied(self.parameters), **run)
        return made

    @property
    def step_told(self) -> str:
        """The step size as text, for titles."""
        return f"h = {float(self.h):.4g}" + (" at the start" if self.own_steps else "")

    def __repr__(self) -> str:
        """Return one line: system and method; all else is in the fields."""
        known = [f"{self.system or 'a system'} by {self.method or 'a method'}"]
        known += [self.step_told] if math.isfinite(float(self.h)) else []
        known += [f"{self.steps} steps"] if self.steps else []
        return f"Meta({', '.join(known)})"

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values to print: the run, its steps, its parameters, its cost."""
        step = self.step_told if math.isfinite(float(self.h)) else ""
        parameters = ", ".join(f"{k} = {_short(v)}" for k, v in self.parameters.items())
        cost = f"{float(self.wall_s):.3g} s, and {float(self.compile_s):.3g} s to compile"
        return [
            ("method", ", ".join(x for x in (self.method, step) if x)),
            ("parameters", parameters),
            ("took", cost if self.wall_s else ""),
            ("warnings", "; ".join(self.warnings)),
        ]

    def _repr_html_(self) -> str:
        return card(self.system or "a run", self.lines())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Meta) and self._text() == other._text()

    def __hash__(self) -> int:
        return hash(self._text())

    def _text(self) -> str:  # as text, a NaN equals itself
        values = self.as_dict()
        for name in ("wall_s", "compile_s", "engine", "engine_reason"):
            del values[name]
        return json.dumps(values, sort_keys=True)

    def as_dict(self) -> Document:
        """Return all fields as plain values that JSON can hold."""
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        values["identity"] = dataclasses.asdict(self.identity)
        return json.loads(json.dumps(values, default=lambda x: np.asarray(x).tolist()))

    @classmethod
    def from_dict(cls, values: Facts) -> Meta:
        """Invert `as_dict`; fields that an older version did not have get their defaults."""
        known = {f.name for f in dataclasses.fields(cls)}
        given = {k: v for k, v in values.items() if k in known}
        if "space_json" not in given:
            given["space_json"] = json_of_older_files(given.get("space", ""))
        if "controlled" not in given:  # in older files only the name shows that a control acted
            name = given.get("system", "")
            given["controlled"] = name.removesuffix("-driven") if name.endswith("-driven") else ""
        given |= {k: tuple(given[k]) for k in _NAMES if k in given}
        if "identity" in given:
            parts = {f.name for f in dataclasses.fields(Identity)}
            known_parts = {k: v for k, v in given["identity"].items() if k in parts}
            given["identity"] = Identity(**known_parts)
        return cls(**given)


def _copied(values: Any) -> Any:
    """Copy mappings and lists, which a caller may change."""
    if isinstance(values, Mapping):
        return {k: _copied(x) for k, x in values.items()}
    return list(map(_copied, values)) if type(values) is list else values


def _identity(system: System, method: Method | str) -> Identity:
    return Identity() if isinstance(method, str) else Identity.of(system, method)


def _is_number(x: object) -> bool:
    if isinstance(x, (list, tuple)):
        return all(map(_is_number, x))
    return isinstance(x, (numbers.Real, np.ndarray, jax.Array)) and not isinstance(x, bool)


def _flatten(meta: Meta) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    numeric = {k: v for k, v in meta.parameters.items() if _is_number(v)}
    rest = tuple((k, v) for k, v in meta.parameters.items() if k not in numeric)
    static = tuple(getattr(meta, name) for name in _STATIC)
    order = tuple(meta.parameters)
    return (meta.h, meta.t0, numeric), (order, rest, tuple(meta.versions.items()), *static)


_PLACES = ("constraints", "space", "space_json", "identity")
_STATIC = ("system", "controlled", "method", "steps", "save_every", *_NAMES, *_PLACES, *_ACCURACY)
_STATIC += ("engine", "engine_reason", "own_steps", "on_constraint")


def _unflatten(static: tuple[Any, ...], leaves: Any) -> Meta:
    order, rest, versions, *named = static
    h, t0, numeric = leaves
    values = {**numeric, **dict(rest)} if isinstance(numeric, Mapping) else {}
    parameters = {k: values[k] for k in order if k in values}
    fields = dict(zip(_STATIC, named))
    return Meta(h=h, t0=t0, parameters=parameters, versions=dict(versions), **fields)


jax.tree_util.register_pytree_node(Meta, _flatten, _unflatten)


def _short(value: object) -> str:
    """Return a parameter as short text: numbers with five digits, large arrays by their shape."""
    array = np.asarray(value)
    if array.dtype.kind in "fi" and array.size <= 6:
        return np.array2string(array, precision=5, separator=", ")
    return f"array of shape {array.shape}" if array.dtype.kind in "fi" else str(value)[:40]
