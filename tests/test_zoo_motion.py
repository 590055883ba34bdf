"""The reference solution of every system of the zoo: closed forms, energy, invariants."""

import jax
import numpy as np
import pytest

import dalembert as da
from dalembert import diagnostics
from dalembert.dynamics import energy_is_conserved

T_END = 10
# Vehicles from parts keep their energy alone, whose rate `test_systems` looks at; they run in
# `test_machines` and `test_parts`, and a solver of general purpose takes minutes to compile them.
VEHICLES = ("dalembert.systems.machines", "dalembert.systems.bicycles")
NAMES = [name for name, cls in da.systems.registry.items() if cls.__module__ not in VEHICLES]


@pytest.mark.parametrize("name", NAMES)
def test_reference_keeps_what_the_motion_keeps(name):
    system = da.systems.registry[name]()
    run = da.simulate(system, da.Reference(), h=0.5, steps=2 * T_END)
    assert np.max(diagnostics.constraint_residual(system, run)) < 1e-12
    energy = np.asarray(diagnostics.energy(system, run))
    if energy_is_conserved(system):
        assert np.max(np.abs(energy - energy[0])) < 1e-9 * max(1.0, abs(energy[0]))
        assert "energy" in system.invariants
    else:  # not claimed, and indeed not kept
        assert "energy" not in system.invariants
        assert np.ptp(energy) > 1e-3
    for label, drift in diagnostics.invariant_drift(system, run).items():
        assert np.max(np.abs(drift)) < 1e-9, label
    if hasattr(system, "closed_form"):
        q, v = jax.jit(jax.vmap(system.closed_form))(run.t)
        np.testing.assert_allclose(run.q, q, rtol=0, atol=1e-9)
        np.testing.assert_allclose(run.v, v, rtol=0, atol=1e-9)
    if hasattr(system, "closed_form_multiplier"):
        lam = jax.jit(jax.vmap(system.closed_form_multiplier))(run.t)
        np.testing.assert_allclose(run.multiplier, lam, rtol=0, atol=1e-9)
