"""The record of the events of a run: counts, the rows there, and the members that they end.

The loop gives every step to an `EventWatch`, which returns the rows that count. So one mechanism
serves single runs and ensembles. What is found is decided by a detector (`detect_rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import jax
import numpy as np

from ...results import Events
from ...results.checkpoint import EventCheckpoint
from ..request.step import AsNumber, StopRule
from ..rows import Rows, Start
from .detect_rows import Roots, detector_for
from .event import Event
from .observables import watched

ENDED = -1  # result of rows of a member after its end: not good, and no failure
STOPPED = "stop_when"  # the name under which members are listed that a rule has ended


class EventWatch:
    """The events of some members, while rows of every step come in: how many, and who has ended."""

    def __init__(
        self, events: Mapping[str, Event], start: Start, stop_when: StopRule | None = None
    ) -> None:
        """`stop_when` ends members of an ensemble at the first row where it holds.

        It is listed as an event of that name. A single run has it in its compiled step.
        """
        self.events, self.start = events, start
        self.names = (*events, STOPPED) if stop_when is not None else tuple(events)
        self._rule = None
        if stop_when is not None:
            self._rule = watched(start, {STOPPED: AsNumber(stop_when)})
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
        self._first_over = np.full(start.members, np.inf)  # the first step after the end of each
        self.parts: list[Events] = []

    @property
    def may_end(self) -> bool:
        """Whether an event can end a run."""
        return bool(np.any(self.ends_at))

    def feed(self, rows: Rows) -> tuple[Rows, Rows | None]:
        """The rows that count, and the last row of a single run that has ended here.

        In an ensemble rows are those of all members: after its end a member is not good.
        """
        stops = self._stops(rows)
        if stops is not None:
            behind = np.arange(len(rows.k))[:, None] > stops[None]
            rows = rows._replace(result=np.where(behind & rows.good, ENDED, rows.result))
        last = self._detected(rows) if self.events else None
        if not self.parts:
            self.parts.append(self._nothing(rows))
        if self.start.single:
            if last is None:
                return rows, None
            before = rows.take(slice(0, int(np.searchsorted(rows.k, last.k[0]))))
            return _appended(before, last), last
        if stops is not None:
            self._stop(rows, stops)
        over = rows.k[:, None] >= self._first_over[None]
        return rows._replace(result=np.where(over, ENDED, rows.result)), None

    def _detected(self, rows: Rows) -> Rows | None:
        """Count the events until the last of these rows; the row at which one has ended a run."""
        found = self.detector.detect(_without(rows, ~np.isnan(self.ended)))
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
                self._first_over[m] = found.rows.k[i]
                last = found.rows.take(slice(i, i + 1))
                self.detector.ends_at(int(m), last)
        self.detector.check_defined(found, np.where(np.isnan(self.ended), np.inf, self.ended))
        if kept:
            self.parts.append(self._events(found, np.array(kept, int)))
        return last

    def _nothing(self, rows: Rows) -> Events:
        """No event, of the right shapes."""
        none = np.zeros(0, int)
        row = jax.tree.map(lambda x: x[:0, :1], rows._replace(k=None, t=None))
        return self._listed(none, none, row._replace(k=none, t=np.zeros(0)))

    def _stops(self, rows: Rows) -> np.ndarray | None:
        """For each member the first of these rows where the rule holds; past the last if none."""
        if self._rule is None or not len(rows.k):
            return None
        holds = (self._rule(rows)[0] != 0.0) & rows.good & (rows.k > 0)[:, None]
        holds &= np.isnan(self.ended)[None]
        return np.where(np.any(holds, axis=0), np.argmax(holds, axis=0), len(rows.k))

    def _stop(self, rows: Rows, stops: np.ndarray) -> None:
        """End the members at their rows, but for those that an event has ended before."""
        which = np.flatnonzero((stops < len(rows.k)) & np.isnan(self.ended))
        if not len(which):
            return
        at = stops[which]
        self.ended[which], self.steps[which] = rows.times[at, which], rows.k[at]
        self._first_over[which] = rows.k[at] + 1
        own = jax.tree.map(lambda x: x[at, which][:, None], rows._replace(k=None, t=None))
        last = own._replace(k=rows.k[at], t=rows.times[at, which])
        number = np.full(len(which), len(self.events))
        self.parts.append(self._listed(number, which, last))
        for i, m in enumerate(which):
            self.detector.ends_at(int(m), last.take(slice(i, i + 1)))

    def _events(self, found: Roots, chosen: np.ndarray) -> Events:
        return self._listed(found.which[chosen], found.member[chosen], found.rows.take(chosen))

    def _listed(self, which: np.ndarray, member: np.ndarray, rows: Rows) -> Events:
        row = jax.tree.map(lambda x: x[:, 0], rows._replace(k=None, t=None))
        return Events(
            names=self.names,
            which=which,
            member=member + self.start.first,
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

    def beside(self, worst: float) -> Callable[[], EventCheckpoint]:
        """What has to be kept of them now, for a run that goes on later."""
        parts, watched = tuple(self.parts), {name: e.identity for name, e in self.events.items()}
        return lambda: EventCheckpoint(Events.joined(parts), watched, worst)

    def go_on(self, events: Events, last: Rows) -> None:
        """Continue after these events, from the last row that was searched."""
        self.detector.detect(last)
        self.parts = [events]
        np.add.at(self.counts, (events.which, events.member), 1)


def _without(rows: Rows, members: np.ndarray) -> Rows:
    """Members that have ended are not searched again."""
    return rows._replace(result=np.where(members[None], ENDED, rows.result))


def _appended(rows: Rows, last: Rows) -> Rows:
    return jax.tree.map(lambda a, b: np.concatenate([a, b.astype(a.dtype)]), rows, last)


__all__ = ["ENDED", "EventWatch"]
