"""Results of reductions during a run: moments, counts, crossings; and their form in files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import UsageError
from .kinds import Document, Facts

if TYPE_CHECKING:
    import xarray


class Moments(NamedTuple):
    """Result of `Statistics`."""

    count: np.ndarray
    mean: np.ndarray
    variance: np.ndarray  # population variance: divided by the count
    least: np.ndarray
    greatest: np.ndarray
    t: np.ndarray  # times of statistics over members; for those over time only the last one


class Counts(NamedTuple):
    """Result of `Histogram`."""

    edges: np.ndarray
    counts: np.ndarray
    below: int
    above: int


class Crossings(NamedTuple):
    """Result of `Section`: one row for each crossing, ordered by member, then by time."""

    member: np.ndarray
    t: np.ndarray
    values: np.ndarray  # (crossings, observables)


class HeldInputs(NamedTuple):
    """The inputs of a run with a `Sampled` controller."""

    t: np.ndarray  # the times from which the inputs act
    u: np.ndarray  # (times, controls), or (times, members, controls)

    def __repr__(self) -> str:
        return f"HeldInputs({len(self.t)} samples of u, shape {self.u.shape[1:]})"


_KINDS: Facts = {
    "Moments": Moments,
    "Counts": Counts,
    "Crossings": Crossings,
    "HeldInputs": HeldInputs,
}
_ATTRIBUTE = "saved"


def add_to(data: xarray.Dataset, saved: Facts, rows: Any) -> xarray.Dataset:
    """Return the dataset with the results of named sinks added, as arrays."""
    kinds = {}
    variables = {}
    for name, value in saved.items():
        if hasattr(value, "to_xarray"):
            if value.v is not rows:
                raise UsageError(
                    f"saved[{name!r}] has its own rows, which do not fit into this file: write "
                    f"them separately, result.saved[{name!r}].save(...), and leave them out here "
                    "with dataclasses.replace(result, saved={...})"
                )
            continue
        kind = type(value).__name__ if isinstance(value, tuple(_KINDS.values())) else ""
        parts = list(zip(value._fields, value)) if kind else [("", value)]
        for field, x in parts:
            array = np.asarray(x)
            if array.dtype.kind not in "bif":
                raise UsageError(
                    f"saved[{name!r}] is a {type(value).__name__}, which a file cannot hold: "
                    "leave it out with dataclasses.replace(result, saved={...})"
                )
            label = f"saved.{name}.{field}" if field else f"saved.{name}"
            variables[label] = ([f"{label}.{i}" for i in range(array.ndim)], array)
        kinds[name] = kind
    return data.assign(variables).assign_attrs({_ATTRIBUTE: json.dumps(kinds)}) if kinds else data


def is_writable(value: object) -> bool:
    """Whether a file can hold this value."""
    known = isinstance(value, tuple(_KINDS.values()))
    return known or (not hasattr(value, "v") and np.asarray(value).dtype.kind in "bif")


def read_from(attrs: Facts, array: Callable[[str], np.ndarray]) -> Document:
    """Invert `add_to`: read results from attributes and arrays by name."""
    result = {}
    for name, kind in json.loads(attrs.get(_ATTRIBUTE, "{}")).items():
        if not kind:
            result[name] = array(f"saved.{name}")
            continue
        cls = _KINDS[kind]
        result[name] = cls(*_plain(array(f"saved.{name}.{field}") for field in cls._fields))
    return result


def _plain(arrays: Iterator[np.ndarray]) -> Iterator[Any]:
    return (x if x.ndim else x.item() for x in arrays)
