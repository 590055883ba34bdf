"""CPU time of a warm call of `simulate`, and memory that many different calls take.

    python benchmarks/warm.py

The second table makes 500 calls with changing lengths, slices, parameters and stop rules; compiled
code must not pile up behind them.
"""

import time

import numpy as np

import dalembert as da

SLEIGH = da.systems.ChaplyginSleigh()


def milliseconds(call, calls=50, rounds=10):
    call()
    best = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        for _ in range(calls):
            call()
        best = min(best, (time.process_time() - begin) / calls)
    return 1e3 * best


def memory() -> tuple[float, int]:
    """(resident MB, memory maps) of this process."""
    with open("/proc/self/status") as status:
        (line,) = (x for x in status if x.startswith("VmRSS"))
    with open("/proc/self/maps") as maps:
        return int(line.split()[1]) / 1024, sum(1 for _ in maps)


def calls(count: int, rng: np.random.Generator) -> None:
    rules = (
        None,
        lambda t, q, v: q[0] > 1.0,
        lambda t, q, v: v[2] < 0.1,
        lambda t, q, v: t > 0.5,
    )
    for _ in range(count):
        steps = int(rng.integers(2, 400))
        sleigh = SLEIGH.with_parameters(a=float(rng.uniform(0.1, 0.3)))
        rule = rules[rng.integers(len(rules))]
        traj = da.simulate(sleigh, da.DLA(), h=0.01, steps=steps, stop_when=rule)
        traj[: len(traj) // 2 + 1].q.sum()
        da.diagnostics.energy_error(sleigh, traj)


if __name__ == "__main__":
    q, v = map(np.asarray, SLEIGH.initial())
    print("ms of CPU for a warm call, 10 steps of the sleigh")
    for method in (da.GNI(), da.DLA(), da.RK4()):
        run = {"h": 0.05, "steps": 10}
        own = milliseconds(lambda m=method, r=run: da.simulate(SLEIGH, m, **r))
        given = milliseconds(lambda m=method, r=run: da.simulate(SLEIGH, m, q, v, **r))
        print(
            f"  {method.name:<16} {own:.2f} with the system's own start, {given:.2f} with (q0, v0)"
        )
    rng = np.random.default_rng(5)
    calls(100, rng)
    before = memory()
    calls(500, rng)
    after = memory()
    grown = after[0] - before[0], after[1] - before[1]
    print(f"500 different calls: {grown[0]:+.1f} MB, {grown[1]:+d} memory maps")
