"""Emit LLVM for a tape: for one member, or for vectors of members.

One emitter writes both; its type is `double` or `<W x double>`. On vectors a loop continues while
any member needs it, and members that have finished keep their values by a mask. The text is written
directly: building it from objects would take longer than compiling it.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from ..ir.tape import Block, Branch, Loop, Memory, Scalar, Unsupported, Value, is_needed, known
from . import memory_emit

_TYPES = {"d": "double", "l": "i64", "q": "i64", "i": "i32", "?": "i1"}
_TYPES |= {"L": "i64", "Q": "i64", "I": "i32"}  # unsigned integers
_FLOATS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_COMPARE = {"eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge"}
_INTRINSIC = {
    "abs": "fabs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil",
    "round_even": "roundeven", "round_away": "round",
}  # fmt: skip
# functions of the C library that LLVM knows: it merges sin and cos of one number into one call
_KNOWN_CALLS = ("sin", "cos", "exp", "log", "exp2", "pow")
_CALLS = {
    *_KNOWN_CALLS,
    *("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("expm1", "log1p", "log2", "cbrt", "erf", "erfc", "lgamma", "nextafter"),
}
# Without side effects, so LLVM may merge equal calls, move them out of loops and drop unused
# ones.
_RESULT = "nounwind willreturn memory(none)"
# `locate`: index of the last entry of an increasing array that is <= x, by bisection; -1 before the
# first. `load`: an entry of an array.
_TABLES = {
    "locate": """define internal i64 @table.locate(i64 %place, i64 %count, double %x) nounwind {
entry:
  %table = inttoptr i64 %place to ptr
  br label %head
head:
  %low = phi i64 [ -1, %entry ], [ %low.new, %body ]
  %high = phi i64 [ %count, %entry ], [ %high.new, %body ]
  %gap = sub i64 %high, %low
  %more = icmp sgt i64 %gap, 1
  br i1 %more, label %body, label %done
body:
  %sum = add i64 %low, %high
  %mid = ashr i64 %sum, 1
  %at = getelementptr double, ptr %table, i64 %mid
  %y = load double, ptr %at, align 8
  %left = fcmp ole double %y, %x
  %low.new = select i1 %left, i64 %mid, i64 %low
  %high.new = select i1 %left, i64 %high, i64 %mid
  br label %head
done:
  ret i64 %low
}""",
    "load": """define internal double @table.load(i64 %place, i64 %index) nounwind {
entry:
  %table = inttoptr i64 %place to ptr
  %at = getelementptr double, ptr %table, i64 %index
  %y = load double, ptr %at, align 8
  ret double %y
}""",
}


class Emitter:
    """Writes the body of one LLVM function."""

    def __init__(
        self,
        width: int = 1,
        vector_calls: dict[str, tuple[str, int]] | None = None,
        prefix: str = "",
        letter: str = "t",
    ):
        self.width, self._letter = width, letter
        # begins the names of math functions on a GPU (libdevice); empty for the C library
        self.prefix = prefix
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        self.declared: dict[str, str] = {}
        self.workspace = memory_emit.Workspace()
        self.label = "entry"
        self.mask: str | None = None  # flags of the active members, None if all are
        self.vector_calls = vector_calls or {}
        # Products used by exactly one sum. If given, exactly these become fused multiply-adds, so
        # that two copies of a step in different surroundings agree to the bit. If None, LLVM
        # decides by the surrounding code.
        self.once: set[int] | None = None
        # Numbers every name, so that names are unique in the function.
        self._count = 0

    # -- text of instructions ----------------------------------------------------------------

    def say(self, line: str) -> None:
        self.lines.append("  " + line)

    def new(self, right: str) -> str:
        """Emit an instruction and return the new name of its result."""
        self._count += 1
        name = f"%{self._letter}{self._count}"
        self.lines.append(f"  {name} = {right}")
        return name

    def start_block(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label = label

    def fresh(self, word: str) -> str:
        """Return a label that is not used elsewhere."""
        self._count += 1
        return f"{word}.{self._letter}{self._count}"

    def type(self, dtype: np.dtype) -> str:
        one = _TYPES[dtype.char]
        return one if self.width == 1 else f"<{self.width} x {one}>"

    def constant(self, x: np.generic) -> str:
        if x.dtype.char == "d":
            # By its bits: decimal text would be rounded a second time.
            text = f"0x{struct.unpack('<Q', struct.pack('<d', float(x)))[0]:016X}"
        else:
            text = str(int(x))
        return text if self.width == 1 else f"splat ({_TYPES[x.dtype.char]} {text})"

    def read(self, x: Scalar) -> str:
        """Return a scalar as an operand: a constant or a name."""
        return self.constant(x) if known(x) else self.names[x.number]

    def spread(self, name: str, kind: str) -> str:
        """Return a vector whose entries are all this number."""
        if self.width == 1:
            return name
        vector = f"<{self.width} x {kind}>"
        # LLVM's way to fill a vector: insert one entry, shuffle it everywhere.
        one = self.new(f"insertelement {vector} poison, {kind} {name}, i64 0")
        zeros = f"<{self.width} x i32> zeroinitializer"
        return self.new(f"shufflevector {vector} {one}, {vector} poison, {zeros}")

    def loaded(self, pointer: str, dtype: np.dtype, shared: bool = False, how: str = "load") -> str:
        """Load a value (or vector) that is stored as double, and convert it to `dtype`."""
        # All state in memory is double, whatever its type in code: one table for everything.
        kind = "double" if shared else self.type(np.dtype(float))
        x = self.new(f"{how} {kind}, ptr {pointer}, align 8")
        if shared:
            x = self.spread(x, "double")
        return self.converted(x, np.dtype(float), dtype)

    def stored(self, x: Scalar | str, dtype: np.dtype, pointer: str, how: str = "store") -> None:
        """Store a value of type `dtype` as double: the inverse of `loaded`."""
        name = x if isinstance(x, str) else self.read(x)
        double = np.dtype(float)
        name = self.converted(name, dtype, double)
        self.say(f"{how} {self.type(double)} {name}, ptr {pointer}, align 8")

    def intrinsic(self, name: str, *operands: str, flags: str = "") -> str:
        kind = "f64" if self.width == 1 else f"v{self.width}f64"
        return self.call(f"llvm.{name}.{kind}", *operands, flags=flags)

    def call(self, function: str, *operands: str, flags: str = "") -> str:
        double = self.type(np.dtype(float))
        types = ", ".join([double] * len(operands))
        # Declared once per function, however many calls there are.
        self.declared[function] = f"declare {double} @{function}({types}) {_RESULT}"
        given = ", ".join(f"{double} {x}" for x in operands)
        return self.new(f"call {flags} {double} @{function}({given})")

    # -- operations --------------------------------------------------------------------------

    def operation(self, value: Value) -> str:
        """Emit an operation of the tape and return the name of its result."""
        op, dtype = value.op, value.dtype
        if isinstance(value, Memory):
            return memory_emit.array(self, value)
        if op == "entry":
            return memory_emit.entry(self, value)
        xs = [self.read(x) for x in value.operands]
        if op in ("locate", "load"):
            return self.looked_up(op, [x.dtype for x in value.operands], xs, dtype)
        given = value.operands[0].dtype
        kind = self.type(given)
        is_float = given.kind == "f"
        if op == "div" and is_float and self.divides_slowly:
            return self.quotient_on_gpu(*xs)
        if op in ("add", "sub") and is_float and (fused := self.fused(value)) is not None:
            return fused
        if op in _FLOATS and is_float:
            # `contract` allows LLVM to fuse products and sums.
            how = "contract " if self.once is None else ""
            return self.new(f"{_FLOATS[op]} {how}{kind} {xs[0]}, {xs[1]}")
        if op in ("add", "sub", "mul"):
            return self.new(f"{op} {kind} {xs[0]}, {xs[1]}")
        if op == "neg":
            minus = f"fneg {kind}" if is_float else f"sub {kind} {self.zero(given)},"
            return self.new(f"{minus} {xs[0]}")
        if op in _COMPARE:
            return self.compared(op, given, *xs)
        if op in ("and", "or", "xor"):
            return self.new(f"{op} {kind} {xs[0]}, {xs[1]}")
        if op == "not":
            ones = self.constant(np.invert(given.type(0)))
            return self.new(f"xor {kind} {xs[0]}, {ones}")
        if op == "select":
            return self.selected(xs[0], dtype, xs[2], xs[1])
        if op == "convert":
            return self.converted(xs[0], given, dtype)
        if op in ("max", "min"):
            # a NaN on either side is returned; the sign of a zero result is left open (nsz)
            if is_float:
                return self.intrinsic(f"{op}imum", *xs, flags="nsz")
            first = self.compared("gt" if op == "max" else "lt", given, *xs)
            return self.selected(first, dtype, xs[0], xs[1])
        if op == "sign":
            one, zero = (self.constant(given.type(i)) for i in (1, 0))
            below = xs[0]
            if given.kind != "u":
                minus = self.constant(given.type(-1))
                # Unsigned numbers are never below zero.
                below = self.selected(self.compared("lt", given, xs[0], zero), dtype, minus, below)
            return self.selected(self.compared("gt", given, xs[0], zero), dtype, one, below)
        # NaN fails every comparison, so one comparison excludes infinities and NaN.
        if op == "is_finite":
            size = self.intrinsic("fabs", xs[0])
            return self.compared("lt", given, size, self.constant(np.float64(np.inf)))
        if op == "abs" and not is_float:
            minus = self.new(f"sub {kind} {self.zero(given)}, {xs[0]}")
            below = self.compared("lt", given, xs[0], self.zero(given))
            return self.selected(below, dtype, minus, xs[0])
        if op in ("div", "rem"):
            return self.divided(op, given, *xs)
        if op in _INTRINSIC:
            return self.intrinsic(_INTRINSIC[op], *xs)
        if op in _CALLS:
            return self.function(op, *xs)
        raise Unsupported(f"no code for '{op}'")

    def fused(self, value: Value) -> str | None:
        """Emit a sum and a product that only it reads as one fused operation; None if not possible.

        The result is rounded once.
        """
        plus, minus = value.op == "add", value.op == "sub"
        a, b = value.operands
        for x, y, is_first in ((b, a, False), (a, b, True)):
            # Only products at the same depth: one in an outer block is computed once for many
            # sums.
            if known(x) or x.number not in (self.once or ()) or x.depth != value.depth:
                continue
            p, q, rest = self.read(x.operands[0]), self.read(x.operands[1]), self.read(y)
            kind = self.type(value.dtype)
            # a - p q = a + (-p) q, which is exact.
            if minus and not is_first:
                p = self.new(f"fneg {kind} {p}")
            elif not plus:
                rest = self.new(f"fneg {kind} {rest}")
            return self.intrinsic("fmuladd", p, q, rest)
        return None

    @property
    def divides_slowly(self) -> bool:
        """Whether the target is a GPU, on which only products and sums are fast."""
        return bool(self.prefix)

    @property
    def flag(self) -> str:
        return self.type(np.dtype(bool))

    def zero(self, dtype: np.dtype) -> str:
        return self.constant(dtype.type(0))

    def compared(self, op: str, dtype: np.dtype, a: str, b: str) -> str:
        kind = self.type(dtype)
        if dtype.kind == "f":
            # Ordered comparisons are false for NaN, except "not equal", which is true, as in
            # NumPy.
            return self.new(f"fcmp {'une' if op == 'ne' else 'o' + op} {kind} {a}, {b}")
        sign = "" if op in ("eq", "ne") else "u" if dtype.kind in "bu" else "s"
        return self.new(f"icmp {sign}{_COMPARE[op]} {kind} {a}, {b}")

    def selected(self, which: str, dtype: np.dtype, yes: str, no: str) -> str:
        kind = self.type(dtype)
        return self.new(f"select {self.flag} {which}, {kind} {yes}, {kind} {no}")

    def converted(self, x: str, old: np.dtype, new: np.dtype) -> str:
        if _TYPES[old.char] == _TYPES[new.char]:
            return x
        a, b = self.type(old), self.type(new)
        # A flag is whether a number differs from zero.
        if new.kind == "b":
            return self.compared("ne", old, x, self.zero(old))
        if new.kind == "f":
            return self.new(f"{'uitofp' if old.kind in 'bu' else 'sitofp'} {a} {x} to {b}")
        # saturating: out of range becomes the largest integer, NaN becomes zero
        if old.kind == "f":
            bits = _TYPES[new.char]
            v = "" if self.width == 1 else f"v{self.width}"
            name = f"llvm.fpto{'ui' if new.kind == 'u' else 'si'}.sat.{v}{bits}.{v}f64"
            self.declared[name] = f"declare {b} @{name}({a})"
            return self.new(f"call {b} @{name}({a} {x})")
        wider = "zext" if old.kind in "bu" else "sext"
        return self.new(f"{wider if new.itemsize > old.itemsize else 'trunc'} {a} {x} to {b}")

    def divided(self, op: str, dtype: np.dtype, a: str, b: str) -> str:
        """Divide integers as XLA does where the processor would trap; for floats, the remainder."""
        if dtype.kind == "f":
            return self.function("fmod", a, b)
        kind = self.type(dtype)
        one, zero = (self.constant(dtype.type(i)) for i in (1, 0))
        minus = self.constant(dtype.type(np.iinfo(dtype).max if dtype.kind == "u" else -1))
        # x / 0 is -1 (all ones) and x % 0 is x; INT_MIN / -1 would trap, so -1 is handled apart
        by_zero = self.compared("eq", dtype, b, zero)
        if dtype.kind == "u":
            by = self.selected(by_zero, dtype, one, b)
            found = self.new(f"{'udiv' if op == 'div' else 'urem'} {kind} {a}, {by}")
            return self.selected(by_zero, dtype, minus if op == "div" else a, found)
        by_minus = self.compared("eq", dtype, b, minus)
        bad = self.new(f"or {self.flag} {by_zero}, {by_minus}")
        by = self.selected(bad, dtype, one, b)
        found = self.new(f"{'sdiv' if op == 'div' else 'srem'} {kind} {a}, {by}")
        negative = self.new(f"sub {kind} {zero}, {a}")
        found = self.selected(by_minus, dtype, negative if op == "div" else zero, found)
        return self.selected(by_zero, dtype, minus if op == "div" else a, found)

    def quotient_on_gpu(self, a: str, b: str) -> str:
        """Return a / b; if a is zero, a times the quotient of a number for which division is fast.

        A GPU divides zero by a slow branch of some hundred operations, for which the other members
        of a warp wait. Residuals and corrections of an iteration that has converged are mostly
        zero.
        """
        small = self.constant(np.float64(2.0**-500))  # 2^-500 over any b is finite
        is_zero = self.compared("eq", np.dtype(float), a, self.constant(np.float64(0)))
        top = self.selected(is_zero, np.dtype(float), small, a)
        found = self.new(f"fdiv double {top}, {b}")
        return self.selected(is_zero, np.dtype(float), self.new(f"fmul double {a}, {found}"), found)

    # -- functions of the C library ----------------------------------------------------------

    def function(self, op: str, *xs: str) -> str:
        # On a GPU libdevice has all functions.
        if self.prefix:
            return self.call(self.prefix + op, *xs)
        # Intrinsics of LLVM: it may evaluate sin and cos of one number together.
        if self.width == 1 and op in _KNOWN_CALLS and not self.vector_calls:
            return self.intrinsic(op, *xs)
        # Vector functions of glibc take 4 or 8 numbers; our vector is several of them.
        if op in self.vector_calls:
            name, size = self.vector_calls[op]
            return (self.in_parts if self.width > 1 else self.in_first)(name, size, *xs)
        return self.on_each(op, *xs)

    def looked_up(self, op: str, given: list[np.dtype], xs: list[str], dtype: np.dtype) -> str:
        """Emit a `locate` or `load` of a table in memory, for each member in turn."""
        if self.prefix:
            raise Unsupported("a table in memory, which accelerators do not support")
        self.declared[f"table.{op}"] = _TABLES[op]
        one, kind, out = _TYPES[dtype.char], self.type(dtype), "poison"
        # A gather would need one address per member; tables are read rarely enough for scalar
        # loads.
        for i in range(self.width):
            of = xs
            if self.width > 1:
                kinds = map(self.type, given)
                of = [self.new(f"extractelement {k} {x}, i64 {i}") for k, x in zip(kinds, xs)]
            told = ", ".join(f"{_TYPES[d.char]} {x}" for d, x in zip(given, of))
            y = self.new(f"call {one} @table.{op}({told})")
            if self.width == 1:
                return y
            out = self.new(f"insertelement {kind} {out}, {one} {y}, i64 {i}")
        return out

    def on_each(self, function: str, *xs: str) -> str:
        """Call a scalar function for each member of the vector in turn."""
        if self.width == 1:
            return self.call(function, *xs)
        types = ", ".join(["double"] * len(xs))
        self.declared[function] = f"declare double @{function}({types}) {_RESULT}"
        kind = self.type(np.dtype(float))
        out = "poison"
        for i in range(self.width):
            ones = [self.new(f"extractelement {kind} {x}, i64 {i}") for x in xs]
            given = ", ".join(f"double {x}" for x in ones)
            y = self.new(f"call double @{function}({given})")
            out = self.new(f"insertelement {kind} {out}, double {y}, i64 {i}")
        return out

    def in_first(self, function: str, size: int, *xs: str) -> str:
        """Call a function of vectors of `size` numbers for a single number.

        The result has the same bits as that of this number within a vector.
        """
        part = f"<{size} x double>"
        types = ", ".join([part] * len(xs))
        self.declared[function] = f"declare {part} @{function}({types}) {_RESULT}"
        ones = [self.new(f"insertelement {part} poison, double {x}, i64 0") for x in xs]
        # The number fills the whole vector, because the unused entries must hold a harmless number.
        order = f"<{size} x i32> zeroinitializer"
        whole = [self.new(f"shufflevector {part} {x}, {part} poison, {order}") for x in ones]
        given = ", ".join(f"{part} {x}" for x in whole)
        found = self.new(f"call {part} @{function}({given})")
        return self.new(f"extractelement {part} {found}, i64 0")

    def in_parts(self, function: str, size: int, *xs: str) -> str:
        """Call a function of vectors of `size` numbers on parts of our vector; join the results."""
        part = f"<{size} x double>"
        types = ", ".join([part] * len(xs))
        self.declared[function] = f"declare {part} @{function}({types}) {_RESULT}"
        kind = self.type(np.dtype(float))
        found = []
        for first in range(0, self.width, size):
            which = ", ".join(f"i32 {first + i}" for i in range(size))
            ones = [
                self.new(f"shufflevector {kind} {x}, {kind} poison, <{size} x i32> <{which}>")
                for x in xs
            ]
            given = ", ".join(f"{part} {x}" for x in ones)
            found.append(self.new(f"call {part} @{function}({given})"))
        while len(found) > 1:  # join neighbors until one vector is left
            joined = []
            for a, b in zip(found[::2], found[1::2]):
                n = self.width // len(found)
                which = ", ".join(f"i32 {i}" for i in range(2 * n))
                half = f"<{n} x double>"
                joined.append(
                    self.new(f"shufflevector {half} {a}, {half} {b}, <{2 * n} x i32> <{which}>")
                )
            found = joined
        return found[0]

    # -- blocks ------------------------------------------------------------------------------

    def block(self, block: Block, needed: set[int]) -> None:
        """Emit the needed items of a block that are not emitted yet."""
        # Needed items only: what no output depends on is never emitted.
        for item in block.items:
            if not is_needed(item, needed):
                continue
            if isinstance(item, Value):
                if item.number not in self.names:
                    self.names[item.number] = self.operation(item)
            elif all(x.number in self.names for x in item.results if x.number in needed):
                # The loop or branch was emitted already, with an earlier level.
                continue
            elif isinstance(item, Loop):
                self.loop(item, needed)
            elif self.width == 1:
                self.branch(item, needed)
            else:
                # Members may differ in the flag, so both sides are computed under masks.
                self.both_ways(item, needed)

    # Emit a while loop. On vectors it runs while any member continues; the condition is the mask of
    # the active members, and the values of the others are selected back.
    def loop(self, item: Loop, needed: set[int]) -> None:
        carried, start, arrays = [], [], []
        for i, x in enumerate(item.inputs):
            # Results that nobody reads are not carried.
            if x.number not in needed:
                continue
            if isinstance(x, Memory):
                place = self.names[x.number] = memory_emit.placed(self, x)
                memory_emit.carried(self, self.read(item.start[i]), place, x)
                arrays.append(i)
                continue
            carried.append(i)
            start.append(self.read(item.start[i]))
        before = self.label
        head, body, end = (self.fresh(x) for x in ("head", "body", "end"))
        self.say(f"br label %{head}")
        self.start_block(head)
        at = len(self.lines)
        for i in carried:
            self.names[item.inputs[i].number] = f"%v{item.inputs[i].number}"
        self.block(item.head, needed)
        self.block(item.test, needed)
        goes_on, outer = self.read(item.goes_on), self.mask
        if self.width > 1:
            if outer is not None:
                # Members of an outer branch that is not taken do not keep the loop running.
                goes_on = self.new(f"and {self.flag} {goes_on}, {outer}")
            self.mask = goes_on
        self.say(f"br i1 {self.any(goes_on)}, label %{body}, label %{end}")
        self.start_block(body)
        self.block(item.body, needed)
        new = []
        for i in carried:
            value, x = item.inputs[i], self.read(item.next[i])
            if self.width > 1:
                # A member that has ended keeps its values while others continue.
                x = self.selected(goes_on, value.dtype, x, self.names[value.number])
            new.append(x)
        self.next_arrays(item, arrays, goes_on if self.width > 1 else None)
        self.mask = outer
        self.say(f"br label %{head}")
        # the phis of the loop head, inserted now because their second operands are known only here
        self.lines[at:at] = [
            f"  %v{item.inputs[i].number} = phi {self.type(item.inputs[i].dtype)} "
            f"[ {a}, %{before} ], [ {b}, %{self.label} ]"
            for i, a, b in zip(carried, start, new)
        ]
        self.start_block(end)
        # The results of the loop are the values in its head when it ends.
        for i in (*carried, *arrays):
            self.names[item.results[i].number] = self.names[item.inputs[i].number]

    def next_arrays(self, item: Loop, arrays: Sequence[int], mask: str | None) -> None:
        """Copy the arrays that a loop carries to where the next iteration reads them."""
        moves = []
        for i in arrays:
            value, new = item.inputs[i], item.next[i]
            if new is value:
                continue
            assert isinstance(value, Memory)
            source = self.read(new)
            # another carried array, which is overwritten here: copy it first
            if any(new is item.inputs[j] for j in arrays):
                aside = memory_emit.placed(self, value)
                memory_emit.carried(self, source, aside, value)
                source = aside
            moves.append((source, value))
        for source, value in moves:
            memory_emit.carried(self, source, self.names[value.number], value, mask)

    def any(self, flags: str) -> str:
        """Return whether any member's flag is set."""
        if self.width == 1:
            return flags
        bits = f"i{self.width}"
        # All flags as one integer: a single comparison for the vector.
        return self.new(f"icmp ne {bits} {self.new(f'bitcast {self.flag} {flags} to {bits}')}, 0")

    # Emit a branch for one member, with phis for its results. (On vectors: `both_ways`.)
    def branch(self, item: Branch, needed: set[int]) -> None:
        wanted = [i for i, x in enumerate(item.results) if x.number in needed]
        labels = [self.fresh("no"), self.fresh("yes")]
        end = self.fresh("end")
        no, yes = labels
        # A real jump: only one side is computed, which is what branches are for.
        self.say(f"br i1 {self.read(item.which)}, label %{yes}, label %{no}")
        found, lasts = [], []
        for label, way, outs in zip(labels, item.ways, item.outs):
            self.start_block(label)
            self.block(way, needed)
            found.append([self.read(outs[i]) for i in wanted])
            self.say(f"br label %{end}")
            # The side may have ended in another block than it began.
            lasts.append(self.label)
        self.start_block(end)
        for i, a, b in zip(wanted, *found):
            kind = self.type(item.results[i].dtype)
            self.names[item.results[i].number] = self.new(
                f"phi {kind} [ {a}, %{lasts[0]} ], [ {b}, %{lasts[1]} ]"
            )

    def both_ways(self, item: Branch, needed: set[int]) -> None:
        """Emit a branch on vectors: each side with its own members active, unless it has none."""
        which, outer = self.read(item.which), self.mask
        wanted = [i for i, x in enumerate(item.results) if x.number in needed]
        found = []
        for flags, way, outs in zip((self.opposite(which), which), item.ways, item.outs):
            self.mask = flags if outer is None else self.new(f"and {self.flag} {flags}, {outer}")
            chosen = [outs[i] for i in wanted]
            # A side without operations has constants for results; no jump is needed.
            if any(is_needed(x, needed) for x in way.items):
                found.append(self.if_any(self.mask, way, chosen, needed))
            else:
                found.append([self.read(x) for x in chosen])
        self.mask = outer
        for i, no, yes in zip(wanted, *found):
            value = item.results[i]
            self.names[value.number] = self.selected(which, value.dtype, yes, no)

    def if_any(self, flags: str, way: Block, outs: Sequence[Scalar], needed: set[int]) -> list[str]:
        """Emit a block that is skipped if no member needs it, and return its results."""
        before, (begin, end) = self.label, (self.fresh(x) for x in ("some", "end"))
        self.say(f"br i1 {self.any(flags)}, label %{begin}, label %{end}")
        self.start_block(begin)
        self.block(way, needed)
        found = [self.read(x) for x in outs]
        self.say(f"br label %{end}")
        last = self.label
        self.start_block(end)
        # Results of a side that was skipped are never selected: any number will do.
        nobody = (self.constant(x.dtype.type(0)) for x in outs)
        return [
            self.new(f"phi {self.type(x.dtype)} [ {no}, %{before} ], [ {yes}, %{last} ]")
            for x, yes, no in zip(outs, found, nobody)
        ]

    def opposite(self, flags: str) -> str:
        return self.new(f"xor {self.flag} {flags}, {self.constant(np.bool_(True))}")

    # -- the module --------------------------------------------------------------------------

    def module(self, head: str) -> str:
        """Return the module: the function, and declarations of what it calls."""
        declared = "\n".join(self.declared[k] for k in sorted(self.declared))
        lines = self.workspace.wrapped(self.width, self.lines)
        text = f"{head} {{\nentry:\n" + "\n".join(lines) + "\n}\n" + declared + "\n"
        return text + self.workspace.declared()


def offset(emitter: Emitter, pointer: str, index: str | int) -> str:
    """Return the address of the double at `index`."""
    return emitter.new(f"getelementptr double, ptr {pointer}, i64 {index}")


def mapped(
    inputs: Sequence[Value], outputs: Sequence[Scalar], blocks: Sequence[Block], needed: set[int]
) -> str:
    """Emit void run(in, out, n): a function evaluated at each of n rows."""
    e = Emitter()
    e.say("br label %rows")
    e.start_block("rows")
    e.say("%i = phi i64 [ 0, %entry ], [ %next, %last ]")
    e.say("%more = icmp slt i64 %i, %n")
    e.say("br i1 %more, label %row, label %done")
    e.start_block("row")
    at = e.new(f"mul i64 %i, {len(inputs)}")
    given = offset(e, "%in", at)
    for j, value in enumerate(inputs):
        if value.number in needed:
            e.names[value.number] = e.loaded(offset(e, given, j), value.dtype)
    for block in blocks:
        e.block(block, needed)
    found = offset(e, "%out", e.new(f"mul i64 %i, {len(outputs)}"))
    for j, x in enumerate(outputs):
        e.stored(x, x.dtype, offset(e, found, j))
    e.say("br label %last")
    e.start_block("last")
    e.say("%next = add i64 %i, 1")
    e.say("br label %rows")
    e.start_block("done")
    e.say("ret void")
    return e.module("define void @run(ptr noalias %in, ptr noalias %out, i64 %n)")
