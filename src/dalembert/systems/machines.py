"""Vehicles and robots from parts: sleigh, car and trailers, mecanum platform, unicycle, snake."""

from __future__ import annotations

import dataclasses
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from .. import parts
from .. import scene as sc
from ..errors import UsageError
from ..linalg import Real
from ..system import Generators, Invariants, Point, parameter
from ._common import energy, planar_motions, whole


class _Vehicle(parts.Machine):
    """A machine that conserves its energy without controls."""

    reference = "ours"

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(self.dim, 2)}


def _box(length: Real, width: Real, height: Real = 0.06) -> sc.Shape:
    return sc.box(length, width, height).moved(0.0, 0.0, 0.5 * height)


def _axle(length: Real, height: Real) -> sc.Shape:
    """Return a bar across the vehicle, at the height of the wheels' centers."""
    return sc.box(0.05 * length, length, 0.05 * length).moved(0, 0, height).painted("metal")


def _towed(name: str, parent: str, m: Real, J: Real, bar: Real, at: Real, **start: Any):
    """Return a body with an axle (a blade) behind its hitch, its mass over the axle."""
    shape = sc.box(0.6 * bar, 0.4 * bar, 0.12 * bar).moved(-bar, 0.0, 0.2 * bar)
    rod = sc.box(bar, 0.04 * bar, 0.04 * bar).moved(-0.5 * bar, 0.0, 0.12 * bar).painted("metal")
    axle = _axle(0.6 * bar, 0.12 * bar).moved(-bar, 0, 0)
    return [
        parts.Body(name, m, J, center=(-bar, 0, 0), shape=(shape, rod, axle)),
        parts.Revolute(name, parent, at=(at, 0, 0), **start),
        parts.Skate(name, at=(-bar, 0, 0)),
    ]


class SleighWithTrailer(_Vehicle):
    """A Chaplygin sleigh that pulls a cart with one axle.

    q = (x, y, theta, trailer): the blade in m, heading and angle at the hitch in rad. The center of
    mass of the sleigh is a ahead of its blade, the hitch b behind the blade, the cart's axle d
    behind the hitch. Conserved: the energy.

    Reference: a Chaplygin sleigh with a trailer, as in Bolzern and others 2001; data are ours.
    """

    m: float = parameter(1.0, "kg", "mass of the sleigh", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia of the sleigh", positive=True)
    a: float = parameter(0.2, "m", "center of mass ahead of the blade")
    b: float = parameter(0.3, "m", "hitch behind the blade")
    m_t: float = parameter(0.5, "kg", "mass of the cart", positive=True)
    J_t: float = parameter(0.1, "kg m^2", "moment of inertia of the cart", positive=True)
    d: float = parameter(0.6, "m", "from the hitch to the cart's axle", positive=True)

    reference = "Bolzern and others 2001"

    def parts(self) -> list[Any]:
        body = (sc.plate(0.8, 0.4, 0.08).moved(0.0, 0.0, 0.1), sc.blade(0.2, 0.1))
        return [
            parts.Body("sleigh", self.m, self.J, center=(self.a, 0, 0), shape=body),
            parts.Planar("sleigh", speed=(1.0, 0.0, 0.8)),
            parts.Skate("sleigh"),
            _towed("trailer", "sleigh", self.m_t, self.J_t, self.d, -self.b, start=0.4),
        ]


class CarWithTrailers(_Vehicle):
    """A car that pulls n trailers, each hitched to the middle of the axle before it.

    q = (x, y, theta, steer, trailer 1, ..., trailer n): the rear axle in m, heading, steering angle
    and angles at the hitches in rad. No axle slips sideways: n + 2 rows; two speeds are left.

    Reference: the n-trailer system of Laumond 1993 and Sordalen 1993, with masses; data are ours.
    """

    n: int = eqx.field(static=True, converter=whole("n"), default=2)
    m: float = parameter(1.0, "kg", "mass of the car", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia of the car", positive=True)
    J_s: float = parameter(0.05, "kg m^2", "moment of inertia of the steering", positive=True)
    L: float = parameter(1.0, "m", "from the rear to the front axle", positive=True)
    m_t: float = parameter(0.5, "kg", "mass of a trailer", positive=True)
    J_t: float = parameter(0.2, "kg m^2", "moment of inertia of a trailer", positive=True)
    d: float = parameter(0.8, "m", "from a hitch to the axle behind", positive=True)

    reference = "Laumond 1993; Sordalen 1993"

    def __check_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"CarWithTrailers: parameter 'n' must be at least 1, got {self.n}")

    def parts(self) -> list[Any]:
        hull = (
            sc.box(1.5 * self.L, 0.42 * self.L, 0.16 * self.L).moved(0.5 * self.L, 0, 0.2 * self.L),
            sc.box(0.6 * self.L, 0.36 * self.L, 0.14 * self.L)
            .moved(0.4 * self.L, 0, 0.35 * self.L)
            .painted("light"),
        )
        made: list[Any] = [
            parts.Body("car", self.m, self.J, shape=hull),
            parts.Planar("car", speed=(1.0, 0.0, 0.0)),
            parts.Skate("car", name="rear axle"),
            parts.Body("front axle", 0.0, self.J_s, shape=_axle(0.6 * self.L, 0.12 * self.L)),
            parts.Revolute("front axle", "car", at=(self.L, 0, 0), name="steer", start=0.2),
            parts.Skate("front axle"),
            parts.Push("car", name="drive"),
            parts.Motor("steer"),
        ]
        for k in range(1, self.n + 1):
            parent, hitch = (f"trailer {k - 1}", -self.d) if k > 1 else ("car", 0.0 * self.d)
            start = 0.3 * (-1) ** k
            made.append(
                _towed(f"trailer {k}", parent, self.m_t, self.J_t, self.d, hitch, start=start)
            )
        return made

    def scene(self) -> sc.Scene:
        """Return the machine's scene with a pair of wheels on each axle."""
        made = super().scene()
        bodies, contacts = list(made.bodies), list(made.contacts)
        gauges = [0.6 * self.L] * 2 + [0.6 * self.d] * self.n
        names = ["rear axle", "front axle", *(f"trailer {k + 1}" for k in range(self.n))]
        for k, (name, gauge) in enumerate(zip(names, gauges)):
            radius = 0.2 * gauge
            pair, touching = sc.rolling_wheels(
                name,
                lambda q, k=k: self._axle(q, k)[0],
                lambda q, k=k: self._axle(q, k)[1],
                radius,
                gauge,
            )
            bodies, contacts = bodies + pair, contacts + touching
        return dataclasses.replace(made, bodies=bodies, contacts=contacts)

    def _axle(self, q: jax.Array, k: int) -> tuple[jax.Array, jax.Array]:
        """Return middle and heading of axle k: 0 is the rear, 1 the front, then the trailers."""

        def ahead(angle: jax.Array) -> jax.Array:
            return jnp.stack([jnp.cos(angle), jnp.sin(angle)])

        place, heading = q[:2], q[2]
        if k == 1:
            return place + self.L * ahead(heading), heading + q[3]
        for i in range(k - 1):
            heading = heading + q[4 + i]
            place = place - self.d * ahead(heading)
        return place, heading


class MecanumPlatform(_Vehicle):
    """A platform on four mecanum wheels, which goes and turns as it likes.

    q = (x, y, theta, four wheel angles): center in m, angles in rad. Each wheel holds the ground
    along its rollers' axes only: one row each. Four motors.

    Reference: Ilon's wheel (1975); Muir, Neuman 1987. Data are ours.
    """

    m: float = parameter(20.0, "kg", "mass of the platform", positive=True)
    J: float = parameter(1.2, "kg m^2", "moment of inertia of the platform", positive=True)
    m_w: float = parameter(1.0, "kg", "mass of a wheel", positive=True)
    J_w: float = parameter(0.005, "kg m^2", "axial moment of inertia of a wheel", positive=True)
    r: float = parameter(0.1, "m", "radius of the wheels", positive=True)
    length: float = parameter(0.25, "m", "axles ahead of and behind the center", positive=True)
    width: float = parameter(0.2, "m", "wheels beside the center", positive=True)
    rollers: float = parameter(np.pi / 4, "rad", "angle of the rollers' axes from the axle")

    reference = "Muir, Neuman 1987"

    def parts(self) -> list[Any]:
        deck = sc.box(2.2 * self.length, 1.4 * self.width, 0.08)
        made: list[Any] = [
            parts.Body("platform", self.m, self.J, shape=deck),
            parts.Planar("platform", at=(0, 0, self.r), speed=(0.5, 0.3, 0.4)),
        ]
        for ahead, x in (("front", 1), ("rear", -1)):
            for side, y in (("left", 1), ("right", -1)):
                name = f"{ahead} {side}"
                half = 0.5 * self.J_w
                look = sc.rollers(self.r, 0.7 * self.r, -x * y * self.rollers)
                at = (x * self.length, y * self.width, 0)
                made += [
                    parts.Body(name, self.m_w, (half, self.J_w, half), shape=look),
                    parts.Revolute(name, "platform", at=at, axis="y"),
                    parts.mecanum(name, self.r, -x * y * self.rollers),
                    parts.Motor(name),
                ]
        return made

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(7, 2), "se2-wheels": planar_motions(7, 2, 3, 4, 5, 6)}


class UnicycleWithRider(_Vehicle):
    """A wheel with a rider on it, who sits on a frame that hangs on the axle and pedals.

    q = (axle's center, pedals, attitude of the frame): m, rad and SO(3). The wheel rolls and leans,
    a motor acts between frame and wheel. Without it the rider falls over ahead or back, the wheel
    sideways unless it turns fast. Conserved: the energy.

    Reference: after Zenkov, Bloch, Marsden 2002 (unicycle with rider); data are ours.
    """

    m: float = parameter(6.0, "kg", "mass of the wheel", positive=True)
    r: float = parameter(0.3, "m", "radius of the wheel", positive=True)
    m_r: float = parameter(1.0, "kg", "mass of rider and frame", positive=True)
    J_r: float = parameter(0.05, "kg m^2", "moment of inertia of the rider", positive=True)
    l: float = parameter(0.2, "m", "center of mass of the rider above the axle")
    g: float = parameter(9.81, "m/s^2", "gravity")

    reference = "Zenkov, Bloch, Marsden 2002"

    def parts(self) -> list[Any]:
        axial = self.m * self.r**2  # moment of a rim about its axle
        rider = (
            sc.ellipsoid(0.07, 0.12, 0.16).moved(0.0, 0.0, self.l + 0.25).painted("accent"),
            sc.box(0.03, 0.03, 0.3).moved(0.0, 0.0, 0.5 * self.l),
        )
        return [
            parts.Body("rider", self.m_r, self.J_r, center=(0, 0, self.l), shape=rider),
            parts.Free("rider"),
            parts.Body(
                "wheel", self.m, (0.5 * axial, axial, 0.5 * axial), shape=sc.wheel(self.r, 0.03)
            ),
            parts.Revolute("wheel", "rider", axis="y", name="pedals"),
            parts.Wheel("wheel", self.r),
            parts.Motor("pedals", "pedals"),
            parts.Gravity(self.g),
        ]

    def initial(self) -> tuple[Point, jax.Array]:
        """Return an upright start along x at 12 rad/s, with a little pitch and lean rate."""
        roll, lean, pitch = 12.0, 0.1, 0.2
        place = jnp.stack([0.0 * self.r, 0.0 * self.r, self.r * jnp.ones(()), jnp.zeros(())])
        speed = jnp.stack([roll * self.r, -lean * self.r, 0.0 * self.r, jnp.asarray(roll - pitch)])
        return (place, jnp.eye(3)), jnp.concatenate([speed, jnp.array([lean, pitch, 0.0])])

    @property
    def symmetry_generators(self) -> Generators:
        def sigma(q: Point) -> jax.Array:
            still = jnp.zeros((2, 3))  # height and pedals
            turn = jnp.concatenate([jnp.stack([-q[0][1], q[0][0]]), still[:, 0], q[1][2]])
            shift = jnp.concatenate([jnp.eye(2), still[:, :2], jnp.zeros((3, 2))])
            return jnp.concatenate([shift, turn[:, None]], axis=1)

        return {"se2": sigma}


class WheeledSnake(_Vehicle):
    """A snake robot of n links, each on a passive wheel pair (a blade) in its middle; joints move.

    q = (x, y, theta, joint 2, ..., joint n): middle of the first link in m, its heading and the
    angles between links in rad. n rows, so that two speeds are left. A motor at each joint.

    Reference: the active cord mechanism of Hirose 1993; data are ours.
    """

    n: int = eqx.field(static=True, converter=whole("n"), default=3)
    m: float = parameter(0.5, "kg", "mass of a link", positive=True)
    J: float = parameter(0.003, "kg m^2", "moment of inertia of a link", positive=True)
    l: float = parameter(0.1, "m", "half the length of a link", positive=True)

    reference = "Hirose 1993"

    def __check_init__(self) -> None:
        if self.n < 2:
            raise UsageError(f"WheeledSnake: parameter 'n' must be at least 2, got {self.n}")

    def parts(self) -> list[Any]:
        l = self.l
        look = sc.box(1.7 * l, 0.5 * l, 0.4 * l)
        made: list[Any] = [
            parts.Body("link 1", self.m, self.J, shape=look.moved(0.0, 0.0, 0.3 * l)),
            parts.Planar("link 1", speed=(0.5, 0.0, 0.0)),
            parts.Skate("link 1"),
        ]
        for k in range(2, self.n + 1):
            at = -l if k == 2 else -2 * l
            made += [
                parts.Body(
                    f"link {k}",
                    self.m,
                    self.J,
                    center=(-l, 0, 0),
                    shape=look.moved(-l, 0.0, 0.3 * l),
                ),
                parts.Revolute(
                    f"link {k}",
                    f"link {k - 1}",
                    at=(at, 0, 0),
                    name=f"joint {k}",
                    start=0.4 * (-1) ** k,
                    speed=0.5,
                ),
                parts.Skate(f"link {k}", at=(-l, 0, 0)),
                parts.Motor(f"joint {k}"),
            ]
        return made

    def initial(self) -> tuple[Point, jax.Array]:
        """Return initial data with joint speeds as near to the wanted ones as the blades allow."""
        return parts.settle(self, *self.start())
