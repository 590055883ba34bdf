"""Coefficients of collocation methods, to round-off for every number of stages used here."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from ..linalg import gauss_rule


class Tableau(NamedTuple):
    """Runge-Kutta coefficients: stages at t + c h, weights b, matrix A."""

    A: np.ndarray
    b: np.ndarray
    c: np.ndarray


def lagrange(c: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return l_j(x) for x in `at`, with l_j(c_i) = 1 if i = j else 0; shape (len(at), len(c)).

    Uses the product formula: an inverted Vandermonde matrix loses five digits at 8 nodes.
    """
    values = np.ones((len(at), len(c)))
    for j in range(len(c)):
        for k in range(len(c)):
            if k != j:
                values[:, j] *= (np.asarray(at) - c[k]) / (c[j] - c[k])
    return values


def integrals(c: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the integrals of l_j from 0 to each of `ends`, by a Gauss rule exact for them."""
    x, w = gauss_rule(len(c))
    return np.array([end * (w @ lagrange(c, end * x)) for end in ends])


def _collocation(c: np.ndarray) -> Tableau:
    return Tableau(integrals(c, c), integrals(c, np.ones(1))[0], c)


@functools.cache
def gauss(s: int) -> Tableau:
    """Return the tableau of Gauss-Legendre collocation, order 2s."""
    return _collocation(gauss_rule(s)[0])


@functools.cache
def lobatto(s: int) -> tuple[Tableau, np.ndarray]:
    """Return the tableau of Lobatto IIIA, order 2s - 2, and the matrix of its partner IIIB.

    IIIB is defined by b_i B_ij + b_j A_ji = b_i b_j; its last column vanishes.
    """
    inner = np.polynomial.legendre.Legendre.basis(s - 1).deriv().roots().real if s > 2 else []
    c = 0.5 * (1.0 + np.concatenate([[-1.0], np.sort(inner), [1.0]]))
    tableau = _collocation(c)
    A, b, _ = tableau
    return tableau, b[None, :] - b[None, :] * A.T / b[:, None]


@functools.cache
def radau(s: int) -> Tableau:
    """Return the tableau of Radau IIA, order 2s - 1: its last stage is the end of the step."""
    basis = np.polynomial.legendre.Legendre.basis
    inner = (basis(s) - basis(s - 1)).roots().real  # one of the roots is 1
    return _collocation(np.append(0.5 * (1.0 + np.sort(inner)[:-1]), 1.0))


def taylor(c: np.ndarray) -> np.ndarray:
    """Return T: T @ K are Taylor coefficients, at the step's end, of the polynomial through K.

    K are values at the nodes c; coefficient k belongs to ((t - t_end)/h)^k.
    """
    s, c = len(c), c - 1.0
    rows = np.zeros((s, s))
    for j in range(s):
        others = np.delete(c, j)
        poly = np.poly1d(others, r=True) / np.prod(c[j] - others)
        rows[: poly.order + 1, j] = poly.coeffs[::-1]
    return rows


__all__ = ["Tableau", "gauss", "integrals", "lagrange", "lobatto", "radau", "taylor"]
