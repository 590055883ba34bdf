"""Random changes of code: every run is that of the code as it is now.

    python -m tests.fuzz.code --count 300 --seed 0
    python -m tests.fuzz.code --count 200 --seed 0 --processes 2

An oscillator is written in many ways, again and again under the same names, with another stiffness
and dimension each time. What `simulate` gives is compared with Runge's and Kutta's method in
NumPy. With `--processes` others follow, which find the compiled code of those before on disk and
make the same changes with other numbers.
"""

from __future__ import annotations

import argparse
import collections
import contextvars
import ctypes
import functools
import importlib
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.interpolate
from jax import lax

import dalembert as da

H, STEPS = 0.05, 6


def oracle(k: float, dim: int) -> np.ndarray:
    """Where x'' = -k x has come to from x = (1, 2, ...), v = 0."""
    q, v = np.arange(1.0, dim + 1), np.zeros(dim)
    for _ in range(STEPS):
        a1, b1 = v, -k * q
        a2, b2 = v + 0.5 * H * b1, -k * (q + 0.5 * H * a1)
        a3, b3 = v + 0.5 * H * b2, -k * (q + 0.5 * H * a2)
        a4, b4 = v + H * b3, -k * (q + H * a3)
        q = q + H / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        v = v + H / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return q


def body(dim: int, potential: Callable[..., object]) -> dict[str, object]:
    """The body of a class."""
    return {"space": da.Euclidean(dim), "mass": np.eye(dim), "potential": potential}


TEXT = """
import numpy as np, dalembert as da
class Spring(da.MechanicalSystem):
    space = da.Euclidean({dim})
    mass = np.eye({dim})
    def potential(self, q): return 0.5 * {k!r} * q @ q
"""


def by_exec(k: float, dim: int) -> da.System:
    names: dict[str, object] = {"__name__": "__main__"}
    exec(TEXT.format(k=k, dim=dim), names)
    return names["Spring"]()  # pyright: ignore[reportCallIssue]


def by_exec_without_a_name(k: float, dim: int) -> da.System:
    names: dict[str, object] = {}
    exec(TEXT.format(k=k, dim=dim), names)
    return names["Spring"]()  # pyright: ignore[reportCallIssue]


def by_type(k: float, dim: int) -> da.System:
    return type("Spring", (da.MechanicalSystem,), body(dim, lambda self, q: 0.5 * k * q @ q))()


def by_new_class(k: float, dim: int) -> da.System:
    def fill(names: dict[str, object]) -> None:
        names.update(body(dim, lambda self, q: 0.5 * k * q @ q))

    return types.new_class("Spring", (da.MechanicalSystem,), exec_body=fill)()


def of_the_library(k: float, dim: int) -> da.System:
    """A subclass of a system of the library that has its names, and does something else."""
    names = {
        "__module__": da.systems.ChaplyginSleigh.__module__,
        "__qualname__": "ChaplyginSleigh",
        "space": da.Euclidean(dim),
        "coordinate_names": (),
        "velocity_names": (),
        "units": (),
        "lagrangian": lambda self, q, v: 0.5 * v @ v - 0.5 * k * q @ q,
        "constraint": da.System.constraint,
        "path": da.System.path,
        "closed": None,
    }
    return type("ChaplyginSleigh", (da.systems.ChaplyginSleigh,), names)()


def by_a_force(k: float, dim: int) -> da.System:
    """Added to a system of a class that exists."""

    class Free(da.MechanicalSystem):
        space = da.Euclidean(dim)
        mass = np.eye(dim)

    return type("Free", (Free,), {"force": lambda self, t, q, v: -k * q})()


def by_reload(k: float, dim: int) -> da.System:
    path = Path(sys.path[0]) / "spring_of_mine.py"
    path.write_text(TEXT.format(k=k, dim=dim))
    importlib.invalidate_caches()
    known = sys.modules.get("spring_of_mine")
    module = importlib.reload(known) if known else importlib.import_module("spring_of_mine")
    return module.Spring()


def by_closure(k: float, dim: int) -> da.System:
    class Spring(da.MechanicalSystem):
        space = da.Euclidean(dim)
        mass = np.eye(dim)

        def potential(self, q):
            return 0.5 * k * q @ q

    return Spring()


def by_default(k: float, dim: int) -> da.System:
    class Spring(da.MechanicalSystem):
        space = da.Euclidean(dim)
        mass = np.eye(dim)

        def potential(self, q, k=k):
            return 0.5 * k * q @ q

    return Spring()


K = 1.0


class Global(da.MechanicalSystem):
    """Reads a global."""

    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 0.5 * K * q @ q


def by_global(k: float, dim: int) -> da.System:
    globals()["K"] = k
    return Global()


class Patched(da.MechanicalSystem):
    """Its methods are replaced."""

    space = da.Euclidean(2)
    mass = np.eye(2)


def by_patch(k: float, dim: int) -> da.System:
    Patched.potential = lambda self, q: 0.5 * k * q @ q
    return Patched()


class Attribute(da.MechanicalSystem):
    """Reads an attribute of its class."""

    space = da.Euclidean(2)
    mass = np.eye(2)
    numbers = {"k": 1.0}

    def potential(self, q):
        return 0.5 * self.numbers["k"] * q @ q


def by_attribute(k: float, dim: int) -> da.System:
    Attribute.numbers["k"] = k
    return Attribute()


class Field(da.System):
    """Holds a function."""

    pull: Callable[[float], float]
    space = da.Euclidean(2)

    def lagrangian(self, q, v):
        return 0.5 * v @ v - 0.5 * self.pull(1.0) * q @ q


def by_partial(k: float, dim: int) -> da.System:
    return Field(functools.partial(lambda k, x: k * x, k))


def by_jitted_field(k: float, dim: int) -> da.System:
    return Field(jax.jit(lambda x: k * x))


def by_defaults_of_a_field(k: float, dim: int) -> da.System:
    def pull(x, k=1.0):
        return k * x

    pull.__defaults__ = (k,)
    return Field(pull)


class Asking(da.MechanicalSystem):
    """Asks a function for its stiffness, which is another one for each way."""

    space = da.Euclidean(2)
    mass = np.eye(2)

    def potential(self, q):
        return 0.5 * self.stiffness() * q @ q


def asking(name: str, stiffness: Callable[..., object]) -> type[Asking]:
    """A class of this name, made once."""
    return type(name, (Asking,), {"stiffness": stiffness, "__module__": __name__})


NUMBERS = {"k": 1.0}
OBJECTS = np.array([1.0, None], dtype=object)
MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
MEMORY = memoryview(bytearray(8)).cast("d")
IN_C = (ctypes.c_double * 1)()
SPLINE = scipy.interpolate.CubicSpline(np.arange(4.0), np.zeros(4))
VARIABLE: contextvars.ContextVar[float] = contextvars.ContextVar("k", default=1.0)
MODULE = types.ModuleType("constants_of_mine")
MODULE.__getattr__ = lambda name: NUMBERS["k"]  # pyright: ignore
WHOLE = types.ModuleType("whole_of_mine")
PACKAGE: Any = None
SOME: list[float] = [1.0]


class Proxy:
    """Computes its attributes."""

    def __getattr__(self, name: str) -> float:
        return NUMBERS[name]


@jax.jit
def jitted(x):
    return K * x


def turn(i, x):
    return K * x


def of_module(module):
    return module.K


def second(module, name="K"):
    return getattr(module, name)


ASKING: dict[str, Callable[[Asking], Any]] = {
    "globals": lambda self: globals()["K"],
    "eval": lambda self: eval("K"),
    "exec": lambda self: exec("NUMBERS['found'] = K") or NUMBERS["found"],
    "sys_modules": lambda self: sys.modules[__name__].K,
    "import_by_text": lambda self: importlib.import_module(__name__).K,
    "vars": lambda self: vars(sys.modules[__name__])["K"],
    "module_getattr": lambda self: MODULE.k,
    "whole_module": lambda self: of_module(WHOLE),
    "getattr": lambda self: second(WHOLE),
    "object_array": lambda self: OBJECTS[0],
    "masked_array": lambda self: float(MASKED[0]),
    "memory": lambda self: MEMORY[0],
    "ctypes": lambda self: IN_C[0],
    "spline": lambda self: float(SPLINE(0.0)),
    "context": lambda self: VARIABLE.get(),
    "environment": lambda self: float(os.environ["STIFFNESS_OF_MINE"]),
    "file": lambda self: float(Path(sys.path[0], "stiffness.txt").read_text()),
    "file_of_numpy": lambda self: float(np.loadtxt(Path(sys.path[0], "stiffness.txt"))),
    "proxy": lambda self: Proxy().k,
    "jit_of_ones_own": lambda self: jitted(1.0),
    "loop": lambda self: lax.fori_loop(0, 1, turn, 1.0),
    "scan": lambda self: lax.scan(lambda c, x: (turn(0, c), None), 1.0, None, length=1)[0],
    "cond": lambda self: lax.cond(self.dim > 0, lambda x: turn(0, x), jnp.sin, 1.0),
    "installed": lambda self: PACKAGE.stiffness(),
    "nonlocal_state": lambda self: next(iter(SOME)),
}
CLASSES = {name: asking(f"By_{name}", f) for name, f in ASKING.items()}


@functools.cache
def package_of_mine() -> types.ModuleType:
    """A package that is installed among others."""
    folder = Path(sys.path[0]) / "site-packages"
    folder.mkdir()
    (folder / "package_of_mine.py").write_text("K = 1.0\ndef stiffness(): return K\n")
    spec = importlib.util.spec_from_file_location("package_of_mine", folder / "package_of_mine.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules["package_of_mine"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_reading(name: str, k: float, dim: int) -> da.System:
    """Sets the stiffness wherever it is read."""
    globals()["K"] = NUMBERS["k"] = SOME[0] = k
    OBJECTS[0] = MASKED[0] = MEMORY[0] = IN_C[0] = WHOLE.K = package_of_mine().K = k  # pyright: ignore
    SPLINE.c[3, 0] = k
    globals()["PACKAGE"] = package_of_mine()
    VARIABLE.set(k)
    os.environ["STIFFNESS_OF_MINE"] = repr(k)
    Path(sys.path[0], "stiffness.txt").write_text(repr(k))
    return CLASSES[name]()


WAYS: tuple[Callable[[float, int], da.System], ...] = (
    by_exec,
    by_exec_without_a_name,
    by_type,
    by_new_class,
    of_the_library,
    by_a_force,
    by_reload,
    by_closure,
    by_default,
    by_global,
    by_patch,
    by_attribute,
    by_partial,
    by_jitted_field,
    by_defaults_of_a_field,
)
READING = tuple(functools.partial(by_reading, name) for name in ASKING)


def changes(count: int, seed: int) -> Iterator[tuple[str, float, int, da.System]]:
    """So many systems, each made by a change of code: the way, stiffness, dimension, system.

    The ways and dimensions follow each other in the same order for every seed.
    """
    order, numbers = random.Random(count), random.Random(seed)
    for _ in range(count):
        way, dim = order.choice(WAYS if order.random() < 0.5 else READING), order.choice((1, 2, 3))
        k = numbers.uniform(0.5, 30.0)
        system = way(k, dim)
        yield type(system).__name__ if way in READING else way.__name__, k, system.dim, system


def wrong(count: int, seed: int) -> list[str]:
    """What was run as something else, each in a line."""
    with tempfile.TemporaryDirectory() as folder:
        before, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # times are of a second
        sys.path.insert(0, folder)
        try:
            return list(_wrong(count, seed))
        finally:
            sys.path.remove(folder)
            sys.modules.pop("spring_of_mine", None)
            sys.modules.pop("package_of_mine", None)
            package_of_mine.cache_clear()
            sys.dont_write_bytecode = before


def _wrong(count: int, seed: int) -> Iterator[str]:
    for way, k, dim, system in changes(count, seed):
        q0, v0 = np.arange(1.0, dim + 1), np.zeros(dim)
        try:
            q = da.simulate(system, da.RK4(), q0, v0, h=H, steps=STEPS).q[-1]
        except Exception as error:
            yield f"{way}: {type(error).__name__}: {error}"
            continue
        if np.max(np.abs(q - oracle(k, dim))) > 1e-10:  # round-off of a few steps of size 1
            yield f"{way}: k = {k:g}, dimension {dim}: {q}, not {oracle(k, dim)}"


def wrong_in_processes(count: int, seed: int, processes: int, folder: Path) -> list[str]:
    """The same of processes that follow each other, with the code of those before on disk."""
    found = []
    for i in range(processes):
        command = [sys.executable, "-m", "tests.fuzz.code", "--json"]
        command += ["--count", str(count), "--seed", str(seed + i)]
        kept = {"XDG_CACHE_HOME": str(folder), "DALEMBERT_KEEP_CODE": "1"}
        try:
            done = subprocess.run(
                command,
                env=os.environ | kept,
                cwd=Path(__file__).parents[2],
                capture_output=True,
                text=True,
                timeout=60 + 2 * count,  # a change takes a tenth of a second
            )
        except subprocess.TimeoutExpired:
            found.append(f"process {i} did not end")
            continue
        if done.returncode:
            found.append(f"process {i} ended with {done.returncode}: {done.stderr[-500:]}")
        else:
            found += [f"process {i}: {x}" for x in json.loads(done.stdout.splitlines()[-1])]
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="for another process")
    given = parser.parse_args()
    if given.processes > 1:
        with tempfile.TemporaryDirectory() as folder:
            found = wrong_in_processes(given.count, given.seed, given.processes, Path(folder))
    else:
        found = wrong(given.count, given.seed)
    if given.json:
        print(json.dumps(found))
        return 0
    for line in found:
        print(line)
    ways = collections.Counter(x.split(":")[0] for x in found)
    print(f"{given.count * given.processes} changes of code, {len(found)} wrong {dict(ways)}")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
