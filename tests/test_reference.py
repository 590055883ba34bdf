"""The classical solvers: order of RK4, the adaptive reference against SciPy, gradients."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import SO, Euclidean, Product, UsageError, dynamics


class Particle(da.System):
    """Nonlinear, with a metric that depends on q, an affine time-dependent constraint, a force."""

    a: float = 0.4

    space = Euclidean(3)

    def lagrangian(self, q, v):
        bend = 1.0 + self.a * jnp.sin(q[0]) ** 2
        return 0.5 * (bend * v[0] ** 2 + v[1] ** 2 + 2.0 * v[2] ** 2) - jnp.cos(q[1]) - q[0] ** 2

    def constraint(self, q):
        return jnp.array([[jnp.cos(q[1]), q[0], -1.0]])

    def offset(self, t, q):
        return 0.2 * jnp.stack([jnp.sin(t) + q[1]])

    def force(self, t, q, v):
        return jnp.stack([-0.1 * v[0], self.a * jnp.cos(t), 0.0 * t])

    def initial(self):
        q = jnp.array([0.3, 0.5, 0.0])
        v = jnp.array([0.8, -0.6, 0.0])
        return q, v.at[2].set((self.constraint(q) @ v - self.offset(0.0, q))[0])


class Ball(da.System):
    """An unbalanced ball on the plane, on R^2 x SO(3)."""

    a: float = 0.3

    space = Product(Euclidean(2), SO(3))

    def lagrangian(self, q, v):
        x, R = q
        J = jnp.diag(jnp.array([1.0, 1.5, 2.0]))
        return 0.5 * v[:2] @ v[:2] + 0.5 * v[2:] @ (J @ v[2:]) - self.a * R[2, 2] - 0.1 * x @ x

    def constraint(self, q):
        _, R = q
        return jnp.concatenate([jnp.eye(2), jnp.stack([-R[1], R[0]])], axis=1)

    def initial(self):
        q = (jnp.zeros(2), jnp.eye(3))
        w = jnp.array([0.7, -0.4, 1.1])
        return q, jnp.concatenate([jnp.stack([w[1], -w[0]]), w])


CLASSES = [Particle, Ball]


REFERENCE = da.Reference(rtol=1e-13, atol=1e-15)  # one method, so that it compiles once


@functools.cache
def reference(cls):
    return da.simulate(cls(), REFERENCE, h=0.25, steps=8)


def flat(traj):
    """(q, v) of the rows of a trajectory as one array."""
    leaves = [np.asarray(x).reshape(len(traj), -1) for x in jax.tree.leaves(traj.q)]
    return np.concatenate([*leaves, np.asarray(traj.v)], axis=1)


@pytest.mark.parametrize("cls", CLASSES)
def test_rk4_has_order_4(cls):
    exact = flat(reference(cls))[-1]
    steps = np.array([20, 40, 80])
    errors = [
        np.max(np.abs(flat(da.simulate(cls(), da.RK4(), h=2.0 / n, steps=int(n)))[-1] - exact))
        for n in steps
    ]
    slopes = np.log2(np.divide(errors[:-1], errors[1:]))
    assert errors[-1] > 1e-10  # above the accuracy of what it is compared with
    np.testing.assert_allclose(slopes, 4.0, atol=0.2)
    np.testing.assert_allclose(slopes[-1], 4.0, atol=0.1)


def test_rotations_stay_rotations():
    for method in (da.RK4(), REFERENCE):
        traj = da.simulate(Ball(), method, h=0.1, steps=250, save_every=50)
        R = np.asarray(traj.q[1])
        defect = np.swapaxes(R, 1, 2) @ R - np.eye(3)
        assert np.max(np.abs(defect)) < 1e-14
        assert np.all(np.linalg.det(R) > 0)


def test_reference_agrees_with_scipy_on_a_flat_space():
    from scipy.integrate import solve_ivp

    system, (q, v) = Particle(), Particle().initial()
    a = jax.jit(lambda t, q, v: dynamics.acceleration(Particle(), q, v, t))

    def field(t, x):
        return np.concatenate([x[3:], a(t, x[:3], x[3:])])

    traj = reference(Particle)
    start = np.concatenate([q, v])
    solution = solve_ivp(field, (0, 2), start, "DOP853", np.asarray(traj.t), rtol=1e-12, atol=1e-13)
    assert system.has_offset and system.has_force
    np.testing.assert_allclose(flat(traj), solution.y.T, atol=1e-9)


def test_reference_agrees_with_scipy_on_a_group():
    """SciPy integrates the nine entries of R as they are: R' = R hat(w)."""
    from scipy.integrate import solve_ivp

    (x, R), v = Ball().initial()
    hat = SO(3).hat

    @jax.jit
    def field(t, y):
        x, R, v = y[:2], y[2:11].reshape(3, 3), y[11:]
        dv = dynamics.acceleration(Ball(), (x, R), v, t)
        return jnp.concatenate([v[:2], (R @ hat(v[2:])).ravel(), dv])

    traj = reference(Ball)
    start = np.concatenate([x, R.ravel(), v])
    solution = solve_ivp(
        lambda t, y: np.asarray(field(t, y)),
        (0, 2),
        start,
        "DOP853",
        np.asarray(traj.t),
        rtol=1e-12,
        atol=1e-13,
    )
    np.testing.assert_allclose(flat(traj), solution.y.T, atol=1e-9)


@pytest.mark.parametrize("cls", CLASSES)
def test_reference_stays_on_the_constraint(cls):
    traj = reference(cls)
    residual = jax.vmap(functools.partial(dynamics.constraint_residual, cls()))
    assert np.max(np.abs(residual(traj.q, traj.v, traj.t))) < 1e-14


@pytest.mark.parametrize("cls", CLASSES)
def test_reported_momentum_and_multiplier(cls):
    """Each row reports the momentum and the physical multiplier of its own (t, q, v)."""
    traj = reference(cls)
    system = cls()
    p = jax.jit(jax.vmap(functools.partial(dynamics.momentum, system)))(traj.q, traj.v)
    lam = jax.jit(jax.vmap(functools.partial(dynamics.multipliers, system)))(traj.q, traj.v, traj.t)
    np.testing.assert_allclose(traj.p, p, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(traj.multiplier, lam, rtol=1e-12, atol=1e-12)


def test_gradient_of_the_reference():
    """Reverse mode through the adaptive solver, for a parameter and for the initial position."""
    q, v = Particle().initial()
    weights = jnp.array([1.0, 2.0, -1.0])

    def final(a, shift):
        # z appears nowhere but in the constraint, as a velocity: v0 stays consistent
        q0 = q + shift * jnp.array([0.0, 0.0, 1.0])
        return da.simulate(Particle(a=a), REFERENCE, q0, v, h=0.5, steps=2).final.q @ weights

    slopes = jax.jit(jax.grad(final, (0, 1)))(0.4, 0.0)
    eps = 1e-4
    by_a = (final(0.4 + eps, 0.0) - final(0.4 - eps, 0.0)) / (2 * eps)
    np.testing.assert_allclose(slopes, [by_a, -1.0], rtol=1e-7)
    assert abs(float(by_a)) > 1e-2


def test_giving_up_is_told():
    class Falling(da.System):
        """x'' = 3 x^2 is infinite after a finite time."""

        space = Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v @ v + q[0] ** 3

    with pytest.raises(da.SimulationError, match="adaptive solver could not reach") as caught:
        da.simulate(Falling(), da.Reference(max_steps=64), [2.0], [2.0], h=0.25, steps=40)
    error = caught.value
    assert 1 <= error.step < 8
    assert len(error.trajectory) == error.step
    assert np.all(np.isfinite(error.trajectory.q))


def test_misuse_is_told():
    for rtol, atol in ((0.0, 1e-12), (2.0, 1e-12), (1e-9, 0.0), (1e-16, 1e-12)):
        with pytest.raises(UsageError, match="Reference needs 1e-15 <= rtol < 1 and atol > 0"):
            da.Reference(rtol=rtol, atol=atol)
