"""Chaplygin reduction: systems whose constraint is complementary to the symmetry directions.

A Chaplygin system has a symmetry group G, and its constraint is the horizontal space of a principal
connection. In a trivialization q = (r, g), xi = g^-1 g',

    L = l(r, r', xi),    xi = -A(r) r'                                       (4.12) [C02]

and the motion of the shape r is unconstrained, with the gyroscopic force -alpha,

    L*(r, r') = l(r, r', -A r'),    alpha_b = -(dl/dxi^a) B^a_bc r'^c        (4.13), (4.14) [C02]
    B^a_bc = d_b A^a_c - d_c A^a_b - [A_b, A_c]^a

Shape space is R^s or a Lie group: the Chaplygin ball has shape SO(3) and group R^2. On a group
r' = r hat(w), d_b is the derivative along the left-invariant field E_b, and d_b A_c - d_c A_b has
the further term -A([E_b, E_c]); the bracket also enters the reduced equations, through ad_w^T.

`chaplygin(system, ...)` declares the group and checks that it is such a symmetry. The `Chaplygin`
it returns computes A, alpha and B; its `reduced` is a `System` for every method.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from ... import dynamics
from ...doors import Module
from ...errors import UsageError
from ...groupoids import Element, Groupoid, Pair, Reduced
from ...groups import SE, SO, Euclidean, Group, Product
from ...linalg import inverse, solve_spd
from ...system import Point, System, compiled_call
from ..distribution.connection import derivatives, levi_civita, structure
from ..distribution.growth_flag import LATER, ROUGH
from ..distribution.time_dependent import require_autonomous
from .charts import (
    Chart,
    CoordinateChart,
    ProductChart,
    has_coordinates,
    slope_along,
    vertical_chart,
)
from .elimination import eliminated, title

_TOLERANCE = 1e-9  # relative tolerance of the checks in `chaplygin`


# -- the reduction ------------------------------------------------------------------------------


class Chaplygin(Module):
    """A system with a declared purely kinematic symmetry; made by `chaplygin`.

    `r` is the shape, `w` its velocity (left-trivialised where shape space is a group); shape
    indices are b, c, d, algebra indices a. Tensors are arrays with the upper index first.
    """

    system: System
    chart: Chart = eqx.field(static=True)
    circles: tuple[float | None, ...] = eqx.field(static=True)  # periods of the shape directions

    @property
    def shape(self) -> int:
        """Dimension of shape space Q/G."""
        return self.chart.shape

    @property
    def group(self) -> Group:
        """The group G."""
        return self.chart.group

    @property
    def base(self) -> Group:
        """Shape space: Euclidean(s), or a Lie group."""
        return self.chart.base

    @property
    def reduced(self) -> ReducedSystem:
        """The motion of the shape, as a system with the gyroscopic force."""
        return ReducedSystem(self)

    def trivialized(self, tau: str = "cay") -> TrivializedSystem:
        """Return the unreduced system on Product(base, G), independent of its original chart."""
        return TrivializedSystem(self, True, tau)

    def body(self, tau: str = "cay") -> TrivializedSystem:
        """Return the system l(r, r', xi) with its constraint on Reduced(base, G), without g."""
        return TrivializedSystem(self, False, tau)

    def origin(self, r: Point) -> tuple[Point, jax.Array]:
        """Return the configuration with shape r at the group identity, and the frame there."""
        e = self.group.identity()
        return self.chart.place(r, e), self.chart.frame(r, e)

    def connection(self, r: Point) -> jax.Array:
        """Return A(r) of the constraint xi = -A r'; shape (dim G, s)."""
        q, T = self.origin(r)
        N = dynamics.linear_constraint(self.system, q) @ T
        return inverse(N[:, self.shape :]) @ N[:, : self.shape]

    def horizontal(self, r: Point) -> jax.Array:
        """Return columns (e_b, -A_b), the horizontal lifts of shape velocities as (r', xi)."""
        return jnp.concatenate([jnp.eye(self.shape), -self.connection(r)])  # (4.12) [C02]

    def lift(self, r: Point, g: Element, w: jax.Array) -> tuple[Point, jax.Array]:
        """Return the state (q, v) of the unreduced system over the shape state (r, w)."""
        return self.chart.place(r, g), self.chart.frame(r, g) @ (self.horizontal(r) @ w)

    def curvature(self, r: Point) -> jax.Array:
        """Return the curvature B[a, b, c] = dA(E_b, E_c) - [A_b, A_c] at g = e (4.14) [C02]."""
        A = self.connection(r)
        bracket = jnp.einsum("xay,xb,yc->abc", bracket_constants(self.group), A, A)
        return self.exterior(self.connection, r) - bracket  # in (4.14) [C02]

    def slopes(self, f: Callable[[Point], jax.Array], r: Point) -> jax.Array:
        """Return the derivatives of f along the frame of shape space, as the last axis."""
        return derivatives(Pair(self.base), f, r)

    def exterior(self, form: Callable[[Point], jax.Array], r: Point) -> jax.Array:
        """Return dA(E_b, E_c) as [..., b, c] for a one-form A on shape space (index last)."""
        slope = self.slopes(form, r)  # [..., c, b] = E_b(form_c)
        value = jnp.swapaxes(slope, -1, -2) - slope
        if isinstance(self.base, Euclidean):
            return value
        return value - jnp.einsum("...d,dbc->...bc", form(r), structure(Pair(self.base), r))

    def metric(self, r: Point) -> jax.Array:
        """Return the metric of the reduced kinetic energy; shape (s, s)."""
        h = self.horizontal(r)
        return h.T @ self.inertia(r) @ h

    def potential(self, r: Point) -> jax.Array:
        """Return the potential of the unreduced system, -L at v = 0."""
        return -self.lagrangian(r, jnp.zeros(self.shape))

    def lagrangian(self, r: Point, w: jax.Array) -> jax.Array:
        """Return L*(r, w) = l(r, w, -A w)."""
        q, v = self.lift(r, self.group.identity(), w)
        return self.system.lagrangian(q, v)

    def gyroscopic(self, r: Point, w: jax.Array) -> jax.Array:
        """Return alpha of (4.14) [C02]; the force on the shape is -alpha, and alpha . w = 0."""
        q, T = self.origin(r)
        p = dynamics.momentum(self.system, q, T @ (self.horizontal(r) @ w)) @ T
        return -jnp.einsum("a,abc,c->b", p[self.shape :], self.curvature(r), w)  # (4.14) [C02]

    def metric_tensor(self, r: Point) -> jax.Array:
        """Return K[b, c, d] = G(h_b, vertical vector of the curvature of h_c, h_d), 5.1.1 [C02]."""
        coupling = (self.horizontal(r).T @ self.inertia(r))[:, self.shape :]
        return jnp.einsum("ba,acd->bcd", coupling, self.curvature(r))

    def contorsion(self, r: Point) -> jax.Array:
        """Return B[d, b, c] with metric(B(X, Y), Z) = K(X, Y, Z).

        It is the contorsion of the first Hamel connection.
        """
        return raised(self.metric(r), self.metric_tensor(r), last=True)

    def skew_tensor(self, r: Point) -> jax.Array:
        """Return C[d, b, c] with metric(C(X, Y), Z) = K(Z, X, Y)."""
        return raised(self.metric(r), self.metric_tensor(r), last=False)

    def levi_civita(self, r: Point) -> jax.Array:
        """Return the Christoffel symbols Gamma[d, b, c] of the reduced metric."""
        G = self.metric(r)
        constants = structure(Pair(self.base), r)
        return levi_civita(G, inverse(G), self.slopes(self.metric, r), constants)

    def nonholonomic(self, r: Point) -> jax.Array:
        """Return the symbols of the projected nonholonomic connection.

        It is metric, and its geodesics are the motions.
        """
        B, C = self.contorsion(r), self.skew_tensor(r)
        return self.levi_civita(r) + 0.5 * (B + jnp.swapaxes(B, 1, 2) - C)

    def hamel(self, r: Point) -> tuple[jax.Array, jax.Array]:
        """Return the symbols of the two Hamel connections (5.3) [C02]; the first is metric."""
        gamma, B = self.levi_civita(r), self.contorsion(r)
        return gamma + B, gamma + jnp.swapaxes(B, 1, 2)  # (5.3) [C02]

    def inertia(self, r: Point) -> jax.Array:
        """Return the matrix of the kinetic energy l on (r', xi), before the constraint."""
        q, T = self.origin(r)
        return T.T @ dynamics.metric(self.system, q) @ T


def raised(G: jax.Array, K: jax.Array, *, last: bool) -> jax.Array:
    """Raise the last or the first index of K by the metric; the upper index comes first."""
    s = G.shape[0]
    lower = jnp.moveaxis(K, 2, 0) if last else K
    return solve_spd(G, lower.reshape(s, s * s)).reshape(s, s, s)


def bracket_constants(group: Group) -> jax.Array:
    """Return c[b, a, c] with [e_b, e_c] = sum of c[b, a, c] e_a."""
    return jax.vmap(group.ad)(jnp.eye(group.dim))


class ReducedSystem(System):
    """Reduced Chaplygin system: L*(r, r') on shape space with the force -alpha, no constraint.

    The gyroscopic force does no work, so energy is conserved as in the unreduced system.
    """

    chaplygin: Chaplygin

    @property
    def space(self) -> Group:
        return self.chaplygin.base

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return self._of_shape("coordinate_names")

    @property
    def velocity_names(self) -> tuple[str, ...]:
        return self._of_shape("velocity_names")

    @property
    def units(self) -> tuple[str, ...]:
        return self._of_shape("units")

    def _of_shape(self, what: str) -> tuple[str, ...]:
        names, chart = getattr(self.chaplygin.system, what), self.chaplygin.chart
        if not isinstance(chart, CoordinateChart) or not names:
            return ()
        return tuple(names[i] for i in chart.indices)

    @property
    def conserves_energy(self) -> bool:
        full = self.chaplygin.system
        # `chaplygin` has checked that the constraint has no right-hand side
        return not full.has_force if full.conserves_energy is None else full.conserves_energy

    def lagrangian(self, q, v):
        return self.chaplygin.lagrangian(q, v)

    def force(self, t, q, v):
        gyroscopic = -self.chaplygin.gyroscopic(q, v)  # (4.13) [C02]
        full = self.chaplygin.system
        if not full.has_force:
            return gyroscopic
        _, T = self.chaplygin.origin(q)
        lift = T @ self.chaplygin.horizontal(q)
        point, velocity = self.chaplygin.lift(q, self.chaplygin.group.identity(), v)
        return gyroscopic + full.force(t, point, velocity) @ lift

    def initial(self):
        q, v = self.chaplygin.system.initial()
        return reduced_state(self.chaplygin, q, v)


class TrivializedSystem(System):
    """System l(r, r', xi) with xi = -A r', either with the group variable or without it."""

    chaplygin: Chaplygin
    full: bool = eqx.field(static=True)
    tau: str = eqx.field(static=True)

    @property
    def space(self) -> Groupoid:
        base, group = self.chaplygin.base, self.chaplygin.group
        if self.full:
            return Pair(Product(base, group), self.tau)
        return Reduced(base, group, self.tau)

    def _shape(self, q):
        return q[0] if self.full else q

    @property
    def has_force(self) -> bool:
        return self.chaplygin.system.has_force

    def lagrangian(self, q, v):
        point, T = self.chaplygin.origin(self._shape(q))
        return self.chaplygin.system.lagrangian(point, T @ v)

    def force(self, t, q, v):
        point, T = self.chaplygin.origin(self._shape(q))
        return self.chaplygin.system.force(t, point, T @ v) @ T

    def constraint(self, q):
        A = self.chaplygin.connection(self._shape(q))
        return jnp.concatenate([A, jnp.eye(A.shape[0])], axis=1)

    def initial(self):
        q, v = self.chaplygin.system.initial()
        r, g = self.chaplygin.chart.split(q)
        v = jnp.linalg.solve(self.chaplygin.chart.frame(r, g), v)
        return ((r, g) if self.full else r), v


def reduced_state(chaplygin: Chaplygin, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return (r, r') of a state of the unreduced system."""
    r, g = chaplygin.chart.split(q)
    return r, jnp.linalg.solve(chaplygin.chart.frame(r, g), v)[: chaplygin.shape]


# -- declaration and its checks -------------------------------------------------------------------


def chaplygin(
    system: System,
    shape: Sequence[int] | None = None,
    group: Group | None = None,
    *,
    chart: Chart | None = None,
    circles: Sequence[float | None] | None = None,
    at: Point = None,
) -> Chaplygin:
    """Reduce a system by a group, after checking that it is a purely kinematic symmetry.

    On R^n give the indices of the shape coordinates and the group that moves the others:
    translations for Euclidean(k), an angle for SO(2), (x, y, angle) for SE(2), or a Product of
    these, in the order of the coordinates. On a Product give the indices of the factors that are
    the shape (default: the first); the others are the group and act from the left. On SO(3) the
    group SO(2) consists of rotations about e3; on Product(Euclidean(2), SO(3)) the group SE(2)
    consists of rotations and translations of the ground. The shape is then in R^2 and gives the
    direction of the vertical in the body. Any other action is given as a `chart`. `circles` are the
    periods of the directions of shape space, None for those that do not close. Holonomic
    constraints are eliminated first (`eliminated`): `shape` and `group` then refer to the remaining
    coordinates, and `Chaplygin.system` is the system without the others. The hypotheses are tested
    at the shape `at` (default: that of `system.initial()`) and its neighborhood; a `UsageError`
    names what fails and by how much.
    """
    require_autonomous(system, "a reduction")
    if system.has_holonomic:
        system = eliminated(system)
    chart = chart_of(system, shape, group) if chart is None else chart
    known = _circles_of(chart.base) if circles is None else tuple(circles)
    if len(known) != chart.shape:
        raise UsageError(f"circles needs one entry for each of {chart.shape} shape coordinates")
    out = Chaplygin(system, chart, known)
    r = chart.split(system.initial()[0])[0] if at is None else chart.base.check(at, "at")
    traced = any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves((system, r)))
    _check_kind(out, None if traced else r)
    if not traced:
        _check_symmetry(out, r)
    return out


def _circles_of(base: Group) -> tuple[float | None, ...]:
    """Return the period of each direction whose loops cannot be contracted even if repeated."""
    if isinstance(base, Product):
        return tuple(period for factor in base.factors for period in _circles_of(factor))
    turning = base in (SO(2), SE(2))  # a loop of a larger SO(n), traversed twice, is contractible
    return (None,) * (base.dim - turning) + (2 * np.pi,) * turning


def chart_of(system: System, shape: Sequence[int] | None, group: Group | None) -> Chart:
    """Return the chart that `chaplygin` builds from indices and a group."""
    space, name = system.space, title(system)
    if isinstance(space, Pair):
        space = space.space
    vertical = vertical_chart(space, group) if shape is None else None
    if vertical is not None:
        return vertical
    if isinstance(space, Product) and len(space.factors) > 1:
        indices = (0,) if shape is None else _indices(shape, len(space.factors), "factors")
        if not 0 < len(indices) < len(space.factors):
            raise UsageError(f"{name} is on {space}: some factors are the shape, some the group")
        chart = ProductChart(space, indices)
        if group is not None and group != chart.group:
            raise UsageError(
                f"{name} is on {space} with the shape in the factors {indices}: the group is "
                f"{chart.group}, got {group}"
            )
        return chart
    if not isinstance(space, Euclidean):
        raise UsageError(
            f"{name} is on {space}; declare a Chaplygin system by indices on Euclidean(n), by "
            "factors on a Product, by group=SO(2) on SO(3), or by your own chart"
        )
    if shape is None or group is None:
        raise UsageError(f"{name} is on {space}: give the indices of the shape and the group")
    indices = _indices(shape, space.dim, "coordinates")
    if not has_coordinates(group):
        raise UsageError(
            f"{group} has no coordinates here: use Euclidean, SO(2), SE(2) or a Product of "
            "these, write the system on a Product with {group} as a factor, or give a chart"
        )
    others = tuple(i for i in range(space.dim) if i not in indices)
    if group.dim != len(others):
        raise UsageError(
            f"{name} has {len(others)} coordinates outside the shape {indices}, but {group} has "
            f"dimension {group.dim}"
        )
    return CoordinateChart(indices, others, group)


def _indices(shape: Sequence[int], count: int, what: str) -> tuple[int, ...]:
    indices = tuple(int(i) for i in shape)
    if len(set(indices)) != len(indices) or not all(0 <= i < count for i in indices):
        raise UsageError(f"shape must be different indices below {count} of {what}, got {indices}")
    return indices


def _check_kind(out: Chaplygin, r: Point) -> None:
    """Raise unless the constraint is A(q) v = 0; without r any right-hand side counts, even 0."""
    system, name = out.system, title(out.system)
    affine = system.has_offset and (r is None or _largest_offset(out, r) > 0)
    for bad, what in (
        (affine, "affine constraints"),
        (system.is_nonlinear, "a nonlinear constraint"),
    ):
        if bad:
            raise UsageError(f"{name} has {what}; Chaplygin reduction needs A(q) v = 0")
    q = jax.eval_shape(lambda: out.chart.place(out.base.identity(), out.group.identity()))
    m = jax.eval_shape(system.constraint, q).shape[0]
    if m != out.group.dim:
        raise UsageError(
            f"the constraint of {name} is not complementary to the directions of {out.group}: "
            f"{m} constraint{'s' * (m != 1)} for a group of dimension {out.group.dim}; give a "
            f"group of dimension {m}, and make the other directions part of the shape"
        )


def _largest_offset(out: Chaplygin, r: Point) -> float:
    """Return the largest right-hand side of the constraint at sampled times and points."""
    return max(float(compiled_call(_offset_size, out, r, u, eta)) for u, _, eta in _samples(out))


def _check_symmetry(out: Chaplygin, r: Point) -> None:
    name, group = title(out.system), out.group
    shifts = [np.zeros(out.shape), *(u for u, _, _ in _samples(out))]
    least, *near = (float(compiled_call(_least_singular_value, out, r, u)) for u in shifts)
    if not least > _TOLERANCE:
        if any(value > _TOLERANCE for value in near):
            raise UsageError(
                f"singular point: at the shape {_text(r)} the constraint of {name} does not "
                f"determine the velocity of {group} (smallest singular value {least:.1e}), though "
                "it does nearby; give a regular shape as `at`, or write the constraint so that "
                "its rows stay independent"
            )
        raise UsageError(
            f"the constraint of {name} is not complementary to the directions of {group}: it "
            "allows a direction of the group, or its rows are dependent (smallest singular value "
            f"{least:.1e} at the shape {_text(r)}); choose as shape the coordinates that the "
            "constraint leaves free; `symmetry_class` shows the position of a group relative to "
            "a constraint"
        )
    defects = np.max([compiled_call(_defects, out, r, *sample) for sample in _samples(out)], axis=0)
    for what, value in zip(("Lagrangian", "constraint", "force"), defects):
        if not value < _TOLERANCE:
            raise UsageError(
                f"{group} is not a symmetry of {name}: its {what} changes along the group by "
                f"{value:.1e} (relative, at the shape {_text(r)}); give a group that does not "
                "change it; `invariance` measures each generator"
            )


def _text(r: Point) -> str:
    return str(jax.tree.map(lambda x: np.asarray(x).tolist(), r))


def _samples(out: Chaplygin) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return random samples (small change of shape, velocity, coordinates of a group element)."""
    rng = np.random.default_rng(7)
    return [
        (
            0.1 * rng.normal(size=out.shape),
            rng.normal(size=out.system.dim),
            rng.normal(size=out.group.dim),
        )
        for _ in range(3)
    ]


def _least_singular_value(out: Chaplygin, r: Point, u: jax.Array) -> jax.Array:
    """Return the least singular value of the constraint on the group directions at r exp(u).

    The constraint rows are scaled to unit length.
    """
    q, T = out.origin(out.base.mul(r, out.base.exp(u)))
    N = out.system.constraint(q) @ T
    size = jnp.linalg.norm(N, axis=1, keepdims=True)
    vertical = (N / jnp.where(size > 0, size, 1.0))[:, out.shape :]
    return jnp.min(jnp.linalg.svd(vertical, compute_uv=False), initial=1.0)


def _offset_size(out: Chaplygin, r: Point, u: jax.Array, eta: jax.Array) -> jax.Array:
    q = out.chart.place(out.base.mul(r, out.base.exp(u)), out.group.exp(eta))
    sizes = [jnp.abs(out.system.offset(jnp.asarray(t), q)) for t in (0.0, 0.618)]
    return jnp.max(jnp.stack(sizes), initial=0.0)


def _defects(out: Chaplygin, r: Point, u: jax.Array, v: jax.Array, eta: jax.Array) -> jax.Array:
    """Return relative changes of L, D and F from the identity to exp(eta), at shape r exp(u)."""
    system, chart, g = out.system, out.chart, out.group.exp(eta)
    x = out.base.mul(r, out.base.exp(u))
    (q, T), (q0, T0) = (chart.place(x, g), chart.frame(x, g)), out.origin(x)
    L, L0 = system.lagrangian(q, T @ v), system.lagrangian(q0, T0 @ v)
    kinetic = jnp.abs(L0 - system.lagrangian(q0, 0 * v))

    def moved(y, a, w):
        x, g = out.base.mul(r, out.base.exp(y)), out.group.exp(a)
        return system.lagrangian(chart.place(x, g), chart.frame(x, g) @ w)

    slope, size = slope_along(moved, u, eta, v)
    N, h = system.constraint(q) @ T, out.horizontal(x)
    row = jnp.max(jnp.abs(N)) * jnp.max(jnp.abs(h))
    force = jnp.zeros(())
    if system.has_force:
        times = [jnp.asarray(t) for t in LATER]
        F, F0 = (
            jnp.stack([system.force(t, p, f @ v) @ f for t in times]) for p, f in ((q, T), (q0, T0))
        )
        # forces far below the terms of Lagrange's equations may be round-off of terms that cancel
        whole = jnp.maximum(jnp.max(jnp.abs(F0)), ROUGH * size)
        force = jnp.max(jnp.abs(F - F0)) / jnp.where(whole > 0, whole, 1.0)
    return jnp.stack(
        [
            jnp.maximum(jnp.abs(L - L0) / (jnp.abs(L0) + kinetic + 1e-300), slope),
            jnp.max(jnp.abs(N @ h), initial=0.0) / (row + 1e-300),
            force,
        ]
    )
