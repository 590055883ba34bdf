"""Derivatives of elementary functions: c = f(a) satisfies c' = u a', with u made of a and c."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from .constant_folding import apply, number
from .tape import Scalar, Tape

# operation -> u, as a function of (tape, a, c) that records u on the tape
SLOPES: dict[str, Callable[[Tape, Scalar, Scalar], Scalar]] = {}


def _slope(*names: str) -> Callable[..., None]:
    def enter(f: Callable[[Callable[..., Scalar], Scalar, Scalar], Scalar]) -> None:
        for name in names:
            SLOPES[name] = functools.partial(_recorded, f, name)

    return enter


def _recorded(f: Callable[..., Scalar], name: str, tape: Tape, a: Scalar, c: Scalar) -> Scalar:
    def do(op: str, *xs: Scalar | float) -> Scalar:
        return apply(
            tape, op, float, *(number(x, float) if isinstance(x, float) else x for x in xs)
        )

    return f(do, a, c)


def _one_plus(do: Callable[..., Scalar], x: Scalar, sign: str = "add") -> Scalar:
    return do(sign, 1.0, do("mul", x, x))


_slope("exp")(lambda do, a, c: c)
_slope("exp2")(lambda do, a, c: do("mul", math.log(2.0), c))
_slope("expm1")(lambda do, a, c: do("add", c, 1.0))
_slope("log")(lambda do, a, c: do("div", 1.0, a))
_slope("log2")(lambda do, a, c: do("div", 1.0 / math.log(2.0), a))
_slope("log1p")(lambda do, a, c: do("div", 1.0, do("add", 1.0, a)))
_slope("sin")(lambda do, a, c: do("cos", a))
_slope("cos")(lambda do, a, c: do("neg", do("sin", a)))
_slope("tan")(lambda do, a, c: _one_plus(do, c))
_slope("tanh")(lambda do, a, c: _one_plus(do, c, "sub"))
_slope("sinh")(lambda do, a, c: do("cosh", a))
_slope("cosh")(lambda do, a, c: do("sinh", a))
_slope("atan")(lambda do, a, c: do("div", 1.0, _one_plus(do, a)))
_slope("asin")(lambda do, a, c: do("div", 1.0, do("sqrt", _one_plus(do, a, "sub"))))
_slope("acos")(lambda do, a, c: do("div", -1.0, do("sqrt", _one_plus(do, a, "sub"))))
_slope("asinh")(lambda do, a, c: do("div", 1.0, do("sqrt", _one_plus(do, a))))
_slope("acosh")(lambda do, a, c: do("div", 1.0, do("sqrt", do("sub", do("mul", a, a), 1.0))))
_slope("atanh")(lambda do, a, c: do("div", 1.0, _one_plus(do, a, "sub")))
_slope("cbrt")(lambda do, a, c: do("div", c, do("mul", 3.0, a)))
_slope("erf")(lambda do, a, c: _bell(do, a, 2.0))
_slope("erfc")(lambda do, a, c: _bell(do, a, -2.0))


def _bell(do: Callable[..., Scalar], a: Scalar, factor: float) -> Scalar:
    bell = do("exp", do("neg", do("mul", a, a)))
    return do("mul", factor / math.sqrt(math.pi), bell)
