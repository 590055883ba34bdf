"""The C99 source and header of a system and a method, from their tapes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from ..compile.ir.tape import Scalar, known
from .c_base import SourceBase, as_comment, flat
from .ctext import ATOM, Writer
from .model import Model, Name, TapedFunction


class Source(SourceBase):
    """Writes the C source and the header of a model."""

    model: Model

    def __init__(self, model: Model, single: bool) -> None:
        super().__init__(model, single)
        self._storage()

    # -- where the state lies ------------------------------------------------------------------

    def _storage(self) -> None:
        """Assign a struct member to each number of the state that a step reads or returns."""
        model, steps = self.model, self.model.steps
        start, step = model.start.recorded.outputs, steps.recorded.outputs
        first = model.start.results[0]  # indices of the state among the outputs of the start
        held = model.held
        row, row_first = held.state.row, first.row
        # Two tables with the index in the step's state as key: the struct member that stores the
        # number, and the number's index among the outputs of the start.
        self.members: dict[int, str] = {int(row.t): "s->t"}
        self.begins: dict[int, int] = {int(row.t): int(row_first.t)}
        for what, of, of_first in (
            ("q", row.q, row_first.q),
            ("v", row.v, row_first.v),
            ("multiplier", row.multiplier, row_first.multiplier),
            ("frame", held.state.frame, first.frame),
        ):
            for i, (a, b) in enumerate(zip(flat(of), flat(of_first), strict=True)):
                self.members[a], self.begins[a] = f"s->{what}[{i}]", b
        self.named = dict(self.members)
        # Numbers that the method carries between steps; those that are exact copies of numbers of
        # the row (`same`) are not stored a second time.
        self.same: dict[int, int] = {}
        everything = steps.recorded.needed()
        inputs, self.carried = steps.recorded.inputs[-1], 0
        for a, b in zip(flat(held.state.carry), flat(first.carry), strict=True):
            if inputs[a].number not in everything:
                continue
            twin = next(
                (
                    i
                    for i, j in self.begins.items()
                    if i in self.named and _same(step[a], step[i]) and _same(start[b], start[j])
                ),
                None,
            )
            if twin is not None:
                self.same[a] = twin
                continue
            self.members[a], self.begins[a] = f"s->carry[{self.carried}]", b
            self.carried += 1
        self.members[int(held.t0)] = "s->t0"

    # -- the header ----------------------------------------------------------------------------

    def _about(self) -> list[str]:
        doc = (type(self.model.system).__doc__ or "").strip()
        lines = textwrap.dedent("    " + doc).splitlines()
        return [as_comment(f"   {line}".rstrip()) for line in lines]

    def _enumerations(self) -> list[tuple[str, Sequence[Name], str]]:
        rows = ("", self.model.constraints, "multipliers: entries of multiplier")
        return [*super()._enumerations(), rows]

    def _members(self) -> list[str]:
        real, found = self.real, []
        if self.carried:
            found += [f"    {real} carry[{self.carried}];  /* the method's own */"]
        if self.model.h is None:
            found += [f"    {real} h;  /* of the last step; with another, t0 = t and k = 0 */"]
        return found

    def _signatures(self) -> dict[str, str]:
        found, real = super()._signatures(), self.real
        if self.model.jacobians is not None:
            given = found["dynamics"].partition("(")[2].partition(f", {real} *q_dot")[0]
            outs = ", ".join(f"{real} *{x}" for x in ("a_q", "a_v", "a_u"))
            found["jacobian"] = f"int {self.prefix}_jacobian({given}, {outs})"
        return found

    # -- the source ----------------------------------------------------------------------------

    def text(self, header: str, main: int = 0, started: Any = None) -> str:
        """Return the source file."""
        functions = [self._defaults(), self._start(), self._steps(), self._step(), self._rates()]
        if self.model.jacobians is not None:
            functions.append(self._jacobian())
        if main:
            functions.append(self._main(main, *started))
        return self._file(header, functions)

    def _finished(self, name: str, w: Writer, used: set[str]) -> str:
        """Return a complete function; `(void)x;` marks the arguments that the function ignores."""
        self.helpers |= w.helpers
        self.operations[name] = w.operations
        words = [part.split()[-1].lstrip("*") for part in self._signatures()[name][:-1].split(",")]
        unused = [f"    (void){x};" for x in ("p", "u", "h", "t", "q", "v") if x in words]
        unused = [line for line in unused if line[10:-1] not in used]
        return "\n".join([self._signatures()[name], "{", *unused, *w.lines, "}"])

    def _at_point(self, program: TapedFunction) -> tuple[Writer, set[str]]:
        """Return a writer of a function of (t, q, v)."""
        w, used = self._given(program.recorded)
        needed, rest = program.recorded.needed(), program.recorded.inputs[2]
        t, q, v = program.rest
        texts = [(int(t), "t"), *((a, f"q[{i}]") for i, a in enumerate(flat(q)))]
        texts += [(a, f"v[{i}]") for i, a in enumerate(flat(v))]
        names = ["t", *(f"{self.lead}q_{x.identifier}" for x in self.model.q)]
        names += [f"{self.lead}v_{x.identifier}" for x in self.model.v]
        for (at, text), name in zip(texts, names, strict=True):
            if rest[at].number in needed:
                used.add(text[0])
                if text != "t":
                    w.say(f"const real {name} = {text};")
                w.names[rest[at].number] = name, ATOM
        for block in program.recorded.tape.levels:
            w.block(block, needed)
        return w, used

    def _start(self) -> str:
        program, r = self.model.start, self.model.start.recorded
        state, wrong = program.results
        # Drop outputs that no step reads: they would become unused variables in C.
        kept = {at for place, at in self.begins.items() if place in self.members}
        kept |= {int(x) for x in (state.row.residual, state.row.result, wrong)}
        outputs = [x if i in kept else x.dtype.type(0) for i, x in enumerate(r.outputs)]
        w, used = self._at_point(program._replace(recorded=r._replace(outputs=outputs)))
        for place, member in self.members.items():
            if member != "s->t0":
                w.say(f"{member} = {w.read(outputs[self.begins[place]])};")
        w.say("s->t0 = t;")
        w.say("s->k = 0;")
        if self.model.h is None:
            w.say("s->h = h;")
            used.add("h")
        w.say(f"s->residual = {w.read(outputs[int(state.row.residual)])};")
        result = w.read(outputs[int(state.row.result)], ATOM)
        off = w.read(outputs[int(wrong)], ATOM)
        w.say(f"if ({result} != 0) return (int){result};")
        w.say(f"return {off} ? {self.prefix}_inconsistent : 0;")
        about = "From (t, q, v), projected onto the constraint; see the header."
        return f"/* {about} */\n" + self._finished("start", w, {*used, "t"})

    def _steps(self) -> str:
        model, steps = self.model, self.model.steps
        r = steps.recorded
        w, used = self._given(r)
        everything, light, state = r.needed(), steps.light(), r.inputs[-1]
        w.say("if (n <= 0) return 0;")
        # Levels 0 (from parameters and h) and 1 (from inputs) do not depend on the state: they are
        # computed once, before the loop.
        for level in (0, 1):
            w.block(r.tape.levels[level], everything)
        # Numbers of the state that a step reads become local variables of the loop.
        variables: dict[int, str] = {}
        names = {"s->t": "t"}
        for letter, those in (("q", model.q), ("v", model.v)):
            names |= _by_letter(letter, those, self.lead)
        for place, value in enumerate(state):
            if value.number not in everything and place != steps.residual:
                continue
            if place == steps.result:  # the loop returns at the first failure, so this is 0 here
                w.names[value.number] = "0", ATOM
            elif place in self.same:
                continue
            elif place == steps.residual:
                variables[place] = "residual"
            elif place == steps.k:
                variables[place] = "k"
            elif self.members.get(place) == "s->t0":
                w.names[value.number] = "t0", ATOM
            elif place in self.members:
                member = self.members[place]
                variables[place] = names.get(member) or member[3:].replace("[", "_").rstrip("]")
            else:  # the counter of good steps, which the exported code does not have
                w.names[value.number] = "0", ATOM
        w.say("int64_t k = s->k;")
        w.say(f"{'const ' if model.h is not None else ''}real t0 = s->t0;")
        if model.h is None:  # if h has changed, count t = t0 + k h from the present time
            used.add("h")
            w.say("if (h != s->h) {")
            if model.method.traits.carry != "node":  # carried numbers are valid for one h only
                w.say(f"    return {self.prefix}_step_changed;")
            else:
                w.say("    t0 = s->t;")
                w.say("    k = 0;")
            w.say("}")
        w.say("const int64_t last = k + n;")
        for place, name in variables.items():
            if name not in ("k", "residual"):
                w.say(f"real {name} = {self.members[place]};")
            w.names[state[place].number] = name, ATOM
        for place, twin in self.same.items():
            if twin not in variables:
                variables[twin] = name = names.get(self.members[twin]) or self.members[twin][3:]
                name = variables[twin] = name.replace("[", "_").rstrip("]")
                w.say(f"real {name} = {self.members[twin]};")
            w.names[state[place].number] = variables[twin], ATOM
        w.say("real residual = 0;")
        w.say("for (;;) {")
        w.indent += 1
        # `light` is what the next step depends on; the rest is computed at the last step only.
        w.block(r.tape.levels[2], light)
        outer = dict(w.names)
        result = w.read(r.outputs[steps.result], ATOM)
        self._fail(w, result, w.read(r.outputs[steps.residual]))
        w.say("if (k + 1 == last) {")
        w.indent += 1
        w.block(r.tape.levels[2], everything)
        if steps.at_row:
            self._fail(w, w.read(steps.next(steps.result, at_row=True), ATOM), "NAN")
        for place, member in self.members.items():
            if member != "s->t0":
                w.say(f"{member} = {w.read(r.outputs[place])};")
        w.say(f"s->residual = {w.read(r.outputs[steps.residual])};")
        w.say("s->k = last;")
        if model.h is None:
            w.say("s->t0 = t0;")
            w.say("s->h = h;")
        w.say("return 0;")
        w.indent -= 1
        w.say("}")
        w.names = outer  # names declared inside the `if` are out of scope here
        moved = [(name, r.outputs[place]) for place, name in variables.items() if name != "k"]
        w.assign(moved)
        w.say("++k;")
        w.indent -= 1
        w.say("}")
        about = "n steps of h with the inputs held; one that fails leaves the state as it was."
        return f"/* {about} */\n" + self._finished("steps", w, used)

    def _fail(self, w: Writer, result: str, residual: str) -> None:
        if result == "0":
            return
        w.say(f"if ({result} != 0) {{")
        w.say(f"    s->residual = {residual};")
        w.say(f"    return (int){result};")
        w.say("}")

    def _step(self) -> str:
        h = "" if self.model.h is not None else ", h"
        lines = [self._signatures()["step"], "{"]
        return "\n".join([*lines, f"    return {self.prefix}_steps(s, p, u{h}, 1);", "}"])

    def _rates(self) -> str:
        program = self.model.dynamics
        w, used = self._at_point(program)
        outputs, (q, v, multiplier, energy) = program.recorded.outputs, program.results
        total = []
        for name, at in (("q_dot", q), ("v_dot", v), ("multiplier", multiplier)):
            for i, j in enumerate(flat(at)):
                w.say(f"{name}[{i}] = {w.read(outputs[j])};")
                total += [f"{name}[{i}]"] if name != "q_dot" else []
        for name, names in (("q_dot", self.model.q), ("multiplier", self.model.constraints)):
            if not names:
                w.say(f"(void){name};")
        w.say(f"*energy = {w.read(outputs[int(energy)])};")
        w.say(f"return isfinite({' + '.join(total) or '0.0'}) ? 0 : {self.prefix}_not_finite;")
        about = "Rates of q (as it is stored) and v on the constraint, reactions, and the energy."
        return f"/* {about} */\n" + self._finished("dynamics", w, used)

    def _jacobian(self) -> str:
        program = self.model.jacobians
        assert program is not None
        w, used = self._at_point(program)
        outputs = program.recorded.outputs
        for name, at in zip(("a_q", "a_v", "a_u"), program.results):
            for i, j in enumerate(flat(at)):
                w.say(f"{name}[{i}] = {w.read(outputs[j])};")
        w.say("return 0;" if self.model.inputs else "(void)a_u; return 0;")
        about = "Derivatives of v_dot, row by row: along the directions of v, by v, by the inputs."
        return f"/* {about} */\n" + self._finished("jacobian", w, used)


# -- pieces ----------------------------------------------------------------------------------------


def _same(a: Scalar, b: Scalar) -> bool:
    return a is b or (known(a) and known(b) and a.tobytes() == b.tobytes())


def _by_letter(letter: str, names: Sequence[Name], lead: str) -> dict[str, str]:
    return {f"s->{letter}[{i}]": f"{lead}{letter}_{x.identifier}" for i, x in enumerate(names)}
