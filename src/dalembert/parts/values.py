"""Check parameter values of parts; errors name the part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import jax
import numpy as np

from ..errors import UsageError
from ..system import is_traced
from .contacts import Ball, Contact, Ellipsoid, Glide
from .electric import DCMotor
from .law import LAW, RESISTANCE, wrong_law
from .pieces import (
    Body,
    DryFriction,
    Gear,
    Gravity,
    Joint,
    Limit,
    Loop,
    Motor,
    Part,
    Push,
    Strut,
)
from .surfaces import Surface, wrong_surface
from .vectors import Vector

_POSITIVE = ("radius", "inductance", "resistance")
_NOT_NEGATIVE = ("crown", "stiffness", "damping", "mass", "friction", "limit")
_DIRECTIONS = ("axis", "direction", "along", "down", "normal")


def refuse_values(parts: Sequence[Part]) -> None:
    """Raise `UsageError` for an impossible parameter value of a part, unless it is traced."""
    for part in parts:
        for told in _wrong(part):
            raise UsageError(f"{_called(part)}: {told}")
    if sum(isinstance(x, Gravity) for x in parts) > 1:
        raise UsageError("there is gravity twice; leave one of them out")
    inputs = [x.label for x in parts if isinstance(x, (DCMotor, Motor, Push))]
    for name in inputs:
        if inputs.count(name) > 1:
            raise UsageError(f"two inputs are called '{name}': give one of them a name=")


def _called(part: Part) -> str:
    kind = type(part).__name__.lower()
    if isinstance(part, Body):
        return f"body '{part.name}'"
    name = getattr(part, "label", None) or getattr(part, "joint", None)
    if isinstance(part, Joint):
        kind = f"{kind} joint"
    return f"{kind} '{name}'" if name else kind


# yields a message for each impossible value of a part
def _wrong(part: Part) -> Iterator[str]:
    for path, value in jax.tree_util.tree_leaves_with_path(part):
        if isinstance(value, (float, np.ndarray, jax.Array)) and not is_traced(value):
            if not np.all(np.isfinite(value)):
                yield f"{getattr(path[0], 'name', 'a number')} must be finite, got {value!r}"
    for name in (*_POSITIVE, *_NOT_NEGATIVE):
        value = getattr(part, name, None)
        if value is None or is_traced(value):
            continue
        if np.shape(value) != ():
            yield f"{name} must be one number, got {value!r}"
            continue
        positive = name in _POSITIVE and not isinstance(part, Glide)  # a Glide may be a point
        if value < 0 or (value == 0 and positive):
            wanted = "positive" if positive else "0 or more"
            yield f"{name} must be {wanted}, got {value:g}"
    for name in _DIRECTIONS:
        value: Any = getattr(part, name, None)
        if isinstance(value, Vector) and not is_traced(value):
            values = np.asarray(value.array(np), dtype=float)
            if not np.all(np.isfinite(values)) or not np.any(values):
                yield f"{name} is no direction: {tuple(values)}"
    if isinstance(part, Body):
        yield from _wrong_body(part)
    if isinstance(part, Joint):
        yield from _wrong_start(part)
    if isinstance(part, (Loop, Strut)) and part.body == part.other:
        yield "it joins two different bodies"
    if isinstance(part, Gear) and part.joint == part.other:
        yield "a gear joins two different joints"
    if isinstance(part, Contact):
        yield from _wrong_contact(part)
    if isinstance(part, DryFriction):
        if not is_traced(part.force) and not part.force >= 0.0:
            yield f"force must be 0 or more, got {part.force:g}"
        if not is_traced(part.speed) and not part.speed > 0.0:
            yield f"speed, below which it creeps, must be positive, got {part.speed:g}"
    if isinstance(part, Limit) and not is_traced((part.low, part.high, part.restitution)):
        if part.low is None and part.high is None:
            yield "give low, high, or both"
        elif part.low is not None and part.high is not None and not part.low < part.high:
            yield f"low must be below high, got {part.low:g} and {part.high:g}"
        if not 0.0 <= part.restitution <= 1.0:
            yield f"restitution lies between 0 and 1, got {part.restitution:g}"


def _wrong_contact(contact: Contact) -> Iterator[str]:
    given = getattr(contact, "surface", None)
    if given is not None and not isinstance(given, Surface):
        yield f"surface must be a surface such as parts.Plane() or parts.Height(f), got {given!r}"
        return
    if isinstance(contact, Ellipsoid) and not is_traced(contact.axes):
        if np.any(contact.axes.array(np) <= 0):
            yield f"axes must be positive, got {tuple(contact.axes.array(np).tolist())}"
    yield from wrong_law({name: getattr(contact, name, None) for name in (*LAW, *RESISTANCE)})
    told = wrong_surface(contact.ground)
    if told is not None:
        yield told
    inside: Any = contact.ground
    if isinstance(contact, Ball) and getattr(inside, "inside", False):
        if not is_traced((contact, inside)) and contact.radius >= inside.radius:
            yield f"radius {contact.radius:g} does not fit into one of {inside.radius:g}"


def _wrong_body(body: Body) -> Iterator[str]:
    if body.mass is None:
        yield "it has no mass; a frame that weighs nothing has the mass 0.0"
    if body.inertia is not None and not is_traced(body.inertia):
        try:
            shape = np.shape(np.asarray(body.inertia, dtype=float))
        except (TypeError, ValueError):
            shape = None
        if shape not in ((), (3,), (6,), (3, 3)):
            yield (
                "inertia is one number, three moments, six entries (xx, yy, zz, xy, xz, yz) or a "
                f"matrix, got {body.inertia!r}"
            )


def _wrong_start(joint: Joint) -> Iterator[str]:
    given: Any = joint
    if joint.tilt is not None and not is_traced(joint.tilt):
        yield from _wrong_rotation("tilt", joint.tilt)
    R = joint.start_rotation
    if R is not None and not is_traced(R):
        yield from _wrong_rotation("start", R)
    n = len(joint.numbers)
    if joint.is_scalar or not (n or joint.turns):
        return
    speeds = n + 3 * joint.turns
    speed = getattr(given, "speed", (0.0,) * speeds)
    for name, value, wanted in (("start", joint.start_numbers, n), ("speed", speed, speeds)):
        if len(jax.tree.leaves(value)) != wanted:
            if value is None or np.shape(value) != (wanted,):
                yield f"{name} must be {wanted} numbers, got {value!r}"


def _wrong_rotation(name: str, value: Any) -> Iterator[str]:
    try:
        R = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        R = np.zeros(0)
    if R.shape != (3, 3):
        yield f"{name} must be a rotation matrix, 3 x 3, got {value!r}"
    elif np.max(np.abs(R @ R.T - np.eye(3))) > 1e-9 or np.linalg.det(R) < 0:
        yield f"{name} is not a rotation: R R^T is not the unit matrix, or it is a mirror"
