"""An ensemble as it runs: members in blocks, each on a core or a device, and one result of all.

Every block runs the same compiled code, and what is summed over members is summed in the order of
the blocks. The numbers therefore do not depend on how many devices there are, nor on how an
ensemble is cut into slices of whole blocks. The steps of a block are made by its program
(`programs.member_loop`, `programs.taylor_program`) and driven by `driver`; what is made of rows is
in `record`, slices on disk are in `api.sliced_run`.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..compile.engine import Engine
from ..compile.layout import Layout, Tree
from ..compile.xla import Device, cores
from ..dynamics import energy_is_conserved
from ..errors import UsageError
from ..events import ENDED, EndedMembers, Event, EventWatch, PolynomialBuffer
from ..inputs import CONTROL
from ..linalg import OK
from ..methods import Method, Row
from ..request import initial_data
from ..request.batch import Batch
from ..request.prepare import Prepared, prepare_members
from ..request.sampling import Sampling
from ..request.step import Numbers, StopRule, check_stop_rule, has_any_times, has_own_steps, time_at
from ..request.validate import Given
from ..results import Ensemble, Events, Meta
from ..rows import AnySink, Nodes, Rows, Sink, Start
from ..system import Point, System
from .driver import Pace, Progress, drive
from .programs.fixed_step import ending_at, shortened_members
from .programs.member_loop import BlockLoop, LoopSizes, loop_of, saved_member
from .programs.step_kernel import Member, SavedRow, places
from .programs.taylor_program import TaylorMembers, shortened_taylor
from .record import parasitic_mode
from .record.member_ranks import MemberRanks, members_may_lose_rank, told_members
from .record.sinks import Final, RowSink, SinkSchedule, SinkStates, finished, named, watched_mode


class EnsembleRequest(NamedTuple):
    """The arguments of an ensemble run, without those that say what is saved."""

    system: System
    method: Method
    q0: Point
    v0: Given
    h: Given
    t0: Given
    project: bool
    save_every: int | None
    engine: str | None
    initial: Mapping[str, np.ndarray] = MappingProxyType({})  # entries of q0, v0 that have names
    stop_when: StopRule | None = None
    sampling: Sampling | None = None  # inputs from a Python controller (`Sampled`)

    def work(
        self,
        sinks: Mapping[str, AnySink],
        steps: int | None,
        t: float | None = None,
        devices: Sequence[Device] | None = None,
        events: Mapping[str, Event] | None = None,
        block: int | None = None,
    ) -> EnsembleRun:
        """Check the arguments and return the run."""
        method = self.method
        prepared, batch = prepare_members(
            self.system, method, self.q0, self.v0, self.h, self.t0, self.project
        )
        # The parameters that all members share, without those in which they differ.
        one = prepared._replace(dynamic=batch.shared)
        if self.sampling is not None:
            prepared = prepared._replace(sampling=self.sampling)
            # A Python controller is called for all members at once, so they form one block. It is
            # padded to whole vectors of 8 or 16 members.
            block = -(-batch.members // 16) * 16

        # Events of few members at a time are located together, each with its own shortened step.
        def shortened(node: Nodes, sizes: np.ndarray) -> tuple[Row, Point]:
            if has_any_times(method):
                return shortened_taylor(one, node, sizes, batch.varying)
            return shortened_members(prepared.plan, batch.shared, batch.varying, node, sizes)

        start = Start(
            prepared.system,
            prepared.h,
            prepared.t0,
            steps or 0,
            members=batch.members,
            single=False,
            shortened=shortened,
            own_steps=has_own_steps(method),
        )
        if steps is None:
            assert t is not None
            prepared = ending_at(prepared, float(t))
            steps = self._steps_until(prepared, batch, start, float(t), devices)
            start = start._replace(steps=steps)
        check_stop_rule(self.stop_when, prepared.system)
        every_step = bool(events) or self.stop_when is not None
        looking = SinkSchedule(sinks, self.save_every, start, at_every_step=every_step)
        looking = looking.watched(prepared.system, method, batch.varying)

        def of_member(i: int) -> Prepared:
            own = jax.tree.map(lambda x: np.asarray(x)[i], (batch.varying, prepared.state))
            dynamic, state = eqx.combine(own[0], batch.shared), own[1]
            system = eqx.combine(dynamic, batch.static)
            return prepared._replace(system=system, dynamic=dynamic, state=state, sampling=None)

        follows = members_may_lose_rank(of_member, batch.members, steps)
        if follows:
            looking = looking.looking_at(1)  # a singular point lies between two steps
        run = EnsembleRun(self, prepared, batch, looking, devices, events or {}, block)
        if follows and (looking.stride == 1 or has_any_times(method)):
            run.of_member = of_member
        return run

    def _steps_until(
        self,
        prepared: Prepared,
        batch: Batch,
        start: Start,
        t: float,
        devices: Sequence[Device] | None,
    ) -> int:
        """Return the number of adaptive steps of the slowest member until t, by a trial run."""
        plain = self._replace(initial={}, stop_when=None)
        # Twice the number of steps of size h is a guess; where it is too small the run is
        # repeated with twice as many.
        steps = 2 * max(round((t - prepared.t0) / prepared.h), 1)
        while True:
            looking = SinkSchedule(named(Final()), None, start._replace(steps=steps))
            work = EnsembleRun(plain, prepared, batch, looking, devices, {})
            work.compile()
            found = work.gathered(work.run(False), {"wall_s": 0.0, "compile_s": 0.0})
            # A failed member counts as done: it fails in the real run as well, at the same step.
            if np.all((found.ended >= t) | (found.result != OK)):
                return max(int(np.max(found.steps_done + (found.result != OK))), 1)
            steps *= 2


# With fewer members Python costs more than the steps; with more, the rows of a call do not fit into
# the processor's cache.
_CPU_BLOCKS = (64, 1024)  # members of a block, least and most: a block costs 1 ms of Python
_CPU_SHARE = 32  # blocks for many cores, before they grow
# Members of a GPU block: about the threads that an H200 runs at a time, half of the 270,000 that
# it holds.
_GPU_BLOCK = 1 << 17
# Bytes of the rows of one call. On a CPU sinks read them while they are in the cache; on a GPU
# few large transfers are cheaper than many.
_ROWS_BYTES = {"cpu": 8 * 2**20, "gpu": 512 * 2**20}
# Seconds of one call: Ctrl-C and progress wait at most that long.
_CALL_SECONDS = 0.3
_LEAST_STEPS = 1024  # if a row takes many steps: a call makes a multiple of this, plus one
_GPU_THREADS = 4  # blocks of a GPU at once: one is computed while others are copied to and fro


class _Ends(NamedTuple):
    """State of the members of a block at the end of the run."""

    t: np.ndarray
    result: np.ndarray
    good: np.ndarray  # successful steps
    row: Row | None = None  # the last row, if checks at the end need it
    frame: Point | None = None


class EnsembleRun:
    """The blocks of an ensemble, and how one of them is run."""

    def __init__(
        self,
        request: EnsembleRequest,
        prepared: Prepared,
        batch: Batch,
        looking: SinkSchedule,
        devices: Sequence[Device] | None,
        events: Mapping[str, Event],
        block: int | None = None,  # block size of the ensemble of which these members are a slice
    ) -> None:
        # returns a member as a single run; only if the ranks of constraints are followed
        self.of_member: Callable[[int], Prepared] | None = None
        self.singular: dict[int, str] = {}  # members that meet singular points
        self.stop_when, self.initial = request.stop_when, request.initial
        self.asked = asked = request.engine
        self.prepared, self.batch, self.looking, self.events = prepared, batch, looking, events
        # the worst member for each kind of defect
        self.worst: dict[str, initial_data.WorstMember] = {}
        self.steps, self.every = looking.start.steps, looking.stride
        # All JAX devices by default; on a CPU, one thread per core takes the place of a device.
        found = list(devices) if devices is not None else jax.devices()
        # engine="gpu" on a CPU interprets the kernel for a GPU, for tests
        self.on_cpu = found[0].platform == "cpu" and asked != "gpu"
        self.on_cpu |= has_any_times(prepared.method)  # whatever the device
        if self.on_cpu and devices is None:
            found = found[:1] * cores()
        self.devices = found
        self.block = block or block_size(batch.members, self.on_cpu)
        members = (batch.varying, Member(prepared.state, np.zeros(batch.members)))
        one = jax.tree.map(lambda x: jax.ShapeDtypeStruct(x.shape[1:], x.dtype), members)
        # What all members share is passed once and read by every member, not copied into each of
        # them.
        given = (batch.shared, np.asarray(prepared.t0), np.asarray(prepared.h))
        self.member_layout = Layout(one)
        self.parameters = Layout(batch.shared), Layout(one[0])
        self.shared = Layout(given).pack_numpy(given)
        leaves = (np.asarray(x) for x in jax.tree.leaves(members))
        # Structure of arrays: one line per number, members along it, which is the order that
        # vectors and GPU threads read.
        self._members = [line for x in leaves for line in x.reshape(batch.members, -1).T]
        self.row_layout = Layout(saved_member(one[1]))
        # a few buffer sizes only, so that runs of all lengths share compiled code
        memory = _ROWS_BYTES["cpu" if self.on_cpu else "gpu"]
        most = memory // (8 * self.row_layout.width * self.block)
        # Powers of two, of which there are few: at most nine variants of a loop are compiled,
        # whatever the length of a run.
        self.rows = min(32 if self.every >= 16 else 256, 1 << (max(most, 1).bit_length() - 1))
        if self.every >= self.steps:  # the last row only
            self.rows = 1

    def compile(self) -> None:
        """Compile the loop; sinks raise here if they cannot serve this run."""
        first, _ = self._rows_of(np.array([0]), self._numbers(0, 1)[self._kept_part][None], 1)
        # Only the first block is needed to find out whether sinks accept these rows.
        with jax.default_device(self.devices[0]):  # JAX caches code by that, too
            SinkStates(self.looking, 0, 1).compile_watch(first)
        self._watch(0, 1)
        # Blocks are combined at the end: a sink without `combine` must refuse now, before hours
        # of work.
        if self.batch.members > self.block:
            for sink in self.looking.sinks.values():
                if type(sink).combine is Sink.combine:
                    sink.combine([None, None])  # refuses
        sizes = LoopSizes(self.block, self.rows, self.every, self.steps)
        if has_any_times(self.prepared.method):
            if self.asked not in (None, "native"):
                raise UsageError(f"taylor runs as native code only, not engine={self.asked!r}")
            loop = TaylorMembers(self.prepared, *self.parameters, self.steps)
            self.steppers = dict.fromkeys(
                self.devices, BlockLoop(Engine("native").noting(self.prepared.plan.reason), loop)
            )
            return
        self.steppers = {
            d: loop_of(
                self.prepared.plan,
                *self.parameters,
                sizes,
                None if self.on_cpu else d,
                self.asked,
            )
            for d in set(self.devices)
        }

    @property
    def engine(self) -> Engine:
        """The engine that runs the blocks."""
        return self.steppers[self.devices[0]].engine

    def run(
        self, progress: bool | None, tick: Callable[[float], object] = lambda part: None
    ) -> list[Tree]:
        """Run all blocks on all devices; `tick` is called with the progress."""
        starts = range(0, self.batch.members, self.block)
        done = [0] * len(starts)
        with Progress(progress, self.steps * len(starts)) as bar:
            # Devices are a pool: a thread takes one, runs a block on it, and gives it back.
            free = list(self.devices) * (1 if self.on_cpu else _GPU_THREADS)
            with concurrent.futures.ThreadPoolExecutor(len(free)) as pool:

                def work(i: int) -> Tree:
                    device = free.pop()
                    try:
                        with jax.default_device(device):
                            return self._run_block(starts[i], device, partial(done.__setitem__, i))
                    finally:
                        free.append(device)

                futures = [pool.submit(work, i) for i in range(len(starts))]
                try:
                    while True:
                        # Wake up five times a second: Ctrl-C reaches the main thread only, and
                        # only between waits.
                        _, waiting = concurrent.futures.wait(futures, timeout=0.2)
                        bar.update(sum(done))
                        tick(sum(done) / (self.steps * len(starts)))
                        if not waiting:
                            break
                except BaseException:
                    # Threads cannot be interrupted from outside: each reads this flag before its
                    # next call.
                    self.cancelled = True
                    pool.shutdown(cancel_futures=True)
                    raise
        return [f.result() for f in futures]

    cancelled = False

    def _numbers(self, first: int, count: int, read: Sequence[int] | None = None) -> np.ndarray:
        """Return `count` packed members from `first` on, an array (numbers of a member, members).

        It is made for each block in the thread that runs it, because it takes long for very many
        members. With `read`, only the numbers at these indices are filled in. The last block is
        padded with copies of the last member.
        """
        inside = min(count, self.batch.members - first)
        found = np.empty((self.member_layout.width, count))
        for i in range(len(found)) if read is None else read:
            found[i, :inside] = self._members[i][first : first + inside]
            # Copies run the same branches as the member they copy, so they never prolong a loop.
            found[i, inside:] = found[i, inside - 1]
        return found

    @functools.cached_property
    def _kept_part(self) -> np.ndarray:
        """Return the indices of those numbers of a packed member that form its row."""
        leaves = jax.tree.leaves(saved_member(places(self.member_layout)[1]))
        return np.concatenate([np.ravel(x) for x in leaves]).astype(int)

    def _rows_of(self, k: np.ndarray, numbers: Tree, members: int) -> tuple[Rows, np.ndarray]:
        """Unpack rows, and the number of successful steps of each member."""
        if isinstance(numbers, jax.Array):  # stay on the device, except what checks read
            found, good = _unpacked(self.row_layout, members, len(k), numbers)
            checked = {x: getattr(found.row, x) for x in ("t", "residual", "result")}
            # One transfer for all three, because each transfer waits for the device.
            checked, good = jax.device_get((checked, good))  # all at once
            found = found._replace(row=found.row._replace(**checked))
        else:
            found, good = self.row_layout.unpack(np.moveaxis(numbers, 1, 2)[:, :members])
        frame = found.frame if self.batch.example.groupoid.group.dim else None
        return Rows.of(k, found.row, frame, self.looking.start.own_steps), good

    def _run_block(self, first: int, device: Device, report: Callable[[int], None]) -> Tree:
        inside = min(self.block, self.batch.members - first)
        # Taylor's members keep polynomials in which events are found; other members only note
        # that they have ended.
        pieces = EndedMembers()
        if has_any_times(self.prepared.method):
            pieces = PolynomialBuffer(inside)
        feeding = SinkStates(self.looking, first, inside, pieces)
        watch = self._watch(first, inside, pieces)
        ranks = self._ranks(first, inside)
        _, advance, read = self.steppers[device]
        if isinstance(pieces, PolynomialBuffer) and pieces.searches:
            advance = partial(advance, pieces=pieces)

        end: _Ends | None = None

        def look(k: np.ndarray, rows: Tree) -> None:
            nonlocal end
            found, good = self._rows_of(k, rows, inside)
            if ranks is not None:
                found = ranks.feed(found)
                # A member that meets a singular point has failed there, whatever its code
                # computed behind it.
                good = np.minimum(good, ranks.lost - 1)
            if k[-1] == self.steps:
                end = _Ends(found.times[-1], found.result[-1], good[-1])
                if self._reads_ends:
                    saved, _ = self.row_layout.unpack(np.asarray(rows[len(k) - 1]).T[:inside])
                    end = end._replace(row=saved.row, frame=saved.frame)
                # Without a copy, this view would keep the rows of the whole call alive until the
                # ensemble is gathered.
                end = jax.tree.map(np.array, end)  # a copy, so that the other rows are freed
            fed = found if watch is None else watch.feed(found.here())[0]
            feeding.feed(fed, self.steps)

        # If nothing reads the rows in between, the block starts without saving its first row.
        if watch is None and ranks is None and self.looking.only_at_the_end:
            numbers = self._numbers(first, self.block, read)
        else:
            numbers = self._numbers(first, self.block)
            look(np.array([0]), numbers[self._kept_part][None])

        def record(rows: tuple[np.ndarray, Numbers] | None) -> None:
            if rows is not None:
                look(*rows)

        pace = Pace(_LEAST_STEPS, _CALL_SECONDS, _LEAST_STEPS)
        block = _BlockProgram(self, advance, numbers)
        drive(block, record, pace, report, lambda: self.cancelled)
        if ranks is not None:
            self.singular |= ranks.words
        return feeding, end, watch

    def _ranks(self, first: int, members: int) -> MemberRanks | None:
        """Return what follows the constraint of a block, if its rank may change."""
        if self.of_member is None:
            return None
        batch, shortened = self.batch, self.looking.start.shortened
        assert shortened is not None
        own = jax.tree.map(lambda x: np.asarray(x)[first : first + members], batch.varying)
        dynamic = eqx.combine(own, batch.shared)
        apart = has_any_times(self.prepared.method)
        given = (self.of_member, dynamic, first, members, self.steps, apart, shortened)
        return MemberRanks(*given)

    @functools.cached_property
    def _reads_ends(self) -> bool:
        """Whether last rows are needed: for checks at the end, or because no rows are saved."""
        rows = any(isinstance(x, RowSink) for x in self.looking.sinks.values())
        return not rows or not self.prepared.method.traits.on_constraint or self._is_kept

    @functools.cached_property
    def _is_kept(self) -> bool:
        """Whether energies at the end are compared (not on an accelerator: rows stay there)."""
        worth = self.on_cpu and self.steps >= initial_data.WORTH_ENERGY
        return worth and energy_is_conserved(self.prepared.system)

    def _watch(self, first: int, members: int, pieces: Tree = None) -> EventWatch | None:
        start = self.looking.start._replace(first=first, members=members, pieces=pieces)
        if not self.events and self.stop_when is None:
            return None
        return EventWatch(self.events, start, self.stop_when)

    def gathered(self, blocks: list[Tree], spent: Mapping[str, float]) -> Ensemble:
        """Combine the results of all blocks."""
        prepared, batch = self.prepared, self.batch
        last: _Ends = jax.tree.map(lambda *x: np.concatenate(x), *(end for _, end, _ in blocks))
        steps_done, result = last.good.astype(int), last.result
        watches: list[EventWatch] = [watch for *_, watch in blocks if watch is not None]
        # NaN marks members that no event has ended, because every finite time is possible.
        over = np.full(batch.members, np.nan)  # the times of members that an event has ended
        if watches:
            over, at = (
                np.concatenate([getattr(w, x) for w in watches]) for x in ("ended", "steps")
            )
            steps_done = np.where(np.isnan(over), steps_done, at)
            result = np.where(np.isnan(over), result, OK)
        failed = result != OK
        own_steps = self.looking.start.own_steps
        # With fixed steps t0 + k h is exact to one rounding; the time in the state has
        # accumulated k of them.
        ended = last.t if own_steps else time_at(prepared.t0, prepared.h, steps_done + failed)
        ended = np.where(np.isnan(over), ended, over)
        system = prepared.system
        own = {name: np.asarray(getattr(batch.varying, name)) for name in batch.names}
        mode = watched_mode([feeding for feeding, *_ in blocks])
        if mode is not None:
            self.worst[_MODE] = parasitic_mode.worst_of(mode)
        self.worst |= self._end_off(last.row, ended, failed)
        self.worst |= self._lost_energy(last.row, ended, failed)
        meta = Meta.of(
            system,
            prepared.method,
            parameters={**system.parameters(), **own},
            h=prepared.h,
            t0=prepared.t0,
            steps=self.steps,
            save_every=self.every,
            constraints=prepared.state.row.multiplier.shape[-1],
            own_steps=own_steps,
            warnings=(
                *warnings_of(prepared.method, self.worst),
                *told_members(self.singular, batch.members),
            ),
            wall_s=spent["wall_s"],
            compile_s=spent["compile_s"],
            engine=self.engine.name,
            engine_reason=self.engine.reason,
        )

        def ensemble(name: str | None, rows: Rows) -> Ensemble:
            bad = ~rows.good.T

            # Rows behind the end of a member are NaN, so that nobody mistakes the last state for
            # a motion.
            def take(x: Tree) -> Tree:
                def one(a: np.ndarray) -> np.ndarray:
                    a = np.swapaxes(a, 0, 1)
                    if not bad.any():
                        return a
                    return np.where(bad.reshape(bad.shape + (1,) * (a.ndim - 2)), np.nan, a)

                return jax.tree.map(one, x)

            arrays = ("q", "v", "p", "multiplier", "frame", "residual")
            return Ensemble(
                t=np.where(bad, np.nan, rows.t.T) if own_steps else rows.t,
                **{name: take(getattr(rows, name)) for name in arrays},
                result=result,
                steps_done=steps_done,
                ended=ended,
                events=Events.joined([w.found() for w in watches]) if watches else None,
                meta=dataclasses.replace(meta, save_every=self.looking.every(name)),
                varying=batch.names,
                initial=self.initial,
            )

        found = {
            name: ensemble(name, x) if isinstance(x, Rows) else x
            for name, x in finished([feeding for feeding, *_ in blocks]).items()
        }
        main = next((x for x in found.values() if isinstance(x, Ensemble)), None)
        if main is None:  # no rows were saved: the last ones show where the members ended
            end, frame = jax.tree.map(lambda x: x[None], (last.row, last.frame))
            frame = frame if system.groupoid.group.dim else None
            rows = Rows.of(np.array([self.steps]), end, frame, own_steps)
            here = np.where(np.isnan(over), rows.result, ENDED)
            main = ensemble(None, rows._replace(result=here))
        saved = {k: x for k, x in found.items() if k}
        if prepared.sampling is not None:
            saved["u"] = prepared.sampling.inputs()
        if "" in found and not isinstance(found[""], Ensemble):
            saved["result"] = found[""]
        return dataclasses.replace(main, saved=saved)

    def _end_off(
        self, row: Row | None, ended: np.ndarray, failed: np.ndarray
    ) -> dict[str, initial_data.WorstMember]:
        """Return the worst residual at the end, for methods that do not claim the constraint."""
        method, system = self.prepared.method, self.prepared.system
        if method.traits.on_constraint or not system.is_constrained or np.all(failed):
            return {}
        assert row is not None  # see `_reads_ends`
        last = self.batch._replace(q=row.q, v=row.v)
        _, found, _ = self.prepared.plan.start_members(last, ended, self.prepared.h, True)
        # Relative to |A| |v|; for members that have come to rest, to the typical speed of the run.
        begun = self.prepared.state.row
        off = initial_data.off_at_the_end(found, begun, row, ended - begun.t)
        return {_OFF: initial_data.worst_off(np.where(failed, 0.0, off))}

    def _lost_energy(
        self, row: Row | None, ended: np.ndarray, failed: np.ndarray
    ) -> dict[str, initial_data.WorstMember]:
        """Return the worst energy error at the end, for systems whose motion conserves energy."""
        prepared, batch = self.prepared, self.batch
        if not self._is_kept:
            return {}
        assert row is not None  # see `_reads_ends`
        dynamic, begun = eqx.combine(batch.varying, batch.shared), prepared.state.row
        data = (
            (np.broadcast_to(x.t, len(failed)), x.q, x.v) for x in (begun, row._replace(t=ended))
        )
        start, end = (prepared.plan.energies((dynamic, *x)) for x in data)
        # Relative to the terms of the energy: at 1 the error is as large as they are.
        shares = np.where(failed, 0.0, initial_data.energy_shares(start, end))
        return {_LOST: initial_data.WorstMember.of(shares, ~(shares <= 1.0), ended)}


class _BlockProgram:
    """A block of members as a program: returns steps and packed rows, or None between rows."""

    def __init__(self, work: EnsembleRun, advance: Callable[..., Any], numbers: Tree) -> None:
        self.work, self.numbers, self.done = work, numbers, 0
        self._advance = advance

    @property
    def is_over(self) -> bool:
        """Whether all steps are done (members that failed are stepped as well)."""
        return self.done >= self.work.steps

    def advance(self, budget: int) -> tuple[np.ndarray, Numbers] | None:
        """Make the steps of whole rows, or some of the steps to the next row if they are many."""
        work, k = self.work, self.done
        # The steps to the next row. If they are many, a call makes only `part` of them, so that
        # Ctrl-C works between rows, too.
        interval = min(work.every - k % work.every, work.steps - k)
        count, part = 1, budget // _LEAST_STEPS * _LEAST_STEPS + 1
        if work.prepared.sampling is not None:
            # A sample ends the call: the controller must see the state before the next step.
            budget = part = self._sample(work.prepared.sampling, k)
        if interval > part:
            # The row is not finished by this call, so there is nothing to record yet.
            interval = part
        elif interval == work.every:
            left = (work.steps - k) // interval
            count = max(min(work.rows, left, budget // interval), 1)
            # On an accelerator the code that reads rows is compiled for each count: divide by 4
            # until the count fits, so that few different counts occur.
            if not work.on_cpu:
                count = work.rows
                while count > left:
                    count = max(count // 4, 1)
        at_row = (k + interval) % work.every == 0 or k + interval == work.steps
        rows, self.numbers = self._advance(work.shared, self.numbers, k, interval, count)
        self.done += interval * count
        if not at_row:
            # A GPU returns before it has computed; waiting here makes the time of the call true,
            # on which the pace depends.
            jax.block_until_ready(self.numbers)
            return None
        # rows on an accelerator stay there until they are read
        rows = np.asarray(rows)[:count] if work.on_cpu else rows
        return k + interval * np.arange(1, count + 1), rows

    def _sample(self, sampling: Sampling, k: int) -> int:
        """Write the input that acts from step k on; return for how many steps it is held."""
        members, layout = self.work.batch.members, self.work.member_layout
        if self._places is None:
            own, (state, _) = places(layout)
            value = getattr(own, CONTROL).control.value
            self._places = np.ravel(value), state.row
        at, row = self._places
        self.numbers = np.asarray(self.numbers)

        def taken(i: np.ndarray) -> np.ndarray:
            return np.moveaxis(self.numbers[i, :members], -1, 0)

        t = time_at(self.work.prepared.t0, self.work.prepared.h, k)
        u = sampling.before(k, t, jax.tree.map(taken, row.q), taken(row.v))
        # NumPy views of JAX arrays are read-only.
        if not self.numbers.flags.writeable:
            self.numbers = self.numbers.copy()
        # Copies of the last member fill the last vector, so they get its input.
        self.numbers[at, :members], self.numbers[at, members:] = u.T, u[-1:].T
        return sampling.until(k) - k

    _places: Tree = None


_MODE, _OFF, _LOST = "mode", "off", "energy"


def warnings_of(method: Method, worst: Mapping[str, initial_data.WorstMember]) -> tuple[str, ...]:
    """Return the warnings about the results, each with its worst member."""
    mode, off, lost = (worst.get(name) for name in (_MODE, _OFF, _LOST))
    said = () if mode is None else parasitic_mode.told(method, mode)
    if off is not None and off.over:
        return (*said, *initial_data.told_off(off))  # one of the two warnings is enough
    return said if lost is None else (*said, *initial_data.told_energy(lost))


@partial(jax.jit, static_argnums=(0, 1, 2))
def _unpacked(
    layout: Layout, members: int, count: int, numbers: jax.Array
) -> tuple[SavedRow, jax.Array]:
    return layout.unpack(jnp.moveaxis(numbers[:count], 1, 2)[:, :members])


def block_size(members: int, on_cpu: bool) -> int:
    """Return the members per block, a multiple of the vector width: all run the same code."""
    if on_cpu:
        least, most = _CPU_BLOCKS
        # Rounded to a power of two, so that few block sizes are compiled.
        share = 1 << max(members // _CPU_SHARE, 1).bit_length() - 1
        return min(max(least, min(share, most)), max(16, 1 << (members - 1).bit_length()))
    # Multiples of 256, the number of threads in a block of the kernel.
    half = -(-members // 2)  # so that a GPU computes while rows of another block are read
    return min(_GPU_BLOCK, -(-half // 256) * 256)
