"""Evaluate the contacts of a system at a point, for any of their states, by compiled functions.

The state of the contacts is a few numbers among the parameters of the compiled code. To try another
state, these numbers are overwritten: nothing is traced, compiled or compared when a mode changes.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..compile.cache.code_key import CodeKey
from ..compile.function import Function, as_arrays, code_of, evaluator
from ..compile.layout import Layout
from ..groupoids import move
from ..linalg import row_rank
from ..system import Point
from .contact_law import ContactPlan, ContactState
from .coulomb import STATE, Contacts, contacts_at, numbers_of

SMALL = 1e-9  # relative to the loads: a condition that is violated by less counts as satisfied
_TOUCHES = 1e-9  # m, or relative to the largest coordinate if that is above 1: smaller gaps: closed
_RATE = 1e-9  # m/s: a contact that approaches or separates slower is on its surface


class Mechanics(NamedTuple):
    """What an impact needs: metric, all constraint rows with right-hand sides, contact laws."""

    G: np.ndarray
    rows: np.ndarray
    offset: np.ndarray
    on: np.ndarray  # 1 for rows that act, else 0
    mu: np.ndarray
    mu_static: np.ndarray
    restitution: np.ndarray
    v: np.ndarray


class ContactCode:
    """Compiled functions of a system with contacts; the state of the contacts is an argument."""

    def __init__(self, system: Any) -> None:
        self.system, self._functions = system, dict[Any, Function]()
        self.has_offset = bool(system.has_offset)
        self._key = CodeKey(code_of(system))
        parameters = (as_arrays(system)[0],)
        self._layout = layout = Layout(parameters)
        self._packed = layout.pack_numpy(parameters)
        leaves = jax.tree.leaves(parameters)
        self._places: dict[str, slice] = {}
        for name in STATE:  # find the arrays of the state among the leaves, by identity
            mine = getattr(parameters[0], name)
            i = next(i for i, x in enumerate(leaves) if x is mine)
            self._places[name] = slice(layout.ends[i], layout.ends[i + 1])
        q = jax.eval_shape(system.groupoid.base.identity)
        self._row = (np.zeros(()), q, np.zeros(system.dim))

    def of(self, system: Any) -> ContactCode:
        """Return the same code for other parameter values, such as another input."""
        made = copy.copy(self)
        made.system = system
        made._packed = self._layout.pack_numpy((as_arrays(system)[0],))
        return made

    def state(self, packed: np.ndarray) -> ContactState:
        """Return the state of the contacts among packed parameters."""
        shut, sticks, toward, soft, awake = (packed[self._places[x]] for x in STATE)
        pairs = [tuple((float(a), float(b)) for a, b in x.reshape(-1, 2)) for x in (toward, soft)]
        flags = [tuple(bool(x) for x in y) for y in (shut, sticks)]
        return ContactState(flags[0], flags[1], pairs[0], rests=not awake[0], soft=pairs[1])

    @property
    def is_warm(self) -> bool:
        """Whether the functions that decisions need are compiled."""
        return _measures in self._functions

    @property
    def is_current(self) -> bool:
        """Whether the code of the system is still the one that was compiled."""
        return self._key == CodeKey(code_of(self.system))

    def parameters(self, state: ContactState) -> np.ndarray:
        """Return the packed parameters of the system in a state."""
        packed = self._packed.copy()
        for name, value in numbers_of(state, self.system.contact_plan).items():
            packed[self._places[name]] = np.ravel(value)
        return packed

    def __call__(
        self, function: Callable[..., Any], state: ContactState, row: np.ndarray, *more: Any
    ) -> Any:
        """Return function(system, t, q, v, *more) of the system in a state, at a packed row."""
        code = self._functions.get(function)
        if code is None:
            like = (*self._row, *(np.zeros(()) for _ in more))
            code = evaluator(function, (self.system,), like).function
            self._functions[function] = code
        packed = np.concatenate([self.parameters(state), row, more])
        return code.results.unpack(code.packed(packed))


class Where:
    """A time and a point at which states of contacts are tried."""

    def __init__(self, code: ContactCode, t: float, q: Point) -> None:
        self.code, self.t, self.q = code, t, q
        self.system, self.plan = code.system, code.system.contact_plan
        self._at = np.concatenate([[t], *(np.ravel(x) for x in jax.tree.leaves(q))])
        self._known: dict[Any, Any] = {}
        far = [float(np.max(np.abs(x), initial=0.0)) for x in jax.tree.leaves(q)]
        self.near = _TOUCHES * max(1.0, *far)  # largest gap of a closed contact

    def _of(self, function: Any, state: ContactState, v: np.ndarray) -> Any:
        state = dataclasses.replace(state, rests=False)
        key = (function, state, v.tobytes())
        if key not in self._known:
            self._known[key] = self.code(function, state, np.concatenate([self._at, v]))
        return self._known[key]

    def facts(self, state: ContactState, v: np.ndarray) -> Contacts:
        """Return what loads, slips and accelerations would be with the contacts in this state."""
        return self._of(contacts_at, state, v)

    def held(self, state: ContactState, v: np.ndarray) -> np.ndarray:
        """Return the velocity nearest to v that satisfies the rows of a state."""
        return self._of(projected, state, v)

    def mechanics(self, state: ContactState, v: np.ndarray) -> Mechanics:
        """Return metric, rows and laws in this state."""
        return Mechanics(*self._of(mechanics, state, v), v=v)

    def measured(self, state: ContactState, v: np.ndarray) -> tuple[np.ndarray, float]:
        """Return (momentum, energy)."""
        p, E = self._of(_measures, state, v)
        return p, float(E)

    def ahead(self, state: ContactState, v: np.ndarray, size: float) -> tuple[Where, np.ndarray]:
        """Return (`Where`, v) that the motion in a state reaches after the time `size`."""
        row = np.concatenate([self._at, v])
        q, v = self.code(ahead, dataclasses.replace(state, rests=False), row, size)
        return Where(self.code, self.t + size, q), v

    def sizes(self, state: ContactState, v: np.ndarray) -> np.ndarray:
        """Return the sum of the absolute terms of each row times v, the scale of its round-off."""
        here = self.mechanics(state, v)
        return np.abs(here.rows) @ np.abs(v) + np.abs(here.offset) + 1e-300

    def weight(self, v: np.ndarray) -> float:
        """Return the scale of forces at rows: the largest reaction if everything stuck."""
        here = self.facts(everything(self.plan), v)
        sizes = [here.load, here.pull]
        return float(max(np.max(np.abs(x), initial=0.0) for x in sizes)) + 1e-300

    def slow(self, v: np.ndarray) -> float:
        """Return an acceleration that is mere round-off beside the accelerations of free motion."""
        free = self.facts(all_open(self.plan), v)
        sizes = [free.lift, free.slide]
        return SMALL * float(max(np.max(np.abs(x), initial=0.0) for x in sizes)) + 1e-300

    def touches(self, here: Contacts, c: int) -> bool:
        """Return whether a contact is on its surface, and neither approaches nor separates."""
        return bool(abs(here.gap[c]) <= self.near and abs(here.rate[c]) <= _RATE)

    def mobility(self, state: ContactState, g: int) -> float:
        """Return an estimate of a group's slip acceleration per unit force along its rows."""
        here = self.mechanics(state, np.zeros(self.system.dim))
        rows = here.rows[list(self.plan.groups[g].rows)]
        return float(np.max(np.abs(rows @ np.linalg.solve(here.G, rows.T))))

    def rests(self, state: ContactState, v: np.ndarray) -> bool:
        """Return whether nothing can move: all velocities are held, all surfaces are at rest."""
        plan = self.plan
        if self.code.has_offset or not plan.groups:
            return False
        if any(state.is_on(g) and not state.sticks[i] for i, g in enumerate(plan.groups)):
            return False
        here = self.mechanics(state, v)
        held = here.rows[here.on > 0.0]
        return row_rank(held, here.G).rank == len(v)


def everything(plan: ContactPlan) -> ContactState:
    """Return the state in which all contacts are closed and stick."""
    groups = len(plan.groups)
    return ContactState((True,) * len(plan.contacts), (True,) * groups, ((1.0, 0.0),) * groups)


def all_open(plan: ContactPlan) -> ContactState:
    """Return the state in which nothing touches."""
    groups = len(plan.groups)
    return ContactState((False,) * len(plan.contacts), (False,) * groups, ((0.0, 0.0),) * groups)


def projected(system: Any, t: Any, q: Point, v: jax.Array) -> jax.Array:
    """Return the velocity nearest to v that satisfies the rows of the system's state."""
    return dynamics.projected(system, q, v, t)


def _measures(system: Any, t: Any, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    return dynamics.momentum(system, q, v, t), dynamics.energy(system, q, v, t)


def mechanics(system: Any, t: Any, q: Point, v: jax.Array) -> tuple[jax.Array, ...]:
    """Return the entries of `Mechanics` except v."""
    k = system.contact_plan.holonomic
    b = jnp.concatenate([jnp.zeros(k), system.every_offset(t, q)])
    here = system.coefficients(t, q, v)
    G = dynamics.metric(system, q, v, t)
    rows, on = system.every_row(q), system.switches.rows
    return G, rows, b, on, here.mu, here.mu_static, system.restitution


def law_margins(system: Any, t: Any, q: Point, v: jax.Array) -> jax.Array:
    """Return mu and mu_static - mu of closed contacts, (2, groups): negative if they are wrong."""
    here, plan = system.coefficients(t, q, v), system.contact_plan
    shut = [1.0 if g.contact is None else system.shut[g.contact] for g in plan.groups]
    closed = jnp.stack([jnp.asarray(x, float) for x in shut])[:, None] > 0.0
    both = jnp.stack([here.mu, here.mu_static - here.mu])
    return jnp.min(jnp.where(closed, both, 0.0), axis=2)


def ahead(system: Any, t: Any, q: Point, v: jax.Array, size: Any) -> tuple[Point, jax.Array]:
    """Return where the motion is after a short time, to second order."""
    a = contacts_at(system, t, q, v).acceleration
    there = move(system.groupoid, q, size * v + 0.5 * size**2 * a)
    return there, dynamics.projected(system, there, v + size * a, t + size)


__all__ = [
    "SMALL",
    "ContactCode",
    "Mechanics",
    "Where",
    "ahead",
    "all_open",
    "everything",
    "law_margins",
    "mechanics",
    "projected",
]
