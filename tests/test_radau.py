"""Radau IIA: its order, and stiff springs that die out while the motion stays right."""

import jax.numpy as jnp
import numpy as np

import dalembert as da


class Soft(da.MechanicalSystem):
    """A knife edge on a plate, with a stiff spring inside and a soft one to the origin."""

    space, mass = da.Euclidean(4), np.diag([1.0, 1.0, 0.5, 0.2])
    stiffness: float = 1e6

    def potential(self, q):
        return 0.5 * self.stiffness * q[3] ** 2 + 0.5 * (q[0] ** 2 + q[1] ** 2)

    def constraint(self, q):
        return jnp.array([[jnp.sin(q[2]), -jnp.cos(q[2]), 0.0, 0.0]])


def test_radau_has_order_five():
    sleigh = da.systems.ChaplyginSleigh()
    exact = da.simulate(sleigh, da.Taylor(), h=2.0, steps=1).final
    errors = []
    for steps in (20, 40):
        run = da.simulate(sleigh, da.Radau(), h=2.0 / steps, steps=steps, save=da.Final())
        errors.append(np.max(np.abs(np.concatenate([run.q[-1] - exact.q, run.v[-1] - exact.v]))))
        assert np.max(np.abs(sleigh.constraint(run.q[-1]) @ run.v[-1])) < 1e-14
    assert 4.7 < np.log2(errors[0] / errors[1]) < 5.4
    assert da.methods.registry["radau"]().traits.order == 5


def test_radau_damps_what_gauss_keeps():
    """h w = 22 of the stiff spring: it dies out, the resolved motion is right on the constraint."""
    q, v = np.array([1.0, 0.2, 0.3, 1e-3]), np.array([np.cos(0.3), np.sin(0.3), 0.5, 0.0])
    run = {"h": 0.01, "steps": 100}
    radau, gauss = (da.simulate(Soft(), m, q, v, **run) for m in (da.Radau(), da.Gauss(2)))
    calm = da.simulate(Soft(stiffness=1.0), da.Taylor(), [*q[:3], 0.0], v, h=1.0, steps=1).final
    # |R(i h w)| is about 3/(h w) = 0.13: after ten steps 1e-3 * 0.13^10 = 2e-12 is left
    assert np.max(np.abs(radau.q[10:, 3])) < 1e-11 < 5e-4 < np.max(np.abs(gauss.q[50:, 3]))
    np.testing.assert_allclose(radau.q[-1, :3], calm.q[:3], atol=1e-9)
    residual = [np.max(np.abs(Soft().constraint(q) @ v)) for q, v in zip(radau.q, radau.v)]
    assert max(residual) < 1e-14
