"""Simplify a tape by algebra, for Taylor coefficients, where each product is expensive.

For `coefficient_rules`, a product of two values that vary in time costs a sum over orders; a sum,
or a product with a constant, costs next to nothing. So constant factors are moved out of products
(then equal products are recorded once) and common factors out of sums. Every value is also followed
as a polynomial in the values it is made of, in which terms cancel and sin^2 + cos^2 = 1: a
Lagrangian and its constraints give many products that cancel in the end.

Round-off must not grow by that. Expanded, (x - y)^2 has an error of eps x^2, and 1 - cos^2 is not
accurate as sin^2 near a pole. So a simplified polynomial is used only if it is one product, whose
error is eps of itself, or if both values were sums of such products already, whose errors are not
smaller.

Here a value "stays" or is "still" if it is constant in time, and "moves" if it is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from .constant_folding import apply, number, recording
from .record import Recorded
from .tape import Scalar, Value, is_needed, known

_TERMS, _FACTORS = 12, 16  # most terms, and factors of a term, of a polynomial that is followed
_LARGE = 4_000  # operations above which following them takes longer than it gains

Monomial = tuple[int, ...]  # the numbers of its factors, ascending
Polynomial = dict[Monomial, float]


def simplified(recorded: Recorded) -> Recorded:
    """Return the same function of (constants, moving), with fewer products of moving values."""
    # Following polynomials costs time that grows with the tape, and large tapes gain little.
    if recorded.tape.size > _LARGE:
        return recorded
    with recording():
        return recorded._replace(outputs=_Algebra(recorded).outputs())


class _Algebra:
    """Replaces the values of a tape by simpler ones, one after the other, on the same tape."""

    def __init__(self, recorded: Recorded) -> None:
        self.recorded, self.tape = recorded, recorded.tape
        self.new: dict[int, Scalar] = {}  # replacements, by the number of the old value
        self.by_number: dict[int, Value] = {}
        self.polynomials: dict[int, Polynomial] = {}  # polynomials of new values
        self.scales: dict[int, tuple[Scalar, Scalar]] = {}  # value = constant factor * moving value
        self.products: dict[Monomial, Scalar] = {}  # monomials that are recorded already
        self.circles: dict[int, dict[str, int]] = {}  # angle -> its sine and cosine
        self.sums: set[int] = set()  # values recorded as sums of the products they consist of

    def outputs(self) -> list[Scalar]:
        tape, needed = self.tape, self.recorded.needed()
        items = [item for block in tape.levels for item in block.items]
        items = [item for item in items if is_needed(item, needed)]
        values = [item for item in items if isinstance(item, Value)]
        # A product that is used once may be merged into its sum; one that others read stays.
        self.uses = Counter(x.number for v in values for x in v.operands if not known(x))
        self.uses.update(x.number for x in self.recorded.outputs if not known(x))
        # the operands inside loops and branches are not known here: give up
        if len(values) < len(items):
            return self.recorded.outputs
        for value in values:
            self.new[value.number] = self._made(value)
        return [self._of(x) for x in self.recorded.outputs]

    def _of(self, x: Scalar) -> Scalar:
        return x if known(x) else self.new.get(x.number, x)

    # Return a new value for v: quotients by constants and negations become products.
    def _made(self, v: Value) -> Scalar:
        xs = [self._of(x) for x in v.operands]
        op = v.op
        # Integers, flags and constants are left as they are.
        if v.dtype != float or v.depth == 0 or any(x.dtype != float for x in xs):
            return v if v.op == "convert" else self._other(v, xs)
        # A quotient by a constant: one division, then products, which have cheaper Taylor rules.
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

    def _other(self, v: Value, xs: list[Scalar]) -> Scalar:
        if v.op in ("select", "convert", "locate", "load"):  # these have no rule in `apply`
            result = v if list(v.operands) == xs else self.tape.make(v.op, v.dtype, *xs)
        else:
            result = v if list(v.operands) == xs else apply(self.tape, v.op, v.dtype, *xs)
        if v.op in ("sin", "cos") and not known(result):
            # Remembered, to find sin^2 + cos^2 of one angle.
            self.circles.setdefault(xs[0].number, {})[v.op] = result.number
        return result

    def _do(self, op: str, *xs: Scalar) -> Scalar:
        if op == "mul" and not any(known(x) for x in xs):
            # sorted, so that a b and b a are recorded once
            xs = tuple(sorted(xs, key=lambda x: x.number))
        return apply(self.tape, op, float, *xs)

    @staticmethod
    def _stays(x: Scalar) -> bool:
        return known(x) or x.depth == 0

    # -- products and sums --------------------------------------------------------------------

    def _scaled(self, x: Scalar) -> tuple[Scalar, Scalar]:
        """Return (f, y) with x = f y and a constant f."""
        # Constants are their own factor: x = x 1.
        one = number(1.0, float)
        if self._stays(x):
            return x, one
        return self.scales.get(x.number, (one, x))

    def _times(self, factor: Scalar, x: Scalar) -> Scalar:
        """Record factor * x, and remember it as scaled."""
        result = self._do("mul", factor, x)
        if not self._stays(result) and result is not x:
            self.scales[result.number] = (factor, x)
        return result

    # Multiply: constant factors are taken out, and a product that is known as a monomial is reused.
    def _product(self, a: Scalar, b: Scalar) -> Scalar:
        p = self._multiplied(self._polynomial(a), self._polynomial(b))
        (f, x), (g, y) = self._scaled(a), self._scaled(b)
        factor = self._do("mul", f, g)
        # Only moving factors cost a product for each order of the series.
        moves = [z for z in (x, y) if not known(z)]
        if len(moves) < 2:
            result = self._times(factor, moves[0]) if moves else factor
        elif p is not None and self._is_one(p) and self._is_cheap(p):
            # This adds no product between moving values: those that p needs are recorded already.
            return self._built(p)
        else:
            x, y = moves
            result = self._times(factor, self._do("mul", x, y))
            core = self._multiplied(self._polynomial(x), self._polynomial(y))
            if core is not None and len(core) == 1 and next(iter(core.values())) == 1.0:
                (monomial,) = core
                self.products.setdefault(monomial, self._do("mul", x, y))
                self._follow(self.products[monomial], core)
        return self._follow(result, p)

    # Add or subtract: by the simplified polynomial, by a common factor, or as it is.
    def _sum(self, op: str, a: Scalar, b: Scalar, once: bool) -> Scalar:
        p, q = self._polynomial(a), self._polynomial(b)
        total: Polynomial = {}
        for terms, sign in ((p, 1.0), (q, 1.0 if op == "add" else -1.0)):
            for monomial, c in terms.items():
                total[monomial] = total.get(monomial, 0.0) + sign * c
        total = self._on_circles({m: c for m, c in total.items() if c != 0.0})
        # Expanding (a + b)(c + d) could cancel digits; sums of known products cannot.
        of_sums = self._is_sum(a) and self._is_sum(b)
        # use the polynomial only if it saves products or terms, and does not lose accuracy
        gone = self._costly([*p, *q]) - self._costly(total)
        fewer = gone or len(total) < max(len(p), len(q))
        if fewer and (of_sums or self._is_one(total)) and self._is_cheap(total):
            return self._built(total)
        result = self._factored(op, a, b) if once else None
        if result is None:
            result = self._of_one_scale(op, a, b)
            if of_sums and not known(result):
                self.sums.add(result.number)
        return self._follow(result, total if len(total) <= _TERMS else None)

    def _of_one_scale(self, op: str, a: Scalar, b: Scalar) -> Scalar:
        (f, x), (g, y) = self._scaled(a), self._scaled(b)
        if known(x) or known(y):
            return self._do(op, a, b)
        # f x + g x = (f + g) x, and the factor is constant.
        if x is y:
            return self._times(self._do(op, f, g), x)
        if f is g or (known(f) and known(g) and f == g):
            return self._times(f, self._do(op, x, y))
        if known(f) and known(g) and f == -g:
            return self._times(f, self._do("sub" if op == "add" else "add", x, y))
        return self._do(op, a, b)

    def _factored(self, op: str, a: Scalar, b: Scalar) -> Scalar | None:
        """Record f x z + g y z as (f x + g y) z, or return None."""
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
                # (f x + g y) z needs one product where f x z + g y z needs two.
                if self._stays(core):
                    return None
                return self._times(h, self._do("mul", core, z))
        return None

    # -- polynomials --------------------------------------------------------------------------

    def _polynomial(self, x: Scalar) -> Polynomial:
        if known(x):
            return {(): float(x)} if x != 0.0 else {}
        result = self.polynomials.get(x.number)
        if result is None:
            self.by_number[x.number] = x
            # A value that is no polynomial of others is a variable of the polynomials.
            result = self.polynomials[x.number] = self._as_still(x)
        return result

    def _as_still(self, x: Value) -> Polynomial:
        """Return the polynomial of a constant by its products and sums; otherwise x itself."""
        if x.depth == 0 and x.op in ("add", "sub", "neg", "mul"):
            p = self._polynomial(x.operands[0])
            if x.op == "neg":
                return {m: -c for m, c in p.items()}
            q = self._polynomial(x.operands[1])
            if x.op == "mul":
                result = self._multiplied(p, q)
            else:
                sign = 1.0 if x.op == "add" else -1.0
                total = dict(p)
                for m, c in q.items():
                    total[m] = total.get(m, 0.0) + sign * c
                result = {m: c for m, c in total.items() if c != 0.0}
            if result is not None and len(result) <= _TERMS:
                return result
        return {(x.number,): 1.0}

    def _follow(self, x: Scalar, p: Polynomial | None) -> Scalar:
        if not known(x) and p is not None and x.number not in self.polynomials:
            # A coefficient that has overflowed would enter all polynomials made from this one.
            if all(np.isfinite(c) for c in p.values()):
                self.by_number[x.number] = x
                self.polynomials[x.number] = p
        return x

    def _multiplied(self, p: Polynomial, q: Polynomial) -> Polynomial | None:
        """Return the product of two polynomials; None if it has too many terms."""
        # Bounds on terms and factors: polynomials of mechanics are short, others are not worth
        # following.
        if len(p) * len(q) > 3 * _TERMS:
            return None
        result: Polynomial = {}
        for a, c in p.items():
            for b, d in q.items():
                if len(a) + len(b) > _FACTORS:
                    return None
                monomial = tuple(sorted(a + b))
                result[monomial] = result.get(monomial, 0.0) + c * d
        result = {m: c for m, c in result.items() if c != 0.0}
        return result if len(result) <= _TERMS else None

    def _on_circles(self, p: Polynomial) -> Polynomial:
        """Replace every c sin^2 + c cos^2 by c."""
        for m, c in p.items():
            # Factors are ascending, so equal ones are neighbors.
            for i, x in enumerate(m[1:], 1):
                if x != m[i - 1] or self.by_number[x].op != "sin":
                    continue
                pair = self.circles.get(self.by_number[x].operands[0].number, {})
                if pair.get("sin") != x or "cos" not in pair:
                    continue
                rest, cos = m[: i - 1] + m[i + 1 :], pair["cos"]
                other = tuple(sorted((*rest, cos, cos)))
                # c r sin^2 + c r cos^2 = c r needs the same coefficient c in both terms.
                if p.get(other) != c:
                    continue
                left = {k: d for k, d in p.items() if k not in (m, other)}
                left[rest] = left.get(rest, 0.0) + c
                return self._on_circles({k: d for k, d in left.items() if d != 0.0})
        return p

    def _parts(self, m: Monomial) -> tuple[Monomial, Monomial]:
        """Return the moving factors and the constant ones."""
        moving = tuple(x for x in m if self.by_number[x].depth > 0)
        return moving, tuple(x for x in m if self.by_number[x].depth == 0)

    def _is_one(self, p: Polynomial) -> bool:
        """Whether a polynomial is one product of moving values with a constant factor."""
        return len({self._parts(m)[0] for m in p}) <= 1

    def _is_sum(self, x: Scalar) -> bool:
        return self._stays(x) or x.number in self.sums or self._is_one(self._polynomial(x))

    def _is_cheap(self, p: Polynomial) -> bool:
        """Whether a polynomial needs no product that is not recorded yet."""
        return all(m in self.products for m in self._costly(p))

    def _costly(self, p: Iterable[Monomial]) -> set[Monomial]:
        """Return the products of two or more moving values."""
        return {m for m in (self._parts(m)[0] for m in p) if len(m) > 1}

    def _built(self, p: Polynomial) -> Scalar:
        """Record the value of a polynomial whose products exist already."""
        by_moving: dict[Monomial, list[tuple[Monomial, float]]] = {}
        for m, c in p.items():
            moving, still = self._parts(m)
            by_moving.setdefault(moving, []).append((still, c))
        total: Scalar = number(0.0, float)
        for moving, terms in sorted(by_moving.items()):
            factor = self._added(self._still(m, c) for m, c in terms)
            if not moving:
                term = factor
            else:
                x = self.by_number[moving[0]] if len(moving) == 1 else self.products[moving]
                f, core = self._scaled(x)
                term = self._times(self._do("mul", factor, f), core)
            total = self._of_one_scale("add", total, term)
        if not known(total):
            self.sums.add(total.number)
        return self._follow(total, p)

    def _added(self, xs: Iterable[Scalar]) -> Scalar:
        total: Scalar = number(0.0, float)
        for x in xs:
            total = self._do("add", total, x)
        return total

    def _still(self, m: Monomial, c: float) -> Scalar:
        result: Scalar = number(1.0, float)
        for x in m:
            result = self._do("mul", result, self.by_number[x])
        return self._do("mul", number(c, float), result)
