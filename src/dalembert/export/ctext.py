"""Write a tape as C99: straight-line code, loops and branches, in double or float.

A value that is read by exactly one operation of the same block is inlined into that expression;
every other value becomes a named constant. The code allocates nothing and calls only the C
standard library.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ..compile.ir.tape import (
    Block,
    Branch,
    Loop,
    Memory,
    Scalar,
    Tape,
    Unsupported,
    Value,
    is_needed,
    known,
)
from . import c_arrays

_WHOLE_TYPES = {"l": "int64_t", "q": "int64_t", "i": "int32_t", "?": "bool"}
_WHOLE_TYPES |= {"L": "uint64_t", "Q": "uint64_t", "I": "uint32_t"}
_LIMITS = {"i": "INT32_MIN, INT32_MAX", "I": "0, UINT32_MAX"}  # ranges below 64 bits
_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_LOGIC = {"and": ("&&", "&"), "or": ("||", "|"), "xor": ("!=", "^")}
# Operation of the tape -> function of <math.h>.
_CALLS = {
    "abs": "fabs", "round_even": "rint", "round_away": "round", "rem": "fmod",
    **{
        name: name
        for name in (
            "sqrt floor ceil sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp "
            "exp2 expm1 log log1p log2 cbrt pow erf erfc lgamma nextafter"
        ).split()
    },
}  # fmt: skip
_READ_TWICE = ("max", "min", "sign", "abs", "div", "rem")  # operations of integers
_LONGEST = 88  # characters of an expression before it becomes a named constant
# Precedence of the outermost operation of an expression, for parentheses.
_SUM, _PRODUCT, _SIGN, ATOM = range(4)
_WEAKEST = -1

# Nonzero floats below this are rounded up to it: `x + 1e-300` guards a division by zero, and in
# single precision 1e-300 would become 0. (The smallest normal float is about 1.18e-38.)
_SMALLEST_FLOAT = 1.2e-38

HELPERS = {
    "max": """/* the larger one; NaN where one of both is */
static inline real {prefix}max(real a, real b) {{ return (a > b || a != a) ? a : b; }}""",
    "min": """/* the smaller one; NaN where one of both is */
static inline real {prefix}min(real a, real b) {{ return (a < b || a != a) ? a : b; }}""",
    "sign": """static inline real {prefix}sign(real x) {{ return x > 0 ? 1 : x < 0 ? -1 : x; }}""",
    "whole": """/* to an integer: what does not fit becomes the largest, a NaN becomes zero */
static inline int64_t {prefix}whole(real x) {{
    if (x != x) return 0;
    if (x >= (real)9223372036854775807.0) return INT64_MAX;
    if (x <= (real)-9223372036854775807.0) return INT64_MIN;
    return (int64_t)x;
}}""",
    "fitted": """/* the nearest of the integers from low to high */
static inline int64_t {prefix}fitted(int64_t x, int64_t low, int64_t high) {{
    return x < low ? low : x > high ? high : x;
}}""",
    "quotient": """/* of integers, as XLA has it where a processor would stop */
static inline int64_t {prefix}quotient(int64_t a, int64_t b) {{
    return b == 0 ? -1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}}""",
    "remainder": """/* of integers, as XLA has it where a processor would stop */
static inline int64_t {prefix}remainder(int64_t a, int64_t b) {{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}}""",
    "locate": """/* the last entry of a growing table that is not above x; -1 before the first */
static inline int64_t {prefix}locate(const real *table, int64_t count, real x) {{
    int64_t low = -1, high = count;
    while (high - low > 1) {{
        const int64_t mid = low + (high - low) / 2;
        if (table[mid] <= x) low = mid; else high = mid;
    }}
    return low;
}}""",
    **c_arrays.ROUTINES,
}


class Writer:
    """Collects the statements of one C function."""

    def __init__(self, single: bool, prefix: str) -> None:
        self.single, self.prefix = single, prefix
        self.lines: list[str] = []
        self.indent = 1
        self.names: dict[int, tuple[str, int]] = {}  # value -> its expression and precedence
        self.helpers: set[str] = set()
        self.operations = 0
        self.tables: dict[int, str] = {}  # inputs that are addresses -> the array's name in C
        self.stack = 0  # bytes of arrays
        self._inlined: set[int] = set()
        self._count = 0

    # -- text ----------------------------------------------------------------------------------

    def say(self, line: str) -> None:
        """Append one line of code."""
        self.lines.append("    " * self.indent + line if line else "")

    def type(self, dtype: np.dtype) -> str:
        """Return the C type of a dtype."""
        return "real" if dtype.char == "d" else _WHOLE_TYPES[dtype.char]

    def number(self, x: np.generic) -> tuple[str, int]:
        """Return a constant as C text, with its precedence."""
        kind = x.dtype.kind
        if kind == "b":
            return ("true" if x else "false"), ATOM
        if kind != "f":
            value = int(x)
            if value == np.iinfo(np.int64).min:
                return "INT64_MIN", ATOM
            return (f"({value})" if value < 0 else str(value)), ATOM
        value = float(x)
        if math.isnan(value):
            return "NAN", ATOM
        if math.isinf(value):
            return ("INFINITY" if value > 0 else "(-INFINITY)"), ATOM
        return literal(value, self.single), ATOM

    def number_of(self, x: float) -> str:
        """Return a constant of the real type as C text."""
        return self.number(np.float64(x))[0]

    def read(self, x: Scalar, least: int = _WEAKEST) -> str:
        """Return x as an operand, in parentheses if it binds more weakly than `least`."""
        text, binds = self.number(x) if known(x) else self.names[x.number]
        return f"({text})" if binds < least else text

    def fresh(self) -> str:
        """Return a new variable name."""
        self._count += 1
        return f"x{self._count}"

    # -- operations ----------------------------------------------------------------------------

    def expression(self, value: Value) -> tuple[str, int]:
        """Return the C expression of an operation, with its precedence."""
        op, xs = value.op, value.operands
        dtype, given = value.dtype, xs[0].dtype
        is_float = given.kind == "f"
        self.operations += 1
        if op in _INFIX and (is_float or op != "div"):
            binds = _SUM if op in ("add", "sub") else _PRODUCT
            # Parentheses in a - (b + c) and a * (b * c) keep the rounding of the tape.
            return f"{self.read(xs[0], binds)} {_INFIX[op]} {self.read(xs[1], binds + 1)}", binds
        if op == "neg":
            return f"-{self.read(xs[0], ATOM)}", _SIGN
        if op in _COMPARE:
            return f"{self.read(xs[0], _SUM)} {_COMPARE[op]} {self.read(xs[1], _SUM)}", _WEAKEST
        if op in _LOGIC:
            sign = _LOGIC[op][0 if given.kind == "b" else 1]
            return f"{self.read(xs[0], ATOM)} {sign} {self.read(xs[1], ATOM)}", _WEAKEST
        if op == "not":
            return f"{'!' if given.kind == 'b' else '~'}{self.read(xs[0], ATOM)}", _SIGN
        if op == "select":
            which, no, yes = (self.read(x, ATOM) for x in xs)
            return f"{which} ? {yes} : {no}", _WEAKEST
        if op == "convert":
            return self.converted(xs[0], dtype)
        if op in ("max", "min", "sign") and is_float:
            return self.helped(op, *xs)
        if op in ("max", "min"):
            a, b = (self.read(x, ATOM) for x in xs)
            return f"{a} {'>' if op == 'max' else '<'} {b} ? {a} : {b}", _WEAKEST
        if op == "sign":
            a = self.read(xs[0], ATOM)
            return f"({a} > 0) - ({a} < 0)", _SUM
        if op == "abs" and not is_float:
            a = self.read(xs[0], ATOM)
            return f"{a} < 0 ? -{a} : {a}", _WEAKEST
        if op == "is_finite":
            return f"isfinite({self.read(xs[0])})", ATOM
        if op in ("div", "rem") and not is_float:
            if given.kind == "u":  # jnp.interp divides such integers by 2; x / 0 as in XLA
                a, b = (self.read(x, ATOM) for x in xs)
                most = "UINT32_MAX" if given.char == "I" else "UINT64_MAX"
                zero = most if op == "div" else a
                return f"{b} == 0 ? {zero} : {a} {'/' if op == 'div' else '%'} {b}", _WEAKEST
            return self.helped("quotient" if op == "div" else "remainder", *xs)
        if op == "locate":
            self.helpers.add("locate")
            count, x = (self.read(y) for y in xs[1:])
            return f"{self.prefix}locate({self.table(xs[0])}, {count}, {x})", ATOM
        if op == "load":
            return f"{self.table(xs[0])}[{self.read(xs[1])}]", ATOM
        if op in _CALLS:
            name = _CALLS[op] + ("f" if self.single else "")
            return f"{name}({', '.join(self.read(x) for x in xs)})", ATOM
        raise Unsupported(f"the operation '{op}' in C")

    def helped(self, name: str, *xs: Scalar) -> tuple[str, int]:
        """Call one of the functions in `HELPERS`."""
        self.helpers.add(name)
        return f"{self.prefix}{name}({', '.join(self.read(x) for x in xs)})", ATOM

    def converted(self, x: Scalar, dtype: np.dtype) -> tuple[str, int]:
        """Return x converted to another type."""
        if dtype.kind == "b":
            return f"{self.read(x, _SUM)} != 0", _WEAKEST
        if x.dtype.kind == "f":
            self.helpers.add("whole")
            whole, limits = f"{self.prefix}whole({self.read(x)})", _LIMITS.get(dtype.char)
            if dtype.kind == "u" and limits is None:
                raise Unsupported("the conversion of a number to an unsigned 64-bit integer")
            if limits is not None:
                self.helpers.add("fitted")
                whole = f"{self.prefix}fitted({whole}, {limits})"
            return f"({self.type(dtype)}){whole}", _SIGN
        return f"({self.type(dtype)}){self.read(x, ATOM)}", _SIGN

    def table(self, x: Scalar) -> str:
        """Return the array that an address refers to; it must come from a parameter."""
        if known(x) or x.number not in self.tables:
            raise Unsupported("a table with a computed address")
        return self.tables[x.number]

    # -- blocks --------------------------------------------------------------------------------

    def inline(self, tape: Tape, needed: set[int], outputs: Iterable[Scalar]) -> None:
        """Find the values that are inlined into the only expression that reads them."""
        uses: dict[int, int] = {}
        where: dict[int, int] = {}
        readers: dict[int, int] = {}

        def count(lanes: Iterable[Scalar], block: int, times: int = 1) -> None:
            for x in lanes:
                if not known(x):
                    uses[x.number] = uses.get(x.number, 0) + times
                    readers[x.number] = block

        def walk(block: Block) -> None:
            for item in block.items:
                if not is_needed(item, needed):
                    continue
                if isinstance(item, Value):
                    where[item.number] = id(block)
                    # The C text of these operations reads an operand twice, so the operand is a
                    # named constant and not inlined.
                    twice = item.dtype.kind != "f" and item.op in _READ_TWICE
                    twice = twice or isinstance(item, Memory)
                    count(item.operands, id(block), 2 if twice else 1)
                elif isinstance(item, Loop):
                    count([*item.start, *item.next, item.goes_on], 0, 2)
                    walk(item.head)
                    walk(item.test)
                    walk(item.body)
                else:
                    count([item.which, *(x for outs in item.outs for x in outs)], 0, 2)
                    for way in item.ways:
                        walk(way)

        for block in tape.levels:
            walk(block)
        count(outputs, 0, 2)
        self._inlined |= {n for n, k in uses.items() if k == 1 and where.get(n) == readers[n]}

    def block(self, block: Block, needed: set[int]) -> None:
        """Write those operations of a block that are needed and not yet written."""
        for item in block.items:
            if not is_needed(item, needed):
                continue
            if isinstance(item, Memory):
                if item.number not in self.names:
                    self.names[item.number] = c_arrays.operation(self, item), ATOM
            elif isinstance(item, Value):
                if item.number not in self.names:
                    self.value(item)
            elif all(x.number in self.names for x in item.results if x.number in needed):
                continue
            elif isinstance(item, Loop):
                self.loop(item, needed)
            else:
                self.branch(item, needed)

    def value(self, item: Value) -> None:
        """Write one operation: as a named constant, or inlined later where it is read."""
        if item.op == "convert" and not known(item.operands[0]):
            table = self.tables.get(item.operands[0].number)
            if table is not None:  # an address: the array's name takes its place
                self.tables[item.number], self.names[item.number] = table, ("0", ATOM)
                return
        if item.op == "entry":  # an array does not change while its entries are read
            array, i = item.operands
            self.names[item.number] = f"{self.names[array.number][0]}[{int(i)}]", ATOM
            return
        text, binds = self.expression(item)
        if item.number in self._inlined and len(text) <= _LONGEST:
            self.names[item.number] = text, binds
            return
        name = self.fresh()
        self.say(f"const {self.type(item.dtype)} {name} = {text};")
        self.names[item.number] = name, ATOM

    def variable(self, x: Value, start: str | None = None) -> str:
        """Declare a variable that is assigned later, and return its name."""
        if isinstance(x, Memory):
            name = c_arrays.declared(self, x)
            if start is not None:
                c_arrays.copied(self, name, start, x)
            return name
        name = self.fresh()
        self.say(f"{self.type(x.dtype)} {name}{'' if start is None else f' = {start}'};")
        return name

    def assign(self, targets: Sequence[tuple[str, Scalar]]) -> None:
        """Assign all targets simultaneously: every value is read before any target is written."""
        written = {name for name, _ in targets}
        result = []
        for name, x in targets:
            text = self.read(x)
            if text == name:
                continue
            if text in written:  # another target: it may be overwritten before it is read here
                kept = self.fresh()
                self.say(f"const {self.type(x.dtype)} {kept} = {text};")
                text = kept
            result.append(f"{name} = {text};")
        for line in result:
            self.say(line)

    def loop(self, item: Loop, needed: set[int]) -> None:
        """Write a loop as `for (;;)` with a `break` where its test fails."""
        carried = [i for i, x in enumerate(item.inputs) if x.number in needed]
        for i in carried:
            x = item.inputs[i]
            self.names[x.number] = self.variable(x, self.read(item.start[i])), ATOM
        self.say("for (;;) {")
        self.indent += 1
        self.block(item.head, needed)
        self.block(item.test, needed)
        self.say(f"if (!{self.read(item.goes_on, ATOM)}) break;")
        self.block(item.body, needed)
        scalars = [i for i in carried if not isinstance(item.inputs[i], Memory)]
        self.assign([(self.names[item.inputs[i].number][0], item.next[i]) for i in scalars])
        self.next_arrays(item, [i for i in carried if i not in scalars])
        self.indent -= 1
        self.say("}")
        for i in carried:
            self.names[item.results[i].number] = self.names[item.inputs[i].number]

    def next_arrays(self, item: Loop, arrays: Sequence[int]) -> None:
        """Copy the arrays that a loop carries to where the next iteration reads them."""
        moves = []
        for i in arrays:
            value, new = item.inputs[i], item.next[i]
            assert isinstance(value, Memory)
            if new is value:
                continue
            source = self.read(new)
            # The source is itself overwritten here: copy it first.
            if any(new is item.inputs[j] for j in arrays):
                aside = c_arrays.declared(self, value)
                c_arrays.copied(self, aside, source, value)
                source = aside
            moves.append((self.names[value.number][0], source, value))
        for to, source, value in moves:
            c_arrays.copied(self, to, source, value)

    def branch(self, item: Branch, needed: set[int]) -> None:
        """Write a branch as `if` and `else` that assign its results."""
        wanted = [i for i, x in enumerate(item.results) if x.number in needed]
        for i in wanted:
            x = item.results[i]
            self.names[x.number] = self.variable(x), ATOM
        for is_yes in (True, False):
            self.say(f"if ({self.read(item.which)}) {{" if is_yes else "} else {")
            self.indent += 1
            self.block(item.ways[is_yes], needed)
            for i in wanted:
                given, result = self.read(item.outs[is_yes][i]), item.results[i]
                name = self.names[result.number][0]
                if isinstance(result, Memory):
                    c_arrays.copied(self, name, given, result)
                else:
                    self.say(f"{name} = {given};")
            self.indent -= 1
        self.say("}")


def literal(value: float, single: bool) -> str:
    """Return a number as C text that reads back exactly; tiny floats do not become zero."""
    if not math.isfinite(value):
        return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "(-INFINITY)"
    if single:
        if value and abs(value) < _SMALLEST_FLOAT:
            value = math.copysign(_SMALLEST_FLOAT, value)
        with np.errstate(over="ignore"):
            rounded = np.float32(value)
        if np.isinf(rounded):
            rounded = np.copysign(np.finfo(np.float32).max, rounded)
        text = str(rounded)
    else:
        text = repr(value)
    if "." not in text and "e" not in text:
        text += ".0"
    text = f"{text}f" if single else text
    return f"({text})" if text.startswith("-") else text
