"""Define a custom group as configuration space: the Heisenberg group, with a particle on it.

    python examples/own_group.py

A group defines six methods; adjoint maps and tangents of the exponential follow by differentiation.
Velocities are components in the left-invariant frame of the group. In it the constraint of this
particle, z' = (x y' - y x')/2, says that the third component vanishes.
"""

import dataclasses

import jax.numpy as jnp
import numpy as np

import dalembert as da


@dataclasses.dataclass(frozen=True)
class Heisenberg(da.groups.ArrayGroup):
    """R^3 with (x, y, z)(a, b, c) = (x + a, y + b, z + c + (x b - y a)/2)."""

    @property
    def dim(self):
        return 3

    @property
    def shape(self):
        return (3,)

    def mul(self, a, b):
        return a + b + jnp.array([0.0, 0.0, 0.5]) * (a[0] * b[1] - a[1] * b[0])

    def inv(self, a):
        return -a

    def exp(self, v):
        return v

    def log(self, g):
        return g


class Particle(da.System):
    """A particle that falls along the contact planes of the Heisenberg group."""

    space = Heisenberg()

    def lagrangian(self, q, v):
        return 0.5 * v @ v - q[2] - 0.5 * q[0] ** 2

    def constraint(self, q):
        return jnp.array([[0.0, 0.0, 1.0]])

    def initial(self):
        return jnp.array([0.3, 0.2, 0.1]), jnp.array([1.0, -0.5, 0.0])


class InCoordinates(da.System):
    """The same particle in the coordinates of R^3, to compare with."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        w = v[2] - 0.5 * (q[0] * v[1] - q[1] * v[0])
        return 0.5 * (v[0] ** 2 + v[1] ** 2 + w**2) - q[2] - 0.5 * q[0] ** 2

    def constraint(self, q):
        return jnp.array([[0.5 * q[1], -0.5 * q[0], 1.0]])

    def initial(self):
        x, y, _ = q = jnp.array([0.3, 0.2, 0.1])
        return q, jnp.array([1.0, -0.5, 0.5 * (x * -0.5 - y * 1.0)])


def main() -> None:
    """Run the particle on the group and in coordinates."""
    for method in (da.Gauss(3), da.DLA()):
        ends = [da.simulate(x(), method, h=0.02, steps=50).q[-1] for x in (Particle, InCoordinates)]
        print(f"{method.name}: apart by {np.max(np.abs(ends[0] - ends[1])):.1e}")


if __name__ == "__main__":
    main()
