"""The command `export`, which writes models and runs for other tools."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import UsageError
from .application import Q0, V0, AsJson, MethodName, Settings, command
from .hybrids import find_modes, made_by
from .hybrids import start_data as start_of

_MODELS, _RUNS = (".c", ".fmu"), (".mcap", ".csv", ".mp4", ".webm", ".gif")


@command(
    "dalembert export chaplygin-sleigh --to sleigh.c --h 0.01",
    "dalembert export balancing-robot --to robot.c --method rk4 --h 0.002 --single",
    "dalembert export my_system.py:MySystem --to model.fmu --h 0.01",
    "dalembert export chaplygin-sleigh --to sleigh.c --h 0.01 --main 1000",
    "dalembert export bouncing-ball --to ball.c --h 0.01",
    "dalembert export run.zarr --to run.mcap",
    "dalembert export run.nc --to run.csv --system my_system.py:MySystem",
)
def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM|RUN",
            help="A system, as for 'run' or 'hybrid' (to .c, .fmu), or a saved run (to the "
            "others).",
        ),
    ],
    to: Annotated[
        Path,
        typer.Option("--to", metavar="FILE", help="Of a kind: .c .fmu .mcap .csv .mp4 .webm .gif"),
    ],
    method: MethodName = None,
    h: Annotated[
        float | None,
        typer.Option("--h", help="Step size in s; in C an argument of the step if not given."),
    ] = None,
    settings: Settings = None,
    q0: Q0 = None,
    v0: V0 = None,
    mode: Annotated[
        str | None, typer.Option("--mode", help="Of a hybrid system: the mode of the start.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Of functions and types; by default the system's."),
    ] = None,
    single: Annotated[bool, typer.Option("--single", help="C with floats, not doubles.")] = False,
    jacobians: Annotated[
        bool, typer.Option("--jacobians", help="C with derivatives of the acceleration.")
    ] = False,
    main: Annotated[
        int,
        typer.Option("--main", metavar="N", help="C with a main: N steps; needs --h."),
    ] = 0,
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="FILE:CLASS", help="Of a run: a system of yours."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a model as C or as an FMU, or a run as a log for other tools."""
    from ..files import check_writable
    from . import showing

    suffix = check_writable(to, (*_MODELS, *_RUNS)).suffix.lower()
    if suffix in _RUNS:
        result = _run(Path(what), to, suffix, system)
    else:
        if system is not None:
            raise UsageError("--system is for runs; a model is named by the first argument")
        if Path(what).exists() and Path(what).suffix in (".zarr", ".nc"):
            raise UsageError(
                f"'{what}' is a saved run, but a {suffix} file holds a system: dalembert export "
                f"SYSTEM --to {to.name}"
            )
        options = {"single": single, "jacobians": jacobians, "main": main}
        if suffix == ".fmu" and any(options.values()):
            raise UsageError("--single, --jacobians and --main are for C")
        given = options if suffix == ".c" else {}
        result = _model(what, to, suffix, method, h, settings, (q0, v0, mode), name, given)
    if as_json:
        showing.print_json(result)
    else:
        print(result["text"])


def _model(
    what: str, to: Path, suffix: str, method: str | None, h: float | None, settings: Any,
    start: tuple[str | None, str | None, str | None], name: str | None, options: dict[str, Any],
) -> dict[str, Any]:  # fmt: skip
    from ..export import c, fmu
    from ..methods import default
    from . import reading

    chosen = default() if method is None else reading.find_method(method)
    made: Any = _modes(what, settings or ())
    *data, mode = start
    q, v = (None, None)
    if made is not None:
        if start != (None, None, None):
            mode, q, v = start_of(made, mode, *data)
        blamed = contextlib.nullcontext()
    else:
        made = reading.make_system(what, settings or ())
        blamed = reading.blaming(made)
    with blamed:
        if q is None and data != [None, None]:
            q, v = reading.initial_data(made, *data)
        options = {"name": name, "q0": q, "v0": v, "mode": mode, **options}
        if suffix == ".fmu":
            file = fmu(made, chosen, to, 0.01 if h is None else h, **options)
            return {"text": str(file), "file": str(to), "variables": file.variables,
                    "binary": file.binary}  # fmt: skip
        files = c(made, chosen, to, h, **options)
        return {"text": str(files), "file": str(files.source), "header": str(files.header),
                "operations": files.operations}  # fmt: skip


def _modes(what: str, settings: Sequence[str]) -> Any:
    """Return the modes that a name or path/to/file.py:NAME stands for; None if it is a system."""
    from ..hybrid import Modes
    from ..hybrid.zoo import registry
    from ..systems import registry as plain
    from . import reading

    path, colon, name = what.rpartition(":")
    if not (colon and path.endswith(".py")):
        return find_modes(what, settings) if what in registry and what not in plain else None
    result = getattr(reading.load_file(Path(path)), name, None)
    if isinstance(result, Modes):
        return find_modes(what, settings)
    if isinstance(result, type) or not callable(result):
        return None
    if settings and not inspect.signature(result).parameters:
        return None  # --set applies to the parameters of the system that the function returns
    made = made_by(what, settings)
    return made if isinstance(made, Modes) else None


def _run(path: Path, to: Path, suffix: str, spec: str | None) -> dict[str, Any]:
    from ..export import csv, film, mcap
    from ..results import HybridTrajectory, Trajectory, load
    from . import reading

    if not path.exists():
        raise UsageError(
            f"'{path}' is not a saved run, which a {suffix} file needs ('dalembert run --out FILE')"
        )
    traj = load(path)
    if isinstance(traj, HybridTrajectory) and suffix == ".mcap":
        modes = _modes(spec or traj.meta.system, ())
        count = mcap(traj, to, modes)
        text = f"{to.name}: {count} messages of {len(traj)} rows"
        return {"text": text, "file": str(to), "rows": len(traj), "messages": count}
    if not isinstance(traj, Trajectory):
        raise UsageError(
            f"'{path}' does not hold a single run: many[7].save('one.nc') saves one of many"
        )
    made = None if spec is None else reading.system_with(spec, traj.meta.parameters)
    if suffix == ".csv":
        csv(traj, to, made)
        return {"text": f"{to.name}: {len(traj)} rows", "file": str(to), "rows": len(traj)}
    if suffix != ".mcap":
        count = film(traj, to, made)
        return {"text": f"{to.name}: {count} frames", "file": str(to), "frames": count}
    count = mcap(traj, to, made)
    text = f"{to.name}: {count} messages of {len(traj)} rows"
    return {"text": text, "file": str(to), "rows": len(traj), "messages": count}
