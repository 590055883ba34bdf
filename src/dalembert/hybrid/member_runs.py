"""Run members of a hybrid ensemble one after the other, if there is no code for vectors of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jax
import numpy as np

from ..errors import SimulationError, UsageError
from ..results import Events, HybridTrajectory
from ..rows import AnySink, Rows, Sink, Start
from ..running.record.sinks import Buffer, RowSink
from .hybrid_api import resume, simulate, with_events
from .hybrid_run import steppers_of
from .member_sinks import CollectedRows, RowPlan
from .member_start import MemberRequest, MemberStart
from .member_vectors import BlockEnds, VectorBlock
from .mode_program import Node
from .modes import Modes
from .taylor_run import run_of

_ROWS = "_rows"  # name of the sink that collects rows for the sinks of the ensemble


@dataclasses.dataclass(frozen=True)
class _Collector(Sink[Buffer, Rows]):
    """Collects rows of a single run, for sinks of an ensemble."""

    every: int | None = 1

    def init(self, start: Start) -> Buffer:
        return Buffer(start.rows)

    def feed(self, state: Buffer, rows: Rows) -> Buffer:
        state.add(rows)
        return state

    def finish(self, state: Buffer) -> Rows:
        return state.rows()


class SingleMembers:
    """The members of an ensemble, each a separate run."""

    folder: Path | None = None  # where each member is stored
    plan: RowPlan | None = None

    def __init__(self, start: MemberStart, request: MemberRequest) -> None:
        self.start, self.request, self.n = start, request, len(start)
        system = next(iter(start.modes.systems.values()))
        at = Start(system, request.h, request.t0, request.steps, members=self.n, single=False)
        self.plan = RowPlan(request.sinks, at)

    def block(self, mine: slice, before: VectorBlock | None = None) -> VectorBlock:
        """Run some members one by one; a member that fails has the rows before its failure."""
        found: list[HybridTrajectory] = []
        failed: dict[int, str] = {}
        first, n = self.start.first + mine.start, mine.stop - mine.start
        sinks: CollectedRows | None = None
        if self.plan is not None and self.plan.others is not None:
            sinks = CollectedRows(self.plan.others, first, n)
        for i in range(mine.start, mine.stop):
            try:
                run = self._run(i)
            except UsageError as error:
                raise error.located(after=self.start.told(i)) from None
            except SimulationError as error:
                if isinstance(error.__cause__, KeyboardInterrupt) or error.trajectory is None:
                    raise
                run = error.trajectory
                failed[self.start.first + i] = str(error)
            if sinks is not None:
                sinks.add(run.saved[_ROWS])
            found.append(run)
        if sinks is not None:
            sinks.feed()
        events = None
        if self.request.events:
            parts = [_events(x, first + j) for j, x in enumerate(found)]
            events = Events.joined([x for x in parts if x is not None])
        said = {first + j: x.warnings for j, x in enumerate(found) if x.warnings}
        engine = (found[0].meta.engine, found[0].meta.engine_reason)
        none = np.zeros(0, int)
        return VectorBlock(
            first, np.zeros((0, n)), none, none, failed, said, events,
            {} if sinks is None else sinks.states.states, engine, tuple(found),
        )  # fmt: skip

    def _run(self, i: int) -> HybridTrajectory:
        r = self.request
        modes, name, q, v = self.start.member(i)
        path = None if self.folder is None else self.folder / f"{self.start.first + i:06d}.zarr"
        if path is not None and path.exists():
            how = {"steps": r.steps, "method": r.method, "events": dict(r.events) or None}
            return resume(path, modes, progress=False, **how)
        save: dict[str, AnySink] = {k: x for k, x in r.sinks.items() if isinstance(x, RowSink)}
        assert self.plan is not None
        if self.plan.others is not None:
            save[_ROWS] = _Collector(self.plan.others.stride)
        return simulate(
            modes, name, q, v, method=r.method, h=r.h, steps=r.steps, t0=r.t0,
            events=dict(r.events) or None, save=save, project=r.project, stop_when=r.stop_when,
            jumps_per_step=r.limit, engine=r.engine, store=path, progress=False,
        )  # fmt: skip

    def is_complete(self, block: VectorBlock) -> bool:
        """Return False: whether a member is done is checked when it is run."""
        return False

    def first_run(self) -> HybridTrajectory:
        """Return the start of the first member, which describes modes and methods."""
        r, (modes, name, q, v) = self.request, self.start.member(0)
        modes = with_events(modes, r.events)
        modes = modes.fresh()
        mode, q, v = modes.started(name, q, v, r.t0)
        steppers = steppers_of(modes, r.method, (r.t0, r.h, r.steps), r.engine)
        run = run_of(modes, steppers, self.every, r.limit)
        try:
            run.begin(mode, Node(r.t0, q, np.asarray(v, float), None), r.project)
        except UsageError as error:
            raise error.located(after=self.start.told(0)) from None
        return run.result()

    @property
    def every(self) -> int:
        """Steps between saved rows."""
        return 1 if self.plan is None else self.plan.every

    # -- the result --------------------------------------------------------------------------

    def warnings(self, blocks: list[VectorBlock]) -> dict[int, tuple[str, ...]]:
        """Return the warnings of the members that have some."""
        return {i: x for b in blocks for i, x in b.warnings.items()}

    def ends(self, blocks: list[VectorBlock]) -> BlockEnds:
        """Return where the members have ended."""
        found = _all(blocks)
        return BlockEnds(
            np.array([x.t[-1] for x in found]),
            jax.tree.map(lambda *x: np.stack([y[-1] for y in x]), *(x.q for x in found)),
            np.stack([x.v[-1] for x in found]),
            tuple(x.modes[int(x.mode[-1])] for x in found),
            np.array([len(x.jumps) for x in found]),
        )

    def sizes(self, blocks: list[VectorBlock]) -> Any:
        """Return the largest entries of q and v of each member, in its saved rows."""
        found = [
            jax.tree.map(lambda a: np.max(np.abs(a), initial=0.0), (x.q, x.v)) for x in _all(blocks)
        ]
        return jax.tree.map(lambda *x: np.stack(x), *found)

    def trajectories(
        self,
        blocks: list[VectorBlock],
        warnings: Mapping[int, tuple[str, ...]],
        events: Events | None,
    ) -> Callable[[int], HybridTrajectory]:
        """Return a function that returns the trajectory of a member."""
        found = _all(blocks)

        def member(i: int) -> HybridTrajectory:
            saved = {k: x for k, x in found[i].saved.items() if k != _ROWS}
            return dataclasses.replace(found[i], saved=saved)

        return member


class FileMembers(SingleMembers):
    """Members in files that an earlier version wrote, one for each."""

    def __init__(self, files: list[Path], modes: Modes, options: Mapping[str, Any]) -> None:
        self.files, self.options, self.n = files, options, len(files)
        nothing = np.zeros((self.n, 0))
        self.start = MemberStart(modes, [None] * self.n, None, nothing, {}, 0, self.n)
        self.request = MemberRequest(None, 1.0, 0.0, 1, {})

    def _run(self, i: int) -> HybridTrajectory:
        return resume(self.files[i], self.start.modes, progress=False, **self.options)


def _all(blocks: list[VectorBlock]) -> list[HybridTrajectory]:
    return [x for b in blocks for x in b.runs]


def _events(run: HybridTrajectory, member: int) -> Events | None:
    found = run.events
    return None if found is None else dataclasses.replace(found, member=found.member + member)
