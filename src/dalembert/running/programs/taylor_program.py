"""Runs by Taylor's method: adaptive native steps, and rows evaluated from their polynomials.

Rows are at multiples of h, at chosen times, or at the nodes (the ends of steps). A chunk continues
to the step that passes the last of its rows, and the next chunk makes that step again. So every
checkpoint is a node, and the result does not depend on how a run is divided into chunks.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import equinox as eqx
import jax
import numpy as np

from ...compile.cache.code_key import CodeKey
from ...compile.engine import Engine
from ...compile.layout import Layout, Tree
from ...compile.taylor.taylor_kernel import INFINITE, WELL, ObserverKernel, RecordShape
from ...compile.taylor.taylor_kernel import control as steering
from ...compile.xla import Compiled
from ...errors import Reason, UsageError
from ...events import PolynomialBuffer, PolynomialSteps, mixed
from ...linalg import GAVE_UP, NOT_FINITE, OK
from ...methods import Reference, Row
from ...request.prepare import Prepared
from ...request.step import time_at
from ...request.validate import Parameters
from ...results.polynomials import Polynomials, evaluated
from ...rows import Nodes, OutputTimes
from .fixed_step import FixedStepProgram, Mismatch
from .step_kernel import Member, places, saved_row
from .taylor_kernels import RowGiven, code_for, found_code, observer_of, rows_of

_RECORD_BYTES = 2 * 2**20  # size of the records of one call, at most
_LOOKS = 512  # probes for branches (`Taylor(looks=...)`) in a run of `Reference`
MAY_MISS = (
    "the motion chooses between branches (where, abs, max, %): taylor sees a choice that lasts for "
    "a 512th of the run, not a shorter one; more looks, Taylor(looks=...), or Gauss with small "
    "steps show whether there is one"
)
CHOOSES = (
    "the motion chooses between branches (where, abs, max, %), and may switch twice within a step"
)
_NO_STEP = (
    "no step is small enough, as near a singularity, or where a force jumps and the motion stays "
    "(da.hybrid has contacts that hold)"
)
_NOT_SMOOTH = (
    "the derivatives of the motion are not finite there, as those of sqrt(v @ v) are not at rest: "
    "Gauss(4) does without, and so do runs with tol= and no method"
)
_BLOCK_BYTES = 16 * 2**20  # size of the records of one call for a block of members, at most
_LEAST_RECORDS = 16  # of each member in a block of pilot runs: shorter calls cost more than steps
_MOST_KEPT = 64 * 2**20  # a trajectory with more bytes of polynomials is saved without them


def stands_in(prepared: Prepared, engine: str | None) -> tuple[OutputTimes | None, str]:
    """Return the output times if Taylor's method can run this `Reference`, or why it cannot."""
    if not isinstance(prepared.method, Reference):
        return None, ""
    if engine == "arrays":
        return None, "asked for: diffrax"
    found = found_code(prepared.plan)
    if isinstance(found, Reason):
        return None, f"diffrax, because taylor has no rule for {found}"
    if found.shape.field_chooses:
        return None, f"diffrax, because {CHOOSES}"
    times = OutputTimes(prepared.t0, prepared.h)
    # One step on trial: rules may exist although the derivatives are infinite at the start (sqrt
    # at rest).
    if not TaylorProgram(prepared, times, keep=False).begins():
        return None, "diffrax, because the derivatives of the motion are not finite where it starts"
    return times, ""


class TaylorProgram(FixedStepProgram):
    """Advances a single run of Taylor's method.

    Its state has the last row, and as `carry` the node from which the following rows are computed.
    """

    def __init__(
        self,
        prepared: Prepared,
        times: OutputTimes,
        steps: int = 1,
        *,
        keep: bool = True,  # save the polynomials of all steps
        engine: str | None = None,
        **options: Any,
    ) -> None:
        if engine not in (None, "native"):
            raise UsageError(f"taylor runs as native code only, not engine={engine!r}")
        super().__init__(prepared, steps, engine=engine, **options)
        self.times, self.code = times, code_for(prepared.plan)
        self.tol: float = prepared.method.local_tol  # pyright: ignore[reportAttributeAccessIssue]
        self.looks: int = getattr(prepared.method, "looks", _LOOKS)
        if self.looks and not times.at_nodes:
            # At least two probes for each row, so that probes are as dense as rows.
            self.looks = max(self.looks, 2 * steps)
        self.nodes = 0  # number of steps of the last pilot run
        self.kept: list[np.ndarray] = []  # records of all steps, up to `_MOST_KEPT` bytes
        self._keeps, self._first = keep, None
        self.hindrance = _NO_STEP  # the reason that is reported if the run gives up
        self.chunk: np.ndarray = np.zeros((0, self.code.shape.record))
        self.well_until = math.inf  # after a failure: the time up to which polynomials are valid

    @property
    def engine(self) -> Engine:
        return Engine("native").noting(self._plan.reason, CodeKey(self._stop_when).reason)

    @property
    def first_step(self) -> float | None:
        return self._first if self.times.at_nodes else None

    def records(self) -> dict[str, np.ndarray]:
        """Return the contents of a checkpoint, with the end time and the size of the first step."""
        end, first = self.times.end, self._first
        known = {"end": end, "first_step": first}
        return super().records() | {
            k: np.asarray(math.nan if x is None else x) for k, x in known.items()
        }

    def go_on_from(self, records: Mapping[str, np.ndarray]) -> Mismatch | None:
        """Continue from the checkpoint of an earlier run; return what does not fit, or None."""
        first = float(records.get("first_step", math.nan))
        self._first = None if math.isnan(first) else first
        return super().go_on_from(records)

    @functools.cached_property
    def compiled(self) -> Compiled:
        self._rows = rows_of(self._plan, CodeKey(self._stop_when))
        return self._advance

    # -- nodes -------------------------------------------------------------------------------

    def _records(self, pause: float, most: int) -> tuple[np.ndarray, int]:
        """Make steps until one ends after the time `pause`; return their records and a result code.

        At most `most` steps are made, and no more than fit into the buffer. The last record is the
        node that was reached.
        """
        # The buffer holds one node more than steps: the node that was reached.
        shape, node = self.code.shape, self.state.carry
        room = max(min(_RECORD_BYTES // (8 * shape.record), most), 1) + 1
        records = np.zeros((room, shape.record))
        records[0, : shape.node] = self.code.node.pack_numpy(node)
        steer = self.control(pause)
        shared = np.ascontiguousarray(self.numbers[self.parameters])
        # `shared` is read by address, so it must be contiguous and stay alive until the call
        # returns.
        count = self.code.kernel(shared, records, steer, keep=True)
        result = _code_of(shape, steer, records[count])
        if result == GAVE_UP and steer[4] == INFINITE and not count and not int(self.state.k):
            self.hindrance = _NOT_SMOOTH
        return records[: count + 1], result

    def control(self, pause: float = math.inf) -> np.ndarray:
        times = self.times
        end = times.end if times.end is not None else float(times(self.steps))
        return steering(self.tol, self.code.shape.order, (times.t0, end), self.looks, pause)

    @property
    def span(self) -> float:
        """Duration of the complete run."""
        end = self.times.end if self.times.end is not None else float(self.times(self.steps))
        return end - self.times.t0

    def begins(self) -> bool:
        """Whether the first step succeeds."""
        return self._records(math.inf, 1)[1] == OK

    def count(self) -> int:
        """Return the number of steps to the end, without saving them."""
        return self.counter()()

    def counter(self) -> Callable[[], int]:
        """Return `count` as a function that allocates nothing, so that it can be timed."""
        # Two records take turns: nothing is kept of earlier steps.
        shape = self.code.shape
        records, steer = np.zeros((2, shape.record)), self.control()
        node, begin = self.code.node.pack_numpy(self.state.carry), steer.copy()
        shared = np.ascontiguousarray(self.numbers[self.parameters])
        call = self.code.kernel.bound(shared, records, steer, keep=False)

        def count() -> int:
            records[0, : shape.node], steer[:] = node, begin
            steps = call()
            return steps + (int(steer[4]) != WELL)  # a failed step counts as well

        return count

    # -- rows --------------------------------------------------------------------------------

    def _advance(self, budget: int) -> np.ndarray:
        state, times = self.state, self.times
        k = int(state.k)
        # A stop rule has to see every row.
        stride = 1 if self._stop_when is not None else self.stride
        last = min(k + min(budget, self.capacity * stride), self.steps)
        # Whole strides, so that a chunk ends at a row that is saved.
        last = min(max(last - last % stride, k + stride), self.steps)
        if times.at_nodes:
            records, result = self._records(math.inf, last - k)
            ks = np.arange(k + 1, k + len(records))
            nodes, node = records[1:], records[-1]
            given = self._at_nodes(nodes)
        else:
            records, result = self._records(float(times(last)), 1 << 40)
            begin, _, _ = self.code.shape.times(records)
            over = len(records) - 1
            reached = begin[-1]
            # Rows at multiples of the stride behind k, and the last one.
            ks = np.arange(k // stride * stride + stride, last + 1, stride)
            if last == self.steps and (not len(ks) or ks[-1] != last):
                ks = np.append(ks, last)
            at = np.asarray(times(ks), dtype=float)
            # Rows beyond the node that was reached wait for the next chunk.
            inside = at <= reached
            ks, at = ks[inside], at[inside]
            # The step that begins before the time; `left`: a row at a node belongs to the step
            # that ends there.
            which = np.clip(np.searchsorted(begin[:over], at, side="left") - 1, 0, max(over - 1, 0))
            given = self.between(records, which, at)
            # the next chunk begins with the step that contains its first row: made again if needed
            given_until = int(ks[-1]) if len(ks) else k
            following = min(given_until // stride * stride + stride, self.steps)
            again = over and result == OK and given_until < self.steps
            again = again and float(times(following)) <= reached
            node = records[over - 1] if again else records[-1]
        self._remember(records)
        rows = self._settled(self.made(ks, given), ks, node, records, result)
        # The run has reached its end, however many steps had been planned.
        if times.end is not None and float(self.state.carry.t) >= times.end:
            self.plan_steps(int(self.state.k))  # the number of steps may have been a bound
        return rows

    def _at_nodes(self, nodes: np.ndarray) -> np.ndarray:
        tree = self.code.node.unpack(nodes[:, : self.code.shape.node])
        given = RowGiven(tree.t, tree.q, tree.frame, (tree.part, tree.v))
        return _stacked(given, len(nodes))

    def between(
        self, records: np.ndarray, which: np.ndarray, at: np.ndarray, tau: np.ndarray | None = None
    ) -> np.ndarray:
        shape = self.code.shape
        begin, lost, _ = shape.times(records)
        if tau is None:
            # In this order, t - begin is exact for neighboring times; `lost` is the round-off of
            # the sum of steps.
            tau = (at - begin[which]) - lost[which]
        x = evaluated(shape.coefficients(records), which, tau)
        tree = self.code.node.unpack(records[which, : shape.node])
        return _stacked(RowGiven(at, tree.q, tree.frame, self.code.x.unpack(x)), len(at))

    def made(
        self, ks: np.ndarray, given: np.ndarray, parameters: np.ndarray | None = None
    ) -> np.ndarray:
        """Return packed rows of steps `ks`; the last column says whether `stop_when` is true.

        `parameters` are those of each row, if they are not those of this run.
        """
        own = self.numbers[self.parameters] if parameters is None else parameters
        shared = np.broadcast_to(own, (len(ks), self._plan.parameters.width))
        found = self._rows(np.concatenate([shared, given], axis=1))
        return np.concatenate([ks[:, None].astype(float), found], axis=1)

    def _remember(self, records: np.ndarray) -> None:
        self.chunk = records[:-1]
        if self._first is None and len(self.chunk):
            self._first = float(self.code.shape.times(self.chunk)[2][0])
        if not self._keeps or len(records) < 2:
            return
        if (
            self.kept
            and self.kept[-1][-1, self.code.shape.point] >= records[0, self.code.shape.point]
        ):
            self.kept[-1] = self.kept[-1][:-1]  # this chunk has made that step again
        self.kept.append(records[:-1].copy())
        # Too many polynomials to keep: none at all, since a part would be wrong between the rest.
        if sum(x.nbytes for x in self.kept) > _MOST_KEPT:
            self.kept, self._keeps = [], False

    def _settled(
        self, rows: np.ndarray, ks: np.ndarray, node: np.ndarray, records: np.ndarray, result: int
    ) -> np.ndarray:
        """Set the state after these rows, and return the rows up to a stop or a failure."""
        state, layout, shape = self.state, self.row_layout, self.code.shape
        stops = np.flatnonzero(rows[:, -1] != 0.0)
        rows = rows[:, :-1]
        if len(stops):
            rows = rows[: stops[0] + 1]
        tree = layout.unpack(rows)
        bad = np.flatnonzero(tree.row.result != OK)
        if len(bad):
            rows = rows[: bad[0] + 1]
            tree = layout.unpack(rows)
        carry = self.code.node.unpack(node[: shape.node].copy())
        if len(rows):
            last = jax.tree.map(lambda x: x[-1], tree)
            state = state._replace(k=last.k, row=last.row, frame=last.frame)
        over = bool(len(stops)) and not len(bad)
        state = state._replace(carry=carry, stopped=np.asarray(over))
        if result != OK and not len(bad) and not over:
            # a failed step becomes the row after the last one; rows that are not saved count too
            there = self.code.node.unpack(records[-1, : shape.node])
            # The number of the row that would have followed.
            k = np.asarray(self.times.last_before(float(there.t), int(state.k)) + 1)
            row = state.row._replace(t=there.t, result=np.asarray(result, np.int32))
            state = state._replace(k=k, row=row)
            rows = np.concatenate([rows, layout.pack_numpy(saved_row(state))[None]])
            self.well_until = float(there.t)
        elif len(bad):  # it is unknown how far the polynomials after the last good row are valid
            self.well_until = float(tree.row.t[-2] if len(rows) > 1 else self.state.row.t)
        self.set_state(state)
        stride = self.stride
        if stride > 1 and self._stop_when is not None:
            # `stop_when` has seen all rows; only those of the stride are saved.
            k = rows[:, 0].astype(int)
            wanted = (k % stride == 0) | (k == self.steps) | (k == int(state.k)) & self.is_over
            rows = rows[wanted]
        return rows

    # -- for event detection between rows ----------------------------------------------------

    def observer(self, functions: Any) -> ObserverKernel | Reason:
        """Return a kernel for Taylor coefficients of functions of (t, q, v), or why there is none.

        The kernel computes them from the records of steps.
        """
        return observer_of(self._plan, functions)

    @property
    def shape(self) -> RecordShape:
        """Layout of the record of a step."""
        return self.code.shape

    def add_steps(self, buffer: PolynomialBuffer) -> None:
        """Add the steps of the last call to the polynomials that detectors search."""
        parameters, well = self.numbers[self.parameters][None], np.array([self.well_until])
        buffer.add(
            self, parameters, PolynomialSteps(np.zeros(len(self.chunk), int), self.chunk), well
        )

    def rows_at(
        self, records: np.ndarray, which: np.ndarray, tau: np.ndarray, parameters: np.ndarray
    ) -> tuple[Row, Tree, np.ndarray]:
        """Return rows, frames and times at `tau` after the nodes of the records `which`.

        `parameters` are those of each row.
        """
        begin, lost, _ = self.code.shape.times(records)
        at = begin[which] + (lost[which] + tau)
        given = self.between(records, which, at, tau)
        rows = self.made(np.zeros(len(which), int), given, parameters)
        tree = self.row_layout.unpack(rows[:, :-1])
        return tree.row, tree.frame, at

    def polynomials(self) -> Polynomials | None:
        """Return the polynomials of all steps so far; None if none were saved."""
        if not self.kept:
            return None
        code, shape = self.code, self.code.shape
        records = np.concatenate(self.kept)
        # Copies: views would keep all coefficients of other chunks alive.
        begin, lost, h = shape.times(records)
        node = code.node.unpack(records[:, : shape.node])
        return Polynomials(
            begin.copy(),
            lost.copy(),
            h.copy(),
            jax.tree.map(np.array, node.q),
            jax.tree.map(np.array, node.frame),
            shape.coefficients(records).copy(),
        )


def ends_and_sizes(programs: Sequence[TaylorProgram], tol: float) -> list[tuple[Tree, Tree] | None]:
    """Return (q, frame, v) at the end of each run, and the largest entry of each along the run.

    None stands for a run in which a step fails. These are pilot runs with tolerance `tol`, for the
    error estimate of `tol=`: one call of native code makes the steps of all members.
    """
    code, shape = programs[0].code, programs[0].code.shape
    most = max(_BLOCK_BYTES // (8 * _LEAST_RECORDS * shape.record), 1)
    if len(programs) > most:
        parts = (programs[i : i + most] for i in range(0, len(programs), most))
        return [found for part in parts for found in ends_and_sizes(part, tol)]
    # The same programs with another tolerance: code does not depend on it.
    for x in programs:
        x.tol, x.nodes = tol, 0
    parameters = np.stack([x.numbers[x.parameters] for x in programs])
    nodes = np.stack([code.node.pack_numpy(x.state.carry) for x in programs])
    steer, well, largest = programs[0].control(), np.ones(len(programs), bool), None
    going = np.arange(len(programs))
    while len(going):
        size = min(_RECORD_BYTES * len(going), _BLOCK_BYTES)
        room = max(size // (8 * shape.record * len(going)), 1) + 1
        records = np.zeros((len(going), room, shape.record))
        records[:, 0, : shape.node] = nodes[going]
        control = np.repeat(steer[None], len(going), axis=0)
        count = code.kernel.members(parameters[going], records, control)
        flat = records.reshape(-1, shape.record)
        node = code.node.unpack(flat[:, : shape.node])  # after the last record there are zeros
        # Bounded by nodes and middles of steps, without evaluating polynomials densely.
        sizes = jax.tree.map(partial(_largest, len(going)), (node.q, node.frame, node.v))
        # v is also evaluated in the middle of steps: every node may be at a point of rest
        every = np.flatnonzero(np.arange(room) < count[:, None])
        made, all_made = flat[every], np.arange(len(every))
        x = evaluated(shape.coefficients(made), all_made, 0.5 * shape.times(made)[2])
        v = code.x.unpack(x)[1]
        middle = np.zeros((len(flat), v.shape[1]))
        middle[every] = v
        sizes = (*sizes[:2], np.maximum(sizes[2], _largest(len(going), middle)))
        largest = (
            sizes if largest is None else jax.tree.map(partial(_raised, going), largest, sizes)
        )
        nodes[going] = records[np.arange(len(going)), count, : shape.node]
        for i, steps in zip(going.tolist(), count.tolist()):
            programs[i].nodes += steps
        well[going] = (control[:, 4] == WELL) & (count > 0)
        going = going[well[going] & (code.node.unpack(nodes[going]).t < steer[0])]
    last = code.node.unpack(nodes)
    found = (last.q, last.frame, last.v), largest
    return [jax.tree.map(lambda x, i=i: x[i], found) if well[i] else None for i in range(len(well))]


def _largest(members: int, x: np.ndarray) -> np.ndarray:
    """Return the largest |entry| in the rows of each member."""
    return np.max(np.abs(x).reshape(members, -1), axis=1, initial=0.0)


def _raised(which: np.ndarray, largest: np.ndarray, x: np.ndarray) -> np.ndarray:
    largest[which] = np.maximum(largest[which], x)
    return largest


class TaylorMembers:
    """Advances a block of an ensemble by Taylor's method; each member has its own step sizes.

    One call of native code makes the steps of all members, another one their rows.
    """

    def __init__(self, prepared: Prepared, shared: Layout, own: Layout, steps: int) -> None:
        plan = prepared.plan
        self.prepared, self.steps = prepared, steps
        code_for(plan)
        one = np.zeros(())
        self.shared = Layout((shared.example(), one, one))
        self.member = Layout((own.example(), Member(plan.state.example(), one)))

    def __call__(
        self,
        shared: np.ndarray,
        numbers: np.ndarray,
        k: int,
        interval: int,
        count: int,
        pieces: PolynomialBuffer | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return rows (count, numbers of a row, members) and the packed members; see `loop_of`.

        The records of all steps of this call are added to `pieces`.
        """
        dynamic, t0, h = self.shared.unpack(np.asarray(shared))
        times, stride = OutputTimes(float(t0), float(h)), math.gcd(k, interval) or interval
        # Member rows are at multiples of `interval` from k on.
        wanted = k + interval * np.arange(1, count + 1)
        numbers = np.array(numbers)
        # blocks are filled up by copies of their last member, which are not computed
        same = np.all((numbers[:, 1:] == numbers[:, :-1]) | np.isnan(numbers[:, 1:]), axis=0)
        if pieces is not None:
            same[: len(pieces.end) - 1] = False  # each member of the block has its own steps
        # The index of the member of which each column is a copy.
        which = np.cumsum(np.append(True, ~same)) - 1
        table = numbers[:, np.flatnonzero(np.append(True, ~same))]
        members = table.shape[1]
        varying, _ = self.member.unpack(table.T)
        packed = self.prepared.plan.parameters.pack_rows(eqx.combine(varying, dynamic), members)

        # one program serves all members, because they share its code
        own, (state, _) = self.member.unpack(table[:, 0])
        one = self.prepared._replace(
            dynamic=eqx.combine(own, dynamic), h=times.h, t0=times.t0, state=state
        )
        program = TaylorProgram(one, times, self.steps, stride=stride, keep=False)
        steps: list[PolynomialSteps] | None = None if pieces is None else []
        rows, table, well_until = self._together(program, table, packed, wanted, steps)
        if pieces is not None and steps:
            inside = len(pieces.end)
            member, records = (np.concatenate(x) for x in zip(*steps))
            order = np.argsort(member, kind="stable")
            order = order[member[order] < inside]
            new = PolynomialSteps(member[order], records[order])
            pieces.add(program, packed[:inside], new, well_until[:inside])
        return rows[:, :, which], table[:, which]

    def _together(
        self,
        program: TaylorProgram,
        table: np.ndarray,
        parameters: np.ndarray,
        wanted: np.ndarray,
        keep: list[PolynomialSteps] | None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return rows number `wanted`, the packed members after them, and a time for each member.

        Up to that time the polynomials of a member are valid. A member that fails repeats its
        failed row; the last number of a row counts its good steps. All steps are added to `keep`.
        """
        _ = program.compiled  # the code of rows
        code, times, steps, layout = program.code, program.times, self.steps, program.row_layout
        shape, members, until = code.shape, table.shape[1], times(wanted)
        varying, (state, good) = self.member.unpack(table.T)
        nodes = code.node.pack_rows(state.carry, members)
        # One row of numbers per member from here on: native code reads them one after the other.
        before = np.column_stack([layout.pack_rows(saved_row(state), members), good]).T
        rows = np.repeat(before[None], len(wanted), axis=0)
        done = np.zeros(members, int)  # rows of each member
        well_until = np.full(members, math.inf)
        well = (state.row.result == OK) & ~np.asarray(state.stopped, bool)
        steer = program.control(float(until[-1]))
        at = places(layout)

        def fail(m: int, first: int, row: np.ndarray, last: float) -> None:
            """Repeat a failed row from `first` on; the polynomials are valid until `last`."""
            rows[first:, :-1, m], rows[first:, -1, m] = row, row[int(at.k)] - 1
            well[m], well_until[m] = False, last

        following = min(int(wanted[-1]) // program.stride * program.stride + program.stride, steps)
        while len(active := np.flatnonzero(well & (done < len(wanted)))):
            # Records of all active members within the memory limit, at least four steps each.
            room = max(_BLOCK_BYTES // (8 * shape.record * len(active)), 4) + 1
            records = np.zeros((len(active), room, shape.record))
            records[:, 0, : shape.node] = nodes[active]
            control = np.repeat(steer[None], len(active), axis=0)
            count = code.kernel.members(parameters[active], records, control)
            if keep is not None:
                made = np.arange(room) < count[:, None]
                keep.append(PolynomialSteps(np.repeat(active, count), records[made]))
            begin = records[:, :, shape.point]
            # after the last record there are zeros
            begin = np.where(np.arange(room) <= count[:, None], begin, math.inf)
            reached = begin[np.arange(len(active)), count]
            # (member, row) for all rows until there
            end = np.searchsorted(until, reached, side="right")
            many = np.maximum(end - done[active], 0)
            member = np.repeat(np.arange(len(active)), many)
            row = np.arange(len(member)) - np.repeat(np.cumsum(many) - many, many)
            row += np.repeat(done[active], many)
            # the last step that begins before the row: from row `behind` on it is one more
            begun = np.zeros((len(active), len(until) + 1), int)
            behind = np.searchsorted(until, begin, side="right")
            np.add.at(begun, (np.arange(len(active))[:, None], behind), 1)
            step = np.cumsum(begun, axis=1)[member, row] - 1
            step = np.clip(step, 0, np.maximum(count[member] - 1, 0))
            given = program.between(
                records.reshape(-1, shape.record), member * room + step, until[row]
            )
            made = program.made(wanted[row], given, parameters[active[member]])[:, :-1]
            rows[row, :-1, active[member]] = made
            rows[row, -1, active[member]] = wanted[row]
            done[active] += many
            # In reverse order: if several rows of a member have failed, the first one is written
            # last and remains.
            for i in np.flatnonzero(made[:, int(at.row.result)] != OK)[::-1]:
                m, first = int(active[member[i]]), int(row[i])
                fail(m, first, made[i], until[first - 1] if first else before[int(at.row.t), m])
            for i in np.flatnonzero((control[:, 4] != WELL) & (done[active] < len(wanted))):
                m = int(active[i])
                if well[m]:  # the failed step becomes the row after the last one
                    failed, t = (rows[done[m] - 1] if done[m] else before)[:-1, ...], reached[i]
                    failed = failed[:, m].copy()
                    failed[int(at.k)] = times.last_before(float(t), int(failed[int(at.k)])) + 1
                    failed[int(at.row.t)] = t
                    failed[int(at.row.result)] = _code_of(shape, control[i], records[i, count[i]])
                    fail(m, int(done[m]), failed, float(t))
            # the step that contains the next row is made again
            again = (done[active] == len(wanted)) & (wanted[-1] < steps)
            again &= float(times(following)) <= reached
            last = records[np.arange(len(active)), count - again, : shape.node]
            # Members continue where their last row lies, each at its own node.
            nodes[active] = last
        after = layout.unpack(rows[-1, :-1].T)
        carry = code.node.unpack(nodes)
        state = state._replace(k=after.k, row=after.row, frame=after.frame, carry=carry)
        packed = self.member.pack_rows((varying, Member(state, rows[-1, -1])), members).T
        # Computed times differ in the last digit; rows of all members have the same.
        rows[:, at.row.t] = until[:, None]
        return rows, packed, well_until


def shortened_taylor(
    prepared: Prepared, node: Nodes, sizes: np.ndarray, varying: Parameters = None
) -> tuple[Row, Tree]:
    """Return rows `sizes` after the nodes, to locate events; see `fixed_step.shortened`.

    One call of native code makes the steps from all nodes.
    """
    n, plan = len(sizes), prepared.plan
    member, t, q, v, frame = node
    dynamic = prepared.dynamic
    if varying is not None:
        one, dynamic = (
            eqx.combine(jax.tree.map(lambda x, i=i: x[i], varying), dynamic)
            for i in (member[0], member)
        )
        prepared = prepared._replace(dynamic=one, state=plan.state.zeros())  # only for the code
    state = plan.start_each(n, dynamic, t, sizes, q, v)[0]
    carry = state.carry
    if prepared.system.groupoid.group.dim:
        carry = carry._replace(frame=frame)
    program = TaylorProgram(prepared, OutputTimes(prepared.t0, prepared.h), keep=False)
    _ = program.compiled  # the code of rows
    code, shape, until = program.code, program.shape, time_at(t, sizes, 1)
    parameters, nodes = plan.parameters.pack_rows(dynamic, n), code.node.pack_rows(carry, n)
    # without probes for branches: the run has made them already
    control = np.stack([steering(program.tol, shape.order, x, 0, x[1]) for x in zip(t, until)])
    last, result = np.zeros((n, shape.record)), np.full(n, OK)
    room = max(min(_RECORD_BYTES, _BLOCK_BYTES // n) // (8 * shape.record), 1) + 1
    # where adding h changes nothing, the row at the node is the answer
    active = moves = np.flatnonzero(until != t)
    while len(active):
        records = np.zeros((len(active), room, shape.record))
        records[:, 0, : shape.node] = nodes[active]
        steer = control[active]
        count = code.kernel.members(parameters[active], records, steer)
        each = np.arange(len(active))
        there = records[each, count]
        failed = steer[:, 4] != WELL
        for i in np.flatnonzero(failed):
            result[active[i]] = _code_of(shape, steer[i], there[i])
        nodes[active] = there[:, : shape.node]
        reached = there[:, shape.point] >= until[active]
        last[active[reached]] = records[each, np.maximum(count - 1, 0)][reached]
        active = active[~(reached | failed)]
    row = state.row._replace(t=np.where(result == OK, state.row.t, nodes[:, shape.point]))
    row = row._replace(result=np.where(result == OK, row.result, result))
    made = moves[result[moves] == OK]
    if len(made):
        given = program.between(last, made, until[made])
        found = program.row_layout.unpack(program.made(made, given, parameters[made])[:, :-1])
        row, frame = mixed((row, frame), (found.row, found.frame), made)
    return row, frame


def _code_of(shape: RecordShape, control: np.ndarray, last: np.ndarray) -> int:
    """Return the result code of a call of native code, from its last record."""
    result = {WELL: OK, INFINITE: NOT_FINITE}.get(int(control[4]), GAVE_UP)
    # Coefficients 0 and 1 are x and its rate.
    if result == NOT_FINITE and np.all(np.isfinite(shape.coefficients(last[None])[:, :2])):
        return GAVE_UP  # the rate is finite but its derivatives are not: a singularity
    return result


def _stacked(given: RowGiven, n: int) -> np.ndarray:
    leaves = [
        np.asarray(x, float).reshape(n, math.prod(np.shape(x)[1:])) for x in jax.tree.leaves(given)
    ]
    return np.concatenate(leaves, axis=1)
