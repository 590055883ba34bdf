"""Reconstruction of the configuration from the shape: horizontal lifts and geometric phases.

    g' = g hat(xi),    xi = -A(r) r'                        sections 4.2.2 and 5.1.2 [C02]

is solved by a Magnus method of order six (Blanes, Casas and Ros 2000, with the signs for
g' = g xi); for an Abelian group that is Gauss quadrature with three nodes.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax import lax

from ... import dynamics
from ...errors import UsageError
from ...groupoids import Element
from ...groups import Group
from ...linalg import gauss_rule
from ...system import Point
from .chaplygin_reduction import Chaplygin

_ROOT = float(np.sqrt(15.0))
_NODES = gauss_rule(3)[0]


def reconstruct(
    chaplygin: Chaplygin,
    t: jax.Array,
    r: Point,
    w: jax.Array,
    g0: Element = None,
) -> Element:
    """Return the group elements g(t_k) at the nodes (t_k, r_k, w_k) of a reduced motion.

    Between the nodes the shape is the quintic through position, velocity and acceleration at both
    ends (on a group, in the exponential chart of the first node). So the error is O(h^6), added to
    the errors of the nodes. `chaplygin.lift(r, g, w)` then gives the state of the unreduced system.
    `g0` is the element at t_0, by default the identity.
    """
    group, base = chaplygin.group, chaplygin.base
    t, r, w = jax.tree.map(lambda x: jnp.asarray(x, dtype=float), (t, r, w))
    n, one = t.size, jax.eval_shape(base.identity)
    wanted = jax.tree.map(lambda x: (n, *x.shape), one)
    result = jax.tree.map(lambda x: x.shape, r)
    if t.ndim != 1 or result != wanted or w.shape != (n, chaplygin.shape):
        raise UsageError(
            f"reconstruct needs t (N,), shapes r stacked over N as {wanted} and w "
            f"(N, {chaplygin.shape}); got {t.shape}, {result}, {w.shape}"
        )
    g0 = group.identity() if g0 is None else group.check(g0, "g0")
    system = chaplygin.reduced

    def rates(step, first, last):
        (r0, w0, a0), (r1, w1, a1) = first, last

        def chart_rate(u, w):  # u' for r0 exp(u) moving with the velocity w
            return base.dexp_inv(-u) @ w

        u1 = base.log(base.mul(base.inv(r0), r1))
        du1 = chart_rate(u1, w1)
        ddu1 = jax.jvp(chart_rate, (u1, w1), (du1, a1))[1]
        # at u = 0 the chart rate is w, so u'' = w'
        ends = (jnp.zeros_like(u1), w0, a0), (u1, du1, ddu1)

        def at(s):
            u, du = _quintic(*ends, step, s)
            return _rate(chaplygin, base.mul(r0, base.exp(u)), base.dexp(-u) @ du)

        return jnp.stack([at(s) for s in _NODES])

    @jax.jit  # one jit: compiling each operation separately would take much longer
    def all_of(t, r, w, g0):
        a = jax.vmap(lambda t, r, w: dynamics.acceleration(system, r, w, t))(t, r, w)
        rows, steps = (r, w, a), jnp.diff(t)
        first, last = jax.tree.map(lambda x: x[:-1], rows), jax.tree.map(lambda x: x[1:], rows)
        return march(group, g0, steps, jax.vmap(rates)(steps, first, last))

    return all_of(t, r, w, g0)


def phase(chaplygin: Chaplygin, loop: Callable[[jax.Array], Point], *, steps: int = 256) -> Element:
    """Return the geometric phase of a loop r = loop(s), 0 <= s <= 1: g(1) of the lift from e.

    It does not depend on the parametrization of the loop. The loop must close, up to the declared
    periods of shape coordinates on R^s. For an Abelian group the phase is minus the integral of the
    curvature over a surface that the loop bounds.
    """
    _check_closed(chaplygin, loop)
    edges = jnp.linspace(0.0, 1.0, steps + 1)

    def rates(s0, s1):
        def at(node):
            s = s0 + node * (s1 - s0)
            here, base = loop(s), chaplygin.base
            back = base.inv(here)
            w = jax.jvp(lambda x: base.log(base.mul(back, loop(x))), (s,), (jnp.ones(()),))[1]
            return _rate(chaplygin, here, w)

        return s1 - s0, jnp.stack([at(node) for node in _NODES])

    @jax.jit
    def end(edges):
        lengths, xi = jax.vmap(rates)(edges[:-1], edges[1:])
        path = march(chaplygin.group, chaplygin.group.identity(), lengths, xi)
        return jax.tree.map(lambda x: x[-1], path)

    return end(edges)


def _check_closed(chaplygin: Chaplygin, loop: Callable[[jax.Array], Point]) -> None:
    base = chaplygin.base
    first, last = (base.check(loop(s), "loop(s)") for s in (jnp.zeros(()), jnp.ones(())))
    gap = base.log(base.mul(base.inv(first), last))
    if isinstance(gap, jax.core.Tracer):
        return
    gap = np.asarray(gap)
    for i, period in enumerate(chaplygin.circles):
        turns = 0.0 if period is None else period * np.round(gap[i] / period)
        if not abs(gap[i] - turns) < 1e-9 * (1 + abs(gap[i])):
            known = "no period is declared for it" if period is None else f"its period is {period}"
            raise UsageError(
                f"the loop does not close: shape coordinate {i} changes by {gap[i]:.3g}, and "
                f"{known}"
            )


def _rate(chaplygin: Chaplygin, r: Point, w: jax.Array) -> jax.Array:
    return -chaplygin.connection(r) @ w


def _quintic(first, last, h, s):
    """Return position and velocity at the fraction s of a step, from r, r', r'' at both ends."""
    (r0, w0, a0), (r1, w1, a1) = first, last
    d = r1 - r0 - h * w0 - 0.5 * h * h * a0
    e = h * (w1 - w0) - h * h * a0
    f = h * h * (a1 - a0)
    c3, c4, c5 = 10 * d - 4 * e + 0.5 * f, -15 * d + 7 * e - f, 6 * d - 3 * e + 0.5 * f
    r = r0 + s * h * (w0 + 0.5 * s * h * a0) + s**3 * (c3 + s * (c4 + s * c5))
    w = w0 + s * h * a0 + s**2 * (3 * c3 + s * (4 * c4 + s * 5 * c5)) / h
    return r, w


def march(group: Group, g0: Element, steps: jax.Array, xi: jax.Array) -> Element:
    """Return g_k at the nodes from the rates (N, 3, dim) at the Gauss nodes of each step."""

    def bracket(x, y):
        # the formulas are for g' = xi g; g' = g xi has the bracket with the opposite sign
        return -group.ad(x) @ y

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
