"""Import of MJCF: bodies, joints, inertias and motors of a MuJoCo model as parts, and a report.

The package `mujoco` reads the file (`MjSpec`), and handles defaults, included files, attached
models and inertias that follow from geometry. MJCF has no wheels: a table given by the user says
which bodies roll, and how, as for URDF.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import scene as sc
from ..errors import UsageError
from .contacts import Contact, check_entry
from .joints import Fixed, Free, Prismatic, Revolute, Spherical
from .pieces import GROUND, Body, Damper, Gear, Gravity, Joint, Loop, Motor, Part, Spring
from .urdf import Imported

Report = list[tuple[str, str, str]]
_ORDER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def from_mjcf(
    source: str | os.PathLike[str],
    contacts: Mapping[str, Contact] | None = None,
    *,
    root: Joint | None = None,
    motors: bool = True,
    gravity: float | None = None,
) -> Imported:
    """Import parts from an MJCF file (or any other that MuJoCo reads) or its text; needs `mujoco`.

        found = parts.from_mjcf("robot.xml", {"left_wheel": parts.Wheel("left_wheel", 0.1)})
        print(found)             # what was imported and what was not
        robot = found.build()

    `contacts` maps bodies to contacts, because contacts of MuJoCo are of another kind. `root`
    replaces the joint of the first body (`parts.Planar("base", at=(0, 0, 0.1))` instead of a free
    joint). A body with several joints becomes a chain of massless frames. Coordinates count from
    the reference position of MuJoCo (`qpos - ref`). Actuators of joints become motors; control laws
    of servos are not imported: use `u=`. `gravity` overrides that of the file.
    """
    model, told = _compiled(source)
    reader = _Reader(model)
    parts = [*reader.bodies(root), *reader.couplings(), *(reader.motors() if motors else ())]
    names = reader.names
    for name, contact in (contacts or {}).items():
        if name not in names.values():
            raise UsageError(
                f"{told}: there is no body '{name}' for a contact; {[*names.values()]}"
            )
        check_entry(told, name, contact)
    parts += (contacts or {}).values()
    g = np.array(model.opt.gravity)
    if reader.disabled("gravity") and gravity is None:
        reader.taken.append(("flag", "gravity", "disabled: none acts"))
        g = np.zeros(3)
    size = float(np.linalg.norm(g)) if gravity is None else float(gravity)
    if size:
        down = g / np.linalg.norm(g) if np.any(g) else np.array([0.0, 0.0, -1.0])
        parts.append(Gravity(size, tuple(_whole(down))))
    reader.rest()
    title = _text(model, 0) or "robot"
    return Imported(
        title, tuple(parts), tuple(reader.taken), tuple(reader.left), tuple(reader.notes), "MJCF"
    )


def _mujoco() -> Any:
    try:
        import mujoco
    except ImportError:
        raise UsageError('MJCF files need MuJoCo: pip install "dalembert[mujoco]"') from None
    return mujoco


def _compiled(source: str | os.PathLike[str]) -> tuple[Any, str]:
    mujoco = _mujoco()
    is_text = isinstance(source, str) and source.lstrip().startswith("<")
    text = "MJCF" if is_text else os.fspath(source)
    if not is_text and not Path(source).is_file():
        raise UsageError(f"{text} cannot be read: there is no such file")
    read = mujoco.MjSpec.from_string if is_text else mujoco.MjSpec.from_file
    try:
        return read(source if is_text else os.fspath(source)).compile(), text
    except (ValueError, RuntimeError, mujoco.FatalError) as error:
        why = " ".join(str(error).split())
        raise UsageError(f"{text}: MuJoCo refuses it: {why}") from None


def _text(model: Any, address: int) -> str:
    end = model.names.find(b"\0", address)
    return model.names[address:end].decode()


def _whole(values: Any) -> list[Any]:
    """Return floats, but -1, 0 and 1 as integers: parts take these as constants, not parameters."""
    return [int(x) if x in (-1.0, 0.0, 1.0) else float(x) for x in np.asarray(values).tolist()]


def _turned(quaternion: Any) -> np.ndarray:
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return np.where(np.abs(R) < 1e-15, 0.0, R)


def _place(values: Any) -> Any:
    return None if not np.any(values) else tuple(float(x) for x in values)


class _Reader:
    """Reads a compiled model, and records what was imported and what was not."""

    def __init__(self, model: Any) -> None:
        self.model, self.mujoco = model, _mujoco()
        self.taken: Report = []
        self.left: Report = []
        self.notes: list[str] = []
        self.names = {i: self._name("body", i) for i in range(1, model.nbody)}
        self.joints: dict[int, str] = {}  # labels of joints with one coordinate
        self._start: dict[str, float] = {}

    def _name(self, kind: str, i: int) -> str:
        address = getattr(self.model, {"body": "name_bodyadr", "joint": "name_jntadr",
                                       "actuator": "name_actuatoradr"}[kind])[i]  # fmt: skip
        return _text(self.model, address) or f"{kind}_{i}"

    def disabled(self, flag: str) -> bool:
        """Return whether <flag> of <option> turns something off."""
        bit = getattr(self.mujoco.mjtDisableBit, f"mjDSBL_{flag.upper()}")
        return bool(int(self.model.opt.disableflags) & int(bit))

    def _number(self, name: str, i: int, place: int = 0) -> float:
        """Return a number of the model, 0 if this version of MuJoCo does not have it."""
        result = getattr(self.model, name, None)
        return 0.0 if result is None else float(np.ravel(result[i])[place])

    # -- bodies and joints ---------------------------------------------------------------------

    def bodies(self, root: Joint | None) -> list[Part]:
        parts: list[Part] = []
        for i, name in self.names.items():
            parts += self._body(i, name)
            parts += self._joints(i, name, root if i == 1 else None)
        return parts

    def _body(self, i: int, name: str) -> list[Part]:
        m = self.model
        mass = float(m.body_mass[i])
        entries, center = None, None
        if mass:
            turn = _turned(m.body_iquat[i])
            I = turn @ np.diag(m.body_inertia[i]) @ turn.T
            entries, center = tuple(float(I[a, b]) for a, b in _ORDER), _place(m.body_ipos[i])
        self.taken.append(("body", name, f"body of {mass:g} kg" if mass else "frame without mass"))
        if self._number("body_gravcomp", i):
            value = self._number("body_gravcomp", i)
            self.left.append(("gravcomp", name, f"{value:g}: gravity acts in full; add a force"))
        if int(m.body_mocapid[i]) >= 0:
            self.left.append(("mocap", name, "it stays where it is: nothing moves it"))
        shapes = [s for g in range(m.ngeom) if m.geom_bodyid[g] == i for s in self._shape(g, name)]
        return [Body(name, mass, entries, center, tuple(shapes))]

    # a body with several joints becomes a chain: all but the last joint carry massless frames
    def _joints(self, i: int, name: str, root: Joint | None) -> list[Part]:
        m = self.model
        first, count = int(m.body_jntadr[i]), int(m.body_jntnum[i])
        above = int(m.body_parentid[i])
        parent = GROUND if above == 0 else self.names[above]
        place, turn = np.array(m.body_pos[i]), _turned(m.body_quat[i])
        tilt = None if np.array_equal(turn, np.eye(3)) else turn
        if root is not None:
            if root.body != name:
                raise UsageError(
                    f"the first body is '{name}', but the given root joint holds '{root.body}'"
                )
            self.taken.append(("joint", name, f"{type(root).__name__}, as given"))
            return [root]
        if not count:
            self.taken.append(("joint", name, f"Fixed, {parent} to {name}"))
            return [Fixed(name, parent, at=_place(place), tilt=tilt)]
        parts: list[Part] = []
        for k in range(count):
            j, last = first + k, k == count - 1
            body = name if last else f"{name} frame {k + 1}"
            if not last:
                parts.append(Body(body, 0.0))
            made = self._joint(j, body, parent, place, tilt, turn)
            parts += made
            parent, place, tilt, turn = body, np.zeros(3), None, np.eye(3)
        return parts

    def _joint(
        self, j: int, body: str, parent: str, place: np.ndarray, tilt: Any, turn: np.ndarray
    ) -> list[Part]:
        m, kinds = self.model, self.mujoco.mjtJoint
        label, kind = self._name("joint", j), int(m.jnt_type[j])
        at, anchor = place + turn @ m.jnt_pos[j], np.array(m.jnt_pos[j])
        common: dict[str, Any] = {"at": _place(at), "child_at": _place(anchor), "tilt": tilt}
        dof, address = int(m.jnt_dofadr[j]), int(m.jnt_qposadr[j])
        made: Joint
        if kind == kinds.mjJNT_FREE:
            start = tuple(float(x) for x in m.qpos0[address : address + 3])
            R = _turned(m.qpos0[address + 3 : address + 7])
            where: Any = start if np.array_equal(R, np.eye(3)) else (start, tuple(map(tuple, R)))
            made = Free(body, parent, name=label, start=where)
        elif kind == kinds.mjJNT_BALL:
            made = Spherical(body, parent, name=label, **common)
        else:
            self.joints[j] = label
            cls = Revolute if kind == kinds.mjJNT_HINGE else Prismatic
            made = cls(body, parent, name=label, axis=tuple(_whole(m.jnt_axis[j])), **common)
            if m.qpos0[address]:
                self.notes.append(f"joint '{label}' counts from its ref {m.qpos0[address]:g}")
        self.taken.append(("joint", label, f"{type(made).__name__}, {parent} to {body}"))
        return [made, *self._forces(j, label, dof, address)]

    # spring and damper of a joint; records what else acts on it in MuJoCo and is not imported
    def _forces(self, j: int, label: str, dof: int, address: int) -> list[Part]:
        m, parts = self.model, []
        scalar = j in self.joints
        stiffness = float(np.ravel(m.jnt_stiffness[j])[0])
        damping = float(np.ravel(m.dof_damping[dof])[0])
        for what, first, name, at in (
            ("stiffness", m.jnt_stiffness[j], "jnt_stiffnesspoly", j),
            ("damping", m.dof_damping[dof], "dof_dampingpoly", dof),
        ):
            if np.any(np.ravel(first)[1:]) or np.any(getattr(m, name, {at: 0})[at]):
                self.left.append((what, label, "its higher coefficients: forces here are linear"))
        if stiffness and self.disabled("spring"):
            self.taken.append(("flag", label, "spring disabled"))
            stiffness = 0.0
        if damping and self.disabled("damper"):
            self.taken.append(("flag", label, "damper disabled"))
            damping = 0.0
        if self._number("jnt_actfrclimited", j):
            self.left.append(("actuatorfrcrange", label, "forces of motors have no limits"))
        if self._number("jnt_actgravcomp", j):
            self.left.append(("actuatorgravcomp", label, "not read"))
        if self._number("jnt_springyield", j):
            self.left.append(("springyield", label, "not read"))
        if stiffness and scalar:
            rest = float(m.qpos_spring[address] - m.qpos0[address])
            parts.append(Spring(label, stiffness, rest))
            self.taken.append(("stiffness", label, f"{stiffness:g}"))
        if damping and scalar:
            parts.append(Damper(label, damping))
            self.taken.append(("damping", label, f"{damping:g}"))
        if (stiffness or damping) and not scalar:
            self.left.append(("spring", label, "springs and dampers are for one coordinate here"))
        if m.dof_armature[dof]:
            self.left.append(("armature", label, f"{m.dof_armature[dof]:g}: add a rotor as a body"))
        if m.dof_frictionloss[dof]:
            self.left.append(("friction", label, "dry friction has no place in a smooth system"))
        if m.jnt_limited[j]:
            self.left.append(("range", label, "no limits: constraints here are equations"))
        return parts

    # -- couplings and actuators ---------------------------------------------------------------

    def couplings(self) -> list[Part]:
        m, kinds, parts = self.model, self.mujoco.mjtEq, []
        for e in range(m.neq):
            kind, a, b, data = (
                int(m.eq_type[e]),
                int(m.eq_obj1id[e]),
                int(m.eq_obj2id[e]),
                m.eq_data[e],
            )
            label = f"equality {e}"
            if self.disabled("equality") or self.disabled("constraint"):
                self.taken.append(("flag", label, "disabled"))
            elif not m.eq_active0[e]:
                self.left.append(("equality", label, "not active"))
            elif kind == kinds.mjEQ_JOINT and b >= 0 and not np.any(data[2:5]):
                if a not in self.joints or b not in self.joints:
                    self.left.append(("equality", label, "of joints with several coordinates"))
                else:
                    one, other = self.joints[a], self.joints[b]
                    parts.append(Gear(other, one, float(data[1]), float(data[0])))
                    self.taken.append(("equality", label, f"Gear: {data[1]:g} x {other}"))
            elif kind == kinds.mjEQ_CONNECT and m.eq_objtype[e] == self.mujoco.mjtObj.mjOBJ_BODY:
                names = [GROUND if i == 0 else self.names[i] for i in (a, b)]
                body, other, at, there = names[0], names[1], data[:3], data[3:6]
                if body == GROUND:
                    body, other, at, there = other, body, there, at
                parts.append(Loop(body, other, at=_place(at), other_at=_place(there), name=label))
                self.taken.append(("equality", label, f"Loop: {body} to {other}"))
            else:
                self.left.append(("equality", label, "of a kind that parts do not have"))
        return parts

    def motors(self) -> list[Part]:
        m, parts = self.model, []
        for k in range(m.nu):
            label, j = self._name("actuator", k), int(m.actuator_trnid[k][0])
            on_joint = int(m.actuator_trntype[k]) in (
                int(self.mujoco.mjtTrn.mjTRN_JOINT),
                int(self.mujoco.mjtTrn.mjTRN_JOINTINPARENT),
            )
            if not on_joint or j not in self.joints:
                self.left.append(("actuator", label, "it acts on no joint of one coordinate"))
                continue
            parts.append(Motor(self.joints[j], name=label))
            self.taken.append(("actuator", label, f"Motor at {self.joints[j]}"))
            if int(m.actuator_gaintype[k]):
                self.left.append(("gaintype", label, "its law: the input is the torque or force"))
            for name, what in (
                ("ctrllimited", "ctrlrange"), ("forcelimited", "forcerange"),
                ("actlimited", "actrange"), ("armature", "armature"), ("damping", "damping"),
                ("dampingpoly", "dampingpoly"), ("delay", "delay"),
            ):  # fmt: skip
                if np.any(getattr(m, f"actuator_{name}", {k: 0})[k]):
                    self.left.append((what, label, "of an actuator: not read"))
            gear = float(m.actuator_gear[k][0]) * float(m.actuator_gainprm[k][0])
            if int(m.actuator_biastype[k]) or int(m.actuator_dyntype[k]):
                self.left.append(("servo", label, "its law: the input is the torque or force"))
            elif gear != 1.0 and not int(m.actuator_gaintype[k]):
                self.notes.append(f"actuator '{label}': u is the torque, {gear:g} x ctrl of MuJoCo")
        return parts

    # -- shapes, and what is not imported ------------------------------------------------------

    def _shape(self, g: int, name: str) -> list[sc.Shape]:
        m, kinds = self.model, self.mujoco.mjtGeom
        kind, size = int(m.geom_type[g]), [float(x) for x in m.geom_size[g]]
        if kind == kinds.mjGEOM_SPHERE:
            made = sc.sphere(size[0])
        elif kind == kinds.mjGEOM_BOX:
            made = sc.box(*(2 * x for x in size))
        elif kind in (kinds.mjGEOM_CYLINDER, kinds.mjGEOM_CAPSULE):
            made = sc.cylinder(size[0], 2 * size[1])
        elif kind == kinds.mjGEOM_ELLIPSOID:
            made = sc.ellipsoid(*size)
        elif kind == kinds.mjGEOM_MESH:
            i = int(m.geom_dataid[g])
            a, n = int(m.mesh_vertadr[i]), int(m.mesh_vertnum[i])
            b, k = int(m.mesh_faceadr[i]), int(m.mesh_facenum[i])
            made = sc.mesh(
                np.array(m.mesh_vert[a : a + n], float), np.array(m.mesh_face[b : b + k])
            )
        else:
            self.left.append(("geom", name, "a plane or field; surfaces belong to contacts"))
            return []
        R = _turned(m.geom_quat[g])
        if not np.array_equal(R, np.eye(3)):
            made = dataclasses.replace(made, turn=tuple(map(tuple, R.tolist())))
        return [made.moved(*(float(x) for x in m.geom_pos[g]))]

    def rest(self) -> None:
        """Record the elements that are not imported."""
        m, zero = self.model, np.zeros(1)
        for name in ("density", "viscosity", "wind"):
            if np.any(getattr(m.opt, name, zero)):
                self.left.append(("option", name, "no fluid acts on bodies"))
        # flags of imported elements are honoured above; those of numerics and contacts have no
        # effect
        if self.disabled("actuation") and m.nu:
            self.left.append(("flag", "actuation", "motors act by u"))
        if int(getattr(m.opt, "disableactuator", 0)):
            self.left.append(("option", "actuatorgroupdisable", "motors act by u"))
        if any(m.geom_contype[g] or m.geom_conaffinity[g] for g in range(m.ngeom)):
            self.left.append(("collision", "geoms", "contacts are given by the table"))
        for kind, count in (
            ("tendon", m.ntendon), ("sensor", m.nsensor), ("flex", m.nflex), ("pair", m.npair),
            ("key", m.nkey), ("plugin", m.nplugin), ("exclude", m.nexclude), ("skin", m.nskin),
            ("site", m.nsite), ("camera", m.ncam), ("light", m.nlight), ("text", m.ntext),
            ("numeric", m.nnumeric), ("tuple", m.ntuple), ("hfield", m.nhfield),
        ):  # fmt: skip
            if count:
                self.left.append((kind, str(int(count)), "not read"))


__all__: Sequence[str] = ["from_mjcf"]
