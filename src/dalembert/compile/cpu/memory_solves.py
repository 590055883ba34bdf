"""Emit LLVM for linear systems in memory: L D L^T factors, and elimination with pivoting."""

from __future__ import annotations

from collections.abc import Sequence

from .memory_routines import BLOCK, NAN, ONE, ZERO, RoutineCode, updated


def factor_rows(n: int) -> int:
    """Return the rows of a factor: those of the matrix, 1/D, and some for work."""
    return -(-n // BLOCK) * BLOCK + 1 + BLOCK


def factor(c: RoutineCode) -> str:
    """Emit f = L D L^T of a, and 1/D.

    f has L below the diagonal, the rows of D L^T from the diagonal on, and after all rows 1/D. A
    pivot that is not above `floor` times its diagonal entry becomes NaN. Rows and columns of the
    padding are zero.
    """
    E = c.element
    # Rows are computed in whole blocks; rows of the padding are zero and get no pivot.
    padded = c.whole("and", c.whole("add", "%n", BLOCK - 1), -BLOCK)

    def clear(i: str) -> Sequence[str]:
        c.store("zeroinitializer", c.at("%f", i, 1))
        return ()

    # Cleared, because the padding must be zero.
    c.loop("0", c.whole("mul", c.whole("add", padded, 1), "%ld"), c.unit, clear)

    # The lower triangle is never read: it will hold L.
    def line(i: str) -> Sequence[str]:
        def one(j: str) -> Sequence[str]:
            c.store(c.load(c.at("%a", i, "%ld", j), E), c.at("%f", i, "%ld", j), E)
            return ()

        c.loop("0", "%n", 1, one)
        return ()

    c.loop("0", "%n", 1, line)

    floor = c.spread_number("%floor")

    def lower(rows: Sequence[str], first: str, end: str, *others: Sequence[str]) -> None:
        """Compute entries of L in rows from those of D L^T above; store them in `others`, too."""

        def one(k: str) -> Sequence[str]:
            # 1/D, stored in the row behind the matrix, so that each column divides once.
            over = c.load(c.at("%f", padded, "%ld", k), E)
            for r, row in enumerate(rows):
                x = c.new(f"fmul {E} {c.load(c.at('%f', k, '%ld', row), E)}, {over}")
                # Also into copies, which the tile below reads.
                for to in (row, *(more[r] for more in others)):
                    c.store(x, c.at("%f", to, "%ld", k), E)
            return ()

        c.loop(first, end, 1, one)

    def block(i: str) -> Sequence[str]:
        rows = [c.whole("add", i, r) for r in range(BLOCK)]
        # Copies of these rows of L are used below, because a unit that begins before the diagonal
        # overwrites the entries of L in it.
        aside = [c.whole("add", padded, 1 + r) for r in range(BLOCK)]
        # A unit may begin before the diagonal: what it computes there is overwritten.
        first = c.whole("and", i, -c.unit)
        lower(rows, "0", i, aside)

        def tile(columns: Sequence[str]) -> None:
            places = [c.at("%f", row, "%ld", j) for row in rows for j in columns]
            result = updated(
                c,
                ("0", i),
                columns,
                [c.load(p) for p in places],
                lambda r, k: c.at("%f", aside[r], "%ld", k),
                lambda k, j: c.at("%f", k, "%ld", j),
                minus=True,
            )
            for x, p in zip(result, places):
                c.store(x, p)

        c.tiles(first, "%n", tile)
        for r, row in enumerate(rows):
            # The diagonal block: the same elimination, row by row.
            own = c.load(c.at("%f", row, "%ld", row), E)
            size = c.load(c.at("%a", row, "%ld", row), E)
            least = c.new(f"fmul {E} {size}, {floor}")
            # A pivot that is too small, or NaN, makes everything NaN: the step then fails loudly.
            d = c.chosen("ogt", E, own, least, own, c.constant(NAN, E))
            over = c.new(f"fdiv {E} {c.constant(ONE, E)}, {d}")
            inside = c.new(f"icmp slt i64 {row}, %n")
            # Rows of the padding have no pivot.
            over = c.new(f"select i1 {inside}, {E} {over}, {E} {c.constant(ZERO, E)}")
            c.store(over, c.at("%f", padded, "%ld", row), E)
            for below in rows[r + 1 :]:
                x = c.load(c.at("%f", row, "%ld", below), E)
                s = c.spread(c.new(f"fmul {E} {x}, {over}"))

                def unit(j: str, row: str = row, below: str = below, s: str = s) -> Sequence[str]:
                    # Eliminate: row `below` minus s times row `row`.
                    to = c.at("%f", below, "%ld", j)
                    c.store(c.minus_product(c.load(to), s, c.load(c.at("%f", row, "%ld", j))), to)
                    return ()

                c.loop(c.whole("and", below, -c.unit), "%n", c.unit, unit)
        for row in rows:
            lower([row], first, row)
        return ()

    # blocks of rows: update with all rows above, factorize within the block, then write L
    c.loop("0", padded, BLOCK, block)
    return c.routine("memory.factor", "ptr %f, ptr %a, i64 %ld, i64 %n, double %floor")


def solve_spd(c: RoutineCode) -> str:
    """Emit x = a^-1 b by the factor of a, `BLOCK` rows at once."""
    padded = c.whole("and", c.whole("add", "%n", BLOCK - 1), -BLOCK)
    # Back substitution begins with the last whole block.
    last = c.whole("sub", padded, BLOCK)

    def move(i: str) -> Sequence[str]:
        inside = c.new(f"icmp slt i64 {i}, %n")

        def unit(j: str) -> Sequence[str]:
            x = c.load(c.at("%b", i, "%ldb", j))
            # Rows of the padding are zero, and stay zero.
            x = c.new(f"select i1 {inside}, {c.vector} {x}, {c.vector} zeroinitializer")
            c.store(x, c.at("%x", i, "%ldb", j))
            return ()

        c.loop("0", "%m", c.unit, unit)
        return ()

    c.loop("0", padded, 1, move)

    def forth(i: str) -> Sequence[str]:
        rows = [c.whole("add", i, r) for r in range(BLOCK)]

        def tile(columns: Sequence[str]) -> None:
            sums, places = triangle(rows, columns, ("0", i))
            w = len(columns)
            # Within a block each row needs those above it.
            for r in range(BLOCK):
                for k in range(r):
                    l = c.take(c.at("%f", rows[r], "%ldf", rows[k]))
                    for j in range(w):
                        sums[r * w + j] = c.minus_product(sums[r * w + j], l, sums[k * w + j])
            for total, p in zip(sums, places):
                c.store(total, p)

        c.tiles("0", "%m", tile)
        return ()

    def triangle(
        rows: Sequence[str], columns: Sequence[str], terms: tuple[str, str]
    ) -> tuple[list[str], list[str]]:
        """Return rows of x minus the products with rows that are done; and their addresses."""
        # Sums over all rows that are done, by the same tile as in a product of matrices.
        places = [c.at("%x", row, "%ldb", j) for row in rows for j in columns]
        result = updated(
            c,
            terms,
            columns,
            [c.load(p) for p in places],
            lambda r, k: c.at("%f", rows[r], "%ldf", k),
            lambda k, j: c.at("%x", k, "%ldb", j),
            minus=True,
        )
        return result, places

    c.loop("0", padded, BLOCK, forth)

    def back(i: str) -> Sequence[str]:
        rows = [c.whole("add", i, r) for r in range(BLOCK)]
        after = c.whole("add", i, BLOCK)

        def tile(columns: Sequence[str]) -> None:
            sums, places = triangle(rows, columns, (after, padded))
            w = len(columns)
            # Within a block each row needs those below it.
            for r in reversed(range(BLOCK)):
                over = c.take(c.at("%f", padded, "%ldf", rows[r]))
                for k in range(r + 1, BLOCK):
                    u = c.take(c.at("%f", rows[r], "%ldf", rows[k]))
                    for j in range(w):
                        sums[r * w + j] = c.minus_product(sums[r * w + j], u, sums[k * w + j])
                for j in range(w):
                    sums[r * w + j] = c.new(f"fmul {c.vector} {sums[r * w + j]}, {over}")
            for total, p in zip(sums, places):
                c.store(total, p)

        c.tiles("0", "%m", tile)
        return ()

    c.loop(last, "-1", -BLOCK, back)
    given = "ptr %x, ptr %f, i64 %ldf, ptr %b, i64 %ldb, i64 %n, i64 %m"
    return c.routine("memory.solve_spd", given)


def solve(c: RoutineCode) -> str:
    """Emit x = a^-1 b by elimination with partial pivoting, on a copy w of a with scaled rows.

    Rows are scaled to unit size. Rows are swapped for each member separately: the largest entry
    moves to the top by comparisons.
    """
    E = c.element
    flag = "i1" if E == "double" else f"<{c.lanes} x i1>"
    # A row of zeros has no size: it becomes NaN, and with it the solution.
    nan, zero = c.constant(NAN, E), c.constant(ZERO, E)

    floor = c.spread_number("%floor")

    def largest(x: str, total: str) -> str:
        return c.intrinsic("maximum", E, c.intrinsic("fabs", E, x), total, flags="nsz")

    def scaled(i: str) -> Sequence[str]:
        def term(j: str, total: str) -> Sequence[str]:
            return [largest(c.load(c.at("%a", i, "%lda", j), E), total)]

        # Each row by its largest entry, so that units of equations do not choose the pivot.
        (size,) = c.loop("0", "%n", 1, term, [(E, zero)])
        size = c.chosen("ogt", E, size, zero, size, nan)
        over = c.spread(c.new(f"fdiv {E} {c.constant(ONE, E)}, {size}"))
        for src, to, ld, count in (("%a", "%w", "%lda", "%n"), ("%b", "%x", "%ldb", "%m")):

            def unit(j: str, src: str = src, to: str = to, ld: str = ld) -> Sequence[str]:
                x = c.new(f"fmul {c.vector} {c.load(c.at(src, i, ld, j))}, {over}")
                c.store(x, c.at(to, i, ld, j))
                return ()

            c.loop("0", count, c.unit, unit)
        return ()

    c.loop("0", "%n", 1, scaled)

    def size_of(j: str) -> Sequence[str]:
        def term(i: str, total: str) -> Sequence[str]:
            return [largest(c.load(c.at("%w", i, "%lda", j), E), total)]

        # The size of each column, against which its pivot is judged.
        (size,) = c.loop("0", "%n", 1, term, [(E, zero)])
        c.store(size, c.at("%sizes", 0, 0, j), E)
        return ()

    c.loop("0", "%n", 1, size_of)

    def swap(i: str, k: str, which: str | None) -> None:
        """Swap rows i and k of w and x, where `which` is set."""
        wide = which
        for p, ld, first, count in (("%w", "%lda", k, "%n"), ("%x", "%ldb", "0", "%m")):

            def unit(j: str, p: str = p, ld: str = ld) -> Sequence[str]:
                one, two = c.at(p, i, ld, j), c.at(p, k, ld, j)
                x, y = c.load(one), c.load(two)
                if wide is not None:
                    # Per member: a select in place of a jump, because members choose different
                    # rows.
                    mask = f"select {flag} {wide}, {c.vector}"
                    x, y = (
                        c.new(f"{mask} {y}, {c.vector} {x}"),
                        c.new(f"{mask} {x}, {c.vector} {y}"),
                    )
                else:
                    x, y = y, x
                c.store(x, one)
                c.store(y, two)
                return ()

            c.loop(c.whole("and", first, -c.unit), count, c.unit, unit)

    def column(k: str) -> Sequence[str]:
        after = c.whole("add", k, 1)
        # One member: search the row first, then swap once.
        if c.width == 1:
            first = c.intrinsic("fabs", E, c.load(c.at("%w", k, "%lda", k), E))

            def search(i: str, best: str, at: str) -> Sequence[str]:
                size = c.intrinsic("fabs", E, c.load(c.at("%w", i, "%lda", k), E))
                more = c.new(f"fcmp ogt double {size}, {best}")
                return [
                    c.new(f"select i1 {more}, double {size}, double {best}"),
                    c.new(f"select i1 {more}, i64 {i}, i64 {at}"),
                ]

            _, at = c.loop(after, "%n", 1, search, [(E, first), ("i64", k)])
            swap(at, k, None)
        else:
            # Vectors: compare and swap row by row; the largest ends on top for every member.
            def compare(i: str) -> Sequence[str]:
                here, top = (
                    c.intrinsic("fabs", E, c.load(c.at("%w", r, "%lda", k), E)) for r in (i, k)
                )
                swap(i, k, c.new(f"fcmp ogt {E} {here}, {top}"))
                return ()

            c.loop(after, "%n", 1, compare)
        own = c.load(c.at("%w", k, "%lda", k), E)
        least = c.new(f"fmul {E} {floor}, {c.load(c.at('%sizes', 0, 0, k), E)}")
        # Below `floor` of its column a pivot is round-off: the solution becomes NaN.
        d = c.chosen("ogt", E, c.intrinsic("fabs", E, own), least, own, nan)
        over = c.new(f"fdiv {E} {c.constant(ONE, E)}, {d}")
        # The reciprocal takes the place of the size, which is not needed any more.
        c.store(over, c.at("%sizes", 0, 0, k), E)

        def row(i: str) -> Sequence[str]:
            s = c.spread(c.new(f"fmul {E} {c.load(c.at('%w', i, '%lda', k), E)}, {over}"))
            for p, ld, first, count in (("%w", "%lda", after, "%n"), ("%x", "%ldb", "0", "%m")):

                def unit(j: str, p: str = p, ld: str = ld) -> Sequence[str]:
                    to = c.at(p, i, ld, j)
                    c.store(c.minus_product(c.load(to), s, c.load(c.at(p, k, ld, j))), to)
                    return ()

                c.loop(c.whole("and", first, -c.unit), count, c.unit, unit)
            return ()

        c.loop(after, "%n", 1, row)
        return ()

    c.loop("0", "%n", 1, column)

    def back(i: str) -> Sequence[str]:
        over = c.take(c.at("%sizes", 0, 0, i))

        def one(j: str) -> Sequence[str]:
            # Rows below are solved already.
            def term(k: str, total: str) -> Sequence[str]:
                u = c.take(c.at("%w", i, "%lda", k))
                return [c.minus_product(total, u, c.load(c.at("%x", k, "%ldb", j)))]

            to = c.at("%x", i, "%ldb", j)
            (total,) = c.loop(c.whole("add", i, 1), "%n", 1, term, [(c.vector, c.load(to))])
            c.store(c.new(f"fmul {c.vector} {total}, {over}"), to)
            return ()

        c.loop("0", "%m", c.unit, one)
        return ()

    c.loop(c.whole("sub", "%n", 1), "-1", -1, back)
    given = "ptr %x, ptr %w, ptr %sizes, ptr %a, i64 %lda, ptr %b, i64 %ldb, i64 %n, i64 %m"
    return c.routine("memory.solve", f"{given}, double %floor")
