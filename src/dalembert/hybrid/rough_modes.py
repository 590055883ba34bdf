"""`with_friction`: hybrid modes of a system whose contacts stick, slide and lift.

A mode is the state of every contact. Modes are added during the run, when they first occur. When a
guard ends a mode, the states of all contacts are decided together: closed contacts push, sticking
ones lie in their friction cone, sliding ones are pushed back, and open ones do not approach. If no
set of states is consistent, or several are (Painleve), the run ends with the candidates.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from ..compile.layout import Layout
from ..errors import UsageError
from ..inputs import driven, holding
from ..parts import Machine
from ..system import Point, System, overrides
from .contact_decision import STILL, Decider, First, facing, has_turned, opened, replaced
from .contact_facts import ContactCode, Where, all_open, everything
from .contact_law import (
    ContactLaw,
    ContactPlan,
    ContactState,
    plan_of_laws,
    plan_of_machine,
    state_named,
)
from .contact_steps import ContactGuards
from .coulomb import (
    LANDS,
    LIFTS,
    SINGULAR,
    SLIPS,
    STICKS,
    ContactGuard,
    guards_of,
    in_state,
    numbers_of,
    rough,
)
from .mode_program import ModeProgram
from .modes import ANY, Modes, Transition

_CONTACTS = "contacts "  # prefix of the names in `standing`
_OF_MODE = ("toward", "soft", "awake")  # fields of `coulomb.STATE` not in the name of a mode
_REST_SPEED = 1e-3  # m/s: default of `rest_speed`


class Decision(NamedTuple):
    """How a run continues: mode, system and velocity; `transition` None: in the same mode."""

    transition: Transition | None
    mode: str
    system: System
    q: Point
    v: np.ndarray
    impulse: np.ndarray
    energy_before: float
    energy_after: float


def with_friction(
    system: System,
    *laws: ContactLaw,
    rest_speed: float = _REST_SPEED,
    redundant: bool = False,
    name: str = "",
) -> RoughModes:
    """Return the modes of a system with dry friction: contacts stick exactly, slide, lift and land.

        ball = parts.build(
            parts.Body("ball", 2.0, shape=da.scene.sphere(0.1)),
            parts.Free("ball", start=(0, 0, 0.1), speed=(3.0, 0, 0, 0, 0, 0)),
            parts.Ball("ball", 0.1, mu=0.2),
            parts.Gravity(9.81),
        )
        run = da.simulate(hybrid.with_friction(ball), h=0.01, t=3.0)
        [(jump.t, jump.target) for jump in run.jumps]  # slides for 2 v/(7 mu g), then rolls

    The contacts of a machine are those that have a `mu`; those of another system are given by
    `laws`. All modes share one compiled program; nothing is compiled when the mode changes. A run
    begins in the mode of its initial data. By default a machine starts from `start` and `speed` of
    its joints as given: a contact with a slip velocity slides, and one above its surface falls.

    Args:
        rest_speed: in m/s; a contact that would rebound slower stays closed, so that bounces do not
            accumulate.
        redundant: whether rows of `laws` may be linearly dependent, as they are if there are more
            rows than velocities (for a machine this is known). The loads are then those of least
            stored energy, on supports of equal stiffness.
    """
    if not isinstance(system, System):
        raise UsageError(f"with_friction takes a system or a machine, got {system!r}")
    if not (isinstance(rest_speed, (int, float)) and rest_speed > 0.0):
        raise UsageError(f"rest_speed must be a positive speed in m/s, got {rest_speed!r}")
    for law in laws:
        if not isinstance(law, ContactLaw):
            raise UsageError(f"with_friction takes contacts, hybrid.ContactLaw(...), got {law!r}")
    if laws:
        plan = plan_of_laws(system, laws, redundant)
        made = rough(system, plan, tuple(laws))
    elif isinstance(system, Machine):
        plan = plan_of_machine(system)
        made = rough(system, plan, None)
    else:
        raise UsageError(
            f"{system.name()} is not a machine of parts: describe its contacts, "
            "with_friction(system, hybrid.ContactLaw(...))"
        )
    modes = RoughModes(made, float(rest_speed), name or system.name())
    modes.source = (system, laws, redundant)
    return modes


class RoughModes(Modes):
    """Modes that are states of contacts; `names` has those that have occurred."""

    decides = True
    one_program = True
    source: Any = None  # (system, laws, redundant)
    _code: ContactCode | None = None

    def __init__(
        self, system: Any, rest_speed: float, name: str, states: Sequence[ContactState] = ()
    ) -> None:
        self.rough, self.rest_speed = system, rest_speed
        self.plan: ContactPlan = system.contact_plan
        self.states: dict[str, ContactState] = {}
        self.begins: dict[str, First] = {}  # see `ContactGuards`
        self.largest: dict[int, float] = {}
        transitions = [
            Transition(ANY, None, x, -1, name=_title(x, self.plan)) for x in guards_of(self.plan)
        ]
        every = tuple(states) or (everything(self.plan),)
        systems = {x.name(self.plan): in_state(system, x) for x in every}
        self.states |= {x.name(self.plan): x for x in every}
        super().__init__(systems, transitions, name=name)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out compiled code: another process compiles its own."""
        return {k: x for k, x in self.__dict__.items() if k != "_code"}

    # -- interface of `Modes` ------------------------------------------------------------------

    def fresh(self) -> RoughModes:
        """Return a copy for one run, which adds modes as they occur."""
        if self._code is None or not self._code.is_current:
            self._code = ContactCode(self.rough)
        return self._like(())

    def met(self, names: tuple[str, ...]) -> RoughModes:
        found = [state_named(self.plan, name) for name in names]
        return self._like([x for x in found if x is not None])

    def met_with(self, names: Iterable[str], last: ContactState) -> RoughModes:
        """Return the modes of these names, the last of them with the state `last`."""
        found = [state_named(self.plan, x) for x in names]
        name = last.name(self.plan)
        made = self._like([x for x in found if x is not None])
        made._add(last) if name in made.states else made._like([*made.states.values(), last])
        made.transitions = self.transitions
        return made

    def standing(self) -> dict[str, np.ndarray]:
        """Return all contact states as arrays, with first moves and largest speeds of slips."""
        found = {}
        for name, state in self.states.items():
            numbers = numbers_of(state, self.plan)
            found |= {f"{_CONTACTS}{x} {name}": numbers[x] for x in _OF_MODE}
        largest = [self.largest.get(g, np.nan) for g in range(len(self.plan.groups))]
        found[f"{_CONTACTS}largest"] = np.array(largest)
        for first in self.begins.values():
            leaves = [np.ravel(x) for x in jax.tree.leaves(first)]
            found[f"{_CONTACTS}begins"] = np.concatenate(leaves).astype(float)
        return found

    def resumed(self, names: tuple[str, ...], standing: Mapping[str, np.ndarray]) -> RoughModes:
        if f"{_CONTACTS}largest" not in standing:
            raise UsageError(
                "the run was saved by a version that could not resume contacts with friction"
            )
        states = []
        for name in names:
            state = state_named(self.plan, name)
            if state is None:
                raise UsageError(f"the run has the mode '{name}', which these contacts do not have")
            toward, soft, awake = (standing[f"{_CONTACTS}{x} {name}"] for x in _OF_MODE)
            pairs = [tuple((float(a), float(b)) for a, b in x) for x in (toward, soft)]
            states.append(
                dataclasses.replace(state, toward=pairs[0], soft=pairs[1], rests=not float(awake))
            )
        made = self._like(states)
        largest = np.asarray(standing[f"{_CONTACTS}largest"])
        made.largest.update({g: float(x) for g, x in enumerate(largest) if not np.isnan(x)})
        begins = standing.get(f"{_CONTACTS}begins")
        if begins is not None:
            q = self.rough.groupoid.base.identity()
            layout = Layout(First(0.0, q, np.zeros(self.rough.dim)))
            begins = np.asarray(begins)  # without the size in files of earlier versions
            made.begins["slip"] = layout.unpack(np.append(begins, 0.0)[: layout.width])
        return made

    def _like(self, states: Sequence[ContactState]) -> RoughModes:
        made = RoughModes(self.rough, self.rest_speed, self.name, states)
        made.source, made.transitions = self.source, self.transitions
        made._code = self._code
        return made

    def with_transitions(self, more: Iterable[Transition]) -> RoughModes:
        made, more = self._like(tuple(self.states.values())), tuple(more)
        made.transitions = (*made.transitions, *more)
        for transition in more:
            made._check(transition)
        return made

    def guards_of(self, stepper: ModeProgram, mode: str) -> ContactGuards:
        found = ContactGuards(stepper, self.leaving(mode))
        found.begins, found.largest = self.begins, self.largest
        return found

    def system(self, mode: str) -> System:
        if mode not in self.systems and isinstance(mode, str):
            state = state_named(self.plan, mode)
            if state is not None:
                self._add(state)
        return super().system(mode)

    def contacts_in(self, mode: str) -> dict[str, str]:
        state = state_named(self.plan, mode)
        return {} if state is None else state.by_contact(self.plan)

    def with_parameters(self, **values: Any) -> RoughModes:
        """Return the modes of the system with other parameter values."""
        system, laws, redundant = self.source
        made = with_friction(
            system.with_parameters(**values), *laws, redundant=redundant, name=self.name
        )
        made.rest_speed, made.transitions = self.rest_speed, self.transitions
        if made.plan == self.plan:
            made._code = self.decider.code.of(made.rough)
        return made

    def driven(self, u: Any) -> RoughModes:
        """Return the modes with a control, whose force enters loads and friction cones."""
        system, laws, redundant = self.source
        made = with_friction(driven(system, u), *laws, redundant=redundant, name=self.name)
        made.rest_speed = self.rest_speed
        return made

    def hold(self, u: np.ndarray) -> None:
        self.rough = holding(self.rough, u)
        self._code = self.decider.code.of(self.rough)
        super().hold(u)

    def sensitivities(self, q0: Any, v0: Any, *, mode: str | None = None, **options: Any) -> Any:
        """Run `contact_derivatives.sensitivities`, for `da.sensitivities(modes, ...)`."""
        from .contact_derivatives import sensitivities

        return sensitivities(self, mode, q0, v0, **options)

    def started(self, mode: str | None, q0: Any, v0: Any, t0: float) -> tuple[str, Any, Any]:
        """Return (mode, q0, v0) of a run: the mode follows from the initial data."""
        if q0 is None and v0 is None:
            q0, v0 = self._start(float(t0))
        if q0 is None or v0 is None:
            raise UsageError("give both q0 and v0, or neither")
        if mode is not None:
            self.system(mode)
        state = self.state_at(mode, q0, v0, float(t0))
        name = state.name(self.plan)
        only = self.names if self.states.keys() != {name} else ()
        self._add(state)
        for other in only:
            if other != name:
                self._remove(other)
        return name, q0, v0

    def state_at(self, mode: str | None, q0: Any, v0: Any, t0: float) -> ContactState:
        """Return the state of all contacts for initial data; it must be that of `mode`, if any."""
        q = self.rough.groupoid.base.check(q0, "q0")
        v, where = np.asarray(v0, dtype=float), self._where(float(t0), q)
        asked = None if mode is None else state_named(self.plan, mode)
        state = self.decider.at_start(where, v, asked)
        name = state.name(self.plan)
        if not self.decider.code.is_warm:  # compile now, not when a mode ends
            where.ahead(state, where.held(state, v), 0.0)
            where.measured(state, v)
            where.mechanics(state, v)
        if mode is not None and name != mode:
            raise UsageError(f"the run would start in a wrong mode: '{mode}', and it is '{name}'")
        return state

    def decided(
        self, mode: str, candidates: Sequence[Transition], t: float, q: Point, v: Any, h: float
    ) -> Decision | None:
        """Return how a run continues after these guards, or None if none belongs to a contact."""
        mine = [x for x in candidates if isinstance(x.guard, ContactGuard)]
        if not mine:
            return None
        old, v = self.states[mode], np.asarray(v, dtype=float)
        state, after, fixed, hits = old, v, set[int](), []
        where, decider = self._where(t, q), self.decider
        for guard in (x.guard for x in mine):
            assert isinstance(guard, ContactGuard)
            i = guard.index
            if guard.kind == SINGULAR:
                decider.refuse(where, state, v, "Coulomb's law has no unique solution from here on")
            elif guard.kind == LIFTS:
                state = opened(state, i, self.plan)
            elif guard.kind == LANDS:
                hits.append(i)
            elif guard.kind == SLIPS:
                fixed.add(i)
            else:
                here = where.facts(state, v)
                if has_turned(here, self.plan, i, h):
                    state = facing(state, here, self.plan)
                else:
                    state = replaced(state, "sticks", i, True)
        if fixed and self.plan.redundant:
            state = decider.shared(where, state, v)
            full = decider.full(where, state, v)
            if not full:  # with another split of the reactions all groups hold
                self._add(state)
                return Decision(None, mode, self.systems[mode], q, v, 0.0 * v, 0.0, 0.0)
            fixed |= full
        if any(x.guard.kind == STICKS for x in mine):  # pyright: ignore
            state = decider.stopped_with_them(where, old, state, v, h)
        if state == old and not hits and not fixed:
            raise AssertionError("a guard of contacts that changes nothing")
        same = dataclasses.replace(state, toward=old.toward) == old and not hits and not fixed
        if same:  # a slip that has turned: the mode is unchanged
            self._add(state)
            return Decision(None, mode, self.systems[mode], q, v, 0.0 * v, 0.0, 0.0)
        if hits:
            state, after = decider.landed(where, state, after, hits)
        found = decider.settled(where, state, after, fixed, h)
        state, after = found.state, found.v
        self.begins.clear()
        if found.first is not None:
            self.begins["slip"] = found.first
        self._add(state)
        name = state.name(self.plan)
        p, E = where.measured(old, v)
        p1, E1 = where.measured(state, after)
        return Decision(mine[0], name, self.systems[name], q, after, p1 - p, E, E1)

    # -- inside ------------------------------------------------------------------------------

    @property
    def decider(self) -> Decider:
        """The object that decides the states of all contacts together."""
        if self._code is None:
            self._code = ContactCode(self.rough)
        return Decider(self._code, self.rest_speed, bool(self.rough.laws))

    def _where(self, t: float, q: Point) -> Where:
        return Where(self.decider.code, t, q)

    def _start(self, t: float) -> tuple[Point, Any]:
        """Return the initial data of the system; contacts may slide, other constraints hold."""
        if not isinstance(self.rough, Machine) or overrides(self.rough, "initial", Machine):
            return self.rough.initial()
        q, v = self.rough.start_with_slip()
        return q, _followed(self, self._where(t, q), np.asarray(v, dtype=float))

    def _check(self, transition: Transition) -> None:
        if not isinstance(transition.guard, ContactGuard):  # an event of a user
            super()._check(transition)

    def _add(self, state: ContactState) -> None:
        name = state.name(self.plan)
        self.states[name], self.systems[name] = state, in_state(self.rough, state)
        self.names = tuple(self.systems)

    def _remove(self, name: str) -> None:
        del self.states[name], self.systems[name]
        self.names = tuple(self.systems)


def _title(guard: ContactGuard, plan: ContactPlan) -> str:
    if guard.kind == SINGULAR:
        return f"Coulomb's law {SINGULAR}"
    if guard.kind in (LANDS, LIFTS):
        return f"{plan.contacts[guard.index]} {guard.kind}"
    return plan.groups[guard.index].ends(guard.kind == STICKS)


def _followed(modes: RoughModes, where: Where, v: np.ndarray) -> np.ndarray:
    """Return v with nonzero speeds as given, and zero speeds adjusted to the constraints.

    The constraints are all but the contacts with friction.
    """
    here = where.mechanics(all_open(modes.plan), v)
    at = here.on > 0.0
    A, off = here.rows[at], here.rows[at] @ v - here.offset[at]
    scale = np.abs(A) @ np.abs(v) + np.abs(here.offset[at])
    if np.all(np.abs(off) <= STILL * scale):
        return v
    free, found = v == 0.0, v.copy()
    raised = np.linalg.solve(here.G[np.ix_(free, free)], A[:, free].T)
    found[free] -= raised @ np.linalg.lstsq(A[:, free] @ raised, off, rcond=1e-10)[0]
    left = np.abs(A @ found - here.offset[at])
    if np.all(left <= 1e-9 * (np.abs(A) @ np.abs(found) + np.abs(here.offset[at]))):
        return found
    told = ", ".join(f"{n} = {x:g}" for n, x in zip(modes.rough.layout.velocity_names, v) if x)
    raise UsageError(
        "the speeds at the start violate constraints other than contacts with friction: with "
        f"{told}, the residual is {np.max(left):.3g} whatever the other speeds are; set some of "
        "these to 0, and they are computed"
    )


__all__ = ["Decision", "RoughModes", "with_friction"]
