"""Long runs: accuracy to round-off compared with structure-preserving methods.

Taylor's method preserves no structure. At a tolerance of round-off its energy error is a random
walk of rounding; at a loose tolerance it drifts, where symmetric methods with larger errors do not.
"""

from __future__ import annotations

import numpy as np

import dalembert as da
from dalembert import diagnostics

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

H = 0.1
ROWS = 400


def _envelope(t: np.ndarray, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest error until each of some times, evenly spaced in logarithm."""
    largest = np.maximum.accumulate(np.abs(error))
    at = np.unique(np.searchsorted(t, np.geomspace(t[-1] / 300, t[-1], 40)).clip(0, len(t) - 1))
    return t[at], np.maximum(largest[at], 1e-17)


@experiment(
    "long-run",
    source="beyond the documents",
    title="Long runs: round-off beside structure",
    see="The energy error. Taylor's method at 1e-15 stays at round-off, which grows like a random "
    "walk; at 1e-6 it drifts in time, and leapfrog and Gauss, with larger errors at first, do not.",
)
def long_run(full: bool, seed: int) -> Outcome:
    """Run the contact oscillator: reversible and integrable, so a method's symmetry matters."""
    oscillator = da.systems.ContactOscillator()
    span = 50_000.0 if full else 2_000.0
    methods: dict[str, da.methods.Method] = {
        "Taylor(1e-15)": da.Taylor(),
        "Taylor(1e-6)": da.Taylor(1e-6),
        "Leapfrog": da.Leapfrog(),
        "Gauss(2)": da.Gauss(2),
        "EnergyGauss(2)": da.EnergyGauss(2),
        "RK4": da.RK4(),
    }
    steps = round(span / H)
    found, rows = {}, []
    for name, method in methods.items():
        run = da.simulate(oscillator, method, h=H, steps=steps, save_every=max(steps // ROWS, 1))
        error = np.asarray(diagnostics.energy_error(oscillator, run))
        found[name] = _envelope(np.asarray(run.t), error)
        rows.append((name, _until(found[name], 0.1), _until(found[name], 1.0), _growth(found[name]),
                     1e6 * run.meta.wall_s / span))  # fmt: skip

    def grown(name: str) -> float:
        return _until(found[name], 1.0) / _until(found[name], 0.1)

    claims = [
        Claim(
            "at 1e-15 the energy stays at round-off, and errors grow like a random walk at most",
            [
                Check("largest energy error", _until(found["Taylor(1e-15)"], 1.0), high=5e-14),
                Check("exponent of its growth", _growth(found["Taylor(1e-15)"]), high=0.9),
            ],
        ),
        Claim(
            "at 1e-6 it drifts, and structure is what leapfrog and Gauss(2) have instead",
            [
                Check(
                    "Taylor(1e-6): growth over ten times the time", grown("Taylor(1e-6)"), low=3.0
                ),
                Check("Leapfrog: growth", grown("Leapfrog"), high=1.5),
                Check("Gauss(2): growth", grown("Gauss(2)"), high=1.5),
                Check("RK4: growth", grown("RK4"), low=5.0),
            ],
        ),
        Claim(
            "EnergyGauss keeps this energy to round-off at the order of Gauss(2)",
            [Check("largest energy error", _until(found["EnergyGauss(2)"], 1.0), high=1e-12)],
        ),
    ]
    heads = (
        "method",
        f"until t = {span / 10:g}",
        f"until t = {span:g}",
        "exponent",
        "us per unit time",
    )
    text = (
        f"Largest energy error of the contact oscillator; fixed steps of {H:g}, rows of Taylor as "
        "well. Times depend on the machine and decide nothing."
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (7.2, 4.4)) as (fig, ax, look):
            for i, (name, (t, error)) in enumerate(found.items()):
                ax.plot(t, error, label=name, color=look.curves[i % len(look.curves)], lw=1.4)
            ax.set(xscale="log", yscale="log", xlabel="t (s)", ylabel="largest energy error (J)")
            da.plots.finish(ax, look, "contact oscillator", "above")
        return fig

    see = "Lines that rise drift. Two are round-off: one by accuracy, one by keeping the energy."
    alt = "Largest energy error until t, for six methods, both axes logarithmic"
    return Outcome(claims, [Table(heads, rows, text)], [Picture("", see, alt, draw)])


def _until(curve: tuple[np.ndarray, np.ndarray], share: float) -> float:
    t, error = curve
    return float(error[np.searchsorted(t, share * t[-1]).clip(0, len(t) - 1)])


def _growth(curve: tuple[np.ndarray, np.ndarray]) -> float:
    """Return the slope in double logarithms over the last decade of time."""
    t, error = curve
    late = t >= 0.1 * t[-1]
    return float(np.polyfit(np.log(t[late]), np.log(error[late]), 1)[0])
