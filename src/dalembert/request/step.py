"""One step of a run, for every engine: its state, its start, its record of failures.

Every engine compiles `one_step`, so that what counts as a failure is decided in one place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from .. import dynamics
from ..compile.tracing import rarely, round_off
from ..errors import UsageError
from ..linalg import NOT_FINITE, OFF_CONSTRAINT, OK, Code
from ..methods import Method, Row, code
from ..methods.base import ConstraintCheck
from ..system import Point, System

# for one member, or for many with leading axes; NumPy arrays where states are packed
Numbers: TypeAlias = np.ndarray | jax.Array
StopRule = Callable[[Float[Array, ""], Point, Float[Array, " n"]], Bool[Array, ""]]


# Largest residual of a constraint row after a step, in units of eps = 2.2e-16. OF_TERMS multiplies
# the sum of the absolute terms of the row. OF_NORM multiplies |A| |v|, because every entry of v has
# an error of the last digits of the largest entry. On the systems of the zoo all methods stay below
# 2 |A| |v| eps, also at 1e12 m/s with steps of 10 s. `tests/fuzz/residuals.py` prints both.
OF_TERMS, OF_NORM = 4096, 16


class State(NamedTuple):
    """Everything that the next step depends on; its time is that of the row."""

    k: Int[Array, ""]  # steps done
    carry: Any  # the method's own state
    row: Row
    frame: Any
    stopped: Bool[Array, ""]


def initial_state(system: System, method: Method, t0, h, q: Point, v: jax.Array) -> State:
    """Return the state before the first step, from consistent data."""
    q = dynamics.consistent_position(system, q, t0)
    v = dynamics.consistent_velocity(system, q, v, t0)
    return _at_start(system, *method.start(system, t0, h, q, v))


def initial_pair(system: System, method: Method, t0, h, g: Any) -> State:
    """Return the state before the first step, from a first element of the groupoid."""
    return _at_start(system, *method.start_pair(system, t0, h, g))


def _at_start(system: System, carry: Any, row: Row) -> State:
    frame = system.groupoid.group.identity()
    return State(jnp.asarray(0), carry, row, frame, jnp.asarray(False))


def time_at(t0, h, k):
    """Return the time t0 + k h of step k; a sum over the steps would accumulate round-off."""
    return t0 + k * h


def judged(
    system: System, method: Method, row: Row, settled: ConstraintCheck | None = None, h: Any = 0.0
) -> Row:
    """Return the row, marked as failed if an entry is not finite or the constraint is violated.

    Skips the constraint check if the method has already verified this (q, v) (`settled`). Where
    friction may stop the motion, the impulse of the reactions over h counts as a term as well.
    """
    result = code(row.result, *jax.tree.leaves(row.q), row.v, row.multiplier)
    if not (method.traits.on_constraint and system.is_constrained):
        return row._replace(result=result)
    if settled is not None and settled.is_about(row):
        within = settled.fine
    else:
        # nearly all steps pass by OF_TERMS alone; only for the others the norm is computed, below
        residual, terms = dynamics.constraint_terms(system, row.q, row.v, row.t)
        within = _is_small(residual, OF_TERMS * terms)
    holonomic = None
    if system.has_holonomic:
        holonomic = dynamics.holonomic_terms(system, row.q)
        within = within & _is_small(holonomic[0], OF_TERMS * holonomic[1])

    def looked_closely() -> Code:
        sizes = dynamics.constraint_sizes(system, row.q, row.v, row.t)
        norm = sizes.norm
        if system.switches is not None:
            here = dynamics.solved(system, row.q, row.v, row.t)
            norm = norm + jnp.abs(h) * (jnp.abs(here.C) @ jnp.abs(here.multipliers))
        near = _is_small(sizes.residual, OF_TERMS * sizes.terms + OF_NORM * norm)
        values = [(sizes.residual, near)]
        if holonomic is not None:
            values.append((holonomic[0], _is_small(holonomic[0], OF_TERMS * holonomic[1])))
        worst = result
        for off, on in values:
            why = jnp.where(jnp.isfinite(jnp.sum(off)), OFF_CONSTRAINT, NOT_FINITE)
            worst = jnp.where((worst == OK) & ~on, why.astype(worst.dtype), worst)
        return worst

    return row._replace(result=rarely(~within, looked_closely, lambda: result))


def _is_small(off: Float[Array, " m"], sizes: Float[Array, " m"]) -> Bool[Array, ""]:
    return jnp.all(jnp.abs(off) <= round_off() * sizes + 1e-300)


def looked_at(system: System, row: Row) -> Row:
    """Return the row, marked as failed if its momentum or a function of the system is not finite.

    A step evaluates derivatives only, and these may be finite where the function is not.
    """
    t, q, v = row.t, row.q, row.v
    asked: dict[str, tuple[Any, ...]] = {}
    asked["constraint"] = (t, q) if system.has_timed_constraint else (q,)
    asked["lagrangian"] = (t, q, v) if system.has_time else (q, v)
    asked |= {"offset": (t, q)} if system.has_offset else {}
    asked |= {"force": (t, q, v)} if system.has_force else {}
    asked |= {"holonomic": (q,)} if system.has_holonomic else {}
    values = [row.p, *(dynamics.written(system, name, *given) for name, given in asked.items())]
    return row._replace(result=jnp.where(row.result == OK, code(OK, *values), row.result))


def one_step(
    system: System,
    method: Method,
    t0,
    h,
    state: State,
    stop_when: StopRule | None = None,
    look: bool = True,
) -> State:
    """Make one step; carry the worst residual since the last saved row, and the first failure.

    With `look=False` the caller applies `looked_at` to the rows that it saves.
    """
    k, own = state.k + 1, has_own_steps(method)
    advance = method.step(system, state.carry.t if own else time_at(t0, h, state.k), h, state.carry)
    group = system.groupoid.group
    frame = group.polish(group.mul(state.frame, advance.frame))
    row = advance.row if own else advance.row._replace(t=time_at(t0, h, k))
    full = row.multiplier.shape[-1] == system.dim and system.switches is None
    if full and not (system.is_nonlinear or system.has_offset):
        # With as many constraint rows as velocities v is zero up to round-off. Its residual would
        # be compared with this round-off itself.
        row = row._replace(v=jnp.zeros_like(row.v))
    row = judged(system, method, row, advance.settled, h)
    row = looked_at(system, row) if look else row
    row = row._replace(
        residual=jnp.maximum(advance.row.residual, state.row.residual),
        # a scan continues after a failed step, and the steps after it may look good again
        result=jnp.where(state.row.result == OK, row.result, state.row.result),
    )
    stopped = jnp.asarray(False)
    if stop_when is not None:
        stopped = jnp.reshape(jnp.asarray(stop_when(row.t, row.q, row.v), dtype=bool), ())
    if not own:
        return State(k, advance.carry, row, frame, stopped)
    # a member that has ended or failed stays where it is, while the others continue
    over = is_over(method, state.carry) | (state.row.result != OK)
    old, new = (state.carry, state.row, state.frame), (advance.carry, row, frame)
    carry, row, frame = jax.tree.map(lambda a, b: jnp.where(over, a, b), old, new)
    return State(k, carry, row, frame, stopped | is_over(method, carry))


def has_own_steps(method: Method) -> bool:
    """Return whether the method is adaptive: it chooses step sizes, and so the times of rows."""
    return method.traits.sizes == "own"


def has_any_times(method: Method) -> bool:
    """Return whether rows may be at any time, independent of the steps (Taylor's method)."""
    return method.traits.sizes == "any"


def is_over(method: Method, carry: Any) -> Any:
    """Return whether an adaptive run has reached its end time; False for fixed steps."""
    return carry.t >= carry.end if has_own_steps(method) else jnp.asarray(False)


def counts(method: Method, before: State, after: State) -> Bool[Array, ""]:
    """Return whether a step was made successfully."""
    return (after.row.result == OK) & ~is_over(method, before.carry)


@dataclasses.dataclass(frozen=True)
class AsNumber:
    """Convert a rule (t, q, v) -> bool to a function with values 0 and 1, to evaluate at rows."""

    rule: StopRule

    def __call__(self, t: Any, q: Point, v: Any) -> jax.Array:
        return jnp.asarray(jnp.reshape(self.rule(t, q, v), ()), float)


def check_stop_rule(rule: Any, system: System) -> None:
    """Raise `UsageError` unless `stop_when` is a function of (t, q, v) that returns one bool."""
    if rule is None:
        return
    t, q, v = jnp.zeros(()), system.groupoid.base.identity(), jnp.zeros(system.dim)
    try:
        values = jax.eval_shape(lambda *a: jnp.asarray(rule(*a)), t, q, v)
    except Exception as error:
        why = str(error).strip().partition("\n")[0]
        raise UsageError(
            f"stop_when must be a function (t, q, v) -> bool that uses jax.numpy; {rule!r} raised "
            f"{type(error).__name__}: {why}"
        ) from error
    if values.size != 1:
        raise UsageError(f"stop_when must give one truth value, got the shape {values.shape}")
    if jnp.issubdtype(values.dtype, jnp.inexact):  # which is true wherever it is not zero
        raise UsageError(
            f"stop_when must give a truth value, got a number ({values.dtype}): compare it, as in "
            "q[0] > 1.0, or give the function to events=, to end the run where it is zero"
        )
