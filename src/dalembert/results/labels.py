"""Names and units of the entries of a result: of q, of v, of the factors of a product."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Protocol

import jax
import numpy as np

from ..names import entry, find, named_places, with_names
from ..names import velocity_units as velocity_units
from ..system import Point
from .kinds import Document, Tree
from .meta import Meta


class Labelled(Protocol):
    """A result with rows: all its arrays have the leading axes of `v` (all axes but the last)."""

    @property
    def q(self) -> Point: ...
    @property
    def v(self) -> Any: ...
    @property
    def meta(self) -> Meta: ...


def named_leaves(name: str, tree: Tree) -> Iterator[tuple[str, Tree]]:
    """Yield (name, leaf): `q`, or `q_0`, `q_1`, ... on a product; nested products go deeper."""
    if isinstance(tree, tuple):
        for i, part in enumerate(tree):
            yield from named_leaves(f"{name}_{i}", part)
    elif tree is not None:
        yield name, tree


def structure(tree: Tree) -> Tree:
    """Return what `rebuilt` needs beside the named leaves."""
    if isinstance(tree, tuple):
        return [structure(part) for part in tree]
    return None if tree is None else "array"


def rebuilt(name: str, structure: Tree, array: Tree) -> Tree:
    """Rebuild the tree; `array` returns a leaf by its name."""
    if isinstance(structure, list):
        return tuple(rebuilt(f"{name}_{i}", s, array) for i, s in enumerate(structure))
    return None if structure is None else array(name)


def leaf_dimensions(name: str, rank: int) -> tuple[str, ...]:
    """Return the names of the axes of a leaf, without time and members."""
    vector = "coordinate" if name == "q" else f"{name}_coordinate"
    ends = {0: (), 1: (vector,), 2: (f"{name}_row", f"{name}_column")}
    return ends[rank] if rank in ends else tuple(f"{name}_axis_{i}" for i in range(rank))


def coordinate_labels(result: Labelled) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the names and units of the vector factors of q.

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
    """Return (names, units, columns) of the vector factors of q, for tables and plots."""
    labels = coordinate_labels(result)
    leaves = dict(named_leaves("q", result.q))
    columns = [np.asarray(leaves[name]) for name in labels]
    return (
        [x for names, _ in labels.values() for x in names],
        [x for _, units in labels.values() for x in units],
        np.concatenate([np.zeros((*result.v.shape[:-1], 0)), *columns], axis=-1),
    )


def velocity_labels(result: Labelled) -> tuple[str, ...]:
    """Return a name for each entry of v."""
    names, dim = result.meta.velocity_names, result.v.shape[-1]
    return tuple(names) if len(names) == dim else tuple(map(str, range(dim)))


def multiplier_labels(result: Any) -> tuple[str, ...]:
    """Return a name for each multiplier: that of its constraint, or a number."""
    names, count = result.meta.constraint_names, result.multiplier.shape[-1]
    return names if len(names) == count else tuple(map(str, range(count)))


def value(result: Any, name: str) -> Any:
    """Return a coordinate, a velocity or a multiplier at all rows of a result, by its name."""
    if name == "t":
        return result.t
    skip = result.v.ndim - 1
    shapes = [x.shape[skip:] for x in jax.tree.leaves(result.q)]
    coordinates = named_places(shapes, result.meta.coordinate_names)
    group, at = find(
        "coordinate, velocity or constraint",
        name,
        q=list(coordinates),
        v=velocity_labels(result),
        multiplier=multiplier_labels(result),
    )
    if group == "q":
        return entry(result.q, list(coordinates.values())[at])
    return np.asarray(result.v if group == "v" else result.multiplier)[..., at]


def rows_named(result: Any) -> Document:
    """Return those arrays of a result whose entries have names as `NamedArray`s, by field.

    Their entries can then be read by name: `traj.v["left"]`.
    """
    if result.meta is None:  # rows without a description have no names
        return {}
    speeds, reactions = result.meta.velocity_names, result.meta.constraint_names
    return {
        "v": with_names(result.v, speeds),
        "p": with_names(result.p, speeds),
        "multiplier": with_names(result.multiplier, reactions, "row"),
    }


def column(prefix: str, name: str) -> str:
    """Return the name of a column: q_x for a coordinate x, q_0 (not q_q0) for an unnamed one."""
    plain = name[1:] if re.fullmatch(r"[qv]\d+", name) else name
    return f"{prefix}_{plain}"
