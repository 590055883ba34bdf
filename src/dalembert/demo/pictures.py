"""The pictures of the demo, each in a light and a dark version."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .. import plots
from ..diagnostics import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from . import SleighStory

_SHOWN_LOOP = 12.0  # s of the sleigh's path; after that it runs straight


def draw_all(
    balls: Comparison, sleighs: Comparison, story: SleighStory, folder: Path
) -> dict[str, dict[str, Path]]:
    """Write every picture; returns {name: {theme: path}}."""
    makers: dict[str, Callable[[str], Figure]] = {
        "ball-ring": lambda theme: ring(balls, theme),
        "ball-errors": lambda theme: plots.comparison(balls, theme=theme),
        "sleigh-path": lambda theme: sleigh_path(sleighs, story, theme),
        "sleigh-errors": lambda theme: sleigh_errors(sleighs, story, theme),
    }
    drawn: dict[str, dict[str, Path]] = {}
    for name, make in makers.items():
        for theme in plots.THEMES:
            path = folder / f"{name}{'' if theme == 'light' else f'-{theme}'}.png"
            plots.save(make(theme), path, dpi=110)
            drawn.setdefault(name, {})[theme] = path
    return drawn


def ring(found: Comparison, theme: str) -> Figure:
    """Plot where the ball touches the table, at all steps of GNI."""
    q = np.asarray(found["gni-midpoint"].done.q)
    fig = plots.path(
        q, units=("m", "m"), theme=theme, title=f"the ball's path: gni-midpoint, {len(q) - 1} steps"
    )
    look, ax = plots.THEMES[theme], fig.axes[0]
    center = 0.5 * (q.max(axis=0) + q.min(axis=0))
    ax.plot(*center, "+", color=look.muted, ms=9, label="center")
    _legend(ax, look)
    return fig


def sleigh_path(found: Comparison, story: SleighStory, theme: str) -> Figure:
    """Plot the loop of the knife edge: the exact one, and the points of the methods."""
    rows = story.t <= _SHOWN_LOOP
    fig = plots.path(
        story.exact[rows, :2], units=("m", "m"), theme=theme, title="the sleigh's path, first 12 s"
    )
    look, ax = plots.THEMES[theme], fig.axes[0]
    ax.lines[0].set(label="exact", color=look.muted, lw=4, alpha=0.45)
    for i, (run, mark) in enumerate(zip(found.runs[:4], "sox^", strict=True)):
        # The methods take turns, so that each is visible.
        q = np.asarray(run.done.q)[rows][3 * i :: 12, :2]
        style = {"color": look.curves[i], "mfc": "none", "ms": 5.5, "mew": 1.3, "zorder": 3}
        ax.plot(q[:, 0], q[:, 1], mark, label=run.method, **style)
    _legend(ax, look)
    return fig


def sleigh_errors(found: Comparison, story: SleighStory, theme: str) -> Figure:
    """Plot the distance from the closed form, and the constraint residual."""
    curves = {run.method: (story.t, story.distance[run.method], run.residual) for run in found.runs}
    halved = (story.halved_t, story.halved_distance, story.halved_residual)
    curves["gni-midpoint, h/2"] = halved
    title = f"{found.system.name()}, h = {found.h:g}"
    return plots.envelopes(curves, "distance from the exact path [m]", theme=theme, title=title)


def _legend(ax: Axes, look: plots.Theme) -> None:
    place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.3}
    ax.legend(frameon=False, fontsize=9, labelcolor=look.ink, **place)
