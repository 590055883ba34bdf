"""A body that moves in a plane, with two lengths and an angle as coordinates."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from ..pieces import Joint, Motion, state
from ..vectors import Numbers, Rotation, Spin, turned, vector
from .free import Free

_X, _Y, _Z = np.eye(3)


class Planar(Joint):
    """A joint that slides along x and y of the parent and turns about z: cars on flat ground."""

    start: Any = state((0.0, 0.0, 0.0))
    speed: Any = state((0.0, 0.0, 0.0))

    numbers = (("x", "m"), ("y", "m"), ("theta", "rad"))
    is_root = True

    def place(self, x: Numbers, R: Rotation, xp: ModuleType) -> Motion:
        along_z: Any = vector("z")
        return Motion(xp.stack([x[0], x[1], xp.zeros(())]), turned(along_z, x[2], xp)[0])

    def rates(self, x: Numbers, R: Rotation, u: Numbers, w: Spin, xp: ModuleType) -> Motion:
        return Motion(xp.stack([u[0], u[1], xp.zeros(())]), _Z * u[2])

    def columns(self, x: Numbers, R: Rotation, xp: ModuleType) -> list[Motion]:
        return [Motion(_X), Motion(_Y), Motion(None, _Z)]

    def keeps_level(self, axle: int | None) -> bool:
        return True

    def released(self) -> Joint | None:
        return Free(self.body, self.parent, self.at, self.child_at, self.tilt, self.name)
