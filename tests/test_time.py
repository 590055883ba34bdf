"""Lagrangians that depend on time: recognised by their arguments, and right or refused."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import UsageError, dynamics


class Growing(da.System):
    """A body whose mass grows with time, free: its momentum is kept, not its velocity."""

    space = da.Euclidean(1)

    def lagrangian(self, t, q, v):
        return 0.5 * (1.0 + 0.3 * jnp.sin(t)) * v[0] ** 2


class Pushed(da.System):
    """A knife edge under V = -F(t) x - F(t)^2 y/2, as a time-dependent Lagrangian."""

    J: float = 0.7
    space = da.Euclidean(3)

    def pushes(self, t):
        return jnp.array([jnp.cos(2 * t), 0.5 * jnp.cos(2 * t) ** 2, 0.0])

    def kinetic(self, q, v):
        return 0.5 * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.J * (1 + 0.2 * jnp.sin(q[0])) * v[2] ** 2

    def lagrangian(self, t, q, v):
        return self.kinetic(q, v) + self.pushes(t) @ q

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def initial(self):
        return jnp.array([0.1, 0.2, 0.3]), jnp.array([jnp.cos(0.3), jnp.sin(0.3), 0.8])


class Forced(Pushed):
    """The same with the force told as a force."""

    def lagrangian(self, q, v):
        return self.kinetic(q, v)

    def force(self, t, q, v):
        return self.pushes(t)


METHODS = [da.Gauss(2), da.RK4(), da.Reference()]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_the_mass_grows(method):
    """p is kept: v = v0 m(t0)/m(t), from a time that is not zero."""
    traj = da.simulate(Growing(), method, [0.0], [1.0], h=0.05, steps=60, t0=0.4)
    mass = 1.0 + 0.3 * np.sin(traj.t)
    np.testing.assert_allclose(traj.v[:, 0], mass[0] / mass, rtol=2e-7)
    np.testing.assert_allclose(traj.p[:, 0], mass[0], rtol=2e-7)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_a_potential_and_a_force_agree(method):
    """Two ways to the same motion, multipliers included."""
    run = {"h": 0.02, "steps": 100, "t0": 0.3}
    one, other = (da.simulate(s, method, **run) for s in (Pushed(), Forced()))
    for name in ("q", "v", "p", "multiplier"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=0, atol=1e-11)


def test_stages_are_asked_at_their_own_times():
    """Of order 4 where the force turns with the time and the edge with its own angle.

    On `Growing`, linear in one velocity, stages may trade their times and nothing changes.
    """
    exact = da.simulate(Pushed(), da.Reference(), h=0.5, steps=4, t0=0.3).final
    errors = []
    for n in (20, 40):
        run = da.simulate(Pushed(), da.Gauss(2), h=2.0 / n, steps=n, t0=0.3, save_every=n)
        errors.append(da.diagnostics.distance((run.final.q, run.final.v), (exact.q, exact.v)))
    assert abs(np.log2(errors[0] / errors[1]) - 4) < 0.3, errors


def test_the_energy_is_that_of_the_time():
    system = Pushed()
    assert system.has_time and not Forced().has_time
    assert not dynamics.energy_is_conserved(system)
    traj = da.simulate(system, da.Reference(), h=0.1, steps=10)
    energy = da.diagnostics.energy(system, traj)
    rows = [system.kinetic(q, v) - system.pushes(t) @ q for t, q, v in zip(traj.t, traj.q, traj.v)]
    np.testing.assert_allclose(energy, rows, rtol=1e-13)


@pytest.mark.parametrize("method", [da.GNI(), da.DLA(), da.Leapfrog()], ids=lambda m: m.name)
def test_others_refuse_it_by_name(method):
    with pytest.raises(UsageError, match=f"depends on time.*which {method.name} does not take yet"):
        da.simulate(Pushed(), method, h=0.1, steps=2)
    q, v = Pushed().initial()
    with pytest.raises(UsageError, match="depends on time"):
        da.simulate_ensemble(Pushed(), method, jnp.stack([q, q]), jnp.stack([v, v]), h=0.1, steps=2)


class Shifted(Growing):
    """The body that grows, with its translation."""

    def initial(self):
        return jnp.zeros(1), jnp.ones(1)

    @property
    def symmetry_generators(self):
        return {"x": lambda q: jnp.ones((1, 1))}

    @property
    def invariants(self):
        return {"velocity": lambda q, v: v[0]}


def test_the_geometry_of_a_lagrangian_that_depends_on_time():
    found = {(f.section, f.quantity): f.verdict for f in da.geometry.analyze(Shifted()).findings}
    assert found["symmetry", "x"] == "horizontal"
    assert found["symmetry", "momenta of x"] == "1 of 1 constant"  # p, though v is not
    assert found["conserved", "energy"] == "no" and found["conserved", "velocity"] == "no"
    symmetry = da.geometry.Symmetry.of(Shifted(), "x")
    q, v = jnp.zeros(1), jnp.array([0.8])
    off = da.geometry.momentum_equation_residual(
        Shifted(), symmetry, lambda q: jnp.ones(1), q, v, 0.7
    )
    assert abs(float(off)) < 1e-13
    edge = {(f.section, f.quantity): f.verdict for f in da.geometry.analyze(Pushed()).findings}
    assert edge["constraint", "growth vector"] == "(2, 3)" and edge["conserved", "energy"] == "no"


def test_one_instant_of_it():
    frozen = da.geometry.at_time(Pushed(), 0.4)
    q, v = frozen.initial()
    np.testing.assert_allclose(
        frozen.lagrangian(q, v), Pushed().lagrangian_at(0.4, q, v), rtol=1e-15
    )
    evolution = jax.jit(lambda q, v: da.geometry.form_evolution(frozen, q, v))(q, v)
    np.testing.assert_allclose(evolution.lie, evolution.exact, atol=1e-12)
    with pytest.raises(UsageError, match=r"geometry.at_time\(system, t\)"):
        da.geometry.form_evolution(Pushed(), q, v)
    with pytest.raises(UsageError, match=r"geometry.at_time\(system, t\)"):
        da.geometry.chaplygin(Pushed(), (2,), da.Euclidean(2))


def test_misuse():
    with pytest.raises(UsageError, match=r"or lagrangian\(self, t, q, v\); it is"):
        type("Wrong", (da.System,), {"lagrangian": lambda self, q: 0.0, "space": da.Euclidean(1)})
