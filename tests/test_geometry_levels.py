"""Levels of the momentum: reduction to J^-1(mu)/G_mu, the bundle U_mu, the embedding."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import SO, Euclidean, Product, dynamics, geometry


class WithRotor(da.System):
    """A free body with a rotor whose axis lies skew in it, and a spring between them."""

    space = Product(SO(3), Euclidean(1))

    def lagrangian(self, q, v):
        relative = v[:3] @ jnp.array([0.3, 0.4, 0.866]) + v[3]
        body = 0.5 * jnp.array([1.0, 1.5, 2.2]) @ v[:3] ** 2
        return body + 0.2 * relative**2 + 0.3 * jnp.cos(q[1][0])

    def initial(self):
        R = SO(3).exp(jnp.array([0.2, -0.4, 0.7]))
        return (R, jnp.array([0.3])), jnp.array([0.8, -0.3, 0.5, 0.6])


class Top(da.System):
    """A free body."""

    space = SO(3)

    def lagrangian(self, q, v):
        return 0.5 * jnp.array([1.0, 1.5, 2.2]) @ v**2

    def initial(self):
        return SO(3).exp(jnp.array([0.2, -0.4, 0.7])), jnp.array([0.8, -0.3, 0.5])


TURNS = geometry.Symmetry.from_fields(lambda R: R.T, "SO(3)")  # (e_a)_Q = R^T e_a in the body


def test_a_body_with_a_rotor_runs_on_its_level_and_comes_back():
    system, method = WithRotor(), da.Gauss(stages=4)
    body = geometry.general_reduction(system, (1,))
    level = geometry.level_reduction(body)
    assert level.dim == 4 and level.on_orbit and level.algebra.shape == (3, 1)
    run = da.simulate(level.system, method, h=0.05, steps=200)
    full = da.simulate(system, method, h=0.05, steps=200)
    q, v = level.reconstruct(run.t, run.q, run.v)
    assert np.max(np.abs(q[0] - full.q[0])) < 1e-9 and np.max(np.abs(q[1] - full.q[1])) < 1e-9
    assert np.max(np.abs(v - full.v)) < 1e-9
    # nu stays on the coadjoint orbit, a sphere
    length = np.linalg.norm(run.q[1], axis=1)
    assert np.ptp(length) < 1e-13 * length[0] and np.ptp(run.q[1][:, 0]) > 0.1
    # another level: other states
    other = geometry.level_reduction(body, [0.0, 0.3, 1.0])
    (r, nu), u = other.system.initial()
    J = geometry.spatial_momentum(body, r, other.split(*system.initial())[1], u)
    assert np.allclose(J, [0.0, 0.3, 1.0], atol=1e-13)
    with pytest.raises(da.UsageError, match="not over the first row"):
        level.reconstruct(run.t, run.q, run.v, (jnp.eye(3), jnp.array([0.3])))
    with pytest.raises(da.UsageError, match="3 entries"):
        geometry.level_reduction(body, [1.0])


def _board():
    """A snakeboard by SE(2) with the section along its ride, and the factor in closed form."""
    board = da.systems.Snakeboard()
    ride = lambda r: jnp.stack([jnp.cos(r[1]), 0.0 * r[1], -jnp.sin(r[1])])[:, None]
    locked = lambda r: board.m * jnp.cos(r[1]) ** 2 + (board.J + 2 * board.J1) * jnp.sin(r[1]) ** 2
    made = geometry.general_reduction(board, (3, 4), da.SE(2), sections=ride)
    return board, made, lambda r: (1.0 / jnp.sqrt(locked(r)))[None, None]


def test_a_snakeboard_runs_on_its_level_and_comes_back():
    (board, body, factors), method = _board(), da.Gauss(stages=4)
    level = geometry.level_reduction(body, factors=factors)
    assert level.dim == 4 and not level.on_orbit
    run = da.simulate(level.system, method, h=0.04, steps=125)
    full = da.simulate(board, method, h=0.04, steps=125)
    q, v = level.reconstruct(run.t, run.q, run.v)
    apart = np.array(q - full.q)
    apart[:, 2] = np.angle(np.exp(1j * apart[:, 2]))  # a turn is an angle in SE(2)
    assert np.max(np.abs(apart)) < 1e-9 and np.max(np.abs(v - full.v)) < 1e-9


def test_the_factors_that_are_found_are_those_in_closed_form():
    """Along the shapes of the run of 5 s, up to a constant: run and level then agree to 1e-9."""
    board, body, factors = _board()
    found = geometry.kept_section(body)
    assert found.verdict == "yes" and found.count == 1
    run = da.simulate(board, da.Gauss(stages=2), h=0.04, steps=125)
    shapes = jnp.asarray(run.q)[::5, 3:]
    assert np.ptp(shapes[:, 1]) > 1.0  # far enough
    ratio = np.array([(found.factors(r) / factors(r)).item() for r in shapes])
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)


def test_a_level_that_the_motion_leaves_is_refused():
    _, body, _ = _board()
    with pytest.raises(da.UsageError, match=r"does not stay on the level.*\(4.21\) fails"):
        geometry.level_reduction(body, factors=lambda r: jnp.ones((1, 1)))
    sleigh = geometry.general_reduction(da.systems.ChaplyginSleigh(), (), None, chart=_whole())
    with pytest.raises(da.UsageError, match="the motion stays on no level"):
        geometry.level_reduction(sleigh)


def _whole():
    from dalembert.geometry.reduction.charts import CoordinateChart

    return CoordinateChart((), (0, 1, 2), da.SE(2))


# -- U_mu ----------------------------------------------------------------------------------------


def test_omega_mu_of_a_body_is_the_form_of_kirillov():
    system = Top()
    R, v = system.initial()
    I = np.array([1.0, 1.5, 2.2])
    mu = np.asarray(R) @ (I * np.asarray(v))
    fixed, value = (lambda q: jnp.eye(3)), (lambda q: jnp.asarray(mu))
    found = geometry.level_bundle(system, TURNS, fixed, value, R, v)
    assert (found.dim, found.reduced, found.rank) == (3, 2, 2) and found.nondegenerate
    assert found.membership < 1e-12 and found.equation < 1e-12
    across = np.linalg.norm(np.cross(mu, found.isotropy[:, 0]))
    assert found.isotropy.shape == (3, 1) and across < 1e-9
    eta, Pi = found.basis[:3], I * np.asarray(v)
    wanted = [[-Pi @ np.cross(a, b) for b in eta.T] for a in eta.T]
    assert np.allclose(found.form, wanted, atol=1e-12)
    with pytest.raises(da.UsageError, match="off the level"):
        geometry.level_bundle(system, TURNS, fixed, value, R, v + 0.1)


def test_u_mu_of_the_particle_and_a_level_that_it_leaves():
    # the level x' sqrt(1 + y^2) = c modulo shifts of x and z is (y, y') with dy ^ dy'
    system = da.systems.NonholonomicParticle()
    xz = geometry.Symmetry.from_fields(lambda q: jnp.eye(3)[:, jnp.array([0, 2])], "xz")
    along = lambda q: jnp.stack([jnp.ones(()), q[1]])[:, None]
    kept = lambda q: 0.7 * jnp.sqrt(1.0 + q[1] ** 2)[None]
    q = jnp.array([0.2, 0.5, -0.3])
    v = geometry.level_velocity(system, xz, along, kept, q, jnp.array([0.1, 0.4, 0.0]))
    assert np.isclose(v[0], 0.7 / np.sqrt(1.25))
    found = geometry.level_bundle(system, xz, along, kept, q, v)
    assert found.membership < 1e-12 and found.equation < 1e-12
    assert found.reduced == 2 and found.nondegenerate and found.isotropy.shape == (2, 2)
    down = found.basis[[1, 4]]  # to (y, y')
    area = np.outer(down[0], down[1])
    assert np.allclose(found.form, area - area.T, atol=1e-12)
    # (4.21) fails on p = c: X is not tangent, and Prop. 4.4.10 says nothing
    fixed = lambda q: 0.7 * jnp.ones(1)
    w = geometry.level_velocity(system, xz, along, fixed, q, v)
    assert geometry.level_bundle(system, xz, along, fixed, q, w).membership > 0.01


# -- Theorem 4.3.2 -------------------------------------------------------------------------------


def test_the_level_is_embedded_in_the_tangent_bundle_of_q_modulo_g_mu():
    system = WithRotor()
    body = geometry.general_reduction(system, (1,))
    q = system.initial()[0]
    mu = np.array([0.4, -0.1, 1.7])
    found = geometry.level_embedding(body, mu, q)
    assert (found.fibre, found.target) == (1, 3) and found.injective and not found.onto
    assert found.momentum < 1e-13
    axis = mu / np.linalg.norm(mu)

    def about(q):  # the spatial angular velocity about mu: another connection
        return jnp.outer(axis, jnp.concatenate([axis @ q[0], jnp.zeros(1)]))

    assert geometry.level_embedding(body, mu, q, about).momentum < 1e-13
    # Y_mu is invariant under G_mu, and not under others
    turn = lambda angle, w: SO(3).exp(jnp.asarray(angle * w))
    for field in (geometry.level_field(body, mu), geometry.level_field(body, mu, about)):
        there = field((turn(0.9, axis) @ q[0], q[1]))
        assert np.allclose(there, field(q), atol=1e-12)
        moved = field((turn(0.9, np.array([1.0, 0.0, 0.0])) @ q[0], q[1]))
        assert np.max(np.abs(moved - field(q))) > 1e-2
    # along the group, with the locked inertia: the velocity of least energy with that momentum
    Y = geometry.level_field(body, mu)(q)
    assert np.allclose(Y[3], 0.0)
    J = np.asarray(q[0]) @ np.asarray(dynamics.momentum(system, q, Y))[:3]
    assert np.isclose(J @ axis, mu @ axis)
    # an Abelian group: onto
    board = da.systems.Snakeboard()
    rotor = geometry.general_reduction(board, (0, 1, 2, 4), Euclidean(1))
    found = geometry.level_embedding(rotor, [0.3], board.initial()[0])
    assert found.injective and found.onto and found.target == 4
