"""Controllability from rest with a force that acts at rest, such as a potential: 8.1 [C02].

The drift of x' = f(x) + u_i Y_i^lift(x) on the distribution then has a part W(q), the acceleration
at rest. Inputs that balance it at q make (q, 0) an equilibrium; the tests are those for
systems with drift:

    accessible      the brackets of f and Y_i^lift span the tangent space of D at (q, 0)
    controllable    by the linear equations (Kalman), or every bracket with an odd number of f and
                    even numbers of each input is a combination of good ones of lower degree
                    (Sussmann's condition, of which Theorem 8.2.2 is a case)

If the inputs cannot balance W, motions leave q to one side, and the system is not controllable
there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..geometry.distribution.connection import Connection
from ..linalg import RANK_TOLERANCE
from ..system import Point, System
from .brackets import StateGerm, rank, rest_acceleration
from .closures import DEPENDENT, Closure, FieldProduct
from .germs import Germ, check_connection, check_inputs
from .hypotheses import Verdict
from .quadratic_form import quadratic_form


class Drifting(NamedTuple):
    """Verdicts and ranks for a system with a force at rest."""

    freedom: int
    hor: Closure  # horizontal brackets; n independent ones span TQ
    ver: Closure  # vertical brackets; at most dim D are independent
    lca: Verdict
    la: Verdict
    stlcc: Verdict
    stlc: Verdict


def judge_drift(
    system: System,
    q: Point,
    degree: int,
    damping: float,
    connection: Connection | None,
) -> Drifting:
    """Return the verdicts at rest at q for a system that accelerates there without inputs."""
    germ = StateGerm(
        system, q, degree, connection=connection, damping=damping,
        push=rest_acceleration(system, q, degree),
    )  # fmt: skip
    check_inputs(system, germ.base)
    if connection is not None:
        check_connection(system, germ.base)
    n, freedom = germ.base.ring.n, germ.base.dim
    outside, u0 = _balanced(germ)
    shift = sum((u * X.coefficients for u, X in zip(u0, germ.inputs)), np.zeros(()))
    germ.drift = Germ(germ.drift.coefficients + shift)
    result = germ.brackets(degree)
    columns = germ.columns([p.field for p in result])
    hor = _closure(columns[:n])
    whole = rank(columns)
    ver = Closure(whole - hor.rank, ())
    kalman = _kalman(germ)
    linear = Verdict("yes", f"the linear equations at rest are controllable: rank {kalman}")
    if kalman == n + freedom and not outside:
        return Drifting(freedom, hor, ver, linear, linear, linear, linear)
    text = f"brackets of f and the inputs to degree {degree} span"
    lca = _accessible(f"{text} {hor.rank} of {n} along Q", hor.rank == n)
    la = _accessible(f"{text} {whole} of {n + freedom}", whole == n + freedom)
    lca = la if la and not lca else lca
    if outside:
        no = Verdict(
            "no",
            f"a part of the force at rest, {outside:.2e} of its acceleration, is outside of the "
            "inputs: bounded controls cannot hold the system there, all motions leave to one side",
        )
        return Drifting(freedom, hor, ver, lca, la, no, no)
    stlc = _sussmann(germ, result, la, n + freedom, degree)
    form = quadratic_form(germ.base)
    if la and not stlc and form is not None and form.basis is not None:
        germ.inputs = [
            Germ(sum((c * X.coefficients for c, X in zip(row, germ.inputs)), np.zeros(())))
            for row in form.basis
        ]
        again = _sussmann(germ, germ.brackets(degree), la, n + freedom, degree)
        stlc = again if again else stlc
    stlcc = stlc if stlc else Verdict("inconclusive", f"STLC is not decided: {stlc.reason}")
    return Drifting(freedom, hor, ver, lca, la, stlcc, stlc)


def _balanced(germ: StateGerm) -> tuple[float, np.ndarray]:
    """Return how much of W inputs cannot balance (relative), and the u0 that balances the rest."""
    n = germ.base.ring.n
    lower = np.linalg.cholesky(germ.base.G[..., 0])
    W = lower.T @ germ.drift.value[n:]
    Y = np.column_stack([lower.T @ X.value for X in germ.base.inputs])
    u0 = np.linalg.lstsq(Y, -W, rcond=None)[0]
    off = float(np.linalg.norm(W + Y @ u0) / max(np.linalg.norm(W), 1e-300))
    return (off if off > DEPENDENT else 0.0), u0


def _kalman(germ: StateGerm) -> int:
    """Return the rank of [B, AB, ...] of the linear equations at rest."""
    slots = [i for i, d in enumerate(germ.ring.degrees) if d == 1]
    A = germ.drift.coefficients[:, slots]  # monomials of degree 1 are in the order of the variables
    block = np.column_stack([X.value for X in germ.inputs])
    rows = [block]
    for _ in range(len(A) - 1):
        block = A @ block
        size = np.linalg.norm(block, axis=0)
        block = block / np.where(size > 0, size, 1.0)
        rows.append(block)
    return rank(np.column_stack(rows))


def _closure(columns: np.ndarray) -> Closure:
    values = np.linalg.svd(columns, compute_uv=False)
    return Closure(rank(columns), tuple(float(x) for x in values))


def _accessible(told: str, holds: bool) -> Verdict:
    if holds:
        return Verdict("yes", f"{told}: all of it")
    return Verdict("inconclusive", f"{told}, and may grow further; raise the degree")


def _sussmann(
    germ: StateGerm, found: list[FieldProduct], la: Verdict, whole: int, degree: int
) -> Verdict:
    """Test Sussmann's condition; bad brackets have an odd number of drifts, even of each input."""
    if not la:
        return Verdict("inconclusive", f"LA is not decided: {la.reason}")
    for k in range(1, degree + 2):
        lower = [p.field for p in found if p.degree < k and not _bad(p)]
        columns = germ.columns(lower)
        u, s, _ = np.linalg.svd(columns, full_matrices=False)
        onto = u[:, s > RANK_TOLERANCE * max(np.max(s, initial=0.0), 1e-300)]
        if onto.shape[1] >= whole:
            return Verdict(
                "yes",
                f"LA, and good brackets of degree {k - 1} span all: no bad one stands in the way "
                "(Sussmann's condition)",
            )
        for p in (p for p in found if p.degree == k and _bad(p)):
            value = germ.columns([p.field])[:, 0]
            outside = float(np.linalg.norm(value - onto @ (onto.T @ value)))
            if outside > DEPENDENT:
                return Verdict(
                    "inconclusive",
                    f"the bad bracket with counts {p.counts}, drift first, is no combination of "
                    f"good ones of lower degree (part outside {outside:.2e}); the condition is "
                    "sufficient, not necessary",
                )
    return Verdict(
        "inconclusive",
        f"no bad bracket up to degree {degree} stands in the way, but good ones do not span all "
        "yet; raise the degree",
    )


def _bad(p: FieldProduct) -> bool:
    return p.counts[0] % 2 == 1 and all(c % 2 == 0 for c in p.counts[1:])


__all__ = ["Drifting", "judge_drift"]
