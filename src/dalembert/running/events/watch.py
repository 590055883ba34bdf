"""The record of the events of a run: counts, the rows there, and the members that they end.

The loop gives every step to a `Watch`, which returns the rows that count. So one mechanism serves
single runs and ensembles. What is found is decided by a detector (`detect`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import jax
import numpy as np

from ...results import Events
from ...results.checkpoint import EventCheckpoint
from ..observing import watched
from ..rows import Rows, Start
from .detect import Roots, detector_for
from .event import Event

ENDED = -1  # result of rows of a member after its end: not good, and no failure


class Watch:
    """The events of some members, while rows of every step come in: how many, and who has ended."""

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

    def beside(self, worst: float) -> Callable[[], EventCheckpoint]:
        """What has to be kept of them now, for a run that goes on later."""
        parts, watched = tuple(self.parts), {name: e.identity for name, e in self.events.items()}
        return lambda: EventCheckpoint(Events.joined(parts), watched, worst)

    def go_on(self, events: Events, last: Rows) -> None:
        """After these events, and after the row that was looked at last."""
        self.detector.detect(last)
        self.parts = [events]
        np.add.at(self.counts, (events.which, events.member), 1)


def _without(rows: Rows, members: np.ndarray) -> Rows:
    """What has ended is not looked at again."""
    return rows._replace(result=np.where(members[None], ENDED, rows.result))


def _appended(rows: Rows, last: Rows) -> Rows:
    return jax.tree.map(lambda a, b: np.concatenate([a, b.astype(a.dtype)]), rows, last)


__all__ = ["ENDED", "Watch"]
