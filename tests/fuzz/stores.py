"""Random kills of runs that stream to a store, and random flipped bits in stores.

    python -m tests.fuzz.stores --kills 300 --flips 100 --seed 0

A run is forked off, killed at a random moment (SIGKILL), resumed, killed again, until it has come
to its end: its rows are those of a run that nobody touched, to the bit, and at every moment in
between what the store shows is the beginning of them. A store with one flipped bit loads as it
was, or is refused.
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
import warnings
from pathlib import Path

import numpy as np

import dalembert as da
from dalembert.errors import UsageError
from dalembert.running import single, store

SYSTEM, METHOD = da.systems.NonholonomicParticle(stiffness=1.0), da.Leapfrog()
RUN = {"h": 0.001, "steps": 60_000, "save_every": 3}


def small_pieces() -> None:
    """Many blocks and checkpoints, so that there is much to interrupt."""
    store._BLOCK_BYTES, store._SECONDS = 1, 0.0
    single._FIRST_STEPS, single._CHUNK_SECONDS = 256, 0.0


def attempt(path: Path) -> int:
    """Go on with the run in a process of its own; its id.

    Forked off a process that has imported all, and has not let JAX begin to compute.
    """
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


def same(a: da.Trajectory, b: da.Trajectory) -> bool:
    """All but what the runs cost, which a resumed one writes anew."""
    return len(a) == len(b) and starts_like(a, b) and a.meta == b.meta


def kills(count: int, chance: random.Random, folder: Path) -> str:
    """Kill runs until so many kills have hit one; what was found."""
    da.keep_compiled_code(folder / "compiled")
    first = folder / "first.zarr"
    assert os.waitpid(attempt(first), 0)[1] == 0
    whole, begin = da.load(first), time.monotonic()
    os.waitpid(attempt(folder / "second.zarr"), 0)
    usual = time.monotonic() - begin
    hit = runs = 0
    while hit < count:
        runs += 1
        path = folder / f"run{runs}.zarr"
        while True:
            child = attempt(path)
            time.sleep(chance.uniform(0.1, 1.0) * usual)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            if not os.WIFSIGNALED(status):
                assert status == 0, "a run ended by itself, and not well"
                break
            hit += 1
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


def flips(count: int, chance: random.Random, folder: Path) -> str:
    """Flip one bit at a time; what was found."""
    path = folder / "flipped.zarr"
    da.simulate(SYSTEM, METHOD, **{**RUN, "steps": 9_000}, store=path)
    whole = da.load(path)
    files = sorted(f for f in path.rglob("*") if f.is_file() and f.stat().st_size)
    sizes = [f.stat().st_size for f in files]
    refused = resumed = 0
    for _ in range(count):
        (file,) = chance.choices(files, sizes)
        before = file.read_bytes()
        bits = bytearray(before)
        bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
        file.write_bytes(bits)
        try:
            assert same(da.load(path), whole), f"{file}: loaded, and is not what was written"
        except UsageError:
            refused += 1
        try:
            last = da.resume(path, SYSTEM, METHOD)
            assert np.array_equal(last.q[-1], whole.q[-1]), f"{file}: resumed to other numbers"
        except UsageError:
            resumed += 1
        file.write_bytes(before)
    assert same(da.load(path), whole)
    return f"{count} bits flipped: load refused {refused}, resume {resumed}; nothing wrong loaded"


def main(kill_count: int, flip_count: int, seed: int) -> None:
    small_pieces()
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print(kills(kill_count, chance, Path(name)), flush=True)
        print(flips(flip_count, chance, Path(name)), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--flips", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    sys.exit(main(given.kills, given.flips, given.seed))
