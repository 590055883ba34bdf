"""Friction on every surface that parts know, and along and across: closed forms."""

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from tests.friction_oracle import slides_until_it_holds

import dalembert as da
from dalembert import hybrid, parts
from dalembert.errors import UsageError

G, R, MU = 9.81, 0.1, 0.2


def ball(surface, start, speed, **more):
    return hybrid.with_friction(
        parts.build(
            parts.Body("ball", 2.0, shape=da.scene.sphere(R)),
            parts.Free("ball", start=start, speed=speed),
            parts.Ball("ball", R, surface=surface, mu=MU, **more),
            parts.Gravity(G),
        )
    )


def slope_height(x, y, tan):
    return -tan * x


def slope_level(x, tan):
    return x[2] + tan * x[0]


@pytest.mark.parametrize("kind", ["height", "level"])
def test_a_ball_slides_down_a_slope_that_is_too_steep_to_roll(kind):
    angle = 0.9  # tan = 1.26 > 7/2 mu
    tan = np.tan(angle)
    surface = {
        "height": parts.Height(slope_height, numbers=(tan,)),
        "level": parts.Level(slope_level, numbers=(tan,)),
    }[kind]
    start = (R * np.sin(angle), 0.0, R * np.cos(angle))
    found = da.simulate(ball(surface, start, (0.0,) * 6), h=0.02, t=0.5)
    assert found.modes == ("ball slides",)
    a = G * (np.sin(angle) - MU * np.cos(angle))
    moved = np.asarray(found.q[0][-1]) - start
    np.testing.assert_allclose(np.linalg.norm(moved), 0.5 * a * 0.25, rtol=1e-8)
    np.testing.assert_allclose(found.v[-1][4], 2.5 * MU * G * np.cos(angle) * 0.5 / R, rtol=1e-6)


def test_along_a_trough_a_ball_slides_as_on_a_plane():
    trough = parts.Cylinder(2.0, axis="x", center=(0, 0, 2.0), inside=True)
    found = da.simulate(ball(trough, (0, 0, R), (3.0, 0, 0, 0, 0, 0)), h=0.02, t=2.5)
    np.testing.assert_allclose(found.jumps.t, [6.0 / (7.0 * MU * G)], rtol=1e-9)
    np.testing.assert_allclose(found.v[-1][0], 15.0 / 7.0, rtol=1e-9)


def test_in_a_bowl_friction_takes_energy_until_the_ball_rolls():
    bowl = parts.Sphere(5.0, center=(0, 0, 5.0), inside=True)
    modes = ball(bowl, (0, 0, R), (2.0, 0.5, 0, 0, 0, 0))
    found = da.simulate(modes, h=0.01, t=1.5)
    assert found.mode_names[0] == "ball slides" and found.mode_names[-1] == "ball holds"
    energy = hybrid.energy(modes.met(found.modes), found)
    after = found.t > found.jumps.t[-1]
    assert np.all(np.diff(energy) < 1e-9) and np.ptp(energy[after]) < 1e-6
    assert energy[after][0] < energy[0] - 0.2


def test_a_plane_that_drifts_takes_a_ball_along():
    # at rest on it: in the frame of the plane it slides with -D, and keeps 5/7 of that
    plane = parts.Plane(drift=(1.4, 0.0, 0.0))
    found = da.simulate(ball(plane, (0, 0, R), (0.0,) * 6), h=0.02, t=1.0)
    np.testing.assert_allclose(found.jumps.t, [2.8 / (7.0 * MU * G)], rtol=1e-9)
    np.testing.assert_allclose(found.v[-1][0], 0.4, rtol=1e-9)


@pytest.mark.parametrize("method", [da.RK4(), da.Gauss(stages=2)], ids=["RK4", "Gauss"])
def test_a_ball_on_a_turntable_slides_then_rolls_to_order_four(method):
    # slip u = v + R (-w_y, w_x) - W z x r turns until it vanishes; then (Earnshaw) v turns at 2/7 W
    W = 2.0

    def slip(t, y):
        return np.array([y[2] - R * y[5] + W * y[1], y[3] + R * y[4] - W * y[0]])

    def rates(t, y, d):
        a = -MU * G * d
        return np.array([y[2], y[3], *a, 2.5 / R * a[1], -2.5 / R * a[0]])

    T, y = slides_until_it_holds(slip, rates, np.array([1.0, 0, 0.5, 0, 0, 0]))
    angle = 2.0 / 7.0 * W * (1.0 - T)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    modes, off = ball(parts.turntable(W), (1.0, 0, R), (0.5, 0, 0, 0, 0, 0)), []
    for h in (0.02, 0.01):
        found = da.simulate(modes, method, h=h, t=1.0)
        assert [x.target for x in found.jumps] == ["ball holds"]
        change = found.jumps[0]
        off.append([change.t - T, *(change.v_after[:2] - y[2:4]), *(change.q[0][:2] - y[:2])])
        np.testing.assert_allclose(found.v[-1][:2], turn @ y[2:4], atol=1e3 * h**4)
    off = np.max(np.abs(off), axis=1)
    assert off[1] < 5e-9 and abs(np.log2(off[0] / off[1]) - 4.0) < 0.3


def level_bowl(x):
    return 5.0 - jnp.sqrt(x[0] ** 2 + x[1] ** 2 + (x[2] - 5.0) ** 2)


@pytest.mark.parametrize("kind", ["sphere", "level"])
def test_a_ball_in_a_bowl_agrees_with_equations_by_hand(kind):
    bowl = parts.Sphere(5.0, center=(0, 0, 5.0), inside=True)
    surface = bowl if kind == "sphere" else parts.Level(level_bowl)
    A = 5.0 - R  # the center moves on this sphere about (0, 0, 5)

    def parted(y):
        return (y[:3] - [0, 0, 5.0]) / A, y[3:6], y[6:9]  # outward normal, velocity, spin

    def slip(t, y):
        n, v, w = parted(y)
        u = v + np.cross(w, R * n)
        return u - (u @ n) * n

    def rates(t, y, d):
        n, v, w = parted(y)
        weight = np.array([0, 0, -G])
        load = weight @ n + v @ v / A  # per mass
        push = -MU * load * d
        a = weight - load * n + push
        return np.concatenate([v, a, np.cross(R * n, push) / (0.4 * R * R)])

    start = np.array([0, 0, R, 2.0, 0.5, 0, 0, 3.0, 0])
    T, y = slides_until_it_holds(slip, rates, start)
    modes = ball(surface, (0, 0, R), (2.0, 0.5, 0, 0, 3.0, 0))
    found = da.simulate(modes, h=0.01, t=1.0)
    change = found.jumps[0]
    assert change.target == "ball holds"
    np.testing.assert_allclose(change.t, T, atol=1e-8)
    np.testing.assert_allclose(change.q[0], y[:3], atol=1e-8)
    np.testing.assert_allclose(change.v_after[:3], y[3:6], atol=1e-8)


def belly(speed, mu=(0.1, 0.4)):
    made = [
        parts.Body("b", 1.5, (0.01, 0.01, 0.02), shape=da.scene.box(0.3, 0.2, 0.02)),
        parts.Free("b", speed=speed),
        parts.Gravity(G),
    ]
    feet = ((0.2, 0.0), (-0.1, 0.15), (-0.1, -0.15))
    made += [parts.Skate("b", at=(*x, 0), mu=mu, name=f"f{i}") for i, x in enumerate(feet)]
    return hybrid.with_friction(parts.build(*made)), np.array(feet)


def test_a_belly_slides_with_less_friction_along_than_across():
    # v_x' : v_y' = mu_x^2 v_x : mu_y^2 v_y, so that v_x = C v_y^(mu_x^2/mu_y^2)
    modes, _ = belly((1.0, 0.5, 0, 0, 0, 0))
    found = da.simulate(modes, h=0.005, t=1.3)
    assert found.mode_names[-1] == "f0 holds, f1 holds, f2 holds" and len(found.jumps) == 1
    moving = found.t < 0.5
    v = np.asarray(found.v)[moving]
    np.testing.assert_allclose(v[:, 1], 0.5 * v[:, 0] ** 16, atol=1e-8)

    def slowness(u):  # u = v_x
        return np.hypot(0.1 * u, 0.4 * 0.5 * u**16) / (G * 0.01 * u)

    T = quad(slowness, 0.0, 1.0, epsabs=1e-13, epsrel=1e-13)[0]
    np.testing.assert_allclose(found.jumps.t, [T], atol=1e-8)
    assert np.all(found.v[-1] == 0.0)


def test_a_belly_that_turns_agrees_with_scipy_and_its_energy_goes_into_friction():
    modes, feet = belly((1.0, 0.5, 0, 0, 0, 3.0))
    m, J = 1.5, 0.02

    def rates(t, y):
        c, s = np.cos(y[2]), np.sin(y[2])
        turn = np.array([[c, -s], [s, c]])
        force, moment, power = np.zeros(2), 0.0, 0.0
        for at in feet:
            r = turn @ at
            u = turn.T @ (y[3:5] + y[5] * np.array([-r[1], r[0]]))
            f = turn @ (
                -m * G / 3.0 * np.array([0.01, 0.16]) * u / np.hypot(0.1 * u[0], 0.4 * u[1])
            )
            force, moment = force + f, moment + r[0] * f[1] - r[1] * f[0]
            power += f @ (turn @ u)
        return [*y[3:6], *(force / m), moment / J, power]

    found = da.simulate(modes, h=0.0025, t=0.4)
    start = [0, 0, 0, 1.0, 0.5, 3.0, 0.0]
    own = solve_ivp(rates, (0, 0.4), start, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(found.v[-1][[0, 1, 5]], own[3:6], atol=1e-7)
    np.testing.assert_allclose(found.q[0][-1][:2], own[:2], atol=1e-7)
    energy = hybrid.energy(modes.met(found.modes), found)
    np.testing.assert_allclose(energy[-1] - energy[0], own[6], atol=1e-7)


def test_a_direction_without_friction_is_not_a_row():
    modes, _ = belly((1.0, 0.5, 0, 0, 0, 0), mu=(0.0, 0.4))
    with pytest.raises(UsageError, match="no friction in one of its two directions"):
        da.simulate(modes, h=0.01, t=0.1)


def test_a_mecanum_platform_agrees_with_equations_by_hand():
    """Rollers slide along their axes until the wheels have come to speed."""
    M, Jz, m, J, r = 20.0, 0.8, 0.5, 0.0025, 0.1
    places = np.array([(0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2)])
    made = [
        parts.Body("base", M, (0.3, 0.6, Jz)),
        parts.Free("base", start=(0, 0, r), speed=(1.0, 0.5, 0, 0, 0, 0)),
        parts.Gravity(G),
    ]
    for name, (x, y) in zip("abcd", places):
        made += [
            parts.Body(name, m, (0.0015, J, 0.0015)),
            parts.Revolute(name, "base", at=(x, y, 0), axis="y"),
            parts.mecanum(name, r, rollers=-np.sign(x * y) * np.pi / 4, mu=0.3),
        ]
    found = da.simulate(hybrid.with_friction(parts.build(*made)), h=0.001, t=0.1)
    # v = (vx, vy, yaw, wheels); rows of slip: along the roller axis (sin, cos), of a point at r
    axes = np.array([(-np.sign(x * y), 1.0) for x, y in places]) / np.sqrt(2.0)
    rows = np.zeros((4, 7))
    for i, (a, (x, y)) in enumerate(zip(axes, places)):
        rows[i, :2], rows[i, 2], rows[i, 3 + i] = a, a[1] * x - a[0] * y, -r * a[0]
    total = M + 4 * m
    inertia = Jz + 4 * (0.0015 + m * (0.3**2 + 0.2**2))
    mass = np.diag([total, total, inertia, *[J] * 4])
    x, y = places.T
    spread = np.array([np.ones(4), x, y])
    share = spread.T @ np.linalg.inv(spread @ spread.T)

    def rates(t, v, holds, signs):
        """Return dv/dt, v in the frame of the base; loads and reactions are linear in it."""
        turn = np.array([-v[2] * v[1], v[2] * v[0], 0, 0, 0, 0, 0])  # of this frame
        # loads p + q x + s y carry the weight, the moments of forces at the ground, r below the
        # center, and the rates of the angular momentum of the wheels: J w', and J w that turns
        L = np.zeros((3, 7))
        L[1, 0], L[2, 1], L[1, 3:] = -total * r, -total * r, -J
        known = np.array([total * G, 0.0, -v[2] * J * v[3:].sum()])
        K, free, ends = np.zeros((7 + len(holds),) * 2), np.zeros(7 + len(holds)), len(holds)
        K[:7, :7], free[:7] = mass, -mass @ turn
        for i in (i for i in range(4) if i not in holds):
            push = -0.3 * signs[i] * rows[i]
            K[:7, :7] -= np.outer(push, share[i] @ L)
            free[:7] += push * (share[i] @ (known + L @ turn))
        K[:7, 7:], K[7:, :7] = rows[holds].T, rows[holds]
        return np.linalg.solve(K, free)[: 7 if ends else None]

    t, v, holds, times = 0.0, np.array([1.0, 0.5, 0, 0, 0, 0, 0]), [], []
    while len(holds) < 4:
        signs = np.sign(rows @ v)
        events = [lambda t, v, *_, i=i: rows[i] @ v for i in range(4) if i not in holds]
        for event in events:
            event.terminal = True
        own = solve_ivp(
            rates, (t, 1.0), v, "DOP853", rtol=1e-12, atol=1e-13, events=events,
            args=(holds, signs),
        )  # fmt: skip
        t, v = own.t[-1], own.y[:, -1]
        near = np.abs(rows @ v) < 1e-10
        holds, times = [i for i in range(4) if near[i] or i in holds], [*times, t]
    speed = np.linalg.norm(v[:2])
    np.testing.assert_allclose(found.jumps.t, times, rtol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(found.v[-1][:2]), speed, rtol=1e-7)
