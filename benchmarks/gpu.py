"""Ensembles on an accelerator: batches of the chaotic system (5.5) [MP], and its figure 6(b).

Run as `python benchmarks/gpu.py` wherever JAX sees a GPU; needs nothing beyond JAX and Equinox.
Figure 6(b) in full: 10,000 trajectories, h = 0.05, T = 50,000, so 10^10 steps, with the variance
of the energy error kept on the way; its slope over h^4 should be about 1e-4.
"""

import functools
import json
import sys
import time

import jax
import numpy as np

import dalembert as da

SYSTEM, METHOD, H = da.systems.ChaoticQuartic(), da.Leapfrog(), 0.05
ENERGY = SYSTEM.invariants["energy"]


def batches(sizes: list[int], steps: int = 100_000) -> list[dict]:
    found = []
    for members in sizes:
        q, v = SYSTEM.ensemble(jax.random.key(1), members)
        run = functools.partial(da.simulate_ensemble, SYSTEM, METHOD, q, v, h=H)
        compile_s = run(steps=16).meta.compile_s
        seconds = min(run(steps=steps).meta.wall_s for _ in range(3))
        found.append(
            {
                "members": members,
                "ns_per_step_and_member": seconds / steps / members * 1e9,
                "compile_s": compile_s,
            }
        )
        print(json.dumps(found[-1]), flush=True)
    return found


def figure_6b(members: int = 10_000, end: float = 50_000.0, every: int = 16 * 128 + 1) -> dict:
    """`every` is one more than a multiple of 128 steps, which an accelerator does in one go."""
    q, v = SYSTEM.ensemble(jax.random.key(2006), members)
    steps = round(end / H)
    options = {"h": H, "reduce": {"energy": da.Statistics(ENERGY)}}
    da.simulate_ensemble(SYSTEM, METHOD, q, v, steps=4 * every, save_every=every, **options)
    begin = time.perf_counter()
    found = da.simulate_ensemble(SYSTEM, METHOD, q, v, steps=steps, save_every=every, **options)
    total = time.perf_counter() - begin
    t, variance = found.reduced["energy"].t, found.reduced["energy"].variance
    slope = float(t @ variance / (t @ t)) / H**4
    away = variance / H**4 - slope * t
    return {
        "members": members,
        "steps_each": steps,
        "seconds": found.meta.wall_s,
        "seconds_with_start": total,
        "ns_per_step_and_member": found.meta.wall_s / steps / members * 1e9,
        "slope_over_h4": slope,
        "distance_from_a_line": float(np.sqrt(np.mean(away**2)) / (slope * t[-1])),
        "failed": len(found.failed),
    }


if __name__ == "__main__":
    print(f"jax {jax.__version__} on {jax.devices()}")
    if jax.default_backend() == "cpu" and "--cpu" not in sys.argv:
        sys.exit("no accelerator found; --cpu runs a small version all the same")
    if jax.default_backend() == "cpu":
        batches([512], 2000)
        print(json.dumps(figure_6b(512, 500.0, 200), indent=1))
    else:
        batches([10_000, 100_000, 1_000_000])
        print(json.dumps(figure_6b(), indent=1))
