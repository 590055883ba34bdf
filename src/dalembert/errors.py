"""Every error that the library raises on purpose, so that callers can tell them from bugs."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class DalembertError(Exception):
    """Base class of all errors raised on purpose."""


class UsageError(DalembertError, ValueError):
    """The input is wrong; the message says what is wrong and what to do about it."""


class SimulationError(DalembertError, RuntimeError):
    """A run failed on the way; what was computed until then is attached.

    `trajectory` holds the rows up to the last good step, `step`, `time` and `residual` say where
    and how the run failed.
    """

    def __init__(
        self,
        message: str,
        *,
        trajectory: Any = None,
        step: int | None = None,
        time: float | None = None,
        residual: float | None = None,
    ) -> None:
        super().__init__(message)
        self.trajectory = trajectory
        self.step = step
        self.time = time
        self.residual = residual


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Error for a name that is not known, with the nearest names that are."""
    known = sorted(known)
    near = [x for x in known if x.startswith(name)][:3] if name else []
    near = near or difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
    return UsageError(f"unknown {kind} '{name}'; {hint}")


class StoreError(DalembertError, OSError):
    """A file, or the store of a run, cannot be written; what was there before stays as it was."""
