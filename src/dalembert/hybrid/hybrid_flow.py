"""A hybrid run as a function of its start and its parameters, for `jax.grad`, `jit` and `vmap`.

Native code makes the run, outside of JAX, and returns its moves: steps to the grid, steps to the
zeros of guards, jumps. The moves are then repeated as JAX operations. The length s of a step to a
zero becomes a function of the state where the step begins, s = s0 - (g(s0) - g)/g' (the implicit
function theorem). The saltation of the state at jumps follows from this by the chain rule.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compile.layout import Layout
from ..errors import SimulationError, UsageError
from ..events import Event, EventFunction, named_events
from ..events.locate import GRAZES
from ..groupoids import move
from ..methods import Method, default
from ..request.prepare import plan_for
from ..request.step import has_any_times, initial_state
from ..request.validate import check_count, check_length, check_times, check_velocity
from ..results import HybridTrajectory
from ..running.programs.traced_events import time_shift
from ..system import Point, as_arrays, is_traced
from .arc_program import turns_of
from .arc_turn import Turns
from .hybrid_api import with_events
from .hybrid_run import HybridRun, steppers_of
from .mode_program import Node
from .modes import Modes


class End(NamedTuple):
    """The end of a hybrid run; `result` is 0 on success, otherwise a key of `RESULTS`.

    `angle` is the smallest rate of a guard at a zero, relative to its mean rate in the step before.
    At 0 the motion grazes the guard, and derivatives do not exist.
    """

    t: Any
    q: Point
    v: Any
    mode: Any
    jumps: Any
    angle: Any
    result: Any


class HybridRows(NamedTuple):
    """The rows of a hybrid run inside a JAX transformation, as arrays of known shapes.

    The first rows are those of `hybrid.simulate` outside of one: on the grid, and two at each jump.
    The last row is repeated up to the end, so that `q[-1]` is the end of the run. `jumps` are the
    times of the jumps, NaN after the last one. `angle` and `result` are those of `End`.
    """

    t: Any
    q: Point
    v: Any
    mode: Any
    jumps: Any
    angle: Any
    result: Any


RESULTS = {
    0: "",
    1: "the run failed",
    2: "more moves than `most_jumps` allows",
    3: "grazing",
    4: "the zero of `until` was not reached",
}


class _Moves(NamedTuple):
    """The moves of a run, one row for each; all fields are double-precision numbers."""

    kind: Any  # _STEP, _TO_ZERO, _JUMP or _NONE
    way: Any  # of a jump: its index; of a step to a zero: the index of the guard in its mode
    t: Any  # time at the end of the move
    goes_on: Any  # whether the method continues from its carry
    result: Any  # result of the whole run


_NONE, _STEP, _TO_ZERO, _JUMP = range(4)


def flow(
    modes: Modes,
    mode: str | None = None,
    q0: Point = None,
    v0: Any = None,
    *,
    method: Method | Mapping[str, Method] | None = None,
    h: float | None = None,
    steps: int | None = None,
    t: float | None = None,
    t0: float = 0.0,
    until: Event | EventFunction | None = None,
    most_jumps: int = 128,
    jumps_per_step: int = 32,
) -> End:
    """Return the end of a hybrid run, differentiable in q0, v0 and the systems' parameters.

        def height(v):
            return da.hybrid.flow(modes, "air", [0.0, 1.0], v, h=0.01, t=2.0).q[1]

        jax.grad(height)(jnp.array([1.0, 0.0]))

    With `until`, a function g(t, q, v), the run ends at the first zero of g, and `t` of the result
    is its time, with derivatives; if there is no zero, `result` says so. Reverse and forward mode,
    `jit` and `vmap` are supported. Constants in guards and jumps (a restitution) are not
    differentiated. If the motion grazes a guard, derivatives are NaN and `result` says so.
    """
    how = {
        "method": method, "h": h, "steps": steps, "t": t, "t0": t0, "until": until,
        "most_jumps": most_jumps, "jumps_per_step": jumps_per_step,
    }  # fmt: skip
    return _flowed(modes, mode, q0, v0, rows=False, **how)[0]


def rows_inside(
    modes: Modes,
    mode: str | None,
    q0: Point,
    v0: Any,
    *,
    events: Mapping[str, Any] | None = None,
    **options: Any,
) -> HybridRows:
    """Return the rows of `hybrid.simulate` inside of jit, vmap and grad."""
    for name, x in options.items():
        if x not in (None, False) and name not in _INSIDE:
            raise UsageError(
                f"{name} needs a run outside of jit, vmap and grad; inside, a hybrid run returns "
                "the rows of all steps and of up to 128 jumps, because JAX needs known shapes"
            )
    until = None
    if events is not None:
        (until, *others) = named_events(events, next(iter(modes.systems.values()))).values()
        if others or until.ends_at != 1:
            raise UsageError(
                "a hybrid run inside of jit, vmap and grad takes one event, which ends it: "
                "Event(g, terminal=True). JAX compiles for arrays of known shapes, and the number "
                "of other events depends on the motion"
            )
    given = {k: x for k, x in options.items() if k in _INSIDE}
    end, rows = _flowed(modes, mode, q0, v0, until=until, rows=True, **given)
    assert rows is not None
    return HybridRows(rows.t, rows.q, rows.v, rows.mode, rows.jumps, end.angle, end.result)


_INSIDE = ("method", "h", "steps", "t", "t0", "jumps_per_step")


def _flowed(
    modes: Modes,
    mode: str | None = None,
    q0: Point = None,
    v0: Any = None,
    *,
    rows: bool,
    method: Method | Mapping[str, Method] | None = None,
    h: float | None = None,
    steps: int | None = None,
    t: float | None = None,
    t0: float = 0.0,
    until: Event | EventFunction | None = None,
    most_jumps: int = 128,
    jumps_per_step: int = 32,
) -> tuple[End, _Rows | None]:
    """Return the end of a run, and its rows."""
    if not isinstance(modes, Modes):
        raise UsageError(f"hybrid.flow takes Modes({{name: system}}, ...), got {modes!r}")
    if modes.decides:
        raise UsageError(
            "hybrid.flow needs declared modes, not modes that are found during the run; "
            "da.sensitivities(modes, q0, v0, t=, h=) differentiates runs with friction by their "
            "start"
        )
    mode, q0, v0 = modes.started(mode, q0, v0, t0)
    h, steps = check_length(h, steps, t, t0)
    steps, most = check_count("steps", steps), check_count("most_jumps", most_jumps)
    h, t0 = (float(x) for x in check_times(h, t0))
    system = modes.system(mode)
    number = modes.names.index(mode)
    if until is not None:
        named = named_events({"until": until}, system)
        ends = {k: Event(x.g, x.direction, True) for k, x in named.items()}
        watching = {len(modes.transitions) + i: e for i, e in enumerate(ends.values())}
        modes = with_events(modes, ends)
    else:
        watching = {}
    chosen = {}
    for name in modes.names:
        one = method.get(name) if isinstance(method, Mapping) else method
        chosen[name] = default() if one is None else one
        if chosen[name].traits.carry != "node" or has_any_times(chosen[name]):
            raise UsageError(
                f"{chosen[name].name} carries more than a node from step to step: for derivatives "
                "take Gauss() or RK4()"
            )
    parts = [as_arrays(x, tables=False) for x in modes.systems.values()]
    plans = [
        plan_for(x, chosen[name], *part)
        for (name, x), part in zip(modes.systems.items(), parts, strict=True)
    ]
    own = tuple(jax.tree.map(jnp.asarray, dynamic) for dynamic, _ in parts)
    turns = turns_of(modes, plans, tuple(watching))
    q = system.groupoid.base.check(q0, "q0")
    v = check_velocity(system, v0)
    q, v = jax.tree.map(lambda x: jnp.asarray(x, dtype=float), (q, v))
    count = steps + 2 * most + 2

    def run(own: Any, q: Point, v: Any) -> _Moves:
        """Return the moves, computed by native code."""
        given = jax.tree.map(np.asarray, (own, q, v))
        systems = {
            name: eqx.combine(x, static)
            for name, x, (_, static) in zip(modes.names, given[0], parts, strict=True)
        }
        mine = modes.with_systems(systems)
        steppers = steppers_of(mine, chosen, (t0, h, steps), None)
        one = HybridRun(mine, steppers, 1, jumps_per_step)
        one.events = watching
        result = 0.0
        try:
            one.begin(mode, Node(t0, given[1], given[2], None), project=False)
            found = one.to_the_end(time.perf_counter(), progress=False)
        except SimulationError as error:
            found, result = error.trajectory, 1.0
        if watching and not result and (found.events is None or not len(found.events)):
            result = 4.0
        return _moves_of(found, turns, watching, result, count)

    many, one_number = (jax.ShapeDtypeStruct(x, float) for x in ((count,), ()))
    shapes = _Moves(many, many, many, many, one_number)

    @jax.custom_jvp
    def moves(own: Any, q: Point, v: Any) -> _Moves:
        if not is_traced((own, q, v)):
            return jax.tree.map(jnp.asarray, run(own, q, v))
        return jax.pure_callback(run, shapes, own, q, v, vmap_method="sequential")

    @moves.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        found = moves(*primals)
        return found, jax.tree.map(jnp.zeros_like, found)

    made = moves(*lax.stop_gradient((own, q, v)))
    return _replayed(turns, own, (number, t0, q, v), made, most if rows else None)


def _jumps(turns: Turns) -> list[tuple[int, int]]:
    """Return all possible jumps: (index of the mode that ends, index of the transition)."""
    return [
        (i, n)
        for i, name in enumerate(turns.names)
        for n, x in enumerate(turns.transitions)
        if x.ends(name)
    ]


def _moves_of(
    run: HybridTrajectory, turns: Turns, events: Mapping[int, Any], result: float, count: int
) -> _Moves:
    """Return the moves of a run, from its rows, padded with `_NONE`."""
    n = len(run) - 1
    if n > count:
        none = np.zeros(count)
        return _Moves(none, none, none, none, np.asarray(2.0))
    kind, way, t, goes_on = np.zeros((4, count))
    kind[:n], t[:n] = _STEP, run.t[1:]
    pairs = _jumps(turns)

    def group(mode: int, transition: int) -> int:
        groups = turns.groups[mode]
        return next((j for j, x in enumerate(groups) if transition in x.transitions), -1)

    for j in range(len(run.jumps)):
        row, mode = int(run.jumps.row[j]), int(run.jumps.source[j])
        number = int(run.jumps.transition[j])
        kind[row], way[row] = _JUMP, pairs.index((mode, number))
        guard = group(mode, number)
        # between two jumps at the same time there is no step
        if guard >= 0 and row and kind[row - 1] == _STEP:
            kind[row - 1], way[row - 1] = _TO_ZERO, guard
    if run.events is not None and len(run.events):
        (number,) = events
        kind[n - 1], way[n - 1] = _TO_ZERO, group(int(run.mode[-1]), number)
    since = 0
    for i in range(n):
        goes_on[i] = kind[i] == _STEP and since >= 2
        since = since + 1 if kind[i] == _STEP else 0
    return _Moves(kind, way, t, goes_on, np.asarray(result))


class _Rows(NamedTuple):
    t: Any
    q: Point
    v: Any
    mode: Any
    jumps: Any  # times of the jumps


class _State(NamedTuple):
    t: Any
    q: Point
    v: Any
    frame: Any
    carry: Any
    mode: Any
    jumps: Any
    angle: Any


def _replayed(
    turns: Turns, own: Any, start: Any, moves: _Moves, most: int | None
) -> tuple[End, _Rows | None]:
    """Repeat the moves as JAX operations; with `most`, a number of jumps, return the rows, too."""
    mode, t0, q, v = start
    arc = jax.tree.map(jnp.asarray, Layout(turns.arc()).zeros())
    plan = turns.plans[mode]
    frame = eqx.combine(own[mode], plan.static).groupoid.group.identity()
    whole, no = jnp.asarray(mode, dtype=int), jnp.asarray(False)
    first = _State(
        jnp.asarray(t0, dtype=float), q, v, frame, jnp.zeros(turns.carry_width), whole, 0 * whole,
        jnp.asarray(jnp.inf, dtype=float),
    )  # fmt: skip

    def leap(i: int, number: int, state: _State) -> Any:
        before, method = eqx.combine(own[i], turns.plans[i].static), turns.plans[i].method
        v = state.v
        if not method.traits.on_constraint:
            v = initial_state(before, method, state.t, jnp.ones(()), state.q, v).row.v
        found = turns.leap(own, before, i, number, (state.t, state.q, v))
        return found.q, found.v, found.target

    ways = [functools.partial(leap, *x) for x in _jumps(turns)]

    def jumped(state: _State, move: _Moves) -> _State:
        q, v, target = lax.switch(move.way.astype(int), ways, state) if ways else state[1:4]
        return state._replace(q=q, v=v, mode=target, jumps=state.jumps + 1)

    def made(own: Any, state: _State, move: _Moves, size: Any) -> tuple[Any, Any, Any]:
        """Return (state after a step, guard of the move at the end, guard at the beginning)."""
        at = arc._replace(
            t=state.t, q=state.q, v=state.v, frame=state.frame, carry=state.carry, mode=state.mode
        )
        times = (state.t, size, jnp.asarray(0))
        found = turns.made(own, at, times, move.goes_on == 0.0, jnp.asarray(True), no)
        mine = jnp.arange(turns.width) == move.way.astype(int)
        g, g0 = (jnp.sum(jnp.where(mine, x, 0.0)) for x in (found.g, found.g0))
        return (found.row.q, found.row.v, found.frame, found.carry), g, g0

    def moved(state: _State, move: _Moves) -> _State:
        """Take a step; if it leads to a zero, its size depends on the state where it begins."""
        is_zero, size = move.kind == _TO_ZERO, move.t - state.t
        # the derivative of the time of a zero is added below
        size = jnp.where(is_zero, lax.stop_gradient(size), size)
        there, g, g0 = made(own, state, move, size)
        fixed = lax.stop_gradient((own, state, move, size))

        def rates() -> tuple[Any, Any]:
            def at(s: Any) -> Any:
                return made(*fixed[:3], s)[:2]

            return jax.jvp(at, (fixed[3],), (jnp.ones(()),))[1]

        def none() -> tuple[Any, Any]:
            return jax.tree.map(jnp.zeros_like, there), jnp.ones(())

        along, rate = lax.stop_gradient(lax.cond(is_zero, rates, none))
        angle = jnp.abs(rate * fixed[3]) / jnp.abs(lax.stop_gradient(g - g0))
        angle = jnp.where(is_zero, angle, jnp.inf)
        later = jnp.where(is_zero, time_shift(g, rate, angle < GRAZES), 0.0)
        q, v, frame, carry = jax.tree.map(lambda x, dx: x + dx * later, there, along)
        least = jnp.minimum(state.angle, angle)
        return state._replace(t=move.t + later, q=q, v=v, frame=frame, carry=carry, angle=least)

    def row(state: _State) -> Any:
        return state.t, state.q, state.v, state.mode

    def one(state: _State, move: Any) -> tuple[_State, Any]:
        move = _Moves(move[0], move[1], move[2], move[3], jnp.zeros(()))
        which = jnp.array([0, 1, 1, 2])[move.kind.astype(int)]
        new = lax.switch(which, [lambda s, m: s, moved, jumped], state, move)
        return new, (None if most is None else row(new))

    last, found = lax.scan(one, first, moves[:-1])
    grazes = (last.angle < GRAZES) & (moves.result == 0)
    result = jnp.where(grazes, 3.0, moves.result).astype(int)
    end = End(last.t, last.q, last.v, last.mode, last.jumps, last.angle, result)
    if most is None:
        return end, None
    rows = jax.tree.map(lambda a, b: jnp.concatenate([a[None], b]), row(first), found)
    (after,) = jnp.nonzero(moves.kind == _JUMP, size=most, fill_value=len(moves.kind))
    times = jnp.append(rows[0][1:], jnp.nan)[after]
    t, q, v, modes = rows
    return end, _Rows(t, q, v, modes, times)


def sensitivities(
    modes: Modes, mode: str | None = None, q0: Point = None, v0: Any = None, **options: Any
) -> Any:
    """Return the end of a hybrid run and its derivatives, through jumps; for options see `flow`.

    With contacts with friction, only derivatives by q0 and v0 (see `da.sensitivities`).

    Raises a `SimulationError` if the run fails, or if it grazes a guard, with the angle.
    """
    if modes.one_program:
        return modes.sensitivities(q0, v0, mode=mode, **options)
    mode, q0, v0 = modes.started(mode, q0, v0, options.get("t0", 0.0))
    system = modes.system(mode)
    q = jax.tree.map(jnp.asarray, system.groupoid.base.check(q0, "q0"))
    v = jnp.asarray(v0, dtype=float)
    n = system.dim
    parts = {k: eqx.partition(x, eqx.is_inexact_array_like) for k, x in modes.systems.items()}
    numbers = {k: jax.tree.map(jnp.asarray, x) for k, (x, _) in parts.items()}

    def end(given: dict[str, Any]) -> tuple[Any, End]:
        systems = {k: eqx.combine(given["numbers"][k], x) for k, (_, x) in parts.items()}
        change = given["start"]
        start = move(system.groupoid, q, change[:n])
        found = flow(modes.with_systems(systems), mode, start, v + change[n:], **options)
        return found._replace(mode=None, jumps=None, angle=None, result=None), found

    given = {"start": jnp.zeros(2 * n), "numbers": numbers}
    slopes, found = jax.jacfwd(end, has_aux=True)(given)

    def of(key: str) -> Any:
        return jax.tree.map(
            lambda x: x[key], slopes, is_leaf=lambda x: isinstance(x, dict) and "start" in x
        )

    if int(found.result) != 0:
        angle = f": the guard's rate there is {float(found.angle):.2g} of its mean before"
        raise SimulationError(
            "hybrid.sensitivities: "
            f"{RESULTS[int(found.result)]}{angle if int(found.result) == 3 else ''}; the motion "
            "has no derivative there"
        )
    return HybridSensitivities(found, of("start"), of("numbers"))


class HybridSensitivities(NamedTuple):
    """The end of a run, and the derivatives of its t, q and v, as trees like `End`.

    `initial` has derivatives with respect to the start, (dq0, dv0) along a last axis; dq0 is in the
    space of v. `parameters` has those with respect to the parameters of each mode's system:
    `parameters.v["air"].g`.
    """

    end: End
    initial: End
    parameters: End
