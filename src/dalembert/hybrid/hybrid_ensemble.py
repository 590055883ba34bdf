"""Many hybrid runs: members that start in modes of their own, and jump when they do.

Members run one after another, each as a `HybridRun`, through code that is compiled once.
"""

from __future__ import annotations

import dataclasses
import operator
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from numpy.typing import ArrayLike

from ..errors import SimulationError, UsageError
from ..methods import Method
from ..results import HybridTrajectory
from ..results.interpolation import Between
from ..running.driver import Progress
from ..running.request.validate import check_count, check_length, check_times, check_velocity
from ..system import Point
from .hybrid_run import HybridRun, steppers_of
from .mode_program import Node
from .modes import Modes


@dataclasses.dataclass(frozen=True)
class HybridEnsemble:
    """The runs of many members; `many[i]` is one of them, as far as it came.

    `failed` tells which members did not come to the end, and why.
    """

    members: tuple[HybridTrajectory, ...]
    failed: Mapping[int, str]
    wall_s: float

    def __len__(self) -> int:
        """Number of members."""
        return len(self.members)

    def __getitem__(self, member: int) -> HybridTrajectory:
        return self.members[operator.index(member)]

    def __iter__(self) -> Iterator[HybridTrajectory]:
        return iter(self.members)

    @property
    def jumps(self) -> np.ndarray:
        """How often each member has jumped."""
        return np.array([len(x.jumps) for x in self.members])

    @property
    def final_mode(self) -> tuple[str, ...]:
        """The mode in which each member ends."""
        return tuple(x.modes[x.mode[-1]] for x in self.members)

    def mode_at(self, t: ArrayLike) -> np.ndarray:
        """The number of each member's mode at times: (members, *times), -1 after a failure."""
        times = np.asarray(t, dtype=float)
        found = []
        for x in self.members:
            row = np.searchsorted(x.t, times, side="right") - 1
            mode = x.mode[np.clip(row, 0, None)]
            found.append(np.where((row < 0) | (times > x.t[-1]), -1, mode))
        return np.stack(found)

    def at(self, t: ArrayLike) -> Between:
        """The motion of all members at times: arrays (members, *times, ...)."""
        if self.failed:
            first = min(self.failed)
            raise UsageError(
                f"member {first} has failed ({self.failed[first]}): take many[i].at(t)"
            )
        parts = [x.at(t) for x in self.members]
        return jax.tree.map(lambda *x: np.stack(x), *parts)


def simulate_ensemble(
    modes: Modes,
    mode: str | Sequence[str],
    q0: Point,
    v0: Any,
    *,
    method: Method | Mapping[str, Method] | None = None,
    h: float | None = None,
    steps: int | None = None,
    t: float | None = None,
    t0: float = 0.0,
    save_every: int = 1,
    project: bool = False,
    jumps_per_step: int = 32,
    progress: bool | None = None,
    engine: str | None = None,
) -> HybridEnsemble:
    """Run members from many initial data; `mode` is one for all, or one for each.

    `q0` and `v0` have the members first. Members go one after another through code that is
    compiled once. One that fails does not stop the others: `failed` tells.
    """
    begin = time.perf_counter()
    if not isinstance(modes, Modes):
        raise UsageError(f"simulate_ensemble takes Modes({{name: system}}, ...), got {modes!r}")
    try:
        v = np.asarray(v0, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"v0 must be an array with the members first, got {v0!r}") from None
    if v.ndim != 2 or not len(v):
        raise UsageError(f"v0 must have the members first, (members, velocities); got {v.shape}")
    n = len(v)
    q = jax.tree.map(np.asarray, q0)
    lengths = {np.shape(x)[0] if np.ndim(x) else 0 for x in jax.tree.leaves(q)}
    if lengths != {n}:
        raise UsageError(f"q0 has {lengths} members, and v0 has {n}")
    names = [mode] * n if isinstance(mode, str) else list(mode)
    if len(names) != n:
        raise UsageError(f"{len(names)} modes for {n} members")
    h, steps = check_length(h, steps, t, t0)
    steps = check_count("steps", steps)
    h, t0 = (float(x) for x in check_times(h, t0))
    steppers = steppers_of(modes, method, (t0, h, steps), engine)
    counts = check_count("save_every", save_every), check_count("jumps_per_step", jumps_per_step)
    found, failed = [], {}
    with Progress(progress, n) as bar:
        for i, name in enumerate(names):
            run = HybridRun(modes, steppers, *counts)
            system = modes.system(name)
            try:
                mine = jax.tree.map(lambda x, i=i: x[i], q)
                point = system.groupoid.base.check(mine, "q0")
                run.begin(name, Node(t0, point, check_velocity(system, v[i]), None), project)
            except UsageError as error:
                raise error.located(after=f"(member {i} of {n})") from None
            try:
                found.append(run.to_the_end(time.perf_counter(), progress=False))
            except SimulationError as error:
                if isinstance(error.__cause__, KeyboardInterrupt):
                    raise
                found.append(error.trajectory)
                failed[i] = str(error)
            bar.update(i + 1)
    return HybridEnsemble(tuple(found), failed, time.perf_counter() - begin)
