"""Friction on every surface that parts know, and along and across: closed forms."""

import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid, parts

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


def slope_level(x, y, z, tan):
    return z + tan * x


@pytest.mark.parametrize("kind", ["height"])
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
