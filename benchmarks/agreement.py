"""Which engine runs every system with every method, and whether the engines agree.

    python benchmarks/agreement.py [--engines] [SYSTEM...]

Each pair makes 20 steps by native code, by native code on vectors of members and by arrays; the
table tells the operations on the tape, the seconds of compiling, and the largest difference of
(q, v), relative to their size. `--engines` only records: no arrays are compiled.
"""

import sys
import time

import numpy as np

import dalembert as da
from dalembert.compile.fingerprint import Versioned
from dalembert.compile.layout import Layout
from dalembert.compile.tape import Unsupported
from dalembert.methods import registry as methods
from dalembert.running.kernel import steps_of
from dalembert.running.prepare import as_arrays, plan_for
from dalembert.systems import registry as systems


def recorded(system, method):
    """(operations on the tape, reason against native code)."""
    dynamic, static = as_arrays(system)
    plan = plan_for(system, method, dynamic, static)
    nobody = Layout(da.system.eqx.filter(dynamic, False))
    try:
        steps = steps_of(plan, plan.parameters, nobody, Versioned(None))
    except Unsupported as error:
        return 0, str(error)
    return len(steps.recorded.tape.operations(steps.recorded.needed())), ""


def flat(traj):
    leaves = da.system.jax.tree.leaves((traj.q, traj.v))
    return np.concatenate([np.ravel(x[-1]) for x in leaves])


def compared(system, method):
    run = {"h": 0.02, "steps": 20, "save_every": 20}
    q, v = system.initial()
    one = da.simulate(system, method, q, v, **run)
    arrays = da.simulate(system, method, q, v, **run, engine="arrays")
    many = da.simulate_ensemble(system, method, q, np.stack([v] * 3), **run)
    a = flat(one)
    scale = 1.0 + np.max(np.abs(a))
    off = [np.max(np.abs(a - flat(b))) / scale for b in (arrays, many[2])]
    return one.meta.compile_s, arrays.meta.compile_s, *off


def main(words):
    engines = "--engines" in words
    chosen = [w for w in words if not w.startswith("-")] or list(systems)
    print("| system | method | engine | operations | compile, arrays (s) | arrays, vectors |")
    print("|---|---|---|---|---|---|")
    worst, count = 0.0, {"native": 0, "arrays": 0}
    for name in chosen:
        for kind in methods:
            system, method = systems[name](), methods[kind]()
            begin = time.perf_counter()
            try:
                size, reason = recorded(system, method)
                engine = f"arrays: {reason}" if reason else "native"
                count["arrays" if reason else "native"] += 1
                told = ["", ""]
                if not engines and not reason:
                    mine, theirs, *off = compared(system, method)
                    worst = max(worst, *off)
                    told = [f"{mine:.1f}, {theirs:.1f}", ", ".join(f"{x:.0e}" for x in off)]
                elif not reason:
                    told[0] = f"recorded in {time.perf_counter() - begin:.2f}"
            except (da.UsageError, da.SimulationError) as error:
                engine, size, told = f"refused: {str(error)[:60]}", 0, ["", ""]
            print(f"| {name} | {kind} | {engine} | {size} | {told[0]} | {told[1]} |", flush=True)
    print(f"\n{count['native']} native, {count['arrays']} arrays; largest difference {worst:.1e}")


if __name__ == "__main__":
    main(sys.argv[1:])
