"""Order of every high-order method on systems of every kind: the table of measured orders.

    python benchmarks/orders.py [--out docs/orders.md] [name of a method or a system ...]

With names, only these cells of the page are measured anew.

Each cell: the observed order of (q, v) between two steps, one half of the other, or the sentence
with which the method refuses the system. Beside it the largest constraint residual at the nodes,
and how far a step h followed by one of -h leads back. One compilation a cell: h and the number of
steps are traced.
"""

from __future__ import annotations

import argparse
import functools
import math
from pathlib import Path
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import diagnostics, dynamics
from dalembert.reproduce.helpers.ends import runner, state

MASS = jnp.diag(jnp.array([1.0, 1.3, 0.8]))


class Particle(da.MechanicalSystem):
    """z' = sin(y) x' in a quartic potential: nothing cancels by symmetry."""

    mass = MASS  # type: ignore[assignment]
    space = da.Euclidean(3)

    def potential(self, q):
        quartic = 0.25 * (q[0] ** 2 + q[1] ** 2) ** 2
        return quartic + 0.5 * (q[2] ** 2 + q[0] ** 2) + 0.3 * jnp.sin(q[0] * q[2])

    def constraint(self, q):
        return jnp.stack([-jnp.sin(q[1]), jnp.zeros(()), jnp.ones(())])[None, :]

    def initial(self):
        return jnp.array([1.0, 0.5, 0.2]), jnp.array([0.3, -0.4, 0.3 * jnp.sin(0.5)])


class Tilting(Particle):
    """Affine, time-dependent constraint, with damping and a driving force."""

    def potential(self, q):
        return 0.5 * q @ q + 0.1 * q[0] ** 4

    def offset(self, t, q):
        return jnp.stack([0.3 * jnp.cos(t) + 0.2 * q[0]])

    def force(self, t, q, v):
        return -0.1 * v + 0.2 * jnp.sin(2 * t) * jnp.array([1.0, 0.0, 0.0])

    def initial(self):
        q, v = super().initial()
        return q, v + jnp.array([0.0, 0.0, 0.5])


class HillRobot(da.systems.TwoWheeledRobot):
    """The two-wheeled robot (n = 5, m = 3) on hilly ground."""

    def lagrangian(self, q, v):
        hills = 0.5 * q[0] ** 2 + jnp.cos(q[1]) + 0.2 * jnp.sin(q[3])
        return super().lagrangian(q, v) - hills


# system, time, counts of steps at order 2, 4, 6, 8
CASES = {
    "particle": (Particle(), 4.0, {2: (160, 320), 4: (80, 160), 6: (40, 80), 8: (20, 40)}),
    "sleigh": (
        da.systems.ChaplyginSleigh(a=0.3),
        6.0,
        {2: (192, 384), 4: (96, 192), 6: (48, 96), 8: (24, 48)},
    ),
    "robot": (HillRobot(), 4.0, {2: (320, 640), 4: (160, 320), 6: (40, 80), 8: (30, 60)}),
    "ball": (
        da.systems.ChaplyginBall(),
        5.0,
        {2: (80, 160), 4: (80, 160), 6: (20, 40), 8: (24, 48)},
    ),
    "suslov": (da.systems.Suslov(), 4.0, {2: (80, 160), 4: (20, 40), 6: (8, 16), 8: (4, 8)}),
    "tilting": (Tilting(), 4.0, {2: (160, 320), 4: (80, 160), 6: (20, 40), 8: (14, 28)}),
    "benenti": (da.systems.Benenti(), 0.8, {2: (64, 128), 4: (64, 128), 6: (16, 32), 8: (12, 24)}),
}
# Where the steps above are no measure of the order: (method, system) -> time, counts.
# gauss-4 on benenti until 0.8: the error times N^8 is 0.142 - 19/N^2 for N = 16 .. 40 (.068, .094,
# .108, .124, .129): the next term of the expansion cancels half of the first, and where it does so
# no more, round-off is reached. Until 1.0 there are more digits: with 16, 24, 32 and 48 steps the
# orders are 8.2, 7.9 and 8.0.
# dla-midpoint-6 on suslov: with 4, 8, 12, 16, 24, 32, 48 and 64 steps the orders are 4.8, 5.5, 5.7,
# 5.9, 5.93, 5.96 and 5.98: 8 and 16, which suit Gauss(3), are too few for nine parts.
RANGES = {
    ("gauss-4", "benenti"): (1.0, (24, 48)),
    ("dla-midpoint-6", "suslov"): (4.0, (32, 64)),
}
METHODS = (
    *map(da.Gauss, (1, 2, 3, 4)),
    *map(da.Lobatto, (2, 3, 4)),
    *map(da.EnergyGauss, (1, 2, 3)),
    *(da.Composition(da.Leapfrog(), order) for order in (4, 6, 8)),
    *(da.Composition(da.DLA(), order) for order in (4, 6)),
    da.Composition(da.GNI(), 4),
    da.GNI(),
    da.DLA(),
)


def allowed(order: int) -> float:
    """How far a measured order may be from the claim."""
    return 0.05 if order <= 4 else 0.2


def values(row) -> np.ndarray:
    """(q, v) as one vector; on a reduced space v alone."""
    return state(row.q, row.v)


class Cell(NamedTuple):
    """What was measured of a method on a system."""

    order: float  # of (q, v)
    multiplier: float  # order of the multiplier
    errors: tuple[float, float]
    residual: float  # of the constraint, at the nodes
    back: float  # a step h, then -h; NaN for methods that carry more than (q, v)
    refused: str = ""


def measure(case: str, method) -> Cell:
    """A cell of the table; raises if a run fails."""
    system, T, counts = CASES[case]
    T, counts = RANGES.get((method.name, case), (T, counts[method.traits.order]))
    try:
        go = runner(system, method)
    except da.UsageError as error:
        return Cell(*(math.nan,) * 2, (math.nan,) * 2, math.nan, math.nan, str(error))
    exact = reference(case, T)
    errors, multipliers, residuals = [], [], []
    for n in counts:
        row, residual, result, _ = go(T / n, n)
        if int(result):
            raise RuntimeError(f"{method.name} on {case} with {n} steps: result {int(result)}")
        errors.append(float(np.max(np.abs(values(row) - values(exact)))))
        off = np.abs(row.multiplier - exact.multiplier)
        multipliers.append(float(np.max(off, initial=0.0)))
        residuals.append(float(residual))
    order, of_multiplier = (
        math.log2(a / b) if a > 0 and b > 0 else math.nan for a, b in (errors, multipliers)
    )
    back = step_back(system, go) if method.traits.carry == "node" else math.nan
    return Cell(order, of_multiplier, (errors[0], errors[1]), max(residuals), back)


def step_back(system, go, h: float = 0.05) -> float:
    """How far a step h followed by one of -h leads from where it began."""
    q0, v0 = system.initial()
    v0 = dynamics.consistent_velocity(system, q0, v0)
    there, *_ = go(h, 1)
    back, *_ = go(-h, 1, there.q, there.v, h)
    return diagnostics.distance((back.q, back.v), (q0, v0))


@functools.cache
def reference(case: str, T: float | None = None):
    """The last row of the motion, at the end or at T, by `Reference` at round-off."""
    system, end, _ = CASES[case]
    exact = da.Reference(rtol=1e-14, atol=1e-15)
    return da.simulate(system, exact, h=(T or end) / 20, steps=20, project=True).final


def shown(cell: Cell, method) -> str:
    """A cell for people; what is missed is marked."""
    if cell.refused:
        return "refused"
    missed = not abs(cell.order - method.traits.order) < allowed(method.traits.order)
    missed |= not cell.residual < 1e-14 or cell.back >= 1e-13
    return f"{cell.order:.2f}" + (" (!)" if missed else "")


def page(cases, table) -> str:
    """The tables as Markdown."""
    lines = [
        "# Measured orders",
        "",
        "Written by `python benchmarks/orders.py --out docs/orders.md`. Observed order of (q, v)",
        "at the end of a run between a step and its half, against `Reference` at round-off. What",
        "misses its claim is marked (!): 0.05 up to order 4, 0.2 above, 1e-14 for the constraint",
        "at the nodes, 1e-13 for a step h followed by one of -h.",
        "",
        "Particle: z' = sin(y) x' in a quartic potential. Robot: two wheels on hills, n = 5 and",
        "m = 3. Ball: Chaplygin's on R^2 x SO(3), on a turning table. Tilting: affine and time-",
        "dependent, with forces. Benenti: nonlinear.",
        "",
        "| method | claim | " + " | ".join(cases) + " | residual | h, then -h |",
        "|---|---|" + "---|" * (len(cases) + 2),
    ]
    refusals: dict[str, list[str]] = {}
    for method, cells in table:
        ran = [c for c in cells if not c.refused]
        worst = max((c.residual for c in ran), default=math.nan)
        back = max((c.back for c in ran), default=math.nan)
        told = "" if math.isnan(back) else f"{back:.0e}"
        row = " | ".join(shown(c, method) for c in cells)
        lines.append(f"| {method.name} | {method.traits.order} | {row} | {worst:.0e} | {told} |")
        for case, cell in zip(cases, cells):
            if cell.refused:
                refusals.setdefault(cell.refused, []).append(case)
    lines += ["", "Refused, and with which sentence:", ""]
    lines += [f"- {', '.join(found)}: {text}" for text, found in refusals.items()]
    return "\n".join(lines) + "\n"


def with_cells(text: str, cases, table) -> str:
    """A page that was written before, with some cells measured anew."""
    lines = text.splitlines()
    heads = [x.strip() for x in next(x for x in lines if x.startswith("| method")).split("|")]
    for method, cells in table:
        i = next(i for i, x in enumerate(lines) if x.startswith(f"| {method.name} |"))
        old = [x.strip() for x in lines[i].split("|")]
        for case, cell in zip(cases, cells):
            old[heads.index(case)] = shown(cell, method)
            for column, new in ((-3, cell.residual), (-2, cell.back)):
                if old[column] and not math.isnan(new):
                    old[column] = f"{max(new, float(old[column])):.0e}"
        lines[i] = " | ".join(old).strip()
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    cases = [c for c in CASES if c in given.names] or list(CASES)
    methods = [m for m in METHODS if m.name in given.names] or METHODS
    print(f"{'':16s}" + "".join(f"{c:>29s}" for c in cases))
    table = []
    for method in methods:
        cells = [measure(case, method) for case in cases]
        table.append((method, cells))
        words = [
            f"{shown(c, method)} {c.multiplier:.2f} {c.errors[1]:.0e} {c.residual:.0e} {c.back:.0e}"
            for c in cells
        ]
        words = ["refused" if c.refused else w for c, w in zip(cells, words)]
        print(f"{method.name:16s}" + "".join(f"{x:>29s}" for x in words), flush=True)
        if given.out is not None and given.names and given.out.exists():
            given.out.write_text(with_cells(given.out.read_text(), cases, [(method, cells)]))
        elif given.out is not None:
            given.out.write_text(page(cases, table))


if __name__ == "__main__":
    main()
