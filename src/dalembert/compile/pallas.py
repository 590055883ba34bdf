"""The loop over steps as a Pallas kernel for a GPU: a member in each lane, its state in registers.

Like the native loop (`stepping`), of a step it computes only what the next one depends on, and the
rest where a row is written. A loop inside of a step goes on while a member of the block wants it
to, and those at rest keep their values.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .stepping import Steps
from .tape import Block, Branch, Lane, Loop, Unsupported, Value, is_needed, known

Array: TypeAlias = Any
Env: TypeAlias = dict[int, Array]

BLOCK = 64  # members of a program: two warps
# More operations in a step than this take the compiler of kernels longer than they save
# (`benchmarks/gpu.py` shows sizes and times).
LARGEST = 6_000


def _whole(towards_zero: Callable[..., Array], of_floats: Callable[..., Array]) -> Any:
    def divide(a: Array, b: Array) -> Array:
        return (of_floats if jnp.issubdtype(a.dtype, jnp.floating) else towards_zero)(a, b)

    return divide


def _truncated(a: Array, b: Array) -> Array:
    return lax.div(*jnp.broadcast_arrays(a, b))


def _remainder(a: Array, b: Array) -> Array:
    return lax.rem(*jnp.broadcast_arrays(a, b))


def _float_remainder(a: Array, b: Array) -> Array:
    whole = a / b
    return a - b * jnp.where(whole < 0, jnp.ceil(whole), jnp.floor(whole))


def _largest(a: Array, b: Array) -> Array:
    return jnp.where((a > b) | (a != a), a, b)  # a NaN on either side is what comes out


def _least(a: Array, b: Array) -> Array:
    return jnp.where((a < b) | (a != a), a, b)


def _sign(x: Array) -> Array:
    one, zero = x.dtype.type(1), x.dtype.type(0)
    return jnp.where(x > zero, one, jnp.where(x < zero, -one, x))


def _round_even(x: Array) -> Array:
    down = jnp.floor(x)
    away = x - down
    odd = down - np.float64(2) * jnp.floor(down * np.float64(0.5)) != np.float64(0)
    up = (away > np.float64(0.5)) | ((away == np.float64(0.5)) & odd)
    return jnp.where(up, down + np.float64(1), down)


def _round_away(x: Array) -> Array:
    return _sign(x) * jnp.floor(jnp.abs(x) + np.float64(0.5))


# What Triton has no function for is made of what it has, to a few units in the last place.
OPERATIONS: Mapping[str, Callable[..., Array]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "div": _whole(_truncated, lambda a, b: a / b),
    "rem": _whole(_remainder, _float_remainder),
    "max": _largest,
    "min": _least,
    "abs": jnp.abs,
    "sign": _sign,
    "is_finite": lambda x: jnp.abs(x) < np.float64(np.inf),
    "round_even": _round_even,
    "round_away": _round_away,
    "floor": jnp.floor,
    "ceil": jnp.ceil,
    "pow": jnp.power,
    "atan2": jnp.arctan2,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": lambda a: ~a,
    "select": lambda which, no, yes: jnp.where(which, yes, no),
    **{
        name: getattr(lax, name)
        for name in (
            *("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
            *("asinh", "acosh", "atanh", "exp", "exp2", "expm1", "log", "log1p", "cbrt"),
        )
    },
}


class _Lanes:
    """A tape on vectors of members."""

    def __init__(self, width: int, needed: set[int], mask: Array | None = None) -> None:
        self.width, self.needed, self.mask = width, needed, mask

    def full(self, x: Array, dtype: np.dtype) -> Array:
        """A number for each member."""
        return jnp.broadcast_to(jnp.asarray(x, dtype), (self.width,))

    @staticmethod
    def read(env: Env, x: Lane) -> Array:
        """A lane as an operand; numbers with their type, which Triton would take for another."""
        return x if known(x) else env[x.number]

    def run(self, block: Block, env: Env) -> None:
        """All that is needed of a block."""
        for item in block.items:
            if not is_needed(item, self.needed):
                continue
            if isinstance(item, Value):
                env[item.number] = self._operation(item, env)
            elif isinstance(item, Loop):
                self._loop(item, env)
            else:
                self._branch(item, env)

    def _operation(self, item: Value, env: Env) -> Array:
        xs = [self.read(env, x) for x in item.operands]
        if item.op == "convert":
            return _converted(xs[0], item.dtype)
        try:
            return OPERATIONS[item.op](*xs)
        except KeyError:
            raise Unsupported(f"no code for '{item.op}' on a GPU") from None

    def _loop(self, item: Loop, env: Env) -> None:
        carried = [i for i, x in enumerate(item.inputs) if x.number in self.needed]
        types = [item.inputs[i].dtype for i in carried]

        def at(values: Any) -> Env:
            return env | {item.inputs[i].number: x for i, x in zip(carried, values)}

        def goes_on(values: Any) -> Array:
            inner = at(values)
            self.run(item.test, inner)
            return self.full(self.read(inner, item.goes_on), np.dtype(bool))

        def body(c: Any) -> Any:
            *values, active = c
            inner = at(values)
            _Lanes(self.width, self.needed, active).run(item.body, inner)
            new = [self.full(self.read(inner, item.next[i]), t) for i, t in zip(carried, types)]
            values = [jnp.where(active, x, y) for x, y in zip(new, values)]
            return (*values, active & goes_on(values))

        def any_active(c: Any) -> Array:
            return jnp.max(c[-1].astype(jnp.int32)) > 0

        start = [self.full(self.read(env, item.start[i]), t) for i, t in zip(carried, types)]
        active = goes_on(start)
        if self.mask is not None:
            active = active & self.mask
        *ends, _ = lax.while_loop(any_active, body, (*start, active))
        env.update({item.results[i].number: x for i, x in zip(carried, ends)})

    def _branch(self, item: Branch, env: Env) -> None:
        """Both ways, each with loops for the members that take it."""
        wanted = [i for i, x in enumerate(item.results) if x.number in self.needed]
        which = self.full(self.read(env, item.which), np.dtype(bool))
        found = []
        for taken, way, outs in zip((~which, which), item.ways, item.outs):
            inner = dict(env)
            mask = taken if self.mask is None else taken & self.mask
            _Lanes(self.width, self.needed, mask).run(way, inner)
            found.append([self.read(inner, outs[i]) for i in wanted])
        for i, no, yes in zip(wanted, *found):
            env[item.results[i].number] = jnp.where(which, yes, no)


def _converted(x: Array, dtype: np.dtype) -> Array:
    x = jnp.asarray(x)
    if dtype.kind == "b":
        return x if x.dtype == bool else x != x.dtype.type(0)
    return x.astype(dtype)


class PallasKernel:
    """Rows of many members: (shared, table, k, interval, count, fresh) -> rows, table.

    `table` (numbers, members) is where the members stand; each of the `count` rows, (numbers of a
    row, members), takes `interval` steps. `fresh` says that the first of them begins at a row.
    """

    def __init__(self, steps: Steps, rows: int, interpret: bool) -> None:
        size = len(steps.recorded.tape.operations(steps.recorded.needed()))
        if size > LARGEST:
            raise Unsupported(f"{size} operations in a step, for a GPU too many")
        self.steps, self.rows, self.interpret = steps, rows, interpret
        shared, own, state = steps.recorded.inputs
        self.widths = len(shared), len(own) + len(state)

    def compiled(self, members: int, device: Any) -> Callable[..., Any]:
        """For so many members, on a device, compiled now; `Unsupported` where it cannot be."""
        sizes = [(4,), (max(self.widths[0], 1),), (self.widths[1], members)]
        kinds = (jnp.int64, float, float)
        shapes = [jax.ShapeDtypeStruct(size, kind) for size, kind in zip(sizes, kinds)]
        call = self._call(members)
        try:
            with jax.default_device(device):
                return jax.jit(call).lower(*shapes).compile()
        except (NotImplementedError, jax.errors.JaxRuntimeError) as error:
            first = str(error).strip().partition("\n")[0]
            raise Unsupported(f"no kernel for a GPU: {first}") from error

    def _call(self, members: int) -> Callable[..., Any]:
        from jax.experimental import pallas as pl

        width = len(self.steps.kept)
        options: dict[str, Any] = {"interpret": True}
        if not self.interpret:
            from jax.experimental.pallas import triton

            params = triton.CompilerParams(num_warps=BLOCK // 32, num_stages=1)
            options = {"compiler_params": params}
        return pl.pallas_call(
            functools.partial(self._body, pl),
            out_shape=[
                jax.ShapeDtypeStruct((self.rows, width, members), float),
                jax.ShapeDtypeStruct((self.widths[1], members), float),
            ],
            grid=(members // BLOCK,),
            input_output_aliases={2: 1},
            **options,
        )

    def _body(self, pl: Any, counts: Any, given: Any, table: Any, rows: Any, out: Any) -> None:
        steps = self.steps
        r = steps.recorded
        shared, own, state = r.inputs
        everything, light = r.needed(), steps.light()
        full_step, light_step = _Lanes(BLOCK, everything), _Lanes(BLOCK, light)
        mine = pl.ds(pl.program_id(0) * BLOCK, BLOCK)
        k, interval, count, fresh = (counts[i] for i in range(4))

        env: Env = {}
        for j, value in enumerate(shared):
            if value.number in everything:
                env[value.number] = _converted(given[j], value.dtype)
        full_step.run(r.tape.levels[0], env)
        for j, value in enumerate(own):
            if value.number in everything:
                env[value.number] = _converted(table[j, mine], value.dtype)
        full_step.run(r.tape.levels[1], env)
        carried = [i for i, x in enumerate(state) if x.number in everything and i != steps.k]
        for i in (steps.residual, steps.result, steps.stopped):
            if i not in carried:
                carried.append(i)

        def made(how: _Lanes, k: Array, values: Any) -> tuple[Env, list[Array]]:
            inner = env | {state[i].number: x for i, x in zip(carried, values)}
            inner[state[steps.k].number] = k.astype(state[steps.k].dtype)
            how.run(r.tape.levels[2], inner)
            return inner, [how.full(how.read(inner, r.outputs[i]), state[i].dtype) for i in carried]

        def one_step(_: Array, c: Any) -> Any:
            k, values = c
            return k + 1, made(light_step, k, values)[1]

        def one_row(i: Array, c: Any) -> Any:
            k, values = c
            at = carried.index(steps.residual)
            clean = (i > 0) | (fresh > 0)
            values = list(values)
            values[at] = jnp.where(clean, np.float64(0), values[at])
            k, values = lax.fori_loop(0, interval - 1, one_step, (k, values))
            inner, values = made(full_step, k, values)
            k = k + 1

            def number(j: int) -> Array:
                x = k if j == steps.k else full_step.read(inner, r.outputs[j])
                return full_step.full(jnp.asarray(x).astype(float), np.dtype(float))

            for j, place in enumerate(steps.kept):
                rows[i, j, mine] = number(place)

            @pl.when(i == count - 1)
            def _() -> None:
                for j in range(len(state)):
                    out[len(own) + j, mine] = number(j)

            return k, values

        begin = [_converted(table[len(own) + i, mine], state[i].dtype) for i in carried]
        lax.fori_loop(0, count, one_row, (k, begin))
