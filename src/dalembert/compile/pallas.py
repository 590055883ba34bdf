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

BLOCK = 32  # members of a program: one warp, which asks "does any" without waiting for others
# More operations in a step than this take the compiler of kernels longer than they save
# (`benchmarks/gpu.py` shows sizes and times).
LARGEST = 6_000


def _binary(f: Callable[..., Array]) -> Callable[..., Array]:
    """Of a number and a vector of them, too; the functions of `lax` want both alike."""

    def on_both(a: Array, b: Array) -> Array:
        if np.shape(a) != np.shape(b):
            shape = np.shape(a) or np.shape(b)
            a, b = (x if np.shape(x) else lax.broadcast(x, shape) for x in (a, b))
        return f(a, b)

    return on_both


def _where(which: Array, no: Array, yes: Array) -> Array:
    shape = np.shape(which) or np.shape(no) or np.shape(yes)
    if shape:
        xs = (x if np.shape(x) else lax.broadcast(x, shape) for x in (which, no, yes))
        which, no, yes = xs
    return lax.select(which, yes, no)


def _float_remainder(a: Array, b: Array) -> Array:
    whole = a / b
    return a - b * _where(whole < 0, lax.floor(whole), lax.ceil(whole))


def _remainder(a: Array, b: Array) -> Array:
    return (_float_remainder if a.dtype.kind == "f" else lax.rem)(a, b)


def _largest(a: Array, b: Array) -> Array:
    return _where((a > b) | (a != a), b, a)  # a NaN on either side is what comes out


def _least(a: Array, b: Array) -> Array:
    return _where((a < b) | (a != a), b, a)


def _sign(x: Array) -> Array:
    one, zero = x.dtype.type(1), x.dtype.type(0)
    return _where(x > zero, _where(x < zero, x, -one), one)


def _round_even(x: Array) -> Array:
    down = lax.floor(x)
    away = x - down
    odd = down - np.float64(2) * lax.floor(down * np.float64(0.5)) != np.float64(0)
    up = (away > np.float64(0.5)) | ((away == np.float64(0.5)) & odd)
    return _where(up, down, down + np.float64(1))


def _round_away(x: Array) -> Array:
    return _sign(x) * lax.floor(lax.abs(x) + np.float64(0.5))


# What Triton has no function for is made of what it has, or refused.
OPERATIONS: Mapping[str, Callable[..., Array]] = {
    **{
        name: _binary(getattr(lax, name))
        for name in ("add", "sub", "mul", "div", "pow", "atan2", "eq", "ne", "lt", "le", "gt", "ge")
    },
    **{
        name: getattr(lax, name)
        for name in (
            *("neg", "abs", "floor", "ceil", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan"),
            *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "exp2", "expm1", "log"),
            *("log1p", "cbrt"),
        )
    },
    "rem": _binary(_remainder),
    "max": _binary(_largest),
    "min": _binary(_least),
    "sign": _sign,
    "is_finite": lambda x: lax.lt(lax.abs(x), lax.full_like(x, np.inf)),
    "round_even": _round_even,
    "round_away": _round_away,
    "and": _binary(lax.bitwise_and),
    "or": _binary(lax.bitwise_or),
    "xor": _binary(lax.bitwise_xor),
    "not": lax.bitwise_not,
    "select": _where,
}


class _Lanes:
    """A tape on vectors of members."""

    def __init__(self, width: int, needed: set[int], mask: Array | None = None) -> None:
        self.width, self.needed, self.mask = width, needed, mask

    def full(self, x: Array, dtype: np.dtype) -> Array:
        """A number for each member."""
        x = dtype.type(x) if known(x) else _converted(x, dtype)
        return x if np.shape(x) else lax.broadcast(x, (self.width,))

    @staticmethod
    def read(env: Env, x: Lane) -> Array:
        """A lane as an operand; numbers with their type, which Triton would take for another."""
        return x if known(x) else env[x.number]

    def run(self, block: Block, env: Env) -> None:
        """All that is needed of a block and is not there yet."""
        for item in block.items:
            if not is_needed(item, self.needed) or self._is_there(item, env):
                continue
            if isinstance(item, Value):
                env[item.number] = self._operation(item, env)
            elif isinstance(item, Loop):
                self._loop(item, env)
            else:
                self._branch(item, env)

    def _is_there(self, item: Value | Loop | Branch, env: Env) -> bool:
        if isinstance(item, Value):
            return item.number in env
        return all(x.number in env for x in item.results if x.number in self.needed)

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
            values = [lax.select(active, x, y) for x, y in zip(new, values)]
            return (*values, active & goes_on(values))

        start = [self.full(self.read(env, item.start[i]), t) for i, t in zip(carried, types)]
        active = goes_on(start)
        if self.mask is not None:
            active = active & self.mask
        *ends, _ = lax.while_loop(lambda c: _any(c[-1]), body, (*start, active))
        env.update({item.results[i].number: x for i, x in zip(carried, ends)})

    @staticmethod
    def _asked(which: Lane, way: int) -> int:
        """Where it is kept whether any member goes a way: beside the values, which begin at 0."""
        return -2 * which.number - way - 1

    def _branch(self, item: Branch, env: Env) -> None:
        """Both ways, each by the members that take it, unless there are none."""
        wanted = [i for i, x in enumerate(item.results) if x.number in self.needed]
        types = [item.results[i].dtype for i in wanted]
        which = self.full(self.read(env, item.which), np.dtype(bool))

        def gone(way: Block, outs: list[Lane], mask: Array) -> list[Array]:
            inner = dict(env)
            _Lanes(self.width, self.needed, mask).run(way, inner)
            return [self.full(self.read(inner, outs[i]), t) for i, t in zip(wanted, types)]

        def nobody() -> list[Array]:
            return [self.full(t.type(0), t) for t in types]

        found = []
        for i, (way, outs) in enumerate(zip(item.ways, item.outs)):
            mask = which if i else ~which
            mask = mask if self.mask is None else mask & self.mask
            some = functools.partial(gone, way, outs, mask)
            is_empty = not any(is_needed(x, self.needed) for x in way.items)
            if is_empty:
                found.append(some())
                continue
            # members are asked once, however many branches go by their answer
            asked = self._asked(item.which, i)
            if asked not in env:
                env[asked] = _any(mask)
            found.append(lax.cond(env[asked], some, nobody))
        for i, no, yes in zip(wanted, *found):
            env[item.results[i].number] = lax.select(which, yes, no)


def _any(flags: Array) -> Array:
    return jnp.max(flags.astype(jnp.int32)) > 0


def _converted(x: Array, dtype: np.dtype) -> Array:
    if x.dtype == dtype:
        return x
    if dtype.kind == "b":
        return lax.ne(x, lax.full_like(x, 0))
    return lax.convert_element_type(x, dtype)


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
        first, interval, count, fresh = (counts[i] for i in range(4))

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

        replaced = [j for j in steps.at_row if j in carried]
        at_residual = carried.index(steps.residual)
        zero = lax.full((BLOCK,), np.float64(0))

        def one_step(c: Any) -> Any:
            done, left, i, values = c
            inner = env | {state[j].number: x for j, x in zip(carried, values)}
            k = first + done
            inner[state[steps.k].number] = _converted(k, state[steps.k].dtype)
            light_step.run(r.tape.levels[2], inner)
            values = [
                light_step.full(light_step.read(inner, r.outputs[j]), state[j].dtype)
                for j in carried
            ]
            at_row = left == 1

            def kept() -> list[Array]:
                whole = dict(inner)
                full_step.run(r.tape.levels[2], whole)

                def number(j: int) -> Array:
                    x = k + 1 if j == steps.k else full_step.read(whole, steps.next(j, True))
                    return full_step.full(x, np.dtype(float))

                for j, place in enumerate(steps.kept):
                    rows[i, j, mine] = number(place)

                @pl.when(i == count - 1)
                def _() -> None:
                    for j in range(len(state)):
                        out[len(own) + j, mine] = number(j)

                return [_converted(number(j), state[j].dtype) for j in replaced]

            def not_kept() -> list[Array]:
                return [values[carried.index(j)] for j in replaced]

            for j, x in zip(replaced, lax.cond(at_row, kept, not_kept)):
                values[carried.index(j)] = x
            clean = lax.broadcast(at_row, (BLOCK,))
            values[at_residual] = lax.select(clean, zero, values[at_residual])
            one = _converted(at_row, i.dtype)
            return done + 1, lax.select(at_row, interval, left - 1), i + one, values

        begin = [_converted(table[len(own) + i, mine], state[i].dtype) for i in carried]
        clean = lax.broadcast(fresh > 0, (BLOCK,))
        begin[at_residual] = lax.select(clean, zero, begin[at_residual])
        nothing = lax.full_like(count, 0)
        lax.while_loop(lambda c: c[2] < count, one_step, (nothing, interval, nothing, begin))
