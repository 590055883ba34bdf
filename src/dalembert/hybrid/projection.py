"""Project a velocity, in a metric, onto the velocities with prescribed rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..errors import UsageError
from ..linalg import RANK_TOLERANCE
from ..system import System

AGREES = 1e-9  # relative residual up to which dependent rows are consistent


class Basis(NamedTuple):
    """Singular value decomposition of rows of unit length: left diag(singular) vectors^T."""

    vectors: np.ndarray  # (n, rank), orthonormal
    singular: np.ndarray  # (rank,)
    left: np.ndarray  # (rows, rank)
    scale: np.ndarray  # (rows,) lengths by which the rows were divided
    rank: int


class Whitened:
    """Velocities in an orthonormal basis of the metric: w = L^T v with G = L L^T."""

    def __init__(self, G: np.ndarray, system: System) -> None:
        try:
            self.lower = np.linalg.cholesky(G)
        except np.linalg.LinAlgError:
            raise UsageError(
                f"the metric d^2L/dv^2 of {system.name()} is not positive definite here:\n{G}"
            ) from None

    def basis(self, rows: np.ndarray) -> Basis:
        """Return an orthonormal basis of rows, each scaled first because squares may underflow."""
        B = np.linalg.solve(self.lower, rows.T).T
        scale = np.max(np.abs(B), axis=1, initial=0.0)
        scale = np.where(scale > 0.0, scale, 1.0)
        B = B / scale[:, None]
        length = np.linalg.norm(B, axis=1)
        length = np.where(length > 0.0, length, 1.0)
        left, singular, right = np.linalg.svd(B / length[:, None], full_matrices=False)
        rank = int(np.sum(singular > RANK_TOLERANCE * np.max(singular, initial=1.0)))
        return Basis(right[:rank].T, singular[:rank], left[:, :rank], scale * length, rank)

    def nearest(
        self, v: np.ndarray, rows: np.ndarray, target: np.ndarray, P: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """Return (v+, s, rank): v+ with rows v+ = target that is nearest to v + G^-1 P."""
        x = self.basis(rows)
        w = self.lower.T @ v + np.linalg.solve(self.lower, P)
        before = np.linalg.norm(w)
        wanted = x.left.T @ (target / x.scale) / x.singular
        shift = wanted - x.vectors.T @ w
        s = x.left @ (shift / x.singular) / x.scale
        w = w + x.vectors @ shift
        after = np.linalg.solve(self.lower.T, w)
        off = np.abs(rows @ after - target) / x.scale
        size = max(before, np.linalg.norm(w)) + np.abs(target) / x.scale
        if np.any(off > AGREES * size):
            raise UsageError(
                "the rows contradict each other: no velocity has rows v+ = "
                f"{target} with rows\n{rows}"
            )
        return after, s, x.rank
