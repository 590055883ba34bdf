"""Reversible and non-reversible perturbations of the contact oscillator, for every method.

After Modin and Verdier 2020: what makes nonholonomic integrators work is reversibility, so remove
it. A driver y = (y1, y2) oscillates freely and couples x and z through the constraint,

    L = |q'|^2/2 - |q|^2/2,    x' + f(y) z' = 0,    f = y1 + kappa (2 y1 y2 + y1^2 - y2^2)

For every f the motion is integrable: the driver is an oscillator, and over a period of it (x, z)
turn by an orthogonal matrix. If y oscillates on a line, the motion run backwards is the same
motion; if it moves on a circle, it is not, and f(t) has no symmetry under t -> -t left.

A fourth problem is the contact oscillator (kappa = 0, y on a line) with L - dS/dt, S = cos z. It
moves as before, but its Lagrangian is not even in q', and discrete motions are not reversible.
"""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np

import dalembert as da

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

H = 0.1
PROBLEMS = {  # (kappa, speed of the driver across its line)
    "contact oscillator": (0.0, 0.0),
    "reversible": (0.3, 0.0),
    "not reversible": (0.3, 1.0),
}
STARTS = ((1.0, 0.3, 0.5), (0.4, -0.8, 0.7), (-0.6, 0.9, -0.4))  # (x, z, z')
GAUGED = "L - dS/dt"
_LOST = 1e3  # energy error in J beyond which a run has diverged


class Driven(da.MechanicalSystem):
    """The system above; q = (x, z, y1, y2) in m."""

    kappa: float = da.parameter(0.0, "1/m", "strength of the perturbation")

    mass = jnp.eye(4)  # type: ignore[assignment]
    space = da.Euclidean(4)
    coordinate_names = ("x", "z", "y1", "y2")

    def potential(self, q):
        return 0.5 * q @ q

    def constraint(self, q):
        f = q[2] + self.kappa * (2 * q[2] * q[3] + q[2] ** 2 - q[3] ** 2)
        o = jnp.zeros(())
        return jnp.stack([jnp.ones(()), f, o, o])[None, :]


class Gauged(da.System):
    """The contact oscillator with L - dS/dt, S = cos z; q = (x, z, y1, y2) in m."""

    kappa: float = da.parameter(0.0, "1/m", "not used: zero")

    space = da.Euclidean(4)
    coordinate_names = ("x", "z", "y1", "y2")

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * q @ q + jnp.sin(q[1]) * v[1]

    def constraint(self, q):
        o = jnp.zeros(())
        return jnp.stack([jnp.ones(()), q[2], o, o])[None, :]


@experiment(
    "honest-reversibility",
    source="after Modin and Verdier 2020",
    title="Energy drift of every method, with and without reversibility",
    see="On the two reversible problems every symmetric method keeps the energy error bounded. On "
    "the third, integrable as well but not reversible, the discrete d'Alembert methods drift; with "
    "L - dS/dt in place of L those that reflect drift more.",
)
def reversibility(full: bool, seed: int) -> Outcome:
    """Return the slope of the energy error, the worst of three starts."""
    end = 20_000.0 if full else 2_000.0
    kappa, q0, v0 = _starts()
    drift: dict[str, np.ndarray] = {}
    symmetric: dict[str, bool] = {}
    order: dict[str, int] = {}
    curves = {}
    gauged: dict[str, float] = {}
    for name, make in da.methods.registry.items():
        method = make()
        if "moser-veselov" in name or name == "reference" or method.traits.sizes == "own":
            # methods for rigid bodies only, the reference, and methods with adaptive steps
            continue
        order[name] = method.traits.order
        # Errors of high-order methods are so small that a tenth of the time shows their slope.
        last = end if order[name] <= 4 else 0.1 * end
        t, energy = _energies(Driven, method, kappa, q0, v0, last)
        drift[name] = np.array([_worst(t, problem) for problem in energy])
        symmetric[name] = method.traits.symmetric
        curves[name] = energy[:, 0] - energy[:, 0, :1]
        # Only order 2, where a drift is visible; higher orders take long to compile.
        if symmetric[name] and order[name] == 2 and _takes(method, Gauged()):
            some = slice(0, len(STARTS))
            t, energy = _energies(Gauged, method, kappa[some], q0[some], v0[some], end)
            gauged[name] = _worst(t, energy[0])

    def largest(names, problem) -> float:
        return float(max(abs(drift[name][problem]) for name in names))

    even = [name for name, yes in symmetric.items() if yes]
    uneven = [name for name, yes in symmetric.items() if not yes]
    dla = [n for n in even if n.startswith("dla") or n in ("leapfrog", "mp-midpoint")]
    dla = [n for n in dla if order[n] == 2]  # the drift at higher order is smaller by h^2
    least = min(abs(drift[name][2]) for name in dla)
    # Every symmetric method that reflects the momentum: with one rule, and composed of two rules.
    reflecting = [n for n in even if n.startswith("gni") or n == "shake"]
    composed = [n for n in reflecting if "-then-" in n]
    single = [n for n in reflecting if n not in composed]
    slow = max(abs(x) for n, x in gauged.items() if n.startswith("dla"))
    fast = min(abs(x) for n, x in gauged.items() if n.startswith("gni"))
    claims = [
        Claim(
            "on reversible integrable problems symmetric methods show no drift of the energy",
            [Check(f"largest drift of {len(even)} symmetric methods, {name}", largest(even, k),
                   high=3e-8, unit="J/s") for k, name in enumerate(list(PROBLEMS)[:2])],
        ),
        Claim(
            "that is owed to reversibility, not to the discrete d'Alembert principle: without it "
            "every symmetric DLA method of order 2 drifts",
            [
                Check("smallest drift of a symmetric DLA method", least, low=1e-6, unit="J/s"),
                Check("largest of them", largest(dla, 2), unit="J/s"),
            ],
        ),
        Claim(
            "a method that is not symmetric drifts on all three problems",
            [Check(f"smallest drift of {len(uneven)} such methods",
                   min(abs(drift[n][k]) for n in uneven for k in range(3)), low=2e-5, unit="J/s")],
        ),
        Claim(
            "GNI with one symmetric rule, and SHAKE, do not drift on these three",
            [Check(f"largest drift of {len(single)} such methods on all three",
                   max(largest(single, k) for k in range(3)), high=3e-8, unit="J/s")],
        ),
        Claim(
            "that is owed to these problems, not to GNI: composed of Euler A and B, symmetric "
            "as well, it drifts on the third; and with L - dS/dt, S = cos z, which moves as the "
            "contact oscillator does, GNI drifts faster than DLA with every symmetric rule",
            [
                Check("smallest drift of GNI composed, on the third",
                      min(abs(drift[n][2]) for n in composed), low=1e-5, unit="J/s"),
                Check("smallest drift of GNI with L - dS/dt", fast, low=1e-5, unit="J/s"),
                Check("over the largest of DLA with it", fast / slow, low=30.0),
            ],
            note="On a sleigh that settles, the parasitic mode of GNI spoils a long run, where DLA "
            "does well (dalembert demo).",
        ),
    ]  # fmt: skip
    table = Table(
        ("method", "symmetric", *(f"{name} [J/s]" for name in (*PROBLEMS, GAUGED))),
        [
            (
                name,
                "yes" if symmetric[name] else "no",
                *(_shown(x) for x in d),
                _shown(gauged[name]) if name in gauged else "",
            )
            for name, d in drift.items()
        ],
        f"Slope of the energy error, the largest of three starts; h = {H:g} s, to t = {end:g} s (a "
        "tenth of it above order 4). The energy is 1 to 2 J, and the exact motion keeps it.",
    )

    def draw(theme: str):
        with da.plots.canvas(theme, (7.2, 7.6)) as (fig, ax, look):
            names = sorted(drift, key=lambda n: (not symmetric[n], abs(drift[n][2])))
            for k, (problem, mark) in enumerate(zip(PROBLEMS, "osX")):
                x = [np.clip(abs(drift[n][k]), 1e-11, 1e-1) for n in names]
                fill = "none" if k < 2 else look.curves[1]
                style = {"color": look.curves[(0, 2, 1)[k]], "mfc": fill, "ms": 7, "mew": 1.5}
                ax.plot(x, range(len(names)), mark, lw=0, label=problem, **style)
            ax.axhline(len(even) - 0.5, color=look.muted, lw=1)
            for y, word in ((len(even) - 0.62, "symmetric"), (len(even) - 0.38, "not symmetric")):
                side = "bottom" if "not" in word else "top"
                ax.annotate(word, (1e-11, y), va=side, color=look.muted, fontsize=9)
            gone = [y for y, n in enumerate(names) if np.isinf(drift[n]).any()]
            for y in gone:
                ax.annotate("blows up ", (0.06, y), ha="right", va="center", fontsize=9)
            ax.set_yticks(range(len(names)), names)
            ax.set(xscale="log", xlabel="|energy drift| [J/s]", xlim=(3e-12, 3e-1))
            da.plots.finish(ax, look, "", "above")
        return fig

    def series(theme: str):
        shown = ("leapfrog", "dla-midpoint", "gni-midpoint", "rk4")
        with da.plots.canvas(theme, (7.2, 5.2), 2, 1, sharex=True) as (fig, axes, look):
            t = np.linspace(0, end, curves["rk4"].shape[-1])
            for ax, k, problem in zip(axes, (1, 2), list(PROBLEMS)[1:]):
                for name, color, dash in zip(shown, look.curves, ("-", "--", "-.", ":")):
                    line = _smooth(1e3 * curves[name][k])
                    ax.plot(_smooth(t), line, dash, color=color, lw=1.5, label=name)
                ax.set(ylabel="energy error [mJ]")
                da.plots.finish(ax, look, problem, "above" if k == 1 else "")
            axes[1].set_xlabel("t [s]")
        return fig

    pictures = [
        Picture(
            "",
            "Each row is a method. Circles and squares, the reversible problems, are at the level "
            "of the fit for all symmetric methods; the crosses, without reversibility, are not.",
            "Energy drift of all methods on three problems, on a logarithmic axis",
            draw,
        ),
        Picture(
            "series",
            "Energy errors, averaged over 20 s, of one start. Above the perturbation is "
            "reversible, below it is not: leapfrog and DLA drift together, GNI does not.",
            "Energy errors of four methods against time on two problems",
            series,
        ),
    ]
    return Outcome(claims, [table], pictures)


def _starts() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return kappa, q, v of all problems and starts, in one flat batch."""
    rows = []
    for kappa, across in PROBLEMS.values():
        for x, z, v_z in STARTS:
            q, v = jnp.array([x, z, 1.0, 0.0]), jnp.array([0.0, v_z, 0.0, across])
            v = da.dynamics.consistent_velocity(Driven(kappa=kappa), q, v)
            rows.append((jnp.asarray(kappa), q, v))
    kappa, q, v = (np.stack(column) for column in zip(*rows))
    return kappa, q, v


def _energies(make, method, kappa, q, v, end: float) -> tuple[np.ndarray, np.ndarray]:
    """Return times, and energies of shape (problems, starts, rows)."""
    runs = da.simulate_ensemble(
        make(kappa=kappa), method, q, v, h=H, steps=round(end / H), save=da.Every(20)
    )
    # Right for both Lagrangians, because a term linear in q' does not contribute to the energy. NaN
    # after a failed step.
    energy = 0.5 * np.sum(runs.v**2 + runs.q**2, axis=-1)
    return runs.t, energy.reshape(-1, len(STARTS), energy.shape[-1])


def _takes(method: da.methods.Method, system: da.System) -> bool:
    try:
        method.check(system)
    except da.UsageError:
        return False
    return True


def _worst(t: np.ndarray, energies: np.ndarray) -> float:
    """Return the slope of largest size, infinite for a run that has diverged."""
    slopes = []
    for e in energies:
        if not np.all(np.abs(e) < _LOST):
            return math.inf
        slopes.append(float(np.polyfit(t, e, 1)[0]))
    return max(slopes, key=abs)


def _shown(x: float) -> str:
    return "blows up" if math.isinf(x) else f"{x:.1e}"


def _smooth(series: np.ndarray, width: int = 10) -> np.ndarray:
    n = len(series) // width * width
    return series[:n].reshape(-1, width).mean(axis=1)
