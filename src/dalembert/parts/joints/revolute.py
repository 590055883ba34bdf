"""A hinge, with the angle about its axis as coordinate."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import equinox as eqx

from ..pieces import Joint, Motion, numeric
from ..vectors import Number, Numbers, Rotation, Spin, direction, turned, vector


class Revolute(Joint):
    """A hinge about an axis of the parent (after `tilt`)."""

    axis: Any = eqx.field(converter=vector, default="z")
    start: Number = numeric(0.0)
    speed: Number = numeric(0.0)

    numbers = (("", "rad"),)
    urdf = "continuous"

    def place(self, x: Numbers, R: Rotation, xp: ModuleType) -> Motion:
        return Motion(None, turned(self.axis, x[0], xp)[0])

    def rates(self, x: Numbers, R: Rotation, u: Numbers, w: Spin, xp: ModuleType) -> Motion:
        return Motion(None, direction(self.axis, xp) * u[0])

    def columns(self, x: Numbers, R: Rotation, xp: ModuleType) -> list[Motion]:
        return [Motion(None, direction(self.axis, xp))]

    @property
    def hinge(self) -> Any:
        return self.axis

    def keeps_level(self, axle: int | None) -> bool:
        about = self.axis.axis
        return about is not None and (about[0] == 2 or about[0] == axle)
