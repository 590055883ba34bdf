"""Frequencies on tori: closed forms, elliptic integrals, a spectrum, refusals."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import SO, Euclidean, geometry
from dalembert.dynamics import acceleration


class Oscillators(da.System):
    """Two oscillators of frequencies 1 and sqrt(2), mixed by a turn."""

    space = Euclidean(2)

    def lagrangian(self, q, v):
        x = self.turned(q)
        return 0.5 * v @ v - 0.5 * (x[0] ** 2 + 2.0 * x[1] ** 2)

    def turned(self, q):
        c, s = np.cos(0.4), np.sin(0.4)
        return jnp.stack([c * q[0] + s * q[1], c * q[1] - s * q[0]])

    def one(self, q, v):
        return 0.5 * (self.turned(v)[0] ** 2 + self.turned(q)[0] ** 2)

    def initial(self):
        return jnp.array([1.0, 0.5]), jnp.array([0.3, 0.4])


def on_lattice(value, frequencies, most=8):
    """Distance of a frequency from the integer combinations of two others."""
    m = np.arange(-most, most + 1)
    lines = np.add.outer(m * frequencies[0], m * frequencies[1])
    return np.min(np.abs(lines - value))


def test_two_oscillators():
    system = Oscillators()
    section = lambda q, v: system.turned(v)[0]
    found = geometry.torus_frequencies(system, [system.one], section=section)
    assert found.verdict == "yes" and found.spread < 1e-10
    assert np.isclose(found.period, 2 * np.pi, rtol=1e-11)
    assert np.isclose(found.rotation, np.sqrt(2) - 1, atol=1e-11)
    with pytest.raises(da.UsageError, match="unconstrained motion"):
        geometry.torus_frequencies(da.systems.NonholonomicParticle())


def test_hypotheses_are_tested():
    system = Oscillators()
    few = geometry.torus_frequencies(system)
    assert few.verdict == "does not apply" and "2 integrals" in few.reason
    wrong = geometry.torus_frequencies(system, [lambda q, v: q[0]])
    assert wrong.verdict == "does not apply" and "changes" in wrong.reason
    other = geometry.torus_frequencies(system, [system.one], density=lambda q, v: 1.0 + q[0] ** 2)
    assert other.verdict == "does not apply" and "measure" in other.reason
    same = geometry.torus_frequencies(
        system, [lambda q, v: 0.5 * v @ v - system.lagrangian(q, 0 * v)]
    )
    assert same.verdict == "inconclusive" and "dependent" in same.reason


class Body(da.System):
    """A free body."""

    space = SO(3)

    def lagrangian(self, q, v):
        return 0.5 * jnp.array([1.0, 1.5, 2.2]) @ v**2

    def initial(self):
        return SO(3).exp(jnp.array([0.2, -0.4, 0.7])), jnp.array([0.8, -0.3, 1.5])


def test_a_free_body_has_the_period_of_jacobi_and_the_phase_of_montgomery():
    special = pytest.importorskip("scipy.special")
    I, w = np.array([1.0, 1.5, 2.2]), np.array([0.8, -0.3, 1.5])
    found = geometry.torus_frequencies(Body(), [lambda q, v: q @ (jnp.asarray(I) * v)])
    E, M = 0.5 * I @ w**2, np.linalg.norm(I * w)
    m = (I[1] - I[0]) * (2 * E * I[2] - M**2) / ((I[2] - I[1]) * (M**2 - 2 * E * I[0]))
    rate = np.sqrt((I[2] - I[1]) * (M**2 - 2 * E * I[0]) / np.prod(I))
    period = 4 * special.ellipk(m) / rate
    assert np.isclose(found.period, period, rtol=1e-11)
    # the turn about M in a period: 2 E T/M less the solid angle that the momentum encloses
    s = np.linspace(0.0, period, 4001)[:-1]
    sn, cn, dn, _ = special.ellipj(rate * s, m)
    p = np.stack(
        [
            I[0] * np.sqrt((2 * E * I[2] - M**2) / (I[0] * (I[2] - I[0]))) * cn,
            I[1] * np.sqrt((2 * E * I[2] - M**2) / (I[1] * (I[2] - I[1]))) * sn,
            I[2] * np.sqrt((M**2 - 2 * E * I[0]) / (I[2] * (I[2] - I[0]))) * dn,
        ]
    )
    n = p / M
    k = np.fft.fftfreq(len(s), 1.0 / len(s)) * 2j * np.pi / period
    d = [np.fft.ifft(k * np.fft.fft(x)).real for x in n]
    area = np.mean((n[0] * d[1] - n[1] * d[0]) / (1.0 + n[2])) * period
    phase = (2 * E * period / M - area) / (2 * np.pi)
    rotation = min(phase % 1.0, 1.0 - phase % 1.0)
    assert np.isclose(found.rotation, rotation, atol=1e-9)


def test_a_chaplygin_ball_against_its_spectrum():
    ball = da.systems.ChaplyginBall(Theta=0.0)
    shape, group, circles = ball.chaplygin_split
    made = geometry.chaplygin(ball, shape, group, circles=circles)
    found = geometry.torus_frequencies(made, [ball.contact_momentum])
    assert found.verdict == "yes" and found.spread < 1e-9 and found.error < 1e-9
    run = da.simulate(made.reduced, da.Gauss(stages=4), h=0.25, steps=32_000)
    t, x = np.asarray(run.t), np.asarray(run.q)[:, 2, 0]
    # the strongest line of a window that vanishes to high order at its ends
    window = np.sin(np.pi * t / t[-1]) ** 8
    y = (x - np.average(x, weights=window)) * window
    f = np.fft.rfftfreq(len(t), t[1]) * 2 * np.pi
    start = f[np.argmax(np.abs(np.fft.rfft(y)))]
    power = lambda a: np.abs(np.sum(y * np.exp(-1j * a * t)))
    width, best = f[1], start
    for _ in range(60):
        a = best + width * np.array([-1.0, 0.0, 1.0])
        p = np.log([power(b) for b in a])
        best = a[1] + 0.5 * width * (p[0] - p[2]) / (p[0] - 2 * p[1] + p[2])
        width = max(0.5 * width, 1e-5)
    assert on_lattice(best, found.frequencies) < 1e-8


def test_the_ball_of_the_spectrum_moves_by_the_equations_of_chaplygin():
    """K' = K x Omega, gamma' = gamma x Omega, K = I Omega + m r^2 gamma x (Omega x gamma)."""
    ball = da.systems.ChaplyginBall(Theta=0.0)
    shape, group, circles = ball.chaplygin_split
    made = geometry.chaplygin(ball, shape, group, circles=circles)
    R, w = SO(3).exp(jnp.array([0.7, -0.4, 1.1])), np.array([0.6, -1.3, 0.8])
    found = jax.jit(lambda r, w: acceleration(made.reduced, r, w))(R, jnp.asarray(w))
    gamma, inertia, lever = np.asarray(R)[2], np.diag(ball.inertia), ball.m * ball.r**2
    J = inertia + lever * (np.eye(3) - np.outer(gamma, gamma))
    right = np.cross(J @ w, w) + lever * (gamma @ w) * np.cross(gamma, w)
    np.testing.assert_allclose(found, np.linalg.solve(J, right), rtol=1e-11)
