"""Exported hybrid systems: the jumps and states of native runs, codes, FMUs with events.

The whole zoo is `python -m tests.exports --hybrid`.
"""

from __future__ import annotations

import json

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from c_library import HybridLibrary, compiler, numbers
from dalembert import export, hybrid
from dalembert.errors import UsageError
from dalembert.hybrid.zoo import Weight, WeightOnFloor, registry

pytestmark = pytest.mark.skipif(compiler is None, reason="no compiler of C on this machine")


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    """The bouncing ball by RK4, and its library."""
    modes = registry["bouncing-ball"]()
    files = export.c(modes, da.RK4(), tmp_path_factory.mktemp("c") / "ball.c")
    assert files.prefix == "bouncing_ball" and files.operations["try air"] > 20
    return modes, HybridLibrary(files, "-O1")


def test_jumps_and_states_are_those_of_the_native_run(ball):
    modes, library = ball
    run = da.simulate(modes, da.RK4(), h=0.01, steps=300)
    assert len(run.jumps) == 6
    result, state = library.start("air", *modes.start[1:], h=0.01)
    assert result == 0
    seen = []
    for k in range(1, 301):
        assert library.steps(state, 1, h=0.01) == 0
        at = int(np.flatnonzero(np.abs(np.asarray(run.t) - 0.01 * k) < 1e-12)[-1])
        mine = np.append(run.q[at], run.v[at])
        assert np.max(np.abs(numbers(state) - mine)) < 1e-12 * 5.0, k
        assert library.modes[state.mode] == run.mode_names[at] and state.k == k
        seen += library.jumps(state, len(seen))
    assert [(x[1], x[2]) for x in seen] == [(j.name, j.target) for j in run.jumps]
    # the fall from 1 m: sqrt(2/g)
    assert abs(seen[0][0] - np.sqrt(2.0 / 9.81)) < 1e-14
    assert np.max(np.abs([x[0] - j.t for x, j in zip(seen, run.jumps)])) < 1e-12


def test_a_scheduled_jump_at_a_node_of_the_grid(tmp_path):
    """The step after it starts anew: RK4 leaves the constraint, and each start projects onto it."""
    modes, h, steps = registry["sleigh-on-ice"](), 0.05, 40
    library = HybridLibrary(export.c(modes, da.RK4(), tmp_path / "ice.c", h=h), "-O1")
    _, state = library.start(*modes.start)
    assert library.steps(state, steps) == 0
    assert library.jumps(state) == [(1.0, "put on", "ice")]
    run = da.simulate(modes, da.RK4(), h=h, steps=steps)
    assert np.max(np.abs(numbers(state) - np.append(run.final.q, run.final.v))) < 1e-13


def test_codes_and_the_state_after_a_failure(ball):
    modes, library = ball
    # below the floor, and in a mode that does not exist
    assert library.start("air", [0.0, -0.1], [0.0, 0.0], h=0.01)[0] == library.code("wrong_mode")
    assert library.start(7, [0.0, 1.0], [0.0, 0.0], h=0.01)[0] == library.code("wrong_mode")
    assert library.start("floor", [0.0, 0.0], [1.0, -1.0], h=0.01)[0] == 3  # off the constraint
    result, state = library.start("air", *modes.start[1:], h=0.01)
    assert library.steps(state, 10, h=0.01) == 0
    before = numbers(state)
    library.parameters.air_g = np.nan
    try:
        assert library.steps(state, 1, h=0.01) != 0
    finally:
        library.parameters.air_g = 9.81
    assert np.array_equal(numbers(state), before) and state.k == 10
    # another h goes on from here
    assert library.steps(state, 4, h=0.025) == 0 and abs(state.t - 0.2) < 1e-15 and state.k == 4


class Pushed(Weight):
    """The point with a force upwards."""

    input_names = ("push",)

    def inputs(self, q):
        return jnp.array([[0.0, 1.0]])


class PushedOnFloor(WeightOnFloor):
    """The same on the floor."""

    input_names = ("push",)

    def inputs(self, q):
        return jnp.array([[0.0, 1.0]])


def test_inputs_end_a_mode_and_jumps_are_scheduled(tmp_path):
    floor = hybrid.contact("air", "floor", lambda q: q[1])
    kicked = hybrid.kick("floor", [0.5, 0.0], at=0.055, name="kick it")
    modes = hybrid.Modes({"air": Pushed(), "floor": PushedOnFloor()}, [*floor, kicked])
    library = HybridLibrary(export.c(modes, da.RK4(), tmp_path / "p.c", h=0.01, name="push"), "-O1")
    result, state = library.start("floor", [0.0, 0.0], [1.0, 0.0])
    assert result == 0 and library.steps(state, 10, u=[3.0]) == 0
    # 3 N do not lift 9.81 N; the kick of 0.5 N s is at its time
    assert library.modes[state.mode] == "floor" and state.q[1] == 0.0
    assert abs(state.multiplier[0] - (9.81 - 3.0)) < 1e-12
    assert library.jumps(state) == [(0.055, "kick it", "floor")]
    assert np.allclose(state.v[:], [1.5, 0.0], atol=1e-15)
    assert abs(state.q[0] - (0.1 + 0.5 * 0.045)) < 1e-15
    assert library.steps(state, 10, u=[12.0]) == 0  # it goes up from here
    assert library.modes[state.mode] == "air"
    assert abs(state.q[1] - 0.5 * (12.0 - 9.81) * 0.1**2) < 1e-15
    assert [x[1] for x in library.jumps(state)] == ["kick it", "lift-off"]


class Turning(da.System):
    """q = (x): x'' = 1, so that x = (t - 1)^2/2 - depth."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2 + q[0]


@pytest.mark.parametrize("depth, jumps", [(1e-4, 1), (-1e-4, 0)])
def test_a_guard_that_dips_below_zero_within_a_step_is_found(tmp_path, depth, jumps):
    """The zeros are 0.028 apart, and a step is 0.1: both ends of it are above zero."""
    modes = hybrid.Modes(
        {"a": Turning(), "b": Turning()},
        hybrid.Transition("a", "b", lambda t, q, v: q[0] + 0.0, -1, name="through"),
    )
    library = HybridLibrary(export.c(modes, da.RK4(), tmp_path / "t.c", h=0.1, name="dip"), "-O1")
    _, state = library.start("a", [0.5 * 0.95**2 - depth], [-0.95])  # the turn is at t = 0.95
    assert library.steps(state, 20) == 0
    assert state.jumps == jumps
    if jumps:
        assert abs(state.jump_t[0] - (0.95 - np.sqrt(2 * depth))) < 1e-13


def test_zeno_and_a_jump_that_fails_are_codes(tmp_path):
    ball = hybrid.Modes({"air": Weight()}, hybrid.bounce("air", lambda q: q[1], 0.5))
    library = HybridLibrary(export.c(ball, da.RK4(), tmp_path / "z.c", h=0.01, name="zeno"), "-O1")
    _, state = library.start("air", [0.0, 0.1], [0.0, 0.0])
    while (result := library.steps(state, 1)) == 0:
        assert state.t < 1.0
    # all bounces end at sqrt(2 y/g) (1 + e)/(1 - e)
    assert result == library.code("zeno")
    assert abs(state.t - 3.0 * np.sqrt(0.2 / 9.81)) < 0.02
    lost = hybrid.Transition("air", None, lambda t, q, v: q[1], -1, jump=lambda t, q, v: v * np.nan)
    modes = hybrid.Modes({"air": Weight()}, lost)
    library = HybridLibrary(export.c(modes, da.RK4(), tmp_path / "l.c", h=0.01, name="lost"), "-O1")
    _, state = library.start("air", [0.0, 0.1], [0.0, 0.0])
    assert library.steps(state, 100) == library.code("jump_failed") and state.t == 0.0


def test_what_is_refused_of_hybrid_systems(tmp_path):
    modes = registry["bouncing-ball"]()
    for options, match in (
        ({"single": True}, "located in doubles"),
        ({"jacobians": True}, "is for systems with one mode"),
        ({"names": {"aire": "a"}}, "unknown label in names= 'aire'; did you mean air"),
        ({"mode": "floor"}, "the start of a main: give main=STEPS"),
    ):
        with pytest.raises(UsageError, match=match):
            export.c(modes, da.RK4(), tmp_path / "x.c", **options)
    with pytest.raises(UsageError, match="carries more than"):
        export.c(modes, da.GNI(), tmp_path / "x.c")
    with pytest.raises(UsageError, match="give one method"):
        export.c(registry["stick-slip-belt"](), {"block holds": da.RK4()}, tmp_path / "x.c")
    with pytest.raises(UsageError, match="mode= is the start mode of a hybrid system"):
        export.c(Weight(), da.RK4(), tmp_path / "x.c", mode="air")
    with pytest.raises(UsageError, match="unknown mode 'water'"):
        export.c(
            modes, da.RK4(), tmp_path / "x.c", h=0.1, main=5, mode="water", q0=[0, 1], v0=[0, 0]
        )
    assert not (tmp_path / "x.c").exists()


def bits(modes, mode):
    """The states of the contacts in a mode, as the bits of `contacts` in C."""
    state = hybrid.contact_law.state_named(modes.plan, mode)
    holds = [state.is_on(g) and x for g, x in zip(modes.plan.groups, state.sticks)]
    return sum(int(x) << i for i, x in enumerate((*state.shut, *holds)))


def test_dry_friction_sticks_and_slips_as_in_a_run(tmp_path):
    """The period of the belt is known: it slides for 2 (pi - atan(A w/v))/w, sticks for 2 A/v."""
    modes, w, A = registry["stick-slip-belt"](), np.sqrt(20.0), (0.5 - 0.3) * 10.0 / 20.0
    slides, sticks = 2.0 * (np.pi - np.arctan(A * w / 0.5)) / w, 2.0 * A / 0.5
    for method in (da.Gauss(), da.RK4()):
        place = tmp_path / f"{method.name.replace('-', '_')}.c"
        library = HybridLibrary(export.c(modes, method, place, h=0.01, name="belt"), "-O3")
        result, state = library.start_of_contacts([0.0], [0.5])
        assert result == 0 and state.contacts == 1  # one group, no contact with a gap: it holds
        assert library.steps(state, 400) == 0
        times = [state.jump_t[i] for i in range(state.jumps)]
        # errors of order 4: 3.7e-8 and 2.7e-9 by RK4
        assert abs(times[1] - times[0] - slides) < 1e-7
        assert abs(times[2] - times[1] - sticks) < 1e-8
        run = da.simulate(modes, method, h=0.01, steps=400)
        assert np.max(np.abs(numbers(state) - np.append(run.final.q, run.final.v))) < 1e-12
        np.testing.assert_allclose(times, [j.t for j in run.jumps], atol=1e-12)
        assert state.contacts == bits(modes, run.jumps[-1].target)


def test_a_block_slides_stops_lands_and_bounces(tmp_path):
    floor = hybrid.ContactLaw(
        "block", lambda q: jnp.array([[1.0, 0.0]]), gap=lambda q: q[1], mu=0.3, restitution=0.5
    )
    modes = hybrid.with_friction(Weight(), floor, name="block")
    library = HybridLibrary(export.c(modes, da.RK4(), tmp_path / "b.c", h=0.01), "-O1")
    result, state = library.start_of_contacts([0.0, 0.0], [2.0, 0.0])
    assert result == 0 and state.contacts == 1  # closed, and slides
    assert library.steps(state, 100) == 0
    # it stops after v/(mu g), at v^2/(2 mu g), and rests exactly
    assert abs(state.jump_t[0] - 2.0 / (0.3 * 9.81)) < 1e-13 and state.contacts == 3
    assert abs(state.q[0] - 2.0**2 / (2 * 0.3 * 9.81)) < 1e-13 and list(state.v) == [0.0, 0.0]
    assert library.start_of_contacts([0.0, -0.1], [0.0, 0.0])[0] == library.code("wrong_mode")
    # in a bounce the impulse (1 + e) m v takes mu (1 + e) v of the speed along the floor
    _, state = library.start_of_contacts([0.0, 0.1], [3.0, 0.0])
    assert state.contacts == 0 and library.steps(state, 16) == 0
    fall = np.sqrt(2 * 9.81 * 0.1)
    assert state.jumps == 1 and abs(state.jump_t[0] - fall / 9.81) < 1e-14
    assert abs(state.v[0] - (3.0 - 0.3 * 1.5 * fall)) < 1e-12
    assert abs(state.v[1] - (0.5 * fall - 9.81 * (0.16 - fall / 9.81))) < 1e-12
    assert library.steps(state, 100) == 0
    run = da.simulate(modes, da.RK4(), [0.0, 0.1], [3.0, 0.0], h=0.01, steps=116)
    assert state.jumps == len(run.jumps) > 5 and state.contacts == 3
    assert np.max(np.abs(numbers(state) - np.append(run.final.q, run.final.v))) < 1e-12


class Pushed3(da.System):
    """A point on a floor, pushed by two inputs."""

    space = da.Euclidean(3)
    input_names = ("push_x", "push_y")

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 9.81 * q[2]

    def inputs(self, q):
        return jnp.eye(3)[:2]


def test_inputs_begin_and_end_a_slip_of_two_rows(tmp_path):
    """The input jumps over the cone, turns, and ends: as in a run with the same samples."""
    law = hybrid.ContactLaw("p", lambda q: jnp.eye(3)[:2], gap=lambda q: q[2], mu=0.3)
    modes = hybrid.with_friction(Pushed3(), law, name="pushed")
    h, table = 0.01, {0: (2.0, 1.0), 20: (4.0, 1.0), 40: (2.0, 4.0), 60: (0.0, 0.0)}
    library = HybridLibrary(export.c(modes, da.Gauss(), tmp_path / "p.c", h=h), "-O1")
    _, state = library.start_of_contacts(np.zeros(3), np.zeros(3), u=table[0])
    rows = []
    for k in range(100):
        u = table[max(x for x in table if x <= k)]
        assert library.steps(state, 1, u=u) == 0
        rows.append(numbers(state))

    def pushes(t, q, v):
        return table[max(x for x in table if x <= round(t / h))]

    u = da.Sampled(pushes, every=20 * h)
    run = da.simulate(modes, da.Gauss(), np.zeros(3), np.zeros(3), h=h, steps=100, u=u)
    assert [library.transitions[state.jump_by[i]] for i in range(state.jumps)] == [
        "p slips",
        "p sticks",
    ]
    assert [x.name for x in run.jumps] == ["p slips", "p sticks"]
    for k, mine in enumerate(rows, 1):
        at = int(np.flatnonzero(np.abs(np.asarray(run.t) - h * k) < 1e-9 * h)[-1])
        assert np.max(np.abs(mine - np.append(run.q[at], run.v[at]))) < 1e-9, k
    assert list(state.v) == [0.0] * 3 and state.awake == 0.0


def test_contacts_as_an_fmu(tmp_path):
    fmpy = pytest.importorskip("fmpy")
    from fmpy.validation import validate_fmu

    modes = registry["stick-slip-belt"]()
    file = export.fmu(modes, da.RK4(), tmp_path / "belt.fmu", 0.01)
    assert validate_fmu(str(file.path)) == []
    run = fmpy.simulate_fmu(
        str(file.path), fmi_type="CoSimulation", stop_time=2.0, output_interval=0.01,
        output=["x", "x_dot", "contacts", "jumps"],
    )  # fmt: skip
    mine = da.simulate(modes, da.RK4(), h=0.01, steps=200)
    assert run[0]["contacts"] == 1 and run[-1]["jumps"] == len(mine.jumps) > 1
    off = [run[-1]["x"] - mine.final.q[0], run[-1]["x_dot"] - mine.final.v[0]]
    assert np.max(np.abs(off)) < 1e-12
    with pytest.raises(Exception, match=r"ModelExchange|not supported"):
        fmpy.simulate_fmu(str(file.path), fmi_type="ModelExchange", stop_time=1.0)


def test_the_log_of_a_hybrid_run_is_that_of_its_arcs(tmp_path):
    run = da.simulate(registry["bouncing-ball"](), da.RK4(), h=0.01, steps=60)
    with pytest.raises(UsageError, match=r"run\.arcs\[0\]\.trajectory"):
        export.csv(run, tmp_path / "run.csv")
    with pytest.warns(UserWarning, match="are written without units"):
        export.csv(run.arcs[0].trajectory, tmp_path / "arc.csv")
    assert (tmp_path / "arc.csv").read_text().startswith("t [s],x [m],y [m]")


def test_the_mcap_of_a_hybrid_run_has_every_row_and_its_modes(tmp_path):
    pytest.importorskip("mcap")
    from mcap.reader import make_reader

    modes = registry["bouncing-ball"]()
    run = da.simulate(modes, da.RK4(), h=0.01, steps=60)
    assert export.mcap(run, tmp_path / "run.mcap", modes) == 5 * len(run)
    found = {}
    with (tmp_path / "run.mcap").open("rb") as file:
        for _, channel, message in make_reader(file).iter_messages():
            row = (message.log_time, json.loads(message.data))
            found.setdefault(channel.topic, []).append(row)
    assert set(found) == {"/tf", "/joint_states", "/reactions", "/energy", "/mode"}
    for rows in found.values():
        assert [t for t, _ in rows] == np.round(run.t * 1e9).astype(int).tolist()
    assert [x["mode"] for _, x in found["/mode"]] == list(run.mode_names)
    assert np.array_equal([x["velocity"] for _, x in found["/joint_states"]], run.v)
    with pytest.raises(UsageError, match="its system is needed"):
        export.mcap(run, tmp_path / "x.mcap")
    with pytest.raises(UsageError, match="Modes belong to a hybrid run"):
        export.mcap(run.arcs[0].trajectory, tmp_path / "x.mcap", modes)


def test_an_fmu_with_events(tmp_path):
    fmpy = pytest.importorskip("fmpy")
    from fmpy.validation import validate_fmu

    modes, h, steps = registry["bouncing-ball"](), 0.01, 150
    file = export.fmu(modes, da.RK4(), tmp_path / "ball.fmu", h)
    assert validate_fmu(str(file.path)) == []
    final = da.simulate(modes, da.RK4(), h=h, steps=steps).final
    names = ("x", "y", "x_dot", "y_dot")
    for kind, bound in (("CoSimulation", 1e-12), ("ModelExchange", 1e-9)):
        run = fmpy.simulate_fmu(
            str(file.path), fmi_type=kind, stop_time=h * steps, output_interval=h,
            output=[*names, "mode", "jumps"], relative_tolerance=1e-12,
        )  # fmt: skip
        assert run[-1]["jumps"] == 2 and run[-1]["mode"] == 0
        mine = np.append(final.q, final.v)
        assert np.max(np.abs([run[-1][x] for x in names] - mine)) < bound
