"""Every system of the zoo, and three that users wrote, beside `Reference` at t = 20.

    python benchmarks/zoo.py [--default-only] [--h 0.01] [--t 20] [name of a system ...]

Columns: the largest difference in (q, v) from the reference at the end, by the default method, by
DLA, by GNI, and by GNI that starts afresh every ten steps, which has no parasitic mode; then how
large that mode was, in errors of the method, and whether the run warned. A warning is right where
GNI differs from its restarted self. Exits with 1 if the default method is off by more than 1e-3
without a word, or if a warning is missing where GNI is ten times as wrong as without the mode.
With --default-only the others are left out, which compile three times as long.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
from pathlib import Path

import jax
import numpy as np

import dalembert as da
from dalembert.diagnostics.parasitic import parasitic_mode
from dalembert.systems import registry

WANTED = 1e-3
EXAMPLES = {"bicycle": "bicycle", "trailers": "Trailers", "rattleback": "Rattleback"}


def example(name: str):
    """A system of examples/, written as a user would."""
    path = Path(__file__).parent.parent / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, EXAMPLES[name])()


def ran(system, method, h: float, steps: int):
    """(last row and warnings, or None; the reason)."""
    try:
        method.check(system)
        return da.simulate(system, method, h=h, steps=steps, project=True), ""
    except da.UsageError as error:
        return None, f"refused: {error}"
    except da.SimulationError as error:
        return None, str(error).partition("; the ")[0]


def distance(traj, exact) -> float:
    """Of the last rows, in (q, v)."""
    if traj is None or exact is None:
        return math.nan
    pairs = zip(*(jax.tree.leaves((x.final.q, x.final.v)) for x in (traj, exact)))
    return max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in pairs)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--h", type=float, default=0.01)
    parser.add_argument("--t", type=float, default=20.0)
    parser.add_argument("--default-only", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    steps, wrong = round(given.t / given.h), []
    methods = (da.methods.default(), da.DLA(), da.GNI(), da.GNI(restart_every=10))
    methods = methods[:1] if given.default_only else methods
    print(f"h = {given.h:g}, t = {given.t:g}")
    heads = [m.name.replace("gni-midpoint-", "") for m in methods]
    print(f"{'':29s}" + "".join(f"{x:>14s}" for x in heads) + "   mode   warned")
    for name in given.names or (*registry, *EXAMPLES):
        system = registry[name]() if name in registry else example(name)
        exact, why = ran(system, da.Reference(rtol=1e-12, atol=1e-13), given.h, steps)
        found = [ran(system, m, given.h, steps) for m in methods]
        errors = [distance(traj, exact) for traj, _ in found]
        gni = None if given.default_only else found[2][0]
        mode = parasitic_mode(system, gni) if gni is not None else None
        size = float(mode[1].size[0]) if mode is not None else math.nan
        warned = gni is not None and bool(gni.warnings)
        cells = "".join(f"{e:14.1e}" for e in errors)
        print(f"{name:29s}{cells} {size:8.1e} {'yes' if warned else 'no':>5s}", flush=True)
        for text in dict.fromkeys(x for x in (why, *(x for _, x in found)) if x):
            print(f"    {text}")
        if not errors[0] <= WANTED and not found[0][1]:
            wrong.append(f"{name}: {methods[0].name} is off by {errors[0]:.1e}, without a word")
        if gni is not None and errors[2] > max(10 * errors[3], 1e-6) and not warned:
            wrong.append(f"{name}: GNI is {errors[2] / errors[3]:.0e} times off, without a warning")
    for text in wrong:
        print(text)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
