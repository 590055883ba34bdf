"""Emit LLVM for a loop over turns, in which members stop one by one and write rows as they come.

A turn is a recorded function (shared, own, state) -> (state, row). The state has a code, which is
zero while the member continues. The row has a kind, which is zero if there is no row. In most turns
only what the next turn depends on is computed; the rest of a row is computed where one is written.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..ir.constant_folding import FLAG, apply, number
from ..ir.record import Recorded
from ..ir.tape import Scalar, Value
from .emit import Emitter, offset

_DOUBLE, _INTEGER = np.dtype(float), np.dtype(np.int64)


class TurnTape(NamedTuple):
    """A recorded turn, and the indices that the loop uses."""

    recorded: Recorded
    code: int  # index of the code in the state
    kind: int  # index of the kind in the row

    @property
    def state(self) -> list[Value]:
        """The values that a member carries from turn to turn."""
        return self.recorded.inputs[-1]

    def guarded(self, code: int) -> TurnTape:
        """Stop members with `code` if a value multiplied by a known zero is not finite."""
        r = self.recorded
        lost = r.tape.lost(r.needed())
        if not lost:
            return self
        total: Scalar = number(0, float)
        for x in lost:
            total = apply(r.tape, "add", float, total, x)
        bad = apply(r.tape, "not", FLAG, apply(r.tape, "is_finite", FLAG, total))
        outputs, n = list(r.outputs), len(self.state)
        for i, old in enumerate(self.state):
            kept = number(code, old.dtype) if i == self.code else old
            outputs[i] = apply(r.tape, "select_n", old.dtype, bad, outputs[i], kept)
        kind = outputs[n + self.kind]
        none = number(0, kind.dtype)
        outputs[n + self.kind] = apply(r.tape, "select_n", kind.dtype, bad, kind, none)
        return self._replace(recorded=r._replace(outputs=outputs))

    def light(self) -> set[int]:
        """Return the numbers of the values that the next turn depends on."""
        r, n = self.recorded, len(self.state)
        return r.tape.needed_at_once([*r.outputs[:n], r.outputs[n + self.kind]], r.needed())


_HEAD = (
    "define i64 @run(ptr noalias %shared, ptr noalias %table, ptr noalias %rows, "
    "ptr noalias %counts, i64 %n, i64 %first, i64 %end, i64 %turns, i64 %capacity)"
)
_KERNEL = (
    "define ptx_kernel void @run(ptr noalias %shared, ptr noalias %table, ptr noalias %rows, "
    "ptr noalias %counts, i64 %n, i64 %turns, i64 %capacity)"
)


def turning(
    turns: TurnTape,
    width: int,
    calls: dict[str, tuple[str, int]],
    thread: str = "",
    exact: bool = False,
) -> str:
    """Emit i64 run(shared, table, rows, counts, n, first, end, turns, capacity).

    The members first <= m < end (in vectors of `width`) make turns until their code is not zero,
    they have written `capacity` rows, or made `turns` turns. Numbers of member m lie at table[j n +
    m], its rows one after the other at rows[m capacity w], and counts[m] is their number.

    If `exact`, members have the same bits whatever the width, with the same `calls`.

    On a GPU (`thread` is the text by which a thread finds its member) each thread has one member.
    """
    r = turns.recorded
    shared, own, state = r.inputs
    everything, light = r.needed(), turns.light()
    row = r.outputs[len(state) :]
    e = Emitter(width, calls, "__nv_" if thread else "")
    if exact:
        e.once = r.tape.products_used_once(everything, r.outputs)
    if thread:
        e.lines.append(thread)
    if width > 1:
        e.say(f"%scratch = alloca <{width} x double>, i64 {len(row)}, align 64")

    def place(pointer: str, j: int) -> str:
        return offset(e, pointer, e.new(f"mul i64 %n, {j}") if j else 0)

    def whole(x: str) -> str:
        return x if width == 1 else e.spread(x, "i64")

    for j, value in enumerate(shared):
        if value.number in everything:
            e.names[value.number] = e.loaded(offset(e, "%shared", j), value.dtype, shared=True)
    e.block(r.tape.levels[0], everything)
    room, zeros = whole("%capacity"), e.constant(np.int64(0))
    start = e.label
    e.say("br label %members")

    # loop over members, or vectors of them
    e.start_block("members")
    e.say(f"%m = phi i64 [ %first, %{start} ], [ %m.next, %left ]")
    e.say("%m.more = icmp slt i64 %m, %end")
    e.say("br i1 %m.more, label %member, label %done")
    e.start_block("member")
    e.say("%mine = getelementptr double, ptr %table, i64 %m")
    for j, value in enumerate(own):
        if value.number in everything:
            e.names[value.number] = e.loaded(place("%mine", j), value.dtype)
    e.block(r.tape.levels[1], everything)
    begin = [e.loaded(place("%mine", len(own) + i), x.dtype) for i, x in enumerate(state)]
    before = e.label
    e.say("br label %head")

    # loop over turns; the phis are inserted at `phis` once their values are known
    e.start_block("head")
    phis = len(e.lines)
    for i, x in enumerate(state):
        e.names[x.number] = f"%s{i}"
    dtype = state[turns.code].dtype
    going = e.compared("eq", dtype, f"%s{turns.code}", e.zero(dtype))
    free = e.new(f"icmp slt {e.type(_INTEGER)} %count, {room}")
    active = e.new(f"and {e.flag} {going}, {free}")
    below = e.new("icmp slt i64 %turn, %turns")
    go = e.new(f"and i1 {e.any(active)}, {below}")
    e.say(f"br i1 {go}, label %step, label %left")

    e.start_block("step")
    # only active members take part in inner loops and branches
    e.mask = active if width > 1 else None
    e.block(r.tape.levels[2], light)
    kind = row[turns.kind]
    some = e.compared("ne", kind.dtype, e.read(kind), e.zero(kind.dtype))
    wants = e.new(f"and {e.flag} {some}, {active}")
    # members that have stopped keep their state
    new = [e.selected(active, x.dtype, e.read(r.outputs[i]), f"%s{i}") for i, x in enumerate(state)]
    more = e.new(f"zext {e.flag} {wants} to {e.type(_INTEGER)}")
    count = e.new(f"add {e.type(_INTEGER)} %count, {more}")
    e.say("%turn.new = add i64 %turn, 1")
    e.say(f"br i1 {e.any(wants)}, label %row, label %again")

    e.start_block("row")
    outer = dict(e.names)
    e.block(r.tape.levels[2], everything)
    values = [e.converted(e.read(x), x.dtype, _DOUBLE) for x in row]
    per_member = e.new(f"mul i64 %capacity, {len(row)}")
    if width == 1:
        at = e.new(f"mul i64 %m, {per_member}")
        at = e.new(f"add i64 {at}, {e.new(f'mul i64 %count, {len(row)}')}")
        here = offset(e, "%rows", at)
        for j, x in enumerate(values):
            e.say(f"store double {x}, ptr {offset(e, here, j)}, align 8")
        e.say("br label %again")
    else:
        _scattered(e, values, wants, per_member)
    e.names = outer  # values computed for the row are not available after turns that write none
    e.mask = None

    e.start_block("again")
    kinds = [e.type(x.dtype) for x in state]
    lines = [f"  %turn = phi i64 [ 0, %{before} ], [ %turn.new, %again ]"]
    lines += [f"  %count = phi {e.type(_INTEGER)} [ {zeros}, %{before} ], [ {count}, %again ]"]
    lines += [
        f"  %s{i} = phi {kinds[i]} [ {begin[i]}, %{before} ], [ {new[i]}, %again ]"
        for i in range(len(state))
    ]
    e.lines[phis:phis] = lines
    e.say("br label %head")

    # write the state and the number of rows back
    e.start_block("left")
    for i, x in enumerate(state):
        e.stored(f"%s{i}", x.dtype, place("%mine", len(own) + i))
    there = e.new("getelementptr i64, ptr %counts, i64 %m")
    e.say(f"store {e.type(_INTEGER)} %count, ptr {there}, align 8")
    e.say(f"%m.next = add i64 %m, {width}")
    e.say("br label %members")
    e.start_block("done")
    e.say("ret void" if thread else "ret i64 0")
    return e.module(_KERNEL if thread else _HEAD)


def _scattered(e: Emitter, values: list[str], wants: str, per_member: str) -> None:
    """Write the rows of a vector of members, each to its own place."""
    w, n = e.width, len(values)
    for j, x in enumerate(values):
        there = e.new(f"getelementptr <{w} x double>, ptr %scratch, i64 {j}")
        e.say(f"store <{w} x double> {x}, ptr {there}, align 64")
    # one bit per member, so that a scalar loop can test them
    bits = e.new(f"bitcast <{w} x i1> {wants} to i{w}")
    before = e.label
    e.say("br label %lanes")
    e.start_block("lanes")
    e.say(f"%lane = phi i64 [ 0, %{before} ], [ %lane.next, %lanes.end ]")
    short = e.new(f"trunc i64 %lane to i{w}")
    shifted = e.new(f"lshr i{w} {bits}, {short}")
    mine = e.new(f"trunc i{w} {shifted} to i1")
    e.say(f"br i1 {mine}, label %lane.row, label %lanes.end")
    e.start_block("lane.row")
    member = e.new("add i64 %m, %lane")
    count = e.new(f"extractelement <{w} x i64> %count, i64 %lane")
    at = e.new(
        f"add i64 {e.new(f'mul i64 {member}, {per_member}')}, {e.new(f'mul i64 {count}, {n}')}"
    )
    here = offset(e, "%rows", at)
    e.say("br label %numbers")
    e.start_block("numbers")
    e.say("%number = phi i64 [ 0, %lane.row ], [ %number.next, %numbers ]")
    where = e.new(f"add i64 {e.new(f'mul i64 %number, {w}')}, %lane")
    x = e.new(f"load double, ptr {offset(e, '%scratch', where)}, align 8")
    e.say(f"store double {x}, ptr {offset(e, here, '%number')}, align 8")
    e.say("%number.next = add i64 %number, 1")
    e.say(f"%number.more = icmp slt i64 %number.next, {n}")
    e.say("br i1 %number.more, label %numbers, label %lanes.end")
    e.start_block("lanes.end")
    e.say("%lane.next = add i64 %lane, 1")
    e.say(f"%lane.more = icmp slt i64 %lane.next, {w}")
    e.say("br i1 %lane.more, label %lanes, label %again")
