"""The modified vector field of a symmetric method, by extrapolation, and tests of it.

A symmetric method of order two follows, up to O(h^4), the flow of f + h^2 f2 on the states. With
the nodes z_-3 .. z_3 of one run in both directions, a central difference of order six gives the
modified field at z_0, and three step sizes its coefficient f2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics
from dalembert.compile.xla import quick_options

_WEIGHTS = np.array([-1 / 60, 3 / 20, -3 / 4, 0.0, 3 / 4, -3 / 20, 1 / 60])
HS = (0.04, 0.02, 0.01)


def correction(system: da.System, method) -> Callable[[jax.Array, jax.Array], jax.Array]:
    """Return f2(q, v), shape (2 dim,): (modified rate of (q, v) - exact rate)/h^2."""

    zero = jnp.zeros(())
    signed = jnp.asarray([*HS, *(-h for h in HS)])

    def nodes(q, v, h):  # three steps, in a scan, so that a step is traced once
        state, _ = method.start(system, zero, h, q, v)

        def step(state, _):
            moved = method.step(system, zero, h, state)
            return moved.carry, jnp.concatenate([moved.row.q, moved.row.v])

        return jax.lax.scan(step, state, None, length=3)[1]

    def f2(q, v):
        f = jnp.concatenate([v, dynamics.acceleration(system, q, v)])
        rows = jax.vmap(lambda h: nodes(q, v, h))(signed)
        ahead, back = rows[: len(HS)], rows[len(HS) :]
        gap = jnp.einsum("j,hjz->hz", jnp.asarray(_WEIGHTS[4:]), ahead - back)
        a, b, c = ((gap[i] / h - f) / h**2 for i, h in enumerate(HS))
        # Fit f2 + h u + h^2 w at three step sizes: the start of GNI leaves an odd term h u.
        return (a - 6.0 * b + 8.0 * c) / 3.0

    return f2


class Corrected(NamedTuple):
    """The modified motion in second-order form: q'' = f + h^2 g, mu q' = h^2 c, at (q, v)."""

    slip: jax.Array  # a, in q' = v + h^2 a
    push: jax.Array  # g, as a function of q' instead of v
    off: jax.Array  # c = mu a, one entry for each constraint


def second_order(system: da.System, method) -> Callable[[jax.Array, jax.Array], Corrected]:
    """Return the modified motion in terms of its true velocity q'."""
    f2, n = correction(system, method), system.dim

    def at(q, v):
        f = dynamics.acceleration(system, q, v)
        whole, change = jax.jvp(f2, (q, v), (v, f))
        slip = whole[:n]
        turned = jax.jvp(lambda u: dynamics.acceleration(system, q, u), (v,), (slip,))[1]
        push = whole[n:] + change[:n] - turned
        return Corrected(slip, push, system.constraint(q) @ slip)

    return at


def euler_lagrange(basis: Callable, f: Callable) -> Callable:
    """Return Euler-Lagrange expressions of the functions `basis(q, v)` along q'' = f(q, v)."""

    def at(q, v):
        def slope(x, u):
            return jax.jacfwd(basis, 1)(x, u)

        along = jax.jvp(slope, (q, v), (v, f(q, v)))[1]
        return along - jax.jacfwd(basis, 0)(q, v)  # (functions, dim)

    return at


class Fit(NamedTuple):
    """Misfit of a least-squares fit, relative: on the states of the fit, and on other states."""

    fitted: float
    tested: float
    unknowns: int


def fit_lagrangian(system: da.System, push: jax.Array, states, basis: Callable) -> Fit:
    """Test whether q'' = f + h^2 g is Lagrangian up to reactions, with L + h^2 L2, L2 of the basis.

    The condition is <G g + EL(L2), X> = 0 for X in D: the reactions remain in the span of the
    constraint forms. Every second state is used for the fit, the others test it.
    """

    def rows(q, v, g):
        def f(x, u):
            return dynamics.acceleration(system, x, u)

        columns = euler_lagrange(basis, f)(q, v)
        right = -dynamics.metric(system, q) @ g
        if not system.is_constrained:
            return columns, right
        A = system.constraint(q)
        P = jnp.linalg.svd(A, full_matrices=True)[2][A.shape[0] :]
        return columns @ P.T, P @ right

    columns, right = jax.jit(jax.vmap(rows), compiler_options=quick_options())(*states, push)
    columns, right = np.moveaxis(np.asarray(columns), 2, 1), np.asarray(right)
    size = np.max(np.abs(columns), axis=(0, 1))
    columns = columns / np.where(size > 0, size, 1.0)

    def misfit(part, x):
        A, b = columns[part].reshape(-1, columns.shape[2]), right[part].ravel()
        return float(np.sqrt(np.mean((A @ x - b) ** 2)) / np.sqrt(np.mean(right**2)))

    half = slice(0, None, 2)
    A, b = columns[half].reshape(-1, columns.shape[2]), right[half].ravel()
    x = np.linalg.lstsq(A, b, rcond=1e-11)[0]
    return Fit(misfit(half, x), misfit(slice(1, None, 2), x), columns.shape[2])
