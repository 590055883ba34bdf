"""The command `ensemble` for many runs, and how an ensemble is resumed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ..errors import UsageError
from . import hybrids
from .application import (
    DEFAULT_STEPS,
    Q0,
    V0,
    AsJson,
    EndTime,
    MethodName,
    PlotTheme,
    Project,
    Scheduler,
    StartTime,
    Steps,
    StepSize,
    SystemName,
    Theme,
    Workers,
    check_plot,
    command,
    complain,
    warn,
)

_SUMMED = 1_000_000  # members whose final states are read for the summary


@command(
    "dalembert ensemble chaplygin-sleigh --set a=0.1:0.3:64 --set J=0.5:2:16 --store many.zarr",
    "dalembert ensemble chaplygin-sleigh --set a=0.1:0.3 --set theta_dot=0:2 --sample 4096 "
    "--store many.zarr --workers 4 --plot ends.png",
    "dalembert ensemble my_system.py:MySystem --set m=1:2:1000 --store many.zarr "
    "--scheduler tcp://login:8786",
)
def ensemble(
    system: SystemName,
    store: Annotated[
        Path, typer.Option("--store", metavar="NAME.zarr", help="Where the members are written.")
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=LOW:HIGH:N",
            help="N values of a parameter, or of a coordinate or velocity at the start; of several "
            "--set all combinations. NAME=LOW:HIGH is a range for --sample, NAME=VALUE one value "
            "of a parameter for all members.",
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option("--sample", metavar="N", help="N points of the ranges, in place of a grid."),
    ] = None,
    kind: Annotated[
        str, typer.Option("--kind", help="How --sample chooses: sobol, latin, random.")
    ] = "sobol",
    seed: Annotated[
        int, typer.Option("--seed", help="Of --sample: another one, other points.")
    ] = 0,
    method: MethodName = None,
    h: StepSize = 0.01,
    steps: Steps = None,
    t: EndTime = None,
    t0: StartTime = 0.0,
    q0: Q0 = None,
    v0: V0 = None,
    project: Project = False,
    save_every: Annotated[
        int | None,
        typer.Option("--save-every", help="Keep every k-th step; without it the last row only."),
    ] = None,
    slice_members: Annotated[
        int | None,
        typer.Option(
            "--slice",
            metavar="N",
            help="Members that are computed and written together; half a minute of work is good.",
        ),
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="Histograms of the coordinates at the end, as a picture: .png, .svg, .pdf.",
        ),
    ] = None,
    theme: PlotTheme = Theme.light,
    as_json: AsJson = False,
) -> None:
    """Run many members over ranges of parameters and initial data, into one store.

    The summary has the coordinates at the end: least, mean, greatest and spread over the members.

    What was interrupted continues with 'dalembert resume NAME.zarr'. da.load and xarray read the
    store, even while it grows.
    """
    from ..methods import default
    from ..running import Stream, simulate_ensemble
    from ..storage.store import check_new_store
    from . import reading

    check_plot(plot)
    check_new_store(store)
    chosen = default() if method is None else reading.find_method(method)
    fixed = [x for x in settings or () if ":" not in x.partition("=")[2]]
    if wrong := [x for x in settings or () if "=" not in x]:
        raise UsageError(f"--set {wrong[0]}: write NAME=LOW:HIGH:N, such as a=0.1:0.3:64")
    names = [x.partition("=")[0] for x in settings or ()]
    if twice := [x for i, x in enumerate(names) if x in names[:i]]:
        raise UsageError(f"--set {twice[0]}=...: '{twice[0]}' is given twice")
    over = _design([x for x in settings or () if x not in fixed], sample, kind, seed)
    if _is_hybrid(system):
        count = reading.count_steps(h, steps, t, t0, DEFAULT_STEPS)
        if plot is not None:
            raise UsageError(f"'{system}' has several modes: --plot is for systems of one mode")
        how = {"h": h, "steps": count, "t0": t0, "project": project, "store": store}
        how |= {"method": chosen, "save_every": save_every or count}
        with _offering(store), _executor(workers, scheduler) as executor:
            many = hybrids.ensemble_of_modes(
                system, fixed, over, (q0, v0), executor=executor, **how
            )
        _tell_hybrid(many, system, store, as_json)
        return
    made = reading.make_system(system, fixed)
    count = reading.count_steps(h, steps, t, t0, DEFAULT_STEPS)
    start = {}
    if q0 is not None or v0 is not None:
        start = dict(zip(("q0", "v0"), reading.initial_data(made, q0, v0)))
    begin = time.perf_counter()
    with reading.blaming(made), _offering(store), _executor(workers, scheduler) as executor:
        many = simulate_ensemble(
            made, chosen, **start, h=h, steps=count, t0=t0, over=over, project=project,
            executor=executor, save=Stream(store, every=save_every, members=slice_members),
        )  # fmt: skip
    _tell(many, store, time.perf_counter() - begin, plot, theme, as_json)


def go_on_with(
    store: Path,
    system: str | None,
    method: str | None,
    insist: bool,
    workers: int | None,
    scheduler: str | None,
    plot: Path | None,
    theme: Theme,
    as_json: bool,
) -> None:
    """Resume an ensemble, for `dalembert resume`."""
    from ..results import load
    from ..running import resume
    from ..storage.slice_store import SliceStore
    from . import reading

    made = None
    if system is not None:
        made = reading.system_with(system, SliceStore.open(store).meta.parameters)
    given = None if method is None else reading.find_method(method)
    pending = len(load(store).pending)
    begin = time.perf_counter()
    with _offering(store), _executor(workers, scheduler) as executor:
        many = resume(store, made, given, insist=insist, executor=executor)
    _tell(many, store, time.perf_counter() - begin, plot, theme, as_json, pending)


def go_on_with_hybrid(
    store: Path,
    system: str | None,
    insist: bool,
    workers: int | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Resume a hybrid ensemble, for `dalembert resume`."""
    from ..hybrid import resume_ensemble
    from ..hybrid.member_blocks import MemberFolder

    first = MemberFolder.opened(store).first()
    modes = hybrids.modes_of_run(store, first, system)
    with _offering(store), _executor(workers, scheduler) as executor:
        many = resume_ensemble(store, modes, insist=insist, executor=executor)
    _tell_hybrid(many, first.meta.system, store, as_json)


def _design(ranges: Sequence[str], count: int | None, kind: str, seed: int) -> Any:
    from ..running import grid
    from ..running import sample as sampled
    from . import reading

    result = {}
    for text in ranges:
        name, _, value = text.partition("=")
        parts = value.split(":")
        wanted = 2 if count is not None else 3
        if len(parts) != wanted:
            form = "LOW:HIGH, as --sample chooses" if count is not None else "LOW:HIGH:N"
            raise UsageError(f"--set {text}: write {name}={form}")
        try:
            low, high, *_ = numbers = [reading.number(x) for x in parts]
        except UsageError as error:
            raise UsageError(f"--set {text}: {error}") from None
        if not np.all(np.isfinite(numbers)):
            raise UsageError(f"--set {text}: the numbers must be finite")
        if count is not None:
            result[name] = (low, high)
            continue
        number = numbers[2]
        if not number.is_integer() or number < 1:
            raise UsageError(f"--set {text}: the number of values must be a positive integer")
        result[name] = np.linspace(low, high, int(number))
    if not result:
        raise UsageError("an ensemble needs a range: --set a=0.1:0.3:64, or with --sample N a=0:1")
    return grid(**result) if count is None else sampled(count, kind=kind, seed=seed, **result)


def _is_hybrid(spec: str) -> bool:
    """Whether a system name, or NAME in path/to/file.py:NAME, is a hybrid system."""
    from ..hybrid import Modes
    from ..hybrid.zoo import registry
    from . import reading

    path, colon, name = spec.rpartition(":")
    if colon and path.endswith(".py"):
        return isinstance(getattr(reading.load_file(Path(path)), name, None), Modes)
    return spec in registry


def _tell_hybrid(many: Any, system: str, store: Path, as_json: bool) -> None:
    from . import showing

    facts = {
        "system": system,
        "engine": many.engine,
        "engine_reason": many.engine_reason,
        "members": len(many),
        "failed": len(many.failed),
        "failures": dict(list(many.failed.items())[:20]),
        "jumps": [int(x) for x in many.jumps],
        "final_mode": list(many.final_mode),
        "warnings": list(many.warnings),
        "store": str(store),
        "wall_s": many.wall_s,
    }
    if as_json:
        showing.print_json(facts)
        return
    counts = {x: many.final_mode.count(x) for x in dict.fromkeys(many.final_mode)}
    ends = ", ".join(f"{n} in '{x}'" for x, n in counts.items())
    print(f"{len(many)} members of {system}: {many.wall_s:.3g} s; they end {ends}")
    print(f"jumps: {min(many.jumps)} to {max(many.jumps)}; failed: {len(many.failed)}")
    for i, text in list(many.failed.items())[:5]:
        print(f"  member {i}: {text}")
    for text in many.warnings:
        print(f"warning: {text}")
    print(f"members: {store}")


@contextlib.contextmanager
def _offering(store: Path) -> Iterator[None]:
    """If the block is interrupted, print how to resume."""
    try:
        yield
    except KeyboardInterrupt:
        if store.exists():
            complain(f"'dalembert resume {store}' goes on with the members that are missing")
        raise


@contextlib.contextmanager
def _executor(workers: int | None, scheduler: str | None) -> Iterator[Any]:
    """Yield the executor: this process, worker processes, or a scheduler's workers."""
    if workers is not None and scheduler is not None:
        raise UsageError("give --workers or --scheduler, not both")
    if scheduler is None:
        if workers is not None and workers < 1:
            raise UsageError(f"--workers must be at least 1, got {workers}")
        yield workers
        return
    try:
        from distributed import Client  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise UsageError('--scheduler needs Dask: pip install "dalembert[cluster]"') from None
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError, TypeError) as error:
        raise UsageError(f"no scheduler answers at '{scheduler}': {error}") from None
    with client:
        yield client


def _tell(
    many: Any,
    store: Path,
    wall_s: float,
    plot: Path | None,
    theme: Theme,
    as_json: bool,
    pending: int | None = None,
) -> None:
    from ..pages import Table
    from . import showing

    failed, ends = many.failed, _ends(many)
    if plot is not None:
        from .. import plots

        plots.save(plots.ends(many, theme=theme.value), plot)
    facts = {
        "system": many.meta.system,
        "method": many.meta.method,
        "engine": many.meta.engine,
        "engine_reason": many.meta.engine_reason,
        "members": len(many),
        "failed": len(failed),
        "failures": dict(list(failed.items())[:20]),
        "steps": many.meta.steps,
        "store": str(store),
        "ends": ends,
        "warnings": list(many.warnings),
        "wall_s": wall_s,
    }
    if plot is not None:
        facts["plot"] = str(plot)
    if as_json:
        showing.print_json(facts)
    else:
        there = "" if pending is None else f" ({len(many) - pending} were there)"
        made = len(many) if pending is None else pending
        rate = f", {made / max(wall_s, 1e-9):.3g} members/s" if made else ""
        print(
            f"{len(many)} members of {many.meta.system} by {many.meta.method} "
            f"({many.meta.engine}), {many.meta.steps} steps each{there}: {wall_s:.3g} s{rate}"
        )
        print(f"failed: {len(failed)}")
        for i, text in list(failed.items())[:5]:
            print(f"  member {i}: {text}")
        if len(failed) > 5:
            print(f"  ... all of them: da.load('{store}').failed")
        if ends:
            rows = [(name, *(f"{x:.6g}" for x in found.values())) for name, found in ends.items()]
            heads = ("at the end", *next(iter(ends.values())))
            print(f"\n{Table(heads, rows, align='lrrrr').text()}\n")
        print(f"store: {store}")
        if plot is not None:
            print(f"picture: {plot}")
    warn(many.warnings)


def _ends(many: Any) -> dict[str, dict[str, float]]:
    """Return statistics of the final coordinates of the members that reached the end, by name."""
    from ..plots.final_states import end_columns

    if not np.any(np.asarray(many.result) == 0) or len(many) > _SUMMED:
        return {}
    return {
        name: {
            "least": float(x.min()),
            "mean": float(x.mean()),
            "greatest": float(x.max()),
            "spread": float(x.std()),
        }
        for name, x in end_columns(many)
    }


__all__ = ["ensemble", "go_on_with", "go_on_with_hybrid"]
