"""Draw the README's picture, docs/images/systems.png: `.venv/bin/python docs/picture.py`."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import dalembert as da
from dalembert import diagnostics

RUNS = (
    ("ball on a turntable", da.systems.BallOnTurntable(), 0.1, 160),
    ("Chaplygin ball on a turntable", da.systems.ChaplyginBall(), 0.01, 6000),
    ("Chaplygin sleigh", da.systems.ChaplyginSleigh(), 0.02, 700),
    ("rolling disk", da.systems.RollingDisk(), 0.005, 2400),
)


def main() -> None:
    """One panel for each run, colored by time."""
    figure = Figure(figsize=(13, 3.6), layout="constrained", dpi=110)
    for axes, (title, system, h, steps) in zip(figure.subplots(1, len(RUNS)), RUNS, strict=True):
        run = da.simulate(system, da.GNI(da.Midpoint()), h=h, steps=steps)
        x, y = np.asarray(diagnostics.path(system, run)).T
        axes.scatter(x, y, c=np.asarray(run.t), s=3, cmap="viridis", linewidths=0)
        axes.plot(x[0], y[0], "o", mfc="white", mec="black", ms=6)
        axes.set(title=title, xlabel="x [m]", ylabel="y [m]", aspect="equal")
        axes.margins(0.08)
        residual = float(np.max(diagnostics.constraint_residual(system, run)))
        print(f"{title}: {steps} steps, largest constraint residual {residual:.1e}")
    out = Path(__file__).resolve().parent / "images"
    out.mkdir(exist_ok=True)
    figure.savefig(out / "systems.png")


if __name__ == "__main__":
    main()
