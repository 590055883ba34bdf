"""Every claim of the library about its methods, as a measurement with a tolerance.

`tests/test_claims.py` asserts them, `docs/verification.py` writes them into a table: one code,
two readers. A group is a function that measures and returns a list of `Claim`; groups share
nothing, so that they can run on different cores.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from dalembert.diagnostics import Check

ROUND_OFF = 1e-11  # a bound as small as this is one of round-off, which differs by machine
ROOM = 10.0  # between what is measured and its bound


@dataclasses.dataclass(frozen=True)
class Claim(Check):
    """One line of the verification table: a check, and what it was measured on.

    `by_construction`: the code makes it so, whatever the method does; the line is a check of the
    code, and no claim that counts. `reason` says why a bound is far from what was measured.
    """

    system: str = ""
    method: str = ""
    by_construction: bool = False
    reason: str = ""

    @property
    def row(self) -> tuple[str, ...]:
        """what, system, method, measured, wanted"""
        wanted = f"{self.wanted} ({self.reason})" if self.reason else self.wanted
        return (self.what, self.system, self.method, f"{self.value:.4g}", wanted)

    @property
    def verdict(self) -> str:
        """The last column of the table."""
        if not self.holds:
            return "**NO**"
        return "by construction" if self.by_construction else "yes"

    @property
    def is_tight(self) -> bool:
        """Whether the bound is near what was measured, is round-off, or says why it is not."""
        if self.reason or self.high <= ROUND_OFF:
            return True
        if math.isinf(self.low):
            return self.high <= ROOM * abs(self.value)
        return not math.isinf(self.high) or self.value <= ROOM * self.low


def at_most(
    what: str, system: str, method: str, measured, bound: float, *, by_construction: bool = False
) -> Claim:
    """A claim that something is small; NaN fails."""
    return Claim(
        what, measured, high=bound, system=system, method=method, by_construction=by_construction
    )


def at_least(
    what: str, system: str, method: str, measured, bound: float, *, reason: str = ""
) -> Claim:
    """A claim that something is not small: a negative test."""
    return Claim(what, measured, bound, system=system, method=method, reason=reason)


def near(what: str, system: str, method: str, measured, value: float, tol: float) -> Claim:
    """A claim of a value."""
    return Claim(what, measured, value - tol, value + tol, system=system, method=method)


Group = Callable[[], list[Claim]]


def all_groups() -> dict[str, Group]:
    """Name to group, of all modules."""
    from . import balls, bodies, forms, orders, structure

    groups: dict[str, Group] = {}
    for module in (orders, structure, balls, bodies, forms):
        groups |= module.groups()
    return groups
