"""The command for hybrid systems: modes, guards and jumps."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import DalembertError, SimulationError, UsageError, unknown_name
from .base import (
    DEFAULT_STEPS,
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
    save_every: Annotated[int, typer.Option("--save-every", help="Keep every k-th step.")] = 1,
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
    from . import reading, showing

    if system is None:
        rows = [
            {"name": k, "what": (inspect.getdoc(f) or "").partition("\n")[0]}
            for k, f in registry.items()
        ]
        if as_json:
            showing.print_json(rows)
        else:
            showing.print_table(("name", "what"), [tuple(x.values()) for x in rows])
        return
    modes = find_modes(system, settings or ())
    chosen = None if method is None else reading.find_method(method)
    count = reading.count_steps(h, steps, t, t0, DEFAULT_STEPS)
    if out is not None:
        check_writable(out)
    check_plot(plot)
    start = _start(modes, mode, q0, v0)
    options: Any = {"h": h, "steps": count, "t0": t0, "save_every": save_every, "project": project}
    try:
        run = hybrids.simulate(
            modes, *start, method=chosen, jumps_per_step=jumps_per_step, **options
        )
    except SimulationError as error:
        rows = error.trajectory
        files = write(modes, rows, out, plot, theme)
        if as_json:
            told = hybrids.report(modes, rows).as_dict() | {"error": str(error)}
            showing.print_json(told | files)
        for file in files.values():
            complain(f"the {len(rows)} rows until the failure are in {file}")
        if not files:
            complain(f"{len(rows)} rows were computed; --out FILE keeps them")
        raise
    files = write(modes, run, out, plot, theme)
    told = hybrids.report(modes, run)
    if as_json:
        showing.print_json(told.as_dict() | files)
    else:
        print(told)
        print_files(files)
    warn(run.warnings)
    if view:
        from ..viewer import show

        show(modes, run, open=True)


def _start(modes: Any, mode: str | None, q0: str | None, v0: str | None) -> tuple[Any, ...]:
    """(mode, q0, v0), each as given or as the modes name it."""
    from . import reading

    own = modes.start or (None, None, None)
    name = own[0] if mode is None else mode
    if None in (q0, v0) and (name is None or name != own[0]):
        told = "these modes name no start" if own[0] is None else f"the start is in '{own[0]}'"
        raise UsageError(f"{told}: give --mode, --q0 and --v0")
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
    """The modes of a name, or of path/to/file.py:NAME, with parameters set."""
    from ..hybrid import Modes
    from ..hybrid.zoo import registry
    from ..systems import registry as plain
    from . import reading

    path, colon, name = spec.rpartition(":")
    if colon and path.endswith(".py"):
        module = reading.load_file(Path(path))
        if not hasattr(module, name):
            raise UsageError(f"{path} has nothing that is called {name}")
        make = getattr(module, name)
    elif spec in registry:
        make = registry[spec]
    elif spec in plain:
        raise UsageError(f"'{spec}' has one mode: dalembert run {spec}")
    else:
        raise unknown_name("hybrid system", spec, registry)
    values, found = _parameters(make, settings), make
    if callable(make):
        try:
            found = make(**values)
        except DalembertError:
            raise
        except Exception as error:
            raise UsageError(f"{spec}: {type(error).__name__}: {error}") from error
    if not isinstance(found, Modes):
        raise UsageError(f"{spec} must be dalembert.hybrid.Modes, or a function that makes them")
    return found


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
