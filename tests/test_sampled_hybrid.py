"""`Sampled` in hybrid runs: held between samples, through jumps, and into cones of friction."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid

H = 0.02


class Ball(da.System):
    """A unit mass above the floor, with a thrust upwards."""

    space = da.Euclidean(1)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 9.81 * q[0]

    def inputs(self, q):
        return jnp.eye(1)


class Block(da.System):
    """A point above the ground, with a push along it."""

    m: float = 2.0
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * self.m * (v @ v) - self.m * 9.81 * q[1]

    def inputs(self, q):
        return jnp.array([[1.0, 0.0]])


def bouncing(**options):
    return hybrid.Modes(
        {"air": Ball()}, hybrid.bounce("air", lambda q: q[0], restitution=0.8), **options
    )


def thrust(t, q, v):
    assert isinstance(q, np.ndarray)
    return [4.0 if float(q[0]) < 0.5 else -1.0]  # a branch that JAX could not trace


def test_a_run_is_that_of_its_inputs_as_a_table():
    u = da.Sampled(thrust, every=5 * H, delay=H)
    run = da.simulate(bouncing(), da.RK4(), [1.0], [0.0], mode="air", h=H, t=3.0, u=u)
    held = run.saved["u"]
    np.testing.assert_allclose(held.t[:3], [0.0, H, 6 * H], atol=1e-12)
    assert {0.0, 4.0, -1.0} == set(held.u[:, 0].tolist()) and len(run.jumps.t) >= 3
    # between two changes of the input the motion is a parabola; RK4 is exact there
    t, x, v, jumps = 0.0, 1.0, 0.0, []
    changes = [*held.t[1:], 3.0]
    for end, force in zip(changes, held.u[:, 0]):
        while t < end - 1e-12:
            a = force - 9.81
            hit = (-v - np.sqrt(v * v - 2 * a * x)) / a if a < 0 else np.inf
            dt = min(end - t, hit if hit > 1e-12 else np.inf)
            x, v, t = x + v * dt + 0.5 * a * dt**2, v + a * dt, t + dt
            if dt == hit:
                x, v = 0.0, -0.8 * v
                jumps.append(t)
    np.testing.assert_allclose(run.jumps.t, jumps, atol=1e-9)
    np.testing.assert_allclose([run.q[-1, 0], run.v[-1, 0]], [x, v], atol=1e-8)


def test_samples_are_seen_once_each():
    seen = []

    def controller(t, q, v):
        seen.append(t)
        return [0.5 * np.sin(t)]

    u = da.Sampled(controller, every=2 * H)
    da.simulate(bouncing(), da.RK4(), [0.3], [0.0], mode="air", h=H, steps=50, u=u)
    np.testing.assert_allclose(seen, 2 * H * np.arange(25), atol=1e-12)


def test_a_block_slides_while_the_push_exceeds_friction():
    mu, m = 0.5, 2.0
    contact = hybrid.ContactLaw(
        "block", lambda q: jnp.array([[1.0, 0.0]]), gap=lambda q: q[1], mu=mu
    )
    block = hybrid.with_friction(Block(m=m), contact)
    most, push = mu * m * 9.81, 15.0
    assert push > most

    def controller(t, q, v):
        return [0.5 * most if t < 0.2 or t >= 0.6 else push]

    u = da.Sampled(controller, every=5 * H)
    run = da.simulate(block, np.zeros(2), np.zeros(2), h=H, t=1.5, u=u)
    a, b = (push - most) / m, (0.5 * most - most) / m
    speed, t = a * 0.4, np.asarray(run.t)
    i = int(np.argmin(np.abs(t - 0.6)))
    assert abs(run.q[t <= 0.2 + 1e-9, 0]).max() == 0.0  # it sticks
    assert run.v[i, 0] == pytest.approx(speed, rel=1e-6)
    stops = 0.6 - speed / b
    np.testing.assert_allclose(run.jumps.t[-1], stops, atol=1e-6)
    assert run.q[-1, 0] == pytest.approx(0.5 * a * 0.16 - 0.5 * speed**2 / b, rel=1e-6)
    assert run.v[-1, 0] == pytest.approx(0.0, abs=1e-9)


def test_refusals(tmp_path):
    u = da.Sampled(thrust, every=H)
    start = ([1.0], [0.0])
    for options, told in (
        ({"h": H, "t": 1.0, "store": tmp_path / "run.zarr"}, "cannot be resumed"),
        ({"t": 1.0, "tol": 1e-6}, "several step sizes"),
        ({"h": H, "t": 1.0, "save": {"u": da.Every(1)}}, 'named "u"'),
    ):
        with pytest.raises(da.UsageError, match=told):
            da.simulate(bouncing(), da.RK4(), *start, mode="air", u=u, **options)
    with pytest.raises(da.UsageError, match="one Sampled controller for all modes"):
        da.simulate(bouncing(), da.RK4(), *start, mode="air", h=H, t=1.0, u={"air": u})
    with pytest.raises(da.UsageError, match="jump at different times"):
        hybrid.simulate_ensemble(bouncing(), "air", [[1.0]], [[0.0]], h=H, t=1.0, u=u)
