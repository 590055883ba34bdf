"""Closed forms of machines of many bodies: a table of bodies, not a formula for each of them.

All parts of one kind (such as hinges with the same fields given) are evaluated by one `vmap`; the
last axis of arrays counts the bodies. Products of rotations along a chain are computed in rounds
that double their length, so that a chain of n bodies takes log2(n) rounds. Sums along paths from
the root, and over descendants, are products with a matrix of ones and zeros. So the traced code,
and nearly all compiled code, does not grow with the number of bodies. `columns` has the same forms
written out body by body, which runs faster for a few bodies.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..compile.rolled import SizeLimit
from ..compile.tracing import cross, in_memory, products
from ..system import Point
from . import columns, motion
from .contacts import Frame
from .motion import SIDES, Frames, Rows, inertia
from .pieces import GROUND
from .surfaces import Plane
from .topology import Assembly, Layout, Row, scalar_slot
from .vectors import Entries, cross_matrix, direction

# Number of bodies from which the table is used, as measured (docs/decisions/compiler.md). With
# fewer bodies separate code for each runs faster, because zeros fold away, above all in planar
# machines.
MANY = SizeLimit(arrays=16, scalars=60)

_INERTIAL = ("mass", "inertia", "center")
_TOUCHING = frozenset("radius axis at crown rollers surface direction axes".split())


def is_table(machine: Assembly) -> bool:
    """Return whether the closed forms of a machine are computed by a table of its bodies."""
    return len(machine.bodies) >= MANY.here()


def form_of_code(bodies: int, scalars: bool) -> str:
    """Return the text for `meta.engine_reason` if a table is used; "" if it is not."""
    least = MANY.scalars if scalars else MANY.arrays
    if bodies < least:
        return ""
    return f"a table of {bodies} bodies (from {least:g} bodies on; fewer are written out)"


# -- parts of a kind ------------------------------------------------------------------------------


class Group(NamedTuple):
    """Parts of one structure, which differ in their numbers only."""

    places: list[int]  # indices of the parts of the group among all parts
    part: Any  # the first part of the group
    fields: tuple[str, ...]
    structure: Any
    numbers: list[Any]  # each stacked along a first axis, or one value that all parts share
    axes: list[int | None]

    def each(self, f: Callable[..., Any], *rows: Any) -> Any:
        """Return f(part, *row) for all parts of the group, stacked along a first axis.

        `rows` are arrays whose first axis counts these parts.
        """

        def one(numbers: list[Any], _: Any, *row: Any) -> Any:
            values = jax.tree.unflatten(self.structure, numbers)
            return f(_with(self.part, dict(zip(self.fields, values))), *row)

        if len(self.places) == 1:  # without vmap, constant zeros remain constants, which fold away
            first = jax.tree.map(lambda x: x[0], rows)
            numbers = [x if a is None else x[0] for x, a in zip(self.numbers, self.axes)]
            return jax.tree.map(lambda x: jnp.asarray(x)[None], one(numbers, 0, *first))
        count = np.arange(len(self.places))  # vmap needs at least one mapped argument
        over = (self.axes, 0, *(0 for _ in rows))
        return jax.vmap(one, in_axes=over)(self.numbers, count, *rows)


def grouped(
    parts: Sequence[Any], fields: Callable[[Any], Iterable[str]], *more: Any
) -> list[Group]:
    """Return parts in groups of equal structure.

    `more` are sequences with one entry for each part; these, too, must be equal within a group.
    """
    result: dict[Any, list[tuple[int, list[Any]]]] = {}
    for i, part in enumerate(parts):
        names = tuple(fields(part))
        leaves, structure = jax.tree.flatten([getattr(part, x) for x in names])
        alone = any(not _is_number(x) for x in leaves)
        shapes = i if alone else tuple(np.shape(x) for x in leaves)
        key = (type(part), names, structure, shapes, *(table[i] for table in more))
        result.setdefault(key, []).append((i, leaves))
    groups = []
    for (_, names, structure, *_), members in result.items():
        numbers, axes = [], []
        for column in zip(*(leaves for _, leaves in members)):
            same = all(x is column[0] for x in column)
            if not same and all(isinstance(x, (float, int)) for x in column):
                same = len(set(column)) == 1
            numbers.append(column[0] if same else _stack(column))
            axes.append(None if same else 0)
        places = [i for i, _ in members]
        groups.append(Group(places, parts[places[0]], names, structure, numbers, axes))
    return groups


def _is_number(x: Any) -> bool:
    return isinstance(x, (float, int, np.ndarray, np.generic, jax.Array))


def _stack(numbers: Sequence[Any]) -> Any:
    if all(isinstance(x, (float, int, np.ndarray, np.generic)) for x in numbers):
        return np.stack([np.asarray(x, dtype=float) for x in numbers])
    return jnp.stack([jnp.asarray(x, dtype=float) for x in numbers])


def _with(part: Any, values: dict[str, Any]) -> Any:
    """Return a copy of a part with new values, without its converters (values may be traced)."""
    new = object.__new__(type(part))
    for field in dataclasses.fields(part):
        value = values[field.name] if field.name in values else getattr(part, field.name)
        object.__setattr__(new, field.name, value)
    return new


def _of_joint(joint: Any) -> Iterable[str]:
    fields = (f for f in dataclasses.fields(joint) if not f.metadata.get("static"))
    return (f.name for f in fields if f.name not in ("start", "speed"))


def _of_body(body: Any) -> Iterable[str]:
    return (*_INERTIAL, "shape") if body.inertia is None and body.shapes else _INERTIAL


# -- arrays whose last axis counts ----------------------------------------------------------------


def _last(x: Any) -> jax.Array:
    """Return an array whose first axis counts with that axis last."""
    return jnp.moveaxis(jnp.asarray(x, dtype=float), 0, -1)


def _take(x: jax.Array, index: np.ndarray) -> jax.Array:
    """Return the columns `index` of an array."""
    if np.array_equal(index, np.arange(x.shape[-1])):
        return x
    return jnp.take(x, index, axis=-1, mode="clip")


def _turned(R: jax.Array, a: jax.Array) -> jax.Array:
    """Return R a for each matrix R and vector a of two arrays whose last axis counts."""
    return products(R, a[:, None])[:, 0]


class Poses(NamedTuple):
    """Poses of all bodies; the reference of a tree is the origin of its root body."""

    turn: jax.Array  # (3, 3, n)
    lever: jax.Array  # (3, n): the origin, from the reference
    root: jax.Array  # (3, n): the reference
    base: jax.Array  # (3, 3, n): the rotation of the parent
    shift: jax.Array  # (3, n): from the parent's origin to the joint, in space
    child: jax.Array  # (3, n): from the origin to the joint, in space


class Rates(NamedTuple):
    """Velocities of all bodies, in space."""

    spin: jax.Array
    speed: jax.Array
    spin_rate: jax.Array | None = None  # the accelerations for constant v
    speed_rate: jax.Array | None = None


class _Local(NamedTuple):
    """The motion of a joint in the axes of the parent; rotations and spins in those of the body."""

    shift: Any
    turn: Any
    child: Any


def _local(joint: Any, x: Any, R: Any) -> _Local:
    along, turned = type(joint).place(joint, Entries(x, 0, len(joint.numbers)), R, jnp)
    tilt = None if joint.tilt is None else jnp.asarray(joint.tilt, dtype=float)
    shift = jnp.zeros(3) if joint.at is None else joint.at.array(jnp)
    if along is not None:
        shift = shift + (along if tilt is None else tilt @ along)
    if turned is None:
        turned = np.eye(3) if tilt is None else tilt
    elif tilt is not None:
        turned = tilt @ turned
    child = jnp.zeros(3) if joint.child_at is None else joint.child_at.array(jnp)
    return _Local(shift, jnp.asarray(turned, dtype=float), child)


def _local_rates(joint: Any, x: Any, R: Any, u: Any, w: Any) -> tuple[Any, Any]:
    n = len(joint.numbers)
    drift, spin = type(joint).rates(joint, Entries(x, 0, n), R, Entries(u, 0, n), w, jnp)
    drift = jnp.zeros(3) if drift is None else jnp.asarray(drift, dtype=float)
    if joint.tilt is not None:
        drift = jnp.asarray(joint.tilt, dtype=float) @ drift
    return drift, jnp.zeros(3) if spin is None else jnp.asarray(spin, dtype=float)


def _local_bent(joint: Any, x: Any, R: Any, u: Any, w: Any) -> tuple[Any, Any]:
    """Return the derivative of `_local_rates` for constant u and w; zero for joints of `joints`."""

    def moved(s: jax.Array) -> tuple[Any, Any]:
        turned = None if R is None else R @ (np.eye(3) + s * cross_matrix(w, jnp))
        return _local_rates(joint, x + s * u, turned, u, w)

    return jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]


def _local_columns(joint: Any, x: Any, R: Any) -> tuple[Any, Any]:
    entries = type(joint).columns(joint, Entries(x, 0, len(joint.numbers)), R, jnp)
    drifts = [jnp.zeros(3) if e.shift is None else jnp.asarray(e.shift, float) for e in entries]
    spins = [jnp.zeros(3) if e.turn is None else jnp.asarray(e.turn, float) for e in entries]
    drift = jnp.stack(drifts)
    if joint.tilt is not None:
        drift = drift @ jnp.asarray(joint.tilt, dtype=float).T
    return drift, jnp.stack(spins)


class Table:
    """The bodies of a machine in groups, with the structure of their trees."""

    def __init__(self, machine: Assembly, layout: Layout) -> None:
        self.machine, self.layout = machine, layout
        joints = [machine.joints[i] for i in layout.order]
        self.groups = grouped(joints, _of_joint)
        order = [k for g in self.groups for k in g.places]
        self.joints = [joints[k] for k in order]
        self.slots = [layout.slots[layout.order[k]] for k in order]
        self.number = {j.body: i for i, j in enumerate(self.joints)}
        n = self.count = len(order)
        self.parent = np.array([self.number.get(j.parent, n) for j in self.joints])
        self.above = np.zeros((n, n))  # [j, i]: whether j is i or above it
        self.root = np.zeros(n, int)
        for joint in joints:  # parents first
            i, up = self.number[joint.body], self.number.get(joint.parent, n)
            self.root[i] = i if up == n else self.root[up]
            if up < n:
                self.above[:, i] = self.above[:, up]
            self.above[i, i] = 1.0
        inner = self.above.copy()
        inner[self.root] = 0.0
        self.inner = inner  # as `above`, without the root bodies

    # yields, for each group, its joints' coordinates, entries of v and rotations, stacked
    def _rows(self, q: Point, v: Any = None) -> Iterable[tuple[Any, ...]]:
        numbers, rotations = self.layout.split(q)
        first = 0
        for group in self.groups:
            slots = self.slots[first : first + len(group.places)]
            first += len(slots)
            m = len(group.part.numbers)
            at = np.array([[a + j for j in range(m)] for a, _ in slots], int).reshape(-1)
            turns = np.array([t for _, t in slots], int)

            def pick(x: Any, at: np.ndarray = at, shape: Any = (len(slots), m)) -> Any:
                return (_run(x, at) if at.size else jnp.zeros(0)).reshape(shape)

            R = jnp.stack([rotations[t] for t in turns]) if group.part.turns else None
            result = [group, pick(numbers), R]
            if v is not None:
                spins = (self.layout.size + 3 * turns[:, None] + np.arange(3)).reshape(-1)
                w = _run(v, spins).reshape(-1, 3) if group.part.turns else None
                result += [pick(v), w]
            yield tuple(result)

    def _joined(self, found: Sequence[Any]) -> Any:
        """Return arrays over all bodies from those of the groups."""

        def joined(*xs: Any) -> jax.Array:
            return in_memory(jnp.concatenate([_last(x) for x in xs], axis=-1))

        return jax.tree.map(joined, *found)

    def poses(self, q: Point) -> Poses:
        """Return the poses of all bodies."""
        rows = list(self._rows(q))
        local = self._joined([g.each(_local, x, R) for g, x, R in rows])
        n, up = self.count, self.parent
        none = np.eye(3)[:, :, None]
        turn = local.turn
        while np.any(up < n):
            # `turn` is relative to the body `up`: each round doubles the length of the product
            turn = products(_take(jnp.concatenate([turn, none], axis=-1), up), turn)
            up = np.append(up, n)[up]
        base = _take(jnp.concatenate([turn, none], axis=-1), self.parent)
        shift, child = _turned(base, local.shift), _turned(turn, local.child)
        own = shift - child
        return Poses(turn, own @ self.inner, _take(own, self.root), base, shift, child)

    def rates(self, q: Point, v: jax.Array, at: Poses, bent: bool = False) -> Rates:
        """Return the velocities of all bodies; with `bent`, also accelerations at constant v."""
        rows = list(self._rows(q, v))
        drift, own = self._joined([g.each(_local_rates, *x) for g, *x in rows])
        s, d = _turned(at.turn, own), _turned(at.base, drift)
        spin = s @ self.above
        carried = self._of_parent(spin)
        speed = (cross(carried, at.shift) + d - cross(spin, at.child)) @ self.above
        if not bent:
            return Rates(spin, speed)
        drift, own = self._joined([g.each(_local_bent, *x) for g, *x in rows])
        turning = (cross(spin, s) + _turned(at.turn, own)) @ self.above
        speeding = cross(self._of_parent(turning), at.shift) - cross(turning, at.child)
        speeding = speeding + cross(carried, cross(carried, at.shift) + 2.0 * d)
        speeding = speeding - cross(spin, cross(spin, at.child)) + _turned(at.base, drift)
        return Rates(spin, speed, turning, speeding @ self.above)

    def _of_parent(self, x: jax.Array) -> jax.Array:
        return _take(jnp.concatenate([x, jnp.zeros((3, 1))], axis=-1), self.parent)

    def columns(self, q: Point, at: Poses) -> tuple[jax.Array, jax.Array]:
        """Return (speeds, spins) of `columns.Column`, both (3, dim), in the order of v."""
        result, first = [], 0
        for group, x, R in self._rows(q):
            here = np.arange(first, first + len(group.places))
            first += len(here)
            m = len(group.part.numbers) + 3 * group.part.turns
            if not m:
                continue
            # (bodies, m, 3) -> (3, bodies m)
            drift, spin = (
                jnp.asarray(y, dtype=float).transpose(2, 0, 1).reshape(3, -1)
                for y in group.each(_local_columns, x, R)
            )
            here = np.repeat(here, m)
            spin = _turned(_take(at.turn, here), spin)
            lever = _take(at.lever + at.child, here)
            result.append((cross(lever, spin) + _turned(_take(at.base, here), drift), spin))
        speeds, spins = (in_memory(jnp.concatenate(x, axis=-1)) for x in zip(*result))
        order = np.argsort(self.entries, kind="stable")
        return _take(speeds, order), _take(spins, order)

    @property
    def entries(self) -> np.ndarray:
        """The indices in v of each body's velocities, in the order of the table."""
        result: list[int] = []
        for joint, (at, turn) in zip(self.joints, self.slots):
            first = self.layout.size + 3 * turn
            result += [*range(at, at + len(joint.numbers)), *range(first, first + 3 * joint.turns)]
        return np.array(result, int)

    @property
    def moved(self) -> np.ndarray:
        """The number of the body that each entry of v moves."""
        bodies = [i for i, j in enumerate(self.joints) for _ in range(len(j.numbers) + 3 * j.turns)]
        return np.array(bodies, int)[np.argsort(self.entries, kind="stable")]

    def inertias(self) -> tuple[jax.Array, jax.Array, jax.Array]:
        """Return masses (n,), centers (3, n) and inertia matrices (3, 3, n), along body axes."""
        bodies = [self.machine.bodies[j.body] for j in self.joints]

        def one(body: Any) -> tuple[Any, Any, Any]:
            center = jnp.zeros(3) if body.center is None else body.center.array(jnp)
            I = inertia(body, jnp)
            mass = jnp.asarray(body.mass, dtype=float)
            return mass, center, jnp.zeros((3, 3)) if I is None else jnp.asarray(I, dtype=float)

        groups = grouped(bodies, _of_body)
        joined = self._joined([g.each(one) for g in groups])
        order = np.argsort([i for g in groups for i in g.places], kind="stable")
        return jax.tree.map(lambda x: _take(x, order), joined)

    def views(self, q: Point, v: Any = None, at: Poses | None = None) -> Frames:
        """Return pose and velocity of each body by its name."""
        at = self.poses(q) if at is None else at
        result = None if v is None else self.rates(q, v, at)
        return _Views(self, at, result)


class _Views(dict[str, Frame]):
    """The frame of each body by its name, taken from the arrays on access."""

    def __init__(self, table: Table, at: Poses, rates: Rates | None) -> None:
        none = np.zeros(3)
        super().__init__({GROUND: Frame(np.eye(3), none, none, none)})
        self._table, self._at, self._rates = table, at, rates

    def __missing__(self, name: str) -> Frame:
        i, at, rates = self._table.number[name], self._at, self._rates
        turn, place = at.turn[:, :, i], at.root[:, i] + at.lever[:, i]
        if rates is None:
            result = Frame(turn, place, jnp.zeros(3), jnp.zeros(3))
        else:
            result = Frame(turn, place, turn.T @ rates.spin[:, i], rates.speed[:, i])
        self[name] = result
        return result


def _run(x: jax.Array, index: np.ndarray) -> jax.Array:
    """Return the entries `index` of a vector; by a slice if they are contiguous."""
    if np.array_equal(index, np.arange(index[0], index[0] + len(index))):
        return x[int(index[0]) : int(index[0]) + len(index)]
    return jnp.take(x, index, mode="clip")


# -- closed forms ---------------------------------------------------------------------------------


def mass_matrix(machine: Assembly, layout: Layout, q: Point) -> jax.Array:
    """Return the mass matrix d^2 L/dv^2, by composite bodies."""
    if not is_table(machine):
        return columns.mass_matrix(machine, layout, q)
    table = Table(machine, layout)
    at = table.poses(q)
    mass, center, I = table.inertias()
    c = at.lever + _turned(at.turn, center)
    square = c[:, None] * c[None, :]
    trace = square[0, 0] + square[1, 1] + square[2, 2]
    about = mass[None, None] * (np.eye(3)[:, :, None] * trace[None, None] - square)
    about = about + products(products(at.turn, I), at.turn.swapaxes(0, 1))
    # sums over each body and its descendants, taken for the body that each entry of v moves
    own = jnp.concatenate([mass[None], mass[None] * c, about.reshape(9, -1)])
    moved = table.moved
    whole = _take(own @ table.above.T, moved)
    first, second = whole[1:4], whole[4:].reshape(3, 3, -1)
    u, w = table.columns(q, at)
    force = whole[:1] * u + cross(w, first)  # momentum of the bodies that each column moves
    moment = cross(first, u) + _turned(second, w)
    full = jnp.concatenate([force, moment]).T @ jnp.concatenate([u, w])
    moves = table.above[np.ix_(moved, moved)].T  # [j, i]: whether i moves the body that j moves
    return full * moves + full.T * (moves.T * (1 - moves))


def inertial_force(machine: Assembly, layout: Layout, q: Point, v: jax.Array) -> jax.Array:
    """Return ad_v^T p + dL/dq - (dp/dq) v: M a without constraints and forces outside L."""
    if not is_table(machine):
        return columns.inertial_force(machine, layout, q, v)
    table = Table(machine, layout)
    at = table.poses(q)
    rates = table.rates(q, v, at, bent=True)
    mass, center, I = table.inertias()
    w, turning, speeding = rates.spin, rates.spin_rate, rates.speed_rate
    assert turning is not None
    assert speeding is not None
    r = _turned(at.turn, center)
    force = -mass[None] * (speeding + cross(turning, r) + cross(w, cross(w, r)))
    for weight in machine.gravity:
        pull = jnp.asarray(weight.g * direction(weight.down, jnp), dtype=float)
        force = force + mass[None] * pull[:, None]
    back = at.turn.swapaxes(0, 1)  # to body axes, in which I is given
    spin, bent = _turned(back, w), _turned(back, turning)
    own = _turned(I, bent) + cross(spin, _turned(I, spin))
    moment = cross(at.lever + r, force) - _turned(at.turn, own)
    both = jnp.concatenate([force, moment])
    pushes = _strut_pushes(machine, table.views(q, None, at))
    if pushes:
        which = np.zeros((len(pushes), table.count))
        stacked = []
        for k, (body, point, pull) in enumerate(pushes):
            i = table.number[body]
            which[k, i] = 1.0
            stacked.append(jnp.concatenate([pull, jnp.cross(point - at.root[:, i], pull)]))
        both = both + jnp.stack(stacked, axis=1) @ which
    whole = _take(both @ table.above.T, table.moved)
    total = jnp.sum(whole * jnp.concatenate(table.columns(q, at)), axis=0)
    numbers = layout.split(q)[0]
    for spring in machine.springs:
        k = scalar_slot(machine, layout, spring, spring.joint)
        total = total.at[k].add(-spring.stiffness * (numbers[k] - spring.rest))
    return total


def _strut_pushes(machine: Assembly, placed: Frames) -> list[tuple[str, Any, Any]]:
    """Return (body, point, force) for each end of a strut that is not on the ground."""
    result = []
    for strut in machine.struts:
        ends = columns.strut_pull(strut, placed)
        result += [x for x in ends if x[0] != GROUND]
    return result


class _Touches:
    """The contact points of contact rows, and the direction in which each row pushes."""

    def __init__(self, table: Table, rows: Sequence[Row], at: Poses) -> None:
        machine, layout = table.machine, table.layout
        indices = list(dict.fromkeys(r.index for r in rows if r.kind in ("contact", "turn")))
        contacts = [machine.contacts[i] for i in indices]
        bodies = np.array([table.number[c.body] for c in contacts], int)
        flat = [isinstance(c.ground, Plane) for c in contacts]
        # Contacts with curved surfaces are not grouped: each needs a separate Newton iteration.
        apart = [0 if plane else 1 + k for k, plane in enumerate(flat)]
        upright = [i in layout.upright for i in indices]

        def fields(contact: Any) -> Iterable[str]:
            known = (f.name for f in dataclasses.fields(contact))
            return (x for x in known if x in _TOUCHING)

        place = at.root + at.lever
        result, order = [], []
        for group in grouped(contacts, fields, upright, apart):
            here, level = bodies[group.places], upright[group.places[0]]
            turn, at_place = (jnp.moveaxis(_take(x, here), -1, 0) for x in (at.turn, place))

            def touch(contact: Any, turn: Any, place: Any, level: bool = level) -> Any:
                t = contact.touch(Frame(turn, place, None, None), jnp, level)
                several = (t.point, t.normal, t.along, t.across)
                return tuple(jnp.asarray(x, dtype=float) for x in several)

            result.append(group.each(touch, turn, at_place))
            order += group.places
        points, *sides = table._joined(result)
        self.number = {indices[k]: j for j, k in enumerate(order)}
        self.points, self.sides = points, jnp.concatenate(sides, axis=-1)
        self.bodies, self.count = bodies[order], len(order)

    def of(self, rows: Sequence[Row]) -> tuple[np.ndarray, jax.Array, jax.Array]:
        """Return (bodies, points, directions) of `rows`; the last axis counts the rows."""
        k = np.array([self.number[r.index] for r in rows], int)
        which = np.array([SIDES[r.row] for r in rows], int)
        return self.bodies[k], _take(self.points, k), _take(self.sides, k + self.count * which)


def constraint_rows(
    machine: Assembly, layout: Layout, rows: tuple[Row, ...], q: Point
) -> jax.Array:
    """Return the matrix A of the constraints A v = b, one row for each of `rows`."""
    if not rows or not is_table(machine):
        return columns.constraint_rows(machine, layout, rows, q)
    table = Table(machine, layout)
    at = table.poses(q)
    tree = _Tree(table, q, at)
    touching, others = _split(rows)
    result = []
    if touching:
        bodies, points, sides = _Touches(table, touching, at).of(touching)
        moment, slides = cross(points - _take(at.root, bodies), sides), _slides(touching)
        if not np.all(slides):
            moment = moment * slides + sides * (1.0 - slides)
            sides = sides * slides
        moves = table.above[np.ix_(table.moved, bodies)].T
        result.append(tree.powers(sides.T, moment.T) * moves)
    if others:
        here = Rows(machine, layout, table.views(q, None, at), q)
        result.append(columns.rows_of(others, here, tree))
    return _ordered(rows, result)


class _Tree:
    """The methods of `columns.Tree` that `columns.rows_of` calls, by a table."""

    def __init__(self, table: Table, q: Point, at: Poses) -> None:
        self.table, self.at = table, at
        self.columns = jnp.concatenate(table.columns(q, at))

    def moves(self, body: str) -> np.ndarray:
        """Return which entries of v move a body, as ones and zeros."""
        return self.table.above[self.table.moved, self.table.number[body]]

    def powers(self, force: jax.Array, moment: jax.Array) -> jax.Array:
        """Return the power, along each column, of forces and their moments about the reference."""
        return jnp.concatenate([force, moment], axis=1) @ self.columns

    def lever(self, body: str, point: Any) -> jax.Array:
        """Return `point` minus the reference of the tree that `body` belongs to."""
        return point - self.at.root[:, self.table.number[body]]


def _split(rows: Sequence[Row]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Return (rows of contacts, other rows)."""
    touching = tuple(r for r in rows if r.kind in ("contact", "turn"))
    return touching, tuple(r for r in rows if r.kind not in ("contact", "turn"))


def _slides(rows: Sequence[Row]) -> np.ndarray:
    """Return 1 for rows about the velocity of a point, 0 for those about an angular velocity."""
    return np.array([[float(r.kind == "contact") for r in rows]])


def constraint_rates(
    machine: Assembly, layout: Layout, rows: tuple[Row, ...], q: Point, v: jax.Array
) -> jax.Array:
    """Return A v for the constraint rows A, without computing A."""
    if not rows or not is_table(machine):
        return columns.constraint_rates(machine, layout, rows, q, v)
    table = Table(machine, layout)
    at = table.poses(q)
    touching, others = _split(rows)
    result = []
    if touching:
        rates = table.rates(q, v, at)
        bodies, points, sides = _Touches(table, touching, at).of(touching)
        spin, slides = _take(rates.spin, bodies), _slides(touching)
        moving = cross(spin, points - _take(at.root + at.lever, bodies))
        moving = moving + _take(rates.speed, bodies)
        if not np.all(slides):
            moving = moving * slides + spin * (1.0 - slides)
        result.append(jnp.sum(sides * moving, axis=0))
    if others:
        here = Rows(machine, layout, table.views(q, v, at), q)
        rest = [jnp.asarray(here.rate(r, v), dtype=float) for r in others]
        result.append(jnp.stack(rest))
    return _ordered(rows, result)


def _ordered(rows: Sequence[Row], found: Sequence[jax.Array]) -> jax.Array:
    """Return the results of `found`, contact rows before others, in the order of `rows`."""
    if len(found) == 1:
        return found[0]
    touches = np.array([r.kind in ("contact", "turn") for r in rows])
    order = np.argsort(np.concatenate([np.flatnonzero(touches), np.flatnonzero(~touches)]))
    return jnp.concatenate(found)[order]


def frames(machine: Assembly, layout: Layout, q: Point, v: jax.Array | None) -> Frames:
    """Return pose and velocity of every body, and of the ground; v = None: poses only."""
    if not is_table(machine):
        return motion.frames(machine, layout, q, v)
    return Table(machine, layout).views(q, v)


def kinetic(machine: Assembly, layout: Layout, q: Point, v: jax.Array) -> jax.Array:
    """Return the sum of m |u|^2/2 + w.I w/2 over the bodies."""
    if not is_table(machine):
        return motion.kinetic(machine, motion.frames(machine, layout, q, v))
    table = Table(machine, layout)
    at = table.poses(q)
    rates = table.rates(q, v, at)
    mass, center, I = table.inertias()
    speed = rates.speed + cross(rates.spin, _turned(at.turn, center))
    spin = _turned(at.turn.swapaxes(0, 1), rates.spin)
    return 0.5 * (jnp.sum(mass[None] * speed**2) + jnp.sum(spin * _turned(I, spin)))
