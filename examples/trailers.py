"""Simulate a stiff system: a car with two trailers whose steering spring follows a sine.

q = (x, y, theta, steer, theta1, theta2): middle of the rear axle, heading, steering angle and the
headings of the trailers, each hitched to the axle before it. No axle slips sideways. The steering
swings at 63 rad/s about its target, far faster than the car turns.

    python examples/trailers.py
"""

import jax.numpy as jnp

import dalembert as da


class Trailers(da.System):
    """The car with two trailers; four constraints leave two freedoms, speed and steering."""

    mass: float = 1000.0  # kg, of the car
    trailer: float = 400.0  # kg, of each trailer
    base: float = 2.6  # m, between the axles of the car
    bar: float = 3.0  # m, from hitch to axle
    inertia: float = 1500.0  # kg m^2, of the car about its rear axle
    trailer_inertia: float = 500.0
    steering_inertia: float = 1.0
    spring: float = 3969.0  # N m/rad: the steering swings at 63 rad/s
    drive: float = 1000.0  # N
    drag: float = 200.0  # N s/m: the final speed is 5 m/s

    space = da.Euclidean(6)
    coordinate_names = ("x", "y", "theta", "steer", "theta1", "theta2")

    def _hitch_velocities(self, q, v):
        """Return the velocities of the middle points of the three axles."""
        car = v[:2]
        first = car + self.bar * v[4] * jnp.stack([jnp.sin(q[4]), -jnp.cos(q[4])])
        second = first + self.bar * v[5] * jnp.stack([jnp.sin(q[5]), -jnp.cos(q[5])])
        return car, first, second

    def lagrangian(self, q, v):
        car, first, second = self._hitch_velocities(q, v)
        twice = self.mass * car @ car + self.trailer * (first @ first + second @ second)
        twice = twice + self.inertia * v[2] ** 2 + self.steering_inertia * (v[2] + v[3]) ** 2
        twice = twice + self.trailer_inertia * (v[4] ** 2 + v[5] ** 2)
        return 0.5 * twice - 0.5 * self.spring * (q[3] - 0.2 * jnp.sin(0.2 * q[0])) ** 2

    def constraint(self, q):
        x, y, theta, steer, one, two = q
        s, c, o = jnp.sin, jnp.cos, jnp.zeros(())
        bar = self.bar * jnp.ones(())
        front = theta + steer
        return jnp.stack(
            [
                jnp.stack([s(theta), -c(theta), o, o, o, o]),
                jnp.stack([s(front), -c(front), -self.base * c(steer), o, o, o]),
                jnp.stack([s(one), -c(one), o, o, bar, o]),
                jnp.stack([s(two), -c(two), o, o, bar * c(one - two), bar]),
            ]
        )

    def force(self, t, q, v):
        speed = v[0] * jnp.cos(q[2]) + v[1] * jnp.sin(q[2])
        pull = self.drive - self.drag * speed
        o = jnp.zeros(())
        return jnp.stack([pull * jnp.cos(q[2]), pull * jnp.sin(q[2]), o, o, o, o])

    def initial(self):
        q = jnp.array([0.0, 0.0, 0.0, 0.05, 0.0, 0.0])
        v = jnp.array([3.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        return q, da.dynamics.consistent_velocity(self, q, v)


def main():
    """Print where the car is after 20 s, and its speed."""
    system = Trailers()
    for h in (0.02, 0.01):
        traj = da.simulate(system, da.Gauss(2), h=h, steps=round(20 / h), save_every=round(20 / h))
        x, y, theta, steer = traj.q[-1, :4]
        speed = jnp.hypot(traj.v[-1, 0], traj.v[-1, 1])
        print(f"h = {h}: x {x:.5f}, y {y:.5f}, heading {theta:.6f}, speed {speed:.6f} m/s")


if __name__ == "__main__":
    main()
