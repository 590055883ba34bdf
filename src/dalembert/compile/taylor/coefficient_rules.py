"""Rules for the Taylor coefficients of a motion, from the tape of x' = f(t, x).

Every value of the tape has coefficients in time. Those of order k follow from lower ones by a rule
for each operation. All functions are of the form c' = u a': sin, exp, atan and the others differ
only in u, and what u is made of is recorded after the other values. A branch (`where`, `abs`, a
pivot) is decided by the values at the start of a step; the stepping code has to check whether it
still holds at the end (`taylor_kernel`). `coefficient_emit` writes the rules as LLVM.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from ..ir.constant_folding import apply
from ..ir.derivative_rules import SLOPES
from ..ir.record import Recorded
from ..ir.tape import Branch, Loop, Scalar, Unsupported, Value, is_needed, known

_LINEAR = ("add", "sub", "neg", "select", "max", "min", "abs", "rem", "convert")
_STEPS = ("floor", "ceil", "round_even", "round_away", "sign")  # piecewise constant functions


_JUMPS = (*_STEPS, "max", "min", "abs", "rem", "locate")
# Functions that may be negligible at the start of a step and large before its end, depending on the
# change of their argument. All other such functions are made of quotients.
_SUDDEN = ("exp", "exp2", "expm1", "tan", "tanh", "sinh", "cosh", "pow")
BY_TIME, BY_STATE, BY_CONSTRAINT = 1, 2, 4  # what decides branches; a sum of flags
CHANGES = 4  # orders used to estimate such a change


class Chain(NamedTuple):
    """c' = u a' + ...: the differential equation of a function value c."""

    pairs: tuple[tuple[Scalar, Scalar], ...]  # (u, a)


class Jet:
    """A recorded field, with everything that its Taylor coefficients need.

    `recorded` is f(constants, moving); the moving arguments are the vector x and then the time. It
    returns x', or, with `follow=False` (x is known already), functions of x. The first constants,
    `shared`, are the same for a whole run. May raise `Unsupported`, with the reason.
    """

    def __init__(self, recorded: Recorded, size: int, shared: int, follow: bool = True) -> None:
        self.recorded, self.size, self.shared = recorded, size, shared
        self.tape = recorded.tape
        constants, moving = recorded.inputs
        assert len(moving) == size + 1
        self.x, self.t = moving[:-1], moving[-1]
        self.rates = recorded.outputs if follow else []
        self.watched = [] if follow else recorded.outputs
        self.chains: dict[int, Chain] = {}
        self.values: list[Value] = []
        self.moving: set[int] = set()
        # The rules of needed values may need further values: repeat until none is added.
        self.needed: set[int] = set()
        while self.needed != (needed := self.tape.needed(self._roots())):
            self.needed = needed
            self.moving = {v.number for v in moving}
            self.values = self._followed()
        # values that are constant between two entries of tables of the time
        self.pieces: set[int] = set()
        self.choices = self._chooses()
        self.sudden = self._sudden()
        self.degree = self._degree()

    def is_piece(self, x: Value) -> bool:
        """Whether a value is the position of the time in a table."""
        return x.op == "locate" and x.operands[-1] is self.t

    def breaks(self) -> list[Value]:
        """Return the positions of the time in tables; no step may pass the next entry of one."""
        items = self.tape.levels[-1].items
        result = (x for x in items if isinstance(x, Value) and x.number in self.needed)
        return [x for x in result if self.is_piece(x)]

    def _roots(self) -> list[Scalar]:
        chained = [x for c in self.chains.values() for pair in c.pairs for x in pair]
        return [*self.recorded.outputs, *chained, *self.x, self.t]

    def _followed(self) -> list[Value]:
        """Return the values with coefficients beyond order 0, in order."""
        result = []
        for item in list(self.tape.levels[-1].items):
            if not is_needed(item, self.needed):
                continue
            if isinstance(item, Loop):
                raise Unsupported("a loop whose length depends on the state")
            if isinstance(item, Branch):
                raise Unsupported("a branch of many operations that depends on the state")
            if item.dtype.kind == "f" and self._moves(item):
                self.moving.add(item.number)
                result.append(item)
        return result

    def _moves(self, v: Value) -> bool:
        """Whether a value changes with time; records what its rule needs."""
        op, xs = v.op, v.operands
        moving = [x for x in xs if not known(x) and x.number in self.moving]
        if op in _STEPS or not moving:
            return False
        if op in (*_LINEAR, "mul", "div", "sqrt"):
            if op == "rem" and not self.is_still(xs[1]):
                raise Unsupported("a remainder by a divisor that depends on the state")
            return True
        do = functools.partial(apply, self.tape)
        if op == "pow":
            a, e = xs
            if not self.is_still(e):  # a^e = exp(e log a)
                log = do("log", float, a)
                rate = do("div", float, e, a)
                pairs = ((do("mul", float, v, rate), a), (do("mul", float, v, log), e))
            else:
                pairs = ((do("div", float, do("mul", float, e, v), a), a),)
            self.chains[v.number] = Chain(pairs)
            return True
        if op == "atan2":
            y, x = xs
            square = do("add", float, do("mul", float, x, x), do("mul", float, y, y))
            there = do("div", float, x, square)
            back = do("neg", float, do("div", float, y, square))
            self.chains[v.number] = Chain(((there, y), (back, x)))
            return True
        if op not in SLOPES:
            raise Unsupported(
                f"the function '{op}', for whose Taylor coefficients there is no rule"
            )
        self.chains[v.number] = Chain(((SLOPES[op](self.tape, xs[0], v), xs[0]),))
        return True

    def is_still(self, x: Scalar) -> bool:
        """Whether all coefficients but that of order 0 are zero."""
        return known(x) or x.number not in self.moving

    def _chooses(self) -> int:
        """Return what decides branches or jumps: nothing (0), the time, or the state.

        A branch that avoids a zero pivot does not count.
        """
        decisive, depth = set[int](), len(self.tape.levels) - 1
        by_state = {x.number for x in self.x}
        for item in self.tape.levels[-1].items:
            if not isinstance(item, Value) or item.number not in self.needed:
                continue
            xs = [x for x in item.operands if not known(x)]
            # steps end at the next entry of a table of the time, so within a step nothing branches
            if self.is_piece(item) or (
                item.op != "locate"
                and all(x.depth < depth or x.number in self.pieces for x in xs)
                and any(x.depth == depth for x in xs)
            ):
                self.pieces.add(item.number)
                continue
            if any(x.number in by_state for x in xs):
                by_state.add(item.number)
            if item.op in _JUMPS:
                decisive |= {x.number for x in xs if x.number in self.moving}
            flags = {x.number for x in xs if x.dtype.kind == "b"} - self.pieces
            # the other side is NaN (a zero pivot): it is never meant to be taken
            is_nan = any(known(x) and not np.isfinite(x) for x in item.operands[1:])
            if not (item.op == "select" and is_nan):
                decisive |= flags
        return BY_STATE if decisive & by_state else BY_TIME if decisive else 0

    def _sudden(self) -> list[tuple[Scalar, bool]]:
        """Return values whose change in a step shows whether a force may be missed inside it.

        The flag says whether the relative change counts. Sums, products, sines and cosines are
        determined by their coefficients and need no such value. A quotient needs its denominator,
        a root or logarithm its operand (True): it must keep half of its size. An exponential needs
        its exponent (False): it must change by less than one half.
        """
        result: dict[tuple[int, bool], Scalar] = {}
        for v in self.values:
            is_quotient = v.op in ("div", "sqrt", "log", "log2")
            if is_quotient or v.op in _SUDDEN:
                xs = v.operands[-1:] if is_quotient else v.operands
                result |= {(x.number, is_quotient): x for x in xs if not self.is_still(x)}
        return [(x, relative) for (_, relative), x in result.items()]

    def _degree(self) -> int:
        """Return the highest degree of a polynomial in moving values.

        If it is above the order, the coefficients at the start of a step may miss a force, too.
        """
        degrees: dict[int, int] = {}
        for v in self.values:
            xs = [0 if self.is_still(x) else degrees.get(x.number, 1) for x in v.operands]
            if v.op in _LINEAR:
                degrees[v.number] = max(xs)
            elif v.op == "mul":
                degrees[v.number] = sum(xs)
        return max(degrees.values(), default=1)


__all__ = ["BY_CONSTRAINT", "BY_STATE", "BY_TIME", "CHANGES", "Chain", "Jet"]
