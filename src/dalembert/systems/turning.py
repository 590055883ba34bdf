"""Balls that roll in a cone and in a bowl which turn about the vertical."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import parts
from ..system import Invariants, Point, parameter
from ._common import energy
from .rolling import RoundBody


class _Cone(parts.Surface):
    """A cone that opens upwards from the origin, seen from inside, turning about the vertical."""

    tilt: Any  # angle of its lines from the horizontal
    rate: Any

    def distance(self, x: Any, xp: Any) -> tuple[Any, Any]:
        away = xp.sqrt(x[0] ** 2 + x[1] ** 2)
        s, c = xp.sin(self.tilt), xp.cos(self.tilt)
        n = xp.stack([-s * x[0] / away, -s * x[1] / away, c + 0.0 * away])
        return n @ x, n

    def height_over(self, x: Any, y: Any) -> Any:
        return jnp.tan(self.tilt) * jnp.hypot(x, y)

    @property
    def moves(self) -> bool:
        return True

    def velocity(self, t: Any, x: Any, xp: Any) -> Any:
        return self.rate * xp.stack([-x[1], x[0], 0.0 * x[2]])

    def turning(self, t: Any, xp: Any) -> Any:
        return self.rate * xp.asarray(np.array([0.0, 0.0, 1.0]))


class _TurningBall(RoundBody):
    """A ball in a vessel that turns about the vertical at a constant rate."""

    Theta: float = parameter(1.0, "rad/s", "angular velocity of the vessel, any sign")
    g: float = parameter(9.81, "m/s^2", "gravity")

    def rolled_in(
        self, place: jax.Array, normal: jax.Array, omega: jax.Array
    ) -> tuple[Point, jax.Array]:
        """Return (q, v) of a ball at a place, rolling with a spatial angular velocity."""
        q, v = self.spun(place, normal, omega)
        touch = place - self.r * normal
        carried = self.Theta * jnp.stack([-touch[1], touch[0], 0.0 * touch[2]])
        return q, v.at[:3].add(carried)

    def moving_energy(self, q: Point, v: jax.Array) -> jax.Array:
        """Return E - Theta (m (x y' - y x') + I omega_3)."""
        x, I = q[0], self.ratio * self.m * self.r**2
        orbital = self.m * (x[0] * v[1] - x[1] * v[0])
        return energy(self)(q, v) - self.Theta * (orbital + I * (q[1][2] @ v[3:]))


class BallInTurningCone(_TurningBall):
    """A homogeneous ball that rolls in a cone which turns about its vertical axis.

    q = (center in m, attitude), v = (its velocity, body angular velocity). The height is a
    holonomic constraint; two rows are the rolling condition: the contact point of the ball moves
    with the cone. The energy is not conserved (the cone does work); the moving energy
    E - Theta (m (x y' - y x') + I omega_3) is.

    Reference: Borisov, Mamaev, Kilin 2002; Fasso, Sansonetto 2016 (moving energy).
    """

    tilt: float = parameter(0.5, "rad", "angle of the cone's lines from the horizontal")

    reference = "Borisov, Mamaev, Kilin 2002; Fasso, Sansonetto 2016"

    def parts(self) -> list[Any]:
        return [*self.ball(_Cone(self.tilt, self.Theta)), parts.Gravity(self.g)]

    def initial(self) -> tuple[Point, jax.Array]:
        s, c = jnp.sin(self.tilt), jnp.cos(self.tilt)
        o = jnp.zeros(())
        normal = jnp.stack([-s, o, c])
        place = 0.8 * jnp.stack([c, o, s]) + self.r * normal
        return self.rolled_in(place, normal, jnp.array([12.0, 3.0, 4.0]))

    @property
    def invariants(self) -> Invariants:
        return {"moving_energy": self.moving_energy}


class BallInTurningBowl(_TurningBall):
    """A homogeneous ball that rolls in a spherical bowl which turns about the vertical.

    q = (center in m, attitude), v = (its velocity, body angular velocity). The energy is not
    conserved. The moving energy E - Theta (m (x y' - y x') + I omega_3) is, and, with n the inward
    normal,

        omega . n - Theta (R/r) n_3

    (the friction has no moment about n, and n' = -x'/(R - r)).

    Reference: Borisov, Mamaev, Kilin 2002; Fasso, Sansonetto 2016 (moving energy).
    """

    R: float = parameter(1.0, "m", "radius of the bowl", positive=True)

    reference = "Borisov, Mamaev, Kilin 2002; Fasso, Sansonetto 2016"

    def parts(self) -> list[Any]:
        bowl = parts.Sphere(self.R, inside=True, spin=(0.0, 0.0, self.Theta))
        return [*self.ball(bowl), parts.Gravity(self.g)]

    def initial(self) -> tuple[Point, jax.Array]:
        normal = jnp.array([-np.sin(0.7), 0.0, np.cos(0.7)])
        return self.rolled_in(-(self.R - self.r) * normal, normal, jnp.array([9.0, 2.0, 3.0]))

    def normal_spin(self, q: Point, v: jax.Array) -> jax.Array:
        """Return omega . n - Theta (R/r) n_3."""
        away = jnp.sqrt(q[0] @ q[0])  # R - r
        n = -q[0] / away
        return self.angular_velocity(q, v) @ n - self.Theta * (away + self.r) / self.r * n[2]

    @property
    def invariants(self) -> Invariants:
        return {"moving_energy": self.moving_energy, "normal_spin": self.normal_spin}
