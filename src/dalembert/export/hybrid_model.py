"""Exported functions of a hybrid system: its modes and transitions, on tapes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics, groupoids
from ..compile.ir.record import Recorded, recorded, trace
from ..compile.ir.tape import Unsupported
from ..compile.layout import Layout
from ..compile.tracing import recording_once
from ..errors import UsageError
from ..hybrid import Modes, Transition
from ..hybrid.arc_turn import groups_of
from ..hybrid.modes import guard_value
from ..inputs import CONTROL, Constant, driven
from ..linalg import NOT_FINITE
from ..methods import Method, default
from ..names import multiplier_names, velocity_units
from ..request import initial_data
from ..request.prepare import Plan, plan_for
from ..request.step import State, initial_state, one_step
from ..request.validate import check_objects, check_parameters, check_times
from ..running.programs.step_kernel import places
from ..system import System, as_arrays
from .identifiers import Renamed, identifier, identifiers
from .model import Name, TapedFunction, check_method, name_parameters, named

_ROUND_OFF = 1e-13  # relative to |A| |v| before a jump, as in `hybrid.mode_program`


@dataclasses.dataclass
class ModeModel:
    """One mode: its names, and its functions."""

    name: Name
    system: System
    method: Method
    plan: Plan
    transitions: tuple[int, ...]  # the transitions that leave the mode by a guard
    groups: tuple[int, ...]  # for each transition; those of one group share a guard
    tried: TapedFunction  # (t, size, q, v, frame) -> a step
    # (t0, h, k, carry, frame) -> a step that continues the last one; None if it would equal
    # `tried`, because the method is on the constraint at every row
    march: TapedFunction | None
    guards: TapedFunction  # (t, q, v) -> values
    enter: TapedFunction  # (t, h, q, v, speed) -> the start of the mode
    dynamics: TapedFunction  # (t, q, v) -> rates, multipliers, energy


@dataclasses.dataclass
class HybridModel:
    """Modes with their methods, recorded and named, ready to be written."""

    modes: Modes
    each: list[ModeModel]
    leaps: dict[tuple[int, int], TapedFunction]  # (transition, mode): (t, q, v) -> holds, q, v
    transitions: list[Name]
    prefix: str
    h: float | None
    parameters: list[Name]
    tables: list[tuple[str, np.ndarray]]
    given: list[tuple[str, int]]
    inputs: list[Name]
    q: list[Name]
    v: list[Name]
    constraints: list[Name]
    frame: int

    @property
    def system(self) -> System:
        """The system of the first mode, for what all modes share."""
        return self.each[0].system

    @property
    def decides(self) -> bool:
        """Whether the states of contacts, not declared transitions, decide what follows a guard."""
        return self.modes.decides

    @property
    def title(self) -> str:
        """The name and the methods, for comments."""
        methods = dict.fromkeys(x.method.name for x in self.each)
        return f"{self.modes.name} by {', '.join(methods)}"


_Made = TypeVar("_Made", bound=HybridModel)


def check_carry(system: System, method: Method | None) -> Method:
    """Return the method, by default that of runs; raise `UsageError` if C cannot use it."""
    chosen = default() if method is None else method
    check_objects(system, chosen)
    check_method(chosen)
    if chosen.traits.carry != "node":
        raise UsageError(
            f"{chosen.name} carries more than (q, v) from step to step, but a hybrid step in C "
            "starts from (q, v): use Gauss(), RK4() or DLA()"
        )
    return chosen


def refuse_options(single: bool, jacobians: bool) -> None:
    """Raise `UsageError` for options that hybrid C does not have."""
    if single:
        raise UsageError(
            "single=True is not for hybrid systems: the zeros of guards are located in doubles"
        )
    if jacobians:
        raise UsageError(
            "jacobians=True is for systems with one mode: export one mode as a separate system"
        )


def methods_of(modes: Modes, method: Any) -> list[Method]:
    """Return the method of each mode: one for all, or a table by mode."""
    given = method if isinstance(method, Mapping) else dict.fromkeys(modes.names, method)
    for name in given:
        modes.system(name)
    return [check_carry(system, given.get(name)) for name, system in modes.systems.items()]


def hybrid_model_of(
    modes: Modes,
    method: Any,
    h: float | None,
    name: str | None,
    names: Mapping[str, str] | None,
    jacobians: bool = False,
    single: bool = False,
) -> HybridModel:
    """Trace and record all functions; raise `UsageError` if one cannot be written."""
    if modes.decides:
        raise UsageError(
            f"{modes.name} cannot be exported: the rows that act after a guard are chosen in "
            "Python, by the rank of the constraint",
            advice="Modes with declared transitions are exported",
        )
    refuse_options(single, jacobians)
    methods = methods_of(modes, method)
    h = None if h is None else float(check_times(h, 0.0)[0])
    renamed = Renamed(names)
    prefix = identifier(name or modes.name, "name of the hybrid system", renamed)
    inputs = _inputs(modes)
    examples = [
        driven(x, Constant(np.zeros(len(inputs)))) if inputs and _takes_inputs(x) else x
        for x in modes.systems.values()
    ]
    plans, shared = [], []
    for example, chosen in zip(examples, methods):
        dynamic, static = as_arrays(example)
        check_parameters(example, dynamic)
        plans.append(plan_for(example, chosen, dynamic, static))
        if hasattr(example, CONTROL) and inputs:
            dynamic = eqx.tree_at(lambda s: getattr(s, CONTROL).value, dynamic, None)
        shared.append(dynamic)
    parameters, tables, given = _parameters(modes, shared, renamed)
    first = next(iter(modes.systems.values()))
    width = Layout(plans[0].state.example().row.q).width
    labels = first.coordinate_labels
    labels = labels if len(labels) == width else tuple(f"q{i}" for i in range(width))
    most = max(plans, key=lambda x: x.constraints).constraints
    try:
        with recording_once():
            programs = Programs(modes, plans, shared, len(inputs))
            each = programs.each([Name(x, y) for x, y in zip(modes.names, _words(modes, renamed))])
            model = HybridModel(
                modes, each, programs.leaps(),
                [Name(x.title, y) for x, y in zip(modes.transitions, _titles(modes, renamed))],
                prefix, h, parameters, tables, given,
                named(inputs, "input", renamed, tuple(first.input_units)),
                named(labels, "coordinate", renamed, tuple(first.units)),
                named(first.velocity_labels, "velocity", renamed, velocity_units(first)),
                [Name(x, x) for x in multiplier_names((), most)],
                Layout(plans[0].state.example().frame).width,
            )  # fmt: skip
    except Unsupported as error:
        raise UsageError(
            f"these modes cannot be exported, because they have no scalar code: {error}",
            about=f"the modes of {modes.name}",
            advice="systems that run by arrays only (traj.meta.engine == 'arrays') have no C",
        ) from error
    finally:
        for plan in plans:
            plan.settle()
    renamed.check_used()
    return with_what_is_read(model)


def _takes_inputs(system: System) -> bool:
    return bool(system.has_inputs and not system.controlled_name)


def _inputs(modes: Modes) -> tuple[str, ...]:
    """Return the labels of the inputs, which modes that have inputs must share."""
    found = {k: tuple(x.input_labels) for k, x in modes.systems.items() if _takes_inputs(x)}
    kinds = list(dict.fromkeys(found.values()))
    if len(kinds) > 1:
        raise UsageError(
            f"the modes have different inputs, but the C code has one struct of inputs: {found}; "
            "give them the same input_names"
        )
    return kinds[0] if kinds else ()


def _words(modes: Modes, renamed: Renamed) -> list[str]:
    return identifiers(list(modes.names), "mode", renamed)


def _titles(modes: Modes, renamed: Renamed) -> list[str]:
    """Return identifiers of the transitions; equal titles get the numbers 2, 3, ... appended."""
    found: list[str] = []
    for x in modes.transitions:
        word = base = identifier(x.title, "transition", renamed)
        count = 1
        while word in found:
            count += 1
            word = f"{base}_{count}"
        found.append(word)
    return found


def _parameters(
    modes: Modes, shared: Sequence[Any], renamed: Renamed
) -> tuple[list[Name], list[tuple[str, np.ndarray]], list[tuple[str, int]]]:
    """Return names, tables and expressions of the parameters of all modes, one after the other."""
    names: list[Name] = []
    tables: list[tuple[str, np.ndarray]] = []
    given: list[tuple[str, int]] = []
    words = _words(modes, renamed)
    for word, (mode, system), dynamic in zip(words, modes.systems.items(), shared):
        own, arrays, texts = name_parameters(system, dynamic, renamed)
        lead = f"{word}_" if len(modes.names) > 1 else ""
        names += [
            x._replace(
                label=f"{mode}.{x.label}" if lead else x.label, identifier=f"{lead}{x.identifier}"
            )
            for x in own
        ]
        at = len(tables)
        tables += [(f"table_{at + i}", x) for i, (_, x) in enumerate(arrays)]
        for text, table in texts:
            if text.startswith("p->"):
                text = f"p->{lead}{text[3:]}"
            given.append((text, table + at if table >= 0 else table))
    identifiers([x.identifier for x in names], "parameter", Renamed(None))  # all different
    return names, tables, given


def with_what_is_read(model: _Made, more: Sequence[TapedFunction] = ()) -> _Made:
    """Drop the parameters that no function reads."""
    tapes: list[Recorded] = [x.recorded for x in (*model.leaps.values(), *more)]
    for x in model.each:
        mine = (x.tried, x.march, x.guards, x.enter, x.dynamics)
        tapes += [y.recorded for y in mine if y is not None]
    read = set()
    for r in tapes:
        needed = r.needed()
        for value, (text, _) in zip(r.inputs[0], model.given, strict=True):
            if value.number in needed:
                read.add(text.removeprefix("p->").partition("[")[0])
    kept = [x for x in model.parameters if x.identifier in read]
    return dataclasses.replace(model, parameters=kept)


def _step_made(system: Any, new: State, guards: Sequence[Any], keeps: bool) -> tuple[Any, ...]:
    """Return the results of a step: code, residual, row, guards, and if `keeps` the carry."""
    row = new.row
    g = [guard_value(x, system, row.t, row.q, row.v) for x in guards]
    result = jnp.asarray(row.result, int)
    found = result, row.residual, row.t, row.q, row.v, new.frame, row.multiplier
    return *found, g, new.carry if keeps else ()


class Programs:
    """Records the functions of all modes; their first argument is the parameters of all modes."""

    def __init__(
        self, modes: Modes, plans: Sequence[Plan], shared: Sequence[Any], inputs: int
    ) -> None:
        self.modes, self.plans, self.shared = modes, plans, tuple(shared)
        self.u = np.zeros(inputs)
        row = plans[0].state.example()
        self.point = np.zeros(()), row.row.q, row.row.v
        self.frame = row.frame

    def _program(self, f: Any, rest: Any, code: bool = False) -> TapedFunction:
        """Record f(parameters, u, rest); with `code`, the first result is a result code."""
        example = Layout(self.shared).example()
        found = recorded(trace(f, example, self.u, rest), memory=True)
        if code:
            found = found.guarded(0, NOT_FINITE)
        return TapedFunction(found, places(Layout(rest)), places(found.results))

    def _system(self, i: int, shared: Any, u: Any) -> Any:
        system = eqx.combine(shared[i], self.plans[i].static)
        if not u.size or not hasattr(system, CONTROL):
            return system
        return eqx.tree_at(
            lambda s: getattr(s, CONTROL).value, system, u, is_leaf=lambda x: x is None
        )

    def each(self, names: Sequence[Name]) -> list[ModeModel]:
        """Return the functions of every mode."""
        found = []
        for i, (name, (key, system)) in enumerate(zip(names, self.modes.systems.items())):
            every = self.modes.transitions
            mine = tuple(j for j, x in enumerate(every) if x.guard is not None and x.ends(key))
            groups = groups_of(every, key, ())
            which = [next(k for k, x in enumerate(groups) if j in x.transitions) for j in mine]
            guards = [every[j].guard for j in mine]
            found.append(
                ModeModel(
                    name,
                    system,
                    self.plans[i].method,
                    self.plans[i],
                    mine,
                    tuple(which),
                    self._tried(i, guards),
                    self._march(i, guards),
                    self._guards(i, guards),
                    self._enter(i),
                    self._dynamics(i),
                )
            )
        return found

    def keeps(self, i: int) -> bool:
        """Return whether a step of mode i continues from the last step's carry, not its row."""
        return not self.plans[i].method.traits.on_constraint

    def _tried(self, i: int, guards: Sequence[Any]) -> TapedFunction:
        plan = self.plans[i]

        def tried(shared: Any, u: Any, rest: Any) -> Any:
            t, size, q, v, frame = rest
            system = self._system(i, shared, u)
            state = initial_state(system, plan.method, t, size, q, v)._replace(frame=frame)
            made = one_step(system, plan.method, t, size, state)
            return _step_made(system, made, guards, self.keeps(i))

        t, q, v = self.point
        return self._program(tried, (t, t, q, v, self.frame), code=True)

    def _march(self, i: int, guards: Sequence[Any]) -> TapedFunction | None:
        plan = self.plans[i]
        if not self.keeps(i):
            return None

        def march(shared: Any, u: Any, rest: Any) -> Any:
            t0, h, k, carry, frame = rest
            system = self._system(i, shared, u)
            example = plan.state.example()
            row = jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), example.row)
            state = State(k, carry, row, frame, jnp.asarray(False))
            return _step_made(system, one_step(system, plan.method, t0, h, state), guards, True)

        t, carry = self.point[0], plan.state.example().carry
        return self._program(march, (t, t, np.zeros((), int), carry, self.frame), code=True)

    def _guards(self, i: int, guards: Sequence[Any]) -> TapedFunction:
        def values(shared: Any, u: Any, rest: Any) -> Any:
            t, q, v = rest
            system = self._system(i, shared, u)
            return [guard_value(x, system, t, q, v) for x in guards]

        return self._program(values, self.point)

    def _enter(self, i: int) -> TapedFunction:
        plan = self.plans[i]

        def enter(shared: Any, u: Any, rest: Any) -> Any:
            t, h, q, v, speed = rest
            system = self._system(i, shared, u)
            row = initial_state(system, plan.method, t, h, q, v).row
            found = initial_data.gather(system, t, q, v, row)
            # A jump may leave nothing of v but round-off, whose error relative to v is large: so
            # residuals are also accepted up to round-off of the speed before the jump.
            sizes = jnp.sqrt(jnp.sum(found.mu**2, axis=1)) * speed
            near = jnp.all(jnp.abs(found.residual) <= _ROUND_OFF * sizes)
            near = near & jnp.all(jnp.abs(found.holonomic) <= found.holonomic_size)
            off = initial_data.wrong_data(plan.method, found, project=False) & ~(
                near & ~initial_data.wrong_data(plan.method, found, project=True)
            )
            result = jnp.asarray(row.result, int)
            return result, off, row.residual, row.q, row.v, row.multiplier

        t, q, v = self.point
        return self._program(enter, (t, t, q, v, t), code=True)

    def _dynamics(self, i: int) -> TapedFunction:
        def rates(shared: Any, u: Any, rest: Any) -> Any:
            t, q, v = rest
            system = self._system(i, shared, u)
            solved = dynamics.solved(system, q, v, t)

            def moved(s: Any) -> Any:
                return groupoids.move(system.groupoid, q, s * v)

            rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]
            energy = dynamics.energy(system, q, v, t)
            return rate, solved.acceleration, solved.multipliers, energy

        return self._program(rates, self.point)

    def leaps(self) -> dict[tuple[int, int], TapedFunction]:
        """Return the jump of every transition out of every mode that it ends."""
        found = {}
        for j, transition in enumerate(self.modes.transitions):
            for i, name in enumerate(self.modes.names):
                if transition.ends(name):
                    found[j, i] = self._leap(transition, i)
        return found

    def _leap(self, transition: Transition, i: int) -> TapedFunction:
        target = i
        if transition.target is not None:
            target = self.modes.names.index(transition.target)

        def leap(shared: Any, u: Any, rest: Any) -> Any:
            t, q, v = rest
            before, after = (self._system(k, shared, u) for k in (i, target))
            q1, v1 = transition.after(after, t, q, v)
            return transition.holds(before, t, q, v), q1, v1

        return self._program(leap, self.point)
