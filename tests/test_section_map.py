"""`da.section_map`, and sensitivities of events: against closed forms and differences."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid
from dalembert.hybrid import zoo


class Two(da.MechanicalSystem):
    """Two oscillators, coupled or not."""

    c: float = 0.1
    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 0.5 * q[0] ** 2 + q[1] ** 2 + self.c * q[0] ** 2 * q[1]


def section(t, q, v):
    return q[1]


Q, V = jnp.array([0.3, 0.0]), jnp.array([0.1, 0.5])


def test_the_map_of_two_oscillators_is_a_rotation():
    P = da.section_map(Two(c=0.0), section, h=0.01, method=da.Gauss(3))
    T = 2 * np.pi / np.sqrt(2.0)
    found = P.slopes(Q, V)
    np.testing.assert_allclose(found.at.t, T, atol=1e-12)
    turn = np.array([[np.cos(T), np.sin(T)], [-np.sin(T), np.cos(T)]])
    np.testing.assert_allclose(found.state[np.ix_([0, 2], [0, 2])], turn, atol=1e-10)
    np.testing.assert_allclose(found.time, [0.0, -1 / 0.5, 0.0, 0.0], atol=1e-10)
    np.testing.assert_allclose(P.iterate(Q, V, 5).t, T * np.arange(1, 6), atol=1e-9)


def test_derivatives_members_and_transformations():
    P = da.section_map(Two(), section, h=0.02, within=6.0)
    state, e = P.slopes(Q, V).state, 1e-5
    for i in (0, 2, 3):  # along the section
        x = e * np.eye(4)[i]
        ends = [P(Q + s * x[:2], V + s * x[2:]) for s in (1, -1)]
        slope = np.concatenate([(ends[0].q - ends[1].q), (ends[0].v - ends[1].v)]) / (2 * e)
        np.testing.assert_allclose(state[:, i], slope, atol=2e-8)
    many = P(np.stack([Q, Q + 0.1]) * [1.0, 0.0], np.stack([V, V]))
    np.testing.assert_allclose(many.t[0], P(Q, V).t, rtol=1e-13)
    slope = jax.grad(lambda v: P(Q, v).t)(V)
    np.testing.assert_allclose(slope, P.slopes(Q, V).time[2:], atol=1e-7)
    twice = da.section_map(Two(), section, h=0.02, returns=2)
    once = P(Q, V)
    np.testing.assert_allclose(twice(Q, V).t, once.t + P(once.q, once.v).t, atol=1e-7)
    # a fixed point by Newton's method: the mode in which x rests
    x = np.array([0.05, 0.02])
    for _ in range(6):
        found = P.slopes([x[0], 0.0], [x[1], 0.5])
        J = found.state[np.ix_([0, 2], [0, 2])]
        end = np.array([found.at.q[0], found.at.v[0]])
        x = x - np.linalg.solve(J - np.eye(2), end - x)
    np.testing.assert_allclose(x, 0.0, atol=1e-9)


def test_refusals_of_the_map():
    with pytest.raises(da.SimulationError, match="0 of 1 crossings"):
        da.section_map(Two(), lambda t, q, v: q[0] - 9.0, h=0.02, within=2.0)(Q, V)
    with pytest.raises(da.UsageError, match="carries more than a node"):
        da.section_map(Two(), section, h=0.02, method=da.GNI())
    with pytest.raises(da.UsageError, match="needs h and within"):
        jax.jit(lambda v: da.section_map(Two(), section, h=0.02)(Q, v).t)(V)
    with pytest.raises(da.UsageError, match=r"hybrid\.flow"):
        da.section_map(zoo.bouncing_ball(), section, h=0.02)


def test_sensitivities_of_events():
    """A thrown point: the time at which it comes down, and where, by hand."""
    ball, g = zoo.Weight(), 9.81
    y, u, w = 2.0, 1.5, 0.7
    down = da.Event(lambda t, q, v: q[1], -1, terminal=True)
    found = da.sensitivities(
        ball, [0.0, y], [u, w], t=3.0, parameters=("g",), events={"down": down}
    )
    root = np.sqrt(w**2 + 2 * g * y)
    T = (w + root) / g
    (event,) = found.events
    np.testing.assert_allclose(found.t, T, rtol=1e-14)
    by_y, by_w = 1 / root, (1 + w / root) / g
    np.testing.assert_allclose(event.time, [0.0, by_y, 0.0, by_w], atol=1e-13)
    by_g = -(w + root) / g**2 + y / (g * root)
    np.testing.assert_allclose(event.time_parameters["g"], by_g, atol=1e-13)
    np.testing.assert_allclose(found.initial[0], [1.0, u * by_y, T, u * by_w], atol=1e-13)


def test_grazing_at_which_angle():
    """A level just below the top of a throw: four digits of the derivative, or a refusal."""
    ball, g, y, u, w = zoo.Weight(), 9.81, 2.0, 1.5, 0.7
    top = y + w**2 / (2 * g)

    def found(depth):
        level = da.Event(lambda t, q, v: q[1] - (top - depth), 0, terminal=True)
        return da.sensitivities(ball, [0.0, y], [u, w], t=3.0, events={"top": level}).events[0]

    for depth in (1e-6, 1e-8, 4e-11):
        at = found(depth)
        rate = np.sqrt(2 * g * (w**2 / (2 * g) - (top - depth - y)))  # with the round-off of `top`
        np.testing.assert_allclose(at.angle, rate / u, rtol=1e-4)
        np.testing.assert_allclose(at.time[1], -1 / rate, rtol=1e-4)
    with pytest.raises(da.SimulationError, match=r"grazes the surface of event 'top'.*angle"):
        found(1e-12)


def test_sensitivities_of_hybrid_runs():
    modes = zoo.bouncing_ball()
    mine, theirs = (
        da.sensitivities(modes, t=1.0, h=0.05),
        hybrid.sensitivities(modes, t=1.0, h=0.05),
    )
    np.testing.assert_array_equal(mine.initial.v, theirs.initial.v)
