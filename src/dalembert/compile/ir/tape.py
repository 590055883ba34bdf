"""A tape: scalar operations in the order in which they were made, loops and branches as blocks.

There is no JAX in it. `record` and its rules write on it; `interpret` runs it for tests, `cpu.emit`
writes it as LLVM. An operation is made once, goes into the outermost
block where its operands are known (what does not change in a loop is not in
it), and what nothing needs is left out by whoever reads the tape (`Tape.needed`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

# More operations than this are left to arrays: compiling would take longer than running saves
# (`benchmarks/agreement.py` shows sizes and times).
LARGEST = 150_000

Lane: TypeAlias = Any  # a `Value`, or a number of NumPy that is known while recording

# A NaN or an infinity comes out of these while their operands are finite.
_UNSAFE = frozenset(
    "div rem sqrt log log1p log2 pow tan asin acos acosh atanh lgamma cbrt asinh".split()
)


# Of these the slope is a number where they are none: log(-1) has the slope -1.
_HIDING = frozenset("log log1p log2 atanh lgamma".split())
_COMMUTES = frozenset(("add", "mul"))  # equal to the last digit


class Unsupported(Exception):
    """The function cannot be recorded number by number, or should not be."""


class TooLong(Unsupported):
    """There are more operations than are worth compiling."""


def known(x: Lane) -> bool:
    """Whether a lane is a number known while recording."""
    return isinstance(x, np.generic)


class Value:
    """One number that is computed: by an operation, or as input or result of a loop or branch."""

    __slots__ = ("depth", "detail", "dtype", "number", "op", "operands")

    def __init__(
        self, number: int, op: str, operands: tuple[Any, ...], dtype: np.dtype, depth: int
    ) -> None:
        self.number, self.op, self.operands = number, op, operands
        self.dtype, self.depth = dtype, depth
        self.detail: Any = None  # of an input or result: (its loop or branch, which one)

    def __repr__(self) -> str:
        return f"%{self.number}"


class Memory(Value):
    """A matrix of doubles that lies in memory: what one operation on whole arrays gives.

    `how` is what the operation has beside its operands. Its numbers are read one by one as
    `entries`, values of the operation "entry"; those that nothing reads cost nothing.
    """

    __slots__ = ("entries", "how", "shape")

    def __init__(
        self, number: int, op: str, operands: tuple[Any, ...], depth: int, shape: tuple[int, int]
    ) -> None:
        super().__init__(number, op, operands, np.dtype(float), depth)
        self.shape = shape
        self.how: tuple[Any, ...] = ()
        self.entries: list[Value] = []

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return self.shape[0] * self.shape[1]


class Block:
    """A straight piece of code: operations, loops and branches in their order."""

    def __init__(self, depth: int, floor: int) -> None:
        self.depth, self.floor = depth, floor  # nothing in it is made outside of block `floor`
        self.items: list[Value | Loop | Branch] = []
        self.made: dict[tuple[object, ...], Value] = {}


class Loop:
    """While the test is true of the inputs, the body gives the next ones."""

    def __init__(self, start: Sequence[Lane]) -> None:
        self.start = list(start)
        self.inputs: list[Value] = []
        self.head = Block(0, 0)  # numbers of arrays among the inputs, read before the test
        self.test = self.body = Block(0, 0)
        self.goes_on: Lane = None
        self.next: list[Lane] = []
        self.results: list[Value] = []
        self.runs = False  # whether it is known to make a turn at least

    def carry(self, value: Value, result: Value, x: Value) -> None:
        """Let a value of the last turn be a result: `value` is its input, which nobody reads."""
        value.detail = result.detail = (self, len(self.inputs))
        self.start.append(x.dtype.type(0))
        self.inputs.append(value)
        self.next.append(x)
        self.results.append(result)


class Branch:
    """One of two blocks, by a flag: values of what is chosen."""

    def __init__(self, which: Lane) -> None:
        self.which = which
        self.ways: list[Block] = []  # where the flag is false, where it is true
        self.outs: list[list[Lane]] = []
        self.results: list[Value] = []


class Tape:
    """What was recorded, and where the next operation goes."""

    def __init__(self, memory: str = "never") -> None:
        self.memory = memory  # whether arrays lie there: "never", "allowed", "used"
        self.blocks = [Block(0, 0)]  # those that are open, by depth
        self.levels = [self.blocks[0]]  # those of the groups of inputs, the outermost first
        self.dropped: list[Value] = []  # what a known zero was multiplied with
        self.size = 0
        self._last = 0  # number that was given to a value

    @property
    def takes_memory(self) -> bool:
        """Whether large arrays lie in memory."""
        return self.memory == "used"

    @property
    def depth(self) -> int:
        """Of the block that is open."""
        return len(self.blocks) - 1

    def open_level(self) -> None:
        """A block inside of those before, for inputs that change more often."""
        block = Block(len(self.blocks), 0)
        self.blocks.append(block)
        self.levels.append(block)

    def _number(self) -> int:
        self.size += 1
        self._last += 1
        if self.size > LARGEST:
            raise TooLong(f"more than {LARGEST} operations in a step")
        return self._last

    def _value(self, op: str, operands: tuple[Any, ...], dtype: Any, depth: int) -> Value:
        return Value(self._number(), op, operands, np.dtype(dtype), depth)

    def _carried(self, op: str, kind: Any, depth: int) -> Value:
        """A value that a loop or a branch gives: of a type, or a matrix of a shape."""
        if isinstance(kind, tuple):
            return Memory(self._number(), op, (), depth, kind)
        return self._value(op, (), kind, depth)

    def array(
        self, op: str, shape: tuple[int, int], operands: tuple[Value, ...], how: tuple[Any, ...]
    ) -> Memory:
        """A matrix in memory by an operation on whole arrays, which is made unless it was."""
        deepest = max((x.depth for x in operands), default=0)
        place = max(deepest, self.blocks[-1].floor)
        key = ("array", op, shape, how, *(x.number for x in operands))
        for block in self.blocks[deepest : place + 1]:
            if key in block.made:
                return block.made[key]  # pyright: ignore[reportReturnType]
        found = Memory(self._number(), op, operands, place, shape)
        found.how = how
        self.blocks[place].items.append(found)
        self.blocks[place].made[key] = found
        self.read_entries(found, self.blocks[place])
        return found

    def read_entries(self, array: Memory, block: Block) -> None:
        """Let the numbers of an array be read one by one, in this block."""
        for i in range(array.size):
            self._last += 1
            operands = (array, np.int64(i))
            array.entries.append(Value(self._last, "entry", operands, array.dtype, array.depth))
        block.items += array.entries

    def input(self, dtype: Any) -> Value:
        """A number that comes from outside."""
        return self._value("input", (), dtype, self.depth)

    def make(self, op: str, dtype: Any, *operands: Lane) -> Value:
        """The value of an operation, which is made unless it was."""
        dtype = np.dtype(dtype)
        key = _key(op, dtype, operands)
        deepest = 0
        for x in operands:
            if x.__class__ is Value and x.depth > deepest:
                deepest = x.depth
        place = max(deepest, self.blocks[-1].floor)
        for block in self.blocks[deepest : place + 1]:
            if key in block.made:
                return block.made[key]
        value = self._of_last_turn(op, dtype, operands, deepest)
        if value is None:
            value = self._value(op, operands, dtype, place)
            self.blocks[place].items.append(value)
        self.blocks[place].made[key] = value
        return value

    def _of_last_turn(
        self, op: str, dtype: np.dtype, operands: tuple[Lane, ...], depth: int
    ) -> Value | None:
        """What the last turn of a loop has computed of the values with which it ended.

        Newton's method ends with its function at the root, and a step goes on from there.
        """
        loops = [x.detail[0] for x in operands if _is_end(x)]
        if not loops or any(other is not loops[0] for other in loops):
            return None
        loop = loops[0]
        inside = tuple(
            loop.next[x.detail[1]] if _is_end(x) and x.depth == depth else x for x in operands
        )
        found = loop.body.made.get(_key(op, dtype, inside)) if loop.runs else None
        if found is None:
            return None
        value = self._value("input", (), dtype, loop.body.depth)
        result = self._value("result", (), dtype, depth)
        loop.carry(value, result, found)
        return result

    # -- loops and branches -------------------------------------------------------------------

    def loop(
        self,
        start: Sequence[Lane],
        dtypes: Sequence[Any],
        test: Callable[[list[Lane]], Lane],
        body: Callable[[list[Value]], list[Lane]],
    ) -> list[Lane]:
        """The values with which the loop ends."""
        new = Loop(start)
        depth, floor = len(self.blocks), self.blocks[-1].floor
        _, first = self._inside(depth, depth, lambda: test(new.start))  # of which nothing is kept
        new.runs = known(first) and bool(first)
        for i, dtype in enumerate(dtypes):
            value = self._carried("input", dtype, depth)
            value.detail = (new, i)
            new.inputs.append(value)
            if isinstance(value, Memory):
                self.read_entries(value, new.head)
        new.test, new.goes_on = self._inside(depth, floor, lambda: test(new.inputs))
        new.body, new.next = self._inside(depth, floor, lambda: body(new.inputs))
        new.results = self._results(new, dtypes)
        return new.results

    def branch(
        self, which: Lane, dtypes: Sequence[Any], no: Callable[[], Any], yes: Callable[[], Any]
    ) -> list[Lane]:
        """The values of the way that is taken; nothing of the other one is computed."""
        new = Branch(which)
        depth = len(self.blocks)
        for way in (no, yes):
            block, outs = self._inside(depth, depth, way)
            new.ways.append(block)
            new.outs.append(outs)
        new.results = self._results(new, dtypes)
        return new.results

    def _inside(self, depth: int, floor: int, f: Callable[[], Any]) -> tuple[Block, Any]:
        block = Block(depth, floor)
        self.blocks.append(block)
        try:
            return block, f()
        finally:
            assert self.blocks.pop() is block

    def _results(self, item: Loop | Branch, dtypes: Sequence[Any]) -> list[Value]:
        self.blocks[-1].items.append(item)
        results = []
        for i, dtype in enumerate(dtypes):
            value = self._carried("result", dtype, self.depth)
            value.detail = (item, i)
            results.append(value)
            if isinstance(value, Memory):
                self.read_entries(value, self.blocks[-1])
        return results

    # -- what is known of a value -------------------------------------------------------------

    @staticmethod
    def negated(x: Lane) -> Lane:
        """y if x was made as -y."""
        return x.operands[0] if not known(x) and x.op == "neg" else None

    def affine(self, inputs: Sequence[Lane]) -> set[int]:
        """Numbers of what, in the block that is open, is a sum of inputs with factors from outside.

        Only by operations that are so everywhere: not by ways that are chosen, nor by rounding.
        """
        depth, found = self.depth, {x.number for x in inputs if not known(x)}

        def inside(x: Lane) -> bool:
            return not known(x) and x.depth >= depth

        for x in self.blocks[-1].items:
            if not isinstance(x, Value):
                continue
            moving = [inside(y) for y in x.operands]
            fits = x.op in ("add", "sub", "neg")
            fits |= x.op == "mul" and not all(moving)
            fits |= x.op == "div" and not moving[1]
            fits |= x.op == "select" and not moving[0]
            if fits and all(y.number in found for y, m in zip(x.operands, moving) if m):
                found.add(x.number)
        return found

    # -- what is needed -----------------------------------------------------------------------

    def needed(self, outputs: Iterable[Lane]) -> set[int]:
        """The numbers of all values that these outputs depend on; loops by number of object."""
        found: set[int] = set()
        waiting = [x for x in outputs if not known(x)]
        while waiting:
            x = waiting.pop()
            if x.number in found:
                continue
            found.add(x.number)
            more: list[Lane] = list(x.operands)
            if x.detail is not None:
                item, i = x.detail
                if isinstance(item, Loop):
                    # whatever of a loop is read, the whole number decides when it ends
                    more += [item.goes_on, item.next[i], item.start[i], item.results[i]]
                    more += [item.inputs[i]]
                else:
                    more += [item.which, *(outs[i] for outs in item.outs)]
            waiting += [y for y in more if not known(y)]
        return found

    def products_used_once(self, needed: set[int], outputs: Iterable[Lane]) -> set[int]:
        """The numbers of products that one operation reads, of all that are needed, and no more."""
        read: dict[int, int] = {}
        products: set[int] = set()

        def count(lanes: Iterable[Lane], times: int = 1) -> None:
            for x in lanes:
                if not known(x):
                    read[x.number] = read.get(x.number, 0) + times

        def look(block: Block) -> None:
            for item in block.items:
                if not is_needed(item, needed):
                    continue
                if isinstance(item, Value):
                    count(item.operands, 2 if isinstance(item, Memory) else 1)
                    if item.op == "mul" and item.dtype.kind == "f":
                        products.add(item.number)
                elif isinstance(item, Loop):
                    count([*item.start, *item.next, item.goes_on], 2)
                    look(item.test)
                    look(item.body)
                else:
                    count([item.which, *(x for outs in item.outs for x in outs)], 2)
                    for way in item.ways:
                        look(way)

        for block in self.levels:
            look(block)
        count(outputs, 2)  # not by an operation
        return {n for n in products if read.get(n) == 1}

    def lost(self, needed: set[int]) -> list[Value]:
        """Values behind a known zero that may be infinite or NaN, and would not be computed.

        0 x is taken as 0; where x is needed elsewhere its NaN shows there.
        """
        roots: dict[int, Value] = {}
        seen: set[int] = set()
        waiting = list(self.dropped)
        while waiting:
            x = waiting.pop()
            if x.number in seen or x.number in needed or x.depth >= len(self.levels):
                continue
            seen.add(x.number)
            if x.op in _UNSAFE and x.dtype.kind == "f":
                roots[x.number] = x
            waiting += [y for y in x.operands if not known(y)]
            if x.detail is not None and isinstance(x.detail[0], Branch):
                item, i = x.detail
                waiting += [y for outs in item.outs for y in outs[i : i + 1] if not known(y)]
        return [roots[n] for n in sorted(roots)]

    def hides(self, needed: set[int]) -> bool:
        """Whether one of these values may be infinite or NaN where its slope is not."""

        def no_number(x: Lane) -> bool:
            return known(x) and x.dtype.kind == "f" and not np.isfinite(x)

        items = (x for block in self.levels for x in _items(block, needed))
        values = (x for x in items if isinstance(x, Value))
        return any(x.op in _HIDING or any(map(no_number, x.operands)) for x in values)

    # -- for people ---------------------------------------------------------------------------

    def operations(self, needed: set[int] | None = None) -> list[str]:
        """The names of all operations in their order, those inside of loops included."""
        return [
            "loop" if isinstance(x, Loop) else "branch" if isinstance(x, Branch) else x.op
            for block in self.levels
            for x in _items(block, needed)
        ]

    def text(self, outputs: Sequence[Lane] = ()) -> str:
        """The tape as a page to read."""
        lines: list[str] = []
        for i, block in enumerate(self.levels):
            lines.append(f"level {i}:")
            _write(block, lines, "  ")
        if outputs:
            lines.append(f"give {_shown(outputs)}")
        return "\n".join(lines)

    def hash(self, outputs: Sequence[Lane] = ()) -> str:
        """The same for tapes that compute the same in the same order."""
        return hashlib.sha256(self.text(outputs).encode()).hexdigest()


def _key(op: str, dtype: np.dtype, operands: tuple[Lane, ...]) -> tuple[object, ...]:
    given, open_ = [], True
    for x in operands:
        if x.__class__ is Value:
            given.append(x.number)
        else:
            given.append((x.dtype.char, x.tobytes()))
            open_ = False
    if open_ and op in _COMMUTES:
        given.sort()
    return op, dtype.char, *given


def _is_end(x: Lane) -> bool:
    """Whether it is what a loop ends with."""
    return x.__class__ is Value and x.op == "result" and isinstance(x.detail[0], Loop)


def is_needed(item: Value | Loop | Branch, needed: set[int] | None) -> bool:
    """Whether something of it is among the numbers that are needed."""
    if needed is None:
        return True
    if isinstance(item, Value):
        return item.number in needed
    return any(x.number in needed for x in item.results)


def _items(block: Block, needed: set[int] | None) -> Iterable[Value | Loop | Branch]:
    """What is needed of a block, what lies inside of loops and branches behind these."""
    for item in block.items:
        if not is_needed(item, needed):
            continue
        yield item
        inner = ()
        if isinstance(item, Loop):
            inner = (item.head, item.test, item.body)
        elif isinstance(item, Branch):
            inner = item.ways
        for part in inner:
            yield from _items(part, needed)


def _shown(lanes: Iterable[Lane]) -> str:
    return ", ".join(
        f"{x.dtype.char}:{x.item()!r}" if known(x) else f"{x!r}:{x.dtype.char}" for x in lanes
    )


def _write(block: Block, lines: list[str], indent: str) -> None:
    inner = indent + "  "
    for item in block.items:
        if isinstance(item, Memory):
            how = hashlib.sha256(repr(item.how).encode()).hexdigest() if item.how else ""
            given = f"{item.shape} {item.op} {_shown(item.operands)} {how}"
            lines.append(f"{indent}{_shown([item])} = {given}")
        elif isinstance(item, Value):
            lines.append(f"{indent}{_shown([item])} = {item.op} {_shown(item.operands)}")
        elif isinstance(item, Loop):
            lines.append(f"{indent}loop {_shown(item.inputs)} from {_shown(item.start)}")
            _write(item.test, lines, inner)
            lines.append(f"{indent}while {_shown([item.goes_on])}")
            _write(item.body, lines, inner)
            lines.append(f"{indent}next {_shown(item.next)} end {_shown(item.results)}")
        else:
            lines.append(f"{indent}if {_shown([item.which])}")
            for way, outs in zip(reversed(item.ways), reversed(item.outs)):
                _write(way, lines, inner)
                lines.append(f"{inner}give {_shown(outs)}")
                if outs is item.outs[1]:
                    lines.append(f"{indent}else")
            lines.append(f"{indent}end {_shown(item.results)}")
