"""[MP] (4.6), (4.7), Propositions 8 and 9: finite-difference maps that preserve constraints."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

H, STEPS = 0.05, 60


class Leaves(da.System):
    """A holonomic constraint written as dF = 0, with F linear, quadratic or cubic."""

    degree: float = da.parameter(3.0, doc="1: linear, 2: quadratic, 3: cubic F")

    space = da.Euclidean(3)

    def level(self, q):
        bent = jnp.where(self.degree > 2.5, q[0] ** 3 + q[0] * q[1], q[0] ** 2 + 2 * q[1] ** 2)
        return jnp.where(self.degree > 1.5, bent - q[2] ** 2 * (self.degree < 2.5), 0.0) + q @ (
            jnp.array([0.3, 0.2, 1.0])
        )

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * q[2] - 0.5 * q @ q

    def constraint(self, q):
        return jax.grad(self.level)(q)[None]

    def initial(self):
        q = jnp.array([0.8, 0.5, 0.3])
        return q, da.dynamics.consistent_velocity(self, q, jnp.array([0.3, -0.4, 0.2]))


def _to(q):
    """Return coordinates (x, y, F) in which the leaves of the cubic F are planes."""
    return jnp.stack([q[0], q[1], q[0] ** 3 + q[0] * q[1] + 0.3 * q[0] + 0.2 * q[1] + q[2]])


def _back(x):
    rest = x[0] ** 3 + x[0] * x[1] + 0.3 * x[0] + 0.2 * x[1]
    return jnp.stack([x[0], x[1], x[2] - rest])


def along(a: float) -> da.CustomRule:
    """Return (4.6) for a = 0, (4.7) for a = 1/2, on straight lines in coordinates (x, y, F)."""

    def place(g):
        x0, x1 = _to(g[0]), _to(g[1])
        return jax.jvp(_back, (x0 + a * (x1 - x0),), (x1 - x0,))

    def action(system, h, g):
        q, move = place(g)
        return h * system.lagrangian(q, move / h)

    def constraint(system, t, h, g):
        q, move = place(g)
        return system.constraint(q) @ (move / h)

    return da.CustomRule(action, constraint, f"leaves-{a:g}", 1 + (a == 0.5), a == 0.5)


RULES = {
    "(4.6)": da.EulerA(),
    "(4.7)": da.Midpoint(),
    "(4.6), flat leaves": along(0.0),
    "(4.7), flat leaves": along(0.5),
}


@experiment(
    "mp-maps",
    source="[MP] (4.6), (4.7), Propositions 8 and 9",
    title="Which finite-difference maps keep a holonomic constraint in disguise",
    see="With straight lines, linear constraints are kept by both maps and quadratic ones by the "
    "map in the middle; a cubic one is kept along geodesics for which its leaves are flat.",
)
def maps(full: bool, seed: int) -> Outcome:
    """Run DLA with four finite-difference maps on three constraints."""
    drift, series = {}, {}
    for degree in (1.0, 2.0, 3.0):
        system = Leaves(degree=degree)
        for name, rule in RULES.items():
            if "flat" in name and degree < 3:
                continue
            run = da.simulate(system, da.DLA(rule), h=H, steps=STEPS)
            levels = np.asarray(jax.jit(jax.vmap(system.level))(run.q))
            drift[name, degree] = float(np.max(np.abs(levels - levels[0])))
            series[name, degree] = np.asarray(run.t), np.abs(levels - levels[0])
    first, middle = "(4.6)", "(4.7)"
    claims = [
        Claim(
            "Proposition 9: with the Euclidean metric both maps keep linear constraints exactly",
            [Check(f"largest change, {name}", drift[name, 1.0], high=1e-12)
             for name in (first, middle)],
        ),
        Claim(
            "and the map in the middle keeps quadratic ones",
            [
                Check("largest change, (4.7)", drift[middle, 2.0], high=1e-12),
                Check("largest change, (4.6)", drift[first, 2.0], low=1e-3),
            ],
        ),
        Claim(
            "Proposition 8: a metric with totally geodesic leaves keeps any integrable constraint",
            [
                Check(f"largest change, {name}", drift[name, 3.0], high=1e-12)
                for name in ("(4.6), flat leaves", "(4.7), flat leaves")
            ] + [Check(f"with the Euclidean metric, {name}", drift[name, 3.0], low=1e-6)
                 for name in (first, middle)],
        ),
    ]  # fmt: skip
    table = Table(
        ("map", "degree of F", "largest change of F"),
        [(name, degree, x) for (name, degree), x in drift.items()],
        f"DLA, h = {H:g} s, {STEPS} steps.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (6.8, 4.0)) as (fig, ax, look):
            for name, color in zip(RULES, look.curves):
                t, y = series[name, 3.0]
                ax.semilogy(t[1:], np.maximum(y[1:], 1e-17), color=color, label=name)
            ax.set(xlabel="t [s]", ylabel="change of F")
            da.plots.finish(ax, look, "a cubic constraint", "center right")
        return fig

    see = "A cubic constraint: kept along geodesics of its leaves, not along straight lines."
    return Outcome(claims, [table], [Picture("", see, "Changes of F against time", draw)])
