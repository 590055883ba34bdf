"""Every claim of the library about its methods, as a measurement with a tolerance.

`tests/test_claims.py` asserts them, `docs/verification.py` writes them into a table: one code,
two readers. A group is a function that measures and returns a list of `Claim`; groups share
nothing, so that they can run on different cores.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Claim:
    """One line of the verification table."""

    what: str
    system: str
    method: str
    measured: float
    low: float  # the claim holds when low <= measured <= high
    high: float

    @property
    def holds(self) -> bool:
        return self.low <= self.measured <= self.high

    @property
    def wanted(self) -> str:
        if self.low == float("-inf"):
            return f"at most {self.high:.3g}"
        if self.high == float("inf"):
            return f"at least {self.low:.3g}"
        return f"{self.low:.6g} to {self.high:.6g}"


def at_most(what: str, system: str, method: str, measured, bound: float) -> Claim:
    """A claim that something is small; NaN fails."""
    return Claim(what, system, method, float(measured), float("-inf"), bound)


def at_least(what: str, system: str, method: str, measured, bound: float) -> Claim:
    """A claim that something is not small: a negative test."""
    return Claim(what, system, method, float(measured), bound, float("inf"))


def near(what: str, system: str, method: str, measured, value: float, tol: float) -> Claim:
    """A claim of a value."""
    return Claim(what, system, method, float(measured), value - tol, value + tol)


Group = Callable[[], list[Claim]]


def all_groups() -> dict[str, Group]:
    """Name to group, of all modules."""
    from . import balls, bodies, forms, orders, structure

    groups: dict[str, Group] = {}
    for module in (orders, structure, balls, bodies, forms):
        groups |= module.groups()
    return groups
