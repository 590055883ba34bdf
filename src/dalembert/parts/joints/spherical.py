"""A ball and socket, with a rotation in SO(3) as coordinate."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from ..pieces import Joint, Motion, state
from ..vectors import Numbers, Rotation, Spin

_X, _Y, _Z = np.eye(3)


class Spherical(Joint):
    """A ball and socket, on SO(3): no chart, no gimbal lock. `speed` is the angular velocity."""

    start: Any = None  # a rotation matrix
    speed: Any = state((0.0, 0.0, 0.0))

    turns = True

    def place(self, x: Numbers, R: Rotation, xp: ModuleType) -> Motion:
        return Motion(None, R)

    def rates(self, x: Numbers, R: Rotation, u: Numbers, w: Spin, xp: ModuleType) -> Motion:
        return Motion(None, w)

    def columns(self, x: Numbers, R: Rotation, xp: ModuleType) -> list[Motion]:
        return [Motion(None, e) for e in (_X, _Y, _Z)]

    @property
    def start_numbers(self) -> Any:
        return ()

    @property
    def start_rotation(self) -> Any:
        return self.start
