"""What is looked at before a run, and in the search for the cause of a failed one.

Each check raises a `UsageError` that says what is wrong and what to do. What needs numbers is
computed by the compiled start of a run, once, as `Facts`, and judged here on the host.
"""

from __future__ import annotations

import dataclasses
import math
import operator
from typing import Any, NamedTuple

import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..errors import UsageError
from ..groupoids import Pair
from ..methods.base import Method
from ..system import PARAMETER, MechanicalSystem, Point, System

CONSISTENT = 1e-10  # relative defect of v0 that counts as round-off of the caller's arithmetic
_SINGULAR = 1e12  # condition number above which the metric counts as singular
DEPENDENT = 1e6  # the same of the constraint's rows, whose Gram matrix has the square of it


class Facts(NamedTuple):
    """What the initial data look like, for the checks on the host."""

    v: jax.Array
    metric_at_rest: jax.Array
    metric_elsewhere: jax.Array  # at a velocity with no zero entry
    metric: jax.Array
    mu: jax.Array
    residual: jax.Array
    residual_on: jax.Array  # of the velocity that the run starts with
    holonomic: jax.Array
    holonomic_size: jax.Array  # of what counts as round-off in it


class PairFacts(NamedTuple):
    """What a first element (q0, q1) looks like."""

    normal_speed: jax.Array  # of the momentum that leaves q0, in the metric
    acceleration: jax.Array  # size of the accelerations, free and constrained
    residual: jax.Array  # of the discrete constraint, for methods that have one


def gather(system: System, t0, q, v, v_on) -> Facts:
    """The facts about initial data (q, v), v_on being the velocity that the run starts with."""
    return Facts(
        v,
        dynamics.metric(system, q),
        dynamics.metric(system, q, _probe(v)),
        dynamics.metric(system, q, v),
        dynamics.constraint_matrix(system, q, v, t0),
        dynamics.constraint_residual(system, q, v, t0),
        dynamics.constraint_residual(system, q, v_on, t0),
        system.holonomic(q),
        _holonomic_size(system, q),
    )


def _probe(v: jax.Array) -> jax.Array:
    return v + jnp.linspace(0.7, 1.3, v.size) * jnp.maximum(jnp.max(jnp.abs(v), initial=0.0), 1.0)


def _holonomic_size(system: System, q: Point) -> jax.Array:
    """1e-9 of |Dg| |q|, for each function."""
    g = system.holonomic(q)
    if not g.shape[0]:
        return g
    rows = dynamics.linear_constraint(system, q)[: g.shape[0]]
    far = jnp.max(jnp.stack([jnp.max(jnp.abs(x)) for x in jax.tree.leaves(q)]))
    return 1e-9 * jnp.linalg.norm(rows, axis=1) * jnp.maximum(far, 1e-12)


def bad_data(system: System, method: Method, facts: Facts) -> jax.Array:
    """What `check_facts` would refuse, as a flag for runs inside a JAX transformation."""
    wrong = jnp.any(jnp.abs(facts.holonomic) > facts.holonomic_size)
    if method.needs_quadratic:
        bend = jnp.max(jnp.abs(facts.metric_elsewhere - facts.metric_at_rest))
        wrong = wrong | (bend > 1e-8 * jnp.max(jnp.abs(facts.metric)))
    return wrong


def is_traced(tree: Any) -> bool:
    """Whether any leaf is a tracer of a JAX transformation."""
    return any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(tree))


def is_finite(tree: Any) -> bool:
    """Whether all leaves are finite."""
    return all(bool(np.all(np.isfinite(x))) for x in jax.tree.leaves(tree))


def check_run(system: Any, method: Any, steps: Any, save_every: Any) -> None:
    """System, method and counts."""
    if not isinstance(system, System):
        hint = f"; make one: {system.__name__}()" if isinstance(system, type) else ""
        raise UsageError(f"the first argument must be a System, got {system!r}{hint}")
    if not isinstance(method, Method):
        hint = f"; make one: {method.__name__}()" if isinstance(method, type) else ""
        if isinstance(method, str):
            hint = f"; names are for the command line: dalembert.methods.registry[{method!r}]()"
        raise UsageError(f"the second argument must be a method, got {method!r}{hint}")
    for f in dataclasses.fields(system):
        value, spec = getattr(system, f.name), f.metadata.get(PARAMETER)
        if spec is not None and spec.shape is not None and not is_traced(value):
            if np.shape(value) != spec.shape:
                raise UsageError(
                    f"{system.name()}: parameter '{f.name}' holds a batch of shape "
                    f"{np.shape(value)}; run a batch by jax.vmap"
                )
    for name, value in (("steps", steps), ("save_every", save_every)):
        try:
            whole = operator.index(value)
        except TypeError:
            raise UsageError(f"{name} must be a whole number, got {value!r}") from None
        if whole < 1:
            raise UsageError(f"{name} must be at least 1, got {whole}")
        if whole >= 2**62:
            raise UsageError(f"{name} must be below 2^62, got {whole}")


def check_times(h: Any, t0: Any) -> tuple[jax.Array, jax.Array]:
    """Step size and initial time, as arrays."""
    for name, value in (("h", h), ("t0", t0)):
        if np.ndim(value) != 0:
            raise UsageError(f"{name} must be one number, got shape {np.shape(value)}")
        if is_traced(value):
            continue
        try:
            finite = math.isfinite(value)
        except TypeError:
            raise UsageError(f"{name} must be a number, got {value!r}") from None
        if not finite:
            raise UsageError(f"{name} must be finite, got {value}")
    if not is_traced(h) and h <= 0:
        raise UsageError(
            f"the step size h must be positive, got {float(h)}; to go back in time reverse v0"
        )
    return jnp.asarray(h, dtype=float), jnp.asarray(t0, dtype=float)


def check_velocity(system: System, v0: Any) -> jax.Array:
    """v0 as an array of the right shape."""
    traced = is_traced(v0)
    try:
        v = jnp.asarray(v0 if traced else np.asarray(v0, dtype=float), dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"v0 must be a vector of {system.dim} numbers, got {v0!r}") from None
    if v.shape != (system.dim,):
        raise UsageError(f"v0 must have shape ({system.dim},), got {v.shape}")
    if not traced and not np.all(np.isfinite(np.asarray(v0, dtype=float))):
        raise UsageError(f"v0 must be finite, got {np.asarray(v0, dtype=float)}")
    return v


def check_element(system: System, q: Point, q1: Any) -> Any:
    """The first element of the groupoid: (q0, q1), or what the user of a reduced system gives."""
    if isinstance(system.groupoid, Pair):
        return (q, system.groupoid.base.check(q1, "q1"))
    wanted = jax.eval_shape(system.groupoid.unit, q)
    given = jax.tree.map(lambda x: jnp.asarray(x, dtype=float), q1)
    same = jax.tree.structure(wanted) == jax.tree.structure(given) and all(
        a.shape == b.shape for a, b in zip(jax.tree.leaves(wanted), jax.tree.leaves(given))
    )
    if not same:
        raise UsageError(
            f"q1 must be an element of {system.groupoid}: "
            f"{jax.tree.map(lambda x: x.shape, wanted)} in shapes"
        )
    return given


def check_pair(system: System, method: Method, facts: PairFacts, h: float) -> None:
    """Refuse a pair whose normal velocity is not of the size of h times an acceleration.

    A normal defect that does not vanish with h leaves an error that does not, either, and
    nothing on the way would tell.
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


def check_shapes(system: System, q: Point, v: jax.Array) -> None:
    """The shapes of what the user wrote, each reported by the name of the method."""
    t = jnp.zeros(())

    def shape(function, *args):
        out = jax.eval_shape(function, *args)
        if not hasattr(out, "shape"):
            what = "forgot `return`?" if out is None else "use jax.numpy"
            raise UsageError(
                f"{system.name()}.{function.__name__} must return an array, got {out}; {what}"
            )
        return out.shape

    def expect(name: str, found: tuple, wanted: tuple) -> None:
        if found != wanted:
            raise UsageError(f"{system.name()}.{name} must return shape {wanted}, got {found}")

    n = system.dim
    if isinstance(system, MechanicalSystem):
        expect("mass", np.shape(system.mass), (n, n))
        expect("potential", shape(system.potential, q), ())
    else:
        expect("lagrangian", shape(system.lagrangian, q, v), ())
    rows = shape(system.constraint, q)
    if len(rows) != 2 or rows[1] != n:
        raise UsageError(
            f"{system.name()}.constraint must return one row of {n} numbers for each "
            f"constraint, shape (m, {n}); got {rows}"
        )
    expect("offset", shape(system.offset, t, q), (rows[0],))
    expect("force", shape(system.force, t, q, v), (n,))
    for name, found in (
        ("holonomic", shape(system.holonomic, q)),
        ("velocity_constraint", shape(system.velocity_constraint, t, q, v)),
    ):
        if len(found) != 1:
            raise UsageError(f"{system.name()}.{name} must return a vector, got shape {found}")


def check_parameters(system: System, dynamic: Any) -> None:
    """Parameters travel as doubles: what a double does not hold would be changed on the way."""
    for x in map(np.asarray, jax.tree.leaves(dynamic)):
        exact = not np.iscomplexobj(x) and x.astype(float).astype(x.dtype).tobytes() == x.tobytes()
        if not exact:
            raise UsageError(
                f"{system.name()}: a parameter of type {x.dtype} is not a number that a double "
                "holds; parameters are real (a complex one is two of them)"
            )


def check_facts(system: System, method: Method, facts: Facts, project: bool) -> None:
    """Metric, constraint and initial data, from what the start computed."""
    found = _conditions(facts.metric, facts.mu)
    name = system.name()
    if not np.all(np.isfinite(facts.metric)):
        raise UsageError(f"{name}: the Lagrangian gives values that are not finite at (q0, v0)")
    if not np.all(np.isfinite(facts.mu)):
        raise UsageError(f"{name}: the constraint gives values that are not finite at q0")
    if found["metric"] > _SINGULAR:
        raise UsageError(
            f"{name}: the metric d2L/dv2 is singular or not positive definite at q0 "
            f"(condition number {found['metric']:.1e}); every velocity needs kinetic energy"
        )
    if np.max(np.abs(facts.metric - facts.metric.T)) > 1e-12 * np.max(np.abs(facts.metric)):
        raise UsageError(f"{name}: the metric (mass matrix) is not symmetric: {facts.metric}")
    bend = np.max(np.abs(facts.metric_elsewhere - facts.metric_at_rest))
    if method.needs_quadratic and bend > 1e-8 * np.max(np.abs(facts.metric)):
        raise UsageError(
            f"{name}: the Lagrangian is not quadratic in the velocities (d2L/dv2 changes by "
            f"{bend:.1e} with the velocity), and {method.name} needs that; use RK4() or "
            "Reference()"
        )
    if found["constraint"] > DEPENDENT:
        raise UsageError(
            f"{name}: the constraint is rank-deficient at q0: its {facts.mu.shape[0]} rows are "
            "linearly dependent, or one is zero; leave out redundant rows or start elsewhere"
        )
    if np.any(np.abs(facts.holonomic) > facts.holonomic_size):
        raise UsageError(
            f"{name}: q0 is not on the holonomic constraint, largest residual "
            f"{np.max(np.abs(facts.holonomic)):.3e}"
        )
    if not facts.residual.size:
        return
    allowed = CONSISTENT * residual_size(facts.mu, facts.v, facts.residual)
    if not project and not np.all(np.abs(facts.residual) <= allowed):
        worst = float(np.max(np.abs(facts.residual)))
        raise UsageError(
            f"{name}: v0 is not on the constraint, largest residual {worst:.3e}. Project it "
            "with v0 = dalembert.dynamics.consistent_velocity(system, q0, v0), or pass "
            "project=True"
        )
    if not np.all(np.abs(facts.residual_on) <= allowed):
        worst = float(np.max(np.abs(facts.residual_on)))
        raise UsageError(
            f"{name}: no velocity on the constraint was found near v0, largest residual "
            f"{worst:.3e} after projection; give a v0 nearer to the constraint"
        )


def residual_size(mu, v, residual):
    """What a constraint's residual is measured by: the size of its row, of v and of its b."""
    return (mu**2).sum(axis=1) ** 0.5 * (v**2).sum() ** 0.5 + abs(mu @ v - residual)


def _conditions(G: Any, mu: Any) -> dict[str, Any]:
    """Condition numbers of the metric, and of the constraint's rows, of unit length in it."""
    out: dict[str, Any] = {"metric": math.inf, "constraint": 1.0, "rows": np.zeros(len(mu))}
    if not (np.all(np.isfinite(G)) and np.all(np.isfinite(mu))):
        return out
    diagonal = np.diag(G)
    if np.all(diagonal > 0):
        # scaled to unit diagonal: a choice of units is not a singularity
        scaled = G / np.sqrt(np.outer(diagonal, diagonal))
        low, *_, high = np.linalg.eigvalsh(scaled) if len(G) > 1 else (1.0, 1.0)
        out["metric"] = float(high / low) if low > 0 else math.inf
    size = np.linalg.norm(mu, axis=1, keepdims=True)
    out["rows"] = size[:, 0]
    if mu.shape[0] > mu.shape[1] or np.any(size == 0):
        out["constraint"] = math.inf
    elif mu.shape[0]:
        if out["metric"] < _SINGULAR:
            mu = np.linalg.solve(np.linalg.cholesky(G), mu.T).T
            size = np.linalg.norm(mu, axis=1, keepdims=True)
        values = np.linalg.svd(mu / size, compute_uv=False)
        out["constraint"] = float(values[0] / values[-1]) if values[-1] > 0 else math.inf
    return out


def condition(system: System, q: Point, v: jax.Array, t: float) -> dict[str, Any]:
    """Condition numbers of metric and constraint at a point."""
    G = dynamics.metric(system, q, v)
    return _conditions(np.asarray(G), np.asarray(dynamics.constraint_matrix(system, q, v, t)))
