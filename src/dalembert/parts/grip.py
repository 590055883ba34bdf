"""Check that mecanum wheels hold their platform, which fails if signs of `rollers` are wrong."""

from __future__ import annotations

import numpy as np

from ..errors import UsageError
from ..system import Point
from .contacts import Wheel
from .motion import frames
from .surfaces import Plane
from .topology import Assembly, Layout
from .vectors import direction

_PLATFORM = 3  # wheels on one body, each with one row, can hold its three motions in the plane
_SMALL = 1e-6


def refuse_no_grip(
    machine: Assembly, layout: Layout, q: Point, slopes: np.ndarray, levers: np.ndarray
) -> None:
    """Refuse a body that slides or turns freely while all of its mecanum wheels stand still.

    `slopes` is the matrix of all constraint rows at q; multiplied by `levers`, rates become m/s.
    """
    joints = {joint.body: (i, joint) for i, joint in enumerate(machine.joints)}
    carried: dict[str, list[Wheel]] = {}
    for contact in machine.contacts:
        if isinstance(contact, Wheel) and contact.rollers is not None:
            joint = joints[contact.body][1]
            if joint.hinge is not None and isinstance(contact.ground, Plane):
                carried.setdefault(joint.parent, []).append(contact)
    for body, wheels in carried.items():
        if len(wheels) < _PLATFORM:
            continue
        axles = [layout.slots[joints[w.body][0]][0] for w in wheels]
        free = [k for k in range(layout.dim) if k not in axles]
        _, sizes, V = np.linalg.svd(slopes[:, free] / levers[free])
        rank = int(np.sum(sizes > _SMALL * sizes[0])) if len(sizes) else 0
        normal = direction(wheels[0].ground.normal, np)  # pyright: ignore
        for motion in V[rank:]:
            v = np.zeros(layout.dim)
            v[free] = motion / levers[free]
            frame = frames(machine, layout, q, v, np)[body]
            turn = abs(normal @ (frame.turn @ frame.spin)) * np.max(levers)
            slide = np.linalg.norm(np.cross(normal, frame.speed))
            if max(turn, slide) > _SMALL:
                raise UsageError(
                    f"body '{body}' {'turns' if turn > slide else 'slides'} freely while its "
                    f"mecanum wheels ({', '.join(w.label for w in wheels)}) stand still",
                    advice="Check the signs of rollers=: with x ahead and y to the left they are "
                    "-pi/4 front left and rear right, +pi/4 front right and rear left",
                )
