"""Gauss, Lobatto and EnergyGauss: orders, constraints, symmetry, energy, derivatives, refusals.

A representative part of `benchmarks/orders.py`, which prints the whole table.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import diagnostics, dynamics
from dalembert.methods import gauss as gauss_module
from dalembert.methods import tableaux
from dalembert.reproduce.experiments.honest_reversibility import Driven

_spec = importlib.util.spec_from_file_location(
    "orders", Path(__file__).parents[1] / "benchmarks" / "orders.py"
)
orders = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(orders)


# -- tableaux -------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", range(1, 9))
def test_gauss_tableau_has_order_2s(s):
    A, b, c = tableaux.gauss(s)
    assert np.allclose(A.sum(axis=1), c, atol=1e-15)
    for k in range(1, 2 * s + 1):  # quadrature
        assert abs(b @ c ** (k - 1) - 1 / k) < 1e-15
    for k in range(1, s + 1):  # collocation
        assert np.allclose(A @ c ** (k - 1), c**k / k, atol=1e-15)
    # keeps quadratic invariants
    assert np.allclose(b[:, None] * A + (b[:, None] * A).T, np.outer(b, b), atol=1e-15)


@pytest.mark.parametrize("s", [2, 3, 4])
def test_lobatto_pair(s):
    (A, b, c), B = tableaux.lobatto(s)
    assert c[0] == 0 and c[-1] == 1
    for k in range(1, 2 * s - 1):
        assert abs(b @ c ** (k - 1) - 1 / k) < 1e-15
    assert np.allclose(b[:, None] * B + (b[:, None] * A).T, np.outer(b, b), atol=1e-15)
    assert np.allclose(B[:, -1], 0, atol=1e-15)


# -- orders, residuals, symmetry ------------------------------------------------------------------

CELLS = [
    (da.Gauss(2), "particle"),
    (da.Gauss(3), "sleigh"),
    (da.Gauss(2), "robot"),
    (da.Gauss(2), "ball"),
    (da.Gauss(4), "tilting"),
    (da.Gauss(2), "benenti"),
    (da.Lobatto(3), "particle"),
    pytest.param(da.Lobatto(2), "suslov", marks=pytest.mark.slow),
    (da.EnergyGauss(2), "sleigh"),
    (da.EnergyGauss(2), "suslov"),
]


@pytest.mark.parametrize("method, case", CELLS, ids=lambda x: getattr(x, "name", x))
def test_order_residual_and_step_back(method, case):
    system, T, counts = orders.CASES[case]
    go = orders.runner(system, method)
    exact = orders.reference(case)
    errors = []
    for n in counts[method.traits.order]:
        row, residual, result, _ = go(T / n, n)
        assert int(result) == 0
        assert residual < 1e-14
        errors.append(np.max(np.abs(orders.values(row) - orders.values(exact))))
    order = np.log2(errors[0] / errors[1])
    assert abs(order - method.traits.order) < (0.05 if method.traits.order <= 4 else 0.2)
    # a step h and one of -h from where it led
    q0, v0 = system.initial()
    v0 = dynamics.consistent_velocity(system, q0, v0)
    there, *_ = go(0.05, 1)
    back, *_ = go(-0.05, 1, there.q, there.v, 0.05)
    assert diagnostics.distance((back.q, back.v), (q0, v0)) < 1e-13


def test_eight_stages_agree_with_the_reference():
    system, T, _ = orders.CASES["particle"]
    exact = orders.reference("particle")
    for s, n in ((5, 40), (6, 30), (8, 20)):
        row, residual, *_ = orders.runner(system, da.Gauss(s))(T / n, n)
        assert np.max(np.abs(orders.values(row) - orders.values(exact))) < 1e-12
        assert residual < 1e-14


def test_there_and_back():
    system = orders.Particle()
    assert diagnostics.reversibility_defect(system, da.Gauss(2), h=0.1, steps=50) < 1e-13
    ball = da.systems.ChaplyginBall(Theta=0.0)  # the table at rest
    go = orders.runner(ball, da.Gauss(2))
    row, *_ = go(0.1, 50)
    back, *_ = go(0.1, 50, row.q, -row.v)
    q0, v0 = ball.initial()
    assert diagnostics.distance((back.q, -back.v), (q0, v0)) < 1e-13


def test_a_chart_at_the_start_of_the_step_is_not_symmetric(monkeypatch):
    """Negative: ordinary Munthe-Kaas coordinates, y(0) = 0 at q0, break the symmetry on SO(3)."""

    def path(self, x):
        h = self.h
        V = (self.carry.v + self.raised @ x.push)[None] + h * self.A @ x.K
        cv = self.system.groupoid.coordinate_velocity
        F = jax.vmap(lambda y, v: cv(self.carry.q, y, v))(h * self.A @ x.F, V)
        return V, F, h * self.A @ F, h * self.b @ F

    def to_center(self, x, z):
        return self.system.groupoid.curve(self.carry.q, 0.0 * z)

    ball = da.systems.ChaplyginBall()
    q0, v0 = ball.initial()

    monkeypatch.setattr(gauss_module._Step, "_path", path)
    monkeypatch.setattr(gauss_module._Step, "_to_center", to_center)
    go = orders.runner(ball, da.Gauss(2))
    there, *_ = go(0.3, 1)
    back, _, result, _ = go(-0.3, 1, there.q, there.v, 0.3)
    assert int(result) == 0
    # with the chart at the center it is below 1e-13: `test_order_residual_and_step_back`
    assert 1e-9 < diagnostics.distance((back.q, back.v), (q0, v0)) < 1e-2


def test_lobatto_2_is_dla_trapezoidal():
    system = orders.Particle()
    dla = da.DLA(da.Trapezoidal(), da.Trapezoidal())
    runs = [da.simulate(system, m, h=0.1, steps=20) for m in (da.Lobatto(2), dla)]
    assert diagnostics.distance(runs[0].q, runs[1].q) < 1e-12
    assert diagnostics.distance(runs[0].v, runs[1].v) < 1e-12


# -- stiff and holonomic --------------------------------------------------------------------------


class Stiff(da.MechanicalSystem):
    """A bead on a sphere of radius 1 that a blade steers, with a spring of 2000 rad/s."""

    mass = jnp.eye(3)  # type: ignore[assignment]
    space = da.Euclidean(3)

    def potential(self, q):
        return 0.5 * 4e6 * (q[2] - 0.6) ** 2 + q[0]

    def holonomic(self, q):
        return (q @ q - 1.0)[None]

    def initial(self):
        q = jnp.array([0.8, 0.0, 0.6])
        return q, jnp.array([0.0, 1.0, 0.0])


def test_newton_takes_over_where_sweeps_do_not_contract():
    run = da.simulate(Stiff(), da.Gauss(2), h=0.01, steps=100)  # h omega = 20
    g = np.abs(np.sum(np.square(run.q), axis=1) - 1.0)
    assert np.max(g) < 1e-15 * 4
    assert np.max(np.abs(run.q[:, 2] - 0.6)) < 1e-3
    energy = jax.vmap(lambda q, v: dynamics.energy(Stiff(), q, v))(run.q, run.v)
    assert np.max(np.abs(energy - energy[0])) < 1e-3


def test_a_sweep_leads_toward_the_constraint():
    """Newton's method would find the same step with the push of a sweep reversed, only slowly."""
    system, t, h = orders.Particle(), jnp.zeros(()), 0.02
    q, v = system.initial()
    v = dynamics.consistent_velocity(system, q, v)

    @jax.jit
    def pushes():
        step = gauss_module._Step(
            da.Gauss(2), system, t, h, da.Gauss(2).start(system, t, h, q, v)[0]
        )
        x, *_ = step.solve()
        off = x._replace(
            push=x.push + 1e-3, kick=x.kick + step.raised @ jnp.full_like(x.push, 1e-3)
        )
        return x.push, off.push, step.sweep(off).push

    wanted, off, swept = pushes()
    assert np.max(np.abs(swept - wanted)) < 0.2 * np.max(np.abs(off - wanted))


def test_failure_is_loud():
    with pytest.raises(da.SimulationError, match=r"did not converge|not a number"):
        da.simulate(orders.Particle(), da.Gauss(2), h=20.0, steps=200)


# -- energy ---------------------------------------------------------------------------------------


def test_energy_without_reversibility():
    system = Driven(kappa=0.3)
    q0 = jnp.array([1.0, 0.3, 1.0, 0.0])
    v0 = jnp.array([-0.65, 0.5, 0.0, 1.0])

    def energies(method):
        run = da.simulate(system, method, q0, v0, h=0.1, steps=10_000, save_every=10)
        return run.t, np.asarray(jax.vmap(lambda q, v: dynamics.energy(system, q, v))(run.q, run.v))

    _, E = energies(da.EnergyGauss(2))
    assert np.max(np.abs(E - E[0])) < 1e-9
    t, E = energies(da.Gauss(3))
    assert abs(np.polyfit(t, E, 1)[0]) < 1e-10


class Springs(orders.Particle):
    """One spring of 100 rad/s: at h = 0.1 the fixed-point iteration makes errors larger."""

    def potential(self, q):
        return 0.5e4 * q[0] ** 2 + 0.25 * (q[1] ** 4 + q[2] ** 4)


def test_energy_where_only_newtons_method_converges():
    q0, v0 = jnp.array([0.01, 0.5, 0.2]), jnp.array([0.3, -0.4, 0.3 * jnp.sin(0.5)])
    run = da.simulate(Springs(), da.EnergyGauss(1, points=6), q0, v0, h=0.1, steps=100)
    E = np.asarray(da.diagnostics.energy(Springs(), run))
    assert np.max(np.abs(E - E[0])) < 1e-11 and np.max(np.abs(run.q[:, 0])) < 0.1


# -- derivatives ----------------------------------------------------------------------------------


def test_derivative_of_the_sleigh():
    def x(a):
        system = da.systems.ChaplyginSleigh(a=a)
        q0, v0 = da.systems.ChaplyginSleigh().initial()
        return da.simulate(system, da.Gauss(2), q0, v0, h=0.2, steps=20).q[-1, 0]

    def exact(a):
        q0, v0 = da.systems.ChaplyginSleigh().initial()
        return da.systems.ChaplyginSleigh(a=a).closed_form(jnp.asarray(4.0), q0, v0)[0][0]

    @jax.jit
    def slopes(a):
        return jax.grad(x)(a), jax.jvp(x, (a,), (1.0,))[1], jax.grad(exact)(a)

    reverse, forward, closed = map(float, slopes(0.2))
    assert reverse == pytest.approx(forward, abs=1e-10)
    assert reverse == pytest.approx(-7.3389051, abs=1e-6)  # by differences of the run
    assert reverse == pytest.approx(closed, rel=1e-3)


# -- misuse ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: da.Gauss(9), "1 to 8 stages"),
        (lambda: da.Gauss(2.0), "1 to 8 stages"),
        (lambda: da.Lobatto(5), "2, 3 or 4"),
        (lambda: da.EnergyGauss(4), "1, 2 or 3"),
        (lambda: da.EnergyGauss(2, points=1), "points >= stages"),
        (lambda: da.EnergyGauss().check(da.systems.ChaplyginBall()), "moving energy would take"),
        (lambda: da.EnergyGauss().check(da.systems.Benenti()), "nonlinear"),
        (lambda: da.EnergyGauss().check(Stiff()), "holonomic"),
        (lambda: da.Lobatto().check(Stiff()), "would drift"),
        (lambda: da.Lobatto().check(da.systems.Benenti()), "linear or affine"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(da.UsageError, match=message):
        make()


class Towed(da.System):
    """A sleigh with drag on a slope, held by a spring: it comes to rest with a reaction."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        c, s = jnp.cos(q[2]), jnp.sin(q[2])
        along, across = v[0] - 0.25 * s * v[2], v[1] + 0.25 * c * v[2]
        kinetic = along**2 + across**2 + 0.15 * v[2] ** 2
        return kinetic + 2.93 * (q[0] + 0.25 * c) - 0.25 * (q[0] ** 2 + q[1] ** 2)

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def force(self, t, q, v):
        return -0.4 * jnp.array([v[0], v[1], 0.1 * v[2]])


@pytest.mark.parametrize("stages", [2, 3])
def test_what_comes_to_rest_stays_there(stages):
    """The round-off of the forces that balance was taken for a step that does not converge."""
    q0, v0 = jnp.array([0.0, 0.0, 0.5]), jnp.array([jnp.cos(0.5), jnp.sin(0.5), 0.3])
    run = da.simulate(Towed(), da.Gauss(stages), q0, v0, h=0.05, steps=12_000, save_every=12_000)
    np.testing.assert_allclose(run.v[-1], 0.0, atol=1e-12)
    np.testing.assert_allclose(run.q[-1][[0, 2]], [2.93 / 0.5, 0.0], atol=1e-12)
