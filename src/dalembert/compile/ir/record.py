"""Record a function as scalar operations, so that a compiler sees straight-line scalar code.

A step of a small mechanical system is a few hundred operations on arrays of a few numbers. As
arrays, each costs more to launch than to compute. `record(f, ...)` traces f to a jaxpr at its own
shapes and evaluates that jaxpr with every array replaced by an array of scalars: numbers known
while recording (the zeros and ones of a mass matrix), which fold away, and values on a tape. Equal
operations are recorded once. Loops remain loops, over scalars.

A primitive without a rule here raises `Unsupported`, and the caller falls back to arrays. So does a
function of a size at which arrays are faster.
"""

from __future__ import annotations

import contextlib
import gc
import math
import weakref
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import jax
import numpy as np
from jax.core import Tracer

from ..cache.code_key import ReadsTracers
from ..cache.jaxpr_hash import digest_of
from ..layout import Layout
from ..tracing import (
    COLUMNWISE,
    LINEARIZATION,
    OPERANDS,
    RARELY,
    SOLVES,
    pivot_floor,
    to_be_recorded,
)
from . import memory_rules
from .array_rules import ARRAYS
from .constant_folding import FLAG, apply, is_elementwise, number, operation, recording, rule_of
from .scalars import entries, filled, scalars_of
from .tape import Memory, Scalar, Tape, TooLong, Unsupported, Value, known

# If tracing visits more scalars than this, fall back to arrays.
_MOST_VISITS = 300_000
# With arrays in memory more visits are allowed, because an operation on a whole array is one item
# of the tape.
_MOST_VISITS_WITH_MEMORY = 6_000_000
_LONGEST_SCAN = 32  # the longest scan that is unrolled
_LARGEST_WRITTEN = 3_000  # most operations of a scan that only carries, if it is to be unrolled
_LARGEST_WAY = 400  # most operations of a branch that is computed whether taken or not


class _WhenUsed:
    """Stands for `jax.extend.core`, which is imported at its first use.

    Importing it at once would take a tenth of the time of `import dalembert`.
    """

    def __getattr__(self, name: str) -> Any:
        from jax.extend import core

        return getattr(core, name)


jex: Any = _WhenUsed()
Jaxpr: TypeAlias = Any  # also its equations; JAX exports no types for them


class Recorded(NamedTuple):
    """A function recorded on a tape."""

    tape: Tape
    # the flat inputs of each argument; each argument is one level deeper on the tape
    inputs: list[list[Value]]
    outputs: list[Scalar]  # flat
    results: Layout  # how the outputs form a tree

    def needed(self) -> set[int]:
        """Return the numbers of the values that the outputs depend on."""
        return self.tape.needed(self.outputs)

    def guarded(self, place: int, code: int) -> Recorded:
        """Return the function with `code` as output `place` if a dropped value is not finite.

        Dropped values are those multiplied by a known zero: 0 x is folded to 0, which hides an x
        that is infinite or NaN. A nonzero output at `place` (an earlier failure) is left as it is.
        """
        # Only values that were folded away are checked: any other NaN appears in a result.
        lost = self.tape.lost(self.needed())
        if not lost:
            return self
        total: Scalar = number(0, float)
        # one check for all: their sum is finite only if each of them is
        for x in lost:
            total = apply(self.tape, "add", float, total, x)
        result, outputs = self.outputs[place], list(self.outputs)
        fine = apply(self.tape, "eq", FLAG, result, number(0, result.dtype))
        bad = apply(self.tape, "not", FLAG, apply(self.tape, "is_finite", FLAG, total))
        bad = apply(self.tape, "and", FLAG, bad, fine)
        outputs[place] = apply(
            # Selected, not branched: one instruction.
            self.tape,
            "select_n",
            result.dtype,
            bad,
            result,
            number(code, result.dtype),
        )
        return self._replace(outputs=outputs)


class Traced(NamedTuple):
    """A function traced by JAX, not yet recorded."""

    closed: Jaxpr
    args: list[Layout]
    results: Layout

    def digest(self, *words: str) -> str | None:
        """Return a cache key for code made of it with the options `words`; None if unsafe."""
        layouts = (x.describe() for x in (*self.args, self.results))
        return digest_of(self.closed, *layouts, *words)


def trace(f: Callable[..., Any], *args: Any) -> Traced:
    """Trace f, to be recorded; the arguments are trees of arrays or of shapes and types."""
    with to_be_recorded():
        # a new function object: for f itself JAX would return its cached trace, made for arrays
        closed, shapes = jax.make_jaxpr(lambda *a: f(*a), return_shape=True)(*args)
    # A number that JAX is tracing cannot become a constant of compiled code.
    if any(isinstance(x, Tracer) for x in closed.consts):
        raise ReadsTracers
    return Traced(closed, [Layout(x) for x in args], Layout(shapes))


def record(f: Callable[..., Any], *args: Any) -> Recorded:
    """Trace f and record it on a tape.

    Operations that depend on the first argument alone go to the outermost level of the tape, those
    that depend on the second one as well to the next, and so on. May raise `Unsupported`.
    """
    return recorded(trace(f, *args))


def recorded(traced: Traced, memory: bool = False) -> Recorded:
    """Record a traced function; with `memory`, large arrays may lie in memory.

    They do if a system of equations, or the whole function, is too large to be written out as
    scalars.
    """
    limit = _MOST_VISITS_WITH_MEMORY if memory else _MOST_VISITS
    _refuse_large(traced.closed.jaxpr, set(), limit)
    if not memory:
        return _recorded(traced, "never")
    try:
        # Scalars first: small systems are faster that way.
        return _recorded(traced, "allowed")
    except (_MemoryNeeded, TooLong):
        # Too large: record again, with matrices in memory from the start.
        return _recorded(traced, "used")


def _recorded(traced: Traced, memory: str) -> Recorded:
    closed, results = traced.closed, traced.results
    tape, inputs, scalars = Tape(memory), [], []
    for i, layout in enumerate(traced.args):
        if i:
            # Each argument one level deeper: what depends on less is computed less often.
            tape.open_level()
        flat = [tape.input(a.dtype) for a, n in zip(layout.avals, layout.sizes) for _ in range(n)]
        inputs.append(flat)
        scalars += regrouped(flat, layout.avals)
    with recording(), _collecting_nothing():
        outs = evaluate(tape, closed.jaxpr, closed.consts, scalars)
    return Recorded(tape, inputs, flat_scalars(outs, results.avals), results)


class _MemoryNeeded(Exception):
    """A system of equations is too large to be written out: record again, with arrays in memory."""


@contextlib.contextmanager
def _collecting_nothing() -> Iterator[None]:
    """Context without garbage collection: there may be a million values, and none is garbage."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


# -- control flow ---------------------------------------------------------------------------------


# Record a while loop. A Newton iteration for a linear equation becomes straight-line code.
def _while(tape: Tape, eqn: Jaxpr, *xs: np.ndarray) -> list[np.ndarray]:
    p = eqn.params
    nc, nb = p["cond_nconsts"], p["body_nconsts"]
    cond_consts, body_consts, start = xs[:nc], xs[nc : nc + nb], xs[nc + nb :]
    cond, body = p["cond_jaxpr"], p["body_jaxpr"]
    avals = [v.aval for v in body.jaxpr.outvars]
    # shape of the condition: not () under vmap, where each member ends separately
    many = cond.jaxpr.outvars[0].aval.shape
    moving: list[bool] = []

    def goes_on(flat: Sequence[Scalar]) -> np.ndarray:
        scalars = regrouped(flat, avals)
        return evaluate(tape, cond.jaxpr, cond.consts, [*cond_consts, *scalars])[0]

    def test(flat: list[Scalar]) -> Scalar:
        on = number(False, bool)
        # The loop runs while any entry continues.
        for x in goes_on(flat).flat:
            on = apply(tape, "or", FLAG, on, x)
        return on

    def once(flat: list[Value]) -> list[Scalar]:
        scalars = regrouped(flat, avals)
        result: list[list[np.ndarray]] = []  # values and Jacobians
        new = evaluate(tape, body.jaxpr, body.consts, [*body_consts, *scalars], result)
        depth = tape.depth
        # The equation is linear if its Jacobian does not depend on the loop's variables.
        moving.extend(x.depth >= depth for _, J in result for x in J.flat if not known(x))
        # a function with a jump has a constant Jacobian, too, but is not affine
        affine = tape.affine(flat)
        inside = [x for value, _ in result for x in value.flat if not known(x) and x.depth >= depth]
        moving.extend(x.number not in affine for x in inside)
        linear.append(bool(result))
        if many:
            on, old, selected = goes_on(flat), scalars, []
            # As `vmap` of JAX does: an entry that has ended keeps its old value.
            for aval, a, b in zip(avals, old, new):
                where = np.broadcast_to(
                    on.reshape(many + (1,) * (len(aval.shape) - len(many))), aval.shape
                )
                choose = operation(tape, "select_n", aval.dtype)
                selected.append(filled(aval.shape, map(choose, where.flat, a.flat, b.flat)))
            new = selected
            return flat_scalars(new, avals)
        return _carried(tape, new, avals)

    linear: list[bool] = []
    if many:
        first = flat_scalars(start, avals)
        dtypes = [a.dtype for a in avals for _ in range(math.prod(a.shape))]
    else:
        first, dtypes = _carried(tape, start, avals), _kinds(tape, avals)
    # Where the loop will be found among the items, to be removed.
    items = len(tape.blocks[-1].items)
    results = tape.loop(first, dtypes, test, once)
    if linear[0] and not any(moving):
        # One Newton iteration solves a linear equation from any start: remove the loop.
        del tape.blocks[-1].items[tape.blocks[-1].items.index(results[0].detail[0], items)]
        if start[0].size == 1:
            # Starting from zero, no initial guess has to be carried from step to step. Not for
            # several unknowns: nearly dependent ones have digits only as far as the guess has them.
            start = [scalars_of(np.zeros(start[0].shape, avals[0].dtype)), *start[1:]]
        return evaluate(tape, body.jaxpr, body.consts, [*body_consts, *start])
    return regrouped(results, avals)


def flat_scalars(groups: Sequence[np.ndarray], avals: Sequence[Any]) -> list[Scalar]:
    """Flatten arrays of scalars; known numbers are converted to the types of `avals`."""
    return [
        number(x, a.dtype) if known(x) else x
        for scalars, a in zip(groups, avals)
        for x in scalars.flat
    ]


def regrouped(flat: Sequence[Scalar], avals: Sequence[Any]) -> list[np.ndarray]:
    """Invert `flat_scalars`, also for what loops carry, where an array in memory is one item."""
    values = iter(flat)
    result = []
    for a in avals:
        size = math.prod(a.shape)
        first = next(values) if size else None
        if isinstance(first, Memory):
            result.append(memory_rules.scalars_in(first, a.shape))
        else:
            result.append(filled(a.shape, (next(values) if i else first for i in range(size))))
    return result


def _kinds(tape: Tape, avals: Sequence[Any]) -> list[Any]:
    """Return what a loop carries: types of scalars, and shapes of matrices in memory."""
    result: list[Any] = []
    for a in avals:
        size = math.prod(a.shape)
        if _lies_in_memory(tape, a):
            result.append((size // a.shape[-1], a.shape[-1]))
        else:
            result += [a.dtype] * size
    return result


def _carried(tape: Tape, groups: Sequence[np.ndarray], avals: Sequence[Any]) -> list[Scalar]:
    """Return the values of these arrays that a loop carries: scalars, and matrices in memory."""
    result: list[Scalar] = []
    for scalars, a in zip(groups, avals):
        if _lies_in_memory(tape, a):
            result.append(memory_rules.packed(tape, scalars))
        else:
            result += flat_scalars([scalars], [a])
    return result


def _lies_in_memory(tape: Tape, aval: Any) -> bool:
    real = aval.dtype == float
    return tape.takes_memory and real and math.prod(aval.shape) >= memory_rules.CARRIED


def _cond(tape: Tape, eqn: Jaxpr, which: np.ndarray, *xs: np.ndarray) -> list[np.ndarray]:
    branches, index = eqn.params["branches"], which[()]
    # Known now: only one branch exists in the code.
    if known(index):
        chosen = branches[int(np.clip(index, 0, len(branches) - 1))]
        return evaluate(tape, chosen.jaxpr, chosen.consts, xs)
    if index.dtype == FLAG:
        index = apply(tape, "convert_element_type", np.int32, index)
    return _switch(tape, [v.aval for v in eqn.outvars], branches, index, xs, 0)


def _switch(
    tape: Tape, avals: Sequence[Any], ways: Any, index: Scalar, xs: Any, first: int
) -> list[np.ndarray]:
    """Record ways[index - first] as a chain of two-way branches."""

    # A chain of comparisons: indices are few.
    def taken(way: Any) -> list[np.ndarray]:
        return evaluate(tape, way.jaxpr, way.consts, xs)

    def others() -> list[np.ndarray]:
        return _switch(tape, avals, ways[1:], index, xs, first + 1)

    if len(ways) == 1:
        return taken(ways[0])
    here = apply(tape, "le", FLAG, index, number(first, index.dtype))
    if any(_is_apart(way.jaxpr) for way in ways):
        dtypes = [a.dtype for a in avals for _ in range(math.prod(a.shape))]
        result = tape.branch(
            here,
            dtypes,
            lambda: flat_scalars(others(), avals),
            lambda: flat_scalars(taken(ways[0]), avals),
        )
        return regrouped(result, avals)
    # both sides are short: computing both costs less than branching
    no, yes = others(), taken(ways[0])
    outs = []
    for a, other, taken_entries in zip(avals, no, yes):
        choose = operation(tape, "select_n", a.dtype)
        outs.append(
            filled(a.shape, (choose(here, x, y) for x, y in zip(other.flat, taken_entries.flat)))
        )
    return outs


# A scan is unrolled if it is short, and becomes a loop if it is long and only carries.
def _scan(tape: Tape, eqn: Jaxpr, *xs: np.ndarray) -> list[np.ndarray]:
    p, length = eqn.params, eqn.params["length"]
    body, body_consts = _opened(p["jaxpr"])
    # the carry has the same shape inside and outside; scanned inputs and outputs have one axis more
    # outside
    nk = sum(a.aval.ndim == b.aval.ndim for a, b in zip(eqn.outvars, body.outvars))
    nc = sum(a.aval.ndim == b.aval.ndim for a, b in zip(eqn.invars, body.invars)) - nk
    consts, carry, columns = xs[:nc], list(xs[nc : nc + nk]), list(map(entries, xs[nc + nk :]))
    # Unrolled code is faster up to a size, then compiles for too long.
    is_long = length > _LONGEST_SCAN or length * _count(body) > _LARGEST_WRITTEN
    if is_long and not columns and nk == len(eqn.outvars):
        return _counted(tape, body, body_consts, length, consts, carry)
    if length > _LONGEST_SCAN or not length:
        raise Unsupported("a scan over arrays inside a step that is too long, or empty")
    rows = []
    order = range(length)[::-1] if p["reverse"] else range(length)
    # In the order of the scan; results are put back in the order of time.
    for i in order:
        outs = evaluate(tape, body, body_consts, [*consts, *carry, *(c[i] for c in columns)])
        carry, row = outs[:nk], outs[nk:]
        rows.append(row)
    if p["reverse"]:
        rows.reverse()
    return [*carry, *(np.stack(column) for column in zip(*rows))]


def _counted(
    tape: Tape, body: Jaxpr, body_consts: Any, length: int, consts: Any, carry: Any
) -> list[np.ndarray]:
    """Record a scan that only carries (`fori_loop`) as a loop with a counter."""
    avals = [v.aval for v in body.outvars]
    whole = np.dtype(np.int64)
    dtypes = [whole, *_kinds(tape, avals)]

    def once(flat: list[Value]) -> list[Scalar]:
        # The counter is the first item that the loop carries.
        new = evaluate(tape, body, body_consts, [*consts, *regrouped(flat[1:], avals)])
        return [apply(tape, "add", whole, flat[0], number(1, whole)), *_carried(tape, new, avals)]

    result = tape.loop(
        [number(0, whole), *_carried(tape, carry, avals)],
        dtypes,
        lambda flat: apply(tape, "lt", FLAG, flat[0], number(length, whole)),
        once,
    )
    return regrouped(result[1:], avals)


def _expanded(tape: Tape, eqn: Jaxpr, *xs: np.ndarray) -> list[np.ndarray]:
    """Record a function with custom derivatives, which JAX 0.11 stores as an expandable object."""
    inner = eqn.params["_prim"]

    def expand(*flat):
        return jax.tree.leaves(inner.expand(*jax.tree.unflatten(inner.in_tree, flat)))

    shapes = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in eqn.invars]
    closed = jax.make_jaxpr(expand)(*shapes)
    return evaluate(tape, closed.jaxpr, closed.consts, xs)


# Derivatives have been taken already, by JAX: only the solve is left.
def _linear_solve(tape: Tape, eqn: Jaxpr, *xs: np.ndarray) -> list[np.ndarray]:
    """Record `custom_linear_solve` by its solve function, without those for derivatives."""
    sizes, functions = eqn.params["const_lengths"], eqn.params["jaxprs"]
    before = sizes.matvec + sizes.vecmat
    consts = xs[before : before + sizes.solve]
    rhs = xs[sum(sizes) :]
    return evaluate(tape, *_opened(functions.solve), [*consts, *rhs])


def _platform(tape: Tape, eqn: Jaxpr) -> list[np.ndarray]:
    """Return the index of the branch for a CPU; a branch without a platform is for all others."""
    # Code is recorded for the CPU; a GPU runs the same tape.
    names = eqn.params["platforms"]
    fits = [i for i, some in enumerate(names) if some is None or "cpu" in some]
    return [scalars_of(np.asarray(fits[0], eqn.outvars[0].aval.dtype))]


_CONTROL: dict[str, Callable[..., Any]] = {
    "platform_index": _platform,
    "custom_linear_solve": _linear_solve,
    "while": _while,
    "cond": _cond,
    "scan": _scan,
    "call_hi_primitive": _expanded,
}
_FUNCTIONS = ("jaxpr", "call_jaxpr", "fun_jaxpr")  # parameters in which a call stores its function
_TYPES = tuple(map(np.dtype, (np.float64, np.int32, np.int64, np.bool_, np.uint32, np.uint64)))


def evaluate(
    tape: Tape,
    jaxpr: Jaxpr,
    consts: Sequence[object],
    args: Sequence[np.ndarray],
    linearized: list[list[np.ndarray]] | None = None,
) -> list[np.ndarray]:
    """Record a jaxpr and return its results.

    Values and Jacobians computed by `value_and_jacobian` are appended to `linearized`.
    """
    # Prepared once per jaxpr, because a loop body is evaluated many times while recording.
    lines = _lines.get(jaxpr)
    if lines is None:
        lines = _lines[jaxpr] = _Lines(jaxpr)
    env: dict[Any, np.ndarray] = dict(lines.known)
    env.update(zip(jaxpr.constvars, map(scalars_of, consts)))
    env.update(zip(jaxpr.invars, args))
    for rule, reads, writes in lines.equations:
        outs = rule(tape, *[env[name] for name in reads])
        env.update(zip(writes, outs))
        if linearized is not None and rule.__class__ is _Linearization:
            linearized.append(outs)
    return [env[name] for name in lines.results]


class _Lines:
    """The equations of a jaxpr with their rules, prepared once: a jaxpr is evaluated many times."""

    def __init__(self, jaxpr: Jaxpr) -> None:
        self.known: dict[object, np.ndarray] = {}  # literals, under new names
        self.equations: list[tuple[Callable[..., Any], list[Any], Sequence[Any]]] = []
        for eqn in jaxpr.eqns:
            reads = [self._name(v) for v in eqn.invars]
            self.equations.append((_rule(eqn), reads, eqn.outvars))
        self.results = [self._name(v) for v in jaxpr.outvars]

    def _name(self, v: Jaxpr) -> object:
        if not isinstance(v, jex.Literal):
            return v
        # A literal is replaced by a unique name, under which its value is found.
        name = object()
        self.known[name] = scalars_of(np.asarray(v.val, v.aval.dtype))
        return name


_lines: MutableMapping[Jaxpr, _Lines] = weakref.WeakKeyDictionary()


def _rule(eqn: Jaxpr) -> Callable[..., Any]:
    """Return the rule of an equation: (tape, *arrays of scalars) -> arrays of scalars."""
    name = eqn.primitive.name
    # Types that compiled code has; others, such as floats of 32 bits, are refused.
    for v in (*eqn.invars, *eqn.outvars):
        if v.aval.dtype not in _TYPES:
            return _refusal(f"numbers of type {v.aval.dtype} ('{name}')")
    if is_elementwise(name):
        return _on_scalars(eqn)
    result = ARRAYS.get(name) or _CONTROL.get(name)
    if result is not None:
        return lambda tape, *xs: result(tape, eqn, *xs)
    inner = _called(eqn)
    if inner is None:
        return _refusal(f"the primitive '{name}'")
    name = eqn.params.get("name")
    # `jax.linearize` splits a call in two, for values and for tangents, and both have its name.
    whole = (len(eqn.invars), len(eqn.outvars)) == (OPERANDS.get(name), 1)
    if whole and name in SOLVES and all(v.aval.ndim == 2 for v in eqn.invars):
        return _Solve(SOLVES[name], *_opened(inner))
    if whole and name in COLUMNWISE:
        return _Columnwise(COLUMNWISE[name], *_opened(inner))
    kind = _Linearization if name == LINEARIZATION else _Call
    return kind(*_opened(inner))


def _refusal(why: str) -> Callable[..., Any]:
    def rule(*_: object) -> Any:
        raise Unsupported(why)

    return rule


# Return the rule of an elementwise primitive: in memory for large arrays, else scalar by scalar.
def _on_scalars(eqn: Jaxpr) -> Callable[..., Any]:
    aval = eqn.outvars[0].aval
    shape, apply_to = aval.shape, rule_of(eqn.primitive.name, aval.dtype, eqn.params)

    def one(tape: Tape, *xs: np.ndarray) -> list[np.ndarray]:
        # A shortcut: most values of a step are scalars.
        out = np.empty((), object)
        out[()] = apply_to(tape, *[x[()] for x in xs])
        return [out]

    is_real = all(v.aval.dtype == float for v in eqn.outvars)

    def many(tape: Tape, *xs: np.ndarray) -> list[np.ndarray]:
        if tape.takes_memory and is_real:
            result = memory_rules.mapped(tape, eqn.primitive.name, eqn.params, shape, xs)
            if result is not None:
                return [result]
        columns = [(x if x.shape == shape else np.broadcast_to(x, shape)).flat for x in xs]
        return [filled(shape, map(partial(apply_to, tape), *columns))]

    return many if shape else one


class _Call:
    """The rule of a function call: record the function in place."""

    def __init__(self, jaxpr: Jaxpr, consts: Sequence[object]) -> None:
        self.jaxpr, self.consts = jaxpr, consts

    def __call__(self, tape: Tape, *xs: np.ndarray) -> list[np.ndarray]:
        return evaluate(tape, self.jaxpr, self.consts, xs)


class _Linearization(_Call):
    """A call of `tracing.value_and_jacobian`, which returns a value and its Jacobian."""


class _Columnwise(_Call):
    """An operation on arrays whose last axis counts (`tracing.products`): in memory if large."""

    def __init__(self, kind: str, jaxpr: Jaxpr, consts: Sequence[object]) -> None:
        super().__init__(jaxpr, consts)
        self.kind = kind

    def __call__(self, tape: Tape, *xs: np.ndarray) -> list[np.ndarray]:
        result = memory_rules.columnwise(tape, self.kind, *xs) if tape.takes_memory else None
        return super().__call__(tape, *xs) if result is None else [result]


class _Solve(_Call):
    """A linear system (`tracing.solve_apart`), solved in memory if it is large and dense."""

    def __init__(self, kind: str, jaxpr: Jaxpr, consts: Sequence[object]) -> None:
        super().__init__(jaxpr, consts)
        self.kind = kind

    def __call__(self, tape: Tape, *xs: np.ndarray) -> list[np.ndarray]:
        # No unknowns: nothing to solve.
        if not xs[1].size:
            return [xs[1]]
        if self.kind == "spd":
            result = memory_rules.solved_sparse(tape, pivot_floor(), *xs)
            if result is not None:
                return [result]
        if tape.takes_memory:
            return [memory_rules.solved(tape, self.kind, pivot_floor(), *xs)]
        # Raised once, and caught in `recorded`, which starts again with memory.
        if tape.memory == "allowed" and self.kind != "looped":
            raise _MemoryNeeded
        return super().__call__(tape, *xs)


def _called(eqn: Jaxpr) -> Jaxpr | None:
    """Return the function of a primitive that only calls one, or None.

    The names of such primitives change between versions of JAX. They are recognized by their
    function, which has the operands and results of the call.
    """

    def shapes(variables: Sequence[Jaxpr]) -> list[object]:
        return [(v.aval.shape, v.aval.dtype) for v in variables]

    # A call has the operands and results of its function; other primitives with a function do
    # not.
    for key in _FUNCTIONS:
        if key in eqn.params:
            inner = _opened(eqn.params[key])[0]
            same = shapes(inner.invars) == shapes(eqn.invars)
            if same and shapes(inner.outvars) == shapes(eqn.outvars):
                return eqn.params[key]
    return None


def _is_apart(way: Jaxpr) -> bool:
    """Whether a branch may only be computed if taken: it loops, is long, or is `rarely` taken."""
    named = any(eqn.params.get("name") == RARELY for eqn in way.eqns)
    return named or _has_loop(way) or _count(way) > _LARGEST_WAY


def _has_loop(jaxpr: Jaxpr) -> bool:
    inner = (jex.jaxprs_in_params(eqn.params) for eqn in jaxpr.eqns)
    return any(eqn.primitive.name == "while" for eqn in jaxpr.eqns) or any(
        _has_loop(j) for found in inner for j in found
    )


def _count(jaxpr: Jaxpr) -> int:
    """Estimate the number of scalar operations."""
    # An estimate, before recording: it decides what is unrolled.
    own = sum(math.prod(v.aval.shape) for eqn in jaxpr.eqns for v in eqn.outvars)
    return own + sum(_count(j) for eqn in jaxpr.eqns for j in jex.jaxprs_in_params(eqn.params))


def _opened(jaxpr: Jaxpr) -> tuple[Jaxpr, Sequence[object]]:
    return (jaxpr.jaxpr, jaxpr.consts) if isinstance(jaxpr, jex.ClosedJaxpr) else (jaxpr, ())


def _refuse_large(jaxpr: Jaxpr, seen: set[int], limit: int) -> None:
    if id(jaxpr) in seen:
        return
    seen.add(id(jaxpr))
    visits = 0
    # Each jaxpr is compared with the limit separately, and a function that is called twice is
    # counted once: this only refuses a single jaxpr that is too large.
    for eqn in jaxpr.eqns:
        size = sum(math.prod(v.aval.shape) for v in eqn.outvars)
        if eqn.primitive.name == "dot_general" and limit == _MOST_VISITS:
            contracted = eqn.params["dimension_numbers"][0][0]
            size *= math.prod(eqn.invars[0].aval.shape[i] for i in contracted)
        visits += size
        for inner in jex.jaxprs_in_params(eqn.params):
            _refuse_large(inner, seen, limit)
    if visits > limit:
        raise Unsupported(f"a step of {visits} numbers, for which arrays are faster")
