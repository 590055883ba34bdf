"""Events of a run: zeros of functions of time, position and velocity."""

from __future__ import annotations

import dataclasses
import json
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np

from ..system import Point
from . import labels
from .kinds import Document, Selection

if TYPE_CHECKING:
    import xarray

_COUNTS = ("which", "member", "step")
_NUMBERS = ("t", "v", "p", "multiplier", "residual")
_ATTRIBUTE = "event_names"


class EventRow(NamedTuple):
    """One event: its name, when and where it happened, in which step of which member."""

    name: str
    t: float
    q: Point
    v: np.ndarray
    step: int
    member: int


@dataclasses.dataclass(frozen=True)
class Events:
    """Events in the order of members, and of time.

    for event in traj.events: event.name, event.t, event.q, event.v, event.step
    traj.events["apex"].t                      # all times of one kind, an array
    """

    names: tuple[str, ...]  # names of the event functions
    which: np.ndarray  # index into `names` of each event
    member: np.ndarray
    step: np.ndarray  # number of the step that contains the event
    t: np.ndarray
    q: Point
    v: np.ndarray
    p: np.ndarray
    multiplier: np.ndarray
    frame: Point | None
    residual: np.ndarray

    @property
    def name(self) -> tuple[str, ...]:
        """The name of each event."""
        return tuple(self.names[i] for i in self.which)

    def __len__(self) -> int:
        return len(self.which)

    def __iter__(self) -> Iterator[EventRow]:
        return (self._row(i) for i in range(len(self)))

    def __getitem__(self, key: str | int) -> Any:
        """Return all events of a name, or one event by its number."""
        if isinstance(key, str):
            if key not in self.names:
                raise KeyError(f"no event '{key}'; the run has {', '.join(self.names)}")
            return self.taken(self.which == self.names.index(key))
        i = operator.index(key)
        if not -len(self) <= i < len(self):
            raise IndexError(f"event {i} of {len(self)}")
        return self._row(i)

    def _row(self, i: int) -> EventRow:
        q = jax.tree.map(lambda x: x[i], self.q)
        name, counts = self.names[self.which[i]], (int(self.step[i]), int(self.member[i]))
        return EventRow(name, float(self.t[i]), q, self.v[i], *counts)

    def taken(self, rows: Selection) -> Events:
        """Return the events that indices, a mask or a slice select."""
        arrays = {k: getattr(self, k) for k in (*_COUNTS, *_NUMBERS, "q", "frame")}
        return dataclasses.replace(self, **jax.tree.map(lambda x: x[rows], arrays))

    def of_member(self, i: int) -> Events:
        """Return the events of one member of an ensemble."""
        selected = self.taken(self.member == i)
        return dataclasses.replace(selected, member=0 * selected.member)

    @staticmethod
    def joined(parts: Sequence[Events]) -> Events:
        """Return the events of several parts together, ordered by member and time."""
        arrays = [{k: getattr(x, k) for k in (*_COUNTS, *_NUMBERS, "q", "frame")} for x in parts]
        whole = jax.tree.map(lambda *x: np.concatenate(x), *arrays)
        result = dataclasses.replace(parts[0], **whole)
        return result.taken(np.lexsort((result.which, result.t, result.member)))

    # -- files -------------------------------------------------------------------------------

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all arrays by name."""
        result = {k: getattr(self, k) for k in (*_COUNTS, *_NUMBERS)}
        for prefix in ("q", "frame"):
            result |= dict(labels.named_leaves(prefix, getattr(self, prefix)))
        return result

    def described(self) -> Document:
        """Return what `made_of` needs beside the arrays, in a form for JSON."""
        trees = {name: labels.structure(getattr(self, name)) for name in ("q", "frame")}
        return {"names": list(self.names), **trees}

    @classmethod
    def made_of(cls, described: Any, array: Callable[[str], np.ndarray]) -> Events:
        """Invert `arrays`; `array` returns an array by its name."""
        trees = {name: labels.rebuilt(name, described[name], array) for name in ("q", "frame")}
        numbers = {name: array(name) for name in (*_COUNTS, *_NUMBERS)}
        return cls(names=tuple(described["names"]), **numbers, **trees)

    def add_to(self, data: xarray.Dataset) -> xarray.Dataset:
        """Return the dataset with the events added."""
        variables = {
            f"event_{name}": (["event", *(f"event_{name}_{i}" for i in range(x.ndim - 1))], x)
            for name, x in self.arrays().items()
        }
        return data.assign(variables).assign_attrs({_ATTRIBUTE: json.dumps(self.names)})

    @classmethod
    def read_from(cls, data: xarray.Dataset) -> Events | None:
        """Invert `add_to`; return None if the run had no event functions."""
        if _ATTRIBUTE not in data.attrs:
            return None

        def array(name: str) -> np.ndarray:
            return np.asarray(data[f"event_{name}"].values)

        trees = {name: json.loads(data.attrs[f"{name}_structure"]) for name in ("q", "frame")}
        return cls.made_of({"names": json.loads(data.attrs[_ATTRIBUTE]), **trees}, array)


jax.tree_util.register_dataclass(
    Events, data_fields=[*_COUNTS, *_NUMBERS, "q", "frame"], meta_fields=["names"]
)
