"""What files cost: CPU time to stream, save and load a run of 400,000 rows, and their sizes.

    python benchmarks/files.py

The least of three times each, in seconds. With PYTHONPATH at another commit it measures that one.
"""

import tempfile
import time
from pathlib import Path

import dalembert as da

SYSTEM, METHOD = da.systems.NonholonomicParticle(stiffness=1.0), da.Leapfrog()
TIMES = 3


def cpu(work) -> float:
    spent = []
    for i in range(TIMES):
        begin = time.process_time()
        work(i)
        spent.append(time.process_time() - begin)
    return min(spent)


def size(path: Path) -> float:
    files = [path] if path.is_file() else [x for x in path.rglob("*") if x.is_file()]
    return sum(x.stat().st_size for x in files) / 1e6


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = {"h": 0.001}
        da.simulate(SYSTEM, METHOD, **run, steps=100, store=folder / "first.zarr")
        stored = [folder / f"stored{i}.zarr" for i in range(TIMES)]
        stream = cpu(lambda i: da.simulate(SYSTEM, METHOD, **run, steps=400_000, store=stored[i]))
        load = cpu(lambda i: da.load(stored[i]))
        print(f"store: streamed {stream:.3f} s, loaded {load:.3f} s, {size(stored[0]):.1f} MB")
        traj = da.load(stored[0])
        for suffix in (".nc", ".zarr"):
            files = [folder / f"saved{i}{suffix}" for i in range(TIMES)]
            save, load = (
                cpu(lambda i, f=files: traj.save(f[i])),
                cpu(lambda i, f=files: da.load(f[i])),
            )
            print(f"{suffix}: saved {save:.3f} s, loaded {load:.3f} s, {size(files[0]):.1f} MB")


if __name__ == "__main__":
    main()
