"""Plots of ensembles: the final states of the members."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import UsageError
from ..results import Ensemble
from ..results.labels import coordinate_labels, named_leaves
from .style import canvas, finish

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST = 6


def end_columns(many: Ensemble) -> list[tuple[str, np.ndarray]]:
    """Return the final coordinates, with names and units, of the members that reached the end."""
    good = np.flatnonzero(np.asarray(many.result) == 0)
    columns: list[tuple[str, np.ndarray]] = []
    known = coordinate_labels(many)
    for name, leaf in named_leaves("q", many.q):
        last = np.asarray(leaf[:, -1])[good].reshape(len(good), -1)
        names, units = known.get(name, ((), ()))
        for i in range(last.shape[1]):
            label = names[i] if i < len(names) else f"{name}[{i}]"
            unit = f" [{units[i]}]" if i < len(units) else ""
            columns.append((label + unit, last[:, i]))
    return columns


def ends(many: Ensemble, theme: str = "light") -> Figure:
    """Plot histograms of the first six final coordinates of the members that reached the end."""
    good = np.flatnonzero(np.asarray(many.result) == 0)
    if not len(good):
        raise UsageError("no member reached the end: there is nothing to draw")
    columns = end_columns(many)[:_MOST]
    wide = min(len(columns), 3)
    high = -(-len(columns) // wide)
    with canvas(theme, (3.4 * wide, 2.9 * high), high, wide, squeeze=False) as (fig, axes, look):
        for ax, (label, x) in zip(axes.ravel(), columns):
            bins = min(60, max(10, round(np.sqrt(len(x)))))
            ax.hist(x, bins=bins, color=look.curves[0])
            ax.set(xlabel=label, ylabel="members")
            finish(ax, look, "")
        for ax in axes.ravel()[len(columns) :]:
            ax.set_visible(False)
        ended = np.unique(np.asarray(many.ended)[good])
        when = f"at t = {ended[0]:.4g} s" if len(ended) == 1 else "at their ends"
        fig.suptitle(f"{many.meta.system}: {len(good)} of {len(many)} members {when}")
    return fig


__all__ = ["end_columns", "ends"]
