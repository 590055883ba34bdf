"""Linearization, feedback, and the motion as a series in the controls."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import control, dynamics
from dalembert.systems import BalancingRobot, PlanarBody

# -- linearization and feedback ------------------------------------------------------------------


class Pole(da.System):
    """A pole on a cart: a force on the cart."""

    space = da.Euclidean(2)
    m: float = 0.3
    l: float = 0.5

    def lagrangian(self, q, v):
        tip = jnp.stack([v[0] + self.l * v[1] * jnp.cos(q[1]), -self.l * v[1] * jnp.sin(q[1])])
        height = self.l * jnp.cos(q[1])
        return 0.5 * v[0] ** 2 + 0.5 * self.m * (tip @ tip) - 9.81 * self.m * height

    def inputs(self, q):
        return jnp.array([[1.0, 0.0]])


def test_linearization_of_a_pole_on_a_cart():
    linear = control.linearize(Pole(), jnp.zeros(2))
    assert linear.equilibrium and linear.steady
    fastest = np.sqrt(9.81 * (1 + 0.3) / 0.5)  # (M + m) g / (M l)
    np.testing.assert_allclose(linear.eigenvalues.real[[0, -1]], [fastest, -fastest], rtol=1e-12)
    assert linear.controllable.shape[1] == 4
    moved = control.linearize(Pole(), jnp.array([0.0, 0.3]))
    assert not moved.equilibrium


def test_linearization_against_differences_on_the_constraint():
    """The rolling of the balancing robot: eigenvalues of A by differences of the motion."""
    robot = BalancingRobot()
    linear = control.linearize(robot, jnp.zeros(6))
    assert linear.equilibrium and linear.controllable.shape[1] == 6
    onto = jnp.eye(6)[np.asarray(linear.chosen)]

    @jax.jit
    @jax.vmap
    def rates(x):
        basis, v = jnp.asarray(linear.basis), jnp.zeros(6)
        for _ in range(3):  # the velocity on the constraint with these entries
            v = dynamics.consistent_velocity(robot, x[:6], v - basis @ (onto @ v - x[6:]))
        return jnp.concatenate([v, onto @ dynamics.acceleration(robot, x[:6], v)])

    step = 1e-5
    there, back = rates(step * jnp.eye(9)), rates(-step * jnp.eye(9))
    slope = np.asarray((there - back) / (2 * step)).T
    np.testing.assert_allclose(slope, linear.A, atol=1e-7 * np.max(np.abs(linear.A)))
    found = np.sort(np.linalg.eigvals(linear.A).real)[[0, -1]]
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(slope).real)[[0, -1]], found, rtol=1e-7)


def test_feedback_holds_a_pole_and_without_it_falls():
    linear = control.linearize(Pole(), jnp.zeros(2))
    regulator = control.lqr(linear, R=[0.1], limit=[20.0])
    assert np.all(regulator.eigenvalues.real < -0.1)
    start = jnp.array([0.0, 0.2]), jnp.zeros(2)
    held = da.simulate(Pole(), *start, h=0.02, steps=500, u=regulator.feedback)
    assert np.max(np.abs(held.q[-1])) < 1e-3 and np.max(np.abs(held.q[:, 1])) < 0.21
    assert abs(da.simulate(Pole(), *start, h=0.02, steps=100).q[-1, 1]) > 1.0
    with pytest.raises(da.UsageError, match="equilibrium"):
        control.lqr(control.linearize(Pole(), jnp.array([0.0, 0.3])))
    with pytest.raises(da.UsageError, match="Q must be"):
        control.lqr(linear, Q=np.eye(3))


def test_feedback_keeps_a_motion_at_an_even_pace():
    """The cart at 0.7 m/s with the pole upright is a relative equilibrium."""
    pace = jnp.array([0.7, 0.0])
    q, u = control.equilibrium(Pole(), jnp.array([0.0, 0.2]), v=pace)
    np.testing.assert_allclose([q[1], u[0]], 0.0, atol=1e-10)
    linear = control.linearize(Pole(), q, pace)
    assert linear.steady and not linear.equilibrium
    law = control.lqr(linear, R=[0.1]).feedback
    run = da.simulate(Pole(), q.at[1].add(0.1), pace, h=0.02, steps=500, u=law)
    np.testing.assert_allclose(run.v[-1], pace, atol=1e-3)
    np.testing.assert_allclose(run.q[-1] - q, [7.0, 0.0], atol=1e-2)


def test_equilibria_are_found():
    q, u = control.equilibrium(Pole(), jnp.array([0.4, 0.3]))
    np.testing.assert_allclose([q[1], u[0]], 0.0, atol=1e-10)


# -- the series ----------------------------------------------------------------------------------


class DampedBody(PlanarBody):
    """With isotropic damping."""

    k: float = 0.0

    def force(self, t, q, v):
        return -self.k * (self.mass_matrix @ v)


@pytest.mark.parametrize("damping", [0.0, 0.6])
def test_series_converges_with_its_powers(damping):
    """Powers of the error of the position at least 2K + 2 - 0.4 (8.2.2, 8.6.3)."""
    body, ends, rest = DampedBody(k=damping), (0.4, 0.8), (jnp.zeros(3), jnp.zeros(3))
    wave = lambda s: jnp.stack([jnp.cos(3 * s), 0.5 + s])
    exact = [
        np.asarray(da.simulate(body, da.Gauss(4), *rest, h=x / 40, steps=40, u=wave).q[-1])
        for x in ends
    ]
    for terms in (1, 2, 3, 4):
        found = [control.series_motion(body, wave, x, jnp.zeros(3), terms=terms) for x in ends]
        errors = [np.linalg.norm(f.move - e) for f, e in zip(found, exact)]
        assert np.log2(errors[1] / errors[0]) > 2 * terms + 2 - 0.4
        assert errors[1] < found[1].last  # the last term bounds what is left out here
