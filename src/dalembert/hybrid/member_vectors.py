"""Members of a hybrid ensemble in vectors: blocks of them run through the turns of `arc_turn`.

A member that needs a decision continues as a `HybridRun` for a few steps, and then joins the others
again. The result of a block consists of plain arrays, so that another process can compute it, and a
file can hold it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np

from ..errors import SimulationError, UsageError
from ..events.event import watched
from ..linalg import OK
from ..request.step import AsNumber, check_stop_rule
from ..results import Events, HybridTrajectory, labels
from ..rows import Start
from ..running.programs.step_kernel import places
from .arc_program import ArcCode, ArcProgram
from .arc_ranks import ArcRanks, ArcRows, modes_to_watch
from .arc_turn import NOW, Code, Given, Kind, Phase, TurnRow
from .hybrid_api import with_events
from .hybrid_run import HybridRun, steppers_of
from .member_sinks import MemberSinks, RowPlan
from .member_start import MemberRequest, MemberStart
from .mode_program import Node
from .modes import Modes
from .rough_modes import RoughModes

_BYTES = 1 << 25  # bytes of the buffer for the rows of a block
_TURNS = 1 << 14  # turns in one call: a run can be interrupted between two calls
_LOOKED = 64  # members whose saved rows are checked at the end, evenly spaced: some ms each


class Met(NamedTuple):
    """The modes of members that share one program: `VectorBlock.rows` number them as in `names`."""

    names: tuple[str, ...]
    mode: np.ndarray  # (members,): the number of the mode at the end
    own: np.ndarray  # (numbers, members): the parameters at the end, with the state of contacts


class VectorBlock(NamedTuple):
    """The result of a block of members: plain arrays and texts."""

    first: int  # number of the block's first member
    arcs: np.ndarray  # (numbers, members): packed states of the members at the end
    member: np.ndarray  # (rows,): the member of each row, counted from `first` on
    rows: np.ndarray  # (rows, numbers)
    failed: Mapping[int, str]
    warnings: Mapping[int, tuple[str, ...]]
    events: Events | None
    states: Mapping[str, Any]  # states of the sinks
    engine: tuple[str, str]
    runs: tuple[HybridTrajectory, ...] = ()  # the runs of members that ran one by one
    met: Met | None = None  # if modes are added during the run


class BlockEnds(NamedTuple):
    """Where members have ended, as arrays whose first axis is the members."""

    t: np.ndarray
    q: Any
    v: np.ndarray
    mode: tuple[str, ...]
    jumps: np.ndarray  # their number


class VectorMembers:
    """The members of an ensemble, by one compiled program."""

    def __init__(self, start: MemberStart, request: MemberRequest) -> None:
        """Check the initial data of all members, and compile the code."""
        events = request.events
        self.request, self.n = request, len(start)
        self.plain_modes = start.modes  # without the transitions of events
        self.one_program = start.modes.one_program
        if self.one_program:  # the modes of these members only
            start = dataclasses.replace(start, modes=start.modes.fresh())
        before = len(start.modes.transitions)
        self.events = {before + i: e for i, e in enumerate(events.values())}
        self.start = dataclasses.replace(start, modes=with_events(start.modes, events))
        self.modes = self.start.modes
        times = (request.t0, request.h, request.steps)
        self.steppers = steppers_of(self.modes, request.method, times, request.engine)
        system = next(iter(self.steppers.values())).system
        check_stop_rule(request.stop_when, system)
        self.code = ArcCode(
            self.modes, self.steppers, tuple(self.events), request.engine, True, request.stop_when
        )
        for x in self.steppers.values():
            x.arcs = self.code.engine
        if self.code.kernel is None:
            return
        self.kernel = self.code.kernel
        self.own = self._own()
        self.arc_at, self.row_at = places(self.code.arc), places(self.code.row)
        self.has_frame = bool(system.groupoid.group.dim)
        at = Start(system, request.h, request.t0, request.steps, members=self.n, single=False)
        self.plan = RowPlan(request.sinks, at)
        self._stops: Callable[..., Any] | None = None
        if request.stop_when is not None:
            one = at._replace(members=1)
            self._stops = watched(one, {"stop_when": AsNumber(request.stop_when)})
        self.watched = modes_to_watch(self.steppers, self._node, self.n)
        every = 1 if self.watched else self.plan.stride
        jumps = int(request.save_jumps or bool(self.watched))
        ends_at = self.code.turns.ends_at(self.events.values())
        limit = request.limit
        self.given = Given(request.t0, request.h, request.steps, every, jumps, limit, ends_at)
        self.arcs, self.first_rows = self._begin()

    @property
    def runs(self) -> bool:
        """Whether there is native code for these members."""
        return self.code.kernel is not None

    def _node(self, i: int) -> Node:
        q = jax.tree.map(lambda x: x[i], self.start.q)
        return Node(float(self.request.t0), q, self.start.v[i], None)

    def _own(self) -> np.ndarray:
        """Return the parameters of all modes, (numbers, members)."""
        base = self.code.packed_own(self.steppers)
        own = np.repeat(base[:, None], self.n, axis=1)
        if self.one_program:
            self.names, self.first_mode = self._started(own)
            return own
        at = 0
        for x in self.steppers.values():
            where = places(x.plan.parameters)
            for name, values in self.start.over.items():
                if name in x.system.parameters():
                    own[at + np.ravel(getattr(where, name)), :] = values
            at += x.plan.parameters.width
        return own

    def _started(self, own: np.ndarray) -> tuple[tuple[str, ...], np.ndarray]:
        """Decide the modes in which members start; write their numbers into `own`."""
        found, number = dict[str, int](), np.zeros(self.n, int)
        for i in range(self.n):
            modes, name, q, v = self.start.member(i)
            assert isinstance(modes, RoughModes)
            try:
                state = modes.state_at(name, q, v, self.request.t0)
            except UsageError as error:
                raise error.located(after=self.start.told(i)) from None
            own[:, i] = modes.decider.code.parameters(state)
            number[i] = found.setdefault(state.name(modes.plan), len(found))
        return tuple(found), number

    def _modes_with(self, i: int, names: Sequence[str], own: np.ndarray) -> tuple[Modes, Any]:
        """Return (modes that member i has met, the present one last; their compiled programs).

        The state of its contacts is among its parameters `own`.
        """
        modes, one = self.start.modes_of(i), next(iter(self.steppers.values()))
        assert isinstance(modes, RoughModes)
        modes = modes.met_with(names, modes.decider.code.state(own))
        made = {name: one.of(modes.system(name)) for name in modes.names}
        return modes, made

    def own_of(self, mode: int, members: np.ndarray) -> Any:
        """Return some members' parameters of a mode, as a tree; the first axis is the members."""
        plans = [x.plan.parameters for x in self.steppers.values()]
        at = sum(x.width for x in plans[:mode])
        return plans[mode].unpack(self.own[at : at + plans[mode].width, members].T)

    def _begin(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the initial states of the members, (numbers, members), and their first rows."""
        g = self.given
        if self.one_program:
            number = np.zeros(self.n, int)
        else:
            number = np.array([self.modes.names.index(x) for x in self.start.names])
        arcs = np.zeros((self.code.arc.width, self.n))
        rows = np.zeros((self.n, self.code.row.width))
        at, row_at = self.arc_at, self.row_at
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
                    np.concatenate([own, times, *flat, self.start.v[mine]], axis=1),
                    self.request.project,
                )
                state = x.plan.state.unpack(states)
                bad = np.flatnonzero(wrong | (state.row.result != OK))
                if len(bad):
                    self.refuse(int(mine[bad[0]]))
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
        if self.one_program:
            rows[:, int(row_at.mode)] = self.first_mode
        probe = HybridRun(self.modes, self.steppers, 1, int(g.limit))
        due = [probe.due_in(x) for x in self.modes.names][: len(np.ravel(at.due))]
        arcs[np.ravel(at.due)] = np.array(due)[:, None]
        return arcs, rows

    def refuse(self, i: int) -> None:
        """Raise what a single run from this member's data would raise."""
        run = self.alone(i)
        modes, name, q, v = self.start.member(i)
        try:
            point = modes.system(name).groupoid.base.check(q, "q0")
            run.begin(name, Node(float(self.request.t0), point, v, None), self.request.project)
        except UsageError as error:
            raise error.located(after=self.start.told(i)) from None

    def alone(
        self,
        i: int,
        since: float = -np.inf,
        names: Sequence[str] | None = None,
        own: np.ndarray | None = None,
    ) -> HybridRun:
        """Return a member as a single run, for decisions; `since` is the time where it begins.

        `names` and `own` are the modes that it has met, and its parameters if they have changed.
        """
        modes, steppers = self.modes, self.steppers
        own = self.own[:, i] if own is None else own
        if self.one_program:
            met = [self.names[self.first_mode[i]]] if names is None else names
            modes, steppers = self._modes_with(i, met, own)
        elif self.start.over:
            modes, first = self.start.modes_of(i), next(iter(steppers.values()))
            methods = {k: x.method for k, x in steppers.items()}
            times = (first.t0, first.h, first.steps)
            steppers = steppers_of(modes, methods, times, first.engine_asked)
            for x in steppers.values():
                x.arcs = self.code.engine
        run = HybridRun(modes, steppers, int(self.given.every), self.request.limit)
        run.events, run.stops = self.events, self._stops
        run.schedule = [x for x in run.schedule if x[0] > since + NOW * self.request.h]
        run.program = ArcProgram(self.code, self.given, own)
        return run

    # -- a block -----------------------------------------------------------------------------

    def block(self, mine: slice, before: VectorBlock | None = None) -> VectorBlock:
        """Run some members to the end, from the end of the block `before` if it is given."""
        return _Running(self, mine, before).to_the_end()

    def is_complete(self, block: VectorBlock) -> bool:
        """Whether all members of a block have reached the end, or failed."""
        good = block.arcs[int(self.arc_at.code)] != Code.EVENT
        good[[i - block.first for i in block.failed]] = False
        return not np.any(good & (block.arcs[int(self.arc_at.k)] < self.request.steps))

    def no_events(self) -> Events:
        """Return an empty list of events, in the form that members have."""
        none, found = np.zeros(0, int), self.code.rows(np.zeros((0, self.code.row.width)))
        return self.listed(none, none, found.row, found.frame, none)

    def listed(
        self, which: np.ndarray, member: np.ndarray, row: Any, frame: Any, step: np.ndarray
    ) -> Events:
        """Return a list of events at these rows."""
        return Events(
            names=tuple(self.request.events),
            which=which,
            member=member,
            step=step,
            frame=frame if self.has_frame else None,
            **{k: getattr(row, k) for k in ("t", "q", "v", "p", "multiplier", "residual")},
        )

    def events_of(self, arrays: Mapping[str, np.ndarray]) -> Events | None:
        """Return a list of events from `Events.arrays`."""
        if not arrays:
            return None
        like = self.no_events()
        trees = {k: getattr(like, k) for k in ("q", "frame")}
        whole = {
            k: jax.tree.unflatten(
                jax.tree.structure(x), [arrays[n] for n, _ in labels.named_leaves(k, x)]
            )
            for k, x in trees.items()
        }
        flat = {k: arrays[k] for k in arrays if hasattr(like, k) and k not in whole}
        return dataclasses.replace(like, **flat, **whole)

    def first_run(self) -> HybridTrajectory:
        """Return the start of the first member, which describes modes and methods."""
        run = self._assembled(0, self.first_rows[:1], ())
        run.stage = 0
        return run.result()

    # -- the result --------------------------------------------------------------------------

    def warnings(self, blocks: list[VectorBlock]) -> dict[int, tuple[str, ...]]:
        """Return the warnings of the members that have some."""
        found = {i: x for b in blocks for i, x in b.warnings.items()}
        methods = [x.method.traits.parasitic != "none" for x in self.steppers.values()]
        nonlinear = [x.system.is_nonlinear for x in self.steppers.values()]
        # such losses of rank, and energy that is gained, show in saved rows only
        if any(methods) or any(nonlinear) or self.one_program:
            rows = self.rows_of(blocks)
            for i in np.unique(np.linspace(0, self.n - 1, _LOOKED).astype(int)).tolist():
                run = self._assembled(i, rows(i), found.get(i, ()))
                wrong = run.wrong_coefficient()
                if wrong is not None:
                    run.record.warn(wrong)
                run.look_for_gained_energy()
                run.look_at_rows()
                if run.record.warnings:
                    found[i] = tuple(run.record.warnings)
        return found

    def rows_of(self, blocks: list[VectorBlock]) -> Callable[[int], np.ndarray]:
        """Return a function that returns the packed rows of a member."""
        sorted_rows = []
        for b in blocks:
            order = np.argsort(b.member, kind="stable")
            ends = np.cumsum(np.bincount(b.member, minlength=b.arcs.shape[1]))
            sorted_rows.append((self._named(b.rows[order], b.met), ends))
        firsts = [b.first for b in blocks]

        def rows(i: int) -> np.ndarray:
            which = int(np.searchsorted(firsts, i, side="right")) - 1
            mine, ends = sorted_rows[which]
            j = i - firsts[which]
            return np.concatenate(
                [self.first_rows[i : i + 1], mine[ends[j - 1] if j else 0 : ends[j]]]
            )

        return rows

    def _named(self, rows: np.ndarray, met: Met | None) -> np.ndarray:
        """Return the rows of a block, with modes numbered as in the whole ensemble."""
        if met is None:
            return rows
        self.names = tuple(dict.fromkeys((*self.names, *met.names)))
        number = np.array([self.names.index(x) for x in met.names])
        for at in (int(self.row_at.mode), int(self.row_at.source)):
            rows[:, at] = number[rows[:, at].astype(int)]
        return rows

    def ends(self, blocks: list[VectorBlock]) -> BlockEnds:
        """Return where the members have ended."""
        arc = self.code.arc.unpack(np.concatenate([b.arcs for b in blocks], axis=1).T)
        if self.one_program:
            names = tuple(b.met.names[m] for b in blocks if b.met is not None for m in b.met.mode)
        else:
            names = tuple(self.modes.names[int(i)] for i in arc.mode)
        return BlockEnds(arc.t, arc.q, arc.v, names, arc.jumps.astype(int))

    def sizes(self, blocks: list[VectorBlock]) -> Any:
        """Return the largest entries of q and v of each member, in its saved rows."""
        first: TurnRow = self.code.rows(self.first_rows)
        found = jax.tree.map(_largest, (first.row.q, first.row.v))
        for b in blocks:
            rows: TurnRow = self.code.rows(b.rows)
            for most, x in zip(jax.tree.leaves(found), jax.tree.leaves((rows.row.q, rows.row.v))):
                np.maximum.at(most, b.first + b.member, _largest(x))
        return found

    def trajectories(
        self,
        blocks: list[VectorBlock],
        warnings: Mapping[int, tuple[str, ...]],
        events: Events | None,
    ) -> Callable[[int], HybridTrajectory]:
        """Return a function that assembles the trajectory of a member."""
        rows = self.rows_of(blocks)
        arcs = np.concatenate([b.arcs for b in blocks], axis=1)
        own = self.own
        if self.one_program:
            own = np.concatenate([b.met.own for b in blocks if b.met is not None], axis=1)

        def member(i: int) -> HybridTrajectory:
            run = self._assembled(i, rows(i), warnings.get(i, ()), own[:, i])
            assert run.program is not None
            run.program.arc = self.code.arc.unpack(arcs[:, i].copy())
            run.stand(run.program)
            found = run.result()
            mine = None if events is None else events.of_member(i)
            return dataclasses.replace(found, events=mine)

        return member

    def _assembled(
        self, i: int, rows: np.ndarray, warnings: tuple[str, ...], own: np.ndarray | None = None
    ) -> HybridRun:
        """Return a member as a single run that has these rows; `own` are its last parameters."""
        names = None
        if self.one_program:  # the modes in the order in which they were met
            number, where = np.unique(rows[:, int(self.row_at.mode)], return_index=True)
            number = number[np.argsort(where)].astype(int)
            names = [self.names[x] for x in number]
            rows, place = rows.copy(), np.zeros(len(self.names))
            place[number] = np.arange(len(number))
            for at in (int(self.row_at.mode), int(self.row_at.source)):
                rows[:, at] = place[rows[:, at].astype(int)]
        run = self.alone(i, names=names, own=own)
        run.record.warnings = list(warnings)
        # rows that are not saved are left out already
        run.record.every = 1
        found = self.code.rows(rows)
        run.record.turned(found)
        run.record.every = self.plan.every
        last = self.code.rows(rows[-1:])
        run.mode, run.k = run.modes.names[int(last.mode[0])], int(last.k[0])
        q, v, frame = jax.tree.map(lambda x: x[0], (last.row.q, last.row.v, last.frame))
        run.node = Node(float(last.row.t[0]), q, v, frame)
        return run


class _Running:
    """One block while it runs."""

    def __init__(self, members: VectorMembers, mine: slice, before: VectorBlock | None) -> None:
        self.all, self.first, self.n = members, mine.start, mine.stop - mine.start
        self.careful: dict[int, HybridRun] = {}
        self.failed: dict[int, str] = {}
        self.warned: dict[int, list[str]] = {}
        if before is not None:
            self.failed = {i - before.first: x for i, x in before.failed.items()}
            self.warned = {i - before.first: list(x) for i, x in before.warnings.items()}
        self.parts: list[tuple[np.ndarray, np.ndarray]] = []
        self.events: list[Events] = []
        if before is not None and before.events is not None:
            own_numbers = before.events.member - before.first
            self.events.append(dataclasses.replace(before.events, member=own_numbers))
        self.last = np.full(self.n, float(members.request.t0))  # time of each member's last row
        plan = members.plan
        self.sinks: MemberSinks | None = None
        if plan.others is not None:
            self.sinks = MemberSinks(
                plan.others, members.start.first + self.first, self.n, members.code.row.unpack,
                members.has_frame,
            )  # fmt: skip
        self.ranks: ArcRanks | None = None
        if members.watched:
            own = members.own_of if members.start.over else None
            self.ranks = ArcRanks(members.steppers, members.watched, own)
        self.names, self.mode = list[str](), np.zeros(self.n, int)
        given = members.own[:, mine]
        if members.one_program:
            met = None if before is None else before.met
            self.names = list(members.names if met is None else met.names)
            self.mode = members.first_mode[mine].copy() if met is None else met.mode.copy()
            given = given if met is None else met.own
        width, own = members.kernel.width, len(members.own)
        n = -(-self.n // width) * width
        self.table = np.zeros((own + members.code.arc.width, n))
        self.arcs, self.code = self.table[own:], own + int(members.arc_at.code)
        self.table[self.code] = Code.OVER  # padding of the last vector
        self.table[:own, : self.n] = given
        self.table[:own, self.n :] = given[:, :1]
        self.arcs[:, : self.n] = members.arcs[:, mine] if before is None else self._resumed(before)
        first = members.first_rows[mine]
        if before is not None:
            self._take_over(before, first)
        elif self.sinks is not None or self.ranks is not None:
            self._pass_on(np.arange(self.n), first)

    # -- the loop ----------------------------------------------------------------------------

    def to_the_end(self) -> VectorBlock:
        """Make turns until all members have ended."""
        a, arcs, code = self.all, self.arcs, self.code
        shared = a.code.given.pack_numpy(a.given)
        kernel, n = a.kernel, self.table.shape[1]
        few = a.given.every >= a.given.steps and not a.given.jumps and not a.events
        capacity = 1 if few else max(_BYTES // (8 * n * kernel.row_width), 4)
        rows = np.empty((n, capacity, kernel.row_width))
        while np.any(self.table[code] == Code.GOES_ON):
            counts = kernel(shared, self.table, rows, _TURNS)
            if np.any(counts):
                which = np.arange(capacity)[None] < counts[:, None]
                self._take(np.repeat(np.arange(self.n), counts[: self.n]), rows[which], True)
            now = self.table[code, : self.n]
            for j in np.flatnonzero((now >= Code.ARC) & (now <= Code.DIP)):
                arcs[:, j] = self._judged(int(j), arcs[:, j])
            if self.sinks is not None:
                k, ends = arcs[int(a.arc_at.k), : self.n], self.table[code, : self.n]
                over = ends != Code.GOES_ON
                self.sinks.feed(np.where(over, a.request.steps, k - 1).astype(int))
        return self._done()

    def _done(self) -> VectorBlock:
        a = self.all
        for i, run in self.careful.items():
            run.note_touches()
            self.warned.setdefault(i, []).extend(run.record.warnings)
        if self.ranks is not None:
            for i in sorted({i for i, _ in self.ranks.found}):
                self.warned.setdefault(i, []).extend(self.ranks.words(i))
        none = np.zeros(0, int), np.zeros((0, a.code.row.width))
        member, rows = (np.concatenate(x) for x in zip(none, *self.parts))
        first = a.start.first + self.first
        events = Events.joined([a.no_events(), *self.events]) if a.events else None
        return VectorBlock(
            first, self.arcs[:, : self.n].copy(), member, rows,
            {first + i: x for i, x in self.failed.items()},
            {first + i: tuple(dict.fromkeys(x)) for i, x in self.warned.items() if x},
            None if events is None else dataclasses.replace(events, member=events.member + first),
            {} if self.sinks is None else self.sinks.states.states,
            (a.code.engine.name, a.code.engine.reason), (),
            Met(tuple(self.names), self.mode, self.table[: len(a.own), : self.n].copy())
            if a.one_program else None,
        )  # fmt: skip

    # -- rows --------------------------------------------------------------------------------

    def _take(self, member: np.ndarray, rows: np.ndarray, native: bool) -> None:
        """Pass rows on to sinks and checks, and save the requested ones."""
        a, at = self.all, self.all.row_at
        kind, k = rows[:, int(at.kind)], rows[:, int(at.k)].astype(int)
        grid = kind == Kind.GRID
        if native and a.events:
            self._list_events(member, rows)
        if native and a.one_program:
            rows[:, int(at.mode)] = rows[:, int(at.source)] = self.mode[member]
        self._pass_on(member, rows)
        saved = np.where(grid, a.plan.saved(k), a.request.save_jumps)
        ends = np.r_[member[1:] != member[:-1], True]
        stopped = self.table[self.code, : self.n] == Code.STOPPED
        saved |= grid & ends & stopped[member]
        member, rows = member[saved], rows[saved]
        if len(rows):
            self.last[member] = rows[:, int(at.row.t)]  # the last of each member counts
            self.parts.append((member, rows))

    def _pass_on(self, member: np.ndarray, rows: np.ndarray) -> None:
        """Pass rows on to sinks and to the watch of the constraints."""
        at = self.all.row_at
        kind, k = rows[:, int(at.kind)], rows[:, int(at.k)].astype(int)
        if self.sinks is not None:
            grid = kind == Kind.GRID
            self.sinks.add(member[grid], k[grid], rows[grid])
        if self.ranks is not None:
            found: TurnRow = self.all.code.rows(rows)
            begins = found.kind == Kind.AFTER
            data: Any = (found.row.t, found.row.q, found.row.v, found.frame)
            self.ranks.feed(ArcRows(member, found.mode.astype(int), begins, *data))

    def _forget(self, j: int, k: int) -> None:
        """Remove the row of a member at step k: its mode has ended before."""
        if self.sinks is not None:
            self.sinks.forget(j, k)
        at = self.all.row_at
        for i in range(len(self.parts) - 1, -1, -1):
            member, rows = self.parts[i]
            mine = np.flatnonzero(member == j)
            if len(mine):
                last = mine[-1]
                if rows[last, int(at.kind)] == Kind.GRID and int(rows[last, int(at.k)]) == k:
                    self.parts[i] = np.delete(member, last), np.delete(rows, last, axis=0)
                return

    def _list_events(self, member: np.ndarray, rows: np.ndarray) -> None:
        """Add the events among rows of native turns."""
        a, at = self.all, self.all.row_at
        before = np.flatnonzero(rows[:, int(at.kind)] == Kind.BEFORE)
        found: TurnRow = a.code.rows(rows[before])
        counted = np.stack(a.code.turns.counted)[found.mode.astype(int), found.group.astype(int)]
        row, which = np.nonzero(counted)
        if len(row):
            mine = jax.tree.map(lambda x: x[row], found)
            listed = (mine.row, mine.frame, mine.k.astype(int) + 1)
            self.events.append(a.listed(which, member[before][row], *listed))

    # -- decisions ---------------------------------------------------------------------------

    def _judged(self, j: int, numbers: np.ndarray) -> np.ndarray:
        """Return the state of a member that was handed back, after a few checked steps."""
        a, at, i = self.all, self.all.arc_at, self.first + j
        run, arc = self.careful.get(j), a.code.arc.unpack(numbers)
        if run is None and int(arc.k) == 0 and int(arc.jumps) == 0 and not a.one_program:
            a.refuse(i)  # the member begins on the wrong side of a guard
        if run is None:
            since = float(arc.t) - 2.0 * NOW * a.request.h
            run = self.careful[j] = self._alone(j, since)
        assert run.program is not None
        run.program.arc = arc
        record = run.record
        if int(arc.crowd) >= a.request.limit:  # the times of these jumps were not recorded
            record.jump_times += [float(arc.t)] * int(arc.crowd)
        record.begin_anew(float(self.last[j]))
        run.happened.clear()
        run.earlier = dict(zip(a.events, arc.events.astype(int).tolist()))
        jumps, new = len(record.jump_times), np.array(numbers)
        over = False
        try:
            over = run.careful(run.program)
            new[:] = a.code.arc.pack_numpy(run.as_arc(run.program))
        except SimulationError as error:
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise
            self.failed[j], over = str(error), True
        for k in record.forgotten:
            self._forget(j, k)
        made = record.as_turn_rows(0, len(record.jump_times) - jumps)
        if a.one_program:
            number = np.array([self._number(x) for x in run.modes.names])
            self.mode[j] = self._number(run.mode)
            self.table[: len(a.own), j] = run.stepper.parameters
            if made is not None:
                mode, source = (number[np.asarray(x, int)] for x in (made.mode, made.source))
                made = made._replace(mode=mode, source=source)
        if made is not None:
            leaves = [np.asarray(x, float).reshape(len(made.k), -1) for x in jax.tree.leaves(made)]
            packed = np.concatenate(leaves, axis=1)
            self._take(np.full(len(packed), j), packed, False)
        found = run.found_events() if run.happened else None
        if found is not None:
            self.events.append(dataclasses.replace(found, member=found.member + j))
        new[int(at.jumps)] = int(arc.jumps) + len(record.jump_times) - jumps
        ended = Code.EVENT if run.stopped else Code.OVER
        new[int(at.code)] = ended if over else Code.GOES_ON
        return new

    def _alone(self, j: int, since: float) -> HybridRun:
        """Return a member as a single run, in its present mode."""
        a = self.all
        if not a.one_program:
            return a.alone(self.first + j, since)
        name = self.names[self.mode[j]]
        run = a.alone(self.first + j, since, [name], self.table[: len(a.own), j].copy())
        run.mode = name
        return run

    def _number(self, name: str) -> int:
        """Return the number of a mode among those that members of this block have met."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    # -- resuming ----------------------------------------------------------------------------

    def _resumed(self, before: VectorBlock) -> np.ndarray:
        """Return the states of members that have ended, changed so that they continue."""
        a, at = self.all, self.all.arc_at
        arcs = before.arcs.copy()
        ended = arcs[int(at.code)] == Code.EVENT
        good = ~ended
        good[list(self.failed)] = False
        more = good & (arcs[int(at.k)] < a.request.steps)
        over = np.where(ended, Code.EVENT, Code.OVER)
        arcs[int(at.code)] = np.where(more, Code.GOES_ON, over)
        # An arc that began too near the end of the run before for a step to the grid begins anew,
        # because the run now goes on.
        begun = more & (arcs[int(at.phase)] == Phase.TO_GRID)
        for there in (at.phase, at.origin):
            arcs[int(there)] = np.where(begun, Phase.ENTER, arcs[int(there)])
        timed = any(x.times for x in a.modes.transitions)
        for j in np.flatnonzero(more & timed):
            run = a.alone(self.first + int(j), float(arcs[int(at.t), j]))
            due = [run.due_in(x) for x in a.modes.names]
            arcs[np.ravel(at.due), j] = due[: len(np.ravel(at.due))]
        return arcs

    def _take_over(self, before: VectorBlock, first: np.ndarray) -> None:
        """Begin with those rows of the block `before` that this run would have saved."""
        a, at = self.all, self.all.row_at
        grid = before.rows[:, int(at.kind)] == Kind.GRID
        saved = ~grid | a.plan.saved(before.rows[:, int(at.k)].astype(int))
        ended = np.zeros(self.n, bool)
        ended[list(self.failed)] = True
        saved |= ended[before.member]
        member, rows = before.member[saved], before.rows[saved]
        if len(rows):
            self.parts.append((member, rows))
            self.last[member] = rows[:, int(at.row.t)]
        if self.ranks is not None:
            own = np.r_[np.arange(self.n), before.member]
            order = np.argsort(own, kind="stable")
            self._pass_on(own[order], np.concatenate([first, before.rows])[order])


def _largest(x: np.ndarray) -> np.ndarray:
    """Return the largest |entry| of each row."""
    return np.abs(x).reshape(len(x), -1).max(axis=1, initial=0.0)


def _put(table: np.ndarray, there: Any, value: Any, mine: np.ndarray) -> None:
    """Write a tree of numbers, whose first axis is the members, into a table of packed states."""
    for place, x in zip(jax.tree.leaves(there), jax.tree.leaves(value), strict=True):
        lines = np.ravel(place)
        table[np.ix_(lines, mine)] = np.reshape(np.asarray(x, float), (len(mine), -1)).T


__all__ = ["VectorBlock", "BlockEnds", "VectorMembers"]
