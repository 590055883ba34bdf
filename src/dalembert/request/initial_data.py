"""Checks of initial data and of the end of a run, and the cause of a failed step.

`gather` computes the facts inside compiled code, `wrong_data` turns them into one flag (for runs
inside a JAX transformation, and to find the members of an ensemble that cannot be run), and
`judge` into the sentence that a person reads. The tests of each are the same functions.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from .. import dynamics
from ..compile.tracing import within_reach
from ..errors import UsageError
from ..groupoids import move
from ..linalg import NO_CONVERGENCE, NOT_FINITE, OK, solve_spd
from ..methods import Method, Row
from ..system import MechanicalSystem, Point, System
from .step import looked_at

CONSISTENT_POSITION = 1e-9  # largest defect of q0, relative to `dynamics.holonomic_terms`
CONSISTENT = 1e-10  # relative defect of v0 that counts as round-off of the caller's arithmetic
_SINGULAR = 1e12  # condition number above which the metric counts as singular
# The same for the rows of the constraint. The condition number of their Gram matrix is the square.
_DEPENDENT = 1e6
_BENT = 1e-8  # relative change of the metric with v that a quadratic Lagrangian does not have


class Facts(NamedTuple):
    """Sizes and residuals of initial data, from which `judge` decides."""

    v: Float[Array, " n"]
    is_element: Bool[Array, ""]  # whether q is a point of Q: a rotation matrix is orthogonal
    is_finite: Bool[Array, ""]  # whether L and the other functions of the motion are finite
    metric_at_rest: Float[Array, "n n"]
    metric_elsewhere: Float[Array, "n n"]  # at a velocity with no zero entry
    metric: Float[Array, "n n"]
    mu: Float[Array, "m n"]
    residual: Float[Array, " m"]
    residual_on: Float[Array, " m"]  # at the row that the run starts with
    holonomic: Float[Array, " k"]
    holonomic_on: Float[Array, " k"]  # at the point that the run starts from
    holonomic_size: Float[Array, " k"]  # largest value of `holonomic` that counts as round-off


class PairFacts(NamedTuple):
    """Sizes and residual of a first element (q0, q1), from which `judge_pair` decides."""

    normal_speed: Float[Array, ""]  # of the momentum that leaves q0: its normal part, in the metric
    acceleration: Float[Array, ""]  # size of the accelerations, free and constrained
    residual: Float[Array, ""]  # of the discrete constraint, for methods that have one


def gather(system: System, t0, q: Point, v: jax.Array, on: Row) -> Facts:
    """Compute the facts about initial data (q, v); `on` is the row that the run starts with."""
    none = jnp.zeros(())
    row = Row(jnp.asarray(t0, dtype=float), q, v, v, v, none, jnp.asarray(OK))
    metric = at_rest = elsewhere = dynamics.metric(system, q, v, t0)
    if system.closed is None and not isinstance(system, MechanicalSystem):
        # the metric may depend on v, and some methods cannot treat that
        at_rest = dynamics.metric(system, q, None, t0)
        elsewhere = dynamics.metric(system, q, _probe(v), t0)
    return Facts(
        v,
        system.groupoid.base.is_element(q),
        looked_at(system, row).result == OK,
        at_rest,
        elsewhere,
        metric,
        dynamics.constraint_matrix(system, q, v, t0),
        dynamics.constraint_residual(system, q, v, t0),
        dynamics.constraint_residual(system, on.q, on.v, t0),
        system.holonomic(q),
        system.holonomic(on.q),
        within_reach(CONSISTENT_POSITION) * dynamics.holonomic_terms(system, q)[1]
        if system.has_holonomic
        else jnp.zeros(0),
    )


class EnergyFacts(NamedTuple):
    """The energy at a row, and |<p, v>| + |L|, the sizes of the terms whose difference it is."""

    energy: Float[Array, ""]
    terms: Float[Array, ""]


def gather_energy(system: System, t, q: Point, v: jax.Array) -> EnergyFacts:
    """Compute the energy at a row."""
    doubled = dynamics.momentum(system, q, v, t) @ v
    lagrangian = system.lagrangian_at(t, q, v)
    return EnergyFacts(doubled - lagrangian, jnp.abs(doubled) + jnp.abs(lagrangian))


def gather_pair(system: System, t0, h, row: Row) -> PairFacts:
    """Compute the facts about a first element (q0, q1), from the first row of the method."""
    G = dynamics.metric(system, row.q, None, t0)
    # normal momentum that the method carries into the first step but does not report
    normal = h * dynamics.constraint_matrix(system, row.q, row.v, t0).T @ row.multiplier
    raised = solve_spd(G, 0.5 * normal)
    free = dynamics.free_acceleration(system, row.q, row.v, t0)
    bound = dynamics.acceleration(system, row.q, row.v, t0)
    return PairFacts(
        jnp.sqrt(0.5 * normal @ raised),
        jnp.sqrt(free @ G @ free) + jnp.sqrt(bound @ G @ bound),
        row.residual,
    )


def _probe(v: jax.Array) -> jax.Array:
    return v + jnp.linspace(0.7, 1.3, v.size) * jnp.maximum(jnp.max(jnp.abs(v), initial=0.0), 1.0)


# -- tests, for arrays of NumPy and of JAX -------------------------------------------------------


def residual_size(mu: Any, v: Any, residual: Any) -> Any:
    """Return the scale of a constraint's residual: |row| |v| + |b|."""
    return (mu**2).sum(axis=1) ** 0.5 * (v**2).sum() ** 0.5 + abs(mu @ v - residual)


def _off_constraint(facts: Facts) -> Any:
    return ~(abs(facts.residual) <= _allowed(facts))


def _allowed(facts: Facts) -> Any:
    return within_reach(CONSISTENT) * residual_size(facts.mu, facts.v, facts.residual)


def _off_holonomic(facts: Facts, values: Any) -> Any:
    return ~(abs(values) <= facts.holonomic_size)


def _bend(facts: Facts) -> Any:
    return abs(facts.metric_elsewhere - facts.metric_at_rest).max()


def _is_bent(method: Method, facts: Facts) -> Any:
    return method.needs_quadratic & (_bend(facts) > _BENT * abs(facts.metric).max())


def wrong_data(method: Method, facts: Facts, project: bool) -> Bool[Array, ""]:
    """Return whether `judge` would refuse the data, without its tests by matrix decompositions."""
    if project:
        wrong = ~facts.is_finite | ~facts.is_element
        wrong = wrong | jnp.any(_off_holonomic(facts, facts.holonomic_on))
    else:
        wrong = off_data(facts)
    return wrong | _is_bent(method, facts)


def off_data(facts: Facts) -> Bool[Array, ""]:
    """Return whether a point is not in Q or violates the constraints, whatever the method."""
    off = _off_holonomic(facts, facts.holonomic)
    wrong = ~facts.is_finite | ~facts.is_element
    return wrong | jnp.any(off) | jnp.any(_off_constraint(facts))


def _no_numbers(system: System) -> str:
    """Name the parameters that are not finite, as the end of a sentence."""
    for name, value in system.parameters().items():
        if isinstance(value, (float, list, np.ndarray)) and not np.all(np.isfinite(value)):
            return f": its parameter '{name}' is {value}"
    return ""


def _dependent_rows(system: System, mu: np.ndarray) -> str:
    """Name the rows that vanish or are linearly dependent, as the end of a sentence, or ""."""
    names = system.constraint_labels
    if len(names) != len(mu) or not system.constraint_names:
        return ""
    sizes = np.linalg.norm(mu, axis=1)
    zero = sizes <= np.max(sizes) / _DEPENDENT
    if np.any(zero):
        return f" (zero: {'; '.join(n for n, x in zip(names, zero) if x)})"
    U, values, _ = np.linalg.svd(mu / sizes[:, None])
    rank = int(np.sum(values > values[0] / _DEPENDENT))
    shares = np.linalg.norm(U[:, rank:], axis=1)
    return f" (dependent: {'; '.join(n for n, x in zip(names, shares) if x > 1e-6)})"


def judge(system: System, method: Method, facts: Facts, project: bool) -> None:
    """Raise a `UsageError` if metric, constraint or initial data cannot be run."""
    result = _conditions(facts.metric, _acting(system, facts.mu))
    name = system.name()
    if not np.all(np.isfinite(facts.metric)):
        raise UsageError(
            f"{name}: the Lagrangian gives values that are not finite at (q0, v0)"
            f"{_no_numbers(system)}"
        )
    if not np.all(np.isfinite(facts.mu)):
        raise UsageError(
            f"{name}: the constraint gives values that are not finite at q0{_no_numbers(system)}"
        )
    if not facts.is_finite:
        raise UsageError(
            f"{name}: the Lagrangian (or an offset, a force) is not finite at (q0, v0)"
            f"{_no_numbers(system)}"
        )
    if result.metric > _SINGULAR:
        raise UsageError(
            f"{name}: the metric d2L/dv2 is singular or not positive definite at q0 "
            f"(condition number {result.metric:.1e}); every velocity needs kinetic energy"
        )
    if np.max(np.abs(facts.metric - facts.metric.T)) > 1e-12 * np.max(np.abs(facts.metric)):
        raise UsageError(f"{name}: the metric (mass matrix) is not symmetric: {facts.metric}")
    if _is_bent(method, facts):
        raise UsageError(
            f"{name}: the Lagrangian is not quadratic in the velocities (d2L/dv2 changes by "
            f"{_bend(facts):.1e} with the velocity), and {method.name} needs that; use RK4() or "
            "Reference()"
        )
    if result.constraint > _DEPENDENT:
        raise UsageError(
            f"{name}: the constraint is rank-deficient at q0: its {facts.mu.shape[0]} rows are "
            "linearly dependent, or one is zero"
            f"{_dependent_rows(system, np.asarray(facts.mu))}; leave out redundant rows or start "
            "elsewhere. If its rank changes from place to place, da.hybrid.across_ranks(system) "
            "makes modes that start here"
        )
    if not project and np.any(_off_holonomic(facts, facts.holonomic)):
        raise UsageError(
            "q0 is not on the holonomic constraint, largest residual "
            f"{np.max(np.abs(facts.holonomic)):.3e}",
            about=name,
            advice="Project it with q0 = dalembert.dynamics.consistent_position(system, q0), or "
            "pass project=True",
            remedy="project",
        )
    if np.any(_off_holonomic(facts, facts.holonomic_on)):
        raise UsageError(
            f"{name}: no point on the holonomic constraint was found near q0, largest residual "
            f"{np.max(np.abs(facts.holonomic_on)):.3e} after projection; give a nearer q0"
        )
    if not facts.residual.size:
        return
    if not project and np.any(_off_constraint(facts)):
        worst = float(np.max(np.abs(facts.residual)))
        raise UsageError(
            f"v0 is not on the constraint, largest residual {worst:.3e}",
            about=name,
            advice="Project it with v0 = dalembert.dynamics.consistent_velocity(system, q0, v0), "
            "or pass project=True",
            remedy="project",
        )
    if not np.all(np.abs(facts.residual_on) <= _allowed(facts)):
        worst = float(np.max(np.abs(facts.residual_on)))
        raise UsageError(
            f"{name}: no velocity on the constraint was found near v0, largest residual "
            f"{worst:.3e} after projection; give a v0 nearer to the constraint"
        )


def judge_pair(system: System, method: Method, facts: PairFacts, h: float) -> None:
    """Refuse a pair whose normal velocity is not of the size of h times an acceleration.

    A normal defect that does not vanish with h leaves an error that does not, either, and
    no later check would find it.
    """
    if facts.normal_speed > h * facts.acceleration + 1e-9:
        raise UsageError(
            f"{system.name()}: the pair (q0, q1) leaves the constraint: its normal speed "
            f"{float(facts.normal_speed):.3e} is not of the order h times acceleration "
            f"({h * float(facts.acceleration):.3e}); give v0 instead, or a nearer q1"
        )
    if not facts.residual <= 1e-9:
        raise UsageError(
            f"{system.name()}: the pair (q0, q1) is not in the discrete constraint of "
            f"{method.name}, largest residual {float(facts.residual):.3e}"
        )


# -- where a run has ended -----------------------------------------------------------------------

# relative to |A| |v|: a run that ends farther off the constraint is meaningless
MEANS_LITTLE = 1e-6


def typical_speed(start: Row, end: Row, span: Any) -> Any:
    """Return a speed of a run, or of each of many, that is not zero where the motion ends at rest.

    The largest of the speeds at both ends and of the mean speed between them; `span` is the time.
    """
    many = np.ndim(end.v) > 1

    def largest(x: Any) -> Any:
        x = np.abs(np.asarray(x))
        return x.reshape(len(x), -1).max(axis=1, initial=0.0) if many else x.max(initial=0.0)

    moves = jax.tree.map(lambda a, b: largest(np.asarray(b) - np.asarray(a)), start.q, end.q)
    mean = [x / np.maximum(np.abs(span), 1e-300) for x in jax.tree.leaves(moves)]
    speeds = [np.sqrt((np.asarray(x) ** 2).sum(-1)) for x in (start.v, end.v)]
    return np.max(np.broadcast_arrays(*mean, *speeds), axis=0)


def off_at_the_end(facts: Facts, start: Row, end: Row, span: Any) -> Any:
    """Return by how much a run, or each of many, violates its constraint at the end, / (|A| |v|).

    The facts are those of last rows; errors of positions are relative to |Dg| |q|. If the error is
    too large, the motion may have come to rest: then |v| is replaced by `typical_speed`.
    """
    speed = np.sqrt((np.asarray(facts.v) ** 2).sum(-1))
    share = _off_by_speed(facts, speed)
    if np.all(share <= MEANS_LITTLE):
        return share
    return _off_by_speed(facts, typical_speed(start, end, span))


def _off_by_speed(facts: Facts, speed: Any) -> Any:
    mu, v, residual = (np.asarray(x) for x in (facts.mu, facts.v, facts.residual))
    size = np.sqrt((mu**2).sum(-1)) * np.asarray(speed)[..., None]
    size = size + np.abs((mu @ v[..., None])[..., 0] - residual)
    terms = np.asarray(facts.holonomic_size) / CONSISTENT_POSITION
    off = np.concatenate([residual, np.asarray(facts.holonomic)], axis=-1)
    share = np.abs(off) / np.maximum(np.concatenate([size, terms], axis=-1), 1e-300)
    return np.max(share, axis=-1, initial=0.0)


class WorstMember(NamedTuple):
    """The member of an ensemble in which some number is largest, if it is too large."""

    member: int
    size: float
    since: float  # the time from which on it was too large
    over: int  # number of members for which it is too large
    members: int  # number of all members

    @classmethod
    def of(
        cls, sizes: np.ndarray, over: np.ndarray, since: np.ndarray | None = None
    ) -> WorstMember:
        """Find the worst member: `sizes` has the number of each, `over` says if it is too large."""
        which = np.flatnonzero(over)
        i = int(which[np.argmax(sizes[which])]) if len(which) else 0
        began = 0.0 if since is None else float(since[i])
        return cls(i, float(sizes[i]), began, len(which), len(sizes))

    @classmethod
    def among(cls, parts: Sequence[WorstMember]) -> WorstMember:
        """Return the worst member of several parts of an ensemble."""
        worst = max(parts, key=lambda x: (bool(x.over), math.isnan(x.size), x.size))
        over, members = (sum(getattr(x, k) for x in parts) for k in ("over", "members"))
        return worst._replace(over=over, members=members)

    @property
    def others(self) -> str:
        """Say in how many members the number is too large, as a part of a sentence."""
        return f" ({self.over} of {self.members} members are so)" if self.members > 1 else ""


def worst_off(shares: np.ndarray) -> WorstMember:
    """Return the member that violates its constraint most at the end."""
    return WorstMember.of(shares, ~(shares <= MEANS_LITTLE))


def told_off(shares: np.ndarray | WorstMember) -> tuple[str, ...]:
    """Return the warning about a run (or the worst of many) that ends off its constraint."""
    worst = shares if isinstance(shares, WorstMember) else worst_off(shares)
    if not worst.over:
        return ()
    who = f"member {worst.member}" if worst.members > 1 else "the run"
    return (
        f"{who} ends off the constraint by {worst.size:.1e} of |A| |v|{worst.others}: its numbers "
        "mean nothing; a smaller h may help, or a method that keeps the constraint (Gauss)",
    )


WORTH_ENERGY = 16  # steps from which on the energy is compared: it is compiled, in 40 ms


def energy_shares(start: EnergyFacts, there: EnergyFacts) -> np.ndarray:
    """Return errors of conserved energies relative to their terms; above 1 a run is meaningless.

    The terms are those at the start. Where these vanish (a body at rest, at the zero of its
    potential) the terms at the row itself are used: an error is less than a tenth of them, or it is
    the whole energy there.
    """
    began, ends = np.asarray(start.terms), 0.1 * np.asarray(there.terms)
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(np.asarray(there.energy) - np.asarray(start.energy))
        share = off / np.maximum(np.where(began > 0, began, ends), 1e-300)
    share = np.where(np.isfinite(share), share, np.inf)  # terms beyond the largest number
    return np.where(off <= np.maximum(began, ends), np.minimum(share, 1.0), share)


def told_energy(worst: WorstMember) -> tuple[str, ...]:
    """Return the warning about a run (or the worst of many) whose energy error is too large."""
    if not worst.over:
        return ()
    who = f"member {worst.member}" if worst.members > 1 else "the run"
    return (
        f"{who} has its energy, which the motion keeps, off by {worst.size:.1e} times its size at "
        f"t = {worst.since:g}{worst.others}: its numbers mean nothing; h is beyond what is stable, "
        "take a smaller one",
    )


# -- why a step failed ---------------------------------------------------------------------------


class _Conditions(NamedTuple):
    """Condition numbers of the metric, and of the constraint rows scaled to unit length in it."""

    metric: float
    constraint: float
    rows: np.ndarray  # lengths of the constraint rows


def _acting(system: System, mu: Any) -> Any:
    """Return the rows that act and must be linearly independent."""
    if system.is_redundant:
        return np.zeros((0, np.shape(mu)[1]))
    on = system.switches
    return mu if on is None else np.asarray(mu)[np.asarray(on.rows) > 0.0]


def _conditions(G: Any, mu: Any) -> _Conditions:
    G, mu = np.asarray(G), np.asarray(mu)
    metric, constraint = math.inf, 1.0
    if not (np.all(np.isfinite(G)) and np.all(np.isfinite(mu))):
        return _Conditions(metric, constraint, np.zeros(len(mu)))
    diagonal = np.diag(G)
    if np.all(diagonal > 0):
        # scaled to unit diagonal: a choice of units is not a singularity
        scaled = G / np.sqrt(diagonal) / np.sqrt(diagonal)[:, None]
        low, *_, high = np.linalg.eigvalsh(scaled) if len(G) > 1 else (1.0, 1.0)
        metric = float(high / low) if low > 0 else math.inf
    lengths = np.linalg.norm(mu, axis=1)
    if mu.shape[0] > mu.shape[1] or np.any(lengths == 0):
        constraint = math.inf
    elif mu.shape[0] > 1:  # a single one depends on nothing
        if metric < _SINGULAR:
            mu = np.linalg.solve(np.linalg.cholesky(G), mu.T).T
        values = np.linalg.svd(mu / np.linalg.norm(mu, axis=1, keepdims=True), compute_uv=False)
        constraint = float(values[0] / values[-1]) if values[-1] > 0 else math.inf
    return _Conditions(metric, constraint, lengths)


class Cause(enum.StrEnum):
    """Why a step may have failed: text appended to the message."""

    UNKNOWN = "; try a smaller h"
    RANK = "; the constraint is losing rank near here (its rows become dependent)"
    JUMP = (
        "; the constraint jumps there, which no smaller h mends: end the run at the jump by an "
        "event, or write its two sides as modes of da.hybrid.Modes"
    )
    METRIC = "; the metric is nearly singular near here"
    FUNCTIONS = (
        "; the Lagrangian, a force, a control or the constraint is not finite where the step leads "
        "(a smaller h helps only if the step went too far)"
    )
    ROUND_OFF = "; round-off is large beside the moves: h is very small, or q very large"
    STEP = "; a smaller h may help"


def beyond_stability(system: System, method: Method, h: float, last: Any) -> str:
    """Return a text about h w at a row if it exceeds the method's limit of stability, or ""."""
    if last is None or math.isinf(method.traits.stable):
        return ""
    t, q, v = jax.tree.map(jnp.asarray, (last.t, last.q, last.v))

    def pull(w, v):
        return dynamics.acceleration(system, move(system.groupoid, q, w), v, t)

    # matrices of small motions x'' = K x + D x' about the row
    K, D = jax.jacfwd(pull, argnums=(0, 1))(jnp.zeros(system.dim), v)
    n, zero = system.dim, np.zeros((system.dim, system.dim))
    rates = np.block([[zero, np.eye(n)], [np.asarray(K), np.asarray(D)]])
    if not np.all(np.isfinite(rates)):
        return ""
    turned = abs(h) * float(np.max(np.abs(np.linalg.eigvals(rates)), initial=0.0))
    stable = method.traits.stable
    if not stable < turned < 1e6:  # beyond that the row has exploded
        return ""
    return (
        f"; the fastest motion there has h w = {turned:.3g}, and {method.name} is stable up to "
        f"{stable:.3g}: take h below {abs(h) * stable / turned:.2g}, or Gauss, which is stable for "
        "any"
    )


def diagnosis(system: System, h: float, last: Any, failed: Row) -> Cause:
    """Find the probable cause of a failed step, from the last good row and the failed one."""
    if last is None:
        return Cause.UNKNOWN
    # users' functions expect JAX arrays
    (t, q, v), failed = jax.tree.map(jnp.asarray, ((last.t, last.q, last.v), failed))
    # The failed row shows more than the last good one and the point straight ahead.
    ahead = move(system.groupoid, q, h * v)
    # It counts with its own velocity if that is finite, because the rows of a nonlinear constraint
    # depend on v.
    reached = failed.v if bool(jnp.all(jnp.isfinite(failed.v))) else v
    points = [(t, q, v), (t + h, ahead, v), (failed.t, failed.q, reached)]
    values = [
        _conditions(
            dynamics.metric(system, q, v, t),
            _acting(system, dynamics.constraint_matrix(system, q, v, t)),
        )
        for t, q, v in points
        if all(bool(np.all(np.isfinite(x))) for x in jax.tree.leaves(q))
    ]
    vanishing = any(np.any(x.rows * _DEPENDENT < values[0].rows) for x in values)
    if vanishing or any(x.constraint > _DEPENDENT for x in values):
        return Cause.RANK
    if any(x.metric > 1e10 for x in values):
        return Cause.METRIC
    if int(failed.result) == NOT_FINITE:
        # where the step led, where a straight one leads, and here at later times
        looked = [*points[1:], *((t + part * h, q, v) for part in (0.5, 1.0))]
        for s, x, u in looked:
            finite = all(bool(jnp.all(jnp.isfinite(y))) for y in jax.tree.leaves((x, u)))
            there = failed._replace(t=s, q=x, v=u, p=u, result=jnp.asarray(OK))
            if finite and int(looked_at(system, there).result) != OK:
                return Cause.FUNCTIONS
    if int(failed.result) == NO_CONVERGENCE and float(failed.residual) < 1e-6:
        return Cause.ROUND_OFF
    return Cause.STEP
