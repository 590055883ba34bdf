"""Runs that mean nothing say so in their result (A8)."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da


class Oscillator(da.MechanicalSystem):
    """A unit oscillator."""

    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.5 * q @ q


class Falling(da.System):
    """A body that falls from the zero of its potential."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 9.81 * q[1]


class Blade(da.MechanicalSystem):
    """A particle with z' = y x' on springs: a linear constraint."""

    k: float = 1.0
    space = da.Euclidean(3)
    mass = np.eye(3)

    def potential(self, q):
        return 0.5 * self.k * q @ q

    def constraint(self, q):
        return jnp.array([[-q[1], 0.0, 1.0]])


@pytest.mark.parametrize("method", [da.RK4(), da.Leapfrog()], ids=lambda m: m.name)
def test_finding3_a8_a_step_beyond_stability(method):
    traj = da.simulate(Oscillator(), method, [1.0], [0.0], h=10.0, steps=20)
    assert any("its energy off by" in x for x in traj.warnings)
    fine = da.simulate(Oscillator(), method, [1.0], [0.0], h=0.1, steps=200)
    assert not fine.warnings


def test_finding3_a8_on_a_constraint_and_without_rows():
    start = ([0.3, 0.2, 0.0], [0.0, 0.0, 0.0])
    bad = da.simulate(Blade(100.0), da.Leapfrog(), *start, h=0.22, steps=30, save=da.Final())
    assert any("its energy off by" in x for x in bad.warnings)
    good = da.simulate(Blade(100.0), da.Leapfrog(), *start, h=0.02, steps=300, save=da.Final())
    assert not good.warnings


def test_finding3_a8_a_body_that_has_no_energy_at_the_start():
    traj = da.simulate(Falling(), [0.0, 0.0], [0.0, 0.0], h=0.01, steps=1000)
    assert not traj.warnings
    assert traj.final.v[1] < -90.0


def test_finding3_a8_forces_and_controls_may_change_it():
    class Driven(Oscillator):
        """Pushed without end."""

        def force(self, t, q, v):
            return 5.0 * v

    traj = da.simulate(Driven(), [1.0], [0.0], h=0.01, steps=1000)
    assert abs(traj.final.q[0]) > 1e6
    assert not traj.warnings
