"""What is kept of a run: the same sinks for one run and for many, alone or by name."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import UsageError

SLEIGH = da.systems.ChaplyginSleigh()
SLEIGHS = da.systems.ChaplyginSleigh(a=jnp.linspace(0.1, 0.3, 70))  # more than one block
RUN = {"h": 0.05, "steps": 45}


def turn(q, v):
    return v[2]


@pytest.fixture(scope="module")
def whole() -> da.Trajectory:
    return da.simulate(SLEIGH, da.DLA(), **RUN)


@pytest.fixture(scope="module")
def many() -> da.Ensemble:
    return da.simulate_ensemble(SLEIGHS, da.DLA(), **RUN, save=da.Every(1))


def same(a, b) -> None:
    for name in ("t", "q", "v", "p", "multiplier", "residual"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


def test_rows(whole):
    same(da.simulate(SLEIGH, da.DLA(), **RUN, save=da.Every(1)), whole)
    final = da.simulate(SLEIGH, da.DLA(), **RUN, save=da.Final())
    np.testing.assert_array_equal(final.q, whole.q[-1:])
    chosen = da.simulate(SLEIGH, da.DLA(), **RUN, save=da.At([0.0, 0.5, 0.75, 2.25]))
    np.testing.assert_array_equal(chosen.q, whole.q[[0, 10, 15, 45]])
    # a row tells the largest residual since the one before it
    windows = [whole.residual[:1], whole.residual[1:11], whole.residual[11:16]]
    np.testing.assert_array_equal(chosen.residual[:3], [w.max() for w in windows])


def test_many_keep_the_same(many):
    few = da.simulate_ensemble(SLEIGHS, da.DLA(), **RUN, save=da.At([0.5, 0.75, 2.25]))
    np.testing.assert_array_equal(few.t, many.t[[10, 15, 45]])
    np.testing.assert_array_equal(few.q, many.q[:, [10, 15, 45]])
    one = da.simulate(SLEIGH.with_parameters(a=SLEIGHS.a[66]), da.DLA(), **RUN)
    np.testing.assert_allclose(many[66].q, one.q, rtol=0, atol=1e-12)
    assert many[66].meta.parameters == one.meta.parameters


def test_by_name(whole, many):
    """Several sinks that look at different steps; rows of each equal those of a run of its own."""
    save = {
        "coarse": da.Every(10),
        "middle": da.At([1.05]),
        "turn": da.Statistics(turn, every=3),
        "seen": da.Histogram(turn, [-10.0, 0.0, 10.0], every=1),
    }
    one = da.simulate(SLEIGH, da.DLA(), **RUN, save=save)
    assert list(one.saved) == list(save)
    np.testing.assert_array_equal(one.saved["coarse"].q, whole.q[[0, 10, 20, 30, 40, 45]])
    same(one, one.saved["coarse"])  # the first that keeps rows is the trajectory itself
    np.testing.assert_array_equal(one.saved["middle"].q, whole.q[[21]])
    looked = whole.v[::3, 2]
    np.testing.assert_allclose(one.saved["turn"].mean, looked.mean(), rtol=1e-14)
    np.testing.assert_allclose(one.saved["turn"].variance, looked.var(), rtol=1e-12)
    assert one.saved["seen"].counts.sum() == 46 and one.saved["turn"].count == 16

    some = da.simulate_ensemble(SLEIGHS, da.DLA(), **RUN, save=save)
    np.testing.assert_array_equal(some.q, many.q[:, [0, 10, 20, 30, 40, 45]])
    np.testing.assert_array_equal(some.saved["middle"].q, many.q[:, [21]])
    np.testing.assert_allclose(some.saved["turn"].mean, many.v[:, ::3, 2].mean(axis=0), rtol=1e-13)
    assert some.saved["seen"].counts.sum() == 46 * 70


def test_without_rows_the_last_one_is_there(whole):
    alone = da.simulate(SLEIGH, da.DLA(), **RUN, save=da.Statistics(turn, every=1))
    np.testing.assert_array_equal(alone.q, whole.q[-1:])
    np.testing.assert_allclose(alone.saved["result"].mean, whole.v[:, 2].mean(), rtol=1e-14)
    assert np.ndim(alone.saved["result"].mean) == 0


def test_crossings_of_one_run(whole):
    """A section of a single run, against the sign changes of its rows."""
    quartic = da.systems.ChaoticQuartic()
    crossing, x = (lambda q, v: q[0]), (lambda q, v: q[1])
    run = {"h": 0.05, "steps": 400}
    rows = da.simulate(quartic, da.Leapfrog(), **run)
    found = da.simulate(quartic, da.Leapfrog(), **run, save=da.Section(crossing, [x], every=1))
    up = np.flatnonzero((rows.q[:-1, 0] < 0) & (rows.q[1:, 0] >= 0))
    assert len(found.saved["result"].t) == len(up) > 1
    assert np.all(
        (found.saved["result"].t >= rows.t[up]) & (found.saved["result"].t <= rows.t[up + 1])
    )


@dataclasses.dataclass(frozen=True)
class Counted(da.Sink):
    """How many good rows were seen of each member."""

    every: int = 1

    def init(self, start):
        return np.zeros(start.members, int)

    def feed(self, state, rows):
        return state + rows.good.sum(axis=0)

    def combine(self, states):
        return np.concatenate(states)

    def finish(self, state):
        return state


def test_a_sink_of_ones_own():
    one = da.simulate(SLEIGH, da.DLA(), **RUN, save={"rows": Counted(), "few": Counted(10)})
    assert one.saved["rows"].tolist() == [46] and one.saved["few"].tolist() == [6]
    many = da.simulate_ensemble(SLEIGHS, da.DLA(), **RUN, save={"rows": Counted()})
    assert many.saved["rows"].tolist() == [46] * 70

    class Lonely(Counted):
        combine = da.Sink.combine

    with pytest.raises(UsageError, match="Lonely has no `combine`"):
        da.simulate_ensemble(SLEIGHS, da.DLA(), **RUN, save=Lonely())


def test_lengths_compile_nothing(compilations):
    """Neither rows kept, slices, chosen times nor reductions."""

    def runs(steps):
        sinks = {"rows": da.Every(3), "turn": da.Statistics(turn, every=1)}
        traj = da.simulate(SLEIGH, da.DLA(), h=0.01, steps=steps, save=sinks)
        return traj[1:].q[::2].sum() + traj.final.q[0]

    runs(30), runs(700)
    before = compilations()
    for steps in (31, 57, 255, 300, 701):
        runs(steps)
    assert compilations() == before


@pytest.mark.parametrize(
    "save, message",
    [
        (da.Every, r"save must be a sink such as .* make one: Every\(...\)"),
        ({"x": turn}, r"save\['x'\] must be a sink"),
        ({}, "save takes a sink, or names and sinks"),
        (da.At([0.51]), "no step ends at t = 0.51; the nearest ends at 0.5"),
        (da.At([0.5, 9.0]), "within the run, t = 0 to 2.25"),
        (da.Histogram(turn, [0, 1]), "save needs `every`"),
        (da.Every(0), "every must be an integer of at least 1, got 0"),
        (
            {"a": da.Stream("x.zarr"), "b": da.Final()},
            "a Stream must be the only sink|that the Stream saves already",
        ),
    ],
)
def test_misuse(save, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for run, system in ((da.simulate, SLEIGH), (da.simulate_ensemble, SLEIGHS)):
        with pytest.raises(UsageError, match=message):
            run(system, da.DLA(), **RUN, save=save)


def test_shorthands_and_sinks_exclude_each_other(tmp_path):
    with pytest.raises(UsageError, match="save or save_every, not both"):
        da.simulate(SLEIGH, da.DLA(), **RUN, save=da.Every(2), save_every=3)
    with pytest.raises(UsageError, match="save or store, not both"):
        da.simulate(SLEIGH, da.DLA(), **RUN, save=da.Final(), store=tmp_path / "x.zarr")
    with pytest.raises(UsageError, match="keep and reduce, not both"):
        da.simulate_ensemble(SLEIGHS, da.DLA(), **RUN, save=da.Final(), keep="rows")
    with pytest.raises(UsageError, match="save needs `every`"):
        da.simulate(SLEIGH, da.DLA(), **RUN, save=da.Stream(tmp_path / "x.zarr", every=None))
    with pytest.raises(UsageError, match="needs a run outside of jit"):
        jax.jit(lambda h: da.simulate(SLEIGH, da.DLA(), h=h, steps=4, save=da.At([0.2])).q)(0.1)


# -- without a method ----------------------------------------------------------------------------


def test_the_method_may_be_left_out():
    q, v = SLEIGH.initial()
    default = da.methods.default()
    for run, system, data in (
        (da.simulate, SLEIGH, (q, v)),
        (da.simulate_ensemble, SLEIGH, (jnp.stack([q, q]), jnp.stack([v, v]))),
    ):
        wanted = run(system, default, *data, **RUN)
        for found in (
            run(system, *data, **RUN),
            run(system, q0=data[0], v0=data[1], **RUN),
            run(system, None, *data, **RUN),
        ):
            np.testing.assert_array_equal(found.q, wanted.q)
            assert found.meta.method == default.name
    with pytest.raises(UsageError, match=r"must be a method, or the point q0 .*; got 3.5"):
        da.simulate(SLEIGH, 3.5, **RUN)
    with pytest.raises(UsageError, match=r"make one: DLA\(\)"):
        da.simulate_ensemble(SLEIGHS, da.DLA, **RUN)


class Flat(da.System):
    """Its constraint has lost an axis."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v

    def constraint(self, q):
        return jnp.array([1.0, 0.0])


def test_a_wrong_shape_is_told_in_the_same_words():
    told = []
    for run, data in (
        (da.simulate, (np.zeros(2), np.zeros(2))),
        (da.simulate_ensemble, (np.zeros((3, 2)), np.zeros((3, 2)))),
    ):
        with pytest.raises(UsageError) as caught:
            run(Flat(), da.DLA(), *data, **RUN)
        told.append(str(caught.value))
    with pytest.raises(UsageError) as caught:
        jax.jit(lambda q: da.simulate(Flat(), da.DLA(), q, q, **RUN).q)(jnp.zeros(2))
    assert told == [str(caught.value)] * 2
    assert "flat.constraint must return one row of 2 numbers" in told[0]


# -- files of many -------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".zarr", ".nc"])
def test_an_ensemble_is_saved_and_loaded(suffix, tmp_path):
    save = {"rows": da.Every(20), "turn": da.Statistics(turn, every=15)}
    many = da.simulate_ensemble(SLEIGHS, da.DLA(), **RUN, save=save)
    many.save(tmp_path / f"many{suffix}")
    back = da.load(tmp_path / f"many{suffix}")
    assert isinstance(back, da.Ensemble) and back.meta == many.meta
    same(back, many)
    np.testing.assert_array_equal(back.saved["turn"].variance, many.saved["turn"].variance)
    assert back.failed == many.failed and len(back) == 70
    assert back[3].meta.parameters == many[3].meta.parameters
    data = many.to_xarray()
    assert data.q.dims == ("member", "time", "coordinate") and data.q.attrs["units"]
    np.testing.assert_array_equal(data["parameter_a"], SLEIGHS.a)
    with pytest.raises(UsageError, match="CSV file holds one trajectory"):
        many.save(tmp_path / "many.csv")
    np.testing.assert_array_equal(many["x"], many.q[..., 0])


def test_a_run_that_ends_before_the_chosen_times():
    rule = lambda t, q, v: t > 0.2
    found = da.simulate(SLEIGH, da.DLA(), **RUN, save=da.At([1.0, 2.0]), stop_when=rule)
    assert len(found) == 0 and found.q.shape == (0, 3)
    found = da.simulate(SLEIGH, da.DLA(), **RUN, save=da.Final(), stop_when=rule)
    assert len(found) == 1 and found.t[0] == 0.25


def test_residuals_across_chunks():
    """The largest since the row before, also where another sink takes every row of a chunk."""
    run = {"h": 0.01, "steps": 16385}
    alone = da.simulate(SLEIGH, da.DLA(), **run, save=da.Every(16385))
    beside = da.simulate(SLEIGH, da.DLA(), **run, save={"b": da.Every(16385), "a": da.Every(1)})
    assert beside.saved["b"].residual[-1] == alone.residual[-1]
    assert beside.saved["b"].meta == alone.meta
    assert beside.saved["a"].meta.save_every == 1


def test_names_of_results_do_not_hide_the_data(tmp_path):
    one = da.simulate(SLEIGH, da.DLA(), **RUN, save={"rows": da.Every(5), "v": Counted()})
    one.save(tmp_path / "x.nc")
    back = da.load(tmp_path / "x.nc")
    assert back.v.shape == (10, 3) and back.saved["v"].tolist() == [46]
    two = da.simulate(SLEIGH, da.DLA(), **RUN, save={"a": da.Every(5), "b": da.At([0.5])})
    with pytest.raises(UsageError, match=r"saved\['b'\] has its own rows"):
        two.save(tmp_path / "y.nc")
    with pytest.raises(UsageError, match="not a valid name for a result"):
        da.simulate(SLEIGH, da.DLA(), **RUN, save={"a/b": da.Every(5)})


def test_a_sink_may_be_named_as_the_watch_of_gni_is():
    """Its result was lost: the sink that the library adds for GNI had that name as well."""
    sinks = {"parasitic mode": da.Statistics(lambda q, v: v[0])}
    sleigh = da.systems.ChaplyginSleigh()
    for method in (da.GNI(), da.DLA()):
        run = da.simulate(sleigh, method, h=0.05, steps=4, save=sinks)
        assert run.saved["parasitic mode"].mean.shape == ()


def test_statistics_of_one_run_look_at_every_step():
    assert (
        da.simulate(SLEIGH, da.DLA(), **RUN, save=da.Statistics(turn)).saved["result"].count == 46
    )


def test_sinks_under_jit_are_checked():
    for save, told in (
        (da.Every(2.5), "an integer"),
        (da.Every(0), "at least 1"),
        ({"r": da.Every(5)}, "outside of jit"),
    ):
        with pytest.raises(UsageError, match=told):
            jax.jit(lambda h, s=save: da.simulate(SLEIGH, da.DLA(), h=h, steps=20, save=s).q)(0.1)
