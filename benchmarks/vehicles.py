"""Bicycle, trailers and rattleback of examples: the default method beside DLA, and `Reference`.

    python benchmarks/vehicles.py [name ...]

For each step size the largest difference in (q, v) at the end, or the sentence with which a run
stops. Exits with 1 where the default method is worse than DLA, or stops where DLA runs.
"""

from __future__ import annotations

import math
import sys

from zoo import distance, example, ran

import dalembert as da

CASES = {  # time of the end, step sizes
    "bicycle": (4.0, (0.02, 0.01, 0.005)),
    "trailers": (4.0, (0.02, 0.01, 0.005)),
    "rattleback": (4.0, (0.005, 0.002)),
}


def main() -> int:
    """Run and print."""
    worse = False
    for name in sys.argv[1:] or CASES:
        end, sizes = CASES[name]
        system = example(name)
        exact, why = ran(system, da.Reference(rtol=1e-12, atol=1e-13), end, 1)
        if exact is None:
            raise SystemExit(f"{name}: {why}")
        for h in sizes:
            errors = []
            for method in (da.methods.default(), da.DLA()):
                traj, why = ran(system, method, h, round(end / h))
                errors.append(distance(traj, exact))
                told = why or f"{errors[-1]:.1e}"
                print(f"{name:12s} h = {h:<6g} {method.name:14s} {told}", flush=True)
            ours, theirs = (math.inf if math.isnan(e) else e for e in errors)
            worse |= ours > theirs
    return int(worse)


if __name__ == "__main__":
    sys.exit(main())
