"""Minimum effort by transcription: derivatives, closed forms, bounds, misuse."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import dalembert as da
from dalembert import control
from dalembert.control.optimal import _ends
from dalembert.control.transcription import Transcription


class Cart(da.MechanicalSystem):
    """A mass on a line."""

    space = da.Euclidean(1)
    m: float = 2.0

    @property
    def mass(self):
        return jnp.array([[self.m]])

    def inputs(self, q):
        return jnp.ones((1, 1))


class Sleigh(da.systems.ChaplyginSleigh):
    """With a force along the blade and a torque."""

    input_names = ("force", "torque")

    def inputs(self, q):
        o = jnp.zeros(())
        return jnp.stack([jnp.stack([jnp.cos(q[2]), jnp.sin(q[2]), o]), jnp.eye(3)[2]])


def test_a_mass_on_a_line_has_a_closed_form():
    """u = 6 m d (1 - 2 t/T)/T^2 with the effort 12 m^2 d^2/T^3: linear in t, so Gauss is exact."""
    found = control.minimum_effort(Cart(), [0.7], jnp.zeros(1), duration=1.5, steps=6)
    assert found.gradient < 1e-8 and found.miss < 1e-10
    np.testing.assert_allclose(found.cost, 12 * 4 * 0.49 / 1.5**3, rtol=1e-10)
    t = jnp.asarray(0.4)
    np.testing.assert_allclose(
        found.control(t), [6 * 2 * 0.7 / 1.5**2 * (1 - 0.8 / 1.5)], rtol=1e-9
    )
    run = found.simulate(da.Gauss(3), refine=2)
    np.testing.assert_allclose([run.q[-1, 0], run.v[-1, 0]], [0.7, 0.0], atol=1e-10)
    largest = float(np.max(np.abs(found.control.values)))
    bounded = control.minimum_effort(
        Cart(), [0.7], jnp.zeros(1), duration=1.5, steps=6, limit=0.8 * largest, guess=found
    )
    u = np.asarray(bounded.control.values)
    assert bounded.gradient < 1e-8 and bounded.cost > found.cost
    assert np.max(np.abs(u)) <= 0.8 * largest and np.sum(np.abs(u) > 0.799 * largest) >= 2


def test_bounds_that_cannot_be_met_are_told():
    """In T at most d = u T^2/(4 m) is reached."""
    reach = 1.0 * 1.5**2 / 4 / 2
    with pytest.raises(da.UsageError, match="wider bounds"):
        control.minimum_effort(
            Cart(), [1.2 * reach], jnp.zeros(1), duration=1.5, steps=6, limit=1.0
        )


@pytest.mark.parametrize("method", [da.DLA(), da.GNI()], ids=["dla", "gni"])
def test_derivatives_of_a_run_on_a_sleigh(method):
    """Slopes and curvatures, put together from those of one step, against differences."""
    made = Transcription(Sleigh(), method, np.zeros(3), 0.2, 4, 1)
    rng = np.random.default_rng(0)
    u, nu = rng.normal(size=8), rng.normal(size=5)
    z = made.run(u)
    ends = _ends(made, np.array([0.3, 0.1, 0.2]), np.ones(3, bool), z[-1])

    def gradient(u):
        z = made.run(u)
        at = made.slopes(z, u, ends)
        return nu @ at.C @ made.moved(at)[-1]

    at = made.slopes(z, u, ends)
    H = made.curvature(z, u, ends, at, made.moved(at), nu)
    step, way = 1e-5, rng.normal(size=8)
    there, back = u + step * way, u - step * way
    rate = nu @ (made.gap(made.run(there), ends) - made.gap(made.run(back), ends)) / (2 * step)
    np.testing.assert_allclose(gradient(u) @ way, rate, rtol=1e-7)
    bent = (gradient(there) - gradient(back)) / (2 * step)
    np.testing.assert_allclose(H @ way, bent, atol=1e-6 * np.max(np.abs(bent)))
    run = da.simulate(
        Sleigh(), method, jnp.zeros(3), jnp.zeros(3), h=0.2, steps=4,
        u=control.Pieces(jnp.asarray(0.2), jnp.asarray(u.reshape(4, 1, 2))),
    )  # fmt: skip
    np.testing.assert_allclose(made.nodes_of(z)[-1], [*run.q[-1], *run.v[-1]], atol=1e-9)


class Pushed(da.MechanicalSystem):
    """A mass under gravity with a force on it, and one that nothing moves."""

    space = da.Euclidean(2)
    mass = jnp.diag(jnp.array([2.0, 1.0]))

    def potential(self, q):
        return 9.81 * q[0]

    def inputs(self, q):
        return jnp.eye(2)[:1]


class OnBelt(Pushed):
    def constraint(self, q):
        return jnp.array([[0.0, 1.0]])

    def offset(self, t, q):
        return jnp.array([0.3])


def test_gravity_and_what_no_control_moves():
    """Gravity adds its own square; speeds that stay zero anyhow are no conditions that fail."""
    options = {"duration": 1.0, "steps": 4, "method": da.Gauss(1)}
    found = control.minimum_effort(Pushed(), [0.5], jnp.zeros(2), **options)
    wanted = 12.0 / (1.0 - 1 / 16) + 9.81**2  # of N pieces: 12 m^2 d^2 / T^3 / (1 - 1/N^2) + g^2 T
    np.testing.assert_allclose(found.cost, wanted, rtol=1e-10)
    assert found.gradient < 1e-8 and found.miss < 1e-10
    with pytest.raises(da.UsageError, match="only 2 of the 4 numbers"):
        control.minimum_effort(Pushed(), [0.5, 0.5], jnp.zeros(2), **options)
    with pytest.raises(da.UsageError, match="cannot be at rest"):
        control.minimum_effort(OnBelt(), [0.5], jnp.zeros(2), **options)
    for match, more in (
        ("integer", {"steps": 2.5}),
        ("at least 1", {"nodes": 0}),
        ("one of each", {"limit": [1, 2, 3]}),
        ("function of time", {"guess": 3.0}),
        ("1 finite numbers", {"guess": lambda t: jnp.ones(3)}),
    ):
        with pytest.raises(da.UsageError, match=match):
            control.minimum_effort(Pushed(), [0.5], jnp.zeros(2), **(options | more))
    with pytest.raises(da.UsageError, match="shape"):
        control.minimum_effort(Pushed(), [0.5], jnp.zeros(3), **options)


@pytest.mark.parametrize(("method", "off"), [(da.DLA(), 0.02), (da.Gauss(2), 3e-5)])
def test_least_effort_of_a_sleigh(method, off):
    """Against the least effort with 80 steps of Gauss(2), 2.98341."""
    wave = lambda t: jnp.stack([jnp.cos(np.pi * t / 2), 0.4 * jnp.cos(np.pi * t / 2)])
    found = control.minimum_effort(
        Sleigh(), [0.8, 0.5, 0.9], jnp.zeros(3), duration=2.0, steps=10, method=method, guess=wave
    )
    assert found.gradient < 1e-8 and found.miss < 1e-9 and found.curvature > 0
    np.testing.assert_allclose(found.states[-1], [0.8, 0.5, 0.9, 0, 0, 0], atol=1e-8)
    np.testing.assert_allclose(found.cost, 2.98341, rtol=off)


def test_what_is_refused():
    options = {"duration": 2.0, "steps": 10, "method": da.DLA()}
    with pytest.raises(da.UsageError, match="duration"):
        control.minimum_effort(Sleigh(), [1.0], jnp.zeros(3))
    with pytest.raises(da.UsageError, match="positive"):
        control.minimum_effort(Sleigh(), [1.0], jnp.zeros(3), limit=0.0, **options)
    with pytest.raises(da.UsageError, match=r"SE\(2\)"):
        control.minimum_effort(da.systems.UnderwaterVehicle(), [1.0], duration=1.0)
    with pytest.raises(da.UsageError, match="Gauss or DLA"):
        control.minimum_effort(
            da.systems.UnderwaterVehicle(), jnp.eye(3), duration=1.0, method=da.GNI()
        )


# -- Lie groups ----------------------------------------------------------------------------------


class Satellite(da.System):
    """A rigid body with torques about its first two axes."""

    inertia: tuple[float, float, float] = (1.0, 2.0, 3.0)
    space = da.SO(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ (jnp.array(self.inertia) * v)

    def inputs(self, q):
        return jnp.eye(3)[:2]


TURN = np.array([0.3, -0.2, 0.5])  # what a satellite with two torques is to turn by, in 2 s


def extremal(x0, T=2.0):
    """Pontryagin's equations of the satellite from rest: where they lead, and the effort."""
    J = np.array([1.0, 2.0, 3.0])

    def rates(t, x):
        A, w, mu, lam = x[:9].reshape(3, 3), x[9:12], x[12:15], x[15:18]
        u = 0.5 * lam / J * np.array([1.0, 1.0, 0.0])
        k = lam / J
        hat = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        pull = J * np.cross(w, k) + np.cross(k, J * w)  # d/dw of k . (J w) x w
        turned, sped = np.cross(mu, w), (np.cross(J * w, w) + u) / J
        return np.concatenate([(A @ hat).ravel(), sped, turned, -mu - pull, [u @ u]])

    start = np.concatenate([np.eye(3).ravel(), np.zeros(3), x0, [0.0]])
    x = solve_ivp(rates, (0, T), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    goal = Rotation.from_rotvec(TURN).as_matrix()
    off = Rotation.from_matrix(goal.T @ x[:9].reshape(3, 3)).as_rotvec()
    return np.concatenate([off, x[9:12]]), x[-1]


def test_a_satellite_turns_about_one_axis():
    """u = 6 J a (1 - 2 t/T)/T^2 with the effort 12 J^2 a^2/T^3."""
    target = jnp.asarray(Rotation.from_rotvec([0.8, 0.0, 0.0]).as_matrix())
    found = control.minimum_effort(
        Satellite(), target, jnp.eye(3), duration=1.5, steps=8, method=da.Gauss(4), starts=1
    )
    np.testing.assert_allclose(found.cost, 12 * 0.64 / 1.5**3, rtol=1e-8)
    assert found.gradient < 1e-8 and found.miss < 1e-10 and found.curvature > 0
    run = found.simulate(da.Gauss(3), refine=2)
    np.testing.assert_allclose(run.q[-1], target, atol=1e-9)


def test_least_effort_of_a_satellite_by_shooting():
    """About an axis that no torque acts on, against Pontryagin's equations to 1e-8.

    The covector at the start was found once, by shooting; here Newton's method starts next to it.
    """
    near = np.array([-34.86, 38.79, 108.76, -16.25, 11.98, 147.95])
    solved = root(lambda x: extremal(x)[0], near, tol=1e-13)
    off, effort = extremal(solved.x)
    assert np.max(np.abs(off)) < 1e-11
    target = jnp.asarray(Rotation.from_rotvec(TURN).as_matrix())
    options = {"duration": 2.0, "start": jnp.eye(3)}
    rough = control.minimum_effort(Satellite(), target, steps=10, **options)
    found = control.minimum_effort(
        Satellite(), target, steps=20, method=da.Gauss(4), guess=rough, **options
    )
    np.testing.assert_allclose(found.cost, effort, rtol=1e-9)
    assert rough.agree >= 2


def test_limits_that_are_not_reached_change_nothing():
    """A10: the same optimum with limits above its controls; with tighter ones it costs more."""
    task = Sleigh(), [0.0, 0.6, 0.0], jnp.zeros(3)
    options = {"duration": 2.0, "steps": 6, "method": da.DLA()}
    free = control.minimum_effort(*task, **options)
    largest = np.max(np.abs(np.asarray(free.control.values)), axis=(0, 1))
    for factor in (1.01, 3.0, 20.0):
        same = control.minimum_effort(*task, **options, limit=factor * largest)
        assert same.cost == free.cost
    tight = control.minimum_effort(*task, **options, limit=0.95 * largest)
    assert tight.cost > free.cost and tight.gradient < 1e-8
    assert np.all(np.abs(np.asarray(tight.control.values)) <= 0.95 * largest)
