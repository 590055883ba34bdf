"""Runs that are written while they are computed, and taken up again after a crash."""

import dataclasses
import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import jax
import numpy as np
import pytest

import dalembert as da
from dalembert.cli import main
from dalembert.errors import SimulationError, StoreError, UsageError
from dalembert.running import single_run
from dalembert.storage import store as module

zarr = pytest.importorskip("zarr")

SLEIGH = da.systems.ChaplyginSleigh()
RUN = {"h": 0.001, "steps": 3000}


@pytest.fixture(scope="module")
def whole() -> da.Trajectory:
    return da.simulate(SLEIGH, da.GNI(), **RUN)


def same(a: da.Trajectory, b: da.Trajectory) -> None:
    a, b = (dataclasses.replace(x, meta=None) for x in (a, b))
    for x, y in zip(jax.tree.leaves(a), jax.tree.leaves(b), strict=True):
        np.testing.assert_array_equal(x, y)


def small_blocks(monkeypatch) -> None:
    monkeypatch.setattr(module, "_BLOCK_BYTES", 1)  # 256 rows, the least there are
    monkeypatch.setattr(single_run, "_CHUNK_SECONDS", 0.0)
    monkeypatch.setattr(single_run, "_FIRST_STEPS", 256)


def test_a_streamed_run_is_the_run(tmp_path, whole, monkeypatch):
    small_blocks(monkeypatch)
    last = da.simulate(SLEIGH, da.GNI(), **RUN, store=tmp_path / "run.zarr")
    loaded = da.load(tmp_path / "run.zarr")
    same(loaded, whole)
    same(last, whole[-1:])
    same(da.load(tmp_path / "run.zarr", every=7), whole[::7])
    assert loaded.meta.steps == 3000 and loaded.meta.parameters == whole.meta.parameters
    import xarray

    with xarray.open_zarr(tmp_path / "run.zarr") as data:  # without us
        np.testing.assert_array_equal(data["q"], whole.q)
    # there is nothing left to do, and doing it changes nothing
    same(da.resume(tmp_path / "run.zarr"), whole[-1:])
    same(da.load(tmp_path / "run.zarr"), whole)


def test_killed_at_random_moments(tmp_path):
    """A process really killed, several times; in between the store opens with what it has."""
    path, steps = tmp_path / "run.zarr", 1_000_000
    code = (
        "import sys, dalembert as da; from dalembert.storage import store;"
        f"store._SECONDS = 0.02; da.keep_compiled_code({str(tmp_path / 'cache')!r});"
        "sleigh = da.systems.ChaplyginSleigh(a=0.3);"
        f"da.resume({str(path)!r}) if len(sys.argv) > 1 else "
        f"da.simulate(sleigh, da.GNI(), h=0.001, steps={steps}, save_every=3, store={str(path)!r})"
    )
    chance, counts = random.Random(5), []
    for attempt in range(4):
        command = [sys.executable, "-c", code, *(["resume"] if path.exists() else [])]
        process = subprocess.Popen(command)
        if attempt == 3:
            assert process.wait(timeout=120) == 0
            break
        patience, before = time.monotonic() + 60, counts[-1] if counts else 0
        while process.poll() is None and time.monotonic() < patience:
            if path.exists() and len(da.load(path)) > before:  # it has begun to write
                time.sleep(chance.uniform(0.0, 0.04))
                break
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        counts.append(len(da.load(path)))
    rows = 2 + (steps - 1) // 3
    assert len(counts) == 3 and counts == sorted(counts) and 1 < counts[-1] < rows, counts
    straight = da.simulate(
        da.systems.ChaplyginSleigh(a=0.3), da.GNI(), h=0.001, steps=steps, save_every=3
    )
    same(da.load(path), straight)


def test_interrupted_and_resumed(tmp_path, whole, monkeypatch):
    small_blocks(monkeypatch)
    fed = []

    class Interrupted(da.Stream):
        def feed(self, state, rows):
            fed.append(rows)
            if len(fed) == 5:
                raise KeyboardInterrupt
            return super().feed(state, rows)

    path = tmp_path / "run.zarr"
    with pytest.raises(SimulationError, match=r"interrupted at step .* are in 'run.zarr'"):
        da.simulate(SLEIGH, da.GNI(), **RUN, save=Interrupted(path))
    part = da.load(path)
    assert 1 < len(part) < 3001
    same(part, whole[: len(part)])
    da.resume(path)
    same(da.load(path), whole)


def test_a_run_that_stops_early(tmp_path):
    path = tmp_path / "run.zarr"
    options = {"h": 0.01, "steps": 500, "stop_when": lambda t, q, v: t > 1.0}
    da.simulate(SLEIGH, da.GNI(), **options, store=path)
    same(da.load(path), da.simulate(SLEIGH, da.GNI(), **options))


def test_full_disk(tmp_path, whole, monkeypatch):
    """What was written stays readable, and the run can be resumed when there is space again."""
    small_blocks(monkeypatch)
    calls, real = [], os.fsync

    def full(file):
        calls.append(file)
        if len(calls) > 5:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file)

    path = tmp_path / "run.zarr"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match="No space left on device; the rows until its last"):
            da.simulate(SLEIGH, da.GNI(), **RUN, store=path)
    part = da.load(path)
    assert 1 < len(part) < 3001
    same(part, whole[: len(part)])
    da.resume(path)
    same(da.load(path), whole)


def test_vanished_store(tmp_path, monkeypatch):
    small_blocks(monkeypatch)
    path = tmp_path / "run.zarr"

    class Vanishing(da.Stream):
        def feed(self, state, rows):
            shutil.rmtree(path, ignore_errors=True)
            return super().feed(state, rows)

    with pytest.raises(StoreError, match="the store was removed"):
        da.simulate(SLEIGH, da.GNI(), **RUN, save=Vanishing(path))
    assert not path.exists()


def test_misuse(tmp_path, whole):
    path = tmp_path / "run.zarr"
    with pytest.raises(UsageError, match="no such store"):
        da.resume(path)
    whole.save(path)
    with pytest.raises(UsageError, match="has no checkpoint"):
        da.resume(path)
    with pytest.raises(UsageError, match="exists already"):
        da.simulate(SLEIGH, da.GNI(), **RUN, store=path)
    with pytest.raises(UsageError, match="suffix"):
        da.simulate(SLEIGH, da.GNI(), **RUN, store=tmp_path / "run.nc")
    shutil.rmtree(path)
    da.simulate(SLEIGH, da.GNI(), h=0.01, steps=5, store=path)
    with pytest.raises(UsageError, match="a run with the system chaplygin-sleigh, not knife-edge"):
        da.resume(path, da.systems.KnifeEdge())
    with pytest.raises(UsageError, match="with the method gni-midpoint, not rk4"):
        da.resume(path, SLEIGH, da.RK4())


class NoStart(da.MechanicalSystem):
    """A user's system without default initial data."""

    k: float = 2.0
    space = da.Euclidean(1)
    mass = np.eye(1)

    def potential(self, q):
        return 0.5 * self.k * q[0] ** 2


def test_a_users_own_system(tmp_path):
    path, start = tmp_path / "run.zarr", ([1.0], [0.0])
    da.simulate(NoStart(), da.GNI(), *start, h=0.1, steps=5, store=path)
    # it has no multipliers, and blocks of length 0 are refused from Zarr 3.4 on
    assert zarr.open_group(path, mode="r")["multiplier"].chunks == (6, 1)
    same(da.resume(path, NoStart()), da.load(path)[-1:])
    with pytest.raises(UsageError, match=r"with the parameters {'k': 2.0}, not {'k': 5.0}"):
        da.resume(path, NoStart(k=5.0))
    with pytest.raises(UsageError, match="not a system of the library"):
        da.resume(path)
    with pytest.raises(UsageError, match="a store needs a run outside of jit"):
        jax.jit(lambda: da.simulate(NoStart(), da.GNI(), *start, h=0.1, steps=5, store=path).q)()


def test_damaged_store(tmp_path):
    path = tmp_path / "run.zarr"
    da.simulate(SLEIGH, da.GNI(), h=0.01, steps=5, store=path)
    whole = (path / "checkpoint.npz").read_bytes()
    for text in (b"", whole[:100], b"garbage"):
        (path / "checkpoint.npz").write_bytes(text)
        for action in (da.load, da.resume):
            with pytest.raises(UsageError, match="damaged"):
                action(path)
    (path / "checkpoint.npz").unlink()
    with pytest.raises(UsageError, match="is missing"):
        da.load(path)


def test_from_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "import dalembert as da\n\n"
        "class Mine(da.systems.ChaplyginSleigh):\n    '''Mine.'''\n    b: float = 1.0\n"
    )
    run = ["run", "mine.py:Mine", "--set", "a=0.25", "--steps", "40", "--store", "run.zarr"]
    assert main([*run, "--json"]) == 0
    first = capsys.readouterr().out
    assert '"store": "run.zarr"' in first and '"rows": 41' in first
    assert main(["resume", "run.zarr"]) == 2
    assert "add --system FILE:CLASS" in capsys.readouterr().err
    assert main(["resume", "run.zarr", "--system", "mine.py:Mine", "--json"]) == 0
    assert '"rows": 41' in capsys.readouterr().out
    assert main(run) == 2
    assert "exists already" in capsys.readouterr().err
