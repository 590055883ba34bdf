"""The tape: scalar operations in the order of recording, loops and branches as blocks.

There is no JAX in it. `record` and its rules write to it, `interpret` runs it for tests, and
`cpu.emit` writes it as LLVM. Equal operations are recorded once. An operation goes into the
outermost block where its operands are available, so that loop invariants lie outside the loop.
Operations that no output depends on stay on the tape and are skipped by its readers
(`Tape.needed`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

# Above this many operations, fall back to arrays: compiling would take longer than running saves
# (`benchmarks/agreement.py` shows sizes and times).
LARGEST = 150_000

Scalar: TypeAlias = Any  # one scalar: a `Value`, or a NumPy number known while recording

# Operations whose result may be NaN or infinite although their operands are finite.
_UNSAFE = frozenset(
    "div rem sqrt log log1p log2 pow tan asin acos acosh atanh lgamma cbrt asinh".split()
)


# Functions that are NaN where their derivative is finite: log is NaN at -1, its derivative is -1. A
# step that is computed from derivatives alone would not notice.
_HIDING = frozenset("log log1p log2 atanh lgamma".split())
_COMMUTES = frozenset(("add", "mul"))  # a op b equals b op a to the last digit


class Unsupported(Exception):
    """The function cannot, or should not, be recorded as scalar operations."""


class TooLong(Unsupported):
    """Recording would take more operations than are worth compiling."""


def known(x: Scalar) -> bool:
    """Whether a scalar is a number known while recording."""
    # Numbers that are known are NumPy scalars; everything else is a `Value`.
    return isinstance(x, np.generic)


class Value:
    """A computed scalar: the result of an operation, or an input or result of a loop or branch."""

    # Slots: there may be a million values.
    __slots__ = ("depth", "detail", "dtype", "number", "op", "operands")

    def __init__(
        self, number: int, op: str, operands: tuple[Any, ...], dtype: np.dtype, depth: int
    ) -> None:
        self.number, self.op, self.operands = number, op, operands
        self.dtype, self.depth = dtype, depth
        self.detail: Any = None  # for an input or result: (its loop or branch, its index there)

    def __repr__(self) -> str:
        return f"%{self.number}"


class Memory(Value):
    """A matrix of doubles in memory: the result of one operation on whole arrays.

    `how` has the static parameters of the operation. The numbers of the matrix are read one by one
    as `entries`, values of the operation "entry"; entries that are not read cost nothing.
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
        """The number of entries."""
        return self.shape[0] * self.shape[1]


class Block:
    """A straight piece of code: operations, loops and branches in order."""

    def __init__(self, depth: int, floor: int) -> None:
        # operations recorded inside it are hoisted no further out than depth `floor`
        self.depth, self.floor = depth, floor
        self.items: list[Value | Loop | Branch] = []
        # Operations made here, by their key: an equal operation is not recorded again.
        self.made: dict[tuple[object, ...], Value] = {}


class Loop:
    """A while loop: while the test of the inputs is true, the body computes the next ones."""

    def __init__(self, start: Sequence[Scalar]) -> None:
        self.start = list(start)
        self.inputs: list[Value] = []
        self.head = Block(0, 0)  # entries of arrays among the inputs, read before the test
        self.test = self.body = Block(0, 0)
        self.goes_on: Scalar = None
        self.next: list[Scalar] = []
        self.results: list[Value] = []
        self.runs = False  # whether at least one iteration is known to run

    def carry(self, value: Value, result: Value, x: Value) -> None:
        """Make a value x of the last iteration a result; its input `value` is never read."""
        value.detail = result.detail = (self, len(self.inputs))
        # This start never becomes the result, because the loop is known to run at least once.
        self.start.append(x.dtype.type(0))
        self.inputs.append(value)
        self.next.append(x)
        self.results.append(result)


class Branch:
    """A choice between two blocks by a flag; its results are the outputs of the chosen block."""

    def __init__(self, which: Scalar) -> None:
        self.which = which
        self.ways: list[Block] = []  # [block if the flag is false, block if it is true]
        self.outs: list[list[Scalar]] = []
        self.results: list[Value] = []


class Tape:
    """The recorded operations, and the open blocks into which new operations go."""

    def __init__(self, memory: str = "never") -> None:
        self.memory = memory  # whether large arrays lie in memory: "never", "allowed", "used"
        self.blocks = [Block(0, 0)]  # the open blocks, by depth
        self.levels = [self.blocks[0]]  # one block per group of inputs, outermost first
        self.dropped: list[Value] = []  # factors of a known zero: their products were folded to 0
        self.size = 0
        self._last = 0  # last number given to a value

    @property
    def takes_memory(self) -> bool:
        """Whether large arrays lie in memory."""
        return self.memory == "used"

    @property
    def depth(self) -> int:
        """The depth of the innermost open block."""
        return len(self.blocks) - 1

    # A level is a block for all operations that depend on inputs up to this one.
    def open_level(self) -> None:
        """Open a block inside the present ones, for inputs that change more often."""
        block = Block(len(self.blocks), 0)
        self.blocks.append(block)
        self.levels.append(block)

    def _number(self) -> int:
        self.size += 1
        self._last += 1
        # Checked here, where every value gets its number.
        if self.size > LARGEST:
            raise TooLong(f"more than {LARGEST} operations in a step")
        return self._last

    def _value(self, op: str, operands: tuple[Any, ...], dtype: Any, depth: int) -> Value:
        return Value(self._number(), op, operands, np.dtype(dtype), depth)

    def _carried(self, op: str, kind: Any, depth: int) -> Value:
        """Return a new value of a loop or branch: a scalar of a type, or a matrix of a shape."""
        if isinstance(kind, tuple):
            return Memory(self._number(), op, (), depth, kind)
        return self._value(op, (), kind, depth)

    def array(
        self, op: str, shape: tuple[int, int], operands: tuple[Value, ...], how: tuple[Any, ...]
    ) -> Memory:
        """Return the result of an operation on whole arrays; an equal operation is reused."""
        # As far out as the operands allow: what does not change in a loop is computed before it.
        deepest = max((x.depth for x in operands), default=0)
        place = max(deepest, self.blocks[-1].floor)
        key = ("array", op, shape, how, *(x.number for x in operands))
        # An equal operation in an outer block is available here as well.
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
        """Add values for all entries of an array to this block."""
        for i in range(array.size):
            # Entries are numbered but do not count as operations: those that are not read cost
            # nothing.
            self._last += 1
            operands = (array, np.int64(i))
            array.entries.append(Value(self._last, "entry", operands, array.dtype, array.depth))
        block.items += array.entries

    def input(self, dtype: Any) -> Value:
        """Return a new input of the function."""
        return self._value("input", (), dtype, self.depth)

    def make(self, op: str, dtype: Any, *operands: Scalar) -> Value:
        """Return the value of an operation; an equal operation is reused."""
        dtype = np.dtype(dtype)
        key = _key(op, dtype, operands)
        # common subexpressions: search every block where the operands are available
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
        self, op: str, dtype: np.dtype, operands: tuple[Scalar, ...], depth: int
    ) -> Value | None:
        """Return the result of this operation from the last iteration of a loop.

        None if the last iteration did not apply the operation to the loop's final values. Newton's
        method ends with an evaluation of its function at the root, and the step needs the same
        values after the loop.
        """
        loops = [x.detail[0] for x in operands if _is_end(x)]
        if not loops or any(other is not loops[0] for other in loops):
            # Results of two loops at once: there is no single last iteration.
            return None
        loop = loops[0]
        # The same operation on what the last iteration returned.
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
        start: Sequence[Scalar],
        dtypes: Sequence[Any],
        test: Callable[[list[Scalar]], Scalar],
        body: Callable[[list[Value]], list[Scalar]],
    ) -> list[Scalar]:
        """Record a while loop and return the values with which it ends."""
        new = Loop(start)
        # Loops allow hoisting out of them; branches do not, because they may not be taken.
        depth, floor = len(self.blocks), self.blocks[-1].floor
        # Recorded only to see whether the first test is known. The block, at a new depth, is
        # discarded.
        _, first = self._inside(depth, depth, lambda: test(new.start))
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
        self, which: Scalar, dtypes: Sequence[Any], no: Callable[[], Any], yes: Callable[[], Any]
    ) -> list[Scalar]:
        """Record a branch and return its results; only the chosen side is computed at run time."""
        new = Branch(which)
        depth = len(self.blocks)
        # Not hoisted out of a branch: it may guard against what would not be finite.
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

    # -- properties of values -----------------------------------------------------------------

    @staticmethod
    def negated(x: Scalar) -> Scalar:
        """Return y if x was recorded as -y, else None."""
        return x.operands[0] if not known(x) and x.op == "neg" else None

    def affine(self, inputs: Sequence[Scalar]) -> set[int]:
        """Return the numbers of values in the open block that are affine in the inputs.

        Only sums, products and quotients with factors from outside the block, and selections by
        flags from outside count. Selections inside the block and rounding do not: they are affine
        only piecewise.
        """
        depth, found = self.depth, {x.number for x in inputs if not known(x)}

        def inside(x: Scalar) -> bool:
            return not known(x) and x.depth >= depth

        # In order: operands come before their uses.
        for x in self.blocks[-1].items:
            if not isinstance(x, Value):
                # Loops and branches inside: nothing is known of them.
                continue
            moving = [inside(y) for y in x.operands]
            fits = x.op in ("add", "sub", "neg")
            fits |= x.op == "mul" and not all(moving)
            fits |= x.op == "div" and not moving[1]
            fits |= x.op == "select" and not moving[0]
            if fits and all(y.number in found for y, m in zip(x.operands, moving) if m):
                found.add(x.number)
        return found

    # -- dependencies -------------------------------------------------------------------------

    def needed(self, outputs: Iterable[Scalar]) -> set[int]:
        """Return the numbers of all values that these outputs depend on."""
        # From the outputs backwards; each value once.
        found: set[int] = set()
        waiting = [x for x in outputs if not known(x)]
        while waiting:
            x = waiting.pop()
            if x.number in found:
                continue
            found.add(x.number)
            more: list[Scalar] = list(x.operands)
            if x.detail is not None:
                item, i = x.detail
                if isinstance(item, Loop):
                    # the condition decides when the loop ends, whichever result is read
                    more += [item.goes_on, item.next[i], item.start[i], item.results[i]]
                    more += [item.inputs[i]]
                else:
                    more += [item.which, *(outs[i] for outs in item.outs)]
            waiting += [y for y in more if not known(y)]
        return found

    def needed_at_once(self, outputs: Iterable[Scalar], everything: set[int]) -> set[int]:
        """Return the numbers of all values to compute for some outputs.

        A loop or branch that they need computes all of its results that are in `everything`
        (numbers of the values that are needed at some time), because it is emitted once.
        """
        found = self.needed(outputs)
        for item in self.levels[-1].items:
            if not isinstance(item, Value) and is_needed(item, found):
                found |= self.needed(x for x in item.results if x.number in everything)
        return found

    def products_used_once(self, needed: set[int], outputs: Iterable[Scalar]) -> set[int]:
        """Return the numbers of the products that exactly one needed operation reads."""
        read: dict[int, int] = {}
        products: set[int] = set()

        def count(scalars: Iterable[Scalar], times: int = 1) -> None:
            for x in scalars:
                if not known(x):
                    read[x.number] = read.get(x.number, 0) + times

        # Uses by loops, branches and arrays count twice, so that such a product does not count as
        # used once: there is no scalar operation to fuse it with.
        for item in (x for block in self.levels for x in _items(block, needed)):
            if isinstance(item, Value):
                count(item.operands, 2 if isinstance(item, Memory) else 1)
                if item.op == "mul" and item.dtype.kind == "f":
                    products.add(item.number)
            elif isinstance(item, Loop):
                count([*item.start, *item.next, item.goes_on], 2)
            else:
                count([item.which, *(x for outs in item.outs for x in outs)], 2)
        count(outputs, 2)  # outputs are not read by an operation
        return {n for n in products if read.get(n) == 1}

    def lost(self, needed: set[int]) -> list[Value]:
        """Return factors of a known zero that may be infinite or NaN and are not computed.

        0 x is folded to 0. If x is needed elsewhere, its NaN appears there.
        """
        roots: dict[int, Value] = {}
        seen: set[int] = set()
        waiting = list(self.dropped)
        while waiting:
            x = waiting.pop()
            # Values in loops and branches are left out: whether they are computed depends on the
            # run.
            if x.number in seen or x.number in needed or x.depth >= len(self.levels):
                continue
            seen.add(x.number)
            if x.op in _UNSAFE and x.dtype.kind == "f":
                roots[x.number] = x
            waiting += [y for y in x.operands if not known(y)]
            # Both sides count: which one is taken is not known.
            if x.detail is not None and isinstance(x.detail[0], Branch):
                item, i = x.detail
                waiting += [y for outs in item.outs for y in outs[i : i + 1] if not known(y)]
        return [roots[n] for n in sorted(roots)]

    def hides(self, needed: set[int]) -> bool:
        """Whether one of these values may be infinite or NaN where its derivative is finite."""

        def no_number(x: Scalar) -> bool:
            return known(x) and x.dtype.kind == "f" and not np.isfinite(x)

        items = (x for block in self.levels for x in _items(block, needed))
        # A constant that is not finite hides as well.
        values = (x for x in items if isinstance(x, Value))
        return any(x.op in _HIDING or any(map(no_number, x.operands)) for x in values)

    # -- readable text ------------------------------------------------------------------------

    def operations(self, needed: set[int] | None = None) -> list[str]:
        """Return the names of all operations in order, those inside loops and branches included."""
        return [
            "loop" if isinstance(x, Loop) else "branch" if isinstance(x, Branch) else x.op
            for block in self.levels
            for x in _items(block, needed)
        ]

    def text(self, outputs: Sequence[Scalar] = ()) -> str:
        """Return the tape as readable text."""
        lines: list[str] = []
        for i, block in enumerate(self.levels):
            lines.append(f"level {i}:")
            _write(block, lines, "  ")
        if outputs:
            lines.append(f"give {_shown(outputs)}")
        return "\n".join(lines)

    def hash(self, outputs: Sequence[Scalar] = ()) -> str:
        """Return a hash that is equal for tapes with the same operations in the same order."""
        # Text, not objects: the hash must be equal in other processes.
        return hashlib.sha256(self.text(outputs).encode()).hexdigest()


def _key(op: str, dtype: np.dtype, operands: tuple[Scalar, ...]) -> tuple[object, ...]:
    given, open_ = [], True
    for x in operands:
        if x.__class__ is Value:
            given.append(x.number)
        else:
            given.append((x.dtype.char, x.tobytes()))
            open_ = False
    if open_ and op in _COMMUTES:
        # a + b and b + a are one operation; not if one of them is a known number.
        given.sort()
    return op, dtype.char, *given


def _is_end(x: Scalar) -> bool:
    """Whether a scalar is a final value of a loop."""
    return x.__class__ is Value and x.op == "result" and isinstance(x.detail[0], Loop)


def is_needed(item: Value | Loop | Branch, needed: set[int] | None) -> bool:
    """Whether an item, or one of its results, is among the needed numbers."""
    if needed is None:
        return True
    if isinstance(item, Value):
        return item.number in needed
    return any(x.number in needed for x in item.results)


def runs(to: Sequence[int], at: Sequence[int]) -> Iterable[tuple[int, int, int, int]]:
    """Yield runs (to, from, step, count) of copies: `to` grows by one and `from` by `step`."""
    i = 0
    while i < len(to):
        step, count = 1, 1
        while i + count < len(to) and to[i + count] == to[i] + count:
            if count == 1:
                step = at[i + 1] - at[i]
            elif at[i + count] - at[i + count - 1] != step:
                break
            count += 1
        yield to[i], at[i], step, count
        i += count


def _items(block: Block, needed: set[int] | None) -> Iterable[Value | Loop | Branch]:
    """Yield the needed items of a block, each followed by those inside it."""
    for item in block.items:
        if not is_needed(item, needed):
            continue
        yield item
        inner = ()
        if isinstance(item, Loop):
            inner = (item.head, item.test, item.body)
        elif isinstance(item, Branch):
            inner = item.ways
        # Loops and branches come before what is inside them.
        for part in inner:
            yield from _items(part, needed)


def _shown(scalars: Iterable[Scalar]) -> str:
    return ", ".join(
        f"{x.dtype.char}:{x.item()!r}" if known(x) else f"{x!r}:{x.dtype.char}" for x in scalars
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
