"""Write a system and a method as one C99 source file with its header."""

from __future__ import annotations

import contextlib
import dataclasses
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np

from ..compile.ir.record import Recorded
from ..compile.ir.tape import Lane, Unsupported, known
from ..errors import UsageError
from ..files import PathLike, check_writable, replacing
from ..inputs import Constant, driven
from ..linalg import GAVE_UP, MESSAGES, SINGULAR, STALLED
from ..methods import Method, default
from ..running.request.prepare import prepare
from ..system import System
from .ctext import ATOM, HELPERS, Writer, literal
from .model import Model, Name, Program, model_of

# Codes that a step of fixed size can end with; the others belong to adaptive methods.
_CODES = {n: text for n, text in MESSAGES.items() if n not in (GAVE_UP, STALLED, SINGULAR)}
_CODE_NAMES = {
    0: "ok",
    1: "no_convergence",
    2: "not_finite",
    3: "inconsistent",
    5: "off_constraint",
}
# Code 7 exists in exported code only: it is returned where h is an argument of the step.
_STEP_CHANGED = 7
_CODES[_STEP_CHANGED] = "h differs from that of the last step, which this method cannot change"
_CODE_NAMES[_STEP_CHANGED] = "step_changed"


@dataclasses.dataclass(frozen=True)
class CFiles:
    """The files that `export.c` wrote: paths, the prefix of all names, operation counts."""

    source: Path
    header: Path
    prefix: str
    operations: dict[str, int]  # by function; the body of a loop counts once

    def __str__(self) -> str:
        counts = ", ".join(f"{name} {n}" for name, n in self.operations.items())
        return f"{self.source.name} and {self.header.name} ({self.prefix}_*; operations: {counts})"


def c(
    system: System,
    method: Method | None = None,
    path: PathLike | None = None,
    h: float | None = None,
    *,
    name: str | None = None,
    single: bool = False,
    jacobians: bool = False,
    main: int = 0,
    q0: Any = None,
    v0: Any = None,
    names: Mapping[str, str] | None = None,
) -> CFiles:
    """Write a step and the dynamics of a system as self-contained C99: FILE.c and FILE.h.

        da.export.c(sleigh, da.RK4(), "sleigh.c", h=0.01, main=1000)
        cc -O3 -DCHAPLYGIN_SLEIGH_MAIN sleigh.c -lm -o sleigh && ./sleigh > rows.csv

    The code has no global state, allocates nothing, and calls only the mathematical functions of
    C. Parameters and inputs are structs with named members. NAME_start makes a state from
    (t, q, v). NAME_step advances it by h with constant inputs, NAME_steps by several steps.
    NAME_dynamics computes rates, multipliers and energy. All return 0 or an error code declared in
    the header; a step that fails leaves the state unchanged. The results agree with those of
    `da.Stepper` up to round-off.

    Args:
        system: the system to export. If its inputs are not driven by a control, they are arguments
            of the step.
        method: a method with fixed steps; by default that of `simulate`.
        path: the source file, FILE.c; the header is written beside it. By default it is named
            after the system.
        h: the step size; if None, it is an argument of NAME_step.
        name: prefix of all functions and types; by default the system's name as a C identifier.
        single: use float instead of double. Tolerances are then those of float.
        jacobians: also write NAME_jacobian, the derivatives of the acceleration by q, v and u.
        main: if positive, also write a `main`, under `#ifdef NAME_MAIN`, that makes this many
            steps and prints the trajectory from (q0, v0), by default `system.initial()`; needs h.
        names: C identifiers for labels that are not identifiers, such as
            {"angle of the wheel": "angle"}.
    """
    method = default() if method is None else method
    if main and h is None:
        raise UsageError("a main makes steps of a known size: give h as well")
    if isinstance(main, bool) or not isinstance(main, int) or not 0 <= main < 2**31:
        raise UsageError(f"main is the number of steps that it makes, below 2^31, got {main!r}")
    target = None if path is None else check_writable(path, (".c",))
    model = model_of(system, method, h, name, names, jacobians, single)
    target = check_writable(f"{model.prefix}.c", (".c",)) if target is None else target
    header = check_writable(target.with_suffix(".h"), (".h",))
    started = None
    if main:
        started = start_data(system, q0, v0)
        still = driven(system, Constant(np.zeros(len(model.inputs)))) if model.inputs else system
        q, v = system.initial() if q0 is None else (q0, v0)
        prepare(still, method, q, v, None, h, 0.0, project=False)  # raises if off the constraint
    source = Source(model, single)
    with saying_why(model):
        text = source.text(header.name, main, started)
    texts = {target: text, header: source.header(header.name)}
    for place, text in texts.items():
        with replacing(place) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return CFiles(target, header, model.prefix, dict(source.operations))


def _check_floats(parameters: Any) -> None:
    """Refuse parameters that a float does not hold; the code would compute with others."""
    floats = np.finfo(np.float32)
    for x in parameters:
        size = np.abs(np.asarray(x.value, dtype=float))
        if np.any((size > floats.max) | ((size > 0.0) & (size < floats.tiny))):
            raise UsageError(
                f"single=True: the parameter '{x.label}' is outside of the range of floats, "
                f"{floats.tiny:.1e} to {floats.max:.1e}: take other units, or doubles"
            )


@contextlib.contextmanager
def saying_why(model: Model) -> Iterator[None]:
    """Turn `Unsupported`, raised where C has no equivalent, into a `UsageError`."""
    try:
        yield
    except Unsupported as error:
        raise UsageError(
            f"it cannot be written as C: {error}",
            about=f"{model.method.name} on {model.system.name()}",
        ) from error


def start_data(system: System, q0: Any, v0: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return (q, v) as flat arrays: those given, or `system.initial()`."""
    if (q0 is None) != (v0 is None):
        raise UsageError("give both q0 and v0, or neither to start from system.initial()")
    q, v = system.initial() if q0 is None else (q0, v0)
    q = system.groupoid.base.check(q, "q0")
    flat = [np.ravel(np.asarray(x, float)) for x in jax.tree.leaves(q)]
    try:
        v = np.asarray(v, float)
    except (TypeError, ValueError):
        raise UsageError(f"v0 must be {system.dim} numbers, got {v0!r}") from None
    if v.shape != (system.dim,) or not np.all(np.isfinite(v)):
        raise UsageError(f"v0 must be {system.dim} finite numbers, got {v0!r}")
    return np.concatenate([np.zeros(0), *flat]), v


class Source:
    """Writes the C source and the header of a model."""

    def __init__(self, model: Model, single: bool) -> None:
        self.model, self.single = model, single
        self.prefix, self.real = model.prefix, f"{model.prefix}_real"  # the source calls it `real`
        self.helpers: set[str] = set()
        self.operations: dict[str, int] = {}
        self._storage()

    # -- where the state lies ------------------------------------------------------------------

    def _storage(self) -> None:
        """Assign struct members to the numbers of the state that a step reads or returns."""
        model, steps = self.model, self.model.steps
        start, step = model.start.recorded.outputs, steps.recorded.outputs
        first = model.start.results[0]  # indices of the state among the outputs of the start
        held = model.held
        row, row_first = held.state.row, first.row
        # Index in the step's state -> struct member; and -> index among the outputs of the start.
        self.members: dict[int, str] = {int(row.t): "s->t"}
        self.begins: dict[int, int] = {int(row.t): int(row_first.t)}
        for what, of, of_first in (
            ("q", row.q, row_first.q),
            ("v", row.v, row_first.v),
            ("multiplier", row.multiplier, row_first.multiplier),
            ("frame", held.state.frame, first.frame),
        ):
            for i, (a, b) in enumerate(zip(_flat(of), _flat(of_first), strict=True)):
                self.members[a], self.begins[a] = f"s->{what}[{i}]", b
        self.named = dict(self.members)
        # Numbers that the method carries between steps; exact copies of the above are not stored.
        self.same: dict[int, int] = {}
        everything = steps.recorded.needed()
        inputs, self.carried = steps.recorded.inputs[-1], 0
        for a, b in zip(_flat(held.state.carry), _flat(first.carry), strict=True):
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

    def header(self, name: str) -> str:
        """Return the header: types and declarations."""
        m, p, real = self.model, self.prefix, self.real
        guard = f"{p.upper()}_INCLUDED"
        sizes = {"NQ": len(m.q), "NV": len(m.v), "NC": len(m.constraints), "NU": len(m.inputs)}
        out = [
            f"/* {_told(m)}: C99 made by dalembert.export.c.",
            "",
            *_about(m.system),
            "",
            f"     {p}_parameters p = {p}_defaults();",
            f"     {p}_state s;",
            f"     {p}_start(&s, &p, NULL{self._h_of('0.01')}, 0.0, q, v);",
            f"     while (running) {p}_step(&s, &p, {'&u' if m.inputs else 'NULL'}"
            f"{self._h_of('0.01')});",
            "*/",
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#include <stdint.h>",
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
            f"typedef {'float' if self.single else 'double'} {real};",
            "",
            *(f"#define {p.upper()}_{k} {n}" for k, n in sizes.items()),
        ]
        if m.h is not None:
            out += [f"#define {p.upper()}_H {literal(m.h, self.single)}  /* s */"]
        out += ["", "/* what the functions return */", f"enum {p}_result {{"]
        out += [
            f"    {p}_{_CODE_NAMES[n]} = {n},  /* {text} */" for n, text in sorted(_CODES.items())
        ]
        out[-1] = out[-1].replace(",  /*", "  /*")
        out += ["};", ""]
        for letter, names, what in (
            ("q", m.q, "coordinates: entries of q"),
            ("v", m.v, "velocities: entries of v"),
            ("c", m.constraints, "constraints: entries of multiplier"),
        ):
            out += _enumeration(f"{p}_{letter}", names, what)
        out += self._struct("parameters", m.parameters, "parameters")
        out += self._struct("inputs", m.inputs, "inputs, held during a step")
        out += [
            "/* all that the next step depends on */",
            f"typedef struct {p}_state {{",
            f"    {real} t;",
            *([f"    {real} q[{len(m.q)}];"] if m.q else []),
            f"    {real} v[{len(m.v)}];",
        ]
        if m.constraints:
            out += [f"    {real} multiplier[{len(m.constraints)}];  /* reaction: A^T multiplier */"]
        if m.frame:
            out += [f"    {real} frame[{m.frame}];  /* motion in the group since the start */"]
        out += [f"    {real} residual;  /* largest of the equations solved in the last call */"]
        if self.carried:
            out += [f"    {real} carry[{self.carried}];  /* the method's own */"]
        if m.h is None:
            out += [f"    {real} h;  /* of the last step; with another, t0 = t and k = 0 */"]
        out += [
            f"    {real} t0;  /* step k is at t0 + k h */",
            "    int64_t k;",
            f"}} {p}_state;",
            "",
        ]
        for function, text in self._signatures().items():
            if function == "start":
                out += [
                    f"/* {p}_inconsistent (3): v was off the constraint; s is its projection",
                    "   and can be stepped; after any other code s is not usable */",
                ]
            out.append(f"{text};")
        out += ["", "#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
        return "\n".join(out)

    def _struct(self, kind: str, names: Sequence[Name], what: str) -> list[str]:
        out = [f"/* {what} */", f"typedef struct {self.prefix}_{kind} {{"]
        for x in names:
            about = ", ".join(filter(None, (x.doc or _other(x), x.unit)))
            size = f"[{x.size}]" if x.size else ""
            out.append(f"    {self.real} {x.identifier}{size};{_comment(about)}")
        if not names:  # C has no empty structs
            out.append("    char none;")
        return [*out, f"}} {self.prefix}_{kind};", ""]

    def _h_of(self, value: str) -> str:
        return "" if self.model.h is not None else f", {value}"

    def _signatures(self) -> dict[str, str]:
        p, real = self.prefix, self.real
        h = "" if self.model.h is not None else f", {real} h"
        both = f"const {p}_parameters *p, const {p}_inputs *u"
        point = f"{real} t, const {real} *q, const {real} *v"
        found = {
            "defaults": f"{p}_parameters {p}_defaults(void)",
            "start": f"int {p}_start({p}_state *s, {both}{h}, {point})",
            "steps": f"int {p}_steps({p}_state *s, {both}{h}, int64_t n)",
            "step": f"int {p}_step({p}_state *s, {both}{h})",
            "dynamics": f"int {p}_dynamics({both}, {point}, {real} *q_dot, {real} *v_dot, "
            f"{real} *multiplier, {real} *energy)",
        }
        if self.model.jacobians is not None:
            found["jacobian"] = (
                f"int {p}_jacobian({both}, {point}, {real} *a_q, {real} *a_v, {real} *a_u)"
            )
        return found

    # -- the source ----------------------------------------------------------------------------

    def text(self, header: str, main: int = 0, started: Any = None) -> str:
        """Return the source file."""
        p = self.prefix
        functions = [self._defaults(), self._start(), self._steps(), self._step(), self._rates()]
        if self.model.jacobians is not None:
            functions.append(self._jacobian())
        if main:
            functions.append(self._main(main, started))
        tables = [
            f"static const real {p}_{name}[{len(x)}] = {{{_numbers(x, self.single)}}};"
            for name, x in self.model.tables
        ]
        helpers = [HELPERS[name].format(prefix=f"{p}_") for name in HELPERS if name in self.helpers]
        head = [
            f"/* {_told(self.model)}, made by dalembert.export.c: see the header. */",
            f'#include "{header}"',
            "#include <math.h>",
            "#include <stdbool.h>",
            "#include <stddef.h>",
            "",
            f"typedef {self.real} real;",
        ]
        return "\n\n".join(["\n".join(head), *tables, *helpers, *functions]) + "\n"

    def _given(self, r: Recorded) -> tuple[Writer, set[str]]:
        """Return a writer that defines parameters, h and inputs, and the arguments it reads."""
        w, used, needed = Writer(self.single, f"{self.prefix}_"), set(), r.needed()
        w.inline(r.tape, needed, r.outputs)
        shared, own = r.inputs[0], r.inputs[1]
        texts = [*self.model.given, *([("h", -1)] if self.model.h is None else [])]
        for value, (text, table) in zip(shared, texts, strict=True):
            if value.number not in needed:
                continue
            name = text
            if table >= 0:  # an address: operations that read from it use the array's name
                w.tables[value.number], name = f"{self.prefix}_{self.model.tables[table][0]}", "0"
            elif text.startswith("p->"):
                # Another prefix for arrays: inertia[0] must not clash with inertia_0.
                name = f"p{'a' if '[' in text else ''}_{text[3:].replace('[', '_').rstrip(']')}"
                w.say(f"const real {name} = {text};")
                used.add("p")
            elif text == "h":
                used.add("h")
            w.names[value.number] = name, ATOM
        for value, x in zip(own, self.model.inputs):
            if value.number in needed:  # u may be NULL: then all inputs are zero
                w.say(f"const real u_{x.identifier} = u ? u->{x.identifier} : 0;")
                w.names[value.number] = f"u_{x.identifier}", ATOM
                used.add("u")
        return w, used

    def _finished(self, name: str, w: Writer, used: set[str]) -> str:
        """Return the complete function; `(void)x;` marks the arguments that it does not read."""
        self.helpers |= w.helpers
        self.operations[name] = w.operations
        words = [part.split()[-1].lstrip("*") for part in self._signatures()[name][:-1].split(",")]
        unused = [f"    (void){x};" for x in ("p", "u", "h", "t", "q", "v") if x in words]
        unused = [line for line in unused if line[10:-1] not in used]
        return "\n".join([self._signatures()[name], "{", *unused, *w.lines, "}"])

    def _at_point(self, program: Program) -> tuple[Writer, set[str]]:
        """Return a writer of a function of (t, q, v)."""
        w, used = self._given(program.recorded)
        needed, rest = program.recorded.needed(), program.recorded.inputs[2]
        t, q, v = program.rest
        texts = [(int(t), "t"), *((a, f"q[{i}]") for i, a in enumerate(_flat(q)))]
        texts += [(a, f"v[{i}]") for i, a in enumerate(_flat(v))]
        names = ["t", *(f"q_{x.identifier}" for x in self.model.q)]
        names += [f"v_{x.identifier}" for x in self.model.v]
        for (at, text), name in zip(texts, names, strict=True):
            if rest[at].number in needed:
                used.add(text[0])
                if text != "t":
                    w.say(f"const real {name} = {text};")
                w.names[rest[at].number] = name, ATOM
        for block in program.recorded.tape.levels:
            w.block(block, needed)
        return w, used

    def _defaults(self) -> str:
        p = self.prefix
        if self.single:
            _check_floats(self.model.parameters)
        lines = [self._signatures()["defaults"], "{"]
        values = [_numbers(x.value, self.single) for x in self.model.parameters]
        values = [f"{{{v}}}" if x.size else v for x, v in zip(self.model.parameters, values)]
        lines += [f"    const {p}_parameters p = {{"]
        lines += [f"        {v},{_comment(x.label)}" for x, v in zip(self.model.parameters, values)]
        lines += [] if values else ["        0"]
        return "\n".join([*lines, "    };", "    return p;", "}"])

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
        # Levels 0 (parameters, h) and 1 (inputs) do not depend on the state: once, before the loop.
        for level in (0, 1):
            w.block(r.tape.levels[level], everything)
        # Numbers of the state that a step reads become local variables of the loop.
        variables: dict[int, str] = {}
        names = {**_by_letter("q", model.q), **_by_letter("v", model.v), "s->t": "t"}
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
        if model.h is None:  # if h changes, time is counted anew from here: t = t0 + k h
            used.add("h")
            w.say("if (h != s->h) {")
            if model.method.traits.carry != "node":  # carried numbers are valid for one h
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
            for i, j in enumerate(_flat(at)):
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
            for i, j in enumerate(_flat(at)):
                w.say(f"{name}[{i}] = {w.read(outputs[j])};")
        w.say("return 0;" if self.model.inputs else "(void)a_u; return 0;")
        about = "Derivatives of v_dot, row by row: along the directions of v, by v, by the inputs."
        return f"/* {about} */\n" + self._finished("jacobian", w, used)

    def _main(self, steps: int, started: tuple[np.ndarray, np.ndarray]) -> str:
        p, m = self.prefix, self.model
        q, v = (_numbers(x, self.single) or "0" for x in started)
        heads = [x.identifier for x in (*m.q, *m.v)]
        heads += [f"multiplier_{x.identifier}" for x in m.constraints]
        digits = "%.9g" if self.single else "%.17g"
        loops = [("q", len(m.q)), ("v", len(m.v)), ("multiplier", len(m.constraints))]
        shown = [
            f'    for (int i = 0; i < {n}; ++i) printf(",{digits}", (double)s->{name}[i]);'
            for name, n in loops
            if n
        ]
        return "\n".join(
            [
                f"#ifdef {p.upper()}_MAIN",
                "#include <stdio.h>",
                "",
                f"static void {p}_print(const {p}_state *s)",
                "{",
                f'    printf("{digits}", (double)s->t);',
                *shown,
                '    printf("\\n");',
                "}",
                "",
                "int main(void)",
                "{",
                f"    const real q[] = {{{q}}};",
                f"    const real v[] = {{{v}}};",
                f"    const {p}_parameters p = {p}_defaults();",
                f"    {p}_state s;",
                f"    int result = {p}_start(&s, &p, NULL, 0, q, v);",
                f'    printf("t,{",".join(heads)}\\n");',
                f"    {p}_print(&s);",
                f"    for (int k = 0; k < {steps} && result == 0; ++k) {{",
                f"        result = {p}_step(&s, &p, NULL);",
                f"        if (result == 0) {p}_print(&s);",
                "    }",
                '    if (result) fprintf(stderr, "result %d at t = %g\\n", result, (double)s.t);',
                "    return result;",
                "}",
                "#endif",
            ]
        )


# -- pieces ----------------------------------------------------------------------------------------


def _flat(places: Any) -> list[int]:
    return [int(i) for x in jax.tree.leaves(places) for i in np.ravel(x)]


def _same(a: Lane, b: Lane) -> bool:
    return a is b or (known(a) and known(b) and a.tobytes() == b.tobytes())


def _by_letter(letter: str, names: Sequence[Name]) -> dict[str, str]:
    return {f"s->{letter}[{i}]": f"{letter}_{x.identifier}" for i, x in enumerate(names)}


def _numbers(values: Any, single: bool) -> str:
    return ", ".join(literal(float(x), single).strip("()") for x in np.ravel(values))


def _told(model: Model) -> str:
    return f"{model.system.name()} by {model.method.name}".replace("*/", "* /").replace("/*", "/ *")


def _other(x: Name) -> str:
    """Return the system's label of a number if it differs from the C identifier, else ""."""
    return "" if x.label == x.identifier else x.label


def _comment(text: str) -> str:
    return f"  /* {text.replace('*/', '* /').replace('/*', '/ *')} */" if text else ""


def _enumeration(prefix: str, names: Sequence[Name], what: str) -> list[str]:
    if not names:
        return []
    out = [f"/* {what} */", "enum {"]
    for i, x in enumerate(names):
        about = ", ".join(filter(None, (_other(x), x.unit)))
        comma = "," if i + 1 < len(names) else ""
        out.append(f"    {prefix}_{x.identifier} = {i}{comma}{_comment(about)}")
    return [*out, "};", ""]


def _about(system: System) -> list[str]:
    doc = textwrap.dedent("    " + (type(system).__doc__ or "").strip()).splitlines()
    return [f"   {line}".rstrip().replace("*/", "* /").replace("/*", "/ *") for line in doc]
