"""The default scene of a system that defines none, from its space, names and units."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ..errors import UsageError
from ..groups import SE, SO, Euclidean, Product
from ..system import System
from . import shapes
from .scene import Arrow, Body, Ground, Of, Row, Scene, Trace, above, turn_y, turn_z

_SIZE = 0.06  # size of a drawn body, relative to the extent of its motion
_HEADINGS = ("theta", "phi", "heading", "angle", "theta1", "yaw", "psi")
_ANGLES = (*_HEADINGS, "alpha", "beta", "delta", "lean", "pitch", "roll", "tilt", "theta2")
_AXES = {"x": 0, "y": 1, "z": 2, "h": 2, "height": 2}


def scene_of(system: System) -> Scene:
    """Return the scene that a system defines, or one made from its space and names."""
    given = system.scene()
    if given is None:
        return default_scene(system)
    if not isinstance(given, Scene):
        raise UsageError(
            f"{type(system).__name__}.scene must return a dalembert.scene.Scene or None, got "
            f"{type(given).__name__}"
        )
    names = [b.name for b in given.bodies]
    if len(set(names)) < len(names):
        raise UsageError(f"{type(system).__name__}.scene has two bodies of one name: {names}")
    for contact in given.contacts:
        if contact.body not in names:
            raise UsageError(
                f"{type(system).__name__}.scene: a contact names the body '{contact.body}', but "
                f"the bodies are {', '.join(names) or 'none'}"
            )
    return given


def default_scene(system: System) -> Scene:
    """Return a default scene.

    On R^n x SO(3) it is a ball, on SO(3) a box with axes. A system with lengths and an angle is
    drawn as a plate, any other as a point.
    """
    base, group = system.groupoid.base, system.groupoid.group
    if base == SO(3):
        return _turning(lambda row: row.q)
    if base.dim == 0 and group == SO(3):
        return _turning(lambda row: row.frame)
    if base in (SE(2), SE(3)):
        return _rigid(lambda row: row.q, base.dim)
    if isinstance(base, Product) and isinstance(base.factors[0], Euclidean):
        if base.factors[0].dim in (2, 3) and SO(3) in base.factors:
            return _ball(system, base)
    if isinstance(base, Euclidean) and base.dim >= 2:
        names, units = system.coordinate_labels, tuple(system.units)
        if names[:2] == ("x", "y"):
            heading = base.dim > 2 and names[2] in _HEADINGS and (not units or units[2] == "rad")
            return _in_plane(system, heading, deep=base.dim > 2 and names[2] == "z")
    if not base.dim:
        return Scene(note="Nothing to draw: give the system a scene. The curves are below.")
    return _point(system)


def _turning(attitude: Of) -> Scene:
    pieces = (shapes.box(1.0, 0.7, 0.4), shapes.axes(1.0))
    return Scene([Body("body", pieces, attitude=attitude)], ground=None)


def _rigid(element: Of, dim: int) -> Scene:
    n = 2 if dim == 3 else 3

    def position(row: Row):
        return jnp.concatenate([element(row)[:n, n], jnp.zeros(3 - n)])

    def attitude(row: Row):
        return jnp.eye(3).at[:n, :n].set(element(row)[:n, :n])

    shape = shapes.plate(2.6 * _SIZE, 1.4 * _SIZE, 0.4 * _SIZE).scaled_with_motion()
    return Scene([Body("body", shape, position, attitude)], traces=[Trace("path", position)])


def _ball(system: System, base: Product) -> Scene:
    k, n = base.factors.index(SO(3)), base.factors[0].dim
    radius = getattr(system, "r", None)
    radius = getattr(system, "R", None) if radius is None else radius
    known = radius is not None and np.ndim(radius) == 0
    lift = jnp.asarray(radius if known and n == 2 else 0.0, dtype=float)

    def foot(row: Row):
        return jnp.concatenate([row.q[0], jnp.zeros(3 - n)])

    shape = shapes.ball(radius) if known else shapes.ball(_SIZE).scaled_with_motion()
    up = np.array([0.0, 0.0, 1.0])
    return Scene(
        [Body("body", shape, lambda row: foot(row) + lift * up, lambda row: row.q[k])],
        traces=[Trace("path", foot)],
        arrows=_reaction(
            system, foot, lambda row: jnp.concatenate([row.force[:n], jnp.zeros(3 - n)])
        ),
    )


def _reaction(system: System, at: Of, force: Of) -> list[Arrow]:
    return [Arrow("reaction", at, force)] if system.is_constrained else []


def _in_plane(system: System, heading: bool, deep: bool) -> Scene:
    def at(row: Row):
        return row.q[:3] if deep else above(row.q)

    def force(row: Row):
        return row.force[:3] if deep else above(row.force)

    plate = shapes.plate(2.6 * _SIZE, 1.4 * _SIZE, 0.4 * _SIZE).moved(0.0, 0.0, 0.2 * _SIZE)
    shape = plate if heading else shapes.sphere(0.5 * _SIZE)
    body = Body(
        "body",
        shape.scaled_with_motion(),
        at,
        (lambda row: turn_z(row.q[2])) if heading else None,
    )
    return Scene([body], traces=[Trace("path", at)], arrows=_reaction(system, at, force))


def _point(system: System) -> Scene:
    """Return a body at the coordinates that are lengths, turned by the first that is an angle.

    If no coordinate is known to be an angle, and the class defines `path`, the body is at the path.
    """
    angles = [k for k, x in enumerate(_kinds(system)) if x == "rad"]
    if angles:
        return _turned_point(system, angles)

    def at(row: Row):
        return jnp.concatenate([jnp.ravel(system.path(row.q)), jnp.zeros(3)])[:3]

    return Scene(
        [Body("point", shapes.sphere(0.5 * _SIZE).scaled_with_motion(), at)],
        traces=[Trace("path", at)],
        note="A point at the first two coordinates (path). Names like x, y, theta "
        "(coordinate_names) draw a plate; scene() draws anything.",
    )


def _kinds(system: System) -> tuple[str, ...]:
    """Return the unit of each coordinate, guessed from its name if the system does not give it.

    The result is () if the path says more about the place of the body.
    """
    if type(system).path is not System.path or not isinstance(system.groupoid.base, Euclidean):
        return ()
    units = tuple(system.units)
    if len(units) == len(system.coordinate_labels):
        return units
    return tuple("rad" if x in _ANGLES else "m" for x in system.coordinate_labels)


def _turned_point(system: System, angles: list[int]) -> Scene:
    names = system.coordinate_labels
    lengths = [k for k in range(len(names)) if k not in angles][:3]
    axes = [_AXES[names[k]] for k in lengths if names[k] in _AXES]
    free = [k for k in range(3) if k not in axes]
    axis = {k: _AXES[names[k]] if names[k] in _AXES else free.pop(0) for k in lengths}
    if len(set(axis.values())) < len(lengths):  # two names of one axis
        axis = dict(zip(lengths, range(3)))
    upright = 1 not in axis.values()  # in a vertical plane, or a pendulum

    def at(row: Row):
        place = jnp.zeros(3)
        for k, i in axis.items():
            place = place.at[i].set(row.q[k])
        return place

    def attitude(row: Row):
        angle = row.q[angles[0]]
        return turn_y(-angle) if upright else turn_z(angle)

    size = 1.0 if not lengths else _SIZE  # alone, the hand is all that moves
    hand = shapes.plate(2.6 * size, 1.4 * size, 0.4 * size)
    shown = ", ".join(names[k] for k in (*lengths, angles[0]))
    return Scene(
        [Body("body", hand.scaled_with_motion() if lengths else hand, at, attitude)],
        traces=[Trace("path", at)] if lengths else [],
        ground=Ground() if lengths else None,
        note=f"A plate placed and turned by {shown}; scene() draws anything.",
    )
