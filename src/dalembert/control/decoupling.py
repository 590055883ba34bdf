"""Decoupling fields: fields along which a system can be driven at any pace (8.6.2 [C02]).

V is decoupling if V and <V : V> lie in the span I of the inputs (Lemma 8.6.5). With V = c_i Y_i
this is a pointwise condition on c, because derivatives of c add only elements of I. The
decoupling fields are the null vectors of the quadratic form c -> <V : V> mod I, with values in D/I.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..errors import UsageError
from ..geometry.distribution.connection import Connection
from ..system import Point, System
from .closures import Closure, involutive_closure, span
from .germs import ControlGerm, Germ, check_connection, check_inputs
from .hypotheses import Verdict, check_hypotheses

_NULL = 1e-9
_SAME = 1e-8  # largest difference of weights at neighboring points at which they count as constant


class Decoupling(NamedTuple):
    """The decoupling fields at a point, and the closure of their brackets."""

    weights: np.ndarray  # rows: c of V = c_i Y_i at the point, of unit length in the metric
    kind: str  # "none", "isolated", "family" (`weights` are samples of it), "all"
    constant: bool  # whether the weights are the same at neighboring points
    forms: np.ndarray  # S[k, i, j]: <Y_i : Y_j> mod I, in an orthonormal basis of D/I
    closure: Closure  # closure of the decoupling fields under brackets
    # kinematic controllability (Lemma 8.6.6), at this point and at samples near it
    controllable: Verdict


def decoupling_fields(
    system: System, q: Point = None, *, degree: int = 4, connection: Connection | None = None
) -> Decoupling:
    """Find all decoupling fields at q (default: initial point), and test kinematic controllability.

    If they form a family (more inputs than conditions), samples of it are returned. Weights that
    change with q are continued along their smooth branch. Isotropic damping is allowed. Raises a
    `UsageError` for systems that the theory does not cover. `connection(system, q)` is the affine
    connection in (8.1), as for `controllability`.
    """
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    applies, _ = check_hypotheses(system, q, connection=connection)
    if applies.answer == "does not apply":
        raise UsageError(f"{system.name()}: decoupling fields: {applies}")
    germ = ControlGerm(system, q, degree + 1, connection)
    check_inputs(system, germ)
    if connection is not None:
        check_connection(system, germ)
    forms = quotient_forms(germ)
    weights, kind = null_vectors(forms, len(germ.inputs))
    weights = np.array([c / _length(germ, c) for c in weights]).reshape(-1, len(germ.inputs))
    constant = kind in ("none", "all") or _constant(system, q, weights, connection)
    closure, smooth = _closed(germ, weights, constant)
    if not smooth:
        verdict = Verdict(
            "inconclusive",
            "two decoupling fields meet at this point: there is no smooth branch to follow",
        )
    else:
        verdict = _judged(system, q, weights, constant, closure, degree, connection)
    return Decoupling(weights, kind, constant, forms, closure, verdict)


def _closed(germ: ControlGerm, weights: np.ndarray, constant: bool) -> tuple[Closure, bool]:
    """Return the span of brackets of the fields with these weights, and if all are smooth."""
    fields = [germ.combined(c) if constant else continued(germ, c) for c in weights]
    selected = [X for X in fields if X is not None]
    return span(germ, involutive_closure(germ, selected)), len(selected) == len(fields)


def continued(germ: ControlGerm, c: np.ndarray) -> Germ | None:
    """Return the decoupling field near the point whose weights there are c, or None.

    c(w) solves S(w)[k] c c = 0 and c . c(0) = |c(0)|^2 as a polynomial in w. Each Newton step, with
    the derivative at w = 0, makes one more degree exact.
    """
    ring, m = germ.ring, len(germ.inputs)
    S = _quotient_jets(germ)
    rows = np.array([2.0 * x[..., 0] @ c for x in S] + [c])
    back = np.linalg.pinv(rows, rcond=1e-7)
    size = max(float(np.max(np.abs(S), initial=0.0)), 1e-300)
    weights = ring.constant(c)

    def gaps(now: np.ndarray) -> np.ndarray:
        left = [sum(ring.multiply(now[i], ring.matmul(x, now)[i]) for i in range(m)) for x in S]
        held = np.tensordot(c, now, axes=1) - ring.constant(np.asarray(c @ c))
        return np.stack([*left, held])

    for _ in range(germ.order + 1):
        weights = weights - np.tensordot(back, gaps(weights), axes=1)
    known = ring.known(1)
    weights = np.where(known, weights, 0.0)
    if np.max(np.abs(np.where(known, gaps(weights), 0.0))) > _SAME * max(size * (c @ c), 1.0):
        return None
    terms = [ring.multiply(weights[i], X.coefficients) for i, X in enumerate(germ.inputs)]
    return Germ(np.where(known, np.sum(terms, axis=0), 0.0), 1)


def _quotient_jets(germ: ControlGerm) -> np.ndarray:
    """Return S[k, i, j] as polynomials: <Y_i : Y_j> along constant vectors that complement I."""
    ring, m = germ.ring, len(germ.inputs)
    beside = np.linalg.solve(np.linalg.cholesky(germ.G[..., 0]).T, _free_directions(germ).T)
    normals = ring.matmul(germ.inverse_metric, np.swapaxes(germ.A, 0, 1))
    columns = [X.coefficients for X in germ.inputs]
    columns += [ring.constant(x) for x in beside.T]
    columns += [normals[:, i] for i in range(normals.shape[1])]
    split = ring.inverse(np.stack(columns, axis=1))[m : m + beside.shape[1]]
    S = np.zeros((beside.shape[1], m, m, ring.size))
    for i, j in itertools.combinations_with_replacement(range(m), 2):
        product = germ.symmetric(germ.inputs[i], germ.inputs[j]).coefficients
        S[:, i, j] = S[:, j, i] = ring.matmul(split, product)
    return np.where(ring.known(1), S, 0.0)


def quotient_forms(germ: ControlGerm) -> np.ndarray:
    """Return S[k, i, j], <Y_i : Y_j> in an orthonormal basis of D modulo the inputs."""
    m, lower = len(germ.inputs), np.linalg.cholesky(germ.G[..., 0])
    free = _free_directions(germ)
    S = np.zeros((len(free), m, m))
    for i, j in itertools.combinations_with_replacement(range(m), 2):
        value = lower.T @ germ.symmetric(germ.inputs[i], germ.inputs[j]).value
        part = free @ value
        part[np.abs(part) <= _NULL * np.linalg.norm(value)] = 0.0
        S[:, i, j] = S[:, j, i] = part
    return S


def _free_directions(germ: ControlGerm) -> np.ndarray:
    """Return an orthonormal basis of D modulo the inputs, as rows in an orthonormal frame."""
    lower = np.linalg.cholesky(germ.G[..., 0])
    taken = np.column_stack(
        [*(lower.T @ X.value for X in germ.inputs), np.linalg.solve(lower, germ.A[..., 0].T)]
    )
    return np.linalg.svd(taken.T)[2][taken.shape[1] :]


def null_vectors(forms: np.ndarray, m: int) -> tuple[np.ndarray, str]:
    """Return the common null directions of quadratic forms S[k] in m variables, and their kind.

    For two variables these are roots of one form. For more, Newton's method is applied from many
    starts; if the derivative has a kernel besides the scaling of c, the kind is "family".
    """
    size = np.max(np.abs(forms), initial=0.0)
    if size == 0.0:
        return np.eye(m), "all"
    S = forms / size
    if m == 1:
        return np.zeros((0, 1)), "none"
    result = _two_variables(S) if m == 2 else _many_variables(S, m)
    if not result:
        return np.zeros((0, m)), "none"
    rows = np.array(result)
    slack = [m - 1 - _rank(np.array([2 * x @ c for x in S])) for c in rows]
    kind = "family" if m > 2 and max(slack) > 0 else "isolated"
    return rows, kind


def _two_variables(S: np.ndarray) -> list[np.ndarray]:
    first = S[np.argmax(np.max(np.abs(S), axis=(1, 2)))]
    a, b, d = first[0, 0], first[0, 1], first[1, 1]
    gap = b * b - a * d
    if gap < -_NULL:
        return []
    root = np.sqrt(max(gap, 0.0))
    if abs(d) >= abs(a):  # c = (1, x): a + 2 b x + d x^2 = 0
        candidates = [(d, -b + root), (d, -b - root)] if d else [(1.0, 0.0), (0.0, 1.0)]
    else:
        candidates = [(-b + root, a), (-b - root, a)]
    result: list[np.ndarray] = []
    for c in candidates:
        c = _unit(np.array(c))
        if all(abs(c @ x @ c) <= np.sqrt(_NULL) * 1e-2 for x in S):
            if not any(abs(abs(c @ x) - 1) < _SAME for x in result):
                result.append(c)
    return result


def _many_variables(S: np.ndarray, m: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    starts = [*np.eye(m), *rng.normal(size=(40 * m, m))]
    result: list[np.ndarray] = []
    for c in map(_unit, starts):
        for _ in range(60):
            F = np.array([c @ x @ c for x in S] + [0.5 * (c @ c - 1.0)])
            J = np.array([2 * x @ c for x in S] + [c])
            step = np.linalg.lstsq(J, F, rcond=1e-10)[0]
            c = c - step
            if np.linalg.norm(step) < 1e-15:
                break
        if np.max(np.abs([c @ x @ c for x in S])) < 1e-12 and abs(c @ c - 1) < 1e-9:
            if not any(abs(abs(c @ x) - 1) < 1e-6 for x in result):
                result.append(_unit(c))
        if len(result) >= 4 * m:
            break
    return result


def _unit(c: np.ndarray) -> np.ndarray:
    c = c / np.linalg.norm(c)
    c = np.where(np.abs(c) < 1e-14, 0.0, c)
    return c * np.sign(c[np.argmax(np.abs(c))])


def _rank(A: np.ndarray) -> int:
    values = np.linalg.svd(A, compute_uv=False)
    return int(np.sum(values > 1e-8 * max(values[0], 1e-300)))


def _length(germ: ControlGerm, c: np.ndarray) -> float:
    V = sum(x * X.value for x, X in zip(c, germ.inputs))
    return float(np.sqrt(V @ germ.G[..., 0] @ V))


def _neighbors(system: System, q: Point) -> list[Point]:
    shifts = 0.2 * np.random.default_rng(7).normal(size=(3, system.dim))
    return [groupoids.move(system.groupoid, q, jnp.asarray(w)) for w in shifts]


def _constant(system: System, q: Point, weights: np.ndarray, connection: Connection | None) -> bool:
    for x in _neighbors(system, q):
        S = quotient_forms(ControlGerm(system, x, 1, connection))
        size = np.max(np.abs(S), initial=1e-300)
        if any(abs(c @ s @ c) > _SAME * size * (c @ c) for c in weights for s in S):
            return False
    return True


def _judged(
    system: System,
    q: Point,
    weights: np.ndarray,
    constant: bool,
    here: Closure,
    degree: int,
    connection: Connection | None,
) -> Verdict:
    n = system.dim
    if not len(weights):
        return Verdict("no", "there is no decoupling field at this point")
    ranks = [here.rank]
    for x in _neighbors(system, q):
        germ = ControlGerm(system, x, degree + 1, connection)
        if not constant:
            weights, _ = null_vectors(quotient_forms(germ), len(germ.inputs))
        ranks.append(_closed(germ, weights, constant)[0].rank)
    if min(ranks) == n:
        return Verdict("yes", f"brackets of decoupling fields span T_qQ (Lemma 8.6.6): {here}")
    return Verdict(
        "inconclusive",
        f"brackets of the decoupling fields to degree {degree} have ranks {ranks} of {n} at this "
        "point and near it; Lemma 8.6.6 is sufficient, not necessary",
    )


__all__ = ["Decoupling", "continued", "decoupling_fields", "null_vectors", "quotient_forms"]
