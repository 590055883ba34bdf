"""CPU, memory and size of ensembles on disk: in memory, streamed, and by other processes.

    python benchmarks/slices.py [--members 10000 100000 1000000] [--steps 200] [--workers 4]
    python benchmarks/slices.py --overhead   # slices of about 30 s of CPU each: takes minutes

Each line is a process of its own. `cpu` counts its children as well; `start` is what the workers
need until their first slice is compiled, and is not part of the overhead.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np


def measure(members: int, steps: int, workers: int, size: int | None, kind: str) -> None:
    """One case, in this process; prints a line of JSON."""
    import dalembert as da

    system = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.3, members))
    folder = Path(tempfile.mkdtemp())
    store = folder / "many.zarr"
    run = {"h": 0.05, "steps": steps, "progress": False}
    begin = time.perf_counter()
    if kind == "memory":
        da.simulate_ensemble(system, da.GNI(), **run)
    else:
        more = {"executor": workers} if kind == "processes" else {}
        stream = da.Stream(store, every=None, members=size)
        da.simulate_ensemble(system, da.GNI(), save=stream, **run, **more)
    wall = time.perf_counter() - begin
    used = [resource.getrusage(x) for x in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    told = {
        "wall_s": wall,
        "cpu_s": sum(x.ru_utime + x.ru_stime for x in used),
        "driver_MB": used[0].ru_maxrss / 1024,
        "worker_MB": used[1].ru_maxrss / 1024,
    }
    if store.is_dir():
        marks = [json.loads(x.read_text()) for x in (store / "done").glob("[0-9]*.json")]
        told |= {
            "slices": len(marks),
            "work_s": sum(x["wall_s"] for x in marks),
            "start_s": sum(x["compile_s"] for x in marks),
            "store_MB": sum(x.stat().st_size for x in store.rglob("*") if x.is_file()) / 2**20,
        }
    shutil.rmtree(folder)
    print(json.dumps(told))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--members", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--size", type=int)
    parser.add_argument("--overhead", action="store_true")
    parser.add_argument("--kind", choices=("memory", "streamed", "processes"))
    args = parser.parse_args()
    if args.kind:
        measure(args.members[0], args.steps, args.workers, args.size, args.kind)
        return
    if args.overhead:
        args.members, args.steps, args.size = [16_384], 40_000, 1024
    for members in args.members:
        for kind in ("memory", "streamed", "processes"):
            told = ["--members", members, "--steps", args.steps, "--workers", args.workers]
            told += ["--size", args.size] if args.size else []
            run = [sys.executable, __file__, "--kind", kind, *map(str, told)]
            line = subprocess.run(run, capture_output=True, text=True, check=True).stdout
            found = {k: float(f"{x:.3g}") for k, x in json.loads(line.splitlines()[-1]).items()}
            print(f"{members:9d} members, {kind:10s}", found, flush=True)


if __name__ == "__main__":
    main()
