"""Work and precision: our methods, SciPy's DOP853 and Radau, and diffrax's Dopri8.

Work is the number of evaluations of the equations of motion, which does not depend on the machine.
Times are shown as well and decide nothing.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import dynamics, groupoids
from dalembert.compile.xla import quick_options
from dalembert.system import System

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment
from ..helpers.ends import runner, state

END = 10.0
LEVELS = (1e-6, 1e-9, 1e-12)
COUNTS = [round(8 * 2 ** (k / 2)) for k in range(15)]
TOLERANCES = [10.0**-k for k in range(4, 15)]
_FINEST = 3e-15  # a tolerance below all others
Points = list[tuple[float, float]]  # (evaluations, error)


def _field(system: System) -> tuple[Callable[..., jax.Array], np.ndarray]:
    """Return x' = f(t, x) for other solvers, on the entries of q and v, and the initial x."""
    base = system.groupoid.base
    q0, v0 = system.initial()
    v0 = dynamics.consistent_velocity(system, q0, v0)
    flat = np.asarray(base.flatten(q0))

    def f(t, x):
        q, v = base.unflatten(x[: flat.size]), x[flat.size :]

        def moved(s):
            return base.flatten(groupoids.move(system.groupoid, q, s * v))

        rate = jax.jvp(moved, (jnp.zeros(()),), (jnp.ones(()),))[1]
        return jnp.concatenate([rate, dynamics.acceleration(system, q, v, t)])

    return f, np.concatenate([flat, np.asarray(v0)])


def _for_scipy(field: Callable[..., jax.Array], **options: Any) -> Callable[..., np.ndarray]:
    compiled = jax.jit(field, **options)
    return lambda t, x: np.asarray(compiled(t, x))


def _exact(system: System, solve: Callable[..., Any]) -> np.ndarray:
    """Return the exact end: in closed form, or by diffrax at its finest tolerance."""
    if isinstance(system, (da.systems.KnifeEdge, da.systems.ChaplyginSleigh)):
        return state(*system.closed_form(jnp.asarray(END)))
    return np.asarray(solve(_FINEST)[0])


def _by_steps(system: System, method, exact: np.ndarray, cost: float | None) -> Points:
    """Run a method with fixed steps; `cost` evaluations per step, or None to count them."""
    go, result = runner(system, method), []
    for n in COUNTS:
        end = go(END / n, n)
        if int(end.result):
            continue
        error = float(np.max(np.abs(state(end.row.q, end.row.v) - exact)))
        result.append((float(end.asked) if cost is None else cost * n, error))
        if error < LEVELS[-1]:
            break
    return result


def _by_scipy(f, x0: np.ndarray, exact: np.ndarray, name: str) -> Points:
    from scipy.integrate import solve_ivp

    result = []
    for tol in TOLERANCES:
        if name == "Radau" and tol < 1e-11:
            break
        got = solve_ivp(f, (0.0, END), x0, method=name, rtol=max(tol, 3e-14), atol=tol)
        # nfev does not count the evaluations for columns of a finite-difference Jacobian
        asked = float(got.nfev + got.njev * len(x0))
        result.append((asked, float(np.max(np.abs(got.y[:, -1] - exact)))))
    return result


def _dopri8(field, x0: np.ndarray) -> Callable[..., Any]:
    """Return a function: tolerance -> final state, number of steps."""
    import diffrax

    @functools.partial(jax.jit, compiler_options=quick_options())
    def solve(tol):
        got = diffrax.diffeqsolve(
            diffrax.ODETerm(lambda t, x, _: field(t, x)),
            diffrax.Dopri8(),
            0.0,
            END,
            0.05,
            jnp.asarray(x0),
            stepsize_controller=diffrax.PIDController(rtol=tol, atol=tol),
            saveat=diffrax.SaveAt(t1=True),
            throw=False,
        )
        assert got.ys is not None
        return got.ys[0], got.stats["num_steps"]

    return solve


def _by_diffrax(solve: Callable[..., Any], exact: np.ndarray) -> Points:
    result = []
    for tol in TOLERANCES:
        x, steps = solve(tol)
        # 14 stages, of which the last is the first of the next step (FSAL).
        result.append((13.0 * float(steps), float(np.max(np.abs(np.asarray(x) - exact)))))
    return result


def _work(points: Iterable[tuple[float, float]], level: float) -> float:
    """Return the fewest evaluations that reach the level; NaN if none does.

    Between two runs the evaluations are interpolated, by straight lines in logarithms. Without
    this, a run that just misses the level by round-off would change the result by a whole step in
    tolerance.
    """
    before: tuple[float, float] | None = None
    for n, error in sorted(points):
        if error <= level:
            if before is None or not error > 0.0:
                return n
            share = math.log(before[1] / level) / math.log(before[1] / error)
            return before[0] * (n / before[0]) ** share
        before = n, error
    return math.nan


@experiment(
    "work-precision",
    source="beyond the documents",
    title="What a digit costs: symmetric methods beside the best adaptive solvers",
    see="Error against the number of evaluations. The adaptive solvers ask less often at moderate "
    "precision; Gauss, which keeps constraint and group, is near them where digits are many.",
)
def work_precision(full: bool, seed: int) -> Outcome:
    """Run the knife edge, the sleigh, a chaotic quartic system, and a ball on R^2 x SO(3)."""
    systems: dict[str, da.System] = {
        "knife edge": da.systems.KnifeEdge(),
        "sleigh": da.systems.ChaplyginSleigh(),
        "quartic": da.systems.ChaoticQuartic(),
        "ball": da.systems.ChaplyginBall(),
    }
    ours: list[tuple[str, da.methods.Method, float | None]] = [("Gauss(4)", da.Gauss(4), None)]
    if full:
        ours += [("Gauss(3)", da.Gauss(3), None), ("Gauss(6)", da.Gauss(6), None)]
    composed = ("Leapfrog, order 8", da.Composition(da.Leapfrog(), 8), 17.0)
    result: dict[str, dict[str, Points]] = {}
    for name, system in systems.items():
        field, x0 = _field(system)
        dopri8 = _dopri8(field, x0)
        exact = _exact(system, dopri8)
        selected = [*ours, composed] if name in ("knife edge", "quartic") else ours
        points = {label: _by_steps(system, m, exact, cost) for label, m, cost in selected}

        f = _for_scipy(field, compiler_options=quick_options())
        for solver in ("DOP853", "Radau"):
            points[solver] = _by_scipy(f, x0, exact, solver)
        points["Dopri8"] = _by_diffrax(dopri8, exact)
        result[name] = points

    def work(system: str, solver: str, level: float) -> float:
        return _work(result[system][solver], level)

    claims = [
        Claim(
            "Gauss(4) reaches 1e-11 on every system, groups included",
            [Check(f"smallest error, {name}", min(e for _, e in result[name]["Gauss(4)"]),
                   high=1e-11, why="round-off decides it, and differs by machine: up to 1e-12")
             for name in systems],
        ),
        # shares below the lower bounds would be errors of the counts
        Claim(
            "at 1e-9 Gauss(4) asks 0.4 to 1.5 times as often as Radau",
            [Check(f"share of the evaluations of Radau, {name}",
                   work(name, "Gauss(4)", 1e-9) / work(name, "Radau", 1e-9), low=0.4, high=1.5)
             for name in systems],
        ),
        Claim(
            "Leapfrog composed to order 8 reaches 1e-9 on the knife edge with fewer evaluations "
            "than DOP853 and Dopri8",
            [Check(f"share of the evaluations of {solver}",
                   work("knife edge", "Leapfrog, order 8", 1e-9)
                   / work("knife edge", solver, 1e-9), low=0.4, high=1.0)
             for solver in ("DOP853", "Dopri8")],
        ),
        Claim(
            "Gauss(4) pays for symmetry: at 1e-9 it asks more often than Dopri8, by less than 6",
            [Check(f"times the evaluations of Dopri8, {name}",
                   work(name, "Gauss(4)", 1e-9) / work(name, "Dopri8", 1e-9), low=1.0, high=6.0)
             for name in systems],
        ),
    ]  # fmt: skip
    heads = ("system", "solver", *(f"evaluations for {level:.0e}" for level in LEVELS))
    rows = [
        (name, solver, *(_count(_work(points, level)) for level in LEVELS))
        for name, solvers in result.items()
        for solver, points in solvers.items()
    ]
    tables = [
        Table(heads, rows, f"Largest error in (q, v) at t = {END:g} s, interpolated between runs."),
        _one_turn(),
    ]

    def draw(theme: str):
        with da.plots.canvas(theme, (8.4, 7.0), 2, 2) as (fig, axes, look):
            labels = list(dict.fromkeys(x for solvers in result.values() for x in solvers))
            for ax, (name, solvers) in zip(np.ravel(axes), result.items()):
                for label, points in solvers.items():
                    i = labels.index(label)
                    style = {"color": look.curves[i % len(look.curves)], "ms": 4, "lw": 1.1}
                    ax.plot(*zip(*points), f"-{'osX^vDP'[i % 7]}", label=label, **style)
                ax.set(xscale="log", yscale="log", xlabel="evaluations", ylabel="error")
                da.plots.finish(ax, look, name, "upper right" if name == "knife edge" else "")
        return fig

    see = "Left and low is better. Radau is the implicit solver of SciPy, Dopri8 that of diffrax."
    alt = "Error against evaluations on four systems, one curve for each solver"
    return Outcome(claims, tables, [Picture("", see, alt, draw)])


def _count(n: float) -> str:
    return "-" if math.isnan(n) else f"{n:.0f}"


def _by_hand(edge: da.systems.KnifeEdge) -> tuple[Callable[..., list[float]], np.ndarray]:
    """Return the equations of the knife edge, written by hand for SciPy, and the initial state."""
    q0, v0 = edge.initial()
    pull = float(edge.pull)

    def f(t: float, x: np.ndarray) -> list[float]:
        _, _, theta, u, v, w = x.tolist()
        s, c = math.sin(theta), math.cos(theta)
        lam = -s * pull - w * (c * u + s * v)  # for the mass 1 kg
        return [u, v, w, pull + s * lam, -c * lam, 0.0]

    return f, np.concatenate([np.asarray(q0), np.asarray(v0)])


def _one_turn() -> Table:
    """Time the knife edge over one turn to 1e-11, in milliseconds; shown without a verdict."""
    edge = da.systems.KnifeEdge()
    end = 2 * math.pi / abs(float(edge.initial()[1][2]))
    exact = state(*edge.closed_form(jnp.asarray(end)))
    f, x0 = _by_hand(edge)
    rows: list[tuple[str, float, float]] = []
    for label, method, counts in (
        ("Leapfrog, order 8", da.Composition(da.Leapfrog(), 8), (32, 48, 64, 96)),
        ("Gauss(6)", da.Gauss(6), (16, 24, 32, 48)),
    ):
        for n in counts:
            runs = [
                da.simulate(edge, method, h=end / n, steps=n, save=da.Final()) for _ in range(5)
            ]
            error = float(np.max(np.abs(state(runs[0].final.q, runs[0].final.v) - exact)))
            if error <= 1e-11 or n == counts[-1]:
                rows.append((label, error, 1e3 * min(run.meta.wall_s for run in runs)))
                break
    from scipy.integrate import solve_ivp

    for tol in (1e-11, 1e-12, 1e-13):
        times, error = [], math.inf
        for _ in range(3):
            begin = time.perf_counter()
            got = solve_ivp(f, (0.0, end), x0, method="DOP853", rtol=tol, atol=tol)
            times.append(time.perf_counter() - begin)
            error = float(np.max(np.abs(got.y[:, -1] - exact)))
        if error <= 1e-11 or tol == 1e-13:
            rows.append(("SciPy DOP853", error, 1e3 * min(times)))
            break
    return Table(
        ("solver", "error", "ms"),
        rows,
        "Knife edge over one turn: error of (q, v), and milliseconds of the best of several runs "
        "after compilation (ours: `meta.wall_s`). They depend on the machine and decide nothing.",
    )
