"""Emit LLVM for operations on arrays in memory: calls of `memory_routines`, and addresses.

Each array of a tape has its own place in one piece of memory, which a call of the compiled function
allocates and frees. Scalars are copied by tables of runs.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..ir.tape import Memory, Unsupported, Value, runs
from . import memory_routines as routines
from . import memory_solves as solves
from .memory_routines import RoutineCode, room, stride

Emitter: TypeAlias = Any  # `emit.Emitter`; `emit` imports this module

_DOUBLE = np.dtype(float)
_HEAD = """declare ptr @calloc(i64, i64)
declare void @free(ptr)"""


class Workspace:
    """The memory of the arrays of one function."""

    def __init__(self) -> None:
        self.size = 0  # elements
        self.lines: list[str] = []  # address computations, at the start of the function
        self.tables: list[str] = []
        self._known: dict[Any, str] = {}

    def place(self, elements: int, element: str) -> str:
        """Reserve a piece of memory and return its address."""
        name = f"%w{len(self.lines)}"
        self.lines.append(f"  {name} = getelementptr {element}, ptr %work, i64 {self.size}")
        # multiples of 8 elements: 64 bytes, the alignment of the workspace
        self.size += -(-elements // 8) * 8
        return name

    def table(self, text: str) -> str:
        """Return the address of a table of known numbers; equal tables are shared."""
        if text not in self._known:
            name = f"@table.{len(self.tables)}"
            self.tables.append(f"{name} = internal constant {text}")
            self._known[text] = name
        return self._known[text]

    def head(self, width: int) -> str:
        """Return the code at the start of the function, which allocates memory."""
        size = 8 * width
        align = 64
        return "\n".join(
            [
                f"  %work.raw = call ptr @calloc(i64 {self.size + 128}, i64 {size})",
                "  %work.at = ptrtoint ptr %work.raw to i64",
                f"  %work.up = add i64 %work.at, {align - 1}",
                f"  %work.aligned = and i64 %work.up, {-align}",
                "  %work = inttoptr i64 %work.aligned to ptr",
                *self.lines,
            ]
        )

    def wrapped(self, width: int, lines: Sequence[str]) -> list[str]:
        """Return the lines of a function, with allocation before and `free` at each return."""
        if not self.size:
            return list(lines)
        found = [self.head(width)]
        for line in lines:
            if line.startswith("  ret "):
                found.append("  call void @free(ptr %work.raw)")
            found.append(line)
        return found

    def declared(self) -> str:
        """Return the declarations after the function."""
        return "\n".join(["", _HEAD, *self.tables, ""]) if self.size else ""


def _called(e: Emitter, name: str, make: Callable[[RoutineCode], str], *given: str) -> None:
    """Emit a call of a routine, whose text is emitted at the first call."""
    key = f"routine.{name}"
    if key not in e.declared:
        code = RoutineCode(e.width)
        e.declared[key] = make(code)
        for intrinsic, text in code.declared.items():
            # one declaration per intrinsic, with the attributes of its first use
            e.declared.setdefault(intrinsic, text)
    e.say(f"call void @memory.{name}({', '.join(given)})")


def _element(e: Emitter) -> str:
    return e.type(_DOUBLE)


def placed(e: Emitter, array: Memory) -> str:
    """Reserve memory for an array and return its address."""
    if e.prefix:
        raise Unsupported("arrays in memory, which accelerators do not support")
    rows, columns = array.shape
    rows = solves.factor_rows(rows) if array.op == "factor" else rows
    return e.workspace.place(room(rows, columns), _element(e))


def _offset(array: Memory, i: int) -> int:
    row, column = divmod(i, array.shape[1])
    return row * stride(array.shape[1]) + column


def entry(e: Emitter, value: Value) -> str:
    """Load one entry of an array."""
    array, i = value.operands
    kind = _element(e)
    at = f"getelementptr {kind}, ptr {e.names[array.number]}, i64 {_offset(array, int(i))}"
    return e.new(f"load {kind}, ptr {e.new(at)}, align 8")


def carried(e: Emitter, source: str, to: str, array: Memory, mask: str | None = None) -> None:
    """Copy an array; with `mask`, only for the active members."""
    given = [f"ptr {to}", f"ptr {source}", f"i64 {room(*array.shape)}"]
    if mask is None:
        _called(e, "copy", lambda c: routines.copy(c, False), *given)
    else:
        _called(e, "copy.masked", lambda c: routines.copy(c, True), *given, f"{e.flag} {mask}")


def array(e: Emitter, item: Memory) -> str:
    """Emit an operation on whole arrays and return the address of its result."""
    out = placed(e, item)
    arrays = [x for x in item.operands if isinstance(x, Memory)]
    names = [f"ptr {e.names[x.number]}" for x in arrays]
    sizes = [x.shape for x in arrays]
    lds = [f"i64 {stride(s[1])}" for s in sizes]
    rows, columns = item.shape
    to = f"ptr {out}"
    if item.op == "pack":
        _pack(e, item, out)
    elif item.op == "map":
        _map(e, item, out)
    elif item.op == "matmul":
        turned, inner = item.how[0], sizes[1][0]
        steps = ("i64 1", lds[0]) if turned else (lds[0], "i64 1")
        block = 1 if rows == 1 else routines.BLOCK
        _called(
            e, f"matmul{block}", lambda c: routines.matmul(c, block),
            to, f"i64 {stride(columns)}", names[0], *steps, names[1], lds[1],
            f"i64 {rows}", f"i64 {columns}", f"i64 {inner}",
        )  # fmt: skip
    elif item.op == "products":
        m, k, p = item.how
        _called(
            e, f"products.{m}.{k}.{p}", lambda c: routines.products(c, m, k, p),
            to, *names, f"i64 {stride(columns)}",
        )  # fmt: skip
    elif item.op == "cross":
        _called(e, "cross", routines.cross, to, *names, f"i64 {stride(columns)}")
    elif item.op == "matvec":
        size = f"i64 {sizes[0][0]}", f"i64 {sizes[0][1]}"
        _called(e, "matvec", routines.matvec, to, names[0], lds[0], names[1], *size)
    elif item.op == "reduce":
        op = item.how[0]
        size = f"i64 {sizes[0][0]}", f"i64 {sizes[0][1]}"
        _called(e, f"reduce.{op}", lambda c: routines.reduction(c, op), to, names[0], lds[0], *size)
    elif item.op == "factor":
        n = f"i64 {columns}"
        _called(e, "factor", solves.factor, to, names[0], lds[0], n, _number(item.how[0]))
    elif item.op == "solve_spd":
        given = (*itertools.chain(*zip(names, lds)), f"i64 {rows}", f"i64 {columns}")
        _called(e, "solve_spd", solves.solve_spd, to, *given)
    elif item.op == "solve":
        work = [e.workspace.place(n, _element(e)) for n in (room(*sizes[0]), stride(sizes[0][1]))]
        given = [f"ptr {x}" for x in work]
        given += [*itertools.chain(*zip(names, lds)), f"i64 {rows}", f"i64 {columns}"]
        _called(e, "solve", solves.solve, to, *given, _number(item.how[0]))
    else:
        raise Unsupported(f"no code for '{item.op}' of an array")
    return out


def _number(x: float) -> str:
    return f"double 0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"


# An elementwise operation: an array is passed with step 1, a single number as a unit with step 0.
def _map(e: Emitter, item: Memory, out: str) -> None:
    op, *how = item.how
    operands, given = iter(item.operands), []
    for x in how:
        value = next(operands) if x is None else np.float64(x)
        if isinstance(value, Memory):
            given += [f"ptr {e.names[value.number]}", "i64 1"]
            continue
        # one number for all entries: a unit with step 0
        unit = 8 if e.width == 1 else 1
        at = e.workspace.place(unit, _element(e))
        name = e.converted(e.read(value), value.dtype, _DOUBLE)
        if e.width == 1:
            one = e.new(f"insertelement <8 x double> poison, double {name}, i64 0")
            zeros = "<8 x i32> zeroinitializer"
            name = e.new(f"shufflevector <8 x double> {one}, <8 x double> poison, {zeros}")
        kind = "<8 x double>" if e.width == 1 else _element(e)
        e.say(f"store {kind} {name}, ptr {at}, align 8")
        given += [f"ptr {at}", "i64 0"]
    size = f"i64 {item.shape[0] * stride(item.shape[1])}"
    count = len(how)
    _called(
        e, f"map.{op}", lambda c: routines.elementwise(c, op, count), f"ptr {out}", *given, size
    )


# Assemble a matrix in memory: known numbers from a table, entries of other arrays by runs, and
# scalars one by one.
def _pack(e: Emitter, item: Memory, out: str) -> None:
    copies, places, fixed = item.how
    kind = _element(e)
    covered = sum(len(to) for to, _ in copies) + sum(map(len, places))
    if covered < item.size:
        numbers = np.zeros(item.shape[0] * stride(item.shape[1]))
        for i, x in fixed:
            numbers[_offset(item, i)] = x
        # these entries never change: writing them once would do, except for loops that carry arrays
        text = ", ".join(map(_number, numbers)) if fixed else ""
        text = f"[{text}]" if fixed else "zeroinitializer"
        table = e.workspace.table(f"[{len(numbers)} x double] {text}")
        given = f"ptr {out}", f"ptr {table}", f"i64 {len(numbers)}"
        _called(e, "numbers", routines.numbers, *given)
    sources = item.operands[: len(copies)]
    for source, (to, at) in zip(sources, copies):
        cells = [
            str(x)
            for run in runs([_offset(item, i) for i in to], [_offset(source, i) for i in at])
            for x in run
        ]
        text = ", ".join(f"i32 {x}" for x in cells)
        table = e.workspace.table(f"[{len(cells)} x i32] [{text}]")
        _called(
            e, "runs", routines.runs,
            f"ptr {out}", f"ptr {e.names[source.number]}", f"ptr {table}", f"i64 {len(cells) // 4}",
        )  # fmt: skip
    for value, where in zip(item.operands[len(copies) :], places):
        for i in where:
            at = e.new(f"getelementptr {kind}, ptr {out}, i64 {_offset(item, i)}")
            e.say(f"store {kind} {e.read(value)}, ptr {at}, align 8")
