"""A tape as operations of JAX on scalars, for accelerators: under `vmap` they become vectors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from .scalarize import Recorded
from .tape import Block, Lane, Loop, Unsupported, Value, is_needed, known

_RENAMED: dict[str, Callable[..., Any]] = {
    "and": lax.bitwise_and,
    "or": lax.bitwise_or,
    "xor": lax.bitwise_xor,
    "not": lax.bitwise_not,
    "select": lax.select_n,
    "round_even": functools.partial(lax.round, rounding_method=lax.RoundingMethod.TO_NEAREST_EVEN),
    "round_away": lax.round,
}


def evaluated(recorded: Recorded, numbers: Sequence[Any]) -> list[Any]:
    """The outputs for these inputs, flat."""
    flat = [value for group in recorded.inputs for value in group]
    env = {v.number: jnp.asarray(x, v.dtype) for v, x in zip(flat, numbers, strict=True)}
    needed = recorded.needed()
    for block in recorded.tape.levels:
        _run(block, env, needed)
    return [_read(env, x) for x in recorded.outputs]


def _read(env: dict[int, Any], x: Lane) -> Any:
    return jnp.asarray(x) if known(x) else env[x.number]


def _run(block: Block, env: dict[int, Any], needed: set[int]) -> None:
    for item in block.items:
        if not is_needed(item, needed):
            continue
        if isinstance(item, Value):
            xs = [_read(env, x) for x in item.operands]
            if item.op in ("locate", "load"):
                raise Unsupported("a table in memory, on an accelerator")
            if item.op == "convert":
                env[item.number] = xs[0].astype(item.dtype)
            else:
                env[item.number] = (_RENAMED.get(item.op) or getattr(lax, item.op))(*xs)
        elif isinstance(item, Loop):
            _loop(item, env, needed)
        else:
            _branch(item, env, needed)


def _loop(item: Loop, env: dict[int, Any], needed: set[int]) -> None:
    carried = [i for i, x in enumerate(item.inputs) if x.number in needed]

    def at(values: Sequence[Any]) -> dict[int, Any]:
        return env | {item.inputs[i].number: x for i, x in zip(carried, values)}

    def test(values: Sequence[Any]) -> Any:
        inner = at(values)
        _run(item.test, inner, needed)
        return _read(inner, item.goes_on)

    def body(values: Sequence[Any]) -> list[Any]:
        inner = at(values)
        _run(item.body, inner, needed)
        return [_read(inner, item.next[i]) for i in carried]

    ends = lax.while_loop(test, body, [_read(env, item.start[i]) for i in carried])
    env.update({item.results[i].number: x for i, x in zip(carried, ends)})


def _branch(item: Any, env: dict[int, Any], needed: set[int]) -> None:
    wanted = [i for i, x in enumerate(item.results) if x.number in needed]

    def way(which: int) -> list[Any]:
        inner = dict(env)
        _run(item.ways[which], inner, needed)
        return [_read(inner, item.outs[which][i]) for i in wanted]

    which = _read(env, item.which)
    found = lax.cond(which, functools.partial(way, 1), functools.partial(way, 0))
    env.update({item.results[i].number: x for i, x in zip(wanted, found)})
