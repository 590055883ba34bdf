"""DLA with steps whose sizes conserve the discrete energy."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.diagnostics import energy_error, fit_order

VESELOVA = da.systems.Veselova()
OSCILLATOR = da.systems.ContactOscillator()


def discrete_energies(system, run):
    sizes = jnp.asarray(np.diff(run.t))
    starts, ends = jnp.asarray(run.q[:-1]), jnp.asarray(run.q[1:])
    step = da.EnergyDLA()
    return np.asarray(jax.vmap(lambda a, b, h: step.discrete_energy(system, h, (a, b)))(
        starts, ends, sizes
    ))  # fmt: skip


def test_the_discrete_energy_is_constant_and_sizes_are_not():
    run = da.simulate(OSCILLATOR, da.EnergyDLA(), h=0.05, steps=2000)
    energies, sizes = discrete_energies(OSCILLATOR, run), np.diff(run.t)
    assert np.ptp(energies) < 1e-12 * abs(energies[0])
    assert np.ptp(sizes) > 0.01
    # the plain method, at equal steps, does not conserve it
    plain = da.simulate(OSCILLATOR, da.DLA(), h=0.05, steps=2000)
    assert np.ptp(discrete_energies(OSCILLATOR, plain)) > 1e-4
    # the energy of the rows differs by c h^2 and does not grow
    error = abs(energy_error(OSCILLATOR, run))
    assert error[-200:].max() < 1.5 * error[:200].max() < 1e-3


def test_the_discrete_energy_of_the_midpoint_rule_in_closed_form():
    q0, q1, h = jnp.array([0.1, 0.2, 0.3]), jnp.array([0.2, 0.1, 0.4]), 0.1
    w, x = (q1 - q0) / h, 0.5 * (q0 + q1)
    wanted = da.dynamics.energy(OSCILLATOR, x, w)
    found = da.EnergyDLA().discrete_energy(OSCILLATOR, h, (q0, q1))
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


def test_order_two_to_a_given_time():
    end = da.simulate(VESELOVA, da.Reference(rtol=1e-13), h=2.0, steps=1).final
    hs, errors = (0.1, 0.05, 0.025), []
    for h in hs:
        last = da.simulate(VESELOVA, da.EnergyDLA(), h=h, t=2.0).final
        assert last.t == 2.0
        errors.append(np.max(np.abs(last.q - end.q)))
    assert abs(fit_order(hs, errors, floor=0.0) - 2.0) < 0.1


def test_a_size_that_every_energy_allows_does_not_change():
    """The vertical disk conserves the discrete energy with equal steps."""
    run = da.simulate(da.systems.VerticalRollingDisk(), da.EnergyDLA(), h=0.05, steps=50)
    np.testing.assert_allclose(np.diff(run.t), 0.05, rtol=1e-12)


def test_where_no_size_conserves_the_energy_the_run_ends_and_says_so():
    with pytest.raises(da.SimulationError, match="no size conserves the discrete energy") as failed:
        da.simulate(da.systems.KnifeEdge(), da.EnergyDLA(), h=0.05, steps=100)
    rows = failed.value.trajectory
    assert 5 < len(rows.t) < 100 and np.all(np.isfinite(rows.q))


def test_what_is_refused():
    with pytest.raises(da.UsageError, match="needs symmetric rules"):
        da.EnergyDLA(da.EulerA())
    with pytest.raises(da.UsageError, match="is not conserved by its motion"):
        da.simulate(da.systems.BallOnTurntable(), da.EnergyDLA(), h=0.1, steps=1)
    with pytest.raises(da.UsageError, match="nonlinear"):
        da.simulate(da.systems.Benenti(), da.EnergyDLA(), h=0.1, steps=1)
