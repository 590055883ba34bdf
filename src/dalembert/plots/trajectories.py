"""Plots of whole runs: one run in several panels, or several runs on the same axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import jax
import numpy as np
from numpy.typing import ArrayLike

from .. import diagnostics, dynamics
from ..diagnostics import Comparison
from ..diagnostics.force_work import known_work
from ..diagnostics.series import is_driven
from ..errors import UsageError, unknown_name
from ..names import symbol
from ..results import HybridTrajectory, Trajectory
from ..results.labels import coordinate_table, velocity_units
from ..system import System
from .hybrid import modes_overview
from .panels import (
    FLOOR,
    constraint_residual,
    coordinates,
    draw_paths,
    energy_error,
    grouped,
    line_of,
    matrix,
    path,
    rate,
    residual_axis,
    vector,
    with_unit,
)
from .style import THEMES, figure, frame, legend_inside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..hybrid import Modes

_TURNS_OVER = 1.4  # rad; a body with an axis that rises this far is tumbling
_ROUND_OFF = 1e-9  # relative to the quantity: a smaller error is a note in the title, not a panel
_MAX_CURVES = 8  # more curves than this cannot be distinguished by color
_MOST_POINTS = 400  # a curve of more points is drawn as its upper envelope


class Series(TypedDict):
    """The arrays of one run for `compare`."""

    t: ArrayLike
    energy_error: ArrayLike
    residual: ArrayLike
    path: NotRequired[ArrayLike]  # (n, 2)
    distance: NotRequired[ArrayLike]  # at each t, the distance of the path from the last run's path


def overview(
    system: System | Modes,
    traj: Trajectory | HybridTrajectory,
    *,
    theme: str = "light",
    title: str = "",
    panels: Sequence[str] | None = None,
) -> Figure:
    """Plot one run: path, coordinates, velocities, multipliers, energy error, residual.

    For a body that rotates freely, also the elevation of its axes: pitch and lean.

    Coordinates, velocities and multipliers of one unit and of similar size share a panel, so that a
    lean of 0.1 rad is visible beside 80 rad of a wheel. Multipliers have the names of their
    contacts if the system gives them.

    `panels` chooses what is drawn, in this order: "path", "coordinates", "attitude", "velocities",
    "reactions", "energy", "constraint", "holonomic". By default these are all panels that the
    system has; quantities that are conserved to round-off are named in the title instead.

    For a hybrid run, `overview(modes, run)`: coordinates, velocities and energy over its modes.
    """
    if isinstance(traj, HybridTrajectory):
        modes: Any = system
        return modes_overview(modes, traj, theme=theme, title=title)
    if not isinstance(system, System):
        raise UsageError(f"an overview of a trajectory needs its system, got {system!r}")
    if traj.v.ndim != 2 or len(traj) < 2:
        raise UsageError("an overview shows one trajectory of two rows or more")
    t, meta = np.asarray(traj.t), traj.meta
    names, units, q = coordinate_table(traj)
    constraints = traj.multiplier.shape[1]
    velocity_names = meta.velocity_names if len(meta.velocity_names) == traj.v.shape[1] else ()
    conserved = dynamics.energy_is_conserved(system) and not is_driven(system, traj)

    def draw_path(ax: Axes) -> None:
        xy = np.asarray(diagnostics.path(system, traj))
        # Name the panel after the coordinates only if the path consists of coordinates.
        same = q.shape[1] >= 2 and np.array_equal(xy, q[:, :2], equal_nan=True)
        labels, unit = (names[:2], units[:2]) if same else (("x", "y"), ())
        path(xy, labels=labels, units=unit, title="path", ax=ax, theme=theme)

    def several(
        values: np.ndarray, names: Sequence[str], units: Sequence[str], title: str, ylabel: str
    ) -> list[Callable[[Axes], object]]:
        """Add one panel for each group of columns of one unit and similar magnitude."""
        units = units if len(units) == values.shape[1] else ("",) * values.shape[1]
        groups = grouped(values, units)
        draws: list[Callable[[Axes], object]] = []
        for columns in groups:
            listed = _listed([symbol(names[i]) for i in columns])
            heading = title if len(groups) == 1 else f"{title}: {listed}"
            # Too long for a title; the legend has the names.
            heading = heading if len(heading) < 44 else title
            options: Any = {
                "names": [names[i] for i in columns],
                "units": [units[i] for i in columns],
                "ylabel": ylabel,
                "title": heading,
            }
            draws.append(
                lambda ax, c=columns, o=options: coordinates(
                    t, values[:, c], ax=ax, theme=theme, **o
                )
            )
        return draws

    labels = velocity_names or [f"$v_{{{i + 1}}}$" for i in range(traj.v.shape[1])]
    # On R^n the units of v follow from those of q; on a group some follow from their names.
    rates = [rate(u) for u in units] if len(units) == traj.v.shape[1] else velocity_units(system)
    reactions = system.constraint_labels
    named = len(reactions) == constraints
    signs = reactions if named else [rf"$\lambda_{{{i + 1}}}$" for i in range(constraints)]
    about = "reaction forces" if named else "multipliers"

    def draw_energy(ax: Axes) -> None:
        error = diagnostics.energy_error(system, traj)
        name = "energy error" if conserved else "energy change (not conserved)"
        done = None if conserved else known_work(system, traj)
        energy_error(t, error, conserved=conserved, work=done, title=name, ax=ax, theme=theme)

    def draw_residual(ax: Axes) -> None:
        residual = diagnostics.constraint_residual(system, traj)
        constraint_residual(t, residual, title="constraint residual", ax=ax, theme=theme)

    def draw_positions(ax: Axes) -> None:
        residual = diagnostics.holonomic_residual(system, traj)
        ylabel = "residual of the positions"
        constraint_residual(
            t, residual, ylabel=ylabel, title="holonomic residual", ax=ax, theme=theme
        )

    drawn: dict[str, list[Callable[[Axes], object]]] = {}
    drawn["path"] = [draw_path] if q.shape[1] >= 2 else []
    drawn["coordinates"] = []
    if q.shape[1]:
        drawn["coordinates"] = several(q, names, units, "coordinates", "coordinate")
    rises = attitudes(traj)
    drawn["attitude"] = []
    if rises:
        values = np.stack(list(rises.values()), axis=1)
        level = several(values, list(rises), ("rad",) * len(rises), "above the level", "angle")
        drawn["attitude"] = level
    drawn["velocities"] = several(np.asarray(traj.v), labels, rates, "velocities", "velocity")
    drawn["reactions"] = []
    if constraints:
        values = np.asarray(traj.multiplier)
        forces = system.constraint_units
        ylabel = "force" if named else "multiplier"
        drawn["reactions"] = several(values, signs, forces, about, ylabel)
    drawn["energy"] = [draw_energy]
    drawn["constraint"] = [draw_residual] if constraints else []
    drawn["holonomic"] = [draw_positions] if system.has_holonomic else []
    exact = _exact(system, traj, conserved) if panels is None else {}
    chosen = [draw for x in _chosen(drawn, panels) if x not in exact for draw in drawn[x]]
    text = title or ", ".join(x for x in (meta.system, meta.method) if x)
    if np.isfinite(meta.h) and not title:
        text += f", {meta.step_told}"
    text = "\n".join([text, *([", ".join(exact.values())] if exact else [])])
    columns = min(len(chosen), 2 if len(chosen) <= 4 else 3 if len(chosen) <= 9 else 4)
    rows = -(-len(chosen) // columns)
    size = (4.6 * columns + 0.6, min(2.9, 9.0 / rows) * rows + 0.4)  # fits on one screen
    with figure(theme, size) as fig:
        axes = fig.subplots(rows, columns, squeeze=False).ravel()
        for draw, ax in zip(chosen, axes, strict=False):
            draw(ax)
            legend_inside(ax)
        for ax in axes[len(chosen) :]:
            ax.remove()
        fig.suptitle(text)
        if traj.warnings:
            heading = "\n".join(_one_line(x) for x in traj.warnings)
            fig.supxlabel(heading, fontsize=10, fontweight="bold", color=THEMES[theme].curves[1])
    return fig


def _exact(system: System, traj: Trajectory, conserved: bool) -> dict[str, str]:
    """Return, for each panel that would show only round-off, the text that takes its place."""
    result = {}
    v = np.asarray(traj.v)
    if conserved:
        energy = np.asarray(diagnostics.energy(system, traj))
        terms = np.abs(np.sum(np.asarray(traj.p) * v, axis=1))  # the terms of E itself may cancel
        error = float(np.max(np.abs(energy - energy[0])))
        if error <= _ROUND_OFF * max(np.max(np.abs(energy)), 0.5 * np.max(terms)):
            result["energy"] = f"energy conserved to {error:.0e} J"
    size = max(1.0, float(np.max(np.abs(v), initial=0.0)))
    for name, residual, said in (
        ("constraint", diagnostics.constraint_residual, "constraint kept to"),
        ("holonomic", diagnostics.holonomic_residual, "positions to"),
    ):
        worst = float(np.max(np.asarray(residual(system, traj)), initial=0.0))
        exists = system.has_holonomic if name == "holonomic" else traj.multiplier.shape[1]
        if exists and worst <= _ROUND_OFF * size:
            result[name] = f"{said} {worst:.0e}" if worst else f"{said} round-off"
    return result


def _chosen(drawn: Mapping[str, Sequence[object]], panels: Sequence[str] | None) -> Sequence[str]:
    """Return the names of the panels to draw; raise for unknown ones."""
    if panels is None:
        return list(drawn)
    if isinstance(panels, str):
        raise UsageError(f"panels is a list of names, got {panels!r}: write [{panels!r}]")
    for name in panels:
        if name not in drawn:
            raise unknown_name("panel", str(name), drawn)
        if not drawn[name]:
            have = ", ".join(x for x, found in drawn.items() if found)
            raise UsageError(f"this run has no panel '{name}'; it has {have}")
    if not panels:
        raise UsageError(f"panels is empty: name some of {', '.join(drawn)}, or leave it out")
    return panels


def attitudes(traj: Trajectory) -> dict[str, np.ndarray]:
    """Return the elevation in rad of the first and second axis of each rotation in q.

    These are pitch and lean of a vehicle whose x axis points ahead. Axes that turn over, or
    remain level, are left out.
    """
    turns = [np.asarray(x) for x in jax.tree.leaves(traj.q) if np.shape(x)[1:] == (3, 3)]
    result = {}
    for k, R in enumerate(turns):
        for i, axis in enumerate("xy"):
            rise = np.arcsin(np.clip(R[:, 2, i], -1.0, 1.0))
            if 1e-12 < np.max(np.abs(rise)) < _TURNS_OVER:
                result[f"{axis} axis" if len(turns) == 1 else f"{axis} axis {k + 1}"] = rise
    return result


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) < 4 else f"{names[0]}, ..., {names[-1]}"


def compare(
    runs: Mapping[str, Series],
    *,
    energy_unit: str = "J",
    time_unit: str = "s",
    path_unit: str = "",
    floor: float = FLOOR,
    title: str = "",
    theme: str = "light",
) -> Figure:
    """Plot several runs on the same axes: |energy error| above, constraint residual below.

    `runs` maps a label to arrays `t`, `energy_error` and `residual`; with a `path`, of shape
    (n, 2), the paths are drawn beside them. Runs with equal times have a third panel: the distance
    of each path from that of the last run (or `distance`, if it is given), because paths that agree
    to the eye cover each other.
    """
    if not runs:
        raise UsageError("nothing to compare: give at least one run")
    if len(runs) > _MAX_CURVES:
        raise UsageError(f"at most {_MAX_CURVES} runs can be told apart; got {len(runs)}")
    for label, run in runs.items():
        if not isinstance(run, Mapping):
            raise UsageError(
                f"compare takes the arrays of each run by name (t, energy_error, residual), got "
                f"{type(run).__name__} for '{label}'; plots.comparison draws diagnostics.compare"
            )
    data = {
        label: {k: vector(f"{k} of '{label}'", run[k]) for k in ("t", "energy_error", "residual")}
        for label, run in runs.items()
    }
    paths = {
        x: matrix(f"path of '{x}'", run["path"], 2) for x, run in runs.items() if "path" in run
    }
    apart = {
        x: vector(f"distance of '{x}'", run["distance"])
        for x, run in runs.items()
        if "distance" in run
    } or _distances(data, paths)
    with figure(theme, (11.6, 5.8) if paths else (7.2, 5.8)) as fig:
        look = THEMES[theme]
        panels = 3 if apart else 2
        if paths:
            grid = fig.add_gridspec(panels, 2, width_ratios=(1.0, 1.25))
            above = fig.add_subplot(grid[0, 1])
            below, *more = (fig.add_subplot(grid[i, 1], sharex=above) for i in range(1, panels))
            draw_paths(fig.add_subplot(grid[:, 0]), look, paths, list(data), path_unit)
        else:
            above, below, *more = fig.subplots(panels, 1, sharex=True)
        for ax in more:
            order = {name: i for i, name in enumerate(data)}
            for name, series in apart.items():
                line = line_of(look, order[name], dashed=True)
                ax.semilogy(data[name]["t"][1:], np.maximum(series[1:], floor), **line)
            ax.set_ylabel(with_unit("distance", path_unit))
            ax.set_xlabel(with_unit("t", time_unit))
            frame(ax, f"distance from the path of {list(paths or data)[-1]}")
        for ax, key in ((above, "energy_error"), (below, "residual")):
            series = [(run["t"], np.abs(run[key])) for run in data.values()]
            # The energy error of the first row is zero by definition, and has no logarithm.
            series = [(t[1:], e[1:]) for t, e in series] if key == "energy_error" else series
            residual_axis(ax, look, series, floor, labels=list(data))
        above.set_ylabel(with_unit("|energy error|", energy_unit))
        below.set_ylabel("constraint residual")
        if not apart:
            below.set_xlabel(with_unit("t", time_unit))
        frame(above, title, legend=True)
        frame(below, "")
    return fig


def _distances(
    data: Mapping[str, Mapping[str, np.ndarray]], paths: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Return the distance of each path from the last one; empty unless all have the same times."""
    times = [data[name]["t"] for name in paths]
    same = all(np.array_equal(t, times[-1]) for t in times)
    if len(paths) < 2 or not same or any(len(x) != len(times[-1]) for x in paths.values()):
        return {}
    *others, last = paths
    return {x: np.linalg.norm(paths[x] - paths[last], axis=1) for x in others}


def comparison(found: Comparison, *, theme: str = "light") -> Figure:
    """Plot the paths, and the errors of energy and constraint against time, for all methods."""
    done = [run for run in found.runs if run.trajectory is not None]
    curves = {run.method: (run.done.t, run.energy, run.residual) for run in done}
    if not curves:
        raise UsageError("nothing to draw: every run failed")
    paths = {run.method: np.asarray(diagnostics.path(found.system, run.done)) for run in done}
    paths = {name: xy for name, xy in paths.items() if xy.shape[-1] == 2}
    title = f"{found.system.name()}, h = {found.h:g}"
    units = found.system.units[:2]
    unit = units[0] if len(set(units)) == 1 else ""
    label = f"|{found.energy}| [J]"
    return envelopes(curves, label, theme=theme, title=title, paths=paths, path_unit=unit)


def envelopes(
    curves: Mapping[str, tuple[ArrayLike, ArrayLike, ArrayLike]],
    label: str,
    *,
    theme: str,
    title: str = "",
    paths: Mapping[str, np.ndarray] | None = None,
    path_unit: str = "",
) -> Figure:
    """Plot two logarithmic panels of envelopes; `curves`: label -> (t, quantity, residual)."""
    runs: dict[str, Series] = {}
    times = {name: {"t": np.asarray(t)} for name, (t, _, _) in curves.items()}
    apart = _distances(times, paths or {})
    width = 0.0
    for name, (t, quantity, residual) in list(curves.items())[:_MAX_CURVES]:
        t = np.asarray(t)
        every = -(-(len(t) - 1) // _MOST_POINTS)
        width = max(width, every * (t[-1] - t[0]) / (len(t) - 1)) if every > 1 else width
        runs[name] = {
            "t": _binned(t, every, np.mean),
            "energy_error": _binned(np.abs(quantity), every, np.max),
            "residual": _binned(np.abs(residual), every, np.max),
        }
        if paths and name in paths:
            runs[name]["path"] = paths[name]
        if name in apart:
            runs[name]["distance"] = _binned(apart[name], every, np.max)
    if width:  # dense curves would fill the panel: draw their upper edge
        title = f"{title}; largest in every {width:.2g} s" if title else ""
    fig = compare(runs, theme=theme, title=title, path_unit=path_unit)
    fig.set_size_inches((11.0, 6.2) if paths else (6.4, 6.2))
    top = fig.axes[0]
    top.set_ylabel(label)
    beside = top.get_legend()
    if beside is not None:  # legend above the panels, readable on a phone
        beside.remove()
        ink = THEMES[theme].ink
        columns = 4 if len(runs) == 4 else 3
        style = {"frameon": False, "fontsize": 9, "labelcolor": ink, "ncols": columns}
        fig.legend(*top.get_legend_handles_labels(), loc="outside upper left", **style)
    return fig


def _one_line(warning: str) -> str:
    """Return the first part of a warning, without the advice, which the report has."""
    text = warning.partition(": do not")[0]
    return f"WARNING: {text}"


def _binned(series: ArrayLike, every: int, reduce: Callable[[np.ndarray], float]) -> np.ndarray:
    """Return the first value, then one for each bin of `every` values."""
    array = np.asarray(series, dtype=float)
    starts = range(1, len(array), every)
    return np.array([array[0], *(reduce(array[k : k + every]) for k in starts)])
