"""The reduced discrete Lagrange-d'Alembert method, and Theorem 7.5.4 in and out of its range."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from compiled import jit
from dalembert import RDLA
from dalembert.geometry.reduction.chaplygin_reduction import chaplygin
from dalembert.running import there_and_back

R1, R2, SE2 = da.Euclidean(1), da.Euclidean(2), da.SE(2)
H = 0.2
r0, r1 = jnp.array([0.6, -0.7]), jnp.array([0.75, -0.62])


def particle(cls=da.systems.NonholonomicParticle, **parameters):
    return chaplygin(cls(**parameters), (0, 1), R1)


def mobile_robot():
    return chaplygin(da.systems.MobileRobot(potential_strength=10.0), (2, 3), R2)


@pytest.mark.parametrize(
    ("make", "rules"),
    [
        (lambda: particle(stiffness=1.0), (da.Midpoint(), None)),
        (lambda: particle(stiffness=1.0), (da.Trapezoidal(), da.Midpoint())),
        (mobile_robot, (da.Midpoint(), None)),
    ],
    ids=["particle", "particle, mixed rules", "mobile-robot"],
)
def test_rdla_is_the_projection_of_dla(make, rules):
    c = make()
    method = RDLA(*rules)
    shape = da.simulate(c.reduced, method, h=H, steps=60)
    full = da.simulate(c.system, da.DLA(*rules), h=H, steps=60)
    keep = list(c.chart.indices)
    np.testing.assert_allclose(shape.q, full.q[:, keep], atol=1e-11)
    np.testing.assert_allclose(shape.v, full.v[:, keep], atol=1e-11)
    g = jit(method.reconstruct)(c, shape.q, c.chart.split(full.q[0])[1])
    np.testing.assert_allclose(g, full.q[:, list(c.chart.others)], atol=1e-11)


def test_rdla_of_the_two_wheeled_robot_is_the_projection_of_dla():
    c = chaplygin(da.systems.TwoWheeledRobot(), (3, 4), SE2)
    method = RDLA()
    shape = da.simulate(c.reduced, method, h=H, steps=40)
    full = da.simulate(c.trivialized(method.tau), da.DLA(), h=H, steps=40)
    r, g = full.q
    np.testing.assert_allclose(shape.q, r, atol=1e-11)
    np.testing.assert_allclose(shape.v, full.v[:, :2], atol=1e-11)
    lifted = jit(method.reconstruct)(c, shape.q, g[0])
    np.testing.assert_allclose(lifted, g, atol=1e-11)
    assert np.max(np.abs(g[-1] - g[0])) > 0.1


def test_rdla_of_the_chaplygin_ball_is_the_projection_of_dla():
    """Shape space is SO(3), the group R^2."""
    ball = da.systems.ChaplyginBall(Theta=0.0)
    c = chaplygin(ball, (1,))
    shape = da.simulate(c.reduced, RDLA(), h=0.1, steps=20)
    full = da.simulate(ball, da.DLA(), h=0.1, steps=20)
    x, R = full.q
    np.testing.assert_allclose(shape.q, R, atol=1e-11)
    np.testing.assert_allclose(shape.v, full.v[:, 2:], atol=1e-11)
    lifted = jit(RDLA().reconstruct)(c, shape.q, x[0])
    np.testing.assert_allclose(lifted, x, atol=1e-11)
    assert np.max(np.abs(x[-1] - x[0])) > 0.1


@jit
def defect_of_7_31(c, r):
    """D1 Ld*(r_k, r_{k+1}) + D2 Ld*(r_{k-1}, r_k) - F_minus - F_plus, and the forces."""
    method = RDLA()

    def at(a, b):
        D = jax.grad(method.reduced_lagrangian, (2, 3))(c, jnp.asarray(H), a, b)
        return jnp.stack(D), jnp.stack(method.forces(c, H, a, b))

    D, F = jax.vmap(at)(r[:-1], r[1:])
    return D[1:, 0] + D[:-1, 1] - F[1:, 0] - F[:-1, 1], F


def test_the_nodes_solve_7_31():
    c = particle(stiffness=1.0)
    r = da.simulate(c.reduced, RDLA(), h=H, steps=30).q
    defect, F = defect_of_7_31(c, r)
    assert np.max(np.abs(defect)) < 1e-13
    assert np.max(np.abs(F)) > 1e-2


def test_forces_are_half_the_gyroscopic_one_where_the_connection_is_linear():
    c = particle(stiffness=1.0)

    @jit
    def both():
        alpha = c.gyroscopic(0.5 * (r0 + r1), (r1 - r0) / H)
        return RDLA().forces(c, H, r0, r1), alpha

    (minus, plus), alpha = both()
    np.testing.assert_allclose(minus, 0.5 * H * alpha, atol=1e-15)
    np.testing.assert_allclose(plus, 0.5 * H * alpha, atol=1e-15)
    assert np.max(np.abs(minus + 0.5 * H * alpha)) > 1e-3  # the sign matters


def test_forces_sum_to_the_gyroscopic_one_on_a_nonabelian_group():
    """At any h: in the frame of the robot its connection is constant."""
    c = chaplygin(da.systems.TwoWheeledRobot(), (3, 4), SE2)
    w = jnp.array([0.8, -0.5])

    @jit
    def relative(h):
        minus, plus = RDLA(tau="exp").forces(c, h, r0, r0 + h * w)
        alpha = c.gyroscopic(r0 + 0.5 * h * w, w)
        parts = (minus + plus) / h - alpha, 2.0 * minus / h - alpha
        return [jnp.max(jnp.abs(x)) / jnp.max(jnp.abs(alpha)) for x in parts]

    for h in (0.4, 0.05):
        both, one = relative(h)
        assert both < 1e-12 < 1e-4 < one < h  # each of the two is half of it up to O(h) only


# -- Theorem 7.5.4 ---------------------------------------------------------------------------------


class Flat(da.System):
    """z' = slope(x, y) . (x', y') with slope the gradient of a function: integrable, alpha = 0."""

    cubic: float = 0.0
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * q[0] ** 2 - q[1] ** 2

    def constraint(self, q):
        x, y = q[0], q[1]
        gradient = jnp.stack([x + 0.5 * y, 0.5 * x - y])
        gradient = gradient + self.cubic * jnp.stack([3 * x**2 * y, x**3])
        return jnp.concatenate([-gradient, jnp.ones(1)])[None, :]

    def initial(self):
        q, w = jnp.array([0.4, 0.3, 0.0]), jnp.array([0.5, -0.4])
        return q, jnp.concatenate([w, -self.constraint(q)[:, :2] @ w])


class Oscillators(da.System):
    """Curved constraint z' = y x' - x y' that the kinetic energy does not feel: alpha = 0."""

    space = da.Product(da.Euclidean(2), R1)

    def lagrangian(self, q, v):
        # p_z = d l/d xi vanishes on the constraint
        defect = v[2] - self._slope(q[0]) @ v[:2]
        return 0.5 * v[:2] @ v[:2] + 0.5 * defect**2 - 0.5 * q[0] @ q[0]

    def _slope(self, r):
        return jnp.stack([r[1], -r[0]])

    def constraint(self, q):
        return jnp.concatenate([-self._slope(q[0]), jnp.ones(1)])[None, :]

    def initial(self):
        r, w = jnp.array([0.4, 0.3]), jnp.array([0.5, -0.4])
        return (r, jnp.zeros(1)), jnp.concatenate([w, (self._slope(r) @ w)[None]])


def variational(c):
    """The reduced system whose midpoint rule is exactly Ld*, without forces."""

    def Ld(system, h, g):
        return RDLA().reduced_lagrangian(c, h, g[0], g[1])

    class Free(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return c.lagrangian(q, v)

    return Free(), da.DLA(da.CustomRule(Ld, lambda *_: jnp.zeros(0), order=2, symmetric=True))


def difference(c, steps=20):
    free, method = variational(c)
    q, v = c.reduced.initial()
    a = da.simulate(c.reduced, RDLA(), q, v, h=H, steps=steps)
    b = da.simulate(free, method, q, v, h=H, steps=steps)
    alpha = jit(jax.vmap(c.gyroscopic))(a.q, a.v)
    return np.max(np.abs(a.q - b.q)), np.max(np.abs(alpha))


@pytest.mark.parametrize(
    "make",
    [lambda: chaplygin(Flat(), (0, 1), R1), lambda: chaplygin(Oscillators())],
    ids=["flat", "curved"],
)
def test_theorem_7_5_4_under_its_hypotheses(make):
    apart, alpha = difference(make())
    assert alpha < 1e-14
    assert apart < 1e-13


@pytest.mark.parametrize(
    ("make", "least"),
    [
        (lambda: chaplygin(Flat(cubic=0.3), (0, 1), R1), 1e-5),  # A is not linear
        (mobile_robot, 1e-4),  # nor here
    ],
    ids=["nonlinear", "mobile-robot"],
)
def test_theorem_7_5_4_fails_outside(make, least):
    apart, alpha = difference(make())
    assert alpha < 1e-14  # the reduced system is Hamiltonian all the same
    assert apart > least


def test_theorem_7_5_4_needs_the_gyroscopic_form_to_vanish():
    apart, alpha = difference(particle())
    assert alpha > 1e-2 and apart > 1e-3


# -- a method like the others -------------------------------------------------------------------


def test_order_and_reversibility():
    system = da.systems.NonholonomicParticle()
    c = chaplygin(system, (0, 1), R1)
    errors = []
    for h in (0.1, 0.05):
        run = da.simulate(c.reduced, RDLA(), h=h, steps=round(2 / h))
        q, v = system.closed_form(run.t[-1])
        errors.append(np.max(np.abs([run.q[-1] - q[:2], run.v[-1] - v[:2]])))
    assert abs(np.log2(errors[0] / errors[1]) - RDLA().traits.order) < 0.2
    assert RDLA(da.EulerA()).traits.order == 1
    assert RDLA(da.EulerA()).adjoint() == RDLA(da.EulerB())
    q, v = c.reduced.initial()
    back = there_and_back(c.reduced, RDLA(), q, v, h=0.1, steps=20)
    np.testing.assert_allclose(back[0], q, atol=1e-12)
    np.testing.assert_allclose(back[1], v, atol=1e-12)


def test_start_from_a_pair():
    c = particle(stiffness=1.0)
    run = da.simulate(c.reduced, RDLA(), h=H, steps=6)
    again = da.simulate(c.reduced, RDLA(), run.q[0], q1=run.q[1], h=H, steps=6)
    np.testing.assert_allclose(again.q, run.q, atol=1e-12)


def test_misuse():
    with pytest.raises(da.UsageError, match="reduced system of a Chaplygin system"):
        da.simulate(da.systems.NonholonomicParticle(), RDLA(), h=0.1, steps=1)
    with pytest.raises(da.UsageError, match="does not give the move of the group"):
        da.simulate(particle().reduced, RDLA(da.MoserVeselov()), h=0.1, steps=1)
    assert RDLA().name == "rdla-midpoint"
    assert RDLA(da.Trapezoidal(), da.Midpoint()).name == "rdla-trapezoidal-midpoint"
