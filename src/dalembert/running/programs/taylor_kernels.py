"""Native code of Taylor's method for a plan: its steps, its rows, functions of the motion.

The code is compiled once per plan and cached. `taylor_program` calls it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ...compile.cache.code_key import CodeKey, lasting_key
from ...compile.cache.registry import cached
from ...compile.cpu.kernels import MapKernel
from ...compile.cpu.llvm import Effort
from ...compile.ir.record import Recorded, record
from ...compile.ir.tape import Unsupported
from ...compile.layout import Layout, Tree
from ...compile.taylor.coefficient_rules import Jet
from ...compile.taylor.taylor_kernel import ObserverKernel, Parts, RecordShape, TaylorKernel
from ...dynamics import constraint_matrix, constraint_residual, metric
from ...errors import Reason, UsageError
from ...groupoids import Point
from ...linalg import NOT_FINITE, solve_spd
from ...methods import Row
from ...methods.taylor import TaylorNode, element_field, landed, row_between
from ...request.prepare import Plan
from ...request.step import judged, looked_at
from ...request.validate import Given, Parameters, Static
from .step_kernel import places


class TaylorCode(NamedTuple):
    """The compiled loop of a plan, with the layouts of a node and of x = (part, v)."""

    kernel: TaylorKernel
    node: Layout
    x: Layout

    @property
    def shape(self) -> RecordShape:
        return self.kernel.shape


def code_for(plan: Plan) -> TaylorCode:
    """Return the native code of a plan; raise `UsageError` if an operation has no Taylor rule."""
    result = found_code(plan)
    if isinstance(result, Reason):
        system = eqx.combine(plan.parameters.example(), plan.static)
        raise UsageError(
            f"taylor cannot run {system.name()}: it has no rule for {result}. Use Gauss(4)"
        )
    return result


def found_code(plan: Plan) -> TaylorCode | Reason:
    """Return the native code of a plan, or the operation without a rule.

    All tolerances share the code.
    """
    method: Given = plan.method  # a `Taylor`, or a `Reference`
    structure = _Structure(plan.static, plan.parameters, plan.state, plan.codes[0])
    return _code(structure, method.degree)


class _Structure(NamedTuple):
    """The parts of a plan that determine the code of its steps: a cache key."""

    static: Static
    parameters: Layout
    state: Layout
    code: CodeKey[Any]

    @property
    def is_compared(self) -> bool:
        return self.code.is_compared

    def settle(self) -> None:
        self.code.settle()

    def lasting_key(self, *more: object) -> str | None:
        return lasting_key(self.static, self.code.value, self.state.describe(), *more)


def taken_by_choice(plan: Any) -> Recorded | None:
    """Record what the constraint removes from v, if the constraint has branches; else None.

    Example: a belt that starts. When such a branch changes, velocities jump with the constraint,
    and no acceleration shows the jump.
    """
    node: TaylorNode = plan.state.example().carry
    parameters = plan.parameters.example()
    if not eqx.combine(parameters, plan.static).is_constrained:
        return None

    def at(constants: Tree, moving: Tree) -> Tree:
        (dynamic, q), ((part, v), t) = constants, moving
        system = eqx.combine(dynamic, plan.static)
        return system, system.groupoid.target(system.groupoid.arrow(q, part)), v, t

    def residual(*given: Tree) -> Tree:
        return constraint_residual(*at(*given))

    def taken(*given: Tree) -> Tree:
        there = at(*given)
        mu = constraint_matrix(*there)
        raised = solve_spd(metric(*there), mu.T)
        return raised @ solve_spd(mu @ raised, constraint_residual(*there))

    x = (node.part, node.v)
    given = (parameters, node.q), (x, node.t)
    result = Jet(record(residual, *given), Layout(x).width, plan.parameters.width, follow=False)
    return record(taken, *given) if result.choices else None


@cached(maxsize=64)
def _code(plan: _Structure, order: int) -> TaylorCode | Reason:
    node: TaylorNode = plan.state.example().carry
    x = (node.part, node.v)
    parameters = plan.parameters.example()

    def make() -> Parts:
        def f(constants: Tree, moving: Tree) -> Tree:
            (dynamic, q), (x, t) = constants, moving
            return element_field(eqx.combine(dynamic, plan.static), q, t, x)

        def land(given: Tree) -> Tree:
            dynamic, node, t, change = given
            new = landed(eqx.combine(dynamic, plan.static), node, t, change)
            return new.q, (new.part, new.v, new.v_lost, new.frame)

        try:
            rates = record(f, (parameters, node.q), (x, node.t))
            landing = record(land, (parameters, node, node.t, x))
        finally:
            plan.settle()
        point, width = Layout(node.q).width, plan.parameters.width
        rest, n = Layout(node).width - point - 3, node.v.shape[0]
        return Parts(rates, landing, width, point, rest, n, taken_by_choice(plan))

    key = plan.lasting_key()
    try:
        kernel = TaylorKernel(make, order, key and f"{key} {plan.parameters.describe()}")
    except Unsupported as error:
        return Reason(str(error))
    return TaylorCode(kernel, Layout(node), Layout(x))


# Row code with more lines than this is compiled without optimization. Steps cost a hundred times
# more than rows, so it hardly matters.
_LONG_ROWS = 1_000


def _effort_for_rows(text: str) -> Effort:
    return Effort(0, 0) if text.count("\n") > _LONG_ROWS else Effort(1, 1)


class RowGiven(NamedTuple):
    """Data that a row is computed from: its time, a node, and x there."""

    t: Tree
    q: Point
    frame: Tree
    x: Tree


@cached(maxsize=64)
def rows_of(plan: Plan, rule: Any) -> MapKernel:
    """Compile (parameters, `RowGiven`) -> (row, frame, whether `stop_when` is true)."""
    node: TaylorNode = plan.state.example().carry
    given = RowGiven(node.t, node.q, node.frame, (node.part, node.v))

    def row(dynamic: Parameters, given: RowGiven) -> tuple[Row, Tree, Tree]:
        system = eqx.combine(dynamic, plan.static)
        row, frame = row_between(system, given.t, given.q, given.frame, given.x)
        row = looked_at(system, judged(system, plan.method, row))
        stop = np.asarray(False)
        if rule.value is not None:
            stop = rule.value(row.t, row.q, row.v)
        return row, frame, jnp.asarray(stop, dtype=bool).reshape(())

    key = plan.lasting_key(rule.value)
    try:
        name = key and f"guarded rows of {key}"
        given = (plan.parameters.example(), given)
        # index of the result code; the row comes first in the output
        at = int(places(Layout(plan.state.example().row)).result)
        return MapKernel(row, *given, effort=_effort_for_rows, name=name, guard=(at, NOT_FINITE))
    finally:
        plan.settle()
        rule.settle()


@cached(maxsize=64)
def observer_of(plan: Plan, functions: Any) -> ObserverKernel | Reason:
    """Compile the Taylor coefficients of functions of (t, q, v); or return what has no rule."""
    code = code_for(plan)
    node: TaylorNode = plan.state.example().carry
    x = (node.part, node.v)
    parameters = plan.parameters.example()

    def make() -> tuple[Any, int]:
        def g(constants: Tree, moving: Tree) -> Tree:
            (dynamic, q), ((part, v), t) = constants, moving
            groupoid = eqx.combine(dynamic, plan.static).groupoid
            there = groupoid.target(groupoid.arrow(q, part))
            return [jnp.asarray(f(t, there, v), dtype=float) for f in functions.value]

        try:
            return record(g, (parameters, node.q), (x, node.t)), plan.parameters.width
        finally:
            plan.settle()
            functions.settle()

    try:
        return ObserverKernel(make, code.shape)
    except Unsupported as error:
        return Reason(str(error))
