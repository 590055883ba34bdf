"""The members of an ensemble: which parameters vary, where each starts, grids and samples by name.

    simulate_ensemble(sleigh, over=da.grid(a=np.linspace(0.1, 0.3, 64), J=[0.5, 1.0]), ...)
    simulate_ensemble(sleigh, over=da.sample(4096, a=(0.1, 0.3), theta_dot=(0.0, 2.0)), ...)

`Batch` holds the members of a run; `Design` is the user's description of them. `ensemble_run` runs
them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..dynamics import linear_constraint, linear_offset
from ..errors import UsageError
from ..files import require
from ..inputs import PerMember
from ..names import find
from ..system import PARAMETER, Point, System, as_arrays
from .validate import check_count, own_start


class Batch(NamedTuple):
    """The members of an ensemble: their parameters, and the initial data of each."""

    example: System  # the first member
    shared: Any  # parameters that are the same for all members; None at those that vary
    varying: Any  # parameters with the members first; None at those that are shared
    static: Any
    names: tuple[str, ...]  # names of the parameters that vary
    q: Point
    v: np.ndarray
    members: int


def batch_of(system: System, q0: Any, v0: Any) -> Batch:
    """Make a batch from the arguments of `simulate_ensemble`; raise `UsageError` if they misfit."""
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

    def split(tables: bool) -> tuple[Any, Any, Any]:
        dynamic, static = as_arrays(system, tables=tables)
        mask = jax.tree_util.tree_map_with_path(
            lambda path, _: getattr(path[0], "name", "") in names, dynamic
        )
        return *eqx.partition(dynamic, mask), static

    varying, shared, static = split(False)
    first = eqx.combine(jax.tree.map(lambda x: x[0], varying), shared, static)
    if reads_tables():
        varying, shared, static = split(True)
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
        base.check(q0, "q0")  # raises a message that says what is wrong
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


def reads_tables() -> bool:
    """Whether members read tables in place: not on an accelerator, which has separate memory."""
    return jax.default_backend() == "cpu"


def _check_counts(counts: dict[str, int]) -> None:
    if len(set(counts.values())) > 1:
        text = ", ".join(f"{k} has {n}" for k, n in counts.items())
        raise UsageError(f"the number of members differs: {text}")


def _alike(x: Any) -> np.ndarray:
    """Return a broadcast view of one entry if all members start at the same point."""
    values = np.asarray(x)
    one = np.broadcast_to(np.array(values[:1]), values.shape)
    return one if np.array_equal(one, values) else values


def _real(name: str, x: Any) -> np.ndarray:
    try:
        array = np.asarray(x)
        if np.iscomplexobj(array):
            raise TypeError
        array = array.astype(float, copy=array.flags.writeable)  # the user may change it later
    except (TypeError, ValueError):
        raise UsageError(f"{name} must be real numbers with members first, got {x!r}") from None
    wrong = np.argwhere(~np.isfinite(array))
    if len(wrong):
        raise UsageError(
            f"{name}: entries must be finite, but the one at {wrong[0].tolist()} is not"
        )
    return array


_HELD = 1e-9  # largest relative residual of the constraint with the named entries fixed


@dataclasses.dataclass(frozen=True)
class Design:
    """The points of a parameter study: a number for each member, by name."""

    values: Mapping[str, np.ndarray]  # (members,) each
    shape: tuple[int, ...]  # shape of the grid; for a sample, its size

    def __len__(self) -> int:
        """Number of members."""
        return math.prod(self.shape)

    def reshape(self, values: Any) -> np.ndarray:
        """Return an array (members, ...) with the axes of the grid in place of its first axis."""
        result = np.asarray(values)
        return result.reshape(*self.shape, *result.shape[1:])

    def initial(self, system: System) -> dict[str, np.ndarray]:
        """Return the values that are entries of the initial data, not parameters."""
        fields = {f.name for f in dataclasses.fields(system)}
        return {k: x for k, x in self.values.items() if k not in fields}

    def members(
        self, system: System, t0: float = 0.0, q0: Any = None, v0: Any = None
    ) -> tuple[System, Any, Any]:
        """Return system, q0 and v0 of all members.

        Names are those of parameters, of coordinates (their initial values) and of velocities. All
        other initial data are those of `system.initial()`, or of (q0, v0); velocities that are not
        named are changed as little as the constraint requires.
        """
        start = self._start(system, q0, v0)
        fields = {f.name: f for f in dataclasses.fields(system)}
        q_names = system.coordinate_labels
        if len(q_names) != system.groupoid.base.size:
            q_names = system.groupoid.base.element_names()
        v_names = system.velocity_labels
        own = {k: x for k, x in self.values.items() if k in fields}
        q_own, v_own = {}, {}
        for k, x in self.values.items():
            if k in own:
                continue
            if k in system.parameters():
                raise UsageError(
                    f"'{k}' is a number of a part: for an ensemble over it use jax.vmap, or write "
                    "a subclass of parts.Machine with this number as a field"
                )
            try:
                group, at = find("name", k, q=q_names, v=v_names)
            except UsageError:
                lines = [k for k in fields if k in system.parameters()]
                known = ", ".join([*lines, *q_names, *v_names])
                raise UsageError(f"{system.name()} has no '{k}'; known: {known}") from None
            (q_own if group == "q" else v_own)[(q_names if group == "q" else v_names)[at]] = x
        for name in own:
            spec = fields[name].metadata.get(PARAMETER)
            if (spec is not None and spec.shape) or not isinstance(
                getattr(system, name), (float, int, np.ndarray, jax.Array)
            ):
                raise UsageError(
                    f"'{name}' of {system.name()} is not a single number: it cannot have a range"
                )
        if own:
            system = dataclasses.replace(system, **own)
        if not q_own and not v_own:
            q, v = start or (None, None)
            return system, q, v
        if own and start is None:
            batch = batch_of(system, None, None)
            (q, v), one = (batch.q, np.array(batch.v)), batch.example
        else:
            one = batch_of(system, *start).example if own and start else system
            start = start or own_start(system)
            q, v = jax.tree.map(lambda x: np.array([np.asarray(x)] * len(self)), start)
        base = one.groupoid.base
        flat = np.array(jax.vmap(base.flatten)(q))
        for k, x in q_own.items():
            flat[:, q_names.index(k)] = x
        q = jax.tree.map(np.asarray, jax.vmap(base.unflatten)(jnp.asarray(flat)))
        for k, x in v_own.items():
            v[:, v_names.index(k)] = x
        return system, q, _consistent(system, q, v, [v_names.index(k) for k in v_own], t0)

    def _start(self, system: System, q0: Any, v0: Any) -> tuple[Any, Any] | None:
        """Return the point (q0, v0) that all members share except for named entries, or None."""
        if q0 is None and v0 is None:
            return None
        if q0 is None or v0 is None:
            raise UsageError("give both q0 and v0, or neither to start from system.initial()")
        q, v = jax.tree.map(np.asarray, q0), np.asarray(v0, dtype=float)
        if v.ndim > 1:
            raise UsageError(
                "over= defines the members: q0 and v0 must then be a single state, without a "
                "member axis"
            )
        system.groupoid.base.check(q, "q0")
        return q, v


def _consistent(
    system: System, q: Any, v: np.ndarray, held: Sequence[int], t0: float
) -> np.ndarray:
    """Return velocities on the constraint: entries `held` are fixed, the others change least."""
    batch = batch_of(system, q, v)
    example = batch.example
    if not example.is_constrained:
        return v
    if example.is_nonlinear:
        raise UsageError(
            "its constraint is not linear in v: give v0",
            about=example.name(),
            advice="project=True takes the nearest velocity on the constraint",
            remedy="project",
        )

    def rows(varying: Any, q: Any) -> tuple[jax.Array, jax.Array]:
        one = eqx.combine(varying, batch.shared, batch.static)
        A = linear_constraint(one, q, t0)
        return A, jnp.broadcast_to(linear_offset(one, t0, q), A.shape[:1])

    A, b = (np.asarray(x) for x in jax.vmap(rows)(batch.varying, batch.q))
    free = np.setdiff1d(np.arange(v.shape[1]), held)
    gap = b - np.einsum("kij,kj->ki", A, v)
    result = v.copy()
    result[:, free] += np.einsum("kij,kj->ki", np.linalg.pinv(A[:, :, free], rcond=1e-10), gap)
    left = np.abs(b - np.einsum("kij,kj->ki", A, result))
    size = np.einsum("kij,kj->ki", np.abs(A), np.abs(result)) + np.abs(b) + 1e-300
    wrong = np.flatnonzero(np.any(left > _HELD * np.maximum(size, 1.0), axis=1))
    if len(wrong):
        raise UsageError(
            f"{example.name()}: member {wrong[0]} cannot have these velocities: the constraint "
            "does not leave them free. Name fewer of them"
        )
    return result


def _numbers(name: str, given: Any) -> np.ndarray:
    try:
        result = np.atleast_1d(np.asarray(given, dtype=float))
    except (TypeError, ValueError):
        result = np.zeros((0, 0))
    if result.ndim != 1 or not result.size or not np.all(np.isfinite(result)):
        raise UsageError(f"'{name}' needs finite numbers in one row, got {given!r}")
    return result


def grid(**values: Any) -> Design:
    """Return all combinations of the values given by name; the last name changes fastest."""
    if not values:
        raise UsageError("grid needs names and values, such as grid(a=np.linspace(0.1, 0.3, 64))")
    rows = {k: _numbers(k, x) for k, x in values.items()}
    every = np.meshgrid(*rows.values(), indexing="ij")
    return Design({k: x.ravel() for k, x in zip(rows, every)}, tuple(len(x) for x in rows.values()))


def sample(count: int, /, *, kind: str = "sobol", seed: int = 0, **ranges: Any) -> Design:
    """Return `count` points in ranges by name; `kind` is "sobol", "latin" (hypercube), "random".

    A range is (low, high). The same seed gives the same points.
    """
    check_count("count", count)
    if not ranges:
        raise UsageError("sample needs names and ranges, such as sample(1024, a=(0.1, 0.3))")
    bounds = {k: _numbers(k, x) for k, x in ranges.items()}
    for name, x in bounds.items():
        if len(x) != 2 or not x[0] < x[1]:
            raise UsageError(f"'{name}' needs a range (low, high), got {ranges[name]!r}")
    if kind == "random":
        unit = np.random.default_rng(seed).uniform(size=(count, len(bounds)))
    elif kind in ("sobol", "latin"):
        require("scipy")
        from scipy.stats import qmc

        if kind == "latin":
            unit = qmc.LatinHypercube(len(bounds), rng=seed).random(count)
        else:  # a power of two, of which the first are taken: SciPy warns about other counts
            sobol = qmc.Sobol(len(bounds), rng=seed)
            unit = sobol.random_base2(max((count - 1).bit_length(), 0))[:count]
    else:
        raise UsageError(f"kind must be sobol, latin or random, got {kind!r}")
    points = {k: x[0] + (x[1] - x[0]) * unit[:, i] for i, (k, x) in enumerate(bounds.items())}
    return Design(points, (count,))
