"""Arithmetic on scalars: known numbers are folded, everything else is recorded on the tape."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from .tape import Scalar, Tape, Unsupported, Value, known

FLOAT, FLAG = np.dtype(float), np.dtype(bool)

_FOLD: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul,
    "neg": operator.neg, "div": np.divide, "max": np.maximum, "min": np.minimum,
    "abs": np.abs, "sign": np.sign, "sqrt": np.sqrt,
    "sin": np.sin, "cos": np.cos, "exp": np.exp, "log": np.log, "pow": np.power,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge, "is_finite": np.isfinite,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "not": np.invert,
    "floor": np.floor, "ceil": np.ceil,
}  # fmt: skip
_EXACT = ("add", "sub", "mul", "neg", "eq", "ne", "lt", "le", "gt", "ge", "max", "min")

# operations recorded under the name of their JAX primitive
_RECORDED = {
    *_FOLD,
    *("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp2", "expm1", "log1p", "log2", "cbrt", "rem", "erf", "erfc", "lgamma", "nextafter"),
}
# Operand whose sign shows in a finite result even if it is zero: arctan2(0, -1) is pi or -pi, and
# arctan(1 / 0) half of it. The sign of a known zero may have been lost (see `_mul`).
_SHOWS_SIGN = {"atan2": 0, "div": 1}
# primitives recorded as another operation; "same" is the identity
_MEANT = {"add_any": "add", "copy": "same", "copy_p": "same", "stop_gradient": "same"}
_MEANT |= {"reduce_precision": "same", "optimization_barrier": "same"}


Rule: TypeAlias = Callable[..., Scalar]  # (tape, *scalars) -> a scalar


def rule_of(name: str, dtype: Any, params: Mapping[str, Any] | None = None) -> Rule:
    """Return the elementwise primitive `name` as a function of a tape and scalars.

    Raises `Unsupported` if there is no such rule.
    """
    name, dtype = _MEANT.get(name, name), np.dtype(dtype)
    made_of = _COMPOSED.get(name)
    if made_of is None:
        return _recorded(name, dtype)
    return lambda tape, *xs: made_of(tape, dtype, params or {}, *xs)


def operation(tape: Tape, name: str, dtype: Any) -> Callable[..., Scalar]:
    """Return the elementwise primitive `name` as a function of scalars, or raise `Unsupported`."""
    return partial(rule_of(name, dtype), tape)


def is_elementwise(name: str) -> bool:
    """Whether `operation` knows the primitive."""
    name = _MEANT.get(name, name)
    return name in _RECORDED or name in _COMPOSED


# Return the rule of an operation: fold known numbers, simplify, or record it.
@functools.cache
def _recorded(name: str, dtype: np.dtype) -> Rule:
    if name not in _RECORDED:
        raise Unsupported(f"the primitive '{name}'")
    fold, exact, signed = _FOLD.get(name), name in _EXACT, _SHOWS_SIGN.get(name)

    def rule(tape: Tape, *xs: Scalar) -> Scalar:
        # x / select(c, 0, y) is allowed (depth 0), because a program that selects such a divisor
        # also selects away the bad quotient by the same flag c. A known zero is refused.
        if signed is not None and may_be_zero(xs[signed], 8 if name == "atan2" else 0):
            raise Unsupported(
                f"'{name}' of a zero, because scalar code does not preserve the sign of zero"
            )
        if fold is not None:
            for x in xs:
                # integers divide and overflow differently in NumPy and in compiled code
                if x.__class__ is Value or not (exact or x.dtype.kind in "fb"):
                    break
            else:
                # overflow or NaN shows in the result; `recording` silences the warning
                result = fold(*xs)
                return result if result.__class__ is dtype.type else number(result, dtype)
        simplify = _SIMPLIFY.get(name)
        if simplify is not None:
            simple = simplify(tape, dtype, *xs)
            if simple is not None:
                return simple
        return tape.make(name, dtype, *xs)

    return rule


def apply(tape: Tape, name: str, dtype: Any, *xs: Scalar) -> Scalar:
    """Apply one operation to scalars."""
    return rule_of(name, dtype)(tape, *xs)


def recording() -> Any:
    """Return a context in which NumPy does not warn of results that are not finite."""
    return np.errstate(all="ignore")


def number(x: Any, dtype: Any) -> Scalar:
    """Return a known scalar of this type."""
    return np.asarray(x).astype(dtype)[()]


def _is(x: Scalar, value: float) -> bool:
    return x.__class__ is not Value and bool(x == value)


def may_be_zero(x: Scalar, depth: int = 8) -> bool:
    """Whether the value is a known zero, or selected from values of which one is."""
    if known(x):
        return bool(x == 0) and x.dtype == FLOAT
    if x.op not in ("select", "neg") or not depth:
        return False
    values = x.operands[1:] if x.op == "select" else x.operands
    return any(may_be_zero(y, depth - 1) for y in values)


def _is_power_of_two(x: Scalar) -> bool:
    return x.__class__ is np.float64 and math.frexp(x)[0] == 0.5


def is_nonnegative(x: Scalar, depth: int = 8) -> bool:
    """Whether the value is provably >= 0 (or NaN)."""
    if known(x):
        return bool(x >= 0)
    if x.op in ("add", "mul", "max") and depth:
        return all(is_nonnegative(y, depth - 1) for y in x.operands)
    return x.op in ("abs", "sqrt", "exp")


def _scaled(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return (c, y) if x was recorded as c y with c a power of two; such factors combine exactly.

    Otherwise return (None, None).
    """
    if not known(x) and x.op == "mul" and _is_power_of_two(x.operands[0]):
        return x.operands
    return None, None


# Each rule below maps (tape, dtype, operands) to a scalar, or to None if there is nothing to
# simplify. 0 x is folded to 0, because all gain from the zeros of mass matrices and constraints
# depends on that. It is wrong if x is infinite or NaN: such x are remembered, and `Tape.lost` lists
# those that are not computed elsewhere, so that each is checked separately. The sign of a zero is
# not preserved either: 0 x is 0.0 for x < 0 as well, and x + 0 is x for x = -0.0 (XLA does this,
# too). Functions whose result shows that sign are refused for a known zero (`_SHOWS_SIGN`).


def _add(tape, dtype, a, b):
    if _is(a, 0):
        return b
    if _is(b, 0):
        return a
    if a is b and dtype == FLOAT:
        return _mul(tape, dtype, number(2, dtype), a)
    for x, y in ((a, b), (b, a)):
        if (minus := tape.negated(y)) is not None:
            return tape.make("sub", dtype, x, minus)
    return None


def _sub(tape, dtype, a, b):
    if _is(b, 0):
        return a
    if _is(a, 0) and not known(b):
        return _negative(tape, b)
    if (minus := tape.negated(b)) is not None:
        return tape.make("add", dtype, a, minus)
    return None


def _mul(tape, dtype, a, b):
    for x, y in ((a, b), (b, a)):
        if _is(x, 0):
            if not known(y):
                tape.dropped.append(y)
            return number(0, dtype)
    for x, y in ((a, b), (b, a)):
        if x.__class__ is not Value:
            if _is(x, 1):
                return y
            if _is(x, -1) and not known(y):
                return _negative(tape, y)
        if (minus := tape.negated(y)) is not None:
            return _negative(tape, apply(tape, "mul", dtype, x, minus))
        if _is_power_of_two(x) and not known(y):
            factor, rest = _scaled(y)
            if rest is None:
                return _times(tape, x, y)
            return _mul_or(tape, number(x * factor, dtype), rest)
    if dtype != FLOAT:
        return None
    result = _of_slow_factors(tape, dtype, a, b)
    return _of_powers_of_two(tape, dtype, a, b) if result is None else result


_FEW_POWERS = 8  # powers of two up to this do not bring an ordinary number out of its range


def _of_powers_of_two(tape, dtype, a, b):
    """Write (s x) (2 y) as ((2 s) x) y if s changes less often, as in the derivative of k/2 x^2.

    Returns None if the product is not of this form.
    """
    for x, y in ((a, b), (b, a)):
        factor, rest = _scaled(y)
        if rest is None or known(x) or x.op != "mul" or x.depth != rest.depth:
            continue
        if abs(math.frexp(factor)[1]) > _FEW_POWERS:
            continue
        for slow, fast in (x.operands, x.operands[::-1]):
            # The factor moves only to an operand that is computed less often, so that no two rules
            # move it back and forth.
            if not known(fast) and not known(slow) and slow.depth < x.depth:
                slow = apply(tape, "mul", dtype, factor, slow)
                return apply(tape, "mul", dtype, apply(tape, "mul", dtype, slow, fast), rest)
    return None


def _of_slow_factors(tape, dtype, a, b):
    """Write x (c y) as (x c) y if x and c change less often than y, else return None.

    Then x c is computed less often.
    """
    for x, y in ((a, b), (b, a)):
        if known(y) or y.op != "mul" or (not known(x) and x.depth >= y.depth):
            continue
        for c, rest in (y.operands, y.operands[::-1]):
            if not known(rest) and rest.depth == y.depth and (known(c) or c.depth < y.depth):
                slow = apply(tape, "mul", dtype, x, c)
                return apply(tape, "mul", dtype, slow, rest)
    return None


def _times(tape, a, b):
    return tape.make("mul", a.dtype, a, b)


def _mul_or(tape, factor, x):
    return x if _is(factor, 1) else _times(tape, factor, x)


def _negative(tape, x):
    minus = tape.negated(x)
    return tape.make("neg", x.dtype, x) if minus is None else minus


def _neg(tape, dtype, x):
    return tape.negated(x)


def _div(tape, dtype, a, b):
    if _is(b, 1):
        return a
    if _is(a, 0) and not known(b):
        # 0 / b is NaN for b = 0, too: the value to remember is the quotient itself
        tape.dropped.append(tape.make("div", dtype, a, b))
        return number(0, dtype)
    return None


def _and(tape, dtype, a, b):
    for x, y in ((a, b), (b, a)):
        if known(x) and x.dtype == bool:
            return y if x else x
    return None


def _or(tape, dtype, a, b):
    for x, y in ((a, b), (b, a)):
        if known(x) and x.dtype == bool:
            return x if x else y
    return None


def _max(tape, dtype, a, b):
    for x, y in ((a, b), (b, a)):
        if _is(x, 0) and not known(y) and is_nonnegative(y):
            return y
    return a if a is b else None


def _gt(tape, dtype, a, b):  # no search for a pivot among zeros
    return number(False, dtype) if _is(a, 0) and is_nonnegative(b) else None


def _lt(tape, dtype, a, b):
    return _gt(tape, dtype, b, a)


def _le(tape, dtype, a, b):  # a flag that was converted to the index of a branch
    is_flag = not known(a) and a.op == "convert" and a.operands[0].dtype == FLAG
    return apply(tape, "not", FLAG, a.operands[0]) if is_flag and _is(b, 0) else None


def _not(tape, dtype, x):
    return x.operands[0] if dtype == FLAG and x.op == "not" else None


def _abs(tape, dtype, x):
    if (minus := tape.negated(x)) is not None:
        return apply(tape, "abs", dtype, minus)
    return x if is_nonnegative(x) else None


_SIMPLIFY: dict[str, Callable[..., Any]] = {
    "add": _add, "sub": _sub, "mul": _mul, "div": _div, "abs": _abs, "neg": _neg,
    "and": _and, "or": _or, "max": _max, "gt": _gt, "lt": _lt, "le": _le, "not": _not,
}  # fmt: skip


# Each rule below maps (tape, dtype, parameters of the primitive, operands) to a scalar.


def _same(tape, dtype, params, x):
    return x


def _select(tape, dtype, params, which, *cases):
    if known(which):
        return cases[int(which)]
    if which.dtype != bool:
        out = cases[-1]
        for i in reversed(range(len(cases) - 1)):
            here = apply(tape, "le", FLAG, which, number(i, which.dtype))
            out = _select(tape, dtype, params, here, out, cases[i])
        return out
    first, second = (_chosen(x, which, i) for i, x in enumerate(cases))
    if first is second:
        return first
    if known(first) and known(second) and first.tobytes() == second.tobytes():
        return first
    return tape.make("select", dtype, which, first, second)


def _chosen(x, which, way):
    """Return the scalar that x equals if the flag `which` selects side `way`."""
    while not known(x) and x.op == "select" and x.operands[0] is which:
        x = x.operands[1 + way]
    return x


def _convert(tape, dtype, params, x):
    if x.dtype == dtype:
        return x
    if known(x):
        fits = x.dtype != float or dtype == FLOAT or dtype == FLAG or abs(x) < 2**31
        if fits:
            # otherwise leave the conversion to compiled code, whose result differs from NumPy's
            return number(x, dtype)
    if dtype == FLAG:
        return apply(tape, "ne", FLAG, x, number(0, x.dtype))
    if not known(x) and x.op == "select" and any(known(y) for y in x.operands[1:]):
        # result codes selected as one type: convert the cases, which are known
        which, *cases = x.operands
        return _select(tape, dtype, {}, which, *(_convert(tape, dtype, {}, y) for y in cases))
    return tape.make("convert", dtype, x)


def _integer_pow(tape, dtype, params, x):
    y = params["y"]
    multiply = operation(tape, "mul", dtype)
    out, power, left = None, x, abs(y)
    while left:
        if left & 1:
            out = power if out is None else multiply(out, power)
        left >>= 1
        if left:
            power = multiply(power, power)
    if out is None:
        return number(1, dtype)
    return out if y > 0 else apply(tape, "div", dtype, number(1, dtype), out)


def _square(tape, dtype, params, x):
    return apply(tape, "mul", dtype, x, x)


def _one_minus_square(tape, dtype, params, x):  # in derivatives of tanh, since JAX 0.11
    return apply(tape, "sub", dtype, number(1, dtype), apply(tape, "mul", dtype, x, x))


def _rsqrt(tape, dtype, params, x):
    return apply(tape, "div", dtype, number(1, dtype), apply(tape, "sqrt", dtype, x))


def _logistic(tape, dtype, params, x):
    one = number(1, dtype)
    grown = apply(tape, "exp", dtype, apply(tape, "neg", dtype, x))
    return apply(tape, "div", dtype, one, apply(tape, "add", dtype, one, grown))


def _clamp(tape, dtype, params, low, x, high):
    return apply(tape, "min", dtype, apply(tape, "max", dtype, low, x), high)


def _round(tape, dtype, params, x):
    return tape.make("round_even" if int(params["rounding_method"]) else "round_away", dtype, x)


def _pow(tape, dtype, params, x, y):
    if known(y) and abs(y) <= 16 and y == int(y) and x.dtype == dtype:
        return _integer_pow(tape, dtype, {"y": int(y)}, x)
    if y.dtype != dtype:
        y = _convert(tape, dtype, params, y)
    return _recorded("pow", dtype)(tape, x, y)


def _before(tape, dtype, params, a, b):
    """Return a < b in a total order, in which NaN comes last."""
    less = apply(tape, "lt", FLAG, a, b)
    if a.dtype.kind != "f":
        return less
    last = apply(tape, "and", FLAG, apply(tape, "ne", FLAG, b, b), apply(tape, "eq", FLAG, a, a))
    return apply(tape, "or", FLAG, less, last)


def _not_after(tape, dtype, params, a, b):
    return apply(tape, "not", FLAG, _before(tape, dtype, params, b, a))


_COMPOSED: dict[str, Callable[..., Any]] = {
    "lt_to": _before,
    "le_to": _not_after,
    "same": _same,
    "select_n": _select,
    "convert_element_type": _convert,
    "integer_pow": _integer_pow,
    "square": _square,
    "one_minus_square": _one_minus_square,
    "rsqrt": _rsqrt,
    "logistic": _logistic,
    "clamp": _clamp,
    "round": _round,
    "pow": _pow,
}
