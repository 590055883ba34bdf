"""Every method on every system, number by number and by arrays: difference, compile and run times.

Run as `python benchmarks/agreement.py [SYSTEM...]`; about an hour for all. It shows that both ways
compute the same to round-off (which a test asserts of one step and fewer pairs), and the sizes
above which scalar code (`lanes.LARGEST`) or its fusion (`compiling._FUSE_UP_TO`) stops paying.
"""

import gc
import sys

import jax
import numpy as np

import dalembert as da
from dalembert.compile import engine as compiling
from dalembert.compile import lanes
from dalembert.methods import registry as methods
from dalembert.systems import registry as systems

driver = sys.modules["dalembert.running.single"]
LARGEST, FUSE_UP_TO = lanes.LARGEST, compiling._FUSE_UP_TO


def run(system, method, largest: int = 10**6, fuse: int = FUSE_UP_TO):
    lanes.LARGEST, compiling._FUSE_UP_TO = largest, fuse
    driver._compiled.cache_clear()
    jax.clear_caches()
    gc.collect()
    rows = da.simulate(system, method, h=0.02, steps=20)
    timed = min(
        da.simulate(system, method, h=1e-3, steps=n, save_every=n).meta.wall_s / n
        for n in (2000, 2000)
    )
    return rows, timed * 1e9, rows.meta.compile_s


def difference(a, b) -> float:
    worst = 0.0
    for x, y in zip(jax.tree.leaves(a), jax.tree.leaves(b), strict=True):
        if x.size:
            scale = 1 + np.max(np.abs(y))
            worst = max(worst, float(np.max(np.abs(np.asarray(x) - np.asarray(y))) / scale))
    return worst


def main(chosen: list[str]) -> None:
    worst = 0.0
    print(f"{'system':28}{'method':28}{'differ by':>10}  ns fused, unfused, arrays; compile s")
    for name in chosen:
        for label, make in methods.items():
            system, method = systems[name](), make()
            if label == "reference":
                continue
            try:
                method.check(system)
                arrays, plain_ns, plain_s = run(system, method, largest=-1)
            except (da.UsageError, da.SimulationError):
                continue
            fused, fused_ns, fused_s = run(system, method, fuse=10**9)
            _, apart_ns, apart_s = run(system, method, fuse=0)
            kept = [(t.q, t.v, t.p, t.multiplier, t.frame) for t in (fused, arrays)]
            off = difference(*kept)
            worst = max(worst, off)
            times = f"{fused_ns:8.0f}{apart_ns:8.0f}{plain_ns:8.0f}"
            times += f"   {fused_s:.1f} {apart_s:.1f} {plain_s:.1f}"
            print(f"{name:28}{label:28}{off:10.1e}{times}", flush=True)
    print(f"largest difference {worst:.1e}")


if __name__ == "__main__":
    main(sys.argv[1:] or list(systems))
