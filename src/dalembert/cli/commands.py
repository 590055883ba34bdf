"""All commands, and how they are run."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from ..compile.engine import keep_compiled_code
from . import (  # noqa: F401  (they register their commands)
    control,
    ensembles,
    exports,
    finding,
    hybrids,
    looks,
    runs,
    seeing,
)
from .application import app, examples, guarded


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command; return the exit code."""
    return guarded(lambda: _run(argv))


def _run(argv: Sequence[str] | None) -> int:
    _compile_quickly()
    keep_compiled_code()
    try:
        words = list(sys.argv[1:] if argv is None else argv)
        app(args=words or ["--help"], prog_name="dalembert")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    return 0


def _compile_quickly() -> None:
    """Select XLA's older code generator for this process: it compiles tiny kernels twice as fast.

    An XLA that does not know the flag would abort, hence the check of the version.
    """
    if importlib.metadata.version("jaxlib").startswith("0.10."):
        flag = "--xla_cpu_use_fusion_emitters=false"
        os.environ["XLA_FLAGS"] = f"{flag} {os.environ.get('XLA_FLAGS', '')}"


def _print_version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        print(f"dalembert {__version__}")
        raise typer.Exit


@app.callback(
    epilog=examples(
        "dalembert demo",
        "dalembert run chaplygin-sleigh --plot sleigh.png",
        "dalembert run --help",
        "[bold]Pages[/bold] of the sources, and of the site that `make docs` builds",
        "docs/start.md (getting started), docs/methods.md (which method), docs/faq.md (messages)",
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
