"""The checkpoint of a streamed run: one small file inside its store, replaced atomically.

It has the rows newer than the last complete block, the named records (state, times, parameters)
from which the run continues, and the events so far.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import DamagedError
from . import seals
from .event_rows import Events
from .kinds import Document, Facts
from .meta import Meta

if TYPE_CHECKING:
    import xarray

CHECKPOINT = "checkpoint.npz"
STREAMED = "streamed"  # attribute of a store that a run is streamed to
FORMER = "numbers"  # the only record in checkpoints of earlier versions: one vector
_ROW, _EVENT, _RECORD = "row_", "event_", "record_"


class EventCheckpoint(NamedTuple):
    """Event state of a checkpoint: events so far, their fingerprints, the worst residual."""

    events: Events | None = None
    watched: Mapping[str, str] = {}  # `Event.identity` by name: a resumed run must have the same
    worst: float = 0.0  # largest residual since the last saved row


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """Rows in the store, newer rows, and named records from which the run continues."""

    meta: Meta
    total: int
    block: int
    written: int
    rows: Mapping[str, np.ndarray]
    records: Mapping[str, np.ndarray]
    beside: EventCheckpoint = EventCheckpoint()

    @property
    def pending(self) -> int:
        """Number of rows in the checkpoint that are not in the store."""
        return len(next(iter(self.rows.values()))) if self.rows else 0

    def complete(self, data: xarray.Dataset, attributes: Facts, every: int = 1) -> xarray.Dataset:
        """Return the dataset of a store with the rows of the checkpoint appended.

        `data` has the rows up to `written`; every `every`-th row of both is returned.
        """
        first, old = -data.sizes["time"] % every, data.isel(time=slice(None, None, every))
        whole = data.drop_dims("time").assign_attrs(attributes)
        for name, rows in self.rows.items():
            values = np.concatenate([old[name].values, rows[first::every]])
            whole[name] = (old[name].dims, values, old[name].attrs)
        return whole if self.beside.events is None else self.beside.events.add_to(whole)

    def write(self, store: Path) -> None:
        """Write the checkpoint into the store, atomically."""
        facts: Document = {"total": self.total, "block": self.block, "written": self.written}
        facts["meta"] = self.meta.as_dict()
        beside = self.beside
        facts["beside"] = {"watched": beside.watched, "worst": beside.worst}
        arrays = {f"{_ROW}{name}": values for name, values in self.rows.items()}
        arrays |= {f"{_RECORD}{name}": values for name, values in self.records.items()}
        if beside.events is not None:
            facts["events"] = beside.events.described()
            arrays |= {f"{_EVENT}{name}": x for name, x in beside.events.arrays().items()}
        arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        seals.write_arrays(store / CHECKPOINT, arrays, sync=True)


def read_checkpoint(store: Path) -> Checkpoint | None:
    """Return the checkpoint of a store; None if no run was streamed to it."""
    file = store / CHECKPOINT
    try:
        result = seals.read_arrays(file)
    except (FileNotFoundError, NotADirectoryError):
        return None

    def named(prefix: str) -> dict[str, np.ndarray]:
        return {k.removeprefix(prefix): x for k, x in result.items() if k.startswith(prefix)}

    try:
        facts = json.loads(result["facts"].tobytes().decode())
        meta = Meta.from_dict(facts.pop("meta"))
        beside = EventCheckpoint(**facts.pop("beside", {}))
        described = facts.pop("events", None)
        if described is not None:
            beside = beside._replace(events=Events.made_of(described, named(_EVENT).__getitem__))
        records = named(_RECORD) or {FORMER: result["numbers"]}
        return Checkpoint(meta=meta, rows=named(_ROW), records=records, beside=beside, **facts)
    except Exception as error:  # a file of an earlier version, without a seal
        raise DamagedError(f"'{file}' is damaged: {error}", parts=[CHECKPOINT]) from error
