"""Controls that act on a system: u(t), feedback u(t, q, v), tables, networks.

`inputs(q)` of a system gives the one-forms through which controls act; `driven` adds the force that
a control exerts. The result is an ordinary system, so every method, ensembles and gradients work
with it. The arrays of a control that is a PyTree (an Equinox module) are parameters: `vmap` runs
over them and `grad` differentiates with respect to them.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from . import names
from .compile.ir.table_lookup import Tabulated
from .doors import Module
from .doors import guard as _guard
from .errors import UsageError
from .system import Point, System, is_traced, variant, variant_class

Control = Callable[..., ArrayLike]  # of t, or of (t, q, v)


class Table(Tabulated):
    """A control given by values at times: linear or stepwise between them, constant outside.

        Table([0.0, 1.0, 2.0], [[0.0], [1.0], [0.0]])

    With `hold=True` each value holds until the next time. The values are a parameter. A table may
    be as long as memory allows: native code reads it in place, without a copy.
    """

    times: jax.Array = eqx.field(converter=lambda x: _times(x))
    values: jax.Array = eqx.field(converter=lambda x: jnp.asarray(x, dtype=float))
    hold: bool = eqx.field(static=True, default=False)

    def __check_init__(self) -> None:
        shape = self.times.shape  # in an ensemble, the member axis comes first
        if len(shape) not in (1, 2) or self.values.shape[: len(shape)] != shape or not shape[-1]:
            raise UsageError(
                "a Table needs times (n,) and values (n, controls), got shapes "
                f"{self.times.shape} and {self.values.shape}"
            )
        if not is_traced(self.times):
            if not np.all(np.diff(np.asarray(self.times)) > 0):
                raise UsageError("the times of a Table must increase")

    def __call__(self, t: jax.Array) -> jax.Array:
        columns = self.values.reshape(len(self.times), -1)
        if self.hold:
            at = jnp.searchsorted(self.times, t, side="right") - 1
            return columns[jnp.clip(at, 0, len(self.times) - 1)]
        return jax.vmap(lambda y: jnp.interp(t, self.times, y), in_axes=1)(columns)


def _times(x: Any) -> Any:
    """Return times as doubles; under `jit` those that are known stay known."""
    if is_traced(x) or isinstance(x, jax.Array):
        return jnp.asarray(x, dtype=float)
    return np.asarray(x, dtype=float)


class StateFeedback(Module):
    """u = network(x) with x = (q, v) as one vector; any function or Equinox network of one vector.

    Matrices in q enter row by row.
    """

    network: Callable[[jax.Array], jax.Array]

    def __call__(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        parts = [jnp.ravel(x) for x in jax.tree.leaves(q)]
        return self.network(jnp.concatenate([*parts, v]))


class PerMember(Module):
    """A control for an ensemble, whose arrays have the members as their first axis.

    The control may also be constant values, an array of shape (members, controls).
    """

    control: Any = eqx.field(converter=lambda x: x if callable(x) else Constant(x))

    def __call__(self, *args: Any) -> Any:
        return self.control(*args)


@dataclasses.dataclass(frozen=True)
class Sampled:
    """A controller in Python, called every `every` seconds; its output is constant in between.

        da.simulate(robot, h=0.01, t=60.0, u=da.Sampled(controller, every=0.02))

    `controller(t, q, v) -> u` takes NumPy arrays. It may be any Python callable: NumPy code, a
    network of any framework, an object with memory. u is an array, or a dict by input names. The
    controller is called at the steps at multiples of `every`. Its output acts `delay` later, until
    the next one replaces it; before the first, u is zero. In `simulate_ensemble` it is called once
    for all members; the member axis comes first in q, v and u. In a hybrid run it is called in
    every mode. `traj.saved["u"]` has the inputs `u`, and the times `t` from which each acts.
    """

    controller: Callable[..., Any]
    every: float = 0.02
    delay: float = 0.0

    def __post_init__(self) -> None:
        if not callable(self.controller):
            raise UsageError(
                f"Sampled takes a function (t, q, v) -> u, got {self.controller!r}; constant "
                "numbers can be given directly as u"
            )
        for name, least in (("every", "positive"), ("delay", "zero or positive")):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
                raise UsageError(f"Sampled: {name} must be a time in seconds, got {value!r}")
            if not np.isfinite(value) or value < 0 or (value == 0 and name == "every"):
                raise UsageError(f"Sampled: {name} must be {least}, got {value}")


def driven(system: System, u: Any) -> System:
    """Return the system with the force of a control added: F^i(q) u_i.

    u is a function u(t) or u(t, q, v), an Equinox module with such a call (`Table`,
    `StateFeedback`, a user's class), or constant numbers. It may also be a mapping from input
    names to any of these, `u={"left": 0.3, "right": lambda t: jnp.sin(t)}`; inputs that are not
    named are 0. A function may return such a mapping of numbers as well.
    `simulate(system, u=u)` is short for `simulate(driven(system, u))`.
    """
    if not isinstance(system, System):
        raise UsageError(f"controls act on a System, got {system!r}")
    if not system.has_inputs:
        raise UsageError(
            f"{system.name()} has no inputs: write `inputs(self, q)`, whose rows are the one-forms "
            "through which the controls act"
        )
    if hasattr(system, CONTROL):
        raise UsageError(
            f"{system.name()} is already driven; apply the control to the original system"
        )
    if isinstance(u, Sampled):
        raise UsageError(
            "a Sampled controller is called by the run, not by the system: da.simulate(system, "
            "u=da.Sampled(...)), simulate_ensemble or da.Stepper"
        )
    if isinstance(u, Mapping):
        u = ByName(tuple(names.vector("input", u, system.input_labels, None)))
    elif not callable(u):
        u = Constant(u)
    return variant(system, _driven_class(type(system)), **{CONTROL: u})


class Constant(Module):
    """A constant control."""

    value: jax.Array

    def __init__(self, value: Any) -> None:
        try:
            self.value = jnp.atleast_1d(jnp.asarray(value, dtype=float))
        except (TypeError, ValueError):
            raise UsageError(
                f"a control is a function u(t) or u(t, q, v), a Table, or numbers; got {value!r}"
            ) from None

    def __call__(self, t: jax.Array) -> jax.Array:
        return self.value


class ByName(Module):
    """One control for each input; None for an input without a control."""

    controls: tuple[Any, ...]

    def __init__(self, controls: tuple[Any, ...]) -> None:
        self.controls = tuple(u if u is None or callable(u) else Constant(u) for u in controls)

    def __call__(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        return jnp.stack([self._one(u, t, q, v) for u in self.controls])

    def _one(self, u: Any, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        if u is None:
            return jnp.zeros(())
        values = jnp.asarray(u(t, q, v) if _is_feedback(u) else u(t), dtype=float)
        if values.size != 1:
            raise UsageError(f"the control of one input is one number, got shape {values.shape}")
        return values.reshape(())


def holding(system: Any, u: np.ndarray) -> Any:
    """Return a system with a constant control whose value is u; one without stays as it is."""
    if not isinstance(getattr(system, CONTROL, None), Constant):
        return system
    return eqx.tree_at(lambda s: getattr(s, CONTROL).value, system, np.array(u, float))


CONTROL = "control"  # name of the field of a driven system that holds its control


class _DrivenName:
    """Descriptor for the method `name` of a driven class.

    It serves the class and its systems, because the names of systems may differ.
    """

    def __init__(self, base: type[System]) -> None:
        self._base = base

    def __get__(self, system: Any, owner: type) -> Callable[[], str]:
        return lambda: f"{_name_as(self._base, system)}-driven"


def _name_as(base: type[System], system: System | None) -> str:
    """Return the name that a system would have if it were of the class `base`."""
    result: Any = inspect.getattr_static(base, "name")
    return result.__get__(system, base)()


@variant_class
def _driven_class(base: type[System]) -> type[System]:
    """Return the driven subclass of `base`; all controls share it."""

    class Driven(base):  # pyright: ignore[reportGeneralTypeIssues]
        control: Any = None

        conserves_energy = False

        def force(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
            rows = self.inputs(q)
            return base.force(self, t, q, v) + rows.T @ control_at(self, t, q, v, rows.shape[0])

        name = _DrivenName(base)  # pyright: ignore[reportAssignmentType]

        @property
        def controlled_name(self) -> str:
            return _name_as(base, self)

        @property
        def invariants(self) -> dict[str, Any]:
            return {}

        @property
        def closed_form(self) -> Any:  # that of the base class holds without controls only
            raise AttributeError("closed_form")

    return Driven


def control_at(
    system: System, t: ArrayLike, q: Point, v: jax.Array, count: int | None = None
) -> jax.Array:
    """Return the control of a driven system at a state; shape (k,)."""
    u = getattr(system, CONTROL, None)
    if u is None:
        raise UsageError(f"{system.name()} is not driven: driven(system, u)")
    now = jnp.asarray(t, dtype=float)
    inner = u.control if isinstance(u, PerMember) else u
    result = u(now, q, v) if _is_feedback(inner) else u(now)
    if isinstance(result, Mapping):
        entries = names.vector("input", result, system.input_labels)
        result = jnp.stack([jnp.asarray(x, dtype=float).reshape(()) for x in entries])
    value = jnp.atleast_1d(jnp.asarray(result, float))
    count = system.inputs(q).shape[0] if count is None else count
    if value.shape != (count,):
        raise UsageError(
            f"{system.name()} has {count} controls, {', '.join(system.input_labels)}; u gives an "
            f"array of shape {value.shape}"
        )
    limits = getattr(system, "input_limits", None)
    return value if limits is None else jnp.clip(value, -limits, limits)


def _is_feedback(u: Any) -> bool:
    try:
        signature = inspect.signature(u)
    except (TypeError, ValueError):
        return False
    for count, feedback in ((3, True), (1, False)):
        try:
            signature.bind(*range(count))
        except TypeError:
            continue
        return feedback
    raise UsageError(f"a control is u(t) or u(t, q, v); it is u{signature}")


__all__ = [
    "Constant",
    "Control",
    "PerMember",
    "Sampled",
    "StateFeedback",
    "Table",
    "control_at",
    "driven",
]

_guard(globals())
