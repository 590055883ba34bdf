"""Relative equilibria of reduced systems: linearized without the group."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import control


class ReducedSleigh(da.System):
    """The sleigh modulo SE(2): v = (ahead, across, turning), with the blade at the origin."""

    m: float = 1.3
    J: float = 0.7
    a: float = 0.4
    space = da.SE(2)
    groupoid = da.LieGroup(da.SE(2))

    def lagrangian(self, q, v):
        return 0.5 * self.m * (v[0] ** 2 + (v[1] + self.a * v[2]) ** 2) + 0.5 * self.J * v[2] ** 2

    def constraint(self, q):
        return jnp.array([[0.0, 1.0, 0.0]])


@pytest.mark.parametrize("u", [0.8, -0.5])
def test_a_sleigh_that_goes_straight(u):
    """u' = a w^2, w' = -m a u w/(J + m a^2): eigenvalues 0 and -m a u/(J + m a^2)."""
    system = ReducedSleigh()
    found = control.linearize(system, system.groupoid.base.identity(), jnp.array([u, 0.0, 0.0]))
    assert found.steady and not found.equilibrium and found.A.shape == (2, 2)
    wanted = -system.m * system.a * u / (system.J + system.m * system.a**2)
    np.testing.assert_allclose(np.sort(found.eigenvalues.real), np.sort([0.0, wanted]), atol=1e-12)
    # turning: it is no relative equilibrium, because u' = a w^2
    turning = control.linearize(system, system.groupoid.base.identity(), jnp.array([u, 0.0, 0.3]))
    assert not turning.steady
    with pytest.raises(da.UsageError, match="not reduced"):
        control.lqr(found)


class Carousel(da.System):
    """A mass on a spring along a bar that turns freely: q = r, the angle is reduced."""

    k: float = 4.0
    space = da.Product(da.Euclidean(1), da.Euclidean(1))
    groupoid = da.Reduced(da.Euclidean(1), da.Euclidean(1))

    def lagrangian(self, q, v):
        r = q[0]
        return 0.5 * v[0] ** 2 + 0.5 * (0.5 + r**2) * v[1] ** 2 - 0.5 * self.k * (r - 1.0) ** 2


def test_a_mass_on_a_turning_bar_has_the_frequency_of_its_reduced_potential():
    """r'' = r w^2 - k (r - 1), (0.5 + r^2) w = J: V'' at r* is the square of the frequency."""
    system, w = Carousel(), 0.9
    r = system.k / (system.k - w**2)
    found = control.linearize(system, jnp.array([r]), jnp.array([0.0, w]))
    assert found.steady and found.A.shape == (3, 3)
    square = system.k - w**2 + 4.0 * r**2 * w**2 / (0.5 + r**2)
    values = found.eigenvalues
    np.testing.assert_allclose(np.sort(values.imag), [-np.sqrt(square), 0.0, np.sqrt(square)],
                               atol=1e-9)  # fmt: skip
    np.testing.assert_allclose(values.real, 0.0, atol=1e-9)
    # against the derivative of a short run, by differences
    h, eps = 0.01, 1e-5

    def end(x):
        run = da.simulate(system, da.Gauss(3), jnp.asarray(x[:1]), jnp.asarray(x[1:]), h=h, steps=1)
        return np.concatenate([run.final.q, run.final.v])

    x = np.array([r, 0.0, w])
    slope = np.stack([(end(x + d) - end(x - d)) / (2 * eps) for d in eps * np.eye(3)], axis=1)
    np.testing.assert_allclose(slope, jax.scipy.linalg.expm(h * jnp.asarray(found.A)), atol=1e-8)
    assert not control.linearize(system, jnp.array([r + 0.1]), jnp.array([0.0, w])).steady
