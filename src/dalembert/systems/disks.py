"""Disks that roll without slipping on a horizontal plane."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike

from .. import scene as sc
from ..errors import UsageError
from ..groups import Euclidean
from ..linalg import Real
from ..system import Generators, Invariants, MechanicalSystem, Point, Split, System, parameter
from ._common import arc, concrete, dots, energy, planar_motions, shifts, start


class VerticalRollingDisk(MechanicalSystem):
    """A disk that rolls upright; heading theta1, roll angle theta2.

        L = (m x'^2 + m y'^2 + I1 theta1'^2 + I2 theta2'^2)/2,
        x' = R cos(theta1) theta2',    y' = R sin(theta1) theta2'

    q = (x, y, theta1, theta2) in m and rad. Both angles turn evenly and the contact point runs
    on a circle. Conserved: the energy, I1 theta1' and (I2 + m R^2) theta2'.

    Reference: [C02] 4.2.1 (vertical rolling disk), with Q = R^2 x S^1 x S^1 (E12).
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    I1: float = parameter(0.25, "kg m^2", "moment of inertia about the vertical", positive=True)
    I2: float = parameter(0.5, "kg m^2", "moment of inertia about the axle", positive=True)
    R: float = parameter(1.0, "m", "radius", positive=True)

    space = Euclidean(4)
    coordinate_names = ("x", "y", "theta1", "theta2")
    velocity_names = dots("x", "y", "theta1", "theta2")
    units = ("m", "m", "rad", "rad")
    constraint_units = ("N",) * 2
    reference = "[C02] 4.2.1"

    @property
    def mass(self) -> jax.Array:
        return jnp.diag(jnp.array([self.m, self.m, self.I1, self.I2]))

    def constraint(self, q: jax.Array) -> jax.Array:
        return rolling_rows(q[2], self.R)

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.0, 0.0, 0.3, 0.0])
        return q, rolling_velocity(q[2], self.R, jnp.asarray(0.5), jnp.asarray(1.0))

    def closed_form(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Return (q, v) at time t: a circle of radius R |theta2'/theta1'|, or a line."""
        q0, v0 = start(self, q0, v0)
        return rolling_circle(t, self.R, q0, v0)

    def closed_form_multiplier(
        self, t: jax.Array, q0: Point = None, v0: ArrayLike | None = None
    ) -> jax.Array:
        """Return lam = m (x'', y'')."""
        _, v = self.closed_form(t, q0, v0)
        return self.m * v[2] * jnp.stack([-v[1], v[0]])

    def scene(self) -> sc.Scene:
        def center(row: sc.Row) -> jax.Array:
            return sc.above(row.q, self.R)

        def attitude(row: sc.Row) -> jax.Array:
            return sc.turn_z(row.q[2]) @ sc.turn_y(row.q[3])

        return _rolling_scene(sc.wheel(self.R, 0.12 * self.R), center, attitude)

    @property
    def symmetry_generators(self) -> Generators:
        return {
            "translations": shifts(4, 0, 1),
            "se2": planar_motions(4, 2),
            "roll": shifts(4, 3),
            "se2-roll": planar_motions(4, 2, 3),
        }

    @property
    def chaplygin_split(self) -> Split | None:
        return ((2, 3), Euclidean(2), (2 * jnp.pi, 2 * jnp.pi))

    @property
    def invariants(self) -> Invariants:
        return {
            "energy": energy(self),
            "p_heading": lambda q, v: self.I1 * v[2],
            "p_roll": lambda q, v: (self.I2 + self.m * self.R**2) * v[3],
        }


class RollingDisk(System):
    """A disk that rolls and leans; psi roll, phi heading, theta lean from the vertical.

        T = m (x'^2 + y'^2 + R^2 theta'^2 + R^2 phi'^2 sin^2 theta)/2
            - m R (theta' cos theta (x' sin phi - y' cos phi)
                   + phi' sin theta (x' cos phi + y' sin phi))
            + I1 (theta'^2 + phi'^2 cos^2 theta)/2 + I2 (psi' - phi' sin theta)^2/2,
        V = m g R cos theta,    x' = R cos(phi) psi',    y' = R sin(phi) psi'

    q = (x, y, psi, phi, theta): contact point in m, angles in rad. The center is at
    (x, y, 0) + R (-sin phi sin theta, cos phi sin theta, cos theta), and the attitude is
    Rz(phi) Rx(-theta) Ry(psi) with the axle as second axis. The chart is singular where the disk
    lies flat, cos theta = 0. Conserved: the energy.

    Reference: [C02] 3.2.1, (3.7), with the sign of phi' sin theta corrected (E3, E4).
    """

    m: float = parameter(1.0, "kg", "mass", positive=True)
    R: float = parameter(1.0, "m", "radius", positive=True)
    I1: float = parameter(0.25, "kg m^2", "moment of inertia about a diameter", positive=True)
    I2: float = parameter(0.5, "kg m^2", "moment of inertia about the axle", positive=True)
    g: float = parameter(9.81, "m/s^2", "gravity")

    space = Euclidean(5)
    coordinate_names = ("x", "y", "psi", "phi", "theta")
    velocity_names = dots("x", "y", "psi", "phi", "theta")
    units = ("m", "m", "rad", "rad", "rad")
    constraint_units = ("N",) * 2
    reference = "[C02] 3.2.1, (3.7), E3, E4"

    def __check_init__(self) -> None:
        I1, I2 = concrete(self.I1), concrete(self.I2)
        if I1 is None or I2 is None or np.any(I1 <= 0):
            return  # an invalid value is reported with the field's name by the check of the fields
        if np.any(I2 > 2 * I1 * (1 + 1e-12)):
            raise UsageError(
                f"RollingDisk: parameters 'I1' and 'I2' of a rigid body obey I2 <= 2 I1, got "
                f"I1 = {self.I1}, I2 = {self.I2}"
            )

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        x, y, psi, phi, theta = v
        c, s = jnp.cos(q[3]), jnp.sin(q[3])
        ct, st = jnp.cos(q[4]), jnp.sin(q[4])
        square = x**2 + y**2 + self.R**2 * (theta**2 + (phi * st) ** 2)
        cross = theta * ct * (x * s - y * c) + phi * st * (x * c + y * s)
        turning = 0.5 * self.I1 * (theta**2 + (phi * ct) ** 2)
        rolling = 0.5 * self.I2 * (psi - phi * st) ** 2
        kinetic = 0.5 * self.m * square - self.m * self.R * cross + turning + rolling
        return kinetic - self.m * self.g * self.R * ct

    def constraint(self, q: jax.Array) -> jax.Array:
        o, one = jnp.zeros(()), jnp.ones(())
        return jnp.stack(
            [
                jnp.stack([one, o, -self.R * jnp.cos(q[3]), o, o]),
                jnp.stack([o, one, -self.R * jnp.sin(q[3]), o, o]),
            ]
        )

    def initial(self) -> tuple[jax.Array, jax.Array]:
        q = jnp.array([0.0, 0.0, 0.0, 0.3, 0.2])
        roll = 4.0
        forward = self.R * roll
        return q, jnp.stack(
            [
                forward * jnp.cos(q[3]),
                forward * jnp.sin(q[3]),
                jnp.asarray(roll),
                jnp.asarray(0.5),
                jnp.asarray(0.1),
            ]
        )

    def scene(self) -> sc.Scene:
        def attitude(row: sc.Row) -> jax.Array:
            _, _, psi, phi, theta = row.q
            return sc.turn_z(phi) @ sc.turn_x(-theta) @ sc.turn_y(psi)

        def center(row: sc.Row) -> jax.Array:
            up = sc.turn_z(row.q[3]) @ sc.turn_x(-row.q[4])[:, 2]
            return sc.above(row.q) + self.R * up

        return _rolling_scene(sc.disk(self.R, 0.06 * self.R), center, attitude)

    @property
    def symmetry_generators(self) -> Generators:
        return {
            "se2": planar_motions(5, 3),
            "roll": shifts(5, 2),
            "se2-roll": planar_motions(5, 3, 2),
        }

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}


def _rolling_scene(shape: sc.Shape, center: sc.Of, attitude: sc.Of) -> sc.Scene:
    """Return the scene of a disk that touches the plane at the first two coordinates."""

    def foot(row: sc.Row) -> jax.Array:
        return sc.above(row.q)

    return sc.Scene(
        [sc.Body("disk", shape, center, attitude)],
        traces=[sc.Trace("contact", foot), sc.Trace("center", center)],
        arrows=[sc.Arrow("friction", foot, lambda row: sc.above(row.force))],
        contacts=[sc.Contact("disk", foot)],
    )


def rolling_rows(heading: jax.Array, radius: Real) -> jax.Array:
    """Return the rows of the rolling condition on (x, y, heading, roll).

    x' = R cos(heading) roll',  y' = R sin(heading) roll'
    """
    o, one = jnp.zeros(()), jnp.ones(())
    return jnp.stack(
        [
            jnp.stack([one, o, o, -radius * jnp.cos(heading)]),
            jnp.stack([o, one, o, -radius * jnp.sin(heading)]),
        ]
    )


def rolling_velocity(
    heading: jax.Array, radius: Real, turn: jax.Array, roll: jax.Array
) -> jax.Array:
    """Return the velocity of an upright wheel on (x, y, heading, roll) from both rates."""
    forward = radius * roll
    return jnp.stack([forward * jnp.cos(heading), forward * jnp.sin(heading), turn, roll])


def rolling_circle(
    t: jax.Array, radius: Real, q0: jax.Array, v0: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Return the motion of an upright wheel, (x, y, heading, roll), with constant rates."""
    turn, roll = v0[2], v0[3]
    along, across = arc(t, q0[2], turn)
    shift = jnp.stack([radius * roll * along, radius * roll * across, turn * t, roll * t])
    return q0 + shift, rolling_velocity(q0[2] + turn * t, radius, turn, roll)
