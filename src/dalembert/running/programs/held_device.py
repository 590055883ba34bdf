"""The compiled step of `Stepper` on a GPU: its arrays stay there, one thread for each member.

The kernel is that of ensembles (`compile.gpu`). It is called from compiled JAX code, on XLA's
stream, so a step can be part of `jit` and `scan`: no number goes through the host.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ...compile.cache.registry import cached
from ...compile.engine import Engine
from ...compile.ir.tape import Unsupported
from ...compile.layout import Layout, Tree
from ...compile.xla import Device
from ...errors import Reason, UsageError
from ...linalg import OK
from ...request.prepare import Plan
from ...request.validate import Given
from .held_step import Held, Own, held_layout, held_steps, pure_arrays

if TYPE_CHECKING:
    from ...compile.gpu.ptx import StepsOnGpu


@cached(maxsize=64)
def device_kernel(
    plan: Plan, shared: Layout, own: Layout, crowded: bool, device: Device
) -> StepsOnGpu | Reason:
    """Return the kernel for a device, or why there is none; on a CPU it is interpreted, for tests.

    `crowded` is as for `gpu_steps`.
    """
    from ...compile.gpu.ptx import gpu_steps

    try:
        return gpu_steps(held_steps(plan, shared, own, memory=False), 1, crowded, device)
    except Unsupported as error:
        return Reason(str(error))


def accelerator() -> Any:
    """Return the GPU that JAX uses by default, or None if it uses the CPU."""
    return None if jax.default_backend() == "cpu" else jax.local_devices()[0]


def device_of(device: Given, asked: str | None) -> Any:
    """Return the device of a stepper: None for the host, where NumPy arrays are updated in place.

    `device` is None, a name ("cpu", "gpu", "gpu:1") or a device of JAX. The engine "gpu" on a CPU
    is the kernel of a GPU, interpreted, for tests.
    """
    if isinstance(device, str):
        kind, _, index = device.partition(":")
        try:
            device = jax.local_devices(backend=kind)[int(index or 0)]
        except (RuntimeError, ValueError, IndexError) as error:
            raise UsageError(f"device={device!r}: JAX has no such device here ({error})") from None
    if device is not None and not isinstance(device, jax.Device):
        raise UsageError(f"device must be a JAX device or its name, such as 'gpu', got {device!r}")
    if device is None and asked == "gpu":
        # The kernel is asked for explicitly: it runs on JAX's default device.
        device = accelerator()
        if device is None:
            raise UsageError("engine='gpu': JAX sees no GPU here")
    # On a CPU the native stepper updates NumPy arrays in place, which is faster than any JAX
    # array.
    if device is None or (device.platform == "cpu" and asked != "gpu"):
        return None
    return device


def name_of(device: Device) -> Any:
    """Return the name of a device for `device_of`, also in other processes."""
    if not isinstance(device, jax.Device):
        return device
    return f"{device.platform}:{jax.local_devices(backend=device.platform).index(device)}"


def engine_on(
    device: Given, asked: str | None, found: Callable[[], StepsOnGpu | Reason]
) -> tuple[Engine, StepsOnGpu | None]:
    """Return the engine of a device, and its kernel unless XLA makes the steps."""
    if asked == "native":
        raise UsageError("engine='native' is for a CPU: leave device= out")
    why = "asked for"
    if asked != "arrays":
        kernel = found()
        if not isinstance(kernel, Reason):
            return Engine("gpu", "interpreted on a CPU" if device.platform == "cpu" else ""), kernel
        why = kernel.text
    if asked == "gpu":
        raise UsageError(f"engine='gpu' cannot run this: {why}; leave engine= out")
    return Engine("arrays", why), None


def pure_kernel(
    kernel: StepsOnGpu,
    shared: np.ndarray,
    own: Layout,
    held: Layout,
    arrays: Callable[[Own, Held], Held],
    steps: int = 1,
) -> Callable[[Own, Held], Held]:
    """Return (own, held) -> held after `steps` steps, of one member, for use inside JAX.

    Under `vmap` all members are one launch. Derivatives are those of `arrays`, of one step.
    """
    from jax.experimental.buffer_callback import buffer_callback

    packed = Layout((own.example(), 0.0, held.example()))
    read = set(kernel.read)
    # XLA takes no empty buffer.
    numbers = shared if shared.size else np.zeros(1)

    def lines_of(i: int, x: Tree) -> Tree:
        """The numbers of a leaf, members last; what no step reads need not be copied."""
        a, b = packed.ends[i], packed.ends[i + 1]
        # Copies of numbers that no step reads would double the traffic of a small step.
        if read.isdisjoint(range(a, b)):
            return jnp.zeros((b - a, len(x)))
        return jnp.reshape(x, (len(x), b - a)).T.astype(float)

    @jax.custom_batching.custom_vmap
    def many(parameters: Own, now: Held) -> Held:
        n = len(now.t0)
        leaves = jax.tree.leaves((parameters, jnp.zeros(n), now))
        table = jnp.concatenate([lines_of(i, x) for i, x in enumerate(leaves)])
        shapes = ((packed.width, n), (1, kernel.width, n))
        call = buffer_callback(
            functools.partial(kernel.in_jax, steps),
            tuple(jax.ShapeDtypeStruct(x, float) for x in shapes),
            # The state is updated in place: its buffer is given back as the result.
            input_output_aliases={1: 0},
        )
        table = call(jnp.asarray(numbers), table)[0][own.width + 1 :]
        result = [
            table[a:b].T.reshape(n, *x.shape)
            for a, b, x in zip(held.ends, held.ends[1:], held.avals)
        ]
        return jax.tree.unflatten(held.tree, result)

    # vmap over members that are members already: both axes become one launch.
    @many.def_vmap
    def many_more(size: int, batched: Tree, *given: Tree) -> tuple[Held, Tree]:
        given = _spread(size, batched, given)
        flat = jax.tree.map(lambda x: x.reshape(size * x.shape[1], *x.shape[2:]), given)
        result = many(*flat)
        result = jax.tree.map(lambda x: x.reshape(size, len(x) // size, *x.shape[1:]), result)
        return result, jax.tree.map(lambda _: True, result)

    @jax.custom_batching.custom_vmap
    def one(parameters: Own, now: Held) -> Held:
        given = jax.tree.map(lambda x: jnp.asarray(x)[None], (parameters, now))
        return jax.tree.map(lambda x: x[0], many(*given))

    @one.def_vmap
    def members(size: int, batched: Tree, *given: Tree) -> tuple[Held, Tree]:
        result = many(*_spread(size, batched, given))
        return result, jax.tree.map(lambda _: True, result)

    # The kernel has no derivative; that of the array code is the same up to round-off.
    step = jax.custom_jvp(lambda parameters, now: one(parameters, now))

    @step.defjvp
    def derivative(primals: Tree, tangents: Tree) -> Tree:
        return jax.jvp(arrays, primals, tangents)

    return step


def _spread(size: int, batched: Tree, given: Tree) -> Tree:
    """Return the arguments with the members as first axis, also where all have the same."""

    def one(x: Tree, has: bool) -> Tree:
        return x if has else jnp.broadcast_to(x, (size, *jnp.shape(x)))

    return jax.tree.map(one, given, tuple(batched))


class DeviceMembers:
    """The steps of all members of a `Stepper` on a device: (own, held) -> held, compiled by JAX."""

    def __init__(
        self,
        plan: Plan,
        shared_tree: Tree,
        shared: np.ndarray,
        own: Layout,
        h: float,
        device: Device,
    ) -> None:
        self._plan, self._tree, self._shared, self._own = plan, shared_tree, shared, own
        self._h, self._device = h, device
        # One compiled function per number of steps, as callers use one or two of them.
        self._steps: dict[int, Tree] = {}

    def advance(self, kernel: StepsOnGpu | None, own: Own, held: Held, steps: int) -> Held:
        """Return the state after `steps` steps, with failed members `marked`."""
        if steps not in self._steps:
            self._steps[steps] = self._made(kernel, steps)
        return self._steps[steps](own, held)

    def arrays(self, own: Own, held: Held) -> Held:
        """One step of one member as JAX operations."""
        return pure_arrays(self._plan)(self._tree, own, self._h, held)

    def _made(self, kernel: StepsOnGpu | None, steps: int) -> Tree:
        def by_xla(own: Own, held: Held) -> Held:
            # The largest residual since this call, not since the start.
            fresh = jnp.zeros_like(held.state.row.residual)
            row = held.state.row._replace(residual=fresh)
            held = held._replace(state=held.state._replace(row=row))
            return jax.lax.fori_loop(0, steps, lambda _, x: self.arrays(own, x), held)

        step: Any = by_xla
        if kernel is not None:
            layout = held_layout(self._plan)
            step = pure_kernel(kernel, self._shared, self._own, layout, self.arrays, steps)

        def all_members(own: Own, held: Held) -> Held:
            return marked(jax.vmap(step)(own, held))

        return jax.jit(all_members)


def marked(held: Held) -> Held:
    """Return the states with NaN in q, v, p and the multipliers of members that failed."""
    # A failed member keeps its result code, and everything that could be mistaken for a motion is
    # NaN.
    row = held.state.row
    bad = row.result != OK

    def nan(x: Tree) -> Tree:
        return jnp.where(bad.reshape(-1, *(1,) * (x.ndim - 1)), jnp.nan, x)

    moved = {x: jax.tree.map(nan, getattr(row, x)) for x in ("q", "v", "p", "multiplier")}
    return held._replace(state=held.state._replace(row=row._replace(**moved)))
