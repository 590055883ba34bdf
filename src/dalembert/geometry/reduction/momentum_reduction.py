"""Reduction by a general symmetry to shape and nonholonomic momentum, with reconstruction.

In a trivialization q = (r, g), with u = (w, xi), w the velocity of the shape and xi = g^-1 g',
L = l(r, u) and the constraint is N(r) u = 0. The admissible generators of the body frame,
g^r = ker N_xi(r), have a smooth frame E(r), and every admissible velocity is

    u = h(r) w + (0, E(r) I(r)^-1 p),    p = E^T dl/dxi,    I = E^T G E          (4.4.1 [C02])

with h the lift that is orthogonal to g^r in the kinetic metric: h = (1, -A), A the nonholonomic
connection. This covers three cases. In the purely kinematic case g^r = 0, p is empty and A is
the connection of the constraint. In the horizontal case g^r = g, A is the mechanical connection and
I the locked inertia. The general case combines both. The momentum equation is

    p_i' = <dl/dxi, [xi, E_i] + dE_i(r) w>                                       (4.20) [C02]

`general_reduction(system, ...)` checks that the group is a symmetry. The `reduced` property of its
result is a `System` that can be simulated.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import equinox as eqx
import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from ... import dynamics
from ...errors import UsageError
from ...groupoids import Element, Pair, Reduced
from ...groups import Euclidean, Group
from ...linalg import rank
from ...system import Point, System, compiled_call
from ..distribution.time_dependent import require_autonomous
from ..symmetry.body_frames import BodyFrame, Integral
from .chaplygin_reduction import chart_of
from .charts import Chart, CoordinateChart, WholeChart, slope_along

_TOLERANCE = 1e-9  # relative tolerance of the symmetry checks
Frame = Callable[[Point], jax.Array]  # r -> E(r), shape (dim G, dim g^r)


class Reduction(BodyFrame):
    """Reduction of a system by a symmetry of any class; made by `general_reduction`."""

    chart: Chart = eqx.field(static=True)
    given: Frame | None = eqx.field(static=True)

    @property
    def base(self) -> Group:
        """Shape space."""
        return self.chart.base

    @property
    def group(self) -> Group:
        """The group G."""
        return self.chart.group

    @property
    def reduced(self) -> BodySystem:
        """The motion modulo G, on (r, u): a `System` whose runs carry g as their `frame`."""
        return BodySystem(self, "cay")

    def body(self, tau: str = "cay") -> BodySystem:
        """Return `reduced` with the retraction tau ("cay" or "exp") on the groups."""
        return BodySystem(self, tau)

    def origin(self, r: Point) -> tuple[Point, jax.Array]:
        """Return the configuration with shape r at the identity, and the frame from u to v."""
        e = self.group.identity()
        return self.chart.place(r, e), self.chart.frame(r, e)

    def start(self) -> Point:
        return self.chart.split(self.system.initial()[0])[0]

    def frame(self, r: Point) -> jax.Array:
        if self.given is not None:
            return jnp.asarray(self.given(r), dtype=float)
        return super().frame(r)

    def split(self, q: Point, v: jax.Array) -> tuple[Point, Element, jax.Array]:
        """Return (r, g, u) of a state of the unreduced system."""
        r, g = self.chart.split(q)
        return r, g, jnp.linalg.solve(self.chart.frame(r, g), v)

    def lift(self, r: Point, g: Element, u: jax.Array) -> tuple[Point, jax.Array]:
        """Return the state (q, v) of the unreduced system."""
        return self.chart.place(r, g), self.chart.frame(r, g) @ u

    def conserved(self, factors: Callable[[Point], jax.Array]) -> Integral:
        """Return f(r) . p as a function of the state (q, v) of the unreduced system."""
        return functools.partial(_integral, self, factors)

    def rates(
        self, r: Point, w: jax.Array, p: jax.Array, t: dynamics.Time = 0.0
    ) -> tuple[jax.Array, jax.Array]:
        """Return (w', p') of the reduced equations in shape and momentum."""
        u = self.velocity(r, w, p)
        a = dynamics.acceleration(self.reduced, r, u, t)
        return a[: self.shape], self.momentum_rate(r, u, t)

    def residual(self, r: Point, u: jax.Array) -> jax.Array:
        """Return p' along the motion minus `momentum_rate`, which should be zero."""
        a = dynamics.acceleration(self.reduced, r, u)
        base, w = self.base, u[: self.shape]

        def moved(x: jax.Array) -> jax.Array:
            return self.momentum(base.mul(r, base.exp(x * w)), u + x * a)

        rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]
        return rate - self.momentum_rate(r, u)


def _integral(frame: Reduction, factors, q: Point, v: jax.Array) -> jax.Array:
    r, _, u = frame.split(q, v)
    return factors(r) @ frame.momentum(r, u)


class BodySystem(System):
    """l(r, u) with N(r) u = 0 on Reduced(shape, G): the motion modulo G; made by `Reduction`."""

    reduction: Reduction
    tau: str = eqx.field(static=True)

    @property
    def space(self) -> Reduced:
        return Reduced(self.reduction.base, self.reduction.group, self.tau)

    @property
    def has_force(self) -> bool:
        return self.reduction.system.has_force

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        names, chart = self.reduction.system.coordinate_names, self.reduction.chart
        if not isinstance(chart, CoordinateChart) or not names:
            return ()
        return tuple(names[i] for i in chart.indices)

    def lagrangian(self, q, v):
        point, T = self.reduction.origin(q)
        return self.reduction.system.lagrangian(point, T @ v)

    def constraint(self, q):
        return self.reduction.constraint(q)

    def force(self, t, q, v):
        point, T = self.reduction.origin(q)
        return self.reduction.system.force(t, point, T @ v) @ T

    def initial(self):
        r, _, u = self.reduction.split(*self.reduction.system.initial())
        return r, u


# -- declaration -----------------------------------------------------------------------------------


def general_reduction(
    system: System,
    shape: Sequence[int] | None = None,
    group: Group | None = None,
    *,
    chart: Chart | None = None,
    sections: Frame | None = None,
    at: Point = None,
) -> Reduction:
    """Reduce a system by a symmetry group of any class.

    Shape and group are given as in `chaplygin`; `shape=()` takes the whole configuration group or
    product as G. `sections(r)` returns columns that span g^r, in the body frame. By default it is
    the smooth frame that is orthonormal at the shape `at` (default: the shape of the initial data).
    Raises a `UsageError` if the group is not a symmetry, if the sections are not admissible or
    linearly dependent, or if the dimension of g^r changes near `at`.
    """
    name = system.name()
    require_autonomous(system, "a reduction")
    for bad, what in (
        (system.has_offset, "affine constraints"),
        (system.is_nonlinear, "a nonlinear constraint"),
    ):
        if bad:
            raise UsageError(f"{name} has {what}; general_reduction needs A(q) v = 0, L(q, v)")
    if chart is None and shape is not None and len(shape) == 0:
        chart = WholeChart(_whole(system, group))
    chart = chart_of(system, shape, group) if chart is None else chart
    r = chart.split(system.initial()[0])[0] if at is None else chart.base.check(at, "at")
    k = chart.group.dim
    plain = Reduction(system, jnp.eye(k), jnp.zeros((k, 0)), chart, None)
    if any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves((system, r))):
        raise UsageError("general_reduction needs concrete values: call it outside jit, vmap, grad")
    values = [_look(plain, r, *sample) for sample in _samples(plain)]
    dims = [k - rank(x.vertical, size=1.0) for x in values]
    if len(set(dims)) > 1:
        raise UsageError(
            f"g^r of {chart.group} has dimensions {sorted(set(dims))} at shapes near each other on "
            f"{name}: a singular symmetry; give a regular shape as `at`, or a smaller group"
        )
    for what, value in zip(("Lagrangian", "constraint"), np.max([x.defects for x in values], 0)):
        if not value < _TOLERANCE:
            raise UsageError(
                f"{chart.group} is not a symmetry of {name}: its {what} changes along the group "
                f"by {value:.1e} (relative); give a group that does not change it"
            )
    rows = np.asarray(values[0].vertical)
    basis = np.linalg.svd(rows, full_matrices=True)[2] if rows.size else np.eye(k)
    tied = k - dims[0]
    inside, outside = (
        (jnp.eye(k), jnp.zeros((k, 0))) if tied == 0 else (basis[tied:].T, basis[:tied].T)
    )
    out = Reduction(system, jnp.asarray(inside), jnp.asarray(outside), chart, sections)
    if sections is not None:
        _check_sections(out, r, dims[0])
    return out


def _whole(system: System, group: Group | None) -> Group:
    space = system.groupoid.base if isinstance(system.groupoid, Pair) else None
    if space is None or (isinstance(space, Euclidean) and group not in (None, space)):
        raise UsageError(
            f"{system.name()} is on {system.space}: shape=() reduces by a whole "
            "group, which this is not"
        )
    if group is not None and group != space:
        raise UsageError(f"{system.name()} is on {space}; shape=() reduces by that, got {group}")
    return space


class _Look(NamedTuple):
    vertical: np.ndarray  # N_xi, where the rows of N have unit length
    defects: np.ndarray


def _samples(out: Reduction) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(7)
    first = np.zeros(out.shape)
    shifts = [first, *(0.1 * rng.normal(size=out.shape) for _ in range(3))]
    n, k = out.system.dim, out.group.dim
    return [(x, rng.normal(size=n), rng.normal(size=k)) for x in shifts]


def _look(out: Reduction, r: Point, x: np.ndarray, u: np.ndarray, eta: np.ndarray) -> _Look:
    rows, defects = compiled_call(_looked, out, r, x, u, eta)
    return _Look(np.asarray(rows), np.asarray(defects))


def _looked(out, r, x, u, eta):
    system, chart, g = out.system, out.chart, out.group.exp(jnp.asarray(eta))
    y = out.base.mul(r, out.base.exp(jnp.asarray(x)))
    (q, T), (q0, T0) = (chart.place(y, g), chart.frame(y, g)), out.origin(y)
    L, L0 = system.lagrangian(q, T @ u), system.lagrangian(q0, T0 @ u)
    kinetic = jnp.abs(L0 - system.lagrangian(q0, 0 * u))

    def moved(z, a, w):
        y, g = out.base.mul(r, out.base.exp(z)), out.group.exp(a)
        return system.lagrangian(chart.place(y, g), chart.frame(y, g) @ w)

    slope, _ = slope_along(moved, jnp.asarray(x), jnp.asarray(eta), jnp.asarray(u))
    N, N0 = dynamics.linear_constraint(system, q) @ T, out.constraint(y)
    m = N.shape[0]
    size = jnp.linalg.norm(N0, axis=1, keepdims=True)
    unit = N0 / jnp.where(size > 0, size, 1.0)
    change = jnp.zeros(())
    if m:  # the group may replace the rows by combinations of them, so compare the kernels
        onto = jnp.linalg.pinv(unit) @ unit
        length = jnp.linalg.norm(N, axis=1, keepdims=True)
        here = N / jnp.where(length > 0, length, 1.0)
        change = jnp.max(jnp.abs(here - here @ onto))
    return unit[:, out.shape :], jnp.stack(
        [jnp.maximum(jnp.abs(L - L0) / (jnp.abs(L0) + kinetic + 1e-300), slope), change]
    )


def _check_sections(out: Reduction, r: Point, dim: int) -> None:
    for x, _, _ in _samples(out):
        y = out.base.mul(r, out.base.exp(jnp.asarray(x)))
        E, N = np.asarray(out.frame(y)), np.asarray(out.constraint(y))[:, out.shape :]
        if E.shape != (out.group.dim, dim):
            raise UsageError(
                f"sections(r) must give columns of shape ({out.group.dim}, {dim}), a basis of g^r; "
                f"got {E.shape}"
            )
        size = np.linalg.norm(N, axis=1)[:, None] * np.linalg.norm(E, axis=0)[None, :]
        defect = float(np.max(np.abs(N @ E) / np.where(size > 0, size, 1.0), initial=0.0))
        if defect > 1e-8 or rank(E) < dim:
            raise UsageError(
                f"sections(r) are no basis of g^r: they leave the constraint by {defect:.1e} or "
                "are dependent"
            )


__all__ = ["BodySystem", "Reduction", "general_reduction"]
