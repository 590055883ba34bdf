"""`Stepper`: the compiled step of a system, called step by step by controllers, games, learning.

A call makes one step, or a few, on NumPy arrays that are updated in place. The numbers are those of
`simulate` with the same h, to the last bit.
"""

from __future__ import annotations

import concurrent.futures
import os
import threading
import time
from collections.abc import Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ...compile.engine import Engine
from ...compile.layout import Layout, Tree
from ...compile.tracing import recording_once, tracing_once
from ...compile.xla import cores
from ...errors import SimulationError, UsageError
from ...inputs import CONTROL, Constant, driven
from ...linalg import MESSAGES, OK
from ...methods import Method, default
from ...names import vector
from ...request import initial_data
from ...request.step import has_any_times, has_own_steps, initial_state
from ...request.validate import Given, check_count, check_objects, check_times
from ...system import Point, System, is_traced
from ..programs.held_device import accelerator, device_of, name_of
from ..programs.held_step import Held, Own, held_layout
from ..programs.held_variant import HeldVariant
from ..programs.step_kernel import places

# Seconds that a call must take on one core before its members are divided among threads: starting
# the threads takes 30 to 60 us (`benchmarks/stepper.py`).
_WORTH_THREADS = 3e-4


class StepperState:
    """State of a `Stepper`: `t`, `q`, `v`, `p`, `multiplier`; members are the first axis.

    The arrays of `stepper.state` are views, which the next step overwrites; `copy()` copies them.
    Those of `stepper.pure`, and of a stepper on a GPU, are JAX arrays, which nothing overwrites.
    The state is a PyTree, which `jit`, `vmap` and `scan` accept.
    """

    __slots__ = ("held",)

    def __init__(self, held: Held) -> None:
        self.held = held

    @property
    def t(self) -> Tree:
        """The time."""
        return _number(self.held.state.row.t)

    @property
    def q(self) -> Point:
        """The configuration."""
        return self.held.state.row.q

    @property
    def v(self) -> Tree:
        """The velocity."""
        return self.held.state.row.v

    @property
    def p(self) -> Tree:
        """The momentum."""
        return self.held.state.row.p

    @property
    def multiplier(self) -> Tree:
        """The multipliers: the reaction is A(q)^T multiplier."""
        return self.held.state.row.multiplier

    @property
    def frame(self) -> Tree:
        """The reconstructed motion of a reduced system: the group element since the reset."""
        return self.held.state.frame

    @property
    def residual(self) -> Tree:
        """The largest residual of the equations solved in the last call, relative."""
        return _number(self.held.state.row.residual)

    @property
    def steps(self) -> Tree:
        """Steps made since the reset, without failure."""
        return _number(self.held.good)

    @property
    def result(self) -> Tree:
        """0, or the code of the failure (`dalembert.linalg.MESSAGES`)."""
        return _number(self.held.state.row.result)

    @property
    def failed(self) -> Tree:
        """Whether a step has failed; with members, a mask."""
        return self.result != OK

    def copy(self) -> StepperState:
        """Return a copy whose arrays do not change with the next step."""
        return StepperState(jax.tree.map(_lasting, self.held))

    def __repr__(self) -> str:
        return f"StepperState(t={self.t}, q={self.q}, v={self.v})"


def _lasting(x: Tree) -> Tree:
    return x if isinstance(x, jax.Array) else np.array(x)


def _number(x: Tree) -> Tree:
    return x.item() if isinstance(x, np.ndarray) and not x.ndim else x


jax.tree_util.register_pytree_node(
    StepperState, lambda s: ((s.held,), None), lambda _, children: StepperState(*children)
)


class Stepper:
    """The compiled step of a system: `step(u)` advances by h, with the input u held constant.

        stepper = da.Stepper(robot, h=0.01)
        stepper.reset()
        for _ in range(1000):
            state = stepper.state
            stepper.step(controller(state.t, state.q, state.v))

    The state consists of NumPy arrays that are written in place. `members=N` runs N motions at
    once, in vectors and on all cores, each with its own start, time, input and parameters (arrays
    with the members first, as in `simulate_ensemble`). `u` is an argument of the compiled code, so
    nothing is recompiled when it changes.

    Args:
        system: the mechanical system. A system with a control (`control.driven`) takes no u.
        method: an integrator with fixed steps; by default that of `simulate`.
        h: step size.
        members: number of motions; None for one motion without a members axis.
        device: None for the CPU, or a GPU for the members (`"gpu"`, or a device of JAX). There the
            state consists of JAX arrays that stay on the device: `step` takes u and returns a
            state without copies through the host; resets come from the host.
        engine: "native", "gpu" or "arrays" demands one, as in `simulate_ensemble`. By default
            native code or a kernel for the GPU if possible; `stepper.engine` says which one it is,
            and why.

    A step that fails raises a `SimulationError`, and the state is that before the call. A member
    that fails is marked in `state.failed`, and its q and v are NaN until it is reset. A stepper can
    be pickled and, on a CPU, forked; only one thread at a time may call it.
    """

    def __init__(
        self,
        system: System,
        method: Method | None = None,
        *,
        h: float,
        members: int | None = None,
        device: Given = None,
        engine: str | None = None,
    ) -> None:
        method = default() if method is None else method
        check_objects(system, method, members=members is not None)
        _check_method(method)
        self._device = device_of(device, engine)
        if self._device is not None and members is None:
            raise UsageError(
                "a Stepper on a GPU needs members=N: a single motion is one thread, which is "
                "slower than a CPU"
            )
        # where `pure` runs: on the device of the stepper, else on the one that JAX uses
        self._pure_device = self._device or (accelerator() if device is None else None)
        self._made_of = {"h": h, "members": members, "device": name_of(device), "engine": engine}
        self.system, self.method = system, method
        self.h = float(check_times(h, 0.0)[0])
        self.members = None if members is None else check_count("members", members)
        if is_traced((system, h)):
            raise UsageError("a Stepper is made outside of jit; inside, call its `pure`")
        # Inputs become columns of the state table, so that a step reads them from the same memory
        # as the state.
        count = 0
        if system.has_inputs and not system.controlled_name:
            count = len(system.input_labels)
        self._asked = engine
        self._lock = threading.Lock()
        # Tracing the driven and the free variant shares what they have in common.
        with recording_once():
            self._free = self._variant(system, count)
        self._driven: HeldVariant | None = None
        self._own = self._free.own.width
        # The number of members or columns is padded to whole vectors by the variant; the GPU has
        # no table at all.
        layout, n = held_layout(self._free.plan), self.members
        shape = self._free.table_shape if self._device is None else (0, 0)
        self._there: Tree = None  # the state on a GPU
        self._table = np.zeros(shape)
        # A failed step of one motion restores this copy. Members are not copied: their failures
        # are marked instead.
        self._before = np.zeros(shape if n is None else 0)
        self._layout, at = layout, self._own + 1
        lines = self._table[at:] if n is None else self._table[at:, :n]
        self._lines = lines  # packed state, members last
        if self._device is None:
            self._views = StepperState(_views(layout, lines, n))
        row = places(layout).state.row
        self._result = at + int(row.result)
        # What becomes NaN in a member that fails: everything that a user reads, except the result
        # code.
        moved = (row.t, row.q, row.v, row.p, row.multiplier)
        self._moved = np.concatenate([np.ravel(x) for x in jax.tree.leaves(moved)]).astype(int)
        self._u = self._table[self._own - count : self._own]  # the last rows of `Own`
        self._u_shape = (count,)
        if engine is not None:
            _ = self.engine  # raises now if the engine cannot run the system
        if self._device is None:
            self._free.bind(self._table)
            self._write_own()
        self._start_width = self._free.plan.given.width - self._free.plan.parameters.width - 1
        # A method's first state may depend on the input, which is known only at the first step.
        self._fresh = True  # whether members were reset since the last step
        self._given: Tree = None  # (t, q, v) of each member at its last reset
        self._pace = 0.0  # seconds that one core takes for a step of all members

    def _variant(self, system: System, inputs: int) -> HeldVariant:
        return HeldVariant(
            system,
            self.method,
            self.h,
            self.members,
            inputs,
            self._asked,
            (self._device, self._pure_device),
        )

    # -- state -------------------------------------------------------------------------------

    @property
    def state(self) -> StepperState:
        """The present state: views, which the next step overwrites; `.copy()` copies them."""
        if self._given is None:
            self.reset()
        return self._state

    @property
    def _state(self) -> StepperState:
        return self._views if self._device is None else StepperState(self._there)

    @property
    def engine(self) -> Engine:
        """The engine, "native" or "arrays", and the reason if it is not native code."""
        return (self._driven or self._free).engine

    def __repr__(self) -> str:
        many = "" if self.members is None else f", {self.members} members"
        return f"Stepper({self.system.name()}, {self.method.name}, h={self.h:g}{many})"

    # -- resets ------------------------------------------------------------------------------

    def reset(
        self,
        q0: Point = None,
        v0: Given = None,
        t: Given = 0.0,
        where: Given = None,
        project: bool = False,
    ) -> StepperState:
        """Start at (q0, v0) and time t; with members, only those in the mask or indices `where`.

        Without q0 and v0 the start is `system.initial()`. With members, q0, v0 and t are one value
        for all members that are reset, or one for each of them, in their order. Data that
        `simulate` refuses raise the same error, and nothing changes; `project=True` takes the
        nearest consistent data.
        """
        rows = self._which(where)
        count = 1 if rows is None else len(rows)
        # Otherwise the others would be zeros, which may be off the constraint.
        if self._given is None and where is not None:
            self.reset()  # all other members need a start as well
        if not count:
            return self.state
        with self._held():
            given = self._start_data(q0, v0, t, rows, count)
            # All members start by one compiled call; an error raises before anything is written.
            states = self._free.started(given, rows, None, project)
            self._write(states, given[:, 0], rows)
            if self._given is None:
                self._given = np.zeros((self.members or 1, self._start_width))
            self._given[slice(None) if rows is None else rows] = given
            self._fresh = True
            return self._state

    def snapshot(self) -> StepperState:
        """Return a copy of the state, for `restore`."""
        return self.state.copy()

    def restore(self, state: StepperState, where: Given = None) -> StepperState:
        """Continue from a snapshot or from a state of `pure`; `where` selects members."""
        if not isinstance(state, StepperState):
            raise UsageError(f"restore takes a state (stepper.snapshot()), got {state!r}")
        with self._held():
            leaves = [np.asarray(x, float) for x in jax.tree.leaves(state.held)]
            n = () if self.members is None else (self.members,)
            wanted = [(*n, *a.shape) for a in self._layout.avals]
            if [x.shape for x in leaves] != wanted:
                raise UsageError(f"this is not a state of {self!r}: its arrays have other shapes")
            rows, data = self._which(where), np.concatenate([x.reshape(*n, -1) for x in leaves], -1)
            self._write_lines(data if rows is None else data[rows], rows)
            # What a restored member was started from is unknown: its present state takes that
            # place.
            if self._given is None:
                self._given = np.zeros((self.members or 1, self._start_width))
            row = self._state.held.state.row
            parts = [
                np.asarray(x).reshape(self.members or 1, -1)
                for x in (row.t, *_leaves(row.q), row.v)
            ]
            rows = slice(None) if rows is None else rows
            self._given[rows] = np.concatenate(parts, axis=1)[rows]
            self._fresh = True
            return self._state

    # -- steps -------------------------------------------------------------------------------

    def step(self, u: Given = None, steps: int = 1) -> StepperState:
        """Advance by `steps` steps of h, with the input u held constant; without u, no input acts.

        u is an array, or a dict by names of inputs for one motion: `step({"left": 0.3})`. With
        members, u is (members, inputs), or (inputs,) for all of them. Returns the state.
        """
        if self._given is None:
            self.reset()
        # Not blocking: a second thread is a mistake in the caller, and waiting would hide it.
        if not self._lock.acquire(False):
            raise UsageError(_BUSY)
        try:
            if steps != 1 or type(steps) is not int:
                steps = check_count("steps", steps)
            if self._device is not None:
                return self._step_there(u, steps)
            variant = self._free if u is None else self._take(u)
            if self._fresh:
                self._begin(variant)
            if self.members is None:
                # Without the copy a failed step could not be undone.
                self._before[:] = self._table
                variant.advance(0, 1, steps)
                if self._table[self._result] != OK:
                    raise self._failure(variant)
            else:
                self._advance_members(variant, steps)
            return self._state
        finally:
            self._lock.release()

    def _advance_members(self, variant: HeldVariant, steps: int) -> None:
        end = variant.columns
        begin = time.perf_counter()
        # Below the limit one core is faster. The pace is that of the last call.
        shares = variant.shares(cores()) if self._pace * steps > _WORTH_THREADS else 1
        if shares == 1:
            variant.advance(0, end, steps)
        else:
            # Shares are whole vectors, because two threads must not write the same vector.
            size = -(-end // (shares * variant.width)) * variant.width
            parts = [(i, min(i + size, end)) for i in range(0, end, size)]
            others = [_pool().submit(variant.advance, *part, steps) for part in parts[1:]]
            # The calling thread works as well, instead of waiting for the pool.
            variant.advance(*parts[0], steps)
            for part in others:
                part.result()
        # in seconds of one core, which decides about threads in the next call
        self._pace = (time.perf_counter() - begin) * shares / steps
        result = self._table[self._result, : self.members]
        if result.any():
            failed = np.flatnonzero(result)
            self._lines[self._moved[1:, None], failed] = np.nan

    def _take(self, u: Given) -> HeldVariant:
        """Return the variant with an input, and write u into the table."""
        variant = self._driven or self._drive()
        # The usual case, an array of doubles, takes no conversion.
        if type(u) is not np.ndarray or u.dtype != float:
            if isinstance(u, Mapping):
                u = vector("input", u, self.system.input_labels)
            try:
                u = np.asarray(u, dtype=float)
            except (TypeError, ValueError):
                raise UsageError(f"u must be numbers, got {u!r}") from None
        if self.members is None:
            if u.shape != self._u_shape:
                u = self._fitting(u)
            self._u[:] = u
        else:
            if u.shape != (self.members, *self._u_shape) and u.shape != self._u_shape:
                u = self._fitting(u)
            if u.ndim == 1:
                self._u[:] = u[:, None]
            else:
                self._u[:, : self.members] = u.T
                # The padding columns must stay valid motions: they repeat the last member.
                self._u[:, self.members :] = u[-1:].T
        return variant

    def _fitting(self, u: np.ndarray) -> np.ndarray:
        """Return u with an axis of inputs if the system has one input; else raise `UsageError`."""
        count, names = self._u_shape[0], ", ".join(self.system.input_labels)
        wanted = [self._u_shape] + ([] if self.members is None else [(self.members, count)])
        if count == 1 and u.shape in ((), *(x[:-1] for x in wanted)):
            return u.reshape(*u.shape, 1)
        shapes = " or ".join(map(str, wanted))
        raise UsageError(
            f"{self.system.name()} has {count} inputs, {names}: u must have the shape {shapes}, "
            f"got {u.shape}"
        )

    def _drive(self) -> HeldVariant:
        count = self._u_shape[0]
        if self.system.controlled_name:
            raise UsageError(
                f"{self.system.name()} already has a control: make the Stepper from the system "
                "without it to give u at every step"
            )
        # The driven variant is compiled at the first use of an input.
        with recording_once():
            self._driven = self._variant(driven(self.system, Constant(np.zeros(count))), count)
        if self._device is None:
            self._driven.bind(self._table)
        return self._driven

    def _step_there(self, u: Given, steps: int) -> StepperState:
        """Advance the members on a GPU; u may be a JAX array, which stays there."""
        variant, count = self._free, self._u_shape[0]
        if u is None:
            u = np.zeros(count)
        else:
            variant = self._driven or self._drive()
            if isinstance(u, Mapping):
                u = vector("input", u, self.system.input_labels)
            try:
                u = jnp.asarray(u, dtype=float)
            except (TypeError, ValueError):
                raise UsageError(f"u must be numbers, got {u!r}") from None
            if u.shape not in (self._u_shape, (self.members, count)):
                u = self._fitting(u)
        if self._fresh:
            self._begin(variant, u)
        # One placement for all inputs: a second device would make JAX copy on every call.
        u = jax.device_put(jnp.broadcast_to(u, (self.members, count)), self._device)
        own = Own(variant.own_there, u)
        self._there = variant.on_device.advance(variant.kernel, own, self._there, steps)
        return self._state

    def _begin(self, variant: HeldVariant, there: Tree = None) -> None:
        """Start reset members again, because the first state of a method depends on the input.

        `there` is the input of members on a GPU.
        """
        self._fresh = False
        if variant is self._free:
            # Without an input the start is what `reset` has computed.
            return
        good = np.asarray(self._state.held.good)
        many = self.members is not None
        # Only members that have made no step and have not failed are started again.
        rows = np.flatnonzero((good == 0) & ~np.asarray(self._state.failed)) if many else None
        if (rows is not None and not len(rows)) or (rows is None and good > 0):
            return
        given = self._given if rows is None else self._given[rows]
        if there is not None:
            u = np.asarray(there if there.ndim == 1 else there[rows])
        else:
            u = self._u[None] if rows is None else self._u[:, rows].T
        self._write(variant.started(given, rows, u, True), given[:, 0], rows)

    # -- inside JAX --------------------------------------------------------------------------

    def pure(self, state: StepperState, u: Given = None) -> StepperState:
        """Return the next state: a pure function, for `jit`, `vmap`, `scan` and `grad`.

            step = jax.jit(stepper.pure)
            _, path = jax.lax.scan(lambda s, u: (step(s, u),) * 2, stepper.snapshot(), inputs)

        Compiled JAX code calls the native step, or on a GPU its kernel, under `vmap` with all
        members at once; on a GPU no number goes through the host. Under `grad` and `jvp` the step
        is compiled by XLA instead, which takes long for machines (`dalembert.parts`); its results
        equal those of the native step up to round-off. `state.result` reports a failure. With
        members u is (members, inputs) or (inputs,).
        """
        if u is None:
            variant, u = self._free, jnp.zeros(self._u_shape)
        else:
            variant = self._driven or self._pure_drive()
            u = jnp.asarray(u, dtype=float)
        held: Held = state.held
        step = variant.pure
        many = jnp.ndim(held.t0) == 1 and self.members is not None
        wanted = [self._u_shape] + ([(self.members, *self._u_shape)] if many else [])
        if u.shape not in wanted:
            if self._u_shape == (1,) and (*u.shape, 1) in wanted:
                u = u[..., None]
            else:
                raise UsageError(
                    f"{self.system.name()} has {self._u_shape[0]} inputs: u must have the shape "
                    f"{' or '.join(map(str, wanted))}, got {u.shape}"
                )
        own = jax.tree.map(jnp.asarray, variant.own_tree)
        # One member of many, as inside `vmap`: the state does not contain its parameters.
        if not many:
            if self.members is not None and jax.tree.leaves(own):
                raise UsageError(
                    "the members have different parameters: call pure with all of them at once"
                )
            return StepperState(step(Own(own, u), held))
        axes = (Own(0, 0 if u.ndim == 2 else None), 0)
        return StepperState(jax.vmap(step, in_axes=axes)(Own(own, u), held))

    def pure_reset(self, q: Point, v: Given, t: Given = 0.0) -> StepperState:
        """Return the state of one member that starts at (q, v), inside JAX; `vmap` for many.

        (q, v) are assumed consistent up to a projection; nothing is checked here.
        """
        variant = self._free
        if self.members is not None and jax.tree.leaves(variant.own_tree):
            raise UsageError("the members have different parameters: reset them by `reset`")
        system = eqx.combine(jax.tree.map(jnp.asarray, variant.shared_tree), variant.plan.static)
        t = jnp.asarray(t, dtype=float)
        with tracing_once():
            state = initial_state(system, self.method, t, self.h, q, v)
        held = Held(state, t, jnp.zeros(()))
        return StepperState(jax.tree.map(lambda x: jnp.asarray(x).astype(float), held))

    def _pure_drive(self) -> HeldVariant:
        # The variant must be made of values even if JAX is tracing the caller.
        with jax.ensure_compile_time_eval():
            return self._drive()

    # -- internals ---------------------------------------------------------------------------

    def _held(self) -> _Alone:
        return _Alone(self._lock)

    def _which(self, where: Given) -> np.ndarray | None:
        """Return the indices of the members in `where`; None for a stepper without members."""
        if self.members is None:
            if where is not None:
                raise UsageError("where= is for several members: Stepper(..., members=N)")
            return None
        if where is None:
            return np.arange(self.members)
        result = np.asarray(where)
        if result.dtype == bool:
            if result.shape != (self.members,):
                raise UsageError(
                    f"where must have {self.members} entries, got shape {result.shape}"
                )
            return np.flatnonzero(result)
        if result.size == 0:
            return np.zeros(0, int)
        if result.dtype.kind not in "iu" or result.ndim != 1:
            raise UsageError("where must be a mask of the members, or their indices")
        # Duplicates would write one member twice, in an order that NumPy does not define.
        inside = (result >= 0) & (result < self.members)
        if not inside.all() or len(np.unique(result)) != len(result):
            raise UsageError(f"where must be different indices from 0 to {self.members - 1}")
        return result

    def _start_data(
        self, q0: Point, v0: Given, t: Given, rows: np.ndarray | None, count: int
    ) -> np.ndarray:
        """Return (t, q, v) of each member that is reset, as rows of numbers."""
        if (q0 is None) != (v0 is None):
            raise UsageError("give both q0 and v0, or neither to start from system.initial()")
        if q0 is None:
            q0, v0 = self._free.initial(rows)
        base = self._free.example.groupoid.base
        q, dim = base.identity(), self._free.example.dim
        names = ["t", *["q0"] * len(_leaves(q)), "v0"]
        # Points of R^n are one array; a list of numbers would otherwise be taken for a list of
        # parts.
        if len(_leaves(q)) == 1:  # a list of numbers is accepted as well
            q0 = np.asarray(q0)
        likes, result = [(), *(x.shape for x in _leaves(q)), (dim,)], [t, *_leaves(q0), v0]
        if len(result) != len(likes):
            base.check(q0, "q0")  # raises a message that says what is wrong
            raise UsageError(f"q0 must have the parts of {base}, got {q0!r}")
        columns = []
        for name, x, shape in zip(names, result, likes):
            try:
                x = np.asarray(x, dtype=float)
            except (TypeError, ValueError):
                raise UsageError(f"{name} must be numbers, got {x!r}") from None
            if x.shape != shape and (rows is None or x.shape != (count, *shape)):
                shapes = f"{shape}" if rows is None else f"{shape} or {(count, *shape)}"
                raise UsageError(f"{name} must have the shape {shapes}, got {x.shape}")
            if not np.all(np.isfinite(x)):
                raise UsageError(f"{name} must be finite, got {x}")
            columns.append(np.broadcast_to(x, (count, *shape)).reshape(count, -1))
        return np.concatenate(columns, axis=1)

    def _write(self, states: np.ndarray, t0: np.ndarray, rows: np.ndarray | None) -> None:
        """Write the first states (rows, numbers) of members into the table."""
        whole = np.concatenate([states, t0[:, None], np.zeros((len(states), 1))], axis=1)
        self._write_lines(whole[0] if rows is None else whole, rows)

    def _write_lines(self, whole: np.ndarray, rows: np.ndarray | None) -> None:
        """Write packed states into the state of the members `rows`."""
        if rows is None:
            self._lines[:] = whole
            return
        assert self.members is not None
        if self._device is not None:
            layout = self._layout
            new = [
                whole[:, a:b].reshape(len(rows), *x.shape)
                for a, b, x in zip(layout.ends, layout.ends[1:], layout.avals)
            ]
            new = jax.tree.unflatten(layout.tree, jax.device_put(new, self._device))
            if len(rows) < self.members:
                # The other members stay where they are, on the device.
                new = jax.tree.map(lambda x, y: x.at[rows].set(y), self._there, new)
            self._there = new
            return
        self._lines[:, rows] = whole.T
        if rows[-1] == self.members - 1:  # vectors are filled up by copies of the last member
            # Otherwise the padding would keep the old motion, which could fail and slow the
            # vector down.
            at = self._own + 1
            self._table[at:, self.members :] = self._lines[:, -1:]

    def _write_own(self) -> None:
        """Write the parameters in which members differ into the table."""
        n = self.members or 1
        for at, x in zip(
            jax.tree.leaves(places(self._free.own).parameters),
            jax.tree.leaves(self._free.own_tree),
            strict=True,
        ):
            lines = np.asarray(x, float).reshape(n, -1).T
            self._table[np.ravel(at), :n] = lines
            self._table[np.ravel(at), n:] = lines[:, -1:]

    def _failure(self, variant: HeldVariant) -> SimulationError:
        """Return the error of a failed step; restores the state before the call."""
        failed = self._state.copy()
        # Nothing of a failed call remains: the caller can continue with another input.
        self._table[:] = self._before
        row, now = failed.held.state.row, self._state
        system = variant.example
        if variant is not self._free:
            system = eqx.tree_at(lambda s: getattr(s, CONTROL).value, system, np.array(self._u))
        # The input is the first thing to suspect, because it comes from outside.
        if variant is not self._free and not np.all(np.isfinite(self._u)):
            cause = f": the input u = {np.array(self._u)} is not finite"
        else:
            cause = initial_data.diagnosis(system, self.h, now, row)
        step, at, residual = int(failed.held.state.k), failed.t, failed.residual
        return SimulationError(
            f"{MESSAGES[int(row.result)]}{cause} (residual {residual:.2e}) at step {step}, "
            f"t = {at:g}",
            about=f"{self.method.name} on {system.name()}",
            advice=f"the stepper keeps its state from before this call, at t = {now.t:g}",
            step=step,
            time=at,
            residual=residual,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {
            "made_of": (self.system, self.method, self._made_of),
            # Arrays and arguments only: compiled code and locks cannot be pickled, and are made
            # again.
            "held": jax.tree.map(np.array, self._state.held),
            "given": self._given,
            "fresh": self._fresh,
        }

    def __setstate__(self, pickled: dict[str, Any]) -> None:
        system, method, options = pickled["made_of"]
        self.__init__(system, method, **options)
        self.restore(StepperState(pickled["held"]))
        self._given = pickled["given"]
        self._fresh = pickled["fresh"]


class _Alone:
    """A lock that raises in a second thread instead of blocking it."""

    def __init__(self, lock: Any) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(False):
            raise UsageError(_BUSY)

    def __exit__(self, *_: object) -> None:
        self._lock.release()


_BUSY = "a Stepper is for one thread at a time: make one for each thread (their code is shared)"


def _leaves(tree: Tree) -> list[Tree]:
    return jax.tree.leaves(tree)


def _views(layout: Layout, lines: np.ndarray, members: int | None) -> Held:
    """Return the state as views into its packed numbers."""
    result = []
    for a, b, aval in zip(layout.ends, layout.ends[1:], layout.avals):
        if members is None:
            result.append(lines[a:b].reshape(aval.shape))
        else:
            result.append(np.moveaxis(lines[a:b].reshape(*aval.shape, members), -1, 0))
    return jax.tree.unflatten(layout.tree, result)


def _check_method(method: Method) -> None:
    if has_own_steps(method) or has_any_times(method):
        raise UsageError(
            f"{method.name} chooses the sizes of its steps, but a Stepper makes steps of size h: "
            "use Gauss(stages=4), or another method with fixed steps"
        )


_threads: tuple[int, concurrent.futures.ThreadPoolExecutor] | None = None


def _pool() -> concurrent.futures.ThreadPoolExecutor:
    """Return the thread pool of this process; a forked process makes a new one."""
    global _threads
    if _threads is None or _threads[0] != os.getpid():
        # Threads do not survive a fork, so the pool belongs to one process.
        _threads = os.getpid(), concurrent.futures.ThreadPoolExecutor(max(cores() - 1, 1))
    return _threads[1]
