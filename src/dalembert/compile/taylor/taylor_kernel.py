"""Kernels for Taylor's method: the compiled loop over adaptive steps, and observers of a motion.

Each step computes the coefficients, chooses a step size, steps, and checks the result.

A record is a node with the step that follows it: [q, t, lost, last h, rest of the node | h | c]. c
are the coefficients of x around the node (`coefficient_rules`), which are valid for a time h;
`lost` is the round-off of t. The step size is that of Jorba and Zou (2005), from the last two
orders,

    h = e^-2 e^(-0.7/(p - 1)) min over j = p - 1, p of (|x| / |x_j|)^(1/j),   p = 1 - ln(tol)/2,

separately for positions and for velocities. At the end of a step the polynomial must solve the
equation: its derivative is compared with the rate there, which the next step needs anyway, and its
velocity with that velocity projected to the constraint. The equation is also checked inside steps,
at irregular times, one in each of many equal parts of the run: far from a short pulse all
coefficients are as if the pulse did not exist. (`Jet.sudden` finds steps in which there can be no
pulse, and which need no such check.) A step that fails (a pulse,
a branch that has changed, a singularity nearer than it seemed) is tried again with half the size,
until a kink is located to within the tolerance, and a jump to within the last digit of t.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable

import numpy as np

from ..cpu.llvm import Effort, Native
from ..ir.record import Recorded
from .coefficient_emit import WRITTEN_OUT, jets, joined
from .coefficient_rules import BY_STATE, Jet
from .taylor_loop_emit import (
    CONTROL,
    INFINITE,
    STALLED,
    WELL,
    Parts,
    RecordShape,
    loop_text,
    observing_text,
)

# allowed error of h times the derivative at the end of a step, in units of the tolerance
_ALLOWED = 100.0
_APART = 1e-9  # fraction of the run: jumps closer together mean that the motion slides along them
# Texts with more lines are compiled without optimization, in a tenth of the time. Below, more than
# a little optimization makes no faster code, because there are hardly any common subexpressions
# left.
_LONG = 30_000


def order_for(tol: float) -> int:
    """Return the order at which a step costs least for its length (Jorba and Zou)."""
    return max(math.ceil(1.0 - 0.5 * math.log(tol)), 4)


def step_factor(tol: float, order: int) -> float:
    """Return the step size in units of the estimated radius of convergence."""
    return math.exp((math.log(tol) - 0.7) / (order - 1))


class TaylorKernel:
    """Makes many steps in one call. `make` may raise `Unsupported`; `name` is as for `Native`."""

    def __init__(self, make: Callable[[], Parts], order: int, name: str | None = None) -> None:
        def text() -> tuple[str, tuple[int, ...]]:
            return loop_text(make(), order)

        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        signature = (None, *[pointer] * 5, *[whole] * 4)
        self._native = Native(
            text, *signature, name=name and f"taylor {order} of members, {name}", effort=_effort
        )
        self.shape: RecordShape = RecordShape(*self._native.known)

    def __call__(
        self, shared: np.ndarray, records: np.ndarray, control: np.ndarray, keep: bool
    ) -> int:
        """Make steps from the node in records[0] on, and return their number.

        The result code is written to `control`. With `keep`, the records of all steps are saved
        until there is no room; the node reached is in the record after the last step. Without, it
        is in records[steps % 2].
        """
        return self.bound(shared, records, control, keep)()

    def bound(
        self, shared: np.ndarray, records: np.ndarray, control: np.ndarray, keep: bool
    ) -> Callable[[], int]:
        """Return a call on these arrays that can be repeated; it keeps them alive."""
        call, counts = self._bound(shared[None], records[None], control[None], keep)

        def count() -> int:
            call()
            return int(counts[0])

        return count

    def members(self, shared: np.ndarray, records: np.ndarray, control: np.ndarray) -> np.ndarray:
        """Make steps of many members in one call, and return the number of steps of each.

        All arrays have a leading axis of members; see `__call__`, with `keep`.
        """
        call, counts = self._bound(shared, records, control, keep=True)
        call()
        return counts

    def _bound(
        self, shared: np.ndarray, records: np.ndarray, control: np.ndarray, keep: bool
    ) -> tuple[Callable[[], None], np.ndarray]:
        scratch, counts = np.zeros(self.shape.scratch), np.zeros(len(records), np.int64)
        assert records.shape[2] == self.shape.record
        assert control.shape == (len(records), CONTROL)
        assert shared.shape[0] == len(records)
        arrays = (shared, records, scratch, control, counts)
        assert all(x.flags.c_contiguous for x in arrays)
        most = records.shape[1] - 1 if keep else 1 << 62
        pointers = [x.ctypes.data for x in arrays]
        each = records.shape[1] * records.shape[2]

        def call(_kept: object = arrays) -> None:
            self._native.call(*pointers, most, int(keep), len(records), each)

        return call, counts


def control(
    tol: float, order: int, span: tuple[float, float], looks: int, pause: float = math.inf
) -> np.ndarray:
    """Return the array that steers a call and receives its result.

    The call ends with the step that reaches the time `pause`, if not before. The run covers the
    time `span`; the equation is checked once in each of `looks` parts of it. If the field has
    branches, which may switch twice in one step, a step is at most four parts long.
    """
    allowed, never = _ALLOWED * max(tol, np.finfo(float).eps), -math.inf
    begin, end = span
    part = (end - begin) / looks if looks else math.inf
    steering = [end, step_factor(tol, order), allowed, pause, float(WELL), never]
    # indices 6 to 10: largest step of a branching field, length of a part, begin, distance of
    # jumps, and the number of tiny steps in a row
    steering += [4.0 * part, part, begin, _APART * (end - begin), 0.0]
    assert len(steering) == CONTROL
    return np.array(steering)


def _effort(text: str) -> Effort:
    if text.count("\n") > _LONG:
        return Effort(0, 0)
    # passes make loops over orders at most a hundredth faster
    return Effort(1, 1) if WRITTEN_OUT in text else Effort(0, 1)


# -- functions of the motion ----------------------------------------------------------------------


class ObserverKernel:
    """Computes the Taylor coefficients of functions of the motion from its records.

    `make` returns g(constants, moving), recorded, and how many numbers a run shares; it may raise
    `Unsupported`. `name` is as for `Native`.
    """

    def __init__(
        self, make: Callable[[], tuple[Recorded, int]], shape: RecordShape, name: str | None = None
    ) -> None:
        def text() -> tuple[str, tuple[int, int, int]]:
            recorded, shared = make()
            jet = Jet(recorded, shape.size, shared, follow=False)
            code = jets(jet, shape.order)
            known = len(jet.watched), code.scratch, jet.choices
            text = observing_text(shape, len(jet.watched), code.scratch, shared)
            return joined([code, text]), known

        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        signature = (None, *[pointer] * 4, whole)
        name = name and f"taylor {shape.order} observed {name}"
        self._native = Native(text, *signature, name=name, effort=Effort(1, 1))
        self.shape = shape
        self.count, self._scratch, self.choices = self._native.known

    def __call__(self, shared: np.ndarray, records: np.ndarray) -> np.ndarray:
        """Return the coefficients (records, order + 1, functions).

        `shared` has one row for each record.
        """
        shared, records = np.ascontiguousarray(shared), np.ascontiguousarray(records)
        assert len(shared) == len(records)
        out = np.empty((len(records), self.shape.order + 1, self.count))
        scratch = np.zeros(self._scratch)
        pointers = (x.ctypes.data for x in (shared, records, out, scratch))
        self._native.call(*pointers, len(records))
        return out


__all__ = [
    "BY_STATE",
    "INFINITE",
    "STALLED",
    "WELL",
    "ObserverKernel",
    "Parts",
    "RecordShape",
    "TaylorKernel",
    "control",
    "order_for",
]
