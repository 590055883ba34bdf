"""Systems in shape and body velocity: momenta, connection and momentum equation at the identity.

Both `general_reduction` (with a chart) and `body_frame` (without) return a `BodyFrame`.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Protocol

import jax
import jax.numpy as jnp

from ... import dynamics
from ...doors import Module
from ...groupoids import Pair
from ...groups import Group
from ...linalg import solve_spd
from ...system import Point, System
from ..distribution.connection import derivatives

Integral = Callable[[Point, jax.Array], jax.Array]


class LieAlgebra(Protocol):
    """The operations of a group that the momentum equation needs."""

    @property
    def dim(self) -> int: ...

    def ad(self, xi: jax.Array, /) -> jax.Array: ...


class BodyFrame(Module):
    """A system in shape and body velocity at the group identity, with a frame of g^r.

    r is the shape, w its velocity, u = (w, xi) a velocity in the body frame, p the nonholonomic
    momentum along the frame of g^r. `Reduction` builds it from a chart, `body_frame` from the
    generators of a symmetry alone.
    """

    system: System
    inside: jax.Array  # basis of g^r at the reference shape; `outside` completes it to one of g
    outside: jax.Array

    @property
    @abc.abstractmethod
    def base(self) -> Group:
        """Shape space."""

    @property
    @abc.abstractmethod
    def group(self) -> LieAlgebra:
        """The group G, or an object with the operations of its algebra."""

    @abc.abstractmethod
    def origin(self, r: Point) -> tuple[Point, jax.Array]:
        """Return the configuration with shape r at the identity, and the frame from u to v."""

    @abc.abstractmethod
    def start(self) -> Point:
        """Return the reference shape."""

    @property
    def shape(self) -> int:
        """Dimension of shape space Q/G."""
        return self.base.dim

    @property
    def momenta(self) -> int:
        """Number of nonholonomic momenta, the dimension of g^r."""
        return self.inside.shape[1]

    # -- Lagrangian and constraint in the body frame ---------------------------------------------

    def constraint(self, r: Point) -> jax.Array:
        """Return the constraint matrix N(r), N u = 0; shape (m, dim)."""
        q, T = self.origin(r)
        return dynamics.linear_constraint(self.system, q) @ T

    def inertia(self, r: Point) -> jax.Array:
        """Return the matrix of the kinetic energy as a function of u."""
        q, T = self.origin(r)
        return T.T @ dynamics.metric(self.system, q) @ T

    def full_momentum(self, r: Point, u: jax.Array) -> jax.Array:
        """Return dl/du = (dl/dw, dl/dxi)."""
        q, T = self.origin(r)
        return dynamics.momentum(self.system, q, T @ u) @ T

    # -- g^r, connection, momentum ----------------------------------------------------------------

    def frame(self, r: Point) -> jax.Array:
        """Return E(r), columns that span g^r, smooth in r; shape (dim G, dim g^r)."""
        if self.outside.shape[1] == 0 or self.momenta == 0:
            return self.inside
        rows = self.constraint(r)[:, self.shape :]
        return self.inside - self.outside @ _least(rows @ self.outside, rows @ self.inside)

    def locked_inertia(self, r: Point) -> jax.Array:
        """Return the locked inertia I(r) = E^T G E on g^r."""
        E = self.frame(r)
        return E.T @ self.inertia(r)[self.shape :, self.shape :] @ E

    def connection(self, r: Point) -> jax.Array:
        """Return A(r) of xi = -A w + E I^-1 p; shape (dim G, s).

        Its horizontal vectors are admissible and orthogonal to g^r. If the constraint also relates
        the components of w, this holds only for admissible w.
        """
        return connection_of(self.shape, self.constraint(r), self.inertia(r), self.frame(r))

    def momentum(self, r: Point, u: jax.Array) -> jax.Array:
        """Return the nonholonomic momentum p = E^T dl/dxi; shape (dim g^r,)."""
        return self.frame(r).T @ self.full_momentum(r, u)[self.shape :]

    def velocity(self, r: Point, w: jax.Array, p: jax.Array) -> jax.Array:
        """Return u = (w, -A w + E Omega) with the momentum p, Omega = I^-1 p."""
        xi = -self.connection(r) @ w
        still = jnp.concatenate([w, xi])
        E = self.frame(r)
        Omega = solve_spd(self.locked_inertia(r), p - self.momentum(r, still))
        return still.at[self.shape :].add(E @ Omega)

    def momentum_rate(self, r: Point, u: jax.Array, t: dynamics.Time = 0.0) -> jax.Array:
        """Return the right-hand side of p_i' = <dl/dxi, [xi, E_i] + dE_i w>, (4.20) [C02]."""
        s, E = self.shape, self.frame(r)
        slope = derivatives(Pair(self.base), self.frame, r) @ u[:s] if s else jnp.zeros_like(E)
        turned = self.group.ad(u[s:]) @ E + slope
        rate = turned.T @ self.full_momentum(r, u)[s:]  # (4.20) [C02] in the body frame
        if self.system.has_force:
            q, T = self.origin(r)
            F = self.system.force(jnp.asarray(t, dtype=float), q, T @ u) @ T
            rate = rate + E.T @ F[s:]
        return rate

    def conserved(self, factors: Callable[[Point], jax.Array]) -> Integral | None:
        """Return f(r) . p as a function of (q, v); None if there is no chart to get r from q."""
        return None


def connection_of(s: int, N: jax.Array, G: jax.Array, E: jax.Array) -> jax.Array:
    """Return A of xi = -A w, admissible and orthogonal to the columns of E; shape (dim G, s)."""
    # scale rows to unit length, so that the unit of mass does not matter
    rows = jnp.concatenate([N, E.T @ G[s:]])
    size = jnp.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows / jnp.where(size > 0, size, 1.0)
    return _least(rows[:, s:], rows[:, :s])


def _least(tall: jax.Array, right: jax.Array) -> jax.Array:
    """Solve tall x = right, consistent; `tall` has full column rank and at least as many rows."""
    return solve_spd(tall.T @ tall, tall.T @ right)


__all__ = ["BodyFrame", "Integral", "LieAlgebra", "connection_of"]
