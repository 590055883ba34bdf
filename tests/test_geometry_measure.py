"""Invariant measures of reduced systems, and when they are Hamiltonian."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import dynamics
from dalembert.geometry.reduction.chaplygin_reduction import chaplygin
from dalembert.geometry.reduction.reduced_measure import (
    beta,
    divergence,
    hamiltonization,
    invariant_measure,
    reduced_field,
)

R1, R2, SE2 = da.Euclidean(1), da.Euclidean(2), da.SE(2)
TURN = 2 * np.pi
r2, z4 = jnp.array([0.6, -0.7]), jnp.array([0.6, -0.7, 0.8, 0.5])


def particle(cls=da.systems.NonholonomicParticle, **parameters):
    return chaplygin(cls(**parameters), (0, 1), R1)


def robot(**parameters):
    system = da.systems.TwoWheeledRobot(**parameters)
    return chaplygin(system, (3, 4), SE2, circles=(TURN, TURN))


class Sheared(da.System):
    """Shape of dimension three, one group coordinate: z' = f(x) . x' with a metric of its own."""

    k: float = 1.0
    space = da.Product(da.Euclidean(3), R1)

    def lagrangian(self, q, v):
        x, y, z = q[0]
        weight = jnp.stack([1 + x**2, 1.5 + 0.3 * jnp.sin(x + y), 2 + jnp.cos(z), 1 + 0.2 * y**2])
        return 0.5 * v @ (weight * v) + 0.2 * v[0] * v[3]

    def constraint(self, q):
        x, y, z = q[0]
        return jnp.stack([-y * z, jnp.sin(z), self.k * x * y, jnp.ones(())])[None, :]

    def initial(self):
        return (jnp.array([0.4, 0.3, -0.2]), jnp.zeros(1)), jnp.zeros(4)


def by_definition(c):
    """h = G^ab d(alpha_b)/dw^a, beta = dh/dw (5.12) [C02]."""

    def h(r, w):
        return jnp.trace(jnp.linalg.solve(c.metric(r), jax.jacfwd(c.gyroscopic, 1)(r, w)))

    return h


@pytest.mark.parametrize(
    ("make", "r"),
    [
        (robot, r2),
        (lambda: particle(da.systems.ParticleWithoutMeasure), r2),
        (lambda: chaplygin(Sheared()), jnp.array([0.5, -0.4, 0.8])),
    ],
    ids=["robot", "counterexample", "three dimensions"],
)
def test_beta_is_the_derivative_of_h_and_the_rate_of_volume(make, r):
    c = make()
    w = jnp.linspace(0.3, -0.8, r.size)

    @jit
    def facts():
        h = by_definition(c)
        b = beta(c, r)

        def volume(z):
            return jnp.linalg.det(c.metric(z[: r.size]))

        rate = divergence(reduced_field(c), jnp.concatenate([r, w]), volume)
        return b, jax.grad(h, 1)(r, w), h(r, w), rate

    b, defined, h, rate = facts()
    np.testing.assert_allclose(b, defined, atol=1e-13)
    np.testing.assert_allclose(b @ w, h, atol=1e-13)  # h is linear in w
    np.testing.assert_allclose(rate, -h, atol=1e-12)
    assert abs(h) > 1e-3


def test_particle_has_a_density():
    c = particle(stiffness=1.0)  # a potential changes nothing
    found = invariant_measure(c, origin=[0.0, 0.0])
    assert found.verdict == "yes" and found.closedness < 1e-12 and not found.kinetic
    assert found.density is not None and found.multiplier is not None
    y = r2[1]
    field, density, multiplier = reduced_field(c), found.density, found.multiplier

    @jit
    def facts(z):
        wrong = divergence(field, z, lambda z: multiplier(z[:2]))  # without det G
        right = divergence(field, z, lambda z: density(z[:2]))
        return beta(c, r2), density(r2), multiplier(r2), right, wrong

    b, rho, k, right, wrong = facts(z4)
    np.testing.assert_allclose(b, [0, -y / (1 + y**2)], atol=1e-15)
    np.testing.assert_allclose(rho, np.sqrt(1 + y**2), rtol=1e-12)
    np.testing.assert_allclose(k, 1 / np.sqrt(1 + y**2), rtol=1e-12)
    assert abs(right) < 1e-12 < 1e-2 < abs(wrong)
    assert "yes" in str(found) and "density" in str(found)


def test_constant_of_the_motion_of_the_particle():
    """x' sqrt(1 + y^2), which the measure and the energy lead to (Remark 5.4.6)."""
    c = particle()

    def constant(z):
        return z[2] * jnp.sqrt(1 + z[1] ** 2)

    rate = jit(lambda z: jax.jvp(constant, (z,), (reduced_field(c)(z),))[1])(z4)
    assert abs(rate) < 1e-15


def test_modified_particle_is_hamiltonian():
    found = hamiltonization(particle(da.systems.ModifiedParticle))
    assert found.verdict == "hamiltonian" and found.measure.verdict == "yes"
    assert "vanishes" in str(found)


def test_counterexample_has_no_measure():
    c = particle(da.systems.ParticleWithoutMeasure)
    found = invariant_measure(c)
    assert found.verdict == "no" and found.density is None and found.kinetic
    assert found.closedness > 1e-2
    assert "no" in str(found)

    @jit
    def facts():
        slope = jax.jacfwd(lambda r: beta(c, r))(r2)
        return beta(c, r2), slope[1, 0] - slope[0, 1]

    x, y = r2
    b, curl = facts()
    np.testing.assert_allclose(b, [0, -(x**2) * y / (1 + x**2 * y**2)], atol=1e-14)
    np.testing.assert_allclose(curl, -2 * x * y / (1 + x**2 * y**2) ** 2, atol=1e-13)
    assert hamiltonization(c).verdict == "not found"


def test_verdict_with_a_potential_says_what_it_excludes():
    class Pulled(da.systems.ParticleWithoutMeasure):
        def potential(self, q):
            return 0.5 * q[0] ** 2

    text = str(invariant_measure(particle(Pulled)))
    assert "densities of the shape alone" in text


def test_two_wheeled_robot_has_a_density_only_locally():
    c = robot(l=0.25, R=0.3)
    s = c.system
    kappa = s.m0 * s.l * s.R**3 / (4 * s.c**2)
    wanted = -kappa / (s.J_w + s.J * s.R**2 / (2 * s.c**2))
    found = invariant_measure(c)
    assert found.verdict == "locally" and found.closedness < 1e-12
    np.testing.assert_allclose(found.periods, [TURN * wanted] * 2, rtol=1e-12)
    assert "many values" in str(found)
    flat = chaplygin(s, (3, 4), SE2)  # the same on a plane of wheel angles
    assert invariant_measure(flat).verdict == "yes"
    density = found.density
    assert density is not None

    @jit
    def facts(z):
        return beta(c, r2), divergence(reduced_field(c), z, lambda z: density(z[:2]))

    b, rate = facts(z4)
    np.testing.assert_allclose(b, [wanted, wanted], rtol=1e-12)  # E20
    assert abs(rate) < 1e-12
    assert hamiltonization(c).verdict == "locally conformal"


def test_balanced_robot_has_a_measure():
    found = invariant_measure(robot(l=0.0))
    assert found.verdict == "yes"


def test_mobile_robot_is_hamiltonian():
    c = chaplygin(da.systems.MobileRobot(), (2, 3), R2, circles=(TURN, TURN))
    found = hamiltonization(c)
    assert found.verdict == "hamiltonian"
    assert found.measure.verdict == "yes"
    np.testing.assert_allclose(found.measure.periods, [0, 0], atol=1e-13)


def test_three_dimensional_shape_needs_more_than_a_measure():
    """In dimension two (5.10) always holds; in three a random system fails it."""
    c = chaplygin(Sheared(k=0.3))
    found = hamiltonization(c)
    assert found.verdict == "not found"
    assert found.defect > 1e-3


def test_multiplier_makes_the_particle_hamiltonian():
    """In the time d(tau) = N dt the motion is that of L*(r, N dr/dtau)."""
    c = particle(stiffness=1.0)
    found = hamiltonization(c)
    assert found.verdict == "conformal"
    N = found.multiplier
    assert N is not None

    class Rescaled(da.System):
        power: float = 1.0
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return c.lagrangian(q, N(q) ** self.power * v)

    @jit
    def defect(power):
        r, w = z4[:2], z4[2:]

        def rate(r):
            return N(r) ** power

        n, dn = jax.jvp(rate, (r,), (w,))
        a = dynamics.acceleration(c.reduced, r, w)
        return dynamics.acceleration(Rescaled(power), r, w / n) - (a / n - w * dn / n**2) / n

    assert np.max(np.abs(defect(1.0))) < 1e-12
    assert np.max(np.abs(defect(-1.0))) > 1e-2
    assert np.max(np.abs(defect(0.0))) > 1e-2  # L* alone does not give the motion


# -- Chaplygin's ball -------------------------------------------------------------------------


def ball_field(inertia, D):
    """M' = M x Omega, gamma' = gamma x Omega, M = (I + D) Omega - D gamma (gamma . Omega)."""

    def velocity(z):
        M, gamma = z[:3], z[3:]
        matrix = jnp.diag(inertia + D) - D * jnp.outer(gamma, gamma)
        return jnp.linalg.solve(matrix, M)

    def field(z):
        Omega = velocity(z)
        return jnp.concatenate([jnp.cross(z[:3], Omega), jnp.cross(z[3:], Omega)])

    return field


def test_chaplygin_ball_density():
    ball = da.systems.ChaplyginBall(Theta=0.0)
    inertia, D = jnp.asarray(ball.inertia), ball.m * ball.r**2
    field = ball_field(inertia, D)
    q = (jnp.zeros(2), da.SO(3).exp(jnp.array([0.4, -0.7, 0.3])))
    v = dynamics.consistent_velocity(ball, q, jnp.array([0.0, 0.0, 0.6, -0.5, 0.9]))

    def variables(q, v):
        Omega, gamma = v[2:], q[1].T @ jnp.array([0.0, 0.0, 1.0])
        M = (inertia + D) * Omega - D * gamma * (gamma @ Omega)
        return jnp.concatenate([M, gamma])

    @jit
    def from_the_library():
        a = dynamics.acceleration(ball, q, v)

        def along(s):
            turned = q[1] @ da.SO(3).exp(s * v[2:])
            return variables((q[0], turned), v + s * a)

        return jax.jvp(along, (jnp.zeros(()),), (jnp.ones(()),))

    z, rate = from_the_library()
    np.testing.assert_allclose(field(z), rate, atol=1e-14)

    def density(z, power=-0.5):
        gamma = z[3:]
        return (1 - D * gamma @ (gamma / (inertia + D))) ** power

    assert abs(divergence(field, z, density)) < 1e-13
    assert abs(divergence(field, z)) > 1e-2
    assert abs(divergence(field, z, lambda z: density(z, 0.5))) > 1e-2


def test_chaplygin_ball_through_its_reduction():
    """Shape space is SO(3): k(R) of dR dM from the line integral of beta, not from the formula."""
    ball = da.systems.ChaplyginBall(Theta=0.0)
    c = chaplygin(ball, (1,))
    assert (c.base, c.group) == (da.SO(3), R2)
    found = invariant_measure(c)
    assert found.verdict == "yes" and found.closedness < 1e-13 and found.size > 0.1
    multiplier = found.multiplier
    assert multiplier is not None
    origin, R = c.reduced.initial()[0], da.SO(3).exp(jnp.array([0.4, -0.7, 1.3]))
    inertia, D = jnp.asarray(ball.inertia), ball.m * ball.r**2

    def known(R):
        gamma = R[2]
        return (1 - D * gamma @ (gamma / (inertia + D))) ** -0.5

    np.testing.assert_allclose(jit(multiplier)(R), known(R) / known(origin), rtol=1e-13)
    # the momentum M = G Omega of the reduced system is that of the formula
    gamma = R[2]
    matrix = jnp.diag(inertia + D) - D * jnp.outer(gamma, gamma)
    np.testing.assert_allclose(jit(lambda: c.metric(R))(), matrix, atol=1e-14)

    @jit
    def rate(power):
        def density(z):
            G = c.metric(R @ da.SO(3).exp(z[:3]))
            return known(R @ da.SO(3).exp(z[:3])) ** power * jnp.linalg.det(G)

        return divergence(reduced_field(c, R), jnp.array([0, 0, 0, 0.6, -0.5, 0.9]), density)

    assert abs(rate(1.0)) < 1e-13
    assert abs(rate(0.0)) > 1e-2 and abs(rate(-1.0)) > 1e-2
    assert hamiltonization(c).verdict == "not found"  # three dimensions: a measure is not enough


# -- misuse ---------------------------------------------------------------------------------------


def test_misuse():
    with pytest.raises(da.UsageError, match=r"origin: an element of Euclidean\(2\)"):
        invariant_measure(particle(), origin=[0.0])
    with pytest.raises(da.UsageError, match=r"each of samples: .* shape \(2,\)"):
        invariant_measure(particle(), [0.0, 1.0])
    edge = chaplygin(da.systems.KnifeEdge(), (0, 2), R1)
    with pytest.raises(da.UsageError, match="singular at the shape"):
        invariant_measure(edge, [[0.0, np.nan]])
