"""Tracking of a known motion by a time-varying linear-quadratic regulator.

Along the motion (q_i, v_i, u_i), given in rows dt apart, the error x = (w, y - y_i) with
q = q_i exp(w), on R^n w = q - q_i, obeys

    x' = A_i x + B_i (u - u_i),   y: velocities that are independent on the constraint,
    w' = v - v_i - [v_i, w] to first order,

with A_i and B_i exact derivatives of the equations of motion, computed for all rows in one call of
native code. With inputs held constant over a row this becomes x_{i+1} = F_i x_i + G_i (u - u_i) by
a matrix exponential, and the gains follow backwards from the end (Riccati),

    K_i = (R dt + G_i^T P_{i+1} G_i)^-1 G_i^T P_{i+1} F_i,
    P_i = Q dt + F_i^T P_{i+1} (F_i - G_i K_i).
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.cache.code_key import CodeKey
from ..compile.function import compiled_rows, evaluator
from ..dynamics import acceleration, linear_constraint, linear_offset
from ..errors import UsageError
from ..geometry.distribution import adapted_basis
from ..groupoids import Pair, move
from ..groups import Euclidean, Group
from ..inputs import Constant, driven
from ..linalg import solve
from ..results import HeldInputs, Trajectory
from ..system import System
from .linear import _weights

_DEPENDENT = 1e-3  # least volume of the rows of independent velocities along the motion


class Tracker:
    """u = u_i - K_i x along a trajectory; a controller for `Sampled` and `Stepper`.

        tracker = da.control.Tracker(robot, motion, Q={"x": 5.0, "alpha": 5.0}, R=0.5)
        da.simulate(robot, h=0.01, t=2.0, u=da.Sampled(tracker, every=0.02))

    Args:
        system: on R^n or a Lie group, with inputs.
        trajectory: saved rows at equal distances in time; beyond its end the last gains are used.
        u: the inputs along the trajectory: a function of t, an array with one row of inputs for
            each saved row, or one row for all. By default those that a `Sampled` controller saved
            in the trajectory, or zero.
        Q, R, Qf: weights of the errors, of the inputs and of the errors at the end: matrices, their
            diagonals, or dicts by name (`tracker.names`); by default 1, and Q for the end.
        limit: bound of each |u|.

    Call it with (t, q, v); for ensembles the member axis comes first. `gains` holds K_i, and
    `names` the names of x.
    """

    def __init__(
        self,
        system: System,
        trajectory: Trajectory,
        u: Any = None,
        Q: Any = None,
        R: Any = None,
        Qf: Any = None,
        limit: Any = None,
    ) -> None:
        if not isinstance(system.groupoid, Pair):
            raise UsageError(
                "a Tracker needs configurations on R^n or a Lie group; a reduced system does not "
                f"have its position: {system.groupoid!r}",
                about=system.name(),
            )
        if not system.has_inputs or system.controlled_name:
            raise UsageError("a Tracker drives a system with inputs", about=system.name())
        t, v = (np.asarray(x, float) for x in (trajectory.t, trajectory.v))
        q = jax.tree.map(lambda x: np.asarray(x, float), trajectory.q)
        self._base = system.groupoid.base
        start = jax.tree.map(lambda x: x[0], q)
        self._log = evaluator(_apart, (), (start, start), CodeKey(self._base))
        if v.ndim != 2 or len(t) < 2:
            raise UsageError("a Tracker needs a single trajectory with at least two rows")
        spacing = np.diff(t)
        self.dt, self.t0 = float(np.mean(spacing)), float(t[0])
        if not np.allclose(spacing, self.dt, rtol=1e-6):
            raise UsageError("a Tracker needs rows at equal distances in time: save=da.Every(k)")
        self.system, self._q, self._v = system, q, v
        self.inputs = _nominal(system, trajectory, t, u)
        chosen = _chosen(system, q)
        others = tuple(i for i in range(system.dim) if i not in chosen)
        self._chosen = list(chosen)
        labels = [system.velocity_labels[i] for i in chosen]
        self.names = (*_displacements(system), *labels)
        A, B = compiled_rows(_slopes, system, (t, q, v, self.inputs), chosen, others)
        A, B = np.asarray(A), np.asarray(B)
        if not (np.all(np.isfinite(A)) and np.all(np.isfinite(B))):
            raise UsageError("the linearization is not finite on the motion", about=system.name())
        m, k = len(self.names), len(system.input_labels)
        weights = (
            _weights("Q", Q, self.names, 0.0),
            _weights("R", _spread(R, k), system.input_labels, 1.0),
        )
        end = weights[0] if Qf is None else _weights("Qf", Qf, self.names, 0.0)
        self.gains = _gains(A, B, self.dt, *weights, end)
        assert self.gains.shape == (len(t), k, m)
        self._limit = None if limit is None else np.broadcast_to(np.asarray(limit, float), (k,))

    def __call__(self, t: float, q: Any, v: Any) -> np.ndarray:
        """Return the input at a state."""
        i = min(max(math.floor((t - self.t0) / self.dt + 1e-6), 0), len(self._v) - 1)
        v = np.asarray(v)
        if isinstance(self._base, Euclidean):
            w = np.asarray(q) - self._q[i]
        else:
            here = jax.tree.map(lambda x: x[i], self._q)
            w = self._log.at_rows(len(v), here, q) if v.ndim > 1 else self._log(here, q)
        x = np.concatenate([w, (v - self._v[i])[..., self._chosen]], axis=-1)
        u = self.inputs[i] - x @ self.gains[i].T
        return u if self._limit is None else np.clip(u, -self._limit, self._limit)

    def __repr__(self) -> str:
        count = len(self._v)
        end = self.t0 + self.dt * (count - 1)
        return f"Tracker({self.system.name()}, t = {self.t0:g} to {end:g}, {count} gains)"


def _displacements(system: System) -> tuple[str, ...]:
    """Return the names of w: on R^n those of the coordinates; on groups made from velocities."""
    if isinstance(system.groupoid.base, Euclidean):
        return tuple(system.coordinate_labels)
    return tuple(
        x.removesuffix("_dot") if x.endswith("_dot") else f"along {x}"
        for x in system.velocity_labels
    )


def _apart(here: Any, q: Any, base: CodeKey[Group]) -> jax.Array:
    """Return w with q = here exp(w)."""
    group = base.value
    return group.log(group.mul(group.inv(here), q))


def _spread(R: Any, count: int) -> Any:
    return (
        np.full(count, float(R))
        if R is not None and np.ndim(R) == 0 and not isinstance(R, dict)
        else R
    )


def _nominal(system: System, trajectory: Trajectory, t: np.ndarray, u: Any) -> np.ndarray:
    """Return the inputs at the saved rows of the trajectory."""
    count = len(system.input_labels)
    if u is None:
        u = trajectory.saved.get("u", np.zeros(count))
    if isinstance(u, HeldInputs):
        at = np.searchsorted(u.t, t + 1e-9 * (t[-1] - t[0]), side="right") - 1
        u = np.asarray(u.u)[np.maximum(at, 0)]
    elif callable(u):
        u = np.stack([np.atleast_1d(np.asarray(u(x), float)) for x in t])
    values = np.asarray(u, float)
    if values.shape not in ((count,), (len(t), count)):
        raise UsageError(
            f"{system.name()} has {count} inputs and the trajectory {len(t)} rows: u must have the "
            f"shape {(len(t), count)} or {(count,)}, got {values.shape}"
        )
    return np.array(np.broadcast_to(values, (len(t), count)))


def _chosen(system: System, q: Any) -> tuple[int, ...]:
    """Choose the velocities that best determine the others everywhere along the motion."""
    count = len(jax.tree.leaves(q)[0])
    # 64 saved rows are enough to resolve a turning heading
    some = jax.tree.map(lambda x: x[:: max(count // 64, 1)], q)
    bases, _ = np.linalg.qr(np.asarray(compiled_rows(_basis, system, (some,))))
    count = bases.shape[-1]
    best, result = 0.0, tuple(range(count))
    for trial in itertools.combinations(range(system.dim), count):
        volume = float(np.min(np.abs(np.linalg.det(bases[:, list(trial)]))))
        if volume > best:
            best, result = volume, trial
    if best < _DEPENDENT:
        raise UsageError(
            f"no {count} velocities determine the others along the whole motion (the best set "
            f"comes down to {best:.1e} of full rank): cut the trajectory into parts",
            about=system.name(),
        )
    return result


def _basis(system, q):
    return adapted_basis(system, q)[0]


def _slopes(system, t, q, v, u, chosen, others):
    """Return d(w', y')/d(w, y) and d(w', y')/du at a state of the constraint."""
    n, chosen, others = system.dim, np.array(chosen, int), np.array(others, int)
    bracket = system.groupoid.base.ad(v)

    def rates(x, u):
        at = move(system.groupoid, q, x[:n])
        speed = jnp.zeros(n).at[chosen].set(x[n:])
        if len(others):
            rows = linear_constraint(system, at)
            wanted = linear_offset(system, t, at) if system.has_offset else 0.0
            speed = speed.at[others].set(solve(rows[:, others], wanted - rows @ speed))
        a = acceleration(driven(system, Constant(u)), at, speed, t)
        return jnp.concatenate([speed - v - bracket @ x[:n], a[chosen]])

    return jax.jacfwd(rates, argnums=(0, 1))(jnp.concatenate([jnp.zeros(n), v[chosen]]), u)


def _gains(
    A: np.ndarray, B: np.ndarray, dt: float, Q: np.ndarray, R: np.ndarray, end: np.ndarray
) -> np.ndarray:
    """Return K_i of all rows by the Riccati recursion, backwards from the end."""
    rows, m, k = B.shape
    both = np.zeros((rows, m + k, m + k))
    both[:, :m, :m], both[:, :m, m:] = A, B
    moved = _exponential(dt * both)
    F, G = moved[:, :m, :m], moved[:, :m, m:]
    P, K = end, np.zeros((rows, k, m))
    for i in reversed(range(rows)):
        PG = P @ G[i]
        K[i] = np.linalg.solve(dt * R + G[i].T @ PG, PG.T @ F[i])
        P = dt * Q + F[i].T @ P @ (F[i] - G[i] @ K[i])
        P = 0.5 * (P + P.T)
    if not np.all(np.isfinite(K)):
        raise UsageError("the gains diverge: use a shorter motion or a larger R")
    return K


def _exponential(X: np.ndarray) -> np.ndarray:
    """Return exp of each matrix by scaling to norm below 1/2, a Taylor polynomial, and squaring."""
    size = float(np.max(np.sum(np.abs(X), axis=-1), initial=0.0))
    squared = max(math.ceil(math.log2(max(size, 1e-300))) + 1, 0)
    X, term = X / 2**squared, np.broadcast_to(np.eye(X.shape[-1]), X.shape)
    total = term.copy()
    for i in range(1, 15):  # 0.5^15 / 15! is below round-off
        term = term @ X / i
        total = total + term
    for _ in range(squared):
        total = total @ total
    return total
