"""Results as labelled datasets and as files: Zarr, NetCDF, CSV.

xarray and the storage packages are imported when a function needs them.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DalembertError, DamagedError, UsageError
from ..files import FORMATS, NEEDS, PathLike, check_writable, known_suffix, replacing, require
from ..names import multiplier_names
from . import labels, seals, summaries
from .checkpoint import CHECKPOINT, STREAMED, Checkpoint, read_checkpoint
from .event_rows import Events
from .kinds import Document, Facts, Tree
from .markers import expect_rows
from .meta import Meta

if TYPE_CHECKING:
    import xarray

PENDING = -1  # result code of a member that is not computed yet, or is damaged
_ARRAYS = ("v", "p", "multiplier", "residual", "result")


# -- datasets ------------------------------------------------------------------------------------


def dataset(result: Any, format_name: str) -> xarray.Dataset:
    """Return the labelled dataset of a result with rows; axes before time are members."""
    require("xarray")
    import xarray

    if result.v.ndim < 2:
        raise UsageError("a single row has no time axis: use traj[k : k + 1]")
    batch = result.v.ndim - 2
    time = (*(f"member_{i}" if batch > 1 else "member" for i in range(batch)), "time")
    known = labels.coordinate_labels(result)
    coords: Document = {
        "velocity": list(labels.velocity_labels(result)),
        "constraint": _constraints(result),
    }
    data: Document = {}

    def add(name: str, dims: tuple[str, ...], values: ArrayLike, text: str, **attrs: str) -> None:
        data[name] = (dims, np.asarray(values), {"long_name": text, **attrs})

    if result.t.ndim == 1:
        coords["time"] = ("time", np.asarray(result.t), {"units": "s", "long_name": "time"})
    else:  # adaptive steps: every member has its own times
        add("t", time, result.t, "time", units="s")
    for prefix, text in (("q", "position"), ("frame", "reconstructed group element")):
        for name, leaf in labels.named_leaves(prefix, getattr(result, prefix)):
            dims = labels.leaf_dimensions(name, leaf.ndim - len(time))
            names, units = known.get(name, ((), ()))
            if names:
                coords[dims[0]] = list(names)
            add(name, time + dims, leaf, text, **({"units": ", ".join(units)} if units else {}))
    add("v", (*time, "velocity"), result.v, "velocity in the fibre, on the constraint")
    add("p", (*time, "velocity"), result.p, "momentum in the fibre")
    add("multiplier", (*time, "constraint"), result.multiplier, "reaction force: A^T multiplier")
    add("residual", time, result.residual, "Newton residual")
    add("result", time[: np.ndim(result.result)], result.result, "result code, 0 is success")
    attrs: Document = {"format": format_name, **attributes(result.meta)}
    attrs["q_structure"] = json.dumps(labels.structure(result.q))
    attrs["frame_structure"] = json.dumps(labels.structure(result.frame))
    made = xarray.Dataset(data, coords, attrs)
    if result.events is not None:
        made = result.events.add_to(made)
    return summaries.add_to(made, result.saved, result.v)


def _constraints(result: Any) -> Any:
    """Return the names of the constraints, or their numbers."""
    count = result.multiplier.shape[-1]
    names = result.meta.constraint_names
    return list(names) if names and len(names) == count else np.arange(count)


def attributes(meta: Meta) -> Document:
    """Return the fields of meta as attributes of a dataset."""
    return {
        k: v if type(v) in (str, int, float) else json.dumps(v) for k, v in meta.as_dict().items()
    }


def fields(data: xarray.Dataset, formats: Sequence[str], kind: str) -> Document:
    """Invert `dataset`: return the fields of the result by name."""
    if data.attrs.get("format") not in formats:
        raise UsageError(
            f"this dataset is not {kind} of dalembert (its attribute 'format' is "
            f"{data.attrs.get('format')!r}, not {formats[-1]!r})"
        )

    def array(name: str) -> np.ndarray:
        result = np.asarray(data[name].values)
        result.flags.writeable = False
        return result

    def tree(name: str) -> Tree:
        return labels.rebuilt(name, json.loads(data.attrs[f"{name}_structure"]), array)

    return {
        "t": array("time" if "time" in data.variables else "t"),
        "q": tree("q"),
        "frame": tree("frame"),
        "meta": meta_of(data.attrs),
        "saved": summaries.read_from(data.attrs, lambda name: data[name].values),
        "events": Events.read_from(data),
        **{name: array(name) for name in _ARRAYS},
    }


def meta_of(attrs: Facts) -> Meta:
    """Return the meta from the attributes of a dataset; the inverse of `attributes`."""
    values = {}
    for field in dataclasses.fields(Meta):
        if field.name not in attrs:  # the file is of an older version
            continue
        value = attrs[field.name]
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, str) and field.type != "str":
            value = json.loads(value)
        values[field.name] = value
    return Meta.from_dict(values)


def same_bits(a: ArrayLike, b: ArrayLike) -> bool:
    """Whether two arrays have the same entries, including NaN and the sign of zero."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if not np.issubdtype(a.dtype, np.floating):
        return bool(np.array_equal(a, b))
    same = np.signbit(a) == np.signbit(b)  # distinguishes -0.0 from 0.0
    return bool(np.all(((a == b) & same) | (np.isnan(a) & np.isnan(b))))


# -- files ---------------------------------------------------------------------------------------


def save(result: Any, path: PathLike) -> None:
    """Write a result to `.zarr`, `.nc` or `.csv`, completely or not at all."""
    target = check_writable(path)
    suffix = target.suffix.lower()
    if suffix == ".csv" and result.v.ndim != 2:
        raise UsageError("a CSV file holds one trajectory: save .zarr or .nc, or one member")
    with replacing(target) as temporary:
        if suffix == ".csv":
            _write_csv(result, temporary)
        elif suffix == ".nc":
            _write_netcdf(result.to_xarray(), temporary)
        else:
            _write_zarr(result.to_xarray(), temporary)


def _write_netcdf(data: xarray.Dataset, file: Path) -> None:
    encoding = {name: {"_FillValue": None} for name in data.variables}
    # written in memory first, because HDF5 does not survive a full disk
    content = io.BytesIO()
    data.to_netcdf(content, engine="h5netcdf", encoding=encoding)
    pieces = seals.netcdf_pieces(content)
    with file.open("wb") as out:
        out.write(content.getbuffer())
        out.write(seals.trailer(content.getbuffer(), pieces))


def _write_zarr(data: xarray.Dataset, folder: Path) -> None:
    """Write a new Zarr store, in format 2: format 3 has no settled fixed-width text for labels."""
    encoding = seals.encoding(data)
    data.to_zarr(folder, mode="w-", zarr_format=2, consolidated=True, encoding=encoding)
    seals.seal_folder(folder, seals.Folder(folder).blocks())


# read values exactly as written: no masking, no conversion to dates
_RAW: Any = {"mask_and_scale": False, "decode_times": False, "decode_timedelta": False}
OTHERS = "da.load(path, skip_damaged=True) reads them"


def read(path: PathLike, every: int = 1, skip_damaged: bool = False) -> xarray.Dataset:
    """Return the dataset of a file, exactly as written, or every k-th row of it.

    Damaged data raise `DamagedError`. With `skip_damaged` they are left out, if the rest can be
    used without them; the attribute `warnings` says so.
    """
    if not isinstance(every, (int, np.integer)) or every < 1:
        raise UsageError(f"every must be an integer of at least 1, got {every!r}")
    source = Path(path)
    suffix = known_suffix(source, FORMATS)
    if suffix == ".csv":
        raise UsageError(
            f"cannot load '{path}': a CSV file has no description of the run; save to .zarr or "
            ".nc to load a trajectory again"
        )
    if not source.exists():
        raise UsageError(f"cannot load '{path}': there is no such file")
    require(*NEEDS[suffix])
    reader = _read_zarr if suffix == ".zarr" else _read_netcdf
    try:
        return reader(source, int(every), skip_damaged)
    except (DalembertError, UserWarning):
        raise
    except PermissionError as error:
        raise UsageError(f"cannot load '{path}': {error.strerror}") from error
    except Exception as error:  # codecs and libraries may raise anything on damaged files
        raise DamagedError(
            f"cannot load '{path}': it is damaged, or not a file of dalembert ({error})"
        ) from error


def note_older(path: PathLike, attributes: Facts) -> None:
    """Warn that a file of an earlier version has no complete seal."""
    if "dalembert" in str(attributes.get("format")):
        warnings.warn(
            f"'{path}' was written by an earlier version, which did not write checksums for all "
            "of it, so that damage may go unnoticed. Save it again to add them",
            stacklevel=5,
        )


def _read_netcdf(source: Path, every: int, skip_damaged: bool) -> xarray.Dataset:
    import xarray

    checked = seals.check_file(source)
    lost, end = checked.damages, seals.netcdf_end(source)
    if not checked.sealed and end is not None and end != checked.length:
        part = "the seal at its end" if end < checked.length else "what lies behind its end"
        lost = [seals.Damage(f"{part} (byte {min(end, checked.length)})")]
    if any(not x.axis for x in lost):
        raise seals.refusal(source, lost, {}, "")
    with xarray.open_dataset(source, engine="h5netcdf", **_RAW) as data:
        if not checked.sealed:
            note_older(source, data.attrs)
        sizes = {str(k): n for k, n in data.sizes.items()}
        if lost and not (skip_damaged and _some_good(lost, sizes)):
            raise seals.refusal(source, lost, sizes, OTHERS)
        return _noted(_without(data, lost), lost).isel(_every(data, every)).load()


def _every(data: xarray.Dataset, every: int) -> dict[str, slice]:
    return {"time": slice(None, None, every)} if every > 1 and "time" in data.dims else {}


def _some_good(lost: Sequence[seals.Damage], sizes: Mapping[str, int]) -> bool:
    return all(x.axis and seals.good_ranges(lost, x.axis, sizes.get(x.axis, 0)) for x in lost)


def _without(data: xarray.Dataset, lost: Sequence[seals.Damage]) -> xarray.Dataset:
    """Return the dataset without damaged rows; damaged members are marked as not computed."""
    for axis in sorted({x.axis for x in lost}):
        good = np.zeros(data.sizes[axis], bool)
        for x in seals.good_ranges(lost, axis, len(good)):
            good[x.start : x.stop] = True
        if axis == "time":
            data = data.isel(time=np.flatnonzero(good))
            continue
        data = data.load()
        for name, v in data.data_vars.items():
            if axis in v.dims[:1] and (name == "result" or v.dtype.kind == "f"):
                v.values[~good] = PENDING if name == "result" else np.nan
    return data


def _noted(data: xarray.Dataset, lost: Sequence[seals.Damage]) -> xarray.Dataset:
    """Return the dataset with a warning that says what was left out."""
    if lost:
        told = json.loads(data.attrs.get("warnings", "[]"))
        told.append("parts of its file are damaged and left out: " + seals.told(lost))
        data = data.assign_attrs(warnings=json.dumps(told))
    return data


def _read_zarr(source: Path, every: int, skip_damaged: bool) -> xarray.Dataset:
    import xarray

    from .verified import verified_store

    folder = seals.Folder(source)
    checkpoint = _checkpoint(source, skip_damaged)
    if not folder.full:
        note_older(source, folder.attributes)
    if STREAMED in folder.attributes and checkpoint is None and not skip_damaged:
        raise DamagedError(
            f"cannot load '{source}': a run was streamed to it, but its {CHECKPOINT} is missing, "
            "which lists the rows that were written; da.load(path, skip_damaged=True) reads the "
            "rows of whole blocks",
            parts=[CHECKPOINT],
        )
    written = expect_rows(folder, checkpoint) if STREAMED in folder.attributes else None
    lost, sizes = folder.damages() if skip_damaged else [], folder.sizes()
    folder.forget([x.file for x in lost if x.axis != "time"])
    if written is not None:
        more = 0 if checkpoint is None else checkpoint.pending
        sizes["time"] = written + more
    try:
        if not _some_good(lost, sizes):
            raise DamagedError
        with xarray.open_dataset(
            verified_store(folder), engine="zarr", consolidated=True, **_RAW
        ) as data:
            whole = data if written is None else data.isel(time=slice(0, written))
            whole = _without(whole, lost)
            if checkpoint is not None:
                whole = checkpoint.complete(whole, attributes(checkpoint.meta), every)
            else:
                whole = whole.isel(_every(whole, every))
            gone = [seals.Damage(CHECKPOINT)] * (written is not None and checkpoint is None)
            return _noted(whole, [*lost, *gone]).load()
    except Exception as error:
        lost = lost or folder.damages()
        if not lost:
            raise
        raise seals.refusal(source, lost, sizes, OTHERS) from error


def _checkpoint(source: Path, skip_damaged: bool) -> Checkpoint | None:
    """Return the checkpoint of a store; None if it is unreadable and `skip_damaged` allows that."""
    try:
        return read_checkpoint(source)
    except UsageError as error:
        if skip_damaged:
            return None
        raise DamagedError(
            f"{error}; da.load(path, skip_damaged=True) reads the rows of whole blocks",
            parts=[CHECKPOINT],
        ) from error


def _write_csv(traj: Any, path: Path) -> None:
    known = labels.coordinate_labels(traj)
    header, columns = ["t"], [np.asarray(traj.t)[:, None]]

    def add(names: Sequence[str], values: ArrayLike) -> None:
        header.extend(names)
        columns.append(np.asarray(values).reshape(len(traj), -1))

    for prefix, tree in (("q", traj.q), ("frame", traj.frame)):
        for name, leaf in labels.named_leaves(prefix, tree):
            if name in known:
                add([labels.column(name, x) for x in known[name][0]], leaf)
            else:
                index = np.ndindex(*leaf.shape[1:])
                add(["_".join([name, *map(str, i)]) for i in index], leaf)
    velocities = labels.velocity_labels(traj)
    add([labels.column("v", x) for x in velocities], traj.v)
    add([labels.column("p", x) for x in velocities], traj.p)
    names = multiplier_names(traj.meta.constraint_names, traj.multiplier.shape[-1])
    add(names, traj.multiplier)
    add(["residual"], traj.residual)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        modes = getattr(traj, "mode_names", None)  # only a hybrid run has modes
        writer.writerow([*header, "result", *(["mode"] if modes else [])])
        table, result = np.concatenate(columns, axis=1).tolist(), np.asarray(traj.result).tolist()
        last = zip(result, modes, strict=True) if modes else ((code,) for code in result)
        for row, end in zip(table, last, strict=True):
            writer.writerow([*map(repr, row), *end])  # repr: the shortest text that is exact
