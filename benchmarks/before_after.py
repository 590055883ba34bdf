"""Nothing slower: an older commit and the working tree in alternating processes, by CPU time.

    python benchmarks/before_after.py                       c9bae98, 21 pairs; exit 1 if slower
    python benchmarks/before_after.py --pairs 7 --only gauss --base HEAD~3
    python benchmarks/before_after.py --base FOLDER --jobs 5    FOLDER: a checkout, or its src
    python benchmarks/before_after.py --gpu                 the cases of a GPU, by wall-clock time

Each process measures every case: the CPU time of its first call with an empty cache (what is
compiled for a case is not compiled again for the next ones), and that of a warm call. On a GPU it
is the time of the run itself (`meta.wall_s`), because the host waits for it. The ratio new/old of
each pair is one sample; printed are their median and an interval for it (order statistics, 95 %).
A case fails if the lower end of its interval exceeds 1.05. With `--jobs N`, N pairs run at once,
each on cores of its own.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import importlib
import json
import math
import os
import queue
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMIT = 1.05
REPEATS = 3  # of a warm call in one process; the fastest counts
CALLS = 50  # in one sample of short calls: one call takes about a millisecond
H_FIG, END_FIG = 0.05, 50_000.0  # of figure 6(b) [MP]: 10^10 steps of 10,000 members

Case = Callable[[], object]


def cases() -> dict[str, Case]:
    """Name -> function to be timed; the first call of each one compiles.

    Runs are so long that the steps take most of the time; `calls` measures what a call costs.
    """
    import numpy as np

    import dalembert as da

    sleigh, bicycle = da.systems.ChaplyginSleigh(), da.systems.WhippleBicycle()
    quartic = da.systems.ChaoticQuartic()
    q, v = (np.stack([np.asarray(x)] * 512) for x in quartic.initial())

    def run(system, method, steps, h=0.01, save=None):
        save = da.Final() if save is None else save
        return lambda: da.simulate(system, method, h=h, steps=steps, save=save)

    def members():
        da.simulate_ensemble(quartic, da.Leapfrog(), q, v, h=0.01, steps=20_000, devices=None)

    short = run(sleigh, da.Gauss(2), 2)
    return {
        "leapfrog": run(quartic, da.Leapfrog(), 4_000_000),
        "gni-sleigh": run(sleigh, da.GNI(), 1_000_000),
        "dla-sleigh": run(sleigh, da.DLA(), 400_000),
        "gauss-sleigh": run(sleigh, da.Gauss(2), 200_000),
        "gni-bicycle": run(bicycle, da.GNI(), 10_000, h=0.0002),  # h = 0.001 fails at t = 3.4
        "dla-bicycle": run(bicycle, da.DLA(), 10_000),
        "gauss-bicycle": run(bicycle, da.Gauss(2), 10_000),
        "rows-sleigh": run(sleigh, da.Gauss(2), 100_000, save=da.Every(1)),
        "members-512": members,
        "taylor-1e-9": lambda: da.simulate(sleigh, t=200.0, tol=1e-9),
        "calls-of-two-steps": lambda: [short() for _ in range(CALLS)],
    }


def gpu_cases() -> dict[str, Case]:
    """Name -> function that returns the seconds of its run on the GPU."""
    import jax
    import numpy as np

    import dalembert as da

    system, method = da.systems.ChaoticQuartic(), da.Leapfrog()
    same = [np.stack([np.asarray(x)] * 102_400) for x in system.initial()]
    other = system.ensemble(jax.random.key(2006), 10_000)
    energy = {"energy": da.Statistics(system.invariants["energy"])}

    def run(start, steps, **options):
        found = da.simulate_ensemble(system, method, *start, h=H_FIG, steps=steps, **options)
        if found.meta.engine != "gpu":
            raise RuntimeError(f"the run is by {found.meta.engine}: {found.meta.engine_reason}")
        return found.meta.wall_s

    steps = round(END_FIG / H_FIG)
    return {
        "gpu-leapfrog": lambda: run(same, 40_000),
        "gpu-figure-6b": lambda: run(other, steps, reduce=energy, save_every=2048),
    }


def worker(only: str, on_gpu: bool) -> None:
    """Print the seconds of every case as JSON."""
    found: dict[str, float] = {}

    def timed(name: str, call: Case) -> None:
        begin = time.process_time()
        call()
        found[name] = time.process_time() - begin

    if on_gpu:
        for name, call in gpu_cases().items():
            if only in name:
                call()
                found[name] = min(float(call()) for _ in range(REPEATS))  # pyright: ignore[reportArgumentType]
        print(json.dumps(found))
        return
    timed("import", lambda: importlib.import_module("dalembert"))
    for name, call in cases().items():
        if only in name:
            timed(f"{name}, first", call)
            spent = []
            for _ in range(REPEATS):
                timed(name, call)
                spent.append(found[name])
            found[name] = min(spent)
    print(json.dumps(found))


def measured(source: Path, options: argparse.Namespace, cores: set[int]) -> dict[str, float]:
    """The figures of one process with an empty cache, on these cores."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"PYTHONPATH": str(source), "XDG_CACHE_HOME": cache}
        command = [sys.executable, __file__, "--worker", "--only", options.only]
        command += ["--gpu"] * options.gpu + ["--cores", ",".join(map(str, sorted(cores)))]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{source}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def source_of(base: str, folder: Path) -> Path:
    """The folder that has the package of `base`: a folder, or a commit, unpacked into `folder`."""
    for place in (Path(base), Path(base) / "src"):
        if (place / "dalembert").is_dir():
            return place.resolve()
    if Path(base).is_dir():
        raise SystemExit(f"{base} has neither dalembert nor src/dalembert")
    archive = folder / "base.tar"
    git = ["git", "archive", "-o", str(archive), base, "src"]
    subprocess.run(git, cwd=ROOT, check=True)
    subprocess.run(["tar", "xf", str(archive), "-C", str(folder)], check=True)
    return folder / "src"


def interval(ratios: list[float]) -> tuple[float, float, float]:
    """(low, median, high): the median and the order statistics around it, 95 %."""
    x, n = sorted(ratios), len(ratios)
    off = math.ceil(0.98 * math.sqrt(n))  # 1.96 sqrt(n)/2
    low, high = max(n // 2 - off, 0), min(n // 2 + off, n - 1)
    return x[low], 0.5 * (x[(n - 1) // 2] + x[n // 2]), x[high]


def pairs_of(old: Path, options: argparse.Namespace) -> list[dict[str, float]]:
    """The ratios new/old of every pair; the order within a pair alternates."""
    new = ROOT / "src"
    have = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    each = max(len(have) // options.jobs, 1)
    free: queue.SimpleQueue[set[int]] = queue.SimpleQueue()
    for i in range(options.jobs):
        free.put(set(have[i * each % len(have) :][:each]))

    def pair(i: int) -> dict[str, float]:
        cores = free.get()
        order = (old, new) if i % 2 else (new, old)
        try:
            found = {source: measured(source, options, cores) for source in order}
        finally:
            free.put(cores)
        print(f"pair {i + 1} of {options.pairs}", file=sys.stderr)
        return {k: found[new][k] / found[old][k] for k in found[old]}

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return list(pool.map(pair, range(options.pairs)))


def main() -> int:
    """Compare, and say what is slower."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--base", default="c9bae98", help="a commit, a checkout or its src")
    parser.add_argument("--pairs", type=int, default=21)
    parser.add_argument("--jobs", type=int, default=1, help="so many pairs at once")
    parser.add_argument("--only", default="", help="the cases whose names contain this")
    parser.add_argument("--gpu", action="store_true", help="the cases of a GPU")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--cores", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {int(x) for x in options.cores.split(",")})
        worker(options.only, options.gpu)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        samples = pairs_of(source_of(options.base, Path(folder)), options)
    slower = []
    what = "seconds on the GPU" if options.gpu else "CPU time"
    print(f"new/old, {what}, {options.pairs} pairs against {options.base}")
    for name in samples[0]:
        low, middle, high = interval([x[name] for x in samples])
        print(f"{name:26s} {middle:6.3f}   [{low:.3f}, {high:.3f}]")
        slower += [name] if low > LIMIT else []
    if slower:
        print(f"slower than {LIMIT}: {', '.join(slower)}")
    return bool(slower)


if __name__ == "__main__":
    sys.exit(main())
