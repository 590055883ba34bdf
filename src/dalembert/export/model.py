"""The functions of a system and a method that are exported as C, on tapes, and their names."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics, groupoids
from ..compile.cpu.loop_emit import Steps
from ..compile.ir.record import Recorded, recorded, trace
from ..compile.ir.table_lookup import Place
from ..compile.ir.tape import Unsupported
from ..compile.layout import Layout
from ..compile.tracing import for_floats, recording_once
from ..errors import UsageError
from ..inputs import CONTROL, Constant, driven
from ..linalg import NOT_FINITE
from ..methods import Method
from ..names import multiplier_names, velocity_units
from ..parameters import PARAMETER, Spec
from ..request import initial_data
from ..request.prepare import Plan, plan_for
from ..request.step import (
    State,
    has_any_times,
    has_own_steps,
    initial_state,
    looked_at,
)
from ..request.validate import check_objects, check_parameters, check_times
from ..running.programs.held_step import Held, Own, held_layout, stepped
from ..running.programs.step_kernel import places
from ..system import System, as_arrays
from .ctext import literal
from .identifiers import Renamed, check_different, identifier, identifiers


class Name(NamedTuple):
    """A named number, or array of numbers, of the exported code."""

    label: str  # its name in the system
    identifier: str  # its name in C
    unit: str = ""
    size: int = 0  # 0: a scalar; otherwise the length of the array
    value: Any = None  # the default of a parameter
    doc: str = ""


class TapedFunction(NamedTuple):
    """A function on a tape, with three arguments: parameters (with h), inputs, and all else."""

    recorded: Recorded
    rest: Any  # the tree of the third argument, with the index of each number as leaf
    results: Any  # the tree of the results, likewise


@dataclasses.dataclass
class Model:
    """A system and a method, recorded and named, ready to be written."""

    system: System
    method: Method
    plan: Plan
    prefix: str
    h: float | None  # None: h is an argument of the step
    parameters: list[Name]  # only those that some function reads
    tables: list[tuple[str, np.ndarray]]  # constant arrays in the code, by identifier
    inputs: list[Name]
    q: list[Name]
    v: list[Name]
    constraints: list[Name]
    frame: int  # how many numbers the group frame of a reduced system has
    given: list[tuple[str, int]]  # for each packed parameter: C expression, table index or -1
    start: TapedFunction
    steps: Steps
    held: Any  # the tree of a step's state, with the index of each number in the third argument
    dynamics: TapedFunction
    jacobians: TapedFunction | None


def model_of(
    system: System,
    method: Method,
    h: float | None,
    name: str | None,
    names: Mapping[str, str] | None,
    jacobians: bool,
    single: bool = False,
) -> Model:
    """Trace and record all functions to export; raise `UsageError` if one cannot be written."""
    check_objects(system, method)
    check_method(method)
    h = None if h is None else float(check_times(h, 0.0)[0])
    renamed = Renamed(names)
    prefix = identifier(name or system.name(), "name of the system", renamed)
    count = len(system.input_labels) if system.has_inputs and not system.controlled_name else 0
    example = driven(system, Constant(np.zeros(count))) if count else system
    dynamic, static = as_arrays(example)
    check_parameters(example, dynamic)
    plan = plan_for(example, method, dynamic, static)
    shared = dynamic
    if count:
        shared = eqx.tree_at(lambda s: getattr(s, CONTROL).value, dynamic, None)
    parameters, tables, given = name_parameters(system, shared, renamed)
    labels = (system.coordinate_labels, system.velocity_labels)
    units = tuple(system.units)
    q = named(labels[0], "coordinate", renamed, units if len(units) == len(labels[0]) else ())
    v = named(labels[1], "velocity", renamed, velocity_units(system))
    row = plan.state.example().row
    if len(q) != Layout(row.q).width:
        q = named([f"q{i}" for i in range(Layout(row.q).width)], "coordinate", renamed, ())
    constraints = name_multipliers(example, plan.constraints, renamed)
    inputs = (
        named(system.input_labels, "input", renamed, tuple(system.input_units)) if count else []
    )
    renamed.check_used()
    try:
        with recording_once(), for_floats() if single else contextlib.nullcontext():
            programs = _Programs(plan, shared, count, h)
            steps, held = programs.steps()
            made = Model(
                system, method, plan, prefix, h, parameters, tables, inputs, q, v, constraints,
                Layout(plan.state.example().frame).width, given, programs.start(), steps, held,
                programs.dynamics(), programs.jacobians() if jacobians else None,
            )  # fmt: skip
            return _with_what_is_read(made)
    except Unsupported as error:
        raise UsageError(
            f"this step cannot be exported, because it has no scalar code: {error}",
            about=f"{method.name} on {system.name()}",
            advice="systems that run by arrays only (traj.meta.engine == 'arrays') have no C",
        ) from error
    finally:
        plan.settle()


def _with_what_is_read(model: Model) -> Model:
    """Drop the parameters that no function reads, such as the start of a machine."""
    tapes = [model.start.recorded, model.steps.recorded, model.dynamics.recorded]
    tapes += [model.jacobians.recorded] if model.jacobians is not None else []
    read = set()
    for r in tapes:
        needed = r.needed()
        for value, (text, _) in zip(r.inputs[0], model.given):
            if value.number in needed:
                read.add(text.removeprefix("p->").partition("[")[0])
    parameters = [x for x in model.parameters if x.identifier in read]
    return dataclasses.replace(model, parameters=parameters)


def check_method(method: Method) -> None:
    """Raise `UsageError` for a method that chooses its step sizes."""
    if has_own_steps(method) or has_any_times(method):
        raise UsageError(
            f"{method.name} chooses the sizes of its steps, and exported code has steps of h: take "
            "Gauss(stages=4), RK4() or another method with fixed steps"
        )


# -- names -----------------------------------------------------------------------------------------


def named(labels: Any, kind: str, renamed: Renamed, units: Any) -> list[Name]:
    """Return a `Name` for each label, with its identifier and unit."""
    units = units if len(units) == len(labels) else ("",) * len(labels)
    words = identifiers(list(labels), kind, renamed)
    return [Name(label, word, unit) for label, word, unit in zip(labels, words, units)]


def name_multipliers(system: System, count: int, renamed: Renamed) -> list[Name]:
    """Return a `Name` for each multiplier; its label is the name that saved files have."""
    rows, units = tuple(system.constraint_labels), tuple(system.constraint_units)
    if len(rows) != count:
        rows, units = tuple(map(str, range(count))), ()
    words = [
        identifier(f"multiplier_{x}", "constraint", renamed)
        if renamed.of(x) is None
        else f"multiplier_{identifier(x, 'constraint', renamed)}"
        for x in rows
    ]
    check_different(list(rows), words, "constraint")
    units = units if len(units) == len(rows) else ("",) * len(rows)
    names = multiplier_names(rows, count)
    return [Name(label, word, unit) for label, word, unit in zip(names, words, units)]


def name_parameters(
    system: System, shared: Any, renamed: Renamed | None
) -> tuple[list[Name], list[tuple[str, np.ndarray]], list[tuple[str, int]]]:
    """Return the parameters' names, the tables, and the C expression of each packed number.

    Without `renamed`, names are not converted to identifiers.
    """
    specs = {f.name: f.metadata.get(PARAMETER, Spec()) for f in dataclasses.fields(system)}
    found: list[tuple[str, Any, Spec]] = []
    leaves = jax.tree_util.tree_leaves_with_path(shared)
    for path, value in leaves:
        words = [str(getattr(k, "name", getattr(k, "idx", getattr(k, "key", k)))) for k in path]
        label = system.leaf_name(path)
        if label == words[0] and len(words) > 1:  # a field of a nested module
            label = ".".join(words)
        found.append((label, value, specs.get(words[0], Spec()) if len(words) == 1 else Spec()))
    written = [label for label, value, _ in found if label and not isinstance(value, Place)]
    plain = written if renamed is None else identifiers(written, "parameter", renamed)
    words = dict(zip(written, plain))
    names, tables, given = [], [], []
    for label, value, spec in found:
        size = np.size(value)
        if isinstance(value, Place):  # (address, length) of a table
            at = len(tables)
            tables.append((f"table_{at}", np.asarray(value.held, float).ravel()))
            given += [("", at), (str(int(np.ravel(value)[1])), -1)]
        elif not label:  # of a shape: read only if the shape gives the inertia of its body
            given += [(literal(float(x), False), -1) for x in np.ravel(np.asarray(value, float))]
        else:
            word, shape = words[label], np.shape(value)
            unit = "" if spec.unit == "1" else spec.unit
            names.append(Name(label, word, unit, size if shape else 0, np.asarray(value), spec.doc))
            every = [f"p->{word}[{i}]" for i in range(size)] if shape else [f"p->{word}"]
            given += [(x, -1) for x in every]
    return names, tables, given


# -- programs --------------------------------------------------------------------------------------


class _Programs:
    """Records the exported functions on tapes."""

    def __init__(self, plan: Plan, shared: Any, inputs: int, h: float | None) -> None:
        self.plan, self.shared, self.h = plan, shared, h
        nothing = jax.tree.map(lambda _: None, shared)
        self.own = Own(nothing, np.zeros(inputs))

    def _record(self, f: Callable[..., Any], rest: Any) -> tuple[Recorded, Any]:
        """Record f(parameters, h, own, rest); also return the indices of the numbers in `rest`."""
        example = Layout(self.shared).example()
        if self.h is None:
            given = (example, np.zeros(()))

            def called(given: Any, own: Own, rest: Any) -> Any:
                return f(*given, own, rest)
        else:
            given, h = (example,), np.float64(self.h)

            def called(given: Any, own: Own, rest: Any) -> Any:
                return f(given[0], jnp.asarray(h), own, rest)

        found = recorded(trace(called, given, Layout(self.own).example(), rest), memory=True)
        return found, places(Layout(rest))

    def _program(self, f: Callable[..., Any], rest: Any) -> TapedFunction:
        found, at = self._record(f, rest)
        return TapedFunction(found, at, places(found.results))

    def _system(self, shared: Any, own: Own) -> Any:
        system = eqx.combine(shared, self.plan.static)
        if not own.u.size or not hasattr(system, CONTROL):
            return system
        return eqx.tree_at(
            lambda s: getattr(s, CONTROL).value, system, own.u, is_leaf=lambda x: x is None
        )

    def _point(self) -> Any:
        row = self.plan.state.example().row
        return np.zeros(()), row.q, row.v

    def steps(self) -> tuple[Steps, Any]:
        """Return the step, and the indices of its state."""
        plan = self.plan

        def step(shared: Any, h: Any, own: Own, held: Held) -> tuple[Held, Any]:
            # C returns at the first failure, so result is 0 here; good steps are not counted.
            row = held.state.row
            row = row._replace(result=jnp.zeros((), row.result.dtype))
            held = held._replace(state=held.state._replace(row=row), good=jnp.zeros(()))
            found = stepped(plan, shared, own, h, held, look=False)
            row = found.state.row
            row = row._replace(result=jnp.zeros_like(row.result))
            return found, looked_at(self._system(shared, own), row).result

        tape, at = self._record(step, held_layout(plan).example())
        state = at.state
        steps = Steps(
            tape,
            k=int(state.k),
            residual=int(state.row.residual),
            result=int(state.row.result),
            stopped=int(state.stopped),
            kept=[],
            good=int(at.good),
        ).guarded(NOT_FINITE)
        r = steps.recorded
        *outputs, seen = r.outputs
        # If L is not finite, its derivatives usually are not finite either. Only functions such as
        # log can be NaN with a finite derivative; with these the check of L itself is exported.
        if r.tape.hides(r.tape.needed([seen]) - r.tape.needed(outputs)):
            steps = steps.looking()
        else:
            steps = steps._replace(recorded=r._replace(outputs=outputs))
        return _reduced(steps, at), at

    def start(self) -> TapedFunction:
        """Record (t, q, v) -> the first state, and whether the data were off the constraint."""
        plan = self.plan

        def start(shared: Any, h: Any, own: Own, rest: Any) -> tuple[State, Any]:
            t, q, v = rest
            system = self._system(shared, own)
            state = initial_state(system, plan.method, t, h, q, v)
            found = initial_data.gather(system, t, q, v, state.row)
            return state, initial_data.wrong_data(plan.method, found, project=False)

        return self._program(start, self._point())

    def dynamics(self) -> TapedFunction:
        """Record (t, q, v) -> rates of q (as it is stored) and of v, multipliers, energy."""

        def rates(shared: Any, h: Any, own: Own, rest: Any) -> Any:
            t, q, v = rest
            system = self._system(shared, own)
            solved = dynamics.solved(system, q, v, t)

            def moved(s: Any) -> Any:
                return groupoids.move(system.groupoid, q, s * v)

            rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]
            energy = dynamics.energy(system, q, v, t)
            return rate, solved.acceleration, solved.multipliers, energy

        return self._program(rates, self._point())

    def jacobians(self) -> TapedFunction:
        """Record (t, q, v) -> derivatives of the acceleration by q (along the fibre), v and u."""

        def slopes(shared: Any, h: Any, own: Own, rest: Any) -> Any:
            t, q, v = rest

            def acceleration(move: Any, v: Any, u: Any) -> Any:
                system = self._system(shared, own._replace(u=u))
                x = groupoids.move(system.groupoid, q, move)
                return dynamics.solved(system, x, v, t).acceleration

            at = (jnp.zeros_like(v), v, own.u)
            which = (0, 1, 2) if own.u.size else (0, 1)
            return jax.jacfwd(acceleration, argnums=which)(*at)

        return self._program(slopes, self._point())


def _reduced(steps: Steps, at: Held) -> Steps:
    """Drop outputs that neither the user nor the next step reads, such as counts and momenta."""
    r, row = steps.recorded, at.state.row
    kept = {steps.k, steps.residual, steps.result}
    for x in jax.tree.leaves((row.t, row.q, row.v, row.multiplier, at.state.frame)):
        kept |= set(np.ravel(x).tolist())
    beside = list(r.outputs[len(r.inputs[-1]) :])  # outputs that are not part of the state
    # Numbers of the state that these outputs read from the last step must be outputs as well, and
    # so on, until no more are needed.
    while True:
        needed = r.tape.needed([*(r.outputs[i] for i in kept), *beside])
        more = {i for i, x in enumerate(r.inputs[-1]) if x.number in needed} - kept
        if not more:
            break
        kept |= more
    outputs = [
        x if i in kept or i >= len(r.inputs[-1]) else x.dtype.type(0)
        for i, x in enumerate(r.outputs)
    ]
    return steps._replace(recorded=r._replace(outputs=outputs))
