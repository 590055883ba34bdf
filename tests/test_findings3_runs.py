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
    assert any("its energy, which the motion keeps, off by" in x for x in traj.warnings)
    fine = da.simulate(Oscillator(), method, [1.0], [0.0], h=0.1, steps=200)
    assert not fine.warnings


def test_finding3_a8_on_a_constraint_and_without_rows():
    start = ([0.3, 0.2, 0.0], [0.0, 0.0, 0.0])
    bad = da.simulate(Blade(100.0), da.Leapfrog(), *start, h=0.22, steps=30, save=da.Final())
    assert any("its energy, which the motion keeps, off by" in x for x in bad.warnings)
    good = da.simulate(Blade(100.0), da.Leapfrog(), *start, h=0.02, steps=300, save=da.Final())
    assert not good.warnings


class Ditch(da.MechanicalSystem):
    """A potential with a flat floor and soft walls."""

    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.5 * q[0] ** 2


def test_finding3_a8_rows_on_the_way_count_too():
    """Leapfrog of an oscillator close to its bound: the energy comes back at every period."""
    h = 1.9995
    steps = next(n for n in range(20, 400) if abs(np.sin(n * 2 * np.arcsin(h / 2))) < 0.02)
    traj = da.simulate(Ditch(), da.Leapfrog(), [1.0], [0.0], h=h, steps=steps)
    energy = 0.5 * (traj.v[:, 0] ** 2 + traj.q[:, 0] ** 2)
    assert energy[-1] < 2 * energy[0] and np.max(energy) > 50 * energy[0]
    (said,) = traj.warnings
    assert "off by" in said and f"t = {traj.t[np.argmax(energy)]:g}" in said


def test_finding3_a8_the_worst_member_of_an_ensemble():
    q, v = np.array([[0.3], [1e-3], [2.0]]), np.zeros((3, 1))
    bad = da.simulate_ensemble(Oscillator(), da.Leapfrog(), q, v, h=2.05, steps=40)
    (said,) = bad.warnings
    assert "has its energy" in said and "(3 of 3 members are so)" in said
    good = da.simulate_ensemble(Oscillator(), da.Leapfrog(), q, v, h=0.1, steps=100)
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
