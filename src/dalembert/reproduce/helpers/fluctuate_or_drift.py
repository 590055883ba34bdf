"""Energy and constraint of DLA, RK4 and an accurate multistep solver; for [C02] 7.6."""

from __future__ import annotations

import importlib.util

import jax
import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import geometry

from ..experiment_types import Check, Claim, Motion, Outcome, Picture, Table

H = 0.2  # step in s, as in the book
SHORT = 200.0  # length in s of the pictures and of the benchmark run
STARTS = 4  # number of random starts besides the start of the pictures
METHODS = {"DLA": da.DLA(), "RK4": da.RK4()}
BENCHMARK = "benchmark (LSODA)"


def compare(
    system: da.System, steps: int, seed: int, figures: tuple[str, str], data: str, reading: str
) -> Outcome:
    """Run both methods from the system's start and random ones, the benchmark from the first."""
    starts = _starts(system, seed)
    runs = {n: [da.simulate(system, m, *s, h=H, steps=steps) for s in starts]
            for n, m in METHODS.items()}  # fmt: skip
    errors = {n: [np.asarray(da.diagnostics.energy_error(system, run)) for run in each]
              for n, each in runs.items()}  # fmt: skip
    middle = _middle_energy(system, runs["DLA"][0])
    t, short = np.asarray(runs["DLA"][0].t), round(SHORT / H)
    q, v = _benchmark(system, *starts[0], t[: short + 1])
    residual = {
        "DLA": np.abs(_discrete_constraint(system, runs["DLA"][0])),
        "RK4": np.asarray(da.diagnostics.constraint_residual(system, runs["RK4"][0])),
        BENCHMARK: np.abs(_constraint(system, q, v)),
    }
    energy = float(da.dynamics.energy(system, *starts[0]))
    bands = [float(np.ptp(e)) for e in errors["DLA"]]
    drifts = {n: [_drift(e) for e in each] for n, each in errors.items()}
    steady = max(abs(d) / b for d, b in zip(drifts["DLA"], bands))
    lost = min(-d / b for d, b in zip(drifts["RK4"], bands))
    worst = {n: float(np.max(np.abs(each[0]))) for n, each in errors.items()}
    overtaken = float(t[np.argmax(np.abs(errors["RK4"][0]) > worst["DLA"])])
    at, tenth = round(10 / H), steps // 10
    apart = {n: float(np.linalg.norm(each[0].q[at] - q[at])) for n, each in runs.items()}
    ends = {n: float(np.max(r)) for n, r in residual.items()}
    claims = [
        Claim(
            f"{figures[0]}: the energy of the nonholonomic integrator fluctuates, that of RK4 "
            "drifts",
            [
                Check("DLA: drift over its fluctuation", abs(drifts["DLA"][0]) / bands[0],
                      high=0.05, why="no drift beside the fluctuation"),
                Check("RK4: drift over the fluctuation of DLA", -drifts["RK4"][0] / bands[0],
                      low=2, why="plainly a drift"),
            ],
            unpublished=data,
        ),
        Claim(
            "the same pattern is seen for arbitrarily long times",
            [
                Check(f"DLA: drift over its fluctuation, largest of {len(starts)} starts", steady,
                      high=0.05, why="no drift beside the fluctuation"),
                Check(f"RK4: loss over the fluctuation of DLA, least of {len(starts)} starts", lost,
                      low=2, why="plainly a drift"),
            ],
            note=f"As far as {steps:,} steps can tell, from {len(starts)} starts; drift: mean of "
            "the last tenth of the run less that of the first.",
        ),
        Claim(
            f"{figures[1]}: RK4 does not keep to the constraint; the nonholonomic integrator and "
            "the benchmark do, and cannot be told apart",
            [
                Check("largest residual, RK4", ends["RK4"], low=1e-5, unit="m/s",
                      why="above all round-off"),
                Check("discrete constraint, DLA", ends["DLA"], high=1e-11, unit="m/s"),
                Check(f"constraint, {BENCHMARK}", ends[BENCHMARK], high=1e-6, unit="m/s",
                      why="the tolerance of the benchmark over the whole run"),
                Check("RK4: largest in the last tenth of the run over the first",
                      float(residual["RK4"][-tenth:].max() / residual["RK4"][:tenth].max())),
            ],
            note="DLA keeps the discrete constraint, at the middle of the step; its velocity at a "
            "node is put on the constraint by projection.",
        ),
        Claim(
            "the comparison of the energies speaks for the nonholonomic integrator",
            [Check("error of RK4 above the largest of DLA from", overtaken, high=H, unit="s")],
            [
                Check("error of RK4 above the largest of DLA from", overtaken, high=0.1 * H * steps,
                      unit="s"),
                Check("energy error at the end, RK4 over DLA", abs(errors["RK4"][0][-1])
                      / worst["DLA"], low=2, why="plainly larger"),
            ],
            "In the long run. At first the energy of RK4 is the closer one: its error passes the "
            f"largest of DLA at t = {overtaken:.0f} s. Errors in q at t = 10 s: RK4 "
            f"{apart['RK4']:.1e}, DLA {apart['DLA']:.1e}.",
        ),
    ]  # fmt: skip
    marks = [round(s / H) for s in (10, 100, 1000)] + [steps]
    table = Table(
        ("energy error [J]", *(f"t = {t[k]:g} s" for k in marks), "least", "largest"),
        [
            *((f"{n}, at the nodes", *(e[0][k] for k in marks), e[0].min(), e[0].max())
              for n, e in errors.items()),
            ("DLA, middle of the steps", *(middle[k - 1] for k in marks), middle.min(),
             middle.max()),
        ],
        f"h = {H:g} s, {steps:,} steps; the energy is {energy:.4g} J.",
    )  # fmt: skip

    unit, scale = ("mJ", 1e3) if worst["RK4"] < 1 else ("J", 1.0)

    def draw_energy(theme: str):
        with da.plots.canvas(theme, (9.0, 3.9), columns=2) as (fig, axes, look):
            for ax, last in zip(axes, (short // 5, min(steps, 10_000))):
                for k, (name, dash) in enumerate((("DLA", "-"), ("RK4", "--"))):
                    ax.plot(
                        t[: last + 1],
                        scale * errors[name][0][: last + 1],
                        dash,
                        color=look.curves[k],
                        lw=1.8 if k else 1.0,
                        label=name,
                    )
                ax.set(xlabel="t [s]", ylabel=f"energy error [{unit}]")
            da.plots.finish(axes[0], look, "at first", "above")
            da.plots.finish(axes[1], look, "in the long run", "above")
        return fig  # fmt: skip

    def draw_constraint(theme: str):
        with da.plots.canvas(theme, (7.2, 3.9)) as (fig, ax, look):
            for k, (name, r) in enumerate(residual.items()):
                shown = np.maximum(r[1 : short + 1], 1e-17)
                ax.plot(
                    t[1 : len(shown) + 1],
                    shown,
                    color=look.curves[k],
                    lw=0.9,
                    ls=("-", "--", "-.")[k],
                    label=name,
                )
            ax.set(xlabel="t [s]", ylabel="constraint residual [m/s]", yscale="log")
            da.plots.finish(ax, look, figures[1], "above")
        return fig  # fmt: skip

    pictures = [
        Picture(
            "energy",
            reading,
            "Energy errors against time: left over a short time, right over a long one",
            draw_energy,
        ),
        Picture(
            "constraint",
            "The constraint: RK4 is off by the error of the method, the benchmark by its "
            "tolerance, DLA by round-off.",
            "Three constraint residuals against time, many orders of magnitude apart",
            draw_constraint,
        ),
    ]
    motion = Motion(
        f"DLA solid, RK4 as a ghost, with the step of the book, {H:g} s: the first {SHORT:g} s.",
        system,
        {name: each[0][: short + 1] for name, each in runs.items()},
    )
    return Outcome(claims, [table], pictures, motions=[motion])


def _starts(system: da.System, seed: int) -> list[tuple[jax.Array, jax.Array]]:
    result = geometry.sample_states(system, count=STARTS, seed=seed)
    return [system.initial(), *zip(result.q, result.v)]


def _drift(error: np.ndarray) -> float:
    """Return the mean error over the last tenth of a run minus the mean over the first tenth."""
    n = len(error) // 10
    return float(np.mean(error[-n:]) - np.mean(error[:n]))


def _middle_energy(system: da.System, run: da.Trajectory) -> np.ndarray:
    """Return the energy at (q0 + q1)/2 with velocity (q1 - q0)/h, minus the initial energy."""
    q = run.q
    v, at = (q[1:] - q[:-1]) / H, 0.5 * (q[1:] + q[:-1])
    energy = jax.vmap(lambda q, v: da.dynamics.energy(system, q, v))(at, v)
    return np.asarray(energy - da.dynamics.energy(system, q[0], run.v[0]))


def _discrete_constraint(system: da.System, run: da.Trajectory) -> np.ndarray:
    q = run.q
    return _constraint(system, 0.5 * (q[1:] + q[:-1]), (q[1:] - q[:-1]) / H)


def _constraint(system: da.System, q, v) -> np.ndarray:
    """Return the largest entry of A(q) v."""
    rows = jax.vmap(lambda q, v: system.constraint(q) @ v)(jnp.asarray(q), jnp.asarray(v))
    return np.max(np.abs(np.asarray(rows)), axis=1)


def _benchmark(system: da.System, q0, v0, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve by a variable-order predictor-corrector like ODE113: Adams in LSODA, tol 1e-10."""
    if importlib.util.find_spec("scipy") is None:
        raise da.UsageError('this needs SciPy: pip install "dalembert[reproduce]"')
    from scipy.integrate import solve_ivp

    dim = system.dim

    @jax.jit
    def rate(y):
        return jnp.concatenate([y[dim:], da.dynamics.acceleration(system, y[:dim], y[dim:])])

    y0 = np.concatenate([np.asarray(q0), np.asarray(v0)])
    solution = solve_ivp(
        lambda t, y: np.asarray(rate(y)), (t[0], t[-1]), y0, "LSODA", t, rtol=1e-10, atol=1e-10
    )
    if not solution.success:
        raise da.SimulationError(f"LSODA: {solution.message}")
    return solution.y.T[:, :dim], solution.y.T[:, dim:]
