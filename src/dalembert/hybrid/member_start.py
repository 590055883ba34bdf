"""Initial data of the members of a hybrid ensemble, and the arguments that they share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np

from ..errors import UsageError, unknown_name
from ..events import Event
from ..request.batch import Design
from ..request.step import StopRule
from ..request.validate import check_velocity
from ..rows import AnySink
from ..system import Point
from .modes import Modes
from .rank_modes import RankModes
from .rough_modes import RoughModes

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class MemberRequest(NamedTuple):
    """The arguments that all members share."""

    method: Any
    h: float
    t0: float
    steps: int
    sinks: Mapping[str, AnySink]
    save_jumps: bool = True
    project: bool = False
    events: Mapping[str, Event] = _NOTHING
    stop_when: StopRule | None = None
    limit: int = 32
    engine: str | None = None


@dataclasses.dataclass(frozen=True)
class MemberStart:
    """Where the members start: modes, points, velocities, and parameters that differ."""

    modes: Modes
    names: list[Any]
    q: Point
    v: np.ndarray
    over: Mapping[str, np.ndarray]
    first: int = 0  # the number of the first of these members in the whole ensemble
    total: int = 0  # the number of members of the whole ensemble

    def __len__(self) -> int:
        return len(self.v)

    def part(self, mine: slice) -> MemberStart:
        """Return the starts of some of the members, as a part of this ensemble."""
        q, v, over = jax.tree.map(lambda x: x[mine], (self.q, self.v, dict(self.over)))
        names, first = self.names[mine], self.first + (mine.start or 0)
        return dataclasses.replace(self, names=names, q=q, v=v, over=over, first=first)

    def some(self, mine: np.ndarray) -> MemberStart:
        """Return these members as a separate ensemble."""
        q, v, over = jax.tree.map(lambda x: x[mine], (self.q, self.v, dict(self.over)))
        names = [self.names[i] for i in mine.tolist()]
        return dataclasses.replace(self, names=names, q=q, v=v, over=over, total=len(mine))

    def told(self, i: int) -> str:
        """Return the text that names member i in a message."""
        return f"(member {self.first + i} of {self.total})"

    def member(self, i: int) -> tuple[Modes, Any, Point, np.ndarray]:
        """Return (modes, mode, q, v) of a member, with its own parameters."""
        q = jax.tree.map(lambda x: x[i], self.q)
        return self.modes_of(i), self.names[i], q, self.v[i]

    def modes_of(self, i: int) -> Modes:
        """Return the modes with the parameters of a member."""
        if not self.over:
            return self.modes
        values = {k: float(x[i]) for k, x in self.over.items()}
        if isinstance(self.modes, (RoughModes, RankModes)):
            return self.modes.with_parameters(**values)

        def changed(system: Any) -> Any:
            for name, value in values.items():
                if name in system.parameters():
                    system = eqx.tree_at(lambda s, n=name: getattr(s, n), system, value)
            return system

        systems = {k: changed(x) for k, x in self.modes.systems.items()}
        return self.modes.with_systems(systems)


def members_from(modes: Modes, mode: Any, q0: Point, v0: Any, over: Design | None) -> MemberStart:
    """Return the checked initial data of all members; `modes.start` for all if none are given."""
    values = {}
    if over is not None:
        if not isinstance(over, Design):
            raise UsageError(f"over must be da.grid(...) or da.sample(...), got {over!r}")
        values = dict(over.values)
        known = {name for x in modes.systems.values() for name in x.parameters()}
        if isinstance(modes, RoughModes):
            known = set(modes.source[0].parameters())
        elif isinstance(modes, RankModes):
            known = set(modes.source.parameters())
        for name in values:
            if name not in known:
                raise unknown_name("parameter", name, sorted(known))
    if mode is None and q0 is None and v0 is None:
        if modes.start is None:
            raise UsageError("give a mode, q0 and v0: these modes name no start")
        mode, q0, v0 = modes.start
        n = len(next(iter(values.values()))) if values else 1
        q0 = jax.tree.map(lambda x: np.repeat(np.asarray(x)[None], n, axis=0), q0)
        v0 = np.repeat(np.asarray(v0)[None], n, axis=0)
    if not modes.decides or q0 is None or v0 is None:
        mode, q0, v0 = Modes.started(modes, mode, q0, v0, 0.0)
    try:
        v = np.asarray(v0, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(
            f"v0 must be an array whose first axis is the members, got {v0!r}"
        ) from None
    if v.ndim != 2 or not len(v):
        raise UsageError(f"v0 must have shape (members, velocities); got {v.shape}")
    n = len(v)
    q = jax.tree.map(lambda x: np.asarray(x, dtype=float), q0)
    q = np.asarray(q) if isinstance(q, list) else q
    lengths = {np.shape(x)[0] if np.ndim(x) else 0 for x in jax.tree.leaves(q)}
    if lengths != {n}:
        raise UsageError(f"q0 has {lengths} members, and v0 has {n}")
    for name, x in values.items():
        if len(x) != n:
            raise UsageError(f"over has {len(x)} values of '{name}', and v0 has {n} members")
    names: list[Any] = [mode] * n if mode is None or isinstance(mode, str) else list(mode)
    if len(names) != n:
        raise UsageError(f"{len(names)} modes for {n} members")
    for name in () if modes.decides else dict.fromkeys(names):
        system = modes.system(name)
        i = names.index(name)
        try:
            system.groupoid.base.check(jax.tree.map(lambda x, i=i: x[i], q), "q0")
            check_velocity(system, v[i])
        except UsageError as error:
            raise error.located(after=f"(member {i} of {n})") from None
    return MemberStart(modes, names, q, v, {k: np.asarray(x) for k, x in values.items()}, 0, n)
