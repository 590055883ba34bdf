"""The Whipple bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007).

q = (x, y, yaw, lean, pitch, steer, rear wheel, front wheel), (x, y) the rear contact; x forward,
y right, z down. The rear wheel is on the ground by the choice of coordinates, the front wheel by
a holonomic constraint; both roll without slip, two rows each. Stable from 4.3 to 6.0 m/s.

For `first_call.py`: a system of a user, written out.
"""

import jax
import jax.numpy as jnp

import dalembert as da

BASE, TRAIL, TILT, GRAVITY = 1.02, 0.08, jnp.pi / 10, 9.81
REAR, FRONT = 0.3, 0.35  # radii
X, Y, Z = jnp.eye(3)


def _inertia(xx, yy, zz, xz=0.0):
    return jnp.array([[xx, 0.0, xz], [0.0, yy, 0.0], [xz, 0.0, zz]])


BODIES = {  # mass, center of mass in the reference position, inertia about it
    "rear wheel": (2.0, -REAR * Z, _inertia(0.0603, 0.12, 0.0603)),
    "frame": (85.0, 0.3 * X - 0.9 * Z, _inertia(9.2, 11.0, 2.8, 2.4)),
    "fork": (4.0, 0.9 * X - 0.7 * Z, _inertia(0.05892, 0.06, 0.00708, -0.00756)),
    "front wheel": (3.0, BASE * X - FRONT * Z, _inertia(0.1405, 0.28, 0.1405)),
}
HINGE = (BASE + TRAIL) * X  # where the steering axis meets the ground
AXIS = jnp.sin(TILT) * X + jnp.cos(TILT) * Z


def _cross(w):
    return jnp.stack([jnp.cross(w, e) for e in (X, Y, Z)], axis=1)


def _turn(axis, angle):
    K = _cross(axis)
    return jnp.eye(3) + jnp.sin(angle) * K + (1 - jnp.cos(angle)) * (K @ K)


class Bicycle(da.System):
    """Eight coordinates, one holonomic and four rolling constraints: three speeds."""

    space = da.Euclidean(8)
    coordinate_names = ("x", "y", "yaw", "lean", "pitch", "steer", "rear", "front")

    def placed(self, q):
        """Attitudes of wheel plane, frame and fork; positions of the four centers of mass."""
        plane = _turn(Z, q[2]) @ _turn(X, q[3])
        frame = plane @ _turn(Y, q[4])
        fork = frame @ _turn(AXIS, q[5])
        hub = jnp.stack([q[0], q[1], 0.0 * q[0]]) - REAR * plane @ Z
        hinge = hub + frame @ (HINGE + REAR * Z)
        at = {name: center for name, (_, center, _) in BODIES.items()}
        places = (
            hub,
            hub + frame @ (at["frame"] + REAR * Z),
            hinge + fork @ (at["fork"] - HINGE),
            hinge + fork @ (at["front wheel"] - HINGE),
        )
        return (plane, frame, fork), places

    def motion(self, q, v):
        """What `placed` gives; body angular velocities of the four; velocities of the centers."""
        (attitudes, places), (turning, speeds) = jax.jvp(self.placed, (q,), (v,))

        def spin(R, dR):
            W = R.T @ dR
            return jnp.stack([W[2, 1], W[0, 2], W[1, 0]])

        plane, frame, fork = map(spin, attitudes, turning)
        spins = (plane + v[6] * Y, frame, fork, fork + v[7] * Y)
        return attitudes, places, spins, speeds

    def lagrangian(self, q, v):
        _, places, spins, speeds = self.motion(q, v)
        total = 0.0
        for (mass, _, inertia), place, w, u in zip(BODIES.values(), places, spins, speeds):
            total = total + 0.5 * mass * u @ u + 0.5 * w @ (inertia @ w) + mass * GRAVITY * place[2]
        return total

    @staticmethod
    def _down(axle):
        """The direction in a wheel's plane that goes down."""
        down = Z - axle[2] * axle
        return down / jnp.sqrt(down @ down)

    def holonomic(self, q):
        (_, _, fork), places = self.placed(q)
        return (places[3] + FRONT * self._down(fork @ Y))[2:]

    def constraint(self, q):
        def slip(v):
            (plane, _, fork), _, spins, speeds = self.motion(q, v)
            rear = speeds[0] + jnp.cross(plane @ spins[0], REAR * plane @ Z)
            front = speeds[3] + jnp.cross(fork @ spins[3], FRONT * self._down(fork @ Y))
            return jnp.concatenate([rear[:2], front[:2]])

        return jax.jacfwd(slip)(jnp.zeros(8))

    def initial(self, speed=4.6, lean_rate=0.5):
        """Upright and straight, pushed sideways."""
        q = jnp.zeros(8)
        v = jnp.array([speed, 0.0, 0.0, lean_rate, 0.0, 0.0, -speed / REAR, -speed / FRONT])
        return q, da.dynamics.consistent_velocity(self, q, v)


def main():
    """Print lean and steer while the bicycle rights itself."""
    system = Bicycle()
    traj = da.simulate(system, da.Gauss(2), h=0.02, steps=250, save_every=25)
    for t, q in zip(traj.t, traj.q):
        print(f"t = {t:4.1f} s: lean {q[3]:+.6f}, steer {q[5]:+.6f} rad")
    height = max(abs(float(system.holonomic(q)[0])) for q in traj.q)
    energy = [float(da.dynamics.energy(system, q, v)) for q, v in zip(traj.q, traj.v)]
    drift = max(abs(e - energy[0]) for e in energy)
    print(f"front wheel on the ground to {height:.1e} m, energy kept to {drift:.1e} J")
