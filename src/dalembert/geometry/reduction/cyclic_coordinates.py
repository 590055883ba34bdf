"""Routh reduction by cyclic coordinates whose translations the constraint allows.

If neither L nor the constraint depends on the coordinates y, and the constraint does not involve
their velocities, p = dL/dy' is conserved. Routh's function on the level p = mu,

    R(x, x') = L(x, x', y') - mu . y',    y' from dL/dy' = mu,

gives the motion of x, with the same constraint on x'. This is the reduction by a horizontal
symmetry of section 4.3 [C02] for an Abelian group. The reduced system may be a Chaplygin system,
which allows a second reduction, as in section 4.5 [C02].
"""

from __future__ import annotations

from collections.abc import Sequence

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ... import dynamics
from ...errors import UsageError
from ...groups import Euclidean
from ...linalg import gauss_rule, solve_spd
from ...system import Point, System
from ..distribution.time_dependent import require_autonomous
from .charts import slope_along
from .group_phases import between

_TOLERANCE = 1e-9


class CyclicReduction(System):
    """A system on R^n without its cyclic coordinates; made by `cyclic_reduction`."""

    system: System
    mu: jax.Array
    cyclic: tuple[int, ...] = eqx.field(static=True)

    @property
    def kept(self) -> tuple[int, ...]:
        """Indices of the coordinates that are not cyclic."""
        return tuple(i for i in range(self.system.dim) if i not in self.cyclic)

    @property
    def space(self) -> Euclidean:
        return Euclidean(self.system.dim - len(self.cyclic))

    def full(self, x: jax.Array, y: ArrayLike = 0.0) -> jax.Array:
        """Return all coordinates from the remaining coordinates x and the cyclic coordinates y."""
        out = jnp.zeros(self.system.dim).at[jnp.array(self.kept, dtype=int)].set(x)
        return out.at[jnp.array(self.cyclic, dtype=int)].set(y)

    def cyclic_velocity(self, q: jax.Array, v: jax.Array) -> jax.Array:
        """Return the cyclic velocities y' on the momentum level."""
        i, point = jnp.array(self.cyclic, dtype=int), self.full(q)
        p = dynamics.momentum(self.system, point, self.full(v))[i]
        return solve_spd(dynamics.metric(self.system, point)[i][:, i], self.mu - p)

    def lift(self, q: jax.Array, v: jax.Array, y: ArrayLike = 0.0) -> tuple[jax.Array, jax.Array]:
        """Return the state of the unreduced system at the values y of the cyclic coordinates."""
        return self.full(q, y=y), self.full(v, y=self.cyclic_velocity(q, v))

    def rebuild(self, t: ArrayLike, q: ArrayLike, v: ArrayLike, y0: ArrayLike = 0.0) -> jax.Array:
        """Return the cyclic coordinates along a run with saved rows t (N,), q and v: (N, cyclic).

        y' on the momentum level is integrated from y0. Between the saved rows it is interpolated by
        the polynomial through eight of them.
        """
        rates = jax.jit(jax.vmap(self.cyclic_velocity))(jnp.asarray(q), jnp.asarray(v))
        steps, inner = between(np.asarray(t, dtype=float), np.asarray(rates))
        moved = steps[:, None] * jnp.einsum("a,sak->sk", gauss_rule(3)[1], inner)
        start = jnp.broadcast_to(jnp.asarray(y0, dtype=float), (1, len(self.cyclic)))
        return jnp.concatenate([start, start + jnp.cumsum(moved, axis=0)])

    def lagrangian(self, q, v):
        rate = self.cyclic_velocity(q, v)
        return self.system.lagrangian(self.full(q), self.full(v, y=rate)) - self.mu @ rate

    def constraint(self, q):
        return self.system.constraint(self.full(q))[:, jnp.array(self.kept, dtype=int)]

    def initial(self):
        q, v = self.system.initial()
        i = jnp.array(self.kept, dtype=int)
        return q[i], v[i]


def cyclic_reduction(
    system: System,
    cyclic: Sequence[int],
    mu: ArrayLike | None = None,
    *,
    at: Point = None,
) -> CyclicReduction:
    """Reduce a system on R^n by translations of the coordinates `cyclic`, on the level p = mu.

    `mu` defaults to the momentum of `system.initial()`. Raises a `UsageError` if L or the
    constraint depends on one of the coordinates, or if the constraint does not allow a direction.
    """
    name = type(system).__name__
    require_autonomous(system, "a reduction")
    if not isinstance(system.space, Euclidean):
        raise UsageError(f"{name} is on {system.space}; cyclic coordinates need Euclidean(n)")
    if system.has_force or system.has_offset or system.is_nonlinear or system.has_holonomic:
        raise UsageError(
            f"{name}: cyclic_reduction needs constraints A(q) v = 0 and no external force"
        )
    indices = tuple(int(i) for i in cyclic)
    if len(set(indices)) != len(indices) or not all(0 <= i < system.dim for i in indices):
        raise UsageError(f"cyclic must be different indices below {system.dim}, got {indices}")
    if at is None or mu is None:
        q, v = system.initial()
        at = q if at is None else at
        mu = dynamics.momentum(system, q, v)[jnp.array(indices, dtype=int)] if mu is None else mu
    mu, at = jnp.asarray(mu, dtype=float), jnp.asarray(at, dtype=float)
    if mu.shape != (len(indices),):
        raise UsageError(f"mu must have {len(indices)} entries, got shape {mu.shape}")
    if not any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves((system, mu, at))):
        _check(system, indices, at)
    return CyclicReduction(system, mu, indices)


def _check(system: System, indices: tuple[int, ...], at: jax.Array) -> None:
    i = jnp.array(indices, dtype=int)
    v = jax.random.normal(jax.random.key(5), (system.dim,))

    @jax.jit
    def defects(q):
        slope, _ = slope_along(
            lambda x, y, u: system.lagrangian(x.at[i].set(y), u), q, q[i], jnp.asarray(v)
        )
        rows = system.constraint(q)
        turn = jax.jacfwd(system.constraint)(q)[..., i]
        return (
            slope,
            jnp.max(jnp.abs(turn), initial=0.0),
            jnp.max(jnp.abs(rows[:, i]), initial=0.0),
        )

    near = at + 0.1 * jax.random.normal(jax.random.key(6), at.shape)
    texts = (
        "the Lagrangian contains one of the coordinates",
        "the constraint contains one of the coordinates",
        "the constraint forbids one of the directions: the symmetry is not horizontal",
    )
    for text, value in zip(texts, defects(near)):
        if not float(np.asarray(value)) < _TOLERANCE:
            raise UsageError(
                f"{type(system).__name__} is not cyclic in {indices}: {text} "
                f"(by {float(value):.1e})"
            )
