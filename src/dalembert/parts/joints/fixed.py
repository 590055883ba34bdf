"""A rigid connection, without coordinates."""

from __future__ import annotations

from types import ModuleType

from ..pieces import Joint, Motion
from ..vectors import Numbers, Rotation, Spin


class Fixed(Joint):
    """A rigid connection, without coordinates."""

    turns_body = False
    urdf = "fixed"

    def place(self, x: Numbers, R: Rotation, xp: ModuleType) -> Motion:
        return Motion()

    def rates(self, x: Numbers, R: Rotation, u: Numbers, w: Spin, xp: ModuleType) -> Motion:
        return Motion()

    def keeps_level(self, axle: int | None) -> bool:
        return True
