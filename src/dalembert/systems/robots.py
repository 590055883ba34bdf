"""Wheeled robots in the plane."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from .. import scene as sc
from ..errors import UsageError
from ..groups import SE, Euclidean
from ..system import Generators, Invariants, MechanicalSystem, Point, Split, System, parameter
from ._common import concrete, dots, energy, planar_motions, require_zero, shifts, start
from .disks import rolling_circle, rolling_rows, rolling_velocity
from .sleighs import sleigh_motion


class MobileRobot(MechanicalSystem):
    """A robot of fixed orientation on three wheels that steer and roll together.

        L = m (x'^2 + y'^2)/2 + I theta'^2/2 + 3 I_w psi'^2/2 - V0 sin psi,
        x' = R cos(theta) psi',    y' = R sin(theta) psi'

    q = (x, y, theta, psi): center in m, steering and rolling angle in rad. Conserved: the energy,
    I theta' and the energy of the rolling, (3 I_w + m R^2) psi'^2/2 + V0 sin psi. Closed form
    for V0 = 0: the center runs on a circle.

    Reference: [C02] 5.2.1 and, with V0 = 10, 7.6.2. Default data: start of the table for 7.6.2
    (the book gives none).
    """

    m: float = parameter(10.0, "kg", "mass of the robot", positive=True)
    I: float = parameter(2.0, "kg m^2", "moment of inertia of the steering", positive=True)
    I_w: float = parameter(0.3, "kg m^2", "axial moment of inertia of each wheel", positive=True)
    R: float = parameter(0.2, "m", "radius of the wheels", positive=True)
    potential_strength: float = parameter(0.0, "J", "V0 of the potential V0 sin psi; 7.6.2 has 10")

    space = Euclidean(4)
    coordinate_names = ("x", "y", "theta", "psi")
    velocity_names = dots("x", "y", "theta", "psi")
    units = ("m", "m", "rad", "rad")
    constraint_units = ("N",) * 2
    reference = "[C02] 5.2.1, 7.6.2"

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.array([self.m, self.m, self.I, 3 * self.I_w]))

    def potential(self, q: jax.Array) -> jax.Array:
        return self.potential_strength * jnp.sin(q[3])

    def constraint(self, q: jax.Array) -> jax.Array:
        return rolling_rows(q[2], self.R)

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.0, 0.0, 0.3, 0.5])
        return q, rolling_velocity(q[2], self.R, jnp.asarray(0.8), jnp.asarray(1.0))

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t without potential."""
        require_zero(self, "potential_strength")
        q0, v0 = start(self, q0, v0)
        return rolling_circle(t, self.R, q0, v0)

    def closed_form_multiplier(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> jax.Array:
        """Return lam = m (x'', y'')."""
        _, v = self.closed_form(t, q0, v0)
        return self.m * v[2] * jnp.stack([-v[1], v[0]])

    def scene(self) -> sc.Scene:
        R, reach = self.R, 2.5 * self.R
        corners = [(np.cos(a), np.sin(a)) for a in 2 * np.pi * np.arange(3) / 3]

        def middle(row: sc.Row) -> jax.Array:
            return sc.above(row.q)

        def wheel(x: float, y: float, z: float) -> sc.Of:
            return lambda row: sc.above(row.q) + jnp.stack([reach * x, reach * y, R * z])

        deck = (
            sc.cylinder(0.75 * reach, 0.6 * R).moved(0.0, 0.0, 2.5 * R),
            sc.cylinder(0.3 * reach, 1.2 * R).moved(0.0, 0.0, 3.3 * R).painted("metal"),
            sc.box(0.5 * reach, 0.1 * R, 0.2 * R).moved(0.5 * reach, 0.0, 2.85 * R).painted("dark"),
        )
        struts = tuple(
            piece.painted("metal")
            for i, (x, y) in enumerate(corners)
            for piece in (
                sc.box(1.1 * reach, 0.25 * R, 0.25 * R)
                .turned((0, 0, 1), 2 * np.pi * i / 3)
                .moved(0.5 * reach * x, 0.5 * reach * y, 2.3 * R),
                sc.cylinder(0.12 * R, 1.2 * R).moved(reach * x, reach * y, 1.7 * R),
            )
        )

        def turned(row: sc.Row) -> jax.Array:
            return sc.turn_z(row.q[2]) @ sc.turn_y(row.q[3])

        return sc.Scene(
            [
                sc.Body("robot", (*deck, *struts), middle),
                *(
                    sc.Body(f"wheel {i + 1}", sc.wheel(R, 0.35 * R), wheel(x, y, 1.0), turned)
                    for i, (x, y) in enumerate(corners)
                ),
            ],
            traces=[sc.Trace("center", middle)],
            arrows=[sc.Arrow("friction, in all", middle, lambda row: sc.above(row.force))],
            contacts=[
                sc.Contact(f"wheel {i + 1}", wheel(x, y, 0.0)) for i, (x, y) in enumerate(corners)
            ],
        )

    @property
    def symmetry_generators(self) -> Generators:
        return {"translations": shifts(4, 0, 1), "se2": planar_motions(4, 2)}

    @property
    def chaplygin_split(self) -> Split | None:
        return ((2, 3), Euclidean(2), (2 * jnp.pi, 2 * jnp.pi))

    @property
    def invariants(self) -> Invariants:
        def rolling(q: jax.Array, v: jax.Array) -> jax.Array:
            return 0.5 * (3 * self.I_w + self.m * self.R**2) * v[3] ** 2 + self.potential(q)

        return {
            "energy": energy(self),
            "p_theta": lambda q, v: self.I * v[2],
            "energy_roll": rolling,
        }


class TwoWheeledRobot(System):
    """A carriage on two independent wheels, its center of mass l ahead of the axle.

        2 T = m (x'^2 + y'^2) + 2 m0 l theta' (y' cos theta - x' sin theta) + J theta'^2
              + J_w (psi1'^2 + psi2'^2),    m = m0 + 2 m1,
        x' sin theta - y' cos theta = 0,
        x' cos theta + y' sin theta + c theta' + R psi1' = 0,
        x' cos theta + y' sin theta - c theta' + R psi2' = 0

    q = (x, y, theta, psi1, psi2): middle of the axle in m, heading and wheel angles in rad (the
    wheels turn backwards when the carriage goes forwards). J is the moment of inertia of the
    whole about the vertical through the middle of the axle. The carriage moves as a Chaplygin
    sleigh, with M = m + 2 J_w/R^2, K = J + 2 J_w c^2/R^2 and s = m0 l. Conserved: the energy.

    Reference: [C02] 5.2.2, with errata E18 to E20 for what is derived from it there.
    """

    m0: float = parameter(1.0, "kg", "mass without the wheels", positive=True)
    m1: float = parameter(0.1, "kg", "mass of each wheel", positive=True)
    J: float = parameter(0.5, "kg m^2", "moment of inertia about the axle's middle", positive=True)
    J_w: float = parameter(0.02, "kg m^2", "axial moment of inertia of a wheel", positive=True)
    l: float = parameter(0.3, "m", "center of mass ahead of the axle, any sign")
    c: float = parameter(0.4, "m", "half the length of the axle", positive=True)
    R: float = parameter(0.2, "m", "radius of the wheels", positive=True)

    space = Euclidean(5)
    coordinate_names = ("x", "y", "theta", "psi1", "psi2")
    velocity_names = dots("x", "y", "theta", "psi1", "psi2")
    units = ("m", "m", "rad", "rad", "rad")
    constraint_units = ("N",) * 3
    reference = "[C02] 5.2.2"

    def __check_init__(self) -> None:
        m0, m1, J, l = (concrete(x) for x in (self.m0, self.m1, self.J, self.l))
        if m0 is None or m1 is None or J is None or l is None:
            return
        if np.any(m0 <= 0) or np.any(m1 <= 0) or np.any(J <= 0):
            return  # reported with the field's name by the check of the fields
        if np.any(J * (m0 + 2 * m1) <= (m0 * l) ** 2):
            raise UsageError(
                f"TwoWheeledRobot: parameter 'J' must exceed (m0 l)^2/(m0 + 2 m1), else the "
                f"kinetic energy is not positive; got J = {self.J}, l = {self.l}"
            )

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        side = v[1] * jnp.cos(q[2]) - v[0] * jnp.sin(q[2])
        twice = (self.m0 + 2 * self.m1) * (v[0] ** 2 + v[1] ** 2)
        twice = twice + 2 * self.m0 * self.l * v[2] * side + self.J * v[2] ** 2
        return 0.5 * (twice + self.J_w * (v[3] ** 2 + v[4] ** 2))

    def constraint(self, q: jax.Array) -> jax.Array:
        k, s = jnp.cos(q[2]), jnp.sin(q[2])
        o, c, R = jnp.zeros(()), jnp.asarray(self.c), jnp.asarray(self.R)
        return jnp.stack(
            [
                jnp.stack([s, -k, o, o, o]),
                jnp.stack([k, s, c, R, o]),
                jnp.stack([k, s, -c, o, R]),
            ]
        )

    def _drive(self, theta: jax.Array, u: jax.Array, w: jax.Array) -> jax.Array:
        wheels = -jnp.stack([u + self.c * w, u - self.c * w]) / self.R
        return jnp.concatenate([jnp.stack([u * jnp.cos(theta), u * jnp.sin(theta), w]), wheels])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.0, 0.0, 0.3, 0.0, 0.0])
        return q, self._drive(q[2], jnp.asarray(-0.8), jnp.asarray(0.9))

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t; x and y by a quadrature of fixed size."""
        q0, v0 = start(self, q0, v0)
        M = self.m0 + 2 * self.m1 + 2 * self.J_w / self.R**2
        K = self.J + 2 * self.J_w * (self.c / self.R) ** 2
        u0 = v0[0] * jnp.cos(q0[2]) + v0[1] * jnp.sin(q0[2])
        move = sleigh_motion(t, M, K, self.m0 * self.l, q0[2], u0, v0[2])
        wheel1 = -(move.length + self.c * move.theta) / self.R
        wheel2 = -(move.length - self.c * move.theta) / self.R
        q = q0 + jnp.stack([move.x, move.y, move.theta, wheel1, wheel2])
        return q, self._drive(q[2], move.u, move.w)

    def scene(self) -> sc.Scene:
        R, c = self.R, self.c

        def middle(row: sc.Row) -> jax.Array:
            return sc.above(row.q, R)

        # the first wheel is on the right
        def hub(side: float, z: float) -> sc.Of:
            return lambda row: (
                sc.above(row.q) + sc.turn_z(row.q[2]) @ jnp.stack([0.0 * R, side * c, z * R])
            )

        def turned(k: int) -> sc.Of:
            return lambda row: sc.turn_z(row.q[2]) @ sc.turn_y(-row.q[k])

        carriage = (
            sc.box(2.4 * c, 1.5 * c, 0.4 * R).moved(0.5 * c, 0.0, 0.45 * R),
            sc.cylinder(0.14 * R, 2 * c).turned((1, 0, 0), np.pi / 2).painted("metal"),
            sc.sphere(0.3 * R).moved(1.5 * c, 0.0, -0.7 * R).painted("dark"),
            sc.cylinder(0.08 * R, 0.9 * R).moved(1.5 * c, 0.0, -0.15 * R).painted("metal"),
            sc.sphere(0.35 * R).moved(self.l, 0.0, 0.75 * R).painted("accent"),
        )
        return sc.Scene(
            [
                sc.Body("carriage", carriage, middle, lambda row: sc.turn_z(row.q[2])),
                sc.Body("right wheel", sc.wheel(R, 0.35 * R), hub(-1.0, 1.0), turned(3)),
                sc.Body("left wheel", sc.wheel(R, 0.35 * R), hub(1.0, 1.0), turned(4)),
            ],
            traces=[sc.Trace("middle of the axle", lambda row: sc.above(row.q))],
            arrows=[
                sc.Arrow(
                    "friction, in all",
                    lambda row: sc.above(row.q),
                    lambda row: sc.above(row.force),
                )
            ],
            contacts=[
                sc.Contact("right wheel", hub(-1.0, 0.0)),
                sc.Contact("left wheel", hub(1.0, 0.0)),
            ],
            note="The red ball is the center of mass.",
        )

    @property
    def symmetry_generators(self) -> Generators:
        return {"se2": planar_motions(5, 2), "wheels": shifts(5, 3, 4)}

    @property
    def chaplygin_split(self) -> Split | None:
        return ((3, 4), SE(2), (2 * jnp.pi, 2 * jnp.pi))

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}
