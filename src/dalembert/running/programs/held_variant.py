"""The step of a `Stepper` with or without an input: its plan, its compiled code, its starts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import numpy as np

from ...compile.cpu.kernels import StepKernel
from ...compile.cpu.llvm import vector_width
from ...compile.engine import Engine, chosen_engine
from ...compile.layout import Layout, Tree
from ...compile.tracing import recording_once
from ...compile.xla import Device
from ...errors import Reason, UsageError
from ...inputs import CONTROL
from ...linalg import OK
from ...methods import Method
from ...request import initial_data
from ...request.batch import batch_of
from ...request.prepare import Plan, plan_for
from ...request.validate import check_parameters, own_start
from ...system import System, as_arrays
from .held_device import DeviceMembers, device_kernel, engine_on, pure_kernel
from .held_step import (
    Held,
    InPlace,
    Own,
    calls_in_place,
    held_arrays,
    held_kernel,
    held_layout,
    pure_native,
)
from .step_kernel import CROWDED, places


class HeldVariant:
    """The compiled step of the system, either with an input or without one."""

    def __init__(
        self,
        system: System,
        method: Method,
        h: float,
        members: int | None,
        inputs: int,
        asked: str | None,
        devices: tuple[Tree, Tree],
    ) -> None:
        """`inputs` is the number of inputs; `asked` is the engine that the caller wants, if any.

        `devices` are the device of the state and that of `pure`; None is the host.
        """
        self.members, self.h = members, h
        self.device, self._pure_device = devices
        if members is None:
            dynamic, _ = as_arrays(system)
            self.example, self.names = system, ()
            shared, self.own_tree = dynamic, jax.tree.map(lambda _: None, dynamic)
        else:
            one = system.groupoid.base.identity()
            q = jax.tree.map(lambda x: np.broadcast_to(x, (members, *np.shape(x))), one)
            batch = batch_of(system, q, np.zeros((members, system.dim)))
            self.example, self.names = batch.example, batch.names
            shared, self.own_tree = batch.shared, batch.varying
        check_parameters(self.example, (shared, self.own_tree))
        self.plan: Plan = plan_for(self.example, method, *as_arrays(self.example))
        if inputs and hasattr(system, CONTROL):
            shared = eqx.tree_at(lambda s: getattr(s, CONTROL).value, shared, None)
        self.shared_tree = jax.tree.map(np.asarray, shared)
        one = self.own_tree
        if members is not None:
            one = jax.tree.map(lambda x: np.asarray(x[0]), one)
        self.own = Layout(Own(one, np.zeros(inputs)))
        shared_layout = Layout(self.shared_tree)
        given = (self.shared_tree, np.asarray(self.h))
        self.shared = Layout(given).pack_numpy(given)
        # indices of the parameters in the data of a start
        self._parameters = places(self.plan.parameters)
        self._asked, self._shared_layout = asked, shared_layout
        self.width = 1 if members is None else vector_width()
        self.columns = 1 if members is None else -(-members // self.width) * self.width

    @functools.cached_property
    def _found(self) -> tuple[Engine, Any]:
        """Engine and compiled code; made at the first step, because a variant may be unused."""

        def native() -> StepKernel | Reason:
            many = self.members is not None
            return held_kernel(self.plan, self._shared_layout, self.own, many)

        with recording_once():
            if self.device is None:
                return chosen_engine(self._asked, native)
            return engine_on(self.device, self._asked, lambda: self._kernel_on(self.device))

    def _kernel_on(self, device: Device) -> Any:
        crowded = self.members is None or self.members > CROWDED
        return device_kernel(self.plan, self._shared_layout, self.own, crowded, device)

    @property
    def engine(self) -> Engine:
        """The engine that makes the steps, with the reason for its choice."""
        return self._found[0].noting(self.plan.reason)

    @property
    def kernel(self) -> Any:
        """The native code or the kernel of the device, or None."""
        return self._found[1]

    @functools.cached_property
    def own_there(self) -> Tree:
        """The parameters in which members differ, on the device."""
        return jax.device_put(self.own_tree, self.device)

    @functools.cached_property
    def on_device(self) -> DeviceMembers:
        """The steps of all members on the device."""
        return DeviceMembers(
            self.plan, self.shared_tree, self.shared, self.own, self.h, self.device
        )

    @functools.cached_property
    def pure(self) -> Callable[[Own, Held], Held]:
        """The step (own, held) -> held as a JAX function."""
        arrays = self.on_device.arrays
        if self._asked == "arrays" or not calls_in_place():
            return arrays
        if self._pure_device is not None:
            with recording_once():
                kernel = self._kernel_on(self._pure_device)
            if isinstance(kernel, Reason):
                return arrays
            return pure_kernel(kernel, self.shared, self.own, held_layout(self.plan), arrays)
        if self.kernel is None:
            return arrays

        def code(many: bool) -> Any:
            return held_kernel(self.plan, Layout(self.shared_tree), self.own, many)

        if not self.plan.is_compared:  # `held_kernel` cannot cache this code: cache it here
            code = functools.cache(code)
        call = InPlace(self.shared, self.own.width, code(False), functools.partial(code, True))
        return pure_native(call, held_layout(self.plan), arrays)

    @property
    def table_shape(self) -> tuple[int, ...]:
        """Shape of the table with the numbers of all members."""
        lines = self.own.width + 1 + held_layout(self.plan).width
        return (lines,) if self.members is None else (lines, self._stride)

    @property
    def _stride(self) -> int:
        # rows of the table that begin a multiple of 4 KiB apart map to the same few cache lines
        return self.columns + (8 if self.columns % 512 == 0 else 0)

    def bind(self, table: np.ndarray) -> None:
        """Make steps in this table from now on; compiles at the first step."""

        def first_time(first: int, end: int, steps: int) -> None:
            self.advance = self._advancing(table)
            self.advance(first, end, steps)

        self.advance: Callable[[int, int, int], object] = first_time

    def _advancing(self, table: np.ndarray) -> Callable[[int, int, int], object]:
        """Return a function (first member, end member, steps) that makes steps in place."""
        if self.kernel is not None:
            return self.kernel.in_place(self.shared, table)
        columns = None if self.members is None else table.shape[1]
        arrays = held_arrays(self.plan, self._shared_layout, self.own, columns)

        def advance(first: int, end: int, steps: int) -> None:
            table[...] = arrays(self.shared, table, np.float64(steps))

        return advance

    def shares(self, threads: int) -> int:
        """Return the number of parts into which members are divided for threads."""
        return min(threads, self.columns // self.width) if self.kernel is not None else 1

    def initial(self, rows: np.ndarray | None) -> tuple[Tree, Tree]:
        """Return `system.initial()`: one start, or one for each member of `rows`.

        There is one for each member if members differ in parameters.
        """
        if rows is None or not self.names:
            return own_start(self.example)
        own = jax.tree.map(lambda x: x[rows], self.own_tree)
        shared, static = self.shared_tree, self.plan.static
        return jax.vmap(lambda p: eqx.combine(p, shared, static).initial())(own)

    def started(
        self, given: np.ndarray, rows: np.ndarray | None, u: np.ndarray | None, project: bool
    ) -> np.ndarray:
        """Return the first states (rows, numbers) of members from their (t, q, v), or raise."""
        n, plan = len(given), self.plan
        numbers = np.empty((n, plan.given.width))
        self._fill(numbers, rows, u)
        a = plan.parameters.width
        numbers[:, a], numbers[:, a + 1], numbers[:, a + 2 :] = given[:, 0], self.h, given[:, 1:]
        states, wrong = plan.start_rows(numbers, project or not plan.is_constrained)
        result = places(plan.state).row.result
        wrong = wrong | (states[:, int(result)] != OK)
        if wrong.any():
            self._refuse(numbers, np.flatnonzero(wrong), rows, project)
        return states

    def _fill(self, numbers: np.ndarray, rows: np.ndarray | None, u: np.ndarray | None) -> None:
        """Write the parameters of each member into the first columns."""
        at = slots(self._parameters)
        for i, x in zip(at, slots(self.shared_tree), strict=True):
            if x is not None:
                numbers[:, np.ravel(i)] = np.ravel(x)
        for i, x in zip(at, slots(self.own_tree), strict=True):
            if x is not None:
                numbers[:, np.ravel(i)] = np.asarray(x, float)[rows].reshape(len(numbers), -1)
        if u is not None:
            numbers[:, np.ravel(getattr(self._parameters, CONTROL).value)] = u

    def _refuse(
        self, numbers: np.ndarray, bad: np.ndarray, rows: np.ndarray | None, project: bool
    ) -> None:
        """Raise the error of `simulate` for the first member whose data are wrong."""
        dynamic, t, h, q, v = self.plan.given.unpack(numbers[bad[0]])
        place = "" if rows is None else f"(member {rows[bad[0]]} of {self.members})"
        try:
            self.example.groupoid.base.check(q, "q0")
            result = self.plan.start((dynamic, t, h, q, v))[1]
            initial_data.judge(self.example, self.plan.method, result, project)
        except UsageError as error:
            raise (error.located(after=place) if place else error) from None
        name = self.example.name()
        raise UsageError(f"{name}: the first step cannot be made from the initial data {place}")


def slots(tree: Tree) -> list[Tree]:
    """Return the leaves of a tree of parameters, with None as a leaf."""
    return jax.tree.leaves(tree, is_leaf=lambda x: x is None)
