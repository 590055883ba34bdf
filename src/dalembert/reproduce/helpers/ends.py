"""The final state of a run, with one compilation for all step sizes and numbers of steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics
from dalembert.compile.function import Function
from dalembert.system import as_arrays


class End(NamedTuple):
    """The last row of a run, and the worst values along it."""

    row: Any
    residual: Any  # largest constraint residual at the nodes
    result: Any  # largest result code; 0 if all steps succeeded
    asked: Any  # evaluations of the equations of motion by Gauss; 0 for other methods


def runner(system: da.System, method: da.methods.Method) -> Callable[..., End]:
    """Return a function (h, steps[, q, v, t0]) -> End; raise if the method refuses the system."""
    dynamic, static = as_arrays(system)
    method.check(system)
    q0, v0 = system.initial()
    v0 = dynamics.consistent_velocity(system, q0, v0)

    def advance(system, t, h, carry):
        if isinstance(method, da.Gauss):
            return method.counted_step(system, t, h, carry)
        return method.step(system, t, h, carry), jnp.zeros(())

    def run(dynamic, h, steps, q, v, t0):
        system = eqx.combine(dynamic, static)
        carry, row = method.start(system, t0, h, q, v)

        def step(k, x):
            carry, end = x
            made, asked = advance(system, t0 + k * h, h, carry)
            carry, row = made.carry, made.row
            off = dynamics.constraint_residual(system, row.q, row.v, row.t)
            residual = jnp.maximum(end.residual, jnp.max(jnp.abs(off), initial=0.0))
            result = jnp.maximum(end.result, row.result)
            return carry, End(row, residual, result, end.asked + asked)

        start = End(row, jnp.zeros(()), row.result, jnp.zeros(()))
        return jax.lax.fori_loop(0, steps, step, (carry, start))[1]

    start = (q0, v0, np.zeros(()))
    compiled = Function(run, dynamic, np.ones(()), np.ones((), int), *start)

    def go(h, steps, q=q0, v=v0, t0=0.0) -> End:
        return compiled(dynamic, np.asarray(float(h)), np.asarray(steps), q, v, np.asarray(t0))

    return go


def state(q: Any, v: Any) -> np.ndarray:
    """Return (q, v) as one vector; on a reduced space v alone."""
    return np.concatenate([np.ravel(x) for x in (*jax.tree.leaves(q), v)])
