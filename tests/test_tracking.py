"""`control.Tracker`: gains along a motion against closed forms, and a motion that is kept."""

import jax
import numpy as np
import pytest

import dalembert as da
from dalembert.control import Tracker
from features import PUSHED, START

H = 0.02


@pytest.fixture(scope="module")
def motion():
    return da.simulate(
        PUSHED,
        da.RK4(),
        *START,
        h=H,
        steps=300,
        u=da.Sampled(lambda t, q, v: [0.1 * np.cos(t), 0.2 * np.sin(t)], every=H),
    )


def test_a_disturbed_start_comes_back(motion):
    tracker = Tracker(PUSHED, motion, R=0.05)
    assert len(tracker.names) == 5 and tracker.gains.shape == (301, 2, 5)
    np.testing.assert_array_equal(tracker.inputs[:-1], motion.saved["u"].u)
    q, v = np.array([0.1, -0.15, 0.1]), np.array([0.5, 0.0, 0.3])
    start = {"h": H, "steps": 300, "project": True}
    kept = da.simulate(PUSHED, da.RK4(), q, v, u=da.Sampled(tracker, every=H), **start)
    held = motion.saved["u"]
    loose = da.simulate(
        PUSHED, da.RK4(), q, v, u=da.Sampled(lambda t, q, v: held.u[round(t / H)], every=H), **start
    )
    before = np.linalg.norm(q - motion.q[0])
    assert np.linalg.norm(kept.q[-1] - motion.q[-1]) < 0.1 * before
    assert np.linalg.norm(loose.q[-1] - motion.q[-1]) > before
    # members at once, as an ensemble gives them
    np.testing.assert_allclose(
        tracker(1.0, np.stack([q, q]), np.stack([v, v]))[1], tracker(1.0, q, v), rtol=1e-13
    )


def test_gains_of_a_constant_system_are_those_of_its_regulator():
    class Mass(da.System):
        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def inputs(self, q):
            return np.eye(1)

    rest = da.simulate(Mass(), da.RK4(), [0.0], [0.0], h=0.01, steps=2000)
    tracker = Tracker(Mass(), rest, Q=[1.0, 0.0], R=1.0)
    # x'' = u, cost q^2 + u^2: K = (1, sqrt 2); held inputs change it by a part of the order of dt
    np.testing.assert_allclose(tracker.gains[0], [[1.0, np.sqrt(2.0)]], rtol=0.01)
    assert np.abs(tracker.gains[-1]).max() < 0.05  # at the end nothing is to be gained any more
    np.testing.assert_allclose(Tracker(Mass(), rest, limit=0.3)(0.0, [9.0], [0.0]), [-0.3])


def test_refusals(motion):
    sleigh = da.systems.ChaplyginSleigh()
    with pytest.raises(da.UsageError, match="with inputs"):
        Tracker(sleigh, motion)
    with pytest.raises(da.UsageError, match="equal distances"):
        Tracker(PUSHED, da.simulate(PUSHED, da.RK4(), *START, h=H, steps=7, save_every=3))
    with pytest.raises(da.UsageError, match=r"\(301, 2\) or \(2,\)"):
        Tracker(PUSHED, motion, u=np.zeros(3))
    with pytest.raises(da.UsageError, match="unknown name in Q"):
        Tracker(PUSHED, motion, Q={"z": 1.0})


def test_a_bicycle_is_kept_on_a_figure_of_eight_and_the_open_loop_falls():
    """The tutorial; the tracker does so for other noise as well."""
    from test_examples import load

    found = load("tutorials/11_track_a_figure_of_eight")
    assert found.kept.t[-1] == pytest.approx(30.0) and found.away.max() < 0.3
    assert found.fallen.t[-1] < 25.0 and abs(found.fallen.q[-1, 3]) > 0.8
    # the plan is an eight: it passes its crossing in the middle, and turns both ways
    plan = found.plan.q
    middle = np.hypot(*plan[1200:1800, :2].T)
    assert middle.min() < 0.5 and plan[:, 3].max() > 0.15 > -0.15 > plan[:, 3].min()
    for seed in (1, 2):
        found.noise[:] = np.random.default_rng(seed).normal(scale=[1.0, 2.0], size=(1501, 2))
        u = da.Sampled(found.closed, every=0.02)
        again = da.simulate(found.bicycle, found.q0, found.pushed, u=u, **found.run)
        assert np.hypot(*(again.q[:, :2] - plan[:, :2]).T).max() < 0.3
        u = da.Sampled(found.open_loop, every=0.02)
        loose = da.simulate(found.bicycle, found.q0, found.pushed, u=u, **found.run)
        assert loose.t[-1] < 25.0


def test_a_vehicle_on_a_group_is_kept_on_its_circle():
    from dalembert.compile.function import compiled_rows
    from dalembert.control.tracking import _slopes

    vehicle, h = da.systems.UnderwaterVehicle(k=0.1), 0.02
    start = np.eye(3), np.array([1.0, 0.1, 0.5])
    u = np.array([0.15, 0.05])
    motion = da.simulate(vehicle, da.RK4(), *start, h=h, steps=400, u=u)
    space = vehicle.space

    def error(q, v, i):
        w = space.log(space.mul(space.inv(motion.q[i]), q))
        return np.concatenate([w, v - motion.v[i]])

    # the linear equations predict a small error one row later; a bracket of the other sign does not
    x0 = 1e-5 * np.array([0.3, -0.5, 0.7, 0.2, 0.4, -0.6])
    i = 100
    q = np.asarray(space.mul(motion.q[i], space.exp(x0[:3])))
    after = da.simulate(vehicle, da.RK4(), q, motion.v[i] + x0[3:], t0=i * h, h=h, steps=1, u=u)
    rows = (motion.t[i : i + 1], motion.q[i : i + 1], motion.v[i : i + 1], u[None])
    A, _ = compiled_rows(_slopes, vehicle, rows, (0, 1, 2), ())
    predicted = np.asarray(jax.scipy.linalg.expm(h * A[0])) @ x0
    off = np.abs(error(after.q[-1], after.v[-1], i + 1) - predicted).max()
    assert off < 0.03 * np.abs(predicted - x0).max() and np.abs(predicted - x0).max() > 1e-8
    tracker = Tracker(vehicle, motion, u=u, Q=np.ones(6), R=0.1)
    assert tracker.names[:3] == ("along surge", "along sway", "along yaw_rate")
    q0 = np.asarray(space.exp(np.array([0.3, -0.4, 0.5])))
    kept = da.simulate(
        vehicle, da.RK4(), q0, start[1], h=h, steps=400, u=da.Sampled(tracker, every=h)
    )
    loose = da.simulate(vehicle, da.RK4(), q0, start[1], h=h, steps=400, u=u)
    ends = [np.linalg.norm(error(x.q[-1], x.v[-1], -1)) for x in (kept, loose)]
    assert ends[0] < 0.05 and ends[1] > 0.5
    both = tracker(1.0, np.stack([q0, q0]), np.stack([start[1]] * 2))
    np.testing.assert_allclose(both[1], tracker(1.0, q0, start[1]), rtol=1e-12)
