"""[MP] section 6.2: the Moser-Veselov rigid body with a constraint on its angular velocity."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Motion, Outcome, Picture, Table, experiment

END = 4.0
HS = (0.05, 0.025, 0.0125, 0.00625)
RULE = da.MoserVeselov()
METHODS = {
    "projecting, (6.7)-(6.8)": da.DLA(RULE, da.MomentumAtStart(RULE)),
    "reflecting, GNI": da.GNI(RULE),
}


@experiment(
    "mp-rigid-body",
    source="[MP] 6.2",
    title="Constrained Moser-Veselov: projecting loses energy, reflecting does not",
    see="The method of the paper projects the momentum onto the constraint and loses energy with "
    "every step; reflecting it instead keeps the energy of the momenta to round-off.",
)
def rigid_body(full: bool, seed: int) -> Outcome:
    """Run Suslov's problem with J = diag(1, 2, 3), a = (1, 1, 1), against its closed form."""
    body = da.systems.Suslov()
    errors: dict[str, list[float]] = {name: [] for name in METHODS}
    for name, method in METHODS.items():
        for h in HS:
            run = da.simulate(body, method, h=h, steps=round(END / h))
            exact = body.closed_form(jnp.asarray(END))[1]
            errors[name].append(float(jnp.linalg.norm(run.final.v - exact)))
    slopes = {name: da.diagnostics.fit_order(HS, e) for name, e in errors.items()}
    longer = {name: da.simulate(body, method, h=0.1, steps=400) for name, method in METHODS.items()}
    energies = {n: np.asarray(da.diagnostics.energy(body, run)) for n, run in longer.items()}
    e0 = float(energies["reflecting, GNI"][0])
    change = {n: (e - e0) / e0 for n, e in energies.items()}
    project, reflect = METHODS
    # the reported momentum is the momentum on the constraint, M_k in the paper
    steps = np.diff(energies[project])
    lost = float(change[project][40])
    defect = da.diagnostics.reversibility_defect
    back = {name: defect(body, method, h=0.1, steps=20) for name, method in METHODS.items()}
    kept = _energy_of_p_minus(body)
    claims = [
        Claim(
            "(6.7)-(6.8), the unconstrained update projected, is an integrator of the problem",
            [Check("order of Omega", slopes[project], 0.85, 1.15)],
        ),
        Claim(
            "made from the reversible Moser-Veselov Lagrangian, it is reversible and does not "
            "dissipate",
            [
                Check("reversibility defect", back[project], high=1e-12),
                Check("relative energy change, t = 4 s, h = 0.1", lost, -1e-10, 1e-10),
                Check("largest change of the energy in a step", float(np.max(steps)), unit="J"),
            ],
            note="A statement of this library, not of the paper: what one might expect of a method "
            "made from a reversible discrete Lagrangian. Every step loses the energy of its "
            "reaction.",
        ),
        Claim(
            "with the reflection of GNI instead, the same discrete Lagrangian gives a reversible "
            "method of order 2 that keeps the energy of p+ and p- exactly",
            [
                Check("its order", slopes[reflect], 1.9, 2.1),
                Check("relative change of the energy of p-, 400 steps", kept, high=1e-12),
                Check("reversibility defect", back[reflect], high=1e-12),
            ],
            note="A statement of this library, after [F08] 4.2.",
        ),
    ]
    table = Table(
        ("h [s]", *(f"{n}: error of Omega [rad/s]" for n in METHODS)),
        [*((h, *(e[i] for e in errors.values())) for i, h in enumerate(HS)),
         ("slope", *(f"{s:.3f}" for s in slopes.values()))],
        "At t = 4 s, against the closed form.",
    )  # fmt: skip

    def draw(theme: str):
        with da.plots.canvas(theme, (9.0, 3.9), columns=2) as (fig, (left, right), look):
            for (name, c), color, dash in zip(change.items(), look.curves, ("-", "--")):
                t = np.asarray(longer[name].t)
                left.plot(t, 100 * c, dash, color=color, lw=1.5, label=name)
            left.set(xlabel="t [s]", ylabel="change of the energy [%]")
            da.plots.finish(left, look, "energy on the constraint, h = 0.1 s", "lower left")
            for (name, e), color, mark in zip(errors.items(), look.curves, "os"):
                right.plot(
                    HS, e, f"{mark}-", color=color, ms=5, label=f"{name}: {slopes[name]:.2f}"
                )
            right.set(xscale="log", yscale="log", xlabel="h [s]", ylabel="error of Omega [rad/s]")
            right.set_xticks(HS, [f"{h:g}" for h in HS])
            right.minorticks_off()
            da.plots.finish(right, look, "error at 4 s, with slopes", "lower right")
        return fig

    picture = Picture(
        "",
        "Left: the energy of the projecting method keeps falling, that of the reflecting one "
        "does not. Right: errors with fitted slopes.",
        "Left: energy against time, one curve falling. Right: errors of slopes one and two",
        draw,
    )
    motion = Motion(
        "Reflecting solid, projecting as a ghost: the body comes to turn about one axis, and the "
        "projected one turns slower and slower.",
        body,
        {name: longer[name] for name in (reflect, project)},
    )
    return Outcome(claims, [table], [picture], motions=[motion])


def _energy_of_p_minus(body: da.systems.Suslov, h: float = 0.1, steps: int = 400) -> float:
    """Return the largest relative change of p-.I^-1 p-/2, the momentum that leaves each node."""
    method = METHODS["reflecting, GNI"]
    t, h_ = jnp.zeros(()), jnp.asarray(h)

    def step(state, _):
        energy = state.p_minus @ jnp.linalg.solve(body.mass_matrix, state.p_minus)
        return method.step(body, t, h_, state).carry, energy

    state, _ = method.start(body, t, h_, *body.initial())
    values = jax.lax.scan(step, state, length=steps)[1]
    return float(jnp.max(jnp.abs(values / values[0] - 1)))
