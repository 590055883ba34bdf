"""An impact with dry friction, and the three rules for its end, which do not agree.

The impulse of the normal grows from zero; the friction follows it by Coulomb's law, with slip in
one direction, none, or in the other (Routh). The rules say when the growth ends: Newton's by the
velocity, w+ = -e w-; Poisson's by the impulse, (1 + e) times that of the approach; Stronge's by the
work of the normal impulse, which gives back e^2 of what the approach has taken. Where the slip
stops on the way Newton's rule can create energy, and Poisson's takes some, beside that of the
friction, even for e = 1: remarks 6.2.1 and 6.2.2 [C02].
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
    """An impact with friction, and where its energy went.

    `jump.energy_lost` = -(normal_work + friction_work); the friction never gives energy, and the
    work of the normal impulse is what a rule decides: above zero it was created.
    """

    jump: Jump  # its rows are tangent and normal
    normal_work: float
    friction_work: float
    slip_stops: bool  # during the impact: where it does not, the three rules agree

    @property
    def creates_energy(self) -> bool:
        """Whether the rule has led to more energy than there was: it does not apply here."""
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
    """The impact on a surface with a coefficient of friction, in a plane of contact.

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
        raise UsageError(f"the contact does not approach: its normal velocity is {w[1]:g}")
    pieces, stops = _pieces(rows @ mobility @ rows.T, w, friction)
    end = _end(pieces, w[1], restitution, rule)
    s, works = _impulses(pieces, w, end)
    after = before + mobility @ rows.T @ s
    jump = made(G, before, after, s, rows, 2)
    stopped = stops is not None and stops < end
    return FrictionImpact(jump, works[0], works[1], stopped)


class _Piece(NamedTuple):
    """A span of the normal impulse with one state of slip: rates per unit of that impulse."""

    start: float
    push: float  # of the tangential impulse
    rates: np.ndarray  # of (tangential, normal) velocity


def _mobility(system: System, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """G, and G^-1 less what the constraints hold: velocities that impulses make."""
    G, A = metric(system, q, v), linear_constraint(system, q)
    inverse = solve_spd(G, jnp.eye(system.dim))
    if A.shape[0] == 0:
        return G, inverse
    raised = inverse @ A.T
    return G, inverse - raised @ solve_spd(A @ raised, raised.T)


def _pieces(K: np.ndarray, w: np.ndarray, friction: float) -> tuple[list[_Piece], float | None]:
    """Slip as the impact begins, and what follows where it stops."""

    def piece(start: float, push: float) -> _Piece:
        return _Piece(start, push, K @ np.array([push, 1.0]))

    pull = -K[0, 1] / K[0, 0]  # of the friction that would keep the contact from slipping
    rest = pull if abs(pull) <= friction else -friction * np.sign(K[0, 1])
    if w[0] == 0.0:
        return [piece(0.0, rest)], None
    first = piece(0.0, -friction * np.sign(w[0]))
    if first.rates[0] * w[0] >= 0.0:
        return [first], None  # slips faster and faster
    stop = -w[0] / first.rates[0]
    return [first, piece(stop, rest)], stop


def _end(pieces: list[_Piece], approach: float, e: float, rule: str) -> float:
    """The normal impulse with which the impact ends."""
    velocity, work = approach, 0.0
    turned: tuple[float, float] | None = None  # impulse and work where the approach has ended
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
            else:  # 1/2 rate d^2 + velocity d = what is left to be given back
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
    """(tangential, normal) impulse, and the works of the normal and of the friction."""
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
