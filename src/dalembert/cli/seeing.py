"""The commands view and studio, which show motion."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import DalembertError, UsageError
from .application import command, complain


@command(
    "dalembert view run.zarr",
    "dalembert view gni.nc dla.nc --out compared.html",
    "dalembert view mine.zarr --system my_system.py:MySystem",
    "dalembert view many.zarr --member 0 --member 17",
)
def view(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Results of runs; the first is drawn solid."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="PAGE.html", help="Write the page; do not open it."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="FILE:CLASS", help="For a system of your own: its file."),
    ] = None,
    member: Annotated[
        list[int] | None,
        typer.Option("--member", metavar="K", help="Of an ensemble; the first if not given."),
    ] = None,
    max_rows: Annotated[
        int, typer.Option("--max-rows", help="Rows that are shown of a run, at most.")
    ] = 2000,
) -> None:
    """Show runs that were saved: a picture that moves, with curves in step with it."""
    from ..files import check_writable
    from ..hybrid import HybridEnsemble
    from ..results import Ensemble
    from ..viewer.encode import MOST_RUNS

    if out is not None:
        check_writable(out, (".html", ".htm"))

    loaded = [_loaded(path, max_rows, system) for path in files]
    kinds = (Ensemble, HybridEnsemble)
    many = [path for path, found in zip(files, loaded) if isinstance(found, kinds)]
    if many and len(files) > 1:
        raise UsageError(
            f"'{many[0]}' holds an ensemble, which is shown alone: give this file only"
        )
    if member and not many:
        raise UsageError("--member is for the file of an ensemble")
    if many:
        ensemble = loaded[0]
        most = MOST_RUNS if isinstance(ensemble, Ensemble) else 1  # a hybrid run is shown alone
        chosen = list(member or range(min(len(ensemble), most)))
        loaded = [_member(files[0], ensemble, k) for k in chosen]
        files = [Path(f"member {k}") for k in chosen]
    runs = [_with_system(path, traj, system) for path, traj in zip(files, loaded)]
    hybrid = [path for path, (_, traj) in zip(files, runs) if hasattr(traj, "jumps")]
    if hybrid and len(runs) > 1:
        raise UsageError(
            f"'{hybrid[0]}' is a hybrid run, which cannot be shown beside others: give this file "
            "only"
        )
    labels = _labels(files, [traj for _, traj in runs])
    _show(runs, labels, out, max_rows)


def _loaded(path: Path, max_rows: int, spec: str | None) -> Any:
    """Return the run or runs in a file; a long store is read only in part."""
    from ..hybrid import resume_ensemble
    from ..results import HybridTrajectory, load
    from ..results.checkpoint import read_checkpoint

    if (path / "hybrid.json").exists():  # members of a hybrid ensemble: read, or computed
        from .hybrids import modes_of_run

        first: Any = HybridTrajectory.load(path / "first.zarr")
        return resume_ensemble(path, modes_of_run(path, first, spec))
    stream = read_checkpoint(path)
    # Load ten times as many rows as are shown, so that the curves have their peaks.
    every = 1 if stream is None else max(1, -(-stream.total // (10 * max(max_rows, 2))))
    return load(path, every=every)


def _member(path: Path, many: Any, k: int) -> Any:
    """Return member k of an ensemble; refuse a member whose motion was not saved."""
    if not -len(many) <= k < len(many):
        raise UsageError(f"'{path}' has {len(many)} members: --member is 0 to {len(many) - 1}")
    found = many[k]
    if len(found) < 2:
        raise UsageError(
            f"'{path}' has {len(found)} saved row of member {k}, which is no motion: run the "
            "ensemble with --save-every 1, or draw where its members end with --plot"
        )
    return found


def _with_system(path: Path, traj: Any, spec: str | None) -> tuple[Any, Any]:
    """Return (system, trajectory) of a run."""
    from ..results import HybridTrajectory
    from ..systems import registry
    from . import reading

    if isinstance(traj, HybridTrajectory):
        from .hybrids import modes_of_run

        return modes_of_run(path, traj, spec), traj
    name = traj.meta.controlled or traj.meta.system  # a control does not change what is drawn
    if spec is None and name not in registry:
        raise UsageError(
            f"'{path}' is a run of {name or 'a system without a name'}, which is not one of the "
            "library: add --system FILE:CLASS"
        )
    return reading.system_with(spec or name, traj.meta.parameters), traj


def _labels(files: Sequence[Path], trajs: Sequence[Any]) -> list[str]:
    """Label runs by method, or by file and method if the methods are not all different."""
    methods = [traj.meta.method for traj in trajs]
    if len(set(methods)) == len(methods):
        return methods
    return [f"{path.stem}, {method}" for path, method in zip(files, methods)]


def _show(
    runs: Sequence[tuple[Any, Any]], labels: Sequence[str], out: Path | None, max_rows: int = 2000
) -> None:
    from ..viewer import show
    from . import reading

    (system, traj), *others = runs
    with reading.blaming(system):
        made = show(system, traj, *others, labels=labels, max_rows=max_rows, open=out is None)
    if out is not None:
        made.save(out)
        print(f"page: {out}")


def show_runs(system: Any, trajs: Sequence[Any]) -> None:
    """Show the runs of `run --view` or `compare --view`."""
    shown = [traj for traj in trajs if traj is not None and len(traj) > 1]
    if not shown:
        complain("there is nothing to show: no run got further than its start")
        return
    _show([(system, traj) for traj in shown], [traj.meta.method for traj in shown], None)


@command(
    "dalembert studio",
    "dalembert studio bouncing-ball",
    "dalembert studio my_robot.py:robot",
    "dalembert studio --port 8765",
)
def studio(
    system: Annotated[
        str | None,
        typer.Argument(metavar="SYSTEM", help="Open with it: a name, or path/to/file.py:NAME."),
    ] = None,
    port: Annotated[int, typer.Option("--port", help="Of 127.0.0.1; a free one if not given.")] = 0,
    quiet: Annotated[
        bool, typer.Option("--no-open", help="Print the address, do not open it.")
    ] = False,
) -> None:
    """Explore a system with sliders in your browser (runs locally)."""
    from ..hybrid.zoo import registry as hybrids
    from ..studio import serve
    from ..systems import registry
    from ..viewer.show import open_address

    known: dict[str, Any] = {**registry, **hybrids}
    source = ""
    if system is not None and system in known:
        known = {system: known[system], **known}
    elif system is not None:
        name, own = _own(system)
        source = system
        known = {name: own, **known}
    server = serve(known, port=port, source=source)
    print(f"studio: {server.address}\nCtrl-C ends it.", flush=True)
    if not quiet and not open_address(server.address):
        complain("no browser was found here: open the address above in one on this machine")
    try:
        server.wait()
    except KeyboardInterrupt:
        server.close()


def _own(spec: str) -> tuple[str, Any]:
    """Return the name of a user's system, and what makes it from the values of the sliders."""
    from ..hybrid import Modes
    from ..parts import Built
    from . import reading

    path, _, name = spec.rpartition(":")
    result = getattr(reading.load_file(Path(path)), name, None) if path.endswith(".py") else None
    made = result
    if callable(result) and not isinstance(result, type):  # a function that takes numbers
        try:
            made = result()
        except DalembertError:
            raise
        except Exception as error:  # the user's function may raise anything
            raise UsageError(f"{spec}: {type(error).__name__}: {error}") from error
    if isinstance(made, Modes):
        return made.name or name, result if callable(result) else lambda: made
    system = reading.make_system(spec)
    if isinstance(system, Built):
        return system.name(), system
    return system.name(), type(system)
