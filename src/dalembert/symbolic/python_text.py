"""Write the terms of the equations as a Python module that needs NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..compile.ir.tape import Branch, Loop, Scalar, Value
from ..export.ctext import ATOM, Writer
from .tapes import Recording

_WEAKEST, _SIGN = -1, 2
_NAMES = {
    "abs": "abs", "floor": "np.floor", "ceil": "np.ceil", "round_even": "np.rint",
    "asin": "np.arcsin", "acos": "np.arccos", "atan": "np.arctan", "atan2": "np.arctan2",
    "asinh": "np.arcsinh", "acosh": "np.arccosh", "atanh": "np.arctanh", "rem": "np.fmod",
    "erf": "math.erf", "erfc": "math.erfc", "lgamma": "math.lgamma", "sign": "np.sign",
    "max": "np.maximum", "min": "np.minimum", "is_finite": "np.isfinite",
    "round_away": "_round",
    **{
        name: f"np.{name}"
        for name in "sqrt sin cos tan sinh cosh tanh exp exp2 expm1 log log1p log2 cbrt "
        "nextafter".split()
    },
}  # fmt: skip
# Functions with XLA's semantics that neither Python nor NumPy has; written only if called.
_HELPERS = {
    "_round": """def _round(x):
    \"\"\"To the nearest whole number, halves away from zero.\"\"\"
    return np.trunc(x + np.copysign(np.nextafter(0.5, 0.0), x))
""",
    "_whole": """def _whole(x, low, high):
    \"\"\"To an integer, towards zero; what does not fit is the nearest that does, NaN is 0.\"\"\"
    return 0 if x != x else low if x <= low else high if x >= high else int(x)
""",
    "_quotient": """def _quotient(a, b):
    \"\"\"Of integers, towards zero.\"\"\"
    return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
""",
    "_remainder": """def _remainder(a, b):
    \"\"\"Of integers, with the sign of a.\"\"\"
    return a if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)
""",
}
_LOGIC = {"and": ("and", "&"), "or": ("or", "|"), "xor": ("!=", "^")}


class PythonWriter(Writer):
    """Writes Python statements instead of C."""

    def __init__(self) -> None:
        super().__init__(False, "")

    def number(self, x: np.generic) -> tuple[str, int]:
        if x.dtype.kind == "b":
            return str(bool(x)), ATOM
        if x.dtype.kind != "f":
            return repr(int(x)), ATOM if int(x) >= 0 else _SIGN
        if not np.isfinite(x):
            return f"np.float64('{float(x)}')", ATOM
        return repr(float(x)), ATOM if float(x) >= 0 else _SIGN

    def expression(self, value: Value) -> tuple[str, int]:
        op, xs = value.op, value.operands
        if op == "pow":
            return f"{self.read(xs[0], ATOM)} ** {self.read(xs[1], ATOM)}", _WEAKEST
        if op in _NAMES and (xs[0].dtype.kind == "f" or op in ("max", "min", "abs", "sign")):
            return f"{_NAMES[op]}({', '.join(self.read(x) for x in xs)})", ATOM
        if op == "select":
            which, no, yes = (self.read(x, ATOM) for x in xs)
            return f"{yes} if {which} else {no}", _WEAKEST
        if op in _LOGIC:
            word = _LOGIC[op][0 if xs[0].dtype.kind == "b" else 1]
            return f"{self.read(xs[0], ATOM)} {word} {self.read(xs[1], ATOM)}", _WEAKEST
        if op == "not":
            return f"{'not ' if xs[0].dtype.kind == 'b' else '~'}{self.read(xs[0], ATOM)}", _WEAKEST
        if op == "convert":
            if xs[0].dtype.kind == "f" and value.dtype.kind in "iu":
                limits = np.iinfo(value.dtype)
                return f"_whole({self.read(xs[0])}, {limits.min}, {limits.max})", ATOM
            kind = {"f": "float", "b": "bool"}.get(value.dtype.kind, "int")
            return f"{kind}({self.read(xs[0])})", ATOM
        if op in ("div", "rem") and xs[0].dtype.kind != "f":
            name = "_quotient" if op == "div" else "_remainder"
            return f"{name}({self.read(xs[0])}, {self.read(xs[1])})", ATOM
        return super().expression(value)

    def value(self, item: Value) -> None:
        text, binds = self.expression(item)
        if item.number in self._inlined and len(text) <= 88:
            self.names[item.number] = text, binds
            return
        name = self.fresh()
        self.say(f"{name} = {text}")
        self.names[item.number] = name, ATOM

    def loop(self, item: Loop, needed: set[int]) -> None:
        carried = [i for i, x in enumerate(item.inputs) if x.number in needed]
        for i in carried:
            name = self.fresh()
            self.say(f"{name} = {self.read(item.start[i])}")
            self.names[item.inputs[i].number] = name, ATOM
        self.say("while True:")
        self.indent += 1
        self.block(item.test, needed)
        self.say(f"if not {self.read(item.goes_on, ATOM)}:")
        self.say("    break")
        self.block(item.body, needed)
        # one tuple assignment, because it reads all values before it writes any
        left = [self.names[item.inputs[i].number][0] for i in carried]
        right = [self.read(item.next[i]) for i in carried]
        self.say(f"{', '.join(left)} = {', '.join(right)}" if left else "pass")
        self.indent -= 1
        for i in carried:
            self.names[item.results[i].number] = self.names[item.inputs[i].number]

    def branch(self, item: Branch, needed: set[int]) -> None:
        wanted = [i for i, x in enumerate(item.results) if x.number in needed]
        for i in wanted:
            self.names[item.results[i].number] = self.fresh(), ATOM
        for is_yes in (True, False):
            self.say(f"if {self.read(item.which)}:" if is_yes else "else:")
            self.indent += 1
            self.block(item.ways[is_yes], needed)
            for i in wanted:
                given = self.read(item.outs[is_yes][i])
                self.say(f"{self.names[item.results[i].number][0]} = {given}")
            self.indent -= 1


def python_text(recording: Recording) -> str:
    """Return a module with `PARAMETERS`, `terms` and `acceleration`."""
    system, r = recording.system, recording.recorded
    at = recording.places
    wanted = {"M": at.metric, "f": at.force, "A": at.rows, "d": at.drift}
    outputs = [r.outputs[int(i)] for x in wanted.values() for i in np.ravel(x)]
    needed = r.tape.needed(outputs)
    w = PythonWriter()
    w.inline(r.tape, needed, outputs)
    for value, text in zip(r.inputs[0], recording.recorder.given):
        if value.number in needed and not text.startswith("p->"):  # a parameter without a name
            w.names[value.number] = text, ATOM
        elif value.number in needed:
            name, _, index = text.removeprefix("p->").rpartition("[")
            name, where = (name, f"[{index}") if name else (text.removeprefix("p->"), "")
            local = w.fresh()
            w.say(f"{local} = p[{name!r}]{where}")
            w.names[value.number] = local, ATOM
    for i, value in enumerate(r.inputs[1]):
        if value.number in needed:
            w.names[value.number] = f"u[{i}]", ATOM
    _named(w, r.inputs[2], needed, system)
    for block in r.tape.levels:
        w.block(block, needed)
    shapes = {k: np.shape(x) for k, x in wanted.items()}

    def array(name: str, places: Any) -> str:
        entries = [w.read(_output(r.outputs, i)) for i in np.ravel(places)]
        text = f"np.array([{', '.join(entries)}], dtype=float)"
        return f"    {name} = {text}" + (
            f".reshape({shapes[name]})" if len(shapes[name]) > 1 else ""
        )

    arrays = [array(name, places) for name, places in wanted.items()]
    parameters = ",\n    ".join(
        f"{x.label!r}: {np.ravel(x.value).tolist() if x.size else float(np.ravel(x.value)[0])!r}"
        for x in recording.recorder.parameters
    )
    body = "\n".join([*w.lines, *arrays])
    helpers = "".join(f"\n\n{text}" for name, text in _HELPERS.items() if f"{name}(" in body)
    labels = f"q = ({_plain(system.coordinate_labels)})"
    inputs = _plain(system.input_labels) if recording.recorder.inputs else "none"
    return f'''"""Equations of motion of {_plain([system.name()])}, made by dalembert.formulas.

    M(q) a = f(t, q, v) + A(q)^T lam,    A a + d = 0,

in {labels}, v = ({_plain(system.velocity_labels)}); inputs: {inputs}.
"""

import math  # noqa: F401

import numpy as np

PARAMETERS = {{
    {parameters}
}}
{helpers}

def terms(t, q, v, u=(0.0,) * {recording.recorder.inputs}, p=PARAMETERS):
    """(M, f, A, d) at a state; q is flat."""
{body}
    return M, f, A, d


def acceleration(t, q, v, u=(0.0,) * {recording.recorder.inputs}, p=PARAMETERS):
    """(a, lam): the acceleration on the constraint, and the multipliers of the reactions."""
    M, f, A, d = terms(t, q, v, u, p)
    free = np.linalg.solve(M, f)
    if not len(A):
        return free, np.zeros(0)
    raised = np.linalg.solve(M, A.T)
    lam = -np.linalg.solve(A @ raised, d + A @ free)
    return free + raised @ lam, lam
'''


def _plain(labels: Sequence[str]) -> str:
    """Return names as text that is safe inside a docstring."""
    return ", ".join(labels).replace("\\", "/").replace('"', "'")


def _output(outputs: list[Scalar], place: Any) -> Scalar:
    return outputs[int(place)]


def _named(w: PythonWriter, values: list[Value], needed: set[int], system: Any) -> None:
    """Name the values t, q and v, with their indices."""
    point = jax.tree.leaves(jax.eval_shape(system.groupoid.base.identity))
    count = sum(int(np.prod(x.shape)) for x in point)
    texts = ["t", *(f"q[{i}]" for i in range(count)), *(f"v[{i}]" for i in range(system.dim))]
    for value, text in zip(values, texts, strict=True):
        if value.number in needed:
            w.names[value.number] = text, ATOM


__all__ = ["python_text"]
