"""CPU time of a warm call of `simulate` with two steps, as a loop around the library pays it.

    python benchmarks/calls.py [--profile CASE]
    python benchmarks/calls.py --heyoka       # Taylor on (5.5) over t = 500, whole calls

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


def milliseconds(call, calls: int = CALLS) -> float:
    """CPU milliseconds of a call, the least of the rounds."""
    for _ in range(3):
        call()
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, (time.process_time() - begin) / calls)
    return 1e3 * best


def beside_heyoka() -> None:
    """Print whole calls of Taylor's method, with one row, and heyoka's, in CPU ms."""
    import heyoka as hy
    from taylor import heyoka_equations

    quartic = da.systems.ChaoticQuartic()
    q, v = map(np.asarray, quartic.initial())
    start, end = np.concatenate([q, v]), 500.0
    print("(5.5) over t = 500, CPU ms of a whole call: ours, heyoka, ratio (at most 1.5 asked)")
    for tol in (1e-6, 1e-9, 1e-12, 1e-15):
        solver = hy.taylor_adaptive(heyoka_equations("chaotic-quartic"), start, tol=tol)

        def theirs(solver=solver):
            solver.time, solver.state[:] = 0.0, start
            solver.propagate_until(end)

        def ours(method=da.Taylor(tol)):
            da.simulate(quartic, method, q, v, h=end, steps=1)

        both = [milliseconds(f, calls=3) for f in (ours, theirs)]
        print(f"  {tol:.0e}{both[0]:10.2f}{both[1]:10.2f}{both[0] / both[1]:8.2f}", flush=True)


def main() -> None:
    """Print a line for each case, or the profile of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", metavar="CASE")
    parser.add_argument("--sort", default="cumtime")
    parser.add_argument("--heyoka", action="store_true")
    args = parser.parse_args()
    if args.heyoka:
        beside_heyoka()
        return
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
