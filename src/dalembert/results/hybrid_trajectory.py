"""`HybridTrajectory`, the result of a hybrid run: rows with their modes, jumps, and files."""

from __future__ import annotations

import dataclasses
import json
import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int
from numpy.typing import ArrayLike

from ..errors import UsageError
from ..pages import card
from ..system import Point
from . import formats, labels
from .checkpoint import FORMER
from .event_rows import Events
from .interpolation import Between
from .kinds import Document, Facts, Selection
from .meta import Meta
from .remembered import picture
from .result import Result
from .trajectory import Trajectory

if TYPE_CHECKING:
    import xarray

_COUNTS = ("transition", "source", "target", "row")
_NUMBERS = ("t", "v_before", "v_after", "impulse", "energy_before", "energy_after")
_POINTS = ("q", "q_after")
OVER_TIME = ("q", "v", "p", "multiplier", "frame", "residual", "result", "mode")
_SHOWN = 20  # most jumps that `repr` prints
# a first step after a jump shorter than this, relative to the next, makes a poor interpolation node
_SHORT = 0.25


class JumpRow(NamedTuple):
    """One jump: its time, transition and modes, and the states before and after it."""

    t: float
    name: str
    source: str
    target: str
    q: Point
    v_before: np.ndarray
    v_after: np.ndarray
    impulse: np.ndarray  # p+ - p-
    energy_before: float
    energy_after: float
    row: int  # index of the row before the jump; the next row is the one after it

    @property
    def energy_lost(self) -> float:
        """E- minus E+: negative if the jump has added energy."""
        return self.energy_before - self.energy_after


@dataclasses.dataclass(frozen=True, repr=False)
class Jumps:
    """The jumps of a run in the order of time.

    for jump in run.jumps: jump.t, jump.name, jump.source, jump.target, jump.energy_lost
    run.jumps.t, run.jumps["bounce"].v_after          # of all of them, arrays
    """

    names: tuple[str, ...]  # names of the transitions
    modes: tuple[str, ...]
    transition: Int[np.ndarray, " jumps"]
    source: Int[np.ndarray, " jumps"]
    target: Int[np.ndarray, " jumps"]
    row: Int[np.ndarray, " jumps"]
    t: Float[np.ndarray, " jumps"]
    q: Point
    q_after: Point
    v_before: Float[np.ndarray, "jumps n"]
    v_after: Float[np.ndarray, "jumps n"]
    impulse: Float[np.ndarray, "jumps n"]
    energy_before: Float[np.ndarray, " jumps"]
    energy_after: Float[np.ndarray, " jumps"]

    @property
    def energy_lost(self) -> np.ndarray:
        """E- minus E+ of each jump."""
        return self.energy_before - self.energy_after

    def __repr__(self) -> str:
        """Return one line for each of the first jumps."""
        if not isinstance(self.t, np.ndarray) or self.t.ndim != 1:  # traced, or of many runs
            return f"<Jumps of {', '.join(self.names)}>"
        lines = [f"<{len(self)} jumps>"]
        for jump in (self._row(i) for i in range(min(len(self), _SHOWN))):
            lines.append(
                f"  t = {jump.t:<12.9g} {jump.name}: {jump.source} -> {jump.target}, "
                f"energy lost {jump.energy_lost:.3g} J"
            )
        if len(self) > _SHOWN:
            lines.append(f"  and {len(self) - _SHOWN} more, until t = {self.t[-1]:.9g}")
        return "\n".join(lines)

    def __len__(self) -> int:
        return len(self.t)

    def __iter__(self) -> Iterator[JumpRow]:
        return (self._row(i) for i in range(len(self)))

    def __getitem__(self, key: str | int | slice) -> Any:
        """Return the jumps by a transition of this name, one jump by its number, or a slice."""
        if isinstance(key, slice):
            return self.taken(np.arange(len(self))[key])
        if isinstance(key, str):
            if key not in self.names:
                raise KeyError(f"no transition '{key}'; there are {', '.join(self.names)}")
            selected = [i for i, name in enumerate(self.names) if name == key]
            return self.taken(np.isin(self.transition, selected))
        i = operator.index(key)
        if not -len(self) <= i < len(self):
            raise IndexError(f"jump {i} of {len(self)}")
        return self._row(i)

    def _row(self, i: int) -> JumpRow:
        return JumpRow(
            t=float(self.t[i]),
            name=self.names[self.transition[i]],
            source=self.modes[self.source[i]],
            target=self.modes[self.target[i]],
            q=jax.tree.map(lambda x: x[i], self.q),
            v_before=self.v_before[i],
            v_after=self.v_after[i],
            impulse=self.impulse[i],
            energy_before=float(self.energy_before[i]),
            energy_after=float(self.energy_after[i]),
            row=int(self.row[i]),
        )

    def taken(self, which: Selection) -> Jumps:
        """Return the jumps that indices, a mask or a slice select."""
        arrays = {k: getattr(self, k) for k in (*_COUNTS, *_NUMBERS, *_POINTS)}
        return dataclasses.replace(self, **jax.tree.map(lambda x: x[which], arrays))


jax.tree_util.register_dataclass(
    Jumps, data_fields=[*_COUNTS, *_NUMBERS, *_POINTS], meta_fields=["names", "modes"]
)


class Arc(NamedTuple):
    """The rows between two jumps: a trajectory of one mode."""

    mode: str
    trajectory: Trajectory


@dataclasses.dataclass(frozen=True, repr=False)
class HybridTrajectory(Result):
    """Rows of a hybrid run over time; at a jump there are two, before it and after it.

    `mode` is the index of each row's mode in `modes`. A row has the multipliers of its mode, padded
    with NaN if another mode has more. `metas` describe the modes, `meta` describes the run. `arcs`
    are trajectories of single modes, for functions that take a `Trajectory`.
    """

    FORMATS = ("dalembert-hybrid-1",)
    KIND = "a hybrid run"
    _COMPARED = ("t", *OVER_TIME, "standing", "jumps", "modes", "meta", "metas", "planned")

    t: Float[np.ndarray, " rows"]
    q: Point
    v: Float[np.ndarray, "rows n"]
    p: Float[np.ndarray, "rows n"]
    multiplier: Float[np.ndarray, "rows m"]
    frame: Point | None
    residual: Float[np.ndarray, " rows"]
    result: Int[np.ndarray, " rows"]
    mode: Int[np.ndarray, " rows"]
    modes: tuple[str, ...]
    jumps: Jumps
    meta: Meta
    metas: tuple[Meta, ...]
    planned: int  # number of steps that the caller gave; `meta.steps` were made
    standing: Mapping[str, np.ndarray]  # state by name, from which `resume` continues
    events: Events | None = None  # as in a trajectory, for its files
    saved: Facts = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, array in labels.rows_named(self).items():
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        """Return one line: the run, its times, its modes and its warnings."""
        lines = [f"{self.meta.system} by {self.meta.method}", f"{len(self)} rows"]
        lines += [f"t = {self.t[0]:g} to {self.t[-1]:g}"] if len(self) else []
        lines += [f"{len(self.jumps.t)} jumps", "modes " + " ".join(self.modes)]
        lines += [
            f"warning: {x}" if len(x) < 60 else f"warning: {x[:57]}..." for x in self.warnings
        ]
        return f"HybridTrajectory({', '.join(lines)})"

    def _repr_html_(self) -> str:
        if not len(self) or not isinstance(self.t, np.ndarray):
            return card("Hybrid run", [("", repr(self))])
        rows = f"{len(self)}, t = {self.t[0]:g} to {self.t[-1]:g} s"
        told = [("rows", rows), ("jumps", f"{len(self.jumps.t)}"), ("modes", ", ".join(self.modes))]
        about = [x for x in self.meta.lines() if x[0] != "parameters"]
        return picture(self) + card(f"Hybrid run of {self.meta.system}", [*told, *about])

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.t)

    def __getitem__(self, name: str) -> np.ndarray:
        """Return a coordinate or velocity at all rows by its name: `run["x"]`."""
        return labels.value(self, name)

    @property
    def mode_names(self) -> tuple[str, ...]:
        """The name of the mode of each row."""
        return tuple(self.modes[i] for i in self.mode)

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The trajectories between jumps, each with its mode."""
        ends = [*(int(x) + 1 for x in self.jumps.row), len(self)]
        starts = [0, *ends[:-1]]
        return tuple(self._arc(a, b) for a, b in zip(starts, ends) if b > a)

    def _arc(self, a: int, b: int) -> Arc:
        i = int(self.mode[a])
        rows = self._rows(i, slice(a, b))
        meta = dataclasses.replace(rows.meta, steps=max(b - a - 1, 0), t0=float(self.t[a]))
        return Arc(self.modes[i], dataclasses.replace(rows, meta=meta))

    def rows_of(self, mode: str) -> Trajectory:
        """Return all rows of a mode, from all its arcs."""
        i = self.modes.index(mode)
        return self._rows(i, self.mode == i)

    def _rows(self, i: int, rows: Selection) -> Trajectory:
        meta = self.metas[i]
        taken: Document = {k: jax.tree.map(lambda x: x[rows], getattr(self, k)) for k in OVER_TIME}
        del taken["mode"]
        taken["t"] = self.t[rows]
        taken["multiplier"] = taken["multiplier"][:, : meta.constraints]
        return Trajectory(**taken, meta=meta)

    def as_drawn(self, mode: str) -> Trajectory:
        """Return one trajectory for animations: at each jump only the row after it.

        Its meta is that of `mode`; rows of modes with other constraints have no multipliers.
        """
        i, keep = self.modes.index(mode), self.drawn_rows
        rows = self._rows(i, keep)
        selected = self.has_rows_of(mode)[:, None]
        meta = dataclasses.replace(rows.meta, warnings=self.warnings)
        return dataclasses.replace(
            rows, multiplier=np.where(selected, rows.multiplier, 0.0), meta=meta
        )

    @property
    def drawn_rows(self) -> np.ndarray:
        """The rows of `as_drawn`: all but those right before a jump."""
        keep = np.ones(len(self), bool)
        keep[self.jumps.row] = False
        return keep

    def has_rows_of(self, mode: str) -> np.ndarray:
        """Return, for each row of `as_drawn`, whether its multipliers are those of this mode.

        Modes of contacts with friction share their constraints; a constraint that does not act in
        the mode of a row has the multiplier zero.
        """
        rows = [(x.constraints, x.constraint_names) for x in self.metas]
        selected = [k for k, x in enumerate(rows) if x == rows[self.modes.index(mode)]]
        return np.isin(self.mode[self.drawn_rows], selected)

    @property
    def final(self) -> Trajectory:
        """The last row."""
        return self.arcs[-1].trajectory[-1]

    def at(self, t: ArrayLike) -> Between:
        """Return the motion between rows; at the time of a jump, the state after it.

        As `Trajectory.at`, but never across a jump: an arc needs four rows.
        """
        times = np.asarray(t, dtype=float)
        flat, arcs = times.ravel(), self.arcs
        if not flat.size:
            raise UsageError("run.at needs at least one time")
        begins = np.array([float(x.trajectory.t[0]) for x in arcs])
        which = np.clip(np.searchsorted(begins, flat, side="right") - 1, 0, None)
        parts: list[Any] = [None] * len(flat)
        for i in np.unique(which):
            arc, selected = arcs[i], np.flatnonzero(which == i)
            rows = arc.trajectory
            if len(rows) > 5 and rows.t[1] - rows.t[0] < _SHORT * (rows.t[2] - rows.t[1]):
                rows = rows[np.delete(np.arange(len(rows)), 1)]
            try:
                result = rows.at(flat[selected])
            except UsageError as error:
                span = f"t = {rows.t[0]:.6g} .. {rows.t[-1]:.6g}"
                raise UsageError(f"in mode '{arc.mode}', {span}: {error}") from None
            for place, k in enumerate(selected):
                parts[k] = jax.tree.map(lambda x, place=place: x[place], result)
        whole = jax.tree.map(lambda *x: np.stack(x), *parts)
        return jax.tree.map(lambda x: x.reshape((*times.shape, *x.shape[1:])), whole)

    # -- files -------------------------------------------------------------------------------

    def to_xarray(self) -> xarray.Dataset:
        """Return a labelled `xarray.Dataset`; see `Result.to_xarray`."""
        data = super().to_xarray()
        arrays = {k: getattr(self.jumps, k) for k in (*_COUNTS, *_NUMBERS)}
        for name in _POINTS:
            arrays |= dict(labels.named_leaves(name, getattr(self.jumps, name)))
        variables: Document = {
            f"jump_{name}": (["jump", *(f"jump_{name}_{i}" for i in range(x.ndim - 1))], x)
            for name, x in arrays.items()
        }
        variables["mode"] = ("time", self.mode, {"long_name": ", ".join(self.modes)})
        for name, x in self.standing.items():
            label = f"standing.{name}"
            variables[label] = ([f"{label}.{i}" for i in range(x.ndim)], x)
        return data.assign(variables).assign_attrs(
            modes=json.dumps(self.modes),
            transitions=json.dumps(self.jumps.names),
            metas=json.dumps([x.as_dict() for x in self.metas]),
            planned=self.planned,
            standing=json.dumps(list(self.standing)),
        )

    @classmethod
    def from_xarray(cls, data: xarray.Dataset) -> HybridTrajectory:
        """The inverse of `to_xarray`."""
        values = formats.fields(data, cls.FORMATS, cls.KIND)
        modes = tuple(json.loads(data.attrs["modes"]))

        def array(name: str) -> np.ndarray:
            return np.asarray(data[f"jump_{name}"].values)

        if "standing" in data.variables:  # earlier versions saved one vector
            standing = {FORMER: np.asarray(data["standing"].values)}
        else:
            names = json.loads(data.attrs["standing"])
            standing = {k: np.asarray(data[f"standing.{k}"].values) for k in names}
        structure = json.loads(data.attrs["q_structure"])
        jumps = Jumps(
            names=tuple(json.loads(data.attrs["transitions"])),
            modes=modes,
            **{name: array(name) for name in (*_COUNTS, *_NUMBERS)},
            **{name: labels.rebuilt(name, structure, array) for name in _POINTS},
        )
        return cls(
            **values,
            mode=np.asarray(data["mode"].values),
            modes=modes,
            jumps=jumps,
            metas=tuple(Meta.from_dict(x) for x in json.loads(data.attrs["metas"])),
            planned=int(data.attrs["planned"]),
            standing=standing,
        )


def joined_rows(parts: Sequence[Facts], constraints: int) -> Document:
    """Concatenate the rows of several arcs; multipliers are padded with NaN."""
    same = [{**p, "multiplier": padded(p["multiplier"], constraints)} for p in parts]
    return jax.tree.map(lambda *x: np.concatenate(x), *same)


def padded(multiplier: np.ndarray, constraints: int) -> np.ndarray:
    """Pad the multipliers (rows, m) of a mode with NaN, if another mode has more."""
    more = constraints - multiplier.shape[1]
    return np.pad(multiplier, ((0, 0), (0, more)), constant_values=np.nan) if more else multiplier


__all__ = ["Arc", "HybridTrajectory", "JumpRow", "Jumps"]
