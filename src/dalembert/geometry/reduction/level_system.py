"""Reduction to a momentum level: the motion on J^-1(mu)/G_mu as a `System`.

For a horizontal symmetry J is constant, and the motion on the level J = mu modulo the isotropy
group G_mu is described by the shape r, the body momentum nu and the velocity of the
shape (Theorem 4.3.1 [C02]). With u = (w, xi), q = (r, g),

    nu = Ad(g)^T mu,    nu' = ad_xi^T nu,    dl/dxi(r, u) = nu,    N(r) u = 0

nu stays on the coadjoint orbit of mu, G/G_mu. `LevelSystem` has the Lagrangian l(r, u) on
shapes and the orbit, with dl/dxi = nu as an affine constraint. The reaction of this constraint
vanishes because the motion conserves the momentum; `level_reduction` tests this. For a general
symmetry with conserved momenta f(r) . p the level is f(r) . p = mu and G_mu is G, which gives the
same system on the shape alone (4.4.1 [C02]).

A G_mu-invariant field Y_mu with the momentum mu embeds J^-1(mu)/G_mu in T(Q/G_mu), v -> v - Y_mu
modulo G_mu (Theorem 4.3.2). For the mechanical connection Y_mu = (I_mu^-1 mu)_Q, (4.18).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ... import dynamics
from ...doors import Module
from ...errors import UsageError
from ...groupoids import Arrow, Element, Groupoid, Reduced
from ...groups import Euclidean, Group, Product
from ...linalg import rank, solve_spd
from ...system import Point, System, compiled_call
from ..distribution.growth_flag import States
from ..symmetry.conserved_momenta import kept_section
from .group_phases import isotropy, locked_inertia, rebuild, spatial_momentum
from .momentum_reduction import Reduction

_TOLERANCE = 1e-9
Factors = Callable[[Point], jax.Array]  # r -> rows (count, momenta)


@dataclasses.dataclass(frozen=True)
class Coadjoint(Groupoid):
    """Groupoid with elements (x0, x1, g) over x = (r, nu): shapes, and covectors moved by Ad(g)^T.

    Velocities are (w, xi), r' = r hat(w) and nu' = ad_xi^T nu: nu stays on its coadjoint orbit.
    """

    shape: Group
    group: Group
    tau: str = "cay"

    @property
    def _without(self) -> Reduced:
        return Reduced(self.shape, self.group, self.tau)

    @property
    def base(self) -> Group:
        return Product(self.shape, Euclidean(self.group.dim))

    @property
    def dim(self) -> int:
        return self.shape.dim + self.group.dim

    def _element(self, plain: Arrow, start: Point) -> Arrow:
        r0, r1, g = plain
        return Arrow(((r0, start), (r1, self.group.Ad(g).T @ start), g), plain.move)

    def _plain(self, g: Arrow) -> Arrow:
        return Arrow((g[0][0], g[1][0], g[2]), g.move)

    def source(self, g):
        return g[0]

    def target(self, g):
        return g[1]

    def unit(self, x):
        return self._element(self._without.unit(x[0]), x[1])

    def mul(self, g, h):
        return self._element(self._without.mul(self._plain(g), self._plain(h)), g[0][1])

    def inv(self, g):
        return self._element(self._without.inv(self._plain(g)), g[1][1])

    def curve(self, x, v):
        return self._element(self._without.curve(x[0], v), x[1])

    def coordinates(self, g):
        return self._without.coordinates(self._plain(g))

    def frame(self, g):
        return g[2]

    def part(self, g):
        return g.move, g[2]

    def arrow(self, x, part):
        return self._element(self._without.arrow(x[0], part), x[1])

    def ad(self, x, u):
        return self._without.ad(x[0], u)

    def coordinate_velocity(self, x, y, v):
        return self._without.coordinate_velocity(x[0], y, v)


class LevelReduction(Module):
    """A system on a level of its momentum, modulo G_mu; made by `level_reduction`.

    A point x of the reduced space is (r, nu) where G_mu is smaller than G, otherwise the shape r; u
    is the velocity (w, xi) in the body frame. `system` can be simulated; `split`, `lift` and
    `reconstruct` convert states between it and the unreduced system.
    """

    reduction: Reduction
    mu: jax.Array
    algebra: jax.Array  # columns that span the algebra of G_mu
    factors: Factors | None = eqx.field(static=True)  # factors f of a general symmetry

    @property
    def on_orbit(self) -> bool:
        """Whether nu is part of the reduced point: G_mu is smaller than G."""
        return self.factors is None and self.algebra.shape[1] < self.reduction.group.dim

    @property
    def system(self) -> LevelSystem:
        """The motion on the level modulo G_mu: a `System` whose runs carry g as their `frame`."""
        return LevelSystem(self, "cay")

    @property
    def dim(self) -> int:
        """Dimension of the reduced space of states, M_mu of Theorem 4.3.1."""
        full, k = self.reduction, self.reduction.group.dim
        orbit = k - self.algebra.shape[1] if self.on_orbit else 0
        rows = jax.eval_shape(self.rows, jax.eval_shape(full.base.identity)).shape[0]
        return full.shape + orbit + full.system.dim - rows

    # -- the level as an affine constraint -------------------------------------------------------

    def frame(self, r: Point) -> jax.Array:
        """Return the algebra elements whose momenta are fixed, as columns (dim G, count)."""
        full = self.reduction
        if self.factors is None:
            return jnp.eye(full.group.dim)
        return full.frame(r) @ self.factors(r).T

    def rows(self, r: Point) -> jax.Array:
        """Return the constraint rows on u of the system, then those of the level."""
        full, E = self.reduction, self.frame(r)
        return jnp.concatenate([full.constraint(r), E.T @ full.inertia(r)[full.shape :]])

    def values(self, x: Point) -> jax.Array:
        """Return the right-hand side of `rows`."""
        full = self.reduction
        r, nu = x if self.on_orbit else (x, self.mu)
        rest = full.full_momentum(r, jnp.zeros(full.system.dim))[full.shape :]
        m = full.constraint(r).shape[0]
        return jnp.concatenate([jnp.zeros(m), nu - self.frame(r).T @ rest])

    # -- to and from the unreduced system --------------------------------------------------------

    def split(self, q: Point, v: jax.Array) -> tuple[Point, Element, jax.Array]:
        """Return (x, g, u) of a state on the level."""
        r, g, u = self.reduction.split(q, v)
        if self.on_orbit:
            return (r, self.reduction.group.Ad(g).T @ self.mu), g, u
        return r, g, u

    def lift(self, x: Point, g: Element, u: jax.Array) -> tuple[Point, jax.Array]:
        """Return the state (q, v) of the unreduced system over the reduced state (x, u), with g."""
        return self.reduction.lift(x[0] if self.on_orbit else x, g, u)

    def reconstruct(self, t: ArrayLike, x: Point, u: ArrayLike, q0: Point = None) -> States:
        """Return states of the unreduced system along a run of `system` with saved rows t, x, u.

        g' = g hat(xi) is solved by a Magnus method of order six. Between the saved rows xi is
        interpolated by the polynomial through eight of them. The run starts at q0, by default the
        initial point of the system. Raises a `UsageError` if q0 does not project to the first row.
        """
        full = self.reduction
        start = full.system.initial()[0] if q0 is None else full.system.groupoid.base.check(q0)
        r0, g0 = full.chart.split(start)
        first = jax.tree.map(lambda y: jnp.asarray(y)[0], x)
        r = first[0] if self.on_orbit else first
        gap = [full.base.log(full.base.mul(full.base.inv(r0), r))]
        if self.on_orbit:
            size = 1e-300 + jnp.linalg.norm(self.mu)
            gap.append((full.group.Ad(g0).T @ self.mu - first[1]) / size)
        miss = float(jnp.max(jnp.abs(jnp.concatenate(gap)), initial=0.0))
        if miss > 1e-6:
            raise UsageError(
                f"q0 is not over the first row of the run (off by {miss:.1e}); give the "
                "configuration that the run was started from"
            )
        u = jnp.asarray(u, dtype=float)
        path = rebuild(full, t, np.asarray(u[:, full.shape :]), g0)
        return States(*jax.jit(jax.vmap(self.lift))(x, path, u))


class LevelSystem(System):
    """l(r, u) on a level of the momentum modulo G_mu; made by `LevelReduction`."""

    level: LevelReduction
    tau: str = eqx.field(static=True)
    conserves_energy = True  # the reaction of the level vanishes

    @property
    def space(self) -> Groupoid:
        full = self.level.reduction
        made = Coadjoint if self.level.on_orbit else Reduced
        return made(full.base, full.group, self.tau)

    def _shape(self, q: Point) -> Point:
        return q[0] if self.level.on_orbit else q

    def lagrangian(self, q, v):
        point, T = self.level.reduction.origin(self._shape(q))
        return self.level.reduction.system.lagrangian(point, T @ v)

    def constraint(self, q):
        return self.level.rows(self._shape(q))

    def offset(self, t, q):
        return self.level.values(q)

    def initial(self):
        x, _, u = self.level.split(*self.level.reduction.system.initial())
        return x, _on_level(self, x, u)


def _on_level(system: LevelSystem, x: Point, u: jax.Array) -> jax.Array:
    """Return the velocity on the level that is nearest to u in the kinetic metric."""
    return dynamics.consistent_velocity(system, x, u)


def level_reduction(
    reduction: Reduction,
    mu: ArrayLike | None = None,
    *,
    factors: Factors | None = None,
) -> LevelReduction:
    """Reduce a system to J^-1(mu)/G_mu (Theorem 4.3.1 [C02]); the group need not be Abelian.

    `reduction` comes from `general_reduction`. For a horizontal symmetry `mu` is the spatial
    momentum, with a component for each generator. For a general symmetry it holds the values of the
    conserved momenta f(r) . p, where `factors(r)` returns the rows f, by default those found by
    `kept_section`. `mu` defaults to the momentum of the initial data. The result has `system`,
    which can be simulated with every method, and `reconstruct`.
    `level.reconstruct(run.t, run.q, run.v)` returns (q, v) of the full motion for a run of
    `level.system`; docs/levels.md has an example.

    Raises a `UsageError` if an external force acts, or if the momenta of the symmetry, or those
    given by `factors`, are not conserved.
    """
    system, group = reduction.system, reduction.group
    if any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves((reduction, mu))):
        raise UsageError("level_reduction needs concrete values: call it outside jit, vmap, grad")
    if system.has_force:
        raise UsageError(f"{system.name()} has an external force: its momentum is not constant")
    if reduction.momenta == 0:
        raise UsageError("no generator is admissible: there is no momentum, and no level of it")
    q, v = system.initial()
    r, g, u = reduction.split(q, v)
    whole = jnp.eye(group.dim)
    if reduction.momenta == group.dim and factors is None:  # horizontal
        value = spatial_momentum(reduction, r, g, u) if mu is None else mu
        value = _values(value, group.dim)
        made = LevelReduction(reduction, value, jnp.asarray(isotropy(reduction, value)), None)
    else:
        if factors is None:
            section = kept_section(reduction)
            factors = section.factors
            if factors is None:
                raise UsageError(
                    f"no factors that depend on the shape make the momenta of {group} on "
                    f"{system.name()} constant ({section.verdict}: {section.reason}): the motion "
                    "stays on no level"
                )
        value = factors(r) @ reduction.momentum(r, u) if mu is None else mu
        value = _values(value, jax.eval_shape(factors, r).shape[0])
        made = LevelReduction(reduction, value, whole, factors)
    _check(made, r, u)
    return made


def _values(mu: ArrayLike, count: int) -> jax.Array:
    value = jnp.asarray(mu, dtype=float)
    if value.shape != (count,):
        raise UsageError(f"mu must have {count} entries, one for each momentum; got {value.shape}")
    return value


def _check(level: LevelReduction, r: Point, u: jax.Array) -> None:
    """Raise unless the motion stays on the level without a reaction: (4.21) [C02], on samples."""
    full, rng = level.reduction, np.random.default_rng(13)
    for i in range(4):
        x = full.base.mul(
            r, full.base.exp(jnp.asarray(0.2 * (i > 0) * rng.normal(size=full.shape)))
        )
        g = full.group.exp(jnp.asarray(rng.normal(size=full.group.dim)))
        push = jnp.asarray(rng.normal(size=full.system.dim))
        off, size = (float(y) for y in compiled_call(_reaction, level, x, g, u + (i > 0) * push))
        if not off <= _TOLERANCE * size:
            raise UsageError(
                f"{full.system.name()} does not stay on the level: its momentum changes, at a "
                f"sampled state by {off / size:.1e} of its terms; (4.21) fails"
            )


def _reaction(level, r, g, u):
    """Return the difference of the accelerations with and without the level, and a size for it."""
    full, system = level.reduction, level.system
    x = (r, full.group.Ad(g).T @ level.mu) if level.on_orbit else r
    u = _on_level(system, x, u)
    held, own = dynamics.acceleration(system, x, u), dynamics.acceleration(full.reduced, r, u)
    return jnp.max(jnp.abs(held - own)), jnp.max(jnp.abs(own)) + u @ u


# -- the embedding in T(Q/G_mu) ------------------------------------------------------------------


def level_field(
    reduction: Reduction, mu: ArrayLike, connection: Callable[[Point], jax.Array] | None = None
) -> Callable[[Point], jax.Array]:
    """Return the field Y_mu(q) = FL^-1(mu' gamma(q)) of (4.18) [C02], with momentum mu on g_mu.

    gamma is a connection of Q -> Q/G_mu, `connection(q)` (dim G, dim) with values in g_mu; by
    default the mechanical connection, for which Y_mu = (I_mu^-1 mu')_Q is along the group.
    """
    algebra, value = isotropy(reduction, mu), jnp.asarray(mu, dtype=float)
    full, system = reduction, reduction.system

    def field(q: Point) -> jax.Array:
        r, g = full.chart.split(q)
        T = full.chart.frame(r, g)
        if connection is None:
            push = solve_spd(locked_inertia(full, r, g, algebra), jnp.asarray(algebra).T @ value)
            xi = full.group.Ad(full.group.inv(g)) @ (jnp.asarray(algebra) @ push)
            return T @ jnp.concatenate([jnp.zeros(full.shape), xi])
        rest = dynamics.momentum(system, q, jnp.zeros(system.dim))
        return solve_spd(dynamics.metric(system, q), connection(q).T @ value - rest)

    return field


class LevelEmbedding(NamedTuple):
    """phi_mu of Theorem 4.3.2 [C02] at a configuration: J^-1(mu)/G_mu inside T(Q/G_mu).

    `fibre` is the dimension of {v : J(v) = mu} over q, without a quotient; `target` is the
    dimension of T(Q/G_mu) there. `injective` and `onto` describe the map between them, by ranks.
    The theorem says: always injective, and onto exactly if g_mu is all of g. `momentum` is the
    relative residual of J_mu(Y_mu) = mu'.
    """

    fibre: int
    target: int
    injective: bool
    onto: bool
    momentum: float


def level_embedding(
    reduction: Reduction,
    mu: ArrayLike,
    q: Point,
    connection: Callable[[Point], jax.Array] | None = None,
) -> LevelEmbedding:
    """Test Theorem 4.3.2 [C02] at q: the map v -> v - Y_mu(q) modulo G_mu on the level J = mu.

    Y_mu is computed by `level_field`. The constraint of the system is not used.
    """
    algebra, value = isotropy(reduction, mu), np.asarray(mu, dtype=float)
    full = reduction
    r, g = full.chart.split(full.system.groupoid.base.check(q))
    T = np.asarray(full.chart.frame(r, g))
    Ad = np.asarray(full.group.Ad(full.group.inv(g)))
    orbit = T[:, full.shape :] @ Ad  # generators at q, as columns
    J = orbit.T @ np.asarray(dynamics.metric(full.system, q))
    kernel = np.linalg.svd(J)[2][len(J) :].T  # differences of velocities on the level
    isotropic = orbit @ algebra
    across = np.linalg.svd(isotropic, full_matrices=True)[0][:, isotropic.shape[1] :]
    seen = rank(across.T @ kernel, 1e-10) if kernel.size else 0
    Y = level_field(reduction, mu, connection)(q)
    got = algebra.T @ orbit.T @ np.asarray(dynamics.momentum(full.system, q, Y))
    off = float(np.max(np.abs(got - algebra.T @ value), initial=0.0))
    fibre, target = kernel.shape[1], across.shape[1]
    size = max(float(np.linalg.norm(value)), 1e-300)
    return LevelEmbedding(fibre, target, seen == fibre, seen == target, off / size)


__all__ = [
    "Coadjoint",
    "LevelEmbedding",
    "LevelReduction",
    "LevelSystem",
    "level_embedding",
    "level_field",
    "level_reduction",
]
