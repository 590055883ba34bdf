"""Where the rows of Taylor's method are: at multiples of h, at chosen times, or where steps end."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...errors import UsageError
from ..record.sinks import At, Stream
from ..request.step import time_at
from ..request.validate import check_length, check_span, check_times
from ..rows import AnySink

_MOST_ROWS = 1e8  # whose times are kept, since h does not divide the time


class OutputTimes(NamedTuple):
    """Where rows are: at t0 + k h, or at times of their own, or at the nodes."""

    t0: float
    h: float
    chosen: np.ndarray | None = None  # of the rows 0, 1, ...
    end: float | None = None  # of a run with rows at its nodes

    @property
    def at_nodes(self) -> bool:
        """Whether they are where steps end."""
        return self.end is not None

    def __call__(self, k: Any) -> Any:
        """The time of row k."""
        if self.chosen is not None:
            return self.chosen[k]
        return time_at(self.t0, self.h, k)

    def last_before(self, t: float, k: int) -> int:
        """The last row that is not behind t, of those from row k on; of nodes only k is known."""
        if self.at_nodes:
            return k
        if self.chosen is not None:
            return max(int(np.searchsorted(self.chosen, t, side="right")) - 1, k)
        last = int((t - self.t0) / self.h)  # off by one at most, by rounding
        while (t - self(last + 1)) * self.h >= 0.0:
            last += 1
        while last > k and (t - self(last)) * self.h < 0.0:
            last -= 1
        return max(last, k)


def times_of_rows(
    sinks: Mapping[str, AnySink], h: Any, steps: Any, t: Any, t0: Any
) -> tuple[OutputTimes, float, int | None]:
    """Where rows are, the distance h that a run is told, and how many there are, if that is known.

    At multiples of h if it is given, and at the end; else at the times of all `At`, and at the
    end; else at the nodes, whose number nobody knows.
    """
    if (steps is not None and h is None) or (t is None and h is None):
        raise UsageError(
            "taylor chooses its own steps: give t, the time of the end (rows where steps end, or "
            "at times, save=At(times)), or h and t, or h and steps, for rows at multiples of h"
        )
    if h is not None and (steps is not None or t is None or _divides(h, check_span(t, t0))):
        h, steps = check_length(h, steps, t, t0)
        return OutputTimes(float(t0), float(h)), h, steps
    assert t is not None
    span, end = check_span(t, t0), float(t)
    wanted = [np.asarray(s.times, float) for s in sinks.values() if isinstance(s, At)]
    if h is None and not wanted:
        return OutputTimes(float(t0), span, None, end), span, None
    if any(isinstance(s, Stream) for s in sinks.values()):
        raise UsageError(
            "a store has rows at multiples of h, or where the steps of taylor end: give an h that "
            "divides the time, or t alone; save=At(times) keeps rows at any times in memory"
        )
    if wanted:
        low, high = min(x[0] for x in wanted), max(x[-1] for x in wanted)
        if low < float(t0) or high > end:
            raise UsageError(
                f"At: the run goes from t = {float(t0):g} to {end:g}, and the times from "
                f"{low:g} to {high:g}"
            )
    if h is not None:
        h, _ = check_times(h, t0)
        if span / h > _MOST_ROWS:
            raise UsageError(f"t = {end:g} with h = {h:g} would be too many rows")
        wanted.append(time_at(float(t0), h, np.arange(math.ceil(span / h))))
    at = np.unique(np.concatenate([[float(t0), end], *wanted]))
    return OutputTimes(float(t0), span if h is None else h, at), h or span, len(at) - 1


def _divides(h: Any, span: float) -> bool:
    try:
        return not 0.0 < float(h) < math.inf or math.isclose(
            max(round(span / float(h)), 1) * float(h), span, rel_tol=1e-9
        )
    except (TypeError, ValueError, OverflowError):
        return True  # no number: refused by those who look at it


__all__ = ["OutputTimes", "times_of_rows"]
