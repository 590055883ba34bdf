"""The page of the tour: one HTML file with its pictures inside, and only what this run measured."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .. import diagnostics
from .comparison import Comparison, Run, table

if TYPE_CHECKING:
    from . import Ring, SleighStory

_FAR = 1.0  # m from the exact path: no longer the same motion

_STYLE = """
:root { color-scheme: light dark; --back: #fff; --ink: #1a1a1a; --muted: #5c5c5c; --line: #dcdcdc;
  --card: #f6f7f9; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --back: #14171c; --ink: #ececec; --muted: #a3a9b3;
  --line: #2c323b; --card: #1b2027; --accent: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem 1rem 3rem; max-width: 54rem; background: var(--back);
  color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.6rem 0; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 0.4rem; padding-top: 0.9rem;
  border-top: 1px solid var(--line); }
sup { line-height: 0; }
p, ul { margin: 0.6rem 0; }
li { margin: 0.25rem 0; }
figure { margin: 1.4rem 0; }
img { display: block; width: 100%; height: auto; border-radius: 6px; }
.narrow img { max-width: 34rem; margin: 0 auto; }
figcaption { margin-top: 0.5rem; }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums;
  font-size: 0.88rem; white-space: nowrap; }
th, td { padding: 0.4rem 0.65rem; text-align: right; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { color: var(--muted); font-weight: 600; white-space: normal; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0;
  background: var(--back); }
.decides { background: var(--card); border-left: 4px solid var(--accent); padding: 0.1rem 1rem;
  border-radius: 0 6px 6px 0; }
code, pre { font: 0.9em ui-monospace, monospace; }
pre { background: var(--card); padding: 0.7rem 0.9rem; border-radius: 6px; overflow-x: auto; }
footer, .note { color: var(--muted); font-size: 0.88rem; }
"""


def write(
    balls: Comparison,
    rings: Sequence[Ring],
    sleighs: Comparison,
    story: SleighStory,
    drawn: Mapping[str, Mapping[str, Path]],
    made: Mapping[str, str],
) -> str:
    """The text of the page."""
    parts = [
        "<h1>Two rolling bodies, four methods</h1>",
        _p(
            "A ball on a turning table and a sleigh on a knife edge, simulated by dalembert. "
            "Every number and picture on this page was computed by the run that wrote it."
        ),
        _methods(),
        "<h2>A ball on a turning table</h2>",
        *_ball(balls, rings, drawn),
        "<h2>The Chaplygin sleigh</h2>",
        *_sleigh(sleighs, story, drawn),
        "<h2>Run it yourself</h2>",
        "<pre>dalembert run ball-on-turntable --h 0.1 --steps 10000 --plot ball.png\n"
        "dalembert compare chaplygin-sleigh --h 0.05 --t 60 --plot sleigh.png\n"
        "dalembert systems\ndalembert methods</pre>",
        f"<footer>{_text(made['when'])}, {_text(made['seconds'])} s with compilation; "
        f"{_text(made['with'])}; {_text(made['machine'])}.</footer>",
    ]
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>dalembert: two rolling bodies, four methods</title>\n<style>{_STYLE}</style>\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _methods() -> str:
    lines = {
        "gni-midpoint": "the Geometric Nonholonomic Integrator: it reflects the momentum in the "
        "constraint at every node. Order 2.",
        "dla-midpoint": "discrete Lagrange-d'Alembert: a multiplier and a constraint between "
        "neighboring nodes. Order 2.",
        "rk4": "the classical Runge-Kutta method on the equations of motion, the constraint "
        "differentiated once. Order 4.",
        "reference": "adaptive Dormand-Prince 8, relative tolerance 1e-11, the velocity put back "
        "on the constraint after every step.",
    }
    items = (f"<li><code>{name}</code>: {_text(text)}</li>" for name, text in lines.items())
    return f"<ul>{''.join(items)}</ul>"


# -- the ball ------------------------------------------------------------------------------------


def _ball(
    found: Comparison, rings: Sequence[Ring], drawn: Mapping[str, Mapping[str, Path]]
) -> list[str]:
    system, end = found.system, found.steps * found.h
    reference = found["reference"]
    energy = np.asarray(diagnostics.energy(system, reference.done))
    gni, dla, rk4 = (found[name] for name in ("gni-midpoint", "dla-midpoint", "rk4"))
    ring = rings[0]
    exact = f"center {_point(ring.exact_center)} m, radius {ring.exact_radius:.6f} m"
    return [
        _p(
            "A homogeneous ball rolls without slipping on a table that turns at "
            f"{float(system.Theta):g} rad/s. Its point of contact runs on a circle: {exact}. "  # type: ignore
            f"Step h = {found.h:g} s, {found.steps:,} steps, to t = {end:g} s."
        ),
        _p(
            "The energy is not conserved, because the table does work on the ball: along the "
            f"reference it goes from {energy.min():.2f} to {energy.max():.2f} J. The exact motion "
            "keeps the moving energy, the energy less the rate of the table times the angular "
            "momentum about its axis. That is what the methods are judged by."
        ),
        _table(*table(found)),
        _note(found),
        _figure(
            drawn["ball-ring"],
            "The path of the ball's point of contact: a ring",
            f"All {found.steps:,} steps of <code>gni-midpoint</code> lie on one ring. The circle "
            f"fitted to them has center {_point(ring.center)} m and radius {ring.radius:.6f} m, "
            f"and no step is farther than {_number(ring.deviation)} m from it. Exact: {exact}.",
            narrow=True,
        ),
        _p("The ring of each method, and how far the ball is ahead on it at the end:"),
        _table(
            [
                "method",
                "center off by [m]",
                "radius off by [m]",
                "farthest step [m]",
                "ahead by [rad]",
            ],
            [_ring_row(run, r) for run, r in zip(found.runs, rings, strict=True)],
        ),
        _figure(
            drawn["ball-errors"],
            "Error of the moving energy and constraint residual against time",
            "Above, the error of the moving energy; its largest values in the first and in the "
            f"last tenth of the run are {', '.join(_trend(run) for run in (gni, dla, rk4))}. "
            f"Below, the constraint: at most {_number(gni.constraint_residual_max)} for "
            f"<code>gni-midpoint</code>, {_number(rk4.constraint_residual_max)} for "
            "<code>rk4</code>. "
            "The constraint of this ball is linear in positions and velocities together, and "
            "such functions every Runge-Kutta method keeps up to round-off.",
        ),
        _decides(
            f"<code>gni-midpoint</code> keeps the orbit: center off by {_number(_off(ring))} m, "
            f"radius by {_number(abs(ring.radius - ring.exact_radius))} m. Its ball is "
            f"{_number(abs(ring.ahead))} rad {'ahead' if ring.ahead > 0 else 'behind'} at the end, "
            f"an error of {_number(gni.error)} m. Position errors at the end: {_errors(found)} m."
        ),
    ]


def _ring_row(run: Run, ring: Ring) -> list[str]:
    radius = abs(ring.radius - ring.exact_radius)
    numbers = (_off(ring), radius, ring.deviation)
    return [run.method, *(f"{x:.1e}" for x in numbers), f"{ring.ahead:.1e}"]


def _off(ring: Ring) -> float:
    return float(np.hypot(*np.subtract(ring.center, ring.exact_center)))


def _trend(run: Run) -> str:
    """The largest error in the first tenth of the run and in the last."""
    n = max(len(run.energy) // 10, 2)
    first, last = (float(np.max(np.abs(x))) for x in (run.energy[:n], run.energy[-n:]))
    return f"{_number(first)} and {_number(last)} J for <code>{run.method}</code>"


# -- the sleigh ----------------------------------------------------------------------------------


def _sleigh(
    found: Comparison, story: SleighStory, drawn: Mapping[str, Mapping[str, Path]]
) -> list[str]:
    end = found.steps * found.h
    gni, dla, rk4 = (found[name] for name in ("gni-midpoint", "dla-midpoint", "rk4"))
    loop = story.t <= min(12.0, end)
    worst = {name: float(np.max(d[loop])) for name, d in story.distance.items()}
    left, left_halved = story.left_at(_FAR)
    slips = {run.method: _number(run.constraint_residual_max) for run in (gni, dla, rk4)}
    caption = (
        "Above, the distance from the exact path. Below, the constraint: the blade slips sideways "
        f"by at most {slips['rk4']} m/s with <code>rk4</code>, {slips['gni-midpoint']} m/s with "
        f"<code>gni-midpoint</code>, {slips['dla-midpoint']} m/s with <code>dla-midpoint</code>."
    )
    decides = f"Errors in position at t = {end:g} s, largest of x, y and heading: {_errors(found)}."
    parts = [
        _p(
            "A body slides on a knife edge that cannot slip sideways; its center of mass is "
            f"{float(found.system.a):g} m ahead of the edge. It backs up, swings around and "  # type: ignore
            "settles into a straight run. The energy is conserved, and the exact motion is known "
            f"in closed form. Step h = {found.h:g} s, {found.steps:,} steps, to t = {end:g} s."
        ),
        _table(*table(found)),
        _note(found),
        _figure(
            drawn["sleigh-path"],
            "The loop of the sleigh, exact and by three methods",
            f"The path of the edge over the first {story.t[loop][-1]:g} s: the exact one as a gray "
            "band, the methods as marks. Farthest from the exact path on the way: "
            + ", ".join(f"<code>{m}</code> {_number(worst[m])} m" for m in list(worst)[:3])
            + ".",
            narrow=True,
        ),
        _figure(
            drawn["sleigh-errors"],
            "Distance from the exact path and constraint residual against time",
            caption,
        ),
    ]
    if left is not None:
        parts.append(_p(_departure(found, story, left, left_halved)))
        decides += (
            " Of the two methods that keep the constraint, <code>dla-midpoint</code> is the one to "
            "take for this system."
            if dla.error < gni.error
            else ""
        )
    return [*parts, _decides(decides)]


def _departure(
    found: Comparison, story: SleighStory, left: float, left_halved: float | None
) -> str:
    gni = found["gni-midpoint"]
    peak = int(np.argmax(story.alternating))
    early = peak // 2
    times = story.t[1:-1]
    later = (
        f"the same happens at t = {left_halved:.1f} s"
        if left_halved is not None
        else "it does not happen in this time"
    )
    return (
        f"A limit of the method shows here: from t = {left:.1f} s on <code>gni-midpoint</code> is "
        f"more than {_FAR:g} m from the exact path, and its energy is off by up to "
        f"{_number(gni.energy_error_max)} J, while the constraint is still kept. The part of its "
        "multiplier that changes sign at every step, which the exact motion does not have, grows "
        f"from {_number(story.alternating[early])} N at t = {times[early]:.1f} s to "
        f"{story.alternating[peak]:.0f} N at t = {times[peak]:.1f} s, and turns the sleigh around. "
        f"With half the step {later}."
    )


def _errors(found: Comparison) -> str:
    runs = [run for run in found.runs if run.method != "reference"]
    return ", ".join(f"<code>{run.method}</code> {_number(run.error)}" for run in runs)


# -- pieces of HTML ------------------------------------------------------------------------------


def _text(text: str) -> str:
    return html.escape(text)


def _p(inner: str) -> str:
    return f"<p>{inner}</p>"


def _decides(inner: str) -> str:
    return f'<div class="decides"><p><strong>What decides.</strong> {inner}</p></div>'


def _note(found: Comparison) -> str:
    return (
        '<p class="note">error: largest difference in q from the reference at the end; residual '
        f"and {found.energy}: largest of all steps; time of a step without compilation; two "
        "methods were compiled at a time.</p>"
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{_text(x)}</th>" for x in heads)
    lines = ("".join(f"<td>{_text(x)}</td>" for x in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _figure(files: Mapping[str, Path], alt: str, caption: str, narrow: bool = False) -> str:
    dark, light = (_inline(files[theme]) for theme in ("dark", "light"))
    return (
        f"<figure{' class=narrow' if narrow else ''}><picture>"
        f'<source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img src="{light}" alt="{_text(alt)}"></picture>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _inline(path: Path) -> str:
    return "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def _point(xy: tuple[float, float]) -> str:
    return f"({xy[0]:.6f}, {xy[1]:.6f})".replace("-", "\N{MINUS SIGN}")


def _number(x: float) -> str:
    """Two digits, as people write them: 0.36, 1.6 x 10^-6."""
    if x == 0 or 0.01 <= abs(x) < 1000:
        return f"{x:.2g}".replace("-", "\N{MINUS SIGN}")
    digits, power = f"{x:.1e}".split("e")
    sign = "\N{MINUS SIGN}" if power.startswith("-") else ""
    return f"{digits}&times;10<sup>{sign}{power[1:].lstrip('0')}</sup>"
