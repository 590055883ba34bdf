"""`formulas(system)`: the equations of a system in symbols, each derived on first use."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..errors import Reason, UsageError
from ..groups import Euclidean
from ..system import System
from . import derive
from .derive import Symbols
from .expressions import exact, expressions, matrix, simplified, sympy
from .python_text import python_text
from .tapes import Recording, recording_of


@dataclasses.dataclass(frozen=True)
class Formula:
    """One or several equations, or a matrix; if long, `parts` define symbols that occur in it."""

    name: str
    text: str  # a short description
    value: Any  # SymPy expression, matrix, or list of equations
    names: dict[Any, str]  # LaTeX names of the symbols
    parts: tuple[tuple[Any, Any], ...] = ()

    def sympy(self) -> Any:
        """Return the expression, matrix or list of equations; `parts` are not substituted."""
        return self.value

    def latex(self) -> str:
        """Return the LaTeX code, without a mathematical environment around it."""
        sp = sympy()

        def written(x: Any) -> str:
            return sp.latex(x, symbol_names=self.names, fold_short_frac=False)

        rows = [f"{written(a)} &= {written(b)}" for a, b in self.parts]
        if isinstance(self.value, list):
            rows += [f"{written(x.lhs)} &= {written(x.rhs)}" for x in self.value]
        elif not rows:
            return written(self.value)
        else:
            rows.append(f"& {written(self.value)}")
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def __str__(self) -> str:
        rows = [f"{a} = {b}" for a, b in self.parts]
        if isinstance(self.value, list):
            rows += [f"{x.lhs} = {x.rhs}" for x in self.value]
        else:
            rows.append(str(self.value))
        return "\n".join([f"{self.name}: {self.text}", *(f"    {row}" for row in rows)])


class Formulas:
    """The formulas of a system; made by `formulas`.

    lagrangian, metric, constraint (A v = b), equations (Lagrange-d'Alembert), reduced (the
    reactions eliminated), connection and curvature, momentum (the momentum equation for each known
    symmetry), linearization(q, v). Each is a `Formula`. `symbols` holds the symbols of SymPy.
    """

    def __init__(self, system: System) -> None:
        if not isinstance(system, System):
            raise UsageError(f"formulas needs a System, got {system!r}")
        self.system = system

    # -- what all are made of ------------------------------------------------------------------

    @functools.cached_property
    def _recording(self) -> Recording:
        return recording_of(self.system)

    @property
    def operations(self) -> int:
        """The number of operations in the terms of the equations, before simplification."""
        recorded = self._recording.recorded
        return len(recorded.tape.operations(recorded.needed()))

    @functools.cached_property
    def symbols(self) -> Symbols:
        """The symbols of time, coordinates, velocities, accelerations and parameters."""
        sp, system, recorder = sympy(), self.system, self._recording.recorder
        specs = {f.name: f.metadata.get("dalembert") for f in dataclasses.fields(system)}
        parameters, taken = {}, {"t"}

        def unused(word: str, kind: str) -> str:
            while word in taken:
                word = f"{word}_{kind}"
            taken.add(word)
            return word

        for x in recorder.parameters:
            positive = bool(getattr(specs.get(x.label), "positive", False))
            given = {"positive": True} if positive else {"real": True}
            word = _word(x.label)
            if x.size:
                for i, index in enumerate(np.ndindex(*np.shape(x.value))):
                    which = "".join(str(k + 1) for k in index)
                    name = unused(f"{word}_{which}", "p")
                    parameters[f"{x.label}[{i}]"] = sp.Symbol(name, **given)
            else:
                parameters[x.label] = sp.Symbol(unused(word, "p"), **given)

        def made(labels: Sequence[str], kind: str) -> list[Any]:
            return [sp.Symbol(unused(_word(label), kind), real=True) for label in labels]

        point = jax.tree.leaves(jax.eval_shape(system.groupoid.base.identity))
        count = sum(int(np.prod(x.shape)) for x in point)
        labels = system.coordinate_labels
        q = made(labels if len(labels) == count else [f"q{i}" for i in range(count)], "q")
        v = made(system.velocity_labels, "v")
        a = made([_rate(x) for x in system.velocity_labels], "a")
        rows = self._recording.places.rows.shape[0]
        lam = made(["lambda"] if rows == 1 else [f"lambda_{i + 1}" for i in range(rows)], "c")
        u = made(system.input_labels if recorder.inputs else (), "u")
        return Symbols(sp.Symbol("t", real=True), q, v, a, lam, u, parameters)

    @functools.cached_property
    def _names(self) -> dict[Any, str]:
        """The LaTeX names of symbols, with dots for rates."""
        s, result = self.symbols, {}
        for x in (*s.q, *s.v, *s.a, *s.inputs, *s.parameters.values()):
            result[x] = _latex_name(x.name)
        return result

    def _written(self, recorded: Any, wanted: Any) -> tuple[tuple[Any, ...], list[Any]]:
        """Return (parts, expressions) of outputs `wanted` of a tape, in the system's symbols."""
        s, recorder = self.symbols, self._recording.recorder
        names: dict[int, Any] = {}
        for value, text in zip(recorded.inputs[0], recorder.given):
            if text.startswith("p->"):
                names[value.number] = s.parameters[text.removeprefix("p->")]
            else:  # a parameter without a name, such as the radius of a shape
                names[value.number] = exact(float(text.strip("()") or 0.0))
        for value, x in zip(recorded.inputs[1], s.inputs):
            names[value.number] = x
        for value, x in zip(recorded.inputs[2], [s.t, *s.q, *s.v], strict=True):
            names[value.number] = x
        outputs = [recorded.outputs[int(i)] for i in np.ravel(wanted)]
        taken = s.names()
        parts, found = expressions(recorded.tape, outputs, names, self.system.name(), taken)
        if not parts:
            found = [simplified(x) for x in found]
        return tuple(parts), found

    def _term(self, name: str) -> tuple[tuple[Any, ...], Any]:
        if name not in self._terms_found:
            at = getattr(self._recording.places, name)
            parts, found = self._written(self._recording.recorded, at)
            shape = np.shape(at)
            self._terms_found[name] = parts, matrix(found, shape) if shape else found[0]
        return self._terms_found[name]

    @functools.cached_property
    def _terms_found(self) -> dict[str, Any]:
        return {}

    def _small(self, name: str) -> Any:
        """Return a term without parts; raise if it is too long to derive anything from it."""
        parts, value = self._term(name)
        if parts:
            raise UsageError(
                f"its {name} is too large to be handled in symbols "
                f"({len(parts)} parts); python() has the code",
                about=self.system.name(),
            )
        return value

    def _formula(self, name: str, text: str, value: Any, parts: Any = ()) -> Formula:
        return Formula(name, text, value, self._names, tuple(parts))

    # -- formulas ------------------------------------------------------------------------------

    @property
    def lagrangian(self) -> Formula:
        """The Lagrangian L(q, v)."""
        parts, value = self._term("lagrangian")
        return self._formula("lagrangian", "L", value, parts)

    @property
    def metric(self) -> Formula:
        """The mass matrix M = d^2 L/dv^2."""
        parts, value = self._term("metric")
        return self._formula("metric", "M = d^2 L/dv^2", value, parts)

    @property
    def constraint(self) -> Formula:
        """The constraint A v = b, holonomic rows first."""
        if self.system.is_nonlinear:
            raise UsageError(
                f"{self.system.name()}: its constraint is not linear in v: it is its "
                "velocity_constraint(t, q, v) = 0; `equations` has the rows that react"
            )
        sp = sympy()
        parts, rows = self._term("rows")
        more, b = self._term("offset")
        left = rows * sp.Matrix(self.symbols.v) if rows.rows else rows
        equations = [_equation(left[i], b[i]) for i in range(rows.rows)]
        return self._formula("constraint", "A(q) v = b", equations, (*parts, *more))

    @property
    def equations(self) -> Formula:
        """The Lagrange-d'Alembert equations M a = f + A^T lam, one for each velocity."""
        sp = sympy()
        parts: tuple[Any, ...] = ()
        result = {}
        for name in ("metric", "force", "rows"):
            more, result[name] = self._term(name)
            # The parts of each term are numbered from 0, so the term's letter is put in front.
            renamed = {a: sp.Symbol(f"{name[0]}{a.name}", real=True) for a, _ in more}
            parts += tuple((renamed[a], b.xreplace(renamed)) for a, b in more)
            result[name] = result[name].xreplace(renamed)
        left = result["metric"] * sp.Matrix(self.symbols.a)
        right = result["force"]
        if result["rows"].rows:
            right = right + result["rows"].T * sp.Matrix(self.symbols.multipliers)
        equations = [_equation(left[i], right[i]) for i in range(left.rows)]
        return self._formula("equations", "M a = f + A^T lambda", equations, parts)

    @functools.cached_property
    def basis(self) -> tuple[Any, list[int]]:
        """(S, shape): v = S w solves A v = 0; if a shape r is known, w = r'."""
        if any(x != 0 for x in self._small("offset")):
            raise UsageError(f"{self.system.name()}: its constraint is affine, A v = b")
        split = self.system.chaplygin_split
        flat = isinstance(self.system.groupoid.base, Euclidean)
        shape = list(split[0]) if split is not None and flat else None
        return derive.kernel(self._small("rows"), shape)

    @property
    def reduced(self) -> Formula:
        """The equations without reactions, G w' = h for v = S w; of a Chaplygin system, w = r'."""
        sp = sympy()
        S, shape = self.basis
        G, h, w = derive.reduced(
            self._small("metric"), self._small("force"), S, self.symbols, self._small("rate")
        )
        rates = [sp.Symbol(f"{x.name}_dot", real=True) for x in w]
        if shape:  # w are then velocities that already have names
            renamed = dict(zip(w, (self.symbols.v[i] for i in shape)))
            h = h.xreplace(renamed)
            rates = [self.symbols.a[i] for i in shape]
        left = G * sp.Matrix(rates)
        equations = [_equation(left[i], h[i]) for i in range(len(rates))]
        names = {**self._names, **{x: _latex_name(x.name) for x in (*w, *rates)}}
        parts = []
        if not shape:
            speeds = S * sp.Matrix(w)
            parts = [(x, y) for x, y in zip(self.symbols.v, speeds)]
        return Formula("reduced", "G w' = h with v = S w", equations, names, tuple(parts))

    @property
    def connection(self) -> Formula:
        """C of the Ehresmann connection s' + C r' = 0 over the shape r of a Chaplygin system."""
        C = derive.connection(self._small("rows"), self._shape())
        return self._formula("connection", "s' + C r' = 0", C)

    @property
    def curvature(self) -> Formula:
        """The curvature B^b_ij of the connection, one matrix for each lifted direction b."""
        sp, shape = sympy(), self._shape()
        C = derive.connection(self._small("rows"), shape)
        result = derive.curvature(C, self.symbols.q, shape)
        rest = [i for i in range(len(self.symbols.q)) if i not in shape]
        equations = []
        for b, B in zip(rest, result):
            for i in range(B.rows):
                for j in range(i + 1, B.cols):
                    names = (self.symbols.q[k].name for k in (b, shape[i], shape[j]))
                    word = "B__{}_{}{}".format(*names)
                    equations.append(_equation(sp.Symbol(word, real=True), B[i, j]))
        return self._formula("curvature", "B^b_ij of the connection", equations)

    def _shape(self) -> list[int]:
        _, shape = self.basis
        if not shape or len(shape) == len(self.symbols.q):
            raise UsageError(
                "it has no known split into shape and group (chaplygin_split on R^n)",
                about=self.system.name(),
            )
        return shape

    @property
    def momentum(self) -> Formula:
        """The momentum equation J' = ... of every declared symmetry along the constraint."""
        sp, system = sympy(), self.system
        if not system.symmetry_generators:
            raise UsageError(f"{system.name()} names no symmetries (symmetry_generators)")
        equations, parts = [], []
        for label in system.symmetry_generators:

            def columns(made: Any, t: Any, q: Any, v: Any, u: Any, label: str = label) -> Any:
                return made.symmetry_generators[label](q)

            recorded, at = self._recording.recorder.record(columns)
            more, values = self._written(recorded, at)
            if more:
                raise UsageError(
                    f"{system.name()}: the expressions of its symmetry '{label}' are too long to "
                    "be written as formulas"
                )
            result = derive.momenta(
                self._small("lagrangian"), self._small("rows"), matrix(values, np.shape(at)),
                self._small("outside"), self.symbols, self._small("rate"),
            )  # fmt: skip
            for i, (J, change) in enumerate(result):
                word = f"J_{_word(label)}" + (f"{i + 1}" if len(result) > 1 else "")
                while {word, f"{word}_dot"} & self.symbols.names():
                    word += "_"
                parts.append((sp.Symbol(word, real=True), J))
                equations.append(_equation(sp.Symbol(f"{word}_dot", real=True), change))
        if not equations:
            raise UsageError(f"{system.name()}: none of its symmetries is along the constraint")
        names = {**self._names}
        for x in (*(a for a, _ in parts), *(e.lhs for e in equations)):
            names[x] = _latex_name(x.name)
        return Formula("momentum", "the momentum equation", equations, names, tuple(parts))

    def linearization(self, q: Any = None, v: Any = None) -> Formula:
        """Return the matrix of the linearized equations for (q, w) at a steady motion, v = S w.

        q and v may hold numbers or symbols; the default is `initial()` at rest. Raises if w' is
        not zero there, because the motion is then not steady.
        """
        sp, s = sympy(), self.symbols
        S, _ = self.basis
        G, h, w = derive.reduced(
            self._small("metric"), self._small("force"), S, s, self._small("rate")
        )
        if q is None:
            start = self.system.initial()[0]
            q = np.concatenate([np.ravel(x) for x in jax.tree.leaves(start)]).tolist()
        v = [0] * len(s.v) if v is None else list(v)
        point = dict(zip(s.q, map(sp.sympify, q), strict=True))
        point |= dict.fromkeys(s.inputs, 0)
        speeds = sp.solve(list(S.subs(point) * sp.Matrix(w) - sp.Matrix(v)), w, dict=True)
        if not speeds:
            raise UsageError(f"{self.system.name()}: this velocity is not on the constraint")
        at = {**point, **speeds[0]}
        if any(simplified(x.subs(at)) != 0 for x in h):
            raise UsageError(f"{self.system.name()}: no steady motion there: w' does not vanish")
        rate = self._small("rate").subs(dict(zip(s.v, S * sp.Matrix(w))), simultaneous=True)
        unknowns = [*s.q, *w]
        upper = rate.jacobian(unknowns).subs(at)
        lower = G.subs(at).LUsolve(h.jacobian(unknowns).subs(at))
        value = sp.Matrix.vstack(upper, lower).applyfunc(simplified)
        return self._formula("linearization", "(q, w)' = A (q, w) at a steady motion", value)

    # -- all at once ---------------------------------------------------------------------------

    def _all(self) -> dict[str, Formula | Reason]:
        """Return every formula by name, or the reason why it is not available."""
        result: dict[str, Formula | Reason] = {}
        kinds = ("lagrangian", "metric", "constraint", "equations", "reduced", "connection",
                 "curvature", "momentum")  # fmt: skip
        for name in kinds:
            if name == "constraint" and not self._recording.places.rows.shape[0]:
                continue
            try:
                result[name] = getattr(self, name)
            except UsageError as error:
                result[name] = Reason(error.reason or str(error))
        return result

    def sympy(self) -> dict[str, Any]:
        """Return all available formulas by name."""
        return {k: x.sympy() for k, x in self._all().items() if isinstance(x, Formula)}

    def latex(self) -> str:
        """Return all available formulas as displayed equations, each with a comment."""
        lines = []
        for name, x in self._all().items():
            if isinstance(x, Formula):
                lines.append(f"% {name}: {x.text}\n\\[\n{x.latex()}\n\\]")
        return "\n".join(lines) + "\n"

    def python(self) -> str:
        """Return a Python module with the terms and the acceleration, which needs NumPy only."""
        return python_text(self._recording)

    def __str__(self) -> str:
        lines = [f"formulas of {self.system.name()}"]
        for name, x in self._all().items():
            lines.append(str(x) if isinstance(x, Formula) else f"{name}: none, {x}")
        return "\n".join(lines)


def formulas(system: System) -> Formulas:
    """Return the equations of a system in symbols: `.sympy()`, `.latex()`, `.python()`.

        found = da.formulas(da.systems.ChaplyginSleigh())
        found.reduced.sympy()        # J' and so on, as equations of SymPy
        print(found.latex())

    The formulas come from the same derivatives that a run evaluates. Small expressions are
    simplified; large ones are split into named parts. An error names a function that has no
    symbolic rule; `python()` works for every system that has native code.
    """
    return Formulas(system)


# -- names -----------------------------------------------------------------------------------------


def _word(label: str) -> str:
    return "".join(x if x.isalnum() else "_" for x in label).strip("_") or "x"


def _rate(label: str) -> str:
    """Return the name of the rate of a velocity: theta_ddot for theta_dot."""
    return f"{label[:-4]}_ddot" if label.endswith("_dot") else f"{label}_dot"


def _latex_name(name: str) -> str:
    sp = sympy()
    for end, dots in (("_ddot", "\\ddot"), ("_dot", "\\dot")):
        if name.endswith(end) and len(name) > len(end):
            return f"{dots}{{{sp.latex(sp.Symbol(name[: -len(end)]))}}}"
    return sp.latex(sp.Symbol(name))


def _equation(left: Any, right: Any) -> Any:
    return sympy().Eq(simplified(left), simplified(right), evaluate=False)
