"""The appearance of a system as plain data: bodies, shapes, traces, arrows, contacts.

    def scene(self):  # a method of a system
        return da.scene.Scene(
            [da.scene.Body("disk", da.scene.wheel(self.R, 0.1 * self.R), center, attitude)],
            traces=[da.scene.Trace("contact", foot)],
        )

`center`, `attitude` and `foot` are functions of a `Row` of the run, written in jax.numpy. A
system without a scene gets one from its space and names.
"""

from ..doors import guard as _guard
from .default import default_scene, scene_of
from .poses import Poses, poses, slip
from .scene import (
    Arrow,
    Body,
    Contact,
    Ground,
    Link,
    Of,
    Row,
    Scene,
    Trace,
    above,
    origin,
    turn_to,
    turn_x,
    turn_y,
    turn_z,
)
from .shapes import (
    Shape,
    axes,
    ball,
    blade,
    board,
    box,
    cylinder,
    disk,
    ellipsoid,
    hills,
    mesh,
    plate,
    rollers,
    shell,
    sphere,
    table,
    tile,
    tube,
    wheel,
)
from .wheels import OfPoint, rolling_wheels

__all__ = [
    "Arrow", "Body", "Contact", "Ground", "Link", "Of", "OfPoint", "Poses", "Row", "Scene", "Shape",
    "Trace", "above", "axes", "ball", "blade", "board", "box", "cylinder", "default_scene", "disk",
    "ellipsoid", "hills", "mesh", "origin", "plate", "poses", "rollers", "rolling_wheels",
    "scene_of", "shell", "slip", "sphere", "table", "tile", "tube", "turn_to", "turn_x", "turn_y",
    "turn_z", "wheel",
]  # fmt: skip

_guard(globals())
