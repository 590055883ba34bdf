"""Tolerances: of one run and of many, and what is said where they cannot be met (A6)."""

import re

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.running import accuracy


class RestToRest(da.System):
    """A cart that a smooth force brings from rest to rest, from q = 0 to q = 1 in one unit."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2

    def force(self, t, q, v):
        return jnp.array([60.0 * t - 180.0 * t**2 + 120.0 * t**3])


@pytest.mark.parametrize("method", [None, da.Gauss(3), da.Taylor()], ids=str)
@pytest.mark.parametrize("tol", [1e-9, 1e-12, 1e-13])
def test_finding3_a6_rest_to_rest(method, tol):
    chosen = () if method is None else (method,)
    traj = da.simulate(RestToRest(), *chosen, [0.0], [0.0], t=1.0, tol=tol)
    assert abs(traj.final.q[0] - 1.0) <= tol
    assert abs(traj.final.v[0]) <= 2.0 * tol  # of the largest velocity, 1.875


def test_finding3_a6_a_tolerance_that_is_not_met_says_with_how_many_steps():
    system = da.systems.ChaoticQuartic()
    with pytest.raises(da.SimulationError, match="cannot be met") as caught:
        da.simulate(system, t=400.0, tol=1e-13)
    steps = re.search(r"with (\d+) steps", str(caught.value))
    assert steps is not None
    assert int(steps.group(1)) == len(caught.value.trajectory) - 1 > 0


SPEEDS = np.array([[1.0, 0.0, w] for w in (0.2, 1.0, 2.0)])


@pytest.mark.parametrize("method", [None, da.Gauss(3), da.DLA(), da.Taylor()], ids=str)
def test_the_worst_member_is_within_the_tolerance(method):
    sleigh, tol = da.systems.ChaplyginSleigh(), 1e-6
    chosen = () if method is None else (method,)
    many = da.simulate_ensemble(
        sleigh, *chosen, np.zeros((3, 3)), SPEEDS, t=10.0, tol=tol, project=True
    )
    assert many.meta.tol == tol
    assert many.meta.error_estimate <= tol
    errors = []
    for i, v in enumerate(SPEEDS):
        exact = da.simulate(sleigh, np.zeros(3), v, t=10.0, tol=1e-13, project=True)
        for mine, its in ((many.q, exact.q), (many.v, exact.v)):
            errors.append(np.max(np.abs(mine[i, -1] - its[-1])) / np.max(np.abs(its)))
    assert max(errors) <= tol
    # an estimate, not a bound far away from the truth: within a factor of three
    assert many.meta.error_estimate / 3 <= max(errors) <= 3 * many.meta.error_estimate


def test_a_tolerance_over_parameters_and_one_that_cannot_be_met():
    sleighs = da.systems.ChaplyginSleigh(a=jnp.array([0.1, 0.2, 0.4]))
    many = da.simulate_ensemble(sleighs, da.Gauss(2), t=5.0, tol=1e-7)
    for i, a in enumerate((0.1, 0.2, 0.4)):
        one = da.simulate(da.systems.ChaplyginSleigh(a=a), t=5.0, tol=1e-12)
        assert np.max(np.abs(many.q[i, -1] - one.q[-1])) <= 1e-7 * np.max(np.abs(one.q))
    quartic = da.systems.ChaoticQuartic()
    q, v = (np.stack([x, x]) for x in quartic.initial())
    with pytest.raises(da.SimulationError, match="of the worst member, and smaller"):
        da.simulate_ensemble(quartic, q, v, t=400.0, tol=1e-13)
    with pytest.raises(da.UsageError, match="tol chooses the step"):
        da.simulate_ensemble(sleighs, da.Gauss(2), t=5.0, h=0.1, tol=1e-7)


class Stiff(da.MechanicalSystem):
    """A spring with k = 1e8: 1e4 rad in a second."""

    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.5e8 * q @ q


def test_finding3_c4_a_stiff_spring_gets_a_higher_order(monkeypatch):
    """The first tolerance of a step is not enough: many steps of a low order, or fewer."""
    found = []
    for many in (10**9, 1000):
        monkeypatch.setattr(accuracy, "_MANY_NODES", many)
        run = da.simulate(Stiff(), [1.0], [0.0], t=3.0, tol=1e-6, save=da.Final())
        assert abs(run.final.q[0] - np.cos(3e4)) < 1e-6 and run.meta.error_estimate <= 1e-6
        found.append(run.meta.steps)
    assert found[1] < 0.8 * found[0]
