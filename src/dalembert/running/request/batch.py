"""The members of an ensemble: which parameters vary, and where each of them starts."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np

from ...errors import UsageError
from ...inputs import PerMember
from ...system import PARAMETER, Point, System, as_arrays
from .validate import own_start


class Batch(NamedTuple):
    """The members: which parameters vary, and where each of them starts."""

    example: System  # the first member
    shared: Any  # parameters that are the same for all, None where they vary
    varying: Any  # parameters with the members first, None where they are shared
    static: Any
    names: tuple[str, ...]  # of the parameters that vary
    q: Point
    v: np.ndarray
    members: int


def batch_of(system: System, q0: Any, v0: Any) -> Batch:
    """From what `simulate_ensemble` is given; raises a `UsageError` where it does not fit."""
    counts: dict[str, int] = {}
    names = []
    for field in dataclasses.fields(system):
        value, spec = getattr(system, field.name), field.metadata.get(PARAMETER)
        inner = spec.shape if spec is not None else ()
        if isinstance(value, (jax.Array, np.ndarray)) and inner is not None:
            if value.ndim == len(inner) + 1 and (spec or field.type in (float, "float")):
                names.append(field.name)
                counts[f"parameter '{field.name}'"] = len(value)
        if isinstance(value, PerMember):
            names.append(field.name)
            sizes = {len(x) for x in jax.tree.leaves(value) if np.ndim(x)}
            if len(sizes) != 1:
                raise UsageError(f"PerMember: its arrays have {sorted(sizes)} members")
            counts["the control"] = sizes.pop()
    dynamic, static = as_arrays(system)
    mask = jax.tree_util.tree_map_with_path(
        lambda path, _: getattr(path[0], "name", "") in names, dynamic
    )
    varying, shared = eqx.partition(dynamic, mask)
    first = eqx.combine(jax.tree.map(lambda x: x[0], varying), shared, static)
    if (q0 is None) != (v0 is None):
        raise UsageError("give both q0 and v0, or neither to start from system.initial()")
    _check_counts(counts)
    if q0 is None:
        if counts:
            q0, v0 = jax.vmap(lambda p: eqx.combine(p, shared, static).initial())(varying)
            q0, v0 = jax.tree.map(_alike, (q0, v0))
        else:
            q0, v0 = own_start(first)
    v = _real("v0", v0)
    base, likes = first.groupoid.base, first.groupoid.base.identity()
    leaves = jax.tree.map(partial(_real, "q0"), q0)
    if jax.tree.structure(leaves) != jax.tree.structure(likes):
        base.check(q0, "q0")  # says what is wrong
    if v.ndim == 2:
        counts["v0"] = len(v)
    inner, given = (jax.tree.leaves(x) for x in (likes, leaves))
    for i, (a, b) in enumerate(zip(given, inner)):
        if np.ndim(a) == np.ndim(b) + 1:
            counts["q0" if len(given) == 1 else f"q0[{i}]"] = len(a)
    if not counts:
        raise UsageError(
            "no ensemble: neither q0, v0 nor a parameter has members as its first axis; "
            "use simulate for one run"
        )
    _check_counts(counts)
    members = next(iter(counts.values()))
    if members == 0:
        raise UsageError("an ensemble needs at least one member")

    def spread(x: np.ndarray, ndim: int) -> np.ndarray:
        return x if x.ndim == ndim + 1 else np.broadcast_to(x, (members, *x.shape))

    q = jax.tree.map(lambda x, like: spread(x, np.ndim(like)), leaves, likes)
    for x, like in zip(jax.tree.leaves(q), inner):
        if x.shape[1:] != np.shape(like):
            base.check(jax.tree.map(lambda a: a[0], q), "q0")
    return Batch(first, shared, varying, static, tuple(names), q, spread(v, 1), members)


def _check_counts(counts: dict[str, int]) -> None:
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{k} has {n}" for k, n in counts.items())
        raise UsageError(f"the number of members differs: {told}")


def _alike(x: Any) -> np.ndarray:
    """Where all members start alike, one of them is kept."""
    found = np.asarray(x)
    one = np.broadcast_to(np.array(found[:1]), found.shape)
    return one if np.array_equal(one, found) else found


def _real(name: str, x: Any) -> np.ndarray:
    try:
        array = np.asarray(x)
        if np.iscomplexobj(array):
            raise TypeError
        array = array.astype(float, copy=array.flags.writeable)  # a user's may change later
    except (TypeError, ValueError):
        raise UsageError(f"{name} must be real numbers with members first, got {x!r}") from None
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        raise UsageError(f"{name}: entries must be finite, and that at {wrong[0].tolist()} is not")
    return array
