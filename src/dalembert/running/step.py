"""One step of a run, whoever loops over it: its state, its start, its record of failures."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from .. import dynamics
from ..linalg import OK
from ..methods.base import Method, Row
from ..system import System


class State(NamedTuple):
    """Everything that the next step depends on."""

    k: jax.Array  # steps done
    carry: Any  # the method's own state
    row: Row
    frame: Any
    stopped: jax.Array


def initial_state(system: System, method: Method, t0, h, q, v) -> State:
    """The state before the first step, from consistent data."""
    v = dynamics.consistent_velocity(system, q, v, t0)
    carry, row = method.start(system, t0, h, q, v)
    return State(jnp.asarray(0), carry, row, system.groupoid.group.identity(), jnp.asarray(False))


def one_step(system: System, method: Method, t0, h, state: State, stop_when=None) -> State:
    """One step; the worst residual since the last kept row goes along, and the first failure."""
    advance = method.step(system, t0 + state.k * h, h, state.carry)
    group = system.groupoid.group
    frame = group.polish(group.mul(state.frame, advance.frame))
    row = advance.row._replace(
        residual=jnp.maximum(advance.row.residual, state.row.residual),
        # a scan goes on after a failed step, and the steps after it may look good again
        result=jnp.where(state.row.result == OK, advance.row.result, state.row.result),
    )
    k = state.k + 1
    stopped = jnp.asarray(False)
    if stop_when is not None:
        stopped = jnp.reshape(jnp.asarray(stop_when(t0 + k * h, row.q, row.v), dtype=bool), ())
    return State(k, advance.carry, row, frame, stopped)
