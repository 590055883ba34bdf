"""Slips that begin and end together, against independent equations and mirrored runs."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert import hybrid, parts
from dalembert.hybrid.zoo import registry

G = 9.81


def test_a_skid_steer_robot_turns_slower_than_its_wheels_say():
    found = da.simulate(registry["skid-steer"](), h=0.005, t=0.6)
    assert found.mode_names[-1] == "fl slides, fr slides, rl slides, rr slides"
    yaw = found.v[-1][-1]
    assert 0.1 < yaw < 0.8 * (8.0 - 4.0) * 0.1 / 0.4


@pytest.mark.parametrize("method", [da.RK4(), da.Gauss(stages=2)], ids=["RK4", "Gauss"])
@pytest.mark.parametrize(
    ("name", "speed", "when", "off"),
    [
        # Gauss with h = 0.0025; RK4 is not at home in slips that are small for long
        ("drift", 18.918, [0.028531, 0.136895], [6e-4, 2e-4]),
        ("skid-steer", 0.327, [0.101931, 0.127], [1e-6, 3e-3]),
    ],
)
def test_slips_that_begin_together_do_not_end_at_once(method, name, speed, when, off):
    found = da.simulate(registry[name](), method, h=0.01, t=0.3)
    assert found.t[-1] == 0.3
    assert found.mode_names[-1] == "fl slides, fr slides, rl slides, rr slides"
    np.testing.assert_array_less(np.abs(found.jumps.t - when), off)
    np.testing.assert_allclose(found.v[-1][0], speed, rtol=5e-3)


class Block(da.System):
    """A block on a floor, pushed by a force that grows and turns."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - G * q[2]

    def force(self, t, q, v):
        return jnp.stack([3.0 * t, t * t, 0.0 * t])


@pytest.mark.parametrize("static", [0.3, 0.4])
def test_a_slip_that_begins_agrees_with_a_stiff_solver(static):
    law = hybrid.ContactLaw(
        "p", lambda q: jnp.eye(3)[:2], gap=lambda q: q[2], mu=0.3, mu_static=static
    )
    found = da.simulate(hybrid.with_friction(Block(), law), np.zeros(3), np.zeros(3), h=0.01, t=2.0)
    at = np.sqrt(0.5 * (np.sqrt(81.0 + 4.0 * (static * G) ** 2) - 9.0))
    np.testing.assert_allclose(found.jumps.t, [at], rtol=1e-12)

    def rates(t, y):
        s = y[2:]
        return [*s, *(np.array([3.0 * t, t * t]) - 0.3 * G * s / np.hypot(*s))]

    push = np.array([3.0 * at, at * at])
    start = [0.0, 0.0, *(1e-9 * push / np.hypot(*push))]
    own = solve_ivp(rates, (at, 2.0), start, "Radau", rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(found.v[-1][:2], own.y[2:, -1], atol=2e-8)
    np.testing.assert_allclose(found.q[-1][:2], own.y[:2, -1], atol=2e-8)


def test_a_run_with_friction_is_shown():
    modes = registry["bowling-ball"](speed=3.0)
    run = da.simulate(modes, h=0.05, t=2.0)
    assert len(run.jumps) == 1
    view = da.show(modes, run, open=False)
    assert "ball" in str(view._repr_html_())


def test_an_egg_that_rises_slides_less_and_less_and_holds_in_turn():
    """Its slip barely exceeds friction: 1e-6 m/s, whose direction no step resolves."""
    axes, m = np.array([0.02, 0.025, 0.03]), 0.06
    turn = np.asarray(parts.rotation("y", 1.47, np))
    n = turn.T @ [0.0, 0.0, 1.0]
    high = np.sqrt(n @ (axes**2 * n))
    spin = 120.0 * n
    egg = hybrid.with_friction(
        parts.build(
            parts.Body("egg", m, tuple(0.2 * m * (axes @ axes - axes**2))),
            parts.Free("egg", start=((0, 0, high), turn.tolist()), speed=(0, 0, 0, *spin)),
            parts.Ellipsoid("egg", axes=tuple(axes), mu=0.1),
            parts.Gravity(G),
        )
    )
    coarse, fine = (da.simulate(egg, h=h, t=2.8) for h in (1e-3, 5e-4))
    names = [x.name for x in coarse.jumps]
    assert names == ["egg sticks", "egg slips"] * 8
    assert coarse.q[1][0][2, 2] < 0.11 and abs(coarse.q[1][-1][2, 2]) > 0.99  # it stands up
    np.testing.assert_allclose(coarse.jumps.t, fine.jumps.t, atol=1e-5)
    np.testing.assert_allclose(coarse.v[-1], fine.v[-1], atol=1e-3)
    for run in (coarse, fine):
        assert np.max(np.diff(hybrid.energy(egg, run))) < 1e-11 and not run.warnings
