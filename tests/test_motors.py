"""Motors with a circuit, and sensors: closed forms of time constants, torques, rotating frames."""

import jax
import numpy as np
import pytest

import dalembert as da
from dalembert import parts

R, L, K, N, J = 2.0, 0.1, 0.3, 4.0, 0.5


def flywheel(**options):
    motor = {"resistance": R, "inductance": L, "constant": K, "gear": N} | options
    return parts.build(
        parts.Body("wheel", 1.0, (1.0, 1.0, J)),
        parts.Revolute("wheel"),
        parts.DCMotor("wheel", **motor),
    )


def held(**options):
    """A motor whose wheel is held at rest."""
    return parts.build(
        parts.Body("wheel", 1.0, (1.0, 1.0, J)),
        parts.Revolute("wheel"),
        parts.Prescribed("wheel", lambda t: 0.0 * t),
        parts.DCMotor("wheel", R, L, K, N, **options),
    )


def test_the_current_rises_with_the_time_constant_and_stalls():
    machine = held()
    assert machine.coordinate_names == ("wheel", "wheel motor charge")
    assert machine.input_names == ("wheel motor",) and machine.input_units == ("V",)
    u = 5.0
    traj = da.simulate(machine, h=1e-3, steps=400, u=[u])
    wanted = u / R * (1.0 - np.exp(-traj.t * R / L))
    np.testing.assert_allclose(traj.v[:, 1], wanted, atol=1e-9)
    # what holds the wheel has to bear the torque K n u/R: the stall torque
    assert traj.multiplier[-1, 0] == pytest.approx(-K * N * u / R, rel=1e-3)


def test_speed_and_current_are_those_of_the_two_equations():
    u = 7.0
    traj = da.simulate(flywheel(), h=0.002, steps=1500, u=[u])
    # (w, i)' = M (w, i) + (0, u/L), by its matrix exponential
    M = np.array([[0.0, K * N / J], [-K * N / L, -R / L]])
    rest = -np.linalg.solve(M, [0.0, u / L])
    np.testing.assert_allclose(rest, [u / (K * N), 0.0], atol=1e-12)  # no load
    for k in (10, 100, 1500):
        exact = rest - np.asarray(jax.scipy.linalg.expm(M * traj.t[k])) @ rest
        np.testing.assert_allclose(traj.v[k], exact, atol=2e-7)


def test_power_is_balanced():
    """What the source gives is stored or turned into heat: a sign in the coupling breaks it."""
    machine, u = flywheel(), 3.0
    traj = da.simulate(machine, h=0.001, steps=500, u=[u])
    current = traj.v[:, 1]
    given = u * (traj.q[-1, 1] - traj.q[0, 1])
    heat = np.sum(0.5 * R * (current[1:] ** 2 + current[:-1] ** 2) * np.diff(traj.t))
    stored = 0.5 * J * traj.v[-1, 0] ** 2 + 0.5 * L * current[-1] ** 2
    assert given == pytest.approx(heat + stored, rel=1e-5)


def test_saturation_and_friction():
    limited, free = flywheel(limit=4.0), flywheel()
    a = da.simulate(limited, h=0.01, steps=50, u=[100.0])
    b = da.simulate(free, h=0.01, steps=50, u=[4.0])
    np.testing.assert_allclose(a.q[-1], b.q[-1], atol=1e-12)
    stepper = da.Stepper(limited, h=0.01)
    for _ in range(50):
        stepper.step([100.0])
    assert np.array_equal(stepper.state.q, a.q[-1])
    # a plain motor has a limit, too
    plain = parts.build(parts.Body("w", 1.0, J), parts.Revolute("w"), parts.Motor("w", limit=2.0))
    assert da.simulate(plain, h=0.1, steps=10, u=[-9.0]).v[-1, 0] == pytest.approx(-2.0 / J)
    # steady speed with viscous and dry friction: K n i = c w + F
    c, F, u = 0.1, 0.2, 6.0
    slow = flywheel(damping=c, friction=F, speed=1e-3)
    w, i = da.simulate(slow, h=0.01, steps=1500, u=[u]).v[-1]
    assert K * N * i == pytest.approx(c * w + F, rel=1e-6)
    assert u == pytest.approx(R * i + K * N * w, rel=1e-6)


def test_a_robot_with_motors_draws_and_names_its_parts():
    robot = parts.build(
        parts.Body("base", 6.0, shape=da.scene.box(0.4, 0.3, 0.1)),
        parts.Prismatic("base", axis="x"),
        parts.Body("arm", 1.0, shape=da.scene.box(0.1, 0.1, 0.5), center=(0, 0, 0.3)),
        parts.Revolute("arm", "base", axis="y", start=0.3),
        parts.DCMotor("arm", 1.0, 1e-3, 0.1, gear=20),
        parts.Gravity(9.81, down=(0.6, 0.0, -0.8)),  # tilted: gravity does not act on charges
    )
    assert robot.parameters()["arm motor dcmotor.inductance"] == 1e-3
    assert [body.name for body in robot.scene().bodies] == ["base", "arm"]
    q, v = robot.initial()
    assert q.shape == (3,) and float(da.dynamics.acceleration(robot, q, v)[2]) == 0.0
    with pytest.raises(da.UsageError, match="inductance must be positive"):
        flywheel(inductance=0.0)
    with pytest.raises(da.UsageError, match="no joint 'wheell'"):
        parts.build(
            parts.Body("wheel", 1.0, J), parts.Revolute("wheel"), parts.DCMotor("wheell", 1, 1, 1)
        )


@pytest.fixture(scope="module")
def carousel():
    """A body that turns at r from the axis, which is at the origin, about the vertical."""
    return parts.build(
        parts.Body("arm", 1.0, (0.2, 0.2, 0.2), center=(0.5, 0, 0)),
        parts.Revolute("arm", axis="z", start=0.3, speed=2.0),
        parts.Motor("arm"),
        parts.Gravity(9.81),
    )


def test_an_imu_on_a_carousel(carousel):
    r, w, u = 0.7, 2.0, 1.35
    inertia = 0.2 + 0.25
    q, v = (np.asarray(x) for x in carousel.initial())
    imu = parts.IMU(carousel, "arm", at=(r, 0, 0))
    rates, force = imu(0.0, q, v, [u])
    np.testing.assert_allclose(rates, [0.0, 0.0, w], atol=1e-14)
    # centripetal, tangential by the torque, and what holds it against gravity
    np.testing.assert_allclose(force, [-r * w**2, r * u / inertia, 9.81], atol=1e-12)
    np.testing.assert_allclose(imu(0.0, q, v)[1], [-r * w**2, 0.0, 9.81], atol=1e-12)
    many = imu(0.0, np.stack([q, q + 1.0]), np.stack([v, 2 * v]))
    np.testing.assert_allclose(many[1][1], [-4 * r * w**2, 0.0, 9.81], atol=1e-12)


def test_noise_is_that_of_its_seed(carousel):
    q, v = (np.asarray(x) for x in carousel.initial())

    def readings(seed):
        imu = parts.IMU(carousel, "arm", gyro_noise=0.1, gyro_bias=0.5, force_noise=0.2, seed=seed)
        return np.array([np.concatenate(imu(0.0, q, v)) for _ in range(120)])

    a, b, c = readings(3), readings(3), readings(4)
    assert np.array_equal(a, b) and not np.array_equal(a, c)
    np.testing.assert_allclose(a.std(axis=0), [0.1] * 3 + [0.2] * 3, rtol=0.3)
    assert np.abs(a.mean(axis=0)[:3] - [0, 0, 2.0]).max() > 0.05  # the bias stays
    assert np.abs(a.mean(axis=0)[3:] - [0, 0, 9.81]).max() < 0.1


def test_an_encoder_counts(carousel):
    q, v = (np.asarray(x) for x in carousel.initial())
    step = 2 * np.pi / 1000
    encoder = parts.Encoder(carousel, "arm", counts=1000)
    assert encoder(0.0, q, v) == pytest.approx(0.3, abs=step / 2)
    assert (encoder(0.0, q, v) / step) % 1.0 == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(
        parts.Encoder(carousel, "arm")(0.0, np.stack([q, 2 * q]), v), [0.3, 0.6]
    )
    with pytest.raises(da.UsageError, match="no joint"):
        parts.Encoder(carousel, "leg")
    with pytest.raises(da.UsageError, match="machine of parts"):
        parts.IMU(da.systems.ChaplyginSleigh(), "arm")
    with pytest.raises(da.UsageError, match="arm"):
        parts.IMU(carousel, "arn")
