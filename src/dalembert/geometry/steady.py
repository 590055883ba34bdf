"""Steady motions, and what the trace at them says of an invariant measure.

A flow z' = X(z) keeps the measure rho dz, rho > 0 and smooth, exactly if div X + X(ln rho) = 0.
Where X vanishes, div X is the trace of the linearized flow, and it must vanish, too: a nonzero
trace excludes every such density. This holds at two kinds of steady motion, along xi_Q of a
one-parameter group of symmetries, with Y = X - xi the flow in the frame that goes along:

* modulo the group. A symmetry group G of L and D reduces the flow to D/G, and a motion along
  xi_Q is an equilibrium there. Hypotheses: G acts freely at it and is unimodular (tr ad_xi = 0);
  then the trace on D/G is that of Y on D.
* along a bounded orbit. ln rho changes at the constant rate -tr Y along the motion, and cannot
  grow on an orbit with compact closure.

The linearization of Y is taken where Y = 0, so that no chart and no volume enters. That the trace
vanishes is necessary, not sufficient.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..compile.function import compiled_rows
from ..dynamics import acceleration, linear_constraint, metric
from ..errors import UsageError
from ..groupoids import Groupoid, Pair
from ..groups import SE, SO, Euclidean, Group, Product
from ..linalg import rank, solve
from ..system import Point, System, compiled_call
from .distribution import ROUGH, adapted_basis, require_linear, sample_states
from .forms import lifted_generators
from .reduction import Chaplygin
from .symmetry import (
    SYMMETRY_TOLERANCE,
    Symmetry,
    lifted,
    require_symmetry,
    structure_constants,
    symmetry_names,
)
from .timed import require_autonomous

# A trace below this part of the largest eigenvalue counts as zero. Where it vanishes it is 1e-15 to
# 1e-12 in the examples; a spinning rattleback has 3e-3, one that spins on its tip 8e-7.
TRACELESS = 1e-7
_STEADY = 1e-9  # what is left of the equations of a steady motion, relative
_ITERATIONS = 60  # of damped Newton steps; from most guesses 5 to 20 do
_ALONG = (0.3, 1.1, 2.3)  # angles further along a bounded motion, where it is tested again


class SteadyMotion(NamedTuple):
    """A motion along a generator, q' = v = xi_Q, and the trace of the linearized flow at it."""

    q: Point
    v: np.ndarray
    xi: np.ndarray  # components in the algebra of the symmetry
    trace: float  # in 1/s: zero for a flow with a smooth invariant measure
    size: float  # largest |eigenvalue|, in 1/s, or a small part of |v| where all are round-off
    defect: float  # how far the motion is from steady, relative

    @property
    def share(self) -> float:
        """The trace as a part of the largest eigenvalue."""
        return self.trace / max(self.size, 1e-300)

    def text(self) -> str:
        """The trace with its size."""
        beside = f"largest eigenvalue {self.size:.3g}, steady to {self.defect:.0e}"
        return f"{self.trace:.3g} 1/s ({beside})"


@dataclasses.dataclass(frozen=True)
class TraceTest:
    """Whether steady motions exclude an invariant measure of the flow modulo a group."""

    verdict: str  # "no" or "inconclusive"
    reason: str
    motions: tuple[SteadyMotion, ...]

    def __str__(self) -> str:
        return f"invariant measure, by steady motions: {self.verdict}: {self.reason}"


def trace_test(
    system: System, symmetry: Symmetry | None = None, q: Point = None, *, count: int = 8
) -> TraceTest:
    """Look for an obstruction to a smooth invariant measure of the motion modulo a symmetry.

    "no" if at one of the `steady_motions` the trace does not vanish, else "inconclusive": the
    test is necessary only. Where G is compact this is about measures of the unreduced motion,
    too. The hypotheses are those of `steady_motions`.
    """
    motions = steady_motions(system, symmetry, q, count=count)
    if not motions:
        return TraceTest("inconclusive", "no steady motion was found", ())
    worst = max(motions, key=lambda x: abs(x.share))
    if abs(worst.share) > TRACELESS:
        return TraceTest("no", f"at a steady motion the trace is {worst.text()}", motions)
    why = f"the trace vanishes at {len(motions)} steady motions: necessary, not sufficient"
    return TraceTest("inconclusive", why, motions)


def steady_motions(
    system: System, symmetry: Symmetry | None = None, q: Point = None, *, count: int = 8
) -> tuple[SteadyMotion, ...]:
    """Motions along generators of a symmetry, near q, each with the trace of the reduced flow.

    Found by Newton's method from `count` states around q (by default around the initial data),
    each at its own kinetic energy; not all of them lead to one. Without `symmetry` they are the
    equilibria of a system that is written on its algebra (`LieGroup`, `Action`), v not zero.

    Needs A(q) v = 0, L(q, v) and no external force; the symmetry must leave L and D as they are,
    have tr ad_xi = 0, and act freely. Each is tested, and a `UsageError` says what fails.
    """
    require_linear(system, "the trace at steady motions")
    require_autonomous(system, "the trace at steady motions")
    if system.has_force:
        raise UsageError(
            f"{system.name()} has an external force: the trace test is about motion without"
        )
    if symmetry is None:
        if isinstance(system.groupoid, Pair) or not isinstance(system.groupoid.base, Euclidean):
            names = ", ".join(symmetry_names(system)) or "none"
            raise UsageError(
                f"{system.name()}: say modulo which symmetry, steady_motions(system, "
                f"Symmetry.of(system, name)); declared: {names}"
            )
    states = sample_states(system, q, count=count)
    if symmetry is not None:
        require_symmetry(system, symmetry, states)
        constants = structure_constants(system, symmetry, q)
        traces = np.einsum("aba->b", constants)
        if np.max(np.abs(traces), initial=0.0) > 1e-8:  # as `structure_constants` rounds
            raise UsageError(
                f"the group of '{symmetry.name}' is not unimodular (tr ad = {traces}): the trace "
                "of the reduced flow is another one"
            )
    v = np.array(states.v)
    if q is None:  # the velocity that the system declares is one of the guesses
        given = np.asarray(system.initial()[1])
        v[0] = given if np.any(given) else v[0]
    found = _judged(system, symmetry, *_newton(system, symmetry, states.q, v))
    return tuple(x for x in found if x and (symmetry is None or _acts_freely(system, symmetry, x)))


def _acts_freely(system: System, symmetry: Symmetry, motion: SteadyMotion) -> bool:
    """Whether the generators are independent at the state, so that states modulo G are smooth."""
    lifts = np.asarray(
        compiled_call(lifted_generators, system, symmetry, motion.q, jnp.asarray(motion.v))
    )
    length = np.linalg.norm(lifts, axis=0)
    return bool(np.all(length > 0)) and rank(lifts / length) == lifts.shape[1]


# -- of a Chaplygin system -------------------------------------------------------------------------


def steady_shapes(
    chaplygin: Chaplygin, r: Point = None, *, count: int = 8
) -> tuple[SteadyMotion, ...]:
    """Steady motions of the reduced flow near r that stay bounded, each with the trace.

    They turn evenly: r(t) = exp(t eta) r. eta is sought among the directions that are bounded,
    circles that `chaplygin` declares and rotations, and that L* does not depend on. That the
    motion is steady, and the trace the same, is tested further along, too.
    """
    turns = _Turns(chaplygin.base, chaplygin.circles)
    if not turns.bounded:
        return ()
    system, base = chaplygin.reduced, chaplygin.base
    states = sample_states(system, r, count=count)
    rows = np.asarray(compiled_rows(_changes, system, tuple(states), turns))
    basis = np.linalg.svd(rows, full_matrices=True)[2]
    kept = basis[rank(rows, SYMMETRY_TOLERANCE, size=1.0) :]
    if not len(kept):
        return ()
    # rounded and with a fixed sign, so that code compiled for one basis serves its neighbors
    kept = np.round(kept * np.sign(kept[range(len(kept)), np.argmax(np.abs(kept), 1)])[:, None], 12)
    symmetry = Symmetry(dataclasses.replace(turns, basis=tuple(map(tuple, kept.tolist()))), "turns")
    q, v, xi = _newton(system, symmetry, states.q, np.asarray(states.v))
    found = _judged(system, symmetry, q, v, xi)
    largest = np.maximum(np.max(np.abs(v), axis=1, keepdims=True), 1e-300)
    for angle in _ALONG:
        later = _turned(base, q, jnp.asarray(angle * v / largest))
        there = _judged(system, symmetry, later, v, xi)
        found = [
            x if x and y and abs(y.trace - x.trace) <= TRACELESS * x.size else None
            for x, y in zip(found, there)
        ]
    return tuple(x for x in found if x is not None)


@functools.partial(jax.jit, static_argnums=0)
def _turned(base: Group, q: Point, w: jax.Array) -> Point:
    """The points q exp(w), stacked."""
    return jax.vmap(lambda x, y: base.mul(x, base.exp(y)))(q, w)


@dataclasses.dataclass(frozen=True)
class _Turns:
    """Left translations of shape space with bounded orbits: circles, and rotations.

    `basis` are the combinations of them that are taken, as rows; all of them by default.
    """

    base: Group
    circles: tuple[float | None, ...]
    basis: tuple[tuple[float, ...], ...] | None = None

    @property
    def bounded(self) -> tuple[int, ...]:
        """Indices of the directions of the algebra that are bounded."""
        factors = self.base.factors if isinstance(self.base, Product) else (self.base,)
        found, start = [], 0
        for factor in factors:
            for i in range(start, start + factor.dim):
                turning = not isinstance(factor, Euclidean) and _rotates(factor, i - start)
                if turning or self.circles[i] is not None:
                    found.append(i)
            start += factor.dim
        return tuple(found)

    def __call__(self, system: System, q: Point) -> jax.Array:
        columns = self.base.Ad(self.base.inv(q))[:, np.asarray(self.bounded, dtype=int)]
        return columns if self.basis is None else columns @ jnp.asarray(self.basis).T


def _changes(system, q, v, turns):
    """How much L* changes along each turn, relative; left-trivialised velocities are constant."""
    slope = groupoids.gradient(system.groupoid, lambda x: system.lagrangian(x, v), q)
    sigma = turns(system, q)
    size = jnp.linalg.norm(slope) * jnp.linalg.norm(sigma)
    # L* changes by about its own size over a unit of length, or less
    size = jnp.maximum(size, ROUGH * jnp.abs(system.lagrangian(q, v)))
    return slope @ sigma / jnp.where(size > 0, size, 1.0)


def _rotates(group: Group, i: int) -> bool:
    """Whether direction i of the algebra generates rotations: of SO(n), or of those in SE(n)."""
    if isinstance(group, type(SO(4))):  # SO(2) and SO(3) are of classes below it
        return True
    return isinstance(group, type(SE(3))) and i >= group.n


# -- Newton's method ------------------------------------------------------------------------------


class _Chart(NamedTuple):
    """Coordinates of the points near one: how many, the point at u, and u' of a velocity there."""

    dim: int
    place: Callable[[jax.Array], Point]
    rate: Callable[[jax.Array, jax.Array], jax.Array]


def _chart(groupoid: Groupoid, q: Point) -> _Chart:
    if isinstance(groupoid, Pair):
        return _Chart(
            groupoid.dim,
            lambda u: groupoids.move(groupoid, q, u),
            lambda u, v: groupoid.coordinate_velocity(q, u, v),
        )
    return _Chart(
        groupoid.base.dim,
        lambda u: q + u,
        lambda u, v: groupoids.directional(groupoid, lambda x: x, q + u, v),
    )


def _newton(
    system: System, symmetry: Symmetry | None, q: Point, v: np.ndarray
) -> tuple[Point, np.ndarray, np.ndarray]:
    """(q, v, xi) that damped Newton steps for steady motions reach from the states, stacked.

    The unknowns are the point and xi, with v = xi_Q; v itself where there is no symmetry. Each
    guess stays at its own kinetic energy, so that none falls to rest.
    """
    sigma = np.asarray(compiled_rows(_generators, system, (q,), symmetry))
    n = _chart(system.groupoid, jax.tree.map(lambda x: x[0], q)).dim
    xi = np.stack([np.linalg.lstsq(s, x, rcond=None)[0] for s, x in zip(sigma, v)])
    count, still = len(v), np.zeros((len(v), n))
    level, *_ = _look(system, symmetry, q, still, xi, np.ones(count))
    level = np.where(level > 0.0, level, 1.0)
    _, q, F, J = _look(system, symmetry, q, still, xi, level)
    damping = np.full(count, 1e-3)
    for _ in range(_ITERATIONS):
        square = np.einsum("sab,sac->sbc", J, J)
        largest = np.max(np.einsum("sbb->sb", square), axis=1) + 1e-300
        square = square + (damping * largest)[:, None, None] * np.eye(J.shape[2])
        step = -np.linalg.solve(square, np.einsum("sab,sa->sb", J, F)[..., None])[..., 0]
        _, near, F1, J1 = _look(system, symmetry, q, step[:, :n], xi + step[:, n:], level)
        better = np.linalg.norm(F1, axis=1) < np.linalg.norm(F, axis=1)
        damping = np.where(better, np.maximum(0.1 * damping, 1e-15), 10.0 * damping)
        q = jax.tree.map(functools.partial(_chosen, better), q, near)
        xi = xi + np.where(better[:, None], step[:, n:], 0.0)
        F, J = np.where(better[:, None], F1, F), np.where(better[:, None, None], J1, J)
        if np.all((np.linalg.norm(F, axis=1) < 1e-14) | (damping > 1e8)):
            break
    sigma = np.asarray(compiled_rows(_generators, system, (q,), symmetry))
    return q, np.einsum("snk,sk->sn", sigma, xi), xi


def _chosen(better: np.ndarray, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    return np.where(better.reshape(-1, *[1] * (np.ndim(old) - 1)), new, old)


def _generators(system, q, symmetry):
    """Columns that v is made of: the generators, or all directions where there is no symmetry."""
    return jnp.eye(system.dim) if symmetry is None else symmetry(system, q)


def _look(system, symmetry, q, u, xi, level):
    """Energies, moved points, equations and Jacobians; where these are not finite, infinite."""
    energy, q, F, J = compiled_rows(_equations, system, (q, u, xi, level), symmetry)
    F, J, q = np.asarray(F), np.asarray(J), jax.tree.map(np.asarray, q)
    good = np.asarray(np.isfinite(F).all(axis=1) & np.isfinite(J).all(axis=(1, 2)))
    F = np.where(good[:, None], F, np.inf)
    return np.asarray(energy), q, F, np.where(good[:, None, None], J, 0.0)


def _equations(system, q, u, xi, level, symmetry):
    """Kinetic energy, moved point, and the equations of a steady motion with their Jacobian.

    All in the kinetic metric, relative to the speed of the level: accelerations are in 1/s.
    """
    here = _chart(system.groupoid, q).place(u)
    dim, place, rate = _chart(system.groupoid, here)
    speed = jnp.sqrt(2.0 * level)

    def F(z):
        w, xi = z[:dim], z[dim:]
        x = place(w)
        X = symmetry.field(system, xi) if symmetry is not None else None
        v, G = (xi if X is None else X(x)), metric(system, x)
        rows = linear_constraint(system, x)
        rows = rows / (jnp.linalg.norm(rows, axis=1, keepdims=True) + 1e-300)
        turned = acceleration(system, x, v)
        turned = turned if X is None else turned - lifted(system, X, x, v)
        energy = 0.5 * v @ G @ v
        parts = [
            rate(w, v) if X is None else jnp.zeros(0),  # else q' = v = xi_Q already
            jnp.linalg.cholesky(G).T @ turned / speed,
            rows @ v / speed,
            jnp.ravel(system.holonomic(x)) if system.has_holonomic else jnp.zeros(0),
            jnp.reshape(energy / level - 1.0, (1,)),
        ]
        value = jnp.concatenate(parts)
        return value, (value, energy)

    J, (value, energy) = jax.jacfwd(F, has_aux=True)(jnp.concatenate([jnp.zeros(dim), xi]))
    return energy, here, value, J


def _judged(
    system: System, symmetry: Symmetry | None, q: Point, v: np.ndarray, xi: np.ndarray
) -> list[SteadyMotion | None]:
    """The states (stacked) as steady motions with their traces, None where they are not."""
    rows = q, jnp.asarray(v), jnp.asarray(xi)
    A, rest, speed, leaf, off = (
        np.asarray(x) for x in compiled_rows(_linearized, system, rows, symmetry)
    )
    out: list[SteadyMotion | None] = []
    for i in range(len(v)):
        out.append(None)
        if not (np.all(np.isfinite(A[i])) and np.all(np.isfinite(rest[i])) and speed[i] > 0):
            continue
        flow = A[i]
        if leaf.shape[1]:  # u is confined to the leaf of the holonomic functions
            n, m = leaf.shape[2], leaf.shape[1]
            inside = np.eye(len(flow))[:, m:]
            inside[:n, : n - m] = np.linalg.svd(leaf[i])[2][m:].T
            flow = inside.T @ flow @ inside
        # eigenvalues that are round-off are not divided by: the flow changes over a unit of q
        fast, largest = float(np.linalg.norm(v[i])), np.abs(np.linalg.eigvals(flow))
        size = max(float(np.max(largest, initial=0.0)), ROUGH * fast)
        left = float(np.max(np.abs(rest[i]), initial=0.0)) / (max(size, fast) * float(speed[i]))
        defect = max(left, float(off[i]))
        if defect <= _STEADY:
            here = jax.tree.map(lambda x, i=i: x[i], q)
            out[-1] = SteadyMotion(here, v[i], xi[i], float(np.trace(flow)), size, defect)
    return out


def _linearized(system, q, v, xi, symmetry):
    """The linearized flow of X - xi on the constraint, in coordinates (u, y) as `control.linear`.

    With what is left of it at the state, the speed in the metric, rows of the holonomic leaf, and
    how far v is from D, relative.
    """
    dim, place, rate = _chart(system.groupoid, q)
    inside, outside = adapted_basis(system, q)
    onto = inside.T @ metric(system, q)
    X = symmetry.field(system, xi) if symmetry is not None else None

    def flow(z):
        x, u = place(z[:dim]), inside @ z[dim:]
        if outside.shape[1]:
            rows = linear_constraint(system, x)
            u = u - outside @ solve(rows @ outside, rows @ u)
        turned, slip = acceleration(system, x, u), u
        if X is not None:
            turned, slip = turned - lifted(system, X, x, u), u - X(x)
        value = jnp.concatenate([rate(z[:dim], slip), onto @ turned])
        return value, value

    y = onto @ v
    A, value = jax.jacfwd(flow, has_aux=True)(jnp.concatenate([jnp.zeros(dim), y]))
    off = jnp.linalg.norm(inside @ y - v) / (jnp.linalg.norm(v) + 1e-300)
    leaf = jnp.zeros((0, dim))
    if system.has_holonomic:
        leaf = linear_constraint(system, q)[: system.holonomic(q).shape[0]]
    return A, value, jnp.linalg.norm(y), leaf, off


__all__ = ["SteadyMotion", "TraceTest", "steady_motions", "steady_shapes", "trace_test"]
