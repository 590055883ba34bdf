"""The step of a plan as native code, for one run or for many members, or why there is none.

Programs and native code share the data types here: the state of a member, the row that is saved,
and the index of each number. The loop around the step is emitted by `compile.cpu.loop_emit`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...compile.cache.code_key import CodeKey
from ...compile.cache.registry import cached
from ...compile.cpu.kernels import StepKernel
from ...compile.cpu.loop_emit import Steps
from ...compile.ir.record import Traced, recorded, trace
from ...compile.ir.tape import Unsupported
from ...compile.layout import Layout, Tree
from ...errors import Reason
from ...linalg import NOT_FINITE
from ...methods import Row
from ...request.prepare import Plan
from ...request.step import Numbers, State, StopRule, counts, looked_at, one_step
from ...request.validate import Parameters
from ...system import Point

# On a GPU, blocks of at most so many members do not limit the registers of a thread (it may use a
# hundred or more). A GPU runs several blocks at once and has room for some sixty thousand such
# threads.
CROWDED = 1 << 14


class SavedRow(NamedTuple):
    """Contents of a row in the buffer."""

    k: Tree
    row: Row
    frame: Point


def saved_row(state: State) -> SavedRow:
    """Return the row to save of a state."""
    return SavedRow(state.k, state.row, state.frame)


class Member(NamedTuple):
    """State of a member in the loop over steps."""

    state: State
    good: Numbers  # number of steps made without failure


@cached(maxsize=2)  # a trace is large, and needed only until the code is compiled
def _traced(plan: Plan, shared: Layout, own: Layout, rule: CodeKey[StopRule | None]) -> Traced:
    given = (shared.example(), np.zeros(()), np.zeros(()))

    def step(given: Tree, varying: Parameters, member: Member) -> tuple[Member, Tree]:
        dynamic, t0, h = given
        system = eqx.combine(varying, dynamic, plan.static)
        state = one_step(system, plan.method, t0, h, member.state, rule.value, look=False)
        good = member.good + counts(plan.method, member.state, state)
        ok = jnp.zeros_like(state.row.result)
        seen = looked_at(system, state.row._replace(result=ok)).result
        return Member(state, good), seen

    try:
        return trace(step, given, own.example(), _member(plan))
    finally:
        plan.settle()
        rule.settle()


def _member(plan: Plan) -> Member:
    return Member(plan.state.example(), np.zeros(()))


def _where(plan: Plan) -> dict[str, Any]:
    """Return the indices of the numbers that the loop itself reads or writes."""
    at = places(Layout(_member(plan)))
    state = at.state
    return {
        "k": int(state.k),
        "residual": int(state.row.residual),
        "result": int(state.row.result),
        "stopped": int(state.stopped),
        "good": int(at.good),
        "kept": [int(i) for x in jax.tree.leaves((saved_row(state), at.good)) for i in np.ravel(x)],
    }


@cached(maxsize=256)
def steps_of(
    plan: Plan, shared: Layout, own: Layout, rule: CodeKey[StopRule | None], memory: bool = True
) -> Steps:
    """Record the step on a tape; `own` are the parameters in which members differ.

    With `memory`, large arrays are in memory instead of scalars; only CPU code can read them. May
    raise `Unsupported`.
    """
    steps = Steps(recorded(_traced(plan, shared, own, rule), memory), **_where(plan))
    return steps.guarded(NOT_FINITE).looking()


def places(layout: Layout) -> Tree:
    """Return the tree with each number replaced by its index in the packed vector."""
    ends = np.cumsum([0, *layout.sizes])
    leaves = [
        np.arange(a, b).reshape(aval.shape) for a, b, aval in zip(ends, ends[1:], layout.avals)
    ]
    return jax.tree.unflatten(layout.tree, leaves)


@cached(maxsize=256)
def _found(
    plan: Plan, shared: Layout, own: Layout, rule: CodeKey[StopRule | None], many: bool
) -> StepKernel | Reason:
    name = plan.lasting_key(rule.value)
    if name is not None:
        name = f"{name} {shared.describe()} {own.describe()}"
    else:  # the cache key of a user's code is a hash of its trace
        name = _traced(plan, shared, own, rule).digest(str(_where(plan)))
    try:
        return StepKernel(lambda: steps_of(plan, shared, own, rule), many, name)
    except Unsupported as error:
        return Reason(str(error))


def kernel_of(
    plan: Plan, shared: Layout, own: Layout, rule: StopRule | None, many: bool = False
) -> StepKernel | Reason:
    """Return the native code of a step, or the reason why there is none."""
    return _found(plan, shared, own, CodeKey(rule), many)


@cached(maxsize=64)
def history_of(plan: Plan) -> StepKernel | Reason:
    """Return the native code of a single run whose rows are complete states.

    Gradients need them. This code is cached separately, because other runs have shorter rows.
    """
    nobody = Layout(jax.tree.map(lambda _: None, plan.parameters.example()))
    rule: CodeKey[StopRule | None] = CodeKey(None)
    whole = list(range(plan.state.width))

    def steps() -> Steps:
        return steps_of(plan, plan.parameters, nobody, rule)._replace(kept=whole)

    name = plan.lasting_key()
    if name is None:
        name = _traced(plan, plan.parameters, nobody, rule).digest(f"states {_where(plan)}")
    else:
        name = f"states {name} {plan.parameters.describe()}"
    try:
        return StepKernel(steps, False, name)
    except Unsupported as error:
        return Reason(str(error))
