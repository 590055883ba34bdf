"""Simulate a rattleback: a rolling half ellipsoid with skew inertia and a preferred spin.

q = (center of mass, attitude) on R^3 x SO(3); v = (its velocity, body angular velocity). The height
is a holonomic constraint; rolling without slip gives two nonholonomic ones.

    python examples/rattleback.py
"""

import jax
import jax.numpy as jnp

import dalembert as da


class Rattleback(da.System):
    """An ellipsoid with half axes a, b, c, and its center of mass `low` below its center."""

    a: float = 0.2
    b: float = 0.03
    c: float = 0.02
    low: float = 0.01
    m: float = 1.0
    A: float = 2e-4  # kg m^2, about the long axis
    B: float = 16e-4
    C: float = 17e-4
    D: float = -0.2e-4  # product of inertia
    g: float = 9.81

    space = da.Product(da.Euclidean(3), da.SO(3))

    def contact(self, R):
        """Return the upward direction, and the vector to the contact point, in the body frame."""
        up = R[2]
        squares = jnp.stack([self.a**2, self.b**2, self.c**2]) * jnp.ones(3)
        center = jnp.stack([0.0, 0.0, self.low]) * jnp.ones(3)
        return up, center - squares * up / jnp.sqrt(up @ (squares * up))

    def lagrangian(self, q, v):
        o = jnp.zeros(())
        inertia = jnp.stack(
            [
                jnp.stack([self.A + o, self.D + o, o]),
                jnp.stack([self.D + o, self.B + o, o]),
                jnp.stack([o, o, self.C + o]),
            ]
        )
        kinetic = 0.5 * self.m * v[:3] @ v[:3] + 0.5 * v[3:] @ (inertia @ v[3:])
        return kinetic - self.m * self.g * q[0][2]

    def holonomic(self, q):
        up, point = self.contact(q[1])
        return (q[0][2] + up @ point)[None]

    def constraint(self, q):
        _, point = self.contact(q[1])

        def slip(v):
            return (v[:3] + q[1] @ jnp.cross(v[3:], point))[:2]

        return jax.jacfwd(slip)(jnp.zeros(6))

    def initial(self, spin=5.0):
        lean = jnp.deg2rad(0.5)
        R = da.SO(3).exp(jnp.stack([lean, lean, 0.0]))
        up, point = self.contact(R)
        q = (jnp.stack([0.0, 0.0, -up @ point]), R)
        v = jnp.concatenate([jnp.zeros(3), spin * up])
        return q, da.dynamics.consistent_velocity(self, q, v)


def main():
    """Print the spin about the vertical every two seconds, for both directions."""
    system = Rattleback()
    for spin in (5.0, -5.0):
        q0, v0 = system.initial(spin)
        traj = da.simulate(system, da.Gauss(2), q0, v0, h=0.002, steps=6000, save_every=1000)
        spins = jnp.einsum("ti,ti->t", traj.q[1][:, 2], traj.v[:, 3:])
        print(f"spin {spin:+}: " + " ".join(f"{x:+.3f}" for x in spins))
        height = max(abs(float(system.holonomic((x, R))[0])) for x, R in zip(*traj.q))
        print(f"  height kept to {height:.1e} m")


if __name__ == "__main__":
    main()
