"""The open question of [F15]: GNI for optimal control, compared with DLA and Gauss."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import control

from ..experiment_types import Check, Claim, Outcome, Picture, Table, experiment

METHODS = {"GNI": da.GNI(), "DLA": da.DLA(), "Gauss(2)": da.Gauss(2)}
KINDS = ("cost", "control", "smoothed")
ORDERS = {"GNI": 2, "DLA": 2, "Gauss(2)": 4}


class DrivenSleigh(da.systems.ChaplyginSleigh):
    """A Chaplygin sleigh with a force along its blade and a torque."""

    input_names = ("force", "torque")
    input_units = ("N", "N m")

    def inputs(self, q):
        o = jnp.zeros(())
        return jnp.stack([jnp.stack([jnp.cos(q[2]), jnp.sin(q[2]), o]), jnp.eye(3)[2]])


@dataclasses.dataclass(frozen=True)
class Task:
    """A task: from rest at the origin to rest at a target, with several numbers of steps."""

    name: str
    system: da.System
    target: tuple[float, ...]
    duration: float
    counts: tuple[int, ...]
    guess: Any  # initial guess of the control

    def solved(self, method: da.methods.Method, steps: int, guess: Any) -> control.Optimum:
        """Return the control of least effort by transcription with this method."""
        return control.minimum_effort(
            self.system, self.target, jnp.zeros(self.system.dim), duration=self.duration,
            steps=steps, method=method, guess=guess,
        )  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Found:
    """Errors of an optimum against the optimum that counts as exact."""

    h: float
    cost: float  # relative error of the least effort
    control: float  # largest relative error of the mean of u over a step
    smoothed: float  # the same for weighted means over three neighboring steps, weights (1, 2, 1)/4
    zigzag: float  # largest relative part of u that alternates from step to step
    gradient: float
    curvature: float


def _wave(t):
    """Return an initial guess for the sleigh: ahead and back again, and a turn."""
    return jnp.stack([jnp.cos(np.pi * t / 2), 0.4 * jnp.cos(np.pi * t / 2)])


def _tasks(full: bool) -> list[Task]:
    sleigh = Task("sleigh", DrivenSleigh(), (0.8, 0.5, 0.9), 2.0, (10, 20, 40), _wave)
    if not full:
        return [sleigh]
    board, corner = da.systems.SnakeboardCoupled(), (1.0, 1.0, np.pi / 2)
    plan = control.plan(board, corner, jnp.zeros(5))
    return [sleigh, Task("snakeboard", board, corner, plan.duration, (20, 40, 80), plan)]


@experiment(
    "transcription",
    source="[F15] section 7 (outlook), ours",
    title="Optimal control through the integrators: which of them can be trusted",
    see="Least effort to a target: each curve is a method. On the left the error of the cost "
    "against the step, its slope is the order; on the right a control that GNI makes jagged.",
)
def transcription(full: bool, seed: int) -> Outcome:
    """Run GNI, DLA and Gauss as transcriptions on the sleigh and the snakeboard."""
    tasks = _tasks(full)
    best: dict[str, control.Optimum] = {}
    solved: dict[tuple[str, str], list[control.Optimum]] = {}
    for task in tasks:
        # all start from the control that the most accurate method found, to find the same minimum
        first = task.solved(da.Gauss(2), task.counts[-1], task.guess)
        best[task.name] = task.solved(da.Gauss(2), 2 * task.counts[-1], first)
        for name, method in METHODS.items():
            solved[task.name, name] = [task.solved(method, n, first) for n in task.counts]
    result = {
        (task.name, name): [_beside(task, x, best[task.name]) for x in solved[task.name, name]]
        for task in tasks
        for name in METHODS
    }
    everything = [row for rows in result.values() for row in rows]
    claims = [
        Claim(
            "every transcription has a minimum: gradient, and curvature along what keeps the end",
            [
                Check("largest gradient, in the unit of u", max(x.gradient for x in everything),
                      high=1e-8),
                Check("smallest curvature", min(x.curvature for x in everything), low=0.1),
            ],
        ),
        Claim(
            "the least effort converges at the order of the method, by GNI as by DLA and Gauss",
            [
                Check(f"{name}, {task}", _order(rows, "cost"), ORDERS[name] - 0.4,
                      ORDERS[name] + 0.6)
                for (task, name), rows in result.items()
            ],
            note="The question that the paper leaves open: GNI can be used.",
        ),
        Claim(
            "the controls converge at the order of the method: the mean of u over a step",
            [
                Check(f"{name}, {task}", _order(rows, "control"), ORDERS[name] - 0.4)
                for (task, name), rows in result.items()
            ],
            [
                Check(f"{name}, {task}", _order(rows, what), order - 0.4)
                for (task, name), rows in result.items()
                for what, order in (
                    (("control", 1), ("zigzag", 1), ("smoothed", 2))
                    if name == "GNI"
                    else (("control", ORDERS[name]),)
                )
            ],
            "GNI's controls alternate from step to step, by a part of order 1 in h; means of "
            "neighboring steps, with weights (1, 2, 1)/4, come near to order 2. GNI carries a "
            "momentum off the constraint that changes its sign from step to step, and the minimum "
            "makes use of it.",
        ),
        Claim(
            "the artefact is GNI's own: controls by DLA and Gauss do not alternate",
            [
                Check(f"what alternates, GNI over {name}, {task.name}",
                      result[task.name, "GNI"][-1].zigzag / result[task.name, name][-1].zigzag,
                      low=20.0)
                for task in tasks
                for name in ("DLA", "Gauss(2)")
            ],
        ),
    ]  # fmt: skip
    tables = [
        Table(
            ("method", *(f"{n} steps" for n in task.counts), "order", "of the control",
             "of its means", "zigzag", "its order", "miss"),
            [
                (
                    name,
                    *(x.cost for x in result[task.name, name]),
                    *(f"{_order(result[task.name, name], k):.2f}" for k in KINDS),
                    result[task.name, name][-1].zigzag,
                    f"{_order(result[task.name, name], 'zigzag'):.2f}",
                    _miss(task, solved[task.name, name][-1]),
                )
                for name in METHODS
            ],
            f"{task.name}: relative error of the least effort ({best[task.name].cost:.6g} by "
            f"Gauss(2) with {2 * task.counts[-1]} steps) and orders; zigzag: the part of u that "
            "alternates from step to step, over the largest u; miss: of the exact motion under the "
            "control found. The last three at the finest step.",
        )
        for task in tasks
    ]  # fmt: skip

    def draw(theme: str):
        size = (9.6, 3.9 * len(tasks))
        with da.plots.canvas(theme, size, len(tasks), 2, squeeze=False) as (fig, axes, look):
            for (left, right), task in zip(axes, tasks):
                for name, color, mark in zip(METHODS, look.curves, "osx"):
                    rows = result[task.name, name]
                    label = f"{name}: {_order(rows, 'cost'):.1f}"
                    line = {"color": color, "marker": mark, "ms": 5.5, "lw": 1.3}
                    left.plot([x.h for x in rows], [x.cost for x in rows], label=label, **line)
                    u = _means(solved[task.name, name][1])
                    t = (np.arange(len(u)) + 0.5) * task.duration / len(u)
                    right.plot(t, u[:, 0], color=color, marker=mark, ms=3, lw=1.0, label=name)
                left.set(xscale="log", yscale="log", xlabel="h [s]", ylabel="error of the cost")
                da.plots.finish(left, look, f"{task.name}: slopes", "lower right")
                label, unit = task.system.input_labels[0], task.system.input_units[0]
                right.set(xlabel="t [s]", ylabel=f"{label} [{unit}]")
                da.plots.finish(right, look, f"{task.name}: u with {task.counts[1]} steps", "best")
        return fig

    picture = Picture(
        "",
        "Left: errors of the least effort, with slopes. Right: the first control of each method; "
        "GNI's goes up and down from step to step.",
        "Straight lines of slope two and four, and controls, one of them jagged",
        draw,
    )
    return Outcome(claims, tables, [picture])


def _means(found: control.Optimum) -> np.ndarray:
    """Return the mean of u over each step; up to two Gauss nodes have equal weights."""
    return np.asarray(found.control.values).mean(axis=1)


def _beside(task: Task, found: control.Optimum, exact: control.Optimum) -> Found:
    u, fine = _means(found), _means(exact)
    fine = fine.reshape(len(u), -1, fine.shape[1]).mean(axis=1)
    size, off = float(np.max(np.abs(fine))), u - fine
    return Found(
        h=task.duration / len(u),
        cost=abs(found.cost / exact.cost - 1.0),
        control=float(np.max(np.abs(off))) / size,
        smoothed=float(np.max(np.abs(off[:-2] + 2.0 * off[1:-1] + off[2:]))) / 4.0 / size,
        zigzag=float(np.max(np.abs(np.diff(off, n=3, axis=0)))) / 8.0 / size,
        gradient=found.gradient,
        curvature=found.curvature,
    )


def _miss(task: Task, found: control.Optimum) -> float:
    """Return how far the exact motion under this control misses the target."""
    end = np.asarray(found.simulate(da.Gauss(3), refine=4).q[-1])
    return float(np.max(np.abs(end[: len(task.target)] - np.array(task.target))))


def _order(rows: list[Found], what: str) -> float:
    """Return the order of an error from the two finest steps."""
    coarse, fine = (getattr(x, what) for x in rows[-2:])
    return float(np.log(coarse / fine) / np.log(rows[-2].h / rows[-1].h))
