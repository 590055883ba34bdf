"""The types of an experiment: a run of a published figure, and a verdict on each of its claims."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from jax.typing import ArrayLike

from ..diagnostics import Check
from ..errors import SimulationError, UsageError
from ..pages import Table
from ..results import Trajectory
from ..system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEED = 20060621  # default seed of all random numbers


class Verdict(enum.StrEnum):
    """The verdict on a claim."""

    HOLDS = "holds"
    CORRECTED = "holds with a correction"
    FAILS = "does not hold"
    UNPUBLISHED = "data not published"


@dataclasses.dataclass(frozen=True)
class Claim:
    """A statement of a source, and the numbers that decide it.

    `checks` test the claim as printed. If a check is out of bounds, but all checks in `corrected`
    are within theirs, the claim holds with a correction; `note` then says what was corrected.
    If the source does not give its data, `unpublished` says what was chosen instead; a claim whose
    checks hold then has the verdict `UNPUBLISHED`, not `HOLDS`.
    """

    text: str
    checks: Sequence[Check]
    corrected: Sequence[Check] = ()
    note: str = ""
    unpublished: str = ""

    def __post_init__(self) -> None:
        if not self.checks:
            raise UsageError(f"a claim is decided by a number: '{self.text}' has none")
        if self.corrected and not self.note:
            raise UsageError(f"say what was corrected: '{self.text}' has no note")

    @property
    def verdict(self) -> Verdict:
        """The verdict that follows from the numbers."""
        if all(check.holds for check in self.checks):
            return Verdict.UNPUBLISHED if self.unpublished else Verdict.HOLDS
        if self.corrected and all(check.holds for check in self.corrected):
            return Verdict.CORRECTED
        return Verdict.FAILS


@dataclasses.dataclass(frozen=True)
class Picture:
    """A figure, drawn once for each theme; `see` says what to look at, `alt` what is shown."""

    name: str
    see: str
    alt: str
    draw: Callable[[str], Figure]
    # whether the picture is about as high as wide, so that it need not fill the page's width
    narrow: bool = False


@dataclasses.dataclass(frozen=True)
class Motion:
    """Runs to animate on a separate page: the first run solid, the others as ghosts."""

    see: str
    system: System
    runs: Mapping[str, Trajectory]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The result of an experiment."""

    claims: Sequence[Claim]
    tables: Sequence[Table]
    pictures: Sequence[Picture]
    notes: Sequence[str] = ()  # data and choices that the reader must know
    motions: Sequence[Motion] = ()


@dataclasses.dataclass(frozen=True)
class Experiment:
    """A figure, table or statement of a source that can be run.

    `run(full, seed)` returns the outcome: with the published size if `full`, otherwise of a quick
    version, which shows the same at a smaller size. The same seed gives the same numbers.
    """

    name: str
    source: str
    title: str
    see: str
    run: Callable[[bool, int], Outcome]


def check_members(result: ArrayLike) -> None:
    """Raise if a member of an ensemble failed; inside `jax.vmap` a failed step cannot raise."""
    failed = int(np.sum(np.asarray(result) != 0))
    if failed:
        raise SimulationError(f"{failed} of {np.size(result)} members of the ensemble failed")


def experiment(
    name: str, *, source: str, title: str, see: str
) -> Callable[[Callable[[bool, int], Outcome]], Experiment]:
    """Return a decorator that makes an `Experiment` of a function (full, seed) -> Outcome."""

    def make(run: Callable[[bool, int], Outcome]) -> Experiment:
        return Experiment(name, source, title, see, run)

    return make
