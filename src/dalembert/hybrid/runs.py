"""A hybrid run: arcs of single modes, each ended by a guard, a time or the end, and jumps between.

An arc begins with a step of its own size that leads back to the grid t0 + k h, goes on in whole
steps, and ends with one that is as long as the zero of its guard wants it. So rows lie on the grid
but for those at jumps, of which there are two: before and after.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from ..compile.fingerprint import fingerprint
from ..errors import SimulationError, UsageError
from ..files import PathLike, check_writable
from ..linalg import MESSAGES, OK
from ..methods import Method, Row, default
from ..results import HybridTrajectory, Identity, Jumps, Meta, versions
from ..results.hybrid import joined_rows
from ..running import facts
from ..running.prepare import check_count, check_length, check_times, check_velocity
from ..running.progress import Progress
from ..system import Point
from .guards import Ended, Guards
from .modes import Modes, Transition
from .stepping import Leap, Marched, Node, Stepper, Tried, leap_of

_FEW = 64  # steps of the first call after a jump; each further one makes twice as many
_NEAR = 1e-3  # of a step: a point of the grid nearer than this after a jump is left out
_NOW = 1e-9  # of a step: nearer than this is the same time
_SECONDS = 2.0  # between two writings of a store, at least
_BEGUN, _ON_GRID, _MARCHING = range(3)  # how far an arc has come


def simulate(
    modes: Modes,
    mode: str | None = None,
    q0: Point = None,
    v0: Any = None,
    *,
    method: Method | Mapping[str, Method] | None = None,
    h: float | None = None,
    steps: int | None = None,
    t: float | None = None,
    t0: float = 0.0,
    save_every: int = 1,
    project: bool = False,
    jumps_per_step: int = 32,
    store: PathLike | None = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> HybridTrajectory:
    """Run a hybrid system from (q0, v0) in a mode, through all its jumps.

        run = da.hybrid.simulate(modes, "air", q0, v0, h=0.01, t=5.0)
        for jump in run.jumps: print(jump.t, jump.source, jump.target, jump.energy_lost)

    Args:
        modes: the systems and their transitions.
        mode: the mode to begin in, with `q0` and `v0` on its constraints; without all three, the
            start that `modes` names.
        method: for all modes, or one for each by name; default `Gauss(2)`.
        h, steps, t, t0: as for `da.simulate`; rows lie at t0 + k h, and at the jumps.
        save_every: keep every k-th row of the grid; those at jumps are kept all.
        project: replace q0, v0 off the constraint by the nearest on it.
        jumps_per_step: more jumps than this within h are refused as Zeno's: infinitely many in a
            finite time, or modes that send the motion to and fro.
        store: a `.zarr` or `.nc` file that is written anew from time to time, and at the end, for
            `hybrid.resume`.

    Raises:
        UsageError: for input that cannot be run.
        SimulationError: when a step fails, a jump leads off the constraint of the next mode, a
            zero cannot be located or jumps heap up; the run until there is attached.
    """
    begin = time.perf_counter()
    if not isinstance(modes, Modes):
        raise UsageError(f"hybrid.simulate takes Modes({{name: system}}, ...), got {modes!r}")
    if mode is None and q0 is None and v0 is None:
        if modes.start is None:
            raise UsageError("give a mode, q0 and v0: these modes name no start")
        mode, q0, v0 = modes.start
    if mode is None or q0 is None or v0 is None:
        raise UsageError("give a mode, q0 and v0, all three or none")
    h, steps = check_length(h, steps, t, t0)
    steps = check_count("steps", steps)
    h, t0 = (float(x) for x in check_times(h, t0))
    system = modes.system(mode)
    q, v = system.groupoid.base.check(q0, "q0"), check_velocity(system, v0)
    if store is not None:
        check_writable(store, (".zarr", ".nc"))
    run = _Run(modes, method, (t0, h, steps), check_count("save_every", save_every), engine)
    run.limit, run.store = check_count("jumps_per_step", jumps_per_step), store
    run.begin(mode, Node(t0, q, v, None), project)
    return run.to_the_end(begin, progress)


def resume(
    run: HybridTrajectory | PathLike,
    modes: Modes,
    *,
    steps: int | None = None,
    t: float | None = None,
    method: Method | Mapping[str, Method] | None = None,
    save_every: int | None = None,
    jumps_per_step: int = 32,
    insist: bool = False,
    progress: bool | None = None,
) -> HybridTrajectory:
    """Go on with a run, or with the file of one: to the end that it had, or to a later one.

    The numbers are those of an uninterrupted run. `modes` must be those of the run; what differs
    (code, parameters, methods, versions) is refused by name, and `insist=True` goes on all the
    same where it is the code or a version. A file is replaced by that of the whole run.
    """
    begin = time.perf_counter()
    store = None if isinstance(run, HybridTrajectory) else run
    given = run if isinstance(run, HybridTrajectory) else HybridTrajectory.load(run)
    meta = given.meta
    if t is not None or steps is not None:
        _, steps = check_length(meta.h, steps, t, meta.t0)
    steps = given.planned if steps is None else check_count("steps", steps)
    if steps < meta.steps:
        raise UsageError(f"the run has {meta.steps} steps already, more than {steps}")
    methods = method
    if methods is None:
        methods = {
            name: each.identity.make_method()
            for name, each in zip(given.modes, given.metas)
            if each.identity.method_is_known
        }
    every = meta.save_every if save_every is None else check_count("save_every", save_every)
    engine = next((x.engine for x in given.metas if x.engine), None)
    new = _Run(modes, methods, (meta.t0, meta.h, steps), every, engine)
    new.limit, new.store = check_count("jumps_per_step", jumps_per_step), store
    new.take_up(given, insist)
    return new.to_the_end(begin, progress)


# -- the loop ------------------------------------------------------------------------------------


class _Run:
    def __init__(
        self, modes: Modes, method: Any, times: tuple[float, float, int], every: int, engine: Any
    ) -> None:
        self.modes, self.every = modes, every
        self.t0, self.h, self.steps = times
        self.steppers: dict[str, Stepper] = {}
        self.guards: dict[str, Guards] = {}
        for name, system in modes.systems.items():
            leaving = modes.leaving(name)
            stepper = Stepper(system, _method(method, name), leaving, *times, engine)
            self.steppers[name], self.guards[name] = stepper, Guards(stepper, leaving)
        self.methods = method
        self.limit, self.store = 32, None
        self.parts: list[dict[str, Any]] = []
        self.rows = 0
        self.jumps: list[tuple[Any, ...]] = []
        self.warnings: list[str] = []
        self.mode, self.k, self.stage = "", 0, _BEGUN
        self.node = Node(self.t0, None, np.zeros(0), None)
        self.given: HybridTrajectory | None = None  # what a resumed run goes on from
        end = self.t0 + self.steps * self.h
        self.schedule = sorted(
            (when, i)
            for i, x in enumerate(modes.transitions)
            for when in x.at
            if self.t0 - _NOW * self.h <= when <= end + _NOW * self.h
        )
        self.wall_s = 0.0
        self.written = (time.monotonic(), 0.0)

    @property
    def stepper(self) -> Stepper:
        return self.steppers[self.mode]

    def begin(self, mode: str, node: Node, project: bool) -> None:
        """From initial data."""
        self.mode = mode
        try:
            self.node = self.stepper.checked(node, project)
        except UsageError as error:
            raise UsageError(f"mode '{mode}': {error}") from None
        guards = self.guards[mode]
        past = [i for i in guards.begin(self.node, self.h) if guards.far[i]]
        if past:
            g = self.stepper.guards(self.node)[past[0]]
            raise UsageError(
                f"the run would start in a wrong mode: the guard of {guards.names(past[:1])}, which "
                f"ends '{mode}', is past its zero already, at {g:.6g}. Start in another mode, or "
                "declare the transition with one_sided=False if the mode may be on both sides"
            )
        self._record(self.stepper.row(self.node), self.node)

    def to_the_end(self, begin: float, progress: bool | None) -> HybridTrajectory:
        """All arcs."""
        before, started = self.wall_s, begin
        try:
            with Progress(progress, self.steps) as bar:
                while True:
                    transition = self._arc(bar)
                    if transition is None:
                        break
                    self._jump(transition)
                    self._write()
        except KeyboardInterrupt as error:
            raise self._failure("interrupted") from error
        except SimulationError as error:
            if error.trajectory is not None:
                raise
            raise self._failure(str(error)) from error
        for when, i in list(self.schedule):
            self._missed(when, i)
        self.wall_s = before + time.perf_counter() - started
        found = self.result()
        if self.store is not None:
            found.save(self.store)
        return found

    def _arc(self, bar: Progress) -> Transition | None:
        """Until a transition, which is returned, or until the end of the run."""
        guards, stepper = self.guards[self.mode], self.stepper
        if self.stage == _BEGUN:
            past = guards.begin(self.node, self.h)
            if past:
                return guards.transitions[past[0]]
            if guards.unseen:
                self._warn(
                    f"the guard of {guards.names(guards.unseen)} stays at zero in mode "
                    f"'{self.mode}' from t = {self.node.t:.6g} on: it was not looked at in this arc"
                )
            stop, due = self._next_stop()
            size = stop - self.node.t
            if due is not None and size <= _NOW * self.h:
                return self._due()
            if size <= _NOW * self.h:
                self.k = self.steps
                return None
            ended = self._step(guards, size, due is None)
            if ended is not None or due is not None:
                return ended or self._due()
            self.stage = _ON_GRID
        budget = _FEW
        while self.k < self.steps:
            until, due = self._last_whole_step()
            if until <= self.k:
                assert due is not None
                return self._step(guards, due - self.node.t, False) or self._due()
            if self.stage == _MARCHING:
                rows = stepper.march_on(until, budget)
            else:
                guards.reached(self.node, stepper.guards(self.node))
                rows = stepper.march(self.node, self.k, until, budget)
            self.stage = _MARCHING
            ended = self._scanned(guards, rows)
            if ended is not None:
                return ended
            bar.update(self.k)
            self._write()
            budget *= 2
        return None

    def _scanned(self, guards: Guards, rows: Marched) -> Transition | None:
        """Rows of whole steps, as far as the mode lasts."""
        codes = np.asarray(rows.rows.result)
        failed = np.flatnonzero(codes != OK)
        good = int(failed[0]) if len(failed) else len(codes)
        count, ended = guards.scan(rows, good)
        if count < 0:
            self._forget_last()
        if count > 0:
            part = jax.tree.map(lambda x: x[:count], (rows.rows, rows.frames, rows.k))
            self._keep(*part)
            self.node, self.k = rows.node(count - 1), int(rows.k[count - 1])
        if ended is not None:
            return self._ended(guards, ended)
        if count == good and len(failed):
            tried, ended = guards.step(self.node, self.h)
            if ended is None:
                raise self._failed_step(
                    jax.tree.map(lambda x: x[good], rows.rows) if tried.is_good else tried.row
                )
            return self._ended(guards, ended)
        return None

    def _step(self, guards: Guards, size: float, to_grid: bool) -> Transition | None:
        """One step of some size, which may end the mode; to the grid, or to a time of a jump."""
        tried, ended = guards.step(self.node, size)
        if ended is not None:
            return self._ended(guards, ended)
        if not tried.is_good:
            raise self._failed_step(tried.row)
        if to_grid:  # exactly
            self.k = self._grid_before(tried.node.t)
            self.node = tried.node._replace(t=self.stepper.time_of(self.k))
            row = tried.row._replace(t=np.asarray(self.node.t))
            one = jax.tree.map(lambda x: np.asarray(x)[None], (row, self.node.frame, self.k))
            self._keep(*one)
        else:
            self.node = tried.node
            self._record(tried.row, self.node)
        return None

    def _ended(self, guards: Guards, ended: Ended) -> Transition:
        if ended.together:
            names = guards.names((ended.guard, *ended.together))
            self._warn(
                f"the guards of {names} vanish at the same instant, in mode '{self.mode}': "
                f"{guards.names([ended.guard])}, declared first, was taken"
            )
        if ended.at is not None:
            self.node = ended.at.node
            self._record(ended.at.row, self.node)
        elif self.parts[-1]["t"][-1] != self.node.t:  # at a row that was not kept
            self._record(self.stepper.row(self.node), self.node)
        return guards.transitions[ended.guard]

    # -- times -------------------------------------------------------------------------------

    def _grid_before(self, t: float) -> int:
        return min(math.floor((t - self.t0) / self.h + _NEAR), self.steps)

    def _next_stop(self) -> tuple[float, float | None]:
        """Where the first step of an arc ends: on the grid, or at a time that is due before."""
        k = min(self._grid_before(self.node.t) + 1, self.steps)
        on_grid = self.t0 + k * self.h
        due = self._next_due()
        if due is not None and due < on_grid + _NEAR * self.h:
            return due, due
        return on_grid, None

    def _last_whole_step(self) -> tuple[int, float | None]:
        due = self._next_due()
        if due is None:
            return self.steps, None
        return min(math.floor((due - self.t0) / self.h - _NEAR), self.steps), due

    def _next_due(self) -> float | None:
        """The next time at which a transition is due that ends this mode."""
        for when, i in [x for x in self.schedule if x[0] < self.node.t - _NOW * self.h]:
            self._missed(when, i)
        mine = [when for when, i in self.schedule if self.modes.transitions[i].ends(self.mode)]
        return mine[0] if mine else None

    def _missed(self, when: float, i: int) -> None:
        self.schedule.remove((when, i))
        title = self.modes.transitions[i].title
        self._warn(f"'{title}' at t = {when:g} did not happen: the mode was another one then")

    def _due(self) -> Transition:
        first = next(x for x in self.schedule if self.modes.transitions[x[1]].ends(self.mode))
        self.schedule.remove(first)
        return self.modes.transitions[first[1]]

    # -- jumps -------------------------------------------------------------------------------

    def _jump(self, transition: Transition) -> None:
        source, node = self.mode, self.node
        target = transition.target or source
        leap: Leap = leap_of(transition, self.modes.system(source), self.modes.system(target))(
            self.steppers[source].dynamic,
            self.steppers[target].dynamic,
            np.asarray(node.t),
            node.q,
            node.v,
        )
        who = f"the jump '{transition.title}' at t = {node.t:.15g}, into mode '{target}'"
        if not all(np.all(np.isfinite(x)) for x in jax.tree.leaves(leap[:2])):
            raise self._failure(
                f"{who}, gives no number: constraints of '{target}' depend on each other there, "
                "or the jump's own function fails"
            )
        try:
            new = self.steppers[target].checked(Node(node.t, leap.q, leap.v, node.frame))
        except UsageError as error:
            raise self._failure(f"{who}, leads to where it cannot go on: {error}") from None
        names = self.modes.names
        number = self.modes.transitions.index(transition)
        self.jumps.append(
            (
                (number, names.index(source), names.index(target), self.rows - 1),
                (node.t, node.q, new.q, node.v, new.v, *leap[2:]),
            )
        )
        self.mode, self.node, self.stage = target, new, _BEGUN
        self._record(self.stepper.row(new), new)
        recent = [x[1][0] > node.t - self.h for x in self.jumps[-self.limit - 1 :]]
        if sum(recent) > self.limit:
            raise self._failure(
                f"more than {self.limit} jumps within h = {self.h:g} (the last by "
                f"'{transition.title}'): jumps heap up in a finite time (Zeno), or modes send the "
                "motion to and fro. Let a transition end it (a bounce below some speed leads to a "
                "mode that holds the contact), or raise jumps_per_step"
            )

    # -- rows --------------------------------------------------------------------------------

    def _record(self, row: Row, node: Node) -> None:
        """The row at a jump, before it or after it; that of the start."""
        one = jax.tree.map(lambda x: np.asarray(x)[None], (row, node.frame))
        self._append(*one)

    def _keep(self, rows: Row, frames: Point, k: np.ndarray) -> None:
        """Rows of the grid."""
        if self.every > 1:
            which = (k % self.every == 0) | (k == self.steps)
            rows, frames = jax.tree.map(lambda x: x[which], (rows, frames))
        self._append(rows, frames)

    def _append(self, rows: Row, frames: Point) -> None:
        n = len(rows.t)
        if not n:
            return
        reduced = self.stepper.system.groupoid.group.dim
        mode = np.full(n, self.modes.names.index(self.mode))
        self.parts.append(rows._asdict() | {"frame": frames if reduced else None, "mode": mode})
        self.rows += n

    def _forget_last(self) -> None:
        """The last row of the grid, behind which the mode turned out to have ended."""
        if self.k % self.every == 0 or self.k == self.steps:
            self.parts[-1] = jax.tree.map(lambda x: x[:-1], self.parts[-1])
            self.rows -= 1
        self.k -= 1

    def _warn(self, text: str) -> None:
        if text not in self.warnings:
            self.warnings.append(text)

    # -- results -----------------------------------------------------------------------------

    def result(self) -> HybridTrajectory:
        """What there is so far."""
        metas = tuple(self._meta_of(name) for name in self.modes.names)
        most = max(x.constraints for x in metas)
        arrays = joined_rows(self.parts, most)
        jumps = self._jumps()
        if self.given is not None:
            arrays, jumps = _continued(self.given, arrays, jumps)
        return HybridTrajectory(
            **arrays,
            modes=self.modes.names,
            jumps=jumps,
            meta=self._meta(metas),
            metas=metas,
            planned=self.steps,
            standing=self._standing(),
        )

    def _jumps(self) -> Jumps:
        named = ("transition", "source", "target", "row")
        counts = np.array([x[0] for x in self.jumps], int).reshape(-1, 4)
        arrays: dict[str, Any] = {k: counts[:, i] for i, k in enumerate(named)}
        numbers = ("t", "q", "q_after", "v_before", "v_after", "impulse")
        numbers += ("energy_before", "energy_after")
        one = jax.tree.map(np.asarray, self.node)
        empty = (one.t, one.q, one.q, one.v, one.v, one.v, one.t, one.t)
        rows = jax.tree.map(
            lambda like, *x: np.stack(x) if x else np.zeros((0, *np.shape(like))),
            empty,
            *(x[1] for x in self.jumps),
        )
        names = tuple(x.title for x in self.modes.transitions)
        return Jumps(names, self.modes.names, **arrays, **dict(zip(numbers, rows)))

    def _meta_of(self, name: str) -> Meta:
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

    def _meta(self, metas: tuple[Meta, ...]) -> Meta:
        engines = sorted({x.engine for x in metas if x.engine})
        first = self.modes.systems[self.modes.names[0]]
        compiling = sum(x.compile_s for x in self.steppers.values())
        return Meta(
            system=self.modes.name,
            method=", ".join(dict.fromkeys(x.method for x in metas)),
            h=self.h,
            t0=self.t0,
            steps=self.k,
            save_every=self.every,
            coordinate_names=first.coordinate_labels,
            velocity_names=first.velocity_labels,
            units=tuple(first.units),
            space=repr(first.space),
            constraints=max(x.constraints for x in metas),
            identity=_identity(self.modes),
            warnings=(*self.warnings, *self._touched()),
            wall_s=max(self.wall_s - compiling, 0.0),
            compile_s=compiling,
            engine=" and ".join(engines),
            engine_reason="; ".join(dict.fromkeys(x.engine_reason for x in metas if x.engine_reason)),
        )

    def _touched(self) -> list[str]:
        return [
            f"the guard of {guards.names([i])} comes to zero near t = {when:.6g} in mode '{mode}' "
            "and turns round, which ends nothing: if it should, give a guard that changes its sign"
            for mode, guards in self.guards.items()
            for i, when in guards.touched.items()
        ]

    def _failed_step(self, row: Row) -> SimulationError:
        last = Row(*(getattr(row, x) for x in Row._fields))._replace(
            t=self.node.t, q=self.node.q, v=self.node.v
        )
        cause = facts.diagnosis(self.stepper.system, self.h, last, row)
        hint = ""
        if "rank" in cause:
            hint = (
                "; a mode has constraints of one rank: where it changes, end the mode by a guard "
                "that changes its sign there, and go on in one that has the rows that are left"
            )
        why = f"{MESSAGES[int(row.result)]}{cause} (residual {float(row.residual):.2e}){hint}"
        return self._failure(f"{self.stepper.method.name} on {self.stepper.system.name()}: {why}")

    def _failure(self, why: str) -> SimulationError:
        found = self.result()
        if self.store is not None:
            found.save(self.store)
        told = f"the {len(found)} rows and {len(found.jumps)} jumps until then are attached"
        return SimulationError(
            f"mode '{self.mode}', after t = {self.node.t:g}: {why}; {told} to this error as "
            ".trajectory.",
            trajectory=found,
            step=self.k,
            time=float(self.node.t),
        )

    def _write(self) -> None:
        last, took = self.written
        now = time.monotonic()
        if self.store is not None and now - last > max(_SECONDS, 10.0 * took):
            self.result().save(self.store)
            self.written = (time.monotonic(), time.monotonic() - now)

    # -- to go on ----------------------------------------------------------------------------

    def _standing(self) -> np.ndarray:
        """[mode, step, stage, sides, sizes of all guards, what the march goes on from]"""
        marching = self.stage == _MARCHING
        return np.concatenate(
            [
                [self.modes.names.index(self.mode), self.k, self.stage],
                self.guards[self.mode].side,
                *(x.scale for x in self.guards.values()),
                self.stepper.numbers if marching else np.zeros(0),
            ]
        )

    def take_up(self, given: HybridTrajectory, insist: bool) -> None:
        """Go on where another run has ended."""
        self._check_same(given, insist)
        numbers = np.asarray(given.standing)
        mode, self.k, self.stage = (int(x) for x in numbers[:3])
        self.mode, at = self.modes.names[mode], 3
        guards = self.guards[self.mode]
        guards.side, at = numbers[at : at + len(guards)].astype(int), at + len(guards)
        for x in self.guards.values():
            x.scale, at = numbers[at : at + len(x)].copy(), at + len(x)
        last = jax.tree.map(lambda x: x[-1], (given.q, given.frame))
        frame = last[1]
        if frame is None:
            frame = self.stepper.system.groupoid.group.identity()
        self.node = Node(float(given.t[-1]), last[0], given.v[-1], frame)
        if self.stage == _MARCHING:
            self.stepper.restore(numbers[at:])
            guards.reached(self.node, self.stepper.guards(self.node))
        self.given, self.warnings = given, list(given.warnings)
        self.wall_s = given.meta.wall_s
        past = float(self.node.t) - _NOW * self.h
        done = {(float(j.t), int(i)) for j, i in zip(given.jumps, given.jumps.transition)}
        self.schedule = [
            x for x in self.schedule if x[0] > past and not any(_same(x, y, self.h) for y in done)
        ]

    def _check_same(self, given: HybridTrajectory, insist: bool) -> None:
        told = []
        for what, then, now in (
            ("modes", given.modes, self.modes.names),
            ("transitions", given.jumps.names, tuple(x.title for x in self.modes.transitions)),
        ):
            if then != now:
                raise UsageError(f"the run has the {what} {then}, not {now}")
        for name, then in zip(given.modes, given.metas):
            now = self._meta_of(name)
            values = [Meta(parameters=x.parameters).as_dict()["parameters"] for x in (then, now)]
            if values[0] != values[1]:
                raise UsageError(
                    f"mode '{name}' had the parameters {values[0]}, not {values[1]}: resume it "
                    "with those"
                )
            if then.identity.method != now.identity.method:
                differs = "; ".join(then.identity.differences(now.identity))
                raise UsageError(f"mode '{name}': {differs}")
            told += [f"mode '{name}': {x}" for x in then.identity.differences(now.identity)]
        told += given.meta.identity.differences(_identity(self.modes))
        old = given.meta.versions
        told += [f"{k} was {v}" for k, v in old.items() if versions().get(k) != v]
        if told and not insist:
            raise UsageError(f"{'; '.join(told)}; resume(..., insist=True) goes on all the same")


def _same(a: tuple[float, int], b: tuple[float, int], h: float) -> bool:
    return a[1] == b[1] and abs(a[0] - b[0]) <= _NOW * h


def _identity(modes: Modes) -> Identity:
    return Identity(system=f":{modes.name}", system_code=fingerprint(*modes.transitions))


def _continued(
    given: HybridTrajectory, arrays: dict[str, Any], jumps: Jumps
) -> tuple[dict[str, Any], Jumps]:
    """What there was, and what came after it."""
    names = [f.name for f in dataclasses.fields(Jumps) if f.name not in ("names", "modes")]
    old, new = ({k: getattr(x, k) for k in names} for x in (given.jumps, jumps))
    new["row"] = new["row"] + len(given)
    both = jax.tree.map(lambda *x: np.concatenate(x), old, new)
    rows = jax.tree.map(
        lambda *x: np.concatenate(x), {k: getattr(given, k) for k in arrays}, arrays
    )
    return rows, dataclasses.replace(jumps, **both)


def _method(given: Any, name: str) -> Method:
    """The method of a mode."""
    if isinstance(given, Mapping):
        found = given.get(name)
        return default() if found is None else found
    return default() if given is None else given
