"""[MP] figure 6: the energy of (4.18) on the chaotic system (5.5) follows a random walk."""

from __future__ import annotations

import jax
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, check_members, experiment

ENERGY = 3.06
SYSTEM = da.systems.ChaoticQuartic()


@experiment(
    "mp-fig6",
    source="[MP] Fig. 6",
    title="The energy error of a chaotic system is a random walk",
    see="The errors of many trajectories spread like a cloud of random walkers: their variance "
    "grows in proportion to time, and for two step sizes the curves agree once divided by h^4.",
)
def fig6(full: bool, seed: int) -> Outcome:
    """Run 400 trajectories to T = 5,000; published: 10,000 to T = 50,000, long on a CPU."""
    members, end = (10_000, 50_000.0) if full else (400, 5_000.0)
    hs = (0.1, 0.05)
    times = np.linspace(0.0, end, 101)
    q0, v0 = SYSTEM.ensemble(jax.random.key(seed), members, ENERGY)
    errors = {h: energy_errors(q0, v0, h, end, len(times) - 1) for h in hs}
    scaled = {h: np.var(e, axis=0, ddof=1) / h**4 for h, e in errors.items()}
    fits = {h: np.polyfit(times[1:], y[1:], 1) for h, y in scaled.items()}
    slopes = {h: float(fit[0]) for h, fit in fits.items()}
    spread = {h: _slope_error(times, e / h**2, seed) for h, e in errors.items()}
    rest = {h: y - np.polyval(fits[h], times) for h, y in scaled.items()}
    nonlinear = {h: float(np.std(r[1:]) / (slopes[h] * end)) for h, r in rest.items()}
    a, b = hs
    apart = (slopes[a] - slopes[b]) / np.hypot(spread[a], spread[b])
    rate = float(np.sqrt(np.mean(list(slopes.values()))))
    mean = {h: float(np.mean(e[:, -1]) / h**2) for h, e in errors.items()}

    claims = [
        Claim(
            "the energy error after time t is about 0.01 h^2 sqrt(t)",
            [
                *(Check(f"slope of the variance over h^4, h = {h:g}", s, 0.6e-4, 1.4e-4)
                  for h, s in slopes.items()),
                Check("factor of h^2 sqrt(t)", rate, 0.0077, 0.0118),
            ],
        ),
        Claim(
            "the variance grows roughly linearly in time",
            [Check(f"deviation from a line over its rise, h = {h:g}", x, high=0.2)
             for h, x in nonlinear.items()],
        ),
        Claim(
            "scaled by h^4 the variances of two step sizes agree",
            [Check("difference of the slopes in standard errors", apart, -3, 3)],
        ),
    ]  # fmt: skip
    table = Table(
        ("h [s]", "slope of Var/h^4", "standard error", "start of the line", "deviation / rise",
         "mean error at the end / h^2"),
        [(h, slopes[h], spread[h], float(fits[h][1]), nonlinear[h], mean[h]) for h in hs],
        f"{members} trajectories of energy 3.06 J to T = {end:g} s; errors of the slope by "
        "resampling the trajectories. The line starts above zero because the error also "
        "oscillates, by an amount that does not grow.",
    )  # fmt: skip

    def walks(theme: str):
        with da.plots.canvas(theme, (7.0, 3.8)) as (fig, ax, look):
            e = 1e3 * errors[b][:100]
            ax.plot(times, e.T, color=look.curves[4], lw=0.5, alpha=0.5)
            ax.plot(times, e[0], color=look.ink, lw=1.4, label="one of them")
            bound = 1e3 * b**2 * np.sqrt(fits[b][1] + slopes[b] * times)
            ax.plot(times, bound, color=look.curves[1], lw=1.6, ls="--", label="standard deviation")
            ax.plot(times, -bound, color=look.curves[1], lw=1.6, ls="--")
            ax.set(xlabel="t [s]", ylabel="energy error [mJ]", xlim=(0, end))
            da.plots.finish(ax, look, f"(a) 100 trajectories, h = {b:g} s", "above")
        return fig

    def variances(theme: str):
        with da.plots.canvas(theme, (7.0, 6.2), 2, 1, sharex=True) as (fig, (above, below), look):
            for h, color in zip(hs, look.curves):
                above.plot(times, scaled[h], color=color, lw=1.4, label=f"h = {h:g} s")
                above.plot(times, np.polyval(fits[h], times), color=color, lw=1, ls="--")
                below.plot(times, rest[h], color=color, lw=1.2)
            above.set(ylabel="Var(H) / $h^4$ [J$^2$/s$^4$]", ylim=(0, None))
            below.axhline(0, color=look.muted, lw=0.8)
            below.set(xlabel="t [s]", ylabel="residual [J$^2$/s$^4$]", xlim=(0, end))
            scale = 1.1 * above.get_ylim()[1] / 2
            below.set_ylim(-scale, scale)  # the scale of (b), to show how small it is
            da.plots.finish(above, look, f"(b) variance of {members} trajectories", "above")
            da.plots.finish(below, look, "(c) without the straight lines")
        return fig

    pictures = [
        Picture(
            "a",
            "Each thin line is the energy error of one trajectory. None returns, none runs away in "
            "one direction; the cloud widens like the square root of time (dashed).",
            "Hundred energy errors that spread with time, one of them drawn bold",
            walks,
        ),
        Picture(
            "bc",
            "Above: the variance over h^4 for two step sizes with straight lines fitted (dashed). "
            "Below: what is left without the lines, on the same scale.",
            "Variance of the energy error against time: two nearly equal rising lines",
            variances,
        ),
    ]
    return Outcome(claims, [table], pictures)


def energy_errors(q0, v0, h: float, end: float, rows: int) -> np.ndarray:
    """Return H(t) - H(0) of every trajectory, (members, rows + 1)."""
    steps = round(end / h)
    run = da.simulate_ensemble(
        SYSTEM, da.Leapfrog(), q0, v0, h=h, steps=steps, save_every=steps // rows
    )
    check_members(run.result)
    energy = jax.vmap(jax.vmap(lambda q, v: da.dynamics.energy(SYSTEM, q, v)))(run.q, run.v)
    return np.asarray(energy - energy[:, :1])


def _slope_error(times: np.ndarray, errors: np.ndarray, seed: int, draws: int = 200) -> float:
    """Return the standard error of the slope of the variance, by bootstrap over the ensemble."""
    random = np.random.default_rng(seed)
    slopes = []
    for _ in range(draws):
        chosen = errors[random.integers(0, len(errors), len(errors))]
        slopes.append(np.polyfit(times[1:], np.var(chosen, axis=0, ddof=1)[1:], 1)[0])
    return float(np.std(slopes))
