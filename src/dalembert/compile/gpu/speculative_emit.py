"""Emit LLVM for speculative steps: up to 64 without checks, one check, and again if it fails."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..cpu.emit import Emitter
from ..cpu.loop_emit import Places
from ..ir.constant_folding import is_nonnegative
from ..ir.record import Recorded
from ..ir.tape import Branch, Lane, Tape, Value, known
from .speculation import DOUBLE, Hope, hope_of, is_known_zero

# Steps of a block: it is begun by saving the state, and lost by one doubt.
_BLOCK = 64
_MOST_CAUTION = 1024  # steps with care where blocks were in vain
# Exponents of numbers whose quotients and products are ordinary numbers.
_LEAST, _MOST = 1023 - 400, 1023 + 400
# Of the upper half of a number: what is not its sign, and from where on a sum may be infinite.
_SIZE, _HUGE = 0x7FFFFFFF, (2047 - 10) << 20
_SLACK = 4  # units of an upper half by which a quotient that is known to twenty bits may be off
_UPPER_HALF = "{ .reg .b32 low; mov.b64 {low, $0}, $1; }"


class Careful(Emitter):
    """Writes steps that others are made beside in hope: so that the same numbers come out.

    Quotients are made in the same way by both, where that can be. Numbers are looked at by their
    upper halves, as whole numbers: a GPU has few units of double precision, and they have nothing
    to do with it.
    """

    def __init__(self, vector_calls: dict[str, tuple[str, int]], prefix: str, letter: str) -> None:
        super().__init__(1, vector_calls, prefix, letter)
        self._known: dict[tuple[str, str, str], str] = {}  # in a block, by what is asked

    def upper_half(self, x: str) -> str:
        """The half with the exponent."""
        if self.prefix:  # the name of a register, of which LLVM would make shifts of all bits
            return self.new(f'call i32 asm "{_UPPER_HALF}", "=r,d"(double {x})')
        bits = self.new(f"bitcast double {x} to i64")
        return self.new(f"trunc i64 {self.new(f'lshr i64 {bits}, 32')} to i32")

    def size(self, x: str) -> str:
        """The upper half without the sign: in the order of absolute values, NaN above all."""
        key = ("size", x, self.label)
        if key not in self._known:
            self._known[key] = self.new(f"and i32 {self.upper_half(x)}, {_SIZE}")
        return self._known[key]

    def is_finite(self, x: str) -> str:
        return self.new(f"icmp ult i32 {self.size(x)}, {_HUGE}")

    def is_ordinary(self, x: str) -> str:
        """Whether a number is neither close to zero nor to the largest ones."""
        key = ("ordinary", x, self.label)
        if key not in self._known:
            above = self.new(f"sub i32 {self.size(x)}, {_LEAST << 20}")
            self._known[key] = self.new(f"icmp ult i32 {above}, {(_MOST - _LEAST) << 20}")
        return self._known[key]

    def about_one_over(self, x: str) -> str:
        """Some twenty bits of 1 / x."""
        if not self.prefix:
            return self.new(f"fdiv double {self.constant(np.float64(1))}, {x}")
        name = "llvm.nvvm.rcp.approx.ftz.d"
        self.declared[name] = f"declare double @{name}(double)"
        return self.new(f"call double @{name}(double {x})")

    def short_quotient(self, a: str, b: str) -> tuple[str, str]:
        """a / b to half a unit of the last digit, and whether it is: of ordinary numbers.

        It is what a GPU does itself but for one turn of Newton's method, and without the slow way,
        for which all else would wait.
        """
        minus, x = self.new(f"fneg double {b}"), self.about_one_over(b)
        off = self.fma(minus, x, self.constant(np.float64(1)))
        x = self.fma(x, self.fma(off, off, off), x)
        near = self.new(f"fmul double {a}, {x}")
        found = self.fma(x, self.fma(minus, near, a), near)
        small = self.new(f"icmp ult i32 {self.size(a)}, {_MOST << 20}")
        fits = self.new(f"and i1 {small}, {self.is_ordinary(b)}")
        return self.intrinsic("copysign", found, near), fits  # of zero: sums have lost it

    def fma(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", a, b, c)

    def quotient_on_gpu(self, a: str, b: str) -> str:
        found, fits = self.short_quotient(a, b)
        return self.selected(fits, DOUBLE, found, super().quotient_on_gpu(a, b))


class Hopeful(Careful):
    """Writes steps of which all that is hoped for is taken as given, and collects the doubts.

    Close to a bound there is a doubt.
    """

    def __init__(self, e: Careful, hope: Hope) -> None:
        super().__init__(e.vector_calls, e.prefix, letter="h")
        self.lines, self.declared, self.label, self.once = e.lines, e.declared, e.label, e.once
        self.hope, self.ok = hope, "true"
        self.worst = ""  # the upper half of the largest residual
        self._apart = 0  # depth of ways that are not taken by all: nothing is asked there

    def step(self, tape: Tape) -> None:
        """One step, from names of the state, and what is asked of it."""
        hope = self.hope
        for number, truth in hope.assumed.items():
            self.names[number] = "true" if truth else "false"
        self.block(tape.levels[-1], hope.needed)
        for x in hope.flags:
            self.must(self.asked(x, hope.assumed[x.number]))
        for x in hope.finite:
            self.must(self.is_finite(self.read(x)))

    def judge(self, top: str, bottom: str) -> None:
        """Let a residual, as a quotient, be the worst if it is."""
        self.must(self.is_ordinary(bottom))
        found = self.new(f"fmul double {top}, {self.about_one_over(bottom)}")
        self.declared["umax"] = "declare i32 @llvm.umax.i32(i32, i32)"
        half = self.size(found)  # that of a NaN is larger than all
        self.worst = self.new(f"call i32 @llvm.umax.i32(i32 {self.worst}, i32 {half})")

    def asked(self, x: Value, truth: bool) -> str:
        """Whether a flag is what it is assumed to be."""
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

    def is_below(self, a: Lane, b: Lane) -> str:
        """Whether a < b of numbers that are not negative; where a 2^p < c, with b = 2^-p c."""
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
            # of which LLVM does not know that products may be made first: with sums they are one
            x = self.read(value.operands[0])
            return self.new(f'call double asm "abs.f64 $0, $1;", "=d,d"(double {x})')
        return super().operation(value)

    def branch(self, item: Branch, needed: set[int]) -> None:
        way = None if known(item.which) else self.hope.assumed.get(item.which.number)
        if way is None:
            self._apart += 1
            super().branch(item, needed)
            self._apart -= 1
            return
        self.block(item.ways[way], needed)
        for x, y in zip(item.results, item.outs[way]):
            if x.number in needed:
                self.names[x.number] = self.read(y)

    def quotient_on_gpu(self, a: str, b: str) -> str:
        if self._apart:
            return super().quotient_on_gpu(a, b)
        found, fits = self.short_quotient(a, b)
        self.must(fits)
        return found


def _without_sign(x: Lane) -> Lane:
    """What has the same size."""
    return x.operands[0] if not known(x) and x.op == "abs" else x


def _exponent(x: Lane) -> int:
    """e where x is known as 2^e, else 0."""
    if not known(x) or x.dtype != DOUBLE:
        return 0
    half, exponent = math.frexp(x)
    return exponent - 1 if half == 0.5 else 0


# -- the loop -------------------------------------------------------------------------------------


class Blocks:
    """The outer loop of a member, around the one that makes steps with care.

    From `rest` it goes to a block of hope where the next row is far enough, else to `care`, where
    the other loop makes the steps up to %careful, and comes back. A block that is in doubt is lost:
    its steps are made with care, and, if that happens again and again, more steps behind it.
    """

    def __init__(
        self,
        e: Careful,
        recorded: Recorded,
        places: Places,
        hope: Hope,
        address: Callable[[int], str],
    ) -> None:
        self.e, self.h = e, Hopeful(e, hope)
        self.tape, self.state, self.outputs = recorded.tape, recorded.inputs[-1], recorded.outputs
        self.at, self.hope, self.address = places, hope, address
        self.saved = [i for i in places.wanted if i != places.result]
        self._first = ""  # the upper half of the residual with which a block begins

    def write(self, enter: dict[str, str]) -> dict[str, str]:
        """From what the loop is entered with; what the one with care is entered with."""
        e, before = self.e, self.e.label
        e.say("br label %rest")
        e.start_block("rest")
        top = len(e.lines)
        below = e.new("icmp slt i64 %r.k, %last")
        room = e.new("icmp slt i64 %r.count, %capacity")
        e.say(f"br i1 {e.new(f'and i1 {below}, {room}')}, label %choose, label %left")
        many = self._choose()
        hoped = self._look(many, self._hope(many))
        lost, wary, caution = self._lost()
        ways = (before, "head", "look", "lost")
        lines = []
        for name, x in enter.items():
            own = f"%r.{name}"
            found = (x, f"%{name}", hoped.get(name, own), lost.get(name, own))
            lines.append(_phi(own, self._kind(name), found, ways))
        lines.append(_phi("%wary", "i64", ("%k0", "%wary", "%wary", wary), ways))
        less = "%caution.less"
        lines.append(_phi("%caution", "i64", ("0", "%caution", less, caution), ways))
        e.lines[top:top] = lines
        e.start_block("care")
        return {name: f"%r.{name}" for name in enter}

    def _kind(self, name: str) -> str:
        return self.e.type(self.state[int(name[1:])].dtype) if name[0] == "s" else "i64"

    def _choose(self) -> str:
        """The number of steps of the block that begins, if one does."""
        e = self.e
        e.start_block("choose")
        free = e.new(f"sub i64 {e.new('sub i64 %r.next, %r.k')}, 1")  # a row is written with care
        short = e.new(f"icmp slt i64 {free}, {_BLOCK}")
        many = e.new(f"select i1 {short}, i64 {free}, i64 {_BLOCK}")
        calm = e.new("icmp sge i64 %r.k, %wary")
        e.say(f"%careful = select i1 {calm}, i64 %r.next, i64 %wary")
        some = e.new(f"icmp sgt i64 {many}, 0")
        e.say(f"br i1 {e.new(f'and i1 {calm}, {some}')}, label %save, label %care")
        return many

    def _hope(self, many: str) -> dict[str, str]:
        """The steps of a block; what they end with."""
        e, h, at, hope = self.e, self.h, self.at, self.hope
        h.start_block("save")  # volatile: in memory, and not in registers
        for i in self.saved:
            name = self.address(i)
            e.stored(f"%r.s{i}", self.state[i].dtype, name, how="store volatile")
        loop = {"left": ("i32", h.new(f"trunc i64 {many} to i32")), "ok": ("i1", "true")}
        if hope.quotient is not None:
            self._first = h.upper_half(f"%r.s{at.residual}")
            loop["worst"] = "i32", self._first
            # of the step before: judged beside the next one, for which nothing has to wait
            none, one = (h.constant(np.float64(x)) for x in (0, 1))
            loop |= {"top": ("double", none), "bottom": ("double", one)}
        if self.state[at.k].number in hope.needed:
            loop["k"] = "i64", "%r.k"
        apart = ([at.residual] if hope.quotient else []) + ([at.good] if hope.counts else [])
        moving = [i for i in self.saved if i not in apart]
        loop |= {f"s{i}": (self._kind(f"s{i}"), f"%r.s{i}") for i in moving}
        e.say("br label %hope")

        h.start_block("hope")
        top = len(e.lines)
        h.ok, h.worst, h.names = "%h.ok", "%h.worst", dict(e.names)
        h.names |= {self.state[i].number: f"%h.s{i}" for i in moving}
        h.names |= {self.state[at.k].number: "%h.k"}
        h.names |= {x.number: f"%r.s{at.result}" for x in (self.state[at.result], hope.result)}
        if hope.quotient is not None:
            h.judge("%h.top", "%h.bottom")
        h.step(self.tape)
        now = {f"s{i}": h.read(self.outputs[i]) for i in moving}
        if hope.quotient is not None:
            over, under, _ = hope.quotient
            now |= {"top": h.read(_without_sign(over)), "bottom": h.read(under)}
        now |= {"ok": h.ok, "worst": h.worst, "left": h.new("sub i32 %h.left, 1")}
        if "k" in loop:
            now["k"] = h.new("add i64 %h.k, 1")
        e.lines[top:top] = [
            _phi(f"%h.{name}", kind, (x, now[name]), ("save", h.label))
            for name, (kind, x) in loop.items()
        ]
        more = h.new(f"icmp ne i32 {now['left']}, 0")
        h.say(f"br i1 {more}, label %hope, label %look")
        return now

    def _look(self, many: str, now: dict[str, str]) -> dict[str, str]:
        """Whether all that was hoped for is so; the state then."""
        h, at, hope = self.h, self.at, self.hope
        h.start_block("look")
        for i in hope.lasting:
            h.must(h.is_finite(now[f"s{i}"]))
        if hope.quotient is not None:  # known by its upper half: it is at most this
            h.judge(now.pop("top"), now.pop("bottom"))
            h.must(h.new(f"icmp ult i32 {h.worst}, {_HUGE}"))
            above = h.new(f"zext i32 {h.new(f'add i32 {h.worst}, {_SLACK}')} to i64")
            largest = h.new(f"bitcast i64 {h.new(f'shl i64 {above}, 32')} to double")
            bound = h.constant(np.float64(hope.quotient.bound))
            h.must(h.compared("le", DOUBLE, largest, bound))
            same = h.new(f"icmp eq i32 {h.worst}, {self._first}")
            now[f"s{at.residual}"] = h.selected(same, DOUBLE, f"%r.s{at.residual}", largest)
        codes = self.state[at.result].dtype
        # whoever has failed already goes on somehow
        failed = h.compared("ne", codes, f"%r.s{at.result}", h.zero(codes))
        if hope.counts:
            gone = h.new(f"select i1 {failed}, i64 0, i64 {many}")
            gone = h.new(f"sitofp i64 {gone} to double")
            now[f"s{at.good}"] = h.new(f"fadd double %r.s{at.good}, {gone}")
        h.say(f"%hoped = add i64 %r.k, {many}")
        h.say("%caution.less = lshr i64 %caution, 1")
        fine = h.new(f"or i1 {h.ok}, {failed}")
        h.say(f"br i1 {fine}, label %rest, label %lost")
        return now | {"k": "%hoped"}

    def _lost(self) -> tuple[dict[str, str], str, str]:
        """The state before the block, and up to where, and with how much more, care is taken."""
        e = self.e
        e.start_block("lost")
        found = {
            f"s{i}": e.loaded(self.address(i), self.state[i].dtype, how="load volatile")
            for i in self.saved
        }
        wary = e.new("add i64 %hoped, %caution")
        grown = e.new(f"add i64 {e.new('shl i64 %caution, 1')}, {_BLOCK}")
        large = e.new(f"icmp sgt i64 {grown}, {_MOST_CAUTION}")
        grown = e.new(f"select i1 {large}, i64 {_MOST_CAUTION}, i64 {grown}")
        e.say("br label %rest")
        return found, wary, grown


def _phi(name: str, kind: str, values: tuple[str, ...], labels: tuple[str, ...]) -> str:
    ways = ", ".join(f"[ {x}, %{y} ]" for x, y in zip(values, labels))
    return f"  {name} = phi {kind} {ways}"


class Speculation:
    """Speculative steps for `loop_emit.stepping`: its emitter, and what comes before its loop."""

    def __init__(self, recorded: Recorded, at: Places, hope: Hope) -> None:
        self._recorded, self._at, self._hope = recorded, at, hope
        self.operations = len(hope.needed)

    def emitter(self, vector_calls: dict[str, tuple[str, int]], prefix: str) -> Careful:
        e, r = Careful(vector_calls, prefix, "t"), self._recorded
        e.once = r.tape.products_used_once(r.needed(), r.outputs)
        return e

    def write(
        self, e: Emitter, enter: dict[str, str], place: Callable[[int], str]
    ) -> dict[str, str]:
        """Write blocks that begin with `enter`; returns what the checked loop begins with."""
        assert isinstance(e, Careful)
        return Blocks(e, self._recorded, self._at, self._hope, place).write(enter)


def speculation(recorded: Recorded, at: Places) -> Speculation | None:
    """How steps are made speculatively; None where nothing can be assumed of them."""
    hope = hope_of(recorded, at)
    return None if hope is None else Speculation(recorded, at, hope)
