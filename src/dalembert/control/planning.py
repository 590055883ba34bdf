"""Plans from rest to rest: decoupling motions one after another, and the controls that make them.

Along a decoupling field V the motion q' = r(t) V(q) can be had at any pace r. A plan is a list of
such motions with signed lengths, found so that their flows lead from the start to the target;
each starts and ends at rest, smoothly. The controls follow from the motion that is wanted,

    Y u = r' V + r^2 D_V V - (the acceleration without controls at (q, r V)),

evaluated at the configuration that the system is in.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..dynamics import acceleration, metric
from ..errors import UsageError
from ..groups import Euclidean
from ..inputs import driven
from ..linalg import solve_spd
from ..methods import Gauss, Method
from ..results import Trajectory
from ..running import simulate
from ..system import Point, System, compiled_call
from .decoupling import Decoupling, decoupling_fields, input_field

_FLOW_STEPS = 48  # of the flow of one segment, by a rule of order 6
_CLOSE = 1e-10


class PlannedControl(eqx.Module):
    """u(t, q) that drives a system along segments of input fields, from rest to rest each."""

    system: System
    weights: jax.Array  # (segments, inputs): V of each segment
    lengths: jax.Array  # signed
    duration: jax.Array  # of one segment

    def __call__(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        x = t / self.duration
        segment = jnp.clip(jnp.floor(x), 0.0, len(self.lengths) - 1.0)
        phase = jnp.clip(x - segment, 0.0, 1.0)
        # a sum over segments in place of an index: it stays scalar code
        here = jnp.stack([jnp.where(segment == k, 1.0, 0.0) for k in range(len(self.lengths))])
        length, c = here @ self.lengths, here @ self.weights
        pace, change = _paces(phase)
        r, rate = length * pace / self.duration, length * change / self.duration**2
        return computed_control(self.system, q, c, r, rate)


def computed_control(system: System, q: Point, c: jax.Array, r: jax.Array, rate: jax.Array) -> Any:
    """u of the motion q' = r V with V = c_i Y_i, r' = rate, at q."""

    def field(x: Point) -> jax.Array:
        return input_field(system, x, c)

    V = field(q)
    wanted = rate * V + r**2 * groupoids.directional(system.groupoid, field, q, V)
    need = wanted - acceleration(system, q, r * V)
    eye = jnp.eye(system.inputs(q).shape[0])
    Y = jax.vmap(lambda e: input_field(system, q, e), out_axes=1)(eye)
    weighed = Y.T @ metric(system, q)
    return solve_spd(weighed @ Y, weighed @ need)  # the metric's least squares


def _paces(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """s'(x) and s''(x) of s = 70 x^9 - 315 x^8 + 540 x^7 - 420 x^6 + 126 x^5: four derivatives of
    it vanish at the ends, so methods of high order keep their order."""
    y = x * (1.0 - x)
    return 630.0 * y**4, 2520.0 * y**3 * (1.0 - 2.0 * x)


@dataclasses.dataclass(frozen=True)
class Plan:
    """A plan, and the control that carries it out."""

    system: System
    start: Point
    target: Point
    goal: np.ndarray  # which entries of q the target fixes
    fields: tuple[int, ...]  # the decoupling field of each segment
    lengths: np.ndarray
    end: Point  # where the flows lead
    control: PlannedControl
    decoupling: Decoupling

    @property
    def duration(self) -> float:
        """Of the whole plan."""
        return float(self.control.duration) * len(self.lengths)

    def simulate(self, method: Method | None = None, *, steps: int = 100) -> Executed:
        """Carry the plan out with forces, `steps` steps a segment; by default with `Gauss(3)`."""
        method = Gauss(3) if method is None else method
        run = simulate(
            driven(self.system, self.control), method, self.start, jnp.zeros(self.system.dim),
            h=float(self.control.duration) / steps, steps=steps * len(self.lengths),
        )  # fmt: skip
        flat = self.system.groupoid.base.flatten
        gap = np.asarray(flat(run.final.q)) - np.asarray(flat(self.target))
        return Executed(
            run, float(np.linalg.norm(gap[self.goal])), float(np.max(np.abs(run.v[-1])))
        )

    def __str__(self) -> str:
        parts = ", ".join(f"V{i + 1} by {a:.4g}" for i, a in zip(self.fields, self.lengths))
        return f"{len(self.lengths)} segments of {float(self.control.duration):.3g} s: {parts}"


class Executed(NamedTuple):
    """A plan that was simulated with forces."""

    run: Trajectory
    miss: float  # distance from the target in the entries that it fixes
    speed: float  # that is left at the end


def plan(
    system: System,
    target: Any,
    start: Point = None,
    *,
    duration: float = 1.0,
    segments: int | None = None,
    seed: int = 0,
) -> Plan:
    """Decoupling motions from rest at `start` (by default the initial point) to `target`.

    On R^n entries of the target that are NaN, and those left out at its end, are free. `duration`
    is that of one segment. Raises a `UsageError` where the system has no two decoupling fields, or
    none of the sequences tried leads there.
    """
    q0 = system.initial()[0] if start is None else system.groupoid.base.check(start, "start")
    found = decoupling_fields(system, q0)
    if found.kind == "none" or not found.constant:
        why = "there is none" if found.kind == "none" else "their weights change with q"
        raise UsageError(f"{system.name()}: no plan by decoupling fields: {why} at the start")
    wanted, goal = _target(system, target)
    count = len(found.weights)
    if count < 2 and int(goal.sum()) > 1:
        raise UsageError(
            f"{system.name()}: one decoupling field alone leads along a curve, not to a target"
        )
    if found.controllable.answer != "yes":
        raise UsageError(f"{system.name()}: kinematic controllability: {found.controllable}")
    tries = [segments] if segments else [int(goal.sum()) + k for k in (1, 2, 4, 6)]
    rng = np.random.default_rng(seed)
    best = math.inf
    for number in tries:
        reached: list[tuple[float, tuple[int, ...], np.ndarray]] = []
        for first in range(count):
            order = tuple((first + k) % count for k in range(number))
            for attempt in range(6):
                guess = rng.normal(size=number) * (0.3 + 0.4 * attempt)
                lengths, miss = _solve(system, q0, wanted, goal, found.weights[list(order)], guess)
                best = min(best, miss)
                if miss <= _CLOSE:
                    reached.append((float(np.sum(np.abs(lengths))), order, lengths))
        if reached:
            _, order, lengths = min(reached, key=lambda x: x[0])  # the shortest
            control = PlannedControl(
                system, jnp.asarray(found.weights[list(order)]), jnp.asarray(lengths),
                jnp.asarray(float(duration)),
            )  # fmt: skip
            end = compiled_call(_flows, system, q0, control.weights, control.lengths)
            return Plan(system, q0, wanted, goal, order, lengths, end, control, found)
    raise UsageError(
        f"{system.name()}: no sequence of up to {max(tries)} decoupling motions that leads to the "
        f"target was found (best distance {best:.2e}); give a nearer target, or more `segments`"
    )


def _target(system: System, target: Any) -> tuple[Point, np.ndarray]:
    base = system.groupoid.base
    if not isinstance(system.space, Euclidean):
        wanted = base.check(target, "target")
        return wanted, np.ones(base.flatten(wanted).shape[0], dtype=bool)
    given = np.asarray(target, dtype=float).ravel()
    if given.size > system.dim or not given.size:
        raise UsageError(f"the target has {given.size} entries, q has {system.dim}")
    wanted = np.full(system.dim, np.nan)
    wanted[: given.size] = given
    goal = np.isfinite(wanted)
    if np.any(np.isinf(given)) or not goal.any():
        raise UsageError(f"the target must have finite entries (NaN: free), got {given}")
    return jnp.asarray(np.where(goal, wanted, 0.0)), goal


def _solve(
    system: System, q0: Point, target: Point, goal: np.ndarray, weights: np.ndarray, guess: Any
) -> tuple[np.ndarray, float]:
    """Lengths by Levenberg and Marquardt; a Gauss-Newton step at the end is the least change."""
    lengths, damping = np.asarray(guess, dtype=float), 1e-2
    wanted = np.asarray(system.groupoid.base.flatten(target))

    def gap(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        end, slope = compiled_call(_reach, system, q0, jnp.asarray(weights), jnp.asarray(a))
        return (np.asarray(end) - wanted)[goal], np.asarray(slope)[goal]

    F, J = gap(lengths)
    for _ in range(80):
        if np.linalg.norm(F) <= 0.1 * _CLOSE:
            break
        push = J.T @ F
        step = np.linalg.solve(J.T @ J + damping * np.eye(len(lengths)), push)
        step *= min(1.0, 2.0 / max(np.max(np.abs(step)), 1e-300))
        trial, slope = gap(lengths - step)
        if np.all(np.isfinite(trial)) and np.linalg.norm(trial) < np.linalg.norm(F):
            lengths, F, J, damping = lengths - step, trial, slope, max(damping * 0.2, 1e-14)
        else:
            damping *= 5.0
            if damping > 1e6:
                break
    return lengths, float(np.linalg.norm(F))


def _reach(system, q0, weights, lengths):
    def end(a):
        return system.groupoid.base.flatten(_flows(system, q0, weights, a))

    return end(lengths), jax.jacfwd(end)(lengths)


# Butcher's rule of order 6 in seven stages
_A = [
    [],
    [1 / 3],
    [0, 2 / 3],
    [1 / 12, 1 / 3, -1 / 12],
    [-1 / 16, 9 / 8, -3 / 16, -3 / 8],
    [0, 9 / 8, -3 / 8, -3 / 4, 1 / 2],
    [9 / 44, -9 / 11, 63 / 44, 18 / 11, 0, -16 / 11],
]
_B = np.array([11 / 120, 0, 27 / 40, 27 / 40, -4 / 15, -4 / 15, 11 / 120])


def _flows(system, q0, weights, lengths):
    """The end of all segments, one after another."""
    groupoid = system.groupoid
    small = 1.0 / _FLOW_STEPS

    def rate(q, w, c):  # in the chart at q
        return groupoid.coordinate_velocity(
            q, w, input_field(system, groupoids.move(groupoid, q, w), c)
        )

    def one(q, part):
        c, length = part

        def substep(q, _):
            slopes: list[jax.Array] = []
            for row in _A:
                w = sum((a * k for a, k in zip(row, slopes)), jnp.zeros(system.dim))
                slopes.append(small * length * rate(q, w, c))
            move = sum((b * k for b, k in zip(_B, slopes)), jnp.zeros(system.dim))
            return groupoids.move(groupoid, q, move), None

        return jax.lax.scan(substep, q, None, length=_FLOW_STEPS)[0], None

    return jax.lax.scan(one, q0, (weights, lengths))[0]


__all__ = ["Executed", "Plan", "PlannedControl", "computed_control", "plan"]
