"""The text and curves beside the picture: curves against time, badges, warnings.

The motion comes first, then the energy, then reactions. A quantity that is constant to round-off
has no curve, which would show only noise, but a badge (a short text): "constraint kept to 4e-15".
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import diagnostics
from ..diagnostics.force_work import known_work
from ..diagnostics.series import is_driven, judged_energy
from ..names import symbol
from ..results.labels import coordinate_table, velocity_units

if TYPE_CHECKING:
    from .encode import _Drawn, _Pool

_MOST = 12  # largest number of curves of one kind
_OPEN = 8  # panels that are open at the start
# Velocities are included only up to this many numbers, which limits a page to 1.2 MB.
_MOST_NUMBERS = 8000
# Relative to the work: a smaller difference of work and energy is the error of the method and of
# the quadrature.
_BALANCED = 1e-6
_EXACT = 1e-9  # relative to the quantity: a smaller error is a badge, not a curve


class _Panels:
    """Panels by name and unit, each with one curve for every run that has the quantity."""

    def __init__(self, pool: _Pool) -> None:
        self.pool = pool
        self.found: dict[tuple[str, str, bool], dict[str, Any]] = {}
        self.largest: dict[str, float] = {}  # by unit

    def add(
        self, name: str, unit: str, run: int, values: np.ndarray, *, log: bool = False, open: bool
    ) -> None:
        unit = "" if unit == "1" else unit
        panel = self.found.setdefault(
            (name, unit, log),
            {"name": name, "unit": unit, "log": log, "open": open, "floor": 0.0, "curves": []},
        )
        panel["curves"].append({"run": run, "values": self.pool.add(values)})
        finite = np.abs(values[np.isfinite(values)])
        largest = self.largest.get(unit, 0.0)
        self.largest[unit] = max(largest, float(np.max(finite, initial=0.0)))

    def listed(self) -> list[dict[str, Any]]:
        """Return the panels, in which a curve below the floor of its unit (round-off) is zero."""
        for panel in self.found.values():
            if panel["unit"] and panel["unit"] != "J":  # energies are compared with themselves
                panel["floor"] = _EXACT * self.largest[panel["unit"]]
        return list(self.found.values())


def curves(
    drawn: Sequence[_Drawn], names: Sequence[str], pool: _Pool
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return (panels, badges): distances of runs, coordinates, energy, velocities, reactions."""
    panels = _Panels(pool)
    for k, x in enumerate(drawn[1:], 1):
        if drawn[0].scene.bodies and x.scene.bodies:
            apart = _apart(drawn[0], x)[x.kept]
            panels.add(f"distance from {names[0]}", "m", k, apart, log=True, open=True)
    for k, x in enumerate(drawn):
        labels, units, columns = coordinate_table(x.traj)
        units = units if len(units) == len(labels) else [""] * len(labels)
        for i, (name, unit) in enumerate(itertools.islice(zip(labels, units), _MOST)):
            panels.add(symbol(name), unit, k, columns[x.kept, i], open=i < _OPEN - 2)
    badges = [*_energy(drawn, panels), *_constraint(drawn, panels)]
    for k, x in enumerate(drawn):
        # A system on a group has no coordinates: show velocities first.
        alone = not coordinate_table(x.traj)[0]
        speeds = zip(x.run.system.velocity_labels, velocity_units(x.run.system))
        if alone or len(x.kept) * x.run.system.dim <= _MOST_NUMBERS:
            for i, (name, unit) in enumerate(itertools.islice(speeds, _MOST)):
                panels.add(symbol(name), unit, k, np.asarray(x.traj.v)[x.kept, i], open=alone)
        _reactions(k, x, panels)
    return panels.listed(), badges


def _reactions(k: int, x: _Drawn, panels: _Panels) -> None:
    columns = np.asarray(x.traj.multiplier).T
    named, units = x.run.system.constraint_labels, x.run.system.constraint_units
    units = units if len(units) == len(columns) else [""] * len(columns)
    if x.phases is not None:  # rows of modes with other constraints
        columns = np.where(x.phases.known, columns, np.nan)
    for i, column in enumerate(columns[:_MOST]):
        name = f"reaction: {named[i]}" if len(named) == len(columns) else symbol(f"lambda{i + 1}")
        panels.add(name, units[i], k, column[x.kept], open=i < 3)


def _energy(drawn: Sequence[_Drawn], panels: _Panels) -> Iterator[str]:
    """Add a curve of the energy's change, or a badge if every run conserves it."""
    chosen = []
    for x in drawn:
        if x.phases is not None:  # jumps and friction take energy
            series = x.phases.energy
            chosen.append(("energy", False, series - series[0], 0.0))
            continue
        # A control does work, so the energy need not be conserved.
        judged = judged_energy(x.run.system, x.traj)
        series = np.asarray(judged.series(x.run.system, x.traj), dtype=float)
        power = np.abs(np.sum(np.asarray(x.traj.p) * np.asarray(x.traj.v), axis=1))
        scale = max(np.max(np.abs(series)), 0.5 * np.max(power, initial=0.0))
        chosen.append((judged.name, judged.kept, series - series[0], scale))
    if all(kept and np.max(np.abs(error)) <= _EXACT * scale for _, kept, error, scale in chosen):
        largest = max(float(np.max(np.abs(error))) for _, _, error, _ in chosen)
        yield f"{chosen[0][0]} conserved to {_rough(largest)} J"
        return
    for k, (name, kept, error, scale) in enumerate(chosen):
        x = drawn[k]
        done = None if kept or x.phases is not None else known_work(x.run.system, x.traj)
        title = f"{name} {'error' if kept else 'change'}"
        panels.add(title, "J", k, _largest(error, x.kept), open=True)
        if done is None and is_driven(x.run.system, x.traj) and x.phases is None:
            # for example, of a run that was read from a file
            panels.found[(title, "J", False)]["note"] = "the work of the inputs is not known"
        if done is not None:
            panels.add("work of forces", "J", k, done[drawn[k].kept], open=True)
            left = float(np.max(np.abs(error - done)))
            if left <= _BALANCED * max(scale, float(np.max(np.abs(done)))):
                yield f"energy change equals the work to {_rough(left)} J"
            else:
                panels.add(
                    "energy change less work", "J", k, (error - done)[drawn[k].kept], open=True
                )


def _constraint(drawn: Sequence[_Drawn], panels: _Panels) -> Iterator[str]:
    """Add a badge if every run satisfies its constraint, else a curve of the residual."""
    result = {}
    exact = True
    for k, x in enumerate(drawn):
        if x.run.system.is_constrained or x.phases is not None:
            residual = (
                np.asarray(diagnostics.constraint_residual(x.run.system, x.traj))
                if x.phases is None
                else x.phases.residual
            )
            size = max(1.0, float(np.max(np.abs(np.asarray(x.traj.v)), initial=0.0)))
            exact &= bool(np.max(residual) <= _EXACT * size)
            result[k] = residual
    if result and exact:
        yield f"constraint kept to {_rough(max(float(np.max(r)) for r in result.values()))}"
        return
    for k, residual in result.items():
        values = _largest(residual, drawn[k].kept)
        panels.add("constraint residual", "", k, values, log=True, open=True)


def _rough(value: float) -> str:
    return f"{value:.0e}" if value else "round-off"


def _largest(series: Any, kept: np.ndarray) -> np.ndarray:
    """Return, at each shown row, the largest value since the previous one, so no peak is lost."""
    series = np.asarray(series, dtype=float)
    starts = np.concatenate([[0], kept[:-1] + 1])
    which = np.abs(np.where(np.isfinite(series), series, 0.0))
    out = np.empty(len(kept))
    for i, (a, b) in enumerate(zip(starts, kept)):
        out[i] = series[a + int(np.argmax(which[a : b + 1]))] if b >= a else series[b]
    return out


def _apart(first: _Drawn, other: _Drawn) -> np.ndarray:
    """Return the distance between the followed bodies of two runs, at the times of the second."""

    def path(x: _Drawn) -> np.ndarray:
        return x.poses.position[x.scene.focus or x.scene.bodies[0].name]

    t, own = np.asarray(other.traj.t), path(other)
    theirs, times = path(first), np.asarray(first.traj.t)
    near = np.stack([np.interp(t, times, theirs[:, i]) for i in range(3)], axis=1)
    out = np.linalg.norm(own - near, axis=1)
    return np.where((t < times[0]) | (t > times[-1]), np.nan, out)


def warnings(drawn: Sequence[_Drawn], names: Sequence[str]) -> Iterator[str]:
    """Yield the warnings that concern the part of the runs that is shown."""
    for x, name in zip(drawn, names):
        said = list(x.warnings)
        failed = np.flatnonzero(np.asarray(x.traj.result))
        if len(failed):
            said.append(f"a step failed at t = {float(x.traj.t[failed[0]]):g} s")
        end = float(x.traj.t[-1])
        said += [text for text in x.traj.warnings if _begins(text) <= end * (1 + 1e-9)]
        yield from (f"{name}: {text}" if len(drawn) > 1 else text for text in said)


def _begins(warning: str) -> float:
    """Return the earliest time that a warning mentions; minus infinity if it mentions none."""
    times = re.findall(r"\bt = ([-+0-9.e]*[0-9])", warning)
    return min(map(float, times), default=-np.inf)
