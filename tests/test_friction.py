"""Contacts with dry friction: closed forms, each of which fails with a wrong sign."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid, parts
from dalembert.compile.cpu import llvm
from dalembert.errors import SimulationError, UsageError

G = 9.81


class Block(da.System):
    """A point on an incline, x down it and y away from it."""

    m: float = 2.0
    g: float = G
    slope: float = 0.0

    space = da.Euclidean(2)
    coordinate_names = ("x", "y")

    def lagrangian(self, q, v):
        height = jnp.cos(self.slope) * q[1] - jnp.sin(self.slope) * q[0]
        return 0.5 * self.m * (v @ v) - self.m * self.g * height


def _along(q):
    return jnp.array([[1.0, 0.0]])


def _height(q):
    return q[1]


def block(slope=0.0, **law):
    law = {"mu": 0.3} | law
    contact = hybrid.ContactLaw("block", _along, gap=_height, **law)
    return hybrid.with_friction(Block(slope=slope), contact)


def run(modes, q0, v0, **how):
    return da.simulate(modes, np.asarray(q0, float), np.asarray(v0, float), **how)


@pytest.mark.parametrize("v0", [3.0, -2.0])
def test_a_sliding_block_stops_and_stays(v0):
    found = run(block(), [0, 0], [v0, 0], h=0.05, t=2.0)
    assert [x.target for x in found.jumps] == ["block holds"]
    np.testing.assert_allclose(found.jumps.t[0], abs(v0) / (0.3 * G), rtol=1e-12)
    np.testing.assert_allclose(found.q[-1, 0], v0 * abs(v0) / (0.6 * G), rtol=1e-12)
    after = found.t > found.jumps.t[0]
    assert np.all(found.v[after] == 0.0) and np.ptp(found.q[after, 0]) == 0.0
    np.testing.assert_allclose(found.multiplier[0, 0], 2.0 * G, rtol=1e-12)


def test_rest_on_an_incline_is_exact_for_a_thousand_seconds():
    found = run(block(0.25), [0.1, 0], [0, 0], h=0.5, t=1000.0)
    assert found.modes == ("block holds",)
    assert np.all(found.q == found.q[0]) and np.all(found.v == 0.0)


def test_a_block_slides_down_what_is_steeper_than_its_cone():
    found = run(block(0.4), [0, 0], [0, 0], h=0.1, t=2.0)
    a = G * (np.sin(0.4) - 0.3 * np.cos(0.4))
    assert found.modes == ("block slides",)
    np.testing.assert_allclose(found.q[-1, 0], 0.5 * a * 4.0, rtol=1e-12)


def test_a_block_thrown_up_an_incline_turns_or_stays():
    # up: deceleration g (sin + mu cos); then it holds if tan(slope) < mu_s, else slides down
    stays = run(block(0.25), [0, 0], [-2, 0], h=0.05, t=1.5)
    up = 2.0 / (G * (np.sin(0.25) + 0.3 * np.cos(0.25)))
    np.testing.assert_allclose(stays.jumps.t, [up], rtol=1e-12)
    assert np.all(stays.v[-1] == 0.0)
    turns = run(block(0.4), [0, 0], [-2, 0], h=0.05, t=1.5)
    up = 2.0 / (G * (np.sin(0.4) + 0.3 * np.cos(0.4)))
    down = G * (np.sin(0.4) - 0.3 * np.cos(0.4))
    np.testing.assert_allclose(turns.jumps.t[0], up, rtol=1e-12)
    np.testing.assert_allclose(turns.v[-1, 0], down * (1.5 - up), rtol=1e-11)


def test_static_friction_holds_more_than_sliding_friction():
    # tan(0.4) = 0.42: held from rest by mu_s = 0.5; once it slides, mu = 0.3 does not stop it
    assert run(block(0.4, mu_static=0.5), [0, 0], [0, 0], h=0.1, t=1.0).modes == ("block holds",)
    moving = run(block(0.4, mu_static=0.5), [0, 0], [0.5, 0], h=0.1, t=1.0)
    assert moving.modes == ("block slides",) and moving.v[-1, 0] > 0.5


def test_energy_lost_is_the_work_of_friction_and_bounces_end():
    found = run(block(restitution=0.5), [0, 1.0], [3.0, 0.0], h=0.05, t=3.0)
    names = [x.name for x in found.jumps]
    assert names[0] == "block lands" and found.mode_names[-1] == "block holds"
    assert np.all(np.diff(found.jumps.t) > 0.0)
    first = found.jumps[0]
    fall = np.sqrt(2.0 * G)
    np.testing.assert_allclose(first.v_after, [3.0 - 0.3 * 1.5 * fall, 0.5 * fall], rtol=1e-12)
    assert np.all(found.jumps.energy_lost > -1e-12)


def _of_place(t, q):
    return 0.2 + 0.1 * q[0]


def test_friction_that_depends_on_the_place_and_viscous_friction():
    # v^2 = v0^2 - 2 g (0.2 x + 0.05 x^2)
    found = run(block(mu=_of_place), [0, 0], [3.0, 0], h=0.02, t=2.5)
    x = (-0.2 + np.sqrt(0.04 + 0.2 * 9.0 / (2.0 * G))) / 0.1
    np.testing.assert_allclose(found.q[-1, 0], x, rtol=1e-8)
    # v' = -mu g - (c/m) v
    found = run(block(viscous=1.5), [0, 0], [3.0, 0], h=0.02, t=1.5)
    c, a = 1.5 / 2.0, 0.3 * G
    np.testing.assert_allclose(found.jumps.t, [np.log(1.0 + 3.0 * c / a) / c], rtol=1e-9)


def test_events_and_reports_of_runs_with_friction():
    modes = block()
    found = run(modes, [0, 0], [3.0, 0], h=0.05, t=2.0, events={"half": lambda t, q, v: q[0] - 0.5})
    v = 3.0 - np.sqrt(9.0 - 0.3 * G)
    np.testing.assert_allclose(found.events.t, [v / (0.3 * G)], rtol=1e-10)
    assert "block slides" in str(hybrid.report(modes, found))


class Spring(da.System):
    m: float = 1.0
    k: float = 20.0

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * self.m * v[0] ** 2 - 0.5 * self.k * q[0] ** 2


def test_stick_slip_on_a_belt_has_its_period_to_order_four():
    V, N, mu_s, mu = 0.5, 10.0, 0.5, 0.3
    belt = hybrid.ContactLaw(
        "block",
        lambda q: jnp.ones((1, 1)),
        load=N,
        mu=mu,
        mu_static=mu_s,
        offset=lambda t, q: jnp.array([V]),
    )
    modes = hybrid.with_friction(Spring(), belt)
    w, A = np.sqrt(20.0), (mu_s - mu) * N / 20.0
    sliding, holding = 2.0 / w * (np.pi - np.arctan(A * w / V)), 2.0 * A / V
    off = []
    for h in (0.04, 0.02):
        found = run(modes, [0], [V], h=h, t=4.48)
        np.testing.assert_allclose(found.jumps.t[0], mu_s * N / 20.0 / V, rtol=1e-12)
        spans = np.diff(found.jumps.t)[:4]
        off.append(np.max(np.abs(spans - [sliding, holding, sliding, holding])))
    assert off[1] < 2e-7 and np.log2(off[0] / off[1]) > 3.7


L = 0.5  # half of the rod


class Rod(da.System):
    m: float = 1.0
    g: float = G

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        turn = self.m * L**2 / 6.0 * v[2] ** 2
        return 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + turn - self.m * self.g * q[1]


def test_painleves_rod_is_refused_where_no_set_is_consistent():
    mu = 2.0
    tip = hybrid.ContactLaw(
        "tip",
        lambda q: jnp.array([[1.0, 0.0, L * jnp.sin(q[2])]]),
        gap=lambda q: q[1] - L * jnp.sin(q[2]),
        mu=mu,
    )
    modes = hybrid.with_friction(Rod(), tip)
    low, high = 0.5, 0.8  # 1 + 3 cos (cos - mu sin) falls through zero between them
    for _ in range(60):
        middle = 0.5 * (low + high)
        value = 1.0 + 3.0 * np.cos(middle) * (np.cos(middle) - mu * np.sin(middle))
        low, high = (middle, high) if value > 0.0 else (low, middle)

    def started(angle, speed):
        return modes.fresh().started(None, [0.0, L * np.sin(angle), angle], [speed, 0, 0], 0.0)[0]

    assert started(low - 1e-8, -1.0) == "tip slides"
    with pytest.raises(SimulationError, match="consistent: none") as error:
        started(low + 1e-8, -1.0)
    assert "'tip slides'" in str(error.value) and "'tip is open'" in str(error.value)
    assert started(low + 1e-8, 1.0) == "tip slides"  # pulled, and not pushed


class Sled(da.System):
    """A rigid body in a vertical plane."""

    m: float = 10.0
    J: float = 2.0
    g: float = G

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        turn = 0.5 * self.J * v[2] ** 2
        return 0.5 * self.m * (v[0] ** 2 + v[1] ** 2) + turn - self.m * self.g * q[1]


def foot(name, x, h, mu):
    def rows(q):
        return jnp.array([[1.0, 0.0, h * jnp.cos(q[2]) - x * jnp.sin(q[2])]])

    def gap(q):
        return q[1] + x * jnp.sin(q[2]) - h * jnp.cos(q[2])

    return hybrid.ContactLaw(name, rows, gap=gap, mu=mu)


def test_three_feet_share_loads_by_least_stored_energy_and_brake():
    h, mu, places = 0.3, 0.5, np.array([-1.0, 0.2, 0.9])
    laws = [foot(name, x, h, mu) for name, x in zip("abc", places)]
    modes = hybrid.with_friction(Sled(), *laws, redundant=True)
    found = run(modes, [0, h, 0], [4.0, 0, 0], h=0.05, t=1.2)
    # loads a + b x carry the weight, and its moment mu h m g that friction makes
    weight = 10.0 * G
    sums = np.array([[3.0, places.sum()], [places.sum(), places @ places]])
    a, b = np.linalg.solve(sums, [weight, mu * h * weight])
    np.testing.assert_allclose(found.multiplier[0, :3], a + b * places, rtol=1e-7)
    assert found.mode_names[-1] == "a holds, b holds, c holds"
    np.testing.assert_allclose(found.q[-1, 0], 16.0 / (2.0 * mu * G), rtol=1e-8)
    np.testing.assert_allclose(found.jumps.t[0], 4.0 / (mu * G), rtol=1e-8)
    assert np.all(found.v[-1] == 0.0)
    lost = 0.5 * 10.0 * 16.0
    np.testing.assert_allclose(mu * weight * found.q[-1, 0], lost, rtol=1e-8)


def test_a_box_that_lands_flat_brakes_by_all_of_its_impulse():
    # slip never reverses: friction has mu times the normal impulse m v, however corners share it
    h, mu = 0.1, 0.4
    laws = [foot(name, x, h, mu) for name, x in (("A", -0.2), ("B", 0.2))]
    modes = hybrid.with_friction(Sled(m=1.0, J=0.05 / 3.0), *laws, redundant=True)
    fall = np.sqrt(2.0 * G * 0.3)
    for tilt in (0.0, 1e-6):
        found = run(modes, [0, h + 0.3, tilt], [3.0, 0, 0], h=0.05, t=0.5)
        assert found.mode_names[-1] == "A slides, B slides"
        now = found.jumps[-1]
        braked = 3.0 - mu * fall - mu * G * (now.t - fall / G)
        np.testing.assert_allclose(now.v_after, [braked, 0, 0], atol=1e-10 + 10 * tilt)
    # slower than that: it stops while it lands
    found = run(modes, [0, h + 0.3, 0], [0.5, 0, 0], h=0.05, t=0.5)
    assert found.mode_names[-1] == "A holds, B holds"
    np.testing.assert_allclose(found.v[-1], 0.0, atol=1e-12)
    assert np.all(found.jumps.energy_lost > -1e-12)


# -- a ball of parts -----------------------------------------------------------------------------

R, MU = 0.1, 0.2


@functools.cache
def ball():
    made = parts.build(
        parts.Body("ball", 2.0, shape=da.scene.sphere(R)),
        parts.Free("ball", start=(0, 0, R)),
        parts.Ball("ball", R, mu=MU, restitution=0.5),
        parts.Gravity(G),
    )
    return hybrid.with_friction(made)


def thrown(v0, height=R, **how):
    return da.simulate(ball(), (np.array([0.0, 0.0, height]), np.eye(3)), np.asarray(v0), **how)


def slides(v0):
    """(time, velocity when it rolls, place at time t) of a uniform ball that slides at first."""
    v0 = np.asarray(v0, float)
    u = v0[:2] + R * np.array([-v0[4], v0[3]])  # of the contact point
    T = 2.0 * np.linalg.norm(u) / (7.0 * MU * G)
    end = v0[:2] - 2.0 / 7.0 * u
    d = u / np.linalg.norm(u)
    return T, end, lambda t: v0[:2] * T - 0.5 * MU * G * d * T**2 + end * (t - T)


def test_a_sliding_ball_rolls_after_two_sevenths():
    found = thrown([3.0, 1.0, 0, 0, 0, 0], h=0.05, t=2.5)
    T, end, place = slides([3.0, 1.0, 0, 0, 0, 0])
    np.testing.assert_allclose(found.jumps.t, [T], rtol=1e-10)
    np.testing.assert_allclose(found.v[-1, :2], end, rtol=1e-10)
    np.testing.assert_allclose(found.q[0][-1, :2], place(2.5), rtol=1e-10)


def test_a_spinning_ball_meets_its_closed_form_to_order_four():
    v0 = [2.0, 1.0, 0.0, 5.0, -7.0, 3.0]
    T, end, place = slides(v0)
    off = []
    for h in (0.02, 0.01):
        found = thrown(v0, h=h, t=2.0)
        off.append([found.jumps.t[0] - T, *(found.v[-1, :2] - end), *found.q[0][-1, :2] - place(2)])
    off = np.max(np.abs(off), axis=1)
    assert off[1] < 1e-7 and np.log2(off[0] / off[1]) > 3.7


@pytest.mark.parametrize(
    "height, speed",
    [(R, (3.0, 0, 0, 0, 0, 0)), (R, (2.0, 0, 0, 0, -60.0, 0)), (1, (1.0, 0, 0, 0, 2, 0))],
)
def test_a_machine_starts_with_the_speeds_that_were_given(height, speed):
    made = parts.build(
        parts.Body("ball", 2.0, shape=da.scene.sphere(R)),
        parts.Free("ball", start=(0, 0, height), speed=speed),
        parts.Ball("ball", R, mu=MU, restitution=0.5),
        parts.Gravity(G),
    )
    mode, q, v = hybrid.with_friction(made).started(None, None, None, 0.0)
    assert mode == ("ball slides" if height == R else "ball is open")
    np.testing.assert_array_equal(v, speed)
    np.testing.assert_allclose(q[0], [0, 0, height], atol=1e-15)


def test_backspin_brings_a_ball_back():
    v0 = [0.5, 0, 0, 0, -30.0, 0]
    found = thrown(v0, h=0.02, t=1.5)
    T, end, _ = slides(v0)
    np.testing.assert_allclose(found.jumps.t, [T], rtol=1e-5)
    np.testing.assert_allclose(found.v[-1, 0], end[0], rtol=1e-5)
    assert end[0] < 0.0


def test_a_dropped_ball_with_spin_grips_as_it_lands():
    found = thrown([1.0, 0, 0, 0, 40.0, 0], height=1.0, h=0.05, t=2.0)
    fall = np.sqrt(2.0 * G * 0.9)
    first = found.jumps[0]
    # the slip of 3 m/s is stopped by 2/7 of it, less than mu (1 + e) of the fall
    np.testing.assert_allclose(first.v_after[:3], [1.0 + 6.0 / 7.0, 0.0, 0.5 * fall], rtol=1e-10)
    np.testing.assert_allclose(first.v_after[4], 40.0 - 2.5 * 6.0 / 7.0 / R, rtol=1e-10)
    assert found.mode_names[-1] == "ball holds" and len(found.jumps) > 5


def test_nothing_compiles_when_a_mode_changes(monkeypatch):
    v0 = [2.0, 0.5, 0, 0, 0, 0]
    # in one mode alone, with as many steps as runs have whose energy is checked
    assert not len(thrown(v0, h=0.005, t=0.2).jumps)
    made, init = [], llvm.Native.__init__
    monkeypatch.setattr(
        llvm.Native, "__init__", lambda self, *a, **k: made.append(1) or init(self, *a, **k)
    )
    found = thrown(v0, h=0.05, t=2.5)
    assert len(found.jumps) == 1 and not made


# -- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "law, words",
    [
        ({"mu": -0.1}, "mu must be 0 or more"),
        ({"mu": 0.3, "mu_static": 0.2}, "mu_static = 0.2 is below mu = 0.3"),
        ({"restitution": 1.5}, "between 0 and 1"),
    ],
)
def test_laws_that_no_contact_has(law, words):
    with pytest.raises(UsageError, match=words):
        block(**law)
    with pytest.raises(UsageError, match=words):
        parts.build(
            parts.Body("ball", 2.0, 1.0),
            parts.Free("ball", start=(0, 0, R)),
            parts.Ball("ball", R, **({"mu": 0.3} | law)),
        )


def test_an_ensemble_over_a_parameter_of_a_contact():
    e, n = np.array([0.4, 0.8]), 2
    q = (np.tile([0.0, 0.0, 1.0], (n, 1)), np.tile(np.eye(3), (n, 1, 1)))
    v = np.tile([2.0, 0, 0, 0, 0, 0], (n, 1))
    over = da.grid(**{"ball ball.restitution": e})
    found = hybrid.simulate_ensemble(ball(), None, q, v, over=over, h=0.05, t=0.6)
    fall = np.sqrt(2.0 * 0.9 / G)
    rest = 0.6 - fall
    z = [found[i].q[0][-1, 2] for i in range(n)]
    np.testing.assert_allclose(z, R + e * G * fall * rest - 0.5 * G * rest**2, rtol=1e-10)


def test_dependent_rows_are_named_and_a_restitution_is_a_constant():
    brakes = [hybrid.ContactLaw(x, lambda q: jnp.eye(3)[:1], load=3.0, mu=0.4) for x in "AB"]
    with pytest.raises(UsageError, match=r"2 rows .* rank 1.*redundant=True"):
        hybrid.with_friction(Sled(), *brakes).started(None, [0, 0.1, 0], [0.0, 0, 0], 0.0)
    with pytest.raises(UsageError, match="must be a constant here"):
        jax.grad(lambda e: hybrid.bounce("fly", lambda q: q[0], restitution=e) and e)(0.5)


def test_starts_that_cannot_be():
    with pytest.raises(UsageError, match=r"contact 'block' is 0\.01 m below its surface"):
        run(block(), [0, -0.01], [0, 0], h=0.1, t=1.0)
    with pytest.raises(UsageError, match="no direction to slide in"):
        run(block(), [0, 0], [0, 0], h=0.1, t=1.0, mode="block slides")
    with pytest.raises(UsageError, match="needs either a gap or"):
        hybrid.ContactLaw("block", _along, mu=0.3)
    with pytest.raises(UsageError, match="no contact with friction"):
        hybrid.with_friction(
            parts.build(
                parts.Body("ball", 2.0, 1.0),
                parts.Free("ball", start=(0, 0, R)),
                parts.Ball("ball", R),
            )
        )


def test_a_run_that_gains_energy_says_so(monkeypatch):
    """Friction only takes energy; one that is counted with the wrong sign stands for a bug."""
    from dalembert.hybrid import hybrid_run

    assert run(block(), [0, 0], [3.0, 0], h=0.05, t=1.5).warnings == ()
    right = hybrid_run._energy_and_power
    monkeypatch.setattr(
        hybrid_run,
        "_energy_and_power",
        lambda s, t, q, v: (-right(s, t, q, v)[0], right(s, t, q, v)[1]),
    )
    (told,) = run(block(), [0, 0], [3.0, 0], h=0.05, t=1.5).warnings
    assert told.startswith("the energy has grown by") and "is unreliable" in told


def test_the_claims_of_the_experiment_on_friction():
    from dalembert.reproduce.experiments import contact_friction as experiment

    off, _ = experiment._sliding_ball()
    assert max(off.values()) < 1e-12
    inside, outside = experiment._painleve()
    assert inside and outside


@pytest.mark.parametrize("push", [(12.0, 0.0), (9.81, 1.0), (0.0, 20.0)])
def test_a_block_that_is_pulled_up_lifts_once_and_does_not_land(push):
    class Pulled(da.System):
        space = da.Euclidean(2)

        def lagrangian(self, q, v):
            return 0.5 * v @ v - 9.81 * q[1]

        def force(self, t, q, v):
            return jnp.stack([0.0 * t, push[0] + push[1] * t])

    law = hybrid.ContactLaw("p", lambda q: jnp.eye(2)[:1], gap=lambda q: q[1], mu=0.3)
    modes = hybrid.with_friction(Pulled(), law)
    found = da.simulate(modes, np.zeros(2), np.zeros(2), h=0.01, t=1.0)
    begins = (9.81 - push[0]) / push[1] if push[1] else 0.0
    assert list(found.jumps.t) == pytest.approx([begins] if push[1] else [], abs=1e-12)
    assert found.mode_names[-1] == "p is open"
    left = 1.0 - begins
    high = 0.5 * (push[0] + push[1] * begins - 9.81) * left**2 + push[1] * left**3 / 6.0
    np.testing.assert_allclose(found.q[-1], [0.0, high], atol=1e-9)


def test_a_contact_that_closes_in_a_decision_slides_where_it_is_pushed():
    # let go on a slope, legs below: to find what holds, the wheel is opened and closed again
    slope, mu, r, leg, high, m, n, turn = 1.0, 0.3, 0.2, 0.8, 0.25, 25.0, 2.0, 0.04
    barrow = parts.build(
        parts.Body("tray", m, (1.0, 2.0, 2.5), center=(0.3, 0, high)),
        parts.Free("tray", start=(0, 0, r)),
        parts.Body("wheel", n, (0.5 * turn, turn, 0.5 * turn)),
        parts.Revolute("wheel", "tray", axis="y"),
        parts.Wheel("wheel", r, mu=0.5),
        parts.Glide("tray", at=(leg, 0.2, -r), mu=mu, name="left"),
        parts.Glide("tray", at=(leg, -0.2, -r), mu=mu, name="right"),
        parts.Gravity(G, down=(np.sin(slope), 0, -np.cos(slope))),
    )
    found = da.simulate(hybrid.with_friction(barrow), h=0.02, t=0.2)
    assert set(found.mode_names) == {"wheel holds, left slides, right slides"}
    # along the slope, and about the point where the wheel touches
    along = [m + n + turn / r**2, mu]
    about = [m * (r + high) + n * r + turn / r, leg]
    s, c = np.sin(slope), np.cos(slope)
    weight = [(m + n) * G * s, G * (m * ((r + high) * s + 0.3 * c) + n * r * s)]
    a = np.linalg.solve([along, about], weight)[0]
    np.testing.assert_allclose(found["x_dot"][-1], a * 0.2, rtol=1e-9)
