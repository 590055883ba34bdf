"""Write the modes of a hybrid system, with their guards and jumps, as one C99 source file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..compile.ir.record import Recorded
from ..compile.ir.tape import Scalar
from .c_base import (
    SourceBase,
    as_comment,
    entries,
    flat,
    point_texts,
)
from .ctext import ATOM, literal
from .hybrid_model import HybridModel, ModeModel
from .hybrid_search import FOLLOW, SEARCH, TYPES, text
from .hybrid_tables import HYBRID_CODES, JUMPS, filled, tables_of
from .hybrid_text import ADVANCE, EXCHANGE, INTERFACE, LEAVE
from .model import Name, TapedFunction


class HybridSource(SourceBase):
    """Writes the C source and the header of a hybrid model."""

    model: HybridModel

    def __init__(self, model: HybridModel, exchange: bool = False) -> None:
        super().__init__(model, single=False)
        found = [x.march for x in model.each if x.march is not None]
        self.carry = max((len(flat(x.rest[3])) for x in found), default=0)
        self.exchange = exchange  # whether functions for model exchange are written
        self.guards = max(1, *(len(x.transitions) for x in model.each))
        self.times = sorted(
            (when, i) for i, x in enumerate(model.modes.transitions) for when in x.times
        )

    def title(self) -> str:
        return self.model.title

    def codes(self) -> dict[int, tuple[str, str]]:
        """The result codes: number -> (name, text)."""
        found = super().codes()
        del found[7]  # the step may change
        return found | HYBRID_CODES

    def _modes(self) -> list[str]:
        return [f"mode {x.name.identifier}: {x.system.name()}" for x in self.model.each]

    def _first_mode(self) -> str:
        return f"{self.prefix}_mode_{self.model.each[0].name.identifier}, "

    # -- the header ----------------------------------------------------------------------------

    def _about(self) -> list[str]:
        return [f"   {as_comment(x)}" for x in self._modes()]

    def _notes(self) -> list[str]:
        return [
            "",
            "   A step goes on to the next node t0 + k h, through all jumps before it.",
            "   Restitutions and other numbers of transitions are written into the code.",
        ]

    def _more_counts(self) -> dict[str, int]:
        m = self.model
        return {"MODES": len(m.each), "TRANSITIONS": len(m.transitions), "JUMPS": JUMPS}

    def _enumerations(self) -> list[tuple[str, Sequence[Name], str]]:
        m = self.model
        modes = ("mode", [x.name for x in m.each], "modes")
        return [modes, ("by", m.transitions, "transitions"), *super()._enumerations()]

    def _absent_rows(self) -> str:
        return "; NAN beyond the rows of the mode"

    def _members(self) -> list[str]:
        m, real, n = self.model, self.real, self.guards
        return [
            "    int64_t mode;",
            "    int64_t jumps;  /* so far; the latest is entry (jumps - 1) % JUMPS of these: */",
            f"    {real} jump_t[{JUMPS}];",
            f"    int64_t jump_by[{JUMPS}];  /* the transition */",
            f"    int64_t jump_to[{JUMPS}];  /* the mode after it */",
            f"    {real} rate[{n}];  /* of the guards; from here on for the search */",
            f"    int64_t side[{n}];",
            f"    {real} scale[{len(m.each) * n}];",
            f"    int64_t due[{max(len(self.times), 1)}];",
            *([f"    {real} carry[{self.carry}];"] if self.carry else []),
            *([f"    {real} held[{len(m.inputs)}];  /* the inputs */"] if m.inputs else []),
            "    int64_t whole;  /* steps since the last jump, up to 2 */",
            "    int64_t begun;",
            f"    {real} h;",
        ]

    def _signatures(self) -> dict[str, str]:
        found, p, real = super()._signatures(), self.prefix, self.real
        if self.exchange:
            both = f"const {p}_parameters *p, const {p}_inputs *u"
            found["indicators"] = f"void {p}_indicators(const {p}_state *s, {both}, {real} *g)"
            found["event"] = f"int {p}_event({p}_state *s, {both}, {real} h)"
            found["next_time"] = f"{real} {p}_next_time(const {p}_state *s)"
        return found

    # -- the source ----------------------------------------------------------------------------

    def text(self, header: str, main: int = 0, started: Any = None) -> str:
        """Return the source file."""
        p = self.prefix
        body = [self._defaults(), *self._before()]
        for i, x in enumerate(self.model.each):
            body += self._mode(i, x)
        body += [self._leap(j, i, x) for (j, i), x in self.model.leaps.items()]
        body += self._dispatchers()
        body += [self._in_frame(text(p, x)) for x in self._logic()]
        body.append(self._interface())
        if self.exchange:
            body.append(text(p, EXCHANGE))
        if main:
            mode, q, v = started
            first = f"{mode}, " if self._first_mode() else ""
            body.append(self._main(main, q, v, first, (self._mode_member(), "jumps")))
        return self._file(header, [text(p, self._types()), *body], [self._sizes()])

    def _mode_member(self) -> str:
        """Return the member of the state that has the mode, for the `main`."""
        return "mode"

    def _more_sizes(self) -> dict[str, int]:
        return {}

    def _logic(self) -> tuple[str, ...]:
        """Return the parts that search for zeros, jump and continue."""
        return SEARCH, FOLLOW, LEAVE, ADVANCE

    def _before(self) -> list[str]:
        """Return the lines before the functions of the modes."""
        return []

    def _types(self) -> str:
        return TYPES

    def _sizes(self) -> str:
        m, p = self.model, self.prefix
        sizes = {
            **self._more_sizes(),
            "NQ": len(m.q), "NV": len(m.v), "NC": max(len(m.constraints), 1),
            "NF": max(m.frame, 1), "NG": self.guards, "NT": max(len(m.transitions), 1),
            "NA": max(self.carry, 1), "ND": len(self.times), "NM": len(m.each), "JUMPS": JUMPS,
        }  # fmt: skip
        return f"enum {{ {', '.join(f'{p}_{k} = {n}' for k, n in sizes.items())} }};"

    def _in_frame(self, code: str) -> str:
        return filled(code, self.prefix, self.model, self.carry)

    def _written(
        self, name: str, signature: str, program: TapedFunction, texts: dict[int, str],
        ends: Sequence[tuple[str, Scalar]], more: Sequence[str] = (),
    ) -> str:  # fmt: skip
        """Return the static function `name` that evaluates a program.

        `texts` has the C text of each number of the last argument, by index. `ends` are the results
        with the variables that they are assigned to, `more` are lines after that.
        """
        r: Recorded = program.recorded
        w, _ = self._given(r, has_h=False)
        needed, rest = r.needed(), r.inputs[2]
        for value, given in zip(r.inputs[1][len(self.model.inputs) :], self._own(), strict=True):
            w.names[value.number] = given, ATOM
        for at, given in texts.items():
            if rest[at].number in needed:
                w.names[rest[at].number] = given, ATOM
        for block in r.tape.levels:
            w.block(block, needed)
        for target, lane in ends:
            w.say(f"{target} = {w.read(lane)};")
        for line in more:
            w.say(line)
        self.helpers |= w.helpers
        self.operations[name] = w.operations
        arguments = signature[:-1].partition("(")[2].split(",")
        words = [x.split()[-1].lstrip("*") for x in arguments]
        unused = f"    {' '.join(f'(void){x};' for x in words)}"
        return "\n".join([signature, "{", unused, *w.lines, "}"])

    def _mode(self, i: int, mode: ModeModel) -> list[str]:
        p, word, both = self.prefix, mode.name.identifier, self._shared()
        out = []
        # try; and march, if a step continues from what the method carried out of the last step
        for name, program in (("try", mode.tried), ("march", mode.march)):
            if program is None:
                continue
            if name == "try":
                t, size, q, v, frame = program.rest
                texts = {int(t): "a->t", int(size): "size"}
                texts |= {**entries(q, "a->q"), **entries(v, "a->v")}
                arguments = f"const {p}_node *a, real size"
            else:
                t, size, k, carry, frame = program.rest
                texts = {int(t): "s->t0", int(size): "h", int(k): "s->k"}
                texts |= entries(carry, "s->carry")
                arguments = f"const {p}_state *s, const {p}_node *a, real h"
            texts |= entries(frame, "a->frame")
            ends = self._trial(program, keeps=mode.march is not None)
            signature = f"static void {p}_{name}_{i}({both}, {arguments}, {p}_trial *b)"
            out.append(self._written(f"{name} {word}", signature, program, texts, ends))
        # guards
        program, outs = mode.guards, mode.guards.recorded.outputs
        ends = [(f"g[{k}]", outs[j]) for k, j in enumerate(flat(program.results))]
        out.append(
            self._written(
                f"guards {word}",
                f"static void {p}_guards_{i}({both}, const {p}_node *a, real *g)",
                program,
                point_texts(program),
                ends,
            )
        )
        # enter
        program, outs = mode.enter, mode.enter.recorded.outputs
        t, h, q, v, speed = program.rest
        texts = {int(t): "a->t", int(h): "h", int(speed): "speed"}
        texts |= {**entries(q, "a->q"), **entries(v, "a->v")}
        result, off, residual, q1, v1, multiplier = program.results
        # Read every result before the node is written.
        ends = [("const int code", outs[int(result)]), ("const bool off", outs[int(off)])]
        copies, places = [], []
        for target, at in (("a->q", q1), ("a->v", v1)):
            for k, j in enumerate(flat(at)):
                name = f"new_{target[3:]}_{k}"
                copies.append((f"const real {name}", outs[j]))
                places.append(f"{target}[{k}] = {name};")
        ends += [*copies, ("*residual", outs[int(residual)])]
        ends += [(f"multiplier[{k}]", outs[j]) for k, j in enumerate(flat(multiplier))]
        more = [*places, f"return code ? code : off ? {p}_inconsistent : 0;"]
        out.append(
            self._written(
                f"enter {word}",
                f"static int {p}_enter_{i}({both}, real h, {p}_node *a, real speed, "
                "real *multiplier, real *residual)",
                program,
                texts,
                ends,
                more,
            )
        )
        # dynamics
        program, outs = mode.dynamics, mode.dynamics.recorded.outputs
        texts = {int(program.rest[0]): "t", **entries(program.rest[1], "q")}
        texts |= entries(program.rest[2], "v")
        ends = []
        for target, at in zip(("q_dot", "v_dot", "multiplier"), program.results[:3]):
            ends += [(f"{target}[{k}]", outs[j]) for k, j in enumerate(flat(at))]
        total = " + ".join(target for target, _ in ends if not target.startswith("q_dot"))
        ends.append(("*energy", outs[int(program.results[3])]))
        out.append(
            self._written(
                f"dynamics {word}",
                f"static int {p}_dynamics_{i}({both}, real t, const real *q, const real *v, "
                "real *q_dot, real *v_dot, real *multiplier, real *energy)",
                program,
                texts,
                ends,
                [f"return isfinite({total}) ? 0 : {p}_not_finite;"],
            )
        )
        return out

    def _contacts(self) -> list[str]:
        """Return the lines of the start that find the state of the contacts."""
        return []

    def _passed(self) -> str:
        return "r->p, r->u"

    def _prelude(self) -> list[str]:
        """Return the lines at the beginning of functions that take a run; by default none."""
        return []

    def _known(self, name: str) -> list[str]:
        """Return the lines at the beginning of `start` or `dynamics`; by default none."""
        return []

    def _own(self) -> list[str]:
        """Return the C text of the numbers that follow the inputs; only contacts have such."""
        return []

    def _shared(self) -> str:
        """Return the first arguments of every function of a mode."""
        return f"const {self.prefix}_parameters *p, const {self.prefix}_inputs *u"

    def _trial(self, program: TapedFunction, keeps: bool) -> list[tuple[str, Scalar]]:
        """Return what a step assigns to the trial b; with `keeps`, also what the method carries."""
        outs = program.recorded.outputs
        result, residual, t, q, v, frame, multiplier, g, carry = program.results
        ends = [("b->residual", outs[int(residual)]), ("b->at.t", outs[int(t)])]
        targets = {"b->at.q": q, "b->at.v": v, "b->at.frame": frame, "b->multiplier": multiplier}
        targets |= {"b->g": g, **({"b->carry": carry} if keeps else {})}
        for target, places in targets.items():
            ends += [(f"{target}[{k}]", outs[j]) for k, j in enumerate(flat(places))]
        return [*ends, ("b->result", outs[int(result)])]

    def _leap(self, j: int, i: int, program: TapedFunction) -> str:
        p, outs = self.prefix, program.recorded.outputs
        holds, q1, v1 = program.results
        ends: list[tuple[str, Scalar]] = []
        for target, at in (("b->q", q1), ("b->v", v1)):
            ends += [(f"{target}[{k}]", outs[n]) for k, n in enumerate(flat(at))]
        ends.append(("const bool holds", outs[int(holds)]))
        return self._written(
            f"jump {self.model.transitions[j].identifier} of {self.model.each[i].name.identifier}",
            f"static bool {p}_leap_{j}_{i}(const {p}_parameters *p, const {p}_inputs *u, "
            f"const {p}_node *a, {p}_node *b)",
            program, point_texts(program), ends, ["return holds;"],
        )  # fmt: skip

    def _dispatchers(self) -> list[str]:
        """Return the tables of guards and transitions, and functions that call those of a mode."""
        m, p = self.model, self.prefix
        facts = tables_of(p, m, self.guards, self.times)
        nodes, both, pre = f"const {p}_node *a", self._passed(), self._prelude()
        cases = range(len(m.each))

        def switch(calls: Sequence[str], which: str = "r->s->mode") -> list[str]:
            out = [f"    switch ({which}) {{"]
            out += [f"    case {i}: {call} break;" for i, call in enumerate(calls)]
            return [*out, "    default: break;", "    }"]

        holes = f"    for (int i = 0; i < {p}_NC; ++i) "
        tried = [
            f"static void {p}_try(const {p}_run *r, {nodes}, real size, {p}_trial *b)", "{", *pre,
            "    memset(b, 0, sizeof *b);", f"{holes}b->multiplier[i] = NAN;",
            *switch([f"{p}_try_{i}({both}, a, size, b);" for i in cases]), "}",
        ]  # fmt: skip
        guards = [
            f"static void {p}_guards(const {p}_run *r, {nodes}, real *g)", "{", *pre,
            *switch([f"{p}_guards_{i}({both}, a, g);" for i in cases]), "}",
        ]  # fmt: skip
        enter = [
            f"static int {p}_enter(const {p}_run *r, int64_t mode, {p}_node *a, real speed, "
            "real *multiplier,", "    real *residual)", "{", "    int result = 0;", *pre,
            f"{holes}multiplier[i] = NAN;",
            *switch(
                [f"result = {p}_enter_{i}({both}, r->h, a, speed, multiplier, residual);"
                 for i in cases], "mode"),
            "    return result;", "}",
        ]  # fmt: skip
        leap = [
            f"static bool {p}_leap(const {p}_run *r, int by, {nodes}, {p}_node *b)", "{",
            "    *b = *a;",
            f"    switch (by * {len(m.each)} + (int)r->s->mode) {{",
            *(f"    case {j * len(m.each) + i}: return {p}_leap_{j}_{i}({both}, a, b);"
              for j, i in m.leaps),
            "    default: return false;", "    }", "}",
        ]  # fmt: skip
        march = [
            f"static void {p}_march(const {p}_run *r, {nodes}, {p}_trial *b)", "{", *pre,
            "    memset(b, 0, sizeof *b);", f"{holes}b->multiplier[i] = NAN;",
            *switch([
                f"{p}_march_{i}({both}, r->s, a, r->h, b);" if x.march is not None else ""
                for i, x in enumerate(m.each)
            ]), "}",
        ]  # fmt: skip
        written = (tried, *([march] if self.carry else []), guards, enter)
        written += () if m.decides else (leap,)
        return ["\n".join(facts), *("\n".join(x) for x in written)]

    def _interface(self) -> str:
        """Return the functions that the header declares, except `defaults`."""
        p, m = self.prefix, self.model
        fixed = m.h is not None
        code = INTERFACE if self.times else re.sub(r".*@due_t.*\n", "", INTERFACE)
        code = code.replace("@PASS_H", "" if fixed else ", h")
        absent = f"for (int i = 0; i < {len(m.constraints)}; ++i) multiplier[i] = NAN;"
        first = self._passed().replace("r->", "")
        arguments = f"({first}, t, q, v, q_dot, v_dot, multiplier, energy)"
        cases = [f"case {i}: return {p}_dynamics_{i}{arguments};" for i in range(len(m.each))]
        now, again = [], []
        if m.inputs:
            given = ", ".join(f"u ? u->{x.identifier} : 0" for x in m.inputs)
            now = [f"const real now[{len(m.inputs)}] = {{{given}}};"]
            again = [
                *now, "if (memcmp(now, w.held, sizeof now)) { /* guards may depend on inputs */",
                "    memcpy(w.held, now, sizeof now);", "    w.begun = 1;", "    w.whole = 0;", "}",
            ]  # fmt: skip
            now = [*now, "memcpy(s->held, now, sizeof now);"]
        for word, lines in {
            "MODE": self._known("start"),
            "H": [f"const real h = {literal(m.h, False)};"] if m.h is not None else [],
            "IDENTITY": self._identity(),
            "AGAIN": again,
            "HELD": now,
            "CONTACTS": self._contacts(),
            "NO_ROWS": [*self._known("dynamics"), absent if m.constraints else "(void)multiplier;"],
            "CASES": cases,
        }.items():
            code = code.replace(f"    @{word}\n", "".join(f"    {x}\n" for x in lines))
        code = self._in_frame(text(p, code))
        for name, signature in self._signatures().items():
            code = code.replace(f"SIGNATURE_{name.upper()}\n", f"{signature}\n")
        return code

    def _identity(self) -> list[str]:
        """Return the lines that set the frame of the start, the identity of the group."""
        if not self.model.frame:
            return []
        leaves = jax.tree.leaves(self.model.system.groupoid.group.identity())
        values = np.concatenate([np.ravel(np.asarray(x, float)) for x in leaves])
        return [f"a.frame[{i}] = {literal(float(x), False)};" for i, x in enumerate(values)]
