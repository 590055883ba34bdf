"""One turn of a hybrid run as traceable code: a trial step, and the decision that follows.

A run is a loop over turns (`compile.cpu.turn_emit`). Each turn makes one step from the present
node, evaluates the guards at its end, and decides what the next turn tries: the next whole step, a
shorter one towards the zero of a guard (Chandrupatla's method, as in `events.locate`), or
the jump. So members in different phases can run side by side in one vector, by the same code.

The rules are those of `guards` and `hybrid_run`, which explain them. Cases that need a decision (a
step that fails, simultaneous zeros of two guards, a guard that touches zero) are handed back to
`hybrid_run`: the turn leaves the node unchanged, and sets a code.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compile.layout import Layout
from ..dynamics import energy, momentum
from ..events import Event
from ..events.locate import Bracket, ratio
from ..linalg import OK
from ..methods import Row
from ..request import initial_data
from ..request.prepare import Plan
from ..request.step import State, StopRule, initial_state, one_step, time_at
from ..system import Point
from .contact_pace import AGAIN, GROWTH, LEAST, gone, largest_slips, longest_step, spent
from .coulomb import STICKS, ContactGuard
from .guards import AIM, AT_ZERO, DEEP, LADDER, TOGETHER
from .mode_program import BESIDE
from .modes import Transition, guard_value

NEAR = 1e-3  # fraction of a step: after a jump, a grid point nearer than this is skipped
NOW = 1e-9  # fraction of a step: times nearer than this are equal
PROBE = 1.0 / 64.0  # fraction of a step: distance of two values for a rate, as in `events.locate`
_TRIALS = 200  # largest number of trials for a bracketed root
_AGREES = 0.25  # largest error of a parabola, relative to its minimum
_EPS = float(np.finfo(float).eps)
_NO_ROW = Row(*(None,) * len(Row._fields))  # pyright: ignore[reportArgumentType]


class Phase(enum.IntEnum):
    """The purpose of the step of a turn."""

    MARCH = 0  # a whole step, from the carry of the method
    FIRST = 1  # a whole step, with the method started anew from the node
    ENTER = 2  # an arc begins: evaluate the guards at its node
    JUMP = 3  # make the jump, then do as in ENTER
    RUNG = 4  # a short step: sides and rates of the guards
    TO_GRID = 5  # the step that leads back to the grid
    AGAIN = 6  # repeat a whole step without the carry, as the shorter steps to a zero are made
    LOWER = 7  # a shorter step, until the guard has left its zero
    ROOT = 8  # a step towards the zero of a guard
    CHECK = 9  # a slightly longer step: does another guard vanish as well?
    ARRIVE = 10  # the step to the zero of a guard
    AIM = 11  # a short step: does a guard's tangent reach zero within the whole step?
    PART = 12  # a short step towards the grid, while a slip turns too fast for whole steps


class Code(enum.IntEnum):
    """Why a run has stopped turning."""

    GOES_ON = 0
    OVER = 1  # all steps are done
    ARC = 2  # a decision is needed about the next step
    LEAVE = 3  # a decision is needed about the jump
    DIP = 4  # a guard may have vanished twice before the last row
    EVENT = 5  # an event has ended the run
    STOPPED = 6  # the rule `stop_when` holds at the last row


class Kind(enum.IntEnum):
    """The kind of row that a turn has made."""

    NONE = 0
    GRID = 1
    BEFORE = 2  # at the zero of a guard
    AFTER = 3  # after the jump


class GuardGroup(NamedTuple):
    """The transitions out of a mode that share one guard, and so vanish together."""

    guard: Any
    direction: int
    one_sided: bool
    is_event: bool
    transitions: tuple[int, ...]  # their indices in the declaration


def groups_of(
    transitions: Sequence[Transition], mode: str, events: Sequence[int]
) -> tuple[GuardGroup, ...]:
    """Return the distinct guards of a mode, in the order of declaration."""
    found: dict[Any, list[int]] = {}
    for i, x in enumerate(transitions):
        if x.guard is None or not x.ends(mode):
            continue
        key = (x.guard, x.direction, x.one_sided, i in events)
        try:
            found.setdefault(key, []).append(i)
        except TypeError:  # a guard that is not hashable forms its own group
            found[(_Once(x.guard), *key[1:])] = [i]

    def group(key: Any, mine: list[int]) -> GuardGroup:
        guard, direction, one_sided, is_event = key
        guard = guard.guard if isinstance(guard, _Once) else guard
        return GuardGroup(guard, direction, one_sided, is_event, tuple(mine))

    return tuple(group(key, mine) for key, mine in found.items())


class _Once:
    def __init__(self, guard: Any) -> None:
        self.guard = guard


class Given(NamedTuple):
    """The arguments that all members share."""

    t0: Any
    h: Any
    steps: Any
    every: Any  # steps between saved rows; 0 for none
    jumps: Any  # whether rows at jumps are saved
    limit: Any  # largest number of jumps within h
    ends_at: Any  # (events,): which occurrence of each ends the run; 0 for none


class Trail(NamedTuple):
    """The row of the grid before the present one, if whole steps led on from there."""

    t: Any
    q: Point
    v: Any
    frame: Any
    g: Any
    known: Any


class Parts(NamedTuple):
    """What step sizes depend on while slips of two rows turn, see `contact_pace`."""

    beside: Any  # (3 slips,): slip speed, acceleration across the slip and in all, at the node
    largest: Any  # (slips,): largest slip speed so far
    stop: Any  # the time on the grid to which parts of a step lead
    goes_on: Any  # whether a part has ended at the node, so that its carry is a guess
    first: Any  # the longest first part of an arc in which a slip has just begun; else 0


class Search(NamedTuple):
    """A root search in the step size: the zero lies between sizes a and b; c was tried before."""

    guard: Any
    hits: Any  # number of guards that vanish in this step
    a: Any
    b: Any
    c: Any
    fa: Any
    fb: Any
    fc: Any
    best: Any
    f_best: Any
    trials: Any


class TurnState(NamedTuple):
    """The state of a member, and what its next turn tries."""

    phase: Any
    code: Any
    mode: Any
    k: Any  # completed steps of the grid
    t: Any
    q: Point
    v: Any
    frame: Any
    carry: Any  # (numbers,): packed carry of the method
    g: Any  # guards at the node
    rate: Any  # rates of the guards per time; NaN if unknown
    side: Any
    scale: Any  # (modes, guards): largest values so far
    origin: Any  # phase of the step that is being searched
    size: Any  # step size of the next turn
    whole: Any  # size of the step that is being searched
    rung: Any
    fall: Any  # decrease of the guards in a short step
    end: Any  # guards at the end of the step that is being searched
    cleared: Any  # whether the step was searched already
    trail: Trail
    search: Search
    due: Any  # (modes,): next scheduled time in each mode
    jumps: Any
    mark: Any  # when the present count of jumps within h began
    crowd: Any  # the count of jumps since `mark`
    events: Any  # (events,): how often each has happened
    parts: Any = ()  # `Parts` of contacts with friction; () in other systems


class TurnRow(NamedTuple):
    """The content of one row of the buffer."""

    kind: Any
    mode: Any
    k: Any
    group: Any  # the guard that vanishes, for a row before a jump
    transition: Any  # like the fields below, for rows after a jump only
    source: Any
    row: Row  # with as many multipliers as the mode with the most
    frame: Any
    v_before: Any
    impulse: Any
    energies: Any  # (2,): before and after the jump


class _Leap(NamedTuple):
    q: Point
    v: Any
    v_before: Any
    impulse: Any
    energies: Any
    target: Any
    transition: Any
    holds: Any  # number of transitions whose condition holds


class _Made(NamedTuple):
    """A step of the mode: its start, its end, and the guards at both."""

    q0: Point
    v0: Any
    carry0: Any
    row0: Row
    row: Row
    frame: Any
    carry: Any
    g0: Any
    g: Any
    ok: Any
    wrong: Any
    beside0: Any  # numbers beside the guards, at the start and at the end
    beside: Any


class Turns:
    """The turn function of hybrid runs with these modes, one plan per mode."""

    def __init__(
        self,
        names: Sequence[str],
        transitions: Sequence[Transition],
        plans: Sequence[Plan],
        events: Sequence[int],
        stop: StopRule | None = None,
    ) -> None:
        """`events` are the indices of transitions that only note where their guards vanish."""
        self.names, self.transitions, self.plans = tuple(names), transitions, tuple(plans)
        self.stop = stop
        self.groups = [groups_of(transitions, name, events) for name in names]
        # largest number of guards of a mode; others are padded
        self.width = max(1, *map(len, self.groups))
        self.carries = [Layout(x.state.example().carry) for x in plans]
        self.carry_width = max(x.width for x in self.carries)
        self.constraints = max(x.constraints for x in plans)
        filled = [list(x) + [None] * (self.width - len(x)) for x in self.groups]
        self.direction = [np.array([0 if x is None else x.direction for x in y]) for y in filled]
        self.required = [
            np.array([-x.direction if x is not None and x.one_sided else 0 for x in y])
            for y in filled
        ]
        self.is_event = [np.array([x is not None and x.is_event for x in y]) for y in filled]
        # `counted`, for each mode (guards, events): which guard detects which event; one event at
        # least
        self.events = max(1, len(events))
        self.counted = [np.zeros((self.width, self.events), int) for _ in names]
        for counted, groups in zip(self.counted, self.groups):
            for i, group in enumerate(groups):
                counted[i, [events.index(x) for x in group.transitions if x in events]] = 1
        # Methods that carry more than a node: their step is repeated from the node alone before a
        # zero is searched for in it.
        self.restarts = np.array([x.method.traits.carry != "node" for x in plans])
        # With contacts with friction: the guards at which slips of two rows end. `HybridRun`
        # decides what follows a guard of a contact.
        self.beside = self._beside_width()
        self.decides = self.beside is not None
        self.slips = self._slip_guards() if self.decides else []
        self.order = plans[0].method.traits.order

        leaving = [
            [i for i, x in enumerate(transitions) if x.guard is not None and x.ends(m)]
            for m in names
        ]
        # for each mode: the first transition of each group, and the group of each transition, as
        # indices into `Modes.leaving`
        self._first = [
            [mine.index(x.transitions[0]) for x in groups]
            for mine, groups in zip(leaving, self.groups)
        ]
        self._group = [
            [next(j for j, x in enumerate(groups) if i in x.transitions) for i in mine]
            for mine, groups in zip(leaving, self.groups)
        ]

    def _beside_width(self) -> int | None:
        """Return how many numbers a system has beside its guards; None if it has none at all."""
        plan = self.plans[0]
        state = plan.state.example()

        def beside(dynamic: Any, t: Any, q: Point, v: Any) -> Any:
            return getattr(eqx.combine(dynamic, plan.static), BESIDE)(t, q, v)

        if not hasattr(plan.static, BESIDE):
            return None
        given = plan.parameters.example(), state.row.t, state.row.q, state.row.v
        return jax.eval_shape(beside, *given).shape[0]

    def _slip_guards(self) -> list[int]:
        """Return the guards at which slips of two rows end, in the order of their numbers."""
        static: Any = self.plans[0].static
        two = [i for i, x in enumerate(static.contact_plan.groups) if len(x.rows) == 2]
        guards = [x.guard for x in self.groups[0]]
        return [guards.index(ContactGuard(STICKS, i)) for i in two]

    def of_groups(self, mode: int, values: np.ndarray, fill: float) -> np.ndarray:
        """Convert values per transition out of a mode to values per guard group, padded."""
        out = np.full(self.width, fill)
        out[: len(self._first[mode])] = np.asarray(values, float)[self._first[mode]]
        return out

    def of_transitions(self, mode: int, values: np.ndarray) -> np.ndarray:
        """Convert values per guard group to values per transition: the inverse of `of_groups`."""
        return np.asarray(values, float)[self._group[mode]]

    def ends_at(self, events: Iterable[Event]) -> np.ndarray:
        """Return which occurrence of each event ends a run, 0 for none, padded."""
        found = [x.ends_at or 0 for x in events]
        return np.array([*found, *[0] * (self.events - len(found))])

    # -- shapes ------------------------------------------------------------------------------

    def given(self) -> Given:
        """Return an example of the shared arguments."""
        one, whole = np.zeros(()), np.zeros((), int)
        return Given(one, one, whole, whole, whole, whole, np.zeros(self.events, int))

    def own(self) -> tuple[Any, ...]:
        """Return an example of a member's parameters, those of all modes."""
        return tuple(x.parameters.example() for x in self.plans)

    def arc(self) -> TurnState:
        """Return an example of the state of a member."""
        state = self.plans[0].state.example()
        n, one, whole = self.width, np.zeros(()), np.zeros((), int)
        many = np.zeros(n)
        node = state.row.t, state.row.q, state.row.v, state.frame
        return TurnState(
            whole, whole, whole, whole, *node, np.zeros(self.carry_width),
            many, many, many, np.zeros((len(self.plans), n)),
            whole, one, one, whole, many, many, np.zeros((), bool),
            Trail(*node, many, np.zeros((), bool)),
            Search(whole, whole, one, one, one, one, one, one, one, one, whole),
            np.zeros(len(self.plans)), whole, one, whole, np.zeros(self.events, int),
            self.parts(),
        )  # fmt: skip

    def parts(self) -> Any:
        """Return an example of `Parts`, or () if there are none."""
        if self.beside is None:
            return ()
        n = self.beside
        one = np.zeros(())
        return Parts(np.zeros(n), np.zeros(n // 3), one, np.zeros((), bool), one)

    # -- one turn ----------------------------------------------------------------------------

    def turn(self, given: Given, own: Any, arc: TurnState) -> tuple[TurnState, TurnRow]:
        """Return the state after a turn, and its row (`kind` is NONE if there is none)."""
        phase, h = arc.phase, given.h
        jumps = phase == Phase.JUMP
        leap = self._leap(jumps, own, arc)
        begun = jumps | (phase == Phase.ENTER)
        on_grid = (phase == Phase.MARCH) | (phase == Phase.FIRST)
        at = arc._replace(mode=leap.target, q=leap.q, v=leap.v)
        t_from = jnp.where(on_grid, given.t0, arc.t)
        size = jnp.where(on_grid | begun, h, arc.size)
        k_from = jnp.where(on_grid, arc.k, 0)
        fresh = phase != Phase.MARCH
        if self.decides and not self.restarts[0]:
            fresh = fresh & ~((phase == Phase.PART) & arc.parts.goes_on)
        made = self.made(own, at, (t_from, size, k_from), fresh, begun, jumps)

        # All members of a vector execute the same code: so compute the next state for every phase,
        # then select.
        begins = self._begun(given, arc, at, leap, made, jumps)
        rung = self._rung(given, arc, made)
        stepped, accepted = self._stepped(given, arc, made, size, on_grid)
        sought, arrives = self._sought(given, arc, made)
        aimed = self._aimed(arc, made)
        arrived = self._arrived(given, arc, made)

        is_step = on_grid | (phase == Phase.TO_GRID) | (phase == Phase.AGAIN)
        is_search = (phase == Phase.LOWER) | (phase == Phase.ROOT) | (phase == Phase.CHECK)
        is_there = (phase == Phase.ARRIVE) | (is_search & arrives)
        if self.decides:
            parted, last = self._parted(given, arc, made)
            is_part = phase == Phase.PART
            stepped = _chosen(is_part & ~last, parted, stepped)
            accepted = jnp.where(is_part, last, accepted)
            is_step = is_step | is_part
        new = _chosen(is_search, sought, arrived)
        new = _chosen(phase == Phase.AIM, aimed, new)
        new = _chosen(is_there, arrived, new)
        new = _chosen(is_step, stepped, new)
        new = _chosen(phase == Phase.RUNG, rung, new)
        new = _chosen(begun, begins, new)
        if self.decides:
            new = self._paced(given, arc, new, made, is_step & accepted)

        # a jump that was handed back before it was taken has made no row
        entered = jumps & (new.code != Code.LEAVE)
        at_grid = is_step & accepted
        kind = jnp.where(entered, Kind.AFTER, jnp.where(at_grid, Kind.GRID, Kind.NONE))
        before = is_there & (new.code != Code.ARC)
        kind = jnp.where(before, Kind.BEFORE, kind)
        every = jnp.maximum(given.every, 1)
        last = (new.k == given.steps) | (new.code == Code.STOPPED)
        saved = ((given.every > 0) & (new.k % every == 0)) | last
        # rows at events are always saved, because the list of events is made from them
        is_event = before & _of(arc.search.guard, list(_of(arc.mode, self.is_event)))
        wanted = jnp.where(kind == Kind.GRID, saved, (given.jumps != 0) | is_event)
        row = jax.tree.map(lambda a, b: jnp.where(jumps, a, b), made.row0, made.row)
        t = jnp.where(at_grid, new.t, row.t)
        group = arc.search.guard
        return new, TurnRow(
            jnp.where(wanted, kind, Kind.NONE), new.mode, new.k, group, leap.transition, arc.mode,
            row._replace(t=t), new.frame, leap.v_before, leap.impulse, leap.energies,
        )  # fmt: skip

    # -- the jump ----------------------------------------------------------------------------

    # the jump of the guard that was searched for; without a jump, the present state
    def _leap(self, jumps: Any, own: Any, arc: TurnState) -> _Leap:
        none = jnp.zeros_like(arc.v)

        def stay() -> _Leap:
            return _Leap(
                arc.q, arc.v, none, none, jnp.zeros(2), arc.mode,
                jnp.zeros_like(arc.mode), jnp.ones_like(arc.mode),
            )  # fmt: skip

        if self.decides:
            return stay()
        ways: list[Any] = []
        firsts = []
        for i, groups in enumerate(self.groups):
            firsts.append(len(ways))
            ways += [self._way(own, arc, i, x) for x in groups] or [stay]
        at = _of(arc.mode, firsts)
        if len(ways) == 1:
            return lax.cond(jumps, ways[0], stay)
        return lax.cond(jumps, lambda: lax.switch(at + arc.search.guard, ways), stay)

    def _way(self, own: Any, arc: TurnState, i: int, group: GuardGroup) -> Any:
        """Return a `lax.switch` branch: the first transition of a guard of mode i that holds."""

        def way() -> _Leap:
            before = eqx.combine(own[i], self.plans[i].static)
            t, q, v = arc.t, arc.q, arc.v
            if not self.plans[i].method.traits.on_constraint:
                # project onto the constraint: the method's constraint error is not part of the jump
                v = initial_state(before, self.plans[i].method, t, jnp.ones(()), q, v).row.v
            found = None
            for number in reversed(group.transitions):
                one = self.leap(own, before, i, number, (t, q, v))
                holds = one.holds
                if found is not None:
                    one = _chosen(holds > 0, one, found)._replace(holds=holds + found.holds)
                found = one
            assert found is not None
            return found

        return way

    def leap(self, own: Any, before: Any, i: int, number: int, at: Any) -> _Leap:
        t, q, v = at
        transition: Transition = self.transitions[number]
        target = self.names.index(transition.target or self.names[i])
        after = eqx.combine(own[target], self.plans[target].static)
        q1, v1 = transition.after(after, t, q, v)
        pushed = momentum(after, q1, v1, t) - momentum(before, q, v, t)
        energies = jnp.stack([energy(before, q, v, t), energy(after, q1, v1, t)])
        whole = jnp.asarray(1)
        holds = jnp.where(transition.holds(before, t, q, v), whole, 0 * whole)
        return _Leap(q1, v1, v, pushed, energies, target * whole, number * whole, holds)

    # -- the step ----------------------------------------------------------------------------

    def made(
        self, own: Any, at: TurnState, times: Any, fresh: Any, begun: Any, jumped: Any
    ) -> _Made:
        def way(i: int) -> Any:
            return lambda: self._step_of(i, own[i], at, times, fresh, begun, jumped)

        if len(self.plans) == 1:
            return way(0)()
        return lax.switch(at.mode, [way(i) for i in range(len(self.plans))])

    # one step of mode i from `at`; `fresh` starts the method from the node instead of its carry
    def _step_of(
        self, i: int, dynamic: Any, at: TurnState, times: Any, fresh: Any, begun: Any, jumped: Any
    ) -> _Made:
        plan, layout = self.plans[i], self.carries[i]
        system, method = eqx.combine(dynamic, plan.static), plan.method
        t_from, size, k = times

        def start() -> tuple[Any, Row]:
            state = initial_state(system, method, at.t, size, at.q, at.v)
            return state.carry, self._filled(state.row)

        example = plan.state.example()
        row_shape = jax.eval_shape(lambda: self._filled(_zeros(example.row)))

        def go_on() -> tuple[Any, Row]:
            row = _zeros(row_shape)._replace(t=at.t, q=at.q, v=at.v)
            return layout.unpack(at.carry[: layout.width]), row

        carry, row0 = lax.cond(fresh, start, go_on)
        # a step reads nothing of the row before but the record of failures and residuals
        fine = jnp.asarray(OK, row0.result.dtype)
        record = _NO_ROW._replace(residual=jnp.zeros(()), result=fine)
        state = State(k, carry, record, at.frame, jnp.asarray(False))
        new = one_step(system, method, t_from, size, state)
        row = self._filled(new.row)
        ok = (row.result == OK) & (row0.result == OK)

        def guards(t: Any, q: Point, v: Any) -> jax.Array:
            values = [guard_value(x.guard, system, t, q, v) for x in self.groups[i]]
            values += [jnp.ones(())] * (self.width - len(values))
            beside = getattr(system, BESIDE)(t, q, v) if self.decides else jnp.zeros(0)
            return jnp.concatenate([jnp.stack(values), beside])

        def known() -> jax.Array:
            return jnp.concatenate([at.g, at.parts.beside]) if self.decides else at.g

        found0 = lax.cond(begun, lambda: guards(at.t, row0.q, row0.v), known)

        def judged() -> jax.Array:
            found = initial_data.gather(system, at.t, at.q, at.v, row0)
            return initial_data.off_data(found) | (row0.result != OK)

        wrong = lax.cond(jumped, judged, lambda: jnp.asarray(False))
        found = guards(row.t, row.q, row.v)
        carries = [self._packed(layout, x) for x in (carry, new.carry)]
        n = self.width
        return _Made(
            row0.q, row0.v, carries[0], row0, row, new.frame, carries[1], found0[:n], found[:n],
            ok, wrong, found0[n:], found[n:],
        )  # fmt: skip

    def _packed(self, layout: Layout, carry: Any) -> jax.Array:
        packed = layout.pack(carry)
        return jnp.concatenate([packed, jnp.zeros(self.carry_width - layout.width)])

    def _filled(self, row: Row) -> Row:
        """Return the row with multipliers padded to those of the mode that has the most."""
        more = self.constraints - row.multiplier.shape[0]
        return row._replace(
            multiplier=jnp.concatenate([row.multiplier, jnp.full(more, jnp.nan)]),
            result=jnp.asarray(row.result, int),
        )

    # -- what follows ------------------------------------------------------------------------

    def _begun(
        self, given: Given, arc: TurnState, at: TurnState, leap: _Leap, made: _Made, jumped: Any
    ) -> TurnState:
        """Begin an arc, at the node after a jump or at the present node."""
        whole = jnp.asarray(1)
        # more than h since `mark`: a new count of jumps begins
        is_crowded = arc.t - arc.mark > given.h
        crowd = jnp.where(is_crowded, whole, arc.crowd + 1)
        finite = jnp.isfinite(jnp.sum(leap.v)) & _all_finite(leap.q)
        # a jump that needs a decision is handed back to Python before the jump is taken
        bad = (leap.holds != 1) | made.wrong | ~finite | (crowd > given.limit)
        g0, scale = made.g0, _of(at.mode, list(arc.scale))
        unclear = jnp.any(jnp.isnan(g0)) | (made.row0.result != OK)
        scale = jnp.maximum(scale, jnp.abs(g0))
        is_known = jnp.all(scale > jnp.abs(g0))
        seen = jnp.where(made.ok & jnp.isfinite(made.g), jnp.abs(made.g), 0.0)
        scale = jnp.where(is_known, scale, jnp.maximum(scale, seen))
        near = jnp.abs(g0) <= AT_ZERO * scale
        if self.decides:
            near = jnp.where(arc.parts.first > 0.0, g0 == 0.0, near)
        new = arc._replace(
            phase=Phase.RUNG * whole,
            origin=Phase.ENTER * whole,
            code=jnp.where(unclear, Code.ARC, Code.GOES_ON) * whole,
            mode=at.mode,
            q=made.q0,
            v=made.v0,
            carry=made.carry0,
            g=g0,
            rate=jnp.full_like(g0, jnp.nan),
            side=jnp.where(near, 0.0, jnp.sign(g0)),
            scale=_with(arc.scale, at.mode, scale),
            size=LADDER[0] * given.h,
            rung=0 * whole,
            cleared=jnp.asarray(False),
            trail=arc.trail._replace(known=jnp.asarray(False)),
            jumps=arc.jumps + jumped,
            mark=jnp.where(jumped & is_crowded, arc.t, arc.mark),
            crowd=jnp.where(jumped, crowd, arc.crowd),
        )
        return _chosen(jumped & bad, arc._replace(code=Code.LEAVE * whole), new)

    def _rung(self, given: Given, arc: TurnState, made: _Made) -> TurnState:
        """Determine the side of guards that were at zero, by short steps."""
        whole = jnp.asarray(1)
        scale = _of(arc.mode, list(arc.scale))
        least = 64.0 * jnp.maximum(jnp.abs(arc.g), _EPS * scale)
        clear = (arc.side == 0) & (jnp.abs(made.g) > least) & made.ok
        side = jnp.where(clear, jnp.sign(made.g), arc.side)
        rate = jnp.where(made.ok, (made.g - arc.g) / arc.size, jnp.nan)
        rate = jnp.where(arc.rung == 0, rate, arc.rate)
        is_open = jnp.any(side == 0) & (arc.rung < len(LADDER) - 1)
        if self.decides:
            just = arc.parts.first > 0.0
            side, is_open = jnp.where(just, arc.side, side), is_open & ~just
        rung = arc.rung + 1
        required = _of(arc.mode, self.required)
        if self.decides:  # after a decision all guards are on their side, however near to zero
            side = jnp.where(is_open | (side != 0), side, required)
        past = jnp.any((required != 0) & (side == -required))
        # the step to the grid
        k = jnp.floor((arc.t - given.t0) / given.h + NEAR).astype(int) + 1
        k = jnp.minimum(k, given.steps)
        stop = time_at(given.t0, given.h, k)
        size = stop - arc.t
        due = _of(arc.mode, list(arc.due)) < stop + NEAR * given.h
        verdict = past | jnp.any(side == 0) | due
        over = size <= NOW * given.h
        code = jnp.where(verdict, Code.ARC, jnp.where(over, Code.OVER, Code.GOES_ON)) * whole
        begun = Phase.ENTER * whole
        arc = arc._replace(side=side, rate=rate)
        first = arc._replace(
            phase=jnp.where(verdict, begun, Phase.TO_GRID * whole),
            origin=jnp.where(verdict, begun, Phase.TO_GRID * whole),
            size=size,
            whole=size,
            code=code,
            k=jnp.where(verdict | ~over, arc.k, given.steps),
        )
        again = arc._replace(rung=rung, size=_of(rung, [x * given.h for x in LADDER]))
        return _chosen(is_open, again, first)

    def _stepped(
        self, given: Given, arc: TurnState, made: _Made, size: Any, on_grid: Any
    ) -> tuple[TurnState, Any]:
        """Handle a whole step: it is accepted, or searched for a zero."""
        whole = jnp.asarray(1)
        g, g0, side = made.g, arc.g, arc.side
        scale = _of(arc.mode, list(arc.scale))
        direction = _of(arc.mode, self.direction)
        sign = jnp.sign(g)
        wanted = _crossed(side, sign, direction)
        counts = (side != 0) & (direction * side <= 0)
        failed = ~made.ok | jnp.any(jnp.isnan(g))
        crossed = jnp.any(wanted)
        origin = jnp.where(arc.phase == Phase.AGAIN, arc.origin, arc.phase)
        away = jnp.abs(g0) > AT_ZERO * scale
        change = jnp.sign(g0) * arc.rate * size
        aims = (jnp.abs(g0) + AIM * change <= 0.0) & (sign == jnp.sign(g0))
        aims = aims & (jnp.sign(g0) != 0) & counts & away
        aimed = jnp.any(aims) & ~arc.cleared & ~crossed & (arc.phase != Phase.PART)
        # over three rows of the grid |g| is least at the middle one, and perhaps 0 beside that row
        a, b, c = jnp.abs(arc.trail.g), jnp.abs(g0), jnp.abs(g)
        bend = a - 2.0 * b + c
        lowest = b - (c - a) ** 2 / (8.0 * jnp.where(bend > 0, bend, 1.0))
        dips = (b <= a) & (b <= c) & (bend > 0) & (lowest < DEEP * jnp.minimum(a, c))
        dips = dips & counts & (jnp.minimum(a, c) > AT_ZERO * scale) & arc.trail.known
        dipped = jnp.any(dips) & on_grid & ~crossed

        k = jnp.where(on_grid, arc.k + 1, jnp.floor((arc.t - given.t0) / given.h + NEAR) + 1)
        if self.decides:
            ahead = jnp.floor((arc.parts.stop - given.t0) / given.h + 0.5)
            k = jnp.where(arc.phase == Phase.PART, ahead, k)
        k = jnp.minimum(k.astype(int), given.steps)
        due = _of(arc.mode, list(arc.due))
        is_due = k >= jnp.floor((due - given.t0) / given.h - NEAR)
        code = jnp.where(is_due, Code.ARC, Code.GOES_ON)
        if self.stop is not None:
            t = time_at(given.t0, given.h, k)
            stops = jnp.reshape(jnp.asarray(self.stop(t, made.row.q, made.row.v), bool), ())
            code = jnp.where(stops, Code.STOPPED, code)
        code = jnp.where(k >= given.steps, Code.OVER, code)
        here = (arc.t, arc.q, arc.v, arc.frame, g0)
        taken = arc._replace(
            phase=jnp.where(on_grid, Phase.MARCH, Phase.FIRST) * whole,
            origin=jnp.where(on_grid, Phase.MARCH, Phase.FIRST) * whole,
            code=code * whole,
            k=k,
            t=time_at(given.t0, given.h, k),
            q=made.row.q,
            v=made.row.v,
            frame=made.frame,
            carry=made.carry,
            g=g,
            rate=(g - g0) / size,
            side=jnp.where((side == 0) | (sign == 0), side, sign),
            scale=_with(arc.scale, arc.mode, jnp.maximum(scale, jnp.abs(g))),
            cleared=jnp.asarray(False),
            trail=Trail(*here, on_grid),
        )
        # which guard vanishes first, by linear interpolation
        estimate = jnp.where(wanted & away, g0 / (g0 - g), jnp.where(wanted, 2.0, 3.0))
        which, best = 0 * whole, estimate[0]
        for j in range(1, self.width):
            which = jnp.where(estimate[j] < best, j, which)
            best = jnp.minimum(best, estimate[j])
        f0, f = _of(which, list(g0)), _of(which, list(g))
        left = (jnp.sign(f0) != _of(which, list(side))) | ~_of(which, list(away))
        # first trial: a parabola through the row before, or with the rate there, if it is known
        before, rate = _of(which, list(arc.trail.g)), _of(which, list(arc.rate))
        mean, y, flip = (f - f0) / size, jnp.abs(f0), jnp.sign(f0)
        bend = jnp.where(
            arc.trail.known & on_grid,
            (mean - (f0 - before) / given.h) / (size + given.h),
            (mean - rate) / size,
        )
        slope = flip * (mean - bend * size)
        square = slope**2 - 4.0 * flip * bend * y
        curved = ratio(2.0 * y, jnp.sqrt(jnp.maximum(square, 0.0)) - slope)
        inside = (square >= 0.0) & (curved > 0.0) & (curved < size)
        # With contacts the parabola is not used: a run that is resumed does not know the row
        # before, and would try another step.
        if self.decides:
            inside = jnp.asarray(False)
        root = jnp.where(inside, curved, size * f0 / (f0 - f))
        zero = jnp.zeros(())
        hits = jnp.sum(wanted)
        search = Search(which, hits, size, zero, zero, f, f0, f0, size, f, 0 * whole)
        searched = arc._replace(
            phase=jnp.where(left, Phase.LOWER, Phase.ROOT) * whole,
            origin=origin,
            size=jnp.where(left, 0.5 * size, root),
            whole=size,
            search=search,
        )
        restarts = (arc.phase == Phase.MARCH) & _of(arc.mode, list(self.restarts))
        again = arc._replace(phase=Phase.AGAIN * whole, origin=arc.phase, size=size)
        looked = arc._replace(
            phase=Phase.AIM * whole, origin=arc.phase, size=PROBE * size, whole=size,
            rung=0 * whole, end=g,
        )  # fmt: skip
        back = arc._replace(code=Code.ARC * whole, phase=origin)
        missed = (arc.phase == Phase.AGAIN) & ~crossed
        verdict = failed | (crossed & (f == 0.0) & ~restarts) | missed
        new = _chosen(crossed, _chosen(restarts, again, searched), taken)
        new = _chosen(dipped, arc._replace(code=Code.DIP * whole), new)
        new = _chosen(aimed, looked, new)
        new = _chosen(verdict, back, new)
        if self.decides:  # a whole step may fail where a slip is small
            k = jnp.floor((arc.t - given.t0) / given.h + NEAR).astype(int) + 1
            stop = jnp.where(on_grid, time_at(given.t0, given.h, arc.k + 1), arc.t + size)
            stop = jnp.where(arc.phase == Phase.TO_GRID, time_at(given.t0, given.h, k), stop)
            halves = arc._replace(
                phase=Phase.PART * whole,
                origin=Phase.PART * whole,
                size=0.5 * size,
                parts=arc.parts._replace(stop=stop, goes_on=jnp.asarray(False)),
            )
            new = _chosen(failed & (arc.phase != Phase.AGAIN), halves, new)
        return new, ~(verdict | crossed | aimed | dipped)

    def _parted(self, given: Given, arc: TurnState, made: _Made) -> tuple[TurnState, Any]:
        """Handle a part of a step; return whether it is the last one, and leads to the grid.

        A part that fails, or leads across a guard, is repeated with half of its size. Once the part
        is short, the guard's zero is searched for in it.
        """
        whole, size = jnp.asarray(1), arc.size
        g, g0 = made.g, arc.g
        sign, direction = jnp.sign(g), _of(arc.mode, self.direction)
        good = made.ok & ~jnp.any(jnp.isnan(g))
        wanted = _crossed(arc.side, sign, direction) & good
        crosses = jnp.any(wanted)
        mine = np.isin(np.arange(self.width), self.slips)
        # A slip that begins turns much faster than its speed changes. A part as long as the pace
        # may then lead across the slip's guard although shorter parts do not.
        pace = longest_step(arc.parts.beside, arc.parts.largest, given.h, self.order)
        known = (size == pace) & ~jnp.any(wanted & mine)
        short = crosses & ((size <= AGAIN * given.h) | known)
        last = good & ~crosses & (size >= arc.parts.stop - arc.t)
        over = ~made.ok & spent(arc.parts.beside, arc.parts.largest)[0]
        over = over | (0.5 * size < LEAST * given.h)
        halved = arc._replace(size=0.5 * size, code=jnp.where(over, Code.ARC, Code.GOES_ON) * whole)
        estimate = jnp.where(wanted, jnp.abs(g0) / (jnp.abs(g0) + jnp.abs(g) + 1e-300), 2.0)
        which, best = 0 * whole, estimate[0]
        for j in range(1, self.width):
            which = jnp.where(estimate[j] < best, j, which)
            best = jnp.minimum(best, estimate[j])
        f0, f = _of(which, list(g0)), _of(which, list(g))
        zero = jnp.zeros(())
        clear = (jnp.sign(f0) == _of(which, list(arc.side))) & (f != 0.0)
        searched = arc._replace(
            phase=Phase.ROOT * whole,
            origin=Phase.PART * whole,
            size=size * f0 / jnp.where(f0 == f, 1.0, f0 - f),
            whole=size,
            search=Search(which, jnp.sum(wanted), size, zero, zero, f, f0, f0, size, f, 0 * whole),
            code=jnp.where(clear, Code.GOES_ON, Code.ARC) * whole,
        )
        scale = _of(arc.mode, list(arc.scale))
        moved = _at_row(arc, made)._replace(
            size=GROWTH * size,
            carry=made.carry,
            side=jnp.where((arc.side == 0) | (sign == 0), arc.side, sign),
            scale=_with(arc.scale, arc.mode, jnp.maximum(scale, jnp.abs(g))),
            trail=arc.trail._replace(known=jnp.asarray(False)),
            parts=arc.parts._replace(goes_on=jnp.asarray(True)),
        )
        return _chosen(good & ~crosses, moved, _chosen(short, searched, halved)), last

    def _paced(
        self, given: Given, arc: TurnState, new: TurnState, made: _Made, accepted: Any
    ) -> TurnState:
        """Choose the size of the next step at a node that was reached, by how fast slips turn."""
        whole, h = jnp.asarray(1), given.h
        begun = arc.phase == Phase.ENTER
        parted = (arc.phase == Phase.PART) & (new.t != arc.t)
        reached = (accepted | parted) & (new.code == Code.GOES_ON)
        beside = jnp.where(begun, made.beside0, arc.parts.beside)
        beside = jnp.where(accepted | parted, made.beside, beside)
        largest = jnp.where(
            begun | accepted | parted, largest_slips(beside, arc.parts.largest), arc.parts.largest
        )
        pace = longest_step(beside, largest, h, self.order)
        # how far it is to the grid, from a node where a step to the grid or a whole step begins
        ready = (arc.phase == Phase.RUNG) & (new.phase == Phase.TO_GRID)
        ready = ready & (new.code == Code.GOES_ON)
        k = jnp.where(ready, jnp.floor((new.t - given.t0) / h + NEAR).astype(int), new.k)
        stop = jnp.where(parted & ~accepted, new.parts.stop, time_at(given.t0, h, k + 1))
        left = stop - new.t
        first = new.parts.first
        slow = (reached | ready) & (parted & ~accepted | (pace < left) | (first > 0.0))
        pace = jnp.where(first > 0.0, jnp.minimum(first, pace), pace)
        size = jnp.minimum(jnp.where(parted & ~accepted, new.size, left), pace)
        size = jnp.where((size > 0.6 * left) & (pace >= left), left, jnp.minimum(size, left))
        parts = new.parts._replace(beside=beside, largest=largest)
        paced = new._replace(
            phase=Phase.PART * whole,
            origin=Phase.PART * whole,
            size=size,
            parts=parts._replace(
                stop=stop, goes_on=parts.goes_on & parted & ~accepted, first=jnp.zeros(())
            ),
        )
        new = _chosen(slow, paced, new._replace(parts=parts))
        if not self.slips:
            return new
        # a slip that has turned and is about to vanish is followed to its end at once
        ends, which, time = gone(beside, largest)
        arrives = new._replace(
            phase=Phase.ARRIVE * whole,
            size=time,
            search=new.search._replace(guard=_of(which, self.slips), hits=whole),
        )
        return _chosen(slow & ends, arrives, new)

    def _aimed(self, arc: TurnState, made: _Made) -> TurnState:
        """Accept a step in which a guard's tangent reaches zero but the guard clearly does not.

        These are the first tests of `events.locate.arrival`; in other cases the step is handed
        back.
        """
        whole = jnp.asarray(1)
        g0 = arc.g
        sign, y = jnp.sign(g0), jnp.abs(g0)
        direction = _of(arc.mode, self.direction)
        scale = _of(arc.mode, list(arc.scale))
        fell = sign * (g0 - made.g)
        first = arc._replace(rung=whole, fall=fell, size=0.5 * arc.size)
        probe, half = 2.0 * arc.size, fell
        rate = 2.0 * half / probe
        straight = (arc.fall > 0.0) & (arc.fall <= 0.5 * y)
        straight = straight & (jnp.abs(arc.fall - 2.0 * half) <= 0.5 * arc.fall)
        value = sign * arc.end
        zero = AT_ZERO * scale
        beyond = (y > rate * arc.whole) & (value > zero)
        follows = y - value >= 0.5 * rate * arc.whole
        # Also accept if the guard slows down: a parabola through the short steps remains above zero
        # and agrees with the end of the whole step. If the guard had turned at zero in between, the
        # parabola could not agree.
        bend = 4.0 * (2.0 * half - arc.fall) / probe**2
        slope = arc.fall / probe + 0.5 * bend * probe
        there = y - slope * arc.whole + 0.5 * bend * arc.whole**2
        turns = (bend > 0.0) & (slope > 0.0) & (slope < bend * arc.whole)
        lowest = y - 0.5 * slope**2 / jnp.where(turns, bend, 1.0)
        least = jnp.where(turns, lowest, jnp.minimum(y, there))
        smooth = (least > zero) & (jnp.abs(value - there) <= _AGREES * least)
        counts = (arc.side != 0) & (direction * arc.side <= 0) & (sign != 0) & (y > zero)
        aims = counts & (y + AIM * sign * arc.rate * arc.whole <= 0.0)
        aims = aims & (jnp.sign(arc.end) == sign)
        fine = jnp.all(~aims | (straight & beyond & follows) | smooth) & made.ok
        passed = arc._replace(
            phase=arc.origin,
            size=arc.whole,
            cleared=fine,
            code=jnp.where(fine, Code.GOES_ON, Code.ARC) * whole,
        )
        return _chosen(arc.rung == 0, first, passed)

    def _sought(self, given: Given, arc: TurnState, made: _Made) -> tuple[TurnState, Any]:
        """Choose a shorter step towards a guard's zero; return whether this step has arrived."""
        whole = jnp.asarray(1)
        s, x = arc.search, arc.size
        f = _of(s.guard, list(made.g))
        side = _of(s.guard, list(arc.side))
        failed = ~made.ok | ~jnp.isfinite(f)
        # if the guard was at its zero when the step began, shorten the step until it is on its side
        on_side = jnp.sign(f) == side
        inside = s._replace(b=x, c=x, fb=f, fc=f)
        found = arc._replace(
            phase=Phase.ROOT * whole,
            search=inside,
            size=x + (s.a - x) * f / jnp.where(f == s.fa, 1.0, f - s.fa),
        )
        lower = arc._replace(search=s._replace(a=x, fa=f, best=x, f_best=f), size=0.5 * x)
        too_low = 0.5 * x < arc.whole * LADDER[0]
        lowered = _chosen(on_side, found, lower)
        lost = ~on_side & too_low

        # Chandrupatla's method
        bracket = Bracket(s.a, s.b, s.c, s.fa, s.fb, s.fc).narrowed(x, f)
        share, least = bracket.trial(arc.whole)
        trials = s.trials + 1
        nearer = jnp.abs(f) < jnp.abs(s.f_best)
        best, f_best = jnp.where(nearer, x, s.best), jnp.where(nearer, f, s.f_best)
        over = ~(least <= 0.5) | (f == 0.0) | (trials > _TRIALS)
        alone = s.hits <= 1
        search = Search(s.guard, s.hits, *bracket, best, f_best, trials)
        beyond = jnp.where(alone, best, best + TOGETHER * given.h)
        after = jnp.where(alone, Phase.ARRIVE, Phase.CHECK) * whole
        turned = arc._replace(
            search=search,
            phase=jnp.where(over, after, arc.phase),
            size=jnp.where(over, beyond, bracket.a + share * (bracket.b - bracket.a)),
        )
        # if another guard has vanished there as well, a decision is needed
        direction = _of(arc.mode, self.direction)
        others = _crossed(arc.side, jnp.sign(made.g), direction)
        others = others & (jnp.arange(self.width) != s.guard)
        checked = arc._replace(phase=Phase.ARRIVE * whole, size=s.best)
        if self.decides:  # contacts whose guards vanish together are decided together
            checked = checked._replace(end=jnp.where(others, 1.0, 0.0))
            others = jnp.zeros_like(others)

        is_root, is_lower = arc.phase == Phase.ROOT, arc.phase == Phase.LOWER
        new = _chosen(is_root, turned, _chosen(is_lower, lowered, checked))
        back = failed | (is_lower & lost) | ((arc.phase == Phase.CHECK) & jnp.any(others))
        new = _chosen(back, arc._replace(code=Code.ARC * whole, phase=arc.origin), new)
        return new, is_root & over & alone & (nearer | (x == s.best)) & ~back

    def _arrived(self, given: Given, arc: TurnState, made: _Made) -> TurnState:
        """Stop at the zero of a guard: next comes the jump, or after an event the next arc."""
        whole = jnp.asarray(1)
        is_event = _of(arc.search.guard, list(_of(arc.mode, self.is_event)))
        counted = _of(arc.search.guard, list(_of(arc.mode, self.counted)))
        counts = arc.events + counted
        stops = is_event & jnp.any((counted > 0) & (counts == given.ends_at))
        goes_on = Code.LEAVE if self.decides else Code.GOES_ON
        arrived = _at_row(arc, made)._replace(
            phase=jnp.where(is_event, Phase.ENTER, Phase.JUMP) * whole,
            origin=jnp.where(is_event, Phase.ENTER, Phase.JUMP) * whole,
            code=jnp.where(stops, Code.EVENT, jnp.where(is_event, Code.GOES_ON, goes_on)) * whole,
            events=counts,
        )
        back = arc._replace(code=Code.ARC * whole, phase=arc.origin)
        return _chosen(made.ok, arrived, back)


# -- helpers ---------------------------------------------------------------------------------------


def _of(which: Any, table: Sequence[Any]) -> Any:
    """Return table[which] by comparisons, because the table is short."""
    found = jnp.asarray(table[-1])
    for i in reversed(range(len(table) - 1)):
        found = jnp.where(which == i, jnp.asarray(table[i]), found)
    return found


def _with(table: Any, which: Any, row: Any) -> Any:
    """Return the table with row `which` replaced."""
    mine = (jnp.arange(table.shape[0]) == which)[:, None]
    return jnp.where(mine, row[None], table)


def _chosen(which: Any, yes: Any, no: Any) -> Any:
    return jax.tree.map(lambda a, b: b if a is b else jnp.where(which, a, b), yes, no)


def _at_row(arc: TurnState, made: _Made) -> TurnState:
    """Return the state moved to the end of the step that was made, with the guards there."""
    row = made.row
    return arc._replace(t=row.t, q=row.q, v=row.v, frame=made.frame, g=made.g)


def _crossed(before: Any, after: Any, direction: Any) -> Any:
    return (before != 0) & (after != before) & ((direction == 0) | (direction == -before))


def _all_finite(tree: Any) -> Any:
    return jnp.isfinite(sum(jnp.sum(x) for x in jax.tree.leaves(tree)))


def _zeros(tree: Any) -> Any:
    return jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), tree)
