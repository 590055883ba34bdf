"""The command `control`: verdicts, plans and reachable sets of a system with inputs."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from ..errors import UsageError
from .application import AsJson, PlotTheme, Settings, SystemName, Theme, check_plot, command


@command(
    "dalembert control snakeboard-coupled",
    "dalembert control planar-body --q0 0,0,0 --to 0.5,-0.3,0.4 --out plan.png",
    "dalembert control snakeboard-coupled --q0 0,0,0,0,0 --to 1,1,pi/2 --json",
    "dalembert control twisted-inputs --out reached.png",
)
def control(
    system: SystemName,
    settings: Settings = None,
    q0: Annotated[
        str | None, typer.Option("--q0", metavar="A,B,..", help="The point of rest to look at.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="A,B,..",
            help="Plan to rest at this point by decoupling motions, and carry it out with forces; "
            "nan, and what is left out at the end, is free.",
        ),
    ] = None,
    duration: Annotated[
        float, typer.Option("--duration", help="Of each motion of the plan, in s.")
    ] = 1.0,
    degree: Annotated[
        int, typer.Option("--degree", metavar="K", help="Follow products up to this degree.")
    ] = 4,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="A picture of plan, inputs and path; without --to, of the reachable set.",
        ),
    ] = None,
    theme: PlotTheme = Theme.light,
    as_json: AsJson = False,
) -> None:
    """What can be reached from rest, decoupling fields, and plans from one point to another."""
    from .. import control as theory
    from . import reading, showing

    check_plot(out)
    made = reading.make_system(system, settings or [])
    target = None if to is None else reading.numbers("--to", to)
    with reading.blaming(made):
        q = None if q0 is None else reading.point(made, q0)
        page = theory.overview(made, q, degree=degree)
        facts: dict[str, Any] = {
            "system": page.system,
            "findings": [
                {k: getattr(f, k) for k in ("section", "quantity", "verdict", "evidence")}
                for f in page.findings
            ],
        }
        if not as_json:
            showing.print_table(("", "quantity", "verdict", "decided by"), page.rows())
        if target is not None:
            facts["plan"] = _planned(made, target, q, duration, out, theme, quiet=as_json)
        elif out is not None:
            facts["reached"] = _reached(made, q, page, out, theme)
    if out is not None:
        facts["out"] = str(out)
        if not as_json:
            print(f"\npicture: {out}")
    if as_json:
        showing.print_json(facts)


def _planned(
    system: Any, target: list[float], q: Any, duration: float, out: Path | None, theme: Theme,
    quiet: bool,
) -> dict[str, Any]:  # fmt: skip
    from .. import control as theory
    from .. import diagnostics, plots
    from .reading import position_names

    if not duration > 0:
        raise UsageError(f"--duration must be positive, got {duration:g}")
    motion = theory.plan(system, target, q, duration=duration)
    done = motion.simulate()
    u, names = motion.controls(done.run), position_names(system)
    flat = np.asarray([system.groupoid.base.flatten(x) for x in [done.run.final.q]])[0]
    largest = np.max(np.abs(u), axis=0)
    if not quiet:
        print(f"\nplan: {motion}")
        labels = zip(system.input_labels, largest, system.input_units or ("",) * len(largest))
        print("inputs: " + ", ".join(f"|{n}| up to {x:.4g} {k}".rstrip() for n, x, k in labels))
        ends = ", ".join(f"{n} = {x:.9g}" for n, x in zip(names, flat))
        print(textwrap.fill(f"carried out by {done.run.meta.method}: {ends}", 100))
        print(f"miss {done.miss:.2e}, speed left {done.speed:.2e}, effort {motion.effort():.6g}")
    if out is not None:
        rows = np.asarray(done.run.q).reshape(len(done.run), -1)
        switches = [k * float(motion.control.duration) for k in range(1, len(motion.lengths))]
        xy = np.asarray(diagnostics.path(system, done.run)) if system.dim >= 2 else None
        picture = plots.controlled(
            done.run.t, rows, u, path_xy=xy, switches=switches, names=names,
            target=motion.target if rows.shape[1] == system.dim else None,
            units=tuple(system.units), input_names=system.input_labels,
            input_units=system.input_units or (), theme=theme.value,
            title=f"{system.name()}: {len(motion.lengths)} decoupling motions, "
            f"miss {done.miss:.1e}",
        )  # fmt: skip
        plots.save(picture, out)
    return {
        "segments": [
            {"field": i + 1, "length": float(a)} for i, a in zip(motion.fields, motion.lengths)
        ],
        "duration": motion.duration,
        "target": [float(x) if g else None for x, g in zip(np.ravel(motion.target), motion.goal)],
        "q": flat,
        "miss": done.miss,
        "speed": done.speed,
        "effort": motion.effort(),
        "largest_inputs": largest,
        "method": done.run.meta.method,
    }


def _reached(system: Any, q: Any, page: Any, out: Path, theme: Theme) -> dict[str, Any]:
    from .. import control as theory
    from .. import plots
    from .reading import position_names

    reached = theory.reachable_set(system, q)
    verdict = next(f for f in page.findings if "STLCC" in f.quantity)
    picture = plots.reachable(
        reached.ends, reached.q, names=position_names(system), units=tuple(system.units),
        title=f"{system.name()}: ends of {len(reached.ends)} motions of {reached.duration:g} s",
        verdict=textwrap.fill(f"STLCC: {verdict.verdict}: {verdict.evidence}", 110),
        theme=theme.value,
    )  # fmt: skip
    plots.save(picture, out)
    return {"members": len(reached.ends), "duration": reached.duration, "limit": reached.limit}


__all__ = ["control"]
