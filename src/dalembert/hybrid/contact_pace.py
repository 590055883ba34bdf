"""How long steps may be while slips of two rows (a slip vector s in a plane) turn; traceable.

As such a slip vanishes, its direction turns at a rate that grows like 1/|s|, and equal steps have
an error of first order, whatever the method. Steps of the size h (|s|/S)^(p/(p+1)), with the
largest slip speed S of the arc and the order p of the method, have an error of order p: a step has
the error |s| (size/|s|)^(p+1), and the sum of these over the arc is bounded by a multiple of h^p.

`beside` has three numbers for each slip of two rows: |s|, the acceleration across s, and the whole
slip acceleration; all are 0 if the group does not slide.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

LEAST = 2.0**-26  # fraction of the step h: the shortest part
GROWTH = 1.7  # factor of the next part after one that succeeds
AGAIN = 2.0**-20  # fraction of h: tolerance for the end of a slip
_LENGTH = 1.0  # factor of the size of parts: a larger one gives fewer parts with larger errors
_SHRUNK = 0.5  # fraction of the largest slip speed, above which slips turn slowly
_NEARER = 0.5  # longest part, as a fraction of the time in which the slip vanishes
_VANISHED = 1e-9  # m/s: see `spent`; steps failed from 6e-10 on beside a slip that barely slides
_GONE = 1e-12  # relative to the largest slip of the arc: smaller slips are round-off


def longest_step(beside: Any, largest: Any, h: Any, order: int, xp: Any = jnp) -> Any:
    """Return the longest step from here; infinite if steps of h will do."""
    found, p = xp.asarray(xp.inf), order
    for g in range(beside.shape[-1] // 3):
        size, across, whole = (beside[..., 3 * g + i] for i in range(3))
        most = xp.maximum(size, largest[..., g])
        moves = (whole > 0.0) & (most > 0.0)
        whole, most = (xp.where(moves, x, 1.0) for x in (whole, most))
        sine, share = across / whole, size / most
        turns = moves & (sine * share > _GONE)
        sine = xp.where(turns, sine, 1.0)
        power = xp.exp(xp.log(xp.where(turns, share**p / sine, 1.0)) / (p + 1.0))
        mine = xp.where(share < _SHRUNK, xp.minimum(_LENGTH * h * power, xp.inf), xp.inf)
        mine = xp.minimum(mine, _NEARER * size / whole)
        found = xp.minimum(found, xp.where(turns, mine, xp.inf))
    return xp.where(found < h, found, xp.inf)


def largest_slips(beside: Any, largest: Any, xp: Any = jnp) -> Any:
    """Return the largest slip speeds so far; that of a slip that has stopped is reset to zero."""
    size = beside[..., 0::3]
    return xp.where(size > 0.0, xp.maximum(size, largest), 0.0)


def gone(beside: Any, largest: Any, xp: Any = jnp) -> tuple[Any, Any, Any]:
    """Return whether a slip has turned and is about to vanish, which one, and the time left."""
    found, which, time = xp.asarray(False), xp.asarray(0), xp.asarray(0.0)
    for g in reversed(range(beside.shape[-1] // 3)):
        size, across, whole = (beside[..., 3 * g + i] for i in range(3))
        turns = size * across
        mine = (turns > 0.0) & (turns <= _GONE * largest[..., g] * whole)
        found = found | mine
        which = xp.where(mine, g, which)
        time = xp.where(mine, size / xp.where(whole > 0.0, whole, 1.0), time)
    return found, which, time


def spent(beside: Any, largest: Any, xp: Any = jnp) -> tuple[Any, Any]:
    """Return whether a slip from which a step fails has vanished, and which one.

    While a force that turns barely exceeds friction, a slip stays small and follows it: its
    direction relaxes at the rate mu load/|s|, which no step resolves. Errors of the direction add
    to the slip, so that it does not come to zero where the law says.
    """
    found, which = xp.asarray(False), xp.asarray(0)
    for g in reversed(range(beside.shape[-1] // 3)):
        size = beside[..., 3 * g]
        mine = (size > 0.0) & (size <= _VANISHED) & (size < _SHRUNK * largest[..., g])
        found, which = found | mine, xp.where(mine, g, which)
    return found, which


__all__ = ["AGAIN", "GROWTH", "LEAST", "gone", "largest_slips", "longest_step", "spent"]
