"""A run as a function of its control values, with exact first derivatives.

Over each step of a method the control is a polynomial through its values at Gauss points. The step
is a map z' = F_k(z, w) of the state that the method carries and of these values; its derivatives
are computed by automatic differentiation of one step, for all steps at once, and assembled here.
Second derivatives are central differences of these. Newton's method converges with them as well as
with exact ones, whose code takes minutes to compile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..doors import Module
from ..dynamics import consistent_velocity, linear_constraint, metric, momentum, multipliers
from ..errors import UsageError
from ..groupoids import Pair
from ..groups import Euclidean
from ..inputs import driven
from ..linalg import OK, solve_spd
from ..methods import GNI, Method
from ..system import System, compiled_call

_CHUNK = 20  # steps whose derivatives are computed in one call
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
    """End conditions; they hold if `gap` vanishes at the last state."""

    target: jax.Array  # values of the fixed entries of q; on a group all entries
    chosen: jax.Array  # (fixed entries, entries of q)
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
            raise UsageError(f"{method.name} carries more than (q, v): it is not transcribed")
        if system.has_timed_constraint or (system.has_time and isinstance(method, GNI)):
            raise UsageError(
                f"{system.name()} depends on time, by its "
                f"{'constraint' if system.has_timed_constraint else 'Lagrangian'}: plans and "
                "optima are those of systems that do not"
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

    def values(self, u: np.ndarray) -> np.ndarray:
        """Return the control values as (steps, nodes, controls)."""
        return np.asarray(u, dtype=float).reshape(self.steps, self.nodes, self.m)

    def _chunks(self, *arrays: np.ndarray) -> Iterator[tuple[Any, ...]]:
        """Yield parts of the arrays with their times, all of one size, to compile once."""
        for k in range(0, self.steps, _CHUNK):
            count = min(_CHUNK, self.steps - k)
            fill = [(0, _CHUNK - count)]
            parts = [np.pad(x[k : k + count], fill + [(0, 0)] * (x.ndim - 1)) for x in arrays]
            times = self.h * np.arange(k, k + _CHUNK)
            yield (k, count, jnp.asarray(times), *map(jnp.asarray, parts))

    def _call(self, function: Any, *args: Any) -> Any:
        return compiled_call(function, self.system, self.method, *args)

    def run(self, u: np.ndarray) -> np.ndarray:
        """Return the states (steps + 1, z); NaN from the first failed step on."""
        z = [self.start[None]]
        for _, count, times, values in self._chunks(self.values(u)):
            rows, results = self._call(
                _run, jnp.asarray(self.h), jnp.asarray(z[-1][-1]), times, values
            )
            part, bad = np.array(rows)[:count], np.asarray(results)[:count] != OK
            if np.any(bad):
                part[int(np.argmax(bad)) :] = np.nan
            z.append(part)
        return np.concatenate(z)

    def nodes_of(self, z: np.ndarray) -> np.ndarray:
        """Return (q, v) of states, with q flattened."""
        found = [np.concatenate(self._call(_node, jnp.asarray(x))) for x in z]
        return np.array(found)

    def gap(self, z: np.ndarray, ends: Ends) -> np.ndarray:
        """Return the residual of the end conditions at the last state."""
        return np.asarray(self._call(_gap, jnp.asarray(z[-1]), ends))

    def slopes(self, z: np.ndarray, u: np.ndarray, ends: Ends) -> Slopes:
        """Return the first derivatives along a run."""
        gap, C = self._call(_end_slopes, jnp.asarray(z[-1]), ends)
        return Slopes(np.asarray(gap), *self._step_slopes(z[:-1], self.values(u)), np.asarray(C))

    def _step_slopes(self, z: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return d z' / d z and d z' / d w of each step."""
        A, B = [], []
        for _, count, times, rows, w in self._chunks(z, values):
            found = self._call(_slopes, jnp.asarray(self.h), rows, times, w)
            A.append(np.asarray(found[0])[:count])
            B.append(np.asarray(found[1])[:count])
        return np.concatenate(A), np.concatenate(B)

    def moved(self, at: Slopes) -> np.ndarray:
        """Return dz_k / du, (steps + 1, z, all numbers of u)."""
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

        def pulls(x: np.ndarray) -> np.ndarray:
            """Return the gradient of adjoint . z' of each step in all its arguments."""
            A, B = self._step_slopes(x[:, :size], self.values(x[:, size:]))
            return np.einsum("ki,kij->kj", adjoint, np.concatenate([A, B], axis=2))

        def end_pulls(x: np.ndarray) -> np.ndarray:
            return np.stack([nu @ self._call(_end_slopes, jnp.asarray(row), ends)[1] for row in x])

        inner = _differences(pulls, np.column_stack([z[:-1], np.reshape(u, (self.steps, -1))]))
        outer = _differences(end_pulls, z[-1:])[0]
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
    if isinstance(method, GNI):  # z = (q, p_minus); a start adds half of the first impulse
        q, p = z[:n], z[n:]
        v = solve_spd(metric(made, q), p)
        state, _ = method.start(made, t, h, q, consistent_velocity(made, q, v, t))
        impulse = 0.5 * h * linear_constraint(made, q).T @ multipliers(made, q, 0.0 * v, t)
        done = method.step(
            made, t, h, state._replace(p_minus=p + jnp.where(t == 0, 1, 0) * impulse)
        )
        return jnp.concatenate([done.carry.q, done.carry.p_minus]), done.row.result
    q, v = _split(system, z)
    v = consistent_velocity(made, q, v, t)
    done = method.step(made, t, h, method.start(made, t, h, q, v)[0])
    return jnp.concatenate([system.space.flatten(done.row.q), done.row.v]), done.row.result


def _split(system, z):
    """Split a state into q and v; matrix entries are differentiated as independent numbers.

    Derivatives of a run are tangent to the group, so the step's values off the group do not matter.
    """
    size = system.space.size
    return system.space.unflatten(z[:size]), z[size:]


def _node(system, method, z):
    q, v = _split(system, z)
    if isinstance(method, GNI):
        v = consistent_velocity(system, q, solve_spd(metric(system, q), v))
    return system.space.flatten(q), v


def _first(system, method, q, v):
    """Return the initial state, without the impulse of the first step."""
    carried = momentum(system, q, v) if isinstance(method, GNI) else v
    return jnp.concatenate([system.space.flatten(q), carried])


def _run(system, method, h, first, times, values):
    def step(z, x):
        z, result = _step(system, method, h, z, *x)
        return z, (z, result)

    return jax.lax.scan(step, first, (times, values))[1]


def _gap(system, method, z, ends: Ends):
    q, v = _node(system, method, z)
    if isinstance(system.space, Euclidean):
        return jnp.concatenate([ends.chosen @ q - ends.target, ends.rows @ v])
    space = system.space
    turn = space.mul(space.inv(space.unflatten(ends.target)), space.unflatten(q))
    return jnp.concatenate([space.log(turn), ends.rows @ v])


def _end_slopes(system, method, z, ends: Ends):
    last = lambda z: _gap(system, method, z, ends)  # noqa: E731
    return last(z), jax.jacfwd(last)(z)


def _slopes(system, method, h, z, times, values):
    def one(z, t, w):
        step = lambda z, w: _step(system, method, h, z, t, w.reshape(values.shape[1:]))[0]  # noqa: E731
        return jax.jacfwd(step, argnums=(0, 1))(z, w.ravel())

    return jax.vmap(one)(z, times, values)


def _differences(slope: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Return d slope_k / d x_k for each row x_k, a symmetric matrix, by central differences."""
    found = np.zeros((*x.shape, x.shape[1]))
    for j in range(x.shape[1]):
        shift = np.zeros_like(x)
        shift[:, j] = _SHIFT * (1.0 + np.abs(x[:, j]))
        found[:, j] = (slope(x + shift) - slope(x - shift)) / (2.0 * shift[:, j : j + 1])
    return 0.5 * (found + np.swapaxes(found, 1, 2))


__all__ = ["Ends", "Pieces", "Slopes", "Transcription", "gauss_points"]
