"""Events: located to the order of the method, in single runs, ensembles and files."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.running.programs.fixed_step import FixedStepProgram

SLEIGH = da.systems.ChaplyginSleigh(a=0.3)
START = jnp.zeros(3), jnp.array([-1.0, 0.0, 0.5])
TURN, ANGLE = 4.526208936810245, 1.6095441022055355  # Gauss(6), h = 0.05


def ahead(t, q, v):
    """The speed along the blade: negative at first."""
    return jnp.cos(q[2]) * v[0] + jnp.sin(q[2]) * v[1]


class Fall(da.MechanicalSystem):
    """A point that falls, whose height is known in closed form."""

    g: float = 2.0
    space = da.Euclidean(2)
    mass = jnp.eye(2)

    def potential(self, q):
        return self.g * q[1]


def height(t, q, v):
    return q[1]


def _orders(errors):
    return np.log2(np.abs(errors[:-1]) / np.abs(errors[1:]))


# -- where ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method, order", [(da.Gauss(2), 4), (da.GNI(), 2)], ids=["gauss", "gni"])
def test_an_event_has_the_order_of_the_method_and_a_line_has_not(method, order):
    found, lines = [], []
    events = {"turn": ahead, "angle": lambda t, q, v: q[2] - 1.0}
    for n in (64, 128, 256):
        traj = da.simulate(SLEIGH, method, *START, h=6.4 / n, steps=n, events=events)
        angle, turn = traj.events
        for event in traj.events:
            g = np.asarray(jax.vmap(events[event.name])(traj.t, traj.q, traj.v))
            k = event.step - 1
            assert g[k] < 0 <= g[k + 1] and traj.t[k] < event.t <= traj.t[k + 1]
            assert abs(events[event.name](event.t, event.q, event.v)) < 1e-13
            if event.name == "angle":
                lines.append(traj.t[k] + traj.meta.h * g[k] / (g[k] - g[k + 1]) - ANGLE)
        found.append((angle.t - ANGLE, turn.t - TURN))
    assert np.all(np.abs(_orders(np.array(found)) - order) < 0.2), found
    if order > 2:
        assert np.min(np.abs(lines)) > 100 * np.max(np.abs(found)[:, 0]), (lines, found)


def test_an_event_agrees_with_a_shortened_run():
    traj = da.simulate(
        SLEIGH, da.Gauss(2), *START, h=0.1, steps=64, events={"turn": ahead}, save_every=32
    )
    assert len(traj) == 3  # of which the event lies in none
    (event,) = traj.events
    left = da.simulate(SLEIGH, da.Gauss(2), *START, h=0.1, steps=event.step - 1).final
    there = da.simulate(
        SLEIGH, da.Gauss(2), left.q, left.v, h=event.t - left.t, steps=1, t0=left.t, project=True
    ).final
    np.testing.assert_allclose(event.q, there.q, rtol=0, atol=1e-14)
    np.testing.assert_allclose(event.v, there.v, rtol=0, atol=1e-14)


# -- what counts ---------------------------------------------------------------------------------


def _fall(events, v0=(1.0, 3.0), q0=(0.0, 0.0), **options):
    options = {"h": 0.25, "steps": 40} | options
    return da.simulate(
        Fall(), da.Leapfrog(), jnp.array(q0), jnp.array(v0), events=events, **options
    )


def test_times_of_a_fall():
    traj = _fall(
        {
            "ground": height,  # from zero up: the start is none
            "top": lambda t, q, v: v[1],
            "late": da.Event(lambda t, q, v: t - 2.875, direction=1),
            "never": da.Event(lambda t, q, v: t - 2.875, direction=-1),
        }
    )
    assert [(e.name, round(e.t, 12)) for e in traj.events] == [
        ("top", 1.5),  # at a row
        ("late", 2.875),
        ("ground", 3.0),
    ]
    assert traj.events["ground"].t == pytest.approx([3.0], abs=1e-14)
    assert len(traj.events["never"]) == 0 and len(traj) == 41
    np.testing.assert_allclose(traj.events[-1].q, [3.0, 0.0], atol=1e-13)
    with pytest.raises(KeyError, match="the run has ground, top"):
        traj.events["grund"]


def test_where_it_jumps_or_has_a_pole_it_happens_there():
    """Not where it was nearest to zero before."""
    events = {"jump": lambda t, q, v: jnp.where(t < 1.01, -t - 0.1, 1.0 + t)}
    events["pole"] = lambda t, q, v: 1.0 / (t - 1.53)
    traj = da.simulate(Fall(), da.Gauss(2), [0.0, 5.0], [1.0, 0.0], h=0.1, steps=20, events=events)
    np.testing.assert_allclose([event.t for event in traj.events], [1.01, 1.53], atol=1e-12)


def test_several_events_in_a_step_come_in_their_order():
    two = {"b": lambda t, q, v: t - 1.02, "a": lambda t, q, v: 1.01 - t}
    traj = _fall(two | {"end": da.Event(lambda t, q, v: t - 1.03, terminal=True)})
    assert traj.events.name == ("a", "b", "end") and set(traj.events.step) == {5}
    np.testing.assert_allclose(traj.events.t, [1.01, 1.02, 1.03], atol=1e-14)
    np.testing.assert_allclose(traj.t[-2:], [1.0, 1.03], atol=1e-14)


def test_an_event_ends_a_run_with_a_row_there():
    event = da.Event(height, direction=-1, terminal=True)
    traj = _fall({"ground": event}, v0=(1.0, 2.6), steps=100_000)
    assert traj.t[-1] == pytest.approx(2.6, abs=1e-14) and abs(traj.q[-1, 1]) < 1e-14
    assert traj.meta.steps == 11 and len(traj) == 12 and traj.final.result == 0
    np.testing.assert_allclose(traj.final.p, [1.0, -2.6], atol=1e-13)
    for save, times in (
        (da.Every(4), [0.0, 1.0, 2.0, 2.6]),
        (da.Final(), [2.6]),
        (da.At([1.0, 2.75]), [1.0]),
    ):
        kept = _fall({"ground": event}, v0=(1.0, 2.6), save=save)
        np.testing.assert_allclose(kept.t, times, atol=1e-14)
    third = da.Event(lambda t, q, v: jnp.sin(np.pi * t - 0.1), count=3)
    assert _fall({"third": third}).t[-1] == pytest.approx(2 + 0.1 / np.pi)
    assert len(_fall({"third": third}).events) == 3


def test_what_comes_after_the_end_does_not_matter():
    class Edge(Fall):
        def potential(self, q):
            return 2.0 * jnp.sqrt(1.0 - q[0]) + 2.0 * q[1]  # NaN beyond

    stop = da.Event(lambda t, q, v: 0.9 - q[0], terminal=True)
    log = da.Event(lambda t, q, v: jnp.log(1.0 - q[0]) + 10.0)
    start = jnp.zeros(2), jnp.array([1.0, 0.0])
    run = {"h": 0.05, "steps": 400}
    traj = da.simulate(Edge(), da.Leapfrog(), *start, **run, events={"stop": stop, "log": log})
    assert traj.events.name == ("stop",) and traj.q[-1, 0] == pytest.approx(0.9, abs=1e-13)
    with pytest.raises(da.SimulationError) as caught:
        da.simulate(Edge(), da.Leapfrog(), *start, **run, events={"at": lambda t, q, v: q[0] - 0.9})
    assert caught.value.trajectory.events.name == ("at",)
    with pytest.raises(da.SimulationError, match="event 'log' is not a number at t = 1"):
        _fall({"log": lambda t, q, v: jnp.log(0.9 - t)})


# -- many, and files -----------------------------------------------------------------------------


def test_each_member_has_its_own(tmp_path):
    start = jnp.zeros(2), jnp.array([1.0, 3.0])
    events = {
        "ground": da.Event(height, direction=-1, terminal=True),
        "right": lambda t, q, v: q[0] - 1.1,
    }
    run = {"h": 0.25, "steps": 16, "events": events}
    many = da.simulate_ensemble(
        Fall(g=jnp.array([1.2, 2.0, 3.2])),
        da.Leapfrog(),
        *start,
        **run,
        save={"rows": da.Every(4), "count": da.Statistics(lambda q, v: v[1], every=1)},
    )
    assert not many.failed and many.events.name == ("right", "right", "ground", "right", "ground")
    assert many.events.member.tolist() == [0, 1, 1, 2, 2]
    np.testing.assert_allclose(many.ended, [4.0, 3.0, 6 / 3.2], atol=1e-13)
    assert many.steps_done.tolist() == [16, 12, 8]
    assert np.isnan(many.v[2, -1]).all() and not np.isnan(many.v[0]).any()
    # a member that has ended counts no more
    assert many.saved["count"].count[[0, 7, 8, 12]].tolist() == [3, 3, 2, 1]
    for i, g in enumerate((1.2, 2.0, 3.2)):
        one = da.simulate(Fall(g=g), da.Leapfrog(), *start, **run, save_every=4)
        mine = many[i]
        assert mine.events.name == one.events.name and many.ended[i] == pytest.approx(one.t[-1])
        np.testing.assert_allclose(mine.events.t, one.events.t, rtol=0, atol=1e-13)
        np.testing.assert_allclose(mine.t, one.t, rtol=0, atol=1e-13)
        np.testing.assert_allclose(mine.q, one.q, rtol=0, atol=1e-12)
    for name in ("many.nc", "many.zarr"):
        many.save(tmp_path / name)
        again = da.load(tmp_path / name)
        assert again.events.name == many.events.name
        np.testing.assert_array_equal(again.events.q, many.events.q)
        np.testing.assert_array_equal(again[1].q, many[1].q)
    for name in ("one.nc", "one.zarr"):
        one.save(tmp_path / name)
        assert da.load(tmp_path / name).equals(one)


def test_a_store_keeps_events_and_goes_on_with_them(tmp_path, monkeypatch):
    end = da.Event(lambda t, q, v: jnp.sin(5.0 * t), count=9)
    watched = {"turn": ahead, "end": end}
    run = {"h": 0.1, "steps": 200, "events": watched}
    whole = da.simulate(SLEIGH, da.Gauss(2), *START, **run, save_every=7)
    assert len(whole.events) == 10 and whole.t[-1] == pytest.approx(9 * np.pi / 5)
    path, part = tmp_path / "run.zarr", tmp_path / "part.zarr"
    assert len(da.simulate(SLEIGH, da.Gauss(2), *START, **run, save_every=7, store=path)) == 1
    advance, calls = FixedStepProgram.advance, []

    def stops(program, budget):
        calls.append(program.steps)
        if calls.count(200) == 3:
            raise KeyboardInterrupt
        return advance(program, min(budget, 17))  # not at a row

    monkeypatch.setattr(FixedStepProgram, "advance", stops)
    monkeypatch.setattr("dalembert.storage.store._SECONDS", 0.0)
    with pytest.raises(da.SimulationError, match="interrupted"):
        da.simulate(SLEIGH, da.Gauss(2), *START, **run, save_every=7, store=part)
    monkeypatch.undo()
    assert 0 < len(da.load(part).events) < 10
    for events, told in (
        (
            None,
            r"with the events turn, end: continue it with resume\(store, "
            r"events=\{'turn': ..., 'end': ...\}\)",
        ),
        (watched | {"turn": da.Event(ahead, direction=1)}, "event 'turn' has changed"),
    ):
        with pytest.raises(da.UsageError, match=told):
            da.resume(part, events=events)
    da.resume(part, events=watched)
    for found in (da.load(path), da.load(part)):
        for name in ("t", "q", "v", "residual"):
            np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))
        assert found.events.name == whole.events.name
        np.testing.assert_array_equal(found.events.t, whole.events.t)
        np.testing.assert_array_equal(found.events.q, whole.events.q)


def test_a_section_has_the_order_of_the_method_whatever_is_looked_at():
    found = {}
    for every in (1, 4):
        section = da.Section(lambda q, v: ahead(0.0, q, v), [lambda q, v: q[2]], every=every)
        traj = da.simulate(SLEIGH, da.Gauss(2), *START, h=0.1, steps=64, save=section)
        found[every] = traj.saved["result"]
    assert found[1].t.shape == (1,) and abs(found[1].t[0] - TURN) < 2e-6
    np.testing.assert_allclose(found[4].t, found[1].t, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found[4].values, found[1].values, rtol=0, atol=1e-13)


@pytest.mark.parametrize("every", [1, 4])
def test_a_section_of_members_goes_on_to_where_an_event_ends_them(every):
    """x = 1 at t = 1/vx; members end at 1.06 (t = 1.06/vx) between rows, or fly on."""
    vx = np.array([1.0, 0.9, 0.1])
    v0 = np.stack([vx, np.full(3, 3.0)], axis=1)
    section = {"cut": da.Section(lambda q, v: q[0] - 1.0, [lambda q, v: q[1]], every=every)}
    ends = {"end": da.Event(lambda t, q, v: q[0] - 1.06, terminal=True)}
    options = {"h": 0.3, "steps": 10, "save": section, "events": ends}
    many = da.simulate_ensemble(Fall(), da.Gauss(2), np.zeros((3, 2)), v0, **options)
    found = many.saved["cut"]
    assert found.member.tolist() == [0, 1]
    np.testing.assert_allclose(found.t, 1 / vx[:2], rtol=1e-13)
    np.testing.assert_allclose(found.values[:, 0], 3 / vx[:2] - 1 / vx[:2] ** 2, rtol=1e-13)
    np.testing.assert_allclose(many.ended, [*(1.06 / vx[:2]), 3.0], rtol=1e-13)
    one = da.simulate(Fall(), da.Gauss(2), np.zeros(2), v0[1], **options)
    np.testing.assert_allclose(one.saved["cut"].t, found.t[1:], rtol=1e-13)


def test_what_is_refused_says_what_to_do():
    for events, told in (
        (height, "names and functions"),
        ({}, "names and functions"),
        ({"a/b": height}, "not a valid name"),
        ({"a": 3}, r"events\['a'\] must be a function"),
        ({"a": lambda q: q[0]}, r"event 'a': g takes \(t, q, v\)"),
        ({"a": lambda t, q, v: q}, "event 'a': g is one number"),
    ):
        with pytest.raises(da.UsageError, match=told):
            _fall(events)
    with pytest.raises(da.UsageError, match="direction"):
        da.Event(height, direction=2)
    with pytest.raises(da.UsageError, match=r"observables must be a list .* one at least"):
        da.Section(lambda q, v: q[0], [])
    with pytest.raises(da.UsageError, match="count"):
        da.Event(height, count=0)
    with pytest.raises(da.UsageError, match="not both"):
        da.Event(height, terminal=True, count=2)
    with pytest.raises(da.UsageError, match="must end the run"):
        jax.jit(lambda x: _fall({"a": height}, v0=(x, 1.0)).q)(1.0)
