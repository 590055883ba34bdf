"""Ensembles of hybrid runs, whose members may start in different modes.

Members run in vectors through the turns of `arc_turn`, on all cores. A member that needs a decision
continues as a `HybridRun` for a few steps, and then joins the others again.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import numpy as np
from numpy.typing import ArrayLike

from ..errors import SimulationError, UsageError, unknown_name
from ..events import Event, EventFunction
from ..files import PathLike
from ..linalg import OK
from ..methods import Method
from ..request.batch import Design
from ..request.step import StopRule, has_any_times
from ..request.validate import check_count, check_length, check_times, check_velocity
from ..results import HybridTrajectory
from ..results.interpolation import Between
from ..running.driver import Progress
from ..running.programs.step_kernel import places
from ..running.record.sinks import Every, Final, Save
from ..system import Point
from .arc_program import ArcCode, ArcProgram
from .arc_turn import Arc, Code, Given, Kind, Phase, TurnRow
from .hybrid_api import driven_modes, resume, simulate
from .hybrid_run import HybridRun, steppers_of
from .mode_program import ModeProgram, Node
from .modes import Modes
from .rank_modes import RankModes
from .rough_modes import RoughModes

_BLOCK = 4096  # members per block: their numbers fit into the caches
_BYTES = 1 << 25  # size of the buffer of their rows
_TURNS = 1 << 14  # turns in one call: a run can be interrupted between two calls


@dataclasses.dataclass(frozen=True)
class HybridEnsemble:
    """The runs of many members; `many[i]` is the trajectory of one, as far as it came.

    `t`, `q`, `v`, `final_mode` and `jumps` (their number) are the values at the end of each member.
    `failed` maps members that did not reach the end of the run to the reason.
    """

    t: np.ndarray
    q: Point
    v: np.ndarray
    final_mode: tuple[str, ...]
    jumps: np.ndarray
    failed: Mapping[int, str]
    wall_s: float
    engine: str
    engine_reason: str
    member: Callable[[int], HybridTrajectory] = dataclasses.field(repr=False)

    def __len__(self) -> int:
        """Number of members."""
        return len(self.t)

    def __getitem__(self, member: int) -> HybridTrajectory:
        i = operator.index(member)
        if not -len(self) <= i < len(self):
            raise IndexError(f"member {i} of {len(self)}")
        return self.member(i % len(self))

    def __iter__(self) -> Iterator[HybridTrajectory]:
        return (self.member(i) for i in range(len(self)))

    @functools.cached_property
    def members(self) -> tuple[HybridTrajectory, ...]:
        """The trajectories of all members."""
        return tuple(self)

    def mode_at(self, t: ArrayLike) -> np.ndarray:
        """Return each member's mode index at times: (members, *times), -1 after a failure."""
        times = np.asarray(t, dtype=float)
        found = []
        for x in self.members:
            row = np.searchsorted(x.t, times, side="right") - 1
            mode = x.mode[np.clip(row, 0, None)]
            found.append(np.where((row < 0) | (times > x.t[-1]), -1, mode))
        return np.stack(found)

    def at(self, t: ArrayLike) -> Between:
        """Return the motion of all members at times: arrays (members, *times, ...)."""
        if self.failed:
            first = min(self.failed)
            raise UsageError(
                f"member {first} has failed ({self.failed[first]}): take many[i].at(t)"
            )
        parts = [x.at(t) for x in self.members]
        return jax.tree.map(lambda *x: np.stack(x), *parts)


def simulate_ensemble(
    modes: Modes,
    mode: str | Sequence[str] | None = None,
    q0: Point = None,
    v0: Any = None,
    *,
    over: Design | None = None,
    method: Method | Mapping[str, Method] | None = None,
    h: float | None = None,
    steps: int | None = None,
    t: float | None = None,
    t0: float = 0.0,
    tol: float | None = None,
    events: Mapping[str, Event | EventFunction] | None = None,
    save: Save | None = None,
    save_every: int | None = None,
    save_jumps: bool = True,
    project: bool = False,
    stop_when: StopRule | None = None,
    u: Any = None,
    jumps_per_step: int = 32,
    store: PathLike | None = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> HybridEnsemble:
    """Simulate members from many initial data; `mode` is one for all, or one for each.

        fall = [[0.0, 1.0], [0.0, 2.0]], [[1.0, 0.0], [1.0, 0.0]]
        many = da.hybrid.simulate_ensemble(modes, "air", *fall, h=0.01, t=3.0)
        many.jumps, many.q, many[1].jumps.t

    The first axis of `q0` and `v0` is the members; without them all members begin at `modes.start`.
    Members run in vectors by native code, on all cores. A member that fails does not stop the
    others: `failed` says which and why. Other arguments are those of `hybrid.simulate`.

    Args:
        over: `da.grid(...)` or `da.sample(...)`: parameters of the members by name, in all modes
            that have one of that name. A value that a guard or a jump has read from a system when
            it was written does not change.
        save: `Every(k)` by default, `Final()` for the ends alone; other sinks, `events`,
            `stop_when` and `tol` (one step size per member) run members one by one.
        save_jumps: False leaves out the rows at jumps and their records; `jumps` still counts them.
        store: a folder with one `.zarr` file per member, for `hybrid.resume_ensemble`.
    """
    begin = time.perf_counter()
    if not isinstance(modes, Modes):
        raise UsageError(f"simulate_ensemble takes Modes({{name: system}}, ...), got {modes!r}")
    if u is not None:
        modes = driven_modes(modes, u)
    start = _start(modes, mode, q0, v0, over)
    if save is not None and save_every is not None:
        raise UsageError("give save or save_every, not both: save_every is short for save=Every(k)")
    every = _every(save, save_every)
    one_by_one = (events, stop_when, tol, store)
    alone = every is None or engine == "arrays" or modes.decides or _is_taylor(method)
    if alone or any(x is not None for x in one_by_one):
        how = {
            "method": method, "h": h, "steps": steps, "t": t, "t0": t0, "tol": tol,
            "events": events, "save": save, "save_every": save_every, "project": project,
            "stop_when": stop_when, "jumps_per_step": jumps_per_step, "engine": engine,
        }  # fmt: skip
        return _one_by_one(start, how, store, begin, progress)
    h, steps = check_length(h, steps, t, t0)
    steps = check_count("steps", steps)
    h, t0 = (float(x) for x in check_times(h, t0))
    limit = check_count("jumps_per_step", jumps_per_step)
    steppers = steppers_of(modes, method, (t0, h, steps), engine)
    code = ArcCode(modes, steppers, (), engine, many=True)
    if code.kernel is None:
        how = {"method": method, "h": h, "steps": steps, "t0": t0, "save_every": save_every}
        how |= {"project": project, "jumps_per_step": jumps_per_step, "save": save}
        return _one_by_one(start, how, None, begin, progress)
    for x in steppers.values():
        x.arcs = code.engine
    given = Given(t0, h, steps, every, int(save_jumps), limit, 0)
    run = _Members(start, steppers, code, given, project)
    with Progress(progress, len(start.v), "members") as bar:
        run.to_the_end(bar)
    return run.result(begin)


def _is_taylor(method: Any) -> bool:
    methods = method.values() if isinstance(method, Mapping) else [method]
    return any(isinstance(x, Method) and has_any_times(x) for x in methods)


class _Start:
    """Initial data of the members: modes, points, velocities, and parameters that differ."""

    def __init__(
        self, modes: Modes, names: list[Any], q: Point, v: np.ndarray, over: Mapping[str, Any]
    ) -> None:
        self.modes, self.names, self.q, self.v, self.over = modes, names, q, v, over

    def member(self, i: int) -> tuple[Modes, Any, Point, np.ndarray]:
        """Return (modes, mode, q, v) of a member, with its own parameters."""
        q = jax.tree.map(lambda x: x[i], self.q)
        return self.modes_of(i), self.names[i], q, self.v[i]

    def modes_of(self, i: int) -> Modes:
        """Return the modes with the parameters of a member."""
        if not self.over:
            return self.modes
        values = {k: float(x[i]) for k, x in self.over.items()}
        if isinstance(self.modes, (RoughModes, RankModes)):
            return self.modes.with_parameters(**values)

        def changed(system: Any) -> Any:
            for name, value in values.items():
                if name in system.parameters():
                    system = eqx.tree_at(lambda s, n=name: getattr(s, n), system, value)
            return system

        systems = {k: changed(x) for k, x in self.modes.systems.items()}
        return self.modes.with_systems(systems)


# checks the initial data of all members; without any, `modes.start` is repeated
def _start(modes: Modes, mode: Any, q0: Point, v0: Any, over: Design | None) -> _Start:
    values = {}
    if over is not None:
        if not isinstance(over, Design):
            raise UsageError(f"over is da.grid(...) or da.sample(...), got {over!r}")
        values = dict(over.values)
        known = {name for x in modes.systems.values() for name in x.parameters()}
        if isinstance(modes, RoughModes):
            known = set(modes.source[0].parameters())
        elif isinstance(modes, RankModes):
            known = set(modes.source.parameters())
        for name in values:
            if name not in known:
                raise unknown_name("parameter", name, sorted(known))
    if mode is None and q0 is None and v0 is None:
        if modes.start is None:
            raise UsageError("give a mode, q0 and v0: these modes name no start")
        mode, q0, v0 = modes.start
        n = len(next(iter(values.values()))) if values else 1
        q0 = jax.tree.map(lambda x: np.repeat(np.asarray(x)[None], n, axis=0), q0)
        v0 = np.repeat(np.asarray(v0)[None], n, axis=0)
    if (mode is None and not modes.decides) or q0 is None or v0 is None:
        raise UsageError("give a mode, q0 and v0, all three or none")
    try:
        v = np.asarray(v0, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"v0 must be an array with the members first, got {v0!r}") from None
    if v.ndim != 2 or not len(v):
        raise UsageError(f"v0 must have the members first, (members, velocities); got {v.shape}")
    n = len(v)
    q = jax.tree.map(lambda x: np.asarray(x, dtype=float), q0)
    q = np.asarray(q) if isinstance(q, list) else q
    lengths = {np.shape(x)[0] if np.ndim(x) else 0 for x in jax.tree.leaves(q)}
    if lengths != {n}:
        raise UsageError(f"q0 has {lengths} members, and v0 has {n}")
    for name, x in values.items():
        if len(x) != n:
            raise UsageError(f"over has {len(x)} values of '{name}', and v0 has {n} members")
    names: list[Any] = [mode] * n if mode is None or isinstance(mode, str) else list(mode)
    if len(names) != n:
        raise UsageError(f"{len(names)} modes for {n} members")
    for name in () if modes.decides else dict.fromkeys(names):
        system = modes.system(name)
        i = names.index(name)
        try:
            system.groupoid.base.check(jax.tree.map(lambda x, i=i: x[i], q), "q0")
            check_velocity(system, v[i])
        except UsageError as error:
            raise error.located(after=f"(member {i} of {n})") from None
    return _Start(modes, names, q, v, values)


def _every(save: Any, save_every: int | None) -> int | None:
    """Return the steps between saved rows of the grid, 0 for none; None for other sinks."""
    if save is None:
        return 1 if save_every is None else check_count("save_every", save_every)
    if isinstance(save, Final):
        return 0
    return save.every or 1 if isinstance(save, Every) else None


class _Members:
    """The members of an ensemble during the run."""

    def __init__(
        self,
        start: _Start,
        steppers: dict[str, ModeProgram],
        code: ArcCode,
        given: Given,
        project: bool,
    ) -> None:
        assert code.kernel is not None
        self.start, self.steppers, self.code, self.given = start, steppers, code, given
        self.kernel, self.project = code.kernel, project
        self.n = len(start.v)
        self.own = self._own()
        self.parts: list[tuple[np.ndarray, np.ndarray]] = []  # (member of each row, rows)
        self.careful: dict[int, HybridRun] = {}
        self.failed: dict[int, str] = {}
        self.places = places(code.arc)
        self.arcs, self.first_rows = self._begin()

    def _own(self) -> np.ndarray:
        """Return the parameters of all modes, (numbers, members)."""
        base = self.code.packed_own(self.steppers)
        own = np.repeat(base[:, None], self.n, axis=1)
        at = 0
        for x in self.steppers.values():
            where = places(x.plan.parameters)
            for name, values in self.start.over.items():
                if name in x.system.parameters():
                    own[at + np.ravel(getattr(where, name)), :] = values
            at += x.plan.parameters.width
        return own

    def _begin(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the initial states of the members, (numbers, members), and their first rows."""
        g = self.given
        number = np.array([self.start.modes.names.index(x) for x in self.start.names])
        arcs = np.zeros((self.code.arc.width, self.n))
        rows = np.zeros((self.n, self.code.row.width))
        at, row_at = self.places, places(self.code.row)
        place = 0
        for m, x in enumerate(self.steppers.values()):
            mine = np.flatnonzero(number == m)
            width = x.plan.parameters.width
            if len(mine):
                q = jax.tree.map(lambda a, mine=mine: a[mine], self.start.q)
                flat = [np.reshape(a, (len(mine), -1)) for a in jax.tree.leaves(q)]
                own = self.own[place : place + width, mine].T
                times = np.repeat([[g.t0, g.h]], len(mine), axis=0)
                states, wrong = x.plan.start_rows(
                    np.concatenate([own, times, *flat, self.start.v[mine]], axis=1), self.project
                )
                state = x.plan.state.unpack(states)
                bad = np.flatnonzero(wrong | (state.row.result != OK))
                if len(bad):
                    self._refuse(int(mine[bad[0]]))
                for there, value in (
                    (at.t, state.row.t), (at.q, state.row.q), (at.v, state.row.v),
                    (at.frame, state.frame), (at.mode, np.full(len(mine), m)),
                ):  # fmt: skip
                    _put(arcs, there, value, mine)
                more = self.code.turns.constraints - state.row.multiplier.shape[1]
                filled = np.pad(state.row.multiplier, ((0, 0), (0, more)), constant_values=np.nan)
                row = state.row._replace(multiplier=filled)
                for there, value in (
                    (row_at.row, row), (row_at.frame, state.frame),
                    (row_at.mode, np.full(len(mine), m)), (row_at.kind, np.ones(len(mine))),
                ):  # fmt: skip
                    _put(rows.T, there, value, mine)
            place += width
        for there, value in (
            (at.phase, Phase.ENTER), (at.origin, Phase.ENTER), (at.mark, -np.inf),
        ):  # fmt: skip
            arcs[int(there)] = value
        probe = HybridRun(self.start.modes, self.steppers, 1, int(g.limit))
        due = [probe.due_in(x) for x in self.start.modes.names]
        arcs[np.ravel(at.due)] = np.array(due)[:, None]
        return arcs, rows

    def _refuse(self, i: int) -> None:
        """Raise what a single run from this member's data would raise."""
        run = self._run(i)
        modes, name, q, v = self.start.member(i)
        try:
            point = modes.system(name).groupoid.base.check(q, "q0")
            run.begin(name, Node(float(self.given.t0), point, v, None), self.project)
        except UsageError as error:
            raise error.located(after=f"(member {i} of {self.n})") from None

    def _run(self, i: int) -> HybridRun:
        """Return a member as a single run, for decisions."""
        modes, steppers = self.start.modes, self.steppers
        if self.start.over:
            modes, first = self.start.modes_of(i), next(iter(steppers.values()))
            methods = {k: x.method for k, x in steppers.items()}
            times = (first.t0, first.h, first.steps)
            steppers = steppers_of(modes, methods, times, first.engine_asked)
            for x in steppers.values():
                x.arcs = self.code.engine
        every = int(self.given.every) or int(self.given.steps)
        run = HybridRun(modes, steppers, every, int(self.given.limit))
        run.program = ArcProgram(self.code, self.given, self.own[:, i])
        return run

    def to_the_end(self, bar: Progress) -> None:
        """Run all members, block after block."""
        block = self.n if self.code.engine.name == "gpu" else _BLOCK
        for first in range(0, self.n, block):
            self._block(np.arange(first, min(first + block, self.n)))
            bar.update(min(first + block, self.n))

    # runs one block of members to the end; members that stop for a decision are handled one by one
    def _block(self, mine: np.ndarray) -> None:
        width, own = self.kernel.width, len(self.own)
        n = -(-len(mine) // width) * width
        table = np.zeros((own + self.code.arc.width, n))
        table[own + int(self.places.code)] = Code.OVER  # padding of the last vector
        table[:own, : len(mine)] = self.own[:, mine]
        table[own:, : len(mine)] = self.arcs[:, mine]
        table[:own, len(mine) :] = self.own[:, mine[:1]]
        arcs, code = table[own:], own + int(self.places.code)
        shared = self.code.given.pack_numpy(self.given)
        saved = bool(self.given.every or self.given.jumps)
        capacity = max(_BYTES // (8 * n * self.kernel.row_width), 4) if saved else 1
        rows = np.empty((n, capacity, self.kernel.row_width))
        while np.any(table[code] == Code.GOES_ON):
            counts = self.kernel(shared, table, rows, _TURNS)
            if np.any(counts):
                which = np.arange(capacity)[None] < counts[:, None]
                self._keep(np.repeat(mine, counts[: len(mine)]), rows[which])
            for j in np.flatnonzero((table[code] != Code.GOES_ON) & (table[code] != Code.OVER)):
                arcs[:, j] = self._judged(int(mine[j]), arcs[:, j])
        self.arcs[:, mine] = arcs[:, : len(mine)]

    def _keep(self, members: np.ndarray, rows: np.ndarray) -> None:
        self.parts.append((members, rows))

    def _judged(self, i: int, numbers: np.ndarray) -> np.ndarray:
        """Return the state of a member that was handed back, after a few checked steps."""
        run = self.careful.get(i)
        at, arc = self.places, self.code.arc.unpack(numbers)
        if run is None and int(arc.k) == 0 and int(arc.jumps) == 0:
            self._refuse(i)  # the member begins on the wrong side of a guard
        if run is None:
            run = self.careful[i] = self._run(i)
        assert run.program is not None
        run.program.arc = arc
        if int(arc.crowd) >= int(self.given.limit):  # the times of these jumps were not recorded
            run.record.jump_times += [float(arc.t)] * int(arc.crowd)
        rows, jumps = run.record.rows, len(run.record.jump_times)
        new = np.array(numbers)
        try:
            over = run.careful(run.program)
            new[:] = self.code.arc.pack_numpy(run.as_arc(run.program))
        except SimulationError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise
            self.failed[i], over = str(error), True
        made = run.record.as_turn_rows(rows, len(run.record.jump_times) - jumps)
        if made is not None:
            on_grid = made.kind == Kind.GRID
            wanted = np.where(on_grid, bool(self.given.every), bool(self.given.jumps))
            packed = [
                np.reshape(np.asarray(x, float), (len(made.k), -1)) for x in jax.tree.leaves(made)
            ]
            self._keep(np.full(int(wanted.sum()), i), np.concatenate(packed, axis=1)[wanted])
        new[int(at.jumps)] = int(arc.jumps) + len(run.record.jump_times) - jumps
        new[int(at.code)] = Code.OVER if over else Code.GOES_ON
        return new

    # -- the result --------------------------------------------------------------------------

    def result(self, begin: float) -> HybridEnsemble:
        """Return the result; trajectories of members are assembled on demand."""
        arc: Arc = self.code.arc.unpack(self.arcs.T)
        names = self.start.modes.names
        wide = self.code.row.width
        members = np.concatenate([np.zeros(0, int), *(x for x, _ in self.parts)])
        rows = np.concatenate([np.zeros((0, wide)), *(x for _, x in self.parts)])
        self.parts = []
        order = np.argsort(members, kind="stable")
        ends = np.cumsum(np.bincount(members, minlength=self.n))
        rows = rows[order]

        def member(i: int) -> HybridTrajectory:
            mine = rows[ends[i - 1] if i else 0 : ends[i]]
            mine = np.concatenate([self.first_rows[i : i + 1], mine])
            return self._trajectory(i, self.code.rows(mine))

        return HybridEnsemble(
            t=arc.t,
            q=arc.q,
            v=arc.v,
            final_mode=tuple(names[int(i)] for i in arc.mode),
            jumps=arc.jumps,
            failed=self.failed,
            wall_s=time.perf_counter() - begin,
            engine=self.code.engine.name,
            engine_reason=self.code.engine.reason,
            member=member,
        )

    def _trajectory(self, i: int, rows: TurnRow) -> HybridTrajectory:
        run = self._run(i)
        assert run.program is not None
        known = self.careful.get(i)
        if known is not None:
            run.record.warnings, run.guards = known.record.warnings, known.guards
        # rows that are not saved are left out already
        every, run.record.every = run.record.every, 1
        run.record.turned(rows)
        run.record.every = every
        run.program.arc = self.code.arc.unpack(self.arcs[:, i].copy())
        run.stand(run.program)
        return run.result()


def _put(table: np.ndarray, there: Any, value: Any, mine: np.ndarray) -> None:
    """Write the numbers of a tree, with the members first, into their rows of a table."""
    for place, x in zip(jax.tree.leaves(there), jax.tree.leaves(value), strict=True):
        lines = np.ravel(place)
        table[np.ix_(lines, mine)] = np.reshape(np.asarray(x, float), (len(mine), -1)).T


# -- one by one -----------------------------------------------------------------------------------


def _one_by_one(
    start: _Start,
    how: dict[str, Any],
    store: PathLike | None,
    begin: float,
    progress: bool | None,
) -> HybridEnsemble:
    """Run members one after the other as single runs; the code is compiled once."""
    n = len(start.v)
    folder = None if store is None else Path(store)
    if folder is not None:
        folder.mkdir(parents=True)

    def run(i: int) -> HybridTrajectory:
        modes, name, q, v = start.member(i)
        store = None if folder is None else folder / f"{i:06d}.zarr"
        return simulate(modes, name, q, v, progress=False, store=store, **how)

    return _collected(n, run, begin, progress)


def resume_ensemble(
    store: PathLike,
    modes: Modes,
    *,
    steps: int | None = None,
    t: float | None = None,
    progress: bool | None = None,
    **options: Any,
) -> HybridEnsemble:
    """Continue all members in the folder of `simulate_ensemble(..., store=)`: see `resume`."""
    begin = time.perf_counter()
    files = sorted(Path(store).glob("*.zarr"))
    if not files:
        raise UsageError(f"'{store}' holds no members of a hybrid ensemble")

    def run(i: int) -> HybridTrajectory:
        return resume(files[i], modes, steps=steps, t=t, progress=False, **options)

    return _collected(len(files), run, begin, progress)


# runs members one after the other; one that fails contributes its rows so far
def _collected(
    n: int, run: Callable[[int], HybridTrajectory], begin: float, progress: bool | None
) -> HybridEnsemble:
    found: list[HybridTrajectory] = []
    failed: dict[int, str] = {}
    with Progress(progress, n, "members") as bar:
        for i in range(n):
            try:
                found.append(run(i))
            except UsageError as error:
                raise error.located(after=f"(member {i} of {n})") from None
            except SimulationError as error:
                if isinstance(error.__cause__, KeyboardInterrupt):
                    raise
                found.append(error.trajectory)
                failed[i] = str(error)
            bar.update(i + 1)
    return HybridEnsemble(
        t=np.array([x.t[-1] for x in found]),
        q=jax.tree.map(lambda *x: np.stack([y[-1] for y in x]), *(x.q for x in found)),
        v=np.stack([x.v[-1] for x in found]),
        final_mode=tuple(x.modes[int(x.mode[-1])] for x in found),
        jumps=np.array([len(x.jumps) for x in found]),
        failed=failed,
        wall_s=time.perf_counter() - begin,
        engine=found[0].meta.engine,
        engine_reason=found[0].meta.engine_reason,
        member=found.__getitem__,
    )
