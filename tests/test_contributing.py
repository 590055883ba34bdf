"""The skeletons of CONTRIBUTING.md run as they are printed."""

import importlib.util
import inspect
import re
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import diagnostics
from dalembert.testing import check_method

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


def test_skeleton_sink(skeletons):
    system, sink = skeletons["Skate"](), skeletons["Fastest"]()
    one = da.simulate(system, da.DLA(), h=0.05, steps=20, save={"rows": da.Every(1), "v": sink})
    assert one.saved["v"].tolist() == [np.linalg.norm(one.v, axis=1).max()]
    q, v = system.initial()
    many = da.simulate_ensemble(
        system, da.DLA(), jnp.stack([q] * 70), jnp.stack([v] * 70), h=0.05, steps=20, save=sink
    )
    np.testing.assert_allclose(many.saved["result"], [one.saved["v"][0]] * 70, rtol=1e-12)


def test_skeleton_method_goes_through_the_protocol(skeletons):
    method = skeletons["DriftAndProject"]()
    check_method(method, da.systems.KnifeEdge(), transformations=False)


def test_the_picture_of_the_house_is_up_to_date():
    spec = importlib.util.spec_from_file_location("house", PAGE.parent / "docs" / "house.py")
    house = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(house)
    text = PAGE.read_text()
    assert "`running`" in text and house.updated(text) == text


def test_dir_lists_what_a_user_may_use():
    names = set(dir(da))
    assert {"simulate", "Every", "saving", "clear_compiled", "testing"} <= names
    assert not names & {"running", "results", "compile", "files", "pages", "linalg"}
    assert len([x for x in names if not x.startswith("_")]) <= 60
    import dalembert.running

    assert callable(da.simulate) and dalembert.running.api.simulate.simulate is da.simulate


def test_names_that_dir_leaves_out_are_in_a_module_that_it_lists():
    shown = [getattr(da, x) for x in dir(da)]
    modules = [x for x in shown if inspect.ismodule(x)]
    for name in set(da.__all__) - set(dir(da)):
        value = getattr(da, name)
        assert any(getattr(x, name, None) is value for x in modules), name


def test_a_deprecated_name_works_and_warns_with_both_releases():
    """Each old name of a module of `geometry` resolves, and the warning points to this file."""
    text = r"since dalembert 0\.3 and is removed in 0\.5; use geometry\.symmetry\.conserved_momenta"
    with pytest.warns(DeprecationWarning, match=text) as caught:
        old = da.geometry.kept
    assert old is da.geometry.symmetry.conserved_momenta and caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="is deprecated since"):
        assert all(inspect.ismodule(getattr(da.geometry, x)) for x in da.geometry._MOVED)
    with pytest.raises(AttributeError):
        _ = da.geometry.no_such_name
