"""Holonomic rows eliminated, and Chaplygin reduction after it."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import dalembert as da
from dalembert import geometry
from dalembert.dynamics import acceleration
from dalembert.system import compiled_call


def accelerated(chaplygin, r, w):
    return acceleration(chaplygin.reduced, r, w)


@pytest.fixture(scope="module")
def routh():
    return geometry.chaplygin(da.systems.RouthSphere(), (1,), da.Euclidean(2))


def test_a_ball_from_parts_reduces_to_the_top_written_by_hand(routh):
    """`RouthSphere` has a holonomic height; `ChaplyginTop` is the same ball without one."""
    assert routh.system.gone == (2,) and routh.system.affine
    assert routh.system.space == da.Product(da.Euclidean(2), da.SO(3))
    top = da.systems.ChaplyginTop(inertia=(0.004, 0.004, 0.0035), center=(0.0, 0.0, -0.03))
    other = geometry.chaplygin(top, (1,), da.Euclidean(2))
    R, w = da.SO(3).exp(jnp.array([0.5, -0.3, 0.8])), jnp.array([1.0, 2.0, -3.0])
    found = compiled_call(accelerated, routh, R, w)
    np.testing.assert_allclose(found, compiled_call(accelerated, other, R, w), rtol=1e-12)
    assert np.max(np.abs(found)) > 1.0


def test_the_shape_and_what_follows_it_move_as_the_full_system(routh):
    """Run of the shape, reconstruction and height against the run with the holonomic row."""
    system, options = da.systems.RouthSphere(), {"h": 0.002, "steps": 100}
    full = da.simulate(system, da.Gauss(3), **options)
    shape = da.simulate(routh.reduced, da.Gauss(3), **options)
    place = geometry.reconstruct(routh, shape.t, shape.q, shape.v, g0=full.q[0][0][:2])
    np.testing.assert_allclose(shape.q[-1], full.q[1][-1], atol=1e-9)
    np.testing.assert_allclose(place[-1], full.q[0][-1][:2], atol=1e-9)
    q = routh.system.full((place[-1], shape.q[-1]))
    np.testing.assert_allclose(q[0][2], full.q[0][-1][2], atol=1e-10)


class Sheet(da.System):
    """q = (x, y, z, s) with z' = y x' and s^3 + s = x y: the height s is not affine in g."""

    space = da.Euclidean(4)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.3 * q[3] ** 2

    def constraint(self, q):
        return jnp.stack([jnp.stack([-q[1], 0.0, 1.0, 0.0])])

    def holonomic(self, q):
        return jnp.stack([q[3] ** 3 + q[3] - q[0] * q[1]])

    def initial(self):
        y, s = 0.5, 0.4
        x = (s**3 + s) / y
        vx, vy = 0.7, -0.4
        slope = 1 / (1 + 3 * s**2)
        return jnp.array([x, y, 0.0, s]), jnp.array([vx, vy, y * vx, slope * (y * vx + x * vy)])


def by_hand(t, z):
    """(x, y, x', y') of `Sheet`, with L*(x, y) and the force of z' = y x' worked out by hand."""
    x, y, u, w = z
    roots = np.roots([1.0, 0.0, 1.0, -x * y])
    s = float(roots[np.argmin(np.abs(roots.imag))].real)
    k = 1 / (1 + 3 * s * s)
    sx, sy = k * y, k * x
    dk = -6 * s * k**3
    # second derivatives of s(x, y): s = f(x y) with f' = k, f'' = dk
    bent = dk * (y * u + x * w) ** 2 + 2 * k * u * w
    mass = np.array([[1 + y * y + sx * sx, sx * sy], [sx * sy, 1 + sy * sy]])
    # lifted forces: s'' = bent + ds . a, z'' = y a + y' x', pull -0.6 s on s
    right = -np.array([sx, sy]) * (bent + 0.6 * s) - np.array([y * w * u, 0.0])
    return np.concatenate([[u, w], np.linalg.solve(mass, right)])


def test_a_height_that_newton_finds():
    """Against SciPy on equations written by hand."""
    reduced = geometry.chaplygin(Sheet(), (0, 1), da.Euclidean(1))
    assert not reduced.system.affine and reduced.system.gone == (3,)
    run = da.simulate(reduced.reduced, da.Gauss(3), h=0.05, steps=20)
    q, v = Sheet().initial()
    end = solve_ivp(by_hand, (0, 1.0), [q[0], q[1], v[0], v[1]], rtol=1e-12, atol=1e-13).y[:, -1]
    np.testing.assert_allclose([*run.q[-1], *run.v[-1]], end, atol=1e-9)


def test_the_names_and_quantities_of_the_original_system_follow(routh):
    full, leaf = da.systems.RouthSphere(), routh.system
    y, v = leaf.initial()
    q, w = leaf.lifted(y, v)
    for name, f in full.invariants.items():
        assert float(leaf.invariants[name](y, v)) == pytest.approx(float(f(q, w)), rel=1e-12)
    np.testing.assert_allclose(full.constraint(q) @ w, 0.0, atol=1e-12)
    np.testing.assert_allclose(full.holonomic(q), 0.0, atol=1e-12)
    assert set(leaf.symmetry_generators) == {"translations", "se2"}
    assert leaf.symmetry_generators["se2"](y).shape == (5, 3)


def test_what_cannot_be_eliminated_is_refused():
    with pytest.raises(da.UsageError, match="no holonomic"):
        geometry.eliminated(da.systems.NonholonomicParticle())
    with pytest.raises(da.UsageError, match="as many different coordinates"):
        geometry.eliminated(Sheet(), (2, 3))
    for wrong in ([2.5], "z", [9], [True], []):
        with pytest.raises(da.UsageError, match="as many different coordinates"):
            geometry.eliminated(Sheet(), wrong)
    with pytest.raises(da.UsageError, match="do not determine"):
        geometry.eliminated(Sheet(), (2,))
    far = geometry.eliminated(Sheet())
    assert np.all(np.isfinite(far.full(jnp.array([0.5, 0.4, 0.0]))))
