"""The scene of a machine: shapes of its bodies, traces and reaction forces of its contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import scene as sc
from ..system import is_traced
from .contacts import Ball, Ellipsoid, Glide, Skate, Wheel
from .electric import Charge
from .motion import Rows, frames
from .pieces import GROUND
from .surfaces import Cylinder, Plane, Sphere
from .topology import Assembly, Layout
from .vectors import Vector

if TYPE_CHECKING:
    from .machine import Machine

_SIZE = 0.03  # size of a body without a shape, relative to the extent of the motion


def scene_of_parts(system: Machine, machine: Assembly, layout: Layout) -> sc.Scene:
    """Return bodies with shapes (or the shapes of contacts), paths and reaction forces."""

    def rows(row: sc.Row) -> Rows:
        return Rows(machine, layout, frames(machine, layout, row.q, None), row.q)

    bodies = []
    circuits = {joint.body for joint in machine.joints if isinstance(joint, Charge)}
    for name, body in machine.bodies.items():
        if name in circuits:
            continue  # nothing to see
        shapes = body.shapes or _by_contact(machine, name)
        if not shapes:
            if not is_traced(body.mass) and not np.any(body.mass):
                continue  # a massless link between two joints
            shapes = (sc.sphere(_SIZE).scaled_with_motion(),)

        def place(row: sc.Row, name: str = name) -> jax.Array:
            return frames(machine, layout, row.q, None)[name].place

        def attitude(row: sc.Row, name: str = name) -> jax.Array:
            return jnp.asarray(frames(machine, layout, row.q, None)[name].turn, dtype=float)

        bodies.append(sc.Body(name, shapes, place, attitude))
    bodies += _stage(machine)

    links, traces, arrows, contacts = [], [], [], []
    every = (*layout.holonomic, *layout.rows)
    for i, contact in enumerate(machine.contacts):
        mine = [(k, r) for k, r in enumerate(every) if r.kind == "contact" and r.index == i]

        def foot(row: sc.Row, i: int = i) -> jax.Array:
            return rows(row).touch(i).point

        traces.append(sc.Trace(f"{contact.label}, contact", foot))
        if not mine:
            continue

        def blocked(row: sc.Row, mine: Any = mine) -> jax.Array:
            here = rows(row)
            return jnp.stack([jnp.asarray(here.blocked(r), dtype=float) for _, r in mine])

        def force(row: sc.Row, mine: Any = mine, blocked: Any = blocked) -> jax.Array:
            lam = row.multiplier
            if lam is None:
                return jnp.zeros(3)
            return blocked(row).T @ jnp.stack([lam[k] for k, _ in mine])

        def surface(row: sc.Row, contact: Any = contact, foot: Any = foot) -> jax.Array:
            return contact.ground.velocity(row.t, foot(row), jnp)

        arrows.append(sc.Arrow(f"{contact.label}, reaction", foot, force))
        contacts.append(sc.Contact(contact.body, foot, blocked, surface, contact.label))
    for k, strut in enumerate(machine.struts):

        def end(row: sc.Row, name: str, at: Vector | None) -> jax.Array:
            return frames(machine, layout, row.q, None)[name].point(at, jnp)

        links.append(
            sc.Link(
                f"strut {k + 1}",
                lambda row, s=strut: end(row, s.body, s.at),
                lambda row, s=strut: end(row, s.other, s.other_at),
            )
        )
    if not traces:
        traces = [sc.Trace(b.name, b.position) for b in bodies[: len(machine.bodies)]]
    return sc.Scene(bodies, links, traces, arrows, contacts, ground=_ground(machine))


def _by_contact(machine: Assembly, name: str) -> tuple[sc.Shape, ...]:
    """Return the shapes of a body without a shape: those of its contacts."""
    result = []
    for contact in machine.contacts:
        if contact.body == name:
            at = (0.0, 0.0, 0.0) if _at(contact) is None else tuple(_at(contact).array(jnp))
            piece = None
            if isinstance(contact, Wheel):
                piece = _on_axle(sc.wheel(contact.radius, 0.25 * contact.radius), contact)
            elif isinstance(contact, Glide):
                piece = None
            elif isinstance(contact, Ball):
                piece = sc.ball(contact.radius)
            elif isinstance(contact, Ellipsoid):
                x, y, z = contact.axes.array(jnp)
                piece = sc.ellipsoid(x, y, z)
            elif isinstance(contact, Skate):
                piece = sc.blade(2 * _SIZE, _SIZE).scaled_with_motion()
            if piece is not None:
                result.append(piece.moved(*at))
    return tuple(result)


def _at(contact: Any) -> Any:
    return contact.at


def _on_axle(piece: sc.Shape, contact: Wheel) -> sc.Shape:
    axis = contact.axis.axis
    if axis is None or axis[0] == 1:
        return piece
    return piece.turned((0, 0, 1) if axis[0] == 0 else (1, 0, 0), np.pi / 2)


def _stage(machine: Assembly) -> list[sc.Body]:
    """Return the surfaces to draw: turning tables, and spheres, pipes and hills to roll on."""
    result = []
    for contact in machine.contacts:
        surface: Any = contact.ground
        if isinstance(surface, (Sphere, Cylinder)) and not any(b.name == GROUND for b in result):
            center = np.zeros(3) if surface.center is None else surface.center.array(jnp)

            def place(row: sc.Row, center: Any = center) -> jax.Array:
                return jnp.asarray(center, dtype=float)

            result.append(sc.Body(GROUND, _rolled_on(surface), place, stage=True))
            continue
        height = getattr(surface, "height_over", None)
        if height is not None and not any(b.name == GROUND for b in result):
            result.append(sc.Body(GROUND, sc.hills(height), stage=True))
            continue
        turns = isinstance(surface, Plane) and surface.moves and surface.normal.axis == (2, 1)
        table: Any = surface
        if turns and table.drift is None and table.drift_of is None and not result:

            def rate(row: sc.Row, surface: Any = surface) -> jax.Array:
                value = surface.rate if surface.rate_of is None else surface.rate_of(row.t)
                return sc.above((0.0, 0.0), value)

            result.append(sc.Body(f"{GROUND}, turning", sc.table(0.05), spin=rate, stage=True))
    return result


def _rolled_on(surface: Sphere | Cylinder) -> sc.Shape:
    """Return a sphere, or a pipe as long as the motion; transparent if rolled on inside."""
    if isinstance(surface, Sphere):
        return sc.shell(surface.radius) if surface.inside else sc.sphere(surface.radius)
    pipe = sc.tube(surface.radius)
    axis = surface.axis.axis
    if axis is None or axis[0] == 2:
        return pipe
    return pipe.turned((1, 0, 0) if axis[0] == 1 else (0, 1, 0), np.pi / 2)


def _ground(machine: Assembly) -> sc.Ground | None:
    planes = [c.ground for c in machine.contacts if isinstance(c.ground, Plane)]
    if machine.contacts and not planes:
        return None
    if planes and planes[0].normal.axis == (2, -1):
        return sc.Ground(((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)))
    return sc.Ground()
