"""Control how mechanics is traced: once for all uses, and differently if it is to be recorded.

Steps mark parts of themselves by the functions here (`value_and_jacobian`, `rarely`,
`solve_apart`); `ir.record` recognizes the marks by name while it records.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend import core as jex

P = ParamSpec("P")
R = TypeVar("R")

# Whether the code being traced will be recorded on a tape (`recording`), compiled without being
# differentiated (`final`), differentiated within the step (`linearizing`), or run in single
# precision (`single`). `_reversed`: recorded after reverse-mode differentiation by JAX, which does
# not pass a while loop.
_recording: ContextVar[bool] = ContextVar("recording", default=False)
_final: ContextVar[bool] = ContextVar("final", default=False)
_linearizing: ContextVar[bool] = ContextVar("linearizing", default=False)
_single: ContextVar[bool] = ContextVar("single", default=False)
_reversed: ContextVar[bool] = ContextVar("reversed", default=False)
# Whether the guess of an implicit step is its solution (`Method.hindsight`).
_solved: ContextVar[bool] = ContextVar("solved", default=False)
# Functions traced so far by `traced_once`; None if nothing is remembered.
_traced: ContextVar[dict[Any, Any] | None] = ContextVar("traced", default=None)
# Functions traced so far for recording, shared by everything recorded inside `recording_once`. They
# are separate from `_traced`, because code to be recorded is written differently from code for
# arrays.
_for_recording: ContextVar[dict[Any, Any] | None] = ContextVar("for_recording", default=None)


EPS = float(np.finfo(float).eps)


def shape_of(function: Callable[..., Any], *args: Any) -> Any:
    """Return the shapes of what a user's function returns, as `jax.eval_shape` does.

    Raise `IndexError` if it reads an entry that its array does not have. JAX takes the nearest one
    instead, so that `q[9]` would be the last entry of q. Only indices written as numbers are
    checked, in the function itself; those inside of `jit`, `scan` or `cond` are not.
    """
    traced, shapes = jax.make_jaxpr(function, return_shape=True)(*args)
    _check_indices(traced.jaxpr)
    return shapes


def _check_indices(jaxpr: Any) -> None:
    """Raise `IndexError` for a slice at a constant place outside of its array."""
    numbers: dict[Any, int] = {}

    def number(x: Any) -> Any:
        return x.val if isinstance(x, jex.Literal) else numbers.get(x)

    for equation in jaxpr.eqns:
        name, given = equation.primitive.name, equation.invars
        for inner in jex.jaxprs_in_params(equation.params):
            _check_indices(inner)
        if name == "dynamic_slice":
            sizes = equation.params["slice_sizes"]
            axes = zip(given[0].aval.shape, sizes, map(number, given[1:]), strict=True)
            for length, size, start in axes:
                if start is not None and not 0 <= start <= length - size:
                    # JAX has added the length to a negative index
                    index = start if start >= 0 else start - length
                    raise IndexError(f"index {index} of an axis with {length} entries")
            continue
        if name not in ("lt", "add", "select_n") or equation.outvars[0].aval.shape:
            continue
        values = [number(x) for x in given]
        if any(x is None for x in values):
            continue
        a, *others = map(int, values)
        numbers[equation.outvars[0]] = (
            a < others[0] if name == "lt" else a + others[0] if name == "add" else others[a]
        )


def round_off() -> float:
    """Return the machine precision of the numbers that the code being traced will compute with.

    They are doubles, except in code that is written for floats (`for_floats`).
    """
    return float(np.finfo(np.float32).eps) if _single.get() else EPS


def pivot_floor() -> float:
    """Return the fraction of its original size below which a pivot counts as zero up to round-off.

    At this floor three digits of the solution would be left. Dependent rows of random matrices
    leave pivots of up to a thousand units of round-off.
    """
    # 1024 = 2^10 units of round-off: three of sixteen digits are left at this floor.
    return 1024 * round_off()


def coarseness() -> float:
    """Return the ratio of the present round-off to that of doubles: 1, or 2^29 for floats."""
    return round_off() / EPS


def within_reach(tolerance: float) -> float:
    """Return a tolerance chosen for doubles; for floats at least 32 units of round-off."""
    return max(tolerance, 32 * round_off()) if _single.get() else tolerance


@contextlib.contextmanager
def for_floats() -> Iterator[None]:
    """Context in which steps are traced for code that computes in single precision."""
    token = _single.set(True)
    try:
        yield
    finally:
        _single.reset(token)


def active() -> bool:
    """Whether the function being traced is going to be recorded as scalars on a tape."""
    return _recording.get()


def loops() -> bool:
    """Whether scalar code is traced that may loop around one copy of the mechanics.

    JAX does not differentiate such loops in reverse mode (`to_be_reversed`).
    """
    return _recording.get() and not _reversed.get()


def reversing() -> bool:
    """Whether the scalar code being traced is differentiated in reverse mode before recording."""
    return _recording.get() and _reversed.get()


def differentiable() -> bool:
    """Whether JAX may differentiate the step, or the part of a step, that is being traced."""
    return _linearizing.get() or not (_recording.get() or _final.get())


@contextlib.contextmanager
def to_be_compiled() -> Iterator[None]:
    """Context in which steps are traced for a loop that will not be differentiated."""
    token = _final.set(True)
    try:
        yield
    finally:
        _final.reset(token)


@contextlib.contextmanager
def to_be_differentiated() -> Iterator[None]:
    """Context in which a step is traced to be differentiated, also if its code is recorded.

    Equations are then differentiated by the implicit function theorem, not by their iterations.
    """
    token = _linearizing.set(True)
    try:
        yield
    finally:
        _linearizing.reset(token)


@contextlib.contextmanager
def to_be_recorded() -> Iterator[None]:
    """Context in which functions are traced for `record`."""
    token, known = _recording.set(True), _for_recording.get()
    # What was traced for arrays has other loops, so recordings share only among themselves.
    other = _traced.set({} if known is None else known)
    try:
        yield
    finally:
        _traced.reset(other)
        _recording.reset(token)


@contextlib.contextmanager
def to_be_reversed(on: bool = True) -> Iterator[None]:
    """Context for code to be recorded that JAX differentiates in reverse mode first.

    With `on=False` it is the context for a part of such code that is not differentiated: the
    iteration of an implicit step, which the implicit function theorem replaces.
    """
    tokens = [(x, x.set(on)) for x in (_reversed, _linearizing)]
    # what was traced for the other kind of code has other loops: nothing is shared
    tokens.append((_traced, _traced.set({})))  # pyright: ignore[reportArgumentType]
    try:
        yield
    finally:
        for variable, token in reversed(tokens):
            variable.reset(token)  # pyright: ignore[reportArgumentType]


@contextlib.contextmanager
def starting_solved() -> Iterator[None]:
    """Context in which the guess of an implicit step is its solution, up to round-off."""
    token = _solved.set(True)
    try:
        yield
    finally:
        _solved.reset(token)


def is_solved() -> bool:
    """Whether the guess of the implicit step being traced is its solution, up to round-off."""
    return _solved.get()


@contextlib.contextmanager
def recording_once() -> Iterator[None]:
    """Context in which all recordings (start, steps, rows) share what is `traced_once`.

    Leave it when the run is over: the user's functions may have changed by the next run.
    """
    token = _for_recording.set({} if (known := _for_recording.get()) is None else known)
    try:
        yield
    finally:
        _for_recording.reset(token)


@contextlib.contextmanager
def tracing_once() -> Iterator[None]:
    """Context in which `traced_once` functions are traced once for all code compiled in it."""
    token = _traced.set({} if (known := _traced.get()) is None else known)
    try:
        yield
    finally:
        _traced.reset(token)


def traced_once(f: Callable[P, R]) -> Callable[P, R]:
    """Decorate f so that it is traced once for each kind of arguments, and then called.

    This holds while a step is recorded, and inside `tracing_once`; elsewhere f is called as it is.
    A step needs the same mechanics at many places, and tracing what the user wrote, with its
    derivatives, is most of the time before the first step.
    """

    @functools.wraps(f)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        traced = _traced.get()
        if traced is None:
            return f(*args, **kwargs)
        call_f: Callable[..., R] = f
        leaves, tree = jax.tree.flatten((args, kwargs))
        # Arrays are arguments; everything else is part of the key.
        arrays = [x for x in leaves if isinstance(x, (jax.Array, np.ndarray))]
        rest = tuple(_ARRAY if isinstance(x, (jax.Array, np.ndarray)) else x for x in leaves)

        def of_arrays(arrays: list[Any]) -> R:
            values = iter(arrays)
            given: Any = jax.tree.unflatten(
                tree, [next(values) if x is _ARRAY else x for x in rest]
            )
            return call_f(*given[0], **given[1])

        try:
            known = traced.setdefault((f, tree, rest), None)
        except TypeError:
            # Not hashable: there is no key, so f is traced again.
            return f(*args, **kwargs)
        if known is None:
            # `jit` makes f a call in the jaxpr, which is recorded in place but traced once.
            known = traced[f, tree, rest] = jax.jit(of_arrays)
        return known(arrays)

    return call


_ARRAY = object()


def value_and_jacobian(
    f: Callable[[jax.Array], jax.Array], x: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Return f(x) and its Jacobian; f itself is evaluated once, for all directions together.

    The Jacobian is computed inside a jitted function with a reserved name, by which `record` finds
    Newton iterations. There x must be the first variable that the loop carries. If the Jacobian
    does not depend on x, the equation is linear, and `record` replaces the loop by one iteration
    (which starts from 0 if there is a single unknown). From `COLUMNS` unknowns on, scalar code
    loops over the columns of the Jacobian instead.
    """
    # Written out, all columns would take longer to compile than the mechanics.
    if loops() and x.size >= COLUMNS:
        with to_be_differentiated():
            return f(x), transposed_jacobian(f, x, x.size).T

    def dalembert_value_and_jacobian(x):
        # `vmap` over directions evaluates f once, and its derivative along all of them.
        along = jax.vmap(lambda dx: jax.jvp(f, (x,), (dx,)), out_axes=(None, 1))
        with to_be_differentiated():
            return along(jnp.eye(x.size, dtype=x.dtype))

    assert dalembert_value_and_jacobian.__name__ == LINEARIZATION
    return jax.jit(dalembert_value_and_jacobian)(x)


def folded(f: Callable[[Any, Any], Any], start: Any, columns: tuple[np.ndarray, ...]) -> Any:
    """Return the last c of c = f(c, entries of the columns), from c = start, as one loop.

    On arrays it is a scan. A recorded scan of this length would be written out, and 17 parts would
    take 17 times as long to compile. So scalar code loops with a counter, and selects the entries
    by comparison with it.
    """
    if not loops():
        # XLA compiles a scan to a loop already.
        given = jax.tree.map(jnp.asarray, columns)
        return lax.scan(lambda c, x: (f(c, x), None), start, given)[0]
    count = len(columns[0])

    # Selected by comparison: a computed index into columns would need a table.
    def at(i, column):
        return jnp.sum(jnp.where(jnp.arange(count) == i, column, 0.0))

    def once(c):
        i, node = c
        return i + 1, f(node, tuple(at(i, column) for column in columns))

    return lax.while_loop(lambda c: c[0] < count, once, (jnp.asarray(0), start))[1]


def transposed_jacobian(f: Callable[[jax.Array], jax.Array], x: jax.Array, size: int) -> jax.Array:
    """Return the transposed Jacobian (x.size, size) of f: one row for each entry of x.

    `size` is the number of entries of f. On arrays this is one `vmap` over all directions; in
    scalar code, a loop over the directions with one jvp in its body.
    """

    def along(d):
        return jax.jvp(f, (x,), (d,))[1]

    if not loops():
        return jax.vmap(along)(jnp.eye(x.size))

    def one_direction(carry):
        i, mask, rows = carry
        return i + 1, jnp.roll(mask, 1), jnp.concatenate([rows[1:], along(mask)[None]])

    # The unit vector is rolled by one entry, and the rows shift up by one, so that no index depends
    # on i.
    mask = jnp.zeros(x.size).at[0].set(1.0)
    start = (jnp.asarray(0), mask, jnp.zeros((x.size, size)))
    return lax.while_loop(lambda c: c[0] < x.size, one_direction, start)[2]


COLUMNS = 48  # number of columns of a Jacobian from which scalar code loops over them
LINEARIZATION = "dalembert_value_and_jacobian"  # the name by which `record` recognizes it


def rarely(which: jax.Array, rare: Callable[[], R], usual: Callable[[], R]) -> R:
    """Return `rare()` if `which` is true, otherwise `usual()`.

    Where `which` is false, both must be equal up to round-off. In recorded code two short branches
    are normally both computed, which is cheaper if either may be taken. Here `rare()` is hardly
    ever needed, so the choice becomes a real branch, and `rare()` is computed only if it is taken.
    On arrays `rare()` is always evaluated, because the derivatives of the two differ (a projection
    that has nothing to move still projects the tangent).
    """
    if not loops():
        return rare()

    def dalembert_rarely():
        return rare()

    assert dalembert_rarely.__name__ == RARELY
    return lax.cond(which, lambda: jax.jit(dalembert_rarely)(), usual)


RARELY = "dalembert_rarely"  # the name by which `record` recognizes it


def _columnwise(name: str, plain: Callable[..., jax.Array]) -> Callable[..., jax.Array]:
    """Return the function `plain` such that `record` may make a single operation of each call.

    It must be linear in its one argument, or bilinear in its two arguments.
    """

    @jax.custom_jvp
    def whole(*xs: jax.Array) -> jax.Array:
        if not loops():
            return plain(*xs)

        def named(*xs: jax.Array) -> jax.Array:
            return plain(*xs)

        named.__name__ = _COLUMNWISE + name
        return jax.jit(named)(*xs)

    @whole.defjvp
    def _(primals: tuple[jax.Array, ...], tangents: tuple[jax.Array, ...]) -> Any:
        if len(primals) == 1:
            return whole(*primals), whole(*tangents)
        (a, b), (da, db) = primals, tangents
        return whole(a, b), whole(da, b) + whole(a, db)

    return whole


_COLUMNWISE = "dalembert_columnwise_"
COLUMNWISE = {_COLUMNWISE + x: x for x in ("put", "products", "cross")}  # names for `record`


def _products(a: jax.Array, b: jax.Array) -> jax.Array:
    first, *others = (a[:, k, None] * b[None, k] for k in range(a.shape[1]))
    return sum(others, first)


def _cross(a: jax.Array, b: jax.Array) -> jax.Array:
    a1, a2, b1, b2 = (jnp.roll(x, -k, axis=0) for x in (a, b) for k in (1, 2))
    return a1 * b2 - a2 * b1


# Operations on many vectors or matrices, which the last axis counts. Where scalar code has large
# arrays in memory, each operation is one loop along that axis. `in_memory` returns its argument,
# placed in memory as one array; x * 1.0, because an empty function would be no call.
in_memory = _columnwise("put", lambda x: x * 1.0)
products = _columnwise("products", _products)  # of matrices, (m, k, n) and (k, p, n)
cross = _columnwise("cross", _cross)  # of vectors, (3, n)


def solve_apart(kind: str, A: jax.Array, b: jax.Array, plain: Callable[..., jax.Array]) -> Any:
    """Solve A x = b in a separate call, which `record` may solve by a loop over an array in memory.

    `plain(A, b)` defines the result: b is (n, k), and the result is NaN where A is singular to
    working precision. For kind "spd", A is symmetric and positive definite; for "general" and
    "looped" it need not be. A large "looped" system is written as scalar code if no arrays are in
    memory yet; a large system of the other kinds makes `record` begin again with arrays in memory.
    The linear systems of derivatives are solved by the same call.
    """

    @jax.custom_jvp
    def solve(A: jax.Array, b: jax.Array) -> jax.Array:
        def named(A, b):
            return plain(A, b)

        named.__name__ = _NAMES[kind]
        return jax.jit(named)(A, b)

    @solve.defjvp
    def _(primals, tangents):
        (A, b), (dA, db) = primals, tangents
        x = solve(A, b)
        # A dx = db - dA x
        return x, solve(A, db - dA @ x)

    return solve(A, b)


_NAMES = {
    "spd": "dalembert_solve_spd",
    "general": "dalembert_solve",
    "looped": "dalembert_solve_looped",
}
SOLVES = {name: kind for kind, name in _NAMES.items()}  # names by which `record` recognizes them
OPERANDS = dict.fromkeys((*SOLVES, *COLUMNWISE), 2) | {_COLUMNWISE + "put": 1}
