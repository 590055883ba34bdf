"""Plots with one panel: a path, series against time, errors on a logarithmic axis."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..errors import UsageError
from ..names import math_symbol
from .style import Theme, figure_of, frame, panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FLOOR = 1e-17  # a residual of zero is drawn here on a logarithmic axis
_DASHES = ("-", "--", "-.", ":")
_APART = 10.0  # columns whose sizes differ by more than this factor get separate axes
_MOST_SIZES = 3  # largest number of separate axes for one unit
_NEAR = 0.005  # fraction of a panel's height: closer curves cover each other, so they are dashed


class Options(TypedDict, total=False):
    """Optional arguments of `coordinates` and `multipliers`."""

    names: Sequence[str]
    units: Sequence[str]
    ylabel: str
    time_unit: str
    theme: str
    ax: Axes | None


def path(
    xy: ArrayLike,
    *,
    labels: Sequence[str] = ("x", "y"),
    units: Sequence[str] = (),
    title: str = "",
    theme: str = "light",
    ax: Axes | None = None,
) -> Figure:
    """Plot the curve (x, y) in the plane, with equal scales, and its start and end marked."""
    xy = matrix("xy", xy, columns=2)
    with panel(theme, ax, (4.6, 4.2)) as (ax, look):
        ax.plot(xy[:, 0], xy[:, 1], color=look.curves[0], lw=1.2, zorder=2)
        marks = {"lw": 0, "ms": 7, "mew": 1.6, "zorder": 3, "clip_on": False}
        ax.plot(*xy[0], "o", mfc=look.background, mec=look.curves[0], label="start", **marks)
        ax.plot(*xy[-1], "s", mfc=look.curves[1], mec=look.background, label="end", **marks)
        unit = tuple(units) if len(units) == 2 else ("", "")
        ax.set_xlabel(with_unit(labels[0], unit[0]))
        ax.set_ylabel(with_unit(labels[1], unit[1]))
        ax.set_aspect("equal", adjustable="datalim")  # widens a path that is nearly a line
        frame(ax, title, legend=True)
    return figure_of(ax)


def coordinates(
    t: ArrayLike,
    values: ArrayLike,
    *,
    names: Sequence[str] = (),
    units: Sequence[str] = (),
    ylabel: str = "coordinate",
    time_unit: str = "s",
    title: str = "",
    theme: str = "light",
    ax: Axes | None = None,
) -> Figure:
    """Plot columns of `values` against time, each with its name and unit in the legend."""
    t, values = vector("t", t), matrix("values", values)
    with panel(theme, ax) as (ax, look):
        _curves(ax, look, t, values, names, units)
        ax.set_xlabel(with_unit("t", time_unit))
        common = set(units) if len(units) == values.shape[1] else set()
        ax.set_ylabel(with_unit(ylabel, common.pop() if len(common) == 1 else ""))
        frame(ax, title, legend=values.shape[1] > 0)
    return figure_of(ax)


def multipliers(
    t: ArrayLike, multiplier: ArrayLike, *, title: str = "", **options: Unpack[Options]
) -> Figure:
    """Plot the multipliers of the constraints against time; options as for `coordinates`."""
    multiplier = matrix("multiplier", multiplier)
    options.setdefault("names", [rf"$\lambda_{{{i + 1}}}$" for i in range(multiplier.shape[1])])
    options.setdefault("ylabel", "multiplier")
    return coordinates(t, multiplier, title=title, **options)


def energy_error(
    t: ArrayLike,
    error: ArrayLike,
    *,
    unit: str = "J",
    conserved: bool = True,
    work: ArrayLike | None = None,
    time_unit: str = "s",
    title: str = "",
    theme: str = "light",
    ax: Axes | None = None,
) -> Figure:
    """Plot E - E(0) against time; `conserved=False` says on the axis that it need not be zero.

    `work`, such as `diagnostics.work(system, traj)`, is drawn in the same axes with dashes.
    """
    t, error = vector("t", t), vector("error", error)
    with panel(theme, ax) as (ax, look):
        ax.axhline(0.0, color=look.muted, lw=0.8, zorder=1)
        named = "energy change" if work is not None else None
        ax.plot(t, error, color=look.curves[0], lw=1.2, label=named)
        if work is not None:
            done = vector("work", work)
            ax.plot(t, done, color=look.curves[1], lw=1.2, ls="--", label="work of forces")
        ax.set_xlabel(with_unit("t", time_unit))
        ax.set_ylabel(with_unit("energy error" if conserved else "energy change", unit))
        frame(ax, title, legend=work is not None)
    return figure_of(ax)


def constraint_residual(
    t: ArrayLike,
    residual: ArrayLike,
    *,
    unit: str = "",
    floor: float = FLOOR,
    ylabel: str = "constraint residual",
    time_unit: str = "s",
    title: str = "",
    theme: str = "light",
    ax: Axes | None = None,
) -> Figure:
    """Plot the largest constraint residual against time, logarithmic.

    Zeros are drawn at `floor`.
    """
    t, residual = vector("t", t), vector("residual", residual)
    with panel(theme, ax) as (ax, look):
        residual_axis(ax, look, [(t, residual)], floor)
        ax.set_xlabel(with_unit("t", time_unit))
        ax.set_ylabel(with_unit(ylabel, unit))
        frame(ax, title)
    return figure_of(ax)


# -- drawing ------------------------------------------------------------------------------------


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
    near = _NEAR * np.ptp(np.where(np.isfinite(values), values, 0.0))
    for i in range(count):
        name = math_symbol(names[i])
        label = with_unit(name, units[i]) if mixed else name
        covers = any(np.all(np.abs(values[:, i] - values[:, j]) <= near) for j in range(i))
        ax.plot(t, values[:, i], label=label, **line_of(look, i, dashed=covers))


def line_of(look: Theme, i: int, *, dashed: bool = False) -> dict[str, Any]:
    """Return color and dashes of curve i; dashes change when the colors repeat.

    Runs that may coincide are `dashed`: each has its own dashes besides its color.
    """
    n = len(look.curves)
    dashes = _DASHES[(i if dashed else i // n) % len(_DASHES)]
    return {"color": look.curves[i % n], "ls": dashes, "lw": 1.2}


def residual_axis(
    ax: Axes,
    look: Theme,
    series: Sequence[tuple[np.ndarray, np.ndarray]],
    floor: float,
    labels: Sequence[str] = (),
) -> None:
    """Draw curves on a logarithmic axis that starts at `floor`, with a note if a curve is there."""
    clipped = False
    top = 10 * floor
    for i, (t, values) in enumerate(series):
        low = values <= floor
        clipped = clipped or bool(np.any(low))
        finite = values[np.isfinite(values)]
        top = max(top, float(finite.max())) if finite.size else top
        line = line_of(look, i, dashed=bool(labels))
        # A line down to the floor and back at every zero would hide the rest, so draw points there
        # (and points on the curve, else a value between two zeros would be invisible).
        dots = {"marker": ".", "ms": 3, "mew": 0} if np.any(low) else {}
        label = labels[i] if labels else None
        ax.plot(t, np.where(low, np.nan, values), label=label, **line, **dots)
        ax.plot(t[low], np.full(low.sum(), floor), ".", color=line["color"], ms=3, mew=0)
    ax.set_yscale("log")
    if clipped:
        room = max(10.0, (10 * top / floor) ** 0.2)  # for the note below the floor
        ax.set_ylim(floor / room, 10 * top)
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


def draw_paths(
    ax: Axes, look: Theme, paths: dict[str, np.ndarray], order: Sequence[str], unit: str = ""
) -> None:
    """Draw the paths of runs in the plane, in the colors that the runs have in other panels."""
    for name, xy in paths.items():
        line = line_of(look, order.index(name), dashed=True)
        ax.plot(xy[:, 0], xy[:, 1], **line)
        ax.plot(*xy[-1], "s", color=line["color"], ms=4)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(with_unit("x", unit))
    ax.set_ylabel(with_unit("y", unit))
    frame(ax, "paths")


def grouped(values: np.ndarray, units: Sequence[str]) -> list[list[int]]:
    """Group the columns that share an axis: of one unit, and of similar magnitude.

    Sorted by magnitude, neighbors in a group differ by a factor of ten at most.
    """
    result: list[list[int]] = []
    sizes = np.max(np.abs(np.where(np.isfinite(values), values, 0.0)), axis=0)
    for unit in dict.fromkeys(units):
        selected = [i for i, u in enumerate(units) if u == unit]
        selected.sort(key=lambda i: -sizes[i])
        top = max((sizes[i] for i in selected), default=0.0)
        parts = [[selected[0]]]
        for before, after in itertools.pairwise(selected):
            small = sizes[after] < 1e-9 * top  # round-off around zero gets no separate axis
            apart = sizes[before] > _APART * sizes[after] and not small
            parts += [[after]] if apart and len(parts) < _MOST_SIZES else []
            if not apart or parts[-1] != [after]:
                parts[-1].append(after)
        result += [sorted(part) for part in parts]
    return result


def with_unit(name: str, unit: str) -> str:
    """Return a label with its unit, if any, in brackets."""
    return f"{name} [{unit}]" if unit and unit != "1" else name


def rate(unit: str) -> str:
    """Return the unit of a rate of change."""
    return "1/s" if unit in ("", "1") else f"{unit}/s"


def vector(name: str, values: ArrayLike) -> np.ndarray:
    """Return a series as a double array; an error mentions `name`."""
    array = np.asarray(values, dtype=float)
    if array.ndim != 1 or not array.size:
        raise UsageError(f"{name} must be a non-empty series of numbers; got shape {array.shape}")
    return array


def matrix(name: str, values: ArrayLike, columns: int | None = None) -> np.ndarray:
    """Return rows of numbers as a double array; an error mentions `name`."""
    array = np.asarray(values, dtype=float)
    if array.ndim != 2 or not array.shape[0] or columns not in (None, array.shape[1]):
        wanted = "rows" if columns is None else f"rows of {columns} numbers"
        raise UsageError(f"{name} must have {wanted}, one for each time; got shape {array.shape}")
    return array
