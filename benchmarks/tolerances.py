"""Tolerances: what `simulate(system, t=T, tol=E)` leaves as its error at T, in sizes of q and v.

    python benchmarks/tolerances.py [--out docs/tolerances.md] [name of a system ...]

The truth is Gauss(6) with small steps, and beside it with steps 1.5 times as long: by how much
these two differ is what is known of the truth. Without a method it is Taylor's that runs, whose
steps cost little; with one, here Gauss(4), its number of steps is chosen. A case is good if the
error is at most ten times the tolerance, and with a method that was named at least a hundredth of
it: a smaller one was paid for in vain. With --out, rows of systems that are not named stay as they
are. Exits with 1 if a case that was measured is not good.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path
from typing import NamedTuple

import jax
import numpy as np

import dalembert as da

TOLERANCES = (1e-6, 1e-9, 1e-12)
# system, time of the end, steps of the truth
CASES = {
    "knife-edge": (da.systems.KnifeEdge(), 5.0, 180),
    "chaplygin-sleigh": (da.systems.ChaplyginSleigh(), 10.0, 360),
    "chaplygin-ball": (da.systems.ChaplyginBall(), 5.0, 180),
    "nonholonomic-particle": (da.systems.NonholonomicParticle(), 10.0, 360),
    "chaotic-quartic": (da.systems.ChaoticQuartic(), 10.0, 360),
}
METHODS = {"taylor": None, "gauss-4": da.Gauss(4)}
HEAD = """# Tolerances

Written by `python benchmarks/tolerances.py --out docs/tolerances.md`. For `simulate(system, t=T,
tol=E)`, which is Taylor's method, and for `simulate(system, Gauss(4), t=T, tol=E)`: the steps that
were chosen, the error at T that was estimated, and the error, each in sizes of q and v. A case is
marked (!) if the error exceeds 10 tol, or if that of Gauss is below tol/100. The truth is Gauss(6)
with small steps; with steps 1.5 times as long it differs by the number in the last column.

| system | T | tol | method | steps | estimated | error | error / tol | truth known to |
|---|---|---|---|---|---|---|---|---|
"""


class Case(NamedTuple):
    """What was measured."""

    name: str
    T: float
    tol: float
    method: str
    steps: int
    estimated: float
    error: float
    known: float

    @property
    def good(self) -> bool:
        least = 0.0 if self.method == "taylor" else self.tol / 100
        return least <= self.error <= 10 * self.tol

    def row(self) -> str:
        mark = "" if self.good else " (!)"
        numbers = f"{self.estimated:.1e} | {self.error:.1e} | {self.error / self.tol:.2g}{mark}"
        return (
            f"| {self.name} | {self.T:g} | {self.tol:.0e} | {self.method} | {self.steps} | "
            f"{numbers} | {self.known:.0e} |"
        )


def apart(traj, a, b) -> float:
    """Between two states at the end, in sizes on the way."""
    sizes = jax.tree.leaves((traj.q, traj.frame, traj.v))
    pairs = zip(*(jax.tree.leaves((x.q, x.frame, x.v)) for x in (a, b)), sizes)
    return max(float(np.max(np.abs(x - y)) / np.max(np.abs(size))) for x, y, size in pairs)


def measured(name: str) -> list[Case]:
    """All tolerances on a system."""
    system, T, steps = CASES[name]
    truth, other = (
        da.simulate(system, da.Gauss(6), h=T / n, steps=n).final for n in (steps, steps * 2 // 3)
    )
    found = []
    for asked, tol in itertools.product(METHODS.values(), TOLERANCES):
        try:
            traj = da.simulate(system, asked, t=T, tol=tol)
        except da.SimulationError as error:
            print(f"{name}, tol = {tol:g}: {error}")
            traj = error.trajectory
        meta, known = traj.meta, apart(traj, truth, other)
        error = apart(traj, traj.final, truth)
        case = Case(name, T, tol, meta.method, meta.steps, meta.error_estimate, error, known)
        print(case.row(), flush=True)
        found.append(case)
    return found


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    before = given.out.read_text() if given.out is not None and given.out.exists() else ""
    cases, rows = [], []
    for name in CASES:
        if given.names and name not in given.names:
            rows += [x for x in before.splitlines() if x.startswith(f"| {name} |")]
            continue
        new = measured(name)
        cases += new
        rows += [case.row() for case in new]
    if given.out is not None:
        given.out.write_text(HEAD + "\n".join(rows) + "\n")
    return not all(case.good for case in cases)


if __name__ == "__main__":
    sys.exit(main())
