"""Frames of all bodies and what follows from them: energies, rows of contacts, levers of inputs.

Frames are composed once, from the ground outwards, together with the velocities: no derivative is
needed, and every rate is linear in v. With `xp=numpy` all of it is plain numbers.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .contacts import Frame, Touch
from .layout import Assembly, Layout, Row, scalar_slot
from .pieces import GROUND, Body, Free, Joint, Planar, Prismatic, Revolute, Spherical
from .shapes import inertia_of
from .vectors import direction, inertia_matrix, turned, vector

Frames = dict[str, Frame]
_ALONG_Z = vector("z")


def gear_slots(machine: Assembly, layout: Layout, gear: Any) -> tuple[int, int]:
    """Where the coordinates of both joints of a gear are."""
    return tuple(scalar_slot(machine, layout, gear, x) for x in (gear.joint, gear.other))  # pyright: ignore


def frames(machine: Assembly, layout: Layout, q: Any, v: Any, xp: Any = jnp) -> Frames:
    """Pose and velocity of every body, and of the ground; v = None: poses only."""
    numbers, rotations = layout.split(q)
    none = xp.zeros(3)
    rest = Frame(np.eye(3), none, none, none)
    found = {GROUND: rest}
    for i in layout.order:
        joint = machine.joints[i]
        at, turn = layout.slots[i]
        w = None if v is None else v[layout.size + 3 * turn : layout.size + 3 * turn + 3]
        R = rotations[turn] if isinstance(joint, (Free, Spherical)) else None
        parent, lowest = found[joint.parent], joint.parent == GROUND
        found[joint.body] = _attached(joint, parent, lowest, numbers, v, at, R, w, xp)
    return found


def started(machine: Assembly, xp: Any = jnp) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Numbers, their rates, rotations and angular velocities that the joints start with."""
    found: tuple[list[Any], list[Any], list[Any], list[Any]] = ([], [], [], [])
    for joint in machine.joints:
        for known, more in zip(found, _started(joint, xp)):
            known += more
    return found


def _attached(
    joint: Joint, parent: Frame, on_ground: bool, x: Any, u: Any, at: int, R: Any, w: Any, xp: Any
) -> Frame:
    """The frame of a body from that of its parent and the coordinates of its joint."""
    moving = u is not None
    shift = None if joint.at is None else joint.at.array(xp)
    drift = None  # rate of the shift, in the parent
    tilt = None if joint.tilt is None else xp.asarray(joint.tilt, dtype=float)
    own = spin = None  # turn and angular velocity of the joint itself

    def push(along: Any, rate: Any) -> None:
        nonlocal shift, drift
        along = along if tilt is None else tilt @ along
        shift = along if shift is None else shift + along
        if moving:
            drift = rate if tilt is None else tilt @ rate

    if isinstance(joint, Revolute):
        own, axis = turned(joint.axis, x[at], xp)
        spin = axis * u[at] if moving else None
    elif isinstance(joint, Prismatic):
        axis = direction(joint.axis, xp)
        push(axis * x[at], axis * u[at] if moving else None)
    elif isinstance(joint, Planar):
        o = xp.zeros(())
        flat = xp.stack([u[at], u[at + 1], o]) if moving else None
        push(xp.stack([x[at], x[at + 1], o]), flat)
        own, axis = turned(_ALONG_Z, x[at + 2], xp)  # pyright: ignore
        spin = axis * u[at + 2] if moving else None
    elif isinstance(joint, Free):
        push(x[at : at + 3], u[at : at + 3] if moving else None)
        own, spin = R, w
    elif isinstance(joint, Spherical):
        own, spin = R, w

    relative = own if tilt is None else (tilt if own is None else tilt @ own)
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


def inertia(body: Body, xp: Any) -> Any:
    """The inertia matrix of a body about its center of mass; None for a point."""
    if body.inertia is not None:
        return inertia_matrix(body.inertia, xp)
    found = inertia_of(body.shapes[0], body.mass, xp) if body.shapes else None
    return None if found is None else inertia_matrix(found, xp)


def kinetic(machine: Assembly, placed: Frames, xp: Any = jnp) -> Any:
    """Sum of m |u|^2/2 + w.I w/2 over the bodies."""
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


def potential(machine: Assembly, layout: Layout, placed: Frames, q: Any, xp: Any = jnp) -> Any:
    """Energy of weight and springs."""
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


def _apart(strut: Any, placed: Frames, xp: Any) -> Any:
    here = placed[strut.body].point(strut.at, xp)
    return here - placed[strut.other].point(strut.other_at, xp)


def _point_speed(frame: Frame, at: Any, xp: Any) -> Any:
    return frame.speed if at is None else frame.velocity(frame.turn @ at.array(xp), xp)


def strut_rate(strut: Any, placed: Frames, xp: Any = jnp) -> Any:
    """How fast a strut grows longer."""
    apart = _apart(strut, placed, xp)
    here = _point_speed(placed[strut.body], strut.at, xp)
    speed = here - _point_speed(placed[strut.other], strut.other_at, xp)
    return (apart @ speed) / xp.sqrt(apart @ apart)


# -- constraints ---------------------------------------------------------------------------------


class Rows:
    """Values and rates of constraints at one state; what several rows share is computed once."""

    def __init__(
        self,
        machine: Assembly,
        layout: Layout,
        placed: Frames,
        q: Any,
        xp: Any = jnp,
        touches: dict[int, Touch] | None = None,
    ) -> None:
        self.machine, self.layout, self.placed, self.xp = machine, layout, placed, xp
        self.numbers = layout.split(q)[0]
        # they depend on poses alone: shared by those who look along several velocities
        self.touches: dict[int, Touch] = {} if touches is None else touches
        self._slips: dict[int, Any] = {}

    def touch(self, i: int) -> Touch:
        """Where contact i touches."""
        if i not in self.touches:
            contact, upright = self.machine.contacts[i], i in self.layout.upright
            found = contact.touch(self.placed[contact.body], self.xp, upright)
            self.touches[i] = found
        return self.touches[i]

    def slip(self, i: int) -> Any:
        """Velocity of the material point at contact i."""
        if i not in self._slips:
            frame = self.placed[self.machine.contacts[i].body]
            self._slips[i] = frame.velocity(self.touch(i).point - frame.place, self.xp)
        return self._slips[i]

    def blocked(self, row: Row) -> Any:
        """The unit vector of a contact's row."""
        touch = self.touch(row.index)
        return {"height": touch.normal, "along": touch.along, "across": touch.across}[row.row]

    def value(self, row: Row) -> Any:
        """The function that a holonomic row keeps at zero."""
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

    def rate(self, row: Row, v: Any) -> Any:
        """What a row requires to vanish (or to equal its right-hand side), linear in v."""
        xp = self.xp
        if row.kind == "contact":
            return self.blocked(row) @ self.slip(row.index)
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

    def given(self, row: Row, t: Any) -> Any:
        """The right-hand side of a row: velocity of the surface, rate of a prescribed joint."""
        if row.kind == "contact":
            surface = self.machine.contacts[row.index].ground
            if not surface.moves:
                return self.xp.zeros(())
            point = self.touch(row.index).point
            return self.blocked(row) @ surface.velocity(t, point, self.xp)
        motion = self.machine.prescribed[row.index].motion
        t = jnp.asarray(t, dtype=float)
        return jax.jvp(lambda s: jnp.asarray(motion(s), dtype=float), (t,), (jnp.ones(()),))[1]


def loop_sides(loop: Any, xp: Any) -> tuple[Any, Any]:
    """Two directions across the axis of a loop."""
    a = direction(loop.axis, xp)
    one = xp.cross(a, xp.where(xp.abs(a[0]) < 0.7, np.eye(3)[0], np.eye(3)[1]))
    one = one / xp.sqrt(one @ one)
    return one, xp.cross(a, one)


def _started(joint: Joint, xp: Any) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Numbers, their rates, rotation, angular velocity that a joint starts with."""
    given: Any = joint
    start: Any = getattr(given, "start", None)
    speed: Any = getattr(given, "speed", None)
    if isinstance(joint, (Revolute, Prismatic)):
        return [start], [speed], [], []
    if isinstance(joint, Planar):
        return [start[i] for i in range(3)], [speed[i] for i in range(3)], [], []
    if isinstance(joint, Spherical):
        turn = xp.eye(3) if start is None else xp.asarray(start, dtype=float)
        return [], [], [turn], [speed[i] for i in range(3)]
    if isinstance(joint, Free):
        pair = isinstance(start, (tuple, list)) and len(start) == 2
        point, turn = start if pair else (start, xp.eye(3))
        return (
            [point[i] for i in range(3)],
            [speed[i] for i in range(3)],
            [xp.asarray(turn, dtype=float)],
            [speed[i] for i in range(3, 6)],
        )
    return [], [], [], []
