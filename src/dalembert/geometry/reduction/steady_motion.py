"""Steady motions, and the obstruction to an invariant measure by the trace at them.

A flow z' = X(z) conserves the measure rho dz, rho > 0 and smooth, exactly if div X + X(ln rho) = 0.
Where X vanishes, div X is the trace of the linearized flow, and it must vanish, too: a nonzero
trace excludes every such density. The argument applies to two kinds of steady motion along xi_Q of
a one-parameter group of symmetries, with Y = X - xi the flow in the co-moving frame:

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

from ... import groupoids
from ...compile.function import compiled_rows
from ...dynamics import acceleration, linear_constraint, metric
from ...errors import UsageError
from ...groupoids import Groupoid, Pair
from ...groups import SE, SO, Euclidean, Group, Product
from ...linalg import rank, solve
from ...system import Point, System, compiled_call
from ..distribution.growth_flag import ROUGH, adapted_basis, require_linear, sample_states
from ..distribution.time_dependent import require_autonomous
from ..symmetry.generators import (
    SYMMETRY_TOLERANCE,
    Symmetry,
    lifted,
    require_symmetry,
    structure_constants,
    symmetry_names,
)
from ..symmetry.state_forms import lifted_generators
from .chaplygin_reduction import Chaplygin

# A trace below this fraction of the largest eigenvalue counts as zero. In examples where it
# vanishes it is 1e-15 to 1e-12; a spinning rattleback has 3e-3, and 8e-7 if it spins on its tip.
TRACELESS = 1e-7
_STEADY = 1e-9  # relative residual of the equations of a steady motion
_ITERATIONS = 60  # damped Newton steps; most guesses need 5 to 20
# angles of turning along a bounded motion; the trace is computed again there
_ALONG = (0.3, 1.1, 2.3)


class SteadyMotion(NamedTuple):
    """A motion along a generator, q' = v = xi_Q, and the trace of the linearized flow at it."""

    q: Point
    v: np.ndarray
    xi: np.ndarray  # components in the algebra of the symmetry
    trace: float  # trace of the linearized flow, in 1/s; zero if it has a smooth invariant measure
    size: float  # largest |eigenvalue|, in 1/s, or a small fraction of |v| if all are round-off
    defect: float  # relative residual of the equations of a steady motion

    @property
    def share(self) -> float:
        """The trace as a fraction of the largest eigenvalue."""
        return self.trace / max(self.size, 1e-300)

    def text(self) -> str:
        """Return the trace and the largest eigenvalue as text."""
        beside = f"largest eigenvalue {self.size:.3g}, steady to {self.defect:.0e}"
        return f"{self.trace:.3g} 1/s ({beside})"


@dataclasses.dataclass(frozen=True)
class TraceTest:
    """Verdict on whether steady motions exclude an invariant measure of the flow modulo a group."""

    verdict: str  # "no" or "inconclusive"
    reason: str
    motions: tuple[SteadyMotion, ...]

    def __str__(self) -> str:
        return f"invariant measure, by steady motions: {self.verdict}: {self.reason}"


def trace_test(
    system: System, symmetry: Symmetry | None = None, q: Point = None, *, count: int = 8
) -> TraceTest:
    """Search for an obstruction to a smooth invariant measure of the motion modulo a symmetry.

    The verdict is "no" if the trace is nonzero at one of the `steady_motions`, else "inconclusive",
    because a zero trace is necessary but not sufficient. If G is compact the verdict also holds for
    measures of the unreduced motion. The hypotheses are those of `steady_motions`.
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
    """Find motions along generators of a symmetry near q, each with the trace of the reduced flow.

    Found by Newton's method from `count` states around q (by default around the initial data),
    each at fixed kinetic energy; not every guess converges. Without `symmetry` the function finds
    the equilibria with nonzero v of a system written on its algebra (`LieGroup`, `Action`).

    Needs A(q) v = 0, L(q, v) and no external force; the symmetry must leave L and D
    invariant, have tr ad_xi = 0, and act freely. Each condition is tested, and a `UsageError` names
    the one that fails.
    """
    require_linear(system, "the trace at steady motions")
    require_autonomous(system, "the trace at steady motions")
    if system.has_force:
        raise UsageError(
            f"{system.name()} has an external force; the trace test is for motion without one"
        )
    if symmetry is None:
        if isinstance(system.groupoid, Pair) or not isinstance(system.groupoid.base, Euclidean):
            names = ", ".join(symmetry_names(system)) or "none"
            raise UsageError(
                f"{system.name()}: name the symmetry, steady_motions(system, Symmetry.of(system, "
                f"name)); declared are {names}"
            )
    states = sample_states(system, q, count=count)
    if symmetry is not None:
        require_symmetry(system, symmetry, states)
        constants = structure_constants(system, symmetry, q)
        traces = np.einsum("aba->b", constants)
        if np.max(np.abs(traces), initial=0.0) > 1e-8:  # the accuracy of `structure_constants`
            raise UsageError(
                f"the group of '{symmetry.name}' is not unimodular (tr ad = {traces}): the trace "
                "test needs a unimodular group, tr ad = 0"
            )
    v = np.array(states.v)
    if q is None:  # the declared initial velocity is one of the guesses
        given = np.asarray(system.initial()[1])
        v[0] = given if np.any(given) else v[0]
    result = _judged(system, symmetry, *_newton(system, symmetry, states.q, v))
    return tuple(x for x in result if x and (symmetry is None or _acts_freely(system, symmetry, x)))


def _acts_freely(system: System, symmetry: Symmetry, motion: SteadyMotion) -> bool:
    """Return whether the generators are independent at the state, so that D/G is smooth there."""
    lifts = np.asarray(
        compiled_call(lifted_generators, system, symmetry, motion.q, jnp.asarray(motion.v))
    )
    length = np.linalg.norm(lifts, axis=0)
    return bool(np.all(length > 0)) and rank(lifts / length) == lifts.shape[1]


# -- for Chaplygin systems -------------------------------------------------------------------------


def steady_shapes(
    chaplygin: Chaplygin, r: Point = None, *, count: int = 8
) -> tuple[SteadyMotion, ...]:
    """Find bounded steady motions of the reduced flow near r, each with its trace.

    They have the form r(t) = exp(t eta) r. The search covers those eta whose orbits are bounded
    (circles declared in `chaplygin`, and rotations) and on which L* does not depend. Each motion
    and its trace are tested again at points further along it.
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
    # rounded, with a fixed sign, so that nearly equal bases share compiled code
    kept = np.round(kept * np.sign(kept[range(len(kept)), np.argmax(np.abs(kept), 1)])[:, None], 12)
    symmetry = Symmetry(dataclasses.replace(turns, basis=tuple(map(tuple, kept.tolist()))), "turns")
    q, v, xi = _newton(system, symmetry, states.q, np.asarray(states.v))
    result = _judged(system, symmetry, q, v, xi)
    largest = np.maximum(np.max(np.abs(v), axis=1, keepdims=True), 1e-300)
    for angle in _ALONG:
        later = _turned(base, q, jnp.asarray(angle * v / largest))
        there = _judged(system, symmetry, later, v, xi)
        result = [
            x if x and y and abs(y.trace - x.trace) <= TRACELESS * x.size else None
            for x, y in zip(result, there)
        ]
    return tuple(x for x in result if x is not None)


@functools.partial(jax.jit, static_argnums=0)
def _turned(base: Group, q: Point, w: jax.Array) -> Point:
    """Return the points q exp(w), stacked."""
    return jax.vmap(lambda x, y: base.mul(x, base.exp(y)))(q, w)


@dataclasses.dataclass(frozen=True)
class _Turns:
    """Left translations of shape space with bounded orbits: circles, and rotations.

    The rows of `basis` are the combinations of these directions to use; by default each of them.
    """

    base: Group
    circles: tuple[float | None, ...]
    basis: tuple[tuple[float, ...], ...] | None = None

    @property
    def bounded(self) -> tuple[int, ...]:
        """Indices of the algebra directions with bounded orbits."""
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
    """Return relative changes of L* along each direction, at constant left-trivialised velocity."""
    slope = groupoids.gradient(system.groupoid, lambda x: system.lagrangian(x, v), q)
    sigma = turns(system, q)
    size = jnp.linalg.norm(slope) * jnp.linalg.norm(sigma)
    # L* is taken to change by at least a small fraction of itself over a unit of length
    size = jnp.maximum(size, ROUGH * jnp.abs(system.lagrangian(q, v)))
    return slope @ sigma / jnp.where(size > 0, size, 1.0)


def _rotates(group: Group, i: int) -> bool:
    """Return whether direction i of the algebra generates rotations, in SO(n) or SE(n)."""
    # SO(4) stands for the class of all SO(n); SO(2) and SO(3) are subclasses
    if isinstance(group, type(SO(4))):
        return True
    return isinstance(group, type(SE(3))) and i >= group.n


# -- Newton's method ------------------------------------------------------------------------------


class _Chart(NamedTuple):
    """Chart near a point: its dimension, the point at u, and the rate u' of a velocity there."""

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
    """Return (q, v, xi) reached by damped Newton steps for steady motions, for stacked states.

    The unknowns are the point and xi, with v = xi_Q, or v itself without a symmetry. The kinetic
    energy of each guess is held fixed, so that none converges to rest.
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
    """Return the columns of which v is a combination: all directions if there is no symmetry."""
    return jnp.eye(system.dim) if symmetry is None else symmetry(system, q)


def _look(system, symmetry, q, u, xi, level):
    """Return energies, moved points, equations (infinite where not finite) and Jacobians."""
    energy, q, F, J = compiled_rows(_equations, system, (q, u, xi, level), symmetry)
    F, J, q = np.asarray(F), np.asarray(J), jax.tree.map(np.asarray, q)
    good = np.asarray(np.isfinite(F).all(axis=1) & np.isfinite(J).all(axis=(1, 2)))
    F = np.where(good[:, None], F, np.inf)
    return np.asarray(energy), q, F, np.where(good[:, None, None], J, 0.0)


def _equations(system, q, u, xi, level, symmetry):
    """Return kinetic energy, moved point, and the equations of a steady motion with Jacobian.

    All are in the kinetic metric and divided by the speed of the level: accelerations in 1/s.
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
            rate(w, v) if X is None else jnp.zeros(0),  # else v = xi_Q by construction
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
    """Return stacked states as steady motions with traces, or None where they are not steady."""
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
        if leaf.shape[1]:  # restrict u to the leaf of the holonomic functions
            n, m = leaf.shape[2], leaf.shape[1]
            inside = np.eye(len(flow))[:, m:]
            inside[:n, : n - m] = np.linalg.svd(leaf[i])[2][m:].T
            flow = inside.T @ flow @ inside
        # a lower bound on the size of eigenvalues, against division by round-off: the flow varies
        # at least by a small fraction of |v| over a unit of q
        fast, largest = float(np.linalg.norm(v[i])), np.abs(np.linalg.eigvals(flow))
        size = max(float(np.max(largest, initial=0.0)), ROUGH * fast)
        left = float(np.max(np.abs(rest[i]), initial=0.0)) / (max(size, fast) * float(speed[i]))
        defect = max(left, float(off[i]))
        if defect <= _STEADY:
            here = jax.tree.map(lambda x, i=i: x[i], q)
            out[-1] = SteadyMotion(here, v[i], xi[i], float(np.trace(flow)), size, defect)
    return out


def _linearized(system, q, v, xi, symmetry):
    """Linearize the flow of X - xi on the constraint, in coordinates (u, y) as in `control.linear`.

    Also returns the flow at the state (the residual), the speed in the kinetic metric, the rows
    that annihilate the holonomic leaf, and the relative distance of v from D.
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
