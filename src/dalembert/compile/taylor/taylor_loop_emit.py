"""Emit LLVM for the loop over steps of Taylor's method; `taylor_kernel` describes the method.

Functions of the module: @jets and @rates (`coefficient_emit`), @horner, @land, @inside, and @run,
the loop.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..cpu.emit import Emitter, offset
from ..ir.record import Recorded
from ..ir.simplify import simplified
from .coefficient_emit import VECTOR, JetCode, jets, joined, next_entries, values
from .coefficient_rules import BY_CONSTRAINT, CHANGES, Jet

_ROUND_OFF = 4096 * np.finfo(float).eps  # allowed error of a rate, relative to the rate
# A change of the rate is noise if a relative change of x by this much causes it.
_LAST_DIGITS = 64 * np.finfo(float).eps
_NOISE = 1e-7  # a defect below this fraction of the rate that no smaller step reduces is noise
_TRIES = 60  # most halvings of a step size
_SMALLEST = 2.0**-51  # the smallest step, relative to t
_HOPELESS = 1000.0  # most tiny steps in a row
CONTROL = 11  # numbers that steer a call: `taylor_kernel.control`
_CHANGED = 0.5  # steps with smaller relative changes of denominators need no inner check
_GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)  # fractional parts of its multiples are irregular
WELL, INFINITE, STALLED = 0, 1, 2  # how a call ended


class Parts(NamedTuple):
    """The recorded functions and the sizes that a loop is written from.

    `field` is f(constants, moving) as `Jet` takes it. `land` is a function of (shared, node, t1,
    dx), flattened, that returns the new q and the rest of the new node.
    """

    field: Recorded
    land: Recorded
    shared: int  # count of numbers that a whole run shares
    point: int  # count of numbers of q
    rest: int  # count of numbers of a node after q, t, its round-off and the last h: x and others
    velocity: int  # count of numbers of v, which are the last ones of x
    # the part of v that the constraint removes, needed if the constraint branches: the rate does
    # not show such a branch
    taken: Recorded | None = None


class RecordShape(NamedTuple):
    """How a record lies in memory."""

    point: int
    node: int
    size: int
    order: int
    scratch: int
    choices: int  # what decides branches or jumps, see `coefficient_rules`; 0 if there are none

    @property
    def field_chooses(self) -> bool:
        """Whether more than the constraint alone branches."""
        return bool(self.choices & ~BY_CONSTRAINT)

    @property
    def record(self) -> int:
        """The number of doubles of a record."""
        return self.node + 1 + (self.order + 1) * self.size

    def coefficients(self, records: np.ndarray) -> np.ndarray:
        """Return the coefficients (records, order + 1, size)."""
        return records[:, self.node + 1 :].reshape(len(records), self.order + 1, self.size)

    def times(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return when each record begins, the round-off of that time, and how long it lasts."""
        return records[:, self.point], records[:, self.point + 1], records[:, self.node]


def loop_text(parts: Parts, order: int) -> tuple[str, tuple[int, ...]]:
    """Return the text of the whole loop, and the numbers of its `RecordShape`."""
    size = parts.field.results.width
    jet = Jet(simplified(parts.field), size, parts.shared)
    code = jets(jet, order)
    node = parts.point + 3 + parts.rest
    scratch = code.scratch + 3 * size + max(size, len(jet.breaks()))
    more = parts.taken and Jet(parts.taken, size, parts.shared, follow=False)
    choices = jet.choices | (BY_CONSTRAINT if more else 0)
    shape = RecordShape(parts.point, node, size, order, scratch, choices)
    pieces = [code, _horner(parts, shape), _land(parts, shape), values(jet, "rates")]
    pieces += [values(jet, "breaks", next_entries(jet))] if jet.breaks() else []
    pieces += [_inside(parts, shape), _run(parts, shape, code.scratch, jet), _members(parts)]
    pieces += [values(more, "taken")] if more else []
    return joined(pieces), tuple(shape)


def _land(parts: Parts, shape: RecordShape) -> JetCode:
    """Emit void @land(shared, node, t1, dx, new)."""
    e, r = _Text(), parts.land
    (inputs,) = r.inputs
    needed = r.needed()
    node = parts.shared + shape.node
    for j, value in enumerate(inputs):
        if value.number not in needed:
            continue
        if j < parts.shared:
            where = offset(e, "%shared", j)
        elif j < node:
            where = offset(e, "%node", j - parts.shared)
        elif j == node:
            e.names[value.number] = "%time"
            continue
        else:
            where = offset(e, "%dx", j - node - 1)
        e.names[value.number] = e.loaded(where, value.dtype)
    for block in r.tape.levels:
        e.block(block, needed)
    for j, x in enumerate(r.outputs):
        e.stored(x, x.dtype, offset(e, "%new", j if j < parts.point else j + 3))
    e.say("ret void")
    pointers = (
        "ptr noalias %shared, ptr noalias %node, double %time, ptr noalias %dx, ptr noalias %new"
    )
    return e.definition(f"define internal void @land({pointers})")


class _Text(Emitter):
    """An emitter with a few more instructions."""

    def definition(self, head: str) -> JetCode:
        """Return the function of this head, with all lines so far."""
        text = f"{head} {{\nentry:\n" + "\n".join(self.lines) + "\n}\n"
        return JetCode(text, 0, self.declared)

    @contextlib.contextmanager
    def over(self, count: str) -> Iterator[None]:
        """Emit a loop over %i below `count`, after which the function returns."""
        self.say("br label %head")
        self.start_block("head")
        self.say("%i = phi i64 [ 0, %entry ], [ %i.new, %body ]")
        self.say(f"%more = icmp slt i64 %i, {count}")
        self.say("br i1 %more, label %body, label %done")
        self.start_block("body")
        yield
        self.say("%i.new = add i64 %i, 1")
        self.say("br label %head")
        self.start_block("done")
        self.say("ret void")

    def max(self, a: str, b: str) -> str:
        # a NaN on the left is returned
        less = self.new(f"fcmp olt double {a}, {b}")
        return self.new(f"select i1 {less}, double {b}, double {a}")

    def load(self, pointer: str, j: int | str) -> str:
        return self.new(f"load double, ptr {offset(self, pointer, j)}, align 8")

    def store(self, x: str, pointer: str, j: int | str) -> None:
        self.say(f"store double {x}, ptr {offset(self, pointer, j)}, align 8")

    def f(self, op: str, a: str, b: str) -> str:
        return self.new(f"{op} contract double {a}, {b}")

    def number(self, x: float) -> str:
        return self.constant(np.float64(x))

    def power(self, a: str, exponent: float) -> str:
        return self.intrinsic("pow", a, self.number(exponent))

    def logarithm(self, a: str) -> str:
        """Return log2(a), a >= 0, approximately: the exponent plus a linear function of the digits.

        Its error is at most 0.09. The step size that follows from it is off by a hundredth, which
        does not matter.
        """
        bits = self.new(f"sitofp i64 {self.new(f'bitcast double {a} to i64')} to double")
        return self.f("fsub", self.f("fmul", bits, self.number(2.0**-52)), self.number(1022.957))

    def minimum(self, a: str, b: str) -> str:
        return self.intrinsic("minnum", a, b)

    def clear(self, pointer: str, count: int) -> None:
        """Clear what an expansion left: vector sums read beyond their entries, times zero."""
        self.declared["llvm.memset"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
        self.say(f"call void @llvm.memset.p0.i64(ptr {pointer}, i8 0, i64 {8 * count}, i1 false)")

    def chunks(self, first: int, count: int) -> tuple[int, list[int]]:
        """Return how many numbers to take at once, and the starts; the last chunk may overlap."""
        width = min(VECTOR, count)
        starts = list(range(first, first + count - width + 1, width)) if count else []
        if starts and starts[-1] + width < first + count:
            starts.append(first + count - width)
        return width, starts

    def several(self, pointer: str, j: int, width: int) -> str:
        return self.new(f"load <{width} x double>, ptr {offset(self, pointer, j)}, align 8")

    def largest(self, pointer: str, first: int, count: int, other: str = "") -> str:
        """Return the largest absolute value, or difference from `other`; NaN if one is NaN.

        They are compared as integers, where NaN is larger than all numbers.
        """
        width, starts = self.chunks(first, count)
        if not starts:
            return self.number(0.0)
        double, bits, most = f"<{width} x double>", f"<{width} x i64>", ""
        for j in starts:
            x = self.several(pointer, j, width)
            if other:
                x = self.new(f"fsub {double} {x}, {self.several(other, j, width)}")
            x = self.new(f"bitcast {double} {x} to {bits}")
            x = self.new(f"and {bits} {x}, splat (i64 {2**63 - 1})")
            if most:
                more = self.new(f"icmp sgt {bits} {x}, {most}")
                x = self.new(f"select <{width} x i1> {more}, {bits} {x}, {bits} {most}")
            most = x
        name = f"llvm.vector.reduce.smax.v{width}i64"
        self.declared[name] = f"declare i64 @{name}({bits})"
        return self.new(f"bitcast i64 {self.new(f'call i64 @{name}({bits} {most})')} to double")


def _horner(parts: Parts, shape: RecordShape) -> JetCode:
    """Emit void @horner(c, h, dx, slope): x(h) - x(0), and v'(h), of the polynomial."""
    e = _Text()
    size, n = shape.size, parts.velocity
    width, starts = e.chunks(0, size)
    narrow, tails = e.chunks(size - n, n)
    # (name, width, first entry, whether its derivative is computed)
    sums = [(f"a{i}", width, j, False) for i, j in enumerate(starts)]
    sums += [(f"v{i}", narrow, j, True) for i, j in enumerate(tails)]
    step = {}
    for w in {width, narrow}:
        vector, zeros = f"<{w} x double>", f"<{w} x i32> zeroinitializer"
        one = e.new(f"insertelement {vector} poison, double %h, i64 0")
        step[w] = e.new(f"shufflevector {vector} {one}, {vector} poison, {zeros}")
    e.say("br label %order")
    e.start_block("order")
    e.say(f"%k = phi i64 [ {shape.order}, %entry ], [ %k.new, %order ]")
    lines, phis = len(e.lines), []
    row = offset(e, "%c", e.new(f"mul i64 %k, {size}"))
    for name, w, j, has_slope in sums:
        # total = c_k + h (c_(k+1) + ...), and its derivative in h
        if has_slope:
            e.say(f"%d{name}.new = {_fma(e, w, f'%d{name}', step[w], f'%{name}')}")
        e.say(f"%{name}.new = {_fma(e, w, f'%{name}', step[w], e.several(row, j, w))}")
        for x in (name, f"d{name}") if has_slope else (name,):
            start = "[ zeroinitializer, %entry ]"
            phis.append(f"  %{x} = phi <{w} x double> {start}, [ %{x}.new, %order ]")
    e.lines[lines:lines] = phis
    e.say("%k.new = add i64 %k, -1")
    e.say("%more = icmp sgt i64 %k.new, 0")
    e.say("br i1 %more, label %order, label %done")
    e.start_block("done")
    for name, w, j, has_slope in sums:
        vector = f"<{w} x double>"
        if has_slope:
            x = e.new(_fma(e, w, f"%d{name}.new", step[w], f"%{name}.new"))
            e.say(f"store {vector} {x}, ptr {offset(e, '%slope', j)}, align 8")
        else:
            x = e.new(f"fmul {vector} %{name}.new, {step[w]}")
            e.say(f"store {vector} {x}, ptr {offset(e, '%dx', j)}, align 8")
    e.say("ret void")
    head = "define internal void @horner(ptr %c, double %h, ptr noalias %dx, ptr noalias %slope)"
    return e.definition(head)


def _fma(e: Emitter, width: int, a: str, b: str, c: str) -> str:
    vector, name = f"<{width} x double>", f"llvm.fmuladd.v{width}f64"
    e.declared[name] = f"declare {vector} @{name}({vector}, {vector}, {vector})"
    return f"call {vector} @{name}({vector} {a}, {vector} {b}, {vector} {c})"


def _inside(parts: Parts, shape: RecordShape) -> JetCode:
    """Emit double @inside(shared, node, h, begin, part, c, dx, slope, x): the defect inside a step.

    Part k of the run is checked at the time (k + frac(k golden)) part after its beginning.
    """
    e = _Text()
    size, n, zero = shape.size, parts.velocity, e.number(0.0)
    t = e.load("%node", parts.point)
    since = e.f("fsub", t, "%begin")
    first, last = (
        e.intrinsic("floor", e.f("fdiv", x, "%part")) for x in (since, e.f("fadd", since, "%h"))
    )
    e.say("br label %head")
    e.start_block("head")
    e.say(f"%k = phi double [ {first}, %entry ], [ %k.new, %next ]")
    e.say(f"%worst = phi double [ {zero}, %entry ], [ %worst.new, %next ]")
    e.say(f"%more = fcmp ole double %k, {last}")
    e.say("br i1 %more, label %part.k, label %done")
    e.start_block("part.k")
    turns = e.f("fmul", "%k", e.number(_GOLDEN))
    behind = e.f("fsub", turns, e.intrinsic("floor", turns))
    behind = e.f("fmul", e.f("fadd", "%k", behind), "%part")
    s = e.f("fsub", behind, since)
    after, before = e.new(f"fcmp ogt double {s}, {zero}"), e.new(f"fcmp olt double {s}, %h")
    inner = e.new(f"and i1 {after}, {before}")
    e.say(f"br i1 {inner}, label %look, label %next")
    e.start_block("look")
    e.say(f"call void @horner(ptr %c, double {s}, ptr %dx, ptr %slope)")
    for i in range(size):
        e.store(e.f("fadd", e.load("%c", i), e.load("%dx", i)), "%x", i)
    now = e.f("fadd", t, s)
    e.say(f"call void @rates(ptr %shared, ptr %node, double {now}, ptr %x, ptr %dx)")
    found = e.new(_maximum(e, "%worst", e.largest("%dx", size - n, n, "%slope")))
    if parts.taken is not None:
        e.say(f"call void @taken(ptr %shared, ptr %node, double {now}, ptr %x, ptr %dx)")
        found = e.new(_maximum(e, found, e.f("fdiv", e.largest("%dx", 0, n), "%h")))
    e.say("br label %next")
    e.start_block("next")
    e.say(f"%worst.new = phi double [ %worst, %part.k ], [ {found}, %look ]")
    e.say(f"%k.new = fadd double %k, {e.number(1.0)}")
    e.say("br label %head")
    e.start_block("done")
    e.say("ret double %worst")
    names = ("c", "dx", "slope", "x")
    pointers = ", ".join(f"ptr noalias %{x}" for x in names)
    times = "double %h, double %begin, double %part"
    head = f"define internal double @inside(ptr %shared, ptr %node, {times}, {pointers})"
    return e.definition(head)


def _maximum(e: Emitter, a: str, b: str) -> str:
    e.declared["llvm.maximum.f64"] = "declare double @llvm.maximum.f64(double, double)"
    # NaN is returned if either is NaN
    return f"call double @llvm.maximum.f64(double {a}, double {b})"


# Emit i64 @run(shared, records, w, control, capacity, keep): the loop over steps, which returns
# their number. `taylor_kernel.control` describes `control`.
def _run(parts: Parts, shape: RecordShape, scratch: int, jet: Jet) -> JetCode:
    e = _Text()
    always = shape.choices or jet.degree > shape.order  # check inside every step?
    n, size, p = parts.velocity, shape.size, shape.order
    q_end = parts.point  # index of t in a node; then come its round-off and h
    before = size - n  # count of numbers of x that are not velocities
    c_at = shape.node + 1
    zero = e.number(0.0)

    def expand(node: str) -> None:
        """Compute the coefficients around a node, whose rest begins with x itself."""
        c = offset(e, node, c_at)
        for i in range(size):
            e.store(e.load(node, q_end + 3 + i), c, i)
        e.say(f"call void @jets(ptr %shared, ptr {node}, ptr {c}, ptr null, ptr %w)")

    # w: scratch of @jets, then four vectors of length `size` (the last may be longer, for breaks)
    dx, slope, x, rates = (offset(e, "%w", scratch + i * size) for i in range(4))
    end, factor, allowed, pause = (e.load("%control", j) for j in range(4))
    expand("%records")
    first = e.label
    e.say("br label %step")

    e.start_block("step")
    # one step from %node, whose coefficients are known
    e.say(f"%steps = phi i64 [ 0, %{first} ], [ %count, %on ]")
    e.say(f"%node = phi ptr [ %records, %{first} ], [ %new, %on ]")
    t, lost, last_h = (e.load("%node", q_end + j) for j in range(3))
    changes = [e.load("%w", j) for j in range(1, CHANGES + 1)]
    c = offset(e, "%node", c_at)
    # Magnitudes of positions and velocities, for relative errors: v may be zero at the node, but
    # not its change within the step.
    speed, rise = e.largest(c, before, n), e.largest(c, size + before, n)
    far, moved = e.largest("%node", 0, q_end), e.largest(c, size, before)
    tops = [
        (e.largest(c, j * size, before), e.largest(c, j * size + before, n)) for j in (p - 1, p)
    ]
    tiny = e.number(1e-300)
    first_of_all = e.new(f"fcmp ogt double {last_h}, {zero}")
    e.say(f"br i1 {first_of_all}, label %scaled, label %unscaled")
    # the first step has no previous step size: guess the scale from the last coefficients
    e.start_block("unscaled")
    top = e.max(tops[1][1], tiny)
    ratio = e.f("fdiv", e.max(e.max(rise, e.f("fmul", speed, e.number(1e-3))), tiny), top)
    guess = e.minimum(e.power(ratio, 1.0 / (p - 1)), e.number(1e3))
    e.say("br label %scaled")
    e.start_block("scaled")
    e.say(f"%scale = phi double [ {last_h}, %step ], [ {guess}, %unscaled ]")
    size_v = e.max(e.max(speed, e.f("fmul", rise, "%scale")), tiny)
    size_x = e.max(e.max(far, e.f("fmul", moved, "%scale")), tiny)
    # log2 of the two estimates of the radius of convergence, as of Jorba and Zou
    radii = []
    for j, (top_x, top_v) in zip((p - 1, p), tops):
        ratio = e.max(e.f("fdiv", top_v, size_v), e.f("fdiv", top_x, size_x))
        radii.append(e.f("fmul", e.logarithm(ratio), e.number(-1.0 / j)))
    stop = end
    if jet.breaks():
        # a step ends at the next entry of a table: up to there the table is smooth
        e.say(f"call void @breaks(ptr %shared, ptr %node, double {t}, ptr {c}, ptr {rates})")
        for i in range(len(jet.breaks())):
            stop = e.minimum(stop, e.load(rates, i))
    rest = e.f("fsub", e.new(f"fsub double {stop}, {t}"), lost)
    radius = e.intrinsic("exp2", e.minimum(*radii))
    wanted = e.minimum(e.f("fmul", radius, factor), rest)
    if shape.choices:
        wanted = e.minimum(wanted, e.load("%control", 6))
    total = e.f("fadd", e.f("fadd", *tops[0]), e.f("fadd", *tops[1]))
    finite = e.new(f"fcmp olt double {total}, {e.number(math.inf)}")
    e.say(f"br i1 {finite}, label %try, label %infinite")

    # try a step of size %h.wanted, halved until it passes
    e.start_block("try")
    e.say(f"%h.wanted = phi double [ {wanted}, %scaled ], [ %h.half, %again ]")
    e.say("%tries = phi i64 [ 0, %scaled ], [ %tries.new, %again ]")
    e.say(f"%worst = phi double [ {e.number(math.inf)}, %scaled ], [ %defect, %again ]")
    # a step that ends just before the stop is extended to it, so that no tiny step is left
    near = e.f("fmul", "%h.wanted", e.number(1.0 + 1e-9))
    is_last = e.new(f"fcmp ole double {rest}, {near}")
    h = e.new(f"select i1 {is_last}, double {rest}, double %h.wanted")
    # compensated sum: `lost` carries the round-off of t from step to step
    more = e.new(f"fadd double {h}, {lost}")
    t1 = e.new(f"select i1 {is_last}, double {stop}, double {e.new(f'fadd double {t}, {more}')}")
    left = e.new(f"fsub double {more}, {e.new(f'fsub double {t1}, {t}')}")
    left = e.new(f"select i1 {is_last}, double {zero}, double {left}")
    part, begin, distance = (e.load("%control", j) for j in (7, 8, 9))
    change = zero
    for coefficient in reversed(changes):
        change = e.f("fmul", e.f("fadd", change, coefficient), h)
    # check inside the step only if something may hide there ("ugt" is true for NaN)
    hides = e.new(f"fcmp ugt double {change}, {e.number(-1.0 if always else _CHANGED)}")
    e.say(f"br i1 {hides}, label %inside, label %ahead")
    e.start_block("inside")
    looked = e.new(
        f"call double @inside(ptr %shared, ptr %node, double {h}, double {begin}, "
        f"double {part}, ptr {c}, ptr {dx}, ptr {slope}, ptr {x})"
    )
    e.say("br label %ahead")
    e.start_block("ahead")
    inner = e.new(f"phi double [ {zero}, %try ], [ {looked}, %inside ]")
    e.say(f"call void @horner(ptr {c}, double {h}, ptr {dx}, ptr {slope})")
    # the next node, in the next record
    e.say("%count = add i64 %steps, 1")
    # without `keep` two records take turns
    kept, odd = e.new("icmp ne i64 %keep, 0"), e.new("and i64 %count, 1")
    place = e.new(f"select i1 {kept}, i64 %count, i64 {odd}")
    place = e.new(f"mul i64 {place}, {shape.record}")
    e.say(f"%new = getelementptr double, ptr %records, i64 {place}")
    e.say(f"call void @land(ptr %shared, ptr %node, double {t1}, ptr {dx}, ptr %new)")
    for j, value in enumerate((t1, left, h)):
        e.store(value, "%new", q_end + j)
    expand("%new")
    c_new = offset(e, "%new", c_at)
    off = e.largest(offset(e, c_new, size), before, n, slope)
    if jet.breaks():
        # At a table entry the rate is evaluated just before it: it may jump there, and the
        # expansion around the new node is already that of the next piece.
        for i in range(size):
            e.store(e.f("fadd", e.load(c, i), e.load(dx, i)), x, i)
        early = e.call("nextafter", t1, e.number(-math.inf))
        e.say(f"call void @rates(ptr %shared, ptr %node, double {early}, ptr {x}, ptr {rates})")
        own = e.largest(rates, before, n, slope)
        off = e.new(f"select i1 {is_last}, double {own}, double {off}")
    size_a = e.max(rise, e.largest(c_new, size + before, n))
    # the part of the velocity that the constraint removes counts as an error, too
    for i in range(before, size):
        e.store(e.f("fadd", e.load(c, i), e.load(dx, i)), x, i)
    taken = e.f("fdiv", e.largest(c_new, before, n, x), h)
    off = e.new(_maximum(e, off, taken))
    e.say(f"%defect = {_maximum(e, off, inner)}")
    # h (defect) <= allowed (size of v) + h (round-off of the rate)
    rounding = e.f("fmul", h, e.f("fmul", size_a, e.number(_ROUND_OFF)))
    room = e.f("fadd", e.f("fmul", allowed, size_v), rounding)
    good = e.new(f"fcmp ole double {e.f('fmul', '%defect', h)}, {room}")
    # a defect that half the step does not reduce is noise of the rate itself
    stays = e.new(f"fcmp oge double %defect, {e.f('fmul', '%worst', e.number(0.5))}")
    small = e.new(f"fcmp ole double %defect, {e.f('fmul', size_a, e.number(_NOISE))}")
    good = e.new(f"or i1 {good}, {e.new(f'and i1 {stays}, {small}')}")
    # neither infinite nor NaN
    sized = e.new(f"fcmp olt double %defect, {e.number(math.inf)}")
    good = e.new(f"and i1 {good}, {sized}")
    if shape.choices:  # the last digits of x may decide which branch is taken
        e.say(f"br i1 {good}, label %go, label %again")
    else:
        e.say(f"br i1 {good}, label %go, label %noisy")
        # At rest all magnitudes above vanish, but the round-off of forces that cancel does not. So
        # the change of the rate that a change of x in its last digits causes does not count as a
        # defect of the step.
        e.start_block("noisy")
        for i in range(size):
            e.store(e.f("fadd", e.load(c, i), e.load(dx, i)), x, i)
        e.say(f"call void @rates(ptr %shared, ptr %node, double {t1}, ptr {x}, ptr {rates})")
        for i in range(size):
            # different sizes and signs, so that differences of coordinates change, too
            digits = _LAST_DIGITS * (1.0 + 0.37 * (i % 5)) * (-1.0) ** i
            moved_by = e.f("fmul", speed if i >= before else far, e.number(digits))
            e.store(e.f("fadd", e.load(x, i), moved_by), x, i)
        e.say(f"call void @rates(ptr %shared, ptr %node, double {t1}, ptr {x}, ptr {slope})")
        noise = e.largest(rates, before, n, slope)
        is_noise = e.new(f"fcmp ole double %defect, {noise}")
        e.say(f"br i1 {is_noise}, label %go, label %again")

    e.start_block("again")
    e.clear("%w", scratch)
    e.say(f"%h.half = fmul double {h}, {e.number(0.5)}")
    e.say("%tries.new = add i64 %tries, 1")
    patient = e.new(f"icmp slt i64 %tries.new, {_TRIES}")
    floor = e.f("fadd", e.intrinsic("fabs", t), wanted)
    floor = e.f("fmul", floor, e.number(_SMALLEST))
    moves = e.new(f"fcmp ogt double %h.half, {floor}")
    e.say(f"br i1 {e.new(f'and i1 {patient}, {moves}')}, label %try, label %jump")

    # A jump of the rate is stepped over by the smallest possible step. If that happens again close
    # to the last jump, the call stalls: the motion stays where the rate has no value.
    e.start_block("jump")
    since = e.new(f"fsub double {t}, {e.load('%control', 5)}")
    apart = e.new(f"fcmp ogt double {since}, {e.max(distance, floor)}")
    sound = e.new(f"fcmp ord double %defect, {zero}")
    e.store(t, "%control", 5)
    e.say(f"br i1 {e.new(f'and i1 {apart}, {sound}')}, label %go, label %stalled")

    # Count tiny steps in a row. Too many mean that the motion goes along a jump, or into a
    # singularity, and would never reach the end.
    e.start_block("go")
    e.store(h, "%node", shape.node)
    tiny_steps = e.f("fadd", e.load("%control", 10), e.number(1.0))
    is_tiny = e.new(f"fcmp olt double {h}, {distance}")
    tiny_steps = e.new(f"select i1 {is_tiny}, double {tiny_steps}, double {zero}")
    e.store(tiny_steps, "%control", 10)
    hopeless = e.new(f"fcmp ogt double {tiny_steps}, {e.number(_HOPELESS)}")
    e.say(f"br i1 {hopeless}, label %stalled, label %on")
    e.start_block("on")
    full = e.new("icmp sge i64 %count, %capacity")
    enough = e.new(f"or i1 {full}, {e.new(f'fcmp oge double {t1}, {pause}')}")
    ended = e.new(f"and i1 {is_last}, {e.new(f'fcmp oge double {t1}, {end}')}")
    e.say(f"br i1 {e.new(f'or i1 {ended}, {enough}')}, label %done, label %step")
    e.start_block("done")
    e.say("ret i64 %count")
    for name, result in (("infinite", INFINITE), ("stalled", STALLED)):
        e.start_block(name)
        e.store(e.number(result), "%control", 4)
        e.say("ret i64 %steps")
    # called once for each member: to optimize it again inside of @run takes a fifth longer
    head = (
        "define internal i64 @steps(ptr noalias %shared, ptr noalias %records, ptr noalias %w, "
        "ptr noalias %control, i64 %capacity, i64 %keep) noinline"
    )
    return e.definition(head)


def _members(parts: Parts) -> JetCode:
    """Emit void @run(shared, records, w, control, counts, capacity, keep, members, size).

    One member after the other makes its steps by @steps, from its own parameters, node and control;
    `size` is the length of its records. The number of its steps is written to `counts`.
    """
    e = _Text()
    with e.over("%members"):
        shared = offset(e, "%shared", e.new(f"mul i64 %i, {parts.shared}"))
        records = offset(e, "%records", e.new("mul i64 %i, %size"))
        control = offset(e, "%control", e.new(f"mul i64 %i, {CONTROL}"))
        given = f"ptr {shared}, ptr {records}, ptr %w, ptr {control}, i64 %capacity, i64 %keep"
        count = e.new(f"call i64 @steps({given})")
        e.say(f"store i64 {count}, ptr {e.new('getelementptr i64, ptr %counts, i64 %i')}")
    pointers = ("shared", "records", "w", "control", "counts")
    numbers = ("capacity", "keep", "members", "size")
    given = ", ".join([*(f"ptr noalias %{x}" for x in pointers), *(f"i64 %{x}" for x in numbers)])
    return e.definition(f"define void @run({given})")


def observing_text(shape: RecordShape, count: int, scratch: int, width: int) -> JetCode:
    """Emit void @run(shared, records, out, w, n): coefficients of functions, by their @jets.

    `shared` has `width` numbers for each record.
    """
    e = _Text()
    with e.over("%n"):
        node = offset(e, "%records", e.new(f"mul i64 %i, {shape.record}"))
        g = offset(e, "%out", e.new(f"mul i64 %i, {(shape.order + 1) * count}"))
        c = offset(e, node, shape.node + 1)
        e.clear("%w", scratch)
        shared = offset(e, "%shared", e.new(f"mul i64 %i, {width}"))
        e.say(f"call void @jets(ptr {shared}, ptr {node}, ptr {c}, ptr {g}, ptr %w)")
    pointers = ", ".join(f"ptr noalias %{x}" for x in ("shared", "records", "out", "w"))
    return e.definition(f"define void @run({pointers}, i64 %n)")


__all__ = [
    "CONTROL",
    "INFINITE",
    "STALLED",
    "WELL",
    "Parts",
    "RecordShape",
    "loop_text",
    "observing_text",
]
