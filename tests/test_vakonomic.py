"""Vakonomic motions beside the nonholonomic ones, against equations written by hand."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert.control import vakonomic_motion

PARTICLE = da.systems.NonholonomicParticle()


def flow(rates, x0, t):
    return solve_ivp(rates, (0.0, t), x0, method="DOP853", rtol=1e-12, atol=1e-14).y[:, -1]


def test_the_particle_against_its_equations_in_closed_form():
    """z' = y x': p_x = x' - lam y and p_z = z' + lam are constant, y'' = -lam x'."""
    q, v, lam = jnp.array([0.1, 0.4, -0.2]), jnp.array([0.7, 0.5, 0.28]), 0.9
    row = np.asarray(PARTICLE.constraint(q))[0]
    lam = lam / row[2]  # rows may be (-y, 0, 1) or (y, 0, -1)
    found = vakonomic_motion(PARTICLE, q, v, [lam], t=3.0, steps=400)
    a, c = float(v[0]) - 0.9 * 0.4, float(v[2]) + 0.9

    def rates(t, x):
        speed = (a + c * x[1]) / (1.0 + x[1] ** 2)
        return [speed, x[3], x[1] * speed, -(c - x[1] * speed) * speed]

    end = flow(rates, [0.1, 0.4, -0.2, 0.5], 3.0)
    np.testing.assert_allclose(found.q[-1], end[:3], atol=1e-11)
    assert found.error < 1e-11 and np.ptp(found.hamiltonian) < 1e-12
    residual = [PARTICLE.constraint(x) @ w for x, w in zip(found.q[::40], found.v[::40])]
    assert np.max(np.abs(residual)) < 1e-13
    # the nonholonomic motion is another one
    other = da.simulate(PARTICLE, da.Reference(), q, v, h=3.0, steps=1).final
    assert np.max(np.abs(other.q - found.q[-1])) > 0.3 and found.curl.max() > 0.1


def test_holonomic_constraints_in_disguise_have_one_motion():
    system = da.systems.ModifiedParticle()
    q, v = system.initial()
    other = da.simulate(system, da.Reference(), q, v, h=1.0, steps=1).final
    for lam in (0.0, 1.3):
        found = vakonomic_motion(system, q, v, [lam], t=1.0)
        np.testing.assert_allclose(found.q[-1], other.q, atol=1e-9)
        assert found.curl.max() < 1e-10


def test_a_rubber_ball_rolls_along_elastica():
    """Jurdjevic 1993: theta'' = a cos theta + b sin theta; the nonholonomic one goes straight."""
    ball = da.systems.RubberBall(inertia=(0.004, 0.004, 0.004))
    q, v = ball.initial()
    assert np.allclose(da.simulate(ball, h=0.1, steps=3).v[:, :2], v[:2], rtol=1e-12)
    found = vakonomic_motion(ball, q, v, [0.05, -0.02, 0.04], t=1.5, steps=1500)
    speed = np.hypot(*found.v[:, :2].T)
    np.testing.assert_allclose(speed, speed[0], rtol=1e-9)
    heading, h = np.unwrap(np.arctan2(found.v[:, 1], found.v[:, 0])), found.t[1]
    assert np.ptp(heading) > 0.5
    stencil = np.array([2, -27, 270, -490, 270, -27, 2]) / (180.0 * h**2)  # order 6
    second = np.convolve(heading, stencil, mode="valid")
    inner = heading[3:-3]
    basis = np.stack([np.cos(inner), np.sin(inner)], axis=1)
    fit, *_ = np.linalg.lstsq(basis, second, rcond=None)
    assert np.max(np.abs(basis @ fit - second)) < 1e-6 * np.max(np.abs(second))
    # a curve of another kind fails: with a constant term alone nothing fits
    flat, *_ = np.linalg.lstsq(np.ones((len(inner), 1)), second, rcond=None)
    assert np.max(np.abs(flat - second)) > 0.1 * np.max(np.abs(second))


def test_a_ball_on_a_turning_table_after_lewis_and_murray():
    """The nonholonomic ball moves on a circle; the vakonomic one against space-frame equations."""
    ball = da.systems.BallOnTurntableGlobal()
    q, v = ball.initial()
    m, inertia, r, turn = (float(x) for x in (ball.m, ball.I, ball.r, ball.Theta))
    lam = jnp.array([0.4, -0.3])
    found = vakonomic_motion(ball, q, v, lam, t=4.0, steps=600)
    share = 1.0 / m + r**2 / inertia

    def rates(t, x):
        # M = I w + r (lam2, -lam1, 0) in space, M' = w x M; p = m (x', y') + lam
        (px, py), M = x[2:4], x[4:]
        one = (px / m - r * M[1] / inertia + turn * x[1]) / share
        two = (py / m + r * M[0] / inertia - turn * x[0]) / share
        w = (M - r * np.array([two, -one, 0.0])) / inertia
        speeds = [(px - one) / m, (py - two) / m]
        return np.concatenate([speeds, [-two * turn, one * turn], np.cross(w, M)])

    R = np.asarray(q[1])
    w = R @ np.asarray(v[2:])
    M = inertia * w + r * np.array([lam[1], -lam[0], 0.0])
    start = np.concatenate([q[0], m * np.asarray(v[:2]) + np.asarray(lam), M])
    end = flow(rates, start, 4.0)
    np.testing.assert_allclose(found.q[0][-1], end[:2], atol=1e-9)
    np.testing.assert_allclose(found.p[-1][:2], end[2:4], atol=1e-9)
    assert np.ptp(found.hamiltonian) < 1e-9 * np.max(np.abs(found.hamiltonian))
    circle = da.simulate(ball, h=0.05, t=4.0)
    on = da.diagnostics.fit_circle(circle.q[0]).deviation
    off = da.diagnostics.fit_circle(found.q[0]).deviation
    assert on < 1e-6 < 1e-2 < off


def test_what_is_refused():
    with pytest.raises(da.UsageError, match="needs a system with constraints"):
        vakonomic_motion(da.systems.PlanarBody(), t=1.0)
    with pytest.raises(da.UsageError, match="off the constraint by"):
        vakonomic_motion(PARTICLE, jnp.zeros(3), jnp.ones(3), t=1.0)
    with pytest.raises(da.UsageError, match=r"multiplier \(1,\)"):
        vakonomic_motion(PARTICLE, multiplier=[1.0, 2.0], t=1.0)
    with pytest.raises(da.UsageError, match="must be positive"):
        vakonomic_motion(PARTICLE, t=-1.0)
    with pytest.raises(da.UsageError, match="vakonomic motions are for"):
        vakonomic_motion(da.systems.Benenti(), t=1.0)
