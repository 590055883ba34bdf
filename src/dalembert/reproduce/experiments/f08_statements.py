"""[F08] 4.1, 4.4: projectors of another metric, and the energy conserved by a right-invariant D."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import diagnostics

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

PARTICLE = da.systems.NonholonomicParticle()
# A metric other than the kinetic one.
OTHER = jnp.array([[2.0, 0.3, 0.0], [0.3, 1.0, 0.4], [0.0, 0.4, 1.5]])
END = 4.0


class Turning(da.System):
    """SO(3) with the bi-invariant metric 2 and one constraint; `fixed` chooses its frame."""

    fixed: float = da.parameter(1.0, doc="1: right-invariant, fixed in space; 0: turns with q")

    space = da.SO(3)

    def lagrangian(self, q, v):
        return v @ v

    def constraint(self, q):
        row = jnp.array([0.3, -0.5, 0.8])
        return (row @ q + (1.0 - self.fixed) * jnp.stack([q[0, 1], q[1, 2], q[2, 0]]))[None]

    def initial(self):
        q = da.SO(3).exp(jnp.array([0.2, 0.4, -0.1]))
        return q, da.dynamics.consistent_velocity(self, q, jnp.array([0.7, 0.4, -0.9]))


@experiment(
    "f08-statements",
    source="[F08] 4.1, 4.4",
    title="Another metric for the projectors, and the energy of the mean momentum",
    see="With the projectors of another metric the discrete momentum equation stays, but the "
    "velocity leaves the constraint, however small the step. The energy of the mean momentum is "
    "kept where the constraint is right-invariant.",
)
def statements(full: bool, seed: int) -> Outcome:
    """Run the free particle with two metrics, and a body with constraints of two kinds."""
    h, steps = 0.1, 200
    spread = {}
    for name, fixed in (("right-invariant", 1.0), ("other", 0.0)):
        system = Turning(fixed=fixed)
        run = da.simulate(system, da.GNI(), h=h, steps=steps)
        spread[name] = float(np.ptp(diagnostics.energy(system, run)))
    hs = (0.1, 0.05, 0.025)
    result = {name: [_reflect(G, h) for h in hs] for name, G in
             (("kinetic", jnp.eye(3)), ("another", OTHER))}  # fmt: skip
    balance = {name: max(x[0] for x in rows) for name, rows in result.items()}
    off = {name: [x[1] for x in rows] for name, rows in result.items()}
    lengths = {name: rows[0][2] for name, rows in result.items()}
    claims = [
        Claim(
            "4.4: for right-invariant D, H of the mean momentum is kept",
            [
                Check(f"change over {steps} steps, right-invariant", spread["right-invariant"],
                      high=1e-12, unit="J"),
                Check("the same, another constraint", spread["other"], low=1e-4, unit="J"),
            ],
        ),
        Claim(
            "4.1: the metric of the projectors need not be the kinetic one: (7) holds as it stands",
            [Check(f"discrete momentum equation, {name} metric", x, high=1e-12)
             for name, x in balance.items()],
        ),
        Claim(
            "but the mean velocity is then not on the constraint, for no step size",
            [
                Check("largest |mu v| with the kinetic metric", max(off["kinetic"]), high=1e-12),
                Check("with another, smallest step", off["another"][-1], low=1e-2),
                Check("its change from the largest step, relative",
                      abs(off["another"][-1] / off["another"][0] - 1), high=0.5),
            ],
            note="It is on mu G'^-1 G v = 0, with reactions along mu: another system.",
        ),
        Claim(
            "and |p| is not kept, though the mass is constant and no potential acts",
            [
                Check("relative change of |p|, kinetic metric", lengths["kinetic"], high=1e-12),
                Check("relative change of |p|, another", lengths["another"], low=1e-3),
            ],
        ),
    ]  # fmt: skip
    table = Table(
        ("metric", "h [s]", "momentum equation", "|mu v|", "change of |p|"),
        [(name, h, *row) for name, rows in result.items() for h, row in zip(hs, rows)],
        f"The free particle over {END:g} s.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (6.4, 3.8)) as (fig, ax, look):
            for (name, y), color in zip(off.items(), look.curves):
                ax.loglog(hs, np.maximum(y, 1e-17), "o-", color=color, label=f"{name} metric")
            ax.set(xlabel="h [s]", ylabel="largest |mu v| [m/s]", ylim=(1e-18, 10))
            ax.set_xticks(hs, [f"{h:g}" for h in hs])
            ax.set_xticks([], minor=True)
            da.plots.finish(ax, look, "the constraint, by the mean momentum", "center left")
        return fig

    see = "The constraint holds to round-off with the kinetic metric, and for no step with another."
    return Outcome(claims, [table], [Picture("", see, "Two lines against the step size", draw)])


def _reflect(G: jax.Array, h: float) -> tuple[float, float, float]:
    """Run GNI of the free particle with the projectors of G: p_plus = p_minus = (q1 - q0)/h.

    Returns the largest residual of the discrete momentum equation along e1 + y e3, |mu v| of the
    mean momentum, and the relative change of |p|.
    """
    inverse = jnp.linalg.inv(G)

    @jax.jit
    def run(q, p):
        def step(state, _):
            q, p = state
            mu = PARTICLE.constraint(q)[0]
            after = p - 2.0 * mu * (mu @ inverse @ p) / (mu @ inverse @ mu)
            along = jnp.stack([jnp.ones(()), jnp.zeros(()), q[1]])
            row = (after - p) @ along, mu @ (after + p) / 2, jnp.linalg.norm(after)
            return (q + h * after, after), row

        return jax.lax.scan(step, (q, p), length=round(END / h))[1]

    q, v = PARTICLE.initial()
    balance, off, length = (np.asarray(x) for x in run(q, v))
    worst = [float(np.max(np.abs(x))) for x in (balance, off[1:])]
    return worst[0], worst[1], float(np.ptp(length) / length[0])
