"""The Whipple bicycle: rear wheel, frame with rider, fork and front wheel, rolling hands-free."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from .. import scene as sc
from ..groups import Euclidean
from ..linalg import Real, solve
from ..system import Generators, Invariants, System, parameter
from ._common import dots, energy, shifts

_AXES: Any = np.eye(3)
_X, _Y, _Z = _AXES


def _turn(axis: Any, angle: Real) -> jax.Array:
    o = jnp.zeros(())
    x, y, z = (axis[i] + o for i in range(3))
    K = jnp.stack([jnp.stack([o, -z, y]), jnp.stack([z, o, -x]), jnp.stack([-y, x, o])])
    return _AXES + jnp.sin(angle) * K + (1 - jnp.cos(angle)) * (K @ K)


class WhippleBicycle(System):
    """A bicycle without a hand on it: four rigid bodies, two wheels that roll without slip.

    q = (x, y, yaw, lean, pitch, steer, rear, front): the rear contact in m, angles in rad; x
    forward, y right, z down. The coordinates put the rear wheel on the ground, a holonomic
    constraint the front wheel. Two rows for each wheel say that it rolls; three speeds are left:
    forward, lean and steer. Upright straight motion is stable between 4.292 and 6.024 m/s.

    Reference: Meijaard, Papadopoulos, Ruina and Schwab (2007), parameters of their table 1.
    """

    base: float = parameter(1.02, "m", "wheel base", positive=True)
    trail: float = parameter(0.08, "m", "trail")
    tilt: float = parameter(np.pi / 10, "rad", "angle of the steering axis from the vertical")
    R_rear: float = parameter(0.3, "m", "radius of the rear wheel", positive=True)
    R_front: float = parameter(0.35, "m", "radius of the front wheel", positive=True)
    m_rear: float = parameter(2.0, "kg", "mass of the rear wheel", positive=True)
    m_frame: float = parameter(85.0, "kg", "mass of frame and rider", positive=True)
    m_fork: float = parameter(4.0, "kg", "mass of handlebar and fork", positive=True)
    m_front: float = parameter(3.0, "kg", "mass of the front wheel", positive=True)
    x_frame: float = parameter(0.3, "m", "center of mass of the frame, ahead")
    z_frame: float = parameter(-0.9, "m", "center of mass of the frame, down")
    x_fork: float = parameter(0.9, "m", "center of mass of the fork, ahead")
    z_fork: float = parameter(-0.7, "m", "center of mass of the fork, down")
    I_rear: jax.Array = parameter((0.0603, 0.12), "kg m^2", "moments Ixx, Iyy of the rear wheel")
    I_frame: jax.Array = parameter((9.2, 11.0, 2.8, 2.4), "kg m^2", "Ixx, Iyy, Izz, Ixz: frame")
    I_fork: jax.Array = parameter(
        (0.05892, 0.06, 0.00708, -0.00756), "kg m^2", "Ixx, Iyy, Izz, Ixz: fork"
    )
    I_front: jax.Array = parameter((0.1405, 0.28), "kg m^2", "moments Ixx, Iyy of the front wheel")
    g: float = parameter(9.81, "m/s^2", "gravity")

    space = Euclidean(8)
    coordinate_names = ("x", "y", "yaw", "lean", "pitch", "steer", "rear", "front")
    velocity_names = dots("x", "y", "yaw", "lean", "pitch", "steer", "rear", "front")
    units = ("m", "m", *("rad",) * 6)
    constraint_names = (
        "front wheel, height",
        "rear wheel, x",
        "rear wheel, y",
        "front wheel, x",
        "front wheel, y",
    )
    constraint_units = ("N",) * 5
    input_names = ("steer torque", "pedals")
    input_units = ("N m", "N m")
    reference = "Meijaard, Papadopoulos, Ruina, Schwab 2007"

    def bodies(self) -> tuple[tuple[Real, jax.Array, jax.Array], ...]:
        """Return mass, center of mass in the reference position, inertia matrix: rear to front."""

        def matrix(xx: Real, yy: Real, zz: Real, xz: Real) -> jax.Array:
            o = jnp.zeros(())
            rows = ((xx, o, xz), (o, yy, o), (xz, o, zz))
            return jnp.stack([jnp.stack([a + o for a in row]) for row in rows])

        def at(x: Real, z: Real) -> jax.Array:
            return x * _X + z * _Z

        rear, front = self.I_rear, self.I_front
        return (
            (self.m_rear, at(0.0, -self.R_rear), matrix(rear[0], rear[1], rear[0], 0.0)),
            (self.m_frame, at(self.x_frame, self.z_frame), matrix(*self.I_frame)),
            (self.m_fork, at(self.x_fork, self.z_fork), matrix(*self.I_fork)),
            (
                self.m_front,
                at(self.base, -self.R_front),
                matrix(front[0], front[1], front[0], 0.0),
            ),
        )

    def placed(self, q: jax.Array) -> tuple[tuple[jax.Array, ...], tuple[jax.Array, ...]]:
        """Return attitudes of rear wheel's plane, frame and fork, and the four centers of mass."""
        axis = jnp.sin(self.tilt) * _X + jnp.cos(self.tilt) * _Z
        hinge = (self.base + self.trail) * _X  # where the steering axis meets the ground
        plane = _turn(_Z, q[2]) @ _turn(_X, q[3])
        frame = plane @ _turn(_Y, q[4])
        fork = frame @ _turn(axis, q[5])
        down = self.R_rear * _Z
        hub = jnp.stack([q[0], q[1], 0.0 * q[0]]) - plane @ down
        _, middle, bars, front = (center for _, center, _ in self.bodies())
        pin = hub + frame @ (hinge + down)
        places = (
            hub,
            hub + frame @ (middle + down),
            pin + fork @ (bars - hinge),
            pin + fork @ (front - hinge),
        )
        return (plane, frame, fork), places

    def motion(self, q: jax.Array, v: jax.Array):
        """Return `placed(q)`, the four body angular velocities, and velocities of the centers."""
        (attitudes, places), (turning, speeds) = jax.jvp(self.placed, (q,), (v,))

        def spin(R: jax.Array, dR: jax.Array) -> jax.Array:
            W = R.T @ dR
            return jnp.stack([W[2, 1], W[0, 2], W[1, 0]])

        plane, frame, fork = map(spin, attitudes, turning)
        return attitudes, places, (plane + v[6] * _Y, frame, fork, fork + v[7] * _Y), speeds

    def lagrangian(self, q: jax.Array, v: jax.Array) -> jax.Array:
        _, places, spins, speeds = self.motion(q, v)
        total = jnp.zeros(())
        for (mass, _, inertia), place, w, u in zip(self.bodies(), places, spins, speeds):
            total = total + 0.5 * mass * u @ u + 0.5 * w @ (inertia @ w) + mass * self.g * place[2]
        return total

    def front_foot(self, fork: jax.Array) -> jax.Array:
        """Return the vector from the front hub to the contact point of the front wheel."""
        axle = fork[:, 1]
        down = _Z - axle[2] * axle
        return self.R_front * down / jnp.sqrt(down @ down)

    def holonomic(self, q: jax.Array) -> jax.Array:
        (_, _, fork), places = self.placed(q)
        return (places[3] + self.front_foot(fork))[2:]

    def constraint(self, q: jax.Array) -> jax.Array:
        def slip(v: jax.Array) -> jax.Array:
            (plane, _, fork), _, spins, speeds = self.motion(q, v)
            rear = speeds[0] + jnp.cross(plane @ spins[0], self.R_rear * plane[:, 2])
            front = speeds[3] + jnp.cross(fork @ spins[3], self.front_foot(fork))
            return jnp.concatenate([rear[:2], front[:2]])

        return jax.jacfwd(slip)(jnp.zeros(8))

    def inputs(self, q: jax.Array) -> jax.Array:
        """Return the rows of two torques: between frame and fork, and of chain on rear wheel."""
        # the chain's torque on the rear wheel acts back on the frame
        pedals = jnp.zeros(8).at[6].set(-1.0).at[4].set(1.0)
        return jnp.stack([jnp.eye(8)[5], pedals])

    def initial(self) -> tuple[jax.Array, jax.Array]:
        """Return an upright straight start at 4.6 m/s, pushed sideways."""
        speed = 4.6
        # the velocity of leaning is about the line on the ground
        v = jnp.array([speed, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0])
        return jnp.zeros(8), v.at[6].set(-speed / self.R_rear).at[7].set(-speed / self.R_front)

    def rolling_velocity(
        self, q: jax.Array, lean_rate: Real, steer_rate: Real, speed: Real
    ) -> jax.Array:
        """Return v with these three free speeds; `speed` is that of the rear wheel's rim."""
        rows = jnp.concatenate(
            [dynamics.linear_constraint(self, q), jnp.eye(8)[np.array([3, 5, 6])]]
        )
        free = [jnp.asarray(x, dtype=float) for x in (lean_rate, steer_rate, -speed / self.R_rear)]
        return solve(rows, jnp.concatenate([jnp.zeros(5), jnp.stack(free)]))

    def scene(self) -> sc.Scene:
        def place(k: int) -> sc.Of:
            return lambda row: self.placed(row.q)[1][k]

        def attitude(k: int, spin: int | None = None) -> sc.Of:
            def of(row: sc.Row) -> jax.Array:
                turn = self.placed(row.q)[0][k]
                return turn if spin is None else turn @ _turn(_Y, row.q[spin])

            return of

        def rear(row: sc.Row) -> jax.Array:
            return sc.above(row.q)

        def front(row: sc.Row) -> jax.Array:
            (_, _, fork), places = self.placed(row.q)
            return places[3] + self.front_foot(fork)

        bars = sc.box(0.05, 0.5, 0.04).moved(0.0, 0.0, -0.3).painted("metal")
        saddle = (
            sc.box(0.9, 0.06, 0.06).moved(0.1, 0.0, 0.35),
            sc.ellipsoid(0.16, 0.2, 0.45).moved(-0.05, 0.0, -0.1).painted("accent"),
        )
        return sc.Scene(
            [
                sc.Body("frame", saddle, place(1), attitude(1)),
                sc.Body("rear wheel", sc.wheel(self.R_rear, 0.04), place(0), attitude(0, 6)),
                sc.Body("fork", (bars, sc.box(0.06, 0.06, 0.7)), place(2), attitude(2)),
                sc.Body("front wheel", sc.wheel(self.R_front, 0.04), place(3), attitude(2, 7)),
            ],
            traces=[sc.Trace("rear contact", rear), sc.Trace("front contact", front)],
            contacts=[sc.Contact("rear wheel", rear), sc.Contact("front wheel", front)],
            ground=sc.Ground(((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))),
            note="z points down.",
            up=(0.0, 0.0, -1.0),
        )

    @property
    def symmetry_generators(self) -> Generators:
        return {"wheels": shifts(8, 6, 7), "translations": shifts(8, 0, 1)}

    @property
    def invariants(self) -> Invariants:
        return {"energy": energy(self)}
