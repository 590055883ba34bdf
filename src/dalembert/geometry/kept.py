"""Momenta that are kept after all: sections of g^q with factors that depend on the shape.

The momenta along a frame E(r) of g^r change by a polynomial in w and p,

    p_i' = Q_i(w, w) + S_i^j(w) p_j + T_i(p, p)                     (4.20) [C02], L quadratic in v

and f(r) . p is constant exactly if f^i Q_i = 0, f^i T_i = 0 and df^j + f^i S_i^j = 0: f is
parallel for the connection S. So it is known by its value at one shape, and the values that serve
are what three linear conditions leave: Q and T at each shape, and holonomy around each loop.
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

from .. import groupoids
from ..errors import UsageError
from ..groups import Euclidean
from ..linalg import gauss_rule, rank
from ..system import Point, System, compiled_call
from .connection import derivatives
from .distribution import ROUGH, require_linear, sample_states
from .general import BodyFrame, Reduction
from .symmetry import SINGULAR, Symmetry, admissible_algebra, structure_constants, symmetry_class
from .timed import require_autonomous

_TOLERANCE = 1e-9
_UNCLEAR = 1e3  # times the tolerance: numbers between the two decide nothing
_STAGES, _PANELS = 6, (4, 8)  # of the transport, twice: their difference is its error


# -- a frame from generators alone ----------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Brackets:
    """A Lie algebra by its constants, [e_b, e_c] = c[a][b][c] e_a."""

    constants: tuple[tuple[tuple[float, ...], ...], ...]

    @property
    def dim(self) -> int:
        """Dimension of the algebra."""
        return len(self.constants)

    def ad(self, xi: jax.Array) -> jax.Array:
        """Matrix of [xi, .]."""
        return jnp.einsum("abc,b->ac", jnp.asarray(self.constants), xi)


class Slice(BodyFrame):
    """The body frame on a slice through one point, across the orbits; made by `body_frame`.

    The shape r are coordinates of the slice, the identity of the group is on it.
    """

    center: Point
    across: jax.Array  # (dim, s)
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
    """Shape, group and momenta near a point, from the generators of a symmetry: no chart needed.

    For `kept_section`, and for the momentum equation on a slice through `at` (default: the initial
    data). Refused: what is no symmetry, a singular one, generators that vanish on the slice, and
    constraints that are not A(q) v = 0.
    """
    require_autonomous(system, "a body frame")
    require_linear(system, "a body frame")
    center = system.groupoid.base.check(system.initial()[0] if at is None else at)
    found = symmetry_class(system, symmetry, sample_states(system, center))
    if found.kind == SINGULAR or not found.free:
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


class _Terms(NamedTuple):
    """At one shape, for w and p of unit kinetic energy: what should vanish, and the scale of p."""

    of_shape: jax.Array  # (k, s, s): Q
    of_momentum: jax.Array  # (k, k, k): T
    linear: jax.Array  # what a quadratic L does not give
    size: jax.Array  # of the terms that the momentum equation sums up
    scale: jax.Array  # root of the locked inertia: p = scale p_unit


def _rate(frame: BodyFrame, r: Point) -> Callable[[jax.Array], jax.Array]:
    """p' at (w, p), given as one array."""
    s = frame.shape
    return lambda y: frame.momentum_rate(r, frame.velocity(r, y[:s], y[s:]))


def _terms(frame: BodyFrame, r: Point) -> _Terms:
    """All of p' by polarization: it is a polynomial."""
    s, n = frame.shape, frame.shape + frame.momenta
    G, E, A = frame.inertia(r), frame.frame(r), frame.connection(r)
    lift = jnp.concatenate([jnp.eye(s), -A])
    locked = jnp.linalg.cholesky(frame.locked_inertia(r))
    shapes = jnp.linalg.inv(jnp.linalg.cholesky(lift.T @ G @ lift)).T
    units = jax.scipy.linalg.block_diag(shapes, locked)  # to w and p, as columns
    unit = jnp.linalg.inv(locked)
    first, second = np.triu_indices(n)
    eye = jnp.eye(n)
    points = jnp.concatenate([eye, -eye, eye[first] + eye[second]])  # one batch: traced once
    values = jax.vmap(lambda y: unit @ _rate(frame, r)(units @ y))(points)
    plus, minus, sums = jnp.split(values, [n, 2 * n])
    single, linear = 0.5 * (plus + minus), 0.5 * (plus - minus)
    mixed = 0.5 * (sums - (single + linear)[first] - (single + linear)[second])
    H = jnp.zeros((n, n, frame.momenta)).at[first, second].set(mixed).at[second, first].set(mixed)
    H = jnp.moveaxis(H, 2, 0)
    # before they cancel: the length of what the generators become, for velocities of unit length
    slope = jnp.zeros((*E.shape, 0))
    if s:
        slope = derivatives(groupoids.Pair(frame.base), frame.frame, r)

    def turned(y):
        u = frame.velocity(r, *jnp.split(units @ y, [s]))
        columns = (frame.group.ad(u[s:]) @ E + slope @ u[:s]) @ unit.T
        return jnp.max(jnp.sum(columns * (G[s:, s:] @ columns), axis=0))

    size = jnp.sqrt(jnp.max(jax.vmap(turned)(eye)))
    size = jnp.maximum(size, ROUGH * jnp.max(jnp.abs(units), initial=0.0))
    return _Terms(H[:, :s, :s], H[:, s:, s:], jnp.max(jnp.abs(linear)), size, locked)


# -- parallel transport of f ----------------------------------------------------------------------


@functools.cache
def _tableau() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes, weights, and integrals of the polynomials of collocation up to each node."""
    nodes, weights = gauss_rule(_STAGES)
    powers = np.arange(_STAGES)
    values = nodes[:, None] ** powers
    upto = nodes[:, None] ** (powers + 1) / (powers + 1)
    return nodes, weights, upto @ np.linalg.inv(values)


def _panel(frame: BodyFrame, start: Point, x: jax.Array) -> jax.Array:
    """P with f(start exp(x)) = f(start) P: df + f S = 0 along a short ray, by collocation."""
    base, s, k = frame.base, frame.shape, frame.momenta
    nodes, weights, upto = map(jnp.asarray, _tableau())

    def mixed(time):  # S(x), of which p' has S(w) p
        rate = _rate(frame, base.mul(start, base.exp(time * x)))
        w = jnp.concatenate([x, jnp.zeros(k)])
        units = jnp.concatenate([jnp.zeros((k, s)), jnp.eye(k)], axis=1)
        values = jax.vmap(rate)(jnp.concatenate([w[None], units, w[None] + units]))
        return (values[1 + k :] - values[1 : 1 + k] - values[:1]).T

    S = jax.vmap(mixed)(nodes)
    blocks = jnp.einsum("ij,jba->iajb", upto, S).reshape(_STAGES * k, _STAGES * k)
    ones = jnp.tile(jnp.eye(k), (_STAGES, 1))
    stages = jnp.linalg.solve(jnp.eye(_STAGES * k) + blocks, ones).reshape(_STAGES, k, k)
    return jnp.eye(k) - jnp.einsum("j,jba,jbc->ca", weights, S, stages)


def _transports(
    frame: BodyFrame, starts: Point, x: jax.Array, panels: tuple[int, ...]
) -> list[jax.Array]:
    """P along the rays start exp(x), stacked, for each number of panels: (rays, k, k) each."""
    base = frame.base
    begins = np.concatenate([np.arange(n) / n for n in panels])
    lengths = np.concatenate([np.full(n, 1.0 / n) for n in panels])

    def one(start, y, a, h):
        return _panel(frame, base.mul(start, base.exp(a * y)), h * y)

    # one trace for all panels of all rays
    each = jax.vmap(jax.vmap(one, (0, 0, None, None)), (None, None, 0, 0))
    parts = jnp.split(each(starts, x, begins, lengths), np.cumsum(panels)[:-1])
    return [functools.reduce(jnp.matmul, list(P)) for P in parts]


# -- the verdict ----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class KeptSection:
    """Combinations f(r) . p of the nonholonomic momenta that are constant, near a shape.

    `count` of `momenta` are; `factors(r)` has them as rows (count, momenta), and
    `integral(q, v)` are their values (count,), where a chart says what r is. `quadratic`, `growth`
    and `holonomy` are what Q, T and loops of shapes leave of all of f, relative: each vanishes
    where all momenta are kept. Around a circle of shapes f may have many values.
    """

    verdict: str  # "yes", "in part", "no", "inconclusive" or "does not apply"
    reason: str
    momenta: int
    count: int = 0
    quadratic: float = float("nan")
    growth: float = float("nan")
    holonomy: float = float("nan")
    factors: Callable[[Point], jax.Array] | None = None
    integral: Callable[[Point, jax.Array], jax.Array] | None = None

    def __str__(self) -> str:
        told = f"{self.verdict}: {self.reason}" if self.reason else self.verdict
        return f"momenta kept with factors of the shape: {told} ({self.count} of {self.momenta})"


def kept_section(frame: BodyFrame, *, at: Point = None, samples: int = 12) -> KeptSection:
    """Look for factors f(r) with f(r) . p constant, for any number of momenta.

    `frame` is a `general_reduction`, or a `body_frame` of a symmetry's generators. All f that
    depend on the shape alone are found, near `at` (default: the shape of reference); "no" says
    that none of those serves. For the free particle f . p is x' sqrt(1 + y^2), up to a constant.
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
    terms, rays, loops = jax.tree.map(np.asarray, look)
    if not all(np.all(np.isfinite(x)) for x in (*terms, *rays, *loops)):
        raise UsageError("the momentum equation is not finite at a sampled shape; give `at`")
    size = float(np.max(terms.size))
    if float(np.max(terms.linear)) > _TOLERANCE * size:
        return refused("L has terms linear in v, or of higher degree than two")
    at_start = np.linalg.inv(terms.scale[0])

    def scaled(P: np.ndarray) -> np.ndarray:  # on f of unit length
        return at_start @ P @ terms.scale

    def judged(P: np.ndarray, around: np.ndarray) -> list[np.ndarray]:
        carried, loop = scaled(P), scaled(around)
        along = [np.einsum("sab,sbij->asij", carried, x) / size for x in terms[:2]]
        return [x.reshape(k, -1) for x in (*along, np.moveaxis(loop, 0, 1))]

    coarse, fine = (judged(P, around) for P, around in zip(rays, loops))
    error = max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in zip(coarse, fine))
    quadratic, growth, holonomy = (float(np.max(np.abs(x), initial=0.0)) for x in fine)
    found = KeptSection("no", "", k, 0, quadratic, growth, holonomy)
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
        return dataclasses.replace(found, verdict="inconclusive", reason=why)
    count = int(np.sum(values <= _TOLERANCE))
    if count == 0:
        return dataclasses.replace(found, reason=_blame(fine))
    rows = left[:, k - count :].T @ at_start
    rows = rows * np.sign(rows[np.arange(count), np.argmax(np.abs(rows), axis=1)])[:, None]
    if count == k:  # each of them as it is at the shape of reference
        rows = np.eye(k)
    factors = functools.partial(_factors, frame, center, jnp.asarray(rows))
    integral = None
    if isinstance(frame, Reduction):
        integral = functools.partial(_integral, frame, factors)
    verdict, why = ("yes", "") if count == k else ("in part", _blame(fine))
    return dataclasses.replace(
        found, verdict=verdict, reason=why, count=count, factors=factors, integral=integral
    )


def _blame(parts: list[np.ndarray]) -> str:
    """Which of the conditions no f, or not all of them, satisfies."""
    texts = (
        "p' has terms without p",
        "p' has terms in p p",
        "p' = S(w) p with S of some curvature",
    )
    found = [text for text, x in zip(texts, parts) if rank(x, _TOLERANCE, size=1.0)]
    return " and ".join(found) + ": no factor of the shape removes them"


def _look(frame: BodyFrame, center: Point, shifts: jax.Array):
    """Terms at all shapes, and for each accuracy rays to them and loops by two of them."""
    base = frame.base
    points = jax.vmap(lambda x: base.mul(center, base.exp(x)))(shifts)
    ends = jax.tree.map(lambda x: jnp.roll(x, -1, axis=0), points)
    sides = jax.vmap(lambda a, b: base.log(base.mul(base.inv(a), b)))(points, ends)
    terms = jax.vmap(lambda r: _terms(frame, r))(points)
    begins = jax.tree.map(lambda x: jnp.broadcast_to(x, (len(shifts), *x.shape)), center)
    starts = jax.tree.map(lambda *x: jnp.concatenate(x), begins, points)
    found = _transports(frame, starts, jnp.concatenate([shifts, sides]), _PANELS)
    rays, along = zip(*(jnp.split(P, 2) for P in found))
    # back to the shape where the ray ends, so that both are scaled there
    loops = [jnp.roll(P @ side, 1, axis=0) - P for P, side in zip(rays, along)]
    return terms, rays, loops


def _factors(frame: BodyFrame, center: Point, rows: jax.Array, r: Point) -> jax.Array:
    base = frame.base
    x = base.log(base.mul(base.inv(center), r))
    start = jax.tree.map(lambda y: jnp.asarray(y)[None], center)
    return rows @ _transports(frame, start, x[None], _PANELS[-1:])[0][0]


def _integral(frame: Reduction, factors, q: Point, v: jax.Array) -> jax.Array:
    r, _, u = frame.split(q, v)
    return factors(r) @ frame.momentum(r, u)


__all__ = ["KeptSection", "Slice", "body_frame", "kept_section"]
