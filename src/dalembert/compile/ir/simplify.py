"""A tape made cheaper by algebra, for those who pay much for each product: `coefficient_rules`.

A product of two values that move costs a sum over orders, a sum or a factor that stays next to
nothing. So factors that stay are taken out of products (then equal products are made once), common
factors out of sums, and every value is known as a polynomial in what it is made of, in which terms
cancel and sin^2 + cos^2 = 1: from a Lagrangian and its constraints come many products of which
nothing is left in the end.

Round-off must not grow by that. Written out, (x - y)^2 has an error of eps x^2, and 1 - cos^2 is no
sin^2 near a pole. So what is left of a polynomial is taken only if it is one product, whose error
is eps of itself, or if both values were sums of such products already, whose errors are not less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from .constant_folding import apply, number, recording
from .record import Recorded
from .tape import Lane, Value, is_needed, known

_TERMS, _FACTORS = 12, 16  # of a polynomial that is followed
_LARGE = 4_000  # operations from which on following them takes longer than it gains

Monomial = tuple[int, ...]  # numbers of values, ascending
Polynomial = dict[Monomial, float]


def simplified(recorded: Recorded) -> Recorded:
    """The same function of (constants, what moves), by fewer products of what moves."""
    if recorded.tape.size > _LARGE:
        return recorded
    with recording():
        return recorded._replace(outputs=_Algebra(recorded).outputs())


class _Algebra:
    """New values for those of a tape, one after the other, on the same tape."""

    def __init__(self, recorded: Recorded) -> None:
        self.recorded, self.tape = recorded, recorded.tape
        self.new: dict[int, Lane] = {}  # of the old ones that were made anew
        self.lanes: dict[int, Value] = {}
        self.polynomials: dict[int, Polynomial] = {}  # of new ones
        self.scales: dict[int, tuple[Lane, Lane]] = {}  # value = factor that stays * value
        self.products: dict[Monomial, Lane] = {}  # monomials that were made
        self.circles: dict[int, dict[str, int]] = {}  # angle -> its sine and cosine
        self.sums: set[int] = set()  # values that are made as sums of the products they consist of

    def outputs(self) -> list[Lane]:
        tape, needed = self.tape, self.recorded.needed()
        items = [item for block in tape.levels for item in block.items]
        items = [item for item in items if is_needed(item, needed)]
        values = [item for item in items if isinstance(item, Value)]
        self.uses = Counter(x.number for v in values for x in v.operands if not known(x))
        self.uses.update(x.number for x in self.recorded.outputs if not known(x))
        if len(values) < len(items):  # what loops and branches read is not seen from here
            return self.recorded.outputs
        for value in values:
            self.new[value.number] = self._made(value)
        return [self._of(x) for x in self.recorded.outputs]

    def _of(self, x: Lane) -> Lane:
        return x if known(x) else self.new.get(x.number, x)

    def _made(self, v: Value) -> Lane:
        xs = [self._of(x) for x in v.operands]
        op = v.op
        if v.dtype != float or v.depth == 0 or any(x.dtype != float for x in xs):
            return v if v.op == "convert" else self._other(v, xs)
        if op == "div" and self._stays(xs[1]):
            by = self._do("div", number(1.0, float), xs[1])
            op, xs = "mul", [xs[0], by]
        if op == "neg":
            op, xs = "mul", [xs[0], number(-1.0, float)]
        if op == "mul":
            return self._product(*xs)
        if op in ("add", "sub"):
            once = all(known(x) or self.uses[x.number] == 1 for x in v.operands)
            return self._sum(op, xs[0], xs[1], once)
        return self._other(v, xs)

    def _other(self, v: Value, xs: list[Lane]) -> Lane:
        if v.op in ("select", "convert", "locate", "load"):  # not among the operations of `apply`
            found = v if list(v.operands) == xs else self.tape.make(v.op, v.dtype, *xs)
        else:
            found = v if list(v.operands) == xs else apply(self.tape, v.op, v.dtype, *xs)
        if v.op in ("sin", "cos") and not known(found):
            self.circles.setdefault(xs[0].number, {})[v.op] = found.number
        return found

    def _do(self, op: str, *xs: Lane) -> Lane:
        if op == "mul" and not any(known(x) for x in xs):
            xs = tuple(sorted(xs, key=lambda x: x.number))  # made once, in either order
        return apply(self.tape, op, float, *xs)

    @staticmethod
    def _stays(x: Lane) -> bool:
        return known(x) or x.depth == 0

    # -- products and sums --------------------------------------------------------------------

    def _scaled(self, x: Lane) -> tuple[Lane, Lane]:
        """(f, y) with x = f y and f one that stays."""
        one = number(1.0, float)
        if self._stays(x):
            return x, one
        return self.scales.get(x.number, (one, x))

    def _times(self, factor: Lane, x: Lane) -> Lane:
        """factor * x, of which is known that it is that."""
        found = self._do("mul", factor, x)
        if not self._stays(found) and found is not x:
            self.scales[found.number] = (factor, x)
        return found

    def _product(self, a: Lane, b: Lane) -> Lane:
        p = self._multiplied(self._polynomial(a), self._polynomial(b))
        (f, x), (g, y) = self._scaled(a), self._scaled(b)
        factor = self._do("mul", f, g)
        moves = [z for z in (x, y) if not known(z)]
        if len(moves) < 2:
            found = self._times(factor, moves[0]) if moves else factor
        elif p is not None and self._is_one(p) and self._is_cheap(p):
            return self._built(p)
        else:
            x, y = moves
            found = self._times(factor, self._do("mul", x, y))
            core = self._multiplied(self._polynomial(x), self._polynomial(y))
            if core is not None and len(core) == 1 and next(iter(core.values())) == 1.0:
                (monomial,) = core
                self.products.setdefault(monomial, self._do("mul", x, y))
                self._follow(self.products[monomial], core)
        return self._follow(found, p)

    def _sum(self, op: str, a: Lane, b: Lane, once: bool) -> Lane:
        p, q = self._polynomial(a), self._polynomial(b)
        total: Polynomial = {}
        for terms, sign in ((p, 1.0), (q, 1.0 if op == "add" else -1.0)):
            for monomial, c in terms.items():
                total[monomial] = total.get(monomial, 0.0) + sign * c
        total = self._on_circles({m: c for m, c in total.items() if c != 0.0})
        of_sums = self._is_sum(a) and self._is_sum(b)
        gone = self._costly([*p, *q]) - self._costly(total)
        fewer = gone or len(total) < max(len(p), len(q))
        if fewer and (of_sums or self._is_one(total)) and self._is_cheap(total):
            return self._built(total)
        found = self._factored(op, a, b) if once else None
        if found is None:
            found = self._of_one_scale(op, a, b)
            if of_sums and not known(found):
                self.sums.add(found.number)
        return self._follow(found, total if len(total) <= _TERMS else None)

    def _of_one_scale(self, op: str, a: Lane, b: Lane) -> Lane:
        (f, x), (g, y) = self._scaled(a), self._scaled(b)
        if known(x) or known(y):
            return self._do(op, a, b)
        if x is y:
            return self._times(self._do(op, f, g), x)
        if f is g or (known(f) and known(g) and f == g):
            return self._times(f, self._do(op, x, y))
        if known(f) and known(g) and f == -g:
            return self._times(f, self._do("sub" if op == "add" else "add", x, y))
        return self._do(op, a, b)

    def _factored(self, op: str, a: Lane, b: Lane) -> Lane | None:
        """f x z + g y z as (f x + g y) z."""
        (f, first), (g, second) = self._scaled(a), self._scaled(b)
        if any(known(x) or x.op != "mul" for x in (first, second)):
            return None
        for i, z in enumerate(first.operands):
            for j, other in enumerate(second.operands):
                if z is not other or self._stays(z):
                    continue
                x, y = first.operands[1 - i], second.operands[1 - j]
                inner = self._of_one_scale(op, self._times(f, x), self._times(g, y))
                (h, core) = self._scaled(inner)
                if self._stays(core):
                    return None
                return self._times(h, self._do("mul", core, z))
        return None

    # -- polynomials --------------------------------------------------------------------------

    def _polynomial(self, x: Lane) -> Polynomial:
        if known(x):
            return {(): float(x)} if x != 0.0 else {}
        found = self.polynomials.get(x.number)
        if found is None:
            self.lanes[x.number] = x
            found = self.polynomials[x.number] = self._as_still(x)
        return found

    def _as_still(self, x: Value) -> Polynomial:
        """Of a value that stays: by its own products and sums; else it is one for itself."""
        if x.depth == 0 and x.op in ("add", "sub", "neg", "mul"):
            p = self._polynomial(x.operands[0])
            if x.op == "neg":
                return {m: -c for m, c in p.items()}
            q = self._polynomial(x.operands[1])
            if x.op == "mul":
                found = self._multiplied(p, q)
            else:
                sign = 1.0 if x.op == "add" else -1.0
                total = dict(p)
                for m, c in q.items():
                    total[m] = total.get(m, 0.0) + sign * c
                found = {m: c for m, c in total.items() if c != 0.0}
            if found is not None and len(found) <= _TERMS:
                return found
        return {(x.number,): 1.0}

    def _follow(self, x: Lane, p: Polynomial | None) -> Lane:
        if not known(x) and p is not None and x.number not in self.polynomials:
            if all(np.isfinite(c) for c in p.values()):
                self.lanes[x.number] = x
                self.polynomials[x.number] = p
        return x

    def _multiplied(self, p: Polynomial, q: Polynomial) -> Polynomial | None:
        """None if there are too many terms."""
        if len(p) * len(q) > 3 * _TERMS:
            return None
        found: Polynomial = {}
        for a, c in p.items():
            for b, d in q.items():
                if len(a) + len(b) > _FACTORS:
                    return None
                monomial = tuple(sorted(a + b))
                found[monomial] = found.get(monomial, 0.0) + c * d
        found = {m: c for m, c in found.items() if c != 0.0}
        return found if len(found) <= _TERMS else None

    def _on_circles(self, p: Polynomial) -> Polynomial:
        """With c for every c sin^2 + c cos^2."""
        for m, c in p.items():
            for i, x in enumerate(m[1:], 1):
                if x != m[i - 1] or self.lanes[x].op != "sin":
                    continue
                pair = self.circles.get(self.lanes[x].operands[0].number, {})
                if pair.get("sin") != x or "cos" not in pair:
                    continue
                rest, cos = m[: i - 1] + m[i + 1 :], pair["cos"]
                other = tuple(sorted((*rest, cos, cos)))
                if p.get(other) != c:
                    continue
                left = {k: d for k, d in p.items() if k not in (m, other)}
                left[rest] = left.get(rest, 0.0) + c
                return self._on_circles({k: d for k, d in left.items() if d != 0.0})
        return p

    def _parts(self, m: Monomial) -> tuple[Monomial, Monomial]:
        """Factors that move, and those that stay."""
        moving = tuple(x for x in m if self.lanes[x].depth > 0)
        return moving, tuple(x for x in m if self.lanes[x].depth == 0)

    def _is_one(self, p: Polynomial) -> bool:
        """Whether it is one product of what moves, with a factor that stays."""
        return len({self._parts(m)[0] for m in p}) <= 1

    def _is_sum(self, x: Lane) -> bool:
        return self._stays(x) or x.number in self.sums or self._is_one(self._polynomial(x))

    def _is_cheap(self, p: Polynomial) -> bool:
        """Whether it needs no product that was not made."""
        return all(m in self.products for m in self._costly(p))

    def _costly(self, p: Iterable[Monomial]) -> set[Monomial]:
        """Products of what moves."""
        return {m for m in (self._parts(m)[0] for m in p) if len(m) > 1}

    def _built(self, p: Polynomial) -> Lane:
        """The value of such a polynomial."""
        by_moving: dict[Monomial, list[tuple[Monomial, float]]] = {}
        for m, c in p.items():
            moving, still = self._parts(m)
            by_moving.setdefault(moving, []).append((still, c))
        total: Lane = number(0.0, float)
        for moving, terms in sorted(by_moving.items()):
            factor = self._added(self._still(m, c) for m, c in terms)
            if not moving:
                term = factor
            else:
                x = self.lanes[moving[0]] if len(moving) == 1 else self.products[moving]
                f, core = self._scaled(x)
                term = self._times(self._do("mul", factor, f), core)
            total = self._of_one_scale("add", total, term)
        if not known(total):
            self.sums.add(total.number)
        return self._follow(total, p)

    def _added(self, xs: Iterable[Lane]) -> Lane:
        total: Lane = number(0.0, float)
        for x in xs:
            total = self._do("add", total, x)
        return total

    def _still(self, m: Monomial, c: float) -> Lane:
        found: Lane = number(1.0, float)
        for x in m:
            found = self._do("mul", found, self.lanes[x])
        return self._do("mul", number(c, float), found)
