"""[C02] 8.2.2, 8.6.3: the motion from rest as a series in the controls."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import control

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

REST = jnp.zeros(3), jnp.zeros(3)


class Damped(da.systems.PlanarBody):
    """The planar body with isotropic damping."""

    k: float = 0.0

    def force(self, t, q, v):
        return -self.k * (self.mass_matrix @ v)


def _wave(t):
    return jnp.stack([jnp.cos(3 * t), 0.5 + t])


@experiment(
    "c02-series",
    source="[C02] Theorem 8.2.3, (8.7), Proposition 8.6.7",
    title="The motion from rest as a series in the controls",
    see="Errors of the series with 1 to 4 terms against the time: each term more makes the line "
    "steeper by two, with damping too.",
)
def series(full: bool, seed: int) -> Outcome:
    """Measure the order of the error, and the bound on it that the last term gives."""
    times = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8) if full else (0.4, 0.8)
    errors: dict[tuple[float, int], list[float]] = {}
    bounds: dict[tuple[float, int], list[float]] = {}
    for k in (0.0, 0.6):
        body = Damped(k=k)
        exact = [
            np.asarray(da.simulate(body, da.Gauss(4), *REST, h=t / 40, steps=40, u=_wave).q[-1])
            for t in times
        ]
        for terms in (1, 2, 3, 4):
            values = [control.series_motion(body, _wave, t, REST[0], terms=terms) for t in times]
            errors[k, terms] = [float(np.linalg.norm(f.move - e)) for f, e in zip(values, exact)]
            bounds[k, terms] = [f.last for f in values]
    powers = {key: float(np.polyfit(np.log(times), np.log(e), 1)[0]) for key, e in errors.items()}
    ratio = max(e[-1] / b[-1] for e, b in zip(errors.values(), bounds.values()))
    claims = [
        Claim(
            f"{where}: after K terms the position is off by t^(2K + 2)",
            [
                Check(f"power, K = {terms}", powers[k, terms], low=2 * terms + 1.6)
                for terms in (1, 2, 3, 4)
            ],
        )
        for k, where in ((0.0, "Theorem 8.2.3, (8.7)"), (0.6, "Proposition 8.6.7, k_d = -0.6 1/s"))
    ]
    claims.append(
        Claim(
            "the series converges: its last term is larger than all that is left out, here",
            [Check(f"error over last term at {times[-1]:g} s, largest", ratio, high=1.0)],
            note="The bound (8.4) cannot be computed: it has a function that is not defined (E32). "
            "control.series_bound has a proven one, for shorter times.",
        )
    )
    table = Table(
        ("K", "power, k_d = 0", "power, k_d = -0.6", f"error at {times[-1]:g} s, k_d = 0"),
        [(str(K), powers[0.0, K], powers[0.6, K], errors[0.0, K][-1]) for K in (1, 2, 3, 4)],
        "Planar body, u = (cos 3t N, 0.5 + t N m).",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (6.8, 4.2)) as (fig, ax, look):
            for (k, K), e in errors.items():
                style = {"color": look.curves[K - 1], "lw": 1.4, "marker": "o", "ms": 4}
                name = f"K = {K}: {powers[k, K]:.1f}" if not k else None
                ax.plot(times, e, "--" if k else "-", label=name, **style)
            ax.set(xscale="log", yscale="log", xlabel="t [s]", ylabel="position error")
            ax.set_xticks(times, [f"{t:g}" for t in times])
            ax.set_xticks([], minor=True)
            da.plots.finish(ax, look, "error of the series (dashed: with damping)", "lower right")
        return fig

    picture = Picture(
        "", "Slopes grow by two and more with each term.", "Eight lines of four slopes", draw
    )
    return Outcome(claims, [table], [picture])
