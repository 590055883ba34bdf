"""Hybrid runs by native code: compiled turns of one member or of many, and their states.

`arc_turn` defines a turn, and `compile.cpu.turn_emit` loops over turns. This module packs the state
of a `HybridRun` into the vector of numbers that the loop takes, and unpacks the rows that it makes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import jax
import numpy as np

from ..compile.cache.code_key import CodeKey
from ..compile.cache.registry import cached
from ..compile.cpu.kernels import TurnKernel
from ..compile.cpu.turn_emit import TurnTape
from ..compile.engine import Engine, chosen_engine
from ..compile.ir.record import Traced, recorded, trace
from ..compile.ir.tape import Unsupported
from ..compile.layout import Layout
from ..errors import Reason, UsageError
from ..request.prepare import Plan
from ..request.step import StopRule
from ..running.programs.step_kernel import places
from .arc_turn import Code, Given, Kind, Phase, Search, Trail, TurnRow, Turns, TurnState
from .mode_program import ModeProgram, Node
from .modes import ANY, Modes, Transition

if TYPE_CHECKING:
    from ..compile.gpu.ptx import GpuTurns

    AnyKernel: TypeAlias = TurnKernel | GpuTurns

_BYTES = 1 << 22  # bytes of the row buffer of a single run
_ENTERS = 8  # turns at the beginning of an arc, until the sides of all guards are known


class _Code(NamedTuple):
    """A cache key of the code of turns, with all that this code depends on."""

    names: tuple[str, ...]
    transitions: CodeKey[tuple[Transition, ...]]
    events: tuple[int, ...]
    stop: CodeKey[StopRule | None]
    plans: tuple[Plan, ...]

    @property
    def is_compared(self) -> bool:
        """Whether the key can equal another one."""
        return all(x.is_compared for x in (self.transitions, self.stop, *self.plans))

    def settle(self) -> None:
        for x in (self.transitions, self.stop, *self.plans):
            x.settle()


class ArcCode:
    """The compiled turns of some modes with their methods, and the layouts of their numbers."""

    def __init__(
        self,
        modes: Modes,
        steppers: Mapping[str, ModeProgram],
        events: Sequence[int],
        asked: str | None,
        many: bool = False,
        stop: StopRule | None = None,
    ) -> None:
        names = (ANY,) if modes.one_program else modes.names
        plans = tuple(steppers[x].plan for x in modes.names[: len(names)])
        transitions = CodeKey(tuple(modes.transitions))
        rule = CodeKey(stop)
        known = _Code(names, transitions, tuple(events), rule, plans)
        self.kernel: AnyKernel | None
        if many and asked == "gpu":
            self.engine, self.kernel = Engine("gpu"), _on_gpu(gpu_device(), known)
        else:
            self.engine, self.kernel = chosen_engine(asked, lambda: _kernel(many, known))
        reasons = (*(x.reason for x in plans), transitions.reason, rule.reason)
        self.engine: Engine = self.engine.noting(*reasons)
        self.turns = _turns(known)
        self.one_program = modes.one_program
        self.given, self.own = Layout(self.turns.given()), Layout(self.turns.own())
        self.arc, self.row = Layout(self.turns.arc()), _row_layout(known)

    def packed_own(self, steppers: Mapping[str, ModeProgram]) -> np.ndarray:
        """Return the parameters of all modes as one vector."""
        own = [x.parameters for x in steppers.values()]
        return own[0] if self.one_program else np.concatenate(own)

    def rows(self, packed: np.ndarray) -> TurnRow:
        """Unpack rows of the buffer."""
        return self.row.unpack(packed)


def turns_of(modes: Modes, plans: Sequence[Plan], events: tuple[int, ...]) -> Turns:
    """Return the turn function of these modes, not compiled."""
    transitions = CodeKey(tuple(modes.transitions))
    return _turns(_Code(modes.names, transitions, events, CodeKey(None), tuple(plans)))


@cached(maxsize=64)
def _turns(code: _Code) -> Turns:
    return Turns(code.names, code.transitions.value, code.plans, code.events, code.stop.value)


# the jaxpr of the turn function; the cache keys are settled even if tracing fails
@cached(maxsize=2)  # large, and needed only until the code is compiled
def _traced(code: _Code) -> Traced:
    turns = _turns(code)
    try:
        return trace(turns.turn, turns.given(), turns.own(), turns.arc())
    finally:
        code.settle()


@cached(maxsize=64)
def _row_layout(code: _Code) -> Layout:
    turns, state = _turns(code), code.plans[0].state.example()
    whole, v = np.zeros((), int), np.zeros(state.row.v.shape)
    row = state.row._replace(multiplier=np.zeros(turns.constraints), result=whole)
    return Layout(
        TurnRow(whole, whole, whole, whole, whole, whole, row, state.frame, v, v, np.zeros(2))
    )


@cached(maxsize=64)
def _kernel(many: bool, code: _Code) -> TurnKernel | Reason:
    read = code.transitions.value, code.names, code.events, code.stop.value
    keys = [x.lasting_key(*read) for x in code.plans]
    if all(keys):
        name = " ".join(str(x) for x in keys)
    else:  # a user's code is identified by its trace
        name = _traced(code).digest(str(code.names), str(code.events))
    try:
        return TurnKernel(lambda: tape_of(code), many, name, _turns(code).decides)
    except Unsupported as error:
        return Reason(str(error))


@cached(maxsize=16)
def _on_gpu(device: Any, code: _Code) -> AnyKernel:
    from ..compile.gpu.ptx import gpu_turns

    try:
        return gpu_turns(tape_of(code, memory=False), device)
    except Unsupported as error:
        raise UsageError(f"engine='gpu' cannot run this: {error}; leave engine= out") from error


def gpu_device() -> Any:
    """Return the GPU that JAX finds."""
    try:
        return jax.devices("gpu")[0]
    except RuntimeError as error:
        raise UsageError("engine='gpu' needs a GPU that JAX finds; leave engine= out") from error


def tape_of(code: _Code, memory: bool = True) -> TurnTape:
    """Record the turn on a tape; `memory` keeps large arrays as arrays. May raise `Unsupported`."""
    found = recorded(_traced(code), memory)
    arc, row = places(Layout(_turns(code).arc())), places(_row_layout(code))
    return TurnTape(found, int(arc.code), int(row.kind)).guarded(Code.ARC)


class ArcProgram:
    """One member, from its present state; a program for `running.driver.drive`."""

    def __init__(self, code: ArcCode, given: Given, own: np.ndarray) -> None:
        assert code.kernel is not None
        self._code, self._kernel, self.turns = code, code.kernel, code.turns
        self.given = given
        # a row before a jump, which is returned together with the row after the jump
        self._held: TurnRow | None = None
        self._own = len(own)
        # if the code is for vectors of members, this member fills one entry of the vector, and
        # copies of it that have stopped fill the others
        self._table = np.zeros((len(own) + code.arc.width, code.kernel.width))
        self._table[: len(own)] = own[:, None]
        self._capacity = max(_BYTES // (8 * code.kernel.row_width), 64)

    @property
    def arc(self) -> TurnState:
        """The state of the member."""
        return self._code.arc.unpack(self._table[self._own :, 0].copy())

    @arc.setter
    def arc(self, arc: TurnState) -> None:
        self._table[self._own :, 0] = self._code.arc.pack_numpy(arc)
        stopped = arc._replace(code=np.asarray(int(Code.OVER)))
        self._table[self._own :, 1:] = self._code.arc.pack_numpy(stopped)[:, None]

    @property
    def done(self) -> int:
        """The number of steps done so far."""
        return int(self.arc.k)

    @property
    def is_over(self) -> bool:
        """Whether the member has stopped: no further turn is made."""
        return int(self.arc.code) != Code.GOES_ON

    def advance(self, budget: int) -> TurnRow:
        """Return at most about `budget` rows; the two rows at a jump come together."""
        shape = (self._kernel.width, min(budget, self._capacity), self._kernel.row_width)
        rows = np.empty(shape)
        count = self._call(rows, 16 * budget)
        found = self._code.rows(rows[0, :count])
        if self._held is not None:
            found = jax.tree.map(lambda *x: np.concatenate(x), self._held, found)
            self._held = None
        if len(found.k) and found.kind[-1] == Kind.BEFORE and not self.is_over:
            self._held = jax.tree.map(lambda x: x[-1:], found)
            found = jax.tree.map(lambda x: x[:-1], found)
        return found

    def adopt(self, own: np.ndarray) -> None:
        """Continue with other parameters, of a mode that shares this program."""
        self._table[: self._own] = own[:, None]

    def _call(self, rows: np.ndarray, turns: int) -> int:
        shared = self._code.given.pack_numpy(self.given)
        return int(self._kernel(shared, self._table, rows, turns)[0])

    def enters(self) -> bool:
        """Return whether a few turns from the beginning of an arc find every guard on its side."""
        row, arc = np.empty((self._kernel.width, 1, self._kernel.row_width)), self.arc
        for _ in range(_ENTERS):
            if int(arc.origin) != Phase.ENTER or int(arc.code) != Code.GOES_ON:
                break
            self._call(row, 1)
            arc = self.arc
        begun = int(arc.origin) in (Phase.TO_GRID, Phase.PART)
        return begun and int(arc.code) in (Code.GOES_ON, Code.OVER)

    def _parts(self, largest: Mapping[int, float], first: float) -> Any:
        """Return `arc_turn.Parts`, from the largest slips so far and the first short step."""
        found = self.turns.parts()
        if not self.turns.decides:
            return found
        sizes = np.array([largest.get(i, 0.0) for i in range(len(found.largest))])
        return found._replace(largest=sizes, first=np.asarray(first))

    def carry(self, arc: TurnState) -> Any:
        """Return the carry of the method."""
        layout = self.turns.carries[int(arc.mode)]
        return layout.unpack(arc.carry[: layout.width])

    def leaving(self, arc: TurnState) -> tuple[int, ...]:
        """Return the indices of the transitions whose guard vanishes at the present node."""
        groups, first = self.turns.groups[int(arc.mode)], int(arc.search.guard)
        found = groups[first].transitions
        if self.turns.decides and int(arc.search.hits) > 1:
            found += tuple(i for j in np.flatnonzero(arc.end) for i in groups[j].transitions)
        return tuple(sorted(found))

    def events_at(self, rows: TurnRow, i: int) -> tuple[int, ...]:
        """Return the indices of the events of a row before a jump."""
        group = self.turns.groups[int(rows.mode[i])][int(rows.group[i])]
        return group.transitions if group.is_event else ()

    def standing_at(
        self,
        mode: int,
        k: int,
        node: Node,
        phase: Phase,
        guards: Mapping[str, np.ndarray],
        scale: np.ndarray,
        due: np.ndarray,
        carry: Any = None,
        trail: tuple[Node, np.ndarray] | None = None,
        events: Sequence[int] = (),
        largest: Mapping[int, float] | None = None,
        first: float = 0.0,
    ) -> TurnState:
        """Return the state of a member at a node, about to execute `phase`.

        `guards` are `g`, `rate` and `side` of the guards of its mode, by groups.
        """
        example = self._code.arc.zeros()
        frame = node.frame
        here = (np.asarray(node.t), node.q, np.asarray(node.v), frame)
        packed = np.zeros(self.turns.carry_width)
        if carry is not None:
            numbers = self.turns.carries[mode].pack_numpy(carry)
            packed[: len(numbers)] = numbers
        if trail is not None:
            past, g = trail
            before = Trail(np.asarray(past.t), past.q, np.asarray(past.v), past.frame, g, np.True_)
        else:
            before = Trail(*here, guards["g"], np.False_)
        return example._replace(
            phase=np.asarray(int(phase)),
            origin=np.asarray(int(phase)),
            mode=np.asarray(mode),
            k=np.asarray(k),
            t=here[0],
            q=node.q,
            v=here[2],
            frame=frame,
            carry=packed,
            scale=scale,
            trail=before,
            search=Search(*(x * 0 for x in example.search)),
            due=due,
            mark=np.asarray(-np.inf),
            events=np.asarray([*events, *[0] * (self.turns.events - len(events))]),
            parts=self._parts(largest or {}, first),
            **{name: guards[name] for name in ("g", "rate", "side")},
        )
