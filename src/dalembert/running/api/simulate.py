"""One run: `simulate`, `resume` of a run or an ensemble, and `there_and_back`.

Arguments become a `SingleRun`, which has the host loop. A run inside a JAX transformation (`jit`,
`vmap`, `grad`) has no host loop (`programs.inside_jax`), and `Trajectory.result` reports failures
instead of an exception.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Unpack, overload

import jax
import numpy as np

from ...compile.cache.code_key import ReadsTracers
from ...compile.layout import Tree
from ...compile.tracing import recording_once
from ...errors import SimulationError, UsageError
from ...events import Event, EventFunction, named_events
from ...files import PathLike
from ...inputs import Sampled, driven
from ...linalg import MESSAGES, OK
from ...methods import Method, default
from ...request.known import Known, known, known_driven
from ...request.prepare import Prepared, prepare
from ...request.sampling import Sampling, check_sampled, refuse_saved
from ...request.step import StopRule, check_stop_rule, has_any_times, time_at
from ...request.validate import (
    Given,
    Simulated,
    check_count,
    check_length,
    check_objects,
    check_span,
    check_times,
    given_options,
    own_start,
    resolve,
)
from ...results import Trajectory, ensemble_store
from ...results.remembered import remember
from ...rows import AnySink, OutputTimes
from ...storage.store import Store, as_stored
from ...system import Point, System, a_number, is_traced
from ..accuracy import Accurate, Pilot, accurate, method_for
from ..driver import Pace, drive
from ..programs.fixed_step import FixedStepProgram
from ..programs.inside_jax import refuse_inside, simulate_traced
from ..programs.taylor_program import stands_in
from ..record.sinks import At, Every, RowSink, RunOptions, Save, Stream, named
from ..single_run import SingleRun, counted
from . import sliced_run

# most rows of Taylor's method if h does not divide the time, because all their times are stored
_MOST_ROWS = 1e8


class SingleOptions(RunOptions, total=False):
    """Keyword arguments of `simulate`."""

    tol: float | None
    store: PathLike | None
    stop_when: StopRule | None


@overload
def simulate(
    system: System,
    method: Method | None = None,
    q0: Point = None,
    v0: Given = None,
    *,
    q1: Point = None,
    **options: Unpack[SingleOptions],
) -> Trajectory: ...
@overload
def simulate(
    system: System, q0: Point, v0: Given, /, **options: Unpack[SingleOptions]
) -> Trajectory: ...
@recording_once()
def simulate(
    system: Given,
    method: Given = None,
    q0: Point = None,
    v0: Given = None,
    *,
    mode: str | None = None,
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
    u: Given = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> Trajectory:
    """Run a system from (q0, v0) and return the trajectory.

        simulate(system, h=0.01, steps=1000)
        simulate(system, q0, v0, h=0.01, steps=1000)
        simulate(system, DLA(), q0, v0, h=0.01, steps=1000, save=Every(10))
        simulate(system, q0, v0, t=10.0, tol=1e-9)
        simulate(system, Taylor(), q0, v0, t=10.0, save=At(times))

    What may be given for the length of the run, and what it means:

    ==============  ===================  ========================================================
    arguments       method               steps and rows
    ==============  ===================  ========================================================
    h, steps        any                  `steps` steps of size h; rows after each of them
    h, t            fixed steps          steps of size h until t, which h must divide
    h, t            adaptive             h is the first step size; the last step ends at t
    h, t            Taylor               its own steps; rows at multiples of h and at t
    t               Taylor               its own steps; rows where they end, or at `save=At(times)`
    t, tol          left out             Taylor, or Gauss where Taylor has no rule for the system
    t, tol          named                one step size, found by pilot runs over the whole time
    ==============  ===================  ========================================================

    Args:
        system: the mechanical system. `hybrid.Modes` are run by `hybrid.simulate`, with all of its
            options; the first mode is then the second argument or `mode=`.
        method: the integrator, for example `DLA(Midpoint())`; the default is `Gauss(2)`.
        q0, v0: initial data on the constraint; `system.initial()` if both are left out.
        q1: the second point, in place of v0: the run then starts from the pair (q0, q1) (on a
            reduced system: from the element of its groupoid given as `q1`, with q0 its source).
        h: step size, positive; for an adaptive method, the first step size.
        steps: number of steps.
        t: end time, instead of `steps`. h must divide the time until then, except with an adaptive
            method: its last step is shorter (a pilot run counts the steps). `Taylor` has rows at
            multiples of h before the end, and at the end.
        tol: tolerance, instead of h: the error of q and of v at the end, relative to the sizes of q
            and of v (their largest entries during the run; a reconstructed motion counts as well).
            Without a method, `Taylor` runs it, with rows where its steps end (`save=At(times)`
            chooses others), or `Gauss` if Taylor has no rule for the system
            (`meta.engine_reason`). A method that you name takes one step size, chosen by pilot runs
            over the complete time. `meta.error_estimate` is the estimated error. A tolerance that
            cannot be met raises a `SimulationError` that says what was reached, with the run.
        t0: initial time.
        events: names and functions g(t, q, v), or `Event(g, direction, terminal, count)`. A
            shortened step locates where g goes through zero, to the order of the method.
            `Trajectory.events` lists the events; an event may end the run. Every step is checked,
            independent of the rows that are saved.
        save: what to save: a sink (`Every(k)`, `At(times)`, `Final()`, `Stream(path)`,
            `Statistics(f)`, ...) or names and sinks; results that are not rows are in
            `Trajectory.saved` under these names. By default every step.
        save_every: short for `save=Every(k)`: save every k-th step, and always the last one.
        store: short for `save=Stream(store, every=save_every)`: a new Zarr store to write rows to
            while they are computed; `resume(store)` continues after a crash. Only the last row is
            returned; `load(store)` reads the others.
        project: replace an inconsistent q0 or v0 by the nearest consistent one instead of
            refusing it.
        stop_when: function (t, q, v) -> bool; the run ends at the first step where it is true: the
            simple form of a terminal event.
        u: control of a system that has `inputs`: u(t), u(t, q, v), a `control.Table`, numbers; or
            `da.Sampled(controller, every=0.02)` for any Python function; its value is held constant
            between samples.
        progress: show a progress bar; by default only on a terminal, and only on long runs.
        engine: "native" (scalar code for the CPU) or "arrays" (XLA); raises if that engine cannot
            run the system. By default native code if possible. `meta.engine` and
            `meta.engine_reason` say which one ran, and why. Inside `jit` and `vmap`, "arrays"
            makes programs that JAX can export and shard by itself.

    Raises:
        UsageError: for input that cannot be run, before anything is computed.
        SimulationError: when a step fails; the rows computed until then are attached.
    """
    begin = time.perf_counter()
    # Hybrid systems are no `System`; they implement the same call with their own options.
    if not isinstance(system, System) and isinstance(system, Simulated):
        return system.simulated(method, q0, v0, **given_options(locals()))
    if mode is not None:
        raise UsageError(f"mode={mode!r} is for hybrid.Modes; a system has none")
    asked = method if isinstance(method, Method) else None
    method, q0, v0 = resolve(method, q0, v0)
    sampled = u if isinstance(u, Sampled) else None
    if sampled is not None:
        # Refuse what a Python controller cannot do before anything is compiled.
        check_sampled(method, tol=tol, q1=q1)
    plain, (system, facts, inside) = system, _controlled(system, u, (q0, v0, q1, h, t0))
    accuracy = None
    if tol is not None:
        refuse_inside(inside, method, tol=tol)
        others = (stop_when, events, store, save if isinstance(save, Stream) else None)
        given = (system, q0, v0), (h, steps, q1), (t, t0), others
        accuracy = _accurate(*given, asked, tol, project, engine)
        method, h, steps = accuracy.method, accuracy.h, accuracy.steps
    elif not has_any_times(method):
        h, steps = check_length(h, steps, t, t0, method)
    steps = None if steps is None else check_count("steps", steps)
    save_every = None if save_every is None else check_count("save_every", save_every)
    sinks, times = _sinks(save, save_every, store), None
    if has_any_times(method):
        refuse_inside(inside, method)
        times, h, steps = _times_of_rows(sinks, h, steps, t, t0)
    q0, v0 = _start_data(system, method, q0, v0, q1, facts)
    given = (method, q0, v0, q1, h, t0, project)
    prepared = None
    # All that `prepare` checks needs values, which arguments inside a transformation do not have.
    if not inside:
        with contextlib.suppress(ReadsTracers):  # functions of the system may close over tracers
            prepared = prepare(system, *given, facts)
    if sampled is not None:
        prepared = _sampled(sampled, plain, prepared, given, sinks)
        system = prepared.system
    watched = named_events(events, system)
    if prepared is None:  # inside a transformation, where nothing in Python can look at numbers
        refuse_inside(True, method, q1=q1, stop_when=stop_when, engine=engine)
        refuse_inside(steps is None, method)
        assert steps is not None
        how = (sinks, project, engine, watched)
        return simulate_traced(system, method, q0, v0, h, steps, t0, *how)
    check_stop_rule(stop_when, system)
    times, why = (times, "") if times is not None else stands_in(prepared, engine)
    # An upper bound of its steps, estimated from the pilot with which the run is compared.
    if steps is None and accuracy is not None and accuracy.pilot is not None:
        steps = accuracy.chosen.steps
    prepared, steps = counted(prepared, steps, t, times, stop_when, engine)
    remarks = ((accuracy and accuracy.why) or why, accuracy and accuracy.reached)
    how = (sinks, save_every, watched, stop_when, engine, *remarks)
    run = SingleRun.begun(prepared, steps, times, *how)
    again = partial(simulate, system, *([] if asked is None else [asked]), q0, v0, t=t, t0=t0)
    how = {"save": save, "save_every": save_every, "project": project, "engine": engine}
    result = _to_the_end(run, accuracy, begin, progress, partial(again, **how))
    # While it is in memory, `diagnostics.work` can evaluate its control.
    remember(result, plain if sampled is not None else system)  # sampled inputs are in `saved`
    return result


def _to_the_end(
    run: SingleRun,
    accuracy: Accurate | None,
    begin: float,
    progress: bool | None,
    again: Callable[..., Trajectory],
) -> Trajectory:
    """Return the run at its end, or `again` if pilot runs must decide whether it meets `tol`."""
    if accuracy is None:
        return run.to_the_end(begin, progress)
    if accuracy.pilot is None:
        return accuracy.met(run.prepared.system, run.to_the_end(begin, progress))
    try:
        result = accuracy.compared(run.to_the_end(begin, progress), run.end())
    # A run that fails with the coarse step may still succeed with a finer one.
    except SimulationError as error:  # pilots decide whether it can be run at all
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise
        result = None
    return again(tol=_ByPilots(accuracy.tol), progress=progress) if result is None else result


def _controlled(
    system: System, u: Given, given: tuple[Given, ...]
) -> tuple[System, Known | None, bool]:
    """Return the system with its control, what is known of it, and whether this is inside JAX.

    The control of a `Sampled` one is zero until it is called. `given` are the other arguments that
    may be traced.
    """
    if isinstance(u, Sampled):
        # The layout of the inputs is needed before the controller is called for the first time.
        u = np.zeros(len(driven(system, 0.0).input_labels))
    facts = None
    if u is not None:
        # `a_number()` is traced inside any jit, even if all arguments are concrete
        quick = isinstance(system, System) and not is_traced(a_number())
        held = known_driven(system, u) if quick else None
        system, facts = held or (driven(system, u), None)
    compared = facts is not None
    if facts is None and isinstance(system, System):
        facts = known(system)
    # a system whose fields can be compared has no tracers in them
    maybe = given if facts is not None and facts.is_fixed else (system, *given)
    inside = is_traced((*maybe, a_number()))
    if facts is None or inside:
        return system, None, inside
    if not compared:
        facts.compare_code(system)
    return system, facts, inside


def _sampled(
    sampled: Sampled,
    plain: System,
    prepared: Prepared | None,
    given: tuple[Given, ...],
    sinks: Mapping[str, AnySink],
) -> Prepared:
    """Return the run prepared with the first input, and the sampler of later inputs."""
    if prepared is None:
        raise UsageError(
            "a Sampled controller is a Python function, which JAX cannot compile: run it outside "
            "of jit, vmap and grad, or write it with jax.numpy and give it as u="
        )
    refuse_saved(sinks)
    sampling = Sampling(sampled, plain, prepared.h, prepared.t0)
    row = prepared.state.row
    # The first input acts during the first step, so the controller is called once before anything
    # runs.
    first = sampling.before(0, float(row.t), row.q, row.v)
    return prepare(driven(plain, first), *given)._replace(sampling=sampling)


class _ByPilots(float):
    """A tolerance that is met by pilot runs alone; see `accuracy`."""


def _accurate(
    start: tuple[System, Given, Given],
    refused: tuple[Given, ...],
    when: tuple[float | None, float],
    others: tuple[Given, ...],
    asked: Method | None,
    tol: float,
    project: bool,
    engine: str | None,
) -> Accurate:
    """Return the method and the steps that meet a tolerance.

    If possible, the run itself is compared with a single pilot; otherwise pilots alone decide.
    """
    (system, q0, v0), (t, t0) = start, when
    if any(x is not None for x in refused):
        raise UsageError("tol chooses the step: give t and tol, and not h, steps or q1")
    # a run that may end early, or whose rows go to a file, is not compared with its pilot
    once = not isinstance(tol, _ByPilots) and all(x is None for x in others)
    span = check_span(t, t0)

    def prepared(method: Method) -> list[Prepared]:
        # h is the whole span: the plan is needed for its equations, not for its step.
        given = (q0, v0) if q0 is not None else own_start(system)
        return [prepare(system, method, *given, None, span, t0, project)]

    def pilot(method: Method) -> Pilot:
        how = {"t0": t0, "project": project, "engine": engine, "progress": False}
        return partial(simulate, system, method, q0, v0, **how)

    method_for(asked, tol)
    check_objects(system, asked or default())
    natively = engine in (None, "native") or (asked is not None and has_any_times(asked))
    by_code = prepared if natively else None
    return accurate(system, asked, tol, span, t0, pilot, by_code, by_the_run=once)


def _start_data(
    system: System, method: Method, q0: Point, v0: Given, q1: Point, facts: Known | None
) -> tuple[Tree, Tree]:
    """Return (q0, v0) of the caller, or `system.initial()` if they were left out."""
    if v0 is not None and q1 is not None:
        raise UsageError("give v0 or q1, not both")
    if (q0 is None) != (v0 is None and q1 is None):
        raise UsageError("give both q0 and v0, or neither to start from system.initial()")
    if q0 is None:
        check_objects(system, method, facts=facts)
        return own_start(system, facts)
    return q0, v0


def _times_of_rows(
    sinks: Mapping[str, AnySink], h: Given, steps: Given, t: Given, t0: Given
) -> tuple[OutputTimes, float, int | None]:
    """Return the output times of Taylor's method, h of the run, and the number of rows if known.

    Rows are at multiples of h, if it is given, and at the end; otherwise at the times of all `At`
    sinks and at the end; otherwise at the nodes, whose number is not known in advance (None).
    """
    if (steps is not None and h is None) or (t is None and h is None):
        raise UsageError(
            "taylor chooses its own steps: give t, the time of the end (rows where steps end, or "
            "at times, save=At(times)), or h and t, or h and steps, for rows at multiples of h"
        )
    # Rows at multiples of h need no list of times, which could be as long as the run.
    if h is not None and (steps is not None or t is None or _divides(h, check_span(t, t0))):
        h, steps = check_length(h, steps, t, t0)
        return OutputTimes(float(t0), float(h)), h, steps
    assert t is not None
    span, end = check_span(t, t0), float(t)
    wanted = [np.asarray(s.times, float) for s in sinks.values() if isinstance(s, At)]
    if h is None and not wanted:
        return OutputTimes(float(t0), span, None, end), span, None
    if any(isinstance(s, Stream) for s in sinks.values()):
        raise UsageError(
            "a store has rows at multiples of h, or where the steps of taylor end: give an h that "
            "divides the time, or t alone; save=At(times) keeps rows at any times in memory"
        )
    if wanted:
        low, high = min(x[0] for x in wanted), max(x[-1] for x in wanted)
        if low < float(t0) or high > end:
            raise UsageError(
                f"At: the times {low:g} to {high:g} are not within the run, t = {float(t0):g} to "
                f"{end:g}"
            )
    if h is not None:
        h, _ = check_times(h, t0)
        if span / h > _MOST_ROWS:
            raise UsageError(f"t = {end:g} with h = {h:g} would be too many rows")
        wanted.append(time_at(float(t0), h, np.arange(math.ceil(span / h))))
    # `unique` sorts, and merges times that two sinks ask for.
    at = np.unique(np.concatenate([[float(t0), end], *wanted]))
    return OutputTimes(float(t0), span if h is None else h, at), h or span, len(at) - 1


def _divides(h: Given, span: float) -> bool:
    try:
        # 1e-9: h and t are decimal numbers that were divided in binary.
        return not 0.0 < float(h) < math.inf or math.isclose(
            max(round(span / float(h)), 1) * float(h), span, rel_tol=1e-9
        )
    except (TypeError, ValueError, OverflowError):
        return True  # h is not a number: `check_length` refuses it


def _sinks(save: Given, save_every: int | None, store: PathLike | None) -> dict[str, Any]:
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
    reduce: Mapping[str, AnySink] | None = None,
    executor: Given = None,
    insist: bool = False,
    progress: bool | None = None,
) -> Any:
    """Continue a run or an ensemble that was streamed to `store`.

    Returns the last row of a run, or the ensemble. The numbers are those of an uninterrupted run to
    the last bit (on the same machine and versions). Systems and methods of the library are restored
    with all their fields. Give your own system and method again (for an ensemble with the
    parameters of all members), and also `stop_when`, `events` and, for an ensemble, `reduce`. A
    difference from the run that wrote the store (code, fields, parameters, versions) raises an
    error that names it; `insist=True` continues if only the code or a version differs. `executor`
    computes the missing slices of an ensemble, as in `simulate_ensemble`.
    """
    if ensemble_store.is_sliced(store):
        if stop_when is not None:
            raise UsageError(f"'{store}' is an ensemble, which is resumed without stop_when")
        return sliced_run.resume_ensemble(
            store, system, method, reduce=reduce, events=events, executor=executor, insist=insist,
            progress=progress,
        )  # fmt: skip
    if executor is not None or reduce is not None:
        raise UsageError(f"'{store}' is not an ensemble: executor and reduce are for ensembles")
    begin = time.perf_counter()
    opened = Store.open(store)
    # The class and its fields come from the store, and their code is compared with the code that
    # wrote it.
    system, method = as_stored(opened, system, method, insist=insist)
    check_stop_rule(stop_when, system)
    watched = named_events(events, system)
    try:
        run = SingleRun.resumed(opened, system, method, stop_when, watched, insist)
        return run.to_the_end(begin, progress)
    finally:
        # Also after an error: another process may resume the store.
        opened.release()


def there_and_back(
    system: System, method: Method, q0: Point, v0: Given, *, h: float, steps: int
) -> tuple[Point, jax.Array]:
    """Run forward, reverse the state of the method, run back; return (q, -v) at the end.

    A reversible method returns to (q0, v0). A new start from the reversed velocity would not show
    that, because it would also change the internal state that the method carries beside q and v.
    """
    steps = check_count("steps", steps)
    # `project=True`: round-off in the end of a first run must not be refused as a start.
    prepared = prepare(system, method, q0, v0, None, h, 0.0, True)
    program = FixedStepProgram(prepared, steps, stride=steps, rows=2)
    for way in ("there", "back"):
        drive(program, lambda rows: None, Pace(steps))
        state = program.state
        if (code := int(state.row.result)) != OK:
            raise SimulationError(
                f"{method.name} on {system.name()}: {MESSAGES[code]} on the way {way}, at step "
                f"{int(state.k)}",
                step=int(state.k),
            )
        # The method reverses what it carries; starting it anew would restart GNI and hide its
        # memory.
        back = method.reverse(state.carry, state.row)
        program.set_state(state._replace(k=np.asarray(0), carry=back))
    return state.row.q, -state.row.v
