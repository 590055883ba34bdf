"""Native gradients: runs backwards, against gradients of arrays, tangents and differences."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.running.programs import adjoint

SLEIGH = da.systems.ChaplyginSleigh
METHODS = [da.Gauss(2), da.DLA(), da.GNI(), da.RK4()]


class Cart(da.System):
    """A knife edge that is pushed and turned; cheap to compile."""

    m: float = 1.0
    J: float = 0.7

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + 0.5 * self.J * v[2] ** 2

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def inputs(self, q):
        return jnp.array([[jnp.cos(q[2]), jnp.sin(q[2]), 0.0], [0.0, 0.0, 1.0]])


def loss(traj):
    """Of everything that a row has, with different weights for each."""
    parts = jnp.sum(jnp.sin(traj.q)) + jnp.sum(traj.v**2) + 0.3 * jnp.sum(traj.multiplier)
    return parts + 0.1 * jnp.sum(traj.p * traj.t[:, None])


def of_sleigh(numbers, method, every=40, engine=None, steps=40):
    a, J, speed, h = numbers
    q, v = SLEIGH().initial()
    run = {"h": h, "steps": steps, "save_every": every, "engine": engine}
    traj = da.simulate(SLEIGH(a=a, J=J), method, jnp.asarray(q), speed * jnp.asarray(v), **run)
    return loss(traj), traj.meta.engine


NUMBERS = jnp.array([0.2, 1.1, 0.9, 0.05])


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_gradients_are_those_of_arrays(method):
    """By parameters, start and step size, of all rows and of every tenth one."""
    for every in (1, 10):
        native, engine = jax.grad(of_sleigh, has_aux=True)(NUMBERS, method, every)
        arrays, _ = jax.grad(of_sleigh, has_aux=True)(NUMBERS, method, every, "arrays")
        assert engine == "native"
        np.testing.assert_allclose(native, arrays, rtol=1e-10, atol=1e-10)


def test_gradients_are_those_of_differences():
    """Of a run with rows between; without arrays, which take ten times as long to compile."""
    found, engine = jax.grad(of_sleigh, has_aux=True)(NUMBERS, da.RK4(), 5)
    assert engine == "native"
    for i in range(len(NUMBERS)):
        step = jnp.zeros(len(NUMBERS)).at[i].set(1e-4)
        ends = [of_sleigh(NUMBERS + s * step, da.RK4(), 5)[0] for s in (2, 1, -1, -2)]
        difference = (8 * (ends[1] - ends[2]) - (ends[0] - ends[3])) / (12 * 1e-4)
        np.testing.assert_allclose(found[i], difference, rtol=1e-7)


def test_forward_mode_and_second_derivatives():
    def end(numbers):
        return of_sleigh(numbers, da.RK4())[0]

    gradient = jax.jit(jax.grad(end))
    np.testing.assert_allclose(jax.jacfwd(end)(NUMBERS), gradient(NUMBERS), rtol=1e-10)
    step = 1e-5 * jnp.array([1.0, -1.0, 0.5, 0.1])
    difference = (gradient(NUMBERS + step) - gradient(NUMBERS - step)) / 2
    along = jax.jvp(jax.grad(end), (NUMBERS,), (step,))[1]
    np.testing.assert_allclose(along, difference, rtol=1e-6)


def test_many_members_by_vmap():
    points = NUMBERS[None] * (1.0 + 0.02 * jnp.arange(3)[:, None])

    def gradient(numbers):
        return jax.grad(of_sleigh, has_aux=True)(numbers, da.DLA())[0]

    many = jax.jit(jax.vmap(gradient))(points)
    for found, point in zip(many, points):
        np.testing.assert_allclose(found, gradient(point), rtol=1e-12)


def test_long_runs_make_their_chunks_again(monkeypatch):
    """Stored or not: the same gradient to the last digit, with a chunk that is not full."""
    whole, _ = jax.grad(of_sleigh, has_aux=True)(NUMBERS, da.RK4(), 5)
    monkeypatch.setattr(adjoint, "_STORED_BYTES", 0)
    monkeypatch.setattr(adjoint, "_CHUNK", 12)
    again, _ = jax.grad(of_sleigh, has_aux=True)(NUMBERS, da.RK4(), 5)
    np.testing.assert_array_equal(again, whole)


@pytest.mark.parametrize("hold", [True, False])
@pytest.mark.parametrize("density", [0.3, 1.0, 3.0])
def test_a_table_of_inputs(hold, density):
    """Each step reads a window of the table; entries are between steps, at them, or far apart."""
    h, steps = 0.05, 40
    times = np.arange(-0.1, 1.9, h / density)
    values = 0.3 * np.stack([np.sin(3 * times), np.cos(times)], axis=1)

    def end(values, m, engine=None):
        u = da.control.Table(times, values, hold=hold)
        run = {"h": h, "steps": steps, "save_every": 20, "u": u, "engine": engine}
        q, v = jnp.array([0.0, 0.0, 0.4]), jnp.array([jnp.cos(0.4), jnp.sin(0.4), 0.2])
        traj = da.simulate(Cart(m=m), da.RK4(), q, v, **run)
        return loss(traj), traj.meta.engine

    found, engine = jax.grad(end, (0, 1), has_aux=True)(values, 1.3)
    expected, _ = jax.grad(end, (0, 1), has_aux=True)(values, 1.3, "arrays")
    assert engine == "native"
    for a, b in zip(found, expected):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)
    assert np.count_nonzero(found[0]) > len(times)  # of both inputs


def test_times_of_a_table_are_differentiated_by_arrays():
    def end(shift):
        u = da.control.Table(jnp.array([0.0, 1.0, 2.0]) + shift, np.eye(3)[:, :2])
        q, v = jnp.zeros(3), jnp.array([1.0, 0.0, 0.2])
        traj = da.simulate(Cart(), da.RK4(), q, v, h=0.05, steps=40, save_every=40, u=u)
        return traj.q[-1, 0], traj.meta.engine_reason

    slope, reason = jax.grad(end, has_aux=True)(0.113)
    assert "times of a table" in reason
    step = 1e-5
    difference = (end(0.113 + step)[0] - end(0.113 - step)[0]) / (2 * step)
    np.testing.assert_allclose(slope, difference, rtol=1e-7)


def test_attitudes_and_frames():
    """On a reduced space: an attitude beside the row, and the sweeps of Gauss on a group."""
    ball = da.systems.BallOnTurntable
    q, v = map(jnp.asarray, ball().initial())

    def end(speed, engine=None):
        run = {"h": 0.05, "steps": 40, "save_every": 20, "project": True, "engine": engine}
        traj = da.simulate(ball(), da.Gauss(2), q, speed * v, **run)
        return jnp.sum(jnp.sin(traj.frame)) + jnp.sum(traj.q**2), traj.meta.engine

    found, engine = jax.grad(end, has_aux=True)(1.1)
    assert engine == "native"
    np.testing.assert_allclose(found, jax.grad(end, has_aux=True)(1.1, "arrays")[0], rtol=1e-10)


class Stiff(da.MechanicalSystem):
    """A spring for which sweeps do not contract: h^2 k = 40."""

    space, mass = da.Euclidean(1), np.eye(1)
    k: float = 4e3

    def potential(self, q):
        return 0.5 * self.k * q[0] ** 2 + 0.1 * q[0] ** 4


def test_stiff_steps_are_solved_by_the_matrix():
    def end(k, engine=None):
        run = {"h": 0.1, "steps": 40, "save_every": 40, "engine": engine}
        traj = da.simulate(Stiff(k=k), da.Gauss(2), jnp.ones(1), jnp.zeros(1), **run)
        return traj.q[-1, 0] + 0.01 * traj.v[-1, 0], traj.meta.engine

    found, engine = jax.grad(end, has_aux=True)(4e3)
    assert engine == "native"
    np.testing.assert_allclose(found, jax.grad(end, has_aux=True)(4e3, "arrays")[0], rtol=1e-9)


def test_a_failed_run_has_no_gradient():
    class Wall(da.MechanicalSystem):
        space, mass = da.Euclidean(1), np.eye(1)

        def potential(self, q):
            return 1e-3 * jnp.sqrt(1.0 - q[0])

    def end(v):
        traj = da.simulate(Wall(), da.RK4(), jnp.zeros(1), v, h=0.01, steps=100, save_every=50)
        return traj.q[-1, 0], traj.result

    slope, result = jax.grad(end, has_aux=True)(jnp.array([5.0]))
    assert result[-1] != 0 and np.all(np.isnan(slope))
    assert np.all(np.isfinite(jax.grad(end, has_aux=True)(jnp.array([0.1]))[0]))
