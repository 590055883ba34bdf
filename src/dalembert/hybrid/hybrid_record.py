"""What a hybrid run has left so far: rows, jumps, warnings; and the result that is made of them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from ..compile.fingerprint import fingerprint
from ..errors import UsageError
from ..methods import Row
from ..results import HybridTrajectory, Identity, Jumps, Meta
from ..results.hybrid_trajectory import OVER_TIME, joined_rows, padded
from ..results.spaces import space_to_json
from ..running.record.sinks import RowSink, SinkSchedule, SinkStates, finished
from ..running.rows import AnySink, Rows, Start
from ..system import Point
from .mode_program import Leap, ModeProgram, Node
from .modes import Modes


class Record:
    """Rows and jumps, in the order in which they came."""

    def __init__(self, modes: Modes, steppers: dict[str, ModeProgram], every: int) -> None:
        self.modes, self.steppers, self.every = modes, steppers, every
        first = next(iter(steppers.values()))
        self.t0, self.h, self.steps = first.t0, first.h, first.steps
        self.parts: list[dict[str, Any]] = []
        self.rows = 0
        self.jumps: list[tuple[Any, ...]] = []
        self.warnings: list[str] = []
        self.wall_s = 0.0
        self.given: HybridTrajectory | None = None  # what a resumed run goes on from
        self.chosen: np.ndarray | None = None  # steps to save, in place of every k-th
        self.feeding: SinkStates | None = None  # sinks beside the rows
        self._waiting: Rows | None = None  # the last row, that no sink has seen yet

    def one(self, mode: str, row: Row, node: Node) -> None:
        """The row at a jump, before it or after it; that of the start."""
        self._append(mode, *jax.tree.map(lambda x: np.asarray(x)[None], (row, node.frame)))

    def save(self, sinks: Mapping[str, AnySink], start: Start) -> None:
        """Which rows of the grid are saved, and what is made of them beside."""
        schedule = SinkSchedule(sinks, None, start)
        rows = [name for name, sink in sinks.items() if isinstance(sink, RowSink)]
        if len(rows) > 1:
            raise UsageError(f"a hybrid run saves its rows once: give one of {', '.join(rows)}")
        wanted = schedule.wanted[rows[0]] if rows else start.steps
        if isinstance(wanted, int):
            self.every = wanted
        else:
            self.chosen = wanted
        others = {name: sink for name, sink in sinks.items() if name not in rows}
        if others:
            self.feeding = SinkStates(SinkSchedule(others, None, start))

    def start(self, mode: str, row: Row, node: Node) -> None:
        """The row that a run begins with."""
        self.one(mode, row, node)
        if self.feeding is not None:
            first = jax.tree.map(lambda x: np.asarray(x)[None], (row, node.frame))
            self._feed(self.as_rows(mode, first[0], first[1], np.array([0])))

    def many(self, mode: str, rows: Row, frames: Point, k: np.ndarray) -> None:
        """Rows of the grid: to the sinks, and those that are saved."""
        if self.feeding is not None:
            self._feed(self.as_rows(mode, rows, frames, k))
        which = self._saved(k)
        if not np.all(which):
            rows, frames = jax.tree.map(lambda x: x[which], (rows, frames))
        self._append(mode, rows, frames)

    def _saved(self, k: np.ndarray) -> np.ndarray:
        """Which steps of the grid are saved."""
        if self.chosen is not None:
            return np.isin(k, self.chosen)
        return (k % self.every == 0) | (k == self.steps)

    def as_rows(self, mode: str, rows: Row, frames: Point, k: np.ndarray) -> Rows:
        """As sinks are fed with them: one member, multipliers of the mode with the most."""
        system = self.steppers[mode].system
        reactions = padded(np.asarray(rows.multiplier), self._constraints)
        many = rows._replace(multiplier=reactions)
        member = jax.tree.map(lambda x: np.asarray(x)[:, None], (many, frames))
        return Rows.of(np.asarray(k), member[0], member[1] if system.groupoid.group.dim else None)

    def _feed(self, rows: Rows) -> None:
        """To the sinks, but for the last row: the mode may turn out to have ended before it."""
        assert self.feeding is not None
        if self._waiting is not None:
            rows = jax.tree.map(lambda a, b: np.concatenate([a, b]), self._waiting, rows)
        self._waiting = rows.take(slice(-1, None))
        if len(rows.k) > 1:
            self.feeding.feed(rows.take(slice(0, -1)))

    def finished(self, last: int) -> dict[str, Any]:
        """What the sinks have made of the rows until step `last`, where the run has ended."""
        if self.feeding is None:
            return {}
        if self._waiting is not None:
            self.feeding.feed(self._waiting, last)
            self._waiting = None
        return {k or "result": x for k, x in finished([self.feeding]).items()}

    @functools.cached_property
    def _constraints(self) -> int:
        return max(x.plan.constraints for x in self.steppers.values())

    def _append(self, mode: str, rows: Row, frames: Point) -> None:
        n = len(rows.t)
        if not n:
            return
        reduced = self.steppers[mode].system.groupoid.group.dim
        number = np.full(n, self.modes.names.index(mode))
        self.parts.append(rows._asdict() | {"frame": frames if reduced else None, "mode": number})
        self.rows += n

    def forget_last(self, k: int) -> None:
        """The row of step k, behind which the mode turned out to have ended."""
        self._waiting = None
        if self._saved(np.array([k]))[0]:
            self.parts[-1] = jax.tree.map(lambda x: x[:-1], self.parts[-1])
            self.rows -= 1

    @property
    def last_time(self) -> float:
        """The time of the last row."""
        return float(self.parts[-1]["t"][-1])

    def jump(
        self, number: int, between: tuple[str, str], nodes: tuple[Node, Node], leap: Leap
    ) -> None:
        """A jump behind the last row, by a transition of this number."""
        (node, new), (source, target) = nodes, map(self.modes.names.index, between)
        counts = (number, source, target, self.rows - 1)
        numbers = (node.t, node.q, new.q, node.v, new.v, *leap[2:5])
        self.jumps.append((counts, numbers))

    def recent(self, t: float, most: int) -> int:
        """How many of the last jumps came after t."""
        return sum(x[1][0] > t for x in self.jumps[-most:])

    def warn(self, text: str) -> None:
        """Once."""
        if text not in self.warnings:
            self.warnings.append(text)

    # -- the result --------------------------------------------------------------------------

    def result(self, k: int, node: Node, standing: Mapping[str, np.ndarray]) -> HybridTrajectory:
        """What there is until step k, where the run stands."""
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
        counts = np.array([x[0] for x in self.jumps], int).reshape(-1, 4)
        arrays: dict[str, Any] = {k: counts[:, i] for i, k in enumerate(named)}
        numbers = ("t", "q", "q_after", "v_before", "v_after", "impulse")
        numbers += ("energy_before", "energy_after")
        one = jax.tree.map(np.asarray, node)
        empty = (one.t, one.q, one.q, one.v, one.v, one.v, one.t, one.t)
        rows = jax.tree.map(
            lambda like, *x: np.stack(x) if x else np.zeros((0, *np.shape(like))),
            empty,
            *(x[1] for x in self.jumps),
        )
        names = tuple(x.title for x in self.modes.transitions)
        return Jumps(names, self.modes.names, **arrays, **dict(zip(numbers, rows)))

    def meta_of(self, name: str) -> Meta:
        """What a mode was."""
        stepper = self.steppers[name]
        engine, reason = stepper.engine
        return Meta.of(
            stepper.system,
            stepper.method,
            identity=stepper.plan.identity(stepper.system),
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
    """Who the whole is, apart from its modes: the code of its transitions."""
    return Identity(system=f":{modes.name}", system_code=fingerprint(*modes.transitions))


def _continued(
    given: HybridTrajectory, arrays: dict[str, Any], jumps: Jumps
) -> tuple[dict[str, Any], Jumps]:
    """What there was, and what came after it."""
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
