"""Random calls of public functions and classes: what is of a wrong kind is refused in words.

    python -m tests.fuzz.calls --count 50000 --seed 0 --jobs 15

Every public name of the package and of its parts is called with a number of arguments that it
takes, each of a right or a wrong kind. A call may return, or raise an error of `dalembert.errors`;
any other error from inside of the library is wrong, and so is memory that grows. Compiled code is
kept, up to a bound, so memory is judged without it: `clear_compiled` is called four times.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import ctypes
import gc
import importlib
import inspect
import io
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np

import dalembert as da
from dalembert import parts

MODULES = (
    "control", "diagnostics", "dynamics", "geometry", "groupoids", "groups", "hybrid", "inputs",
    "methods", "methods.rules", "parts", "plots", "results", "running", "scene", "systems",
)  # fmt: skip
# They open windows, change settings of the process, or take minutes by their nature.
LEFT_OUT = {
    "show", "clear_compiled", "keep_compiled_code", "analyze", "minimum_effort", "controllability",
}  # fmt: skip
FLAT = 0.1  # of the memory at half of the calls: what it may grow by in the other half
MANY = 1000  # calls from which on memory is judged
SECONDS = 1.0  # of CPU, after which a call is given up: it was taken, and computes


class Oscillator(da.MechanicalSystem):
    """The system that calls are given: cheap to compile."""

    k: float = 1.0
    space = da.Euclidean(2)
    coordinate_names = ("x", "y")
    mass = np.eye(2)

    def potential(self, q):
        return 0.5 * self.k * q @ q

    def inputs(self, q):
        return jnp.array([[1.0, 0.0]])

    def initial(self):
        return jnp.ones(2), jnp.zeros(2)


class GivenUp(BaseException):
    """A call that takes long."""


def targets() -> dict[str, Callable[..., Any]]:
    """All public functions and classes by their names."""
    found: dict[str, Callable[..., Any]] = {}
    for prefix in ("", *MODULES):
        module = importlib.import_module(f"dalembert.{prefix}" if prefix else "dalembert")
        for name in getattr(module, "__all__", None) or dir(module):
            if name.startswith("_") or name in LEFT_OUT:
                continue
            x = getattr(module, name, None)
            if not callable(x) or isinstance(x, types.ModuleType):
                continue
            if not getattr(x, "__module__", "").startswith("dalembert"):
                continue
            if isinstance(x, type) and issubclass(x, BaseException):
                continue
            if isinstance(x, type) and inspect.isabstract(x):
                continue
            if x not in found.values():
                found[f"{prefix}.{name}".lstrip(".")] = x
    return found


def pool(folder: Path) -> dict[str, list[Any]]:
    """Arguments by the words that a parameter may be called; "" are those of any kind."""
    system, sleigh = Oscillator(), da.systems.ChaplyginSleigh()
    disk = parts.build(
        parts.Body("disk", 1.0, 0.1),
        parts.Free("disk", start=(0, 0, 1.0)),
        parts.Wheel("disk", 1.0),
    )
    run = da.simulate(system, da.RK4(), h=0.1, steps=5)
    many = da.simulate_ensemble(
        system, da.RK4(), np.ones((2, 2)), np.zeros((2, 2)), h=0.1, steps=2, save_every=1
    )
    q, v = np.ones(2), np.zeros(2)
    kinds: dict[str, list[Any]] = {
        "system": [system, sleigh, disk],
        "method": [da.RK4(), da.Gauss(), da.DLA(), da.Taylor()],
        "rule": [da.Midpoint(), da.EulerA()],
        "trajectory": [run], "traj": [run], "run": [run], "ensemble": [many], "many": [many],
        "q": [q, np.zeros(3)], "q0": [q], "v": [v, np.zeros(3)], "v0": [v], "x": [1.0, q],
        "t": [0.0, 1.0], "h": [0.1], "steps": [3], "count": [3], "degree": [2], "name": ["a"],
        "space": [da.Euclidean(2), da.SO(3)], "group": [da.SO(3)], "base": [da.Euclidean(2)],
        "path": [folder / "a.nc", folder / "none.zarr", str(folder)],
        "body": ["disk"], "joint": ["disk"], "radius": [1.0], "mass": [1.0],
        "f": [lambda *a: 0.0], "function": [lambda *a: 0.0], "control": [lambda t: jnp.zeros(1)],
    }  # fmt: skip
    kinds[""] = [
        None, True, False, 0, 1, -1, 3, 10**15, 10**400, 1.5, -2.0, float("nan"), float("inf"), 1j,
        "", "x", "a b", b"x", [], [1.0], [1.0, 2.0], (), (1, 2, 3), ("a",), {}, {"x": 1.0}, {1, 2},
        object(), object, int, np.float64(2.0), np.int64(2), np.zeros(0), np.zeros(2), np.zeros(3),
        np.eye(2), np.zeros((2, 3, 4)), np.array(["a", "b"]), np.array([None, 1], dtype=object),
        np.array(1j), np.datetime64("2020-01-01"), jnp.zeros(2), lambda: None, lambda x: x,
        lambda *a: "text", len, range(3), iter([1.0]), Path("nowhere"), folder, io.StringIO("x"),
        slice(0, 2), Ellipsis, system, sleigh, da.RK4(), da.Gauss, run, many, da.Euclidean(2),
        da.SO(3), da.Midpoint(), parts.Body("b", 1.0), parts.Plane(), da, ValueError("x"),
        lambda t, q, v: q[0], lambda q, v: v @ v, lambda t: t, da.Every(1),
    ]  # fmt: skip
    return kinds


def calls(count: int, seed: int, folder: Path) -> Iterator[tuple[str, Callable[[], Any], str]]:
    """So many calls: the name, the call, and how it is written."""
    rng, kinds, known = random.Random(seed), pool(folder), targets()
    signatures = {}
    for name, f in known.items():
        try:
            signatures[name] = inspect.signature(f)
        except (TypeError, ValueError):
            continue
    for _ in range(count):
        name = rng.choice(list(signatures))
        args: list[Any] = []
        named: dict[str, Any] = {}
        for p in signatures[name].parameters.values():
            some = rng.random() < 0.15
            if p.kind is p.VAR_POSITIONAL:
                args += [rng.choice(kinds[""])] if some or name.endswith("build") else []
                continue
            if p.kind is p.VAR_KEYWORD:
                named |= {rng.choice(("x", "dt", "a b")): rng.choice(kinds[""])} if some else {}
                continue
            if p.default is not p.empty and not some:
                continue
            right = kinds.get(p.name) or kinds.get(p.name.rstrip("0123456789_s"))
            value = rng.choice(right if right and rng.random() < 0.6 else kinds[""])
            if p.kind is p.POSITIONAL_ONLY or (
                p.default is p.empty and p.kind is not p.KEYWORD_ONLY
            ):
                args.append(value)
            else:
                named[p.name] = value
        told = ", ".join([*map(_short, args), *(f"{k}={_short(x)}" for k, x in named.items())])
        yield name, (lambda f=known[name], a=args, k=named: f(*a, **k)), f"{name}({told})"


def _short(x: object) -> str:
    if callable(x):
        return getattr(x, "__name__", type(x).__name__)
    text = repr(x) if not isinstance(x, int) or abs(x) < 10**20 else "10**400"
    return text if len(text) < 40 else f"<{type(x).__name__}>"


def wrong(count: int, seed: int) -> tuple[list[tuple[str, str, str]], dict[str, Any]]:
    """(name, error, call) of calls that ended in an error that is not of the library; figures."""
    found: list[tuple[str, str, str]] = []
    ends: collections.Counter[str] = collections.Counter()
    sizes: list[int] = []
    floors: list[int] = []

    def alarm(*_: object) -> None:
        raise GivenUp

    before = signal.signal(signal.SIGPROF, alarm)
    here = Path.cwd()
    try:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.chdir(folder)
            for i, (name, call, told) in enumerate(calls(count, seed, Path(folder))):
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        call()
                    ends["returned"] += 1
                except da.DalembertError:
                    ends["refused"] += 1
                except GivenUp:
                    ends["given up"] += 1
                except Exception as error:
                    signal.setitimer(signal.ITIMER_PROF, 0.0)
                    if from_a_caller(error):
                        ends["the caller's own"] += 1
                    else:
                        ends["wrong"] += 1
                        text = str(error).strip().partition("\n")[0][:150]
                        found.append((name, f"{type(error).__name__}: {text}", told))
                finally:
                    signal.setitimer(signal.ITIMER_PROF, 0.0)
                if i % max(count // 20, 1) == 0:
                    sizes.append(resident())
                if count >= MANY and (i + 1) % (count // 4) == 0:
                    floors.append(_without_code())
    finally:
        signal.signal(signal.SIGPROF, before)
        os.chdir(here)
    figures = {"ends": dict(ends), "names": len(targets()), "memory in MB": sizes}
    return found, figures | {"without code": floors}


def _without_code() -> int:
    """Memory in MB when no compiled code is kept."""
    da.clear_compiled()
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # glibc keeps what was freed
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    return resident()


def from_a_caller(error: BaseException) -> bool:
    """Whether a function that the call was given raised it, in this file."""
    frames = traceback.extract_tb(error.__traceback__)
    return len(frames) > 2 and frames[-1].filename == __file__


def resident() -> int:
    """Memory of this process in MB."""
    import resource

    if Path("/proc/self/statm").exists():
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() // 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 2**10


def _share(given: tuple[int, int]) -> tuple[list[tuple[str, str, str]], dict[str, Any]]:
    return wrong(*given)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes, each with its own seed")
    given = parser.parse_args()
    begin = time.perf_counter()
    if given.jobs == 1:
        shares = [wrong(given.count, given.seed)]
    else:
        each = -(-given.count // given.jobs)
        work = [(each, given.seed + i) for i in range(given.jobs)]
        with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:
            shares = pool.map(_share, work, chunksize=1)
    found = [x for some, _ in shares for x in some]
    ends = sum((collections.Counter(x["ends"]) for _, x in shares), collections.Counter())
    by_name = collections.Counter((name, error.partition(":")[0]) for name, error, _ in found)
    examples = {(name, error.partition(":")[0]): (error, told) for name, error, told in found}
    for key, count in by_name.most_common():
        error, told = examples[key]
        print(f"{count:5}  {told}\n       {error}")
    names = shares[0][1]["names"]
    print(f"{sum(ends.values())} calls of {names} names, seed {given.seed}: {dict(ends)}")
    grown = [_growth(x["without code"]) for _, x in shares]
    for _, x in shares:
        print(f"memory in MB, every 5 %: {x['memory in MB']}; without code: {x['without code']}")
    print(f"without compiled code: {max(grown):.0%} more than at half of the calls, at most")
    print(f"{len(found)} wrong, {time.perf_counter() - begin:.0f} s")
    return bool(found) or max(grown) > FLAT


def _growth(sizes: list[int]) -> float:
    """By how much memory grew in the second half of the calls."""
    return sizes[-1] / sizes[len(sizes) // 2 - 1] - 1.0 if len(sizes) > 1 else 0.0


if __name__ == "__main__":
    sys.exit(main())
