"""Parts that are composed of other parts."""

from __future__ import annotations

from typing import Any

from .. import scene as sc
from .contacts import Wheel
from .joints import Revolute
from .pieces import Body, Part


def caster(
    name: str,
    parent: str,
    at: Any,
    radius: Any,
    trail: Any,
    mass: Any = 0.1,
    fork_mass: Any = 0.1,
    start: Any = 0.0,
    **law: Any,
) -> list[Part]:
    """Return the parts of a caster: a wheel that trails behind the vertical pivot at `at`.

    The pivot `at` is a point of the parent, at the height of the wheel's axle. Two bodies, "NAME
    fork" and "NAME wheel", with a hinge each, and a wheel that rolls. `law` takes the coefficients
    of friction of the wheel, such as mu=0.8, rolling=0.001.
    """
    fork, wheel = f"{name} fork", f"{name} wheel"
    return [
        Body(fork, fork_mass, shape=sc.box(trail, 0.2 * radius, 0.2 * radius)),
        Revolute(fork, parent, at=at, axis="z", start=start),
        Body(wheel, mass, shape=sc.wheel(radius, 0.4 * radius)),
        Revolute(wheel, fork, at=(-trail, 0, 0), axis="y"),
        Wheel(wheel, radius, **law),
    ]
