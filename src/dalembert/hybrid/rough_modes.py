"""`with_friction`: hybrid modes of a system whose contacts stick, slide and lift.

A mode is the state of every contact. Modes are added during the run, when they first occur. When a
guard ends a mode, the states of all contacts are decided together: closed contacts push, sticking
ones lie in their friction cone, sliding ones are pushed back, and open ones do not approach. If no
set of states is consistent, or several are (Painleve), the run ends with the candidates.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..compile.function import compiled_rows
from ..errors import SimulationError, UsageError
from ..inputs import driven, holding
from ..linalg import row_rank
from ..parts import Machine
from ..system import Point, System, overrides
from .contact_law import (
    ContactLaw,
    ContactPlan,
    ContactState,
    plan_of_laws,
    plan_of_machine,
    state_named,
)
from .coulomb import (
    LANDS,
    LIFTS,
    SINGULAR,
    SLIPS,
    STICKS,
    ContactGuard,
    Contacts,
    cone,
    contacts_at,
    in_state,
    rough,
)
from .impacts import Struck, struck
from .modes import ANY, Modes, Transition

_SMALL = 1e-9  # relative to the loads: a condition violated by less holds
_TOUCHES = 1e-9  # m, and relative to the largest coordinate: a smaller gap is closed
_STILL = 1e-11  # relative to the speeds summed in a row: a smaller rate is zero
_TURNED = 1e-3  # of a step: a slip farther from zero has turned, and has not vanished
_TOGETHER = 1e-6  # of a step: slips that vanish within it vanish together
_MOST = 4  # largest number of contacts whose sets are enumerated
_REST_SPEED = 1e-3  # m/s: default of `rest_speed`
_TRACE = 1e-8  # of the slip that friction makes in a step: initial slip of groups of two rows
_NOTHING = 1e-9  # of the rest speed: if no entry of v is larger, v is round-off


class Decision(NamedTuple):
    """How a run continues: mode, system and velocity; `transition` None: the mode is unchanged."""

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

    For a machine these are all contacts that have a `mu`; for another system they are given by
    `laws`. All modes share one compiled program; nothing is compiled when the mode changes. A run
    begins in the mode of its initial data. By default a machine starts from `start` and `speed` of
    its joints as given: a contact with a slip velocity slides, and one above its surface falls.

    Args:
        rest_speed: in m/s; a contact that would rebound slower stays closed, so that bounces do not
            accumulate.
        redundant: whether rows of `laws` may be linearly dependent (for a machine it is known);
            their loads are then those of least stored energy, on supports of equal stiffness.
    """
    if not isinstance(system, System):
        raise UsageError(f"with_friction takes a system or a machine, got {system!r}")
    if not (isinstance(rest_speed, (int, float)) and rest_speed > 0.0):
        raise UsageError(f"rest_speed is a speed above zero in m/s, got {rest_speed!r}")
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
            f"{system.name()} is no machine of parts: say where it touches, with_friction(system, "
            "hybrid.ContactLaw(...))"
        )
    modes = RoughModes(made, float(rest_speed), name or system.name())
    modes.source = (system, laws, redundant)
    return modes


class RoughModes(Modes):
    """Modes that are states of contacts; `names` has those that have occurred."""

    decides = True
    source: Any = None  # (system, laws, redundant)

    def __init__(
        self, system: Any, rest_speed: float, name: str, states: Sequence[ContactState] = ()
    ) -> None:
        self.rough, self.rest_speed = system, rest_speed
        self.plan: ContactPlan = system.contact_plan
        self.states: dict[str, ContactState] = {}
        transitions = [
            *(_transition(LANDS, i, f"{x} lands") for i, x in enumerate(self.plan.contacts)),
            *(_transition(LIFTS, i, f"{x} lifts") for i, x in enumerate(self.plan.contacts)),
            *(_transition(SLIPS, i, x.ends(False)) for i, x in enumerate(self.plan.groups)),
            *(_transition(STICKS, i, x.ends(True)) for i, x in enumerate(self.plan.groups)),
        ]
        if self.plan.contacts:
            transitions.append(_transition(SINGULAR, 0, f"Coulomb's law {SINGULAR}"))
        every = tuple(states) or (_everything(self.plan, True),)
        systems = {x.name(self.plan): in_state(system, x) for x in every}
        self.states |= {x.name(self.plan): x for x in every}
        super().__init__(systems, transitions, name=name)

    # -- interface of `Modes` ------------------------------------------------------------------

    def fresh(self) -> RoughModes:
        """Return a copy for one run, which adds modes as they occur."""
        return self._like(())

    def met(self, names: tuple[str, ...]) -> RoughModes:
        found = [state_named(self.plan, name) for name in names]
        return self._like([x for x in found if x is not None])

    def _like(self, states: Sequence[ContactState]) -> RoughModes:
        made = RoughModes(self.rough, self.rest_speed, self.name, states)
        made.source = self.source
        return made

    def with_transitions(self, more: Iterable[Transition]) -> RoughModes:
        made = self._like(tuple(self.states.values()))
        made.transitions = (*made.transitions, *more)
        for transition in more:
            made._check(transition)
        return made

    def system(self, mode: str) -> System:
        if mode not in self.systems and isinstance(mode, str):
            state = state_named(self.plan, mode)
            if state is not None:
                self._add(state)
        return super().system(mode)

    def with_parameters(self, **values: Any) -> RoughModes:
        """Return the modes of the system with other parameter values."""
        system, laws, redundant = self.source
        made = with_friction(
            system.with_parameters(**values), *laws, redundant=redundant, name=self.name
        )
        made.rest_speed = self.rest_speed
        return made

    def driven(self, u: Any) -> RoughModes:
        """Return the modes with a control, whose force enters loads and friction cones."""
        system, laws, redundant = self.source
        made = with_friction(driven(system, u), *laws, redundant=redundant, name=self.name)
        made.rest_speed = self.rest_speed
        return made

    def hold(self, u: np.ndarray) -> None:
        self.rough = holding(self.rough, u)
        super().hold(u)

    def started(self, mode: str | None, q0: Any, v0: Any, t0: float) -> tuple[str, Any, Any]:
        """Return (mode, q0, v0) of a run: the mode follows from the initial data."""
        if q0 is None and v0 is None:
            q0, v0 = self._start(float(t0))
        if q0 is None or v0 is None:
            raise UsageError("give q0 and v0, both or none")
        if mode is not None:
            self.system(mode)
        q = self.rough.groupoid.base.check(q0, "q0")
        state = self._state_at(float(t0), q, np.asarray(v0, dtype=float), mode)
        name = state.name(self.plan)
        where, v = _Where(self, float(t0), q), np.asarray(v0, dtype=float)
        where.held(state, v)  # compile now, not when a mode ends
        where.measured(in_state(self.rough, state), v)
        if mode is not None and name != mode:
            raise UsageError(f"the run would start in a wrong mode: '{mode}', and it is '{name}'")
        only = self.names if self.states.keys() != {name} else ()
        self._add(state)
        for other in only:
            if other != name:
                self._remove(other)
        return name, q0, v0

    def decided(
        self, mode: str, candidates: Sequence[Transition], t: float, q: Point, v: Any, h: float
    ) -> Decision | None:
        """Return how a run continues after these guards; None: they are not guards of contacts."""
        mine = [x for x in candidates if isinstance(x.guard, ContactGuard)]
        if not mine:
            return None
        old, v = self.states[mode], np.asarray(v, dtype=float)
        state, after, fixed, hits = old, v, set[int](), []
        where = _Where(self, t, q)
        for guard in (x.guard for x in mine):
            assert isinstance(guard, ContactGuard)
            i = guard.index
            if guard.kind == SINGULAR:
                self._refuse(where, state, v, "Coulomb's law has no unique solution from here on")
            elif guard.kind == LIFTS:
                state = _opened(state, i, self.plan)
            elif guard.kind == LANDS:
                hits.append(i)
            elif guard.kind == SLIPS:
                state = self._sliding(where, state, v, i)
                fixed.add(i)
            else:
                here = where.facts(state, v)
                if _has_turned(here, self.plan, i, h):
                    state = _facing(state, here, self.plan)
                else:
                    state = _replaced(state, "sticks", i, True)
        if any(x.guard.kind == STICKS for x in mine):  # pyright: ignore
            state = self._stopped_with_them(where, old, state, v, h)
        if state == old and not hits:
            raise AssertionError("a guard of contacts that changes nothing")
        same = dataclasses.replace(state, toward=old.toward) == old and not hits
        if same:  # a slip that has turned: the mode is unchanged
            self._add(state)
            return Decision(None, mode, self.systems[mode], q, v, 0.0 * v, 0.0, 0.0)
        if hits:
            state, after = self._landed(where, state, after, hits)
        state, after = self._settled(where, state, after, fixed)
        after = self._nudged(where, state, after, fixed, h)
        self._add(state)
        name = state.name(self.plan)
        p, E = where.measured(in_state(self.rough, old), v)
        p1, E1 = where.measured(self.systems[name], after)
        return Decision(mine[0], name, self.systems[name], q, after, p1 - p, E, E1)

    # -- inside ------------------------------------------------------------------------------

    def _start(self, t: float) -> tuple[Point, Any]:
        """Return the initial data of the system; contacts may slide, other constraints hold."""
        if not isinstance(self.rough, Machine) or overrides(self.rough, "initial", Machine):
            return self.rough.initial()
        q, v = self.rough.start_with_slip()
        return q, _followed(self, _Where(self, t, q), np.asarray(v, dtype=float))

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

    # the consistent state of all contacts for initial data; `mode` is what the user expects
    def _state_at(self, t: float, q: Point, v: np.ndarray, mode: str | None) -> ContactState:
        where = _Where(self, t, q)
        plan, state = self.plan, _everything(self.plan, True)
        here = where.facts(state, v)
        sizes = where.sizes(state, v)
        far = max((float(np.max(np.abs(x), initial=0.0)) for x in jax.tree.leaves(q)), default=0.0)
        tolerance = _TOUCHES * max(far, 1.0)
        for c, name in enumerate(plan.contacts):
            if here.gap[c] < -tolerance:
                raise UsageError(
                    f"contact '{name}' is {-here.gap[c]:.3g} m below its surface at the start: "
                    "move it up"
                )
            moving = _STILL * sizes[plan.normals[c]]
            if here.gap[c] > tolerance or abs(here.rate[c]) > moving:
                state = _opened(state, c, plan)  # one that approaches lands at once
        for g, group in enumerate(plan.groups):
            if not state.is_on(group):
                continue
            still = _STILL * max(sizes[list(group.rows)], default=0.0)
            if np.linalg.norm(here.slip[g]) > still:
                state = _replaced(state, "sticks", g, False)
                state = _toward(state, g, here.slip[g])
        asked = None if mode is None else state_named(plan, mode)
        if asked is not None:
            for g, group in enumerate(plan.groups):
                slides = asked.is_on(group) and not asked.sticks[g]
                if slides and state.is_on(group) and state.sticks[g]:
                    found, _ = self._settled(where, state, v, set(), project=False)
                    if found.sticks[g]:
                        raise UsageError(
                            f"'{group.name}' is to slide, and has no slip velocity at the start: "
                            "there is no direction to slide in. Give it one, or let it hold"
                        )
        return self._settled(where, state, v, set(), project=False)[0]

    def _stopped_with_them(
        self, where: _Where, old: ContactState, state: ContactState, v: np.ndarray, h: float
    ) -> ContactState:
        """Let further slips stop that would vanish within `_TOGETHER` of a step."""
        if not any(state.sticks[g] and not old.sticks[g] for g in range(len(old.sticks))):
            return state
        here = where.facts(old, v)
        for g, group in enumerate(self.plan.groups):
            if state.is_on(group) and not state.sticks[g]:
                if np.linalg.norm(here.slip[g]) <= _TOGETHER * h * np.linalg.norm(here.slide[g]):
                    state = _replaced(state, "sticks", g, True)
        return state

    def _sliding(self, where: _Where, state: ContactState, v: np.ndarray, g: int) -> ContactState:
        """Return the state in which group g begins to slide, from zero slip."""
        here = where.facts(state, v)
        slides = _replaced(state, "sticks", g, False)
        pull, size = here.pull[g], len(self.plan.groups[g].rows)
        mu = np.where(here.mu_static[g] > 0.0, here.mu_static[g], 1.0)
        away = -pull / mu**2
        if not np.any(away):
            away = where.facts(_toward(slides, g, np.zeros(2)), v).slide[g]
        slides = _toward(slides, g, away)
        if size == 1:
            return slides

        def off(angle: float) -> tuple[float, float]:
            d = np.array([np.cos(angle), np.sin(angle)])
            a = where.facts(_toward(slides, g, d), where.held(state, v)).slide[g]
            return float(d[0] * a[1] - d[1] * a[0]), float(d @ a)

        first = float(np.arctan2(away[1], away[0]))
        across, along = off(first)
        scale = float(np.linalg.norm(pull)) * where.mobility(state, g)
        if abs(across) <= 1e-10 * max(scale, abs(along)):
            return slides
        found = _parallel(off, first)
        return _toward(slides, g, np.array([np.cos(found), np.sin(found)]))

    def _nudged(
        self, where: _Where, state: ContactState, v: np.ndarray, began: set[int], h: float
    ) -> np.ndarray:
        """Return v with a small slip for groups of two rows that begin to slide from zero.

        If mu_static = mu, the slip grows from zero like t^2. Without an initial slip its direction
        s/|s| is undefined, and the equations of a step could not be solved.
        """
        for g in began:
            group = self.plan.groups[g]
            if len(group.rows) < 2 or state.sticks[g] or not state.is_on(group):
                continue
            here, all_ = where.facts(state, v), where.mechanics(state, v)
            rows = all_.rows[list(group.rows)]
            push = float(np.max(here.mu[g])) * float(here.press[g]) * where.mobility(state, g)
            lacks = _TRACE * h * push * np.array(state.toward[g]) - here.slip[g]
            held = np.concatenate([rows, all_.rows[all_.on > 0.0]])
            raised = np.linalg.solve(all_.G, held.T)
            wanted = np.concatenate([lacks, np.zeros(len(held) - 2)])
            v = v + raised @ np.linalg.lstsq(held @ raised, wanted, rcond=1e-12)[0]
        return v

    def _landed(
        self, where: _Where, state: ContactState, v: np.ndarray, hits: list[int]
    ) -> tuple[ContactState, np.ndarray]:
        """Apply the impacts of closing contacts; those that rebound slowly stay closed."""
        found: Struck = struck(where.mechanics(state, v), self.plan, state, hits, self.rest_speed)
        for c in found.stay:
            state = _replaced(state, "shut", c, True)
        for c in found.leave:
            state = _opened(state, c, self.plan)
        v = found.v
        here, sizes = where.facts(state, v), where.sizes(state, v)
        for g, group in enumerate(self.plan.groups):
            if state.is_on(group):
                still = found.still.get(g, False) or np.linalg.norm(here.slip[g]) <= _STILL * max(
                    sizes[list(group.rows)]
                )
                state = _replaced(state, "sticks", g, bool(still))
                state = state if still else _toward(state, g, here.slip[g])
        return state, v

    def _settled(
        self,
        where: _Where,
        state: ContactState,
        v: np.ndarray,
        fixed: set[int],
        project: bool = True,
    ) -> tuple[ContactState, np.ndarray]:
        """Return the consistent state near `state`, and v projected on it; `fixed` groups slide."""
        seen: list[ContactState] = []
        began = set(fixed)
        for _ in range(4 * (len(self.plan.contacts) + len(self.plan.groups)) + 4):
            on = where.held(state, v) if project else v
            here = where.facts(state, on)
            if not here.minor > 0.0:
                self._refuse(where, state, v, "Coulomb's law has no unique solution here")
            change = self._wrong(where, state, here, on, fixed, began)
            if change is None:
                state = _facing(state, here, self.plan)
                state = dataclasses.replace(state, rests=where.rests(state, on))
                still = state.rests or np.all(np.abs(on) <= _NOTHING * self.rest_speed)
                return state, np.zeros_like(on) if still and project else on
            if change in seen:
                break
            seen.append(state)
            state = change
        self._refuse(where, state, v, "no set of contacts was found that goes on from here")
        raise AssertionError

    def _wrong(
        self,
        where: _Where,
        state: ContactState,
        here: Contacts,
        v: np.ndarray,
        fixed: set[int],
        began: set[int],
    ) -> ContactState | None:
        """Return the state with the worst violated condition corrected; None: all hold."""
        plan = self.plan
        size = _SMALL * max(np.max(np.abs(here.load), initial=0.0), where.weight(state, v))
        worst, found = 0.0, None
        for c, shut in enumerate(state.shut):
            if shut and here.load[c] < -size and -here.load[c] > worst:
                worst, found = -here.load[c], ("open", c)
        if found is not None:
            return _opened(state, found[1], plan)
        for c, shut in enumerate(state.shut):
            if not shut and where.touches(here, c) and here.lift[c] < -where.slow(state, v):
                return _replaced(state, "shut", c, True)
        for g, group in enumerate(plan.groups):
            if not state.is_on(group):
                continue
            if state.sticks[g]:
                over = -float(cone(_as_jax(here), g))
                if over > size and over > worst:
                    worst, found = over, ("slide", g)
        if found is not None:
            began.add(found[1])
            return self._sliding(where, state, v, found[1])
        for g in began - fixed:
            if not state.sticks[g] and state.is_on(plan.groups[g]):
                d = np.array(state.toward[g])
                if here.slide[g] @ d < -where.slow(state, v):
                    return _replaced(state, "sticks", g, True)
        return None

    def _refuse(self, where: _Where, state: ContactState, v: np.ndarray, why: str) -> None:
        """Raise an error that lists the candidate sets of contacts and which are consistent."""
        self._refuse_dependent(where, state, v)
        told = []
        for other in _candidates(self, where, state, v):
            here = where.facts(other, v)
            told.append(_judged(self.plan, other, here, where, state, v))
        fine = [name for name, good, _ in told if good]
        listed = "; ".join(f"'{name}': {what}" for name, _, what in told)
        count = "none" if not fine else " and ".join(f"'{x}'" for x in fine)
        raise SimulationError(
            f"{why} (Painleve), at t = {where.t:.15g}: of the candidates {listed}; consistent: "
            f"{count}. The determinant of the loads is "
            f"{float(where.facts(state, v).minor):.3g}",
            advice="A rigid contact with this friction has no law here: take a smaller mu, or let "
            "the support be elastic (parts.Strut)",
        )

    def _refuse_dependent(self, where: _Where, state: ContactState, v: np.ndarray) -> None:
        """Raise `UsageError` for linearly dependent rows, which are not Painleve's case."""
        if self.plan.redundant:
            return
        here = where.mechanics(state, v)
        held = here.rows[here.on > 0.0]
        rank = row_rank(held, here.G).rank
        if rank == len(held):
            return
        cure = "Leave some of them out"
        if self.rough.laws:
            cure = "with_friction(..., redundant=True) shares them by least stored energy"
        raise UsageError(
            f"at t = {where.t:.15g}, in '{state.name(self.plan)}', {len(held)} rows of contacts "
            f"and constraints have rank {rank}: their loads are not determined. {cure}"
        )


def _transition(kind: str, index: int, name: str) -> Transition:
    return Transition(ANY, None, ContactGuard(kind, index), -1, name=name)


# -- states of contacts --------------------------------------------------------------------------


def _everything(plan: ContactPlan, holds: bool) -> ContactState:
    groups = len(plan.groups)
    return ContactState((True,) * len(plan.contacts), (holds,) * groups, ((1.0, 0.0),) * groups)


def _replaced(state: ContactState, field: str, i: int, value: Any) -> ContactState:
    given = list(getattr(state, field))
    given[i] = value
    return dataclasses.replace(state, **{field: tuple(given)}, rests=False)


def _toward(state: ContactState, g: int, d: Any) -> ContactState:
    length = float(np.linalg.norm(d))
    unit = d / length if length > 0.0 else np.zeros(2)
    return _replaced(state, "toward", g, (float(unit[0]), float(unit[1])))


def _opened(state: ContactState, c: int, plan: ContactPlan) -> ContactState:
    state = _replaced(state, "shut", c, False)
    for g, group in enumerate(plan.groups):
        if group.contact == c:
            state = _replaced(state, "sticks", g, False)
    return state


def _facing(state: ContactState, here: Contacts, plan: ContactPlan) -> ContactState:
    """Return the state with the present directions of sliding groups."""
    for g, group in enumerate(plan.groups):
        slides = state.is_on(group) and not state.sticks[g]
        if slides and len(group.rows) == 2 and np.linalg.norm(here.slip[g]) > 0.0:
            if here.slip[g] @ np.array(state.toward[g]) > 0.0 or _is_clear(here, g):
                state = _toward(state, g, here.slip[g])
    return state


def _is_clear(here: Contacts, g: int) -> bool:
    return bool(np.linalg.norm(here.slip[g]) > 1e-6)


def _has_turned(here: Contacts, plan: ContactPlan, g: int, h: float) -> bool:
    """Return whether a slip of two rows is across its initial direction, and not zero."""
    if len(plan.groups[g].rows) == 1:
        return False
    return bool(np.linalg.norm(here.slip[g]) > _TURNED * h * np.linalg.norm(here.slide[g]))


def _parallel(off: Any, first: float) -> float:
    """Return the angle nearest to `first` at which the acceleration is along the direction."""
    grid = first + np.concatenate([[0.0], *([x, -x] for x in np.linspace(0.05, np.pi, 63))])
    values = {x: off(x) for x in sorted(grid)}
    best: list[float] = []
    for a, b in itertools.pairwise(values):
        (fa, _), (fb, _) = values[a], values[b]
        if fa == 0.0 or fa * fb < 0.0:
            for _ in range(60):
                middle = 0.5 * (a + b)
                fm, _ = off(middle)
                a, b, fa = (middle, b, fm) if fm * fa > 0.0 else (a, middle, fa)
            if off(0.5 * (a + b))[1] > 0.0:
                best.append(0.5 * (a + b))
    if not best:
        return first
    return min(best, key=lambda x: abs(x - first))


def _candidates(
    modes: RoughModes, where: _Where, state: ContactState, v: np.ndarray
) -> list[ContactState]:
    """Return `state` and the states that differ in which touching contacts are closed."""
    plan, found = modes.plan, []
    here = where.facts(state, v)
    touching = [c for c in range(len(plan.contacts)) if state.shut[c] or where.touches(here, c)]
    for shut in itertools.product((True, False), repeat=min(len(touching), _MOST)):
        other = state
        for c, on in zip(touching, shut):
            other = _replaced(other, "shut", c, True) if on else _opened(other, c, plan)
        found.append(other)
    return found


def _judged(
    plan: ContactPlan,
    other: ContactState,
    here: Contacts,
    where: _Where,
    state: ContactState,
    v: np.ndarray,
) -> tuple[str, bool, str]:
    """Return (name, whether it is consistent, why not) of a candidate."""
    for c, name in enumerate(plan.contacts):
        if other.shut[c] and not here.load[c] >= 0.0:
            return other.name(plan), False, f"'{name}' would pull with {-here.load[c]:.3g} N"
        if not other.shut[c] and where.touches(here, c) and here.lift[c] < 0.0:
            told = f"'{name}' would fall into its surface at {-here.lift[c]:.3g} m/s^2"
            return other.name(plan), False, told
    for g, group in enumerate(plan.groups):
        if other.is_on(group) and other.sticks[g] and cone(_as_jax(here), g) < 0.0:
            return other.name(plan), False, f"'{group.name}' would leave its cone"
    return other.name(plan), True, "goes"


def _as_jax(here: Contacts) -> Any:
    return Contacts(*(jnp.asarray(x) for x in here))


# -- numbers at a point --------------------------------------------------------------------------


class Mechanics(NamedTuple):
    """What an impact needs: the metric, all rows with their right-hand sides, the laws."""

    G: np.ndarray
    rows: np.ndarray
    offset: np.ndarray
    on: np.ndarray  # 1 for rows that act, else 0
    mu: np.ndarray
    mu_static: np.ndarray
    restitution: np.ndarray
    v: np.ndarray


class _Where:
    """A time and a point at which states of contacts are tried."""

    def __init__(self, modes: RoughModes, t: float, q: Point) -> None:
        self.modes, self.t, self.q = modes, t, q

    def _rows(self, function: Any, state: ContactState, v: np.ndarray) -> Any:
        system = in_state(self.modes.rough, dataclasses.replace(state, rests=False))
        return self._of(function, system, v)

    def _of(self, function: Any, system: Any, v: np.ndarray) -> Any:
        rows = jax.tree.map(lambda x: np.asarray(x, dtype=float)[None], (self.t, self.q, v))
        return jax.tree.map(lambda x: np.asarray(x)[0], compiled_rows(function, system, rows))

    def facts(self, state: ContactState, v: np.ndarray) -> Contacts:
        """Return loads, slips and accelerations if the contacts were in this state."""
        return self._rows(contacts_at, state, v)

    def held(self, state: ContactState, v: np.ndarray) -> np.ndarray:
        """Return the velocity nearest to v that satisfies the rows of a state."""
        return self._rows(_projected, state, v)

    def mechanics(self, state: ContactState, v: np.ndarray) -> Mechanics:
        """Return metric, rows and laws in this state."""
        return Mechanics(*self._rows(_mechanics, state, v), v=v)

    def measured(self, system: Any, v: np.ndarray) -> tuple[np.ndarray, float]:
        """Return (momentum, energy)."""
        p, E = self._of(_measures, system, v)
        return p, float(E)

    def sizes(self, state: ContactState, v: np.ndarray) -> np.ndarray:
        """Return the sum of absolute terms in each row, the scale of its round-off."""
        here = self.mechanics(state, v)
        return np.abs(here.rows) @ np.abs(v) + np.abs(here.offset) + 1e-300

    def weight(self, state: ContactState, v: np.ndarray) -> float:
        """Return the scale of forces at rows: the largest reaction if everything stuck."""
        here = self.facts(_everything(self.modes.plan, True), v)
        sizes = [here.load, here.pull]
        return float(max(np.max(np.abs(x), initial=0.0) for x in sizes)) + 1e-300

    def slow(self, state: ContactState, v: np.ndarray) -> float:
        """Return an acceleration that is round-off compared with those of the free motion."""
        free = self.facts(_all_open(self.modes.plan), v)
        sizes = [free.lift, free.slide]
        return _SMALL * float(max(np.max(np.abs(x), initial=0.0) for x in sizes)) + 1e-300

    def touches(self, here: Contacts, c: int) -> bool:
        """Return whether a contact is on its surface, and neither approaches nor separates."""
        far = [float(np.max(np.abs(x), initial=0.0)) for x in jax.tree.leaves(self.q)]
        near = abs(here.gap[c]) <= _TOUCHES * max(1.0, *far)
        return bool(near and abs(here.rate[c]) <= 1e-9)

    def mobility(self, state: ContactState, g: int) -> float:
        """Return an estimate of the acceleration along the rows of a group per force."""
        here = self.mechanics(state, np.zeros(self.modes.rough.dim))
        rows = here.rows[list(self.modes.plan.groups[g].rows)]
        return float(np.max(np.abs(rows @ np.linalg.solve(here.G, rows.T))))

    def rests(self, state: ContactState, v: np.ndarray) -> bool:
        """Return whether nothing can move: every direction is held, all surfaces are at rest."""
        plan = self.modes.plan
        if self.modes.rough.has_offset or not plan.groups:
            return False
        if any(state.is_on(g) and not state.sticks[i] for i, g in enumerate(plan.groups)):
            return False
        here = self.mechanics(state, v)
        held = here.rows[here.on > 0.0]
        return row_rank(held, here.G).rank == len(v)


def _followed(modes: RoughModes, where: _Where, v: np.ndarray) -> np.ndarray:
    """Return v with nonzero speeds as given, and zero ones adjusted to the other constraints.

    These are the constraints that are not contacts with friction.
    """
    here = where.mechanics(_all_open(modes.plan), v)
    at = here.on > 0.0
    A, off = here.rows[at], here.rows[at] @ v - here.offset[at]
    scale = np.abs(A) @ np.abs(v) + np.abs(here.offset[at])
    if np.all(np.abs(off) <= _STILL * scale):
        return v
    free, found = v == 0.0, v.copy()
    raised = np.linalg.solve(here.G[np.ix_(free, free)], A[:, free].T)
    found[free] -= raised @ np.linalg.lstsq(A[:, free] @ raised, off, rcond=1e-10)[0]
    left = np.abs(A @ found - here.offset[at])
    if np.all(left <= 1e-9 * (np.abs(A) @ np.abs(found) + np.abs(here.offset[at]))):
        return found
    told = ", ".join(f"{n} = {x:g}" for n, x in zip(modes.rough.layout.velocity_names, v) if x)
    raise UsageError(
        f"the speeds at the start violate constraints that are no contacts with friction: with "
        f"{told}, they are off by {np.max(left):.3g} whatever the others are; leave some of them "
        "0, they follow"
    )


def _all_open(plan: ContactPlan) -> ContactState:
    groups = len(plan.groups)
    return ContactState((False,) * len(plan.contacts), (False,) * groups, ((0.0, 0.0),) * groups)


def _projected(system: Any, t: Any, q: Point, v: jax.Array) -> jax.Array:
    return dynamics.projected(system, q, v, t)


def _measures(system: Any, t: Any, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    return dynamics.momentum(system, q, v, t), dynamics.energy(system, q, v, t)


def _mechanics(system: Any, t: Any, q: Point, v: jax.Array) -> tuple[jax.Array, ...]:
    k = system.contact_plan.holonomic
    b = jnp.concatenate([jnp.zeros(k), system.every_offset(t, q)])
    here = system.coefficients(t, q, v)
    G = dynamics.metric(system, q, v, t)
    rows, on = system.every_row(q), system.switches.rows
    return G, rows, b, on, here.mu, here.mu_static, system.restitution


__all__ = ["Decision", "RoughModes", "with_friction"]
