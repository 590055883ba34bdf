"""Events: functions of (t, q, v) whose zeros are found on the way, and may end a run.

The loop gives every step to a `Watch`, which passes them on to the sinks, until the end if an event
ends the run. So one mechanism serves single runs and ensembles, and a step costs little more.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import jax
import numpy as np

from ...compile.fingerprint import fingerprint
from ...errors import UsageError
from ...results import Events
from ...results.checkpoint import Beside
from ..observing import watched
from ..rows import Rows, Start
from .detect import Roots, detector_for

EventFunction: TypeAlias = Callable[..., Any]  # (t, q, v) -> number

ENDED = -1  # result of rows of a member after its end: not good, and no failure


@dataclasses.dataclass(frozen=True)
class Event:
    """A function g(t, q, v) to watch: it happens where g goes through zero.

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

    g: EventFunction
    direction: int = 0
    terminal: bool = False
    count: int | None = None

    def __post_init__(self) -> None:
        if not callable(self.g):
            raise UsageError(f"Event: g is a function (t, q, v) -> number, got {self.g!r}")
        if self.direction not in (-1, 0, 1):
            raise UsageError(f"Event: direction must be 1, -1 or 0, got {self.direction!r}")
        if self.count is not None and (not isinstance(self.count, int) or self.count < 1):
            raise UsageError(f"Event: count must be a whole number from 1 on, got {self.count!r}")
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


def named_events(events: Any) -> dict[str, Event]:
    """Events by name, from what `events=` was given."""
    if events is None:
        return {}
    if not isinstance(events, Mapping) or not events:
        raise UsageError('events takes names and functions: {"apex": lambda t, q, v: v[1]}')
    found = {}
    for name, g in events.items():
        if not isinstance(name, str) or not re.fullmatch(r"[\w .-]+", name):
            raise UsageError(f"events: {name!r} is no name: letters, digits, ' ', . - _")
        if not isinstance(g, Event) and not callable(g):
            raise UsageError(f"events[{name!r}] must be a function (t, q, v) -> number, got {g!r}")
        found[name] = g if isinstance(g, Event) else Event(g)
    return found


class Watch:
    """The events of some members, while rows of every step come in."""

    def __init__(self, events: Mapping[str, Event], start: Start) -> None:
        self.events, self.start = events, start
        functions = {name: e.g for name, e in events.items()}
        directions = tuple(e.direction for e in events.values())
        self.detector = detector_for(
            start,
            tuple(events),
            directions,
            tuple(functions.values()),
            lambda s: watched(s, functions),
        )
        self.ends_at = np.array([e.ends_at or 0 for e in events.values()])
        self.counts = np.zeros((len(events), start.members), int)
        self.ended = np.full(start.members, np.nan)  # times of the ends, of those that have ended
        self.steps = np.zeros(start.members, int)
        self.parts: list[Events] = []

    @property
    def may_end(self) -> bool:
        """Whether an event can end a run."""
        return bool(np.any(self.ends_at))

    def feed(self, rows: Rows) -> tuple[Rows, Rows | None]:
        """The rows that count, and the last row of a single run that has ended here.

        In an ensemble rows are those of all members: after its end a member is not good.
        """
        found = self.detector.feed(_without(rows, ~np.isnan(self.ended)))
        order = np.lexsort((found.which, found.rows.t, found.member))
        kept, last = [], None
        for i in order:
            e, m = found.which[i], found.member[i]
            if not np.isnan(self.ended[m]):
                continue
            self.detector.check(found, i)
            kept.append(i)
            self.counts[e, m] += 1
            if self.counts[e, m] == self.ends_at[e]:
                self.ended[m], self.steps[m] = found.rows.t[i], found.rows.k[i]
                last = found.rows.take(slice(i, i + 1))
                self.detector.ends_at(int(m), last)
        self.detector.check_defined(found, np.where(np.isnan(self.ended), np.inf, self.ended))
        if kept or not self.parts:
            self.parts.append(self._events(found, np.array(kept, int)))
        if self.start.single:
            if last is None:
                return rows, None
            before = rows.take(slice(0, int(np.searchsorted(rows.k, last.k[0]))))
            return _appended(before, last), last
        over = rows.k[:, None] >= np.where(np.isnan(self.ended), np.inf, self.steps)[None]
        return rows._replace(result=np.where(over, ENDED, rows.result)), None

    def _events(self, found: Roots, chosen: np.ndarray) -> Events:
        rows = found.rows.take(chosen)
        row = jax.tree.map(lambda x: x[:, 0], rows._replace(k=None, t=None))
        return Events(
            names=tuple(self.events),
            which=found.which[chosen],
            member=found.member[chosen] + self.start.first,
            step=rows.k,
            t=rows.t,
            q=row.q,
            v=row.v,
            p=row.p,
            multiplier=row.multiplier,
            frame=row.frame,
            residual=row.residual,
        )

    def found(self) -> Events:
        """All of them."""
        return Events.joined(self.parts)

    def beside(self, worst: float) -> Callable[[], Beside]:
        """What has to be kept of them now, for a run that goes on later."""
        parts, watched = tuple(self.parts), {name: e.identity for name, e in self.events.items()}
        return lambda: Beside(Events.joined(parts), watched, worst)

    def go_on(self, events: Events, last: Rows) -> None:
        """After these events, and after the row that was looked at last."""
        self.detector.feed(last)
        self.parts = [events]
        np.add.at(self.counts, (events.which, events.member), 1)


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


def _without(rows: Rows, members: np.ndarray) -> Rows:
    """What has ended is not looked at again."""
    return rows._replace(result=np.where(members[None], ENDED, rows.result))


def _appended(rows: Rows, last: Rows) -> Rows:
    return jax.tree.map(lambda a, b: np.concatenate([a, b.astype(a.dtype)]), rows, last)


__all__ = ["ENDED", "Event", "Watch", "check_watched", "named_events"]
