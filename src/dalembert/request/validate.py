"""Checks of the arguments of a run before anything is computed: objects, counts, times, data.

Each check raises a `UsageError` that says what is wrong and what to do.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import operator
from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..compile.cache.code_key import CodeKey, lasting_key
from ..compile.cache.registry import Cache, cached
from ..compile.function import Function
from ..compile.layout import Layout
from ..compile.tracing import shape_of, to_be_recorded
from ..errors import UsageError
from ..groupoids import Element, Pair
from ..methods import Method, default
from ..system import (
    PARAMETER,
    MechanicalSystem,
    Point,
    System,
    a_number,
    as_arrays,
    check_precision,
    code_of,
    is_traced,
)
from .known import Known
from .step import has_own_steps

Static: TypeAlias = Any  # the part of a system that is no array
Parameters: TypeAlias = Any  # the part that is
Given: TypeAlias = Any  # an argument of the user, not checked yet


def resolve(method: Given, q0: Given, v0: Given) -> tuple[Method, Given, Given]:
    """Return (method, q0, v0) from positional arguments with or without a method."""
    if isinstance(method, Method):
        return method, q0, v0
    if method is None:
        return default(), q0, v0
    if isinstance(method, (list, tuple, np.ndarray, jax.Array)):
        if v0 is None:
            return default(), method, q0
        if q0 is None:
            return default(), method, v0
    hint = f"; make one: {method.__name__}()" if isinstance(method, type) else ""
    if isinstance(method, str):
        hint = f"; names are for the command line: dalembert.methods.registry[{method!r}]()"
    raise UsageError(
        f"the second argument must be a method, or the point q0 where the method is left out; got "
        f"{method!r}{hint}"
    )


def check_objects(
    system: Given, method: Given, members: bool = False, facts: Known | None = None
) -> None:
    """Raise `UsageError` unless system and method have the right types, in double precision."""
    if not isinstance(system, System):
        hint = f"; make one: {system.__name__}()" if isinstance(system, type) else ""
        if hasattr(system, "transitions"):
            hint = "; modes are run by da.hybrid.simulate"
        raise UsageError(f"the first argument must be a System, got {system!r}{hint}")
    if not isinstance(method, Method):
        raise UsageError(f"a method is needed, got {method!r}")
    check_precision()
    if jax.config.jax_disable_jit:  # pyright: ignore[reportAttributeAccessIssue]
        raise UsageError(
            "compilation is switched off in JAX (JAX_DISABLE_JIT), and runs are compiled: "
            'jax.config.update("jax_disable_jit", False)'
        )
    if not members:
        if facts is not None:
            facts.fact("is single", lambda: check_single(system))
        else:
            check_single(system)


def check_single(system: System) -> None:
    """Raise `UsageError` if a parameter holds a batch of values."""
    for f in dataclasses.fields(system):
        value, spec = getattr(system, f.name), f.metadata.get(PARAMETER)
        shape = () if f.type in (float, "float") else None
        shape = spec.shape if spec is not None else shape
        if shape is not None and not is_traced(value):
            if np.shape(value) != shape:
                raise UsageError(
                    f"{system.name()}: parameter '{f.name}' holds a batch of shape "
                    f"{np.shape(value)}; run a batch by simulate_ensemble, or by jax.vmap"
                )


def check_count(name: str, value: Given) -> int:
    """Return a positive integer, or raise."""
    try:
        whole = operator.index(value) if not isinstance(value, (bool, np.bool_)) else None
    except TypeError:
        whole = None
    if whole is None:
        raise UsageError(f"{name} must be an integer, got {value!r}") from None
    if whole < 1:
        raise UsageError(f"{name} must be at least 1, got {whole}")
    if whole >= 2**53:  # the loop counts in doubles, which are exact for integers up to there
        raise UsageError(f"{name} must be below 2^53, got {whole}")
    return whole


def check_flag(name: str, value: Given) -> bool:
    """Raise `UsageError` unless a value is True or False; 1 and 0 are refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{name} must be True or False, got {value!r:.60}")
    return bool(value)


def check_times(h: Given, t0: Given) -> tuple[Given, Given]:
    """Return step size and initial time as doubles, or raise."""
    for name, value in (("h", h), ("t0", t0)):
        if np.ndim(value) != 0:
            raise UsageError(f"{name} must be one number, got shape {np.shape(value)}")
        if is_traced(value):
            continue
        try:
            finite = None if isinstance(value, (bool, np.bool_)) else math.isfinite(value)
        except (TypeError, OverflowError):
            finite = None
        if finite is None:
            raise UsageError(f"{name} must be a number, got {value!r:.60}")
        if not finite:
            raise UsageError(f"{name} must be finite, got {value}")
    # a JAX array inside of jit: operations on it would be traced
    h, t0 = (float(x) if isinstance(x, jax.Array) and not is_traced(x) else x for x in (h, t0))
    if not is_traced(h) and h <= 0:
        raise UsageError(
            f"the step size h must be positive, got {float(h)}; to go back in time reverse v0"
        )
    if not is_traced((h, t0)) and t0 + h == t0:
        raise UsageError(
            f"h = {float(h):g} is below the round-off of t0 = {float(t0):g}, so that the time "
            "would not advance; use a smaller t0"
        )
    return h, t0


def check_span(t: Given, t0: Given) -> float:
    """Return the time from t0 to t; raise unless it is positive."""
    for name, value in (("t", t), ("t0", t0)):
        if is_traced(value) or np.ndim(value) != 0:
            raise UsageError(f"{name} must be one number, known before the run; got {value!r}")
    try:
        span = float(t) - float(t0)
    except (TypeError, ValueError):
        raise UsageError(f"t must be a number, got {t!r}") from None
    if not (math.isfinite(span) and span > 0):
        raise UsageError(f"the end time t = {t} must come after t0 = {t0}")
    return span


def check_length(
    h: Given, steps: Given, t: Given, t0: Given, method: Method | None = None
) -> tuple[Given, Given]:
    """Return (h, steps); the number of steps may follow from the end time.

    Returns steps=None for adaptive methods, whose number of steps is unknown.
    """
    if h is None:
        raise UsageError("give h and steps, or h and t, or t and tol")
    if t is None:
        if steps is None:
            raise UsageError("give steps, the number of steps, or t, the time of the end")
        return h, steps
    if steps is not None:
        raise UsageError("give steps or t, not both")
    span = check_span(t, t0)
    if is_traced(h):
        raise UsageError("t needs a step size known before the run: give h and steps")
    h, _ = check_times(h, t0)
    if method is not None and has_own_steps(method):
        return h, None
    if span / h >= 2**53:
        raise UsageError(f"t = {t} with h = {h} would be too many steps")
    steps = max(round(span / h), 1)
    if not math.isclose(steps * h, span, rel_tol=1e-9):
        raise UsageError(
            f"h = {h:g} does not divide the time from {t0:g} to {t:g}; {steps} steps need "
            f"h = {span / steps!r}"
        )
    return h, steps


def check_velocity(system: System, v0: Given) -> Given:
    """Return v0 as an array; raise unless it has the right shape."""
    traced = is_traced(v0)
    try:
        v = jnp.asarray(v0, dtype=float) if traced else np.asarray(v0, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"v0 must be a vector of {system.dim} numbers, got {v0!r}") from None
    if v.shape != (system.dim,):
        raise UsageError(f"v0 must have shape ({system.dim},), got {v.shape}")
    if not traced and not np.all(np.isfinite(v)):
        raise UsageError(f"v0 must be finite, got {v}")
    return v


def check_element(system: System, q: Point, q1: Given) -> Element:
    """Return the first element of the groupoid: (q0, q1), or the one given for a reduced system."""
    if isinstance(system.groupoid, Pair):
        return (q, system.groupoid.base.check(q1, "q1"))
    wanted = jax.eval_shape(system.groupoid.unit, q)
    wanted = tuple(wanted) if isinstance(wanted, tuple) else wanted  # a plain tuple, as users give
    given = jax.tree.map(lambda x: jnp.asarray(x, dtype=float), q1)
    same = jax.tree.structure(wanted) == jax.tree.structure(given) and all(
        a.shape == b.shape for a, b in zip(jax.tree.leaves(wanted), jax.tree.leaves(given))
    )
    if not same:
        raise UsageError(
            f"q1 must be an element of {system.groupoid}: "
            f"{jax.tree.map(lambda x: x.shape, wanted)} in shapes"
        )
    return given


def check_parameters(system: System, dynamic: Parameters) -> None:
    """Refuse parameters that a double cannot hold: compiled code takes doubles."""
    for x in jax.tree.leaves(dynamic):
        if x.dtype == float:
            continue
        x = np.asarray(x)
        exact = not np.iscomplexobj(x) and x.astype(float).astype(x.dtype).tobytes() == x.tobytes()
        if not exact:
            raise UsageError(
                f"{system.name()}: a parameter of type {x.dtype} cannot be stored as doubles; "
                "parameters must be real (split a complex one into two)"
            )


# -- what the user wrote -------------------------------------------------------------------------


def own_start(system: System, facts: Known | None = None) -> tuple[Point, Given]:
    """Return `system.initial()`; for systems of this library by code that is compiled once.

    Called as it is, JAX would compile a program for each operation. A machine, which settles its
    contacts in NumPy, is evaluated once for each set of parameters. `initial` of a user's class is
    called as it is: it may read a file, or branch on values. Of a system that is known (`facts`),
    what this library's own code gives is computed once.
    """
    if facts is None:
        return _own_start_of(system)

    def is_ours() -> bool:
        names = [x for x in ("initial", "start") if hasattr(type(system), x)]
        hooks = [inspect.unwrap(getattr(type(system), x)) for x in names]
        return lasting_key(*hooks, code_of(system)) is not None or (
            system.initial_in_numbers and lasting_key(*hooks) is not None
        )

    if not facts.fact("start is ours", is_ours):
        return _own_start_of(system)
    return facts.fact("start", lambda: _own_start_of(system))


def _own_start_of(system: System) -> tuple[Point, Given]:
    dynamic, static = as_arrays(system)
    if is_traced((dynamic, a_number())):
        return system.initial()
    if system.initial_in_numbers:
        return _start_in_numbers(system, dynamic, static)
    key = lasting_key(static, code_of(system))
    if key is None:
        return system.initial()
    result = _own_start(static, Layout(dynamic), key)
    return result(dynamic) if result.is_native else system.initial()


_starts: Cache[Any, Any] = Cache(256)


def _start_in_numbers(system: System, dynamic: Any, static: Static) -> tuple[Point, Given]:
    """Return `system.initial()`; cached by code and parameters if it is code of this library."""
    hooks = [inspect.unwrap(getattr(type(system), name)) for name in ("initial", "start")]
    code = CodeKey(code_of(system))
    if not code.is_compared or lasting_key(*hooks) is None:
        return system.initial()
    at = (static, code, *(np.asarray(x).tobytes() for x in jax.tree.leaves(dynamic)))
    if at not in _starts:
        result = system.initial()
        code.settle()
        if not code.is_compared:
            return result
        _starts[at] = result
    return _starts[at]


@cached(maxsize=256)
def _own_start(static: Static, parameters: Layout, key: str) -> Function:
    def initial(dynamic: Parameters) -> Any:
        return eqx.combine(dynamic, static).initial()

    return Function(initial, parameters.example(), name=f"initial of {key}")


@cached(maxsize=256)
def hooks_checked(static: Static, parameters: Layout, code: CodeKey[Any]) -> None:
    """Check the shapes that the user's hooks return, once for each class; errors name the hook."""
    check_hooks(static, parameters)
    code.settle()


def check_hooks(static: Static, parameters: Layout) -> None:
    """Do what `hooks_checked` does, without a cache."""
    with to_be_recorded():  # the step is recorded next, and reuses what is traced here
        jax.eval_shape(
            lambda dynamic: _check_hooks(eqx.combine(dynamic, static)), parameters.example()
        )


def _check_hooks(system: System) -> None:
    t, q, v = jnp.zeros(()), system.groupoid.base.identity(), jnp.zeros(system.dim)

    def shape(name: str, *args: Any) -> tuple[int, ...]:
        try:
            out = shape_of(lambda *args: dynamics.written(system, name, *args), *args)
        except (jax.errors.ConcretizationTypeError, jax.errors.TracerArrayConversionError) as error:
            held = ""
            if name == "force" and system.controlled_name:
                held = (
                    "; so is the control u, which may also stay as it is and be held between "
                    "samples: u=da.Sampled(controller, every=0.02)"
                )
            raise UsageError(
                f"{system.name()}.{name} is traced by JAX, with numbers that are not known yet: "
                "write it with jax.numpy (jnp.sin, not math.sin or np.sin; jnp.where, not if)"
                f"{held}"
            ) from error
        except IndexError as error:
            raise UsageError(f"{system.name()}.{name}: {error}") from error
        if not hasattr(out, "shape"):
            what = "forgot `return`?" if out is None else "use jax.numpy"
            raise UsageError(f"{system.name()}.{name} must return an array, got {out}; {what}")
        return out.shape

    def expect(name: str, found: tuple[int, ...], wanted: tuple[int, ...]) -> None:
        if found != wanted:
            raise UsageError(f"{system.name()}.{name} must return shape {wanted}, got {found}")

    n = system.dim
    for name, wanted, of in (
        ("coordinate_names", len(system.groupoid.base.element_names()), "entry of q"),
        ("units", len(system.coordinate_labels), "coordinate"),
        ("velocity_names", n, "entry of v"),
    ):
        given = getattr(system, name)
        if given and len(given) != wanted and (wanted == n or name != "coordinate_names"):
            raise UsageError(
                f"{system.name()}.{name} must be a name for each {of}, {wanted} in all; got "
                f"{len(given)}: {tuple(given)}"
            )
    if isinstance(system, MechanicalSystem):
        expect("mass", np.shape(system.mass), (n, n))
        expect("potential", shape("potential", q), ())
    else:
        given = (t, q, v) if system.has_time else (q, v)
        expect("lagrangian", shape("lagrangian", *given), ())
    rows = shape("constraint", *((t, q) if system.has_timed_constraint else (q,)))
    if len(rows) != 2 or rows[1] != n:
        raise UsageError(
            f"{system.name()}.constraint must return one row of {n} numbers for each "
            f"constraint, shape (m, {n}); got {rows}"
        )
    columns = shape("inputs", q)  # broadcasting would make a force of rows of any length
    if len(columns) != 2 or columns[1] != n:
        raise UsageError(
            f"{system.name()}.inputs must return one row of {n} numbers for each control, "
            f"shape (k, {n}); got {columns}"
        )
    if system.input_names and len(system.input_names) != columns[0]:
        raise UsageError(
            f"{system.name()}.input_names must be a name for each row of inputs(q), {columns[0]} "
            f"in all; got {len(system.input_names)}: {tuple(system.input_names)}"
        )
    expect("offset", shape("offset", t, q), (rows[0],))
    expect("force", shape("force", t, q, v), (n,))
    for name, found in (
        ("holonomic", shape("holonomic", q)),
        ("velocity_constraint", shape("velocity_constraint", t, q, v)),
    ):
        if len(found) != 1:
            raise UsageError(f"{system.name()}.{name} must return a vector, got shape {found}")


@runtime_checkable
class Simulated(Protocol):
    """Protocol for objects other than systems that `simulate` can run, such as hybrid systems."""

    def simulated(self, method: Any, q0: Any, v0: Any, **options: Any) -> Any:
        """Run with those options of `simulate` that the caller has given."""
        ...

    def simulated_members(self, method: Any, q0: Any, v0: Any, **options: Any) -> Any:
        """Run an ensemble with those options of `simulate_ensemble` that the caller has given."""
        ...


def given_options(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a call that differ from their defaults."""
    names = ("system", "method", "q0", "v0", "begin")
    given = {k: x for k, x in arguments.items() if k not in names and x is not None}
    unsaid = {"t0": 0.0, "project": False}
    return {k: x for k, x in given.items() if k not in unsaid or x != unsaid[k]}
