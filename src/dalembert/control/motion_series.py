"""The motion from rest as a series in the controls: Theorem 8.2.3, Proposition 8.6.7 [C02].

V_1(q, t) is the integral of the inputs over the time at a fixed q, and V_k the integral of -1/2 the
sum of <V_j : V_{k-j}>. So V_k = sum over products P of degree k of c_P(t) P(q), with coefficients
that obey their own equations: c_P' = k_d c_P + u_i for an input, c_P' = k_d c_P - (1/2) (number of
orders) c_A c_B for P = <A : B>; then q' = V_1 + ... + V_K. The method allows any u(t), and
damping. The fields P are evaluated along the motion, by an expansion at the current point.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..errors import UsageError
from ..groups import Euclidean
from ..system import Point, System
from .germs import ControlGerm, Germ
from .hypotheses import check_hypotheses


class SeriesMotion(NamedTuple):
    """Result of the truncated series."""

    t: float
    q: Point
    move: np.ndarray  # w with q = curve(q0, w)
    # size of the contribution of the highest degree: an estimate of the truncation error
    last: float


class _Term(NamedTuple):
    degree: int
    parents: tuple[int, int] | None
    orders: int  # number of orders <A : B>, <B : A>: 2 if the factors differ
    field: Germ


def series_motion(
    system: System, u: Callable[[float], Any], t: float, q: Point = None, *, terms: int = 3
) -> SeriesMotion:
    """Compute the motion from rest at q under u(t), by the series to degree `terms`, at time t.

    The error of the position grows like t^(2 terms + 2). It is the truncation error alone, because
    the fields are exact along the motion.
    """
    from scipy.integrate import solve_ivp

    if terms < 1:
        raise UsageError(f"terms must be at least 1, got {terms}")
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    applies, damping = check_hypotheses(system, q)
    if applies.answer == "does not apply":
        raise UsageError(f"{system.name()}: the series: {applies}")
    first = SeriesFields(system, q, terms)
    made, n, m = first.terms, system.dim, len(system.input_labels)
    left, right, half = sources(made, m)
    top = np.array([x.degree == terms for x in made])

    def rates(time: float, x: np.ndarray) -> np.ndarray:
        w, c = x[:n], x[2 * n :]
        values = first.values if not np.any(w) else first.at(w).values  # [term, component]
        control = np.asarray(u(time), dtype=float).reshape(m)
        change = damping * c
        change[:m] += control
        change[m:] -= half * c[left] * c[right]
        speeds = first.rates(w, np.stack([c @ values, (c * top) @ values]))
        return np.concatenate([*speeds, change])

    start = np.zeros(2 * n + len(made))
    solution = solve_ivp(rates, (0.0, t), start, method="DOP853", rtol=1e-12, atol=1e-18)
    if not solution.success:
        raise UsageError(f"{system.name()}: the series could not be integrated: {solution.message}")
    w = solution.y[:n, -1]
    last = float(np.max(np.abs(solution.y[n : 2 * n, -1])))
    return SeriesMotion(t, groupoids.move(system.groupoid, q, w), w, last)


class SeriesFields:
    """Symmetric products up to a degree at a point, and their values there."""

    def __init__(self, system: System, q: Point, degree: int, order: int | None = None) -> None:
        self.system, self.q, self.degree = system, q, degree
        germ = self.germ = ControlGerm(system, q, max(1, degree - 1) if order is None else order)
        self.terms = [_Term(1, None, 1, X) for X in germ.inputs]
        for k in range(2, degree + 1):
            new = []
            for i, j in itertools.combinations_with_replacement(range(len(self.terms)), 2):
                if self.terms[i].degree + self.terms[j].degree == k:
                    product = germ.symmetric(self.terms[i].field, self.terms[j].field)
                    new.append(_Term(k, (i, j), 1 if i == j else 2, product))
            self.terms += new
        self.values = np.stack([x.field.value for x in self.terms])

    def at(self, w: np.ndarray) -> SeriesFields:
        """Return the same products at curve(q, w)."""
        there = groupoids.move(self.system.groupoid, self.q, jnp.asarray(w))
        return SeriesFields(self.system, there, self.degree)

    def rates(self, w: np.ndarray, speeds: np.ndarray) -> list[np.ndarray]:
        """Return w' at w for each fibre velocity in `speeds`."""
        if isinstance(self.system.space, Euclidean):
            return list(speeds)
        groupoid, at = self.system.groupoid, jnp.asarray(w)
        return [
            np.asarray(groupoid.coordinate_velocity(self.q, at, jnp.asarray(v))) for v in speeds
        ]


def sources(made: list[_Term], m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return factors A, B of each product <A : B>, and the factor 1/2 or 1 of c_A c_B in c_P'."""
    parents = [x.parents for x in made[m:] if x.parents is not None]
    left, right = (np.array([p[k] for p in parents], dtype=int) for k in (0, 1))
    return left, right, 0.5 * np.array([x.orders for x in made[m:]], dtype=float)


__all__ = ["SeriesFields", "SeriesMotion", "series_motion", "sources"]
