"""Every method at every speed and step size: on the constraint to round-off, or an error.

    python -m tests.fuzz.residuals

For each method of the registry that takes the system: the number of cases that succeeded and
failed, and the largest |phi| of those that succeeded, in units of round-off: of the terms summed in
a row of the constraint, sum_j |A_j v_j| + |b|, and of |A| |v| + |b|. A step fails beyond 4096 and
16 (`request.step`); what is beyond them and a success is wrong. RK4, which claims nothing,
stands below for comparison.
"""

from __future__ import annotations

import sys

import numpy as np

import dalembert as da
from dalembert import dynamics
from dalembert.diagnostics.series import over_rows
from dalembert.errors import SimulationError, UsageError
from dalembert.methods import registry
from dalembert.pages import Table
from dalembert.request.step import OF_NORM, OF_TERMS

SYSTEMS = (
    da.systems.NonholonomicParticle(stiffness=1.0),
    da.systems.ChaplyginSleigh(),
    da.systems.BallOnTurntable(),
)
SPEEDS = tuple(10.0**k for k in range(-8, 13, 4))
STEPS = (1e-6, 1e-3, 0.1, 1.0, 10.0)


def worst(system: da.System, name: str) -> tuple[int, int, float, float]:
    """(succeeded, failed, largest residual in eps of the terms, in eps of the norms)."""
    method, good, bad = registry[name](), 0, 0
    found = np.zeros(2)
    q0, v0 = map(np.asarray, system.initial())
    for speed in SPEEDS:
        for h in STEPS:
            try:
                traj = da.simulate(system, method, q0, speed * v0, h=h, steps=3, project=True)
            except SimulationError:
                bad += 1
                continue
            good += 1
            off, *sizes = over_rows(_sizes, system, traj)
            shares = [np.max(np.abs(off) / np.maximum(size, 1e-300)) for size in sizes]
            found = np.maximum(found, np.array(shares) / np.finfo(float).eps)
    return good, bad, *found.tolist()


def _sizes(system, t, q, v):
    return dynamics.constraint_sizes(system, q, v, t)


def main(names: list[str]) -> int:
    """The table; 1 if a method that claims the constraint is off it and says success."""
    rows, wrong = [], 0
    for name in names or registry:
        for system in SYSTEMS:
            try:
                registry[name]().check(system)
                good, bad, *shares = worst(system, name)
            except UsageError:
                continue
            claims = registry[name]().traits.on_constraint
            fine = shares[0] <= OF_TERMS or shares[1] <= OF_NORM
            wrong |= claims and not fine
            verdict = "" if not claims else "round-off" if fine else "WRONG"
            told = [f"{x:.2g}" for x in shares]
            rows.append((name, system.name(), str(good), str(bad), *told, verdict))
            print(*rows[-1], flush=True)
    heads = ("method", "system", "succeeded", "error", "eps of terms", "eps of |A||v|", "")
    print(Table(heads, rows, align="llrrrrl").text())
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
