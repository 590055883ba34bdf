"""Pass rows of members that advance at different speeds to sinks, in order.

The members of a hybrid ensemble jump at different times, so that a call of native code leaves them
at different steps. The rows of a step wait here until all members have passed that step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np

from ..events import ENDED
from ..linalg import OK
from ..methods import Row
from ..request.step import time_at
from ..rows import AnySink, Rows, Start
from ..running.record.sinks import RowSink, SinkSchedule, SinkStates
from .arc_turn import TurnRow


class RowPlan:
    """Which rows of the grid are made, which are saved, and what other sinks there are."""

    def __init__(self, sinks: Mapping[str, AnySink], start: Start) -> None:
        schedule = SinkSchedule(sinks, None, start)
        rows = [name for name, sink in sinks.items() if isinstance(sink, RowSink)]
        wanted = schedule.wanted[rows[0]] if rows else start.steps
        self._wanted: np.ndarray | int = wanted
        self.steps, self.stride = start.steps, schedule.stride
        others = {name: sink for name, sink in sinks.items() if name not in rows}
        self.others = SinkSchedule(others, None, start) if others else None

    @property
    def every(self) -> int:
        """Steps between saved rows, for the description of a run."""
        return self._wanted if isinstance(self._wanted, int) else self.stride

    def saved(self, k: np.ndarray) -> np.ndarray:
        """Return which steps of the grid are saved."""
        if isinstance(self._wanted, int):
            return (k % self._wanted == 0) | (k == self.steps)
        return np.isin(k, self._wanted)


class MemberSinks:
    """The sinks of a block of members, and the rows that wait for slower members."""

    def __init__(
        self,
        schedule: SinkSchedule,
        first: int,
        members: int,
        unpack: Callable[[np.ndarray], TurnRow],
        has_frame: bool,
    ) -> None:
        self.states = SinkStates(schedule, first, members)
        self._start, self._members, self._unpack = schedule.start, members, unpack
        self._has_frame = has_frame
        self._stride, self._steps = schedule.stride, schedule.start.steps
        self._next = 0  # rows that were fed; row j is that of step min(j * stride, steps)
        self._waiting: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # member, row, numbers

    def add(self, member: np.ndarray, k: np.ndarray, numbers: np.ndarray) -> None:
        """Add rows of the grid, of any members."""
        mine = (k % self._stride == 0) | (k == self._steps)
        self._waiting.append((member[mine], -(-k[mine] // self._stride), numbers[mine]))

    def forget(self, member: int, k: int) -> None:
        """Remove the row of a member at step k: its mode has ended before."""
        for i, (members, rows, numbers) in enumerate(self._waiting):
            kept = (members != member) | (rows != -(-k // self._stride))
            self._waiting[i] = (members[kept], rows[kept], numbers[kept])

    def feed(self, certain: np.ndarray) -> None:
        """Feed the rows up to the last step that is final for all members.

        `certain` has the last final step of each member; for one that has ended, it is the last
        step of the run.
        """
        low = int(np.min(certain))
        upto = -(-self._steps // self._stride) if low >= self._steps else low // self._stride
        if upto < self._next:
            return
        member, row, numbers = (np.concatenate(x) for x in zip(*self._waiting))
        ready = row <= upto
        self._waiting = [(member[~ready], row[~ready], numbers[~ready])]
        self.states.feed(
            self._dense(member[ready], row[ready] - self._next, numbers[ready], upto), self._steps
        )
        self._next = upto + 1

    def _dense(self, member: np.ndarray, row: np.ndarray, numbers: np.ndarray, upto: int) -> Rows:
        """Return the rows of all members; a row after the end of its member has result ENDED."""
        n = upto + 1 - self._next
        table = np.zeros((n, self._members, numbers.shape[1]))
        table[row, member] = numbers
        there = np.zeros((n, self._members), bool)
        there[row, member] = True
        k = np.minimum(np.arange(self._next, upto + 1) * self._stride, self._steps)
        result = self._unpack(table)
        one: Row = result.row._replace(result=np.where(there, OK, ENDED))
        rows = Rows.of(k, one, result.frame if self._has_frame else None)
        return rows._replace(t=time_at(self._start.t0, self._start.h, k))


class CollectedRows:
    """Rows of single runs, one after the other, fed to sinks as a block of members."""

    def __init__(self, schedule: SinkSchedule, first: int, members: int) -> None:
        self.states = SinkStates(schedule, first, members)
        self._start, self._runs = schedule.start, list[Rows]()
        self._k = np.array([*range(0, schedule.start.steps, schedule.stride), schedule.start.steps])

    def add(self, rows: Rows) -> None:
        """Add the rows of the next member, up to where it ended.

        If modes are decided during a run, members differ in their multipliers, which are left out.
        """
        widths = {x.multiplier.shape[2] for x in (rows, *self._runs[:1])}
        self._runs.append(rows)
        if len(widths) > 1:
            self._runs = [x._replace(multiplier=x.multiplier[:, :, :0]) for x in self._runs]

    def feed(self) -> None:
        """Feed all rows."""
        n = len(self._k)

        def padded(x: Any, rows: Rows, fill: float = 0.0) -> Any:
            at = np.searchsorted(self._k, rows.k)
            out = np.full((n, *x.shape[1:]), fill, x.dtype)
            out[at] = x
            return out

        parts = [
            jax.tree.map(lambda x, r=r: padded(x, r), r._replace(k=None, t=None, result=None))
            for r in self._runs
        ]
        whole = jax.tree.map(lambda *x: np.concatenate(x, axis=1), *parts)
        result = [padded(np.asarray(r.result), r, ENDED) for r in self._runs]
        t = time_at(self._start.t0, self._start.h, self._k)
        self.states.feed(
            whole._replace(k=self._k, t=t, result=np.concatenate(result, axis=1)), self._start.steps
        )
