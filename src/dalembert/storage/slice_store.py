"""The store of an ensemble that is written to disk slice by slice; each worker writes its slices.

The store (`results.ensemble_store`) is created for all members at once. A slice consists of
complete blocks of the ensemble. The same code runs on the same blocks as in an undivided run, so
the bits agree. Writing a slice twice does no harm, and a slice with a marker is not computed again.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import json
import os
import pickle
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jax
import numpy as np

from ..errors import DamagedError, StoreError, UsageError
from ..events import Event
from ..files import PathLike, replacing
from ..methods import Method
from ..request.initial_data import WorstMember
from ..results import Ensemble, Meta, ensemble_store, seals, summaries
from ..results.formats import attributes, meta_of
from ..results.markers import MARKERS, marked, marker_file, read_marker, write_marker
from ..results.meta import versions
from ..results.provenance import Identity
from ..rows import AnySink
from ..system import Point, System
from .store import COMPLETE, Locked, block_names, check_new_store, new_folder

_REDUCED = "reduced"
# Default size of a slice: at most this many bytes of rows, and at least so many slices (fewer if
# that would divide a block).
_SLICE_BYTES, _MANY = 64 * 2**20, 32
# A slice has at most _MEMBERS members; up to _MOST_MEMBERS if there would be more than _MOST_SLICES
# slices.
_MEMBERS, _MOST_MEMBERS, _MOST_SLICES = 16384, 65536, 4096
USER_MODULE = "_dalembert_user_"  # prefix of the names of modules made from users' files


@dataclasses.dataclass(frozen=True)
class SliceTask:
    """One slice with all data to compute it, as it is sent to a worker."""

    store: str
    index: int
    first: int
    system: System
    method: Method
    q: Point
    v: np.ndarray
    options: Mapping[str, Any]  # h, steps, t0, project, save_every, initial
    sinks: Mapping[str, AnySink]
    events: Mapping[str, Event]
    block: int
    engine: str | None  # engine of the other slices
    identity: Identity
    versions: Mapping[str, str]
    code: str | None = None  # folder of cached code, shared by all workers; see `kept_folder`

    def check(self) -> None:
        """Raise if this worker has other versions or other code than the rest of the study."""
        here = f"the worker {worker_name()}"
        check_versions(worker_name(), versions(), self.versions)
        if told := self.identity.differences(Identity.of(self.system, self.method)):
            raise UsageError(f"{here} has another system or method: {'; '.join(told)}")


def worker_name() -> str:
    """Return the host and the process id of this worker."""
    return f"{socket.gethostname()}:{os.getpid()}"


def check_versions(worker: str, has: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    """Raise if a worker has other versions than the rest of the study."""
    other = [f"{k} {has.get(k)}, not {x}" for k, x in wanted.items() if has.get(k) != x]
    if other:
        raise UsageError(
            f"the worker {worker} has {', '.join(other)}: numbers could differ; install "
            "equal versions"
        )


class SliceReport(NamedTuple):
    """Short report of a worker about a finished slice; the rows are in the store."""

    index: int
    members: int
    failed: int
    engine: str
    engine_reason: str
    worst: Mapping[str, WorstMember]  # worst member for each kind of warning
    wall_s: float
    compile_s: float
    worker: str


# -- sending tasks to workers --------------------------------------------------------------------


def packed(task: SliceTask) -> bytes:
    """Pickle a task: classes by name, those of files and of the main script with their code."""
    names = {type(x).__module__ for x in (task.system, task.method, *task.sinks.values())}
    names |= {getattr(x.g, "__module__", "") for x in task.events.values()}
    names |= {x.__module__ for x in map(_inner, (task.system,)) if x is not None}
    return packed_with(names, task)


def packed_with(names: set[str], what: object) -> bytes:
    """Pickle an object for a worker, with the files of those modules that are users' files."""
    files = {
        name: str(sys.modules[name].__file__)
        for name in names
        if name.startswith(USER_MODULE) and name in sys.modules
    }
    try:
        import cloudpickle as pickler  # pyright: ignore[reportMissingImports]
    except ImportError:
        pickler = pickle
    try:
        return pickle.dumps((files, pickler.dumps(what)))
    except Exception as error:  # pickle raises whatever the objects raise
        raise UsageError(
            f"the study cannot be sent to workers ({error}): write its system, method and "
            'functions in a module or file of their own, or pip install "dalembert[cluster]"'
        ) from error


def _inner(system: Any) -> type | None:
    """Return the class of the system inside a driven system, or None."""
    result = getattr(system, "system", None)
    return type(result) if isinstance(result, System) else None


def unpacked(data: bytes) -> Any:
    """Unpickle in another process what `packed_with` or `packed` has pickled."""
    files, inner = pickle.loads(data)
    for name, path in files.items():
        if name in sys.modules:
            continue
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None or not Path(path).is_file():
            raise UsageError(f"the worker {socket.gethostname()} cannot read '{path}'")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return pickle.loads(inner)


# -- the store -----------------------------------------------------------------------------------


def slice_size(members: int, row_bytes: int, block: int, asked: int | None) -> int:
    """Return the number of members in a slice: complete blocks, whose rows fit in memory."""
    most = max(_SLICE_BYTES // max(row_bytes, 1), 1)
    large = min(max(_MEMBERS, members // _MOST_SLICES), _MOST_MEMBERS)
    size = min(-(-members // _MANY), most, large) if asked is None else asked
    return max(-(-size // block), 1) * block


class SliceStore(Locked):
    """The store of an ensemble (a study); made by `create` or `open`."""

    def __init__(self, path: Path, study: Mapping[str, Any]) -> None:
        super().__init__(path)
        self.study = study
        self.members, self.size = int(study["members"]), int(study["size"])

    @classmethod
    def create(
        cls,
        path: PathLike,
        example: Ensemble,
        rows: int,
        study: Mapping[str, Any],
        inputs: Mapping[str, np.ndarray],
    ) -> SliceStore:
        """Create a store for members like those of `example`, with `rows` rows each."""
        target = check_new_store(path)
        store = cls(target, study)
        meta = example.meta
        shared = {k: x for k, x in meta.parameters.items() if k not in example.varying}
        data = example.to_xarray()
        data = data.assign_attrs(attributes(dataclasses.replace(meta, parameters=shared)))
        sizes = {"member": store.members, "time": rows}
        blocks = {"member": min(store.size, store.members), "time": rows}
        with replacing(target) as temporary:
            constant = new_folder(temporary, data, sizes, blocks)
            for name in (MARKERS, _REDUCED, ensemble_store.EVENTS):
                (temporary / name).mkdir()
            seals.write_arrays(temporary / ensemble_store.INPUTS, inputs)
            seals.write_document(temporary / ensemble_store.STUDY, study)
            beside = [ensemble_store.INPUTS, ensemble_store.STUDY]
            seals.seal_folder(temporary, [*constant, *beside], {COMPLETE: False})
            store.lock(temporary)
        return store

    @classmethod
    def open(cls, path: PathLike) -> SliceStore:
        """Open the store of an earlier call."""
        source = Path(path)
        if not ensemble_store.is_sliced(source):
            raise UsageError(f"'{path}' is not the store of an ensemble")
        folder, study, _ = ensemble_store.opened(source)
        beside = folder.damages(ensemble_store.STUDY)  # the file may come from another store
        if beside:
            raise seals.refusal(source, beside, {}, "")
        return cls(source.resolve(), study)

    @functools.cached_property
    def folder(self) -> seals.Folder:
        """The folder with its checksums, without the slices."""
        return seals.Folder(self.path)

    @property
    def count(self) -> int:
        """Number of slices."""
        return -(-self.members // self.size)

    def part(self, index: int) -> slice:
        """Return the range of members of a slice."""
        return slice(index * self.size, min((index + 1) * self.size, self.members))

    def missing(self) -> list[int]:
        """Return the slices without a marker, or with a missing or damaged file."""
        done = {x.index for x in self.reports()}
        if not done:
            return list(range(self.count))
        folder, *_ = ensemble_store.opened(self.path)
        beside = [_REDUCED] * bool(self.study["reductions"])
        beside += [ensemble_store.EVENTS] * bool(self.study["events"])
        lost = set()
        for x in folder.damages():
            if not x.axis and x.part != ensemble_store.SAVED:  # `SAVED` is written again at the end
                raise seals.refusal(self.path, [x], {}, "").located("cannot resume")
            if x.axis:
                # slice 0 has written the times
                lost.add(x.lost.start // self.size if x.axis == "member" else 0)
        for i in done - lost:
            names = [f"{x}/{i:06d}.npz" for x in beside]
            if not all(_is_whole(self.path / x) for x in names if x not in folder.expected):
                lost.add(i)  # earlier versions wrote no checksums: the files themselves are read
        return [i for i in range(self.count) if i not in done - lost]

    def reports(self) -> list[SliceReport]:
        """Return the reports of the finished slices."""
        values = [reported(self.path, i) for i in range(self.count)]
        return [x for x in values if x is not None]

    def withdraw(self, index: int) -> None:
        """Remove the marker of a slice, so that it counts as not computed."""
        marker_file(self.path, index).unlink(missing_ok=True)

    @property
    def inputs(self) -> dict[str, np.ndarray]:
        """Initial data and parameters of all members, as the caller gave them."""
        try:
            return self.folder.arrays(ensemble_store.INPUTS)
        except UsageError as error:
            raise DamagedError(
                f"'{self.path}' is damaged: its {ensemble_store.INPUTS}, the initial data of the "
                "members, cannot be read: finished slices can be loaded (da.load), but the "
                "ensemble cannot be resumed",
                parts=[ensemble_store.INPUTS],
            ) from error

    @property
    def meta(self) -> Meta:
        """Meta of the study, with the parameters of all members."""
        result = meta_of(self.folder.attributes)
        own = {k[2:]: x for k, x in self.inputs.items() if k.startswith("p_")}
        return dataclasses.replace(result, parameters={**result.parameters, **own})

    def states(self, names: Mapping[str, AnySink]) -> dict[str, list[Any]]:
        """Return the states of reductions for all blocks, in the order of the members."""
        result: dict[str, list[Any]] = {name: [] for name in names}
        for i in range(self.count if names else 0):
            file = seals.read_arrays(self.path / _REDUCED / f"{i:06d}.npz")
            for name, sink in names.items():
                for block in range(int(file["blocks"])):
                    parts = [file[f"{name}/{block}/{k}"] for k in range(_count(file, name))]
                    result[name].append(sink.unpack(parts, self.part(i).start))
        return result

    def finish(self, saved: Mapping[str, Any], told: Mapping[str, Any]) -> None:
        """Write the results of reductions and the attributes `told`, once all slices are there."""
        import xarray

        data = summaries.add_to(
            xarray.Dataset(), {k: x for k, x in saved.items() if summaries.is_writable(x)}, None
        )
        arrays = {str(k): x.values for k, x in data.variables.items()}
        seals.write_arrays(self.path / ensemble_store.SAVED, arrays)
        result = {k: x if isinstance(x, (str, float)) else json.dumps(x) for k, x in told.items()}
        files = [ensemble_store.SAVED]
        if not self.folder.full:
            files += self._seal_former()
        seals.seal_folder(self.path, files, {COMPLETE: True, **result, **data.attrs})

    def _seal_former(self) -> list[str]:
        """Write checksums for the slices of an earlier version; return the other files to seal."""
        seals.write_document(self.path / ensemble_store.STUDY, self.study)
        for i, marker in marked(self.path).items():
            if "blocks" not in marker:
                names = [f"{x}/{i:06d}.npz" for x in (_REDUCED, ensemble_store.EVENTS)]
                names = [x for x in names if (self.path / x).is_file()]
                names += self.folder.slice_of("member", i)
                names += self.folder.blocks("time") if i == 0 else []
                write_marker(self.path, i, names, marker)
        constant = set(self.folder.blocks()) - set(self.folder.blocks("member"))
        constant -= set(self.folder.blocks("time"))
        return [*sorted(constant), ensemble_store.INPUTS, ensemble_store.STUDY]


def reported(folder: PathLike, index: int) -> SliceReport | None:
    """Return the report of a slice if it is finished; an incomplete marker counts as None."""
    try:
        told = dict(read_marker(Path(folder), index) or {})
        told["worst"] = {k: WorstMember(*x) for k, x in told["worst"].items()}
        return SliceReport(**{k: told[k] for k in SliceReport._fields})
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _is_whole(file: Path) -> bool:
    """Whether the file has arrays that can be read without damage."""
    try:
        seals.read_arrays(file)
    except (OSError, UsageError):
        return False
    return True


def _count(file: Any, name: str) -> int:
    return sum(1 for k in file if k.startswith(f"{name}/0/"))


def write_slice(
    task: SliceTask,
    made: Ensemble,
    states: Mapping[str, Sequence[Any]],
    worst: Mapping[str, WorstMember],
) -> SliceReport:
    """Write a slice, its marker last; raise `StoreError` if that fails."""
    import zarr

    folder = Path(task.store)
    part = slice(task.first, task.first + len(made))
    report = SliceReport(
        task.index, len(made), len(made.failed), made.meta.engine, made.meta.engine_reason,
        {k: x._replace(member=x.member + task.first) for k, x in worst.items()},
        made.meta.wall_s, made.meta.compile_s, worker_name(),
    )  # fmt: skip
    arrays: dict[str, Any] = {"blocks": np.array(max((len(x) for x in states.values()), default=0))}
    for name, blocks in states.items():
        for i, block in enumerate(blocks):
            for k, x in enumerate(task.sinks[name].pack(block)):
                arrays[f"{name}/{i}/{k}"] = np.asarray(x)
    try:
        group: Any = zarr.open_group(folder, mode="r+", zarr_format=2, use_consolidated=False)
        variables = {str(k): x for k, x in made.to_xarray().variables.items()}
        selected = {k: x.values for k, x in variables.items() if "member" in x.dims}
        for name, values in selected.items():
            group[name][part] = values
        files = block_names(selected, task.index)
        if task.index == 0 and "time" in variables:
            group["time"][...] = variables["time"].values
            files.append("time/0")
        if states:
            files.append(f"{_REDUCED}/{task.index:06d}.npz")
            seals.write_arrays(folder / files[-1], arrays)
        if made.events is not None:
            result = dataclasses.replace(made.events, member=made.events.member + task.first)
            files.append(f"{ensemble_store.EVENTS}/{task.index:06d}.npz")
            seals.write_arrays(folder / files[-1], result.arrays())
        failed = {str(i + task.first): text for i, text in made.failed.items()}
        write_marker(folder, task.index, files, report._asdict() | {"failures": failed})
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(
            f"cannot write slice {task.index} to '{task.store}': {why}; finished slices are "
            "saved, and da.resume (dalembert resume) computes the others"
        ) from error
    return report


def flat_inputs(
    q0: Any, v0: Any, varying: Mapping[str, Any], initial: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Return initial data and parameters of the members as arrays by name."""
    result = {f"p_{k}": np.asarray(x) for k, x in varying.items()}
    result |= {f"i_{k}": np.asarray(x) for k, x in initial.items()}
    if q0 is not None:
        result |= {f"q_{i}": np.asarray(x, float) for i, x in enumerate(jax.tree.leaves(q0))}
        result["v"] = np.asarray(v0, float)
    return result


__all__ = [
    "SliceReport",
    "SliceStore",
    "SliceTask",
    "check_versions",
    "flat_inputs",
    "packed",
    "reported",
    "slice_size",
    "unpacked",
    "worker_name",
    "write_slice",
]
