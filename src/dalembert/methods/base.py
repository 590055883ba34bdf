"""Base class of all methods: traits, a start and a step. Only the driver loops over steps."""

from __future__ import annotations

import abc
import dataclasses
import math
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Bool

from ..compile import tracing
from ..compile.tracing import rarely
from ..dynamics import (
    drift_momentum,
    is_round_off,
    linear_constraint,
    linear_offset,
    metric,
    momentum,
    multipliers,
    projected,
    solve_reactions,
)
from ..errors import UsageError
from ..groupoids import Element
from ..linalg import (
    NOT_FINITE,
    OK,
    Code,
    Forms,
    PerConstraint,
    Root,
    Scalar,
    Vector,
    solve_spd,
)
from ..system import Point, System
from .rules import Rule

Carry = Any  # state that a method carries from node to node: a PyTree of its choice


@dataclasses.dataclass(frozen=True)
class Traits:
    """The claims of a method. Tests and the verification page check these values."""

    order: int  # order of positions and of the reported velocity
    multiplier_order: int  # order of the reported multiplier
    symmetric: bool  # reversible under v -> -v for homogeneous constraints
    explicit: bool  # needs no Newton iteration, if the system allows it
    keeps: str  # what is conserved to round-off along a run; a text for users, not read by code
    reference: str  # source key and number of the defining equation
    # "node": a one-step map of (q, v) on the constraint. The rest of the carry is only a guess for
    # the iteration, so the step size may change. "step": the carry depends on the last step size.
    carry: Literal["node", "step"] = "node"
    # Whether the carried momentum has a part normal to the constraint that alternates in sign and
    # may grow (`dynamics.parasitic_matrix`): "seen" in the reported multipliers, or "hidden".
    parasitic: Literal["none", "seen", "hidden"] = "none"
    # "fixed": every step has the size h. "own": adaptive; the method carries the size of the next
    # step, the time (`carry.t`) and the end of the run (`carry.end`), and h is the first size.
    # "any": the method chooses its steps internally, and rows are wherever the run requests them.
    sizes: Literal["fixed", "own", "any"] = "fixed"
    # True: reported rows are on the constraint to round-off; a step whose row is not fails.
    # False: nothing is claimed; no step fails, but a run that ends off the constraint warns.
    on_constraint: bool = False
    # largest h w for which an oscillator of frequency w is stable: beyond it errors grow every step
    stable: float = math.inf


class Row(NamedTuple):
    """The reported values at a node, on the constraint, with the certificate of the iteration."""

    t: Scalar
    q: Point
    v: Vector
    p: Vector
    multiplier: PerConstraint  # physical: the reaction force is mu^T multiplier
    residual: Scalar  # relative residual of the Newton iteration of this step
    result: Code  # key of linalg.MESSAGES


class ConstraintCheck(NamedTuple):
    """Whether the method itself found (q, v) on the constraint; saves the driver's check."""

    fine: Bool[jax.Array, ""]
    q: Point
    v: Vector

    def is_about(self, row: Row) -> bool:
        """Return whether the check was made for this row, and the row was not changed since."""
        selected, its = jax.tree.leaves((self.q, self.v)), jax.tree.leaves((row.q, row.v))
        return all(a is b for a, b in zip(selected, its, strict=True))


class Advance(NamedTuple):
    """Result of a step: the new carry, the row to report, the symmetry group's part of the move."""

    carry: Carry
    row: Row
    frame: Element
    # the method's own check of the constraint, if it made one
    settled: ConstraintCheck | None = None


class Method(abc.ABC):
    """A one-step map on the method's own state, which `start` makes from (q0, v0).

    A method is immutable and hashable (a frozen dataclass), so that equal methods share one
    compilation.
    """

    needs_quadratic = True  # whether the Lagrangian must be quadratic in the velocities
    takes_time = False  # whether the Lagrangian may depend on time

    # a subclass may define these as class attributes, properties or dataclass fields
    name: str  # kebab-case, as on the command line
    traits: Traits  # what the method claims

    @property
    def of_code(self) -> Method:
        """This method without fields that its code does not depend on; equal results share code."""
        return self

    def check(self, system: System) -> None:
        """Raise a `UsageError` if the method cannot run the system."""

    @abc.abstractmethod
    def start(self, system: System, t: Scalar, h: Scalar, q: Point, v: Vector) -> tuple[Carry, Row]:
        """Return the state and the first row from consistent initial data."""

    def start_pair(self, system: System, t: Scalar, h: Scalar, g: Element) -> tuple[Carry, Row]:
        """Return the state and the first row from a first groupoid element, (q0, q1) on R^n."""
        raise UsageError(f"{self.name} starts from (q0, v0), not from a pair of points")

    def reverse(self, carry: Carry, row: Row) -> Carry:
        """Return the state that runs the motion backwards from the same node."""
        return carry._replace(v=-carry.v)

    def adjoint(self) -> Method:
        """Return the method whose step h undoes this method's step -h; itself if it is symmetric.

        For a method that carries a node, this holds for (q, v). GNI carries the momentum p_minus
        that leaves a node; its adjoint acts on the momentum that arrived there: from (q1, p_plus)
        at the end of the step -h, the step h of the adjoint arrives at (q, p_minus).
        """
        if self.traits.symmetric:
            return self
        raise UsageError(f"{self.name} has no adjoint here")

    @abc.abstractmethod
    def step(self, system: System, t: Scalar, h: Scalar, carry: Carry) -> Advance:
        """Advance from the node at time t to the node at t + h."""

    def hindsight(self, h: Scalar, carry: Carry, after: Carry) -> Carry | None:
        """Return `carry` with guesses from which the step to `after` begins at its solution.

        Gradients are computed backwards, when the solution of each step is known, and need not
        iterate again. None if the solution cannot be computed from `after`.
        """
        return None


def refuse_nonlinear(method: Method, system: System) -> None:
    """Raise `UsageError` for nonlinear constraints; discrete d'Alembert needs linear or affine."""
    if system.is_nonlinear:
        raise UsageError(
            f"{method.name} needs constraints linear or affine in the velocities, and "
            f"{system.name()} has a nonlinear one (velocity_constraint). "
            "Use Gauss(), RK4() or Reference() for it."
        )


def refuse_holonomic(method: Method, system: System) -> None:
    """Raise `UsageError` for holonomic constraints, if a method satisfies only constraints on v."""
    if system.has_holonomic:
        raise UsageError(
            f"{method.name} keeps constraints on velocities only, and {system.name()} has a "
            "holonomic function, which would drift; use Gauss, DLA or GNI"
        )


def refuse_switches(method: Method, system: System) -> None:
    """Raise `UsageError` if constraints can be off: the method needs every row to act."""
    if system.switches is not None or system.is_redundant:
        raise UsageError(
            f"{method.name} needs independent constraints that are never switched off, but those "
            f"of {system.name()} change with its contacts; use Gauss() or RK4()"
        )


def refuse_all_but_rows(method: Method, system: System) -> None:
    """Raise `UsageError` unless all constraints are independent rows A v = b that always act."""
    refuse_nonlinear(method, system)
    refuse_holonomic(method, system)
    refuse_switches(method, system)


def check_rule(rule: object) -> None:
    """Raise `UsageError` unless `rule` is a `Rule` object; often the call `()` was forgotten."""
    if not isinstance(rule, Rule):
        name = getattr(rule, "__name__", None)
        hint = f"; write {name}()" if name else ""
        raise UsageError(f"a rule such as Midpoint() is needed, got {rule!r}{hint}")


def round_off(system: System, q: Point) -> Scalar:
    """Return the round-off of a move that is the difference of two points far from the origin."""
    far = [jnp.max(jnp.abs(x), initial=0.0) for x in jax.tree.leaves(q)]
    size = jnp.max(jnp.stack(far)) if far else jnp.zeros(())
    return jax.lax.stop_gradient(64 * tracing.round_off() * size)


class Splitting(NamedTuple):
    """A momentum at a node, split by the constraint: p on the constraint, plus mu^T defect."""

    p: Vector  # the part on the constraint
    v: Vector  # velocity of the momentum p
    mu: Forms
    defect: PerConstraint  # C^-1 (mu v - b)
    settled: Bool[jax.Array, ""]  # whether one projection reached the constraint, up to round-off


def split_momentum(system: System, t: Scalar, q: Point, p: Vector) -> Splitting:
    """Project a momentum onto the affine constraint, orthogonally in the metric.

    p_on = p - mu^T C^-1 (mu G^-1 (p - p_rest) - b), C = mu G^-1 mu^T
    """
    G = metric(system, q, None, t)
    free = p - drift_momentum(system, q, t)
    mu = linear_constraint(system, q, t)
    if not mu.shape[0]:
        return Splitting(p, solve_spd(G, free), mu, jnp.zeros(0), jnp.asarray(True))
    solved = solve_spd(G, jnp.concatenate([mu.T, free[:, None]], axis=1))
    raised, v = solved[:, :-1], solved[:, -1]

    def residual_of(v):
        residual = mu @ v  # (25) [F15]
        return residual - linear_offset(system, t, q) if system.has_offset else residual

    def once_more(v, p, defect):
        more = solve_reactions(system, mu @ raised, residual_of(v))
        return v - raised @ more, p - mu.T @ more, defect + more

    split = once_more(v, p, jnp.zeros(mu.shape[0]))
    # A large normal part may leave round-off that is large compared with the projected v; so may a
    # second projection, if v is very small compared with the original momentum: project twice more.
    settled = is_round_off(residual_of(split[0]), mu, split[0])
    v, p, defect = rarely(~settled, lambda: once_more(*once_more(*split)), lambda: split)
    return Splitting(p, v, mu, defect, settled)


def code(result: jax.Array | int, *values: jax.Array) -> Code:
    """Return the result code, or NOT_FINITE if any of the values is not finite."""
    # one test for all values: a sum is finite if its terms are (except near overflow)
    total = sum(jnp.sum(x) for x in values)
    return jnp.where(
        jnp.isfinite(total), jnp.asarray(result, dtype=jnp.int32), jnp.int32(NOT_FINITE)
    )


def exact_row(t: Scalar, q: Point, v: Vector, p: Vector, multiplier: PerConstraint) -> Row:
    """Return the row of a node computed without an iteration: residual 0, result OK if finite."""
    return Row(t, q, v, p, multiplier, jnp.zeros(()), code(OK, v, p, multiplier))


def start_row(system: System, t: Scalar, q: Point, v: Vector) -> Row:
    """Return the row of the initial data."""
    return exact_row(t, q, v, momentum(system, q, v, t), multipliers(system, q, v, t))


def solved_row(system: System, t: Scalar, q: Point, v: Vector, root: Root) -> Row:
    """Return the row at the end of a solved step, its velocity on the constraint to round-off."""
    v = projected(system, q, v, t)
    p, lam = momentum(system, q, v, t), multipliers(system, q, v, t)
    return Row(t, q, v, p, lam, root.residual, code(root.result, v, p, lam))
