"""Kinematic optima against closed forms: Brockett's circles, turns by two axes, straight lines."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dalembert as da
from dalembert import control


class Heisenberg(da.MechanicalSystem):
    """Brockett's integrator: z' = (x y' - y x')/2, with the metric of x and y."""

    space = da.Euclidean(3)
    mass = jnp.eye(3)

    def constraint(self, q):
        return jnp.stack([jnp.stack([q[1] / 2, -q[0] / 2, 1.0])])


def brockett(system, q):
    return jnp.stack([jnp.stack([1.0, 0.0, -q[1] / 2]), jnp.stack([0.0, 1.0, q[0] / 2])])


def test_brocketts_optimum_is_a_circle():
    """To (0, 0, z): a circle of area z, effort 4 pi z; the last start of the plane is free."""
    z = 0.7
    found = control.kinematic_optimum(
        Heisenberg(), [0.0, 0.0, z], jnp.zeros(3), fields=brockett, starts=6
    )
    np.testing.assert_allclose(found.effort, 4 * np.pi * z, rtol=1e-8)
    np.testing.assert_allclose(found.length, np.sqrt(4 * np.pi * z), rtol=1e-8)
    assert found.miss < 1e-10 and found.agree >= 2
    center = np.mean(found.q[:-1, :2], axis=0)
    radii = np.linalg.norm(found.q[:, :2] - center, axis=1)
    np.testing.assert_allclose(radii, np.sqrt(z / np.pi), atol=1e-8)
    np.testing.assert_allclose(np.sum(found.u**2, axis=1), found.effort, rtol=1e-8)
    # q' = u_i X_i along it
    rows = np.stack([np.asarray(brockett(None, q)) for q in found.q])
    np.testing.assert_allclose(found.v, np.einsum("ti,tij->tj", found.u, rows), atol=1e-12)


def test_an_arc_of_a_circle_between_points():
    """To (x, 0, z): the arc over the chord x with the area z; against its closed form."""
    angle, radius = 2.0, 0.8
    chord, area = 2 * radius * np.sin(angle / 2), radius**2 / 2 * (angle - np.sin(angle))
    found = control.kinematic_optimum(
        Heisenberg(), [chord, 0.0, area], jnp.zeros(3), fields=brockett, duration=2.0, starts=6
    )
    np.testing.assert_allclose(found.length, radius * angle, rtol=1e-8)
    np.testing.assert_allclose(found.effort, (radius * angle) ** 2 / 2.0, rtol=1e-8)


class Body(da.System):
    """SO(3)."""

    space = da.SO(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v


def two_axes(system, q):
    return jnp.eye(3)[:2]


def test_turns_by_two_axes():
    """R(t) = exp(t p) exp(-t p_3 e_3) for the metric of two axes (Brockett, Jurdjevic)."""
    p = np.array([0.5, -0.3, 0.8])
    turn = lambda w: Rotation.from_rotvec(w).as_matrix()
    target = turn(p) @ turn([0.0, 0.0, -p[2]])
    found = control.kinematic_optimum(
        Body(), jnp.asarray(target), jnp.eye(3), fields=two_axes, starts=4
    )
    np.testing.assert_allclose(found.effort, p[0] ** 2 + p[1] ** 2, rtol=1e-8)
    np.testing.assert_allclose(found.p[0], p, atol=1e-8)
    half = turn(0.5 * p) @ turn([0.0, 0.0, -0.5 * p[2]])
    np.testing.assert_allclose(found.q[64], half, atol=1e-9)


def test_a_free_body_turns_about_one_axis():
    w = np.array([0.4, 0.2, -0.7])
    target = jnp.asarray(Rotation.from_rotvec(w).as_matrix())
    found = control.kinematic_optimum(Body(), target, jnp.eye(3), starts=2)
    np.testing.assert_allclose(found.effort, w @ w, rtol=1e-9)
    assert found.u is None


def test_the_constraint_of_a_system_is_followed():
    """The knife edge of the Heisenberg group with the kinetic metric: A v = 0 along the path."""
    found = control.kinematic_optimum(Heisenberg(), [0.3, 0.1, 0.2], jnp.zeros(3), starts=4)
    system = Heisenberg()
    for q, v in zip(found.q, found.v):
        np.testing.assert_allclose(system.constraint(q) @ v, 0.0, atol=1e-13)
    energy = np.sum(found.v**2, axis=1)
    np.testing.assert_allclose(energy, found.effort, rtol=1e-9)
    free = control.kinematic_optimum(Heisenberg(), [0.3], jnp.zeros(3), starts=4)
    np.testing.assert_allclose(free.effort, 0.09, rtol=1e-9)


def test_what_is_refused():
    with pytest.raises(da.UsageError, match="no extremal"):
        control.kinematic_optimum(
            Heisenberg(), [0.0, 0.0, 1.0], fields=lambda s, q: jnp.eye(3)[:2],
            start=jnp.zeros(3), starts=2,
        )  # fmt: skip
    with pytest.raises(da.UsageError, match="duration"):
        control.kinematic_optimum(Heisenberg(), [1.0], jnp.zeros(3), duration=-1.0)
    with pytest.raises(da.UsageError, match="rows of 3"):
        control.kinematic_optimum(Heisenberg(), [1.0], jnp.zeros(3), fields=lambda s, q: jnp.eye(2))
