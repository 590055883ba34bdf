"""Conserved momenta: combinations f(r) . p of nonholonomic momenta that are constant.

The momenta along a frame E(r) of g^r change by a polynomial in w and p,

    p_i' = Q_i(w, w) + S_i^j(w) p_j + T_i(p, p)                     (4.20) [C02], L quadratic in v

and f(r) . p is constant exactly if f^i Q_i = 0, f^i T_i = 0 and df^j + f^i S_i^j = 0: f is
parallel for the connection S. So f is determined by its value at one shape. The admissible values
are those that satisfy three linear conditions: Q, T and the curvature of S, applied to f, vanish
at each shape.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ... import groupoids
from ...errors import UsageError
from ...groups import Euclidean
from ...linalg import gauss_rule, inverse, rank
from ...system import Point, System, compiled_call
from ..distribution.connection import derivatives, structure
from ..distribution.growth_flag import ROUGH, require_linear, sample_states
from ..distribution.time_dependent import require_autonomous
from .body_frames import BodyFrame, connection_of
from .generators import SINGULAR, Symmetry, admissible_algebra, structure_constants, symmetry_class

_TOLERANCE = 1e-9
_UNCLEAR = 1e3  # values up to 1e3 times the tolerance are inconclusive
_STAGES, _PANELS = 6, (4, 8)  # stages of collocation; two numbers of panels, to estimate the error
_FAR = 16  # panels from the reference to any shape: the error some rad away is 1e-10, with 8 3e-7


# -- a frame from generators alone ----------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Brackets:
    """A Lie algebra given by its structure constants, [e_b, e_c] = c[a][b][c] e_a."""

    constants: tuple[tuple[tuple[float, ...], ...], ...]

    @property
    def dim(self) -> int:
        """Dimension of the algebra."""
        return len(self.constants)

    def ad(self, xi: jax.Array) -> jax.Array:
        """Return the matrix of [xi, .]."""
        return jnp.einsum("abc,b->ac", jnp.asarray(self.constants), xi)


class Slice(BodyFrame):
    """The body frame on a slice through one point, transverse to the orbits; made by `body_frame`.

    The shape r is a vector of coordinates on the slice, where the group element is the identity.
    """

    center: Point
    across: jax.Array  # directions of the slice, (dim, s)
    symmetry: Symmetry = eqx.field(static=True)
    brackets: Brackets = eqx.field(static=True)

    @property
    def group(self) -> Brackets:
        return self.brackets

    @property
    def base(self) -> Euclidean:
        return Euclidean(self.across.shape[1])

    def start(self) -> jax.Array:
        return jnp.zeros(self.shape)

    def origin(self, r):
        system, y = self.system, self.across @ r
        groupoid = system.groupoid
        q = groupoids.move(groupoid, self.center, y)
        rate = jax.vmap(lambda e: groupoid.coordinate_velocity(self.center, y, e), 1, 1)
        along = jnp.linalg.solve(rate(jnp.eye(system.dim)), self.across)
        return q, jnp.concatenate([along, self.symmetry(system, q)], axis=1)


def body_frame(system: System, symmetry: Symmetry, at: Point = None) -> Slice:
    """Return shape, group and momenta near a point, from generators of a symmetry without a chart.

    Used by `kept_section`, and for the momentum equation on a slice through `at` (default: the
    initial data). Raises a `UsageError` if the group is not a symmetry, if the symmetry is
    singular, if generators vanish on the slice, or if the constraint is not A(q) v = 0.
    """
    require_autonomous(system, "a body frame")
    require_linear(system, "a body frame")
    center = system.groupoid.base.check(system.initial()[0] if at is None else at)
    classes = symmetry_class(system, symmetry, sample_states(system, center))
    if classes.kind == SINGULAR or not classes.free:
        raise UsageError(
            f"'{symmetry.name}' is singular or not free near this point of {system.name()}: there "
            "is no slice across its orbits with one group element for each configuration"
        )
    constants = structure_constants(system, symmetry, center)
    sigma = np.asarray(compiled_call(_generators, system, symmetry, center))
    k = sigma.shape[1]
    across = np.linalg.svd(sigma, full_matrices=True)[0][:, k:]
    inside = admissible_algebra(system, symmetry, center)
    outside = np.linalg.svd(inside, full_matrices=True)[0][:, inside.shape[1] :]
    group = Brackets(tuple(tuple(tuple(float(x) for x in y) for y in z) for z in constants))
    return Slice(
        system, jnp.asarray(inside), jnp.asarray(outside), center, jnp.asarray(across), symmetry,
        group,
    )  # fmt: skip


def _generators(system, symmetry, q):
    return symmetry(system, q)


# -- the polynomial of the momentum equation ------------------------------------------------------


class _Local(NamedTuple):
    """The polynomial p_i' = H[i](y, y) of y = (w, p) at one shape, and matrices it is made of."""

    H: jax.Array  # (k, s + k, s + k), symmetric
    turned: jax.Array  # (k, s + k): squared rates of change of the E_i, for each unit vector y
    metric: jax.Array  # kinetic metric on w, with p = 0
    locked: jax.Array  # inertia of the velocities along g^r
    inertia: jax.Array


def _local(frame: BodyFrame, r: Point) -> _Local:
    s = frame.shape
    N, G, E = frame.constraint(r), frame.inertia(r), frame.frame(r)
    lift = jnp.concatenate([jnp.eye(s), -connection_of(s, N, G, E)])
    locked = E.T @ G[s:, s:] @ E
    along = jnp.concatenate([jnp.zeros((s, E.shape[1])), E @ inverse(locked)])
    u = jnp.concatenate([lift, along], axis=1)  # velocities of the unit vectors of (w, p)
    turned = jax.vmap(lambda xi: frame.group.ad(xi) @ E, 1, 2)(u[s:])  # [xi, E_i]
    if s:
        slope = derivatives(groupoids.Pair(frame.base), frame.frame, r)
        turned = turned + slope @ u[:s]  # + dE_i w
    half = 0.5 * jnp.einsum("aix,ay->ixy", turned, (G @ u)[s:])  # (4.20) [C02]
    squares = jnp.einsum("aix,ab,bix->ix", turned, G[s:, s:], turned)
    return _Local(half + jnp.swapaxes(half, 1, 2), squares, lift.T @ G @ lift, locked, G)


class _Terms(NamedTuple):
    """Q, T and curvature at one shape for w and p of unit kinetic energy, and the scale of p."""

    of_shape: jax.Array  # (k, s, s): Q
    of_momentum: jax.Array  # (k, k, k): T
    curvature: jax.Array  # (k, k, s, s): curvature of S, relative to its terms
    other: jax.Array  # dL/dv at v minus the part linear in v, relative
    size: jax.Array  # size of the terms summed in the momentum equation
    scale: jax.Array  # root of the locked inertia: p = scale p_unit


def _mixed(frame: BodyFrame, r: Point) -> jax.Array:
    """Return S[i, b, j] of p_i' = S[i, b, j] w^b p_j + ..."""
    return 2.0 * _local(frame, r).H[:, : frame.shape, frame.shape :]


def _terms(frame: BodyFrame, r: Point) -> _Terms:
    s, found, base = frame.shape, _local(frame, r), groupoids.Pair(frame.base)
    scale = jnp.linalg.cholesky(found.locked)
    shapes = jnp.linalg.inv(jnp.linalg.cholesky(found.metric)).T
    units = jax.scipy.linalg.block_diag(shapes, scale)  # maps unit-energy coordinates to (w, p)
    unit = jnp.linalg.inv(scale)
    H = jnp.einsum("ij,jab,ax,by->ixy", unit, found.H, units, units)
    # size of the terms of H before they cancel; a generator changes at least by a small fraction
    # of itself over a unit of r
    size = jnp.max(jnp.abs(unit) @ jnp.sqrt(found.turned) @ jnp.abs(units))
    size = jnp.maximum(size, ROUGH * jnp.max(jnp.abs(units), initial=0.0))
    S = 2.0 * found.H[:, :s, s:]
    slope = derivatives(base, lambda x: _mixed(frame, x), r) if s else jnp.zeros((*S.shape, 0))
    slope = jnp.einsum("ia,abcd,cj,bx,dy->ijxy", unit, slope, scale, shapes, shapes)
    S = jnp.einsum("ia,abc,cj,bx->ijx", unit, S, scale, shapes)
    after = jnp.einsum("imy,mjx->ijxy", S, S)
    bent = jnp.swapaxes(slope, 2, 3) - slope + after - jnp.swapaxes(after, 2, 3)
    if s:  # then shape space is not a point, and the brackets of its frame count
        turns = jnp.einsum("zd,dbc,bx,cy->zxy", inverse(shapes), structure(base, r), shapes, shapes)
        bent = bent - jnp.einsum("ijz,zxy->ijxy", S, turns)
    whole = jnp.maximum(jnp.max(jnp.abs(slope), initial=0.0), jnp.max(jnp.abs(S), initial=0.0) ** 2)
    bent = bent / jnp.maximum(whole, ROUGH * size**2)
    u = jnp.cos(1.0 + jnp.arange(frame.system.dim))  # a generic direction
    quadratic = found.inertia @ u
    other = jnp.max(jnp.abs(frame.full_momentum(r, u) - quadratic)) / jnp.max(jnp.abs(quadratic))
    return _Terms(H[:, :s, :s], H[:, s:, s:], bent, other, size, scale)


# -- parallel transport of f ----------------------------------------------------------------------


@functools.cache
def _tableau() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return nodes, weights and matrix of the collocation method."""
    nodes, weights = gauss_rule(_STAGES)
    powers = np.arange(_STAGES)
    values = nodes[:, None] ** powers
    upto = nodes[:, None] ** (powers + 1) / (powers + 1)
    return nodes, weights, upto @ np.linalg.inv(values)


def _panel(frame: BodyFrame, start: Point, x: jax.Array) -> jax.Array:
    """Return P with f(start exp(x)) = f(start) P, where df + f S = 0 on the ray; by collocation."""
    base, k = frame.base, frame.momenta
    nodes, weights, upto = map(jnp.asarray, _tableau())

    def along(time):
        return jnp.einsum("ibj,b->ij", _mixed(frame, base.mul(start, base.exp(time * x))), x)

    S = jax.vmap(along)(nodes)
    blocks = jnp.einsum("ij,jba->iajb", upto, S).reshape(_STAGES * k, _STAGES * k)
    ones = jnp.tile(jnp.eye(k), (_STAGES, 1))
    stages = jnp.linalg.solve(jnp.eye(_STAGES * k) + blocks, ones).reshape(_STAGES, k, k)
    return jnp.eye(k) - jnp.einsum("j,jba,jbc->ca", weights, S, stages)


def _transports(
    frame: BodyFrame, starts: Point, x: jax.Array, panels: tuple[int, ...]
) -> list[jax.Array]:
    """Return P along the stacked rays start exp(x), (rays, k, k), for each number of panels."""
    base = frame.base
    begins = np.concatenate([np.arange(n) / n for n in panels])
    lengths = np.concatenate([np.full(n, 1.0 / n) for n in panels])

    def one(start, y, a, h):
        return _panel(frame, base.mul(start, base.exp(a * y)), h * y)

    # nested vmap, so that all panels of all rays are traced once
    each = jax.vmap(jax.vmap(one, (0, 0, None, None)), (None, None, 0, 0))
    parts = jnp.split(each(starts, x, begins, lengths), np.cumsum(panels)[:-1])
    return [functools.reduce(jnp.matmul, list(P)) for P in parts]


# -- the verdict ----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class KeptSection:
    """Combinations f(r) . p of the nonholonomic momenta that are conserved, near a shape.

    `count` is the number of independent f, at most `momenta`. `factors(r)` returns f as rows
    (count, momenta). If a chart defines r, `integral(q, v)` returns the values f . p, (count,).
    `quadratic`, `growth` and `curvature` are the largest relative values of Q, T and the curvature
    of S on f: each vanishes if all momenta are conserved. Around a circle of shapes f may be
    multivalued.
    """

    verdict: str  # "yes", "in part", "no", "inconclusive" or "does not apply"
    reason: str
    momenta: int
    count: int = 0
    quadratic: float = float("nan")
    growth: float = float("nan")
    curvature: float = float("nan")
    factors: Callable[[Point], jax.Array] | None = None
    integral: Callable[[Point, jax.Array], jax.Array] | None = None

    def __str__(self) -> str:
        text = f"{self.verdict}: {self.reason}" if self.reason else self.verdict
        return f"momenta kept with factors of the shape: {text} ({self.count} of {self.momenta})"


def kept_section(frame: BodyFrame, *, at: Point = None, samples: int = 12) -> KeptSection:
    """Find all factors f(r) for which f(r) . p is conserved, for any number of momenta.

    `frame` is the result of `general_reduction`, or of `body_frame`. The search covers all f that
    depend on the shape alone, near `at` (default: the reference shape); the verdict "no" means
    that no such f exists. For the free particle f . p is x' sqrt(1 + y^2), up to a constant.
    """
    k, s = frame.momenta, frame.shape

    def refused(why: str) -> KeptSection:
        return KeptSection("does not apply", why, k)

    if k == 0:
        return refused("no generator is admissible: there is no momentum")
    if frame.system.has_force:
        return refused("an external force acts")
    tied = jax.eval_shape(frame.constraint, frame.base.identity()).shape[0]
    if tied > frame.group.dim - k:
        return refused("the constraint ties the velocities of the shape among themselves")
    center = frame.start() if at is None else frame.base.check(at, "at")
    shifts = 0.4 * np.random.default_rng(5).normal(size=(samples, s))
    shifts[0] = 0.0
    look = compiled_call(_look, frame, center, shifts)
    terms, rays = jax.tree.map(np.asarray, look)
    if not all(np.all(np.isfinite(x)) for x in (*terms, *rays)):
        raise UsageError("the momentum equation is not finite at a sampled shape; give `at`")
    if float(np.max(terms.other)) > _TOLERANCE:
        return refused("L has terms linear in v, or of higher degree than two")
    at_start = np.linalg.inv(terms.scale[0])
    size = terms.size[:, None, None, None]  # defects at a shape are relative to the terms there

    def judged(P: np.ndarray) -> list[np.ndarray]:
        carried = at_start @ P @ terms.scale  # from f at `at` to f at the samples
        parts = terms.of_shape / size, terms.of_momentum / size, terms.curvature
        return [np.einsum("sab,sb...->as...", carried, x).reshape(k, -1) for x in parts]

    fine = judged(rays[1])
    apart, length = (np.max(np.abs(x), axis=(1, 2)) for x in (rays[0] - rays[1], rays[1]))
    error = float(np.max(apart / np.maximum(length, 1e-300)))
    quadratic, growth, curvature = (float(np.max(np.abs(x), initial=0.0)) for x in fine)
    result = KeptSection("no", "", k, 0, quadratic, growth, curvature)
    whole = np.concatenate(fine, axis=1)
    left, values, _ = np.linalg.svd(whole, full_matrices=True)
    values = np.concatenate([values, np.zeros(k - len(values))])
    unclear = np.any((values > _TOLERANCE) & (values < _UNCLEAR * _TOLERANCE))
    if error > _TOLERANCE or unclear:
        why = (
            f"the shapes are too far apart for the transport, whose error is {error:.0e}"
            if error > _TOLERANCE
            else "what is left is neither round-off nor clearly more"
        )
        return dataclasses.replace(result, verdict="inconclusive", reason=why)
    count = int(np.sum(values <= _TOLERANCE))
    if count == 0:
        return dataclasses.replace(result, reason=_blame(fine))
    rows = left[:, k - count :].T @ at_start
    rows = rows * np.sign(rows[np.arange(count), np.argmax(np.abs(rows), axis=1)])[:, None]
    if count == k:  # all of f is conserved: choose f = identity at the reference shape
        rows = np.eye(k)
    factors = jax.jit(functools.partial(_factors, frame, center, jnp.asarray(rows)))
    verdict, why = ("yes", "") if count == k else ("in part", _blame(fine))
    return dataclasses.replace(
        result,
        verdict=verdict,
        reason=why,
        count=count,
        factors=factors,
        integral=frame.conserved(factors),
    )


def _blame(parts: list[np.ndarray]) -> str:
    """Name the conditions that no f, or not every f, satisfies."""
    texts = (
        "p' has terms without p",
        "p' has terms in p p",
        "p' = S(w) p with S of some curvature",
    )
    dimension = [text for text, x in zip(texts, parts) if rank(x, _TOLERANCE, size=1.0)]
    return " and ".join(dimension) + ": no factor of the shape removes them"


def _look(frame: BodyFrame, center: Point, shifts: jax.Array):
    """Return the terms at all sampled shapes, and the transports to them for each panel count."""
    base = frame.base
    points = jax.vmap(lambda x: base.mul(center, base.exp(x)))(shifts)
    begins = jax.tree.map(lambda x: jnp.broadcast_to(x, (len(shifts), *x.shape)), center)
    return jax.vmap(lambda r: _terms(frame, r))(points), _transports(frame, begins, shifts, _PANELS)


def _factors(frame: BodyFrame, center: Point, rows: jax.Array, r: Point) -> jax.Array:
    base = frame.base
    x = base.log(base.mul(base.inv(center), r))
    start = jax.tree.map(lambda y: jnp.asarray(y)[None], center)
    return rows @ _transports(frame, start, x[None], (_FAR,))[0][0]


__all__ = ["KeptSection", "Slice", "body_frame", "kept_section"]
