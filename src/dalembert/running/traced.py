"""A run inside of a JAX transformation: one scan; its failures are told by `Trajectory.result`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compile.tracing import tracing_once
from ..errors import UsageError
from ..methods import Method
from ..results import Meta, Trajectory
from ..system import System
from .kernel import kept
from .prepare import prepare_traced
from .sinks import Every, Stream, check_every
from .step import State, has_own_steps, one_step


def simulate_traced(
    system: System, method: Method, q0, v0, h, steps: int, t0, sinks: Mapping[str, Any], project
) -> Trajectory:
    """`simulate` under jit, vmap or grad."""
    sink = sinks.get("")
    if not isinstance(sink, Every):
        what = "a store" if isinstance(sink, Stream) else "what save= asks for"
        raise UsageError(f"{what} needs a run outside of jit, vmap and grad; save_every=k works")
    every = 1 if sink.every is None else check_every("save", sink.every)
    if steps % every:
        raise UsageError(
            f"inside jit, vmap and grad save_every must divide steps: {steps} / {every}"
        )
    with tracing_once():
        return _scanned(system, method, q0, v0, h, steps, t0, every, project)


def _scanned(
    system: System, method: Method, q0, v0, h, steps: int, t0, every: int, project: bool
) -> Trajectory:
    parameters = {f.name: getattr(system, f.name) for f in dataclasses.fields(system)}
    system, h, t0, start = prepare_traced(system, method, q0, v0, h, t0, project)

    def step(state: State, _):
        return one_step(system, method, t0, h, state), None

    def row(state: State, _):
        state = state._replace(row=state.row._replace(residual=jnp.zeros(())))
        if every == 1:
            state, _ = step(state, None)
        else:  # the steps between rows are recomputed in reverse mode rather than stored
            state, _ = jax.checkpoint(lambda s: lax.scan(step, s, length=every))(state)
        return state, kept(state)

    _, rows = lax.scan(row, start, length=steps // every)
    whole = jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), kept(start), rows)
    numbers = {
        k: v for k, v in parameters.items() if isinstance(v, (float, int, jax.Array, np.ndarray))
    }
    meta = Meta.of(
        system,
        method,
        parameters=numbers,
        h=h,
        t0=t0,
        steps=steps,
        save_every=every,
        own_steps=has_own_steps(method),
        constraints=whole.row.multiplier.shape[-1],
        engine="arrays",
        engine_reason="inside of a JAX transformation",
    )
    return Trajectory(
        **whole.row._asdict(),
        frame=whole.frame if system.groupoid.group.dim else None,
        meta=meta,
    )
