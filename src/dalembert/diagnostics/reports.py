"""Reports of what a run conserved and what it did not, in a table with verdicts."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from typing import IO

import jax
import jax.numpy as jnp
import numpy as np

from .. import dynamics
from ..errors import UsageError
from ..linalg import MESSAGES, OK
from ..pages import Table, escape
from ..request.initial_data import told_off
from ..results import HybridTrajectory, Trajectory
from ..system import Point, System
from .parasitic import parasitic_mode
from .rank import rank_losses
from .series import (
    Scales,
    constraint_residual,
    holonomic_residual,
    invariant_drift,
    is_driven,
    judged_energy,
    over_rows,
)


def round_off(steps: int) -> float:
    """Return the relative size up to which a drift over `steps` steps counts as round-off.

    Round-off is taken as a random walk of 1e-13 per step (Newton iterations stop a little above the
    last digit), and as at least 1e-12.
    """
    return 1e-13 * max(10.0, math.sqrt(steps))


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of a report; the verdict is empty if none can be given.

    `by_construction`: the method enforces the quantity in every row, so that it is no evidence that
    the motion is right.
    """

    quantity: str
    expected: str
    measured: float
    verdict: str = ""
    by_construction: bool = False


@dataclasses.dataclass(frozen=True, repr=False)
class Report:
    """What a run conserved and what it did not; `str` and the prompt show it as a table.

    `tolerance` is the largest relative error with the verdict "round-off".
    """

    title: str
    rows: tuple[Row, ...]
    tolerance: float
    warnings: tuple[str, ...] = ()  # warnings of the run about its own result

    def __getitem__(self, quantity: str) -> Row:
        """Return the row of a quantity, by the name in the first column."""
        for row in self.rows:
            if row.quantity == quantity:
                return row
        known = ", ".join(row.quantity for row in self.rows)
        raise KeyError(f"no '{quantity}' in the report; it has {known}")

    def table(self) -> Table:
        """Return the rows as text: numbers with three digits, counts in full."""
        cells = [
            (
                row.quantity,
                row.expected,
                str(row.measured) if isinstance(row.measured, int) else f"{row.measured:.2e}",
                f"{row.verdict}, by construction" if row.by_construction else row.verdict,
            )
            for row in self.rows
        ]
        return Table(("quantity", "should be", "measured", "verdict"), cells, align="llrl")

    def __str__(self) -> str:
        note = f"round-off: below {self.tolerance:.1e} of the terms that cancel; an error of the"
        below = f"  {note}\n  method smaller than that looks the same"
        if any(row.by_construction for row in self.rows):
            below += "\n  by construction: the method makes it so, whatever else it gets wrong"
        lines = [f"\n\n{textwrap.fill(f'WARNING: {x}', 98)}" for x in self.warnings]
        table = textwrap.indent(self.table().text(), "  ")
        return f"{self.title}\n\n{table}\n\n{below}{''.join(lines)}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{escape(f'Warning: {x}')}</p>" for x in self.warnings)
        return f"<p><strong>{escape(self.title)}</strong></p>{self.table().html()}{said}"


def report(system: System, traj: Trajectory, file: IO[str] | None = None) -> Report:
    """Report what a run conserved: constraint, energy, known constants; and solver statistics.

    With affine constraints the moving energy replaces the energy if one is known. A prompt or a
    notebook shows the result as a table; with `file` (`sys.stdout`, say) it is also written there.
    """
    if isinstance(traj, HybridTrajectory):
        raise UsageError(
            "for a hybrid run use dalembert.hybrid.report(modes, run); this report takes one arc "
            "of it, run.arcs[i].trajectory, with the system of its mode"
        )
    if traj.v.ndim != 2:
        raise UsageError("a report takes one trajectory: pass a member of the ensemble, many[i]")
    judged = judged_energy(system, traj)
    sizes = over_rows(Scales(judged.function), system, traj)
    scales = {k: _largest(x, 0.0) for k, x in sizes.items()}
    tolerance = round_off(max(traj.meta.steps, len(traj)))

    def row(quantity: str, error: jax.Array, scale: float, expected: str = "0") -> Row:
        measured = _largest(error)
        if measured <= tolerance * scale:  # true for an error of zero, false if `measured` is NaN
            return Row(quantity, expected, measured, "round-off")
        share = f", {measured / scale:.1e} relative" if scale > 0 else ""
        return Row(quantity, expected, measured, f"above round-off{share}")

    rows = []
    if system.is_constrained:
        residual = constraint_residual(system, traj)
        result = row("constraint residual, max", residual, scales["constraint"])
        made_so = traj.meta.on_constraint and result.verdict == "round-off"
        rows.append(dataclasses.replace(result, by_construction=made_so))
    if system.has_holonomic:  # residual of the positions; the velocities are in the line above
        residual = holonomic_residual(system, traj)
        rows.append(row("holonomic residual, max", residual, scales["holonomic"]))
    change = judged.error(system, traj)
    if judged.kept:
        name = f"{judged.name} error, max"
        rows.append(row(name, change, scales["energy"], "0 (exact motion)"))
    else:
        words = "not conserved: affine constraint, force or control"
        rows.append(Row("energy change, max", "not 0 in general", _largest(change), words))
    drifts = {} if is_driven(system, traj) else invariant_drift(system, traj)
    for name, drift in drifts.items():
        # otherwise the invariant has its line already
        if not judged.kept or name != judged.name.replace(" ", "_"):
            expected = "0 (exact motion)"
            rows.append(row(f"drift of {name}, max", drift, scales[f"invariant {name}"], expected))
    rows.append(Row("Newton residual, max", "small", _largest(traj.residual)))
    meta = traj.meta
    if meta.tol is not None and meta.error_estimate is not None:
        words = "met" if meta.error_estimate <= meta.tol else "not met"
        expected = f"below {meta.tol:g}"
        rows.append(Row("error at the end, estimated", expected, meta.error_estimate, words))
    parasitic = parasitic_mode(system, traj)
    if parasitic is not None:
        size = float(parasitic[1].size[0])
        words = "below the error of the method" if size <= 1 else "spoils the run"
        rows.append(Row("parasitic mode, in errors of the method", "below 1", size, words))
    codes = np.asarray(traj.result)
    failed = np.flatnonzero(codes != OK)
    words = "ok"
    if failed.size:
        words = f"first at row {failed[0]}: {MESSAGES.get(int(codes[failed[0]]), 'unknown code')}"
    rows.append(Row("failed rows", "0", int(failed.size), words))
    bad = int(np.sum(~np.isfinite(np.asarray(traj.v)).all(axis=1)))
    if bad:
        rows.append(Row("rows that are not finite", "0", bad, "failed"))
    lines = [*_other_parameters(system, traj), *traj.warnings]
    lines += [*meaningless(system, traj), *_told_losses(system, traj)]
    lines = tuple(dict.fromkeys(lines))
    made = Report(_title(traj), tuple(rows), tolerance, lines)
    if file is not None:
        print(made, file=file)
    return made


def _other_parameters(system: System, traj: Trajectory) -> tuple[str, ...]:
    """Return a warning if the run was made with parameters other than the system's."""
    own, made = system.parameters(), traj.meta.parameters
    for name, value in own.items():
        before = made.get(name)
        if isinstance(before, (float, int)) and isinstance(value, (float, int)) and before != value:
            return (
                f"the run was made with {name} = {before:g}, and is judged here by a system with "
                f"{name} = {value:g}: what is said to be kept or not is not about this run",
            )
    return ()


def meaningless(system: System, traj: Trajectory) -> tuple[str, ...]:
    """Return warnings about errors so large that the result is meaningless; () if there are none.

    These are: a constraint residual above 1e-6 |A| |v| (the run reports it, too, in
    `Trajectory.warnings`); and an error of a conserved energy that is larger than the energy. The
    size of the energy is that of its terms at the start, or in half of the rows if this is larger
    and not itself an error. If a force takes energy in every row (friction), the second warning is
    given if the energy has grown by this size.
    """
    if system.is_constrained:
        off, terms = over_rows(_terms, system, traj)
        # compare with the largest terms of all rows: at the end the motion may have come to rest
        terms = np.maximum(np.nanmax(terms, axis=0), 1e-300)
        wrong = told_off(np.max(np.abs(off[-1:]) / terms, axis=1))
        if wrong:
            return wrong
    judged = judged_energy(system, traj)
    loses = not judged.kept and _only_loses(system, traj)
    if judged.kept or loses:
        series = np.asarray(judged.series(system, traj))
        sizes = np.asarray(over_rows(Scales(judged.function), system, traj)["energy"])
        sizes = np.maximum(sizes, np.abs(series))
        # A body that starts at rest where its potential vanishes has no energy at the start. So
        # later rows count as well, unless the energy of the largest has changed by more than a
        # tenth of its size: it may then be mostly error.
        size, peak = float(sizes[0]), int(np.argmax(sizes))
        if not abs(series[peak] - series[0]) > sizes[peak] / 10:
            size = max(size, float(np.median(sizes)))
        error = float(series[-1] - series[0])
        if loses and size > 0 and not error <= size:  # a loss of energy is no error here
            return (
                "the force takes energy in every row, yet the run, which began with "
                f"{float(series[0]):.1e}, ends with {float(series[-1]):.1e}: its numbers mean "
                "nothing; the step is too large for what is damped, a smaller h may help, or an "
                "implicit method (Gauss)",
            )
        error = abs(error)
        if judged.kept and size > 0 and not error <= size:
            return (
                f"the run ends with its {judged.name} off by {error:.1e} of {size:.1e}: its "
                "numbers mean nothing; a smaller h may help",
            )
    return ()


def _only_loses(system: System, traj: Trajectory) -> bool:
    """Return whether forces alone change the energy, and decrease it in every row."""
    others = system.has_offset or system.is_nonlinear or system.has_time
    if others or not system.has_force or is_driven(system, traj):
        return False
    power = np.asarray(over_rows(_power, system, traj))
    return bool(np.all(power <= 0) and np.any(power < 0))


def _power(system: System, t: jax.Array, q: Point, v: jax.Array) -> jax.Array:
    return jnp.vdot(system.force(t, q, v), v)


def _told_losses(system: System, traj: Trajectory) -> tuple[str, ...]:
    """Return a warning about a singular point stepped over; () unless all steps are saved."""
    losses = rank_losses(system, traj) if traj.meta.save_every == 1 else np.zeros(0)
    if not losses.size:
        return ()
    return (
        f"behind t = {losses[0]:g} the run steps over a point where its constraint loses rank, "
        "which a method of constant rank does not notice: what comes after it may be another "
        "motion (da.hybrid.Codistribution tells what happens there)",
    )


def _terms(system: System, t: jax.Array, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    sizes = dynamics.constraint_sizes(system, q, v, t)
    values = [(sizes.residual, sizes.norm)]
    if system.has_holonomic:
        values.append(dynamics.holonomic_terms(system, q))
    off, terms = zip(*values)
    return jnp.concatenate(off), jnp.concatenate(terms)


def _title(traj: Trajectory) -> str:
    meta = traj.meta
    start, end = float(traj.t[0]), float(traj.t[-1])
    name = ", ".join(x for x in (meta.system, meta.method) if x) or "trajectory"
    text = f"{name}: {meta.step_told}, t = {start:g} .. {end:g}, {len(traj)} rows"
    text = f"{text}, {meta.wall_s:.2g} s" if meta.wall_s else text
    if not meta.engine:
        return text
    reason = f" ({meta.engine_reason})" if meta.engine_reason else ""
    return f"{text}, engine {meta.engine}{reason}"


def _largest(series: jax.Array, otherwise: float = math.nan) -> float:
    """Return the largest magnitude in a series; if it has a NaN, NaN, or `otherwise` if given."""
    array = np.abs(np.asarray(series))
    if array.size == 0:
        return 0.0
    if math.isnan(otherwise):
        return float(np.max(array))
    return float(np.max(np.where(np.isfinite(array), array, otherwise)))
