"""Find the branch conditions of a step that may be assumed, so that steps run without checks.

A step checks whether its numbers are finite, its residual is small, and whether a rare branch is
taken. On a GPU these checks cost more than the step, because each branch ends what can be computed
at the same time. But nearly all steps pass. Here the checks are assumed to pass, and what must hold
for that is collected from the tape: flags, numbers that must be finite, a quotient that must be
small. If a condition does not hold, the steps are made again, with checks; so the results are those
of checked steps, bit by bit (`speculative_emit`). One case is seen by checked steps only: a sum
that was infinite for a moment while none of its terms was.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..cpu.loop_emit import Places
from ..ir.constant_folding import is_nonnegative
from ..ir.record import Recorded
from ..ir.tape import Branch, Loop, Scalar, Value, is_needed, known

DOUBLE = np.dtype(float)
# Longer steps are not speculated: their code would be written, and compiled, twice.
_LARGEST = 2_000


class Quotient(NamedTuple):
    """A residual as top / bottom; only the largest is needed, so it is divided at the end."""

    top: Scalar
    bottom: Scalar
    bound: float  # above it, the step has failed


class Assumptions(NamedTuple):
    """What is assumed of a step, and the conditions to check for that."""

    assumed: dict[int, bool]  # assumed flags, by their numbers
    flags: list[Value]  # the assumed flags that must be checked
    finite: list[Value]  # values that must be finite after every step
    # state entries that, once not finite, remain so: they are checked at the end of the block only
    lasting: list[int]
    quotient: Quotient | None
    counts: bool  # whether the count of successful steps follows from the number of steps
    result: Scalar  # result code of the step, taken from the step before
    needed: set[int]


class _Search:
    """Collects the conditions under which a failure code is zero."""

    def __init__(self, before: Value, outputs: list[Scalar]) -> None:
        self.zeros = {before.number}
        self.outputs = {x.number for x in outputs if not known(x)}
        self.assumed: dict[int, bool] = {}
        self.flags: list[Value] = []
        self.finite: dict[int, Value] = {}
        # quotients that must be small, with their bounds
        self.bounds: dict[int, tuple[Value, float]] = {}
        self.possible = True
        # whether the condition comes from the result code, where a bound is that of the residual
        self.of_result = True

    def truth(self, x: Scalar) -> bool | None:
        """Return the value of a flag if it is known or assumed, else None."""
        if known(x):
            return bool(x)
        if x.number in self.assumed:
            return self.assumed[x.number]
        if x.op == "not":
            of = self.truth(x.operands[0])
            return None if of is None else not of
        if x.op == "eq" and self.is_zero(x.operands[0]) and is_known_zero(x.operands[1]):
            return True
        return None

    def is_zero(self, x: Scalar) -> bool:
        return is_known_zero(x) or (not known(x) and x.number in self.zeros)

    def zero(self, x: Scalar) -> None:
        """Assume that a failure code is zero."""
        if self.is_zero(x):
            return
        if known(x):
            self.possible = False
            return
        self.zeros.add(x.number)
        if x.op == "select":
            which, *cases = x.operands
            side = self.truth(which)
            if side is None:
                able = [i for i, y in enumerate(cases) if not known(y) or is_known_zero(y)]
                side = bool(able[0]) if len(able) == 1 else None
            if side is not None:
                self.zero(cases[side])
                self.let(which, side)
                return
        if x.op == "result" and isinstance(x.detail[0], Branch):
            item, i = x.detail
            side = self.truth(item.which)
            side = _easy_way(item) if side is None else side
            if side is not None and not item.ways[side].items:
                self.let(item.which, side)
                self.zero(item.outs[side][i])
                return
        self.possible = False  # the code is computed in some other manner

    def let(self, x: Scalar, truth: bool) -> None:
        """Assume that a flag has this value."""
        given = self.truth(x)
        if given is not None:
            self.possible = self.possible and given == truth
            return
        self.assumed[x.number] = truth
        if x.op in ("input", "result"):  # computed outside of this block: cannot be checked here
            self.possible = False
        elif x.op == "not":
            self.let(x.operands[0], not truth)
        elif (x.op, truth) in (("and", True), ("or", False)):
            for y in x.operands:
                self.let(y, truth)
        elif x.op in ("and", "or") and sum(self.truth(y) is (not truth) for y in x.operands) == 1:
            for y in x.operands:  # the operand that is still open decides
                if self.truth(y) is not (not truth):
                    self.let(y, truth)
        elif x.op == "is_finite" and truth:
            self.let_be_finite(x.operands[0])
        elif self.of_result and truth and _is_bound(x):
            divided, bound = x.operands
            _, least = self.bounds.get(divided.number, (divided, np.inf))
            self.bounds[divided.number] = divided, min(float(bound), least)
        else:
            self.flags.append(x)

    def usual(self, item: Value | Loop | Branch) -> None:
        """Assume the common outcome of a branch or selection: nothing to compute, and no NaN."""
        if isinstance(item, Branch):
            which, side = item.which, _easy_way(item)
        elif isinstance(item, Value) and item.op == "select":
            which, side = item.operands[0], _usual_case(*item.operands)
        else:
            return
        if side is None or known(which) or which.op in ("input", "result"):
            return
        if self.truth(which) is None:
            self.let(which, side)

    def quotient(self, largest: Scalar, before: Value) -> Quotient | None:
        """Return the residual as a quotient, if it has a bound and only its maximum is stored."""
        if known(largest) or largest.op != "max" or len(self.bounds) != 1:
            return None
        ((number, (divided, bound)),) = self.bounds.items()
        if not is_nonnegative(divided.operands[0]):
            return None
        if {x.number for x in largest.operands if not known(x)} != {number, before.number}:
            return None
        self.finite.pop(number, None)
        top, bottom = divided.operands
        return Quotient(top, bottom, bound)

    def let_be_finite(self, x: Scalar) -> None:
        """Require that x is finite: a sum is, if its terms are finite and small enough."""
        waiting = [x]
        while waiting:
            y = waiting.pop()
            if known(y):
                self.possible = self.possible and bool(np.isfinite(y))
            elif y.number in self.outputs:
                self.finite[y.number] = y
            elif y.op in ("add", "sub"):
                waiting += y.operands
            elif y.op in ("abs", "neg"):
                waiting.append(y.operands[0])
            else:
                self.finite[y.number] = y


def is_known_zero(x: Scalar) -> bool:
    """Whether a scalar is a zero known while recording."""
    return known(x) and bool(x == 0)


def _is_bound(x: Value) -> bool:
    """Whether a flag says that a quotient is at most a known number."""
    if x.op != "le" or known(x.operands[0]) or not known(x.operands[1]):
        return False
    return x.operands[0].op == "div" and x.operands[0].dtype == DOUBLE


def _usual_case(which: Scalar, no: Scalar, yes: Scalar) -> bool | None:
    """Return the common case of a selection, or None if there is none.

    It is the case that is not NaN if the other one is. For `y if y > 0 else constant` with y >= 0,
    it is y.
    """
    bad = [known(x) and x.dtype == DOUBLE and bool(np.isnan(x)) for x in (no, yes)]
    if bad[0] != bad[1]:
        return bad[0]
    if known(which) or which.op != "gt" or which.operands[0] is not yes:
        return None
    is_floor = is_known_zero(which.operands[1]) and known(no) and is_nonnegative(yes)
    return True if is_floor else None


def _easy_way(item: Branch) -> bool | None:
    """Return the empty side of a branch, if exactly one side is empty."""
    empty = [not side.items for side in item.ways]
    return bool(empty[1]) if empty[0] != empty[1] else None


def assumptions_of(recorded: Recorded, places: Places) -> Assumptions | None:
    """Return what nearly all steps do; None if nothing is gained, or the step is too long."""
    tape, state, outputs = recorded.tape, recorded.inputs[-1], recorded.outputs
    _, result, residual, good, wanted = places
    search = _Search(state[result], outputs)
    if known(outputs[result]):
        return None
    # assume success, and collect what that requires
    search.zero(outputs[result])
    quotient = search.quotient(outputs[residual], state[residual])
    if search.bounds and quotient is None:
        return None
    counts = good in wanted and _counts(outputs[good], state[good], outputs[result])
    apart = {result, *([residual] if quotient else []), *([good] if counts else [])}
    roots = [outputs[i] for i in wanted if i not in apart]
    roots += quotient[:2] if quotient else []

    def items() -> list[Value | Loop | Branch]:
        asked = [y for x in search.flags for y in x.operands]
        needed.update(_needed([*roots, *asked, *search.finite.values()], search, outputs[result]))
        return [x for x in tape.levels[-1].items if is_needed(x, needed)]

    needed: set[int] = set()
    # Assume the common outcome of all remaining branches as well. This changes what is needed, so
    # the items are listed again afterwards.
    search.of_result = False
    for item in items():
        search.usual(item)
    needed.clear()
    written = items()
    is_long = len(written) > _LARGEST or any(_has_loop(x, search, needed) for x in written)
    if not search.possible or is_long or any(n in needed for n in search.bounds):
        return None
    lasting = [i for i in wanted if _lasts(outputs[i], state[i], search)]
    # entries checked at the end of the block need no check after every step
    seen = {outputs[i].number for i in lasting}
    finite = [x for x in search.finite.values() if x.number not in seen]
    rest = (quotient, counts, outputs[result], needed)
    return Assumptions(search.assumed, search.flags, finite, lasting, *rest)


def _has_loop(item: Value | Loop | Branch, found: _Search, needed: set[int]) -> bool:
    if not isinstance(item, Branch):
        return isinstance(item, Loop)
    side = found.truth(item.which)
    sides = item.ways if side is None else [item.ways[side]]
    return any(is_needed(x, needed) and _has_loop(x, found, needed) for w in sides for x in w.items)


def _counts(x: Scalar, before: Value, result: Scalar) -> bool:
    """Whether x is `before`, plus one if the result is zero."""
    if known(x) or x.op != "add" or not any(y is before for y in x.operands):
        return False
    (one,) = [y for y in x.operands if y is not before] or [None]
    if one is None or known(one) or one.op != "convert" or one.operands[0].op != "eq":
        return False
    a, b = one.operands[0].operands
    return a is result and is_known_zero(b)


def _lasts(x: Scalar, before: Value, found: _Search) -> bool:
    """Whether x is a sum with its previous value as a term: once infinite, it stays so."""
    if known(x) or x.number not in found.finite:
        return False
    waiting = [x]
    while waiting:
        y = waiting.pop()
        if y is before:
            return True
        if known(y):
            continue
        if y.op in ("add", "sub"):
            waiting += y.operands
        elif y.detail is not None and isinstance(y.detail[0], Branch):
            item, i = y.detail
            side = found.truth(item.which)
            waiting += [] if side is None else [item.outs[side][i]]
    return False


def _needed(roots: list[Scalar], found: _Search, result: Scalar) -> set[int]:
    """Return the needed numbers as `Tape.needed` does, but without what is assumed."""
    numbers: set[int] = set()
    waiting = [x for x in roots if not known(x)]
    while waiting:
        x = waiting.pop()
        if x.number in numbers or x.number in found.assumed or x is result:
            continue
        numbers.add(x.number)
        more = list(x.operands)
        if x.detail is not None and isinstance(x.detail[0], Branch):
            item, i = x.detail
            side = found.truth(item.which)
            if side is None:
                more += [item.which, *(outs[i] for outs in item.outs)]
            else:
                more.append(item.outs[side][i])
                if not known(item.which):  # the emitter looks there for the side of the branch
                    found.assumed[item.which.number] = side
        elif x.detail is not None:
            item, i = x.detail
            more += [item.goes_on, item.next[i], item.start[i], item.results[i], item.inputs[i]]
        waiting += [y for y in more if not known(y)]
    return numbers
