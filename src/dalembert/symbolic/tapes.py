"""Record the terms of the equations of motion: M a = f + A^T lam, A a + d = 0, and L."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics, groupoids
from ..compile.ir.record import Recorded, recorded, trace
from ..compile.ir.tape import Unsupported
from ..compile.layout import Layout
from ..errors import UsageError
from ..export.model import name_parameters
from ..inputs import CONTROL, Constant, driven
from ..running.programs.step_kernel import places
from ..system import System, as_arrays


class Terms(NamedTuple):
    """The terms at (t, q, v): trees of arrays, or of the indices of their entries in outputs."""

    lagrangian: Any
    metric: Any  # M = d^2 L/dv^2
    force: Any  # f: all terms of M a except the reactions
    rows: Any  # A
    drift: Any  # d: the rate of A v - b at constant v
    offset: Any  # b
    rate: Any  # the rate of q as it is stored, linear in v
    outside: Any  # the external force and the controls' force, both contained in f


class Recording(NamedTuple):
    """The terms of a system on a tape."""

    system: System
    recorded: Recorded
    places: Terms  # index of each entry among the outputs
    recorder: Recorder


class Recorder:
    """Records functions of a system and a state; parameters and inputs are arguments."""

    def __init__(self, system: System) -> None:
        self.system = system
        count = len(system.input_labels) if system.has_inputs and not system.controlled_name else 0
        example = driven(system, Constant(np.zeros(count))) if count else system
        dynamic, self._static = as_arrays(example, tables=False)
        self._shared, self.inputs = dynamic, count
        if count:
            self._shared = eqx.tree_at(lambda s: getattr(s, CONTROL).value, dynamic, None)
        self.parameters, _, given = name_parameters(system, self._shared, None)
        self.given = [x for x, _ in given]

    def record(self, f: Callable[..., Any]) -> tuple[Recorded, Any]:
        """Record f(system, t, q, v, u); return the tape and the indices of the results."""

        def called(shared: Any, u: Any, rest: Any) -> Any:
            made = eqx.combine(shared, self._static)
            if self.inputs:
                made = eqx.tree_at(
                    lambda s: getattr(s, CONTROL).value, made, u, is_leaf=lambda x: x is None
                )
            return f(made, *rest, u)

        q = jax.eval_shape(self.system.groupoid.base.identity)
        rest = (np.zeros(()), q, np.zeros(self.system.dim))
        try:
            made = trace(called, Layout(self._shared).example(), np.zeros(self.inputs), rest)
            result = recorded(made)
        except Unsupported as error:
            raise UsageError(
                f"its equations cannot be written number by number: {error}",
                about=self.system.name(),
            ) from error
        return result, places(result.results)


def recording_of(system: System) -> Recording:
    """Return the terms of a system on a tape; raise `UsageError` if they cannot be recorded."""
    recorder = Recorder(system)
    found, at = recorder.record(_terms)
    return Recording(system, found, at, recorder)


def _terms(system: Any, t: Any, q: Any, v: Any, u: Any) -> Terms:
    def along(s: Any) -> Any:
        x = groupoids.move(system.groupoid, q, s * v)
        return dynamics.constraint_residual(system, x, v, t + s), x

    # derivatives along the motion with v constant: d of A a + d = 0, and q'
    drift, rate = jax.jvp(along, (jnp.zeros(()),), (jnp.ones(()),))[1]
    rows = dynamics.constraint_matrix(system, q, v, t)
    offset = jnp.zeros(rows.shape[0])
    if system.has_offset:
        offset = offset.at[: rows.shape[0]].set(dynamics.linear_offset(system, t, q))
    outside = system.force(t, q, v) if system.has_force else jnp.zeros(system.dim)
    return Terms(
        system.lagrangian_at(t, q, v),
        dynamics.metric(system, q, v, t),
        dynamics._free_force(system, q, v, t),
        rows,
        drift,
        offset,
        rate,
        outside,
    )
