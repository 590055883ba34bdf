"""`Sampled`: Python controllers in the loop, held between samples, in single runs and ensembles."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from features import PUSHED, START

H, RK4 = 0.02, da.RK4()


def feedback(t, q, v):
    """In NumPy alone, with a branch that JAX could not trace."""
    assert type(t) is float and isinstance(q, np.ndarray) and isinstance(v, np.ndarray)
    push = 0.4 if v[..., 0].max() < 0.6 else -0.1
    return np.array([push, np.sin(t) - 0.5 * q[2]])


def test_a_run_is_that_of_steps_with_held_inputs():
    traj = da.simulate(PUSHED, RK4, *START, h=H, steps=20, u=da.Sampled(feedback, every=3 * H))
    stepper = da.Stepper(PUSHED, RK4, h=H)
    stepper.reset(*START)
    given = []
    for k in range(20):
        s = stepper.state
        if k % 3 == 0:
            given.append(feedback(s.t, s.q.copy(), s.v.copy()))
        stepper.step(given[-1])
        assert np.array_equal(traj.q[k + 1], s.q) and traj.t[k + 1] == s.t
    held = traj.saved["u"]
    assert np.array_equal(held.u, given)
    np.testing.assert_allclose(held.t, 3 * H * np.arange(7), atol=1e-15)
    # and to the order of the method that of a table in the equations
    table = da.control.Table(held.t, held.u, hold=True)
    again = da.simulate(PUSHED, da.Gauss(2), *START, h=H, steps=20, u=table)
    np.testing.assert_allclose(again.q[-1], traj.q[-1], rtol=0, atol=1e-6)


def test_delay_rows_events_and_files(tmp_path):
    seen = []

    def remembers(t, q, v):
        seen.append(t)
        return [1.0 + t, 0.1]

    u = da.Sampled(remembers, every=2 * H, delay=3 * H)
    options = {"h": H, "steps": 12, "events": {"fast": lambda t, q, v: v[0] - 0.55}}
    traj = da.simulate(PUSHED, RK4, *START, u=u, save_every=5, **options)
    np.testing.assert_allclose(seen, 2 * H * np.arange(6), atol=1e-15)
    held = traj.saved["u"]
    # nothing acts until the first input arrives; the last arrives behind the end
    np.testing.assert_allclose(held.t, H * np.array([0, 3, 5, 7, 9, 11]), atol=1e-15)
    np.testing.assert_allclose(held.u[:, 0], [0.0, *(1.0 + np.array(seen[:-1]))])
    np.testing.assert_allclose(traj.t, H * np.array([0, 5, 10, 12]), atol=1e-15)
    # the event is located with the input that acts there: v' = 1 from t = 3 h on at first
    (fast,) = traj.events["fast"]
    assert abs(fast.v[0] - 0.55) < 1e-8
    traj.save(tmp_path / "held.nc")
    assert np.array_equal(da.load(tmp_path / "held.nc").saved["u"].u, held.u)


def test_ensembles_call_it_once_for_all_members():
    n, calls = 5, []
    speeds = np.zeros((n, 3))
    speeds[:, 0] = np.linspace(0.1, 0.5, n)

    def many(t, q, v):
        calls.append(q.shape)
        return np.stack([0.5 - v[:, 0], np.full(len(v), np.cos(t))], axis=1)

    u = da.Sampled(many, every=2 * H)
    found = da.simulate_ensemble(PUSHED, RK4, np.zeros(3), speeds, h=H, steps=9, u=u, save_every=3)
    assert calls == [(n, 3)] * 5 and found.saved["u"].u.shape == (5, n, 2)
    first, second = PUSHED.input_labels
    named = da.Sampled(lambda t, q, v: {second: np.cos(t), first: 0.5 - v[:, 0]}, every=2 * H)
    same = da.simulate_ensemble(
        PUSHED, RK4, np.zeros(3), speeds, h=H, steps=9, u=named, save_every=3
    )
    assert np.array_equal(same.q, found.q)
    one = da.Sampled(lambda t, q, v: many(t, q[None], v[None])[0], every=2 * H)
    alone = da.simulate(PUSHED, RK4, np.zeros(3), speeds[3], h=H, steps=9, u=one, save_every=3)
    np.testing.assert_allclose(found.q[3], alone.q, rtol=0, atol=1e-15)


def test_arrays_per_member():
    u = np.array([[0.1, 0.0], [0.2, 0.1]])
    starts = tuple(np.stack([x, x]) for x in START)
    found = da.simulate_ensemble(PUSHED, RK4, *starts, h=H, steps=3, u=da.control.PerMember(u))
    alone = da.simulate(PUSHED, RK4, *START, h=H, steps=3, u=u[1])
    np.testing.assert_allclose(found.q[1, -1], alone.q[-1], rtol=0, atol=1e-15)


def test_a_failed_run_keeps_rows_and_inputs():
    def wild(t, q, v):
        return [1e200 if t > 3 * H else 0.0, 0.0]

    with pytest.raises(da.SimulationError) as error:
        da.simulate(PUSHED, RK4, *START, h=H, steps=20, u=da.Sampled(wild, every=H))
    assert len(error.value.trajectory) >= 4
    assert error.value.trajectory.saved["u"].u[-1, 0] == 1e200


def test_an_input_that_is_no_number_ends_the_run_with_its_rows():
    def broken(t, q, v):
        return [np.nan if t > 2.5 * H else 0.0, 0.0]

    with pytest.raises(da.SimulationError, match=r"the controller gave \[nan +0\.\] at t") as error:
        da.simulate(PUSHED, RK4, *START, h=H, steps=20, u=da.Sampled(broken, every=H))
    assert len(error.value.trajectory) == 4 and error.value.step == 4


def test_an_input_that_is_no_number_fails_its_member_only():
    def broken(t, q, v):
        return np.stack(
            [np.where((t > 2.5 * H) & (np.arange(len(v)) == 1), np.nan, 0.0), v[:, 1]], 1
        )

    q0, v0 = (np.stack([x] * 3) for x in START)
    options = {"h": H, "steps": 20, "save_every": 1}
    many = da.simulate_ensemble(PUSHED, RK4, q0, v0, u=da.Sampled(broken, every=H), **options)
    assert set(many.failed) == {1}
    assert np.isfinite(many.q[[0, 2]]).all() and np.isfinite(many.q[1, :4]).all()


@pytest.mark.parametrize(
    ("u", "more", "told"),
    [
        (lambda t, q, v: np.array([np.sin(float(v[0])), 0.0]), {}, r"u=da\.Sampled\(controller"),
        (da.Sampled(feedback, every=0.03), {}, "not a multiple of h = 0.02"),
        (da.Sampled(feedback, every=H / 10), {}, "not a multiple"),
        (da.Sampled(lambda t, q, v: [1.0], every=H), {}, r"2 inputs.*gave \(1,\) at t = 0"),
        (da.Sampled(lambda t, q, v: [np.nan, 0.0], every=H), {}, "not finite"),
        (da.Sampled(lambda t, q, v: "left", every=H), {}, "must return numbers"),
        (da.Sampled(feedback), {"method": da.Taylor()}, "chooses the sizes"),
        (da.Sampled(feedback), {"store": "run.zarr"}, "is not stored"),
        (da.Sampled(feedback), {"save": {"u": da.Final()}}, 'named "u"'),
    ],
)
def test_refusals(u, more, told):
    method = more.pop("method", RK4)
    with pytest.raises(da.UsageError, match=told):
        da.simulate(PUSHED, method, *START, h=H, steps=4, u=u, **more)


def test_refusals_elsewhere():
    for bad in (lambda: da.Sampled(3.0), lambda: da.Sampled(feedback, every=0.0)):
        with pytest.raises(da.UsageError, match="Sampled"):
            bad()
    with pytest.raises(da.UsageError, match="called by the run"):
        da.control.driven(PUSHED, da.Sampled(feedback))
    with pytest.raises(da.UsageError, match="has no inputs"):
        da.simulate(da.systems.ChaplyginSleigh(), RK4, h=H, steps=2, u=da.Sampled(feedback))

    def inside(v):
        return da.simulate(PUSHED, RK4, START[0], v, h=H, steps=2, u=da.Sampled(feedback)).q[-1]

    with pytest.raises(da.UsageError, match="outside of jit"):
        jax.jit(inside)(jnp.asarray(START[1]))
