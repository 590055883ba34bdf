"""Bodies to be controlled: with thrusters, in the plane and in space, and an arm."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from .. import scene as sc
from ..groups import SE, Euclidean
from ..system import Generators, Invariants, MechanicalSystem, Point, System, parameter
from ._common import dots, energy, may_be_zero, planar_motions, shifts


class PlanarBody(MechanicalSystem):
    """A rigid body in the plane with a force that acts a distance h from its center, and a torque.

        L = m (x'^2 + y'^2)/2 + J theta'^2/2,
        F^1 = -sin(theta) dx + cos(theta) dy - h dtheta,    F^2 = dtheta

    q = (x, y, theta) in m and rad. Without controls it moves evenly. With the inputs F^1, F^2 the
    sufficient condition for controllability fails; with Y_1 + h Y_2 and Y_2 it holds.

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
        """Return (q, v) at time t: a uniform motion."""
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

    q = (x, y, z). The book says that it is not STLCC at the origin because det A = 0; but points
    with y = z = 0 and x of either sign can be reached there (erratum E30).

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
        """Return the point where link k begins."""
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
