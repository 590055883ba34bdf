"""Emit LLVM for the loop over steps: members, steps, and rows written every k steps.

The state stays in registers. In most steps only what the next step depends on is computed; the rest
of a row (momentum, multiplier) is computed where a row is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

import numpy as np

from ..ir.constant_folding import FLAG, apply, number
from ..ir.record import Recorded
from ..ir.tape import Scalar, Value
from .emit import Emitter, offset

WHOLE, DOUBLE = np.dtype(np.int64), np.dtype(float)
# Limit of registers for short speculative steps of a small state (at most 20 numbers, 200
# operations). With 80 registers, enough threads fit that each of the 528 schedulers of an H200 has
# six warps of 32 threads, as 10^5 members need.
_FEW_CARRIED, _SHORT, _REGISTERS_OF_FEW = 20, 200, 80


class Steps(NamedTuple):
    """A recorded step, and the meaning of the entries of its state.

    The recorded function takes what all members share, what belongs to one member, and the state.
    It returns the next state, and then the result code of a finiteness check, which is used where a
    row is written. Integers here are indices into the state.
    """

    recorded: Recorded
    k: int  # number of steps done
    residual: int  # largest residual since the last row
    result: int  # result code: 0 is success
    stopped: int  # flag: the run shall end
    kept: Sequence[int]  # entries of the state that form a row
    good: int = -1  # number of successful steps, if it is counted
    # entries that differ in steps that write a row
    at_row: Mapping[int, Scalar] = MappingProxyType({})

    def guarded(self, code: int) -> Steps:
        """Return steps with result `code` if a value multiplied by a known zero is not finite."""
        return self._replace(recorded=self.recorded.guarded(self.result, code))

    def looking(self) -> Steps:
        """Use the finiteness check (the last output) in the steps that write a row.

        It is used at every step if a checked function may be NaN where its derivative, from which
        the step is computed, is finite.
        """
        r = self.recorded
        *outputs, seen = r.outputs
        result, good = outputs[self.result], outputs[self.good]
        zero = number(0, result.dtype)
        fine = apply(r.tape, "eq", FLAG, result, zero)
        found = apply(r.tape, "select_n", result.dtype, fine, result, seen)
        bad = apply(r.tape, "and", FLAG, fine, apply(r.tape, "ne", FLAG, seen, zero))
        less = apply(r.tape, "sub", float, good, number(1, float))
        rows = {
            self.result: found,
            self.good: apply(r.tape, "select_n", float, bad, good, less),
        }
        if r.tape.hides(r.tape.needed([seen]) - r.tape.needed(outputs)):
            for i, x in rows.items():
                outputs[i] = x
            return self._replace(recorded=r._replace(outputs=outputs))
        recorded = r._replace(outputs=[*outputs, *rows.values()])
        return self._replace(recorded=recorded, at_row=rows)

    def next(self, place: int, at_row: bool) -> Scalar:
        """Return an entry of the next state."""
        step = self.recorded.outputs[place]
        return self.at_row.get(place, step) if at_row else step

    def carried(self) -> list[int]:
        """Return the entries of the state that a step reads or that the loop needs."""
        everything = self.recorded.needed()
        found = [
            i
            for i, x in enumerate(self.recorded.inputs[-1])
            if x.number in everything and i != self.k
        ]
        meant = (self.residual, self.result, self.stopped)
        return found + [i for i in meant if i not in found]

    def read(self) -> list[int]:
        """Return the indices of a member's numbers that are read: its own, then its state."""
        everything, (_, own, _) = self.recorded.needed(), self.recorded.inputs
        return sorted(
            [i for i, x in enumerate(own) if x.number in everything]
            + [len(own) + i for i in self.carried()]
        )

    def light(self) -> set[int]:
        """Return the numbers of the values that the next step depends on."""
        r = self.recorded
        state, everything = r.inputs[-1], r.needed()
        wanted = {i for i, x in enumerate(state) if x.number in everything}
        wanted |= {self.k, self.residual, self.result, self.stopped}
        return r.tape.needed_at_once((r.outputs[i] for i in wanted), everything)


_HEAD = (
    "define i64 @run(ptr noalias %shared, ptr noalias %table, ptr noalias %rows, i64 %n, "
    "i64 %first, i64 %end, i64 %k0, i64 %stride, i64 %steps, i64 %last, i64 %capacity)"
)


THREAD = """  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = mul i32 %block, %size
  %thread = add i32 %before, %lane
  %first = zext i32 %thread to i64
  %behind = add i64 %first, 1
  %inside = icmp slt i64 %behind, %n
  %end = select i1 %inside, i64 %behind, i64 %n"""
SPECIAL = "".join(
    f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.x()\n" for name in ("ctaid", "ntid", "tid")
)
_COPY = '"mov.b64 $0, $1;", "=l,l"'  # a copy that LLVM cannot see through
_KERNEL = (
    "define ptx_kernel void @run(ptr noalias %shared, ptr noalias %table, ptr noalias %rows, "
    "i64 %n, i64 %k0, i64 %stride, i64 %steps, i64 %last, i64 %capacity)"
)


class Places(NamedTuple):
    """Indices of the state entries that the loop uses, and of all that the next step needs."""

    k: int
    result: int
    residual: int
    good: int
    wanted: list[int]


class Speculation(Protocol):
    """Steps made in blocks without checks, before the loop that checks (`gpu`)."""

    operations: int  # operations of a step without checks

    def emitter(self, vector_calls: dict[str, tuple[str, int]], prefix: str) -> Emitter: ...

    def write(
        self, e: Emitter, enter: dict[str, str], place: Callable[[int], str]
    ) -> dict[str, str]: ...


Speculate = Callable[[Recorded, Places], Speculation | None]


def stepping(
    steps: Steps,
    width: int,
    vector_calls: dict[str, tuple[str, int]],
    many: bool = False,
    on_gpu: bool = False,
    speculate: Speculate | None = None,
    crowded: bool = False,
) -> str:
    """Emit i64 run(shared, table, rows, n, first, end, k0, stride, steps, last, capacity).

    It makes the steps of the members first <= m < end (in vectors of `width`) from k0 on until
    `last`, or until `capacity` rows are full, and returns the number of rows. Numbers of member m
    lie at table[j n + m], its rows at rows[(i w + j) n + m]. A row is written at multiples of
    `stride`, at step `steps`, and, for a single member, at a failure or stop, which end the loop.
    With `many` members, or in vectors, all members continue.

    On a GPU it is a kernel in which each thread has one member; it returns nothing. `crowded` says
    that there are so many members that limiting the registers of a thread, so that more threads
    fit, gains more than it loses.

    With `speculate`, steps between two rows are made in blocks without checks, if possible. A block
    whose check afterwards fails is made again, with checks. This is for many members, one by one.
    """
    r = steps.recorded
    shared, own, state = r.inputs
    everything, light = r.needed(), steps.light()
    carried = steps.carried()
    at = Places(steps.k, steps.result, steps.residual, steps.good, carried)
    blocks = speculate(r, at) if speculate is not None else None
    prefix = "__nv_" if on_gpu else ""
    if blocks is None:
        e = Emitter(width, vector_calls, prefix)
    else:
        e = blocks.emitter(vector_calls, prefix)
    alone = width == 1 and not (many or on_gpu)
    if on_gpu:
        e.lines.append(THREAD)

    for j, value in enumerate(shared):
        if value.number in everything:
            e.names[value.number] = e.loaded(offset(e, "%shared", j), value.dtype, shared=True)
    # level 0 of the tape: computed once per call, from what all members share
    e.block(r.tape.levels[0], everything)
    rest0 = e.new("srem i64 %k0, %stride")
    at_row0 = e.new(f"icmp eq i64 {rest0}, 0")
    start = e.label
    e.say("br label %members")

    # loop over members
    e.start_block("members")
    e.say(f"%m = phi i64 [ %first, %{start} ], [ %m.next, %left ]")
    written = len(e.lines)
    e.say("%m.more = icmp slt i64 %m, %end")
    e.say("br i1 %m.more, label %member, label %done")
    e.start_block("member")
    e.say("%mine = getelementptr double, ptr %table, i64 %m")
    e.say("%my.rows = getelementptr double, ptr %rows, i64 %m")

    def place(pointer: str, j: int, n: str = "%n") -> str:
        return offset(e, pointer, e.new(f"mul i64 {n}, {j}") if j else 0)

    for j, value in enumerate(own):
        if value.number in everything:
            e.names[value.number] = e.loaded(place("%mine", j), value.dtype)
    # level 1 of the tape: computed once per member
    e.block(r.tape.levels[1], everything)
    begin = {i: e.loaded(place("%mine", len(own) + i), state[i].dtype) for i in carried}
    zero = e.constant(np.float64(0))
    flags = e.spread(at_row0, "i1")
    # the largest residual starts anew after each row
    begin[steps.residual] = e.selected(flags, DOUBLE, zero, begin[steps.residual])
    enter = {"k": "%k0", "next": _next_row(e, "%k0"), "count": "0"}
    enter |= {f"s{i}": x for i, x in begin.items()}

    def n_again() -> str:
        # Compute addresses where they are used: held in registers from before the loop, they leave
        # room for fewer threads.
        return e.new(f"call i64 asm sideeffect {_COPY}(i64 %n)") if on_gpu else "%n"

    leave = "left"
    if blocks is not None:
        enter = blocks.write(e, enter, lambda i: place("%mine", len(own) + i, n_again()))
        leave = "rest"
    # the phi of the row count belongs into `members` above; its name depends on speculation
    count = "%count" if blocks is None else "%r.count"
    e.lines.insert(written, f"  %written = phi i64 [ 0, %{start} ], [ {count}, %left ]")
    before = e.label
    e.say("br label %head")

    # loop over steps; the phis of the carried state are inserted at `phis` once their values are
    # known
    e.start_block("head")
    phis = len(e.lines)
    for i in carried:
        e.names[state[i].number] = f"%s{i}"
    below = e.new("icmp slt i64 %k, %last")
    room = e.new("icmp slt i64 %count, %capacity")
    go = e.new(f"and i1 {below}, {room}")
    if blocks is not None:
        go = e.new(f"and i1 {go}, {e.new('icmp slt i64 %k, %careful')}")
    if alone:
        go = e.new(f"and i1 {go}, {_is_well(e, steps, f'%s{steps.result}', f'%s{steps.stopped}')}")
    e.say(f"br i1 {go}, label %step, label %{leave}")
    e.start_block("step")
    if state[steps.k].number in everything:
        e.names[state[steps.k].number] = e.spread("%k", "i64")
    e.say("%k.new = add i64 %k, 1")
    # level 2 of the tape, only what the next step depends on
    e.block(r.tape.levels[2], light)
    result, stopped = (e.read(r.outputs[i]) for i in (steps.result, steps.stopped))
    # a single member also writes a row where it fails or stops
    at_row, ill = e.new("icmp eq i64 %k.new, %next"), "false"
    if alone:
        well = _is_well(e, steps, result, stopped)
        ill = e.new(f"xor i1 {well}, true")
        at_row = e.new(f"or i1 {at_row}, {ill}")
    after_step = e.label
    e.say(f"br i1 {at_row}, label %row, label %again")

    # a row: compute the rest of the step, and store the whole state and the row
    e.start_block("row")
    outer = dict(e.names)
    e.block(r.tape.levels[2], everything)
    values = {i: e.read(steps.next(i, at_row=True)) for i in range(len(state))}
    values[steps.k] = e.spread("%k.new", "i64")
    n = n_again()
    for i, x in values.items():
        e.stored(x, state[i].dtype, place("%mine", len(own) + i, n))
    width_of_row = len(steps.kept)
    rows_before = e.new(f"mul i64 {e.new(f'mul i64 %count, {width_of_row}')}, {n}")
    here = offset(e, "%my.rows", rows_before)
    for j, i in enumerate(steps.kept):
        e.stored(values[i], state[i].dtype, place(here, j, n))
    rest = e.new("srem i64 %k.new, %stride")
    # A row that is neither at a multiple of `stride`, nor at the end, nor at a failure only reports
    # where the call stopped: it is stored, but not counted.
    whole = e.new(f"icmp eq i64 {rest}, 0")
    complete = e.new(f"or i1 {whole}, {e.new('icmp eq i64 %k.new, %steps')}")
    if alone:
        ill = e.new(f"xor i1 {_is_well(e, steps, values[steps.result], stopped)}, true")
    complete = e.new(f"or i1 {complete}, {ill}")
    count = e.new(f"add i64 %count, {e.new(f'zext i1 {complete} to i64')}")
    coming = _next_row(e, "%k.new")
    clean = e.selected(e.spread(whole, "i1"), DOUBLE, zero, values[steps.residual])
    after_row = e.label
    e.names = outer  # values computed for the row are not available after steps that write none
    e.say("br label %again")

    # join steps with and without a row
    e.start_block("again")
    e.say(f"%count.new = phi i64 [ %count, %{after_step} ], [ {count}, %{after_row} ]")
    e.say(f"%next.new = phi i64 [ %next, %{after_step} ], [ {coming}, %{after_row} ]")
    joined = {}
    for i, x in {**{j: values[j] for j in steps.at_row}, steps.residual: clean}.items():
        step = e.read(r.outputs[i])
        kind = e.type(state[i].dtype)
        joined[i] = e.new(f"phi {kind} [ {step}, %{after_step} ], [ {x}, %{after_row} ]")
    again = {"k": "%k.new", "next": "%next.new", "count": "%count.new"}
    again |= {f"s{i}": joined[i] if i in joined else e.read(r.outputs[i]) for i in carried}
    lines = [
        f"  %{name} = phi {_kind(e, state, name)} [ {x}, %{before} ], [ {again[name]}, %again ]"
        for name, x in enter.items()
    ]
    e.lines[phis:phis] = lines
    e.say("br label %head")
    e.start_block("left")
    e.say(f"%m.next = add i64 %m, {width}")
    e.say("br label %members")
    e.start_block("done")
    e.say("ret void" if on_gpu else "ret i64 %written")
    if not on_gpu:
        return e.module(_HEAD)
    head = _KERNEL
    is_small = blocks is not None and len(carried) <= _FEW_CARRIED and blocks.operations <= _SHORT
    if crowded and is_small:
        head += f' "nvvm.maxnreg"="{_REGISTERS_OF_FEW}"'
    return e.module(head) + SPECIAL


def _kind(e: Emitter, state: Sequence[Value], name: str) -> str:
    """Return the type of a value that the loop carries."""
    return e.type(state[int(name[1:])].dtype) if name[0] == "s" else "i64"


def _next_row(e: Emitter, k: str) -> str:
    """Return the step at which the next row is written."""
    rows = e.new(f"sdiv i64 {k}, %stride")
    end = e.new(f"mul i64 {e.new(f'add i64 {rows}, 1')}, %stride")
    early = e.new(f"icmp slt i64 {end}, %last")
    return e.new(f"select i1 {early}, i64 {end}, i64 %last")


def _is_well(e: Emitter, steps: Steps, result: str, stopped: str) -> str:
    dtype = steps.recorded.inputs[-1][steps.result].dtype
    fine = e.compared("eq", dtype, result, e.zero(dtype))
    going = e.new(f"xor i1 {stopped}, true")
    return e.new(f"and i1 {fine}, {going}")
