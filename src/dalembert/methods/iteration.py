"""Decide whether a fixed-point or Newton iteration has converged, stalls, or is at round-off.

The change in each turn is compared with the size of the unknowns. That size vanishes where a motion
comes to rest, but the round-off of forces that cancel there does not: it is the stiffness times the
last digit of q. An iteration that stalls is therefore probed: its equations are evaluated with q
and v shifted by a few units in their last place, and the change that this causes is the `noise`. A
change in a turn that is no larger than the noise is round-off.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compile.rolled import select
from ..compile.tracing import round_off
from ..groupoids import Groupoid
from ..linalg import NO_CONVERGENCE, OK
from ..system import Point
from .chart import is_flat

T = TypeVar("T")

# How far a probe shifts q and v, in units of their last place. An iteration adds a handful of
# terms, each rounded to half a unit; 64 units leave a margin for sums over stages.
ROUNDING = 64

TINY = 1e-280  # a speed that counts as zero in any units; near 1e-308 doubles lose digits


class Iteration(NamedTuple):
    """State of an iteration after `count` turns."""

    x: Any
    before: jax.Array  # change in the turn before the last
    change: jax.Array  # change in the last turn
    size: jax.Array  # scale to which the change is compared
    noise: jax.Array  # change caused by round-off; 0 until it is measured
    mark: jax.Array  # the change when the iteration last made progress
    since: jax.Array  # turns since the last progress
    count: jax.Array


@dataclasses.dataclass(frozen=True)
class Judge:
    """Decides whether an iteration continues, and whether its result is a solution."""

    tol: float  # the result is a solution if change <= tol * size
    # settled, no further turn needed, if change^2 <= product * size * (previous change) ...
    product: float
    settled: float  # ... and change <= settled * size
    turns: int  # least number of turns
    zero: float = 0.0  # settled in any case if change <= zero * size
    limit: int = 60  # largest number of turns
    # If parts of the unknowns converge in alternation, a single turn does not show the contraction.
    # The iteration is given up when `patience` turns together have not reduced the change to
    # `progress` times its value.
    patience: int = 4
    progress: float = 0.25

    def first(self, x: Any) -> Iteration:
        """Return the state before the first turn."""
        far, none, zero = jnp.full((), jnp.inf), jnp.asarray(0), jnp.zeros(())
        return Iteration(x, far, far, zero, zero, far, none, none)

    def record(self, last: Iteration, x: Any, change, size) -> Iteration:
        """Return the state after one more turn, which gave x."""
        progress = change < self.progress * last.mark
        mark = jnp.where(progress, change, last.mark)
        since = jnp.where(progress, 0, last.since + 1)
        return Iteration(x, last.change, change, size, last.noise, mark, since, last.count + 1)

    def goes_on(self, last: Iteration) -> jax.Array:
        """Return whether to take another turn: not if settled, stalled or at the limit."""
        settled = last.change**2 <= self.product * last.size * last.before
        settled = settled & (last.change <= self.settled * last.size)
        if self.zero:
            settled = settled | (last.change <= self.zero * last.size)
        on = (last.since < self.patience) & ~settled & (last.count < self.limit)
        return on | (last.count < self.turns)

    def is_good(self, last: Iteration) -> jax.Array:
        """Return whether the result is a solution; False if the change is NaN."""
        return last.change <= self.tol * last.size + last.noise + TINY

    def certificate(self, last: Iteration) -> tuple[jax.Array, jax.Array]:
        """Return (residual, result code); the residual is relative to size and noise."""
        size = last.size + last.noise / self.tol
        residual = last.change / jnp.where(size > 0, size, 1.0)
        return residual, jnp.where(self.is_good(last), float(OK), float(NO_CONVERGENCE))


def converge(
    judge: Judge,
    x: T,
    improve: Callable[[T, jax.Array, jax.Array], T],
    change: Callable[[T, T, T], jax.Array],
    size: Callable[[T], jax.Array],
) -> Iteration:
    """Iterate `improve` from the guess x, and return the final state of the iteration.

    `improve(x, attempt, side)` makes one turn; with side 1 or -1, at q and v shifted to that side
    by `last_digits`. `change(new, old, at)` compares two values, relative to sizes at `at`. There
    are two attempts: 0, and 1 (Newton's method) if attempt 0 fails. Each is an iteration, followed
    by two probing turns if it has not converged. Everything runs in loops around one copy of
    `improve`, which is most of the code to compile.
    """
    first = judge.first(x)

    def one_round(rounds):
        i, last, aside = rounds
        attempt = jnp.where(i < 3, 0, 1)
        kind = i - 3 * attempt
        side = jnp.where(kind == 0, 0.0, jnp.where(kind == 1, 1.0, -1.0))

        def turn(it: Iteration) -> Iteration:
            new = improve(it.x, attempt, side)
            return judge.record(it, new, change(new, it.x, new), size(new))

        result = lax.while_loop(
            lambda it: jnp.where(kind == 0, judge.goes_on(it), it.count < 1),
            turn,
            first._replace(x=select(kind == 0, x, last.x)),
        )
        noise = jnp.where(kind == 2, 0.5 * change(result.x, aside, last.x), 0.0)
        last = select(kind == 0, result, last)._replace(noise=noise)
        return i + 1, last, result.x

    _, last, _ = lax.while_loop(
        lambda c: (c[0] == 0) | ((c[0] < 6) & ~judge.is_good(c[1])),
        one_round,
        (jnp.asarray(0), first, x),
    )
    return last


def last_digits(groupoid: Groupoid, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return changes of q (in coordinates of a chart) and of v by `ROUNDING` units of round-off.

    The signs alternate and the magnitudes differ from entry to entry, so that a force that depends
    on differences of coordinates is probed as well.
    """
    n = v.shape[0]
    weights = jnp.asarray(
        ROUNDING * round_off() * np.linspace(1.0, 0.5, n) * (-1.0) ** np.arange(n)
    )
    if is_flat(groupoid):
        size = jnp.abs(q)
    else:
        far = [jnp.max(jnp.abs(x), initial=0.0) for x in jax.tree.leaves(q)]
        size = jnp.full(n, jnp.max(jnp.stack(far)) if far else 0.0)
    return weights * size, weights * jnp.abs(v)
