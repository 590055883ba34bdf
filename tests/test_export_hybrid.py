"""Exported hybrid systems: the jumps and states of native runs, codes, FMUs with events.

The whole zoo is `python -m tests.exports --hybrid`.
"""

from __future__ import annotations

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
        ({"jacobians": True}, "systems of one mode"),
        ({"names": {"aire": "a"}}, "unknown label in names= 'aire'; did you mean air"),
    ):
        with pytest.raises(UsageError, match=match):
            export.c(modes, da.RK4(), tmp_path / "x.c", **options)
    with pytest.raises(UsageError, match="carries more than"):
        export.c(modes, da.GNI(), tmp_path / "x.c")
    for write in (export.c, export.fmu):
        with pytest.raises(UsageError, match="search over sets of contacts"):
            write(registry["stick-slip-belt"](), None)
    with pytest.raises(UsageError, match="mode= is the mode that a hybrid system starts in"):
        export.c(Weight(), da.RK4(), tmp_path / "x.c", mode="air")
    with pytest.raises(UsageError, match="unknown mode 'water'"):
        export.c(
            modes, da.RK4(), tmp_path / "x.c", h=0.1, main=5, mode="water", q0=[0, 1], v0=[0, 0]
        )
    assert not (tmp_path / "x.c").exists()


def test_the_log_of_a_hybrid_run_is_that_of_its_arcs(tmp_path):
    run = da.simulate(registry["bouncing-ball"](), da.RK4(), h=0.01, steps=60)
    with pytest.raises(UsageError, match=r"run\.arcs\[0\]\.trajectory"):
        export.csv(run, tmp_path / "run.csv")
    with pytest.warns(UserWarning, match="have no units"):
        export.csv(run.arcs[0].trajectory, tmp_path / "arc.csv")
    assert (tmp_path / "arc.csv").read_text().startswith("t [s],x [m],y [m]")


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
