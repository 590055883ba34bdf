"""Every claim of the library about its methods, as a measurement with a tolerance.

`tests/test_claims.py` asserts them, `docs/verification.py` writes them into a table: one code,
two readers. A group is a function that measures and returns a list of `Claim`; groups share
nothing, so that they can run on different cores.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from dalembert.diagnostics import Check


@dataclasses.dataclass(frozen=True)
class Claim(Check):
    """One line of the verification table: a check, and what it was measured on."""

    system: str = ""
    method: str = ""

    @property
    def row(self) -> tuple[str, ...]:
        """what, system, method, measured, wanted"""
        return (self.what, self.system, self.method, f"{self.value:.4g}", self.wanted)


def at_most(what: str, system: str, method: str, measured, bound: float) -> Claim:
    """A claim that something is small; NaN fails."""
    return Claim(what, measured, high=bound, system=system, method=method)


def at_least(what: str, system: str, method: str, measured, bound: float) -> Claim:
    """A claim that something is not small: a negative test."""
    return Claim(what, measured, bound, system=system, method=method)


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
