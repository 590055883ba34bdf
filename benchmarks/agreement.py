"""Which engine runs every system with every method, and whether the engines agree.

    python benchmarks/agreement.py [SYSTEM...] [--methods NAME...] [--record] [--gpu N]
                                   [--processes N] [--seconds S]

Each pair makes 20 steps by native code, by native code on vectors of members, by arrays and, up to
N operations in a step, by the kernel for a GPU, which is interpreted where there is none. The table
tells the operations on the tape, the seconds of compiling, and the largest differences of (q, v)
from native code, relative to their size; the last line the largest of all, and how many pairs are
beyond 1e-11. `--record` only records: nothing but scalar code is made. Processes share the pairs;
after S seconds those that are not done are left out, and counted.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import time
from typing import NamedTuple

BOUND = 1e-11


class Found(NamedTuple):
    """A row of the table."""

    system: str
    method: str
    engine: str
    operations: int = 0
    compiled: tuple[float, ...] = ()  # native, arrays: seconds
    off: dict[str, float] = {}

    def __str__(self) -> str:
        spent = ", ".join(f"{x:.1f}" for x in self.compiled)
        off = (f"{self.off[k]:.0e}" if k in self.off else "" for k in ("vectors", "arrays", "gpu"))
        return (
            f"| {self.system} | {self.method} | {self.engine} | {self.operations} | {spent} | "
            + (" | ".join(off) + " |")
        )


def recorded(system, method) -> tuple[int, str]:
    """(operations on the tape, reason against native code)."""
    import equinox as eqx

    from dalembert.compile.fingerprint import Versioned
    from dalembert.compile.layout import Layout
    from dalembert.compile.tape import Unsupported
    from dalembert.running.kernel import steps_of
    from dalembert.running.prepare import as_arrays, plan_for

    dynamic, static = as_arrays(system)
    plan = plan_for(system, method, dynamic, static)
    try:
        nobody = Layout(eqx.filter(dynamic, False))
        steps = steps_of(plan, plan.parameters, nobody, Versioned(None))
    except Unsupported as error:
        return 0, str(error)
    return len(steps.recorded.tape.operations(steps.recorded.needed())), ""


def flat(traj):
    import jax
    import numpy as np

    return np.concatenate([np.ravel(x[-1]) for x in jax.tree.leaves((traj.q, traj.v))])


def pair(given: tuple[str, str, bool, int]) -> Found:
    """One system with one method."""
    import jax
    import numpy as np

    import dalembert as da

    name, kind, record_only, gpu = given
    system, method = da.systems.registry[name](), da.methods.registry[kind]()
    run = {"h": 0.02, "steps": 20}
    q, v = system.initial()
    found = Found(name, kind, "native")
    try:
        if kind != "taylor":
            size, reason = recorded(system, method)
            found = found._replace(operations=size)
            if reason:
                return found._replace(engine=f"arrays: {reason}")
        if record_only:
            return found
        one = da.simulate(system, method, q, v, **run, save_every=20)
        three = jax.tree.map(lambda x: np.stack([x] * 3), (q, v))
        many = {"vectors": da.simulate_ensemble(system, method, *three, **run)}
        found = found._replace(engine=one.meta.engine, compiled=(one.meta.compile_s,))
        if kind != "taylor":
            arrays = da.simulate(system, method, q, v, **run, save_every=20, engine="arrays")
            found = found._replace(compiled=(*found.compiled, arrays.meta.compile_s))
            many["arrays"] = [arrays] * 3
            if found.operations <= gpu:
                many["gpu"] = da.simulate_ensemble(system, method, *three, **run, engine="gpu")
    except (da.UsageError, da.SimulationError) as error:
        return found._replace(engine=f"refused: {str(error).partition(chr(10))[0][:60]}")
    a = flat(one)
    scale = 1.0 + np.max(np.abs(a))
    off = {k: float(np.max(np.abs(a - flat(b[2]))) / scale) for k, b in many.items()}
    return found._replace(off=off)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("systems", nargs="*", metavar="SYSTEM")
    parser.add_argument("--methods", nargs="+", default=[])
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=1e9)
    given = parser.parse_args()
    import dalembert as da

    systems = given.systems or list(da.systems.registry)
    methods = given.methods or list(da.methods.registry)
    pairs = [(s, m, given.record, given.gpu) for m in methods for s in systems]
    end, found = time.perf_counter() + given.seconds, []
    # a core for each; and a process forgets what it has compiled, by ending
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    os.environ["DALEMBERT_KEEP_CODE"] = "0"
    context = multiprocessing.get_context("spawn")
    with context.Pool(given.processes, maxtasksperchild=12) as pool:  # ends them when it is left
        coming = pool.imap_unordered(pair, pairs)
        with contextlib.suppress(multiprocessing.TimeoutError, StopIteration):
            while True:
                found.append(coming.next(max(end - time.perf_counter(), 0.1)))
    found.sort(key=lambda x: x[:2])
    left_out = len(pairs) - len(found)
    print("| system | method | engine | operations | compile (s) | vectors | arrays | gpu |")
    print("|---|---|---|---|---|---|---|---|")
    print(*found, sep="\n")
    count = {e: sum(x.engine.startswith(e) for x in found) for e in ("native", "arrays", "refused")}
    differences = [x for row in found for x in row.off.values()]
    beyond = sum(not x <= BOUND for x in differences)
    print(
        f"\n{len(found)} pairs: {count['native']} native, {count['arrays']} arrays, "
        f"{count['refused']} refused; {left_out} left out for time. {len(differences)} differences"
        f", the largest {max(differences, default=0.0):.1e}; {beyond} beyond {BOUND:g}"
    )
    return int(beyond > 0)


if __name__ == "__main__":
    raise SystemExit(main())
