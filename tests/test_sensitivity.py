"""Derivatives of motions on groups and on reduced spaces, by closed forms and by other routes."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.groupoids import move

SO3 = da.SO(3)
ATTITUDE = np.asarray(SO3.exp(jnp.array([0.3, -0.4, 0.5])))
RATE = np.array([0.7, -0.3, 0.9])


class Body(da.System):
    """A free body that turns about a point."""

    inertia: jax.Array = da.parameter((2.0, 2.0, 2.0), "kg m^2", "moments", shape=(3,))
    space = SO3

    def lagrangian(self, q, v):
        return 0.5 * v @ (jnp.asarray(self.inertia) * v)


class Heavy(da.System):
    """A heavy body that may not turn about one of its axes; reduced, x is gravity seen from it."""

    weight: float = 0.8
    reduced: bool = False

    @property
    def space(self):
        return da.Action(da.Euclidean(3), SO3) if self.reduced else SO3

    def lagrangian(self, q, v):
        I = jnp.array([[1.0, 0.1, 0.2], [0.1, 1.4, 0.0], [0.2, 0.0, 1.9]])
        seen = q if self.reduced else q[2]
        return 0.5 * v @ (I @ v) - self.weight * seen @ jnp.array([0.3, 0.1, 0.9])

    def constraint(self, q):
        return jnp.array([[0.0, 0.2, 1.0]])


class Leaning(Body):
    """A body whose third axis leans by a constant angle."""

    def lagrangian(self, q, v):
        return super().lagrangian(q, v) - 0.5 * q[0, 1]

    def holonomic(self, q):
        return jnp.array([q[2, 2] - 0.6])


def differences(system, q0, v0, t, found, directions):
    """Columns of derivatives along directions, by runs beside the motion."""
    groupoid, n = system.groupoid, system.dim
    base = groupoid.base

    def end(x):
        q = move(groupoid, jax.tree.map(jnp.asarray, q0), x[:n])
        run = da.simulate(system, da.Taylor(), q, v0 + x[n:], h=t, steps=1, project=True).final
        back = base.inv(jax.tree.map(jnp.asarray, found.q))
        return np.concatenate([base.log(base.mul(back, run.q)), run.v])

    def slope(d):
        near, far = (end(s * d) - end(-s * d) for s in (1e-3, 2e-3))
        return (8 * near - far) / 12e-3

    return np.stack([slope(d) for d in directions], axis=1)


def test_a_free_body_turns_its_neighbors():
    """q(t) = q0 exp(y) exp(t (v + w)): eta = Ad(exp(-tv)) y + t dexp(-tv) w; I changes nothing."""
    t = 2.0
    found = da.sensitivities(Body(), ATTITUDE, RATE, t=t, parameters=("inertia",))
    turned = -t * jnp.asarray(RATE)
    np.testing.assert_allclose(found.q, ATTITUDE @ SO3.exp(-turned), atol=3e-15)
    zero, one = np.zeros((3, 3)), np.eye(3)
    exact = np.block([[SO3.Ad(SO3.exp(turned)), t * SO3.dexp(turned)], [zero, one]])
    np.testing.assert_allclose(found.initial, exact, atol=3e-15)
    # I_2 v_2' = (I_3 - I_1) v_3 v_1: moments that change apart do change the motion
    assert np.abs(found.parameters["inertia"]).max() > 0.1
    np.testing.assert_allclose(found.parameters["inertia"].sum(axis=1), 0.0, atol=1e-14)


def test_reduced_and_not_and_by_the_derivative_of_gauss():
    """The frame of the reduced body is the attitude, but for where it starts."""
    t, steps = 0.5, 5
    v0 = np.array([0.7, 0.5, -0.1])
    found = da.sensitivities(Heavy(), ATTITUDE, v0, t=t, parameters=("weight",))
    less = da.sensitivities(Heavy(reduced=True), ATTITUDE[2], v0, t=t, parameters=("weight",))
    np.testing.assert_allclose(ATTITUDE @ less.frame, found.q, atol=1e-14)
    np.testing.assert_allclose(less.initial, found.initial, atol=1e-13)
    np.testing.assert_allclose(less.parameters["weight"], found.parameters["weight"], atol=1e-13)

    def end(x, weight):
        q = jnp.asarray(ATTITUDE) @ SO3.exp(x[:3])
        system = dataclasses.replace(Heavy(), weight=weight)
        run = da.simulate(system, da.Gauss(4), q, x[3:], h=t / steps, steps=steps, project=True)
        return jnp.concatenate([SO3.log(found.q.T @ run.q[-1]), run.v[-1]])

    x = jnp.concatenate([jnp.zeros(3), v0])
    by_start, by_weight = jax.jit(jax.jacfwd(end, (0, 1)))(x, jnp.asarray(0.8))
    np.testing.assert_allclose(found.initial, by_start, atol=1e-11)
    np.testing.assert_allclose(found.parameters["weight"], by_weight, atol=1e-11)


def test_balls_on_a_table_and_holonomic_functions_by_differences():
    ball = da.systems.BallOnTurntableGlobal()
    q0, v0 = jax.tree.map(np.asarray, ball.initial())
    found = da.sensitivities(ball, q0, v0, t=1.0)
    directions = np.random.default_rng(1).standard_normal((2, 10))
    slopes = differences(ball, q0, v0, 1.0, found, directions)
    np.testing.assert_allclose(found.initial @ directions.T, slopes, atol=1e-9)

    leaning = Leaning()
    q0 = np.asarray(da.dynamics.consistent_position(leaning, jnp.asarray(ATTITUDE)))
    v0 = np.asarray(da.dynamics.consistent_velocity(leaning, jnp.asarray(q0), jnp.asarray(RATE)))
    found = da.sensitivities(leaning, q0, v0, t=1.0)
    directions = np.random.default_rng(2).standard_normal((2, 6))
    slopes = differences(leaning, q0, v0, 1.0, found, directions)
    np.testing.assert_allclose(found.initial @ directions.T, slopes, atol=1e-9)
    # neighbors lean by the same angle, at the end as well
    rows = da.dynamics.constraint_matrix(leaning, jnp.asarray(found.q), jnp.asarray(found.v))
    np.testing.assert_allclose(rows @ found.initial[:3], 0.0, atol=1e-13)


def test_what_cannot_be_followed_is_refused():
    class Slow(da.systems.Suslov):
        def holonomic(self, q):
            return jnp.zeros(1)

    with pytest.raises(da.UsageError, match="reduced system with holonomic functions"):
        da.sensitivities(Slow(), t=1.0)
    with pytest.raises(da.UsageError, match=r"Taylor\(tol\), not by Gauss"):
        da.sensitivities(Body(), ATTITUDE, RATE, t=1.0, method=da.Gauss(4))


def test_the_middle_axis_is_unstable():
    """Neighbors of a turn about it part like e^(st), s^2 = w^2 (I2 - I1)(I3 - I2)/(I1 I3)."""
    body = Body(jnp.array([1.0, 2.0, 3.5]))
    found = da.lyapunov(body, ATTITUDE, np.array([0.0, 1.2, 0.0]), t=40.0, count=1, every=2.0)
    grown = found.t * found.means[:, 0]
    s = 1.2 * np.sqrt(1.0 * 1.5 / 3.5)
    assert (grown[-1] - grown[9]) / 20.0 == pytest.approx(s, abs=1e-7)
    still = da.lyapunov(body, ATTITUDE, np.array([0.0, 0.0, 1.2]), t=40.0, count=1, every=2.0)
    assert abs(still.exponents[0]) < 0.15


class Stepped(da.System):
    """A point that is pushed from q = 0.5 on, from t = 0.5 on, or by a spring that only pulls."""

    by: str = eqx.field(static=True, default="place")
    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2

    def force(self, t, q, v):
        if self.by == "spring":
            return -jnp.maximum(q, 0.0)
        return jnp.where(q > 0.5 if self.by == "place" else t > 0.5, 1.0, 0.0) * jnp.ones(1)


def test_derivatives_of_a_force_that_jumps():
    """v(1) = 1 + (0.5 + dq0): when it jumps has changed, which no derivative of the force tells."""
    with pytest.raises(da.SimulationError, match=r"stepped: its force jumps at t = 0\.5"):
        da.sensitivities(Stepped(), [0.0], [1.0], t=1.0)
    with pytest.raises(da.SimulationError, match="its force jumps"):
        da.lyapunov(Stepped(), [0.0], [1.0], t=2.0)
    free = [[1.0, 0.4], [0.0, 1.0]]
    before = da.sensitivities(Stepped(), [0.0], [1.0], t=0.4)
    np.testing.assert_allclose(before.initial, free, atol=1e-14)
    at_a_time = da.sensitivities(Stepped("time"), [0.0], [1.0], t=1.0)
    np.testing.assert_allclose(at_a_time.initial, [[1.0, 1.0], [0.0, 1.0]], atol=1e-14)
    # q = cos t + dv0 sin t until q = 0 at t = pi/2 + dv0, then straight on: a kink is no jump
    kink = da.sensitivities(Stepped("spring"), [1.0], [0.0], t=3.0)
    np.testing.assert_allclose(kink.initial, [[np.pi / 2 - 3.0, 1.0], [-1.0, 0.0]], atol=1e-6)


def test_exponents_that_no_digit_tells_are_refused():
    class Unstable(da.System):
        """q'' = 100 q."""

        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v[0] ** 2 + 50.0 * q[0] ** 2

    given = {"q0": [0.0], "v0": [0.0], "t": 20.0, "count": 2}
    with pytest.raises(da.SimulationError, match="take every smaller than 20"):
        da.lyapunov(Unstable(), every=20.0, **given)
    np.testing.assert_allclose(da.lyapunov(Unstable(), **given).exponents, [10, -10], atol=0.1)
    with pytest.raises(da.UsageError, match="count must be at most 5: the constraint leaves"):
        da.lyapunov(da.systems.ChaplyginSleigh(), t=1.0, count=6)
