"""The page of the demo: one HTML file with its pictures inside, and only measured numbers."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .. import diagnostics
from ..diagnostics import Comparison, Run
from ..pages import Table, document, escape, figure, number

if TYPE_CHECKING:
    from . import Ring, SleighStory

BALL, SLEIGH = "ball.html", "sleigh.html"  # the pages with the animations
_STYLE = "iframe { width: 100%; height: 30rem; border: 1px solid var(--line); border-radius: 6px; }"
_FAR = 1.0  # m from the exact path: a run beyond this distance is called a different motion


def write(
    balls: Comparison,
    rings: Sequence[Ring],
    sleighs: Comparison,
    story: SleighStory,
    drawn: Mapping[str, Mapping[str, Path]],
    made: Mapping[str, str],
) -> str:
    """Return the text of the page."""
    parts = [
        "<h1>Two rolling bodies, five methods</h1>",
        _p(
            "A ball on a turning table and a sleigh on a knife edge, simulated by dalembert. "
            "Every number and picture on this page was computed by the run that wrote it."
        ),
        "<h2>A ball on a turning table</h2>",
        _motion(BALL, "the ball on its table by gni-midpoint, and the reference in outline"),
        _p("Five methods compute the motion:"),
        _methods(),
        *_ball(balls, rings, drawn),
        "<h2>The Chaplygin sleigh</h2>",
        _motion(SLEIGH, "the sleigh by dla-midpoint, and two other methods in outline"),
        *_sleigh(sleighs, story, drawn),
        "<h2>Run it yourself</h2>",
        "<pre>dalembert studio\n"
        "dalembert run ball-on-turntable --h 0.1 --steps 10000 --plot ball.png --view\n"
        "dalembert compare chaplygin-sleigh --h 0.05 --t 60 --plot sleigh.png\n"
        "dalembert systems\ndalembert methods</pre>",
        f"<footer>{escape(made['when'])}, {escape(made['seconds'])} s with compilation; "
        f"{escape(made['with'])}; {escape(made['machine'])}.</footer>",
    ]
    return document("dalembert: two rolling bodies, five methods", "\n".join(parts), _STYLE)


def _methods() -> str:
    lines = {
        "gauss-2": "Gauss collocation on the constraint, the default: symmetric. Order 4.",
        "gni-midpoint": "the Geometric Nonholonomic Integrator: it reflects the momentum in the "
        "constraint at every node. Order 2.",
        "dla-midpoint": "discrete Lagrange-d'Alembert: a multiplier and a constraint between "
        "neighboring nodes. Order 2.",
        "rk4": "the classical Runge-Kutta method on the equations of motion, the constraint "
        "differentiated once. Order 4.",
        "reference": "Taylor's method with adaptive order and step, relative tolerance 1e-11, the "
        "velocity put back on the constraint at every row.",
    }
    items = (f"<li><code>{name}</code>: {escape(text)}</li>" for name, text in lines.items())
    return f"<ul>{''.join(items)}</ul>"


# -- the ball ------------------------------------------------------------------------------------


def _ball(
    found: Comparison, rings: Sequence[Ring], drawn: Mapping[str, Mapping[str, Path]]
) -> list[str]:
    system, end = found.system, found.steps * found.h
    rate = system.parameters()["Theta"]
    reference = found["reference"]
    energy = np.asarray(diagnostics.energy(system, reference.done))
    gni, dla, rk4 = (found[name] for name in ("gni-midpoint", "dla-midpoint", "rk4"))
    ring = next(r for run, r in zip(found.runs, rings) if run.method == "gni-midpoint")
    exact = f"center {_point(ring.exact_center)} m, radius {ring.exact_radius:.6f} m"
    return [
        _p(
            "A homogeneous ball rolls without slipping on a table that turns at "
            f"{rate:g} rad/s. Its point of contact runs on a circle: {exact}. "
            f"Step h = {found.h:g} s, {found.steps:,} steps, to t = {end:g} s."
        ),
        _p(
            "The energy is not conserved, because the table does work on the ball: along the "
            f"reference it goes from {energy.min():.2f} to {energy.max():.2f} J. The exact motion "
            "keeps the moving energy, the energy less the rate of the table times the angular "
            "momentum about its axis. That is what the methods are judged by."
        ),
        found.table().html(),
        _note(found),
        _figure(
            drawn["ball-ring"],
            "The path of the ball's point of contact: a ring",
            f"All {found.steps:,} steps of <code>gni-midpoint</code> lie on one ring. The circle "
            f"fitted to them has center {_point(ring.center)} m and radius {ring.radius:.6f} m, "
            f"and no step is farther than {number(ring.deviation)} m from it. Exact: {exact}.",
            narrow=True,
        ),
        _p("The ring of each method, and how far the ball is ahead on it at the end:"),
        Table(
            [
                "method",
                "center off by [m]",
                "radius off by [m]",
                "farthest step [m]",
                "ahead by [rad]",
            ],
            [_ring_row(run, r) for run, r in zip(found.runs, rings, strict=True)],
        ).html(),
        _figure(
            drawn["ball-errors"],
            "Error of the moving energy and constraint residual against time",
            "Above, the error of the moving energy; its largest values in the first and in the "
            f"last tenth of the run are {', '.join(_trend(run) for run in (gni, dla, rk4))}. "
            f"Below, the constraint: at most {number(gni.constraint_residual_max)} for "
            f"<code>gni-midpoint</code>, {number(rk4.constraint_residual_max)} for "
            "<code>rk4</code>. "
            "The constraint of this ball is linear in positions and velocities together, and "
            "such functions every Runge-Kutta method keeps up to round-off.",
        ),
        _decides(
            f"<code>gni-midpoint</code> keeps the orbit: center off by {number(_off(ring))} m, "
            f"radius by {number(abs(ring.radius - ring.exact_radius))} m. Its ball is "
            f"{number(abs(ring.ahead))} rad {'ahead' if ring.ahead > 0 else 'behind'} at the end, "
            f"an error of {number(gni.error)} m. Position errors at the end: {_errors(found)} m."
        ),
    ]


def _ring_row(run: Run, ring: Ring) -> list[str]:
    radius = abs(ring.radius - ring.exact_radius)
    numbers = (_off(ring), radius, ring.deviation)
    return [run.method, *(f"{x:.1e}" for x in numbers), f"{ring.ahead:.1e}"]


def _off(ring: Ring) -> float:
    return float(np.hypot(*np.subtract(ring.center, ring.exact_center)))


def _trend(run: Run) -> str:
    """Return the largest error in the first tenth of the run and in the last."""
    n = max(len(run.energy) // 10, 2)
    first, last = (float(np.max(np.abs(x))) for x in (run.energy[:n], run.energy[-n:]))
    return f"{number(first)} and {number(last)} J for <code>{run.method}</code>"


# -- the sleigh ----------------------------------------------------------------------------------


def _sleigh(
    found: Comparison, story: SleighStory, drawn: Mapping[str, Mapping[str, Path]]
) -> list[str]:
    end, ahead = found.steps * found.h, found.system.parameters()["a"]
    gni, dla, rk4 = (found[name] for name in ("gni-midpoint", "dla-midpoint", "rk4"))
    loop = story.t <= min(12.0, end)
    worst = {name: float(np.max(d[loop])) for name, d in story.distance.items()}
    left, left_halved = story.left_at(_FAR)
    slips = {run.method: number(run.constraint_residual_max) for run in (gni, dla, rk4)}
    caption = (
        "Above, the distance from the exact path. Below, the constraint: the blade slips sideways "
        f"by at most {slips['rk4']} m/s with <code>rk4</code>, {slips['gni-midpoint']} m/s with "
        f"<code>gni-midpoint</code>, {slips['dla-midpoint']} m/s with <code>dla-midpoint</code>."
    )
    decides = f"Errors in position at t = {end:g} s, largest of x, y and heading: {_errors(found)}."
    parts = [
        _p(
            "A body slides on a knife edge that cannot slip sideways; its center of mass is "
            f"{ahead:g} m ahead of the edge. It backs up, swings around and "
            "settles into a straight run. The energy is conserved, and the exact motion is known "
            f"in closed form. Step h = {found.h:g} s, {found.steps:,} steps, to t = {end:g} s."
        ),
        found.table().html(),
        _note(found),
        _figure(
            drawn["sleigh-path"],
            "The loop of the sleigh, exact and by four methods",
            f"The path of the edge over the first {story.t[loop][-1]:g} s: the exact one as a gray "
            "band, the methods as marks. Farthest from the exact path on the way: "
            + ", ".join(f"<code>{m}</code> {number(worst[m])} m" for m in list(worst)[:4])
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
        parts += [_p(f"The run says so itself: &ldquo;{escape(x)}.&rdquo;") for x in gni.warnings]
        decides += (
            " Of the two methods of order 2 that keep the constraint, <code>dla-midpoint</code> is "
            "the one to take for this system; the default is better than both."
            if found["gauss-2"].error < dla.error < gni.error
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
        f"{number(gni.energy_error_max)} J, while the constraint is still kept. The part of its "
        "multiplier that changes sign at every step, which the exact motion does not have, grows "
        f"from {number(story.alternating[early])} N at t = {times[early]:.1f} s to "
        f"{story.alternating[peak]:.0f} N at t = {times[peak]:.1f} s, and turns the sleigh around. "
        f"With half the step {later}."
    )


def _errors(found: Comparison) -> str:
    runs = [run for run in found.runs if run.method != "reference"]
    return ", ".join(f"<code>{run.method}</code> {number(run.error)}" for run in runs)


def _motion(file: str, what: str) -> str:
    return (
        f'<figure><iframe src="{file}" sandbox="allow-scripts allow-downloads" loading="lazy" '
        f'title="{escape(what)}"></iframe><figcaption>{escape(what[0].upper() + what[1:])}. '
        f'<a href="{file}">The whole window.</a></figcaption></figure>'
    )


# -- pieces of HTML ------------------------------------------------------------------------------


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


def _figure(files: Mapping[str, Path], alt: str, caption: str, narrow: bool = False) -> str:
    light, dark = (_inline(files[theme]) for theme in ("light", "dark"))
    return figure(light, dark, alt, caption, narrow=narrow)


def _inline(path: Path) -> str:
    return "data:image/png;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def _point(xy: tuple[float, float]) -> str:
    return f"({xy[0]:.6f}, {xy[1]:.6f})".replace("-", "\N{MINUS SIGN}")
