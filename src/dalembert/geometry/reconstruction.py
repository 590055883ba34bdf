"""From shape back to configuration: horizontal lift of a curve, geometric phase of a loop.

    g' = g hat(xi),    xi = -A(r) r'                        sections 4.2.2 and 5.1.2 [C02]

is solved by a Magnus method of order six (Blanes, Casas and Ros 2000, turned to right
multiplication); for an Abelian group that is Gauss quadrature with three nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax import lax

from .. import dynamics
from ..errors import UsageError
from ..groups import Group
from .reduction import Chaplygin

_ROOT = float(np.sqrt(15.0))
_NODES = (0.5 - _ROOT / 10, 0.5, 0.5 + _ROOT / 10)


def reconstruct(
    chaplygin: Chaplygin,
    t: jax.Array,
    r: jax.Array,
    w: jax.Array,
    g0: Any = None,
) -> Any:
    """Group elements g(t_k) over the nodes (t_k, r_k, w_k) of a motion of the reduced system.

    Between the nodes the shape is the quintic through position, velocity and acceleration, so the
    error is O(h^6) beside that of the nodes. `chaplygin.lift(r, g, w)` then gives the state of
    the unreduced system. `g0` is the element at t_0, by default the identity.
    """
    group = chaplygin.group
    t, r, w = (jnp.asarray(x, dtype=float) for x in (t, r, w))
    if r.ndim != 2 or r.shape != w.shape or t.shape != r.shape[:1] or r.shape[1] != chaplygin.shape:
        raise UsageError(
            f"reconstruct needs t (N,), r (N, {chaplygin.shape}) and w (N, {chaplygin.shape}); "
            f"got {t.shape}, {r.shape}, {w.shape}"
        )
    g0 = group.identity() if g0 is None else group.check(g0, "g0")
    system = chaplygin.reduced
    a = jax.vmap(lambda t, r, w: dynamics.acceleration(system, r, w, t))(t, r, w)

    def rates(t0, t1, first, last):
        step = t1 - t0
        return step, jnp.stack([_rate(chaplygin, *_quintic(first, last, step, s)) for s in _NODES])

    first, last = (r[:-1], w[:-1], a[:-1]), (r[1:], w[1:], a[1:])
    steps, xi = jax.vmap(rates)(t[:-1], t[1:], first, last)
    return _march(group, g0, steps, xi)


def phase(chaplygin: Chaplygin, loop: Callable[[jax.Array], jax.Array], *, steps: int = 256) -> Any:
    """Geometric phase of a loop r = loop(s), 0 <= s <= 1: the element g(1) of the lift from e.

    It does not depend on how the loop is run through. The loop must close, up to the declared
    periods of the shape coordinates. Of an Abelian group the phase is minus the integral of the
    curvature over a surface that the loop bounds.
    """
    _check_closed(chaplygin, loop)
    edges = jnp.linspace(0.0, 1.0, steps + 1)

    def rates(s0, s1):
        def at(node):
            r, w = jax.jvp(loop, (s0 + node * (s1 - s0),), (jnp.ones(()),))
            return _rate(chaplygin, r, w)

        return s1 - s0, jnp.stack([at(node) for node in _NODES])

    lengths, xi = jax.vmap(rates)(edges[:-1], edges[1:])
    path = _march(chaplygin.group, chaplygin.group.identity(), lengths, xi)
    return jax.tree.map(lambda x: x[-1], path)


def _check_closed(chaplygin: Chaplygin, loop: Callable[[jax.Array], jax.Array]) -> None:
    first, last = loop(jnp.zeros(())), loop(jnp.ones(()))
    if first.shape != (chaplygin.shape,):
        raise UsageError(f"the loop must give {chaplygin.shape} numbers, got shape {first.shape}")
    if isinstance(first, jax.core.Tracer) or isinstance(last, jax.core.Tracer):
        return
    gap = np.asarray(last - first)
    for i, period in enumerate(chaplygin.circles):
        turns = 0.0 if period is None else period * np.round(gap[i] / period)
        if not abs(gap[i] - turns) < 1e-9 * (1 + abs(gap[i])):
            known = "no period is declared for it" if period is None else f"its period is {period}"
            raise UsageError(
                f"the loop does not close: shape coordinate {i} changes by {gap[i]:.3g}, and "
                f"{known}"
            )


def _rate(chaplygin: Chaplygin, r: jax.Array, w: jax.Array) -> jax.Array:
    return -chaplygin.connection(r) @ w


def _quintic(first, last, h, s):
    """Position and velocity at the fraction s of a step, from both ends' r, r', r''."""
    (r0, w0, a0), (r1, w1, a1) = first, last
    d = r1 - r0 - h * w0 - 0.5 * h * h * a0
    e = h * (w1 - w0) - h * h * a0
    f = h * h * (a1 - a0)
    c3, c4, c5 = 10 * d - 4 * e + 0.5 * f, -15 * d + 7 * e - f, 6 * d - 3 * e + 0.5 * f
    r = r0 + s * h * (w0 + 0.5 * s * h * a0) + s**3 * (c3 + s * (c4 + s * c5))
    w = w0 + s * h * a0 + s**2 * (3 * c3 + s * (4 * c4 + s * 5 * c5)) / h
    return r, w


def _march(group: Group, g0: Any, steps: jax.Array, xi: jax.Array) -> Any:
    """g_k over the nodes from the rates (N, 3, dim) at the Gauss nodes of each step."""

    def bracket(x, y):
        return -group.ad(x) @ y  # of the opposite algebra: g' = g xi instead of g' = xi g

    def one(g, step):
        h, (x1, x2, x3) = step[0], step[1]
        a1, a2, a3 = h * x2, _ROOT * h / 3 * (x3 - x1), 10 * h / 3 * (x3 - 2 * x2 + x1)
        c1 = bracket(a1, a2)
        c2 = -bracket(a1, 2 * a3 + c1) / 60
        move = a1 + a3 / 12 + bracket(-20 * a1 - a3 + c1, a2 + c2) / 240
        g = group.project(group.mul(g, group.exp(move)))
        return g, g

    _, path = lax.scan(one, g0, (steps, xi))
    return jax.tree.map(lambda x, y: jnp.concatenate([x[None], y]), g0, path)
