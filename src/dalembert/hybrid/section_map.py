"""`section_map`: map a point to where its motion next crosses a surface, with derivatives."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import SimulationError, UsageError
from ..events import Event, named_events
from ..methods import Method, default
from ..request.validate import check_count
from ..results import Events
from ..running.api.simulate import simulate
from ..running.api.simulate_ensemble import simulate_ensemble
from ..running.record.sinks import Final
from ..running.sensitivity import sensitivities
from ..system import Point, System, a_number, is_traced
from .hybrid_flow import flow
from .modes import Modes

_MODE = "motion"
_TOL = 1e-9
_WITHIN = 4096  # default number of steps until a crossing
_BEHIND = 4.0  # steps by which a run continues after a crossing, so that the crossing is found


class Return(NamedTuple):
    """A crossing: time, place and velocity; `result` is 0 on success.

    `angle` is the rate of the section's function at the crossing, relative to its mean rate in the
    step before. At 0 the motion grazes the surface, and derivatives do not exist. (`angle` is not
    computed for many members; it is then 1.)
    """

    t: Any
    q: Point
    v: Any
    angle: Any
    result: Any


class ReturnSlopes(NamedTuple):
    """The derivatives of a crossing with respect to (q, v) at the start.

    `time`, (2n,), is the derivative of the time of the crossing. `state`, (2n, 2n), is the
    derivative of (q, v) at the crossing, that is, of the map. On a group, changes of q are q^-1 dq,
    at the start and at the crossing.
    """

    at: Return
    time: np.ndarray
    state: np.ndarray


def section_map(
    system: System,
    section: Any,
    *,
    h: float | None = None,
    tol: float | None = None,
    method: Method | None = None,
    direction: int = 1,
    returns: int = 1,
    within: float | None = None,
    t0: float = 0.0,
) -> SectionMap:
    """Return the map from (q, v) to where the motion next crosses a surface: a Poincare map.

    With P = da.section_map(system, section, h=0.02), `P(q, v)` is the state at the next crossing,
    `P.slopes(q, v).state` the derivative of the map, and `P.iterate(q, v, 100)` a hundred
    crossings of one motion, a Poincare section. With `h` and `within` given, P is a function for
    `jax.grad` and `vmap`.

    Args:
        section: g(t, q, v), or the name of a coordinate or velocity: the surface is g = 0.
        h: the step. By default it is chosen to meet `tol` (default 1e-9) up to the first crossing
            requested.
        method: `Gauss(2)` by default; a method whose state is (q, v) alone.
        direction: 1 takes crossings at which g increases, -1 those at which it decreases, 0 both.
        returns: which crossing is returned, counted from 1.
        within: the time within which that crossing must happen; by default 4096 steps each.

    A start on the surface does not count as a crossing. `P(q, v)` takes one start, or members along
    the first axis (native code, all at once). Inside `jit`, `vmap` and `grad` it takes one start,
    and `h` and `within` are required.
    """
    if isinstance(system, Modes):
        raise UsageError(
            "section_map takes a system; for hybrid systems use hybrid.flow(modes, ..., "
            "until=g), which has the next crossing and its derivatives"
        )
    if not isinstance(system, System):
        raise UsageError(f"section_map takes a system, got {system!r}")
    if isinstance(section, Event):
        section, direction = section.g, section.direction or direction
    event = named_events({"section": Event(section, direction)}, system)["section"]
    if h is not None and tol is not None:
        raise UsageError("give h or tol, not both: tol chooses the step")
    for name, x in (("h", h), ("tol", tol), ("within", within)):
        if x is not None and not (isinstance(x, (int, float)) and 0.0 < x < math.inf):
            raise UsageError(f"section_map: {name} must be a positive number, got {x!r}")
    chosen = default() if method is None else method
    if chosen.traits.carry != "node":
        raise UsageError(
            f"section_map: {chosen.name} carries more than a node from step to step, so that a "
            "crossing does not determine the next one: take Gauss() or RK4()"
        )
    count = check_count("returns", returns)
    return SectionMap(system, event, chosen, h, tol or _TOL, count, within, float(t0))


class SectionMap:
    """The result of `section_map`: call it with a start."""

    def __init__(
        self,
        system: System,
        event: Event,
        method: Method,
        h: float | None,
        tol: float,
        returns: int,
        within: float | None,
        t0: float,
    ) -> None:
        self.system, self.event, self.method, self.h = system, event, method, h
        self.tol, self.returns, self.within, self.t0 = tol, returns, within, t0
        self._modes = Modes({_MODE: system})

    def __call__(self, q: Point, v: Any) -> Return:
        """Return the crossing of the motion from (q, v), or those of members."""
        if is_traced((q, v, self.system, a_number())):
            if self.h is None or self.within is None:
                raise UsageError(
                    "section_map inside of jit, vmap or grad needs h and within: JAX fixes the "
                    "number of steps when it compiles"
                )
            return self._once(q, v, self._steps(self.within))
        v = np.asarray(v, dtype=float)
        if v.ndim == 2:
            return self._members(q, v)
        result = self._found(q, v, self.returns)
        t, x, w = jax.tree.map(lambda a: a[-1], (result.t, result.q, result.v))
        return Return(t, x, w, np.asarray(1.0), np.asarray(0))

    def iterate(self, q: Point, v: Any, count: int) -> Return:
        """Return the first `count` crossings of one motion, in one run, along the first axis."""
        count = check_count("count", count)
        values = self._found(q, np.asarray(v, dtype=float), count * self.returns)
        every = slice(self.returns - 1, None, self.returns)
        t, x, w = jax.tree.map(lambda a: np.asarray(a)[every], (values.t, values.q, values.v))
        return Return(t, x, w, np.ones(len(t)), np.zeros(len(t), int))

    def slopes(self, q: Point, v: Any) -> ReturnSlopes:
        """Return the crossing with the derivatives of its time and of the map.

        They follow from the variational equations, as in `da.sensitivities`: they are those of the
        exact motion, whatever the method of the map. If the motion grazes the surface, a
        `SimulationError` names the angle.
        """
        v = np.asarray(v, dtype=float)
        result = self._found(q, v, self.returns)
        assert self.h is not None  # `_found` has chosen it
        until = float(result.t[-1]) + self.h * _BEHIND
        slopes = sensitivities(
            self.system, q, v, t=until, t0=self.t0, events=self._until(self.returns)
        )
        at = slopes.events[-1]
        there = Return(at.t, at.q, at.v, np.asarray(at.angle), np.asarray(0))
        return ReturnSlopes(there, at.time, at.initial)

    # -- inside ------------------------------------------------------------------------------

    def _steps(self, span: float) -> int:
        assert self.h is not None
        return max(math.ceil(span / self.h - 1e-9), 1)

    def _once(self, q: Point, v: Any, steps: int) -> Return:
        """Compute the crossing by JAX operations, with derivatives."""
        t, angle, result = jnp.asarray(self.t0), jnp.asarray(jnp.inf), jnp.asarray(0)
        for _ in range(self.returns):
            end = flow(
                self._modes, _MODE, q, v, method=self.method, h=self.h, steps=steps, t0=self.t0,
                until=self.event, most_jumps=1,
            )  # fmt: skip
            t, q, v = t + (end.t - self.t0), end.q, end.v
            angle, result = jnp.minimum(angle, end.angle), jnp.maximum(result, end.result)
        return Return(t, q, v, angle, result)

    def _until(self, count: int) -> dict[str, Event]:
        return {"section": Event(self.event.g, self.event.direction, count=count)}

    def _found(self, q: Point, v: np.ndarray, count: int) -> Events:
        """Return the first crossings of one motion, by native code."""
        if self.h is None:
            self._choose_step(q, v)
        assert self.h is not None
        steps = count * (self._steps(self.within) if self.within else _WITHIN)
        run = simulate(
            self.system, self.method, q, v, h=self.h, steps=steps, t0=self.t0, save=Final(),
            events=self._until(count), progress=False,
        )  # fmt: skip
        if run.events is None or len(run.events) < count:
            raise self._none(0 if run.events is None else len(run.events), count, steps)
        return run.events

    def _none(self, found: int, count: int, steps: int, who: str = "") -> SimulationError:
        assert self.h is not None
        return SimulationError(
            f"section_map: {found} of {count} crossings{who} within t = {steps * self.h:g}: give a "
            "longer `within`, or another direction"
        )

    def _members(self, q: Point, v: np.ndarray) -> Return:
        if self.h is None:
            self._choose_step(jax.tree.map(lambda x: np.asarray(x)[0], q), v[0])
        assert self.h is not None
        steps = self.returns * (self._steps(self.within) if self.within else _WITHIN)
        run = simulate_ensemble(
            self.system, self.method, q, v, h=self.h, steps=steps, t0=self.t0, save=Final(),
            events=self._until(self.returns), progress=False,
        )  # fmt: skip
        events, n = run.events, len(v)
        assert events is not None
        member = np.asarray(events.member)
        last = np.full(n, -1)
        last[member] = np.arange(len(member))  # sorted by time: the last write wins
        counts = np.bincount(member, minlength=n)
        if np.any(counts < self.returns):
            i = int(np.flatnonzero(counts < self.returns)[0])
            raise self._none(int(counts[i]), self.returns, steps, f" of member {i}")
        t, x, w = jax.tree.map(lambda a: np.asarray(a)[last], (events.t, events.q, events.v))
        return Return(t, x, w, np.ones(n), np.zeros(n, int))

    def _choose_step(self, q: Point, v: np.ndarray) -> None:
        """Choose the step that meets the tolerance up to the first crossing."""
        span = self.within or 16.0
        end = None
        for _ in range(8):
            run = simulate(
                self.system, q, v, t=self.t0 + span, t0=self.t0, tol=self.tol, save=Final(),
                events=self._until(self.returns), progress=False,
            )  # fmt: skip
            if run.events is not None and len(run.events) == self.returns:
                end = float(run.events.t[-1])
                break
            if self.within is not None:
                break
            span *= 4.0
        if end is None:
            raise SimulationError(
                f"section_map: no crossing within t = {span:g}: give a longer `within`, or h"
            )
        run = simulate(
            self.system, self.method, q, v, t=end, t0=self.t0, tol=self.tol, progress=False
        )
        self.h = float(run.meta.h)
