"""Run the blocks of a hybrid ensemble, here or by an executor, and store them in a folder.

    hybrid.json, inputs.npz     the request, and the initial data of the members
    first.zarr                  the start of the first member: modes, methods, versions
    000000.npz, 000064.npz, ... blocks of members, named by their first one
    000000.zarr, ...            members that ran one by one

Each file has a seal (`results.seals`) and is written atomically, so that a process killed at any
moment leaves blocks that are complete; the others are computed again, with the same bits.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import jax
import numpy as np

from ..compile.engine import keep_compiled_code, kept_folder
from ..errors import DamagedError, UsageError
from ..events import Event
from ..events.event import check_watched
from ..files import PathLike, replacing
from ..results import HybridTrajectory, seals, versions
from ..running.driver import Progress
from ..running.ensemble_run import block_size
from ..running.record.sinks import Every, Final, RowSink
from ..storage.executors import ask, in_slices
from ..storage.slice_store import check_versions, packed_with, unpacked, worker_name
from ..storage.store import locked
from .hybrid_api import check_same, check_stored, methods_of, with_events
from .hybrid_record import Record
from .hybrid_run import steppers_of
from .member_runs import SingleMembers
from .member_start import MemberRequest, MemberStart
from .member_vectors import Met, VectorBlock, VectorMembers
from .modes import Modes

Work: TypeAlias = VectorMembers | SingleMembers

_BLOCK = 4096  # default number of members per block, whose states fit into the processor's caches
_FORMAT = "dalembert-hybrid-ensemble-1"
_STUDY, _INPUTS, _FIRST = "hybrid.json", "inputs.npz", "first.zarr"


def run_blocks(
    work: Work, executor: Any, progress: bool | None, folder: MemberFolder | None
) -> list[VectorBlock]:
    """Run all members, block after block; blocks that `folder` has are continued."""
    n = len(work.start)
    size = _size_of(work, executor is not None or folder is not None)
    starts = list(range(0, n, size))
    found: dict[int, VectorBlock] = {}
    done = 0
    with Progress(progress, n, "members") as bar:

        def told(block: VectorBlock | None) -> None:
            nonlocal done
            if block is not None:
                _check_engine(block, found)
                if executor is not None:
                    block = _unpacked(work.request, block)
                if folder is not None:
                    folder.write(work, block)
                found[block.first] = block
                done += min(size, n - block.first)
            bar.update(done)

        left = []
        for a in starts:
            before = None if folder is None else folder.read(work, a, min(size, n - a))
            if before is not None and work.is_complete(before):
                found[a] = before
                done += min(size, n - a)
            else:
                left.append((a, before))
        if executor is None:
            for a, before in left:
                told(work.block(slice(a, min(a + size, n)), before))
        else:
            _check_workers(executor)
            known = dict(left)

            def task(a: int) -> bytes:
                part = work.start.part(slice(a, min(a + size, n)))
                return _packed(work, part, known[a])

            in_slices([a for a, _ in left], task, compute_block, executor, told)
    return [found[a] for a in starts]


def _size_of(work: Work, shared: bool) -> int:
    """Return the number of members in a block, which does not depend on where it is computed."""
    n = len(work.start)
    if isinstance(work, SingleMembers):
        has_sinks = work.plan is not None and work.plan.others is not None
        return min(n, 16) if shared or has_sinks else n
    if work.code.engine.name == "gpu":
        return n
    # results of sinks are combined in the order of blocks
    return block_size(n, True) if shared or work.plan.others is not None else min(n, _BLOCK)


def _check_engine(block: VectorBlock, found: Mapping[int, VectorBlock]) -> None:
    for other in found.values():
        if other.engine[0] != block.engine[0]:
            raise UsageError(
                f"one worker used the engine {block.engine[0]}, another one {other.engine[0]}: "
                "their numbers could differ. Use equal workers, or set engine=..."
            )
        return


# -- other processes ------------------------------------------------------------------------------


def _check_workers(executor: Any) -> None:
    there = ask(executor, introduced)
    if there is not None:
        check_versions(there["worker"], there["versions"], versions())


def introduced(_: bytes) -> dict[str, Any]:
    """Return a description of this worker process."""
    return {"versions": versions(), "worker": worker_name()}


def _packed(work: Work, start: MemberStart, before: VectorBlock | None) -> bytes:
    """Pickle the task of running some members."""
    modes = work.start.modes
    if isinstance(work, VectorMembers):  # without the transitions of events
        modes = work.plain_modes
    objects: list[Any] = [*modes.systems.values(), *work.request.sinks.values()]
    names = {type(x).__module__ for x in objects}
    functions = [y for x in modes.transitions for y in (x.guard, x.jump, x.when)]
    functions += [work.request.stop_when, *(e.g for e in work.request.events.values())]
    names |= {getattr(x, "__module__", "") or "" for x in functions if x is not None}
    start = MemberStart(modes, start.names, start.q, start.v, start.over, start.first, start.total)
    folder = work.folder if isinstance(work, SingleMembers) else None
    alone = isinstance(work, SingleMembers)
    return packed_with(
        names, (start, work.request, before, alone, folder, versions(), kept_folder())
    )


def compute_block(data: bytes) -> VectorBlock:
    """Run some members in another process."""
    start, request, before, alone, folder, wanted, code = unpacked(data)
    if code is not None:
        keep_compiled_code(code or None)
    check_versions(worker_name(), versions(), wanted)
    work: Work = SingleMembers(start, request) if alone else VectorMembers(start, request)
    if isinstance(work, SingleMembers):
        work.folder = folder
    elif not work.runs:
        raise UsageError(
            f"the worker {worker_name()} has no native code: {work.code.engine.reason}"
        )
    made = work.block(slice(0, len(start)), before)
    states = {k: request.sinks[k].pack(x) for k, x in made.states.items()}
    return made._replace(states=states)


def _unpacked(request: MemberRequest, block: VectorBlock) -> VectorBlock:
    found = {k: request.sinks[k].unpack(x, 0) for k, x in block.states.items()}
    return block._replace(states=found)


# -- folders --------------------------------------------------------------------------------------


class MemberFolder:
    """The folder of a hybrid ensemble that can be resumed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def new(cls, path: PathLike) -> MemberFolder:
        """Return the folder of a new ensemble; raise `UsageError` if the path exists."""
        target = Path(path)
        if target.exists():
            raise UsageError(
                f"cannot write '{path}': it exists already. Continue it (hybrid.resume_ensemble), "
                "remove it, or choose another name"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        return cls(target.resolve())

    @staticmethod
    def files_of_old(path: PathLike) -> list[Path]:
        """Return the files of an ensemble that an earlier version wrote, one for each member."""
        target = Path(path)
        return [] if MemberFolder.is_at(target) else sorted(target.glob("[0-9]*.zarr"))

    @staticmethod
    def is_at(path: PathLike) -> bool:
        """Whether a folder is that of a hybrid ensemble."""
        return (Path(path) / _STUDY).is_file()

    def first(self) -> HybridTrajectory:
        """Return the start of the first member, which describes modes and methods."""
        return HybridTrajectory.load(self.path / _FIRST)

    @classmethod
    def opened(cls, path: PathLike) -> MemberFolder:
        """Return the folder of an ensemble; raise if the path is not one."""
        target = Path(path)
        if not cls.is_at(target):
            raise UsageError(f"'{path}' holds no hybrid ensemble")
        return cls(target)

    def create(self, work: Work) -> None:
        """Write the request and the initial data."""
        start, r = work.start, work.request
        rows = [x for x in r.sinks.values() if isinstance(x, RowSink)]
        every = 0
        check_stored(r.sinks)
        for x in rows:
            if type(x) not in (Every, Final):
                raise UsageError(f"store= takes Every(k) or Final() for its rows, not {x!r}")
            every = int(x.every or 1) if isinstance(x, Every) else 0
        study = {
            "format": _FORMAT, "members": len(start), "h": r.h, "t0": r.t0, "steps": r.steps,
            "every": every, "save_jumps": r.save_jumps, "project": r.project, "limit": r.limit,
            "engine": r.engine, "names": start.names, "layout": _layout(work),
            "events": {k: x.identity for k, x in r.events.items()},
        }  # fmt: skip
        arrays = {f"q_{i}": x for i, x in enumerate(jax.tree.leaves(start.q))} | {"v": start.v}
        arrays |= {f"over_{k}": x for k, x in start.over.items()}
        with replacing(self.path) as temporary:
            temporary.mkdir()
            work.first_run().save(temporary / _FIRST)
            seals.write_arrays(temporary / _INPUTS, arrays)
            seals.write_document(temporary / _STUDY, study)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder for this process."""
        release = locked(self.path, self)
        try:
            yield
        finally:
            release()

    def request(
        self, modes: Modes, method: Any, events: Mapping[str, Event], insist: bool
    ) -> tuple[MemberStart, MemberRequest]:
        """Return the start and the request of the ensemble; refuse modes or events that differ."""
        study, _ = seals.read_document(self.path / _STUDY)
        if study.get("format") != _FORMAT:
            raise UsageError(f"'{self.path}' holds no hybrid ensemble of this version")
        watched = dict(study.get("events", {}))
        if insist:  # the functions of events may differ, their names may not
            watched |= {k: x.identity for k, x in events.items() if k in watched}
        check_watched(f"'{self.path.name}'", watched, events)
        arrays = seals.read_arrays(self.path / _INPUTS)
        first = self.first()
        tree = jax.tree.structure(next(iter(modes.systems.values())).groupoid.base.identity())
        q = jax.tree.unflatten(tree, [arrays[f"q_{i}"] for i in range(tree.num_leaves)])
        over = {k[5:]: x for k, x in arrays.items() if k.startswith("over_")}
        n = int(study["members"])
        start = MemberStart(modes, list(study["names"]), q, arrays["v"], over, 0, n)
        methods = methods_of(first) if method is None else method
        if start.modes.one_program and method is None:  # other members may meet further modes
            methods = next(iter(methods.values()), None)
        times = (float(study["t0"]), float(study["h"]), int(study["steps"]))
        mine = with_events(start.modes_of(0).resumed(first.modes, first.standing), events)
        record = Record(mine, steppers_of(mine, methods, times, study["engine"]), 1)
        check_same(first, mine, record, insist)
        every = int(study["every"])
        sinks = {"": Every(every) if every else Final()}
        return start, MemberRequest(
            methods, float(study["h"]), float(study["t0"]), int(study["steps"]), sinks,
            bool(study["save_jumps"]), bool(study["project"]), events, limit=int(study["limit"]),
            engine=study["engine"],
        )  # fmt: skip

    def check(self, work: Work) -> None:
        """Refuse to continue with other code than the folder was written by."""
        study, _ = seals.read_document(self.path / _STUDY)
        # earlier versions wrote no blocks of contacts with friction: they begin anew
        none = study["layout"] == "runs" and not any(self.path.glob("[0-9]*"))
        if study["layout"] != _layout(work) and not none:
            raise UsageError(
                f"'{self.path}' was written by another version or another engine of dalembert, "
                "whose numbers differ: start the ensemble again"
            )
        study["steps"], study["layout"] = work.request.steps, _layout(work)
        seals.write_document(self.path / _STUDY, study)

    def write(self, work: Work, block: VectorBlock) -> None:
        """Write a block."""
        if isinstance(work, SingleMembers):
            return  # each member has written its file
        texts = {
            "first": block.first, "engine": block.engine,
            "failed": {str(i): x for i, x in block.failed.items()},
            "warnings": {str(i): x for i, x in block.warnings.items()},
        }  # fmt: skip
        met = {}
        if block.met is not None:
            texts["names"] = block.met.names
            met = {"mode": block.met.mode, "own": block.met.own}
        numbers = {"arcs": block.arcs, "member": block.member, "rows": block.rows} | met
        if block.events is not None:
            numbers |= {f"event_{k}": x for k, x in block.events.arrays().items()}
        text = np.frombuffer(json.dumps(texts).encode(), np.uint8)
        seals.write_arrays(self._file(block.first), {**numbers, "texts": text})

    def read(self, work: Work, first: int, members: int) -> VectorBlock | None:
        """Return a block that was written, or None if there is no such file."""
        file = self._file(first)
        if isinstance(work, SingleMembers) or not file.exists():
            return None
        found = seals.read_arrays(file)
        texts = json.loads(found["texts"].tobytes())
        if texts["first"] != first or found["arcs"].shape[1] != members:
            raise DamagedError(f"'{self.path}' is damaged: {file.name} is not what was written")
        failed = {int(i): str(x) for i, x in texts["failed"].items()}
        warnings = {int(i): tuple(x) for i, x in texts["warnings"].items()}
        engine = (str(texts["engine"][0]), str(texts["engine"][1]))
        numbers = (found["arcs"], found["member"], found["rows"])
        events = work.events_of({k[6:]: x for k, x in found.items() if k.startswith("event_")})
        met = None
        if "names" in texts:
            met = Met(tuple(texts["names"]), found["mode"], found["own"])
        return VectorBlock(first, *numbers, failed, warnings, events, {}, engine, (), met)

    def _file(self, first: int) -> Path:
        return self.path / f"{first:06d}.npz"


def _layout(work: Work) -> str:
    """Return a text that describes the layout of a member's packed state, to compare layouts."""
    if isinstance(work, SingleMembers):
        return "runs"
    return seals.digest(f"{work.code.arc.describe()} {work.code.row.describe()}".encode())
