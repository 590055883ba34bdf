"""Derivatives of a run with friction by its start: variational equations, and saltation at changes.

Between two changes of the mode the derivative follows from `running.sensitivity` for the system in
its mode. At a change with guard g the time moves by -dg/g', and the state by the saltation

    S = dJ + (f+ - dJ f-) (dg)/g'

with the derivative dJ of the state after the change by that before, and the rates f- and f+,
(v, dv/dt), before and after the change. If the jump J depends on t, its partial derivative by t is
added to dJ f-.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.cache.registry import cached
from ..errors import SimulationError, UsageError
from ..events.locate import GRAZES
from ..groupoids import move
from ..methods import Gauss, Method
from ..running.sensitivity import Sensitivities
from ..running.sensitivity import sensitivities as smooth
from ..system import Point
from .contact_decision import toward
from .contact_facts import Where, projected
from .contact_law import ContactState, state_named
from .coulomb import LANDS, STICKS, ContactGuard, in_state
from .hybrid_api import simulate

# Fraction of an arc that is left out at its end if a slip of two rows vanishes there, because s/|s|
# has no derivative. The error is linear in this fraction, and only in directions that are held
# afterwards.
_BEFORE = 1e-8
_TURNED = 0.7  # cosine of the angle by which a slip turns before its direction is set anew
_SIDE = 1e-5  # relative size of the finite differences (order 4) of an impact, smooth in pieces


class _Piece(NamedTuple):
    """A part of an arc, in which the directions of slips hardly turn."""

    state: ContactState
    t: float
    q: Point
    v: np.ndarray
    end: float


def sensitivities(
    modes: Any, mode: str | None = None, q0: Point = None, v0: Any = None, *,
    method: Method | None = None, t0: float = 0.0, **options: Any,
) -> Sensitivities:  # fmt: skip
    """Return the end of a run with friction, and its derivatives by (q0, v0), through all changes.

    The changes are those of `simulate`, by Gauss(4) unless another method is given; the derivatives
    between them are by Taylor's method. A `SimulationError` names a change that the motion grazes,
    and a slip of two rows that begins from zero, whose first direction has no derivative.
    """
    run = simulate(
        modes, mode, q0, v0, method=Gauss(stages=4) if method is None else method, t0=t0,
        progress=False, **options,
    )  # fmt: skip
    modes = modes.met(run.modes)
    n = modes.rough.dim
    S = np.eye(2 * n)
    rows = [-1, *(int(x) for x in run.jumps.row), len(run) - 1]
    for j in range(len(rows) - 1):
        last = rows[j + 1]
        vanishes = j < len(run.jumps) and _guard(modes, run, j).kind == STICKS
        for piece in _pieces(modes, run, rows[j] + 1, last, vanishes):
            S = _between(modes, piece) @ S
        if j < len(run.jumps):
            S = _saltation(modes, run, j, rows[j] + 1) @ S
    q = jax.tree.map(lambda x: x[-1], run.q)
    return Sensitivities(float(run.t[-1]), q, np.asarray(run.v[-1]), S, {}, None, ())


def _guard(modes: Any, run: Any, j: int) -> ContactGuard:
    result = modes.transitions[int(run.jumps.transition[j])].guard
    if not isinstance(result, ContactGuard):
        raise UsageError("derivatives of a run with friction have no events")
    return result


def _at(run: Any, i: int) -> tuple[float, Point, np.ndarray]:
    q = jax.tree.map(lambda x: np.asarray(x[i]), run.q)
    return float(run.t[i]), q, np.asarray(run.v[i])


def _state(modes: Any, run: Any, i: int, after: int) -> ContactState:
    """Return the state at row i; slips that begin have the direction of a later row."""
    state = state_named(modes.plan, run.modes[int(run.mode[i])])
    assert state is not None
    for g, group in enumerate(modes.plan.groups):
        if not state.is_on(group) or state.sticks[g]:
            continue
        k, here = i, modes._where(*_at(run, i)[:2]).facts(state, _at(run, i)[2])
        while k < after and np.linalg.norm(here.slip[g]) <= here.noise[g]:
            k += 1
            t, q, v = _at(run, k)
            here = modes._where(t, q).facts(state, v)
        if k > i and len(group.rows) == 2 and np.any(here.mu[g]):
            raise SimulationError(
                f"'{group.name}' begins to slide in two directions at t = {run.t[i]:g}: its first "
                "direction has no derivative. Start after it, or use finite differences of runs",
                time=float(run.t[i]),
            )
        state = toward(state, g, here.slip[g])
    t, q, v = _at(run, i)
    return dataclasses.replace(state, rests=modes._where(t, q).rests(state, v))


def _pieces(modes: Any, run: Any, first: int, last: int, vanishes: bool) -> list[_Piece]:
    state = _state(modes, run, first, last)
    starts = [(first, state)]
    two = [g for g, x in enumerate(modes.plan.groups) if len(x.rows) == 2]
    two = [g for g in two if state.is_on(modes.plan.groups[g]) and not state.sticks[g]]
    for i in range(first + 1, last) if two else ():
        t, q, v = _at(run, i)
        slip = modes._where(t, q).facts(state, v).slip
        cosines = [slip[g] @ state.toward[g] / np.linalg.norm(slip[g]) for g in two]
        if min(cosines) < _TURNED:
            for g in two:
                state = toward(state, g, slip[g])
            starts.append((i, state))
    result = []
    for k, (i, state) in enumerate(starts):
        end = float(run.t[last if k == len(starts) - 1 else starts[k + 1][0]])
        t, q, v = _at(run, i)
        if two and vanishes and k == len(starts) - 1:
            end -= _BEFORE * (end - t)
        result.append(_Piece(state, t, q, v, end))
    return result


def _between(modes: Any, piece: _Piece) -> np.ndarray:
    """Return the derivative of the end of a piece by its start."""
    n = modes.rough.dim
    if piece.state.rests:
        return np.diag([1.0] * n + [0.0] * n)
    if not piece.end > piece.t:
        return np.eye(2 * n)
    system = in_state(modes.rough, piece.state)
    return smooth(system, piece.q, piece.v, t=piece.end, t0=piece.t).initial


def _saltation(modes: Any, run: Any, j: int, first: int) -> np.ndarray:
    """Return the derivative of the state behind a change by that before it."""
    n, row, guard = modes.rough.dim, int(run.jumps.row[j]), _guard(modes, run, j)
    t, q, v = _at(run, row)
    old = _state(modes, run, first, row)
    lasts = int(run.jumps.row[j + 1]) if j + 1 < len(run.jumps) else len(run) - 1
    new = _state(modes, run, row + 1, lasts)
    where, code, here = modes._where(t, q), modes.decider.code, _packed(t, q, v)
    by = np.asarray(code(_slope_of(guard), dataclasses.replace(old, rests=False), here))
    before = np.concatenate([v, where.facts(old, v).acceleration])
    after = np.asarray(run.jumps.v_after[j])
    # velocities that are held afterwards are constant, but for round-off
    a = np.zeros(n) if new.rests else where.facts(new, after).acceleration
    behind = np.concatenate([after, a])
    norms = [np.linalg.norm(x[:n]) * np.linalg.norm(y[:n]) for x, y in (
        (by[1:], before), (by[n + 1 :], before[n:])
    )]  # fmt: skip
    terms = abs(float(by[0])) + float(sum(norms))
    rate = float(by[0] + by[1:] @ before)
    angle = abs(rate) / terms if terms > 0.0 else 0.0
    if not angle > GRAZES:
        raise SimulationError(
            f"'{run.jumps.names[int(run.jumps.transition[j])]}' at t = {t:g}: the motion grazes "
            f"this change, at the angle {angle:.2g}, and its time has no derivative",
            time=t,
        )
    if guard.kind == LANDS:
        J = _impact(modes, old, guard.index, t, q, v)
    else:
        J = np.asarray(code(_held_slope, dataclasses.replace(new, rests=False), here))
        J = 0.0 * J if new.rests else J
    dJ = np.concatenate([np.eye(n, 2 * n), J[:, 1:]])
    drift = np.concatenate([np.zeros(n), J[:, 0]])
    return dJ + np.outer(behind - drift - dJ @ before, by[1:]) / rate


def _packed(t: float, q: Point, v: np.ndarray) -> np.ndarray:
    return np.concatenate([[t], *(np.ravel(x) for x in jax.tree.leaves(q)), v])


@cached(maxsize=64)  # one for each contact and kind of change
def _slope_of(guard: ContactGuard) -> Any:
    """Return the function of (system, t, q, v) with d(guard)/d(t, q, v)."""

    def slope(system: Any, t: Any, q: Point, v: jax.Array) -> jax.Array:
        n = v.shape[0]

        def g(x: jax.Array) -> jax.Array:
            at = move(system.groupoid, q, x[1 : n + 1])
            return guard.value(system, t + x[0], at, v + x[n + 1 :])

        return jax.jacfwd(g)(jnp.zeros(2 * n + 1))

    return slope


def _held_slope(system: Any, t: Any, q: Point, v: jax.Array) -> jax.Array:
    """Return the derivative by (t, q, v) of the velocity that the rows of the system leave."""
    n = v.shape[0]

    def held(x: jax.Array) -> jax.Array:
        at = move(system.groupoid, q, x[1 : n + 1])
        return projected(system, t + x[0], at, v + x[n + 1 :])

    return jax.jacfwd(held)(jnp.zeros(2 * n + 1))


def _impact(
    modes: Any, state: ContactState, contact: int, t: float, q: Point, v: np.ndarray
) -> np.ndarray:
    """Return the derivative by (t, q, v) of the velocity behind an impact, by differences."""
    n, groupoid = len(v), modes.rough.groupoid

    def after(x: np.ndarray) -> np.ndarray:
        at = jax.tree.map(np.asarray, move(groupoid, q, jnp.asarray(x[1 : n + 1])))
        where = Where(modes.decider.code, t + x[0], at)
        result, w = modes.decider.landed(where, state, v + x[n + 1 :], [contact])
        return modes.decider.settled(where, result, w, set()).v

    J = np.zeros((n, 2 * n + 1))
    for i in range(2 * n + 1):
        e = np.zeros(2 * n + 1)
        e[i] = _SIDE * max(1.0, abs(float(v[i - n - 1])) if i > n else 1.0)
        near, far = after(e) - after(-e), after(2.0 * e) - after(-2.0 * e)
        J[:, i] = (8.0 * near - far) / (12.0 * e[i])
    return J


__all__ = ["sensitivities"]
