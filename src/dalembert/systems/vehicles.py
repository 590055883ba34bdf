"""Vehicles to be controlled: a roller racer, a car with a trailer, a balancing robot."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .. import scene as sc
from ..groups import Euclidean
from ..linalg import Real
from ..system import Generators, Invariants, MechanicalSystem, Point, System, parameter
from ._common import dots, energy, planar_motions, shifts


class RollerRacer(MechanicalSystem):
    """Two bodies on one axle each, joined by a pin; a torque at the pin drives them.

        L = m (x'^2 + y'^2)/2 + I_1 theta'^2/2 + I_2 (theta' + phi')^2/2,
        no sideways slip of the axles at (x, y), and at a distance d_2 beyond the pin

    q = (x, y, theta, phi): the first axle in m, its heading, and the angle at the pin in rad. The
    pin is d_1 ahead of the first axle. The model has the mass of the first body only; the second
    body has a moment of inertia alone.

    Reference: the roller racer of Krishnaprasad and Tsakiris (2001); one input, so Theorem 8.3.1
    [C02] decides.
    """

    m: float = parameter(1.0, "kg", "mass of the first body", positive=True)
    I1: float = parameter(0.2, "kg m^2", "moment of inertia of the first body", positive=True)
    I2: float = parameter(0.05, "kg m^2", "moment of inertia of the second body", positive=True)
    d1: float = parameter(0.5, "m", "from the first axle to the pin", positive=True)
    d2: float = parameter(0.2, "m", "from the pin to the second axle", positive=True)

    space = Euclidean(4)
    coordinate_names = ("x", "y", "theta", "phi")
    velocity_names = dots("x", "y", "theta", "phi")
    units = ("m", "m", "rad", "rad")
    constraint_units = ("N",) * 2
    input_names = ("pin",)
    input_units = ("N m",)
    reference = "Krishnaprasad, Tsakiris 2001"

    @property
    def mass(self) -> jax.Array:
        both = self.I1 + self.I2
        M = jnp.diag(jnp.array([self.m, self.m, both, self.I2]))
        return M.at[2, 3].set(self.I2).at[3, 2].set(self.I2)

    def constraint(self, q: jax.Array) -> jax.Array:
        o, turned = jnp.zeros(()), q[2] + q[3]
        first = jnp.stack([-jnp.sin(q[2]), jnp.cos(q[2]), o, o])
        lever = self.d1 * jnp.cos(q[3]) + self.d2
        second = jnp.stack([-jnp.sin(turned), jnp.cos(turned), lever, self.d2 + o])
        return jnp.stack([first, second])

    def inputs(self, q: jax.Array) -> jax.Array:
        return jnp.eye(4)[3:]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.0, 0.0, 0.0, 0.6])
        # ahead at 1 m/s with phi' = 0.3: the second row gives theta'
        lever = self.d1 * jnp.cos(q[3]) + self.d2
        turn = (jnp.sin(q[3]) - 0.3 * self.d2) / lever
        return q, jnp.stack([jnp.ones(()), jnp.zeros(()), turn, jnp.asarray(0.3)])

    def scene(self) -> sc.Scene:
        r = 0.12 * self.d1

        def second(q: jax.Array) -> jax.Array:  # the axle of the second body
            return q[:2] + self.d1 * ahead(q[2]) + self.d2 * ahead(q[2] + q[3])

        seat = (
            rod(r, 4 * r),
            sc.board(self.d1, 3 * r, 0.6 * r).moved(0.4 * self.d1, 0.0, 2.4 * r),
            sc.cylinder(0.4 * r, 3 * r).moved(self.d1, 0.0, 2.4 * r).painted("accent"),
        )
        bar = (
            rod(r, 3 * r),
            sc.box(self.d2 + r, 0.6 * r, 0.6 * r).moved(-0.5 * self.d2, 0.0, 3.2 * r),
            sc.box(0.6 * r, 6 * r, 0.5 * r).moved(0.0, 0.0, 3.6 * r).painted("metal"),
        )
        return on_axles(
            r,
            ("seat", seat, 4 * r, lambda q: q[:2], lambda q: q[2]),
            ("handlebar", bar, 3 * r, second, lambda q: q[2] + q[3]),
        )

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(4, 2)}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


class CarWithTrailer(System):
    """A car with one trailer hitched at its rear axle: a drive force and a torque that steers.

    q = (x, y, theta, psi, delta): the rear axle in m, the headings of car and trailer and the
    angle of the front wheels in rad. No axle slips sideways:

        -x' sin theta + y' cos theta = 0,
        -x' sin(theta + delta) + y' cos(theta + delta) + L cos(delta) theta' = 0,
        -x' sin psi + y' cos psi - d psi' = 0

    The centers of mass of car and trailer are over the rear axle and over the trailer's.

    Reference: the kinematic car with a trailer of the field, with masses; the model is ours.
    """

    m: float = parameter(1.0, "kg", "mass of the car", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia of the car", positive=True)
    m_t: float = parameter(0.5, "kg", "mass of the trailer", positive=True)
    J_t: float = parameter(0.2, "kg m^2", "moment of inertia of the trailer", positive=True)
    J_s: float = parameter(0.05, "kg m^2", "moment of inertia of the steering", positive=True)
    L: float = parameter(1.0, "m", "from the rear to the front axle", positive=True)
    d: float = parameter(0.8, "m", "from the hitch to the trailer's axle", positive=True)

    space = Euclidean(5)
    coordinate_names = ("x", "y", "theta", "psi", "delta")
    velocity_names = dots("x", "y", "theta", "psi", "delta")
    units = ("m", "m", "rad", "rad", "rad")
    constraint_units = ("N",) * 3
    input_names = ("drive", "steer")
    input_units = ("N", "N m")
    reference = "ours"

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        across = self.d * v[3]
        trailer = v[:2] - across * jnp.stack([-jnp.sin(q[3]), jnp.cos(q[3])])
        moving = self.m * (v[:2] @ v[:2]) + self.m_t * (trailer @ trailer)
        return 0.5 * (moving + self.J * v[2] ** 2 + self.J_t * v[3] ** 2 + self.J_s * v[4] ** 2)

    def constraint(self, q: jax.Array) -> jax.Array:
        o, front = jnp.zeros(()), q[2] + q[4]
        c, s = jnp.cos, jnp.sin
        return jnp.stack(
            [
                jnp.stack([-s(q[2]), c(q[2]), o, o, o]),
                jnp.stack([-s(front), c(front), self.L * c(q[4]), o, o]),
                jnp.stack([-s(q[3]), c(q[3]), o, -self.d + o, o]),
            ]
        )

    def inputs(self, q: jax.Array) -> jax.Array:
        o = jnp.zeros(())
        drive = jnp.stack([jnp.cos(q[2]), jnp.sin(q[2]), o, o, o])
        return jnp.stack([drive, jnp.eye(5)[4]])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.0, 0.0, 0.0, 0.3, 0.2])
        turn = jnp.tan(q[4]) / self.L  # ahead at 1 m/s
        hitch = -jnp.sin(q[3]) / self.d
        return q, jnp.stack([jnp.ones(()), jnp.zeros(()), turn, hitch, jnp.asarray(0.1)])

    def scene(self) -> sc.Scene:
        L, d, r = self.L, self.d, 0.12 * self.L

        hull = (
            rod(r, 4 * r),
            sc.box(1.3 * L, 3.4 * r, 1.2 * r).moved(0.5 * L, 0.0, 2 * r),
            sc.box(0.6 * L, 3 * r, 1.2 * r).moved(0.35 * L, 0.0, 3.2 * r).painted("metal"),
        )
        cart = (
            rod(r, 4 * r),
            sc.box(0.6 * d, 3.2 * r, 1.4 * r).moved(0.05 * d, 0.0, 2.2 * r),
            sc.box(0.7 * d, 0.4 * r, 0.4 * r).moved(0.65 * d, 0.0, 1.4 * r).painted("metal"),
        )
        steered, g = rod(r, 4 * r), 4 * r
        return on_axles(
            r,
            ("car", hull, g, lambda q: q[:2], lambda q: q[2]),
            ("front axle", steered, g, lambda q: q[:2] + L * ahead(q[2]), lambda q: q[2] + q[4]),
            ("trailer", cart, g, lambda q: q[:2] - d * ahead(q[3]), lambda q: q[3]),
        )

    @property
    def symmetry_generators(self) -> Generators:
        def turned(q: Point) -> jax.Array:  # both headings turn with the plane
            return planar_motions(5, 2)(q).at[3, 2].set(1.0)

        return {"se2": turned}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


class BalancingRobot(System):
    """A robot that balances on two wheels, each with a motor between wheel and body.

    q = (x, y, theta, alpha, right, left): the middle of the axle in m, the heading, the lean
    ahead, and the angles of the wheels in rad. The wheels roll without slip. The body's center of
    mass is l above the axle; alpha = 0 is the upright position, from which it falls without
    control.

    Reference: a common robot; the model is ours.
    """

    M: float = parameter(4.0, "kg", "mass of the body", positive=True)
    l: float = parameter(0.3, "m", "from the axle to the body's center", positive=True)
    I: float = parameter(0.1, "kg m^2", "moment of inertia of the body, leaning", positive=True)
    Iz: float = parameter(0.06, "kg m^2", "moment of inertia of the whole, turning", positive=True)
    m: float = parameter(0.5, "kg", "mass of a wheel", positive=True)
    Jw: float = parameter(0.0025, "kg m^2", "axial moment of inertia of a wheel", positive=True)
    r: float = parameter(0.1, "m", "radius of the wheels", positive=True)
    w: float = parameter(0.2, "m", "half the distance between the wheels", positive=True)
    g: float = parameter(9.81, "m/s^2", "gravity")

    space = Euclidean(6)
    coordinate_names = ("x", "y", "theta", "alpha", "right", "left")
    velocity_names = dots("x", "y", "theta", "alpha", "right", "left")
    units = ("m", "m", "rad", "rad", "rad", "rad")
    constraint_units = ("N",) * 3
    input_names = ("right motor", "left motor")
    input_units = ("N m", "N m")
    reference = "ours"

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        c, s = jnp.cos(q[2]), jnp.sin(q[2])
        ahead, aside = v[0] * c + v[1] * s, -v[0] * s + v[1] * c
        lean, out = self.l * jnp.cos(q[3]), self.l * jnp.sin(q[3])
        body = (ahead + lean * v[3]) ** 2 + (aside + out * v[2]) ** 2 + (out * v[3]) ** 2
        wheels = 2.0 * (ahead**2 + aside**2 + (self.w * v[2]) ** 2)
        total = 0.5 * self.M * body + 0.5 * self.m * wheels + 0.5 * self.I * v[3] ** 2
        total = total + 0.5 * self.Iz * v[2] ** 2 + 0.5 * self.Jw * (v[4] ** 2 + v[5] ** 2)
        return total - self.M * self.g * lean

    def constraint(self, q: jax.Array) -> jax.Array:
        c, s, o = jnp.cos(q[2]), jnp.sin(q[2]), jnp.zeros(())
        return jnp.stack(
            [
                jnp.stack([-s, c, o, o, o, o]),
                jnp.stack([c, s, self.w + o, o, -self.r + o, o]),
                jnp.stack([c, s, -self.w + o, o, o, -self.r + o]),
            ]
        )

    def inputs(self, q: jax.Array) -> jax.Array:
        return jnp.array([[0.0, 0, 0, -1, 1, 0], [0.0, 0, 0, -1, 0, 1]])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.zeros(6).at[3].set(0.1)
        ahead, turn = 0.5, 0.4
        wheels = jnp.array([ahead + self.w * turn, ahead - self.w * turn]) / self.r
        return q, jnp.concatenate([jnp.array([ahead, 0.0, turn, 0.0]), wheels])

    def scene(self) -> sc.Scene:
        r, w, l = self.r, self.w, self.l

        def hub(side: float, z: float) -> sc.Of:
            return lambda row: (
                sc.above(row.q) + sc.turn_z(row.q[2]) @ jnp.stack([0.0 * r, side * w, z * r])
            )

        def rolled(k: int) -> sc.Of:
            return lambda row: sc.turn_z(row.q[2]) @ sc.turn_y(row.q[k])

        body = (
            sc.box(0.4 * w, 1.4 * w, 1.6 * l).moved(0.0, 0.0, 0.9 * l),
            sc.cylinder(0.15 * r, 2 * w).turned((1, 0, 0), jnp.pi / 2).painted("metal"),
            sc.sphere(0.1 * l).moved(0.2 * w, 0.0, l).painted("accent"),
        )
        return sc.Scene(
            [
                sc.Body("body", body, lambda row: sc.above(row.q, r), rolled(3)),
                sc.Body("right wheel", sc.wheel(r, 0.3 * r), hub(-1.0, 1.0), rolled(4)),
                sc.Body("left wheel", sc.wheel(r, 0.3 * r), hub(1.0, 1.0), rolled(5)),
            ],
            traces=[sc.Trace("middle of the axle", lambda row: sc.above(row.q))],
            contacts=[
                sc.Contact("right wheel", hub(-1.0, 0.0)),
                sc.Contact("left wheel", hub(1.0, 0.0)),
            ],
        )

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(6, 2), "wheels": shifts(6, 4, 5)}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


def ahead(angle: jax.Array) -> jax.Array:
    """Return the direction of a heading, in the plane."""
    return jnp.stack([jnp.cos(angle), jnp.sin(angle)])


def rod(r: Real, width: Real) -> sc.Shape:
    """Return the axle between two wheels of radius r."""
    lying = sc.cylinder(0.25 * r, width).turned((1, 0, 0), jnp.pi / 2)
    return lying.moved(0.0, 0.0, r).painted("metal")


def on_axles(r: Real, *parts: tuple[str, Any, Real, sc.OfPoint, sc.OfPoint]) -> sc.Scene:
    """Return a scene of bodies on two wheels each: name, shapes, gauge, axle's place, heading."""
    bodies, wheels, contacts, traces = [], [], [], []
    for name, shapes, gauge, place, heading in parts:

        def at(row: sc.Row, place: sc.OfPoint = place) -> jax.Array:
            return sc.above(place(row.q))

        def turned(row: sc.Row, heading: sc.OfPoint = heading) -> jax.Array:
            return sc.turn_z(heading(row.q))

        bodies.append(sc.Body(name, shapes, at, turned))
        pair, touching = sc.rolling_wheels(name, place, heading, r, gauge)
        wheels, contacts = wheels + pair, contacts + touching
        traces.append(sc.Trace(name, at))
    return sc.Scene([*bodies, *wheels], traces=traces, contacts=contacts)
