"""The one place where a run is checked: single runs, runs under jit, ensembles, reversals.

Each check raises a `UsageError` that says what is wrong and what to do. The order is the same for
all: objects, counts, times, initial data, shapes of what the user wrote (once for each class),
whether the method fits the system, and then the initial values, by the compiled start.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..compile.cache.code_key import CodeKey, ReadsTracers, lasting_key
from ..compile.cache.registry import cached
from ..compile.function import Function
from ..compile.layout import Layout
from ..errors import UsageError
from ..groupoids import Element, Pair, move
from ..groups import Euclidean
from ..linalg import INCONSISTENT, OK
from ..methods import Method, consistency
from ..results import Identity
from ..system import Point, System, as_arrays, code_of
from . import constraint_rows, initial_data
from .batch import Batch, batch_of, reads_tables
from .constraint_rows import ConstraintRows
from .initial_data import EnergyFacts, Facts
from .known import Known, known
from .sampling import Sampling
from .step import State, initial_pair, initial_state
from .validate import (
    Given,
    Parameters,
    Static,
    check_element,
    check_flag,
    check_hooks,
    check_objects,
    check_parameters,
    check_times,
    check_velocity,
    hooks_checked,
)

T = TypeVar("T")


class Prepared(NamedTuple):
    """A checked run: its data are consistent, of the right shapes, in double precision."""

    system: System
    method: Method
    plan: Plan
    dynamic: Parameters  # the parameters, as NumPy's arrays
    h: float
    t0: float
    state: State  # arrays of NumPy; in an ensemble, members are the first axis
    sampling: Sampling | None = None  # for a run whose input comes from a controller in Python
    facts: Known | None = None  # what is known of the system of a single run


def prepare(
    system: System,
    method: Method,
    q0: Point,
    v0: Given,
    q1: Given,
    h: Given,
    t0: Given,
    project: bool,
    facts: Known | None = None,
) -> Prepared:
    """Check and prepare a single run from (q0, v0), or from (q0, q1) if q1 is given.

    `facts` has what is known of the system from earlier calls (`known`), if it was compared.
    """
    if facts is None:
        check_objects(system, method)
        facts = known(system)
        facts.compare_code(system)
    else:
        check_objects(system, method, facts=facts)
    check_flag("project", project)
    step, origin = check_times(h, t0)
    q = facts.fact("groupoid", lambda: system.groupoid).base.check(q0, "q0")
    plan, dynamic = _known_plan(system, method, facts)
    if q1 is None:
        v = check_velocity(system, v0)
        plan.check_discrete(system, dynamic, origin, step, q, v)
        state, found, given = plan.start_with_numbers((dynamic, origin, step, q, v))
        # initial data that passed in the last call are not checked again: it costs some 30 steps
        judged = (plan, given.tobytes(), project)
        if judged != facts.last_start:
            initial_data.judge(system, method, found, project)
            facts.last_start = judged
    else:
        g = check_element(system, q, q1)
        plan.check_discrete(system, dynamic, origin, step, q, np.zeros(system.dim))
        state, found, pair = plan.start_pair(dynamic, origin, step, g)
        initial_data.judge(system, method, found, project)
        initial_data.judge_pair(system, method, pair, float(step))
    return Prepared(system, method, plan, dynamic, float(step), float(origin), state, facts=facts)


def _known_plan(system: System, method: Method, facts: Known) -> tuple[Plan, Parameters]:
    """Return the plan, and the parameters as arrays; cached for the same system and method."""

    def arrays() -> tuple[Parameters, Static]:
        dynamic, static = as_arrays(system)
        check_parameters(system, dynamic)
        return dynamic, static

    dynamic, static = facts.fact("arrays", arrays)
    of_method = CodeKey(method)
    if not of_method.is_compared or not facts.code.is_compared:
        return plan_for(system, method, dynamic, static), dynamic

    def plan() -> Plan:
        return plan_for(system, method, dynamic, static)

    return facts.fact(("plan", method, of_method), plan), dynamic


def prepare_traced(
    system: System, method: Method, q0: Point, v0: Given, h: Given, t0: Given
) -> tuple[Parameters, Static, tuple[Given, ...], Plan | None]:
    """Prepare a run inside a JAX transformation: parameters, static part, (t0, h, q, v), plan.

    Functions that close over traced values differ in every call: nothing of them is cached, and
    there is no plan. Nor is there one for a method with arrays in its fields.
    """
    check_objects(system, method)
    h, t0 = (jnp.asarray(x, dtype=float) for x in check_times(h, t0))
    q = system.groupoid.base.check(q0, "q0")
    v = check_velocity(system, v0)
    dynamic, static = as_arrays(system, tables=False)
    try:
        plan = plan_for(system, method, dynamic, static) if _is_hashable(method) else None
    except ReadsTracers:
        plan = None
    if plan is None:
        check_hooks(static, Layout(dynamic))
        _check_fit(method, system)
    return dynamic, static, (t0, h, q, v), plan


def _is_hashable(x: object) -> bool:
    try:
        hash(x)
    except TypeError:
        return False
    return True


def start_traced(system: System, method: Method, t0, h, q, v, project: bool) -> State:
    """Return the first state of such a run; its result code says whether the data are wrong."""
    start = initial_state(system, method, t0, h, q, v)
    started = initial_data.gather(system, t0, q, v, start.row)
    wrong = initial_data.wrong_data(method, started, project or not system.is_constrained)
    result = jnp.where(wrong & (start.row.result == OK), INCONSISTENT, start.row.result)
    return start._replace(row=start.row._replace(result=result))


def prepare_members(
    system: Given, method: Method, q0: Given, v0: Given, h: Given, t0: Given, project: bool
) -> tuple[Prepared, Batch]:
    """Check an ensemble; errors are those of `simulate`, with the member's index."""
    check_objects(system, method, members=True)
    check_flag("project", project)
    batch = batch_of(system, q0, v0)
    example = batch.example
    step, origin = check_times(h, t0)
    check_parameters(example, (batch.shared, batch.varying))
    check_velocity(example, batch.v[0])
    dynamic, static = as_arrays(example, tables=reads_tables())
    plan = plan_for(example, method, dynamic, static)
    first = (jax.tree.map(lambda x: x[0], batch.q), batch.v[0])
    plan.check_discrete(example, dynamic, origin, step, *first)
    state, found, wrong = plan.start_members(batch, origin, step, project)
    bad = np.flatnonzero(wrong)
    if len(bad):
        shown = ", ".join(map(str, bad[:5])) + (", ..." if len(bad) > 5 else "")
        which = f"member {bad[0]}" if len(bad) == 1 else f"members {shown}"
        try:
            example.groupoid.base.check(jax.tree.map(lambda x: x[bad[0]], batch.q), "q0")
            initial_data.judge(example, method, jax.tree.map(lambda x: x[bad[0]], found), project)
        except UsageError as error:
            raise error.located(after=f"({which} of {batch.members})") from None
        raise UsageError(
            f"{example.name()}: the first step cannot be made from the initial data "
            f"({which} of {batch.members})"
        )
    prepared = Prepared(example, method, plan, None, float(step), float(origin), state)
    return prepared, batch


def each_member(prepared: Prepared, batch: Batch) -> list[Prepared]:
    """Yield each member of an ensemble as a prepared single run."""

    def one(i: int) -> Prepared:
        varying, state = jax.tree.map(lambda x: x[i], (batch.varying, prepared.state))
        return prepared._replace(dynamic=eqx.combine(varying, batch.shared), state=state)

    return [one(i) for i in range(batch.members)]


# -- the compiled start --------------------------------------------------------------------------


class Plan:
    """What all runs of a system class with a method share, independent of parameters and start.

    Layouts and compiled starts are cached here.
    """

    def __init__(
        self,
        static: Static,
        method: Method,
        parameters: Layout,
        codes: Sequence[CodeKey[Any]],
    ) -> None:
        self.static, self.method, self.codes = static, method, codes
        example = eqx.combine(parameters.example(), static)
        self.is_constrained = example.is_constrained
        self.form: Callable[[bool], str] = example.form_of_code
        groupoid = example.groupoid
        self._adds = type(groupoid) is Pair and type(groupoid.base) is Euclidean
        q, v = jax.eval_shape(example.groupoid.base.identity), np.zeros(example.dim)
        one = np.zeros(())
        self.given, self.parameters = Layout((parameters.example(), one, one, q, v)), parameters
        self._found: Layout | None = None
        self._identity: tuple[Method, Identity] | None = None
        self._packed: tuple[Parameters, np.ndarray] | None = None
        self._once: dict[Any, Any] = {}
        self._functions: dict[str, Function] = {}
        self._own_rules = tuple(consistency.own_rules(method))
        self._defects: dict[int, Any] = {}
        self.settle()

    @property
    def reason(self) -> str:
        """Why the code of this plan cannot be compared with that of another run; "" if it can."""
        return next((code.reason for code in self.codes if code.reason), "")

    @property
    def is_compared(self) -> bool:
        """Whether another run may use this plan."""
        return all(code.is_compared for code in self.codes)

    @property
    def found(self) -> Layout:
        """Layout of the result of the start, packed as a vector."""
        if self._found is None:  # known once a start was compiled
            given = self.given.example()
            self._found = Layout(jax.eval_shape(self._of_parameters(self._begin), *given))
        return self._found

    @functools.cached_property
    def state(self) -> Layout:
        """Layout of a state, packed as a vector."""
        return Layout(self.found.example()[0])

    @property
    def constraints(self) -> int:
        """The number of multipliers."""
        return self.state.example().row.multiplier.shape[-1]

    def identity(self, system: System, method: Method) -> Identity:
        """Provenance of a run: the same for all systems of the plan."""
        if self._identity is None or self._identity[0] != method:
            self._identity = method, Identity.of(system, method)
        return self._identity[1]

    def lasting_key(self, *more: object) -> str | None:
        """The key on disk of code compiled for the plan, or None."""
        shapes, codes = self.given.describe(), (code.value for code in self.codes)
        return lasting_key(self.static, *codes, self.method, shapes, *more)

    def settle(self) -> None:
        """Update the key of the code; call it after the code of system and method was traced."""
        for code in self.codes:
            code.settle()

    def function(self, what: str, f: Callable[..., Any], *like: Any) -> Function:
        """Return f(system, *like) as compiled code (parameters, *like) -> value, cached."""
        if what not in self._functions:
            key = self.lasting_key()
            try:
                self._functions[what] = Function(
                    self._of_parameters(f),
                    self.parameters.example(),
                    *like,
                    name=key and f"{what} of {key}",
                )
            finally:
                self.settle()
        return self._functions[what]

    def _of_parameters(self, f: Callable[..., Any]) -> Callable[..., Any]:
        return lambda dynamic, *x: f(eqx.combine(dynamic, self.static), *x)

    def _begin(self, system, t0, h, q, v) -> tuple[State, Facts, jax.Array, jax.Array]:
        """Compute the state, the facts, and whether data are wrong, without and with `project`."""
        state = initial_state(system, self.method, t0, h, q, v)
        result = initial_data.gather(system, t0, q, v, state.row)
        strict, loose = (
            initial_data.wrong_data(self.method, result, project=x) for x in (False, True)
        )
        return state, result, strict, loose

    def _started(self) -> Function:
        start = self._functions.get("start")
        if start is None:
            start = self.function("start", self._begin, *self.given.example()[1:])
        self._found = start.results
        return start

    def start(self, given: Given) -> tuple[State, Facts]:
        """Return the first state and the facts, from (parameters, t0, h, q, v)."""
        return self.start_with_numbers(given)[:2]

    def start_with_numbers(self, given: Given) -> tuple[State, Facts, np.ndarray]:
        """Return the first state, the facts, and the given data as a vector."""
        start, (dynamic, *others) = self._started(), given
        rest = [np.ravel(x) for x in jax.tree.leaves(others)]
        numbers = np.concatenate([self.packed(dynamic), *rest])
        return *start.results.unpack(start.packed(numbers))[:2], numbers

    def once(self, name: Any, compute: Callable[[], T]) -> T:
        """Return the value of `compute`, computed once for the plan."""
        if name not in self._once:
            self._once[name] = compute()
        return self._once[name]

    def packed(self, dynamic: Parameters) -> np.ndarray:
        """Return the parameters as a vector; those of the last call are not packed again."""
        last = self._packed
        if last is None or last[0] is not dynamic:
            last = self._packed = (dynamic, self.parameters.pack_numpy(dynamic))
        return last[1]

    def check_discrete(self, system: System, dynamic: Parameters, t0, h, q: Point, v) -> None:
        """Refuse a user's discrete Lagrangian or constraint that disagrees with the system's."""
        consistency.check_forms(self.method, system, t0, h, q, v)
        for i, (rule, used) in enumerate(self._own_rules):
            used = used and system.is_constrained
            if i not in self._defects:
                consistency.check_shapes(system, rule, used, t0, q)
                made = functools.partial(consistency.defects, rule, used)
                self._defects[i] = jax.jit(
                    lambda dynamic, *x, made=made: made(eqx.combine(dynamic, self.static), *x)
                )
            try:
                values = self._defects[i](dynamic, *map(jnp.asarray, (t0, h)), q, jnp.asarray(v))
            finally:
                self.settle()
            consistency.judge(system, rule, used, values)

    def energies(self, given: tuple[Parameters, Any, Point, Any]) -> EnergyFacts:
        """Return the energy and its terms at rows of (parameters, t, q, v).

        The parameters are the same for all rows, or have an axis of rows as well.
        """
        return self._at_rows("energy", initial_data.gather_energy, given)

    def constraint_rows(self, given: tuple[Parameters, Any, Point, Any]) -> ConstraintRows:
        """Return the constraint at rows of (parameters, t, q, v); compiled at the first call."""
        return self._at_rows("constraint", constraint_rows.gather_rows, given)

    def moved(self, given: tuple[Parameters, Any, Point, Any]) -> Point:
        """Return the points reached from q along v, at rows of (parameters, t, q, v)."""
        if self._adds:  # nothing is compiled
            return np.asarray(given[2]) + np.asarray(given[3])
        return self._at_rows("move", lambda x, t, q, v: move(x.groupoid, q, v), given)

    @functools.cached_property
    def constraint_may_jump(self) -> bool:
        """Whether the constraint has operations that jump."""
        dynamic, t, _, q, v = self.given.example()

        def values(dynamic, t, q, v):
            return constraint_rows.continuous(eqx.combine(dynamic, self.static), t, q, v)

        try:
            return constraint_rows.may_jump(values, dynamic, t, q, v)
        finally:
            self.settle()

    def _at_rows(
        self, what: str, f: Callable[..., Any], given: tuple[Parameters, Any, Point, Any]
    ) -> Any:
        """Return f(system, t, q, v) at rows; compiled at the first call."""
        _, t, _, q, v = self.given.example()
        return self.function(what, f, t, q, v).at_rows(len(given[1]), *given)

    @property
    def starts_natively(self) -> bool:
        """Whether the start is native code, which does not need JAX."""
        return self._started().is_native

    def start_rows(self, given: np.ndarray, project: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return the packed first state for each row of packed data, and which rows are wrong."""
        result = self._started().rows(given)
        return result[:, : self.state.width], result[:, -1 if project else -2] != 0.0

    def start_packed(self, given: np.ndarray) -> np.ndarray:
        """Return the first state as a vector, from packed (parameters, t0, h, q, v)."""
        return self._started().packed(given)[: self.state.width]

    def start_pair(
        self, dynamic: Parameters, t0, h, g: Element
    ) -> tuple[State, Facts, initial_data.PairFacts]:
        """Return the first state and the facts, from a first element of the groupoid."""
        given = (np.asarray(float(t0)), np.asarray(float(h)), g)

        def begin(system, t0, h, g):
            state = initial_pair(system, self.method, t0, h, g)
            row = state.row
            result = initial_data.gather(system, t0, row.q, row.v, row)
            return state, result, initial_data.gather_pair(system, t0, h, row)

        return self.function("start of a pair", begin, *given)(dynamic, *given)

    def start_each(self, count: int, *given: Any) -> Any:
        """Return what `_begin` computes, for `count` rows; each argument has rows or is shared."""
        return self._started().at_rows(count, *given)

    def start_members(self, batch: Batch, t0, h, project: bool) -> tuple[State, Facts, np.ndarray]:
        """Return states and facts of all members, and which of them cannot be run."""
        dynamic = eqx.combine(batch.varying, batch.shared)
        given = (dynamic, np.asarray(t0, float), np.asarray(float(h)), batch.q, batch.v)
        state, told, strict, loose = self.start_each(batch.members, *given)
        return state, told, (loose if project else strict) | (state.row.result != OK)


def plan_for(system: System, method: Method, dynamic: Parameters, static: Static) -> Plan:
    """Return the plan of a system and a method that fit; a new one if their code has changed.

    May raise `ReadsTracers`.
    """
    parameters, code = Layout(dynamic), CodeKey(code_of(system))
    made = method.of_code
    of_method = CodeKey(made)
    if code.reads_tracers or of_method.reads_tracers:
        raise ReadsTracers
    hooks_checked(static, parameters, code)
    _check_fit(method, system)
    return _plan(static, made, parameters, code, of_method)


def _check_fit(method: Method, system: System) -> None:
    if system.has_time and not method.takes_time:
        raise UsageError(
            f"{system.name()}: its Lagrangian depends on time, lagrangian(t, q, v), which "
            f"{method.name} does not take; Gauss(), DLA(), GNI(), Lobatto(), RK4() and Taylor() do"
        )
    method.check(system)


@cached(maxsize=256)
def _plan(static: Static, method: Method, parameters: Layout, *codes: CodeKey[Any]) -> Plan:
    return Plan(static, method, parameters, codes)
