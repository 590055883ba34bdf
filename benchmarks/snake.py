"""Wheeled snakes of more and more links: time to the first step, and time of a step.

    python benchmarks/snake.py [LINKS ...]         by the default method
    python benchmarks/snake.py --all [LINKS ...]   by RK4, DLA and Gauss(2)

Prints method, links, velocities, engine, CPU seconds of the first run (with all that is compiled)
and microseconds of CPU of a step.
"""

import os
import sys
import time
from typing import Any

os.environ.setdefault("DALEMBERT_KEEP_CODE", "0")  # compile in this process

import numpy as np

import dalembert as da


def main() -> None:
    given = [x for x in sys.argv[1:] if x != "--all"]
    methods = [da.RK4(), da.DLA(), da.Gauss(2)] if "--all" in sys.argv else [None]
    links = [int(x) for x in given] or [3, 5, 8, 10, 15, 20]
    head = f"{'method':>14s} {'links':>5s} {'dim':>4s} {'engine':>8s}"
    print(f"{head} {'first [s CPU]':>14s} {'step [us CPU]':>14s}")
    for n in links:
        for method in methods:
            measure(da.systems.WheeledSnake(n=n), method)


def measure(snake: da.systems.WheeledSnake, method: da.methods.Method | None) -> None:
    """One line of the table."""
    chosen: dict[str, Any] = {} if method is None else {"method": method}
    before = time.process_time()
    da.simulate(snake, h=0.002, steps=10, save_every=10, **chosen)
    first = time.process_time() - before
    steps = 10_000 if snake.n <= 10 else 500
    run = da.simulate(snake, h=0.002, steps=steps, save_every=100, **chosen)
    before = time.process_time()
    run = da.simulate(snake, h=0.002, steps=steps, save_every=100, **chosen)
    step = 1e6 * (time.process_time() - before) / steps
    energy = np.asarray(da.diagnostics.energy(snake, run))
    drift = np.ptp(energy) / abs(energy[0])
    cells = f"{run.meta.method:>14s} {snake.n:5d} {snake.dim:4d} {run.meta.engine:>8s}"
    print(f"{cells} {first:14.1f} {step:14.1f}  {drift:.1e} {run.meta.engine_reason}", flush=True)


if __name__ == "__main__":
    main()
