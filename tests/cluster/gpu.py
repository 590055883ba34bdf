"""An ensemble on Dask workers that have one GPU each; the driver has none.

    JAX_PLATFORMS=cpu python tests/cluster/gpu.py FOLDER [--members 1000000 --steps 2000 --gpus 1]

Each worker sees one GPU (`CUDA_VISIBLE_DEVICES`), all share one folder of compiled code. Prints one
line of JSON; exit code 0 if every member is there, and was computed on a GPU.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy as np


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    for name, value in (("members", 1_000_000), ("steps", 2000), ("gpus", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    args = parser.parse_args()
    from distributed import Client, Nanny, Scheduler, SpecCluster

    import dalembert as da

    da.keep_compiled_code(args.folder / "code")

    def worker(i: int) -> dict:
        env = {"JAX_PLATFORMS": "cuda,cpu", "CUDA_VISIBLE_DEVICES": str(i)}
        env |= {"PYTHONPATH": os.pathsep.join(sys.path)}
        return {"cls": Nanny, "options": {"nthreads": 1, "env": env, "dashboard_address": None}}

    head = {"cls": Scheduler, "options": {"dashboard_address": None, "host": "127.0.0.1"}}
    store = args.folder / "many.zarr"
    system = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.3, args.members))
    run = {"h": 0.05, "steps": args.steps}
    with SpecCluster(scheduler=head, workers={i: worker(i) for i in range(args.gpus)}) as cluster:
        with Client(cluster) as client:
            begin = time.time()
            stream = da.Stream(store, every=None)
            many = da.simulate_ensemble(system, da.GNI(), save=stream, executor=client, **run)
            wall = time.time() - begin
    marks = [json.loads(x.read_text()) for x in (store / "done").glob("[0-9]*.json")]
    few = da.systems.ChaplyginSleigh(a=np.linspace(0.1, 0.3, args.members)[:64])
    here = da.simulate_ensemble(few, da.GNI(), **run)  # by this process, on a CPU
    off = float(np.max(np.abs(np.asarray(many.q[:64]) - here.q)))
    told = {
        "members": len(many), "slices": len(marks), "pending": len(many.pending),
        "failed": len(many.failed), "engine": many.meta.engine, "wall_s": wall,
        "work_s": sum(x["wall_s"] for x in marks), "compile_s": sum(x["compile_s"] for x in marks),
        "largest_difference_to_a_cpu": off,
    }  # fmt: skip
    print(json.dumps(told))
    return int(bool(len(many.pending)) or told["engine"] not in ("gpu", "accelerator"))


if __name__ == "__main__":
    sys.exit(main())
