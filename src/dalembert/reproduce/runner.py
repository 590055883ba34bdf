"""Run experiments, save their results with the pictures, and build the gallery."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO, cast

import jax

from .. import plots
from ..diagnostics import Check
from ..errors import DalembertError, UsageError, unknown_name
from ..files import replacing
from ..results import versions
from ..viewer import show
from . import gallery, groups
from .experiment_types import SEED, Claim, Experiment, Motion, Outcome, Picture, Verdict
from .gallery import Record


def choose(names: Sequence[str], every: bool) -> list[Experiment]:
    """Return the chosen experiments, in the order of the gallery."""
    known = {found.name: found for group in groups().values() for found in group}
    for name in names:
        if name not in known:
            raise unknown_name("experiment", name, known)
    if not names and not every:
        raise UsageError("name an experiment, or --all; --list shows them")
    return [found for name, found in known.items() if every or name in names]


def run_all(
    chosen: Sequence[Experiment],
    out: str | os.PathLike[str],
    *,
    full: bool = False,
    seed: int = SEED,
    told: Callable[[Record], None] = lambda record: None,
) -> list[Record]:
    """Run experiments one after the other; `told` is called with each record.

    Each experiment writes NAME.json and its pictures to `out`. The gallery, index.html, is then
    built from all records in that folder, of this run and of earlier runs.
    """
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder '{folder}': {error.strerror}") from None
    records = []
    with _progress(len(chosen)) as show:
        for k, each in enumerate(chosen):
            show(k, each)
            records.append(run_one(each, folder, full=full, seed=seed))
            told(records[-1])
            gallery.write(kept(folder), folder)
            # drop compiled code: it uses memory maps, whose number the kernel limits
            jax.clear_caches()
    return records


def run_one(each: Experiment, folder: Path, *, full: bool = False, seed: int = SEED) -> Record:
    """Run one experiment, draw its pictures, write NAME.json."""
    begin = time.perf_counter()
    record: Record = {
        "name": each.name,
        "source": each.source,
        "title": each.title,
        "see": each.see,
        "full": full,
        "seed": seed,
        "error": "",
    }
    try:
        outcome = each.run(full, seed)
    except (DalembertError, FloatingPointError, ValueError, ArithmeticError) as error:
        outcome = Outcome((), (), ())
        record["error"] = f"{type(error).__name__}: {error}"
    record |= _found(outcome)
    record["pictures"] = [_drawn(each, picture, folder) for picture in outcome.pictures]
    record["motions"] = [_moved(each, k, x, folder) for k, x in enumerate(outcome.motions)]
    record["seconds"] = time.perf_counter() - begin
    record["when"] = time.strftime("%Y-%m-%d")
    record["with"] = versions()
    with replacing(folder / f"{each.name}.json") as temporary:
        temporary.write_text(json.dumps(record, indent=1, allow_nan=False), encoding="utf-8")
    return record


def kept(folder: Path) -> dict[str, list[Record]]:
    """Return the records saved in the folder, by source, in the order of the gallery."""
    result: dict[str, list[Record]] = {}
    for group, members in groups().items():
        files = [folder / f"{each.name}.json" for each in members]
        records = [json.loads(file.read_text(encoding="utf-8")) for file in files if file.exists()]
        if records:
            result[group] = records
    return result


def count(records: Sequence[Record]) -> dict[str, int]:
    """Return how many claims have each verdict."""
    verdicts = [claim["verdict"] for record in records for claim in record["claims"]]
    return {verdict.value: verdicts.count(verdict.value) for verdict in Verdict}


# -- as plain data -------------------------------------------------------------------------------


def _found(outcome: Outcome) -> Record:
    return {
        "claims": [_claim(claim) for claim in outcome.claims],
        "tables": [
            {"heads": list(t.heads), "rows": t.cells(), "caption": t.caption}
            for t in outcome.tables
        ],
        "notes": list(outcome.notes),
    }


def _claim(claim: Claim) -> Record:
    return {
        "text": claim.text,
        "verdict": claim.verdict.value,
        "note": claim.note,
        "unpublished": claim.unpublished,
        "checks": [_check(check) for check in claim.checks],
        "corrected": [_check(check) for check in claim.corrected],
    }


def _check(check: Check) -> Record:
    return {
        "what": check.what,
        "value": check.value if math.isfinite(check.value) else None,
        "measured": check.measured,
        "wanted": check.wanted,
        "holds": check.holds,
    }


def _drawn(each: Experiment, picture: Picture, folder: Path) -> Record:
    files = {}
    for theme in plots.THEMES:
        suffix = "" if theme == "light" else f"-{theme}"
        name = "-".join(part for part in (each.name, picture.name) if part)
        files[theme] = f"{name}{suffix}.png"
        plots.save(picture.draw(theme), folder / files[theme], dpi=144)
    return {"see": picture.see, "alt": picture.alt, "narrow": picture.narrow, **files}


def _moved(each: Experiment, k: int, motion: Motion, folder: Path) -> Record:
    name = f"{each.name}-moves{k + 1 if k else ''}.html"
    first, *others = motion.runs.values()
    view = show(motion.system, first, *others, labels=list(motion.runs), open=False)
    view.save(folder / name)
    return {"see": motion.see, "page": name}


# -- progress ------------------------------------------------------------------------------------


class _Quiet:
    """stderr that claims not to be a terminal, so that runs draw no second progress bar."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def isatty(self) -> bool:
        return False

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[int, Experiment], None]]:
    """Show a progress bar with the running experiment on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda k, each: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.completed}/{task.total}"),
        BarColumn(bar_width=20),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )
    console, quiet = Console(file=sys.stderr), cast(TextIO, _Quiet(sys.stderr))
    with (
        contextlib.redirect_stderr(quiet),
        Progress(*columns, console=console, transient=True, redirect_stderr=False) as bar,
    ):
        task = bar.add_task("", total=total)
        yield lambda k, each: bar.update(task, completed=k, description=each.name)
