"""Options of hybrid runs: the same words as for a system, with the same meaning."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid

G = 9.81


class Ball(da.System):
    """A ball in a vertical plane, that may be pushed along x."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - G * q[1]

    def inputs(self, q):
        return jnp.array([[1.0, 0.0]])


BOUNCES = hybrid.Modes(
    {"air": Ball()},
    hybrid.bounce("air", lambda q: q[1], restitution=0.9),
    start=("air", [0.0, 1.0], [1.0, 0.0]),
)
FALL = np.sqrt(2.0 / G)  # time to the first bounce
APEX = FALL + 0.9 * G * FALL / G  # of the next highest point


def test_simulate_runs_modes():
    ours = hybrid.simulate(BOUNCES, h=0.01, t=2.0)
    for traj in (
        da.simulate(BOUNCES, h=0.01, t=2.0),
        da.simulate(BOUNCES, "air", [0.0, 1.0], [1.0, 0.0], h=0.01, t=2.0),
        da.simulate(BOUNCES, da.Gauss(2), [0.0, 1.0], [1.0, 0.0], mode="air", h=0.01, t=2.0),
        da.simulate(BOUNCES, {"air": da.Gauss(2)}, h=0.01, t=2.0),
    ):
        assert np.array_equal(traj.q, ours.q)
        assert len(traj.jumps) == 3
    with pytest.raises(da.UsageError, match="not from a pair"):
        da.simulate(BOUNCES, h=0.01, t=2.0, q1=[0.0, 1.0])
    with pytest.raises(da.UsageError, match="give the mode once"):
        da.simulate(BOUNCES, "air", [0.0, 1.0], [1.0, 0.0], mode="air", h=0.01, t=2.0)
    with pytest.raises(da.UsageError, match=r"is for hybrid\.Modes"):
        da.simulate(Ball(), [0.0, 1.0], [1.0, 0.0], mode="air", h=0.01, t=2.0)


def test_a_control_acts_in_modes_that_have_inputs():
    for u in ([0.5], lambda t: jnp.array([0.5]), {"air": [0.5]}):
        traj = da.simulate(BOUNCES, h=0.01, t=2.0, u=u)
        assert abs(traj.q[-1, 0] - (2.0 + 0.25 * 4.0)) < 1e-12
    with pytest.raises(da.UsageError, match="water"):
        da.simulate(BOUNCES, h=0.01, t=2.0, u={"water": [0.5]})


def test_events_are_found_in_every_mode_and_may_end_the_run():
    apex = da.Event(lambda t, q, v: v[1], direction=-1)
    traj = da.simulate(BOUNCES, h=0.01, t=2.0, events={"apex": apex})
    plain = da.simulate(BOUNCES, h=0.01, t=2.0)
    assert len(traj.jumps) == len(plain.jumps)
    assert np.allclose(traj.q[-1], plain.q[-1], atol=1e-12)
    assert abs(traj.events.t[0] - APEX) < 1e-10
    assert np.max(np.abs(traj.events["apex"].v[:, 1])) < 1e-9
    ended = da.simulate(
        BOUNCES, h=0.01, t=2.0, events={"apex": da.Event(apex.g, direction=-1, terminal=True)}
    )
    assert abs(ended.t[-1] - APEX) < 1e-10
    assert abs(ended.q[-1, 1] - 0.81) < 1e-10
    none = da.simulate(BOUNCES, h=0.01, t=0.1, events={"apex": apex})
    assert len(none.events) == 0
    save = {"": da.Every(1), "s": da.Statistics(lambda q, v: q[1])}
    with pytest.raises(da.UsageError, match="no results of the sinks 's'"):
        da.simulate(BOUNCES, h=0.01, t=2.0, save=save, store="run.zarr")


def test_a_rule_stops_at_a_row_of_the_grid():
    traj = da.simulate(BOUNCES, h=0.01, t=2.0, stop_when=lambda t, q, v: q[0] > 1.005)
    assert traj.t[-1] == pytest.approx(1.01, abs=1e-12)
    assert not traj.warnings
    # the first row of the grid after a jump counts as well
    soon = da.simulate(BOUNCES, h=0.01, t=2.0, stop_when=lambda t, q, v: v[1] > 0.0)
    assert soon.t[-1] == pytest.approx(0.46, abs=1e-12)
    assert da.simulate(BOUNCES, h=0.01, t=2.0, stop_when=lambda t, q, v: t > 9.0).t[-1] == 2.0


@pytest.mark.parametrize("method", [None, da.Gauss(2), da.DLA()], ids=str)
def test_a_tolerance_is_met_over_jumps(method):
    exact = da.simulate(BOUNCES, da.Gauss(6), h=0.001, t=2.0)
    chosen = () if method is None else (method,)
    traj = da.simulate(BOUNCES, *chosen, t=2.0, tol=1e-7)
    assert traj.meta.error_estimate <= 1e-7
    assert np.max(np.abs(traj.q[-1] - exact.q[-1])) <= 1e-7 * 2.0
    assert np.max(np.abs(traj.v[-1] - exact.v[-1])) <= 1e-7 * 5.0
    with pytest.raises(da.UsageError, match="tol chooses the step"):
        da.simulate(BOUNCES, h=0.1, t=2.0, tol=1e-7)


def test_sinks_see_the_grid_and_rows_at_jumps_stay():
    plain = da.simulate(BOUNCES, h=0.01, t=2.0)
    at = [plain.jumps.t[i] for i in range(3) for _ in range(2)]
    few = da.simulate(BOUNCES, h=0.01, t=2.0, save=da.At([0.5, 1.0]))
    assert np.allclose(few.t, sorted([0.0, 0.5, 1.0, *at]))
    last = da.simulate(BOUNCES, h=0.01, t=2.0, save=da.Final())
    assert np.allclose(last.t, sorted([0.0, 2.0, *at]))
    height = da.Statistics(lambda q, v: q[1])
    both = da.simulate(BOUNCES, h=0.01, t=2.0, save={"": da.Every(10), "y": height})
    grid = np.isin(np.round(plain.t / 0.01, 6) % 1.0, (0.0,))
    assert both.saved["y"].count == 201
    assert both.saved["y"].mean == pytest.approx(np.mean(plain.q[grid, 1]), rel=1e-12)
    alone = da.simulate(BOUNCES, h=0.01, t=2.0, save=height)
    assert alone.saved["result"].mean == both.saved["y"].mean
    for save, why in (
        (da.Section(lambda q, v: v[1], [lambda q, v: q[0]], every=1), "may be a jump"),
        (da.Stream("run.zarr"), "store="),
        ({"a": da.Every(2), "b": da.Final()}, "saves its rows once"),
    ):
        with pytest.raises(da.UsageError, match=why):
            da.simulate(BOUNCES, h=0.01, t=2.0, save=save)
