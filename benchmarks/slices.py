"""CPU, memory and size of ensembles on disk: in memory, streamed, and by other processes.

    python benchmarks/slices.py [--members 10000 100000 1000000] [--steps 200] [--workers 4]
    python benchmarks/slices.py --overhead [--seconds 30] [--slices 16] [--workers 4]

Each line is a process of its own. The first form tells memory and size. The second compares the CPU
of one process with that of several, over slices of about so many seconds of CPU each. What happens
once is not part of the comparison and is told beside it as `start`: imports, compilation, and what
else the first slice of a process takes longer than its others, of which there must be some. Both
run at the same time and are held to the same cores, as many as there are workers, where the system
allows that: what else the machine does then hits both alike.
"""

import argparse
import concurrent.futures
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

_SIZE = 1024  # members of a slice, where overhead is measured


class Timed:
    """Processes that write down their CPU before and after each slice."""

    def __init__(self, workers: int, folder: Path) -> None:
        from dalembert.storage.executors import processes

        self.pool, self.folder = processes(workers)(), str(folder)

    def submit(self, work, data) -> concurrent.futures.Future:
        return self.pool.submit(_timed, self.folder, work, data)


def _timed(folder: str, work, data: bytes):
    before, found = time.process_time(), work(data)
    if hasattr(found, "compile_s"):  # a slice
        told = [os.getpid(), before, time.process_time()]
        Path(folder, f"{found.index}.cpu").write_text(json.dumps(told))
    return found


def _spent(folder: Path) -> tuple[float, float]:
    """CPU of the workers: of slices, and of what each of them does once.

    That is all before its first slice, and what the first one takes longer than its others.
    """
    found: dict[int, list] = {}
    for file in folder.glob("*.cpu"):
        pid, before, after = json.loads(file.read_text())
        found.setdefault(pid, []).append((before, after - before))
    work = start = 0.0
    for times in found.values():
        (before, first), *others = sorted(times)
        once = max(first - np.mean([x for _, x in others]), 0.0) if others else 0.0
        start += before + once
        work += sum(x for _, x in times) - once
    return work, start


def measure(members: int, steps: int, workers: int, size: int | None, kind: str) -> None:
    """One case, in this process; prints a line of JSON."""
    import dalembert as da

    system = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.3, members))
    folder = Path(tempfile.mkdtemp())
    store = folder / "many.zarr"
    run = {"h": 0.05, "steps": steps, "progress": False}
    crew = Timed(workers, folder) if kind == "processes" else None
    begin, cpu = time.perf_counter(), time.process_time()
    if kind == "memory":
        da.simulate_ensemble(system, da.DLA(), **run)
    else:
        stream = da.Stream(store, every=None, members=size)
        da.simulate_ensemble(system, da.DLA(), save=stream, executor=crew, **run)
    wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
    if crew is not None:
        crew.pool.shutdown()
    used = [resource.getrusage(x) for x in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    work, start = _spent(folder)
    told = {
        "wall_s": wall,
        "driver_cpu_s": cpu,
        "workers_cpu_s": work,
        "workers_start_s": start,
        "driver_MB": used[0].ru_maxrss / 1024,
        "worker_MB": used[1].ru_maxrss / 1024,  # the compiler is a child, too
    }
    if store.is_dir():
        marks = [json.loads(x.read_text()) for x in (store / "done").glob("[0-9]*.json")]
        told |= {
            "slices": len(marks),
            "store_MB": sum(x.stat().st_size for x in store.rglob("*") if x.is_file()) / 2**20,
        }
    shutil.rmtree(folder)
    print(json.dumps(told))


def case(kind: str, members: int, steps: int, workers: int, size: int | None = None) -> dict:
    """The numbers of one case, in a process of its own."""
    told = ["--members", members, "--steps", steps, "--workers", workers]
    told += ["--size", size] if size else []
    run = [sys.executable, __file__, "--kind", kind, *map(str, told)]
    line = subprocess.run(run, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = json.loads(line.splitlines()[-1])
    short = {k: float(f"{x:.3g}") for k, x in found.items()}
    print(f"{members:9d} members, {steps} steps, {kind:10s}", short, flush=True)
    return found


def overhead(seconds: float, slices: int, workers: int) -> None:
    """CPU of several processes against that of one."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:workers])
    few = workers * _SIZE
    many = 200_000  # enough of them that the start is small beside
    once, more = (case("streamed", few, n, workers, _SIZE)["driver_cpu_s"] for n in (10, many))
    a_step = (more - once) / many / workers  # of one slice
    steps = max(round(seconds / a_step), 1)
    members = slices * _SIZE
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        kinds = ("streamed", "processes")
        alone, crew = pool.map(lambda x: case(x, members, steps, workers, _SIZE), kinds)
    alone = alone["driver_cpu_s"] - once
    # the driver makes the store and compiles a step as the one process does
    together = crew["workers_cpu_s"] + crew["driver_cpu_s"] - once
    print(
        f"{slices} slices of {alone / slices:.1f} s of CPU, "
        f"{1e9 * alone / members / steps:.0f} ns a step: one process {alone:.1f} s, {workers} "
        f"workers {together:.1f} s, overhead {100 * (together / alone - 1):.1f} %; start of the "
        f"workers {crew['workers_start_s']:.1f} s, of one process {once:.1f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--members", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--size", type=int)
    parser.add_argument("--overhead", action="store_true")
    parser.add_argument("--seconds", type=float, default=30.0, help="of CPU, of a slice")
    parser.add_argument("--slices", type=int, default=16)
    parser.add_argument("--kind", choices=("memory", "streamed", "processes"))
    args = parser.parse_args()
    if args.kind:
        measure(args.members[0], args.steps, args.workers, args.size, args.kind)
    elif args.overhead:
        overhead(args.seconds, args.slices, args.workers)
    else:
        for members in args.members:
            for kind in ("memory", "streamed", "processes"):
                case(kind, members, args.steps, args.workers, args.size)


if __name__ == "__main__":
    main()
