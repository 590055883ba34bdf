"""Tables of the modes and transitions of a hybrid system, as C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from .ctext import literal
from .hybrid_model import HybridModel

# Jumps that the state has room for; as in `hybrid.simulate`, more than 32 within h are refused.
JUMPS = 33
# Result codes that only hybrid steps return; all steps return those of `c_base`.
HYBRID_CODES = {
    8: ("wrong_mode", "the start is past the zero of a guard that ends its mode"),
    9: ("guard_not_finite", "a guard is not a number"),
    10: ("no_transition", "a guard ends the mode, and no transition's condition holds there"),
    11: ("zeno", f"more than {JUMPS - 1} jumps within h: they heap up, or modes send to and fro"),
    12: ("not_located", "a guard's zero was not located: it is flat, or steps towards it fail"),
    13: ("jump_failed", "a jump gives no number, or leads off the constraints of its mode"),
}


# Lines that systems with contacts insert into the search; see `hybrid.contact_steps`.
_OF_CONTACTS = {
    "BEGUN_SLIPS": [
        "@note(r, &a);",
        "if (!clear && r->s->delicate) { /* after a decision all guards are on their side */",
        "    clear = true;",
        "    for (int i = 0; i < n; ++i)",
        "        if (g0[i] == 0) r->s->side[i] = @required[r->s->mode][i];",
        "}",
    ],
    "UNDECIDED": ["if (r->s->side[i] == 0) r->s->side[i] = required;"],
    "MOVE_ON": [
        "const @node from = @here(s);",
        "int wrong = @not_located; /* a slip begins, or turns fast */",
        "if (!s->delicate && @pace(r, &from) >= size) {",
        "    wrong = @move(r, size, &b, &e);",
        "    if (!wrong && !e.any && s->whole > 0) @note(r, &b.at);",
        "}",
        "if (wrong) wrong = @in_parts(r, end, wrong, &b, &e);",
    ],
}


def tables_of(p: str, m: HybridModel, n: int, times: Sequence[tuple[float, int]]) -> list[str]:
    """Return the C tables that the search reads; `n` is the largest number of guards of a mode."""
    modes = m.modes
    every = modes.transitions

    def table(kind: str, name: str, rows: Sequence[Sequence[Any]]) -> str:
        width = max(1, *(len(x) for x in rows))
        text = ", ".join(
            "{" + ", ".join(map(str, [*x, *[0] * (width - len(x))])) + "}" for x in rows
        )
        return f"static const {kind} {p}_{name}[{len(rows)}][{width}] = {{{text}}};"

    def line(kind: str, name: str, values: Sequence[Any]) -> str:
        text = ", ".join(map(str, values or [0]))
        return f"static const {kind} {p}_{name}[{max(len(values), 1)}] = {{{text}}};"

    def padded(values: Sequence[int]) -> list[int]:
        return [*values, *[0] * (n - len(values))]

    selected = [x.transitions for x in m.each]
    facts = [
        line("int", "count", [len(x) for x in selected]),
        table("int", "leaving", [padded(x) for x in selected]),
        table("int", "group", [padded(x.groups) for x in m.each]),
        table("int", "direction", [padded([every[j].direction for j in x]) for x in selected]),
        table("int", "required", [
            padded([-every[j].direction if every[j].one_sided else 0 for j in x]) for x in selected
        ]),
        line("real", "due_t", [literal(when, False) for when, _ in times]),
        line("int", "due_by", [i for _, i in times]),
        table("int", "ends", [[int(x.ends(y)) for y in modes.names] for x in every] or [[0]]),
    ]  # fmt: skip
    if not m.decides:
        facts += [
            line("int", "target", [
                -1 if x.target is None else modes.names.index(x.target) for x in every
            ]),
            line("int", "must", [
                int(x.guard is not None and x.direction != 0 and x.one_sided) for x in every
            ]),
        ]  # fmt: skip
    if not m.decides:
        settles = [int(not x.method.traits.on_constraint) for x in m.each]
        facts.append(line("int", "settles", settles))
    return facts


def filled(code: str, p: str, m: HybridModel, carry: int) -> str:
    """Return the search code, with lines for frames, carries and contacts if there are any.

    Lines about reactions are removed if there are none.
    """
    has = bool(m.frame)
    for way, line in (
        ("OUT", "memcpy(a.frame, s->frame, sizeof s->frame);"),
        ("IN", "memcpy(s->frame, a->frame, sizeof s->frame);"),
    ):
        code = code.replace(f"    {p}_COPY_FRAME_{way}\n", f"    {line}\n" if has else "")
    keep = "memcpy(s->carry, b.carry, sizeof s->carry);"
    code = code.replace(f"            {p}_KEEP_CARRY\n", f"            {keep}\n" * (carry > 0))
    again = f"{p}_try(r, &a, size, b);"
    whole = "s->whole == 2 && fabs(size - r->h) <= 1e-9 * r->h"
    if m.modes.decides:
        places = _OF_CONTACTS | {"MARCH_OR_TRY": [
            f"if ({whole}) @march(r, &a, b);", f"else {again}",
            "if (b->result && s->whole == 2) { /* it starts anew, without the last one's guess */",
            "    s->whole = 0;", f"    {again}", "}",
        ]}  # fmt: skip
    else:
        places = {"BEGUN_SLIPS": [], "UNDECIDED": [], "MARCH_OR_TRY": [again]}
        places["MOVE_ON"] = ["const int wrong = @move(r, size, &b, &e);"]
        if carry:
            march = f"if (@settles[s->mode] && {whole}) @march(r, &a, b);"
            places["MARCH_OR_TRY"] = [march, f"else {again}"]
    for word, lines in places.items():
        match = re.search(rf"^( *){p}_{word}\n", code, flags=re.M)
        if match:
            text = "".join(f"{match[1]}{x}\n" for x in lines).replace("@", f"{p}_")
            code = code.replace(match[0], text)
    if not m.constraints:  # no reactions to copy
        code = re.sub(r"^ *memcpy\(s->multiplier.*\n", "", code, flags=re.M)
    return code
