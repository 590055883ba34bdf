"""Sampled reachable sets (8.1.2 [C02]): end points of random controls from rest."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import ArrayLike

from ..errors import UsageError
from ..inputs import PerMember, Table
from ..methods import Gauss, Method
from ..running import simulate_ensemble
from ..system import Point, System


class Reached(NamedTuple):
    """End states of random motions from rest at q, all of the same duration."""

    system: System
    q: np.ndarray  # the start, flat
    ends: np.ndarray  # (members, size): q at the end, flat
    speeds: np.ndarray  # (members, n): v at the end
    controls: np.ndarray  # (members, pieces, m)
    limit: np.ndarray  # bound of each |u|
    duration: float


def reachable_set(
    system: System,
    q: Point = None,
    *,
    duration: float = 1.0,
    limit: ArrayLike = 1.0,
    members: int = 500,
    pieces: int = 8,
    seed: int = 0,
    method: Method | None = None,
) -> Reached:
    """Sample the end points of piecewise constant controls, with `pieces` pieces, from rest at q.

    Half of the controls take random values within the limit, half jump between -limit and +limit.
    A sample shows points that can be reached; other points may be reachable, too.
    """
    q = system.initial()[0] if q is None else system.groupoid.base.check(q)
    m = len(system.input_labels)
    if not system.has_inputs:
        raise UsageError(f"{system.name()} has no inputs")
    if members < 2 or pieces < 1:
        raise UsageError(f"at least 2 members and 1 piece are needed, got {members} and {pieces}")
    bound = np.broadcast_to(np.asarray(limit, dtype=float), (m,))
    rng = np.random.default_rng(seed)
    values = rng.uniform(-1.0, 1.0, size=(members, pieces, m))
    values[::2] = np.sign(values[::2])
    values = values * bound
    times = np.tile(np.arange(pieces) * duration / pieces, (members, 1))
    control = PerMember(Table(times, values, hold=True))
    each = 4  # steps per piece, so that jumps occur between steps
    many = simulate_ensemble(
        system, Gauss(2) if method is None else method, q, jnp.zeros(system.dim),
        h=duration / (each * pieces), steps=each * pieces, u=control,
    )  # fmt: skip
    if many.failed:
        raise UsageError(f"{system.name()}: {len(many.failed)} of {members} motions failed")
    flat = system.groupoid.base.flatten
    last = jax.tree.map(lambda x: np.asarray(x)[:, -1], many.q)
    ends = np.asarray(jax.vmap(flat)(last))
    speeds = np.asarray(many.v).reshape(members, -1)[:, -system.dim :]
    return Reached(system, np.asarray(flat(q)), ends, speeds, values, np.array(bound), duration)


__all__ = ["Reached", "reachable_set"]
