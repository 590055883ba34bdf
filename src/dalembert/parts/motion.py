"""Frames of all bodies, and energies, constraint rows and input levers that follow from them.

Frames are composed once, from the ground outwards, together with the velocities: no derivative is
needed, and every rate is linear in v. With `xp=numpy` nothing is traced.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..linalg import Real
from ..system import Point
from .contacts import ACROSS, ALONG, HEIGHT, NO_TWIST, ROLL_ACROSS, ROLL_ALONG, SPIN, Frame, Touch
from .pieces import GROUND, Body, Gear, Joint, Loop, Motion, Started, Strut
from .solid_inertia import inertia_of
from .topology import Assembly, Layout, Row, scalar_slot
from .vectors import Array, Entries, Vector, direction, inertia_matrix

Frames = dict[str, Frame]

# the direction of each row of a contact: normal, along, across
SIDES = {HEIGHT: 0, SPIN: 0, NO_TWIST: 0, ALONG: 1, ROLL_ALONG: 1, ACROSS: 2, ROLL_ACROSS: 2}


def gear_slots(machine: Assembly, layout: Layout, gear: Gear) -> tuple[int, int]:
    """Return the indices of the coordinates of the two joints that a gear couples."""
    return tuple(scalar_slot(machine, layout, gear, x) for x in (gear.joint, gear.other))  # pyright: ignore


def frames(
    machine: Assembly, layout: Layout, q: Point, v: Array | None, xp: ModuleType = jnp
) -> Frames:
    """Return pose and velocity of every body, and of the ground; v = None: poses only."""
    numbers, rotations = layout.split(q)
    none = xp.zeros(3)
    rest = Frame(np.eye(3), none, none, none)
    found = {GROUND: rest}
    for i in layout.order:
        joint = machine.joints[i]
        at, turn = layout.slots[i]
        x = Entries(numbers, at, len(joint.numbers))
        R = rotations[turn] if joint.turns else None
        kind = type(joint)  # call through the class: Equinox makes a module of every bound method
        place = kind.place(joint, x, R, xp)
        rates = None
        if v is not None:
            u, first = Entries(v, at, len(x)), layout.size + 3 * turn
            w = v[first : first + 3] if joint.turns else None
            rates = kind.rates(joint, x, R, u, w, xp)
        parent, lowest = found[joint.parent], joint.parent == GROUND
        found[joint.body] = _attached(joint, parent, lowest, place, rates, xp)
    return found


def started(machine: Assembly, xp: ModuleType = jnp) -> Started:
    """Return four lists over all joints: initial coordinates, their rates, rotations, spins.

    The spins are angular velocities.
    """
    found: Started = ([], [], [], [])
    for joint in machine.joints:
        for known, more in zip(found, joint.started(xp)):
            known += more
    return found


def _attached(
    joint: Joint, parent: Frame, on_ground: bool, own: Motion, rates: Motion | None, xp: ModuleType
) -> Frame:
    """Return the frame of a body from that of its parent and the motion of its joint."""
    moving = rates is not None
    drift, spin = Motion() if rates is None else rates
    along, turned = own
    shift = None if joint.at is None else joint.at.array(xp)
    tilt = None if joint.tilt is None else xp.asarray(joint.tilt, dtype=float)
    if along is not None:
        along = along if tilt is None else tilt @ along
        shift = along if shift is None else shift + along
    if drift is not None and tilt is not None:
        drift = tilt @ drift  # in the frame of the parent

    relative = turned if tilt is None else (tilt if turned is None else tilt @ turned)
    place, speed, carried = parent.place, parent.speed, parent.spin
    if on_ground:
        turn = np.eye(3) if relative is None else relative
        if shift is not None:
            place = shift
        if drift is not None:
            speed = drift
        total = spin if spin is not None else carried
    else:
        turn = parent.turn if relative is None else parent.turn @ relative
        if shift is not None:
            place = place + parent.turn @ shift
            if moving:
                local = xp.cross(carried, shift)
                speed = speed + parent.turn @ (local if drift is None else local + drift)
        carried = carried if relative is None or not moving else relative.T @ carried
        total = carried if spin is None else carried + spin
    if joint.child_at is not None:
        lever = joint.child_at.array(xp)
        place = place - turn @ lever
        if moving:
            speed = speed - turn @ xp.cross(total, lever)
    return Frame(turn, place, total, speed)


def inertia(body: Body, xp: ModuleType) -> jax.Array | None:
    """Return the inertia matrix of a body about its center of mass; None for a point mass."""
    if body.inertia is not None:
        return inertia_matrix(body.inertia, xp)
    found = inertia_of(body.shapes[0], body.mass, xp) if body.shapes else None
    return None if found is None else inertia_matrix(found, xp)


def kinetic(machine: Assembly, placed: Frames, xp: ModuleType = jnp) -> Any:
    """Return the sum of m |u|^2/2 + w.I w/2 over the bodies."""
    total = xp.zeros(())
    for name, body in machine.bodies.items():
        frame = placed[name]
        u = frame.speed
        if body.center is not None:
            u = u + frame.turn @ xp.cross(frame.spin, body.center.array(xp))
        total = total + 0.5 * body.mass * (u @ u)
        I = inertia(body, xp)
        if I is not None:
            total = total + 0.5 * frame.spin @ (I @ frame.spin)
    return total


def potential(
    machine: Assembly, layout: Layout, placed: Frames, q: Point, xp: ModuleType = jnp
) -> jax.Array:
    """Return the potential energy of gravity and springs."""
    total = xp.zeros(())
    for weight in machine.gravity:
        down = direction(weight.down, xp)
        for name, body in machine.bodies.items():
            total = total - body.mass * weight.g * (down @ placed[name].point(body.center, xp))
    numbers = layout.split(q)[0]
    for spring in machine.springs:
        at = scalar_slot(machine, layout, spring, spring.joint)
        total = total + 0.5 * spring.stiffness * (numbers[at] - spring.rest) ** 2
    for strut in machine.struts:
        apart = _apart(strut, placed, xp)
        square = apart @ apart
        if strut.rest is not None:
            square = (xp.sqrt(square) - strut.rest) ** 2
        total = total + 0.5 * strut.stiffness * square
    return total


def _apart(strut: Strut, placed: Frames, xp: ModuleType) -> jax.Array:
    here = placed[strut.body].point(strut.at, xp)
    return here - placed[strut.other].point(strut.other_at, xp)


def _point_speed(frame: Frame, at: Vector | None, xp: ModuleType) -> jax.Array:
    return frame.speed if at is None else frame.velocity(frame.turn @ at.array(xp), xp)


def strut_rate(strut: Strut, placed: Frames, xp: ModuleType = jnp) -> jax.Array:
    """Return the rate at which a strut becomes longer."""
    apart = _apart(strut, placed, xp)
    here = _point_speed(placed[strut.body], strut.at, xp)
    speed = here - _point_speed(placed[strut.other], strut.other_at, xp)
    return (apart @ speed) / xp.sqrt(apart @ apart)


# -- constraints ---------------------------------------------------------------------------------


class Rows:
    """Values and rates of constraints at one state; each contact point is computed once."""

    def __init__(
        self,
        machine: Assembly,
        layout: Layout,
        placed: Frames,
        q: Point,
        xp: ModuleType = jnp,
        touches: dict[int, Touch] | None = None,
    ) -> None:
        self.machine, self.layout, self.placed, self.xp = machine, layout, placed, xp
        self.numbers = layout.split(q)[0]
        # contact points depend only on poses, so they are shared between velocities
        self.touches: dict[int, Touch] = {} if touches is None else touches
        self._slips: dict[int, Any] = {}

    def touch(self, i: int) -> Touch:
        """Return the contact point of contact i."""
        if i not in self.touches:
            contact, upright = self.machine.contacts[i], i in self.layout.upright
            found = contact.touch(self.placed[contact.body], self.xp, upright)
            self.touches[i] = found
        return self.touches[i]

    def slip(self, i: int) -> jax.Array:
        """Return the velocity of the material point at contact i."""
        if i not in self._slips:
            frame = self.placed[self.machine.contacts[i].body]
            self._slips[i] = frame.velocity(self.touch(i).point - frame.place, self.xp)
        return self._slips[i]

    def blocked(self, row: Row) -> jax.Array:
        """Return the unit vector along which a contact's row blocks velocity (or spin)."""
        touch = self.touch(row.index)
        return (touch.normal, touch.along, touch.across)[SIDES[row.row]]

    def value(self, row: Row) -> jax.Array:
        """Return the value of a holonomic row, which the constraint holds at zero."""
        if row.kind == "contact":
            return self.touch(row.index).gap
        if row.kind == "gear":
            gear = self.machine.gears[row.index]
            one, two = gear_slots(self.machine, self.layout, gear)
            return self.numbers[two] - gear.ratio * self.numbers[one] - gear.shift
        loop, xp = self.machine.loops[row.index], self.xp
        body, other = self.placed[loop.body], self.placed[loop.other]
        if row.row in "xyz":
            apart = body.point(loop.at, xp) - other.point(loop.other_at, xp)
            return apart["xyz".index(row.row)]
        axis, sides = direction(loop.axis, xp), loop_sides(loop, xp)
        return (body.turn @ axis) @ (other.turn @ sides[int(row.row[-1]) - 1])

    def rate(self, row: Row, v: Array) -> jax.Array:
        """Return the left-hand side of a row for the velocity v, linear in v; see `given`."""
        xp = self.xp
        if row.kind == "contact":
            return self.blocked(row) @ self.slip(row.index)
        if row.kind == "turn":
            frame = self.placed[self.machine.contacts[row.index].body]
            return self.blocked(row) @ (frame.turn @ frame.spin)
        if row.kind == "prescribed":
            drive = self.machine.prescribed[row.index]
            return v[scalar_slot(self.machine, self.layout, drive, drive.joint)]
        if row.kind == "gear":
            gear = self.machine.gears[row.index]
            one, two = gear_slots(self.machine, self.layout, gear)
            return v[two] - gear.ratio * v[one]
        loop = self.machine.loops[row.index]
        body, other = self.placed[loop.body], self.placed[loop.other]
        if row.row in "xyz":
            apart = _point_speed(body, loop.at, xp) - _point_speed(other, loop.other_at, xp)
            return apart["xyz".index(row.row)]
        axis, side = direction(loop.axis, xp), loop_sides(loop, xp)[int(row.row[-1]) - 1]
        turning = (body.turn @ xp.cross(body.spin, axis)) @ (other.turn @ side)
        return turning + (body.turn @ axis) @ (other.turn @ xp.cross(other.spin, side))

    def given(self, row: Row, t: Real) -> jax.Array:
        """Return the right-hand side of a row: speed of the surface or of a prescribed joint."""
        if row.kind == "contact":
            surface = self.machine.contacts[row.index].ground
            if not surface.moves:
                return self.xp.zeros(())
            point = self.touch(row.index).point
            return self.blocked(row) @ surface.velocity(t, point, self.xp)
        if row.kind == "turn":
            surface = self.machine.contacts[row.index].ground
            return self.blocked(row) @ surface.turning(t, self.xp)
        motion = self.machine.prescribed[row.index].motion
        t = jnp.asarray(t, dtype=float)
        return jax.jvp(lambda s: jnp.asarray(motion(s), dtype=float), (t,), (jnp.ones(()),))[1]


def loop_sides(loop: Loop, xp: ModuleType) -> tuple[jax.Array, jax.Array]:
    """Return two directions perpendicular to the axis of a loop."""
    a = direction(loop.axis, xp)
    one = xp.cross(a, xp.where(xp.abs(a[0]) < 0.7, np.eye(3)[0], np.eye(3)[1]))
    one = one / xp.sqrt(one @ one)
    return one, xp.cross(a, one)
