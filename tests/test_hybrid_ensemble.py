"""Hybrid ensembles in vectors: events, rules, sinks, tolerances, stores, executors, ranks.

Every feature is compared with single runs of the members, whose rules are written in Python.
"""

import concurrent.futures
import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid
from dalembert.hybrid import zoo
from dalembert.results import HybridTrajectory


class Thrown(da.MechanicalSystem):
    """A point mass in a plane, under gravity."""

    g: float = 9.81
    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return self.g * q[1]


def floor(q):
    return q[1]


def right_of_one(t, q, v):
    return q[0] - 1.0


def rising(t, q, v):
    return v[1]


def far(t, q, v):
    return q[0] > 1.2


def height(q, v):
    return q[1]


BALL = hybrid.Modes({"air": Thrown()}, hybrid.bounce("air", floor, restitution=0.95))
N = 11  # no multiple of the width of a vector
Q = np.stack([np.zeros(N), np.linspace(0.5, 2.0, N)], axis=1)
V = np.stack([np.linspace(0.5, 1.0, N), np.zeros(N)], axis=1)
HOW = {"h": 0.05, "steps": 60}
LOOKED = (0, 4, 10)


def many(**options):
    return hybrid.simulate_ensemble(BALL, "air", Q, V, **HOW | options)


def one(i, **options):
    return hybrid.simulate(BALL, "air", Q[i], V[i], **HOW | options)


@pytest.fixture(scope="module")
def whole():
    return many()


def agree(mine, other, atol=1e-11):
    """The same rows, jumps and events in the same order."""
    for key in ("t", "q", "v", "p", "multiplier"):
        for a, b in zip(*(jax.tree.leaves(getattr(x, key)) for x in (mine, other)), strict=True):
            np.testing.assert_allclose(a, b, rtol=atol, atol=atol)
    for key in ("transition", "source", "target", "row"):
        np.testing.assert_array_equal(getattr(mine.jumps, key), getattr(other.jumps, key))
    assert (mine.events is None) == (other.events is None)
    if mine.events is not None:
        assert mine.events.name == other.events.name
        np.testing.assert_array_equal(mine.events.step, other.events.step)
        for key in ("t", "q", "v", "p"):
            leaves = (jax.tree.leaves(getattr(x.events, key)) for x in (mine, other))
            for a, b in zip(*leaves, strict=True):
                np.testing.assert_allclose(a, b, rtol=0, atol=atol)


@pytest.mark.parametrize(
    "options",
    [
        {"events": {"apex": da.Event(rising, -1), "x": right_of_one}},
        {"events": {"apex": da.Event(rising, -1, count=2), "x": right_of_one, "z": right_of_one}},
        {"stop_when": far, "save_every": 7},
        {"save": da.At([0.5, 1.0])},
        {"save": da.Final(), "events": {"apex": da.Event(rising, -1, terminal=True)}},
    ],
    ids=["events", "count", "stop_when", "at", "final"],
)
def test_members_in_vectors_are_single_runs(options):
    found = many(**options)
    assert found.engine == "native"
    for i in LOOKED:
        agree(found[i], one(i, **options))
        if not isinstance(options.get("save"), da.At):  # the end is among the rows
            np.testing.assert_allclose(found.t[i], found[i].t[-1], rtol=0, atol=1e-15)
            np.testing.assert_allclose(found.q[i], found[i].q[-1], rtol=0, atol=1e-15)
    if "events" in options:
        assert len(found.events) == sum(len(x.events) for x in found)
        np.testing.assert_array_equal(np.unique(found.events.member), np.arange(N))


def test_events_are_listed_without_rows_at_jumps():
    found = many(events={"apex": da.Event(rising, -1)}, save=da.Final(), save_jumps=False)
    listed = many(events={"apex": da.Event(rising, -1)})
    np.testing.assert_array_equal(found.events.t, listed.events.t)
    np.testing.assert_array_equal(found.jumps, listed.jumps)
    np.testing.assert_array_equal(found[3].t, [0.0, 3.0])


def test_sinks_see_all_members():
    """Over time, over members, counts: from the rows of the grid, of members that end early too."""
    sinks = {
        "": da.Every(20),
        "each": da.Statistics(height, every=1, over="time"),
        "all": da.Statistics(height, every=5),
        "counts": da.Histogram(height, np.linspace(0.0, 2.0, 9), every=2),
    }

    def heights(run):  # at the steps of the grid
        at = np.rint(run.t / 0.05).astype(int)
        on = np.abs(run.t - 0.05 * at) < 1e-12
        out = np.full(61, np.nan)
        out[at[on]] = run.q[on, 1]
        return out

    for options in ({}, {"stop_when": far}):
        found, rows = many(save=sinks, **options), many(**options)
        z = np.stack([heights(x) for x in rows])
        np.testing.assert_allclose(found.saved["each"].mean, np.nanmean(z, axis=1), rtol=1e-13)
        counted = np.sum(~np.isnan(z[:, ::5]), axis=0)
        np.testing.assert_array_equal(found.saved["all"].count, counted)
        sums = np.nansum(z[:, ::5], axis=0)[counted > 0]
        np.testing.assert_allclose(
            found.saved["all"].mean[counted > 0], sums / counted[counted > 0], rtol=1e-13
        )
        some = z[:, ::2]
        inside = np.histogram(some[~np.isnan(some)], np.linspace(0.0, 2.0, 9))[0]
        np.testing.assert_array_equal(found.saved["counts"].counts, inside)
        alone = hybrid.simulate_ensemble(
            BALL, "air", Q[:3], V[:3], engine="arrays", save=sinks, **HOW | options
        )
        np.testing.assert_allclose(
            alone.saved["each"].mean, found.saved["each"].mean[:3], rtol=1e-12
        )


def test_a_tolerance_holds_for_the_worst_member_and_some_may_fail():
    found = hybrid.simulate_ensemble(BALL, "air", Q, V, t=2.0, tol=1e-8)
    assert found.tol == 1e-8 and found.error_estimate <= 1e-8
    for i in (0, 10):
        exact = hybrid.simulate(BALL, "air", Q[i], V[i], t=2.0, tol=1e-11)
        np.testing.assert_allclose(found.q[i], exact.q[-1], rtol=0, atol=2e-8)
    # member 0 bounces without end: it fails, and the others meet the tolerance all the same
    soft = hybrid.Modes({"air": Thrown()}, hybrid.bounce("air", floor, restitution=0.3))
    q = np.array([[0.0, 0.05], [0.0, 3.0]])
    found = hybrid.simulate_ensemble(soft, "air", q, 0.0 * q, t=1.0, tol=1e-8)
    assert list(found.failed) == [0] and "heap up" in found.failed[0]
    fall = np.sqrt(6.0 / 9.81)
    speed = 0.3 * 9.81 * fall
    left = 1.0 - fall
    np.testing.assert_allclose(
        found.q[1, 1], speed * left - 0.5 * 9.81 * left**2, rtol=0, atol=1e-7
    )


def test_stores_are_resumed_with_the_same_bits(tmp_path, whole):
    store = tmp_path / "many"
    many(steps=33, store=store)
    with pytest.raises(da.UsageError, match="exists already"):
        many(steps=33, store=store)
    found = hybrid.resume_ensemble(store, BALL, steps=60)
    again = hybrid.resume_ensemble(store, BALL)  # nothing is left to do
    for x in (found, again):
        np.testing.assert_array_equal(x.q, whole.q)
        np.testing.assert_array_equal(x.jumps, whole.jumps)
        for i in LOOKED:
            agree(x[i], whole[i], 0.0)
    # a block that is missing is computed again
    (store / "000000.npz").unlink()
    np.testing.assert_array_equal(hybrid.resume_ensemble(store, BALL).q, whole.q)
    file = store / "000000.npz"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(da.DamagedError):
        hybrid.resume_ensemble(store, BALL)
    file.unlink()
    study = json.loads((store / "hybrid.json").read_text())
    (store / "hybrid.json").write_text(json.dumps(study | {"h": 0.06}))
    with pytest.raises(da.DamagedError, match=r"hybrid\.json"):
        hybrid.resume_ensemble(store, BALL)
    with pytest.raises(da.UsageError, match="holds no hybrid ensemble"):
        hybrid.resume_ensemble(tmp_path, BALL)


def test_stores_hold_events(tmp_path):
    """Members that an event has ended remain ended; the others go on, with the same bits."""
    events = {"apex": da.Event(rising, -1), "x": da.Event(right_of_one, terminal=True)}
    found = many(events=events)
    store = tmp_path / "many"
    half = many(steps=33, store=store, events=events)
    assert 0 < np.sum(half.t < 33 * 0.05 - 1e-9) < N
    for resumed in (
        hybrid.resume_ensemble(store, BALL, steps=60, events=events),
        hybrid.resume_ensemble(store, BALL, events=events),  # nothing is left to do
    ):
        for key in ("t", "q", "v", "jumps"):
            np.testing.assert_array_equal(getattr(resumed, key), getattr(found, key))
        for key in ("which", "member", "step", "t", "q", "v"):
            both = (getattr(x.events, key) for x in (resumed, found))
            np.testing.assert_array_equal(*both)
        for i in LOOKED:
            agree(resumed[i], found[i], 0.0)
    with pytest.raises(da.UsageError, match="with the events apex, x"):
        hybrid.resume_ensemble(store, BALL)
    with pytest.raises(da.UsageError, match="'x' has changed"):
        hybrid.resume_ensemble(store, BALL, events=events | {"x": da.Event(right_of_one)})
    with pytest.raises(da.UsageError, match="could not continue the sinks 's'"):
        many(store=tmp_path / "s", save={"": da.Every(1), "s": da.Statistics(height)})


def test_members_one_by_one_are_resumed_with_events(tmp_path):
    events = {"x": da.Event(right_of_one, terminal=True)}
    how = {"method": da.Taylor(), "h": 0.05, "events": events}
    hybrid.simulate_ensemble(BALL, "air", Q[:2], V[:2], steps=33, store=tmp_path / "s", **how)
    resumed = hybrid.resume_ensemble(tmp_path / "s", BALL, steps=60, events=events)
    found = hybrid.simulate_ensemble(BALL, "air", Q[:2], V[:2], steps=60, **how)
    for i in (0, 1):
        agree(resumed[i], found[i], 1e-14)
    np.testing.assert_allclose(resumed.events.t, found.events.t, rtol=0, atol=1e-14)


@pytest.mark.parametrize("method", [da.RK4(), da.Taylor()], ids=["rk4", "taylor"])
def test_runs_with_events_are_resumed(tmp_path, method):
    events = {"apex": da.Event(rising, -1, count=3), "x": right_of_one}
    found, half = one(4, events=events, method=method), {"steps": 23, "events": events}
    assert found.final.t < 60 * 0.05 - 1e-6 and list(found.events["apex"].member) == [0, 0, 0]
    store = tmp_path / "one.zarr"
    one(4, store=store, method=method, **half)
    with pytest.raises(da.UsageError, match="has the transitions"):
        hybrid.resume(store, BALL, steps=60)
    again = {**events, "apex": da.Event(rising, -1)}
    with pytest.raises(da.UsageError, match="would have ended the run earlier or later"):
        hybrid.resume(store, BALL, steps=60, events=again)
    for _ in range(2):  # the second time an event has ended it
        resumed = hybrid.resume(store, BALL, steps=60, events=events)
        # the arcs of Taylor's method are cut at the end that is planned
        off = 1e-14 if isinstance(method, da.Taylor) else 0.0
        agree(resumed, found, off)
        agree(HybridTrajectory.load(store), found, off)


def test_stores_over_parameters_and_times(tmp_path):
    """Members with their own gravity, kicked at times before and after the interruption."""
    kicks = hybrid.kick("air", lambda t, q, v: jnp.array([0.1, 0.0]), at=(0.4, 1.9))
    bounce = hybrid.bounce("air", floor, restitution=0.95)
    modes = hybrid.Modes({"air": Thrown()}, [bounce, kicks], start=("air", Q[3], V[3]))
    over = da.grid(g=[5.0, 9.81, 12.0])
    whole = hybrid.simulate_ensemble(modes, over=over, **HOW)
    hybrid.simulate_ensemble(modes, over=over, store=tmp_path / "m", h=0.05, steps=25)
    with pytest.raises(da.UsageError, match="already, more"):
        hybrid.resume_ensemble(tmp_path / "m", modes, steps=10)
    found = hybrid.resume_ensemble(tmp_path / "m", modes, steps=60)
    assert all(np.sum(x.jumps.transition == 1) == 2 for x in whole)
    for i in range(3):
        agree(found[i], whole[i], 0.0)
        assert found[i].warnings == whole[i].warnings == ()
    with pytest.raises(da.UsageError, match="the run has the transitions"):
        hybrid.resume_ensemble(tmp_path / "m", hybrid.Modes({"air": Thrown()}, bounce))


def test_executors_give_the_same_bits(tmp_path, monkeypatch, whole):
    monkeypatch.setattr("dalembert.hybrid.member_blocks.block_size", lambda n, on_cpu: 4)
    sinks = {"": da.Every(1), "all": da.Statistics(height, every=5)}
    events = {"apex": da.Event(rising, -1)}
    here = many(save=sinks, events=events)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        there = many(save=sinks, events=events, executor=pool)
        stored = many(executor=pool, store=tmp_path / "m")
    np.testing.assert_array_equal(there.q, here.q)
    np.testing.assert_array_equal(there.events.t, here.events.t)
    np.testing.assert_array_equal(there.events.member, here.events.member)
    np.testing.assert_array_equal(there.saved["all"].mean, here.saved["all"].mean)
    np.testing.assert_array_equal(stored.q, whole.q)
    for i in LOOKED:
        agree(there[i], here[i], 0.0)
        agree(stored[i], whole[i], 0.0)
    with pytest.raises(da.UsageError, match="executor must have"):
        many(executor="two")


def test_processes_give_the_same_bits(monkeypatch):
    """Systems, guards and events travel by pickle; members that fail are named as here."""
    monkeypatch.setattr("dalembert.hybrid.member_blocks.block_size", lambda n, on_cpu: 8)
    modes = zoo.bouncing_ball()
    mode, q, v = modes.start
    q, v = np.repeat(np.asarray(q)[None], 16, axis=0), np.repeat(np.asarray(v)[None], 16, axis=0)
    q[:, 1] *= np.linspace(0.5, 2.0, 16)
    how = {"h": 0.02, "t": 1.0, "events": {"z": rising}}
    here = hybrid.simulate_ensemble(modes, mode, q, v, **how)
    there = hybrid.simulate_ensemble(modes, mode, q, v, executor=1, **how)
    np.testing.assert_array_equal(there.q, here.q)
    np.testing.assert_array_equal(there.jumps, here.jumps)
    np.testing.assert_array_equal(there.events.t, here.events.t)
    assert there.failed == here.failed
    agree(there[9], here[9], 0.0)


class Fading(da.MechanicalSystem):
    """A row that vanishes at x = 1.01; the sign of its factor changes there."""

    at: float = 1.01
    space = da.Euclidean(3)
    mass = np.diag([1.0, 2.0, 0.5])

    def potential(self, q):
        return 0.1 * q[1]

    def constraint(self, q):
        row = jnp.stack([jnp.zeros(()), jnp.cos(q[0]), 1.0 + 0.3 * jnp.sin(q[0])])
        return (q[0] - self.at) * row[None]


@pytest.mark.parametrize("how", [{}, {"save": da.Final(), "save_jumps": False}, {"save_every": 20}])
def test_members_that_step_over_a_singular_point_are_named(how):
    """Those that reach x = 1.01 warn as a single run does, whatever is saved."""
    modes = hybrid.Modes({"row": Fading()}, hybrid.bounce("row", lambda q: 1.5 - q[0]))
    q, v = np.zeros((5, 3)), np.zeros((5, 3))
    v[:, 0] = [1.0, 0.2, 0.9, 0.3, 0.95]
    found = hybrid.simulate_ensemble(modes, "row", q, v, h=0.03, steps=60, **how)
    assert any(
        "members 0, 2, 4 (3 of 5): in mode 'row', near t = 1.01" in x for x in found.warnings
    )
    options = {k: x for k, x in how.items() if k != "save_jumps"}
    for i in (0, 1):
        alone = hybrid.simulate(modes, "row", q[i], v[i], h=0.03, steps=60, **options)
        assert found[i].warnings == alone.warnings
        assert bool(alone.warnings) == (i == 0)
    over = hybrid.simulate_ensemble(
        modes, ["row"] * 3, q[:3], np.repeat(v[:1], 3, axis=0), over=da.grid(at=[1.01, 9.0, 0.5]),
        h=0.03, steps=60, **how,
    )  # fmt: skip
    assert sorted(i for i in range(3) if over[i].warnings) == [0, 2]


def test_a_row_that_is_taken_back_is_not_left_in_the_member():
    """Two zeros of a guard before the last row: native code hands back a row it has made."""
    g = 9.81

    class Up(Thrown):
        pass

    # the highest point passes a bar by little, between two rows
    v0 = 4.0
    top = v0**2 / (2.0 * g)
    modes = hybrid.Modes(
        {"air": Up()},
        hybrid.Transition(
            "air", None, lambda t, q, v: top - 1e-3 - q[1], -1, name="bar",
            jump=lambda t, q, v: jnp.array([v[0], -v[1]]),
        ),
    )  # fmt: skip
    q, v = np.zeros((6, 2)), np.zeros((6, 2))
    v[:, 1] = v0
    q[:, 1] = np.linspace(0.0, 1e-3, 6)
    found = hybrid.simulate_ensemble(modes, "air", q, v, h=0.06, steps=10)
    for i in range(6):
        agree(found[i], hybrid.simulate(modes, "air", q[i], v[i], h=0.06, steps=10))


def test_events_in_modes_with_different_constraints():
    modes = zoo.dropped_ball()
    _, (x, R), v = modes.start
    q = np.repeat(np.asarray(x)[None], 2, axis=0), np.repeat(np.asarray(R)[None], 2, axis=0)
    how = {"method": da.RK4(), "h": 0.02, "t": 3.0, "events": {"tick": _tick}}
    found = hybrid.simulate_ensemble(modes, "air", q, np.repeat(np.asarray(v)[None], 2, 0), **how)
    assert set(found.final_mode) == {"table"}
    alone = hybrid.simulate(modes, **how)
    np.testing.assert_allclose(alone.events.t, np.pi / 6.0 * np.arange(1, 6), atol=1e-12)
    agree(found[1], alone, 1e-10)


def _tick(t, q, v):
    return jnp.sin(6.0 * t)


class Pushed(da.MechanicalSystem):
    """A mass on a line with a constant force."""

    push: float = 1.0
    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return -self.push * q[0]


class Free(da.MechanicalSystem):
    """A free point in a plane."""

    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 0.0 * q[0]


TOP = 4.0**2 / (2.0 * 9.81)  # the highest point of a ball thrown upwards at 4 m/s


def back(t, q, v):
    return jnp.array([v[0], -v[1]])


def hard_cases():
    """Name, modes, mode, q, v, and a word of the failure or the warning; '' for neither."""
    soft = hybrid.Modes({"air": Thrown()}, hybrid.bounce("air", floor, restitution=0.3))
    yield "Zeno", soft, "air", [0.0, 0.1], [0.0, 0.0], "heap up"
    chatter = hybrid.Modes(
        {"left": Pushed(1.0), "right": Pushed(-1.0)},
        [
            hybrid.Transition("left", "right", lambda t, q, v: q[0] + v[0], 1),
            hybrid.Transition("right", "left", lambda t, q, v: q[0] + v[0], -1),
        ],
    )
    # both modes push towards q + v = 0: the motion slides along it
    yield "chattering", chatter, "left", [-0.3], [0.0], "to and fro"
    box = hybrid.Modes(
        {"in": Free()},
        [
            hybrid.bounce("in", lambda q: 1.0 - q[0], name="right"),
            hybrid.bounce("in", lambda q: 1.0 - q[1], name="top"),
        ],
    )
    yield "together", box, "in", [0.1, 0.1], [1.0, 1.0], "vanish at the same instant"
    gates = hybrid.Modes(
        {"in": Free(), "out": Free()},
        [
            hybrid.Transition(
                "in", None, lambda t, q, v: 1.0 - q[0], -1, name="gate",
                jump=lambda t, q, v: (jnp.array([0.0, 2.0]), v),
            ),
            hybrid.Transition("in", "out", lambda t, q, v: 2.0 - q[1], -1, name="roof"),
        ],
    )  # fmt: skip
    yield "jump onto another guard", gates, "in", [0.0, 0.1], [1.0, 0.3], ""
    yield "a start at zero", BALL, "air", [0.0, 0.0], [0.0, 3.0], ""
    bar = hybrid.Transition("air", None, lambda t, q, v: TOP - q[1], -1, jump=back, name="bar")
    bars = hybrid.Modes({"air": Thrown()}, bar)
    yield "grazing", bars, "air", [0.0, 0.0], [0.0, 4.0], "turns back"


@pytest.mark.parametrize("case", list(hard_cases()), ids=lambda x: x[0])
def test_hard_cases_are_those_of_single_runs(case):
    """Members in vectors jump, warn and fail as a run of their own does, in the same words."""
    _, modes, mode, q, v, word = case
    how = {"h": 0.05, "steps": 30}
    try:
        alone, why = hybrid.simulate(modes, mode, q, v, **how), ""
    except da.SimulationError as error:
        alone, why = error.trajectory, str(error)
    near = np.stack([q, np.add(q, 0.0), q]), np.stack([v, np.multiply(v, 0.97), v])
    many = hybrid.simulate_ensemble(modes, mode, *near, **how)
    said = why + " ".join(alone.warnings)
    assert word in said and bool(said) == bool(word)
    for i in (0, 2):
        assert (i in many.failed) == bool(why)
        assert many[i].warnings == alone.warnings
        if not why:
            agree(many[i], alone)
        else:
            np.testing.assert_allclose(many.t[i], alone.t[-1], atol=1e-9)
            assert word in many.failed[i]
    if alone.warnings:
        assert any(word in x for x in many.warnings)


def test_the_ensemble_of_the_top_runs_hybrid_systems():
    modes = zoo.registry["bouncing-ball"]()
    mode, *start = modes.started(None, None, None, 0.0)
    q, v = (np.stack([np.asarray(x), 1.1 * np.asarray(x)]) for x in start)
    one = da.simulate_ensemble(modes, q, v, mode=mode, h=0.02, t=1.0)
    other = hybrid.simulate_ensemble(modes, mode, q, v, h=0.02, t=1.0)
    np.testing.assert_array_equal(one.q, other.q)
    np.testing.assert_array_equal(da.simulate_ensemble(modes, mode, q, v, h=0.02, t=1.0).q, one.q)
    with pytest.raises(da.UsageError, match="take no reduce="):
        da.simulate_ensemble(modes, mode, q, v, h=0.02, t=1.0, reduce={"a": da.Final()})
    with pytest.raises(da.UsageError, match=r"is for hybrid\.Modes"):
        da.simulate_ensemble(da.systems.ChaplyginSleigh(), mode="air", h=0.1, steps=2)
