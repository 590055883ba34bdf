"""Motions that come to rest: nothing is judged by a size that vanishes with the motion (A1)."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import control, parts


class Damped(da.System):
    """Two masses on springs about `target`, with a metric that depends on q."""

    target: float = 0.0
    k: float = 1.0
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        kinetic = 0.5 * v[0] ** 2 + 0.5 * (1 + 0.1 * jnp.sin(q[0]) ** 2) * v[1] ** 2
        return kinetic + self.k * jnp.cos(q[0] - self.target) - 0.25 * self.k * (q[1] - q[0]) ** 2

    def force(self, t, q, v):
        return -2.0 * jnp.sqrt(self.k) * v


class Blade(da.System):
    """A knife edge pulled to x = target and theta = 0.3 by springs, and damped."""

    target: float = 0.0
    k: float = 1.0
    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * self.k * ((q[0] - self.target) ** 2 + (q[2] - 0.3) ** 2)

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0]])

    def force(self, t, q, v):
        return -2.0 * jnp.sqrt(self.k) * v


class Body(da.System):
    """A rigid body that turns in a viscous fluid and is drawn to an attitude."""

    k: float = 1.0
    space = da.SO(3)

    def lagrangian(self, R, w):
        return (
            0.5 * w @ (jnp.array([1.0, 2.0, 2.5]) * w) + self.k * R[0, 0] + 0.3 * self.k * R[1, 1]
        )

    def force(self, t, R, w):
        return -2.0 * jnp.sqrt(self.k) * w


METHODS = [
    *(da.Gauss(1), da.Gauss(2), da.Gauss(3), da.Lobatto(3), da.DLA(), da.GNI(), da.RK4()),
    da.Taylor(),
]
STEPS = 20_000  # by hand with 10^5; each motion is at rest after a tenth of them at most


def is_stable(method, k, h):
    """Whether the method is stable at this frequency: explicit ones and Lobatto are not always."""
    return not isinstance(method, (da.RK4, da.Lobatto)) or h * np.sqrt(k) < 1.4


@pytest.mark.parametrize("kind", [Damped, Blade])
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_finding3_a1_motions_come_to_rest_anywhere(kind, method):
    h = 0.01
    for target in (0.0, 0.01, 1.0, np.pi, 1e3):
        for k in (1.0, 1e2, 1e4, 1e6):
            if not is_stable(method, k, h):
                continue
            far = 1.0 if k < 1e6 else 0.01  # h sqrt(k) = 10: farther out a sine is no spring
            q0 = [target - far, target] if kind is Damped else [target - far, 0.2, 0.3]
            traj = da.simulate(
                kind(target, k), method, q0, np.zeros(len(q0)), h=h, steps=STEPS, save=da.Final()
            )
            if any("parasitic" in x for x in traj.warnings):  # of GNI, and true
                assert isinstance(method, da.GNI)
                continue
            assert not traj.warnings, (target, k, traj.warnings)
            where = traj.final.q[0] if kind is Damped else traj.final.q[2]
            rest = target if kind is Damped else 0.3
            assert abs(where - rest) <= 1e-8 * max(1.0, target), (target, k)
            assert np.max(np.abs(traj.final.v)) <= 1e-9 * max(1.0, target), (target, k)


def test_finding3_a1_small_and_large_steps_come_to_rest():
    for h in (1e-3, 0.1, 0.5):
        for method in (da.Gauss(2), da.Lobatto(3), da.DLA()):
            traj = da.simulate(
                Damped(1e3, 1.0),
                method,
                [999.0, 1000.0],
                np.zeros(2),
                h=h,
                t=200.0,
                save=da.Final(),
            )
            assert not traj.warnings
            assert np.allclose(traj.final.q, 1e3, rtol=1e-9)


@pytest.mark.parametrize("engine", ["native", "arrays"])
def test_finding3_a1_groups_and_both_engines(engine):
    start = da.SO(3).exp(jnp.array([0.3, -0.4, 0.5]))
    traj = da.simulate(
        Body(25.0), start, np.zeros(3), h=0.02, steps=2_000, save=da.Final(), engine=engine
    )
    assert np.max(np.abs(traj.final.v)) < 1e-12
    assert np.allclose(traj.final.q, np.eye(3), atol=1e-7)


def test_finding3_a1_members_come_to_rest():
    q0 = np.array([[99.0, 100.0], [100.0, 100.0], [100.3, 99.0]])
    many = da.simulate_ensemble(
        Damped(100.0, 100.0), q0, np.zeros((3, 2)), h=0.01, steps=STEPS, save=da.Final()
    )
    assert not many.failed
    assert np.allclose(many.q[-1], 100.0, rtol=1e-9)


def test_finding3_a1_a_balancing_robot_stands_still():
    robot = da.systems.BalancingRobot()
    with pytest.warns(UserWarning, match="no control changes"):  # of x and the wheels' angles
        law = control.lqr(control.linearize(robot, jnp.zeros(6)), limit=[2.0, 2.0])
    for q0 in ([0.0, 0, 0, 0.1, 0, 0], [0.5, 0, 0, 0, 0, 0], [5.0, 3.0, 1.0, 0.05, 0, 0]):
        traj = da.simulate(robot, q0, np.zeros(6), h=0.005, t=30.0, u=law.feedback, save=da.Final())
        assert np.max(np.abs(traj.final.v)) < 1e-6
        assert not traj.warnings


def test_finding3_a1_a_robot_under_a_controller_stops_where_it_should():
    def wheel(name, y, **options):
        body = parts.Body(name, 0.4, shape=da.scene.wheel(0.1, 0.03))
        axle = parts.Revolute(name, "base", at=(0, y, 0), axis="y")
        return [body, axle, parts.Wheel(name, 0.1, **options), parts.Motor(name)]

    robot = parts.build(
        parts.Body("base", 6.0, shape=da.scene.box(0.4, 0.3, 0.1)),
        parts.Planar("base", at=(0, 0, 0.1)),
        wheel("left", 0.18),
        wheel("right", -0.18, rows="along"),
    )

    def regulator(t, q, v):
        return 2.0 * (10.0 - q[3:5]) - 0.8 * v[3:5]

    for x in (0.0, 1e3):
        traj = da.simulate(
            robot, [x, 0.5 * x, 0.3, 0, 0], np.zeros(5), h=0.01, t=100.0, u=regulator
        )
        assert np.allclose(traj.final.q[3:5], 10.0, atol=1e-9)
        assert not traj.warnings
    brake = da.simulate(
        robot,
        np.zeros(5),
        [1.0, 0, 0, 10.0, 10.0],
        h=0.01,
        t=300.0,
        u=lambda t, q, v: -0.5 * v[3:5],
    )
    assert np.max(np.abs(brake.final.v)) < 1e-12


def test_finding3_a1_energy_gauss_near_an_equilibrium():
    class Pendulum(da.System):
        """A pendulum whose lowest point is q = 1."""

        space = da.Euclidean(1)

        def lagrangian(self, q, v):
            return 0.5 * v[0] ** 2 + 1e4 * jnp.cos(q[0] - 1.0)

    for method in (da.EnergyGauss(2), da.Gauss(2)):
        for off in (0.0, 1e-15, 1e-13, 1e-8):
            traj = da.simulate(Pendulum(), method, [1.0 + off], [0.0], h=0.01, steps=2_000)
            assert np.max(np.abs(traj.q - 1.0)) <= 1.5 * off + 1e-12


def test_finding3_a1_what_does_not_converge_still_fails():
    # a step of many turns: the springs would need a smaller h, and the message says so
    with pytest.raises(da.SimulationError, match="did not converge; a smaller h may help"):
        da.simulate(Damped(0.0, 1e6), [2.0, 0.0], np.zeros(2), h=0.05, steps=100)


def test_finding3_a1_a_method_off_the_constraint_is_told_by_a_speed_that_stays():
    slow = da.simulate(Blade(1.0, 1.0), da.RK4(), [0.0, 0.2, 0.3], np.zeros(3), h=0.01, steps=STEPS)
    assert np.max(np.abs(slow.final.v)) < 1e-9
    assert not slow.warnings
    assert not da.diagnostics.report(Blade(1.0, 1.0), slow).warnings


class Locked(da.MechanicalSystem):
    """As many rows as velocities: nothing moves, under any force."""

    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 9.81 * q[1] - 3.0 * q[0]

    def constraint(self, q):
        return jnp.array([[1.0, 0.3], [jnp.sin(q[0]), 2.0]])


@pytest.mark.parametrize("method", [da.Gauss(2), da.DLA(), da.RK4()], ids=lambda m: m.name)
def test_finding3_a1_what_is_held_by_as_many_rows_as_velocities_rests(method):
    run = da.simulate(Locked(), method, [0.4, 0.2], np.zeros(2), h=0.01, steps=100)
    assert run.warnings == ()
    np.testing.assert_allclose(run.q, np.tile([0.4, 0.2], (101, 1)), atol=1e-15)


@pytest.mark.parametrize("method", [da.Lobatto(3), da.RK4()], ids=lambda m: m.name)
def test_finding3_a1_beyond_its_stability_a_method_says_so(method):
    with pytest.raises(
        da.SimulationError, match=r"has h w = [\d.]+, and .* is stable up to 2\.[78]"
    ):
        da.simulate(Damped(0.0, 1e6), method, [-0.01, 0.0], np.zeros(2), h=0.01, steps=1000)


@pytest.mark.parametrize("method", [da.Gauss(2), da.DLA(), da.RK4()], ids=lambda x: x.name)
def test_finding3_a1_no_smaller_step_is_advised_where_a_control_is_no_number(method):
    """The fields are finite where the failed step began, and at no later time."""

    class Pushed(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v

        def inputs(self, q):
            return jnp.eye(2)

    def late(t, q, v):
        return jnp.array([1.0, jnp.where(t > 0.55, jnp.nan, 0.0)])

    with pytest.raises(da.SimulationError, match="a control or the constraint is not finite where"):
        da.simulate(Pushed(), method, np.zeros(2), np.ones(2), h=0.1, steps=20, u=late)
