"""Input fields over a region: with constant weights, or along a branch of decoupling fields.

With two inputs that span all of D except one direction N, V = c_1 Y_1 + c_2 Y_2 is decoupling where

    g(N, D_V V - (the acceleration at (q, V))) = S(c, c) = 0,

a quadratic equation at each q. With c = (cos f, sin f) it says cos(2 f - a) = -s / r, where 2 s is
the trace of S, and r and a are the size and the angle of its trace-free part. There are two roots,
smooth where r > |s|.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from .. import groupoids
from ..doors import Module
from ..dynamics import acceleration, linear_constraint, metric, projectors
from ..linalg import solve_spd
from ..system import Point, System


class Along(Module):
    """Input field with constant weights, or with weights on a branch of the quadratic equation."""

    weights: jax.Array  # c, if constant; otherwise fixes the sign, c(q) . weights > 0
    branch: jax.Array | None = None  # +1 or -1: the branch; None: constant weights

    def __call__(self, system: System, q: Point) -> jax.Array:
        """Return V(q)."""
        if self.branch is None:
            return input_field(system, q, self.weights)
        c = branch_weights(system, q, self.branch)
        c = jnp.where(c @ self.weights < 0.0, -c, c)
        V = input_field(system, q, c)
        return V / jnp.sqrt(V @ (metric(system, q) @ V))


def input_field(system: System, q: Point, weights: jax.Array) -> jax.Array:
    """Return the input field V = P G^-1 F^i c_i at q with these weights."""
    raised = solve_spd(metric(system, q), system.inputs(q).T @ weights)
    return projectors(system, q)[0] @ raised if system.is_constrained else raised


def branch_weights(system: System, q: Point, branch: jax.Array) -> jax.Array:
    """Return a root c of S(c, c) = 0 at q, of unit length and undetermined sign, for two inputs."""
    G = metric(system, q)
    fields = jax.vmap(lambda c: input_field(system, q, c))(jnp.eye(2))
    lowered = jnp.concatenate([fields @ G, linear_constraint(system, q)])
    across = G @ _cross(lowered)  # orthogonal to inputs and normals

    def form(c: jax.Array) -> jax.Array:
        field = lambda x: input_field(system, x, c)  # noqa: E731
        V = field(q)
        bent = groupoids.directional(system.groupoid, field, q, V)
        return across @ (bent - acceleration(system, q, V))

    first, second, both = jax.vmap(form)(jnp.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    mean, half, mixed = (
        0.5 * (first + second),
        0.5 * (first - second),
        0.5 * (both - first - second),
    )
    r2 = half**2 + mixed**2
    side = branch * jnp.sqrt(r2 - mean**2)
    # cos and sin of 2 f
    C, S = (-half * mean - mixed * side) / r2, (half * side - mixed * mean) / r2
    c = jnp.where(C > 0.0, jnp.stack([1.0 + C, S]), jnp.stack([S, 1.0 - C]))
    return c / jnp.sqrt(c @ c)


def _cross(rows: jax.Array) -> jax.Array:
    """Return the vector of minors of n - 1 rows in R^n: orthogonal to them, with a smooth sign."""
    n = rows.shape[1]

    def minor(i: int, columns: tuple[int, ...]) -> jax.Array:
        if not columns:
            return jnp.ones(())
        signs = [(-1.0) ** k for k in range(len(columns))]
        return sum(
            (
                s * rows[i, j] * minor(i + 1, columns[:k] + columns[k + 1 :])
                for k, (s, j) in enumerate(zip(signs, columns))
            ),
            jnp.zeros(()),
        )

    everything = tuple(range(n))
    return jnp.stack(
        [(-1.0) ** j * minor(0, everything[:j] + everything[j + 1 :]) for j in range(n)]
    )


__all__ = ["Along", "branch_weights", "input_field"]
