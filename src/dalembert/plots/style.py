"""The style of all plots: themes, new figures and axes, saving to files.

Figures are made without pyplot, so that no window opens and no global state changes.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import functools
import importlib.util
import io
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, unknown_name
from ..files import check_writable, replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
_FLAT = 1e-9  # relative to the largest value: a smaller variation is drawn as a constant


@dataclasses.dataclass(frozen=True)
class Theme:
    """Colors of a plot; the curve colors are those of Okabe and Ito, safe for color blindness."""

    background: str
    ink: str
    muted: str
    grid: str
    curves: tuple[str, ...]


THEMES = {
    "light": Theme(
        background="#ffffff",
        ink="#1a1a1a",
        muted="#5c5c5c",
        grid="#e4e4e4",
        # Their yellow is left out because it is too pale on white; black comes last.
        curves=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"),
    ),
    "dark": Theme(
        background="#14171c",
        ink="#ececec",
        muted="#a3a9b3",
        grid="#2c323b",
        curves=("#56b4e9", "#e69f00", "#2fbf93", "#e08fbc", "#f0e442", "#f0743a", "#ffffff"),
    ),
}


# -- custom figures ------------------------------------------------------------------------------


@contextlib.contextmanager
def canvas(
    theme: str,
    size: tuple[float, float] = (6.4, 3.8),
    rows: int = 1,
    columns: int = 1,
    **options: Any,
) -> Iterator[tuple[Figure, Any, Theme]]:
    """Yield (figure, axes, theme). Axes are one or an array; options are those of `subplots`.

    with plots.canvas("light", columns=2) as (fig, (left, right), look):
        left.plot(t, x, color=look.curves[0])
        plots.finish(left, look, "a title", legend="best")
    """
    with figure(theme, size) as fig:
        axes = fig.subplots(rows, columns, **options)
        yield fig, axes, THEMES[theme]


def finish(ax: Axes, look: Theme, title: str = "", legend: str = "") -> None:
    """Add grid, title and legend to axes that were drawn on directly.

    `legend` is a place inside ("best", "upper left", ...), "beside", "above", or none.
    """
    ax.grid(True, which="major")
    ax.set_axisbelow(True)
    _flatten_round_off(ax)
    if title:
        ax.set_title(title)
    handles, labels = ax.get_legend_handles_labels()
    if not legend or not labels:
        return
    if legend == "beside":
        place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
    elif legend == "above":
        # on the right, because the title is on the left
        place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": 4}
        place |= {"borderaxespad": 0.1, "columnspacing": 1.2, "handlelength": 1.5}
    else:
        place = {"loc": legend}
    box = {"frameon": legend not in ("beside", "above"), "framealpha": 0.85}
    ax.legend(handles, labels, facecolor=look.background, edgecolor="none", **box, **place)


def save(fig: Figure, path: str | os.PathLike[str], *, dpi: int = 200) -> None:
    """Write a figure to `.png`, `.svg` or `.pdf`; an existing file is replaced atomically."""
    target = check_writable(path, FORMATS)
    _require_matplotlib()
    import matplotlib

    # Text remains text, and the same figure gives the same file.
    options: Any = {"svg.fonttype": "none", "svg.hashsalt": "dalembert", "pdf.fonttype": 42}
    stamps = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    suffix = target.suffix.lower()
    with replacing(target) as temporary, matplotlib.rc_context(options):
        fig.savefig(temporary, format=suffix[1:], dpi=dpi, metadata=stamps.get(suffix))


# -- for the other modules of the folder ---------------------------------------------------------


def _require_matplotlib() -> None:
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError('pictures need matplotlib: pip install "dalembert[plots]"')


_PAPER: dict[str, Any] = {
    "axes.titlesize": 0.1,  # a paper has captions
    "axes.titlecolor": "none",
    "axes.labelsize": 8,
    "font.size": 8,
    "legend.fontsize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "figure.titlesize": 0.1,
    "lines.linewidth": 1.0,
    "axes.linewidth": 0.6,
}
COLUMN = 3.4  # inches: the column width of a two-column journal
_STYLES = ("screen", "paper")
_style_now = contextvars.ContextVar("style", default="screen")


class _Chosen:
    """A style that is in effect from now on, or only inside a `with` block."""

    def __init__(self, name: str) -> None:
        self.token = _style_now.set(name)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        _style_now.reset(self.token)


def style(name: str) -> _Chosen:
    """Choose the style of figures: "screen", or "paper" for a column of a journal.

    "paper" has panels of 3.4 inches, text of 8 points and no titles, because papers have captions.

        with plots.style("paper"):
            fig = plots.overview(system, traj, panels=["path"])

    Without `with` it is in effect until another style is chosen. Save as `.pdf`: text remains text.
    """
    if name not in _STYLES:
        raise unknown_name("style", name, _STYLES)
    return _Chosen(name)


@contextlib.contextmanager
def _style(theme: str) -> Iterator[Theme]:
    if theme not in THEMES:
        raise unknown_name("theme", theme, THEMES)
    _require_matplotlib()
    import matplotlib

    look = THEMES[theme]
    options: Any = {
        "figure.facecolor": look.background,
        "axes.facecolor": look.background,
        "axes.edgecolor": look.muted,
        "axes.labelcolor": look.ink,
        "axes.titlecolor": look.ink,
        "axes.formatter.limits": (-3, 4),
        "axes.formatter.use_mathtext": True,
        "axes.formatter.useoffset": False,
        "axes.linewidth": 0.8,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.titlesize": 10.5,
        "axes.titleweight": "bold",
        "axes.labelsize": 10,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 10,
        "grid.color": look.grid,
        "grid.linewidth": 0.7,
        "legend.fontsize": 9,
        "legend.labelcolor": look.ink,
        "lines.solid_joinstyle": "round",
        "text.color": look.ink,
        "xtick.color": look.muted,
        "xtick.labelcolor": look.ink,
        "xtick.labelsize": 9,
        "ytick.color": look.muted,
        "ytick.labelcolor": look.ink,
        "ytick.labelsize": 9,
        "figure.titlesize": 12,
        "figure.titleweight": "bold",
    }
    if _style_now.get() == "paper":
        options |= _PAPER
    with matplotlib.rc_context(options):
        yield look


@contextlib.contextmanager
def figure(theme: str, size: tuple[float, float]) -> Iterator[Figure]:
    """Yield a new figure in the theme."""
    with _style(theme):
        if _style_now.get() == "paper":  # the width of journal columns, same aspect ratio
            width = COLUMN if size[0] < 8 else 2 * COLUMN + 0.25
            size = (width, width * size[1] / size[0])
        yield _shown_in_cells()(figsize=size, layout="constrained")


@functools.cache
def _shown_in_cells() -> type[Figure]:
    """Return a figure class that notebooks display as the value of a cell.

    Without pyplot, a figure has no such display by itself.
    """
    from matplotlib.figure import Figure

    class Shown(Figure):
        def _repr_png_(self) -> bytes:
            buffer = io.BytesIO()
            self.savefig(buffer, format="png", dpi=110)
            return buffer.getvalue()

    Shown.__name__ = Shown.__qualname__ = "Figure"
    return Shown


@contextlib.contextmanager
def panel(
    theme: str, ax: Axes | None, size: tuple[float, float] = (6.4, 3.4)
) -> Iterator[tuple[Axes, Theme]]:
    """Yield axes to draw on, in the theme: those given, or those of a new figure."""
    with _style(theme) as look:
        if ax is None:
            with figure(theme, size) as fig:
                yield fig.subplots(), look
        else:
            yield ax, look


def figure_of(ax: Axes) -> Figure:
    """Return the figure that axes belong to."""
    result = ax.get_figure(root=True)
    assert result is not None  # axes in use always belong to a figure
    return result


def _flatten_round_off(ax: Axes) -> None:
    """Widen axes whose values differ only by round-off, so that they show a flat line."""
    from matplotlib.ticker import AutoLocator

    for axis in (ax.xaxis, ax.yaxis):
        if type(axis.get_major_locator()) is AutoLocator:  # linear, and not set by the user
            axis.set_major_locator(_wide_locator()())


@functools.cache
def _wide_locator() -> type[Any]:
    """Return Matplotlib's locator with wider limits for values that differ only by round-off.

    The limits are those of a constant, 5 % to both sides. Autoscaling remains on, so that a curve
    which is drawn later is visible.
    """
    from matplotlib import ticker

    class AutoLocator(ticker.AutoLocator):
        def nonsingular(self, v0: float, v1: float) -> tuple[float, float]:
            size = max(abs(v0), abs(v1))
            if abs(v1 - v0) <= _FLAT * size < float("inf"):
                v0, v1 = min(v0, v1) - 0.05 * size, max(v0, v1) + 0.05 * size
            return super().nonsingular(v0, v1)

    return AutoLocator


def legend_inside(ax: Axes) -> None:
    """Move a legend beside the axes into them, so that columns of panels remain aligned."""
    beside = ax.get_legend()
    if beside is None:
        return
    handles, labels = ax.get_legend_handles_labels()
    beside.remove()
    look = {"frameon": True, "framealpha": 0.75, "edgecolor": "none", "borderpad": 0.2}
    small = {"fontsize": 8, "handlelength": 1.4, "columnspacing": 0.9, "labelspacing": 0.25}
    ax.legend(handles, labels, loc="best", ncols=2 if len(labels) > 4 else 1, **look, **small)


def frame(ax: Axes, title: str, legend: bool = False) -> None:
    """Add grid and title to a panel, and the legend beside it."""
    ax.grid(True)
    ax.set_axisbelow(True)
    ax.margins(x=0.02)
    _flatten_round_off(ax)
    if title:
        ax.set_title(title)
    if legend and ax.get_legend_handles_labels()[1]:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, borderaxespad=0.3)
