"""What one judge of a step costs: every function of the system checked at every step, or at rows.

    python benchmarks/judge.py [--pairs 5]

`judged` (is the row finite, is it on the constraint) runs at every step; `looked_at` (are L, the
constraint, the force finite as well) at the rows that are saved. Here both run at every step, as a
single check(row) would; the table has the ratio of CPU times to those of today, median of pairs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

REPEATS = 3  # of a warm call in one process; the fastest counts


def worker(always: bool) -> None:
    """Print the CPU time of each case."""
    import dalembert as da
    from dalembert.running.programs import step_kernel

    if always:
        plain = step_kernel.one_step
        step_kernel.one_step = lambda *args, look=True, **named: plain(*args, look=True, **named)
    sleigh, found = da.systems.ChaplyginSleigh(), {}
    for name, system, method, steps in (
        ("leapfrog, chaotic", da.systems.ChaoticQuartic(), da.Leapfrog(), 400_000),
        ("gni, sleigh", sleigh, da.GNI(), 200_000),
        ("dla, sleigh", sleigh, da.DLA(), 200_000),
        ("gauss-2, sleigh", sleigh, da.Gauss(2), 100_000),
    ):
        times = []
        for _ in range(1 + REPEATS):
            begin = time.process_time()
            da.simulate(system, method, h=0.01, steps=steps, save=da.Final())
            times.append(time.process_time() - begin)
        found[name] = min(times[1:])
    print(json.dumps(found))


def measured(always: bool) -> dict[str, float]:
    """The same in a process with an empty cache: compiled code of the library is known by name."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, __file__, "--worker", *(["--always"] if always else [])]
        environment = os.environ | {"XDG_CACHE_HOME": cache}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--worker", action="store_true")
    parser.add_argument("--always", action="store_true")
    options = parser.parse_args()
    if options.worker:
        worker(options.always)
        return
    pairs = [(measured(False), measured(True)) for _ in range(options.pairs)]
    print("| step | CPU s now | one check at every step / now |\n|---|---|---|")
    for name in pairs[0][0]:
        now = sorted(a[name] for a, _ in pairs)[len(pairs) // 2]
        ratio = sorted(b[name] / a[name] for a, b in pairs)[len(pairs) // 2]
        print(f"| {name} | {now:.3f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
