"""Gradients of a run with fixed steps, in native code: the run backwards, step by step.

With x_k the state before step k and L a function of the saved rows,

    y_k = (d x_{k+1} / d x_k)^T y_{k+1} + dL/dx_k,    dL/dp = sum_k (d x_{k+1} / d p)^T y_{k+1}

The transposed derivative of one step (its pullback) is traced by JAX and compiled as scalar code;
an implicit step is differentiated by the implicit function theorem at its solution, which the next
state knows (`Method.hindsight`). States of short runs are stored; of long runs every chunk of steps
is made again from its first state.

A table of inputs is read from memory by the run. The pullback of a step takes the few entries that
the step can read (its window), so that its cost does not depend on the length of the table.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Sequence
from typing import NamedTuple

import equinox as eqx
import jax
import jax.core
import numpy as np

from ...compile import tracing
from ...compile.cache.registry import cached
from ...compile.cpu.kernels import MapKernel, StepKernel
from ...compile.cpu.llvm import Effort
from ...compile.ir.table_lookup import Tabulated, held
from ...compile.ir.tape import Unsupported
from ...compile.layout import Layout, Tree
from ...errors import Reason
from ...linalg import INCONSISTENT, OK
from ...request.prepare import Plan, plan_for
from ...request.step import Numbers, State, has_own_steps, initial_state, one_step
from ...request.validate import Given
from ...system import Point, as_arrays
from .step_kernel import history_of, places, saved_row

# All states of a run are stored up to this size (10^5 steps of a state of 80 numbers); beyond it
# one of every chunk of steps.
_STORED_BYTES = 64 * 2**20
_CHUNK = 1024  # least steps of a chunk: a few MB of states and of numbers for their pullbacks
# In units of h: a window reaches this far beyond its step, because substeps of compositions go
# back and forth.
_MARGIN = 1.0

# Little optimization: LLVM's passes over this code would take longer than they save.
_PULLBACK = Effort(0, 1)


class _Windows(NamedTuple):
    """Which entries of each table a step may read."""

    length: tuple[int, ...]  # for each table: how many entries, the same number for all steps
    first: tuple[np.ndarray, ...]  # for each table: the index of the first entry, for each step


class _Leaf(NamedTuple):
    """A leaf of (parameters, t0, h, q, v): its numbers in the packed vector."""

    here: slice
    table: int | None = None  # index of the table whose times or values the leaf is
    columns: int = 1  # numbers for each time of a table


class Carried(NamedTuple):
    """The part of a state that is differentiated."""

    carry: Tree
    frame: Point


class SavedParts(NamedTuple):
    """The part of a saved row that is differentiated."""

    t: jax.Array
    q: Point
    v: jax.Array
    p: jax.Array
    multiplier: jax.Array


def _parts(state: State) -> tuple[Carried, SavedParts]:
    row = state.row
    rows = SavedParts(row.t, row.q, row.v, row.p, row.multiplier)
    return Carried(state.carry, state.frame), rows


def _is_table(x: object) -> bool:
    return isinstance(x, Tabulated)


def adjoint_of(
    plan: Plan,
    sizes: tuple[int, int],
    project: bool,
    moving: tuple[bool, ...],
    given: tuple[Given, ...],
) -> Adjoint | Reason:
    """Return the native gradient of a run, or why there is none.

    Args:
        plan: of the run.
        sizes: number of steps, and steps between rows.
        project: as in `simulate`.
        moving: which leaves of (parameters, t0, h, q, v) are differentiated.
        given: (parameters, t0, h, q, v). If there are tables, their times, t0 and h must not be
            traced.
    """
    if has_own_steps(plan.method):
        # Step sizes would have to be differentiated, too.
        return Reason("the method is adaptive")
    # Which entries of tables a step reads must be known before the pullback is compiled.
    windows = _windows(sizes[0], moving, given)
    if isinstance(windows, Reason):
        return windows
    try:
        step, start = (f(plan, moving, windows.length) for f in (_step_pullback, _start_pullback))
    except Unsupported as error:
        return Reason(str(error))
    run = in_memory(plan)
    history = history_of(run)
    if isinstance(history, Reason):
        return history
    # The start is differentiated as well: initial data may be projected, and multipliers depend
    # on them.
    if not run.starts_natively:
        return Reason("its start has no native code")
    return Adjoint(plan, run, (history, step, start), sizes, project, moving, windows)


def _windows(steps: int, moving: tuple[bool, ...], given: tuple[Given, ...]) -> _Windows | Reason:
    lengths, firsts, flags = [], [], iter(moving)
    _, t0, h, *_ = given
    for x in jax.tree.leaves(given, is_leaf=_is_table):
        moves = next(flags)
        if not _is_table(x):
            continue
        next(flags)
        # Derivatives with respect to the times of a table change what a step reads.
        if moves or any(isinstance(y, jax.core.Tracer) for y in (x.times, t0, h)):
            return Reason("the times of a table, t0 or h are traced")
        times = np.asarray(x.times, float)
        if times.ndim != 1:
            return Reason("a table for each member")
        # Nodes of all steps at once; h may be negative in a run back in time.
        nodes = float(t0) + float(h) * np.arange(steps + 1)
        wider = _MARGIN * abs(float(h))
        low, high = np.minimum(nodes[:-1], nodes[1:]), np.maximum(nodes[:-1], nodes[1:])
        first = np.maximum(np.searchsorted(times, low - wider, side="right") - 1, 0)
        last = np.minimum(np.searchsorted(times, high + wider, side="right"), len(times) - 1)
        # One length for all steps, the longest: the pullback has one shape.
        length = int(np.max(last - first)) + 1
        lengths.append(length)
        firsts.append(np.minimum(first, len(times) - length))
    return _Windows(tuple(lengths), tuple(firsts))


def _example(plan: Plan) -> Tree:
    """Return a system of the plan, of NumPy arrays."""
    return eqx.combine(plan.parameters.zeros(), plan.static)


@cached(maxsize=64)
def in_memory(plan: Plan) -> Plan:
    """Return the plan of the same system with its tables in memory; itself without tables."""
    system = _example(plan)
    if not any(map(_is_table, jax.tree.leaves(system, is_leaf=_is_table))):
        return plan
    # As arrays in the packed vector, tables would be copied for each member.
    system = held(system)
    return plan_for(system, plan.method, *as_arrays(system, tables=False))


def _windowed(plan: Plan, lengths: tuple[int, ...]) -> tuple[Tree, Tree]:
    """Return (parameters, static part) of the system with tables of these lengths."""
    left = iter(lengths)

    def one(x: Tree) -> Tree:
        if not _is_table(x):
            return x
        n = next(left)
        values = np.zeros((n, *np.shape(x.values)[1:]))
        # Only shapes matter here; increasing times keep the search in a table well defined.
        return dataclasses.replace(x, times=np.arange(float(n)), values=values)

    return as_arrays(jax.tree.map(one, _example(plan), is_leaf=_is_table), tables=False)


@cached(maxsize=64)
def _step_pullback(plan: Plan, moving: tuple[bool, ...], lengths: tuple[int, ...]) -> MapKernel:
    """Compile the transposed derivative of one step.

    The compiled function takes (parameters, t0, h), a state, the next state, and the cotangents of
    the row and of the node (`Carried`) of the next state. It returns the cotangents of the state's
    node, and of those leaves of (parameters, t0, h) that are differentiated.
    """
    method = plan.method
    dynamic, static = _windowed(plan, lengths)
    given = (dynamic, np.zeros(()), np.zeros(()))
    tree = jax.tree.structure(given)
    which = [i for i in range(tree.num_leaves) if moving[i]]

    def pulled(given: Tree, state: State, after: State, rows: SavedParts, node: Carried) -> Tree:
        leaves = jax.tree.leaves(given)
        guess = method.hindsight(given[2], state.carry, after.carry)

        def forward(now: Carried, some: list[Tree]) -> tuple[Carried, SavedParts]:
            dynamic, t0, h = jax.tree.unflatten(tree, _replaced(leaves, which, some))
            carry = now.carry
            # Newton's method starts at its solution: one iteration then gives the derivative of
            # the implicit function.
            if guess is not None:  # take the values of the guess, but not its derivatives
                stop = jax.lax.stop_gradient
                # a + stop(b - a) has the value of b and the derivative of a.
                carry = jax.tree.map(lambda a, b: a + stop(b - a), carry, guess)
            here = state._replace(carry=carry, frame=now.frame)
            # `look=False`: checks of the step do not depend on the data smoothly, and gradients
            # do not need them.
            system = eqx.combine(dynamic, static)
            return _parts(one_step(system, method, t0, h, here, look=False))

        known = contextlib.nullcontext() if guess is None else tracing.starting_solved()
        with tracing.to_be_reversed(), known:
            now = _parts(state)[0]
            return jax.vjp(forward, now, [leaves[i] for i in which])[1]((node, rows))

    state = plan.state.example()
    node, rows = _parts(state)
    # JAX gives cotangents of integers a type of size zero, which a table of doubles cannot hold.
    if any(x.dtype != float for x in jax.tree.leaves((node, rows))):
        raise Unsupported("the method carries integers")
    try:
        # The tape has no common subexpressions left: passes over it would cost a second on a robot
        # and gain nothing.
        return MapKernel(pulled, given, state, state, rows, node, effort=_PULLBACK)
    finally:
        plan.settle()


@cached(maxsize=64)
def _start_pullback(plan: Plan, moving: tuple[bool, ...], lengths: tuple[int, ...]) -> MapKernel:
    """Compile the transposed derivative of the start, with respect to all leaves that move."""
    dynamic, static = _windowed(plan, lengths)
    given = (dynamic, *plan.given.example()[1:])
    tree = jax.tree.structure(given)
    which = [i for i, moves in enumerate(moving) if moves]

    def pulled(given: Tree, rows: SavedParts, node: Carried) -> list[Tree]:
        leaves = jax.tree.leaves(given)

        def forward(some: list[Tree]) -> tuple[Carried, SavedParts]:
            dynamic, t0, h, q, v = jax.tree.unflatten(tree, _replaced(leaves, which, some))
            system = eqx.combine(dynamic, static)
            return _parts(initial_state(system, plan.method, t0, h, q, v))

        with tracing.to_be_reversed():
            return jax.vjp(forward, [leaves[i] for i in which])[1]((node, rows))[0]

    node, rows = _parts(plan.state.example())
    try:
        # least effort: it is called once for each gradient
        return MapKernel(pulled, given, rows, node, effort=Effort(0, 0))
    finally:
        plan.settle()


def _replaced(leaves: Sequence[Tree], which: Sequence[int], some: Sequence[Tree]) -> list[Tree]:
    result = list(leaves)
    for i, x in zip(which, some, strict=True):
        result[i] = x
    return result


class Adjoint:
    """Runs that store their states, and the gradients of these runs, for packed data.

    JAX waits while it calls these methods, so they must not call JAX.
    """

    def __init__(
        self,
        plan: Plan,
        run: Plan,
        kernels: tuple[StepKernel, MapKernel, MapKernel],
        sizes: tuple[int, int],
        project: bool,
        moving: tuple[bool, ...],
        windows: _Windows,
    ) -> None:
        self._run, self._windows, self._width = run, windows, plan.given.width
        self._history, self._step, self._start = kernels
        self._steps, self._every = sizes
        # Without a constraint there is nothing to project onto.
        self._project = project or not plan.is_constrained
        self._leaves = leaves_of(plan)
        self._moving = [i for i, moves in enumerate(moving) if moves]
        self._shared = len(jax.tree.leaves((plan.parameters.example(), 0.0, 0.0)))
        at = places(plan.state)
        self._result, self._residual = int(at.row.result), int(at.row.residual)
        row = saved_row(at)
        self._saved = _flat(row)
        # index in a packed state -> index in a saved row, for the numbers that are differentiated
        where = {int(i): j for j, i in enumerate(self._saved)}
        rows, frame = _parts(at)[1], _flat(row.frame)
        self._of_rows = np.asarray([where[int(i)] for i in _flat(rows)], int)
        self._of_frame = np.asarray([where[int(i)] for i in frame], int)
        self._residual_in_row = where[self._residual]
        self._state, self._given = plan.state.width, run.parameters.width + 2
        self._node = Layout(_parts(plan.state.example())[0]).width
        self._frame = slice(self._node - len(frame), self._node)
        self.rows = self._steps // self._every + 1
        self.row_width = len(self._saved)
        stored = 8 * (self._steps + 1) * self._state <= _STORED_BYTES
        # sqrt(steps) chunks of sqrt(steps) steps: the least number of states in memory at a time,
        # one for each chunk and those of one chunk, as in checkpointing by Griewank.
        self._chunk = max(_CHUNK, math.isqrt(self._steps))
        self._stored_all = stored
        self.stored = (self._steps + 1) if stored else -(-self._steps // self._chunk)

    @property
    def stored_width(self) -> int:
        """Numbers of each stored state."""
        return self._state

    @property
    def moving(self) -> list[int]:
        """Leaves of (parameters, t0, h, q, v) that are differentiated."""
        return self._moving

    def forward_in_place(self, _: Tree, found: Tree, numbers: Numbers) -> None:
        """Callback: packed data (..., numbers) -> saved rows and stored states, one vector."""
        # JAX's buffers, written in place: a callback that returned arrays would copy them.
        given, out = np.asarray(numbers), np.asarray(found)
        rows = self.rows * self.row_width
        for x, y in zip(given.reshape(-1, given.shape[-1]), out.reshape(-1, out.shape[-1])):
            stored = y[rows:].reshape(self.stored, self._state)
            self.forward(np.ascontiguousarray(x), y[:rows].reshape(self.rows, -1), stored)

    def backward_in_place(
        self, _: Tree, found: Tree, numbers: Numbers, stored: Numbers, rows: Tree
    ) -> None:
        """Callback: packed data, stored states, cotangents of rows -> cotangent of packed data."""
        given, out = np.asarray(numbers), np.asarray(found)
        states = np.asarray(stored).reshape(-1, self.stored, self._state)
        cotangents = np.asarray(rows).reshape(-1, self.rows, self.row_width)
        data, out = given.reshape(-1, given.shape[-1]), out.reshape(-1, out.shape[-1])
        for x, states_of, cotangent, y in zip(data, states, cotangents, out, strict=True):
            y[:] = self.backward(np.ascontiguousarray(x), states_of, cotangent)

    # -- forwards ------------------------------------------------------------------------------

    def forward(self, numbers: np.ndarray, rows: np.ndarray, stored: np.ndarray) -> None:
        """Make a run of packed data; write its saved rows and the stored states."""
        data = memory_data(self._leaves, numbers)
        states, wrong = self._run.start_rows(data[None], self._project)
        state = states[0]
        # A start that had to be projected although the caller did not allow it: the run is marked
        # as failed.
        if wrong[0] and state[self._result] == OK:
            state[self._result] = INCONSISTENT
        rows[0] = state[self._saved]
        residuals = np.empty(self._steps)
        for begin in range(0, self._steps, self._chunk):
            made = self._made(data, state, begin)
            end = begin + len(made) - 1
            if self._stored_all:
                stored[begin : end + 1] = made
            else:
                stored[begin // self._chunk] = state
            residuals[begin:end] = made[1:, self._residual]
            # Beyond the limit only the first state of each chunk is stored; the backward pass
            # makes the others again.
            here = np.arange(begin // self._every + 1, end // self._every + 1)
            rows[here] = made[here * self._every - begin][:, self._saved]
            state = made[-1]
        # the residual of a row is the largest since the row before
        worst = np.maximum.reduceat(residuals, np.arange(0, self._steps, self._every))
        rows[1:, self._residual_in_row] = worst

    def _made(self, data: np.ndarray, state: np.ndarray, begin: int) -> np.ndarray:
        """Return the states of a chunk, from `state` on; after a failure, the state that failed."""
        end = min(begin + self._chunk, self._steps)
        made = np.empty((end - begin + 1, self._state))
        made[0], table, count = state, np.append(state, 0.0), 0
        # A failed state is repeated to the end of the run: rows stay rectangular, and the
        # gradient is NaN.
        if state[self._result] == OK:
            given = np.ascontiguousarray(data[: self._given])
            count = self._history(given, table, made[1:], (0, 1), begin, 1, self._steps, end)
        made[count + 1 :] = made[count]
        return made

    # -- backwards -----------------------------------------------------------------------------

    def backward(
        self, numbers: np.ndarray, stored: np.ndarray, cotangent: np.ndarray
    ) -> np.ndarray:
        """Return the cotangent of the packed data, from that of the saved rows.

        NaN if a step of the run has failed.
        """
        result, data = np.zeros(self._width), memory_data(self._leaves, numbers)
        node, one = np.zeros(self._node), np.zeros(1, int)
        # The same chunks as forwards, in reverse.
        for begin in reversed(range(0, self._steps, self._chunk)):
            end = min(begin + self._chunk, self._steps)
            if self._stored_all:
                made = stored[begin : end + 1]
            else:
                made = self._made(data, stored[begin // self._chunk], begin)
            if np.any(made[:, self._result] != OK):
                # A derivative of a motion that does not exist: NaN says so without an exception,
                # inside of JAX.
                result[:] = np.nan
                return result
            node = self._chunk_backward(numbers, made, begin, cotangent, node, result)
        at_start = [self._entries(numbers, leaf, one)[0] for leaf in self._leaves]
        # The frame of the first row is data, not a result of a step.
        node[self._frame] += cotangent[0, self._of_frame]
        given = np.concatenate([*at_start, cotangent[0, self._of_rows], node])
        self._add(result, self._start(given[None]), self._moving, one)
        return result

    def _chunk_backward(
        self,
        numbers: np.ndarray,
        made: np.ndarray,
        begin: int,
        cotangent: np.ndarray,
        node: np.ndarray,
        found: np.ndarray,
    ) -> np.ndarray:
        """Return the cotangent of the first node of a chunk, from that of its last one.

        Cotangents of parameters are added to `found`.
        """
        n, steps = len(made) - 1, np.arange(begin, begin + len(made) - 1)
        given = [self._entries(numbers, leaf, steps) for leaf in self._leaves[: self._shared]]
        # Each row of the table has the arguments of one pullback. The last ones, the cotangents of
        # the node, are results of the pullback of the next step, which writes them there, and
        # behind them the cotangents of parameters.
        a = sum(x.shape[1] for x in given)
        b = a + 2 * self._state
        c = b + len(self._of_rows)
        # One row more than steps: row i + 1 holds step i, and its pullback writes into row i.
        table = np.zeros((n + 1, c + self._step.results.width))
        table[1:, :a] = np.concatenate(given, axis=1)
        table[1:, a : a + self._state], table[1:, a + self._state : b] = made[:-1], made[1:]
        saved = np.flatnonzero((steps + 1) % self._every == 0)
        of_rows = cotangent[(steps[saved] + 1) // self._every]
        # Only saved rows have cotangents; all others are zero.
        table[1 + saved, b:c] = of_rows[:, self._of_rows]
        frames = np.zeros((n + 1, len(self._of_frame)))
        frames[1 + saved] = of_rows[:, self._of_frame]
        table[n, c : c + self._node] = node
        # By addresses: a Python loop over arrays would cost more than the pullbacks.
        pull, width = self._step.in_place(table), 8 * table.shape[1]
        place = slice(c + self._frame.start, c + self._frame.stop)
        for i in range(n, 0, -1):
            if frames.shape[1]:  # a frame is a part of the node, and of the row
                table[i, place] += frames[i]
            pull(i * width, (i - 1) * width + 8 * c)
        which = [i for i in self._moving if i < self._shared]
        # The parameters act in every step, so their cotangents are summed.
        self._add(found, table[:-1, c + self._node :], which, steps)
        return table[0, c : c + self._node].copy()

    def _entries(self, numbers: np.ndarray, leaf: _Leaf, steps: np.ndarray) -> np.ndarray:
        """Return the numbers of a leaf for each step; of a table, those in its window."""
        if leaf.table is None:
            entries = numbers[leaf.here]
            # A view with stride zero, not a copy per step.
            return np.broadcast_to(entries, (len(steps), len(entries)))
        rows = numbers[leaf.here].reshape(-1, leaf.columns)
        return rows[self._window(leaf, steps)].reshape(len(steps), -1)

    def _window(self, leaf: _Leaf, steps: np.ndarray) -> np.ndarray:
        assert leaf.table is not None
        first = self._windows.first[leaf.table][steps]
        return first[:, None] + np.arange(self._windows.length[leaf.table])

    def _add(
        self, found: np.ndarray, pulled: np.ndarray, which: list[int], steps: np.ndarray
    ) -> None:
        """Add cotangents (steps, numbers) of these leaves to those of the packed data."""
        at = 0
        for leaf in (self._leaves[i] for i in which):
            if leaf.table is None:
                n = leaf.here.stop - leaf.here.start
                found[leaf.here] += pulled[:, at : at + n].sum(axis=0)
            else:
                n = self._windows.length[leaf.table] * leaf.columns
                # A view: `np.add.at` below must reach `found` itself.
                rows = found[leaf.here].reshape(-1, leaf.columns)  # a view
                part = pulled[:, at : at + n].reshape(len(pulled), -1, leaf.columns)
                # `add.at`: windows of successive steps overlap, and `+=` would count an entry
                # once only.
                np.add.at(rows, self._window(leaf, steps), part)
            at += n


def _flat(tree: Tree) -> np.ndarray:
    leaves = [np.ravel(x) for x in jax.tree.leaves(tree)]
    return np.concatenate(leaves).astype(int) if leaves else np.zeros(0, int)


def leaves_of(plan: Plan) -> list[_Leaf]:
    """Return where the leaves of (parameters, t0, h, q, v) are in the packed vector."""
    result, tables = list[_Leaf](), 0

    def one(index: np.ndarray, table: int | None = None, columns: int = 1) -> None:
        first = int(np.ravel(index)[0]) if np.size(index) else 0
        result.append(_Leaf(slice(first, first + np.size(index)), table, columns))

    for x in jax.tree.leaves(places(plan.given), is_leaf=_is_table):
        if _is_table(x):
            one(x.times, tables)
            one(x.values, tables, np.size(x.values) // len(x.times))
            tables += 1
        else:
            one(x)
    return result


def memory_data(leaves: Sequence[_Leaf], numbers: np.ndarray) -> np.ndarray:
    """Return packed data with each table replaced by its address and length in `numbers`.

    They are for a run that reads tables in memory. `numbers` must be contiguous, and stay alive
    while the run reads them.
    """
    if all(leaf.table is None for leaf in leaves):
        return numbers
    parts: list[Tree] = []
    for leaf in leaves:
        if leaf.table is None:
            parts.append(numbers[leaf.here])
        else:
            length = (leaf.here.stop - leaf.here.start) // leaf.columns
            parts.append([numbers.ctypes.data + 8 * leaf.here.start, length])
    return np.concatenate(parts)
