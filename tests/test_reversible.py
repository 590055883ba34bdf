"""Steps of sizes of their own: reversible, of the base's order, worth it, and kept exactly."""

import json
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.running.api.simulate import there_and_back


class Comet(da.MechanicalSystem):
    """z' = y x'/2 around an attracting center: close passes, where all goes 1000 times as fast."""

    mass = jnp.eye(3)  # type: ignore[assignment]
    space = da.Euclidean(3)

    def potential(self, q):
        return -1.0 / jnp.sqrt(q @ q + 1e-4)

    def constraint(self, q):
        return jnp.stack([-0.5 * q[1], jnp.zeros(()), jnp.ones(())])[None, :]

    def initial(self):
        return jnp.array([1.0, 0.0, 0.0]), jnp.array([0.0, 0.35, 0.0])


class Plain(da.Reversible):
    """The usual control, by the state at the left end alone."""

    def _next(self, last, wanted):
        return wanted


def nearness(q, v):
    return (q @ q + 1e-4) ** -0.75


COMET = Comet()
GAUSS, LEAPFROG = da.Reversible(da.Gauss(2)), da.Reversible(da.Leapfrog(), nearness)


@pytest.fixture(scope="module")
def exact():
    """Until behind two close passes."""
    fine = da.Reference(rtol=1e-13, atol=1e-14)
    return da.simulate(COMET, fine, h=0.05, steps=160).final


def _error(traj, exact):
    return float(np.max(np.abs(np.concatenate([traj.q - exact.q, traj.v - exact.v]))))


def test_there_and_back_and_the_usual_control_is_not():
    q0, v0 = COMET.initial()
    for method in (GAUSS, LEAPFROG):
        q, v = there_and_back(COMET, method, q0, v0, h=0.05, steps=300)
        assert max(np.abs(q - q0).max(), np.abs(v - v0).max()) < 1e-11
    q, v = there_and_back(COMET, Plain(da.Leapfrog(), nearness), q0, v0, h=0.05, steps=300)
    assert np.abs(q - q0).max() > 1e-4


def test_the_order_is_kept_and_steps_are_saved(exact):
    errors, counts = [], []
    for h in (0.08, 0.04, 0.01):
        traj = da.simulate(COMET, GAUSS, h=h, t=8.0)
        errors.append(_error(traj.final, exact))
        counts.append(traj.meta.steps)
        assert traj.t[-1] == 8.0 and traj.t[1] == h and traj.meta.own_steps
        sizes = np.diff(traj.t)[:-1]
        assert sizes.max() / sizes.min() > 15
    assert abs(math.log(errors[1] / errors[2], 4) - 4) < 0.1, errors
    # steps of one size, four times as many: still worse
    fixed = da.simulate(COMET, da.Gauss(2), h=2.0 / counts[-1], steps=4 * counts[-1])
    assert _error(fixed.final, exact) > 2 * errors[-1]


# -- times ---------------------------------------------------------------------------------------


def test_times_are_the_sum_of_the_steps_to_the_last_bit():
    """A sum without what rounding has lost would be off by some 1e-13 here."""
    method = da.Reversible(da.Leapfrog(), nearness)
    carry, _ = method.start(COMET, 3.0, 0.02, *COMET.initial())

    @jax.jit
    def steps(carry):
        def one(carry, _):
            after = method.step(COMET, 0.0, 0.0, carry).carry
            return after, (after.last, after.t)

        return jax.lax.scan(one, carry, length=20_000)[1]

    sizes, times = map(np.asarray, steps(carry))
    whole = math.fsum([3.0, *sizes])
    assert abs(times[-1] - whole) <= np.spacing(whole)
    assert abs(np.cumsum([3.0, *sizes])[-1] - whole) > 5 * np.spacing(whole)


def test_between_rows():
    there = da.simulate(COMET, GAUSS, h=0.04, t=9.0).at(8.0)
    fine = da.simulate(COMET, GAUSS, h=0.04, t=8.0).final
    np.testing.assert_allclose(there.q, fine.q, atol=1e-6)
    np.testing.assert_allclose(there.v, fine.v, atol=1e-6)


def test_engines_and_traced_runs_agree():
    method = da.Reversible(da.Leapfrog())
    runs = [da.simulate(COMET, method, h=0.05, steps=60, engine=x) for x in ("native", "arrays")]
    traced = jax.jit(lambda h: da.simulate(COMET, method, h=h, steps=60))(0.05)
    for other in (runs[1], traced):
        np.testing.assert_allclose(other.t, runs[0].t, rtol=0, atol=1e-11)
        np.testing.assert_allclose(other.q, runs[0].q, rtol=0, atol=1e-10)
    with pytest.raises(da.UsageError, match="give steps, not t"):
        jax.jit(lambda h: da.simulate(COMET, GAUSS, h=0.05, t=1.0).q * h)(0.05)


# -- events, stores, ensembles -------------------------------------------------------------------


def test_events_are_found_in_steps_of_any_size(exact):
    near = da.Event(lambda t, q, v: q @ v, direction=1)
    found = []
    for save in (da.Every(1), da.Every(7)):
        traj = da.simulate(COMET, GAUSS, h=0.02, t=8.0, events={"near": near}, save=save)
        assert len(traj.events) >= 2
        found.append(traj.events.t)
        assert np.all(np.abs([e.q @ e.v for e in traj.events]) < 1e-9)
    np.testing.assert_array_equal(*found)
    section = da.Section(lambda q, v: q @ v, [lambda q, v: q[0]], every=5)
    made = da.simulate(COMET, GAUSS, h=0.02, t=8.0, save=section).saved["result"]
    np.testing.assert_allclose(made.t, found[0], atol=1e-6)
    stop = da.Event(near.g, direction=1, terminal=True)
    ended = da.simulate(COMET, GAUSS, h=0.02, t=8.0, events={"near": stop})
    assert ended.t[-1] == found[0][0]


def test_a_store_goes_on_to_the_same_bits(tmp_path):
    path = tmp_path / "run.zarr"
    whole = da.simulate(COMET, GAUSS, h=0.05, t=8.0)
    da.simulate(COMET, GAUSS, h=0.05, t=8.0, store=path)
    stored = da.load(path)
    np.testing.assert_array_equal(stored.t, whole.t)
    np.testing.assert_array_equal(stored.q, whole.q)
    assert stored.meta.own_steps and stored.meta == whole.meta
    # one that was interrupted after a third
    part = tmp_path / "part.zarr"
    with pytest.raises(da.SimulationError, match="interrupted"):
        _interrupted(part, whole)
    da.resume(part, COMET)
    again = da.load(part)
    np.testing.assert_array_equal(again.t, whole.t)
    np.testing.assert_array_equal(again.v, whole.v)
    whole.save(tmp_path / "run.nc")
    assert da.load(tmp_path / "run.nc").equals(whole)


def _interrupted(path, whole):
    from dalembert.running.programs import fixed_step

    advance, calls = fixed_step.FixedStepProgram.advance, [0]

    def stops(self, budget):
        if self.numbers[-3] == 1:  # not while steps are counted
            calls[0] += 1
            if calls[0] == 2:
                raise KeyboardInterrupt
            budget = len(whole) // 3
        return advance(self, budget)

    fixed_step.FixedStepProgram.advance = stops
    try:
        da.simulate(COMET, GAUSS, h=0.05, t=8.0, store=path)
    finally:
        fixed_step.FixedStepProgram.advance = advance


def test_each_member_of_an_ensemble_has_its_own_times(tmp_path):
    q0, v0 = COMET.initial()
    many_v = jnp.stack([v0, 1.5 * v0, 2.5 * v0])
    for engine in ("native", "arrays"):
        many = da.simulate_ensemble(
            COMET, LEAPFROG, q0, many_v, h=0.05, t=4.0, save_every=1, engine=engine
        )
        assert many.t.shape == many.v.shape[:2] and not many.failed
        np.testing.assert_array_equal(many.ended, 4.0)
        assert len(set(many.steps_done.tolist())) == 3
        for i in range(3):
            one = da.simulate(COMET, LEAPFROG, q0, many_v[i], h=0.05, t=4.0)
            assert many.steps_done[i] == one.meta.steps and len(many[i]) == len(one)
            np.testing.assert_allclose(many[i].t, one.t, rtol=0, atol=1e-9)
            np.testing.assert_allclose(many[i].q, one.q, rtol=0, atol=1e-8)
    many.save(tmp_path / "many.nc")
    again = da.load(tmp_path / "many.nc")
    np.testing.assert_array_equal(again[1].t, many[1].t)
    with pytest.raises(da.UsageError, match="common times"):
        da.simulate_ensemble(
            COMET,
            LEAPFROG,
            q0,
            many_v,
            h=0.05,
            steps=3,
            save=da.Statistics(lambda q, v: q[0], every=1),
        )


# -- systems, and what is refused ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["ball-on-turntable", "planar-body"])
def test_the_default_monitor_on_groups_on_reduced_spaces_and_without_forces(name):
    system = da.systems.registry[name]()
    traj = da.simulate(system, GAUSS, h=0.02, t=1.0, project=True)
    fine = da.simulate(system, da.Reference(rtol=1e-12), h=1.0, steps=1, project=True)
    assert (
        max(
            float(np.max(np.abs(a - b), initial=0.0))
            for a, b in zip(
                jax.tree.leaves((traj.final.q, traj.final.v)),
                jax.tree.leaves((fine.final.q, fine.final.v)),
            )
        )
        < 1e-5
    )
    assert traj.t[-1] == 1.0 and 10 < traj.meta.steps < 500


def test_at_rest_and_at_turning_points():
    """|a|/|v| is infinite there."""
    system = da.systems.ContactOscillator()
    q0, v0 = system.initial()
    traj = da.simulate(system, GAUSS, q0, 0.0 * v0, h=0.1, t=20.0)
    assert np.diff(traj.t)[:-1].min() > 0.01
    fine = da.simulate(system, da.Reference(rtol=1e-12), q0, 0.0 * v0, h=20.0, steps=1).final
    np.testing.assert_allclose(traj.final.q, fine.q, atol=1e-3)


def test_what_is_refused_says_what_to_do():
    for make, told in (
        (lambda: da.Reversible(da.GNI()), "depends on the size of the last step"),
        (lambda: da.Reversible(da.RK4()), "not symmetric"),
        (lambda: da.Reversible(da.Gauss), r"make one: Gauss\(\)"),
        (lambda: da.Reversible(da.Gauss(2), monitor=3), "the monitor must be a function"),
        (lambda: da.Composition(GAUSS, order=4), "cannot be composed"),
    ):
        with pytest.raises(da.UsageError, match=told):
            make()
    with pytest.raises(da.UsageError, match=r"traj\.at"):
        da.simulate(COMET, GAUSS, h=0.05, steps=9, save=da.At([0.1]))
    with pytest.raises(da.UsageError, match="give h, the size of the first step"):
        da.simulate(COMET, GAUSS, t=1.0, tol=1e-6)
    for bad in (jnp.nan, -1.0, 0.0, jnp.inf):
        monitor = lambda q, v, bad=bad: jnp.where(q[0] > 0.5, 1.0, bad)
        with pytest.raises(da.SimulationError, match="monitor of the step sizes") as caught:
            da.simulate(COMET, da.Reversible(da.Leapfrog(), monitor), h=0.02, t=8.0)
        assert len(caught.value.trajectory) > 1


def test_on_the_command_line_and_in_pictures(tmp_path, capsys):
    from dalembert.cli import main

    out = tmp_path / "run.nc"
    given = ["run", "chaplygin-sleigh", "--method", "reversible-gauss-2", "--h", "0.1", "--t", "3"]
    assert main([*given, "--json", "--out", str(out), "--plot", str(tmp_path / "x.png")]) == 0
    told = json.loads(capsys.readouterr().out.strip().splitlines()[-1])
    assert told["t"] == 3.0 and told["h"] == 0.1 and told["own_steps"] is True
    assert told["steps"] == da.load(out).meta.steps and (tmp_path / "x.png").stat().st_size > 1000
