"""The errors that the library raises on purpose, so that callers can distinguish them from bugs."""

from __future__ import annotations

import dataclasses
import difflib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def warn_deprecated(name: str, instead: str, *, since: str, until: str) -> None:
    """Warn that `name` is deprecated since one release, and removed in release `until`."""
    text = f"{name} is deprecated since dalembert {since} and is removed in {until}; use {instead}"
    # 3: the caller of the function that calls this one, so that Python shows the user's own line
    warnings.warn(text, DeprecationWarning, stacklevel=3)


class DalembertError(Exception):
    """Base class of all errors raised on purpose.

    The message is `about: reason; advice`. `reason` says what is wrong, `about` names the object
    concerned (a system, a method on a system), and `advice` says what to do in Python (it follows a
    full stop if it begins with a capital letter). `remedy` is the name of the argument that solves
    the problem, if there is one, so that the command line and other callers can phrase the advice
    themselves.
    """

    def __init__(
        self, reason: str = "", *, about: str = "", advice: str = "", remedy: str = ""
    ) -> None:
        self.reason, self.about, self.advice, self.remedy = reason, about, advice, remedy
        before = ". " if advice[:1].isupper() else "; "
        super().__init__(self.problem + (before + advice if advice else ""))

    @property
    def problem(self) -> str:
        """The message without the advice."""
        return f"{self.about}: {self.reason}" if self.about else self.reason


class UsageError(DalembertError, ValueError):
    """The input is wrong; the message says what is wrong and what to do about it."""

    def located(self, before: str = "", after: str = "") -> UsageError:
        """Return the same error with its location added before or after the problem."""
        about = ": ".join(x for x in (before, self.about) if x)
        reason = f"{self.reason} {after}" if after else self.reason
        return UsageError(reason, about=about, advice=self.advice, remedy=self.remedy)


class ArgumentError(UsageError, TypeError):
    """An argument of a public function has a wrong type, is missing, or is unknown."""


class DamagedError(UsageError):
    """A file is damaged: its contents differ from what was written.

    `parts` names the missing or changed parts; `good` gives the ranges of rows ("time") or members
    ("member") that are intact. `load(path, skip_damaged=True)` reads those.
    """

    def __init__(
        self,
        reason: str = "",
        *,
        parts: Iterable[str] = (),
        good: Mapping[str, Sequence[range]] | None = None,
        **words: str,
    ) -> None:
        super().__init__(reason, **words)
        self.parts, self.good = tuple(parts), dict(good or {})

    def located(self, before: str = "", after: str = "") -> DamagedError:
        """Return the same error with its location added before or after the problem."""
        result = super().located(before, after)
        words = {"about": result.about, "advice": result.advice, "remedy": result.remedy}
        return DamagedError(result.reason, parts=self.parts, good=self.good, **words)


class SimulationError(DalembertError, RuntimeError):
    """A run failed at a step; the rows computed until then are attached.

    `trajectory` holds the rows up to the last good step; `step`, `time` and `residual` describe
    where and how the run failed.
    """

    def __init__(
        self,
        reason: str,
        *,
        about: str = "",
        advice: str = "",
        trajectory: Any = None,
        step: int | None = None,
        time: float | None = None,
        residual: float | None = None,
    ) -> None:
        super().__init__(reason, about=about, advice=advice)
        self.trajectory = trajectory
        self.step = step
        self.time = time
        self.residual = residual


# advice of a failed run; the placeholder is the number of its rows
ROWS_ATTACHED = "the {} rows until then are attached to this error as .trajectory."


@dataclasses.dataclass(frozen=True)
class Reason:
    """The reason why something is not available, returned in its place: `Kernel | Reason`.

    It is used for things that callers can do without (native code, a rule of Taylor's method). An
    exception would interrupt them, and a cache could not store it. In an f-string it is its text.
    """

    text: str

    def __str__(self) -> str:
        return self.text


def unknown_name(kind: str, name: str, known: Iterable[str], listed: str = "") -> UsageError:
    """Return the error for an unknown name, with the most similar known names.

    Without a similar one: all names, or where they are `listed`.
    """
    known = sorted(known)
    near = [x for x in known if x.startswith(name)][:3] if name else []
    near = near or difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    every = listed or f"known: {', '.join(known)}"
    hint = f"did you mean {' or '.join(near)}?" if near else every
    return UsageError(f"unknown {kind} '{name}'; {hint}")


class StoreError(DalembertError, OSError):
    """A file, or the store of a run, cannot be written; an existing file is left unchanged."""
