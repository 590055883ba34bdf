"""Random kills of runs that stream to a store.

    python -m tests.fuzz.stores --kills 300 --seed 0

A run is forked off, killed at a random moment (SIGKILL), resumed, killed again, until it has come
to its end: its rows are those of a run that nobody touched, to the bit, and at every moment in
between what the store shows is the beginning of them. Damaged files are in `tests.fuzz.files`.

The process that forks has run once, so that its children find all code compiled and spend their
time on writing, which is what is to be interrupted. They run native code and write files; JAX,
whose threads do not survive a fork, has nothing to compute in them.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.running import single_run
from dalembert.storage import store

SYSTEM, METHOD = da.systems.NonholonomicParticle(stiffness=1.0), da.Leapfrog()
RUN = {"h": 0.001, "steps": 6_000, "save_every": 3}  # eight blocks, some 25 checkpoints
PROGRESS = 25  # kills for each line


def small_pieces() -> None:
    """Many blocks and checkpoints, so that there is much to interrupt."""
    store._BLOCK_BYTES, store._SECONDS = 1, 0.0
    single_run._FIRST_STEPS, single_run._CHUNK_SECONDS = 256, 0.0


def attempt(path: Path) -> int:
    """Go on with the run in a process of its own; its id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        if path.exists():
            da.resume(path, SYSTEM, METHOD)
        else:
            da.simulate(SYSTEM, METHOD, **RUN, store=path)
        code = 0
    finally:
        os._exit(code)


def starts_like(part: da.Trajectory, whole: da.Trajectory) -> bool:
    n = len(part)
    return all(
        np.array_equal(getattr(part, k), getattr(whole, k)[:n])
        for k in ("t", "q", "v", "p", "multiplier", "result")
    )


def kills(count: int, chance: random.Random, folder: Path) -> str:
    """Kill runs until so many kills have hit one; what was found."""
    first = folder / "first.zarr"
    da.simulate(SYSTEM, METHOD, **RUN, store=first)  # and so it is compiled
    whole, begin = da.load(first), time.monotonic()
    assert os.waitpid(attempt(folder / "second.zarr"), 0)[1] == 0
    usual = time.monotonic() - begin
    print(f"a run takes {usual:.2f} s, {len(whole)} rows", flush=True)
    hit = runs = 0
    while hit < count:
        runs += 1
        path = folder / f"run{runs}.zarr"
        while True:
            child = attempt(path)
            time.sleep(chance.uniform(0.0, 1.0) * usual)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            if not os.WIFSIGNALED(status):
                assert status == 0, "a run ended by itself, and not well"
                break
            hit += 1
            if hit % PROGRESS == 0:
                print(f"{hit} kills, {runs} runs, {time.monotonic() - begin:.0f} s", flush=True)
            if path.exists():
                assert starts_like(da.load(path), whole), f"{path}: wrong rows after a kill"
            if hit >= count:
                assert os.waitpid(attempt(path), 0)[1] == 0
                break
        found = da.load(path)
        assert len(found) == len(whole) and starts_like(found, whole), f"{path}: rows were lost"
        left = [x for x in folder.iterdir() if x.name.startswith(f".run{runs}.")]
        for x in left:  # of a store that was being made when it was killed
            shutil.rmtree(x)
        shutil.rmtree(path)
    return f"{hit} kills in {runs} runs: every row there, to the bit"


def worker(count: int, seed: int, folder: Path) -> int:
    """A process of its own that kills runs; its id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        folder.mkdir()
        print(kills(count, random.Random(seed), folder), flush=True)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def main(kill_count: int, seed: int, jobs: int) -> int:
    """Kills in several processes; 1 if anything was lost or wrong."""
    small_pieces()
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin, folder = time.monotonic(), Path(name)
        shares = [kill_count // jobs + (i < kill_count % jobs) for i in range(jobs)]
        workers = [worker(n, seed + i, folder / str(i)) for i, n in enumerate(shares) if n]
        failed = sum(os.waitpid(child, 0)[1] != 0 for child in workers)
        took = time.monotonic() - begin
        print(f"{kill_count} kills: {took:.0f} s, {failed} of {len(workers)} workers failed")
    return int(failed > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 8))
    given = parser.parse_args()
    sys.exit(main(given.kills, given.seed, given.jobs))
