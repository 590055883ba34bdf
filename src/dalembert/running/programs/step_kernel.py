"""The step of a plan as native code, for one run or for many members, or why there is none.

Also what a program and its code share: the state of a member, the row that is saved of it, and
where each number lies. The loop around the step is emitted by `compile.stepping`.
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
from ...compile.layout import Layout
from ...errors import Reason
from ...linalg import NOT_FINITE
from ...methods import Row
from ..request.prepare import Plan
from ..request.step import State, StopRule, counts, looked_at, one_step


class SavedRow(NamedTuple):
    """What a row in the buffer holds."""

    k: Any
    row: Row
    frame: Any


def saved_row(state: State) -> SavedRow:
    """The row of a state."""
    return SavedRow(state.k, state.row, state.frame)


class Member(NamedTuple):
    """What a member carries through the loop."""

    state: State
    good: Any  # steps done without failure


@cached(maxsize=2)  # large, and needed until the code is there
def _traced(plan: Plan, shared: Layout, own: Layout, rule: CodeKey[StopRule | None]) -> Traced:
    given = (shared.example(), np.zeros(()), np.zeros(()))

    def step(given: Any, varying: Any, member: Member) -> tuple[Member, Any]:
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
    """Where the numbers lie that mean something to the loop."""
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
    """The step on a tape; `own` are the parameters that are a member's own.

    With `memory` large arrays lie in memory, which a CPU can read. May raise `Unsupported`.
    """
    steps = Steps(recorded(_traced(plan, shared, own, rule), memory), **_where(plan))
    return steps.guarded(NOT_FINITE).looking()


def places(layout: Layout) -> Any:
    """The tree, with the place of every number in its vector in place of the number."""
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
    else:  # a user's code is found by what it was traced to
        name = _traced(plan, shared, own, rule).digest(str(_where(plan)))
    try:
        return StepKernel(lambda: steps_of(plan, shared, own, rule), many, name)
    except Unsupported as error:
        return Reason(str(error))


def kernel_of(
    plan: Plan, shared: Layout, own: Layout, rule: StopRule | None, many: bool = False
) -> StepKernel | Reason:
    """Native code, or the reason why there is none."""
    return _found(plan, shared, own, CodeKey(rule), many)
