"""Systems of the measurements that are not in the zoo: harder, or of a kind that it lacks."""

from __future__ import annotations

import jax.numpy as jnp

import dalembert as da
from dalembert import dynamics


class Bent(da.MechanicalSystem):
    """Constant mass, and a constraint whose form changes along its own normal.

    On the particle, the knife edge and the like it does not, and some wrong methods pass there.
    """

    space = da.Euclidean(3)

    @property
    def mass(self):
        return jnp.diag(jnp.array([1.0, 2.0, 1.5]))

    def potential(self, q):
        return 0.5 * q @ q + 0.3 * q[0] ** 2 * q[2] ** 2

    def constraint(self, q):
        return jnp.array([[1.0, jnp.sin(q[0]), q[1] + 0.5 * q[2]]])


class BentAffine(Bent):
    """The same with a right-hand side that depends on time and place."""

    def offset(self, t, q):
        return jnp.array([0.3 * jnp.sin(t) + 0.2 * q[0]])


class CarriedSleigh(da.systems.ChaplyginSleigh):
    """Configuration-dependent metric, affine constraint: the ice flows sideways, unevenly."""

    def offset(self, t, q):
        return jnp.array([0.2 * jnp.sin(q[0]) + 0.1 * t])


class MixedMetric(da.MechanicalSystem):
    """R x SO(3) with a metric that couples both, a potential, two constraints; reduced."""

    space = da.Reduced(da.Euclidean(1), da.SO(3))

    @property
    def mass(self):
        A = jnp.array(
            [
                [2.0, 0.3, -0.2, 0.1],
                [0.3, 1.0, 0.1, 0.0],
                [-0.2, 0.1, 1.5, 0.2],
                [0.1, 0.0, 0.2, 0.8],
            ]
        )
        return A

    def potential(self, q):
        return jnp.cos(q[0]) + 0.2 * q[0] ** 2

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[0]), 1.0, 0.3, 0.0], [0.2, 0.0, q[0], 1.0]])

    def initial(self):
        q = jnp.array([0.4])
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.7, 0.5, -0.6, 0.4]))


class MixedMetricGlobal(MixedMetric):
    """The same on the pair groupoid, with a potential that sees the attitude."""

    space = da.Product(da.Euclidean(1), da.SO(3))

    def potential(self, q):
        return super().potential(q[0]) + 0.3 * q[1][2, 2]

    def constraint(self, q):
        return super().constraint(q[0])

    def initial(self):
        q = (jnp.array([0.4]), da.SO(3).exp(jnp.array([0.3, -0.2, 0.1])))
        return q, dynamics.consistent_velocity(self, q, jnp.array([0.7, 0.5, -0.6, 0.4]))
