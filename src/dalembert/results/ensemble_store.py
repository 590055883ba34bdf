"""Read an ensemble from its store (`markers`): slices of members; arrays are read when used."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DamagedError, UsageError
from ..files import PathLike
from . import formats, labels, seals, summaries
from .ensemble import PENDING, Ensemble
from .event_rows import Events
from .kinds import Document, Facts, Selection, Tree
from .markers import expect_slices, marked

STUDY, INPUTS, SAVED, EVENTS = "study.json", "inputs.npz", "saved.npz", "events"
_AGAIN = "da.resume (dalembert resume) computes the others again"


def is_sliced(path: PathLike) -> bool:
    """Whether the path is the store of a streamed ensemble."""
    return (Path(path) / STUDY).is_file()


def read_study(path: PathLike) -> Document:
    """Return the study of a store: how many members it has, how many a slice, and the request."""
    try:
        return seals.read_document(Path(path) / STUDY)[0]
    except FileNotFoundError as error:
        raise DamagedError(f"'{path}' is damaged: its {STUDY} is missing", parts=[STUDY]) from error


def opened(path: PathLike) -> tuple[seals.Folder, Document, dict[int, Document]]:
    """Return the folder (which expects the slices with a marker), the study and the markers."""
    folder, study = seals.Folder(Path(path)), read_study(path)
    done = marked(folder.path)
    if 0 not in done:  # slice 0 also has the times of the rows
        folder.forget(folder.blocks("time"))
    expect_slices(folder, "member", done)
    return folder, study, done


class OnDisk:
    """An array of a store; parts are read when they are used: `x[3:5]`, `np.asarray(x)`."""

    def __init__(self, folder: seals.Folder, array: Any) -> None:
        self._folder, self._array = folder, array
        self.shape: tuple[int, ...] = array.shape
        self.dtype, self.ndim, self.size = array.dtype, array.ndim, array.size

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<{self._array.basename} of {self._folder.path.name}: {self.shape}, {self.dtype}>"

    def __getitem__(self, part: Selection) -> np.ndarray:
        try:
            return np.asarray(self._array[part])
        except (IndexError, TypeError):
            raise
        except Exception as error:  # a codec may raise anything on damaged data
            lost = self._folder.damages(f"{self._array.basename}/")
            if not lost:
                raise
            raise seals.refusal(self._folder.path, lost, self._folder.sizes(), _AGAIN) from error

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self[...], dtype=dtype)


def load_sliced(path: PathLike, skip_damaged: bool = False) -> Ensemble:
    """Return the ensemble of a store, finished or not; its arrays over time are read when used.

    With `skip_damaged` the members of damaged slices count as not computed.
    """
    folder, study, done = opened(path)
    attrs, source = folder.attributes, folder.path
    if attrs.get("format") not in Ensemble.FORMATS:
        raise UsageError(f"'{path}' is not an ensemble of dalembert")
    if not folder.full:
        formats.note_older(path, attrs)
    if skip_damaged:
        for x in folder.damages():
            if x.part in (INPUTS, SAVED):  # not read here, or written again
                folder.forget([x.part])
                continue
            if x.axis != "member":
                raise seals.refusal(source, [x], {}, "")
            index = x.lost.start // study["size"]
            done.pop(index, None)
            folder.forget(folder.slice_of("member", index))
    group = folder.group()

    def lazy(name: str) -> Any:  # behaves like an array
        return OnDisk(folder, group[name])

    def tree(name: str) -> Tree:
        structure = json.loads(attrs[f"{name}_structure"])
        return labels.rebuilt(name, structure, lazy)

    def now(name: str) -> np.ndarray:
        found = np.asarray(lazy(name))
        found.flags.writeable = False
        return found

    result = np.array(now("result"))
    for i in range(-(-study["members"] // study["size"])):
        if i not in done:  # an incomplete slice does not count
            result[i * study["size"] : (i + 1) * study["size"]] = PENDING
    result.flags.writeable = False
    meta, varying = formats.meta_of(attrs), tuple(json.loads(attrs["varying"]))
    own = {k: now(f"parameter_{k}") for k in varying if f"parameter_{k}" in group}
    return Ensemble(
        t=now("time") if "time" in group else lazy("t"),
        q=tree("q"),
        frame=tree("frame"),
        v=lazy("v"),
        p=lazy("p"),
        multiplier=lazy("multiplier"),
        residual=lazy("residual"),
        result=result,
        steps_done=now("steps_done"),
        ended=now("ended"),
        meta=dataclasses.replace(meta, parameters={**meta.parameters, **own}),
        varying=varying,
        events=_events(folder, study, done),
        saved=_saved(folder),
        initial={k: now(f"initial_{k}") for k in json.loads(attrs.get("initial", "[]"))},
    )


def _events(folder: seals.Folder, study: Facts, done: Iterable[int]) -> Events | None:
    """Return the events of all complete slices; None if the run had no event functions."""
    names = list(study.get("events", ()))
    if not names:
        return None
    trees = {k: json.loads(folder.attributes[f"{k}_structure"]) for k in ("q", "frame")}
    parts = []
    for i in done:
        arrays = folder.arrays(f"{EVENTS}/{i:06d}.npz")
        parts.append(Events.made_of({"names": names, **trees}, arrays.__getitem__))
    return Events.joined(parts) if parts else None


def _saved(folder: seals.Folder) -> Document:
    """Return the results of reductions over all members, once all slices are complete."""
    if SAVED not in folder.expected and (folder.full or not (folder.path / SAVED).is_file()):
        return {}
    return summaries.read_from(folder.attributes, folder.arrays(SAVED).__getitem__)
