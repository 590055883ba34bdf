"""Jumps at singular points, where the constraint after depends on the direction of leaving.

The velocity v+ after the point obeys the limit D+ of the constraint along the motion that leaves
with v+ itself: v+ = P_{D+(v+)} v-. This equation may have no solution, one, or many. All solutions
that are found are returned; none is chosen.
"""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from ..dynamics import metric
from ..errors import UsageError
from ..geometry.distribution.rank_change import Codistribution, Crossing, Limit
from ..system import Point, System, compiled_call
from .jumps import Jump, Numbers, made
from .projection import Whitened

_FOUND = 1e-9  # residual of a direction that counts as a solution
_APART = 1e-5  # directions nearer than this are equal
_ISOLATED = 1e-5  # smallest singular value of the equation's derivative at an isolated solution
_STEP = 1e-6  # step of finite differences in directions
_CONSTANT = 1e-6  # if v+ changes by less than this with the direction, it counts as constant
_ITERATIONS = 25
_GIVEN, OF_RUNS = 1e-8, 1e-4  # largest violation of D- by v-, relative to |D-| |v|
_LEVELS = 12  # levels of the limits in the search; the exits use all levels


class Exit(NamedTuple):
    """One possible motion out of a singular point."""

    jump: Jump
    crossing: Crossing  # limits of the constraint along the arriving and this leaving motion
    isolated: bool  # no other exit is next to this one

    @property
    def jumps(self) -> bool:
        """Whether the velocity changes."""
        v = np.asarray(self.jump.v_before)
        return bool(np.linalg.norm(self.jump.v_after - v) > 1e-9 * np.linalg.norm(v))


class Exits(NamedTuple):
    """All exits from a singular point that were found, ordered by the energy that they lose."""

    exits: tuple[Exit, ...]
    starts: int  # number of directions from which the search started
    undecided: int  # number of starts at which the constraint was not distinguished from round-off

    @property
    def unique(self) -> bool:
        """Whether there is exactly one exit, and none next to it."""
        return len(self.exits) == 1 and self.exits[0].isolated

    def only(self) -> Jump:
        """Return the jump if there is one exit; otherwise raise an error that lists them."""
        if self.unique:
            return self.exits[0].jump
        raise UsageError(
            f"{self.told()}\nThe constraint does not decide between them: choose one from what "
            "you know about the motion"
        )

    def told(self) -> str:
        """Describe the exits in words."""
        ways = "\n".join(f"  v+ = {x.jump.v_after}" for x in self.exits)
        among = "" if all(x.isolated for x in self.exits) else ", among a continuum of others"
        return f"the motion may leave this point in {len(self.exits)} ways{among}:\n{ways}"


def jump_across(
    system: System,
    q: Point,
    v: Numbers,
    *,
    t: float = 0.0,
    external: Numbers | None = None,
    reach: float = 1.0,
    starts: int = 16,
    seed: int = 0,
) -> Exits:
    """Return the velocities with which a motion that arrives at q with velocity v can leave it.

    p+ = P (p- + external) with the projector of the limit D+ of the constraint, (6.14) and (6.17)
    [C02]. D+ is the limit along the straight line with velocity v+, which is solved for by Newton's
    method from `starts` directions. `reach` is the time over which the limit is taken, see
    `Codistribution.limit`.
    """
    search = _Search(Codistribution(system, t), q, v, external, reach)
    return _found(search, starts, seed)


def exits_at(D: Codistribution, q: Point, v: Numbers, reach: float, starts: int = 16) -> Exits:
    """Return `jump_across` for a run, whose v satisfies the constraint up to the method's error."""
    return _found(_Search(D, q, v, None, reach, OF_RUNS), starts, 0)


# solves from all starting directions, and collects distinct exits
def _found(search: _Search, starts: int, seed: int) -> Exits:
    system = search.system
    rng = np.random.default_rng(seed)
    first = [v for v in (search.v, search.arriving) if np.any(v)]
    first += list(rng.normal(size=(starts, system.dim)))
    directions: list[np.ndarray] = []
    exits: list[Exit] = []
    undecided = 0
    for start in first:
        try:
            result = search.solve(search.unit(start))
        except _Undecided:
            undecided += 1
            continue
        if result is None:
            continue
        if any(np.linalg.norm(result[0] - d) < _APART for d in directions):
            continue
        directions.append(result[0])
        exits.append(result[1])
    if not exits:
        raise UsageError(
            f"no velocity after this point of {system.name()} satisfies the constraint there: on "
            f"each side the constraint turns the motion back. ({undecided} of {len(first)} "
            "directions could not be distinguished from round-off)"
        )
    exits.sort(key=lambda x: x.jump.energy_lost)
    return Exits(tuple(exits), len(first), undecided)


class _Undecided(Exception):
    pass


class _Search:
    def __init__(
        self, D: Codistribution, q: Point, v, external, reach: float, off: float = _GIVEN
    ) -> None:
        self.D, self.system, self.q, self.reach = D, D.system, q, reach
        system = D.system
        self.v = np.asarray(v, dtype=float)
        self.G = np.asarray(compiled_call(metric, system, q, jnp.asarray(self.v)))
        self.white = Whitened(self.G, system)
        n = system.dim
        self.P = np.zeros(n) if external is None else np.asarray(external, dtype=float)
        if self.v.shape != (n,) or self.P.shape != (n,):
            raise UsageError(f"v and external must have shape ({n},)")
        self.arriving = self.v + np.linalg.solve(self.G, self.P)
        self.speed = self._length(self.arriving)
        if not self.speed > 0.0:
            raise UsageError("the motion is at rest: it does not leave the point")
        self._check_arrival(off)

    def _length(self, v: np.ndarray) -> float:
        return float(np.sqrt(v @ self.G @ v))

    # raises unless v satisfies the limit of the constraint before the point
    def _check_arrival(self, share: float) -> None:
        if not np.any(self.v):
            return
        before = self._limit(self.v, -1)
        off = before.rows @ self.v - before.offset
        size = np.linalg.norm(before.rows) * np.linalg.norm(self.v) + np.linalg.norm(before.offset)
        if np.any(np.abs(off) > (share + 10 * before.error) * size):
            raise UsageError(
                f"v violates the constraint before this point: {before.rows} v = "
                f"{before.rows @ self.v}, expected {before.offset}"
            )

    def unit(self, v: np.ndarray) -> np.ndarray:
        return v * (self.speed / max(self._length(v), 1e-300))

    def _limit(self, v: np.ndarray, side: int) -> Limit:
        return self.D.limit(self.D.straight(self.q, v), side=side, reach=self.reach, levels=_LEVELS)

    def leaving(self, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray, Limit]:
        """Return v+, the impulses and the limit, if the motion left in this direction."""
        try:
            limit = self._limit(direction, 1)
        except UsageError as reason:
            raise _Undecided from reason
        after, s, _ = self.white.nearest(self.v, limit.rows, limit.offset, self.P)
        return after, s, limit

    def residual(self, direction: np.ndarray) -> np.ndarray:
        """Return zero if the motion leaves as assumed; raise `_Undecided` if it would stop."""
        after = self.leaving(direction)[0]
        if self._length(after) < 1e-12 * self.speed:
            raise _Undecided
        return self.white.lower.T @ (self.unit(after) - direction) / self.speed

    def solve(self, direction: np.ndarray) -> tuple[np.ndarray, Exit] | None:
        """Return the direction that solves the equation from this start, and the exit there."""
        led = 0
        for _ in range(_ITERATIONS):
            r = self.residual(direction)
            if np.linalg.norm(r) < _FOUND:
                return self._exit(direction)
            tangent, slope = self._slope(direction, r)
            if np.linalg.norm(slope + self.white.lower.T @ tangent) < _CONSTANT:
                # the limit is the same all around: follow it, but not back and forth
                led += 1
                if led > 2:
                    return None
                direction = self.unit(self.leaving(direction)[0])
                continue
            step = np.linalg.lstsq(slope, -r, rcond=1e-12)[0]
            step *= min(1.0, 0.5 / max(np.linalg.norm(step), 1e-300)) * self.speed
            direction = self.unit(direction + tangent @ step)
        return None

    def _slope(self, direction: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return directions around this one, and the derivative of the residual along them."""
        w = self.white.lower.T @ direction
        around = np.linalg.svd(w[None, :])[2][1:].T
        tangent = np.linalg.solve(self.white.lower.T, around)
        columns = [
            (self.residual(self.unit(direction + _STEP * self.speed * tangent[:, i])) - r) / _STEP
            for i in range(tangent.shape[1])
        ]
        return tangent, np.array(columns).T

    def _exit(self, direction: np.ndarray) -> tuple[np.ndarray, Exit]:
        after, s, limit = self.leaving(direction)
        slope = self._slope(direction, self.residual(direction))[1]
        least = np.linalg.svd(slope, compute_uv=False)[-1]
        curve = self.D.straight(self.q, after, self.v)
        crossing = self.D.crossing(curve, reach=self.reach * self.speed / self._length(after))
        jump = made(self.G, self.v, after, s, limit.rows, limit.rank)
        return self.unit(after), Exit(jump, crossing, bool(least > _ISOLATED))
