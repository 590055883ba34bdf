"""Shapes of bodies, as plain data that a viewer draws.

Lengths are in m. They may be traced parameters of the system, so no code here reads their values.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

Length = float | np.ndarray | jax.Array  # a number, or a (traced) parameter


@dataclasses.dataclass(frozen=True)
class Shape:
    """One piece of a body: its kind and lengths, its color, and its place on the body.

    A `relative` shape has lengths relative to the extent of the motion, for bodies without a given
    size. A length of None (the radius of a table) is chosen so that the motion fits.
    """

    kind: str
    size: Mapping[str, Any]
    color: str = "run"  # "run": the color of the run; "light", "dark", "metal", "accent", "#rrggbb"
    at: tuple[Length, Length, Length] = (0.0, 0.0, 0.0)
    turn: tuple[tuple[float, ...], ...] | None = None  # rotation matrix; None: no rotation
    relative: bool = False

    def __hash__(self) -> int:  # without the lengths, which may be arrays
        return hash((self.kind, tuple(self.size), self.color, self.relative))

    def moved(self, x: Length, y: Length, z: Length) -> Shape:
        """Return the same piece, displaced on the body."""
        a, b, c = self.at
        return dataclasses.replace(self, at=(a + x, b + y, c + z))

    def turned(self, axis: Sequence[float], angle: float) -> Shape:
        """Return the same piece, rotated about an axis through its place."""
        turn = rotation_matrix(axis, angle) @ (np.eye(3) if self.turn is None else self.turn)
        return dataclasses.replace(self, turn=tuple(map(tuple, turn.tolist())))

    def painted(self, color: str) -> Shape:
        """Return the same piece in another color."""
        return dataclasses.replace(self, color=color)

    def scaled_with_motion(self) -> Shape:
        """Return the same piece, with lengths relative to the extent of the motion."""
        return dataclasses.replace(self, relative=True)


def _flat(shape: Shape) -> tuple[tuple[Any, ...], Any]:
    names = tuple(shape.size)
    rest = (shape.kind, names, shape.color, shape.turn, shape.relative)
    return (tuple(shape.size.values()), shape.at), rest


def _from_flat(rest: Any, parts: Any) -> Shape:
    kind, names, color, turn, relative = rest
    return Shape(kind, dict(zip(names, parts[0])), color, parts[1], turn, relative)


# Lengths are pytree leaves, so that a part of a machine may contain its shape.
jax.tree_util.register_pytree_node(Shape, _flat, _from_flat)


def rotation_matrix(axis: Sequence[float], angle: float) -> np.ndarray:
    """Return the rotation by an angle about a fixed axis (Rodrigues' formula)."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    hat = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * hat + (1 - np.cos(angle)) * hat @ hat


def sphere(radius: Length) -> Shape:
    """Return a plain sphere."""
    return Shape("sphere", {"radius": radius})


def ball(radius: Length | None) -> Shape:
    """Return a sphere with a pattern that makes its rotation visible."""
    return Shape("ball", {"radius": radius})


def shell(radius: Length) -> Shape:
    """Return a transparent sphere."""
    return Shape("shell", {"radius": radius}, "light")


def ellipsoid(x: Length, y: Length, z: Length) -> Shape:
    """Return an ellipsoid, by its half axes."""
    return Shape("ellipsoid", {"x": x, "y": y, "z": z})


def cylinder(radius: Length, height: Length) -> Shape:
    """Return a cylinder about the third axis, centered."""
    return Shape("cylinder", {"radius": radius, "height": height})


def tube(radius: Length, length: Length | None = None) -> Shape:
    """Return a transparent pipe about the third axis; by default as long as the motion needs."""
    return Shape("tube", {"radius": radius, "height": length}, "light")


def hills(height: Callable[[Any, Any], Any]) -> Shape:
    """Return the surface z = height(x, y), in jax.numpy, as far as the motion needs.

    Give it to a body that does not move, `Body(..., stage=True)`.
    """
    return Shape("hills", {"height": height}, "light")


def rollers(radius: Length, width: Length, angle: Length) -> Shape:
    """Return a mecanum wheel; the axes of its rollers make an angle in rad with the axle.

    The axle is the second axis. The angle is that of `parts.mecanum`.
    """
    return Shape("rollers", {"radius": radius, "width": width, "angle": angle})


def box(x: Length, y: Length, z: Length) -> Shape:
    """Return a box, by its edges, centered."""
    return Shape("box", {"x": x, "y": y, "z": z})


def plate(length: Length, width: Length, height: Length) -> Shape:
    """Return a flat body with a nose along the first axis, centered."""
    return Shape("plate", {"x": length, "y": width, "z": height})


def board(length: Length, width: Length, height: Length) -> Shape:
    """Return a deck with round ends along the first axis, centered."""
    return Shape("board", {"x": length, "y": width, "z": height})


def wheel(radius: Length, width: Length) -> Shape:
    """Return a wheel with spokes; its axle is the second axis, so that it rolls along the first."""
    return Shape("wheel", {"radius": radius, "width": width})


def disk(radius: Length, width: Length) -> Shape:
    """Return a solid disk with sectors and a mark at its rim; its axle is the second axis."""
    return Shape("disk", {"radius": radius, "width": width})


def blade(length: Length, height: Length) -> Shape:
    """Return a knife edge: it touches at the origin, and stands along the first axis."""
    return Shape("blade", {"x": length, "z": height}, "metal")


def tile(radius: Length) -> Shape:
    """Return a small transparent disk normal to the third axis, to show a plane of velocities."""
    return Shape("tile", {"radius": radius}, "accent")


def table(thickness: Length, radius: Length | None = None) -> Shape:
    """Return a round table whose top is at height zero; by default as large as the motion needs."""
    return Shape("table", {"radius": radius, "height": thickness}, "light")


def axes(length: Length) -> Shape:
    """Return three arrows along the axes of the body."""
    return Shape("axes", {"length": length})


def mesh(vertices: Any, faces: Any) -> Shape:
    """Return a triangle mesh: points (n, 3) in m, and the indices (k, 3) of the corners."""
    return Shape("mesh", {"vertices": vertices, "faces": faces})
