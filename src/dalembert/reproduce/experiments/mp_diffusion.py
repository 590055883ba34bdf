"""[MP] 5.3: how the diffusion of the energy depends on the energy, and on |q|."""

from __future__ import annotations

import jax
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment
from .mp_fig6 import SYSTEM, energy_errors

H = 0.1
ENERGIES = (0.25, 0.75, 1.5, 3.0, 6.0)


@experiment(
    "mp-diffusion",
    source="[MP] 5.3",
    title="The energy diffuses faster at larger energies, and not at all near zero",
    see="The variance of the energy error grows in proportion to time at every energy, with a rate "
    "that falls steeply as the energy does.",
)
def diffusion(full: bool, seed: int) -> Outcome:
    """Run 800 trajectories to T = 5,000 at each energy; published size: 2,000 to T = 20,000."""
    members, end = (2_000, 20_000.0) if full else (800, 5_000.0)
    times = np.linspace(0.0, end, 41)
    rates, sizes, variances, spread = [], [], {}, []
    for energy in ENERGIES:
        q0, v0 = SYSTEM.ensemble(jax.random.key(seed), members, energy)
        errors = energy_errors(q0, v0, H, end, len(times) - 1)
        variance = np.var(errors, axis=0, ddof=1) / H**4
        variances[energy] = variance
        rates.append(float(np.polyfit(times[1:], variance[1:], 1)[0]))
        half = [np.var(part, axis=0, ddof=1) / H**4 for part in (errors[::2], errors[1::2])]
        spread.append(abs(float(np.diff([np.polyfit(times[1:], x[1:], 1)[0] for x in half])[0])))
        sizes.append(float(np.sqrt(np.mean(np.sum(np.asarray(q0) ** 2, axis=1)))))
    rates_, sizes_ = np.maximum(rates, 1e-300), np.asarray(sizes)
    upper = slice(2, None)  # where the random walk exceeds the oscillation
    by_size = float(np.polyfit(np.log(sizes_[upper]), np.log(rates_[upper]), 1)[0])
    by_energy = float(np.polyfit(np.log(ENERGIES[upper]), np.log(rates_[upper]), 1)[0])
    claims = [
        Claim(
            "as H -> 0 the system becomes integrable and no drift of the energy is seen",
            [
                Check("rate at the smallest over that at the largest energy",
                      rates[0] / rates[-1], high=2e-3, why="the rate itself is near zero there"),
                Check("rate at 0.75 J over that at 3 J", rates[1] / rates[3], high=0.2,
                      why="a statistical number"),
            ],
        ),
        Claim(
            "the diffusion rate varies approximately as |q|^4",
            [Check("power of |q|, factor of the standard deviation", by_size / 2, 3.5, 4.5,
                   why="half the power of the variance")],
            [Check("power of |q|, factor of the standard deviation", by_size / 2, 4.5, 5.5,
                   why="half the power of the variance")],
            note="About the fifth power, from 1.5 to 6 J. |q| is the root mean square at the "
            "start. The source does not say of which rate: the standard deviation grows as sqrt(t) "
            "with a factor that is the root of the slope of the variance, whose own power is "
            f"{by_size:.1f} in |q| and {by_energy:.1f} in the energy.",
        ),
    ]  # fmt: skip
    table = Table(
        ("H(0) [J]", "|q| at the start [m]", "slope of Var/h^4", "difference of two halves"),
        list(zip(ENERGIES, sizes, rates, spread)),
        f"{members} trajectories at each energy, h = {H:g} s, to T = {end:g} s.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (9.6, 4.0), columns=2) as (fig, (left, right), look):
            for energy, color in zip(ENERGIES[::-1], look.curves):
                left.plot(
                    times[1:], variances[energy][1:], color=color, lw=1.3, label=f"{energy:g} J"
                )
            left.set(xlabel="t [s]", ylabel="Var(H) / $h^4$ [J$^2$/s$^4$]", yscale="log")
            da.plots.finish(left, look, "variance of the energy error", "beside")
            right.loglog(sizes_, rates_, "o-", color=look.curves[0], label="measured")
            for power, style in ((8, "--"), (10, ":")):
                line = rates_[-1] * (sizes_ / sizes_[-1]) ** power
                text = f"$|q|^{{{power}}}$: deviation as $|q|^{power // 2}$"
                right.loglog(sizes_, line, style, color=look.muted, label=text)
            right.set(xlabel="|q| at the start [m]", ylabel="slope of Var/$h^4$ [J$^2$/s$^5$]")
            right.set_xticks([0.5, 1.0, 2.0], ["0.5", "1", "2"])
            right.set_xticks([], minor=True)
            da.plots.finish(right, look, "rate against size", "upper left")
        return fig

    see = "Left: the variance at five energies. Right: its slope against the size of the motion."
    alt = "Variances that rise, and their slopes against |q| on logarithmic axes"
    return Outcome(claims, [table], [Picture("", see, alt, draw)])
