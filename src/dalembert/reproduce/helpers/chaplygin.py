"""Chaplygin's ball with and without a chart, beside an accurate solution; for [F15] figure 3."""

from __future__ import annotations

import dataclasses
import math

import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Motion, Outcome, Picture, Table

FAR = 0.1  # m from the accurate path: beyond this the motion counts as different


@dataclasses.dataclass(frozen=True)
class Case:
    """Parameters of a figure, and the length of the run."""

    inertia: tuple[float, float, float]
    m: float
    per_tenth: int  # steps in 0.1 s
    end: float
    published_end: float


def compare(case: Case, choice: str, reading: str) -> Outcome:
    """Run chart, global method and reference, and find how long each is accurate."""
    inertia = jnp.array(case.inertia)
    h, rows = 0.1 / case.per_tenth, round(case.end / 0.1)
    chart = da.systems.ChaplyginBallExponential(m=case.m, inertia=inertia)
    ball = da.systems.ChaplyginBall(m=case.m, inertia=inertia)
    options = {"h": h, "steps": case.per_tenth * rows, "save_every": case.per_tenth}
    runs = {
        "chart, Euler A": da.simulate(chart, da.GNI(da.EulerA()), **options),
        "global, midpoint": da.simulate(ball, da.GNI(), **options),
    }
    exact = da.simulate(ball, da.Reference(rtol=1e-13), h=0.1, steps=rows)
    looser = da.simulate(ball, da.Reference(rtol=1e-10), h=0.1, steps=rows)
    t = np.asarray(exact.t)
    paths = {
        "chart, Euler A": np.asarray(runs["chart, Euler A"].q)[:, :2],
        "global, midpoint": np.asarray(runs["global, midpoint"].q[0]),
        "reference, 1e-10": np.asarray(looser.q[0]),
    }
    true = np.asarray(exact.q[0])
    apart = {name: np.linalg.norm(p - true, axis=1) for name, p in paths.items()}
    trusted = {name: _until(t, d) for name, d in apart.items()}
    systems = {"chart, Euler A": chart, "global, midpoint": ball}
    kept = {n: da.diagnostics.invariant_drift(systems[n], run) for n, run in runs.items()}
    near = float(np.max(np.linalg.norm(np.asarray(runs["chart, Euler A"].q)[:, 2:], axis=1)))
    moving = {n: float(np.max(np.abs(k["moving_energy"]))) for n, k in kept.items()}
    momentum = {n: float(np.max(np.abs(k["J"]))) for n, k in kept.items()}

    closer = apart["chart, Euler A"][100] / apart["global, midpoint"][100]
    claims = [
        Claim(
            f"the chart method shows the path up to t = {case.published_end:g} s",
            [Check(f"within {FAR:g} m of the true path until", trusted["chart, Euler A"],
                   min(case.end, case.published_end), unit="s")],
            unpublished=choice,
        ),
        Claim(
            "on R^2 x SO(3), without a chart and its singularity at |rho| = 2 pi, the same step "
            "gives the path more accurately",
            [
                Check("distance at 10 s, chart over global", closer, low=10,
                      why="78 and 890 with the data of the two figures"),
                Check("drift of J, global method", momentum["global, midpoint"],
                      high=1e-13 * math.sqrt(options["steps"]),
                      why="round-off walks at random over the steps: 1e-13 times their root"),
                Check("largest |rho| of the chart over 2 pi", near / (2 * np.pi)),
            ],
            note="A statement of this library: the paper integrates in the chart.",
        ),
    ]  # fmt: skip
    table = Table(
        ("method", f"within {FAR:g} m until [s]", "distance at 10 s [m]", "at the end [m]",
         "drift of J", "drift of the moving energy [J]"),
        [
            (name, trusted[name] if trusted[name] < t[-1] else "the end", d[100], d[-1],
             momentum.get(name, float("nan")), moving.get(name, float("nan")))
            for name, d in apart.items()
        ],
        f"h = {h:.4g} s, to t = {t[-1]:g} s; distances from an adaptive solution of tolerance "
        "1e-13, whose own error is at most about that of the last line.",
    )  # fmt: skip

    def draw(theme: str):
        with da.plots.canvas(theme, (9.0, 4.3), columns=2) as (fig, (left, right), look):
            left.plot(true[:, 0], true[:, 1], color=look.muted, lw=3.5, alpha=0.45, label="true")
            for (name, p), color, dash in zip(paths.items(), look.curves, ("-", "--")):
                left.plot(p[:, 0], p[:, 1], dash, color=color, lw=1.0, label=name)
            left.plot(0, 0, "+", color=look.ink, ms=11, mew=2)
            left.set(xlabel="x [m]", ylabel="y [m]")
            left.set_aspect("equal", adjustable="datalim")
            da.plots.finish(left, look, "contact point; + center of the table")
            for (name, d), color, dash in zip(apart.items(), look.curves, ("-", "--", ":")):
                right.plot(t[1:], np.maximum(d[1:], 1e-13), dash, color=color, lw=1.3, label=name)
            right.axhline(FAR, color=look.muted, lw=1, zorder=1)
            right.set(xlabel="t [s]", ylabel="distance from the true path [m]", yscale="log")
            da.plots.finish(right, look, "how far off", "lower right")
        return fig

    picture = Picture(
        "",
        reading,
        "Left: looping paths of a ball on a table. Right: their distance from the true path",
        draw,
    )
    motion = Motion(
        "The accurate solution solid, the global method with its step as a ghost.",
        ball,
        {"reference, 1e-13": exact, "global, midpoint": runs["global, midpoint"]},
    )
    return Outcome(claims, [table], [picture], motions=[motion])


def _until(t: np.ndarray, distance: np.ndarray) -> float:
    """Return the last time before the distance exceeds `FAR`."""
    far = np.flatnonzero(distance > FAR)
    return float(t[far[0] - 1] if far.size else t[-1])
