"""Emit LLVM for speculative steps: up to 64 without checks, one check, and again if it fails."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..cpu.emit import Emitter
from ..cpu.loop_emit import Places
from ..ir.constant_folding import is_nonnegative
from ..ir.record import Recorded
from ..ir.tape import Branch, Scalar, Tape, Value, known
from .speculation import DOUBLE, Assumptions, assumptions_of, is_known_zero

# Steps per block. A block begins by saving the state, and is lost as a whole if one check fails.
_BLOCK = 64
_MOST_CAUTION = 1024  # largest number of extra checked steps after blocks were lost
# Biased exponents between which quotients and products neither overflow nor underflow.
_LEAST, _MOST = 1023 - 400, 1023 + 400
# For the upper 32 bits of a double: the mask of all but the sign, and the value from which on a sum
# may be infinite.
_SIZE, _HUGE = 0x7FFFFFFF, (2047 - 10) << 20
_SLACK = 4  # error, in units of the upper half, of a quotient that is known to twenty bits
_UPPER_HALF = "{ .reg .b32 low; mov.b64 {low, $0}, $1; }"


class CheckedEmitter(Emitter):
    """Emits the checked steps that run beside speculative ones, so that both give the same numbers.

    Both compute quotients by the same operations, if possible. Sizes of numbers are checked by
    their upper halves, as integers: a GPU has few units of double precision, and integer units do
    not occupy them.
    """

    def __init__(self, vector_calls: dict[str, tuple[str, int]], prefix: str, letter: str) -> None:
        super().__init__(1, vector_calls, prefix, letter)
        # results of checks, valid within one block
        self._known: dict[tuple[str, str, str], str] = {}

    def upper_half(self, x: str) -> str:
        """Return the upper 32 bits of a double, which have the exponent."""
        if self.prefix:  # a register name in PTX; LLVM would shift all 64 bits
            return self.new(f'call i32 asm "{_UPPER_HALF}", "=r,d"(double {x})')
        bits = self.new(f"bitcast double {x} to i64")
        return self.new(f"trunc i64 {self.new(f'lshr i64 {bits}, 32')} to i32")

    def size(self, x: str) -> str:
        """Return the upper half without the sign: ordered by absolute value, NaN above all."""
        key = ("size", x, self.label)
        if key not in self._known:
            self._known[key] = self.new(f"and i32 {self.upper_half(x)}, {_SIZE}")
        return self._known[key]

    def is_finite(self, x: str) -> str:
        return self.new(f"icmp ult i32 {self.size(x)}, {_HUGE}")

    def is_ordinary(self, x: str) -> str:
        """Whether a number is neither close to zero nor to overflow."""
        key = ("ordinary", x, self.label)
        if key not in self._known:
            above = self.new(f"sub i32 {self.size(x)}, {_LEAST << 20}")
            self._known[key] = self.new(f"icmp ult i32 {above}, {(_MOST - _LEAST) << 20}")
        return self._known[key]

    def about_one_over(self, x: str) -> str:
        """Return 1 / x with a relative error of about 2^-20."""
        if not self.prefix:
            return self.new(f"fdiv double {self.constant(np.float64(1))}, {x}")
        name = "llvm.nvvm.rcp.approx.ftz.d"
        self.declared[name] = f"declare double @{name}(double)"
        return self.new(f"call double @{name}(double {x})")

    def short_quotient(self, a: str, b: str) -> tuple[str, str]:
        """Return a / b to half a unit in the last place, and whether that holds.

        It holds for ordinary numbers. It is what a GPU does itself, but with one Newton iteration
        less and without the slow branch, for which all other threads would wait.
        """
        minus, x = self.new(f"fneg double {b}"), self.about_one_over(b)
        off = self.fma(minus, x, self.constant(np.float64(1)))
        x = self.fma(x, self.fma(off, off, off), x)
        near = self.new(f"fmul double {a}, {x}")
        result = self.fma(x, self.fma(minus, near, a), near)
        small = self.new(f"icmp ult i32 {self.size(a)}, {_MOST << 20}")
        fits = self.new(f"and i1 {small}, {self.is_ordinary(b)}")
        # copysign: the sums lose the sign of zero
        return self.intrinsic("copysign", result, near), fits

    def fma(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", a, b, c)

    def quotient_on_gpu(self, a: str, b: str) -> str:
        result, fits = self.short_quotient(a, b)
        return self.selected(fits, DOUBLE, result, super().quotient_on_gpu(a, b))


class SpeculativeEmitter(CheckedEmitter):
    """Emits steps in which all assumptions are taken as true, and collects the conditions to check.

    A value close to a bound fails the check.
    """

    def __init__(self, e: CheckedEmitter, assumptions: Assumptions) -> None:
        super().__init__(e.vector_calls, e.prefix, letter="h")
        self.lines, self.declared, self.label, self.once = e.lines, e.declared, e.label, e.once
        self.assumptions, self.ok = assumptions, "true"
        self.worst = ""  # upper half of the largest residual
        self._apart = 0  # nesting depth of branches that not all steps take; no checks there

    def step(self, tape: Tape) -> None:
        """Emit one step from the names of the state, and its checks."""
        assumptions = self.assumptions
        for number, truth in assumptions.assumed.items():
            self.names[number] = "true" if truth else "false"
        self.block(tape.levels[-1], assumptions.needed)
        for x in assumptions.flags:
            self.must(self.asked(x, assumptions.assumed[x.number]))
        for x in assumptions.finite:
            self.must(self.is_finite(self.read(x)))

    def judge(self, top: str, bottom: str) -> None:
        """Update the largest residual by top / bottom."""
        self.must(self.is_ordinary(bottom))
        result = self.new(f"fmul double {top}, {self.about_one_over(bottom)}")
        self.declared["umax"] = "declare i32 @llvm.umax.i32(i32, i32)"
        half = self.size(result)  # the half of a NaN is larger than all others
        self.worst = self.new(f"call i32 @llvm.umax.i32(i32 {self.worst}, i32 {half})")

    def asked(self, x: Value, truth: bool) -> str:
        """Return whether a flag has its assumed value."""
        a = x.operands[0]
        if x.op in ("eq", "gt", "le") and a.dtype == DOUBLE:
            b = x.operands[1]
            positive = (x.op, truth) == ("gt", True) and is_nonnegative(a)
            if is_known_zero(b) and (positive or (x.op, truth) == ("eq", False)):
                return self.is_ordinary(self.read(a))
            if (x.op, truth) == ("le", True) and is_nonnegative(a) and is_nonnegative(b):
                return self.is_below(a, b)
        flag = self.operation(x)
        return flag if truth else self.opposite(flag)

    def is_below(self, a: Scalar, b: Scalar) -> str:
        """Return whether a < b, of nonnegative numbers; for b = 2^-p c, whether a 2^p < c."""
        power = 0
        if not known(b) and b.op == "mul" and _exponent(b.operands[0]) < 0:
            power, b = -_exponent(b.operands[0]), b.operands[1]
        small, large = (self.size(self.read(_without_sign(x))) for x in (a, b))
        self.must(self.is_finite(self.read(b)))
        return self.new(f"icmp ult i32 {self.new(f'add i32 {small}, {power << 20}')}, {large}")

    def must(self, flag: str) -> None:
        self.ok = flag if self.ok == "true" else self.new(f"and i1 {self.ok}, {flag}")

    # -- operations --------------------------------------------------------------------------

    def operation(self, value: Value) -> str:
        if value.op == "abs" and value.dtype == DOUBLE and self.prefix:
            # as assembly, opaque to LLVM, so that LLVM does not move products past it: they stay
            # fused with sums
            x = self.read(value.operands[0])
            return self.new(f'call double asm "abs.f64 $0, $1;", "=d,d"(double {x})')
        return super().operation(value)

    def branch(self, item: Branch, needed: set[int]) -> None:
        side = None if known(item.which) else self.assumptions.assumed.get(item.which.number)
        if side is None:
            self._apart += 1
            super().branch(item, needed)
            self._apart -= 1
            return
        self.block(item.ways[side], needed)
        for x, y in zip(item.results, item.outs[side]):
            if x.number in needed:
                self.names[x.number] = self.read(y)

    def quotient_on_gpu(self, a: str, b: str) -> str:
        if self._apart:
            return super().quotient_on_gpu(a, b)
        result, fits = self.short_quotient(a, b)
        self.must(fits)
        return result


def _without_sign(x: Scalar) -> Scalar:
    """Return a value with the same absolute value: x for |x|."""
    return x.operands[0] if not known(x) and x.op == "abs" else x


def _exponent(x: Scalar) -> int:
    """Return e if x is known to be 2^e, else 0."""
    if not known(x) or x.dtype != DOUBLE:
        return 0
    half, exponent = math.frexp(x)
    return exponent - 1 if half == 0.5 else 0


# -- the loop -------------------------------------------------------------------------------------


class Blocks:
    """The outer loop of a member, around the loop that makes checked steps.

    From `rest` it goes to a speculative block (`blind`) if the next row is far enough, else to
    `checked`, where the other loop makes checked steps up to %careful and comes back. A block that
    fails its check is lost: its steps are made again with checks, and if that happens repeatedly,
    more steps after it are checked, too.
    """

    def __init__(
        self,
        e: CheckedEmitter,
        recorded: Recorded,
        places: Places,
        assumptions: Assumptions,
        address: Callable[[int], str],
    ) -> None:
        self.e, self.h = e, SpeculativeEmitter(e, assumptions)
        self.tape, self.state, self.outputs = recorded.tape, recorded.inputs[-1], recorded.outputs
        self.at, self.assumptions, self.address = places, assumptions, address
        self.saved = [i for i in places.wanted if i != places.result]
        self._first = ""  # upper half of the residual at the start of a block

    def write(self, enter: dict[str, str]) -> dict[str, str]:
        """Emit the outer loop; return the values with which the checked loop begins.

        `enter` are the values with which the outer loop begins.
        """
        e, before = self.e, self.e.label
        e.say("br label %rest")
        e.start_block("rest")
        top = len(e.lines)
        below = e.new("icmp slt i64 %r.k, %last")
        room = e.new("icmp slt i64 %r.count, %capacity")
        e.say(f"br i1 {e.new(f'and i1 {below}, {room}')}, label %choose, label %left")
        many = self._choose()
        checked = self._check(many, self._speculate(many))
        lost, wary, caution = self._lost()
        # `rest` is reached from the start, from the checked loop, and from a good or a lost block
        sides = (before, "head", "check", "lost")
        lines = []
        for name, x in enter.items():
            own = f"%r.{name}"
            result = (x, f"%{name}", checked.get(name, own), lost.get(name, own))
            lines.append(_phi(own, self._kind(name), result, sides))
        lines.append(_phi("%wary", "i64", ("%k0", "%wary", "%wary", wary), sides))
        less = "%caution.less"
        lines.append(_phi("%caution", "i64", ("0", "%caution", less, caution), sides))
        e.lines[top:top] = lines
        e.start_block("checked")
        return {name: f"%r.{name}" for name in enter}

    def _kind(self, name: str) -> str:
        return self.e.type(self.state[int(name[1:])].dtype) if name[0] == "s" else "i64"

    def _choose(self) -> str:
        """Emit the choice of the number of steps of the next block, and return it."""
        e = self.e
        e.start_block("choose")
        # the step that writes a row is checked
        free = e.new(f"sub i64 {e.new('sub i64 %r.next, %r.k')}, 1")
        short = e.new(f"icmp slt i64 {free}, {_BLOCK}")
        many = e.new(f"select i1 {short}, i64 {free}, i64 {_BLOCK}")
        calm = e.new("icmp sge i64 %r.k, %wary")
        e.say(f"%careful = select i1 {calm}, i64 %r.next, i64 %wary")
        some = e.new(f"icmp sgt i64 {many}, 0")
        e.say(f"br i1 {e.new(f'and i1 {calm}, {some}')}, label %save, label %checked")
        return many

    def _speculate(self, many: str) -> dict[str, str]:
        """Emit the steps of a block, and return what they end with."""
        e, h, at, assumptions = self.e, self.h, self.at, self.assumptions
        h.start_block("save")  # volatile: the saved state must not occupy registers
        for i in self.saved:
            name = self.address(i)
            e.stored(f"%r.s{i}", self.state[i].dtype, name, how="store volatile")
        loop = {"left": ("i32", h.new(f"trunc i64 {many} to i32")), "ok": ("i1", "true")}
        if assumptions.quotient is not None:
            self._first = h.upper_half(f"%r.s{at.residual}")
            loop["worst"] = "i32", self._first
            # the residual of the step before is judged beside the next step, so that nothing waits
            # for it
            none, one = (h.constant(np.float64(x)) for x in (0, 1))
            loop |= {"top": ("double", none), "bottom": ("double", one)}
        if self.state[at.k].number in assumptions.needed:
            loop["k"] = "i64", "%r.k"
        apart = ([at.residual] if assumptions.quotient else []) + (
            [at.good] if assumptions.counts else []
        )
        moving = [i for i in self.saved if i not in apart]
        loop |= {f"s{i}": (self._kind(f"s{i}"), f"%r.s{i}") for i in moving}
        e.say("br label %blind")

        h.start_block("blind")
        top = len(e.lines)
        # the result code is that of the block's start: a block in which a new failure occurs is
        # lost
        h.ok, h.worst, h.names = "%h.ok", "%h.worst", dict(e.names)
        h.names |= {self.state[i].number: f"%h.s{i}" for i in moving}
        h.names |= {self.state[at.k].number: "%h.k"}
        h.names |= {
            x.number: f"%r.s{at.result}" for x in (self.state[at.result], assumptions.result)
        }
        if assumptions.quotient is not None:
            h.judge("%h.top", "%h.bottom")
        h.step(self.tape)
        now = {f"s{i}": h.read(self.outputs[i]) for i in moving}
        if assumptions.quotient is not None:
            over, under, _ = assumptions.quotient
            now |= {"top": h.read(_without_sign(over)), "bottom": h.read(under)}
        now |= {"ok": h.ok, "worst": h.worst, "left": h.new("sub i32 %h.left, 1")}
        if "k" in loop:
            now["k"] = h.new("add i64 %h.k, 1")
        e.lines[top:top] = [
            _phi(f"%h.{name}", kind, (x, now[name]), ("save", h.label))
            for name, (kind, x) in loop.items()
        ]
        more = h.new(f"icmp ne i32 {now['left']}, 0")
        h.say(f"br i1 {more}, label %blind, label %check")
        return now

    def _check(self, many: str, now: dict[str, str]) -> dict[str, str]:
        """Emit the check of all assumptions after a block, and return the state then."""
        h, at, assumptions = self.h, self.at, self.assumptions
        h.start_block("check")
        for i in assumptions.lasting:
            h.must(h.is_finite(now[f"s{i}"]))
        # known by its upper half only: the residual is at most `largest`
        if assumptions.quotient is not None:
            h.judge(now.pop("top"), now.pop("bottom"))
            h.must(h.new(f"icmp ult i32 {h.worst}, {_HUGE}"))
            above = h.new(f"zext i32 {h.new(f'add i32 {h.worst}, {_SLACK}')} to i64")
            largest = h.new(f"bitcast i64 {h.new(f'shl i64 {above}, 32')} to double")
            bound = h.constant(np.float64(assumptions.quotient.bound))
            h.must(h.compared("le", DOUBLE, largest, bound))
            same = h.new(f"icmp eq i32 {h.worst}, {self._first}")
            now[f"s{at.residual}"] = h.selected(same, DOUBLE, f"%r.s{at.residual}", largest)
        codes = self.state[at.result].dtype
        # members that have failed already continue; their numbers do not matter
        failed = h.compared("ne", codes, f"%r.s{at.result}", h.zero(codes))
        if assumptions.counts:
            gone = h.new(f"select i1 {failed}, i64 0, i64 {many}")
            gone = h.new(f"sitofp i64 {gone} to double")
            now[f"s{at.good}"] = h.new(f"fadd double %r.s{at.good}, {gone}")
        h.say(f"%passed = add i64 %r.k, {many}")
        h.say("%caution.less = lshr i64 %caution, 1")
        fine = h.new(f"or i1 {h.ok}, {failed}")
        h.say(f"br i1 {fine}, label %rest, label %lost")
        return now | {"k": "%passed"}

    def _lost(self) -> tuple[dict[str, str], str, str]:
        """Emit the return to the state before the block.

        Returns the saved state, the step up to which steps are checked, and the number of checked
        steps to add if the next block is lost, too: twice as many plus one block, at most
        `_MOST_CAUTION`.
        """
        e = self.e
        e.start_block("lost")
        result = {
            f"s{i}": e.loaded(self.address(i), self.state[i].dtype, how="load volatile")
            for i in self.saved
        }
        wary = e.new("add i64 %passed, %caution")
        # each loss doubles the caution, and each good block halves it
        grown = e.new(f"add i64 {e.new('shl i64 %caution, 1')}, {_BLOCK}")
        large = e.new(f"icmp sgt i64 {grown}, {_MOST_CAUTION}")
        grown = e.new(f"select i1 {large}, i64 {_MOST_CAUTION}, i64 {grown}")
        e.say("br label %rest")
        return result, wary, grown


def _phi(name: str, kind: str, values: tuple[str, ...], labels: tuple[str, ...]) -> str:
    sides = ", ".join(f"[ {x}, %{y} ]" for x, y in zip(values, labels))
    return f"  {name} = phi {kind} {sides}"


class SpeculativeSteps:
    """Speculative steps for `loop_emit.stepping`: its emitter, and the code before its loop."""

    def __init__(self, recorded: Recorded, at: Places, assumptions: Assumptions) -> None:
        self._recorded, self._at, self._assumed = recorded, at, assumptions
        self.operations = len(assumptions.needed)

    def emitter(self, vector_calls: dict[str, tuple[str, int]], prefix: str) -> CheckedEmitter:
        e, r = CheckedEmitter(vector_calls, prefix, "t"), self._recorded
        e.once = r.tape.products_used_once(r.needed(), r.outputs)
        return e

    def write(
        self, e: Emitter, enter: dict[str, str], place: Callable[[int], str]
    ) -> dict[str, str]:
        """Emit blocks that begin with `enter`, and return what the checked loop begins with."""
        assert isinstance(e, CheckedEmitter)
        return Blocks(e, self._recorded, self._at, self._assumed, place).write(enter)


def speculation(recorded: Recorded, at: Places) -> SpeculativeSteps | None:
    """Return how steps are made speculatively; None if nothing can be assumed of them."""
    assumptions = assumptions_of(recorded, at)
    return None if assumptions is None else SpeculativeSteps(recorded, at, assumptions)
