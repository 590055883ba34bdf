"""Measured numbers with the bounds that they must satisfy."""

from __future__ import annotations

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Check:
    """One measured number with the bounds that it must satisfy.

    `why` explains a bound that is far from the measured value (by more than a factor of ten).
    """

    what: str
    value: float
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        for name in ("value", "low", "high"):
            object.__setattr__(self, name, float(getattr(self, name)))

    @property
    def holds(self) -> bool:
        """Whether the number is within its bounds; False for a NaN."""
        return self.low <= self.value <= self.high

    @property
    def wanted(self) -> str:
        """The bounds in words."""
        return self._bounds + (f": {self.why}" if self.why else "")

    @property
    def _bounds(self) -> str:
        if math.isinf(self.low) and math.isinf(self.high):
            return "for information"
        if math.isinf(self.high):
            return f"at least {self.low:g}"
        if math.isinf(self.low):
            return f"at most {self.high:g}"
        return f"{self.low:g} to {self.high:g}"

    @property
    def measured(self) -> str:
        """The measured number with its unit."""
        whole = math.isfinite(self.value) and self.value == round(self.value)
        number = f"{self.value:.4g}" if whole else f"{self.value:#.4g}"  # print 2.000, not 2
        return f"{number} {self.unit}".rstrip()
