"""Lanes, the numbers of an array one by one, and arithmetic on them.

An array of lanes is a NumPy array of objects: NumPy numbers (known while tracing) and traced
scalars. `Code` makes every operation once, and what is known folds away.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.core import Tracer

# Above this many operations in a step arrays are used: compiling takes longer than running would
# save (`benchmarks/agreement.py` shows it).
LARGEST = 6_000


Lane: TypeAlias = Any  # a number known while tracing, or a traced scalar


class Unsupported(Exception):
    """The function cannot be evaluated lane by lane, or should not be."""


def lanes_of(x: object) -> np.ndarray:
    """The lanes of an array: known numbers of a concrete one, slices of a traced one."""
    if not isinstance(x, Tracer):
        x = np.asarray(x)
        return filled(x.shape, (x[i] for i in np.ndindex(x.shape)))
    if not x.ndim:
        return filled((), [x])
    flat = lax.reshape(x, (x.size,))
    return filled(x.shape, (lax.index_in_dim(flat, i, keepdims=False) for i in range(x.size)))


def filled(shape: Sequence[int], values: Any) -> np.ndarray:
    """An array of lanes from its entries in order."""
    lanes = np.empty(shape, object)
    for i, value in zip(np.ndindex(*lanes.shape), values):
        lanes[i] = value
    return lanes


def entries(lanes: np.ndarray) -> list[np.ndarray]:
    """Along the first axis, each still an array: of a 1-d one NumPy would give the bare object."""
    return [lanes[i : i + 1].reshape(lanes.shape[1:]) for i in range(lanes.shape[0])]


def known(x: Lane) -> bool:
    """Whether a lane is a number known while tracing."""
    return isinstance(x, np.generic)


# -- code that is being made ----------------------------------------------------------------------


class Code:
    """A straight piece of code: what was made in it is not made again."""

    def __init__(self) -> None:
        self.made: dict[tuple[object, ...], Lane] = {}
        self.origin: dict[int, tuple[str, tuple[Lane, ...]]] = {}

    def make(self, operation: Callable[..., Any], label: str, *operands: Lane) -> Lane:
        key = (label, *((x.dtype.str, x.tobytes()) if known(x) else id(x) for x in operands))
        if key not in self.made:
            if len(self.made) > LARGEST:
                raise Unsupported(f"more than {LARGEST} operations in a step")
            new = operation(*map(jnp.asarray, operands))
            self.made[key] = new
            # the operands live on with it, so that ids stay theirs
            self.origin[id(new)] = (label, operands)
        return self.made[key]

    def is_nonnegative(self, x: Lane) -> bool:
        return bool(x >= 0) if known(x) else self.origin.get(id(x), ("",))[0] in _NONNEGATIVE

    def negated(self, x: Lane) -> Lane:
        """y if x was made as -y."""
        label, operands = self.origin.get(id(x), ("", ()))
        return operands[0] if label == "neg" else None

    def scaled(self, x: Lane) -> tuple[Lane, Lane]:
        """(c, y) if x was made as c y with c a power of two: such factors combine exactly."""
        label, operands = self.origin.get(id(x), ("", ()))
        if label == "mul" and _is_power_of_two(operands[0]):
            return operands
        return None, None


_NONNEGATIVE = ("abs", "sqrt", "exp")
_FOLD: dict[str, Callable[..., Any]] = {
    "add": operator.add, "add_any": operator.add, "sub": operator.sub, "mul": operator.mul,
    "neg": operator.neg, "div": np.divide, "max": np.maximum, "min": np.minimum,
    "abs": np.abs, "sign": np.sign, "sqrt": np.sqrt, "square": np.square,
    "sin": np.sin, "cos": np.cos, "exp": np.exp, "log": np.log, "pow": np.power,
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge, "is_finite": np.isfinite,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "not": np.invert,
}  # fmt: skip
_EXACT = ("add", "add_any", "sub", "mul", "neg", "eq", "ne", "lt", "le", "gt", "ge", "max", "min")
_WITH_PARAMETERS = ("integer_pow", "convert_element_type", "round")
ELEMENTWISE = {
    *_FOLD,
    *("tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp2", "expm1", "log1p", "integer_pow", "rsqrt", "cbrt", "rem", "floor", "ceil", "round"),
    *("erf", "erfc", "erf_inv", "logistic", "lgamma", "digamma", "nextafter", "clamp", "select_n"),
    *("convert_element_type", "stop_gradient", "copy", "copy_p"),
}


# What these carry beside their operands (accuracy, output type) is left at its default in all that
# is differentiated here, so that equal operations from different places are found to be equal.
_PLAIN = {"add": lax.add, "add_any": lax.add, "sub": lax.sub, "mul": lax.mul, "neg": lax.neg}
_PLAIN |= {"ne": lax.ne, "select_n": lax.select_n, "max": lax.max, "min": lax.min}
_PLAIN |= {"and": lax.bitwise_and, "or": lax.bitwise_or}


def operation_on_lanes(code: Code, name: str, dtype: Any, eqn: Any = None):
    """The elementwise primitive `name` as a function of lanes, with what can be folded folded."""
    params = {} if eqn is None else eqn.params
    if name in _PLAIN:
        label, operation = name.removesuffix("_any"), _PLAIN[name]
    else:
        label = f"{name}{sorted(params.items(), key=str)}" if name in _WITH_PARAMETERS else name
        assert eqn is not None
        operation = functools.partial(eqn.primitive.bind, **params)
    make = functools.partial(code.make, operation, label)
    fold = _FOLD.get(name)
    simplify = _SIMPLIFY.get(name)

    def number(x: Lane) -> Lane:
        return np.asarray(x).astype(dtype)[()]

    def apply(*xs: Lane) -> Lane:
        # whole numbers divide and overflow in NumPy as they do not in XLA
        exact = all(known(x) and (x.dtype in (float, bool) or name in _EXACT) for x in xs)
        if exact and fold is not None:
            with np.errstate(all="ignore"):
                return number(fold(*xs))
        if simplify is not None:
            simple = simplify(code, number, params, *xs)
            if simple is not None:
                return simple
        return make(*xs)

    return apply


def _negative(code: Code, x: Lane) -> Lane:
    return code.make(lax.neg, "neg", x)


def _is(x: Lane, value: float) -> bool:
    return known(x) and x == value


def _is_power_of_two(x: Lane) -> bool:
    return known(x) and x.dtype == float and bool(math.frexp(x)[0] == 0.5)


# Each: (code, number, params, operands) -> a lane, or None if there is nothing to simplify. That
# 0 x = 0 is untrue for x infinite or NaN: where x is used nowhere else, arrays would show a NaN
# that this code does not. All gain from the zeros of mass matrices and constraints hangs on it.


def _add(code, number, params, a, b):
    if _is(a, 0):
        return b
    if _is(b, 0):
        return a
    if a is b and number(0).dtype == float:
        return _times(code, number(2), a)
    for x, y in ((a, b), (b, a)):
        if (minus := code.negated(y)) is not None:
            return code.make(lax.sub, "sub", x, minus)
    return None


def _sub(code, number, params, a, b):
    if _is(b, 0):
        return a
    if _is(a, 0) and not known(b):
        return _negative(code, b)
    if (minus := code.negated(b)) is not None:
        return code.make(lax.add, "add", a, minus)
    return None


def _mul(code, number, params, a, b):
    if _is(a, 0) or _is(b, 0):
        return number(0)
    for x, y in ((a, b), (b, a)):
        if _is(x, 1):
            return y
        if _is(x, -1) and not known(y):
            return _negative(code, y)
        if (minus := code.negated(y)) is not None:
            return _negative(code, _times(code, x, minus))
        if _is_power_of_two(x) and not known(y):
            factor, rest = code.scaled(y)
            return _times(code, x, y) if rest is None else _mul_or(code, number(x * factor), rest)
    return None


def _times(code, a, b):
    return code.make(lax.mul, "mul", a, b)


def _mul_or(code, factor, x):
    return x if _is(factor, 1) else _times(code, factor, x)


def _neg(code, number, params, x):
    return code.negated(x)


def _div(code, number, params, a, b):
    if _is(b, 1):
        return a
    return number(0) if _is(a, 0) and not known(b) else None


def _and(code, number, params, a, b):
    for x, y in ((a, b), (b, a)):
        if known(x) and x.dtype == bool:
            return y if x else x
    return None


def _or(code, number, params, a, b):
    for x, y in ((a, b), (b, a)):
        if known(x) and x.dtype == bool:
            return x if x else y
    return None


def _max(code, number, params, a, b):
    for x, y in ((a, b), (b, a)):
        if _is(x, 0) and code.is_nonnegative(y):
            return y
    return None


def _gt(code, number, params, a, b):  # no pivot is looked for among zeros
    return number(False) if _is(a, 0) and code.is_nonnegative(b) else None


def _lt(code, number, params, a, b):
    return _gt(code, number, params, b, a)


def _abs(code, number, params, x):
    return x if code.is_nonnegative(x) else None


def _select(code, number, params, which, *cases):
    if known(which):
        return cases[int(which)]
    first = cases[0]
    if all(c is first for c in cases):
        return first
    if all(map(known, cases)) and len({c.tobytes() for c in cases}) == 1:
        return first
    return None


def _convert(code, number, params, x):
    if known(x):
        to_float = np.issubdtype(params["new_dtype"], np.floating)
        fits = x.dtype != float or to_float or abs(x) < 2**31
        return number(x) if fits else None  # a NaN or a large number XLA turns into its own
    return x if x.dtype == params["new_dtype"] else None


def _integer_pow(code, number, params, x):
    y = params["y"]
    if y == 1:
        return x
    if y == 2 and not known(x):
        return _times(code, x, x)
    if known(x):
        with np.errstate(all="ignore"):
            return number(x**y if y >= 0 else 1.0 / x**-y)
    return None


def _same(code, number, params, x):
    return x


_SIMPLIFY: dict[str, Callable[..., Any]] = {
    "add": _add, "add_any": _add, "sub": _sub, "mul": _mul, "div": _div, "abs": _abs, "neg": _neg,
    "and": _and, "or": _or, "max": _max, "gt": _gt, "lt": _lt, "select_n": _select,
    "convert_element_type": _convert, "integer_pow": _integer_pow,
    "stop_gradient": _same, "copy": _same, "copy_p": _same,
}  # fmt: skip
