"""What an event is, what `events=` takes, and whether a resumed run has the events of before.

The record of a run's events, and what ends it, is in `watch`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ...compile.fingerprint import fingerprint
from ...errors import UsageError
from ...system import System

EventFunction: TypeAlias = Callable[..., Any]  # (t, q, v) -> number


@dataclasses.dataclass(frozen=True)
class Event:
    """A function g(t, q, v) to watch: it happens where g goes through zero.

    The name of a coordinate or velocity does as well: `Event("x_dot", terminal=True)`.

    Where g jumps from one sign to the other, or through infinity, it happens as well.
    `direction=1` takes only zeros at which g grows, -1 those at which it falls. `terminal=True`
    ends the run there, with a last row at the event; `count=k` ends it at the k-th.

    Only a change of sign between two steps is seen: a g that touches zero and goes back, or changes
    its sign twice within a step, goes unseen (take a smaller h). Of a run by `Taylor` all changes
    of sign are found of the polynomial that g is there; where g is none (`abs`, a steep one, a
    jump) those between looks, 16 or more in a step and 512 in a run; of each member of an ensemble
    likewise. A run that starts at g = 0 does not begin with an event; one that starts where
    round-off has left it, on the side that it leaves, does, unless `direction` excludes that.
    """

    g: Any  # an `EventFunction`, or the name of a coordinate or velocity
    direction: int = 0
    terminal: bool = False
    count: int | None = None

    def __post_init__(self) -> None:
        if not callable(self.g) and not isinstance(self.g, str):
            raise UsageError(f"Event: g is a function (t, q, v) -> number, got {self.g!r}")
        if self.direction not in (-1, 0, 1):
            raise UsageError(f"Event: direction must be 1, -1 or 0, got {self.direction!r}")
        if self.count is not None and (not isinstance(self.count, int) or self.count < 1):
            raise UsageError(f"Event: count must be an integer from 1 on, got {self.count!r}")
        if self.terminal and self.count is not None:
            raise UsageError("Event: terminal ends at the first, count at that one: give one")

    @property
    def ends_at(self) -> int | None:
        """The number of the event that ends the run."""
        return 1 if self.terminal else self.count

    @property
    def identity(self) -> str:
        """What it is, to compare it with another one."""
        return f"{self.direction}, {self.ends_at}, {fingerprint(self.g)}"


def named_events(events: Any, system: Any = None) -> dict[str, Event]:
    """Events by name, from what `events=` was given: functions of the state, or names in it."""
    if events is None:
        return {}
    if not isinstance(events, Mapping) or not events:
        raise UsageError('events takes names and functions: {"apex": lambda t, q, v: v[1]}')
    found = {}
    for name, g in events.items():
        if not isinstance(name, str) or not re.fullmatch(r"[\w .-]+", name):
            raise UsageError(f"events: {name!r} is no name: letters, digits, ' ', . - _")
        if not isinstance(g, (Event, str)) and not callable(g):
            raise UsageError(f"events[{name!r}] must be a function (t, q, v) -> number, got {g!r}")
        event = g if isinstance(g, Event) else Event(g)
        if isinstance(event.g, str):
            if not isinstance(system, System):
                raise UsageError(f"events[{name!r}]: '{event.g}' needs the system that has it")
            event = dataclasses.replace(event, g=system.observable(event.g))
        found[name] = event
    return found


def check_watched(where: str, watched: Mapping[str, str], events: Mapping[str, Event]) -> None:
    """Raise unless a run that goes on watches what it has watched."""
    names = ", ".join(watched)
    if set(watched) != set(events):
        told = f"{{{', '.join(f'{name!r}: ...' for name in watched)}}}" if watched else "None"
        raise UsageError(
            f"{where} is a run that watches {f'the events {names}' if watched else 'no events'}: "
            f"resume(store, events={told}) goes on with it"
        )
    for name, event in events.items():
        if watched[name] != event.identity:
            raise UsageError(
                f"{where}: event '{name}' was another one (its function, its direction, or when it "
                "ends the run); resume(..., insist=True) goes on all the same"
            )


__all__ = ["Event", "EventFunction", "check_watched", "named_events"]
