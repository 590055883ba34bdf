"""Zeros that are reached and not crossed, or jumped over by a step: none is missed (A7)."""

import math

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid

G = 9.81


class Ball(da.System):
    """A billiard ball on a table: q = (center, attitude), v = (velocity, spin in the body)."""

    m: float = 0.17
    r: float = 0.0286
    mu: float = 0.2
    space = da.Product(da.Euclidean(2), da.SO(3))

    def lagrangian(self, q, v):
        return 0.5 * self.m * (v[:2] @ v[:2]) + 0.2 * self.m * self.r**2 * (v[2:] @ v[2:])

    def slip(self, q, v):
        """The velocity of the lowest point."""
        w = q[1] @ v[2:]
        return jnp.array([v[0] - self.r * w[1], v[1] + self.r * w[0]])


class Rolling(Ball):
    def constraint(self, q):
        x, y = jnp.array([1.0, 0.0]), jnp.array([0.0, 1.0])
        rows = [jnp.concatenate([x, -self.r * q[1][1]]), jnp.concatenate([y, self.r * q[1][0]])]
        return jnp.stack(rows)


class Sliding(Ball):
    def force(self, t, q, v):
        s = self.slip(q, v)
        f = -self.mu * self.m * G * s / jnp.sqrt(s @ s + 1e-24)
        return jnp.concatenate([f, q[1].T @ (self.r * jnp.array([f[1], -f[0], 0.0]))])


START = (np.zeros(2), np.eye(3)), np.array([3.0, 0.0, 40.0, -30.0, 10.0])
SLIP = np.array([3.0 + 0.0286 * 30.0, 0.0286 * 40.0])


def _slides(method, h, at):
    """The run, and when |slip| is `at`: it falls at the rate 7 mu g/2."""
    slide = Sliding()
    grips = hybrid.Transition(
        "slide", "roll", lambda t, q, v: jnp.linalg.norm(slide.slip(q, v)) - at, direction=-1
    )
    modes = hybrid.Modes({"slide": slide, "roll": Rolling()}, grips)
    methods = {"slide": method, "roll": da.Gauss(2)}
    run = hybrid.simulate(modes, "slide", *START, h=h, t=0.8, method=methods)
    return run, 2.0 * (np.linalg.norm(SLIP) - at) / (7.0 * slide.mu * G)


@pytest.mark.parametrize("at", [1e-3, 1e-6, 0.0])
@pytest.mark.parametrize(
    "method, h, error",
    [
        (da.RK4(), 0.01, 5e-5),
        (da.RK4(), 0.001, 1e-7),
        (da.Gauss(2), 0.01, 5e-5),
        (da.Gauss(2), 0.001, 1e-8),
        (da.Gauss(3), 0.01, 2e-8),
        (da.DLA(), 0.001, 5e-4),
    ],
    ids=lambda x: getattr(x, "name", str(x)),
)
def test_finding3_a7_the_slip_ends_whatever_the_method(method, h, error, at):
    """RK4 went on sliding, Gauss stopped; a threshold of zero is reached and never crossed."""
    run, exact = _slides(method, h, at)
    (jump,) = run.jumps
    assert jump.t == pytest.approx(exact, abs=error)
    assert run.warnings == ()
    # it rolls with the velocity that friction along the first slip leaves
    end = START[1][:2] - 2.0 * SLIP / 7.0
    np.testing.assert_allclose(run.arcs[-1].trajectory.final.v[:2], end, atol=10.0 * G * error)


def test_finding3_a7_a_step_too_long_for_the_method_says_which_zero_it_missed():
    """The ball turns by 0.5 rad a step, and |slip| is off by 0.07 m/s: it never vanishes."""
    with pytest.raises(da.SimulationError) as caught:
        _slides(da.DLA(), 0.01, 0.0)  # GNI takes the same steps here
    said = str(caught.value)
    assert "the guard of 'slide to roll' came down to 0.07" in said and "rose again" in said
    assert "Take a smaller h" in said and "a smaller h may help" not in said


class Drop(da.MechanicalSystem):
    """q = (x, y): x moves at a constant speed, y falls."""

    space = da.Euclidean(2)

    @property
    def mass(self):
        return jnp.eye(2)

    def potential(self, q):
        return 9.81 * q[1]


def _drops(guard, h=0.05, t=1.0, **options):
    modes = hybrid.Modes(
        {"air": Drop(), "out": Drop()}, hybrid.Transition("air", "out", guard, **options)
    )
    return hybrid.simulate(modes, "air", np.array([0.0, 1.0]), np.array([1.0, 0.0]), h=h, t=t)


@pytest.mark.parametrize(
    "guard",
    [
        lambda t, q, v: jnp.abs(q[0] - 0.43),  # turns round at zero
        lambda t, q, v: jnp.abs(q[0] - 0.43) - 1e-9,  # below zero for 4e-8 of a step
        lambda t, q, v: (0.43 - q[0]) % 1.0,  # jumps at zero
        lambda t, q, v: jnp.abs(q[0] - 0.43) * (1.0 + q[0]),  # on a curve
    ],
    ids=["kink", "window", "wrap", "curved"],
)
@pytest.mark.parametrize("h", [0.05, 0.043, 0.4])  # within a step, at a row, in the second step
def test_finding3_a7_a_guard_that_reaches_zero_at_full_rate_ends_the_mode(guard, h):
    run = _drops(guard, h=h, t=2.0 * h if h > 0.1 else 20.0 * h, direction=-1)
    (jump,) = run.jumps
    assert jump.t == pytest.approx(0.43, abs=3e-9)
    assert [x.mode for x in run.arcs] == ["air", "out"]


def test_finding3_a7_a_pair_of_zeros_within_a_step_is_found():
    """(x - 0.43)^2 < 1e-8 between two rows 500 times as far apart."""
    run = _drops(lambda t, q, v: (q[0] - 0.43) ** 2 - 1e-8, direction=-1)
    assert run.jumps.t == pytest.approx([0.4299], abs=1e-9)


def test_finding3_a7_a_smooth_touch_is_reported_and_a_turn_above_zero_is_not():
    (told,) = _drops(lambda t, q, v: (q[0] - 0.43) ** 2).warnings
    assert "comes to zero" in told and "turns back" in told
    run = _drops(lambda t, q, v: jnp.abs(q[0] - 0.43) + 0.05)
    assert run.warnings == () and not len(run.jumps)


class Braked(da.MechanicalSystem):
    """Dry friction of 3 N on 1 kg, which turns round with the velocity."""

    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.0 * q[0]

    def force(self, t, q, v):
        return -3.0 * v / jnp.maximum(jnp.abs(v), 1e-12)


def test_finding3_a7_a_second_zero_at_the_end_of_a_step_is_not_the_first():
    """v = 1 - 3 t: a step of RK4 over the zero at 1/3 ends at v = 0, at 0.35."""
    slides = hybrid.Transition(
        "slides", "rests", lambda t, q, v: jnp.abs(v[0]) - 1e-6, direction=-1
    )
    modes = hybrid.Modes({"slides": Braked(), "rests": Braked()}, slides)
    for h in (0.05, 0.2, 0.1):
        run = hybrid.simulate(modes, "slides", [0.0], [1.0], method=da.RK4(), h=h, t=0.4)
        assert run.jumps.t[0] == pytest.approx((1.0 - 1e-6) / 3.0, abs=1e-9), h


def test_finding3_a7_a_guard_that_jumps_away_from_its_zero_is_refused():
    guard = lambda t, q, v: jnp.where(q[0] < 0.4299, 0.43 - q[0], 0.4)
    with pytest.raises(da.SimulationError, match="no step leads on to its zero") as caught:
        _drops(guard, direction=-1)
    assert "little earlier" in str(caught.value) and len(caught.value.trajectory) == 9


def _rk4(zero):
    """|s| at the end of a step of RK4, of s' = -sign(s) from s = zero."""

    def f(x):
        k1 = -1.0
        k2 = -math.copysign(1.0, zero + 0.5 * x * k1)
        k3 = -math.copysign(1.0, zero + 0.5 * x * k2)
        k4 = -math.copysign(1.0, zero + x * k3)
        return abs(zero + x * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0)

    return f


@pytest.mark.parametrize("zero", [0.9, 0.6, 0.15, 0.1, 1e-3])
def test_finding3_a7_the_first_zero_is_found_not_one_behind_a_jump(zero):
    from dalembert.events import arrival

    found = arrival(_rk4(zero), zero, 1.0, 1e-11)
    assert found is not None and found.outcome.name == "ARRIVES"
    assert found.x == pytest.approx(zero, abs=2e-11)


@pytest.mark.parametrize(
    "f, outcome",
    [
        (lambda x: (x - 0.6) ** 2, "TURNS"),
        (lambda x: (x - 0.6) ** 2 + 0.01, "TURNS"),
        (lambda x: abs(x - 0.6) + 0.01, "TURNS"),
        (lambda x: (x - 0.6) ** 2 - 1e-8, "CROSSES"),
        (lambda x: 0.6 - x if x < 0.55 else 0.4, "BLOCKED"),
        (lambda x: 0.6 - x if x < 0.59 else math.nan, "BLOCKED"),
        (lambda x: abs(0.6 - x) if x < 0.75 else math.nan, "ARRIVES"),
        (lambda x: abs(0.6 - x) * (1.0 + 0.8 * x), "ARRIVES"),
        (lambda x: math.exp(-8.0 * x), None),
        (lambda x: 1.1 - x, None),
        (lambda x: 1.0 + x, None),
        (lambda x: math.nan if x else 1.0, None),
    ],
)
def test_finding3_a7_what_becomes_of_a_function_that_falls(f, outcome):
    from dalembert.events import arrival

    found = arrival(f, f(0.0), 1.0, 1e-11)
    assert (None if found is None else found.outcome.name) == outcome
