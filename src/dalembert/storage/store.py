"""The store of a run that is written to disk while it is computed, and can be resumed.

The store (`results.markers`) is created for all rows of the run at once. Later only data are
written, so it can be opened at any moment. Complete blocks of rows are written first, then their
marker, then the checkpoint, which has the rows newer than the last block; each write is atomic. A
process killed at any moment therefore leaves a readable store and a checkpoint that agrees with it.
Rows written after that checkpoint are computed and written again, with the same bits.
"""

from __future__ import annotations

import errno
import math
import os
import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from ..errors import StoreError, UsageError
from ..files import PathLike, check_writable, replacing
from ..methods import Method
from ..results import Meta, Trajectory, formats, seals
from ..results.checkpoint import (
    CHECKPOINT,
    FORMER,
    STREAMED,
    Checkpoint,
    EventCheckpoint,
    read_checkpoint,
)
from ..results.markers import expect_rows, write_marker
from ..results.meta import versions
from ..results.provenance import Identity
from ..system import System

if TYPE_CHECKING:
    import xarray

Records = Mapping[str, np.ndarray]
COMPLETE = "complete"  # attribute: whether the run has reached its end
LOCK = "lock"  # file that a process locks while it writes
_BLOCK_BYTES = 4 * 2**20
_SECONDS = 2.0  # longest time between checkpoints; a complete block of rows always makes one


def check_new_store(path: PathLike) -> Path:
    """Raise a `UsageError` unless a new store can be made there."""
    target = check_writable(path, (".zarr",))
    if target.exists():
        raise UsageError(
            f"cannot stream to '{path}': it exists already. Continue it (dalembert resume, or "
            "da.resume), remove it, or choose another name"
        )
    return target


def locked(folder: Path, owner: object) -> Callable[[], object]:
    """Lock a store for this process; return a function that unlocks it.

    It is also unlocked when `owner` is garbage-collected.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        return lambda: None
    file = os.open(folder / LOCK, os.O_WRONLY | os.O_CREAT, 0o644)
    unlock = weakref.finalize(owner, os.close, file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        unlock()
        raise UsageError(
            f"'{folder.name}' is being written to by another process; wait for it, or end it"
        ) from None
    except OSError:  # some clusters have disks without locks: the user must avoid two writers
        unlock()
        return lambda: None
    return unlock


def new_folder(
    folder: Path, data: xarray.Dataset, sizes: Mapping[str, int], blocks: Mapping[str, int]
) -> list[str]:
    """Make a Zarr folder for arrays like those of `data`, with their final sizes, without blocks.

    Returns the blocks of arrays that do not grow; only these are written.
    """
    import zarr

    encoding = seals.encoding(data, blocks)
    data.to_zarr(folder, mode="w-", zarr_format=2, consolidated=False, encoding=encoding)
    group: Any = zarr.open_group(folder, mode="r+", zarr_format=2)
    for name, variable in data.variables.items():
        if sizes.keys() & set(variable.dims):
            dims = zip(variable.dims, variable.shape)
            group[name].resize(tuple(sizes.get(str(d), n) for d, n in dims))
            for file in (folder / str(name)).iterdir():
                if not file.name.startswith("."):
                    file.unlink()  # a block of the example data
    zarr.consolidate_metadata(str(folder), zarr_format=2)
    return [x for x in seals.Folder(folder).blocks() if (folder / x).is_file()]


class Locked:
    """A store on disk that one process at a time may write to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unlock: Callable[[], object] = lambda: None

    def lock(self, folder: Path | None = None) -> None:
        """Lock the store for writing; the lock ends with the process, however that ends."""
        self._unlock = locked(folder or self.path, self)

    def release(self) -> None:
        """Unlock the store now, even if a traceback still references this object."""
        self._unlock()


class _Standing(NamedTuple):
    """Contents of a store: rows in complete blocks, newer rows, and the checkpoint after them."""

    meta: Meta
    written: int
    pending: dict[str, np.ndarray]
    records: Records
    beside: Callable[[], EventCheckpoint] = EventCheckpoint


class Store(Locked):
    """Rows of one run on disk; made by `create` or `open`."""

    def __init__(self, path: Path, meta: Meta, total: int, block: int) -> None:
        super().__init__(path)
        self.total, self.block = total, block
        self.last = time.monotonic()
        self.at = _Standing(meta, 0, {}, {})
        # a folder without checksums (earlier versions), until rows are added
        self._unsealed: seals.Folder | None = None

    @property
    def meta(self) -> Meta:
        """Meta of the run."""
        return self.at.meta

    @property
    def records(self) -> Records:
        """The state by name from which the run continues after its stored rows."""
        return self.at.records

    @property
    def planned(self) -> tuple[int, float]:
        """Number of steps of the complete run, and its end time if rows are at nodes (Taylor)."""
        if FORMER in self.records:
            *_, steps, end = self.records[FORMER]
        else:
            steps, end = self.records["steps"], self.records.get("end", np.array(math.nan))
        return int(steps), float(end)

    @classmethod
    def create(
        cls,
        path: PathLike,
        first: Trajectory,
        total: int,
        records: Records,
        beside: Callable[[], EventCheckpoint] = EventCheckpoint,
    ) -> Store:
        """Create a store for `total` rows; `first` has the first ones."""
        target = check_new_store(path)
        data = first.to_xarray().assign_attrs({STREAMED: 1, COMPLETE: False})
        row_bytes = sum(v.nbytes for v in data.variables.values() if "time" in v.dims) // len(first)
        block = int(np.clip(_BLOCK_BYTES // row_bytes, 256, 65536))
        store = cls(target, first.meta, total, block)
        store.at = _Standing(first.meta, 0, _rows(data), records, beside)
        with replacing(target) as temporary:
            constant = new_folder(temporary, data, {"time": total}, {"time": min(block, total)})
            seals.seal_folder(temporary, constant)
            store._checkpoint(temporary)
            store.lock(temporary)
        return store

    @classmethod
    def open(cls, path: PathLike) -> Store:
        """Open the store of an earlier run, at its last checkpoint."""
        source = Path(path)
        if not source.exists():
            raise UsageError(f"cannot resume '{path}': there is no such store")
        result = read_checkpoint(source)
        if result is None:
            raise UsageError(
                f"cannot resume '{path}': it has no checkpoint. Runs are streamed to a store by "
                "simulate(..., store=...) or dalembert run --store"
            )
        store = cls(source.resolve(), result.meta, result.total, result.block)
        rows, records, beside = dict(result.rows), dict(result.records), result.beside
        if FORMER in records and result.meta.own_steps and result.meta.steps:
            records["first_step"] = np.array(result.meta.h)  # earlier versions did not save it
        store.at = _Standing(result.meta, result.written, rows, records, lambda: beside)
        return store

    def take_over(self) -> None:
        """Lock the store to continue its run; raise `DamagedError` if its files are damaged."""
        self.lock()
        self.at = Store.open(self.path).at  # read again: another process may have written
        folder = seals.Folder(self.path)
        expect_rows(folder, read_checkpoint(self.path))
        if lost := folder.damages():
            sizes = {"time": self.count}
            raise seals.refusal(self.path, lost, sizes, formats.OTHERS).located("cannot resume")
        self._unsealed = None if folder.full else folder
        for leftover in self.path.glob(f".{CHECKPOINT}.*"):  # left by a killed process
            leftover.unlink(missing_ok=True)

    @property
    def count(self) -> int:
        """Number of rows, including those of the checkpoint."""
        return self.at.written + _length(self.at.pending)

    def add(
        self,
        rows: Trajectory | None,
        records: Records,
        meta: Meta,
        beside: Callable[[], EventCheckpoint] = EventCheckpoint,
    ) -> None:
        """Add rows, and the state after them; write if a block is complete or time has passed."""
        pending = self.at.pending
        if rows is not None and len(rows):
            new = _rows(rows.to_xarray())
            pending = {k: np.concatenate([v, new[k]]) for k, v in pending.items()}
        # one assignment: an interrupt must not separate rows from the records that belong to them
        self.at = _Standing(meta, self.at.written, pending, records, beside)
        whole = _length(pending) // self.block * self.block
        if whole or time.monotonic() - self.last > _SECONDS:
            self._guarded(lambda: self._write(whole))

    def close(self, meta: Meta, complete: bool) -> None:
        """Write all remaining rows and the meta; `complete` if the run has reached its end."""
        self.at = self.at._replace(meta=meta)
        self._guarded(lambda: self._write(_length(self.at.pending)))
        if complete:
            self._guarded(lambda: seals.seal_folder(self.path, attributes={COMPLETE: True}))
        self.release()

    def _write(self, rows: int) -> None:
        if rows:
            import zarr

            if self._unsealed is not None:
                self._seal_former(self._unsealed)
            group: Any = zarr.open_group(self.path, mode="r+", zarr_format=2)
            start, pending = self.at.written, self.at.pending
            for name, values in pending.items():
                group[name][start : start + rows] = values[:rows]
            for i in range(start // self.block, -(-(start + rows) // self.block)):
                held = min(start + rows - i * self.block, self.block)
                write_marker(self.path, i, block_names(pending, i), {"rows": held})
            # a partial block is written, but also remains in the checkpoint until it is complete
            whole = rows // self.block * self.block
            left = {k: v[whole:] for k, v in pending.items()}
            self.at = self.at._replace(written=start + whole, pending=left)
        self._checkpoint(self.path)
        self.last = time.monotonic()

    def _seal_former(self, folder: seals.Folder) -> None:
        """Write checksums for the rows of an earlier version, before more are added."""
        for i in range(self.at.written // self.block):
            write_marker(self.path, i, folder.slice_of("time", i), {"rows": self.block})
        constant = set(folder.blocks()) - set(folder.blocks("time"))
        seals.seal_folder(self.path, sorted(constant))
        self._unsealed = None

    def _checkpoint(self, folder: Path) -> None:
        at = self.at
        rows = (at.written, at.pending, at.records, at.beside())
        Checkpoint(at.meta, self.total, self.block, *rows).write(folder)

    def _guarded(self, write: Callable[[], None]) -> None:
        try:
            if not (self.path / CHECKPOINT).is_file():
                raise FileNotFoundError(errno.ENOENT, "the store was removed during the run")
            write()
        except OSError as error:
            left = (
                ""
                if not self.path.exists()
                else (
                    f"; the rows until its last checkpoint are readable, and 'dalembert resume "
                    f"{self.path.name}' goes on from there"
                )
            )
            why = error.strerror or str(error)
            raise StoreError(f"cannot write to '{self.path}': {why}{left}") from error


def block_names(arrays: Mapping[str, np.ndarray], index: int) -> list[str]:
    """Return the names of the blocks number `index` of arrays divided along their first axis."""
    return [
        f"{name}/{'.'.join(map(str, (index, *[0] * (x.ndim - 1))))}"
        for name, x in arrays.items()
        if math.prod(x.shape[1:])  # empty arrays, such as no multipliers, have no blocks
    ]


class Opened(Protocol):
    """Protocol of the stores of a run and of an ensemble."""

    @property
    def path(self) -> Path:
        """Path of the store."""
        ...

    @property
    def meta(self) -> Meta:
        """Meta of the run."""
        ...


def as_stored(
    opened: Opened, system: System | None, method: Method | None, *, insist: bool = False
) -> tuple[System, Method]:
    """Return system and method of a store: restored if not given, else compared with it."""
    from ..methods import registry as methods
    from ..systems import registry as systems

    meta, where = opened.meta, f"'{opened.path.name}'"
    if system is not None and not isinstance(system, System):
        raise UsageError(f"resume needs the system of the run, got {system!r}")
    if system is None:
        if meta.system not in systems:
            raise UsageError(
                f"{where} is a run of {meta.system}, which is not a system of the library: "
                "resume(store, system) needs it (dalembert resume --system FILE:CLASS)"
            )
        system = systems[meta.system](**meta.parameters)
    if method is None:
        if meta.identity.method_is_known:
            method = meta.identity.make_method()
        elif not meta.identity.method and meta.method in methods:
            method = methods[meta.method]()
        else:
            raise UsageError(
                f"{where} is a run of the method {meta.method}, which is not a method of the "
                "library: resume(store, system, method) needs it (dalembert resume --method "
                "FILE:CLASS)"
            )
    for what, given, then in (
        ("system", system.name(), meta.system),
        ("method", method.name, meta.method),
    ):
        if given != then:
            raise UsageError(f"{where} is a run with the {what} {then}, not {given}")
    given, then = (
        Meta(parameters=x).as_dict()["parameters"] for x in (system.parameters(), meta.parameters)
    )
    if given != then:
        raise UsageError(
            f"{where} is a run with the parameters {then}, not {given}: resume it with those"
        )
    now = Identity.of(system, method)
    if meta.identity.method and meta.identity.method != now.method:
        raise UsageError(f"{where}: {'; '.join(meta.identity.differences(now))}")
    if not insist:
        way = "resume(..., insist=True) or dalembert resume --insist goes on all the same"
        other = [
            f"{k} {v}, not {versions()[k]}"
            for k, v in meta.versions.items()
            if versions().get(k) != v
        ]
        if other:
            raise UsageError(
                f"{where} was written with {', '.join(other)}: the numbers may differ in their "
                f"last digits; {way}"
            )
        if told := meta.identity.differences(now):
            raise UsageError(f"{where}: {'; '.join(told)}; {way}")
    return system, method


def _rows(data: Any) -> dict[str, np.ndarray]:
    return {str(k): np.asarray(v.values) for k, v in data.variables.items() if "time" in v.dims}


def _length(rows: dict[str, np.ndarray]) -> int:
    return len(next(iter(rows.values()))) if rows else 0
