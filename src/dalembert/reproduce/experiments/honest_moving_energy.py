"""Affine constraints conserve the moving energy, not the energy (Fasso and Sansonetto 2015)."""

from __future__ import annotations

import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Motion, Outcome, Picture, Table, experiment

H = 0.04
METHODS = {"GNI": da.GNI(), "DLA": da.DLA(), "RK4": da.RK4()}


@experiment(
    "honest-moving-energy",
    source="after Fassò and Sansonetto 2015",
    title="On a turning table the energy itself is the wrong thing to watch",
    see="The table does work on the ball, so the energy of the exact motion goes up and down; the "
    "energy less the table's rate times the angular momentum stays constant.",
)
def moving_energy(full: bool, seed: int) -> Outcome:
    """Run Chaplygin's ball on a table that turns at 1 rad/s."""
    end = 1000.0 if full else 100.0
    ball = da.systems.ChaplyginBall()
    steps, every = round(end / H), 5
    runs = {
        name: da.simulate(ball, method, h=H, steps=steps, save_every=every)
        for name, method in METHODS.items()
    }
    rows = steps // every
    exact = da.simulate(ball, da.Reference(rtol=1e-12), h=H * every, steps=rows)
    energy = np.asarray(da.diagnostics.energy(ball, exact))
    moving = np.asarray(da.diagnostics.invariants(ball, exact)["moving_energy"])
    errors, momenta, slopes = {}, {}, {}
    for name, run in runs.items():
        drift = da.diagnostics.invariant_drift(ball, run)
        errors[name] = np.asarray(drift["moving_energy"])
        momenta[name] = float(np.max(np.abs(drift["J"])))
        slopes[name] = float(np.polyfit(np.asarray(run.t), errors[name], 1)[0])
    claims = [
        Claim(
            "with an affine constraint the exact motion does not keep the energy",
            [Check("it varies by", float(np.ptp(energy)), low=1.0, unit="J")],
        ),
        Claim(
            "it keeps the moving energy E - Theta (m (x y' - y x') + l_3)",
            [Check("it varies by", float(np.ptp(moving)), high=1e-11, unit="J")],
        ),
        Claim(
            "GNI keeps the moving energy to within a bound, and J to round-off",
            [
                Check("largest error of the moving energy", np.max(np.abs(errors["GNI"])),
                      high=1e-2, unit="J"),
                Check("its slope", abs(slopes["GNI"]), high=1e-6, unit="J/s"),
                Check("largest change of J", momenta["GNI"], high=1e-12),
            ],
        ),
    ]  # fmt: skip
    table = Table(
        ("method", "moving energy: largest error [J]", "slope [J/s]", "largest change of J"),
        [(n, float(np.max(np.abs(e))), slopes[n], momenta[n]) for n, e in errors.items()],
        f"h = {H:g} s, to t = {end:g} s. The energy goes from {energy.min():.3g} to "
        f"{energy.max():.3g} J, the moving energy is {moving[0]:.4g} J.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (7.2, 6.0), 2, 1, sharex=True) as (fig, axes, look):
            t, (above, below) = np.asarray(exact.t), axes
            above.plot(t, energy, color=look.curves[0], lw=1.4, label="energy")
            above.plot(t, moving, "--", color=look.curves[1], lw=1.8, label="moving energy")
            above.set(ylabel="energy [J]")
            da.plots.finish(above, look, "exact motion", "above")
            for (name, e), color, dash in zip(errors.items(), look.curves, ("-", "--", "-.")):
                run = runs[name]
                size = np.maximum(np.abs(e[1:]), 1e-16)
                below.plot(np.asarray(run.t)[1:], size, dash, color=color, lw=1.1, label=name)
            below.set(xlabel="t [s]", ylabel="|moving energy error| [J]", yscale="log")
            da.plots.finish(below, look, f"methods, h = {H:g} s", "above")
        return fig

    picture = Picture(
        "",
        "Above: energy and moving energy of the exact motion. Below: how well three methods keep "
        "the moving energy.",
        "Above: an oscillating curve and a flat one. Below: errors of three methods against time",
        draw,
    )
    motion = Motion(
        "The table throws the ball about and takes its energy back.",
        ball,
        {name: runs[name][: round(40 / (H * every)) + 1] for name in ("GNI", "RK4")},
    )
    return Outcome(claims, [table], [picture], motions=[motion])
