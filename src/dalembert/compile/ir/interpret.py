"""Run a tape in NumPy, operation by operation: the reference for tests of compiled code."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .record import Recorded
from .table_lookup import numbers_at
from .tape import Block, Loop, Memory, Scalar, Value, is_needed, known


def _select(which: Any, no: Any, yes: Any) -> Any:
    return yes if which else no


def _round_away(x: Any) -> Any:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _whole(towards_zero: Callable[..., Any], of_floats: Callable[..., Any]) -> Callable[..., Any]:
    def divide(a: Any, b: Any) -> Any:
        if a.dtype.kind == "f":
            return of_floats(a, b)
        return a.dtype.type(towards_zero(int(a), int(b)))

    return divide


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "neg": np.negative,
    "div": _whole(lambda a, b: int(a / b) if b else -1, np.divide),
    "rem": _whole(lambda a, b: int(math.fmod(a, b)) if b else a, np.fmod),
    "max": np.maximum, "min": np.minimum, "abs": np.abs, "sign": np.sign, "sqrt": np.sqrt,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "atan2": np.arctan2, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "exp": np.exp, "log": np.log,
    "exp2": np.exp2, "expm1": np.expm1, "log1p": np.log1p, "cbrt": np.cbrt, "pow": np.power,
    "log2": np.log2,
    "floor": np.floor, "ceil": np.ceil, "round_even": np.rint, "round_away": _round_away,
    "erf": lambda x: np.float64(math.erf(x)), "erfc": lambda x: np.float64(math.erfc(x)),
    "lgamma": lambda x: np.float64(math.lgamma(x)), "nextafter": np.nextafter,
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "is_finite": np.isfinite, "select": _select, "convert": lambda x: x,
    "locate": lambda place, n, x: np.searchsorted(numbers_at(place, n), x, side="right") - 1,
    "load": lambda place, i: numbers_at(place + 8 * i, 1)[0],
    "entry": lambda array, i: array.ravel()[i],
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "not": np.invert,
}  # fmt: skip


def _packed(item: Memory, *given: Any) -> np.ndarray:
    copies, places, fixed = item.how
    out = np.zeros(item.size)
    for i, x in fixed:
        out[i] = x
    for source, (to, at) in zip(given, copies):
        out[list(to)] = source.ravel()[list(at)]
    for x, where in zip(given[len(copies) :], places):
        out[list(where)] = x
    return out.reshape(item.shape)


def _mapped(item: Memory, *given: Any) -> np.ndarray:
    op, *how = item.how
    values = iter(given)
    xs = [next(values) if x is None else x for x in how]
    f = (lambda which, a, b: np.where(which, b, a)) if op == "select" else OPERATIONS[op]
    return np.broadcast_to(f(*map(np.asarray, xs)), item.shape)


def _solved(item: Memory, A: np.ndarray, b: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        return np.full(b.shape, np.nan)


ARRAYS: dict[str, Callable[..., Any]] = {
    "pack": _packed,
    "map": _mapped,
    "matmul": lambda item, a, b: (a.T if item.how[0] else a) @ b,
    "products": lambda item, a, b: np.einsum(
        "mkn,kpn->mpn",
        a.reshape(*item.how[:2], -1),
        b.reshape(*item.how[1:], -1),
    ).reshape(item.shape),
    "cross": lambda item, a, b: np.cross(a, b, axis=0),
    "matvec": lambda item, a, x: (a @ x.ravel())[None],
    "reduce": lambda item, x: {"add": np.sum, "max": np.max, "min": np.min}[item.how[0]](
        x, axis=0, keepdims=True
    ),
    "factor": lambda item, a: a,  # the matrix itself, which "solve_spd" then solves with
    "solve_spd": _solved,
    "solve": _solved,
}


class Interpreter:
    """Runs a recorded function; a subclass may compute with more than NumPy numbers."""

    def __init__(self, recorded: Recorded, numbers: Sequence[Any]) -> None:
        flat = [value for group in recorded.inputs for value in group]
        self.recorded, self._needed = recorded, recorded.needed()
        self._env = {v.number: self.given(v, x) for v, x in zip(flat, numbers, strict=True)}

    def given(self, value: Value, x: Any) -> Any:
        """Return x converted to the type of `value`, to which it is assigned."""
        return x if isinstance(value, Memory) else value.dtype.type(x)

    def constant(self, x: Any) -> Any:
        """Return a known number."""
        return x

    def applied(self, item: Value, operands: list[Any]) -> Any:
        """Return the result of an operation."""
        if isinstance(item, Memory):
            return ARRAYS[item.op](item, *operands)
        return item.dtype.type(OPERATIONS[item.op](*operands))

    def is_true(self, x: Any) -> bool:
        """Return whether the condition of a loop or branch is true."""
        return bool(x)

    def outputs(self) -> list[Any]:
        """Run the function and return its outputs."""
        with np.errstate(all="ignore"):
            for block in self.recorded.tape.levels:
                self._run(block)
        return [self._read(x) for x in self.recorded.outputs]

    def _read(self, x: Scalar) -> Any:
        return self.constant(x) if known(x) else self._env[x.number]

    def _put(self, values: Sequence[Value], scalars: Sequence[Any]) -> None:
        # read all before writing any: an input may be the next value of another one
        pairs = [(v, self._read(x)) for v, x in zip(values, scalars) if v.number in self._needed]
        self._env.update({v.number: self.given(v, x) for v, x in pairs})

    def _run(self, block: Block) -> None:
        for item in block.items:
            if not is_needed(item, self._needed):
                continue
            if isinstance(item, Value):
                self._env[item.number] = self.applied(item, [self._read(x) for x in item.operands])
            elif isinstance(item, Loop):
                self._put(item.inputs, item.start)
                while True:
                    self._run(item.head)
                    self._run(item.test)
                    if not self.is_true(self._read(item.goes_on)):
                        break
                    self._run(item.body)
                    self._put(item.inputs, item.next)
                self._put(item.results, item.inputs)
            else:
                taken = int(self.is_true(self._read(item.which)))
                self._run(item.ways[taken])
                self._put(item.results, item.outs[taken])


def interpreted(recorded: Recorded, numbers: Sequence[Any]) -> list[Any]:
    """Return the outputs for these inputs, flattened, as NumPy numbers."""
    return Interpreter(recorded, numbers).outputs()
