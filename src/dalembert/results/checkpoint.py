"""Where a streamed run stands: one small file inside its store, replaced in one move.

It holds the rows that are newer than the last whole block, the numbers from which the next step
follows, and the events until there.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import UsageError
from .event_rows import Events
from .meta import Meta

if TYPE_CHECKING:
    import xarray

CHECKPOINT = "checkpoint.npz"
STREAMED = "streamed"  # attribute of a store that a run is streamed to
_ROW, _EVENT = "row_", "event_"


class EventCheckpoint(NamedTuple):
    """The events of a checkpoint: those found so far, what was watched, the worst residual."""

    events: Events | None = None
    watched: Mapping[str, str] = {}  # `Event.identity` by name: a run goes on with the same events
    worst: float = 0.0  # residual since the last saved row


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """Rows in the store, newer rows, numbers to go on from."""

    meta: Meta
    total: int
    block: int
    written: int
    rows: Mapping[str, np.ndarray]
    numbers: np.ndarray
    beside: EventCheckpoint = EventCheckpoint()

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
        return whole if self.beside.events is None else self.beside.events.add_to(whole)

    def write(self, store: Path) -> None:
        """Into the store, in one move."""
        facts: dict[str, Any] = {"total": self.total, "block": self.block, "written": self.written}
        facts["meta"] = self.meta.as_dict()
        beside, events = self.beside, {}
        facts["beside"] = {"watched": beside.watched, "worst": beside.worst}
        if beside.events is not None:
            facts["events"] = beside.events.described()
            events = {f"{_EVENT}{name}": x for name, x in beside.events.arrays().items()}
        file = io.BytesIO()
        text = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        rows = {f"{_ROW}{name}": values for name, values in self.rows.items()}
        arrays: Any = rows | events
        np.savez(file, facts=text, numbers=self.numbers, **arrays)
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
            beside, described = (
                EventCheckpoint(**facts.pop("beside", {})),
                facts.pop("events", None),
            )
            if described is not None:
                events = Events.made_of(described, lambda name: found[f"{_EVENT}{name}"])
                beside = beside._replace(events=events)
            given = {"rows": rows, "numbers": found["numbers"], "beside": beside}
            return Checkpoint(meta=meta, **given, **facts)
    except Exception as error:  # an archive with a flipped bit raises what it likes
        raise UsageError(f"'{file}' is damaged: {error}") from error
