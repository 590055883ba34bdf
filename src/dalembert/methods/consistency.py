"""Whether a user's discrete Lagrangian and constraint are those of the system.

Both papers ask it of discrete data, near the diagonal, that is for short steps:

    Ld(curve(q, h v)) = h L(q, v) + O(h^2), up to a constant,
    Cd = 0 on the units (Def. 2 [MP]), with the tangent D ((3.7) [MP], Remark 7.3.1 [C02]).

Where the constraint has a right-hand side b, Cd = 0 holds to O(h) for A v = b in place of that.
The rules of the library meet this by construction. Those of others are evaluated at three steps of
halved lengths, far below that of the run, and extrapolated to zero.
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

_SHORT = (2.0**-6, 2.0**-7, 2.0**-8)  # of the step of a run
_ALLOWED = 1e-3  # of a defect, relative: wrong data are off by their own size
# Largest ratio of the extrapolations at halved steps: 1/4 where smooth, 1 where it does not vanish.
_FALLS = 0.6
_POINTS, _SPEEDS = 3, 4  # that are tried
_LIBRARY = (Alpha, Geodesic, SymmetricAlpha, MoserVeselov)  # right by construction


_AFFINE = "Cd(curve(q, h v)) must be A(q) v - b up to O(h) and a factor"


class Defects(NamedTuple):
    """What is left at the three short steps, for each sample."""

    action: jax.Array  # Ld/h - L, (steps, samples)
    size: jax.Array  # of L
    constraint: jax.Array  # velocities by which A v = b is missed, (steps, samples)
    rank: jax.Array  # smallest singular value of dCd/dv over the largest, (points,)
    speed: jax.Array  # of the samples on the constraint


def own_rules(method: object) -> Iterator[tuple[Rule, bool]]:
    """Rules in a method that are not the library's own, and whether their constraint is used."""
    if isinstance(method, RulePair):
        other = method.constraint_rule
        found = [(method.rule, other is None), *([] if other is None else [(other, True)])]
        for rule, used in found:
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
    """Of a rule near the state of a run; traced."""
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
        """Of one point."""
        x = groupoids.move(groupoid, q, shift)
        left = jax.vmap(lambda k: jax.vmap(lambda u: action(x, u, k))(moves))(steps)
        size = jax.vmap(lambda u: system.lagrangian_at(t, x, u))(moves)
        if not constrained:
            return left, size, jnp.zeros((len(_SHORT), 1)), jnp.ones(()), speed
        along = jax.vmap(lambda u: consistent_velocity(system, x, u, t))(moves)

        def row(u, k):
            return rule.constraint(system, t, k, groupoid.curve(x, k * u))

        def missed(u, k):
            """The shortest change of v that Cd asks for."""
            J = jax.jacfwd(row)(u, k)
            return jnp.max(jnp.abs(jnp.linalg.pinv(J) @ row(u, k)), initial=0.0)

        off = jax.vmap(lambda k: jax.vmap(lambda u: missed(u, k))(along))(steps)
        J = jax.jacfwd(row)(along[0], steps[-1])
        values = jnp.linalg.svd(J / jnp.linalg.norm(J, axis=1, keepdims=True), compute_uv=False)
        return left, size, off, values[-1] / values[0], jnp.max(jnp.abs(along))

    found = [near(jnp.asarray(shift)) for shift in shifts]
    left, size, off, rank, pace = (list(x) for x in zip(*found))
    action_left = jnp.concatenate(left, axis=1)
    return Defects(
        action_left - action_left[:, :1],  # a constant changes nothing
        jnp.concatenate(size),
        jnp.concatenate(off, axis=1),
        jnp.stack(rank),
        jnp.maximum(speed, jnp.max(jnp.stack(pace))),
    )


def judge(system: System, rule: Rule, constrained: bool, found: Defects) -> None:
    """Raise a `UsageError` with the defect where a rule is not of the system."""
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
    """The largest extrapolation to h = 0 of columns of three halved steps.

    What still falls by more than _FALLS from one extrapolation to the next goes to zero.
    """
    values = values[:, np.all(np.isfinite(values), axis=0)]
    first, second = np.abs(2.0 * values[1] - values[0]), np.abs(2.0 * values[2] - values[1])
    return float(np.max(np.where(second > _FALLS * first, second, 0.0), initial=0.0))


def check_forms(method: object, system: System, t: Scalar, h: Scalar, q: Point, v: Vector) -> None:
    """Forms of a user's own span the rows of the constraint for short steps, or are refused."""
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
    """As many rows as the system has constraints."""
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
