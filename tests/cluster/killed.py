"""An ensemble on a Dask LocalCluster that loses workers and its driver, against one process.

    python tests/cluster/killed.py FOLDER [--members 100000 --workers 4 --slice 2048 --steps 2000]

A driver starts a cluster and the study; two of its workers are killed by SIGKILL, then the driver
itself. Another driver resumes, and loses a worker as well. In the end every member must be there,
to the same bits as one process computes them. Prints one line of JSON; exit code 0 if all is well.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np

FIELDS = ("q", "v", "p", "multiplier", "residual", "result", "steps_done", "ended")


def study(members: int):
    import dalembert as da

    return da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.3, members)), da.GNI()


def done(store: Path) -> int:
    return len(list((store / "done").glob("[0-9]*.json"))) if store.is_dir() else 0


def drive(args: argparse.Namespace) -> None:
    """One driver: its cluster, the study or what is left of it, and workers that are killed."""
    import dask
    from distributed import Client, LocalCluster

    import dalembert as da

    # one thread each, and this environment: workers must find what the driver finds
    found = {"OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    dask.config.set({"distributed.nanny.pre-spawn-environ": found})
    begin = time.time()
    options = {"n_workers": args.workers, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(processes=True, host="127.0.0.1", **options) as cluster:
        with Client(cluster) as client:
            print(f"cluster up in {time.time() - begin:.1f} s", file=sys.stderr)
            slices = -(-args.members // args.slice)
            marks = [round(x * slices) for x in args.kill]
            threading.Thread(target=kill, args=(client, args.store, marks), daemon=True).start()
            if args.store.is_dir():
                da.resume(args.store, executor=client)
            else:
                system, method = study(args.members)
                da.simulate_ensemble(
                    system, method, h=0.05, steps=args.steps, executor=client,
                    save=da.Stream(args.store, every=args.steps // 4, members=args.slice),
                )  # fmt: skip


def kill(client, store: Path, marks: list[int]) -> None:
    """SIGKILL a worker that is at work, when so many slices are done."""
    for mark in marks:
        while done(store) < mark:
            time.sleep(0.02)
        busy = [k for k, tasks in client.processing().items() if tasks]
        pids = client.run(os.getpid, on_error="ignore")
        chosen = [pids[k] for k in busy if k in pids] or list(pids.values())
        os.kill(chosen[0], signal.SIGKILL)  # a worker of this driver's own
        print(f"killed worker {chosen[0]} at {done(store)} slices", file=sys.stderr)


def start(args: argparse.Namespace, kills: list[float]) -> subprocess.Popen:
    told = [str(args.folder), "--drive", "--kill", *map(str, kills)]
    for name in ("members", "workers", "slice", "steps"):
        told += [f"--{name}", str(getattr(args, name))]
    return subprocess.Popen([sys.executable, __file__, *told])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    for name, value in (("members", 100_000), ("workers", 4), ("slice", 2048), ("steps", 2000)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--drive", action="store_true")
    parser.add_argument("--kill", type=float, nargs="*", default=[])
    parser.add_argument("--first", type=float, nargs="*", default=[0.1, 0.3], help="kills, parts")
    parser.add_argument("--second", type=float, nargs="*", default=[0.75], help="after the resume")
    args = parser.parse_args()
    args.store = args.folder / "many.zarr"
    if args.drive:
        drive(args)
        return 0
    import dalembert as da

    slices, begin = -(-args.members // args.slice), time.time()
    first = start(args, args.first)
    while done(args.store) < 0.55 * slices:
        if first.poll() is not None:
            print("the first driver ended early", file=sys.stderr)
            return 1
        time.sleep(0.02)
    first.send_signal(signal.SIGKILL)
    first.wait()
    kept = done(args.store)
    pending = len(da.load(args.store).pending)
    before = {x.name: x.stat().st_mtime_ns for x in (args.store / "done").glob("[0-9]*.json")}
    second = start(args, args.second)
    code, wall = second.wait(), time.time() - begin
    twice = [k for k, t in before.items() if (args.store / "done" / k).stat().st_mtime_ns != t]
    many, (system, method) = da.load(args.store), study(args.members)
    begin, cpu = time.time(), time.process_time()
    run = {"h": 0.05, "steps": args.steps, "save_every": args.steps // 4}
    whole = da.simulate_ensemble(system, method, **run)
    same = all(np.array_equal(np.asarray(getattr(many, k)), getattr(whole, k)) for k in FIELDS)
    told = {
        "members": args.members, "slices": slices, "kept_when_the_driver_died": kept,
        "pending_then": pending, "marked_slices_computed_twice": len(twice),
        "pending": len(many.pending), "failed": len(many.failed), "same_bits": same,
        "code": code, "wall_s": wall, "one_process_wall_s": time.time() - begin,
        "one_process_cpu_s": time.process_time() - cpu,
    }  # fmt: skip
    print(json.dumps(told))
    good = same and not code and not told["pending"] and not twice and 0 < pending
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
