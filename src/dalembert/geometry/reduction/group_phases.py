"""Reconstruction of the group variable from a reduced motion with momentum, and phases.

    g' = g hat(xi),    u = (w, xi)                                       along a reduced motion

is solved by the Magnus method of `reconstruction`. Between the nodes xi is interpolated by the
polynomial through eight of them. For a horizontal symmetry the momentum mu = Ad(g^-1)^T dl/dxi is
conserved, and a closed reduced motion moves the configuration by an element of G_mu, the total
phase. It splits by the mechanical connection of Q -> Q/G_mu (4.3.2 [C02]),

    q(T) = g_dyn g_geo q(0),    g_dyn' = zeta(t) g_dyn,    zeta = I_mu(q)^-1 mu,

with I_mu the mu-locked inertia and g_geo the holonomy of the horizontal curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ...errors import UsageError
from ...groupoids import Element
from ...linalg import gauss_rule, rank, solve_spd
from ...system import Point
from .momentum_reduction import Reduction
from .reconstruction import march

_NODES = gauss_rule(3)[0]
_WINDOW = 8  # number of nodes of the interpolation polynomial


def rebuild(reduction: Reduction, t: ArrayLike, xi: ArrayLike, g0: Element = None) -> Element:
    """Return g along a reduced motion from its body velocities xi (N, dim G) at the times t (N,).

    The error is that of interpolation through eight nodes and of a Magnus method of order six.
    """
    group = reduction.group
    times, rates = np.asarray(t, dtype=float), np.asarray(xi, dtype=float)
    if times.ndim != 1 or rates.shape != (times.size, group.dim):
        raise UsageError(
            f"rebuild needs t (N,) and xi (N, {group.dim}); got {times.shape}, {rates.shape}"
        )
    g0 = group.identity() if g0 is None else group.check(g0, "g0")
    steps, inner = between(times, rates)
    return jax.jit(lambda g: march(group, g, steps, inner))(g0)


def between(t: np.ndarray, x: np.ndarray) -> tuple[jax.Array, jax.Array]:
    """Return the step lengths, and x at three Gauss nodes of each step: (N - 1, 3, k)."""
    n = t.size
    if n < _WINDOW:
        raise UsageError(f"at least {_WINDOW} nodes are needed, got {n}: save more rows")
    first = np.clip(np.arange(n - 1) - (_WINDOW // 2 - 1), 0, n - _WINDOW)
    index = first[:, None] + np.arange(_WINDOW)
    nodes = t[index]  # (steps, window)
    at = t[:-1, None] + np.diff(t)[:, None] * np.asarray(_NODES)  # (steps, 3)
    weights = np.ones((n - 1, 3, _WINDOW))
    for i in range(_WINDOW):
        for j in range(_WINDOW):
            if i != j:
                weights[:, :, i] *= (at - nodes[:, j, None]) / (nodes[:, i] - nodes[:, j])[:, None]
    return jnp.asarray(np.diff(t)), jnp.asarray(np.einsum("saw,swk->sak", weights, x[index]))


# -- horizontal symmetries ------------------------------------------------------------------------


def spatial_momentum(reduction: Reduction, r: Point, g: Element, u: jax.Array) -> jax.Array:
    """Return J(q, v) = Ad(g^-1)^T dl/dxi in g*, which is constant for a horizontal symmetry."""
    group = reduction.group
    return group.Ad(group.inv(g)).T @ reduction.full_momentum(r, u)[reduction.shape :]


def isotropy(reduction: Reduction, mu: ArrayLike) -> np.ndarray:
    """Return columns (dim G, d) that span the algebra of G_mu, the isotropy group of mu."""
    ad = np.asarray(jax.vmap(reduction.group.ad)(jnp.eye(reduction.group.dim)))  # [b, a, c]
    value = np.asarray(mu, dtype=float)
    moved = np.einsum("a,bac->cb", value, ad)  # <mu, [e_b, e_c]>
    size = max(float(np.linalg.norm(value)), 1e-300) * max(float(np.max(np.abs(ad))), 1e-300)
    basis = np.linalg.svd(moved, full_matrices=True)[2]
    return basis[rank(moved, 1e-9, size=size) :].T


def locked_inertia(reduction: Reduction, r: Point, g: Element, algebra: np.ndarray) -> jax.Array:
    """Return I_mu(q), the kinetic metric of the fields of `algebra` at q = (r, g)."""
    s, group = reduction.shape, reduction.group
    moved = group.Ad(group.inv(g)) @ jnp.asarray(algebra)
    return moved.T @ reduction.inertia(r)[s:, s:] @ moved


class Phases(NamedTuple):
    """Phases of a closed reduced motion, q(T) = total q(0).

    total = dynamic geometric, both in G_mu. `momentum` is mu, `isotropy` spans its algebra. Three
    relative errors: `closing` of the reduced motion at its end, `drift` of mu, and `outside`, the
    distance of the total phase from G_mu.
    """

    total: Element
    dynamic: Element
    geometric: Element
    momentum: np.ndarray
    isotropy: np.ndarray
    closing: float
    drift: float
    outside: float


def phases(
    reduction: Reduction,
    t: jax.Array,
    r: Point,
    u: jax.Array,
    g0: Element = None,
    *,
    circles: Sequence[float | None] | None = None,
    tolerance: float = 1e-6,
) -> Phases:
    """Compute total, dynamic and geometric phase of a periodic motion with a horizontal symmetry.

    (t, r, u) are the saved rows of a run of `reduction.reduced` over one period. `circles` are the
    periods of the shape directions that close. Raises a `UsageError` if the symmetry is not
    horizontal (its momentum changes), or if the motion does not close to within `tolerance`.
    """
    group, k, s = reduction.group, reduction.group.dim, reduction.shape
    if reduction.momenta != k:
        raise UsageError(
            f"phases with respect to G_mu need a horizontal symmetry; here g^r has dimension "
            f"{reduction.momenta} of {k}, and the momentum is not conserved"
        )
    u = jnp.asarray(u, dtype=float)
    ends = [jax.tree.map(lambda x, i=i: jnp.asarray(x)[i], (r, u)) for i in (0, -1)]
    base = reduction.base
    gap = np.asarray(base.log(base.mul(base.inv(ends[0][0]), ends[1][0])))
    for i, period in enumerate(circles or ()):
        if period is not None:
            gap[i] -= period * np.round(gap[i] / period)
    turn = np.asarray(ends[1][1] - ends[0][1])
    size = max(float(np.max(np.abs(u))), 1e-300)
    closing = max(float(np.max(np.abs(gap), initial=0.0)), float(np.max(np.abs(turn))) / size)
    if not closing < tolerance:
        raise UsageError(
            f"the reduced motion does not close: it misses its start by {closing:.1e}; end the "
            "run at the period, or declare `circles`"
        )
    g0 = group.identity() if g0 is None else group.check(g0, "g0")
    path = rebuild(reduction, t, u[:, s:], g0)
    mus = np.asarray(jax.vmap(lambda a, g, x: spatial_momentum(reduction, a, g, x))(r, path, u))
    mu, algebra = mus[0], isotropy(reduction, mus[0])

    def rate(a, g):
        push = solve_spd(locked_inertia(reduction, a, g, algebra), algebra.T @ mu)
        return algebra @ push  # zeta = I_mu^-1 mu, section 4.3.2 [C02]

    zeta = jax.vmap(rate)(r, path)
    # g_dyn' = zeta g_dyn, so its inverse h satisfies h' = -h zeta
    back = rebuild(reduction, t, -zeta, group.identity())
    last = jax.tree.map(lambda x: x[-1], (path, back))
    total = group.mul(last[0], group.inv(g0))
    kept = group.Ad(group.inv(total)).T @ mu - mu
    length = max(float(np.linalg.norm(mu)), 1e-300)
    return Phases(
        total,
        group.inv(last[1]),
        group.mul(last[1], total),
        mu,
        algebra,
        closing,
        float(np.max(np.abs(mus - mu))) / length,
        float(np.max(np.abs(kept))) / length,
    )


__all__ = [
    "Phases",
    "isotropy",
    "locked_inertia",
    "phases",
    "rebuild",
    "spatial_momentum",
]
