"""Report on the control of a system: each verdict with the numbers that decide it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from ..errors import UsageError
from ..geometry import Analysis, Finding
from ..system import Point, System, overrides
from .controllability import Controllability, controllability
from .decoupling import decoupling_fields
from .linear import linearize


def overview(system: System, q: Point = None, *, degree: int = 4) -> Analysis:
    """Report controllability from rest at q, decoupling fields, and the linearization there.

    q defaults to the initial point. Products and brackets are computed up to `degree`.
    """
    if q is None and not overrides(system, "initial"):
        raise UsageError(
            f"{system.name()} has no default initial data: give a point, overview(system, q) or "
            "--q0"
        )
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    verdicts = controllability(system, q, degree=degree)
    parts = [_inputs(system, verdicts), _verdicts(verdicts)]
    if verdicts.second is not None:
        parts += [_tests(verdicts), _decoupling(system, q, degree)]
    elif verdicts.hypotheses:
        parts.append(_drift(verdicts))
    if system.has_inputs:
        parts.append(_linear(system, q))
    return Analysis(system.name(), tuple(itertools.chain(*parts)))


def _inputs(system: System, found: Controllability) -> Iterator[Finding]:
    names = ", ".join(system.input_labels) or "none"
    freedom = f", {found.freedom} velocities free" if found.freedom else ""
    yield Finding("system", "inputs", str(found.inputs), f"{names}; dim Q = {found.dim}{freedom}")
    yield Finding("system", "hypotheses of chapter 8", *_split(found.hypotheses))
    if found.damping:
        yield Finding("system", "isotropic damping", f"k_d = {found.damping:.6g}", "(8.21)")


def _verdicts(found: Controllability) -> Iterator[Finding]:
    names = {
        "lca": "configuration accessible (LCA)",
        "la": "accessible (LA)",
        "stlcc": "configuration controllable (STLCC)",
        "stlc": "controllable (STLC)",
    }
    for key, name in names.items():
        yield Finding("from rest", name, *_split(getattr(found, key)))


def _tests(found: Controllability) -> Iterator[Finding]:
    for name, closure in (("Sym(Y)", found.sym), ("Lie(Sym(Y))", found.lie)):
        text = f"to degree {found.degree}: singular values {_numbers(closure.values)}"
        yield Finding("products", name, f"rank {closure.rank}", text)
    test = found.good_bad
    if test is not None:
        verdict = "passed" if test.passed else "not passed"
        text = "complete" if test.test_complete else f"to degree {test.degree}"
        if test.obstruction is not None:
            bad = test.obstruction
            text = f"bad product {bad.counts} of degree {bad.degree}, outside {bad.outside:.2e}"
        yield Finding("products", "good and bad (Theorem 8.2.2)", verdict, text)
    second = found.second
    if second is not None and second.S.size:
        text = (
            f"largest entries of S {np.max(np.abs(second.S)):.4g}, of omega "
            f"{np.max(np.abs(second.omega)):.4g}"
        )
        decided = second.stlcc is not None or second.stlc is not None
        yield Finding("products", "second order", "decides" if decided else "open", text)
    form = found.form
    if form is not None:
        text = f"eigenvalues {_numbers(np.linalg.eigvalsh(form.S))}"
        if form.A is not None:
            text += f"; A = {_matrix(form.A)}, det A = {np.linalg.det(form.A):.4g}"
        if form.basis is not None:
            text += f"; null inputs {_matrix(form.basis)}"
        yield Finding("products", "quadratic form S (8.4)", form.kind, text)


def _drift(found: Controllability) -> Iterator[Finding]:
    """Report the span on TQ of brackets of drift and inputs, for a force at rest."""
    for name, closure, whole in (
        ("brackets along Q", found.lie, found.dim),
        ("brackets that leave q in place", found.sym, found.freedom),
    ):
        yield Finding("products", name, f"rank {closure.rank} of {whole}", f"to {found.degree}")


def _decoupling(system: System, q: Point, degree: int) -> Iterator[Finding]:
    decoupling = decoupling_fields(system, q, degree=degree)
    verdict = (
        decoupling.kind
        if decoupling.kind in ("none", "all")
        else f"{len(decoupling.weights)}, {decoupling.kind}"
    )
    text = "no combination of the inputs"
    if len(decoupling.weights):
        where = "the same weights nearby" if decoupling.constant else "weights change with q"
        text = f"weights {_matrix(decoupling.weights)}; {where}"
    yield Finding("kinematic", "decoupling fields", verdict, text)
    yield Finding("kinematic", "kinematically controllable", *_split(decoupling.controllable))


def _linear(system: System, q: Point) -> Iterator[Finding]:
    try:
        linear = linearize(system, q)
    except UsageError as error:
        yield Finding("linear", "at rest", "does not apply", error.reason)
        return
    if not linear.equilibrium:
        size = float(np.max(np.abs(linear.rate)))
        yield Finding("linear", "equilibrium", "no", f"x' = {size:.2e} at rest without controls")
        return
    fastest = linear.eigenvalues[0]
    yield Finding("linear", "equilibrium", "yes", f"largest real part {fastest.real:.4g} 1/s")
    reach, whole = linear.controllable.shape[1], len(linear.A)
    text = f"rank {reach} of {whole} of [B, AB, A^2 B, ...]"
    yield Finding("linear", "controllable", "yes" if reach == whole else "no", text)


def _split(verdict: tuple[str, str]) -> tuple[str, str]:
    return verdict[0], verdict[1]


def _numbers(values: object) -> str:
    return ", ".join(f"{x:.4g}" for x in np.asarray(values, dtype=float).ravel())


def _matrix(rows: np.ndarray) -> str:
    return "[" + "; ".join(_numbers(row + 0.0) for row in rows) + "]"


__all__ = ["overview"]
