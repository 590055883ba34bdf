"""Ensembles of hybrid runs, whose members may start in different modes.

Members run in vectors by native code (`member_vectors`), block after block, in this process or by
an executor. If there is no such code (singular points, Taylor's method, callbacks), each member is
a separate run (`member_runs`).
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import jax
import numpy as np
from numpy.typing import ArrayLike

from ..errors import UsageError
from ..events import Event, EventFunction, named_events
from ..files import PathLike
from ..methods import Method
from ..pages import card
from ..request.batch import Design
from ..request.step import StopRule, has_any_times
from ..request.validate import check_count, check_length, check_span, check_times
from ..results import Events, HybridTrajectory
from ..results.interpolation import Between
from ..running.accuracy import Accurate, PilotEnds, accurate, not_met
from ..running.record.sinks import Every, Save
from ..storage.executors import check_executor
from ..system import Point
from .hybrid_api import driven_modes, sinks_of
from .member_blocks import MemberFolder, run_blocks
from .member_runs import FileMembers, SingleMembers
from .member_start import MemberRequest, MemberStart, members_from
from .member_vectors import VectorBlock, VectorMembers
from .modes import Modes

_NAMED = 8  # largest number of members that a warning names
_TRIES = 3  # a member that fails in this many pilot runs is left out


@dataclasses.dataclass(frozen=True)
class HybridEnsemble:
    """The runs of many members; `many[i]` is the trajectory of one, as far as it came.

    `t`, `q`, `v`, `final_mode` and `jumps` (their number) are the values at the end of each member.
    `failed` maps members that did not reach the end of the run to the reason. `events` lists the
    events of all members, `saved` has the results of sinks, `warnings` those of several members.
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
    events: Events | None = None
    saved: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    tol: float | None = None
    error_estimate: float | None = None  # largest error of q and v at the end of a member

    def __repr__(self) -> str:
        """Return one line: the number of members, their ends, their jumps, and how many failed."""
        return f"HybridEnsemble({', '.join(f'{x} {name}' for name, x in self._lines() if x)})"

    def _repr_html_(self) -> str:
        return card("Hybrid ensemble", [x for x in self._lines() if x[1] != "0"])

    def _lines(self) -> list[tuple[str, str]]:
        ends = [
            (f"end in '{x}'", f"{self.final_mode.count(x)}") for x in dict.fromkeys(self.final_mode)
        ]
        jumps = f"{np.min(self.jumps)} to {np.max(self.jumps)}" if len(self) else ""
        failed = [("failed", f"{len(self.failed)}")] if self.failed else []
        return [("members", f"{len(self)}"), *ends, ("jumps each", jumps), *failed]

    def __len__(self) -> int:
        """Return the number of members."""
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
    executor: Any = None,
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
            that have a parameter of that name. If a guard or a jump has copied a parameter of a
            system into its own code, that copy does not change.
        tol: replaces h and needs t: the largest error of q and of v at the end of any member. All
            members take the same step size. Members that fail at every step size do not count.
        events: as in `hybrid.simulate`, separately for each member; `events` of the result lists
            them all. An event that ends a member does not end the others.
        save: `Every(k)` by default, `Final()` for the ends alone; or names and sinks. Reductions
            such as `Statistics(f)` see the rows of the grid of all members, as in
            `da.simulate_ensemble`; their results are in `saved`.
        save_jumps: False leaves out the rows at jumps and their records; `jumps` still counts them.
        store: a folder for `hybrid.resume_ensemble`: blocks of members are written as they are
            done.
        executor: what computes blocks of members: an object with `submit`, such as a Dask client,
            or a number of processes on this machine. The results do not depend on it.
    """
    begin = time.perf_counter()
    if not isinstance(modes, Modes):
        raise UsageError(f"simulate_ensemble takes Modes({{name: system}}, ...), got {modes!r}")
    if u is not None:
        modes = driven_modes(modes, u)
    check_executor(executor)
    start = members_from(modes, mode, q0, v0, over)
    sinks = sinks_of(save, save_every)
    named = named_events(events, next(iter(modes.systems.values())))
    if store is not None:
        modes.resumed(modes.names, modes.standing())  # raises if these modes cannot be resumed
    if stop_when is not None and store is not None:
        raise UsageError(
            "an ensemble in a store takes events= instead of stop_when=, because a stop_when "
            "function cannot be compared when the ensemble is resumed: give "
            'events={"stop": da.Event(g, terminal=True)} with a g that vanishes where members end'
        )
    folder = None if store is None else MemberFolder.new(store)
    limit = check_count("jumps_per_step", jumps_per_step)
    chosen = None
    if tol is not None:
        if h is not None or steps is not None:
            raise UsageError("tol chooses the step: give t and tol, and not h or steps")
        if isinstance(method, Mapping):
            raise UsageError("tol chooses one step size for one method: give one for all modes")
        if isinstance(method, Method) and has_any_times(method):
            raise UsageError(
                "Taylor's method has a tolerance of its own: give Taylor(tol), and h for the rows"
            )
        plain = MemberRequest(
            method, 1.0, t0, 1, {}, project=project, limit=limit, engine=engine, stop_when=None
        )
        chosen = _accurate(start, plain, method, tol, check_span(t, t0))
        method, h, steps, t = chosen.method, chosen.h, chosen.steps, None
    h, steps = check_length(h, steps, t, t0)
    steps = check_count("steps", steps)
    h, t0 = (float(x) for x in check_times(h, t0))
    request = MemberRequest(
        method, h, t0, steps, sinks, bool(save_jumps), project, named, stop_when, limit, engine
    )
    work = work_for(start, request)
    if folder is not None:
        folder.create(work)
    found = ensemble_of(work, run_blocks(work, executor, progress, folder), begin)
    if chosen is None:
        return found
    found = dataclasses.replace(found, tol=chosen.tol, error_estimate=chosen.chosen.error)
    if not chosen.chosen.met:
        system = modes.system(modes.names[0])
        raise not_met(system, chosen.method, chosen.chosen, found, chosen.tol)
    return found


def work_for(start: MemberStart, request: MemberRequest) -> VectorMembers | SingleMembers:
    """Return the work of the members, in vectors if there is code for that, else one by one."""
    named = start.modes.decides and not start.modes.one_program
    alone = named or _is_taylor(request.method) or request.engine == "arrays"
    if not alone:
        found = VectorMembers(start, request)
        if found.runs:
            return found
    return SingleMembers(start, request)


def _is_taylor(method: Any) -> bool:
    methods = method.values() if isinstance(method, Mapping) else [method]
    return any(isinstance(x, Method) and has_any_times(x) for x in methods)


def ensemble_of(
    work: VectorMembers | SingleMembers, blocks: list[VectorBlock], begin: float
) -> HybridEnsemble:
    """Return the result of all blocks; trajectories of members are assembled on demand."""
    failed = {i: x for b in blocks for i, x in b.failed.items()}
    parts = [b.events for b in blocks if b.events is not None]
    events = Events.joined(parts) if parts else None
    warnings = work.warnings(blocks)
    ends = work.ends(blocks)
    saved = {}
    for name in blocks[0].states:
        sink = work.request.sinks[name]
        saved[name or "result"] = sink.finish(sink.combine([b.states[name] for b in blocks]))
    return HybridEnsemble(
        t=ends.t,
        q=ends.q,
        v=ends.v,
        final_mode=ends.mode,
        jumps=ends.jumps,
        failed=failed,
        wall_s=time.perf_counter() - begin,
        engine=blocks[0].engine[0],
        engine_reason=blocks[0].engine[1],
        member=work.trajectories(blocks, warnings, events),
        events=events,
        saved=saved,
        warnings=_told(warnings, len(work.start)),
    )


def _told(warnings: Mapping[int, tuple[str, ...]], members: int) -> tuple[str, ...]:
    """Merge warnings that differ only in numbers into one, which lists the members."""
    found: dict[str, list[tuple[int, str]]] = {}
    for i, each in sorted(warnings.items()):
        for text in each:
            found.setdefault(re.sub(r"[-+.\de]*\d", "#", text), []).append((i, text))
    return tuple(
        f"members {', '.join(str(i) for i, _ in x[:_NAMED])}{', ...' if len(x) > _NAMED else ''} "
        f"({len(x)} of {members}): {x[0][1]}"
        for x in found.values()
    )


# -- tolerances -----------------------------------------------------------------------------------


def _accurate(
    start: MemberStart, plain: MemberRequest, method: Method | None, tol: float, span: float
) -> Accurate:
    """Return the method and the steps for which the worst member is within `tol`.

    A member that fails in several pilot runs with ever smaller steps (because its jumps accumulate)
    does not count, unless it succeeds with the steps that are chosen.
    """
    members = len(start)
    may_fail, out = np.ones(members, bool), np.zeros(members, bool)
    tries = np.zeros(members, int)
    last: dict[int | None, np.ndarray] = {}  # number of steps -> members that failed

    def run(method: Method, h: float, steps: int, save_every: int) -> PilotEnds:
        request = plain._replace(
            method=method, h=h, steps=steps, sinks={"": Every(save_every)}, save_jumps=False
        )
        work = work_for(start, request)
        begin = time.perf_counter()
        blocks = run_blocks(work, None, False, None)
        failed = np.zeros(members, bool)
        failed[[i for b in blocks for i in b.failed]] = True
        tries[:] = np.where(failed, tries + 1, 0)
        last[steps] = failed
        out[:] |= may_fail & (tries >= _TRIES)
        end, sizes = work.ends(blocks), work.sizes(blocks)
        spent = time.perf_counter() - begin
        if np.any(failed & ~out):
            return PilotEnds(None, sizes, spent)
        left: Any = jax.tree.map(lambda x: np.where(_wide(out, x), 0.0, x), (end.q, end.v))
        return PilotEnds(left, sizes, spent)

    def pilot(method: Method) -> Callable[..., PilotEnds]:
        return partial(run, method)

    system = start.modes.system(start.modes.names[0])
    while True:
        found = accurate(system, method, tol, span, plain.t0, pilot, None, members)
        # a member that was left out but reaches the end has to be within the tolerance, too
        back = out & ~last.get(found.steps, out)
        if not np.any(back):
            return found
        may_fail[back] = False
        out[:], tries[:] = False, 0


def _wide(mask: np.ndarray, like: np.ndarray) -> np.ndarray:
    return mask.reshape(len(mask), *[1] * (like.ndim - 1))


# -- resuming -------------------------------------------------------------------------------------


def resume_ensemble(
    store: PathLike,
    modes: Modes,
    *,
    steps: int | None = None,
    t: float | None = None,
    method: Method | Mapping[str, Method] | None = None,
    events: Mapping[str, Event | EventFunction] | None = None,
    insist: bool = False,
    executor: Any = None,
    progress: bool | None = None,
) -> HybridEnsemble:
    """Continue all members in the folder of `simulate_ensemble(..., store=)`, as `resume` does.

    Blocks that were not finished are run again. Without `steps` and `t` the run goes to its planned
    end; if all members are there already, they are read and nothing is computed. Give the same
    `events` again. Members that an event has ended remain ended.
    """
    begin = time.perf_counter()
    check_executor(executor)
    if files := MemberFolder.files_of_old(store):
        how = {"steps": steps, "t": t, "method": method, "insist": insist}
        old = FileMembers(files, modes, how)
        return ensemble_of(old, run_blocks(old, None, progress, None), begin)
    folder = MemberFolder.opened(store)
    named = named_events(events, next(iter(modes.systems.values())))
    start, request = folder.request(modes, method, named, insist)
    if t is not None or steps is not None:
        _, steps = check_length(request.h, steps, t, request.t0)
    wanted = request.steps if steps is None else check_count("steps", steps)
    if wanted < request.steps:
        raise UsageError(f"the run has {request.steps} steps already, more than {wanted}")
    work = work_for(start, request._replace(steps=wanted))
    folder.check(work)
    with folder.locked():
        return ensemble_of(work, run_blocks(work, executor, progress, folder), begin)
