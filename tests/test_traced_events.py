"""Events of runs inside JAX transformations, and their derivatives, against closed forms."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert.hybrid.zoo import Weight

U, G = 1.5, 9.81
DOWN = da.Event(lambda t, q, v: q[1], -1, terminal=True)


def _run(y, w, g=G, events=None, **how):
    """A thrown point, by RK4, which is exact here."""
    start = jnp.stack([0.0, y]), jnp.stack([U, w])
    how = {"h": 0.05, "steps": 40, "events": {"down": DOWN} if events is None else events} | how
    return da.simulate(Weight(g=g), da.RK4(), *start, **how)


def test_the_time_of_an_event_and_the_state_there():
    def both(given):
        found = _run(*given)
        return (found.events["down"].t[0], found.q[-1], found.events.v[0]), found

    at = jnp.array([2.0, 0.7, G])
    (by_t, by_q, by_v), found = jax.jit(jax.jacfwd(both, has_aux=True))(at)
    plain = _run(*np.asarray(at))
    np.testing.assert_allclose(found.events.t, plain.events.t, rtol=1e-14)
    np.testing.assert_allclose(found.q[: len(plain)], plain.q, atol=1e-14)
    np.testing.assert_allclose(found.q[-1], plain.q[-1], atol=1e-14)
    assert found.t[-1] == found.events.t[0] and int(found.events.step[0]) == plain.events.step[0]

    def time(y, w, g):
        return (w + jnp.sqrt(w**2 + 2.0 * g * y)) / g

    wanted = jnp.stack(jax.grad(time, (0, 1, 2))(*at))
    np.testing.assert_allclose(by_t, wanted, rtol=1e-11)
    np.testing.assert_allclose(by_q[0], U * wanted, rtol=1e-11)
    np.testing.assert_allclose(by_q[1], 0.0, atol=1e-12)
    speed = jax.grad(lambda y, w, g: w - g * time(y, w, g), (0, 1, 2))(*at)
    np.testing.assert_allclose(by_v[1], jnp.stack(speed), rtol=1e-11)


def test_members_of_which_one_does_not_arrive():
    """vmap of grad; an event that does not happen has the time NaN, and changes no row."""

    @jax.jit
    @jax.vmap
    def found(y):
        time, slope = jax.value_and_grad(lambda y: _run(y, 0.0).events.t[0])(y)
        return time, slope, _run(y, 0.0).q[-1]

    y = jnp.array([1.0, 3.0, 50.0])
    time, slope, last = found(y)
    np.testing.assert_allclose(time[:2], np.sqrt(2.0 * y[:2] / G), rtol=1e-12)
    np.testing.assert_allclose(slope[:2], 1.0 / np.sqrt(2.0 * y[:2] * G), rtol=1e-11)
    assert np.isnan(time[2])
    np.testing.assert_allclose(last[2], [3.0, 50.0 - 2.0 * G], rtol=1e-13)


def test_two_events_in_order_and_those_behind_the_end():
    level = da.Event(lambda t, q, v: q[1] - 1.2, count=2)
    found = jax.jit(lambda y: _run(y, 2.0, events={"down": DOWN, "level": level}))(1.0)
    plain = _run(1.0, 2.0, events={"down": DOWN, "level": level})
    assert plain.events.name == ("level", "level")  # the second ends the run
    np.testing.assert_allclose(found.events.t[1:], plain.events.t, rtol=1e-13)
    assert np.isnan(found.events.t[0]) and int(found.events.step[0]) == -1
    np.testing.assert_allclose(found.q[-1], plain.q[-1], atol=1e-13)
    last = jax.jit(lambda y: _run(y, 2.0, save=da.Final()))(1.0)
    assert last.q.shape == (1, 2) and abs(float(last.q[0, 1])) < 1e-14


def test_grazing_and_refusals():
    flat = da.Event(lambda t, q, v: (q[1] - 3.0) ** 3, terminal=True)  # its rate is zero there
    time, slope = jax.jit(
        jax.value_and_grad(lambda y: _run(y, 0.0, events={"flat": flat}).events.t[0])
    )(5.0)
    np.testing.assert_allclose(time, np.sqrt(4.0 / G), rtol=1e-5)
    assert np.isnan(slope)
    with pytest.raises(da.UsageError, match=r"event 'free' must end the run.*count=k"):
        jax.jit(lambda y: _run(y, 0.0, events={"free": lambda t, q, v: q[1]}).q)(1.0)
    broken = da.Event(lambda t, q, v: jnp.log(q[1] - 0.5) + 9.0, terminal=True)
    found = jax.jit(lambda y: _run(y, 0.0, events={"broken": broken}).result)(1.0)
    assert int(found[0]) == 0 and int(found[-1]) != 0  # not a number at a row: it says so
