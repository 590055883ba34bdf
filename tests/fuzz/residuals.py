"""Every method at every speed and step size: on the constraint to round-off, or an error.

    python -m tests.fuzz.residuals

For each method of the registry that takes the system: the number of cases that succeeded and
failed, and the largest |phi| of those that succeeded, as a part of what cancels there (the sum of
|x dphi/dx| over all coordinates and velocities, or |A| |v|). RK4, which claims nothing, stands
below for comparison.
"""

from __future__ import annotations

import sys

import numpy as np

import dalembert as da
from dalembert.diagnostics.series import Scales, kept_energy, over_rows
from dalembert.errors import SimulationError, UsageError
from dalembert.methods import registry
from dalembert.pages import Table

SYSTEMS = (
    da.systems.NonholonomicParticle(stiffness=1.0),
    da.systems.ChaplyginSleigh(),
    da.systems.BallOnTurntable(),
)
SPEEDS = tuple(10.0**k for k in range(-8, 13, 4))
STEPS = (1e-6, 1e-3, 0.1, 1.0, 10.0)


def worst(system: da.System, name: str) -> tuple[int, int, float]:
    """(succeeded, failed, largest share of the residual in what cancels) over speeds and steps."""
    method, good, bad, share = registry[name](), 0, 0, 0.0
    q0, v0 = map(np.asarray, system.initial())
    function = kept_energy(system).function
    for speed in SPEEDS:
        for h in STEPS:
            try:
                traj = da.simulate(system, method, q0, speed * v0, h=h, steps=3, project=True)
            except SimulationError:
                bad += 1
                continue
            good += 1
            residual = np.asarray(da.diagnostics.constraint_residual(system, traj))
            size = np.asarray(over_rows(Scales(function), system, traj)["constraint"])
            size = np.maximum(size, np.max(np.abs(traj.v), axis=-1))
            share = max(share, float(np.max(residual / np.maximum(size, 1e-300))))
    return good, bad, share


def main(names: list[str]) -> int:
    """The table; 1 if a method that claims the constraint is off it and says success."""
    rows, wrong = [], 0
    for name in names or registry:
        for system in SYSTEMS:
            try:
                registry[name]().check(system)
                good, bad, share = worst(system, name)
            except UsageError:
                continue
            claims = registry[name]().traits.on_constraint
            wrong |= claims and share > 1e-12
            verdict = "" if not claims else "round-off" if share <= 1e-12 else "WRONG"
            rows.append((name, system.name(), str(good), str(bad), f"{share:.1e}", verdict))
            print(*rows[-1], flush=True)
    heads = ("method", "system", "succeeded", "error", "off by at most", "")
    print(Table(heads, rows, align="llrrrl").text())
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
