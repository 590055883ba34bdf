"""Hybrid runs: modes, guards, jumps, against closed forms and an independent event solution."""

import dataclasses
import functools
import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert import hybrid
from dalembert.cli import main as cli
from dalembert.hybrid.zoo import Weight as Ball
from dalembert.hybrid.zoo import WeightOnFloor as OnFloor
from dalembert.hybrid.zoo import registry as hybrid_zoo

G = 9.81


class Particle(da.MechanicalSystem):
    """A particle with z' = y x' in a quartic potential."""

    mass = jnp.eye(3)
    space = da.Euclidean(3)

    def potential(self, q):
        return 0.5 * (q[0] ** 2 + q[2] ** 2) + 0.25 * q[1] ** 4

    def constraint(self, q):
        return jnp.array([[-q[1], 0.0, 1.0]])


class Sleigh(da.System):
    """A body on a knife edge, or off it."""

    edge: bool = True
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * (v[0] ** 2 + v[1] ** 2) + 0.25 * v[2] ** 2

    def constraint(self, q):
        row = jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])
        return row if self.edge else row[:0]


WALL, E = 0.45, 0.9
PARTICLE = (jnp.array([0.1, 0.3, -0.2]), jnp.array([1.3, 0.5, 0.39]))
WALLS = hybrid.Modes(
    {"inside": Particle()}, hybrid.bounce("inside", lambda q: WALL**2 - q[0] ** 2, E)
)


def _particle_by_scipy(t_end):
    """The same by an adaptive method with events; forces and jumps written by hand."""

    def rate(t, s):
        (x, y, z), (vx, vy, _) = s[:3], s[3:]
        f = np.array([-x, -(y**3), -z])
        mu = np.array([-y, 0.0, 1.0])
        lam = -(mu @ f - vy * vx) / (mu @ mu)  # d/dt (z' - y x') = 0
        return np.concatenate([s[3:], f + lam * mu])

    def wall(t, s):
        return WALL**2 - s[0] ** 2

    wall.terminal, wall.direction = True, -1
    t, s, times = 0.0, np.concatenate([np.asarray(x) for x in PARTICLE]), []
    while t < t_end:
        found = solve_ivp(rate, (t, t_end), s, method="DOP853", rtol=1e-13, atol=1e-14, events=wall)
        t, s = found.t[-1], found.y[:, -1]
        if found.status == 1:
            times.append(t)
            y = s[1]
            # n = dx in the plane of admissible velocities (1, 0, y) and (0, 1, 0)
            s[3:] -= (1 + E) * s[3] * np.array([1.0, 0.0, y])
            s[0] = np.sign(s[0]) * WALL
    return np.array(times), s


T_END = 2.4


@pytest.fixture(scope="module")
def by_scipy():
    return _particle_by_scipy(T_END)


METHODS = [
    (2, da.DLA(), (24, 48)),
    (2, da.GNI(), (48, 96)),
    (4, da.Gauss(2), (24, 48)),
    (4, da.RK4(), (24, 48)),
    (8, da.Composition(da.Leapfrog(), order=8), (8, 16)),
]


@pytest.mark.parametrize("order, method, counts", METHODS, ids=lambda x: getattr(x, "name", None))
def test_order_through_three_bounces(order, method, counts, by_scipy):
    times, s = by_scipy
    errors = []
    for n in counts:
        run = hybrid.simulate(WALLS, "inside", *PARTICLE, method=method, h=T_END / n, steps=n)
        assert len(run.jumps) == len(times) == 3
        end = np.concatenate([run.q[-1], run.v[-1]])
        errors.append((np.max(np.abs(end - s)), np.max(np.abs(run.jumps.t - times))))
    assert np.log2(errors[0][0] / errors[1][0]) == pytest.approx(order, abs=0.25)
    assert np.log2(errors[0][1] / errors[1][1]) == pytest.approx(order, abs=0.25)
    if order == 8:
        assert errors[1][0] < 1e-9


def test_a_jump_that_is_not_at_the_zero_spoils_the_order(by_scipy):
    """Jumps at rows, without a shortened step, are of order 1: the order test would notice."""
    t_end, (_, s) = T_END, by_scipy
    errors = []
    for n in (48, 96):
        modes = hybrid.Modes(
            {"inside": Particle()},
            dataclasses.replace(WALLS.transitions[0], guard=lambda t, q, v: q[0] * 0 + 1.0),
        )
        q, v = (np.asarray(x) for x in PARTICLE)
        for _ in range(n):  # each step a run of its own, its end looked at
            run = hybrid.simulate(modes, "inside", q, v, h=t_end / n, steps=1, method=da.Gauss(2))
            q, v = run.q[-1], run.v[-1]
            if q[0] ** 2 > WALL**2 and q[0] * v[0] > 0:
                v = v - (1 + E) * v[0] * np.array([1.0, 0.0, q[1]])
        errors.append(np.max(np.abs(np.concatenate([q, v]) - s)))
    assert errors[1] > 1e-4


# -- closed forms --------------------------------------------------------------------------------


def test_lift_off_from_a_hill():
    """A point slides from the top of a circle and leaves it where cos(angle) = 2/3 + v^2/(3 g)."""
    run = hybrid.simulate(hybrid_zoo["hill"](), h=0.01, t=1.0)
    assert [(x.name, x.source, x.target) for x in run.jumps] == [("lift-off", "hill", "air")]
    jump = run.jumps[0]
    assert jump.q[1] == pytest.approx(2 / 3 + 0.16 / (3 * G), abs=2e-8)
    assert jump.energy_lost == pytest.approx(0.0, abs=1e-14)
    np.testing.assert_array_equal(jump.v_before, jump.v_after)
    dt = run.t[-1] - jump.t  # then it falls freely
    fall = jump.q + dt * jump.v_after - np.array([0.0, 0.5 * G * dt**2])
    np.testing.assert_allclose(run.q[-1], fall, atol=1e-13)
    # rows of the air have no multiplier: NaN in the column of the other mode
    np.testing.assert_array_equal(np.isnan(run.multiplier[:, 0]), run.mode == 1)
    assert np.all(run.multiplier[run.mode == 0, 0] > -1e-9)


def test_landing_without_restitution_and_sliding_on():
    modes = hybrid.Modes(
        {"air": Ball(), "floor": OnFloor()}, hybrid.contact("air", "floor", lambda q: q[1])
    )
    run = hybrid.simulate(modes, "air", [0.0, 1.0], [1.0, 0.0], h=0.01, t=1.0)
    (jump,) = run.jumps
    fall = np.sqrt(2 / G)
    assert jump.t == pytest.approx(fall, abs=1e-14)
    np.testing.assert_allclose(jump.impulse, [0.0, G * fall], atol=1e-12)
    assert jump.energy_lost == pytest.approx(G, abs=1e-12)  # all of the fall: Carnot
    np.testing.assert_allclose(run.q[-1], [1.0, 0.0], atol=1e-13)
    np.testing.assert_allclose(run.t[run.mode == 1][1:], 0.01 * np.arange(46, 101), atol=1e-15)
    E = hybrid.energy(modes, run)
    assert E[0] - E[-1] == pytest.approx(G, abs=1e-12)


def test_a_sleigh_is_put_on_the_ice_and_taken_off():
    """At given times: the edge takes the sideways velocity, and gives nothing back."""
    free, ice = Sleigh(edge=False), Sleigh()
    modes = hybrid.Modes(
        {"free": free, "ice": ice},
        [
            hybrid.Transition("free", "ice", at=(0.5,), name="on"),
            hybrid.Transition("ice", "free", at=(1.25,), name="off"),
        ],
    )
    v0 = np.array([1.0, 0.5, 0.8])
    run = hybrid.simulate(modes, "free", jnp.zeros(3), v0, h=0.05, t=2.0, method=da.RK4())
    assert [x.name for x in run.jumps] == ["on", "off"]
    shown = repr(run.jumps).splitlines()
    assert shown[0] == "<2 jumps>" and len(shown) == 3
    assert " on: " in shown[1] and " -> " in shown[1] and "energy lost" in shown[1]
    np.testing.assert_array_equal(run.jumps.t, [0.5, 1.25])
    along = np.array([np.cos(0.4), np.sin(0.4)])
    speed = v0[:2] @ along
    np.testing.assert_allclose(run.jumps[0].v_after, [*speed * along, 0.8], atol=1e-14)
    # on the ice: constant speed on a circle; the energy lost is that of the sideways velocity
    assert run.jumps[0].energy_lost == pytest.approx(0.5 * (1.25 - speed**2), abs=1e-14)
    off = run.jumps[1]
    np.testing.assert_allclose(
        off.v_before, [speed * np.cos(1.0), speed * np.sin(1.0), 0.8], atol=1e-7
    )
    np.testing.assert_array_equal(off.v_before, off.v_after)
    np.testing.assert_allclose(run.q[-1], off.q + 0.75 * off.v_after, atol=1e-13)


def test_kicks_at_times_and_at_guards_respect_the_constraint():
    modes = hybrid.Modes(
        {"ice": Sleigh()},
        [
            hybrid.kick("ice", [0.0, 1.0, 0.0], at=0.35),
            hybrid.kick("ice", _brake, guard=lambda t, q, v: q[2] - 0.9, name="brake"),
        ],
    )
    start = jnp.zeros(3), [1.0, 0.0, 0.8]
    run = hybrid.simulate(modes, "ice", *start, h=0.1, t=1.5, method=da.RK4())
    kick, brake = run.jumps
    assert (kick.t, kick.name, brake.name) == (0.35, "kick", "brake")
    c, s = np.cos(0.28), np.sin(0.28)
    # only the part of the impulse along the edge moves it
    np.testing.assert_allclose(kick.v_after - kick.v_before, [s * c, s * s, 0.0], atol=1e-13)
    assert brake.q[2] == pytest.approx(0.9, abs=1e-14)
    assert brake.v_after[2] == pytest.approx(0.8 - 0.8 / 0.5, abs=1e-12)  # J = 1/2
    for jump in run.jumps:
        assert (
            abs(np.sin(jump.q[2]) * jump.v_after[0] - np.cos(jump.q[2]) * jump.v_after[1]) < 1e-15
        )


def test_a_method_that_drifts_is_put_back_before_a_jump_of_ones_own():
    """RK4 leaves the constraint by its error; what a jump is given is on it."""
    turn = hybrid.Transition("ice", at=0.5, jump=lambda t, q, v: jnp.array([-v[0], -v[1], v[2]]))
    modes, start = hybrid.Modes({"ice": Sleigh()}, turn), (jnp.zeros(3), [1.0, 0.0, 0.8])
    run = hybrid.simulate(modes, "ice", *start, h=0.1, t=1.0, method=da.RK4())
    assert len(run.jumps) == 1
    off = da.diagnostics.constraint_residual(Sleigh(), run.rows_of("ice"))
    assert 1e-10 < np.max(np.abs(off)) < 1e-6


def _brake(t, q, v):
    return jnp.array([0.0, 0.0, -v[2]])


def test_a_wall_that_moves_does_work():
    """A ball without weight before a wall that comes towards it: v+ = 2 u - v."""
    modes = hybrid.Modes(
        {"air": Ball(g=0.0)}, hybrid.bounce("air", lambda t, q: 1.0 - 0.5 * t - q[0])
    )
    run = hybrid.simulate(modes, "air", [0.0, 0.0], [1.0, 0.2], h=0.1, t=1.0)
    (jump,) = run.jumps
    assert jump.t == pytest.approx(2 / 3, abs=1e-15)
    np.testing.assert_allclose(jump.v_after, [-2.0, 0.2], atol=1e-13)
    assert jump.energy_lost == pytest.approx(-1.5, abs=1e-13)


# -- one instant ---------------------------------------------------------------------------------


def test_bounces_shorter_than_a_step_are_all_found_and_heap_up():
    modes = hybrid.Modes({"air": Ball()}, hybrid.bounce("air", lambda q: q[1], 0.7))
    t1 = np.sqrt(2 / G)
    times = t1 + np.concatenate([[0.0], np.cumsum(2 * t1 * 0.7 ** np.arange(1, 30))])
    with pytest.raises(da.SimulationError, match="Zeno") as caught:
        hybrid.simulate(modes, "air", [0.0, 1.0], [0.0, 0.0], h=0.05, t=3.0, jumps_per_step=10)
    kept = caught.value.trajectory
    assert len(kept.jumps) > 15  # many of them closer than a step
    np.testing.assert_allclose(kept.jumps.t, times[: len(kept.jumps)], atol=1e-12)
    assert np.min(kept.q[:, 1]) > -1e-14
    assert len(kept) == len(kept.mode) > 50


def test_a_mode_of_rest_ends_what_would_heap_up():
    """Below some speed a bounce leads to a mode that holds the contact, until it has to pull."""
    lift = hybrid.kick("floor", [0.0, 2.0], at=3.5, target="air")
    modes = hybrid.Modes(
        {"air": Ball(), "floor": OnFloor()},
        [hybrid.bounce("air", lambda q: q[1], 0.7, rest="floor", slower_than=0.5), lift],
    )
    run = hybrid.simulate(modes, "air", [0.0, 1.0], [0.0, 0.0], h=0.05, t=3.8)
    names = [x.name for x in run.jumps]
    assert names == ["bounce"] * 7 + ["touch", "kick"]  # 4.43 * 0.7^k falls below 0.5 at k = 7
    assert run.jumps[7].v_before[1] == pytest.approx(-np.sqrt(2 * G) * 0.7**7, abs=1e-12)
    assert np.max(np.abs(run.q[run.mode == 1, 1])) < 1e-12
    assert run.v[-1, 1] == pytest.approx(2.0 - 0.3 * G, abs=1e-12)
    assert run.warnings == ()


def test_conditions():
    guard = lambda t, q, v: q[1] - 0.5
    passed = hybrid.Transition("air", guard=guard, jump=lambda t, q, v: -v, when=_never, name="no")
    run = hybrid.simulate(_ball(passed), "air", *START, h=0.1, t=0.5)
    assert len(run.jumps) == 0 and run.q[-1, 1] == pytest.approx(1 - G / 8, abs=1e-13)
    told, _ = _failing(dataclasses.replace(passed, direction=-1))
    assert "`when` does not hold" in told


def _never(t, q, v):
    return q[0] < -1.0


def test_guards_that_vanish_together_are_taken_in_their_order():
    gaps = lambda q: q[0], lambda q: q[1]
    two = [hybrid.bounce("air", g, 0.5, name=n)[0] for g, n in zip(gaps, ("left", "floor"))]
    for order, names in ((two, ["left", "floor"]), (two[::-1], ["floor", "left"])):
        modes = hybrid.Modes({"air": Ball(g=0.0)}, order)
        run = hybrid.simulate(modes, "air", [1.0, 1.0], [-1.0, -1.0], h=0.3, t=1.5)
        assert [x.name for x in run.jumps] == names
        np.testing.assert_allclose(run.jumps.t, [1.0, 1.0], atol=1e-15)
        np.testing.assert_allclose(run.q[-1], [0.25, 0.25], atol=1e-13)
        assert [x for x in run.warnings if "same instant" in x and names[0] in x]


def test_a_billiard_in_a_box_with_steps_that_cross_it_several_times():
    """Unfolded, the motion is straight: every wall is found, however many lie within a step."""
    gaps = lambda q: q[0], lambda q: 1 - q[0], lambda q: q[1], lambda q: 1 - q[1]
    modes = hybrid.Modes({"in": Ball(g=0.0)}, [hybrid.bounce("in", g) for g in gaps])
    q0, v0 = np.array([0.3, 0.6]), np.array([3.13, -1.7])
    run = hybrid.simulate(modes, "in", q0, v0, h=0.9, steps=30)
    x = np.mod(q0 + run.t[:, None] * v0, 2.0)
    np.testing.assert_allclose(run.q, np.where(x > 1.0, 2.0 - x, x), atol=1e-12)
    crossed = np.abs(np.floor(q0 + 27.0 * v0) - np.floor(q0))
    assert len(run.jumps) == crossed.sum() > 100


def test_two_zeros_within_one_step_are_found():
    """The wall is passed and left again between two rows: by the least value in between."""
    modes = hybrid.Modes({"air": Ball()}, hybrid.bounce("air", lambda q: 0.1275 - q[1], 1.0))
    run = hybrid.simulate(modes, "air", [0.0, 0.0], [1.0, 0.5 * G * 0.325], h=0.05, t=0.3)
    peak = 0.5 * (0.5 * G * 0.325) ** 2 / G
    assert peak > 0.1275 > np.max(run.q[:, 1]) - 1e-14
    assert len(run.jumps) == 1
    v = 0.5 * G * 0.325
    assert run.jumps.t[0] == pytest.approx((v - np.sqrt(v * v - 2 * G * 0.1275)) / G, abs=1e-13)


# -- results -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def walls_run():
    return hybrid.simulate(WALLS, "inside", *PARTICLE, h=0.05, t=2.4)


@pytest.mark.parametrize("suffix", ["zarr", "nc"])
def test_files_hold_everything(tmp_path, walls_run, suffix):
    walls_run.save(tmp_path / f"run.{suffix}")
    again = da.load(tmp_path / f"run.{suffix}")
    assert isinstance(again, hybrid.HybridTrajectory)
    assert again.equals(walls_run)
    assert [x.name for x in again.jumps] == ["bounce"] * 3
    assert not again.equals(dataclasses.replace(walls_run, mode=walls_run.mode + 1))


def test_csv_has_the_mode(tmp_path, walls_run):
    walls_run.save(tmp_path / "run.csv")
    lines = (tmp_path / "run.csv").read_text().splitlines()
    assert lines[0].endswith(",result,mode")
    assert lines[1].endswith(",0,inside")


def test_arcs_and_points_between_rows(walls_run):
    arcs = walls_run.arcs
    assert sum(len(x.trajectory) for x in arcs) == len(walls_run)
    assert [x.mode for x in arcs] == ["inside"] * 4
    fine = hybrid.simulate(WALLS, "inside", *PARTICLE, h=0.0125, t=2.4)
    times = np.array([0.111, 0.27, 0.29, 1.3, 2.39])
    np.testing.assert_allclose(walls_run.at(times).q, fine.at(times).q, atol=2e-6)
    at = walls_run.jumps.t[0]
    np.testing.assert_allclose(walls_run.at(at).v, walls_run.jumps[0].v_after, atol=1e-12)


def test_resumed_runs_are_the_uninterrupted_one(tmp_path, walls_run):
    for t in (0.25, 2.3):  # before all jumps, and after them
        part = hybrid.simulate(WALLS, "inside", *PARTICLE, h=0.05, t=t)
        part.save(tmp_path / "part.nc")
        whole = hybrid.resume(tmp_path / "part.nc", WALLS, t=2.4)
        assert whole.equals(walls_run)
        assert da.load(tmp_path / "part.nc").equals(walls_run)
    other = hybrid.Modes({"inside": Particle()}, hybrid.bounce("inside", lambda q: q[0] + 9.0))
    with pytest.raises(da.UsageError, match="code of inside has changed"):
        hybrid.resume(part, other, t=2.4)
    with pytest.raises(da.UsageError, match="more than"):
        hybrid.resume(walls_run, WALLS, t=1.0)


def test_an_interrupted_run_goes_on_as_if_it_had_not_been(monkeypatch, walls_run):
    from dalembert.hybrid import hybrid_run

    calls = []

    def interrupted(self):
        calls.append(1)
        if len(calls) == 6:  # between two calls of the loop that is compiled
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(hybrid_run.HybridRun, "_write", interrupted)
        patch.setattr(hybrid_run, "_FEW", 3)
        with pytest.raises(da.SimulationError, match="interrupted") as caught:
            hybrid.simulate(WALLS, "inside", *PARTICLE, h=0.05, t=2.4)
    part = caught.value.trajectory
    assert 0 < len(part.jumps) < 3 and part.t[-1] > part.jumps.t[-1]
    assert hybrid.resume(part, WALLS).equals(walls_run)


def test_a_store_keeps_what_was_computed_until_a_failure(tmp_path):
    modes = hybrid.Modes({"air": Ball()}, hybrid.bounce("air", lambda q: q[1], 0.7))
    options = {"h": 0.05, "t": 3.0, "jumps_per_step": 5, "store": tmp_path / "r.zarr"}
    with pytest.raises(da.SimulationError, match="Zeno") as caught:
        hybrid.simulate(modes, "air", [0.0, 1.0], [0.0, 0.0], **options)
    assert da.load(tmp_path / "r.zarr").equals(caught.value.trajectory)


def test_every_kth_row_and_all_jumps(walls_run):
    few = hybrid.simulate(WALLS, "inside", *PARTICLE, h=0.05, t=2.4, save_every=7)
    np.testing.assert_array_equal(few.jumps.t, walls_run.jumps.t)
    assert len(few) == 2 * 3 + 1 + 48 // 7 + 1
    np.testing.assert_array_equal(few.q[-1], walls_run.q[-1])
    assert [few.t[x.row] for x in few.jumps] == list(few.jumps.t)
    np.testing.assert_array_equal(few.v[few.jumps.row + 1], few.jumps.v_after)


def test_members_have_modes_of_their_own():
    modes = hybrid.Modes(
        {"air": Ball(), "floor": OnFloor()}, hybrid.contact("air", "floor", lambda q: q[1])
    )
    q0 = np.array([[0.0, 1.0], [0.0, 0.0], [0.0, 0.5]])
    v0 = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
    many = hybrid.simulate_ensemble(modes, ["air", "floor", "air"], q0, v0, h=0.01, t=0.4)
    assert many.final_mode == ("air", "floor", "air")
    longer = hybrid.simulate_ensemble(modes, ["air", "floor", "air"], q0, v0, h=0.01, t=0.5)
    np.testing.assert_array_equal(longer.jumps, [1, 0, 1])
    np.testing.assert_array_equal(longer.mode_at([0.0, 0.45])[:, 1], [0, 1, 1])
    one = hybrid.simulate(modes, "air", q0[2], v0[2], h=0.01, t=0.5)
    np.testing.assert_array_equal(one.t, longer[2].t)
    np.testing.assert_array_equal(one.mode, longer[2].mode)
    for mine, its in ((one.q, longer[2].q), (one.v, longer[2].v), (one.p, longer[2].p)):
        np.testing.assert_allclose(mine, its, atol=1e-14)
    np.testing.assert_allclose(one.jumps.impulse, longer[2].jumps.impulse, atol=1e-14)
    with pytest.raises(da.UsageError, match="member 1 of 3"):
        hybrid.simulate_ensemble(
            modes, "floor", q0 * 0 + [[0, 0], [0, 1], [0, 0]], v0 * 0, h=0.01, t=0.4
        )


def test_members_that_fail_do_not_stop_the_others():
    modes = hybrid.Modes({"air": Ball()}, hybrid.bounce("air", lambda q: q[1], 0.5))
    q0, v0 = np.array([[0.0, 1.0], [0.0, 100.0]]), np.zeros((2, 2))
    many = hybrid.simulate_ensemble(modes, "air", q0, v0, h=0.05, t=2.0)
    assert list(many.failed) == [0]
    assert "Zeno" in many.failed[0]
    assert len(many[0].jumps) > 10 and many[1].t[-1] == pytest.approx(2.0)


def test_the_parasitic_mode_is_told_as_in_a_run_of_one_mode():
    sleigh, start = da.systems.ChaplyginSleigh(), (jnp.zeros(3), [1.0, 0.0, 0.8])
    modes = hybrid.Modes({"ice": sleigh}, hybrid.bounce("ice", lambda q: 100.0 - q[0]))
    run = hybrid.simulate(modes, "ice", *start, h=0.05, t=40.0, method=da.GNI())
    (told,) = run.warnings
    assert "in mode 'ice'" in told and "parasitic mode" in told


def test_a_slice_of_jumps(walls_run):
    jumps = walls_run.jumps
    assert len(jumps) > 2 and len(jumps[:2]) == 2
    assert [x.t for x in jumps[1:]] == list(jumps.t[1:]) and len(jumps[5:5]) == 0


def test_a_report_tells_arcs_and_jumps(walls_run):
    told = hybrid.report(WALLS, walls_run)
    assert len(told.arcs) == 4
    values = told.as_dict()
    assert values["energy_lost_in_jumps"] == pytest.approx(
        values["energy_initial"] - values["energy_final"],
        abs=4 * values["energy_error_max"] + 1e-12,
    )
    assert values["energy_error_max"] < 1e-5
    assert [x["from"] for x in values["jumps"]] == ["inside"] * 3
    assert "3 jumps" in str(told)


def test_nothing_is_compiled_for_a_jump(monkeypatch, walls_run):
    made = []

    def counted(self, *args, **options):
        made.append(args)

    monkeypatch.setattr("dalembert.compile.cpu.kernels.Native.__init__", counted)
    other = hybrid.simulate(WALLS, "inside", PARTICLE[0], 1.5 * PARTICLE[1], h=0.03, t=2.4)
    assert len(other.jumps) > 3
    assert made == []


# -- bad input -----------------------------------------------------------------------------------


def _ball(*transitions, **modes):
    return hybrid.Modes({"air": Ball(), **modes}, transitions)


def _floor(t, q, v):
    return q[1]


BAD_DECLARATIONS = [
    (lambda: hybrid.Modes({"a": Ball(), "b": Sleigh()}), "share one space Q.*Euclidean"),
    (lambda: hybrid.Modes({}), "names and systems"),
    (lambda: hybrid.Modes({"a": Ball}), "make one"),
    (lambda: _ball(hybrid.Transition("air", "floor", _floor)), "unknown mode 'floor'"),
    (lambda: _ball(hybrid.Transition("air")), "either a guard or times"),
    (lambda: _ball(hybrid.Transition("air", guard=_floor, at=1.0)), "either a guard or times"),
    (lambda: _ball(hybrid.Transition("air", guard=lambda q: q[1])), "takes .t, q, v."),
    (lambda: _ball(hybrid.Transition("air", guard=lambda t, q, v: q)), "one number"),
    (lambda: _ball(hybrid.Transition("air", guard=_floor, direction=2)), "direction"),
    (lambda: _ball(hybrid.Transition("air", guard=_floor, jump=3)), "a jump is"),
    (lambda: _ball(hybrid.Transition("air", guard=_floor, jump=lambda q: q)), "takes .t, q, v."),
    (lambda: _ball(hybrid.Transition("air", at=1.0, jump=lambda t, q, v: v[:1])), "shapes"),
    (lambda: _ball(hybrid.Transition("air", at=1.0, when=lambda t, q, v: q > 0)), "one bool"),
    (lambda: _ball(hybrid.kick("air", lambda t, q, v: q[0], at=1.0)), "an entry for each"),
    (lambda: _ball(hybrid.kick("air", [1.0], at=1.0)), "an entry for each"),
    (lambda: _ball(hybrid.bounce("air", lambda q: q[1], rest="air")), "needs slower_than"),
    (lambda: _ball(hybrid.bounce("air", lambda q: q[1], 1.5)), "between 0 and 1"),
    (lambda: _ball(hybrid.bounce("air", lambda t, q, v: q[1])), "a gap is"),
    (lambda: _ball(*hybrid.contact("air", "air", lambda q: q[1])), "has 0 constraints"),
    (lambda: _ball("air"), "takes transitions"),
]


@pytest.mark.parametrize("declare, message", BAD_DECLARATIONS)
def test_bad_declarations(declare, message):
    with pytest.raises(da.UsageError, match=message):
        declare()


START = ([0.0, 1.0], [1.0, 0.0])
BAD_RUNS = [
    (("air", *START), {"h": 0.01}, "steps"),
    (("nowhere", *START), {"h": 0.1, "t": 1.0}, "unknown mode"),
    (("air", [0.0, 1.0], None), {"h": 0.1, "t": 1.0}, "all three or none"),
    ((), {"h": 0.1, "t": 1.0}, "name no start"),
    (("air", *START), {"h": 0.1, "t": 1.0, "method": {"earth": da.DLA()}}, "unknown mode 'earth'"),
    (
        ("air", *START),
        {"h": 0.1, "t": 1.0, "method": da.Leapfrog()},
        "mode 'floor': leapfrog keeps",
    ),
    (("air", [0.0, -0.1], [1.0, 0.0]), {"h": 0.1, "t": 1.0}, "wrong mode.*past its zero"),
    (
        ("floor", [0.0, 0.0], [1.0, 0.5]),
        {"h": 0.1, "t": 1.0},
        "mode 'floor'.*not on the constraint",
    ),
]


def test_refusals_inside_of_a_transformation():
    modes = _ball(hybrid.bounce("air", lambda q: q[1]))
    for how, match in (
        ({"save_every": 2}, "save_every needs a run outside of jit"),
        ({"stop_when": lambda t, q, v: q[1] < 0.5}, "stop_when needs a run outside of jit"),
        ({"events": {"low": lambda t, q, v: q[1] - 0.5}}, "takes one event, which ends it"),
    ):
        run = functools.partial(hybrid.simulate, modes, "air", h=0.1, t=1.0, **how)
        with pytest.raises(da.UsageError, match=match):
            jax.jit(run)(*START)
    with pytest.raises(da.UsageError, match="these modes name no start"):
        da.simulate(modes, h=0.1, steps=1)


@pytest.mark.parametrize("given, options, message", BAD_RUNS)
def test_bad_runs(given, options, message):
    modes = _ball(hybrid.bounce("air", lambda q: q[1]), floor=OnFloor())
    with pytest.raises(da.UsageError, match=message):
        hybrid.simulate(modes, *given, **options)


def _failing(*transitions, h=0.1, t=1.0, **modes):
    with pytest.raises(da.SimulationError) as caught:
        hybrid.simulate(_ball(*transitions, **modes), "air", *START, h=h, t=t)
    rows = caught.value.trajectory
    assert len(rows) > 2 and np.all(np.isfinite(rows.q))  # nothing is lost
    return str(caught.value), rows


def test_jumps_that_leave_the_constraint():
    wrong = hybrid.Transition("air", "floor", _floor, -1, jump=lambda t, q, v: v)
    told, rows = _failing(wrong, floor=OnFloor())
    assert "not on the constraint" in told and "mode 'floor'" in told and "'air to floor'" in told
    assert rows.q[-1, 1] == pytest.approx(0.0, abs=1e-14)
    moved = hybrid.Transition("air", "floor", _floor, -1, jump=lambda t, q, v: (q + 0.1, 0 * v))
    assert "not on the holonomic constraint" in _failing(moved, floor=OnFloor())[0]
    nan = hybrid.Transition("air", "air", _floor, -1, jump=lambda t, q, v: v / 0.0)
    assert "gives values that are not finite" in _failing(nan)[0]


def test_guards_that_do_not_change_their_sign():
    flat = hybrid.Transition("air", "air", lambda t, q, v: jnp.maximum(q[1] - 0.5, 0.0))
    told, _ = _failing(flat)
    assert "does not change its sign" in told and "declare a guard" in told
    square = hybrid.Transition("air", "air", lambda t, q, v: (q[1] - 0.5) ** 2, name="square")
    run = hybrid.simulate(_ball(square), "air", *START, h=0.05, t=1.0)
    assert len(run.jumps) == 0
    (told,) = run.warnings
    assert "'square' comes to zero" in told and "turns back" in told
    nan = hybrid.Transition("air", "air", lambda t, q, v: jnp.log(q[1] - 0.5))
    assert "not a number" in _failing(nan)[0]


class Fading(da.System):
    """A row that vanishes at x = 0 and behind it: the rank changes there."""

    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * (v @ v)

    def constraint(self, q):
        x = jnp.maximum(q[0], 0.0)
        return x * jnp.array([[1.0, -1.0]])


class Free(Fading):
    def constraint(self, q):
        return jnp.zeros((0, 2))


def test_a_rank_that_changes_needs_a_mode_of_its_own():
    start = [0.55, 0.0], [-1.0, -1.0]
    alone = hybrid.Modes({"bound": Fading()})
    with pytest.raises(da.SimulationError, match=r"losing rank.*end the mode by a guard") as caught:
        hybrid.simulate(alone, "bound", *start, h=0.1, t=1.0, method=da.RK4())
    assert caught.value.trajectory.q[-1, 0] > 0
    modes = hybrid.Modes(
        {"bound": Fading(), "free": Free()},
        hybrid.Transition("bound", "free", lambda t, q, v: q[0], -1),
    )
    run = hybrid.simulate(modes, "bound", *start, h=0.1, t=1.0, method=da.RK4())
    assert run.jumps.t[0] == pytest.approx(0.55, abs=1e-9)
    np.testing.assert_allclose(run.q[-1], [-0.45, -1.0], atol=1e-9)


def test_a_time_at_which_the_mode_is_another_one_is_told():
    modes = _ball(hybrid.Transition("floor", "air", at=0.2, name="up"), floor=OnFloor())
    run = hybrid.simulate(modes, "air", *START, h=0.1, t=0.4)
    assert run.warnings == ("'up' at t = 0.2 did not happen: the run was in another mode",)


# -- the page that moves and the command line ----------------------------------------------------


def test_a_run_is_shown(walls_run):
    view = da.show(WALLS, walls_run, open=False)
    assert view.scene["runs"][0]["rows"] == len(walls_run) - 3  # at a jump the row after it
    assert "Particle" not in view.scene["title"] and "inside" in view.scene["title"]
    for wrong in (
        lambda: da.show(Particle(), walls_run, open=False),
        lambda: da.plots.overview(Particle(), walls_run),
        lambda: da.diagnostics.report(Particle(), walls_run),
    ):
        with pytest.raises(da.UsageError, match=r"\(modes, run\)"):
            wrong()


def test_the_command(capsys, tmp_path):
    assert cli(["hybrid", "--json"]) == 0
    assert {x["name"] for x in json.loads(capsys.readouterr().out)} == set(hybrid_zoo)
    out, plot = tmp_path / "run.nc", tmp_path / "run.png"
    given = ["hybrid", "hill", "--set", "speed=0.8", "--h", "0.02", "--t", "1.2"]
    assert cli([*given, "--out", str(out), "--plot", str(plot), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [x["name"] for x in told["jumps"]] == ["lift-off", "ground"]
    assert told["mode"] == "air" and told["t"] == pytest.approx(1.2)
    assert told["energy_lost_in_jumps"] == pytest.approx(
        told["energy_initial"] - told["energy_final"], abs=1e-5
    )
    assert len(da.load(out).jumps) == 2
    assert plot.stat().st_size > 10_000
    assert cli(["hybrid", "hill", "--set", "speed=0.8", "--t", "0.4"]) == 0
    assert "0 jumps" in capsys.readouterr().out


def test_look_view_shows_hybrid_files(capsys, tmp_path):
    run, page = str(tmp_path / "ball.nc"), tmp_path / "ball.html"
    assert cli(["hybrid", "bouncing-ball", "--h", "0.02", "--t", "0.6", "--out", run]) == 0
    assert cli(["view", run, "--out", str(page)]) == 0 and "dalembert-scene-1" in page.read_text()
    assert cli(["view", run, run, "--out", str(page)]) == 2
    assert "cannot be shown beside others" in capsys.readouterr().err


def test_the_command_refuses_and_fails_in_words(capsys, tmp_path, walls_run):
    walls_run.save(tmp_path / "run.nc")
    file = tmp_path / "mine.py"
    file.write_text(
        "import dalembert as da\nfrom dalembert.hybrid.zoo import Weight\n"
        "modes = da.hybrid.Modes({'air': Weight()}, da.hybrid.bounce('air', lambda q: q[1], 0.5))\n"
        "other = 3\n"
    )
    for given, code, message in (
        (["hybrid", "hil"], 2, "did you mean hill"),
        (["hybrid", "chaplygin-sleigh"], 2, "dalembert run chaplygin-sleigh"),
        (["run", "hill"], 2, "dalembert hybrid hill"),
        (["hybrid", "hill", "--set", "sped=1"], 2, "speed"),
        (["hybrid", "hill", "--mode", "air"], 2, "give --mode, --q0 and --v0"),
        (["hybrid", f"{file}:modes"], 2, "no start"),
        (["hybrid", f"{file}:other"], 2, "must be dalembert.hybrid.Modes"),
        (["view", str(tmp_path / "run.nc")], 2, "is a hybrid run of inside"),
        (["hybrid", f"{file}:more"], 2, "has no more"),
        (
            ["hybrid", f"{file}:modes", "--mode", "air", "--q0", "0,1", "--v0", "0,0", "--t", "3"],
            1,
            "Zeno",
        ),
    ):
        assert cli(given) == code
        assert message in capsys.readouterr().err
