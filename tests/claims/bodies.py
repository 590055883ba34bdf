"""Rigid bodies: closed form, SO(4), reduction, Cayley against exp."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics

from . import Claim, at_most, near


class SuslovExp(da.systems.Suslov):
    """The same body with exp in place of Cayley."""

    space = da.LieGroup(da.SO(3), tau="exp")


class SuslovUnreduced(da.systems.Suslov):
    """The same body on the group itself."""

    space = da.SO(3)


def suslov() -> list[Claim]:
    """Closed form at t = 4, order 2 with Cayley and with exp, reduced equals unreduced."""
    body = da.systems.Suslov()
    name = body.name()
    _, exact = body.closed_form(4.0)
    wanted = (0.67368091, 0.16211193, -0.83579284)
    out = [
        at_most(
            "closed form against the printed digits, t = 4",
            name,
            "closed form",
            np.max(np.abs(np.asarray(exact) - wanted)),
            1e-8,
        ),
    ]
    end = da.simulate(body, da.Reference(), h=0.5, steps=8).final
    out.append(
        at_most(
            "reference against the closed form, t = 4",
            name,
            "reference",
            np.max(np.abs(end.v - exact)),
            1e-12,
        )
    )
    runs = {}
    for system in (body, SuslovExp()):
        errors = []
        for n in (40, 80, 160):
            run = da.simulate(system, da.GNI(), h=4.0 / n, steps=n, save_every=n // 4)
            errors.append(np.max(np.abs(run.final.v - exact)))
            runs[system.space.tau] = run
        slope = np.log2(errors[-2] / errors[-1])
        out.append(near(f"order, tau = {system.space.tau}", name, "gni-midpoint", slope, 2, 0.1))
    gap = np.max(np.abs(runs["cay"].v - runs["exp"].v))
    out.append(at_most("Cayley against exp, h = 1/40", name, "gni-midpoint", gap, 1e-3))
    full = SuslovUnreduced()
    q0, v0 = jnp.eye(3), body.initial()[1]
    unreduced = da.simulate(full, da.GNI(), q0, v0, h=4.0 / 160, steps=160, save_every=40)
    gap = max(
        np.max(np.abs(unreduced.v - runs["cay"].v)),
        np.max(np.abs(unreduced.q - runs["cay"].frame)),
    )
    out.append(at_most("reduced against unreduced, 160 steps", name, "gni-midpoint", gap, 1e-11))
    return out


class BallUnreduced(da.systems.BallOnTurntable):
    """The reduced ball with the group put back: the Lagrangian does not see the attitude."""

    space = da.Product(da.Euclidean(2), da.SO(3))

    def spin(self, q):
        return super().spin(q[0])

    def constraint(self, q):
        return super().constraint(q[0])

    def offset(self, t, q):
        return super().offset(t, q[0])


def reduced_ball() -> list[Claim]:
    """Reduced equals unreduced for the affine ball, with reconstruction by the frames."""
    ball, full = da.systems.BallOnTurntable(), BallUnreduced()
    q0, v0 = ball.initial()
    out = []
    for method in (da.GNI(), da.DLA()):
        a = da.simulate(ball, method, h=0.05, steps=200)
        b = da.simulate(full, method, (q0, jnp.eye(3)), v0, h=0.05, steps=200)
        gap = max(
            np.max(np.abs(a.q - b.q[0])),
            np.max(np.abs(a.frame - b.q[1])),
            np.max(np.abs(a.v - b.v)),
        )
        text = "reduced against unreduced, 200 steps"
        out.append(at_most(text, ball.name(), method.name, gap, 1e-11))
    return out


def so4() -> list[Claim]:
    """Rigid body on SO(4): order 2, energy, and the free body's spatial momentum."""
    body = da.systems.SuslovSoN()
    name = body.name()
    exact = da.simulate(body, da.Reference(), h=0.5, steps=4).final.v
    out = []
    for method in (da.GNI(da.MoserVeselov()), da.GNI()):
        errors = [
            np.max(
                np.abs(da.simulate(body, method, h=2.0 / n, steps=n, save_every=n).final.v - exact)
            )
            for n in (20, 40, 80)
        ]
        slope = np.log2(errors[-2] / errors[-1])
        out.append(near("order on SO(4)", name, method.name, slope, 2, 0.1))

    class Free(da.systems.SuslovSoN):
        def constraint(self, q):
            return jnp.zeros((0, self.dim))

        def initial(self):
            return jnp.zeros(0), jnp.linspace(0.5, -0.7, self.dim)

    free = Free()
    run = da.simulate(free, da.GNI(da.MoserVeselov()), h=0.1, steps=500)
    group = free.groupoid.group
    # spatial momentum Ad*_{W^-1} p, constant for a left-invariant body
    spatial = jax.vmap(lambda W, p: group.Ad(group.inv(W)).T @ p)(run.frame, run.p)
    drift = np.max(np.ptp(np.asarray(spatial), axis=0))
    out.append(
        at_most(
            "spatial momentum of the free body, 500 steps",
            "free SO(4) body",
            "gni-moser-veselov",
            drift,
            1e-11,
        )
    )
    E = jax.vmap(lambda v: dynamics.energy(free, jnp.zeros(0), v))(run.v)
    out.append(
        at_most(
            "energy of the free body, 500 steps",
            "free SO(4) body",
            "gni-moser-veselov",
            np.ptp(np.asarray(E)),
            1e-11,
        )
    )
    return out


def groups() -> dict:
    return {f"bodies: {g.__name__}": g for g in (suslov, reduced_ball, so4)}
