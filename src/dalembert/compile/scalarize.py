"""Evaluate a function number by number, so that a compiler sees straight-line scalar code.

A step of a small mechanical system is a few hundred operations on arrays of a few numbers. As
arrays, each costs more to launch than to compute. `scalarized(f, ...)` traces f to a jaxpr at its
own shapes and evaluates that jaxpr with every array replaced by an array of *lanes*: numbers known
while tracing (the zeros and ones of a mass matrix), which fold away, and traced scalars. Equal
operations are made once. Loops stay loops, over lanes. Under `vmap` a scalar becomes a vector over
the batch and the same code is elementwise.

What has no rule here (LAPACK, sorting, an index that is computed) raises `Unsupported`, and the
caller keeps its arrays. The same holds above a size where arrays win.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .lanes import (
    ELEMENTWISE,
    Code,
    Unsupported,
    entries,
    filled,
    known,
    lanes_of,
    operation_on_lanes,
)
from .layout import Layout

# Above this many numbers looked at while tracing, arrays are used.
_MOST_VISITS = 300_000


class _WhenUsed:
    """`jax.extend.core`, whose import takes a tenth of all that `import dalembert` takes."""

    def __getattr__(self, name: str) -> Any:
        from jax.extend import core

        return getattr(core, name)


jex: Any = _WhenUsed()
Jaxpr: TypeAlias = Any  # and its equations: JAX keeps their types to itself

_active: ContextVar[bool] = ContextVar("scalarizing", default=False)


def active() -> bool:
    """Whether the function being traced is going to be evaluated lane by lane."""
    return _active.get()


@contextlib.contextmanager
def _scalarizing() -> Iterator[None]:
    token = _active.set(True)
    try:
        yield
    finally:
        _active.reset(token)


def value_and_jacobian(
    f: Callable[[jax.Array], jax.Array], x: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """f(x) and its Jacobian, by one linearization.

    Made in a call of its own: a loop around such a call whose Jacobian turns out not to depend on
    x solves a linear equation, and is evaluated once (`_is_affine_newton`).
    """

    def dalembert_value_and_jacobian(x):
        value, tangent = jax.linearize(f, x)
        return value, jax.vmap(tangent, out_axes=1)(jnp.eye(x.size, dtype=x.dtype))

    assert dalembert_value_and_jacobian.__name__ == _LINEARIZATION
    return jax.jit(dalembert_value_and_jacobian)(x)


_LINEARIZATION = "dalembert_value_and_jacobian"  # written and read in this module only


def scalarized(f: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """f on numbers: every array of its arguments and results is a flat tuple of scalars.

    The arguments (arrays, or such tuples by `Layout.spread`) of the returned function are those of
    f; the ones given here tell shapes and types only. May raise `Unsupported`, now or when called.
    """
    with _scalarizing():
        # a new function: JAX would give what it remembers of f, traced for arrays
        closed, shapes = jax.make_jaxpr(lambda *a: f(*a), return_shape=True)(*args)
    _refuse_large(closed.jaxpr)
    given, results = Layout(args), Layout(shapes)

    def evaluate(*numbers: Any) -> Any:
        lanes = _regrouped(jax.tree.leaves(numbers), given.avals)
        outs = _evaluate(Code(), closed.jaxpr, closed.consts, lanes)
        return results.group(_flat(outs, results.avals))

    return evaluate


# -- arrays: lanes move, and are summed -----------------------------------------------------------


def _broadcast(code, eqn, x, *_):
    shape, dims = eqn.params["shape"], eqn.params["broadcast_dimensions"]
    ones = [1] * len(shape)
    for d, n in zip(dims, x.shape):
        ones[d] = n
    return [np.broadcast_to(x.reshape(ones), shape)]


def _reshape(code, eqn, x, *_):
    return [x.reshape(eqn.outvars[0].aval.shape)]


def _slice(code, eqn, x):
    p = eqn.params
    strides = p["strides"] or (1,) * x.ndim
    limits = zip(p["start_indices"], p["limit_indices"], strides)
    return [x[tuple(slice(*limit) for limit in limits)]]


def _dynamic_slice(code, eqn, x, *index):
    sizes = eqn.params["slice_sizes"]
    first = _known_index(index, x.shape, sizes)
    return [x[tuple(slice(i, i + n) for i, n in zip(first, sizes))]]


def _dynamic_update_slice(code, eqn, x, new, *index):
    first = _known_index(index, x.shape, new.shape)
    out = x.copy()
    out[tuple(slice(i, i + n) for i, n in zip(first, new.shape))] = new
    return [out]


def _known_index(index, shape, sizes) -> list[int]:
    if not all(known(i[()]) for i in index):
        raise Unsupported("an index that is computed")
    return [min(max(int(i[()]), 0), n - m) for i, n, m in zip(index, shape, sizes)]


def _moved(eqn, index, *data: np.ndarray) -> np.ndarray:
    """Where a primitive that only moves entries takes them: it is applied to their numbers."""
    if not all(map(known, index.flat)):
        raise Unsupported("an index that is computed")
    starts = np.cumsum([0, *(x.size for x in data)])
    numbers = [a + np.arange(x.size).reshape(x.shape) for a, x in zip(starts, data)]
    where = np.array(index.tolist(), eqn.invars[1].aval.dtype).reshape(index.shape)
    params = {**eqn.params, **({"fill_value": -1} if "fill_value" in eqn.params else {})}
    with jax.ensure_compile_time_eval():
        arrays = map(jnp.asarray, (numbers[0], where, *numbers[1:]))
        moved = np.asarray(eqn.primitive.bind(*arrays, **params))
    if np.any((moved < 0) | (moved >= starts[-1])):
        raise Unsupported("an index out of bounds")
    return moved


def _gather(code, eqn, x, index):
    return [x.ravel()[_moved(eqn, index, x)]]


def _scatter(code, eqn, x, index, new):
    return [np.concatenate([x.ravel(), new.ravel()])[_moved(eqn, index, x, new)]]


def _scatter_add(code, eqn, x, index, new):
    # by linearity: each entry of `new` is added where the primitive puts a lone one
    if not all(map(known, index.flat)):
        raise Unsupported("an index that is computed")
    numbers = np.array(index.tolist(), eqn.invars[1].aval.dtype).reshape(index.shape)
    with jax.ensure_compile_time_eval():
        where = jnp.asarray(numbers)
        units = jnp.eye(new.size).reshape((new.size, *new.shape))
        add = functools.partial(eqn.primitive.bind, **eqn.params)
        hits = [np.asarray(add(jnp.zeros(x.shape), where, unit)) for unit in units]
    apply = operation_on_lanes(code, "add", eqn.outvars[0].aval.dtype)
    out = x.copy()
    for value, hit in zip(new.flat, hits):
        for i in zip(*np.nonzero(hit)):
            out[i] = apply(out[i], value)
    return [out]


def _pad(code, eqn, x, value):
    if any(low < 0 or high < 0 for low, high, _ in eqn.params["padding_config"]):
        raise Unsupported("negative padding")
    out = filled(eqn.outvars[0].aval.shape, iter(lambda: value[()], object()))
    index = tuple(
        slice(low, low + max((n - 1) * (inner + 1) + 1, 0), inner + 1)
        for (low, _, inner), n in zip(eqn.params["padding_config"], x.shape)
    )
    out[index] = x
    return [out]


def _iota(code, eqn):
    dtype, shape, d = (eqn.params[k] for k in ("dtype", "shape", "dimension"))
    column = np.arange(shape[d], dtype=dtype).reshape(
        [-1 if i == d else 1 for i in range(len(shape))]
    )
    return [lanes_of(np.broadcast_to(column, shape))]


def _dot(code, eqn, a, b):
    (ca, cb), (ba, bb) = eqn.params["dimension_numbers"]
    dtype = eqn.outvars[0].aval.dtype
    add, mul = (operation_on_lanes(code, name, dtype) for name in ("add", "mul"))

    def arranged(x, batch, contracted):
        free = [i for i in range(x.ndim) if i not in (*batch, *contracted)]
        groups = (batch, free, contracted)
        sizes = [math.prod(x.shape[i] for i in g) for g in groups]
        return x.transpose([i for g in groups for i in g]).reshape(sizes)

    a, b = arranged(a, ba, ca), arranged(b, bb, cb)
    zero = np.zeros((), dtype)[()]
    return [
        filled(
            (a.shape[0], a.shape[1], b.shape[1]),
            (
                functools.reduce(add, map(mul, row, column), zero)
                for rows, columns in zip(a, b)
                for row in rows
                for column in columns
            ),
        ).reshape(eqn.outvars[0].aval.shape)
    ]


def _reduction(name: str, empty: Any):
    def rule(code, eqn, x):
        aval, axes = eqn.outvars[0].aval, eqn.params["axes"]
        kept = [i for i in range(x.ndim) if i not in axes]
        size = math.prod(x.shape[i] for i in axes)
        rows = x.transpose((*kept, *axes)).reshape((math.prod(aval.shape), size))
        apply = operation_on_lanes(code, name, aval.dtype)
        first = [np.asarray(empty, aval.dtype)[()]] if not rows.shape[1] else []
        return [filled(aval.shape, (functools.reduce(apply, [*first, *row]) for row in rows))]

    return rule


_ARRAYS: dict[str, Callable[..., Any]] = {
    "broadcast_in_dim": _broadcast,
    "reshape": _reshape,
    "squeeze": _reshape,
    "expand_dims": _reshape,
    "slice": _slice,
    "pad": _pad,
    "iota": _iota,
    "dot_general": _dot,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    "scatter": _scatter,
    "scatter-add": _scatter_add,
    "transpose": lambda code, eqn, x: [x.transpose(eqn.params["permutation"])],
    "rev": lambda code, eqn, x: [np.flip(x, eqn.params["dimensions"])],
    "concatenate": lambda code, eqn, *xs: [np.concatenate(xs, eqn.params["dimension"])],
    "stack": lambda code, eqn, *xs: [np.stack(xs, eqn.params["axis"])],
    "unstack": lambda code, eqn, x: entries(np.moveaxis(x, eqn.params["axis"], 0)),
    "split": lambda code, eqn, x: np.split(
        x, np.cumsum(eqn.params["sizes"])[:-1], eqn.params["axis"]
    ),
    "reduce_sum": _reduction("add", 0),
    "reduce_prod": _reduction("mul", 1),
    "reduce_max": _reduction("max", -np.inf),
    "reduce_min": _reduction("min", np.inf),
    "reduce_and": _reduction("and", True),
    "reduce_or": _reduction("or", False),
}


# -- control flow ---------------------------------------------------------------------------------


def _while(code, eqn, *xs):
    p = eqn.params
    nc, nb = p["cond_nconsts"], p["body_nconsts"]
    if p["cond_jaxpr"].jaxpr.outvars[0].aval.shape:
        raise Unsupported("a loop of many, each with an end of its own")
    cond_consts, body_consts, start = xs[:nc], xs[nc : nc + nb], xs[nc + nb :]
    cond, body = p["cond_jaxpr"], p["body_jaxpr"]
    avals = [v.aval for v in body.jaxpr.outvars]

    if _is_affine_newton(body, body_consts, start):
        # the first step of Newton's method solves a linear equation
        return _evaluate(code, body.jaxpr, body.consts, [*body_consts, *start])

    def goes_on(flat):
        lanes = _regrouped(flat, avals)
        (on,) = _evaluate(Code(), cond.jaxpr, cond.consts, [*cond_consts, *lanes])
        return jnp.asarray(on[()], bool)

    def once(flat):
        lanes = _regrouped(flat, avals)
        return _flat(_evaluate(Code(), body.jaxpr, body.consts, [*body_consts, *lanes]), avals)

    return _regrouped(lax.while_loop(goes_on, once, _flat(start, avals)), avals)


def _is_affine_newton(body, consts, start) -> bool:
    """Whether the loop is Newton's, and its Jacobian does not depend on where it is."""
    eqns = [e for e in body.jaxpr.eqns if e.params.get("name") == _LINEARIZATION]
    if not eqns:
        return False
    (eqn,) = eqns
    numbers = {v: i for i, v in enumerate(body.jaxpr.invars)}
    if not all(isinstance(v, jex.Literal) or v in numbers for v in eqn.invars):
        return False
    inner = eqn.params["jaxpr"]
    avals = [v.aval for v in body.jaxpr.invars[len(consts) :]]

    def jacobian(flat):
        lanes = [*consts, *_regrouped(flat, avals)]
        xs = [
            lanes_of(np.asarray(v.val)) if isinstance(v, jex.Literal) else lanes[numbers[v]]
            for v in eqn.invars
        ]
        _, out = _evaluate(Code(), inner.jaxpr, inner.consts, xs)
        return [x for x in out.flat if not known(x)]

    jaxpr = jax.make_jaxpr(jacobian)(_flat(start, avals)).jaxpr
    moving = set(jaxpr.invars)
    for e in jaxpr.eqns:
        if any(v in moving for v in e.invars if not isinstance(v, jex.Literal)):
            moving.update(e.outvars)
    return not any(v in moving for v in jaxpr.outvars if not isinstance(v, jex.Literal))


def _flat(groups, avals) -> list[Any]:
    return [jnp.asarray(x, a.dtype) for lanes, a in zip(groups, avals) for x in lanes.flat]


def _regrouped(flat, avals) -> list[np.ndarray]:
    values = iter(flat)
    return [filled(a.shape, (next(values) for _ in range(math.prod(a.shape)))) for a in avals]


def _cond(code, eqn, which, *xs):
    branches = eqn.params["branches"]
    which = which[()]
    if known(which):
        chosen = branches[int(np.clip(which, 0, len(branches) - 1))]
        return _evaluate(code, chosen.jaxpr, chosen.consts, xs)
    if len(branches) != 2:
        raise Unsupported("a switch of more than two ways")
    if any(_has_loop(b.jaxpr) for b in branches):
        raise Unsupported("a loop in a branch: it may not end where the branch is not taken")
    # both ways are short: computing them costs less than choosing
    ways = [_evaluate(code, b.jaxpr, b.consts, xs) for b in branches]
    which = operation_on_lanes(code, "ne", np.dtype(bool))(which, np.zeros((), which.dtype)[()])
    outs = []
    for v, no, yes in zip(eqn.outvars, *ways):
        choose = operation_on_lanes(code, "select_n", v.aval.dtype)
        outs.append(filled(no.shape, (choose(which, a, b) for a, b in zip(no.flat, yes.flat))))
    return outs


def _scan(code, eqn, *xs):
    p, length = eqn.params, eqn.params["length"]
    body, body_consts = _opened(p["jaxpr"])
    # the carry has its own shape on both sides, columns and rows have one axis more outside
    nk = sum(a.aval.ndim == b.aval.ndim for a, b in zip(eqn.outvars, body.outvars))
    nc = sum(a.aval.ndim == b.aval.ndim for a, b in zip(eqn.invars, body.invars)) - nk
    if not 0 < length <= 32:
        raise Unsupported("a long scan inside of a step, or an empty one")
    consts, carry, columns = xs[:nc], list(xs[nc : nc + nk]), list(map(entries, xs[nc + nk :]))
    rows = []
    order = range(length)[::-1] if p["reverse"] else range(length)
    for i in order:
        outs = _evaluate(code, body, body_consts, [*consts, *carry, *(c[i] for c in columns)])
        carry, row = outs[:nk], outs[nk:]
        rows.append(row)
    if p["reverse"]:
        rows.reverse()
    return [*carry, *(np.stack(column) for column in zip(*rows))]


def _expanded(code, eqn, *xs):
    """JAX 0.11 keeps functions with derivatives of their own as objects that expand on demand."""
    inner = eqn.params["_prim"]

    def expand(*flat):
        return jax.tree.leaves(inner.expand(*jax.tree.unflatten(inner.in_tree, flat)))

    shapes = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in eqn.invars]
    closed = jax.make_jaxpr(expand)(*shapes)
    return _evaluate(code, closed.jaxpr, closed.consts, xs)


_CONTROL: dict[str, Callable[..., Any]] = {
    "while": _while,
    "cond": _cond,
    "scan": _scan,
    "call_hi_primitive": _expanded,
}
_FUNCTIONS = ("jaxpr", "call_jaxpr", "fun_jaxpr")  # where a call keeps its function
_TYPES = tuple(map(np.dtype, (np.float64, np.int32, np.int64, np.bool_)))


def _evaluate(
    code: Code, jaxpr: Jaxpr, consts: Sequence[object], args: Sequence[np.ndarray]
) -> list[np.ndarray]:
    env: dict[Any, np.ndarray] = dict(zip(jaxpr.constvars, map(lanes_of, consts)))
    env.update(zip(jaxpr.invars, args))

    def read(v: Jaxpr) -> np.ndarray:
        known = isinstance(v, jex.Literal)
        return lanes_of(np.asarray(v.val, v.aval.dtype)) if known else env[v]  # pyright: ignore

    for eqn in jaxpr.eqns:
        if any(v.aval.dtype not in _TYPES for v in (*eqn.invars, *eqn.outvars)):
            raise Unsupported("numbers other than doubles, whole numbers and flags")
        name, xs = eqn.primitive.name, [read(v) for v in eqn.invars]
        if name in ELEMENTWISE:
            aval = eqn.outvars[0].aval
            apply = operation_on_lanes(code, name, aval.dtype, eqn)
            columns = [np.broadcast_to(x, aval.shape).flat for x in xs]
            outs = [filled(aval.shape, map(apply, *columns))]
        elif name in _ARRAYS:
            outs = _ARRAYS[name](code, eqn, *xs)
        elif name in _CONTROL:
            outs = _CONTROL[name](code, eqn, *xs)
        elif (inner := _called(eqn)) is not None:
            outs = _evaluate(code, *_opened(inner), xs)
        else:
            raise Unsupported(f"the primitive '{name}'")
        env.update(zip(eqn.outvars, outs))
    return [read(v) for v in jaxpr.outvars]


def _called(eqn: Jaxpr) -> Jaxpr | None:
    """The function of a primitive that only calls one, whatever its name, or None.

    Names of such primitives come and go with versions of JAX; what they call has the operands and
    results of the call.
    """

    def shapes(variables: Sequence[Jaxpr]) -> list[object]:
        return [(v.aval.shape, v.aval.dtype) for v in variables]

    for key in _FUNCTIONS:
        if key in eqn.params:
            inner = _opened(eqn.params[key])[0]
            same = shapes(inner.invars) == shapes(eqn.invars)
            if same and shapes(inner.outvars) == shapes(eqn.outvars):
                return eqn.params[key]
    return None


def _has_loop(jaxpr: Jaxpr) -> bool:
    inner = (jex.jaxprs_in_params(eqn.params) for eqn in jaxpr.eqns)
    return any(eqn.primitive.name == "while" for eqn in jaxpr.eqns) or any(
        _has_loop(j) for found in inner for j in found
    )


def _opened(jaxpr: Jaxpr) -> tuple[Jaxpr, Sequence[object]]:
    return (jaxpr.jaxpr, jaxpr.consts) if isinstance(jaxpr, jex.ClosedJaxpr) else (jaxpr, ())


def _refuse_large(jaxpr: Jaxpr) -> None:
    visits = 0
    for eqn in jaxpr.eqns:
        size = sum(math.prod(v.aval.shape) for v in eqn.outvars)
        if eqn.primitive.name == "dot_general":
            contracted = eqn.params["dimension_numbers"][0][0]
            size *= math.prod(eqn.invars[0].aval.shape[i] for i in contracted)
        visits += size
        for inner in jex.jaxprs_in_params(eqn.params):
            _refuse_large(inner)
    if visits > _MOST_VISITS:
        raise Unsupported(f"arrays are better for a step of {visits} numbers")
