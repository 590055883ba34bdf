"""Options of hybrid runs: the same words as for a system, with the same meaning."""

import dataclasses

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
    with pytest.raises(da.UsageError, match="could not continue the sinks 's'"):
        da.simulate(BOUNCES, h=0.01, t=2.0, save=save, store="run.zarr")


def test_events_in_a_mode_with_a_nonlinear_constraint():
    """An event is no jump, which would not be determined."""
    benenti = da.systems.Benenti()
    q, v = benenti.initial()
    how = {"h": 0.05, "t": 2.0, "events": {"x": lambda t, q, v: q[0] - 1.2}}
    plain = da.simulate(benenti, q, v, **how)
    traj = da.simulate(hybrid.Modes({"only": benenti}), q, v, **how)  # the only mode
    assert len(plain.events) == 1
    np.testing.assert_allclose(traj.events.t, plain.events.t, rtol=0, atol=1e-12)


class OnTable(da.MechanicalSystem):
    """A ball above a table that vibrates."""

    amplitude: float = 0.05
    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return G * q[0]


@dataclasses.dataclass(frozen=True)
class Gap:
    def value(self, ball, t, q, v):
        return q[0] - ball.amplitude * jnp.sin(25.0 * t)


@dataclasses.dataclass(frozen=True)
class Hit:
    def after(self, ball, t, q, v):
        table = 25.0 * ball.amplitude * jnp.cos(25.0 * t)
        return table - 0.6 * (v - table)


def above_table(s, x, v, t, amplitude):
    return x + v * s - 0.5 * G * s**2 - amplitude * np.sin(25.0 * (t + s))


def test_guards_and_jumps_that_read_parameters():
    """A ball on a table that vibrates with an amplitude of each member, against a Python loop."""
    amplitudes = np.array([0.04, 0.05, 0.06])
    modes = hybrid.Modes({"air": OnTable()}, hybrid.Transition("air", None, Gap(), -1, jump=Hit()))
    start, over = np.full((3, 1), 0.3), da.grid(amplitude=amplitudes)
    how = {"mode": "air", "h": 0.01, "t": 1.5}
    many = da.simulate_ensemble(modes, start, 0.0 * start, over=over, **how)
    for i, a in enumerate(amplitudes):
        x, v, t, count = 0.3, 0.0, 0.0, 0
        s = np.linspace(0.0, 1.5, 30_001)
        while True:
            state = (x, v, t, a)
            ahead = s[(s > 1e-9) & (s < 1.5 - t)]
            below = np.flatnonzero(above_table(ahead, *state) < 0.0)
            if not len(below):
                break
            low, high = ahead[below[0] - 1], ahead[below[0]]
            for _ in range(60):
                middle = 0.5 * (low + high)
                low, high = (low, middle) if above_table(middle, *state) < 0.0 else (middle, high)
            x, v, t, count = x + v * low - 0.5 * G * low**2, v - G * low, t + low, count + 1
            table = 25.0 * a * np.cos(25.0 * t)
            v = table - 0.6 * (v - table)
        left = 1.5 - t
        np.testing.assert_allclose(many.q[i, 0], x + v * left - 0.5 * G * left**2, atol=1e-9)
        assert many.jumps[i] == count > 1


def test_a_rule_stops_at_a_row_of_the_grid():
    traj = da.simulate(BOUNCES, h=0.01, t=2.0, stop_when=lambda t, q, v: q[0] > 1.005)
    assert traj.t[-1] == pytest.approx(1.01, abs=1e-12)
    assert not traj.warnings
    # the first row of the grid after a jump counts as well
    soon = da.simulate(BOUNCES, h=0.01, t=2.0, stop_when=lambda t, q, v: v[1] > 0.0)
    assert soon.t[-1] == pytest.approx(0.46, abs=1e-12)
    assert da.simulate(BOUNCES, h=0.01, t=2.0, stop_when=lambda t, q, v: t > 9.0).t[-1] == 2.0


def test_a_resumed_run_keeps_its_rule(tmp_path):
    def rule(t, q, v):
        return q[0] > 1.005

    whole = da.simulate(BOUNCES, h=0.01, t=2.0, stop_when=rule)
    half = da.simulate(BOUNCES, h=0.01, t=0.5, stop_when=rule)
    rest = hybrid.resume(half, BOUNCES, t=2.0, stop_when=rule)
    np.testing.assert_array_equal(rest.t, whole.t)
    np.testing.assert_array_equal(rest.q, whole.q)
    # a run that the rule has ended is at its end, in a file as well
    file = tmp_path / "ended.zarr"
    da.simulate(BOUNCES, h=0.01, t=2.0, stop_when=rule, store=file)
    for again in (whole, file):
        np.testing.assert_array_equal(hybrid.resume(again, BOUNCES, t=3.0).t, whole.t)


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
        (da.Section(lambda q, v: v[1], [lambda q, v: q[0]], every=1), "a jump may lie"),
        (da.Stream("run.zarr"), "store="),
        ({"a": da.Every(2), "b": da.Final()}, "takes one sink for its rows"),
    ):
        with pytest.raises(da.UsageError, match=why):
            da.simulate(BOUNCES, h=0.01, t=2.0, save=save)
