"""Bodies that roll on a plane, a sphere and in a cylinder, from parts."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import parts
from .. import scene as sc
from ..groups import SO
from ..system import Generators, Invariants, Point, parameter
from ._common import energy, shifts

_SO3 = SO(3)


def _about_the_vertical(q: Point) -> jax.Array:
    """Return the field of turns about the vertical, place and attitude together: (6, 1)."""
    up = jnp.array([0.0, 0.0, 1.0])
    return jnp.concatenate([jnp.cross(up, q[0]), q[1].T @ up])[:, None]


def _along_the_plane(q: Point) -> jax.Array:
    """Return the fields of SE(2): shifts along the plane, and turns about the vertical; (6, 3)."""
    return jnp.concatenate([jnp.eye(6)[:, :2], _about_the_vertical(q)], axis=1)


class _RollingBody(parts.Machine):
    """One free body with one contact; q = (center of mass, attitude), v = (its velocity, Omega)."""

    def angular_velocity(self, q: Point, v: jax.Array) -> jax.Array:
        """Return the angular velocity in space."""
        return q[1] @ v[3:]

    def rolled(
        self, place: jax.Array, turn: jax.Array, omega: jax.Array
    ) -> tuple[Point, jax.Array]:
        """Return (q, v) on the plane below `place`, with this attitude and body velocity."""
        q = (place, turn)
        q = (place.at[2].add(-self.holonomic(q)[0]), turn)
        lever = self.touching(q)
        return q, jnp.concatenate([-turn @ jnp.cross(omega, turn.T @ lever), omega])

    def touching(self, q: Point) -> jax.Array:
        """Return the vector from the center of mass to the contact point, in space."""
        where, _ = self.reactions(q, jnp.zeros(3))["body"]
        return where - q[0]

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}

    @property
    def symmetry_generators(self) -> Generators:
        return {"translations": shifts(6, 0, 1), "se2": _along_the_plane}


class Rattleback(_RollingBody):
    """A half ellipsoid with skew axes of inertia, which prefers one direction of spin.

    q = (center of mass in m, attitude) on R^3 x SO(3), v = (its velocity in m/s, body angular
    velocity in rad/s). The height is a holonomic constraint; two rows are the rolling condition.
    Spun in the wrong direction it begins to rattle and reverses its spin. Conserved: the energy.

    Reference: the data of the field's benchmark (Kane and Levinson 1982), spin 5 rad/s either way.
    """

    a: float = parameter(0.2, "m", "half axis, long", positive=True)
    b: float = parameter(0.03, "m", "half axis, across", positive=True)
    c: float = parameter(0.02, "m", "half axis, vertical", positive=True)
    low: float = parameter(0.01, "m", "center of mass below the center")
    m: float = parameter(1.0, "kg", "mass", positive=True)
    A: float = parameter(2e-4, "kg m^2", "moment of inertia about the long axis", positive=True)
    B: float = parameter(16e-4, "kg m^2", "moment of inertia, across", positive=True)
    C: float = parameter(17e-4, "kg m^2", "moment of inertia, vertical", positive=True)
    D: float = parameter(-0.2e-4, "kg m^2", "product of inertia of the horizontal axes")
    spin: float = parameter(5.0, "rad/s", "initial spin about the vertical, either sign")
    g: float = parameter(9.81, "m/s^2", "gravity")

    reference = "Kane, Levinson 1982"

    def parts(self) -> list[Any]:
        o = jnp.zeros(())
        shape = sc.ellipsoid(self.a, self.b, self.c).moved(0.0, 0.0, self.low)
        return [
            parts.Body("body", self.m, (self.A, self.B, self.C, self.D, o, o), shape=shape),
            parts.Free("body"),
            parts.Ellipsoid("body", (self.a, self.b, self.c), at=(0, 0, self.low)),
            parts.Gravity(self.g),
        ]

    def initial(self) -> tuple[Point, jax.Array]:
        """Return a start with half a degree of lean and pitch, and the spin."""
        lean = np.deg2rad(0.5)
        R = _SO3.exp(jnp.array([lean, lean, 0.0]))
        return self.rolled(jnp.zeros(3), R, self.spin * R[2])


class RouthSphere(_RollingBody):
    """A ball whose center of mass lies on its axis of symmetry, beside its center: three integrals.

    q = (center of mass in m, attitude), v = (its velocity, body angular velocity); the center is
    `off` from the center of mass along the third axis of the body. With r from the center of
    mass to the contact, L the angular momentum about the center of mass and theta the angle of the
    axis from the vertical, these are conserved:

        E,    L . r (Jellett),
        omega_3 sqrt(I3 + m R^2 sin^2 theta + (I3/I1) m (R cos theta - off)^2) (Routh)

    Reference: Routh 1884, Jellett 1872; a tippe top that does not slip.
    """

    R: float = parameter(0.1, "m", "radius", positive=True)
    off: float = parameter(0.03, "m", "from the center of mass to the center")
    m: float = parameter(1.0, "kg", "mass", positive=True)
    I1: float = parameter(0.004, "kg m^2", "moment of inertia across the axis", positive=True)
    I3: float = parameter(0.0035, "kg m^2", "moment of inertia about the axis", positive=True)
    g: float = parameter(9.81, "m/s^2", "gravity")

    reference = "Routh 1884; Jellett 1872"

    def parts(self) -> list[Any]:
        o = 0.0
        return [
            parts.Body(
                "body",
                self.m,
                (self.I1, self.I1, self.I3),
                shape=(
                    sc.ball(self.R).moved(o, o, self.off),
                    sc.sphere(0.15 * self.R).painted("accent"),
                ),
            ),
            parts.Free("body"),
            parts.Ball("body", self.R, at=(0, 0, self.off)),
            parts.Gravity(self.g),
        ]

    def initial(self) -> tuple[Point, jax.Array]:
        return self.rolled(
            jnp.zeros(3), _SO3.exp(jnp.array([0.6, 0.0, 0.0])), jnp.array([0.5, 1.0, 20.0])
        )

    def jellett(self, q: Point, v: jax.Array) -> jax.Array:
        """Return L . r."""
        L = q[1] @ (jnp.stack([self.I1, self.I1, self.I3]) * v[3:])
        return L @ self.touching(q)

    def routh(self, q: Point, v: jax.Array) -> jax.Array:
        """Return Routh's integral: omega_3 times the square root in the class docstring."""
        cos = q[1][2, 2]
        lever = (self.R * cos - self.off) ** 2
        drag = self.m * (self.R**2 * (1 - cos**2) + self.I3 / self.I1 * lever)
        return v[5] * jnp.sqrt(self.I3 + drag)

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "jellett": self.jellett, "routh": self.routh}


class RollingEllipsoid(_RollingBody):
    """A solid ellipsoid with three different axes that rolls on a plane.

    q = (center in m, attitude), v = (its velocity, body angular velocity). Conserved: the energy.
    There is no invariant measure for three different axes.

    Reference: Borisov, Mamaev 2002; Garcia-Naranjo, Marrero 2013 (no measure).
    """

    a: float = parameter(0.3, "m", "half axis", positive=True)
    b: float = parameter(0.25, "m", "half axis", positive=True)
    c: float = parameter(0.2, "m", "half axis", positive=True)
    m: float = parameter(1.0, "kg", "mass", positive=True)
    g: float = parameter(9.81, "m/s^2", "gravity")

    reference = "Borisov, Mamaev 2002"

    def parts(self) -> list[Any]:
        shape = sc.ellipsoid(self.a, self.b, self.c)
        return [
            parts.Body("body", self.m, shape=shape),
            parts.Free("body"),
            parts.Ellipsoid("body", (self.a, self.b, self.c)),
            parts.Gravity(self.g),
        ]

    def initial(self) -> tuple[Point, jax.Array]:
        R = _SO3.exp(jnp.array([0.4, 0.2, 0.0]))
        return self.rolled(jnp.zeros(3), R, jnp.array([2.0, 1.0, 0.5]))


class RoundBody(_RollingBody):
    """A homogeneous ball on a curved surface."""

    r: float = parameter(0.1, "m", "radius of the ball", positive=True)
    m: float = parameter(1.0, "kg", "mass", positive=True)
    ratio: float = parameter(0.4, "1", "moment of inertia over m r^2", positive=True)

    def ball(self, surface: parts.Surface) -> list[Any]:
        """Return the parts of a ball on a surface."""
        return [
            parts.Body("body", self.m, self.ratio * self.m * self.r**2, shape=sc.ball(self.r)),
            parts.Free("body"),
            parts.Ball("body", self.r, surface=surface),
        ]

    def spun(self, place: jax.Array, normal: jax.Array, omega: jax.Array):
        """Return (q, v) of a ball at a place, rolling with a spatial angular velocity."""
        v = jnp.cross(omega, self.r * normal)
        return (place, jnp.eye(3)), jnp.concatenate([v, omega])

    def _level(self, q: Point) -> jax.Array:
        return jnp.concatenate([q[0][:2], jnp.zeros(1)])

    @property
    def symmetry_generators(self) -> Generators:
        return {"rotation": _about_the_vertical}


class SphereInCylinder(RoundBody):
    """A ball that rolls inside of a vertical pipe: it climbs out again (the golfer's dilemma).

    q = (center in m, attitude), v = (its velocity, body angular velocity). The center goes round at
    a constant rate and up and down as a harmonic oscillator, z'' = -k/(1 + k) turn^2 z + constant
    with k = I/(m r^2). Conserved: the energy, the rate of going round.

    Reference: Neimark, Fufaev 1972, ch. III; Gualtieri and others 2006 (golf ball).
    """

    R: float = parameter(0.5, "m", "radius of the pipe", positive=True)
    g: float = parameter(9.81, "m/s^2", "gravity")

    reference = "Neimark, Fufaev 1972"

    def parts(self) -> list[Any]:
        return [*self.ball(parts.Cylinder(self.R)), parts.Gravity(self.g)]

    def initial(self) -> tuple[Point, jax.Array]:
        reach = self.R - self.r
        place = jnp.stack([reach, jnp.zeros(()), jnp.zeros(())])
        out = jnp.array([-1.0, 0.0, 0.0])
        turn = 4.0  # rad/s about the pipe: v = omega x (r n), so omega_z = -turn reach/r
        return self.spun(place, out, jnp.stack([2.0, 0.5, -turn * reach / self.r]))

    def turning(self, q: Point, v: jax.Array) -> jax.Array:
        """Return the angular rate of the center about the axis of the pipe."""
        at = self._level(q)
        return jnp.cross(at, v[:3])[2] / (at @ at)

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "turning": self.turning}


class SphereOnSphere(RoundBody):
    """A ball that rolls on top of a sphere at rest, held to it (a two-sided constraint).

    q = (center in m, attitude), v = (its velocity, body angular velocity). Conserved: the energy,
    the spin about the normal, and with it a momentum about the vertical.

    Reference: Neimark, Fufaev 1972; Borisov, Mamaev, Kilin 2002.
    """

    R: float = parameter(0.5, "m", "radius of the sphere below", positive=True)
    g: float = parameter(9.81, "m/s^2", "gravity")

    reference = "Borisov, Mamaev, Kilin 2002"

    def parts(self) -> list[Any]:
        return [*self.ball(parts.Sphere(self.R)), parts.Gravity(self.g)]

    def initial(self) -> tuple[Point, jax.Array]:
        tilt = 0.3
        normal = jnp.array([np.sin(tilt), 0.0, np.cos(tilt)])
        # fast enough a spin holds it near the top
        return self.spun((self.R + self.r) * normal, normal, 60.0 * normal + jnp.array([0, 1.0, 0]))

    def normal_spin(self, q: Point, v: jax.Array) -> jax.Array:
        """Return omega . n."""
        return self.angular_velocity(q, v) @ q[0] / jnp.sqrt(q[0] @ q[0])

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "normal_spin": self.normal_spin}
