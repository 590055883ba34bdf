"""What people type: `dalembert systems | methods | run | resume | compare | analyze | ...`.

A mistake of the user ends in one message on stderr and exit code 2, a run that fails on the way
in exit code 1; a traceback is a bug. Heavy modules are imported by the command that needs them.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..compile.engine import keep_compiled_code
from ..errors import DalembertError, SimulationError, StoreError, UsageError

DEFAULT_STEPS = 1000
COMPARED = ("gni-midpoint", "dla-midpoint", "rk4")

app = typer.Typer(
    name="dalembert",
    help="Simulate mechanical systems with nonholonomic constraints.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 well, 1 a run failed, 2 wrong usage."""
    _compile_quickly()
    keep_compiled_code()
    try:
        app(args=None if argv is None else list(argv), prog_name="dalembert")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    return 0


def _compile_quickly() -> None:
    """Choose XLA's older code generator for this process: it compiles tiny kernels twice as fast.

    An XLA that does not know the flag would abort, hence the version.
    """
    if importlib.metadata.version("jaxlib").startswith("0.10."):
        flag = "--xla_cpu_use_fusion_emitters=false"
        os.environ["XLA_FLAGS"] = f"{flag} {os.environ.get('XLA_FLAGS', '')}"


class Theme(enum.StrEnum):
    """Colors of pictures."""

    light = "light"
    dark = "dark"


# -- options that several commands share ---------------------------------------------------------

SystemName = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM", help="A name from 'dalembert systems', or path/to/file.py:ClassName."
    ),
]
StepSize = Annotated[float, typer.Option("--h", help="Step size in s.")]
Steps = Annotated[
    int | None, typer.Option("--steps", help=f"Number of steps; {DEFAULT_STEPS} if not given.")
]
EndTime = Annotated[
    float | None, typer.Option("--t", metavar="T", help="End time, instead of --steps.")
]
StartTime = Annotated[float, typer.Option("--t0", help="Initial time.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter: m=2, I=2/3, inertia=1,0.5,0.7."),
]
Q0 = Annotated[
    str | None,
    typer.Option("--q0", metavar="A,B,..", help="Start: all entries of q, matrices row by row."),
]
V0 = Annotated[str | None, typer.Option("--v0", metavar="A,B,..", help="Initial velocity.")]
Project = Annotated[
    bool, typer.Option("--project", help="Replace a v0 off the constraint by the nearest on it.")
]
PlotFile = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Write a picture: .png, .svg, .pdf.")
]
PlotTheme = Annotated[Theme, typer.Option("--theme", help="Colors of the picture.")]
AsJson = Annotated[bool, typer.Option("--json", help="End with one line that is a JSON object.")]


# -- how commands fail ---------------------------------------------------------------------------


def _examples(*lines: str) -> str:
    # blank lines keep the help from joining the lines
    return "\n\n".join(["[bold]Examples[/bold]", *lines])


def _command(*examples: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command; its errors become one message and an exit code."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        @app.command(epilog=_examples(*examples))
        @functools.wraps(function)
        def told(*args: Any, **kwargs: Any) -> None:
            try:
                function(*args, **kwargs)
                sys.stdout.flush()
            except BrokenPipeError:  # the reader, `head` say, has seen enough
                _drop_stdout()
            except SimulationError as error:
                _complain(_for_the_shell(error))
                interrupted = isinstance(error.__cause__, KeyboardInterrupt)
                raise typer.Exit(130 if interrupted else 1) from error
            except DalembertError as error:
                _complain(_for_the_shell(error))
                raise typer.Exit(1 if isinstance(error, StoreError) else 2) from error
            except MemoryError as error:
                _complain("out of memory; --save-every K keeps fewer rows")
                raise typer.Exit(1) from error
            except OSError as error:
                _complain(str(error))
                raise typer.Exit(1) from error

        return told

    return register


def _complain(message: str) -> None:
    print(f"dalembert: {message}", file=sys.stderr)


def _for_the_shell(error: DalembertError) -> str:
    """The message, with advice for programs replaced by advice for the command line."""
    text = str(error).partition(" rows until then are attached to this error")[0]
    if text != str(error):
        return text.rpartition("; the ")[0]
    if "project=True" in text:
        return f"{text.partition('. Project it')[0]}; --project takes the nearest one that is"
    return text


def _drop_stdout() -> None:
    # what is still buffered must not raise again when Python exits
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# -- commands ------------------------------------------------------------------------------------


def _print_version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        print(f"dalembert {__version__}")
        raise typer.Exit


@app.callback(
    epilog=_examples(
        "dalembert demo", "dalembert run chaplygin-sleigh --plot sleigh.png", "dalembert run --help"
    )
)
def _application(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    pass


@_command(
    "dalembert systems",
    "dalembert systems chaplygin-sleigh",
    "dalembert systems my_system.py:MySystem --json",
)
def systems(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Tell all about it.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the systems, or tell all about one of them."""
    from ..systems import registry
    from . import reading, showing

    if name is not None:
        system = reading.make_system(name)
        with reading.blaming(system):
            facts = showing.facts(system)
        (showing.print_json if as_json else showing.print_facts)(facts)
        return
    rows = [showing.summary(cls()) for cls in registry.values()]
    if as_json:
        showing.print_json(rows)
        return
    heads = tuple(rows[0])
    showing.print_table(heads, [[str(row[k]) for k in heads] for row in rows], right=(1,))
    print("\nAll about one of them: dalembert systems NAME")


@_command("dalembert methods", "dalembert methods --json")
def methods(as_json: AsJson = False) -> None:
    """List the methods and what each of them claims."""
    from . import showing

    rows = showing.method_rows()
    (showing.print_json if as_json else showing.print_methods)(rows)


@_command(
    "dalembert run chaplygin-sleigh --h 0.05 --steps 2000 --plot sleigh.png",
    "dalembert run ball-on-turntable --method reference --json",
    "dalembert run nonholonomic-particle --set stiffness=1 --q0 1,0.5,0 --v0 0.3,-0.4,0.15",
    "dalembert run my_system.py:MySystem --t 10 --out run.zarr",
    "dalembert run chaotic-quartic --method leapfrog --steps 10000000 --save-every 1000 "
    "--store long.zarr",
)
def run(
    system: SystemName,
    method: Annotated[
        str, typer.Option("--method", help="A name from 'dalembert methods'.")
    ] = "gni-midpoint",
    h: StepSize = 0.01,
    steps: Steps = None,
    t: EndTime = None,
    t0: StartTime = 0.0,
    settings: Settings = None,
    q0: Q0 = None,
    v0: V0 = None,
    project: Project = False,
    save_every: Annotated[int, typer.Option("--save-every", help="Keep every k-th step.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Save the trajectory: .zarr, .nc, .csv."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="NAME.zarr",
            help="Write rows here while they are computed; 'dalembert resume' goes on with it.",
        ),
    ] = None,
    plot: PlotFile = None,
    theme: PlotTheme = Theme.light,
    as_json: AsJson = False,
) -> None:
    """Simulate a system and say what was kept."""
    from ..files import check_writable
    from ..running import simulate
    from . import reading, showing

    chosen = reading.find_method(method)
    made = reading.make_system(system, settings or ())
    options = {"t0": t0, "save_every": save_every, "project": project}
    options |= {"h": h, "steps": reading.count_steps(h, steps, t, t0, DEFAULT_STEPS)}
    if out is not None:
        check_writable(out)
    _check_plot(plot)
    with reading.blaming(made):
        q, v = reading.initial_data(made, q0, v0)
        try:
            traj = simulate(made, chosen, q, v, **options, store=store)
            if store is not None:
                traj = _looked_at(store)
        except SimulationError as error:
            if store is not None:
                raise
            rows = error.trajectory if error.trajectory is not None else ()
            files = _write(made, rows, out, plot, theme) if len(rows) else {}
            if as_json:
                showing.print_json(showing.failure(made, chosen, h, error) | files)
            for file in files.values():
                _complain(f"the {len(rows)} rows until the failure are in {file}")
            if not files:
                _complain(f"{len(rows)} rows were computed; --out FILE keeps them")
            raise
        _tell(made, chosen, traj, _write(made, traj, out, plot, theme), store, as_json)


@_command(
    "dalembert resume long.zarr",
    "dalembert resume long.zarr --system my_system.py:MySystem",
)
def resume(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="What 'run --store' wrote.")],
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="FILE:CLASS", help="For a system of your own: its file."),
    ] = None,
    plot: PlotFile = None,
    theme: PlotTheme = Theme.light,
    as_json: AsJson = False,
) -> None:
    """Go on with a run that was interrupted, to the same numbers as without the interruption."""
    from ..running import resume as go_on
    from ..running.single import as_stored
    from ..running.store import Store
    from ..systems import registry
    from . import reading

    _check_plot(plot)
    opened = Store.open(store)
    made = None if system is None else reading.system_with(system, opened.meta.parameters)
    if made is None and opened.meta.system not in registry:
        raise UsageError(
            f"'{store}' is a run of {opened.meta.system}, a system of your own: "
            "add --system FILE:CLASS"
        )
    made, chosen = as_stored(opened, made, None)
    with reading.blaming(made):
        go_on(store, made, chosen)
        traj = _looked_at(store)
        _tell(made, chosen, traj, _write(made, traj, None, plot, theme), store, as_json)


_MOST_ROWS = 200_000


def _looked_at(store: Path) -> Any:
    """The rows of a store, or evenly spaced ones if they are too many to be looked at all."""
    from ..results import load
    from ..results.checkpoint import read_checkpoint

    found = read_checkpoint(store)
    assert found is not None
    return load(store, every=-(-found.total // _MOST_ROWS))


def _tell(
    made: Any, chosen: Any, traj: Any, files: dict[str, str], store: Path | None, as_json: bool
) -> None:
    from . import showing

    if store is not None:
        files = {"store": str(store), **files}
    if as_json:
        showing.print_json(showing.result(made, chosen, traj) | files)
    else:
        showing.print_result(made, traj)
        _print_files(files)


@_command(
    "dalembert compare chaplygin-sleigh --method gni-midpoint --method rk4 --h 0.1 --t 20",
    "dalembert compare ball-on-turntable --h 0.1 --steps 10000 --plot compare.svg",
)
def compare(
    system: SystemName,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method", help=f"A method to compare; repeat it. If not given: {', '.join(COMPARED)}."
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
    as_json: AsJson = False,
) -> None:
    """Run several methods from the same start, beside an adaptive reference solution."""
    from ..diagnostics import compare as compared
    from . import reading, showing

    names = [x for x in dict.fromkeys(method or COMPARED) if x != "reference"]
    chosen = [reading.find_method(x) for x in (*names, "reference")]
    made = reading.make_system(system, settings or ())
    steps = reading.count_steps(h, steps, t, t0, DEFAULT_STEPS)
    _check_plot(plot)
    files = {}
    with reading.blaming(made):
        for each in chosen:
            each.check(made)
        q, v = reading.initial_data(made, q0, v0)
        found = compared(made, chosen, q, v, h=h, steps=steps, t0=t0, project=project)
        if plot is not None:
            from ..plots import comparison, save

            save(comparison(found, theme=theme.value), plot)
            files["plot"] = str(plot)
    if as_json:
        conserved = {"energy_conserved": showing.energy_conserved(made)}
        showing.print_json(found.as_dict() | conserved | files)
    else:
        end = t0 + steps * h
        print(f"{made.name()}: h = {h:g}, {steps} steps, t = {t0:g} .. {end:g}\n")
        print(found.table().text())
        print(f"\nerror: largest difference in q from the reference at t = {end:g}")
        _print_files(files)
    failures = [each.failure for each in found.runs if each.failure]
    for text in failures:
        _complain(text)
    if failures:
        raise typer.Exit(1)


@_command(
    "dalembert analyze two-wheeled-robot",
    "dalembert analyze ball-on-turntable-global --out ball.html",
    "dalembert analyze my_system.py:MySystem --q0 0,0,0.4 --out page.md",
)
def analyze(
    system: SystemName,
    settings: Settings = None,
    q0: Annotated[
        str | None, typer.Option("--q0", metavar="A,B,..", help="Look near this point.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the page: .md or .html.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Constraint, symmetries, reduction, invariant measure and conserved quantities of a system."""
    from ..files import check_writable, replacing
    from . import reading, showing

    if out is not None:
        check_writable(out, (".md", ".html"))
    made = reading.make_system(system, settings or [])
    from ..geometry import analyze as look_at

    with reading.blaming(made):
        found = look_at(made, None if q0 is None else reading.point(made, q0))
    if out is not None:
        with replacing(out) as partial:
            partial.write_text(found.to_html() if out.suffix == ".html" else found.to_markdown())
    if as_json:
        keys = ("section", "quantity", "verdict", "evidence")
        rows = [{k: getattr(f, k) for k in keys} for f in found.findings]
        showing.print_json({"system": found.system, "findings": rows})
        return
    heads = ("", "quantity", "verdict", "decided by")
    showing.print_table(heads, [list(row) for row in found.rows()])
    if out is not None:
        print(f"page: {out}")


@_command(
    "dalembert reproduce --list",
    "dalembert reproduce f15-fig2",
    "dalembert reproduce --all --out gallery",
)
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Experiments from --list.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the experiments.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Run all of them.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="The published sizes: a few minutes more.")
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for pictures, tables, gallery.")
    ] = Path("out/reproduce"),
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of random numbers; fixed if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run figures and tables of the literature, and decide each of their claims by a number."""
    from ..reproduce import groups
    from ..reproduce import runner as running
    from ..reproduce.base import SEED
    from . import showing

    if listed:
        rows = [
            {"name": e.name, "source": e.source, "title": e.title}
            for group in groups().values()
            for e in group
        ]
        if as_json:
            showing.print_json(rows)
        else:
            heads = ("name", "source", "title")
            showing.print_table(heads, [[row[k] for k in heads] for row in rows])
        return
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError('reproduce needs matplotlib: pip install "dalembert[plots]"')
    chosen = running.choose(names or (), every)
    told = (lambda record: None) if as_json else showing.print_record
    seed = SEED if seed is None else seed
    records = running.run_all(chosen, out, full=full, seed=seed, told=told)
    if as_json:
        showing.print_json({"experiments": records, "gallery": str(out / "index.html")})
    else:
        counts = running.count(records)
        print(", ".join(f"{n} {verdict}" for verdict, n in counts.items()))
        print(f"gallery: {out / 'index.html'}")
    failed = [record for record in records if record["error"]]
    for record in failed:
        _complain(f"{record['name']}: {record['error']}")
    if failed:
        raise typer.Exit(1)


@_command("dalembert demo", "dalembert demo --out pictures")
def demo(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the page and its pictures.")
    ] = Path("out"),
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs.")] = False,
) -> None:
    """A first tour: two systems, four methods, one page with pictures; under a minute."""
    from ..demo import run_demo

    run_demo(out, quick=quick)


# -- files ---------------------------------------------------------------------------------------


def _check_plot(path: Path | None) -> None:
    if path is None:
        return
    from ..files import check_writable
    from ..plots import FORMATS

    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError('--plot needs matplotlib: pip install "dalembert[plots]"')
    check_writable(path, FORMATS)


def _write(
    system: Any, traj: Any, out: Path | None, plot: Path | None, theme: Theme
) -> dict[str, str]:
    """Save and draw what was asked for; what was written, by the name of its option."""
    files = {}
    if out is not None:
        traj.save(out)
        files["out"] = str(out)
    if plot is not None and len(traj) > 1:
        from .. import plots

        plots.save(plots.overview(system, traj, theme=theme.value), plot)
        files["plot"] = str(plot)
    return files


_KINDS = {"out": "trajectory", "store": "store", "plot": "picture"}


def _print_files(files: Mapping[str, str]) -> None:
    if files:
        print()
    for kind, file in files.items():
        print(f"{_KINDS[kind]}: {file}")
