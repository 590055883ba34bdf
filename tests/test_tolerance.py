"""Steps from a tolerance: met, not by far, and told where it cannot be."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.running import accuracy

KNIFE = da.systems.KnifeEdge()


def _error(traj, q, v):
    """Against exact data at the end, in sizes of q and v on the way."""
    parts = ((traj.q, q), (traj.v, v))
    return max(np.abs(x[-1] - y).max() / np.abs(x).max() for x, y in parts)


@pytest.mark.parametrize("tol", [1e-6, 1e-9])
def test_the_tolerance_is_met_and_not_by_far(tol):
    traj = da.simulate(KNIFE, da.Gauss(3), t=5.0, tol=tol)
    fine = da.simulate(KNIFE, da.Gauss(4), h=5.0 / 400, steps=400).final
    error = _error(traj, fine.q, fine.v)
    assert tol / 100 < error < tol
    assert error / 3 < traj.meta.error_estimate < 3 * error
    assert traj.meta.tol == tol and traj.t[-1] == pytest.approx(5.0)
    text = str(da.diagnostics.report(KNIFE, traj))
    assert "error at the end, estimated" in text and "met" in text


def test_a_method_that_is_named_is_taken(tmp_path):
    traj = da.simulate(KNIFE, da.Leapfrog(), t=5.0, tol=1e-3, t0=1.0)
    assert traj.meta.method == "leapfrog" and 1e-3 / 30 <= traj.meta.error_estimate <= 1e-3
    traj.save(tmp_path / "run.nc")
    again = da.load(tmp_path / "run.nc")
    assert again.equals(traj) and again.meta.error_estimate == traj.meta.error_estimate


def test_what_cannot_be_met_says_what_was_reached():
    with pytest.raises(da.SimulationError, match=r"tol = 1e-14 cannot be met.* still about") as e:
        da.simulate(KNIFE, da.Leapfrog(), t=0.5, tol=1e-14)
    assert e.value.trajectory.t[-1] == pytest.approx(0.5)
    assert 1e-14 < e.value.trajectory.meta.error_estimate < 1e-9


def test_the_choice_follows_the_order():
    """On errors that are known exactly: C N^-p, with a first pilot that is far too coarse."""

    class Run:
        def __init__(self, n):
            x = np.array([[1.0], [1.0 + 3e5 / n**4]])
            self.q, self.frame, self.v = x, None, x
            self.meta = da.results.Meta(wall_s=1e-6 * n, compile_s=1.0)

        @property
        def final(self):
            last = Run(1)
            last.q, last.v = self.q[-1], self.v[-1]
            return last

    for tol in (1e-3, 1e-6, 1e-9):
        chosen = accuracy.choose(lambda h, steps, save_every: Run(steps), 1.0, 4, tol)
        error = 3e5 / chosen.steps**4
        assert chosen.met and tol / 40 < error < tol, (tol, chosen)


def test_other_stages_only_where_they_save_more_than_they_cost():
    """By the law of the pilots: error = (rate/N)^(2s), work = steps (s + 1) sweeps."""
    slow = accuracy.StepChoice(3_000_000, 1e-10, True, run_s=60.0, compile_s=2.0)
    other = accuracy.with_other_stages(da.Gauss(2), slow, 3e-10)
    assert other is not None and other.stages > 2
    again = accuracy.StepChoice(10_000, 1e-10, True, run_s=60.0, compile_s=2.0)
    assert accuracy.with_other_stages(other, again, 3e-10) is None  # it is the best
    quick = slow._replace(run_s=0.1)
    assert accuracy.with_other_stages(da.Gauss(2), quick, 3e-10) is None
    assert accuracy.with_other_stages(da.DLA(), slow, 3e-10) is None
    assert accuracy.with_other_stages(da.Gauss(2), slow._replace(met=False), 3e-10) is None


def test_the_time_of_the_end_in_place_of_steps():
    traj = da.simulate(KNIFE, da.Leapfrog(), h=0.125, t=2.0, t0=1.0)
    assert traj.meta.steps == 8 and traj.t[-1] == 2.0
    for given, told in (
        ({"h": 0.3, "t": 1.0}, r"does not divide the time from 0 to 1; 3 steps need h = 0.333"),
        ({"h": 0.1}, "give steps, the number of steps, or t"),
        ({"steps": 3}, "give h and steps, or h and t, or t and tol"),
        ({"h": 0.1, "steps": 3, "t": 1.0}, "steps or t, not both"),
        ({"h": 0.1, "t": -1.0}, "must come after t0"),
        ({"t": 1.0, "tol": 2.0}, "tol must be a number between"),
        ({"tol": 1e-6}, "t must be a number"),
        ({"t": 1.0, "tol": 1e-6, "h": 0.1}, "tol chooses the step"),
    ):
        with pytest.raises(da.UsageError, match=told):
            da.simulate(KNIFE, da.Leapfrog(), **given)
    with pytest.raises(da.UsageError, match="Reference has a tolerance of its own"):
        da.simulate(KNIFE, da.Reference(), t=1.0, tol=1e-6)
    with pytest.raises(da.UsageError, match="outside of jit"):
        jax.jit(lambda x: da.simulate(KNIFE, x, x, t=1.0, tol=1e-6).q)(jnp.zeros(3))


def test_who_interrupts_a_pilot_is_heard():
    def interrupted(**options):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise da.SimulationError("interrupted") from error

    with pytest.raises(da.SimulationError, match="interrupted"):
        accuracy.choose(interrupted, 1.0, 2, 1e-3)


class Driven(da.MechanicalSystem):
    """A mass that a force moves which changes with the time, in one of three ways."""

    space = da.Euclidean(1)
    mass = np.eye(1)
    swings: float = 0.0
    jumps_at: float = 1e9
    stiffness: float = 0.0

    def potential(self, q):
        return 0.5 * self.stiffness * q @ q

    def force(self, t, q, v):
        swing = 30.0 * jnp.cos(2 * jnp.pi * self.swings * t) * (self.swings > 0)
        return jnp.reshape(swing + (t > self.jumps_at), (1,))


def test_coarse_steps_that_agree_by_chance_are_not_believed():
    """Steps of 1/2 see a force of 8 Hz at its largest only, and agree with steps of 1."""
    w = 2 * np.pi * 8.0
    run = da.simulate(Driven(swings=8.0), da.RK4(), np.zeros(1), np.ones(1), t=1.0, tol=1e-3)
    exact = 1.0 + 30.0 * (1 - np.cos(w)) / w**2
    assert abs(run.q[-1, 0] - exact) < 1e-2 and run.meta.steps > 8


@pytest.mark.parametrize("jumps_at", [np.sqrt(2.0), 0.3, 2.0 / 3.0, 5.1])
def test_a_force_that_jumps_is_met_or_refused(jumps_at):
    system, tol = Driven(jumps_at=jumps_at), 1e-4
    exact = 10.0 + 0.5 * (10.0 - jumps_at) ** 2
    try:
        run = da.simulate(system, np.zeros(1), np.ones(1), t=10.0, tol=tol)
    except da.SimulationError as told:
        run = told.trajectory
        assert run.meta.error_estimate > tol
    else:
        assert abs(run.q[-1, 0] - exact) < 10 * tol * exact


class Pushed(da.System):
    """A push of one unit in all, by a force that is there from t = 0.9 on for a while."""

    space = da.Euclidean(1)
    lasts: float = 0.05

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2

    def force(self, t, q, v):
        there = (t > 0.9) & (t < 0.9 + self.lasts)
        return jnp.reshape(jnp.where(there, 1.0 / self.lasts, 0.0), (1,))


@pytest.mark.parametrize(("lasts", "tol"), [(0.05, 1e-3), (0.02, 1e-3), (0.008, 1e-2)])
def test_a_push_that_comes_and_goes_is_felt_to_within_the_tolerance(lasts, tol):
    """Its error falls like 1/N: what halved steps differ by, over 2^p - 1, is no estimate of it."""
    run = da.simulate(Pushed(lasts), np.zeros(1), np.zeros(1), t=2.0, tol=tol)
    assert abs(run.v[-1, 0] - 1.0) < tol and abs(run.q[-1, 0] - (1.1 - lasts / 2)) < tol * 1.1
    assert "chooses between branches" in run.meta.engine_reason


def test_sizes_are_not_taken_where_something_swings_through_rest():
    t = 16 * np.pi  # of which every sixteenth part is a whole number of half turns
    run = da.simulate(Driven(stiffness=1.0), np.ones(1), np.zeros(1), t=t, tol=1e-6)
    assert abs(run.q[-1, 0] - 1.0) < 1e-5 and abs(run.v[-1, 0]) < 1e-5


def test_less_than_round_off_is_refused():
    with pytest.raises(da.UsageError, match="round-off"):
        da.simulate(Driven(), np.zeros(1), np.ones(1), t=1.0, tol=1e-17)
