"""Impacts with dry friction, with three rules for their end (Newton, Poisson, Stronge).

The normal impulse grows from zero, and the friction follows by Coulomb's law (Routh): the contact
slips in one direction, does not slip, or slips in the other direction. Three rules, which do not
agree, say when the impulse stops growing. By Newton's rule the normal velocity is then w+ = -e w-.
By Poisson's rule the impulse is 1 + e times that of the approach. By Stronge's rule the rebound has
returned e^2 of the work that the approach took. If the slip stops during the impact, Newton's rule
can create energy, and Poisson's rule dissipates more than friction does, even for e = 1: remarks
6.2.1 and 6.2.2 [C02].
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..dynamics import linear_constraint, metric
from ..errors import UsageError
from ..linalg import solve_spd
from ..system import Point, System, compiled_call
from .jumps import Jump, Numbers, made

RULES = ("newton", "poisson", "stronge")


class FrictionImpact(NamedTuple):
    """An impact with friction, and its energy balance.

    `jump.energy_lost` = -(normal_work + friction_work). Friction never adds energy. The rule
    decides the work of the normal impulse; if it is positive, the rule has created energy.
    """

    jump: Jump  # its rows are (tangent, normal)
    normal_work: float
    friction_work: float
    slip_stops: bool  # whether slip stops during the impact; if not, all rules agree

    @property
    def creates_energy(self) -> bool:
        """Whether the rule has increased the energy; then it does not apply here."""
        return self.jump.energy_lost < -1e-12 * self.jump.energy_of_change


def friction_impact(
    system: System,
    q: Point,
    v: Numbers,
    *,
    normal: Numbers,
    tangent: Numbers,
    friction: float,
    restitution: float = 0.0,
    rule: str = "newton",
) -> FrictionImpact:
    """Return the planar impact on a surface with a coefficient of friction.

    `normal` and `tangent` are the one-forms of the velocity of the contact point away from the
    surface and along it. The constraints of the system hold throughout.
    """
    if rule not in RULES:
        raise UsageError(f"rule must be one of {', '.join(RULES)}, got {rule!r}")
    if not (friction >= 0.0 and 0.0 <= restitution <= 1.0):
        raise UsageError(
            "friction must not be negative and restitution lie between 0 and 1, got "
            f"{friction!r} and {restitution!r}"
        )
    rows = np.array([tangent, normal], dtype=float)
    before = np.asarray(v, dtype=float)
    at = compiled_call(_mobility, system, q, jnp.asarray(before))
    G, mobility = (np.asarray(x) for x in at)
    w = rows @ before
    if w[1] >= 0.0:
        raise UsageError(f"the contact is not approaching: its normal velocity is {w[1]:g}")
    pieces, stops = _pieces(rows @ mobility @ rows.T, w, friction)
    end = _end(pieces, w[1], restitution, rule)
    s, works = _impulses(pieces, w, end)
    after = before + mobility @ rows.T @ s
    jump = made(G, before, after, s, rows, 2)
    stopped = stops is not None and stops < end
    return FrictionImpact(jump, works[0], works[1], stopped)


class _Piece(NamedTuple):
    """An interval of the normal impulse with one state of slip; rates are per unit impulse."""

    start: float
    push: float  # rate of the tangential impulse
    rates: np.ndarray  # rates of the (tangential, normal) velocity


def _mobility(system: System, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return G, and the map from impulses to velocity changes that respect the constraints."""
    G, A = metric(system, q, v), linear_constraint(system, q)
    inverse = solve_spd(G, jnp.eye(system.dim))
    if A.shape[0] == 0:
        return G, inverse
    raised = inverse @ A.T
    return G, inverse - raised @ solve_spd(A @ raised, raised.T)


def _pieces(K: np.ndarray, w: np.ndarray, friction: float) -> tuple[list[_Piece], float | None]:
    """Return the intervals before and after the slip stops, and the impulse at which it stops."""

    def piece(start: float, push: float) -> _Piece:
        return _Piece(start, push, K @ np.array([push, 1.0]))

    pull = -K[0, 1] / K[0, 0]  # friction per normal impulse that would prevent slip
    rest = pull if abs(pull) <= friction else -friction * np.sign(K[0, 1])
    if w[0] == 0.0:
        return [piece(0.0, rest)], None
    first = piece(0.0, -friction * np.sign(w[0]))
    if first.rates[0] * w[0] >= 0.0:
        return [first], None  # the slip never stops
    stop = -w[0] / first.rates[0]
    return [first, piece(stop, rest)], stop


def _end(pieces: list[_Piece], approach: float, e: float, rule: str) -> float:
    """Return the normal impulse at which the impact ends."""
    velocity, work = approach, 0.0
    turned: tuple[float, float] | None = None  # impulse and work at the end of the approach
    for i, x in enumerate(pieces):
        last = pieces[i + 1].start if i + 1 < len(pieces) else np.inf
        rate, p = x.rates[1], x.start
        if turned is None and rate > 0.0 and p - velocity / rate <= last:
            p = x.start - velocity / rate
            turned = p, work - 0.5 * velocity**2 / rate
            velocity, work = 0.0, turned[1]
        if turned is not None:
            if rule == "newton":
                end = p + (-e * approach - velocity) / rate
            elif rule == "poisson":
                end = (1.0 + e) * turned[0]
            else:  # 1/2 rate d^2 + velocity d = the work still to be returned
                left = turned[1] * (1.0 - e**2) - work
                end = p + (np.sqrt(velocity**2 + 2.0 * rate * max(left, 0.0)) - velocity) / rate
            if end <= last:
                return end
        step = last - p
        work += velocity * step + 0.5 * rate * step**2
        velocity += rate * step
    raise UsageError("the impact does not end: friction drives the contact into the surface")


def _impulses(
    pieces: list[_Piece], w: np.ndarray, end: float
) -> tuple[np.ndarray, tuple[float, float]]:
    """Return the (tangential, normal) impulse, and the work of the normal and of the friction."""
    velocity, total, works = w.copy(), np.zeros(2), np.zeros(2)
    for i, x in enumerate(pieces):
        last = pieces[i + 1].start if i + 1 < len(pieces) else np.inf
        step = min(end, last) - x.start
        if step <= 0.0:
            break
        mean = velocity + 0.5 * step * x.rates
        push = np.array([x.push, 1.0])
        total += step * push
        works += step * push * mean
        velocity = velocity + step * x.rates
    return total, (float(works[1]), float(works[0]))
