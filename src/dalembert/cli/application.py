"""What the commands share: the application, common options, and error messages."""

from __future__ import annotations

import contextlib
import enum
import functools
import importlib.util
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ..errors import DalembertError, SimulationError, StoreError, UsageError

DEFAULT_STEPS = 1000


class _Plain:
    """The help format of a switch such as --json, which has no type."""

    def get_params(self, ctx: Any) -> list[Any]:
        result = super().get_params(ctx)  # pyright: ignore[reportAttributeAccessIssue]
        for each in result:
            if getattr(each, "is_flag", False):
                each.metavar = ""
        return result


class _Command(_Plain, TyperCommand):
    pass


class _Group(_Plain, TyperGroup):
    pass


app = typer.Typer(
    name="dalembert",
    cls=_Group,
    help="Simulate mechanical systems with nonholonomic constraints.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


class Theme(enum.StrEnum):
    """Color themes of pictures."""

    light = "light"
    dark = "dark"


# -- options that several commands share ---------------------------------------------------------

START, STEP, OUTPUT = "Start", "Steps", "Output"  # groups of options in the help

SystemName = Annotated[
    str,
    typer.Argument(
        metavar="SYSTEM",
        help="A name from 'dalembert systems', or path/to/file.py:NAME of a class, a system, "
        "or a function that makes one.",
    ),
]
MethodName = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="METHOD",
        help="A name from 'dalembert methods', or path/to/file.py:ClassName.",
        rich_help_panel=STEP,
    ),
]
OutFile = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Save the trajectory: .zarr, .nc, .csv.",
        rich_help_panel=OUTPUT,
    ),
]
StepSize = Annotated[float, typer.Option("--h", help="Step size in s.", rich_help_panel=STEP)]
Steps = Annotated[
    int | None,
    typer.Option(
        "--steps", help=f"Number of steps; {DEFAULT_STEPS} if not given.", rich_help_panel=STEP
    ),
]
EndTime = Annotated[
    float | None,
    typer.Option("--t", metavar="T", help="End time, instead of --steps.", rich_help_panel=STEP),
]
Tolerance = Annotated[
    float | None,
    typer.Option(
        "--tol",
        metavar="E",
        help="Error of q and v at --t, in their sizes; chooses h.",
        rich_help_panel=STEP,
    ),
]
StartTime = Annotated[float, typer.Option("--t0", help="Initial time.", rich_help_panel=START)]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter: m=2, I=2/3, inertia=1,0.5,0.7.",
        rich_help_panel=START,
    ),
]
Q0 = Annotated[
    str | None,
    typer.Option(
        "--q0",
        metavar="A,B,..",
        help="Start: all entries of q, matrices row by row.",
        rich_help_panel=START,
    ),
]
V0 = Annotated[
    str | None,
    typer.Option("--v0", metavar="A,B,..", help="Initial velocity.", rich_help_panel=START),
]
Project = Annotated[
    bool,
    typer.Option(
        "--project",
        help="Replace q0, v0 off the constraint by the nearest on it.",
        rich_help_panel=START,
    ),
]
Workers = Annotated[
    int | None, typer.Option("--workers", metavar="N", help="Compute in N processes, here.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Compute by the workers of a Dask scheduler, tcp://host:8786.",
    ),
]
PlotFile = Annotated[
    Path | None,
    typer.Option(
        "--plot", metavar="FILE", help="Write a picture: .png, .svg, .pdf.", rich_help_panel=OUTPUT
    ),
]
PlotTheme = Annotated[
    Theme, typer.Option("--theme", help="Colors of the picture.", rich_help_panel=OUTPUT)
]
ShowIt = Annotated[
    bool,
    typer.Option(
        "--view", help="Open a page where it moves, in the browser.", rich_help_panel=OUTPUT
    ),
]
AsJson = Annotated[
    bool,
    typer.Option("--json", help="End with one line that is a JSON object.", rich_help_panel=OUTPUT),
]


# -- how commands fail ---------------------------------------------------------------------------


def examples(*lines: str) -> str:
    """Return the examples at the end of a help text."""
    # Blank lines keep Typer from joining the lines.
    return "\n\n".join(["[bold]Examples[/bold]", *lines])


def command(*lines: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a command; its errors become one message and an exit code."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        @app.command(epilog=examples(*lines), cls=_Command)
        @functools.wraps(function)
        def told(*args: Any, **kwargs: Any) -> None:
            try:
                function(*args, **kwargs)
                sys.stdout.flush()
            except BrokenPipeError:  # the reader (such as `head`) has closed the pipe
                _drop_stdout()
            except SimulationError as error:
                complain(_for_the_shell(error))
                raise typer.Exit(_interrupted(error.__cause__) or 1) from error
            except DalembertError as error:
                complain(_for_the_shell(error))
                raise typer.Exit(1 if isinstance(error, StoreError) else 2) from error
            except KeyboardInterrupt as error:  # Typer would print "Aborted!" and exit with 1
                complain("interrupted")
                raise typer.Exit(_interrupted(error)) from error

        return told

    return register


class Terminated(KeyboardInterrupt):
    """The process received SIGTERM or SIGHUP; handled like an interruption, so rows are saved."""


def _interrupted(error: BaseException | None) -> int:
    """Return the exit code of an interrupted command by the convention of shells; else 0."""
    if isinstance(error, Terminated):
        return 128 + signal.SIGTERM
    return 128 + signal.SIGINT if isinstance(error, KeyboardInterrupt) else 0


def guarded(run: Callable[[], int]) -> int:
    """Return the exit code of `run`; errors outside of commands become one message."""

    def terminated(*_: object) -> None:
        raise Terminated

    before = {}
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
            if hasattr(signal, name):
                number = getattr(signal, name)
                before[number] = signal.signal(number, terminated)
    closed = sys.stdout is None
    if closed:
        sys.stdout = open(os.devnull, "w")
    try:
        code = run()
        sys.stdout.flush()
    except KeyboardInterrupt as error:
        complain("interrupted")
        return _interrupted(error)
    except MemoryError:
        complain("out of memory; --save-every K keeps fewer rows")
        return 1
    except OSError as error:
        _drop_stdout()
        complain(str(error))
        return 1
    except RuntimeError as error:
        if "initialize backend" not in str(error):
            raise
        complain(f"{str(error).splitlines()[0]}; JAX_PLATFORMS=cpu always works")
        return 2
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if closed:
        complain("stdout is closed: nothing could be printed")
    return code or int(closed)


def complain(message: str) -> None:
    """Print one message to stderr."""
    print(f"dalembert: {message}", file=sys.stderr)


def warn(warnings: Sequence[str]) -> None:
    """Print the warnings of a run to stderr."""
    sys.stdout.flush()  # so that they appear below the report
    for text in warnings:
        complain(f"WARNING: {text}")


def _for_the_shell(error: DalembertError) -> str:
    """Return the message with Python advice replaced by command-line advice."""
    advice = "; --project takes the nearest one that is" if error.remedy == "project" else ""
    return error.problem + advice


def _drop_stdout() -> None:
    # Output that is still buffered must not raise again when Python exits.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# -- files ---------------------------------------------------------------------------------------


def check_plot(path: Path | None) -> None:
    """Raise, before anything is computed, if a picture could not be written."""
    if path is None:
        return
    from ..files import check_writable
    from ..plots import FORMATS

    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError('--plot needs matplotlib: pip install "dalembert[plots]"')
    check_writable(path, FORMATS)


def write(
    system: Any, traj: Any, out: Path | None, plot: Path | None, theme: Theme
) -> dict[str, str]:
    """Save and plot as requested; returns the written files by option name."""
    files = {}
    if out is not None:
        _save(traj, out)
        files["out"] = str(out)
    if plot is not None and len(traj) > 1:
        from .. import plots

        plots.save(plots.overview(system, traj, theme=theme.value), plot)
        files["plot"] = str(plot)
    return files


def _save(traj: Any, out: Path) -> None:
    """Save the rows; if that fails, save them to a temporary folder and raise with its path."""
    try:
        traj.save(out)
    except StoreError as error:
        try:
            # A fresh private folder: a predictable name could be a symbolic link made by another
            # user.
            folder = Path(tempfile.mkdtemp(prefix="dalembert-"))
        except OSError:
            raise error from None
        place = folder / out.name
        try:
            traj.save(place)
        except DalembertError:
            shutil.rmtree(folder, ignore_errors=True)
            raise error from None
        raise StoreError(f"{error}; the {len(traj)} rows are in '{place}' instead") from error


_KINDS = {"out": "trajectory", "store": "store", "plot": "picture"}


def print_files(files: Mapping[str, str]) -> None:
    """Print the files that were written, one per line."""
    if files:
        print()
    for kind, file in files.items():
        print(f"{_KINDS[kind]}: {file}")
