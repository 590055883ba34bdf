"""The loop over steps of Taylor's method, as LLVM: coefficients, a size, a step, a check.

A record is a node with what follows from it: [q, t, lost, last h, rest of the node | h | c], where
c are the coefficients of x around the node (`coefficient_rules`), which hold for a time h. The size
of a step is that of Jorba and Zou (2005), from the last two orders,

    h = e^-2 e^(-0.7/(p - 1)) min over j = p - 1, p of (|x| / |x_j|)^(1/j),   p = 1 - ln(tol)/2,

of positions and of velocities apart. At its end the polynomial must solve the equation: its slope
is compared with the rate there, which the next step needs anyhow, and its velocity with what is
left of that on the constraint. It is also looked at on the way, at times that lie irregularly, one
in each of many equal parts of the run: far from a short pulse all coefficients are as if it were
not there (`Jet.sudden` tells of steps in which there can be none). What does not agree (a pulse, a
choice that has changed, a singularity nearer than it seemed) is tried again with half the size,
until a kink is met to within the tolerance, and a jump to within the last digit of t.
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
from .taylor_loop_emit import INFINITE, STALLED, WELL, Parts, Shape, loop_text, observing_text

_ALLOWED = 100.0  # of the tolerance: what the slope at the end may be off by, times h
_APART = 1e-9  # of the run, between jumps: a motion that jumps more often slides along them
# lines of code from which on no effort is made, which compiles in a tenth of the time; below, more
# than a little makes no faster code: there is hardly anything to be found that is computed twice
_LONG = 30_000


def order_for(tol: float) -> int:
    """The order at which a step costs least for its length: Jorba and Zou."""
    return max(math.ceil(1.0 - 0.5 * math.log(tol)), 4)


def step_factor(tol: float, order: int) -> float:
    """The size of a step, in radii of convergence as they are estimated."""
    return math.exp((math.log(tol) - 0.7) / (order - 1))


class TaylorKernel:
    """Many steps in one call. `make` may raise `Unsupported`; `name` as for `Native`."""

    def __init__(self, make: Callable[[], Parts], order: int, name: str | None = None) -> None:
        def text() -> tuple[str, tuple[int, ...]]:
            return loop_text(make(), order)

        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        signature = (whole, *[pointer] * 4, whole, whole)
        self._native = Native(
            text, *signature, name=name and f"taylor {order} of {name}", effort=_effort
        )
        self.shape: Shape = Shape(*self._native.known)

    def __call__(
        self, shared: np.ndarray, records: np.ndarray, control: np.ndarray, keep: bool
    ) -> int:
        """Steps from the node in records[0] on: how many were made.

        `control` gets the result. With `keep` the records of all steps stay, until there is no
        room; the node reached lies in the record after the last step, without in
        records[steps % 2].
        """
        return self.bound(shared, records, control, keep)()

    def bound(
        self, shared: np.ndarray, records: np.ndarray, control: np.ndarray, keep: bool
    ) -> Callable[[], int]:
        """A call on these arrays, to be made again and again; it keeps them alive."""
        scratch = np.zeros(self.shape.scratch)
        assert records.shape[1] == self.shape.record
        assert records.flags.c_contiguous
        most = len(records) - 1 if keep else 1 << 62
        arrays = (shared, records, scratch, control)
        pointers = [x.ctypes.data for x in arrays]

        def call(_kept: object = arrays) -> int:
            return self._native.call(*pointers, most, int(keep))

        return call


def control(
    tol: float, order: int, span: tuple[float, float], looks: int, pause: float = math.inf
) -> np.ndarray:
    """The numbers that steer a call, and its result; it ends early with the step after `pause`.

    The run goes over the time `span`, in each of `looks` parts of which it is looked at. Steps of
    fields that choose between ways, which may do so twice in one, are four of them at most.
    """
    allowed, never = _ALLOWED * max(tol, np.finfo(float).eps), -math.inf
    begin, end = span
    part = (end - begin) / looks if looks else math.inf
    steering = [end, step_factor(tol, order), allowed, pause, float(WELL), never]
    return np.array([*steering, 4.0 * part, part, begin, _APART * (end - begin), 0.0])


def _effort(text: str) -> Effort:
    if text.count("\n") > _LONG:
        return Effort(0, 0)
    # what passes make of loops over orders is not faster by more than a hundredth
    return Effort(1, 1) if WRITTEN_OUT in text else Effort(0, 1)


# -- functions of the motion ----------------------------------------------------------------------


class ObserverKernel:
    """The coefficients of functions of the motion, from records of it.

    `make` gives g(constants, moving), recorded, and how many numbers a run shares; it may raise
    `Unsupported`. `name` as for `Native`.
    """

    def __init__(
        self, make: Callable[[], tuple[Recorded, int]], shape: Shape, name: str | None = None
    ) -> None:
        def text() -> tuple[str, tuple[int, int, int]]:
            recorded, shared = make()
            jet = Jet(recorded, shape.size, shared, follow=False)
            code = jets(jet, shape.order)
            known = len(jet.watched), code.scratch, jet.choices
            return joined([code, observing_text(shape, len(jet.watched), code.scratch)]), known

        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        signature = (None, *[pointer] * 4, whole)
        name = name and f"taylor {shape.order} observed {name}"
        self._native = Native(text, *signature, name=name, effort=Effort(1, 1))
        self.shape = shape
        self.count, self._scratch, self.choices = self._native.known

    def __call__(self, shared: np.ndarray, records: np.ndarray) -> np.ndarray:
        """(records, order + 1, functions)."""
        records = np.ascontiguousarray(records)
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
    "Shape",
    "TaylorKernel",
    "control",
    "order_for",
]
