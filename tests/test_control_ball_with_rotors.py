"""Least effort of a ball with three rotors, on R^2 x SO(3) x R^3, against Pontryagin's equations.

From rest the angular momentum about the contact stays zero. With P = I_r (Omega + rates), whose
rate is the torque u, the balanced ball turns with Omega = -J^-1 P, gamma = R^T e3,
J = I + m r^2 (1 - gamma gamma^T). So the problem is P' = u, R' = R Omega, x' = r omega_2,
y' = -r omega_1: the equations below are written by hand from that, without the library.
"""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import dalembert as da
from dalembert import control

M, RADIUS, I_R = 1.0, 0.5, 0.1
MOMENTS = np.array([0.5, 0.4, 0.45])
PLACE, TURN, TIME = np.array([0.3, 0.2]), np.array([-0.35, 0.55, 0.3]), 2.0

# the costates at the start, found once by following the control of `minimum_effort`
NEAR = np.array([-1.72, 1.60, 8.83, -4.09, -2.51, 4.02, -2.78, -4.17])


def ball(moments=MOMENTS):
    return da.systems.ChaplyginTop(
        m=M, r=RADIUS, inertia=jnp.asarray(moments), center=jnp.zeros(3), I_r=I_R, rotors=True
    )


def extremal(x0, part=1.0):
    """Pontryagin's equations from rest; x0 = (costates of P, of (x, y), of R)."""
    lever = M * RADIUS**2
    a = RADIUS * np.array([-x0[4], x0[3], 0.0])  # (x', y') . costate = omega . a

    def rates(t, z):
        R, P, lam, mu = z[2:11].reshape(3, 3), z[11:14], z[14:17], z[17:20]
        gamma = R[2]
        J = np.diag(MOMENTS) + lever * (np.eye(3) - np.outer(gamma, gamma))
        Omega, kappa = -np.linalg.solve(J, P), np.linalg.solve(J, mu + R.T @ a)
        omega, nu = R @ Omega, mu + R.T @ a
        b = Omega * (gamma @ kappa) + kappa * (gamma @ Omega)
        hat = np.cross(np.eye(3), Omega)  # R' = R hat
        moved = [RADIUS * omega[1], -RADIUS * omega[0]]
        turned = np.cross(nu, Omega) - lever * np.cross(b, gamma)
        return np.concatenate([moved, (R @ hat).ravel(), -lam, kappa, turned, [lam @ lam]])

    start = np.concatenate([np.zeros(2), np.eye(3).ravel(), np.zeros(3), x0[:3], x0[5:], [0.0]])
    z = solve_ivp(rates, (0, TIME), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    goal = Rotation.from_rotvec(part * TURN).as_matrix()
    off = Rotation.from_matrix(goal.T @ z[2:11].reshape(3, 3)).as_rotvec()
    return np.concatenate([z[:2] - part * PLACE, off, z[11:14]]), z[-1]


def goal(place, turn):
    """The target, the angles of the rotors free."""
    R = jnp.asarray(Rotation.from_rotvec(turn).as_matrix())
    return (jnp.asarray(place), R, None)


def test_least_effort_of_a_ball_with_rotors_by_shooting():
    """Place and attitude at rest, at the effort of the extremal: 2.1e-5 off with 10 steps."""
    solved = root(lambda x: extremal(x)[0], NEAR, tol=1e-12)
    off, effort = extremal(solved.x)
    assert np.max(np.abs(off)) < 1e-10
    options = {"duration": TIME, "start": (jnp.zeros(2), jnp.eye(3), jnp.zeros(3))}
    rough = control.minimum_effort(ball(), goal(PLACE, TURN), steps=8, starts=1, **options)
    found = control.minimum_effort(
        ball(), goal(PLACE, TURN), steps=10, method=da.Gauss(4), guess=rough, **options
    )
    assert found.gradient < 1e-8 and found.miss < 1e-10 and found.curvature > 0
    assert found.cost == pytest.approx(effort, rel=5e-5)
