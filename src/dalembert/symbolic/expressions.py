"""Convert a tape to SymPy expressions; numbers become exact fractions where possible."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..compile.ir.tape import Block, Loop, Scalar, Tape, Value, is_needed, known
from ..errors import UsageError

# An expression with more operations than this is split into named parts: SymPy needs about a second
# for this many, and a longer formula is not readable.
WRITTEN_OUT = 4000


def sympy() -> Any:
    """Import and return SymPy; if it is missing, the error says what to install."""
    try:
        import sympy
    except ImportError:
        raise UsageError('formulas need SymPy: pip install "dalembert[formulas]"') from None
    return sympy


def exact(x: float) -> Any:
    """Return a number as a fraction, or a fraction of pi, if that equals it to the last digit."""
    sp = sympy()
    if not math.isfinite(x):
        return sp.nan if math.isnan(x) else sp.oo * int(math.copysign(1, x))
    for unit, value in ((1, x), (sp.pi, x / math.pi)):
        near = Fraction(value).limit_denominator(1000)
        fits = (
            float(near) == value if unit == 1 else abs(float(near) * math.pi - x) <= 1e-16 * abs(x)
        )
        if fits and (near or unit == 1) and abs(near.numerator) < 10**7:
            return sp.Rational(near.numerator, near.denominator) * unit
    return sp.Float(x, 17)


@functools.cache
def _rules() -> dict[str, Callable[..., Any]]:
    sp = sympy()
    same = "sqrt sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp floor sign"
    rules: dict[str, Callable[..., Any]] = {name: getattr(sp, name) for name in same.split()}
    rules |= {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
        "div": lambda a, b: a / b, "neg": lambda a: -a, "pow": lambda a, b: a**b,
        "abs": sp.Abs, "ceil": sp.ceiling, "log": sp.log, "log1p": lambda a: sp.log(1 + a),
        "log2": lambda a: sp.log(a, 2), "expm1": lambda a: sp.exp(a) - 1, "exp2": lambda a: 2**a,
        "cbrt": lambda a: sp.sign(a) * sp.cbrt(sp.Abs(a)),
        "max": sp.Max, "min": sp.Min, "erf": sp.erf, "erfc": sp.erfc,
        "lgamma": sp.loggamma, "eq": sp.Eq, "ne": sp.Ne, "lt": sp.Lt, "le": sp.Le, "gt": sp.Gt,
        "ge": sp.Ge, "and": sp.And, "or": sp.Or, "not": sp.Not,
        "select": lambda which, no, yes: sp.Piecewise((yes, which), (no, True)),
    }  # fmt: skip
    return rules


def _rule(x: Value) -> Callable[..., Any] | None:
    """Return the SymPy function of an operation for its operand types; None if there is none."""
    sp, given = sympy(), x.operands[0].dtype.kind
    if x.op == "convert":
        if x.dtype.kind == "b":
            return lambda a: a if given == "b" else sp.Ne(a, 0)
        if given == "b":
            return lambda a: sp.Piecewise((1, a), (0, True))
        return _truncated if given == "f" and x.dtype.kind != "f" else lambda a: a
    if x.op == "div" and given != "f":
        return lambda a, b: _truncated(a / b)
    if x.op in ("and", "or", "not") and given != "b":  # bitwise operations of integers
        return None
    return _rules().get(x.op)


def _truncated(x: Any) -> Any:
    """Return the integer part, rounded towards zero."""
    sp = sympy()
    return sp.Piecewise((sp.floor(x), x >= 0), (sp.ceiling(x), True))


def expressions(
    tape: Tape,
    outputs: Sequence[Scalar],
    names: Mapping[int, Any],
    about: str,
    taken: Collection[str] = (),
) -> tuple[list[tuple[Any, Any]], list[Any]]:
    """Return (definitions of parts, expressions of the outputs); small expressions have no parts.

    The names of parts avoid the names in `taken`, also with one letter put in front.
    """
    sp, word = sympy(), "z"
    while any(re.fullmatch(rf"[a-z]?{word}\d+", x) for x in taken):
        word += "_"
    needed = tape.needed(outputs)
    values = [x for block in tape.levels for x in _values(block, needed, about)]
    written: dict[int, int] = {}
    uses: dict[int, int] = {}
    for x in values:
        inner = [y for y in x.operands if not known(y)]
        written[x.number] = 1 + sum(written.get(y.number, 1) for y in inner)
        for y in inner:
            uses[y.number] = uses.get(y.number, 0) + 1
    whole = sum(written.get(x.number, 1) for x in outputs if not known(x))
    apart = whole > WRITTEN_OUT
    env: dict[int, Any] = dict(names)
    parts: list[tuple[Any, Any]] = []

    def read(x: Scalar) -> Any:
        if not known(x):
            return env[x.number]
        return (
            sp.true if x.dtype == bool and x else sp.false if x.dtype == bool else exact(float(x))
        )

    for x in values:
        rule = _rule(x)
        if rule is None:
            raise UsageError(
                f"the function '{x.op}' has no symbolic rule",
                about=about,
                advice="its code and numbers are there: da.formulas(system).python()",
            )
        made = rule(*map(read, x.operands))
        if apart and uses.get(x.number, 0) > 1 and made.args:
            name = sp.Symbol(f"{word}{len(parts)}", real=True)
            parts.append((name, made))
            made = name
        env[x.number] = made
    return parts, [read(x) for x in outputs]


def _values(block: Block, needed: set[int], about: str) -> list[Value]:
    """Return the operations of a block; raise for loops and branches, which cannot be formulas."""
    result = []
    for item in block.items:
        if not is_needed(item, needed):
            continue
        if not isinstance(item, Value):
            what = "a loop" if isinstance(item, Loop) else "a branch"
            raise UsageError(
                f"{what} (lax.while_loop, lax.cond, an iteration) has no symbolic rule",
                about=about,
                advice="its code and numbers are there: da.formulas(system).python()",
            )
        result.append(item)
    return result


def simplified(x: Any) -> Any:
    """Return the shortest of a few equivalent forms; large expressions are returned unchanged.

    SymPy's `trigsimp` and `simplify` try hundreds of rules and need a second for an expression that
    fills a line, so they are applied to short expressions only.
    """
    sp = sympy()
    x = sp.sympify(x)
    if not x.args or sp.count_ops(x) > _LARGEST:
        return x

    def size(f: Any) -> tuple[int, int]:
        return sp.count_ops(f), len(str(f))

    forms = [x, sp.expand(x)]
    if x.has(sp.sin, sp.cos):
        forms += [_on_the_circle(forms[1], one, other) for one, other in _WAYS]
    best = min(forms, key=size)
    forms.append(sp.factor_terms(best))
    if sp.count_ops(best) < _FACTORED:
        forms.append(sp.factor(best))
    if sp.count_ops(best) < _SHORT:
        forms += [sp.trigsimp(best), sp.simplify(best)]
    return min(forms, key=size)


_WAYS = (("sin", "cos"), ("cos", "sin"))
# Largest numbers of operations of an expression that is simplified at all (about a line of a
# page), factored (a long line), and passed to SymPy's `simplify` (about a tenth of a second).
_LARGEST, _FACTORED, _SHORT = 600, 60, 16


def _on_the_circle(x: Any, kept: str, gone: str) -> Any:
    """Replace even powers by cos^2 = 1 - sin^2, or sin^2 = 1 - cos^2, and expand."""
    sp = sympy()
    keep, leave = getattr(sp, kept), getattr(sp, gone)

    def is_high(y: Any) -> bool:
        power = y.is_Pow and y.exp.is_Integer and y.exp >= 2
        return bool(power and isinstance(y.base, leave))

    def lowered(y: Any) -> Any:
        angle, n = y.base.args[0], int(y.exp)
        return (1 - keep(angle) ** 2) ** (n // 2) * y.base ** (n % 2)

    return sp.expand(x.replace(is_high, lowered))


def matrix(values: Sequence[Any], shape: tuple[int, ...]) -> Any:
    """Return entries as a matrix; a vector becomes a column."""
    sp = sympy()
    rows, columns = shape if len(shape) == 2 else (*shape, 1)
    return sp.Matrix(rows, columns, list(values)) if rows * columns else sp.zeros(rows, columns)


__all__ = ["exact", "expressions", "matrix", "simplified", "sympy"]
