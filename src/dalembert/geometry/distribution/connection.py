"""Connections and brackets: Levi-Civita, nonholonomic, and the almost-Poisson bracket.

Components are those of the fibre: `Gamma[a, b, c]` with nabla_{E_b} E_c = Gamma^a_bc E_a, where
E is the frame of the coordinates on R^n and the left-invariant frame on a group; its bracket
[E_b, E_c] = c^a_bc E_a is that of the groupoid. Conventions:

    [X, Y] = DY.X - DX.Y + ad_X Y,    <X : Y> = nabla_X Y + nabla_Y X    (no factor 1/2)
    {f, g} = X_g(f), so that f' = {f, E}

The metric is the kinetic metric, d^2 L/dv^2 at v = 0. [C02] 3.4, with errata E7 to E9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...compile.function import compiled_rows
from ...dynamics import (
    Time,
    acceleration,
    consistent_velocity,
    linear_constraint,
    metric,
    momentum,
    projectors,
)
from ...errors import UsageError
from ...linalg import solve_spd
from ...system import Point, System, compiled_call
from .growth_flag import (
    LATER,
    ROUGH,
    Field,
    States,
    adapted_basis,
    local_frame,
    require_linear,
    sample_states,
)

Function = Callable[[Point, jax.Array], jax.Array]  # a function of (q, v)
Connection = Callable[[System, Point], jax.Array]  # (system, q) -> Gamma[a, b, c]

CONSTANT_TOLERANCE = 1e-10  # relative tolerance of `noether_test`


# -- brackets of fields --------------------------------------------------------------------------


def lie_bracket(X: Field, Y: Field, system: System | None = None) -> Field:
    """Return the Lie bracket [X, Y] = DY.X - DX.Y as a vector field.

    On a group pass the system, which adds the term ad_X Y.
    """

    def plain(q: Point) -> jax.Array:
        x, y = X(q), Y(q)
        return jax.jvp(Y, (q,), (x,))[1] - jax.jvp(X, (q,), (y,))[1]

    def trivialised(q: Point) -> jax.Array:
        assert system is not None
        groupoid, x, y = system.groupoid, X(q), Y(q)
        moved = groupoids.directional(groupoid, Y, q, x) - groupoids.directional(groupoid, X, q, y)
        return moved + groupoid.ad(q, x) @ y

    return plain if system is None else trivialised


def derivatives(groupoid: groupoids.Groupoid, f: Callable[[Point], Any], q: Point) -> Any:
    """Return E_b(f) for each frame direction b, as the last axis; f may return a tree of arrays."""
    return jax.jacfwd(lambda w: f(groupoids.move(groupoid, q, w)))(jnp.zeros(groupoid.dim))


def structure(groupoid: groupoids.Groupoid, q: Point) -> jax.Array:
    """Return the structure functions c[a, b, c] with [E_b, E_c] = c^a_bc E_a."""
    return jax.vmap(lambda u: groupoid.ad(q, u), out_axes=1)(jnp.eye(groupoid.dim))


# -- connections ---------------------------------------------------------------------------------


def _metric_jet(system: System, q: Point) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return G, its inverse, and dG[c, d, b] = E_b g_cd."""
    G = metric(system, q)
    dG = derivatives(system.groupoid, lambda x: metric(system, x), q)
    return G, solve_spd(G, jnp.eye(system.dim)), dG


def christoffel(system: System, q: Point) -> jax.Array:
    """Return the Levi-Civita connection of the kinetic metric as Gamma[a, b, c].

    Computed by Koszul's formula:

        2 g(nabla_b E_c, E_d) = E_b g_cd + E_c g_bd - E_d g_bc + c_dbc - c_cbd - c_bcd

    with c_abc = g_ae c^e_bc.
    """
    return levi_civita(*_metric_jet(system, q), structure(system.groupoid, q))


def levi_civita(G: jax.Array, inverse: jax.Array, dG: jax.Array, constants: jax.Array) -> jax.Array:
    """Evaluate Koszul's formula from G, G^-1, dG[c, d, b] = E_b g_cd and `structure`."""
    c = jnp.einsum("ae,ebc->abc", G, constants)
    lowered = 0.5 * (
        jnp.einsum("cdb->dbc", dG)
        + jnp.einsum("bdc->dbc", dG)
        - jnp.einsum("bcd->dbc", dG)
        + c
        - jnp.einsum("cbd->dbc", c)
        - jnp.einsum("bcd->dbc", c)
    )
    return jnp.einsum("ad,dbc->abc", inverse, lowered)


def nonholonomic_christoffel(system: System, q: Point) -> jax.Array:
    """Return the nonholonomic connection as Gamma[a, b, c].

        nabla-bar_X Y = nabla_X Y + (nabla_X Q) Y

        Gamma-bar^a_bc = Gamma^a_bc + E_b Q^a_c + Gamma^a_bd Q^d_c - Gamma^d_bc Q^a_d

    Q is the orthogonal projector onto the complement of the distribution. For Y in D the connection
    is the projection P nabla_X Y. Motion without forces satisfies v' + Gamma-bar(v, v) = 0 ((3.17)
    [C02]). It is metric for fields in D only (E9). Equal to `christoffel` without constraints.
    """
    require_linear(system, "the nonholonomic connection", affine=True)
    G, inverse, dG = _metric_jet(system, q)
    gamma = levi_civita(G, inverse, dG, structure(system.groupoid, q))
    if not system.is_constrained:
        return gamma
    mu = linear_constraint(system, q)
    dmu = derivatives(system.groupoid, lambda x: linear_constraint(system, x), q)  # [i, c, b]
    raised = inverse @ mu.T
    lifts = solve_spd(mu @ raised, mu)  # C^-1 mu
    Q = raised @ lifts
    P = jnp.eye(system.dim) - Q
    # E_b Q = W (E_b mu) P + P G^-1 ((E_b mu)^T C^-1 mu - (E_b G) Q) with W = G^-1 mu^T C^-1. With
    # this formula only mu and G are differentiated, not the linear solves.
    W = inverse @ lifts.T
    normal = jnp.einsum("dib,ic->dcb", jnp.swapaxes(dmu, 0, 1), lifts)
    normal = normal - jnp.einsum("deb,ec->dcb", dG, Q)
    dQ = jnp.einsum("ai,idb,dc->abc", W, dmu, P) + jnp.einsum("ad,dcb->abc", P @ inverse, normal)
    # section 3.4.2 [C02], before (3.17)
    return gamma + dQ + jnp.einsum("abd,dc->abc", gamma, Q) - jnp.einsum("dbc,ad->abc", gamma, Q)


def covariant_derivative(
    system: System, X: Field, Y: Field, connection: Connection = nonholonomic_christoffel
) -> Field:
    """Return the covariant derivative nabla_X Y as a vector field."""

    def field(q: Point) -> jax.Array:
        x = X(q)
        along = groupoids.directional(system.groupoid, Y, q, x)
        return along + jnp.einsum("abc,b,c->a", connection(system, q), x, Y(q))

    return field


def symmetric_product(
    system: System, X: Field, Y: Field, connection: Connection = nonholonomic_christoffel
) -> Field:
    """Return the symmetric product <X : Y> = nabla_X Y + nabla_Y X as a field (no factor 1/2)."""

    def field(q: Point) -> jax.Array:
        x, y, gamma = X(q), Y(q), connection(system, q)
        along = groupoids.directional(system.groupoid, Y, q, x)
        along = along + groupoids.directional(system.groupoid, X, q, y)
        return along + jnp.einsum("abc,b,c->a", gamma + jnp.swapaxes(gamma, 1, 2), x, y)

    return field


def torsion(
    system: System, q: Point, connection: Connection = nonholonomic_christoffel
) -> jax.Array:
    """Return the torsion T[a, b, c] with T(X, Y) = nabla_X Y - nabla_Y X - [X, Y].

    For the nonholonomic connection T(X, Y) = -Q[X, Y] on D.
    """
    gamma = connection(system, q)
    return gamma - jnp.swapaxes(gamma, 1, 2) - structure(system.groupoid, q)


def metric_defect(
    system: System, q: Point, connection: Connection = nonholonomic_christoffel
) -> jax.Array:
    """Return (nabla_a g)(E_b, E_c) as [a, b, c].

    For nabla-bar it is zero on D and not zero off D (E9).
    """
    gamma, G = connection(system, q), metric(system, q)
    dG = derivatives(system.groupoid, lambda x: metric(system, x), q)
    lowered = jnp.einsum("dab,dc->abc", gamma, G)
    return jnp.einsum("bca->abc", dG) - lowered - jnp.swapaxes(lowered, 1, 2)


def geodesic_defect(system: System, q: Point, connection: Connection = christoffel) -> jax.Array:
    """Return Q <X_i : X_j> for an orthonormal frame X of D at q, as [a, i, j].

    Zero everywhere means that D is geodesically invariant: geodesics that start in D stay in it.
    For the Levi-Civita connection unconstrained motion then satisfies the constraint without a
    reaction. For the nonholonomic connection the defect is always zero.
    """
    require_linear(system, "geodesic invariance", affine=True)
    frame = local_frame(system, q)
    X, gamma = frame(q), connection(system, q)
    dX = derivatives(system.groupoid, frame, q)  # [a, i, b]
    once = jnp.einsum("ajb,bi->aij", dX, X) + jnp.einsum("abc,bi,cj->aij", gamma, X, X)
    return jnp.einsum("ab,bij->aij", projectors(system, q)[1], once + jnp.swapaxes(once, 1, 2))


def is_geodesically_invariant(
    system: System, q: Point | None = None, *, samples: int = 4, tol: float = 1e-10
) -> bool:
    """Return whether motion without forces that starts on the constraint stays on it, near q.

    Decided by `geodesic_defect` of the Levi-Civita connection at sampled points.
    """
    require_linear(system, "geodesic invariance")
    points = sample_states(system, q, count=samples).q
    worst = compiled_call(_worst_geodesic_defect, system, points)
    return float(worst) <= tol


def _worst_geodesic_defect(system, points):
    def relative(x):
        scale = jnp.max(jnp.abs(christoffel(system, x)))
        scale = scale + jnp.max(jnp.abs(derivatives(system.groupoid, local_frame(system, x), x)))
        # scale: fields and metric are taken to change by about their own size over a unit of
        # length, even where their derivatives vanish
        inside = jnp.max(jnp.abs(adapted_basis(system, x)[0]), initial=0.0)
        scale = jnp.maximum(scale, ROUGH * inside)
        defect = jnp.max(jnp.abs(geodesic_defect(system, x)), initial=0.0)
        return defect / jnp.where(scale > 0, scale, 1.0)

    return jnp.max(jax.vmap(relative)(points))


# -- the nonholonomic bracket --------------------------------------------------------------------


def bracket_matrix(system: System, q: Point, v: jax.Array) -> jax.Array:
    """Return the brackets of the coordinates z = (q, v) on the constraint; shape (2 dim, 2 dim).

        {q, q} = 0,   {q, v} = R = P G^-1,   {v, v} = K R - R K^T + R S R,
        K w = -G^-1 mu^T C^-1 (D_w mu) v,    Pi = dp/dq + G K,
        S = Pi^T - Pi - <p, [., .]>

    They follow from the two-form restricted to the admissible variations (w, K w) and (0, w) with w
    in D ([C02] 3.4.1; the errata E7, E8 do not enter). z' = M dE for constraints linear in v.
    """
    require_linear(system, "the nonholonomic bracket")
    n = system.dim
    G, p = metric(system, q, v), momentum(system, q, v)
    mu = linear_constraint(system, q)
    raised = solve_spd(G, mu.T)
    onto = raised @ solve_spd(mu @ raised, jnp.eye(mu.shape[0]))
    R = solve_spd(G, jnp.eye(n)) - onto @ raised.T
    K = -onto @ derivatives(system.groupoid, lambda x: linear_constraint(system, x) @ v, q)
    Pi = derivatives(system.groupoid, lambda x: momentum(system, x, v), q) + G @ K
    S = Pi.T - Pi - jnp.einsum("a,abc->bc", p, structure(system.groupoid, q))
    block = K @ R - R @ K.T + R @ S @ R
    return jnp.block([[jnp.zeros((n, n)), R], [-R, block]])


def differential(system: System, f: Function, q: Point, v: jax.Array) -> jax.Array:
    """Return df = (E_b f, df/dv), a covector of length 2 dim for each value of f."""

    def moved(w: jax.Array, u: jax.Array) -> jax.Array:
        return f(groupoids.move(system.groupoid, q, w), u)

    return jnp.concatenate(jax.jacrev(moved, (0, 1))(jnp.zeros(system.dim), v), axis=-1)


def nonholonomic_bracket(system: System, f: Function, g: Function) -> Function:
    """Return the nonholonomic bracket {f, g} = X_g(f) as a function of (q, v) on the constraint.

    Along the motion f' = {f, E}.
    """

    def bracket(q: Point, v: jax.Array) -> jax.Array:
        M = bracket_matrix(system, q, v)
        return differential(system, f, q, v) @ M @ differential(system, g, q, v)

    return bracket


def jacobiator(system: System, f: Function, g: Function, h: Function) -> Function:
    """Return {f, {g, h}} + {g, {h, f}} + {h, {f, g}} as a function of (q, v).

    It is zero for all f, g, h only if D is integrable.

    The bracket matrix is differentiated once, along each Hamiltonian direction; second
    derivatives of f, g, h enter as Hessians.
    """

    def value(q: Point, v: jax.Array) -> jax.Array:
        M = bracket_matrix(system, q, v)
        d = [differential(system, a, q, v) for a in (f, g, h)]

        def along(direction: jax.Array, a: Function, b: Function) -> jax.Array:
            """Return the derivative of {a, b} along a tangent vector of the constraint."""

            def moved(s: jax.Array) -> jax.Array:
                x = groupoids.move(system.groupoid, q, s * direction[: system.dim])
                u = v + s * direction[system.dim :]
                left, right = (differential(system, c, x, u) for c in (a, b))
                return left @ bracket_matrix(system, x, u) @ right

            return jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]

        # {a, F} = -X_a(F) with X_a = M da
        terms = (along(M @ d[0], g, h), along(M @ d[1], h, f), along(M @ d[2], f, g))
        return -(terms[0] + terms[1] + terms[2])

    return value


# -- constants of the motion ---------------------------------------------------------------------


class Noether(NamedTuple):
    """Verdict on f: the largest |f'| over the states, and the largest |f'|/(|df| |(v, a)|)."""

    holds: bool
    rate: float
    relative: float


def rate_of_change(system: System, f: Function) -> Callable[..., jax.Array]:
    """Return f' along the constrained motion, as a function of (q, v, t=0.0)."""

    def rate(q: Point, v: jax.Array, t: Time = 0.0) -> jax.Array:
        d = differential(system, f, q, v)
        return d @ jnp.concatenate([v, acceleration(system, q, v, t)])

    return rate


def noether_test(
    system: System, f: Function, states: States | None = None, t: Time = 0.0
) -> Noether:
    """Test whether f is a constant of the motion: f' = {f, E} = 0 on states of the constraint.

    f may have several values; all must be constant. This is Noether's condition P-bar(X_f)(E) = 0
    of [C02] 3.4.1, where X(f) = -P-bar(X_f)(E). The test evaluates f' itself, which is defined for
    affine and nonlinear constraints as well. It is evaluated at t and, if a force or the constraint
    may depend on time, at a later time too. By default the states are six random ones near the
    initial data.
    """
    return noether_tests(system, {"the candidate": f}, states, t)["the candidate"]


def noether_tests(
    system: System,
    candidates: Mapping[str, Function],
    states: States | None = None,
    t: Time = 0.0,
) -> dict[str, Noether]:
    """Apply `noether_test` to several named candidates in one compilation."""
    states = sample_states(system, t=t) if states is None else states
    functions = tuple(candidates.values())
    timed = system.has_force or system.has_offset or system.is_nonlinear or system.has_time
    timed = timed or system.has_timed_constraint
    times = float(t) + np.asarray(LATER if timed else LATER[:1])
    each = jax.tree.map(lambda x: np.concatenate([np.asarray(x)] * len(times)), tuple(states))
    values = compiled_rows(_rates, system, (*each, np.repeat(times, len(states.v))), functions)
    return {name: _judged(system, name, np.asarray(x)) for name, x in zip(candidates, values)}


def _judged(system: System, name: str, worst: np.ndarray) -> Noether:
    if not np.all(np.isfinite(worst)):
        raise UsageError(
            f"{system.name()}: the rate of {name} is not finite at a sampled state; give "
            "`states` away from singular points"
        )
    rate, scale = np.abs(worst[:, 0]), worst[:, 1]
    relative = float(np.max(rate / np.maximum(scale, 1e-300)))
    return Noether(relative <= CONSTANT_TOLERANCE, float(np.max(rate)), relative)


def _rates(system, q, v, t, functions):
    if system.has_offset:  # the offset b(t, q) may depend on time
        v = consistent_velocity(system, q, v, t)
    z = jnp.concatenate([v, acceleration(system, q, v, t)])

    def rates(f):
        d = differential(system, lambda x, u: jnp.ravel(f(x, u)), q, v)
        # Compare f' with the product of norms |df| |(v, a)|, not with the sum of the terms of f':
        # if all terms vanish, that sum is round-off. A function that is constant up to round-off
        # has a gradient that is round-off, too: so |df| is at least a small fraction of |f|.
        slope = jnp.maximum(jnp.linalg.norm(d, axis=1), ROUGH * jnp.abs(jnp.ravel(f(q, v))))
        return jnp.stack([d @ z, slope * jnp.linalg.norm(z)])

    return [rates(f) for f in functions]


__all__ = [
    "Connection",
    "Function",
    "Noether",
    "bracket_matrix",
    "christoffel",
    "covariant_derivative",
    "differential",
    "geodesic_defect",
    "is_geodesically_invariant",
    "jacobiator",
    "lie_bracket",
    "metric_defect",
    "noether_test",
    "noether_tests",
    "nonholonomic_bracket",
    "nonholonomic_christoffel",
    "rate_of_change",
    "symmetric_product",
    "torsion",
]
