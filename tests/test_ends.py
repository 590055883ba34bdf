"""Where members of an ensemble end, and why: whatever is kept of them, by whatever engine."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.rows import OutputTimes
from dalembert.running.ensemble_run import EnsembleRequest
from dalembert.running.record.sinks import Buffer, named

SAVES = (da.Every(1), da.Every(7), da.Final())


class Hole(da.MechanicalSystem):
    """The logarithm is no number between 0.105 and 0.5, its slope is one."""

    space, mass = da.Euclidean(1), np.eye(1)

    def potential(self, q):
        return 1e-3 * jnp.log((q[0] - 0.105) * (q[0] - 0.5))


class Gap(da.MechanicalSystem):
    """No number for a while, with the slope zero."""

    space, mass = da.Euclidean(1), np.eye(1)

    def potential(self, q):
        return jnp.where((q[0] > 0.105) & (q[0] < 0.5), jnp.nan, 0.0)


SPEEDS = np.array([[1.0], [0.5], [0.01], [-1.0]])


@pytest.mark.parametrize("system", [Hole(), Gap()])
@pytest.mark.parametrize("method", [da.Leapfrog(), da.Gauss(2), da.RK4()])
def test_what_has_no_value_where_it_has_a_slope_fails_at_its_step(system, method):
    run = {"h": 0.05, "steps": 40}
    asked = [(save, engine) for save in SAVES for engine in ("native", "gpu", "arrays")]
    for save, engine in asked[:: 1 if method.name == "leapfrog" else 4]:
        many = da.simulate_ensemble(
            system, method, np.zeros((4, 1)), SPEEDS, **run, save=save, engine=engine
        )
        np.testing.assert_array_equal(many.steps_done, [2, 4, 40, 40], err_msg=engine)
        np.testing.assert_allclose(many.ended, [0.15, 0.25, 2.0, 2.0])
        assert set(many.failed) == {0, 1}
    for save in SAVES:
        with pytest.raises(da.SimulationError, match=r"at step 3, t = 0.15"):
            da.simulate(system, method, np.zeros(1), SPEEDS[0], **run, save=save)


def test_a_singularity_that_taylor_meets_has_its_step_whatever_is_kept():
    class Wall(da.MechanicalSystem):
        space, mass = da.Euclidean(1), np.eye(1)

        def potential(self, q):
            return 0.2 * jnp.log(1.0 - q[0])

    run, speeds = {"h": 0.005, "steps": 300}, np.array([[0.1], [1.0], [5.0]])
    for save in SAVES:
        many = da.simulate_ensemble(Wall(), da.Taylor(), np.zeros((3, 1)), speeds, save=save, **run)
        np.testing.assert_array_equal(many.steps_done, [300, 173, 39])
        np.testing.assert_allclose(many.ended, [1.5, 0.87, 0.2])
        with pytest.raises(da.SimulationError, match=r"at step 174, t = 0.865"):
            da.simulate(Wall(), da.Taylor(), np.zeros(1), speeds[1], save=save, **run)
    times = da.At(np.arange(0.0, 1.5, 0.1))  # rows at times of their own are counted, too
    with pytest.raises(da.SimulationError, match=r"at step 9, t = 0.865"):
        da.simulate(Wall(), da.Taylor(), np.zeros(1), speeds[1], t=1.5, save=times)


@pytest.mark.parametrize("h", [0.1, -0.3])
def test_the_row_before_a_time_is_told_in_spite_of_rounding(h):
    times = OutputTimes(1.7, h)
    for k in range(1, 2000):
        assert times.last_before(times(k), 0) == k
        assert times.last_before(np.nextafter(times(k), 1.7), 0) == k - 1
        assert times.last_before(times(k) + 0.5 * h, 0) == k
    assert times.last_before(times(3), 5) == 5  # rows behind which the run stands already
    assert OutputTimes(0.0, 1.0, np.array([0.0, 0.2, 0.7])).last_before(0.7, 0) == 2
    assert OutputTimes(0.0, 1.0, None, 3.0).last_before(2.0, 4) == 4


def test_whole_numbers_are_divided_behind_a_known_zero():
    class Stairs(da.MechanicalSystem):
        space, mass = da.Euclidean(2), np.eye(2)

        def force(self, t, q, v):
            i = jnp.floor(100.0 * t).astype(int) // 2
            return jnp.array([jnp.array([0.0, 1.0, 3.0, 2.0])[jnp.clip(i, 0, 3)], 0.0])

        def constraint(self, q):
            return jnp.array([[0.0, 1.0]])

    start = (np.zeros(2), np.array([1.0, 0.0]))
    runs = [
        da.simulate(Stairs(), da.DLA(), *start, h=0.01, steps=20, engine=engine)
        for engine in ("native", "arrays")
    ]
    np.testing.assert_allclose(runs[0].q, runs[1].q, atol=1e-14)


# -- what is kept of rows ----------------------------------------------------------------------


def sleighs(members: int):
    system = da.systems.ChaplyginSleigh()
    q, v = (np.repeat(np.asarray(x)[None], members, 0) for x in system.initial())
    return system, q, v * np.linspace(1.0, 1.1, members)[:, None]


@pytest.mark.parametrize("save", [da.Final(), da.Statistics(lambda q, v: q[0], every=1)])
@pytest.mark.parametrize("engine", ["native", "gpu"])
def test_ends_and_times_hold_no_other_rows(save, engine):
    system, q, v = sleighs(70)
    run = EnsembleRequest(system, da.DLA(), q, v, 0.01, 0.0, False, None, engine, {})
    work = run.work(named(save, many=True), 30, None, None, {})
    work.compile()
    for feeding, end, _ in work.run(False):
        assert all(x.base is None for x in jax.tree.leaves(end))
        for state in feeding.states.values():
            assert all(x.base is None for x in getattr(state, "times", []))


def test_who_makes_more_of_the_last_row_is_shown_the_first_one_as_well():
    class Ends(da.Final):
        def init(self, start):
            return Buffer(2)

        def feed(self, state, rows):
            if len(rows.k):
                state.count = min(state.count, 1)
                state.add(rows.take(slice(-1, None)))
            return state

    system, q, v = sleighs(5)
    many = da.simulate_ensemble(system, da.DLA(), q, v, h=0.1, steps=10, save=Ends())
    np.testing.assert_allclose(many.t, [0.0, 1.0])
    np.testing.assert_array_equal(many.q[:, 0], q)


def test_a_sink_that_writes_to_rows_does_not_change_the_end():
    class Rude(da.Sink):
        every = 10

        def init(self, start):
            return np.zeros(0)

        def feed(self, state, rows):
            rows.v[...] = -7.0
            return state

        def combine(self, states):
            return states[0]

        def finish(self, state):
            return state

    system, q, v = sleighs(5)
    run = {"h": 0.1, "steps": 10}
    rude = da.simulate_ensemble(system, da.DLA(), q, v, save={"rude": Rude()}, **run)
    plain = da.simulate_ensemble(system, da.DLA(), q, v, **run)
    np.testing.assert_array_equal(rude.v, plain.v)


def test_statistics_over_times_of_their_own_have_those_of_all_members():
    system = da.systems.ChaoticQuartic()
    q, v = (np.repeat(np.asarray(x)[None], 100, 0) for x in system.initial())
    v = v * np.linspace(1.0, 1.1, 100)[:, None]
    run = {"h": 0.01, "steps": 20, "save": {"x": da.Statistics(_first, over="time", every=1)}}
    many = da.simulate_ensemble(system, da.Reversible(da.Leapfrog()), q, v, **run)
    np.testing.assert_array_equal(many.saved["x"].t, many.ended[None])


def _first(q, v):
    return q[0]
