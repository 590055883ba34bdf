"""Invariant measures of systems with linear or affine constraints, Chaplygin or not.

The reference volume on the states of the constraint D is that of the kinetic metric, on Q and on
the fibres of D. The motion changes it at the rate b(v), linear in v:

    b(X) = tr((1 - P) nabla X) = -g(X, H),    H = P sum nabla_N N            for X in D

with N an orthonormal frame of the complement of D and P the projector onto D: H is the mean
curvature of the complement. A density exp f(q) of this volume is invariant exactly if df = -b on D
(Fedorov, Garcia-Naranjo and Marrero 2015; on a Lie algebra Kozlov 1988, where the condition is b =
0). For a purely kinetic L it suffices to consider densities of q: if any smooth density is
invariant, so is its part of degree zero in v. Modulo a group of symmetries that is unimodular f is
invariant, too: df = 0 along the orbits.

So the one-form df is prescribed on D and on the orbits. If these span the tangent space, df is
determined and must be closed. Otherwise brackets of the fields are added, whose values follow.
Systems on a Lie algebra or an action of a group (`LieGroup`, `Action`, `Reduced`) are treated the
same way, with the volume of coordinates on the base.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...compile.function import compiled_rows
from ...dynamics import linear_constraint, linear_offset, metric, momentum
from ...errors import UsageError
from ...groupoids import LieGroup, Pair, Reduced
from ...groups import Euclidean
from ...linalg import gauss_rule, rank
from ...system import Point, System, compiled_call
from ..distribution.connection import derivatives, structure
from ..distribution.growth_flag import (
    LATER,
    ROUGH,
    ROUND_OFF,
    local_frame,
    require_full_rank,
    require_linear,
    sample_states,
)
from ..symmetry.generators import Symmetry, require_symmetry, structure_constants
from .reduced_measure import FORCED, NOT_QUADRATIC, told
from .steady_motion import SteadyMotion, trace_test

_CLOSED, _OPEN = 1e-9, 1e-6  # relative thresholds; values between the two are inconclusive
TIMED = "L or the constraint depends on time"
_RULE = (16, 4)  # Gauss nodes per panel and panels of the line integrals


@dataclasses.dataclass(frozen=True)
class PhaseMeasure:
    """Verdict on an invariant measure of the motion on D, or on D modulo a symmetry.

    `consistency` is the largest contradiction among the prescribed values of df, `closedness` the
    largest d(df), both at the worst sample and relative to their terms. `density(q)` is exp f,
    with respect to the volume of the kinetic metric on Q and on the fibres of D; 1 at the origin.
    """

    verdict: str  # "yes", "locally", "no", "inconclusive" or "does not apply"
    reason: str
    consistency: float = float("nan")
    closedness: float = float("nan")
    size: float = float("nan")  # largest |b| for velocities of unit kinetic energy
    degree: int = 0  # degree of the brackets that were needed
    kinetic: bool = True  # whether L is purely kinetic, up to a constant
    samples: int = 0
    periods: tuple[float | None, ...] = ()  # periods of df around angle coordinates
    modulo: str = ""  # name of the symmetry
    density: Callable[[Point], jax.Array] | None = None
    steady: SteadyMotion | None = None  # a steady motion with a nonzero trace

    def __str__(self) -> str:
        of = f" modulo '{self.modulo}'" if self.modulo else ""
        return (
            f"invariant measure{of}: {told(self.verdict, self.reason)}\n"
            f"  rate of the metric's volume {self.size:.2e}, contradiction "
            f"{self.consistency:.1e}, closedness {self.closedness:.1e} (relative) at the worst of "
            f"{self.samples} points, brackets of degree {self.degree}"
        )


def phase_measure(
    system: System,
    symmetry: Symmetry | None = None,
    q: Point = None,
    *,
    degree: int = 2,
    samples: int = 6,
) -> PhaseMeasure:
    """Decide whether the motion on D, or on D modulo `symmetry`, has an invariant measure.

    The constraint is A(q) v = b(q), on R^n or groups, possibly with holonomic rows; no Chaplygin
    reduction is needed. `degree` bounds the brackets of fields in D that are used if D and the
    orbits do not span. The verdict uses samples near q (default: the initial point).

    "yes": a smooth positive density exists near the samples, also with a potential. "no": there is
    none, for a purely kinetic L and a linear constraint. With a potential the trace at steady
    motions (`trace_test`) may exclude every density; otherwise the verdict is "inconclusive".
    "locally": the density is multivalued around a circle.
    """
    result = _refused(system)
    if result is not None:
        return PhaseMeasure("does not apply", result)
    center = system.groupoid.base.check(system.initial()[0] if q is None else q)
    if system.is_constrained:
        require_full_rank(system, center)
    name = ""
    if symmetry is not None:
        _require_unimodular(system, symmetry, center)
        name = symmetry.name
    points = sample_states(system, center, count=samples).q
    plain = _plain(system, points)
    if plain.quadratic > _CLOSED:
        return PhaseMeasure("does not apply", NOT_QUADRATIC, modulo=name)
    if plain.timed:
        return PhaseMeasure("does not apply", TIMED, modulo=name)
    if system.has_force and plain.force > _CLOSED:
        return PhaseMeasure("does not apply", FORCED, modulo=name)
    judged = PhaseMeasure("inconclusive", "", kinetic=plain.kinetic, samples=samples, modulo=name)
    for order in range(1, degree + 1):
        facts = _judge(system, symmetry, plain.affine, points, order)
        judged = dataclasses.replace(
            judged,
            consistency=facts.consistency,
            closedness=facts.closedness,
            size=facts.size,
            degree=order,
        )
        if facts.verdict == "no":
            return _excluded(judged, system, symmetry, center, plain)
        if facts.verdict == "spans" or facts.verdict == "unclear":
            break
    else:
        why = f"brackets up to degree {degree} do not span: raise `degree`, or give a symmetry"
        return dataclasses.replace(judged, reason=why)
    if facts.verdict == "unclear":
        return dataclasses.replace(judged, reason="what is left is neither round-off nor more")
    form = _Form(system, symmetry, plain.affine, judged.degree)
    periods = _periods(system, form, center)
    density = functools.partial(_density, form, center)
    whole = any(p is not None and abs(p) > 1e-8 * max(facts.covector, 1e-8) for p in periods)
    verdict = "locally" if whole else "yes"
    why = "the density has many values around an angle" if whole else ""
    return dataclasses.replace(
        judged, verdict=verdict, reason=why, periods=periods, density=density
    )


def _refused(system: System) -> str | None:
    """Return the reason why the theorem does not apply to the system, or None."""
    if system.is_nonlinear:
        return "the constraint is not linear in v"
    if system.has_time or system.has_timed_constraint:
        return TIMED
    base = system.groupoid.base
    if isinstance(system.groupoid, Pair | Reduced | LieGroup) or isinstance(base, Euclidean):
        return None
    return f"no volume is known on the base of {system.groupoid!r}"


def _require_unimodular(system: System, symmetry: Symmetry, q: Point) -> None:
    require_linear(system, "a measure modulo a symmetry", affine=True)
    if not isinstance(system.groupoid, Pair):
        raise UsageError(f"{system.name()} is already reduced: leave out the symmetry")
    require_symmetry(system, symmetry, sample_states(system, q))
    traces = np.einsum("aba->b", structure_constants(system, symmetry, q))
    if np.max(np.abs(traces), initial=0.0) > 1e-8:
        raise UsageError(f"the group of '{symmetry.name}' is not unimodular (tr ad = {traces})")


def _excluded(
    judged: PhaseMeasure, system: System, symmetry: Symmetry | None, q: Point, plain: _Plain
) -> PhaseMeasure:
    """Return the verdict if no density of q alone is invariant."""
    if plain.kinetic and not plain.affine:
        return dataclasses.replace(judged, verdict="no")
    what = "a potential" if not plain.kinetic else "an affine constraint"
    why = f"with {what} this excludes only densities of q alone"
    try:
        trace = trace_test(system, symmetry, q)
    except UsageError:
        return dataclasses.replace(judged, reason=why)
    if trace.verdict != "no":
        return dataclasses.replace(judged, reason=why)
    worst = max(trace.motions, key=lambda x: abs(x.share))
    said = f"at a steady motion the trace is {worst.text()}"
    return dataclasses.replace(judged, verdict="no", reason=said, steady=worst)


# -- the one-form --------------------------------------------------------------------------------


class _Prescribed(NamedTuple):
    """Fields on the base as columns, values of df along them, and the largest of their terms."""

    fields: jax.Array  # (dim of base, r)
    values: jax.Array  # (r,)
    sizes: jax.Array  # (r,)


def _anchored(system: System, q: Point, v: jax.Array) -> jax.Array:
    """Return the velocity of the base point for the fibre velocity v, in the frame of the base."""
    groupoid = system.groupoid
    if isinstance(groupoid, Pair):
        return v
    if isinstance(groupoid, Reduced):
        return v[: groupoid.base.dim]
    if isinstance(groupoid, LieGroup):
        return jnp.zeros(0)
    return groupoids.directional(groupoid, lambda x: x, q, v)


def _leaf_frame(system: System, center: Point) -> Callable[[Point], jax.Array]:
    """Return columns, smooth near `center`, that span the tangent space of the holonomic leaf."""
    if not system.has_holonomic:
        return lambda q: jnp.eye(system.dim)
    k = jax.eval_shape(system.holonomic, center).shape[0]
    basis = jnp.linalg.svd(linear_constraint(system, center)[:k], full_matrices=True)[2].T
    outside, inside = basis[:, :k], basis[:, k:]

    def frame(q: Point) -> jax.Array:
        rows = linear_constraint(system, q)[:k]
        return inside - outside @ jnp.linalg.solve(rows @ outside, rows @ inside)

    return frame


def _traces(system: System, F: Callable, X: jax.Array, dX: jax.Array, q: Point):
    """Return tr nabla X over the span of F for each column of X, and the size of its terms.

    tr_F nabla X = (tr M^-1 X(M))/2 - tr M^-1 F^T G [X, F] with M = F^T G F: half the trace of the
    Lie derivative of the metric. Only first derivatives of frames and metric enter.
    """

    def both(x):
        value, G = F(x), metric(system, x)
        return value, G, value.T @ G @ value

    f, G, M = both(q)
    dF, _, dM = derivatives(system.groupoid, both, q)
    turns = structure(system.groupoid, q)
    back = jnp.linalg.inv(M)

    def total(back, down, terms, sign):
        dM, dF, dX, X, f, turns = terms
        parts = (
            0.5 * jnp.einsum("klb,bj->klj", dM, X),
            sign * jnp.einsum("ka,alb,bj->klj", down, dF, X),
            jnp.einsum("ka,ajb,bl->klj", down, dX, f),
            sign * jnp.einsum("ka,abc,bj,cl->klj", down, turns, X, f),
        )
        return jnp.einsum("lk,klj->j", back, sum(parts))

    terms = dM, dF, dX, X, f, turns
    # the sum with all terms positive: the round-off is proportional to it
    plain = [jnp.abs(x) for x in terms]
    value = total(back, f.T @ G, terms, -1.0)
    return value, total(jnp.abs(back), jnp.abs(f.T) @ jnp.abs(G), plain, 1.0)


def _rates(system: System, columns: Callable, frame: Callable, leaf: Callable, q: Point):
    """Return b(X) = tr((1 - P) nabla X) of the columns X, and the same sums of absolute values.

    The same formula holds for fields in D and for the drift V of an affine constraint: with
    v = F y + V the fibre moves by -F^T G nabla_v v, whose divergence at y = 0 is
    -tr_D(nabla V + nabla_V F), and the volume of the frame F gives + tr_D nabla_V F.
    """
    X, dX = columns(q), derivatives(system.groupoid, columns, q)  # [a, j, b]
    inside, sizes = _traces(system, frame, X, dX, q)
    if isinstance(system.groupoid, Pair):
        spread, others = _traces(system, leaf, X, dX, q)
        return spread - inside, sizes + others
    base = Pair(system.groupoid.base)
    if base.dim == 0:
        return -inside, sizes

    def anchors(x):
        return jax.vmap(lambda v: _anchored(system, x, v), 1, 1)(columns(x))

    spread = jnp.einsum("bjb->j", derivatives(base, anchors, q))
    return spread - inside, sizes + jnp.abs(spread)


def _drift(system: System, q: Point) -> jax.Array:
    """Return V, the velocity of least energy with A v = b."""
    rows = linear_constraint(system, q)
    raised = jnp.linalg.solve(metric(system, q), rows.T)
    return raised @ jnp.linalg.solve(rows @ raised, linear_offset(system, jnp.zeros(()), q))


def _prescribed(
    system: System, symmetry: Symmetry | None, affine: bool, center: Point, q: Point
) -> _Prescribed:
    """Return df along D and along the orbits, in the frame at `center`."""
    frame = local_frame(system, center)

    def columns(x):
        return jnp.column_stack([frame(x), _drift(system, x)]) if affine else frame(x)

    b, sizes = _rates(system, columns, frame, _leaf_frame(system, center), q)
    fields = jax.vmap(lambda v: _anchored(system, q, v), 1, 1)(columns(q))
    if symmetry is not None:
        sigma = symmetry(system, q)
        fields = jnp.concatenate([fields, sigma], axis=1)
        none = jnp.zeros(sigma.shape[1])
        b, sizes = jnp.concatenate([b, none]), jnp.concatenate([sizes, none])
    return _Prescribed(fields, -b, sizes)


def _bracketed(make: Callable[[Point], _Prescribed], base: Pair, q: Point) -> _Prescribed:
    """Add the brackets of all pairs of fields, with the values X(value of Y) - Y(value of X)."""
    result = make(q)
    E, turns = result.fields, structure(base, q)
    slopes = derivatives(base, lambda x: make(x)[:2], q) if base.dim else None
    if slopes is None:
        return result
    dE, dw = slopes  # [a, j, b], [j, b]
    along, rates = jnp.einsum("ajb,bi->aij", dE, E), dw @ E  # rates[j, i] = X_i(w_j)
    brackets = along - jnp.swapaxes(along, 1, 2) + jnp.einsum("abc,bi,cj->aij", turns, E, E)
    i, j = np.triu_indices(E.shape[1], 1)
    # if all rates vanish identically, their round-off is about the rate at which the fields turn
    length = jnp.sum(E**2, axis=0)
    turning = jnp.sum(brackets**2, axis=0) / jnp.sqrt(
        jnp.maximum(jnp.outer(length, length), 1e-300)
    )
    more = _Prescribed(
        brackets[:, i, j],
        rates[j, i] - rates[i, j],
        jnp.abs(rates[j, i])
        + jnp.abs(rates[i, j])
        + result.sizes[i]
        + result.sizes[j]
        + turning[i, j],
    )
    return _Prescribed(
        jnp.concatenate([E, more.fields], axis=1),
        jnp.concatenate([result.values, more.values]),
        jnp.concatenate([result.sizes, more.sizes]),
    )


def _fields(system: System, symmetry: Symmetry | None, affine: bool, center: Point, order: int):
    base = Pair(system.groupoid.base)
    make = functools.partial(_prescribed, system, symmetry, affine, center)
    for _ in range(order - 1):
        make = functools.partial(_bracketed, make, base)
    return make


def _covector(system: System, found: _Prescribed, q: Point) -> jax.Array:
    """Return df from its prescribed values, by least squares; it is zero across the leaf."""
    E = found.fields
    length = jnp.sum(E**2, axis=0)
    plain = length > 1e-20 * jnp.max(length, initial=0.0)  # round-off has no direction
    weights = jnp.where(plain, 1.0 / jnp.where(plain, length, 1.0), 0.0)[None]
    square = (E * weights) @ E.T
    if system.has_holonomic:
        k = jax.eval_shape(system.holonomic, q).shape[0]
        rows = linear_constraint(system, q)[:k]
        rows = rows / jnp.linalg.norm(rows, axis=1, keepdims=True)
        square = square + rows.T @ rows
    return jnp.linalg.solve(square, (E * weights) @ found.values)


@dataclasses.dataclass(frozen=True, eq=False)
class _Form:
    """df as a function of the base point."""

    system: System
    symmetry: Symmetry | None
    affine: bool
    order: int

    def __call__(self, q: Point) -> jax.Array:
        # use the frame made at the point itself, so that df is defined everywhere
        make = _fields(self.system, self.symmetry, self.affine, q, self.order)
        return _covector(self.system, make(q), q)


# -- judging -------------------------------------------------------------------------------------


class _Verdict(NamedTuple):
    verdict: str  # "no", "spans", "more" or "unclear"
    consistency: float
    closedness: float
    size: float
    covector: float


def _judge(
    system: System, symmetry: Symmetry | None, affine: bool, points: Point, order: int
) -> _Verdict:
    values = compiled_call(_looks, system, points, symmetry, affine, order)
    E, w, sizes, gamma, tangent, curl, terms, unit = (np.asarray(x) for x in values)
    if not all(np.all(np.isfinite(x)) for x in (E, w)):
        raise UsageError(
            f"{system.name()}: the measure is not finite at a sampled point; give another q"
        )
    size = float(np.max(unit, initial=0.0))
    worst, spans = 0.0, True
    for k in range(len(E)):
        wanted = tangent[k].shape[1]
        length = np.linalg.norm(E[k], axis=0)
        scale = np.where(
            length > 1e-12 * max(float(np.max(length, initial=0.0)), 1e-300), length, 1
        )
        unit_fields = E[k] / scale
        spans = spans and (rank(unit_fields, 1e-8, size=1.0) if E[k].size else 0) >= wanted
        solved = np.zeros_like(w[k])
        if E[k].size:
            solved = np.linalg.lstsq(unit_fields.T, w[k] / scale, rcond=1e-9)[0] @ E[k]
        miss = np.abs(solved - w[k])
        # a contradiction below ROUND_OFF times the summed terms counts as zero
        natural = np.maximum(np.abs(w[k]) + np.abs(solved), _CLOSED * np.max(sizes[k], initial=0.0))
        natural = np.maximum(natural, 1e-300)
        share = np.where(miss <= ROUND_OFF * (np.max(sizes[k], initial=0.0) + 1e-300), 0.0, miss)
        worst = max(worst, float(np.max(share / natural, initial=0.0)))
    covector = float(np.max(np.abs(gamma), initial=0.0))
    if worst > _OPEN:
        return _Verdict("no", worst, float("nan"), size, covector)
    if worst > _CLOSED:
        return _Verdict("unclear", worst, float("nan"), size, covector)
    if not spans:
        return _Verdict("more", worst, float("nan"), size, covector)
    if not (np.all(np.isfinite(curl)) and np.all(np.isfinite(gamma))):
        raise UsageError(f"{system.name()}: the measure is not finite at a sampled point")
    floor = _CLOSED * np.max(terms, initial=0.0) + ROUND_OFF * np.max(sizes, initial=0.0) / _CLOSED
    closed = float(np.max(np.abs(curl) / np.maximum(terms, max(floor, 1e-300)), initial=0.0))
    verdict = "no" if closed > _OPEN else "spans" if closed <= _CLOSED else "unclear"
    return _Verdict(verdict, worst, closed, size, covector)


def _looks(system, points, symmetry, affine, order):
    return jax.vmap(lambda q: _look(system, q, symmetry, affine, order))(points)


def _look(system, q, symmetry, affine, order):
    make, base = _fields(system, symmetry, affine, q, order), Pair(system.groupoid.base)
    result = make(q)
    n = base.dim
    tangent = jnp.eye(n)
    if system.has_holonomic:
        k = jax.eval_shape(system.holonomic, q).shape[0]
        tangent = jnp.linalg.svd(linear_constraint(system, q)[:k], full_matrices=True)[2][k:].T
    frame = local_frame(system, q)(q)
    d = frame.shape[1]
    speed = jnp.sqrt(jnp.diagonal(frame.T @ metric(system, q) @ frame))
    unit = jnp.max(jnp.abs(result.values[:d]) / jnp.where(speed > 0, speed, 1.0), initial=0.0)
    if n == 0:
        none = jnp.zeros((0, 0))
        return result.fields, result.values, result.sizes, jnp.zeros(0), none, none, none, unit

    def covector(x):
        return _covector(system, make(x), x)

    gamma = covector(q)
    slope = derivatives(base, covector, q)  # [c, b]
    turned = jnp.einsum("a,abc->bc", gamma, structure(base, q))
    curl = tangent.T @ (slope.T - slope - turned) @ tangent
    terms = (
        jnp.abs(tangent).T
        @ (jnp.abs(slope.T) + jnp.abs(slope) + jnp.abs(turned))
        @ jnp.abs(tangent)
    )
    return result.fields, result.values, result.sizes, gamma, tangent, curl, terms, unit


class _Plain(NamedTuple):
    kinetic: bool
    quadratic: float  # size of the terms of L of degree other than 0, 1, 2 in v, relative
    force: float  # largest change of an external force with v, relative
    affine: bool  # whether the constraint has a nonzero right-hand side
    timed: bool  # whether the right-hand side changes with time


def _plain(system: System, points: Point) -> _Plain:
    slopes, sizes, other, force, right, change = (
        np.asarray(x) for x in compiled_rows(_degrees, system, (points,))
    )
    kinetic, affine = bool(np.all(slopes <= 1e-10 * sizes)), bool(np.max(right) > 0.0)
    timed = bool(np.max(change) > _CLOSED * np.max(right))
    return _Plain(kinetic, float(np.max(other)), float(np.max(force)), affine, timed)


def _degrees(system, q):
    v = jnp.cos(1.0 + jnp.arange(system.dim))  # a generic direction
    rest = 0.0 * v
    slope = groupoids.gradient(system.groupoid, lambda x: system.lagrangian(x, rest), q)
    p = [momentum(system, q, s * v) for s in (0.0, 1.0, 2.0)]
    bent = p[2] - 2.0 * p[1] + p[0]
    size = sum(jnp.max(jnp.abs(x)) for x in p) + 1e-300
    force = jnp.zeros(())
    if system.has_force:
        at_rest, moving_force = (
            jnp.stack([system.force(jnp.asarray(t), q, s * v) for t in LATER]) for s in (0.0, 1.0)
        )
        # forces far below the terms of the motion may be round-off of terms that cancel
        whole = jnp.max(jnp.abs(at_rest)) + jnp.max(jnp.abs(moving_force))
        whole = jnp.maximum(whole, ROUGH * size)
        force = jnp.max(jnp.abs(moving_force - at_rest)) / whole
        slope = slope[None] + at_rest
    right = change = jnp.zeros(())
    if system.has_offset:
        sides = jnp.stack([linear_offset(system, jnp.asarray(t), q) for t in LATER])
        right = jnp.max(jnp.abs(sides), initial=0.0)
        change = jnp.max(jnp.abs(sides - sides[:1]), initial=0.0)
    moving = jnp.max(jnp.abs(p[1]))
    return jnp.max(jnp.abs(slope)), moving, jnp.max(jnp.abs(bent)) / size, force, right, change


# -- density and periods -------------------------------------------------------------------------


def _line(form: _Form, start: Point, u: jax.Array) -> jax.Array:
    nodes, weights = map(jnp.asarray, gauss_rule(*_RULE))
    base = form.system.groupoid.base

    def rate(s):
        return form(base.mul(start, base.exp(s * u))) @ u

    return weights @ jax.vmap(rate)(nodes)


@functools.partial(jax.jit, static_argnums=0)
def _logarithm(form: _Form, origin: Point, q: Point) -> jax.Array:
    base = form.system.groupoid.base
    return _line(form, origin, base.log(base.mul(base.inv(origin), q)))


def _density(form: _Form, origin: Point, q: Point) -> jax.Array:
    """Return exp f at q, by a line integral from the origin."""
    q = form.system.groupoid.base.check(q)
    if form.system.groupoid.base.dim == 0:
        return jnp.ones(())
    return jnp.exp(_logarithm(form, origin, q))


def _periods(system: System, form: _Form, q: Point) -> tuple[float | None, ...]:
    """Integrate df around each coordinate of R^n that is an angle in rad, with L periodic in it."""
    base, units = system.groupoid.base, system.units
    if not isinstance(base, Euclidean) or len(units) != base.dim:
        return ()
    around: list[float | None] = []
    for i, unit in enumerate(units):
        if unit != "rad":
            around.append(None)
            continue
        turn = 2.0 * np.pi * np.eye(base.dim)[i]
        around.append(float(_around(form, q, jnp.asarray(turn))))
    return tuple(around)


@functools.partial(jax.jit, static_argnums=0)
def _around(form: _Form, q: Point, turn: jax.Array) -> jax.Array:
    return _line(form, q, turn)


__all__ = ["PhaseMeasure", "phase_measure"]
