"""Several methods on the same data, beside a reference solution: numbers, a table, a picture."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import diagnostics, plots
from ..errors import SimulationError, UsageError
from ..methods import Method
from ..results import Trajectory
from ..running import simulate
from ..system import Point, System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_ROWS = 100_000
_MOST_CURVES = 8
_MOST_POINTS = 400  # of a curve; more are drawn as their upper envelope


@dataclasses.dataclass(frozen=True)
class Run:
    """One method's run: what it did and what it cost; NaN where there is no number."""

    method: str
    order: int
    trajectory: Trajectory | None = None  # None if the run failed
    failure: str = ""
    error: float = math.nan  # of q at the end, against the reference
    residual: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(0))
    energy: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(0))

    @property
    def done(self) -> Trajectory:
        """The trajectory of a run that did not fail."""
        if self.trajectory is None:
            raise SimulationError(self.failure)
        return self.trajectory

    @property
    def constraint_residual_max(self) -> float:
        """The largest constraint residual of all rows."""
        return _largest(self.residual)

    @property
    def energy_error_max(self) -> float:
        """The largest change of the energy, or of what stands for it."""
        return _largest(self.energy)

    @property
    def microseconds_per_step(self) -> float:
        """Wall time of a step, without compilation."""
        if self.trajectory is None:
            return math.nan
        meta = self.trajectory.meta
        return 1e6 * meta.wall_s / meta.steps

    @property
    def compile_s(self) -> float:
        """Seconds until the first step could run."""
        return math.nan if self.trajectory is None else self.trajectory.meta.compile_s

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return {
            "method": self.method,
            "order": self.order,
            "error": self.error,
            "constraint_residual_max": self.constraint_residual_max,
            "energy_error_max": self.energy_error_max,
            "us_per_step": self.microseconds_per_step,
            "compile_s": self.compile_s,
            "failure": self.failure or None,
        }


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Runs of several methods from one start; the last one is the reference."""

    system: System
    h: float
    steps: int
    t0: float
    energy: str  # what the column of energies shows
    runs: tuple[Run, ...]

    def __getitem__(self, method: str) -> Run:
        """The run of a method, by name."""
        return next(run for run in self.runs if run.method == method)

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return {
            "system": self.system.name(),
            "parameters": self.system.parameters(),
            "h": self.h,
            "steps": self.steps,
            "t": self.t0 + self.steps * self.h,
            "energy": self.energy,
            "methods": [run.as_dict() for run in self.runs],
        }


def compare(
    system: System,
    methods: Sequence[Method],
    q0: Point = None,
    v0: Any = None,
    *,
    h: float,
    steps: int,
    t0: float = 0.0,
    project: bool = False,
) -> Comparison:
    """Run each method; the last is what the others are measured against.

    A run that fails on the way leaves a row that says so; the others go on.
    """
    judged = diagnostics.kept_energy(system, q0, t0)
    energy = f"{judged.name} error" if judged.kept else "energy change"
    every = -(-steps // _MOST_ROWS)

    def run(method: Method, reference: Run | None) -> Run:
        claim = (method.name, method.traits.order)
        try:
            traj = simulate(
                system, method, q0, v0, h=h, steps=steps, t0=t0, save_every=every, project=project
            )
        except SimulationError as error:
            text = str(error).partition("; the ")[0]
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise
            return Run(*claim, failure=text)
        drift = judged.error(system, traj)
        error = math.nan
        if reference is not None and reference.trajectory is not None:
            error = diagnostics.distance(traj.final.q, reference.trajectory.final.q)
        residual = diagnostics.constraint_residual(system, traj)
        return Run(*claim, traj, "", error, np.asarray(residual), np.asarray(drift))

    *others, last = methods
    reference = run(last, None)
    runs = (*(run(method, reference) for method in others), reference)
    return Comparison(system, h, steps, t0, energy, runs)


def table(found: Comparison) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of text."""
    heads = ["method", "order", "error", "constraint residual", found.energy]
    heads += ["µs per step", "compile s"]
    rows = []
    for run in found.runs:
        numbers = [run.error, run.constraint_residual_max, run.energy_error_max]
        cells = [run.method, str(run.order), *(_number(x, ".2e") for x in numbers)]
        if run.failure:
            cells[2] = "failed"
        cells += [_number(run.microseconds_per_step, ".3g"), _number(run.compile_s, ".1f")]
        rows.append(cells)
    return heads, rows


def as_text(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The table in aligned columns, the first to the left."""
    lines = [heads, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in lines
    )


def figure(found: Comparison, *, theme: str = "light") -> Figure:
    """Errors of energy and constraint against time, all methods together."""
    curves = {
        run.method: (run.trajectory.t, run.energy, run.residual)
        for run in found.runs
        if run.trajectory is not None
    }
    if not curves:
        raise UsageError("nothing to draw: every run failed")
    title = f"{found.system.name()}, h = {found.h:g}"
    return draw(curves, f"|{found.energy}| [J]", theme=theme, title=title)


def draw(
    curves: Mapping[str, tuple[Any, Any, Any]], label: str, *, theme: str, title: str = ""
) -> Figure:
    """Label to (t, quantity, constraint residual): both on logarithmic axes, as envelopes."""
    runs, width = {}, 0.0
    for name, (t, quantity, residual) in list(curves.items())[:_MOST_CURVES]:
        t = np.asarray(t)
        every = -(-(len(t) - 1) // _MOST_POINTS)
        width = max(width, every * (t[-1] - t[0]) / (len(t) - 1)) if every > 1 else width
        runs[name] = {
            "t": _binned(t, every, np.mean),
            "energy_error": _binned(np.abs(quantity), every, np.max),
            "residual": _binned(np.abs(residual), every, np.max),
        }
    if width:  # dense curves would fill the picture: show their upper edge
        title = f"{title}; largest in every {width:.2g} s" if title else ""
    fig = plots.compare(runs, theme=theme, title=title)
    fig.set_size_inches(6.4, 6.2)
    top = fig.axes[0]
    top.set_ylabel(label)
    beside = top.get_legend()
    if beside is not None:  # above the panels instead of beside them: readable on a phone
        beside.remove()
        ink = plots.THEMES[theme].ink
        columns = 4 if len(runs) == 4 else 3
        style = {"frameon": False, "fontsize": 9, "labelcolor": ink, "ncols": columns}
        fig.legend(*top.get_legend_handles_labels(), loc="outside upper left", **style)
    return fig


def _binned(series: Any, every: int, reduce: Any) -> np.ndarray:
    """The first value, then one for each bin of `every` values."""
    array = np.asarray(series, dtype=float)
    starts = range(1, len(array), every)
    return np.array([array[0], *(reduce(array[k : k + every]) for k in starts)])


def _number(value: float, form: str) -> str:
    return format(value, form) if math.isfinite(value) else "-"


def _largest(series: np.ndarray) -> float:
    return float(np.max(np.abs(series))) if series.size else math.nan
