"""Hybrid runs by Taylor's method, and corners that every engine meets in the same way."""

import jax.numpy as jnp
import numpy as np
import pytest

import dalembert as da
from dalembert import hybrid
from dalembert.hybrid import hybrid_run, zoo

FALL = [0.0, 1.0], [1.0, 0.0]


@pytest.mark.parametrize("name", ["bouncing-ball", "hill", "disk-at-wall"])
def test_the_zoo_by_taylor(name):
    """Rows 0.5 s apart, and the jumps of small steps, to round-off."""
    modes = zoo.registry[name]()
    run = da.simulate(modes, da.Taylor(), h=0.5, t=2.0)
    small = da.simulate(modes, da.Gauss(4), h=0.0125, t=2.0)
    np.testing.assert_array_equal(run.jumps.transition, small.jumps.transition)
    np.testing.assert_allclose(run.jumps.t, small.jumps.t, atol=1e-13)
    np.testing.assert_allclose(run.v[-1], small.v[-1], atol=1e-12)
    assert len(run) == 5 + 2 * len(run.jumps) and run.meta.method == "taylor"


def test_what_lies_between_two_rows_is_found():
    """A band that the motion crosses in 2e-4 of a step: both its edges, in order of the bounces."""
    modes = hybrid.Modes({"air": zoo.Weight()}, hybrid.bounce("air", lambda q: q[1], 0.9))
    band = {"band": lambda t, q, v: (q[0] - 0.6) ** 2 - 1e-8}
    run = da.simulate(modes, da.Taylor(), *FALL, mode="air", h=0.5, t=1.5, events=band)
    np.testing.assert_allclose(run.events.t, [0.6 - 1e-4, 0.6 + 1e-4], atol=1e-12)
    first = np.sqrt(2.0 / 9.81)
    np.testing.assert_allclose(run.jumps.t, [first, 2.8 * first], atol=1e-13)
    end = {"band": da.Event(band["band"], terminal=True)}
    run = da.simulate(modes, da.Taylor(), *FALL, mode="air", h=0.5, t=1.5, events=end)
    np.testing.assert_allclose(run.t[-1], 0.6 - 1e-4, atol=1e-12)
    both = {"air": da.Taylor(), "floor": da.Gauss()}
    with pytest.raises(da.UsageError, match="all modes of a hybrid run, or none"):
        da.simulate(zoo.bouncing_ball(), both, h=0.1, t=1.0)
    with pytest.raises(da.UsageError, match=r"give Taylor\(tol\), and h for the rows"):
        da.simulate(modes, da.Taylor(), *FALL, mode="air", t=1.0, tol=1e-9)
    fading = hybrid.across_ranks(da.systems.ParticleWithFadingConstraint())
    with pytest.raises(da.UsageError, match="a method with fixed steps"):
        da.simulate(fading, da.Taylor(), [-1.0, 1.0], [1.0, 0.0], h=0.1, t=1.0)
    many = hybrid.simulate_ensemble(
        modes, "air", [FALL[0]] * 2, [FALL[1], [0.5, 0.0]], method=da.Taylor(), h=0.5, t=1.5
    )
    np.testing.assert_allclose(many.q[0, 0], 1.5, atol=1e-13)


ENGINES = ("Python", "native", "taylor")


def _by(engine, modes, q, v, monkeypatch, t=1.0):
    monkeypatch.setattr(hybrid_run, "WORTH_JUMPS", 0 if engine == "native" else 10**9)
    method = da.Taylor() if engine == "taylor" else da.RK4()
    return da.simulate(modes, method, q, v, mode="air", h=0.1, t=t)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_start_at_the_zero_of_a_guard(engine, monkeypatch):
    """Upwards from the floor it flies; downwards it bounces at once."""
    modes = hybrid.Modes({"air": zoo.Weight()}, hybrid.bounce("air", lambda q: q[1], 0.5))
    up = _by(engine, modes, [0.0, 0.0], [1.0, 2.0], monkeypatch, t=0.5)
    np.testing.assert_allclose(up.jumps.t[0], 4.0 / 9.81, atol=1e-13)
    down = _by(engine, modes, [0.0, 0.0], [1.0, -2.0], monkeypatch, t=0.2)
    np.testing.assert_allclose(down.jumps.t, [0.0], atol=1e-15)
    np.testing.assert_allclose(down.jumps.v_after[0], [1.0, 1.0], atol=1e-14)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("out", [-1.0, 1.0])
def test_a_jump_onto_another_guard(engine, out, monkeypatch):
    """A door in the floor leads to the ceiling: downwards it falls again, upwards it bounces."""

    def door(t, q, v):
        return jnp.stack([q[0], 1.0]), v * jnp.array([1.0, -out])

    through = hybrid.Transition("air", None, lambda t, q, v: q[1], -1, jump=door, name="door")
    ceiling = hybrid.bounce("air", lambda q: 1.0 - q[1], 1.0, name="ceiling")
    modes = hybrid.Modes({"air": zoo.Weight()}, [through, ceiling])
    run = _by(engine, modes, [0.0, 0.5], [1.0, 0.0], monkeypatch, t=0.6)
    first = np.sqrt(1.0 / 9.81)
    names = [x.name for x in run.jumps]
    assert names[:2] == (["door", "ceiling"] if out > 0 else ["door", "door"])
    speed = 9.81 * first
    again = 0.0 if out > 0 else (np.sqrt(speed**2 + 2 * 9.81) - speed) / 9.81
    np.testing.assert_allclose(run.jumps.t[:2], [first, first + again], atol=1e-13)
    np.testing.assert_allclose(run.q[-1, 0], 0.6, atol=1e-13)
