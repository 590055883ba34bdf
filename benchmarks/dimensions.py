"""Leapfrog on (5.5) [MP] of growing dimension: engine, CPU seconds of the first call, us a step.

    python benchmarks/dimensions.py [--method leapfrog|gauss|dla] [n ...]

The dimension is 2 n + 1. The last column is the exponent of the growth from the smallest one on:
the cost should grow like the work, n, and at most like n^1.5.
"""

from __future__ import annotations

import argparse
import math
import time

import dalembert as da

METHODS = {"leapfrog": da.Leapfrog, "gauss": lambda: da.Gauss(2), "dla": da.DLA}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[10, 20, 50, 100, 200])
    parser.add_argument("--method", choices=METHODS, default="leapfrog")
    given = parser.parse_args()
    method, smallest = METHODS[given.method](), None
    print(f"{'dimension':>10}{'engine':>10}{'first, s':>10}{'us/step':>10}{'exponent':>10}")
    for n in given.sizes or [10, 20, 50, 100, 200]:
        system = da.systems.ChaoticQuartic(n=n)
        q, v = system.initial()
        steps = max(200_000 // n, 100)
        begin = time.process_time()
        traj = da.simulate(system, method, q, v, h=0.01, steps=10, save_every=10)
        first = time.process_time() - begin
        best = math.inf
        run = {"h": 0.01, "steps": steps, "save": da.Final()}
        for _ in range(3):
            begin = time.process_time()
            da.simulate(system, method, q, v, **run)
            best = min(best, 1e6 * (time.process_time() - begin) / steps)
        smallest = smallest or (system.dim, best)
        grown = ""
        if system.dim > smallest[0]:
            grown = f"{math.log(best / smallest[1]) / math.log(system.dim / smallest[0]):.2f}"
        print(
            f"{system.dim:>10}{traj.meta.engine:>10}{first:>10.2f}{best:>10.2f}{grown:>10}",
            flush=True,
        )


if __name__ == "__main__":
    main()
