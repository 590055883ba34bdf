"""`Ensemble`, the result of many runs: arrays with the members first, then the saved times."""

from __future__ import annotations

import dataclasses
import json
import operator
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jaxtyping import Float, Int

from ..errors import UsageError
from ..linalg import MESSAGES, OK
from ..pages import card
from ..system import Point
from . import formats, labels
from .event_rows import Events
from .formats import PENDING
from .kinds import Document, Facts, Selection
from .meta import Meta
from .result import Result
from .trajectory import Trajectory

if TYPE_CHECKING:
    import xarray

_OVER_TIME = ("q", "v", "p", "multiplier", "frame", "residual")


@dataclasses.dataclass(frozen=True, repr=False)
class Ensemble(Result):
    """The runs of many members; `many[i]` is one of them as a trajectory.

    `result` is the result code of each member (0 is success), `steps_done` the number of its steps
    until the end or its failure, and `ended` the time of the last of them, including the failed
    one. Rows after a failure are NaN. `residual` is that of the step before each row. `saved` has
    the results of named sinks. Parameters that vary are arrays over the members in
    `meta.parameters`; entries of the initial data that were given by name (`over=`) are in
    `initial`. `t` are the times of the rows; for an adaptive method they are (members, rows), and
    rows after the end of a member repeat its last one.
    `events` lists the zeros of event functions. If an event has ended a member, its rows after the
    event are NaN, `ended` is the time of the event, and `many[i]` ends with it.
    """

    FORMATS = ("dalembert-ensemble-1",)
    KIND = "an ensemble"
    _COMPARED = ("t", "events", *_OVER_TIME, "result", "steps_done", "ended", "meta", "initial")

    t: Float[np.ndarray, " rows"] | Float[np.ndarray, "members rows"]
    q: Point
    v: Float[np.ndarray, "members rows n"]
    p: Float[np.ndarray, "members rows n"]
    multiplier: Float[np.ndarray, "members rows m"]
    frame: Point | None
    residual: Float[np.ndarray, "members rows"]
    result: Int[np.ndarray, " members"]
    steps_done: Int[np.ndarray, " members"]
    ended: Float[np.ndarray, " members"]
    meta: Meta
    varying: tuple[str, ...] = ()  # parameters that differ between members
    events: Events | None = None
    saved: Facts = dataclasses.field(default_factory=dict)
    initial: Mapping[str, np.ndarray] = dataclasses.field(default_factory=dict)  # by `over=`

    def __post_init__(self) -> None:
        for name, array in labels.rows_named(self).items():
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        """Return one line: the run, the number of members, and how many of them failed."""
        lines = [f"{self.meta.system} by {self.meta.method}", f"{len(self)} members"]
        lines.append(f"{self.v.shape[1]} rows each" if self.v.shape[1] else "no rows kept")
        lines.append(f"t = {np.min(self.t):g} to {np.max(self.t):g}" if np.size(self.t) else "")
        waits = len(self.pending)
        bad = int(np.count_nonzero(np.asarray(self.result) != OK)) - waits
        lines += [f"{bad} failed" if bad else "", f"{waits} still to compute" if waits else ""]
        lines.append(f"{len(self.warnings)} warnings" if self.warnings else "")
        return f"Ensemble({', '.join(x for x in lines if x)})"

    def _repr_html_(self) -> str:
        failed = int(np.count_nonzero(np.asarray(self.result) != OK)) - len(self.pending)
        members = f"{len(self)}, {failed} failed" if failed else f"{len(self)}"
        span = f"t = {np.min(self.t):g} to {np.max(self.t):g} s" if np.size(self.t) else ""
        rows = [("members", members), ("rows of each", f"{self.v.shape[1]}"), ("time", span)]
        rows += [("varied", ", ".join((*self.varying, *self.initial)))]
        rows += [x for x in self.meta.lines() if x[0] != "parameters"]
        return card(f"Ensemble of {self.meta.system}", rows)

    def __len__(self) -> int:
        """Number of members."""
        return len(self.result)

    @property
    def reduced(self) -> Facts:
        """The results of named sinks; the same as `saved`."""
        return self.saved

    @property
    def failed(self) -> dict[int, str]:
        """The members that failed, with the reason."""
        facts = {}
        for i in np.flatnonzero((self.result != OK) & (self.result != PENDING)):
            step, at = int(self.steps_done[i]) + 1, self.ended[i]
            facts[int(i)] = f"{MESSAGES[int(self.result[i])]} at step {step}, t = {at:g}"
        return facts

    @property
    def pending(self) -> np.ndarray:
        """Members that are not yet computed, or are damaged in their file (`skip_damaged`)."""
        return np.flatnonzero(self.result == PENDING)

    def __getitem__(self, member: Selection) -> Any:
        """Return one member as a trajectory: its saved rows, up to its failure if it failed.

        A name gives a coordinate, a velocity or a multiplier of all members: `many["x"]`.
        """
        if isinstance(member, str):
            return labels.value(self, member)
        try:
            i = operator.index(member)
        except TypeError:
            raise TypeError(f"members are selected one by one, many[i]; got {member!r}") from None
        if not -len(self) <= i < len(self):
            raise IndexError(f"member {i} of an ensemble of {len(self)}")
        if self.result[i] == PENDING:
            raise UsageError(
                f"member {i} has not been computed yet, or is damaged; da.resume(store) goes on"
            )
        good = np.flatnonzero(np.all(np.isfinite(self.v[i]), axis=-1))
        if self.t.ndim == 2:  # adaptive: rows after the end of a member repeat its last one
            good = good[np.diff(self.t[i][good], prepend=-np.inf) > 0]

        def take(x: np.ndarray) -> np.ndarray:
            return jax.tree.map(lambda a: a[i][good], x)

        rows: Document = {
            "t": self.t[good] if self.t.ndim == 1 else self.t[i][good],
            "result": np.zeros(len(good), np.int32),
            **{name: take(getattr(self, name)) for name in _OVER_TIME},
        }
        facts = {k: np.asarray(self.meta.parameters[k]) for k in self.varying}
        own = {k: x[i].tolist() for k, x in facts.items() if x.ndim}  # ndim 0: a control's name
        selected = None if self.events is None else self.events.of_member(range(len(self))[i])
        if selected is not None and len(selected) and self.result[i] == OK:
            # if an event has ended the member, its row is the last one, even if rows are sparse
            if selected.t[-1] == self.ended[i] and not np.any(rows["t"] >= selected.t[-1]):
                last = {name: getattr(selected, name) for name in ("t", *_OVER_TIME)}
                last["result"] = np.zeros(len(selected), np.int32)
                rows = jax.tree.map(lambda a, b: np.concatenate([a, b[-1:]]), rows, last)
        return Trajectory(
            **rows,
            events=selected,
            meta=dataclasses.replace(
                self.meta,
                steps=int(self.steps_done[i]),
                parameters={**self.meta.parameters, **own},
            ),
        )

    member = __getitem__

    def __iter__(self) -> Iterator[Trajectory]:
        return (self[i] for i in range(len(self)))

    # -- tables and files --------------------------------------------------------------------

    def to_xarray(self) -> xarray.Dataset:
        """Return a labelled `xarray.Dataset`; see `Result.to_xarray`."""
        data = super().to_xarray()
        parameters = {
            name: (("member", *(f"{name}_{i}" for i in range(x.ndim - 1))), x)
            for name in self.varying
            for x in [np.asarray(self.meta.parameters[name])]
        }
        data = data.assign_coords({f"parameter_{k}": x for k, x in parameters.items()})
        units = dict(zip(self.meta.coordinate_names, self.meta.units))
        units |= {f"{k}_dot": f"{x}/s" for k, x in units.items()}
        for k, x in self.initial.items():
            facts = {"long_name": f"{k} at the start"} | ({"units": units[k]} if k in units else {})
            data = data.assign_coords({f"initial_{k}": ("member", np.asarray(x), facts)})
        long = {
            "steps_done": ("member", self.steps_done, {"long_name": "steps without failure"}),
            "ended": ("member", self.ended, {"long_name": "time of the last step", "units": "s"}),
        }
        return data.assign(long).assign_attrs(
            varying=json.dumps(self.varying), initial=json.dumps(list(self.initial))
        )

    @classmethod
    def from_xarray(cls, data: xarray.Dataset) -> Ensemble:
        """The inverse of `to_xarray`."""
        return cls(
            **formats.fields(data, cls.FORMATS, cls.KIND),
            steps_done=data["steps_done"].values,
            ended=data["ended"].values,
            varying=tuple(json.loads(data.attrs["varying"])),
            initial={
                k: np.asarray(data[f"initial_{k}"].values)
                for k in json.loads(data.attrs.get("initial", "[]"))
            },
        )
