"""`hybrid.simulate` and `hybrid.resume`: run a hybrid system from initial data in a mode.

The arguments become a `HybridRun` (`hybrid_run`), which loops over the arcs between jumps.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ..errors import UsageError
from ..events import Event, EventFunction, named_events
from ..files import PathLike, check_writable
from ..inputs import CONTROL, Sampled, driven
from ..methods import Method, default
from ..request.sampling import Sampling, check_sampled, refuse_saved
from ..request.step import StopRule, has_any_times
from ..request.validate import (
    check_count,
    check_length,
    check_span,
    check_times,
    check_velocity,
)
from ..results import HybridTrajectory, Meta, versions
from ..rows import AnySink, Start
from ..running.accuracy import Pilot, accurate
from ..running.record.reductions import Section
from ..running.record.sinks import Every, RowSink, Save, Stream, named
from ..system import Point, System, a_number, is_traced
from .hybrid_record import Record, identity_of
from .hybrid_run import steppers_of
from .mode_program import Node
from .modes import ANY, Modes, Transition
from .taylor_run import run_of


def simulate(
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
    tol: float | None = None,
    events: Mapping[str, Event | EventFunction] | None = None,
    save: Save | None = None,
    save_every: int | None = None,
    project: bool = False,
    stop_when: StopRule | None = None,
    u: Any = None,
    jumps_per_step: int = 32,
    store: PathLike | None = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> Any:
    """Simulate a hybrid system from (q0, v0) in a mode, through all its jumps.

        wall = da.hybrid.bounce("ice", lambda q: 1.0 - q[0], restitution=0.8)
        modes = da.hybrid.Modes({"ice": da.systems.ChaplyginSleigh()}, wall)
        run = da.hybrid.simulate(modes, "ice", [0, 0, 0], [1.0, 0, 0.5], h=0.05, t=6.0)
        for jump in run.jumps:
            print(jump.t, jump.source, jump.target, jump.energy_lost)

    Args:
        modes: the systems and their transitions.
        mode: the mode to begin in, with `q0` and `v0` on its constraints; if all three are left
            out, the run begins at `modes.start`.
        method: one method for all modes, or a mapping from mode names to methods; default
            `Gauss(2)`.
        h, steps, t, t0: as for `da.simulate`; rows lie at t0 + k h, and at the jumps.
        tol: replaces h and needs t: the error of q and of v at the end, as for `da.simulate`; one
            step size for all modes is chosen by pilot runs over the whole time span, jumps
            included.
        events: a mapping from names to functions g(t, q, v), as for `da.simulate`. They are located
            in every mode, as guards are, and listed in `events`. Each adds a row to the run. An
            event may end the run.
        save: a sink, or a mapping from names to sinks, as for `da.simulate`. `Every(k)`,
            `At(times)` and `Final()` choose which rows of the grid are saved, in addition to those
            at jumps. Reductions such as `Statistics(f)` see the rows of the grid; their results
            are in `saved`. Each row has as many multipliers as the mode with the most constraints;
            in other modes the rest are NaN.
        save_every: short for `save=Every(k)`.
        project: replace q0, v0 that violate the constraint by the nearest that satisfy it.
        stop_when: function (t, q, v) -> bool; the run ends at the first row of the grid where it
            is true.
        u: control of the modes that have `inputs`, as for `da.simulate`; or a mapping from mode
            names to controls. The controller of `da.Sampled(controller)` is called at every
            sampling time, whatever the mode; the inputs that it returned are in `saved["u"]`.
        jumps_per_step: raise if more jumps than this occur within h. This is Zeno behavior
            (infinitely many jumps in a finite time), or modes that send the motion back and forth.
        store: a `.zarr` or `.nc` file for `hybrid.resume`. It is rewritten from time to time and at
            the end.

    Returns:
        A `HybridTrajectory`. Inside of `jit`, `vmap` and `grad` it is `HybridRows`: arrays of known
        shapes, with derivatives through up to 128 jumps (`hybrid.flow` takes more, and returns the
        end alone).

    Raises:
        UsageError: for input that cannot be run.
        SimulationError: when a step fails, a jump leads off the constraint of the next mode, a
            zero of a guard cannot be located or jumps accumulate; the run so far is attached.
    """
    begin = time.perf_counter()
    if not isinstance(modes, Modes):
        raise UsageError(f"hybrid.simulate takes Modes({{name: system}}, ...), got {modes!r}")
    sampled = u if isinstance(u, Sampled) else None
    if sampled is not None:
        if tol is not None or store is not None:
            check_sampled(default(), tol=tol, store=store)
        if is_traced((q0, v0, h, modes.systems, a_number())):
            raise UsageError("a Sampled controller works only outside of jit, vmap and grad")
        modes = driven_modes(modes, np.zeros(_inputs_of(modes, sampled)))
    elif u is not None:
        modes = driven_modes(modes, u)
    if is_traced((q0, v0, h, modes.systems, a_number())):
        from .hybrid_flow import rows_inside

        return rows_inside(
            modes, mode, q0, v0, method=method, h=h, steps=steps, t=t, t0=t0, tol=tol,
            events=events, save=save, save_every=save_every, project=project, stop_when=stop_when,
            jumps_per_step=jumps_per_step, store=store, engine=engine,
        )  # fmt: skip
    modes = modes.fresh()
    mode, q0, v0 = modes.started(mode, q0, v0, t0)
    chosen, named_by = None, named_events(events, modes.system(mode))
    if store is not None:
        modes.resumed(modes.names, modes.standing())  # raises if these modes cannot be resumed
    if tol is not None:
        if h is not None or steps is not None:
            raise UsageError("tol chooses the step: give t and tol, and not h or steps")
        if isinstance(method, Mapping):
            raise UsageError("tol chooses one step size for one method: give one for all modes")
        if isinstance(method, Method) and has_any_times(method):
            raise UsageError(
                "Taylor's method has a tolerance of its own: give Taylor(tol), and h for the rows"
            )

        def pilot(method: Method) -> Pilot:
            how = {"project": project, "progress": False, "engine": engine}
            how["jumps_per_step"] = jumps_per_step
            return partial(simulate, modes, mode, q0, v0, method=method, t0=t0, **how)

        system = modes.system(mode)
        chosen = accurate(system, method, tol, check_span(t, t0), t0, pilot)
        method, h, steps, t = chosen.method, chosen.h, chosen.steps, None
    h, steps = check_length(h, steps, t, t0)
    steps = check_count("steps", steps)
    h, t0 = (float(x) for x in check_times(h, t0))
    system = modes.system(mode)
    q, v = system.groupoid.base.check(q0, "q0"), check_velocity(system, v0)
    if store is not None and check_writable(store, (".zarr", ".nc")).exists():
        raise UsageError(
            f"cannot write '{store}': it exists already. Continue it (hybrid.resume), remove it, "
            "or choose another name"
        )
    watching = _watching(modes, named_by)
    modes = with_events(modes, named_by)
    steppers = steppers_of(modes, method, (t0, h, steps), engine)
    run = run_of(modes, steppers, 1, check_count("jumps_per_step", jumps_per_step))
    run.store, run.events = store, watching
    start = Start(system, h, t0, steps)
    sinks = sinks_of(save, save_every)
    if store is not None:
        check_stored(sinks)
    run.record.save(sinks, start)
    run.stop_at(stop_when, start)
    if sampled is not None:
        run.sampling = Sampling(sampled, _driven_one(modes), h, t0)
        refuse_saved(sinks)
    run.begin(mode, Node(t0, q, v, None), project)
    result = run.to_the_end(begin, progress)
    return result if chosen is None else chosen.judged(system, result)


def sinks_of(save: Any, save_every: int | None) -> dict[str, AnySink]:
    """Return the sinks by name; refuse sinks that a hybrid run cannot feed."""
    if save is None:
        return named(Every(1 if save_every is None else check_count("save_every", save_every)))
    if save_every is not None:
        raise UsageError("give save or save_every, not both: save_every is short for save=Every(k)")
    sinks = named(save)
    rows = [name for name, sink in sinks.items() if isinstance(sink, RowSink)]
    if len(rows) > 1:
        raise UsageError(f"a hybrid run takes one sink for its rows: give one of {', '.join(rows)}")
    for sink in sinks.values():
        if isinstance(sink, Stream):
            raise UsageError(
                'a hybrid run has no Stream: store="run.zarr" writes the whole run '
                "from time to time"
            )
        if isinstance(sink, Section):
            raise UsageError(
                "Section does not work in hybrid runs, because a jump may lie between two rows. "
                "Declare the crossing as a transition from a mode to itself, with the crossing "
                "as its guard: run.jumps lists where it happened"
            )
    return sinks


def _unchanged(t: Any, q: Point, v: Any) -> Any:
    """Return v unchanged, as the jump of an event (by default, a jump would project v)."""
    return v


def check_stored(sinks: Mapping[str, AnySink]) -> None:
    """Raise `UsageError` for sinks whose results a resumed run would not have."""
    names = [repr(name) for name, sink in sinks.items() if not isinstance(sink, RowSink)]
    if names:
        raise UsageError(
            "store= saves rows only, so that a resumed run could not continue the sinks "
            f"{', '.join(names)}. Compute their results from the rows, or leave out store="
        )


def _watching(modes: Modes, events: Mapping[str, Event]) -> dict[int, Event]:
    """Return the events by the index of the transition that `with_events` adds for each."""
    return {len(modes.transitions) + i: e for i, e in enumerate(events.values())}


def with_events(modes: Modes, events: Mapping[str, Event]) -> Modes:
    """Return the modes with one more transition per event, from every mode to itself."""
    more = [
        Transition(
            ANY, guard=e.g, direction=e.direction, name=name, one_sided=False, jump=_unchanged
        )
        for name, e in events.items()
    ]
    if not more:
        return modes
    return modes.with_transitions(more)


def _is_sampled(u: Any) -> bool:
    return isinstance(u, Sampled)


def _driven_one(modes: Modes) -> System:
    """Return a system of these modes that has a control."""
    return next(x for x in modes.systems.values() if hasattr(x, CONTROL))


def _inputs_of(modes: Modes, u: Sampled) -> int:
    """Return the number of inputs; raise `UsageError` if modes have different numbers."""
    systems = [x for x in modes.systems.values() if x.has_inputs]
    if not systems:
        driven(next(iter(modes.systems.values())), 0.0)  # raises, and says what is missing
    result = {tuple(x.input_labels) for x in systems}
    if len(result) > 1:
        raise UsageError(
            "a Sampled controller needs the same inputs in all modes, but they differ: "
            f"{'; '.join(', '.join(x) for x in sorted(result))}"
        )
    return len(result.pop())


def driven_modes(modes: Modes, u: Any) -> Modes:
    """Return the modes with the control u, or, if u is a mapping, with a control for each mode."""
    if isinstance(u, Sampled):
        raise UsageError(
            "a Python controller is called for all members at the same time, but members of a "
            "hybrid ensemble jump at different times: run them singly, or write it with jax.numpy"
        )
    if isinstance(u, Mapping) and any(map(_is_sampled, u.values())):
        raise UsageError(
            "give one Sampled controller for all modes, u=da.Sampled(controller): it is called "
            "at its sampling times in every mode"
        )
    whole = modes.driven(u)
    if whole is not None:
        return whole
    if isinstance(u, Mapping):
        given = {name: driven(modes.system(name), control) for name, control in u.items()}
    else:
        given = {k: driven(x, u) for k, x in modes.systems.items() if x.has_inputs}
        if not given:
            driven(next(iter(modes.systems.values())), u)  # raises, and says what is missing
    return modes.with_systems({**modes.systems, **given})


def resume(
    run: HybridTrajectory | PathLike,
    modes: Modes,
    *,
    steps: int | None = None,
    t: float | None = None,
    method: Method | Mapping[str, Method] | None = None,
    events: Mapping[str, Event | EventFunction] | None = None,
    stop_when: StopRule | None = None,
    save_every: int | None = None,
    jumps_per_step: int = 32,
    insist: bool = False,
    progress: bool | None = None,
) -> HybridTrajectory:
    """Continue a run, or the stored file of one, to its planned end or to a later one.

    The results are those of an uninterrupted run (up to round-off by Taylor's method with a later
    end than was planned). `modes` and `events` must be those of the run, and `stop_when` must be
    given again. A run that an event or `stop_when` has ended is not continued. If code, parameters,
    methods or versions differ, the run is refused with the names of the differences; with
    `insist=True` it continues if only code or versions differ. A stored file is replaced by the
    file of the whole run.
    """
    begin = time.perf_counter()
    store = None if isinstance(run, HybridTrajectory) else run
    given = run if isinstance(run, HybridTrajectory) else HybridTrajectory.load(run)
    modes = modes.resumed(given.modes, given.standing)
    named_by = named_events(events, next(iter(modes.systems.values())))
    watching = _watching(modes, named_by)
    modes = with_events(modes, named_by)
    meta = given.meta
    if t is not None or steps is not None:
        _, steps = check_length(meta.h, steps, t, meta.t0)
    steps = given.planned if steps is None else check_count("steps", steps)
    if steps < meta.steps:
        raise UsageError(f"the run has {meta.steps} steps already, more than {steps}")
    methods = methods_of(given) if method is None else method
    every = meta.save_every if save_every is None else check_count("save_every", save_every)
    engine = next((x.engine for x in given.metas if x.engine), None)
    steppers = steppers_of(modes, methods, (meta.t0, meta.h, steps), engine)
    new = run_of(modes, steppers, every, check_count("jumps_per_step", jumps_per_step))
    new.store, new.events = store, watching
    system = next(iter(modes.systems.values()))
    new.stop_at(stop_when, Start(system, meta.h, meta.t0, steps))
    check_same(given, modes, new.record, insist)
    new.take_up(given)
    return new.to_the_end(begin, progress)


def methods_of(given: HybridTrajectory) -> dict[str, Method]:
    """Return the methods of a run by mode, without those that are not known by name."""
    return {
        name: each.identity.make_method()
        for name, each in zip(given.modes, given.metas)
        if each.identity.method_is_known
    }


def check_same(given: HybridTrajectory, modes: Modes, now: Record, insist: bool) -> None:
    """Raise a `UsageError` that names every difference between the stored run and now."""
    titles = tuple(x.title for x in modes.transitions)
    for what, then, here in (
        ("modes", given.modes, modes.names),
        ("transitions", given.jumps.names, titles),
    ):
        if then != here:
            raise UsageError(f"the run has the {what} {then}, not {here}")
    lines = []
    for name, then in zip(given.modes, given.metas):
        here = now.meta_of(name)
        values = [Meta(parameters=x.parameters).as_dict()["parameters"] for x in (then, here)]
        if values[0] != values[1]:
            raise UsageError(
                f"mode '{name}' had the parameters {values[0]}, not {values[1]}: resume it with "
                "those"
            )
        differs = then.identity.differences(here.identity)
        if then.identity.method != here.identity.method:
            raise UsageError(f"mode '{name}': {'; '.join(differs)}")
        lines += [f"mode '{name}': {x}" for x in differs]
    lines += given.meta.identity.differences(identity_of(modes))
    lines += [f"{k} was {v}" for k, v in given.meta.versions.items() if versions().get(k) != v]
    if lines and not insist:
        raise UsageError(f"{'; '.join(lines)}; resume(..., insist=True) continues nevertheless")
