"""One step of a run, whoever loops over it: its state, its start, its record of failures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from .. import dynamics
from ..linalg import OK
from ..methods import Method, Row
from ..system import Point, System

StopRule = Callable[[Float[Array, ""], Point, Float[Array, " n"]], Bool[Array, ""]]


class State(NamedTuple):
    """Everything that the next step depends on; its time is that of the row."""

    k: Int[Array, ""]  # steps done
    carry: Any  # the method's own state
    row: Row
    frame: Any
    stopped: Bool[Array, ""]


def initial_state(system: System, method: Method, t0, h, q: Point, v: jax.Array) -> State:
    """The state before the first step, from consistent data."""
    v = dynamics.consistent_velocity(system, q, v, t0)
    return _at_start(system, *method.start(system, t0, h, q, v))


def initial_pair(system: System, method: Method, t0, h, g: Any) -> State:
    """The state before the first step, from a first element of the groupoid."""
    return _at_start(system, *method.start_pair(system, t0, h, g))


def _at_start(system: System, carry: Any, row: Row) -> State:
    frame = system.groupoid.group.identity()
    return State(jnp.asarray(0), carry, row, frame, jnp.asarray(False))


def time_at(t0, h, k):
    """The time of step k, everywhere: a sum over the steps would collect their round-off."""
    return t0 + k * h


def one_step(
    system: System, method: Method, t0, h, state: State, stop_when: StopRule | None = None
) -> State:
    """One step; the worst residual since the last kept row goes along, and the first failure."""
    k = state.k + 1
    advance = method.step(system, time_at(t0, h, state.k), h, state.carry)
    group = system.groupoid.group
    frame = group.polish(group.mul(state.frame, advance.frame))
    row = advance.row._replace(
        t=time_at(t0, h, k),
        residual=jnp.maximum(advance.row.residual, state.row.residual),
        # a scan goes on after a failed step, and the steps after it may look good again
        result=jnp.where(state.row.result == OK, advance.row.result, state.row.result),
    )
    stopped = jnp.asarray(False)
    if stop_when is not None:
        stopped = jnp.reshape(jnp.asarray(stop_when(row.t, row.q, row.v), dtype=bool), ())
    return State(k, advance.carry, row, frame, stopped)
