"""Ensembles on disk, slice by slice: one Zarr folder whose chunks are slices of the members.

A slice is written as whole chunks, and then its marker, a small file in `done/`; without the marker
it counts as not computed. The folder has its full shape from the beginning on, so it can be read at
any moment, by xarray too; arrays are read when they are used, and only the parts that are.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import UsageError
from ..files import PathLike
from . import checksums, formats, labels, summaries
from .ensemble import FORMATS, PENDING, Ensemble
from .event_rows import Events
from .meta import Meta

STUDY, MARKERS, SAVED, EVENTS = "study.json", "done", "saved.npz", "events"


def is_sliced(path: PathLike) -> bool:
    """Whether an ensemble was streamed there."""
    return (Path(path) / STUDY).is_file()


def read_study(path: PathLike) -> dict[str, Any]:
    """What the store is for: numbers of members and of members in a slice, and the question."""
    try:
        return json.loads((Path(path) / STUDY).read_text())
    except (OSError, ValueError) as error:
        raise UsageError(f"'{path}' is damaged: its {STUDY} cannot be read") from error


def read_meta(path: PathLike) -> Meta:
    """What the study is, without the parameters that members differ in."""
    checksums.check_metadata(Path(path))
    content = json.loads((Path(path) / ".zmetadata").read_text())
    return formats.meta_of(content["metadata"][".zattrs"])


class OnDisk:
    """An array of a store: parts of it are read where they are used, `x[3:5]`, `np.asarray(x)`."""

    def __init__(self, folder: Path, array: Any) -> None:
        self._folder, self._array = folder, array
        self.shape: tuple[int, ...] = array.shape
        self.dtype, self.ndim, self.size = array.dtype, array.ndim, array.size

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<{self._array.basename} of {self._folder.name}: {self.shape}, {self.dtype}>"

    def __getitem__(self, part: Any) -> np.ndarray:
        try:
            return np.asarray(self._array[part])
        except (IndexError, TypeError):
            raise
        except Exception as error:  # a codec fed with garbage raises what it likes
            name = self._array.basename
            lost = [
                x
                for x in checksums.damages(self._folder)
                if x.block.startswith(f"{name}/") and (self._folder / x.block).is_file()
            ]
            raise UsageError(
                f"{checksums.told(self._folder, lost) if lost else error}; da.resume (dalembert "
                "resume) computes these members again"
            ) from error

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self[...], dtype=dtype)


def load_sliced(path: PathLike) -> Ensemble:
    """The ensemble of a store, as far as it goes; its arrays over time are read where used."""
    import zarr

    checksums.check_metadata(Path(path))
    group: Any = zarr.open_group(str(path), mode="r", zarr_format=2, use_consolidated=True)
    attrs = dict(group.attrs)
    if attrs.get("format") not in FORMATS:
        raise UsageError(f"'{path}' is not an ensemble of dalembert")

    def lazy(name: str) -> Any:  # as good as an array
        return OnDisk(Path(path), group[name])

    def tree(name: str) -> Any:
        structure = json.loads(attrs[f"{name}_structure"])
        return labels.rebuilt(name, structure, lazy)

    def now(name: str) -> np.ndarray:
        found = np.asarray(lazy(name))
        found.flags.writeable = False
        return found

    result = np.array(now("result"))
    study, done = read_study(path), {int(x) for x in _done(Path(path))}
    for i in range(-(-study["members"] // study["size"])):
        if i not in done:  # what has been written of it does not count yet
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
        events=_events(Path(path), attrs),
        saved=_saved(Path(path), attrs),
        initial={k: now(f"initial_{k}") for k in json.loads(attrs.get("initial", "[]"))},
    )


def _done(folder: Path) -> list[str]:
    """The numbers of slices that have a marker, as they are written."""
    return sorted(x.stem for x in (folder / MARKERS).glob("[0-9]*.json"))


def _events(folder: Path, attrs: dict[str, Any]) -> Events | None:
    """The events of all slices that are done; None where none were watched."""
    names = list(read_study(folder).get("events", ()))
    if not names:
        return None
    trees = {name: json.loads(attrs[f"{name}_structure"]) for name in ("q", "frame")}
    described = {"names": names, **trees}
    parts = []
    for name in _done(folder):
        with np.load(folder / EVENTS / f"{name}.npz", allow_pickle=False) as file:
            parts.append(Events.made_of(described, file.__getitem__))
    return Events.joined(parts) if parts else None


def _saved(folder: Path, attrs: dict[str, Any]) -> dict[str, Any]:
    """What was made of all members, once they are all there."""
    if not (folder / SAVED).is_file():
        return {}
    with np.load(folder / SAVED, allow_pickle=False) as file:
        return summaries.read_from(attrs, file.__getitem__)
