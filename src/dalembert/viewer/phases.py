"""The modes of a hybrid run as the viewer shows them, with energy, residual, contact states."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from .. import diagnostics, hybrid
from ..errors import UsageError
from ..hybrid.contact_law import HOLDS, OPEN, SLIDES
from ..hybrid.hybrid_report import over_rows
from ..results import HybridTrajectory, Trajectory
from ..system import System

STATES = (HOLDS, SLIDES, OPEN)  # a contact's state is an index of these in a page


@dataclasses.dataclass(frozen=True)
class Phases:
    """The mode of each row that is drawn; energy and residual of a row are by its mode's system."""

    names: tuple[str, ...]
    which: np.ndarray  # index of the mode of each row
    energy: np.ndarray
    residual: np.ndarray  # of the constraint
    known: np.ndarray  # whether the multipliers of a row belong to the drawn system
    contacts: tuple[dict[str, str], ...]  # by mode: contact -> one of STATES

    def cut(self, count: int) -> Phases:
        """Return the phases of the first `count` rows."""
        rows = {k: getattr(self, k)[:count] for k in ("which", "energy", "residual", "known")}
        return dataclasses.replace(self, **rows)

    def band(self, t: np.ndarray) -> dict[str, Any]:
        """Return the band of modes over time: their names, and when which mode begins."""
        starts = np.concatenate([[0], np.flatnonzero(np.diff(self.which)) + 1])
        begin = [float(t[k]) for k in starts]
        return {"names": self.names, "t": begin, "which": self.which[starts].tolist()}

    def states(self, name: str) -> list[int] | None:
        """Return the state of a contact in each mode; None if it has no law of friction."""
        if not all(name in x for x in self.contacts):
            return None
        return [STATES.index(x[name]) for x in self.contacts]


def drawn(modes: Any, run: HybridTrajectory) -> tuple[System, Trajectory, Phases]:
    """Return a hybrid run to draw, with the scene of its mode with the fewest constraints."""
    if hasattr(modes, "met"):  # contacts with friction: modes are added during a run
        modes = modes.met(run.modes)
    if getattr(modes, "names", None) != run.modes:
        raise UsageError(
            f"to show a hybrid run, give its modes: show(modes, run), with the modes {run.modes}"
        )
    fewest = min(zip(run.metas, run.modes), key=lambda x: x[0].constraints)[1]
    keep = run.drawn_rows
    phases = Phases(
        run.modes,
        np.asarray(run.mode)[keep],
        hybrid.energy(modes, run)[keep],
        over_rows(diagnostics.constraint_residual, modes, run)[keep],
        run.has_rows_of(fewest),
        tuple(modes.contacts_in(name) for name in run.modes),
    )
    return modes.system(fewest), run.as_drawn(fewest), phases
