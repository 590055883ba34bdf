"""What every exported C source has: result codes, parameters, inputs, structs, comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..compile.ir.record import Recorded
from ..errors import UsageError
from ..linalg import GAVE_UP, MESSAGES, SINGULAR, STALLED
from .ctext import ATOM, HELPERS, Writer, literal
from .model import Name

# The result codes that a step of fixed size can return; other codes belong to adaptive methods.
CODES = {n: text for n, text in MESSAGES.items() if n not in (GAVE_UP, STALLED, SINGULAR)}
CODE_NAMES = {
    0: "ok",
    1: "no_convergence",
    2: "not_finite",
    3: "inconsistent",
    5: "off_constraint",
}
# Code 7 exists in exported code only: it is returned where h is an argument of the step.
_STEP_CHANGED = 7
CODES[_STEP_CHANGED] = "h differs from that of the last step, which this method cannot change"
CODE_NAMES[_STEP_CHANGED] = "step_changed"


class SourceBase:
    """What the C sources of plain and of hybrid systems share: parameters, inputs, structs."""

    def __init__(self, model: Any, single: bool) -> None:
        self.model, self.single = model, single
        self.prefix, self.real = model.prefix, f"{model.prefix}_real"  # the source calls it `real`
        self.helpers: set[str] = set()
        self.operations: dict[str, int] = {}
        self.lead = _lead(model)

    def title(self) -> str:
        """Return the name and the method, for comments."""
        return f"{self.model.system.name()} by {self.model.method.name}"

    # -- the header ----------------------------------------------------------------------------

    def header(self, name: str) -> str:
        """Return the header: types and declarations."""
        m, p, real, h = self.model, self.prefix, self.real, self._h_of("0.01")
        guard = f"{p.upper()}_INCLUDED"
        sizes = {"NQ": len(m.q), "NV": len(m.v), "NC": len(m.constraints), "NU": len(m.inputs)}
        out = [
            f"/* {as_comment(self.title())}: C99 made by dalembert.export.c.",
            "",
            *self._about(),
            "",
            f"     {p}_parameters p = {p}_defaults();",
            f"     {p}_state s;",
            f"     {p}_start(&s, &p, NULL{h}, {self._first_mode()}0.0, q, v);",
            f"     while (running) {p}_step(&s, &p, {'&u' if m.inputs else 'NULL'}{h});",
            *self._notes(),
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
            *(f"#define {p.upper()}_{k} {n}" for k, n in (sizes | self._more_counts()).items()),
        ]
        if m.h is not None:
            out += [f"#define {p.upper()}_H {literal(m.h, self.single)}  /* s */"]
        out += ["", "/* what the functions return */", f"enum {p}_result {{"]
        codes = sorted(self.codes().items())
        out += [f"    {p}_{x} = {n},  /* {told} */" for n, (x, told) in codes]
        out[-1] = out[-1].replace(",  /*", "  /*")
        out += ["};", ""]
        for letter, names, what in self._enumerations():
            out += enumeration(f"{p}_{letter}" if letter else p, names, what)
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
            about = f"reaction: A^T multiplier{self._absent_rows()}"
            out += [f"    {real} multiplier[{len(m.constraints)}];  /* {about} */"]
        if m.frame:
            out += [f"    {real} frame[{m.frame}];  /* motion in the group since the start */"]
        out += [
            f"    {real} residual;  /* largest of the equations solved in the last call */",
            *self._members(),
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

    def codes(self) -> dict[int, tuple[str, str]]:
        """The result codes: number -> (name, text)."""
        return {n: (CODE_NAMES[n], told) for n, told in CODES.items()}

    def messages(self) -> list[str]:
        """Return the texts of the result codes, by number."""
        codes = self.codes()
        return [codes[i][1] if i in codes else "" for i in range(max(codes) + 1)]

    def _about(self) -> list[str]:
        """Return the lines of the header that describe the system."""
        raise NotImplementedError

    def _notes(self) -> list[str]:
        return []

    def _first_mode(self) -> str:
        """Return the C text before t in the argument list of the start."""
        return ""

    def _more_counts(self) -> dict[str, int]:
        return {}

    def _enumerations(self) -> list[tuple[str, Sequence[Name], str]]:
        """Return (letter, names, comment) of the enums of indices."""
        m = self.model
        return [
            ("q", m.q, "coordinates: entries of q"),
            ("v", m.v, "velocities: entries of v"),
        ]

    def _absent_rows(self) -> str:
        return ""

    def _members(self) -> list[str]:
        """Return the members of the struct of the state that follow `residual`."""
        raise NotImplementedError

    def _signatures(self) -> dict[str, str]:
        """Return the declarations of the functions by name."""
        p, real = self.prefix, self.real
        h = "" if self.model.h is not None else f", {real} h"
        both = f"const {p}_parameters *p, const {p}_inputs *u"
        mode = "int64_t mode, " if self._first_mode() else ""
        point = f"{mode}{real} t, const {real} *q, const {real} *v"
        return {
            "defaults": f"{p}_parameters {p}_defaults(void)",
            "start": f"int {p}_start({p}_state *s, {both}{h}, {point})",
            "steps": f"int {p}_steps({p}_state *s, {both}{h}, int64_t n)",
            "step": f"int {p}_step({p}_state *s, {both}{h})",
            "dynamics": f"int {p}_dynamics({both}, {point}, {real} *q_dot, {real} *v_dot, "
            f"{real} *multiplier, {real} *energy)",
        }

    # -- the source ----------------------------------------------------------------------------

    def _file(self, header: str, body: Sequence[str], lines: Sequence[str] = ()) -> str:
        """Return the source file: includes, `lines`, tables, helpers, and the body."""
        p = self.prefix
        tables = [
            f"static const real {p}_{name}[{len(x)}] = {{{numbers(x, self.single)}}};"
            for name, x in self.model.tables
        ]
        helpers = [HELPERS[name].format(prefix=f"{p}_") for name in HELPERS if name in self.helpers]
        if self.single:
            helpers = [re.sub(r"\b(fmax|fabs)\(", r"\1f(", x) for x in helpers]
        head = [
            f"/* {as_comment(self.title())}, made by dalembert.export.c: see the header. */",
            f'#include "{header}"',
            *(f"#include <{x}.h>" for x in ("math", "stdbool", "stddef", "string")),
            "",
            f"typedef {self.real} real;",
            *lines,
        ]
        return "\n\n".join(["\n".join(head), *tables, *helpers, *body]) + "\n"

    def _main(self, steps: int, q: Any, v: Any, first: str = "", more: Sequence[str] = ()) -> str:
        """Return the function `main`.

        The text `first` precedes t in the call of NAME_start; the values `more` are printed, too.
        """
        p, m = self.prefix, self.model
        digits = "%.9g" if self.single else "%.17g"
        loops = [("q", m.q), ("v", m.v), *([] if more else [("multiplier", m.constraints)])]
        heads = ["t", *more, *(x.identifier for _, names in loops for x in names)]
        lines = [
            f"#ifdef {p.upper()}_MAIN",
            "#include <stdio.h>",
            "",
            f"static void {p}_print(const {p}_state *s)",
            "{",
            f'    printf("{digits}", (double)s->t);',
            *(f'    printf(",%d", (int)s->{x});' for x in more),
            *(
                f'    for (int i = 0; i < {len(x)}; ++i) printf(",{digits}", (double)s->{name}[i]);'
                for name, x in loops
                if x
            ),
            '    printf("\\n");',
            "}",
            "",
            "int main(void)",
            "{",
            f"    const real q[] = {{{numbers(q, self.single) or '0'}}};",
            f"    const real v[] = {{{numbers(v, self.single)}}};",
            f"    const {p}_parameters p = {p}_defaults();",
            f"    {p}_state s;",
            f"    int result = {p}_start(&s, &p, NULL, {first}0, q, v);",
            f'    printf("{",".join(heads)}\\n");',
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
        return "\n".join(lines)

    def _struct(self, kind: str, names: Sequence[Name], what: str) -> list[str]:
        out = [f"/* {what} */", f"typedef struct {self.prefix}_{kind} {{"]
        for x in names:
            about = ", ".join(filter(None, (x.doc or other_label(x), x.unit)))
            size = f"[{x.size}]" if x.size else ""
            out.append(f"    {self.real} {x.identifier}{size};{trailing(about)}")
        if not names:  # C has no empty structs
            out.append("    char none;")
        return [*out, f"}} {self.prefix}_{kind};", ""]

    def _h_of(self, value: str) -> str:
        return "" if self.model.h is not None else f", {value}"

    def _given(self, r: Recorded, has_h: bool | None = None) -> tuple[Writer, set[str]]:
        """Return (writer that begins a function, names of the arguments that the function reads).

        The writer has defined parameters, h and inputs. `has_h` says whether h follows the
        parameters; by default it does if the exported model has no constant h.
        """
        w, used, needed = Writer(self.single, f"{self.prefix}_"), set(), r.needed()
        w.inline(r.tape, needed, r.outputs)
        shared, own = r.inputs[0], r.inputs[1]
        has_h = self.model.h is None if has_h is None else has_h
        texts = [*self.model.given, *([("h", -1)] if has_h else [])]
        for value, (text, table) in zip(shared, texts, strict=True):
            if value.number not in needed:
                continue
            name = text
            if table >= 0:  # an address; operations that read from there use the array's name
                w.tables[value.number], name = f"{self.prefix}_{self.model.tables[table][0]}", "0"
            elif text.startswith("p->"):
                # Another prefix for arrays: inertia[0] must not clash with inertia_0.
                name = text[3:].replace("[", "_").rstrip("]")
                name = f"{self.lead}p{'a' if '[' in text else ''}_{name}"
                w.say(f"const real {name} = {text};")
                used.add("p")
            elif text == "h":
                used.add("h")
            w.names[value.number] = name, ATOM
        for value, x in zip(own, self.model.inputs):
            if value.number in needed:  # u may be NULL: then all inputs are zero
                w.say(f"const real {self.lead}u_{x.identifier} = u ? u->{x.identifier} : 0;")
                w.names[value.number] = f"{self.lead}u_{x.identifier}", ATOM
                used.add("u")
        return w, used

    def _defaults(self) -> str:
        p = self.prefix
        if self.single:
            _check_floats(self.model.parameters)
        lines = [self._signatures()["defaults"], "{"]
        values = [numbers(x.value, self.single) for x in self.model.parameters]
        values = [f"{{{v}}}" if x.size else v for x, v in zip(self.model.parameters, values)]
        lines += [f"    const {p}_parameters p = {{"]
        lines += [f"        {v},{trailing(x.label)}" for x, v in zip(self.model.parameters, values)]
        lines += [] if values else ["        0"]
        return "\n".join([*lines, "    };", "    return p;", "}"])


# -- pieces ----------------------------------------------------------------------------------------


def flat(places: Any) -> list[int]:
    """Return all indices in a tree of arrays of indices, in order."""
    return [int(i) for x in jax.tree.leaves(places) for i in np.ravel(x)]


def _lead(model: Any) -> str:
    """Return a text to begin the names of local variables with, so that they hide no other name.

    All names of the file begin with the prefix, and local variables are q_x, v_x, u_x, p_m. With
    the prefix `q` a local variable could hide the result code `q_inconsistent`; the local variable
    of a coordinate `dot` could hide an argument. The text is empty if nothing is hidden.
    """
    result = "x_" if any(x.identifier == "dot" for x in (*model.q, *model.v)) else ""
    while f"{model.prefix}_".startswith(tuple(f"{result}{x}_" for x in ("q", "v", "u", "p", "pa"))):
        result += "x_"
    return result


def numbers(values: Any, single: bool) -> str:
    """Return numbers as C text, with commas between them."""
    return ", ".join(literal(float(x), single).strip("()") for x in np.ravel(values))


def as_comment(text: str) -> str:
    """Return a text in which nothing begins or ends a comment of C."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def other_label(x: Name) -> str:
    """Return the system's label of a named number if it differs from its identifier, else ""."""
    return "" if x.label == x.identifier else x.label


def trailing(text: str) -> str:
    """Return a C comment for the end of a line; "" if the text is empty."""
    return f"  /* {as_comment(text)} */" if text else ""


def enumeration(prefix: str, names: Sequence[Name], what: str) -> list[str]:
    """Return the lines of a C enum with the index of each name."""
    if not names:
        return []
    out = [f"/* {what} */", "enum {"]
    for i, x in enumerate(names):
        about = ", ".join(filter(None, (other_label(x), x.unit)))
        comma = "," if i + 1 < len(names) else ""
        out.append(f"    {prefix}_{x.identifier} = {i}{comma}{trailing(about)}")
    return [*out, "};", ""]


def _check_floats(parameters: Any) -> None:
    """Refuse parameters that a float cannot represent; the code would compute with other values."""
    floats = np.finfo(np.float32)
    for x in parameters:
        size = np.abs(np.asarray(x.value, dtype=float))
        if np.any((size > floats.max) | ((size > 0.0) & (size < floats.tiny))):
            raise UsageError(
                f"single=True: the parameter '{x.label}' is outside the range of floats, "
                f"{floats.tiny:.1e} to {floats.max:.1e}: use other units, or doubles"
            )


def entries(places: Any, letter: str) -> dict[int, str]:
    """Return index -> C text for the entries of the array `letter`, such as 3 -> "q[0]"."""
    return {at: f"{letter}[{i}]" for i, at in enumerate(flat(places))}


def point_texts(program: Any) -> dict[int, str]:
    """Return the arguments of a function of (t, q, v) at the node a."""
    t, q, v = program.rest
    return {int(t): "a->t", **entries(q, "a->q"), **entries(v, "a->v")}
