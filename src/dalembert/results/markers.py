"""Slices of a store that grows during a run, and the markers of the slices that are complete.

    .zmetadata, q/0.0, ...      Zarr: full shapes, attributes, blocks; seals of what never changes
    done/000012.json            the marker of a slice: its files with their seals, a report
    checkpoint.npz              of one run: rows newer than the last complete slice, and the state
    study.json, inputs.npz      of an ensemble: the request, and the initial data of its members
    events/, reduced/, saved.npz    of an ensemble: events, and states and results of reductions

The slices of one run are blocks of rows, those of an ensemble are blocks of members. A slice is
written as complete blocks, and then its marker; without the marker it counts as not computed. A
store can be read at any moment, also by xarray.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from ..errors import DamagedError
from . import seals
from .checkpoint import Checkpoint
from .kinds import Document, Facts

MARKERS = "done"


def marker_file(folder: Path, index: int) -> Path:
    """Return the path of the marker of a slice."""
    return folder / MARKERS / f"{index:06d}.json"


def write_marker(folder: Path, index: int, files: Iterable[str], facts: Facts) -> None:
    """Write the marker of a complete slice, with the digests of its files."""
    (folder / MARKERS).mkdir(exist_ok=True)
    sealed = {name: seals.digest((folder / name).read_bytes()) for name in files}
    seals.write_document(marker_file(folder, index), {**facts, "index": index, "blocks": sealed})


def read_marker(folder: Path, index: int) -> Document | None:
    """Return the marker of a slice; None if it is missing, incomplete or that of another slice."""
    try:
        found, _ = seals.read_document(marker_file(folder, index))
    except (FileNotFoundError, DamagedError):
        return None
    return found if found.get("index") == index else None


def marked(folder: Path) -> dict[int, Document]:
    """Return all markers, by the numbers of their slices."""
    names = sorted(x.stem for x in (folder / MARKERS).glob("[0-9]*.json") if x.stem.isdecimal())
    result = {int(name): read_marker(folder, int(name)) for name in names}
    return {i: x for i, x in result.items() if x is not None}


def expect_slices(folder: seals.Folder, axis: str, done: Mapping[int, Facts | None]) -> None:
    """Expect the blocks of these slices, with the digests of their markers."""
    folder.forget(folder.blocks(axis))
    # digest of a block without a marker: "" never matches, None (earlier versions) is not compared
    unknown = "" if folder.full else None
    for i, marker in done.items():
        blocks = folder.slice_of(axis, i)
        wanted = dict.fromkeys(blocks, unknown) | (marker or {}).get("blocks", {})
        folder.expect(wanted, axis, folder.held(blocks))


def expect_rows(folder: seals.Folder, checkpoint: Checkpoint | None) -> int:
    """Expect the complete blocks of rows up to a checkpoint; return the number of their rows.

    Without a checkpoint these are the blocks that have markers; the last may be incomplete.
    """
    if checkpoint is not None:
        whole = range(checkpoint.written // checkpoint.block)
        expect_slices(folder, "time", {i: read_marker(folder.path, i) for i in whole})
        return checkpoint.written
    if folder.full:
        done = marked(folder.path)
        expect_slices(folder, "time", done)
        return sum(x.get("rows", 0) for x in done.values())
    folder.forget([x for x in folder.blocks("time") if not (folder.path / x).is_file()])
    return int(np.sum(np.isfinite(folder.group()["time"][:])))  # unwritten rows have time NaN
