"""[C02] 4.3.2: total, dynamic and geometric phase of a body with a rotor."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import geometry

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

INERTIA, ROTOR = np.array([1.0, 1.6, 2.1]), 0.3  # kg m^2
STEPS = 240


class Gyrostat(da.System):
    """A free rigid body with a rotor about its third axis, on SO(3) x SO(2)."""

    space = da.Product(da.SO(3), da.SO(2))

    def lagrangian(self, q, v):
        w = v[:3]
        return 0.5 * w @ (jnp.asarray(INERTIA) * w) + 0.5 * ROTOR * (v[3] + w[2]) ** 2

    def initial(self):
        turn = da.SO(3).exp(jnp.array([0.3, -0.5, 0.2]))
        return (turn, jnp.eye(2)), jnp.array([0.3, 0.2, 1.1, 0.8])


@experiment(
    "c02-phases",
    source="[C02] 4.3.2",
    title="How far a body has turned when its angular velocity comes back",
    see="After one period of the body's angular velocity it has turned about its angular momentum, "
    "by an angle that a solid angle and an integral give without knowing the attitude.",
)
def phases(full: bool, seed: int) -> Outcome:
    """Run with a horizontal symmetry that is not Abelian: all of SO(3) x SO(2)."""
    system = Gyrostat()
    reduced = geometry.general_reduction(system, ())
    (R0, a0), _ = system.initial()
    T, turn = _one_turn(reduced)
    result = geometry.phases(reduced, turn.t, turn.q, turn.v, (R0, a0))
    w = np.asarray(turn.v)
    Pi = INERTIA * w[:, :3]
    Pi[:, 2] += ROTOR * (w[:, 3] + w[:, 2])
    size = np.linalg.norm(Pi[0])
    n, rate = Pi / size, np.cross(Pi, w[:, :3]) / size
    area = (n[:, 0] * rate[:, 1] - n[:, 1] * rate[:, 0]) / (1 + n[:, 2])
    spin = np.sum(Pi * w[:, :3], axis=1) / size
    angle = T / STEPS * float(np.sum(spin[:-1] - area[:-1]))  # periodic: exact to round-off
    axis = np.asarray(R0) @ n[0]
    wanted = da.SO(3).exp(jnp.asarray(angle * axis))
    rotor = da.SO(2).exp(jnp.array([T / STEPS * float(np.sum(w[:-1, 3]))]))
    run = da.simulate(system, da.Gauss(4), h=T / STEPS, steps=STEPS)
    product = reduced.group.mul(result.dynamic, result.geometric)
    parts = {"total": result.total, "dynamic": result.dynamic, "geometric": result.geometric}
    angles = {name: _angle(x[0], axis) for name, x in parts.items()}
    claims = [
        Claim(
            "the total phase lies in G_mu, turns about mu and the rotor",
            [
                Check("dimension of G_mu", result.isotropy.shape[1], 2, 2),
                Check("change of mu by the total phase, relative", result.outside, high=1e-10),
            ],
        ),
        Claim(
            "its angle is the integral of Pi.w/|mu| less the solid angle of the body momentum",
            [
                Check("difference of the rotations", _far(result.total[0], wanted), high=1e-9),
                Check("difference of the rotor's turn", _far(result.total[1], rotor), high=1e-9),
            ],
        ),
        Claim(
            "the motion without any reduction ends there",
            [Check("difference of the attitudes",
                   _far(run.q[0][-1], result.total[0] @ R0), high=1e-9)],
        ),
        Claim(
            "total = dynamic geometric, by the mechanical connection and the mu-locked inertia",
            [
                Check("difference", max(_far(x, y) for x, y in zip(product, result.total)),
                      high=1e-10),
                Check("geometric angle", abs(angles["geometric"]), low=1e-3, unit="rad"),
            ],
        ),
    ]  # fmt: skip
    table = Table(("phase", "angle about mu [rad]"), list(angles.items()),
                  f"One period of {T:.6g} s of the angular velocity.")  # fmt: skip

    def draw(theme: str):
        with da.plots.canvas(theme, (4.6, 5.2)) as (fig, ax, look):
            ax.fill(n[:, 0], n[:, 1], color=look.curves[0], alpha=0.15, lw=0)
            ax.plot(n[:, 0], n[:, 1], color=look.curves[0])
            ax.set(xlabel="first axis of the body [1]", ylabel="second axis of the body [1]")
            ax.set_aspect("equal")
            da.plots.finish(ax, look, "direction of the momentum")
        return fig

    see = "The direction of the angular momentum, seen from the body, runs through a closed curve; "
    see += "the solid angle in it is the geometric phase."
    return Outcome(claims, [table], [Picture("", see, "A closed curve, filled", draw, narrow=True)])


def _one_turn(reduced):
    def run(T):
        return da.simulate(reduced.reduced, da.Gauss(4), h=T / STEPS, steps=STEPS)

    start = float(reduced.reduced.initial()[1][0])
    a, b = 5.634, 5.637
    fa, fb = (float(run(T).v[-1, 0]) - start for T in (a, b))
    for _ in range(6):
        if abs(fb) < 1e-14:
            break
        a, b, fa = b, b - fb * (b - a) / (fb - fa), fb
        fb = float(run(b).v[-1, 0]) - start
    return b, run(b)


def _far(x, y) -> float:
    return float(np.max(np.abs(np.asarray(x) - np.asarray(y))))


def _angle(R, axis) -> float:
    turn = np.asarray(da.SO(3).log(jnp.asarray(R)))
    return float(turn @ axis)
