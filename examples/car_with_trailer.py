"""Define a car that pulls a trailer: a custom system with four constraints of rolling.

q = (x, y, theta, steer, hitch): the middle of the rear axle, heading, steering angle, angle of the
trailer to the car. Run it: python examples/car_with_trailer.py, or dalembert run
examples/car_with_trailer.py:CarWithTrailer --t 5 --plot car.png
"""

import jax.numpy as jnp

import dalembert as da


class CarWithTrailer(da.System):
    """A car with front steering and one trailer hitched at its rear axle."""

    m: float = da.parameter(10.0, "kg", "mass of the car", positive=True)
    J: float = da.parameter(2.0, "kg m^2", "its moment of inertia", positive=True)
    mt: float = da.parameter(5.0, "kg", "mass of the trailer", positive=True)
    Jt: float = da.parameter(1.0, "kg m^2", "its moment of inertia", positive=True)
    wheelbase: float = da.parameter(1.0, "m", "between the axles", positive=True)
    tow: float = da.parameter(0.8, "m", "from the hitch to the trailer's axle", positive=True)
    stiffness: float = da.parameter(2.0, "N m/rad", "spring of the steering")

    space = da.Euclidean(5)
    coordinate_names = ("x", "y", "theta", "steer", "hitch")
    units = ("m", "m", "rad", "rad", "rad")

    def trailer(self, q, v):
        """Return the velocity of the middle of the trailer's axle, and the trailer's yaw rate."""
        angle, rate = q[2] + q[4], v[2] + v[4]
        x = v[0] + self.tow * jnp.sin(angle) * rate
        y = v[1] - self.tow * jnp.cos(angle) * rate
        return x, y, rate

    def lagrangian(self, q, v):
        x, y, rate = self.trailer(q, v)
        kinetic = 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.J * v[2] ** 2
        kinetic += 0.5 * self.mt * (x**2 + y**2) + 0.5 * self.Jt * rate**2 + 0.05 * v[3] ** 2
        return kinetic - 0.5 * self.stiffness * q[3] ** 2

    def constraint(self, q):
        heading, front, trailer = q[2], q[2] + q[3], q[2] + q[4]
        s, c = jnp.sin, jnp.cos
        return jnp.array(
            [
                [s(heading), -c(heading), 0.0, 0.0, 0.0],
                [s(front), -c(front), -self.wheelbase * c(q[3]), 0.0, 0.0],
                [s(trailer), -c(trailer), self.tow, 0.0, self.tow],
            ]
        )

    def initial(self):
        q = jnp.array([0.0, 0.0, 0.0, 0.3, 0.2])
        speed, turn = 1.0, jnp.tan(0.3) / self.wheelbase
        return q, jnp.array([speed, 0.0, turn, 0.0, -turn - jnp.sin(0.2) / self.tow])


def main() -> None:
    """Drive two turns with the trailer."""
    car = CarWithTrailer()
    traj = da.simulate(car, da.DLA(), h=0.01, steps=1000)
    print(da.diagnostics.report(car, traj))
    print(f"the trailer swings between {traj.q[:, 4].min():+.2f} and {traj.q[:, 4].max():+.2f} rad")


if __name__ == "__main__":
    main()
