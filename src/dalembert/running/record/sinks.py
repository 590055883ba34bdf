"""Sinks that save rows (every k-th, chosen times, the last, a stream to disk), and their feeding.

    simulate(sleigh, h=0.05, steps=200, save=Every(10))
    turning = Statistics(lambda q, v: v[2], every=10)
    over = grid(a=[0.1, 0.2, 0.3])
    simulate_ensemble(sleigh, over=over, h=0.05, steps=200, save={"": Every(100), "spin": turning})

A sink declares which steps it reads (`SinkSchedule`). The loop over steps feeds it their rows
(`SinkStates`). Blocks of members are fed separately, on different cores, and combined in the order
of members, so the result does not depend on which core computed what. Derive new sinks from
`rows.Sink`.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

import jax
import numpy as np

from ...compile.layout import Tree
from ...errors import UsageError
from ...events import Event, EventFunction, EventWatch
from ...files import PathLike
from ...methods import Method
from ...request.step import time_at
from ...request.validate import Given, Parameters
from ...results import Meta, Trajectory
from ...results.checkpoint import EventCheckpoint
from ...rows import AnySink, Rows, Sink, Start, as_rows, as_trajectory
from ...storage.store import Store, check_new_store
from ...system import System
from . import parasitic_mode

Save: TypeAlias = AnySink | Mapping[str, AnySink]


class RunOptions(TypedDict, total=False):
    """Keyword arguments that `simulate` and `simulate_ensemble` share."""

    h: float | None
    steps: int | None
    t: float | None
    t0: float
    events: Mapping[str, Event | EventFunction] | None
    save: Save | None
    save_every: int | None
    project: bool
    u: Given
    progress: bool | None
    engine: str | None


# -- rows ----------------------------------------------------------------------------------------


class Buffer:
    """Rows so far, in memory that grows as it is filled."""

    def __init__(self, total: int) -> None:
        self.total, self.count = total, 0
        self.columns: list[np.ndarray] = []
        self.tree: Tree = None

    def add(self, rows: Rows) -> None:
        leaves, self.tree = jax.tree.flatten(rows)
        if not self.columns:
            # Allocated once for the whole run.
            self.columns = [np.empty((self.total, *x.shape[1:]), x.dtype) for x in leaves]
        at = slice(self.count, self.count + len(rows.k))
        for column, new in zip(self.columns, leaves):
            column[at] = new
        self.count = at.stop

    def rows(self) -> Rows:
        return jax.tree.unflatten(self.tree, [x[: self.count] for x in self.columns])


class RowSink(Sink[Buffer, Rows]):
    """A sink whose result is rows: a `Trajectory` of one run, an `Ensemble` of many."""

    def init(self, start: Start) -> Buffer:
        return Buffer(start.rows)

    def feed(self, state: Buffer, rows: Rows) -> Buffer:
        state.add(rows)  # even if there are none: an empty buffer then knows its shapes
        return state

    def combine(self, states: Sequence[Buffer]) -> Buffer:
        if len(states) == 1:
            return states[0]
        whole = Buffer(0)
        whole.count, whole.tree = states[0].count, states[0].tree
        first = states[0].rows()
        # Times are the same for all blocks, and are not concatenated.
        shared = {id(x) for x in (first.k, first.t) if x.ndim == 1}
        for i, x in enumerate(jax.tree.leaves(first)):
            parts = [x] if id(x) in shared else [s.columns[i][: s.count] for s in states]
            whole.columns.append(np.concatenate(parts, axis=0 if len(parts) == 1 else 1))
        return whole

    def finish(self, state: Buffer) -> Rows:
        return state.rows()


@dataclasses.dataclass(frozen=True)
class Every(RowSink):
    """Save the first row, every k-th step and the last one."""

    every: int | None = 1


@dataclasses.dataclass(frozen=True)
class Final(RowSink):
    """Save the last row only; memory does not grow with the number of steps."""

    at_the_end = True

    def init(self, start: Start) -> Buffer:
        return Buffer(1)

    def feed(self, state: Buffer, rows: Rows) -> Buffer:
        if len(rows.k):  # a run that ends early has another last step
            state.count = 0
            state.add(rows.take(slice(-1, None)))
        return state


@dataclasses.dataclass(frozen=True)
class At(RowSink):
    """Save the rows at chosen times; a step must end at each of them, except with `Taylor`."""

    times: Sequence[float]

    def __post_init__(self) -> None:
        try:
            times = np.asarray(self.times, dtype=float)
        except (TypeError, ValueError):
            times = np.zeros(0)
        if times.ndim != 1 or not times.size or not np.all(np.diff(times) > 0):
            raise UsageError(f"At needs increasing times, got {self.times!r}")
        if not np.all(np.isfinite(times)):
            raise UsageError(f"At needs finite times, got {self.times!r}")

    def chosen_steps(self, start: Start) -> np.ndarray:
        if start.own_steps:
            raise UsageError(
                "At: an adaptive method chooses where its steps end; save all rows (save_every=1) "
                "and interpolate between them, traj.at(times)"
            )
        times = np.asarray(self.times, dtype=float)
        if start.times is not None:  # output times of all sinks together
            return np.searchsorted(start.times, times)
        # 1e-9 of h: times are decimal numbers, and steps are sums in binary.
        k = np.rint((times - start.t0) / start.h)
        end = time_at(start.t0, start.h, start.steps)
        off = ~np.isclose(time_at(start.t0, start.h, k), times, rtol=1e-12, atol=1e-9 * start.h)
        if np.any((k < 0) | (k > start.steps)):
            raise UsageError(
                f"At: the times {times[0]:g} to {times[-1]:g} are not within the run, t = "
                f"{start.t0:g} to {end:g}"
            )
        if np.any(off):
            t, near = times[off][0], time_at(start.t0, start.h, k[off][0])
            raise UsageError(
                f"At: no step ends at t = {t:.15g}; the nearest ends at {near:.15g}. Choose h so "
                "that it divides the times"
            )
        return k.astype(int)


class OpenStore:
    """The store of a stream, created with its first rows, and the rows not yet written to it."""

    def __init__(self, total: int, store: Store | None = None) -> None:
        self.total, self.store = total, store
        self.waiting: list[Rows] = []
        self.last: Rows | None = None
        self.beside: Callable[[], EventCheckpoint] = (
            EventCheckpoint  # event state to write at the next checkpoint
        )


@dataclasses.dataclass(frozen=True)
class Stream(Sink[OpenStore, Rows]):
    """Write rows to a new Zarr store while they are computed, with a checkpoint beside them.

    Memory stays small, and `resume(path)` continues after a crash. The result is the last row;
    `load(path)` reads the others, at any time. An ensemble is written in slices of `members` (by
    default at least 32 slices, of at most 64 MiB of rows); `every=None` saves its last rows only.
    """

    path: PathLike
    every: int | None = 1
    members: int | None = None

    def init(self, start: Start) -> OpenStore:
        check_new_store(self.path)
        return OpenStore(start.rows)

    def feed(self, state: OpenStore, rows: Rows) -> OpenStore:
        if len(rows.k):
            state.waiting.append(rows)
            state.last = rows.take(slice(-1, None))
        return state

    def checkpoint(self, state: OpenStore, records: Mapping[str, np.ndarray], meta: Meta) -> None:
        rows = [as_trajectory(x, meta) for x in state.waiting]
        state.waiting = []
        if state.store is None:
            first = rows.pop(0)
            state.store = Store.create(self.path, first, state.total, records, state.beside)
        # None writes the checkpoint alone.
        for more in rows or [None]:  # also without new rows: records and events have changed
            state.store.add(more, records, meta, state.beside)

    def finish(self, state: OpenStore) -> Rows:
        assert state.last is not None
        return state.last


# -- which steps each sink reads -----------------------------------------------------------------


def check_every(where: str, every: Given) -> int:
    """Return `every` as a positive integer, or raise `UsageError`."""
    if isinstance(every, bool) or not isinstance(every, (int, np.integer)) or every < 1:
        raise UsageError(f"{where}: every must be an integer of at least 1, got {every!r}")
    return int(every)


def named(save: Given, many: bool = False) -> dict[str, AnySink]:
    """Return the sinks by name from the argument `save=`."""
    given = dict(save) if isinstance(save, Mapping) else {"": save}
    if not given:
        raise UsageError('save takes a sink, or names and sinks: {"energy": Statistics(f)}')
    for name, sink in given.items():
        if not isinstance(name, str) or not re.fullmatch(r"[\w .-]*", name):
            raise UsageError(
                f"save: {name!r} is not a valid name for a result (letters, digits, ' ', . - _)"
            )
        if not isinstance(sink, Sink):
            hint = f"; make one: {sink.__name__}(...)" if isinstance(sink, type) else ""
            raise UsageError(
                f"{_shown(name)} must be a sink such as Every(10) or Statistics(f), got "
                f"{sink!r}{hint}"
            )
    # A resumed run could not continue a sink whose state is not in the store.
    if len(given) > 1 and not many and any(isinstance(sink, Stream) for sink in given.values()):
        raise UsageError(
            "a Stream must be the only sink, because a resumed run could not continue others: "
            "compute their results from its rows, da.load(path)"
        )
    return given


def _shown(name: str) -> str:
    return f"save[{name!r}]" if name else "save"


class SinkSchedule:
    """The sinks of a run by name, and the steps that each reads."""

    def __init__(
        self,
        sinks: Mapping[str, AnySink],
        save_every: int | None,
        start: Start,
        at_every_step: bool = False,
    ) -> None:
        self.sinks, self.start, self.at_every_step = sinks, start, at_every_step
        # Number of steps between rows if watches need rows closer together than the sinks do (a
        # divisor of the sinks' stride), otherwise 0.
        self.at_least = 0
        self.wanted: dict[str, np.ndarray | int] = {}
        for name, sink in sinks.items():
            chosen = sink.chosen_steps(start)
            every = sink.every if sink.every is not None else save_every
            if chosen is not None:
                # the sink has chosen its steps itself, such as those at given times
                self.wanted[name] = chosen
            elif isinstance(sink, Final):
                self.wanted[name] = start.steps
            elif every is not None:
                self.wanted[name] = check_every(_shown(name), every)
            elif sink.at_the_end:  # default: the last rows of an ensemble, all rows of one run
                self.wanted[name] = 1 if start.single else start.steps
            else:
                raise UsageError(
                    f"{_shown(name)} needs `every`, the steps between rows: 1 is every step"
                )

    def watched(self, system: System, method: Method, varying: Parameters = None) -> SinkSchedule:
        """Return the schedule with a sink for the parasitic mode, if the method has one."""
        start = self.start
        watch = parasitic_mode.watch(
            system, method, start.h, start.steps, self.stride, varying, start.members
        )
        if watch is None:
            return self
        if any(isinstance(sink, Stream) for sink in self.sinks.values()):
            # reads written rows only, because a resumed run has to read them again
            written = self.every(next(iter(self.sinks)))
            watch = dataclasses.replace(watch, every=math.lcm(watch.every, written))
        more = SinkSchedule({parasitic_mode.NAME: watch}, None, start, self.at_every_step)
        more.sinks, more.wanted = {**self.sinks, **more.sinks}, {**self.wanted, **more.wanted}
        more.at_least = self.at_least
        return more

    def looking_at(self, apart: int) -> SinkSchedule:
        """Make rows at most `apart` steps apart, if the sinks allow it; return the schedule.

        Rows are at multiples of one stride, which must divide the strides of all sinks. If no
        divisor is near `apart` (rows every 1009 steps), the next larger divisor is taken.
        """
        needed = self._needed
        # If the sinks read the last row only, any stride serves the watch.
        if needed >= self.start.steps > apart:
            self.at_least = apart
        elif needed > apart:
            # First a divisor close below `apart`, then the next one above.
            fits = (n for n in range(apart, apart // 4, -1) if needed % n == 0)
            more = (n for n in range(apart, needed) if needed % n == 0)
            self.at_least = next(fits, next(more, 0))
        return self

    @property
    def mode_watch(self) -> parasitic_mode.ModeWatch | None:
        """The sink that watches the parasitic mode, if there is one."""
        result = self.sinks.get(parasitic_mode.NAME)
        return result if isinstance(result, parasitic_mode.ModeWatch) else None

    @property
    def only_at_the_end(self) -> bool:
        """Whether all sinks read the last row only, not even the first."""
        return all(type(sink) is Final for sink in self.sinks.values())

    @property
    def stride(self) -> int:
        """Number of steps between rows that are made; the last row is always made."""
        return 1 if self.at_every_step else self.at_least or self._needed

    @property
    def _needed(self) -> int:
        """Number of steps between rows that all sinks together need."""
        if self.at_every_step:
            return 1
        result = 0
        for steps in self.wanted.values():
            inner = [steps] if isinstance(steps, int) else [int(k) for k in steps]
            # The greatest common divisor: rows at its multiples serve all sinks.
            result = math.gcd(result, *(k for k in inner if k < self.start.steps))
        return result or self.start.steps

    def every(self, name: str | None = None) -> int:
        """Return the number of steps between the rows of a sink.

        For chosen times it is that of all sinks together.
        """
        steps = self.wanted.get(name or "", self._needed)
        return steps if isinstance(steps, int) else self._needed

    def rows(self, name: str | None = None) -> int:
        """Return how many rows a sink (or, without a name, all sinks) reads in a complete run."""
        steps = self.stride if name is None else self.wanted[name]
        return 2 + (self.start.steps - 1) // steps if isinstance(steps, int) else len(steps)

    def chosen(self, name: str, rows: Rows, last: int | None) -> np.ndarray:
        """Return a mask of the rows that a sink reads; `last` is the last step of an ended run."""
        steps, k = self.wanted[name], rows.k
        chosen = (k % steps == 0) | (k == last) if isinstance(steps, int) else np.isin(k, steps)
        if isinstance(steps, int) and name != parasitic_mode.NAME:
            return chosen
        # drop a last step that an event has shortened: its time and multiplier differ
        return chosen & (rows.t > self.start.time_of(k) - 1e-9 * self.start.h)


class SinkStates:
    """States of all sinks for one block of members, while rows come in."""

    def __init__(
        self, looking: SinkSchedule, first: int = 0, members: int = 1, pieces: Tree = None
    ) -> None:
        """Initialize all sinks.

        `pieces` are those of `Start`, for this block; a single run has them in `looking.start`.
        """
        self.looking = looking
        start = looking.start._replace(first=first, members=members)
        start = start if pieces is None else start._replace(pieces=pieces)
        self.states = {
            name: sink.init(start._replace(rows=looking.rows(name)))
            for name, sink in looking.sinks.items()
        }
        # The largest residual since the last row that a sink has read.
        self.worst: dict[str, np.ndarray | float] = dict.fromkeys(looking.sinks, 0.0)

    def feed(self, rows: Rows, last: int | None = None) -> None:
        """Feed the next rows to all sinks; `last` is the last step if the run has ended."""
        for name, sink in self.looking.sinks.items():
            chosen = np.flatnonzero(self.looking.chosen(name, rows, last))
            # A sink that reads none of these rows must not copy them from a GPU.
            if rows.on_device and not len(chosen):
                self._passed(name, rows.residual)
                continue
            # The usual case: a sink reads all rows, and nothing has to be copied.
            whole = len(chosen) == len(rows.k) and not np.any(self.worst[name])
            whole = whole or not len(rows.k)
            selected = rows if whole else self._thinned(name, rows, chosen)
            selected = selected if sink.on_device else selected.here()
            self.states[name] = sink.feed(self.states[name], selected)

    def _thinned(self, name: str, rows: Rows, chosen: np.ndarray) -> Rows:
        """Return the chosen rows, each with the largest residual since the one before."""
        residual = np.array(rows.residual)
        # A residual between two rows counts for the later one: thinning hides no violation.
        residual[0] = np.maximum(residual[0], self.worst[name])
        after = chosen[-1] + 1 if len(chosen) else 0
        self.worst[name] = 0.0
        self._passed(name, residual[after:])
        selected = rows.take(chosen)
        if len(chosen):
            starts = np.concatenate([[0], chosen[:-1] + 1])
            selected = selected._replace(
                residual=np.maximum.reduceat(residual[:after], starts, axis=0)
            )
        return selected

    def _passed(self, name: str, residual: np.ndarray) -> None:
        """Carry the residuals of rows that a sink does not read over to its next row."""
        if len(residual):
            self.worst[name] = np.maximum(self.worst[name], residual.max(axis=0))

    def compile_watch(self, rows: Rows) -> None:
        """Compile the watch for the parasitic mode, before the run is timed; discard its result."""
        if (watch := self.looking.mode_watch) is not None:
            watch.feed(self.states[parasitic_mode.NAME], rows)

    def look_again(self, store: Path) -> None:
        """Check for the parasitic mode in the rows that an interrupted run has written."""
        if (watch := self.looking.mode_watch) is None:
            return
        rows = as_rows(Trajectory.load(store), self.looking.every())
        chosen = rows.take(rows.k % watch.every == 0)
        self.states[parasitic_mode.NAME] = watch.feed(self.states[parasitic_mode.NAME], chosen)

    def checkpoint(
        # Functions, because most runs write no checkpoint and need not build its contents.
        self,
        records: Callable[[], Mapping[str, np.ndarray]],
        meta: Callable[[], Meta],
        watch: EventWatch | None = None,
    ) -> None:
        """Pass a checkpoint to the sinks that write one; most runs have none."""
        for name, sink in self.looking.sinks.items():
            state = self.states[name]
            if isinstance(state, OpenStore) and watch is not None:
                state.beside = watch.beside(float(np.max(self.worst[name])))
            if type(sink).checkpoint is not Sink.checkpoint:
                sink.checkpoint(self.states[name], records(), meta())


def finished(blocks: Sequence[SinkStates]) -> dict[str, Any]:
    """Return the result of each sink over all blocks, by name."""
    sinks = blocks[0].looking.sinks
    return {name: _combined(blocks, name) for name in sinks if name != parasitic_mode.NAME}


def watched_mode(blocks: Sequence[SinkStates]) -> parasitic_mode.Mode | None:
    """Return the measurements of the parasitic mode; None if the run was not watched."""
    watch = blocks[0].looking.mode_watch
    return None if watch is None else _combined(blocks, parasitic_mode.NAME)


def watched_warnings(blocks: Sequence[SinkStates]) -> tuple[str, ...]:
    """Return the warnings about the parasitic mode, if the run was watched."""
    watch, mode = blocks[0].looking.mode_watch, watched_mode(blocks)
    return () if watch is None else parasitic_mode.warnings(watch.method, mode)


def _combined(blocks: Sequence[SinkStates], name: str) -> Tree:
    sink = blocks[0].looking.sinks[name]
    return sink.finish(sink.combine([block.states[name] for block in blocks]))
