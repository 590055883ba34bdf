"""Momentum of nonholonomic systems with symmetry: sections, momentum equation, moving energy.

Constraint forces do no work along an admissible generator. So along a section xi(q) of
g^q = ker N the momentum changes only because the generator changes:

    d/dt <dL/dv, (xi(q))_Q> = Xi^c(L),    Xi(q) = (xi(q))_Q            (4.20) [C02]

`diagnostics.momentum_balance` and `diagnostics.discrete_momentum` evaluate it along a trajectory.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...dynamics import (
    Time,
    acceleration,
    consistent_velocity,
    energy,
    linear_constraint,
    linear_offset,
    metric,
    momentum,
)
from ...errors import UsageError
from ...linalg import RANK_TOLERANCE, rank
from ...system import Point, System, compiled_call
from ..distribution.growth_flag import ROUGH, States, require_linear, sample_states
from .conserved_momenta import body_frame, kept_section
from .generators import (
    HORIZONTAL,
    KINEMATIC,
    SINGULAR,
    SYMMETRY_TOLERANCE,
    VIOLATED,
    Invariance,
    Symmetry,
    invariance,
    lifted,
    structure_constants,
    symmetry_class,
    symmetry_names,
)

Section = Callable[[Point], jax.Array]  # q -> xi(q), components in the algebra, shape (k,)
Rate = Callable[..., jax.Array]  # a function of (q, v, t=0.0)

SECTION_TOLERANCE = 1e-8  # largest mu sigma xi relative to sigma xi


# -- sections of g^q -----------------------------------------------------------------------------


def section(system: System, symmetry: Symmetry, xi: Any, *, check: bool = True) -> Section:
    """Return the smooth section q -> projection of a fixed xi on g^q = ker N(q).

    The projection is orthogonal in the components of the algebra. It is smooth where the rank of N
    is constant. Raises `UsageError` if the class is singular or no generator is admissible.
    `check=False` allows a group that is not a symmetry: the momentum equation holds for it as well.
    """
    classes = symmetry_class(system, symmetry, check=check)
    if classes.kind == SINGULAR:
        raise UsageError(
            f"g^q of '{symmetry.name}' has dimensions {sorted(set(classes.dims))} at different "
            f"points near the initial data of {system.name()}: no smooth section passes there"
        )
    if classes.dim == 0:
        raise UsageError(
            f"'{symmetry.name}' has no admissible generator on {system.name()} ({classes}): its "
            "nonholonomic momentum map is empty"
        )
    xi = jnp.asarray(xi, dtype=float)
    k = jax.eval_shape(lambda q: symmetry(system, q), system.initial()[0]).shape[1]
    if xi.shape != (k,):
        raise UsageError(f"xi must have {k} components, one for each generator; got {xi.shape}")
    return _Projected(system, symmetry, tuple(np.asarray(xi).tolist()), classes.dim == k)


@dataclasses.dataclass(frozen=True, eq=False)
class _Projected:
    system: System
    symmetry: Symmetry
    xi: tuple[float, ...]
    horizontal: bool

    def __call__(self, q: Point) -> jax.Array:
        N = linear_constraint(self.system, q) @ self.symmetry(self.system, q)
        xi = jnp.asarray(self.xi)
        if self.horizontal:  # N is zero: the pseudo-inverse of its round-off would be large
            return xi
        return xi - jnp.linalg.pinv(N, rtol=RANK_TOLERANCE) @ (N @ xi)


def section_defect(system: System, symmetry: Symmetry, xi: Section, q: Point) -> jax.Array:
    """Return |mu Xi| / (|mu| |Xi|) with Xi = (xi(q))_Q, which is zero for a section of g^q."""
    mu, Xi = linear_constraint(system, q), symmetry(system, q) @ xi(q)
    size = jnp.linalg.norm(mu, axis=1) * jnp.linalg.norm(Xi)
    return jnp.max(jnp.abs(mu @ Xi) / jnp.where(size > 0, size, 1.0), initial=0.0)


# -- momentum ------------------------------------------------------------------------------------


def momentum_map(system: System, symmetry: Symmetry, xi: Section) -> Rate:
    """Return J^nh_xi = <dL/dv, (xi(q))_Q> ([C02] 4.4), a function of (q, v, t=0.0)."""

    def J(q: Point, v: jax.Array, t: Time = 0.0) -> jax.Array:
        return momentum(system, q, v, t) @ (symmetry(system, q) @ xi(q))

    return J


def momentum_rate(system: System, symmetry: Symmetry, xi: Section) -> Rate:
    """Return the right-hand side of J' = Xi^c(L) + <F, Xi>, Xi(q) = (xi(q))_Q.

    The momentum equation (4.20) [C02], with the work of an external force added; a function of
    (q, v, t). It is the
    rate of J for a section of g^q, whether or not L is invariant; for an invariant L it is
    <dL/dv, (xi')_Q>.
    """

    def rate(q: Point, v: jax.Array, t: Time = 0.0) -> jax.Array:
        def Xi(x: Point) -> jax.Array:
            return symmetry(system, x) @ xi(x)

        x = Xi(q)
        value = groupoids.gradient(system.groupoid, lambda y: system.lagrangian_at(t, y, v), q) @ x
        value = value + momentum(system, q, v, t) @ lifted(system, Xi, q, v)  # (4.20) [C02]
        if system.has_force:
            value = value + system.force(jnp.asarray(t, dtype=float), q, v) @ x
        return value

    return rate


def momentum_equation_residual(
    system: System, symmetry: Symmetry, xi: Section, q: Point, v: jax.Array, t: Time = 0.0
) -> jax.Array:
    """Return J' - Xi^c(L) at a state, J' along the constrained motion: zero for sections of g^q."""
    J = momentum_map(system, symmetry, xi)
    groupoid, a = system.groupoid, acceleration(system, q, v, t)

    def moved(s: jax.Array) -> jax.Array:
        return J(groupoids.move(groupoid, q, s * v), v + s * a, t + s)

    rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]
    return rate - momentum_rate(system, symmetry, xi)(q, v, t)


class Momenta(NamedTuple):
    """Nonholonomic momenta of a symmetry, on sampled states.

    `count` is the dimension of g^q. `kept` is the number of conserved momenta found among three
    kinds of sections, and `frame` says which kind: projections on g^q of fixed elements ("space"),
    of elements fixed in the body frame ("body"), or sections of the body frame with factors that
    depend on the shape ("shape", by `kept_section`). Further momenta may be conserved with factors
    that depend on all of q. `residual` is the relative residual of the momentum equation. `rate` is
    the largest rate of the momenta by which `frame` was judged ("space" or "body"). `rates` are the
    relative values that decided: singular values of all rates, or the three of `kept_section`.
    """

    count: int
    kept: int
    residual: float
    rate: float
    frame: str = "space"
    rates: tuple[float, ...] = ()


def momenta(system: System, symmetry: Symmetry, states: States | None = None) -> Momenta:
    """Count the momenta of a symmetry and those that are conserved, and check (4.20) for all.

    The body frame is defined on a slice through the first state and needs a free action.
    """
    states = sample_states(system, count=8) if states is None else states
    classes = symmetry_class(system, symmetry, states, check=False)
    if classes.kind in (SINGULAR, KINEMATIC, VIOLATED):
        return Momenta(0, 0, 0.0, 0.0)
    k, count = classes.generators, len(states.v)
    if count < k + 2:  # with fewer states, singular values of the rates would be missing
        first = jax.tree.map(lambda x: x[0], states.q)
        states = sample_states(system, first, count=k + 2)
    horizontal = classes.kind == HORIZONTAL
    still = np.zeros((len(states.v), k, k))
    best = _projected(system, symmetry, horizontal, states, still, "space")
    if classes.free and best.kept < classes.dim:
        first = jax.tree.map(lambda x: x[0], states.q)
        try:
            constants = structure_constants(system, symmetry, first)
            if np.any(constants):  # for an Abelian group both frames coincide
                sliced, twist = _sliced(system, symmetry, states, constants)
                body = _projected(system, symmetry, horizontal, sliced, twist, "body")
                best = max(best, body, key=lambda x: x.kept)
            if best.kept < classes.dim:
                section = kept_section(body_frame(system, symmetry, first))
                if section.count > best.kept:
                    decided = section.quadratic, section.growth, section.curvature
                    best = best._replace(kept=section.count, frame="shape", rates=decided)
        except UsageError:  # no algebra or no slice: only the space frame remains
            pass
    return best._replace(count=classes.dim)


def _projected(
    system: System,
    symmetry: Symmetry,
    horizontal: bool,
    states: States,
    twist: np.ndarray,
    name: str,
) -> Momenta:
    """Test the sections q -> projection on g^q of xi, which changes by `twist` along the motion."""
    timed = system.has_force or system.has_offset or system.has_time or system.has_timed_constraint
    times = np.linspace(0.0, 1.234, len(states.v)) * timed
    parts = compiled_call(_momenta, system, symmetry, horizontal, states, twist, times)
    J, rates, residual, sizes = (np.asarray(x) for x in parts)
    if not np.all(np.isfinite(residual)):
        raise UsageError(
            f"{system.name()}: the momenta of '{symmetry.name}' are not finite at a sampled state; "
            "give `states` away from singular points"
        )
    # divide by the size of the terms at each state: a fast or steep state must not hide the others
    own = np.maximum(sizes, 1e-300)[:, None]
    worst = float(np.max(np.abs(residual) / own))
    # number of conserved combinations, without those whose momentum vanishes identically
    ranks = [rank(x / own, SYMMETRY_TOLERANCE, size=1.0) for x in (J, rates)]
    decided = tuple(float(x) for x in np.linalg.svd(rates / own, compute_uv=False))
    return Momenta(0, ranks[0] - ranks[1], worst, float(np.max(np.abs(rates))), name, decided)


def _sliced(
    system: System, symmetry: Symmetry, states: States, constants: np.ndarray
) -> tuple[States, np.ndarray]:
    """Return states on a slice across the orbits, and derivatives of Ad_g along their velocities.

    On the slice body frame and space frame coincide. If the velocity is sigma eta plus a part along
    the slice, e_b changes as [eta, e_b], because [xi_Q, Xi] = 0 for a field Xi fixed in the body.
    """
    center = jax.tree.map(lambda x: x[0], states.q)
    sigma = np.asarray(symmetry(system, center))
    k, dim = sigma.shape[1], system.dim
    basis = np.linalg.svd(sigma, full_matrices=True)[0]
    rng = np.random.default_rng(3)
    shifts = 0.4 * rng.normal(size=(len(states.v), dim - k)) @ basis[:, k:].T
    velocities = rng.normal(size=(len(states.v), dim))
    q, v, eta = compiled_call(_on_slice, system, symmetry, center, basis[:, :k], shifts, velocities)
    return States(q, v), np.einsum("sb,abc->sac", np.asarray(eta), constants)


def _on_slice(system, symmetry, center, across, shifts, velocities):
    groupoid = system.groupoid

    def at(w, u):
        q = groupoids.move(groupoid, center, w)
        v = consistent_velocity(system, q, u)
        # use velocities in the chart of the center, where the slice is a plane
        chart = jax.vmap(lambda e: groupoid.coordinate_velocity(center, w, e), 1, 1)
        moved = chart(jnp.concatenate([symmetry(system, q), v[:, None]], axis=1))
        parts = across.T @ moved
        return q, v, jnp.linalg.solve(parts[:, :-1], parts[:, -1])

    return jax.vmap(at)(shifts, velocities)


def _momenta(system, symmetry, horizontal, states, twist, times):
    groupoid = system.groupoid

    def fields(x, frame):  # the generators of the frame, each projected on g^q
        sigma = symmetry(system, x) @ frame
        if horizontal:
            return sigma
        N = linear_constraint(system, x) @ sigma
        return sigma - sigma @ (jnp.linalg.pinv(N, rtol=RANK_TOLERANCE) @ N)

    def at(q, v, turning, t):
        a, p = acceleration(system, q, v, t), momentum(system, q, v, t)
        eye = jnp.eye(len(turning))

        def along(s):
            return fields(groupoids.move(groupoid, q, s * v), eye + s * turning)

        def moved(s):
            x = groupoids.move(groupoid, q, s * v)
            return momentum(system, x, v + s * a, t + s) @ along(s)

        one, zero = jnp.ones(()), jnp.zeros(())
        J, change = jax.jvp(moved, (zero,), (one,))
        Xi, slope = jax.jvp(along, (zero,), (one,))
        force = groupoids.gradient(groupoid, lambda y: system.lagrangian_at(t, y, v), q)
        if system.has_force:
            force = force + system.force(t, q, v)
        lift = slope + groupoid.ad(q, v) @ Xi
        size = jnp.linalg.norm(p) * (jnp.linalg.norm(lift) + jnp.linalg.norm(Xi))
        # p' has the reaction, too: it does no work along Xi, but its round-off counts in the size
        push = jnp.linalg.norm(force) + jnp.linalg.norm(metric(system, q, v, t) @ a)
        size = size + push * jnp.linalg.norm(Xi)
        return J, change, change - (force @ Xi + p @ lift), size  # (4.20) [C02]

    return jax.vmap(at)(states.q, states.v, twist, times)


# -- moving energy -------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)  # compared and hashed by identity
class MovingEnergy:
    """E - <dL/dv, Y> with Y = xi_Q; call it with (q, v).

    `mismatch` is the largest entry of mu Y - b, `invariance` the largest Y^c(L), both relative.
    """

    system: System
    symmetry: Symmetry
    xi: tuple[float, ...]
    mismatch: float
    invariance: float

    def __call__(self, q: Point, v: jax.Array) -> jax.Array:
        return moved_energy(self.system, self.symmetry, self.xi, q, v)


def moved_energy(
    system: System, symmetry: Symmetry, xi: tuple[float, ...], q: Point, v: jax.Array
) -> jax.Array:
    """Return E - <dL/dv, xi_Q>, the energy in the frame that moves along xi."""
    return energy(system, q, v) - momentum(system, q, v) @ symmetry.field(system, jnp.array(xi))(q)


def moving_energy(
    system: System,
    symmetry: Symmetry | None = None,
    states: States | None = None,
    *,
    t: Time = 0.0,
) -> MovingEnergy:
    """Find the moving energy for affine constraints A(q) v = b(q), from a symmetry of L.

    Without `symmetry`, the symmetries declared by the system are tried in turn.

    The function searches for xi in the algebra whose field matches the affine term, A Y = b with Y
    = xi_Q. If L is invariant under Y, then d/dt (E - <p, Y>) = lam (b - A Y) - Y^c(L) = 0. For b =
    0 this is the energy. Raises a `UsageError` with the residual if no xi matches, if Y does not
    leave L invariant, if b depends on time, or if an external force acts.
    """
    require_linear(system, "the moving energy", affine=True)
    if system.has_force:
        raise UsageError(
            f"{system.name()} has an external force: moving energies are for motion without one"
        )
    states = sample_states(system, t=t) if states is None else states
    if symmetry is None:
        return _first_that_moves(system, states, t)
    N, b, late = (
        np.asarray(x)
        for x in compiled_call(
            _affine_parts, system, symmetry, states.q, jnp.asarray(t, dtype=float)
        )
    )
    if not (np.all(np.isfinite(N)) and np.all(np.isfinite(b))):
        raise UsageError(
            f"{system.name()}: the constraint or '{symmetry.name}' is not finite at a sampled "
            "state; give `states` away from singular points"
        )
    size = np.max(np.abs(np.concatenate([b, late], axis=1)), axis=1, initial=0.0)
    # divide by |b| of each state, or by a small part of the typical |b| if its own is round-off
    size = np.maximum(size, ROUGH * np.median(size))
    if np.any(np.max(np.abs(late - b), axis=1, initial=0.0) > SYMMETRY_TOLERANCE * size):
        raise UsageError(
            f"{system.name()}: the right-hand side of the constraint depends on time; a moving "
            "energy exists only if it does not"
        )
    stacked, right = N.reshape(-1, N.shape[2]), b.reshape(-1)
    # the minimum-norm solution has no component along generators that lie in D
    xi = np.linalg.lstsq(stacked, right, rcond=RANK_TOLERANCE)[0]
    size = np.max(np.abs(N) @ np.abs(xi) + np.abs(b), axis=1, initial=0.0)
    size = np.maximum(size, max(ROUGH * float(np.median(size)), 1e-300))
    mismatch = float(np.max(np.abs(N @ xi - b) / size[:, None], initial=0.0))
    if mismatch > SYMMETRY_TOLERANCE and np.any(right):
        raise UsageError(
            f"no generator of '{symmetry.name}' matches the affine term of {system.name()}: "
            f"A Y - b is {mismatch:.1e} of its terms; declare the symmetry that moves with it"
        )
    xi = np.where(np.abs(xi) < 1e-13 * np.max(np.abs(xi), initial=0.0), 0.0, xi)
    single = Symmetry(_Combined(symmetry, tuple(xi.tolist())), symmetry.name)
    tests = invariance(system, single, states) if np.any(xi) else Invariance(0.0, 0.0, 0.0)
    if tests.lagrangian > SYMMETRY_TOLERANCE:
        raise UsageError(
            f"the field of '{symmetry.name}' that matches the affine term of {system.name()} "
            f"changes the Lagrangian by {tests.lagrangian:.1e} of its terms: no moving energy"
        )
    return MovingEnergy(system, symmetry, tuple(xi.tolist()), mismatch, tests.lagrangian)


def _first_that_moves(system: System, states: States, t: Time) -> MovingEnergy:
    reasons = []
    for name in symmetry_names(system):
        try:
            return moving_energy(system, Symmetry.of(system, name), states, t=t)
        except UsageError as error:
            reasons.append(f"{name}: {error}")
    tried = "; ".join(reasons) or "it declares no symmetry; give one"
    raise UsageError(f"no moving energy of {system.name()} was found: {tried}")


@dataclasses.dataclass(frozen=True)
class _Combined:
    symmetry: Symmetry
    xi: tuple[float, ...]

    def __call__(self, system: System, q: Point) -> jax.Array:
        return (self.symmetry(system, q) @ jnp.asarray(self.xi))[:, None]


def _affine_parts(system, symmetry, points, t):
    def at(q):
        N = linear_constraint(system, q) @ symmetry(system, q)
        late = t + 0.618
        return N, linear_offset(system, t, q), linear_offset(system, late, q)

    return jax.vmap(at)(points)


__all__ = [
    "Momenta",
    "MovingEnergy",
    "Section",
    "momenta",
    "momentum_equation_residual",
    "momentum_map",
    "momentum_rate",
    "moving_energy",
    "section",
    "section_defect",
]
