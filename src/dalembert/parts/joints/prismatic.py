"""A slider, with the length along its axis as coordinate."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import equinox as eqx

from ..pieces import Joint, Motion, numeric
from ..vectors import Number, Numbers, Rotation, Spin, direction, vector


class Prismatic(Joint):
    """A slider along an axis of the parent (after `tilt`)."""

    axis: Any = eqx.field(converter=vector, default="x")
    start: Number = numeric(0.0)
    speed: Number = numeric(0.0)

    numbers = (("", "m"),)
    turns_body = False
    urdf = "prismatic"

    def place(self, x: Numbers, R: Rotation, xp: ModuleType) -> Motion:
        return Motion(direction(self.axis, xp) * x[0])

    def rates(self, x: Numbers, R: Rotation, u: Numbers, w: Spin, xp: ModuleType) -> Motion:
        return Motion(direction(self.axis, xp) * u[0])

    def columns(self, x: Numbers, R: Rotation, xp: ModuleType) -> list[Motion]:
        return [Motion(direction(self.axis, xp))]

    def keeps_level(self, axle: int | None) -> bool:
        return True
