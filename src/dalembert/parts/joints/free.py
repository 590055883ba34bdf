"""A free body: a position in R^3 and a rotation in SO(3)."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from ..pieces import Joint, Motion, state
from ..vectors import Numbers, Rotation, Spin, stacked

_X, _Y, _Z = np.eye(3)


class Free(Joint):
    """A joint that holds nothing: a position in R^3 and an attitude in SO(3).

    `start` is a point, or (point, rotation matrix). `speed` is six numbers: the velocity of the
    body's origin along the axes of the parent, and the angular velocity along those of the body.
    """

    start: Any = state((0.0, 0.0, 0.0))
    speed: Any = state((0.0,) * 6)

    numbers = (("x", "m"), ("y", "m"), ("z", "m"))
    turns = True
    is_root = True
    urdf = "floating"

    def place(self, x: Numbers, R: Rotation, xp: ModuleType) -> Motion:
        return Motion(stacked(x, xp), R)

    def rates(self, x: Numbers, R: Rotation, u: Numbers, w: Spin, xp: ModuleType) -> Motion:
        return Motion(stacked(u, xp), w)

    def columns(self, x: Numbers, R: Rotation, xp: ModuleType) -> list[Motion]:
        return [*(Motion(e) for e in (_X, _Y, _Z)), *(Motion(None, e) for e in (_X, _Y, _Z))]

    @property
    def _has_rotation(self) -> bool:
        return isinstance(self.start, (tuple, list)) and len(self.start) == 2

    @property
    def start_numbers(self) -> Any:
        return self.start[0] if self._has_rotation else self.start

    @property
    def start_rotation(self) -> Any:
        return self.start[1] if self._has_rotation else None
