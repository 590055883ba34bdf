"""Derivatives of runs with friction by their start, through changes of mode: closed forms."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from tests.test_friction import MU, G, R, block
from tests.test_friction import Block as Thrown
from tests.test_friction_slips import Block

import dalembert as da
from dalembert import hybrid, parts
from dalembert.errors import SimulationError
from dalembert.hybrid.zoo import registry


def test_a_block_that_stops_forgets_its_speed_but_for_the_way():
    found = da.sensitivities(block(), [0.0, 0.0], [3.0, 0.0], t=2.0, h=0.05)
    known = np.zeros((4, 4))
    known[0, 0], known[0, 2] = 1.0, 3.0 / (0.3 * G)
    np.testing.assert_allclose(found.initial[:, [0, 2]], known[:, [0, 2]], atol=1e-11)
    assert np.all(found.v == 0.0)


def test_through_an_impact_with_friction():
    e, t = 0.5, 0.9

    def end(x):
        fall = jnp.sqrt(x[3] ** 2 + 2.0 * G * x[1])
        left = t - (x[3] + fall) / G
        u = x[2] - 0.3 * (1.0 + e) * fall
        return jnp.stack([
            x[0] + x[2] * (t - left) + u * left, e * fall * left - 0.5 * G * left**2,
            u, e * fall - G * left,
        ])  # fmt: skip

    start = jnp.array([0.0, 1.0, 6.0, 0.2])
    found = da.sensitivities(block(restitution=e), start[:2], start[2:], t=t, h=0.05)
    np.testing.assert_allclose(np.r_[found.q, found.v], end(start), rtol=1e-11)
    np.testing.assert_allclose(found.initial, jax.jacfwd(end)(start), atol=1e-9)


def differences(modes, q, v, column, h, t, step=1e-4):
    def end(x):
        run = da.simulate(modes, da.Gauss(stages=4), q + x[: len(v)], v + x[len(v) :], h=h, t=t)
        return np.r_[run.q[-1], run.v[-1]]

    e = np.eye(2 * len(v))[column] * step
    return (8.0 * (end(e) - end(-e)) - (end(2 * e) - end(-2 * e))) / (12.0 * step)


def test_through_slips_that_stick_and_begin_again():
    modes, q, v = registry["stick-slip-belt"](), np.zeros(1), np.array([0.5])
    found = da.sensitivities(modes, q, v, t=4.0, h=0.02)
    known = differences(modes, q, v, 0, 0.02, 4.0)
    np.testing.assert_allclose(found.initial[:, 0], known, atol=1e-9)


class Driven(Block):
    def force(self, t, q, v):
        return jnp.stack([0.5 * t, -0.3 * t, 0.0 * t])


def test_through_the_end_of_a_slip_of_two_rows_that_turns():
    law = hybrid.ContactLaw("p", lambda q: jnp.eye(3)[:2], gap=lambda q: q[2], mu=0.3)
    modes, q, v = hybrid.with_friction(Driven(), law), np.zeros(3), np.array([1.0, 0.7, 0.0])
    found = da.sensitivities(modes, q, v, t=0.6, h=0.01)
    known = differences(modes, q, v, 3, 0.01, 0.6)
    np.testing.assert_allclose(found.initial[:, 3], known, atol=1e-7)


def test_a_ball_that_slides_and_rolls():
    made = parts.build(
        parts.Body("ball", 2.0, shape=da.scene.sphere(R)),
        parts.Free("ball", start=(0, 0, R), speed=(3.0, 1.0, 0, 5.0, -7.0, 3.0)),
        parts.Ball("ball", R, mu=MU),
        parts.Gravity(G),
    )
    modes = hybrid.with_friction(made)
    _, q, v = modes.started(None, None, None, 0.0)
    found = da.sensitivities(modes, q, v, t=2.0, h=0.02)
    # v0 - 2/7 u0 with the slip u0 = v0 + R (-w_y, w_x)
    np.testing.assert_allclose(found.initial[6:8, 6:8], 5.0 / 7.0 * np.eye(2), atol=1e-6)
    np.testing.assert_allclose(
        found.initial[6:8, 9:11], 2.0 / 7.0 * R * np.array([[0, 1.0], [-1.0, 0]]), atol=1e-6
    )


def test_what_has_no_derivative_is_refused():
    law = hybrid.ContactLaw("p", lambda q: jnp.eye(3)[:2], gap=lambda q: q[2], mu=0.3)
    with pytest.raises(SimulationError, match="first direction has no derivative"):
        da.sensitivities(
            hybrid.with_friction(Block(), law), np.zeros(3), np.zeros(3), h=0.01, t=1.2
        )
    roof = hybrid.ContactLaw(
        "p", lambda q: jnp.array([[1.0, 0.0]]), gap=lambda q: 1.0 - q[1], mu=0.3, restitution=0.5
    )
    # it meets the roof at 0.05 m/s and flies by at 30 km/s
    up = np.sqrt(2.0 * G + 0.05**2)
    with pytest.raises(SimulationError, match="grazes"):
        da.sensitivities(hybrid.with_friction(Thrown(), roof), [0.0, 0.0], [3e4, up], h=0.01, t=0.6)
