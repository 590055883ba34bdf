"""Report of a hybrid run: its arcs, its jumps, and what each mode conserved in between."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import diagnostics, dynamics
from ..errors import UsageError
from ..pages import Table
from ..results import HybridTrajectory
from .modes import Modes

_MOST = 20  # largest number of lines of each table


@dataclasses.dataclass(frozen=True)
class Conserved:
    """What one arc (a run in one mode) conserved: largest residuals and change of energy."""

    mode: str
    t0: float
    t1: float
    rows: int
    energy: float  # the energy at the start of the arc
    energy_change: float  # the largest difference from the energy at the start of the arc
    constraint_residual: float
    holonomic_residual: float
    energy_is_conserved: bool


@dataclasses.dataclass(frozen=True, repr=False)
class HybridReport:
    """Arcs and jumps of a run; `str` shows them as tables, `as_dict` is for JSON."""

    title: str
    arcs: tuple[Conserved, ...]
    run: HybridTrajectory
    energy_final: float

    @property
    def energy_lost(self) -> float:
        """Energy lost in all jumps."""
        return float(np.sum(self.run.jumps.energy_lost))

    @property
    def energy_error(self) -> float:
        """The largest change of the energy within an arc whose exact motion conserves it."""
        return max((x.energy_change for x in self.arcs if x.energy_is_conserved), default=0.0)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        run, last = self.run, self.run.final
        leaves = [np.ravel(x) for x in _leaves(last.q)]
        return {
            "system": run.meta.system,
            "method": run.meta.method,
            "engine": run.meta.engine,
            "engine_reason": run.meta.engine_reason,
            "h": run.meta.h,
            "t0": run.meta.t0,
            "steps": run.meta.steps,
            "t": float(last.t),
            "mode": run.modes[run.mode[-1]],
            "q": np.concatenate([np.zeros(0), *leaves]).tolist(),
            "v": np.asarray(last.v).tolist(),
            "energy_initial": self.arcs[0].energy,
            "energy_final": self.energy_final,
            "energy_lost_in_jumps": self.energy_lost,
            "energy_error_max": self.energy_error,
            "constraint_residual_max": max(x.constraint_residual for x in self.arcs),
            "holonomic_residual_max": max(x.holonomic_residual for x in self.arcs),
            "rows": len(run),
            "arcs": [dataclasses.asdict(x) for x in self.arcs],
            "jumps": [
                {
                    "t": jump.t,
                    "name": jump.name,
                    "from": jump.source,
                    "to": jump.target,
                    "q": np.concatenate([np.ravel(x) for x in _leaves(jump.q)]).tolist(),
                    "v_before": jump.v_before.tolist(),
                    "v_after": jump.v_after.tolist(),
                    "impulse": jump.impulse.tolist(),
                    "energy_lost": jump.energy_lost,
                }
                for jump in run.jumps
            ],
            "warnings": list(run.warnings),
            "wall_s": run.meta.wall_s,
            "compile_s": run.meta.compile_s,
        }

    def __str__(self) -> str:
        jumps = [
            (f"{x.t:.9g}", x.name, x.source, x.target, f"{x.energy_lost:.6g}")
            for x in self.run.jumps
        ]
        arcs = [
            (
                x.mode,
                f"{x.t0:.6g} .. {x.t1:.6g}",
                str(x.rows),
                f"{x.energy:.6g}",
                f"{x.energy_change:.1e}" + ("" if x.energy_is_conserved else " (not kept)"),
                f"{x.constraint_residual:.1e}",
                f"{x.holonomic_residual:.1e}",
            )
            for x in self.arcs
        ]
        heads = ("mode", "t", "rows", "energy", "its change, max", "constraint", "holonomic")
        parts = [self.title, _table(heads, arcs, "llrrlrr")]
        if jumps:
            heads = ("t", "jump", "from", "to", "energy lost")
            parts.append(_table(heads, jumps, "rlllr"))
            parts.append(f"  {len(jumps)} jumps, energy lost in them: {self.energy_lost:.6g}")
        parts += [textwrap.fill(f"WARNING: {x}", 98) for x in self.run.warnings]
        return "\n\n".join(parts)

    __repr__ = __str__


def energy(modes: Modes, run: HybridTrajectory) -> np.ndarray:
    """Return the energy of each row, by the Lagrangian of its mode."""
    return over_rows(diagnostics.energy, modes, run)


def over_rows(series: Callable[..., Any], modes: Modes, run: HybridTrajectory) -> np.ndarray:
    """Return a series of `diagnostics`, evaluated for each row with the system of its mode."""
    result = np.zeros(len(run))
    for i, mode in enumerate(run.modes):
        mine = run.mode == i
        if np.any(mine):
            result[mine] = np.asarray(series(modes.system(mode), run.rows_of(mode)))
    return result


def report(modes: Modes, run: HybridTrajectory) -> HybridReport:
    """Return the report: arcs with what each conserved, jumps with the energy that each lost."""
    if not isinstance(run, HybridTrajectory):
        raise UsageError(f"hybrid.report takes a hybrid run, got {type(run).__name__}")
    modes = modes.met(run.modes)
    if run.modes != modes.names:
        raise UsageError(f"the run has the modes {run.modes}, not {modes.names}")
    E = energy(modes, run)
    constraint = over_rows(diagnostics.constraint_residual, modes, run)
    holonomic = over_rows(diagnostics.holonomic_residual, modes, run)
    kept, begin = [], 0
    for arc in run.arcs:
        rows = slice(begin, begin + len(arc.trajectory))
        begin = rows.stop
        kept.append(
            Conserved(
                mode=arc.mode,
                t0=float(run.t[rows][0]),
                t1=float(run.t[rows][-1]),
                rows=len(arc.trajectory),
                energy=float(E[rows][0]),
                energy_change=float(np.max(np.abs(E[rows] - E[rows][0]))),
                constraint_residual=float(np.max(np.abs(constraint[rows]))),
                holonomic_residual=float(np.max(np.abs(holonomic[rows]))),
                energy_is_conserved=dynamics.energy_is_conserved(modes.system(arc.mode)),
            )
        )
    meta = run.meta
    engine = f", engine {meta.engine}" if meta.engine else ""
    title = (
        f"{meta.system}, {meta.method}: h = {meta.h:g}, t = {float(run.t[0]):g} .. "
        f"{float(run.t[-1]):g}, {len(run)} rows, {len(run.jumps)} jumps{engine}"
    )
    return HybridReport(title, tuple(kept), run, float(E[-1]))


def _table(heads: tuple[str, ...], rows: list[Any], align: str) -> str:
    shown = rows
    if len(rows) > _MOST:
        left_out = (f"... {len(rows) - _MOST + 1} more", *[""] * (len(heads) - 1))
        shown = [*rows[: _MOST - 6], left_out, *rows[-5:]]
    return textwrap.indent(Table(heads, shown, align=align).text(), "  ")


def _leaves(q: Any) -> list[np.ndarray]:
    return [np.asarray(x) for x in (q if isinstance(q, tuple) else (q,))]
