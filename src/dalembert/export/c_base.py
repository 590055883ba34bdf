"""What every exported C source has: result codes, parameters, inputs, structs, comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..compile.ir.record import Recorded
from ..errors import UsageError
from ..linalg import GAVE_UP, MESSAGES, SINGULAR, STALLED
from .ctext import ATOM, Writer, literal
from .model import Name

# Codes that a step of fixed size can end with; the others belong to adaptive methods.
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
    """What the sources of one system and of modes share: parameters, inputs, structs."""

    def __init__(self, model: Any, single: bool) -> None:
        self.model, self.single = model, single
        self.prefix, self.real = model.prefix, f"{model.prefix}_real"  # the source calls it `real`
        self.helpers: set[str] = set()
        self.operations: dict[str, int] = {}
        self.lead = _lead(model)

    def title(self) -> str:
        """Return the name and the method, for comments."""
        return f"{self.model.system.name()} by {self.model.method.name}"

    def _signatures(self) -> dict[str, str]:
        """Return the declarations of the functions by name; each kind of source has its own."""
        raise NotImplementedError

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
        """Return a writer that defines parameters, h and inputs, and the arguments it reads.

        `has_h` says whether h is the last of the parameters; by default it is if it is not known.
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
            if table >= 0:  # an address: operations that read from it use the array's name
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
    """Return the indices in a tree of them, in order."""
    return [int(i) for x in jax.tree.leaves(places) for i in np.ravel(x)]


def _lead(model: Any) -> str:
    """Return what begins the names of local variables, so that none is a name of the file.

    All names of the file begin with the prefix. Local variables are q_x, v_x, u_x, p_m; of a prefix
    `q` these would hide `q_inconsistent`, a result code, and a coordinate `dot` an argument.
    """
    found = "x_" if any(x.identifier == "dot" for x in (*model.q, *model.v)) else ""
    while f"{model.prefix}_".startswith(tuple(f"{found}{x}_" for x in ("q", "v", "u", "p", "pa"))):
        found += "x_"
    return found


def numbers(values: Any, single: bool) -> str:
    """Return numbers as C text, with commas between them."""
    return ", ".join(literal(float(x), single).strip("()") for x in np.ravel(values))


def as_comment(text: str) -> str:
    """Return a text without the marks of C's comments."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def other_label(x: Name) -> str:
    """Return the system's label of a number if it differs from the C identifier, else ""."""
    return "" if x.label == x.identifier else x.label


def trailing(text: str) -> str:
    """Return a comment at the end of a line; "" of no text."""
    return f"  /* {as_comment(text)} */" if text else ""


def enumeration(prefix: str, names: Sequence[Name], what: str) -> list[str]:
    """Return the lines of an enum of indices."""
    if not names:
        return []
    out = [f"/* {what} */", "enum {"]
    for i, x in enumerate(names):
        about = ", ".join(filter(None, (other_label(x), x.unit)))
        comma = "," if i + 1 < len(names) else ""
        out.append(f"    {prefix}_{x.identifier} = {i}{comma}{trailing(about)}")
    return [*out, "};", ""]


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


def entries(places: Any, letter: str) -> dict[int, str]:
    """Return the entries of an array in C, by the indices of the numbers."""
    return {at: f"{letter}[{i}]" for i, at in enumerate(flat(places))}


def point_texts(program: Any) -> dict[int, str]:
    """Return the arguments of a function of (t, q, v) at the node a."""
    t, q, v = program.rest
    return {int(t): "a->t", **entries(q, "a->q"), **entries(v, "a->v")}
