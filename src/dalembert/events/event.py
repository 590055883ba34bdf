"""`Event`, the compiled evaluation of event functions at rows, and the events of a run.

The loop passes every step to an `EventWatch`, which returns the rows that count; this serves single
runs and ensembles. A detector (`detect_rows`, `detect_polynomials`) finds the events. A resumed run
must have the same events as before (`check_watched`).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import jax
import numpy as np

from ..compile.cache.code_key import CodeKey, fingerprint
from ..compile.cache.registry import cached
from ..compile.tracing import shape_of
from ..compile.xla import Compiled
from ..errors import UsageError
from ..request.step import AsNumber, StopRule
from ..results import Events
from ..results.checkpoint import EventCheckpoint
from ..rows import Rows, Start
from ..system import System
from .detect_rows import Roots, detector_for

EventFunction: TypeAlias = Callable[..., Any]  # (t, q, v) -> number


@dataclasses.dataclass(frozen=True)
class Event:
    """An event happens where a function g(t, q, v) goes through zero.

    g may also be the name of a coordinate or velocity: `Event("x_dot", terminal=True)`.

    A jump of g from one sign to the other, also through infinity, is an event as well.
    `direction=1` takes only zeros at which g increases, -1 those at which it decreases.
    `terminal=True` ends the run there, with a last row at the event; `count=k` ends it at the k-th.

    Only a change of sign between two steps is detected. A g that touches zero and turns back, or
    changes sign twice within a step, is missed (take a smaller h). With `Taylor`, all changes of
    sign of g as a polynomial in time are found. If g is not a polynomial (`abs`, a steep function,
    a jump), changes of sign between probes are found: 16 or more in a step and 512 in a run. The
    same holds for each member of an ensemble. A run that starts at g = 0 does not begin with an
    event. But if round-off has put the start on the side of zero from which g then crosses, that is
    an event, unless `direction` excludes it.
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
            raise UsageError(f"Event: count must be an integer of at least 1, got {self.count!r}")
        if self.terminal and self.count is not None:
            raise UsageError(
                "Event: give terminal (the first zero ends the run) or count (that "
                "zero ends it), not both"
            )

    @property
    def ends_at(self) -> int | None:
        """The number of the occurrence that ends the run; None if none does."""
        return 1 if self.terminal else self.count

    @property
    def identity(self) -> str:
        """A string that identifies the event, to compare it with another one."""
        return f"{self.direction}, {self.ends_at}, {fingerprint(self.g)}"


def named_events(events: Any, system: Any = None) -> dict[str, Event]:
    """Return events by name from `events=`: functions, `Event`s or names of coordinates."""
    if events is None:
        return {}
    if not isinstance(events, Mapping) or not events:
        raise UsageError('events takes names and functions: {"apex": lambda t, q, v: v[1]}')
    result = {}
    for name, g in events.items():
        if not isinstance(name, str) or not re.fullmatch(r"[\w .-]+", name):
            raise UsageError(f"events: {name!r} is not a valid name (letters, digits, ' ', . - _)")
        if not isinstance(g, (Event, str)) and not callable(g):
            raise UsageError(f"events[{name!r}] must be a function (t, q, v) -> number, got {g!r}")
        event = g if isinstance(g, Event) else Event(g)
        if isinstance(event.g, str):
            if not isinstance(system, System):
                raise UsageError(f"events[{name!r}]: '{event.g}' needs the system that has it")
            event = dataclasses.replace(event, g=system.observable(event.g))
        result[name] = event
    return result


def check_watched(where: str, watched: Mapping[str, str], events: Mapping[str, Event]) -> None:
    """Raise unless a resumed run has the events of the run before."""
    names = ", ".join(watched)
    if set(watched) != set(events):
        text = f"{{{', '.join(f'{name!r}: ...' for name in watched)}}}" if watched else "None"
        raise UsageError(
            f"{where} is a run with {f'the events {names}' if watched else 'no events'}: continue "
            f"it with resume(store, events={text})"
        )
    for name, event in events.items():
        if watched[name] != event.identity:
            raise UsageError(
                f"{where}: event '{name}' has changed (its function, its direction, or when it "
                "ends the run); resume(..., insist=True) continues nevertheless"
            )


Observable = Callable[..., jax.Array]

_NUMBERS = (256, 16384)  # points per call, for few rows and for many: two compilations at most


def check_observables(where: str, *functions: Any) -> None:
    """Raise `UsageError` unless all observables are functions or names."""
    for f in functions:
        if not callable(f) and not isinstance(f, str):
            raise UsageError(
                f"{where}: an observable is a function (q, v) -> number, or the name of a "
                f"coordinate or velocity; got {f!r}"
            )


def observing(
    sink: object, start: Start, *given: Observable | str
) -> Callable[[Rows], list[np.ndarray]]:
    """Return a function: rows -> values (rows, members) of each observable of (q, v).

    An observable is a function or the name of a coordinate or velocity.
    """
    where = type(sink).__name__
    functions = tuple(start.system.observable(f) if isinstance(f, str) else f for f in given)
    check_values(
        where, "an observable takes (q, v)", "an observable is one number", start, functions
    )
    compiled = _compiled(CodeKey(functions))
    return in_blocks(start.members, lambda rows: compiled(rows.q, rows.v))


def watched(start: Start, functions: dict[str, Observable]) -> Callable[[Rows], list[np.ndarray]]:
    """Return a function: rows -> values (rows, members) of each function of (t, q, v)."""
    for name, f in functions.items():
        text = f"event '{name}'"
        check_values(text, "g takes (t, q, v)", "g is one number", start, (f,), np.zeros(()))
    compiled = _compiled(CodeKey(tuple(functions.values())), timed=True)
    return in_blocks(start.members, lambda rows: compiled(rows.q, rows.v, rows.times))


def check_values(
    where: str, takes: str, gives: str, start: Start, functions: tuple[Observable, ...], *time: Any
) -> None:
    """Raise `UsageError` unless each function returns one number."""
    q, v = start.system.groupoid.base.identity(), np.zeros(start.system.dim)
    for f in functions:
        try:
            result = shape_of(f, *time, q, v)
        except TypeError as error:
            raise UsageError(f"{where}: {takes}: {error}") from error
        except IndexError as error:
            raise UsageError(f"{where}: {error}") from error
        if jax.tree.structure(result) != jax.tree.structure(0.0) or result.shape:
            told = getattr(result, "shape", type(result).__name__)
            raise UsageError(f"{where}: {gives}, got {told}")


def in_blocks(members: int, f: Callable[[Rows], Any]) -> Callable[[Rows], list[np.ndarray]]:
    """Return a function that evaluates f in blocks of rows.

    Blocks have one of two sizes, so that nothing is compiled for another number of rows. The last
    block is filled up with copies of the last row.
    """
    few, many = (max(n // max(members, 1), 1) for n in _NUMBERS)

    def values(rows: Rows) -> list[np.ndarray]:
        if rows.on_device:  # few different lengths, so few compilations
            return [np.asarray(y) for y in f(rows)]
        n, parts = len(rows.k), []
        block = few if n <= few else many
        for a in range(0, n, block):
            part = rows.take(np.minimum(np.arange(a, a + block), n - 1))
            parts.append([np.asarray(y)[: n - a] for y in f(part)])
        return [np.concatenate(column) for column in zip(*parts)]

    return values


@cached(maxsize=64)
def _compiled(functions: CodeKey[tuple[Observable, ...]], timed: bool = False) -> Compiled:
    def values(q, v, *t):
        rows = [(lambda q, v, *t, f=f: f(*t, q, v)) for f in functions.value]
        result = [jax.vmap(jax.vmap(f))(q, v, *t) for f in rows]
        functions.settle()
        return result

    return jax.jit(values)


ENDED = -1  # result code of a member's rows after its end: not good, but not a failure
STOPPED = "stop_when"  # name of the event that lists the members ended by `stop_when`


class EventWatch:
    """Detects and lists the events of some members, while rows of every step come in.

    It counts the events and remembers which members have ended.
    """

    def __init__(
        self, events: Mapping[str, Event], start: Start, stop_when: StopRule | None = None
    ) -> None:
        """Watch `events`; `stop_when` ends members of an ensemble at the first row where it holds.

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
        self.ended = np.full(start.members, np.nan)  # end time of each member; NaN if not ended
        self.steps = np.zeros(start.members, int)
        self._first_over = np.full(start.members, np.inf)  # the first step after the end of each
        self.parts: list[Events] = []

    @property
    def may_end(self) -> bool:
        """Whether an event can end a run."""
        return bool(np.any(self.ends_at))

    def feed(self, rows: Rows) -> tuple[Rows, Rows | None]:
        """Return the rows that count, and the last row of a single run if it has ended here.

        In an ensemble the rows are those of all members; a member is not good after its end.
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
        """Count the events up to the last of these rows; return the row at which one ends a run."""
        roots = self.detector.detect(_without(rows, ~np.isnan(self.ended)))
        order = np.lexsort((roots.which, roots.rows.t, roots.member))
        kept, last = [], None
        for i in order:
            e, m = roots.which[i], roots.member[i]
            if not np.isnan(self.ended[m]):
                continue
            self.detector.check(roots, i)
            kept.append(i)
            self.counts[e, m] += 1
            if self.counts[e, m] == self.ends_at[e]:
                self.ended[m], self.steps[m] = roots.rows.t[i], roots.rows.k[i]
                self._first_over[m] = roots.rows.k[i]
                last = roots.rows.take(slice(i, i + 1))
                self.detector.ends_at(int(m), last)
        self.detector.check_defined(roots, np.where(np.isnan(self.ended), np.inf, self.ended))
        if kept:
            self.parts.append(self._events(roots, np.array(kept, int)))
        return last

    def _nothing(self, rows: Rows) -> Events:
        """Return an empty list of events with the right shapes."""
        none = np.zeros(0, int)
        row = jax.tree.map(lambda x: x[:0, :1], rows._replace(k=None, t=None))
        return self._listed(none, none, row._replace(k=none, t=np.zeros(0)))

    def _stops(self, rows: Rows) -> np.ndarray | None:
        """Return for each member the index of the first row where `stop_when` holds.

        If there is none, it is the number of rows. None means that there is nothing to check.
        """
        if self._rule is None or not len(rows.k):
            return None
        holds = (self._rule(rows)[0] != 0.0) & rows.good & (rows.k > 0)[:, None]
        holds &= np.isnan(self.ended)[None]
        return np.where(np.any(holds, axis=0), np.argmax(holds, axis=0), len(rows.k))

    def _stop(self, rows: Rows, stops: np.ndarray) -> None:
        """End the members at these rows, except those that an event has ended before."""
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
        """Return all events so far."""
        return Events.joined(self.parts)

    def beside(self, worst: float) -> Callable[[], EventCheckpoint]:
        """Return a function that makes the event state of a checkpoint at this moment."""
        parts, watched = tuple(self.parts), {name: e.identity for name, e in self.events.items()}
        return lambda: EventCheckpoint(Events.joined(parts), watched, worst)

    def go_on(self, events: Events, last: Rows) -> None:
        """Continue after these events, from the last row that was searched."""
        self.detector.detect(last)
        self.parts = [events]
        np.add.at(self.counts, (events.which, events.member), 1)


def _without(rows: Rows, members: np.ndarray) -> Rows:
    """Mark members that have ended as not good, so that they are not searched again."""
    return rows._replace(result=np.where(members[None], ENDED, rows.result))


def _appended(rows: Rows, last: Rows) -> Rows:
    return jax.tree.map(lambda a, b: np.concatenate([a, b.astype(a.dtype)]), rows, last)
