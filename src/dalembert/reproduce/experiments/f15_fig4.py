"""[F15] figure 4: error in energy of an inhomogeneous ball on a table at rest."""

from __future__ import annotations

import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

END = 10.0
HS = (0.02, 0.01, 0.005, 0.0025, 0.00125)
OMEGA = (0.0, 1.6, 0.1)  # rolls about 16 m in 10 s


@experiment(
    "f15-fig4",
    source="[F15] Fig. 4",
    title="Energy of an inhomogeneous ball on a fixed table",
    see="On a table at rest the exact motion keeps the energy. The error of the chart method "
    "shrinks in proportion to h, that of the method without a chart to h^2.",
)
def fig4(full: bool, seed: int) -> Outcome:
    """Run with the published parameters and run time."""
    chart = da.systems.ChaplyginBallExponential(Theta=0.0)
    ball = da.systems.ChaplyginBall(Theta=0.0)
    starts = {}
    for system in (chart, ball):
        q, _ = system.initial()
        starts[system.name()] = (q, system.rolling_velocity(q, OMEGA[1], -OMEGA[0], OMEGA[2]))
    cases = {"chart, Euler A": (chart, da.GNI(da.EulerA())), "global, midpoint": (ball, da.GNI())}
    errors, sizes, path = {}, {}, np.zeros((0, 2))
    for name, (system, method) in cases.items():
        q0, v0 = starts[system.name()]
        for h in HS:
            run = da.simulate(system, method, q0, v0, h=h, steps=round(END / h))
            error = np.asarray(da.diagnostics.energy_error(system, run))
            errors[name, h] = (np.asarray(run.t), error)
            sizes[name, h] = float(np.max(np.abs(error)))
            path = np.asarray(da.diagnostics.path(system, run))
    length = float(np.sum(np.linalg.norm(np.diff(path, axis=0), axis=1)))
    slopes = {n: da.diagnostics.fit_order(HS, [sizes[n, h] for h in HS]) for n in cases}
    e0 = float(da.dynamics.energy(ball, *starts[ball.name()]))
    claims = [
        Claim(
            "with the chart method the energy error of a run of about 16 units is small and goes "
            "to zero with h",
            [
                Check("length of the path", length, 15, 17, "m"),
                Check("order of the largest error", slopes["chart, Euler A"], 0.85, 1.15),
                Check("largest error over the energy, h = 0.00125",
                      sizes["chart, Euler A", HS[-1]] / e0, high=0.01),
            ],
            unpublished="initial data and step are not given; here omega(0) = (0, 1.6, 0.1) rad/s",
        ),
        Claim(
            "the method without a chart is of order 2 in the energy",
            [Check("order of the largest error", slopes["global, midpoint"], 1.85, 2.15)],
            note="A statement of this library, for comparison.",
        ),
    ]  # fmt: skip
    table = Table(
        ("h [s]", *(f"{name}: largest error [J]" for name in cases)),
        [*((h, *(sizes[n, h] for n in cases)) for h in HS),
         ("slope", *(f"{slopes[n]:.3f}" for n in cases))],
        f"Energy {e0:.4g} J, path {length:.4g} m in 10 s.",
    )  # fmt: skip

    def draw(theme: str):
        with da.plots.canvas(theme, (9.0, 3.9), columns=2) as (fig, (left, right), look):
            for h, color in zip(HS[1:4], look.curves):
                t, e = errors["chart, Euler A", h]
                left.plot(t, 1e3 * e, color=color, lw=1.2, label=f"h = {h:g} s")
            left.set(xlabel="t [s]", ylabel="energy error [mJ]")
            da.plots.finish(left, look, "chart, Euler A", "best")
            for name, color, mark in zip(cases, look.curves, "os"):
                y = [sizes[name, h] for h in HS]
                text = f"{name}: {slopes[name]:.2f}"
                right.plot(HS, y, f"{mark}-", color=color, ms=4.5, label=text)
            right.set(xscale="log", yscale="log", xlabel="h [s]", ylabel="largest error [J]")
            right.set_xticks(HS, [f"{h:g}" for h in HS], rotation=30)
            right.minorticks_off()
            da.plots.finish(right, look, "slopes", "center left")
        return fig

    picture = Picture(
        "",
        "Left: the error along the run for three steps. Right: its largest value against h, with "
        "fitted slopes.",
        "Energy errors against time and against the step, slopes one and two",
        draw,
    )
    return Outcome(claims, [table], [picture])
