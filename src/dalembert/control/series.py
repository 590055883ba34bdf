"""The motion from rest as a series in the controls: Theorem 8.2.3, Proposition 8.6.7 [C02].

V_k = sum over products P of degree k of c_P(t) P(q), with coefficients that obey their own
equations, c_P' = k_d c_P + u_i for an input, c_P' = k_d c_P - (1/2) (number of orders) c_A c_B for
P = <A : B>; then q' = V_1 + ... + V_K. Any u(t), damping included.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import groupoids
from ..errors import UsageError
from ..system import Point, System
from .germs import ControlGerm, Germ
from .hypotheses import check_hypotheses


class SeriesMotion(NamedTuple):
    """Where the truncated series leads."""

    t: float
    q: Point
    move: np.ndarray  # w with q = curve(q0, w)
    last: float  # the part of the highest degree in it: an estimate of what is left out


class _Term(NamedTuple):
    degree: int
    parents: tuple[int, int] | None
    orders: int  # 2 where the factors are different
    field: Germ


def series_motion(
    system: System, u: Callable[[float], Any], t: float, q: Point = None, *, terms: int = 3
) -> SeriesMotion:
    """The motion from rest at q under u(t), by the series to degree `terms`, at time t.

    The error of the position grows like t^(2 terms + 2). The fields are polynomials around q, so
    the motion must stay near it.
    """
    from scipy.integrate import solve_ivp

    if terms < 1:
        raise UsageError(f"terms must be at least 1, got {terms}")
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    applies, damping = check_hypotheses(system, q)
    if applies.answer == "does not apply":
        raise UsageError(f"{system.name()}: the series: {applies}")
    germ = ControlGerm(system, q, terms + 1)
    made = _terms(germ, terms)
    n, m = germ.ring.n, len(germ.inputs)
    fields = np.stack([x.field.coefficients for x in made])  # [term, component, monomial]
    exponents = np.array(germ.ring.exponents)
    left, right, half = _sources(made, m)

    def rates(time: float, x: np.ndarray) -> np.ndarray:
        w, c = x[:n], x[2 * n :]
        values = fields @ np.prod(w[None, :] ** exponents, axis=1)  # [term, component]
        control = np.asarray(u(time), dtype=float).reshape(m)
        change = damping * c
        change[:m] += control
        change[m:] -= half * c[left] * c[right]
        top = np.array([x.degree == terms for x in made])
        return np.concatenate([c @ values, (c * top) @ values, change])

    start = np.zeros(2 * n + len(made))
    found = solve_ivp(rates, (0.0, t), start, method="DOP853", rtol=1e-12, atol=1e-18)
    if not found.success:
        raise UsageError(f"{system.name()}: the series could not be integrated: {found.message}")
    w = found.y[:n, -1]
    last = float(np.max(np.abs(found.y[n : 2 * n, -1])))
    return SeriesMotion(t, groupoids.move(system.groupoid, q, w), w, last)


def _terms(germ: ControlGerm, degree: int) -> list[_Term]:
    made = [_Term(1, None, 1, X) for X in germ.inputs]
    for k in range(2, degree + 1):
        new = []
        for i, j in itertools.combinations_with_replacement(range(len(made)), 2):
            if made[i].degree + made[j].degree == k:
                product = germ.symmetric(made[i].field, made[j].field)
                new.append(_Term(k, (i, j), 1 if i == j else 2, product))
        made += new
    return made


def _sources(made: list[_Term], m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    parents = [x.parents for x in made[m:] if x.parents is not None]
    left, right = (np.array([p[k] for p in parents], dtype=int) for k in (0, 1))
    return left, right, 0.5 * np.array([x.orders for x in made[m:]], dtype=float)


__all__ = ["SeriesMotion", "series_motion"]
