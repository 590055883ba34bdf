"""[MP] figure 1: Poincare sections of the perturbed contact oscillator (5.4) by method (4.18)."""

from __future__ import annotations

import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment
from ..helpers.sections import birkhoff, orbits, regularity, step_size

EPSILON = (0.0, 0.25, 0.5, 1.0)
# (z, v_z) on the section; x > 0 follows from the energy 1.5.
STARTS = (
    (0.1, 0.05), (0.3, 0.2), (0.6, 0.1), (0.1, 0.5), (0.9, 0.2), (-0.4, 0.4), (-0.7, -0.3),
    (0.0, -0.7), (1.2, 0.1), (-1.1, 0.3), (0.5, -0.5), (0.2, 0.8),
)  # fmt: skip
REGULAR = (0.1, 0.3, 0.2)  # epsilon, z, v_z of a quasi-periodic orbit
CHAOTIC = 5.0  # decimals of agreement below which an orbit counts as chaotic


@experiment(
    "mp-fig1",
    source="[MP] Fig. 1",
    title="Invariant circles break up as the perturbation grows",
    see="Each color is one orbit. Without the perturbation every orbit lies on a closed curve; as "
    "it grows, islands appear, and then bands that one orbit fills without order.",
)
def fig1(full: bool, seed: int) -> Outcome:
    """Run the published number of iterates, which is quick enough to be the only size."""
    iterates = 8000
    z, v_z = np.array(STARTS).T
    epsilon = np.broadcast_to(np.array(EPSILON)[:, None], (len(EPSILON), len(z)))
    wide = np.broadcast_to(z, epsilon.shape), np.broadcast_to(v_z, epsilon.shape)
    points, energy = orbits(epsilon, *wide, N=40, iterates=iterates)
    decimals = regularity(points)
    chaotic = np.sum(decimals < CHAOTIC, axis=1)
    error = np.max(np.abs(energy - 1.5), axis=-1)

    # One quasi-periodic orbit at several step sizes: its position and its energy.
    counts = (20, 40, 80, 160)
    runs = [orbits(*(np.array([x]) for x in REGULAR), N=n, iterates=2000) for n in counts]
    place = [float(birkhoff(p[0, :, 1] ** 2)) for p, _ in runs]
    hs = [step_size(n) for n in counts]
    shift = da.diagnostics.fit_order(hs[:-1], [abs(x) for x in np.diff(place)])
    largest = [float(np.max(np.abs(e[0] - 1.5))) for _, e in runs]
    long, long_energy = orbits(*(np.array([x]) for x in REGULAR), N=40, iterates=20_000)
    quarters = [np.max(np.abs(part - 1.5)) for part in np.array_split(long_energy[0], 4)]

    claims = [
        Claim(
            "for epsilon = 0 all orbits lie on invariant circles, which break up into chaotic "
            "bands as epsilon increases",
            [
                Check("chaotic orbits at epsilon = 0", chaotic[0], high=0),
                Check("more chaotic orbits at each larger epsilon", np.min(np.diff(chaotic)), 0),
                Check(f"chaotic orbits at epsilon = {EPSILON[-1]:g}", chaotic[-1], low=3),
            ],
            unpublished="the four values of epsilon and the starts are not printed; here 0, 0.25, "
            "0.5, 1 and twelve starts; an orbit counts as chaotic if weighted means over its two "
            "halves agree to fewer than five decimals",
        ),
        Claim(
            "the main error is a shift of the orbits by O(h^2)",
            [Check("order of the shift of a quasi-periodic orbit", shift, 1.8, 2.2)],
        ),
        Claim(
            "on quasi-periodic orbits the energy error of (4.18) is bounded",
            [
                Check("largest error in the first quarter of 20,000 iterates", quarters[0]),
                Check("last quarter over first quarter", quarters[-1] / quarters[0], 0.999, 1.001),
                Check("N = 40 over N = 80", largest[1] / largest[2], 3.8, 4.2),
            ],
        ),
    ]
    table = Table(
        ("epsilon", "chaotic of 12", "fewest decimals", "most", "largest energy error"),
        [
            (e, int(n), f"{d.min():.1f}", f"{d.max():.1f}", x.max())
            for e, n, d, x in zip(EPSILON, chaotic, decimals, error)
        ],
        "N = 40 steps a period, h = 0.156918 s, 8,000 iterates; energy 1.5 J.",
    )
    steps = Table(
        ("N", "h [s]", "mean of z^2 on the section [m^2]", "largest energy error [J]"),
        [(n, h, f"{p:.9f}", x) for n, h, p, x in zip(counts, hs, place, largest)],
        "The orbit epsilon = 0.1, z = 0.3, v_z = 0.2, with smaller and smaller steps.",
    )

    def draw(theme: str):
        size = {"sharex": True, "sharey": True}
        with da.plots.canvas(theme, (8.0, 7.6), 2, 2, **size) as (fig, axes, look):
            for ax, e, orbit in zip(axes.ravel(), EPSILON, points):
                for k, p in enumerate(orbit):
                    shown = p[p[:, 0] > 0]
                    color = look.curves[k % len(look.curves)]
                    ax.plot(shown[:, 1], shown[:, 2], ",", color=color, rasterized=True)
                ax.set(aspect="equal")
                da.plots.finish(ax, look, f"$\\varepsilon$ = {e:g}")
                ax.grid(False)
            for ax in axes[1]:
                ax.set_xlabel("z [m]")
            for ax in axes[:, 0]:
                ax.set_ylabel("$v_z$ [m/s]")
        return fig

    picture = Picture(
        "",
        "Sections y = -1, y' = 0, x > 0 of twelve orbits, 8,000 iterates each: closed curves, then "
        "islands, then chaotic bands.",
        "Four Poincare sections: nested closed curves that turn into islands and scattered bands",
        draw,
    )
    return Outcome(claims, [table, steps], [picture])
