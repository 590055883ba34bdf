"""The commands systems, methods, analyze, reproduce and demo."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import UsageError
from .application import (
    AsJson,
    Settings,
    SystemName,
    command,
    complain,
)


@command(
    "dalembert systems",
    "dalembert systems chaplygin-sleigh",
    "dalembert systems my_system.py:MySystem --json",
)
def systems(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Describe it.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the systems, or describe one of them."""
    from . import listing, reading, showing

    if name is not None:
        system = reading.make_system(name)
        with reading.blaming(system):
            facts = showing.facts(system)
        (showing.print_json if as_json else showing.print_facts)(facts)
        return
    from ..systems import registry

    rows = [showing.summary(cls()) for cls in registry.values()]
    if as_json:
        showing.print_json(rows)
        return
    listing.print_systems([[str(x["name"]), str(x["about"])] for x in rows])


@command("dalembert methods", "dalembert methods --all", "dalembert methods --json")
def methods(
    every: Annotated[bool, typer.Option("--all", help="All traits, and references.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the methods: order, symmetry, and what each is for."""
    from . import listing, showing

    rows = showing.method_rows()
    if as_json:
        showing.print_json(rows)
    elif every:
        showing.print_traits(rows)
    else:
        listing.print_methods(showing.method_cells(rows))


@command(
    "dalembert analyze two-wheeled-robot",
    "dalembert analyze ball-on-turntable-global --out ball.html",
    "dalembert analyze my_system.py:MySystem --q0 0,0,0.4 --out page.md",
    "dalembert analyze chaplygin-sleigh --formulas",
)
def analyze(
    system: SystemName,
    settings: Settings = None,
    q0: Annotated[
        str | None, typer.Option("--q0", metavar="A,B,..", help="Look near this point.")
    ] = None,
    degree: Annotated[
        int, typer.Option("--degree", metavar="K", help="Follow brackets up to this degree.")
    ] = 5,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the page: .md or .html.")
    ] = None,
    formulas: Annotated[
        bool,
        typer.Option("--formulas", help="The equations in symbols instead; --out .tex or .py."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Constraint, symmetries, reduction, invariant measure and conserved quantities of a system."""
    from ..files import check_writable, replacing
    from . import reading, showing

    if out is not None:
        check_writable(out, (".tex", ".py") if formulas else (".md", ".html"))
    made = reading.make_system(system, settings or [])
    if formulas:
        _write_formulas(made, out, as_json)
        return
    from ..geometry import analyze as look_at

    with reading.blaming(made):
        result = look_at(made, None if q0 is None else reading.point(made, q0), degree=degree)
    if out is not None:
        with replacing(out) as partial:
            partial.write_text(result.to_html() if out.suffix == ".html" else result.to_markdown())
    if as_json:
        keys = ("section", "quantity", "verdict", "evidence")
        rows = [{k: getattr(f, k) for k in keys} for f in result.findings]
        showing.print_json({"system": result.system, "findings": rows})
        return
    heads = ("", "quantity", "verdict", "decided by")
    showing.print_table(heads, [list(row) for row in result.rows()])
    if out is not None:
        print(f"page: {out}")


def _write_formulas(system: Any, out: Path | None, as_json: bool) -> None:
    """Write the equations of a system: printed, as LaTeX, or as a Python module."""
    from ..files import replacing
    from ..symbolic import formulas
    from . import reading, showing

    with reading.blaming(system):
        result = formulas(system)
        if out is not None:
            text = result.python() if out.suffix == ".py" else result.latex()
            with replacing(out) as partial:
                partial.write_text(text)
        if as_json:
            shown = {name: str(x) for name, x in result.sympy().items()}
            showing.print_json({"system": system.name(), "formulas": shown})
        elif out is None:
            print(result)
        else:
            print(f"formulas: {out}")


@command(
    "dalembert reproduce --list",
    "dalembert reproduce f15-fig2",
    "dalembert reproduce --all --out gallery",
    'dalembert reproduce --source "C02 4.4" --list',
    'dalembert reproduce --source "MP (4.18)"',
)
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME...", help="Experiments from --list.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the experiments.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Run all of them.")] = False,
    source: Annotated[
        str | None,
        typer.Option(
            "--source", metavar="PLACE", help='Those of a place of a source: "C02 4.4", "MP (3.9)".'
        ),
    ] = None,
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
    from ..reproduce.experiment_types import SEED
    from . import showing

    items: list[Any] = []
    if source is not None:
        if names or every:
            raise UsageError("give one of: names, --all, --source")
        from ..reproduce import sources

        items = sources.at(source)
        names = [name for item in items for name in item.experiments]
    if listed:
        if items and not as_json:
            showing.print_items(items)
        rows = [
            {"name": e.name, "source": e.source, "title": e.title}
            for group in groups().values()
            for e in group
            if source is None or e.name in (names or ())
        ]
        if as_json and source is not None:
            showing.print_json({"items": showing.item_rows(items), "experiments": rows})
        elif as_json:
            showing.print_json(rows)
        elif rows:
            heads = ("name", "source", "title")
            showing.print_table(heads, [[row[k] for k in heads] for row in rows])
        return
    if items and not names:
        known = dict.fromkeys(x for item in items for x in (*item.built, *item.decided))
        computed = ", ".join(known) or "nothing"
        raise UsageError(f"no experiment decides '{source}'; names and tests of it: {computed}")
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
        complain(f"{record['name']}: {record['error']}")
    if failed:
        raise typer.Exit(1)


@command("dalembert demo", "dalembert demo --out pictures")
def demo(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the page and its pictures.")
    ] = Path("out"),
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs.")] = False,
) -> None:
    """A first tour: two systems, five methods, one page with pictures; under a minute."""
    from ..demo import run_demo

    run_demo(out, quick=quick)
