"""Minimum-effort paths of kinematic systems q' = u_i X_i(q): sub-Riemannian geodesics by shooting.

    minimize  integral of |u|^2,    or of v . G v over curves in the distribution D of a system

Both are v = K(q) p with the cometric K = X_i X_i^T, or K = P G^-1. Normal extremals are the
solutions of Hamilton's equations of H = p . K(q) p/2, on R^n or trivialised on a Lie group,

    v = K p,    p' = -dH/dq + ad_v^T p,

with q given at both ends. The unknown is p at the start; the effort is 2 H times the duration,
because H is constant. Abnormal extremals are not found; they are the projections of curves with
K p = 0.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..dynamics import metric, projectors
from ..errors import UsageError
from ..groupoids import Pair
from ..groups import Euclidean
from ..linalg import solve_spd
from ..request.validate import check_count
from ..system import Point, System, compiled_call
from .extremals import hamiltonian_step
from .planning import wanted_point

Fields = Callable[[System, Point], jax.Array]  # rows X_i, in the frame of v

_CLOSE = 1e-10  # largest error of the end, in coordinates at the target
_NEAR = 1e-3
_TURNS = 60
_SAME = 1e-6  # largest relative difference of efforts that count as the same


@dataclasses.dataclass(frozen=True)
class KinematicOptimum:
    """A normal extremal between two points: the best of those found."""

    system: System
    t: np.ndarray
    q: Point  # (times, ...): points of the path
    v: np.ndarray  # (times, n)
    u: np.ndarray | None  # (times, m): factors of the given fields
    p: np.ndarray  # (times, n): the covector
    effort: float  # integral of |u|^2, or of v . G v
    miss: float  # largest coordinate of the end in the chart at the target
    efforts: tuple[float, ...]  # effort from each start, the least first; inf: no extremal found

    @property
    def length(self) -> float:
        """Length of the path, sqrt(effort * duration), because its speed is constant."""
        return math.sqrt(self.effort * float(self.t[-1]))

    @property
    def agree(self) -> int:
        """Number of starts that led to this effort."""
        return sum(abs(x - self.effort) <= _SAME * self.effort for x in self.efforts)


def kinematic_optimum(
    system: System,
    target: Any,
    start: Point = None,
    *,
    duration: float = 1.0,
    fields: Fields | None = None,
    starts: int = 12,
    steps: int = 128,
    seed: int = 0,
) -> KinematicOptimum:
    """Find the path of least effort from `start` to `target` along fields, or in D.

    `fields(system, q)` has the X_i as rows; the effort is then the integral of |u|^2 over
    `duration`. Without `fields` paths follow the constraint of the system, and the effort is the
    integral of v . G v. Entries of the target on R^n that are NaN or left out are free. The search
    uses `starts` random covectors (`seed`). The best path is returned, and `efforts` lists the
    result of each start. No finite number of starts proves a global minimum. Raises a `UsageError`
    if no extremal is found.
    """
    q0 = system.initial()[0] if start is None else system.groupoid.base.check(start, "start")
    if not isinstance(system.groupoid, Pair) or system.has_offset or system.is_nonlinear:
        raise UsageError(
            f"{system.name()}: kinematic optima are for R^n and Lie groups, not reduced, and for "
            "constraints A(q) v = 0"
        )
    if not (math.isfinite(duration) and duration > 0):
        raise UsageError(f"duration must be positive and finite, got {duration}")
    check_count("starts", starts)
    check_count("steps", steps)
    point, goal = wanted_point(system, target)
    chosen, rest = (jnp.asarray(np.eye(len(goal))[x]) for x in (goal, ~goal))
    size = jnp.asarray(duration / steps)
    flat = isinstance(system.space, Euclidean)
    n = system.dim

    def ends(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        args = q0, point, chosen, rest, jnp.asarray(p), size
        values = compiled_call(_shot, system, *args, fields, steps, flat)
        return np.asarray(values[0]), np.asarray(values[1])

    rng = np.random.default_rng(seed)
    K = np.asarray(compiled_call(_cometric, system, q0, fields))
    apart = float(np.linalg.norm(ends(np.zeros(n))[0]))
    unit = max(apart, 1e-3) / duration / max(math.sqrt(np.trace(K)), 1e-300)
    values: list[tuple[float, np.ndarray, float]] = []
    efforts: list[float] = []
    nearest = math.inf
    for k in range(starts):
        p, miss = _solved(ends, unit * 2.0 ** (k % 4) * rng.normal(size=n))
        nearest = min(nearest, miss)
        effort = float(p @ K @ p) * duration if miss <= _CLOSE else math.inf
        efforts.append(effort)
        if math.isfinite(effort):
            values.append((effort, p, miss))
    if not values:
        raise UsageError(
            f"{system.name()}: no extremal from the start to the target was found from {starts} "
            f"starts, the nearest misses it by {nearest:.2e}; give more starts, or a nearer target"
        )
    effort, p, miss = min(values, key=lambda x: x[0])
    path = compiled_call(_path, system, q0, jnp.asarray(p), size, fields, steps)
    q, v, covectors, u = jax.tree.map(np.asarray, path)
    return KinematicOptimum(
        system, np.linspace(0.0, duration, steps + 1), q, v, u if fields is not None else None,
        covectors, effort, miss, tuple(sorted(efforts)),
    )  # fmt: skip


def _solved(
    ends: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], p: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return p whose extremal ends at the target, by Levenberg-Marquardt, and its miss.

    The derivative may have a kernel if extremals to the target form a family.
    """
    gap, slope = ends(p)
    damping = 1e-3
    for _ in range(_TURNS):
        size = float(np.linalg.norm(gap))
        if not math.isfinite(size) or size < 1e-14 or damping > 1e8:
            break
        normal = slope.T @ slope
        scale = damping * max(float(np.trace(normal)) / len(p), 1e-300)
        steps = [np.linalg.lstsq(normal + scale * np.eye(len(p)), slope.T @ gap, rcond=1e-14)[0]]
        # near the target: an undamped step, without directions that hardly move the end
        if size < _NEAR:
            steps += [np.linalg.lstsq(slope, gap, rcond=r)[0] for r in (1e-12, 1e-6, 1e-3)]
        tried = [(*ends(p - step), p - step) for step in steps]
        trial, there, at = min(tried, key=lambda x: np.nan_to_num(np.linalg.norm(x[0]), nan=1e9))
        if np.linalg.norm(trial) < size:  # False for NaN
            p, gap, slope = at, trial, there
            damping *= 0.1
        elif size <= _CLOSE:
            break
        else:
            damping = max(8.0 * damping, 1e-6)
    miss = float(np.max(np.abs(gap), initial=0.0))
    return p, miss if math.isfinite(miss) else math.inf


def _cometric(system, q, fields):
    """Return K with v = K p."""
    if fields is not None:
        X = jnp.asarray(fields(system, q))
        if X.ndim != 2 or X.shape[1] != system.dim:
            raise UsageError(f"fields must have rows of {system.dim} numbers, got shape {X.shape}")
        return X.T @ X
    inverse = solve_spd(metric(system, q), jnp.eye(system.dim))
    return projectors(system, q)[0] @ inverse if system.is_constrained else inverse


def _rates(system, q, p, fields):
    """Return v and p' at (q, p)."""
    v = _cometric(system, q, fields) @ p
    energy = lambda x: 0.5 * p @ _cometric(system, x, fields) @ p  # noqa: E731
    force = groupoids.gradient(system.groupoid, energy, q)
    return v, system.groupoid.ad(q, v).T @ p - force


def _advance(system, q, p, size, fields):
    rates = lambda _, q, p: _rates(system, q, p, fields)  # noqa: E731
    return hamiltonian_step(system.groupoid, rates, jnp.zeros(()), q, p, size)


def _shot(system, q0, target, chosen, rest, p, size, fields, steps, flat):
    """Return the end of an extremal in coordinates at the target, and its derivative in p.

    For a free entry of the target, the condition is that the entry of p vanishes (transversality).
    """

    def end(p):
        def step(x: Any, _: None) -> tuple[Any, None]:
            return _advance(system, x[0], x[1], size, fields), None

        q, last = jax.lax.scan(step, (q0, p), None, length=steps)[0]
        if flat:
            return jnp.concatenate([chosen @ (q - target), rest @ last])
        space = system.space
        return space.log(space.mul(space.inv(target), q))

    return end(p), jax.jacfwd(end)(p)


def _path(system, q0, p, size, fields, steps):
    def row(q, p):
        u = jnp.asarray(fields(system, q)) @ p if fields is not None else jnp.zeros(0)
        return q, _cometric(system, q, fields) @ p, p, u

    def step(x, _):
        x = _advance(system, x[0], x[1], size, fields)
        return x, row(x[0], x[1])

    rows: Any = jax.lax.scan(step, (q0, p), None, length=steps)[1]
    return jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), row(q0, p), rows)


__all__ = ["KinematicOptimum", "kinematic_optimum"]
