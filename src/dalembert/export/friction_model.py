"""Exported functions of a system with dry friction: one program, contacts as arguments."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

import equinox as eqx
import numpy as np

from ..compile.ir.tape import Unsupported
from ..compile.layout import Layout
from ..compile.tracing import recording_once
from ..errors import UsageError
from ..hybrid import contact_facts
from ..hybrid.coulomb import SINGULAR, ContactGuard, contacts_at
from ..hybrid.rough_modes import RoughModes
from ..inputs import CONTROL, Constant
from ..methods import Method
from ..names import velocity_units
from ..request.prepare import plan_for
from ..request.validate import check_parameters, check_times
from ..system import System, as_arrays
from .hybrid_model import HybridModel, ModeModel, Programs, check_carry, with_what_is_read
from .identifiers import Renamed, identifier, identifiers
from .model import Name, TapedFunction, name_multipliers, name_parameters, named

# Fields of `coulomb.Contacts` that the C code needs; `minor` is a scalar, the others are arrays.
FACTS = (
    *"gap rate load lift slip pull slide press mu mu_static acceleration noise".split(),
    "minor",
)


class Masks(NamedTuple):
    """The state of the contacts, as the fields of the system that are arguments in C."""

    shut: Any
    sticks: Any
    toward: Any
    soft: Any
    awake: Any


@dataclasses.dataclass
class FrictionModel(HybridModel):
    """A system with contacts, recorded and named."""

    rough: Any
    rest_speed: float
    facts: TapedFunction
    held: TapedFunction
    mechanics: TapedFunction
    ahead: TapedFunction

    def bits(self) -> list[str]:
        """Return, in words, what each bit of the state's `contacts` says."""
        plan = self.rough.contact_plan
        told = [f"{x} is closed" for x in plan.contacts]
        told += [
            f"{x.name} holds" if x.kind == "slip" else f"{x.name} holds against {x.kind}"
            for x in plan.groups
        ]
        return [f"bit {i}: {x}" for i, x in enumerate(told)]

    @property
    def title(self) -> str:
        return f"{self.modes.name} with friction by {self.each[0].method.name}"


class _FrictionPrograms(Programs):
    """Records the functions of `Programs` for contacts.

    The second argument of the functions has the inputs and the state of the contacts.
    """

    def __init__(self, modes: RoughModes, system: Any, plan: Any, shared: Any, n: int) -> None:
        super().__init__(modes, [plan], [shared], n)
        self.system = system
        self.u: Any = (self.u, Masks(*(np.asarray(getattr(system, x)) for x in Masks._fields)))

    def _system(self, i: int, shared: Any, u: Any) -> Any:
        inputs, masks = u
        system = super()._system(i, shared, inputs)
        return eqx.tree_at(_masks, system, tuple(masks), is_leaf=lambda x: x is None)

    def mode(self, name: Name, method: Method) -> ModeModel:
        """Return the functions of a mode; they take the state of the contacts as arguments."""
        guards = [x.guard for x in self.modes.transitions]
        every = tuple(range(len(guards)))
        return ModeModel(
            name, self.system, method, self.plans[0], every, every, self._tried(0, guards),
            self._march(0, guards), self._guards(0, guards), self._enter(0), self._dynamics(0),
        )  # fmt: skip

    def keeps(self, i: int) -> bool:
        """Return True: longer steps of small slips converge only with the last step's guess."""
        return True

    def of_contacts(self) -> tuple[TapedFunction, ...]:
        """Return functions of (t, q, v): facts of the contacts, the velocity that they hold,
        mechanics; and of (t, size, q, v): the motion after the time `size`.
        """

        def facts(shared: Any, u: Any, rest: Any) -> Any:
            t, q, v = rest
            f = contacts_at(self._system(0, shared, u), t, q, v)
            return tuple(getattr(f, x) for x in FACTS)

        def held(shared: Any, u: Any, rest: Any) -> Any:
            t, q, v = rest
            return contact_facts.projected(self._system(0, shared, u), t, q, v)

        def mechanics(shared: Any, u: Any, rest: Any) -> Any:
            t, q, v = rest
            found = contact_facts.mechanics(self._system(0, shared, u), t, q, v)
            return (*found[:5], found[6])  # without mu_static

        def ahead(shared: Any, u: Any, rest: Any) -> Any:
            t, size, q, v = rest
            return contact_facts.ahead(self._system(0, shared, u), t, q, v, size)

        t, q, v = self.point
        three = (self._program(f, self.point) for f in (facts, held, mechanics))
        return (*three, self._program(ahead, (t, t, q, v)))


def _masks(system: Any) -> tuple[Any, ...]:
    return tuple(getattr(system, x) for x in Masks._fields)


def friction_model_of(
    modes: RoughModes,
    method: Any,
    h: float | None,
    name: str | None,
    names: Mapping[str, str] | None,
) -> FrictionModel:
    """Trace and record all functions; raise `UsageError` if one cannot be written."""
    if isinstance(method, Mapping):
        raise UsageError("all states of the contacts share one program: give one method")
    method = check_carry(modes.rough, method)
    h = None if h is None else float(check_times(h, 0.0)[0])
    renamed = Renamed(names)
    prefix = identifier(name or modes.name, "name of the system", renamed)
    source: System = modes.source[0]
    labels = source.input_labels if source.has_inputs and not source.controlled_name else ()
    system = modes.driven(Constant(np.zeros(len(labels)))).rough if labels else modes.rough
    dynamic, static = as_arrays(system)
    check_parameters(system, dynamic)
    plan = plan_for(system, method, dynamic, static)
    shared = eqx.tree_at(_masks, dynamic, (None,) * len(Masks._fields))
    if labels:
        shared = eqx.tree_at(lambda s: getattr(s, CONTROL).value, shared, None)
    parameters, tables, given = name_parameters(system, shared, renamed)
    width = Layout(plan.state.example().row.q).width
    q = source.coordinate_labels
    q = q if len(q) == width else tuple(f"q{i}" for i in range(width))
    titles = [
        "no solution" if isinstance(x.guard, ContactGuard) and x.guard.kind == SINGULAR else x.title
        for x in modes.transitions
    ]
    try:
        with recording_once():
            programs = _FrictionPrograms(modes, system, plan, shared, len(labels))
            mode = programs.mode(Name("contacts", "contacts"), method)
            model = FrictionModel(
                modes, [mode], {},
                [Name(*x) for x in zip(titles, identifiers(titles, "transition", renamed))],
                prefix, h, parameters, tables, given,
                named(labels, "input", renamed, tuple(source.input_units)),
                named(q, "coordinate", renamed, tuple(source.units)),
                named(source.velocity_labels, "velocity", renamed, velocity_units(source)),
                name_multipliers(system, plan.constraints, renamed),
                Layout(plan.state.example().frame).width, modes.rough, modes.rest_speed,
                *programs.of_contacts(),
            )  # fmt: skip
    except Unsupported as error:
        raise UsageError(
            f"this system cannot be exported, because it has no scalar code: {error}",
            about=modes.name,
        ) from error
    finally:
        plan.settle()
    renamed.check_used()
    return with_what_is_read(model, (model.facts, model.held, model.mechanics, model.ahead))
