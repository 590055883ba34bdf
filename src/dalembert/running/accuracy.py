"""`tol=` in place of h: which method and how many steps meet a tolerance at the end of a run.

Without a method it is Taylor's where that has rules for the motion, and Gauss elsewhere. Of many
members the worst one decides. How pilots tell the error of a fixed step is in `tolerance`, how
two runs tell that of Taylor's method in `taylor_program`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from ..errors import UsageError
from ..methods import Method
from ..system import System
from . import tolerance
from .programs.taylor_program import CHOOSES, for_tolerance
from .request.prepare import Prepared
from .request.step import has_any_times, has_own_steps
from .tolerance import Pilot, Result, StepChoice

R = TypeVar("R", bound=Result)


class Accurate(NamedTuple):
    """What meets a tolerance, or comes nearest to it."""

    tol: float
    method: Method
    h: float | None  # None: Taylor's method, which chooses its own
    steps: int | None
    chosen: StepChoice
    why: str  # Taylor's method does not run it, where it might have

    def judged(self, system: System, found: R) -> R:
        """The result with the tolerance and the estimate in its meta; raises if it is not met."""
        meta = dataclasses.replace(found.meta, tol=self.tol, error_estimate=self.chosen.error)
        return self.met(system, dataclasses.replace(found, meta=meta))

    def met(self, system: System, found: R) -> R:
        """The result, or an error with it that says what was reached."""
        if not self.chosen.met:
            raise tolerance.not_met(system, self.method, self.chosen, found)
        return found


def accurate(
    system: System,
    method: Method | None,
    tol: float,
    span: float,
    t0: float,
    pilot: Callable[[Method], Pilot],
    prepared: Callable[[Method], Sequence[Prepared]] | None = None,
    members: int = 1,
) -> Accurate:
    """The method and the steps over the time `span` that meet `tol`.

    `pilot(method)` runs with h and steps; `prepared(method)` gives the members for Taylor's
    method, and is None where that is not wanted.
    """
    first = tolerance.method_for(method, tol)
    if has_own_steps(first):
        raise UsageError(f"{first.name} chooses its own steps: give h, the first, and not tol")
    by_taylor = None
    if prepared is not None and (method is None or has_any_times(first)):
        by_taylor = for_tolerance(prepared, float(t0) + span, float(tol), method is not None)
    if isinstance(by_taylor, tuple):
        return Accurate(float(tol), by_taylor[0], None, None, by_taylor[1], "")
    if has_any_times(first):
        raise UsageError(f"{system.name()}: {by_taylor}; leave the method out")
    found, chosen = tolerance.chosen_for(
        pilot,
        first,
        span,
        tol,
        stages_too=method is None,
        chooses=by_taylor == CHOOSES,
        members=members,
    )
    h = span / chosen.steps
    return Accurate(float(tol), found, h, chosen.steps, chosen, by_taylor or "")
