"""Flow on a level of its integrals, and a closed curve across it: steps, walks and returns.

States are (q, v), with charts z = (w, change of v) at each. Steps along the flow and along the
curve are Gauss' collocation of order 12; all functions are compiled for rows of states and called
from the host. `tori` computes frequencies from them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...compile.function import compiled_rows
from ...dynamics import acceleration, energy
from ...linalg import gauss_rule, inverse, solve_spd
from ...system import Point, System
from .chaplygin_reduction import Chaplygin

_STAGES, _ITERATIONS = 6, 14  # collocation of order 12, solved by fixed-point iteration
_STEPS = 1500  # most steps of a return: 300 times what the fastest part of the motion takes
StateFunction = Callable[[Point, jax.Array], jax.Array]
State = tuple[Point, jax.Array]


# -- the flow, its integrals and the area --------------------------------------------------------


class TorusFlow(NamedTuple):
    """The motion near states, in charts z = (w, change of v) at them; traced."""

    whole: System | Chaplygin
    functions: tuple[StateFunction, ...]

    @property
    def system(self) -> System:
        return self.whole.reduced if isinstance(self.whole, Chaplygin) else self.whole

    def moved(self, state: State, z: jax.Array) -> State:
        n = self.system.dim
        return groupoids.move(self.system.groupoid, state[0], z[:n]), state[1] + z[n:]

    def apart(self, state: State, other: State) -> jax.Array:
        """Return z of the other state in the chart at `state`."""
        w = self.system.groupoid.coordinates((state[0], other[0]))
        return jnp.concatenate([w, other[1] - state[1]])

    def chart_rate(self, state: State, z: jax.Array, change: jax.Array) -> jax.Array:
        """Convert a change of (q, v) at the state with coordinates z into a change of z."""
        n, groupoid = self.system.dim, self.system.groupoid
        rate = groupoid.coordinate_velocity(state[0], z[:n], change[:n])
        return jnp.concatenate([rate, change[n:]])

    def field(self, state: State, z: jax.Array) -> jax.Array:
        """Return z' in the chart at the state."""
        q, v = self.moved(state, z)
        return self.chart_rate(state, z, jnp.concatenate([v, acceleration(self.system, q, v)]))

    def values(self, state: State) -> jax.Array:
        found, full = [energy(self.system, *state)], state
        if isinstance(self.whole, Chaplygin):
            full = self.whole.lift(state[0], self.whole.group.identity(), state[1])
        found += [f(*full) for f in self.functions]
        return jnp.concatenate([jnp.ravel(x) for x in found])

    def slopes(self, state: State) -> jax.Array:
        zero = jnp.zeros(2 * self.system.dim)
        return jax.jacfwd(lambda z: self.values(self.moved(state, z)))(zero)

    def advance(self, state: State, h: jax.Array) -> State:
        """Return the state after time h."""
        size = 2 * self.system.dim
        return self.moved(state, _step(lambda z: self.field(state, z), size, h))


class Crossed(NamedTuple):
    """A flow with a section; the curve is where F = level and the section function vanishes."""

    flow: TorusFlow
    across: StateFunction

    def rate(self, state: State) -> tuple[jax.Array, jax.Array]:
        """Return the section function and its rate along the flow."""
        zero = jnp.zeros(2 * self.flow.system.dim)
        X = self.flow.field(state, zero)
        return jax.jvp(lambda z: self.across(*self.flow.moved(state, z)), (zero,), (X,))

    def rows(self, state: State) -> jax.Array:
        """Return the rows dF and d(section function), which annihilate the tangent of the curve."""
        zero = jnp.zeros(2 * self.flow.system.dim)
        ds = jax.jacfwd(lambda z: self.across(*self.flow.moved(state, z)))(zero)
        return jnp.concatenate([self.flow.slopes(state), ds[None]])

    def tangent(self, state: State, guide: jax.Array) -> jax.Array:
        """Return the unit tangent of the curve in the direction of `guide`."""
        A = self.rows(state)
        A = A / jnp.linalg.norm(A, axis=1, keepdims=True)
        t = guide - A.T @ solve_spd(A @ A.T, A @ guide)
        return t / jnp.linalg.norm(t)

    def walk(self, state: State, guide: jax.Array, length: jax.Array, level: jax.Array) -> State:
        """Return the state `length` further along the curve, corrected by Newton's method."""
        flow = self.flow

        def f(z):
            return flow.chart_rate(state, z, self.tangent(flow.moved(state, z), guide))

        there = flow.moved(state, _step(f, 2 * flow.system.dim, length))
        for _ in range(2):
            A = self.rows(there)
            miss = jnp.append(flow.values(there) - level, self.across(*there))
            there = flow.moved(there, -A.T @ solve_spd(A @ A.T, miss))
        return there

    def flux(self, state: State, t: jax.Array) -> jax.Array:
        """Return sigma(X, t) without its density, the flux through a piece t of the curve."""
        X = self.flow.field(state, jnp.zeros(2 * self.flow.system.dim))
        dF = self.flow.slopes(state)
        across = dF.T @ inverse(dF @ dF.T)
        return jnp.linalg.det(jnp.concatenate([X[:, None], t[:, None], across], axis=1))


# -- steps of high order -------------------------------------------------------------------------


@functools.cache
def _tableau() -> tuple[np.ndarray, np.ndarray]:
    nodes, weights = gauss_rule(_STAGES)
    powers = np.arange(_STAGES)
    upto = nodes[:, None] ** (powers + 1) / (powers + 1)
    return upto @ np.linalg.inv(nodes[:, None] ** powers), weights


def _step(f: Callable[[jax.Array], jax.Array], size: int, h: jax.Array) -> jax.Array:
    """Return z(h) of z' = f(z), z(0) = 0, by Gauss' collocation."""
    A, b = map(jnp.asarray, _tableau())
    start = jnp.broadcast_to(f(jnp.zeros(size)), (_STAGES, size))
    k = jax.lax.fori_loop(0, _ITERATIONS, lambda _, k: jax.vmap(f)(h * (A @ k)), start)
    return h * (b @ k)


def advanced(whole, q, v, h):
    """Return the state after time h."""
    flow = TorusFlow(whole, ())
    q, v = flow.advance((q, v), h)
    return flow.system.groupoid.base.project(q), v


def _crossed(whole, q, v, functions, across):
    return Crossed(TorusFlow(whole, functions), across).rate((q, v))


def _values(whole, q, v, functions):
    return TorusFlow(whole, functions).values((q, v))


def tangent_rows(whole, q, v, guide, functions, across):
    """Return the unit tangent of the curve, and the flux through it without the density."""
    made = Crossed(TorusFlow(whole, functions), across)
    return made.tangent((q, v), guide), made.flux((q, v), guide)


def _walked(whole, q, v, guide, length, level, functions, across):
    made = Crossed(TorusFlow(whole, functions), across)
    there = made.walk((q, v), guide, length, level)
    return there, made.tangent(there, guide)


def _differences(whole, q, v, x, u):
    return TorusFlow(whole, ()).apart((q, v), (x, u))


class TorusSection:
    """Functions of a section at rows of states, compiled once and called from the host."""

    def __init__(self, flow: TorusFlow, across: StateFunction, state: State):
        self.flow, self.across = flow, across
        self.level = self.at_rows(_values, (single(state),), functions=True)[0]

    def at_rows(self, function, rows, *, functions=False, across=False):
        """Evaluate a function at rows (state, ...) and return NumPy arrays."""
        same = (self.flow.functions,) * functions + (self.across,) * across
        flat = (*rows[0], *rows[1:])
        values = compiled_rows(function, self.flow.whole, flat, *same)
        return jax.tree.map(np.asarray, values)

    def advance(self, states: State, h: np.ndarray) -> State:
        """Return the states after times h."""
        return self.at_rows(advanced, (states, h))

    def rate(self, states: State) -> tuple[np.ndarray, np.ndarray]:
        """Return the section function and its rate along the flow."""
        return self.at_rows(_crossed, (states,), functions=True, across=True)

    def walk(self, states: State, guides: np.ndarray, lengths: np.ndarray):
        """Return states further along the curve, with the tangents there."""
        level = np.broadcast_to(self.level, (len(guides), len(self.level)))
        rows = states, guides, lengths, level
        return self.at_rows(_walked, rows, functions=True, across=True)

    def apart(self, states: State, others: State) -> np.ndarray:
        """Return the coordinates of the other states in charts at the states."""
        return self.at_rows(_differences, (states, *others))

    def returns(self, states: State, h: float, count: int) -> tuple[State, np.ndarray] | None:
        """Return states and times of the upward crossing number `count`; None if one is missed."""
        n = len(states[1])
        left, times = np.full(n, count), np.zeros(n)
        before, steps = states, np.full(n, h)
        value = self.rate(states)[0]
        result = jax.tree.map(np.array, states)
        for k in range(_STEPS):
            states = self.advance(before, steps)
            after = self.rate(states)[0]
            up = (value < 0) & (after >= 0) & (k > 0)
            left = left - up
            hit = up & (left == 0)
            if np.any(hit):
                times = np.where(hit, k * h, times)
                result = jax.tree.map(functools.partial(_chosen, hit), before, result)
            if np.all(left <= 0):
                break
            before, value = states, after
        else:
            return None
        part = np.full(n, 0.5 * h)
        for _ in range(7):  # Newton's method for the time within the step
            value, rate = self.rate(self.advance(result, part))
            part = part - value / rate
        return self.advance(result, part), times + part


def _chosen(hit: np.ndarray, new: np.ndarray, old: np.ndarray) -> np.ndarray:
    return np.where(hit.reshape(-1, *[1] * (np.ndim(old) - 1)), new, old)


def single(state: State) -> State:
    """Return a state as an array with one row."""
    return jax.tree.map(lambda x: np.asarray(x)[None], state)
