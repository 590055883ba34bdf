"""What every method is: traits, a start and a step. The driver loops; a method never does."""

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
    Scalar,
    Vector,
    solve_spd,
)
from ..system import Point, System
from .rules import Rule

Carry = Any  # what a method takes from node to node: a PyTree of its own


@dataclasses.dataclass(frozen=True)
class Traits:
    """The claims of a method. Tests and the verification page read them from here."""

    order: int  # of positions and of the reported velocity
    multiplier_order: int  # of the reported multiplier
    symmetric: bool  # reversible under v -> -v for homogeneous constraints
    explicit: bool  # no Newton iteration where the system allows its explicit form
    keeps: str  # what holds to round-off along a run, for people: nothing is decided by it
    reference: str  # source key and equation number
    # "node": a one-step map of (q, v) on the constraint, all else that it carries is a guess, so
    # steps may change size. "step": what it carries depends on the size of the step before.
    carry: Literal["node", "step"] = "node"
    # whether a normal part of the momentum goes along whose sign alternates and which may grow
    # (`dynamics.parasitic_matrix`): "seen" in the multipliers that it reports, or "hidden"
    parasitic: Literal["none", "seen", "hidden"] = "none"
    # "fixed": every step has the size h. "own": each has the size that the method carries, with
    # the time (`carry.t`) and where the run ends (`carry.end`); h is the first one. "any": steps
    # are the method's own affair, and rows are wherever they are asked for
    sizes: Literal["fixed", "own", "any"] = "fixed"
    # True: the reported rows are on the constraint to round-off, and a step whose row is not fails.
    # False: no claim; no step fails for it, and a run that ends off the constraint warns.
    on_constraint: bool = False
    # h w up to which an oscillator of frequency w is stable: beyond it errors grow with every step
    stable: float = math.inf


class Row(NamedTuple):
    """What is reported of a node: on the constraint, with its certificate."""

    t: Scalar
    q: Point
    v: Vector
    p: Vector
    multiplier: PerConstraint  # physical: the reaction force is mu^T multiplier
    residual: Scalar  # of the Newton iteration that led here, relative
    result: Code  # key of linalg.MESSAGES


class ConstraintCheck(NamedTuple):
    """Whether (q, v) was seen on the constraint up to round-off, so that nobody looks again."""

    fine: Bool[jax.Array, ""]
    q: Point
    v: Vector

    def is_about(self, row: Row) -> bool:
        """Whether it speaks of this row, and not of one that was changed since."""
        mine, its = jax.tree.leaves((self.q, self.v)), jax.tree.leaves((row.q, row.v))
        return all(a is b for a, b in zip(mine, its, strict=True))


class Advance(NamedTuple):
    """A step taken: what to carry on, what to report, the group part of the move."""

    carry: Carry
    row: Row
    frame: Element
    settled: ConstraintCheck | None = None  # where the method has asked


class Method(abc.ABC):
    """A one-step map on its own state, which `start` makes from (q0, v0).

    A method is immutable and hashable (a frozen dataclass): JAX compiles once for each.
    """

    needs_quadratic = True  # whether the Lagrangian must be quadratic in the velocities
    takes_time = False  # whether the Lagrangian may depend on time

    # class attributes, properties or fields of a dataclass: a subclass may choose
    name: str  # kebab-case, as on the command line
    traits: Traits  # what the method claims

    def check(self, system: System) -> None:
        """Raise a `UsageError` if the method cannot run the system."""

    @abc.abstractmethod
    def start(self, system: System, t: Scalar, h: Scalar, q: Point, v: Vector) -> tuple[Carry, Row]:
        """State and first row from consistent initial data."""

    def start_pair(self, system: System, t: Scalar, h: Scalar, g: Element) -> tuple[Carry, Row]:
        """State and first row from a first element of the groupoid, (q0, q1) on R^n."""
        raise UsageError(f"{self.name} starts from (q0, v0), not from a pair of points")

    def reverse(self, carry: Carry, row: Row) -> Carry:
        """The state that runs the motion backwards from the same node."""
        return carry._replace(v=-carry.v)

    def adjoint(self) -> Method:
        """The method whose step h undoes this one's step -h; itself if it is symmetric.

        On (q, v), for a method that carries a node. GNI carries the momentum that leaves a node,
        p_minus, and is undone on the one that arrived there: from (q1, p_plus) at the end of its
        step -h, the step h of the adjoint arrives at (q, p_minus).
        """
        if self.traits.symmetric:
            return self
        raise UsageError(f"{self.name} has no adjoint here")

    @abc.abstractmethod
    def step(self, system: System, t: Scalar, h: Scalar, carry: Carry) -> Advance:
        """From the node at time t to the node at t + h."""


def refuse_nonlinear(method: Method, system: System) -> None:
    """Discrete d'Alembert methods need constraints linear or affine in the velocities."""
    if system.is_nonlinear:
        raise UsageError(
            f"{method.name} needs constraints linear or affine in the velocities, and "
            f"{system.name()} has a nonlinear one (velocity_constraint). "
            "Use Gauss(), RK4() or Reference() for it."
        )


def refuse_holonomic(method: Method, system: System) -> None:
    """For methods that keep constraints on velocities only."""
    if system.has_holonomic:
        raise UsageError(
            f"{method.name} keeps constraints on velocities only, and {system.name()} has a "
            "holonomic function, which would drift; use Gauss, DLA or GNI"
        )


def refuse_switches(method: Method, system: System) -> None:
    """For methods that solve for all reactions at once, and need every row to act."""
    if system.switches is not None or system.is_redundant:
        raise UsageError(
            f"{method.name} needs constraints that act all the time and do not depend on each "
            f"other, and those of {system.name()} come and go with its contacts; use Gauss() or "
            "RK4()"
        )


def check_rule(rule: object) -> None:
    """A rule is an object; the usual slip is to leave out the call."""
    if not isinstance(rule, Rule):
        name = getattr(rule, "__name__", None)
        hint = f"; write {name}()" if name else ""
        raise UsageError(f"a rule such as Midpoint() is needed, got {rule!r}{hint}")


def round_off(system: System, q: Point) -> Scalar:
    """What a move loses when it is recovered from two points far from the origin."""
    far = [jnp.max(jnp.abs(x), initial=0.0) for x in jax.tree.leaves(q)]
    size = jnp.max(jnp.stack(far)) if far else jnp.zeros(())
    return jax.lax.stop_gradient(64 * tracing.round_off() * size)


class Splitting(NamedTuple):
    """A momentum at a node, split by the constraint: p = (on the constraint) + mu^T defect."""

    p: Vector  # on the constraint
    v: Vector  # its velocity
    mu: Forms
    defect: PerConstraint  # C^-1 (mu v - b)
    settled: Bool[jax.Array, ""]  # whether one projection has led there, up to round-off


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
    # the round-off of a large normal part may be large beside what is left, and so may the
    # round-off of that, where v is very small beside the momentum that it comes from
    settled = is_round_off(residual_of(split[0]), mu, split[0])
    v, p, defect = rarely(~settled, lambda: once_more(*once_more(*split)), lambda: split)
    return Splitting(p, v, mu, defect, settled)


def code(result: jax.Array | int, *values: jax.Array) -> Code:
    """The result code, turned to NOT_FINITE if any of the values is not finite."""
    # one test for all: a sum is finite if its terms are (but near the largest number there is)
    total = sum(jnp.sum(x) for x in values)
    return jnp.where(
        jnp.isfinite(total), jnp.asarray(result, dtype=jnp.int32), jnp.int32(NOT_FINITE)
    )


def exact_row(t: Scalar, q: Point, v: Vector, p: Vector, multiplier: PerConstraint) -> Row:
    """A row that no iteration led to."""
    return Row(t, q, v, p, multiplier, jnp.zeros(()), code(OK, v, p, multiplier))
