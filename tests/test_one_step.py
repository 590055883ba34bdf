"""DLA and RDLA as one-step maps on (q, v): the nodes of the two-step form, and its multiplier."""

import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.flatten_util import ravel_pytree

import dalembert as da
from compiled import jit
from dalembert.geometry.reduction.chaplygin_reduction import chaplygin

FROZEN = pathlib.Path(__file__).parent / "data" / "two_step_dla.json"
H, STEPS, KEPT = 0.05, 20, (1, 2, 10, 20)


class Wheeled(da.System):
    """A pendulum on a sphere whose spin about the vertical is prescribed in part: holonomic too."""

    space = da.Euclidean(4)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + 0.1 * q[3] ** 2 * v[0] ** 2 - 9.81 * q[2] - q[0] * q[3]

    def holonomic(self, q):
        return jnp.array([q[0] ** 2 + q[1] ** 2 + q[2] ** 2 - 1.0])

    def constraint(self, q):
        return jnp.stack([-q[1], q[0], jnp.zeros(()), -jnp.ones(())])[None, :]

    def initial(self):
        q = jnp.array([0.6, 0.0, -0.8, 0.1])
        return q, da.dynamics.consistent_velocity(self, q, jnp.array([0.3, 0.5, 0.2, 0.4]))


class Rheonomic(da.System):
    """Affine constraint that depends on time, external force, curved metric."""

    space = da.Euclidean(3)

    def lagrangian(self, q, v):
        return 0.5 * v @ v + 0.2 * q[0] ** 2 * v[1] ** 2 - jnp.cos(q[0]) - 0.3 * q[2] ** 2

    def constraint(self, q):
        return jnp.stack([-q[1], jnp.zeros(()), jnp.ones(())])[None, :]

    def offset(self, t, q):
        return jnp.array([0.3 * jnp.cos(2.0 * t) + 0.1 * q[0]])

    def force(self, t, q, v):
        return jnp.stack([0.1 * jnp.sin(t), -0.05 * v[1], 0.2 * q[0]])

    def initial(self):
        q = jnp.array([0.5, 0.4, 0.0])
        return q, da.dynamics.consistent_velocity(self, q, jnp.array([0.7, -0.3, 0.0]))


CASES = {
    "sleigh": (da.systems.ChaplyginSleigh, da.DLA()),
    "sleigh, trapezoidal": (da.systems.ChaplyginSleigh, da.DLA(da.Trapezoidal())),
    "sleigh, euler-a": (da.systems.ChaplyginSleigh, da.DLA(da.EulerA())),
    "rolling disk": (da.systems.RollingDisk, da.DLA()),
    "chaplygin ball": (da.systems.ChaplyginBall, da.DLA()),
    "knife edge": (da.systems.KnifeEdge, da.DLA(da.Midpoint(), da.Trapezoidal())),
    "turntable": (da.systems.BallOnTurntable, da.DLA()),
    "rheonomic": (Rheonomic, da.DLA()),
    "holonomic": (Wheeled, da.DLA()),
    "particle, reduced": (
        lambda: (
            chaplygin(
                da.systems.NonholonomicParticle(stiffness=1.0), (0, 1), da.Euclidean(1)
            ).reduced
        ),
        da.RDLA(),
    ),
}


def flat(run, k):
    row = jax.tree.map(lambda x: x[k], (run.q, run.frame, run.v, run.p))
    return np.asarray(ravel_pytree(row)[0])


@pytest.mark.parametrize("name", list(CASES))
def test_the_nodes_are_those_of_the_two_step_form(name):
    """q, v, p and the frame, against the form that carried p_plus from step to step."""
    make, method = CASES[name]
    system, frozen = make(), json.loads(FROZEN.read_text())[name]
    assert method.traits.carry == "node"
    run = da.simulate(system, method, h=H, steps=STEPS)
    for k, wanted in zip(KEPT, frozen["rows"], strict=True):
        np.testing.assert_allclose(flat(run, k), wanted, rtol=0, atol=3e-13)
    lam = jit(jax.vmap(lambda q, v, t: da.dynamics.multipliers(system, q, v, t)))
    np.testing.assert_allclose(run.multiplier, lam(run.q, run.v, run.t), rtol=0, atol=1e-11)
    if isinstance(method, da.DLA):  # the multiplier of the principle, where it used to be reported
        found = da.diagnostics.discrete_multiplier(system, method, run)
        for k, wanted in zip(KEPT[:-1], frozen["multiplier"], strict=True):
            np.testing.assert_allclose(found[k - 1], wanted, rtol=0, atol=1e-9)


def test_the_size_of_the_step_may_change():
    """A step h, then a step -h, from a state that another step size led to."""
    for make, method in (CASES["chaplygin ball"], CASES["rheonomic"], CASES["holonomic"]):
        system = make()
        q0, v0 = system.initial()

        @jit
        def step(t, h, carry, system=system, method=method):
            return method.step(system, t, h, carry)

        start, _ = jit(method.start)(system, jnp.zeros(()), jnp.asarray(0.1), q0, v0)
        carry = step(0.0, 0.01, start).carry
        out = step(0.01, 0.1, carry)
        back = step(0.11, -0.1, out.carry)
        assert da.diagnostics.distance((carry.q, carry.v), (back.row.q, back.row.v)) < 1e-13
        assert np.max(np.abs(out.row.v - carry.v)) > 1e-3


def test_the_multiplier_of_the_principle_needs_every_step():
    system = da.systems.ChaplyginSleigh()
    run = da.simulate(system, da.DLA(), h=H, steps=4, save_every=2)
    with pytest.raises(da.UsageError, match="every step"):
        da.diagnostics.discrete_multiplier(system, da.DLA(), run)
    with pytest.raises(da.UsageError, match="gni-midpoint is not DLA"):
        da.diagnostics.discrete_multiplier(system, da.GNI(), run)
