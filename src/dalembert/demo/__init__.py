"""The demo: two systems, five methods, one page with pictures, two of which move.

    run_demo(Path("out"))  ->  out/index.html, with out/ball.html and out/sleigh.html in it

Every number on the page comes from the run that wrote it.
"""

from __future__ import annotations

import dataclasses
import os
import platform
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jax
import numpy as np

from ..compile.xla import cores
from ..diagnostics import Comparison, Run, compare, constraint_residual, fit_circle
from ..errors import UsageError
from ..files import check_writable, replacing
from ..methods import DLA, GNI, RK4, Method, Reference, default
from ..methods.rules import Midpoint
from ..results import Trajectory, versions
from ..running import simulate
from ..system import System
from ..systems import BallOnTurntable, ChaplyginSleigh
from ..viewer import show

METHODS: tuple[Method, ...] = (default(), GNI(Midpoint()), DLA(Midpoint()), RK4(), Reference())


def run_demo(out: str | os.PathLike[str], quick: bool = False) -> Path:
    """Run both systems with all methods, print tables, write the page; returns its path."""
    from . import demo_page as page
    from . import pictures

    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder '{folder}': {error.strerror}") from None
    target = check_writable(folder / "index.html", (".html",))
    begin = time.perf_counter()
    ball, sleigh = BallOnTurntable(), ChaplyginSleigh()
    print("compiling two systems with five methods each, most of the work ...", flush=True)
    compiled = _compile([ball, sleigh])

    balls = _with_compile_times(
        compare(ball, METHODS, h=0.1, steps=300 if quick else 10_000), compiled
    )
    _print(balls, "ball on a turning table")
    sleighs = _with_compile_times(
        compare(sleigh, METHODS, h=0.05, steps=300 if quick else 1200), compiled
    )
    _print(sleighs, "Chaplygin sleigh")
    halved = simulate(sleigh, METHODS[1], h=sleighs.h / 2, steps=2 * sleighs.steps)

    rings = [fit_ring(run.done) for run in balls.runs]
    story = SleighStory.of(sleighs, halved)
    drawn = pictures.draw_all(balls, sleighs, story, folder)
    _write_motion(balls, ("gni-midpoint", "reference"), 300, folder / page.BALL)
    _write_motion(sleighs, ("dla-midpoint", "gni-midpoint", "rk4"), 300, folder / page.SLEIGH)
    text = page.write(balls, rings, sleighs, story, drawn, _made(begin))
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
    print(f"{time.perf_counter() - begin:.0f} s in all; the page: {folder / 'index.html'}")
    return folder / "index.html"


def _write_motion(found: Comparison, methods: tuple[str, ...], steps: int, path: Path) -> None:
    """Write a page that animates the first steps of some of the runs."""
    first, *others = (found[name].done[: steps + 1] for name in methods)
    show(found.system, first, *others, labels=methods, open=False).save(path)


def _print(found: Comparison, name: str) -> None:
    end = found.steps * found.h
    print(f"\n{name}: h = {found.h:g} s, {found.steps} steps, to t = {end:g} s\n")
    print(found.table().text(), "\n", sep="")
    for run in found.runs:
        for text in run.warnings:
            print(textwrap.fill(f"WARNING, {run.method}: {text}", 98), "\n", sep="")
    sys.stdout.flush()


# -- compilation, on two cores -------------------------------------------------------------------


def _compile(systems: list[System]) -> dict[tuple[str, str], float]:
    """Compile every pair once, two at a time; returns the seconds by system and method.

    These runs are short; the long runs use the same compiled code.
    """

    def one(pair: tuple[System, Method]) -> float:
        return simulate(*pair, h=0.01, steps=256, progress=False).meta.compile_s

    pairs = [(system, method) for system in systems for method in METHODS]
    with ThreadPoolExecutor(2) as pool:
        seconds = list(pool.map(one, pairs))
    names = [(system.name(), method.name) for system, method in pairs]
    return dict(zip(names, seconds, strict=True))


def _with_compile_times(found: Comparison, seconds: dict[tuple[str, str], float]) -> Comparison:
    def corrected(run: Run) -> Run:
        meta = run.done.meta
        total = meta.compile_s + seconds[meta.system, meta.method]
        meta = dataclasses.replace(meta, compile_s=total)
        return dataclasses.replace(run, trajectory=dataclasses.replace(run.done, meta=meta))

    return dataclasses.replace(found, runs=tuple(corrected(run) for run in found.runs))


# -- what the runs show --------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Ring:
    """The circle fitted to a path, and the exact one."""

    center: tuple[float, float]
    radius: float
    deviation: float  # largest distance of a point from the fitted circle
    ahead: float  # angle in rad, seen from the exact center, by which the end is ahead of the exact
    exact_center: tuple[float, float]
    exact_radius: float


def fit_ring(traj: Trajectory, ball: BallOnTurntable | None = None) -> Ring:
    """Return the fitted circle, and the exact one from the closed form.

    The exact path is z = z0 + z0' (exp(i kappa t) - 1)/(i kappa), a circle with the center
    z0 + i z0'/kappa and the radius |z0'|/kappa.
    """
    ball = ball or BallOnTurntable()
    q = np.asarray(traj.q)
    fitted = fit_circle(q)
    z, w = complex(*q[0]), complex(*np.asarray(traj.v)[0, :2])
    kappa = float(ball.kappa)
    center = z + 1j * w / kappa
    turned = np.unwrap(np.angle((q[:, 0] + 1j * q[:, 1] - center) / (z - center)))
    exact = kappa * (np.asarray(traj.t)[-1] - np.asarray(traj.t)[0])
    return Ring(
        fitted.center,
        fitted.radius,
        fitted.deviation,
        float(turned[-1] - exact),
        (center.real, center.imag),
        abs(w) / kappa,
    )


@dataclasses.dataclass(frozen=True)
class SleighStory:
    """Distances from the closed form, and what GNI does once the sleigh has settled."""

    t: np.ndarray
    exact: np.ndarray  # positions (rows, 3)
    distance: dict[str, np.ndarray]  # from the closed form, in the plane, by method
    halved_t: np.ndarray  # times of the rows of GNI with half the step
    halved_distance: np.ndarray
    halved_residual: np.ndarray
    alternating: np.ndarray  # the part of GNI's multiplier that changes sign at every step

    @classmethod
    def of(cls, found: Comparison, halved: Trajectory) -> SleighStory:
        """Compute the distances from the runs."""
        system = found.system
        assert isinstance(system, ChaplyginSleigh)
        trajs = {run.method: run.done for run in found.runs}
        gni = trajs["gni-midpoint"]
        exact = _closed_form(system, gni.t)
        distance = {name: _apart(traj.q, exact) for name, traj in trajs.items()}
        lam = np.asarray(gni.multiplier)[:, 0]
        return cls(
            np.asarray(gni.t),
            exact,
            distance,
            np.asarray(halved.t),
            _apart(halved.q, _closed_form(system, halved.t)),
            np.asarray(constraint_residual(system, halved)),
            np.abs(lam[2:] - 2 * lam[1:-1] + lam[:-2]) / 4,
        )

    def left_at(self, limit: float) -> tuple[float | None, float | None]:
        """Return when GNI is farther than `limit` from the exact path: with h, and with h/2."""

        def first(t: np.ndarray, d: np.ndarray) -> float | None:
            return float(t[np.argmax(d > limit)]) if np.any(d > limit) else None

        gni = self.distance["gni-midpoint"]
        return first(self.t, gni), first(self.halved_t, self.halved_distance)


def _closed_form(sleigh: ChaplyginSleigh, t: jax.Array) -> np.ndarray:
    return np.asarray(jax.jit(jax.vmap(lambda s: sleigh.closed_form(s)[0]))(t))


def _apart(q: jax.Array, exact: np.ndarray) -> np.ndarray:
    return np.hypot(*(np.asarray(q)[:, :2] - exact[:, :2]).T)


def _made(begin: float) -> dict[str, str]:
    """Return when and on which machine the page was made, for its footer."""
    used = versions()
    return {
        "seconds": f"{time.perf_counter() - begin:.0f}",
        "when": time.strftime("%Y-%m-%d %H:%M"),
        "with": ", ".join(f"{name} {version}" for name, version in used.items()),
        "machine": f"{platform.system()} {platform.machine()}, {cores()} cores",
    }
