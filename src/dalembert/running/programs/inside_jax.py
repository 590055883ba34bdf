"""Runs inside a JAX transformation; `Trajectory.result` reports failures.

On a CPU, compiled JAX code calls native code, under `vmap` with all members at once. Derivatives
and short runs use one `lax.scan` instead. Options that a transformation cannot support are refused
here; each message names the rule of JAX that is the reason.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_derivatives import SymbolicZero

from ...compile.cache.code_key import ReadsTracers
from ...compile.cache.registry import cached
from ...compile.cpu.kernels import StepKernel
from ...compile.engine import Engine
from ...compile.layout import Layout, Tree
from ...compile.own_transpose import linear_map, moving_jvp
from ...compile.tracing import tracing_once
from ...compile.xla import cores
from ...errors import Reason, UsageError
from ...events import Event
from ...linalg import INCONSISTENT, OK
from ...methods import Method
from ...request.prepare import Plan, prepare_traced, start_traced
from ...request.step import Numbers, State, has_any_times, has_own_steps, one_step
from ...request.validate import Given
from ...results import Meta, Trajectory
from ...system import System, is_traced
from ..record.sinks import Every, Final, Stream, check_every
from .adjoint import Adjoint, adjoint_of, in_memory, leaves_of, memory_data
from .held_step import calls_in_place
from .member_loop import LoopSizes, native_rows
from .step_kernel import SavedRow, kernel_of, places, saved_row
from .traced_events import check_traced_events, with_events

_FEW_STEPS = 32  # a run of fewer steps is a `lax.scan`: it ends before native code is called
_ROWS_BYTES, _MOST_MEMBERS = 8 * 2**20, 256  # limits of a block: size of its rows, members
_CALLED = "called by the compiled code of a transformation; arrays where it is differentiated"
_GRADIENT = "called by the compiled code of a transformation; gradients (reverse mode) as well"


def refuse_inside(inside: bool, method: Method, **options: Any) -> None:
    """Raise `UsageError` for options that cannot work inside a JAX transformation."""
    if not inside:
        return
    if has_any_times(method):
        raise UsageError(
            f"{method.name} runs as native code only, outside of jit, vmap and grad: inside use "
            "Gauss(4) with h and steps; da.sensitivities has derivatives of the motion, and "
            "da.simulate_ensemble many runs"
        )
    given = {k: x for k, x in options.items() if x is not None}
    if given.pop("engine", "arrays") != "arrays":
        raise UsageError(
            f"engine={options['engine']!r} cannot be chosen inside of jit, vmap and grad: "
            'leave it out, or use "arrays"'
        )
    for name in given:
        raise UsageError(f"{_REFUSED[name]}: {name} needs a run outside of jit, vmap and grad")
    if not options:
        raise UsageError(
            f"{method.name} inside of jit, vmap and grad: give steps, not t. JAX needs arrays of "
            "known shapes, but the number of steps to t is known only during the run"
        )


# For each option, the requirement of JAX on a compiled function that it would violate.
_REFUSED = {
    "tol": "JAX compiles for arrays of known shapes, and the number of steps would depend on tol "
    "and on the motion",
    "stop_when": "JAX compiles for arrays of known shapes, and the number of rows would depend on "
    "the motion",
    "q1": "a start from (q0, q1) is checked before the run, by numbers that JAX does not have yet",
}


def simulate_traced(
    system: System,
    method: Method,
    q0,
    v0,
    h,
    steps: int,
    t0,
    sinks: Mapping[str, Any],
    project: bool,
    asked: str | None,
    events: Mapping[str, Event] = MappingProxyType({}),
) -> Trajectory:
    """Run `simulate` under jit, vmap or grad."""
    check_traced_events(events)
    sink = sinks.get("")
    if not isinstance(sink, (Every, Final)):
        what = "a store" if isinstance(sink, Stream) else "what save= asks for"
        raise UsageError(
            "a function that JAX compiles gives arrays and has no side effects: "
            f"{what} needs a run outside of jit, vmap and grad; save_every=k and save=Final() work"
        )
    every = 1 if sink.every is None else check_every("save", sink.every)
    if isinstance(sink, Final):
        every = steps
    if steps % every:
        raise UsageError(
            f"inside jit, vmap and grad save_every must divide steps: {steps} / {every}"
        )
    saved, every = every, 1 if events else every  # events are searched from step to step
    dynamic, static, numbers, plan = prepare_traced(system, method, q0, v0, h, t0)

    def by_arrays(dynamic, t0, h, q, v) -> SavedRow:
        with tracing_once():
            system = eqx.combine(dynamic, static)
            start = start_traced(system, method, t0, h, q, v, project)
            return _scanned(system, method, t0, h, start, steps, every)

    engine = Engine("arrays", "inside of a JAX transformation")
    exact = _are_exact(jax.tree.leaves(dynamic))
    if asked == "arrays" or steps < _FEW_STEPS or plan is None or not exact:
        rows = by_arrays(dynamic, *numbers)
    else:
        times = (h, t0)
        rows, engine = _by_native_code(
            plan, by_arrays, (dynamic, *numbers), (steps, every), project, times
        )
        engine = engine.noting(plan.reason)
    result = None
    if events:
        with tracing_once():
            rows, result = with_events((dynamic, static), method, numbers[1], rows, events)
        rows = jax.tree.map(lambda x: x[::saved], rows)
    if isinstance(sink, Final):
        rows = jax.tree.map(lambda x: x[-1:], rows)
    fields = {f.name: getattr(system, f.name) for f in dataclasses.fields(system)}
    meta = Meta.of(
        system,
        method,
        parameters={
            k: v for k, v in fields.items() if isinstance(v, (float, int, jax.Array, np.ndarray))
        },
        h=numbers[1],
        t0=numbers[0],
        steps=steps,
        save_every=saved,
        own_steps=has_own_steps(method),
        constraints=rows.row.multiplier.shape[-1],
        engine=engine.name,
        engine_reason=engine.reason,
    )
    frame = rows.frame if system.groupoid.group.dim else None
    return Trajectory(**rows.row._asdict(), frame=frame, meta=meta, events=result)


def _scanned(
    system: System, method: Method, t0, h, start: State, steps: int, every: int
) -> SavedRow:
    def step(state: State, _):
        return one_step(system, method, t0, h, state), None

    def row(state: State, _):
        state = state._replace(row=state.row._replace(residual=jnp.zeros(())))
        if every == 1:
            state, _ = step(state, None)
        else:  # the steps between rows are recomputed in reverse mode rather than stored
            state, _ = jax.checkpoint(lambda s: lax.scan(step, s, length=every))(state)
        return state, saved_row(state)

    _, rows = lax.scan(row, start, length=steps // every)
    return jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), saved_row(start), rows)


def _by_native_code(
    plan: Plan,
    by_arrays: Callable[..., SavedRow],
    given: tuple[Given, ...],
    sizes: tuple[int, int],
    project: bool,
    times: tuple[Tree, Tree],
) -> tuple[SavedRow, Engine]:
    """Return the rows of a run by native code, and its gradients; tangents are by `by_arrays`.

    `times` are h and t0 as the caller gave them, maybe known numbers; in `given` they are traced.
    """
    steps, every = sizes
    concrete = (given[0], times[1], times[0], *given[3:])
    layout = Layout(saved_row(plan.state.example()))
    engine = Engine("arrays", "inside of a JAX transformation, differentiated")
    leaves, tree = jax.tree.flatten(given)
    shape = (steps // every + 1, layout.width)

    def arrays(*leaves: jax.Array) -> jax.Array:
        rows = by_arrays(*jax.tree.unflatten(tree, leaves))
        flat = [x.reshape(shape[0], -1).astype(float) for x in jax.tree.leaves(rows)]
        return jnp.concatenate(flat, axis=1)

    @jax.custom_jvp
    def run(*leaves: jax.Array) -> jax.Array:
        nonlocal engine
        try:
            members = _members(plan, steps, every, project)
        except (ReadsTracers, jax.errors.UnexpectedTracerError) as error:
            members = Reason(str(error).partition("\n")[0])
        if isinstance(members, Reason):
            engine = Engine("arrays", f"inside of a JAX transformation ({members})")
            return arrays(*leaves)
        from jax.experimental.buffer_callback import buffer_callback

        engine = Engine("native", _CALLED)
        call = buffer_callback(
            members, jax.ShapeDtypeStruct(shape, float), vmap_method="broadcast_all"
        )
        return call(plan.given.pack(leaves))

    def differentiated(primals, tangents):
        # only with respect to arguments with a tangent: other derivatives may be infinite
        nonlocal engine
        moving = tuple(not isinstance(x, SymbolicZero) for x in tangents)
        some = [x for x, moves in zip(primals, moving) if moves]
        dots = [x for x, moves in zip(tangents, moving) if moves]

        def of_moving(*some: jax.Array) -> jax.Array:
            left = iter(some)
            return arrays(*(next(left) if m else x for x, m in zip(primals, moving)))

        result = _adjoint(plan, (steps, every), project, moving, concrete)
        if isinstance(result, Reason):
            reason = f"inside of a JAX transformation, differentiated ({result})"
            engine = Engine("arrays", reason)
            return jax.jvp(of_moving, some, dots)
        engine = Engine("native", _GRADIENT)
        return gradient_rule(result, plan.given, arrays, (primals, moving, dots))

    run.defjvp(differentiated, symbolic_zeros=True)
    return layout.unpack(run(*leaves)), engine


def _adjoint(
    plan: Plan,
    sizes: tuple[int, int],
    project: bool,
    moving: tuple[bool, ...],
    concrete: tuple[Given, ...],
) -> Adjoint | Reason:
    """Return the native gradient of a run, or why there is none."""
    if jax.default_backend() != "cpu":
        return Reason("native code is for a CPU")
    if not calls_in_place():
        return Reason("this version of JAX cannot call native code in place")
    try:
        return adjoint_of(plan, sizes, project, moving, concrete)
    except (ReadsTracers, jax.errors.UnexpectedTracerError) as error:
        return Reason(str(error).partition("\n")[0])


def gradient_rule(
    adjoint: Adjoint,
    given: Layout,
    arrays: Callable[..., jax.Array],
    at: tuple[Sequence[jax.Array], tuple[bool, ...], Sequence[jax.Array]],
) -> tuple[jax.Array, jax.Array]:
    """Return the rows of a run and their tangent: native in reverse mode, arrays in forward mode.

    `at` has the leaves, which of them are differentiated, and the tangents of those.
    """
    from jax.experimental.buffer_callback import buffer_callback

    primals, moving, dots = at
    rows, stored = adjoint.rows * adjoint.row_width, adjoint.stored * adjoint.stored_width

    def split(primals: Sequence[jax.Array], some: Sequence[jax.Array]) -> list[jax.Array]:
        left = iter(some)
        return [next(left) if m else x for x, m in zip(primals, moving)]

    def tangent(_: jax.Array, *args: jax.Array) -> jax.Array:
        primals, dots = args[: len(moving)], args[len(moving) :]
        some = [x for x, m in zip(primals, moving) if m]
        return jax.jvp(lambda *x: arrays(*split(primals, x)), some, list(dots))[1]

    def pulled_by_arrays(*args: jax.Array) -> Tree:
        _, *primals, cotangent = args
        some = [x for x, m in zip(primals, moving) if m]
        return list(jax.vjp(lambda *x: arrays(*split(primals, x)), *some)[1](cotangent))

    @jax.custom_jvp
    def pulled(*args: jax.Array) -> Tree:
        stored, *primals, cotangent = args
        call = buffer_callback(
            adjoint.backward_in_place,
            jax.ShapeDtypeStruct((given.width,), float),
            vmap_method="broadcast_all",
        )
        result = given.leaves(call(given.pack(primals), stored, cotangent))
        return [x for x, m in zip(result, moving) if m]

    @jax.custom_jvp
    def forward(*primals: jax.Array) -> jax.Array:
        call = buffer_callback(
            adjoint.forward_in_place,
            jax.ShapeDtypeStruct((rows + stored,), float),
            vmap_method="broadcast_all",
        )
        return call(given.pack(primals))

    # Derivatives of a gradient are computed by the code on arrays. They do not go through the
    # stored states, which are constants for `pulled`; so zeros stand for them here.
    def forward_by_arrays(*primals: jax.Array) -> jax.Array:
        return jnp.concatenate([jnp.ravel(arrays(*primals)), jnp.zeros(stored)])

    for native, by_arrays in ((pulled, pulled_by_arrays), (forward, forward_by_arrays)):

        def rule(args, dots, native=native, by_arrays=by_arrays):
            known = [None if isinstance(d, SymbolicZero) else d for d in dots]
            return native(*args), moving_jvp(by_arrays, args, known)

        native.defjvp(rule, symbolic_zeros=True)

    made = forward(*primals)
    value = made[:rows].reshape(adjoint.rows, adjoint.row_width)
    saved = (made[rows:].reshape(adjoint.stored, adjoint.stored_width), *primals)
    dot = linear_map(
        saved,
        dots,
        value.shape,
        tangent,
        pulled,
    )
    return value, dot


def _are_exact(leaves: Sequence[Tree]) -> bool:
    """Whether all numbers are exact in double precision, the only type of native code."""
    for x in leaves:
        if x.dtype.kind in "fb" or (x.dtype.kind in "iu" and x.dtype.itemsize <= 4):
            continue
        if x.dtype.kind not in "iu" or is_traced(x) or np.any(np.abs(np.asarray(x)) > 2**53):
            return False
    return True


@cached(maxsize=64)
def _members(plan: Plan, steps: int, every: int, project: bool) -> _MemberBlocks | Reason:
    if jax.default_backend() != "cpu":
        return Reason("native code is for a CPU")
    if importlib.util.find_spec("jax.experimental.buffer_callback") is None:  # it may move
        return Reason("this version of JAX cannot call native code in place")
    leaves, plan = leaves_of(plan), in_memory(plan)
    nobody = Layout(jax.tree.map(lambda _: None, plan.parameters.example()))
    kernel = kernel_of(plan, nobody, plan.parameters, None, many=True)
    if isinstance(kernel, Reason):
        return kernel
    if not plan.starts_natively:
        return Reason("its start has no native code")
    return _MemberBlocks(plan, leaves, kernel, steps, every, project)


class _MemberBlocks:
    """Callback: packed data (..., numbers) -> rows (..., rows, numbers), written in place.

    The callback must not call JAX, which could deadlock: `jax.pure_callback` does so on a machine
    with one core.
    """

    def __init__(
        self,
        plan: Plan,
        leaves: Sequence[Tree],
        kernel: StepKernel,
        steps: int,
        every: int,
        project: bool,
    ) -> None:
        self._plan, self._kernel, self._leaves = plan, kernel, leaves
        self._steps, self._every, self._rows = steps, every, steps // every
        at = places(plan.state)
        self._kept = np.concatenate([np.ravel(x) for x in jax.tree.leaves(saved_row(at))]).astype(
            int
        )
        self._result = int(at.row.result)
        self._project = project or not plan.is_constrained
        fit = _ROWS_BYTES // (8 * self._rows * kernel.row_width) // kernel.width
        self._block = kernel.width * max(1, min(fit, _MOST_MEMBERS // kernel.width))

    def __call__(self, _: Tree, found: Tree, numbers: Numbers) -> None:
        given, out = np.asarray(numbers), np.asarray(found)
        packed = np.ascontiguousarray(given.reshape(-1, given.shape[-1]))
        out = out.reshape(len(packed), *out.shape[-2:])
        # tables are read in `packed`, which stays alive until the run is over
        flat = packed
        if any(leaf.table is not None for leaf in self._leaves):
            flat = np.stack([memory_data(self._leaves, x) for x in packed])
        states, wrong = self._plan.start_rows(flat, self._project)
        result = states[:, self._result]
        result[wrong & (result == OK)] = INCONSISTENT
        out[:, 0] = states[:, self._kept]
        parameters = self._plan.parameters.width
        times = flat[:, parameters : parameters + 2]
        parts = [
            alike[i : i + self._block]
            for alike in _groups(times)
            for i in range(0, len(alike), self._block)
        ]

        def run(which: np.ndarray) -> None:
            n = len(which)
            filled = np.append(which, np.repeat(which[-1:], -n % self._kernel.width))
            good = np.zeros((len(filled), 1))
            table = np.concatenate([flat[filled, :parameters], states[filled], good], axis=1)
            sizes = LoopSizes(len(filled), self._rows, self._every, self._steps)
            shared = np.ascontiguousarray(times[which[0]])
            given = (shared, table.T, 0, self._every, self._rows)
            rows, _ = native_rows(self._kernel, sizes, *given)
            out[which, 1:] = rows[:-1, :-1, :n].transpose(2, 0, 1)

        if len(parts) == 1:
            run(parts[0])
        else:
            with concurrent.futures.ThreadPoolExecutor(cores()) as pool:
                list(pool.map(run, parts))


def _groups(times: np.ndarray) -> list[np.ndarray]:
    """Return groups of members with equal t0 and h; a native call has one t0 and one h."""
    if np.all(times == times[:1]):
        return [np.arange(len(times))]
    _, group = np.unique(times, axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group.ravel()[order])) + 1)
