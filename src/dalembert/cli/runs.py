"""The commands run, resume and compare."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import SimulationError, UsageError
from .application import (
    DEFAULT_STEPS,
    OUTPUT,
    Q0,
    STEP,
    V0,
    AsJson,
    EndTime,
    MethodName,
    OutFile,
    PlotFile,
    PlotTheme,
    Project,
    Scheduler,
    Settings,
    ShowIt,
    StartTime,
    Steps,
    StepSize,
    SystemName,
    Theme,
    Tolerance,
    Workers,
    check_plot,
    command,
    complain,
    print_files,
    warn,
    write,
)

COMPARED = ("gauss-2", "gni-midpoint", "dla-midpoint", "rk4")


@command(
    "dalembert run chaplygin-sleigh --h 0.05 --steps 2000 --plot sleigh.png",
    "dalembert run ball-on-turntable --method reference --json",
    "dalembert run nonholonomic-particle --set stiffness=1 --q0 1,0.5,0 --v0 0.3,-0.4,0.15",
    "dalembert run chaplygin-sleigh --t 20 --tol 1e-12",
    "dalembert run my_system.py:MySystem --t 10 --out run.zarr",
    "dalembert run chaotic-quartic --method leapfrog --steps 10000000 --save-every 1000 "
    "--store long.zarr",
)
def run(
    system: SystemName,
    method: MethodName = None,
    h: Annotated[
        float | None,
        typer.Option("--h", help="Step size in s; 0.01 if not given.", rich_help_panel=STEP),
    ] = None,
    steps: Steps = None,
    t: EndTime = None,
    tol: Tolerance = None,
    t0: StartTime = 0.0,
    settings: Settings = None,
    q0: Q0 = None,
    v0: V0 = None,
    project: Project = False,
    save_every: Annotated[
        int, typer.Option("--save-every", help="Keep every k-th step.", rich_help_panel=OUTPUT)
    ] = 1,
    out: OutFile = None,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="NAME.zarr",
            help="Write rows here while they are computed; 'dalembert resume' goes on with it.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    plot: PlotFile = None,
    theme: PlotTheme = Theme.light,
    view: ShowIt = False,
    as_json: AsJson = False,
) -> None:
    """Simulate a system and report what was conserved."""
    from ..files import check_writable
    from ..methods import default
    from ..running import simulate
    from . import reading, showing

    chosen = default() if method is None else reading.find_method(method)
    made = reading.make_system(system, settings or ())
    options = {"t0": t0, "save_every": save_every, "project": project}
    if tol is None and t is not None and h is steps is None and chosen.traits.sizes == "any":
        options |= {"t": t}
    elif tol is None:
        h = 0.01 if h is None else h
        if t is None or steps is not None or chosen.traits.sizes not in ("own", "any"):
            steps, t = reading.count_steps(h, steps, t, t0, DEFAULT_STEPS), None
        options |= {"h": h, "steps": steps, "t": t}
    else:
        if t is None or h is not None or steps is not None:
            raise UsageError("--tol chooses the step: give --t T --tol E, without --h and --steps")
        options |= {"t": t, "tol": tol}
    if out is not None:
        check_writable(out)
    check_plot(plot)
    with reading.blaming(made):
        q, v = reading.initial_data(made, q0, v0)
        try:
            named = None if method is None and tol is not None else chosen
            traj = simulate(made, named, q, v, **options, store=store)
            if named is None:
                chosen = traj.meta.identity.make_method()
            if store is not None:
                traj = _looked_at(store)
        except SimulationError as error:
            if store is not None:
                raise
            rows = error.trajectory if error.trajectory is not None else ()
            files = write(made, rows, out, plot, theme) if len(rows) else {}
            if as_json:
                showing.print_json(showing.failure(made, chosen, h or math.nan, error) | files)
            for file in files.values():
                complain(f"the {len(rows)} rows until the failure are in {file}")
            warn(error.trajectory.warnings if error.trajectory is not None else ())
            if not files:
                complain(f"{len(rows)} rows were computed; --out FILE keeps them")
            raise
        _tell(made, chosen, traj, write(made, traj, out, plot, theme), store, as_json)
    if view:
        from .seeing import show_runs

        show_runs(made, [traj])


@command(
    "dalembert resume long.zarr",
    "dalembert resume long.zarr --system my_system.py:MySystem --method my_method.py:MyMethod",
    "dalembert resume long.zarr --out all.nc",
    "dalembert resume many.zarr --workers 4",
)
def resume(
    store: Annotated[
        Path,
        typer.Argument(
            metavar="STORE",
            help="What 'run --store', 'hybrid --store' or 'ensemble --store' wrote.",
        ),
    ],
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="FILE:CLASS", help="For a system of your own: its file."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option("--method", metavar="FILE:CLASS", help="For a method of your own: its file."),
    ] = None,
    insist: Annotated[
        bool, typer.Option("--insist", help="Go on though code or versions have changed since.")
    ] = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    out: OutFile = None,
    plot: PlotFile = None,
    theme: PlotTheme = Theme.light,
    as_json: AsJson = False,
) -> None:
    """Continue an interrupted run, to the same numbers as without the interruption."""
    from ..files import check_writable
    from ..hybrid.member_blocks import MemberFolder
    from ..results import HybridTrajectory, load
    from ..results.checkpoint import read_checkpoint
    from ..results.ensemble_store import is_sliced
    from ..running import resume as go_on
    from ..storage.store import Store, as_stored
    from ..systems import registry
    from . import reading

    check_plot(plot)
    if out is not None:
        check_writable(out)
    if is_sliced(store):
        from .ensembles import go_on_with

        if out is not None:
            raise UsageError(
                f"'{store}' is an ensemble, which is resumed in its own folder: "
                "--out is for single runs"
            )
        go_on_with(store, system, method, insist, workers, scheduler, plot, theme, as_json)
        return
    if MemberFolder.is_at(store):
        from .ensembles import go_on_with_hybrid

        if out is not None or plot is not None:
            raise UsageError(f"'{store}' is a hybrid ensemble: --out and --plot are for runs")
        go_on_with_hybrid(store, system, insist, workers, scheduler, as_json)
        return
    if workers is not None or scheduler is not None:
        raise UsageError(f"'{store}' is one run: --workers and --scheduler are for ensembles")
    if store.exists() and (members := sorted(store.glob("[0-9]*.zarr"))):
        from .hybrids import go_on_with_members

        go_on_with_members(store, members, system, insist, as_json)
        return
    if read_checkpoint(store) is None and isinstance(load(store), HybridTrajectory):
        from .hybrids import go_on_with_run

        given = None if method is None else reading.find_method(method)
        files = {"out": out, "plot": plot, "as_json": as_json}
        go_on_with_run(store, system, given, insist, theme, **files)
        return
    opened = Store.open(store)
    made = None if system is None else reading.system_with(system, opened.meta.parameters)
    if made is None and opened.meta.system not in registry:
        raise UsageError(
            f"'{store}' is a run of {opened.meta.system}, which is not in the library: "
            "add --system FILE:CLASS"
        )
    given = None if method is None else reading.find_method(method)
    made, chosen = as_stored(opened, made, given, insist=insist)
    with reading.blaming(made):
        go_on(store, made, chosen, insist=insist)
        traj = _looked_at(store) if out is None else load(store)
        _tell(made, chosen, traj, write(made, traj, out, plot, theme), store, as_json)


_MOST_ROWS = 200_000


def _looked_at(store: Path) -> Any:
    """Load the rows of a store, or evenly spaced rows of one with more than `_MOST_ROWS`."""
    from ..results import load
    from ..results.checkpoint import read_checkpoint

    result = read_checkpoint(store)
    assert result is not None
    return load(store, every=-(-result.total // _MOST_ROWS))


def _tell(
    made: Any, chosen: Any, traj: Any, files: dict[str, str], store: Path | None, as_json: bool
) -> None:
    from . import showing

    if store is not None:
        files = {"store": str(store), **files}
    from ..diagnostics import meaningless

    wrong = meaningless(made, traj)
    told = list(dict.fromkeys([*traj.warnings, *wrong]))
    if as_json:
        showing.print_json(showing.result(made, chosen, traj) | files | {"warnings": told})
    else:
        showing.print_result(made, traj)
        print_files(files)
    warn(told)
    if wrong:
        raise typer.Exit(1)


@command(
    "dalembert compare chaplygin-sleigh --method gni-midpoint --method rk4 --h 0.1 --t 20",
    "dalembert compare ball-on-turntable --h 0.1 --steps 10000 --plot compare.svg",
)
def compare(
    system: SystemName,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            help="A name or FILE:CLASS to compare; repeat it. If not given: "
            f"{', '.join(COMPARED)}.",
        ),
    ] = None,
    h: StepSize = 0.01,
    steps: Steps = None,
    t: EndTime = None,
    t0: StartTime = 0.0,
    settings: Settings = None,
    q0: Q0 = None,
    v0: V0 = None,
    project: Project = False,
    plot: PlotFile = None,
    theme: PlotTheme = Theme.light,
    view: ShowIt = False,
    as_json: AsJson = False,
) -> None:
    """Run several methods from the same start, beside an adaptive reference solution."""
    from ..diagnostics import compare as compared
    from . import reading, showing

    names = [x for x in dict.fromkeys(method or COMPARED) if x != "reference"]
    chosen = [reading.find_method(x) for x in (*names, "reference")]
    made = reading.make_system(system, settings or ())
    steps = reading.count_steps(h, steps, t, t0, DEFAULT_STEPS)
    check_plot(plot)
    files = {}
    with reading.blaming(made):
        for each in chosen:
            each.check(made)
        q, v = reading.initial_data(made, q0, v0)
        result = compared(made, chosen, q, v, h=h, steps=steps, t0=t0, project=project)
        if plot is not None:
            from ..plots import comparison, save

            save(comparison(result, theme=theme.value), plot)
            files["plot"] = str(plot)
    if as_json:
        conserved = {"energy_conserved": showing.energy_conserved(made)}
        showing.print_json(result.as_dict() | conserved | files)
    else:
        end = result.end
        print(f"{made.name()}: h = {h:g}, {steps} steps, t = {t0:g} .. {end:g}\n")
        print(result.table().text())
        print(f"\nerror: largest difference in q from the reference at t = {end:g}")
        print_files(files)
    for each in result.runs:
        warn(each.warnings)
    if view:
        from .seeing import show_runs

        show_runs(made, [each.trajectory for each in result.runs])
    failures = [each.failure for each in result.runs if each.failure]
    for text in failures:
        complain(text)
    if failures:
        raise typer.Exit(1)
