"""Arrays -> pictures: paths, coordinates, errors, multipliers, and comparisons of runs.

Every function takes plain arrays with labels and units and returns a `matplotlib` figure, in the
theme "light" or "dark"; `overview` alone knows systems and trajectories. Figures are made without
pyplot, so no window and no global state is needed.

    fig = plots.overview(system, traj)
    plots.save(fig, "run.pdf")
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import diagnostics, dynamics
from .errors import UsageError, unknown_name
from .files import check_writable, replacing
from .results import Trajectory
from .results.labels import coordinate_table
from .system import System

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
FLOOR = 1e-17  # a residual of zero is drawn here on a logarithmic axis
_MAX_CURVES = 8  # more curves than this cannot be told apart by color


@dataclasses.dataclass(frozen=True)
class Theme:
    """Colors of a picture; the curves are those of Okabe and Ito, safe for color blindness."""

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
        # their yellow is too pale on white, black comes last
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
_DASHES = ("-", "--", "-.", ":")

# -- one panel -----------------------------------------------------------------------------------


def path(
    xy: Any,
    *,
    labels: Sequence[str] = ("x", "y"),
    units: Sequence[str] = (),
    title: str = "",
    theme: str = "light",
    ax: Axes | None = None,
) -> Figure:
    """The curve of (x, y) in the plane, both axes to the same scale, start and end marked."""
    xy = _matrix("xy", xy, columns=2)
    with _panel(theme, ax, (4.6, 4.2)) as (ax, look):
        ax.plot(xy[:, 0], xy[:, 1], color=look.curves[0], lw=1.2, zorder=2)
        marks = {"lw": 0, "ms": 7, "mew": 1.6, "zorder": 3, "clip_on": False}
        ax.plot(*xy[0], "o", mfc=look.background, mec=look.curves[0], label="start", **marks)
        ax.plot(*xy[-1], "s", mfc=look.curves[1], mec=look.background, label="end", **marks)
        unit = tuple(units) if len(units) == 2 else ("", "")
        ax.set_xlabel(_with_unit(labels[0], unit[0]))
        ax.set_ylabel(_with_unit(labels[1], unit[1]))
        ax.set_aspect("equal", adjustable="datalim")  # widens a path that is nearly a line
        _finish(ax, look, title, legend=True)
    return _figure_of(ax)


def coordinates(
    t: Any,
    values: Any,
    *,
    names: Sequence[str] = (),
    units: Sequence[str] = (),
    ylabel: str = "coordinate",
    time_unit: str = "s",
    title: str = "",
    theme: str = "light",
    ax: Axes | None = None,
) -> Figure:
    """Columns of `values` against time, each with its name and unit in the legend."""
    t, values = _vector("t", t), _matrix("values", values)
    with _panel(theme, ax) as (ax, look):
        _curves(ax, look, t, values, names, units)
        ax.set_xlabel(_with_unit("t", time_unit))
        common = set(units) if len(units) == values.shape[1] else set()
        ax.set_ylabel(_with_unit(ylabel, common.pop() if len(common) == 1 else ""))
        _finish(ax, look, title, legend=values.shape[1] > 0)
    return _figure_of(ax)


def multipliers(t: Any, multiplier: Any, *, title: str = "", **options: Any) -> Figure:
    """The multipliers of the constraints against time; options as for `coordinates`."""
    multiplier = _matrix("multiplier", multiplier)
    options.setdefault("names", [rf"$\lambda_{{{i + 1}}}$" for i in range(multiplier.shape[1])])
    options.setdefault("ylabel", "multiplier")
    return coordinates(t, multiplier, title=title, **options)


def energy_error(
    t: Any,
    error: Any,
    *,
    unit: str = "J",
    conserved: bool = True,
    time_unit: str = "s",
    title: str = "",
    theme: str = "light",
    ax: Axes | None = None,
) -> Figure:
    """E - E(0) against time; `conserved=False` says on the axis that it need not be zero."""
    t, error = _vector("t", t), _vector("error", error)
    with _panel(theme, ax) as (ax, look):
        ax.axhline(0.0, color=look.muted, lw=0.8, zorder=1)
        ax.plot(t, error, color=look.curves[0], lw=1.2)
        ax.set_xlabel(_with_unit("t", time_unit))
        ax.set_ylabel(_with_unit("energy error" if conserved else "energy change", unit))
        _finish(ax, look, title)
    return _figure_of(ax)


def constraint_residual(
    t: Any,
    residual: Any,
    *,
    unit: str = "",
    floor: float = FLOOR,
    time_unit: str = "s",
    title: str = "",
    theme: str = "light",
    ax: Axes | None = None,
) -> Figure:
    """The largest residual of the constraint against time, logarithmic; zeros are at `floor`."""
    t, residual = _vector("t", t), _vector("residual", residual)
    with _panel(theme, ax) as (ax, look):
        _residual_axis(ax, look, [(t, residual)], floor)
        ax.set_xlabel(_with_unit("t", time_unit))
        ax.set_ylabel(_with_unit("constraint residual", unit))
        _finish(ax, look, title)
    return _figure_of(ax)


# -- several panels ------------------------------------------------------------------------------


def overview(system: System, traj: Trajectory, *, theme: str = "light", title: str = "") -> Figure:
    """One run on a page: path, coordinates, velocities, multipliers, energy error, residual."""
    if traj.v.ndim != 2 or len(traj) < 2:
        raise UsageError("an overview shows one trajectory of two rows or more")
    t, meta = np.asarray(traj.t), traj.meta
    names, units, q = coordinate_table(traj)
    constraints = traj.multiplier.shape[1]
    velocity_names = meta.velocity_names if len(meta.velocity_names) == traj.v.shape[1] else ()
    conserved = dynamics.energy_is_conserved(system)
    flat: Any = {"theme": theme}

    def draw_path(ax):
        xy = np.asarray(diagnostics.path(system, traj))
        # named after the coordinates only where it shows them
        same = q.shape[1] >= 2 and np.array_equal(xy, q[:, :2], equal_nan=True)
        labels, unit = (names[:2], units[:2]) if same else (("x", "y"), ())
        path(xy, labels=labels, units=unit, title="path", ax=ax, **flat)

    def draw_q(ax):
        coordinates(t, q, names=names, units=units, title="coordinates", ax=ax, **flat)

    def draw_v(ax):
        labels = velocity_names or [f"$v_{{{i + 1}}}$" for i in range(traj.v.shape[1])]
        # on R^n the units of v follow from those of q
        rates = [_rate(u) for u in units] if len(units) == traj.v.shape[1] else ()
        options = {"names": labels, "units": rates, "ylabel": "velocity", "title": "velocities"}
        coordinates(t, traj.v, ax=ax, **options, **flat)

    def draw_energy(ax):
        error = diagnostics.energy_error(system, traj)
        name = "energy error" if conserved else "energy change (not conserved)"
        energy_error(t, error, conserved=conserved, title=name, ax=ax, **flat)

    def draw_residual(ax):
        residual = diagnostics.constraint_residual(system, traj)
        constraint_residual(t, residual, title="constraint residual", ax=ax, **flat)

    def draw_multipliers(ax):
        multipliers(t, traj.multiplier, title="multipliers", ax=ax, **flat)

    wanted = (
        (draw_path, q.shape[1] >= 2),
        (draw_q, q.shape[1] >= 1),  # matrices have no panel of their own: the velocities show them
        (draw_v, True),
        (draw_multipliers, constraints > 0),
        (draw_energy, True),
        (draw_residual, constraints > 0),
    )
    panels = [draw for draw, show in wanted if show]
    text = title or ", ".join(x for x in (meta.system, meta.method) if x)
    if np.isfinite(meta.h) and not title:
        text += f", h = {meta.h:g}"
    rows = -(-len(panels) // 2)
    with _figure(theme, (10.0, 2.9 * rows + 0.4)) as fig:
        axes = fig.subplots(rows, 2, squeeze=False).ravel()
        for draw, ax in zip(panels, axes, strict=False):
            draw(ax)
        for ax in axes[len(panels) :]:
            ax.remove()
        fig.suptitle(text)
    return fig


def compare(
    runs: Mapping[str, Mapping[str, Any]],
    *,
    energy_unit: str = "J",
    time_unit: str = "s",
    floor: float = FLOOR,
    title: str = "",
    theme: str = "light",
) -> Figure:
    """Several runs on the same axes: |energy error| above, constraint residual below.

    `runs` maps a label to arrays `t`, `energy_error` and `residual`.
    """
    if not runs:
        raise UsageError("nothing to compare: give at least one run")
    if len(runs) > _MAX_CURVES:
        raise UsageError(f"at most {_MAX_CURVES} runs can be told apart; got {len(runs)}")
    data = {
        label: {k: _vector(f"{k} of '{label}'", run[k]) for k in ("t", "energy_error", "residual")}
        for label, run in runs.items()
    }
    with _figure(theme, (7.2, 5.8)) as fig:
        look = THEMES[theme]
        above, below = fig.subplots(2, 1, sharex=True)
        for ax, key in ((above, "energy_error"), (below, "residual")):
            series = [(run["t"], np.abs(run[key])) for run in data.values()]
            # the first row has no energy error by definition: leave it out
            series = [(t[1:], e[1:]) for t, e in series] if key == "energy_error" else series
            _residual_axis(ax, look, series, floor, labels=list(data))
        above.set_ylabel(_with_unit("|energy error|", energy_unit))
        below.set_ylabel("constraint residual")
        below.set_xlabel(_with_unit("t", time_unit))
        _finish(above, look, title, legend=True)
        _finish(below, look, "")
    return fig


def save(fig: Figure, path: str | os.PathLike[str], *, dpi: int = 200) -> None:
    """Write a figure to `.png`, `.svg` or `.pdf`; an existing file is replaced when it is done."""
    target = check_writable(path, FORMATS)
    _require_matplotlib()
    import matplotlib

    # text stays text, and the same figure gives the same file
    options: Any = {"svg.fonttype": "none", "svg.hashsalt": "dalembert", "pdf.fonttype": 42}
    stamps = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    suffix = target.suffix.lower()
    with replacing(target) as temporary, matplotlib.rc_context(options):
        fig.savefig(temporary, format=suffix[1:], dpi=dpi, metadata=stamps.get(suffix))


# -- figures of one's own -----------------------------------------------------------------------


@contextlib.contextmanager
def canvas(
    theme: str,
    size: tuple[float, float] = (6.4, 3.8),
    rows: int = 1,
    columns: int = 1,
    **options: Any,
) -> Iterator[tuple[Figure, Any, Theme]]:
    """A figure in the theme with an array of axes, or the only ones; options as for `subplots`.

    with plots.canvas("light", columns=2) as (fig, (left, right), look):
        left.plot(t, x, color=look.curves[0])
        plots.finish(left, look, "a title", legend="best")
    """
    with _figure(theme, size) as fig:
        axes = fig.subplots(rows, columns, **options)
        yield fig, axes, THEMES[theme]


def finish(ax: Axes, look: Theme, title: str = "", legend: str = "") -> None:
    """Grid, title and legend of axes that were drawn on by hand.

    `legend` is a place inside ("best", "upper left", ...), "beside", "above", or none.
    """
    ax.grid(True, which="major")
    ax.set_axisbelow(True)
    if title:
        ax.set_title(title)
    handles, labels = ax.get_legend_handles_labels()
    if not legend or not labels:
        return
    if legend == "beside":
        place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
    elif legend == "above":
        # to the right: the title is on the left
        place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "ncols": 4}
        place |= {"borderaxespad": 0.1, "columnspacing": 1.2, "handlelength": 1.5}
    else:
        place = {"loc": legend}
    box = {"frameon": legend not in ("beside", "above"), "framealpha": 0.85}
    ax.legend(handles, labels, facecolor=look.background, edgecolor="none", **box, **place)


# -- drawing -------------------------------------------------------------------------------------


def _require_matplotlib() -> None:
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError('pictures need matplotlib: pip install "dalembert[plots]"')


@contextlib.contextmanager
def _style(theme: str) -> Iterator[Theme]:
    if theme not in THEMES:
        raise unknown_name("theme", theme, THEMES)
    _require_matplotlib()
    import matplotlib

    look = THEMES[theme]
    with matplotlib.rc_context(
        {
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
    ):
        yield look


@contextlib.contextmanager
def _figure(theme: str, size: tuple[float, float]) -> Iterator[Figure]:
    with _style(theme):
        from matplotlib.figure import Figure

        yield Figure(figsize=size, layout="constrained")


@contextlib.contextmanager
def _panel(
    theme: str, ax: Axes | None, size: tuple[float, float] = (6.4, 3.4)
) -> Iterator[tuple[Axes, Theme]]:
    """The axes to draw on, in the theme: those given, or the only ones of a new figure."""
    with _style(theme) as look:
        if ax is None:
            with _figure(theme, size) as fig:
                yield fig.subplots(), look
        else:
            yield ax, look


def _figure_of(ax: Axes) -> Figure:
    figure = ax.get_figure(root=True)
    assert figure is not None  # axes to draw on belong to a figure
    return figure


def _curves(
    ax: Axes,
    look: Theme,
    t: np.ndarray,
    values: np.ndarray,
    names: Sequence[str],
    units: Sequence[str],
) -> None:
    count = values.shape[1]
    names = list(names) if len(names) == count else [str(i) for i in range(count)]
    mixed = len(units) == count and len(set(units)) > 1
    for i in range(count):
        label = _with_unit(names[i], units[i]) if mixed else names[i]
        ax.plot(t, values[:, i], label=label, **_line(look, i))


def _line(look: Theme, i: int) -> dict[str, Any]:
    """Color and dashes of curve i: dashes change when the colors start again."""
    n = len(look.curves)
    return {"color": look.curves[i % n], "ls": _DASHES[(i // n) % len(_DASHES)], "lw": 1.2}


def _residual_axis(
    ax: Axes,
    look: Theme,
    series: Sequence[tuple[np.ndarray, np.ndarray]],
    floor: float,
    labels: Sequence[str] = (),
) -> None:
    """Curves on a logarithmic axis that starts at `floor`, which is named if a curve is there."""
    clipped = False
    top = 10 * floor
    for i, (t, values) in enumerate(series):
        low = values <= floor
        clipped = clipped or bool(np.any(low))
        finite = values[np.isfinite(values)]
        top = max(top, float(finite.max())) if finite.size else top
        line = _line(look, i)
        # a line down to the floor and back at every zero would hide the rest: draw points there
        # (and points on the curve, else a value between two zeros would not show at all)
        dots = {"marker": ".", "ms": 3, "mew": 0} if np.any(low) else {}
        label = labels[i] if labels else None
        ax.plot(t, np.where(low, np.nan, values), label=label, **line, **dots)
        ax.plot(t[low], np.full(low.sum(), floor), ".", color=line["color"], ms=3, mew=0)
    ax.set_yscale("log")
    if clipped:
        ax.set_ylim(floor / 10, 10 * top)  # room for the note below the floor
        ax.axhline(floor, color=look.muted, lw=0.8, ls=":", zorder=1)
        ax.annotate(
            f"at most {floor:g}",
            (1.0, floor),
            xycoords=("axes fraction", "data"),
            xytext=(0, -3),
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize=9,
            color=look.muted,
        )


def _finish(ax: Axes, look: Theme, title: str, legend: bool = False) -> None:
    ax.grid(True)
    ax.set_axisbelow(True)
    ax.margins(x=0.02)
    if title:
        ax.set_title(title)
    if legend and ax.get_legend_handles_labels()[1]:
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, borderaxespad=0.3)


def _with_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit and unit != "1" else name


def _rate(unit: str) -> str:
    return "1/s" if unit in ("", "1") else f"{unit}/s"


def _vector(name: str, values: Any) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if array.ndim != 1 or not array.size:
        raise UsageError(f"{name} must be a non-empty series of numbers; got shape {array.shape}")
    return array


def _matrix(name: str, values: Any, columns: int | None = None) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if array.ndim != 2 or not array.shape[0] or columns not in (None, array.shape[1]):
        wanted = "rows" if columns is None else f"rows of {columns} numbers"
        raise UsageError(f"{name} must have {wanted}, one for each time; got shape {array.shape}")
    return array
