"""Systems with dry friction: resistance against rolling, slips that begin from zero, the zoo."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid, parts
from dalembert.compile.cpu import llvm
from dalembert.errors import SimulationError, UsageError
from dalembert.hybrid import rough_zoo
from dalembert.hybrid.zoo import registry

G, R = 9.81, 0.1


def ball(speed, **law):
    made = parts.build(
        parts.Body("ball", 2.0, shape=da.scene.sphere(R)),
        parts.Free("ball", start=(0, 0, R), speed=speed),
        parts.Ball("ball", R, mu=0.2, **law),
        parts.Gravity(G),
    )
    return hybrid.with_friction(made)


def test_a_ball_that_resists_rolling_and_spinning_stops_exactly():
    # about the contact 7/5 m R^2 w' = -b m g; about the normal 2/5 m R^2 w' = -c m g
    b, c, v, w = 0.002, 0.001, np.array([1.0, 0.5]), 7.0
    speed = (*v, 0.0, -v[1] / R, v[0] / R, w)
    found = da.simulate(ball(speed, rolling=b, spinning=c), h=0.01, t=9.0)
    size = np.linalg.norm(v)
    stops = 7.0 * R * size / (5.0 * b * G)
    assert [x.name for x in found.jumps] == ["ball stops spinning", "ball stops rolling"]
    np.testing.assert_allclose(found.jumps.t, [0.4 * R**2 * w / (c * G), stops], rtol=1e-6)
    np.testing.assert_allclose(found.q[0][-1, :2], 0.5 * stops * v, rtol=1e-6)
    assert found.mode_names[-1] == "ball holds, ball does not roll, ball does not spin"
    assert np.all(found.v[-1] == 0.0)
    # straight ahead nothing turns but about one axis, and the time is exact
    found = da.simulate(ball((1.0, 0, 0, 0, 1 / R, 0), rolling=b), h=0.05, t=8.0)
    np.testing.assert_allclose(found.jumps.t, [7.0 * R / (5.0 * b * G)], rtol=1e-12)
    np.testing.assert_allclose(found.q[0][-1, 0], 3.5 * R / (5.0 * b * G), rtol=1e-12)


def test_wrong_resistances_are_refused():
    for law, words in (({"rolling": -1.0}, "rolling must be 0 or more"),
                       ({"spinning": (0.1, 0.2)}, "spinning is one number")):  # fmt: skip
        with pytest.raises(UsageError, match=words):
            ball((0.0,) * 6, **law)
    with pytest.raises(UsageError, match="rolling needs mu"):
        parts.build(
            parts.Body("ball", 2.0, 1.0),
            parts.Free("ball", start=(0, 0, R)),
            parts.Ball("ball", R, rolling=0.1),
        )


class Pushed(da.System):
    """A point on a floor, pushed more and more by a force that turns."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - G * q[2]

    def force(self, t, q, v):
        return jnp.stack([3.0 * t, t * t, 0.0 * t])


def test_a_slip_of_two_rows_begins_from_zero():
    law = hybrid.ContactLaw("p", lambda q: jnp.eye(3)[:2], gap=lambda q: q[2], mu=0.3)
    modes = hybrid.with_friction(Pushed(), law)
    ends = []
    for h in (0.02, 0.01):
        found = da.simulate(modes, np.zeros(3), np.zeros(3), h=h, t=2.0)
        assert [x.target for x in found.jumps] == ["p slides"]
        # 9 t^2 + t^4 = (mu g)^2
        at = np.sqrt(0.5 * (np.sqrt(81.0 + 4.0 * (0.3 * G) ** 2) - 9.0))
        np.testing.assert_allclose(found.jumps.t, [at], rtol=1e-12)
        ends.append(np.concatenate([found.q[-1], found.v[-1]]))
    np.testing.assert_allclose(ends[0], ends[1], atol=2e-8)
    # momentum: push less friction, whose size is known: its impulse is no longer than mu g t
    impulse = np.array([1.5 * (4 - at**2), (8 - at**3) / 3]) - ends[1][3:5]
    assert 0.99 * 0.3 * G * (2 - at) < np.linalg.norm(impulse) < 0.3 * G * (2 - at)


def test_a_tippe_top_turns_over_and_has_jelletts_integral():
    modes = registry["tippe-top"]()
    found = da.simulate(modes, da.Gauss(stages=4), h=0.001, t=7.0)
    J = rough_zoo.jellett(modes, found)
    np.testing.assert_allclose(J, J[0], rtol=1e-12)
    tilt = np.arccos(found.q[1][:, 2, 2])
    assert tilt[0] < 0.11 and tilt[-1] > 3.1
    assert np.all(np.diff(hybrid.energy(modes, found)) < 1e-12)


def test_a_car_brakes_spins_and_stands():
    found = da.simulate(registry["car"](), h=0.01, t=3.0)
    np.testing.assert_allclose(found.q[0][-1, 0], 400.0 / (1.6 * G), rtol=1e-10)
    assert np.all(found.v[-1] == 0.0)
    found = da.simulate(registry["car"](turn=3.0), h=0.01, t=3.5)
    assert np.all(found.v[-1] == 0.0) and abs(found.q[1][-1][0, 1]) > 0.1
    found = da.simulate(registry["car"](speed=0.0, slope=0.3), h=0.1, t=1000.0)
    assert np.all(found.q[0] == found.q[0][0]) and np.all(found.v == 0.0)


def test_a_scooter_slips_on_a_wet_patch_and_rolls_on():
    found = da.simulate(registry["scooter"](), h=0.005, t=1.5)
    assert [x.name for x in found.jumps] == ["rear slips", "rear sticks"]
    first, last = (x.q[0] - 0.35 for x in found.jumps)
    # it takes a while to turn again; by Taylor(1e-13) with h = 0.01
    np.testing.assert_allclose([first, last], [1.99251795, 4.22593419], atol=2e-5)


def test_a_bowling_ball_hooks_and_rolls_whatever_the_member():
    modes, n = registry["bowling-ball"](), 3
    _, q, v = modes.started(None, None, None, 0.0)
    speeds = np.repeat(np.asarray(v)[None], n, axis=0)
    speeds[:, 0] = [4.0, 5.0, 6.0]
    places = tuple(np.repeat(np.asarray(x)[None], n, axis=0) for x in q)
    many = hybrid.simulate_ensemble(modes, None, places, speeds, h=0.02, t=3.0)
    for i in range(n):
        one = da.simulate(modes, q, speeds[i], h=0.02, t=3.0)
        assert one.mode_names[-1] == "ball holds" and one.q[0][-1, 1] < -0.1
        np.testing.assert_array_equal(many[i].q[0][-1], one.q[0][-1])


def test_other_systems_of_the_zoo():
    back = da.simulate(registry["struck-ball"](), h=0.01, t=1.5)
    u = 2.0 + 250.0 * 0.028575, 20.0 * 0.028575  # slip
    assert back.v[-1][0] < 0.0 and back.mode_names[-1].startswith("ball holds, ball rolls")
    np.testing.assert_allclose(back.jumps.t[0], 2 * np.hypot(*u) / (7 * 0.2 * G), rtol=0.05)
    modes = registry["painleve-rod"](angle=0.9, turn=0.0)
    with pytest.raises(SimulationError, match="consistent: none"):
        modes.started(None, None, None, 0.0)
    low = da.simulate(registry["euler-disk"](), h=0.002, t=2.0)
    tilt = np.arccos(np.abs(low.q[1][:, 2, 1]))  # of the disk against the table
    assert tilt[-1] < tilt[0] and low.v[-1][3:] @ low.v[-1][3:] > 0.0
    assert np.all(np.diff(hybrid.energy(registry["euler-disk"](), low)) < 1e-9)


def thin_disk(lean, mu):
    """Return a disk that starts from rest, `lean` from the table."""
    r, m = 0.0375, 0.44
    turn = np.asarray(parts.rotation("x", 0.5 * np.pi - lean, np)).tolist()
    return hybrid.with_friction(
        parts.build(
            parts.Body("disk", m, (0.25 * m * r**2, 0.5 * m * r**2, 0.25 * m * r**2)),
            parts.Free("disk", start=((0, 0, r * np.sin(lean)), turn)),
            parts.Wheel("disk", r, mu=mu),
            parts.Gravity(G),
        )
    )


def test_a_thin_disk_that_falls_flat_is_named():
    with pytest.raises(SimulationError, match=r"'disk' lies almost flat at t = 0.054") as flat:
        da.simulate(thin_disk(0.3, 0.4), h=0.001, t=0.2)
    assert flat.value.trajectory.t[-1] < 0.055 and not flat.value.trajectory.warnings
    # a step that leads across the flat pose gains energy; with h = 0.0001 none does
    with pytest.raises(SimulationError, match="touches with its whole rim") as across:
        da.simulate(thin_disk(0.85, 0.05), h=0.001, t=0.6)
    told = [x for x in across.value.trajectory.warnings if "the energy has grown" in x]
    assert len(told) == 1 and "'disk' lies almost flat at t = 0.089" in told[0]
    with pytest.raises(SimulationError, match="lies almost flat") as fine:
        da.simulate(thin_disk(0.85, 0.05), h=0.0001, t=0.6)
    assert not fine.value.trajectory.warnings


def test_a_coefficient_that_becomes_negative_somewhere_is_refused():
    def sliding(mu, **more):
        return hybrid.with_friction(
            parts.build(
                parts.Body("ball", 2.0, shape=da.scene.sphere(R)),
                parts.Free("ball", start=(0, 0, R), speed=(1.0, 0, 0, 0, 0, 0)),
                parts.Ball("ball", R, mu=mu, **more),
                parts.Gravity(G),
            )
        )

    with pytest.raises(SimulationError, match=r"'ball': mu must be 0 or more, got -") as found:
        da.simulate(sliding(lambda x, y, z: 0.2 - x), h=0.01, t=1.0)
    assert found.value.trajectory.t[-1] == 1.0  # nothing is lost
    with pytest.raises(SimulationError, match=r"mu_static - mu must not be -0\.1"):
        da.simulate(sliding(0.3, mu_static=lambda x, y, z: 0.2 + 0.0 * x), h=0.01, t=0.1)
    fine = da.simulate(sliding(lambda x, y, z: 0.2 / (1.0 + x)), h=0.01, t=1.0)
    assert not fine.warnings


def test_nothing_compiles_when_the_mode_of_a_car_changes(monkeypatch):
    modes = registry["car"](turn=0.4)
    made, init = [], llvm.Native.__init__
    # in one mode alone, with as many steps as runs have whose energy is checked
    assert not len(da.simulate(modes, h=0.01, t=0.2).jumps)
    monkeypatch.setattr(
        llvm.Native, "__init__", lambda self, *a, **k: made.append(1) or init(self, *a, **k)
    )
    found = da.simulate(modes, h=0.02, t=3.0)
    assert len(found.jumps) and np.all(found.v[-1] == 0.0) and not made
    # without a turn it brakes in v^2/(2 mu g)
    straight = da.simulate(registry["car"](), h=0.01, t=3.0)
    assert abs(straight.q[0][-1, 0] - 20.0**2 / (2 * 0.8 * G)) < 1e-8
