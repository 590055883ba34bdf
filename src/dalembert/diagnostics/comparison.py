"""Compare several methods on the same data with a reference solution: runs, numbers, a table."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..errors import SimulationError
from ..methods import Method
from ..pages import Table, escape
from ..request.step import time_at
from ..results import Trajectory
from ..running import simulate
from ..system import Point, System
from .distances import distance
from .series import constraint_residual, kept_energy

_MOST_ROWS = 100_000


@dataclasses.dataclass(frozen=True)
class Run:
    """The run of one method: its result and its cost; NaN for values that are not available."""

    method: str
    order: int
    trajectory: Trajectory | None = None  # None if the run failed
    failure: str = ""
    error: float = math.nan  # largest difference of q from the reference at the end
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
        """The largest change of the energy, or of the moving energy if that is conserved."""
        return _largest(self.energy)

    @property
    def microseconds_per_step(self) -> float:
        """Wall time per step, without compilation."""
        if self.trajectory is None:
            return math.nan
        meta = self.trajectory.meta
        return 1e6 * meta.wall_s / meta.steps

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of the run about its own result."""
        return () if self.trajectory is None else self.trajectory.warnings

    @property
    def compile_s(self) -> float:
        """Seconds before the first step could run."""
        return math.nan if self.trajectory is None else self.trajectory.meta.compile_s

    def as_dict(self) -> dict[str, object]:
        """Return the numbers, for JSON."""
        return {
            "method": self.method,
            "order": self.order,
            "error": self.error,
            "constraint_residual_max": self.constraint_residual_max,
            "energy_error_max": self.energy_error_max,
            "us_per_step": self.microseconds_per_step,
            "compile_s": self.compile_s,
            "failure": self.failure or None,
            "warnings": self.warnings,
        }


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Runs of several methods from one start; the last one is the reference."""

    system: System
    h: float
    steps: int
    t0: float
    energy: str  # heading of the energy column
    runs: tuple[Run, ...]

    def __getitem__(self, method: str) -> Run:
        """Return the run of a method, by name."""
        return next(run for run in self.runs if run.method == method)

    def table(self) -> Table:
        """Return the numbers as a table; "-" for values that are not available."""
        heads = ["method", "order", "error", "constraint residual", self.energy]
        heads += ["µs per step", "compile s"]
        rows = []
        for run in self.runs:
            numbers = [run.error, run.constraint_residual_max, run.energy_error_max]
            cells = [run.method, str(run.order), *(_number(x, ".2e") for x in numbers)]
            if run.failure:
                cells[2] = "failed"
            cells += [_number(run.microseconds_per_step, ".3g"), _number(run.compile_s, ".1f")]
            rows.append(cells)
        return Table(heads, rows)

    def __repr__(self) -> str:
        """Return one line, then the table of the numbers."""
        return f"{self._title()}\n\n{self.table().text()}"

    def _repr_html_(self) -> str:
        return f"<p><strong>{escape(self._title())}</strong></p>{self.table().html()}"

    def _title(self) -> str:
        name = self.system.name()
        return f"Comparison of {len(self.runs)} methods: {name}, h = {self.h:g}, t = {self.end:g} s"

    @property
    def end(self) -> float:
        """The time at the end."""
        return time_at(self.t0, self.h, self.steps)

    def as_dict(self) -> dict[str, object]:
        """Return the numbers, for JSON."""
        return {
            "system": self.system.name(),
            "parameters": self.system.parameters(),
            "h": self.h,
            "steps": self.steps,
            "t": self.end,
            "energy": self.energy,
            "methods": [run.as_dict() for run in self.runs],
        }


def compare(
    system: System,
    methods: Sequence[Method],
    q0: Point = None,
    v0: ArrayLike | None = None,
    *,
    h: float,
    steps: int,
    t0: float = 0.0,
    project: bool = False,
) -> Comparison:
    """Run each method; the last run is the reference to which the others are compared.

    A run that fails gives a row that says so; the others continue.
    """
    judged = kept_energy(system, q0, t0)
    energy = f"{judged.name} error" if judged.kept else "energy change"
    every = -(-steps // _MOST_ROWS)

    def run(method: Method, reference: Run | None) -> Run:
        claim = (method.name, method.traits.order)
        try:
            # adaptive methods run to the same end time, with any number of steps
            own = method.traits.sizes == "own"
            length = {"t": time_at(t0, h, steps)} if own else {"steps": steps}
            options = {"t0": t0, "save_every": every, "project": project, **length}
            traj = simulate(system, method, q0, v0, h=h, **options)
        except SimulationError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise
            return Run(*claim, failure=error.problem)
        drift = judged.error(system, traj)
        error = math.nan
        if reference is not None and reference.trajectory is not None:
            error = distance(traj.final.q, reference.trajectory.final.q)
        residual = constraint_residual(system, traj)
        return Run(*claim, traj, "", error, np.asarray(residual), np.asarray(drift))

    *others, last = methods
    reference = run(last, None)
    runs = (*(run(method, reference) for method in others), reference)
    return Comparison(system, h, steps, t0, energy, runs)


def _number(value: float, form: str) -> str:
    return format(value, form) if math.isfinite(value) else "-"


def _largest(series: np.ndarray) -> float:
    return float(np.max(np.abs(series))) if series.size else math.nan
