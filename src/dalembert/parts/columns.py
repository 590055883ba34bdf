"""Closed forms, for fast evaluation: mass matrix, inertial force and constraint rows.

Each entry of v moves one body and its descendants as one rigid body. The column of this entry is
that motion for a unit rate: (w, u), the angular velocity and the velocity of the point that is at
the reference. The reference of a tree is the origin of its root body. Mass and moments are summed
over each body with its descendants; the entries of the mass matrix are then products of columns
(the composite-rigid-body algorithm). Forces are summed from the leaves inwards. Tests compare these
forms with derivatives of the Lagrangian.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from ..groupoids import Pair, move
from ..system import Point
from .contacts import Frame
from .motion import Frames, Rows, frames, gear_slots, inertia, loop_sides
from .pieces import GROUND, Strut
from .topology import Assembly, Layout, Row, scalar_slot
from .vectors import Array, Entries, direction

Push = tuple[str, jax.Array, jax.Array]  # a body, a force, and the force's point or its moment
Rates = dict[str, tuple[jax.Array, jax.Array]]  # velocity and angular velocity of each body


class Column(NamedTuple):
    """The motion of a body and its descendants for one unit entry of v."""

    body: str
    spin: jax.Array | None  # in space; None: pure translation
    speed: jax.Array  # velocity of the reference


class Tree:
    """Columns of a machine at one configuration, and sums over subtrees."""

    def __init__(
        self,
        machine: Assembly,
        layout: Layout,
        placed: Frames,
        q: Point,
        xp: ModuleType = jnp,
    ) -> None:
        self.machine, self.layout, self.placed, self.xp = machine, layout, placed, xp
        joints = [machine.joints[i] for i in layout.order]
        self.parent = {j.body: j.parent for j in joints}
        self.order = [j.body for j in joints]
        self.root: dict[str, str] = {}
        for j in joints:
            self.root[j.body] = j.body if j.parent == GROUND else self.root[j.parent]
        columns = self._columns(*layout.split(q))
        self.bodies = [c.body for c in columns]  # the body that each entry of v moves
        self.spins = xp.stack([xp.zeros(3) if c.spin is None else c.spin for c in columns])
        self.speeds = xp.stack([xp.asarray(c.speed, dtype=float) for c in columns])

    def moves(self, body: str) -> np.ndarray:
        """Return which entries of v move a body, as ones and zeros."""
        above = self.above(body)
        return np.array([1.0 if b in above else 0.0 for b in self.bodies])

    def powers(self, force: jax.Array, moment: jax.Array) -> jax.Array:
        """Return the power, along each column, of each force with its moment about the reference.

        Row i of `force` and of `moment` gives row i of the result.
        """
        return force @ self.speeds.T + moment @ self.spins.T

    def lever(self, body: str, point: jax.Array) -> jax.Array:
        """Return `point` minus the reference of the tree that `body` belongs to."""
        return point - self.placed[self.root[body]].place

    # one column per entry of v, in the order of v
    def _columns(self, numbers: Any, rotations: tuple[Any, ...]) -> list[Column]:
        layout, machine, xp = self.layout, self.machine, self.xp
        found: list[Any] = [None] * layout.dim
        for i in layout.order:
            joint = machine.joints[i]
            at, turn = layout.slots[i]
            body, child = joint.body, self.placed[joint.body]
            base = self.placed[joint.parent].turn
            base = base if joint.tilt is None else base @ xp.asarray(joint.tilt, dtype=float)
            lever = self.lever(body, child.place)
            if joint.child_at is not None:
                lever = lever + child.turn @ joint.child_at.array(xp)

            plain = joint.child_at is None

            def about(
                axis: jax.Array, body: str = body, lever: jax.Array = lever, plain: bool = plain
            ) -> Column:
                through = self.root[body] == body and plain  # the axis passes through the reference
                return Column(body, axis, xp.zeros(3) if through else xp.cross(lever, axis))

            n, first = len(joint.numbers), layout.size + 3 * turn
            entries = [*range(at, at + n), *range(first, first + 3 * joint.turns)]
            x = Entries(numbers, at, n)
            R = rotations[turn] if joint.turns else None
            for entry, (drift, spin) in zip(entries, joint.columns(x, R, xp)):
                if spin is None:
                    found[entry] = Column(body, None, _times(base, drift))
                    continue
                column = about(_times(child.turn, spin))
                if drift is not None:
                    column = column._replace(speed=column.speed + _times(base, drift))
                found[entry] = column
        return found

    def above(self, body: str) -> set[str]:
        """Return a body and its ancestors."""
        found = set()
        while body != GROUND:
            found.add(body)
            body = self.parent[body]
        return found

    def summed(self, own: dict[str, Any]) -> dict[str, Any]:
        """Return, for each body, the sum of the entries of `own` over it and its descendants."""
        total = dict(own)
        for body in reversed(self.order):
            parent = self.parent[body]
            if parent != GROUND and body in total:
                mine = total[body]
                known = total.get(parent)
                total[parent] = mine if known is None else tuple(map(operator.add, known, mine))
        return total


def _times(matrix: jax.Array, vector: Array) -> jax.Array:
    """Return matrix @ vector; a column of the matrix if the vector is a constant unit vector."""
    if isinstance(vector, np.ndarray) and np.count_nonzero(vector) == 1 and vector.max() == 1.0:
        return matrix[:, int(np.argmax(vector))]
    return matrix @ vector


def mass_matrix(machine: Assembly, layout: Layout, q: Point, xp: ModuleType = jnp) -> jax.Array:
    """Return the mass matrix d^2 L/dv^2; with `xp=numpy` nothing is traced."""
    placed = frames(machine, layout, q, None, xp)
    tree = Tree(machine, layout, placed, q, xp)
    own = {}
    for name, body in machine.bodies.items():
        turn = placed[name].turn
        c = tree.lever(name, placed[name].point(body.center, xp))
        mass = xp.asarray(body.mass, dtype=float)
        about = mass * ((c @ c) * np.eye(3) - xp.outer(c, c))
        I = inertia(body, xp)
        own[name] = (mass, mass * c, about if I is None else about + turn @ I @ turn.T)
    whole = tree.summed(own)
    mass, first, second = (xp.stack([whole[b][k] for b in tree.bodies]) for k in range(3))
    w, u = tree.spins, tree.speeds
    force = mass[:, None] * u + xp.cross(w, first)  # momentum of the bodies that each column moves
    moment = xp.cross(first, u) + xp.sum(second * w[:, None, :], axis=2)
    full = tree.powers(force, moment)  # [j, i]: momentum of column j along column i
    moves = np.stack([tree.moves(b) for b in tree.bodies])
    return full * moves + full.T * (moves.T * (1 - moves))


def inertial_force(machine: Assembly, layout: Layout, q: Point, v: jax.Array) -> jax.Array:
    """Return ad_v^T p + dL/dq - (dp/dq) v: M a without constraints and forces outside L."""
    groupoid = Pair(layout.space)

    def moving(s: jax.Array) -> tuple[Rates, Frames]:
        placed = frames(machine, layout, move(groupoid, q, s * v), v)
        speeds = {}
        for name, body in machine.bodies.items():
            frame = placed[name]
            u = frame.speed
            if body.center is not None:
                u = u + frame.turn @ jnp.cross(frame.spin, body.center.array(jnp))
            speeds[name] = (u, frame.spin)
        return speeds, placed

    # accelerations of the bodies for constant v
    _, bent, placed = jax.jvp(moving, (jnp.zeros(()),), (jnp.ones(()),), has_aux=True)
    tree = Tree(machine, layout, placed, q)
    own: dict[str, tuple[jax.Array, jax.Array]] = {}

    def apply(
        name: str, point: jax.Array, force: jax.Array, moment: jax.Array | None = None
    ) -> None:
        if name == GROUND:
            return
        total = jnp.cross(tree.lever(name, point), force)
        total = total if moment is None else total + moment
        known = own.get(name)
        own[name] = (force, total) if known is None else (known[0] + force, known[1] + total)

    for name, body in machine.bodies.items():
        frame: Frame = placed[name]
        force = -body.mass * bent[name][0]
        for weight in machine.gravity:
            force = force + body.mass * weight.g * direction(weight.down, jnp)
        I = inertia(body, jnp)
        moment = None
        if I is not None:
            w = frame.spin
            moment = -frame.turn @ (I @ bent[name][1] + jnp.cross(w, I @ w))
        apply(name, frame.point(body.center, jnp), force, moment)
    for strut in machine.struts:
        for end in strut_pull(strut, placed):
            apply(*end)
    whole = tree.summed(own)
    force, moment = (jnp.stack([whole[b][k] for b in tree.bodies]) for k in range(2))
    total = jnp.sum(force * tree.speeds, axis=1) + jnp.sum(moment * tree.spins, axis=1)
    numbers = layout.split(q)[0]
    for spring in machine.springs:
        at = scalar_slot(machine, layout, spring, spring.joint)
        total = total.at[at].add(-spring.stiffness * (numbers[at] - spring.rest))
    return total


def strut_pull(strut: Strut, placed: Frames) -> list[Push]:
    """Return (body, point, force) at each of the two ends of a strut, without its damping."""
    here = placed[strut.body].point(strut.at, jnp)
    there = placed[strut.other].point(strut.other_at, jnp)
    pull = -strut.stiffness * (here - there)
    if strut.rest is not None:
        pull = pull * (1.0 - strut.rest / jnp.sqrt((here - there) @ (here - there)))
    return [(strut.body, here, pull), (strut.other, there, -pull)]


def constraint_rows(
    machine: Assembly,
    layout: Layout,
    rows: tuple[Row, ...],
    q: Point,
    xp: ModuleType = jnp,
) -> jax.Array:
    """Return the matrix A of the constraints A v = b, one row for each of `rows`."""
    if not rows:
        return xp.zeros((0, layout.dim))
    placed = frames(machine, layout, q, None, xp)
    here = Rows(machine, layout, placed, q, xp)
    return rows_of(rows, here, Tree(machine, layout, placed, q, xp))


def rows_of(rows: Sequence[Row], here: Rows, tree: Any) -> jax.Array:
    """Return the matrix A of `rows` at a configuration; `tree` is a `Tree` or `table._Tree`."""
    machine, layout, placed, xp = here.machine, here.layout, here.placed, here.xp
    pushes: list[Push] = []  # (body, force, moment about the reference of the body's tree)

    def push(body: str, force: ArrayLike, moment: ArrayLike) -> list[int]:
        if body == GROUND:
            return []
        pushes.append((body, xp.asarray(force, dtype=float), xp.asarray(moment, dtype=float)))
        return [len(pushes) - 1]

    def at(body: str, point: jax.Array, force: jax.Array) -> list[int]:
        return push(body, force, xp.cross(tree.lever(body, point), force) if body != GROUND else 0)

    lines: list[Any] = []  # for each row: indices into `pushes`, or the row itself
    for row in rows:
        if row.kind == "contact":
            point, body = here.touch(row.index).point, machine.contacts[row.index].body
            lines.append(at(body, point, here.blocked(row)))
        elif row.kind == "turn":
            body = machine.contacts[row.index].body
            lines.append(push(body, np.zeros(3), here.blocked(row)))
        elif row.kind == "prescribed":
            drive = machine.prescribed[row.index]
            lines.append(np.eye(layout.dim)[scalar_slot(machine, layout, drive, drive.joint)])
        elif row.kind == "gear":
            one, two = gear_slots(machine, layout, machine.gears[row.index])
            unit = np.eye(layout.dim)
            lines.append(unit[two] - machine.gears[row.index].ratio * unit[one])
        else:
            loop = machine.loops[row.index]
            body, other = placed[loop.body], placed[loop.other]
            if row.row in "xyz":
                e = np.eye(3)["xyz".index(row.row)]
                here_at, there_at = body.point(loop.at, xp), other.point(loop.other_at, xp)
                lines.append(at(loop.body, here_at, e) + at(loop.other, there_at, -e))
            else:
                side = other.turn @ loop_sides(loop, xp)[int(row.row[-1]) - 1]
                twist = xp.cross(body.turn @ direction(loop.axis, xp), side)
                both = push(loop.body, np.zeros(3), twist)
                lines.append(both + push(loop.other, np.zeros(3), -twist))
    if pushes:
        moves = np.stack([tree.moves(body) for body, _, _ in pushes])
        force, moment = (xp.stack(x) for x in list(zip(*pushes))[1:])
        powers = tree.powers(force, moment) * moves
        lines = [sum(powers[k] for k in x) if isinstance(x, list) else x for x in lines]
    return xp.stack([xp.asarray(x, dtype=float) for x in lines])


def constraint_rates(
    machine: Assembly, layout: Layout, rows: tuple[Row, ...], q: Point, v: jax.Array
) -> jax.Array:
    """Return A v for the constraint rows A, without computing A."""
    if not rows:
        return jnp.zeros(0)
    here = Rows(machine, layout, frames(machine, layout, q, v), q)
    return jnp.stack([here.rate(row, v) for row in rows])
