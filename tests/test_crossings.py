"""Crossings of the members of an ensemble: all at once, and where single runs have theirs."""

import dataclasses
import re

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import forget_native
from dalembert.compile.ir.tape import Unsupported
from dalembert.events.locate import Left, Locator
from dalembert.methods import Row
from dalembert.rows import Nodes


class Edge(da.System):
    """A knife edge on an incline, from rest: x = k sin(w t)^2 / (2 w^2)."""

    k: float = 1.0
    blind: float = -1.0  # a time at which the force is no number
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * jnp.sum(v**2) + self.k * q[0]

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def force(self, t, q, v):
        return jnp.where(jnp.abs(t - self.blind) < 1e-9, jnp.nan, 0.0) * jnp.ones(3)


def _edges(members):
    """Parameters and speeds of members, which cross x = 0.1 up to six times, or never."""
    k, w = np.linspace(0.1, 2.0, members), np.linspace(2.3, 1.7, members)
    return k, np.stack([0.0 * w, 0.0 * w, w], axis=1)


_CUT = da.Section(lambda q, v: q[0] - 0.1, [lambda q, v: q[1], lambda q, v: v[0]], 0, every=1)
_SELDOM = dataclasses.replace(_CUT, direction=1, every=5)


@pytest.mark.parametrize(
    "method", [da.Gauss(2), da.GNI(), da.Reversible(da.Gauss(2))], ids=["gauss", "gni", "own"]
)
@pytest.mark.parametrize("ends", [None, 2])
def test_all_members_cross_where_single_runs_do(method, ends):
    """Many crossings of many members in one block of rows, each with its member's parameters."""
    k, v0 = _edges(70)
    events = {
        "cut": da.Event(lambda t, q, v: q[0] - 0.1, count=ends),
        "falls": da.Event(lambda t, q, v: v[0], direction=-1),
    }
    run = {"h": 0.05, "t": 4.5, "events": events, "save": {"cut": _CUT, "seldom": _SELDOM}}
    many = da.simulate_ensemble(Edge(k=jnp.asarray(k)), method, jnp.zeros(3), v0, **run)
    assert len(set(np.bincount(many.saved["cut"].member, minlength=70))) >= (2 if ends else 3)
    for i in range(0, 70, 3):
        one = da.simulate(Edge(k=k[i]), method, jnp.zeros(3), v0[i], **run)
        mine, theirs = many[i].events, one.events
        assert mine.name == theirs.name and mine.step.tolist() == theirs.step.tolist()
        for x in ("t", "q", "v", "p", "multiplier"):
            a, b = getattr(mine, x), getattr(theirs, x)
            np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-12 if x != "t" else 0, err_msg=x)
        assert many.ended[i] == pytest.approx(one.t[-1], rel=1e-13)
        for name in ("cut", "seldom"):
            all_of, found = many.saved[name], one.saved[name]
            own = all_of.member == i
            np.testing.assert_allclose(all_of.t[own], found.t, rtol=1e-13)
            np.testing.assert_allclose(all_of.values[own], found.values, rtol=0, atol=1e-12)
    if ends:
        twice = np.bincount(many.events.member[many.events.which == 0], minlength=70) == 2
        assert twice.any() and np.array_equal(twice, many.ended < 4.5)


def test_crossings_of_members_are_those_of_the_closed_form():
    """sin(w t)^2 = 0.2 w^2/k; a crossing that is missing, or of another member, would show."""
    k, v0 = _edges(300)
    many = da.simulate_ensemble(
        Edge(k=jnp.asarray(k)), da.Gauss(6), jnp.zeros(3), v0, h=0.05, steps=90, save={"x": _CUT}
    )
    w = v0[:, 2]
    wanted = []
    for i in np.flatnonzero(0.2 * w**2 < k):
        first = np.arcsin(np.sqrt(0.2 * w[i] ** 2 / k[i]))
        phases = [n * np.pi + x for n in range(4) for x in (first, np.pi - first)]
        wanted += [(i, x / w[i]) for x in phases if x / w[i] <= 4.5]
    found = many.saved["x"]
    assert found.member.tolist() == [i for i, _ in wanted]
    np.testing.assert_allclose(found.t, [t for _, t in wanted], rtol=1e-11)


def test_what_changes_back_behind_the_end_of_a_member_is_found_before_it():
    """Members end at x = 1.06; the function is positive from 1 to 1.1, of which no row tells."""
    v0 = np.array([[1.0, 0.0, 0.0], [0.99, 0.0, 0.0]])
    section = da.Section(lambda q, v: (q[0] - 1.0) * (1.1 - q[0]), [lambda q, v: q[0]], every=1)
    ends = {"end": da.Event(lambda t, q, v: q[0] - 1.06, terminal=True)}
    run = {"h": 0.3, "steps": 10, "save": {"cut": section}, "events": ends}
    many = da.simulate_ensemble(Edge(k=0.0), da.Gauss(2), np.zeros((2, 3)), v0, **run)
    assert many.saved["cut"].member.tolist() == [0, 1]
    np.testing.assert_allclose(many.saved["cut"].t, 1.0 / v0[:, 0], rtol=1e-13)


def test_members_cross_by_arrays_as_by_native_code(monkeypatch):
    k, v0 = _edges(70)
    given = (da.Gauss(2), jnp.zeros(3), v0)
    run = {"h": 0.05, "steps": 40, "events": {"cut": lambda t, q, v: q[0] - 0.1}}
    native = da.simulate_ensemble(Edge(k=jnp.asarray(k)), *given, **run).events

    def refused(*given, **options):
        raise Unsupported("a test")

    monkeypatch.setattr("dalembert.compile.function.MapKernel", refused)
    forget_native()
    arrays = da.simulate_ensemble(Edge(k=jnp.asarray(k)), *given, **run).events
    forget_native()
    assert len(native.t) > 64 and arrays.member.tolist() == native.member.tolist()
    np.testing.assert_allclose(arrays.t, native.t, rtol=1e-13)


def test_a_member_whose_crossing_cannot_be_found_is_named():
    k, v0 = _edges(9)
    events = {"cut": da.Event(lambda t, q, v: q[0] - 0.1, direction=1)}
    run = {"h": 0.05, "steps": 20, "events": events}
    many = da.simulate_ensemble(Edge(k=jnp.asarray(k)), jnp.zeros(3), v0, **run)
    blind, event = np.full(9, -1.0), many[5].events[0]
    blind[5] = event.t
    after = re.escape(f"event 'cut' after t = {0.05 * (event.step - 1):.15g} could")
    with pytest.raises(da.SimulationError, match=after) as alone:
        da.simulate(Edge(k=k[5], blind=blind[5]), jnp.zeros(3), v0[5], **run)
    system = Edge(k=jnp.asarray(k), blind=jnp.asarray(blind))
    told = re.escape(str(alone.value)).replace("'cut'", "'cut' of member 5")
    with pytest.raises(da.SimulationError, match=told):
        da.simulate_ensemble(system, jnp.zeros(3), v0, **run)
    with pytest.raises(da.SimulationError, match=r"of member 5 after .* could not be located"):
        da.simulate_ensemble(
            system, jnp.zeros(3), v0, h=0.05, steps=20, save=dataclasses.replace(_CUT, direction=1)
        )


def test_roots_of_smooth_functions_take_few_trials_and_others_are_found_too():
    h, n = 0.01, 4000
    root = np.random.default_rng(3).uniform(0.0, h, n)
    root[:2] = 1e-14, h * (1.0 - 1e-14)
    node = Nodes(np.arange(n), np.zeros(n), np.zeros((n, 1)), np.zeros((n, 1)), np.zeros((n, 0)))
    for f, most in (
        (lambda x: np.exp(30.0 * x) - 1.0, 8),
        (lambda x: np.sin(50.0 * x), 8),
        (lambda x: x**3, 70),
        (lambda x: np.sign(x), 60),
        (lambda x: np.where(x < 0.0, 1e-8 * x, 1e8 * x), 110),
    ):
        trials = np.zeros(n, int)

        def attempt(node, sizes, trials=trials):
            trials[node.member] += 1
            zero = np.zeros_like(sizes)
            row = Row(sizes, node.q, node.v, node.v, node.v, zero, zero.astype(int))
            return row, node.frame

        def g(row, which, f=f):
            return f(row.t - root[which])

        left = Left(node, f(-root), np.ones(n, int), np.full(n, h))
        found = Locator(attempt).find(g, left)
        np.testing.assert_allclose(found.row.t, root, rtol=0, atol=1e-15 * h + 1e-17)
        assert np.max(trials) <= most, np.max(trials)
