"""[C02] 3.4.1, 5.4, 7.5.1: how the two-forms change along the motion, continuous and discrete."""

from __future__ import annotations

import jax
import numpy as np

import dalembert as da
from dalembert import diagnostics, geometry

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

SYSTEM = da.systems.NonholonomicParticle(stiffness=1.0)  # 7.6.1
H, STEPS = 0.2, 30


@experiment(
    "c02-forms",
    source="[C02] (3.14), (5.9), (5.11), (7.24)",
    title="The two-form is not kept, and how it changes is",
    see="Along DLA and GNI the discrete two-form changes by d beta, beta along the constraint "
    "forms, to round-off. On points of RK4 it does not.",
)
def forms(full: bool, seed: int) -> Outcome:
    """Test the two-forms on the particle of 7.6.1."""
    random = np.random.default_rng(seed)
    states = geometry.sample_states(SYSTEM, count=12, seed=int(random.integers(1000)))
    evolve = jax.jit(jax.vmap(lambda q, v: geometry.form_evolution(SYSTEM, q, v)))
    lie, exact = (np.asarray(x) for x in evolve(*states))
    reduced = geometry.chaplygin(SYSTEM, (0, 1), da.Euclidean(1))

    @jax.jit
    @jax.vmap
    def of_shape(r, w):
        residual = geometry.almost_symplectic_residual(reduced, r, w)
        return residual, geometry.conformal_residual(reduced, r, w)

    r, w = random.uniform(-1, 1, size=(2, 12, 2))
    residual, (conformal, closed) = (jax.tree.map(np.asarray, x) for x in of_shape(r, w))
    result = {}
    for method in (da.DLA(), da.GNI(), da.RK4()):
        run = da.simulate(SYSTEM, method, h=H, steps=STEPS)
        rule = da.Midpoint() if isinstance(method, da.RK4) else None
        result[method.name] = diagnostics.discrete_form(SYSTEM, method, run, rule)
    worst = {name: float(np.max(f.defect)) for name, f in result.items()}
    claims = [
        Claim(
            "L_X omega_L = d beta (3.14)",
            [
                Check("largest difference", float(np.max(np.abs(lie - exact))), high=1e-10),
                Check("largest entry of d beta", float(np.max(np.abs(exact))), low=2e-2),
            ],
        ),
        Claim(
            "(7.24): along DLA the discrete form changes by d beta_d",
            [Check("largest defect, relative, DLA", worst["dla-midpoint"], high=1e-10)],
        ),
        Claim(
            "the same holds along GNI, whose first equation is that of DLA",
            [Check("largest defect, relative, GNI", worst["gni-midpoint"], high=1e-10)],
        ),
        Claim(
            "and not for other maps: RK4 with the same discrete Lagrangian",
            [Check("largest defect, relative, RK4", worst["rk4"], low=1e-3)],
        ),
        Claim(
            "i_X (omega_L* - Xi) = dE (5.9), and (5.11) holds in two dimensions of shape",
            [
                Check("residual of (5.9)", float(np.max(np.abs(residual))), high=1e-12),
                Check("residual of (5.11)", float(np.max(conformal)), high=1e-12),
                Check(
                    "largest entry of d omega: it is not closed", float(np.max(closed)), low=2e-2
                ),
            ],
        ),
    ]
    table = Table(
        ("run", "defect of (7.24)", "outside the forms", "change of Omega"),
        [
            (n, worst[n], float(np.max(f.outside)), float(np.max(f.change)))
            for n, f in result.items()
        ],
        f"Largest over {STEPS - 1} nodes, h = {H:g} s, relative.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (6.8, 3.8)) as (fig, ax, look):
            for (name, f), color in zip(result.items(), look.curves):
                t = H * (1 + np.arange(len(f.defect)))
                ax.semilogy(t, np.maximum(f.defect, 1e-17), "o-", ms=3, color=color, label=name)
            ax.set(xlabel="t [s]", ylabel="defect of (7.24), relative")
            da.plots.finish(ax, look, "Phi* Omega - Omega - d beta", "center right")
        return fig

    see = "DLA and GNI obey (7.24) to round-off, points of RK4 do not."
    alt = "Defects against time: two at round-off, one far above"
    return Outcome(claims, [table], [Picture("", see, alt, draw)])
