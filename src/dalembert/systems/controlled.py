"""Systems to be controlled: bodies with thrusters, an arm, vehicles, a balancing robot."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from .. import scene as sc
from ..groups import SE, Euclidean
from ..linalg import Real
from ..system import Generators, Invariants, MechanicalSystem, Point, System, parameter
from ._common import dots, energy, may_be_zero, planar_motions, shifts


class PlanarBody(MechanicalSystem):
    """A rigid body in the plane with a force that acts a distance h from its center, and a torque.

        L = m (x'^2 + y'^2)/2 + J theta'^2/2,
        F^1 = -sin(theta) dx + cos(theta) dy - h dtheta,    F^2 = dtheta

    q = (x, y, theta) in m and rad. Without controls it moves evenly. The inputs as they stand fail
    the sufficient condition for controllability; Y_1 + h Y_2 and Y_2 meet it.

    Reference: [C02] 8.5.1.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia about the center", positive=True)
    h: float = parameter(0.3, "m", "from the center to the line of the force")

    space = Euclidean(3)
    coordinate_names = ("x", "y", "theta")
    velocity_names = dots("x", "y", "theta")
    units = ("m", "m", "rad")
    input_names = ("force", "torque")
    input_units = ("N", "N m")
    reference = "[C02] 8.5.1"

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.array([self.m, self.m, self.J]))

    def inputs(self, q: jax.Array) -> jax.Array:
        o = jnp.zeros(())
        force = jnp.stack([-jnp.sin(q[2]), jnp.cos(q[2]), -self.h + o])
        return jnp.stack([force, jnp.stack([o, o, o + 1.0])])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.zeros(3), jnp.array([0.4, 0.2, 0.7])

    def scene(self) -> sc.Scene:
        size = jnp.sqrt(self.J / self.m)
        pieces = (
            sc.board(2.2 * size, 1.4 * size, 0.3 * size),
            sc.cylinder(0.15 * size, 0.5 * size)
            .turned((1, 0, 0), jnp.pi / 2)
            .moved(-self.h, -0.9 * size, 0.0)
            .painted("dark"),
            sc.sphere(0.12 * size).moved(0.0, 0.0, 0.2 * size).painted("accent"),
        )
        body = sc.Body(
            "body",
            pieces,
            lambda row: sc.above(row.q, 0.2 * size),
            lambda row: sc.turn_z(row.q[2]),
        )
        return sc.Scene([body], traces=[sc.Trace("center", lambda row: sc.above(row.q))])

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: Point = None
    ) -> tuple[jax.Array, jax.Array]:
        """(q, v) at time t: an even motion."""
        q, v = self.initial() if q0 is None else (jnp.asarray(q0), jnp.asarray(v0))
        return q + t * v, v

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(3, 2)}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "p_x": lambda q, v: self.m * v[0]}


class TwistedInputs(MechanicalSystem):
    """A particle in space whose two inputs do not commute: [C02] 8.5.2, (8.20).

        x'' = u_1 z + u_2 y,    y'' = u_1 + u_2/4,    z'' = u_1/4 - u_2/2

    q = (x, y, z). The book declares it not STLCC at the origin by det A = 0; both signs of x are
    reached there with y = z = 0 all the same (erratum E30).

    Reference: [C02] 8.5.2 with errata E28 to E30.
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)

    space = Euclidean(3)
    coordinate_names = ("x", "y", "z")
    velocity_names = dots("x", "y", "z")
    units = ("m", "m", "m")
    reference = "[C02] 8.5.2"

    @property
    def mass(self) -> jax.Array:
        return self.m * jnp.eye(3)

    def inputs(self, q: jax.Array) -> jax.Array:
        first = jnp.array([0.0, 1.0, 0.25]).at[0].set(q[2])
        return jnp.stack([first, jnp.array([0.0, 0.25, -0.5]).at[0].set(q[1])])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.zeros(3), jnp.array([0.3, 0.2, -0.1])

    def scene(self) -> sc.Scene:
        ball = sc.Body("particle", sc.sphere(0.05).painted("accent"), lambda row: row.q)
        return sc.Scene([ball], traces=[sc.Trace("particle", lambda row: row.q)], ground=None)

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self), "p_x": lambda q, v: self.m * v[0]}


class PassiveArm(System):
    """A planar arm of three equal links whose last joint has no motor; no gravity.

    q = (q1, q2, q3), the angles of the joints in rad, each from the link before. A link is a rod
    of mass m and length l. Torques act at the first two joints.

    Reference: named in [C02] 8.6.2 after its kinematic controllability.
    """

    m: float = parameter(1.0, "kg", "mass of a link", positive=True)
    l: float = parameter(1.0, "m", "length of a link", positive=True)

    space = Euclidean(3)
    coordinate_names = ("q1", "q2", "q3")
    velocity_names = dots("q1", "q2", "q3")
    units = ("rad", "rad", "rad")
    input_names = ("shoulder", "elbow")
    input_units = ("N m", "N m")
    reference = "[C02] 8.6.2"

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        angle, rate = jnp.cumsum(q), jnp.cumsum(v)
        tip = jnp.zeros(2)
        total = jnp.zeros(())
        for i in range(3):
            across = rate[i] * self.l * jnp.stack([-jnp.sin(angle[i]), jnp.cos(angle[i])])
            center = tip + 0.5 * across
            tip = tip + across
            total = total + 0.5 * self.m * (center @ center)
            total = total + self.m * self.l**2 / 24.0 * rate[i] ** 2
        return total

    def inputs(self, q: jax.Array) -> jax.Array:
        return jnp.eye(3)[:2]

    def initial(self) -> tuple[jax.Array, jax.Array]:
        return jnp.array([0.2, 0.5, -0.4]), jnp.array([0.3, -0.2, 0.4])

    def _joint(self, q: jax.Array, k: int) -> jax.Array:
        """Where link k begins."""
        angle = jnp.cumsum(q)[:k]
        return self.l * jnp.sum(jnp.stack([jnp.cos(angle), jnp.sin(angle)]), axis=1)

    def scene(self) -> sc.Scene:
        l, high = self.l, 0.1 * self.l
        names = ("first link", "second link", "last link")

        def link(k: int) -> sc.Body:
            pieces = (
                sc.board(l, 0.16 * l, 0.08 * l).moved(0.5 * l, 0.0, k * high),
                sc.cylinder(0.1 * l, 0.12 * l)
                .moved(0.0, 0.0, k * high)
                .painted("accent" if k == 2 else "metal"),
            )
            return sc.Body(
                names[k],
                pieces,
                lambda row: sc.above(self._joint(row.q, k), high),
                lambda row: sc.turn_z(jnp.sum(row.q[: k + 1])),
            )

        tip = sc.Trace("tip", lambda row: sc.above(self._joint(row.q, 3), high))
        return sc.Scene([link(k) for k in range(3)], traces=[tip], note="The red joint is free.")

    @property
    def symmetry_generators(self) -> Generators:
        return {"turn": shifts(3, 0)}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


class UnderwaterVehicle(System):
    """A vehicle in the horizontal plane with added mass, a thruster, and a rudder's torque.

        L = (m_1 v_1^2 + m_2 v_2^2 + J omega^2)/2,    force -k G v

    on SE(2), with body velocities (v_1, v_2, omega): ahead, to the left, turning. The damping is
    isotropic, k_d = -k in (8.21) [C02].

    Reference: named in [C02] 8.6, 8.6.2.
    """

    m1: float = parameter(1.0, "kg", "mass with added mass, ahead", positive=True)
    m2: float = parameter(2.0, "kg", "mass with added mass, sideways", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia with added inertia", positive=True)
    k: float = parameter(0.0, "1/s", "isotropic damping", nonnegative=True)

    space = SE(2)
    coordinate_names = ("g11", "g12", "x", "g21", "g22", "y", "g31", "g32", "g33")
    units = ("1", "1", "m", "1", "1", "m", "1", "1", "1")
    velocity_names = ("surge", "sway", "yaw_rate")
    input_names = ("thrust", "torque")
    input_units = ("N", "N m")
    reference = "[C02] 8.6"

    def _metric(self) -> jax.Array:
        return jnp.diag(jnp.array([self.m1, self.m2, self.J]))

    def lagrangian(self, q: Point, v: jax.Array) -> jax.Array:
        return 0.5 * v @ (self._metric() @ v)

    def force(self, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
        return -self.k * (self._metric() @ v)

    def inputs(self, q: Point) -> jax.Array:
        return jnp.eye(3)[jnp.array([0, 2])]

    def initial(self) -> tuple[Point, jax.Array]:
        return jnp.eye(3), jnp.array([0.5, 0.1, 0.4])

    def path(self, q: Point) -> jax.Array:
        return q[:2, 2]

    def scene(self) -> sc.Scene:
        pieces = (
            sc.ellipsoid(0.5, 0.18, 0.15),
            sc.box(0.12, 0.02, 0.3).moved(-0.45, 0.0, 0.05).painted("dark"),
            sc.cylinder(0.08, 0.06)
            .turned((0, 1, 0), jnp.pi / 2)
            .moved(-0.52, 0, 0)
            .painted("metal"),
        )

        def attitude(row: sc.Row) -> jax.Array:
            return sc.turn_z(jnp.arctan2(row.q[1, 0], row.q[0, 0]))

        hull = sc.Body("hull", pieces, lambda row: sc.above(row.q[:2, 2], 0.3), attitude)
        return sc.Scene([hull], traces=[sc.Trace("hull", lambda row: sc.above(row.q[:2, 2], 0.3))])

    @property
    def conserves_energy(self) -> bool:
        return may_be_zero(self.k)

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)} if may_be_zero(self.k) else {}


class RollerRacer(MechanicalSystem):
    """Two bodies on one axle each, joined by a pin; a torque at the pin drives them.

        L = m (x'^2 + y'^2)/2 + I_1 theta'^2/2 + I_2 (theta' + phi')^2/2,
        no sideways slip of the axles at (x, y), and at a distance d_2 beyond the pin

    q = (x, y, theta, phi): the first axle in m, its heading, and the angle at the pin in rad. The
    pin is d_1 ahead of the first axle. Mass and, for the second body, inertia alone are kept.

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

        def second(row: sc.Row) -> jax.Array:  # the axle of the second body
            pin = sc.above(row.q) + self.d1 * sc.turn_z(row.q[2])[:, 0]
            return pin + self.d2 * sc.turn_z(row.q[2] + row.q[3])[:, 0]

        def heading(row: sc.Row) -> jax.Array:
            return sc.turn_z(row.q[2])

        def turned(row: sc.Row) -> jax.Array:
            return sc.turn_z(row.q[2] + row.q[3])

        seat = (
            *axle(r, 4 * r),
            sc.board(self.d1, 3 * r, 0.6 * r).moved(0.4 * self.d1, 0.0, 2.4 * r),
            sc.cylinder(0.4 * r, 3 * r).moved(self.d1, 0.0, 2.4 * r).painted("accent"),
        )
        bar = (
            *axle(r, 3 * r),
            sc.box(self.d2 + r, 0.6 * r, 0.6 * r).moved(-0.5 * self.d2, 0.0, 3.2 * r),
            sc.box(0.6 * r, 6 * r, 0.5 * r).moved(0.0, 0.0, 3.6 * r).painted("metal"),
        )
        return sc.Scene(
            [
                sc.Body("seat", seat, lambda row: sc.above(row.q), heading),
                sc.Body("handlebar", bar, second, turned),
            ],
            traces=[sc.Trace("seat", lambda row: sc.above(row.q))],
            contacts=[
                sc.Contact(
                    "seat", lambda row: sc.above(row.q), lambda row: heading(row)[:, 1][None]
                ),
                sc.Contact("handlebar", second, lambda row: turned(row)[:, 1][None]),
            ],
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

        def rear(row: sc.Row) -> jax.Array:
            return sc.above(row.q)

        def front(row: sc.Row) -> jax.Array:
            return rear(row) + L * sc.turn_z(row.q[2])[:, 0]

        def trailer(row: sc.Row) -> jax.Array:
            return rear(row) - d * sc.turn_z(row.q[3])[:, 0]

        def car(row: sc.Row) -> jax.Array:
            return sc.turn_z(row.q[2])

        def steered(row: sc.Row) -> jax.Array:
            return sc.turn_z(row.q[2] + row.q[4])

        def behind(row: sc.Row) -> jax.Array:
            return sc.turn_z(row.q[3])

        hull = (
            *axle(r, 4 * r),
            sc.box(1.3 * L, 3.4 * r, 1.2 * r).moved(0.5 * L, 0.0, 2 * r),
            sc.box(0.6 * L, 3 * r, 1.2 * r).moved(0.35 * L, 0.0, 3.2 * r).painted("metal"),
        )
        cart = (
            *axle(r, 4 * r),
            sc.box(0.6 * d, 3.2 * r, 1.4 * r).moved(0.05 * d, 0.0, 2.2 * r),
            sc.box(0.7 * d, 0.4 * r, 0.4 * r).moved(0.65 * d, 0.0, 1.4 * r).painted("metal"),
        )
        ends = (("car", rear, car), ("front axle", front, steered), ("trailer", trailer, behind))
        shapes = (hull, axle(r, 4 * r), cart)
        return sc.Scene(
            [sc.Body(name, pieces, at, way) for (name, at, way), pieces in zip(ends, shapes)],
            traces=[sc.Trace("car", rear), sc.Trace("trailer", trailer)],
            contacts=[
                sc.Contact(name, at, lambda row, way=way: way(row)[:, 1][None])
                for name, at, way in ends
            ],
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
    ahead, and the angles of the wheels in rad. The wheels roll without slip. The body's center is
    l above the axle; alpha = 0 is the upright position, which falls without control.

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


def axle(r: Real, width: Real) -> tuple[sc.Shape, ...]:
    """A rod with a wheel at each end; the wheels do not turn in the picture."""
    rod = sc.cylinder(0.25 * r, width).turned((1, 0, 0), jnp.pi / 2).moved(0.0, 0.0, r)
    sides = (0.5 * width, -0.5 * width)
    return (
        rod.painted("metal"),
        *(sc.disk(r, 0.5 * r).moved(0.0, y, r).painted("dark") for y in sides),
    )
