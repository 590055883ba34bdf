"""Plot a hybrid run: coordinates, velocities and energy over shaded modes, with its jumps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..errors import UsageError
from ..names import math_symbol
from ..results import HybridTrajectory
from ..results.labels import coordinate_table, velocity_labels, velocity_units
from .panels import grouped, rate, with_unit
from .style import THEMES, Theme, figure, frame, legend_inside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..hybrid import Modes

_MOST_LINES = 60  # of more jumps than this, only the first ones are marked by a line


def modes_overview(modes: Modes, run: HybridTrajectory, *, theme: str, title: str) -> Figure:
    """Plot a hybrid run; `plots.overview` calls this."""
    from .. import hybrid

    if not isinstance(modes, hybrid.Modes):
        raise UsageError(
            f"a picture of a hybrid run needs its modes, overview(modes, run); got {modes!r}"
        )
    if len(run) < 2:
        raise UsageError("an overview shows a run of two rows or more")
    E = hybrid.energy(modes, run)
    names, units, q = coordinate_table(run)
    system = (modes.met(run.modes) if hasattr(modes, "met") else modes).system(run.modes[0])
    v = np.asarray(run.v)
    rates = [rate(x) for x in units] if len(units) == v.shape[1] else velocity_units(system)
    drawn = [
        *_by_size(q, names, units, "coordinate"),
        *_by_size(v, velocity_labels(run), rates, "velocity"),
        (E[:, None], ["energy"], "energy: what a jump takes is a step", with_unit("energy", "J")),
    ]
    columns = 1 if len(drawn) < 4 else 2 if len(drawn) < 9 else 3
    rows = -(-len(drawn) // columns)
    size = (8.4 if columns == 1 else 5.4 * columns, min(2.5, 9.0 / rows) * rows)
    with figure(theme, size) as fig:
        look = THEMES[theme]
        axes = fig.subplots(rows, columns, sharex=True, squeeze=False).ravel()
        for ax, (values, labels, heading, ylabel) in zip(axes, drawn, strict=False):
            _curves(ax, look, run, values, [math_symbol(x) for x in labels])
            _shade(ax, look, run, legend=ax is axes[0])
            frame(ax, heading, legend=ax is not axes[len(drawn) - 1])
            if columns > 1:
                legend_inside(ax)
            ax.set_ylabel(ylabel)
        for ax in axes[len(drawn) - columns : len(drawn)]:  # the lowest panel of each column
            ax.set_xlabel(with_unit("t", "s"))
            ax.tick_params(labelbottom=True)
        for ax in axes[len(drawn) :]:
            ax.remove()
        meta = run.meta
        fig.suptitle(title or f"{meta.system}, {meta.method}, h = {meta.h:g}")
        lines = [f"{len(run.jumps)} jumps", *run.warnings]
        color = look.curves[1] if run.warnings else look.muted
        fig.supxlabel("\n".join(x[:110] for x in lines), fontsize=9, color=color)
    return fig


def _by_size(
    values: np.ndarray, names: Sequence[str], units: Sequence[str], what: str
) -> Iterator[tuple[np.ndarray, list[str], str, str]]:
    """Yield the groups of columns that share a panel, with their names, a title and a label."""
    units = units if len(units) == values.shape[1] else ("",) * values.shape[1]
    plural = what.replace("ity", "itie") + "s"
    for columns in grouped(values, units) if values.shape[1] else ():
        named = [names[i] for i in columns]
        yield values[:, columns], named, plural, with_unit(what, units[columns[0]])


def _curves(
    ax: Axes, look: Theme, run: HybridTrajectory, values: np.ndarray, labels: Sequence[str]
) -> None:
    ends = [*(int(x) + 1 for x in run.jumps.row), len(run)]
    for i, label in enumerate(labels):
        begin = 0
        for end in ends:  # no line across a jump
            name = label if begin == 0 else None
            color = look.curves[i % len(look.curves)]
            part = slice(begin, end)
            ax.plot(run.t[part], values[part, i], color=color, lw=1.2, label=name)
            begin = end


def _shade(ax: Axes, look: Theme, run: HybridTrajectory, legend: bool) -> None:
    """Shade the modes behind the curves, and draw a line at each jump."""
    seen = set()
    changes = np.flatnonzero(np.diff(run.mode) != 0) + 1
    starts = [0, *changes.tolist()]
    for a, b in zip(starts, [*changes.tolist(), len(run)]):
        i = int(run.mode[a])
        named = legend and i not in seen and len(run.modes) > 1
        seen.add(i)
        color = look.curves[-2 - i % (len(look.curves) - 2)]
        label = f"mode {run.modes[i]}" if named else None
        ax.axvspan(run.t[a], run.t[b - 1], color=color, alpha=0.12, lw=0, zorder=0, label=label)
    for t in run.jumps.t[:_MOST_LINES]:
        ax.axvline(t, color=look.muted, lw=0.7, ls=":", zorder=1)
