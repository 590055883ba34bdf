"""Members of a Taylor ensemble advance together in native code, to the bits of single runs."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.events.detect_polynomials import PolynomialDetector
from dalembert.running.programs import taylor_program
from dalembert.running.programs.taylor_program import TaylorProgram

SLEIGH = da.systems.ChaplyginSleigh()
Q0, V0 = (np.asarray(x) for x in SLEIGH.initial())
H, STEPS, MEMBERS = 0.05, 60, 5
SPEEDS = np.linspace(0.2, 3.0, MEMBERS)  # so that members make different numbers of steps


def starts():
    return np.stack([Q0] * MEMBERS), SPEEDS[:, None] * V0


def agree(many, singles):
    for i, one in enumerate(singles):
        for name in ("q", "v", "multiplier", "residual"):
            np.testing.assert_array_equal(getattr(many[i], name), getattr(one, name))


def singles(every=1):
    return [
        da.simulate(SLEIGH, da.Taylor(), Q0, s * V0, h=H, steps=STEPS, save=da.Every(every))
        for s in SPEEDS
    ]


def test_no_member_is_advanced_alone(monkeypatch):
    wanted = singles(7)
    monkeypatch.setattr(TaylorProgram, "advance", None)
    many = da.simulate_ensemble(SLEIGH, da.Taylor(), *starts(), h=H, steps=STEPS, save=da.Every(7))
    agree(many, wanted)
    assert many.steps_done.tolist() == [STEPS] * MEMBERS


@pytest.mark.parametrize("bytes_of_records", [1, 60_000])
def test_records_that_do_not_fit_into_one_call(monkeypatch, bytes_of_records):
    monkeypatch.setattr(taylor_program, "_BLOCK_BYTES", bytes_of_records)
    many = da.simulate_ensemble(SLEIGH, da.Taylor(), *starts(), h=H, steps=STEPS, save=da.Every(1))
    agree(many, singles())


def test_members_with_parameters_of_their_own():
    over = da.grid(a=[0.1, 0.2, 0.4], m=[1.0, 2.0])
    many = da.simulate_ensemble(SLEIGH, da.Taylor(), over=over, h=H, steps=STEPS, save=da.Every(1))
    for i, (a, m) in enumerate((a, m) for a in (0.1, 0.2, 0.4) for m in (1.0, 2.0)):
        one = da.simulate(da.systems.ChaplyginSleigh(a=a, m=m), da.Taylor(), h=H, steps=STEPS)
        np.testing.assert_array_equal(many[i].q, one.q)


class Falling(da.System):
    """x'' = -1/x^2, which reaches the center at pi/(2 sqrt 2) times x0^1.5 if it starts at rest."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2 + 1.0 / q[0]


class Ends(da.System):
    """A free point whose Lagrangian has no value behind x = 2, and derivatives everywhere."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v[0] ** 2 + jnp.where(q[0] > 2.0, jnp.nan, 0.0)


@pytest.mark.parametrize("every", [1, 7])
def test_a_row_that_fails_ends_a_member_as_if_it_were_alone(every):
    start, options = np.array([[0.0], [1.0], [1.95]]), {"h": 0.1, "steps": 14}
    watched = {"near": lambda t, q, v: q[0] - 1.97}
    many = da.simulate_ensemble(
        Ends(),
        da.Taylor(),
        start,
        0.0 * start + 1.0,
        events=watched,
        save=da.Every(every),
        **options,
    )
    assert sorted(many.failed) == [1, 2]
    for i in (1, 2):
        with pytest.raises(da.SimulationError) as error:
            da.simulate(
                Ends(),
                da.Taylor(),
                start[i],
                np.ones(1),
                events=watched,
                save=da.Every(every),
                **options,
            )
        one = error.value.trajectory
        np.testing.assert_array_equal(many[i].q, one.q)
        assert many.steps_done[i] == error.value.step - 1
        mine = many.events["near"].t[many.events["near"].member == i]
        np.testing.assert_array_equal(mine, one.events["near"].t)
    one = da.simulate(Ends(), da.Taylor(), start[0], np.ones(1), save=da.Every(every), **options)
    np.testing.assert_array_equal(many[0].q, one.q)


def test_a_member_that_fails_does_so_as_if_it_were_alone():
    q0 = np.array([[1.0], [4.0], [2.0]])
    many = da.simulate_ensemble(
        Falling(), da.Taylor(), q0, 0.0 * q0, h=0.1, steps=25, save=da.Every(1)
    )
    assert set(many.failed) == {0}
    assert many.ended[0] == pytest.approx(np.pi / np.sqrt(8.0), abs=0.11)
    with pytest.raises(da.SimulationError) as error:
        da.simulate(Falling(), da.Taylor(), q0[0], 0.0 * q0[0], h=0.1, steps=25)
    np.testing.assert_array_equal(many[0].q, error.value.trajectory.q)
    for i in (1, 2):
        one = da.simulate(Falling(), da.Taylor(), q0[i], 0.0 * q0[i], h=0.1, steps=25)
        np.testing.assert_array_equal(many[i].q, one.q)


EVENTS = {
    "turned": lambda t, q, v: q[2] - 0.5,
    "circle": da.Event(lambda t, q, v: q[0] ** 2 + q[1] ** 2 - 0.3, 1),
    # no polynomial: members take changes of sign between points of their steps
    "edge": lambda t, q, v: jnp.abs(q[2] - 1.0) - 0.02,
}


def test_members_with_events_make_their_steps_and_searches_together(monkeypatch):
    wanted = [
        da.simulate(SLEIGH, da.Taylor(), Q0, s * V0, h=H, steps=STEPS, events=EVENTS)
        for s in SPEEDS
    ]
    monkeypatch.setattr(TaylorProgram, "advance", None)
    calls, detect = [], PolynomialDetector.detect
    monkeypatch.setattr(PolynomialDetector, "detect", lambda *x: calls.append(x) or detect(*x))
    options = {"h": H, "steps": STEPS, "save": da.Every(1)}
    many = da.simulate_ensemble(SLEIGH, da.Taylor(), *starts(), events=EVENTS, **options)
    agree(many, wanted)
    assert 1 < len(calls) < MEMBERS  # the first row, and all others
    for name in EVENTS:
        found = many.events[name]
        for i, one in enumerate(wanted):
            for x in ("t", "q", "v", "step"):
                mine = getattr(found, x)[found.member == i]
                np.testing.assert_array_equal(mine, getattr(one.events[name], x))
    counts = [len(x.events) for x in wanted]
    assert min(counts) < max(counts) and len(many.events) == sum(counts)


def test_what_is_no_polynomial_for_one_member_leaves_the_others_theirs(monkeypatch):
    """A pulse in time that some members meet; others never come where it is."""
    pulse = {"pulse": lambda t, q, v: q[0] - 1.0 - 0.5 * jnp.exp(-(((q[0] - 2.0) / 1e-3) ** 2))}
    options = {"h": 1.0, "steps": 3, "save": da.Every(1)}
    many = da.simulate_ensemble(SLEIGH, da.Taylor(), *starts(), events=pulse, **options)
    for i, s in enumerate(SPEEDS):
        one = da.simulate(SLEIGH, da.Taylor(), Q0, s * V0, h=1.0, steps=3, events=pulse)
        found = many.events["pulse"]
        np.testing.assert_array_equal(found.t[found.member == i], one.events["pulse"].t)
    assert len(many.events)
