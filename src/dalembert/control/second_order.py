"""Controllability from rest at second order in the controls: symmetric products and brackets.

In coordinates (y, x) with Y_i = d/dy_i at q0, and controls that bring y back to 0 at the time T,

    x_eta(T) = (1/2) int omega_eta(y, y') dt - (1/2) int (T - t) S_eta(y', y') dt + higher order,

    S_eta(i, j) = eta(<Y_i : Y_j>),    omega_eta(i, j) = eta([Y_i, Y_j]),

for every covector eta that annihilates the inputs at q0. Both terms have the order u^2 T^4. The
proofs of what follows are on the page "Controllability, series and planning":

  A  S_eta definite and omega_eta = 0 for some eta: not STLCC (bounded controls).
  B  inputs that span a hyperplane of T_qQ, omega != 0: STLCC, whatever S is.
  C  S_eta definite for some eta on D: not STLC, whatever omega is.

A and B replace "only if" in Theorem 8.4.2 [C02], which ignores omega (E30).
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from ..linalg import RANK_TOLERANCE
from .closures import DEPENDENT
from .germs import ControlGerm
from .hypotheses import Verdict

_DEFINITE = 1e-6  # least eigenvalue of a definite form, relative to its largest entry


class SecondOrder(NamedTuple):
    """S and omega on T_qQ modulo the inputs, in an orthonormal basis: the first rows are in D."""

    S: np.ndarray  # (k, m, m), symmetric
    omega: np.ndarray  # (k, m, m), skew
    inside: int  # number of the k directions that lie in D
    stlcc: Verdict | None  # None: not decided at this order
    stlc: Verdict | None


def second_order(germ: ControlGerm) -> SecondOrder:
    """Return both forms at the point, and the verdicts they imply."""
    m, lower = len(germ.inputs), np.linalg.cholesky(germ.G[..., 0])
    taken = np.column_stack([lower.T @ X.value for X in germ.inputs])
    normals = np.linalg.solve(lower, germ.A[..., 0].T)
    within = np.linalg.svd(np.column_stack([taken, normals]).T)[2][m + normals.shape[1] :]
    across = np.linalg.qr(normals)[0].T
    beside = np.concatenate([within, across])
    S, omega = np.zeros((2, len(beside), m, m))
    for i, j in itertools.combinations_with_replacement(range(m), 2):
        X, Y = germ.inputs[i], germ.inputs[j]
        S[:, i, j] = S[:, j, i] = _part(beside, lower.T @ germ.symmetric(X, Y).value)
        if i < j:
            omega[:, i, j] = _part(beside, lower.T @ germ.bracket(X, Y).value)
            omega[:, j, i] = -omega[:, i, j]
    inside = len(within)
    return SecondOrder(S, omega, inside, _stlcc(S, omega), _stlc(S[:inside]))


def _part(beside: np.ndarray, value: np.ndarray) -> np.ndarray:
    part = beside @ value
    part[np.abs(part) <= DEPENDENT * np.linalg.norm(value)] = 0.0
    return part


def _stlcc(S: np.ndarray, omega: np.ndarray) -> Verdict | None:
    if not len(S):
        return None
    if len(S) == 1 and np.any(omega):
        return Verdict(
            "yes",
            "the inputs span a hyperplane and [Y_i, Y_j] leaves it: omega is not 0 (statement B "
            f"in place of Theorem 8.4.2, E30); largest entry {np.max(np.abs(omega)):.4g}",
        )
    flat = omega.reshape(len(omega), -1)
    values, rows = np.linalg.svd(flat.T)[1:]
    rank = int(np.sum(values > RANK_TOLERANCE * max(np.max(values, initial=0.0), 1e-300)))
    definite = definite_member(np.tensordot(rows[rank:], S, axes=1))
    if definite is None:
        return None
    return Verdict(
        "no",
        "one direction is moved by <Y_i : Y_j> with one sign only, S is definite, and by no "
        "bracket, omega = 0: the inputs are involutive in it (statement A in place of Theorem "
        f"8.4.2, E30; bounded controls); eigenvalues {_numbers(np.linalg.eigvalsh(definite))}",
    )


def _stlc(S: np.ndarray) -> Verdict | None:
    definite = definite_member(S)
    if definite is None:
        return None
    return Verdict(
        "no",
        "S is definite along one direction of D: back at rest, the velocity along it has one sign "
        f"(statement C); eigenvalues {_numbers(np.linalg.eigvalsh(definite))}",
    )


def definite_member(forms: np.ndarray) -> np.ndarray | None:
    """Return a positive definite combination of symmetric matrices, or None if none was found.

    The least eigenvalue is a concave function of the weights; it is maximized on the unit ball.
    """
    size = np.max(np.abs(forms), initial=0.0)
    if size == 0.0 or not len(forms):
        return None
    S = forms / size
    if len(S) == 1:
        candidates = [np.array([1.0]), np.array([-1.0])]
    else:
        traces = np.trace(S, axis1=1, axis2=2)
        start = traces / max(np.linalg.norm(traces), 1e-300)
        candidates = [_ascended(S, x) for x in (start, -start)]
    for c in candidates:
        made = np.tensordot(c, S, axes=1)
        if np.linalg.eigvalsh(made)[0] > _DEFINITE:
            return size * made
    return None


def _ascended(S: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Return unit weights with a larger least eigenvalue, by ascent with shrinking steps."""
    best, at = -np.inf, c
    for k in range(400):
        values, vectors = np.linalg.eigh(np.tensordot(c, S, axes=1))
        if values[0] > best:
            best, at = values[0], c
        slope = np.einsum("kij,i,j->k", S, vectors[:, 0], vectors[:, 0])
        c = c + slope / max(np.linalg.norm(slope), 1e-300) / (1.0 + 0.2 * k)
        c = c / max(np.linalg.norm(c), 1.0)
    return at / max(np.linalg.norm(at), 1e-300)


def _numbers(x: np.ndarray) -> str:
    return ", ".join(f"{float(a):.4g}" for a in x)


__all__ = ["SecondOrder", "definite_member", "second_order"]
