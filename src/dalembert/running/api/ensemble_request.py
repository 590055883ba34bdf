"""Members and how they are run, whatever is kept of them: from what a user gives to blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ...compile.engine import Device
from ...linalg import OK
from ...methods import Method, Row
from ...system import Point, System
from ..ensemble_run import EnsembleRun
from ..events import Event
from ..programs.fixed_step import ending_at, shortened_members
from ..programs.taylor_program import shortened_taylor
from ..record.sinks import Final, SinkSchedule, named
from ..request.batch import Batch
from ..request.prepare import Prepared, prepare_members
from ..request.step import StopRule, check_stop_rule, has_any_times, has_own_steps
from ..rows import AnySink, Node, Start


class EnsembleRequest(NamedTuple):
    """Members and how they are run, whatever is kept of them."""

    system: System
    method: Method
    q0: Any
    v0: Any
    h: Any
    t0: Any
    project: bool
    save_every: int | None
    engine: str | None
    initial: Mapping[str, np.ndarray] = MappingProxyType({})  # entries of q0, v0 that have names
    stop_when: StopRule | None = None

    def work(
        self,
        sinks: Mapping[str, AnySink],
        steps: int | None,
        t: float | None = None,
        devices: Sequence[Device] | None = None,
        events: Mapping[str, Event] | None = None,
        block: int | None = None,
    ) -> EnsembleRun:
        """The work of it, checked."""
        method = self.method
        prepared, batch = prepare_members(
            self.system, method, self.q0, self.v0, self.h, self.t0, self.project
        )
        one = prepared._replace(dynamic=batch.shared)

        def few(node: Node, sizes: np.ndarray) -> tuple[Row, Point]:
            if has_any_times(method):
                return shortened_taylor(one, node, sizes, batch.varying)
            return shortened_members(prepared.plan, batch.shared, batch.varying, node, sizes)

        start = Start(
            prepared.system,
            prepared.h,
            prepared.t0,
            steps or 0,
            0,
            batch.members,
            0,
            False,
            few,
            has_own_steps(method),
        )
        if steps is None:
            assert t is not None
            prepared = ending_at(prepared, float(t))
            steps = _steps_until(prepared, batch, start, float(t), devices, self.engine)
            start = start._replace(steps=steps)
        check_stop_rule(self.stop_when, prepared.system)
        every_step = bool(events) or self.stop_when is not None
        looking = SinkSchedule(sinks, self.save_every, start, at_every_step=every_step)
        looking = looking.watched(prepared.system, method, batch.varying)
        more = (events or {}, block, self.initial, self.stop_when)
        return EnsembleRun(prepared, batch, looking, steps, devices, self.engine, *more)


def _steps_until(
    prepared: Prepared,
    batch: Batch,
    start: Start,
    t: float,
    devices: Sequence[Device] | None,
    engine: str | None,
) -> int:
    """How many steps of sizes of their own lead the slowest member to the time t: a run tells."""
    steps = 2 * max(round((t - prepared.t0) / prepared.h), 1)
    while True:
        looking = SinkSchedule(named(Final()), None, start._replace(steps=steps))
        work = EnsembleRun(prepared, batch, looking, steps, devices, engine, {})
        work.compile()
        found = work.gathered(work.run(False), {"wall_s": 0.0, "compile_s": 0.0})
        if np.all((found.ended >= t) | (found.result != OK)):
            return max(int(np.max(found.steps_done + (found.result != OK))), 1)
        steps *= 2
