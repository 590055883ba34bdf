"""Moments of inertia of solid uniform shapes, about their center and along their axes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from .. import scene as sc


def inertia_of(shape: sc.Shape, mass: Any, xp: ModuleType) -> Any:
    """Return the three moments of a solid uniform body of a shape; None if it has no volume."""
    s = shape.size
    if shape.turn is not None:
        return None
    if shape.kind in ("sphere", "ball"):
        both = 0.4 * mass * s["radius"] ** 2
        return (both, both, both)
    if shape.kind == "shell":
        both = 2 / 3 * mass * s["radius"] ** 2
        return (both, both, both)
    if shape.kind == "ellipsoid":
        x, y, z = s["x"] ** 2, s["y"] ** 2, s["z"] ** 2
        return (0.2 * mass * (y + z), 0.2 * mass * (x + z), 0.2 * mass * (x + y))
    if shape.kind in ("box", "plate", "board"):
        x, y, z = s["x"] ** 2, s["y"] ** 2, s["z"] ** 2
        return (mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)
    if shape.kind in ("wheel", "disk", "cylinder"):
        long = s["height"] if shape.kind == "cylinder" else s["width"]
        side = mass * (3 * s["radius"] ** 2 + long**2) / 12
        axial = 0.5 * mass * s["radius"] ** 2
        return (side, side, axial) if shape.kind == "cylinder" else (side, axial, side)
    return None
