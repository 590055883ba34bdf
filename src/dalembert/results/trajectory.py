"""What a run leaves behind: arrays over time, and enough about the run to repeat it.

    simulate(...)  ->  Trajectory  ->  save("run.zarr" | "run.nc" | "run.csv")
                                        load("run.zarr" | "run.nc")

A trajectory never holds the system; `meta` has its name and parameters. xarray and the storage
packages are imported when a function needs them.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import functools
import importlib.util
import json
import operator
import os
import platform
import re
import shutil
import sys
import uuid
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..errors import UsageError
from ..system import Point, System

if TYPE_CHECKING:
    import xarray

FORMATS = (".zarr", ".nc", ".csv")  # what `save` writes; `load` reads all but the last
CHECKPOINT = "checkpoint.npz"  # of a run that is streamed to a store, inside of it
STREAMED = "streamed"  # attribute of such a store
_FORMAT_NAME = "dalembert-trajectory-1"
_NEEDS = {".zarr": ("xarray", "zarr"), ".nc": ("xarray", "h5netcdf", "h5py"), ".csv": ()}


@functools.cache
def versions() -> dict[str, str]:
    """Versions of what computed a run: dalembert, jax, numpy, python."""
    # our own from the package itself: a source tree on the path has no installed version
    ours = getattr(sys.modules["dalembert"], "__version__", "unknown")
    return {
        "dalembert": ours,
        "jax": jax.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


@dataclasses.dataclass(frozen=True, eq=False)
class Meta:
    """What a run was: system, method, step and cost; static data of a `Trajectory`.

    Two of them are equal (`==`, `hash`) when system and method have the same names. JAX compares
    static data to decide whether a compiled function can be used again, and a different wall time
    or parameter is no reason to compile again. The other side of it: a jitted function that
    *returns* a trajectory returns the meta of the call that compiled it. `Trajectory.equals`
    compares every field.
    """

    system: str = ""
    method: str = ""
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    h: float = float("nan")
    steps: int = 0
    save_every: int = 1
    t0: float = 0.0
    coordinate_names: tuple[str, ...] = ()
    velocity_names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    constraints: int = 0
    space: str = ""
    versions: Mapping[str, str] = dataclasses.field(default_factory=versions)
    wall_s: float = 0.0
    compile_s: float = 0.0

    @classmethod
    def of(cls, system: System, method: str, **run: Any) -> Meta:
        """The meta of a run of `system`; `run` gives the fields that the system does not know."""
        return cls(
            system=system.name(),
            method=method,
            parameters=system.parameters(),
            coordinate_names=system.coordinate_labels,
            velocity_names=system.velocity_labels,
            units=tuple(system.units),
            space=repr(system.space),
            **run,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Meta) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, str]:
        return self.system, self.method

    def as_dict(self) -> dict[str, Any]:
        """All fields, as plain values that JSON can hold."""
        values = dataclasses.asdict(self)
        return json.loads(json.dumps(values, default=lambda x: np.asarray(x).tolist()))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Meta:
        """The inverse of `as_dict`."""
        tuples = ("coordinate_names", "velocity_names", "units")
        return cls(**{**values, **{k: tuple(values[k]) for k in tuples}})


class Trajectory(eqx.Module):
    """Rows of a run over time; every array has time as its first axis.

    On an ensemble (a `vmap` of runs) the axes of the ensemble come before it. `v` is on the
    constraint, `p` is the momentum reported at the same time, the reaction force is
    `A^T multiplier`. `residual` is the largest Newton residual of the steps that led to the row,
    `result` their result code (0 is success). `frame` is the reconstructed group element of a
    reduced system, `None` otherwise.
    """

    t: jax.Array
    q: Point
    v: jax.Array
    p: jax.Array
    multiplier: jax.Array
    frame: Point | None
    residual: jax.Array
    result: jax.Array
    meta: Meta = eqx.field(static=True, default_factory=Meta)

    # -- rows --------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of rows."""
        if self.v.ndim < 2:
            raise TypeError("a single row of a trajectory has no length")
        return self.v.shape[-2]

    def __getitem__(self, rows: Any) -> Trajectory:
        """Rows as a trajectory; an integer gives one row, without the axis of time."""
        n = len(self)
        if isinstance(rows, (int, np.integer)):
            rows = operator.index(rows)
            if not -n <= rows < n:  # JAX would clamp it silently
                raise IndexError(f"row {rows} of a trajectory with {n} rows")

        def take(x: jax.Array, axis: int) -> jax.Array:
            return x[(slice(None),) * axis + (rows,)]

        batch = self.v.ndim - 2
        rest = jax.tree.map(lambda x: take(x, batch), dataclasses.replace(self, t=None))
        # an ensemble may share its times
        return dataclasses.replace(rest, t=take(self.t, self.t.ndim - 1))

    def __iter__(self) -> Iterator[Trajectory]:
        return (self[k] for k in range(len(self)))

    @property
    def final(self) -> Trajectory:
        """The last row."""
        return self[-1]

    def equals(self, other: object) -> bool:
        """Whether all arrays agree to the bit (a NaN equals a NaN) and all of meta agrees."""
        if not isinstance(other, Trajectory):
            return False
        mine, my_tree = jax.tree.flatten(self)
        others, other_tree = jax.tree.flatten(other)
        return (
            my_tree == other_tree
            and all(_same_bits(a, b) for a, b in zip(mine, others, strict=True))
            # compared as text, so that a NaN in meta equals itself
            and json.dumps(self.meta.as_dict(), sort_keys=True)
            == json.dumps(other.meta.as_dict(), sort_keys=True)
        )

    # -- tables and files --------------------------------------------------------------------

    def to_xarray(self) -> xarray.Dataset:
        """A labelled `xarray.Dataset`: dimensions time, coordinate, velocity, constraint.

        On a product space the factors are `q_0`, `q_1`, ..., each with dimensions of its own;
        a matrix factor has `..._row` and `..._column`.
        """
        _require("xarray")
        import xarray

        if self.v.ndim < 2:
            raise UsageError("a single row has no time axis: keep it with traj[k : k + 1]")
        batch = self.v.ndim - 2
        time = (*(f"member_{i}" if batch > 1 else "member" for i in range(batch)), "time")
        labels = _coordinate_labels(self)
        coords: dict[str, Any] = {
            "velocity": list(_velocity_labels(self)),
            "constraint": np.arange(self.multiplier.shape[-1]),
        }
        data: dict[str, Any] = {}

        def add(name: str, dims: tuple[str, ...], values: Any, text: str, **attrs: str) -> None:
            data[name] = (dims, np.asarray(values), {"long_name": text, **attrs})

        if self.t.ndim == 1:
            coords["time"] = ("time", np.asarray(self.t), {"units": "s", "long_name": "time"})
        else:  # every member has its own times
            add("t", time, self.t, "time", units="s")
        for prefix, text in (("q", "position"), ("frame", "reconstructed group element")):
            for name, leaf in _named_leaves(prefix, getattr(self, prefix)):
                dims = _leaf_dims(name, leaf.ndim - len(time))
                names, units = labels.get(name, ((), ()))
                if names:
                    coords[dims[0]] = list(names)
                add(name, time + dims, leaf, text, **({"units": ", ".join(units)} if units else {}))
        add("v", (*time, "velocity"), self.v, "velocity in the fibre, on the constraint")
        add("p", (*time, "velocity"), self.p, "momentum in the fibre")
        add("multiplier", (*time, "constraint"), self.multiplier, "reaction force: A^T multiplier")
        add("residual", time, self.residual, "Newton residual")
        add("result", time, self.result, "result code, 0 is success")
        attrs: dict[str, Any] = {"format": _FORMAT_NAME}
        for key, value in self.meta.as_dict().items():
            attrs[key] = value if isinstance(value, (str, int, float)) else json.dumps(value)
        attrs["q_structure"] = json.dumps(_structure(self.q))
        attrs["frame_structure"] = json.dumps(_structure(self.frame))
        return xarray.Dataset(data, coords, attrs)

    @classmethod
    def from_xarray(cls, data: xarray.Dataset) -> Trajectory:
        """The inverse of `to_xarray`."""
        if data.attrs.get("format") != _FORMAT_NAME:
            raise UsageError(
                f"this dataset is not a trajectory of dalembert (its attribute 'format' is "
                f"{data.attrs.get('format')!r}, not {_FORMAT_NAME!r})"
            )
        values = {}
        for field in dataclasses.fields(Meta):
            value = data.attrs[field.name]
            if isinstance(value, np.generic):
                value = value.item()
            plain = field.type in ("str", "float", "int")
            values[field.name] = value if plain else json.loads(value)

        def array(name: str) -> jax.Array:
            return jnp.asarray(data[name].values)

        def tree(name: str) -> Any:
            return _rebuild(name, json.loads(data.attrs[f"{name}_structure"]), array)

        return cls(
            t=array("time" if "time" in data.variables else "t"),
            q=tree("q"),
            frame=tree("frame"),
            meta=Meta.from_dict(values),
            **{name: array(name) for name in ("v", "p", "multiplier", "residual", "result")},
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to `.zarr`, `.nc` (NetCDF 4) or `.csv` (for other programs; cannot be loaded).

        An existing file is replaced, and only once the new one is complete.
        """
        target = check_writable(path)
        suffix = target.suffix.lower()
        if suffix == ".csv" and self.v.ndim != 2:
            raise UsageError("a CSV file holds one trajectory: save .zarr or .nc, or one member")
        with replacing(target) as temporary:
            if suffix == ".csv":
                _write_csv(self, temporary)
            elif suffix == ".nc":
                data = self.to_xarray()
                encoding = {name: {"_FillValue": None} for name in data.variables}
                data.to_netcdf(temporary, engine="h5netcdf", encoding=encoding)
            else:
                # Format 2: fixed-width text, our labels, has no settled form in format 3 yet.
                self.to_xarray().to_zarr(temporary, mode="w-", zarr_format=2, consolidated=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str], every: int = 1) -> Trajectory:
        """Read what `save` wrote; the result `equals` what was saved.

        A store that a run was streamed to can be read at any time: its rows so far. `every` takes
        every k-th row only.
        """
        if not isinstance(every, (int, np.integer)) or every < 1:
            raise UsageError(f"every must be a whole number of at least 1, got {every!r}")
        source = Path(path)
        suffix = _known_suffix(source, FORMATS)
        if suffix == ".csv":
            raise UsageError(
                f"cannot load '{path}': a CSV file holds numbers without what the run was; "
                "save to .zarr or .nc to load a trajectory again"
            )
        if not source.exists():
            raise UsageError(f"cannot load '{path}': there is no such file")
        _require(*_NEEDS[suffix])
        import xarray

        engine = "zarr" if suffix == ".zarr" else "h5netcdf"
        # values exactly as written: nothing masked, nothing turned into dates
        raw: Any = {"mask_and_scale": False, "decode_times": False, "decode_timedelta": False}
        try:
            with xarray.open_dataset(source, engine=engine, **raw) as data:
                checkpoint = read_checkpoint(source)
                if checkpoint is not None:
                    data = checkpoint.complete(data)
                elif STREAMED in data.attrs:
                    raise UsageError(
                        f"cannot load '{path}': a run was streamed to it, but its {CHECKPOINT} is "
                        "gone, without which nobody knows which rows were written"
                    )
                if every > 1:
                    data = data.isel(time=slice(None, None, every))
                data = data.load()
        except (OSError, ValueError, KeyError) as error:
            raise UsageError(f"cannot load '{path}': {error}") from error
        return cls.from_xarray(data)


def load(path: str | os.PathLike[str], every: int = 1) -> Trajectory:
    """Read a trajectory from `.zarr` or `.nc`, or every k-th row of it."""
    return Trajectory.load(path, every)


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """Where a streamed run stands: rows in its store, newer rows, numbers to go on from."""

    meta: Meta
    total: int
    block: int
    written: int
    rows: dict[str, np.ndarray]
    numbers: np.ndarray

    def complete(self, data: xarray.Dataset) -> xarray.Dataset:
        """The rows of the store that count, then those of the checkpoint."""
        import xarray

        old = data.isel(time=slice(0, self.written))
        new = data.isel(time=slice(0, len(next(iter(self.rows.values())))))
        new = new.copy(data={k: self.rows.get(str(k), v.values) for k, v in new.data_vars.items()})
        if "time" in self.rows:
            new = new.assign_coords(time=("time", self.rows["time"], data["time"].attrs))
        whole = xarray.concat([old, new], "time", data_vars="minimal", join="override")
        whole.attrs = data.attrs | {
            k: v if isinstance(v, (str, int, float)) else json.dumps(v)
            for k, v in self.meta.as_dict().items()
        }
        return whole


def read_checkpoint(store: Path) -> Checkpoint | None:
    """The checkpoint of a store, if a run was streamed to it."""
    file = store / CHECKPOINT
    if not file.is_file():
        return None
    try:
        with file.open("rb") as opened, np.load(opened) as found:
            facts = json.loads(found["facts"].tobytes().decode())
            rows = {k.removeprefix("row_"): found[k] for k in found.files if k.startswith("row_")}
            meta = Meta.from_dict(facts.pop("meta"))
            return Checkpoint(meta=meta, rows=rows, numbers=found["numbers"], **facts)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError) as error:
        raise UsageError(f"'{file}' is damaged: {error}") from error


# -- files ---------------------------------------------------------------------------------------


def check_writable(path: str | os.PathLike[str], suffixes: Sequence[str] = FORMATS) -> Path:
    """Raise `UsageError` if a file could not be written there; called before a run, not after it.

    Returns the path, with links followed.
    """
    target = Path(path)
    suffix = _known_suffix(target, suffixes)
    _require(*_NEEDS.get(suffix, ()))
    target = target.resolve()
    folder = target.parent
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "does not exist"
        raise UsageError(f"cannot write '{path}': the folder '{folder}' {what}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"cannot write '{path}': no permission to write in '{folder}'")
    if suffix == ".zarr":
        if target.exists() and not _is_zarr(target):
            raise UsageError(f"cannot write '{path}': it exists and is not a Zarr store")
    elif target.is_dir():
        raise UsageError(f"cannot write '{path}': it is a folder")
    return target


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A path beside `target` to write to, moved over it at the end if all went well.

    So a crash leaves the old file, or none, but never half a file.
    """
    unique = uuid.uuid4().hex[:8]
    temporary = target.with_name(f".{target.stem}.{unique}{target.suffix}")
    retired = target.with_name(f".{target.stem}.{unique}.old")
    try:
        yield temporary
        if target.is_dir():  # a folder cannot be renamed over another one
            os.rename(target, retired)
        try:
            os.replace(temporary, target)
        except BaseException:
            if retired.exists():
                os.rename(retired, target)
            raise
    finally:
        for leftover in (temporary, retired):
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)


def _known_suffix(path: Path, suffixes: Sequence[str]) -> str:
    suffix = path.suffix.lower()
    if suffix not in suffixes:
        raise UsageError(
            f"'{path}' has {f'the unknown suffix {path.suffix!r}' if suffix else 'no suffix'}; "
            f"known: {', '.join(suffixes)}"
        )
    return suffix


def _require(*packages: str) -> None:
    missing = [p for p in packages if importlib.util.find_spec(p) is None]
    if missing:
        raise UsageError(f'this needs {" and ".join(missing)}: pip install "dalembert[io]"')


def _is_zarr(path: Path) -> bool:
    return any((path / name).is_file() for name in (".zgroup", "zarr.json"))


def _write_csv(traj: Trajectory, path: Path) -> None:
    labels = _coordinate_labels(traj)
    header, columns = ["t"], [np.asarray(traj.t)[:, None]]

    def add(names: Sequence[str], values: Any) -> None:
        header.extend(names)
        columns.append(np.asarray(values).reshape(len(traj), -1))

    for prefix, tree in (("q", traj.q), ("frame", traj.frame)):
        for name, leaf in _named_leaves(prefix, tree):
            if name in labels:
                add([_column(name, x) for x in labels[name][0]], leaf)
            else:
                index = np.ndindex(*leaf.shape[1:])
                add(["_".join([name, *map(str, i)]) for i in index], leaf)
    velocities = _velocity_labels(traj)
    add([_column("v", x) for x in velocities], traj.v)
    add([_column("p", x) for x in velocities], traj.p)
    add([f"multiplier_{i}" for i in range(traj.multiplier.shape[1])], traj.multiplier)
    add(["residual"], traj.residual)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*header, "result"])
        table, result = np.concatenate(columns, axis=1).tolist(), np.asarray(traj.result).tolist()
        for row, code in zip(table, result, strict=True):
            writer.writerow([*map(repr, row), code])  # repr: the shortest text that reads back


def _column(prefix: str, name: str) -> str:
    """q_x for a coordinate x, q_0 rather than q_q0 for one without a name of its own."""
    plain = name[1:] if re.fullmatch(r"[qv]\d+", name) else name
    return f"{prefix}_{plain}"


# -- the structure of q, in names ----------------------------------------------------------------


def _named_leaves(name: str, tree: Any) -> Iterator[tuple[str, Any]]:
    """`q`, or `q_0`, `q_1`, ... on a product, nested products deeper."""
    if isinstance(tree, tuple):
        for i, part in enumerate(tree):
            yield from _named_leaves(f"{name}_{i}", part)
    elif tree is not None:
        yield name, tree


def _structure(tree: Any) -> Any:
    if isinstance(tree, tuple):
        return [_structure(part) for part in tree]
    return None if tree is None else "array"


def _rebuild(name: str, structure: Any, array: Any) -> Any:
    if isinstance(structure, list):
        return tuple(_rebuild(f"{name}_{i}", s, array) for i, s in enumerate(structure))
    return None if structure is None else array(name)


def _leaf_dims(name: str, rank: int) -> tuple[str, ...]:
    vector = "coordinate" if name == "q" else f"{name}_coordinate"
    ends = {0: (), 1: (vector,), 2: (f"{name}_row", f"{name}_column")}
    return ends[rank] if rank in ends else tuple(f"{name}_axis_{i}" for i in range(rank))


def _coordinate_labels(traj: Trajectory) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Names and units of the vector factors of q.

    The names of a system cover either all entries of q or the entries of its vector factors only.
    """
    skip = traj.v.ndim - 1
    leaves = [(name, leaf.shape[skip:]) for name, leaf in _named_leaves("q", traj.q)]
    names, units = traj.meta.coordinate_names, traj.meta.units
    everything = sum(int(np.prod(shape)) for _, shape in leaves)
    vectors = sum(shape[0] for _, shape in leaves if len(shape) == 1)
    matrices_named = len(names) == everything
    known = matrices_named or len(names) == vectors
    found, start = {}, 0
    for name, shape in leaves:
        size = int(np.prod(shape))
        if len(shape) == 1:
            part = slice(start, start + size)
            found[name] = (
                tuple(names[part]) if known else tuple(map(str, range(size))),
                tuple(units[part]) if known and len(units) == len(names) else (),
            )
        if len(shape) == 1 or matrices_named:
            start += size
    return found


def coordinate_table(traj: Trajectory) -> tuple[list[str], list[str], np.ndarray]:
    """(names, units, columns) of the vector factors of q, side by side; for tables and plots."""
    labels = _coordinate_labels(traj)
    leaves = dict(_named_leaves("q", traj.q))
    columns = [np.asarray(leaves[name]) for name in labels]
    return (
        [x for names, _ in labels.values() for x in names],
        [x for _, units in labels.values() for x in units],
        np.concatenate([np.zeros((*traj.v.shape[:-1], 0)), *columns], axis=-1),
    )


def _velocity_labels(traj: Trajectory) -> tuple[str, ...]:
    names, dim = traj.meta.velocity_names, traj.v.shape[-1]
    return names if len(names) == dim else tuple(map(str, range(dim)))


def _same_bits(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if not np.issubdtype(a.dtype, np.floating):
        return bool(np.array_equal(a, b))
    same = np.signbit(a) == np.signbit(b)  # tells -0.0 from 0.0
    return bool(np.all(((a == b) & same) | (np.isnan(a) & np.isnan(b))))
