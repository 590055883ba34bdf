"""Impacts with friction of closing contacts while others are closed, by Routh's method.

The normal impulse grows from zero, and friction follows by Coulomb's law in one or two directions;
meanwhile the slip may turn, stop and begin again. The approach ends when the normal velocity is
zero. The rebound ends when the normal impulse has returned e^2 of the work that the approach took.
(This is Stronge's rule, which never creates energy, and agrees with Newton's rule if the slip does
not stop.) If several contacts close at the same instant, the fastest is struck first, and each is
struck again as long as it approaches. Contacts that were closed before push back meanwhile, with
friction by the same law, and open if they would have to pull.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import SimulationError
from .contact_law import ContactPlan, ContactState

_PIECES = 256  # steps of order 4 in the normal impulse: relative error below 1e-10
_STRIKES = 200  # largest number of strikes among contacts that close together
_PARALLEL = 1e-14  # sine of the angle between a slip and its rate: the slip does not turn
_TINY = 1e-12  # relative to the speeds before: a slip below this has stopped


class Struck(NamedTuple):
    """The velocity after impacts, which contacts remain closed, and which groups stick."""

    v: np.ndarray
    stay: tuple[int, ...]
    leave: tuple[int, ...]
    still: dict[int, bool]  # by group


def struck(
    here: Any, plan: ContactPlan, state: ContactState, hits: list[int], rest_speed: float
) -> Struck:
    """Return the result of the impacts of the contacts `hits`; `here` has metric, rows and laws."""
    v, waiting = here.v.copy(), list(hits)
    closed = {c for c, shut in enumerate(state.shut) if shut}
    still = {g: state.sticks[g] for g, x in enumerate(plan.groups) if state.is_on(x)}
    size = {c: _TINY * float(np.abs(here.rows[row]) @ np.abs(v)) for c, row in _normals(plan)}
    for _ in range(_STRIKES):
        speeds = {c: float(here.rows[plan.normals[c]] @ v) for c in waiting}
        falling = [c for c in waiting if speeds[c] < -size[c]]
        if not falling:
            break
        c = min(falling, key=lambda c: speeds[c])
        strike = _Strike(here, plan, c, closed - {c}, still)
        v = strike.run(v)
        still.update(strike.still(v))
        for other in closed - strike.closed - {c}:  # these contacts open, and may close again
            closed.discard(other)
            waiting.append(other)
        if float(here.rows[plan.normals[c]] @ v) <= rest_speed:
            closed.add(c)
            waiting.remove(c)
    else:
        raise SimulationError(
            "impacts do not end: contacts that close together strike each other again and again",
            advice="Give them a smaller restitution",
        )
    # a contact that neither approaches nor separates was stopped by the others
    closed |= {c for c in waiting if abs(float(here.rows[plan.normals[c]] @ v)) <= size[c]}
    before = {c for c, shut in enumerate(state.shut) if shut}
    leave = ({*hits} | before) - closed
    return Struck(v, tuple(sorted(closed - before)), tuple(sorted(leave)), still)


def _normals(plan: ContactPlan) -> list[tuple[int, int]]:
    return list(enumerate(plan.normals))


class _Rates(NamedTuple):
    """Rates per unit of normal impulse of the striking contact."""

    v: np.ndarray
    loads: dict[int, float]  # of closed contacts
    pulls: dict[int, np.ndarray]  # of groups that stick


class _Strike:
    """An impact of contact c, while closed contacts push back with their own friction.

    The normal velocity of a closed contact is constant as long as the contact pushes. A friction
    group sticks within its cone, and slides otherwise. A group whose load is given has no impulse,
    because its force is finite.
    """

    straight: np.ndarray | None = None  # rates of the velocity, as long as they are constant

    def __init__(
        self, here: Any, plan: ContactPlan, c: int, closed: set[int], still: dict[int, bool]
    ) -> None:
        self.here, self.plan, self.c, self.closed = here, plan, c, set(closed)
        self.inverse = np.linalg.inv(here.G)
        own = {*plan.normals, *(row for x in plan.groups for row in x.rows)}
        self.bound = [i for i in range(len(here.on)) if here.on[i] > 0.0 and i not in own]
        self.holding = {g for g in self.groups() if still.get(g, False)}
        self.toward: dict[int, np.ndarray] = {}
        self.began: set[int] = set()

    def groups(self) -> list[int]:
        """Return the groups of the contacts that touch."""
        touching = {*self.closed, self.c}
        return [g for g, x in enumerate(self.plan.groups) if x.contact in touching]

    def slip(self, g: int, v: np.ndarray) -> np.ndarray:
        at = list(self.plan.groups[g].rows)
        return self.here.rows[at] @ v - self.here.offset[at]

    def still(self, v: np.ndarray) -> dict[int, bool]:
        """Return which groups do not slip after the impact."""
        result = {g: g in self.holding for g in self.groups()}
        for g, x in enumerate(self.plan.groups):
            if x.contact is None:
                result[g] = float(np.linalg.norm(self.slip(g, v))) <= self.trifle(g, v)
        return result

    def trifle(self, g: int, v: np.ndarray) -> float:
        """Return the slip below which a group counts as not slipping."""
        at = list(self.plan.groups[g].rows)
        rows, u = self.here.rows[at], self.here.v
        size = float(np.max(np.abs(rows) @ np.abs(v), initial=0.0))
        # the scale is the largest slip that the energy before the impact could make
        most = np.max(np.einsum("ij,jk,ik->i", rows, self.inverse, rows), initial=0.0)
        return 10.0 * _TINY * max(size, float(np.sqrt(most * (u @ self.here.G @ u))))

    def run(self, v: np.ndarray) -> np.ndarray:
        """Return the velocity after the impact."""
        here, e, normal = self.here, float(self.here.restitution[self.c]), self.plan.normals[self.c]
        n = here.rows[normal]
        for g in self.groups():
            slip = self.slip(g, v)
            if np.linalg.norm(slip) <= self.trifle(g, v):
                self.holding.add(g)
            elif g not in self.holding:
                self.toward[g] = slip / np.linalg.norm(slip)
        self.settle(v)
        x, turned, work = np.append(v, 0.0), False, 0.0
        # the impulse that would end the approach without friction, in `_PIECES` steps
        step = -float(n @ v) / float(n @ self.moved(()) @ n) / _PIECES
        for _ in range(200 * _PIECES):
            self.straight = self.straight_rates(x[:-1])
            whole = step if self.straight is None else _PIECES * step
            after, ends = self.flow(x, whole), list[tuple[float, str]]()
            left = work * (1.0 - e**2)  # work at which the rebound ends
            # the first event in this step: a slip stops, the approach ends, or the rebound ends
            for g in self.groups():
                if g not in self.holding and self.along(g, after) <= 0.0:
                    ends.append((self.when(x, whole, functools.partial(self.along, g)), "stops"))
            if not turned and n @ after[:-1] >= 0.0:
                ends.append((self.when(x, whole, self.approach), "turns"))
            if turned and after[-1] >= left:
                ends.append((self.when(x, whole, functools.partial(_owed, left)), "ends"))
            length, what = min(ends) if ends else (whole, "")
            x = self.flow(x, length)
            self.straight = None
            if what == "turns":
                turned, work = True, float(x[-1])
            if what == "ends" or (turned and e == 0.0):
                return x[:-1]
            if what == "stops":
                self.stop(x[:-1])
            self.settle(x[:-1])
        raise SimulationError(
            f"an impact of '{self.plan.contacts[self.c]}' does not end: friction drives the "
            "contact into its surface",
            advice="Take a smaller mu",
        )

    def straight_rates(self, v: np.ndarray) -> np.ndarray | None:
        """Return the rates of the velocity if no slip turns, so that they are constant."""
        found = self.rates(v).v
        for g in set(self.groups()) - self.holding:
            at = list(self.plan.groups[g].rows)
            if len(at) == 2:
                (a, b), (c, d) = self.slip(g, v), self.here.rows[at] @ found
                if abs(a * d - b * c) > _PARALLEL * np.hypot(a, b) * np.hypot(c, d):
                    return None
        return found

    def stop(self, v: np.ndarray) -> None:
        """Let groups without slip stick, until their friction cone is exceeded."""
        for g in set(self.groups()) - self.holding:
            if np.linalg.norm(self.slip(g, v)) <= self.trifle(g, v):
                self.holding.add(g)
                self.began.discard(g)

    def when(self, x: np.ndarray, step: float, value: Callable[[np.ndarray], float]) -> float:
        """Return the impulse, within a step from x, at which a value decreases through zero."""
        return _root(lambda s: value(self.flow(x, s)), step)

    def approach(self, x: np.ndarray) -> float:
        """Return the speed at which the striking contact closes, after the impulse x."""
        return -float(self.here.rows[self.plan.normals[self.c]] @ x[:-1])

    def along(self, g: int, x: np.ndarray) -> float:
        return float(self.slip(g, x[:-1]) @ self.toward[g])

    def flow(self, x: np.ndarray, s: float) -> np.ndarray:
        """Return velocity and work of the striking contact after its impulse has grown by s."""
        n = self.here.rows[self.plan.normals[self.c]]
        if self.straight is not None:
            v, r = x[:-1], self.straight
            work = x[-1] + s * float(n @ v) + 0.5 * s**2 * float(n @ r)
            return np.append(v + s * r, work)
        return _moved(lambda y: np.append(self.rates(y[:-1]).v, n @ y[:-1]), x, s)

    def settle(self, v: np.ndarray) -> None:
        """Open contacts that would pull, and let groups slide that would leave their cone."""
        for g in self.groups():  # the direction of a slip of two rows turns
            slip = self.slip(g, v)
            if g not in self.holding and np.linalg.norm(slip) > self.trifle(g, v):
                if slip @ self.toward[g] > 0.0:
                    self.toward[g] = slip / np.linalg.norm(slip)
        for _ in range(8 * len(self.plan.groups) + 8):
            now = self.rates(v)
            size = 1e-9 * max(1.0, *map(abs, now.loads.values())) if now.loads else 1e-9
            pulled = [c for c, load in now.loads.items() if load < -size]
            if pulled:
                self.closed.discard(min(pulled, key=lambda c: now.loads[c]))
                self.holding &= set(self.groups())
                continue
            loads, over = {**now.loads, self.c: 1.0}, {}
            for g, pull in now.pulls.items():
                mu = np.where(self.mu(g) > 0.0, self.mu(g), 1e-300)
                contact: Any = self.plan.groups[g].contact
                if np.linalg.norm(pull / mu) > loads[contact] + size / max(float(np.max(mu)), 1e-9):
                    over[g] = float(np.linalg.norm(pull))
            if over:
                g = max(over, key=lambda g: over[g])
                self.begin(g, v, now.pulls[g])
                continue
            back = [
                g
                for g in self.began
                if g not in self.holding
                and np.linalg.norm(self.slip(g, v)) <= self.trifle(g, v)
                and self.slip_rate(g, v) @ self.toward[g] < -size
            ]
            if not back:
                return
            self.holding.add(back[0])
            self.began.discard(back[0])
        names = ", ".join(f"'{self.plan.contacts[c]}'" for c in sorted({*self.closed, self.c}))
        raise SimulationError(
            f"an impact of contacts {names}: no combination of sticking and sliding contacts "
            "allows the motion to continue",
            advice="Take a smaller mu, or let the support be elastic (parts.Strut)",
        )

    def begin(self, g: int, v: np.ndarray, pull: np.ndarray) -> None:
        """Let a group slide from now on, in the direction in which it is pushed."""
        mu = np.where(self.mu(g) > 0.0, self.mu(g), 1.0)
        away = -pull / mu**2
        self.toward[g] = away / np.linalg.norm(away)
        self.holding.discard(g)
        self.began.add(g)
        if len(pull) == 1:
            return
        for _ in range(200):  # fixed-point iteration until the slip acceleration is along the slip
            pushed = self.slip_rate(g, v)
            if not np.linalg.norm(pushed) > 0.0:
                return
            d = self.toward[g] + pushed / np.linalg.norm(pushed)
            if not np.linalg.norm(d) > 0.0:
                return
            self.toward[g] = d / np.linalg.norm(d)

    def slip_rate(self, g: int, v: np.ndarray) -> np.ndarray:
        return self.here.rows[list(self.plan.groups[g].rows)] @ self.rates(v).v

    def mu(self, g: int) -> np.ndarray:
        return self.here.mu[g][: len(self.plan.groups[g].rows)]

    def moved(self, groups: Any) -> np.ndarray:
        """Return changes of v by impulses, with normals, bound rows and these groups held."""
        S, _ = self.held(groups)
        if not len(S):
            return self.inverse
        raised = self.inverse @ S.T
        hold = np.linalg.pinv(S @ raised, rcond=1e-10, hermitian=True)
        return self.inverse - raised @ hold @ raised.T

    def held(self, groups: Any) -> tuple[np.ndarray, list[int]]:
        at = [*self.bound, *(self.plan.normals[c] for c in sorted(self.closed))]
        for g in sorted(groups):
            at += self.plan.groups[g].rows
        return self.here.rows[at], at

    def rates(self, v: np.ndarray) -> _Rates:
        """Return the rates of velocity, loads, and friction of sticking groups."""
        rows, closed = self.here.rows, sorted(self.closed)
        push = {c: rows[self.plan.normals[c]] * 0.0 for c in (*closed, self.c)}
        push[self.c] = rows[self.plan.normals[self.c]].copy()
        for g in self.groups():
            if g in self.holding:
                continue
            slip, d = self.slip(g, v), self.toward[g]
            if len(d) == 2 and np.linalg.norm(slip) > self.trifle(g, v):
                d = slip if slip @ d >= 0.0 else -slip
            contact: Any = self.plan.groups[g].contact
            push[contact] -= _friction(self.mu(g), d) @ rows[list(self.plan.groups[g].rows)]
        S, at = self.held(self.holding)
        F = np.stack([push[c] for c in (*closed, self.c)], axis=1)
        raised, driven = self.inverse @ S.T, self.inverse @ F
        hold = np.linalg.pinv(S @ raised, rcond=1e-10, hermitian=True) if len(S) else S @ raised
        lam = -hold @ (S @ driven)
        first = len(self.bound)
        own = lam[first : first + len(closed)]
        # loads of closed contacts per unit of striking impulse; in Painleve's region they are not
        # determined
        matrix = np.eye(len(closed)) - own[:, :-1]
        if not np.linalg.det(matrix) > 0.0:
            names = ", ".join(f"'{self.plan.contacts[c]}'" for c in closed)
            raise SimulationError(
                f"'{self.plan.contacts[self.c]}' lands while {names} are closed, and their "
                "impulses with friction are not determined by Coulomb's law (Painleve)",
                advice="Take a smaller mu, or let the support be elastic (parts.Strut)",
            )
        loads = np.append(np.linalg.solve(matrix, own[:, -1]), 1.0)
        reaction = lam @ loads
        result = dict(zip(at, reaction))
        pulls = {g: np.array([result[i] for i in self.plan.groups[g].rows]) for g in self.holding}
        dv = driven @ loads + raised @ reaction
        return _Rates(dv, dict(zip(closed, map(float, loads[:-1]))), pulls)


def _owed(left: float, x: np.ndarray) -> float:
    """Return the work still to be returned until `left` remains."""
    return left - float(x[-1])


def _friction(mu: np.ndarray, slip: np.ndarray) -> np.ndarray:
    length = float(np.linalg.norm(mu * slip))
    return mu**2 * slip / length if length > 0.0 else np.zeros_like(slip)


def _moved(rate: Callable[[np.ndarray], np.ndarray], x: np.ndarray, s: float) -> np.ndarray:
    """Take a classical Runge-Kutta step of order 4; exact if friction does not turn."""
    a = rate(x)
    b = rate(x + 0.5 * s * a)
    c = rate(x + 0.5 * s * b)
    return x + s / 6.0 * (a + 2.0 * b + 2.0 * c + rate(x + s * c))


def _root(g: Callable[[float], float], high: float) -> float:
    """Return where g decreases through zero between 0 and `high`."""
    low = 0.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if g(middle) > 0.0 else (low, middle)
    return high


__all__ = ["Struck", "struck"]
