"""Wheels that lie almost flat, where a contact of one point does not describe them.

The point of contact is opposite to `up`, the part of the normal in the plane of the wheel. Near the
flat pose it races round the rim at the rate |d(up)/dt|/|up|, and in that pose it is undefined: the
whole rim touches. A step that is long beside 1/rate leads across that pose to another motion.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..diagnostics.series import over_rows
from ..parts import Machine, Wheel
from ..parts.vectors import direction
from ..system import Point

_FLAT = 0.05  # sine of the angle to the surface; runs with h = 1e-3 s gained 1 % below 0.02


class Flat(NamedTuple):
    """The row at which a wheel comes nearest to lying flat."""

    wheel: str
    t: float
    angle: float  # to the surface, in degrees

    def __str__(self) -> str:
        return (
            f"'{self.wheel}' lies almost flat at t = {self.t:.6g} ({self.angle:.2g} degrees), "
            "where its point of contact races round the rim; a flat wheel touches with its whole "
            "rim, which a contact of one point cannot describe"
        )


def flattest(arcs: Iterable[tuple[Any, Any]]) -> Flat | None:
    """Return where a wheel comes nearest to flat in these (system, rows); None if none does."""
    found: list[Flat] = []
    for system, rows in arcs:
        names = [x.label for x in _wheels(system)] if isinstance(system, Machine) else []
        if not names or not len(rows.t):
            continue
        sines = np.asarray(over_rows(_sines, system, rows))
        sines = np.where(np.isfinite(sines), sines, np.inf)
        k, i = np.unravel_index(np.argmin(sines), sines.shape)
        if sines[k, i] < _FLAT:
            angle = float(np.degrees(np.arcsin(sines[k, i])))
            found.append(Flat(names[i], float(rows.t[k]), angle))
    return min(found, key=lambda x: x.angle, default=None)


def _wheels(system: Any) -> list[Wheel]:
    return [x for x in system.parts() if isinstance(x, Wheel) and x.has_law]


def _sines(system: Any, t: Any, q: Point, v: jax.Array) -> jax.Array:
    """Return |up| of each wheel: the sine of its angle to the surface."""
    frames, found = system.frames(q), []
    for wheel in _wheels(system):
        frame = frames[wheel.body]
        n = wheel.touch(frame, jnp).normal
        across = jnp.cross(n, frame.turn @ direction(wheel.axis, jnp))
        found.append(jnp.sqrt(across @ across))
    return jnp.stack(found)


__all__ = ["Flat", "flattest"]
