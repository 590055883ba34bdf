"""Where a streamed run stands: one small file inside its store, replaced in one move.

It holds the rows that are newer than the last whole block, and the numbers from which the next
step follows.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from .meta import Meta

if TYPE_CHECKING:
    import xarray

CHECKPOINT = "checkpoint.npz"
STREAMED = "streamed"  # attribute of a store that a run is streamed to
_ROW = "row_"


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """Rows in the store, newer rows, numbers to go on from."""

    meta: Meta
    total: int
    block: int
    written: int
    rows: Mapping[str, np.ndarray]
    numbers: np.ndarray

    def complete(self, data: xarray.Dataset, attributes: Mapping[str, Any]) -> xarray.Dataset:
        """The rows of the store that count, then those of the checkpoint."""
        import xarray

        old = data.isel(time=slice(0, self.written))
        new = data.isel(time=slice(0, len(next(iter(self.rows.values())))))
        new = new.copy(data={k: self.rows.get(str(k), v.values) for k, v in new.data_vars.items()})
        if "time" in self.rows:
            new = new.assign_coords(time=("time", self.rows["time"], data["time"].attrs))
        whole = xarray.concat([old, new], "time", data_vars="minimal", join="override")
        whole.attrs = {**data.attrs, **attributes}
        return whole

    def write(self, store: Path) -> None:
        """Into the store, in one move."""
        facts: dict[str, Any] = {"total": self.total, "block": self.block, "written": self.written}
        facts["meta"] = self.meta.as_dict()
        file = io.BytesIO()
        text = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        rows: Any = {f"{_ROW}{name}": values for name, values in self.rows.items()}
        np.savez(file, facts=text, numbers=self.numbers, **rows)
        partial = store / f"{CHECKPOINT}.partial"
        with partial.open("wb") as out:
            out.write(file.getbuffer())
            out.flush()
            os.fsync(out.fileno())
        os.replace(partial, store / CHECKPOINT)


def read_checkpoint(store: Path) -> Checkpoint | None:
    """The checkpoint of a store, if a run was streamed to it."""
    file = store / CHECKPOINT
    if not file.is_file():
        return None
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as found:
            facts = json.loads(found["facts"].tobytes().decode())
            rows = {k.removeprefix(_ROW): found[k] for k in found.files if k.startswith(_ROW)}
            meta = Meta.from_dict(facts.pop("meta"))
            return Checkpoint(meta=meta, rows=rows, numbers=found["numbers"], **facts)
    except Exception as error:  # an archive with a flipped bit raises what it likes
        raise UsageError(f"'{file}' is damaged: {error}") from error
