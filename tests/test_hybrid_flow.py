"""Derivatives through jumps and events, against closed forms."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid
from dalembert.hybrid.zoo import Weight

E = 0.9


def _modes(e=E, g=9.81):
    return hybrid.Modes({"air": Weight(g=g)}, hybrid.bounce("air", lambda q: q[1], e))


def _end(y, v, g, e=E, t=3.0, h=0.05, **options):
    how = {"method": da.RK4(), "h": h, "t": t} | options  # exact here, and quickly compiled
    found = hybrid.flow(_modes(e, g), "air", jnp.stack([0.0, y]), jnp.stack([1.0, v]), **how)
    return jnp.stack([found.q[1], found.v[1]]), found


def _closed(y, v, g, e, t, bounces):
    """Height and speed after so many bounces."""
    down = jnp.sqrt(v**2 + 2.0 * g * y)
    at, up = (v + down) / g, e * down
    for _ in range(bounces - 1):
        at, up = at + 2.0 * up / g, e * up
    s = t - at
    return jnp.stack([up * s - 0.5 * g * s**2, up - g * s])


@pytest.mark.parametrize("mode", [jax.jacfwd, jax.jacrev])
def test_derivatives_through_bounces(mode):
    at = (1.0, 0.1, 9.81)
    found, end = _end(*at)
    bounces = int(end.jumps)
    assert bounces > 3 and int(end.result) == 0
    run = hybrid.simulate(_modes(), "air", [0.0, 1.0], [1.0, 0.1], h=0.05, t=3.0)
    np.testing.assert_allclose(found, [run.q[-1, 1], run.v[-1, 1]], atol=1e-12)
    slopes = mode(lambda *x: _end(*x)[0], (0, 1, 2))(*at)
    wanted = jax.jacfwd(lambda *x: _closed(*x, E, 3.0, bounces), (0, 1, 2))(*at)
    np.testing.assert_allclose(np.stack(slopes), np.stack(wanted), rtol=1e-9, atol=1e-9)


def test_through_a_hundred_bounces():
    at, t = (1.0, 0.0, 9.81), 2.0 * np.sqrt(2.0 / 9.81) * 100.2
    how = {"e": 1.0, "t": t, "h": t / 250}
    assert int(_end(*at, **how)[1].jumps) == 100
    slopes = jax.jacfwd(lambda *x: _end(*x, **how)[0], (0, 2))(*at)
    wanted = jax.jacfwd(lambda *x: _closed(*x, 1.0, t, 100), (0, 2))(*at)
    np.testing.assert_allclose(np.stack(slopes), np.stack(wanted), rtol=0, atol=1e-9)


def test_the_time_of_an_event_has_a_derivative():
    """The top of the flight behind the first bounce: v = e sqrt(2 g y), at (1 + e) sqrt(2 y/g)."""

    def top(y):
        event = da.Event(lambda t, q, v: v[1], -1)
        return _end(y, 0.0, 9.81, until=event)[1].t

    starts = jnp.array([1.0, 1.3])
    times, slopes = jax.vmap(jax.value_and_grad(top))(starts)
    np.testing.assert_allclose(times, (1.0 + E) * np.sqrt(2 * starts / 9.81), rtol=1e-12)
    np.testing.assert_allclose(slopes, (1.0 + E) / np.sqrt(2 * 9.81 * starts), rtol=1e-9)
    np.testing.assert_allclose(jax.jit(jax.grad(top))(1.0), slopes[0], rtol=1e-12)


def test_grazing_is_refused_with_the_angle():
    """A guard that comes to its zero at no rate: the time of it has no derivative."""
    how = {
        "method": da.RK4(),
        "h": 0.05,
        "t": 1.0,
        "until": da.Event(lambda t, q, v: (q[0] - 0.33) ** 3, 1),
    }
    start = "air", jnp.array([0.0, 9.0]), jnp.array([1.0, 0.0])
    found = hybrid.flow(_modes(), *start, **how)
    assert int(found.result) == 3 and float(found.angle) < 1e-6
    np.testing.assert_allclose(found.t, 0.33, rtol=1e-5)  # the time is known, its derivative not
    slope = jax.grad(lambda v: hybrid.flow(_modes(), *start[:2], jnp.stack([v, 0.0]), **how).t)(1.0)
    assert np.isnan(slope)
    with pytest.raises(da.SimulationError, match=r"grazing.*mean"):
        hybrid.sensitivities(_modes(), *start, **how)


def test_sensitivities_by_parameter():
    how = {"method": da.RK4(), "h": 0.05, "t": 1.0}
    found = hybrid.sensitivities(_modes(), "air", [0.0, 1.0], [1.0, 0.1], **how)
    wanted = jax.jacfwd(lambda g: _closed(1.0, 0.1, g, E, 1.0, int(found.end.jumps)))(9.81)
    np.testing.assert_allclose(found.parameters.v["air"].g[1], wanted[1], rtol=1e-9)
    np.testing.assert_allclose(found.parameters.q["air"].g[1], wanted[0], rtol=1e-9)
    assert found.initial.v.shape == (2, 4)


def test_what_carries_more_than_a_node_is_refused():
    with pytest.raises(da.UsageError, match="carries more than a node"):
        hybrid.flow(_modes(), "air", [0.0, 1.0], [1.0, 0.0], h=0.05, t=1.0, method=da.GNI())


def test_rows_inside_of_a_transformation():
    """`da.simulate(modes)` inside of jit has the rows of the run outside, and their derivatives."""

    def run(given):
        y, g = given
        start = jnp.stack([0.0, y]), jnp.array([1.0, 0.1])
        found = da.simulate(_modes(g=g), da.RK4(), *start, mode="air", h=0.05, t=3.0)
        return (found.t, found.q, found.jumps), found

    slopes, found = jax.jit(jax.jacfwd(run, has_aux=True))(jnp.array([1.0, 9.81]))
    plain = da.simulate(_modes(), da.RK4(), [0.0, 1.0], [1.0, 0.1], mode="air", h=0.05, t=3.0)
    rows, jumps = len(plain), len(plain.jumps)
    np.testing.assert_allclose(found.q[:rows], plain.q, atol=1e-13)
    np.testing.assert_allclose(found.t[:rows], plain.t, atol=1e-13)
    np.testing.assert_allclose(found.q[rows:], np.broadcast_to(plain.q[-1], found.q[rows:].shape))
    np.testing.assert_allclose(found.jumps[:jumps], plain.jumps.t, atol=1e-14)
    assert np.all(np.isnan(found.jumps[jumps:])) and jumps > 3

    def third(y, g):  # the time of the third bounce
        down = jnp.sqrt(0.1**2 + 2.0 * g * y)
        return (0.1 + down) / g + 2.0 * (E + E**2) * down / g

    wanted = jax.grad(third, (0, 1))(1.0, 9.81)
    np.testing.assert_allclose(slopes[2][2], wanted, rtol=1e-9)
    wanted = jax.jacfwd(lambda y, g: _closed(y, 0.1, g, E, 3.0, jumps)[0], (0, 1))(1.0, 9.81)
    np.testing.assert_allclose(slopes[1][-1, 1], wanted, rtol=1e-9)
    # a row on the grid stays there; those at jumps move with them
    before = int(plain.jumps.row[0])
    np.testing.assert_allclose(slopes[0][before - 1], 0.0, atol=1e-15)
    np.testing.assert_allclose(slopes[0][before], slopes[2][0], rtol=1e-12)
