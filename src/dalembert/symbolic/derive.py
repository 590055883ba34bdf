"""Derive, in SymPy, the reduced equations, momenta, connection and curvature."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..errors import UsageError
from .expressions import simplified, sympy


class Symbols(NamedTuple):
    """The SymPy symbols of a system."""

    t: Any
    q: list[Any]
    v: list[Any]
    a: list[Any]  # accelerations
    multipliers: list[Any]
    inputs: list[Any]
    parameters: dict[str, Any]  # by label; entries of arrays as "name[i]"

    def names(self) -> set[str]:
        """Return the names of all symbols; no other symbol may use them."""
        lists = (self.q, self.v, self.a, self.multipliers, self.inputs, self.parameters.values())
        return {self.t.name, *(x.name for found in lists for x in found)}


def kernel(rows: Any, shape: list[int] | None) -> tuple[Any, list[int]]:
    """Return (S, shape): the columns of S span the velocities with A v = 0.

    `shape` lists the velocities that parametrize all others; S is the unit matrix on them, so
    v_shape = w. Without `shape`, each column is cleared of its denominators, as in
    (cos theta, sin theta, 0).
    """
    sp = sympy()
    n = rows.cols
    if not rows.rows:
        return sp.eye(n), list(range(n))
    if shape is not None:
        rest = [i for i in range(n) if i not in shape]
        block = rows.extract(list(range(rows.rows)), rest)
        if block.rows != block.cols:
            raise UsageError(
                f"`shape` must list {n - rows.rows} indices (velocities less constraint rows), so "
                "that the constraints determine the other velocities"
            )
        solved = block.LUsolve(rows.extract(list(range(rows.rows)), shape)).applyfunc(simplified)
        S = sp.zeros(n, len(shape))
        for j, i in enumerate(shape):
            S[i, j] = 1
        for i, row in zip(rest, range(len(rest))):
            for j in range(len(shape)):
                S[i, j] = -solved[row, j]
        return S, shape
    return sp.Matrix.hstack(*null_columns(rows)), []


def vanishes(x: Any) -> bool:
    """Return whether an expression is zero, tested numerically at three points and not proved."""
    sp = sympy()
    x = sp.sympify(x)
    if not x.free_symbols:
        return x == 0 or abs(complex(x.evalf())) < 1e-12
    names = sorted(x.free_symbols, key=str)
    for k in range(3):
        # Values in general position: pseudo-random, but the same in every run.
        at = {s: sp.Float(0.37 + 0.61 * ((7 * i + 11 * k) % 13) / 13) for i, s in enumerate(names)}
        if abs(complex(x.evalf(subs=at))) > 1e-10:
            return False
    return True


def null_columns(rows: Any) -> list[Any]:
    """Return columns that span the kernel of a matrix, without denominators.

    Sines and cosines are temporarily replaced by symbols with s^2 + c^2 = 1, because reducing
    fractions of polynomials is a hundred times faster than simplifying expressions.
    """
    sp = sympy()
    angles = sorted({x.args[0] for x in rows.atoms(sp.sin, sp.cos)}, key=str)
    names = {x: (sp.Dummy("s"), sp.Dummy("c")) for x in angles}
    there = {f(x): names[x][i] for x in angles for i, f in enumerate((sp.sin, sp.cos))}
    back = {y: x for x, y in there.items()}
    circles = [s**2 + c**2 - 1 for s, c in names.values()]

    def reduced(x: Any) -> Any:
        above, below = sp.fraction(sp.cancel(sp.together(x)))
        gens = [y for pair in names.values() for y in pair]
        parts = [
            sp.reduced(part, circles, *gens)[1] if part.has(*gens) else part
            for part in ((above, below) if gens else ())
        ]
        return sp.cancel(parts[0] / parts[1]) if gens else above / below

    def is_zero(x: Any) -> bool:
        return vanishes(sp.sympify(x).xreplace(back))

    result = []
    for column in rows.xreplace(there).nullspace(simplify=reduced, iszerofunc=is_zero):
        column = column.applyfunc(reduced)
        below = sp.Integer(1)
        for x in column:
            below = sp.lcm(below, sp.fraction(x)[1])
        cleared = (column * below).applyfunc(lambda x: reduced(x).xreplace(back))
        result.append(cleared.applyfunc(simplified))
    return result


def along(x: Any, symbols: Symbols, rate: Any) -> Any:
    """Return the time derivative of a function of (t, q) along a motion with q' = `rate`."""
    sp = sympy()
    total = sp.diff(x, symbols.t)
    for name, speed in zip(symbols.q, rate):
        total += sp.diff(x, name) * speed
    return total


def reduced(M: Any, force: Any, S: Any, symbols: Symbols, rate: Any) -> tuple[Any, Any, list[Any]]:
    """Return (G, h, w) of the equations G w' = h for v = S w, with the reactions eliminated."""
    sp = sympy()
    word, taken = "w", symbols.names()
    while any(f"{word}{i + 1}{end}" in taken for i in range(S.cols) for end in ("", "_dot")):
        word += "_"
    w = [sp.Symbol(f"{word}{i + 1}", real=True) for i in range(S.cols)]
    v = S * sp.Matrix(w)
    onto = list(zip(symbols.v, v))
    turning = S.applyfunc(lambda x: along(x, symbols, rate.subs(onto, simultaneous=True)))
    # S^T M S w' = S^T (f - M S' w): S^T eliminates the reactions, because A S = 0.
    inertia = (S.T * M * S).applyfunc(simplified)
    pushed = S.T * (force.subs(onto, simultaneous=True) - M * turning * sp.Matrix(w))
    return inertia, pushed.applyfunc(simplified), w


def connection(rows: Any, shape: list[int]) -> Any:
    """Return the matrix C of the Ehresmann connection: s' + C r' = 0 for the shape r."""
    S, _ = kernel(rows, shape)
    rest = [i for i in range(rows.cols) if i not in shape]
    return -S.extract(rest, list(range(len(shape))))


def curvature(C: Any, q: list[Any], shape: list[int]) -> list[Any]:
    """Return the curvature B^b_{ij}, one matrix for each b.

    Equation (2.6) of Bloch, Krishnaprasad, Marsden and Murray 1996:
    B^b_ij = d_j C^b_i - d_i C^b_j + C^a_i d_a C^b_j - C^a_j d_a C^b_i, with d_a along the
    coordinates that the connection lifts to.
    """
    sp = sympy()
    rest = [i for i in range(len(q)) if i not in shape]
    result = []
    for b in range(C.rows):

        def entry(i: int, j: int, b: int = b) -> Any:
            total = sp.diff(C[b, i], q[shape[j]]) - sp.diff(C[b, j], q[shape[i]])
            for a, place in enumerate(rest):
                total += C[a, i] * sp.diff(C[b, j], q[place]) - C[a, j] * sp.diff(C[b, i], q[place])
            return simplified(total)

        result.append(sp.Matrix(len(shape), len(shape), entry))
    return result


def momenta(
    L: Any, rows: Any, generators: Any, force: Any, symbols: Symbols, rate: Any
) -> list[tuple[Any, Any]]:
    """Return (J, J') for the symmetries along the constraint: the momentum equation.

    The generators are sigma c(q) with A sigma c = 0. Then J = p sigma c and
    J' = p sigma c' + force sigma c, where `force` is the external force.
    """
    sp = sympy()
    p = sp.Matrix([sp.diff(L, x) for x in symbols.v])
    mixed = (rows * generators).applyfunc(simplified)
    result = []
    for c in null_columns(mixed) if rows.rows else generators_of(generators):
        turning = c.applyfunc(lambda x: along(x, symbols, rate))
        J = (p.T * generators * c)[0]
        change = (p.T * generators * turning)[0] + (force.T * generators * c)[0]
        result.append((simplified(J), simplified(change)))
    return result


def generators_of(generators: Any) -> list[Any]:
    """Return unit vectors c: without constraints every generator is along the constraint."""
    sp = sympy()
    return [sp.eye(generators.cols)[:, i] for i in range(generators.cols)]
