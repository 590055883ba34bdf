"""The quadratic form of 8.4 [C02], for inputs of codimension one in D, and its null bases."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from .closures import DEPENDENT
from .germs import ControlGerm


class QuadraticForm(NamedTuple):
    """<Y_i : Y_j> modulo the inputs, if they have codimension one in D: 8.4 [C02]."""

    S: np.ndarray  # eta(<Y_i : Y_j>), eta a form that vanishes on the inputs, of unit length
    A: np.ndarray | None  # S / S_12 for two inputs with nonzero S_12 (Cor. 8.4.5)
    kind: str  # indefinite, definite, semidefinite, zero
    basis: np.ndarray | None  # rows: inputs Z_i with <Z_i : Z_i> in the span of inputs


def quadratic_form(germ: ControlGerm) -> QuadraticForm | None:
    """Return S of 8.4 if the inputs have codimension one in the distribution, else None."""
    m = len(germ.inputs)
    if m != germ.dim - 1 or m < 1:
        return None
    lower = np.linalg.cholesky(germ.G[..., 0])
    rows = np.column_stack(
        [*(lower.T @ X.value for X in germ.inputs), np.linalg.solve(lower, germ.A[..., 0].T)]
    )
    normal = np.linalg.svd(rows.T)[2][-1]  # orthogonal to inputs and to the normals of D
    S, scale = np.zeros((m, m)), np.zeros((m, m))
    for i, j in itertools.combinations_with_replacement(range(m), 2):
        value = lower.T @ germ.symmetric(germ.inputs[i], germ.inputs[j]).value
        S[i, j] = S[j, i] = normal @ value
        scale[i, j] = scale[j, i] = np.linalg.norm(value)
    S[np.abs(S) <= DEPENDENT * np.max(scale, initial=0.0)] = 0.0
    A = S / S[0, 1] if m == 2 and S[0, 1] else None
    return QuadraticForm(S, A, form_kind(S), isotropic_basis(S))


def form_kind(S: np.ndarray) -> str:
    """Return "indefinite", "definite", "semidefinite" or "zero"."""
    values = np.linalg.eigvalsh(S)
    size = np.max(np.abs(values), initial=0.0)
    if size == 0.0:
        return "zero"
    up, down = np.any(values > DEPENDENT * size), np.any(values < -DEPENDENT * size)
    if up and down:
        return "indefinite"
    return "definite" if np.all(np.abs(values) > DEPENDENT * size) else "semidefinite"


def isotropic_basis(S: np.ndarray) -> np.ndarray | None:
    """Return a basis, as rows, of vectors b with b S b = 0; None unless S is zero or indefinite.

    Built from eigenvectors p_i, n_j scaled to +1 and -1: p_i + n_1, p_1 - n_1, p_1 + n_j, and the
    kernel (section 8 of the geometry notes; it replaces cases A1 to B of the proof of 8.4.2).
    """
    m = len(S)
    kind = form_kind(S)
    if kind == "zero":
        return np.eye(m)
    if kind != "indefinite":
        return None
    # an input that is null stays in the basis, as in the book: Y1 + h Y2, Y2
    if m == 2 and S[0, 1]:
        result = _null_pair(S)
        if result is not None:
            return result
    values, vectors = np.linalg.eigh(S)
    size = np.max(np.abs(values))
    p = [v / np.sqrt(x) for x, v in zip(values, vectors.T) if x > DEPENDENT * size]
    n = [v / np.sqrt(-x) for x, v in zip(values, vectors.T) if x < -DEPENDENT * size]
    kernel = [v for x, v in zip(values, vectors.T) if abs(x) <= DEPENDENT * size]
    rows = [x + n[0] for x in p] + [p[0] - n[0]] + [p[0] + x for x in n[1:]] + kernel
    return np.array(rows)


def _null_pair(S: np.ndarray) -> np.ndarray | None:
    """Return both null directions of an indefinite form in two variables, with a leading 1."""
    a, b, d = S[0, 0], S[0, 1], S[1, 1]
    root = np.sqrt(b * b - a * d)
    if d == 0.0:  # Y2 is null: Y1 + t Y2 with a + 2 b t = 0
        return np.array([[1.0, -a / (2 * b)], [0.0, 1.0]])
    return np.array([[1.0, (-b + root) / d], [1.0, (-b - root) / d]])


__all__ = ["QuadraticForm", "form_kind", "isotropic_basis", "quadratic_form"]
