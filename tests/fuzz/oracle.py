"""Equations of motion in NumPy, for comparison: nothing of them is the library's.

    M a = F_ext + dL/dq - d/dt(M v + w) + M a + A^T lam,    A v = b        (written out below)

for L = v.M v/2 + w.v - V with M(t, q), w(t, q), V(t, q), A(t, q), b(t, q) of NumPy. All derivatives
are taken by complex steps, exact to the last digits. On a group the velocity is that of the body.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

STEP = 1e-30  # of a complex step: nothing is subtracted, so nothing is lost


def slopes(f: Callable[[np.ndarray], Any], x: np.ndarray) -> np.ndarray:
    """Derivatives of an analytic function of a vector, the direction last."""
    x = np.asarray(x, dtype=complex)
    columns = []
    for i in range(len(x)):
        moved = x.copy()
        moved[i] += 1j * STEP
        columns.append(np.imag(f(moved)) / STEP)
    return np.stack(columns, axis=-1)


class Mechanics(NamedTuple):
    """A system on R^n, or on R^n times a matrix group whose elements are part of the state.

    `n` numbers of v; `size` numbers of q (flat), moved by v through `rate(q, v)`; `ad(v)` is the
    matrix of the bracket, zero on R^n.
    """

    n: int
    mass: Callable[[Any, Any], Any]
    potential: Callable[[Any, Any], Any]
    drift: Callable[[Any, Any], Any] | None = None  # w(t, q)
    rows: Callable[[Any, Any], Any] | None = None
    right: Callable[[Any, Any], Any] | None = None
    force: Callable[[Any, Any, Any], Any] | None = None
    rate: Callable[[Any, Any], Any] = staticmethod(lambda q, v: v)
    ad: Callable[[Any], np.ndarray] | None = None

    def _along(self, f: Callable[[Any, Any], Any], t: float, q: np.ndarray, v: np.ndarray) -> Any:
        """d/dt of f(t, q(t)) with q' = rate(q, v)."""
        moved = np.asarray(q, dtype=complex) + 1j * STEP * self.rate(q, v)
        return np.imag(f(t + 1j * STEP, moved)) / STEP

    def acceleration(self, t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(a, lam)."""
        M = np.real(self.mass(t, q))

        def lagrangian(i: int) -> float:
            d = np.zeros(self.n)
            d[i] = 1.0
            moved = np.asarray(q, dtype=complex) + 1j * STEP * self.rate(q, d)
            L = 0.5 * v @ self.mass(t, moved) @ v - self.potential(t, moved)
            if self.drift is not None:
                L = L + self.drift(t, moved) @ v
            return float(np.imag(L)) / STEP

        force = np.array([lagrangian(i) for i in range(self.n)])
        p = M @ v
        force = force - self._along(self.mass, t, q, v) @ v
        if self.drift is not None:
            p = p + np.real(self.drift(t, q))
            force = force - self._along(self.drift, t, q, v)
        if self.ad is not None:
            force = force + self.ad(v).T @ p
        if self.force is not None:
            force = force + self.force(t, q, v)
        free = np.linalg.solve(M, force)
        if self.rows is None:
            return free, np.zeros(0)
        A = np.real(self.rows(t, q))
        turn = self._along(self.rows, t, q, v) @ v
        if self.right is not None:
            turn = turn - self._along(self.right, t, q, v)
        raised = np.linalg.solve(M, A.T)
        lam = -np.linalg.solve(A @ raised, turn + A @ free)
        return free + raised @ lam, lam

    def consistent(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The velocity on the constraint nearest to v in the metric."""
        if self.rows is None:
            return v
        A, M = np.real(self.rows(t, q)), np.real(self.mass(t, q))
        b = np.zeros(len(A)) if self.right is None else np.real(self.right(t, q))
        raised = np.linalg.solve(M, A.T)
        for _ in range(2):
            v = v - raised @ np.linalg.solve(A @ raised, A @ v - b)
        return v

    def motion(self, q: np.ndarray, v: np.ndarray, times: Any, tol: float) -> np.ndarray:
        """(q, v) at the last of the times; integrated apart between them."""
        size = len(q)

        def rate(t: float, x: np.ndarray) -> np.ndarray:
            q, v = x[:size], x[size:]
            return np.concatenate([self.rate(q, v), self.acceleration(t, q, v)[0]])

        x = np.concatenate([q, v])
        for a, b in itertools.pairwise(times):
            found = solve_ivp(rate, (a, b), x, method="DOP853", rtol=tol, atol=tol * 1e-2)
            if not found.success:
                raise ArithmeticError(found.message)
            x = found.y[:, -1]
        return x

    def bounced(
        self, q: np.ndarray, v: np.ndarray, times: Any, tol: float, gap: Any, restitution: float
    ) -> np.ndarray:
        """`motion` on R^n with a wall gap(q) >= 0: d(gap) v turns round, with the reactions."""
        n, end = len(q), times[-1]
        x, t = np.concatenate([q, v]), times[0]

        def rate(t: float, x: np.ndarray) -> np.ndarray:
            return np.concatenate([x[n:], self.acceleration(t, x[:n], x[n:])[0]])

        def hit(t: float, x: np.ndarray) -> float:
            return float(gap(x[:n]))

        hit.terminal, hit.direction = True, -1
        for _ in range(40):
            found = solve_ivp(
                rate, (t, end), x, method="DOP853", rtol=tol, atol=tol * 1e-2, events=hit
            )
            if not found.success:
                raise ArithmeticError(found.message)
            t, x = found.t[-1], found.y[:, -1]
            if found.status == 0:
                return x
            q, v = x[:n], x[n:]
            normal = slopes(gap, q)
            back = np.linalg.inv(np.real(self.mass(t, q)))
            if self.rows is not None:
                A = np.real(self.rows(t, q))
                raised = back @ A.T
                back = back - raised @ np.linalg.solve(A @ raised, raised.T)
            v = v - (1.0 + restitution) * back @ normal * (normal @ v) / (normal @ back @ normal)
            # a step away from the wall, so that it is not met again where it was left
            x = np.concatenate([q, v])
            x[:n] += 1e-14 * normal
        raise ArithmeticError("bounces heap up")


def hat(w: np.ndarray) -> np.ndarray:
    """hat(w) x = w times x."""
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def turned(q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """R' = R hat(w), flat."""
    return (q.reshape(3, 3) @ hat(w)).ravel()


def bracket(w: np.ndarray) -> np.ndarray:
    """ad of so(3): [w, x] = w times x."""
    return hat(w)


def planar(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(x, y, angle)' of a body in the plane from its own velocity."""
    c, s = np.cos(q[2]), np.sin(q[2])
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]])


def planar_bracket(v: np.ndarray) -> np.ndarray:
    """ad of se(2), in (v_x, v_y, w): [v, u] = (-w u_y + v_y u_w, w u_x - v_x u_w, 0)."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [0, 0, 0.0]])
