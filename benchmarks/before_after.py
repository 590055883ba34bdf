"""Nothing slower: an older commit and the working tree in alternating processes, by CPU time.

    python benchmarks/before_after.py                       c9bae98, 21 pairs; exit 1 if slower
    python benchmarks/before_after.py --pairs 7 --only gauss --base HEAD~3

Each process measures every case once: the CPU time of a warm call, or of the first call with an
empty cache. The ratio new/old of each pair is one sample; printed are their median and an interval
for it (order statistics, 95 %). A case fails if the lower end of its interval exceeds 1.05.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMIT = 1.05
REPEATS = 3  # of a warm call in one process; the fastest counts


def cases():
    """Name -> function to be timed, after one call that compiles."""
    import numpy as np

    import dalembert as da

    sleigh, bicycle = da.systems.ChaplyginSleigh(), da.systems.WhippleBicycle()
    quartic = da.systems.ChaoticQuartic()
    q, v = (np.stack([np.asarray(x)] * 512) for x in quartic.initial())
    last = {"save": da.Final()}

    def run(system, method, steps, h=0.01, **options):
        return lambda: da.simulate(system, method, h=h, steps=steps, **{**last, **options})

    def members():
        da.simulate_ensemble(quartic, da.Leapfrog(), q, v, h=0.01, steps=2000, devices=None)

    return {
        "leapfrog": run(quartic, da.Leapfrog(), 400_000),
        "gni-sleigh": run(sleigh, da.GNI(), 200_000),
        "dla-sleigh": run(sleigh, da.DLA(), 200_000),
        "gauss-sleigh": run(sleigh, da.Gauss(2), 100_000),
        "gauss-bicycle": run(bicycle, da.Gauss(2), 10_000),
        "rows-sleigh": run(sleigh, da.Gauss(2), 50_000, save=da.Every(1)),
        "members-512": members,
        "taylor-1e-9": lambda: da.simulate(sleigh, t=200.0, tol=1e-9),
        "call-of-two-steps": lambda: [run(sleigh, da.Gauss(2), 2)() for _ in range(50)],
    }


def worker(only: str) -> None:
    """Print the CPU seconds of every case as JSON."""
    begin = time.process_time()
    import dalembert as da

    found = {"import": time.process_time() - begin}
    begin = time.process_time()
    da.simulate(da.systems.ChaplyginSleigh(), h=0.01, steps=2)
    found["first-call"] = time.process_time() - begin
    for name, call in cases().items():
        if only in name:
            call()
            spent = []
            for _ in range(REPEATS):
                begin = time.process_time()
                call()
                spent.append(time.process_time() - begin)
            found[name] = min(spent)
    print(json.dumps(found))


def measured(source: Path, only: str) -> dict[str, float]:
    """The figures of one process with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"PYTHONPATH": str(source), "XDG_CACHE_HOME": cache}
        command = [sys.executable, __file__, "--worker", "--only", only]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def interval(ratios: list[float]) -> tuple[float, float, float]:
    """(low, median, high): the median and the order statistics around it, 95 %."""
    x, n = sorted(ratios), len(ratios)
    off = math.ceil(0.98 * math.sqrt(n))  # 1.96 sqrt(n)/2
    low, high = max(n // 2 - off, 0), min(n // 2 + off, n - 1)
    return x[low], 0.5 * (x[(n - 1) // 2] + x[n // 2]), x[high]


def main() -> int:
    """Compare, and say what is slower."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--base", default="c9bae98", help="a commit, or a folder that has src")
    parser.add_argument("--pairs", type=int, default=21)
    parser.add_argument("--only", default="")
    parser.add_argument("--worker", action="store_true")
    options = parser.parse_args()
    if options.worker:
        worker(options.only)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        old = Path(options.base)
        if not old.is_dir():  # a commit
            archive, old = Path(folder) / "base.tar", Path(folder)
            git = ["git", "archive", "-o", archive, options.base, "src"]
            subprocess.run(git, cwd=ROOT, check=True)
            subprocess.run(["tar", "xf", archive, "-C", folder], check=True)
        sources = {"old": old.resolve() / "src", "new": ROOT / "src"}
        samples: list[dict[str, float]] = []
        for i in range(options.pairs):
            order = ("old", "new") if i % 2 else ("new", "old")
            pair = {who: measured(sources[who], options.only) for who in order}
            samples.append({k: pair["new"][k] / pair["old"][k] for k in pair["old"]})
            print(f"pair {i + 1} of {options.pairs}", file=sys.stderr)
    slower = []
    print(f"new/old, CPU time, {options.pairs} pairs against {options.base}")
    for name in samples[0]:
        low, middle, high = interval([x[name] for x in samples])
        print(f"{name:20s} {middle:6.3f}   [{low:.3f}, {high:.3f}]")
        slower += [name] if low > LIMIT else []
    if slower:
        print(f"slower than {LIMIT}: {', '.join(slower)}")
    return bool(slower)


if __name__ == "__main__":
    sys.exit(main())
