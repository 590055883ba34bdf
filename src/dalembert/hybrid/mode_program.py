"""One mode with one method, compiled: its steps of any size, its guards, the jumps out of it.

Steps, guards and jumps are compiled once for all arcs of all runs, because step sizes are arguments
of the code.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.cache.code_key import CodeKey
from ..compile.engine import Engine
from ..compile.function import Evaluator, evaluator
from ..dynamics import energy, momentum
from ..errors import UsageError
from ..linalg import OK
from ..methods import Method, Row
from ..request import initial_data
from ..request.prepare import Prepared, plan_for
from ..request.step import State, has_own_steps, time_at
from ..request.validate import check_flag, check_objects, check_parameters
from ..running.programs.fixed_step import FixedStepProgram, named_records
from ..running.programs.step_kernel import SavedRow, places
from ..system import Point, System, as_arrays, variant
from .modes import Transition, guard_value

_ROUND_OFF = 1e-13  # relative to |A| |v| before a jump
_NONE = np.zeros(0)
BESIDE = "beside_guards"  # a method (t, q, v) of systems whose step size depends on the motion
_MOST = 1 << 16  # largest number of steps in one call: rows after an event are discarded


class Node(NamedTuple):
    """A state of the motion: time, point, velocity, and the reconstructed group element."""

    t: float
    q: Point
    v: Any
    frame: Point | None


class Tried(NamedTuple):
    """A trial step from a node: the row at its end, the node there, and the guards."""

    row: Row
    node: Node
    guards: np.ndarray
    carry: np.ndarray | None = None  # packed numbers from which the method guesses the next step
    beside: np.ndarray = _NONE  # see `ModeProgram.beside`

    @property
    def is_good(self) -> bool:
        """Whether the step succeeded."""
        return int(self.row.result) == OK


class Marched(NamedTuple):
    """Rows of whole steps; the last one may have failed."""

    k: np.ndarray
    rows: Row
    frames: Point
    guards: np.ndarray  # (rows, guards)
    beside: np.ndarray = _NONE  # (rows, numbers), see `ModeProgram.beside`

    def node(self, i: int) -> Node:
        """Return the node of row i."""
        q, frame = jax.tree.map(lambda x: x[i], (self.rows.q, self.frames))
        return Node(float(self.rows.t[i]), q, self.rows.v[i], frame)


class Leap(NamedTuple):
    """The result of a transition at a node."""

    q: Point
    v: Any
    impulse: Any  # change of the momentum
    energy_before: Any
    energy_after: Any
    holds: Any  # whether the condition `when` of the transition holds


class ModeProgram:
    """The compiled steps and guards of one mode."""

    def __init__(
        self,
        system: System,
        method: Method,
        transitions: Sequence[Transition],
        t0: float,
        h: float,
        steps: int,
        engine: str | None,
    ) -> None:
        check_objects(system, method)
        self.system, self.method = system, method
        if has_own_steps(method):
            raise UsageError(
                f"{method.name}: a hybrid run takes steps of one size; take {method.name}'s base, "
                "such as Gauss(3)"
            )
        self.dynamic, static = as_arrays(system)
        check_parameters(system, self.dynamic)
        self.plan = plan_for(system, method, self.dynamic, static)
        self.t0, self.h, self.steps, self.engine_asked = t0, h, steps, engine
        # whether a group element is reconstructed; the groupoid of a machine takes long to make
        self.is_reduced = bool(system.groupoid.group.dim)
        self._static, self._watched = static, tuple(x.guard for x in transitions)
        self.parameters = self.plan.parameters.pack_numpy(self.dynamic)
        self._evaluator: Evaluator[Any] | None = None
        self._one: FixedStepProgram | None = None
        self._many: FixedStepProgram | None = None
        self._stood: State | None = None  # state reached by native turns, for `march_on`
        self.arcs: Engine | None = None  # the engine of the turns of the run, with the reason
        self.compile_s = 0.0

    def adopt(self, system: System) -> None:
        """Continue with other parameter values of the same system."""
        changed = _changed_numbers(self.system, system)
        if changed is None:
            self.dynamic = as_arrays(system)[0]
        else:  # `as_arrays` walks over all fields, which for a machine takes milliseconds
            self.dynamic = variant(self.dynamic, type(self.dynamic), **changed)
        self.system = system
        self.parameters = self.plan.parameters.pack_numpy(self.dynamic)
        for program in (self._one, self._many):
            if program is not None:
                program.numbers[program.parameters] = self.parameters
        if self._evaluator is not None:
            self._evaluator = self._evaluator.of(self.dynamic)

    def of(self, system: System) -> ModeProgram:
        """Return the program of a mode that differs in numbers only; it has the same code."""
        made = copy.copy(self)
        made._one = made._many = made._stood = None
        made.compile_s = 0.0
        made.adopt(system)
        return made

    @property
    def _guards(self) -> Evaluator[Any]:
        if self._evaluator is None:
            guards = CodeKey(self._watched)
            with self.compiling():
                self._evaluator = evaluator(_guards, (self.system,), _like(self.system), guards)
        return self._evaluator

    @contextlib.contextmanager
    def compiling(self) -> Iterator[None]:
        """Count the time spent in this block as compilation."""
        begin = time.perf_counter()
        yield
        self.compile_s += time.perf_counter() - begin

    def _program(self, state: State, t0: float, h: float, steps: int) -> FixedStepProgram:
        given = Prepared(self.system, self.method, self.plan, self.dynamic, h, t0, state)
        program = FixedStepProgram(given, steps, rows=steps, engine=self.engine_asked)
        with self.compiling():
            _ = program.compiled
        return program

    # -- the start ---------------------------------------------------------------------------

    def checked(self, node: Node, project: bool = False, speed: float = 0.0) -> Node:
        """Return the node as this mode starts from it; raise `UsageError` if it cannot.

        `speed` is the speed before a jump. The constraint may be violated by round-off of this
        speed, because after a jump to rest v itself is only round-off.
        """
        with self.compiling():  # the first call compiles
            state, result = self.plan.start((self.dynamic, node.t, self.h, node.q, node.v))
        check_flag("project", project)
        sizes = np.linalg.norm(np.asarray(result.mu), axis=1) * speed
        near = np.all(np.abs(result.residual) <= _ROUND_OFF * sizes)
        on = np.all(np.abs(result.holonomic) <= result.holonomic_size)
        project = project or bool(near and on)
        initial_data.judge(self.system, self.method, result, project)
        if int(state.row.result) != OK:
            raise UsageError(f"{self.system.name()}: no step is possible from there")
        frame = state.frame if node.frame is None else node.frame
        return Node(node.t, state.row.q, np.asarray(state.row.v), frame)

    def _started(self, node: Node, h: float) -> State:
        state, _ = self.plan.start((self.dynamic, node.t, h, node.q, node.v))
        return state._replace(frame=node.frame)

    def row(self, node: Node) -> Row:
        """Return the row of a node, as in a run that starts there."""
        return self._started(node, self.h).row

    # -- steps -------------------------------------------------------------------------------

    def tried(self, node: Node, size: float, carry: Any = None) -> Tried:
        """Take one step of this size from a node.

        `carry` is that of the step which has ended at the node, if any. Its guess makes longer
        steps converge, and does not change their result.
        """
        program = self._one
        if program is None:
            program = self._one = self._program(self._started(node, size), node.t, size, 1)
        program.numbers[program.t0_and_h] = node.t, size
        if self.is_reduced:
            program.set_state(self._started(node, size))
        else:  # nothing is reconstructed, so that the packed state is used without unpacking
            packed = self.plan.start_packed(
                np.concatenate([self.parameters, self._packed(node, node.t, size)])
            )
            if carry is not None:
                packed = packed.copy()
                packed[self._carry] = carry
            program.set_packed_state(packed)
        program.advance(1)
        state = program.state
        # use the requested end time, not the sum with its round-off
        there = Node(float(state.row.t), state.row.q, np.asarray(state.row.v), state.frame)
        values, beside = self._both(there)
        more = program.packed_state[self._carry] if self._carry is not None else None
        return Tried(state.row, there, values, more, beside)

    @functools.cached_property
    def _carry(self) -> slice | None:
        """Return where the packed state has the carry, if the method guesses steps from it."""
        if self.method.traits.carry != "node" or self.is_reduced:
            return None
        lines = np.concatenate(
            [np.zeros(0, int), *map(np.ravel, jax.tree.leaves(places(self.plan.state).carry))]
        )
        return slice(int(lines[0]), int(lines[-1]) + 1) if len(lines) else None

    def march(self, node: Node, k: int, until: int, budget: int) -> Marched:
        """Take whole steps from the node at step k: at most `budget`, and none after `until`."""
        state = self._started(node, self.h)._replace(k=np.asarray(k))
        return self._go_on(state, until, budget)

    def march_on(self, until: int, budget: int) -> Marched:
        """Continue where the last march ended."""
        return self._go_on(self.state, until, budget)

    @property
    def state(self) -> State:
        """The state where the last march ended."""
        if self._stood is not None:
            return self._stood
        assert self._many is not None
        return self._many.state

    def stand(self, node: Node, k: int, carry: Any) -> None:
        """Set the state of the march to this node at step k, with the carry of the method."""
        state = self.plan.state.zeros()
        row = state.row._replace(t=np.asarray(node.t), q=node.q, v=np.asarray(node.v))
        self._stood = state._replace(k=np.asarray(k), carry=carry, row=row, frame=node.frame)

    def _go_on(self, state: State, until: int, budget: int) -> Marched:
        program = self._many
        if program is None:
            program = self._many = self._program(state, self.t0, self.h, self.steps)
        program.set_state(state)
        self._stood = None
        packed = program.advance(min(budget, until - int(state.k), _MOST))
        kept: SavedRow = program.row_layout.unpack(packed)
        n, row = len(self._watched), kept.row
        every = self._guards.at_rows(len(row.t), row.t, row.q, row.v)
        return Marched(kept.k, row, kept.frame, every[:, :n], every[:, n:])

    @property
    def records(self) -> dict[str, np.ndarray]:
        """The state from which `march_on` continues, by name; empty before the first march."""
        if self._stood is not None:
            times = (self.t0, self.h, 1, self.steps)
            return named_records(self._stood, times, self.parameters)
        return {} if self._many is None else self._many.records()

    def go_on_from(self, records: Mapping[str, np.ndarray]) -> Node:
        """Continue a run that left these records, possibly to a later end; return its node."""
        zeros = jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), self.plan.state.example())
        program = self._many = self._program(zeros, self.t0, self.h, self.steps)
        if program.go_on_from(records) is not None:
            raise UsageError("the run that is resumed had a state of another shape")
        program.plan_steps(self.steps)
        state = program.state
        return Node(float(state.row.t), state.row.q, np.asarray(state.row.v), state.frame)

    def time_of(self, k: int) -> float:
        """Return the time of step k."""
        return float(time_at(self.t0, self.h, k))

    @property
    def engine(self) -> tuple[str, str]:
        """The engine that ran the steps, and why it was not native code."""
        program, arcs = self._many or self._one, self.arcs
        if arcs is not None and arcs.name == "native":
            return arcs
        if program is None:
            return "", ""
        name, reason = program.engine
        if arcs is not None and name == "native":
            reason = "; ".join(filter(None, (reason, f"jumps by Python: {arcs.reason}")))
        return name, reason

    # -- guards ------------------------------------------------------------------------------

    def guards(self, node: Node) -> np.ndarray:
        """Return the values of the guards at a node."""
        return self._both(node)[0]

    def beside(self, node: Node) -> np.ndarray:
        """Return the numbers, computed with the guards, that the step size depends on."""
        return self._both(node)[1]

    def _both(self, node: Node) -> tuple[np.ndarray, np.ndarray]:
        result, n = self._guards.packed(self._packed(node, node.t)), len(self._watched)
        return result[:n], result[n:]

    def _packed(self, node: Node, *times: float) -> np.ndarray:
        """Return (times, q, v) as a vector."""
        return np.concatenate([times, *map(np.ravel, jax.tree.leaves(node.q)), node.v])

    def values(self, rows: Row) -> np.ndarray:
        """Return the values of the guards at rows."""
        result = self._guards.at_rows(len(rows.t), rows.t, rows.q, rows.v)
        return result[:, : len(self._watched)]


def _changed_numbers(old: System, new: System) -> dict[str, np.ndarray] | None:
    """Return the fields that differ, if they are arrays of numbers in both; else None."""
    if type(old) is not type(new):
        return None
    changed = {}
    for f in dataclasses.fields(old):
        a, b = getattr(old, f.name), getattr(new, f.name)
        if a is b:
            continue
        arrays = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        if not arrays or a.shape != b.shape or not a.dtype == b.dtype == float:
            return None
        changed[f.name] = b
    return changed


def _like(system: System) -> tuple[Any, Point, np.ndarray]:
    """Return the shapes of (t, q, v)."""
    return np.zeros(()), jax.eval_shape(system.groupoid.base.identity), np.zeros(system.dim)


def _guards(system: System, t: Any, q: Point, v: Any, guards: CodeKey[tuple[Any, ...]]) -> Any:
    """Return the values of all guards, and of `beside`."""
    value = [guard_value(g, system, t, q, v) for g in guards.value]
    values = jnp.stack(value) if value else jnp.zeros(0)
    beside = getattr(system, BESIDE, None)
    return values if beside is None else jnp.concatenate([values, beside(t, q, v)])


def leap_of(transition: Transition, source: System, target: System) -> Evaluator[Leap]:
    """Return the compiled function (t, q, v) -> `Leap` of a transition."""
    return evaluator(_leap, (source, target), _like(source), CodeKey(transition))


def _leap(
    before: System, after: System, t: Any, q: Point, v: Any, transition: CodeKey[Transition]
) -> Leap:
    q1, v1 = transition.value.after(after, t, q, v)
    ok = transition.value.holds(before, t, q, v)
    pushed = momentum(after, q1, v1, t) - momentum(before, q, v, t)
    return Leap(q1, v1, pushed, energy(before, q, v, t), energy(after, q1, v1, t), ok)
