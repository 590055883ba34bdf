"""`control.Tracker`: gains along a motion against closed forms, and a motion that is kept."""

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
