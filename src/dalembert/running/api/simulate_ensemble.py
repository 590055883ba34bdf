"""`simulate_ensemble`: many runs at once, over initial data or parameters.

Arguments become an `EnsembleRequest`, which `ensemble_run` runs in blocks, or `sliced_run` slice by
slice into a store. Rows are saved, or reduced during the run.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Unpack, overload

import jax.numpy as jnp
import numpy as np

from ...compile.layout import Tree
from ...compile.tracing import recording_once
from ...compile.xla import Device
from ...errors import UsageError
from ...events import Event, EventFunction, named_events
from ...inputs import PerMember, Sampled, driven
from ...methods import Method
from ...request.batch import Design, batch_of
from ...request.prepare import Prepared, each_member, prepare_members
from ...request.sampling import Sampling, check_sampled, on_the_host, refuse_saved
from ...request.step import StopRule, has_any_times
from ...request.validate import (
    Given,
    Simulated,
    check_count,
    check_length,
    check_span,
    given_options,
    resolve,
)
from ...results import Ensemble
from ...rows import AnySink
from ...storage.executors import check_executor
from ...system import Point, System, is_traced
from ..accuracy import Accurate, Pilot, accurate
from ..ensemble_run import EnsembleRequest
from ..record.member_ranks import with_row_warnings
from ..record.sinks import Every, Final, RunOptions, Save, Stream, named
from .sliced_run import Streamed


class EnsembleOptions(RunOptions, total=False):
    """Keyword arguments of `simulate_ensemble`."""

    tol: float | None
    stop_when: StopRule | None
    keep: str | None
    reduce: Mapping[str, AnySink] | None
    devices: Sequence[Device] | None
    executor: Given
    over: Design | None


@overload
def simulate_ensemble(
    system: System,
    method: Method | None = None,
    q0: Point = None,
    v0: Given = None,
    **options: Unpack[EnsembleOptions],
) -> Ensemble: ...
@overload
def simulate_ensemble(
    system: System, q0: Point, v0: Given, /, **options: Unpack[EnsembleOptions]
) -> Ensemble: ...
@recording_once()
def simulate_ensemble(
    system: System,
    method: Given = None,
    q0: Point = None,
    v0: Given = None,
    *,
    mode: str | Sequence[str] | None = None,
    h: float | None = None,
    steps: int | None = None,
    t: float | None = None,
    tol: float | None = None,
    t0: float = 0.0,
    events: Mapping[str, Event | EventFunction] | None = None,
    save: Save | None = None,
    save_every: int | None = None,
    keep: str | None = None,
    reduce: Mapping[str, AnySink] | None = None,
    project: bool = False,
    stop_when: StopRule | None = None,
    u: Given = None,
    over: Design | None = None,
    devices: Sequence[Device] | None = None,
    executor: Given = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> Ensemble:
    """Run many members at once, `steps` steps of size `h` each.

    Args:
        system: one system, or a batch: parameters with the members as first axis, such as
            `ChaplyginSleigh(a=jnp.linspace(0.1, 0.3, 1000))`. `hybrid.Modes` run by
            `hybrid.simulate_ensemble`, and the result is its `HybridEnsemble`.
        method: the integrator; by default that of `simulate`.
        q0, v0: initial data with the members as first axis; without that axis, all members start
            at one point. `system.initial()` if both are left out.
        mode: of `hybrid.Modes`, the mode in which members begin: one for all, or one for each.
        h, steps, t, t0: as in `simulate`, the same for all members.
        tol: tolerance, instead of h, with t: the error of q and of v at the end, as in `simulate`,
            of the worst member. All members take the same step size, or the same tolerance of
            Taylor's steps. With `Taylor`, h may be given as well: the time between rows.
        events: as in `simulate`, separately for each member; `Ensemble.events` lists them. If an
            event ends a member, the others continue; sinks then no longer count that member.
        save: what to save, as in `simulate`: a sink, or names and sinks, whose results are in
            `Ensemble.saved` under these names. Sinks that save no rows are computed during the run:
            memory does not grow with the number of steps (except by one number for each time in
            statistics over members). By default the last row. `Stream("many.zarr")`, alone or
            beside reductions, writes the members to disk slice by slice; the result then reads
            its arrays from there, and `resume("many.zarr")` continues after an interruption.
        save_every: steps between rows of sinks that have no `every`; alone, `save=Every(k)`.
        keep, reduce: shorthands: `keep="rows"` adds `Every(save_every)`, `keep="final"` the last
            row; `reduce` names further sinks. By default rows are saved if `save_every` is given
            and `reduce` is not.
        project: replace inconsistent velocities by the nearest consistent ones.
        stop_when: function (t, q, v) -> bool; each member ends at the first step where it is true,
            and the others continue. `Ensemble.events["stop_when"]` lists the rows there.
        u: control, as in `simulate`; `control.PerMember(u)` if its arrays have members first.
            `da.Sampled(controller)` is called with all members at once.
        over: `da.grid(...)` or `da.sample(...)`: parameters and initial data of the members by
            name, instead of a batch. Initial data that it does not name are those of q0 and v0, one
            point, or of `system.initial()`.
        devices: JAX devices to use; by default all cores, or all accelerators if there are any.
        executor: with a `Stream`: what computes the slices. An object with `submit`, such as a Dask
            client, or a number of processes on this machine; see docs/cluster.md.
        progress: show a progress bar; by default only on a terminal, and only on long runs.
        engine: as in `simulate`; on a CPU "native" computes members in vectors.

    A member that fails is marked (`result`, `failed`), and the others continue.
    """
    begin = time.perf_counter()
    if not isinstance(system, System) and isinstance(system, Simulated):
        return system.simulated_members(method, q0, v0, **given_options(locals()))
    if mode is not None:
        raise UsageError(f"mode={mode!r} is for hybrid.Modes; a system has none")
    # Whether the caller chose a method decides which one `tol=` may replace.
    named_method = isinstance(method, Method)
    method, q0, v0 = resolve(method, q0, v0)
    initial: Mapping[str, Any] = {}
    if over is not None:
        if not isinstance(over, Design):
            raise UsageError(f"over must be da.grid(...) or da.sample(...), got {over!r}")
        initial = over.initial(system)
        # A design replaces parameters of the system and adds members to q0 and v0, in this order.
        system, q0, v0 = over.members(system, t0, q0, v0)
    sampled = u if isinstance(u, Sampled) else None
    if sampled is not None:
        refused = {"events": events, "stop_when": stop_when, "executor": executor}
        check_sampled(method, tol=tol, **refused)
    elif u is not None:
        system = driven(system, u)
    if devices is not None and (isinstance(devices, str) or not len(devices)):
        raise UsageError("devices must be JAX devices, such as jax.devices()[:1]")
    # The array of zeros is traced inside any jit, even if all arguments are concrete.
    if is_traced((system, q0, v0, h, t0, jnp.zeros(1))):
        raise UsageError(
            "simulate_ensemble works outside of jit, vmap and grad; inside, use jax.vmap(simulate)"
        )
    accuracy = None
    if tol is not None:
        how = {"project": project, "engine": engine, "devices": devices}
        asked = method if named_method else None
        accuracy = _accurate((system, q0, v0), asked, (t, t0), tol, how)
        method = accuracy.method
        if accuracy.h is not None and (h is not None or steps is not None):
            raise UsageError("tol chooses the step: give t and tol, and not h or steps")
        # The pilot runs have fixed the number of steps: t would be checked against h a second
        # time.
        if accuracy.h is not None:
            h, steps, t = accuracy.h, accuracy.steps, None
    if has_any_times(method) and h is None and steps is None:
        # Rows only at the end: one step over the whole span is what Taylor then reports.
        h, steps, t = check_span(t, t0), 1, None  # the end
    h, steps = check_length(h, steps, t, t0, method)
    steps = None if steps is None else check_count("steps", steps)
    if save_every is not None:
        save_every = check_count("save_every", save_every)
    sinks = _sinks(save, save_every, keep, reduce)
    check_executor(executor)
    streams = [x for x in sinks.values() if isinstance(x, Stream)]
    sampling = None
    if sampled is not None:
        refuse_saved(sinks)
        devices = on_the_host(devices)
        system, sampling = _sampled(sampled, system, method, (q0, v0), (h, t0), project)
    how = (save_every, engine, initial, stop_when, sampling)
    run = EnsembleRequest(system, method, q0, v0, h, t0, project, *how)
    if streams and stop_when is not None:
        raise UsageError(
            "an ensemble in a store takes events= instead of stop_when=, because a stop_when "
            "function cannot be compared when the ensemble is resumed: give "
            'events={"stop": da.Event(g, terminal=True)}'
        )
    if streams:
        if steps is None:
            raise UsageError(
                f"{method.name} chooses its steps for each member, so that the number of rows in a "
                "store is not known in advance. Give steps= instead of t=, or "
                "another method, or keep the members in memory (no Stream)"
            )
        others = {k: x for k, x in sinks.items() if not isinstance(x, Stream)}
        watched = named_events(events, system)
        made = Streamed.begun(run, steps, streams, others, watched, executor)
        result = made.to_the_end(devices, executor, progress)
        return result if accuracy is None else accuracy.judged(system, result)
    if executor is not None:
        raise UsageError(
            'executor= computes slices that are written to disk: save=da.Stream("many.zarr")'
        )
    work = run.work(sinks, steps, t, devices, named_events(events, system))
    work.compile()
    compiled = time.perf_counter()
    blocks = work.run(progress)
    spent = {"wall_s": time.perf_counter() - compiled, "compile_s": compiled - begin}
    # Warnings that need rows are added last: they read the gathered arrays.
    followed = work.of_member is not None
    result = with_row_warnings(work.gathered(blocks, spent), work.batch, work.prepared, followed)
    return result if accuracy is None else accuracy.judged(system, result)


def _sampled(
    sampled: Sampled,
    system: System,
    method: Method,
    start: tuple[Tree, Tree],
    when: tuple[Tree, Tree],
    project: bool,
) -> tuple[System, Sampling]:
    """Return the system with the first input of each member, and the sampler of later inputs."""
    batch = batch_of(system, *start)
    # Zeros of the right shape stand for the inputs until the controller was called once.
    count = len(driven(batch.example, 0.0).input_labels)
    held = driven(system, PerMember(np.zeros((batch.members, count))))
    prepared, _ = prepare_members(held, method, *start, *when, project)
    sampling = Sampling(sampled, batch.example, prepared.h, prepared.t0, batch.members)
    row = prepared.state.row
    first = sampling.before(0, prepared.t0, row.q, row.v)
    return driven(system, PerMember(first)), sampling


def _accurate(
    start: tuple[System, Given, Given],
    method: Method | None,
    when: tuple[float | None, float],
    tol: float,
    how: dict[str, Any],
) -> Accurate:
    """Return the method and the steps for which the worst member is within `tol`."""
    (system, q0, v0), (t, t0) = start, when
    span = check_span(t, t0)

    def prepared(method: Method) -> list[Prepared]:
        return each_member(*prepare_members(system, method, q0, v0, span, t0, how["project"]))

    def pilot(method: Method) -> Pilot:
        return partial(simulate_ensemble, system, method, q0, v0, t0=t0, progress=False, **how)

    natively = how["engine"] in (None, "native")
    count = batch_of(system, q0, v0).members
    return accurate(system, method, tol, span, t0, pilot, prepared if natively else None, count)


def _sinks(
    save: Given, save_every: int | None, keep: str | None, reduce: Given
) -> dict[str, AnySink]:
    if save is not None:
        if keep is not None or reduce is not None:
            raise UsageError("give save, or its shorthands keep and reduce, not both")
        return named(save, many=True)
    if reduce is not None and not isinstance(reduce, Mapping):
        raise UsageError('reduce takes names and reductions, such as {"energy": Statistics(f)}')
    if keep is None:
        # Final states are the default, because rows of all members rarely fit into memory.
        keep = "rows" if save_every is not None and not reduce else "final"
    if keep not in ("rows", "final"):
        raise UsageError(f"keep must be 'rows' or 'final', got {keep!r}")
    rows = Every(save_every) if keep == "rows" else Final()
    if keep == "rows" and save_every is None:
        raise UsageError("keep='rows' needs save_every, the steps between rows: 1 is every step")
    return named({"": rows, **(reduce or {})}, many=True)
