"""The compiled step of `Stepper`: called one step at a time, with the input u held constant.

In a run all members share the start time and the step number. Here each member can be reset
separately, so both are part of its state, and the next step of a member depends on its state, its
parameters and its input only. The code is native, or XLA if the step has no native code.
"""

from __future__ import annotations

import concurrent.futures
import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...compile.cache.registry import cached
from ...compile.cpu.kernels import StepKernel
from ...compile.cpu.loop_emit import Steps
from ...compile.ir.record import Traced, recorded, trace
from ...compile.ir.tape import Unsupported
from ...compile.layout import Layout, Tree
from ...compile.tracing import tracing_once
from ...compile.xla import Compiled, compile_for_cpu, cores
from ...errors import Reason
from ...inputs import CONTROL
from ...linalg import NOT_FINITE, OK
from ...request.prepare import Plan
from ...request.step import Numbers, State, counts, looked_at, one_step
from ...request.validate import Given, Parameters
from .step_kernel import places


class Held(NamedTuple):
    """State of a member: the next step depends on this, on its parameters and on its input."""

    state: State
    t0: Numbers  # start time of the member: step k is at t0 + k h
    good: Numbers  # number of steps made without failure


class Own(NamedTuple):
    """Data of a member that a step reads but does not change."""

    parameters: Parameters  # those in which members differ
    u: Given  # input of the step; size 0 if the system has none


class _Looped(NamedTuple):
    count: Numbers  # number of steps in this call, counted by the native loop
    held: Held


def held_layout(plan: Plan) -> Layout:
    """Return the layout of the packed state of a member."""
    one = np.zeros(())
    return Layout(Held(plan.state.example(), one, one))


def stepped(
    plan: Plan, shared: Parameters, own: Own, h: Numbers, held: Held, look: bool = True
) -> Held:
    """Return the state one step later, as JAX operations (also recorded for native code).

    `look` says whether the result is checked for NaN and infinities.
    """
    state = one_step(_system(plan, shared, own), plan.method, held.t0, h, held.state, look=look)
    return Held(state, held.t0, held.good + counts(plan.method, held.state, state))


def _system(plan: Plan, shared: Parameters, own: Own) -> Any:
    system = eqx.combine(own.parameters, shared, plan.static)
    if not own.u.size or not hasattr(system, CONTROL):
        return system
    return eqx.tree_at(
        lambda s: getattr(s, CONTROL).value, system, own.u, is_leaf=lambda x: x is None
    )


# -- native code ---------------------------------------------------------------------------------


@cached(maxsize=2)  # a trace is large, and needed only until the code is compiled
def _traced(plan: Plan, shared: Layout, own: Layout) -> Traced:
    def step(given: Tree, own: Own, looped: _Looped) -> tuple[_Looped, Tree]:
        dynamic, h = given
        held = stepped(plan, dynamic, own, h, looped.held, look=False)
        row = held.state.row
        seen = looked_at(
            _system(plan, dynamic, own), row._replace(result=jnp.zeros_like(row.result))
        )
        return _Looped(looped.count + 1, held), seen.result

    try:
        return trace(step, (shared.example(), np.zeros(())), own.example(), _looped(plan))
    finally:
        plan.settle()


def _looped(plan: Plan) -> _Looped:
    return _Looped(np.asarray(0), held_layout(plan).example())


def _where(plan: Plan) -> dict[str, Any]:
    """Return the indices of the numbers that the loop itself reads or writes."""
    at = places(Layout(_looped(plan)))
    state = at.held.state
    return {
        "k": int(at.count),
        "residual": int(state.row.residual),
        "result": int(state.row.result),
        "stopped": int(state.stopped),
        "good": int(at.held.good),
        "kept": [int(state.row.result)],
    }


@cached(maxsize=256)
def held_steps(plan: Plan, shared: Layout, own: Layout, memory: bool = True) -> Steps:
    """Record the step on a tape; `memory` is as for `steps_of`. May raise `Unsupported`."""
    steps = Steps(recorded(_traced(plan, shared, own), memory), **_where(plan))
    return steps.guarded(NOT_FINITE).looking()


@cached(maxsize=256)
def held_kernel(plan: Plan, shared: Layout, own: Layout, many: bool) -> StepKernel | Reason:
    """Return native code for one member or for vectors of members, or why there is none."""
    name = plan.lasting_key()
    if name is not None:
        name = f"held {name} {shared.describe()} {own.describe()}"
    else:  # the cache key of a user's code is a hash of its trace
        name = _traced(plan, shared, own).digest(f"held {_where(plan)}")
    try:
        return StepKernel(lambda: held_steps(plan, shared, own), many, name)
    except Unsupported as error:
        return Reason(str(error))


# -- arrays --------------------------------------------------------------------------------------


@cached(maxsize=64)
def held_arrays(plan: Plan, shared: Layout, own: Layout, members: int | None) -> Compiled:
    """Compile (shared, table (numbers[, members]), steps) -> table after `steps` steps, by XLA.

    A single member stops at its first failed step.
    """
    given, member = Layout((shared.example(), np.zeros(()))), Layout((own.example(), _looped(plan)))
    shape = (member.width,) if members is None else (member.width, members)

    def call(numbers: jax.Array, table: jax.Array, steps: jax.Array) -> jax.Array:
        dynamic, h = given.unpack(numbers)
        parameters, (count, held) = member.unpack(table.T)
        fresh = jnp.zeros_like(held.state.row.residual)
        held = held._replace(state=held.state._replace(row=held.state.row._replace(residual=fresh)))

        def one(parameters: Own, held: Held) -> Held:
            return stepped(plan, dynamic, parameters, h, held)

        step = one if members is None else jax.vmap(one)

        def goes_on(c: Tree) -> Tree:
            well = jnp.asarray(True) if members else c[1].state.row.result == OK
            return (c[0] < steps) & well

        _, held = lax.while_loop(goes_on, lambda c: (c[0] + 1, step(parameters, c[1])), (0.0, held))
        leaves = [x.astype(float) for x in jax.tree.leaves((parameters, (count, held)))]
        rows = [x.reshape((*x.shape[:1], -1) if members else -1) for x in leaves]
        return jnp.concatenate(rows, axis=-1).T

    try:
        shapes = [jax.ShapeDtypeStruct(s, float) for s in ((given.width,), shape, ())]
        return compile_for_cpu(call, *shapes)
    finally:
        plan.settle()


def pure_arrays(plan: Plan) -> Callable[..., Held]:
    """Return (shared parameters, own, h, held) -> held in JAX operations; results are doubles."""
    avals = held_layout(plan).avals

    def step(shared: Parameters, own: Own, h: Numbers, held: Held) -> Held:
        leaves, tree = jax.tree.flatten(held)
        typed = [jnp.asarray(x).astype(a.dtype) for x, a in zip(leaves, avals, strict=True)]
        with tracing_once():
            result = stepped(plan, shared, own, h, jax.tree.unflatten(tree, typed))
        return jax.tree.map(lambda x: jnp.asarray(x).astype(float), result)

    return step


def pure_native(
    call: Callable[..., None], layout: Layout, arrays: Callable[[Own, Held], Held]
) -> Callable[[Own, Held], Held]:
    """Return (own, held) -> held for use inside JAX, by native code.

    Compiled JAX code calls the native step in place (`call`). Derivatives are those of `arrays`.
    """
    from jax.experimental.buffer_callback import buffer_callback

    def by_call(own: Own, held: Held) -> Held:
        shape = jax.ShapeDtypeStruct((layout.width,), float)
        result = buffer_callback(call, shape, vmap_method="broadcast_all")
        parts = [jnp.ravel(x).astype(float) for x in jax.tree.leaves((own, 0.0, held))]
        out, ends = result(jnp.concatenate(parts)), layout.ends
        leaves = [out[a:b].reshape(x.shape) for a, b, x in zip(ends, ends[1:], layout.avals)]
        return jax.tree.unflatten(layout.tree, leaves)

    step = jax.custom_jvp(by_call)
    step.defjvp(lambda primals, tangents: jax.jvp(arrays, primals, tangents))
    return step


class InPlace:
    """Callback of `pure_native`: packed own and state (..., numbers) -> states one step later.

    A single member runs scalar code, several run vector code. The callback must not call JAX: it
    runs while JAX waits for it, and could deadlock.
    """

    def __init__(
        self, shared: np.ndarray, own: int, one: StepKernel, many: Callable[[], StepKernel]
    ) -> None:
        self._shared, self._own, self._one, self._many = shared, own, one, many

    def __call__(self, _: Tree, found: Tree, numbers: Numbers) -> None:
        given, out = np.asarray(numbers), np.asarray(found)
        flat = given.reshape(-1, given.shape[-1])
        out = out.reshape(len(flat), -1)
        kernel = self._one if len(flat) == 1 else self._many()
        n, width = len(flat), kernel.width
        if n == 1:
            table = flat[0].copy()
            kernel.in_place(self._shared, table)(0, 1, 1)
            out[0] = table[self._own + 1 :]
            return
        # vectors are filled up by copies of the last member
        filled = np.append(np.arange(n), np.full(-n % width, n - 1))
        table = np.ascontiguousarray(flat[filled].T)
        advance = kernel.in_place(self._shared, table)
        threads = cores()
        if n < _WORTH_THREADS or threads == 1:
            advance(0, len(filled), 1)
        else:
            size = -(-len(filled) // (threads * width)) * width
            with concurrent.futures.ThreadPoolExecutor(threads) as pool:
                starts = range(0, len(filled), size)
                list(pool.map(lambda i: advance(i, min(i + size, len(filled)), 1), starts))
        out[:] = table[self._own + 1 :, :n].T


_WORTH_THREADS = 1024  # members in a call from which it pays to start threads


def calls_in_place() -> bool:
    """Return whether compiled JAX code of this version can call other code in place."""
    return importlib.util.find_spec("jax.experimental.buffer_callback") is not None  # it may move
