"""Compute an ensemble slice by slice into a store, in this process or in others.

This module decides which slices there are, hands them out and combines them into one result. The
store itself is `storage.slice_store`; the members of a slice run in `ensemble_run`.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import equinox as eqx
import jax
import numpy as np

from ...compile.engine import keep_compiled_code, kept_folder
from ...compile.xla import Device
from ...errors import UsageError
from ...events import Event, EventFunction, check_watched, named_events
from ...files import PathLike
from ...methods import Method
from ...request.batch import Batch, batch_of
from ...request.initial_data import WorstMember
from ...request.validate import Given, check_count
from ...results import Ensemble, Identity, ensemble_store, versions
from ...results.formats import meta_of
from ...results.provenance import described
from ...rows import AnySink
from ...storage.executors import ask, check_executor, in_slices
from ...storage.slice_store import (
    SliceReport,
    SliceStore,
    SliceTask,
    check_versions,
    flat_inputs,
    packed,
    reported,
    slice_size,
    unpacked,
    worker_name,
    write_slice,
)
from ...storage.store import as_stored, check_new_store
from ...system import System
from ..driver import Progress
from ..ensemble_run import EnsembleRequest, block_size, warnings_of
from ..record.sinks import Every, Final, RowSink, Stream, check_every, named

_FEW = 64  # members that make one step, from which the store gets the shapes of its arrays


class Streamed:
    """An ensemble (a study) that is written to a store; new or resumed."""

    def __init__(
        self,
        run: EnsembleRequest,
        batch: Batch,
        store: SliceStore,
        sinks: Mapping[str, AnySink],
        events: Mapping[str, Event],
    ) -> None:
        self.run, self.batch, self.store, self.sinks = run, batch, store, sinks
        self.events = events
        self.identity = Identity.of(batch.example, run.method)
        self.steps = int(meta_of(store.folder.attributes).steps)
        self.engine: str | None = None  # engine of the slices so far; all must have the same

    @classmethod
    def begun(
        cls,
        run: EnsembleRequest,
        steps: int,
        streams: Sequence[Stream],
        others: Mapping[str, AnySink],
        events: Mapping[str, Event],
        executor: Given = None,
    ) -> Streamed:
        """Create a new store; one step of the first members gives the shapes of its arrays."""
        if len(streams) > 1:
            raise UsageError(
                "a run has one Stream, which holds all rows of the members; select "
                "other rows from it, da.load(path)"
            )
        # One writer of members: two would have to agree about which members are complete.
        (stream,) = streams
        if rows := [k for k, x in others.items() if isinstance(x, RowSink)]:
            raise UsageError(f"save[{rows[0]!r}] would save rows that the Stream saves already")
        check_new_store(stream.path)
        batch = batch_of(run.system, run.q0, run.v0)
        every = stream.every if stream.every is not None else run.save_every
        if every is not None:
            every = check_every("Stream", every)
        here = jax.devices()[0].platform
        there = _asked(executor) or here
        block = block_size(batch.members, there == "cpu")
        # A small run gives types and shapes of all arrays of the store.
        sample = _part(run, batch, slice(0, min(_FEW, batch.members)))
        if there != here:
            # This process may have another device than the workers.
            sample = sample._replace(engine=None)  # `engine=` is meant for the workers
        own = block if there == here else None
        work = sample.work(named(Final()), 1, devices=jax.devices()[:1], block=own)
        work.compile()
        example = work.gathered(work.run(False), {"wall_s": 0.0, "compile_s": 0.0})
        # raises now if a sink refuses the run
        sample.work({"": _rows_kept(every), **others}, steps, events=events, block=own)
        meta = dataclasses.replace(example.meta, steps=steps, save_every=every or steps)
        # Warnings of the small run are not those of the study.
        example = dataclasses.replace(example, meta=dataclasses.replace(meta, warnings=()))
        # The first row, multiples of `every`, and the last row.
        rows = 1 if every is None else 2 + (steps - 1) // every
        width = sum(x.nbytes for x in jax.tree.leaves((example.q, example.v, example.p)))
        width += example.multiplier.nbytes + example.residual.nbytes
        members = None if stream.members is None else check_count("members", stream.members)
        study = {
            "members": batch.members,
            "size": slice_size(batch.members, rows * width // len(example), block, members),
            "block": block,
            "every": every,
            "project": run.project,
            "save_every": run.save_every,
            "engine": run.engine,
            "reductions": {k: described(x) for k, x in others.items()},
            "events": {k: x.identity for k, x in events.items()},
        }
        inputs = flat_inputs(run.q0, run.v0, _own(batch), run.initial)
        # The store holds its own initial data, so that it can be resumed without them.
        store = SliceStore.create(stream.path, example, rows, study, inputs)
        return cls(run, batch, store, {"": _rows_kept(every), **others}, events)

    @classmethod
    def resumed(
        cls,
        path: PathLike,
        system: System | None,
        method: Method | None,
        reductions: Mapping[str, AnySink] | None,
        events: Mapping[str, Event],
        insist: bool,
    ) -> Streamed:
        """Open the study of a store, and compare it with the arguments."""
        store, others = SliceStore.open(path), dict(reductions or {})
        study, meta = store.study, store.meta
        # As stored: code and fields are compared with those that wrote the store.
        system, method = as_stored(store, system, method, insist=insist)
        given = {k: described(x) for k, x in others.items()}
        if given.keys() != study["reductions"].keys() or (
            given != study["reductions"] and not insist
        ):
            names = ", ".join(study["reductions"]) or "none"
            raise UsageError(
                f"'{store.path.name}' is a study with the reductions: {names}; give the same ones, "
                "resume(store, reduce={...})"
            )
        watched = dict(study["events"])
        if insist:  # the functions may differ, their names may not
            watched |= {k: x.identity for k, x in events.items() if k in watched}
        check_watched(f"'{store.path.name}'", watched, events)
        inputs = store.inputs
        q0 = v0 = None
        if "v" in inputs:
            # A point of a group is a tree of arrays, which the store has one by one.
            tree = jax.tree.structure(system.groupoid.base.identity())
            q0 = jax.tree.unflatten(tree, [inputs[f"q_{i}"] for i in range(tree.num_leaves)])
            v0 = inputs["v"]
        more = (study["project"], study["save_every"], study["engine"])
        initial = {k[2:]: x for k, x in inputs.items() if k.startswith("i_")}
        run = EnsembleRequest(system, method, q0, v0, meta.h, meta.t0, *more, initial)
        sinks = {"": _rows_kept(study["every"]), **others}
        made = cls(run, batch_of(system, q0, v0), store, sinks, events)
        # Locked after all checks, so that a refused call leaves no lock behind.
        store.lock()
        return made

    def task(self, index: int) -> SliceTask:
        """Return the task of computing a slice, with all data that it needs."""
        part, run = self.store.part(index), _part(self.run, self.batch, self.store.part(index))
        return SliceTask(
            str(self.store.path), index, part.start, run.system, run.method, run.q0, run.v0,
            {"h": run.h, "t0": run.t0, "project": run.project, "save_every": run.save_every,
             "steps": self.steps, "engine": run.engine, "initial": run.initial},
            self.sinks, self.events, int(self.store.study["block"]), self.engine, self.identity,
            versions(), kept_folder(),
        )  # fmt: skip

    def to_the_end(
        self, devices: Sequence[Device] | None, executor: Given, progress: bool | None
    ) -> Ensemble:
        """Compute the missing slices; return the ensemble, read from its store."""
        store = self.store
        try:
            missing = store.missing()
            for i in missing:
                # Withdrawn first: a reader must not take it for complete while it is computed
                # again.
                store.withdraw(i)  # removes the marker of a slice that has lost a chunk
            done = store.members - sum(_length(store.part(i)) for i in missing)
            for report in store.reports():
                self._engine_of(report)
            with Progress(progress, store.members, "members") as bar:
                bar.update(done)

                def record(report: SliceReport | None) -> None:
                    nonlocal done
                    if report is not None:
                        self._engine_of(report)
                        done += report.members
                    bar.update(done)

                def ticked(part: float) -> None:
                    bar.update(done + int(part * store.size))

                if executor is None:
                    for i in missing:
                        # Here, in this process, slice by slice; progress comes from within a
                        # slice.
                        record(_computed(self.task(i), devices, ticked))
                else:
                    in_slices(missing, lambda i: packed(self.task(i)), run_slice, executor, record)
            return self._finished()
        finally:
            store.release()

    def _engine_of(self, report: SliceReport) -> None:
        # Engines differ in the last digits, and one study must not mix them.
        if self.engine is not None and report.engine != self.engine:
            self.store.withdraw(report.index)
            raise UsageError(
                f"{report.worker} computed with the engine {report.engine}, the others with "
                f"{self.engine}: numbers could differ in their last digits. Use equal workers, or "
                "choose one engine for all, engine=..."
            )
        self.engine = report.engine

    def _finished(self) -> Ensemble:
        names = {k: x for k, x in self.sinks.items() if k}
        saved = {
            k: names[k].finish(names[k].combine(states))
            # States of slices are combined in the order of members, whichever worker was first.
            for k, states in self.store.states(names).items()
        }
        reports = self.store.reports()
        attributes = {
            "warnings": list(self._warnings(reports)),
            "engine": self.engine or "",
            "engine_reason": next((x.engine_reason for x in reports), ""),
            "wall_s": sum(x.wall_s for x in reports),
            "compile_s": sum(x.compile_s for x in reports),
        }
        self.store.finish(saved, attributes)
        ensemble = ensemble_store.load_sliced(self.store.path)
        return dataclasses.replace(ensemble, saved={**ensemble.saved, **saved})

    def _warnings(self, reports: Sequence[SliceReport]) -> tuple[str, ...]:
        """Return the warnings about the numerical results, each for the worst member."""
        kinds = dict.fromkeys(k for x in reports for k in x.worst)
        worst = {k: WorstMember.among([x.worst[k] for x in reports if k in x.worst]) for k in kinds}
        return warnings_of(self.run.method, worst)


def _asked(executor: Given) -> str | None:
    """Return the platform of external workers, None without any; refuse other versions."""
    answers = ask(executor, introduced)
    if answers is None:
        return None
    # Versions are compared before any slice is sent.
    check_versions(answers["worker"], answers["versions"], versions())
    return answers["platform"]


def introduced(_: bytes) -> dict[str, Any]:
    """Describe this worker: its platform, versions and name."""
    return {"platform": jax.devices()[0].platform, "versions": versions(), "worker": worker_name()}


def _length(part: slice) -> int:
    return part.stop - part.start


def _rows_kept(every: int | None) -> AnySink:
    return Final() if every is None else Every(every)


def _own(batch: Batch) -> dict[str, np.ndarray]:
    """Return the parameters in which members differ, except a control, which is not an array."""
    result = {name: getattr(batch.varying, name) for name in batch.names}
    return {k: np.asarray(x) for k, x in result.items() if isinstance(x, (np.ndarray, jax.Array))}


def _part(run: EnsembleRequest, batch: Batch, part: slice) -> EnsembleRequest:
    """Return the request for some of the members."""
    # Copies: views would keep the arrays of all members alive in every task.
    take = partial(jax.tree.map, lambda x: np.array(x[part]))
    whole = eqx.combine(take(batch.varying), jax.tree.map(np.asarray, batch.shared), batch.static)
    initial = {k: x[part] for k, x in run.initial.items()}
    return run._replace(system=whole, q0=take(batch.q), v0=np.array(batch.v[part]), initial=initial)


def run_slice(data: bytes) -> SliceReport:
    """Compute a slice in another process, on its first device, and write it."""
    task = unpacked(data)
    if task.code is not None:
        # The cache of compiled code is shared if the workers see the same folder.
        keep_compiled_code(task.code or None)
    task.check()
    # a scheduler that has lost a report submits the slice again: return the report then
    return reported(task.store, task.index) or _computed(task, jax.devices()[:1])


def _computed(
    task: SliceTask,
    devices: Sequence[Device] | None,
    tick: Callable[[float], object] = lambda part: None,
) -> SliceReport:
    begin = time.perf_counter()
    # A copy, because the task may be submitted again.
    options = dict(task.options)
    steps = options.pop("steps")
    run = EnsembleRequest(task.system, task.method, task.q, task.v, **options)
    try:
        work = run.work(task.sinks, steps, None, devices, task.events, task.block)
    except UsageError as error:
        where = f"slice {task.index}, from member {task.first} on" if task.first else "slice 0"
        raise error.located(where) from error
    work.compile()
    # Checked before computing: a slice takes minutes.
    if task.engine not in (None, work.engine.name):
        raise UsageError(
            f"this worker computes with the engine {work.engine.name}, the others with "
            f"{task.engine}: numbers could differ. {work.engine.reason}"
        )
    compiled = time.perf_counter()
    blocks = work.run(False, tick)
    spent = {"wall_s": time.perf_counter() - compiled, "compile_s": compiled - begin}
    made = dataclasses.replace(work.gathered(blocks, spent), saved={})
    states = {k: [feeding.states[k] for feeding, *_ in blocks] for k in task.sinks if k}
    return write_slice(task, made, states, work.worst)


def resume_ensemble(
    path: PathLike,
    system: System | None,
    method: Method | None,
    *,
    reduce: Mapping[str, AnySink] | None = None,
    events: Mapping[str, Event | EventFunction] | None = None,
    executor: Given = None,
    devices: Sequence[Device] | None = None,
    insist: bool = False,
    progress: bool | None = None,
) -> Ensemble:
    """Continue an ensemble that was streamed to a store."""
    check_executor(executor)
    study = Streamed.resumed(path, system, method, reduce, named_events(events), insist)
    return study.to_the_end(devices, executor, progress)
