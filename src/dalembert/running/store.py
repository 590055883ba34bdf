"""A run that is written to disk while it is computed, and can be taken up again.

A store is a Zarr folder in the format of `Trajectory.save`, made for all rows of the run at once,
so that nothing but data is written to it later and it opens at any moment. Rows go in by whole
blocks. What is newer than the last block lies in the checkpoint beside them: one small file with
those rows and the numbers from which the next step follows, replaced in one move. A process
killed at any moment therefore leaves a readable store and a checkpoint that agrees with it; rows
written after that checkpoint are computed and written again, to the same bits.
"""

from __future__ import annotations

import errno
import io
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import StoreError, UsageError
from ..results.trajectory import (
    CHECKPOINT,
    STREAMED,
    Meta,
    Trajectory,
    check_writable,
    read_checkpoint,
    replacing,
)

_BLOCK_BYTES = 4 * 2**20
_SECONDS = 2.0  # between checkpoints, at most (a block of rows makes one in any case)


class Store:
    """Rows of one run on disk; made by `create` or `open`."""

    def __init__(self, path: Path, meta: Meta, total: int, block: int) -> None:
        self.path, self.meta, self.total, self.block = path, meta, total, block
        self.written = 0  # rows in whole blocks
        self.pending: dict[str, np.ndarray] = {}
        self.numbers = np.zeros(0)
        self.last = time.monotonic()

    @classmethod
    def create(
        cls, path: str | os.PathLike[str], first: Trajectory, total: int, numbers: np.ndarray
    ) -> Store:
        """A new store for `total` rows like those of `first`, which are its first ones."""
        target = check_writable(path, (".zarr",))
        if target.exists():
            raise UsageError(
                f"cannot stream to '{path}': it exists already. Go on with it (dalembert resume, "
                "or da.resume), remove it, or choose another name"
            )
        import zarr

        data = first.to_xarray().assign_attrs({STREAMED: 1})
        row_bytes = sum(v.nbytes for v in data.variables.values() if "time" in v.dims) // len(first)
        block = int(np.clip(_BLOCK_BYTES // row_bytes, 256, 65536))
        store = cls(target, first.meta, total, block)
        store.numbers = np.array(numbers)
        store.pending = _rows(data)
        with replacing(target) as temporary:
            encoding = {
                str(name): {"chunks": (min(block, total), *v.shape[1:]), "_FillValue": None}
                for name, v in data.variables.items()
                if "time" in v.dims
            }
            data.to_zarr(temporary, mode="w-", zarr_format=2, consolidated=False, encoding=encoding)
            group: Any = zarr.open_group(temporary, mode="r+", zarr_format=2)
            for name in store.pending:
                group[name].resize((total, *group[name].shape[1:]))
            zarr.consolidate_metadata(str(temporary), zarr_format=2)
            store._checkpoint(temporary)
        return store

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Store:
        """The store of an earlier run, at its last checkpoint."""
        source = Path(path)
        if not source.exists():
            raise UsageError(f"cannot resume '{path}': there is no such store")
        found = read_checkpoint(source)
        if found is None:
            raise UsageError(
                f"cannot resume '{path}': it has no checkpoint. Runs are streamed to a store by "
                "simulate(..., store=...) or dalembert run --store"
            )
        store = cls(source.resolve(), found.meta, found.total, found.block)
        store.written, store.pending, store.numbers = found.written, found.rows, found.numbers
        return store

    @property
    def count(self) -> int:
        """Rows, those of the checkpoint included."""
        return self.written + _length(self.pending)

    def add(self, rows: Trajectory, numbers: np.ndarray, meta: Meta) -> None:
        """Rows that follow, and the numbers after them."""
        self.numbers, self.meta = np.array(numbers), meta
        if len(rows):
            new = _rows(rows.to_xarray())
            self.pending = {k: np.concatenate([v, new[k]]) for k, v in self.pending.items()}
        whole = _length(self.pending) // self.block * self.block
        if whole or time.monotonic() - self.last > _SECONDS:
            self._guarded(lambda: self._write(whole))

    def close(self, meta: Meta, numbers: np.ndarray) -> None:
        """Write all that is left; the run is over, or will be resumed."""
        self.numbers, self.meta = np.array(numbers), meta
        self._guarded(lambda: self._write(_length(self.pending)))

    def _write(self, rows: int) -> None:
        if rows:
            import zarr

            group: Any = zarr.open_group(self.path, mode="r+", zarr_format=2)
            end = self.written + rows
            for name, values in self.pending.items():
                group[name][self.written : end] = values[:rows]
            # a part of a block is written, but stays in the checkpoint until it is whole
            whole = rows // self.block * self.block
            self.written += whole
            self.pending = {k: v[whole:] for k, v in self.pending.items()}
        self._checkpoint(self.path)
        self.last = time.monotonic()

    def _checkpoint(self, folder: Path) -> None:
        facts: dict[str, Any] = {"total": self.total, "block": self.block, "written": self.written}
        facts["meta"] = self.meta.as_dict()
        file = io.BytesIO()
        text = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        rows: Any = {f"row_{name}": values for name, values in self.pending.items()}
        np.savez(file, facts=text, numbers=self.numbers, **rows)
        partial = folder / f"{CHECKPOINT}.partial"
        with partial.open("wb") as out:
            out.write(file.getbuffer())
            out.flush()
            os.fsync(out.fileno())
        os.replace(partial, folder / CHECKPOINT)

    def _guarded(self, write: Any) -> None:
        try:
            if not (self.path / CHECKPOINT).is_file():
                raise FileNotFoundError(errno.ENOENT, "the store has vanished")
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


def _rows(data: Any) -> dict[str, np.ndarray]:
    return {str(k): np.asarray(v.values) for k, v in data.variables.items() if "time" in v.dims}


def _length(rows: dict[str, np.ndarray]) -> int:
    return len(next(iter(rows.values()))) if rows else 0
