"""Hybrid runs: from initial data in a mode to a result with all its jumps, and on from there."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ..errors import UsageError
from ..files import PathLike, check_writable
from ..methods import Method
from ..results import HybridTrajectory, Meta, versions
from ..running.arguments import check_count, check_length, check_times, check_velocity
from ..system import Point, a_number, is_traced
from .arcs import Run, steppers_of
from .modes import Modes
from .record import Record, identity_of
from .stepping import Node


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
    save_every: int = 1,
    project: bool = False,
    jumps_per_step: int = 32,
    store: PathLike | None = None,
    progress: bool | None = None,
    engine: str | None = None,
) -> HybridTrajectory:
    """Run a hybrid system from (q0, v0) in a mode, through all its jumps.

        wall = da.hybrid.bounce("ice", lambda q: 1.0 - q[0], restitution=0.8)
        modes = da.hybrid.Modes({"ice": da.systems.ChaplyginSleigh()}, wall)
        run = da.hybrid.simulate(modes, "ice", [0, 0, 0], [1.0, 0, 0.5], h=0.05, t=6.0)
        for jump in run.jumps:
            print(jump.t, jump.source, jump.target, jump.energy_lost)

    Args:
        modes: the systems and their transitions.
        mode: the mode to begin in, with `q0` and `v0` on its constraints; without all three, the
            start that `modes` names.
        method: for all modes, or one for each by name; default `Gauss(2)`.
        h, steps, t, t0: as for `da.simulate`; rows lie at t0 + k h, and at the jumps.
        save_every: keep every k-th row of the grid; those at jumps are kept all.
        project: replace q0, v0 off the constraint by the nearest on it.
        jumps_per_step: more jumps than this within h are refused as Zeno's: infinitely many in a
            finite time, or modes that send the motion to and fro.
        store: a `.zarr` or `.nc` file that is written anew from time to time, and at the end, for
            `hybrid.resume`.

    Raises:
        UsageError: for input that cannot be run.
        SimulationError: when a step fails, a jump leads off the constraint of the next mode, a
            zero cannot be located or jumps heap up; the run until there is attached.
    """
    begin = time.perf_counter()
    if not isinstance(modes, Modes):
        raise UsageError(f"hybrid.simulate takes Modes({{name: system}}, ...), got {modes!r}")
    if mode is None and q0 is None and v0 is None:
        if modes.start is None:
            raise UsageError("give a mode, q0 and v0: these modes name no start")
        mode, q0, v0 = modes.start
    if mode is None or q0 is None or v0 is None:
        raise UsageError("give a mode, q0 and v0, all three or none")
    if is_traced((q0, v0, h, a_number())):
        raise UsageError("a hybrid run needs to be outside of jit, vmap and grad")
    h, steps = check_length(h, steps, t, t0)
    steps = check_count("steps", steps)
    h, t0 = (float(x) for x in check_times(h, t0))
    system = modes.system(mode)
    q, v = system.groupoid.base.check(q0, "q0"), check_velocity(system, v0)
    if store is not None and check_writable(store, (".zarr", ".nc")).exists():
        raise UsageError(
            f"cannot write '{store}': it exists already. Go on with it (hybrid.resume), remove it, "
            "or choose another name"
        )
    steppers = steppers_of(modes, method, (t0, h, steps), engine)
    counts = check_count("save_every", save_every), check_count("jumps_per_step", jumps_per_step)
    run = Run(modes, steppers, *counts)
    run.store = store
    run.begin(mode, Node(t0, q, v, None), project)
    return run.to_the_end(begin, progress)


def resume(
    run: HybridTrajectory | PathLike,
    modes: Modes,
    *,
    steps: int | None = None,
    t: float | None = None,
    method: Method | Mapping[str, Method] | None = None,
    save_every: int | None = None,
    jumps_per_step: int = 32,
    insist: bool = False,
    progress: bool | None = None,
) -> HybridTrajectory:
    """Go on with a run, or with the file of one: to the end that it had, or to a later one.

    The numbers are those of an uninterrupted run. `modes` must be those of the run; what differs
    (code, parameters, methods, versions) is refused by name, and `insist=True` goes on all the
    same where it is the code or a version. A file is replaced by that of the whole run.
    """
    begin = time.perf_counter()
    store = None if isinstance(run, HybridTrajectory) else run
    given = run if isinstance(run, HybridTrajectory) else HybridTrajectory.load(run)
    meta = given.meta
    if t is not None or steps is not None:
        _, steps = check_length(meta.h, steps, t, meta.t0)
    steps = given.planned if steps is None else check_count("steps", steps)
    if steps < meta.steps:
        raise UsageError(f"the run has {meta.steps} steps already, more than {steps}")
    methods = method
    if methods is None:
        methods = {
            name: each.identity.make_method()
            for name, each in zip(given.modes, given.metas)
            if each.identity.method_is_known
        }
    every = meta.save_every if save_every is None else check_count("save_every", save_every)
    engine = next((x.engine for x in given.metas if x.engine), None)
    steppers = steppers_of(modes, methods, (meta.t0, meta.h, steps), engine)
    new = Run(modes, steppers, every, check_count("jumps_per_step", jumps_per_step))
    new.store = store
    _check_same(given, modes, new.record, insist)
    new.take_up(given)
    return new.to_the_end(begin, progress)


def _check_same(given: HybridTrajectory, modes: Modes, now: Record, insist: bool) -> None:
    """Raise a `UsageError` that names what differs from what made the run."""
    titles = tuple(x.title for x in modes.transitions)
    for what, then, here in (
        ("modes", given.modes, modes.names),
        ("transitions", given.jumps.names, titles),
    ):
        if then != here:
            raise UsageError(f"the run has the {what} {then}, not {here}")
    told = []
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
        told += [f"mode '{name}': {x}" for x in differs]
    told += given.meta.identity.differences(identity_of(modes))
    told += [f"{k} was {v}" for k, v in given.meta.versions.items() if versions().get(k) != v]
    if told and not insist:
        raise UsageError(f"{'; '.join(told)}; resume(..., insist=True) goes on all the same")
