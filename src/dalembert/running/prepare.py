"""The one place where a run is checked: single runs, runs under jit, ensembles, reversals.

Each check raises a `UsageError` that says what is wrong and what to do. The order is the same for
all: objects, counts, times, initial data, shapes of what the user wrote (once for each class),
whether the method fits, and then what only numbers can tell, computed by the compiled start.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..compile.engine import cached
from ..compile.fingerprint import Versioned, lasting_key
from ..compile.layout import Layout
from ..compile.native import Function
from ..errors import UsageError
from ..groupoids import Element, Pair
from ..linalg import INCONSISTENT, OK
from ..methods import Method, default
from ..results import Identity
from ..system import (
    PARAMETER,
    MechanicalSystem,
    Point,
    System,
    as_arrays,
    check_precision,
    code_of,
    is_traced,
)
from . import facts
from .facts import Facts
from .members import Batch, batch_of
from .step import State, has_own_steps, initial_pair, initial_state

Static: TypeAlias = Any  # the part of a system that is no array
Parameters: TypeAlias = Any  # the part that is
Given: TypeAlias = Any  # what a user gave, before it was looked at


class Prepared(NamedTuple):
    """A run that can begin: consistent, of the right shapes, in double precision."""

    system: System
    method: Method
    plan: Plan
    dynamic: Parameters  # the parameters, as NumPy's arrays
    h: float
    t0: float
    state: State  # of NumPy's arrays; of an ensemble, with the members first


def prepare(
    system: System,
    method: Method,
    q0: Point,
    v0: Given,
    q1: Given,
    h: Given,
    t0: Given,
    project: bool,
) -> Prepared:
    """A single run, from (q0, v0), or from (q0, q1) where q1 is given."""
    check_objects(system, method)
    step, origin = check_times(h, t0)
    dynamic, static = as_arrays(system)
    check_parameters(system, dynamic)
    q = system.groupoid.base.check(q0, "q0")
    plan = plan_for(system, method, dynamic, static)
    if q1 is None:
        v = check_velocity(system, v0)
        state, found = plan.start((dynamic, origin, step, q, v))
        facts.judge(system, method, found, project)
    else:
        g = _check_element(system, q, q1)
        state, found, pair = plan.start_pair(dynamic, origin, step, g)
        facts.judge(system, method, found, project)
        facts.judge_pair(system, method, pair, float(step))
    return Prepared(system, method, plan, dynamic, float(step), float(origin), state)


def prepare_traced(
    system: System, method: Method, q0: Point, v0: Given, h: Given, t0: Given, project: bool
) -> tuple[System, jax.Array, jax.Array, State]:
    """A run inside of a JAX transformation: what is wrong with its numbers is in the state."""
    check_objects(system, method)
    h, t0 = (jnp.asarray(x, dtype=float) for x in check_times(h, t0))
    q = system.groupoid.base.check(q0, "q0")
    v = check_velocity(system, v0)
    dynamic, static = as_arrays(system)
    _hooks_checked(static, Layout(dynamic), Versioned(code_of(system)))
    _check_fit(method, system)
    system = eqx.combine(dynamic, static)
    start = initial_state(system, method, t0, h, q, v)
    found = facts.gather(system, t0, q, v, start.row)
    wrong = facts.wrong_data(method, found, project or not system.is_constrained)
    result = jnp.where(wrong & (start.row.result == OK), INCONSISTENT, start.row.result)
    return system, h, t0, start._replace(row=start.row._replace(result=result))


def prepare_members(
    system: Given, method: Method, q0: Given, v0: Given, h: Given, t0: Given, project: bool
) -> tuple[Prepared, Batch]:
    """An ensemble; what `simulate` would refuse is refused in its words, with the member."""
    check_objects(system, method, members=True)
    batch = batch_of(system, q0, v0)
    example = batch.example
    step, origin = check_times(h, t0)
    check_parameters(example, (batch.shared, batch.varying))
    check_velocity(example, batch.v[0])
    plan = plan_for(example, method, *as_arrays(example))
    state, found, wrong = plan.start_members(batch, origin, step, project)
    bad = np.flatnonzero(wrong)
    if len(bad):
        few = ", ".join(map(str, bad[:5])) + (", ..." if len(bad) > 5 else "")
        which = f"member {bad[0]}" if len(bad) == 1 else f"members {few}"
        try:
            facts.judge(example, method, jax.tree.map(lambda x: x[bad[0]], found), project)
        except UsageError as error:
            raise UsageError(f"{error} ({which} of {batch.members})") from None
        raise UsageError(
            f"{example.name()}: the first step cannot be made from the initial data "
            f"({which} of {batch.members})"
        )
    prepared = Prepared(example, method, plan, None, float(step), float(origin), state)
    return prepared, batch


# -- the compiled start --------------------------------------------------------------------------


class Plan:
    """Everything about runs of one system's structure with one method that numbers do not change.

    Layouts and compiled starts live here, so that a run whose code exists already looks them up.
    """

    def __init__(
        self,
        static: Static,
        method: Method,
        parameters: Layout,
        codes: Sequence[Versioned[Any]],
    ) -> None:
        self.static, self.method, self.codes = static, method, codes
        example = eqx.combine(parameters.example(), static)
        q, v = example.groupoid.base.identity(), np.zeros(example.dim)
        one = np.zeros(())
        self.given, self.parameters = Layout((parameters.example(), one, one, q, v)), parameters
        self._found: Layout | None = None
        self._identity: Identity | None = None
        self._start: Function | None = None
        self._start_pair: Function | None = None
        self.settle()

    @property
    def found(self) -> Layout:
        """How what the start gives lies in a vector."""
        if self._found is None:  # a start that was made has told it
            self._found = Layout(jax.eval_shape(self._begin, *self.given.example()))
        return self._found

    @functools.cached_property
    def state(self) -> Layout:
        """How a state lies in a vector."""
        return Layout(self.found.example()[0])

    @property
    def constraints(self) -> int:
        """The number of multipliers."""
        return self.state.example().row.multiplier.shape[-1]

    def identity(self, system: System) -> Identity:
        """Who computes: the same for all systems of the plan, whose code is in its key."""
        if self._identity is None:
            self._identity = Identity.of(system, self.method)
        return self._identity

    def lasting_key(self, *more: object) -> str | None:
        """What code compiled for the plan is found under by another process, if it may be."""
        return lasting_key(self.static, *(code.value for code in self.codes), self.method, *more)

    def settle(self) -> None:
        """To be called after the code of system and method was traced."""
        for code in self.codes:
            code.settle()

    def _begin(self, dynamic, t0, h, q, v) -> tuple[State, Facts, jax.Array, jax.Array]:
        """The state, the facts, and whether the data are wrong: as they are, or projected."""
        system = eqx.combine(dynamic, self.static)
        state = initial_state(system, self.method, t0, h, q, v)
        found = facts.gather(system, t0, q, v, state.row)
        strict, loose = (facts.wrong_data(self.method, found, project=x) for x in (False, True))
        return state, found, strict, loose

    def _started(self) -> Function:
        if self._start is None:
            try:
                key = self.lasting_key()
                self._start = Function(
                    self._begin, *self.given.example(), name=key and f"start of {key}"
                )
            finally:
                self.settle()
            self._found = self._start.results
        return self._start

    def start(self, given: Given) -> tuple[State, Facts]:
        """The first state and the facts, from (parameters, t0, h, q, v)."""
        return self._started()(*given)[:2]

    def start_packed(self, given: np.ndarray) -> np.ndarray:
        """The first state as a vector, from one of (parameters, t0, h, q, v)."""
        return self._started().packed(given)[: self.state.width]

    def start_pair(
        self, dynamic: Parameters, t0, h, g: Element
    ) -> tuple[State, Facts, facts.PairFacts]:
        """The same from a first element of the groupoid."""
        given = (dynamic, np.asarray(float(t0)), np.asarray(float(h)), g)
        if self._start_pair is None:

            def begin(dynamic, t0, h, g):
                system = eqx.combine(dynamic, self.static)
                state = initial_pair(system, self.method, t0, h, g)
                row = state.row
                found = facts.gather(system, t0, row.q, row.v, row)
                return state, found, facts.gather_pair(system, t0, h, row)

            try:
                self._start_pair = Function(begin, *given)
            finally:
                self.settle()
        return self._start_pair(*given)

    def start_members(self, batch: Batch, t0, h, project: bool) -> tuple[State, Facts, np.ndarray]:
        """States and facts of all members, and which of them cannot be run."""
        n = batch.members
        ours = jax.tree.map(lambda x: np.broadcast_to(x, (n, *np.shape(x))), batch.shared)
        times = (np.broadcast_to(np.asarray(t0, float), n), np.full(n, float(h)))
        given = (eqx.combine(batch.varying, ours), *times, batch.q, batch.v)
        leaves = [np.asarray(x, float).reshape(n, -1) for x in jax.tree.leaves(given)]
        start = self._started()
        found = start.results.unpack(start.rows(np.concatenate(leaves, axis=1)))
        state, told, strict, loose = found
        return state, told, (loose if project else strict) | (state.row.result != OK)


def plan_for(system: System, method: Method, dynamic: Parameters, static: Static) -> Plan:
    """The plan of a system and a method that fit; a new one where their code has changed."""
    parameters, code = Layout(dynamic), Versioned(code_of(system))
    _hooks_checked(static, parameters, code)
    _check_fit(method, system)
    return _plan(static, method, parameters, code, Versioned(method))


def _check_fit(method: Method, system: System) -> None:
    if system.has_time and not method.takes_time:
        raise UsageError(
            f"{system.name()}: its Lagrangian depends on time, lagrangian(t, q, v), which "
            f"{method.name} does not take yet; Gauss(), RK4() and Reference() do"
        )
    method.check(system)


@cached(maxsize=256)
def _plan(static: Static, method: Method, parameters: Layout, *codes: Versioned[Any]) -> Plan:
    return Plan(static, method, parameters, codes)


# -- objects and numbers -------------------------------------------------------------------------


def resolve(method: Given, q0: Given, v0: Given) -> tuple[Method, Given, Given]:
    """(method, q0, v0) from positional arguments with or without a method."""
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


def check_objects(system: Given, method: Given, members: bool = False) -> None:
    """System and method are what they should be, in double precision."""
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
        check_single(system)


def check_single(system: System) -> None:
    """No parameter holds a batch."""
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
    """A whole number from 1 on."""
    try:
        whole = operator.index(value)
    except TypeError:
        raise UsageError(f"{name} must be a whole number, got {value!r}") from None
    if whole < 1:
        raise UsageError(f"{name} must be at least 1, got {whole}")
    if whole >= 2**53:  # the largest that the loop, which counts in doubles, tells from its next
        raise UsageError(f"{name} must be below 2^53, got {whole}")
    return whole


def check_times(h: Given, t0: Given) -> tuple[Given, Given]:
    """Step size and initial time."""
    for name, value in (("h", h), ("t0", t0)):
        if np.ndim(value) != 0:
            raise UsageError(f"{name} must be one number, got shape {np.shape(value)}")
        if is_traced(value):
            continue
        try:
            finite = math.isfinite(value)
        except TypeError:
            raise UsageError(f"{name} must be a number, got {value!r}") from None
        if not finite:
            raise UsageError(f"{name} must be finite, got {value}")
    if not is_traced(h) and h <= 0:
        raise UsageError(
            f"the step size h must be positive, got {float(h)}; to go back in time reverse v0"
        )
    if not is_traced((h, t0)) and t0 + h == t0:
        raise UsageError(
            f"rounding swallows h = {float(h):g} beside t0 = {float(t0):g}: the time would stand "
            "still; measure it from a nearer origin"
        )
    return h, t0


def check_span(t: Given, t0: Given) -> float:
    """The time from t0 to t, which is positive."""
    for name, value in (("t", t), ("t0", t0)):
        if is_traced(value) or np.ndim(value) != 0:
            raise UsageError(f"{name} must be one number, known before the run; got {value!r}")
    try:
        span = float(t) - float(t0)
    except (TypeError, ValueError):
        raise UsageError(f"t must be a number, got {t!r}") from None
    if not (math.isfinite(span) and span > 0):
        raise UsageError(f"the time of the end, t = {t}, must come after t0 = {t0}")
    return span


def check_length(
    h: Given, steps: Given, t: Given, t0: Given, method: Method | None = None
) -> tuple[Given, Given]:
    """(h, steps), of which the second may be told by the time of the end.

    Nobody knows how many steps of sizes of their own it takes until then: None.
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
    """v0 as an array of the right shape."""
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


def _check_element(system: System, q: Point, q1: Given) -> Element:
    """The first element of the groupoid: (q0, q1), or what the user of a reduced system gives."""
    if isinstance(system.groupoid, Pair):
        return (q, system.groupoid.base.check(q1, "q1"))
    wanted = jax.eval_shape(system.groupoid.unit, q)
    wanted = tuple(wanted) if isinstance(wanted, tuple) else wanted  # without the move
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
    """Parameters travel as doubles: what a double does not hold would be changed on the way."""
    for x in jax.tree.leaves(dynamic):
        if x.dtype == float:
            continue
        x = np.asarray(x)
        exact = not np.iscomplexobj(x) and x.astype(float).astype(x.dtype).tobytes() == x.tobytes()
        if not exact:
            raise UsageError(
                f"{system.name()}: a parameter of type {x.dtype} is not a number that a double "
                "holds; parameters are real (a complex one is two of them)"
            )


# -- what the user wrote -------------------------------------------------------------------------


@cached(maxsize=256)
def _hooks_checked(static: Static, parameters: Layout, code: Versioned[Any]) -> None:
    """The shapes of what the user wrote, each reported by the name of the method; once a class."""
    jax.eval_shape(lambda dynamic: _check_hooks(eqx.combine(dynamic, static)), parameters.example())
    code.settle()


def _check_hooks(system: System) -> None:
    t, q, v = jnp.zeros(()), system.groupoid.base.identity(), jnp.zeros(system.dim)

    def shape(function: Callable[..., Any], *args: Any) -> tuple[int, ...]:
        out = jax.eval_shape(function, *args)
        if not hasattr(out, "shape"):
            what = "forgot `return`?" if out is None else "use jax.numpy"
            raise UsageError(
                f"{system.name()}.{function.__name__} must return an array, got {out}; {what}"
            )
        return out.shape

    def expect(name: str, found: tuple[int, ...], wanted: tuple[int, ...]) -> None:
        if found != wanted:
            raise UsageError(f"{system.name()}.{name} must return shape {wanted}, got {found}")

    n = system.dim
    if isinstance(system, MechanicalSystem):
        expect("mass", np.shape(system.mass), (n, n))
        expect("potential", shape(system.potential, q), ())
    else:
        given = (t, q, v) if system.has_time else (q, v)
        expect("lagrangian", shape(system.lagrangian, *given), ())
    rows = shape(system.constraint, q)
    if len(rows) != 2 or rows[1] != n:
        raise UsageError(
            f"{system.name()}.constraint must return one row of {n} numbers for each "
            f"constraint, shape (m, {n}); got {rows}"
        )
    expect("offset", shape(system.offset, t, q), (rows[0],))
    expect("force", shape(system.force, t, q, v), (n,))
    for name, found in (
        ("holonomic", shape(system.holonomic, q)),
        ("velocity_constraint", shape(system.velocity_constraint, t, q, v)),
    ):
        if len(found) != 1:
            raise UsageError(f"{system.name()}.{name} must return a vector, got shape {found}")
