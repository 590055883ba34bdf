"""Runs with friction: by Taylor's method to round-off, and resumed with the same bits."""

import jax
import numpy as np
import pytest
from tests.test_friction import MU, G, R, block, slides
from tests.test_friction_truth import belt_times

import dalembert as da
from dalembert import hybrid, parts
from dalembert.errors import UsageError
from dalembert.hybrid.zoo import registry


def same(found, whole):
    for name in ("t", "v", "multiplier", "mode"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))
    jax.tree.map(np.testing.assert_array_equal, found.q, whole.q)
    np.testing.assert_array_equal(found.jumps.t, whole.jumps.t)
    assert found.modes == whole.modes


@pytest.mark.parametrize("method", [da.Gauss(stages=2), da.Taylor(1e-13)], ids=["Gauss", "Taylor"])
def test_a_run_that_is_resumed_is_the_uninterrupted_one(method, tmp_path):
    modes, start = block(restitution=0.5), (np.array([0.0, 0.3]), np.array([3.0, 0.0]))
    whole = da.simulate(modes, method, *start, h=0.05, t=1.5)
    assert len(whole.jumps) > 8
    for i, end in enumerate((0.3, 0.6)):  # in the air, while it slides
        store = tmp_path / f"{i}.zarr"
        part = da.simulate(modes, method, *start, h=0.05, t=end, store=store)
        same(hybrid.resume(store, modes, t=1.5), whole)
        same(hybrid.resume(part, modes, t=1.5), whole)


def test_an_ensemble_with_friction_is_resumed(tmp_path):
    modes = block(restitution=0.5)
    q = np.array([[0.0, 0.3], [0.0, 0.0], [0.0, 0.1]])
    v = np.array([[3.0, 0.0], [2.0, 0.0], [-1.0, 0.0]])
    hybrid.simulate_ensemble(modes, None, q, v, h=0.05, t=0.6, store=tmp_path / "many")
    many = hybrid.resume_ensemble(tmp_path / "many", modes, t=1.5)
    for i in range(3):
        same(many[i], da.simulate(modes, q[i], v[i], h=0.05, t=1.5))


def test_a_run_across_singular_points_is_not_resumed(tmp_path):
    modes = hybrid.across_ranks(da.systems.ParticleWithFadingConstraint())
    with pytest.raises(UsageError, match=r"across_ranks.*cannot be resumed"):
        da.simulate(modes, h=0.01, t=0.1, store=tmp_path / "run.zarr")


def test_taylor_has_every_change_of_a_belt_to_round_off():
    t = np.asarray(
        da.simulate(registry["stick-slip-belt"](), da.Taylor(1e-14), h=0.05, t=9.0).jumps.t
    )
    assert len(t) == 12
    np.testing.assert_allclose(t, belt_times(12), rtol=1e-14)


def test_taylor_and_gauss_have_the_closed_form_of_a_sliding_ball():
    v0 = (3.0, 1.0, 0.0, 5.0, -7.0, 3.0)
    made = parts.build(
        parts.Body("ball", 2.0, shape=da.scene.sphere(R)),
        parts.Free("ball", start=(0, 0, R), speed=v0),
        parts.Ball("ball", R, mu=MU),
        parts.Gravity(G),
    )
    T, end, place = slides(v0)
    for method, h, off in ((da.Taylor(1e-14), 0.05, 1e-13), (da.Gauss(stages=4), 0.02, 1e-11)):
        found = da.simulate(hybrid.with_friction(made), method, h=h, t=2.0)
        np.testing.assert_allclose(found.jumps.t, [T], atol=off)
        np.testing.assert_allclose(found.v[-1][:2], end, atol=off)
        np.testing.assert_allclose(found.q[0][-1][:2], place(2.0), atol=off)
