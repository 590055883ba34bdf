"""How mechanics is traced: once for all who ask for it, and otherwise where it is recorded.

What steps say by these functions, `record` reads while it records them.
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

P = ParamSpec("P")
R = TypeVar("R")

_recording: ContextVar[bool] = ContextVar("recording", default=False)
_final: ContextVar[bool] = ContextVar("final", default=False)
_linearizing: ContextVar[bool] = ContextVar("linearizing", default=False)
_single: ContextVar[bool] = ContextVar("single", default=False)
# What was traced of the functions that are traced once; None where nothing is remembered.
_traced: ContextVar[dict[Any, Any] | None] = ContextVar("traced", default=None)
# The same for all that is recorded in `recording_once`: written otherwise than for arrays.
_for_recording: ContextVar[dict[Any, Any] | None] = ContextVar("for_recording", default=None)


EPS = float(np.finfo(float).eps)


def round_off() -> float:
    """The unit of round-off of the numbers that the code being traced will compute with.

    Those are doubles, but for code that is written for floats (`for_floats`).
    """
    return float(np.finfo(np.float32).eps) if _single.get() else EPS


def pivot_floor() -> float:
    """The part of its original size below which a pivot is what round-off leaves of zero.

    Three digits of the solution would be left. Dependent rows of random matrices leave up to a
    thousand units of round-off.
    """
    return 1024 * round_off()


def coarseness() -> float:
    """How many times larger round-off is than that of doubles: 1, or 2^29 for floats."""
    return round_off() / EPS


def within_reach(tolerance: float) -> float:
    """A tolerance that was chosen for doubles, or 32 units of round-off if floats miss it."""
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
    """Whether the function being traced is going to be recorded lane by lane."""
    return _recording.get()


def differentiable() -> bool:
    """Whether JAX may differentiate the step, or the part of one, that is being traced."""
    return _linearizing.get() or not (_recording.get() or _final.get())


@contextlib.contextmanager
def to_be_compiled() -> Iterator[None]:
    """Context in which steps are traced for a loop that nobody differentiates."""
    token = _final.set(True)
    try:
        yield
    finally:
        _final.reset(token)


@contextlib.contextmanager
def to_be_recorded() -> Iterator[None]:
    """Context in which functions are traced for `record`."""
    token, known = _recording.set(True), _for_recording.get()
    other = _traced.set({} if known is None else known)
    try:
        yield
    finally:
        _traced.reset(other)
        _recording.reset(token)


@contextlib.contextmanager
def recording_once() -> Iterator[None]:
    """Context in which all that is recorded shares what is `traced_once`: the start, steps, rows.

    To be left when the run is over: what a user writes may be another function then.
    """
    token = _for_recording.set({} if (known := _for_recording.get()) is None else known)
    try:
        yield
    finally:
        _for_recording.reset(token)


@contextlib.contextmanager
def tracing_once() -> Iterator[None]:
    """Context in which functions that are `traced_once` are, for all that is compiled in it."""
    token = _traced.set({} if (known := _traced.get()) is None else known)
    try:
        yield
    finally:
        _traced.reset(token)


def traced_once(f: Callable[P, R]) -> Callable[P, R]:
    """f, which is traced once for every kind of arguments, and then called.

    So while a step is recorded, and in `tracing_once`; elsewhere it is f. A step asks for the same
    mechanics at many places; tracing what the user wrote, and its derivatives, is most of the time
    before the first step.
    """

    @functools.wraps(f)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        traced = _traced.get()
        if traced is None:
            return f(*args, **kwargs)
        call_f: Callable[..., R] = f
        leaves, tree = jax.tree.flatten((args, kwargs))
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
        except TypeError:  # what cannot be compared is traced again
            return f(*args, **kwargs)
        if known is None:
            known = traced[f, tree, rest] = jax.jit(of_arrays)
        return known(arrays)

    return call


_ARRAY = object()


def value_and_jacobian(
    f: Callable[[jax.Array], jax.Array], x: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """f(x) and its Jacobian, from all directions at once: f itself is evaluated once.

    Made in a call of its own: a loop around such a call whose Jacobian turns out not to depend on
    x, which is the first that it carries, solves a linear equation, and is evaluated once, from 0.
    From `COLUMNS` unknowns on scalar code loops over the columns: written out, all of them are
    more to compile than mechanics itself.
    """
    if active() and x.size >= COLUMNS:
        token = _linearizing.set(True)
        try:
            return f(x), transposed_jacobian(f, x, x.size).T
        finally:
            _linearizing.reset(token)

    def dalembert_value_and_jacobian(x):
        along = jax.vmap(lambda dx: jax.jvp(f, (x,), (dx,)), out_axes=(None, 1))
        token = _linearizing.set(True)
        try:
            return along(jnp.eye(x.size, dtype=x.dtype))
        finally:
            _linearizing.reset(token)

    assert dalembert_value_and_jacobian.__name__ == LINEARIZATION
    return jax.jit(dalembert_value_and_jacobian)(x)


def folded(f: Callable[[Any, Any], Any], start: Any, columns: tuple[np.ndarray, ...]) -> Any:
    """c = f(c, entries of the columns) from c = start on, as one loop.

    Arrays are scanned. Scalar code would write out a scan of this length, so that it loops and
    finds the entries by comparison: to compile 17 parts takes 17 times as long.
    """
    if not active():
        given = jax.tree.map(jnp.asarray, columns)
        return lax.scan(lambda c, x: (f(c, x), None), start, given)[0]
    count = len(columns[0])

    def at(i, column):
        return jnp.sum(jnp.where(jnp.arange(count) == i, column, 0.0))

    def once(c):
        i, node = c
        return i + 1, f(node, tuple(at(i, column) for column in columns))

    return lax.while_loop(lambda c: c[0] < count, once, (jnp.asarray(0), start))[1]


def transposed_jacobian(f: Callable[[jax.Array], jax.Array], x: jax.Array, size: int) -> jax.Array:
    """A row for each direction of x, of f with `size` entries: (x.size, size).

    All directions at once, or in scalar code a loop around one derivative.
    """

    def along(d):
        return jax.jvp(f, (x,), (d,))[1]

    if not active():
        return jax.vmap(along)(jnp.eye(x.size))

    def one_direction(carry):
        i, mask, rows = carry
        return i + 1, jnp.roll(mask, 1), jnp.concatenate([rows[1:], along(mask)[None]])

    mask = jnp.zeros(x.size).at[0].set(1.0)
    start = (jnp.asarray(0), mask, jnp.zeros((x.size, size)))
    return lax.while_loop(lambda c: c[0] < x.size, one_direction, start)[2]


COLUMNS = 48  # of a Jacobian, from which on scalar code loops over them
LINEARIZATION = "dalembert_value_and_jacobian"  # by which `record` knows it


def rarely(which: jax.Array, rare: Callable[[], R], usual: Callable[[], R]) -> R:
    """`rare()`, or `usual()`, which is the same up to round-off unless `which`.

    Short ways of a branch are both computed while recording, which is cheaper where it is open
    which one is taken. Here the first one hardly ever is, and nothing of it is computed where it is
    not. Elsewhere it always is: the derivatives of the two are not the same (a projection that has
    nothing to move still projects what it is differentiated along).
    """
    if not active():
        return rare()

    def dalembert_rarely():
        return rare()

    assert dalembert_rarely.__name__ == RARELY
    return lax.cond(which, lambda: jax.jit(dalembert_rarely)(), usual)


RARELY = "dalembert_rarely"  # as above


def solve_apart(kind: str, A: jax.Array, b: jax.Array, plain: Callable[..., jax.Array]) -> Any:
    """A x = b as a call of its own, which `record` may solve by a loop over an array in memory.

    `plain(A, b)` is what it means: b (n, k), NaN where A is singular to working precision. Of
    kind "spd" A is symmetric and positive definite, of kind "general" it need not be; "looped" is
    general, too, but no reason by itself to have arrays in memory. Derivatives are solved in the
    same way.
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
        return x, solve(A, db - dA @ x)

    return solve(A, b)


_NAMES = {
    "spd": "dalembert_solve_spd",
    "general": "dalembert_solve",
    "looped": "dalembert_solve_looped",
}
SOLVES = {name: kind for kind, name in _NAMES.items()}  # as above
