"""One run: `simulate` and `resume`.

Inside a JAX transformation (`jit`, `vmap`, `grad`) there is no host to loop on (`traced`), and
failures are told by `Trajectory.result` instead of an exception.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Unpack, overload

from ..compile.fingerprint import ReadsTracers
from ..compile.tracing import recording_once
from ..errors import UsageError
from ..files import PathLike
from ..inputs import driven
from ..linalg import OK
from ..methods import Method
from ..results import Trajectory
from ..system import Point, System, a_number, is_traced
from . import tolerance
from .arguments import check_count, check_length, check_objects, check_span, own_start, resolve
from .events import Event, EventFunction, Watch, named_events
from .prepare import prepare
from .program import shortened, steps_until
from .rows import Start
from .run import Run, with_pieces
from .sinks import (
    Every,
    Looking,
    RowSink,
    RunOptions,
    Save,
    Stream,
    named,
)
from .step import StopRule, check_stop_rule, has_any_times, has_own_steps
from .store import Store, as_stored
from .taylor import CHOOSES, TaylorProgram, for_tolerance, stands_in
from .taylor_times import times_of_rows
from .traced import simulate_traced


class Options(RunOptions, total=False):
    """What `simulate` takes by name."""

    tol: float | None
    store: PathLike | None
    stop_when: StopRule | None


@overload
def simulate(
    system: System,
    method: Method | None = None,
    q0: Point = None,
    v0: Any = None,
    *,
    q1: Point = None,
    **options: Unpack[Options],
) -> Trajectory: ...
@overload
def simulate(system: System, q0: Point, v0: Any, /, **options: Unpack[Options]) -> Trajectory: ...
@recording_once()
def simulate(
    system: System,
    method: Any = None,
    q0: Any = None,
    v0: Any = None,
    *,
    q1: Point = None,
    h: float | None = None,
    steps: int | None = None,
    t: float | None = None,
    tol: float | None = None,
    t0: float = 0.0,
    events: Mapping[str, Event | EventFunction] | None = None,
    save: Save | None = None,
    save_every: int | None = None,
    store: PathLike | None = None,
    project: bool = False,
    stop_when: StopRule | None = None,
    u: Any = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> Trajectory:
    """Run `steps` steps of size `h` from (q0, v0) and return the trajectory.

        simulate(system, h=0.01, steps=1000)
        simulate(system, q0, v0, h=0.01, steps=1000)
        simulate(system, DLA(), q0, v0, h=0.01, steps=1000, save=Every(10))
        simulate(system, q0, v0, t=10.0, tol=1e-9)
        simulate(system, Taylor(), q0, v0, t=10.0, save=At(times))

    Args:
        system: what moves.
        method: how it is integrated, for example `DLA(Midpoint())`; may be left out.
        q0, v0: initial data on the constraint; the system's own if both are left out.
        q1: the second point, in place of v0: the run then starts from the pair (q0, q1) (on a
            reduced system: from the element of its groupoid given as `q1`, with q0 its source).
        h: step size, positive; of a method with steps of sizes of their own, the first one.
        steps: number of steps.
        t: the time of the end, in place of `steps`; h must divide the time until then, unless
            steps have sizes of their own: the last is then shorter (a first run counts them).
            `Taylor` has rows at multiples of h before the end, and there.
        tol: in place of h: the error of q and of v at the end, in sizes of q and of v (their
            largest entries on the way; what was reconstructed counts as well). Without a method it
            is `Taylor`, with rows where its steps end (`save=At(times)` has others), or `Gauss`
            where that has no rule (`meta.engine_reason`). A method that is named takes one step
            size, chosen by pilots over the whole time. `meta.error_estimate` tells the error that
            was estimated. A tolerance that cannot be met raises a `SimulationError` that says what
            was reached, with the run.
        t0: initial time.
        events: names and functions g(t, q, v), or `Event(g, direction, terminal, count)`: where one
            goes through zero is found by a shortened step, to the order of the method, and listed
            in `Trajectory.events`; it may end the run. Every step is looked at, whatever is kept.
        save: what is kept: a sink (`Every(k)`, `At(times)`, `Final()`, `Stream(path)`,
            `Statistics(f)`, ...) or names and sinks; results that are not rows lie in
            `Trajectory.saved` under these names. By default every step.
        save_every: short for `save=Every(k)`: keep every k-th step; the last one is kept always.
        store: short for `save=Stream(store, every=save_every)`: a new Zarr store to write rows to
            while they are computed; `resume(store)` goes on after a crash. Returned is the last
            row only; `load(store)` reads the others.
        project: replace an inconsistent q0 or v0 by the nearest consistent one instead of
            refusing it.
        stop_when: function (t, q, v) -> bool; the run ends at the first step where it is true: the
            simple form of an event that ends it.
        u: control of a system that has `inputs`: u(t), u(t, q, v), a `control.Table`, numbers.
        progress: show a progress bar; by default only on a terminal, and only on long runs.
        engine: "native" (code for the processor made of scalar operations) or "arrays" (XLA)
            insists on one and fails where it cannot be; by default native code where it can be.
            `meta.engine` and `meta.engine_reason` tell which one ran, and why. Inside of `jit`
            and `vmap` "arrays" makes programs that JAX can export and shard by itself.

    Raises:
        UsageError: for input that cannot be run, before anything is computed.
        SimulationError: when a step fails; what was computed until then is attached.
    """
    begin = time.perf_counter()
    named_method = isinstance(method, Method)
    method, q0, v0 = resolve(method, q0, v0)
    if u is not None:
        system = driven(system, u)
    if has_any_times(method) and is_traced((system, q0, v0, q1, h, t0, a_number())):
        raise UsageError(
            f"{method.name} makes its steps in native code, outside of jit, vmap and grad: inside "
            "take Gauss(4) with h and steps; da.sensitivities has derivatives of the motion, and "
            "da.simulate_ensemble many runs"
        )
    accuracy: dict[str, Any] = {}
    chosen = by_taylor = None
    if tol is not None:
        method = tolerance.method_for(method if named_method else None, tol)
        if is_traced((system, q0, v0, a_number())):
            raise UsageError("tol needs a run outside of jit, vmap and grad")
        if any(x is not None for x in (h, steps, q1)):
            raise UsageError("tol chooses the step: give t and tol, and not h, steps or q1")
        if has_own_steps(method):
            raise UsageError(f"{method.name} chooses its own steps: give h, the first, and not tol")
        span = check_span(t, t0)
        if (not named_method and engine in (None, "native")) or has_any_times(method):
            check_objects(system, method)
            given = (q0, v0) if q0 is not None else own_start(system)
            by_taylor = for_tolerance(
                lambda method: [prepare(system, method, *given, None, span, t0, project)],
                float(t0) + span,
                float(tol),
                asked=named_method,
            )
            if named_method and isinstance(by_taylor, str):
                raise UsageError(f"{system.name()}: {by_taylor}; leave the method out")
        way = {"t0": t0, "project": project, "engine": engine, "progress": False}
        if isinstance(by_taylor, tuple):
            method, chosen = by_taylor
        else:
            method, chosen = tolerance.chosen_for(
                lambda method: partial(simulate, system, method, q0, v0, **way),
                method,
                span,
                tol,
                stages_too=not named_method,
                chooses=by_taylor == CHOOSES,
            )
            h, steps = span / chosen.steps, chosen.steps
        accuracy = {"tol": float(tol), "error_estimate": chosen.error}
    elif not has_any_times(method):
        h, steps = check_length(h, steps, t, t0, method)
    steps = None if steps is None else check_count("steps", steps)
    if save_every is not None:
        save_every = check_count("save_every", save_every)
    sinks = _sinks(save, save_every, store)
    times, why = None, by_taylor if isinstance(by_taylor, str) else ""
    if has_any_times(method):
        times, h, steps = times_of_rows(sinks, h, steps, t, t0)
    if v0 is not None and q1 is not None:
        raise UsageError("give v0 or q1, not both")
    if (q0 is None) != (v0 is None and q1 is None):
        raise UsageError("give both q0 and v0, or neither to start from system.initial()")
    if q0 is None:
        check_objects(system, method)
        q0, v0 = own_start(system)
    prepared = None
    if not is_traced((system, q0, v0, q1, h, t0, a_number())):  # the last one: any jit around
        with contextlib.suppress(ReadsTracers):  # a function of the system may be inside of one
            prepared = prepare(system, method, q0, v0, q1, h, t0, project)
    if prepared is None:
        if q1 is not None:
            raise UsageError("a start from (q0, q1) needs a run outside of jit, vmap and grad")
        if stop_when is not None:
            raise UsageError("stop_when needs a run outside of jit, vmap and grad")
        if engine not in (None, "arrays"):
            raise UsageError(
                f"engine={engine!r} cannot be insisted on inside of jit, vmap and grad: leave it "
                'out, or take "arrays"'
            )
        if events is not None:
            raise UsageError("events need a run outside of jit, vmap and grad")
        if steps is None:
            raise UsageError(f"{method.name} inside of jit, vmap and grad: give steps, not t")
        return simulate_traced(system, method, q0, v0, h, steps, t0, sinks, project, engine)
    check_stop_rule(stop_when, system)
    if times is None:
        times, told = stands_in(prepared, engine)
        why = why or told
    if steps is None and times is not None:
        steps = TaylorProgram(prepared, 1, 1, 1, times, stop_when, engine).count()
    elif steps is None:
        assert t is not None
        prepared, steps = steps_until(prepared, float(t), stop_when, engine)

    short = partial(shortened, prepared, stop_when, engine)
    own = has_own_steps(method) or (times is not None and times.at_nodes)
    start = Start(system, prepared.h, prepared.t0, steps, 0, 1, 0, True, short, own)
    if times is not None:
        start = start._replace(times=times.chosen, **with_pieces(prepared))
    watched = named_events(events)
    looking = Looking(sinks, save_every, start, at_every_step=bool(watched))
    looking = looking.watched(system, method)
    watch = Watch(watched, start) if watched else None
    run = Run(prepared, looking, steps, stop_when, engine, watch, times)
    run.accuracy, run.why = accuracy, why
    run.feed(run.row(prepared.state))
    if int(prepared.state.row.result) != OK:
        raise run.failure()
    traj = run.to_the_end(begin, progress)
    if chosen is not None and not chosen.met:
        raise tolerance.not_met(system, method, chosen, traj)
    return traj


def _sinks(save: Any, save_every: int | None, store: PathLike | None) -> dict[str, Any]:
    if store is not None:
        if save is not None:
            raise UsageError("give save or store, not both: store is short for save=Stream(store)")
        return named(Stream(store, save_every or 1))
    if save is None:
        return named(Every(save_every or 1))
    if save_every is not None and isinstance(save, RowSink):
        raise UsageError("give save or save_every, not both: save_every is short for save=Every(k)")
    return named(save)


def resume(
    store: PathLike,
    system: System | None = None,
    method: Method | None = None,
    *,
    stop_when: StopRule | None = None,
    events: Mapping[str, Event | EventFunction] | None = None,
    insist: bool = False,
    progress: bool | None = None,
) -> Trajectory:
    """Go on with a run that was streamed to `store`; returns its last row.

    The numbers are those of an uninterrupted run to the last bit (on the same machine and
    versions). Systems and methods of the library are made again as they were, with all their
    fields; your own must be given, and so must `stop_when` and `events`. What differs from what
    wrote the store (code, fields, parameters, versions) is refused by name; `insist=True` goes on
    all the same where the code or a version is another one.
    """
    begin = time.perf_counter()
    opened = Store.open(store)
    system, method = as_stored(opened, system, method, insist=insist)
    check_stop_rule(stop_when, system)
    watched = named_events(events)
    try:
        run = Run.resumed(opened, system, method, stop_when, watched, insist)
        return run.to_the_end(begin, progress)
    finally:
        opened.release()
