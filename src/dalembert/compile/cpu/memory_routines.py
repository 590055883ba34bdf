"""Emit LLVM routines on matrices in memory: products and copies, one routine for all sizes.

A matrix is stored by rows, each padded to a multiple of `PAD` elements; the number of rows is
padded to a multiple of `BLOCK`. An element is a double, or a vector of the members that are
computed at once. Inner loops go along rows by units: vectors of `PAD` doubles, or one element of
members.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

PAD, BLOCK = 8, 4


def stride(columns: int) -> int:
    """Return the number of elements from one row to the next."""
    return -(-columns // PAD) * PAD


def room(rows: int, columns: int) -> int:
    """Return the number of elements that a matrix takes."""
    return -(-rows // BLOCK) * BLOCK * stride(columns)


class RoutineCode:
    """Writes the text of one routine."""

    def __init__(self, width: int) -> None:
        self.width = width
        # One member: an element is a double, and a unit is a vector of `PAD` elements. Many
        # members: an element is a vector of members, and a unit is one element.
        self.element = "double" if width == 1 else f"<{width} x double>"
        self.lanes = PAD if width == 1 else width
        self.vector = f"<{self.lanes} x double>"  # type of a unit
        self.unit = PAD if width == 1 else 1  # elements per unit
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        self.label = "entry"
        self.index = ""
        self._count = 0

    def say(self, line: str) -> None:
        self.lines.append("  " + line)

    def new(self, right: str) -> str:
        self._count += 1
        self.say(f"%t{self._count} = {right}")
        return f"%t{self._count}"

    def block(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label = label

    def loop(
        self,
        first: str,
        end: str,
        step: int,
        body: Callable[..., Sequence[str]],
        carried: Sequence[tuple[str, str]] = (),
    ) -> list[str]:
        """Emit a loop over i from `first` until `end`, excluded; the step may be negative.

        `carried` has (type, start) of each value that is passed from iteration to iteration. The
        names of these values after the loop are returned.
        """
        self._count += 1
        tag = self._count
        head, inside, done = (f"{x}.{tag}" for x in ("head", "body", "done"))
        # phis are inserted at `at` when the values of the next iteration are known.
        before = self.label
        self.say(f"br label %{head}")
        self.block(head)
        at = len(self.lines)
        i, names = f"%i{tag}", [f"%c{tag}.{k}" for k in range(len(carried))]
        self.say(f"%go{tag} = icmp {'slt' if step > 0 else 'sgt'} i64 {i}, {end}")
        self.say(f"br i1 %go{tag}, label %{inside}, label %{done}")
        self.block(inside)
        result = body(i, *names) or ()
        following = self.new(f"add i64 {i}, {step}")
        phis = [f"  {i} = phi i64 [ {first}, %{before} ], [ {following}, %{self.label} ]"]
        for name, (kind, start), x in zip(names, carried, result):
            phis.append(f"  {name} = phi {kind} [ {start}, %{before} ], [ {x}, %{self.label} ]")
        # The first instructions of the head, as LLVM demands.
        self.lines[at:at] = phis
        self.say(f"br label %{head}")
        self.block(done)
        self.index = i  # the value of i after the loop
        return names

    def tiles(self, first: str, end: str, body: Callable[[Sequence[str]], None]) -> None:
        """Loop over columns from `first` to before `end`, two units at a time, then the rest."""

        # Two units at once hide the latency of a multiply-add.
        def pair(j: str) -> Sequence[str]:
            body([j, self.whole("add", j, self.unit)])
            return ()

        def single(j: str) -> Sequence[str]:
            body([j])
            return ()

        self.loop(first, self.whole("sub", end, self.unit), 2 * self.unit, pair)
        # What a pair did not cover.
        self.loop(self.index, end, self.unit, single)

    # -- numbers and addresses ---------------------------------------------------------------

    def whole(self, op: str, a: str | int, b: str | int) -> str:
        return self.new(f"{op} i64 {a}, {b}")

    def at(self, pointer: str, row: str | int, ld: str | int, column: str | int = 0) -> str:
        """Return the address of an element."""
        # Rows are padded to a stride, so that every unit is aligned.
        place = self.whole("add", self.whole("mul", row, ld), column)
        return self.new(f"getelementptr {self.element}, ptr {pointer}, i64 {place}")

    def load(self, pointer: str, kind: str | None = None) -> str:
        return self.new(f"load {kind or self.vector}, ptr {pointer}, align 8")

    def store(self, x: str, pointer: str, kind: str | None = None) -> None:
        self.say(f"store {kind or self.vector} {x}, ptr {pointer}, align 8")

    def _all(self, x: str) -> str:
        one = self.new(f"insertelement {self.vector} poison, double {x}, i64 0")
        zeros = f"<{self.lanes} x i32> zeroinitializer"
        return self.new(f"shufflevector {self.vector} {one}, {self.vector} poison, {zeros}")

    def spread(self, x: str) -> str:
        """Return an element as a unit."""
        return x if self.width > 1 else self._all(x)

    def spread_number(self, x: str) -> str:
        """Return a double as an element."""
        return self._all(x) if self.width > 1 else x

    def take(self, pointer: str) -> str:
        """Load an element, as a unit of equal ones."""
        return self.spread(self.load(pointer, self.element))

    def intrinsic(self, name: str, kind: str, *xs: str, flags: str = "") -> str:
        suffix = "f64" if kind == "double" else f"v{self.lanes}f64"
        full = f"llvm.{name}.{suffix}"
        types = ", ".join([kind] * len(xs))
        self.declared[full] = f"declare {kind} @{full}({types})"
        given = ", ".join(f"{kind} {x}" for x in xs)
        return self.new(f"call {flags} {kind} @{full}({given})")

    def minus_product(self, c: str, a: str, b: str, kind: str | None = None) -> str:
        """Return c - a b."""
        # a is negated, not the product: the fused operation rounds once.
        kind = kind or self.vector
        return self.intrinsic("fmuladd", kind, self.new(f"fneg {kind} {a}"), b, c)

    def constant(self, x: str, kind: str) -> str:
        return x if kind == "double" else f"splat (double {x})"

    def chosen(self, op: str, kind: str, a: str, b: str, yes: str, no: str) -> str:
        """Return yes where a op b, else no."""
        # Comparisons are false for NaN, which decides `yes` and `no` on purpose in each use.
        flag = "i1" if kind == "double" else f"<{self.lanes} x i1>"
        which = self.new(f"fcmp {op} {kind} {a}, {b}")
        return self.new(f"select {flag} {which}, {kind} {yes}, {kind} {no}")

    def routine(self, name: str, arguments: str) -> str:
        self.say("ret void")
        # noinline: one copy of a routine for all its calls.
        head = f"define internal void @{name}({arguments}) noinline nounwind {{\nentry:\n"
        return head + "\n".join(self.lines) + "\n}"


NAN, ONE, ZERO = "0x7FF8000000000000", "1.0", "0.0"


def updated(
    c: RoutineCode,
    terms: tuple[str, str],
    columns: Sequence[str],
    start: Sequence[str],
    factor: Callable[[int, str], str],
    source: Callable[[str, str], str],
    minus: bool,
) -> list[str]:
    """Return start +- sum over k of factor(row, k) source(k, column): a tile, row by row."""
    # Rows of a tile share the loads of x, columns share those of a.
    width = len(columns)

    # One multiply-add per row and column: the accumulators stay in registers.
    def term(k: str, *sums: str) -> Sequence[str]:
        xs = [c.load(source(k, j)) for j in columns]
        result = []
        for r in range(len(sums) // width):
            a = c.take(factor(r, k))
            a = c.new(f"fneg {c.vector} {a}") if minus else a
            for x, total in zip(xs, sums[r * width :]):
                result.append(c.intrinsic("fmuladd", c.vector, a, x, total))
        return result

    return c.loop(*terms, 1, term, [(c.vector, x) for x in start])


def matmul(c: RoutineCode, rows: int) -> str:
    """Emit c = a b, `rows` rows at once; element (i, k) of a is at a[i rs + k cs]."""

    def block(i: str) -> Sequence[str]:
        lines = [c.whole("add", i, r) for r in range(rows)]

        def tile(columns: Sequence[str]) -> None:
            result = updated(
                c,
                ("0", "%k"),
                columns,
                # One accumulator per row and column, all zero at first.
                ["zeroinitializer"] * (rows * len(columns)),
                lambda r, k: c.at("%a", lines[r], "%rs", c.whole("mul", k, "%cs")),
                lambda k, j: c.at("%b", k, "%ldb", j),
                minus=False,
            )
            places = [(line, j) for line in lines for j in columns]
            for (line, j), x in zip(places, result):
                c.store(x, c.at("%c", line, "%ldc", j))

        c.tiles("0", "%n", tile)
        return ()

    c.loop("0", "%m", rows, block)
    # Strides of a are given apart, so that a transposed matrix is multiplied without a copy.
    given = "ptr %c, i64 %ldc, ptr %a, i64 %rs, i64 %cs, ptr %b, i64 %ldb, i64 %m, i64 %n, i64 %k"
    return c.routine(f"memory.matmul{rows}", given)


def matvec(c: RoutineCode) -> str:
    """Emit y = a x, by rows of a."""
    # Dot products along the row: entries beyond k are padding and must not count.
    if c.width == 1:
        rest = c.whole("srem", "%k", PAD)
        full = c.whole("sub", "%k", rest)
        some = c.new(f"insertelement <{PAD} x i64> poison, i64 {rest}, i64 0")
        zeros = f"<{PAD} x i32> zeroinitializer"
        some = c.new(f"shufflevector <{PAD} x i64> {some}, <{PAD} x i64> poison, {zeros}")
        places = ", ".join(f"i64 {i}" for i in range(PAD))
        mask = c.new(f"icmp slt <{PAD} x i64> <{places}>, {some}")
    else:
        full, mask = "%k", ""

    def row(i: str) -> Sequence[str]:
        def term(j: str, total: str) -> Sequence[str]:
            a, x = c.load(c.at("%a", i, "%lda", j)), c.load(c.at("%x", 0, 0, j))
            return [c.intrinsic("fmuladd", c.vector, a, x, total)]

        (total,) = c.loop("0", full, c.unit, term, [(c.vector, "zeroinitializer")])
        out = c.at("%y", 0, 0, i)
        if c.width > 1:
            c.store(total, out)
            return ()
        # A masked unit at the end, in place of a scalar loop.
        flag = f"select <{PAD} x i1> {mask}, {c.vector}"
        a, x = (
            c.new(f"{flag} {c.load(p)}, {c.vector} zeroinitializer")
            for p in (c.at("%a", i, "%lda", full), c.at("%x", 0, 0, full))
        )
        total = c.intrinsic("fmuladd", c.vector, a, x, total)
        name = f"llvm.vector.reduce.fadd.v{PAD}f64"
        c.declared[name] = f"declare double @{name}(double, {c.vector})"
        c.store(
            # The order of the sum within a unit is free (reassoc); it is the same in every call.
            c.new(f"call reassoc double @{name}(double 0.0, {c.vector} {total})"),
            out,
            "double",
        )
        return ()

    c.loop("0", "%m", 1, row)
    return c.routine("memory.matvec", "ptr %y, ptr %a, i64 %lda, ptr %x, i64 %m, i64 %k")


_MAPS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}


def elementwise(c: RoutineCode, op: str, operands: int) -> str:
    """Emit out = op(a, b, ...) on contiguous elements; step 0 means one unit for all elements."""
    names = "abc"[:operands]

    def unit(i: str) -> Sequence[str]:
        def address(x: str) -> str:
            # Step 0 reads the same unit again: a number for all entries.
            return c.at(f"%{x}", i, f"%s{x}")

        xs = [c.load(address(x)) for x in names]
        if op in _MAPS:
            result = c.new(f"{_MAPS[op]} {c.vector} {xs[0]}, {xs[1]}")
        elif op == "neg":
            result = c.new(f"fneg {c.vector} {xs[0]}")
        elif op == "select":  # flags are stored as ones and zeros
            # Any nonzero flag selects, so -0.0 does not.
            result = c.chosen("une", c.vector, xs[0], "zeroinitializer", xs[2], xs[1])
        else:
            name, flags = {
                "abs": ("fabs", ""),
                "sqrt": ("sqrt", ""),
                "max": ("maximum", "nsz"),
                "min": ("minimum", "nsz"),
            }[op]
            result = c.intrinsic(name, c.vector, *xs, flags=flags)
        c.store(result, c.at("%out", i, 1))
        return ()

    c.loop("0", "%count", c.unit, unit)
    given = "".join(f", ptr %{x}, i64 %s{x}" for x in names)
    return c.routine(f"memory.map.{op}", f"ptr %out{given}, i64 %count")


def products(c: RoutineCode, m: int, k: int, p: int) -> str:
    """Emit out = a b for many small matrices: rows are entries, columns count the matrices."""

    def unit(j: str) -> Sequence[str]:
        a, b = (
            [c.load(c.at(x, row, "%ld", j)) for row in range(rows)]
            for x, rows in (("%a", m * k), ("%b", k * p))
        )
        for row in range(m):
            for column in range(p):
                total = c.new(f"fmul {c.vector} {a[row * k]}, {b[column]}")
                for i in range(1, k):
                    left, right = a[row * k + i], b[i * p + column]
                    total = c.intrinsic("fmuladd", c.vector, left, right, total)
                c.store(total, c.at("%out", row * p + column, "%ld", j))
        return ()

    c.loop("0", "%ld", c.unit, unit)
    return c.routine(f"memory.products.{m}.{k}.{p}", "ptr %out, ptr %a, ptr %b, i64 %ld")


def cross(c: RoutineCode) -> str:
    """Emit out = a x b for many vectors: rows are entries, columns count the vectors."""

    def unit(j: str) -> Sequence[str]:
        a, b = ([c.load(c.at(x, row, "%ld", j)) for row in range(3)] for x in ("%a", "%b"))
        for row in range(3):
            after, last = (row + 1) % 3, (row + 2) % 3
            back = c.new(f"fmul {c.vector} {a[last]}, {b[after]}")
            ahead = c.new(f"fmul {c.vector} {a[after]}, {b[last]}")
            c.store(c.new(f"fsub {c.vector} {ahead}, {back}"), c.at("%out", row, "%ld", j))
        return ()

    c.loop("0", "%ld", c.unit, unit)
    return c.routine("memory.cross", "ptr %out, ptr %a, ptr %b, i64 %ld")


def reduction(c: RoutineCode, op: str) -> str:
    """Emit out[j] = op over all rows of x[i, j]."""

    def column(j: str) -> Sequence[str]:
        def term(i: str, total: str) -> Sequence[str]:
            x = c.load(c.at("%x", i, "%ld", j))
            if op == "add":
                return [c.new(f"fadd {c.vector} {total}, {x}")]
            return [c.intrinsic(f"{op}imum", c.vector, total, x, flags="nsz")]

        # The first row starts the reduction, since min and max have no neutral element here.
        (total,) = c.loop("1", "%rows", 1, term, [(c.vector, c.load(c.at("%x", 0, 0, j)))])
        c.store(total, c.at("%out", 0, 0, j))
        return ()

    c.loop("0", "%n", c.unit, column)
    return c.routine(f"memory.reduce.{op}", "ptr %out, ptr %x, i64 %ld, i64 %rows, i64 %n")


def runs(c: RoutineCode) -> str:
    """Emit copies by a table of (to, from, step of from, count)."""

    def run(r: str) -> Sequence[str]:
        start = c.whole("mul", r, 4)

        def cell(k: int) -> str:
            place = c.new(f"getelementptr i32, ptr %table, i64 {c.whole('add', start, k)}")
            return c.new(f"sext i32 {c.new(f'load i32, ptr {place}, align 4')} to i64")

        # Indices of 32 bits: tables of copies are half as long.
        to, at, step, count = map(cell, range(4))

        def element(i: str) -> Sequence[str]:
            x = c.load(c.at("%src", i, step, at), c.element)
            c.store(x, c.at("%dst", i, 1, to), c.element)
            return ()

        def unit(i: str) -> Sequence[str]:
            c.store(c.load(c.at("%src", i, 1, at)), c.at("%dst", i, 1, to))
            return ()

        together = c.new(f"icmp eq i64 {step}, 1")
        # A contiguous run is copied by whole units; what is left, and other runs, one by one.
        whole = c.new(f"select i1 {together}, i64 {c.whole('and', count, -c.unit)}, i64 0")
        c.loop("0", whole, c.unit, unit)
        c.loop(whole, count, 1, element)
        return ()

    c.loop("0", "%count", 1, run)
    return c.routine("memory.runs", "ptr noalias %dst, ptr noalias %src, ptr %table, i64 %count")


def numbers(c: RoutineCode) -> str:
    """Emit the copy of known numbers: doubles of a table, each for all members."""

    def element(i: str) -> Sequence[str]:
        x = c.load(c.new(f"getelementptr double, ptr %table, i64 {i}"), "double")
        c.store(c.spread_number(x), c.at("%dst", i, 1), c.element)
        return ()

    c.loop("0", "%count", 1, element)
    return c.routine("memory.numbers", "ptr noalias %dst, ptr noalias %table, i64 %count")


def copy(c: RoutineCode, masked: bool) -> str:
    """Emit dst = src; if `masked`, only for the active members."""

    def unit(i: str) -> Sequence[str]:
        x, to = c.load(c.at("%src", i, 1)), c.at("%dst", i, 1)
        if masked:
            flag = f"<{c.lanes} x i1>"
            # Members that have left a loop keep what they had.
            x = c.new(f"select {flag} %mask, {c.vector} {x}, {c.vector} {c.load(to)}")
        c.store(x, to)
        return ()

    c.loop("0", "%count", c.unit, unit)
    given = "ptr noalias %dst, ptr noalias %src, i64 %count"
    if masked:
        return c.routine("memory.copy.masked", f"{given}, <{c.lanes} x i1> %mask")
    return c.routine("memory.copy", given)
