"""Names and units of the numbers in a result: entries of q, of v, of the factors of a product."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from ..system import Point, System
from .meta import Meta


class Labelled(Protocol):
    """A result with rows: arrays whose leading axes are those of `v` without its last."""

    @property
    def q(self) -> Point: ...
    @property
    def v(self) -> Any: ...
    @property
    def meta(self) -> Meta: ...


def named_leaves(name: str, tree: Any) -> Iterator[tuple[str, Any]]:
    """`q`, or `q_0`, `q_1`, ... on a product, nested products deeper."""
    if isinstance(tree, tuple):
        for i, part in enumerate(tree):
            yield from named_leaves(f"{name}_{i}", part)
    elif tree is not None:
        yield name, tree


def structure(tree: Any) -> Any:
    """What `rebuilt` needs beside the named leaves."""
    if isinstance(tree, tuple):
        return [structure(part) for part in tree]
    return None if tree is None else "array"


def rebuilt(name: str, structure: Any, array: Any) -> Any:
    """The tree again: `array` gives a leaf by its name."""
    if isinstance(structure, list):
        return tuple(rebuilt(f"{name}_{i}", s, array) for i, s in enumerate(structure))
    return None if structure is None else array(name)


def leaf_dimensions(name: str, rank: int) -> tuple[str, ...]:
    """Names of the axes of a leaf, without time and members."""
    vector = "coordinate" if name == "q" else f"{name}_coordinate"
    ends = {0: (), 1: (vector,), 2: (f"{name}_row", f"{name}_column")}
    return ends[rank] if rank in ends else tuple(f"{name}_axis_{i}" for i in range(rank))


def coordinate_labels(result: Labelled) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Names and units of the vector factors of q.

    The names of a system cover either all entries of q or the entries of its vector factors only.
    """
    skip = result.v.ndim - 1
    leaves = [(name, leaf.shape[skip:]) for name, leaf in named_leaves("q", result.q)]
    names, units = result.meta.coordinate_names, result.meta.units
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


def coordinate_table(result: Labelled) -> tuple[list[str], list[str], np.ndarray]:
    """(names, units, columns) of the vector factors of q, side by side; for tables and plots."""
    labels = coordinate_labels(result)
    leaves = dict(named_leaves("q", result.q))
    columns = [np.asarray(leaves[name]) for name in labels]
    return (
        [x for names, _ in labels.values() for x in names],
        [x for _, units in labels.values() for x in units],
        np.concatenate([np.zeros((*result.v.shape[:-1], 0)), *columns], axis=-1),
    )


def velocity_labels(result: Labelled) -> tuple[str, ...]:
    """A name for each entry of v."""
    names, dim = result.meta.velocity_names, result.v.shape[-1]
    return names if len(names) == dim else tuple(map(str, range(dim)))


def column(prefix: str, name: str) -> str:
    """q_x for a coordinate x, q_0 rather than q_q0 for one without a name of its own."""
    plain = name[1:] if re.fullmatch(r"[qv]\d+", name) else name
    return f"{prefix}_{plain}"


def velocity_units(system: System) -> list[str]:
    """Units of the entries of v: those of q over s, or by the names on a group."""
    units = tuple(system.units)
    if len(units) == system.dim:
        return [f"{u}/s" if u != "1" else "1/s" for u in units]

    known = dict(zip(system.coordinate_names, units))

    def by_name(name: str) -> str:
        if name.removesuffix("_dot") in known and name.endswith("_dot"):
            return f"{known[name.removesuffix('_dot')]}/s"
        if name.startswith(("omega", "Omega", "w", "yaw")):
            return "rad/s"
        return "m/s" if name.endswith("_dot") or name in ("surge", "sway") else ""

    return [by_name(name) for name in system.velocity_labels]
