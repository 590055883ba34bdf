"""[MP] figure 5: energy of the chaotic system (5.5) by a general-purpose solver and by (4.18)."""

from __future__ import annotations

import jax
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, check_members, experiment
from ..helpers.stiff import solve

STEPS = (0.2, 0.1, 0.05)
TOLERANCES = (1e-4, 1e-6)
ENERGY = 3.06
SYSTEM = da.systems.ChaoticQuartic()


@experiment(
    "mp-fig5",
    source="[MP] Fig. 5",
    title="Energy of a chaotic system: drift against a random walk",
    see="The energy error of a general-purpose solver grows in proportion to time or faster; that "
    "of (4.18) wanders, by an amount that shrinks with the square of the step.",
)
def fig5(full: bool, seed: int) -> Outcome:
    """Run IDA, or SciPy's BDF, instead of DASSL; several starts: a single one decides nothing."""
    end, members = (2000.0, 10) if full else (500.0, 5)
    times = np.linspace(0.0, end, 251)
    q0, v0 = SYSTEM.ensemble(jax.random.key(seed), members, ENERGY)
    energy = jax.jit(jax.vmap(lambda q, v: da.dynamics.energy(SYSTEM, q, v)))
    errors: dict[str, np.ndarray] = {}
    costs: dict[str, tuple[float | None, float]] = {}  # steps and evaluations of a run
    for tol in TOLERANCES:
        runs = [solve(SYSTEM, q, v, times, tol) for q, v in zip(q0, v0)]
        name = f"{runs[0].solver}, {tol:g}"
        errors[name] = np.array([energy(run.q, run.v) for run in runs]) - ENERGY
        steps = None if runs[0].steps is None else sum(run.steps or 0 for run in runs) / members
        costs[name] = (steps, float(np.mean([run.evaluations for run in runs])))
    for h in STEPS:
        name = f"(4.18), h = {h:g}"
        errors[name] = _leapfrog(q0, v0, h, end, len(times) - 1)
        costs[name] = (end / h, end / h)

    loose, tight, *ours = errors
    typical = {name: np.sqrt(np.mean(e**2, axis=0)) for name, e in errors.items()}
    power = {name: _power(times, e) for name, e in typical.items()}
    order = da.diagnostics.fit_order(STEPS, [np.mean(typical[name]) for name in ours])
    solver = loose.partition(",")[0]
    step, calls = costs[tight]
    cost = [Check("evaluations in unit time", calls / end, 20, 300)]
    if step is not None:
        cost += [
            Check("average step", end / step, 0.01, 0.08, "s"),
            Check("evaluations a step", calls / step, 1, 5),
        ]
    claims = [
        Claim(
            "the energy error of the general-purpose solver has a secular drift, O(t)",
            [Check(f"power of t, {name}", power[name], low=0.7) for name in (loose, tight)],
            note="The sign of the error differs from start to start, so it is not a steady loss; "
            "but it outgrows a random walk, whose power is 0.5.",
        ),
        Claim(
            "(4.18) shows no secular drift",
            [
                Check(
                    f"power of t, {name}",
                    power[name],
                    high=0.65,
                    why="a random walk has 0.5, a drift 1",
                )
                for name in ours
            ],
        ),
        Claim(
            "the energy error of (4.18) is of size h^2",
            [Check("order of the typical error", order, 1.7, 2.3)],
        ),
        Claim(
            "with tolerance 1e-6 DASSL takes steps of 0.026 s and 2.6 evaluations for each",
            cost,
            unpublished=f"{members} starts on the energy 3.06 J; {solver} in place of DASSL",
        ),
    ]
    rows = [
        (
            name,
            "-" if (taken := costs[name][0]) is None else f"{end / taken:.3g}",
            f"{costs[name][1] / end:.3g}",
            typical[name][-1],
            float(np.mean(e[:, -1])),
            float(np.max(np.abs(e))),
            f"{power[name]:.2f}",
        )
        for name, e in errors.items()
    ]
    heads = ("method", "average step [s]", "evaluations per s", "typical error at the end [J]",
             "mean error at the end [J]", "largest error [J]", "power of t")  # fmt: skip
    caption = f"{members} starts of energy 3.06 J, to t = {end:g} s; typical: root mean square."
    table = Table(heads, rows, caption)

    def draw(theme: str):
        with da.plots.canvas(theme, (7.0, 8.6), 3, 1) as (fig, axes, look):
            panels = {
                "one start, rough": (loose, ours[0]),
                "the same start, fine": (tight, *ours[1:]),
            }
            styles = {
                name: (look.curves[i], "--" if i < 2 else "-") for i, name in enumerate(errors)
            }
            for ax, (title, names) in zip(axes, panels.items()):
                for name in sorted(names, key=lambda name: name == tight):
                    color, dash = styles[name]
                    ax.plot(times, 1e3 * errors[name][0], dash, color=color, lw=1.2, label=name)
                ax.set(xlabel="t [s]", ylabel="energy error [mJ]")
                da.plots.finish(ax, look, title, "above")
            ax = axes[2]
            for name, (color, dash) in styles.items():
                ax.plot(times[1:], typical[name][1:], dash, color=color, lw=1.4)
            guide = np.array([20.0, end])
            ax.plot(guide, 1e-4 * guide / end, color=look.muted, lw=1.2, ls=":")
            ax.annotate("in proportion to t", (70, 4e-6), color=look.muted)
            ax.set(xlabel="t [s]", ylabel="typical error [J]", xscale="log", yscale="log")
            da.plots.finish(ax, look, f"root mean square of {members} starts, colors as above")
        return fig

    picture = Picture(
        "",
        "Dashed: the general-purpose solver, whose error grows with time, below about like the "
        "dotted line. Solid: (4.18), whose error is flat, four times less with half the step.",
        "Energy errors of five runs against time: two that grow, three that wander",
        draw,
    )
    return Outcome(claims, [table], [picture])


def _leapfrog(q0, v0, h: float, end: float, rows: int) -> np.ndarray:
    steps = round(end / h)
    run = da.simulate_ensemble(
        SYSTEM, da.Leapfrog(), q0, v0, h=h, steps=steps, save_every=steps // rows
    )
    check_members(run.result)
    energy = jax.vmap(jax.vmap(lambda q, v: da.dynamics.energy(SYSTEM, q, v)))(run.q, run.v)
    return np.asarray(energy) - ENERGY


def _power(t: np.ndarray, size: np.ndarray) -> float:
    """Return p of the fit size ~ t^p, without the first twentieth of the run."""
    late = t > t[-1] / 20
    return float(np.polyfit(np.log(t[late]), np.log(size[late]), 1)[0])
