"""When a fixed-point or Newton iteration has converged, stalls, or is as good as rounding allows.

Changes from turn to turn are judged by the size of the unknowns. That size vanishes where a motion
comes to rest, and what rounds off in forces that cancel there does not: stiffness times the last
digit of q. An iteration that stalls is therefore probed. The same equations, with q and v moved by
a few units in their last place, tell the `noise`: a change that is no larger is round-off.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compile.tracing import round_off
from ..groupoids import Groupoid
from ..linalg import NO_CONVERGENCE, OK
from ..system import Point
from .chart import is_flat

T = TypeVar("T")

# How far a probe moves q and v, in units of their last place. An iteration adds a handful of terms,
# each rounded to half a unit; 64 units leave room for sums over stages.
ROUNDING = 64

TINY = 1e-280  # a speed that is zero in any units; farther down digits are lost (1e-308)


class Iteration(NamedTuple):
    """An iteration after `count` turns."""

    x: Any
    before: jax.Array  # change in the turn before
    change: jax.Array  # change in the last one
    size: jax.Array  # what the change is judged by
    noise: jax.Array  # change that round-off makes; 0 until it was measured
    mark: jax.Array  # the change at the last progress
    since: jax.Array  # turns since then
    count: jax.Array


@dataclasses.dataclass(frozen=True)
class Judge:
    """Decides whether an iteration goes on, and whether where it ended is a solution."""

    tol: float  # of the change, as a part of the size: a solution
    product: float  # settled: change^2 is below this part of size times the change before it
    settled: float  # and the change is below this part of the size
    turns: int  # at least
    zero: float = 0.0  # settled as well: a change below this part of the size
    limit: int = 60  # at most
    # One turn alone does not show how an iteration contracts whose parts go in turns: it is given
    # up after `patience` turns that together do not make the change `progress` times smaller.
    patience: int = 4
    progress: float = 0.25

    def first(self, x: Any) -> Iteration:
        """Before the first turn."""
        far, none, zero = jnp.full((), jnp.inf), jnp.asarray(0), jnp.zeros(())
        return Iteration(x, far, far, zero, zero, far, none, none)

    def record(self, last: Iteration, x: Any, change, size) -> Iteration:
        """After one more turn, that led to x."""
        progress = change < self.progress * last.mark
        mark = jnp.where(progress, change, last.mark)
        since = jnp.where(progress, 0, last.since + 1)
        return Iteration(x, last.change, change, size, last.noise, mark, since, last.count + 1)

    def goes_on(self, last: Iteration) -> jax.Array:
        """Whether one more turn may help: by the contraction seen, it changes more than digits."""
        settled = last.change**2 <= self.product * last.size * last.before
        settled = settled & (last.change <= self.settled * last.size)
        if self.zero:
            settled = settled | (last.change <= self.zero * last.size)
        on = (last.since < self.patience) & ~settled & (last.count < self.limit)
        return on | (last.count < self.turns)

    def is_good(self, last: Iteration) -> jax.Array:
        """Whether it is a solution; not where a NaN is."""
        return last.change <= self.tol * last.size + last.noise + TINY

    def certificate(self, last: Iteration) -> tuple[jax.Array, jax.Array]:
        """(residual, result code), the residual relative to size and noise."""
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
    """The iteration where it ended, from the guess x.

    `improve(x, attempt, side)` makes one turn; with side 1 or -1 it makes it at a q and v moved to
    that side by `last_digits`. `change(new, old, at)` compares, by sizes at `at`. There are two
    attempts, 0 and 1 (Newton's, if the first fails). Each is an iteration and, where that has not
    converged, two turns that probe it: all in loops around one copy of `improve`, which is nearly
    all that there is to compile.
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

        found = lax.while_loop(
            lambda it: jnp.where(kind == 0, judge.goes_on(it), it.count < 1),
            turn,
            first._replace(x=select(kind == 0, x, last.x)),
        )
        noise = jnp.where(kind == 2, 0.5 * change(found.x, aside, last.x), 0.0)
        last = select(kind == 0, found, last)._replace(noise=noise)
        return i + 1, last, found.x

    _, last, _ = lax.while_loop(
        lambda c: (c[0] == 0) | ((c[0] < 6) & ~judge.is_good(c[1])),
        one_round,
        (jnp.asarray(0), first, x),
    )
    return last


def select(which: jax.Array, new: T, old: T) -> T:
    """`new` where `which`, or `old`: of whole trees."""
    return jax.tree.map(lambda a, b: jnp.where(which, a, b), new, old)


def last_digits(groupoid: Groupoid, q: Point, v: jax.Array) -> tuple[jax.Array, jax.Array]:
    """What rounds off in q, in the coordinates of a chart, and in v; times `ROUNDING`'s 64 units.

    The signs alternate and the sizes differ from entry to entry, so that a force that depends on
    differences of coordinates is probed as well.
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
