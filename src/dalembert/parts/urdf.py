"""Import of URDF: links, inertias and joints of a robot description as parts, and a report.

URDF has no wheels: a table given by the user says which links roll, and how.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import numpy as np

from .. import scene as sc
from ..errors import UsageError
from .contacts import Contact, check_entry
from .joints import Fixed, Free, Planar, Prismatic, Revolute
from .machine import Built, build
from .meshes import located, mesh_from
from .motion import inertia
from .pieces import GROUND, Body, Damper, Gear, Gravity, Joint, Motor, Part
from .vectors import inertia_matrix


@dataclasses.dataclass(frozen=True)
class Imported:
    """The result of an import: the parts, what was imported, what was not, and why not."""

    name: str
    parts: tuple[Part, ...]
    taken: tuple[tuple[str, str, str], ...]  # kind, name, as what
    left: tuple[tuple[str, str, str], ...]  # kind, name, why
    notes: tuple[str, ...] = ()  # numbers that were read differently from the text
    kind: str = "URDF"

    def build(self, *more: Any) -> Built:
        """Build a machine from these parts and more."""
        return build(*self.parts, *more, name=self.name)

    def __str__(self) -> str:
        lines = [f"{self.kind} '{self.name}': {len(self.taken)} taken, {len(self.left)} left"]
        lines += [f"  taken  {kind:9s} {name:20s} {what}" for kind, name, what in self.taken]
        lines += [f"  left   {kind:9s} {name:20s} {why}" for kind, name, why in self.left]
        return "\n".join([*lines, *(f"  note   {note}" for note in self.notes)])


def _parsed(text: str, source: str) -> tuple[ElementTree.Element, dict[int, int]]:
    parser = ElementTree.XMLPullParser(("start",))
    lines: dict[int, int] = {}
    root = None
    rows = text.splitlines(keepends=True)
    for k, row in enumerate(rows, start=1):
        try:
            parser.feed(row)
            events: list[Any] = list(parser.read_events())
        except ElementTree.ParseError as error:
            raise UsageError(f"{source}, line {error.position[0]}: invalid XML: {error}") from None
        for _, element in events:
            root = element if root is None else root
            lines[id(element)] = k
    try:
        parser.close()
    except ElementTree.ParseError as error:
        raise UsageError(f"{source}, line {error.position[0]}: invalid XML: {error}") from None
    if root is None:
        raise UsageError(f"{source}, line 1: the file has no XML element")
    return root, lines


_Report: TypeAlias = list[tuple[str, str, str]]  # kind, name, as what or why not


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.root, self.lines = _parsed(text, source)
        self.notes: list[str] = []
        self.packages: dict[str, str | os.PathLike[str]] = {}
        self.folder: Path | None = None

    def fail(self, element: ElementTree.Element, message: str) -> UsageError:
        return UsageError(f"{self.source}, line {self.lines[id(element)]}: {message}")

    def text(self, element: ElementTree.Element, name: str) -> str:
        value = element.get(name)
        if not value:
            raise self.fail(element, f"<{element.tag}> needs the attribute '{name}'")
        return value

    def numbers(
        self, element: ElementTree.Element, name: str, count: int, default: str | None = None
    ) -> tuple[float, ...]:
        value = element.get(name, default)
        if value is None:
            raise self.fail(element, f"<{element.tag}> needs the attribute '{name}'")
        try:
            found = tuple(float(x) for x in value.split())
        except ValueError:
            found = ()
        if len(found) != count or not np.all(np.isfinite(found)):
            raise self.fail(element, f'{name}="{value}" must be {count} numbers')
        return found

    def origin(self, element: ElementTree.Element, what: str) -> tuple[np.ndarray, np.ndarray]:
        """Return (xyz, rotation matrix) of the <origin> of an element, called `what` in notes."""
        found = element.find("origin")
        if found is None:
            return np.zeros(3), np.eye(3)
        xyz = np.array(self.numbers(found, "xyz", 3, "0 0 0"))
        given = self.numbers(found, "rpy", 3, "0 0 0")
        angles = []
        for value, text in zip(given, found.get("rpy", "0 0 0").split()):
            quarters = _quarters(value, text)
            exact = value if quarters is None else quarters * np.pi / 2
            angles.append(exact)
            if quarters is not None and abs(exact - value) > 1e-6:
                line = self.lines[id(found)]
                self.notes.append(f"{what} (line {line}): the angle {text} is read as {exact!r}")
        return xyz, _rotation(*angles)


def _quarters(value: float, text: str) -> int | None:
    """Return k if the text of an angle is k pi/2, rounded or truncated to two digits or more.

    Many files write 1.57, by which a wheel would be tilted by 8e-4 and leave the ground. 1.569 is
    no such text, and small angles near 0 are taken as written (None).
    """
    count = round(value / (np.pi / 2))
    digits = -int(Decimal(text).normalize().as_tuple().exponent)
    if count == 0 or digits < 2:
        return None
    off = abs(abs(value) - abs(count) * np.pi / 2)
    return count if off < 2e-3 and off < 10.0**-digits else None


def _rotation(roll: float, pitch: float, yaw: float) -> np.ndarray:
    turn = sc.shapes.rotation_matrix
    R = turn((0, 0, 1), yaw) @ turn((0, 1, 0), pitch) @ turn((1, 0, 0), roll)
    return np.where(np.abs(R) < 1e-15, 0.0, R)


def from_urdf(
    source: str | os.PathLike[str],
    contacts: Mapping[str, Contact] | None = None,
    *,
    root: Joint | str = "free",
    motors: tuple[str, ...] | str = (),
    gravity: float | None = 9.81,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
) -> Imported:
    """Import parts from a URDF file or its text.

        found = parts.from_urdf("robot.urdf", {"left_wheel": parts.Wheel("left_wheel", 0.1)},
                                root=parts.Planar("base", at=(0, 0, 0.1)))
        print(found)             # what was imported and what was not
        robot = found.build()

    `contacts` maps links to contacts. `root` is the joint of the first link, or "free", "planar",
    "fixed". `motors` are joints with a motor, "all" (those that mimic no other), or "transmissions"
    (those of the <transmission> elements). Meshes of visuals, OBJ and STL, are drawn:
    `package://NAME/...` is searched in `packages[NAME]` and above the file. Meshes that are not
    found or of another format are not drawn. A xacro file is refused: expand it first. A <mimic>
    becomes a `Gear`. Angles that are multiples of pi/2 rounded to two digits or more (1.57, 3.1416)
    are read as these multiples, and `notes` of the result lists them.
    """
    text, told = _text_of(source)
    _refuse_xacro(text, told)
    reader = _Reader(text, told)
    reader.packages = dict(packages or {})
    reader.folder = None if told == "URDF" else Path(told).resolve().parent
    if reader.root.tag != "robot":
        raise reader.fail(reader.root, f"a URDF begins with <robot>, not <{reader.root.tag}>")
    taken: _Report = []
    left: _Report = []
    links = {}
    for link in reader.root.findall("link"):
        name = reader.text(link, "name")
        if name in links:
            raise reader.fail(link, f"two links are called '{name}'")
        links[name] = link
    if not links:
        raise reader.fail(reader.root, "it has no <link>")
    bodies = [_body(reader, name, link, taken, left) for name, link in links.items()]
    joints: list[Part] = []
    children = {}
    for element in reader.root.findall("joint"):
        joint, extra = _joint(reader, element, links, taken, left)
        if joint.body in children:
            raise reader.fail(element, f"link '{joint.body}' has two parents")
        children[joint.body] = joint
        joints += [joint, *extra]
    joints, followers = _mimicked(reader, joints, taken, left)
    roots = [name for name in links if name not in children]
    if len(roots) != 1:
        raise reader.fail(reader.root, f"one link must have no parent; there are {roots or 'none'}")
    moved: list[str] = []
    for element in reader.root:
        if element.tag == "transmission":
            driven = [j.get("name", "") for j in element.findall("joint")]
            moved += driven
            reduced = [float(x.text or 1) for x in element.iter("mechanicalReduction")]
            ratio = f", reduction {reduced[0]:g} left: u is at the joint" if reduced else ""
            taken.append(
                ("transmission", element.get("name", ""), f"of {', '.join(driven)}{ratio}")
            )
        elif element.tag not in ("link", "joint", "material"):
            left.append((element.tag, element.get("name", ""), "not mechanics"))
    first = _root(root, roots[0])
    labels = {j.label for j in joints if isinstance(j, Joint) and j.is_scalar}
    named = (motors,) if isinstance(motors, str) else motors
    wanted = sorted(labels - followers) if motors == "all" else named
    if motors == "transmissions":
        wanted = tuple(moved)
    for name in wanted:
        if name not in labels:
            raise UsageError(f"{told}: there is no joint '{name}' for a motor; {sorted(labels)}")
    for name, contact in (contacts or {}).items():
        if name not in links:
            raise UsageError(f"{told}: there is no link '{name}' for a contact; {list(links)}")
        check_entry(told, name, contact)
    parts: list[Part] = [*bodies, first, *joints, *(contacts or {}).values()]
    parts += [Motor(name) for name in wanted]
    parts += [Gravity(gravity)] if gravity is not None else []
    name = reader.root.get("name", "robot")
    return Imported(name, tuple(parts), tuple(taken), tuple(left), tuple(reader.notes))


def _mimicked(
    reader: _Reader, joints: list[Part], taken: _Report, left: _Report
) -> tuple[list[Part], set[str]]:
    """Return joints with a gear for each <mimic>, and the names of the joints that follow another.

    <mimic> and `Gear` mean the same equation, other = ratio x joint + shift. The start of a joint
    that follows is set so that the equation holds.
    """
    scalars = {j.label: j for j in joints if isinstance(j, Joint) and j.is_scalar}
    gears: dict[str, Gear] = {}
    for element in reader.root.findall("joint"):
        mimic = element.find("mimic")
        if mimic is None:
            continue
        name, leader = reader.text(element, "name"), reader.text(mimic, "joint")
        if all(reader.text(e, "name") != leader for e in reader.root.findall("joint")):
            raise reader.fail(mimic, f"joint '{name}' mimics '{leader}', which is not a joint")
        ratio = reader.numbers(mimic, "multiplier", 1, "1")[0]
        shift = reader.numbers(mimic, "offset", 1, "0")[0]
        if name not in scalars or leader not in scalars:
            left.append(("mimic", name, "both joints must have one coordinate"))
            continue
        gears[name] = Gear(leader, name, ratio, shift)
        taken.append(("mimic", name, f"Gear: {ratio:g} x {leader} + {shift:g}"))

    def start(name: str, before: tuple[str, ...] = ()) -> float:
        if name in before:
            circle = ", ".join(f"'{x}'" for x in before)
            raise UsageError(f"{reader.source}: the joints {circle} mimic each other in a circle")
        gear = gears.get(name)
        if gear is None:
            return 0.0
        return gear.ratio * start(gear.joint, (*before, name)) + gear.shift

    def placed(part: Part) -> Part:
        if not isinstance(part, Joint) or part.label not in gears:
            return part
        begins: Any = {"start": start(part.label)}
        return dataclasses.replace(part, **begins)

    return [*(placed(part) for part in joints), *gears.values()], set(gears)


def _text_of(source: str | os.PathLike[str]) -> tuple[str, str]:
    if isinstance(source, str) and source.lstrip().startswith("<"):
        return source, "URDF"
    try:
        return Path(source).read_text(encoding="utf-8"), os.fspath(source)
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise UsageError(
            f"{os.fspath(source)} is not in UTF-8: byte {error.start} is 0x{byte:02x}; save it in "
            "UTF-8"
        ) from None
    except OSError as error:
        raise UsageError(f"{os.fspath(source)} cannot be read: {error.strerror}") from None


def _refuse_xacro(text: str, told: str) -> None:
    if "xmlns:xacro" in text or "<xacro:" in text or told.endswith(".xacro"):
        out = Path(told).name.removesuffix(".xacro").removesuffix(".urdf") + ".urdf"
        raise UsageError(
            f"{told} is a xacro file, a program that writes a URDF",
            advice=f"run it first: xacro {Path(told).name} > {out}",
        )


def _root(given: Joint | str, link: str) -> Joint:
    kinds = {"free": Free, "planar": Planar, "fixed": Fixed}
    if isinstance(given, str):
        if given not in kinds:
            raise UsageError(f"root must be a joint, 'free', 'planar' or 'fixed'; got {given!r}")
        return kinds[given](link)
    if given.body != link:
        raise UsageError(
            f"the root of this robot is '{link}', but the given joint holds '{given.body}'"
        )
    return given


_ENTRIES = {
    "ixx": (0, 0),
    "iyy": (1, 1),
    "izz": (2, 2),
    "ixy": (0, 1),
    "ixz": (0, 2),
    "iyz": (1, 2),
}


def _body(
    reader: _Reader, name: str, link: ElementTree.Element, taken: _Report, left: _Report
) -> Body:
    inertial = link.find("inertial")
    mass, entries, center = 0.0, None, None
    if inertial is not None:
        at, turn = reader.origin(inertial, f"inertia of link '{name}'")
        weight = inertial.find("mass")
        if weight is None:
            raise reader.fail(inertial, f"<inertial> of link '{name}' has no <mass>")
        (mass,) = reader.numbers(weight, "value", 1)
        if mass < 0:
            raise reader.fail(weight, f"link '{name}' has the mass {mass}")
        moments = inertial.find("inertia")
        if moments is not None:
            six = [
                reader.numbers(moments, k, 1, "0" if k[1] != k[2] else None)[0] for k in _ENTRIES
            ]
            matrix = turn @ np.asarray(inertia_matrix(tuple(six), np)) @ turn.T
            entries = tuple(
                matrix[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
            )
        center = tuple(at.tolist()) if np.any(at) else None
    taken.append(("link", name, f"body of {mass:g} kg" if mass else "frame without mass"))
    shapes = [s for v in link.findall("visual") if (s := _shape(reader, name, v, left)) is not None]
    if link.find("collision") is not None:
        left.append(("collision", name, "contacts are given by the table"))
    return Body(name, mass, entries, center, tuple(shapes))


def _shape(
    reader: _Reader, name: str, visual: ElementTree.Element, left: _Report
) -> sc.Shape | None:
    geometry = visual.find("geometry")
    kind = None if geometry is None or not len(geometry) else geometry[0]
    if kind is None:
        raise reader.fail(visual, f"<visual> of link '{name}' has no geometry")
    at, turn = reader.origin(visual, f"visual of link '{name}'")
    if kind.tag == "box":
        made = sc.box(*reader.numbers(kind, "size", 3))
    elif kind.tag == "sphere":
        made = sc.sphere(*reader.numbers(kind, "radius", 1))
    elif kind.tag == "cylinder":
        radius, length = (reader.numbers(kind, k, 1)[0] for k in ("radius", "length"))
        made = sc.cylinder(radius, length)
    elif kind.tag == "mesh":
        try:
            place = located(reader.text(kind, "filename"), reader.folder, reader.packages)
            made = mesh_from(place, reader.numbers(kind, "scale", 3, "1 1 1"))
        except UsageError as error:
            left.append(("visual", name, f"its mesh: {error}"))
            return None
    else:
        left.append(("visual", name, f"geometry <{kind.tag}>"))
        return None
    if not np.array_equal(turn, np.eye(3)):
        made = dataclasses.replace(made, turn=tuple(map(tuple, turn.tolist())))
    return made.moved(*at.tolist())


_KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def _joint(
    reader: _Reader, element: ElementTree.Element, links: Any, taken: _Report, left: _Report
) -> tuple[Joint, list[Part]]:
    name, kind = reader.text(element, "name"), reader.text(element, "type")
    if kind not in _KINDS:
        raise reader.fail(
            element, f"joint '{name}' has the type '{kind}'; known: {', '.join(_KINDS)}"
        )
    ends = []
    for end in ("parent", "child"):
        found = element.find(end)
        if found is None:
            raise reader.fail(element, f"joint '{name}' has no <{end}>")
        link = reader.text(found, "link")
        if link not in links:
            raise reader.fail(found, f"joint '{name}': there is no link '{link}'")
        ends.append(link)
    parent, child = ends
    at, turn = reader.origin(element, f"joint '{name}' of link '{child}'")
    common: dict[str, Any] = {"at": tuple(at.tolist()) if np.any(at) else None, "name": name}
    common["tilt"] = None if np.array_equal(turn, np.eye(3)) else turn
    axis_at = element.find("axis")
    axis: Any = (1.0, 0.0, 0.0) if axis_at is None else reader.numbers(axis_at, "xyz", 3)
    if not np.any(axis):
        raise reader.fail(element if axis_at is None else axis_at, f"joint '{name}': its axis is 0")
    whole = all(x in (-1.0, 0.0, 1.0) for x in axis)
    axis = tuple(int(x) for x in axis) if whole else axis
    for tag in ("calibration", "safety_controller"):
        if element.find(tag) is not None:
            left.append((tag, name, "no limits: constraints here are equations"))
    extra: list[Part] = []
    limit = element.find("limit")
    if limit is not None:
        low, high = (reader.numbers(limit, x, 1, "0")[0] for x in ("lower", "upper"))
        cure = f"; add parts.Limit({name!r}, {low:g}, {high:g}), for hybrid.with_limits"
        takes = kind in ("revolute", "prismatic") and low < high
        left.append(("limit", name, "a machine is smooth" + cure if takes else "of the control"))
    dynamics = element.find("dynamics")
    if dynamics is not None:
        damping = reader.numbers(dynamics, "damping", 1, "0")[0]
        if damping and kind in ("revolute", "continuous", "prismatic"):
            extra.append(Damper(name, damping))
            taken.append(("damping", name, f"{damping:g}"))
        friction = reader.numbers(dynamics, "friction", 1, "0")[0]
        if friction:
            left.append(("friction", name, f"add parts.DryFriction({name!r}, {friction:g})"))
    made: Joint
    if kind in ("revolute", "continuous"):
        made = Revolute(child, parent, axis=axis, **common)
    elif kind == "prismatic":
        made = Prismatic(child, parent, axis=axis, **common)
    elif kind == "planar":
        if tuple(axis) != (0, 0, 1) or axis_at is None:
            raise reader.fail(element, f"planar joint '{name}': its axis must be 0 0 1")
        made = Planar(child, parent, **common)
    else:
        made = (Free if kind == "floating" else Fixed)(child, parent, **common)
    taken.append(("joint", name, f"{type(made).__name__}, {parent} to {child}"))
    return made, extra


def to_urdf(machine: Built) -> str:
    """Return the links (with inertias) and joints of a machine as URDF, no contacts or motors."""
    parts = machine.contents
    lines = [f"<robot name={quoteattr(machine.title)}>"]

    def of(values: Any) -> str:
        return " ".join(repr(float(x)) for x in values)

    for body in (p for p in parts if isinstance(p, Body)):
        lines.append(f"  <link name={quoteattr(body.name)}>")
        I = inertia(body, np)
        center = np.zeros(3) if body.center is None else body.center.array(np)
        lines.append(
            f'    <inertial><origin xyz="{of(center)}"/><mass value="{float(body.mass)!r}"/>'
        )
        if I is not None:
            entries = " ".join(f'{k}="{float(I[i, j])!r}"' for k, (i, j) in _ENTRIES.items())
            lines.append(f"      <inertia {entries}/>")
        lines += ["    </inertial>", "  </link>"]
    for joint in (p for p in parts if isinstance(p, Joint) and p.parent != GROUND):
        if not joint.urdf:
            raise UsageError(f"joint '{joint.label}': URDF has no {type(joint).__name__} here")
        if joint.child_at is not None or joint.tilt is not None:
            raise UsageError(f"joint '{joint.label}': to_urdf knows no tilt and no child_at yet")
        at = np.zeros(3) if joint.at is None else joint.at.array(np)
        lines.append(f'  <joint name={quoteattr(joint.label)} type="{joint.urdf}">')
        parent, child = quoteattr(joint.parent), quoteattr(joint.body)
        lines.append(f"    <parent link={parent}/><child link={child}/>")
        lines.append(f'    <origin xyz="{of(at)}"/>')
        axis = getattr(joint, "axis", None)
        if axis is not None:
            lines.append(f'    <axis xyz="{of(axis.array(np))}"/>')
        lines.append("  </joint>")
    return "\n".join([*lines, "</robot>", ""])
