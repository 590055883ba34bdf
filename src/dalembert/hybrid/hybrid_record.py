"""The rows, jumps and warnings of a hybrid run so far, and the result made from them."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from ..compile.cache.code_key import fingerprint
from ..methods import Row
from ..results import HybridTrajectory, Identity, Jumps, Meta
from ..results.hybrid_trajectory import OVER_TIME, joined_rows, padded
from ..results.spaces import space_to_json
from ..rows import AnySink, Rows, Start
from ..running.record.sinks import RowSink, SinkSchedule, SinkStates, finished
from ..system import Point
from .arc_ranks import ArcRanks, ArcRows
from .arc_turn import Kind, TurnRow
from .mode_program import Leap, ModeProgram, Node
from .modes import Modes

_OFF = -1  # in place of the step number, for rows that are not on the grid


class Record:
    """Rows and jumps of a hybrid run, in order."""

    def __init__(self, modes: Modes, steppers: dict[str, ModeProgram], every: int) -> None:
        self.modes, self.steppers, self.every = modes, steppers, every
        first = next(iter(steppers.values()))
        self.t0, self.h, self.steps = first.t0, first.h, first.steps
        self.parts: list[dict[str, Any]] = []
        self.rows = 0
        self.grid: list[np.ndarray] = []  # step numbers of the rows in `parts`
        # per jump: (transition, source, target, row), and its values
        self.jumps: list[tuple[np.ndarray, Any]] = []
        self.jump_times: list[float] = []
        self.warnings: list[str] = []
        self.wall_s = 0.0
        self.given: HybridTrajectory | None = None  # the run that a resumed run continues
        self.chosen: np.ndarray | None = None  # numbers of the steps to save, if not every k-th
        self.feeding: SinkStates | None = None  # sinks other than the saved rows
        self._waiting: Rows | None = None  # the last row, not yet passed to the sinks
        self.ranks: ArcRanks | None = None  # watches the constraints, if their rank may change
        self._begins = False  # whether the next row begins an arc
        self.last_time = math.nan  # time of the last row
        self.forgotten: list[int] = []  # numbers of steps whose rows, saved elsewhere, are void

    def one(self, mode: str, row: Row, node: Node) -> None:
        """Add one row: before or after a jump, or at the start."""
        rows, frames = jax.tree.map(lambda x: np.asarray(x)[None], (row, node.frame))
        self._watch(mode, rows, frames)
        self._append(mode, rows, frames, np.array([_OFF]))

    def save(self, sinks: Mapping[str, AnySink], start: Start) -> None:
        """Set which rows of the grid are saved, and the other sinks."""
        schedule = SinkSchedule(sinks, None, start)
        rows = [name for name, sink in sinks.items() if isinstance(sink, RowSink)]
        wanted = schedule.wanted[rows[0]] if rows else start.steps
        if isinstance(wanted, int):
            self.every = wanted
        else:
            self.chosen = wanted
        others = {name: sink for name, sink in sinks.items() if name not in rows}
        if others:
            self.feeding = SinkStates(SinkSchedule(others, None, start))

    def start(self, mode: str, row: Row, node: Node) -> None:
        """Add the first row of a run."""
        self.one(mode, row, node)
        if self.feeding is not None:
            first = jax.tree.map(lambda x: np.asarray(x)[None], (row, node.frame))
            self._feed(self.as_rows(mode, first[0], first[1], np.array([0])))

    def many(self, mode: str, rows: Row, frames: Point, k: np.ndarray, last: bool = False) -> None:
        """Pass rows of the grid to the sinks, and save those that are wanted.

        The `last` row of a run is always saved.
        """
        if self.feeding is not None:
            self._feed(self.as_rows(mode, rows, frames, k))
        self._watch(mode, rows, frames)
        which = self._saved(k)
        which[len(k) - 1 :] |= last
        if not np.all(which):
            rows, frames, k = jax.tree.map(lambda x: x[which], (rows, frames, k))
        self._append(mode, rows, frames, k)

    def _saved(self, k: np.ndarray) -> np.ndarray:
        """Return, for the step numbers k, which of these rows are saved."""
        if self.chosen is not None:
            return np.isin(k, self.chosen)
        return (k % self.every == 0) | (k == self.steps)

    def as_rows(self, mode: str, rows: Row, frames: Point, k: np.ndarray) -> Rows:
        """Return rows for sinks: one member, and as many multipliers as any mode has at most."""
        system = self.steppers[mode].system
        reactions = padded(np.asarray(rows.multiplier), self._constraints)
        many = rows._replace(multiplier=reactions)
        member = jax.tree.map(lambda x: np.asarray(x)[:, None], (many, frames))
        return Rows.of(np.asarray(k), member[0], member[1] if system.groupoid.group.dim else None)

    def _feed(self, rows: Rows) -> None:
        """Pass rows to the sinks, except the last row, before which the mode may have ended."""
        assert self.feeding is not None
        if self._waiting is not None:
            rows = jax.tree.map(lambda a, b: np.concatenate([a, b]), self._waiting, rows)
        self._waiting = rows.take(slice(-1, None))
        if len(rows.k) > 1:
            self.feeding.feed(rows.take(slice(0, -1)))

    def finished(self, last: int) -> dict[str, Any]:
        """Return the results of the sinks up to step `last`, where the run has ended."""
        if self.feeding is None:
            return {}
        if self._waiting is not None:
            self.feeding.feed(self._waiting, last)
            self._waiting = None
        return {k or "result": x for k, x in finished([self.feeding]).items()}

    @functools.cached_property
    def _constraints(self) -> int:
        return max(x.plan.constraints for x in self.steppers.values())

    def _append(self, mode: str, rows: Row, frames: Point, k: np.ndarray) -> None:
        n = len(rows.t)
        if not n:
            return
        reduced = self.steppers[mode].is_reduced
        number = np.full(n, self.modes.names.index(mode))
        self.parts.append(rows._asdict() | {"frame": frames if reduced else None, "mode": number})
        self.grid.append(np.asarray(k))
        self.rows += n
        self.last_time = float(np.asarray(rows.t)[-1])

    def _watch(self, mode: str, rows: Row, frames: Point) -> None:
        """Pass rows to `ranks`, which watches the constraints."""
        n, begins = len(rows.t), self._begins
        self._begins = False
        if self.ranks is not None and n:
            number = np.full(n, self.modes.names.index(mode))
            first = np.arange(n) < begins
            data = jax.tree.map(np.asarray, (rows.t, rows.q, rows.v, frames))
            self.ranks.feed(ArcRows(0 * number, number, first, *data))

    def begin_anew(self, last_time: float) -> None:
        """Forget all rows, which are saved elsewhere; the last of them was at `last_time`."""
        self.parts, self.grid, self.jumps, self.forgotten = [], [], [], []
        self.rows, self.last_time = 0, last_time

    def forget_last(self, k: int) -> None:
        """Remove the row of step k, because the mode has ended before it."""
        self._waiting = None
        if not self.rows:
            self.forgotten.append(k)
        elif self._saved(np.array([k]))[0]:
            self.parts[-1] = jax.tree.map(lambda x: x[:-1], self.parts[-1])
            self.grid[-1] = self.grid[-1][:-1]
            self.rows -= 1

    def jump(
        self, number: int, between: tuple[str, str], nodes: tuple[Node, Node], leap: Leap
    ) -> None:
        """Add a jump after the last row, by the transition with this index."""
        self._begins = True
        (node, new), (source, target) = nodes, map(self.modes.names.index, between)
        numbers = (node.t, node.q, new.q, node.v, new.v, *leap[2:5])
        numbers = jax.tree.map(lambda x: np.asarray(x, float)[None], numbers)
        self._jumped(np.array([[number, source, target, self.rows - 1]]), numbers)

    def _jumped(self, counts: np.ndarray, numbers: Any) -> None:
        self.jumps.append((counts, numbers))
        self.jump_times += [float(x) for x in numbers[0]]

    def turned(self, rows: TurnRow, last: bool = False) -> None:
        """Add rows of native turns in order: of the grid, and before and after jumps."""
        on_grid, behind = rows.kind == Kind.GRID, rows.kind == Kind.AFTER
        if self.feeding is not None and np.any(on_grid):
            row, frames = jax.tree.map(lambda x: x[on_grid], (rows.row, rows.frame))
            mode = self.modes.names[int(rows.mode[0])]
            self._feed(self.as_rows(mode, row, frames, rows.k[on_grid]))
        if self.ranks is not None and len(rows.k):
            data = jax.tree.map(np.asarray, (rows.row.t, rows.row.q, rows.row.v, rows.frame))
            member = 0 * rows.mode
            self.ranks.feed(ArcRows(member, rows.mode.astype(int), behind, *data))
        saved = ~on_grid | self._saved(rows.k)
        saved[len(saved) - 1 :] |= last
        if np.any(behind):
            places = self.rows + np.cumsum(saved) - 1
            after = np.flatnonzero(behind)
            before = after - 1  # the row before a jump directly precedes the one after it
            taken, left = (jax.tree.map(lambda x, i=i: x[i], rows) for i in (after, before))
            counts = [taken.transition, taken.source, taken.mode, places[before]]
            numbers = (left.row.t, left.row.q, taken.row.q, taken.v_before, taken.row.v)
            numbers += (taken.impulse, taken.energies[:, 0], taken.energies[:, 1])
            self._jumped(np.stack(counts, axis=1), numbers)
        if not np.all(saved):
            rows = jax.tree.map(lambda x: x[saved], rows)
        if not len(rows.k):
            return
        reduced = next(iter(self.steppers.values())).system.groupoid.group.dim
        frames = rows.frame if reduced else None
        self.parts.append(rows.row._asdict() | {"frame": frames, "mode": rows.mode})
        self.grid.append(np.where(rows.kind == Kind.GRID, rows.k, _OFF))
        self.rows += len(rows.k)
        self.last_time = float(rows.row.t[-1])

    def as_turn_rows(self, since: int, jumps: int) -> TurnRow | None:
        """Return the rows after the first `since`, with the last `jumps`, as rows of native turns.

        A row that is neither on the grid nor after a jump counts as a row before a jump.
        """
        if self.rows == since:
            return None
        arrays = joined_rows(self.parts, self._constraints)
        row = Row(**{name: arrays[name] for name in Row._fields})
        row = jax.tree.map(lambda x: np.asarray(x, float)[since:], row)
        n, whole = self.rows - since, np.zeros(self.rows - since)
        k = np.concatenate(self.grid)[since:]
        kind = np.where(k == _OFF, int(Kind.BEFORE), int(Kind.GRID))
        transition, source = whole.copy(), whole.copy()
        v, impulse = np.zeros_like(row.v), np.zeros_like(row.v)
        energies = np.zeros((n, 2))
        counts, numbers = [x[0] for x in self.jumps], [x[1] for x in self.jumps]
        if jumps:
            last = np.concatenate(counts)[-jumps:]
            told = jax.tree.map(lambda *x: np.concatenate(x)[-jumps:], *numbers)
            before = last[:, 3] - since
            after = before + 1
            kind[after] = Kind.AFTER
            transition[after], source[after] = last[:, 0], last[:, 1]
            v[after], impulse[after] = told[3], told[5]
            energies[after] = np.stack(told[6:8], axis=1)
        mode = np.asarray(arrays["mode"])[since:]
        frame = jax.tree.map(lambda x: x[since:], arrays["frame"])
        if frame is None:
            frame = next(iter(self.steppers.values())).plan.state.zeros().frame
            frame = jax.tree.map(lambda x: np.repeat(x[None], n, axis=0), frame)
        return TurnRow(
            kind,
            mode,
            np.maximum(k, 0),
            whole,
            transition,
            source,
            row,
            frame,
            v,
            impulse,
            energies,
        )

    def heaps_up(self, rows: TurnRow, h: float, limit: int) -> int | None:
        """Return the first row after a jump that has more than `limit` jumps within h."""
        after = np.flatnonzero(rows.kind == Kind.AFTER)
        old = self.jump_times[-limit:]
        t = np.concatenate([old, rows.row.t[after]])
        result = np.flatnonzero(t[limit:] - h < t[: max(len(t) - limit, 0)])
        return int(after[limit + result[0] - len(old)]) if len(result) else None

    def warn(self, text: str) -> None:
        """Add a warning, unless it is there already."""
        if text not in self.warnings:
            self.warnings.append(text)

    # -- the result --------------------------------------------------------------------------

    def result(self, k: int, node: Node, standing: Mapping[str, np.ndarray]) -> HybridTrajectory:
        """Return the trajectory up to step k, at the present node."""
        metas = tuple(self.meta_of(name) for name in self.modes.names)
        arrays = joined_rows(self.parts, max(x.constraints for x in metas)) if self.parts else {}
        jumps = self._jumps(node)
        if self.given is not None:
            arrays, jumps = _continued(self.given, arrays, jumps)
        return HybridTrajectory(
            **arrays,
            modes=self.modes.names,
            jumps=jumps,
            meta=self._meta(metas, k),
            metas=metas,
            planned=self.steps,
            standing=standing,
        )

    def _jumps(self, node: Node) -> Jumps:
        named = ("transition", "source", "target", "row")
        counts = np.concatenate([np.zeros((0, 4), int), *(x[0] for x in self.jumps)])
        arrays: dict[str, Any] = {k: counts[:, i] for i, k in enumerate(named)}
        numbers = ("t", "q", "q_after", "v_before", "v_after", "impulse")
        numbers += ("energy_before", "energy_after")
        one = jax.tree.map(np.asarray, node)
        empty = (one.t, one.q, one.q, one.v, one.v, one.v, one.t, one.t)
        rows = jax.tree.map(
            lambda like, *x: np.concatenate([np.zeros((0, *np.shape(like))), *x]),
            empty,
            *(x[1] for x in self.jumps),
        )
        names = tuple(x.title for x in self.modes.transitions)
        return Jumps(names, self.modes.names, **arrays, **dict(zip(numbers, rows)))

    def meta_of(self, name: str) -> Meta:
        """Return the metadata of a mode."""
        stepper = self.steppers[name]
        engine, reason = stepper.engine
        return Meta.of(
            stepper.system,
            stepper.method,
            identity=stepper.plan.identity(stepper.system, stepper.method),
            h=self.h,
            t0=self.t0,
            save_every=self.every,
            constraints=stepper.plan.constraints,
            engine=engine,
            engine_reason=reason,
        )

    def _meta(self, metas: tuple[Meta, ...], k: int) -> Meta:
        engines = sorted({x.engine for x in metas if x.engine})
        first = self.modes.systems[self.modes.names[0]]
        compiling = sum(x.compile_s for x in self.steppers.values())
        return Meta(
            system=self.modes.name,
            method=", ".join(dict.fromkeys(x.method for x in metas)),
            h=self.h,
            t0=self.t0,
            steps=k,
            save_every=self.every,
            coordinate_names=first.coordinate_labels,
            velocity_names=first.velocity_labels,
            units=tuple(first.units),
            space=repr(first.space),
            space_json=space_to_json(first.space),
            constraints=max(x.constraints for x in metas),
            identity=identity_of(self.modes),
            warnings=tuple(self.warnings),
            wall_s=max(self.wall_s - compiling, 0.0),
            compile_s=compiling,
            engine=" and ".join(engines),
            engine_reason="; ".join(
                dict.fromkeys(x.engine_reason for x in metas if x.engine_reason)
            ),
        )


def identity_of(modes: Modes) -> Identity:
    """Return what identifies a hybrid system besides its modes: the code of its transitions."""
    return Identity(system=f":{modes.name}", system_code=fingerprint(*modes.transitions))


def _continued(
    given: HybridTrajectory, arrays: dict[str, Any], jumps: Jumps
) -> tuple[dict[str, Any], Jumps]:
    """Return rows and jumps of the original run followed by those of the resumed one."""
    names = [f.name for f in dataclasses.fields(Jumps) if f.name not in ("names", "modes")]
    old, new = ({k: getattr(x, k) for k in names} for x in (given.jumps, jumps))
    new["row"] = new["row"] + len(given)
    both = jax.tree.map(lambda *x: np.concatenate(x), old, new)
    if not arrays:
        return {k: getattr(given, k) for k in ("t", *OVER_TIME)}, dataclasses.replace(jumps, **both)
    rows = jax.tree.map(
        lambda *x: np.concatenate(x), {k: getattr(given, k) for k in arrays}, arrays
    )
    return rows, dataclasses.replace(jumps, **both)
