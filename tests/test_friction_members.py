"""Ensembles with friction: members in vectors have the bits of single runs, whatever they do."""

import concurrent.futures

import jax
import numpy as np
import pytest
from tests.test_friction import block

import dalembert as da
from dalembert import hybrid
from dalembert.errors import UsageError
from dalembert.hybrid.zoo import registry

N = 11  # no multiple of the width of a vector
BOUNCE = block(restitution=0.5)
HOW = {"h": 0.05, "t": 1.5}
# some fall and bounce, some slide, one holds
Q = np.stack([np.linspace(0.0, 1.0, N), np.where(np.arange(N) < 6, 0.0, np.arange(N) / 20)], axis=1)
V = np.stack([np.linspace(-3.0, 3.0, N), np.zeros(N)], axis=1)


def fast(t, q, v):
    return v[0] - 0.5


def beyond(t, q, v):
    return q[0] > 1.2


def place(q, v):
    return q[0]


def same(found, one):
    assert found.modes == one.modes and found.warnings == one.warnings
    for name in ("t", "v", "p", "multiplier", "mode"):
        np.testing.assert_array_equal(getattr(found, name), getattr(one, name))
    jax.tree.map(np.testing.assert_array_equal, found.q, one.q)
    for name in ("t", "v_after", "impulse", "transition", "source", "target", "row"):
        np.testing.assert_array_equal(getattr(found.jumps, name), getattr(one.jumps, name))
    if one.events is not None:
        np.testing.assert_array_equal(found.events.t, one.events.t)


def many(**options):
    return hybrid.simulate_ensemble(BOUNCE, None, Q, V, **HOW | options)


@pytest.mark.parametrize(
    "options",
    [{}, {"events": {"fast": da.Event(fast, -1, count=1)}}, {"stop_when": beyond, "save_every": 3}],
    ids=["plain", "events", "stop_when"],
)
def test_members_have_the_bits_of_single_runs(options):
    found = many(**options)
    assert found.engine == "native" and not found.failed
    assert len({x.modes for x in found}) > 2
    for i in range(N):
        same(found[i], da.simulate(BOUNCE, Q[i], V[i], **HOW | options))
        np.testing.assert_array_equal(found.v[i], found[i].v[-1])


def test_executors_give_the_same_bits(monkeypatch):
    monkeypatch.setattr("dalembert.hybrid.member_blocks.block_size", lambda n, on_cpu: 4)
    sinks = {"": da.Every(1), "all": da.Statistics(place, every=5)}
    here = many(save=sinks)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        there = many(save=sinks, executor=pool)
    np.testing.assert_array_equal(there.saved["all"].mean, here.saved["all"].mean)
    for i in range(N):
        same(there[i], here[i])


def test_members_with_their_own_slope():
    slopes = np.linspace(0.0, 0.5, N)  # with mu = 0.3 some slide on for ever
    found = many(over=da.grid(slope=slopes))
    for i in (0, 5, N - 1):
        same(found[i], da.simulate(block(slopes[i], restitution=0.5), Q[i], V[i], **HOW))


def test_a_member_that_starts_below_ground_is_named():
    q = Q.copy()
    q[3, 1] = -0.1
    with pytest.raises(UsageError, match=r"below its surface.*\(member 3 of 11\)"):
        hybrid.simulate_ensemble(BOUNCE, None, q, V, **HOW)


def test_bowling_balls_with_their_own_changes():
    modes, n = registry["bowling-ball"](), 40
    _, q, v = modes.started(None, None, None, 0.0)
    speeds = np.repeat(np.asarray(v)[None], n, axis=0)
    speeds[:, 0], speeds[:, 3] = np.linspace(3.0, 9.0, n), np.linspace(40.0, 10.0, n)
    places = tuple(np.repeat(np.asarray(x)[None], n, axis=0) for x in q)
    found = hybrid.simulate_ensemble(modes, None, places, speeds, h=0.02, t=3.0)
    assert len({x.jumps.t[0] for x in found if len(x.jumps)}) > 30
    for i in range(0, n, 3):
        same(found[i], da.simulate(modes, q, speeds[i], h=0.02, t=3.0))
