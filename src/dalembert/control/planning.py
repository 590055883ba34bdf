"""Motion plans from rest to rest: sequences of decoupling motions, and their controls.

Along a decoupling field V the motion q' = r(t) V(q) is possible at any pace r. A plan is a list of
such motions with signed lengths, chosen so that their flows lead from the start to the
target; each starts and ends at rest, smoothly. The controls follow from the desired motion,

    Y u = r' V + r^2 D_V V - (the acceleration without controls at (q, r V)),

evaluated at the current configuration of the system.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..doors import Module
from ..dynamics import acceleration, metric
from ..errors import UsageError
from ..groups import Euclidean, Product
from ..inputs import driven
from ..linalg import solve_spd
from ..methods import Gauss, Method
from ..pages import card
from ..request.validate import check_count
from ..results import Trajectory
from ..running import simulate
from ..system import Point, System, compiled_call
from .branches import Along, branch_weights, input_field
from .decoupling import Decoupling, decoupling_fields

# steps per segment and tolerance, for the search and for the plan
_SEARCH, _CLOSE = (6, 1e-5), (48, 1e-10)
_ATTEMPTS = 6  # number of random guesses for each order of the fields
_ENOUGH = 4  # number of plans among which the shortest is chosen


class PlannedControl(Module):
    """Control u(t, q) along segments of input fields, each from rest to rest."""

    system: System
    fields: Along  # fields of the segments, stacked along the first axis
    lengths: jax.Array  # signed lengths of the segments
    duration: jax.Array  # duration of one segment

    def __call__(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        x = t / self.duration
        segment = jnp.clip(jnp.floor(x), 0.0, len(self.lengths) - 1.0)
        phase = jnp.clip(x - segment, 0.0, 1.0)
        # a sum over segments instead of an index, so that it compiles to scalar code
        here = jnp.stack([jnp.where(segment == k, 1.0, 0.0) for k in range(len(self.lengths))])
        length = here @ self.lengths
        field = jax.tree.map(lambda x: here @ x, self.fields)
        pace, change = _paces(phase)
        r, rate = length * pace / self.duration, length * change / self.duration**2
        return computed_control(self.system, q, field, r, rate)


def computed_control(
    system: System, q: Point, along: Along, r: jax.Array, rate: jax.Array
) -> jax.Array:
    """Return u of the motion q' = r V with r' = rate, at q."""

    def field(x: Point) -> jax.Array:
        return along(system, x)

    V = field(q)
    wanted = rate * V + r**2 * groupoids.directional(system.groupoid, field, q, V)
    need = wanted - acceleration(system, q, r * V)
    eye = jnp.eye(system.inputs(q).shape[0])
    Y = jax.vmap(lambda e: input_field(system, q, e), out_axes=1)(eye)
    weighed = Y.T @ metric(system, q)
    return solve_spd(weighed @ Y, weighed @ need)  # least squares in the metric


def _paces(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return s'(x) and s''(x) of s = 70 x^9 - 315 x^8 + 540 x^7 - 420 x^6 + 126 x^5.

    Four derivatives of s vanish at the ends, so that methods of high order retain their order.
    """
    y = x * (1.0 - x)
    return 630.0 * y**4, 2520.0 * y**3 * (1.0 - 2.0 * x)


@dataclasses.dataclass(frozen=True)
class Plan:
    """A motion plan and its control."""

    system: System
    start: Point
    target: Point
    goal: np.ndarray  # mask of the entries of q that the target fixes
    fields: tuple[int, ...]  # the decoupling field of each segment
    lengths: np.ndarray
    end: Point  # where the flows lead, without forces
    control: PlannedControl
    decoupling: Decoupling

    @property
    def duration(self) -> float:
        """Duration of the whole plan."""
        return float(self.control.duration) * len(self.lengths)

    def simulate(self, method: Method | None = None, *, steps: int = 100) -> Executed:
        """Simulate the plan with forces, `steps` steps per segment, by default with `Gauss(3)`."""
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

    def controls(self, run: Trajectory) -> np.ndarray:
        """Return u at the saved rows of a run of the plan."""
        rows = jnp.asarray(run.t), jnp.asarray(run.q)
        return np.asarray(compiled_call(_controls, self.system, self.control, *rows))

    def effort(self) -> float:
        """Return the integral of |u|^2 over the plan."""
        run = self.simulate().run  # u is smooth and 0 at the ends: the quadrature is accurate
        return float(np.trapezoid(np.sum(self.controls(run) ** 2, axis=1), np.asarray(run.t)))

    def __repr__(self) -> str:
        return f"Plan({self.system.name()}: {self})"

    def _repr_html_(self) -> str:
        names = [f"segment {k + 1}" for k in range(len(self.lengths))]
        lines = [f"V{i + 1} by {a:.4g}" for i, a in zip(self.fields, self.lengths)]
        title = f"Plan for {self.system.name()}: {self.duration:.3g} s"
        return card(title, list(zip(names, lines)))

    def __str__(self) -> str:
        parts = ", ".join(f"V{i + 1} by {a:.4g}" for i, a in zip(self.fields, self.lengths))
        return f"{len(self.lengths)} segments of {float(self.control.duration):.3g} s: {parts}"


def _controls(system, control, t, q):
    return jax.vmap(lambda t, q: control(t, q, jnp.zeros(system.dim)))(t, q)


class Executed(NamedTuple):
    """Result of simulating a plan with forces."""

    run: Trajectory
    miss: float  # distance from the target in its fixed entries
    speed: float  # remaining speed at the end


def plan(
    system: System,
    target: Any,
    start: Point = None,
    *,
    duration: float = 1.0,
    segments: int | None = None,
    seed: int = 0,
) -> Plan:
    """Find decoupling motions from rest at `start` (by default the initial point) to `target`.

    On R^n entries of the target that are NaN, or left out at the end of the list, are free.
    `duration` is the duration of one segment. Raises a `UsageError` if the system has fewer than
    two decoupling fields, or if none of the tried sequences leads to the target.
    """
    q0 = system.initial()[0] if start is None else system.groupoid.base.check(start, "start")
    if not (math.isfinite(duration) and duration > 0):
        raise UsageError(f"duration, of one segment in s, must be positive, got {duration}")
    if segments is not None:
        check_count("segments", segments)
    decoupling = decoupling_fields(system, q0)
    if decoupling.kind == "none":
        raise UsageError(
            f"{system.name()}: no plan by decoupling fields: there is none at the start"
        )
    wanted, goal = wanted_point(system, target)
    count = len(decoupling.weights)
    if count < 2 and int(goal.sum()) > 1:
        raise UsageError(
            f"{system.name()}: one decoupling field alone leads along a curve, not to a target"
        )
    if decoupling.controllable.answer != "yes":
        raise UsageError(f"{system.name()}: kinematic controllability: {decoupling.controllable}")
    known = _fields(system, q0, decoupling)
    tries = [segments] if segments else [int(goal.sum()) + k for k in (1, 2, 4, 6)]
    rng = np.random.default_rng(seed)
    best = math.inf
    for number in tries:
        orders = [tuple((first + k) % count for k in range(number)) for first in range(count)]
        orders = [order for order in orders for _ in range(_ATTEMPTS)]
        sizes = np.tile(0.1 * 2.0 ** np.arange(_ATTEMPTS), count)
        guesses = rng.normal(size=(len(orders), number)) * sizes[:, None]
        fields = _taken(known, orders)
        lengths, misses = _solve(system, q0, wanted, goal, fields, guesses, *_SEARCH)
        near = np.flatnonzero(misses <= _SEARCH[1])
        best = min(best, float(np.min(misses)))
        if len(near):  # refine with fine steps; always the same number, so that code is reused
            near = near[np.arange(len(misses)) % len(near)]
            orders = [orders[k] for k in near]
            fields = _taken(known, orders)
            lengths, misses = _solve(system, q0, wanted, goal, fields, lengths[near], *_CLOSE)
        reached = [k for k, miss in enumerate(misses) if miss <= _CLOSE[1]]
        if reached:
            k = min(reached, key=lambda k: np.sum(np.abs(lengths[k])))  # choose the shortest plan
            order, chosen = _tidied(orders[k], lengths[k])
            control = PlannedControl(
                system,
                _taken(known, order),
                jnp.asarray(chosen),
                jnp.asarray(float(duration)),
            )
            end = compiled_call(
                _flows, system, q0, control.fields, control.lengths, jnp.asarray(_CLOSE[0])
            )
            return Plan(system, q0, wanted, goal, order, chosen, end, control, decoupling)
    raise UsageError(
        f"{system.name()}: no sequence of up to {max(tries)} decoupling motions that leads to the "
        f"target was found (best distance {best:.2e}); plan to points in between, start farther "
        "from singular points, or give more `segments`"
    )


def _fields(system: System, q0: Point, found: Decoupling) -> Along:
    """Return the decoupling fields as functions of q; the first axis numbers those at the start."""
    weights = jnp.asarray(found.weights)
    if found.constant:
        return Along(weights)
    if found.forms.shape != (1, 2, 2):
        raise UsageError(
            f"{system.name()}: no plan by decoupling fields: their weights change with q, "
            "which is supported only for two inputs in a distribution of dimension 3"
        )
    roots = [compiled_call(branch_weights, system, q0, jnp.asarray(s)) for s in (1.0, -1.0)]
    units = found.weights / np.linalg.norm(found.weights, axis=1, keepdims=True)
    near = np.abs(units @ np.array(roots).T)
    return Along(weights, jnp.where(jnp.asarray(near[:, 0] > near[:, 1]), 1.0, -1.0))


def _taken(fields: Along, order: Any) -> Along:
    """Return the fields in the given order, or in many orders (stacked)."""
    return jax.tree.map(lambda x: x[np.array(order)], fields)


def _tidied(order: tuple[int, ...], lengths: np.ndarray) -> tuple[tuple[int, ...], np.ndarray]:
    """Drop segments of zero length and merge neighboring segments of the same field."""
    kept: list[tuple[int, float]] = []
    for i, a in zip(order, lengths):
        if abs(a) <= _CLOSE[1]:
            continue
        if kept and kept[-1][0] == i:
            kept[-1] = (i, kept[-1][1] + float(a))
        else:
            kept.append((i, float(a)))
    kept = kept or [(order[0], 0.0)]
    return tuple(i for i, _ in kept), np.array([a for _, a in kept])


def wanted_point(system: System, target: Any, *, partly: bool = False) -> tuple[Point, np.ndarray]:
    """Return the target as a point, and which of its entries are fixed.

    On a product, factors that are None and NaN in factors R^n are free if `partly`.
    """
    base = system.groupoid.base
    if partly and isinstance(base, Product) and isinstance(target, tuple | list):
        return _parted(base, target)
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


def _parted(base: Product, target: Sequence[Any]) -> tuple[Point, np.ndarray]:
    """Return a target on a product, identities and zeros where it is free, and the fixed mask."""
    if len(target) != len(base.factors):
        raise UsageError(f"target has {len(target)} parts, {base!r} has {len(base.factors)}")
    point, goal = [], []
    for i, (factor, part) in enumerate(zip(base.factors, target)):
        fixed = np.full(factor.size, part is not None)
        if part is None:
            part = factor.identity()
        elif isinstance(factor, Euclidean):
            part = np.asarray(part, dtype=float)
            if part.shape == (factor.dim,):
                fixed = ~np.isnan(part)
                part = np.where(fixed, part, 0.0)
        point.append(factor.check(part, f"target[{i}]"))
        goal.append(fixed)
    if not np.any(np.concatenate(goal)):
        raise UsageError(
            "the target has no fixed entry (NaN and None are free): give at least one finite number"
        )
    return tuple(point), np.concatenate(goal)


def _solve(
    system: System,
    q0: Point,
    target: Point,
    goal: np.ndarray,
    fields: Along,
    guesses: np.ndarray,
    steps: int,
    close: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Return lengths from all guesses at once (Levenberg-Marquardt), and how far each misses."""
    a = np.asarray(guesses, dtype=float)
    wanted = np.asarray(system.groupoid.base.flatten(target))

    def gap(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        end, slope = compiled_call(_reach, system, q0, fields, jnp.asarray(a), jnp.asarray(steps))
        return (np.asarray(end) - wanted)[:, goal], np.asarray(slope)[:, goal]

    F, J = gap(a)
    damping = np.full(len(a), 1e-2)
    for _ in range(80):
        size = np.linalg.norm(F, axis=1)
        going = np.isfinite(size) & (size > 0.1 * close) & (damping < 1e6)
        if not np.any(going) or np.sum(size <= 0.1 * close) >= _ENOUGH:
            break
        H = np.einsum("bki,bkj->bij", J, J) + damping[:, None, None] * np.eye(a.shape[1])
        push = np.einsum("bki,bk->bi", J, F)
        step = np.zeros_like(a)
        step[going] = np.linalg.solve(H[going], push[going][..., None])[..., 0]
        longest = np.max(np.abs(step), axis=1, keepdims=True)
        step *= np.minimum(1.0, 2.0 / np.maximum(longest, 1e-300))
        trial, slope = gap(a - step)
        better = going & (np.linalg.norm(trial, axis=1) < size)  # False for NaN
        a, F, J = (
            np.where(better.reshape(-1, *[1] * (x.ndim - 1)), new, x)
            for new, x in ((a - step, a), (trial, F), (slope, J))
        )
        damping = np.where(better, np.maximum(damping * 0.2, 1e-14), damping * 5.0)
    miss = np.linalg.norm(F, axis=1)
    return a, np.where(np.isfinite(miss), miss, np.inf)


def _reach(system, q0, fields, lengths, steps):
    """Return ends and their derivatives in the lengths, for many plans at once.

    Derivatives are finite differences, which are accurate enough for an iteration. The fields
    already contain derivatives; differentiating them again would dominate the compile time.
    """
    step = 1e-6

    def end(fields, a):
        return system.groupoid.base.flatten(_flows(system, q0, fields, a, steps))

    def both(fields, a):
        moved = jnp.concatenate([a[None], a[None] + step * jnp.eye(len(a))])
        ends = jax.vmap(lambda a: end(fields, a))(moved)
        return ends[0], (ends[1:] - ends[:1]).T / step

    return jax.vmap(both)(fields, lengths)


# Butcher's rule of order 6 in seven stages
BUTCHER = np.zeros((7, 7))
BUTCHER[1, :1] = 1 / 3
BUTCHER[2, :2] = 0, 2 / 3
BUTCHER[3, :3] = 1 / 12, 1 / 3, -1 / 12
BUTCHER[4, :4] = -1 / 16, 9 / 8, -3 / 16, -3 / 8
BUTCHER[5, :5] = 0, 9 / 8, -3 / 8, -3 / 4, 1 / 2
BUTCHER[6, :6] = 9 / 44, -9 / 11, 63 / 44, 18 / 11, 0, -16 / 11
WEIGHTS = np.array([11 / 120, 0, 27 / 40, 27 / 40, -4 / 15, -4 / 15, 11 / 120])


def _flows(system, q0, fields, lengths, steps):
    """Return the end of all segments in sequence, with `steps` steps each."""
    groupoid = system.groupoid
    small = 1.0 / steps

    def one(q, part):
        field, length = part

        def substep(_, q):
            def stage(slopes, row):  # a loop, so that the field is compiled once
                i, weights = row
                w = weights @ slopes
                V = field(system, groupoids.move(groupoid, q, w))
                rate = groupoid.coordinate_velocity(q, w, V)  # in the chart at q
                return slopes.at[i].set(small * length * rate), None

            rows = jnp.arange(len(BUTCHER)), jnp.asarray(BUTCHER)
            slopes, _ = jax.lax.scan(stage, jnp.zeros((len(BUTCHER), system.dim)), rows)
            return groupoids.move(groupoid, q, jnp.asarray(WEIGHTS) @ slopes)

        return jax.lax.fori_loop(0, steps, substep, q), None

    return jax.lax.scan(one, q0, (fields, lengths))[0]


__all__ = ["Executed", "Plan", "PlannedControl", "computed_control", "plan", "wanted_point"]
