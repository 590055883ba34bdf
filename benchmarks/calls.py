"""CPU time of a warm call of `simulate` with two steps, as a loop around the library pays it.

    python benchmarks/calls.py [--profile CASE]

`simulate` of two steps is ballast nearly all of it: checks, cache keys, metadata, conversions. The
least of ten rounds of calls counts, because noise only adds. `--profile` prints where the time of
one case goes.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time

import numpy as np

import dalembert as da
from dalembert import parts

ROUNDS, CALLS = 10, 40


def robot():
    """README's robot: two driven wheels and a caster."""

    def wheel(name, y, **options):
        body = parts.Body(name, 0.4, shape=da.scene.wheel(0.1, 0.03))
        axle = parts.Revolute(name, "base", at=(0, y, 0), axis="y")
        return [body, axle, parts.Wheel(name, 0.1, **options), parts.Motor(name)]

    return parts.build(
        parts.Body("base", 6.0, shape=da.scene.box(0.4, 0.3, 0.1)),
        parts.Planar("base", at=(0, 0, 0.1)),
        wheel("left", 0.18),
        wheel("right", -0.18, rows="along"),
        parts.caster("caster", "base", at=(0.2, 0, -0.06), radius=0.04, trail=0.03),
        name="robot",
    )


def cases():
    """Name, call and the most CPU milliseconds that it may take (None: no bound is asked)."""
    sleigh = da.systems.ChaplyginSleigh()
    q, v = map(np.asarray, sleigh.initial())
    machine = robot()
    qm, vm = map(np.asarray, machine.initial())
    taylor = da.Taylor()
    return {
        "sleigh": (lambda: da.simulate(sleigh, h=0.05, steps=2), 0.5),
        "sleigh, (q0, v0)": (lambda: da.simulate(sleigh, q, v, h=0.05, steps=2), 0.5),
        "sleigh, Taylor": (lambda: da.simulate(sleigh, taylor, q, v, h=0.05, steps=2), None),
        "robot": (lambda: da.simulate(machine, h=0.01, steps=2), 1.0),
        "robot, (q0, v0), u": (
            lambda: da.simulate(machine, qm, vm, h=0.01, steps=2, u=[0.3, 0.4]),
            1.0,
        ),
    }


def milliseconds(call) -> float:
    """CPU milliseconds of a call, the least of the rounds."""
    for _ in range(3):
        call()
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(CALLS):
            call()
        best = min(best, (time.process_time() - begin) / CALLS)
    return 1e3 * best


def main() -> None:
    """Print a line for each case, or the profile of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", metavar="CASE")
    parser.add_argument("--sort", default="cumtime")
    args = parser.parse_args()
    if args.profile:
        call, _ = cases()[args.profile]
        for _ in range(3):
            call()
        with cProfile.Profile() as profile:
            for _ in range(200):
                call()
        pstats.Stats(profile).sort_stats(args.sort).print_stats(90)
        return
    print("CPU ms of a warm call of simulate, two steps, and the bound")
    for name, (call, bound) in cases().items():
        limit = "" if bound is None else f"{bound:8.1f}"
        print(f"  {name:<22}{milliseconds(call):8.2f}{limit}", flush=True)


if __name__ == "__main__":
    main()
