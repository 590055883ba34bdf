"""[F15] figure 2: where a homogeneous ball touches a turning table, 10,000 steps of h = 0.1."""

from __future__ import annotations

import math

import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Motion, Outcome, Picture, Table, experiment

H = 0.1


@experiment(
    "f15-fig2",
    source="[F15] Fig. 2",
    title="A ball on a turning table keeps to its circle",
    see="The exact path is a circle. All steps of GNI lie on one circle, and it does not move.",
)
def fig2(full: bool, seed: int) -> Outcome:
    """Run the published size, which is quick enough to be the only size."""
    steps = 10_000
    ball = da.systems.BallOnTurntable()
    kappa = float(ball.kappa)
    center, radius = (-1.5, 3.5), math.sqrt(2) / kappa  # z0 + i z0'/kappa, |z0'|/kappa
    runs = {
        "GNI, half-impulse start": da.simulate(ball, da.GNI(), h=H, steps=steps),
        "GNI, two-point start": _two_point_start(ball, steps),
        "RK4": da.simulate(ball, da.RK4(), h=H, steps=steps),
    }
    paths = {name: np.asarray(run.q) for name, run in runs.items()}
    rings = {name: da.diagnostics.fit_circle(q) for name, q in paths.items()}
    drift = {name: _drift(q) for name, q in paths.items()}
    gni, other = "GNI, half-impulse start", "GNI, two-point start"

    def off(ring: da.diagnostics.Circle) -> float:
        return math.dist(ring.center, center)

    claims = [
        Claim(
            "over 10,000 steps the contact point stays on one closed ring (the figure shows no "
            "drift)",
            [
                Check(
                    "largest distance from the fitted ring",
                    rings[gni].deviation,
                    high=5e-6,
                    unit="m",
                ),
                Check("drift of its center, first to last tenth", drift[gni], high=8e-9, unit="m"),
            ],
        ),
        Claim(
            "the ring is that of the exact motion, center (-1.5, 3.5) m, radius 3.535534 m",
            [
                Check("center off by", off(rings[gni]), high=7e-10, unit="m"),
                Check("radius off by", abs(rings[gni].radius - radius), high=5e-6, unit="m"),
            ],
        ),
        Claim(
            "a start with the given omega and the discrete constraint between two points serves "
            "as well",
            [
                Check("center off by", off(rings[other]), high=0.05, unit="m"),
                Check(
                    "largest distance from the ring", rings[other].deviation, high=0.01, unit="m"
                ),
            ],
            unpublished="the paper does not say how its first step was made; omega_0 is taken for "
            "the velocity of the first step, and the constraint at its first point",
        ),
    ]
    heads = ("run", "center x [m]", "center y [m]", "radius [m]", "farthest step [m]", "drift [m]")
    rows = [
        (n, f"{r.center[0]:.6f}", f"{r.center[1]:.6f}", f"{r.radius:.6f}", r.deviation, drift[n])
        for n, r in rings.items()
    ]
    exact = ("exact", f"{center[0]:.6f}", f"{center[1]:.6f}", f"{radius:.6f}", 0.0, 0.0)
    table = Table(heads, [*rows, exact])

    def draw(theme: str):
        with da.plots.canvas(theme, (6.4, 4.6)) as (fig, ax, look):
            q, angle = paths[gni], np.linspace(0, 2 * np.pi, 400)
            circle = (center[0] + radius * np.cos(angle), center[1] + radius * np.sin(angle))
            ax.plot(*circle, color=look.muted, lw=6, alpha=0.3, label="exact circle")
            ax.plot(q[:, 0], q[:, 1], ".", ms=2, color=look.curves[0], label="GNI, every step")
            ax.plot(*rings[gni].center, "x", color=look.curves[0], ms=8, label="fitted center")
            ax.plot(0, 0, "+", color=look.curves[1], ms=12, mew=2, label="center of the table")
            ax.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
            da.plots.finish(ax, look, f"contact point, h = {H:g} s, {steps:,} steps", "beside")
        return fig

    picture = Picture(
        "",
        "The points of all 10,000 steps cover the exact circle; none leaves it.",
        "Path of the contact point: a closed circle beside the center of the table",
        draw,
        narrow=True,
    )
    motion = Motion(
        "The ball rolls on the turning table and keeps to its circle.",
        ball,
        {name: runs[name][: round(60 / H) + 1] for name in (gni, "RK4")},
    )
    return Outcome(claims, [table], [picture], motions=[motion])


def _two_point_start(ball: da.System, steps: int) -> da.Trajectory:
    """Run from the element (q0, q1, exp(h omega_0)) with q1 = q0 + h v0."""
    q, v = ball.initial()
    g = (q, q + H * v[:2], da.SO(3).cay(H * v[2:]))
    return da.simulate(ball, da.GNI(), q, q1=g, h=H, steps=steps)


def _drift(q: np.ndarray) -> float:
    """Return how far the fitted center moves from the first tenth of a run to the last."""
    n = len(q) // 10
    return math.dist(
        da.diagnostics.fit_circle(q[:n]).center, da.diagnostics.fit_circle(q[-n:]).center
    )
