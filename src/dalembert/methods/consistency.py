"""Check that a user's discrete Lagrangian and discrete constraint belong to the system.

Both papers require of discrete data, near the diagonal, that is for short steps:

    Ld(curve(q, h v)) = h L(q, v) + O(h^2), up to a constant,
    Cd = 0 on the units (Def. 2 [MP]), with the tangent D ((3.7) [MP], Remark 7.3.1 [C02]).

If the constraint has a right-hand side b, Cd must instead vanish to O(h) where A v = b. The rules
of the library satisfy this by construction. A user's rules are evaluated at three successively
halved steps, much shorter than the step of the run, and extrapolated to h = 0.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .. import groupoids
from ..dynamics import consistent_velocity, linear_constraint
from ..errors import UsageError
from ..linalg import Scalar, Vector
from ..system import Point, System, takes
from .base import Method
from .dla import DLA, RulePair
from .rules import (
    Alpha,
    Geodesic,
    MomentumAtEnd,
    MomentumAtStart,
    MoserVeselov,
    Rule,
    SymmetricAlpha,
    discrete_lagrangian,
)

_SHORT = (2.0**-6, 2.0**-7, 2.0**-8)  # short steps, as fractions of the step of a run
_ALLOWED = 1e-3  # largest relative defect; wrong data have a relative defect of order 1
# Largest ratio of successive extrapolations for a defect that vanishes: the ratio is 1/4 for smooth
# data, and 1 if the defect does not vanish.
_FALLS = 0.6
_POINTS, _SPEEDS = 3, 4  # numbers of sampled points, and of sampled velocities at each
# rules that satisfy the conditions by construction
_LIBRARY = (Alpha, Geodesic, SymmetricAlpha, MoserVeselov)


_AFFINE = "Cd(curve(q, h v)) must be A(q) v - b up to O(h) and a factor"


class Defects(NamedTuple):
    """The defects at the three short steps, for each sample."""

    action: jax.Array  # Ld/h - L, (steps, samples)
    size: jax.Array  # size of L
    constraint: jax.Array  # distance from Cd = 0 of samples with A v = b, (steps, samples)
    rank: jax.Array  # smallest singular value of dCd/dv over the largest, (points,)
    speed: jax.Array  # speed of the samples on the constraint


def own_rules(method: object) -> Iterator[tuple[Rule, bool]]:
    """Yield each rule of a method that is not the library's, and if its constraint is used."""
    if isinstance(method, RulePair):
        other = method.constraint_rule
        values = [(method.rule, other is None), *([] if other is None else [(other, True)])]
        for rule, used in values:
            inner = rule.rule if isinstance(rule, (MomentumAtStart, MomentumAtEnd)) else rule
            if type(inner) not in _LIBRARY:
                yield inner, used and inner is rule
    elif dataclasses.is_dataclass(method):
        for f in dataclasses.fields(method):
            value = getattr(method, f.name, None)
            if isinstance(value, Method):
                yield from own_rules(value)
            elif isinstance(value, Rule):
                if type(value) not in _LIBRARY:
                    yield value, False


def defects(
    rule: Rule, constrained: bool, system: System, t: Scalar, h: Scalar, q: Point, v: Vector
) -> Defects:
    """Return the defects of a rule near the state of a run; for traced code."""
    groupoid, n = system.groupoid, system.dim
    rng = np.random.default_rng(11)
    shifts = 0.1 * rng.normal(size=(_POINTS, n)) * np.arange(_POINTS)[:, None]
    speed = 1.0 + jnp.max(jnp.abs(v), initial=0.0)
    moves = jnp.asarray(np.concatenate([np.zeros((1, n)), rng.normal(size=(_SPEEDS, n))])) * speed
    steps = h * jnp.asarray(_SHORT)

    def action(x, u, k):
        g = groupoid.curve(x, k * u)
        return discrete_lagrangian(rule, system, t, k, g) / k - system.lagrangian_at(t, x, u)

    def near(shift):
        """Return the defects at one point."""
        x = groupoids.move(groupoid, q, shift)
        left = jax.vmap(lambda k: jax.vmap(lambda u: action(x, u, k))(moves))(steps)
        size = jax.vmap(lambda u: system.lagrangian_at(t, x, u))(moves)
        if not constrained:
            return left, size, jnp.zeros((len(_SHORT), 1)), jnp.ones(()), speed
        along = jax.vmap(lambda u: consistent_velocity(system, x, u, t))(moves)

        def row(u, k):
            return rule.constraint(system, t, k, groupoid.curve(x, k * u))

        def missed(u, k):
            """Return the size of the shortest change of v that makes the linearized Cd vanish."""
            J = jax.jacfwd(row)(u, k)
            return jnp.max(jnp.abs(jnp.linalg.pinv(J) @ row(u, k)), initial=0.0)

        off = jax.vmap(lambda k: jax.vmap(lambda u: missed(u, k))(along))(steps)
        J = jax.jacfwd(row)(along[0], steps[-1])
        values = jnp.linalg.svd(J / jnp.linalg.norm(J, axis=1, keepdims=True), compute_uv=False)
        return left, size, off, values[-1] / values[0], jnp.max(jnp.abs(along))

    result = [near(jnp.asarray(shift)) for shift in shifts]
    left, size, off, rank, pace = (list(x) for x in zip(*result))
    action_left = jnp.concatenate(left, axis=1)
    return Defects(
        action_left - action_left[:, :1],  # Ld is defined up to a constant
        jnp.concatenate(size),
        jnp.concatenate(off, axis=1),
        jnp.stack(rank),
        jnp.maximum(speed, jnp.max(jnp.stack(pace))),
    )


def judge(system: System, rule: Rule, constrained: bool, found: Defects) -> None:
    """Raise a `UsageError` with the defect if a rule does not belong to the system."""
    about = f"the rule '{rule.label}' on {system.name()}"
    action, size, off, rank, speed = (np.asarray(x, dtype=float) for x in found)
    whole = float(np.max(np.abs(size - size[0]), initial=0.0))
    left = _limit(action)
    if whole > 0 and left > _ALLOWED * whole:
        raise UsageError(
            f"its discrete Lagrangian is not h L + O(h^2) near the diagonal: for short steps Ld/h "
            f"and L differ by {left:.2e}, where L changes by {whole:.2e}",
            about=about,
            advice="(7.12) of the book and Ld of other papers are printed without the factor h: "
            "give h * Ld, with the h that the function is given",
        )
    if not constrained:
        return
    if not np.min(rank, initial=1.0) > 1e-8:
        raise UsageError(
            "its discrete constraint has dependent rows, or rows that do not depend on the step: "
            f"the smallest singular value of its derivative is {np.min(rank):.2e} of the largest",
            about=about,
            advice="give one independent row for each constraint of the system",
        )
    left = _limit(off[:, :: 1 + _SPEEDS])
    if left > _ALLOWED * float(speed):
        raise UsageError(
            f"its discrete constraint does not contain the diagonal: at rest it asks for a "
            f"velocity of {left:.2e} (Definition 2 of McLachlan and Perlmutter)"
            if not system.has_offset
            else f"its discrete constraint is not A v = b for short steps: off by {left:.2e}",
            about=about,
            advice=_AFFINE
            if system.has_offset
            else "Cd must vanish where both ends of the step are the same point",
        )
    left = _limit(off)
    if left > _ALLOWED * float(speed):
        raise UsageError(
            f"the tangent of its discrete constraint is not the distribution: for short steps a "
            f"velocity with A v = b is off it by {left:.2e}, of {float(speed):.2e} ((3.7) of "
            "McLachlan and Perlmutter)",
            about=about,
            advice=_AFFINE,
        )


def _limit(values: np.ndarray) -> float:
    """Return the largest extrapolation to h = 0 of columns with values at three halved steps.

    A column counts as zero if its second extrapolation is below `_FALLS` times the first.
    """
    values = values[:, np.all(np.isfinite(values), axis=0)]
    first, second = np.abs(2.0 * values[1] - values[0]), np.abs(2.0 * values[2] - values[1])
    return float(np.max(np.where(second > _FALLS * first, second, 0.0), initial=0.0))


def check_forms(method: object, system: System, t: Scalar, h: Scalar, q: Point, v: Vector) -> None:
    """Raise `UsageError` unless a user's forms span the constraint rows for short steps."""
    if not isinstance(method, DLA) or method.forms is None:
        return
    groupoid, forms = system.groupoid, method.forms
    A = np.asarray(linear_constraint(system, q, t))
    _, _, rows = np.linalg.svd(A)
    free = rows[A.shape[0] :].T  # directions that the constraint allows
    left, size = [], np.zeros(1)
    for short in _SHORT:
        k = jnp.asarray(h * short)
        if takes(forms, 4):
            B = np.asarray(forms(system, t, k, q))
        else:
            before = groupoid.inv(groupoid.curve(q, -k * jnp.asarray(v)))
            B = np.asarray(forms(system, t, k, before, groupoid.curve(q, k * jnp.asarray(v))))
        if B.shape != A.shape:
            raise UsageError(
                f"{method.name} on {system.name()}: forms must have the shape {A.shape}, one row "
                f"for each constraint; got {B.shape}"
            )
        B = B / np.linalg.norm(B, axis=1, keepdims=True)
        left.append((B @ free).ravel())
        size = np.linalg.svd(B, compute_uv=False)
    defect = _limit(np.asarray(left))
    if not size[-1] > 1e-8 or not defect <= _ALLOWED:
        raise UsageError(
            f"{method.name} on {system.name()}: for short steps its forms do not span the rows of "
            f"the constraint: they act along allowed directions by {defect:.2e} of their size "
            f"(smallest singular value {size[-1]:.1e}); A_d must be A(q) up to O(h)"
        )


def check_shapes(system: System, rule: Rule, constrained: bool, t: Scalar, q: Point) -> None:
    """Raise `UsageError` unless a rule gives as many rows as the system has constraints."""
    if not constrained:
        return
    wanted = jax.eval_shape(lambda: linear_constraint(system, q, t)).shape[0]
    if system.has_holonomic:
        wanted -= jax.eval_shape(lambda: system.holonomic(q)).shape[0]
    unit = system.groupoid.unit(q)
    given = jax.eval_shape(lambda: rule.constraint(system, t, jnp.ones(()), unit)).shape
    if given != (wanted,):
        raise UsageError(
            f"its discrete constraint must have shape ({wanted},), one for each of the system's; "
            f"got {given}",
            about=f"the rule '{rule.label}' on {system.name()}",
        )


__all__ = ["Defects", "check_forms", "check_shapes", "defects", "judge", "own_rules"]
