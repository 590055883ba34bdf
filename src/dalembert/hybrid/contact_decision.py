"""Decide the states of all contacts together where a mode ends: which hold, slide, lift, land.

Closed contacts push, sticking groups lie in their friction cone, sliding ones are pushed back, and
open contacts do not approach. From the state of the mode that has ended, the condition that is
violated most is corrected, until all hold. If none is found, or Coulomb's law has no unique
solution (Painleve), `SimulationError` lists the candidates.

Groups of two rows that begin to slide from zero slip, one or several at once, need directions d
with slip accelerations a(d) = c d, c > 0. With mu_static = mu, a vanishes at the instant where the
cone is reached. The directions are then those that the motion has a little later. A step from zero
slip could not be solved, because s/|s| has no derivative there: the first move is an expansion.
"""

from __future__ import annotations

import dataclasses
import itertools
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import SimulationError, UsageError
from ..linalg import row_rank
from ..system import Point
from .contact_facts import SMALL, ContactCode, Where, everything
from .contact_law import ContactPlan, ContactState
from .coulomb import Contacts, cone, guards_of, numbers_of
from .impacts import Struck, struck

STILL = 1e-11  # relative to the sum of |terms| of a row times v: a smaller rate is 0
_TURNED = 1e-3  # fraction of a step: a slip that is farther from its zero has turned, not vanished
_TOGETHER = 1e-6  # fraction of a step: slips that vanish within it vanish together
_MOST = 4  # largest number of contacts whose sets are listed in messages
_SPARE = 1e-6  # a friction cone with a smaller relative reserve counts as full
_LEFT = 0.05  # least share of the friction cone that one row of a group leaves to the other row
# Fraction of a step h: length of the first move of slips of two rows. The error of this move is of
# third order, and the slip at its end, about jerk/2 times its square, has to stand out from
# round-off.
_AHEAD = 2.0**-7
_SHORTEST = 1e-12  # s: shorter first moves are not tried
_GENTLE = 1e-6  # relative to what friction makes: a smaller slip acceleration has no direction yet
_NOTHING = 1e-9  # fraction of the rest speed: if no entry of v is larger, v is round-off
_SWEEPS = 40  # largest number of sweeps over the groups that begin to slide together
_PARALLEL = 1e-12  # largest angle in rad between a direction and its slip acceleration


class First(NamedTuple):
    """The end of the first move of slips that begin, for which no step can be made."""

    t: float
    q: Point
    v: np.ndarray
    size: float = 0.0  # the longest step that follows


class Settled(NamedTuple):
    """A consistent state of all contacts, its velocity, and the groups that began to slide."""

    state: ContactState
    v: np.ndarray
    began: frozenset[int]
    here: Contacts
    first: First | None = None


class Decider:
    """Decisions for one system; `given` says that its contacts are given by laws, not by parts."""

    def __init__(self, code: ContactCode, rest_speed: float, given: bool) -> None:
        self.code, self.rest_speed, self.given = code, rest_speed, given
        self.plan: ContactPlan = code.system.contact_plan

    # -- slips that end and begin ----------------------------------------------------------------

    def stopped_with_them(
        self, where: Where, old: ContactState, state: ContactState, v: np.ndarray, h: float
    ) -> ContactState:
        """Let other slips stop as well if they would vanish within `_TOGETHER` of a step."""
        if not any(state.sticks[g] and not old.sticks[g] for g in range(len(old.sticks))):
            return state
        here = where.facts(old, v)
        for g, group in enumerate(self.plan.groups):
            if state.is_on(group) and not state.sticks[g]:
                if np.linalg.norm(here.slip[g]) <= _TOGETHER * h * np.linalg.norm(here.slide[g]):
                    state = replaced(state, "sticks", g, True)
        return state

    def _begun(self, where: Where, state: ContactState, v: np.ndarray, g: int) -> ContactState:
        """Return the state in which group g begins to slide, in the direction of its push."""
        here = where.facts(state, v)
        slides = replaced(state, "sticks", g, False)
        mu = np.where(here.mu_static[g] > 0.0, here.mu_static[g], 1.0)
        away = -here.pull[g] / mu**2
        if not np.any(away):
            away = where.facts(toward(slides, g, np.zeros(2)), v).slide[g]
        return toward(slides, g, away)

    def _directed(
        self, where: Where, state: ContactState, v: np.ndarray, began: set[int]
    ) -> ContactState:
        """Return the state with directions of slips that begin along their accelerations."""
        mine = [g for g in sorted(began) if self._turns(state, g)]
        for _ in range(_SWEEPS if mine else 0):
            change = 0.0
            for g in mine:
                first = float(np.arctan2(state.toward[g][1], state.toward[g][0]))
                found = self._direction(where, state, v, g, first)
                change = max(change, abs(found - first))
                if found != first:
                    state = toward(state, g, np.array([np.cos(found), np.sin(found)]))
            if change <= _PARALLEL or len(mine) == 1:
                break
        return state

    def _direction(
        self, where: Where, state: ContactState, v: np.ndarray, g: int, first: float
    ) -> float:
        """Return the angle of a group's slip, near `first`; or `first` if nothing pushes it yet."""

        def off(angle: float) -> tuple[float, float]:
            d = np.array([np.cos(angle), np.sin(angle)])
            a = where.facts(toward(state, g, d), v).slide[g]
            return float(d[0] * a[1] - d[1] * a[0]), float(d @ a)

        scale = self._push(where, state, v, g)
        across, along = off(first)
        if abs(across) <= _PARALLEL * max(abs(along), _GENTLE * scale):
            return first
        return _parallel(off, first, _PARALLEL * scale)

    def _turns(self, state: ContactState, g: int) -> bool:
        """Return whether a group slides with two rows, so that its slip has a direction."""
        group = self.plan.groups[g]
        return state.is_on(group) and not state.sticks[g] and len(group.rows) == 2

    def _push(self, where: Where, state: ContactState, v: np.ndarray, g: int) -> float:
        """Return the slip acceleration that friction alone makes."""
        here = where.facts(state, v)
        push = float(np.max(here.mu_static[g])) * abs(float(here.press[g]))
        return push * where.mobility(state, g) + 1e-300

    # -- reactions that dependent rows share -----------------------------------------------------

    def shared(self, where: Where, state: ContactState, v: np.ndarray) -> ContactState:
        """Return the state in which redundant rows share their reaction by what they can hold.

        The lateral force of an axle is not determined by its two wheels. With compliances that are
        inverse to what friction can still hold, both wheels reach their cones together, which is
        when the axle slips. So a row begins to slide only if no split of the reaction lets all rows
        hold.
        """
        if not self.plan.redundant or sum(state.sticks) < 2:
            return state
        for _ in range(3):  # the share of one row depends slightly on the split
            here = where.facts(state, v)
            most = here.mu_static * np.maximum(here.press, 0.0)[:, None]
            left = np.sqrt(np.maximum(most**2 - here.pull[:, ::-1] ** 2, (_LEFT * most) ** 2))
            held = np.array(state.sticks)[:, None] & (left > 0.0)
            soft = np.ones_like(left)
            if not np.any(held):
                return state
            soft[held] = np.clip(np.mean(left[held]) / left[held], 1e-2, 1e2)
            state = dataclasses.replace(state, soft=tuple((float(a), float(b)) for a, b in soft))
        return state

    def full(self, where: Where, state: ContactState, v: np.ndarray) -> set[int]:
        """Return the sticking groups whose friction is at its limit."""
        here = where.facts(state, v)
        return {
            g
            for g, group in enumerate(self.plan.groups)
            if state.is_on(group)
            and state.sticks[g]
            and cone(here, g, np) <= _SPARE * float(np.max(here.mu_static[g]) * abs(here.press[g]))
        }

    # -- landings --------------------------------------------------------------------------------

    def landed(
        self, where: Where, state: ContactState, v: np.ndarray, hits: list[int]
    ) -> tuple[ContactState, np.ndarray]:
        """Apply the impacts of closing contacts; those that rebound slowly stay closed."""
        found: Struck = struck(where.mechanics(state, v), self.plan, state, hits, self.rest_speed)
        for c in found.stay:
            state = replaced(state, "shut", c, True)
        for c in found.leave:
            state = opened(state, c, self.plan)
        v = found.v
        here, sizes = where.facts(state, v), where.sizes(state, v)
        for g, group in enumerate(self.plan.groups):
            if state.is_on(group):
                still = found.still.get(g, False) or np.linalg.norm(here.slip[g]) <= STILL * max(
                    sizes[list(group.rows)]
                )
                state = replaced(state, "sticks", g, bool(still))
                state = state if still else toward(state, g, here.slip[g])
        return state, v

    # -- the consistent state --------------------------------------------------------------------

    def at_start(self, where: Where, v: np.ndarray, asked: ContactState | None) -> ContactState:
        """Return the consistent state of all contacts for initial data."""
        plan, state = self.plan, everything(self.plan)
        here, sizes = where.facts(state, v), where.sizes(state, v)
        for c, name in enumerate(plan.contacts):
            if here.gap[c] < -where.near:
                raise UsageError(
                    f"contact '{name}' is {-here.gap[c]:.3g} m below its surface at the start: "
                    "move it up"
                )
            moving = STILL * sizes[plan.normals[c]]
            if here.gap[c] > where.near or abs(here.rate[c]) > moving:
                state = opened(state, c, plan)  # a contact that approaches lands immediately
        for g, group in enumerate(plan.groups):
            smooth = here.mu_static[g] == 0.0
            if len(group.rows) == 2 and smooth[0] != smooth[1]:
                raise UsageError(
                    f"'{group.name}' has no friction in one of its two directions, mu = "
                    f"{here.mu_static[g].tolist()}: whether it slips there does not decide about "
                    "the other one. Leave out the smooth direction, as rows=('height', 'across')"
                )
            if not state.is_on(group):
                continue
            still = STILL * max(sizes[list(group.rows)], default=0.0)
            if np.linalg.norm(here.slip[g]) > still:
                state = replaced(state, "sticks", g, False)
                state = toward(state, g, here.slip[g])
        found = self.settled(where, state, v, set(), project=False).state
        for g, group in enumerate(plan.groups if asked is not None else ()):
            assert asked is not None
            slides = asked.is_on(group) and not asked.sticks[g]
            if slides and state.is_on(group) and state.sticks[g] and found.sticks[g]:
                raise UsageError(
                    f"'{group.name}' is declared as sliding but has no slip velocity at the "
                    "start, so that it has no direction to slide in. Give it a slip velocity, or "
                    "let it stick"
                )
        return found

    def settled(
        self, where: Where, state: ContactState, v: np.ndarray, fixed: set[int], h: float = 0.0,
        project: bool = True,
    ) -> Settled:  # fmt: skip
        """Return the consistent state near `state`; groups in `fixed` begin to slide.

        With `project`, v is projected onto the rows of this state. If slips begin gently, with an
        acceleration near 0, the state is the one that is consistent `_AHEAD` of a step h later.
        """
        found = self._consistent(where, state, v, fixed, project)
        if h > 0.0 and found.began:
            found = self._with_first(where, found, state, v, fixed, _AHEAD * h)
        on = found.v
        rests = where.rests(found.state, on)
        still = rests or np.all(np.abs(on) <= _NOTHING * self.rest_speed)
        on = np.zeros_like(on) if still and project else on
        return found._replace(state=dataclasses.replace(found.state, rests=rests), v=on)

    def _with_first(
        self,
        where: Where,
        found: Settled,
        state: ContactState,
        v: np.ndarray,
        fixed: set[int],
        size: float,
    ) -> Settled:
        """Return the result with the first move of slips that begin, by the trapezoidal rule."""
        gentle = {
            g
            for g in found.began
            if np.linalg.norm(found.here.slide[g])
            <= _GENTLE * self._push(where, found.state, found.v, g)
        }
        before = self._stuck(found.state, gentle)
        later, w = where.ahead(before, found.v, size)
        a = where.facts(before, found.v).acceleration
        then = found._replace(here=later.facts(found.state, w))
        if gentle:
            try:
                then = self._consistent(later, state, w, fixed, True)
            except SimulationError:
                pass  # if the motion cannot continue, the error is raised when it gets there
            began = set(then.began) | fixed
            found = self._consistent(where, then.state, v, began, True, taken=True)
        slides = [
            np.linalg.norm(then.here.slide[g]) > _GENTLE**2 * self._push(where, found.state, v, g)
            for g in found.began
            if self._turns(found.state, g)
        ]
        if not any(slides):  # no slip with two rows is free
            return found
        on = later.held(found.state, found.v + 0.5 * size * (a + then.here.acceleration))
        here = later.facts(found.state, on)
        if self._reverses(here, found.state):
            if size < _SHORTEST:  # this slip vanishes right here, and stops with the others
                return found
            return self._with_first(where, found, state, v, fixed, 0.125 * size)
        # If another guard has its zero within the first move, there is no move: steps from here
        # lead to that zero.
        numbers = types.SimpleNamespace(**numbers_of(found.state, self.plan))
        past = [x.of(here, numbers, self.plan, np) < 0.0 for x in guards_of(self.plan)]
        if any(past):
            return found._replace(first=First(where.t, where.q, found.v, size))
        return found._replace(first=First(later.t, later.q, on, size))

    def _reverses(self, here: Contacts, state: ContactState) -> bool:
        """Return whether a slip points against its assumed direction."""
        return any(
            state.is_on(group)
            and not state.sticks[g]
            and np.linalg.norm(here.slip[g]) > here.noise[g]
            and here.slip[g] @ np.array(state.toward[g]) <= 0.0
            for g, group in enumerate(self.plan.groups)
        )

    def _stuck(self, state: ContactState, groups: set[int]) -> ContactState:
        """Return the state in which these groups stick as well."""
        sticks = tuple(
            x or (g in groups and state.is_on(self.plan.groups[g]))
            for g, x in enumerate(state.sticks)
        )
        return dataclasses.replace(state, sticks=sticks, rests=False)

    def _consistent(
        self,
        where: Where,
        state: ContactState,
        v: np.ndarray,
        fixed: set[int],
        project: bool,
        taken: bool = False,
    ) -> Settled:
        """Correct the worst violated condition until all hold; `taken`: directions are given."""
        seen: list[ContactState] = []
        began = set(fixed)
        for g in fixed:
            if state.sticks[g] and state.is_on(self.plan.groups[g]):
                state = self._begun(where, state, where.held(state, v) if project else v, g)
        for _ in range(4 * (len(self.plan.contacts) + len(self.plan.groups)) + 4):
            # groups that begin to slide have no slip yet: remove its round-off from v
            on = where.held(self._stuck(state, began), v) if project else v
            state = self.shared(where, state, on)
            if not taken:
                state = self._directed(where, state, on, began)
            here = where.facts(state, on)
            # NaN: rows depend on each other, also those of laws with a given load
            if not (here.minor > 0.0 and np.all(np.isfinite(here.acceleration))):
                self.refuse(where, state, v, "Coulomb's law has no unique solution here")
            change = None if taken else self._wrong(where, state, here, on, fixed, began)
            if change is None:
                state = facing(state, here, self.plan)
                return Settled(state, on, frozenset(began), here)
            if change in seen:
                break
            seen.append(state)
            state = change
        self.refuse(where, state, v, "no set of contacts was found that goes on from here")
        raise AssertionError

    def _wrong(
        self,
        where: Where,
        state: ContactState,
        here: Contacts,
        v: np.ndarray,
        fixed: set[int],
        began: set[int],
    ) -> ContactState | None:
        """Return the state with the worst violated condition corrected; None: all hold."""
        plan = self.plan
        size = SMALL * max(np.max(np.abs(here.load), initial=0.0), where.weight(v))
        # redundant rows have the round-off of the split as well, see `dynamics._SOFT`
        size *= 10.0 if plan.redundant else 1.0
        worst, found = 0.0, None
        for c, shut in enumerate(state.shut):
            if shut and here.load[c] < -size and -here.load[c] > worst:
                worst, found = -here.load[c], c
        if found is not None:
            return opened(state, found, plan)
        for c, shut in enumerate(state.shut):
            if not shut and where.touches(here, c) and here.lift[c] < -where.slow(v):
                return self._closed(where, state, here, v, c, began)
        for g, group in enumerate(plan.groups):
            if state.is_on(group) and state.sticks[g]:
                over = -float(cone(here, g, np))
                if over > size and over > worst:
                    worst, found = over, g
        if found is not None:
            began.add(found)
            return self._begun(where, state, v, found)
        for g in began - fixed:
            if not state.sticks[g] and state.is_on(plan.groups[g]):
                d = np.array(state.toward[g])
                if here.slide[g] @ d < -where.slow(v):
                    return replaced(state, "sticks", g, True)
        return None

    def _closed(
        self,
        where: Where,
        state: ContactState,
        here: Contacts,
        v: np.ndarray,
        c: int,
        began: set[int],
    ) -> ContactState:
        """Return the state in which contact c is closed, and slides as it would if it were open.

        Groups of c without a slip begin to slide, and hold if friction would push them back.
        """
        sizes = where.sizes(state, v)
        state = replaced(state, "shut", c, True)
        for g, group in enumerate(self.plan.groups):
            if group.contact == c:
                noise = STILL * max(sizes[list(group.rows)], default=0.0)
                still = np.linalg.norm(here.slip[g]) <= noise
                state = toward(state, g, here.slide[g] if still else here.slip[g])
                began |= {g} if still else set()
        return state

    # -- what has no solution --------------------------------------------------------------------

    def refuse(self, where: Where, state: ContactState, v: np.ndarray, why: str) -> None:
        """Raise an error that lists the candidate sets of contacts and which are consistent."""
        self._refuse_dependent(where, state, v)
        told = []
        for other in self._candidates(where, state, v):
            told.append(_judged(self.plan, other, where.facts(other, v), where))
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

    def _candidates(self, where: Where, state: ContactState, v: np.ndarray) -> list[ContactState]:
        """Return `state` and the states that differ in which touching contacts are closed."""
        plan, found = self.plan, []
        here = where.facts(state, v)
        touching = [c for c in range(len(plan.contacts)) if state.shut[c] or where.touches(here, c)]
        for shut in itertools.product((True, False), repeat=min(len(touching), _MOST)):
            other = state
            for c, on in zip(touching, shut):
                other = replaced(other, "shut", c, True) if on else opened(other, c, plan)
            found.append(other)
        return found

    def _refuse_dependent(self, where: Where, state: ContactState, v: np.ndarray) -> None:
        """Raise `UsageError` for linearly dependent rows, which are not Painleve's case."""
        if self.plan.redundant:
            return
        here = where.mechanics(state, v)
        held = here.rows[here.on > 0.0]
        rank = row_rank(held, here.G).rank
        if rank == len(held):
            return
        cure = "Leave some of them out"
        if self.given:
            cure = "with_friction(..., redundant=True) shares them by least stored energy"
        raise UsageError(
            f"at t = {where.t:.15g}, in '{state.name(self.plan)}', {len(held)} rows of contacts "
            f"and constraints have rank {rank}: their loads are not determined. {cure}"
        )


# -- states of contacts --------------------------------------------------------------------------


def replaced(state: ContactState, field: str, i: int, value: object) -> ContactState:
    """Return the state with another entry i of a field."""
    given = list(getattr(state, field))
    given[i] = value
    return dataclasses.replace(state, **{field: tuple(given)}, rests=False)


def toward(state: ContactState, g: int, d: Any) -> ContactState:
    """Return the state in which group g slides along d."""
    d = np.asarray(d)
    length = float(np.linalg.norm(d))
    unit = d / length if length > 0.0 else np.zeros(2)
    return replaced(state, "toward", g, (float(unit[0]), float(unit[1])))


def opened(state: ContactState, c: int, plan: ContactPlan) -> ContactState:
    """Return the state in which contact c is open."""
    state = replaced(state, "shut", c, False)
    for g, group in enumerate(plan.groups):
        if group.contact == c:
            state = replaced(state, "sticks", g, False)
    return state


def facing(state: ContactState, here: Contacts, plan: ContactPlan) -> ContactState:
    """Return the state with the present directions of sliding groups, where slips have one."""
    for g, group in enumerate(plan.groups):
        slides = state.is_on(group) and not state.sticks[g]
        if slides and len(group.rows) == 2 and np.linalg.norm(here.slip[g]) > here.noise[g]:
            if here.slip[g] @ np.array(state.toward[g]) > 0.0 or _is_clear(here, g):
                state = toward(state, g, here.slip[g])
    return state


def _is_clear(here: Contacts, g: int) -> bool:
    return bool(np.linalg.norm(here.slip[g]) > 1e-6)


def has_turned(here: Contacts, plan: ContactPlan, g: int, h: float) -> bool:
    """Return whether a slip of two rows has turned from its initial direction, and is not zero."""
    if len(plan.groups[g].rows) == 1:
        return False
    return bool(np.linalg.norm(here.slip[g]) > _TURNED * h * np.linalg.norm(here.slide[g]))


def _parallel(off: Callable[[float], tuple[float, float]], first: float, small: float) -> float:
    """Return the angle nearest to `first` at which the acceleration is along the direction.

    `off(angle)` returns the components of the acceleration across and along the direction. The
    angle is found by secants, or, if these do not converge, by a grid over all angles.
    """
    x, fx, y = first, off(first)[0], first + 1e-4
    for _ in range(30):
        fy, along = off(y)
        if abs(fy) <= small and along > -small:
            return y
        if fy == fx or abs(y - first) > 0.5 * np.pi:
            break
        x, fx, y = y, fy, y - fy * (y - x) / (fy - fx)
    grid = first + np.concatenate([[0.0], *([x, -x] for x in np.linspace(0.05, np.pi, 63))])
    values = {x: off(x)[0] for x in sorted(grid)}
    best: list[float] = []
    for a, b in itertools.pairwise(values):
        fa, fb = values[a], values[b]
        if fa == 0.0 or fa * fb < 0.0:
            for _ in range(60):
                middle = 0.5 * (a + b)
                fm = off(middle)[0]
                a, b, fa = (middle, b, fm) if fm * fa > 0.0 else (a, middle, fa)
            if off(0.5 * (a + b))[1] > 0.0:
                best.append(0.5 * (a + b))
    return min(best, key=lambda x: abs(x - first)) if best else first


def _judged(
    plan: ContactPlan, other: ContactState, here: Contacts, where: Where
) -> tuple[str, bool, str]:
    """Return (name, whether it is consistent, why not) for a candidate state."""
    for c, name in enumerate(plan.contacts):
        if other.shut[c] and not here.load[c] >= 0.0:
            return other.name(plan), False, f"'{name}' would pull with {-here.load[c]:.3g} N"
        if not other.shut[c] and where.touches(here, c) and here.lift[c] < 0.0:
            told = f"'{name}' would fall into its surface at {-here.lift[c]:.3g} m/s^2"
            return other.name(plan), False, told
    for g, group in enumerate(plan.groups):
        if other.is_on(group) and other.sticks[g] and cone(here, g, np) < 0.0:
            return other.name(plan), False, f"'{group.name}' would leave its cone"
    return other.name(plan), True, "goes"


__all__ = [
    "STILL",
    "Decider",
    "First",
    "Settled",
    "facing",
    "has_turned",
    "opened",
    "replaced",
    "toward",
]
