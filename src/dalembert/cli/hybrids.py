"""The command `hybrid` for hybrid systems: modes, guards and jumps."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import DalembertError, SimulationError, UsageError, unknown_name
from .application import (
    DEFAULT_STEPS,
    OUTPUT,
    Q0,
    V0,
    AsJson,
    EndTime,
    MethodName,
    OutFile,
    PlotFile,
    PlotTheme,
    Project,
    Settings,
    ShowIt,
    StartTime,
    Steps,
    StepSize,
    Theme,
    check_plot,
    command,
    complain,
    print_files,
    warn,
    write,
)


@command(
    "dalembert hybrid",
    "dalembert hybrid bouncing-ball --h 0.01 --t 6 --plot ball.png",
    "dalembert hybrid hill --set speed=0.8 --method rk4 --t 2 --json",
    "dalembert hybrid my_file.py:my_modes --mode air --q0 0,1 --v0 1,0 --out run.nc",
    "dalembert hybrid particle-with-fading-constraint --across-ranks --q0=-1,1 --v0 1,0 --t 3",
)
def hybrid(
    system: Annotated[
        str | None,
        typer.Argument(
            metavar="SYSTEM",
            help="A name, or path/to/file.py:NAME of Modes, or of a function that makes them. "
            "Without it: the list of names.",
        ),
    ] = None,
    mode: Annotated[str | None, typer.Option("--mode", help="The mode to begin in.")] = None,
    method: MethodName = None,
    h: StepSize = 0.01,
    steps: Steps = None,
    t: EndTime = None,
    t0: StartTime = 0.0,
    settings: Settings = None,
    q0: Q0 = None,
    v0: V0 = None,
    project: Project = False,
    save_every: Annotated[
        int, typer.Option("--save-every", help="Keep every k-th step.", rich_help_panel=OUTPUT)
    ] = 1,
    across_ranks: Annotated[
        bool,
        typer.Option(
            "--across-ranks",
            help="SYSTEM is one of 'dalembert systems' whose constraint changes its rank: its "
            "modes are made for it.",
        ),
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store", metavar="FILE", help="Write .zarr or .nc as it runs, for 'dalembert resume'."
        ),
    ] = None,
    jumps_per_step: Annotated[
        int, typer.Option("--jumps-per-step", help="More jumps than this within h are an error.")
    ] = 32,
    out: OutFile = None,
    plot: PlotFile = None,
    theme: PlotTheme = Theme.light,
    view: ShowIt = False,
    as_json: AsJson = False,
) -> None:
    """Run a system with modes: contacts that open and close, bounces, impulses."""
    from .. import hybrid as hybrids
    from ..files import check_writable
    from ..hybrid.zoo import registry
    from . import listing, reading, showing

    if system is None:
        rows = [
            {"name": k, "what": (inspect.getdoc(f) or "").partition("\n")[0]}
            for k, f in registry.items()
        ]
        if as_json:
            showing.print_json(rows)
        else:
            listing.print_brief(("name", "what it is"), [tuple(x.values()) for x in rows])
        return
    if across_ranks:
        modes: Any = hybrids.across_ranks(reading.make_system(system, settings or ()))
    else:
        modes = find_modes(system, settings or ())
    chosen = None if method is None else reading.find_method(method)
    count = reading.count_steps(h, steps, t, t0, DEFAULT_STEPS)
    if out is not None:
        check_writable(out)
    check_plot(plot)
    start = start_data(modes, mode, q0, v0)
    options: Any = {"h": h, "steps": count, "t0": t0, "save_every": save_every, "project": project}
    try:
        run = hybrids.simulate(
            modes, *start, method=chosen, jumps_per_step=jumps_per_step, store=store, **options
        )
    except SimulationError as error:
        rows = error.trajectory
        files = write(modes, rows, out, plot, theme)
        if as_json:
            report = hybrids.report(modes, rows).as_dict() | {"error": str(error)}
            showing.print_json(report | files)
        for file in files.values():
            complain(f"the {len(rows)} rows until the failure are in {file}")
        if not files:
            complain(f"{len(rows)} rows were computed; --out FILE keeps them")
        raise
    files = write(modes, run, out, plot, theme)
    report = hybrids.report(modes, run)
    if as_json:
        showing.print_json(report.as_dict() | files)
    else:
        print(report)
        print_files(files)
    warn(run.warnings)
    if view:
        from ..viewer import show

        show(modes, run, open=True)


def start_data(modes: Any, mode: str | None, q0: str | None, v0: str | None) -> tuple[Any, ...]:
    """Return (mode, q0, v0), each as given or by default that of the modes."""
    from . import reading

    if modes.decides:  # contacts with friction: the mode follows from the initial data
        system = next(iter(modes.systems.values()))
        if (q0 is None) != (v0 is None):
            raise UsageError("give both --q0 and --v0, or neither")
        if q0 is None or v0 is None:
            return mode, None, None
        return mode, reading.point(system, q0), reading.numbers("--v0", v0)
    own = modes.start or (None, None, None)
    name = own[0] if mode is None else mode
    if None in (q0, v0) and (name is None or name != own[0]):
        text = "these modes name no start" if own[0] is None else f"the start is in '{own[0]}'"
        raise UsageError(f"{text}: give --mode, --q0 and --v0")
    if name is None:
        raise UsageError("give --mode with --q0 and --v0")
    system = modes.system(name)
    q = own[1] if q0 is None else reading.point(system, q0)
    if v0 is None:
        return name, q, own[2]
    v = reading.numbers("--v0", v0)
    if len(v) != system.dim:
        raise UsageError(f"--v0 needs {system.dim} numbers, got {len(v)}")
    return name, q, v


def find_modes(spec: str, settings: Sequence[str]) -> Any:
    """Return the modes of a name, or of path/to/file.py:NAME, with parameters set."""
    from ..hybrid import Modes

    result = made_by(spec, settings)
    if not isinstance(result, Modes):
        raise UsageError(f"{spec} must be dalembert.hybrid.Modes, or a function that makes them")
    return result


def made_by(spec: str, settings: Sequence[str]) -> Any:
    """Return the object that a name, or path/to/file.py:NAME, makes."""
    from ..hybrid.zoo import registry
    from ..systems import registry as plain
    from . import reading

    path, colon, name = spec.rpartition(":")
    if colon and path.endswith(".py"):
        module = reading.load_file(Path(path))
        if not hasattr(module, name):
            raise UsageError(f"{path} has no {name}")
        make = getattr(module, name)
    elif spec in registry:
        make = registry[spec]
    elif spec in plain:
        raise UsageError(
            f"'{spec}' has one mode: dalembert run {spec}; if the rank of its constraint changes, "
            f"dalembert hybrid {spec} --across-ranks"
        )
    else:
        raise unknown_name("hybrid system", spec, registry)
    values, result = _parameters(make, settings), make
    if callable(make):
        try:
            result = make(**values)
        except DalembertError:
            raise
        except Exception as error:
            raise UsageError(f"{spec}: {type(error).__name__}: {error}") from error
    return result


def modes_of_run(path: Path, run: Any, spec: str | None) -> Any:
    """Return the modes of a saved run: by name, from the given file, or of a plain system."""
    from ..hybrid import across_ranks
    from ..hybrid.zoo import registry
    from ..systems import registry as plain
    from . import reading

    name = spec or run.meta.system
    if spec is None and name not in registry and name not in plain:
        raise UsageError(
            f"'{path}' is a hybrid run of {name or 'modes without a name'}, which is not in the "
            "library: add --system FILE:NAME, of Modes or of a function that makes them"
        )
    if name in plain:
        parameters = next(iter(run.metas)).parameters if len(run.metas) else {}
        own = {k: x for k, x in parameters.items() if k not in ("held", "floor")}
        return across_ranks(reading.system_with(name, own)).met(run.modes)
    modes = find_modes(name, ()).met(run.modes)
    values = dict(zip(run.modes, (x.parameters for x in run.metas)))
    modes = modes.with_systems(
        {k: _with_values(x, values.get(k, {})) for k, x in modes.systems.items()}
    )
    if tuple(modes.names) != tuple(run.modes):
        raise UsageError(f"'{path}' has the modes {run.modes}, and {name} has {modes.names}")
    return modes


def _with_values(system: Any, values: Any) -> Any:
    """Return the system with those parameters of a run that it has."""
    own = {k: values[k] for k in system.parameters() if k in values}
    return system.with_parameters(**own) if own else system


def go_on_with_run(
    path: Path, spec: str | None, method: Any, insist: bool, theme: Theme, **files: Any
) -> None:
    """Resume a hybrid run, for `dalembert resume`."""
    from .. import hybrid as hybrids
    from ..results import HybridTrajectory
    from . import showing

    modes = modes_of_run(path, HybridTrajectory.load(path), spec)
    run = hybrids.resume(path, modes, method=method, insist=insist)
    written = write(modes, run, files["out"], files["plot"], theme)
    report = hybrids.report(modes, run)
    if files["as_json"]:
        showing.print_json(report.as_dict() | written)
    else:
        print(report)
        print_files(written)
    warn(run.warnings)


def go_on_with_members(
    store: Path, members: Sequence[Path], spec: str | None, insist: bool, as_json: bool
) -> None:
    """Resume the members of a hybrid ensemble; each member has its own system."""
    from .. import hybrid as hybrids
    from ..results import HybridTrajectory
    from . import showing

    lines = []
    for path in members:
        modes = modes_of_run(path, HybridTrajectory.load(path), spec)
        run = hybrids.resume(path, modes, insist=insist)
        lines.append({"member": path.stem, "t": float(run.t[-1]), "jumps": len(run.jumps)})
    if as_json:
        showing.print_json({"store": str(store), "members": lines})
    else:
        rows = [tuple(map(str, x.values())) for x in lines]
        showing.print_table(("member", "t", "jumps"), rows)


def ensemble_of_modes(
    spec: str, fixed: Sequence[str], over: Any, start: tuple[str | None, str | None], **how: Any
) -> Any:
    """Run `dalembert ensemble` for a hybrid system: members over parameters of its systems."""
    from .. import hybrid as hybrids

    modes = find_modes(spec, fixed)
    if start != (None, None):
        raise UsageError(
            f"'{spec}' has several modes and a fixed start: --set varies parameters only; "
            "hybrid.simulate_ensemble in Python takes initial data"
        )
    return hybrids.simulate_ensemble(modes, over=over, **how)


def _parameters(make: Any, settings: Sequence[str]) -> dict[str, float]:
    from . import reading

    known = dict(inspect.signature(make).parameters) if inspect.isfunction(make) else {}
    values = {}
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set {text}: write NAME=VALUE")
        if name not in known:
            raise unknown_name("parameter", name, known)
        values[name] = reading.number(value)
    return values
