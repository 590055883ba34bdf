"""(5.13) [C02] with k that is not basic: densities of shape and velocity, and none at all.

The particle z' = a(x, y) x' has (1 + a^2) x'' = -V_x - a (a_x x' + a_y y') x', y'' = -V_y. The
field and beta = -a a_y/(1 + a^2) dy below are written by hand from that. With
V = ln(1 + a^2)/(2 c) + g(x) the motion keeps exp(c y'^2/2) (1 + a^2) dx dy dx' dy'.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert import geometry


class Logarithmic(da.systems.ParticleWithoutMeasure):
    """a = x y, V = ln(1 + x^2 y^2)/(2 c) + 0.3 x^2."""

    c: float = 1.0

    def potential(self, q):
        return 0.5 * jnp.log(1 + (q[0] * q[1]) ** 2) / self.c + 0.3 * q[0] ** 2


class Held(da.systems.ParticleWithoutMeasure):
    """a = x y, a minimum of V at (1, 1), where G = diag(2, 1): frequencies 1 and `ratio`."""

    ratio: float = 1.0

    def potential(self, q):
        x, y = q[0] - 1.0, q[1] - 1.0
        return x * x + 0.5 * self.ratio**2 * y * y + 0.2 * x * x * y + 0.1 * y**3


def reduced(system):
    return geometry.chaplygin(system, (0, 1), da.Euclidean(1))


def by_hand(potential):
    """The motion of (x, y, x', y') with a = x y."""

    def field(z):
        x, y, u, w = z
        Vx, Vy, _ = jax.grad(potential)(jnp.array([x, y, 0.0]))
        a = x * y
        return jnp.stack([u, w, (-Vx - a * (y * u + x * w) * u) / (1 + a * a), -Vy])

    return field


def rate_by_hand(z):
    """h = beta . w."""
    x, y, _, w = z
    return -x * y * x / (1 + (x * y) ** 2) * w


@pytest.fixture(scope="module", params=[1.0, -2.0])
def logarithmic(request):
    system = Logarithmic(c=request.param)
    return system, geometry.velocity_measure(reduced(system), [0.8, 0.6])


def near(point, count=12, reach=0.04):
    rng = np.random.default_rng(3)
    return np.concatenate(
        [np.asarray(point) + reach * rng.uniform(-1, 1, (count, 2)), rng.normal(size=(count, 2))], 1
    )


def test_a_density_of_the_velocity_is_found(logarithmic):
    """ln k = c y'^2/2 + a multiple of the energy + a constant, which no density of r alone is."""
    system, found = logarithmic
    assert (found.verdict, found.degree) == ("yes", 2)
    assert found.mismatch < 1e-12 and found.residual < 1e-6
    basic = geometry.invariant_measure(reduced(system), origin=[0.8, 0.6])
    assert basic.verdict == "inconclusive" and not basic.kinetic
    states = near((0.8, 0.6))
    F = np.array([float(jnp.log(found.multiplier(z[:2], z[2:]))) for z in states])
    x, y, u, w = states.T
    V = 0.5 * np.log(1 + (x * y) ** 2) / system.c + 0.3 * x**2
    energy = 0.5 * ((1 + (x * y) ** 2) * u**2 + w**2) + V
    terms = np.stack([np.ones_like(x), energy, 0.5 * w**2], 1)
    fit, *_ = np.linalg.lstsq(terms, F, rcond=None)
    assert fit[2] == pytest.approx(system.c, rel=1e-6)
    np.testing.assert_allclose(terms @ fit, F, atol=1e-7)


def test_the_density_solves_5_13_along_the_motion_by_hand(logarithmic):
    system, found = logarithmic
    field = by_hand(system.potential)

    def defect(z):
        def logarithm(y):
            return jnp.log(found.multiplier(y[:2], y[2:]))

        return jax.jvp(logarithm, (z,), (field(z),))[1] - rate_by_hand(z)

    for z in near((0.8, 0.6), 4):
        assert abs(float(defect(jnp.asarray(z)))) < 1e-6


def test_a_run_conserves_the_measure_and_changes_the_volume():
    """det of the derivative of the flow, integrated by SciPy, times k det G at the end."""
    system = Logarithmic()
    field = jax.jit(by_hand(system.potential))
    slope = jax.jit(jax.jacfwd(by_hand(system.potential)))
    z0 = np.array([0.8, 0.6, 0.5, -0.9])

    def rates(_, s):
        return np.append(np.asarray(field(s[:4])), np.trace(np.asarray(slope(s[:4]))))

    end = solve_ivp(rates, (0, 2.0), np.append(z0, 0.0), rtol=1e-11, atol=1e-12).y[:, -1]

    def weight(z):  # the closed form
        return np.exp(0.5 * z[3] ** 2) * (1 + (z[0] * z[1]) ** 2)

    def plain(z):
        return 1 + (z[0] * z[1]) ** 2

    grown = np.exp(end[4])
    assert weight(end[:4]) * grown / weight(z0) == pytest.approx(1.0, abs=1e-9)
    assert abs(plain(end[:4]) * grown / plain(z0) - 1.0) > 0.1  # k = 1 is not invariant


def test_equal_frequencies_exclude_every_density():
    """At a minimum with equal frequencies and d beta != 0 no power series solves (5.13)."""
    found = geometry.velocity_measure(reduced(Held()), [1.1, 0.9])
    assert found.verdict == "no" and found.obstruction > 1e-2
    np.testing.assert_allclose(found.equilibrium, [1.0, 1.0], atol=1e-9)
    # the same by runs: around a small ellipse the volume det(G) dr dw grows by -(d beta) area
    field = jax.jit(by_hand(Held().potential))
    sizes = np.array([0.02, 0.01])
    grown = []
    for size in sizes:
        z0 = np.array([1.0 + size / np.sqrt(2), 1.0, 0.0, size])

        def rates(_, s):
            return np.append(np.asarray(field(s[:4])), float(rate_by_hand(s[:4])))

        out = solve_ivp(rates, (0, 2 * np.pi), np.append(z0, 0.0), rtol=1e-10, atol=1e-13)
        grown.append(out.y[4, -1])
    area = np.pi * sizes**2 / np.sqrt(2)
    np.testing.assert_allclose(grown / area, -0.5, rtol=0.1)  # d beta = -1/2 at (1, 1)


def test_without_resonance_a_series_exists_and_nothing_is_decided():
    found = geometry.velocity_measure(reduced(Held(ratio=2**0.5)), [1.1, 0.9])
    assert found.verdict == "inconclusive" and "power series exists" in found.reason
    assert found.obstruction < 1e-12 < found.mismatch


def test_kinetic_energy_alone_gives_the_answers_of_theorem_5_4_5():
    no = geometry.velocity_measure(reduced(da.systems.ParticleWithoutMeasure()), [1.0, 1.0])
    assert no.verdict == "no"
    particle = reduced(da.systems.NonholonomicParticle())
    yes = geometry.velocity_measure(particle, [0.3, 0.2])
    assert (yes.verdict, yes.degree) == ("yes", 0)
    # k = 1/sqrt(1 + y^2), in closed form
    k = [float(yes.multiplier([0.3, y], [0.0, 0.0])) * np.sqrt(1 + y**2) for y in (0.2, 0.23, 0.18)]
    np.testing.assert_allclose(k, k[0], rtol=1e-7)


def test_on_a_group_the_density_of_an_axially_symmetric_top_is_found():
    """Shape space SO(3), with gravity; the other route is `invariant_measure`, by derivatives."""
    top = da.systems.ChaplyginTop(inertia=(0.004, 0.004, 0.0035), center=(0.0, 0.0, -0.02))
    chaplygin = geometry.chaplygin(top, (1,), da.Euclidean(2))
    found = geometry.velocity_measure(chaplygin, order=4)
    assert (found.verdict, found.degree) == ("yes", 0)
    known = geometry.invariant_measure(chaplygin)
    start = chaplygin.reduced.initial()[0]
    R = start @ da.SO(3).exp(jnp.array([0.02, -0.03, 0.01]))
    k = [float(found.multiplier(x, jnp.zeros(3))) for x in (R, start)]
    other = [float(known.multiplier(x)) for x in (R, start)]
    assert k[0] / k[1] == pytest.approx(other[0] / other[1], rel=1e-6)
    assert abs(k[0] / k[1] - 1.0) > 1e-3


def test_what_does_not_apply_is_said():
    class Dragged(da.systems.NonholonomicParticle):
        def force(self, t, q, v):
            return -0.1 * v

    found = geometry.velocity_measure(reduced(Dragged()), [0.3, 0.2])
    assert found.verdict == "does not apply" and "force" in found.reason
    with pytest.raises(da.UsageError, match="even"):
        geometry.velocity_measure(reduced(da.systems.NonholonomicParticle()), degree=3)
    with pytest.raises(da.UsageError, match="order"):
        geometry.velocity_measure(reduced(da.systems.NonholonomicParticle()), order=1)
