"""Plots of control: a plan carried out, and reachable sets with their verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..errors import UsageError
from .panels import coordinates, matrix, path, vector, with_unit
from .style import canvas, figure, finish

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def controlled(
    t: ArrayLike,
    q: ArrayLike,
    u: ArrayLike,
    *,
    path_xy: ArrayLike | None = None,
    target: ArrayLike | None = None,
    switches: Sequence[float] = (),
    names: Sequence[str] = (),
    units: Sequence[str] = (),
    input_names: Sequence[str] = (),
    input_units: Sequence[str] = (),
    title: str = "",
    theme: str = "light",
) -> Figure:
    """Plot a controlled motion: its path with the target, the inputs, and the coordinates.

    `switches` are times to mark, where one part of a plan ends and the next begins.
    """
    t, q, u = vector("t", t), matrix("q", q), matrix("u", u)
    with figure(theme, (10.0, 6.2 if path_xy is not None else 6.0)) as fig:
        grid = fig.add_gridspec(2, 2 if path_xy is not None else 1)
        if path_xy is not None:
            ax = fig.add_subplot(grid[:, 0])
            path(path_xy, units=("m", "m"), title="path", ax=ax, theme=theme)
            if target is not None:
                x, y = np.asarray(target, dtype=float)[:2]
                ax.plot(x, y, "x", color="#d55e00", ms=11, mew=2, label="target", zorder=4)
                ax.legend(loc="best", frameon=False)
        above = fig.add_subplot(grid[0, -1])
        coordinates(
            t, u, names=input_names, units=input_units, ylabel="input", title="inputs", ax=above,
            theme=theme,
        )  # fmt: skip
        below = fig.add_subplot(grid[1, -1])
        coordinates(t, q, names=names, units=units, title="coordinates", ax=below, theme=theme)
        for ax in (above, below):
            for s in switches:
                ax.axvline(s, color="#8a8a8a", lw=0.7, ls=":", zorder=1)
        if title:
            fig.suptitle(title)
    return fig


def reachable(
    points: ArrayLike,
    start: ArrayLike,
    *,
    names: Sequence[str] = ("x", "y"),
    units: Sequence[str] = (),
    title: str = "",
    verdict: str = "",
    theme: str = "light",
) -> Figure:
    """Plot the final points reached by random controls, in each pair of neighboring coordinates.

    `verdict`, a text such as the result of the theory, is written below the plot.
    """
    points, start = matrix("points", points), vector("start", start)
    n = points.shape[1]
    if n < 2 or len(start) != n:
        raise UsageError(
            f"points need at least 2 coordinates, and a start of the same shape; got {n}"
        )
    names = list(names) if len(names) == n else [f"q{i + 1}" for i in range(n)]
    units = list(units) if len(units) == n else [""] * n
    pairs = [(0, 1)] if n == 2 else [(0, 1), (1, 2), (0, 2)]
    with canvas(theme, (3.4 * len(pairs), 3.7), columns=len(pairs), squeeze=False) as made:
        fig, axes, look = made
        for (i, j), ax in zip(pairs, axes[0]):
            dots = {"ms": 2.5, "mew": 0, "alpha": 0.6}
            ax.plot(points[:, i], points[:, j], ".", color=look.curves[0], **dots)
            ax.plot(start[i], start[j], "+", color=look.curves[1], ms=13, mew=2)
            ax.set(xlabel=with_unit(names[i], units[i]), ylabel=with_unit(names[j], units[j]))
            finish(ax, look, f"{names[i]}, {names[j]}")
        if title:
            fig.suptitle(title)
        if verdict:
            fig.supxlabel(verdict, fontsize=9, color=look.ink)
    return fig


__all__ = ["controlled", "reachable"]
