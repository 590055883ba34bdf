"""[MP] figures 3 and 4: one chaotic orbit, 50,000 iterates with 40 and with 80 steps a period."""

from __future__ import annotations

import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment
from ..helpers.sections import orbits, regularity

EPSILON, START = 0.5, (0.3, 0.2)  # chaotic at this strength


@experiment(
    "mp-fig3-4",
    source="[MP] Fig. 3, 4",
    title="A chaotic orbit with two step sizes",
    see="Halving the step leaves the picture of the orbit as it is and divides the energy error "
    "by four.",
)
def fig3_4(full: bool, seed: int) -> Outcome:
    """Run the published number of iterates, which is quick enough to be the only size."""
    iterates = 50_000
    start = (np.array([EPSILON]), np.array([START[0]]), np.array([START[1]]))
    points, energy = {}, {}
    for n in (40, 80):
        p, e = orbits(*start, N=n, iterates=iterates)
        points[n], energy[n] = p[0], e[0] - 1.5
    spread = {n: float(np.std(e)) for n, e in energy.items()}
    # How much of the plane each orbit visits, in cells of a grid.
    cells = {n: _visited(p) for n, p in points.items()}
    common = len(cells[40] & cells[80]) / len(cells[40] | cells[80])
    fifths = {n: [float(np.mean(x)) for x in np.array_split(e, 5)] for n, e in energy.items()}
    drift = {n: _trend(e) for n, e in energy.items()}

    claims = [
        Claim(
            "the orbit is chaotic, and both step sizes show the same picture of it",
            [
                Check("decimals to which its halves agree", float(regularity(points[40])), high=5),
                Check("share of visited cells in common", common, low=0.8),
            ],
            unpublished="where the orbit marked B starts is not printed; here epsilon = 0.5, "
            "z = 0.3 m, v_z = 0.2 m/s",
        ),
        Claim(
            "the energy errors scale as h^2",
            [Check("standard deviation, N = 40 over N = 80", spread[40] / spread[80], 3.5, 4.5)],
        ),
        Claim(
            "the energy errors oscillate; a drift, if there is one, is small beside that",
            [
                Check(
                    f"drift over the run in standard deviations, N = {n}",
                    drift[n] / spread[n],
                    -0.5,
                    0.5,
                    why="a statistic, whose mean is zero",
                )
                for n in (40, 80)
            ],
        ),
    ]
    table = Table(
        ("N", "mean error [J]", "standard deviation [J]", "largest [J]", "means of the fifths [J]"),
        [
            (
                n,
                float(np.mean(e)),
                spread[n],
                float(np.max(np.abs(e))),
                ", ".join(f"{x:.2e}" for x in fifths[n]),
            )
            for n, e in energy.items()
        ],
        "50,000 iterates of (4.18); the exact energy is 1.5 J.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (8.4, 7.6), 2, 2) as (fig, axes, look):
            for (left, right), n, color in zip(axes, (40, 80), look.curves):
                shown = points[n][points[n][:, 0] > 0]
                left.plot(shown[:, 1], shown[:, 2], ",", color=color, rasterized=True)
                left.set(xlabel="z [m]", ylabel="$v_z$ [m/s]", aspect="equal")
                da.plots.finish(left, look, f"section, N = {n} steps a period")
                left.grid(False)
                scaled = 1e3 * energy[n]
                right.plot(np.arange(len(scaled)), scaled, ",", color=color, rasterized=True)
                label = "energy error [mJ]"
                right.set(xlabel="iterate", ylabel=label, ylim=_limits(1e3 * energy[40]))
                da.plots.finish(right, look, f"energy - 1.5 J, N = {n}")
        return fig

    picture = Picture(
        "",
        "Left: the points of the orbit on the section y = -1. Right: its energy error, on the same "
        "scale for both step sizes.",
        "Two chaotic sections that look alike, and their energy errors, one four times the other",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _visited(points: np.ndarray, size: float = 0.1) -> set[tuple[int, int]]:
    shown = points[points[:, 0] > 0][:, 1:]
    return {(int(i), int(j)) for i, j in np.floor(shown / size)}


def _trend(series: np.ndarray) -> float:
    """Return the change from start to end of the line fitted to the series."""
    return float(np.polyfit(np.linspace(0.0, 1.0, len(series)), series, 1)[0])


def _limits(series: np.ndarray) -> tuple[float, float]:
    return float(1.1 * series.min()), float(max(1.1 * series.max(), -0.05 * series.min()))
