"""Emit LLVM for the Taylor coefficients of a motion: x, x', x''/2, ... from x' = f(t, x).

A sum over products of coefficients (a convolution) is the dot product of one array with another
that is stored in reverse. Its inner part needs only orders below k, which were stored long before,
so that at order k itself only two products wait for each other:

    (a b)_k = a_0 b_k + a_k b_0 + sum_(0 < j < k) a_j b_(k-j).

The loop over the orders is unrolled as far as the size of the tape allows, in pieces with sums of
one length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..cpu.emit import Emitter, offset
from ..ir.constant_folding import apply, number
from ..ir.tape import Scalar, Unsupported, Value, known
from .coefficient_rules import CHANGES, Jet

VECTOR = 4  # coefficients per vector of a dot product
# Most lines for which all orders are unrolled, so that coefficients stay in registers; more would
# be read from distant memory.
_WRITTEN_OUT = 3_500
_CALLED = 4_500  # lines of a loop over orders from which on sums are function calls
# lines of all pieces of the loop over orders together, roughly: more take too long to compile
_LINES = 4_500
# a comment in the text, by which `taylor_kernel` chooses the effort
WRITTEN_OUT = "; all orders are written out\n"
DOUBLE = np.dtype(float)


class _Arrays:
    """Positions of coefficient arrays in the scratch memory: forward, reversed, multiplied by j."""

    def __init__(self, order: int) -> None:
        self.order, self.length = order, 0
        self.places: dict[tuple[int, str], int] = {}

    def make_room(self, pieces: Sequence[tuple[int, int, int]]) -> None:
        """Set the array length: entries 1 .. order, and what vectors read beyond them.

        Beyond the entries of reversed arrays there are zeros.
        """
        beyond = max((VECTOR * vectors - lo + 1 for lo, _, vectors in pieces), default=0)
        self.length = -(-(self.order + 1 + max(beyond, VECTOR)) // VECTOR) * VECTOR

    def place(self, number: int, kind: str) -> int:
        assert self.length
        return self.places.setdefault((number, kind), self.length * len(self.places))

    @property
    def size(self) -> int:
        return self.length * (len(self.places) + 1)


class JetCode(NamedTuple):
    """The text of a function, the memory it needs, and the functions it calls."""

    text: str
    scratch: int  # doubles of scratch memory w, which must be zero before the first call
    declared: dict[str, str]


def jets(jet: Jet, order: int) -> JetCode:
    """Emit the coefficients of x up to `order` from order 0, or of functions of a known x.

    void @jets(ptr shared, ptr node, ptr c, ptr g, ptr w): the first constants are `shared`, the
    following ones are the node's, and then comes the time. c is (order + 1, size), with the first
    row filled or all of them; g is (order + 1, functions).
    """
    e = Emitter()
    arrays = _Arrays(order)
    writer = _Writer(e, jet, arrays)
    size, watched = jet.size, len(jet.watched)
    _values(e, jet, jet.needed, "%c")
    for i, rate in enumerate(jet.rates):
        e.stored(rate, DOUBLE, offset(e, "%c", size + i))
    for i, g in enumerate(jet.watched):
        e.stored(g, DOUBLE, offset(e, "%g", i))
    writer.prepare()

    last = order if watched else order - 1
    # unroll everything if it is short; else loop over orders, in pieces with sums of one length
    pieces = _pieces(last, writer.lines_of_one())
    arrays.make_room(pieces)
    # must be the first array: changes (`Jet.sudden`) are read at the beginning of w
    arrays.place(0, "changes")
    if writer.lines_of_all(last) <= _WRITTEN_OUT:
        writer.past = {}
        for k in range(1, last + 1):
            writer.order(str(k), _double(k), _double(1.0 / k), 0)
    else:
        writer.calls = writer.lines_of_one() > _CALLED
        if writer.calls:  # includes order 1, whose sums are zero
            pieces = [(1, last, 1)]
        else:
            writer.order("1", _double(1), _double(1), 0)
        for lo, hi, vectors in pieces:
            writer.loop(lo, hi, vectors)
    e.say("ret void")
    pointers = ", ".join(f"ptr noalias %{x}" for x in ("shared", "node", "c", "g", "w"))
    head = f"define internal void @jets({pointers})"
    body = f"{head} {{\nentry:\n" + "\n".join(e.lines) + "\n}\n"
    body += WRITTEN_OUT if writer.past is not None else ""
    body += _dot_function() if writer.calls else ""
    return JetCode(body, arrays.size, e.declared)


def next_entries(jet: Jet) -> list[Scalar]:
    """Record the times of the next entries of tables of the time; infinity after the last one."""
    tape, result = jet.tape, []
    whole = np.dtype(np.int64)
    for place in jet.breaks():
        start, count, _ = place.operands
        after = apply(tape, "add", whole, place, number(1, whole))
        inside = apply(tape, "lt", np.dtype(bool), after, count)
        known_one = apply(
            tape, "min", whole, after, apply(tape, "sub", whole, count, number(1, whole))
        )
        entry = tape.make("load", float, start, known_one)
        result.append(apply(tape, "select_n", DOUBLE, inside, number(np.inf, DOUBLE), entry))
    return result


def values(jet: Jet, name: str, outputs: Sequence[Scalar] | None = None) -> JetCode:
    """Emit void @name(ptr shared, ptr node, double t, ptr x, ptr out): f itself, from this tape."""
    e = Emitter()
    outputs = jet.recorded.outputs if outputs is None else outputs
    e.names[jet.t.number] = "%t"
    _values(e, jet, jet.tape.needed(outputs), "%x")
    for i, output in enumerate(outputs):
        e.stored(output, DOUBLE, offset(e, "%out", i))
    e.say("ret void")
    head = f"define internal void @{name}(ptr %shared, ptr %node, double %t, ptr %x, ptr %out)"
    return JetCode(f"{head} {{\nentry:\n" + "\n".join(e.lines) + "\n}\n", 0, e.declared)


def _values(e: Emitter, jet: Jet, needed: set[int], x: str) -> None:
    """Emit all values of the tape at a point."""
    constants = jet.recorded.inputs[0]
    for j, value in enumerate(constants):
        if value.number in needed:
            mine = offset(e, "%shared", j) if j < jet.shared else offset(e, "%node", j - jet.shared)
            e.names[value.number] = e.loaded(mine, value.dtype)
    if jet.t.number not in e.names:
        where = offset(e, "%node", len(constants) - jet.shared)
        e.names[jet.t.number] = e.loaded(where, DOUBLE)
    for i, value in enumerate(jet.x):
        e.names[value.number] = e.loaded(offset(e, x, i), DOUBLE)
    for block in jet.tape.levels:
        e.block(block, needed)


def _dot_function() -> str:
    """Return double @dot(ptr a, ptr b, i64 k): the sum of k - 1 products, in whole vectors."""
    vector = f"<{VECTOR} x double>"
    reduce = f"llvm.vector.reduce.fadd.v{VECTOR}f64"
    return f"""
define internal double @dot(ptr %a, ptr %b, i64 %k) noinline {{
entry:
  br label %more
more:
  %i = phi i64 [ 1, %entry ], [ %next, %more ]
  %old = phi {vector} [ zeroinitializer, %entry ], [ %new, %more ]
  %j = sub i64 %i, 1
  %p = getelementptr double, ptr %a, i64 %j
  %q = getelementptr double, ptr %b, i64 %j
  %x = load {vector}, ptr %p, align 8
  %y = load {vector}, ptr %q, align 8
  %xy = fmul contract {vector} %x, %y
  %new = fadd contract {vector} %old, %xy
  %next = add i64 %i, {VECTOR}
  %on = icmp slt i64 %next, %k
  br i1 %on, label %more, label %done
done:
  %sum = call reassoc double @{reduce}(double -0.0, {vector} %new)
  ret double %sum
}}
"""


def _double(x: float) -> str:
    return Emitter().constant(np.float64(x))


def _pieces(last: int, lines: int) -> list[tuple[int, int, int]]:
    """Return ranges of orders from 2 on: (first, last, number of vectors in each of their sums)."""
    whole = -(-(last - 1) // VECTOR)
    if whole <= 0:
        return []
    copies = max(1, min(whole, _LINES // max(lines, 1)))
    ends = [round(whole * (i + 1) / copies) for i in range(copies)]
    result, lo = [], 2
    for vectors in ends:
        hi = min(VECTOR * vectors + 1, last)
        result.append((lo, hi, vectors))
        lo = hi + 1
    return result


class _Writer:
    """Emits the coefficients of one order, for all values."""

    def __init__(self, e: Emitter, jet: Jet, arrays: _Arrays) -> None:
        self.e, self.jet, self.arrays = e, jet, arrays
        self.zeroth = e.names
        self.stores: dict[int, set[str]] = {}
        self.sums: set[tuple[int, str, int]] = set()
        self.inner: dict[tuple[int, str, int], str] = {}
        self.factors: dict[tuple[str, int], str] = {}
        self.flags: dict[int, str] = {}
        self.shares: dict[tuple[int, bool], str] = {}  # factors by which changes are scaled
        self.k, self.kd, self.rk, self.vectors = "", "", "", 0
        self.ahead = self.back = ""  # addresses of entries k and -k of an array at position 0
        # if unrolled: coefficients of values that occur in sums, by kind and order
        self.past: dict[tuple[int, str], list[str | None]] | None = None
        self.calls = False  # whether sums are function calls, for less code
        self.now: dict[int, str | None] = {}
        self.next_x: list[str] = []  # coefficients of x of the next order

    # -- before the first order --------------------------------------------------------------

    def prepare(self) -> None:
        """Emit what all orders share (reciprocals, branch flags); find which values to store."""
        e, jet = self.e, self.jet
        for v in jet.values:
            xs = v.operands
            if v.number in jet.chains:
                for u, a in jet.chains[v.number].pairs:
                    self._dot(a, "times", u)
            elif v.op == "mul":
                if not (jet.is_still(xs[0]) or jet.is_still(xs[1])):
                    self._dot(xs[0], "ahead", xs[1])
            elif v.op == "div":
                if not jet.is_still(xs[1]):
                    self._dot(xs[1], "ahead", v)
                one = e.constant(np.float64(1))
                by = e.read(xs[1])
                self.factors["div", v.number] = e.new(f"fdiv double {one}, {by}")
            elif v.op == "sqrt":
                self._dot(v, "ahead", v)
                half = e.constant(np.float64(0.5))
                self.factors["sqrt", v.number] = e.new(f"fdiv double {half}, {e.read(v)}")
            elif v.op in ("max", "min"):
                self.flags[v.number] = e.compared("eq", DOUBLE, e.read(v), e.read(xs[0]))
            elif v.op == "abs":
                self.flags[v.number] = e.compared("lt", DOUBLE, e.read(xs[0]), e.zero(DOUBLE))

        if jet.rates:
            for x, relative in jet.sudden:
                one = e.constant(np.float64(1))
                self.shares[x.number, relative] = (
                    e.new(f"fdiv double {one}, {e.read(x)}") if relative else one
                )

    def _dot(self, a: Scalar, kind: str, b: Scalar) -> None:
        if not (self.jet.is_still(a) or self.jet.is_still(b)):
            self.stores.setdefault(a.number, set()).add(kind)
            self.stores.setdefault(b.number, set()).add("back")
            self.sums.add((a.number, kind, b.number))

    def lines_of_one(self) -> int:
        """Estimate the lines of one copy of the loop over orders, with its sums of products."""
        return 2 * len(self.jet.values) + 20 * len(self.sums)

    def lines_of_all(self, last: int) -> int:
        """Estimate the lines of all orders, unrolled."""
        return last * (last * len(self.sums) + 2 * len(self.jet.values))

    # -- one order ---------------------------------------------------------------------------

    def loop(self, lo: int, hi: int, vectors: int) -> None:
        """Emit the loop over orders from lo to hi."""
        e = self.e
        before, body, after = e.label, e.fresh("order"), e.fresh("after")
        e.say(f"br label %{body}")
        e.start_block(body)
        k = f"%{body}.k"
        at = len(e.lines)
        kd = e.new(f"uitofp i64 {k} to double")
        rk = e.new(f"fdiv double {e.constant(np.float64(1))}, {kd}")
        self.order(k, kd, rk, vectors)
        more = e.new(f"add i64 {k}, 1")
        e.lines.insert(at, f"  {k} = phi i64 [ {lo}, %{before} ], [ {more}, %{e.label} ]")
        going = e.new(f"icmp sle i64 {more}, {hi}")
        e.say(f"br i1 {going}, label %{body}, label %{after}")
        e.start_block(after)

    def order(self, k: str, kd: str, rk: str, vectors: int) -> None:
        """Emit the coefficients of order k; those of x at order k + 1 follow from its rates."""
        e, jet = self.e, self.jet
        self.k, self.kd, self.rk, self.vectors = k, kd, rk, vectors
        self.now, self.inner = {}, {}
        self.now[jet.t.number] = e.constant(np.float64(1)) if k == "1" else None
        if self.past is None:
            self.ahead = offset(e, "%w", k)
            self.back = offset(e, "%w", e.new(f"sub i64 0, {k}"))
            if self.calls:
                first = e.new(f"icmp eq i64 {k}, 1")
                self.now[jet.t.number] = e.new(f"uitofp i1 {first} to double")
        row = e.new(f"mul i64 {k}, {jet.size}")
        here = offset(e, "%c", row)
        for i, value in enumerate(jet.x):
            known_x = self.next_x[i] if self.past is not None and self.next_x else None
            loaded = known_x or e.new(f"load double, ptr {offset(e, here, i)}, align 8")
            self.now[value.number] = loaded
            self._store(value)
        self._store(jet.t)
        for value in jet.values:
            self.now[value.number] = self._coefficient(value)
            self._store(value)
        if self.shares and (not k.isdigit() or int(k) <= CHANGES):
            self._store_change()
        if jet.rates:
            one = e.constant(np.float64(1))
            following = e.new(f"fdiv double {one}, {e.new(f'fadd double {kd}, {one}')}")
            there = offset(e, "%c", e.new(f"add i64 {row}, {jet.size}"))
            self.next_x = []
            for i, rate in enumerate(jet.rates):
                x = self._now(rate)
                x = e.zero(DOUBLE) if x is None else e.new(f"fmul double {x}, {following}")
                e.say(f"store double {x}, ptr {offset(e, there, i)}, align 8")
                self.next_x.append(x)
        if jet.watched:
            base = offset(e, "%g", e.new(f"mul i64 {k}, {len(jet.watched)}"))
            for i, g in enumerate(jet.watched):
                x = self._now(g) or e.zero(DOUBLE)
                e.say(f"store double {x}, ptr {offset(e, base, i)}, align 8")

    def _store_change(self) -> None:
        """Store the largest change of order k among denominators and exponents in w[k]."""
        e, most = self.e, self.e.zero(DOUBLE)
        for x, relative in self.jet.sudden:
            now = self._mul(self._now(x), self.shares[x.number, relative])
            if now is not None:
                size = e.intrinsic("fabs", now)
                larger = e.compared("lt", DOUBLE, most, size)
                most = e.selected(larger, DOUBLE, size, most)
        e.say(f"store double {most}, ptr {offset(e, '%w', self.k)}, align 8")

    def _now(self, x: Scalar) -> str | None:
        """Return the coefficient of this order; None means zero."""
        return None if known(x) else self.now.get(x.number)

    # Store the coefficient of this order in each form that sums need: forward ("ahead"), reversed
    # ("back"), or multiplied by its order ("times").
    def _store(self, value: Value) -> None:
        kinds = self.stores.get(value.number)
        if not kinds:
            return
        e, x = self.e, self.now[value.number] or self.e.zero(DOUBLE)
        if self.past is not None:
            for kind in sorted(kinds):
                y = self.now[value.number]
                if kind == "times" and y is not None:
                    y = e.new(f"fmul double {self.kd}, {y}")
                self.past.setdefault((value.number, kind), [None]).append(y)
            return
        for kind in sorted(kinds):
            place = self.arrays.place(value.number, kind)
            if kind == "back":
                at = offset(e, self.back, place + self.arrays.order)
            else:
                at = offset(e, self.ahead, place)
            y = e.new(f"fmul double {self.kd}, {x}") if kind == "times" else x
            e.say(f"store double {y}, ptr {at}, align 8")

    def _sum(self, a: Scalar, kind: str, b: Scalar) -> str | None:
        """Return the sum over 0 < j < k of a_j b_(k - j), or of j a_j b_(k - j)."""
        if self.jet.is_still(a) or self.jet.is_still(b):
            return None
        if self.past is not None:
            none: list[str | None] = []
            mine = self.past.get((a.number, kind), none)
            return self._written_out(mine, self.past.get((b.number, "back"), none))
        if not self.vectors:
            return None
        key = (a.number, kind, b.number)
        if key in self.inner:
            return self.inner[key]
        e = self.e
        vector = f"<{VECTOR} x double>"
        ahead = self.arrays.place(a.number, kind) + 1
        back = self.arrays.place(b.number, "back") + self.arrays.order + 1
        at = offset(e, self.back, back)
        name = f"llvm.vector.reduce.fadd.v{VECTOR}f64"
        e.declared[name] = f"declare double @{name}(double, {vector})"
        if self.calls:
            there = offset(e, "%w", ahead)
            result = e.new(f"call double @dot(ptr {there}, ptr {at}, i64 {self.k})")
            self.inner[key] = result
            return result
        total = ""
        for i in range(self.vectors):
            x = e.new(f"load {vector}, ptr {offset(e, '%w', ahead + VECTOR * i)}, align 8")
            y = e.new(f"load {vector}, ptr {offset(e, at, VECTOR * i)}, align 8")
            term = e.new(f"fmul contract {vector} {x}, {y}")
            total = e.new(f"fadd contract {vector} {total}, {term}") if total else term
        zero = e.constant(np.float64(-0.0))
        result = e.new(f"call reassoc double @{name}(double {zero}, {vector} {total})")
        self.inner[key] = result
        return result

    def _written_out(self, a: list[str | None], b: list[str | None]) -> str | None:
        k, total = int(self.k), None
        # what was computed last is added last, so that the other terms need not wait
        for j in sorted(range(1, k), key=lambda j: max(j, k - j)):
            total = self._add(total, self._mul(a[j], b[k - j]))
        return total

    # -- arithmetic in which None is zero ----------------------------------------------------

    def _add(self, a: str | None, b: str | None) -> str | None:
        if a is None or b is None:
            return b if a is None else a
        return self.e.new(f"fadd contract double {a}, {b}")

    def _sub(self, a: str | None, b: str | None) -> str | None:
        if b is None:
            return a
        return self.e.new(f"fneg double {b}" if a is None else f"fsub contract double {a}, {b}")

    def _mul(self, a: str | None, b: str | None) -> str | None:
        return None if a is None or b is None else self.e.new(f"fmul contract double {a}, {b}")

    # The recurrences: the coefficient of order k of each operation from lower orders, and from
    # order k of its operands. For a chain c' = u a' it is c_k = u_0 a_k + sum_(0 < j < k) j a_j
    # u_(k-j) / k.
    def _coefficient(self, v: Value) -> str | None:
        e, jet, op, xs = self.e, self.jet, v.op, v.operands
        now = self._now
        if v.number in jet.chains:
            total = None
            for u, a in jet.chains[v.number].pairs:
                outer = self._mul(e.read(u), now(a))
                inner = self._mul(self._sum(a, "times", u), self.rk)
                total = self._add(total, self._add(outer, inner))
            return total
        if op == "add":
            return self._add(now(xs[0]), now(xs[1]))
        if op == "sub":
            return self._sub(now(xs[0]), now(xs[1]))
        if op == "neg":
            return self._sub(None, now(xs[0]))
        if op == "mul":
            a, b = xs
            first = self._mul(e.read(a), now(b))
            second = self._mul(now(a), e.read(b))
            return self._add(first, self._add(second, self._sum(a, "ahead", b)))
        if op == "div":
            a, b = xs
            known_part = self._add(self._mul(now(b), e.read(v)), self._sum(b, "ahead", v))
            return self._mul(self._sub(now(a), known_part), self.factors["div", v.number])
        if op == "sqrt":
            rest = self._sub(now(xs[0]), self._sum(v, "ahead", v))
            return self._mul(rest, self.factors["sqrt", v.number])
        if op == "select":
            return self._chosen(e.read(xs[0]), now(xs[2]), now(xs[1]))
        if op in ("max", "min"):
            return self._chosen(self.flags[v.number], now(xs[0]), now(xs[1]))
        if op == "abs":
            return self._chosen(self.flags[v.number], self._sub(None, now(xs[0])), now(xs[0]))
        if op in ("rem", "convert"):
            return now(xs[0])
        raise Unsupported(f"the function '{op}', for whose Taylor coefficients there is no rule")

    def _chosen(self, flag: str, yes: str | None, no: str | None) -> str | None:
        if yes is None and no is None:
            return None
        zero = self.e.zero(DOUBLE)
        return self.e.selected(flag, DOUBLE, yes or zero, no or zero)


def joined(parts: Iterable[JetCode], more: Sequence[str] = ()) -> str:
    """Join several functions to one module."""
    parts = list(parts)
    declared = {name: line for part in parts for name, line in part.declared.items()}
    texts = [part.text for part in parts]
    return "\n".join([*texts, *more, *(declared[k] for k in sorted(declared))]) + "\n"


__all__ = ["VECTOR", "WRITTEN_OUT", "JetCode", "jets", "joined", "values"]
