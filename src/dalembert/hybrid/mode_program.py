"""One mode with one method, compiled: its steps of any size, its guards, the jumps out of it.

Each is compiled once and serves every arc of every run: sizes of steps are numbers of the code.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..compile.engine import cached
from ..compile.fingerprint import CodeKey
from ..compile.layout import Layout
from ..compile.native import Function
from ..dynamics import energy, momentum
from ..errors import UsageError
from ..linalg import OK
from ..methods import Method, Row
from ..running.programs.fixed_step import FixedStepProgram
from ..running.programs.step_kernel import SavedRow
from ..running.request import initial_data
from ..running.request.prepare import Prepared, plan_for
from ..running.request.step import State, has_own_steps, time_at
from ..running.request.validate import check_flag, check_objects, check_parameters
from ..system import Point, System, as_arrays, code_of
from .modes import Transition, guard_value

_MOST = 1 << 16  # steps in one call at most: the rows after an event were for nothing


class Node(NamedTuple):
    """Where a motion stands: a time, a point, a velocity, and what was reconstructed."""

    t: float
    q: Point
    v: Any
    frame: Point | None


class Tried(NamedTuple):
    """A step of some size from a node: the row at its end, the node there, and the guards."""

    row: Row
    node: Node
    guards: np.ndarray

    @property
    def is_good(self) -> bool:
        """Whether the step could be made."""
        return int(self.row.result) == OK


class Marched(NamedTuple):
    """Rows of whole steps; the last one may have failed."""

    k: np.ndarray
    rows: Row
    frames: Point
    guards: np.ndarray  # (rows, guards)

    def node(self, i: int) -> Node:
        """Where a row stands."""
        q, frame = jax.tree.map(lambda x: x[i], (self.rows.q, self.frames))
        return Node(float(self.rows.t[i]), q, self.rows.v[i], frame)


class Leap(NamedTuple):
    """What a transition makes of a node."""

    q: Point
    v: Any
    impulse: Any  # the change of the momentum
    energy_before: Any
    energy_after: Any
    holds: Any  # its condition


class ModeProgram:
    """Steps of one mode."""

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
        self._static, self._watched = static, tuple(x.guard for x in transitions)
        self._parameters = self.plan.parameters.pack_numpy(self.dynamic)
        self._one: FixedStepProgram | None = None
        self._many: FixedStepProgram | None = None
        self.compile_s = 0.0

    @functools.cached_property
    def _guards(self) -> Function:
        with self.compiling():
            code, guards = CodeKey(code_of(self.system)), CodeKey(self._watched)
            return _guards(self._static, Layout(self.dynamic), code, guards)

    @contextlib.contextmanager
    def compiling(self) -> Iterator[None]:
        """What is done here counts as compilation."""
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

    def checked(self, node: Node, project: bool = False) -> Node:
        """The node as this mode starts from it; a `UsageError` says why it cannot."""
        with self.compiling():  # the first time
            state, found = self.plan.start((self.dynamic, node.t, self.h, node.q, node.v))
        check_flag("project", project)
        initial_data.judge(self.system, self.method, found, project)
        if int(state.row.result) != OK:
            raise UsageError(f"{self.system.name()}: no step can be made from there")
        frame = state.frame if node.frame is None else node.frame
        return Node(node.t, state.row.q, np.asarray(state.row.v), frame)

    def _started(self, node: Node, h: float) -> State:
        state, _ = self.plan.start((self.dynamic, node.t, h, node.q, node.v))
        return state._replace(frame=node.frame)

    def row(self, node: Node) -> Row:
        """The row of a node, as a run that starts there has it."""
        return self._started(node, self.h).row

    # -- steps -------------------------------------------------------------------------------

    def tried(self, node: Node, size: float) -> Tried:
        """One step of this size."""
        program = self._one
        if program is None:
            program = self._one = self._program(self._started(node, size), node.t, size, 1)
        program.numbers[program.t0_and_h] = node.t, size
        if self.system.groupoid.group.dim:
            program.set_state(self._started(node, size))
        else:  # nothing is reconstructed, and the state need not be looked into
            program.set_packed_state(self.plan.start_packed(self._packed(node, node.t, size)))
        program.advance(1)
        state = program.state
        # the end of the step is where it was asked to be, not the sum with its round-off
        there = Node(float(state.row.t), state.row.q, np.asarray(state.row.v), state.frame)
        return Tried(state.row, there, self.guards(there))

    def march(self, node: Node, k: int, until: int, budget: int) -> Marched:
        """Whole steps from the node at step k, at most `budget` of them, and none after `until`."""
        state = self._started(node, self.h)._replace(k=np.asarray(k))
        return self._go_on(state, until, budget)

    def march_on(self, until: int, budget: int) -> Marched:
        """Go on from where the last march ended."""
        assert self._many is not None
        return self._go_on(self._many.state, until, budget)

    def _go_on(self, state: State, until: int, budget: int) -> Marched:
        program = self._many
        if program is None:
            program = self._many = self._program(state, self.t0, self.h, self.steps)
        program.set_state(state)
        packed = program.advance(min(budget, until - int(state.k), _MOST))
        kept: SavedRow = program.row_layout.unpack(packed)
        return Marched(kept.k, kept.row, kept.frame, self._values(kept.row))

    @property
    def records(self) -> dict[str, np.ndarray]:
        """From which `march_on` goes on, by name; empty before the first march."""
        return {} if self._many is None else self._many.records()

    def go_on_from(self, records: Mapping[str, np.ndarray]) -> Node:
        """Go on as a run that left these records, maybe to a later end; where it stands."""
        zeros = jax.tree.map(lambda x: np.zeros(x.shape, x.dtype), self.plan.state.example())
        program = self._many = self._program(zeros, self.t0, self.h, self.steps)
        if program.go_on_from(records) is not None:
            raise UsageError("the run that is resumed had a state of another shape")
        program.plan_steps(self.steps)
        state = program.state
        return Node(float(state.row.t), state.row.q, np.asarray(state.row.v), state.frame)

    def time_of(self, k: int) -> float:
        """The time of a step."""
        return float(time_at(self.t0, self.h, k))

    @property
    def engine(self) -> tuple[str, str]:
        """What ran the steps, and why it was not native code."""
        program = self._many or self._one
        return ("", "") if program is None else (program.engine.name, program.engine.reason)

    # -- guards ------------------------------------------------------------------------------

    def guards(self, node: Node) -> np.ndarray:
        """The values of the guards."""
        return self._guards.packed(self._packed(node, node.t))

    def _packed(self, node: Node, *times: float) -> np.ndarray:
        """(parameters, times, q, v) as a vector."""
        q = [np.ravel(x) for x in jax.tree.leaves(node.q)]
        return np.concatenate([self._parameters, times, *q, node.v])

    def _values(self, rows: Row) -> np.ndarray:
        n = len(rows.t)
        shared = self._parameters
        own = [rows.t, *jax.tree.leaves(rows.q), rows.v]
        table = [np.broadcast_to(shared, (n, len(shared)))]
        table += [np.asarray(x, float).reshape(n, -1) for x in own]
        return self._guards.rows(np.concatenate(table, axis=1))


@cached(maxsize=256)
def _guards(
    static: Any, parameters: Layout, code: CodeKey[Any], guards: CodeKey[tuple[Any, ...]]
) -> Function:
    """(parameters, t, q, v) -> the values of all guards."""

    def values(dynamic: Any, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        system = eqx.combine(dynamic, static)
        found = [guard_value(g, system, t, q, v) for g in guards.value]
        return jnp.stack(found) if found else jnp.zeros(0)

    example = eqx.combine(parameters.example(), static)
    q, v = example.groupoid.base.identity(), np.zeros(example.dim)
    try:
        return Function(values, parameters.example(), np.zeros(()), q, v)
    finally:
        code.settle()
        guards.settle()


def leap_of(transition: Transition, source: System, target: System) -> Function:
    """(parameters of both modes, t, q, v) -> `Leap`, compiled."""
    a, b = as_arrays(source), as_arrays(target)
    return _leap(
        CodeKey(transition),
        (a[1], Layout(a[0]), CodeKey(code_of(source))),
        (b[1], Layout(b[0]), CodeKey(code_of(target))),
    )


@cached(maxsize=256)
def _leap(transition: CodeKey[Transition], source: Any, target: Any) -> Function:
    (before_it, before_layout, before_code), (after_it, after_layout, after_code) = source, target

    def leap(ours: Any, theirs: Any, t: jax.Array, q: Point, v: jax.Array) -> Leap:
        before, after = eqx.combine(ours, before_it), eqx.combine(theirs, after_it)
        q1, v1 = transition.value.after(after, t, q, v)
        ok = transition.value.holds(before, t, q, v)
        pushed = momentum(after, q1, v1, t) - momentum(before, q, v, t)
        return Leap(q1, v1, pushed, energy(before, q, v, t), energy(after, q1, v1, t), ok)

    example = eqx.combine(before_layout.example(), before_it)
    q, v = example.groupoid.base.identity(), np.zeros(example.dim)
    try:
        return Function(leap, before_layout.example(), after_layout.example(), np.zeros(()), q, v)
    finally:
        for code in (transition, before_code, after_code):
            code.settle()
