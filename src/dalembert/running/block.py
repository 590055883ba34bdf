"""The compiled loop of an ensemble: a block of members, many steps in one call."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import lax

from ..compile.engine import Compiled, Device, batched_kernel, cached, compile_for_cpu
from ..compile.layout import Layout
from ..compile.scalarize import Unsupported, scalarized
from ..linalg import OK
from ..methods import Row
from ..methods.base import Carry
from ..system import Point
from .prepare import Plan
from .step import State, one_step

# (steps in one kernel, such kernels in a row), the last for what the others leave: on an H200
# 8 steps in a kernel are six times as fast as one
_GPU_LOOPS = ((8, 16), (4, 1), (1, 1))


class Member(NamedTuple):
    """What a member carries through the loop."""

    varying: Any
    carry: Carry
    row: Row
    frame: Point
    good: Any  # steps done without failure


class _Light(NamedTuple):
    """What of it a step reads and changes."""

    carry: Carry
    frame: Point
    result: Any
    good: Any


@cached(maxsize=64)
def compiled_block(
    shared: Layout, member: Layout, plan: Plan, block: int, rows: int, device: Device | None
) -> Compiled:
    """(shared, numbers, first step, steps of a row, number of rows) -> rows, then the state."""

    def step(given, k, varying, light: _Light) -> tuple[_Light, Row]:
        dynamic, t0, h = given
        system = eqx.combine(varying, dynamic, plan.static)
        # of the row before, a step looks at the record of failures only
        before = Row(*(None,) * 5, jnp.zeros(()), light.result)  # pyright: ignore
        state = State(k, light.carry, before, light.frame, jnp.asarray(False))
        new = one_step(system, plan.method, t0, h, state)
        result = new.row.result
        return _Light(new.carry, new.frame, result, light.good + (result == OK)), new.row

    def light_step(given, k, varying, light: _Light) -> _Light:
        return step(given, k, varying, light)[0]

    def loop(light_step, step, given, members: Member, k, interval, count):
        axes = (None, None, 0, 0)
        quick, full = jax.vmap(light_step, in_axes=axes), jax.vmap(step, in_axes=axes)
        varying = members.varying

        def advance(k, light, end):
            def some(n, c):
                for _ in range(n):
                    c = c[0] + 1, quick(given, c[0], varying, c[1])
                return c

            # on an accelerator large kernels first, and few questions to the host whether to go on
            c: Any = (k, light)
            for unrolled, loops in ((1, 1),) if device is None else _GPU_LOOPS:
                several = partial(some, unrolled)
                if loops > 1:
                    several = partial(_repeated, loops, several)
                within = partial(_leaves_room, unrolled * loops, end)
                c = lax.while_loop(within, several, c)
            return c

        def one_row(c):
            k, members, buffer, i = c
            light = _Light(members.carry, members.frame, members.row.result, members.good)
            # the numbers of a row are needed at its end only
            k, light = advance(k, light, k + interval - 1)
            light, row = full(given, k, varying, light)
            members = Member(varying, light.carry, row, light.frame, light.good)
            return k + 1, members, _write(buffer, i * width, kept_of(members)), i + 1

        width = Layout(kept_of(member.example())).width
        buffer = jnp.zeros((rows * width + member.width, block))
        k, members, buffer, _ = lax.while_loop(
            lambda c: c[3] < count, one_row, (k, members, buffer, jnp.zeros((), int))
        )
        return _write(buffer, rows * width, members)

    def by_numbers(given_numbers, numbers, *counts):
        counts = tuple(x.astype(int) for x in counts)
        given, one = shared.example(), member.example()
        light = _Light(one.carry, one.frame, one.row.result, one.good)
        steps = (scalarized(f, given, counts[0], one.varying, light) for f in (light_step, step))
        body = partial(loop, *steps)
        if device is None:
            return batched_kernel(body, shared, member, given_numbers, numbers, *counts)
        return body(shared.spread(given_numbers), member.spread(numbers), *counts)

    def by_arrays(given_numbers, numbers, *counts):
        counts = tuple(x.astype(int) for x in counts)
        given = shared.unpack(given_numbers)
        return loop(light_step, step, given, member.unpack(numbers.T), *counts)

    sizes = [(shared.width,), (member.width, block), (), (), ()]
    shapes = [jax.ShapeDtypeStruct(size, float) for size in sizes]

    def compiled(f: Compiled, scalar: bool) -> Compiled:
        if device is None:
            return compile_for_cpu(f, *shapes, scalar=scalar)
        with jax.default_device(device):
            return jax.jit(f).lower(*shapes).compile()

    try:
        return compiled(by_numbers, True)
    except Unsupported:
        return compiled(by_arrays, False)
    finally:
        plan.settle()


def _repeated(times: int, f: Compiled, c: Any) -> Any:
    return lax.fori_loop(0, times, lambda _, c: f(c), c)


def _leaves_room(steps: int, end: Any, c: Any) -> Any:
    return c[0] + steps <= end


def kept_of(m: Member) -> Any:
    """What a row in the buffer holds."""
    return m.row, m.frame, m.good


def _write(buffer: jax.Array, i, tree: Any) -> jax.Array:
    """The numbers of the members, a row of the buffer each, from row i on."""
    leaves, block = jax.tree.leaves(tree), buffer.shape[1]
    if all(jnp.ndim(x) == 1 for x in leaves):
        for j, x in enumerate(leaves):
            buffer = lax.dynamic_update_slice(buffer, x.astype(float)[None], (i + j, 0))
        return buffer
    flat = [x.astype(float).reshape(block, -1).T for x in leaves]
    return lax.dynamic_update_slice(buffer, jnp.concatenate(flat), (i, 0))
