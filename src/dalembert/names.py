"""Look up entries of a state by name instead of by index.

A name matches a label exactly; with `_` in place of a blank; or cut at a blank or comma, if only
one label begins with it: "Omega1" for "Omega1 disk", "left" for the input "left motor". Among
velocities the name of a coordinate matches as well. `System` uses this in its methods `named`,
`observable`, `initial` and `describe`, results in `traj["x"]` and `traj.v["left"]`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jax
import jax.core
import jax.numpy as jnp
import numpy as np

from . import groupoids
from .errors import UsageError, unknown_name

_HELD = 1e-9  # largest constraint residual with the named entries fixed, relative to its terms
_MOVES = 30  # iterations of Newton's method towards holonomic(q) = 0
Place = tuple[int, tuple[int, ...]]  # index of a leaf of q, and index inside it


# -- looking up ----------------------------------------------------------------------------------


def find(kind: str, name: object, **known: Sequence[str]) -> tuple[str, int]:
    """Return (group, index) of a name among labels by group; earlier groups win.

    The group `v` holds velocities.
    """
    if not isinstance(name, str):
        raise UsageError(f"the name of a {kind} must be a string, got {name!r}")
    for same in (_exact, _plain, _rate, _beginning):
        for group, labels in known.items():
            matches = [i for i, label in enumerate(labels) if same(label, name, group)]
            if len(matches) == 1 or (matches and same is not _beginning):
                return group, matches[0]
            if matches:
                every = ", ".join(repr(labels[i]) for i in matches)
                raise UsageError(f"'{name}' may be {every}: write the {kind} in full")
    raise unknown_name(kind, name, dict.fromkeys(x for labels in known.values() for x in labels))


def _exact(label: str, name: str, group: str) -> bool:
    return label == name


def _plain(label: str, name: str, group: str) -> bool:
    return _written(label) == _written(name)


def _rate(label: str, name: str, group: str) -> bool:
    return group == "v" and _written(label) == f"{_written(name)}_dot"


def _beginning(label: str, name: str, group: str) -> bool:
    return bool(name) and label.startswith((f"{name} ", f"{name},"))


def _written(name: str) -> str:
    return name.replace(",", "").replace(" ", "_")


class Names(tuple[str, ...]):
    """A tuple of labels whose `index` finds a name as `find` does."""

    def index(self, name: Any, *bounds: Any) -> int:
        return super().index(name, *bounds) if bounds else find("name", name, v=self)[1]


def vector(kind: str, values: Mapping[str, Any], labels: Sequence[str], default: Any = 0.0) -> Any:
    """Return an array over the labels: the named values, and `default` for the other labels."""
    entries: list[Any] = [default] * len(labels)
    given: dict[int, str] = {}
    for name, value in values.items():
        at = find(kind, name, **{"": labels})[1]
        if at in given:
            raise UsageError(f"'{given[at]}' and '{name}' are the same {kind}, '{labels[at]}'")
        given[at] = name
        entries[at] = value
    return entries


class NamedArray(np.ndarray):
    """A NumPy array whose last axis has names: `traj.v["left"]`, `traj.final.v["left"]`.

    Its rows have the names as well; results of arithmetic have none.
    """

    names: tuple[str, ...]

    def __array_finalize__(self, made_of: Any) -> None:
        self.names = ()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if return_scalar else plain

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if not self.names:
                raise UsageError(
                    f"{key!r}: this array has lost its names, as every result of arithmetic: "
                    "select by name before computing"
                )
            at = find("velocity" if self._kind == "v" else "row", key, **{self._kind: self.names})
            return np.asarray(self)[..., at[1]]
        result = super().__getitem__(key)
        if isinstance(result, NamedArray):
            parts = key if isinstance(key, tuple) else (key,)
            rows = len(parts) < self.ndim and not any(x is None or x is Ellipsis for x in parts)
            if not (rows and self.names):
                return np.asarray(result)
            result.names, result._kind = self.names, self._kind
        return result

    def __reduce__(self) -> Any:
        return with_names, (np.asarray(self), self.names, self._kind)

    _kind = "v"


def with_names(array: Any, names: Sequence[str], kind: str = "v") -> Any:
    """Return a NumPy array with names for its last axis; other arrays are returned unchanged."""
    if (
        type(array) is not np.ndarray
        or not array.ndim
        or array.shape[-1] != len(names)
        or not names
    ):
        return array
    result = array.view(NamedArray)
    result.names, result._kind = tuple(names), kind
    return result


# -- entries of a state --------------------------------------------------------------------------


def places(shapes: Sequence[tuple[int, ...]]) -> list[Place]:
    """Return the place of each entry of q, in the order of the names."""
    return [(leaf, index) for leaf, shape in enumerate(shapes) for index in np.ndindex(*shape)]


def named_places(shapes: Sequence[tuple[int, ...]], names: Sequence[str]) -> dict[str, Place]:
    """Return the places by name; the names cover all entries of q, or only those of vectors."""
    every = places(shapes)
    if len(names) != len(every):
        every = [x for x in every if len(shapes[x[0]]) == 1]
    return dict(zip(names, every)) if len(names) == len(every) else {}


def entry(q: Any, place: Place) -> Any:
    """Return the entry of q at a place, for all rows if q has a leading row axis."""
    leaf, index = place
    return jax.tree.leaves(q)[leaf][(..., *index)]


@dataclasses.dataclass(frozen=True)
class Observable:
    """One entry of a state by name: callable with (t, q, v), and with (q, v) for sinks."""

    name: str
    place: Place | int  # place in q, or index in v

    def __call__(self, *state: Any) -> Any:
        q, v = state[-2:]
        return v[..., self.place] if isinstance(self.place, int) else entry(q, self.place)


def state_shapes(system: Any) -> list[tuple[int, ...]]:
    """Return the shapes of the leaves of q."""
    point = jax.eval_shape(system.groupoid.base.identity)
    return [x.shape for x in jax.tree.leaves(point)]


def observable(system: Any, name: str) -> Observable:
    """Return the coordinate or velocity of this name."""
    q = named_places(state_shapes(system), system.coordinate_labels)
    about = f"coordinate or velocity of {system.name()}"
    group, at = find(about, name, q=list(q), v=system.velocity_labels)
    label = [*q][at] if group == "q" else system.velocity_labels[at]
    return Observable(label, q[label] if group == "q" else at)


class NamedState(Mapping[str, Any]):
    """(q, v) by name: `state["x"]`, `state["left_dot"]`; for traced values and for saved rows."""

    def __init__(self, system: Any, q: Any, v: Any) -> None:
        self._system, self._q, self._v = system, q, v

    def __getitem__(self, name: str) -> Any:
        return observable(self._system, name)(self._q, self._v)

    def __iter__(self) -> Iterator[str]:
        shapes = state_shapes(self._system)
        yield from named_places(shapes, self._system.coordinate_labels)
        yield from self._system.velocity_labels

    def __len__(self) -> int:
        return len(list(iter(self)))


# -- initial data --------------------------------------------------------------------------------


def with_entries(system: Any, q: Any, v: Any, values: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return (q, v) with some entries set by name; the others follow from the constraints.

    Named entries get exactly the given values. The other entries of q and v change as little as
    holonomic(q) = 0 and A(q) v = b(0, q) allow.
    """
    shapes = state_shapes(system)
    coordinates = named_places(shapes, system.coordinate_labels)
    speeds = system.velocity_labels
    about = f"coordinate or velocity of {system.name()}"
    q, v = jax.tree.map(lambda x: jnp.asarray(x, dtype=float), (q, v))
    leaves, tree = jax.tree.flatten(q)
    held_q, held_v = [], []
    for name, value in values.items():
        group, at = find(about, name, q=list(coordinates), v=speeds)
        try:
            value = jnp.asarray(value, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise UsageError(f"initial: {name} must be a number, got {value!r}") from None
        if value.shape:
            raise UsageError(f"initial: {name} must be one number, got shape {value.shape}")
        if group == "v":
            v = v.at[at].set(value)
            held_v.append(at)
            continue
        leaf, index = list(coordinates.values())[at]
        if len(shapes[leaf]) != 1:
            raise UsageError(
                f"initial: '{name}' is one entry of a matrix and cannot be set alone: take "
                "(q, v) = system.initial() and put the whole matrix into q"
            )
        leaves[leaf] = leaves[leaf].at[index].set(value)
        held_q.append(_starts(system.groupoid.base)[leaf] + index[0])
    q = jax.tree.unflatten(tree, leaves)
    if not system.is_constrained:
        return q, v
    if system.is_nonlinear:
        raise UsageError(
            f"initial: the constraint of {system.name()} is not linear in v: give q0 and v0, and "
            "project=True takes the nearest velocity on the constraint"
        )
    if system.has_holonomic:
        q = _closed(system, q, held_q)
    return q, _consistent(system, q, v, held_v)


def _starts(space: Any, at: int = 0) -> list[int]:
    """Return, for each leaf of q, the index in v at which its velocities begin."""
    result = []
    for factor in getattr(space, "factors", (space,)):
        result += _starts(factor, at) if hasattr(factor, "factors") else [at]
        at += factor.dim
    return result


def _closed(system: Any, q: Any, held: list[int]) -> Any:
    """Return q with holonomic(q) = 0, by Newton's method in the entries not in `held`."""
    free = np.setdiff1d(np.arange(system.dim), held)
    for last in (*[False] * _MOVES, True):
        g = system.holonomic(q)
        rows = _rows(system, q)[: g.shape[0], free]
        xp = _module(g, rows)
        if xp is np:
            g, rows = np.asarray(g), np.asarray(rows)
            off, size = np.max(np.abs(g)), np.max(np.abs(rows), initial=1e-300)
            if off <= 1e-13 * size:
                break
            if last and not off < _HELD * size:
                raise UsageError(
                    f"initial: the holonomic constraints of {system.name()} cannot be met with "
                    "these coordinates (contacts do not touch, loops do not close): name fewer"
                )
        move = xp.zeros((len(free), system.dim)) + xp.eye(system.dim)[free]
        q = groupoids.move(system.groupoid, q, -(_inverse(rows, xp) @ g) @ move)
    return q


def _consistent(system: Any, q: Any, v: jax.Array, held: list[int]) -> jax.Array:
    """Return v on the constraint: `held` entries unchanged, the others changed least."""
    A = _rows(system, q)
    b = np.zeros(A.shape[0])
    if system.has_offset:
        given = system.offset(jnp.zeros(()), q)
        b = jnp.concatenate([jnp.zeros(A.shape[0] - given.shape[0]), given])
    xp = _module(A, b, v)
    if xp is np:
        A, b, v = (np.asarray(x) for x in (A, b, v))  # pyright: ignore[reportAssignmentType]
    free = np.setdiff1d(np.arange(system.dim), held)
    unit = np.eye(system.dim)[free]
    for _ in range(2):  # the second pass removes the round-off of the first
        v = v + (_inverse(A[:, free], xp) @ (b - A @ v)) @ unit
    left = abs(b - A @ v)
    if xp is np and not np.all(left <= _HELD * np.maximum(abs(A) @ abs(v) + abs(b), 1.0)):
        raise UsageError(
            f"initial: {system.name()} cannot have these velocities: the constraint does not "
            "leave them free. Name fewer of them"
        )
    return jnp.asarray(v)


def _rows(system: Any, q: Any) -> Any:
    """Return Dg(q) and A(0, q), as `dynamics.linear_constraint` does.

    That function cannot be imported here: `dynamics` is a higher layer.
    """
    if system.closed is not None:
        return system.closed.rows(q)
    rows = system.constraint_at(0.0, q)
    if not system.has_holonomic:
        return rows
    g = jax.jacfwd(lambda w: system.holonomic(groupoids.move(system.groupoid, q, w)))
    return jnp.concatenate([g(jnp.zeros(system.dim)), rows])


def _module(*arrays: Any) -> Any:
    """Return jax.numpy if an array is traced, otherwise NumPy, which needs no compilation."""
    return jnp if any(isinstance(x, jax.core.Tracer) for x in arrays) else np


def _inverse(rows: Any, xp: Any) -> Any:
    """Return the pseudo-inverse; singular values below 1e-10 of the largest are redundant rows."""
    return xp.linalg.pinv(rows, rtol=1e-10)


# -- the order of everything ---------------------------------------------------------------------


def multiplier_names(labels: Sequence[str], count: int) -> tuple[str, ...]:
    """Return the name of each multiplier in files of every kind: multiplier_NAME, multiplier_0.

    NAME is that of its constraint. C and FMUs, logs and tables take it from here; in C, characters
    that are not allowed in identifiers become `_`.
    """
    known = labels if len(labels) == count else range(count)
    return tuple(f"multiplier_{x}" for x in known)


def velocity_units(system: Any) -> list[str]:
    """Return the units of the entries of v: those of q per second, or by the names on a group."""
    units = tuple(system.units)
    if len(units) == system.dim:
        return [f"{u}/s" if u != "1" else "1/s" for u in units]

    known = dict(zip(system.coordinate_names, units))

    def by_name(name: str) -> str:
        if name.removesuffix("_dot") in known and name.endswith("_dot"):
            return f"{known[name.removesuffix('_dot')]}/s"
        if not units:  # not declared: an angle and a length look alike
            return ""
        if name.startswith(("omega", "Omega", "w", "yaw")):
            return "rad/s"
        return "m/s" if name.endswith("_dot") or name in ("surge", "sway") else ""

    return [by_name(name) for name in system.velocity_labels]


# -- as people write them ------------------------------------------------------------------------

_GREEK: dict[str, str] = dict(
    zip(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
        "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split(),
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ",
        strict=True,
    )
)
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_LETTER = re.compile(r"([A-Za-z]+?)_?(\d*)(_dot)?((?: .*)?)")


def symbol(name: str) -> str:
    """Return a name with Greek letters, indices and dots: "theta1_dot" becomes θ̇₁.

    A name that is a word, such as "steer", is unchanged; its velocity is the "steer rate".
    """
    letter, index, dotted, rest = _letter(name)
    if not letter:
        words = f"{name.removesuffix('_dot')} rate" if name.endswith("_dot") else name
        return words.replace("_", " ")
    dot = "\N{COMBINING DOT ABOVE}" if dotted else ""
    return f"{_GREEK.get(letter, letter)}{dot}{index.translate(_LOWERED)}{rest}"


def math_symbol(name: str) -> str:
    """Return `symbol` for Matplotlib's mathtext and LaTeX: `$\\dot{\\theta}_{1}$`."""
    letter, index, dotted, rest = _letter(name)
    if not letter or "$" in name:
        return name if "$" in name else symbol(name)
    sign = f"\\{letter}" if letter in _GREEK else letter
    sign = rf"\dot{{{sign}}}" if dotted else sign
    return f"${sign}{f'_{{{index}}}' if index else ''}${rest}"


def _letter(name: str) -> tuple[str, str, str, str]:
    """Return (letter, index, "_dot", the rest) of a name; the letter is empty for a word."""
    result = _LETTER.fullmatch(name)
    if result is None or not (len(result[1]) == 1 or result[1] in _GREEK):
        return "", "", "", ""
    return result[1], result[2], result[3] or "", result[4]


class Description(str):
    """A text that a Python prompt shows with its line breaks, not as a quoted string."""

    def __repr__(self) -> str:
        return str(self)


def describe(system: Any) -> Description:
    """Return a table of coordinates, velocities, constraints and inputs in order, with units."""
    several = isinstance(jax.eval_shape(system.groupoid.base.identity), tuple)
    units = tuple(system.units)
    coordinates = named_places(state_shapes(system), system.coordinate_labels)
    units = units if len(units) == len(coordinates) else ("",) * len(coordinates)
    lines = [f"{system.name()}: q in {system.groupoid.base!r}, {system.dim} velocities"]

    def table(title: str, rows: list[tuple[str, str, str]]) -> None:
        if rows:
            widths = [max(len(row[i]) for row in rows) for i in range(2)]
            lines.append(title)
            lines.extend(
                f"  {where:<{widths[0]}}  {name:<{widths[1]}}  {unit}".rstrip()
                for where, name, unit in rows
            )

    def where(place: Place) -> str:
        index = ", ".join(map(str, place[1]))
        return f"q[{place[0]}][{index}]" if several else f"q[{index}]"

    rows: list[tuple[str, str, str]] = []
    matrices: dict[int, list[str]] = {}
    for (name, (leaf, index)), unit in zip(coordinates.items(), units):
        if len(index) == 1:
            rows.append((where((leaf, index)), name, unit))
        elif leaf in matrices:
            matrices[leaf].append(name)
        else:
            matrices[leaf] = [name]
    for leaf, entries in matrices.items():  # a matrix is one line
        rows.append((f"q[{leaf}]" if several else "q", f"{entries[0]} ... {entries[-1]}", "matrix"))
    table("coordinates", rows)
    speeds = zip(system.velocity_labels, velocity_units(system))
    table("velocities", [(f"v[{i}]", name, unit) for i, (name, unit) in enumerate(speeds)])
    for title, letter, names, given in (
        ("constraints, and the units of their reactions", "multiplier",
         system.constraint_labels, system.constraint_units),
        ("inputs", "u", system.input_labels, system.input_units),
    ):  # fmt: skip
        given = given if len(given) == len(names) else ("",) * len(names)
        each = enumerate(zip(names, given))
        table(title, [(f"{letter}[{i}]", name, unit) for i, (name, unit) in each])
    return Description("\n".join(lines))
