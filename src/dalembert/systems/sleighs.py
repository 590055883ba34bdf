"""Blades: the Chaplygin sleigh, bare, with a rotor and with a moving mass, and the knife edge."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike

from .. import scene as sc
from ..groups import Euclidean
from ..linalg import Real
from ..system import Generators, Invariants, MechanicalSystem, Point, System, parameter
from ._common import dots, energy, integral, planar_motions, shifts, start


class SleighMotion(NamedTuple):
    """The motion of a sleigh after a time t, relative to its start."""

    x: jax.Array  # displacement, m
    y: jax.Array
    theta: jax.Array  # turn, rad
    length: jax.Array  # signed length of the path, m
    u: jax.Array  # forward speed, m/s
    w: jax.Array  # yaw rate, rad/s


def sleigh_motion(
    t: jax.Array, M: Real, K: Real, s: Real, theta0: jax.Array, u0: jax.Array, w0: jax.Array
) -> SleighMotion:
    """Return the exact motion of a sleigh.

        M u' = s w^2,  K w' = -s u w,  theta' = w,  (x, y)' = u (cos theta, sin theta)

    With U^2 = u0^2 + (K/M) w0^2 and k = s U/K:  u = U tanh(k t + c),
    w = W sech(k t + c); theta is a Gudermannian, x and y are quadratures, done numerically to
    round-off for k t up to about 50. Any start is allowed, also rest, w0 = 0 and s = 0.
    """
    U = jnp.sqrt(u0**2 + (K / M) * w0**2)
    moving = U > 0
    U = jnp.where(moving, U, 1.0)
    k = jnp.where(moving, s * U / K, 0.0)
    r = jnp.clip(u0 / U, -1.0, 1.0)  # tanh c
    balanced = k == 0
    k_safe = jnp.where(balanced, 1.0, k)

    def speeds(t: jax.Array) -> tuple[jax.Array, jax.Array]:
        # by addition theorems, so that w0 = 0 (c infinite) needs no special case
        T = jnp.tanh(k * t)
        return (u0 + U * T) / (1 + r * T), w0 / (jnp.cosh(k * t) * (1 + r * T))

    def turn(t: jax.Array) -> jax.Array:
        # sin f = tanh(k t + c), cos f = sech(k t + c): theta' = W cos f, f' = k cos f
        u, w = speeds(t)
        scale = jnp.sqrt(K / M)
        sin_f, cos_f, cos_0 = u / U, scale * w / U, scale * w0 / U
        sign = jnp.where(w0 < 0, -1.0, 1.0)
        f = jnp.arctan2(
            sign * (sin_f * cos_0 - cos_f * r), jnp.where(moving, cos_f * cos_0 + sin_f * r, 1.0)
        )
        return jnp.where(balanced, w0 * t, sign * (U / scale) / k_safe * f)

    def velocity(t: jax.Array) -> jax.Array:
        u, _ = speeds(t)
        theta = theta0 + turn(t)
        return u * jnp.stack([jnp.cos(theta), jnp.sin(theta)])

    u, w = speeds(t)
    x, y = integral(velocity, t)
    log_cosh = jnp.logaddexp(k * t + jnp.log1p(r), -k * t + jnp.log1p(-r)) - jnp.log(2.0)
    length = jnp.where(balanced, u0 * t, U / k_safe * log_cosh)
    return SleighMotion(x, y, turn(t), length, u, w)


class ChaplyginSleigh(System):
    """A body on a knife edge, its center of mass a distance a ahead of the edge.

        L = m |(x, y)' + a theta' (-sin theta, cos theta)|^2/2 + J theta'^2/2,
        x' sin theta - y' cos theta = 0

    q = (x, y, theta): contact point in m, heading in rad; a < 0 puts the center of mass behind.
    With u the forward speed and w = theta': u' = a w^2, (J + m a^2) w' = -m a u w; the closed
    form is u = U tanh, w = W sech (`sleigh_motion`). Conserved: the energy.

    Reference: [F08] Example 3. Default data: its heart-shaped loop, with the speeds fitted to
    the printed second point for h = 0.1 (the paper does not give h, nor does it matter).
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    J: float = parameter(1.0, "kg m^2", "moment of inertia about the center of mass", positive=True)
    a: float = parameter(0.2, "m", "center of mass ahead of the knife edge, any sign")

    space = Euclidean(3)
    coordinate_names = ("x", "y", "theta")
    velocity_names = dots("x", "y", "theta")
    units = ("m", "m", "rad")
    constraint_units = ("N",)
    reference = "[F08] Example 3"

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        c, s = jnp.cos(q[2]), jnp.sin(q[2])
        lateral = v[1] * c - v[0] * s
        square = v[0] ** 2 + v[1] ** 2 + 2 * self.a * v[2] * lateral + (self.a * v[2]) ** 2
        return 0.5 * self.m * square + 0.5 * self.J * v[2] ** 2

    def constraint(self, q: jax.Array) -> jax.Array:
        return jnp.stack([jnp.sin(q[2]), -jnp.cos(q[2]), jnp.zeros(())])[None, :]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.zeros(3), jnp.array([-2.39979, 0.0, 0.575529])  # along the blade at theta = 0

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t; x and y by a quadrature of fixed size."""
        q0, v0 = start(self, q0, v0)
        K, s = self.J + self.m * self.a**2, self.m * self.a
        move = sleigh_motion(t, self.m, K, s, q0[2], forward_speed(q0[2], v0), v0[2])
        q = q0 + jnp.stack([move.x, move.y, move.theta])
        return q, _blade_velocity(q[2], move.u, move.w)

    def closed_form_multiplier(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> jax.Array:
        """Return lam = -m u w J / (J + m a^2): the side force of the blade."""
        q, v = self.closed_form(t, q0, v0)
        K = self.J + self.m * self.a**2
        return jnp.stack([-self.m * forward_speed(q[2], v) * v[2] * self.J / K])

    def scene(self) -> sc.Scene:
        # the scene: a plate with about this moment of inertia, on the blade and on two feet ahead
        size = jnp.sqrt(self.J / self.m)
        high = 0.3 * size
        feet = [
            sc.cylinder(0.05 * size, high).moved(self.a + 0.9 * size, y * size, 0.5 * high)
            for y in (0.25, -0.25)
        ]
        pieces = (
            sc.plate(2.6 * size, 1.5 * size, 0.1 * size).moved(self.a, 0.0, high),
            sc.blade(0.9 * size, 0.9 * high),
            sc.sphere(0.12 * size).moved(self.a, 0.0, high + 0.1 * size).painted("accent"),
            *(foot.painted("dark") for foot in feet),
        )
        return _blade_scene("sleigh", pieces, "The red ball is the center of mass.")

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(3, 2)}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


class KnifeEdge(MechanicalSystem):
    """A plate on a knife edge on an inclined plane, balanced over the contact point.

        L = m (x'^2 + y'^2)/2 + J theta'^2/2 + m g x sin alpha,
        x' sin theta - y' cos theta = 0

    q = (x, y, theta): x down the slope in m, heading in rad. The heading turns evenly, the
    plate drifts sideways and never falls in the mean: with omega = theta' from rest,
    x = g sin(alpha) sin^2(omega t)/(2 omega^2),
    y = g sin(alpha) (omega t - sin(2 omega t)/2)/(2 omega^2).

    Reference: [C02] 4.2.2 with erratum E16; the constraint is written without tan theta, which
    is singular where the motion is not.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    J: float = parameter(1.0, "kg m^2", "moment of inertia about the contact normal", positive=True)
    g: float = parameter(9.81, "m/s^2", "gravity")
    alpha: float = parameter(jnp.pi / 6, "rad", "inclination of the plane")

    space = Euclidean(3)
    coordinate_names = ("x", "y", "theta")
    velocity_names = dots("x", "y", "theta")
    units = ("m", "m", "rad")
    constraint_units = ("N",)
    reference = "[C02] 4.2.2, E16"

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.array([self.m, self.m, self.J]))

    @property
    def pull(self) -> jax.Array:
        """g sin(alpha), the acceleration down the slope."""
        return self.g * jnp.sin(self.alpha)

    def potential(self, q: jax.Array) -> jax.Array:
        return -self.m * self.pull * q[0]

    def constraint(self, q: jax.Array) -> jax.Array:
        return jnp.stack([jnp.sin(q[2]), -jnp.cos(q[2]), jnp.zeros(())])[None, :]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.zeros(3), jnp.array([0.0, 0.0, 1.0])

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t, from any consistent start."""
        q0, v0 = start(self, q0, v0)
        G, w, b = self.pull, v0[2], q0[2]
        u0 = forward_speed(b, v0)
        a = b + w * t
        still = w == 0.0
        k = jnp.where(still, 1.0, w)
        sin_a, cos_a, sin_b, cos_b = jnp.sin(a), jnp.cos(a), jnp.sin(b), jnp.cos(b)
        u = jnp.where(still, u0 + G * cos_b * t, u0 + G / k * (sin_a - sin_b))
        mean = u0 - G / k * sin_b
        along = u0 * t + 0.5 * G * cos_b * t**2
        dx = mean / k * (sin_a - sin_b) + 0.5 * G / k**2 * (sin_a**2 - sin_b**2)
        dy = mean / k * (cos_b - cos_a)
        dy = dy + 0.5 * G / k**2 * (a - b - (sin_a * cos_a - sin_b * cos_b))
        dx = jnp.where(still, along * cos_b, dx)
        dy = jnp.where(still, along * sin_b, dy)
        return jnp.stack([q0[0] + dx, q0[1] + dy, a]), _blade_velocity(a, u, w)

    def closed_form_multiplier(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> jax.Array:
        """Return lam = -m (u theta' + g sin(alpha) sin(theta)): the side force of the edge."""
        q, v = self.closed_form(t, q0, v0)
        return jnp.stack([-self.m * (forward_speed(q[2], v) * v[2] + self.pull * jnp.sin(q[2]))])

    def scene(self) -> sc.Scene:
        size = jnp.sqrt(self.J / self.m)
        pieces = (
            sc.blade(1.0 * size, 0.3 * size),
            sc.board(1.4 * size, 0.5 * size, 0.1 * size).moved(0.0, 0.0, 0.33 * size),
            sc.plate(0.5 * size, 0.3 * size, 0.12 * size)
            .moved(0.35 * size, 0.0, 0.44 * size)
            .painted("dark"),
        )
        return _blade_scene("plate", pieces, tilt=sc.turn_y(self.alpha))

    @property
    def symmetry_generators(self) -> Generators:
        return {"y": shifts(3, 1)}

    @property
    def invariants(self) -> Invariants:
        return {
            "energy": energy(self),
            "p_theta": lambda q, v: self.J * v[2],
            "drift": lambda q, v: v[2] * forward_speed(q[2], v) - self.pull * jnp.sin(q[2]),
        }


class SleighWithRotor(System):
    """A Chaplygin sleigh with a balanced rotor on a vertical axle, driven by a motor.

        L = m |(x, y)' + a theta' (-sin theta, cos theta)|^2/2 + J theta'^2/2
            + I_r (theta' + phi')^2/2,
        x' sin theta - y' cos theta = 0,    input: the torque of the motor

    q = (x, y, theta, phi): contact point in m, heading, angle of the rotor on the sleigh in rad.
    m and a belong to the sleigh with its rotor, J does not include the rotor's own spin. With the
    motor off I_r (theta' + phi') is conserved, and the sleigh moves as `ChaplyginSleigh` with these
    parameters, whatever the rotor does; a torque u steers: (J + m a^2) w' = -m a u_forward w - u.

    Reference: Borisov, Mamaev 2009 (sleigh); Fedonyuk, Tallapragada 2018 (rotor); data are ours.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    J: float = parameter(1.0, "kg m^2", "moment of inertia without the rotor", positive=True)
    a: float = parameter(0.2, "m", "center of mass ahead of the knife edge, any sign")
    I_r: float = parameter(0.3, "kg m^2", "moment of inertia of the rotor", positive=True)

    space = Euclidean(4)
    coordinate_names = ("x", "y", "theta", "phi")
    velocity_names = dots("x", "y", "theta", "phi")
    units = ("m", "m", "rad", "rad")
    constraint_units = ("N",)
    input_names = ("torque",)
    input_units = ("N m",)
    reference = "Fedonyuk, Tallapragada 2018"

    @property
    def _sleigh(self) -> ChaplyginSleigh:
        return ChaplyginSleigh(m=self.m, J=self.J, a=self.a)

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        rotor = 0.5 * self.I_r * (v[2] + v[3]) ** 2
        return self._sleigh.lagrangian(q[:3], v[:3]) + rotor

    def constraint(self, q: jax.Array) -> jax.Array:
        o = jnp.zeros(())
        return jnp.stack([jnp.sin(q[2]), -jnp.cos(q[2]), o, o])[None, :]

    def inputs(self, q: jax.Array) -> jax.Array:
        return jnp.array([[0.0, 0.0, 0.0, 1.0]])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.zeros(4), jnp.array([-2.0, 0.0, 0.6, 4.0])

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t with the motor off: theta + phi turns evenly."""
        q0, v0 = start(self, q0, v0)
        q, v = self._sleigh.closed_form(t, q0[:3], v0[:3])
        even = v0[2] + v0[3]
        phi = q0[3] + even * t - (q[2] - q0[2])
        return jnp.append(q, phi), jnp.append(v, even - v[2])

    def scene(self) -> sc.Scene:
        size = jnp.sqrt(self.J / self.m)
        high = 0.3 * size
        pieces = (
            sc.plate(2.2 * size, 1.4 * size, 0.1 * size).moved(self.a, 0.0, high),
            sc.blade(0.9 * size, 0.9 * high),
            sc.sphere(0.12 * size).moved(self.a, 0.0, high + 0.1 * size).painted("accent"),
        )
        drawing = _blade_scene("sleigh", pieces, "The bar turns with the rotor.")
        wheel = sc.disk(0.5 * size, 0.08 * size).turned((1.0, 0.0, 0.0), 0.5 * jnp.pi)
        bar = sc.box(0.9 * size, 0.12 * size, 0.06 * size).moved(0.0, 0.0, 0.08 * size)

        def above(row: sc.Row) -> jax.Array:
            along = jnp.stack([jnp.cos(row.q[2]), jnp.sin(row.q[2])])
            return sc.above(row.q[:2] + self.a * along, high + 0.15 * size)

        rotor = sc.Body(
            "rotor",
            (wheel.painted("metal"), bar.painted("dark")),
            above,
            lambda row: sc.turn_z(row.q[2] + row.q[3]),
        )
        return dataclasses.replace(drawing, bodies=[*drawing.bodies, rotor])

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(4, 2, 3)}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "rotor": lambda q, v: self.I_r * (v[2] + v[3])}


class SleighWithMovingMass(System):
    """A Chaplygin sleigh with a mass that slides on a rail across it, on a spring.

        L = m |V(a, 0)|^2/2 + J theta'^2/2 + m_s |V(c, s) + s' n|^2/2 - k s^2/2,
        x' sin theta - y' cos theta = 0,    input: the force along the rail

    with V(p) the velocity of the point p of the sleigh and n = (-sin theta, cos theta) the
    direction of the rail. q = (x, y, theta, s): contact point in m, heading in rad, place of the
    mass in m.
    With u the forward speed, w = theta' and the momenta P = dL/du, M = dL/dw:

        P' = w p,    M' = -u p,    p = m a w + m_s (c w + s')

    Conserved: the energy. If the mass is driven, s = A sin(f t) with A small, a fast sleigh gains
    speed as t^(1/3) without bound, or loses it: with S = m a + m_s c > 0 the mean rate of u^3 is

        3 m_s^2 <s''^2> c (m a (c - a) - J) / (S^2 (m + m_s))

    Reference: Osborne, Zenkov 2005; Bizyaev, Borisov, Kuznetsov 2017 (driven mass).
    """

    m: float = parameter(1.0, "kg", "mass of the sleigh", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia of the sleigh", positive=True)
    a: float = parameter(0.1, "m", "center of mass ahead of the knife edge, any sign")
    m_s: float = parameter(0.4, "kg", "mass on the rail", positive=True)
    c: float = parameter(0.2, "m", "rail ahead of the knife edge, any sign")
    k: float = parameter(2.0, "N/m", "stiffness of the spring")

    space = Euclidean(4)
    coordinate_names = ("x", "y", "theta", "s")
    velocity_names = dots("x", "y", "theta", "s")
    units = ("m", "m", "rad", "m")
    constraint_units = ("N",)
    input_names = ("force",)
    input_units = ("N",)
    reference = "Osborne, Zenkov 2005; Bizyaev, Borisov, Kuznetsov 2017"

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        cos, sin, w, s = jnp.cos(q[2]), jnp.sin(q[2]), v[2], q[3]
        ahead, aside = v[0] * cos + v[1] * sin, v[1] * cos - v[0] * sin
        sleigh = self.m * (ahead**2 + (aside + self.a * w) ** 2) + self.J * w**2
        mass = self.m_s * ((ahead - s * w) ** 2 + (aside + self.c * w + v[3]) ** 2)
        return 0.5 * (sleigh + mass - self.k * s**2)

    def constraint(self, q: jax.Array) -> jax.Array:
        o = jnp.zeros(())
        return jnp.stack([jnp.sin(q[2]), -jnp.cos(q[2]), o, o])[None, :]

    def inputs(self, q: jax.Array) -> jax.Array:
        return jnp.array([[0.0, 0.0, 0.0, 1.0]])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.array([0.0, 0.0, 0.0, 0.3]), jnp.array([0.5, 0.0, 0.4, 0.0])

    def scene(self) -> sc.Scene:
        size = jnp.sqrt(self.J / self.m)
        high = 0.3 * size
        rail = sc.box(0.05 * size, 1.6 * size, 0.05 * size)
        pieces = (
            sc.plate(2.0 * size, 1.0 * size, 0.1 * size).moved(self.a, 0.0, high),
            sc.blade(0.9 * size, 0.9 * high),
            rail.moved(self.c, 0.0, high + 0.1 * size).painted("metal"),
        )
        drawing = _blade_scene("sleigh", pieces, "The mass slides on its rail.")

        def place(row: sc.Row) -> jax.Array:
            cos, sin = jnp.cos(row.q[2]), jnp.sin(row.q[2])
            x = row.q[0] + self.c * cos - row.q[3] * sin
            y = row.q[1] + self.c * sin + row.q[3] * cos
            return jnp.stack([x, y, high + 0.2 * size])

        mass = sc.Body("mass", sc.sphere(0.12 * size).painted("accent"), place)
        return dataclasses.replace(drawing, bodies=[*drawing.bodies, mass])

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(4, 2)}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


def _blade_scene(
    name: str, pieces: tuple[sc.Shape, ...], note: str = "", tilt: jax.Array | None = None
) -> sc.Scene:
    """Return a body on a knife edge at q = (x, y, heading), on a plane that may be tilted."""
    plane = jnp.eye(3) if tilt is None else tilt

    def foot(row: sc.Row) -> jax.Array:
        return plane @ sc.above(row.q)

    def attitude(row: sc.Row) -> jax.Array:
        return plane @ sc.turn_z(row.q[2])

    return sc.Scene(
        [sc.Body(name, pieces, foot, attitude)],
        traces=[sc.Trace("edge", foot)],
        arrows=[sc.Arrow("side force", foot, lambda row: plane @ sc.above(row.force))],
        contacts=[sc.Contact(name, foot, blocked=lambda row: attitude(row)[:, 1:].T)],
        ground=sc.Ground(plane),
        note=note,
    )


def forward_speed(theta: jax.Array, v: jax.Array) -> jax.Array:
    """Return the speed along the heading."""
    return v[0] * jnp.cos(theta) + v[1] * jnp.sin(theta)


def _blade_velocity(theta: jax.Array, u: jax.Array, w: jax.Array) -> jax.Array:
    return jnp.stack([u * jnp.cos(theta), u * jnp.sin(theta), w])
