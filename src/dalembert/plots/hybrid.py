"""Plot a hybrid run: coordinates, velocities and energy over shaded modes, with its jumps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..errors import UsageError
from ..results import HybridTrajectory
from ..results.labels import coordinate_table, velocity_labels
from .panels import with_unit
from .style import THEMES, Theme, figure, frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..hybrid import Modes

_MOST_LINES = 60  # only the first jumps are marked by a line


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
    with figure(theme, (8.4, 7.4)) as fig:
        look = THEMES[theme]
        axes = fig.subplots(3, 1, sharex=True)
        for ax, values, labels, heading in (
            (axes[0], q, names, "coordinates"),
            (axes[1], run.v, velocity_labels(run), "velocities"),
            (axes[2], E[:, None], ["energy"], "energy: what a jump takes is a step"),
        ):
            _curves(ax, look, run, np.asarray(values), labels)
            _shade(ax, look, run, legend=ax is axes[0])
            frame(ax, heading, legend=ax is not axes[2])
        common = set(units) if len(units) == q.shape[1] else set()
        axes[0].set_ylabel(with_unit("coordinate", common.pop() if len(common) == 1 else ""))
        axes[1].set_ylabel("velocity")
        axes[2].set_ylabel(with_unit("energy", "J"))
        axes[2].set_xlabel(with_unit("t", "s"))
        meta = run.meta
        fig.suptitle(title or f"{meta.system}, {meta.method}, h = {meta.h:g}")
        told = [f"{len(run.jumps)} jumps", *run.warnings]
        color = look.curves[1] if run.warnings else look.muted
        fig.supxlabel("\n".join(x[:110] for x in told), fontsize=9, color=color)
    return fig


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
