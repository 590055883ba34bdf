"""The static structure of a machine: its tree, coordinates, constraint rows, and their names."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable
from typing import Any, TypeVar

from ..errors import UsageError
from ..groups import SO, Euclidean, Group, Product
from ..names import Names
from ..system import Point
from .contacts import HEIGHT, IF_FREE, NO_TWIST, Contact, Skate, Wheel
from .electric import Coupling, DCMotor
from .pieces import (
    GROUND,
    Body,
    Damper,
    DryFriction,
    Gear,
    Gravity,
    Joint,
    Limit,
    Loop,
    Motor,
    Part,
    Prescribed,
    Push,
    Spring,
    Strut,
)
from .surfaces import Plane

P = TypeVar("P", bound=Part)


class Assembly:
    """Parts sorted by their kind."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self.parts = tuple(_flat(parts))
        # including the parts that a `DCMotor` stands for
        self.every = tuple(_flat(x.pieces() if isinstance(x, DCMotor) else x for x in self.parts))
        self.bodies = {b.name: b for b in self._all(Body)}
        self.joints = self._all(Joint)
        self.contacts = self._all(Contact)
        self.loops = self._all(Loop)
        self.springs, self.dampers = self._all(Spring), self._all(Damper)
        self.struts, self.gravity = self._all(Strut), self._all(Gravity)
        self.motors, self.pushes = self._all(Motor), self._all(Push)
        self.prescribed, self.gears = self._all(Prescribed), self._all(Gear)
        self.frictions, self.limits = self._all(DryFriction), self._all(Limit)
        self.couplings = self._all(Coupling)

    def _all(self, kind: type[P]) -> tuple[P, ...]:
        return tuple(p for p in self.every if isinstance(p, kind))


def _flat(parts: Iterable[Any]) -> Iterable[Part]:
    for part in parts:
        if isinstance(part, (list, tuple)):
            yield from _flat(part)
        elif isinstance(part, Part):
            yield part
        else:
            raise UsageError(f"a machine is made of parts (Body, Revolute, Wheel, ...): {part!r}")


@dataclasses.dataclass(frozen=True)
class Row:
    """One constraint row of the contact, loop, gear or prescribed joint with this index."""

    kind: str  # "contact", "turn" (an angular velocity at a contact), "loop", "gear", "prescribed"
    index: int
    row: str
    label: str
    optional: bool = False  # left out if other rows imply it


@dataclasses.dataclass(frozen=True)
class Layout:
    """The static structure of a machine; machines with equal layouts share compiled code."""

    order: tuple[int, ...]  # joints, parents first
    # for each joint: index of its first number in R^n, index of its rotation
    slots: tuple[tuple[int, int], ...]
    size: int  # of R^n
    rotations: int
    coordinate_names: tuple[str, ...]
    velocity_names: tuple[str, ...]
    units: tuple[str, ...]
    holonomic: tuple[Row, ...]
    rows: tuple[Row, ...]
    held: tuple[str, ...]  # labels of rows that the joints satisfy by themselves
    upright: frozenset[int]  # contacts whose axle or blade remains level, by the kinds of joints
    input_names: tuple[str, ...]
    input_units: tuple[str, ...]
    redundant: bool = False  # rows of contacts with a law are linearly dependent

    @property
    def dim(self) -> int:
        """Length of v."""
        return self.size + 3 * self.rotations

    @property
    def space(self) -> Group:
        """The configuration space R^n x SO(3) x ..., without missing factors."""
        factors = [Euclidean(self.size)] * (self.size > 0) + [SO(3)] * self.rotations
        return factors[0] if len(factors) == 1 else Product(*factors)

    def split(self, q: Point) -> tuple[Any, tuple[Any, ...]]:
        """Return (numbers, rotations) of a configuration."""
        if not self.rotations:
            return q, ()
        if not self.size:
            return None, (q,) if self.rotations == 1 else tuple(q)
        return q[0], tuple(q[1:])

    def joined(self, numbers: Any, rotations: tuple[Any, ...]) -> Point:
        """Return the configuration with these numbers and rotations."""
        if not self.rotations:
            return numbers
        if not self.size:
            return rotations[0] if self.rotations == 1 else rotations
        return (numbers, *rotations)


def layout_of(machine: Assembly) -> Layout:
    """Return the layout of a machine with all candidate rows; errors name the part."""
    _check_names(machine)
    joints = machine.joints
    order = _order(machine)
    roots = [j for j in joints if j.is_root]
    names: list[str] = []
    units: list[str] = []
    slots: list[tuple[int, int]] = []
    turns: list[tuple[str, ...]] = []
    spins: list[str] = []
    for joint in joints:
        slots.append((len(names), len(turns)))
        alone = len(roots) == 1 and roots[0] is joint and not joint.name
        prefix = "" if alone else f"{joint.label} "
        names += [prefix + name if name else joint.label for name, _ in joint.numbers]
        units += [unit for _, unit in joint.numbers]
        if joint.turns:
            turns.append(tuple(f"R{i}{j} {joint.label}" for i in (1, 2, 3) for j in (1, 2, 3)))
            spins += [f"Omega{i} {joint.label}" for i in (1, 2, 3)]
    _unique("coordinate", names)
    if not names and not turns:
        raise UsageError("nothing of this machine moves: every joint is Fixed")
    for part in (*machine.springs, *machine.prescribed, *machine.limits):
        _scalar(machine, part, part.joint)
    for part in (*machine.dampers, *machine.frictions, *machine.motors):
        if not _joint(machine, part).only_turns:
            _scalar(machine, part, part.joint)
    for motor in machine.motors:
        if motor.axis is not None and not _joint(machine, motor).only_turns:
            raise UsageError(
                f"Motor on '{motor.joint}': axis= is for Spherical joints; this joint has its own "
                "axis"
            )
    for gear in machine.gears:
        for name in (gear.joint, gear.other):
            _scalar(machine, gear, name)
    for motor in machine.parts:
        if isinstance(motor, DCMotor):
            _scalar(machine, motor, motor.joint)
    size = len(names)
    attitude = [x for entries in turns for x in entries]
    return Layout(
        order,
        tuple(slots),
        size,
        len(turns),
        Names((*names, *attitude)),
        Names((*(f"{x}_dot" for x in names), *spins)),
        (*units, *("1" for _ in attitude)),
        *_candidates(machine),
        (),
        frozenset(i for i, c in enumerate(machine.contacts) if _is_upright(machine, c)),
        Names((*(x for m in machine.motors for x, _ in _inputs(machine, m)),
               *(p.label for p in machine.pushes))),
        (
            *(unit for m in machine.motors for _, unit in _inputs(machine, m)),
            *("N" for _ in machine.pushes),
        ),
    )  # fmt: skip


def _inputs(machine: Assembly, motor: Motor) -> tuple[tuple[str, str], ...]:
    """Return names and units of the inputs of a motor."""
    joint = _joint(machine, motor)
    if joint.only_turns:
        if motor.axis is None:
            return tuple((f"{motor.label} {x}", "N m") for x in "xyz")
        return ((motor.label, "N m"),)
    return ((motor.label, _force_unit(joint)),)


# all (holonomic, other) rows of the parts; `checks.examined` removes those that joints hold
def _candidates(machine: Assembly) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    holonomic: list[Row] = []
    rows: list[Row] = []
    for i, loop in enumerate(machine.loops):
        tilts = ("tilt 1", "tilt 2") if loop.axis is not None else ()
        holonomic += [Row("loop", i, r, f"{loop.label}, {r}") for r in ("x", "y", "z", *tilts)]
    holonomic += [Row("gear", i, "gear", gear.label) for i, gear in enumerate(machine.gears)]
    for i, contact in enumerate(machine.contacts):
        wanted = contact.directions if contact.rows is None else contact.rows  # pyright: ignore
        for name in wanted:
            if name == NO_TWIST:
                rows.append(_no_twist(i, contact))
                continue
            row = HEIGHT if name == IF_FREE else name
            if row not in contact.directions:
                raise UsageError(
                    f"contact '{contact.label}' ({type(contact).__name__}) has the rows "
                    f"{', '.join(contact.directions)}; got {row!r}"
                )
            into = holonomic if row == HEIGHT else rows
            into.append(Row("contact", i, row, f"{contact.label}, {row}", name == IF_FREE))
    for i, drive in enumerate(machine.prescribed):
        rows.append(Row("prescribed", i, "drive", drive.name or f"{drive.joint}, drive"))
    _unique("constraint", [r.label for r in (*holonomic, *rows)])
    return tuple(holonomic), tuple(rows)


def _no_twist(i: int, contact: Contact) -> Row:
    """Return the row that blocks the spin of a contact about the normal."""
    told = f"contact '{contact.label}' ({type(contact).__name__})"
    if not contact.rolls:
        raise UsageError(f"{told} does not roll: it has no row {NO_TWIST!r}")
    if contact.has_law:
        raise UsageError(
            f"{told} has a coefficient of friction, which bounds a force; the reaction of "
            f"{NO_TWIST!r} is a moment: leave out mu, or this row"
        )
    return Row("turn", i, NO_TWIST, f"{contact.label}, {NO_TWIST}")


def reaction_unit(machine: Assembly, row: Row) -> str:
    """Return the unit of the multiplier of a row."""
    if row.kind == "contact" or (row.kind == "loop" and row.row in "xyz"):
        return "N"
    if row.kind in ("loop", "turn"):
        return "N m"
    part: Any = machine.gears[row.index] if row.kind == "gear" else machine.prescribed[row.index]
    joint = part.other if row.kind == "gear" else part.joint  # the force acts on its coordinate
    return _force_unit(machine.joints[_joint_index(machine, part, joint)])


def _force_unit(joint: Joint) -> str:
    """Return the unit of the force on the coordinate of a scalar joint: power over its rate."""
    ((_, unit),) = joint.numbers
    return {"rad": "N m", "m": "N", "C": "V"}.get(unit, f"J/{unit}")


def speeds_of(machine: Assembly, layout: Layout, owner: Part, name: str) -> slice:
    """Return the indices in v of a named joint: one, or three of a `Spherical` joint."""
    index = _joint_index(machine, owner, name)
    at, turn = layout.slots[index]
    if machine.joints[index].only_turns:
        return slice(layout.size + 3 * turn, layout.size + 3 * turn + 3)
    return slice(at, at + 1)


def scalar_slot(machine: Assembly, layout: Layout, owner: Part, name: str) -> int:
    """Return the index in R^n of the coordinate of a named scalar joint."""
    return layout.slots[_scalar(machine, owner, name)][0]


def _scalar(machine: Assembly, owner: Part, name: str) -> int:
    """Return the index of the named joint; raise `UsageError` unless it has one coordinate."""
    index = _joint_index(machine, owner, name)
    if not machine.joints[index].is_scalar:
        kind = type(machine.joints[index]).__name__
        raise UsageError(
            f"{type(owner).__name__} on '{name}': acts on a Revolute or Prismatic joint, or on "
            f"another one with a single coordinate; this one is {kind}"
        )
    return index


def _joint_index(machine: Assembly, owner: Part, name: str) -> int:
    for i, joint in enumerate(machine.joints):
        if joint.label == name:
            return i
    known = [j.label for j in machine.joints]
    raise UsageError(f"{type(owner).__name__}: there is no joint '{name}'{_near(name, known)}")


def _joint(machine: Assembly, motor: Motor | Damper | DryFriction) -> Joint:
    return machine.joints[_joint_index(machine, motor, motor.joint)]


def _near(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{close[0]}'?" if close else f"; there is {', '.join(known) or 'none'}"


def _unique(what: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two {what}s are called '{name}': give one of them a name=")


# raises for unknown or duplicate names, and for bodies without exactly one joint
def _check_names(machine: Assembly) -> None:
    bodies = [p.name for p in machine.every if isinstance(p, Body)]
    if not bodies:
        raise UsageError("a machine has at least one Body")
    for name in bodies:
        if bodies.count(name) > 1:
            raise UsageError(f"two bodies are called '{name}'")
    if GROUND in bodies:
        raise UsageError(f"'{GROUND}' is reserved for the ground: give the body another name")
    _unique("joint", [j.label for j in machine.joints])

    def known(name: str, part: Part, what: str) -> None:
        if name not in machine.bodies and name != GROUND:
            label = getattr(part, "label", "")
            told = f"{type(part).__name__} '{label}'" if label else type(part).__name__
            raise UsageError(f"{told}: its {what} '{name}' is not a body{_near(name, bodies)}")

    for part in machine.every:
        for what in ("body", "parent", "other"):
            if hasattr(part, what) and not isinstance(part, Gear):
                known(getattr(part, what), part, what)
    for joint in machine.joints:
        if joint.body == GROUND:
            raise UsageError(
                f"joint '{joint.label}': its parent '{GROUND}' is not connected to "
                "the ground; exchange parent and child"
            )
    held = [j.body for j in machine.joints]
    for name in bodies:
        if name not in held:
            raise UsageError(
                f"body '{name}' has no joint: attach it by one, or let it move freely by "
                f"Free('{name}')"
            )
        if held.count(name) > 1:
            raise UsageError(
                f"body '{name}' has {held.count(name)} joints: keep one, and close the loop by Loop"
            )


# the joints in an order in which parents come first
def _order(machine: Assembly) -> tuple[int, ...]:
    placed, order = {GROUND}, []
    waiting = list(range(len(machine.joints)))
    while waiting:
        ready = [i for i in waiting if machine.joints[i].parent in placed]
        if not ready:
            names = ", ".join(f"'{machine.joints[i].body}'" for i in waiting)
            raise UsageError(
                f"the bodies {names} form a loop that is not connected to the ground: give one of "
                "them a joint Free or Planar, and close the loop by Loop"
            )
        placed |= {machine.joints[i].body for i in ready}
        order += ready
        waiting = [i for i in waiting if i not in ready]
    return tuple(order)


def _is_upright(machine: Assembly, contact: Contact) -> bool:
    """Return whether the joints keep the axle or blade level, for all parameter values."""
    if not isinstance(contact, (Wheel, Skate)) or not isinstance(contact.ground, Plane):
        return False
    if contact.ground.normal.axis not in ((2, 1), (2, -1)):
        return False
    direction = contact.axis if isinstance(contact, Wheel) else contact.direction
    if direction.axis is None or direction.axis[0] == 2:
        return False
    by_body = {j.body: j for j in machine.joints}
    name, own = contact.body, isinstance(contact, Wheel)
    while name != GROUND:
        joint = by_body[name]
        if joint.tilt is not None:
            return False
        if not joint.keeps_level(direction.axis[0] if own else None):
            return False
        # above a joint that turns, the axle may point along any level line of the parent, so that
        # all level lines must remain level
        own = own and not joint.turns_body
        name = joint.parent
    return True
