"""The skeletons of CONTRIBUTING.md run as they are printed."""

import re
from pathlib import Path

import jax.numpy as jnp
import pytest

import dalembert as da
from dalembert import diagnostics

PAGE = Path(__file__).parent.parent / "CONTRIBUTING.md"


@pytest.fixture(scope="module")
def skeletons() -> dict:
    names: dict = {"__name__": "contributing"}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(block, names)
    return names


def test_skeleton_system(skeletons):
    system = skeletons["Skate"]()
    assert jnp.all(da.dynamics.constraint_residual(system, *system.initial()) == 0.0)
    traj = da.simulate(system, da.GNI(da.Midpoint()), h=0.05, steps=100)
    (drift,) = diagnostics.invariant_drift(system, traj).values()
    assert jnp.max(jnp.abs(drift)) < 1e-13


def test_skeleton_method_has_its_order(skeletons):
    method = skeletons["DriftAndProject"]()
    system = skeletons["Skate"]()
    orders = diagnostics.measure_order(system, method, t_end=1.0, hs=[0.02, 0.01, 0.005])
    assert orders["position"] == pytest.approx(method.traits.order, abs=0.2)
    assert orders["velocity"] == pytest.approx(method.traits.order, abs=0.2)
