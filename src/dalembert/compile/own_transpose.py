"""A linear map with a given transpose: forward mode by one program, reverse mode by another.

`jax.custom_jvp` derives the transpose from the tangents, `jax.custom_vjp` has no tangents. Here
tangents and transpose are both given. The program for the tangents is traced only where tangents
are computed: a gradient does not pay for it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np

Tangents = Callable[..., jax.Array]  # (*saved, *tangents) -> tangent of the result
Transpose = Callable[..., Sequence[jax.Array]]  # (*saved, cotangent) -> cotangents


def linear_map(
    saved: Sequence[jax.Array],
    tangents: Sequence[jax.Array],
    shape: tuple[int, ...],
    apply: Tangents,
    transpose: Transpose,
) -> jax.Array:
    """Return apply(*saved, *tangents), an array of doubles of this shape.

    It is linear in `tangents`; in reverse mode JAX calls `transpose(*saved, cotangent)`, which
    returns one cotangent for each tangent.
    """
    how = {"apply": apply, "transpose": transpose, "count": len(saved), "shape": shape}
    return _primitive().bind(*saved, *tangents, **how)


def moving_jvp(f: Callable[..., Any], args: Sequence[Any], dots: Sequence[Any]) -> Any:
    """Return the tangent of f(*args); arguments whose tangent is None do not move.

    f is not differentiated with respect to them: a derivative there may be infinite.
    """
    which = [i for i, d in enumerate(dots) if d is not None]

    def of_moving(*some: Any) -> Any:
        given = list(args)
        for i, x in zip(which, some, strict=True):
            given[i] = x
        return f(*given)

    return jax.jvp(of_moving, [args[i] for i in which], [dots[i] for i in which])[1]


@functools.cache
def _primitive() -> Any:
    """Return the JAX primitive, made at first use: its import is a tenth of `import dalembert`."""
    from jax.extend.core import Primitive
    from jax.interpreters import ad, batching, mlir

    made = Primitive("dalembert_linear_map")

    def value(*args: Any, apply: Tangents, **_: Any) -> jax.Array:
        return apply(*args)

    def tangent(args: Any, dots: Any, *, apply: Tangents, **how: Any) -> tuple[Any, Any]:
        out = made.bind(*args, apply=apply, **how)
        return out, moving_jvp(apply, args, [None if isinstance(d, ad.Zero) else d for d in dots])

    def transposed(cotangent: Any, *args: Any, transpose: Transpose, count: int, **_: Any) -> Any:
        if isinstance(cotangent, ad.Zero):
            return [None] * count + [ad.Zero(x.aval) for x in args[count:]]
        return [None] * count + list(transpose(*args[:count], cotangent))

    def batched(args: Any, axes: Any, **how: Any) -> tuple[Any, int]:
        count, size = how["count"], next(x.shape[a] for x, a in zip(args, axes) if a is not None)
        # every tangent gets the axis, so that the transpose returns cotangents that have it
        moved = [
            jnp.moveaxis(x, a, 0)
            if a is not None
            else (x if i < count else jnp.broadcast_to(x, (size, *jnp.shape(x))))
            for i, (x, a) in enumerate(zip(args, axes))
        ]
        places = tuple(None if a is None and i < count else 0 for i, a in enumerate(axes))
        how["apply"] = jax.vmap(how["apply"], places)
        how["transpose"] = jax.vmap(how["transpose"], (*places[:count], 0))
        how["shape"] = (size, *how["shape"])
        return made.bind(*moved, **how), 0

    made.def_impl(value)
    made.def_abstract_eval(lambda *args, shape, **_: jax.core.ShapedArray(shape, np.dtype(float)))
    mlir.register_lowering(made, mlir.lower_fun(value, multiple_results=False))
    ad.primitive_jvps[made] = tangent
    ad.primitive_transposes[made] = transposed
    batching.primitive_batchers[made] = batched
    return made
