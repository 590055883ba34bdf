"""The arXiv version of [F15], figure 3 there: its inhomogeneous ball is a different body."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

INERTIA, M, THETA = (1.0, 1.1, 1.2), 3.0, 0.2
OMEGA, START, END = (-0.2, 0.0, 0.4), (1.0, 0.0), 15.0
HS = (0.15, 0.075, 0.0375, 0.01875)


class PreprintBall(da.systems.BallOnTurntable):
    """The ball of the preprint, which uses one omega for the body and the spatial velocity.

    l = m |(x', y')|^2/2 + omega . diag(I1, I2, I3) omega/2, with the constraints of (41) [F15]

    Correct only if I1 = I2 = I3: the kinetic energy needs the angular velocity in the body frame,
    the rolling constraint that in the spatial frame.
    """

    moments: jnp.ndarray = da.parameter(INERTIA, "kg m^2", "moments of inertia", shape=(3,))

    @property
    def mass(self):
        return jnp.diag(jnp.concatenate([jnp.full(2, self.m), jnp.asarray(self.moments)]))


@experiment(
    "f15-arxiv",
    source="[F15] arXiv version, 7.4",
    title="The preprint's inhomogeneous ball is not a ball",
    see="The scheme converges, but to the motion of a body that does not exist: the true ball from "
    "the same start ends most of a meter away.",
)
def arxiv(full: bool, seed: int) -> Outcome:
    """Run both bodies from the same data to t = 15 s."""
    preprint = PreprintBall(m=M, Theta=THETA)
    true = da.systems.ChaplyginBall(m=M, Theta=THETA, inertia=jnp.array(INERTIA))
    x = jnp.array(START)
    v = preprint.rolling_velocity(x, OMEGA[1], THETA * START[0] - OMEGA[0], OMEGA[2])
    q = (x, jnp.eye(3))
    reference = {"h": 0.05, "steps": round(END / 0.05)}
    wrong = da.simulate(preprint, da.Reference(rtol=1e-12), x, v, **reference)
    right = da.simulate(true, da.Reference(rtol=1e-12), q, v, **reference)
    t = np.asarray(right.t)
    paths = {"preprint's equations": np.asarray(wrong.q), "true ball": np.asarray(right.q[0])}
    apart = np.linalg.norm(paths["preprint's equations"] - paths["true ball"], axis=1)
    ends = [
        np.asarray(da.simulate(preprint, da.GNI(), x, v, h=h, steps=round(END / h)).final.q)
        for h in HS
    ]
    errors = [float(np.linalg.norm(e - paths["preprint's equations"][-1])) for e in ends]
    order = da.diagnostics.fit_order(HS, errors)
    drift = {
        "preprint's equations": float(
            np.ptp(da.diagnostics.invariants(preprint, wrong)["J"], 0).max()
        ),
        "true ball": float(np.ptp(da.diagnostics.invariants(true, right)["J"], 0).max()),
    }
    claims = [
        Claim(
            "the method converges on the inhomogeneous example, errors in proportion to h",
            [Check("order of the position", order, 0.9, 1.3)],
            [Check("order of the position", order, 1.9, 2.1)],
            "Started with half the reaction's impulse the scheme is of order 2, to the solution of "
            "its own equations.",
        ),
        Claim(
            "the example is an inhomogeneous ball that rolls on a turning table",
            [
                Check("distance from the true ball at t = 15 s", apart[-1], high=0.01, unit="m"),
                Check("change of J, which a rolling ball keeps",
                      drift["preprint's equations"], high=1e-9),
            ],
        ),
    ]  # fmt: skip
    table = Table(
        ("body", "x(15 s) [m]", "y(15 s) [m]", "change of J"),
        [(n, f"{p[-1, 0]:.10f}", f"{p[-1, 1]:.10f}", drift[n]) for n, p in paths.items()],
        "From (x, y) = (1, 0) m, omega = (-0.2, 0, 0.4) rad/s, attitude R = 1.",
    )
    steps = Table(
        ("h [s]", "distance from the preprint's equations [m]", "from the true ball [m]"),
        [
            (h, e, float(np.linalg.norm(end - paths["true ball"][-1])))
            for h, e, end in zip(HS, errors, ends)
        ],
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.0, 4.0), columns=2) as (fig, (left, right), look):
            for (name, p), color, dash in zip(paths.items(), look.curves[1::-1], ("--", "-")):
                left.plot(p[:, 0], p[:, 1], dash, color=color, lw=1.6, label=name)
                left.plot(*p[-1], "o", color=color, ms=5)
            left.plot(*START, "s", color=look.ink, ms=5, label="start")
            left.set(xlabel="x [m]", ylabel="y [m]")
            left.set_aspect("equal", adjustable="datalim")
            da.plots.finish(left, look, "contact point, 15 s", "best")
            right.plot(t, apart, color=look.curves[2], lw=1.6)
            right.set(xlabel="t [s]", ylabel="distance [m]", ylim=(0, None))
            da.plots.finish(right, look, "between the two bodies")
        return fig

    picture = Picture(
        "",
        "Left: the paths of the true ball and of the preprint's body. Right: the distance between "
        "them, which no smaller step removes.",
        "Two paths that separate, and their distance against time",
        draw,
    )
    return Outcome(claims, [table, steps], [picture])
