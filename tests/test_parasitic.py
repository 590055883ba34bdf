"""The parasitic mode of GNI: its matrix K, predicted growth, the warning, restarts."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import UsageError, diagnostics, dynamics, groupoids
from dalembert.linalg import solve_spd
from dalembert.reproduce.experiments.parasitic_law import H, _measured, _random, _rates, _volume
from dalembert.system import compiled_call


def by_free_motion(system, q, v, t):
    """K by its definition: the rate of the normal part under the free motion, derived in e."""
    mu = dynamics.linear_constraint(system, q)
    raised = solve_spd(dynamics.metric(system, q), mu.T)

    def rate(e):
        w = v + raised @ e
        a = dynamics.free_acceleration(system, q, w, t)

        def normal_part(s):
            x = groupoids.move(system.groupoid, q, s * w)
            forms = dynamics.linear_constraint(system, x)
            defect = forms @ (w + s * a) - dynamics.linear_offset(system, t + s, x)
            return jnp.linalg.solve(forms @ solve_spd(dynamics.metric(system, x), forms.T), defect)

        return jax.jvp(normal_part, (0.0,), (1.0,))[1]

    return jax.jacfwd(rate)(jnp.zeros(mu.shape[0]))


class Rheonomic(da.System):
    """Affine, time-dependent, curved metric, a force, two constraints."""

    space = da.Euclidean(4)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + 0.2 * q[0] ** 2 * v[1] ** 2 - jnp.cos(q[0]) - 0.3 * q[2] ** 2

    def constraint(self, q):
        o = jnp.zeros(())
        return jnp.stack([jnp.stack([-q[1], o, o + 1, o]), jnp.stack([o, jnp.sin(q[2]), o, o + 2])])

    def offset(self, t, q):
        return jnp.stack([0.3 * jnp.cos(2.0 * t) + 0.1 * q[0], 0.2 * q[1] ** 2])

    def force(self, t, q, v):
        return -0.3 * v + 0.1 * jnp.sin(t)


def test_sleigh():
    sleigh = da.systems.ChaplyginSleigh(m=1.3, J=0.7, a=0.25)
    for seed in range(4):
        q, v = np.random.default_rng(seed).normal(size=(2, 3))
        v = dynamics.consistent_velocity(sleigh, q, v)
        u = np.cos(q[2]) * v[0] + np.sin(q[2]) * v[1]
        K = jit(dynamics.parasitic_matrix)(sleigh, q, v)
        wanted = 1.3 * 0.25 * u / (0.7 + 1.3 * 0.25**2)
        np.testing.assert_allclose(K, [[wanted]], rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    "system",
    [
        Rheonomic(),
        da.systems.Snakeboard(),
        da.systems.ChaplyginBall(),
        da.systems.TwoWheeledRobot(),
    ],
    ids=lambda s: s.name(),
)
def test_matrix_is_the_rate_under_the_free_motion(system):
    if isinstance(system, Rheonomic):
        q = jnp.array([0.4, -0.3, 0.6, 0.2])
        v = dynamics.consistent_velocity(system, q, jnp.array([0.5, 0.9, -0.2, 0.1]), 0.7)
    else:
        q, v = system.initial()
    t = jnp.asarray(0.7)
    found, wanted = jit(
        lambda q, v: (dynamics.parasitic_matrix(system, q, v, t), by_free_motion(system, q, v, t))
    )(q, v)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13)
    assert np.max(np.abs(found)) > 1e-3


def test_without_constraint_there_is_none():
    class Free(da.MechanicalSystem):
        space = da.Euclidean(2)
        mass = jnp.eye(2)

        def potential(self, q):
            return 0.5 * q @ q

    assert dynamics.parasitic_matrix(Free(), jnp.ones(2), jnp.ones(2)).shape == (0, 0)
    run = da.simulate(Free(), da.GNI(), [1.0, 0.0], [0.0, 1.0], h=0.1, steps=5)
    np.testing.assert_array_equal(diagnostics.parasitic_growth(Free(), run), np.ones(6))
    assert diagnostics.parasitic_warning(Free(), run) is None


def test_the_trace_is_minus_the_divergence():
    """On one random system; `reproduce parasitic` has six."""
    case = _random(4, 2, 5)
    trace, divergence = compiled_call(_rates, *case)
    assert abs(float(trace + divergence)) < 1e-12
    assert abs(float(trace)) > 1e-2
    assert abs(float(compiled_call(_volume, *_random(3, 1, 5))) - 1) < 1e-12


# -- growth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cls", "least"),
    [
        (da.systems.ChaplyginSleigh, 2e4),
        (da.systems.Snakeboard, 900.0),
        (da.systems.NonholonomicParticle, 0.0),
        (da.systems.KnifeEdge, 0.0),
    ],
    ids=lambda x: getattr(x, "__name__", None),
)
def test_predicted_growth_is_the_measured_one(cls, least):
    """T = 30, h = 0.02: within 1 % at every row, and the warning where it matters."""
    system, steps = cls(), round(30 / H)
    measured = _measured(system, steps)
    gni = da.simulate(system, da.GNI(), h=H, steps=steps)
    dla = da.simulate(system, da.DLA(), h=H, steps=steps, save_every=5)
    predicted = diagnostics.parasitic_growth(system, dla)
    np.testing.assert_allclose(predicted, measured[::5], rtol=0.01)
    assert predicted[-1] > least
    # a mode that has grown 1e4 times is larger than the error of the method, one of 1e3 nearly
    row = diagnostics.report(system, gni)["parasitic mode, in errors of the method"]
    assert bool(gni.warnings) == (cls is da.systems.ChaplyginSleigh)
    assert (row.measured > 1) == bool(gni.warnings) and row.measured > 0.5 * bool(least)
    if not least:
        assert row.measured < 0.05 and row.verdict == "below the error of the method"
    # other methods have no such mode
    assert dla.warnings == () and diagnostics.parasitic_warning(system, dla) is None


# -- the warning -----------------------------------------------------------------------------------

SLEIGH = da.systems.ChaplyginSleigh()
LONG = {"h": 0.1, "steps": 400}  # lost from t = 34 on; above its own error from t = 26 on


def test_a_run_that_the_mode_spoils_says_so(tmp_path):
    run = da.simulate(SLEIGH, da.GNI(), **LONG)
    (told,) = run.warnings
    assert "parasitic mode of gni-midpoint is larger" in told and "DLA" in told
    since = float(told.partition("t = ")[2].split()[0])
    assert 24 <= since <= 28
    assert told in str(diagnostics.report(SLEIGH, run)).replace("\n", " ")
    assert run[:10].warnings == run.warnings  # a part is part of the same run
    # the same of the rows alone, and nothing of the good part of them
    assert diagnostics.parasitic_warning(SLEIGH, run).partition(" on,")[0][:60] == told[:60]
    assert diagnostics.parasitic_warning(SLEIGH, run[:220]) is None
    for name in ("run.zarr", "run.nc"):
        run.save(tmp_path / name)
        again = da.load(tmp_path / name)
        assert again.warnings == run.warnings and again.equals(run)


def test_a_run_that_bursts_says_so():
    """Its accelerations grow with it: beside (w h)^2 |v| the mode, all of v by then, is small."""
    light = da.systems.ChaplyginSleigh(J=1e-3)
    run = da.simulate(light, da.GNI(), h=0.5, steps=40)
    assert np.abs(run.v).max() > 1e6 and "parasitic mode" in run.warnings[0]


def test_what_is_kept_makes_no_difference():
    """At t = 60 the mode has long decayed again, and the last row alone shows none of it."""
    run = da.simulate(SLEIGH, da.GNI(), h=0.1, steps=600, save=da.Final())
    assert len(run) == 1 and run.saved == {}
    (told,) = run.warnings
    assert "up to 7e+01 times" in told
    assert diagnostics.parasitic_warning(SLEIGH, run) is None
    sparse = da.simulate(SLEIGH, da.GNI(), h=0.1, steps=600, save_every=97)
    assert len(sparse) == 8 and "up to 7e+01 times" in sparse.warnings[0]
    np.testing.assert_array_equal(sparse.q[-1], run.q[-1])


def test_one_size_of_call_in_a_run(monkeypatch):
    """The first row has it compiled: nothing is left for the time of the steps."""
    from dalembert.compile.function import Function

    sizes, rows = [], Function.rows

    def told(self, numbers, block=None):
        sizes.append(block)
        return rows(self, numbers, block)

    monkeypatch.setattr(Function, "rows", told)
    for steps, size in ((40, 64), (20_000, 4096)):
        sizes.clear()
        da.simulate(da.systems.KnifeEdge(), da.GNI(), h=0.01, steps=steps)
        mode = [n for n in sizes if n in (64, 4096)]  # the energies of rows come after the run
        assert len(mode) > 1 and set(mode) == {size}


def test_restarts_and_other_methods_are_silent():
    for method in (da.GNI(restart_every=10), da.DLA(), da.methods.default()):
        assert da.simulate(SLEIGH, method, **LONG, save_every=400).warnings == ()
    # too seldom is as good as never
    assert da.simulate(SLEIGH, da.GNI(restart_every=1000), **LONG, save_every=400).warnings


def test_what_rows_do_not_show_is_told_by_the_law():
    method = da.Composition()  # its multiplier is a mean in which the mode cancels
    assert method.traits.parasitic == "hidden"
    spoiled = da.simulate(SLEIGH, method, **LONG, save_every=400)
    assert "may be larger" in spoiled.warnings[0]
    particle = da.systems.NonholonomicParticle()
    assert da.simulate(particle, method, h=0.05, steps=400, save_every=400).warnings == ()


def test_the_law_of_many_constraints_on_the_way():
    """What the sink follows row by row is what `parasitic_growth` finds of all rows at once."""
    from dalembert.running.record.parasitic_mode import _followed

    board = da.systems.Snakeboard()
    run = da.simulate(board, da.DLA(), h=0.02, steps=500, save_every=5)
    K = diagnostics.parasitic_rates(board, run)
    law, growth, _ = _followed(None, run.t[:40], K[:40, None])
    _, more, _ = _followed(law, run.t[40:], K[40:, None])
    found = np.exp(np.concatenate([growth, more])[:, 0])
    np.testing.assert_allclose(found, diagnostics.parasitic_growth(board, run), rtol=2e-3)
    assert found[-1] > 5


def test_the_commutator_of_a_law_of_two_constraints():
    """Products of exponentials of order 4, for matrices that do not commute."""
    from scipy.integrate import solve_ivp

    from dalembert.diagnostics.parasitic import _growth

    def K(t):
        rows = [[0.3 * np.cos(t), 0.8 * t], [-np.sin(2 * t), 0.1 + 0 * t]]
        return np.moveaxis(np.array(rows), 2, 0)

    def rate(t, x):
        return (K(np.array([t]))[0] @ x.reshape(2, 2)).ravel()

    end = solve_ivp(rate, (0, 2), np.eye(2).ravel(), rtol=1e-11, atol=1e-12).y[:, -1]
    exact = np.linalg.norm(end.reshape(2, 2), 2)
    times = (np.linspace(0.0, 2.0, n + 1) for n in (25, 50))
    errors = [abs(_growth(t, K(t))[-1] - exact) for t in times]
    assert errors[1] < 1e-6 and abs(np.log2(errors[0] / errors[1]) - 4) < 0.2


def test_of_many_the_worst_is_named():
    many = da.simulate_ensemble(
        da.systems.ChaplyginSleigh(a=jnp.linspace(0.0, 0.4, 70)), da.GNI(), **LONG
    )
    (told,) = many.warnings
    member = int(told.partition("member ")[2].partition(",")[0])
    alone = da.simulate(da.systems.ChaplyginSleigh(a=float(many.meta.parameters["a"][member])),
                        da.GNI(), **LONG, save_every=400)  # fmt: skip
    assert told.partition(" on, ")[2][:14] == alone.warnings[0].partition(" on, ")[2][:14]
    assert "of 70 members are so" in told
    assert many[3].warnings == many.warnings
    still = da.systems.ChaplyginSleigh(a=jnp.linspace(0.0, 0.001, 3))
    assert da.simulate_ensemble(still, da.GNI(), **LONG).warnings == ()


def test_a_run_that_goes_on_warns_as_if_it_had_not_stopped(tmp_path, monkeypatch):
    from dalembert.running import single_run

    whole = da.simulate(SLEIGH, da.GNI(), **LONG, store=tmp_path / "whole.zarr")
    calls = []

    def interrupted(self, rows):
        feed(self, rows)
        calls.append(len(rows.k))
        if len(calls) == 2:
            raise KeyboardInterrupt

    feed = single_run.SingleRun.feed
    monkeypatch.setattr(single_run, "_FIRST_STEPS", 380)
    with monkeypatch.context() as patch:
        patch.setattr(single_run.SingleRun, "feed", interrupted)
        with pytest.raises(da.SimulationError, match="interrupted"):
            da.simulate(SLEIGH, da.GNI(), **LONG, store=tmp_path / "part.zarr")
    assert len(da.load(tmp_path / "part.zarr")) == 381
    resumed = da.resume(tmp_path / "part.zarr")
    assert whole.warnings and resumed.warnings == whole.warnings
    assert da.load(tmp_path / "part.zarr").warnings == whole.warnings


def test_the_picture_has_the_line():
    run = da.simulate(SLEIGH, da.GNI(), **LONG, save_every=4)
    text = da.plots.overview(SLEIGH, run).get_supxlabel()
    assert text.startswith("WARNING: the parasitic mode of gni-midpoint is larger")
    assert da.plots.overview(SLEIGH, run[:50]).get_supxlabel() == text
    good = da.simulate(SLEIGH, da.DLA(), h=0.1, steps=5)
    assert da.plots.overview(SLEIGH, good).get_supxlabel() == ""


def test_growth_leaves_the_range_of_numbers_quietly():
    from dalembert.diagnostics.parasitic import _growth

    t = np.linspace(0.0, 1000.0, 101)
    K = np.broadcast_to(np.array([[1.0, 0.3], [0.0, 0.9]]), (101, 2, 2))
    found = _growth(t, K)
    assert found[0] == 1.0 and np.isfinite(found[60]) and np.isinf(found[-1])
    turning = np.array([[0.0, 1.0], [-1.0, 0.0]]) * np.ones((101, 1, 1))
    np.testing.assert_allclose(_growth(t, turning), 1.0, rtol=1e-10)


def test_one_trajectory_linear_constraints():
    run = da.simulate(da.systems.KnifeEdge(), da.RK4(), h=0.01, steps=3)
    with pytest.raises(UsageError, match="nonlinear constraint"):
        diagnostics.parasitic_growth(da.systems.Benenti(), run)


def test_analysis_tells():
    page = da.geometry.analyze(da.systems.ChaplyginSleigh())
    (finding,) = (f for f in page.findings if f.section == "parasitic mode")
    assert finding.verdict == "may grow" and "eigenvalues of K" in finding.evidence


# -- restarts --------------------------------------------------------------------------------------


def test_restarts_stop_the_growth_and_keep_the_order():
    """The sleigh at T = 60, h = 0.1: GNI is lost, restarted every 10 steps it is not."""
    sleigh = da.systems.ChaplyginSleigh()
    exact = sleigh.closed_form(60.0)[1]

    def error(method, n=600):
        end = da.simulate(sleigh, method, h=60.0 / n, steps=n, save_every=n).final
        return float(np.max(np.abs(end.v - exact)))

    restarted = da.GNI(restart_every=10)
    assert restarted.name == "gni-midpoint-restart-10" and not restarted.traits.symmetric
    coarse, fine = error(restarted), error(restarted, 1200)
    assert error(da.GNI()) > 1.0
    assert coarse < 0.05
    assert abs(np.log2(coarse / fine) - 2) < 0.2, (coarse, fine)


def test_a_restart_is_a_start():
    """After k steps the run goes on as one that starts there."""
    sleigh = da.systems.ChaplyginSleigh()
    method = da.GNI(restart_every=3)
    run = da.simulate(sleigh, method, h=0.1, steps=6)
    plain = da.simulate(sleigh, da.GNI(), h=0.1, steps=3)
    again = da.simulate(sleigh, da.GNI(), plain.final.q, plain.final.v, h=0.1, steps=3)
    np.testing.assert_allclose(run.q[:4], plain.q, rtol=0, atol=1e-14)
    np.testing.assert_allclose(run.q[3:], again.q, rtol=0, atol=1e-13)
    straight = da.simulate(sleigh, da.GNI(), h=0.1, steps=6)
    assert np.max(np.abs(run.q[6] - straight.q[6])) > 1e-9


@pytest.mark.parametrize("k", [0, -1, 2.5])
def test_restart_is_a_number_of_steps(k):
    with pytest.raises(UsageError, match="restart_every must be a number of steps"):
        da.GNI(restart_every=k)
