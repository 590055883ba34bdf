"""Unilateral constraints f(q) >= 0: impulses that only push, at several contacts at once."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import UsageError
from ..groupoids import move
from ..system import Point, System, compiled_call
from .contact_modes import Gaps
from .jumps import Jump, Numbers, jump

_MOST = 8  # contacts at once: all sets of pushing contacts are tried


def gap_rows(system: System, gaps: Gaps, q: Point) -> jax.Array:
    """Return the one-forms df of gaps f(q) >= 0, one row each; they point to increasing gaps."""
    return jax.jacfwd(lambda w: gaps(move(system.groupoid, q, w)))(jnp.zeros(system.dim))


def impact(
    system: System,
    q: Point,
    v: Numbers,
    gaps: Gaps,
    *,
    t: float = 0.0,
    restitution: Numbers = 0.0,
    closed: float = 1e-9,
) -> Jump:
    """Return the jump at q where gaps(q) >= 0 are closed; impulses push and never pull.

    With w = df v, each closed gap either pushes, and w+ = -e w-, or does not push, and w+ >= -e w-.
    The velocity is unique for any number of contacts, if their rows are independent. Open gaps
    (above `closed`) do not act. `rows` and `impulse` of the result have the rows of all gaps, with
    zero impulse for those that did not push.
    """
    f = np.asarray(gaps(q))
    if f.ndim != 1:
        raise UsageError(f"gaps(q) must be a vector of functions, got shape {f.shape}")
    if np.any(f < -closed):
        raise UsageError(f"gaps(q) must not be negative: the bodies overlap, {f}")
    touching = np.flatnonzero(f <= closed)
    if len(touching) > _MOST:
        raise UsageError(f"{len(touching)} contacts at once; at most {_MOST} are solved for")
    rows = np.asarray(compiled_call(_rows, system, gaps, q))
    e = np.broadcast_to(np.asarray(restitution, dtype=float), f.shape)
    speed = np.asarray(v, dtype=float)
    approach = rows @ speed
    size = np.linalg.norm(rows, axis=1) * np.linalg.norm(speed)
    for pushing in _subsets(touching, approach):
        active = list(pushing)
        result = jump(
            system, q, v, t=t, rows=rows[active], restitution=e[active] if active else 0.0
        )
        m = len(result.impulse) - len(active)
        pushes = np.asarray(result.impulse)[m:]
        leaves = rows @ np.asarray(result.v_after) + e * approach
        if np.all(pushes >= 0.0) and np.all(leaves[touching] >= -1e-12 * size[touching]):
            impulse = np.zeros(m + len(f))
            impulse[:m], impulse[[m + i for i in active]] = result.impulse[:m], pushes
            every = np.concatenate([np.asarray(result.rows)[:m], rows])
            return result._replace(impulse=jnp.asarray(impulse), rows=jnp.asarray(every))
    raise UsageError(
        f"no choice of active contacts among {touching.tolist()} satisfies all of them: their "
        "rows are linearly dependent"
    )


def _rows(system: System, gaps: Gaps, q: Point) -> jax.Array:
    return gap_rows(system, gaps, q)


def _subsets(touching: np.ndarray, approach: np.ndarray):
    """Yield sets of contacts that may push; first all that approach, right for a single contact."""
    first = tuple(int(i) for i in touching if approach[i] < 0.0)
    yield first
    for k in range(len(touching) + 1):
        for some in itertools.combinations(map(int, touching), k):
            if some != first:
                yield some
