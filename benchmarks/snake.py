"""Wheeled snakes of more and more links: time to the first step, and time of a step.

    python benchmarks/snake.py [LINKS ...]

Prints links, velocities, operations of a step's engine, CPU seconds of the first run (with all that
is compiled) and microseconds of a step of the default method, over 10,000 steps.
"""

import os
import sys
import time

os.environ.setdefault("DALEMBERT_KEEP_CODE", "0")  # compile in this process

import numpy as np

import dalembert as da


def main() -> None:
    links = [int(x) for x in sys.argv[1:]] or [3, 5, 8, 10, 15, 20]
    print(f"{'links':>5s} {'dim':>4s} {'engine':>8s} {'first [s CPU]':>14s} {'step [us]':>10s}")
    for n in links:
        snake = da.systems.WheeledSnake(n=n)
        before = time.process_time()
        da.simulate(snake, h=0.002, steps=10, save_every=10)
        first = time.process_time() - before
        run = da.simulate(snake, h=0.002, steps=10_000, save_every=100)
        energy = np.asarray(da.diagnostics.energy(snake, run))
        drift = np.ptp(energy) / abs(energy[0])
        step = 1e6 * run.meta.wall_s / 10_000
        cells = f"{n:5d} {snake.dim:4d} {run.meta.engine:>8s} {first:14.1f} {step:10.1f}"
        print(f"{cells}  {drift:.1e} {run.meta.engine_reason}", flush=True)


if __name__ == "__main__":
    main()
