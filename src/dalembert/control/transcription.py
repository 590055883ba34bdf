"""A run as a function of its control values, with exact first derivatives.

Over each step of a method the control is a polynomial through its values at Gauss points. The step
is a map z' = F_k(z, w), z the state that the method carries, w these values. Its derivative in
one direction is one compiled function, evaluated at all steps and directions at once: it is faster
to compile (0.6 instead of 5 CPU s) and to run (7 instead of 24 ms, for 40 steps of a car with
trailer) than code for all directions together. Second derivatives are central differences of first
derivatives; Newton's method converges with them as well as with exact ones.
"""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..compile.cpu.llvm import Effort
from ..compile.function import Evaluator, evaluator
from ..compile.tracing import to_be_differentiated
from ..doors import Module
from ..dynamics import (
    consistent_velocity,
    constraint_matrix,
    constraint_residual,
    linear_constraint,
    metric,
    momentum,
    multipliers,
    solve_reactions,
)
from ..errors import UsageError
from ..groupoids import Pair
from ..groups import Euclidean
from ..inputs import driven
from ..linalg import OK, solve_spd
from ..methods import GNI, Gauss, Method
from ..system import System, compiled_call

_SHIFT = 1e-5  # relative step of central differences


class Pieces(Module):
    """Piecewise polynomial control on equal steps, given by its values at Gauss points."""

    h: jax.Array
    values: jax.Array  # (steps, nodes, controls)

    def __call__(self, t: jax.Array) -> jax.Array:
        x = t / self.h
        k = jnp.clip(jnp.floor(x), 0, self.values.shape[0] - 1).astype(int)
        return _lagrange(x - k, self.values.shape[1]) @ self.values[k]


class _Piece(eqx.Module):
    """The control polynomial of one step."""

    t: jax.Array
    h: jax.Array
    values: jax.Array  # (nodes, controls)

    def __call__(self, t: jax.Array) -> jax.Array:
        return _lagrange((t - self.t) / self.h, self.values.shape[0]) @ self.values


def gauss_points(nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points and weights of the Gauss rule on (0, 1)."""
    x, b = np.polynomial.legendre.leggauss(nodes)
    return 0.5 * (1.0 + x), 0.5 * b


def _lagrange(x: jax.Array, nodes: int) -> jax.Array:
    c, _ = gauss_points(nodes)
    others = [[c[j] for j in range(nodes) if j != i] for i in range(nodes)]
    return jnp.stack(
        [
            jnp.prod(jnp.stack([jnp.ones_like(x), *((x - a) / (c[i] - a) for a in others[i])]))
            for i in range(nodes)
        ]
    )


class Ends(NamedTuple):
    """End conditions: they hold if `Transcription.gap` vanishes at the last state."""

    target: jax.Array  # fixed entries of q; on a group all of q
    chosen: jax.Array  # (fixed entries, entries of q); on a group, entries of the logarithm
    rows: jax.Array  # rows @ v = 0 is equivalent to v = 0 on the constraint near the target


class Slopes(NamedTuple):
    """First derivatives along a run."""

    gap: np.ndarray
    A: np.ndarray  # (steps, z, z)
    B: np.ndarray  # (steps, z, w)
    C: np.ndarray  # (gap, z)


class Transcription:
    """A system from rest at q0, by `steps` steps of a method with `nodes` values each."""

    def __init__(
        self, system: System, method: Method, q0: Any, h: float, steps: int, nodes: int
    ) -> None:
        if not isinstance(system.groupoid, Pair) or system.has_holonomic:
            raise UsageError(
                f"{system.name()}: optimal control is for R^n and Lie groups, not reduced, without "
                "holonomic functions"
            )
        if isinstance(method, GNI) and not isinstance(system.space, Euclidean):
            raise UsageError(f"{method.name} is transcribed on R^n; take Gauss or DLA on a group")
        if method.traits.carry == "step" and not isinstance(method, GNI):
            raise UsageError(f"{method.name} cannot be transcribed: it carries more than (q, v)")
        if system.has_timed_constraint or (system.has_time and isinstance(method, GNI)):
            raise UsageError(
                f"{system.name()} depends on time, by its "
                f"{'constraint' if system.has_timed_constraint else 'Lagrangian'}: plans and "
                "optima are available only for systems that do not"
            )
        method.check(driven(system, jnp.zeros(len(system.input_labels))))
        self.system, self.method, self.h = system, method, float(h)
        self.steps, self.nodes, self.m = steps, nodes, len(system.input_labels)
        q, v = q0, jnp.zeros(system.dim)
        if np.any(compiled_call(consistent_velocity, system, q, v)):
            raise UsageError(
                f"{system.name()} cannot be at rest: its constraint has a right-hand side"
            )
        self.start = np.asarray(compiled_call(_first, system, method, q, v))
        self._end: dict[tuple[tuple[int, ...], ...], Evaluator[Any]] = {}

        row = (np.zeros(()), self.start, np.zeros(()), np.zeros((nodes, self.m)))
        self._advance = evaluator(_advanced, (system,), row, method)
        # called up to 10^6 times, where optimized code is twice as fast
        self._push = evaluator(
            _pushed, (system,), (*row, row[1], row[3]), method, effort=Effort(2, 0)
        )

    def values(self, u: np.ndarray) -> np.ndarray:
        """Return the control values as (steps, nodes, controls)."""
        return np.asarray(u, dtype=float).reshape(self.steps, self.nodes, self.m)

    def run(self, u: np.ndarray) -> np.ndarray:
        """Return the states (steps + 1, z); NaN from the first failed step on."""
        z = np.full((self.steps + 1, len(self.start)), np.nan)
        z[0] = self.start
        h = self.h
        for k, values in enumerate(self.values(u)):
            result = self._advance.packed(np.concatenate([[h], z[k], [h * k], values.ravel()]))
            if result[-1] != OK:
                break
            z[k + 1] = result[:-1]
        return z

    def nodes_of(self, z: np.ndarray) -> np.ndarray:
        """Return (q, v) of states, with q flattened."""
        code = evaluator(_node, (self.system,), (z[0],), self.method)
        return np.concatenate(code.at_rows(len(z), z), axis=1)

    def gap(self, z: np.ndarray, ends: Ends) -> np.ndarray:
        """Return the residual of the end conditions at the last state of a run."""
        return self._at_end(z[-1], ends)[0]

    def _at_end(self, z: np.ndarray, ends: Ends) -> tuple[np.ndarray, np.ndarray]:
        """Return the residual of the end conditions at a state, and its derivative."""
        shapes = tuple(x.shape for x in ends)
        if shapes not in self._end:
            row = (self.start, Ends(*map(jnp.zeros, shapes)))
            self._end[shapes] = evaluator(_end_slopes, (self.system,), row, self.method)
        return self._end[shapes](z, ends)

    def slopes(self, z: np.ndarray, u: np.ndarray, ends: Ends) -> Slopes:
        """Return the first derivatives along a run."""
        gap, C = self._at_end(z[-1], ends)
        size = len(self.start)
        x = np.column_stack([z[:-1], np.reshape(u, (self.steps, -1))])
        result = np.moveaxis(self._pushed(x, np.eye(x.shape[1])), 1, 2)
        return Slopes(gap, result[:, :, :size], result[:, :, size:], C)

    def _pushed(self, x: np.ndarray, along: np.ndarray) -> np.ndarray:
        """Return (steps, directions, z): derivatives of all steps at x_k = (z_k, w_k)."""
        size, count = len(self.start), len(along)
        rows = np.repeat(x, count, axis=0)
        moves = np.tile(along, (len(x), 1))
        times = np.repeat(self.h * np.arange(self.steps), count)
        given = [rows[:, :size], times, self._as_values(rows[:, size:])]
        given += [moves[:, :size], self._as_values(moves[:, size:])]
        # a block holds all directions: code is compiled for one array shape only
        block = self.steps * x.shape[1]
        values = self._push.at_rows(len(rows), np.asarray(self.h), *given, block=block)
        return values.reshape(len(x), count, size)

    def _as_values(self, w: np.ndarray) -> np.ndarray:
        return w.reshape(len(w), self.nodes, self.m)

    def moved(self, at: Slopes) -> np.ndarray:
        """Return dz_k / du for all k, of shape (steps + 1, z, entries of u)."""
        width = at.B.shape[2]
        T = np.zeros((self.steps + 1, at.A.shape[1], self.steps * width))
        for k in range(self.steps):
            T[k + 1] = at.A[k] @ T[k]
            T[k + 1][:, k * width : (k + 1) * width] += at.B[k]
        return T

    def curvature(
        self, z: np.ndarray, u: np.ndarray, ends: Ends, at: Slopes, T: np.ndarray, nu: np.ndarray
    ) -> np.ndarray:
        """Return the second derivative of nu . gap with respect to u."""
        adjoint = np.zeros((self.steps, at.A.shape[1]))
        last = at.C.T @ nu
        for k in range(self.steps - 1, -1, -1):
            adjoint[k] = last
            last = at.A[k].T @ last
        size, width = at.A.shape[1], at.B.shape[2]

        x = np.column_stack([z[:-1], np.reshape(u, (self.steps, -1))])
        inner, along = np.zeros((*x.shape, x.shape[1])), np.eye(x.shape[1])
        # the matrix is symmetric: compute the entries (i, j) with i >= j
        for j in range(x.shape[1]):
            shift = _SHIFT * (1.0 + np.abs(x[:, j : j + 1]))
            sides = [self._pushed(x + side * shift * along[j], along[j:]) for side in (1.0, -1.0)]
            product = np.einsum("ki,kji->kj", adjoint, sides[0] - sides[1]) / (2.0 * shift)
            inner[:, j:, j] = inner[:, j, j:] = product
        outer = np.zeros((size, size))
        for j in range(size):
            shift = _SHIFT * (1.0 + abs(z[-1, j])) * np.eye(size)[j]
            sides = [nu @ self._at_end(z[-1] + side * shift, ends)[1] for side in (1.0, -1.0)]
            outer[j] = (sides[0] - sides[1]) / (2.0 * shift[j])
        outer = 0.5 * (outer + outer.T)
        H = T[-1].T @ outer @ T[-1]
        for k in range(self.steps):
            here = slice(k * width, (k + 1) * width)
            mixed = inner[k, size:, :size] @ T[k]
            H += T[k].T @ inner[k, :size, :size] @ T[k]
            H[here] += mixed
            H[:, here] += mixed.T
            H[here, here] += inner[k, size:, size:]
        return 0.5 * (H + H.T)


# -- one step ------------------------------------------------------------------------------------


def _step(system, method, h, z, t, w):
    """Return (z', result) of the step from t with the values w of its control."""
    n = system.dim
    made = driven(system, _Piece(t, h, w))
    # z = (q, p_minus); at t = 0 half of the first impulse is added, which `_first` leaves out
    if isinstance(method, GNI):
        q, p = z[:n], z[n:]
        v = solve_spd(metric(made, q), p)
        state, _ = method.start(made, t, h, q, consistent_velocity(made, q, v, t))
        impulse = 0.5 * h * linear_constraint(made, q).T @ multipliers(made, q, 0.0 * v, t)
        done = method.step(
            made, t, h, state._replace(p_minus=p + jnp.where(t == 0, 1, 0) * impulse)
        )
        return jnp.concatenate([done.carry.q, done.carry.p_minus]), done.row.result
    q, v = _split(system, z)
    v = _on_constraint(made, q, v, t)
    done = method.step(made, t, h, method.start(made, t, h, q, v)[0])
    return jnp.concatenate([system.space.flatten(done.row.q), done.row.v]), done.row.result


def _on_constraint(system, q, v, t):
    """Project v onto the constraint.

    `consistent_velocity` is the identity on the constraint and a projection off it. Their
    derivatives differ across the constraint, so that differences of first derivatives would mix
    them.
    """
    if not system.is_constrained:
        return v
    mu = constraint_matrix(system, q, v, t)
    raised = solve_spd(metric(system, q, v, t), mu.T)
    return v - raised @ solve_reactions(system, mu @ raised, constraint_residual(system, q, v, t))


def _split(system, z):
    """Split a state into q and v; entries of rotation matrices are differentiated as independent.

    Derivatives of a run are tangent to the group, so the step's values off the group do not matter.
    """
    size = system.space.size
    return system.space.unflatten(z[:size]), z[size:]


def _node(system, z, method):
    q, v = _split(system, z)
    if isinstance(method, GNI):
        v = consistent_velocity(system, q, solve_spd(metric(system, q), v))
    return system.space.flatten(q), v


def _first(system, method, q, v):
    """Return the initial state, without the impulse of the first step."""
    carried = momentum(system, q, v) if isinstance(method, GNI) else v
    return jnp.concatenate([system.space.flatten(q), carried])


def _advanced(system, h, z, t, w, method):
    z, result = _step(system, method, h, z, t, w)
    return z, result.astype(float)


def _pushed(system, h, z, t, w, dz, dw, method):
    """Return the derivative of a step in the direction (dz, dw)."""
    # Gauss iterates to round-off, and differentiating its iteration converges with it. This takes
    # half the time of the implicit function theorem, which all other methods use.
    by_iteration = isinstance(method, Gauss)
    with contextlib.nullcontext() if by_iteration else to_be_differentiated():
        return jax.jvp(lambda z, w: _step(system, method, h, z, t, w)[0], (z, w), (dz, dw))[1]


def _gap(system, z, ends: Ends, method):
    q, v = _node(system, z, method)
    if isinstance(system.space, Euclidean):
        return jnp.concatenate([ends.chosen @ q - ends.target, ends.rows @ v])
    space = system.space
    turn = space.mul(space.inv(space.unflatten(ends.target)), space.unflatten(q))
    return jnp.concatenate([ends.chosen @ space.log(turn), ends.rows @ v])


def _end_slopes(system, z, ends: Ends, method):
    last = lambda z: _gap(system, z, ends, method)  # noqa: E731
    return last(z), jax.jacfwd(last)(z)


__all__ = ["Ends", "Pieces", "Slopes", "Transcription", "gauss_points"]
